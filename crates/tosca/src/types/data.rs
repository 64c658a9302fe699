//! Data types and schemas: what the value of a property may be.

use std::rc::Rc;

use locus_source::{Finding, Node};

use crate::read::grammar::Family;
use crate::report::short;
use crate::rules;
use crate::types::base::Base;
use crate::types::flat::{self, Property};
use crate::types::names::{Meaning, TypeId};
use crate::types::units;
use crate::types::world::World;

/// Schemas that contain each other by data types are not looked at deeper than this.
const DEEPEST: usize = 100;

/// Something that must hold of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clause<'t> {
    /// The expression of TOSCA 2.0, or one constraint of the Simple Profile.
    pub(crate) node: Node<'t>,
    /// The file that it is in.
    pub(crate) file: usize,
    /// Whether it is a constraint of the Simple Profile.
    pub(crate) constraint: bool,
}

/// The schema of a value.
#[derive(Clone, Debug)]
pub(crate) struct Schema<'t> {
    pub(crate) base: Base,
    /// The data type, unless it is built in or not known.
    pub(crate) type_id: Option<TypeId>,
    /// Of the entries of a list or map, or of the number of a scalar.
    pub(crate) entry: Option<Rc<Schema<'t>>>,
    pub(crate) key: Option<Rc<Schema<'t>>>,
    pub(crate) clauses: Vec<Clause<'t>>,
}

impl Schema<'_> {
    /// Of a value of which nothing is known.
    pub(crate) fn any() -> Self {
        Self { base: Base::Any, type_id: None, entry: None, key: None, clauses: Vec::new() }
    }
}

/// The schema of the values of a data type, but for its properties. Schemas contain each other; properties are looked
/// at where values are, so that types that refer to each other take no stack.
#[derive(Debug)]
pub(crate) struct DataSchema<'t> {
    schema: Schema<'t>,
    /// Whether all that it derives from is known.
    whole: bool,
}

/// A data type with what it inherits.
#[derive(Debug)]
pub(crate) struct DataType<'t> {
    pub(crate) schema: Schema<'t>,
    pub(crate) properties: Vec<Property<'t>>,
    /// Whether all that it derives from is known.
    pub(crate) whole: bool,
}

impl<'t> World<'t> {
    /// The schema of a definition: a map with `type`, or the name of a type.
    pub(crate) fn schema(&self, file: usize, node: Node<'t>) -> Schema<'t> {
        let name = node.as_str().map(|_| node).or_else(|| node.get("type"));
        let mut schema = name.map_or_else(Schema::any, |name| self.schema_named(file, name));
        if node.is_mapping() {
            self.refine(file, node, &mut schema);
        }
        schema
    }

    /// Adds what a definition says of entries, keys and valid values to what is known.
    pub(crate) fn refine(&self, file: usize, node: Node<'t>, schema: &mut Schema<'t>) {
        if let Some(inner) = node.get("entry_schema") {
            self.only_for(file, inner, schema, "entry_schema", &[Base::List, Base::Map]);
            schema.entry = Some(Rc::new(self.inner(file, inner, schema.entry.as_deref())));
        }
        if let Some(inner) = node.get("key_schema") {
            self.only_for(file, inner, schema, "key_schema", &[Base::Map]);
            let key = self.inner(file, inner, schema.key.as_deref());
            let of_text = matches!(key.base, Base::String | Base::Any);
            // The Simple Profile does not say that keys are strings; those of other types are not checked.
            if !of_text && !self.version(file).is_simple() {
                let message = "the keys of a map are strings, so `key_schema` must be of a type that derives from string";
                self.say(file, &rules::SCHEMA, inner.use_place(), message);
            }
            schema.key = of_text.then(|| Rc::new(key));
        }
        schema.clauses.extend(clauses(file, node));
    }

    /// A schema within another one, which may refine an inherited one.
    fn inner(&self, file: usize, node: Node<'t>, inherited: Option<&Schema<'t>>) -> Schema<'t> {
        let has_type = node.as_str().is_some() || node.get("type").is_some();
        match inherited {
            Some(inherited) if !has_type => {
                let mut schema = inherited.clone();
                self.refine(file, node, &mut schema);
                schema
            }
            _ => {
                let mut schema = self.schema(file, node);
                if let Some(inherited) = inherited {
                    if !self.refines(&schema, inherited) {
                        let message =
                            "the type of this schema does not derive from the one of the parent type";
                        self.not_a_refinement(
                            file,
                            Finding::new(&rules::REFINEMENT, node.use_place(), message),
                        );
                    }
                    schema.clauses.extend(inherited.clauses.iter().copied());
                }
                schema
            }
        }
    }

