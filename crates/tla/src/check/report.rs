//! The findings of the search, in terms of the specification.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::Duration;

use locus_explore::{Model, Report, Trace, TraceEnd, Tuning, Violation, ViolationKind};
use locus_source::Sources;

use locus_tla_eval::eval::{Again, Context, Values};
use locus_tla_eval::value::{Fault, FaultKind, Names, Outcome, Value};
use locus_tla_syntax::rules;

use super::explain::explain;
use super::lasso::explain_behaviour;
use super::result::{
    ActionName, CheckResult, Coverage, ExpressionCoverage, TraceStep, TraceVariable, Verdict, Warning,
};
use crate::machine::{Machine, Named};

pub(super) fn empty(verdict: Verdict, message: String) -> CheckResult {
    CheckResult {
        verdict,
        property: None,
        message,
        unfinished: None,
        place: None,
        reasons: Vec::new(),
        trail: Vec::new(),
        trace: Vec::new(),
        loops_to: None,
        returns_by: None,
        further: Vec::new(),
        generated: 0,
        distinct: 0,
        depth: 0,
        queue: 0,
        elapsed: Duration::ZERO,
        collision: 0.0,
        coverage: Vec::new(),
        expressions: Vec::new(),
        warnings: Vec::new(),
        printed: Vec::new(),
        simulation: None,
        model_values: Vec::new(),
        graph: None,
        kept: None,
    }
}

/// The specification could not be evaluated before anything was explored.
pub(crate) fn failed(fault: &Fault, names: &Names) -> CheckResult {
    let mut result = match fault.kind {
        FaultKind::Stop(reason) => empty(Verdict::Incomplete, not_finished(reason)),
        _ => empty(Verdict::Evaluation, fault.message(names)),
    };
    result.place = fault.place;
    result.trail.clone_from(&fault.trail);
    result.unfinished = not_evaluated(fault, names);
    result
}

/// Why there is no answer, where a fault is a limit of the evaluation.
pub(crate) fn not_evaluated(fault: &Fault, names: &Names) -> Option<String> {
    fault.is_a_limit().then(|| format!("it could not be evaluated: {}", fault.message(names)))
}

/// An assumption is false.
pub(crate) fn assumption(context: &mut Context, sources: &Sources, assumption: &Named) -> CheckResult {
    let mut result = empty(Verdict::Assumption, "an assumption is false".to_owned());
    result.property = Some(assumption.name.clone());
    result.place = Some(assumption.place);
    result.reasons = explain(context, sources, &assumption.node);
    result
}

/// Only assumptions were to be checked, and they are true.
pub(crate) fn nothing_to_explore(machine: &Machine) -> CheckResult {
    let mut result =
        empty(Verdict::Ok, "the assumptions are true; there is no behaviour to check".to_owned());
    result.printed = machine.shared.session.printed();
    result
}

/// The result of a search.
pub(crate) fn of(machine: &Machine, sources: &Sources, found: &Report<Machine>) -> CheckResult {
    let between = machine.shared.session.between.load(Ordering::Relaxed);
    let mut result = match found.violations.first() {
        Some(violation) => violated(machine, sources, violation),
        None => match &found.verdict {
            locus_explore::Verdict::Holds => empty(Verdict::Ok, "no error was found".to_owned()),
            locus_explore::Verdict::Incomplete(_) if machine.shared.session.exit.load(Ordering::Relaxed) => {
                let why = "the search was not finished: the specification ended it by TLCSet(\"exit\", TRUE)";
                empty(Verdict::Incomplete, why.to_owned())
            }
            locus_explore::Verdict::Incomplete(reason) => {
                empty(Verdict::Incomplete, unfinished(*reason, found))
            }
            locus_explore::Verdict::Violated => {
                empty(Verdict::Evaluation, "a violation without a trace".to_owned())
            }
        },
    };
    let limit = found.violations.iter().find_map(|violation| match &violation.kind {
        ViolationKind::Error(fault) => not_evaluated(fault, &machine.shared.names),
        _ => None,
    });
    let ended = found.ended.filter(|_| !found.violations.is_empty());
    result.unfinished = limit.or_else(|| ended.map(|reason| unfinished(reason, found)));
    result.generated = found.statistics.generated + between;
    result.further =
        found.violations.iter().skip(1).map(|further| violated(machine, sources, further).message).collect();
    result.distinct = found.statistics.distinct;
    result.depth = found.statistics.depth;
    result.queue = found.statistics.queue;
    result.collision = found.statistics.collision_estimate;
    result.expressions = expressions(machine);
    result.coverage = machine
        .shared
        .labels
        .iter()
        .zip(&found.coverage)
        .filter(|(label, coverage)| label.action || coverage.generated > 0)
        .map(|(label, coverage)| Coverage {
            name: label.name.to_string(),
            place: label.place,
            generated: coverage.generated,
            distinct: coverage.distinct,
        })
        .collect();
    warn_of_limits(&mut result, machine, found);
    warn_of_second_values(&mut result, machine);
    if result.verdict == Verdict::Ok {
        if found.statistics.generated == 0 {
            let message = "no state satisfies the initial predicate, so there is no behaviour, and all that was checked \
                           holds vacuously";
            result.warnings.push(Warning {
                rule: rules::NO_INITIAL_STATE,
                message: message.to_owned(),
                place: machine.beginning,
            });
        } else {
            warn_of_idle_actions(&mut result);
            warn_of_vacuity(&mut result, machine);
        }
    }
    result.printed = machine.shared.session.printed();
    result
}

