//! Why a value is not known. The reasons are an open vocabulary: each language has its own, as constants.
//!
//! The consequences of a reason are the same for all languages, so it is part of the reason ([`Nature`]): the
//! interpretation of a document asks for that, and never for a particular reason.

use std::sync::Arc;

use locus_source::Place;

use crate::datum::Datum;

/// A kind of reason for values not to be known.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reason {
    /// A word for it, unique within its language.
    pub id: &'static str,
    /// A clause that says why, with `{}` for each of the names that belong to it.
    pub clause: &'static str,
    /// The consequence of it.
    pub nature: Nature,
}

/// The consequence of a reason.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Nature {
    /// The value is an input of the deployment. It is the same wherever it is used, and if it names something, that
    /// exists already.
    Input,
    /// There is a value, which only the deployment tells.
    Deployment,
    /// Nothing more is known: there may be any value, or none.
    Open,
    /// Something is wrong, which has been reported: nobody needs to be told that the value is not known.
    Wrong,
}

/// It would be too large.
pub const TOO_LARGE: Reason =
    Reason { id: "too-large", clause: "it would be too large", nature: Nature::Open };

/// There is something wrong with it, which has been reported.
pub const WRONG: Reason =
    Reason { id: "wrong", clause: "there is something wrong with it", nature: Nature::Wrong };

/// A file, which it takes the name of, was not read.
pub const FILE: Reason = Reason { id: "file", clause: "the file `{}` was not read", nature: Nature::Open };

/// It is made of the contents of a file, which are looked at where the file is read, and not shown to anybody.
pub const CONTENTS: Reason = Reason {
    id: "contents",
    clause: "it is made of the contents of the file `{}`, which are not shown",
    nature: Nature::Open,
};

/// A reason with the names of the things that it is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Why {
    /// The reason.
    pub reason: &'static Reason,
    /// The names, in the order of the clause.
    pub names: Vec<Arc<str>>,
}

impl Why {
    /// A reason that is about nothing in particular.
    pub const fn plain(reason: &'static Reason) -> Self {
        Self { reason, names: Vec::new() }
    }

    /// A reason that is about one thing.
    pub fn of(reason: &'static Reason, name: impl Into<Arc<str>>) -> Self {
        Self { reason, names: vec![name.into()] }
    }

    /// Returns its consequence.
    pub fn nature(&self) -> Nature {
        self.reason.nature
    }

    /// The name of the input, if that is what is missing.
    pub fn input(&self) -> Option<&Arc<str>> {
        self.names.first().filter(|_| self.nature() == Nature::Input)
    }
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut names = self.names.iter();
        for (i, part) in self.reason.clause.split("{}").enumerate() {
            if i > 0 {
                f.write_str(names.next().map_or("", |name| name))?;
            }
            f.write_str(part)?;
        }
        Ok(())
    }
}

/// Why a value is not known, and where that is so. Two are equal for the same reason in the same place.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// The reason.
    pub why: Why,
    /// The expression.
    pub place: Place,
    /// The call that gives the value once the deployment tells its arguments, where the document is read to be built.
    pub call: Option<Later>,
}

/// A call of a function whose result only the deployment tells.
#[derive(Clone, Debug)]
pub struct Later {
    /// The function.
    pub function: Arc<str>,
    /// Its arguments, as far as they are known.
    pub given: Datum,
}

impl PartialEq for Unknown {
    fn eq(&self, other: &Self) -> bool {
        self.why == other.why && self.place == other.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fill_the_gaps_of_the_clause() {
        const OF: Reason =
            Reason { id: "of", clause: "`{}` of `{}` is not there", nature: Nature::Deployment };
        let why = Why { reason: &OF, names: vec!["a".into(), "b".into()] };
        assert_eq!(why.to_string(), "`a` of `b` is not there");
        assert_eq!(Why::of(&FILE, "x/{}").to_string(), "the file `x/{}` was not read");
        assert_eq!(Why::plain(&TOO_LARGE).to_string(), "it would be too large");
        assert_eq!(why.input(), None);
    }
}
