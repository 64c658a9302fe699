//! For programs: everything, in one stable shape.

use std::collections::BTreeMap;

use locus_source::Sources;
use locus_source::render::{JsonPlace, json_place};
use serde::Serialize;

use super::Executed;
use crate::Model;
use crate::ast::CommandKind;
use crate::evaluate::{name, names};
use crate::instance::Instance;
use crate::model::Parent;
use crate::scope::Scopes;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Command {
    index: usize,
    name: String,
    kind: &'static str,
    place: JsonPlace,
    expect: Option<i64>,
    /// Whether the verdict is as `expect` says; null without one.
    expected: Option<bool>,
    /// `sat`, `unsat`, `unknown` or `error`.
    verdict: &'static str,
    instance: Option<Shown>,
    scopes: Option<Sizes>,
    statistics: Option<Statistics>,
    /// The parts that contradict each other, if there is no instance and that was asked for.
    core: Option<Vec<Part>>,
    /// Whether no part of the core can be left out.
    core_minimal: Option<bool>,
    /// Of a check that holds: whether the facts have no instance.
    vacuous: Option<bool>,
    error: Option<String>,
    milliseconds: f64,
}

#[derive(Serialize)]
struct Part {
    place: JsonPlace,
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
    /// The signatures that it extends or is a subset of.
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

/// Returns the result of a command as JSON.
pub fn json(model: &Model, sources: &Sources, executed: &Executed) -> serde_json::Value {
    serde_json::to_value(command(model, sources, executed)).unwrap_or_default()
}

fn command(model: &Model, sources: &Sources, one: &Executed) -> Command {
    let command = &model.commands()[one.index];
    let mut shown = Command {
        index: one.index,
        name: command.name.clone(),
        kind: if command.kind == CommandKind::Run { "run" } else { "check" },
        place: json_place(command.place, sources),
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
                    place: json_place(part.place, sources),
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
