//! Is a log of a real system a behaviour of the specification?
//!
//! Every event says something about a step: the action, its parameters, and the values of some expressions in the state
//! that it leads to. What it does not speak of is hidden, and every value that the specification allows is tried. The
//! search goes through the log event by event and keeps *all* states in which the specification can be after each: if
//! none is left, no behaviour explains the log, and it is the first such event that is reported.
//!
//! Constraints are not heeded, since they limit a search and not the specification; nor are fairness, symmetry and
//! views.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use locus_explore::{Model as _, Trace, TraceEnd, TraceStep as Step};
use locus_source::{Place, Sources};
use serde_json::Value as Json;

use locus_tla_eval::eval::{Context, Settings, Values};
use locus_tla_eval::value::{Fault, FaultKind, Means, Names, Outcome, Value};
use locus_tla_syntax::config::Model;
use locus_tla_syntax::semantic::Specification;

use super::result::{ActionName, CheckResult, TraceStep};
use super::{How, heeding, prepare, report};
use crate::machine::{Machine, fingerprint};

/// One event of a log.
#[derive(Clone, Debug)]
pub struct Event {
    /// Where it stands.
    pub place: Place,
    /// The action of the step, if the event says.
    pub action: Option<String>,
    /// Parameters of the action and their values.
    pub parameters: Vec<(String, Json)>,
    /// Which of the model's expressions have which values in the state that the step leads to.
    pub values: Vec<(usize, Json)>,
}

/// How to look for a behaviour that explains a log.
#[derive(Clone, Debug, Default)]
pub struct LogOptions {
    /// The most steps between two events that the log says nothing of.
    pub gaps: u32,
    /// The most states to keep.
    pub states: Option<u64>,
    /// The longest time to take.
    pub time: Option<Duration>,
    /// The limits that may stop the search from outside, and the files that it may read.
    pub means: Means,
}

/// The result of comparing a log with a specification.
#[derive(Clone, Debug)]
pub struct LogResult {
    /// Whether there is a behaviour.
    pub outcome: LogOutcome,
    /// How many events, from the first on, some behaviour explains.
    pub explained: usize,
    /// In how many states the specification can be after these.
    pub candidates: usize,
    /// A behaviour that explains them: each state, with the event that the step to it stands for, if it is one.
    pub behaviour: Vec<(TraceStep, Option<usize>)>,
    /// States generated, duplicates included.
    pub generated: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The output that the specification printed.
    pub printed: Vec<String>,
}

/// Whether a behaviour explains a log.
#[derive(Clone, Debug)]
pub enum LogOutcome {
    /// One does.
    Explained,
    /// None does.
    Unexplained {
        /// The steps that are possible where the next event should be, those nearest to it first.
        allowed: Vec<Allowed>,
        /// How many more there are.
        more: usize,
    },
    /// An event names an action that the specification does not have; the event, and all the actions that it has.
    UnknownAction(usize, Vec<String>),
    /// It is not known: a limit was reached.
    Unfinished(&'static str),
    /// The specification cannot be evaluated, or an assumption is false.
    Failed(Box<CheckResult>),
}

/// A step that the specification allows, and how it differs from the event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allowed {
    /// The action; none if nothing changes.
    pub action: Option<ActionName>,
    /// Whether the event names another action.
    pub is_other_action: bool,
    /// The values that differ from those of the event: a parameter or an expression, its value here, and in the log.
    pub differences: Vec<(String, String, Json)>,
}

/// The most steps that are shown where an event is not explained.
const SHOWN: usize = 10;
/// The most steps that are looked at for that.
const LOOKED_AT: usize = 20_000;

/// Looks for a behaviour that explains a log. What the events speak of are the expressions of the model.
pub fn explain_log(
    sources: &Sources,
    specification: &Specification,
    model: &Model,
    events: &[Event],
    options: &LogOptions,
) -> LogResult {
    let started = Instant::now();
    let means = Arc::new(options.means.lasting(options.time));
    let settings = Settings { started, deadlock: false, workers: 1, simulation: None };
    let mut result = heeding(&means, || {
        match prepare(sources, specification.program(), model, How::default(), settings, &means) {
            Ok((setup, context)) => {
                let mut search = Search {
                    machine: &setup.machine,
                    context,
                    events,
                    options,
                    nodes: Vec::new(),
                    generated: 0,
                };
                let mut result = search.run();
                result.printed = setup.machine.shared.session.printed();
                result
            }
            Err(ended) => LogResult::new(LogOutcome::Failed(ended)),
        }
    });
    result.elapsed = started.elapsed();
    result
}

