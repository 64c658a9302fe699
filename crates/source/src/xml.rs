//! Reading XML 1.0: elements, attributes and texts, each with its place.
//!
//! [`parse`] makes a [`Document`] of a file. What is wrong becomes findings; their rules are [`RULES`]. A text that is
//! not well-formed has no document, so that nothing is concluded from a part of it. Nothing outside of the text is ever
//! read: the external part of a document type is skipped, and a document type that defines anything by itself is
//! refused, since what it defines could change the document, or make it grow without bound. Only the five entities of
//! XML itself and numbers of characters are replaced.
//!
//! Out of scope: what elements mean, namespaces beyond the prefix of a name, and validation by a document type.

mod encoding;
mod names;
mod reader;
mod rules;

use std::sync::Arc;

pub use self::encoding::decode;
pub use self::rules::RULES;
use crate::{Finding, Limits, Place, SourceFile, Span};

/// The result of reading a file.
#[derive(Debug)]
pub struct Parsed {
    /// The document; none if the text is not well-formed.
    pub document: Option<Document>,
    /// Comments, in order.
    pub comments: Vec<Span>,
    /// The faults that were found.
    pub findings: Vec<Finding>,
}

/// Reads a file.
pub fn parse(file: &Arc<SourceFile>, limits: &Limits) -> Parsed {
    reader::read(file, limits)
}

/// No element, or no text.
const NONE: u32 = u32::MAX;

/// A document: its elements, the first of which is the root.
#[derive(Clone, Debug)]
pub struct Document {
    file: Arc<SourceFile>,
    /// The external identifier of the document type, without its quotes.
    external: Option<Span>,
    elements: Vec<ElementData>,
    attributes: Vec<AttributeData>,
    texts: Vec<TextData>,
}

#[derive(Clone, Debug)]
struct ElementData {
    name: Span,
    /// The first tag.
    tag: Span,
    /// The end of the last tag.
    end: u32,
    /// The first attribute, and the one after the last.
    attributes: (u32, u32),
    first_child: u32,
    next: u32,
    first_text: u32,
}

#[derive(Clone, Debug)]
struct AttributeData {
    name: Span,
    /// The value as it is written, without quotes.
    raw: Span,
    /// The value, where it is another text than the one that is written.
    value: Option<Box<str>>,
}

#[derive(Clone, Debug)]
struct TextData {
    span: Span,
    /// The text, where it is another than the one that is written.
    text: Option<Box<str>>,
    next: u32,
}

impl Document {
    /// The outermost element.
    pub fn root(&self) -> Element<'_> {
        Element { document: self, at: 0 }
    }

    /// The file that it was read from.
    pub fn source(&self) -> &Arc<SourceFile> {
        &self.file
    }

    /// The system identifier of the document type, which is not read: `classpath://…/standard.dtd`.
    pub fn document_type(&self) -> Option<&str> {
        self.external.map(|span| self.file.slice(span))
    }

    /// Bytes of memory that it takes, without the text of the file.
    pub fn memory(&self) -> usize {
        let values = self.attributes.iter().filter_map(|one| one.value.as_deref());
        let texts = self.texts.iter().filter_map(|one| one.text.as_deref());
        self.elements.capacity() * size_of::<ElementData>()
            + self.attributes.capacity() * size_of::<AttributeData>()
            + self.texts.capacity() * size_of::<TextData>()
            + values.chain(texts).map(str::len).sum::<usize>()
    }
}

/// An element of a document.
#[derive(Clone, Copy)]
pub struct Element<'d> {
    document: &'d Document,
    at: u32,
}

