//! Possibilities that are demanded: predicates that must be true in some reachable state, and actions that some step must be.
//!
//! An invariant that holds because nothing happens says little. TLC's configurations have `_POSSIBLE` for the other
//! direction: each is looked at until it was true once, and what never was is reported when everything is explored.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::eval::Context;
use crate::value::Outcome;

use super::machine::Named;
use super::result::{CheckResult, Verdict};

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

    /// Whether it was seen.
    pub(super) fn flag(&self) -> &AtomicBool {
        &self.seen
    }

    fn is_seen(&self) -> bool {
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

/// Says what was never seen, of a search that saw everything and found nothing else.
pub(super) fn report(result: &mut CheckResult, states: &[Possible], steps: &[Possible]) {
    if result.verdict != Verdict::Ok {
        return;
    }
    let states = states.iter().map(|possible| (possible, "it is true in no reachable state"));
    let steps = steps.iter().map(|possible| (possible, "no step from a reachable state is one"));
    let mut unseen = states.chain(steps).filter(|(possible, _)| !possible.is_seen());
    let Some((first, why)) = unseen.next() else { return };
    let others: Vec<&str> = unseen.map(|(other, _)| other.name()).collect();
    let others =
        if others.is_empty() { String::new() } else { format!("; nor is {}", others.join(", nor ")) };
    result.verdict = Verdict::Property;
    result.property = Some(first.name().to_owned());
    result.place = Some(first.named.place);
    result.message = format!("{} is not possible: {why}{others}", first.name());
}
