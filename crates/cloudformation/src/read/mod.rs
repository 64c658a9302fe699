//! Reading a template: from the file to its sections, and from there to all that is wrong with it.

mod cases;
mod given;
mod policies;
pub(crate) mod references;
mod resources;
mod sections;
mod transforms;
mod unused;

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_schema::{Nature, Unknown};
use locus_source::json::{self, JsonOptions};
use locus_source::words::{did_you_mean, short};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, Limits, Node, Parsed, Report, SourceFile, Sources, Span, sort_and_dedup};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use self::resources::with_guards;
use crate::rules::{GIVEN_UNKNOWN, NO_TEMPLATE, WITHOUT_VALUE};
use crate::template::{Template, Text};
use crate::values::loops::defined;
use crate::values::parameters;
use crate::values::parameters::Parameter;
use crate::values::scope::{Head, Scope};
use crate::values::worlds::Worlds;
use crate::values::{Evaluator, PSEUDO, World};
use crate::{Case, Inputs, Reading};

/// Reads a template.
pub(crate) fn read(sources: &Sources, file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    let mut report = Report::default();
    let parsed = parse(file, &inputs.limits);
    let broken = parsed.has_errors() && parsed.documents.is_empty();
    // What PyYAML does not know is how functions are written here.
    let known = parsed.findings.into_iter().filter(|finding| finding.code.as_str() != "YML010");
    known.for_each(|finding| report.add(finding));
    let mut reading = Reading { comments: parsed.comments, ..Reading::default() };
    match parsed.documents.as_slice() {
        [] if broken => {}
        [] => report.say(&NO_TEMPLATE, file.place(Span::point(0)), "the file is empty; a template is a map"),
        [tree, rest @ ..] => {
            if let Some(second) = rest.first() {
                let message = "a template is one document; this is another one";
                report.say(&NO_TEMPLATE, second.root().place(), message);
            }
            if tree.root().is_mapping() {
                template(file, tree.root(), inputs, &mut report, &mut reading);
            } else {
                report.say(&NO_TEMPLATE, tree.root().place(), "a template is a map");
            }
        }
    }
    reading.findings = report.into_vec();
    sort_and_dedup(&mut reading.findings, sources);
    reading
}

fn parse(file: &Arc<SourceFile>, limits: &Limits) -> Parsed {
    if file.text().trim_start().starts_with('{') {
        let parsed = json::parse(file, &JsonOptions { limits: limits.clone(), ..JsonOptions::default() });
        if !parsed.has_errors() {
            return parsed;
        }
        // A flow mapping of YAML looks the same.
        let yaml = yaml::parse(file, &YamlOptions { limits: limits.clone(), ..YamlOptions::pyyaml() });
        return if yaml.documents.len() == 1 { yaml } else { parsed };
    }
    yaml::parse(file, &YamlOptions { limits: limits.clone(), ..YamlOptions::pyyaml() })
}

