//! From places in a translation back to those in the algorithm, so that errors point to what somebody wrote.
//!
//! The translation has tokens of the algorithm and tokens of its own (`pc`, `UNCHANGED`). A place in it is that of the
//! tokens of the algorithm in it; one that has none stays where it is.

use locus_source::{FileId, Finding, Place, SourceFile, Span};

use super::lexemes;
use super::lines::{Line, Lines};

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    /// The file with the translation, and that with the algorithm.
    translated: FileId,
    original: FileId,
    /// Where the translation stands.
    region: Span,
    /// How far what stands behind the translation is from the end of either file.
    behind: u32,
    /// The length of either file.
    lengths: (u32, u32),
    /// The tokens of the translation, and where they stand in the algorithm.
    tokens: Vec<(Span, Option<Span>)>,
}

impl Origins {
    /// Those of a translation that stands in a text in place of what stood in the file, or was added to it. The last of
    /// the text, so many bytes, is that of the file.
    pub(super) fn new(
        file: &SourceFile,
        lines: &Lines,
        translation: &[Line],
        text: &str,
        region: Span,
        behind: usize,
    ) -> Self {
        let mut marks = Vec::new();
        let mut start = 0;
        for (written, line) in text[region.range()].split_inclusive('\n').zip(translation) {
            for mark in &line.marks {
                let offset = written.char_indices().nth(mark.column).map_or(written.len(), |(at, _)| at);
                let (row, column) = mark.origin.spot;
                let end = (row, column + mark.origin.width);
                marks.push((start + offset, Span::new(lines.offset(mark.origin.spot), lines.offset(end))));
            }
            start += written.len();
        }
        marks.sort_by_key(|(at, _)| *at);
        let origin = |span: Span| {
            let at = marks.binary_search_by_key(&(span.start as usize), |(at, _)| *at).ok()?;
            Some(marks[at].1)
        };
        let tokens = lexemes(&text[region.range()])
            .into_iter()
            .map(|(_, span)| (moved(span, region.start), origin(span)))
            .collect();
        let lengths = (text.len() as u32, file.text().len() as u32);
        Self { translated: file.id(), original: file.id(), region, behind: behind as u32, lengths, tokens }
    }

    /// The same for the file that the text became.
    pub(super) fn within(self, translated: FileId) -> Self {
        Self { translated, ..self }
    }

    /// The same for a translation with the same tokens that stands in the file itself.
    pub(super) fn moved(&self, file: &SourceFile, region: Span) -> Option<Self> {
        let here = lexemes(&file.text()[region.range()]);
        if here.len() != self.tokens.len() {
            return None;
        }
        let tokens = here.into_iter().zip(&self.tokens);
        let tokens = tokens.map(|((_, span), (_, origin))| (moved(span, region.start), *origin)).collect();
        let length = file.text().len() as u32;
        Some(Self {
            translated: file.id(),
            original: file.id(),
            region,
            behind: length - region.end,
            lengths: (length, length),
            tokens,
        })
    }

    /// The file with the translation.
    pub(crate) fn translated(&self) -> FileId {
        self.translated
    }

    /// Where somebody wrote what stands at a place.
    pub(crate) fn place(&self, place: Place) -> Place {
        let span = place.span;
        if place.file != self.translated {
            return place;
        }
        let original = |span| Place::new(self.original, span);
        let is_behind = |at: u32| at >= self.lengths.0 - self.behind;
        let back = |at: u32| (self.lengths.1 + at - self.lengths.0) as usize;
        if span.end < self.region.start {
            return original(span);
        }
        if is_behind(span.start) {
            return original(Span::new(back(span.start), back(span.end)));
        }
        if span.start < self.region.start && is_behind(span.end) {
            return original(Span::new(span.start as usize, back(span.end)));
        }
        self.in_algorithm(span).map_or(place, original)
    }

    /// The tokens of the algorithm in a part of the translation, as far as they follow each other there too.
    fn in_algorithm(&self, span: Span) -> Option<Span> {
        let end = span.end.max(span.start + 1);
        let from = self.tokens.partition_point(|(token, _)| token.end <= span.start);
        let tokens = self.tokens[from..].iter().take_while(|(token, _)| token.start < end);
        let mut found: Option<Span> = None;
        for origin in tokens.filter_map(|(_, origin)| *origin) {
            match found {
                Some(before) if origin.start < before.start => break,
                Some(before) => found = Some(before.to(origin)),
                None => found = Some(origin),
            }
        }
        found
    }

    /// A finding with all its places where somebody wrote them.
    pub(crate) fn finding(&self, mut finding: Finding) -> Finding {
        finding.primary.place = self.place(finding.primary.place);
        for label in &mut finding.secondary {
            label.place = self.place(label.place);
        }
        finding
    }
}

/// A span in a text, in what begins with so many bytes and then has that text.
fn moved(span: Span, by: u32) -> Span {
    Span::new((span.start + by) as usize, (span.end + by) as usize)
}
