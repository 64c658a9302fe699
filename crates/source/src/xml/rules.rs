//! The rules of the reader.

use crate::{Rule, Severity};

/// Every rule whose code a finding of the reader may carry.
pub const RULES: &[Rule] =
    &[SYNTAX, TOO_DEEP, TOO_MANY_NODES, ENTITY, DOCUMENT_TYPE, REPEATED_ATTRIBUTE, VERSION];

pub(super) const SYNTAX: Rule = Rule::new(
    "XML001",
    "xml-syntax",
    Severity::Error,
    "An XML file is well-formed.",
    "Every element is closed by a tag with its name, in the order in which they were opened; attributes have values in \
     quotes; `<` and `&` stand as `&lt;` and `&amp;`; there is one outermost element, and no text beside it. A file \
     that is not well-formed is not read further.",
);

pub(super) const TOO_DEEP: Rule = Rule::new(
    "XML002",
    "xml-nesting",
    Severity::Error,
    "Elements are not nested deeper than the limit.",
    "No file that people write is nested so deep. The limit keeps a hostile file from exhausting memory.",
);

pub(super) const TOO_MANY_NODES: Rule = Rule::new(
    "XML003",
    "xml-size",
    Severity::Error,
    "A file has no more elements, attributes and texts than the limit.",
    "The limit keeps a hostile file from exhausting memory.",
);

pub(super) const ENTITY: Rule = Rule::new(
    "XML004",
    "xml-entity",
    Severity::Error,
    "An entity is one of the five of XML itself.",
    "`&lt;`, `&gt;`, `&amp;`, `&apos;`, `&quot;` and characters by number (`&#233;`) are replaced. Other entities would \
     be defined by a document type, which is not read, so the text that they stand for is not known.",
);

pub(super) const DOCUMENT_TYPE: Rule = Rule::new(
    "XML005",
    "xml-document-type",
    Severity::Error,
    "A document type defines nothing inside of the file.",
    "Entities that are defined by others grow without bound, external ones read other files, and defaults for attributes \
     change the document. A document type that only names its definition, as in `<!DOCTYPE a SYSTEM \"a.dtd\">`, is \
     skipped and never fetched.",
);

pub(super) const REPEATED_ATTRIBUTE: Rule = Rule::new(
    "XML006",
    "xml-repeated-attribute",
    Severity::Error,
    "An element has each attribute once.",
    "Which of two values counts is not defined: such a file is not well-formed.",
);

pub(super) const VERSION: Rule = Rule::new(
    "XML007",
    "xml-version",
    Severity::Error,
    "A file is XML 1.0.",
    "XML 1.1 allows other characters and ends lines in other ways. Hardly any file is in it, and it is not read here.",
);
