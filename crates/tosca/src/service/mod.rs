//! A service template: its inputs, nodes and relationships, as far as other parts ask for them.

pub(crate) mod imperative;
pub(crate) mod lifecycle;
pub(crate) mod operations;
pub(crate) mod programs;
pub(crate) mod topology;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use locus_schema::unknown::WRONG;
use locus_schema::{Content, Datum, Nature, Unknown, Why};
use locus_source::tree::Entry;
use locus_source::{Node, Place};
use rustc_hash::FxHashMap;

use crate::read::counts::{self, Number};
use crate::read::grammar::Family;
use crate::types::data::Schema;
use crate::types::flat::{self, Flat, Property, Requirement, Role};
use crate::types::names::TypeId;
use crate::types::value::Typed;
use crate::types::world::World;
use crate::why::UNSET;

/// The subject of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum This {
    /// Nothing in particular.
    Nothing,
    /// A node template.
    Node(usize),
    /// A relationship: the node template that requires it, and which of its requirements.
    Relationship(usize, usize),
    /// A relationship template.
    Template(usize),
    /// Something of a type, which is not a template yet.
    Type,
}

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s, 't> {
    pub(crate) file: usize,
    pub(crate) this: This,
    /// The value that a validation clause is about.
    pub(crate) value: Option<&'s Typed<'t>>,
    /// The inputs of the workflow.
    pub(crate) workflow: &'s [Property<'t>],
}

impl<'s, 't> Scope<'s, 't> {
    pub(crate) fn new(file: usize, this: This) -> Self {
        Self { file, this, value: None, workflow: &[] }
    }

    pub(crate) fn about(self, value: &'s Typed<'t>) -> Self {
        Self { value: Some(value), ..self }
    }
}

/// A node template.
pub(crate) struct Template<'t> {
    pub(crate) name: &'t str,
    pub(crate) key: Node<'t>,
    pub(crate) node: Node<'t>,
    /// The one that it copies.
    pub(crate) original: Option<Node<'t>>,
    pub(crate) type_id: Option<TypeId>,
    pub(crate) flat: Rc<Flat<'t>>,
    pub(crate) requirements: Vec<Assignment<'t>>,
}

/// A requirement of a node template, as it is assigned, or as its type demands it.
pub(crate) struct Assignment<'t> {
    pub(crate) name: &'t str,
    /// Where it is assigned, or where the node template is.
    pub(crate) key: Node<'t>,
    /// The assigned node; nothing if the type demands the requirement and the template does not mention it.
    pub(crate) node: Option<Node<'t>>,
    /// Which of the requirements of the type it is.
    pub(crate) definition: Option<Requirement<'t>>,
    pub(crate) target: Target<'t>,
    pub(crate) relationship: Option<TypeId>,
    pub(crate) relationship_template: Option<usize>,
}

/// The target that fulfils a requirement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Target<'t> {
    /// A node template that is named, or the only one that can; and the capability, if that is known.
    Node(usize, Option<&'t str>),
    /// One of several, or something outside, of this type.
    Open(Option<TypeId>),
    /// It was not understood, which has been reported.
    Wrong,
}

/// A section of a template: its own entries, and below them those of the template that it copies.
#[derive(Clone, Copy, Default)]
pub(crate) struct Section<'t> {
    own: Option<Node<'t>>,
    copied: Option<Node<'t>>,
}

impl<'t> From<Option<Node<'t>>> for Section<'t> {
    fn from(own: Option<Node<'t>>) -> Self {
        Self { own, copied: None }
    }
}

impl<'t> Section<'t> {
    pub(crate) fn entries(self) -> impl Iterator<Item = Entry<'t>> {
        let hidden = move |entry: &Entry<'t>| self.own.is_some_and(|own| own.get(entry.key.raw()).is_some());
        let copied = self.copied.into_iter().flat_map(Node::entries).filter(move |entry| !hidden(entry));
        self.own.into_iter().flat_map(Node::entries).chain(copied)
    }

    pub(crate) fn entry(self, name: &str) -> Option<Entry<'t>> {
        let of = |section: Option<Node<'t>>| section.and_then(|all| all.get_entry(name));
        of(self.own).or_else(|| of(self.copied))
    }

    pub(crate) fn get(self, name: &str) -> Option<Node<'t>> {
        self.entry(name).map(|entry| entry.value)
    }

    /// A section of one of the entries.
    pub(crate) fn within(self, name: &str, section: &str) -> Self {
        let of = |all: Option<Node<'t>>| all?.get(name)?.get(section);
        Self { own: of(self.own), copied: of(self.copied) }
    }
}

