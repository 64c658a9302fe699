//! A meaning for people.

use std::fmt::Write as _;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use locus_graph::Alike;
use locus_meaning::shown::{Masker, Shown as Value};
use locus_meaning::written::{self, Within};
use locus_meaning::{
    Activity, Element, Key, Need, Needed, OnChange, Process, Removal, Replacement, Segment, Standing, Step,
    ThingId,
};
use locus_schema::Field;
use locus_source::Place;

use super::{Shown, on_change};
use crate::page::Page;
use crate::report::counted;

/// So many characters of a value are shown.
const LONGEST: usize = 200;

pub(super) fn write(shown: &Shown<'_>, masker: &mut Masker, page: &mut Page) {
    let meaning = shown.meaning;
    page.line(&format!(
        "{}: {}: {}, {}, {} of a deployment",
        shown.name,
        shown.language.1,
        counted(meaning.elements().count(), "element"),
        counted(shown.locations(), "location"),
        counted(shown.things() as usize, "thing"),
    ));
    let mut writer = Writer { shown, masker, page };
    for (id, element) in meaning.elements() {
        writer.element(id, element);
    }
    writer.milestones();
    let workflows = meaning.given_workflows();
    for (name, steps) in [("deploy", &workflows.deploy), ("undeploy", &workflows.undeploy)] {
        writer.workflow(name, steps);
    }
    if !shown.errors.is_empty() {
        let count = counted(shown.errors.len(), "error");
        page.line(
            &format!("\nnot complete: {count}; what could not be understood is not shown").replace('\n', ""),
        );
    }
}

struct Writer<'w, 'm> {
    shown: &'w Shown<'w>,
    masker: &'m mut Masker,
    page: &'m mut Page,
}

impl Writer<'_, '_> {
    fn at(&self, place: Place) -> String {
        self.shown.place(place).map_or_else(String::new, |place| self.shown.sources.describe(place))
    }

    /// The name of an element as others refer to it.
    fn name(&self, id: ThingId) -> String {
        let element = self.shown.meaning.element(id);
        format!("{} {}", element.sort, element.label)
    }

    fn fact(&mut self, word: &str, text: &str) {
        self.page.line(format!("  {word:<12} {text}").trim_end());
    }

    fn element(&mut self, id: ThingId, element: &Element<'_>) {
        self.page.text("\n");
        self.page.styled(Style::new().bold(), &element.label.replace('\n', "␤"));
        self.page.line(&format!("  {}  {}", element.sort, self.at(element.place)));
        self.fact("key", &key(&element.key));
        if element.name != element.label {
            self.fact("location", &element.name);
        }
        match element.standing {
            Standing::Defined => {}
            Standing::Member(of) => self.fact("made by", &self.name(of)),
            Standing::Inside(of) => self.fact("in place of", &self.name(of)),
            Standing::Existing => self.fact("exists", "already; the document names it"),
        }
        if element.adopted {
            self.fact("exists", "already; the document stands for it");
        }
        if !element.drawn {
            self.fact("seen by", "rules alone");
        }
        if let Some(condition) = element.certainty.condition() {
            self.fact("only if", condition);
        }
        match element.certainty.alike() {
            Alike::Exactly(1) => {}
            Alike::Exactly(count) => self.fact("stands for", &format!("{count} that are alike")),
            Alike::AnyNumber => self.fact("stands for", "any number that are alike"),
        }
        if element.copies.count != 1 || element.copies.place.is_some() {
            let at = element.copies.place.map(|place| format!("  {}", self.at(place)));
            self.fact("copies", &format!("{}{}", element.copies.count, at.unwrap_or_default()));
        }
        if let Some(within) = element.within
            && let Some((_, one)) = self.shown.meaning.enclosures().find(|(id, _)| *id == within)
        {
            let name = one.name.to_string();
            self.fact("box", &name);
        }
        if let Some(says) = &element.says {
            let says = inline(&self.masker.text(says), self.shown, Within::Map);
            self.fact("process", &says);
        }
        self.fields("    ", &element.properties);
        if !element.complete {
            self.page.line("    …: not all attributes are known by name");
        }
        self.roles(id, element);
        if let Some(process) = &element.process {
            self.process(element, process);
        }
    }

    fn roles(&mut self, id: ThingId, element: &Element<'_>) {
        for link in &element.links {
            let role = link.role.as_deref().map_or_else(String::new, |role| format!(" the role `{role}`"));
            let number = if link.number == 1 { String::new() } else { format!(" {} of", link.number) };
            let sort = link.relationship.as_ref().map_or_else(String::new, |one| format!(", {}", one.sort));
            let hidden = if link.drawn { "" } else { ", not drawn" };
            let (to, at) = (self.name(link.to), self.at(link.place));
            self.fact("requires", &format!("{to}:{number}{role} by {}{sort}{hidden}  {at}", link.by));
            self.fields("      ", &link.attributes);
        }
        for (to, by, place) in self.shown.meaning.used_by(id) {
            let (to, at) = (self.name(to), self.at(place));
            self.fact("requires", &format!("{to}: by {by}  {at}"));
        }
        for open in &element.open {
            self.fact("requires", &format!("the role `{}`, which nothing provides", open.role));
            self.fields("      ", &open.attributes);
        }
        for offer in &element.offers {
            self.fact("provides", &format!("the role `{}`  {}", offer.role, self.at(offer.place)));
            self.fields("      ", &offer.attributes);
        }
    }

