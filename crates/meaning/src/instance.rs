//! A meaning as an instance of the rules: section 7.1.4 of the report.
//!
//! Elements become atoms of the signatures of their types, properties become tuples. What is not known stays so: an
//! input without a value is one unknown value wherever it is used, anything else is another one at each place.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use locus_rules::{AtomId, Field, Instance, Item, Rules, Sig};
use locus_schema::constraint::{Constraint, canonical, text_to_number, to_bool};
use locus_schema::modules::{Holds, is_field_name, item, part_name};
use locus_schema::walk::{Keys, Step, Typed, Visitor, kind_named, walk};
use locus_schema::{Content, Datum, Nature, Property, Type, Unknown};
use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::{Fact, Kind, Meaning, Said, Standing, ThingId, name_of};

/// Where the signatures of a language are.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// The module with what all rules use. It has signatures `Location`, `Other`, `External` (with `kind` and `name`),
    /// `Part` (with `of`), `Data` (with `entries`), `Entry` (with `key` and `value`), `Boolean`, `true` and `false`.
    pub core: &'static str,
    /// The signature of the core that the types extend. It has fields `id`, `references` and `members`.
    pub element: &'static str,
    /// The folder of the modules of types: `hot/types/`.
    pub types: &'static str,
    /// The module and the signature of a type, by its name. The module is in that folder and has the name of the
    /// signature.
    pub signature: fn(&str) -> (String, String),
}

impl Meaning<'_> {
    /// The instance for rules; nothing in it if the rules do not use the core of the language. `everywhere` is the
    /// place of what no place is for.
    pub fn instance<'r>(&self, rules: &'r Rules, vocabulary: &Vocabulary, everywhere: Place) -> Instance<'r> {
        let Some(core) = Core::of(rules, vocabulary) else { return rules.instance() };
        let mut instance = rules.instance();
        let [no, yes, _] = core.truths;
        let truths = [(no, "false"), (yes, "true")].map(|(sig, label)| instance.atom(sig, label, everywhere));
        let mut filling = Filling {
            all: self,
            vocabulary,
            instance,
            rules,
            core,
            shapes: FxHashMap::default(),
            atoms: vec![None; self.elements.len()],
            implied: FxHashMap::default(),
            unknown: FxHashMap::default(),
            truths,
        };
        for (id, _) in self.defined() {
            filling.atom(id, false);
        }
        for (id, _) in self.defined() {
            filling.instance.about(Some(id.0));
            filling.relations(id);
            filling.properties(id);
            filling.members(id);
        }
        filling.instance.about(None);
        filling.instance
    }
}

/// The signatures and fields of the core.
#[derive(Clone, Copy)]
struct Core {
    element: Sig,
    location: Sig,
    other: Sig,
    external: Sig,
    data: Sig,
    entry: Sig,
    /// False, true, and either.
    truths: [Sig; 3],
    id: Field,
    references: Field,
    kind: Field,
    name: Field,
    of: Field,
    members: Field,
    entries: Field,
    key: Field,
    value: Field,
}

impl Core {
    fn of(rules: &Rules, vocabulary: &Vocabulary) -> Option<Self> {
        let sig = |name| rules.sig(vocabulary.core, name);
        let element = sig(vocabulary.element)?;
        let external = sig("External")?;
        let (data, entry) = (sig("Data")?, sig("Entry")?);
        Some(Self {
            element,
            location: sig("Location")?,
            other: sig("Other")?,
            external,
            data,
            entry,
            truths: [sig("false")?, sig("true")?, sig("Boolean")?],
            id: rules.field(element, "id")?,
            references: rules.field(element, "references")?,
            kind: rules.field(external, "kind")?,
            name: rules.field(external, "name")?,
            of: rules.field(sig("Part")?, "of")?,
            members: rules.field(element, "members")?,
            entries: rules.field(data, "entries")?,
            key: rules.field(entry, "key")?,
            value: rules.field(entry, "value")?,
        })
    }
}

/// The signature for the maps of a type or of a property, and what its fields hold.
#[derive(Debug)]
struct Shape<'d> {
    sig: Sig,
    /// The name of the signature, and of its module.
    name: String,
    module: Rc<str>,
    /// In the order of the names of properties.
    slots: Vec<Slot<'d>>,
}