impl LogResult {
    fn new(outcome: LogOutcome) -> Self {
        Self {
            outcome,
            explained: 0,
            candidates: 0,
            behaviour: Vec::new(),
            generated: 0,
            elapsed: Duration::ZERO,
            printed: Vec::new(),
        }
    }
}

/// A state on the way through the log.
struct Node {
    state: Values,
    /// The one before, and the label of the action.
    from: Option<(usize, Option<u32>)>,
    /// The event that the step to it stands for.
    event: Option<usize>,
}

/// A step from a state.
struct Successor {
    label: u32,
    parameters: Vec<(String, Value)>,
    state: Values,
}

struct Search<'a> {
    machine: &'a Machine,
    context: Context,
    events: &'a [Event],
    options: &'a LogOptions,
    nodes: Vec<Node>,
    generated: u64,
}

impl Search<'_> {
    fn run(&mut self) -> LogResult {
        if let Some(outcome) = self.unknown_action() {
            return LogResult::new(outcome);
        }
        let mut frontier = match self.initial() {
            Ok(frontier) => frontier,
            Err(fault) => return self.failed(&fault, 0, &[]),
        };
        for event in 0..self.events.len() {
            let next = match self.explain(&frontier, event) {
                Ok(Some(next)) => next,
                Ok(None) => {
                    let limit = "the limit on distinct states was reached";
                    return self.result(LogOutcome::Unfinished(limit), event, &frontier);
                }
                Err(fault) => return self.failed(&fault, event, &frontier),
            };
            if next.is_empty() {
                return match self.allowed(&frontier, event) {
                    Ok((allowed, more)) => {
                        self.result(LogOutcome::Unexplained { allowed, more }, event, &frontier)
                    }
                    Err(fault) => self.failed(&fault, event, &frontier),
                };
            }
            frontier = next;
        }
        self.result(LogOutcome::Explained, self.events.len(), &frontier)
    }

    /// The first event whose action the specification does not have.
    fn unknown_action(&self) -> Option<LogOutcome> {
        let labels = &self.machine.shared.labels;
        let known = |name: &String| labels.iter().any(|label| *label.name == **name);
        let at =
            self.events.iter().position(|event| event.action.as_ref().is_some_and(|name| !known(name)))?;
        let mut names: Vec<String> =
            labels.iter().filter(|label| label.action).map(|label| label.name.to_string()).collect();
        names.sort_unstable();
        names.dedup();
        Some(LogOutcome::UnknownAction(at, names))
    }

    fn initial(&mut self) -> Outcome<Vec<usize>> {
        let (mut seen, mut states) = (HashSet::new(), Vec::new());
        let mut count = 0;
        self.machine.initial_states(&mut self.context, &mut |_, state| {
            count += 1;
            if seen.insert(fingerprint(state)) {
                states.push(state.clone());
            }
            ControlFlow::Continue(())
        })?;
        self.generated += count;
        Ok(states.into_iter().map(|state| self.add(Node { state, from: None, event: None })).collect())
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn successors(&mut self, node: usize) -> Outcome<Vec<Successor>> {
        let mut found = Vec::new();
        let mut fault = None;
        let labels = &self.machine.shared.labels;
        let state = self.nodes[node].state.clone();
        self.machine.successors(&mut self.context, &state, &mut |context, label, next| {
            let mut parameters = Vec::new();
            for (name, node) in labels.get(*label as usize).map_or(&[][..], |label| &label.params) {
                match context.eval(node) {
                    Ok(value) => parameters.push((name.to_string(), value)),
                    Err(why) => {
                        fault = Some(why);
                        return ControlFlow::Break(());
                    }
                }
            }
            found.push(Successor { label: *label, parameters, state: next.clone() });
            ControlFlow::Continue(())
        })?;
        self.generated += found.len() as u64;
        fault.map_or(Ok(found), Err)
    }

    /// The states in which the specification can be after an event, given those before it; none if that are too many.
    fn explain(&mut self, before: &[usize], event: usize) -> Outcome<Option<Vec<usize>>> {
        let mut explaining = Vec::new();
        let mut explained = HashSet::new();
        let mut passed: HashSet<u64> =
            before.iter().map(|node| fingerprint(&self.nodes[*node].state)).collect();
        let mut level = before.to_vec();
        for gap in 0..=self.options.gaps {
            let mut further = Vec::new();
            for from in level {
                let state = self.nodes[from].state.clone();
                if self.differences(event, None, &state)?.is_empty() && explained.insert(fingerprint(&state))
                {
                    explaining.push(self.add(Node { state, from: Some((from, None)), event: Some(event) }));
                }
                for step in self.successors(from)? {
                    let mark = fingerprint(&step.state);
                    if !explained.contains(&mark)
                        && self.differences(event, Some(&step), &step.state)?.is_empty()
                    {
                        explained.insert(mark);
                        let from = Some((from, Some(step.label)));
                        let state = step.state.clone();
                        explaining.push(self.add(Node { state, from, event: Some(event) }));
                    }
                    if gap < self.options.gaps && passed.insert(mark) {
                        let from = Some((from, Some(step.label)));
                        further.push(self.add(Node { state: step.state, from, event: None }));
                    }
                }
                if self.options.states.is_some_and(|most| self.nodes.len() as u64 > most) {
                    return Ok(None);
                }
            }
            level = further;
            if level.is_empty() {
                break;
            }
        }
        Ok(Some(explaining))
    }

    /// How a step, or staying where one is, differs from an event.
    fn differences(
        &mut self,
        event: usize,
        step: Option<&Successor>,
        state: &Values,
    ) -> Outcome<Vec<Difference>> {
        let event = &self.events[event];
        let mut found = Vec::new();
        if let Some(action) = &event.action {
            let labels = &self.machine.shared.labels;
            let name = step.and_then(|step| labels.get(step.label as usize)).map(|label| &*label.name);
            if name != Some(action.as_str()) {
                found.push(Difference::Action);
            }
        }
        for (name, logged) in &event.parameters {
            let value = step.and_then(|step| step.parameters.iter().find(|(other, _)| other == name));
            match value {
                Some((_, value)) if matches(value, logged, &self.machine.shared.names)? => {}
                value => {
                    found.push(Difference::Parameter(name.clone(), value.map(|(_, value)| value.clone())));
                }
            }
        }
        for (index, logged) in &event.values {
            let node = &self.machine.expressions[*index].node;
            let value = self
                .context
                .in_step(state, state, &self.machine.resets.steps, |context| context.eval(node)?.settled())?;
            if !matches(&value, logged, &self.machine.shared.names)? {
                found.push(Difference::Value(*index, value));
            }
        }
        Ok(found)
    }

    /// The steps that are possible where an event should be, those that differ least from it first, and how many more.
    fn allowed(&mut self, before: &[usize], event: usize) -> Outcome<(Vec<Allowed>, usize)> {
        let mut found: BTreeMap<(usize, String), Allowed> = BTreeMap::new();
        let mut level = before.to_vec();
        let mut looked_at = 0;
        for gap in 0..=self.options.gaps {
            let mut further = Vec::new();
            for from in level {
                for step in self.successors(from)? {
                    looked_at += 1;
                    if looked_at > LOOKED_AT {
                        break;
                    }
                    let differences = self.differences(event, Some(&step), &step.state)?;
                    let allowed = self.described(event, &step, &differences);
                    let rank = differences.len() + usize::from(allowed.is_other_action) * 100;
                    found.entry((rank, format!("{allowed:?}"))).or_insert(allowed);
                    if gap < self.options.gaps {
                        let from = Some((from, Some(step.label)));
                        further.push(self.add(Node { state: step.state, from, event: None }));
                    }
                }
            }
            level = further;
        }
        let more = found.len().saturating_sub(SHOWN);
        Ok((found.into_values().take(SHOWN).collect(), more))
    }

    fn described(&self, event: usize, step: &Successor, differences: &[Difference]) -> Allowed {
        let names = &self.machine.shared.names;
        let event = &self.events[event];
        let text = |value: &Value| value.shown(names).to_string();
        let action = self.machine.shared.labels.get(step.label as usize).map(|label| ActionName {
            name: label.name.to_string(),
            parameters: step.parameters.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
            place: label.place,
            within: self.machine.within[step.label as usize].clone(),
        });
        let logged = |name: &String| event.parameters.iter().find(|(other, _)| other == name);
        let differs = |difference: &Difference| match difference {
            Difference::Action => None,
            Difference::Parameter(name, value) => Some((
                name.clone(),
                value.as_ref().map_or("not a parameter".to_owned(), text),
                logged(name).map(|(_, json)| json.clone()).unwrap_or_default(),
            )),
            Difference::Value(index, value) => Some((
                self.machine.expressions[*index].name.clone(),
                text(value),
                event
                    .values
                    .iter()
                    .find(|(at, _)| at == index)
                    .map(|(_, json)| json.clone())
                    .unwrap_or_default(),
            )),
        };
        Allowed {
            action,
            is_other_action: differences.iter().any(|difference| matches!(difference, Difference::Action)),
            differences: differences.iter().filter_map(differs).collect(),
        }
    }

    fn failed(&mut self, fault: &Fault, explained: usize, frontier: &[usize]) -> LogResult {
        let outcome = match fault.kind {
            FaultKind::Stop(reason) => LogOutcome::Unfinished(report::because(reason)),
            _ => LogOutcome::Failed(Box::new(report::failed(fault, &self.machine.shared.names))),
        };
        self.result(outcome, explained, frontier)
    }

    fn result(&mut self, outcome: LogOutcome, explained: usize, frontier: &[usize]) -> LogResult {
        let (mut steps, mut events) = (Vec::new(), Vec::new());
        let mut at = frontier.first().copied();
        while let Some(index) = at {
            let node = &self.nodes[index];
            steps.push(Step { action: node.from.and_then(|(_, label)| label), state: node.state.clone() });
            events.push(node.event);
            at = node.from.map(|(before, _)| before);
        }
        steps.reverse();
        events.reverse();
        let trace = Trace { steps, end: TraceEnd::Finite, missing: 0, cut: None };
        let shown = report::shown_trace(self.machine, &mut self.context, &trace);
        LogResult {
            explained,
            candidates: frontier.len(),
            behaviour: shown.into_iter().zip(events).collect(),
            generated: self.generated,
            ..LogResult::new(outcome)
        }
    }
}

