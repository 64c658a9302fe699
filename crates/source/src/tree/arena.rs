//! How trees are laid out in memory: one tape of words for all documents of a file.
//!
//! Nodes stand on the tape in the order of the text, children right after their parent, so that a tree needs
//! no pointers between nodes and a document is freed in one step. A node is a few 32-bit words:
//!
//! | node       | words                                                        |
//! |------------|--------------------------------------------------------------|
//! | absent     | meta, offset                                                 |
//! | scalar     | meta, start, end, and if its text is not in the file as such: offset and length in `text` |
//! | collection | meta, start, end, index of the node after its last descendant |
//! | alias      | meta, start, end, index of the node meant                    |
//!
//! A tag and an anchor add two words each (where they stand), a tag whose name is not what is written two
//! more. What a scalar means is worked out when somebody asks: most are never looked at twice.

use std::sync::Arc;

use super::schema::Schema;
use super::{Shape, Style};
use crate::{SourceFile, Span};

const KIND_BITS: u32 = 0b111;
const STYLE_SHIFT: u32 = 3;
const STYLE_BITS: u32 = 0b111;
const TAG: u32 = 1 << 6;
const TAG_OWNED: u32 = 1 << 7;
const ANCHOR: u32 = 1 << 8;
const OWNED: u32 = 1 << 9;
const MERGED: u32 = 1 << 10;
const REPEATS: u32 = 1 << 11;
const INDEXED: u32 = 1 << 12;

/// A merged or an indexed mapping: the node and its part of the table.
#[derive(Clone, Copy, Debug)]
struct Part {
    node: u32,
    start: u32,
    end: u32,
}

/// The kind of content of a slot of the tape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A value that is not there, such as after `key:`.
    Absent,
    Scalar,
    Sequence,
    Mapping,
    Alias,
}

/// The nodes of all documents of one file.
pub(crate) struct Arena {
    pub(crate) file: Arc<SourceFile>,
    pub(crate) schema: Schema,
    tape: Vec<u32>,
    /// Texts of scalars and names of tags that differ from what is written.
    text: String,
    /// The pairs of key and value that merge keys bring into mappings.
    merged: Vec<(u32, u32)>,
    merges: Vec<Part>,
    /// For long mappings, the keys sorted by the hash of their text.
    index: Vec<(u32, u32)>,
    indexes: Vec<Part>,
}

impl Arena {
    pub(crate) fn new(file: Arc<SourceFile>, schema: Schema) -> Self {
        Self {
            file,
            schema,
            tape: Vec::new(),
            text: String::new(),
            merged: Vec::new(),
            merges: Vec::new(),
            index: Vec::new(),
            indexes: Vec::new(),
        }
    }

    fn meta(&self, at: u32) -> u32 {
        self.tape[at as usize]
    }

    fn word(&self, at: u32, offset: u32) -> u32 {
        self.tape[(at + offset) as usize]
    }

    fn words(&self, at: u32, offset: u32) -> (u32, u32) {
        (self.word(at, offset), self.word(at, offset + 1))
    }

    pub(crate) fn kind(&self, at: u32) -> Kind {
        kind_of(self.meta(at))
    }

    pub(crate) fn style(&self, at: u32) -> Style {
        STYLES[(self.meta(at) >> STYLE_SHIFT & STYLE_BITS) as usize]
    }

    pub(crate) fn span(&self, at: u32) -> Span {
        let start = self.word(at, 1);
        let end = if self.kind(at) == Kind::Absent { start } else { self.word(at, 2) };
        Span { start, end }
    }

    /// The text that a scalar stands for. Nothing for other nodes.
    pub(crate) fn raw(&self, at: u32) -> &str {
        let meta = self.meta(at);
        if kind_of(meta) != Kind::Scalar {
            return "";
        }
        if meta & OWNED != 0 {
            return self.owned(self.words(at, 3));
        }
        let Span { start, end } = self.span(at);
        let quote = u32::from(matches!(self.style(at), Style::SingleQuoted | Style::DoubleQuoted));
        &self.file.text()[(start + quote) as usize..(end - quote) as usize]
    }

    fn owned(&self, (start, length): (u32, u32)) -> &str {
        &self.text[start as usize..(start + length) as usize]
    }