    fn only_for(&self, file: usize, node: Node<'t>, schema: &Schema<'t>, keyname: &str, bases: &[Base]) {
        if schema.base != Base::Any && !bases.contains(&schema.base) {
            let kinds = if bases.len() == 1 { "maps" } else { "lists and maps" };
            let message = format!("`{keyname}` is for {kinds}, and this is {}", schema.base.word());
            self.say(file, &rules::SCHEMA, node.use_place(), message);
        }
    }

    /// The schema of the type that a node names. That there is none is reported by the walk over the file.
    pub(crate) fn schema_named(&self, file: usize, node: Node<'t>) -> Schema<'t> {
        let Some(name) = node.as_str() else { return Schema::any() };
        match self.names.find(file, Family::Data, name) {
            Meaning::Type(id) => {
                let depth = self.schemas_open.get();
                if depth >= DEEPEST {
                    let message = format!(
                        "schemas are nested in more than {DEEPEST} data types; `{}` is not looked at",
                        short(name)
                    );
                    self.say(file, &rules::LIMIT, node.use_place(), message);
                    return Schema::any();
                }
                self.schemas_open.set(depth + 1);
                let found = self.data_schema(id);
                self.schemas_open.set(depth);
                // If it is being worked out, it contains itself.
                let itself = || Schema { base: Base::Complex(id), type_id: Some(id), ..Schema::any() };
                found.map_or_else(itself, |found| found.schema.clone())
            }
            Meaning::Builtin(base) => {
                if base == Base::Scalar(None) {
                    let message = format!("`{name}` is abstract; derive a type with units from it");
                    self.say(file, &rules::ABSTRACT_SCALAR, node.use_place(), message);
                }
                Schema { base, ..Schema::any() }
            }
            Meaning::Unknown | Meaning::Unread => Schema::any(),
        }
    }

    /// A data type.
    pub(crate) fn data_type(&self, id: TypeId) -> Rc<DataType<'t>> {
        self.along_line(&self.data_types, id, |one| self.make_data_type(one));
        self.data_types
            .borrow()
            .get(&id)
            .cloned()
            .flatten()
            .expect("nothing is worked out within another one")
    }

