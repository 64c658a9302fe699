//! Two specifications of tlaplus/Examples written out in Rust, to see what the way from TLA+ costs: `LamportMutex` (N
//! = 3, maxClock = 6) and `SimpleRegular` (N = 8), with their invariants.
//!
//! ```text
//! cargo run --release -p locus-explore --example by_hand [lamport|regular]
//! ```
//!
//! One worker, to be timed from outside beside `locus tla check --workers 1`. The counts must be those of TLC.
#![expect(clippy::print_stdout, reason = "an example that reports measurements")]

use std::convert::Infallible;
use std::ops::ControlFlow;

use locus_explore::{
    Explorable, InitialSink, Model, Options, Properties, Saving, StepSink, Tuning, Verdict, explore,
};

type Done = Result<(), Infallible>;

fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517C_C1B7_2722_0A95)
}

// ---- LamportMutex
// ----------------------------------------------------------------------------------------------------

const N: usize = 3;
const MAX_CLOCK: u8 = 6;
const ALL: u8 = (1 << N) - 1;
const ACK: u32 = 1;
const REL: u32 = 2;
/// `req` with the clock 0.
const REQ: u32 = 3;

#[derive(Clone, Copy)]
struct Mutex {
    clock: [u8; N],
    req: [[u8; N]; N],
    ack: [u8; N],
    /// From one process to another, a byte for each message, the first one lowest.
    network: [[u32; N]; N],
    crit: u8,
}

impl Mutex {
    fn send(&mut self, from: usize, to: usize, message: u32) {
        let queue = &mut self.network[from][to];
        *queue |= message << (32 - queue.leading_zeros()).next_multiple_of(8);
    }

    fn broadcast(&mut self, from: usize, message: u32) {
        for to in (0..N).filter(|&to| to != from) {
            self.send(from, to, message);
        }
    }

    fn beats(&self, p: usize, q: usize) -> bool {
        let (own, other) = (self.req[p][p], self.req[p][q]);
        other == 0 || own < other || own == other && p < q
    }
}

struct LamportMutex;

impl Model for LamportMutex {
    type State = Mutex;
    type Action = ();
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Done {
        let first = Mutex { clock: [1; N], req: [[0; N]; N], ack: [0; N], network: [[0; N]; N], crit: 0 };
        let _ = sink(worker, &first);
        Ok(())
    }

    fn successors(&self, worker: &mut (), state: &Mutex, sink: &mut StepSink<'_, Self>) -> Done {
        let mut found = |next: &Mutex| sink(worker, &(), next);
        for p in 0..N {
            if steps_of(state, p, &mut found).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &Mutex) -> Result<u64, Infallible> {
        let mut hash = u64::from(state.crit);
        for p in 0..N {
            hash = mix(hash, u64::from(state.clock[p]) << 8 | u64::from(state.ack[p]));
            for q in 0..N {
                hash = mix(hash, u64::from(state.req[p][q]) << 32 | u64::from(state.network[p][q]));
            }
        }
        Ok(hash ^ (hash >> 32))
    }

    fn check_state(&self, (): &mut (), state: &Mutex, violated: &mut Vec<usize>) -> Done {
        let is_message = |byte: u8| u32::from(byte) <= REQ + u32::from(MAX_CLOCK) + 1;
        let types = state.clock.iter().all(|clock| (1..=MAX_CLOCK + 1).contains(clock))
            && state.req.iter().flatten().all(|&clock| clock <= MAX_CLOCK + 1)
            && state.ack.iter().all(|&ack| ack <= ALL)
            && state.network.iter().flatten().all(|queue| queue.to_le_bytes().into_iter().all(is_message));
        let bounded = state.network.iter().flatten().all(|&queue| queue >> 24 == 0);
        let mutex = state.crit.count_ones() <= 1;
        violated.extend(
            [types, bounded, mutex].iter().enumerate().filter(|(_, holds)| !**holds).map(|(at, _)| at),
        );
        Ok(())
    }
}

impl Properties for LamportMutex {
    fn is_within(&self, (): &mut (), state: &Mutex) -> Result<bool, Infallible> {
        Ok(state.clock.iter().all(|&clock| clock <= MAX_CLOCK))
    }
}

impl Saving for LamportMutex {}
impl Tuning for LamportMutex {}

/// The steps of a process.
fn steps_of(state: &Mutex, p: usize, found: &mut impl FnMut(&Mutex) -> ControlFlow<()>) -> ControlFlow<()> {
    if state.req[p][p] == 0 {
        let mut next = *state;
        next.req[p][p] = state.clock[p];
        next.broadcast(p, REQ + u32::from(state.clock[p]));
        next.ack[p] = 1 << p;
        found(&next)?;
    }
    if state.ack[p] == ALL && (0..N).filter(|&q| q != p).all(|q| state.beats(p, q)) {
        let mut next = *state;
        next.crit |= 1 << p;
        found(&next)?;
    }
    if state.crit & 1 << p != 0 {
        let mut next = *state;
        next.crit &= !(1 << p);
        next.broadcast(p, REL);
        next.req[p][p] = 0;
        next.ack[p] = 0;
        found(&next)?;
    }
    for q in (0..N).filter(|&q| q != p) {
        let message = state.network[q][p] & 0xFF;
        if message == 0 {
            continue;
        }
        let mut next = *state;
        next.network[q][p] >>= 8;
        match message {
            ACK => next.ack[p] |= 1 << q,
            REL => next.req[p][q] = 0,
            _ => {
                let clock = (message - REQ) as u8;
                next.req[p][q] = clock;
                next.clock[p] = clock.max(state.clock[p]) + 1;
                next.send(p, q, ACK);
            }
        }
        found(&next)?;
    }
    ControlFlow::Continue(())
}

// ---- SimpleRegular
// ---------------------------------------------------------------------------------------------------

const PROCESSES: usize = 8;

/// For each process two bits of `pc`, two of `x` (the elements of a set), and one of `y`.
#[derive(Clone, Copy)]
struct Registers([u8; PROCESSES]);

impl Registers {
    fn pc(self, i: usize) -> u8 {
        self.0[i] & 3
    }

