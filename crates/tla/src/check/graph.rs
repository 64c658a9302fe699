//! The state graph of a small specification, in words: to be drawn.

use locus_explore::{GraphError, Model, Reduction, TraceEnd, Tuning, Violation, state_graph};
use rustc_hash::FxHashSet;

use super::report::name_step;
use crate::machine::Machine;

/// Every state and every step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateGraph {
    /// The states, in the order in which they are found.
    pub states: Vec<GraphState>,
    /// The steps; of several with the same ends and the same action there is one.
    pub steps: Vec<GraphStep>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphState {
    /// The variables and their values as TLA+.
    pub values: Vec<(String, String)>,
    /// Whether it is an initial one.
    pub initial: bool,
    /// Whether the behaviour that shows a violation goes through it.
    pub on_trace: bool,
    /// Whether the violation is seen in it: it is the last of a behaviour that ends.
    pub violating: bool,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphStep {
    /// The index of the state it begins in.
    pub from: usize,
    /// The index of the state it leads to.
    pub to: usize,
    /// The action, with the values of its parameters.
    pub action: String,
    /// Whether it is part of the behaviour that shows a violation.
    pub on_trace: bool,
}

/// The state graph, if it has at most `limit` states and steps.
pub(super) fn of(
    machine: &Machine,
    violation: Option<&Violation<Machine>>,
    limit: usize,
) -> Result<StateGraph, String> {
    let listed = state_graph(machine, limit).map_err(|error| match error {
        GraphError::TooLarge { limit } => format!("it has more than {limit} states and steps"),
        GraphError::Model(fault) => fault.message(&machine.shared.names),
    })?;
    let mut context = machine.worker();
    machine.repeating(&mut context, true);
    let trace = match violation {
        // Under a reduction the states of a trace need not be those of the graph.
        Some(violation) if machine.reduction() == Reduction::None => {
            Path::new(machine, violation, &listed.fingerprints)
        }
        _ => Path::default(),
    };
    let names = &machine.shared.names;
    let states = listed.states.iter().enumerate().map(|(i, state)| GraphState {
        values: machine
            .shared
            .variables
            .iter()
            .zip(state)
            .map(|(name, value)| (name.to_string(), value.shown(names).to_string()))
            .collect(),
        initial: listed.initial.contains(&i),
        on_trace: trace.states.contains(&i),
        violating: trace.end == Some(i),
    });
    let states = states.collect();
    let mut known = FxHashSet::default();
    let mut steps = Vec::new();
    for step in &listed.steps {
        let (from, to) = (&listed.states[step.from], &listed.states[step.to]);
        let action = match name_step(machine, &mut context, from, to, step.action) {
            Some(named) if named.parameters.is_empty() => named.name,
            Some(named) => {
                let values: Vec<_> = named.parameters.into_iter().map(|(_, value)| value).collect();
                format!("{}({})", named.name, values.join(", "))
            }
            None => String::new(),
        };
        if known.insert((step.from, step.to, action.clone())) {
            let on_trace = trace.steps.contains(&(step.from, step.to));
            steps.push(GraphStep { from: step.from, to: step.to, action, on_trace });
        }
    }
    machine.repeating(&mut context, false);
    Ok(StateGraph { states, steps })
}

/// The behaviour that shows a violation, by places in the graph.
#[derive(Default)]
struct Path {
    states: FxHashSet<usize>,
    steps: FxHashSet<(usize, usize)>,
    end: Option<usize>,
}

impl Path {
    fn new(machine: &Machine, violation: &Violation<Machine>, fingerprints: &[u64]) -> Self {
        let mut context = machine.worker();
        // A state outside of the constraints is not in the graph.
        let place = |step: &locus_explore::TraceStep<Machine>| {
            let fingerprint = machine.fingerprint(&mut context, &step.state).ok()?;
            fingerprints.iter().position(|other| *other == fingerprint)
        };
        let mut places: Vec<Option<usize>> = violation.trace.steps.iter().map(place).collect();
        let end = match &violation.trace.end {
            TraceEnd::Finite => places.last().copied().flatten(),
            TraceEnd::Stuttering => None,
            TraceEnd::BackTo { index, .. } => {
                places.push(places.get(*index).copied().flatten());
                None
            }
        };
        let steps = places.windows(2).filter_map(|pair| Some((pair[0]?, pair[1]?))).collect();
        Self { states: places.iter().copied().flatten().collect(), steps, end }
    }
}
