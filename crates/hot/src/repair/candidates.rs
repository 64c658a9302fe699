//! The repertoire: changes that could be made to a template because of what is wrong with it.
//!
//! They change the values that a finding points at, add what its rule or its help speaks of, or take something away.
//! They come from the template itself and from Heat's catalogue. Whether one helps is not for this module to say.

use std::fmt::Write;

use ipnet::IpNet;
use locus_schema::{Constraint, Property, Type};
use locus_source::edit::are_disjoint;
use locus_source::{Edit, Finding, Place, SourceFile, words};

use super::addresses::{free_addresses, free_network};
use super::protection;
use super::slots::{Keys, Slot, Written, providing};
use crate::catalogue::{ResourceType, by_sig_name, resource_type};
use crate::library;
use crate::template::{Resource, Template};

/// One kind of change.
type Way<W> = fn(&W) -> Vec<Candidate>;

/// So many resources of one type are tried.
const ADDED: usize = 24;

/// A change that could be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    pub(super) edits: Vec<Edit>,
    /// The new resource in it.
    pub(super) added: Option<Added>,
}

/// A new resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Added {
    /// Its type.
    pub(super) kind: &'static str,
    /// The name in the edit: every candidate has a name of its own.
    pub(super) name: String,
    /// The preferred name.
    pub(super) wanted: String,
}

impl Candidate {
    fn new(edits: Vec<Edit>) -> Self {
        Self { edits, added: None }
    }

    /// Whether it can be made together with another.
    pub(super) fn fits(&self, other: &Self) -> bool {
        self.edits.iter().all(|a| other.edits.iter().all(|b| are_disjoint(a, b)))
    }
}

/// How far changes go.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Reach {
    /// Names that the help of a finding gives, and two values in each other's place: what a person would try first.
    Slips,
    /// Other values, and something more.
    More,
    /// Also something less.
    All,
}

impl Reach {
    pub(super) const ALL: [Self; 3] = [Self::Slips, Self::More, Self::All];
}

/// All candidates for some findings, from the plainest to the largest change, up to a number.
pub(super) fn candidates(
    file: &SourceFile,
    template: &Template,
    findings: &[&Finding],
    reach: Reach,
    most: usize,
) -> Vec<Candidate> {
    let written = Written::of(template, file.id());
    let looks: Vec<Look<'_>> =
        findings.iter().map(|finding| Look::new(file, template, &written, finding)).collect();
    let mut all: Vec<Candidate> = Vec::new();
    for (_, way) in Look::ways().into_iter().filter(|(needed, _)| *needed <= reach) {
        for one in looks.iter().flat_map(way) {
            if all.len() < most && !all.iter().any(|known| known.edits == one.edits) {
                all.push(one);
            }
        }
    }
    // Two new resources are two, even if either of them alone would have the same name.
    let mut taken: Vec<String> = Vec::new();
    for added in all.iter_mut().filter_map(|candidate| {
        let edit = candidate.edits.first_mut();
        candidate.added.as_mut().zip(edit)
    }) {
        let (added, edit) = added;
        let name = new_name(template, &added.wanted, &taken);
        edit.text = edit.text.replacen(&format!("{}:", added.name), &format!("{name}:"), 1);
        added.name.clone_from(&name);
        taken.push(name);
    }
    all
}

/// A name like the one wanted that no resource has, and that is not taken.
pub(super) fn new_name(template: &Template, wanted: &str, taken: &[String]) -> String {
    let mut name = wanted.to_owned();
    let mut number = 1;
    while template.resource(&name).is_some() || taken.contains(&name) {
        number += 1;
        name = format!("{wanted}_{number}");
    }
    name
}

/// A template, seen with one finding in mind.
struct Look<'t> {
    file: &'t SourceFile,
    template: &'t Template,
    written: &'t Written<'t>,
    /// The values that the finding points at, by number; those of its main place first.
    slots: Vec<usize>,
    /// The maps that it points at, or into.
    maps: Vec<usize>,
    /// The resources that it points at, or into.
    resources: Vec<&'t Resource>,
    /// The types that its help speaks of, and those that its rule does.
    helpful: Vec<&'static ResourceType>,
    spoken_of: Vec<&'static ResourceType>,
    /// All words of both.
    words: Vec<String>,
    /// The message of the finding, its help, and its main place.
    message: String,
    help: String,
    primary: Place,
}

