//! Measures the search on native models: states per second, bytes per state, and what a second worker gains.
//!
//! ```text
//! cargo run --release -p locus-explore --example throughput [case [workers]]
//! ```
//!
//! With arguments it runs one case, to be timed from outside: on a machine that is busy otherwise, compare CPU
//! seconds rather than those on the clock.
#![expect(clippy::print_stdout, reason = "an example that reports measurements")]

use std::convert::Infallible;

use locus_explore::{
    AtomSet, Formula, InitialSink, Model, Obligations, Options, Properties, Report, Saving, StepSink,
    Temporal, Tuning, Verdict, explore,
};

/// A grid of counters, each of which can go up by one: many ways to every state. `work` rounds of mixing per
/// fingerprint stand for the cost of evaluating a real specification.
struct Counters {
    count: usize,
    top: u8,
    work: u32,
}

impl Model for Counters {
    type State = [u8; 12];
    type Action = usize;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &[0; 12]);
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &[u8; 12],
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        let mut next = *state;
        for index in 0..self.count {
            if state[index] < self.top {
                next[index] += 1;
                if sink(worker, &index, &next).is_break() {
                    break;
                }
                next[index] -= 1;
            }
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &[u8; 12]) -> Result<u64, Infallible> {
        let mut hash = 0_u64;
        for _ in 0..=self.work {
            for &digit in state {
                hash = (hash.rotate_left(5) ^ u64::from(digit)).wrapping_mul(0x517C_C1B7_2722_0A95);
            }
        }
        Ok(hash ^ (hash >> 32))
    }
}

impl Properties for Counters {
    fn state_atoms(&self, (): &mut (), state: &[u8; 12], atoms: &mut AtomSet) -> Result<(), Infallible> {
        atoms.set(0, state[..self.count].iter().all(|&digit| digit == self.top));
        atoms.set(1, state[0] == 0);
        Ok(())
    }

    fn step_atoms(
        &self,
        (): &mut (),
        _: &[u8; 12],
        action: Option<&usize>,
        _: &[u8; 12],
        atoms: &mut AtomSet,
    ) -> Result<(), Infallible> {
        if let Some(&index) = action {
            atoms.insert(index);
        }
        Ok(())
    }
}

impl Saving for Counters {}
impl Tuning for Counters {}

fn show(what: &str, workers: usize, report: &Report<Counters>) -> f64 {
    assert_eq!(report.verdict, Verdict::Holds);
    let statistics = &report.statistics;
    let seconds = statistics.elapsed.as_secs_f64();
    println!(
        "{what:<28} {workers} workers  {:>9} distinct {:>9} generated  {seconds:>6.2} s  {:>5.2} M generated/s  \
         {:>5.1} bytes/state",
        statistics.distinct,
        statistics.generated,
        statistics.generated as f64 / seconds / 1e6,
        statistics.bytes as f64 / statistics.distinct as f64,
    );
    seconds
}

const CASES: [(&str, usize, u8, u32); 3] = [
    ("1 M states, no work", 6, 9, 0),
    ("10 M states, no work", 7, 9, 0),
    ("1 M states, 1 us per step", 6, 9, 60),
];

fn run(case: usize, workers: usize) -> f64 {
    let Some(&(what, count, top, work)) = CASES.get(case) else { return run_temporal(workers) };
    let model = Counters { count, top, work };
    let options = Options { workers, deadlock: false, ..Options::default() };
    show(what, workers, &explore(&model, &options))
}

fn run_temporal(workers: usize) -> f64 {
    let model = Counters { count: 6, top: 9, work: 0 };
    let fair = |index| Formula::weak_fairness(Formula::State(2 + index), Formula::Step(index));
    let temporal = Temporal::new(Obligations {
        state_atoms: 8,
        step_atoms: 6,
        enabled: (0..6).map(|index| (2 + index, index)).collect(),
        assumptions: (0..6).map(fair).collect(),
        properties: vec![
            Formula::State(0).eventually().always(),
            Formula::State(1).leads_to(Formula::State(1).not()),
        ],
    })
    .expect("small formulas");
    let options = Options { workers, deadlock: false, temporal: Some(&temporal), ..Options::default() };
    let report = explore(&model, &options);
    let seconds = show("1 M states, 2 temporal", workers, &report);
    println!("{:<28} {:?}", "", report.statistics.product);
    seconds
}

fn main() {
    let arguments: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    match arguments[..] {
        [case] => _ = run(case, 1),
        [case, workers, ..] => _ = run(case, workers),
        [] => {
            for case in 0..=CASES.len() {
                let (one, two) = (run(case, 1), run(case, 2));
                println!("{:<28} 2 workers are {:.2} times as fast as 1", "", one / two);
            }
        }
    }
}
