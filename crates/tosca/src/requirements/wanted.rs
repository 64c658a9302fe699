//! The demands of node filters: that the nodes that a requirement may lead to have the properties and capabilities that
//! its filter names, and that the values in it are of their types.
//!
//! A node that fulfils a requirement may be of a type that derives from the wanted one, and have more. So a filter is
//! wrong only if no type that is known has what it asks for; and if an import was not read, nothing is said of names.

use std::rc::Rc;

use locus_source::{Finding, Node, Severity};

use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, short};
use crate::rules;
use crate::service::{Scope, Service, This, any};
use crate::types::data::Schema;
use crate::types::flat::{Capability, Flat, Property, Requirement};
use crate::types::names::{Meaning, TypeId};
use crate::types::world::{KnownNodes, World};
use crate::values::call::{self, Call, Form};
use crate::values::filter::{asked, clauses, matching, property_entries};

/// The nodes that a filter chooses among.
pub(crate) struct Wanted<'t> {
    who: Who<'t>,
    /// The node itself, or each type that it may be of.
    flats: Rc<Vec<Rc<Flat<'t>>>>,
    /// Whether there are no others.
    certain: bool,
    /// The capability that the requirement leads to, by name or by type.
    capability: Option<&'t str>,
    capability_type: Option<TypeId>,
}

/// The node or type that is wanted.
enum Who<'t> {
    Node(&'t str),
    Type(&'t str),
    /// They have a capability of this type.
    With(&'t str),
}

/// A filter, and the severity of findings about it.
#[derive(Clone, Copy)]
pub(crate) struct Filter<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) file: usize,
    pub(crate) severity: Severity,
}

impl<'t> World<'t> {
    /// The node types that derive from one, or those that have a capability of a type.
    fn known_nodes(&self, node: Option<TypeId>, capability: Option<TypeId>) -> KnownNodes<'t> {
        if let Some(known) = self.nodes.borrow().get(&(node, capability)) {
            return known.clone();
        }
        let (all, certain) = self.find_nodes(node, capability);
        let certain = certain && !all.is_empty();
        let found = (Rc::new(all), certain);
        self.nodes.borrow_mut().insert((node, capability), found.clone());
        found
    }

    /// A capability type and those that derive from it.
    fn capability_types(&self, wanted: TypeId) -> Vec<Rc<Flat<'t>>> {
        let all = (0..self.names.all.len()).map(|at| TypeId(at as u32));
        all.filter(|&id| self.names.is_a(id, wanted)).filter_map(|id| self.flat(id)).collect()
    }

    fn find_nodes(&self, node: Option<TypeId>, capability: Option<TypeId>) -> (Vec<Rc<Flat<'t>>>, bool) {
        let unread = |file: &crate::read::files::File| {
            file.extended || file.imports.iter().any(|import| import.file.is_none())
        };
        let mut certain = !self.files.all.iter().any(unread);
        let mut found = Vec::new();
        for (at, _) in self.names.all.iter().enumerate().filter(|(_, one)| one.family == Family::Node) {
            let id = TypeId(at as u32);
            if node.is_some_and(|wanted| !self.names.is_a(id, wanted)) {
                continue;
            }
            let Some(flat) = self.flat(id) else { continue };
            let fits = |one: &Capability<'t>| {
                one.type_id.is_none_or(|id| capability.is_some_and(|wanted| self.names.is_a(id, wanted)))
            };
            if node.is_none() && !flat.capabilities.iter().any(fits) {
                continue;
            }
            certain &= flat.whole && flat.capabilities.iter().all(|one| one.whole);
            found.push(flat);
        }
        (found, certain)
    }
}

