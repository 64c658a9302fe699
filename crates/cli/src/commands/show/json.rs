//! A meaning for programs. What is here is a promise: `docs/schema/meaning.schema.json` has its form, keys are added
//! and never changed.

use std::collections::BTreeMap;

use locus_graph::Alike;
use locus_meaning::shown::{Masker, Shown as Value};
use locus_meaning::{
    Activity, Attribute, Element, Key, Naming, Need, Needed, Offer, Process, Programs, Removal, Replacement,
    Segment, Standing, Step, ThingId,
};
use locus_schema::{Field, Nature};
use locus_source::render::{JsonFinding, JsonPlace, json_findings, json_place};
use locus_source::{Place, RuleBook};
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::Shown;

/// The version of this form.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Answer<'a> {
    version: u32,
    file: &'a str,
    language: &'a str,
    /// Whether all of the file was understood.
    complete: bool,
    /// The errors because of which it is not.
    errors: Vec<JsonFinding>,
    summary: Summary,
    elements: Vec<ElementForm<'a>>,
    boxes: Vec<BoxForm<'a>>,
    milestones: Vec<MilestoneForm<'a>>,
    workflows: Workflows<'a>,
}

#[derive(Serialize)]
struct Summary {
    elements: usize,
    locations: usize,
    things: u64,
}

#[derive(Serialize)]
struct ElementForm<'a> {
    id: u32,
    key: Vec<Json>,
    name: &'a str,
    label: &'a str,
    sort: &'a str,
    /// Its type in the catalogue of its language.
    catalogue_type: Option<&'a str>,
    standing: &'static str,
    /// The element that makes it, or whose place it takes.
    of: Option<u32>,
    place: Option<JsonPlace>,
    drawn: bool,
    adopted: bool,
    only_if: Option<&'a str>,
    alike: Json,
    copies: CopiesForm,
    within: Option<u32>,
    attributes: Vec<FieldForm<'a>>,
    attributes_complete: bool,
    requires: Vec<LinkForm<'a>>,
    provides: Vec<OfferForm<'a>>,
    open: Vec<OfferForm<'a>>,
    process: Option<ProcessForm<'a>>,
    says: Option<Json>,
}

#[derive(Serialize)]
struct CopiesForm {
    count: u32,
    drawn: bool,
    naming: &'static str,
    place: Option<JsonPlace>,
}

#[derive(Serialize)]
struct FieldForm<'a> {
    name: &'a str,
    value: Json,
    place: Option<JsonPlace>,
}

#[derive(Serialize)]
struct LinkForm<'a> {
    to: u32,
    by: &'a str,
    role: Option<&'a str>,
    /// How many copies of the other each copy has.
    number: u32,
    relationship: Option<Json>,
    attributes: Vec<FieldForm<'a>>,
    drawn: bool,
    place: Option<JsonPlace>,
}

#[derive(Serialize)]
struct OfferForm<'a> {
    role: &'a str,
    attributes: Vec<FieldForm<'a>>,
    place: Option<JsonPlace>,
}

#[derive(Serialize)]
struct ProcessForm<'a> {
    name: &'a str,
    sort: &'a str,
    phases: Vec<&'a str>,
    endings: Vec<&'a str>,
    in_effect: usize,
    holds_data: bool,
    attributes: Vec<AttributeForm<'a>>,
    needs: Vec<NeedForm<'a>>,
    removal: &'static str,
    replacement: &'static str,
    old_first_before: Option<usize>,
    renewed: Option<&'a str>,
    programs: Option<Json>,
    /// A digest of what the driver gets of each copy.
    specifications: Vec<String>,
}

#[derive(Serialize)]
struct AttributeForm<'a> {
    name: &'a str,
    value: Json,
    on_change: &'static str,
    place: Option<JsonPlace>,
}

#[derive(Serialize)]
struct NeedForm<'a> {
    to: Option<u32>,
    milestone: Option<usize>,
    /// Which copies: `all`, `first`, or so many in turn.
    copies: Json,
    at: usize,
    phase: Option<&'a str>,
    via: Option<&'a str>,
    only_to_start: bool,
}

#[derive(Serialize)]
struct BoxForm<'a> {
    id: u32,
    name: &'a str,
    within: Option<u32>,
    place: Option<JsonPlace>,
}

#[derive(Serialize)]
struct MilestoneForm<'a> {
    name: &'a str,
    members: Vec<u32>,
}

#[derive(Serialize)]
struct Workflows<'a> {
    deploy: Vec<StepForm<'a>>,
    undeploy: Vec<StepForm<'a>>,
}

#[derive(Serialize)]
struct StepForm<'a> {
    targets: Vec<u32>,
    activities: Vec<Json>,
    next: &'a [usize],
    assumptions: &'a [String],
}

