//! Texts that libyaml, or another reader, reads although YAML 1.2 forbids them: the text as the event parser takes it.
//!
//! Users of PyYAML read files with libyaml, which lets a quoted text go on at the indentation of its key, a comment
//! follow a comma at once, a lone `-` be a text within brackets, and tabs indent lines within brackets and quotes.
//! Where the event parser stops at one of these, a few signs are put into a copy of the text, which is read anew. All
//! places that come out are those of the text as written.

use std::borrow::Cow;

use granit_parser::{ErrorKind, ScanError};

use super::syntax::{closing_quote, opening_quote};
use crate::Span;

/// So many bytes may be read anew. A file that needs more has an error at the next such place.
const MOST_READ_AGAIN: usize = 64 << 20;

/// So often signs may be put in without getting any further: the first may not be all that a place needs.
const MOST_AT_ONE_PLACE: u32 = 4;

/// A text with signs put in.
pub(super) struct Amended<'s> {
    written: &'s str,
    /// The signs that are inserted, in order.
    added: Vec<Added>,
    /// The text with the signs.
    text: Cow<'s, str>,
    read_again: usize,
    /// The furthest place that anything was put in at, and how often nothing further was since.
    furthest: usize,
    stuck: u32,
}

/// Signs, with the offset in the text for the event parser that they belong before.
pub(super) type Missing = (usize, Cow<'static, str>);

struct Added {
    /// Before which offset of the text as it is written.
    place: usize,
    signs: Cow<'static, str>,
    /// How many bytes are put in before.
    before: usize,
}

impl<'s> Amended<'s> {
    pub(super) fn new(written: &'s str) -> Self {
        Self {
            written,
            added: Vec::new(),
            text: Cow::Borrowed(written),
            read_again: 0,
            furthest: 0,
            stuck: 0,
        }
    }

    /// The text for the event parser.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the text is as it is written.
    pub(super) fn is_verbatim(&self) -> bool {
        self.added.is_empty()
    }

    /// An offset of the text as it is written, for one of the text with the signs.
    pub(super) fn offset(&self, at: usize) -> usize {
        let next = self.added.partition_point(|added| added.place + added.before < at);
        let Some(added) = next.checked_sub(1).map(|last| &self.added[last]) else { return at };
        // Within what was put in, the place is where that stands.
        at - added.before - added.signs.len().min(at - added.before - added.place)
    }

    /// A span of the text as it is written.
    pub(super) fn span(&self, span: Span) -> Span {
        if self.is_verbatim() {
            return span;
        }
        Span::new(self.offset(span.start as usize), self.offset(span.end as usize))
    }

    /// Returns the signs that are missing where the event parser stopped, each with the offset that they belong
    /// before. `bracket` is where the innermost bracket stands in the text as it is written, if one is open.
    pub(super) fn missing(&self, error: &ScanError, cursor: usize, bracket: Option<usize>) -> Vec<Missing> {
        let at = error.marker().byte_offset().map(|at| self.text.floor_char_boundary(at));
        let Some(at) = at.filter(|_| !self.is_hopeless()) else { return Vec::new() };
        match error.kind() {
            ErrorKind::InvalidQuotedScalarIndent => self.indentation(at, cursor),
            ErrorKind::CommentNotSeparated => vec![(at, " ".into())],
            ErrorKind::PlainScalarStartsWithDashFlowIndicator => {
                vec![(at, "\"".into()), (at + 1, "\"".into())]
            }
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar => match (opening_quote(&self.text, cursor, at), bracket) {
                (Some(_), _) => self.indentation(at, cursor),
                (None, Some(bracket)) => {
                    let line = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
                    let column =
                        bracket - self.written[..bracket].rfind('\n').map_or(0, |newline| newline + 1);
                    vec![(line, " ".repeat(column + 1).into())]
                }
                (None, None) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Returns the blank that is missing between a colon and a value in brackets, if the event parser stopped there.
    pub(super) fn blank(&self, error: &ScanError) -> Vec<Missing> {
        let at = error.marker().byte_offset().filter(|at| self.text.as_bytes().get(*at) == Some(&b':'));
        match at {
            Some(at)
                if *error.kind() == ErrorKind::FlowMappingValueAdjacentCollection && !self.is_hopeless() =>
            {
                vec![(at + 1, " ".into())]
            }
            _ => Vec::new(),
        }
    }

    /// Whether it is no use to put in more.
    fn is_hopeless(&self) -> bool {
        self.read_again > MOST_READ_AGAIN || self.stuck >= MOST_AT_ONE_PLACE
    }

    /// Puts in what is missing.
    pub(super) fn add(&mut self, missing: Vec<Missing>) {
        let places = |(at, signs): Missing| Added { place: self.offset(at), signs, before: 0 };
        let missing: Vec<Added> = missing.into_iter().map(places).collect();
        let furthest = missing.iter().map(|added| added.place).max().unwrap_or(0);
        self.stuck = if furthest > self.furthest { 0 } else { self.stuck + 1 };
        self.furthest = self.furthest.max(furthest);
        self.added.extend(missing);
        self.added.sort_by_key(|added| added.place);
        self.read_again = self.read_again.saturating_add(self.text.len());
        self.put_in();
    }

    /// Spaces for the lines of a quoted text that are not indented: they are no part of the text.
    fn indentation(&self, at: usize, cursor: usize) -> Vec<Missing> {
        let Some(quote) = opening_quote(&self.text, cursor, at) else { return Vec::new() };
        let Some(end) = closing_quote(self.text.as_bytes(), quote) else { return Vec::new() };
        let column = quote - self.text[..quote].rfind('\n').map_or(0, |newline| newline + 1);
        let spaces = " ".repeat(column + 1);
        let lines: Vec<usize> =
            self.text[quote..end].match_indices('\n').map(|(newline, _)| quote + newline + 1).collect();
        // A document ends where a line starts with a marker, in quotes, too.
        let marker = |line: &usize| ["---", "..."].iter().any(|sign| self.text[*line..].starts_with(sign));
        if lines.iter().any(marker) {
            return Vec::new();
        }
        lines.into_iter().map(|line| (line, spaces.clone().into())).collect()
    }

    fn put_in(&mut self) {
        let mut text = String::with_capacity(self.written.len() + self.added.len() * 8);
        let mut from = 0;
        for added in &mut self.added {
            text.push_str(&self.written[from..added.place]);
            added.before = text.len() - added.place;
            text.push_str(&added.signs);
            from = added.place;
        }
        text.push_str(&self.written[from..]);
        self.text = Cow::Owned(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spaces before a line do not help where a lone carriage return ends one.
    #[test]
    fn what_does_not_help_is_not_put_in_for_ever() {
        let mut amended = Amended::new("a: \"b\n\rc\"\nd: e\n");
        for _ in 0..=MOST_AT_ONE_PLACE {
            assert!(!amended.is_hopeless());
            amended.add(vec![(6, " ".into())]);
        }
        assert!(amended.is_hopeless());
        let lines = "\n".repeat(100);
        let mut amended = Amended::new(&lines);
        for line in 0..100 {
            amended.add(vec![(amended.text().len() - 100 + line, " ".into())]);
            assert!(!amended.is_hopeless(), "each is further on");
        }
    }
}