fn not_finished(reason: locus_explore::Reason) -> String {
    format!("the search was not finished: {}", because(reason))
}

fn unfinished(reason: locus_explore::Reason, found: &Report<Machine>) -> String {
    let mut message = not_finished(reason);
    if let Some(trouble) = &found.trouble {
        message = format!("{message}: {trouble}");
    }
    if found.statistics.saved {
        message.push_str("; it was saved, and goes on with --resume");
    }
    message
}

pub(super) fn because(reason: locus_explore::Reason) -> &'static str {
    match reason {
        locus_explore::Reason::States => "the limit on distinct states was reached",
        locus_explore::Reason::Depth => "the limit on depth was reached",
        locus_explore::Reason::Memory => "the limit on memory was reached",
        locus_explore::Reason::Time => "the limit on time was reached",
        locus_explore::Reason::Stopped => "it was stopped",
        locus_explore::Reason::Numbers => "there are more states than can be numbered",
        locus_explore::Reason::Reduction => "temporal properties cannot be checked under symmetry or a view",
        locus_explore::Reason::Disk => "what does not fit into memory could not be kept on disk",
        locus_explore::Reason::Product => "the liveness check reached its limit",
    }
}

/// Says what the verdict does not cover.
fn warn_of_limits(result: &mut CheckResult, machine: &Machine, found: &Report<Machine>) {
    let mut warn = |rule, message| result.warnings.push(Warning { rule, message, place: None });
    let reduction = match machine.reduction() {
        locus_explore::Reduction::None => None,
        locus_explore::Reduction::Symmetry => Some("SYMMETRY"),
        locus_explore::Reduction::View => Some("VIEW"),
    };
    if let Some(reduction) = reduction.filter(|_| !machine.temporal.is_empty()) {
        warn(
            rules::REDUCED,
            format!(
                "temporal properties were checked under {reduction}, which may both hide violations and report false \
             ones: check them without it to be certain"
            ),
        );
    }
    if found.verdict == locus_explore::Verdict::Holds {
        if found.statistics.outside > 0 {
            warn(
                rules::CONSTRAINED,
                "the constraints cut off part of the behaviours: what holds, holds within them only"
                    .to_owned(),
            );
        }
        if found.statistics.product.fair == Some(0) {
            warn(
                rules::NO_FAIR_BEHAVIOUR,
                "no behaviour satisfies the fairness conditions, so the temporal properties hold vacuously"
                    .to_owned(),
            );
        }
    }
}

/// The figures of the parts of the specification, in the order of their places.
fn expressions(machine: &Machine) -> Vec<ExpressionCoverage> {
    let mut all: Vec<_> = machine
        .shared
        .counts
        .all()
        .map(|(place, evaluated, held)| ExpressionCoverage { place, evaluated, held })
        .collect();
    // What contains a part comes before it.
    all.sort_by_key(|expression| {
        let place = expression.place;
        (place.file, place.span.start, std::cmp::Reverse(place.span.end))
    });
    all
}

