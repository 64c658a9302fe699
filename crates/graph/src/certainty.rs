//! Whether a declared location is certain to be there, and how many it stands for. Beside the theory, in which all
//! locations are there, once.

use std::sync::Arc;

/// How sure it is that a location is there, and how often. By default it is certain, and there is one.
///
/// Most locations are certain, and a graph may have millions: that is one word.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certainty(Option<Box<Doubt>>);

#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Doubt {
    only_if: Option<Arc<str>>,
    alike: Option<Alike>,
}

/// How many locations one stands for, all of them alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alike {
    /// So many.
    Exactly(u32),
    /// Any number, which is not known yet.
    AnyNumber,
}

impl Certainty {
    /// There only if something holds, which is said in a few words: "the condition `with_volume`".
    pub fn only_if(condition: impl Into<Arc<str>>) -> Self {
        Self(Some(Box::new(Doubt { only_if: Some(condition.into()), alike: None })))
    }

    /// Stands for some that are alike.
    #[must_use]
    pub fn standing_for(mut self, alike: Alike) -> Self {
        if alike != Alike::Exactly(1) {
            self.0.get_or_insert_default().alike = Some(alike);
        }
        self
    }

    /// Stands for any number that are alike.
    pub fn several() -> Self {
        Self::default().standing_for(Alike::AnyNumber)
    }

    /// On what it depends whether the location is there; nothing if it certainly is.
    pub fn condition(&self) -> Option<&Arc<str>> {
        self.0.as_ref()?.only_if.as_ref()
    }

    /// Whether the location may not be there.
    pub fn is_conditional(&self) -> bool {
        self.condition().is_some()
    }

    /// How many the location stands for.
    pub fn alike(&self) -> Alike {
        self.0.as_ref().and_then(|doubt| doubt.alike).unwrap_or(Alike::Exactly(1))
    }

    /// Whether there certainly is one such location.
    pub fn is_certain(&self) -> bool {
        self.0.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_kept_and_one_is_nothing_special() {
        let maybe = Certainty::only_if("x").standing_for(Alike::Exactly(3));
        assert_eq!(maybe.condition().map(|text| &**text), Some("x"));
        assert_eq!(maybe.alike(), Alike::Exactly(3));
        assert_eq!(Certainty::default().standing_for(Alike::Exactly(1)), Certainty::default());
        assert!(Certainty::default().is_certain() && !Certainty::several().is_certain());
        assert!(!Certainty::several().is_conditional());
        assert_eq!(size_of::<Certainty>(), size_of::<usize>());
    }
}
