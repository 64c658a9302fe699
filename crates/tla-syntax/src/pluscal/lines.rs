//! The lines of a module as PlusCal sees them: tabs expanded, and with the way back to the text.

use super::Wrong;

/// See the module. Columns count characters from 0.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    lines: Vec<Vec<char>>,
    /// Where each character stands in the text.
    offsets: Vec<Vec<usize>>,
}

/// A line and a column, from 0.
pub(super) type Spot = (usize, usize);

/// Where a token stands in the algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub(super) spot: Spot,
    pub(super) width: usize,
}

/// A token of the algorithm in a line of the translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) column: usize,
    pub(super) origin: Origin,
}

/// A line of the translation, and the tokens of the algorithm in it.
#[derive(Clone, Default, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) marks: Vec<Mark>,
}

impl Line {
    /// The column behind its end.
    pub(super) fn width(&self) -> usize {
        self.text.chars().count()
    }

    pub(super) fn append(&mut self, other: Self) {
        let width = self.width();
        let moved = |mark: Mark| Mark { column: mark.column + width, ..mark };
        self.marks.extend(other.marks.into_iter().map(moved));
        self.text.push_str(&other.text);
    }

    /// Without the characters in some columns, none of which are of the algorithm.
    pub(super) fn without(self, columns: std::ops::Range<usize>) -> Self {
        let is_kept = |(at, _): &(usize, char)| !columns.contains(at);
        let text = self.text.chars().enumerate().filter(is_kept).map(|(_, c)| c).collect();
        let moved = |mark: Mark| {
            let before = columns.len().min(mark.column.saturating_sub(columns.start));
            Mark { column: mark.column - before, ..mark }
        };
        Self { text, marks: self.marks.into_iter().map(moved).collect() }
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self { text, marks: Vec::new() }
    }
}

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        let (mut lines, mut offsets) = (Vec::new(), Vec::new());
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let (mut chars, mut places) = (Vec::new(), Vec::new());
            for (at, c) in line.trim_end_matches(['\n', '\r']).char_indices() {
                let width = if c == '\t' { 8 - chars.len() % 8 } else { 1 };
                chars.extend(std::iter::repeat_n(if c == '\t' { ' ' } else { c }, width));
                places.extend(std::iter::repeat_n(start + at, width));
            }
            // A token may end with the line.
            places.push(start + line.trim_end_matches(['\n', '\r']).len());
            chars.push(' ');
            lines.push(chars);
            offsets.push(places);
            start += line.len();
        }
        Self { lines, offsets }
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn get(&self, line: usize) -> Option<&[char]> {
        self.lines.get(line).map(Vec::as_slice)
    }

    pub(super) fn text(&self, line: usize) -> String {
        self.lines.get(line).into_iter().flatten().collect()
    }

    /// The offset of a place in the text; behind the end, that of the end.
    pub(super) fn offset(&self, (line, column): Spot) -> usize {
        match self.offsets.get(line) {
            Some(line) => line.get(column).or(line.last()).copied().unwrap_or(0),
            None => self.offsets.last().and_then(|line| line.last()).copied().unwrap_or(0),
        }
    }

    /// The first place of a text in a line.
    pub(super) fn find(&self, line: usize, wanted: &str) -> Option<usize> {
        let wanted: Vec<char> = wanted.chars().collect();
        self.lines.get(line)?.windows(wanted.len()).position(|part| part == wanted)
    }

    /// The line with one word, then another after nothing but spaces.
    pub(super) fn find_pair(&self, from: usize, first: &str, second: &str) -> Option<usize> {
        (from..self.len()).find(|line| {
            let Some(column) = self.find(*line, first) else { return false };
            let rest = &self.lines[*line][column + first.len()..];
            let spaces = rest.iter().take_while(|c| **c == ' ').count();
            self.find(*line, second) == Some(column + first.len() + spaces)
        })
    }

    /// Blanks out comments, from a place within a comment up to the end of that one. Gives the line of the end, if
    /// there is one.
    pub(super) fn uncomment(&mut self, (line, column): Spot) -> Result<Option<usize>, Wrong> {
        let mut depth = 0;
        let mut column = column;
        for at in line..self.lines.len() {
            let chars = &mut self.lines[at];
            let mut string_from = None;
            while column < chars.len() {
                let pair = (chars[column], chars.get(column + 1).copied().unwrap_or(' '));
                let width = match pair {
                    ('(', '*') if string_from.is_none() => {
                        depth += 1;
                        2
                    }
                    ('*', ')') if string_from.is_none() => {
                        if depth == 0 {
                            return Ok(Some(at));
                        }
                        depth -= 1;
                        2
                    }
                    _ if depth > 0 => 1,
                    ('\\', '*') if string_from.is_none() => chars.len() - column,
                    ('\\', _) if string_from.is_some() => {
                        column += 2;
                        continue;
                    }
                    ('"', _) => {
                        string_from = if string_from.is_none() { Some(column) } else { None };
                        column += 1;
                        continue;
                    }
                    _ => {
                        column += 1;
                        continue;
                    }
                };
                let end = (column + width).min(chars.len());
                chars[column..end].fill(' ');
                column += width;
            }
            if let Some(column) = string_from {
                return Err(Wrong::new("this string does not end within its line", (at, column)));
            }
            column = 0;
        }
        Ok(None)
    }
}
