//! Mutants of meanings, for tests: a meaning is changed once, when it is complete, and all that is made of it must
//! change.
//!
//! Output that does not change then is made of something else than the meaning. Not in builds for users.

use std::sync::atomic::{AtomicU8, Ordering};

use locus_graph::Alike;

use crate::{Meaning, Said, Standing};

/// A change of every meaning of this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mutant {
    /// Of everything of which there are several, there is one more.
    More,
    /// The last element that the document defines is not there.
    Lost,
}

/// None, or which one plus one.
static CHOSEN: AtomicU8 = AtomicU8::new(0);

/// The mutant with this name.
pub fn named(name: &str) -> Option<Mutant> {
    [("more", Mutant::More), ("lost", Mutant::Lost)]
        .into_iter()
        .find(|(own, _)| *own == name)
        .map(|(_, one)| one)
}

/// From now on, all meanings are changed so.
pub fn choose(mutant: Mutant) {
    CHOSEN.store(1 + mutant as u8, Ordering::Relaxed);
}

pub(crate) fn change(meaning: &mut Meaning<'_>) {
    match CHOSEN.load(Ordering::Relaxed) {
        1 => more(meaning),
        2 => lost(meaning),
        _ => {}
    }
}

fn more(meaning: &mut Meaning<'_>) {
    for element in &mut meaning.elements {
        if element.copies.count > 1 {
            element.copies.count += 1;
            // Each has a specification of its own; the new one has that of the last.
            if let Some(process) = &mut element.process {
                process.specifications.extend(process.specifications.last().cloned());
            }
        }
        if let Alike::Exactly(count @ 2..) = element.certainty.alike() {
            element.certainty = element.certainty.clone().standing_for(Alike::Exactly(count + 1));
        }
        for fact in element.facts.iter_mut().filter(|fact| fact.field == "stands_for") {
            if let Said::Int(Some(count @ 2..)) = &mut fact.value {
                *count += 1;
            }
        }
    }
}

fn lost(meaning: &mut Meaning<'_>) {
    let made = |one: &&mut crate::Element<'_>| one.standing == Standing::Defined && one.drawn;
    let Some(element) = meaning.elements.iter_mut().rev().find(made) else { return };
    element.standing = Standing::Existing;
    (element.kind, element.signature, element.process) = (None, None, None);
}
