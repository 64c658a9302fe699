//! The event parser underneath, behind a type of our own, so that it can be exchanged.
//!
//! Spans are put right here: a block scalar starts at its `|` or `>`, a value that is not there stands after
//! its colon, and nothing reaches into the lines after it.

use std::borrow::Cow;

use granit_parser::{Event as Raw, Parser, ScalarStyle, ScanError, StrInput, StructureStyle};

use super::libyaml::Amended;
use crate::tree::Style;
use crate::{Limits, Span};

/// An event of the parser, in the order of the text.
pub(super) enum Event<'s> {
    /// With `---`, or without.
    DocumentStart {
        explicit: bool,
    },
    DocumentEnd,
    /// A scalar, or a collection's start.
    Node(Content<'s>, Option<Tag>),
    /// The anchor of the node before.
    Anchor(usize),
    Alias(usize),
    UnknownAlias(Cow<'s, str>),
    /// A collection's end; the span is empty unless a bracket ends it.
    End,
    Comment,
}

/// The content of a node.
pub(super) enum Content<'s> {
    Absent,
    Scalar(Cow<'s, str>, Style),
    Sequence(Style),
    Mapping(Style),
}

/// A tag: its name in the form that trees keep, and where it stands.
pub(super) struct Tag {
    pub(super) name: String,
    pub(super) span: Span,
}

/// The parser, and how far it has come.
pub(super) struct Events<'s> {
    parser: Parser<'s, StrInput<'s>>,
    amended: &'s Amended<'s>,
    /// The text that the parser reads.
    text: &'s str,
    /// Where the last token ended that has become an event.
    cursor: usize,
}

impl<'s> Events<'s> {
    pub(super) fn new(amended: &'s Amended<'s>, limits: &Limits) -> Self {
        let text = amended.text();
        let options = granit_parser::options! {
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            flow_nesting_limit: limits.depth,
            block_nesting_limit: limits.depth,
            // Comments that wait for the next token: as many as anybody writes, yet not all of a hostile file.
            max_buffered_comment_events: 100_000,
        };
        Self { parser: Parser::new_from_str_with_options(text, options), amended, text, cursor: 0 }
    }

    /// Where the last token ended, in the text that the parser reads.
    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Where the parser stopped with an error and where the last token ended before, in the text as it is written.
    pub(super) fn stopped(&self, error: &ScanError) -> (usize, usize) {
        let at = error.marker().byte_offset().unwrap_or(self.cursor);
        (self.amended.offset(at), self.amended.offset(self.cursor))
    }

    /// The next event and its span in the text as it is written, or nothing at the end.
    pub(super) fn next(&mut self) -> Option<Result<(Event<'s>, Span), ScanError>> {
        let event = self.read();
        if self.amended.is_verbatim() {
            return event;
        }
        let (event, span) = match event? {
            Ok(event) => event,
            Err(error) => return Some(Err(error)),
        };
        let span = self.amended.span(span);
        Some(Ok((self.as_written(event, span), span)))
    }