#[derive(Debug)]
struct Slot<'d> {
    property: &'d Property,
    field: Field,
    /// Of the maps in the property. Most documents have few of them, so it is looked for when one is met.
    part: OnceCell<Option<Rc<Shape<'d>>>>,
    default: Option<Content>,
}

impl<'d> Shape<'d> {
    fn of(
        rules: &Rules,
        module: &Rc<str>,
        name: String,
        properties: &'d [Property],
        top: bool,
    ) -> Option<Rc<Self>> {
        let sig = rules.sig(module, &name)?;
        // Modules made from types have their fields in the order of the properties.
        // One that is missing is not asked for by any rule.
        let mut next = rules.fields(sig).peekable();
        let slots = properties.iter().filter_map(|property| {
            let (_, field) = next.next_if(|(name, _)| is_field_name(name, &property.name, top))?;
            let default = property.default.as_deref().and_then(default);
            Some(Slot { property, field, part: OnceCell::new(), default })
        });
        Some(Rc::new(Self { sig, slots: slots.collect(), name, module: Rc::clone(module) }))
    }

    /// The shape of the maps in a property, if there is a signature for them.
    fn part(&self, slot: usize, rules: &Rules) -> Option<Rc<Self>> {
        let Slot { property, part, .. } = &self.slots[slot];
        let find = || {
            let name = part_name(&self.name, property);
            Self::of(rules, &self.module, name, &item(property).nested, false)
        };
        part.get_or_init(|| (Holds::of(property) == Holds::Part).then(find).flatten()).clone()
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.slots.binary_search_by(|slot| (*slot.property.name).cmp(name)).ok()
    }
}

struct Filling<'i, 'd, 'r> {
    all: &'i Meaning<'d>,
    vocabulary: &'i Vocabulary,
    instance: Instance<'r>,
    rules: &'r Rules,
    core: Core,
    /// By the name of the type.
    shapes: FxHashMap<&'d str, Option<Rc<Shape<'d>>>>,
    /// The atoms of the elements that have one.
    atoms: Vec<Option<AtomId>>,
    /// The atoms of what only defaults name, by kind and name.
    implied: FxHashMap<(Arc<str>, Arc<str>), AtomId>,
    /// Values that nobody knows, by where they come from and as what they are used.
    unknown: FxHashMap<(*const Unknown, Held), Item>,
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

impl Held {
    /// A word that no other use has.
    fn word(&self) -> &str {
        match self {
            Self::Location(kind) => kind,
            Self::Text => "text",
            Self::Number => "number",
            Self::Truth => "truth",
            Self::Data => "data",
        }
    }
}

