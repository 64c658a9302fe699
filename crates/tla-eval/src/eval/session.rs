//! The memory of a run beside its states: the registers of `TLCSet`, what was printed, the source of chance.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use rustc_hash::FxHashMap;

use crate::value::{Means, Value};

use super::again::GivenAgain;
use super::ir::Cell;

/// The memory of a run.
#[derive(Debug, Default)]
pub struct Session {
    /// `TLCSet(i, v)`.
    pub registers: Mutex<FxHashMap<Value, Value>>,
    /// Lines of `Print` and `PrintT`, up to a limit.
    pub printed: Mutex<Vec<String>>,
    /// The result of `TLCGet("stats")` for a search that has ended.
    pub ended: OnceLock<Ended>,
    /// How the specification is checked: `TLCGet("config")`.
    pub settings: OnceLock<Settings>,
    /// Set by `TLCSet("exit", TRUE)`.
    pub exit: AtomicBool,
    /// Variables that got a value twice in one step.
    pub given_again: Mutex<GivenAgain>,
    /// States between the halves of a composed action; TLC counts them as generated.
    pub between: AtomicU64,
    /// Whether a function that cannot be enumerated has been made: then states are searched for such.
    pub opaque: AtomicBool,
    /// The limits of evaluations, and the files that they may read.
    pub means: OnceLock<Arc<Means>>,
    /// Stands for all that is checked, in a search that is saved.
    pub identity: OnceLock<u64>,
    /// Whether filters that initial states are chosen from had been built when the first worker came to them, by the
    /// numbers of their cells.
    built: Mutex<FxHashMap<u32, bool>>,
    random: AtomicU64,
}

/// The figures of a search that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// The figures.
    pub figures: locus_explore::Figures,
    /// How many initial states there were.
    pub initial: u64,
}

/// How a specification is checked.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// When it began.
    pub started: std::time::Instant,
    /// Whether a state without successors is an error.
    pub deadlock: bool,
    /// How many threads there are.
    pub workers: usize,
    /// The seed, the number of behaviours and their depth, of a simulation.
    pub simulation: Option<(u64, Option<u64>, u32)>,
}

/// The most lines that are kept of what a specification prints.
const MAX_PRINTED: usize = 10_000;

impl Session {
    /// Says that initial states are going to be found.
    pub fn begin_initial(&self) {
        self.built.lock().expect("no panic while locked").clear();
    }

    /// Whether a filter is to be taken as built: the same for all workers, whatever another one has built meanwhile.
    pub(super) fn is_built(&self, cell: &Cell) -> bool {
        let is_there = || cell.value.get().is_some();
        *self.built.lock().expect("no panic while locked").entry(cell.number).or_insert_with(is_there)
    }

    pub(crate) fn print(&self, line: String) {
        let mut printed = self.printed.lock().expect("no panic while locked");
        if printed.len() < MAX_PRINTED {
            printed.push(line);
        }
    }

    /// The lines printed so far.
    pub fn printed(&self) -> Vec<String> {
        self.printed.lock().expect("no panic while locked").clone()
    }

    /// A number that looks random and is the same in every run (of one worker).
    pub fn random(&self) -> u64 {
        let n = self.random.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
        let mut z = n.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