impl<'d> Element<'d> {
    fn data(self) -> &'d ElementData {
        &self.document.elements[self.at as usize]
    }

    /// Its name as it is written, with a prefix if it has one: `xmi:XMI`.
    pub fn name(self) -> &'d str {
        self.document.file.slice(self.data().name)
    }

    /// Its name without prefix.
    pub fn local_name(self) -> &'d str {
        local(self.name())
    }

    /// The place of its name in the first tag.
    pub fn name_place(self) -> Place {
        self.document.file.place(self.data().name)
    }

    /// The place of its first tag.
    pub fn place(self) -> Place {
        self.document.file.place(self.data().tag)
    }

    /// The place of all of it.
    pub fn whole_place(self) -> Place {
        let ElementData { tag, end, .. } = *self.data();
        self.document.file.place(Span { start: tag.start, end })
    }

    /// The document that it is in.
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// Its attributes, in order.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = Attribute<'d>> {
        let (start, end) = self.data().attributes;
        (start..end).map(move |at| Attribute { document: self.document, at })
    }

    /// An attribute by its name as it is written.
    pub fn attribute(self, name: &str) -> Option<Attribute<'d>> {
        self.attributes().find(|attribute| attribute.name() == name)
    }

    /// The elements in it, in order.
    pub fn children(self) -> impl Iterator<Item = Element<'d>> {
        let document = self.document;
        let element = move |at: u32| (at != NONE).then_some(Element { document, at });
        std::iter::successors(element(self.data().first_child), move |one| element(one.data().next))
    }

    /// The elements in it with this name.
    pub fn named(self, name: &str) -> impl Iterator<Item = Element<'d>> {
        self.children().filter(move |child| child.name() == name)
    }

    /// The texts in it, in order, without those that are blank. What stands between two elements is one text.
    pub fn texts(self) -> impl Iterator<Item = Text<'d>> {
        let document = self.document;
        let text = move |at: u32| (at != NONE).then_some(Text { document, at });
        std::iter::successors(text(self.data().first_text), move |one| text(one.data().next))
    }
}

impl std::fmt::Debug for Element<'_> {
    /// Only the element itself, since there may be many in it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "<{}> at {:?}", self.name(), self.data().tag)
    }
}

/// An attribute of an element.
#[derive(Clone, Copy)]
pub struct Attribute<'d> {
    document: &'d Document,
    at: u32,
}

impl<'d> Attribute<'d> {
    fn data(self) -> &'d AttributeData {
        &self.document.attributes[self.at as usize]
    }

    /// Its name as it is written, with a prefix if it has one.
    pub fn name(self) -> &'d str {
        self.document.file.slice(self.data().name)
    }

    /// The place of its name.
    pub fn name_place(self) -> Place {
        self.document.file.place(self.data().name)
    }

    /// Its value: references replaced, each blank a space.
    pub fn value(self) -> &'d str {
        let data = self.data();
        data.value.as_deref().unwrap_or_else(|| self.document.file.slice(data.raw))
    }

    /// The place of its value, without quotes.
    pub fn place(self) -> Place {
        self.document.file.place(self.data().raw)
    }

    /// The place of some bytes of the value; that of all of it where the value is not as it is written.
    pub fn part(self, range: std::ops::Range<usize>) -> Place {
        let AttributeData { raw, value, .. } = self.data();
        if value.is_some() || range.end > raw.len() {
            return self.place();
        }
        let start = raw.start as usize;
        self.document.file.place(Span::new(start + range.start, start + range.end))
    }
}

impl std::fmt::Debug for Attribute<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={:?}", self.name(), self.value())
    }
}

/// A text in an element.
#[derive(Clone, Copy)]
pub struct Text<'d> {
    document: &'d Document,
    at: u32,
}

impl<'d> Text<'d> {
    fn data(self) -> &'d TextData {
        &self.document.texts[self.at as usize]
    }

    /// The text: references replaced.
    pub fn text(self) -> &'d str {
        let data = self.data();
        data.text.as_deref().unwrap_or_else(|| self.document.file.slice(data.span))
    }

    /// Its place.
    pub fn place(self) -> Place {
        self.document.file.place(self.data().span)
    }
}

impl std::fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.text())
    }
}

/// A name without its prefix.
pub fn local(name: &str) -> &str {
    name.split_once(':').map_or(name, |(_, local)| local)
}

/// A text as it stands in an attribute or between tags.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;