/// A relationship template.
pub(crate) struct RelationshipTemplate<'t> {
    pub(crate) name: &'t str,
    pub(crate) key: Node<'t>,
    pub(crate) node: Node<'t>,
    pub(crate) original: Option<Node<'t>>,
    pub(crate) type_id: Option<TypeId>,
    pub(crate) flat: Rc<Flat<'t>>,
}

/// Whose value something is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Part<'t> {
    Own,
    Capability(&'t str),
}

/// A property, or an input, which is of nothing.
pub(crate) type Valued<'t> = (This, Part<'t>, &'t str);

type Remembered<'t> = FxHashMap<Valued<'t>, Option<Typed<'t>>>;

/// A service template.
pub(crate) struct Service<'w, 't> {
    pub(crate) world: &'w World<'t>,
    pub(crate) file: usize,
    pub(crate) root: Option<Node<'t>>,
    pub(crate) inputs: Vec<Property<'t>>,
    pub(crate) given: FxHashMap<&'t str, Node<'t>>,
    /// Whether there is no service template, so that nothing tells which inputs there are.
    pub(crate) reads_no_inputs: bool,
    pub(crate) templates: Vec<Template<'t>>,
    pub(crate) by_name: FxHashMap<&'t str, usize>,
    pub(crate) relationships: Vec<RelationshipTemplate<'t>>,
    memory: RefCell<Remembered<'t>>,
    /// The values that are being evaluated, the outermost first.
    pub(crate) open: RefCell<Vec<Valued<'t>>>,
    /// The parts of values that are evaluated by themselves meanwhile.
    pub(crate) parts_open: RefCell<Vec<Place>>,
    pub(crate) by_capability: OnceCell<FxHashMap<TypeId, Vec<usize>>>,
    pub(crate) unknowns: RefCell<Vec<Unknown>>,
    /// The names of types with those that they derive from.
    pub(crate) lines: RefCell<FxHashMap<TypeId, Arc<[Arc<str>]>>>,
    /// While a filter is tried: the requirement, by node and number, and the node that is taken for its target.
    pub(crate) trial: Cell<Option<(usize, usize, usize)>>,
    /// Nodes of other services that this one may take the place of.
    pub(crate) substituted: &'w [topology::Node],
    /// While a substitution filter is tried: the one of these nodes that SELF is.
    pub(crate) place_of: Cell<Option<usize>>,
}

