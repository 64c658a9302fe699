//! Explicit-state exploration of any [`Model`].
//!
//! A model is anything with states, initial states and successors: a TLA+ specification, or a state machine
//! written in Rust. [`explore`] visits every reachable state breadth first, on several threads, and checks
//! invariants, properties of steps, deadlock and temporal properties; what is violated comes with a shortest
//! [`Trace`]. [`simulate`] walks at random instead.
//!
//! What a caller can rely on:
//!
//! - **Counts** are those of TLC (see [`Statistics`]).
//! - **Determinism**: verdict, counts and traces do not depend on the number of threads or their timing (except
//!   under a [view](Reduction::View), and where a search is stopped from outside or at the first violation).
//! - **Honesty**: [`Verdict::Holds`] means that everything was explored. A limit gives [`Verdict::Incomplete`].
//!
//! What does not live here: any language, any rendering of states or traces.

mod fingerprint_set;
mod graph;
mod limits;
mod model;
mod recorder;
mod report;
mod search;
mod simulate;
mod temporal;
mod trace;

pub use limits::{Limits, Progress, ProgressFn, Reason};
pub use model::{AtomSet, InitialSink, Model, Reduction, StepSink};
pub use report::{
    ActionCoverage, ProductSize, Report, Statistics, Trace, TraceEnd, TraceStep, Verdict, Violation,
    ViolationKind,
};
pub use search::{Options, explore};
pub use simulate::{Simulation, Walks, simulate};
pub use temporal::{Formula, Obligations, Temporal, TemporalError};
