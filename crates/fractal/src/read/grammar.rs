//! The elements and attributes of Fractal ADL: those of the document types `standard.dtd` of the Fractal ADL, and
//! `proactive.dtd` of ProActive, which has more.

/// An element.
pub(super) struct Form {
    pub(super) name: &'static str,
    pub(super) attributes: &'static [Slot],
    /// The elements that it may contain, in the order in which they may stand.
    pub(super) children: &'static [Child],
}

/// An attribute of an element.
pub(super) struct Slot {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    /// The words that its value may be; any text if there are none.
    pub(super) words: &'static [&'static str],
}

/// An element in another.
pub(super) struct Child {
    pub(super) name: &'static str,
    pub(super) is_single: bool,
}

const fn must(name: &'static str) -> Slot {
    Slot { name, is_required: true, words: &[] }
}

const fn may(name: &'static str) -> Slot {
    Slot { name, is_required: false, words: &[] }
}

const fn one_of(name: &'static str, words: &'static [&'static str]) -> Slot {
    Slot { name, is_required: false, words }
}

const fn many(name: &'static str) -> Child {
    Child { name, is_single: false }
}

const fn single(name: &'static str) -> Child {
    Child { name, is_single: true }
}

const COMMENT: Child = many("comment");

/// The parts of definitions and components.
const PARTS: &[Child] = &[
    COMMENT,
    many("interface"),
    single("exportedVirtualNodes"),
    many("component"),
    many("binding"),
    single("content"),
    single("attributes"),
    single("controller"),
    single("template-controller"),
    single("logger"),
    single("virtual-node"),
    many("coordinates"),
];

pub(super) const DEFINITION: &str = "definition";

/// The elements, in no order.
const FORMS: &[Form] = &[
    Form { name: DEFINITION, attributes: &[must("name"), may("arguments"), may("extends")], children: PARTS },
    Form { name: "component", attributes: &[must("name"), may("definition")], children: PARTS },
    Form {
        name: "interface",
        attributes: &[
            must("name"),
            one_of("role", &["client", "server", "internal-client", "internal-server"]),
            may("signature"),
            one_of("contingency", &["mandatory", "optional"]),
            one_of("cardinality", &["singleton", "collection", "multicast", "gathercast"]),
            may("interceptors"),
        ],
        children: &[COMMENT],
    },
    Form { name: "binding", attributes: &[must("client"), must("server")], children: &[COMMENT] },
    Form { name: "content", attributes: &[must("class")], children: &[COMMENT] },
    Form { name: "attributes", attributes: &[may("signature")], children: &[COMMENT, many("attribute")] },
    Form { name: "attribute", attributes: &[must("name"), must("value")], children: &[COMMENT] },
    Form {
        name: "controller",
        attributes: &[may("desc")],
        children: &[COMMENT, many("interface"), many("component"), many("binding")],
    },
    Form { name: "template-controller", attributes: &[must("desc")], children: &[COMMENT] },
    Form { name: "logger", attributes: &[must("name")], children: &[] },
    Form {
        name: "virtual-node",
        attributes: &[must("name"), one_of("cardinality", &["single", "multiple"])],
        children: &[],
    },
    Form { name: "exportedVirtualNodes", attributes: &[], children: &[many("exportedVirtualNode")] },
    Form { name: "exportedVirtualNode", attributes: &[must("name")], children: &[many("composedFrom")] },
    Form { name: "composedFrom", attributes: &[], children: &[many("composingVirtualNode")] },
    Form { name: "composingVirtualNode", attributes: &[must("component"), must("name")], children: &[] },
    Form {
        name: "coordinates",
        attributes: &[must("name"), must("x0"), must("x1"), must("y0"), must("y1"), may("color")],
        children: &[many("coordinates")],
    },
    Form { name: "comment", attributes: &[may("language"), may("text")], children: &[] },
];

/// The element of this name.
pub(super) fn form(name: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_that_another_contains_is_there() {
        for child in FORMS.iter().flat_map(|form| form.children) {
            assert!(form(child.name).is_some(), "{}", child.name);
        }
    }
}