impl<'d> Filling<'_, 'd, '_> {
    fn shape(&mut self, kind: Kind<'d>) -> Option<Rc<Shape<'d>>> {
        if let Some(known) = self.shapes.get(kind.name) {
            return known.clone();
        }
        let (module, sig) = (self.vocabulary.signature)(kind.name);
        let shape = Shape::of(self.rules, &module.into(), sig, kind.properties, true);
        self.shapes.insert(kind.name, shape.clone());
        shape
    }

    /// The atom of an element, which it has from now on. `uncertain` if what makes it may not be there.
    fn atom(&mut self, id: ThingId, uncertain: bool) -> AtomId {
        let element = self.all.element(id);
        let shape = element.kind.and_then(|kind| self.shape(kind));
        let sig = shape.map_or(self.core.other, |shape| shape.sig);
        let before = self.instance.about(Some(id.0));
        let atom = self.instance.atom(sig, Arc::clone(&element.label), element.place);
        self.instance.about(before);
        self.atoms[id.index()] = Some(atom);
        if uncertain || element.certainty.is_conditional() {
            self.instance.optional(&Item::Atom(atom));
        }
        atom
    }

    /// The atom of an element that the document defines.
    fn named(&self, name: &str) -> Option<AtomId> {
        self.all.named(name).and_then(|id| self.atoms[id.index()])
    }

    fn relations(&mut self, id: ThingId) {
        let (core, element) = (self.core, self.all.element(id));
        let Some(atom) = self.atoms[id.index()] else { return };
        self.instance.tuple(atom, core.id, Item::Text(Arc::clone(&element.label)), element.place, None);
        for link in &element.links {
            let Some(target) = self.atoms[link.to.index()] else { continue };
            self.instance.tuple(atom, core.references, Item::Atom(target), link.place, None);
            if let Some(field) = link.field.and_then(|field| self.rules.field(core.element, field)) {
                self.instance.tuple(atom, field, Item::Atom(target), link.place, None);
            }
        }
        for Fact { field, value, place, origin } in &element.facts {
            let Some(field) = self.rules.field(core.element, field) else { continue };
            let Some(value) = self.said(id, value, *place) else { continue };
            self.instance.tuple(atom, field, value, *place, *origin);
        }
    }

    /// The item for a fact about an element. Nothing if the core has no such signature.
    fn said(&mut self, about: ThingId, value: &Said, place: Place) -> Option<Item> {
        Some(match value {
            Said::Text(Some(text)) => Item::Text(Arc::clone(text)),
            Said::Text(None) => self.instance.unknown_text(),
            Said::Int(Some(number)) => Item::Int(*number),
            Said::Int(None) => self.instance.unknown_int(),
            Said::Part(sig, fields) => {
                let sig = self.rules.sig(self.vocabulary.core, sig)?;
                let part = self.instance.atom(sig, Arc::clone(&self.all.element(about).label), place);
                if self.is_uncertain(about) {
                    self.instance.optional(&Item::Atom(part));
                }
                for (field, value) in fields {
                    let field = self.rules.field(sig, field)?;
                    let value = self.said(about, value, place)?;
                    self.instance.tuple(part, field, value, place, None);
                }
                Item::Atom(part)
            }
        })
    }

    fn properties(&mut self, id: ThingId) {
        let element = self.all.element(id);
        let Some(atom) = self.atoms[id.index()] else { return };
        let Some(shape) = element.kind.and_then(|kind| self.shape(kind)) else { return };
        let Some((known, given)) = element.typed() else { return };
        let top = Frame { atom, shape, list: None, complete: element.complete };
        let (label, place) = (Arc::clone(&element.label), element.place);
        let mut filler = Filler { filling: self, label, place, owner: atom, frames: vec![top] };
        walk(known, given, place, &mut filler);
    }

    /// The members that an element makes, as far as all of it is alike: an atom for each definition.
    fn members(&mut self, of: ThingId) {
        let core = self.core;
        let Some(maker) = self.atoms[of.index()] else { return };
        for &id in self.all.members_of(of) {
            let uncertain = self.is_uncertain(of);
            let atom = self.atom(id, uncertain);
            let place = self.all.element(id).place;
            self.instance.tuple(maker, core.members, Item::Atom(atom), place, None);
            self.instance.tuple(maker, core.references, Item::Atom(atom), place, None);
            let before = self.instance.about(Some(id.0));
            self.relations(id);
            self.properties(id);
            self.members(id);
            self.instance.about(before);
        }
    }

    /// Whether the element of the document that an element comes from may not be there.
    fn is_uncertain(&self, mut id: ThingId) -> bool {
        while let Standing::Member(of) = self.all.element(id).standing {
            id = of;
        }
        self.all.element(id).certainty.is_conditional()
    }

    fn truth(&self, truth: bool) -> AtomId {
        self.truths[usize::from(truth)]
    }

    /// The atom of something that exists already.
    fn existing(&mut self, id: ThingId, name: &Arc<str>, place: Place) -> AtomId {
        if let Some(atom) = self.atoms[id.index()] {
            return atom;
        }
        let kind = Arc::clone(&self.all.element(id).sort);
        let atom = self.of_kind(&kind, Arc::clone(name), place);
        self.instance.tuple(atom, self.core.name, Item::Text(Arc::clone(name)), place, None);
        self.atoms[id.index()] = Some(atom);
        atom
    }

    /// The atom of something that a default names, and no text.
    fn implied(&mut self, kind: &str, name: &Arc<str>, place: Place) -> AtomId {
        let key = (Arc::from(kind), Arc::clone(name));
        if let Some(atom) = self.implied.get(&key) {
            return *atom;
        }
        let atom = self.of_kind(kind, Arc::clone(name), place);
        self.instance.tuple(atom, self.core.name, Item::Text(Arc::clone(name)), place, None);
        self.implied.insert(key, atom);
        atom
    }

    /// The atom of something that is there whatever the document says.
    fn of_kind(&mut self, kind: &str, label: Arc<str>, place: Place) -> AtomId {
        let before = self.instance.about(None);
        let atom = self.instance.atom(self.core.external, label, place);
        self.instance.about(before);
        self.instance.tuple(atom, self.core.kind, Item::Text(kind.into()), place, None);
        atom
    }

    /// A location that nobody knows. One that an input will name exists already, others may be defined here.
    fn unknown_location(&mut self, kind: &str, exists: bool, place: Place) -> Item {
        let atom = if exists {
            self.of_kind(kind, "not known".into(), place)
        } else {
            self.instance.atom(self.core.location, "not known", place)
        };
        self.instance.unknown_atom(atom)
    }

    fn number(&mut self, value: &Content) -> Item {
        let number = match value {
            Content::Int(value) => Some(*value),
            Content::Bool(value) => Some(i64::from(*value)),
            Content::Str(text) => text_to_number(text).and_then(whole),
            Content::Float(value) => whole(*value),
            _ => None,
        };
        // Alloy has whole numbers only; of others nothing is said.
        number.map_or_else(|| self.instance.unknown_int(), Item::Int)
    }

    /// A map with free keys, or a list in a list.
    fn data(&mut self, label: &Arc<str>, value: &Content, place: Place) -> AtomId {
        let data = self.instance.atom(self.core.data, Arc::clone(label), place);
        let Content::Map(fields) = value else { return data };
        for field in fields.iter() {
            let entry = self.instance.atom(self.core.entry, Arc::clone(label), field.place);
            self.instance.tuple(data, self.core.entries, Item::Atom(entry), field.place, None);
            self.instance.tuple(entry, self.core.key, Item::Text(Arc::clone(&field.key)), field.place, None);
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
        let value = match &datum.value {
            Content::Null | Content::Absent => return,
            Content::Unknown(_) => {
                let text = self.instance.unknown_text();
                self.instance.optional(&text);
                text
            }
            Content::Location(name) => match self.named(name) {
                Some(atom) => Item::Atom(atom),
                None => return,
            },
            Content::Bool(value) => Item::Atom(self.truth(*value)),
            Content::Int(value) => Item::Int(*value),
            value @ (Content::Map(_) | Content::List(_)) => Item::Atom(self.data(label, value, datum.place)),
            value => match value.to_text() {
                Some(text) => Item::Text(text),
                None => return,
            },
        };
        self.instance.tuple(entry, self.core.value, value, datum.place, datum.origin);
    }

    /// A map of which nothing is known: it may have any entries.
    fn unknown_data(&mut self, place: Place) -> Item {
        let core = self.core;
        let data = self.instance.atom(core.data, "not known", place);
        let entry = self.instance.atom(core.entry, "not known", place);
        let (key, value) = (self.instance.unknown_text(), self.instance.unknown_text());
        self.instance.tuple(data, core.entries, Item::Atom(entry), place, None);
        self.instance.tuple(entry, core.key, key, place, None);
        self.instance.optional(&value);
        self.instance.tuple(entry, core.value, value, place, None);
        let entry = self.instance.unknown_atom(entry);
        self.instance.optional(&entry);
        self.instance.unknown_atom(data)
    }
}

/// A map whose fields are being filled.
struct Frame<'d> {
    atom: AtomId,
    shape: Rc<Shape<'d>>,
    /// The slot whose list is being looked at.
    list: Option<usize>,
    /// Whether all keys of the map are known.
    complete: bool,
}

/// Fills the fields of an element, and of the maps in it.
struct Filler<'f, 'i, 'd, 'r> {
    filling: &'f mut Filling<'i, 'd, 'r>,
    /// Of the element, as its place and its atom.
    label: Arc<str>,
    place: Place,
    owner: AtomId,
    frames: Vec<Frame<'d>>,
}

/// The field of an atom that a value belongs to.
#[derive(Clone)]
struct Target<'d> {
    atom: AtomId,
    shape: Rc<Shape<'d>>,
    slot: usize,
}