impl<'w, 't> Service<'w, 't> {
    /// Reads the templates. What they require is resolved later.
    pub(crate) fn new(world: &'w World<'t>, file: usize, given: FxHashMap<&'t str, Node<'t>>) -> Self {
        let tree = world.file(file).tree.root();
        let root = tree.get("service_template").or_else(|| tree.get("topology_template"));
        let section = |name: &str| root.and_then(|root| root.get(name));
        let mut inputs = Vec::new();
        flat::properties(world, file, section("inputs"), &mut inputs, Role::Parameter, true);
        let mut service = Self {
            world,
            file,
            root,
            inputs,
            given,
            reads_no_inputs: root.is_none(),
            templates: Vec::new(),
            by_name: FxHashMap::default(),
            relationships: Vec::new(),
            memory: RefCell::default(),
            open: RefCell::default(),
            parts_open: RefCell::default(),
            by_capability: OnceCell::new(),
            unknowns: RefCell::default(),
            lines: RefCell::default(),
            trial: Cell::new(None),
            substituted: &[],
            place_of: Cell::new(None),
        };
        let nodes = section("node_templates");
        for entry in nodes.into_iter().flat_map(Node::entries) {
            let original = original(nodes, entry.value);
            let type_node = entry.value.get("type").or_else(|| original?.get("type"));
            let type_id =
                type_node.and_then(|node| world.names.find_type(file, Family::Node, node.as_str()?));
            let flat = type_id.and_then(|id| world.flat(id)).unwrap_or_default();
            let (name, at) = (entry.key.raw(), service.templates.len());
            // A name that is there twice is an error of the text, and the first one counts.
            if service.by_name.contains_key(name) {
                continue;
            }
            service.by_name.insert(name, at);
            let requirements = Vec::new();
            service.templates.push(Template {
                name,
                key: entry.key,
                node: entry.value,
                original,
                type_id,
                flat,
                requirements,
            });
        }
        let relationships = section("relationship_templates");
        for entry in relationships.into_iter().flat_map(Node::entries) {
            let original = original(relationships, entry.value);
            let type_node = entry.value.get("type").or_else(|| original?.get("type"));
            let type_id =
                type_node.and_then(|node| world.names.find_type(file, Family::Relationship, node.as_str()?));
            let flat = type_id.and_then(|id| world.flat(id)).unwrap_or_default();
            let (name, key, node) = (entry.key.raw(), entry.key, entry.value);
            service.relationships.push(RelationshipTemplate { name, key, node, original, type_id, flat });
        }
        service
    }

    /// A section of the service template.
    pub(crate) fn section(&self, name: &str) -> Option<Node<'t>> {
        self.root.and_then(|root| root.get(name))
    }

    pub(crate) fn unknown(&self, place: Place, why: &Why) {
        if why.nature() != Nature::Wrong {
            self.unknowns.borrow_mut().push(Unknown { why: why.clone(), place, call: None });
        }
    }

    /// Does something as if a node fulfilled a requirement. Nothing of it is reported or remembered.
    pub(crate) fn as_if<R>(&self, at: usize, index: usize, target: usize, act: impl FnOnce() -> R) -> R {
        let remembered = self.memory.take();
        let known = self.unknowns.borrow().len();
        let before = (self.trial.replace(Some((at, index, target))), self.world.report.mute(true));
        let result = act();
        self.trial.set(before.0);
        self.world.report.mute(before.1);
        self.unknowns.borrow_mut().truncate(known);
        self.memory.replace(remembered);
        result
    }

    /// The value of a property of a node template, of one of its capabilities, or of a relationship; nothing if there
    /// is no such property.
    pub(crate) fn property(&self, this: This, part: Part<'t>, name: &str, place: Place) -> Option<Typed<'t>> {
        let (definitions, assigned) = self.properties(this, part)?;
        let definition = definitions.iter().find(|one| one.name == name)?;
        let key = (this, part, definition.name);
        let value = || self.property_value(this, definition, assigned.get(name));
        Some(self.remembered(key, &definition.schema, place, value))
    }

    /// A value that is evaluated once. If that is going on, it depends on itself.
    pub(crate) fn remembered(
        &self,
        key: Valued<'t>,
        schema: &Rc<Schema<'t>>,
        place: Place,
        value: impl FnOnce() -> Typed<'t>,
    ) -> Typed<'t> {
        if let Some(known) = self.memory.borrow().get(&key) {
            let Some(value) = known else {
                self.circle(key, place);
                return Typed::new(Datum::unknown(Why::plain(&WRONG), place), schema);
            };
            return used_at(value, place);
        }
        self.memory.borrow_mut().insert(key, None);
        self.open.borrow_mut().push(key);
        let value = value();
        self.open.borrow_mut().pop();
        self.memory.borrow_mut().insert(key, Some(value.clone()));
        used_at(&value, place)
    }

    /// Whether a value is being evaluated.
    pub(crate) fn is_open(&self, key: &Valued<'t>) -> bool {
        matches!(self.memory.borrow().get(key), Some(None))
    }

    fn property_value(&self, this: This, definition: &Property<'t>, assigned: Option<Node<'t>>) -> Typed<'t> {
        let (node, file) = match (
            definition.fixed,
            assigned,
            definition
                .default
                .filter(|_| definition.required || self.world.version(definition.file).is_simple()),
        ) {
            (Some(fixed), ..) => (fixed, definition.file),
            (None, Some(node), _) => (node, self.file),
            (None, None, Some(default)) => (default, definition.file),
            (None, None, None) => {
                let why = Why::of(&UNSET, format!("`{}`", definition.name));
                return Typed::new(Datum::unknown(why, definition.place), &definition.schema);
            }
        };
        let value = self.evaluate(node, &Scope::new(file, this));
        Typed::new(value.datum, &definition.schema)
    }

    /// The definitions of properties, and what is assigned to them.
    pub(crate) fn properties(&self, this: This, part: Part<'t>) -> Option<(Vec<Property<'t>>, Section<'t>)> {
        match (this, part) {
            (This::Node(at), Part::Own) => {
                let template = &self.templates[at];
                Some((template.flat.properties.clone(), template.section("properties")))
            }
            (This::Node(at), Part::Capability(name)) => {
                let template = &self.templates[at];
                let capability = template.flat.capabilities.iter().find(|one| one.name == name)?;
                let assigned = template.section("capabilities").within(name, "properties");
                Some((capability.properties.clone(), assigned))
            }
            (This::Relationship(at, index), _) => {
                let assignment = &self.templates[at].requirements.get(index)?;
                let flat = self.world.flat(assignment.relationship?)?;
                let inline = assignment.node.and_then(|node| node.get("relationship")?.get("properties"));
                let template = assignment.relationship_template.map(|at| &self.relationships[at]);
                let named = || template.map(|one| one.section("properties")).unwrap_or_default();
                Some((flat.properties.clone(), inline.map_or_else(named, |one| Some(one).into())))
            }
            (This::Template(at), _) => {
                let template = &self.relationships[at];
                Some((template.flat.properties.clone(), template.section("properties")))
            }
            _ => None,
        }
    }

    /// How many nodes a template stands for; nothing if that is not known.
    pub(crate) fn count(&self, at: usize) -> Option<i64> {
        let template = &self.templates[at];
        let node = match counts::nodes(|key| template.get(key)) {
            Number::Fixed(number) => return Some(number),
            Number::Given(_, node) => node,
        };
        match self.evaluate(node, &Scope::new(self.file, This::Node(at))).datum.value {
            Content::Int(count) => Some(count),
            _ => None,
        }
    }
}

