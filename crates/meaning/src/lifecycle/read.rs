//! From a location graph to a meaning, with the lifecycles that its processes say.

use std::sync::Arc;

use locus_graph::{Attributes, Entry, LocationGraph, LocationId, Name, Position, Value};
use locus_schema::{Content, Datum, Field, Nature, Reason, Unknown, Why};
use locus_source::words::short;
use locus_source::{Finding, Place, Report, Rule, Severity};
use rustc_hash::FxHashMap;

use super::fields::Fields;
use super::{ALL, FIRST, KEY, LEAVE, MOST, NONE, ORDINALS};
use crate::shown::SECRET;
use crate::{
    Attribute, Copies, Element, Enclosure, EnclosureId, Key, Link, Meaning, Milestone, Naming, Need, Needed,
    Offer, OnChange, Process, Removal, Replacement, ThingId,
};

/// The lifecycles of a location graph can be read.
pub const LIFECYCLE: Rule = Rule::new(
    "LG109",
    "lifecycle-form",
    Severity::Error,
    "A lifecycle has the form that plans go by.",
    "\
The process of a location may be anything. One that is a mapping with the key `lifecycle` is what `locus plan` goes
by, so it must have the form of one: `docs/location-graphs.md` has its entries.

This breaks the rule, since `db` has no phase `ready`:

```yaml
location-graph: 1
locations:
  db: { provides: [sql], process: { lifecycle: { phases: [created, started] } } }
  web:
    requires: [sql]
    process: { lifecycle: { needs: [ { of: { $name: db }, phase: ready } ] } }
```

This does not:

```yaml
location-graph: 1
locations:
  db: { provides: [sql], process: { lifecycle: { phases: [created, started] } } }
  web:
    requires: [sql]
    process: { lifecycle: { needs: [ { of: { $name: db }, phase: started } ] } }
```

Correct the entry, or call the key something else if no lifecycle is meant.
",
);

/// A reason that a location graph gives.
const SAID: Reason = Reason { id: "said", clause: "{}", nature: Nature::Open };

/// After this many findings, they are only counted.
const MOST_FINDINGS: usize = 200;

/// The copies of all locations together.
const MOST_COPIES: u64 = 10_000;

/// The result of reading.
#[derive(Debug)]
pub struct Reading {
    /// The meaning.
    pub meaning: Meaning<'static>,
    /// The faults of the lifecycles.
    pub findings: Vec<Finding>,
    /// The values of the attributes of each planned element's process, as plans show them.
    pub(crate) texts: FxHashMap<ThingId, Vec<String>>,
}

/// Reads a location graph. `start` is the place of what has none.
pub fn read(graph: &LocationGraph, start: Place) -> Reading {
    let mut reader = Reader {
        graph,
        start,
        all: Meaning::new(),
        ids: FxHashMap::default(),
        findings: Report::new(MOST_FINDINGS),
        milestones: FxHashMap::default(),
        texts: FxHashMap::default(),
        room: MOST,
    };
    reader.elements();
    reader.roles();
    reader.processes();
    Reading { meaning: reader.all.finish(), findings: reader.findings.into_vec(), texts: reader.texts }
}

/// The faults of the lifecycles of a graph. Most graphs have none, which costs nothing.
pub fn check(graph: &LocationGraph, start: Place) -> Vec<Finding> {
    let has_some = graph.entries().iter().any(|entry| lifecycle(entry).is_some());
    if has_some { read(graph, start).findings } else { Vec::new() }
}

struct Reader<'g> {
    graph: &'g LocationGraph,
    start: Place,
    all: Meaning<'static>,
    /// The first location of each name.
    ids: FxHashMap<Name, ThingId>,
    findings: Report,
    /// By their names and members.
    milestones: FxHashMap<(Arc<str>, Vec<ThingId>), usize>,
    texts: FxHashMap<ThingId, Vec<String>>,
    /// How many needs there may still be.
    room: usize,
}

