//! For programs: everything, in one stable shape.

use std::collections::BTreeMap;

use locus_source::render::{JsonFinding, json_findings};
use locus_source::{Finding, Place, RuleBook, Sources};
use serde::Serialize;

use super::Executed;
use crate::ast::CommandKind;
use crate::evaluate::{name, names};
use crate::instance::Instance;
use crate::model::Parent;
use crate::scope::Scopes;
use crate::{Model, rules};

#[derive(Serialize)]
struct Report {
    commands: Vec<Command>,
    /// What is wrong or suspicious in the text of the model.
    findings: Vec<JsonFinding>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Command {
    index: usize,
    name: String,
    kind: &'static str,
    location: Location,
    expect: Option<i64>,
    /// Whether the verdict is as `expect` says; null without one.
    expected: Option<bool>,
    /// `sat`, `unsat`, `unknown` or `error`.
    verdict: &'static str,
    instance: Option<Shown>,
    scopes: Option<Sizes>,
    statistics: Option<Statistics>,
    /// What contradicts what, if there is no instance and that was asked for.
    core: Option<Vec<Part>>,
    /// Whether no part of the core can be left out.
    core_minimal: Option<bool>,
    /// Of a check that holds: whether the facts have no instance.
    vacuous: Option<bool>,
    error: Option<String>,
    milliseconds: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
struct Part {
    location: Location,
    text: String,
    goal: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sizes {
    bitwidth: u32,
    max_seq: i64,
    signatures: BTreeMap<String, Size>,
}

#[derive(Serialize)]
struct Size {
    size: i64,
    exact: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Statistics {
    primary_variables: usize,
    variables: usize,
    clauses: usize,
    gates: usize,
    translation_milliseconds: f64,
    solving_milliseconds: f64,
}

#[derive(Serialize)]
struct Shown {
    signatures: Vec<Signature>,
    fields: Vec<Field>,
    witnesses: Vec<Witness>,
    integers: Vec<i64>,
}

#[derive(Serialize)]
struct Signature {
    name: String,
    /// What it extends or is a subset of.
    parents: Vec<String>,
    subset: bool,
    atoms: Vec<String>,
}

#[derive(Serialize)]
struct Field {
    signature: String,
    name: String,
    arity: usize,
    tuples: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct Witness {
    name: String,
    tuples: Vec<Vec<String>>,
}

/// What came of some commands, and what there is to say about the text, as JSON. A text that is no model has no commands.
pub fn json(model: Option<&Model>, sources: &Sources, findings: &[Finding], executed: &[Executed]) -> String {
    let commands = model
        .map_or_else(Vec::new, |model| executed.iter().map(|one| command(model, sources, one)).collect());
    let findings = json_findings(findings, sources, &RuleBook::new(rules::ALL.to_vec()));
    serde_json::to_string_pretty(&Report { commands, findings }).unwrap_or_default()
}

fn command(model: &Model, sources: &Sources, one: &Executed) -> Command {
    let command = &model.commands()[one.index];
    let mut shown = Command {
        index: one.index,
        name: command.name.clone(),
        kind: if command.kind == CommandKind::Run { "run" } else { "check" },
        location: location(sources, command.place),
        expect: command.expect,
        expected: None,
        verdict: "error",
        instance: None,
        scopes: Scopes::compute(model.world(), command).ok().map(|scopes| sizes(model, &scopes)),
        statistics: None,
        core: None,
        core_minimal: None,
        vacuous: None,
        error: None,
        milliseconds: one.time.as_secs_f64() * 1e3,
    };
    match &one.result {
        Err(finding) => shown.error = Some(finding.message.clone()),
        Ok(outcome) => {
            shown.verdict = outcome.verdict.as_str();
            shown.expected = outcome.expected(command);
            shown.vacuous = outcome.vacuous;
            shown.instance = outcome.instance.as_ref().map(|found| instance(model, found));
            if let Some(found) = &outcome.instance {
                shown.scopes = Some(sizes(model, found.scopes()));
            }
            shown.core = outcome.core.as_ref().map(|core| {
                let part = |part: &crate::Part| Part {
                    location: location(sources, part.place),
                    text: part.text.clone(),
                    goal: part.goal,
                };
                core.parts.iter().map(part).collect()
            });
            shown.core_minimal = outcome.core.as_ref().map(|core| core.minimal);
            let took = &outcome.statistics;
            shown.statistics = Some(Statistics {
                primary_variables: took.primary_variables,
                variables: took.variables,
                clauses: took.clauses,
                gates: took.gates,
                translation_milliseconds: took.translation.as_secs_f64() * 1e3,
                solving_milliseconds: took.solving.as_secs_f64() * 1e3,
            });
        }
    }
    shown
}

fn location(sources: &Sources, place: Place) -> Location {
    let file = sources.get(place.file);
    let (start, end) =
        (file.line_column(place.span.start as usize), file.line_column(place.span.end as usize));
    Location {
        file: file.name().to_owned(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

fn sizes(model: &Model, scopes: &Scopes) -> Sizes {
    let world = model.world();
    let signatures = world
        .user_sigs()
        .filter_map(|sig| scopes.sizes[sig.index()].map(|size| (sig, size)))
        .map(|(sig, (size, exact))| (world.sig(sig).label.clone(), Size { size, exact }))
        .collect();
    Sizes { bitwidth: scopes.bitwidth, max_seq: scopes.max_seq, signatures }
}

fn instance(model: &Model, instance: &Instance) -> Shown {
    let world = model.world();
    let mut shown =
        Shown { signatures: Vec::new(), fields: Vec::new(), witnesses: Vec::new(), integers: Vec::new() };
    shown.integers = (instance.scopes().min_int()..=instance.scopes().max_int()).collect();
    for sig in world.user_sigs() {
        let declared = world.sig(sig);
        let (parents, subset) = match &declared.parent {
            Parent::Prim(parent) => (vec![*parent], false),
            Parent::Subset(parents, _) => (parents.clone(), true),
        };
        shown.signatures.push(Signature {
            name: declared.label.clone(),
            parents: parents.iter().map(|&parent| world.sig(parent).label.clone()).collect(),
            subset,
            atoms: instance.sig(sig).iter().map(|tuple| name(instance, tuple[0])).collect(),
        });
        for &field in declared.decls.iter().flat_map(|decl| &decl.fields) {
            let tuples = instance.field(field);
            shown.fields.push(Field {
                signature: declared.label.clone(),
                name: world.field(field).name.clone(),
                arity: tuples.arity(),
                tuples: names(instance, tuples),
            });
        }
    }
    for (name, _, tuples) in instance.witnesses() {
        shown.witnesses.push(Witness { name: name.clone(), tuples: names(instance, tuples) });
    }
    shown
}
