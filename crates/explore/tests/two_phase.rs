//! Two-phase commit in Rust, action by action as in `TwoPhase.tla` of the TLA+ examples, so that counts can be
//! compared with those recorded for TLC; with and without symmetry.

use std::collections::BTreeSet;
use std::convert::Infallible;

use locus_explore::{
    InitialSink, Model, Options, Properties, Reduction, Saving, StepSink, Tuning, Verdict, explore,
    state_graph,
};

const MANAGERS: usize = 3;
const ALL: u8 = (1 << MANAGERS) - 1;
const COMMIT: u8 = 1 << MANAGERS;
const ABORT: u8 = 1 << (MANAGERS + 1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Manager {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    managers: [Manager; MANAGERS],
    /// The transaction manager: 0 initial, 1 committed, 2 aborted.
    transaction: u8,
    /// The managers that the transaction manager knows to be prepared, as bits.
    known_prepared: u8,
    /// The messages sent: a bit for "prepared" of each manager, then commit, then abort.
    messages: u8,
}

impl State {
    /// The state with managers renamed: `order[i]` becomes `i`.
    fn renamed(self, order: [usize; MANAGERS]) -> State {
        let bits = |set: u8| (0..MANAGERS).fold(0, |bits, i| bits | (set >> order[i] & 1) << i);
        State {
            managers: order.map(|i| self.managers[i]),
            transaction: self.transaction,
            known_prepared: bits(self.known_prepared),
            messages: bits(self.messages) | self.messages & (COMMIT | ABORT),
        }
    }

    fn number(self) -> u64 {
        let managers = self.managers.iter().fold(0, |number, &manager| number << 2 | manager as u64);
        let rest = [self.transaction, self.known_prepared, self.messages];
        rest.iter().fold(managers, |number, &part| number << 8 | u64::from(part))
    }
}

const ORDERS: [[usize; MANAGERS]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

struct TwoPhase {
    symmetric: bool,
}

impl Model for TwoPhase {
    type State = State;
    type Action = (&'static str, usize);
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let managers = [Manager::Working; MANAGERS];
        let _ = sink(worker, &State { managers, transaction: 0, known_prepared: 0, messages: 0 });
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &State,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        let mut steps = Vec::new();
        if state.transaction == 0 {
            let messages = state.messages;
            if state.known_prepared == ALL {
                let next = State { transaction: 1, messages: messages | COMMIT, ..*state };
                steps.push((("TMCommit", 0), next));
            }
            steps.push((("TMAbort", 0), State { transaction: 2, messages: messages | ABORT, ..*state }));
        }
        for rm in 0..MANAGERS {
            let bit = 1 << rm;
            let with = |manager| {
                let mut next = *state;
                next.managers[rm] = manager;
                next
            };
            if state.transaction == 0 && state.messages & bit != 0 {
                let known_prepared = state.known_prepared | bit;
                steps.push((("TMRcvPrepared", rm), State { known_prepared, ..*state }));
            }
            if state.managers[rm] == Manager::Working {
                let messages = state.messages | bit;
                steps.push((("RMPrepare", rm), State { messages, ..with(Manager::Prepared) }));
                steps.push((("RMChooseToAbort", rm), with(Manager::Aborted)));
            }
            if state.messages & COMMIT != 0 {
                steps.push((("RMRcvCommitMsg", rm), with(Manager::Committed)));
            }
            if state.messages & ABORT != 0 {
                steps.push((("RMRcvAbortMsg", rm), with(Manager::Aborted)));
            }
        }
        let _ = steps.iter().try_for_each(|(action, next)| sink(worker, action, next));
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &State) -> Result<u64, Infallible> {
        if self.symmetric {
            return Ok(ORDERS.map(|order| state.renamed(order).number()).into_iter().min().unwrap_or(0));
        }
        Ok(state.number())
    }

    fn reduction(&self) -> Reduction {
        if self.symmetric { Reduction::Symmetry } else { Reduction::None }
    }

    /// 0: no manager has committed while another has aborted. 1, which is not so: none ever commits.
    fn check_state(&self, (): &mut (), state: &State, violated: &mut Vec<usize>) -> Result<(), Infallible> {
        let any = |wanted| state.managers.contains(&wanted);
        if any(Manager::Committed) && any(Manager::Aborted) {
            violated.push(0);
        }
        if self.symmetric && any(Manager::Committed) {
            violated.push(1);
        }
        Ok(())
    }
}

impl Properties for TwoPhase {}
impl Saving for TwoPhase {}
impl Tuning for TwoPhase {}

#[test]
fn counts_are_those_of_tlc() {
    for workers in [1, 2] {
        let report = explore(&TwoPhase { symmetric: false }, &Options { workers, ..Options::default() });
        assert_eq!(report.verdict, Verdict::Holds);
        let statistics = report.statistics;
        // Recorded for TwoPhase.cfg in the TLA+ examples.
        assert_eq!((statistics.generated, statistics.distinct, statistics.depth), (1146, 288, 11));
    }
}

#[test]
fn under_symmetry_there_is_a_state_per_orbit() {
    let graph = state_graph(&TwoPhase { symmetric: false }, 10_000).unwrap_or_else(|_| panic!("small"));
    let orbit = |state: &State| ORDERS.map(|order| state.renamed(order)).into_iter().min();
    let orbits: BTreeSet<_> = graph.states.iter().map(orbit).collect();
    for workers in [1, 2] {
        let options = Options { workers, violations: 1000, ..Options::default() };
        let report = explore(&TwoPhase { symmetric: true }, &options);
        assert_eq!(report.statistics.distinct, orbits.len() as u64);
        assert_eq!(report.statistics.depth, 11);
        // Traces are real ones, step by step, not of representatives.
        for violation in &report.violations {
            assert_eq!(violation.trace.missing, 0);
            for pair in violation.trace.steps.windows(2) {
                let found = graph.steps.iter().any(|step| {
                    let ends = (graph.states[step.from], graph.states[step.to]);
                    ends == (pair[0].state, pair[1].state) && Some(step.action) == pair[1].action
                });
                assert!(found, "{:?} -> {:?}", pair[0], pair[1]);
            }
        }
        assert!(report.violations.len() > 1);
    }
}