/// How a step differs from an event.
enum Difference {
    /// It is another action, or none.
    Action,
    /// A parameter has another value, or the action does not have it.
    Parameter(String, Option<Value>),
    /// An expression has another value.
    Value(usize, Value),
}

/// Whether a value is what JSON says. Sequences and sets are arrays, of which those of a set may be in any order;
/// functions and records are objects, whose keys are written as in TLA+, strings and model values without quotes.
fn matches(value: &Value, json: &Json, names: &Names) -> Outcome<bool> {
    Ok(match (value, json) {
        (Value::Bool(_), Json::Bool(truth)) => value.same(&Value::from(*truth)),
        (Value::Int(number), Json::Number(logged)) => logged.as_i64() == Some(*number),
        (Value::Str(text) | Value::Model(text), Json::String(logged)) => *names.text(*text) == **logged,
        (set, Json::Array(items)) if set.is_a_set() => {
            let set = set.explicit("a log")?;
            let mut found = vec![false; set.slice.len()];
            for item in items {
                let mut is_element = false;
                for (element, found) in set.slice.iter().zip(&mut found) {
                    if matches(element, item, names)? {
                        (*found, is_element) = (true, true);
                    }
                }
                if !is_element {
                    return Ok(false);
                }
            }
            found.into_iter().all(|found| found)
        }
        (function, Json::Array(items)) => match function.as_seq() {
            Some(values) if values.len() == items.len() => {
                for (value, item) in values.iter().zip(items) {
                    if !matches(value, item, names)? {
                        return Ok(false);
                    }
                }
                true
            }
            _ => false,
        },
        (function, Json::Object(fields)) => match function.pairs() {
            Some(pairs) if pairs.len() == fields.len() => {
                for (key, value) in pairs {
                    let key = match key {
                        Value::Str(text) | Value::Model(text) => names.text(text).to_string(),
                        other => other.shown(names).to_string(),
                    };
                    match fields.get(&key) {
                        Some(item) if matches(&value, item, names)? => {}
                        _ => return Ok(false),
                    }
                }
                true
            }
            _ => false,
        },
        _ => false,
    })
}
