//! Possibilities that are demanded: predicates that must be true in some reachable state, and actions that some step
//! must be.
//!
//! An invariant that holds because nothing happens says little. TLC's configurations have `_POSSIBLE` for the other
//! direction: each is looked at until it was true once.

use std::sync::atomic::{AtomicBool, Ordering};

use locus_source::Place;
use locus_tla_eval::eval::Context;
use locus_tla_eval::value::Outcome;

use super::Named;

/// Something that must be possible.
#[derive(Debug)]
pub(crate) struct Possible {
    named: Named,
    seen: AtomicBool,
}

impl Possible {
    pub(crate) fn new(named: Named) -> Self {
        Self { named, seen: AtomicBool::new(false) }
    }

    pub(crate) fn name(&self) -> &str {
        &self.named.name
    }

    /// Where it is defined.
    pub(crate) fn place(&self) -> Place {
        self.named.place
    }

    /// Whether it was seen.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.seen
    }

    pub(crate) fn is_seen(&self) -> bool {
        self.seen.load(Ordering::Relaxed)
    }
}

/// Whether there is anything that was not seen yet.
pub(super) fn is_open(all: &[Possible]) -> bool {
    !all.iter().all(Possible::is_seen)
}

/// Looks for what was not seen yet, in the state or step of the context.
pub(super) fn look(all: &[Possible], context: &mut Context) -> Outcome<()> {
    for possible in all.iter().filter(|possible| !possible.is_seen()) {
        if context.test(&possible.named.node)? {
            possible.seen.store(true, Ordering::Relaxed);
        }
    }
    Ok(())
}