/// The lifecycle that an entry gives; none if its process is something else.
fn lifecycle(entry: &Entry) -> Option<&Value> {
    match &entry.process.0 {
        Value::Record(fields) if fields.len() == 1 => entry.process.0.get(KEY),
        _ => None,
    }
}

/// Whether a lifecycle says that nothing is made.
fn is_none(lifecycle: &Value) -> bool {
    lifecycle.as_text() == Some(NONE)
}

impl Reader<'_> {
    fn place(&self, place: Option<Place>) -> Place {
        place.unwrap_or(self.start)
    }

    fn elements(&mut self) {
        let graph = self.graph;
        let boxes: Vec<EnclosureId> = graph
            .boxes()
            .map(|one| {
                let name = graph.box_name(one).into();
                self.all.enclose(Enclosure { name, place: graph.box_place(one), within: None })
            })
            .collect();
        for one in graph.boxes() {
            if let Some(outer) = graph.box_within(one) {
                self.all.nest(boxes[one.index()], boxes[outer.index()]);
            }
        }
        for (at, entry) in graph.iter() {
            let name: Arc<str> = graph.name_of(at).into();
            let sort = match &entry.sort.0 {
                Value::Text(text) => Arc::clone(text),
                other => other.display(graph.symbols()).to_string().into(),
            };
            let place = self.place(entry.place);
            let mut element = Element::new(Key::name(Arc::clone(&name)), name, sort, place);
            element.certainty = entry.certainty.clone();
            element.properties = self.fields(&entry.attributes, place).into();
            element.within = entry.within.map(|one| boxes[one.index()]);
            element.offers_itself = false;
            if lifecycle(entry).is_none() && entry.process.0 != Value::Null {
                element.says = Some(entry.process.0.display(graph.symbols()).to_string().into());
            }
            let id = self.all.add(element);
            self.ids.entry(entry.name).or_insert(id);
        }
    }

    fn roles(&mut self) {
        let graph = self.graph;
        let id = |at: LocationId| ThingId(at.index() as u32);
        let port = |at: LocationId, role, position| {
            graph.entry(at).ports_at(position).find(|port| port.role == role)
        };
        for binding in graph.bindings() {
            let role: Arc<str> = graph.symbols().role_text(binding.role).into();
            let required = port(binding.requirer, binding.role, Position::Required);
            let place = self.place(required.and_then(|port| port.place));
            let mut link = Link::new(id(binding.provider), Arc::clone(&role), place);
            if let Some(port) = required {
                link.attributes = self.fields(&port.attributes, place);
            }
            link.role = Some(role);
            self.all.element_mut(id(binding.requirer)).links.push(link);
        }
        for one in graph.unbound() {
            let own = port(one.location, one.role, one.position);
            let place = self.place(own.and_then(|port| port.place));
            let attributes = own.map(|port| self.fields(&port.attributes, place)).unwrap_or_default();
            let offer = Offer { role: graph.symbols().role_text(one.role).into(), attributes, place };
            let element = self.all.element_mut(id(one.location));
            match one.position {
                Position::Provided => element.offers.push(offer),
                Position::Required => element.open.push(offer),
            }
        }
    }

    fn processes(&mut self) {
        let graph = self.graph;
        let mut needs: Vec<Vec<Need>> = vec![Vec::new(); graph.len()];
        let is_made = |at: LocationId| !lifecycle(graph.entry(at)).is_some_and(is_none);
        for binding in graph.bindings() {
            if is_made(binding.provider) {
                let target = ThingId(binding.provider.index() as u32);
                needs[binding.requirer.index()].push(Need::new(target));
            }
        }
        // First the phases and copies of all, which needs are about.
        let mut copies = 0_u64;
        for (at, entry) in graph.iter().filter(|&(at, _)| is_made(at)) {
            let id = ThingId(at.index() as u32);
            let process = match lifecycle(entry) {
                Some(value) => self.lifecycle(id, entry, value),
                None => self.plain(id, entry, std::mem::take(&mut needs[at.index()])),
            };
            let element = self.all.element_mut(id);
            element.process = Some(Box::new(process));
            copies += u64::from(element.copies.count);
        }
        if copies > MOST_COPIES {
            let message =
                format!("there are {copies} copies of locations, and {MOST_COPIES} in all are planned");
            self.findings.add_while_few(|| Finding::new(&LIFECYCLE, self.start, message));
            (0..graph.len()).for_each(|at| self.all.element_mut(ThingId(at as u32)).copies = Copies::ONE);
        }
        for (at, entry) in graph.iter().filter(|&(at, _)| is_made(at)) {
            let Some(value @ Value::Record(_)) = lifecycle(entry) else { continue };
            let Some(Value::List(items)) = value.get("needs") else { continue };
            let mut all = Vec::new();
            for item in items.iter() {
                all.extend(self.need(entry, ThingId(at.index() as u32), item));
            }
            if let Some(process) = &mut self.all.element_mut(ThingId(at.index() as u32)).process {
                process.needs = all;
            }
        }
    }

    /// The process of a location of which nothing is said: it is made at once and changed in place.
    fn plain(&mut self, id: ThingId, entry: &Entry, needs: Vec<Need>) -> Process {
        let graph = self.graph;
        let mut texts = Vec::new();
        let mut attributes = Vec::new();
        for one in &entry.attributes {
            let place = self.place(one.place);
            texts.push(one.value.display(graph.symbols()).to_string());
            let value = self.datum(&one.value, place);
            attributes.push(Attribute {
                name: Arc::clone(&one.key),
                value,
                on_change: OnChange::InPlace,
                place,
            });
        }
        self.texts.insert(id, texts);
        let sort = entry.sort.0.display(graph.symbols()).to_string();
        Process { sort: Some(sort.into()), attributes, needs, ..Process::default() }
    }

    /// The process that a lifecycle says, without its needs.
    fn lifecycle(&mut self, id: ThingId, entry: &Entry, value: &Value) -> Process {
        let mut fields = Fields::of(value, "a `lifecycle`");
        let mut process =
            Process { name: fields.text("name"), sort: fields.text("sort"), ..Process::default() };
        if let Some(phases) = fields.texts("phases") {
            if phases.is_empty() {
                fields.faults.push("has no phase".to_owned());
            } else {
                process.phases = phases;
            }
        }
        process.endings = fields.texts("endings").unwrap_or_default();
        process.holds_data = fields.flag("holds-data");
        let phase = |at: u32| Some(at as usize).filter(|&at| at < process.phases.len());
        let in_effect = fields.number("in-effect").map(phase);
        let old_first = fields.number("old-first").map(phase);
        if in_effect == Some(None) || old_first == Some(None) {
            fields.faults.push("has fewer phases than it speaks of".to_owned());
        }
        process.in_effect = in_effect.flatten().unwrap_or(0);
        if let Some(before) = old_first.flatten() {
            process.replacement = Replacement::OldFirst { before };
        }
        let [replaces, refuses, grows] =
            ["replaces", "refuses", "grows"].map(|key| fields.texts(key).unwrap_or_default());
        let given = match fields.take("attributes") {
            None => &[][..],
            Some(Value::Record(given)) => given,
            Some(_) => {
                fields.faults.push("has `attributes` that are no mapping".to_owned());
                &[]
            }
        };
        let mut texts = Vec::new();
        let place = self.place(entry.place);
        for (name, value) in given {
            texts.push(value.display(self.graph.symbols()).to_string());
            let on_change = match () {
                () if refuses.contains(name) => OnChange::Refuse,
                () if replaces.contains(name) => OnChange::Replace,
                () if grows.contains(name) => OnChange::Grow,
                () => OnChange::InPlace,
            };
            let value = self.datum(value, place);
            process.attributes.push(Attribute { name: Arc::clone(name), value, on_change, place });
        }
        self.texts.insert(id, texts);
        match fields.text("removal").as_deref() {
            None => {}
            Some(LEAVE) => process.removal = Removal::Leave,
            Some(_) => fields.faults.push(format!("has a `removal` that is not `{LEAVE}`")),
        }
        process.renewed = fields.text("renewed").map(|why| why.to_string());
        let numbering = fields.text("numbering");
        let naming = if numbering.is_some() { Naming::Ordinals } else { Naming::Brackets };
        if numbering.as_deref().is_some_and(|word| word != ORDINALS) {
            fields.faults.push(format!("has a `numbering` that is not `{ORDINALS}`"));
        }
        let count = fields.number("copies").unwrap_or(1);
        if count != 1 || naming == Naming::Ordinals {
            self.all.element_mut(id).copies = Copies { count, place: None, naming, drawn_each: false };
        }
        // Looked at when all lifecycles are known.
        let _ = fields.list("needs");
        let faults = fields.finish();
        self.report(entry, faults);
        process
    }

    fn report(&mut self, entry: &Entry, faults: Vec<String>) {
        let place = self.place(entry.place);
        let name = short(self.graph.symbols().name_text(entry.name));
        for fault in faults {
            let message = || format!("the lifecycle of `{name}` {fault}");
            self.findings.add_while_few(|| Finding::new(&LIFECYCLE, place, message()));
        }
    }

    /// The need that an item of `needs` says.
    fn need(&mut self, entry: &Entry, from: ThingId, item: &Value) -> Option<Need> {
        let mut fields = Fields::of(item, "a need");
        let milestone = fields.take("milestone");
        let of = fields.name("of");
        let copies = fields.take("copies");
        let (at, phase) = (fields.number("at").unwrap_or(0) as usize, fields.text("phase"));
        let (via, only_to_start) = (fields.text("via"), fields.flag("to-start"));
        let own = self.all.element(from);
        if own.process.as_ref().is_some_and(|process| at >= process.phases.len()) {
            fields.faults.push("needs something in a phase that it does not have".to_owned());
        }
        let own_copies = own.copies.count;
        let to = match (milestone, of) {
            (Some(value), None) => self.milestone(value, &mut fields.faults),
            (None, Some(name)) => self.target(name, copies, phase.as_deref(), &mut fields.faults),
            _ if fields.faults.is_empty() => {
                fields.faults.push("has a need without `of`, or with a `milestone` beside it".to_owned());
                None
            }
            _ => None,
        };
        let faults = fields.finish();
        let is_wrong = !faults.is_empty();
        self.report(entry, faults);
        let to = to.filter(|_| !is_wrong)?;
        let more = own_copies as usize * self.number(to);
        let Some(left) = self.room.checked_sub(more) else {
            self.room = 0;
            self.report(entry, vec![format!("is one of those that need more than {MOST} others in all")]);
            return None;
        };
        self.room = left;
        Some(Need { to, via, at, phase, only_to_start })
    }

    /// How many things a need of one thing is about.
    fn number(&self, to: Needed) -> usize {
        match to {
            Needed::All(id) => self.all.element(id).copies.count as usize,
            Needed::InTurn(id, number) => number.min(self.all.element(id).copies.count) as usize,
            Needed::First(_) | Needed::Milestone(_) => 1,
        }
    }

    fn target(
        &self,
        name: Name,
        copies: Option<&Value>,
        phase: Option<&str>,
        faults: &mut Vec<String>,
    ) -> Option<Needed> {
        let text = || short(self.graph.symbols().name_text(name));
        let Some(&id) = self.ids.get(&name) else {
            faults.push(format!("needs `{}`, which is no location", text()));
            return None;
        };
        let Some(process) = &self.all.element(id).process else {
            faults.push(format!("needs `{}`, which is not made", text()));
            return None;
        };
        if let Some(phase) = phase
            && !process.phases.iter().any(|one| **one == *phase)
        {
            faults.push(format!("needs the phase `{}` of `{}`, which has none such", short(phase), text()));
        }
        Some(match copies {
            None => Needed::All(id),
            Some(Value::Text(which)) if **which == *ALL => Needed::All(id),
            Some(Value::Text(which)) if **which == *FIRST => Needed::First(id),
            Some(Value::Int(number)) if u32::try_from(*number).is_ok() => Needed::InTurn(id, *number as u32),
            Some(_) => {
                faults.push(format!("has a need whose `copies` are neither `{ALL}`, `{FIRST}` nor a number"));
                return None;
            }
        })
    }

    fn milestone(&mut self, value: &Value, faults: &mut Vec<String>) -> Option<Needed> {
        let mut fields = Fields::of(value, "a `milestone`");
        let (name, of) = (fields.text("name"), fields.list("of"));
        let mut members = Vec::new();
        for one in of.unwrap_or_default() {
            if let Value::Name(name) = one {
                match self.target(*name, None, None, &mut fields.faults) {
                    Some(Needed::All(id)) => members.push(id),
                    _ => return self.broken(fields, faults),
                }
            } else {
                fields.faults.push("has a `milestone` of something that is no name of a location".to_owned());
            }
        }
        let name = match name {
            Some(name) if fields.faults.is_empty() && of.is_some() => name,
            _ => {
                fields.faults.push("has a `milestone` without `name` or `of`".to_owned());
                return self.broken(fields, faults);
            }
        };
        faults.extend(fields.finish());
        let all = &mut self.all;
        let index = *self
            .milestones
            .entry((Arc::clone(&name), members.clone()))
            .or_insert_with(|| all.milestone(Milestone { name: name.to_string(), members }));
        Some(Needed::Milestone(index))
    }

    #[expect(clippy::unused_self, reason = "it ends what the reader began")]
    fn broken(&self, fields: Fields<'_>, faults: &mut Vec<String>) -> Option<Needed> {
        faults.extend(fields.finish());
        None
    }

    fn fields(&self, attributes: &Attributes, around: Place) -> Vec<Field> {
        let field = |one: &locus_graph::Attribute| {
            let place = one.place.unwrap_or(around);
            Field { key: Arc::clone(&one.key), place, value: self.datum(&one.value, place) }
        };
        attributes.iter().map(field).collect()
    }

    /// A value. Names, roles, sorts and processes are texts, but for the names of locations.
    fn datum(&self, value: &Value, place: Place) -> Datum {
        let unknown = |reason: &'static Reason, name: &Arc<str>| {
            let why = Why::of(reason, Arc::clone(name));
            Content::Unknown(Arc::new(Unknown { why, place, call: None }))
        };
        let content = match value {
            Value::Null => Content::Null,
            Value::Bool(value) => Content::Bool(*value),
            Value::Int(value) => Content::Int(*value),
            Value::Float(value) => Content::Float(value.0),
            Value::Text(text) => Content::Str(Arc::clone(text)),
            Value::List(items) => Content::List(items.iter().map(|item| self.datum(item, place)).collect()),
            Value::Record(fields) => {
                let field = |(key, value): &(Arc<str>, Value)| Field {
                    key: Arc::clone(key),
                    place,
                    value: self.datum(value, place),
                };
                Content::Map(fields.iter().map(field).collect())
            }
            Value::Name(name) if self.ids.contains_key(name) => {
                Content::Location(self.graph.symbols().name_text(*name).into())
            }
            Value::Name(_) | Value::Role(_) | Value::Sort(_) | Value::Process(_) => {
                Content::Str(value.display(self.graph.symbols()).to_string().into())
            }
            Value::Unknown(why) => unknown(&SAID, why),
            Value::Secret(digest) => unknown(&SECRET, digest),
        };
        Datum::new(content, place)
    }
}
