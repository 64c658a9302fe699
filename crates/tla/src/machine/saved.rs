//! The facts about the specification that a saved search must keep beside its states: numbers of texts, what was seen,
//! and how states are packed.

use std::sync::atomic::{AtomicBool, Ordering};

use locus_explore::{Saved, Storage};

use locus_tla_eval::value::next_word;

use super::Machine;

/// Where a search keeps what does not fit into memory, and what it saves.
#[derive(Clone, Copy)]
pub struct DiskOptions<'a> {
    /// Where files are kept.
    pub storage: &'a dyn Storage,
    /// How often to save the search, if it is to be saved.
    pub save_every: Option<std::time::Duration>,
    /// Whether to go on with what was saved.
    pub resume: bool,
    /// Stands for all that is checked: what was saved under another one is refused.
    pub identity: u64,
    /// The most states to keep in memory, if that is less than the limit on memory allows.
    pub states: Option<u32>,
}

/// How the states of a saved search are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Values,
    Packed,
}

/// Writes what is to be known. What more there is to say of packed states follows.
pub(crate) fn remember(machine: &Machine, form: Form) -> Vec<u8> {
    let mut bytes = Vec::new();
    let session = &machine.shared.session;
    bytes.extend(session.identity.get().copied().unwrap_or_default().to_le_bytes());
    bytes.push(u8::from(form == Form::Packed));
    bytes.extend(session.between.load(Ordering::Relaxed).to_le_bytes());
    let texts = machine.shared.names.texts();
    bytes.extend((texts.len() as u64).to_le_bytes());
    for text in texts {
        bytes.extend((text.len() as u64).to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes.extend(seen(machine).map(|seen| u8::from(seen.load(Ordering::Relaxed))));
    bytes
}

/// The flags of predicates that are looked for until they were seen once.
fn seen(machine: &Machine) -> impl Iterator<Item = &AtomicBool> {
    let premises = machine.invariants.iter().flat_map(|invariant| &invariant.premises);
    let possible = machine.possible.iter().chain(&machine.possible_steps);
    premises.map(|premise| &premise.seen).chain(possible.map(super::possible::Possible::flag))
}

/// Reads it. Gives how states were kept, and what more is said of them.
///
/// # Errors
/// Why the search cannot be gone on with, in a sentence.
pub(crate) fn recall<'s>(machine: &Machine, saved: &'s Saved) -> Result<(Form, &'s [u8]), String> {
    const DAMAGED: &str = "what was saved cannot be used";
    let mut bytes = saved.model();
    let session = &machine.shared.session;
    if next_word(&mut bytes) != session.identity.get().copied() {
        return Err(
            "what was saved is of another specification or configuration, or by another version".to_owned()
        );
    }
    let mut recall = || {
        let (&form, rest) = bytes.split_first()?;
        bytes = rest;
        session.between.store(next_word(&mut bytes)?, Ordering::Relaxed);
        for number in 0..next_word(&mut bytes)? {
            let length = usize::try_from(next_word(&mut bytes)?).ok()?;
            let (text, rest) = bytes.split_at_checked(length)?;
            bytes = rest;
            let symbol = machine.shared.names.intern(std::str::from_utf8(text).ok()?);
            if symbol.0 != number {
                return None;
            }
        }
        for flag in seen(machine) {
            let (&seen, rest) = bytes.split_first()?;
            bytes = rest;
            flag.store(seen != 0, Ordering::Relaxed);
        }
        Some(if form == 0 { Form::Values } else { Form::Packed })
    };
    let form = recall().ok_or(DAMAGED)?;
    Ok((form, bytes))
}