/// An action that no state enables is most often a mistake. The same action may have several labels.
fn warn_of_idle_actions(result: &mut CheckResult) {
    let mut warnings: Vec<Warning> = Vec::new();
    for action in &result.coverage {
        let taken = |other: &Coverage| other.generated > 0 && other.place == action.place;
        if !result.coverage.iter().any(taken) && !warnings.iter().any(|w| w.place == Some(action.place)) {
            let message = format!("{} is never taken", action.name);
            warnings.push(Warning { rule: rules::NEVER_TAKEN, message, place: Some(action.place) });
        }
    }
    result.warnings.extend(warnings);
}

/// A variable that gets two values in one step, which never agree, makes the step impossible.
fn warn_of_second_values(result: &mut CheckResult, machine: &Machine) {
    let all = machine.shared.session.given_again.lock().expect("no panic while locked");
    let mut clashes: Vec<_> = all.iter().filter(|(_, agreed)| !**agreed).map(|(clash, _)| *clash).collect();
    clashes.sort_by_key(|(place, var, _)| (place.file, place.span.start, *var));
    for (place, var, by) in clashes {
        let name = &machine.shared.variables[var as usize];
        let message = match by {
            Again::Unchanged => {
                format!("{name} is changed, and is said to be UNCHANGED here: no step does both")
            }
            Again::Assigned => {
                format!("{name}' has got another value before, so this is but a condition, and never true")
            }
        };
        result.warnings.push(Warning { rule: rules::TWO_VALUES, message, place: Some(place) });
    }
}

/// An implication whose premise is never true says nothing about the specification.
fn warn_of_vacuity(result: &mut CheckResult, machine: &Machine) {
    for invariant in &machine.invariants {
        for premise in &invariant.premises {
            if !premise.seen.load(Ordering::Relaxed) {
                let message = format!(
                    "the invariant {} has an implication whose premise is true in no reachable state",
                    invariant.name
                );
                result.warnings.push(Warning { rule: rules::VACUOUS, message, place: Some(premise.place) });
            }
        }
    }
}

pub(super) fn violated(machine: &Machine, sources: &Sources, violation: &Violation<Machine>) -> CheckResult {
    let mut context = machine.worker();
    machine.repeating(&mut context, true);
    let steps = &violation.trace.steps;
    context.level = steps.len() as u32;
    let last = steps.last().map(|step| &step.state);
    let mut result = match &violation.kind {
        ViolationKind::Deadlock => {
            empty(Verdict::Deadlock, "a state without a successor is reached".to_owned())
        }
        ViolationKind::Invariant(index) => {
            let invariant = &machine.invariants[*index];
            let mut result =
                empty(Verdict::Invariant, format!("the invariant {} is violated", invariant.name));
            result.property = Some(invariant.name.clone());
            result.place = Some(invariant.place);
            if let Some(state) = last {
                let explained = context.in_state(state, |context| {
                    context.reset(&machine.resets.invariants.state);
                    Ok(explain(context, sources, &invariant.node))
                });
                result.reasons = explained.unwrap_or_default();
            }
            result
        }
        ViolationKind::Initial(index) if *index >= machine.initial.len() => {
            of_watched(machine, *index - machine.initial.len(), "an initial state")
        }
        ViolationKind::Initial(index) => {
            let property = &machine.initial[*index];
            let mut result = empty(
                Verdict::Property,
                format!("the property {} is violated by an initial state", property.name),
            );
            result.property = Some(property.name.clone());
            result.place = Some(property.place);
            if let Some(state) = last {
                let explained = context.in_state(state, |context| {
                    context.reset(&machine.resets.invariants.state);
                    Ok(explain(context, sources, &property.node))
                });
                result.reasons = explained.unwrap_or_default();
            }
            result
        }
        ViolationKind::Step(index) if *index >= machine.steps.len() => {
            of_watched(machine, *index - machine.steps.len(), "the last step")
        }
        ViolationKind::Step(index) => {
            let property = &machine.steps[*index];
            let mut result = empty(
                Verdict::Property,
                format!("the property {} is violated by the last step", property.name),
            );
            result.property = Some(property.name.clone());
            result.place = Some(property.place);
            if let [.., from, to] = &steps[..] {
                context.level = steps.len() as u32 - 1;
                let explained = context.in_step(&from.state, &to.state, &machine.resets.steps, |context| {
                    context.reset(&machine.resets.invariants.state);
                    Ok(explain(context, sources, &property.node))
                });
                result.reasons = explained.unwrap_or_default();
            }
            result
        }
        ViolationKind::Temporal(index) => {
            let property = &machine.temporal[*index];
            let message = format!("the temporal property {} is violated", property.name);
            let mut result = empty(Verdict::Property, message);
            result.property = Some(property.name.clone());
            result.place = Some(property.place);
            result.reasons =
                explain_behaviour(machine, &mut context, sources, &violation.trace, &property.clause);
            result
        }
        ViolationKind::Error(fault) => failed(fault, &machine.shared.names),
    };
    result.trace = trace(machine, &mut context, &violation.trace);
    if violation.trace.missing > 0 {
        result.warnings.push(not_shown(&violation.trace));
    }
    if let Some(alias) = &machine.alias
        && let Err(fault) = apply_alias(machine, &mut context, alias, &violation.trace, &mut result.trace)
    {
        let why = fault.message(&machine.shared.names);
        let message = format!("the trace shows the variables, since the ALIAS cannot be evaluated: {why}");
        result.warnings.push(Warning { rule: rules::ALIAS, message, place: fault.place });
    }
    add_expressions(machine, &mut context, &violation.trace, &mut result.trace);
    result.loops_to = match &violation.trace.end {
        TraceEnd::Stuttering => Some(result.trace.len().saturating_sub(1)),
        TraceEnd::BackTo { index, .. } => Some(*index),
        TraceEnd::Finite => None,
    };
    if let TraceEnd::BackTo { index, action: Some(label) } = violation.trace.end
        && let (Some(last), Some(first)) = (steps.last(), steps.get(index))
    {
        context.level = steps.len() as u32;
        result.returns_by = name_step(machine, &mut context, &last.state, &first.state, label);
    }
    machine.repeating(&mut context, false);
    result
}

