//! How much of what the world says is kept, and how much a program is told of it.
//!
//! The system takes no text with a NUL in it for the environment of a program, none that is too long, and not too many;
//! a database may take none with a NUL either. What would keep every later program from starting, those that delete
//! among them, is refused where it comes up.

use std::collections::BTreeMap;

use locus_engine::{Acceptance, Does, Failure, Left, Outcome};

/// The most bytes of one output.
pub(crate) const LONGEST_OUTPUT: usize = 64 << 10;

/// The most bytes of all outputs of one node.
const ALL_OUTPUTS: usize = 512 << 10;

/// The most bytes of a reason.
const LONGEST_REASON: usize = 8 << 10;

/// The most bytes of one variable of a program: the system allows 128 KiB with the name.
const LONGEST_VARIABLE: usize = 120 << 10;

/// The most bytes of all variables that a program is told without having asked for them.
const UNASKED: usize = 512 << 10;

/// How a step ended, in a form that can be stored and handed on. What was made although it cannot be is a failure that
/// left something.
pub(crate) fn storable(outcome: Outcome, does: Does) -> Outcome {
    match outcome {
        // Nobody is told anything of what is gone.
        Outcome::Done { id, .. } if does == Does::Delete => {
            Outcome::Done { id: text(&id), outputs: BTreeMap::new() }
        }
        Outcome::Done { id, outputs } => match wrong(&id, &outputs) {
            None => Outcome::Done { id, outputs },
            Some(reason) => Outcome::Failed(Failure::refused(reason).leaving(named(&id))),
        },
        Outcome::Accepted(accepted) => storable_acceptance(accepted),
        Outcome::Failed(Failure { cause, reason, left, after }) => {
            let left = if let Left::Named(id) = &left { named(id) } else { left };
            Outcome::Failed(Failure { cause, reason: text(&reason), left, after })
        }
        Outcome::Unknown { reason } => Outcome::Unknown { reason: text(&reason) },
    }
}

/// The rest of a failure under a name that can be stored, or under none.
fn named(id: &str) -> Left {
    let is_storable = !id.is_empty() && !id.contains('\0') && id.len() <= LONGEST_OUTPUT;
    if is_storable { Left::Named(id.to_owned()) } else { Left::Something }
}

/// An accepted call, if it can be asked for again by what is stored.
fn storable_acceptance(accepted: Acceptance) -> Outcome {
    if accepted.handle.contains('\0') || accepted.handle.len() > LONGEST_REASON {
        let reason = "what the world calls the operation cannot be stored".to_owned();
        return Outcome::Unknown { reason };
    }
    Outcome::Accepted(accepted)
}

fn wrong(id: &str, outputs: &BTreeMap<String, String>) -> Option<String> {
    let own = [("id", id)];
    let all = own.into_iter().chain(outputs.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let mut total = 0;
    for (name, value) in all {
        let length = name.len() + value.len();
        total += length;
        if name.contains('\0') || value.contains('\0') {
            return Some(format!("the output `{}` has a NUL in it", text(name)));
        }
        if length > LONGEST_OUTPUT {
            return Some(format!(
                "the output `{}` has {length} bytes, and {LONGEST_OUTPUT} are kept at most: put out where it is instead",
                text(name)
            ));
        }
    }
    (total > ALL_OUTPUTS)
        .then(|| format!("the outputs have {total} bytes together, and {ALL_OUTPUTS} are kept at most"))
}

/// A text for people that every database takes.
fn text(from_outside: &str) -> String {
    let end = from_outside.floor_char_boundary(LONGEST_REASON);
    from_outside[..end].replace('\0', "\u{fffd}")
}

/// Whether a program can be told a value, and what is left of the room for those that it did not ask for.
pub(crate) struct Room(usize);

impl Room {
    pub(crate) fn new() -> Self {
        Self(UNASKED)
    }

    /// Takes a variable in, or says why it cannot be told. It is enough to leave it out, if nobody asked for it.
    pub(crate) fn take(&mut self, name: &str, value: &str, is_asked_for: bool) -> Result<(), String> {
        let length = name.len() + value.len();
        if value.contains('\0') {
            return Err(format!("`{name}` has a NUL in it, which no program can be told"));
        }
        if length > LONGEST_VARIABLE {
            let most = LONGEST_VARIABLE;
            return Err(format!("`{name}` has {length} bytes, and a program can be told {most} at most"));
        }
        if !is_asked_for {
            self.0 = self.0.checked_sub(length).ok_or_else(|| format!("there is no room for `{name}`"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use locus_engine::Cause;

    use super::*;

    fn done(value: &str) -> Outcome {
        let outputs = BTreeMap::from([("url".to_owned(), value.to_owned())]);
        Outcome::Done { id: "i".to_owned(), outputs }
    }

    #[test]
    fn what_no_program_could_be_told_is_a_failure_that_left_something() {
        let most = "x".repeat(LONGEST_OUTPUT - 3);
        assert_eq!(storable(done(&most), Does::Create), done(&most));
        for value in [format!("{most}x"), "a\0b".to_owned()] {
            let Outcome::Failed(failure) = storable(done(&value), Does::Create) else {
                panic!("{} bytes were taken", value.len())
            };
            let Failure { cause, reason, left, .. } = failure;
            assert_eq!((cause, left), (Cause::Refused, Left::Named("i".to_owned())));
            assert!(reason.contains("`url`") && !reason.contains('\0'), "{reason}");
            // Of what is gone nothing is kept, so nothing is wrong.
            assert_eq!(
                storable(done(&value), Does::Delete),
                Outcome::Done { id: "i".to_owned(), outputs: BTreeMap::new() }
            );
        }
        let many: BTreeMap<String, String> =
            (0..20).map(|n| (n.to_string(), "x".repeat(LONGEST_OUTPUT / 2))).collect();
        let many = Outcome::Done { id: String::new(), outputs: many };
        assert!(matches!(
            storable(many, Does::Change),
            Outcome::Failed(Failure { left: Left::Something, .. })
        ));
    }

    #[test]
    fn reasons_are_texts_that_every_database_takes() {
        let reason = format!("a\0{}ü", "x".repeat(LONGEST_REASON - 3));
        let Outcome::Unknown { reason } = storable(Outcome::Unknown { reason }, Does::Create) else {
            panic!()
        };
        assert!(
            reason.len() <= LONGEST_REASON + 2 && !reason.contains('\0') && reason.starts_with("a\u{fffd}x")
        );
    }

    #[test]
    fn what_nobody_asked_for_makes_way() {
        let mut room = Room::new();
        let half = "x".repeat(LONGEST_VARIABLE / 2);
        let taken = (0..100).filter(|_| room.take("A", &half, false).is_ok()).count();
        assert_eq!(taken, UNASKED / (half.len() + 1));
        assert!(room.take("B", &half, true).is_ok());
        assert!(room.take("B", &half.repeat(3), true).is_err() && room.take("B", "\0", true).is_err());
    }
}
