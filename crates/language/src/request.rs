//! The request of the command to a language: where files come from, and what the user asked for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use locus_rules::Rules;
use locus_source::{Limits, Loader, Sources};

use crate::Options;

/// The inputs and options with which documents are read and judged.
#[derive(Clone, Copy)]
pub struct Request<'r> {
    /// All files of the run; those that are read are added here.
    pub sources: &'r Sources,
    /// The limits above which a text is refused.
    pub limits: &'r Limits,
    /// Reads the files that a document names.
    pub loader: &'r Arc<dyn Loader>,
    /// The values of the options that languages have.
    pub options: &'r Options,
    /// The user's own rules, already compiled ([`RULES`](crate::options::RULES)).
    pub own_rules: &'r [Rules],
    /// How hard to try.
    pub effort: &'r Effort,
}

/// How much time and how many threads the judging of one document may take.
#[derive(Clone, Debug)]
pub struct Effort {
    /// After which time to give up on each question ([`TIMEOUT`](crate::options::TIMEOUT)).
    pub timeout: Option<Duration>,
    /// How many threads to use. Documents of one run share all threads, so this may be one.
    pub workers: usize,
    /// Set when the user wants an end.
    pub stop: Option<Arc<AtomicBool>>,
}
