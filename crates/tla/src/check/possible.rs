//! What must be possible: predicates that must be true in some reachable state, and actions that some step must be.
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
    let of = |all: &'_ [Possible], what: &str| -> Vec<(String, String, locus_source::Place)> {
        let unseen = all.iter().filter(|possible| !possible.is_seen());
        let said = |possible: &Possible| {
            let message = format!("{} is not possible: {what}", possible.name());
            (possible.name().to_owned(), message, possible.named.place)
        };
        unseen.map(said).collect()
    };
    let mut unseen = of(states, "it is true in no reachable state");
    unseen.extend(of(steps, "no step from a reachable state is one"));
    let mut unseen = unseen.into_iter();
    let Some((name, message, place)) = unseen.next() else { return };
    result.verdict = Verdict::Property;
    result.property = Some(name);
    result.place = Some(place);
    let others: Vec<String> = unseen.map(|(name, ..)| name).collect();
    result.message =
        if others.is_empty() { message } else { format!("{message}; nor is {}", others.join(", nor ")) };
}
