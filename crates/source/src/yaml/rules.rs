//! The rules behind the findings of the YAML reader.

use crate::{Rule, Severity};

/// Everything that the YAML reader can find.
pub const RULES: &[Rule] = &[
    SYNTAX,
    REPEATED_KEY,
    UNKNOWN_ALIAS,
    CYCLIC_ALIAS,
    TOO_DEEP,
    TOO_MANY_NODES,
    BAD_MERGE,
    TAG_MISMATCH,
    OLD_LINE_BREAK,
    UNKNOWN_TAG,
    REPEATED_ANCHOR,
    COLLECTION_AS_KEY,
];

pub(super) const SYNTAX: Rule = Rule::new(
    "YML001",
    "yaml-syntax",
    Severity::Error,
    "A file must be YAML.",
    "The text cannot be read as YAML. The document in which this happens is not looked at any further; \
     other documents of the file are.\n\n\
     The usual causes: a tab in the indentation (YAML wants spaces), a quote or a bracket that is never \
     closed, no space after the colon of a key, or a text with `: ` or ` #` in it that needs quotes.",
);
pub(super) const REPEATED_KEY: Rule = Rule::new(
    "YML002",
    "yaml-repeated-key",
    Severity::Error,
    "A mapping must not have a key twice.",
    "Most programs silently take the last of the values, some the first, and some refuse the file. Whoever \
     wrote the other value will not see it take effect. Remove or rename one of the keys.",
);
pub(super) const UNKNOWN_ALIAS: Rule = Rule::new(
    "YML003",
    "yaml-unknown-alias",
    Severity::Error,
    "An alias must name an anchor before it in the same document.",
    "`*name` stands for the value that was marked `&name` earlier in the document. There is no such mark. \
     A plain text that begins with an asterisk needs quotes.",
);
pub(super) const CYCLIC_ALIAS: Rule = Rule::new(
    "YML004",
    "yaml-cyclic-alias",
    Severity::Error,
    "A value must not contain itself.",
    "An alias stands inside of the value that it means, so that the value would be infinite.",
);
pub(super) const TOO_DEEP: Rule = Rule::new(
    "YML005",
    "yaml-too-deep",
    Severity::Error,
    "Collections must not be nested deeper than the limit.",
    "Nesting beyond the limit is nearly always a mistake or an attack. The limit is an option. What aliases \
     bring counts as if it were written in their place.",
);
pub(super) const TOO_MANY_NODES: Rule = Rule::new(
    "YML006",
    "yaml-too-many-nodes",
    Severity::Error,
    "A document must not have more nodes than the limit.",
    "A few lines of aliases to aliases can stand for billions of values. Every value counts as often as \
     aliases repeat it. The limit is an option.",
);
pub(super) const BAD_MERGE: Rule = Rule::new(
    "YML007",
    "yaml-bad-merge",
    Severity::Error,
    "The value of a merge key must be a mapping or a list of mappings.",
    "`<<` copies the entries of another mapping, usually named by an alias: `<<: *defaults` or \
     `<<: [*one, *other]`. Quote the key if `<<` is meant as a name.",
);
pub(super) const TAG_MISMATCH: Rule = Rule::new(
    "YML008",
    "yaml-tag-mismatch",
    Severity::Error,
    "A value must be what its tag says.",
    "A tag such as `!!int` says what type a value has, and the text after it is not of that type.",
);
pub(super) const OLD_LINE_BREAK: Rule = Rule::new(
    "YML009",
    "yaml-old-line-break",
    Severity::Warning,
    "A file for PyYAML must not have line breaks that only YAML 1.1 knows.",
    "For PyYAML, the characters U+0085, U+2028 and U+2029 end a line; for us, as in YAML 1.2, they are text like \
     any other, so that PyYAML may see another document than we do. Write them as escapes in double quotes: \
     `\\N`, `\\L` and `\\P`.",
);
pub(super) const UNKNOWN_TAG: Rule = Rule::new(
    "YML010",
    "yaml-unknown-tag",
    Severity::Error,
    "A file for PyYAML must have only tags that its safe loader knows.",
    "PyYAML's safe loader refuses tags such as `!Ref` or `!!python/tuple`: \"could not determine a constructor for the \
     tag\". It knows those of YAML: `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq`, `!!map`, `!!set`, \
     `!!omap`, `!!pairs`, `!!binary` and `!!timestamp`. A plain `=` or `<<` as a value has such a tag, too, and needs \
     quotes.",
);
pub(super) const REPEATED_ANCHOR: Rule = Rule::new(
    "YML011",
    "yaml-repeated-anchor",
    Severity::Error,
    "A document for PyYAML must not use the name of an anchor twice.",
    "YAML allows it, and an alias means the last anchor before it. PyYAML refuses the document: \"found duplicate \
     anchor\". Rename one of the two.",
);
pub(super) const COLLECTION_AS_KEY: Rule = Rule::new(
    "YML012",
    "yaml-collection-as-key",
    Severity::Error,
    "A key in a file for PyYAML must not be a list or a mapping.",
    "PyYAML refuses the document: \"found unhashable key\". The usual cause is a placeholder of a template language \
     without quotes: `name: {{ name }}` is a mapping whose key is a mapping.",
);
