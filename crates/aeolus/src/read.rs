//! From text to document: `*.aeolus.yaml`, `*.aeolus.json`, and the files of Zephyrus and Metis.
//!
//! `docs/schema/aeolus.schema.json` describes the form. Reading goes on after
//! errors and tells all of them.

mod components;
mod fields;
mod metis;
mod types;
mod zephyrus;

use std::sync::Arc;

use locus_source::json::{self, JsonOptions};
use locus_source::tree::{Node, Tree};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, Limits, Parsed, SourceFile, Span};

use crate::document::{Document, Machine, Reading};
use crate::rules::{BAD_WANT, NO_DOCUMENT};
use crate::{Universe, Want};
use fields::Report;

/// The version of the format, and the key that tells it.
const VERSION: i64 = 1;
const VERSION_KEY: &str = "aeolus";

/// Reads a document from a file: as JSON if its name ends in `.json`, else as YAML. In linear time.
pub fn read(file: &Arc<SourceFile>, limits: &Limits) -> Reading {
    let parsed = parse(file, limits);
    let mut reading = match parsed.documents.as_slice() {
        [] => {
            let mut report = Report::default();
            if parsed.findings.is_empty() {
                let finding = Finding::new(&NO_DOCUMENT, file.place(Span::point(0)), "the file is empty");
                report.add(|| {
                    finding.help(format!("an Aeolus document starts with `{VERSION_KEY}: {VERSION}`"))
                });
            }
            Reading { document: Document::default(), findings: report.into_findings(), comments: Vec::new() }
        }
        [first, more @ ..] => {
            let mut reading = read_tree(first);
            if let Some(second) = more.first() {
                let message = "a file holds one Aeolus document, but this has several";
                let finding = Finding::new(&NO_DOCUMENT, second.root().place(), message);
                reading.findings.push(finding.help("use a file for each; only the first is read"));
            }
            reading
        }
    };
    let mut findings = parsed.findings;
    findings.append(&mut reading.findings);
    findings.sort_by_key(|finding| finding.primary.place.span);
    Reading { findings, comments: parsed.comments, ..reading }
}

fn parse(file: &Arc<SourceFile>, limits: &Limits) -> Parsed {
    if file.name().to_ascii_lowercase().ends_with(".json") {
        json::parse(file, &JsonOptions { limits: limits.clone(), ..JsonOptions::default() })
    } else {
        yaml::parse(file, &YamlOptions { limits: limits.clone(), ..YamlOptions::default() })
    }
}

/// Whether a document means to be one of these.
pub fn is_aeolus(tree: &Tree) -> bool {
    let root = tree.root();
    let is_metis = || root.items().next().is_some_and(|item| item.get("u_cname").is_some());
    root.get(VERSION_KEY).is_some() || root.get("component_types").is_some() || is_metis()
}

/// Reads a document from a tree, which has no comments any more.
pub fn read_tree(tree: &Tree) -> Reading {
    let (mut document, mut report) = (Document::default(), Report::default());
    let root = tree.root();
    if root.is_sequence() && root.items().next().is_some_and(|item| item.get("u_cname").is_some()) {
        metis::universe(root, &mut document, &mut report);
    } else if root.get("component_types").is_some() {
        zephyrus::universe(root, &mut document, &mut report);
    } else if root.is_mapping() && root.get(VERSION_KEY).is_some() {
        aeolus(root, &mut document, &mut report);
    } else {
        let message = format!("this is not an Aeolus document: it is {} without a version", root.kind_name());
        let finding = Finding::new(&NO_DOCUMENT, root.place(), message);
        report.add(|| finding.help(format!("an Aeolus document starts with `{VERSION_KEY}: {VERSION}`")));
    }
    Reading { document, findings: report.into_findings(), comments: Vec::new() }
}

/// Reads a configuration from a file of its own, over the universe of `document`, into it.
pub fn read_configuration_file(
    file: &Arc<SourceFile>,
    limits: &Limits,
    document: &mut Document,
) -> Vec<Finding> {
    let parsed = parse(file, limits);
    let mut findings = parsed.findings;
    match parsed.documents.first() {
        Some(tree) => findings.extend(read_configuration(tree, document)),
        None if findings.is_empty() => {
            findings.push(Finding::new(&NO_DOCUMENT, file.place(Span::point(0)), "the file is empty"));
        }
        None => {}
    }
    findings
}

/// Reads a configuration in the form of Zephyrus or of ours, over the universe of `document`, into it.
pub fn read_configuration(tree: &Tree, document: &mut Document) -> Vec<Finding> {
    let mut report = Report::default();
    document.configuration = crate::Configuration::new();
    document.names.clear();
    document.places.clear();
    document.placement.clear();
    document.has_configuration = true;
    let root = tree.root();
    if root.get("version").is_some() || root.get("locations").is_some() {
        zephyrus::configuration(root, document, &mut report);
    } else {
        let node = root.get("configuration").unwrap_or(root);
        components::configuration(node, document, &mut report);
    }
    report.into_findings()
}

fn aeolus(root: Node<'_>, document: &mut Document, report: &mut Report) {
    let keys = [VERSION_KEY, "types", "machines", "configuration", "want"];
    let [version, types, machines, configuration, want] = report.fields(root, "an Aeolus document", &keys);
    if let Some(version) = version
        && version.as_i64() != Some(VERSION)
    {
        let message =
            format!("`{}` is not a known version of the format", locus_source::words::short(version.raw()));
        let finding = Finding::new(&NO_DOCUMENT, version.use_place(), message);
        report.add(|| finding.help(format!("the only version is {VERSION}")));
    }
    match types {
        Some(types) => types::types(types, &mut document.universe, report),
        None => report.missing(root, "an Aeolus document has component types", "list them under `types`"),
    }
    if let Some(node) = machines {
        self::machines(node, document, report);
    }
    if let Some(node) = configuration {
        document.has_configuration = true;
        components::configuration(node, document, report);
    }
    if let Some(node) = want
        && let Some(text) = report.string(node, "what is wanted")
    {
        match Want::parse(&document.universe, text) {
            Ok(want) => document.want = Some((want, node.use_place())),
            Err(error) => report.add(|| {
                let finding = Finding::new(&BAD_WANT, node.use_place(), error.message);
                if let Some(help) = error.help { finding.help(help) } else { finding }
            }),
        }
    }
}

fn machines(node: Node<'_>, document: &mut Document, report: &mut Report) {
    for (name, entry) in report.entries(node, "the name of a machine") {
        let keys = ["resources", "cost", "count"];
        let [resources, cost, count] = report.fields(entry.value, "a machine", &keys);
        let resources = resources.map_or_else(Vec::new, |node| types::amounts(node, report));
        let cost = cost.and_then(|node| report.number(node, "a cost", 0)).unwrap_or(1);
        let count = count.and_then(|node| report.number(node, "a number of machines", 0)).unwrap_or(1);
        let place = Some(entry.key.use_place());
        let machine = Machine { name: name.to_owned(), resources, cost, count: count as u32, place };
        document.machines.push(machine);
    }
}

/// The name of a state that a type of a language without states is in when it is deployed.
const DEPLOYED: &str = "deployed";

/// Adds a type whose components are created without ports and then deployed with these.
fn two_states(universe: &mut Universe, mut kind: crate::ComponentType, deployed: crate::State) {
    let next = vec![crate::StateId(1)];
    let created =
        crate::State { name: "created".to_owned(), next, place: kind.place, ..crate::State::default() };
    kind.states = vec![created, crate::State { name: DEPLOYED.to_owned(), is_final: true, ..deployed }];
    universe.add(kind);
}