fn template(
    file: &Arc<SourceFile>,
    root: Node<'_>,
    inputs: &Inputs<'_>,
    report: &mut Report,
    reading: &mut Reading,
) {
    sections::check(root, report);
    let transforms = transforms::of(root, report);
    reading.unanswered.extend(transforms.unanswered());
    let mut given: FxHashMap<Arc<str>, Arc<str>> = FxHashMap::default();
    for parameters in &inputs.environments {
        given.extend(given::of_file(parameters, &inputs.limits, report));
    }
    given.extend(inputs.parameters.iter().map(|(name, value)| (name.as_str().into(), value.as_str().into())));
    let mut all: Vec<Parameter> = Vec::new();
    for (name, node) in sections::definitions(root, "Parameters", report) {
        let value = given.get(&name.text).cloned();
        all.extend(parameters::definition(name, node, value, report));
    }
    unknown_given(
        file,
        &given,
        &all,
        !inputs.parameters.is_empty() || !inputs.environments.is_empty(),
        report,
    );
    let mappings = sections::mappings(root, report);
    let mut scope = Scope {
        file: Arc::clone(file),
        parameter_index: all.iter().enumerate().map(|(at, one)| (Arc::clone(&one.name.text), at)).collect(),
        parameters: all,
        given,
        has_open_mappings: mappings.iter().any(|(name, _)| name.text.starts_with("Fn::")),
        mappings: mappings.into_iter().map(|(name, node)| (name.text, node)).collect(),
        conditions: Vec::new(),
        condition_index: FxHashMap::default(),
        demands: sections::demands(root),
        resources: FxHashMap::default(),
        has_extensions: transforms.has_extensions,
        is_open: transforms.is_open,
    };
    let world = World::default();
    let section = |name: &str| root.get(name).filter(|section| section.is_mapping());
    let (mut resources, mut outputs) = (Vec::new(), Vec::new());
    let mut is_complete = !transforms.is_open;
    {
        let mut evaluator = Evaluator::new(&scope, &world, Some(report));
        let mut conditions = Vec::new();
        if let Some(found) = section("Conditions") {
            let (found, complete) = defined(&mut evaluator, found);
            conditions = found;
            is_complete &= complete;
        }
        if let Some(found) = section("Resources") {
            let (found, complete) = defined(&mut evaluator, found);
            resources = found;
            is_complete &= complete;
        }
        if let Some(found) = section("Outputs") {
            outputs = defined(&mut evaluator, found).0;
        }
        let used = (evaluator.parameters, evaluator.mappings);
        scope.condition_index =
            conditions.iter().enumerate().map(|(at, one)| (Arc::clone(&one.name), at)).collect();
        scope.conditions = conditions;
        reading.used = used;
    }
    scope.is_open |= !is_complete;
    if !is_complete && !transforms.is_open {
        let why = "how its resources fit together was not looked at, since a loop goes over values that are not known";
        reading.unanswered.push(why.to_owned());
    }
    sections::names(&scope, &resources, &outputs, report);
    for one in &resources {
        scope.resources.insert(Arc::clone(&one.name), head(one.node, one.place));
    }
    // What is wrong for CloudFormation may be what a macro wants.
    let heard = transforms.macros.is_empty().then_some(&mut *report);
    let base = resources::template(&scope, &world, &resources, &outputs, is_complete, heard, reading);
    unused::check(&scope, reading, report);
    if transforms.macros.is_empty() {
        let mut worlds = Worlds::new(&scope);
        resources::conform(&scope, &resources, &mut worlds, report);
        references::check(&scope, &base, &mut worlds, report);
        policies::check(&base, report);
        reading.cases = cases::of(&scope, &base, &resources, &outputs, &mut worlds);
    }
    reading.unknowns = unknowns(&base);
    without_value(&scope, report);
    reading.template = Some(base);
}

/// All that others ask of a resource, before its properties are read.
fn head(node: Node<'_>, place: locus_source::Place) -> Head {
    let kind = node.get("Type").filter(|kind| kind.is_scalar());
    Head {
        kind: crate::types::resource_type(kind.map_or("", Node::raw)),
        type_place: kind.map_or(place, Node::use_place),
        condition: node.get("Condition").and_then(Node::as_str).map(Into::into),
    }
}

/// Values that are given to parameters that there are not.
fn unknown_given(
    file: &Arc<SourceFile>,
    given: &FxHashMap<Arc<str>, Arc<str>>,
    all: &[Parameter],
    is_given: bool,
    report: &mut Report,
) {
    if !is_given {
        return;
    }
    let known: FxHashSet<&str> = all.iter().map(|one| &*one.name.text).collect();
    let mut unknown: Vec<&Arc<str>> =
        given.keys().filter(|name| !known.contains(&***name) && !PSEUDO.contains(&&***name)).collect();
    unknown.sort();
    for name in unknown {
        let message =
            format!("a value is given to the parameter `{}`, which the template does not have", short(name));
        let finding = Finding::new(&GIVEN_UNKNOWN, file.place(Span::point(0)), message);
        report.add(did_you_mean(finding, name, all.iter().map(|one| &*one.name.text)));
    }
}

/// Parameters that get no value although some were given: the deployment would be refused.
fn without_value(scope: &Scope<'_>, report: &mut Report) {
    if scope.given.is_empty() {
        return;
    }
    for one in scope.parameters.iter().filter(|one| one.is_without_value()) {
        let message = format!("the parameter `{}` has no value and no default", short(&one.name.text));
        report.say(&WITHOUT_VALUE, one.name.place, message);
    }
}

/// The values that are not known, each once, in the order of the text.
fn unknowns(template: &Template) -> Vec<Arc<Unknown>> {
    let mut seen: BTreeSet<(u32, String)> = BTreeSet::new();
    let mut all: Vec<(u32, Arc<Unknown>)> = Vec::new();
    for resource in &template.resources {
        for field in &resource.properties {
            field.value.each_unknown(&mut |unknown| {
                let at = unknown.place.span.start;
                if unknown.why.nature() != Nature::Wrong && seen.insert((at, unknown.why.to_string())) {
                    all.push((at, Arc::clone(unknown)));
                }
            });
        }
    }
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, unknown)| unknown).collect()
}

/// The names in a section with what defines them.
pub(crate) type Definitions<'t> = Vec<(Text, Node<'t>)>;

/// All cases of a template in which rules are asked: the first is that of the defaults.
pub(crate) type Cases = Vec<Case>;