    /// Returns an event as the text writes it.
    fn as_written(&self, event: Event<'s>, span: Span) -> Event<'s> {
        let Event::Node(content, tag) = event else { return event };
        let tag = tag.map(|tag| Tag { span: self.amended.span(tag.span), ..tag });
        let content = match content {
            // The quotes were put in.
            Content::Scalar(text, Style::DoubleQuoted) if text == "-" && span.end - span.start == 1 => {
                Content::Scalar(text, Style::Plain)
            }
            content => content,
        };
        Event::Node(content, tag)
    }

    /// The next event and its span in the text that the parser reads.
    fn read(&mut self) -> Option<Result<(Event<'s>, Span), ScanError>> {
        loop {
            let (raw, raw_span) = match self.parser.next_event()? {
                Ok(event) => event,
                Err(error) => return Some(Err(error)),
            };
            let span = convert(&raw_span);
            let event = match raw {
                Raw::Scalar(text, style, _, tag) => {
                    let tag = tag.and_then(|tag| self.tag(&tag, &raw_span));
                    return Some(Ok(self.scalar(text, style, tag, span)));
                }
                Raw::SequenceStart(style, _, tag) => {
                    let tag = tag.and_then(|tag| self.tag(&tag, &raw_span));
                    let event = Event::Node(Content::Sequence(collection_style(style)), tag);
                    return Some(Ok((event, self.sequence_start(span))));
                }
                Raw::MappingStart(style, _, tag) => {
                    let tag = tag.and_then(|tag| self.tag(&tag, &raw_span));
                    Event::Node(Content::Mapping(collection_style(style)), tag)
                }
                Raw::SequenceEnd | Raw::MappingEnd => {
                    if !span.is_empty() {
                        self.advance(span.end);
                    }
                    return Some(Ok((Event::End, span)));
                }
                Raw::Anchor(id, _) => return Some(Ok((Event::Anchor(id), span))),
                Raw::Alias(id) => Event::Alias(id),
                Raw::UnresolvedAlias(name) => Event::UnknownAlias(name),
                Raw::Comment(..) => return Some(Ok((Event::Comment, span))),
                Raw::DocumentStart(explicit, _) => {
                    self.advance(if explicit { span.end } else { span.start });
                    return Some(Ok((Event::DocumentStart { explicit }, span)));
                }
                Raw::DocumentEnd => return Some(Ok((Event::DocumentEnd, span))),
                // The start and the end of everything, and whatever a later version adds beside nodes.
                _ => continue,
            };
            self.advance(span.end);
            return Some(Ok((event, span)));
        }
    }

    /// Gives the current document up and goes on with the next one, if there is one.
    pub(super) fn next_document(&mut self) -> Result<bool, ScanError> {
        self.parser.proceed_next_document()
    }

    fn advance(&mut self, end: u32) {
        self.cursor = self.cursor.max(end as usize);
    }

    fn tag(&mut self, tag: &granit_parser::Tag, span: &granit_parser::Span) -> Option<Tag> {
        let span = convert(&span.tag_span()?);
        let name = match tag.suffix_in_namespace("tag:yaml.org,2002:") {
            Some(name) => format!("!!{name}"),
            None => tag.to_string(),
        };
        self.advance(span.end);
        Some(Tag { name, span })
    }

    fn scalar(
        &mut self,
        text: Cow<'s, str>,
        style: ScalarStyle,
        tag: Option<Tag>,
        span: Span,
    ) -> (Event<'s>, Span) {
        let (style, span) = match style {
            ScalarStyle::SingleQuoted => (Style::SingleQuoted, span),
            ScalarStyle::DoubleQuoted => (Style::DoubleQuoted, span),
            ScalarStyle::Literal => (Style::Literal, self.block_scalar(span)),
            ScalarStyle::Folded => (Style::Folded, self.block_scalar(span)),
            ScalarStyle::Plain if span.is_empty() => {
                let span = self.absent(span);
                return (Event::Node(Content::Absent, tag), span);
            }
            ScalarStyle::Plain => (Style::Plain, span),
        };
        self.advance(span.end);
        (Event::Node(Content::Scalar(text, style), tag), span)
    }

    /// The start of a sequence. One whose dashes are not indented is reported after its first dash.
    fn sequence_start(&mut self, span: Span) -> Span {
        let start = span.start as usize;
        if !span.is_empty() || self.text[start..].starts_with('-') {
            self.advance(span.end);
            return span;
        }
        let dash = next_sign(self.text, self.cursor, b":?");
        if dash < start && self.text[dash..].starts_with('-') {
            self.advance(dash as u32);
            Span::point(dash)
        } else {
            span
        }
    }

    /// The span of a block scalar from its header, without the blank lines after it.
    fn block_scalar(&self, content: Span) -> Span {
        let header = next_sign(self.text, self.cursor, b":-?,").min(content.start as usize);
        let indicators = self.text[header..content.start as usize]
            .find(|c: char| !"|>+-0123456789".contains(c))
            .unwrap_or(content.start as usize - header);
        let written = self.text[content.range()].trim_end().len();
        // Of a scalar without content only the header is left; what follows it belongs to others.
        let end = if written == 0 { 0 } else { content.start as usize + written };
        Span::new(header, end.max(header + indicators))
    }

    /// The place of a value that is not there: after the colon, if that comes next.
    fn absent(&mut self, span: Span) -> Span {
        let rest = &self.text[self.cursor..];
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let mut next = rest[blanks..].chars();
        // A colon with something right behind it starts a scalar of its own.
        if next.next() == Some(':') && next.next().is_none_or(|c| c.is_whitespace() || ",[]{}".contains(c)) {
            self.cursor += blanks + 1;
        } else if self.text[self.cursor..(span.start as usize).max(self.cursor)].contains('-') {
            // An item of a sequence, after its dash.
            self.advance(span.start);
        }
        Span::point(self.cursor)
    }
}

/// The next character from `from` on that is no blank, comment, tag or anchor, and none of `indicators`.
pub(super) fn next_sign(text: &str, from: usize, indicators: &[u8]) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        let skip_to: fn(u8) -> bool = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            _ if indicators.contains(&byte) => {
                at += 1;
                continue;
            }
            b'#' => |b| b == b'\n' || b == b'\r',
            b'!' | b'&' => |b| b.is_ascii_whitespace(),
            _ => break,
        };
        at += bytes[at..].iter().position(|&b| skip_to(b)).unwrap_or(bytes.len() - at);
    }
    at
}

fn collection_style(style: StructureStyle) -> Style {
    match style {
        StructureStyle::Block => Style::Block,
        StructureStyle::Flow => Style::Flow,
    }
}

fn convert(span: &granit_parser::Span) -> Span {
    let range = span.byte_range().expect("spans of a text have byte offsets");
    Span::new(range.start, range.end.max(range.start))
}
