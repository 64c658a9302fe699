//! The content of a definition, with places: the tree that is read, merged and written.
//!
//! Out of scope: what names mean; a component that is shared is still the path to it here.

use std::sync::Arc;

use locus_source::Place;

/// A text of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::struct_field_names, reason = "the characters of a text are its text")]
pub(crate) struct Text {
    pub(crate) text: Arc<str>,
    pub(crate) place: Place,
    /// Whether an argument in it has no value, so that it is not known.
    pub(crate) open: bool,
}

impl Text {
    pub(crate) fn new(text: impl Into<Arc<str>>, place: Place) -> Self {
        Self { text: text.into(), place, open: false }
    }

    /// The text, if it is known.
    pub(crate) fn known(&self) -> Option<&str> {
        (!self.open).then_some(&*self.text)
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.known() == Some(text)
    }

    /// The place of some bytes of it.
    pub(crate) fn part(&self, range: std::ops::Range<usize>) -> Place {
        let Place { file, span } = self.place;
        if span.len() != self.text.len() || range.end > span.len() {
            return self.place;
        }
        let start = span.start as usize;
        Place::new(file, locus_source::Span::new(start + range.start, start + range.end))
    }
}

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) arguments: Vec<Formal>,
    pub(crate) extends: Option<Text>,
    /// The component that it defines. Its name is that of the definition.
    pub(crate) body: Component,
    /// The document type that it names.
    pub(crate) document_type: Option<Arc<str>>,
}

/// An argument that a definition declares.
#[derive(Clone, Debug)]
pub(crate) struct Formal {
    pub(crate) name: Text,
    pub(crate) default: Option<Arc<str>>,
}

/// A component.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    pub(crate) name: Text,
    pub(crate) place: Place,
    /// The definitions that it is made of, or the path of the component that it shares.
    pub(crate) definition: Option<Text>,
    /// Where it stands in its definition, counted from the outermost component: paths start there.
    pub(crate) depth: usize,
    /// The definitions that it is made of and that are not known.
    pub(crate) unknown: Vec<Text>,
    pub(crate) interfaces: Vec<Interface>,
    pub(crate) exported: Vec<Exported>,
    pub(crate) components: Vec<Component>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) content: Option<Text>,
    pub(crate) attributes: Option<Attributes>,
    pub(crate) controller: Option<Controller>,
    pub(crate) template: Option<Text>,
    pub(crate) logger: Option<Text>,
    pub(crate) node: Option<Node>,
    pub(crate) coordinates: Vec<Coordinates>,
}

impl Component {
    pub(crate) fn new(name: Text, place: Place, depth: usize) -> Self {
        Self {
            name,
            place,
            definition: None,
            depth,
            unknown: Vec::new(),
            interfaces: Vec::new(),
            exported: Vec::new(),
            components: Vec::new(),
            bindings: Vec::new(),
            content: None,
            attributes: None,
            controller: None,
            template: None,
            logger: None,
            node: None,
            coordinates: Vec::new(),
        }
    }

    /// The components of its controller.
    pub(crate) fn membrane(&self) -> &[Component] {
        self.controller.as_ref().map_or(&[], |controller| &controller.components)
    }

    /// How many things it consists of.
    pub(crate) fn size(&self) -> usize {
        let own = 1 + self.interfaces.len() + self.bindings.len();
        let inner = self.components.iter().chain(self.membrane());
        own + inner.map(Self::size).sum::<usize>()
    }
}

/// An interface.
#[derive(Clone, Debug)]
pub(crate) struct Interface {
    pub(crate) name: Text,
    pub(crate) place: Place,
    pub(crate) role: Option<Text>,
    pub(crate) signature: Option<Text>,
    pub(crate) contingency: Option<Text>,
    pub(crate) cardinality: Option<Text>,
    pub(crate) interceptors: Option<Text>,
}

/// A binding.
#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) client: Text,
    pub(crate) server: Text,
    pub(crate) place: Place,
}

/// The attributes of a component.
#[derive(Clone, Debug)]
pub(crate) struct Attributes {
    pub(crate) signature: Option<Text>,
    pub(crate) place: Place,
    pub(crate) list: Vec<Attribute>,
}

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Text,
    pub(crate) value: Text,
}

/// The controller of a component: a description elsewhere, or a membrane of components.
#[derive(Clone, Debug)]
pub(crate) struct Controller {
    pub(crate) desc: Option<Text>,
    pub(crate) place: Place,
    pub(crate) interfaces: Vec<Interface>,
    pub(crate) components: Vec<Component>,
    pub(crate) bindings: Vec<Binding>,
}

/// A virtual node: where a component is to be.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: Text,
    pub(crate) cardinality: Option<Text>,
}

/// A virtual node that is made of those of components.
#[derive(Clone, Debug)]
pub(crate) struct Exported {
    pub(crate) name: Text,
    pub(crate) from: Vec<Composing>,
}

/// A virtual node of a component that becomes part of another.
#[derive(Clone, Debug)]
pub(crate) struct Composing {
    pub(crate) component: Text,
    pub(crate) name: Text,
}

/// Where a component is in a drawing of another tool.
#[derive(Clone, Debug)]
pub(crate) struct Coordinates {
    pub(crate) name: Text,
    /// `x0`, `x1`, `y0`, `y1`, `color`: those that are given.
    pub(crate) values: Vec<(&'static str, Text)>,
    pub(crate) inner: Vec<Coordinates>,
}
