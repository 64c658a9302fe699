//! Models that say more than can be analysed yet, as far as they are understood: what they say of one moment, and
//! without meta-signatures.
//!
//! A command is answered if neither it nor a fact says anything of other moments. Its instance is the first state of
//! a behaviour, and goes on as one in which nothing changes, so it is there exactly if Alloy has one. What says more
//! is refused where it stands, and only for the commands that need it.

use locus_source::{Finding, Place};
use rustc_hash::FxHashSet;

use crate::model::{Command, E, FuncId, Kind, World};
use crate::{Model, rules};

/// Says that what stands here is about more than one moment.
pub(crate) fn not_yet(place: Place) -> Box<Finding> {
    let message = "primes and temporal operators cannot be analysed yet";
    let finding = Finding::new(&rules::NOT_YET, place, message);
    Box::new(finding.help("a command is answered if neither it nor a fact uses them"))
}

/// The reason why a body, fact or goal as a whole cannot be analysed yet: there is a meta-signature in it.
pub(crate) fn refusal(e: &E) -> Option<Box<Finding>> {
    match (&e.kind, &e.errors) {
        (Kind::Bad, Some(errors)) => errors.first().cloned().map(Box::new),
        _ => None,
    }
}

/// Whether an expression is about more than one moment by itself, whatever it is made of.
pub(crate) fn is_temporal(e: &E) -> bool {
    match e.kind {
        Kind::Unary(op, _) => op.is_temporal(),
        Kind::Binary(op, ..) => op.is_temporal(),
        _ => false,
    }
}

/// Refuses a command that wants more than one moment of a model in which nothing changes, as Alloy does.
pub(crate) fn steps_of_nothing(world: &World, command: &Command) -> Result<(), Box<Finding>> {
    match command.steps {
        Some(place) if !world.changes() => {
            let message = "`steps` are said of what changes, and nothing does in this command";
            Err(Box::new(Finding::new(&rules::SCOPE, place, message)))
        }
        _ => Ok(()),
    }
}

impl Model {
    /// Returns an error for a fact that says something of more than one moment, or of meta-signatures, which data
    /// cannot be judged by.
    pub fn refused_fact(&self) -> Option<Box<Finding>> {
        let mut seen = FxHashSet::default();
        self.world.facts.iter().find_map(|fact| refused(&self.world, &fact.body, &mut seen))
    }
}

/// The reason why an expression, or what it calls, cannot be analysed yet.
fn refused(world: &World, e: &E, seen: &mut FxHashSet<FuncId>) -> Option<Box<Finding>> {
    if is_temporal(e) {
        return Some(not_yet(e.place));
    }
    let mut found = match e.kind {
        Kind::Bad => refusal(e),
        Kind::Call(func, _) if seen.insert(func) => refused(world, &world.func(func).body, seen),
        _ => None,
    };
    e.kind.each_part(&mut |part| {
        if found.is_none() {
            found = refused(world, part, seen);
        }
    });
    found
}
