//! A template as an instance of the rules about templates: section 7.1.4 of the report.
//!
//! Resources become atoms of the signatures of their types, properties become tuples. What is not known stays so: a
//! parameter without a value is one unknown value wherever it is used, an attribute is another one at each place.

use std::sync::Arc;

use locus_rules::{AtomId, Field, Instance, Rules, Sig, Value as Fact};
use locus_schema::constraint::{canonical, text_to_number};
use locus_schema::modules::{Holds, field_name, item, part_name};
use locus_schema::{Constraint, Content, Datum, Nature, Property, Type, Unknown};
use locus_source::{Place, Span};
use rustc_hash::FxHashMap;

use crate::catalogue::ResourceType;
use crate::template::{How, Kind, Resource, Template};

/// The instance that a template is, for rules that were loaded with the library.
pub(crate) fn instance<'r>(rules: &'r Rules, template: &Template) -> Instance<'r> {
    let Some(core) = Core::of(rules) else { return rules.instance() };
    let mut instance = rules.instance();
    let everywhere = template.file.place(Span::point(0));
    let [no, yes, _] = core.truths;
    let truths = [(no, "false"), (yes, "true")].map(|(sig, label)| instance.atom(sig, label, everywhere));
    let mut filling = Filling {
        instance,
        rules,
        core,
        shapes: FxHashMap::default(),
        resources: FxHashMap::default(),
        external: FxHashMap::default(),
        unknown: FxHashMap::default(),
        truths,
    };
    let created = || template.resources.iter().filter(|resource| resource.created != Some(false));
    for resource in created() {
        filling.resource(resource);
    }
    for resource in created() {
        filling.relations(resource);
        filling.properties(resource);
        filling.members(resource, filling.resources[&resource.name.text], resource);
    }
    filling.instance
}

/// The signatures and fields of `hot/core`.
#[derive(Clone, Copy)]
struct Core {
    location: Sig,
    other: Sig,
    external: Sig,
    data: Sig,
    entry: Sig,
    /// False, true, and either.
    truths: [Sig; 3],
    id: Field,
    depends_on: Field,
    references: Field,
    nulls: Field,
    external_id: Field,
    kind: Field,
    name: Field,
    of: Field,
    members: Field,
    entries: Field,
    key: Field,
    value: Field,
}

impl Core {
    fn of(rules: &Rules) -> Option<Self> {
        let sig = |name| rules.sig("hot/core", name);
        let resource = sig("Resource")?;
        let external = sig("External")?;
        let (data, entry) = (sig("Data")?, sig("Entry")?);
        Some(Self {
            location: sig("Location")?,
            other: sig("Other")?,
            external,
            data,
            entry,
            truths: [sig("false")?, sig("true")?, sig("Boolean")?],
            id: rules.field(resource, "id")?,
            depends_on: rules.field(resource, "depends_on")?,
            references: rules.field(resource, "references")?,
            nulls: rules.field(resource, "nulls")?,
            external_id: rules.field(resource, "external_id")?,
            kind: rules.field(external, "kind")?,
            name: rules.field(external, "name")?,
            of: rules.field(sig("Part")?, "of")?,
            members: rules.field(resource, "members")?,
            entries: rules.field(data, "entries")?,
            key: rules.field(entry, "key")?,
            value: rules.field(entry, "value")?,
        })
    }
}

/// The signature for the maps of a type or of a property, and what its fields hold.
struct Shape {
    sig: Sig,
    fields: Vec<Slot>,
}

struct Slot {
    property: &'static Property,
    field: Field,
    part: Option<Arc<Shape>>,
    default: Option<Content>,
}

struct Filling<'r> {
    instance: Instance<'r>,
    rules: &'r Rules,
    core: Core,
    /// By the name of the type.
    shapes: FxHashMap<&'static str, Option<Arc<Shape>>>,
    resources: FxHashMap<Arc<str>, AtomId>,
    /// By kind and name.
    external: FxHashMap<(Arc<str>, Arc<str>), AtomId>,
    /// Values that nobody knows, by where they come from and as what they are used.
    unknown: FxHashMap<(*const Unknown, Held), Fact>,
    /// False and true.
    truths: [AtomId; 2],
}

/// As what an unknown value is used.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Held {
    Location(Arc<str>),
    Text,
    Number,
    Truth,
    Data,
}

