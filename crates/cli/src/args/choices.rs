//! The values that some options have: formats of plans, and what fails a run.

use clap::ValueEnum;
use locus_source::Severity;

/// How a plan is written.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum PlanFormat {
    /// A table of steps, in waves that may run side by side
    Human,
    /// Stable JSON, see docs/plan.md
    Json,
    /// A table for a pull request
    Markdown,
    /// A timeline
    Svg,
    /// The order of the steps in the language of Graphviz
    Dot,
    /// A TLA+ module whose behaviours are the orders that the plan allows
    Tla,
}

/// The program that executes a plan.
#[derive(Clone, Copy, ValueEnum, PartialEq, Eq, Debug)]
pub(crate) enum Executor {
    /// Heat, which makes what takes the place of something before that is deleted
    Heat,
}

/// The severity from which on findings fail a run.
#[derive(Clone, Copy, ValueEnum, Debug)]
pub(crate) enum FailOn {
    /// Errors only
    Error,
    /// Warnings too
    Warning,
    /// Anything
    Note,
}

impl From<FailOn> for Severity {
    fn from(fail_on: FailOn) -> Self {
        match fail_on {
            FailOn::Error => Self::Error,
            FailOn::Warning => Self::Warning,
            FailOn::Note => Self::Note,
        }
    }
}