    fn x(self, i: usize) -> u8 {
        self.0[i] >> 2 & 3
    }

    fn y(self, i: usize) -> u8 {
        self.0[i] >> 4
    }
}

const A1: u8 = 0;
const A2: u8 = 1;
const B: u8 = 2;
const DONE: u8 = 3;

struct SimpleRegular;

impl Model for SimpleRegular {
    type State = Registers;
    type Action = ();
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Done {
        let _ = sink(worker, &Registers([A1 | 1 << 2; PROCESSES]));
        Ok(())
    }

    fn successors(&self, worker: &mut (), state: &Registers, sink: &mut StepSink<'_, Self>) -> Done {
        for i in 0..PROCESSES {
            let mut to = |process: u8| {
                let mut next = *state;
                next.0[i] = process;
                sink(worker, &(), &next)
            };
            let flow = match state.pc(i) {
                A1 => to(A2 | 3 << 2 | state.y(i) << 4),
                A2 => to(B | 2 << 2 | state.y(i) << 4),
                B => {
                    let seen = state.x((i + PROCESSES - 1) % PROCESSES);
                    (0..2)
                        .filter(|v| seen & 1 << v != 0)
                        .try_for_each(|v| to(DONE | state.x(i) << 2 | v << 4))
                }
                _ => ControlFlow::Continue(()),
            };
            if flow.is_break() {
                return Ok(());
            }
        }
        if (0..PROCESSES).all(|i| state.pc(i) == DONE) {
            let _ = sink(worker, &(), state);
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &Registers) -> Result<u64, Infallible> {
        let hash = mix(mix(1, u64::from_le_bytes(state.0)), 2);
        Ok(hash ^ (hash >> 32))
    }

    fn check_state(&self, (): &mut (), state: &Registers, violated: &mut Vec<usize>) -> Done {
        let all_done = (0..PROCESSES).all(|i| state.pc(i) == DONE);
        let some_one = (0..PROCESSES).any(|i| state.y(i) == 1);
        let types = (0..PROCESSES).all(|i| state.x(i) != 0 && state.y(i) <= 1);
        let written = (0..PROCESSES).all(|i| state.pc(i) < B || state.x(i) == 2);
        let invariants = [!all_done || some_one, types, types && written && (!all_done || some_one)];
        violated.extend(invariants.iter().enumerate().filter(|(_, holds)| !**holds).map(|(at, _)| at));
        Ok(())
    }
}

impl Properties for SimpleRegular {}
impl Saving for SimpleRegular {}
impl Tuning for SimpleRegular {}

fn run<M: Explorable>(name: &str, model: &M, expected: (u64, u64)) {
    let report = explore(model, &Options { workers: 1, ..Options::default() });
    assert_eq!(report.verdict, Verdict::Holds, "{name}");
    let statistics = &report.statistics;
    assert_eq!((statistics.generated, statistics.distinct), expected, "{name}: TLC has other counts");
    println!("{name:<16} {:>8} distinct  {:>6.3} s", statistics.distinct, statistics.elapsed.as_secs_f64());
}

fn main() {
    let only = std::env::args().nth(1);
    let is_wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if is_wanted("lamport") {
        run("LamportMutex", &LamportMutex, (2_729_079, 724_274));
    }
    if is_wanted("regular") {
        run("SimpleRegular", &SimpleRegular, (1_454_776, 277_726));
    }
}