    fn process(&mut self, element: &Element<'_>, process: &Process) {
        let sort = process.sort.as_deref().unwrap_or(&element.sort);
        let name = process.name.as_deref().unwrap_or(&element.label);
        self.fact("deployed as", &format!("{sort} {name}"));
        let mut phases = process.phases.join(", ");
        if !process.endings.is_empty() {
            let _ = write!(phases, "; before it goes {}", process.endings.join(", "));
        }
        if process.in_effect != 0 {
            let _ = write!(phases, "; in effect from {}", process.phases[process.in_effect]);
        }
        self.fact("phases", &phases);
        if process.holds_data {
            self.fact("holds", "data that is lost when it is deleted");
        }
        for need in &process.needs {
            let text = self.need(process, need);
            self.fact("needs", &text);
        }
        for one in &process.attributes {
            let value = inline(&self.masker.value(&one.name, &one.value), self.shown, Within::Nothing);
            let change = match one.on_change {
                OnChange::InPlace => String::new(),
                other => format!("  (on change: {})", on_change(other)),
            };
            self.page.line(&format!("    {} = {}{change}", one.name, cut(&value)));
        }
        if process.removal == Removal::Leave {
            self.fact("removal", "it stays when it is no longer described");
        }
        if let Replacement::OldFirst { before } = process.replacement {
            let phase = process.phases[before].to_string();
            self.fact("replaced", &format!("the old one stops before the new one is {phase}"));
        }
        if let Some(why) = &process.renewed {
            self.fact("replaced", &format!("at every update: {why}"));
        }
        if let Some(programs) = &process.programs {
            for (operation, file) in &programs.operations {
                self.fact("program", &format!("{operation}: {file}"));
            }
        }
    }

    fn need(&self, process: &Process, need: &Need) -> String {
        let mut text = match need.to {
            Needed::All(id) | Needed::InTurn(id, 1) => self.name(id),
            Needed::First(id) => format!("the first copy of {}", self.name(id)),
            Needed::InTurn(id, number) => format!("{number} of {}, in turn", self.name(id)),
            Needed::Milestone(index) => format!("all of: {}", self.shown.meaning.milestones()[index].name),
        };
        if let Some(phase) = &need.phase {
            let _ = write!(text, " {phase}");
        }
        let own = process.phases.get(need.at).map_or("", |phase| phase);
        let _ = write!(text, " before {own}");
        if need.only_to_start {
            text.push_str(", to start only");
        }
        if let Some(via) = &need.via {
            let _ = write!(text, ", by {via}");
        }
        text
    }

    fn fields(&mut self, indent: &str, fields: &[Field]) {
        for field in fields {
            let shown = self.masker.value(&field.key, &field.value);
            let value = inline(&shown, self.shown, Within::Nothing);
            let at = if matches!(shown, Value::Unknown(_)) {
                format!("  {}", self.at(field.value.place))
            } else {
                String::new()
            };
            self.page.line(&format!("{indent}{}: {}{at}", field.key, cut(&value)));
        }
    }

    fn milestones(&mut self) {
        for one in self.shown.meaning.milestones() {
            let members: Vec<String> = one.members.iter().map(|&id| self.name(id)).collect();
            self.page.text("\n");
            self.page.styled(Style::new().bold(), &one.name.replace('\n', "␤"));
            self.page.line("  milestone");
            self.fact("stands for", &cut(&members.join(", ")));
        }
    }

    fn workflow(&mut self, name: &str, steps: &[Step]) {
        if steps.is_empty() {
            return;
        }
        self.page.text("\n");
        self.page.styled(AnsiColor::Cyan.on_default(), &format!("the workflow {name}"));
        self.page.text("\n");
        for (at, step) in steps.iter().enumerate() {
            let activity = |one: &Activity| match one {
                Activity::Call(name) => format!("calls {name}"),
                Activity::State(name) => format!("is {name}"),
                Activity::Lifecycle => "goes through its lifecycle".to_owned(),
            };
            let activities: Vec<String> = step.activities.iter().map(activity).collect();
            let targets: Vec<String> = step.targets.iter().map(|&id| self.name(id)).collect();
            let next: Vec<String> = step.next.iter().map(|next| (next + 1).to_string()).collect();
            let next = if next.is_empty() { String::new() } else { format!("; then {}", next.join(", ")) };
            self.page.line(&format!("  {}: {} {}{next}", at + 1, targets.join(", "), activities.join(", ")));
        }
    }
}

fn key(key: &Key) -> String {
    let segment = |segment: &Segment| match segment {
        Segment::Name(name) => written::text(name, Within::List).into_owned(),
        Segment::Number(number) => format!("#{number}"),
    };
    key.segments().iter().map(segment).collect::<Vec<_>>().join(" / ")
}

/// As much of a text as is shown of a value.
fn cut(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST).collect();
    format!("{start}… ({count} characters; --format json has all)")
}

/// A value on one line.
fn inline(value: &Value, of: &Shown<'_>, within: Within) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Absent => "<nothing>".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::BigInt(digits) => digits.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) => written::scalar_text(text, within).into_owned(),
        Value::Masked(text) => text.to_string(),
        Value::List(items) => written::list(items.iter().map(|item| inline(item, of, Within::List))),
        Value::Map(fields) => {
            let entry =
                |(key, value): &(Arc<str>, Value)| written::entry(key, &inline(value, of, Within::Map));
            written::entries(fields.iter().map(entry))
        }
        Value::Element(name) => match of.meaning.named(name) {
            Some(id) => format!("<id of {}>", of.meaning.element(id).label),
            None => format!("<id of {name}>"),
        },
        Value::Unknown(unknown) => format!("<not known: {}>", unknown.why),
        Value::Secret(digest) => format!("<secret {digest}>"),
        Value::Contents { file, digest } => format!("<contents of {file}, {digest}>"),
    }
}