/// The meaning as JSON.
pub(super) fn write(shown: &Shown<'_>, masker: &mut Masker, rules: &RuleBook) -> anyhow::Result<String> {
    let meaning = shown.meaning;
    let mut writer = Writer { shown, masker };
    let elements: Vec<_> = meaning.elements().map(|(id, element)| writer.element(id, element)).collect();
    let boxes = meaning.enclosures().map(|(id, one)| BoxForm {
        id: id.number(),
        name: &one.name,
        within: one.within.map(locus_meaning::EnclosureId::number),
        place: one.place.and_then(|place| writer.place(place)),
    });
    let boxes = boxes.collect();
    let milestones = meaning.milestones().iter().map(|one| MilestoneForm {
        name: &one.name,
        members: one.members.iter().map(|id| id.number()).collect(),
    });
    let workflows = meaning.given_workflows();
    let answer = Answer {
        version: VERSION,
        file: shown.name,
        language: shown.language.0,
        complete: shown.errors.is_empty(),
        errors: json_findings(shown.errors, shown.sources, rules),
        summary: Summary { elements: elements.len(), locations: shown.locations(), things: shown.things() },
        elements,
        boxes,
        milestones: milestones.collect(),
        workflows: Workflows {
            deploy: workflows.deploy.iter().map(step).collect(),
            undeploy: workflows.undeploy.iter().map(step).collect(),
        },
    };
    Ok(serde_json::to_string_pretty(&answer)?)
}

struct Writer<'w, 'm> {
    shown: &'w Shown<'w>,
    masker: &'m mut Masker,
}

impl<'w> Writer<'w, '_> {
    fn place(&self, place: Place) -> Option<JsonPlace> {
        self.shown.place(place).map(|place| json_place(place, self.shown.sources))
    }

    fn element(&mut self, id: ThingId, element: &'w Element<'w>) -> ElementForm<'w> {
        let (standing, of) = match element.standing {
            Standing::Defined => ("defined", None),
            Standing::Member(of) => ("member", Some(of)),
            Standing::Inside(of) => ("inside", Some(of)),
            Standing::Existing => ("existing", None),
        };
        let links = element.links.iter().map(|link| LinkForm {
            to: link.to.number(),
            by: &link.by,
            role: link.role.as_deref(),
            number: link.number,
            relationship: link
                .relationship
                .as_ref()
                .map(|one| json!({ "sort": &*one.sort, "capability": &*one.capability })),
            attributes: self.fields(&link.attributes),
            drawn: link.drawn,
            place: self.place(link.place),
        });
        let mut requires: Vec<_> = links.collect();
        requires.extend(self.shown.meaning.used_by(id).map(|(to, by, place)| LinkForm {
            to: to.number(),
            by,
            role: None,
            number: 1,
            relationship: None,
            attributes: Vec::new(),
            drawn: !self.shown.meaning.element(to).name.is_empty(),
            place: self.place(place),
        }));
        let alike = match element.certainty.alike() {
            Alike::Exactly(count) => count.into(),
            Alike::AnyNumber => "any".into(),
        };
        ElementForm {
            id: id.number(),
            key: key(&element.key),
            name: &element.name,
            label: &element.label,
            sort: &element.sort,
            catalogue_type: element.kind.map(|kind| kind.name),
            standing,
            of: of.map(ThingId::number),
            place: self.place(element.place),
            drawn: element.drawn,
            adopted: element.adopted,
            only_if: element.certainty.condition().map(|text| &**text),
            alike,
            copies: CopiesForm {
                count: element.copies.count,
                drawn: element.copies.drawn_each,
                naming: match element.copies.naming {
                    Naming::Brackets => "brackets",
                    Naming::Ordinals => "ordinals",
                },
                place: element.copies.place.and_then(|place| self.place(place)),
            },
            within: element.within.map(locus_meaning::EnclosureId::number),
            attributes: self.fields(&element.properties),
            attributes_complete: element.complete,
            requires,
            provides: element.offers.iter().map(|offer| self.offer(offer)).collect(),
            open: element.open.iter().map(|offer| self.offer(offer)).collect(),
            process: element.process.as_deref().map(|process| self.process(element, process)),
            says: element.says.as_deref().map(|says| value(&self.masker.text(says), self.shown)),
        }
    }

    fn offer(&mut self, offer: &'w Offer) -> OfferForm<'w> {
        OfferForm {
            role: &offer.role,
            attributes: self.fields(&offer.attributes),
            place: self.place(offer.place),
        }
    }

    fn fields(&mut self, fields: &'w [Field]) -> Vec<FieldForm<'w>> {
        let form = |field: &'w Field| FieldForm {
            name: &field.key,
            value: value(&self.masker.value(&field.key, &field.value), self.shown),
            place: self.place(field.value.place),
        };
        fields.iter().map(form).collect()
    }

    fn process(&mut self, element: &'w Element<'w>, process: &'w Process) -> ProcessForm<'w> {
        let old_first = match process.replacement {
            Replacement::NewFirst => None,
            Replacement::OldFirst { before } => Some(before),
        };
        ProcessForm {
            name: process.name.as_deref().unwrap_or(&element.label),
            sort: process.sort.as_deref().unwrap_or(&element.sort),
            phases: process.phases.iter().map(|phase| &**phase).collect(),
            endings: process.endings.iter().map(|phase| &**phase).collect(),
            in_effect: process.in_effect,
            holds_data: process.holds_data,
            attributes: process.attributes.iter().map(|one| self.attribute(one)).collect(),
            needs: process.needs.iter().map(need).collect(),
            removal: match process.removal {
                Removal::Delete => "delete",
                Removal::Leave => "leave",
            },
            replacement: if old_first.is_some() { "old-first" } else { "new-first" },
            old_first_before: old_first,
            renewed: process.renewed.as_deref(),
            programs: process.programs.as_deref().map(|programs| self.programs(programs)),
            specifications: process
                .specifications
                .iter()
                .map(|one| self.masker.digest(&one.to_string()).to_string())
                .collect(),
        }
    }

    fn attribute(&mut self, one: &'w Attribute) -> AttributeForm<'w> {
        AttributeForm {
            name: &one.name,
            value: value(&self.masker.value(&one.name, &one.value), self.shown),
            on_change: super::on_change(one.on_change),
            place: self.place(one.place),
        }
    }

    fn programs(&mut self, programs: &Programs) -> Json {
        let inputs: BTreeMap<&str, Json> = programs
            .inputs
            .iter()
            .map(|(name, text)| (name.as_str(), value(&self.masker.named_text(name, text), self.shown)))
            .collect();
        let outputs: BTreeMap<&str, Json> = programs
            .outputs
            .iter()
            .map(|(name, (of, output))| (name.as_str(), json!({ "of": key(of), "output": output })))
            .collect();
        json!({
            "operations": programs.operations,
            "inputs": inputs,
            "outputs": outputs,
            "unknown": programs.unknown,
            "idempotent": programs.is_idempotent,
            "machine": programs.machine,
        })
    }
}

fn key(key: &Key) -> Vec<Json> {
    let segment = |segment: &Segment| match segment {
        Segment::Name(name) => Json::from(&**name),
        Segment::Number(number) => Json::from(*number),
    };
    key.segments().iter().map(segment).collect()
}

fn need(need: &Need) -> NeedForm<'_> {
    let (to, milestone, copies) = match need.to {
        Needed::All(id) => (Some(id), None, "all".into()),
        Needed::First(id) => (Some(id), None, "first".into()),
        Needed::InTurn(id, number) => (Some(id), None, number.into()),
        Needed::Milestone(index) => (None, Some(index), Json::Null),
    };
    NeedForm {
        to: to.map(ThingId::number),
        milestone,
        copies,
        at: need.at,
        phase: need.phase.as_deref(),
        via: need.via.as_deref(),
        only_to_start: need.only_to_start,
    }
}

fn step(step: &Step) -> StepForm<'_> {
    let activity = |one: &Activity| match one {
        Activity::Call(name) => json!({ "call": &**name }),
        Activity::State(name) => json!({ "state": &**name }),
        Activity::Lifecycle => json!("lifecycle"),
    };
    StepForm {
        targets: step.targets.iter().map(|id| id.number()).collect(),
        activities: step.activities.iter().map(activity).collect(),
        next: &step.next,
        assumptions: &step.assumptions,
    }
}

