//! Keys: the identity of an element across versions of a document, and in what is stored of a deployment.

use std::fmt;
use std::sync::Arc;

/// A part of a key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Segment {
    /// A name that the document gives, or a word of the language such as `networks`.
    Name(Arc<str>),
    /// One of several that are made alike, counted from zero.
    Number(u32),
}

/// The identity of an element. It is compared segment by segment and never joined into a text, so that no name that a
/// language admits can make two keys meet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Arc<[Segment]>);

impl Key {
    /// The key of an element that its name alone identifies.
    pub fn name(name: impl Into<Arc<str>>) -> Self {
        Self(Arc::new([Segment::Name(name.into())]))
    }

    /// The key of an element of a section of a document.
    pub fn within(section: impl Into<Arc<str>>, name: impl Into<Arc<str>>) -> Self {
        Self(Arc::new([Segment::Name(section.into()), Segment::Name(name.into())]))
    }

    /// The key with these segments.
    pub fn of(segments: impl IntoIterator<Item = Segment>) -> Self {
        Self(segments.into_iter().collect())
    }

    /// The key of the one with this number among those that this key stands for.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        Self(self.0.iter().cloned().chain([Segment::Number(number)]).collect())
    }

    /// The key of an earlier version of the thing with this key, which is still there. It begins with a number, as the
    /// key of no element of a document does.
    #[must_use]
    pub fn earlier(&self, number: u32) -> Self {
        Self([Segment::Number(number)].into_iter().chain(self.0.iter().cloned()).collect())
    }

    /// The segments, outermost first.
    pub fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The name, of a key that is a name and nothing else.
    pub fn as_name(&self) -> Option<&Arc<str>> {
        if let [Segment::Name(name)] = &*self.0 { Some(name) } else { None }
    }
}

impl<T: Into<Arc<str>>> From<T> for Key {
    fn from(name: T) -> Self {
        Self::name(name)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_meet_only_if_all_their_segments_do() {
        assert_ne!(Key::name("a").numbered(0), Key::name("a[0]"));
        assert_ne!(Key::within("networks", "a"), Key::name("networks a"));
        assert_eq!(Key::name("a").numbered(1), Key::of([Segment::Name("a".into()), Segment::Number(1)]));
        assert_ne!(Key::name("a").earlier(1), Key::name("a").numbered(1));
        assert_eq!(Key::name("a").as_name().map(|name| &**name), Some("a"));
        assert_eq!(Key::within("a", "b").as_name(), None);
    }
}
