//! The rules of the readers: the forms that the renderings have, and what must be found before anything can be said.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($($name:ident = $code:literal $slug:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        $(pub(crate) static $name: Rule = Rule::new($code, $slug, Severity::$severity, $summary, $explanation);)*
        /// All rules of this crate that are not written in Alloy.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    FORM = "OCC001" "form" Error
        "A document has the form of its rendering."
        "The JSON rendering (GFD.226) is an entity, or an object with lists `resources`, `links`, `kinds`, \
         `mixins` and `actions`. A file of OCCIware is one `Extension` or one `Configuration` in XMI.";
    UNKNOWN_KEY = "OCC002" "unknown-key" Error
        "An object has only the members that its rendering gives it."
        "What is misspelt would be missing: attributes of a kind stand in `attributes`, and nothing else is free.";
    MISSING_KEY = "OCC003" "missing-key" Error
        "What must be said is said."
        "A category has a scheme and a term, in the text rendering a class as well; an action that is done is \
         named; in XMI, attributes have names and references an `href`.";
    WORD = "OCC004" "unknown-word" Error
        "A type or a class is one of those that there are."
        "Types of attributes are `string`, `number`, `integer`, `boolean`, `array` and `object`; classes of \
         categories `kind`, `mixin` and `action`; attributes are `immutable` or `required`.";
    IDENTITY = "OCC005" "identity" Error
        "A category is named by scheme and term."
        "An identity is a URI whose fragment is the term: `http://schemas.ogf.org/occi/infrastructure#compute`. \
         In XMI it is a path: `http://schemas.ogf.org/occi/infrastructure#//@kinds[term='compute']`, or without \
         an extension for the same file.";
    RENDERING = "OCC006" "text-rendering" Error
        "A text rendering has lines of the forms of GFD.223."
        "Lines are `Category: term; scheme=\"…\"; class=\"kind\"`, `Link: </location>; rel=\"…\"`, \
         `X-OCCI-Attribute: name=\"value\"` and `X-OCCI-Location: URI`. Texts stand in quotes that are closed; a \
         line may have several values with commas between them. A text that is not of this form is not read \
         further.";
    CATEGORY_MISSING = "OCC007" "category-missing" Error
        "A category that is named is defined."
        "Its extension is here, and does not define it.";
    EXTENSION_UNKNOWN = "OCC008" "extension-unknown" Note
        "An extension that is named is here."
        "Core, infrastructure, platform, compute resource templates and agreements come with Locus. Others are \
         looked for in files `.occie` beside the file, in the folders of `--library`, and at the path that the \
         reference has. Of what is not found nothing is known, and nothing is concluded.";
    STATES = "OCC009" "states" Error
        "The states of a kind have one that is the first, and their transitions are actions of the kind."
        "A lifecycle begins in one initial state. A transition names the action that it is made by, and the state \
         that it leads to.";
    ACTION = "OCC011" "action-done" Error
        "An action that is done is one that there is, with the attributes that it defines."
        "A request names an action by its identity, and gives values for its attributes. The provider refuses others.";
    BAD_PATTERN = "OCC010" "bad-pattern" Error
        "A pattern is a regular expression."
        "Values are compared with it. One that cannot be read would let every value pass.";
}