/// Says why a behaviour is not shown whole.
fn not_shown(trace: &Trace<Machine>) -> Warning {
    let missing = trace.missing;
    let (rule, why) = if let Some(reason) = trace.cut {
        (rules::CUT_OFF, format!("{} while they were put together", because(reason)))
    } else {
        let why = "taking its steps once more led elsewhere; an action depends on more than the state";
        (rules::NOT_REPEATABLE, why.to_owned())
    };
    let message = format!("{missing} states of the behaviour are not shown, since {why}");
    Warning { rule, message, place: None }
}

/// A simulation met a violation of a temporal property.
fn of_watched(machine: &Machine, index: usize, by: &str) -> CheckResult {
    let property = &machine.temporal[machine.watched[index].property];
    let message = format!("the temporal property {} is violated by {by}", property.name);
    let mut result = empty(Verdict::Property, message);
    result.property = Some(property.name.clone());
    result.place = Some(property.place);
    result
}

/// A trace as it is shown, with the values of the expressions that were asked for.
pub(super) fn shown_trace(machine: &Machine, context: &mut Context, of: &Trace<Machine>) -> Vec<TraceStep> {
    let mut steps = trace(machine, context, of);
    add_expressions(machine, context, of, &mut steps);
    steps
}

/// The steps of a trace with what they are called and what they change.
fn trace(machine: &Machine, context: &mut Context, trace: &Trace<Machine>) -> Vec<TraceStep> {
    let mut steps: Vec<TraceStep> = Vec::with_capacity(trace.steps.len());
    let mut before: Option<&Values> = None;
    for (level, step) in (0..).zip(&trace.steps) {
        context.level = level;
        let action = match (before, step.action) {
            (Some(before), Some(label)) => name_step(machine, context, before, &step.state, label),
            _ => None,
        };
        let variables = machine
            .shared
            .variables
            .iter()
            .zip(&step.state)
            .enumerate()
            .map(|(i, (name, value))| {
                let changed = before.is_some_and(|before| !before[i].same(value));
                shown(machine, context, name, value, changed)
            })
            .collect();
        steps.push(TraceStep { action, variables, alias: None, expressions: Vec::new() });
        before = Some(&step.state);
    }
    steps
}

/// A variable as it is shown. What cannot be written as JSON, because it is infinite or too long, is there as text.
pub(super) fn shown(
    machine: &Machine,
    context: &Context,
    name: &str,
    value: &Value,
    changed: bool,
) -> TraceVariable {
    let text = value.shown(&machine.shared.names).to_string();
    let json = locus_tla_eval::standard::json(context, value).unwrap_or_else(|_| text.clone().into());
    TraceVariable { name: name.to_owned(), value: text, json, changed }
}

