//! Why values are not known: TOSCA's part of the vocabulary of reasons.

use locus_schema::unknown::TOO_LARGE;
use locus_schema::{Nature, Reason, Why};

/// An input has no value.
pub(crate) const INPUT: Reason =
    Reason { id: "input", clause: "the input `{}` has no value", nature: Nature::Input };

/// An attribute of something.
pub(crate) const ATTRIBUTE: Reason =
    Reason { id: "attribute", clause: "`{}` is known only when it is deployed", nature: Nature::Deployment };

/// Something of what a requirement leads to, which is not decided.
pub(crate) const TARGET: Reason =
    Reason { id: "target", clause: "the target of a requirement is not decided", nature: Nature::Open };

/// The result of a function of something that is not known, or of a function that is not evaluated here.
pub(crate) const FUNCTION: Reason =
    Reason { id: "function", clause: "the result of `{}` is not known", nature: Nature::Open };

/// The number of a node or relationship among those of one template, or what depends on it.
pub(crate) const INDEX: Reason = Reason {
    id: "index",
    clause: "it depends on which of several nodes or relationships it is about",
    nature: Nature::Open,
};

/// A value that the definition leaves open.
pub(crate) const UNSET: Reason = Reason { id: "unset", clause: "{} has no value", nature: Nature::Open };

/// In this order the reasons are told if one expression has several.
const ORDER: [&Reason; 7] = [&INPUT, &ATTRIBUTE, &TARGET, &FUNCTION, &INDEX, &UNSET, &TOO_LARGE];

/// The position of a reason in that order.
pub(crate) fn rank(why: &Why) -> Option<usize> {
    ORDER.iter().position(|one| *one == why.reason)
}
