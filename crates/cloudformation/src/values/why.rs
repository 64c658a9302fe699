//! Why values of templates are not known: the part of the vocabulary of reasons that is CloudFormation's.

use std::sync::Arc;

use locus_schema::unknown::{TOO_LARGE, WRONG};
use locus_schema::{Nature, Reason, Why};

/// No one gave a parameter a value.
const PARAMETER: Reason =
    Reason { id: "parameter", clause: "the parameter `{}` has no value", nature: Nature::Input };

/// Only the deployment tells.
const STACK: Reason = Reason {
    id: "stack",
    clause: "`{}` is known only when the stack is deployed",
    nature: Nature::Deployment,
};

const ATTRIBUTE: Reason = Reason {
    id: "attribute",
    clause: "`{}` of `{}` is known only when it is deployed",
    nature: Nature::Deployment,
};

const DYNAMIC: Reason = Reason {
    id: "dynamic",
    clause: "`{}` is looked up when the stack is deployed",
    nature: Nature::Deployment,
};

const FUNCTION: Reason =
    Reason { id: "function", clause: "the result of `{}` is not known", nature: Nature::Open };

const MADE: Reason =
    Reason { id: "made", clause: "what `{}` makes of it is not known", nature: Nature::Deployment };

const CONDITION: Reason = Reason {
    id: "condition",
    clause: "it is not known whether the condition `{}` holds",
    nature: Nature::Open,
};

/// No one gave this parameter a value.
pub(crate) fn parameter(name: Arc<str>) -> Why {
    Why::of(&PARAMETER, name)
}

/// Only the deployment tells this pseudo parameter.
pub(crate) fn stack(name: Arc<str>) -> Why {
    Why::of(&STACK, name)
}

/// An attribute of a resource.
pub(crate) fn attribute(resource: Arc<str>, attribute: Arc<str>) -> Why {
    Why { reason: &ATTRIBUTE, names: vec![attribute, resource] }
}

/// A dynamic reference, such as `{{resolve:ssm:name}}`.
pub(crate) fn dynamic(text: &str) -> Why {
    Why::of(&DYNAMIC, locus_source::words::short(text))
}

/// The result of a function of which nothing is known, not even whether there is one.
pub(crate) fn function(name: &str) -> Why {
    Why::of(&FUNCTION, name)
}

/// The result of a function that has one.
pub(crate) fn made(name: &str) -> Why {
    Why::of(&MADE, name)
}

/// All that depends on a condition.
pub(crate) fn condition(name: Arc<str>) -> Why {
    Why::of(&CONDITION, name)
}

/// There is something wrong with it, which has been reported.
pub(crate) fn wrong() -> Why {
    Why::plain(&WRONG)
}

/// It would be too large.
pub(crate) fn too_large() -> Why {
    Why::plain(&TOO_LARGE)
}
