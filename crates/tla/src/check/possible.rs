//! The report on possibilities that were demanded and never seen.

use crate::machine::possible::Possible;

use super::result::{CheckResult, Verdict};

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
    result.place = Some(first.place());
    result.message = format!("{} is not possible: {why}{others}", first.name());
}
