//! The sections of a template, and the names and numbers of what is in them.

use locus_source::words::{did_you_mean_word, short};
use locus_source::{Finding, Node, Report, Rule};

use super::Definitions;
use crate::rules::{EMPTY, FORMAT, LIMIT, MALFORMED, NAME, SECTION, WRONG_KIND};
use crate::template::Text;
use crate::values::function_of;
use crate::values::loops::{Defined, is_loop};
use crate::values::scope::Scope;

const SECTIONS: &[&str] = &[
    "AWSTemplateFormatVersion",
    "Conditions",
    "Description",
    "Globals",
    "Hooks",
    "Mappings",
    "Metadata",
    "Outputs",
    "Parameters",
    "Resources",
    "Rules",
    "Transform",
];

/// The most that a template may have of each section.
const MOST: &[(&str, usize)] = &[("Parameters", 200), ("Mappings", 200), ("Outputs", 200)];

/// The most resources, and the most characters of a description.
const RESOURCES: usize = 500;
const DESCRIPTION: usize = 1024;
/// The longest name.
const LONGEST_NAME: usize = 255;
/// The most bytes of a template that is handed over by way of S3.
const BYTES: usize = 1024 * 1024;

pub(super) fn check(root: Node<'_>, report: &mut Report) {
    for entry in root.entries() {
        let key = entry.key.raw();
        if !SECTIONS.contains(&key) && !key.starts_with("Fn::") {
            let message = format!("a template has no section `{}`", short(key));
            let finding = Finding::new(&SECTION, entry.key.place(), message);
            report.add(did_you_mean_word(finding, key, SECTIONS.iter().copied()));
        }
    }
    if let Some(version) = root.get("AWSTemplateFormatVersion")
        && version.raw() != "2010-09-09"
    {
        let message =
            format!("there is no format of templates `{}`, only `2010-09-09`", short(version.raw()));
        report.say(&FORMAT, version.use_place(), message);
    }
    if let Some(description) = root.get("Description") {
        if description.as_str().is_none() {
            report.say(&WRONG_KIND, description.use_place(), "`Description` must be a text");
        } else if description.raw().len() > DESCRIPTION {
            let message =
                format!("the description has {} bytes, of {DESCRIPTION} allowed", description.raw().len());
            report.say(&LIMIT, description.use_place(), message);
        }
    }
    match root.get_entry("Resources") {
        None => report.say(&EMPTY, root.place(), "the template has no `Resources`"),
        Some(entry) if entry.value.is_mapping() && entry.value.is_empty() => {
            report.say(&EMPTY, entry.key.place(), "the template has no resource");
        }
        Some(_) => {}
    }
    for name in ["Resources", "Outputs", "Conditions", "Metadata", "Hooks", "Rules"] {
        let section = root.get_entry(name).filter(|entry| !entry.value.is_mapping());
        // A section that is empty is as if it were not there, but for the resources.
        if let Some(entry) = section.filter(|entry| name == "Resources" || !entry.value.is_null()) {
            report.say(&MALFORMED, entry.key.place(), format!("`{name}` must be a map"));
        }
    }
    for (name, most) in MOST {
        let count = root.get(name).map_or(0, Node::len);
        too_many(name, count, *most, root, report);
    }
    let bytes = root.place().span.len();
    if bytes > BYTES {
        let message = format!("the template has {bytes} bytes; CloudFormation takes {BYTES}");
        report.say(&LIMIT, root.get_entry("Resources").map_or(root, |entry| entry.key).place(), message);
    }
}

fn too_many(section: &str, count: usize, most: usize, root: Node<'_>, report: &mut Report) {
    if count > most
        && let Some(entry) = root.get_entry(section)
    {
        let message = format!("the template has {count} {}, of {most} allowed", section.to_lowercase());
        report.say(&LIMIT, entry.key.place(), message);
    }
}

/// The names in a section that is a map, with what defines them.
pub(super) fn definitions<'t>(root: Node<'t>, section: &str, report: &mut Report) -> Definitions<'t> {
    let Some(entry) = root.get_entry(section) else { return Vec::new() };
    if !entry.value.is_mapping() {
        if !entry.value.is_null() {
            report.say(&MALFORMED, entry.key.place(), format!("`{section}` must be a map"));
        }
        return Vec::new();
    }
    let entries = entry.value.entries().filter(|entry| entry.key.raw() != "Fn::Transform");
    entries
        .map(|entry| (Text { text: entry.key.raw().into(), place: entry.key.place() }, entry.value))
        .collect()
}

/// The mappings: maps of maps of texts and lists. Those that a transform makes stand for any.
pub(super) fn mappings<'t>(root: Node<'t>, report: &mut Report) -> Definitions<'t> {
    let all = definitions(root, "Mappings", report);
    let mut say = |node: Node<'_>, what: String| report.say(&MALFORMED, node.use_place(), what);
    for (name, node) in &all {
        let shown = short(&name.text);
        if !node.is_mapping() {
            say(*node, format!("the mapping `{shown}` must be a map of maps"));
            continue;
        }
        for top in node.entries().filter(|entry| entry.key.raw() != "Fn::Transform") {
            if !top.value.is_mapping() {
                say(top.value, format!("`{}` of the mapping `{shown}` must be a map", short(top.key.raw())));
                continue;
            }
            for second in top.value.entries() {
                if second.value.is_mapping() || function_of(second.value).is_some() {
                    say(
                        second.value,
                        format!("the mapping `{shown}` has texts and lists of texts, and nothing else"),
                    );
                }
            }
        }
    }
    all
}

/// The assertions of rules that hold whatever else does.
pub(super) fn demands(root: Node<'_>) -> Vec<Node<'_>> {
    let rules = root.get("Rules").into_iter().flat_map(Node::entries);
    let always = rules.filter(|rule| rule.value.get("RuleCondition").is_none());
    let assertions = always.filter_map(|rule| rule.value.get("Assertions")).flat_map(Node::items);
    assertions.filter_map(|one| one.get("Assert")).collect()
}

/// The names of what the sections define, and how many of it there are.
pub(super) fn names(
    scope: &Scope<'_>,
    resources: &[Defined<'_>],
    outputs: &[Defined<'_>],
    report: &mut Report,
) {
    let is_plain = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let check = |name: &str, place, what: &str, report: &mut Report| {
        if is_loop(name) {
            return;
        }
        let rule: &Rule = &NAME;
        if !is_plain(name) {
            let message =
                format!("the name of {what} has letters and digits only, which `{}` has not", short(name));
            report.say(rule, place, message);
        } else if name.len() > LONGEST_NAME {
            let message =
                format!("the name of {what} has {} characters, of {LONGEST_NAME} allowed", name.len());
            report.say(&LIMIT, place, message);
        }
    };
    for one in &scope.parameters {
        check(&one.name.text, one.name.place, "a parameter", report);
    }
    for one in resources {
        check(&one.name, one.place, "a resource", report);
        if scope.parameter(&one.name).is_some() {
            let message = format!("`{}` is the name of a parameter and of a resource", short(&one.name));
            report.say(&NAME, one.place, message);
        }
    }
    for one in outputs {
        check(&one.name, one.place, "an output", report);
    }
    if resources.len() > RESOURCES
        && let Some(first) = resources.get(RESOURCES)
    {
        let message = format!("the template has {} resources, of {RESOURCES} allowed", resources.len());
        report.say(&LIMIT, first.place, message);
    }
}