impl<'t> Service<'_, 't> {
    /// The nodes that a requirement of a node template may lead to; nothing if they are not known.
    pub(crate) fn wanted_by(&self, at: usize, index: usize) -> Option<Wanted<'t>> {
        let assignment = &self.templates[at].requirements[index];
        let mut wanted = match self.named_target(at, index).map(Node::raw) {
            None => return self.wanted_by_definition(assignment.definition.as_ref()?, assignment.node),
            Some(name) => match self.by_name.get(name) {
                Some(&target) => self.wanted_node(target)?,
                None => match self.world.names.find(self.file, Family::Node, name) {
                    Meaning::Type(id) => self.wanted_type(id),
                    _ => return None,
                },
            },
        };
        wanted.capability_type = assignment.definition.as_ref().and_then(|one| one.capability_type);
        wanted.capability = assignment.node.and_then(|node| node.get("capability")?.as_str());
        Some(wanted)
    }

    /// The nodes that a requirement that names no node may lead to.
    pub(crate) fn wanted_by_definition(
        &self,
        definition: &Requirement<'t>,
        assigned: Option<Node<'t>>,
    ) -> Option<Wanted<'t>> {
        let capability = assigned.and_then(|node| node.get("capability")?.as_str());
        let by_name =
            capability.and_then(|name| self.world.names.find_type(self.file, Family::Capability, name));
        let capability_type = by_name.or(definition.capability_type);
        let wanted = match (definition.node, capability_type) {
            (Some(id), _) => self.wanted_type(id),
            (None, Some(id)) => {
                let (flats, certain) = self.world.known_nodes(None, Some(id));
                let who = Who::With(self.world.names.get(id).name);
                Wanted { who, flats, certain, capability: None, capability_type: None }
            }
            (None, None) => return None,
        };
        Some(Wanted { capability, capability_type, ..wanted })
    }

    fn wanted_type(&self, id: TypeId) -> Wanted<'t> {
        let (flats, certain) = self.world.known_nodes(Some(id), None);
        let who = Who::Type(self.world.names.get(id).name);
        Wanted { who, flats, certain, capability: None, capability_type: None }
    }

    /// A node template; or what takes its place, which may be of a type that derives from its own.
    pub(crate) fn wanted_node(&self, at: usize) -> Option<Wanted<'t>> {
        let template = &self.templates[at];
        if template.is_selected() || template.is_substituted() || template.get("node_filter").is_some() {
            return Some(self.wanted_type(template.type_id?));
        }
        let certain = template.is_whole() && template.flat.capabilities.iter().all(|one| one.whole);
        let flats = Rc::new(vec![Rc::clone(&template.flat)]);
        let who = Who::Node(template.name);
        Some(Wanted { who, flats, certain, capability: None, capability_type: None })
    }

    /// Whether what a filter names exists; a finding for each name that does not, and for values of the wrong type.
    pub(crate) fn filter_fits(&self, filter: Filter<'t>, wanted: &Wanted<'t>) -> bool {
        if self.world.version(filter.file) == Version::V2_0 {
            return self.condition_fits(filter, filter.node, wanted);
        }
        let own = wanted.flats.iter().flat_map(|flat| &flat.properties).collect::<Vec<_>>();
        let mut fits = self.properties_fit(filter, filter.node.get("properties"), &own, wanted, None);
        for (name, properties) in filter.node.get("capabilities").into_iter().flat_map(asked) {
            let found = wanted.capabilities(self.world, name.raw(), filter.file);
            if found.is_empty() {
                let names = wanted.flats.iter().flat_map(|flat| &flat.capabilities).map(|one| one.name);
                self.lacks(filter, name, "capability", wanted, None, names);
                fits &= !wanted.certain;
                continue;
            }
            let known: Vec<_> = found.iter().flat_map(|one| &one.properties).collect();
            fits &= self.properties_fit(filter, properties, &known, wanted, Some(&in_capability(name.raw())));
        }
        fits
    }

    /// The properties of a filter, of the node or of one of its capabilities.
    fn properties_fit(
        &self,
        filter: Filter<'t>,
        section: Option<Node<'t>>,
        known: &[&Property<'t>],
        wanted: &Wanted<'t>,
        capability: Option<&str>,
    ) -> bool {
        let mut fits = true;
        for entry in section.into_iter().flat_map(property_entries) {
            let Some(schema) = schema_of(entry.key, known) else {
                let names = known.iter().map(|one| one.name);
                self.lacks(filter, entry.key, "property", wanted, capability, names);
                fits &= !wanted.certain;
                continue;
            };
            if entry.value.is_scalar() && !entry.value.is_null() {
                // Not in the grammar, but in an example of the standard: the value itself.
                self.value_fits(entry.key, entry.value, &schema, filter.file);
            }
            for clause in clauses(entry.value) {
                self.constraint_fits(entry.key, clause, &schema, filter.file);
            }
        }
        fits
    }

    fn value_fits(&self, key: Node<'t>, value: Node<'t>, schema: &Schema<'t>, file: usize) {
        let plain = Rc::new(Schema { clauses: Vec::new(), ..schema.clone() });
        let what = format!("what the filter asks of `{}`", short(key.raw()));
        self.checked(value, &plain, &Scope::new(file, This::Type), &what);
    }

    /// A condition of TOSCA 2.0: the paths in it that lead from the relationship to its target.
    fn condition_fits(&self, filter: Filter<'t>, node: Node<'t>, wanted: &Wanted<'t>) -> bool {
        let Form::Call(call) = call::form(node, Version::V2_0) else {
            let inner = node.items().chain(node.entries().map(|entry| entry.value));
            return self.conditions_fit(filter, inner, wanted);
        };
        if ["get_property", "get_attribute", "available_allocation"].contains(&call.name) {
            return self.path_fits(filter, &call, wanted).is_some();
        }
        let arguments = call.list();
        let compared = ["equal", "greater_than", "greater_or_equal", "less_than", "less_or_equal"];
        if let ([path, value], true) = (arguments.as_slice(), compared.contains(&call.name))
            && let Form::Call(inner) = call::form(*path, Version::V2_0)
            && inner.name == "get_property"
            && matches!(call::form(*value, Version::V2_0), Form::Plain)
        {
            let Some(schema) = self.path_fits(filter, &inner, wanted) else { return false };
            let name = inner.list().last().copied().unwrap_or(*path);
            self.value_fits(name, *value, &schema, filter.file);
            return true;
        }
        self.conditions_fit(filter, arguments.into_iter(), wanted)
    }

    /// Whether all conditions name what there is. Each is looked at.
    fn conditions_fit(
        &self,
        filter: Filter<'t>,
        all: impl Iterator<Item = Node<'t>>,
        wanted: &Wanted<'t>,
    ) -> bool {
        let mut fits = true;
        for one in all {
            fits &= self.condition_fits(filter, one, wanted);
        }
        fits
    }

    /// The schema of what a path leads to; nothing if it leads to nothing.
    fn path_fits(&self, filter: Filter<'t>, call: &Call<'t>, wanted: &Wanted<'t>) -> Option<Rc<Schema<'t>>> {
        let attribute = call.name == "get_attribute";
        let path = call.list();
        let words: Vec<_> = path.iter().map(|node| node.as_str().unwrap_or_default()).collect();
        let (at, capability) = match words.as_slice() {
            ["SELF", "CAPABILITY", _, ..] => (2, Some(None)),
            ["SELF", "TARGET", "CAPABILITY", name, _, ..] => (4, Some(Some(*name))),
            ["SELF", "TARGET", _, ..] => (2, None),
            _ => return Some(any()),
        };
        let keywords = ["", "RELATIONSHIP", "CAPABILITY", "SOURCE", "TARGET"];
        if keywords.contains(&words[at]) || words[at].starts_with('$') {
            return Some(any());
        }
        let found = match capability {
            None => Vec::new(),
            Some(Some(name)) => wanted.named(name),
            Some(None) => wanted.targeted(self.world, filter.file),
        };
        if capability.is_some() && found.is_empty() {
            if capability == Some(None) {
                return Some(any());
            }
            let names = wanted.flats.iter().flat_map(|flat| &flat.capabilities).map(|one| one.name);
            self.lacks(filter, path[3], "capability", wanted, None, names);
            return (!wanted.certain).then(any);
        }
        let own = wanted.flats.iter().filter(|_| capability.is_none());
        let own = own.flat_map(|flat| flat.properties.iter().chain(reflected(&flat.attributes, attribute)));
        let inner =
            found.iter().flat_map(|one| one.properties.iter().chain(reflected(&one.attributes, attribute)));
        // A capability of a node that is not known may be of any type that derives from the wanted one.
        let types = wanted.capability_type.filter(|_| capability == Some(None));
        let types = types.map(|id| self.world.capability_types(id)).unwrap_or_default();
        let of_types =
            types.iter().flat_map(|one| one.properties.iter().chain(reflected(&one.attributes, attribute)));
        let known: Vec<_> = own.chain(inner).chain(of_types).collect();
        if let Some(schema) = schema_of(path[at], &known) {
            return Some(if path.len() == at + 1 { schema } else { any() });
        }
        let word = if attribute { "attribute" } else { "property" };
        let names = known.iter().map(|one| one.name);
        let of = capability.map(|name| match name {
            Some(name) => in_capability(name),
            None => " in the capability that the requirement leads to".to_owned(),
        });
        self.lacks(filter, path[at], word, wanted, of.as_deref(), names);
        (!wanted.certain).then(any)
    }

    /// Says that nothing that a requirement may lead to has what its filter asks for, if that is certain.
    fn lacks<'n>(
        &self,
        filter: Filter<'t>,
        name: Node<'t>,
        word: &str,
        wanted: &Wanted<'t>,
        capability: Option<&str>,
        names: impl Iterator<Item = &'n str>,
    ) {
        if !wanted.certain {
            return;
        }
        let what = format!("{word} `{}`{}", short(name.raw()), capability.unwrap_or_default());
        let message = match wanted.who {
            Who::Node(node) => format!("the node `{}` has no {what}", short(node)),
            Who::Type(id) if wanted.flats.len() == 1 => {
                format!("the node type `{}` has no {what}", short(id))
            }
            Who::Type(id) => {
                format!("neither the node type `{}` nor one that derives from it has the {what}", short(id))
            }
            Who::With(id) => format!("no node type with a capability of type `{}` has the {what}", short(id)),
        };
        let mut finding = Finding::new(&rules::FILTER_NAME, name.use_place(), message);
        finding.severity = filter.severity;
        finding = did_you_mean(finding, name.raw(), names);
        self.world.add(filter.file, finding.note("so no node satisfies this filter"));
    }
}