    /// The name of the tag and where it stands.
    pub(crate) fn tag(&self, at: u32) -> Option<(&str, Span)> {
        let meta = self.meta(at);
        if meta & TAG == 0 {
            return None;
        }
        let offset = base_size(meta);
        let (start, end) = self.words(at, offset);
        let span = Span { start, end };
        let name = if meta & TAG_OWNED == 0 {
            self.file.slice(span)
        } else {
            self.owned(self.words(at, offset + 2))
        };
        Some((name, span))
    }

    /// Where the anchor stands, with its `&`.
    pub(crate) fn anchor(&self, at: u32) -> Option<Span> {
        let meta = self.meta(at);
        if meta & ANCHOR == 0 {
            return None;
        }
        let (start, end) = self.words(at, size(meta) - 2);
        Some(Span { start, end })
    }

    /// The node meant: for an alias, its target.
    pub(crate) fn target(&self, at: u32) -> u32 {
        if self.kind(at) == Kind::Alias { self.word(at, 3) } else { at }
    }

    /// The slot after the node and all its descendants.
    pub(crate) fn after(&self, at: u32) -> u32 {
        let meta = self.meta(at);
        match kind_of(meta) {
            Kind::Sequence | Kind::Mapping => self.word(at, 3),
            Kind::Absent | Kind::Scalar | Kind::Alias => at + size(meta),
        }
    }

    /// The first child's slot; the collection is empty if this is [`Arena::after`].
    pub(crate) fn first_child(&self, at: u32) -> u32 {
        at + size(self.meta(at))
    }

    /// Returns the pairs that merge keys bring into a mapping, or nothing if it has no merge key.
    pub(crate) fn merged(&self, at: u32) -> Option<&[(u32, u32)]> {
        (self.meta(at) & MERGED != 0).then(|| {
            let part = find(&self.merges, at);
            &self.merged[part.start as usize..part.end as usize]
        })
    }

    /// Whether a mapping has a key more than once.
    pub(crate) fn repeats(&self, at: u32) -> bool {
        self.meta(at) & REPEATS != 0
    }

    /// The keys of a long mapping, sorted by [`hash`] of their text and then by place.
    pub(crate) fn index(&self, at: u32) -> Option<&[(u32, u32)]> {
        (self.meta(at) & INDEXED != 0).then(|| {
            let part = find(&self.indexes, at);
            &self.index[part.start as usize..part.end as usize]
        })
    }

