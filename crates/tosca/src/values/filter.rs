//! Node filters of the Simple Profile: constraints on the properties of a node and of its capabilities; and the filters
//! of services that take the place of a node, in all versions.

use locus_source::tree::Entry;
use locus_source::{Node, Place};

use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::service::{Part, Scope, Service, This};
use crate::types::base::Base;
use crate::types::compare;
use crate::types::data::Clause;
use crate::types::flat::Capability;
use crate::types::value::Typed;
use crate::types::world::World;

impl<'t> Service<'_, 't> {
    /// Whether a filter holds of a node template; nothing if that is not known.
    pub(crate) fn simple_filter(&self, filter: Node<'t>, file: usize, target: usize) -> Option<bool> {
        let template = &self.templates[target];
        let own = filter.get("properties").map(|list| self.properties_hold(target, Part::Own, list, file));
        let mut parts: Vec<Option<bool>> = own.into_iter().collect();
        for (name, properties) in filter.get("capabilities").into_iter().flat_map(asked) {
            let found = matching(self.world, &template.flat.capabilities, name.raw(), file);
            if found.is_empty() {
                parts.push(Some(false).filter(|_| template.is_whole()));
                continue;
            }
            let held = found.into_iter().map(|one| match properties {
                Some(list) => self.properties_hold(target, Part::Capability(one.name), list, file),
                None => Some(true),
            });
            parts.push(any(held));
        }
        all(parts.into_iter())
    }

    fn properties_hold(&self, target: usize, part: Part<'t>, list: Node<'t>, file: usize) -> Option<bool> {
        let holds = |entry: Entry<'t>| {
            let (name, constraints) = (entry.key.raw(), entry.value);
            let scope = Scope::new(self.file, This::Node(target));
            match self.property(This::Node(target), part, name, constraints.use_place()) {
                Some(value) => self.all_hold(&value, constraints, file, &scope),
                // What is not there satisfies nothing.
                None => Some(false).filter(|_| self.has_all(target, part)),
            }
        };
        all(property_entries(list).map(holds))
    }

    /// Whether all properties of a node, or of a capability of it, are known.
    fn has_all(&self, target: usize, part: Part<'t>) -> bool {
        let template = &self.templates[target];
        let capability = |name| template.flat.capabilities.iter().find(|one| one.name == name);
        match part {
            Part::Own => template.is_whole(),
            Part::Capability(name) => template.is_whole() && capability(name).is_some_and(|one| one.whole),
        }
    }

    /// Whether a value satisfies a constraint or a list of them.
    fn all_hold(
        &self,
        value: &Typed<'t>,
        constraints: Node<'t>,
        file: usize,
        scope: &Scope<'_, 't>,
    ) -> Option<bool> {
        // Not in the grammar, but in an example of the standard: the value itself.
        if constraints.is_scalar() && !constraints.is_null() {
            let plain = matches!(value.schema.base, Base::String | Base::Integer | Base::Boolean);
            let other = self.evaluate(constraints, &Scope { file, ..*scope });
            let known = plain && value.is_known() && other.is_known();
            return known.then(|| compare::equal(value, &Typed::new(other.datum, &value.schema)));
        }
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
    /// Whether the substitution filter holds of each node that this service may take the place of. Without a filter it
    /// does.
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
        for entry in filter.get("properties").into_iter().flat_map(property_entries) {
            let (name, constraints) = (entry.key.raw(), entry.value);
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

    /// The value of `[ SELF, NAME ]` in a substitution filter that is tried.
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
        Some(Typed::new(value.used_at(place), schema))
    }
}

/// The properties of a filter with what is asked of them: the entries of a list of maps with one key each, or of a map.
pub(crate) fn property_entries(node: Node<'_>) -> impl Iterator<Item = Entry<'_>> {
    node.items().flat_map(Node::entries).chain(node.entries())
}

/// The capabilities of a filter, by name or type, each with the properties that are asked of it.
pub(crate) fn asked(node: Node<'_>) -> impl Iterator<Item = (Node<'_>, Option<Node<'_>>)> {
    let own = node.entries().map(|entry| (entry.key, entry.value.get("properties")));
    node.items().flat_map(asked_in).chain(own)
}

fn asked_in<'t>(item: Node<'t>) -> Vec<(Node<'t>, Option<Node<'t>>)> {
    // With the wrong indentation, `properties` stands beside the name of the capability.
    let beside = item.get("properties").filter(|_| item.len() > 1);
    let is_name = |entry: &Entry<'t>| beside.is_none() || entry.key.raw() != "properties";
    let entries = item.entries().filter(is_name);
    let named = entries.map(|entry| (entry.key, entry.value.get("properties").or(beside)));
    named.chain(item.as_str().map(|_| (item, None))).collect()
}

/// The capabilities that a name in a filter means: those of that name, and else those of that type (3.6.5.4).
pub(crate) fn matching<'c, 't>(
    world: &World<'t>,
    capabilities: &'c [Capability<'t>],
    name: &str,
    file: usize,
) -> Vec<&'c Capability<'t>> {
    let by_name: Vec<_> = capabilities.iter().filter(|one| one.name == name).collect();
    if !by_name.is_empty() {
        return by_name;
    }
    let Some(wanted) = world.names.find_type(file, Family::Capability, name) else { return Vec::new() };
    let of_type = |one: &&Capability<'t>| one.type_id.is_some_and(|id| world.names.is_a(id, wanted));
    capabilities.iter().filter(of_type).collect()
}

/// Whether all hold, if that is known.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = false,
        }
    }
    known.then_some(true)
}

/// Whether one holds, if that is known.
fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.map(|part| part.map(|holds| !holds))).map(|holds| !holds)
}

/// The items of a list, or the map that stands in place of one.
pub(crate) fn clauses(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    node.items().chain(Some(node).filter(|one| one.is_mapping()))
}
