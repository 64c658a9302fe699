//! The rules of the reader.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($($name:ident = $code:literal $slug:literal $summary:literal $explanation:literal;)*) => {
        $(pub(crate) const $name: Rule = Rule::new($code, $slug, Severity::Error, $summary, $explanation);)*
        /// All rules of this crate that are not written in Alloy.
        pub const RULES: &[Rule] = &[$($name),*];
    };
}

rules! {
    FORM = "TOY001" "form" "A toy document is a map of things." "Each thing is a map of its own.";
    KEY = "TOY002" "unknown-key" "A key is one that there is." "A misspelt one would have no effect.";
    KIND = "TOY003" "unknown-type" "The type of a thing is one that there is." "There are servers and stores.";
    VALUE = "TOY004" "value" "A value is of the type of its property." "Sizes are whole numbers.";
    MISSING = "TOY005" "missing" "Properties that are needed are there." "A store has a size.";
    REFERENCE = "TOY006" "no-such-thing" "A thing that is named is in the document." "Names are not guessed.";
    COUNT = "TOY007" "number" "The number of a thing is from 0 to 100." "Without a number, there is one.";
}