    /// Bytes of memory that the arena holds, without the text of the file.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.tape.capacity() * 4
            + self.text.capacity()
            + (self.merged.capacity() + self.index.capacity()) * 8
            + (self.merges.capacity() + self.indexes.capacity()) * size_of::<Part>()
    }

    /// The index of the next node to be added.
    pub(crate) fn here(&self) -> u32 {
        self.tape.len() as u32
    }

    /// Adds the start of a node. The words that the kind asks for follow from `shape`.
    pub(crate) fn push(&mut self, shape: Shape<'_>, span: Span) -> u32 {
        let at = self.here();
        match shape {
            Shape::Absent => self.tape.extend([meta(Kind::Absent, Style::Plain), span.start]),
            Shape::Scalar(text, style) => {
                let written = self.file.text().as_bytes().get(span.range()).unwrap_or_default();
                let quote = usize::from(matches!(style, Style::SingleQuoted | Style::DoubleQuoted));
                let verbatim = written.len() == text.len() + 2 * quote
                    && &written[quote..written.len() - quote] == text.as_bytes();
                self.tape.extend([meta(Kind::Scalar, style), span.start, span.end]);
                if !verbatim {
                    self.tape[at as usize] |= OWNED;
                    self.own(text);
                }
            }
            Shape::Sequence(style) => {
                self.tape.extend([meta(Kind::Sequence, style), span.start, span.end, 0]);
            }
            Shape::Mapping(style) => {
                self.tape.extend([meta(Kind::Mapping, style), span.start, span.end, 0]);
            }
            Shape::Alias(target) => {
                self.tape.extend([meta(Kind::Alias, Style::Plain), span.start, span.end, target]);
            }
        }
        at
    }

    fn own(&mut self, text: &str) {
        self.tape.extend([self.text.len() as u32, text.len() as u32]);
        self.text.push_str(text);
    }

    /// Gives the node just added a tag.
    pub(crate) fn push_tag(&mut self, at: u32, name: &str, span: Span) {
        self.tape[at as usize] |= TAG;
        self.tape.extend([span.start, span.end]);
        if self.file.slice(span) != name {
            self.tape[at as usize] |= TAG_OWNED;
            self.own(name);
        }
    }

    /// Gives the node just added an anchor; after its tag.
    pub(crate) fn push_anchor(&mut self, at: u32, span: Span) {
        self.tape[at as usize] |= ANCHOR;
        self.tape.extend([span.start, span.end]);
    }

    /// Ends a collection after the nodes added so far.
    pub(crate) fn close(&mut self, at: u32, end: u32) {
        self.tape[at as usize + 2] = end;
        self.tape[at as usize + 3] = self.here();
    }

    pub(crate) fn set_repeats(&mut self, at: u32) {
        self.tape[at as usize] |= REPEATS;
    }

    pub(crate) fn set_merged(&mut self, at: u32, entries: &[(u32, u32)]) {
        self.tape[at as usize] |= MERGED;
        add(&mut self.merges, &mut self.merged, at, entries);
    }

    pub(crate) fn set_index(&mut self, at: u32, keys: &[(u32, u32)]) {
        self.tape[at as usize] |= INDEXED;
        add(&mut self.indexes, &mut self.index, at, keys);
    }

    /// Forgets everything from a node on.
    pub(crate) fn truncate(&mut self, at: u32) {
        self.tape.truncate(at as usize);
        self.merges.retain(|part| part.node < at);
        self.indexes.retain(|part| part.node < at);
    }

    /// Gives back what memory is not needed.
    pub(crate) fn finish(mut self) -> Arc<Self> {
        self.tape.shrink_to_fit();
        self.text.shrink_to_fit();
        self.merged.shrink_to_fit();
        self.merges.shrink_to_fit();
        self.index.shrink_to_fit();
        self.indexes.shrink_to_fit();
        Arc::new(self)
    }
}

/// A hash of a key's text, the same on every machine.
pub(crate) fn hash(text: &str) -> u32 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    let (chunks, rest) = text.as_bytes().as_chunks::<8>();
    let mut mix = |word: u64| state = (state.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    for &chunk in chunks {
        mix(u64::from_le_bytes(chunk));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(u64::from_le_bytes(last));
    mix(text.len() as u64);
    (state >> 32) as u32
}

/// Adds a node's part to a table. Collections end in another order than they start, but parts are looked up
/// while trees are still being built, so they are kept in order; a part moves at most once for each level.
fn add(parts: &mut Vec<Part>, table: &mut Vec<(u32, u32)>, node: u32, pairs: &[(u32, u32)]) {
    let start = table.len() as u32;
    table.extend_from_slice(pairs);
    let place = parts.partition_point(|part| part.node < node);
    parts.insert(place, Part { node, start, end: table.len() as u32 });
}

fn find(parts: &[Part], node: u32) -> Part {
    let at = parts.binary_search_by_key(&node, |part| part.node);
    parts[at.expect("a node with the flag is in the table")]
}

const STYLES: [Style; 8] = [
    Style::Plain,
    Style::SingleQuoted,
    Style::DoubleQuoted,
    Style::Literal,
    Style::Folded,
    Style::Block,
    Style::Flow,
    Style::Plain,
];

fn meta(kind: Kind, style: Style) -> u32 {
    kind as u32 | (style as u32) << STYLE_SHIFT
}

fn kind_of(meta: u32) -> Kind {
    match meta & KIND_BITS {
        0 => Kind::Absent,
        1 => Kind::Scalar,
        2 => Kind::Sequence,
        3 => Kind::Mapping,
        _ => Kind::Alias,
    }
}

/// Words of a node without tag and anchor.
fn base_size(meta: u32) -> u32 {
    match kind_of(meta) {
        Kind::Absent => 2,
        Kind::Scalar => 3 + 2 * u32::from(meta & OWNED != 0),
        Kind::Sequence | Kind::Mapping | Kind::Alias => 4,
    }
}

/// Words of a node without its descendants.
fn size(meta: u32) -> u32 {
    let flags = [TAG, TAG_OWNED, ANCHOR];
    base_size(meta) + 2 * flags.iter().filter(|&&flag| meta & flag != 0).count() as u32
}
