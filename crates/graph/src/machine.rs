//! A location graph whose locations behave, as a state machine that can be explored: each state is a graph, each step a
//! transition of the whole graph.

use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use locus_explore::{InitialSink, Model, Properties, Saving, StepSink, Tuning};
use xxhash_rust::xxh3::xxh3_64;

use crate::semantics::{Behaviour, Context, Label, StepOptions, step};
use crate::{Location, LocationSet, Symbols};

/// A graph and what its locations can do.
pub struct Machine<B> {
    behaviour: B,
    initial: LocationSet,
    options: StepOptions,
    invariants: Vec<Invariant>,
    /// Names and roles that locations create are added here, by whichever worker meets them first. So nothing that a
    /// search gives may depend on their numbers.
    symbols: Mutex<Symbols>,
}

/// A condition that must hold of every graph that can be reached.
pub type Invariant = Box<dyn Fn(&LocationSet, &Symbols) -> bool + Send + Sync>;

impl<B: Behaviour + Sync> Machine<B> {
    /// The machine that starts as this graph.
    pub fn new(behaviour: B, initial: LocationSet, symbols: Symbols, options: StepOptions) -> Self {
        Self { behaviour, initial, options, invariants: Vec::new(), symbols: Mutex::new(symbols) }
    }

    /// Adds an invariant. They are numbered in the order in which they are added.
    #[must_use]
    pub fn invariant(
        mut self,
        holds: impl Fn(&LocationSet, &Symbols) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.invariants.push(Box::new(holds));
        self
    }

    /// The texts of all names and roles met so far.
    pub fn symbols(&self) -> MutexGuard<'_, Symbols> {
        self.symbols.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A text that is the same for the same graph, however its names and roles are numbered.
    fn text(&self, state: &LocationSet) -> String {
        let symbols = self.symbols();
        let mut locations: Vec<String> = state.iter().map(|location| canonical(location, &symbols)).collect();
        locations.sort_unstable();
        locations.join("\n")
    }
}

/// A location, with its roles in the order of their texts.
fn canonical(location: &Location, symbols: &Symbols) -> String {
    let roles = |roles: &[crate::Role]| {
        let mut texts: Vec<&str> = roles.iter().map(|&role| symbols.role_text(role)).collect();
        texts.sort_unstable();
        format!("{texts:?}")
    };
    format!(
        "{:?} {} {} {} {}",
        symbols.name_text(location.name()),
        location.sort().0.display(symbols),
        location.process().0.display(symbols),
        roles(location.provided()),
        roles(location.required()),
    )
}

impl<B: Behaviour + Sync> Model for Machine<B> {
    type State = LocationSet;
    type Action = Label;
    /// In words.
    type Error = String;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), String> {
        let _ = sink(worker, &self.initial);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &LocationSet,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), String> {
        let context = Context::of(state);
        let steps = {
            let mut symbols = self.symbols();
            let steps = step(&self.behaviour, state, &context, &mut symbols, self.options);
            steps.map_err(|error| error.display(&symbols).to_string())?
        };
        let mut next: Vec<(String, Label, LocationSet)> = steps
            .iter()
            .map(|step| {
                let transition = step.transition(state);
                let after = transition.term().clone();
                (self.text(&after), step.moving.label().clone(), after)
            })
            .collect();
        next.sort_by(|a, b| a.0.cmp(&b.0));
        for (_, label, after) in &next {
            if let ControlFlow::Break(()) = sink(worker, label, after) {
                break;
            }
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &LocationSet) -> Result<u64, String> {
        Ok(xxh3_64(self.text(state).as_bytes()))
    }

    fn check_state(&self, (): &mut (), state: &LocationSet, violated: &mut Vec<usize>) -> Result<(), String> {
        let symbols = self.symbols();
        let broken = |(_, holds): &(usize, &Invariant)| !holds(state, &symbols);
        violated.extend(self.invariants.iter().enumerate().filter(broken).map(|(at, _)| at));
        Ok(())
    }
}

impl<B: Behaviour + Sync> Properties for Machine<B> {}
impl<B: Behaviour + Sync> Saving for Machine<B> {}
impl<B: Behaviour + Sync> Tuning for Machine<B> {}

#[cfg(test)]
mod tests {
    use locus_explore::{Options, Verdict, explore};

    use super::*;
    use crate::semantics::{Fresh, Interaction, Move, Polarity};
    use crate::{Process, Sort, Value};

    /// A server that starts once the database that it is bound to says that it runs; the database starts by itself.
    struct Starting;

    impl Behaviour for Starting {
        fn moves(&self, location: &Location, _: &Context, _: &mut Fresh<'_>) -> Vec<Move> {
            let to = |state: &str, label: Label| {
                Move::to(location.with_process(Process(Value::text(state))), label)
            };
            let signal = |role: crate::Role, polarity: Polarity| {
                [Interaction { role, polarity, payload: Value::text("up") }].into_iter().collect::<Label>()
            };
            match (location.process().0.as_text(), location.provided(), location.required()) {
                (Some("stopped"), [_], []) => vec![to("running", Label::silent())],
                (Some("running"), [role], []) => vec![to("used", signal(*role, Polarity::Plus))],
                (Some("stopped"), [], [role]) => vec![to("running", signal(*role, Polarity::Minus))],
                _ => Vec::new(),
            }
        }
    }

    fn machine() -> Machine<Starting> {
        let mut symbols = Symbols::default();
        let (db, web, sql) = (symbols.name("db"), symbols.name("web"), symbols.role("sql"));
        let stopped = || Process(Value::text("stopped"));
        let database = Location::new(db, Sort::default(), stopped(), [sql], []).unwrap();
        let server = Location::new(web, Sort::default(), stopped(), [], [sql]).unwrap();
        Machine::new(Starting, [database, server].into_iter().collect(), symbols, StepOptions::default())
    }

    fn runs(state: &LocationSet, symbols: &Symbols, name: &str) -> bool {
        state.iter().any(|location| {
            symbols.name_text(location.name()) == name && location.process().0.as_text() != Some("stopped")
        })
    }

    /// The last graph has no steps, and need not have any.
    fn options() -> Options<'static> {
        Options { deadlock: false, ..Options::default() }
    }

    #[test]
    fn every_graph_that_can_be_reached_is_explored() {
        let machine =
            machine().invariant(|state, symbols| !runs(state, symbols, "web") || runs(state, symbols, "db"));
        let report = explore(&machine, &options());
        assert_eq!(report.verdict, Verdict::Holds);
        assert_eq!(report.statistics.distinct, 3);
    }

    #[test]
    fn an_invariant_that_is_broken_is_found() {
        let machine = machine().invariant(|state, symbols| !runs(state, symbols, "web"));
        assert_eq!(explore(&machine, &options()).verdict, Verdict::Violated);
    }
}