/// The map in which a value stands.
#[derive(Clone, Copy)]
struct Within<'a> {
    resource: &'a Resource,
    atom: AtomId,
    owner: AtomId,
    slot: &'a Slot,
}

impl Filling<'_> {
    fn resource(&mut self, resource: &Resource) {
        let shape = match &resource.kind {
            Kind::Known(kind) => self.shape(kind),
            _ => None,
        };
        let sig = shape.map_or(self.core.other, |shape| shape.sig);
        let atom = self.instance.atom(sig, Arc::clone(&resource.name.text), resource.name.place);
        self.resources.insert(Arc::clone(&resource.name.text), atom);
        if resource.created.is_none() {
            self.instance.optional(&Fact::Atom(atom));
        }
    }

    fn shape(&mut self, kind: &'static ResourceType) -> Option<Arc<Shape>> {
        if let Some(known) = self.shapes.get(&*kind.name) {
            return known.clone();
        }
        let name = kind.sig_name();
        let module = format!("hot/types/{name}");
        let shape = shape(self.rules, &module, &name, &kind.properties, true);
        self.shapes.insert(&kind.name, shape.clone());
        shape
    }

    fn relations(&mut self, resource: &Resource) {
        let core = self.core;
        let atom = self.resources[&resource.name.text];
        let name = Fact::text(&resource.name.text);
        self.instance.tuple(atom, core.id, name, resource.name.place, None);
        for reference in &resource.references {
            let Some(&target) = self.resources.get(&reference.target) else { continue };
            self.instance.tuple(atom, core.references, Fact::Atom(target), reference.place, None);
            if reference.how == How::DependsOn {
                self.instance.tuple(atom, core.depends_on, Fact::Atom(target), reference.place, None);
            }
        }
        for field in resource.properties.iter().filter(|field| matches!(field.value.value, Content::Null)) {
            let name = Fact::Text(Arc::clone(&field.key));
            self.instance.tuple(atom, core.nulls, name, field.value.place, None);
        }
        if let Some(datum) = &resource.external_id {
            let id = match datum.value.to_text() {
                Some(text) => Fact::text(&text),
                None => self.instance.unknown_text(),
            };
            self.instance.tuple(atom, core.external_id, id, datum.place, datum.origin);
        }
    }

    fn properties(&mut self, resource: &Resource) {
        let Kind::Known(kind) = &resource.kind else { return };
        let Some(shape) = self.shape(kind) else { return };
        if resource.external_id.is_some() {
            return;
        }
        let atom = self.resources[&resource.name.text];
        self.fill(resource, atom, atom, &shape, &|name| resource.property(name), resource.properties_known);
    }

    /// What a group makes, as far as all of it is alike: an atom for each definition. `whole` is the resource of the
    /// template, if the group is itself a member. It refers to what they refer to.
    fn members(&mut self, group: &Resource, of: AtomId, whole: &Resource) {
        let core = self.core;
        for member in &group.members {
            let shape = match &member.kind {
                Kind::Known(kind) => self.shape(kind),
                _ => None,
            };
            let sig = shape.as_ref().map_or(core.other, |shape| shape.sig);
            let (label, place) = (&member.name.text, member.name.place);
            let atom = self.instance.atom(sig, Arc::clone(label), place);
            if whole.created.is_none() || member.created.is_none() {
                self.instance.optional(&Fact::Atom(atom));
            }
            self.instance.tuple(of, core.members, Fact::Atom(atom), place, None);
            self.instance.tuple(of, core.references, Fact::Atom(atom), place, None);
            self.instance.tuple(atom, core.id, Fact::text(label), place, None);
            for reference in &whole.references {
                if let Some(&target) = self.resources.get(&reference.target) {
                    self.instance.tuple(atom, core.references, Fact::Atom(target), reference.place, None);
                }
            }
            if let Some(shape) = shape {
                self.fill(member, atom, atom, &shape, &|name| member.property(name), member.properties_known);
            }
            self.members(member, atom, whole);
        }
    }

    /// Fills the fields of a resource, or of a map in it.
    fn fill<'d>(
        &mut self,
        resource: &Resource,
        atom: AtomId,
        owner: AtomId,
        shape: &Shape,
        given: &dyn Fn(&str) -> Option<&'d Datum>,
        known: bool,
    ) {
        for slot in &shape.fields {
            let within = Within { resource, atom, owner, slot };
            match given(&slot.property.name) {
                Some(datum) => self.value(within, datum),
                None if !known => self.unknown(within, None, resource.name.place, true),
                None => {
                    // An old name may stand for this one; it has a field of its own.
                    let old = slot.property.old_name.as_deref().and_then(given);
                    if let (Some(value), None) = (&slot.default, old) {
                        self.value(within, &Datum::new(value.clone(), resource.name.place));
                    }
                }
            }
        }
    }

    fn value(&mut self, within: Within<'_>, datum: &Datum) {
        let many = within.slot.property.kind == Type::List;
        match &datum.value {
            Content::Null | Content::Absent => {}
            Content::Unknown(unknown) => {
                self.unknown(within, Some(unknown), datum.place, many || may_lack(unknown));
            }
            Content::List(items) if many => {
                for (at, item) in items.iter().enumerate() {
                    self.one(within, item, Some(at));
                }
            }
            _ => self.one(within, datum, None),
        }
    }

    /// A single value, or an item of a list.
    fn one(&mut self, within: Within<'_>, datum: &Datum, at: Option<usize>) {
        let fact = match (&datum.value, Holds::of(within.slot.property)) {
            (Content::Null | Content::Absent, _) => None,
            (Content::Unknown(unknown), _) => {
                return self.unknown(within, Some(unknown), datum.place, may_lack(unknown));
            }
            (value, Holds::Location) => self.location(within.slot, value, datum.place),
            (Content::Location(_), Holds::Text) => Some(self.instance.unknown_text()),
            (value, Holds::Text) => value.to_text().map(|text| text_of(within.slot.property, &text)),
            (value, Holds::Number) => Some(self.number(value)),
            (value, Holds::Truth) => truth(value).map(|truth| Fact::Atom(self.truth(truth))),
            (Content::Map(_), Holds::Part) => return self.part(within, datum, at),
            (_, Holds::Part) => None,
            (value, Holds::Anything) => self.anything(within, value, datum.place),
        };
        if let Some(fact) = fact {
            self.instance.tuple(within.atom, within.slot.field, fact, datum.place, datum.origin);
        }
    }

    fn location(&mut self, slot: &Slot, value: &Content, place: Place) -> Option<Fact> {
        let property = item(slot.property);
        let kind = property.names_kind().or(slot.property.names_kind()).unwrap_or_default();
        match value {
            Content::Location(name) => Some(match self.resources.get(name) {
                Some(atom) => Fact::Atom(*atom),
                None => self.unknown_location(kind, false, place),
            }),
            value => {
                let name = value.to_text()?;
                if let Some(atom) = self.external.get(&(Arc::from(kind), Arc::clone(&name))) {
                    return Some(Fact::Atom(*atom));
                }
                let atom = self.existing(kind, Arc::clone(&name), place);
                self.instance.tuple(atom, self.core.name, Fact::text(&name), place, None);
                self.external.insert((kind.into(), name), atom);
                Some(Fact::Atom(atom))
            }
        }
    }

    fn existing(&mut self, kind: &str, label: Arc<str>, place: Place) -> AtomId {
        let atom = self.instance.atom(self.core.external, label, place);
        self.instance.tuple(atom, self.core.kind, Fact::Text(kind.into()), place, None);
        atom
    }

    /// A location that nobody knows. One that a parameter will name exists already, others may be resources of the
    /// template.
    fn unknown_location(&mut self, kind: &str, exists: bool, place: Place) -> Fact {
        let atom = if exists {
            self.existing(kind, "not known".into(), place)
        } else {
            self.instance.atom(self.core.location, "not known", place)
        };
        self.instance.unknown_atom(atom)
    }

    fn number(&mut self, value: &Content) -> Fact {
        let number = match value {
            Content::Int(value) => Some(*value),
            Content::Bool(value) => Some(i64::from(*value)),
            Content::Str(text) => text_to_number(text).and_then(whole),
            Content::Float(value) => whole(*value),
            _ => None,
        };
        // Alloy has whole numbers only; of others nothing is said.
        number.map_or_else(|| self.instance.unknown_int(), Fact::Int)
    }

    fn truth(&self, truth: bool) -> AtomId {
        self.truths[usize::from(truth)]
    }

    fn anything(&mut self, within: Within<'_>, value: &Content, place: Place) -> Option<Fact> {
        match value {
            Content::Location(name) => self.resources.get(name).map(|atom| Fact::Atom(*atom)),
            Content::Bool(value) => Some(Fact::Atom(self.truth(*value))),
            Content::Int(value) => Some(Fact::Int(*value)),
            Content::Map(fields) if fields.is_empty() => None,
            Content::List(items) if items.is_empty() => None,
            Content::Map(_) | Content::List(_) => {
                let label = format!("{} of {}", within.slot.property.name, within.resource.name.text);
                Some(Fact::Atom(self.data(&label.into(), value, place)))
            }
            value => value.to_text().map(|text| Fact::text(&text)),
        }
    }

    /// A map with free keys, or a list in a list.
    fn data(&mut self, label: &Arc<str>, value: &Content, place: Place) -> AtomId {
        let data = self.instance.atom(self.core.data, Arc::clone(label), place);
        let Content::Map(fields) = value else { return data };
        for field in fields.iter() {
            let entry = self.instance.atom(self.core.entry, Arc::clone(label), field.place);
            self.instance.tuple(data, self.core.entries, Fact::Atom(entry), field.place, None);
            self.instance.tuple(entry, self.core.key, Fact::text(&field.key), field.place, None);
            let datum = &field.value;
            let items = if let Content::List(items) = &datum.value {
                &items[..]
            } else {
                std::slice::from_ref(datum)
            };
            for item in items {
                self.entry_value(label, entry, item);
            }
        }
        data
    }

    fn entry_value(&mut self, label: &Arc<str>, entry: AtomId, datum: &Datum) {
        let fact = match &datum.value {
            Content::Null | Content::Absent => return,
            Content::Unknown(_) => {
                let text = self.instance.unknown_text();
                self.instance.optional(&text);
                text
            }
            Content::Location(name) => match self.resources.get(name) {
                Some(atom) => Fact::Atom(*atom),
                None => return,
            },
            Content::Bool(value) => Fact::Atom(self.truth(*value)),
            Content::Int(value) => Fact::Int(*value),
            value @ (Content::Map(_) | Content::List(_)) => Fact::Atom(self.data(label, value, datum.place)),
            value => match value.to_text() {
                Some(text) => Fact::text(&text),
                None => return,
            },
        };
        self.instance.tuple(entry, self.core.value, fact, datum.place, datum.origin);
    }

    fn part(&mut self, within: Within<'_>, datum: &Datum, at: Option<usize>) {
        let Some(shape) = within.slot.part.clone() else { return };
        let name = &within.slot.property.name;
        let label = match at {
            Some(at) => format!("{}.{name}[{at}]", within.resource.name.text),
            None => format!("{}.{name}", within.resource.name.text),
        };
        let part = self.instance.atom(shape.sig, label, datum.place);
        self.instance.tuple(part, self.core.of, Fact::Atom(within.owner), datum.place, None);
        self.instance.tuple(within.atom, within.slot.field, Fact::Atom(part), datum.place, datum.origin);
        self.fill(within.resource, part, within.owner, &shape, &|name| datum.get(name), true);
    }

    /// A value that nobody knows, and which may not be there at all if it is optional.
    fn unknown(&mut self, within: Within<'_>, unknown: Option<&Arc<Unknown>>, place: Place, optional: bool) {
        let slot = within.slot;
        let holds = Holds::of(slot.property);
        let held = match holds {
            Holds::Location => {
                let kind = item(slot.property).names_kind().or(slot.property.names_kind());
                Held::Location(kind.unwrap_or_default().into())
            }
            Holds::Text => Held::Text,
            Holds::Number => Held::Number,
            Holds::Truth => Held::Truth,
            Holds::Anything => Held::Data,
            Holds::Part => return self.unknown_part(within, place),
        };
        // The same parameter has the same value everywhere, but a list has items of its own.
        let key = unknown
            .filter(|unknown| !optional && unknown.why.nature() == Nature::Input)
            .map(|unknown| (Arc::as_ptr(unknown), held.clone()));
        let known = key.as_ref().and_then(|key| self.unknown.get(key)).cloned();
        let fact = known.unwrap_or_else(|| match &held {
            Held::Location(kind) => {
                let exists = unknown.is_some_and(|unknown| unknown.why.nature() == Nature::Input);
                self.unknown_location(&kind.clone(), exists, place)
            }
            Held::Text => self.instance.unknown_text(),
            Held::Number => self.instance.unknown_int(),
            Held::Truth => {
                let atom = self.instance.atom(self.core.truths[2], "not known", place);
                self.instance.unknown_atom(atom)
            }
            Held::Data => self.unknown_data(place),
        });
        if optional {
            self.instance.optional(&fact);
        }
        if let Some(key) = key {
            self.unknown.insert(key, fact.clone());
        }
        self.instance.tuple(within.atom, slot.field, fact, place, None);
    }

    /// A map of which nothing is known: it may have any entries.
    fn unknown_data(&mut self, place: Place) -> Fact {
        let core = self.core;
        let data = self.instance.atom(core.data, "not known", place);
        let entry = self.instance.atom(core.entry, "not known", place);
        let (key, value) = (self.instance.unknown_text(), self.instance.unknown_text());
        self.instance.tuple(data, core.entries, Fact::Atom(entry), place, None);
        self.instance.tuple(entry, core.key, key, place, None);
        self.instance.optional(&value);
        self.instance.tuple(entry, core.value, value, place, None);
        let entry = self.instance.unknown_atom(entry);
        self.instance.optional(&entry);
        self.instance.unknown_atom(data)
    }

    fn unknown_part(&mut self, within: Within<'_>, place: Place) {
        let Some(shape) = within.slot.part.clone() else { return };
        let label = format!("{}.{}", within.resource.name.text, within.slot.property.name);
        let part = self.instance.atom(shape.sig, label, place);
        let fact = self.instance.unknown_atom(part);
        self.instance.optional(&fact);
        self.instance.tuple(part, self.core.of, Fact::Atom(within.owner), place, None);
        self.instance.tuple(within.atom, within.slot.field, fact, place, None);
        self.fill(within.resource, part, within.owner, &shape, &|_| None, false);
    }
}