impl<'d> Target<'d> {
    fn slot(&self) -> &Slot<'d> {
        &self.shape.slots[self.slot]
    }

    fn part(&self, rules: &Rules) -> Option<Rc<Shape<'d>>> {
        self.shape.part(self.slot, rules)
    }

    fn kind_named(&self) -> &'d str {
        kind_named(self.slot().property, None).unwrap_or_default()
    }
}

impl<'d> Visitor<'d> for Filler<'_, '_, 'd, '_> {
    fn value(&mut self, typed: Typed<'_, 'd>) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        let (slot, at) = match typed.at.step {
            Step::Item(at) => (frame.list, Some(at)),
            Step::Key(_) => (frame.shape.slot(&typed.property.name), None),
        };
        let Some(slot) = slot else { return false };
        if at.is_none() && typed.property.kind == Type::List && matches!(typed.datum.value, Content::List(_))
        {
            frame.list = Some(slot);
            return true;
        }
        let target = Target { atom: frame.atom, shape: Rc::clone(&frame.shape), slot };
        self.one(&target, typed.datum, at)
    }

    fn leave(&mut self, typed: Typed<'_, 'd>) {
        if matches!(typed.datum.value, Content::Map(_)) {
            self.frames.pop();
        } else if let Some(frame) = self.frames.last_mut() {
            frame.list = None;
        }
    }

    fn absent(&mut self, keys: Keys<'_, 'd>, property: &'d Property) {
        let Some(frame) = self.frames.last() else { return };
        // Most that is not there has no default.
        if frame.complete && property.default.is_none() {
            return;
        }
        let Some(slot) = frame.shape.slot(&property.name) else { return };
        let (target, complete) =
            (Target { atom: frame.atom, shape: Rc::clone(&frame.shape), slot }, frame.complete);
        if !complete {
            self.unknown(&target, None, self.place, true);
            return;
        }
        // An old name may stand for this one; it has a field of its own.
        let old = property.old_name.as_deref().and_then(|old| keys.get(old));
        if let (Some(value), None) = (&target.slot().default, old) {
            self.one(&target, &Datum::new(value.clone(), self.place), None);
        }
    }
}

