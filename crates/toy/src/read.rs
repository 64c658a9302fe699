//! Reading: a file to things.

use std::sync::Arc;

use locus_language::Inputs;
use locus_schema::{Content, Datum, Field, Unknown};
use locus_source::words::{did_you_mean_word, short};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, Node, Place, Report, SourceFile, Span};

use crate::rules::{COUNT, FORM, KEY, KIND};
use crate::types::{self, Kind};
use crate::values;

/// A thing of a document.
pub(crate) struct Thing {
    pub(crate) name: Arc<str>,
    pub(crate) place: Place,
    pub(crate) kind: &'static Kind,
    /// How many there are of it; none if that is not known.
    pub(crate) count: Option<u32>,
    pub(crate) count_place: Option<Place>,
    pub(crate) properties: Vec<Field>,
}

/// A file that was read.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) findings: Vec<Finding>,
    pub(crate) comments: Vec<Span>,
    pub(crate) unknowns: Vec<Arc<Unknown>>,
    /// None if the file is no such document.
    pub(crate) things: Option<Vec<Thing>>,
}

pub(crate) fn read(file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    let options = YamlOptions { limits: inputs.limits.clone(), ..YamlOptions::default() };
    let parsed = yaml::parse(file, &options);
    let mut report = Report::default();
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    let mut reading = Reading { comments: parsed.comments, ..Reading::default() };
    if let [tree] = &parsed.documents[..] {
        reading.things = things(tree.root(), &inputs.parameters, &mut report);
    } else if parsed.documents.len() > 1 {
        report.say(&FORM, file.place(Span::point(0)), "a toy document is one document of YAML");
    }
    for thing in reading.things.iter().flatten() {
        let unknowns = &mut reading.unknowns;
        thing.properties.iter().for_each(|field| {
            field.value.each_unknown(&mut |unknown| unknowns.push(Arc::clone(unknown)));
        });
    }
    reading.findings = report.into_vec();
    reading
}

/// The things of a document; none if it is not one.
fn things(root: Node<'_>, parameters: &[(String, String)], report: &mut Report) -> Option<Vec<Thing>> {
    for entry in root.entries().filter(|entry| !["toy", "things"].contains(&entry.key.raw())) {
        unknown_key(entry.key, &["toy", "things"], report);
    }
    let Some(section) = root.get("things").filter(|section| section.is_mapping()) else {
        report.say(&FORM, root.place(), "a toy document has a map `things`");
        return None;
    };
    let mut all = Vec::new();
    for entry in section.entries() {
        all.extend(thing(entry.key, entry.value, parameters, report));
    }
    let names: Vec<Arc<str>> = all.iter().map(|thing| Arc::clone(&thing.name)).collect();
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    for Thing { kind, properties, place, .. } in &mut all {
        for field in &mut *properties {
            let property = kind.properties.iter().find(|property| *property.name == *field.key);
            values::located(field, property, &names, report);
        }
        values::check(kind, properties, *place, report);
    }
    Some(all)
}

fn thing(
    key: Node<'_>,
    node: Node<'_>,
    parameters: &[(String, String)],
    report: &mut Report,
) -> Option<Thing> {
    let name = key.raw();
    let Some(is) = node.get("is").filter(|_| node.is_mapping()) else {
        report.say(&FORM, key.use_place(), format!("`{}` must say what it `is`", short(name)));
        return None;
    };
    let Some(kind) = types::find(is.raw()) else {
        let finding = Finding::new(&KIND, is.use_place(), format!("there is no type `{}`", short(is.raw())));
        report.add(did_you_mean_word(finding, is.raw(), types::NAMES));
        return None;
    };
    let given = node.get("count").map(|count| values::value(count, parameters));
    let count = number(given.as_ref(), report);
    let properties = node.entries().filter(|entry| !["is", "count"].contains(&entry.key.raw()));
    let properties = properties.map(|entry| Field {
        key: entry.key.raw().into(),
        place: entry.key.use_place(),
        value: values::value(entry.value, parameters),
    });
    let properties = properties.collect();
    let count_place = given.map(|count| count.place);
    Some(Thing { name: name.into(), place: key.use_place(), kind, count, count_place, properties })
}

/// How many there are of a thing; none if that is not known.
fn number(given: Option<&Datum>, report: &mut Report) -> Option<u32> {
    let Some(given) = given else { return Some(1) };
    match &given.value {
        Content::Int(count @ 0..=100) => u32::try_from(*count).ok(),
        Content::Unknown(_) => None,
        _ => {
            let message = format!("`count` must be a number from 0 to 100, not {}", given.shown());
            report.say(&COUNT, given.place, message);
            None
        }
    }
}

fn unknown_key(key: Node<'_>, known: &[&'static str], report: &mut Report) {
    let message = format!("a toy document has no key `{}`", short(key.raw()));
    let finding = Finding::new(&KEY, key.use_place(), message);
    report.add(did_you_mean_word(finding, key.raw(), known.iter().copied()));
}
