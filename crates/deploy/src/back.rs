//! The way back: the proof that there is one before the first step, and its plan when something failed.

use locus_drivers::Planner;
use locus_engine::{Planned, State};
use locus_plan::{Ending, Risks, Verified, WayBack, delete_last, verify, way_back};

use crate::{Goal, Path, path};

/// Whether a plan can be gone back from wherever it stops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Return {
    /// It can.
    Open {
        /// Only until what is no longer needed is deleted at the end, since something is.
        cleans_up: bool,
    },
    /// It cannot: in words, why.
    Closed(String),
    /// That could not be told: in words, why.
    Unknown(String),
}

/// The most states that are explored to find that out where the order alone does not show it.
const MOST_STATES: u64 = 100_000;

impl Path {
    /// Proves that what is done can be undone, whatever fails.
    pub fn back(&self) -> Return {
        let (universe, start) = (&self.pivot.universe, &self.pivot.start);
        if let WayBack::Open { cleans_up } = way_back(universe, start, &self.plan) {
            return Return::Open { cleans_up };
        }
        // As the engine does it: what is no longer needed goes at the end.
        let risks = Risks { retries: 0, states: MOST_STATES, ..Risks::default() };
        match verify(universe, start, &delete_last(&self.plan), risks) {
            Verified::Safe { clean, .. } => Return::Open { cleans_up: !clean },
            Verified::Unsafe { ending, .. } => Return::Closed(match ending {
                Ending::Incorrect(why) => why,
                Ending::PartWay => {
                    "a failure after a deletion in the middle would leave it part-way".to_owned()
                }
                Ending::Stuck => "on the way back things would wait for each other".to_owned(),
            }),
            Verified::Unknown(why) => Return::Unknown(why),
        }
    }
}

/// Undoes by going back to what the last request that succeeded asked for.
#[derive(Clone, Copy, Debug)]
pub struct Back;

impl Planner for Back {
    fn compensate(&self, state: &State) -> Option<Vec<Planned>> {
        let previous = Goal::parse(state.previous()).ok()?;
        let nodes = previous.map(|goal| goal.nodes).unwrap_or_default();
        path(state, &nodes).ok().map(Path::into_steps)
    }
}