impl<'d> Filler<'_, '_, 'd, '_> {
    /// A single value, or an item of a list. Whether what is in it is to be looked at.
    fn one(&mut self, target: &Target<'d>, datum: &Datum, at: Option<usize>) -> bool {
        let property = target.slot().property;
        let value = match (&datum.value, Holds::of(property)) {
            (Content::Null | Content::Absent, _) => None,
            (Content::Unknown(unknown), _) => {
                let many = at.is_none() && property.kind == Type::List;
                self.unknown(target, Some(unknown), datum.place, many || may_lack(unknown));
                None
            }
            (_, Holds::Location) => self.location(target, datum),
            (Content::Location(_), Holds::Text) => Some(self.filling.instance.unknown_text()),
            (value, Holds::Text) => value.to_text().map(|text| text_of(property, &text)),
            (value, Holds::Number) => Some(self.filling.number(value)),
            (value, Holds::Truth) => truth(value).map(|truth| Item::Atom(self.filling.truth(truth))),
            (Content::Map(_), Holds::Part) => return self.part(target, datum, at),
            (_, Holds::Part) => None,
            (value, Holds::Anything) => self.anything(target, value, datum.place),
        };
        if let Some(value) = value {
            let field = target.slot().field;
            self.filling.instance.tuple(target.atom, field, value, datum.place, datum.origin);
        }
        false
    }

    fn location(&mut self, target: &Target<'d>, datum: &Datum) -> Option<Item> {
        let kind = target.kind_named();
        let filling = &mut *self.filling;
        if let Content::Location(name) = &datum.value {
            return Some(match filling.named(name) {
                Some(atom) => Item::Atom(atom),
                None => filling.unknown_location(kind, false, datum.place),
            });
        }
        let (name, _) = name_of(datum)?;
        let atom = match filling.all.existing(kind, &name, false) {
            Some(id) => filling.existing(id, &name, datum.place),
            None => filling.implied(kind, &name, datum.place),
        };
        Some(Item::Atom(atom))
    }

    fn anything(&mut self, target: &Target<'d>, value: &Content, place: Place) -> Option<Item> {
        match value {
            Content::Location(name) => self.filling.named(name).map(Item::Atom),
            Content::Bool(value) => Some(Item::Atom(self.filling.truth(*value))),
            Content::Int(value) => Some(Item::Int(*value)),
            Content::Map(fields) if fields.is_empty() => None,
            Content::List(items) if items.is_empty() => None,
            Content::Map(_) | Content::List(_) => {
                let label = format!("{} of {}", target.slot().property.name, self.label);
                Some(Item::Atom(self.filling.data(&label.into(), value, place)))
            }
            value => value.to_text().map(Item::Text),
        }
    }

    /// A map with known keys. Whether there is a signature for it.
    fn part(&mut self, target: &Target<'d>, datum: &Datum, at: Option<usize>) -> bool {
        let slot = target.slot();
        let Some(shape) = target.part(self.filling.rules) else { return false };
        let name = &slot.property.name;
        let label = match at {
            Some(at) => format!("{}.{name}[{at}]", self.label),
            None => format!("{}.{name}", self.label),
        };
        let (instance, of) = (&mut self.filling.instance, self.filling.core.of);
        let part = instance.atom(shape.sig, label, datum.place);
        instance.tuple(part, of, Item::Atom(self.owner), datum.place, None);
        instance.tuple(target.atom, slot.field, Item::Atom(part), datum.place, datum.origin);
        self.frames.push(Frame { atom: part, shape, list: None, complete: true });
        true
    }

    /// A value that nobody knows, and which may not be there at all if it is optional.
    fn unknown(&mut self, target: &Target<'d>, unknown: Option<&Arc<Unknown>>, place: Place, optional: bool) {
        let held = match Holds::of(target.slot().property) {
            Holds::Location => Held::Location(target.kind_named().into()),
            Holds::Text => Held::Text,
            Holds::Number => Held::Number,
            Holds::Truth => Held::Truth,
            Holds::Anything => Held::Data,
            Holds::Part => return self.unknown_part(target, place),
        };
        let is_input = unknown.is_some_and(|unknown| unknown.why.nature() == Nature::Input);
        // The same input has the same value everywhere, but a list has items of its own.
        let key =
            unknown.filter(|_| !optional && is_input).map(|unknown| (Arc::as_ptr(unknown), held.clone()));
        let filling = &mut *self.filling;
        let known = key.as_ref().and_then(|key| filling.unknown.get(key)).cloned();
        let value = known.unwrap_or_else(|| match &held {
            Held::Location(kind) => filling.unknown_location(kind, is_input, place),
            Held::Text => filling.instance.unknown_text(),
            Held::Number => filling.instance.unknown_int(),
            Held::Truth => {
                let atom = filling.instance.atom(filling.core.truths[2], "not known", place);
                filling.instance.unknown_atom(atom)
            }
            Held::Data => filling.unknown_data(place),
        });
        if optional {
            filling.instance.optional(&value);
        }
        if let Some(input) = unknown.filter(|_| key.is_some()).and_then(|unknown| unknown.why.input()) {
            filling.instance.of_input(&value, format!("{} {input}", held.word()));
        }
        if let Some(key) = key {
            filling.unknown.insert(key, value.clone());
        }
        filling.instance.tuple(target.atom, target.slot().field, value, place, None);
    }

    fn unknown_part(&mut self, target: &Target<'d>, place: Place) {
        let slot = target.slot();
        let Some(shape) = target.part(self.filling.rules) else { return };
        let label = format!("{}.{}", self.label, slot.property.name);
        let (instance, of) = (&mut self.filling.instance, self.filling.core.of);
        let part = instance.atom(shape.sig, label, place);
        let value = instance.unknown_atom(part);
        instance.optional(&value);
        instance.tuple(part, of, Item::Atom(self.owner), place, None);
        instance.tuple(target.atom, slot.field, value, place, None);
        for slot in 0..shape.slots.len() {
            let inner = Target { atom: part, shape: Rc::clone(&shape), slot };
            self.unknown(&inner, None, self.place, true);
        }
    }
}

/// A text as rules see it: an address that can be written in several ways is always written in the same.
fn text_of(property: &Property, text: &Arc<str>) -> Item {
    let same = item(property).constraints.iter().find_map(|constraint| match constraint {
        Constraint::Custom(name) => canonical(name, text),
        _ => None,
    });
    same.map_or_else(|| Item::Text(Arc::clone(text)), |same| Item::Text(same.into()))
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

/// Whether a value that is not known may turn out to be none.
fn may_lack(unknown: &Unknown) -> bool {
    !matches!(unknown.why.nature(), Nature::Input | Nature::Deployment)
}

/// A number as an integer, if it is one.
fn whole(value: f64) -> Option<i64> {
    // Beyond this, not every integer is a floating-point number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

/// The truth value of a value where true or false is wanted.
fn truth(value: &Content) -> Option<bool> {
    match value {
        Content::Bool(value) => Some(*value),
        Content::Int(0) => Some(false),
        Content::Int(1) => Some(true),
        Content::Str(text) => to_bool(text),
        _ => None,
    }
}
