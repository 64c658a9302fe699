//! Why values of templates are not known: HOT's part of the vocabulary of reasons.

use std::sync::Arc;

use locus_schema::unknown::{CONTENTS, FILE};
use locus_schema::{Nature, Reason, Why};

/// A parameter was given no value.
pub(crate) const PARAMETER: Reason =
    Reason { id: "parameter", clause: "the parameter `{}` has no value", nature: Nature::Input };

/// Only the deployment tells: the name of the stack, its project, its region.
pub(crate) const STACK: Reason = Reason {
    id: "stack",
    clause: "`{}` is known only when the stack is deployed",
    nature: Nature::Deployment,
};

/// An attribute of a resource.
pub(crate) const ATTRIBUTE: Reason = Reason {
    id: "attribute",
    clause: "`{}` of `{}` is known only when it is deployed",
    nature: Nature::Deployment,
};

/// All attributes of a resource.
pub(crate) const ATTRIBUTES: Reason = Reason {
    id: "attributes",
    clause: "the attributes of `{}` are known only when it is deployed",
    nature: Nature::Deployment,
};

/// The result of a function of something that is not known, or of a function that is not evaluated here.
pub(crate) const FUNCTION: Reason =
    Reason { id: "function", clause: "the result of `{}` is not known", nature: Nature::Open };

/// This parameter has no value.
pub(crate) fn parameter(name: Arc<str>) -> Why {
    Why::of(&PARAMETER, name)
}

/// Only the deployment tells.
pub(crate) fn stack(name: Arc<str>) -> Why {
    Why::of(&STACK, name)
}

/// An attribute of a resource, or all if it has no name.
pub(crate) fn attribute(resource: Arc<str>, attribute: Arc<str>) -> Why {
    if attribute.is_empty() {
        return Why::of(&ATTRIBUTES, resource);
    }
    Why { reason: &ATTRIBUTE, names: vec![attribute, resource] }
}

/// The result of a function.
pub(crate) fn function(name: Arc<str>) -> Why {
    Why::of(&FUNCTION, name)
}

/// The contents of a file.
pub(crate) fn contents(path: Arc<str>) -> Why {
    Why::of(&CONTENTS, path)
}

/// A file that was not read.
pub(crate) fn file(path: Arc<str>) -> Why {
    Why::of(&FILE, path)
}
