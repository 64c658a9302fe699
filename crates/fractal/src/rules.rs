//! The rules of the reader: what the document types of the Fractal ADL demand of the form of a file, and what must be
//! found before anything can be said of components.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($($name:ident = $code:literal $slug:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        $(pub(crate) static $name: Rule = Rule::new($code, $slug, Severity::$severity, $summary, $explanation);)*
        /// All rules of this crate that are not written in Alloy.
        pub static RULES: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    NOT_A_DEFINITION = "FRA001" "not-a-definition" Error
        "A file of the Fractal ADL is one element `definition`."
        "The outermost element is `definition`; components are in it. Files of other kinds, such as the \
         configuration of a controller, are XML too.";
    UNKNOWN_ELEMENT = "FRA002" "unknown-element" Error
        "An element contains only those that the document type allows in it."
        "The document types `standard.dtd` of the Fractal ADL and `proactive.dtd` of ProActive list the elements. \
         What is misspelt would be missing in the component.";
    UNKNOWN_ATTRIBUTE = "FRA003" "unknown-attribute" Error
        "An element has only the attributes that the document type gives it."
        "A misspelt attribute would have no effect, so that an interface meant to be optional would be mandatory.";
    MISSING_ATTRIBUTE = "FRA004" "missing-attribute" Error
        "An element has the attributes that it must have."
        "Definitions, components, interfaces, attributes and nodes have a name, bindings a client and a server, \
         contents a class, attributes a value.";
    WORD = "FRA005" "unknown-word" Error
        "A role, a contingency or a cardinality is one of those that there are."
        "Roles are `client`, `server`, and in controllers `internal-client` and `internal-server`; contingencies \
         `mandatory` and `optional`; cardinalities `singleton` and `collection`, in ProActive also `multicast` \
         and `gathercast`; those of virtual nodes `single` and `multiple`.";
    ORDER = "FRA006" "order-of-elements" Error
        "Elements stand in the order of the document type."
        "In a definition and in a component this is: `comment`, `interface`, `exportedVirtualNodes`, `component`, \
         `binding`, `content`, `attributes`, `controller`, `template-controller`, `logger`, `virtual-node`, \
         `coordinates`. Parsers that validate refuse another order.";
    ELEMENT_TWICE = "FRA007" "element-twice" Error
        "An element that stands once stands once."
        "A component has one content, one controller, one virtual node, and so on. Of two, one would be lost.";
    TEXT = "FRA008" "text-in-element" Error
        "Elements contain elements, and no text."
        "Everything is said in attributes. What stands between elements would be lost.";
    MISSING_ELEMENT = "FRA009" "missing-element" Error
        "An exported virtual node says what it is composed from."
        "`exportedVirtualNode` has at least one `composedFrom`, and that at least one `composingVirtualNode`.";
    OTHER_NAME = "FRA010" "other-name" Error
        "The file of a definition defines what its name says."
        "A definition `a.b.C` is in the file `a/b/C.fractal`, and its `name` is the same. The Fractal ADL refuses \
         a file that defines another name than the one that it was opened for.";
    DEFINITION_MISSING = "FRA011" "definition-missing" Error
        "A definition that is named is there."
        "The definition `a.b.C` is looked for in `a/b/C.fractal`, in the folders around the file and in those of \
         `--library`. Another definition of the same package has nearly that name.";
    DEFINITION_UNKNOWN = "FRA012" "definition-unknown" Note
        "A definition that is named is there, or is part of a library."
        "Nothing of its package is there, so it is taken for one of a library that is somewhere else. What it \
         adds to a component is not known: nothing is concluded from what the component seems to lack. `--library \
         FOLDER` names the folder in which its package starts.";
    DEFINITION_CIRCLE = "FRA013" "definition-circle" Error
        "A definition is not made of itself."
        "A definition that extends itself, or that contains a component of the same definition, in however many \
         steps, has no end.";
    REFERENCE = "FRA014" "reference-syntax" Error
        "A list of definitions has the form of one."
        "Definitions are separated by commas. Values for arguments stand in parentheses, in order or by name: \
         `a.B(1,x)`, `a.B(size=>1)`.";
    ARGUMENT_MISSING = "FRA015" "argument-missing" Warning
        "Each argument of a definition has a value."
        "An argument without a default gets its value where the definition is named. A program may give it when it loads the definition; until then it is not known.";
    ARGUMENT_UNKNOWN = "FRA016" "argument-unknown" Error
        "A value is for an argument that the definition declares."
        "Values are matched by order, or by name with `=>`.";
    ARGUMENT_UNDECLARED = "FRA017" "argument-undeclared" Error
        "A text uses arguments that its definition declares."
        "`${name}` stands for the value of the argument `name`, which `arguments` of the same definition \
         declares. Arguments of other definitions are not seen.";
    ARGUMENT_NAME = "FRA018" "argument-name" Error
        "Arguments have names."
        "`arguments` is a list of names with commas between them, each perhaps with a default: `size,color=red`.";
    ARGUMENT_TWICE = "FRA019" "argument-twice" Error
        "An argument is declared once, and has one value."
        "Of two, one would be lost.";
    ARGUMENT_USE = "FRA020" "argument-use" Error
        "`${` begins the name of an argument."
        "After `${` follow the name of an argument and `}`.";
    SHARED_PATH = "FRA021" "shared-path" Error
        "The path of a component that is shared leads to one."
        "A `definition` with `/` in it is the path of a component that is shared: names of components from the \
         outermost one of the same definition on, such as `a/server`. `./server` is a component directly in it.";
    SHARED_NAME = "FRA022" "shared-name" Error
        "A component has the same name wherever it is shared."
        "The Fractal ADL merges what is said of a shared component in all places, and refuses other names for it.";
    BINDING_END = "FRA023" "binding-end" Error
        "The ends of a binding are `component.interface`."
        "The component is one of those in the same composite, or `this`. Only the server may be something \
         outside, such as the URL of a web service.";
    CONTROLLER_EMPTY = "FRA024" "controller-empty" Error
        "A controller names its description, or describes itself."
        "A `controller` has a `desc`, such as `primitive` or `composite`, or contains interfaces and components.";
    TOO_LARGE = "FRA025" "too-large" Error
        "A definition is not larger than the limits."
        "Definitions that name others twice grow with each step. Beyond the limits nothing is checked, and the \
         finding says so.";
    FILE_NAME = "FRA026" "file-name" Warning
        "The name of a definition is that of its file."
        "A definition is found by its name: `a.b.C` in `C.fractal`. One that has another name is not found.";
    VALUE_UNUSED = "FRA027" "value-unused" Error
        "A value that is given is for an argument of the definition."
        "`--parameter name=value` gives an argument of the definition that is checked its value.";
}