fn used_at<'t>(value: &Typed<'t>, place: Place) -> Typed<'t> {
    Typed::new(value.datum.used_at(place), &value.schema)
}

/// The template that another one copies.
fn original<'t>(all: Option<Node<'t>>, node: Node<'t>) -> Option<Node<'t>> {
    all?.get(node.get("copy")?.as_str()?)
}

impl<'t> Template<'t> {
    /// A keyname, its own or that of the template that it copies.
    pub(crate) fn get(&self, key: &str) -> Option<Node<'t>> {
        self.node.get(key).or_else(|| self.original?.get(key))
    }

    /// A section whose entries are joined with those of the template that it copies.
    pub(crate) fn section(&self, key: &str) -> Section<'t> {
        Section { own: self.node.get(key), copied: self.original.and_then(|one| one.get(key)) }
    }

    /// Whether it stands for something that exists already.
    pub(crate) fn is_selected(&self) -> bool {
        counts::is_selected(self.get("directives"))
    }

    /// Whether another service takes its place.
    pub(crate) fn is_substituted(&self) -> bool {
        counts::is_substituted(self.get("directives"))
    }

    /// Whether all of its type is known.
    pub(crate) fn is_whole(&self) -> bool {
        self.type_id.is_some() && self.flat.whole
    }
}

impl<'t> RelationshipTemplate<'t> {
    pub(crate) fn get(&self, key: &str) -> Option<Node<'t>> {
        self.node.get(key).or_else(|| self.original?.get(key))
    }

    pub(crate) fn section(&self, key: &str) -> Section<'t> {
        Section { own: self.node.get(key), copied: self.original.and_then(|one| one.get(key)) }
    }
}

/// A schema for values of which nothing is known.
pub(crate) fn any<'t>() -> Rc<Schema<'t>> {
    Rc::new(Schema::any())
}
