//! Node filters of the Simple Profile: constraints on the properties of a node and of its capabilities; and the filters of
//! services that take the place of a node, in all versions.

use locus_source::{Node, Place};

use crate::data::Clause;
use crate::grammar::Family;
use crate::service::{Part, Scope, Service, This};
use crate::value::{Datum, Typed};
use crate::version::Version;

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
        self.all_hold(&value, constraints, file, &scope)
    }

    /// Whether a value satisfies a constraint or a list of them.
    fn all_hold(
        &self,
        value: &Typed<'t>,
        constraints: Node<'t>,
        file: usize,
        scope: &Scope<'_, 't>,
    ) -> Option<bool> {
        let list: Vec<_> =
            if constraints.is_sequence() { constraints.items().collect() } else { vec![constraints] };
        let mut known = true;
        for node in list {
            match self.constraint(value, Clause { node, file, constraint: true }, scope) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }
}

impl<'t> Service<'_, 't> {
    /// Whether the substitution filter holds of each node that this service may take the place of. Without a filter it does.
    pub(crate) fn accepted(&self) -> Vec<Option<bool>> {
        let mapping = self.section("substitution_mappings");
        let filter = mapping.and_then(|mapping| mapping.get("substitution_filter"));
        let holds = |at| {
            let Some(filter) = filter else { return Some(true) };
            let muted = self.world.report.mute(true);
            let known = self.unknowns.borrow().len();
            self.place_of.set(Some(at));
            let holds = if self.world.version(self.file) == Version::V2_0 {
                self.condition(filter, &Scope::new(self.file, This::Type))
            } else {
                self.simple_substitution_filter(filter)
            };
            self.place_of.set(None);
            self.unknowns.borrow_mut().truncate(known);
            self.world.report.mute(muted);
            holds
        };
        (0..self.substituted.len()).map(holds).collect()
    }

    fn simple_substitution_filter(&self, filter: Node<'t>) -> Option<bool> {
        let scope = Scope::new(self.file, This::Type);
        let mut known = filter.get("capabilities").is_none_or(Node::is_empty);
        for (name, constraints) in filter.get("properties").into_iter().flat_map(named) {
            let Some(value) = self.substituted_property(name, constraints.use_place()) else {
                known = false;
                continue;
            };
            match self.all_hold(&value, constraints, self.file, &scope) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => known = false,
            }
        }
        known.then_some(true)
    }

    /// What `[ SELF, NAME ]` is in a substitution filter that is tried.
    pub(crate) fn of_substituted(&self, path: &[Node<'t>], place: Place) -> Option<Typed<'t>> {
        match path {
            [of, name] if of.as_str() == Some("SELF") => self.substituted_property(name.as_str()?, place),
            _ => None,
        }
    }

    /// A property of the node that this service is tried in the place of; nothing if it has no value.
    fn substituted_property(&self, name: &str, place: Place) -> Option<Typed<'t>> {
        let node = &self.substituted[self.place_of.get()?];
        let value = &node.properties.iter().find(|one| &*one.key == name)?.value;
        let type_name = self.section("substitution_mappings")?.get("node_type")?.as_str()?;
        let id = self.world.names.find_type(self.file, Family::Node, type_name)?;
        let flat = self.world.flat(id)?;
        let schema = &flat.properties.iter().find(|one| one.name == name)?.schema;
        Some(Typed::new(Datum::new(value.value.clone(), place), schema))
    }
}

/// The entries of a list of maps with one key each, or of a map.
fn named(node: Node<'_>) -> impl Iterator<Item = (&str, Node<'_>)> {
    let listed = node.items().flat_map(Node::entries);
    listed.chain(node.entries()).map(|entry| (entry.key.raw(), entry.value))
}