/// A text as rules see it: an address that can be written in several ways is always written in the same.
fn text_of(property: &Property, text: &Arc<str>) -> Fact {
    let same = item(property).constraints.iter().find_map(|constraint| match constraint {
        Constraint::Custom(name) => canonical(name, text),
        _ => None,
    });
    same.map_or_else(|| Fact::text(text), |same| Fact::text(&same.into()))
}

fn shape(
    rules: &Rules,
    module: &str,
    name: &str,
    properties: &'static [Property],
    top: bool,
) -> Option<Arc<Shape>> {
    let sig = rules.sig(module, name)?;
    let slots = properties.iter().filter_map(|property| {
        let field = rules.field(sig, &field_name(&property.name, top))?;
        let part = (Holds::of(property) == Holds::Part)
            .then(|| shape(rules, module, &part_name(name, property), &item(property).nested, false))
            .flatten();
        let default = property.default.as_deref().and_then(default);
        Some(Slot { property, field, part, default })
    });
    Some(Arc::new(Shape { sig, fields: slots.collect() }))
}

/// A default that is a text, a number or a truth value.
fn default(json: &str) -> Option<Content> {
    Some(match serde_json::from_str(json).ok()? {
        serde_json::Value::Bool(value) => Content::Bool(value),
        serde_json::Value::Number(number) => Content::Int(number.as_i64()?),
        serde_json::Value::String(text) if !text.is_empty() => Content::str(&text),
        _ => return None,
    })
}

/// Whether a value that is not known may turn out to be none. Parameters, attributes and what the stack is called have
/// a value; what functions make of unknown values may be nothing.
fn may_lack(unknown: &Unknown) -> bool {
    !matches!(unknown.why.nature(), Nature::Input | Nature::Deployment)
}

/// A number as an integer, if it is one.
fn whole(value: f64) -> Option<i64> {
    // Beyond this, not every integer is a floating-point number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

/// What Heat takes a value for where it wants true or false.
fn truth(value: &Content) -> Option<bool> {
    match value {
        Content::Bool(value) => Some(*value),
        Content::Int(0) => Some(false),
        Content::Int(1) => Some(true),
        Content::Str(text) => match text.to_ascii_lowercase().as_str() {
            "1" | "t" | "true" | "on" | "y" | "yes" => Some(true),
            "0" | "f" | "false" | "off" | "n" | "no" => Some(false),
            _ => None,
        },
        _ => None,
    }
}
