//! Where something stands: byte ranges within a file, and places, which also name the file.

/// A range of bytes in one file, `start..end`.
///
/// Eight bytes, so that a tree can afford one on every node; which file is meant is known to whoever holds
/// the tree. Files are limited to 4 GiB, so 32 bits are enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to and excluding `end`.
    ///
    /// # Panics
    /// If `end` is before `start`, or either is past 4 GiB.
    pub fn new(start: usize, end: usize) -> Self {
        assert!(start <= end, "span ends at {end}, before it starts at {start}");
        let narrow = |offset: usize| u32::try_from(offset).expect("sources are limited to 4 GiB");
        Self { start: narrow(start), end: narrow(end) }
    }

    /// The empty range at `offset`.
    pub fn point(offset: usize) -> Self {
        Self::new(offset, offset)
    }

    /// The smallest range that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As a range, to index text with.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Number of bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether the range holds no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `offset` is inside.
    pub fn contains(self, offset: usize) -> bool {
        self.range().contains(&offset)
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Names a file among the [`Sources`](crate::Sources) it was added to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub(crate) u32);

/// A range of bytes in a particular file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The range in it.
    pub span: Span,
}

impl Place {
    /// The place of `span` in `file`.
    pub fn new(file: FileId, span: Span) -> Self {
        Self { file, span }
    }
}

/// A position as people count it: both from 1, columns in characters (Unicode scalar values).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl std::fmt::Display for LineColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_join_to_the_smallest_cover() {
        assert_eq!(Span::new(3, 5).to(Span::new(9, 12)), Span::new(3, 12));
        assert_eq!(Span::new(9, 12).to(Span::new(3, 5)), Span::new(3, 12));
    }

    #[test]
    #[should_panic(expected = "before it starts")]
    fn a_span_cannot_end_before_it_starts() {
        let _ = Span::new(2, 1);
    }
}
