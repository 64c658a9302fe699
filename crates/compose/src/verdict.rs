//! A project judged by the rules about how its parts fit together.

use std::collections::BTreeSet;

use locus_language::{Judged, Ruled, Rules, judge_each};
use locus_meaning::Meaning;
use locus_source::{Finding, Fix, Replacement, Severity};

use crate::library::CARRIED;
use crate::meaning::for_rules;
use crate::read::load::Files;
use crate::read::project::Project;
use crate::values::datum::{Datum, Map};

/// The module with what all rules use.
const CORE: &str = "compose/core";

/// The rules about values that are to be in quotes.
const WANT_QUOTES: [&str; 2] = ["CMP160", "CMP161"];

/// Judges a project by the rules that come with Locus.
pub fn check(project: &Project, files: &Files<'_>) -> Judged {
    judge(project, files, &[])
}

/// Judges a project by other rules.
pub fn check_by(rules: &Rules, project: &Project, files: &Files<'_>) -> Judged {
    by(rules, &for_rules(project, files), project, files)
}

/// Judges a project by the rules that come with Locus, and by those of the user.
pub(crate) fn judge(project: &Project, files: &Files<'_>, own: &[Rules]) -> Judged {
    let meaning = for_rules(project, files);
    let everywhere = project.model.place;
    let mut judged =
        CARRIED.judge_with(&modules(project), None, everywhere, &|rules| by(rules, &meaning, project, files));
    for rules in own {
        judged.add(by(rules, &meaning, project, files));
    }
    judged
}

/// The rules about a project.
pub(crate) fn ruled<'p>(project: &'p Project, files: Files<'p>) -> Ruled<'p> {
    let everywhere = project.model.place;
    Ruled {
        rules: &CARRIED,
        modules: modules(project),
        everywhere,
        instance: Box::new(move |rules| {
            for_rules(project, &files).parts_instance(rules, CORE, everywhere, true)
        }),
    }
}

fn by(rules: &Rules, meaning: &Meaning<'_>, project: &Project, files: &Files<'_>) -> Judged {
    let everywhere = project.model.place;
    let instance = meaning.parts_instance(rules, CORE, everywhere, true);
    let Judged { mut findings, mut unsettled } = judge_each(&instance, everywhere);
    if !project.fits {
        // What only may be wrong can come of what does not fit.
        let is_error = |finding: &Finding| finding.severity == Severity::Error;
        findings.retain(is_error);
        unsettled.retain(is_error);
    }
    let findings = findings.into_iter().map(|finding| with_fix(finding, files)).collect();
    Judged { findings, unsettled }
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
///
/// # Errors
/// If the core cannot be used; the finding says why.
pub fn model(project: &Project, files: &Files<'_>) -> Result<String, Box<Finding>> {
    let everywhere = project.model.place;
    let rules = CARRIED.rules(&BTreeSet::new(), None, everywhere)?;
    let locations = ["Service", "Inactive", "Network", "Volume", "Secret", "Config"];
    let name = if project.name.is_empty() { "project" } else { &project.name };
    let instance = for_rules(project, files).parts_instance(&rules, CORE, everywhere, true);
    Ok(instance.module(name, CORE, &|sig| locations.contains(&sig)))
}

/// The modules with rules about what a project has.
fn modules(project: &Project) -> BTreeSet<String> {
    let names = CARRIED.files().names().filter(|name| *name != "core" && matters(name, project));
    names.map(str::to_owned).collect()
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
