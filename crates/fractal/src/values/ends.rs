//! The ends of a binding: `component.interface`, where `this` is the component that contains the binding.

use crate::syntax::Text;

/// An end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct End<'t> {
    pub(crate) component: &'t str,
    pub(crate) interface: &'t str,
}

impl End<'_> {
    /// Whether it is an interface of the component that contains the binding.
    pub(crate) fn is_this(self) -> bool {
        self.component == "this"
    }

    /// Whether it is one of the interfaces that every component has without saying so.
    pub(crate) fn is_control(self) -> bool {
        is_control(self.interface)
    }
}

/// Whether a name is that of an interface that a controller provides.
pub(crate) fn is_control(interface: &str) -> bool {
    interface == "component" || interface.ends_with("-controller")
}

/// The end that a text names.
pub(crate) fn end(text: &Text) -> Option<End<'_>> {
    let (component, interface) = text.text.split_once('.')?;
    (!component.is_empty() && !interface.is_empty()).then_some(End { component, interface })
}

/// Whether a text names something outside of components, such as a web service.
pub(crate) fn is_remote(text: &str) -> bool {
    text.contains("://")
}