impl<'t> Wanted<'t> {
    /// The capabilities that a name means: a name first, and then a type (3.6.5.4).
    fn capabilities(&self, world: &World<'t>, name: &str, file: usize) -> Vec<&Capability<'t>> {
        self.flats.iter().flat_map(|flat| matching(world, &flat.capabilities, name, file)).collect()
    }

    fn named(&self, name: &str) -> Vec<&Capability<'t>> {
        self.flats.iter().flat_map(|flat| &flat.capabilities).filter(|one| one.name == name).collect()
    }

    /// The capabilities that the requirement may lead to.
    fn targeted(&self, world: &World<'t>, file: usize) -> Vec<&Capability<'t>> {
        if let Some(name) = self.capability {
            return self.capabilities(world, name, file);
        }
        let Some(wanted) = self.capability_type else { return Vec::new() };
        let fits = |one: &&Capability<'t>| one.type_id.is_some_and(|id| world.names.is_a(id, wanted));
        self.flats.iter().flat_map(|flat| &flat.capabilities).filter(fits).collect()
    }
}

/// The schema of a property; that of any value if not all that have this name are of one type.
fn schema_of<'t>(name: Node<'t>, known: &[&Property<'t>]) -> Option<Rc<Schema<'t>>> {
    let mut found = known.iter().filter(|one| one.name == name.raw()).map(|one| &one.schema);
    let first = found.next()?;
    Some(if found.all(|other| other.base == first.base) { Rc::clone(first) } else { any() })
}

/// The attributes, if they are asked for.
fn reflected<'p, 't>(attributes: &'p [Property<'t>], wanted: bool) -> &'p [Property<'t>] {
    if wanted { attributes } else { &[] }
}

fn in_capability(name: &str) -> String {
    format!(" in a capability `{}`", short(name))
}
