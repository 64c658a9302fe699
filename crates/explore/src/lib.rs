//! Explicit-state exploration of any [`Model`].
//!
//! A model is anything with states, initial states and successors: a TLA+ specification, or a state machine
//! written in Rust. [`explore`] visits every reachable state breadth first, on several threads, and checks
//! invariants, properties of steps, deadlock and temporal properties; what is violated comes with a shortest
//! [`Trace`]. [`simulate()`] walks at random instead.
//!
//! A caller can rely on the following:
//!
//! - **Counts** are those of TLC (see [`Statistics`]).
//! - **Determinism**: verdict, counts and traces do not depend on the number of threads or their timing (except
//!   under a [view](Reduction::View), and where a search is stopped from outside or at the first violation).
//! - **Memory**: with a [`Disk`], states and the state graph beyond [`Limits::bytes`] go there, with the same answers.
//! - **Honesty**: [`Verdict::Holds`] means that everything was explored. A limit gives [`Verdict::Incomplete`].
//!
//! A model needs four methods, and says that there is no more to it:
//!
//! ```
//! use locus_explore::{
//!     InitialSink, Model, Options, Properties, Saving, StepSink, Tuning, Verdict, explore,
//! };
//!
//! /// A light that goes from red to green to yellow to red.
//! struct Light;
//!
//! impl Model for Light {
//!     type State = u8;
//!     type Action = &'static str;
//!     type Error = String;
//!     type Worker = ();
//!
//!     fn worker(&self) {}
//!
//!     fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), String> {
//!         let _ = sink(worker, &0);
//!         Ok(())
//!     }
//!
//!     fn successors(&self, worker: &mut (), state: &u8, sink: &mut StepSink<'_, Self>) -> Result<(), String> {
//!         let _ = sink(worker, &"Change", &((state + 1) % 3));
//!         Ok(())
//!     }
//!
//!     fn fingerprint(&self, _: &mut (), state: &u8) -> Result<u64, String> {
//!         Ok(u64::from(*state))
//!     }
//! }
//!
//! impl Properties for Light {}
//! impl Saving for Light {}
//! impl Tuning for Light {}
//!
//! let report = explore(&Light, &Options::default());
//! assert_eq!(report.verdict, Verdict::Holds);
//! assert_eq!((report.statistics.generated, report.statistics.distinct), (4, 3));
//! ```
//!
//! Out of scope: any language, any rendering of states or traces.

mod disk;
mod estimate;
mod fingerprint_set;
mod frontier;
mod gate;
mod graph;
mod limits;
mod model;
mod options;
mod recorder;
mod report;
mod search;
mod segments;
mod simulate;
mod state_graph;
mod storage;
mod sync;
mod temporal;
mod trace;
mod walked;

pub use disk::saved::{Saved, SavedError};
pub use limits::{Limits, Progress, ProgressFn, Reason};
pub use model::{
    AtomSet, Explorable, Figures, InitialSink, Model, Properties, Reduction, Saving, StepSink, Tuning,
};
pub use options::{Disk, Options};
pub use report::{
    ActionCoverage, ProductSize, Report, Statistics, Trace, TraceEnd, TraceStep, Verdict, Violation,
    ViolationKind,
};
pub use search::explore;
pub use simulate::{Simulation, WalkProgress, WalkProgressFn, Walks, simulate};
pub use state_graph::{GraphError, GraphStep, StateGraph, Visitor, state_graph, walk};
pub use storage::{Blob, Heap, Storage};
pub use temporal::{Formula, Obligations, Temporal, TemporalError};
