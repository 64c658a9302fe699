//! A project judged by the rules about how its parts fit together.

use std::collections::BTreeSet;
use std::fmt::Write;

use locus_rules::{CompiledRules, Rules, UNUSABLE, Verdict};
use locus_source::{Finding, Fix, Replacement, Severity};

use crate::datum::{Datum, Map};
use crate::interpret;
use crate::library::FILES;
use crate::load::Files;
use crate::project::Project;

/// So many ways in which one rule is broken are shown.
const SHOWN: usize = 100;

/// The rules about values that are to be in quotes.
const WANT_QUOTES: [&str; 2] = ["CMP160", "CMP161"];

/// The rules that come with Locus. A run has many files that need the same.
static RULES: CompiledRules = CompiledRules::new();

/// What the rules say of a project.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What may be wrong, depending on values that are not known.
    pub unsettled: Vec<Finding>,
}

/// Judges a project by the rules that come with Locus.
pub fn check(project: &Project, files: &Files<'_>) -> Checked {
    match RULES.get("compose/project.als", &modules(project), None, &root, &FILES) {
        Ok(rules) => check_by(&rules, project, files),
        Err(error) => {
            let message = format!("the rules about projects cannot be used: {error}");
            let finding = Finding::new(&UNUSABLE, project.model.place, message);
            Checked { findings: vec![finding], unsettled: Vec::new() }
        }
    }
}

/// Judges a project by other rules.
pub fn check_by(rules: &Rules, project: &Project, files: &Files<'_>) -> Checked {
    match interpret::instance(rules, project, files).check(SHOWN, project.model.place) {
        Ok(Verdict { mut findings, mut unsettled }) => {
            if !project.fits {
                // What only may be wrong can come of what does not fit.
                let is_error = |finding: &Finding| finding.severity == Severity::Error;
                findings.retain(is_error);
                unsettled.retain(is_error);
            }
            let findings = findings.into_iter().map(|finding| with_fix(finding, files)).collect();
            Checked { findings, unsettled }
        }
        Err(finding) => Checked { findings: vec![*finding], unsettled: Vec::new() },
    }
}

/// A finding with the change after which it is gone, where there is only one.
fn with_fix(finding: Finding, files: &Files<'_>) -> Finding {
    if !WANT_QUOTES.contains(&finding.code.as_str()) {
        return finding;
    }
    let place = finding.primary.place;
    let file = files.sources.get(place.file);
    let replacement = Replacement::quoting(place, file.slice(place.span));
    finding.fix(Fix { replacements: vec![replacement], is_certain: true })
}

/// The project as an Alloy module over `compose/core`: section 6.3 of the report.
pub fn model(project: &Project, files: &Files<'_>) -> String {
    let file = files.sources.add("compose/model.als", "module compose/model\nopen compose/core\n");
    let (rules, _) = Rules::load(files.sources, &FILES, file.id());
    let rules = rules.expect("the core is a module of Alloy");
    let locations = ["Service", "Inactive", "Network", "Volume", "Secret", "Config"];
    let name = if project.name.is_empty() { "project" } else { &project.name };
    interpret::instance(&rules, project, files).module(name, "compose/core", &|sig| locations.contains(&sig))
}

/// The modules with rules about what a project has.
fn modules(project: &Project) -> BTreeSet<String> {
    let names = FILES.names().filter(|name| *name != "core" && matters(name, project));
    names.map(str::to_owned).collect()
}

/// A module that opens some modules with rules.
fn root(modules: &BTreeSet<String>) -> String {
    let mut text = "module compose/project\nopen compose/core\n".to_owned();
    for name in modules {
        let _ = writeln!(text, "open compose/{name} as rules_{name}");
    }
    text
}

/// Whether the rules of a module can be about anything in a project.
fn matters(module: &str, project: &Project) -> bool {
    let service_has = |key: &str| project.section("services").any(|(_, service)| service.get(key).is_some());
    match module {
        "ports" => {
            service_has("ports") || project.disabled.iter().any(|(_, service)| service.get("ports").is_some())
        }
        "addresses" => {
            let address =
                |role: &Datum| role.get("ipv4_address").or_else(|| role.get("ipv6_address")).is_some();
            project.section("networks").any(|(_, network)| network.get("ipam").is_some())
                || project.section("services").any(|(_, service)| {
                    let networks = service.get("networks").and_then(Datum::as_map);
                    networks.into_iter().flat_map(Map::iter).any(|(_, role)| address(role))
                })
        }
        "builds" => service_has("build") || service_has("develop"),
        "modes" => ["network_mode", "uts", "ipc", "sysctls", "hostname"].into_iter().any(service_has),
        "resources" => service_has("deploy") || service_has("mem_reservation"),
        _ => true,
    }
}
