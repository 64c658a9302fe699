//! Node filters of the Simple Profile: constraints on the properties of a node and of its capabilities.

use locus_source::Node;

use crate::data::Clause;
use crate::service::{Part, Scope, Service, This};

impl<'t> Service<'_, 't> {
    /// Whether a filter holds of a node template; nothing if that is not known.
    pub(crate) fn simple_filter(&self, filter: Node<'t>, file: usize, target: usize) -> Option<bool> {
        let mut known = true;
        let own = filter.get("properties").map(|list| (list, Part::Own));
        let capabilities = filter.get("capabilities").into_iter().flat_map(named);
        let template = &self.templates[target];
        let inner = capabilities.filter_map(|(name, node)| {
            let capability = template.flat.capabilities.iter().find(|one| {
                let by_type = || one.type_id.is_some_and(|id| self.world.names.get(id).name == name);
                one.name == name || by_type()
            });
            Some((node.get("properties")?, Part::Capability(capability?.name)))
        });
        for (list, part) in own.into_iter().chain(inner) {
            for (name, constraints) in named(list) {
                match self.property_holds(target, part, name, constraints, file) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => known = false,
                }
            }
        }
        known.then_some(true)
    }

    fn property_holds(
        &self,
        target: usize,
        part: Part<'t>,
        name: &str,
        constraints: Node<'t>,
        file: usize,
    ) -> Option<bool> {
        let value = self.property(This::Node(target), part, name, constraints.use_place())?;
        let scope = Scope::new(self.file, This::Node(target));
        let list: Vec<_> =
            if constraints.is_sequence() { constraints.items().collect() } else { vec![constraints] };
        let mut known = true;
        for node in list {
            match self.constraint(&value, Clause { node, file, constraint: true }, &scope) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }
}

/// The entries of a list of maps with one key each, or of a map.
fn named(node: Node<'_>) -> impl Iterator<Item = (&str, Node<'_>)> {
    let listed = node.items().flat_map(Node::entries);
    listed.chain(node.entries()).map(|entry| (entry.key.raw(), entry.value))
}