/// A value: plain data as JSON, the rest as maps with one key that begins with a dollar sign. Keys of the document that
/// begin with one get a second.
fn value(shown: &Value, of: &Shown<'_>) -> Json {
    match shown {
        Value::Null => Json::Null,
        Value::Absent => json!({ "$absent": true }),
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => (*value).into(),
        Value::BigInt(digits) => json!({ "$integer": &**digits }),
        Value::Float(number) => match serde_json::Number::from_f64(*number) {
            Some(number) => number.into(),
            None => json!({ "$float": number.to_string() }),
        },
        Value::Text(text) => (&**text).into(),
        Value::Masked(text) => json!({ "$masked": &**text }),
        Value::List(items) => items.iter().map(|item| value(item, of)).collect(),
        Value::Map(fields) => {
            let own = |key: &str| if key.starts_with('$') { format!("${key}") } else { key.to_owned() };
            Json::Object(fields.iter().map(|(key, one)| (own(key), value(one, of))).collect())
        }
        Value::Element(name) => match of.meaning.named(name) {
            Some(id) => json!({ "$element": id.number() }),
            None => json!({ "$name": &**name }),
        },
        Value::Unknown(unknown) => {
            let nature = match unknown.why.nature() {
                Nature::Input => "input",
                Nature::Deployment => "deployment",
                Nature::Open => "open",
                Nature::Wrong => "wrong",
            };
            json!({ "$unknown": { "why": unknown.why.to_string(), "nature": nature } })
        }
        Value::Secret(digest) => json!({ "$secret": &**digest }),
        Value::Contents { file, digest } => json!({ "$contents": { "file": &**file, "digest": &**digest } }),
    }
}
