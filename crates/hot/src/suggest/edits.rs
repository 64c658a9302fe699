//! What can be tried: changes of the values that a finding points at, and resources that may be missing.

use std::fmt::Write;

use ipnet::IpNet;
use locus_source::{Finding, Place, SourceFile};

use super::Edit;
use super::addresses::{free_addresses, free_network};
use super::slots::{Slot, providing, slots, texts};
use crate::alloy_types::by_module_name;
use crate::catalogue::{ResourceType, Type};
use crate::constraint::Constraint;
use crate::library;
use crate::template::{Resource, Template};
use crate::value::Value;

/// What can be tried for a finding.
pub(super) struct Proposals<'t> {
    file: &'t SourceFile,
    template: &'t Template,
    slots: Vec<Slot<'t>>,
    /// The slots that the finding points at, by number.
    touched: Vec<usize>,
    /// The types that the rule speaks of.
    types: Vec<&'static ResourceType>,
}

impl<'t> Proposals<'t> {
    pub(super) fn new(file: &'t SourceFile, template: &'t Template, finding: &Finding) -> Self {
        let slots = slots(template, file.id());
        let places: Vec<_> = std::iter::once(&finding.primary)
            .chain(&finding.secondary)
            .map(|label| label.place)
            .filter(|place| place.file == file.id())
            .collect();
        // The main place first: a change there is what the reader expects.
        let within = |at: &usize, place: &Place| {
            let own = slots[*at].datum.place.span;
            place.span.start <= own.start && own.end <= place.span.end
        };
        let mut touched: Vec<usize> = Vec::new();
        for place in &places {
            let more: Vec<usize> =
                (0..slots.len()).filter(|at| within(at, place) && !touched.contains(at)).collect();
            touched.extend(more);
        }
        let rule = library::rules().find(|(_, rule)| rule.description.rule.code == finding.code);
        let types = rule.map(|(_, rule)| types_in(rule.text)).unwrap_or_default();
        Self { file, template, slots, touched, types }
    }

    /// Changes, from the plainest to the largest: another value, values exchanged, no value, another resource.
    pub(super) fn single(&self) -> Vec<Vec<Edit>> {
        let mut proposals: Vec<Vec<Edit>> = Vec::new();
        for &at in &self.touched {
            for text in self.other_values(&self.slots[at]) {
                proposals.push(vec![replace(&self.slots[at], text)]);
            }
        }
        for (i, &a) in self.touched.iter().enumerate() {
            for &b in &self.touched[i + 1..] {
                proposals.extend(self.exchanged(a, b));
            }
        }
        for &at in &self.touched {
            proposals.extend(self.removed(&self.slots[at]).map(|edit| vec![edit]));
        }
        for kind in &self.types {
            proposals.extend(self.added(kind).into_iter().map(|edit| vec![edit]));
        }
        proposals
    }

    fn source(&self, slot: &Slot<'_>) -> &str {
        self.file.slice(slot.datum.place.span)
    }

    /// What else a value could be, as it would be written.
    fn other_values(&self, slot: &Slot<'_>) -> Vec<String> {
        let mut values: Vec<String> = Vec::new();
        if let Some(kind) = slot.property.names_kind() {
            // How the template names such a thing elsewhere, and then its own resources.
            let same = |other: &&Slot<'_>| other.property.names_kind() == Some(kind);
            values.extend(self.slots.iter().filter(same).map(|other| self.source(other).to_owned()));
            let own =
                providing(self.template, kind).into_iter().filter(|name| **name != *slot.resource.name.text);
            values.extend(own.map(|name| format!("{{ get_resource: {name} }}")));
        } else if let Value::Str(text) = &slot.datum.value {
            let all = texts(&self.slots);
            let networks = || all.iter().filter_map(|text| text.parse::<IpNet>().ok());
            if let Ok(own) = text.parse::<IpNet>() {
                let taken: Vec<IpNet> = networks().collect();
                values.extend(free_network(&own, &taken).map(|net| net.to_string()));
            } else if text.parse::<std::net::IpAddr>().is_ok() {
                values.extend(networks().flat_map(|network| free_addresses(&network, &all)));
            }
        }
        for constraint in &slot.property.constraints {
            if let Constraint::AllowedValues(allowed) = constraint {
                values.extend(
                    allowed.iter().take(16).filter_map(|one| one.0.to_text()).map(|text| text.to_string()),
                );
            }
        }
        if slot.property.kind == Type::Boolean {
            values.extend(["true", "false"].map(str::to_owned));
        }
        values.retain(|value| value != self.source(slot));
        let mut seen = Vec::new();
        values.retain(|value| {
            !seen.contains(value) && {
                seen.push(value.clone());
                true
            }
        });
        values
    }

