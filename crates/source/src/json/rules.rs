//! The rules behind the findings of the JSON reader.

use crate::{Rule, Severity};

/// Everything that the JSON reader can find.
pub const RULES: &[Rule] =
    &[SYNTAX, REPEATED_KEY, COMMENT, TRAILING_COMMA, TOO_DEEP, TOO_MANY_NODES, NUMBER_RANGE];

pub(super) const SYNTAX: Rule = Rule::new(
    "JSN001",
    "json-syntax",
    Severity::Error,
    "A file must be JSON.",
    "The text cannot be read as JSON. JSON is stricter than the JavaScript that it comes from: keys and \
     strings are in double quotes, numbers are decimal without leading zeros, and there is one value in a \
     file.",
);
pub(super) const REPEATED_KEY: Rule = Rule::new(
    "JSN002",
    "json-repeated-key",
    Severity::Error,
    "An object must not have a key twice.",
    "Most programs silently take the last of the values, some the first. Remove or rename one of the keys.",
);
pub(super) const COMMENT: Rule = Rule::new(
    "JSN003",
    "json-comment",
    Severity::Error,
    "JSON has no comments.",
    "Many programs refuse a file with comments. Remove them, or keep the text under a key of its own.",
);
pub(super) const TRAILING_COMMA: Rule = Rule::new(
    "JSN004",
    "json-trailing-comma",
    Severity::Error,
    "No comma may follow the last item or entry.",
    "Many programs refuse such a file. Remove the comma.",
);
pub(super) const TOO_DEEP: Rule = Rule::new(
    "JSN005",
    "json-too-deep",
    Severity::Error,
    "Objects and arrays must not be nested deeper than the limit.",
    "Nesting beyond the limit is nearly always a mistake or an attack. The limit is an option.",
);
pub(super) const TOO_MANY_NODES: Rule = Rule::new(
    "JSN006",
    "json-too-many-nodes",
    Severity::Error,
    "A file must not have more nodes than the limit.",
    "The limit protects against files that exhaust memory. It is an option.",
);
pub(super) const NUMBER_RANGE: Rule = Rule::new(
    "JSN007",
    "json-number-range",
    Severity::Error,
    "A number must be small enough to be a number.",
    "A number beyond 1.8e308 becomes infinite in most programs and an error in others.",
);
