//! Every state and every step of a specification, one after the other: state graphs of any size, for other programs.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use locus_explore::Visitor;
use locus_source::Sources;

use locus_tla_eval::eval::{Context, Settings, Values};
use locus_tla_eval::value::{Fault, FaultKind};
use locus_tla_syntax::config::Model;
use locus_tla_syntax::semantic::Specification;

use super::result::{ActionName, CheckResult, TraceVariable};
use super::{CheckOptions, How, heeding, prepare, report};
use crate::machine::Machine;

/// A part of a state graph. States are numbered from 1; a step comes after both its states.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A state.
    State {
        /// Its number.
        number: usize,
        /// Whether it is an initial one.
        is_initial: bool,
        /// Its variables, in the order of their declaration.
        variables: Vec<TraceVariable>,
    },
    /// A step between two states.
    Step {
        /// The number of the state that it leaves.
        from: usize,
        /// The number of the state that it leads to.
        to: usize,
        /// The action.
        action: Option<ActionName>,
    },
}

/// The size of a state graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Dumped {
    /// States.
    pub states: u64,
    /// Steps.
    pub steps: u64,
}

/// Shows the state graph to `sink`, within the constraints, until that has had enough. Of the options, those count that
/// limit states and time.
///
/// # Errors
/// Why the graph is not complete.
pub fn dump(
    sources: &Sources,
    specification: &Specification,
    model: &Model,
    options: &CheckOptions<'_>,
    sink: &mut dyn FnMut(&Entry) -> ControlFlow<()>,
) -> Result<Dumped, Box<CheckResult>> {
    let means = Arc::new(options.means.lasting(options.time));
    let settings = Settings { started: Instant::now(), deadlock: false, workers: 1, simulation: None };
    heeding(&means, || {
        let (setup, _) = prepare(sources, specification.program(), model, How::default(), settings, &means)?;
        let machine = &setup.machine;
        let mut dump = Dump { machine, sink, most: options.states, dumped: Dumped::default(), fault: None };
        let walked = locus_explore::walk(machine, &mut dump);
        match (dump.fault.take(), walked) {
            (Some(fault), _) | (None, Err(fault)) => {
                Err(Box::new(report::failed(&fault, &machine.shared.names)))
            }
            (None, Ok(())) => Ok(dump.dumped),
        }
    })
}

struct Dump<'a> {
    machine: &'a Machine,
    sink: &'a mut dyn FnMut(&Entry) -> ControlFlow<()>,
    most: Option<u64>,
    dumped: Dumped,
    fault: Option<Box<Fault>>,
}

impl Visitor<Machine> for Dump<'_> {
    fn state(
        &mut self,
        context: &mut Context,
        number: usize,
        state: &Values,
        is_initial: bool,
    ) -> ControlFlow<()> {
        self.dumped.states += 1;
        if self.most.is_some_and(|most| self.dumped.states > most) {
            self.fault = Some(Fault::kind(FaultKind::Stop(locus_explore::Reason::States)));
            return ControlFlow::Break(());
        }
        let variables = self.machine.shared.variables.iter().zip(state);
        let variables =
            variables.map(|(name, value)| report::shown(self.machine, context, name, value, false)).collect();
        (self.sink)(&Entry::State { number: number + 1, is_initial, variables })
    }

    fn step(&mut self, context: &mut Context, from: usize, label: &u32, to: usize) -> ControlFlow<()> {
        self.dumped.steps += 1;
        let names = &self.machine.shared.names;
        let mut action = None;
        if let Some(known) = self.machine.shared.labels.get(*label as usize) {
            let mut parameters = Vec::with_capacity(known.params.len());
            for (name, node) in &known.params {
                match context.eval(node) {
                    Ok(value) => parameters.push((name.to_string(), value.shown(names).to_string())),
                    Err(fault) => {
                        self.fault = Some(fault);
                        return ControlFlow::Break(());
                    }
                }
            }
            action = Some(ActionName {
                name: known.name.to_string(),
                parameters,
                place: known.place,
                within: self.machine.within[*label as usize].clone(),
            });
        }
        (self.sink)(&Entry::Step { from: from + 1, to: to + 1, action })
    }
}