    /// The schema of a data type; nothing while it is being worked out.
    fn data_schema(&self, id: TypeId) -> Option<Rc<DataSchema<'t>>> {
        self.along_line(&self.data_schemas, id, |one| self.make_data_schema(one));
        self.data_schemas.borrow().get(&id).cloned().flatten()
    }

    fn make_data_type(&self, id: TypeId) -> DataType<'t> {
        let one = self.names.get(id);
        let Some(found) = self.data_schema(id) else {
            return DataType { schema: Schema::any(), properties: Vec::new(), whole: false };
        };
        let (schema, mut whole) = (found.schema.clone(), found.whole);
        let parent = self.names.parent(id).map(|parent| self.data_type(parent));
        let inherited = parent.as_ref().map_or(0, |parent| parent.properties.len());
        let mut properties = Vec::new();
        if self.may_inherit(inherited, &one) {
            properties.extend(parent.iter().flat_map(|parent| parent.properties.iter().cloned()));
        } else {
            whole = false;
        }
        // Properties of what is built in are an error of their own.
        if matches!(schema.base, Base::Complex(_) | Base::Any) {
            let section = one.node.get("properties");
            flat::properties(self, one.file, section, &mut properties, flat::Role::Property, whole);
        }
        DataType { schema, properties, whole }
    }

    fn make_data_schema(&self, id: TypeId) -> DataSchema<'t> {
        let one = self.names.get(id);
        let (file, node) = (one.file, one.node);
        let DataSchema { mut schema, mut whole } = self.parent_of_data(id);
        schema.type_id = Some(id);
        let is_scalar = matches!(schema.base, Base::Scalar(_));
        let unit_keys = ["units", "canonical_unit", "prefixes", "data_type"]
            .into_iter()
            .find(|key| node.get(key).is_some());
        if is_scalar {
            schema.base = units::define(self, file, one.key, node, &schema.base);
            if let Some(number) = node.get("data_type") {
                schema.entry = Some(Rc::new(self.schema_named(file, number)));
            }
        } else if let Some(key) = unit_keys
            && schema.base != Base::Any
        {
            let message =
                format!("`{key}` is for types that derive from scalar, and `{}` does not", short(one.name));
            self.say(file, &rules::SCALAR, one.place(), message);
        }
        if let Some(section) = node.get("properties")
            && !matches!(schema.base, Base::Complex(_) | Base::Any)
        {
            let message = format!(
                "`{}` derives from a built-in type, so it cannot have properties: it is {}",
                short(one.name),
                schema.base.word()
            );
            self.say(file, &rules::BUILTIN_PROPERTIES, section.use_place(), message);
            return DataSchema { schema, whole };
        }
        let is_simple = self.version(file).is_simple();
        if node.get("derived_from").is_none()
            && !is_simple
            && node.get("properties").is_none_or(Node::is_empty)
        {
            let message = format!("the data type `{}` needs `derived_from` or properties", short(one.name));
            self.say(file, &rules::MISSING_KEY, one.place(), message);
            whole = false;
        }
        if matches!(schema.base, Base::Complex(_)) {
            schema.base = Base::Complex(id);
        }
        self.refine(file, node, &mut schema);
        let collection = matches!(schema.base, Base::List | Base::Map);
        if collection && schema.entry.is_none() && node.get("derived_from").is_some() {
            self.no_entry_schema(file, one.key);
        }
        DataSchema { schema, whole }
    }

    pub(crate) fn no_entry_schema(&self, file: usize, key: Node<'t>) {
        if self.version(file).is_simple() {
            return;
        }
        let message = format!("`{}` does not say what its entries are", short(key.raw()));
        let finding = Finding::new(&rules::NO_ENTRY_SCHEMA, key.use_place(), message);
        self.add(file, finding.help("add `entry_schema`"));
    }

    /// The schema that a data type starts from.
    fn parent_of_data(&self, id: TypeId) -> DataSchema<'t> {
        let one = self.names.get(id);
        let own = Schema { base: Base::Complex(id), type_id: Some(id), ..Schema::any() };
        let unknown = || DataSchema { schema: Schema::any(), whole: false };
        let Some(parent) = one.node.get("derived_from") else {
            return DataSchema { schema: own, whole: true };
        };
        let Some(name) = parent.as_str() else { return unknown() };
        match self.names.find(one.file, Family::Data, name) {
            Meaning::Builtin(base) => DataSchema { schema: Schema { base, ..Schema::any() }, whole: true },
            Meaning::Type(_) if self.names.closes_circle(id) => {
                let message = format!("the type `{}` derives from itself", short(one.name));
                self.say(one.file, &rules::CIRCULAR_TYPE, parent.use_place(), message);
                DataSchema { schema: own, whole: false }
            }
            Meaning::Type(_) if self.too_deep(id) => unknown(),
            // If that is being worked out, an entry of it is of this type.
            Meaning::Type(parent) => self.data_schema(parent).map_or_else(unknown, |found| DataSchema {
                schema: found.schema.clone(),
                whole: found.whole,
            }),
            Meaning::Unknown | Meaning::Unread => unknown(),
        }
    }

    /// Whether values of one schema are values of another, as far as can be told by their types.
    pub(crate) fn fits(&self, one: &Schema<'t>, other: &Schema<'t>) -> bool {
        match (&one.base, &other.base) {
            (Base::Any, _)
            | (_, Base::Any)
            | (Base::Integer, Base::Float)
            | (Base::Complex(_), Base::Map)
            | (Base::Map, Base::Complex(_)) => true,
            (Base::Complex(a), Base::Complex(b)) => {
                self.names.is_a(*a, *b) || !self.names.is_whole(*a) || !self.names.is_whole(*b)
            }
            (Base::Scalar(a), Base::Scalar(b)) => match (a, b) {
                (Some(a), Some(b)) => a.agrees(b),
                _ => true,
            },
            (a, b) if a == b => {
                let inner = |a: &Option<Rc<Schema<'t>>>, b: &Option<Rc<Schema<'t>>>| match (a, b) {
                    (Some(a), Some(b)) => self.fits(a, b),
                    _ => true,
                };
                inner(&one.entry, &other.entry)
            }
            _ => false,
        }
    }
}

/// The clauses of a definition about valid values.
pub(crate) fn clauses(file: usize, node: Node<'_>) -> impl Iterator<Item = Clause<'_>> {
    let validation =
        node.get("validation").into_iter().map(move |node| Clause { node, file, constraint: false });
    let constraints = node.get("constraints");
    let listed = constraints.into_iter().flat_map(Node::items);
    // A single constraint without a list is an error of its own, and holds all the same.
    let single = constraints.filter(|one| one.is_mapping());
    validation.chain(listed.chain(single).map(move |node| Clause { node, file, constraint: true }))
}