    /// Two values in each other's place.
    fn exchanged(&self, a: usize, b: usize) -> Option<Vec<Edit>> {
        let (a, b) = (&self.slots[a], &self.slots[b]);
        let alike = a.property.kind == b.property.kind && a.property.names_kind() == b.property.names_kind();
        let (first, second) = (self.source(a).to_owned(), self.source(b).to_owned());
        (alike && first != second).then(|| vec![replace(a, second), replace(b, first)])
    }

    /// Without a property, where Heat does not ask for it and it has lines of its own.
    fn removed(&self, slot: &Slot<'_>) -> Option<Edit> {
        let key = slot.key.filter(|_| !slot.property.required)?;
        let text = self.file.text();
        let start = text[..key.span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        let end = slot.datum.place.span.end as usize;
        let end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
        let alone = text[start..key.span.start as usize].trim().is_empty();
        alone.then(|| Edit { range: start..end, text: String::new() })
    }

    /// New resources of a type all of whose needs the template can meet, behind the last one.
    fn added(&self, kind: &ResourceType) -> Vec<Edit> {
        let Some((indent, at)) = self.end_of_resources() else { return Vec::new() };
        let needs: Vec<_> = kind.properties.iter().filter(|property| property.required).collect();
        let mut choices: Vec<Vec<(String, String)>> = vec![Vec::new()];
        let optional = kind.properties.iter().filter(|property| {
            !property.required && property.status.is_none() && property.names_kind().is_some()
        });
        for property in needs {
            choices = self.with_each(&choices, &property.name, property.names_kind().unwrap_or_default());
        }
        // A resource that only names others may need one more of them.
        let more: Vec<_> = optional
            .flat_map(|property| {
                self.with_each(&choices, &property.name, property.names_kind().unwrap_or_default())
            })
            .collect();
        choices.extend(more);
        choices.retain(|properties| !properties.is_empty());
        let short = kind.name.rsplit("::").next().unwrap_or("resource");
        let name = self.new_name(&snake(short));
        let write = |properties: Vec<(String, String)>| {
            let mut text =
                format!("\n{indent}{name}:\n{indent}  type: {}\n{indent}  properties:\n", kind.name);
            for (key, value) in properties {
                let _ = writeln!(text, "{indent}    {key}: {{ get_resource: {value} }}");
            }
            Edit { range: at..at, text }
        };
        choices.into_iter().take(64).map(write).collect()
    }

    fn with_each(
        &self,
        choices: &[Vec<(String, String)>],
        key: &str,
        kind: &str,
    ) -> Vec<Vec<(String, String)>> {
        let names = providing(self.template, kind);
        let extend = |choice: &Vec<(String, String)>, name: &str| {
            let mut longer = choice.clone();
            longer.push((key.to_owned(), name.to_owned()));
            longer
        };
        choices.iter().flat_map(|choice| names.iter().map(|name| extend(choice, name))).take(64).collect()
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

    fn new_name(&self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while self.template.resource(&name).is_some() {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        name
    }
}

fn replace(slot: &Slot<'_>, text: String) -> Edit {
    let span = slot.datum.place.span;
    Edit { range: span.start as usize..span.end as usize, text }
}

/// The types whose signatures a rule mentions.
fn types_in(rule: &str) -> Vec<&'static ResourceType> {
    let words = rule.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut types: Vec<&ResourceType> = words.filter_map(by_module_name).collect();
    types.dedup_by(|a, b| a.name == b.name);
    types
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
