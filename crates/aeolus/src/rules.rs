//! The rules about Aeolus documents, with what `locus explain` says of each.
//!
//! `AEO0xx` are about the text form, `AEO1xx` about what a document means.

use locus_source::{Rule, Severity};

/// All rules of this crate.
pub const RULES: &[Rule] = &[
    NO_DOCUMENT,
    UNKNOWN_KEY,
    WRONG_TYPE,
    MISSING_KEY,
    UNKNOWN_NAME,
    REPEATED_NAME,
    BAD_WANT,
    UNREACHABLE_STATE,
    NOBODY_PROVIDES,
    EXCLUDES_ITSELF,
    INCORRECT_CONFIGURATION,
    UNREACHABLE_WANT,
];

macro_rules! rules {
    ($($(#[$doc:meta])* $id:ident: $code:literal, $name:literal, $severity:ident, $summary:literal, $text:literal;)*) => {
        $($(#[$doc])* pub const $id: Rule = Rule::new($code, $name, Severity::$severity, $summary, $text);)*
    };
}

rules! {
    /// The file is not an Aeolus document.
    NO_DOCUMENT: "AEO001", "not-an-aeolus-document", Error,
        "An Aeolus document is a mapping that starts with `aeolus: 1`.",
        "\
The key `aeolus` says which version of the format a file uses. Version 1 is the only one.

Universes of Zephyrus (`component_types`) and of Metis (a list of `u_cname` and `u_automaton`) are read as they are.
";
    /// A key that means nothing.
    UNKNOWN_KEY: "AEO002", "unknown-aeolus-key", Error,
        "Every key of an Aeolus document has a meaning.",
        "\
A key that is not known would be ignored, and with it what its author meant. `docs/schema/aeolus.schema.json` lists the keys.
";
    /// A value of the wrong kind.
    WRONG_TYPE: "AEO003", "wrong-aeolus-value", Error,
        "Values in an Aeolus document are of the kind that their keys ask for.",
        "\
For example, the number of a requirement is a whole number from 0, and a capacity is a whole number from 1 or the word
`unlimited`.
";
    /// Something that must be said is not.
    MISSING_KEY: "AEO004", "missing-aeolus-key", Error,
        "A component type has states, a component has a type, a binding has a port and two ends.",
        "\
Without them the rest has no meaning.
";
    /// A name that nothing has.
    UNKNOWN_NAME: "AEO005", "unknown-aeolus-name", Error,
        "States, component types, ports and components that are mentioned are declared.",
        "\
A transition leads to a state of the same type; a component has a type of the universe and one of its states; the ends
of a binding are components, the requirer's type requires the port in some state, and the provider's type provides it.
";
    /// Two things of one name.
    REPEATED_NAME: "AEO006", "repeated-aeolus-name", Error,
        "Component types, states of a type and components have different names.",
        "\
A plan and its findings know things by their names.
";
    /// A condition that cannot be read.
    BAD_WANT: "AEO007", "bad-want", Error,
        "The target is a condition on numbers of components.",
        "\
For example `wordpress@running >= 2 and mysql = 1`: at least two components of type `wordpress` in the state `running`,
and exactly one component of type `mysql`, in any state.
";
    /// A state that no component ever enters.
    UNREACHABLE_STATE: "AEO101", "unreachable-state", Warning,
        "Every state of a component type can be reached from nothing.",
        "\
A state is reached by transitions from the initial state, and entering a state needs its requirements. If all ways to a
state need something that only it, or what comes after it, can provide, no deployment ever gets there.
";
    /// A required port that no type provides.
    NOBODY_PROVIDES: "AEO102", "nobody-provides", Warning,
        "Every required port is provided by some state of some component type.",
        "\
A state that requires a port which nobody provides can never be entered.
";
    /// A state that asks for what it forbids.
    EXCLUDES_ITSELF: "AEO103", "requirements-exclude-each-other", Warning,
        "The requirements of a state do not exclude each other.",
        "\
A state cannot both require a port and be in conflict with it, and what it requires must not be available only from states
that are in conflict with something the state provides, or that provide something the state is in conflict with.
";
    /// The current configuration is not correct.
    INCORRECT_CONFIGURATION: "AEO104", "incorrect-configuration", Error,
        "The configuration of a document is correct.",
        "\
In a correct configuration every active required port is bound to as many components as it asks for, no provided port has
more bindings than it bears, and nobody provides a port with which another component is in conflict (definition 3 of the
report). A deployment starts from a correct configuration.
";
    /// The goal cannot be reached.
    UNREACHABLE_WANT: "AEO105", "unreachable-want", Error,
        "The target can be reached.",
        "\
No deployment leads from what is deployed to a configuration that is correct and as wanted. The notes give the chain of
reasons: which port or state is missing, and why. `locus plan` says the same, and shows the plan when there is one.
";
}