/// The state that comes after one of a trace. A finite trace stays in its last state.
fn state_after(trace: &Trace<Machine>, index: usize) -> &Values {
    let after = match &trace.end {
        _ if index + 1 < trace.steps.len() => index + 1,
        TraceEnd::BackTo { index, .. } => *index,
        TraceEnd::Finite | TraceEnd::Stuttering => index,
    };
    &trace.steps[after].state
}

/// Evaluates the expressions that were asked for in each step of a trace. One that has no value there says why.
fn add_expressions(
    machine: &Machine,
    context: &mut Context,
    trace: &Trace<Machine>,
    steps: &mut [TraceStep],
) {
    let mut before: Vec<Option<Value>> = vec![None; machine.expressions.len()];
    for (i, (step, shown_step)) in trace.steps.iter().zip(steps).enumerate() {
        context.level = i as u32 + 1;
        for (expression, before) in machine.expressions.iter().zip(&mut before) {
            let value =
                context.in_step(&step.state, state_after(trace, i), &machine.resets.steps, |context| {
                    context.eval(&expression.node)?.settled()
                });
            shown_step.expressions.push(match value {
                Ok(value) => {
                    let changed = i > 0 && !before.as_ref().is_some_and(|before| before.same(&value));
                    let shown = shown(machine, context, &expression.name, &value, changed);
                    *before = Some(value);
                    shown
                }
                Err(fault) => {
                    let changed = i > 0 && before.take().is_some();
                    let value = format!("(no value: {})", fault.message(&machine.shared.names));
                    TraceVariable {
                        name: expression.name.clone(),
                        value,
                        json: serde_json::Value::Null,
                        changed,
                    }
                }
            });
        }
    }
}

/// Shows the fields of the ALIAS in place of the variables. It may speak of the next state.
fn apply_alias(
    machine: &Machine,
    context: &mut Context,
    alias: &locus_tla_eval::eval::ir::Node,
    trace: &Trace<Machine>,
    steps: &mut [TraceStep],
) -> Outcome<()> {
    let mut all: Vec<Vec<TraceVariable>> = Vec::with_capacity(steps.len());
    let mut before: Vec<(Value, Value)> = Vec::new();
    for (i, step) in trace.steps.iter().enumerate() {
        let to = state_after(trace, i);
        context.level = i as u32 + 1;
        let value = context
            .in_step(&step.state, to, &machine.resets.steps, |context| context.eval(alias)?.settled())?;
        let fields = value.pairs().ok_or_else(|| Fault::wrong("ALIAS", "a record", &value))?;
        let mut variables: Vec<TraceVariable> = Vec::with_capacity(fields.len());
        for (field, value) in &fields {
            let Value::Str(name) = field else {
                return Err(Fault::wrong("ALIAS", "a record", field));
            };
            let name = machine.shared.names.text(*name);
            let old = before.iter().find(|(other, _)| other.same(field));
            let changed = old.is_some_and(|(_, old)| !old.same(value));
            variables.push(shown(machine, context, &name, value, changed));
        }
        all.push(variables);
        before = fields;
    }
    for (step, variables) in steps.iter_mut().zip(all) {
        step.alias = Some(variables);
    }
    Ok(())
}

/// The name of the action of a step, with its parameters: found by taking the step again.
pub(super) fn name_step(
    machine: &Machine,
    context: &mut Context,
    from: &Values,
    to: &Values,
    label: u32,
) -> Option<ActionName> {
    let wanted = machine.shared.labels.get(label as usize)?;
    let mut parameters = Vec::new();
    let outer = std::mem::replace(&mut context.next, locus_tla_eval::eval::unset(to.len()));
    let _: Outcome<()> = context.in_state(from, |context| {
        context.reset(&machine.resets.next.state);
        let _ = context.enumerate(&machine.next, &mut |context| {
            if context.label != label || !context.next.iter().zip(to).all(|(a, b)| a.same(b)) {
                return Ok(ControlFlow::Continue(()));
            }
            for (name, node) in &wanted.params {
                if let Ok(value) = context.eval(node) {
                    parameters.push((name.to_string(), value.shown(&machine.shared.names).to_string()));
                }
            }
            Ok(ControlFlow::Break(()))
        })?;
        Ok(())
    });
    context.next = outer;
    Some(ActionName {
        name: wanted.name.to_string(),
        parameters,
        place: wanted.place,
        within: machine.within[label as usize].clone(),
    })
}
