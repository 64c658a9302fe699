//! The content of a file, with places, whatever it is written in: categories that it defines, entities, and what they
//! name.

use std::sync::Arc;

use locus_source::Place;

/// A text of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Text {
    pub(crate) text: Arc<str>,
    pub(crate) place: Place,
}

impl Text {
    pub(crate) fn new(text: impl Into<Arc<str>>, place: Place) -> Self {
        Self { text: text.into(), place }
    }
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    /// The extension that it is, or the categories that it defines without one.
    pub(crate) extension: Extension,
    /// Whether it is an extension: it has a name and a scheme.
    pub(crate) is_extension: bool,
    /// Resources and links. A link that stands in a resource comes after it.
    pub(crate) entities: Vec<Entity>,
    /// Actions that the file has done, each to an entity.
    pub(crate) invocations: Vec<Invocation>,
}

/// Categories.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extension {
    pub(crate) scheme: Option<Text>,
    /// The extensions that it imports, or that a configuration uses.
    pub(crate) uses: Vec<Reference>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) mixins: Vec<Mixin>,
    /// Actions that are defined beside kinds and mixins.
    pub(crate) actions: Vec<Category>,
    pub(crate) types: Vec<Type>,
}

/// A category: the common part of kinds, mixins and actions.
#[derive(Clone, Debug)]
pub(crate) struct Category {
    pub(crate) scheme: Text,
    pub(crate) term: Text,
    pub(crate) place: Place,
    pub(crate) attributes: Vec<Definition>,
}

impl Category {
    /// The identity: scheme and term.
    pub(crate) fn identity(&self) -> String {
        format!("{}{}", self.scheme.text, self.term.text)
    }
}

/// A kind.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) category: Category,
    pub(crate) parent: Option<Reference>,
    pub(crate) actions: Vec<Action>,
    /// The kinds of resources that links of this kind begin at, and end at; any if there are none.
    pub(crate) sources: Vec<Reference>,
    pub(crate) targets: Vec<Reference>,
    pub(crate) states: Option<States>,
}

/// A mixin.
#[derive(Clone, Debug)]
pub(crate) struct Mixin {
    pub(crate) category: Category,
    pub(crate) depends: Vec<Reference>,
    pub(crate) applies: Vec<Reference>,
    pub(crate) actions: Vec<Action>,
}

/// An action of a kind or a mixin: its definition, or its identity.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Defined(Category),
    Named(Text),
}

/// The states of the instances of a kind.
#[derive(Clone, Debug)]
pub(crate) struct States {
    pub(crate) all: Vec<State>,
    pub(crate) place: Place,
}

/// A state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) is_initial: bool,
    /// The actions that lead to other states: their terms, and the states by number.
    pub(crate) leaving: Vec<(Text, Option<usize>)>,
}

/// The definition of an attribute.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: Text,
    pub(crate) ty: TypeUse,
    /// Whether clients may change it; none if nothing is said.
    pub(crate) mutable: Option<bool>,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
}

/// The type of an attribute.
#[derive(Clone, Debug)]
pub(crate) enum TypeUse {
    /// Nothing is said.
    Any,
    /// A type that is defined elsewhere.
    Named(Reference),
    /// One that is given here.
    Given(Form),
}

/// A type that an extension defines.
#[derive(Clone, Debug)]
pub(crate) struct Type {
    pub(crate) name: Text,
    pub(crate) form: Form,
}

/// The form of the values of a type.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Form {
    /// Any value.
    Any,
    Text(TextForm),
    Number(NumberForm),
    Boolean,
    /// One of some words.
    Words(Vec<Arc<str>>),
    /// A list.
    List,
    /// A map.
    Map,
}

/// The form of a text.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct TextForm {
    pub(crate) pattern: Option<Arc<str>>,
    pub(crate) shortest: Option<usize>,
    pub(crate) longest: Option<usize>,
}

/// The form of a number.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct NumberForm {
    pub(crate) is_whole: bool,
    pub(crate) least: Option<f64>,
    pub(crate) most: Option<f64>,
    pub(crate) above: Option<f64>,
    pub(crate) below: Option<f64>,
}

/// The value of an attribute.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) content: Content,
    pub(crate) place: Place,
}

/// The content of a value. In XMI every value is a text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Content {
    /// A text that may stand for anything, since the file has nothing but texts.
    Written(Arc<str>),
    Text(Arc<str>),
    Number(f64, Arc<str>),
    Boolean(bool),
    Null,
    List,
    Map,
}

/// A resource or a link.
#[derive(Clone, Debug)]
pub(crate) struct Entity {
    pub(crate) place: Place,
    pub(crate) is_link: bool,
    pub(crate) id: Option<Text>,
    pub(crate) title: Option<Text>,
    pub(crate) location: Option<Text>,
    pub(crate) kind: Option<Reference>,
    pub(crate) mixins: Vec<Reference>,
    pub(crate) attributes: Vec<Given>,
    /// The actions that it says can be done.
    pub(crate) actions: Vec<Text>,
    /// The resource that a link stands in, by its number.
    pub(crate) owner: Option<usize>,
    pub(crate) source: Option<Target>,
    pub(crate) target: Option<Target>,
}

/// An attribute with a value.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) name: Text,
    pub(crate) value: Value,
}

/// The resource that a link leads to.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) text: Text,
    /// Its number among the resources of the file, where the file says that.
    pub(crate) number: Option<usize>,
    /// The kind that the file says it is of.
    pub(crate) kind: Option<Text>,
}

/// An action that is done to an entity.
#[derive(Clone, Debug)]
pub(crate) struct Invocation {
    pub(crate) action: Text,
    pub(crate) attributes: Vec<Given>,
}

/// A category, a type or an extension that is named.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    pub(crate) text: Text,
    /// The extension: its scheme or the path of its file; none for the same file.
    pub(crate) within: Option<Arc<str>>,
    pub(crate) what: What,
}

/// The object of a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// The extension itself.
    Extension,
    /// A kind or mixin by its term.
    Kind(Arc<str>),
    Mixin(Arc<str>),
    /// A kind, mixin or type by its number among those of the extension.
    KindAt(usize),
    MixinAt(usize),
    TypeAt(usize),
    /// A type by its name.
    TypeNamed(Arc<str>),
    /// A category by scheme and term.
    Identity(Arc<str>),
    /// The text is not a reference.
    Malformed,
}