impl<'t> Look<'t> {
    fn new(
        file: &'t SourceFile,
        template: &'t Template,
        written: &'t Written<'t>,
        finding: &Finding,
    ) -> Self {
        let labels = std::iter::once(&finding.primary).chain(&finding.secondary);
        let places: Vec<Place> =
            labels.map(|label| label.place).filter(|place| place.file == file.id()).collect();
        let (mut slots, mut maps) = (Vec::new(), Vec::new());
        let mut resources: Vec<&Resource> = Vec::new();
        for place in &places {
            let span = place.span;
            let covers = |at: &usize| {
                let own = written.slots[*at].datum.place.span;
                span.start <= own.start && own.end <= span.end
            };
            extend(&mut slots, (0..written.slots.len()).filter(covers));
            let meets = |at: &usize| {
                let keys = &written.maps[*at];
                let named = keys.resource.name.place.span == span;
                named || (span.start < keys.span.end && keys.span.start < span.end)
            };
            extend(&mut maps, (0..written.maps.len()).filter(meets));
            let before = |resource: &&Resource| resource.name.place.span.start <= span.start;
            if let Some(own) = template.resources.iter().rev().find(before)
                && !resources.iter().any(|known| std::ptr::eq(*known, own))
            {
                resources.push(own);
            }
        }
        let rule = library::FILES.rules().find(|(_, rule)| rule.description.rule.code == finding.code);
        let rule = rule.map_or("", |(_, rule)| rule.text);
        let help = finding.help.as_deref().unwrap_or_default();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let words = |text: &str| -> Vec<String> {
            text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let full_names = help.split(|c: char| !is_part(c) && c != ':').map(|word| word.trim_matches(':'));
        let helpful: Vec<_> = full_names.filter_map(resource_type).collect();
        let mut spoken_of: Vec<_> = words(rule).iter().filter_map(|word| by_sig_name(word)).collect();
        spoken_of.dedup_by(|a, b| a.name == b.name);
        let words = [words(rule), words(help)].concat();
        let (message, help) = (finding.message.clone(), help.to_owned());
        let primary = finding.primary.place;
        Self {
            file,
            template,
            written,
            slots,
            maps,
            resources,
            helpful,
            spoken_of,
            words,
            message,
            help,
            primary,
        }
    }

    /// All ways to change something, from the plainest on.
    fn ways() -> [(Reach, Way<Self>); 9] {
        [
            (Reach::Slips, Self::spelled),
            (Reach::Slips, Self::renamed),
            (Reach::Slips, Self::exchanged),
            (Reach::More, Self::other_values),
            (Reach::More, Self::added_by_help),
            (Reach::More, Self::more_keys),
            (Reach::More, Self::order),
            (Reach::All, Self::removed),
            (Reach::All, Self::added_by_rule),
        ]
    }

    /// The word that the help has for one that the message names.
    fn spelled(&self) -> Vec<Candidate> {
        let Some(meant) = self.help.strip_prefix("did you mean ").and_then(|rest| rest.split('`').nth(1))
        else {
            return Vec::new();
        };
        let place = self.primary;
        if place.file != self.file.id() {
            return Vec::new();
        }
        let written = self.file.slice(place.span);
        let is_part = |c: char| c.is_alphanumeric() || "_-:.".contains(c);
        // Every second piece of a message between backticks is a word of the template, or a path to it.
        let wrong =
            self.message.split('`').skip(1).step_by(2).map(|name| name.rsplit('.').next().unwrap_or(name));
        wrong
            .filter(|wrong| !wrong.is_empty() && *wrong != meant)
            .flat_map(|wrong| written.match_indices(wrong))
            .filter(|(at, wrong)| {
                let around = (written[..*at].chars().next_back(), written[at + wrong.len()..].chars().next());
                ![around.0, around.1].into_iter().flatten().any(is_part)
            })
            .map(|(at, wrong)| {
                let start = place.span.start as usize + at;
                Candidate::new(vec![Edit { range: start..start + wrong.len(), text: meant.to_owned() }])
            })
            .collect()
    }

    /// A property by its new name.
    fn renamed(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        for keys in self.maps.iter().map(|&at| &self.written.maps[at]) {
            for field in keys.given {
                let new =
                    keys.known.iter().find(|property| property.old_name.as_deref() == Some(&*field.key));
                let free = |new: &&Property| !keys.given.iter().any(|other| *other.key == *new.name);
                if let Some(new) =
                    new.filter(free).filter(|_| self.file.slice(field.place.span) == &*field.key)
                {
                    let edit = Edit { range: field.place.span.range(), text: new.name.to_string() };
                    all.push(Candidate::new(vec![edit]));
                }
            }
        }
        all
    }

    fn touched(&self) -> impl Iterator<Item = &'t Slot<'t>> {
        self.slots.iter().map(|&at| &self.written.slots[at])
    }

    fn source(&self, slot: &Slot<'_>) -> &'t str {
        self.file.slice(slot.datum.place.span)
    }

    /// Another value instead of one that the finding points at.
    fn other_values(&self) -> Vec<Candidate> {
        let other = |slot: &'t Slot<'t>| {
            let values = self.values_for(slot.property, Some(slot));
            let values = values.into_iter().filter(|text| !protection::weakens(slot, text));
            values.map(move |text| Candidate::new(vec![replace(slot, text)]))
        };
        self.touched().flat_map(other).collect()
    }

    /// The other values that a property could have, as they would be written.
    fn values_for(&self, property: &Property, slot: Option<&Slot<'_>>) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        if let Some(kind) = property.names_kind() {
            values.extend(self.things(kind));
            let own = slot.map(|slot| format!("{{ get_resource: {} }}", slot.resource.name.text));
            values.retain(|value| own.as_ref() != Some(value));
        } else if let Some(text) = slot.and_then(|slot| slot.datum.as_str()) {
            let all = self.written.texts();
            let networks = || all.iter().filter_map(|text| text.parse::<IpNet>().ok());
            if let Ok(own) = text.parse::<IpNet>() {
                let taken: Vec<IpNet> = networks().collect();
                values.extend(free_network(&own, &taken).map(|net| net.to_string()));
            } else if text.parse::<std::net::IpAddr>().is_ok() {
                values.extend(networks().flat_map(|network| free_addresses(&network, &all)));
            }
        }
        for constraint in &property.constraints {
            if let Constraint::AllowedValues(allowed) = constraint {
                let texts: Vec<String> =
                    allowed.iter().filter_map(|one| one.0.to_text()).map(|text| text.to_string()).collect();
                // What was meant, if it is a slip.
                let now = slot.and_then(|slot| slot.datum.as_str()).unwrap_or_default();
                let near = words::nearest(now, texts.iter().map(|text| (text.as_str(), text.clone())));
                values.extend(near);
                values.extend(texts.into_iter().take(16));
            }
        }
        if property.kind == Type::Boolean {
            values.extend(["true", "false"].map(str::to_owned));
        }
        if matches!(property.kind, Type::Integer | Type::Number) {
            let alike = self.touched().filter(|other| other.property.kind == property.kind);
            values.extend(alike.map(|other| self.source(other).to_owned()));
        }
        let now = slot.map(|slot| self.source(slot));
        let mut seen = Vec::new();
        values.retain(|value| Some(value.as_str()) != now);
        extend(&mut seen, values.into_iter());
        seen
    }

    /// How the template names things of a kind: as it does elsewhere, by a parameter for such, as its own resources.
    fn things(&self, kind: &str) -> Vec<String> {
        let same = |other: &&Slot<'_>| other.property.names_kind() == Some(kind);
        let mut names: Vec<String> =
            self.written.slots.iter().filter(same).map(|other| self.source(other).to_owned()).collect();
        let is_for =
            |constraint: &Constraint| matches!(constraint, Constraint::Custom(name) if **name == *kind);
        let parameters = self.template.parameters.iter();
        let parameters =
            parameters.filter(|parameter| parameter.constraints.iter().any(|(one, _)| is_for(one)));
        names.extend(parameters.map(|parameter| format!("{{ get_param: {} }}", parameter.name.text)));
        let own = providing(self.template, kind);
        names.extend(own.into_iter().map(|name| format!("{{ get_resource: {name} }}")));
        names
    }

    /// Two values in each other's place.
    fn exchanged(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        for (i, a) in self.touched().enumerate() {
            for b in self.touched().skip(i + 1) {
                let alike =
                    a.property.kind == b.property.kind && a.property.names_kind() == b.property.names_kind();
                let (first, second) = (self.source(a).to_owned(), self.source(b).to_owned());
                let ends =
                    std::ptr::eq(a.resource, b.resource) && are_ends(&a.property.name, &b.property.name);
                if alike && ends && first != second {
                    all.push(Candidate::new(vec![replace(a, second), replace(b, first)]));
                }
            }
        }
        all
    }

    /// A property more, in a map that the finding points at, if the rule or the help speaks of it.
    fn more_keys(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        for keys in self.maps.iter().map(|&at| &self.written.maps[at]) {
            let absent = |property: &&Property| {
                property.status.is_none()
                    && !keys.given.iter().any(|field| *field.key == *property.name)
                    && self
                        .words
                        .iter()
                        .any(|word| word.strip_prefix("prop_").unwrap_or(word) == &*property.name)
            };
            for property in keys.known.iter().filter(absent) {
                let values = self.values_for(property, None);
                for value in values.into_iter().filter(|value| !protection::opens(property, value)) {
                    all.extend(self.with_key(keys, &format!("{}: {value}", property.name)));
                }
            }
        }
        all
    }

    /// Writes a key and its value before the first one of a map.
    fn with_key(&self, keys: &Keys<'_>, entry: &str) -> Option<Candidate> {
        let at = keys.span.start as usize;
        let text = self.file.text();
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = &text[line..at];
        let text = if before.chars().all(|c| c == ' ' || c == '-') {
            format!("{entry}\n{}", " ".repeat(before.len()))
        } else if before.trim_end().ends_with('{') {
            format!("{entry}, ")
        } else {
            return None;
        };
        Some(Candidate::new(vec![Edit { range: at..at, text }]))
    }

    /// One resource after another, of those that the finding points at.
    fn order(&self) -> Vec<Candidate> {
        let mut all = Vec::new();
        if !self.words.iter().any(|word| word == "depends_on") {
            return all;
        }
        let text = self.file.text();
        for first in &self.resources {
            for second in self.resources.iter().filter(|second| second.name.text != first.name.text) {
                let kind = second.type_name.place.span;
                let line = text[..kind.start as usize].rfind('\n').map_or(0, |end| end + 1);
                let key = text[line..kind.start as usize].find("type").map(|at| line + at);
                let indent = key.map(|key| &text[line..key]).filter(|indent| indent.trim().is_empty());
                let (Some(key), Some(indent)) = (key, indent) else { continue };
                if second.depends_on.is_empty() {
                    let text = format!("depends_on: {}\n{indent}", first.name.text);
                    all.push(Candidate::new(vec![Edit { range: key..key, text }]));
                }
            }
        }
        all
    }

    /// Without a property, where Heat does not ask for it and it has lines of its own.
    fn removed(&self) -> Vec<Candidate> {
        let text = self.file.text();
        let edit = |slot: &Slot<'_>| {
            let key = slot.key.filter(|_| !slot.property.required && !protection::needs(slot))?;
            let start = text[..key.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
            let end = slot.datum.place.span.end as usize;
            let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
            let alone = text[start..key.span.start as usize].trim().is_empty();
            alone.then(|| Candidate::new(vec![Edit { range: start..end, text: String::new() }]))
        };
        self.touched().filter_map(edit).collect()
    }

    fn added_by_help(&self) -> Vec<Candidate> {
        self.helpful.iter().flat_map(|kind| self.added(kind)).collect()
    }

    fn added_by_rule(&self) -> Vec<Candidate> {
        self.spoken_of.iter().flat_map(|kind| self.added(kind)).collect()
    }

    /// New resources of a type all of whose needs the template can meet, behind the last one.
    fn added(&self, kind: &'static ResourceType) -> Vec<Candidate> {
        let Some((indent, at)) = self.end_of_resources() else { return Vec::new() };
        let mut choices: Vec<Vec<(&str, String)>> = vec![Vec::new()];
        for property in kind.properties.iter().filter(|property| property.required) {
            choices = self.with_each(&choices, property);
        }
        // A resource that only names others may need one more of them.
        let optional = kind.properties.iter().filter(|property| {
            !property.required && property.status.is_none() && property.names_kind().is_some()
        });
        let more: Vec<_> = optional.flat_map(|property| self.with_each(&choices, property)).collect();
        choices.extend(more);
        choices.retain(|properties| !properties.is_empty());
        let short = kind.name.rsplit("::").next().unwrap_or("resource");
        let name = snake(short);
        let write = |properties: Vec<(&str, String)>| {
            let mut text =
                format!("\n{indent}{name}:\n{indent}  type: {}\n{indent}  properties:\n", kind.name);
            for (key, value) in properties {
                let _ = writeln!(text, "{indent}    {key}: {value}");
            }
            Candidate {
                edits: vec![Edit { range: at..at, text }],
                added: Some(Added { kind: &kind.name, name: name.clone(), wanted: name.clone() }),
            }
        };
        choices.into_iter().take(ADDED).map(write).collect()
    }

    fn with_each<'p>(
        &self,
        choices: &[Vec<(&'p str, String)>],
        property: &'p Property,
    ) -> Vec<Vec<(&'p str, String)>> {
        let things = property.names_kind().map(|kind| self.things(kind)).unwrap_or_default();
        let mut names: Vec<String> = Vec::new();
        extend(&mut names, things.into_iter());
        let extend = |choice: &Vec<(&'p str, String)>, name: &str| {
            let mut longer = choice.clone();
            longer.push((&*property.name, name.to_owned()));
            longer
        };
        choices.iter().flat_map(|choice| names.iter().map(|name| extend(choice, name))).take(ADDED).collect()
    }

    /// How far resources are indented, and where the last one ends, if they stand on lines of their own.
    fn end_of_resources(&self) -> Option<(String, usize)> {
        let text = self.file.text();
        let last: &Resource = self.template.resources.last()?;
        let start = last.name.place.span.start as usize;
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let indent = text.get(line..start).filter(|indent| !indent.is_empty() && indent.trim().is_empty())?;
        // The resource ends before the first line that is indented no more than its name.
        let mut end = text.len();
        let mut at = text[start..].find('\n').map_or(text.len(), |found| start + found + 1);
        while at < text.len() {
            let next = text[at..].find('\n').map_or(text.len(), |found| at + found + 1);
            let own = &text[at..next];
            let depth = own.len() - own.trim_start_matches(' ').len();
            if !own.trim().is_empty() && depth <= indent.len() {
                end = at;
                break;
            }
            at = next;
        }
        let trimmed = text[..end].trim_end().len();
        text[trimmed..].starts_with('\n').then(|| (indent.to_owned(), trimmed + 1))
    }
}

/// Whether two properties are the two ends of something.
fn are_ends(a: &str, b: &str) -> bool {
    const ENDS: [(&str, &str); 3] = [("start", "end"), ("min", "max"), ("first", "last")];
    ENDS.iter().any(|(low, high)| {
        (a.contains(low) && a.replacen(low, high, 1) == b)
            || (b.contains(low) && b.replacen(low, high, 1) == a)
    })
}

/// Adds what is not there yet.
fn extend<T: PartialEq>(list: &mut Vec<T>, more: impl Iterator<Item = T>) {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
}

fn replace(slot: &Slot<'_>, text: String) -> Edit {
    Edit { range: slot.datum.place.span.range(), text }
}

/// `RouterInterface` as `router_interface`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}
