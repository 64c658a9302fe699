//! Changes of a text: pieces of it that are to be others.

use std::ops::Range;

use crate::{Place, SourceFile, Sources, Span};

/// A piece of a text and what is to stand there instead.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes to replace; empty where something is added.
    pub range: Range<usize>,
    /// The text to write there.
    pub text: String,
}

/// Returns a text after some edits, no two of which are about the same bytes.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in sorted(edits) {
        result.push_str(&text[at..edit.range.start]);
        result.push_str(&edit.text);
        at = edit.range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// Whether two edits can be made in one text. In one place, both can add something.
pub fn are_disjoint(a: &Edit, b: &Edit) -> bool {
    if a.range.is_empty() && b.range.is_empty() {
        return true;
    }
    a.range.end <= b.range.start || b.range.end <= a.range.start
}

/// Where a place of the changed text was before. What the edits added was nowhere.
pub fn before(edits: &[Edit], place: Place) -> Place {
    let offset = |at: usize, is_end: bool| -> Option<usize> {
        let mut shift: isize = 0;
        for edit in sorted(edits) {
            let start = edit.range.start.checked_add_signed(shift)?;
            if at <= start {
                break;
            }
            let end = start + edit.text.len();
            if at < end || (at == end && is_end && !edit.range.is_empty()) {
                return (at == end).then_some(edit.range.end);
            }
            shift += isize::try_from(edit.text.len()).ok()? - isize::try_from(edit.range.len()).ok()?;
        }
        at.checked_add_signed(-shift)
    };
    let range = place.span.range();
    let span = match (offset(range.start, false), offset(range.end, true)) {
        (Some(start), Some(end)) if start <= end => Span::new(start, end),
        _ => Span::point(u32::MAX as usize),
    };
    Place::new(place.file, span)
}

fn sorted(edits: &[Edit]) -> Vec<&Edit> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    sorted
}

/// A change of a file after which a finding is no longer there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// The replacements, each of a text by another.
    pub replacements: Vec<Replacement>,
    /// Whether it is certainly what the author meant, so that nobody need be asked.
    pub is_certain: bool,
}

/// A word that is to be another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// Where it is written, with quotes around it or without.
    pub place: Place,
    /// The word.
    pub old: String,
    /// The other one.
    pub new: String,
}

impl Fix {
    /// Returns the exact places that it replaces, and by which texts; nothing if a word is not written as it should
    /// be.
    pub fn edits(&self, sources: &Sources) -> Option<Vec<(Place, String)>> {
        let edit = |one: &Replacement| {
            let Edit { range, text } = one.edit(&sources.get(one.place.file))?;
            Some((Place::new(one.place.file, Span::new(range.start, range.end)), text))
        };
        self.replacements.iter().map(edit).collect()
    }
}

impl Replacement {
    /// Puts a word in quotes.
    pub fn quoting(place: Place, word: &str) -> Self {
        Self { place, old: word.to_owned(), new: format!("\"{word}\"") }
    }

    /// The edit of the file; nothing if the word is not written there as it is.
    pub fn edit(&self, file: &SourceFile) -> Option<Edit> {
        let range = self.place.span.range();
        let written = file.text().get(range.clone()).filter(|_| self.place.file == file.id())?;
        let start = if written == self.old {
            range.start
        } else {
            let quote = written.chars().next().filter(|c| ['"', '\''].contains(c))?;
            let inside = written.strip_prefix(quote)?.strip_suffix(quote)?;
            (inside == self.old).then_some(range.start + 1)?
        };
        // Between quotes, or without any, the word must stay what it is.
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
        let bare = if written == self.old { unquoted(&self.new) } else { &self.new };
        let is_word = bare.chars().all(is_plain) && !bare.is_empty();
        is_word.then(|| Edit { range: start..start + self.old.len(), text: self.new.clone() })
    }
}

/// A word without the quotes around it, if it has any.
fn unquoted(word: &str) -> &str {
    word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(range: Range<usize>, text: &str) -> Edit {
        Edit { range, text: text.to_owned() }
    }

    #[test]
    fn edits_are_applied_in_the_order_of_the_text() {
        assert_eq!(apply("abcdef", &[edit(4..5, "X"), edit(1..3, "")]), "adXf");
        assert_eq!(apply("ab", &[edit(2..2, "c")]), "abc");
    }

    #[test]
    fn places_of_the_changed_text_lead_back() {
        let sources = Sources::new();
        let file = sources.add("a", "0123456789");
        let edits = [edit(2..4, "xyz"), edit(6..6, "++")];
        assert_eq!(apply(file.text(), &edits), "01xyz45++6789");
        let lead = |range: Range<usize>| {
            before(&edits, Place::new(file.id(), Span::new(range.start, range.end))).span.range()
        };
        assert_eq!(lead(0..2), 0..2);
        assert_eq!(lead(5..7), 4..6);
        assert_eq!(lead(9..11), 6..8);
        assert_eq!(lead(1..12), 1..9);
        assert_eq!(lead(2..5), 2..4);
        assert_eq!(lead(3..4).start, u32::MAX as usize);
    }

    #[test]
    fn a_word_is_replaced_where_it_is_written_as_it_is() {
        let sources = Sources::new();
        let file = sources.add("a", "flavour 'flavour' \"x\\u0041\"");
        let replace = |range: Range<usize>, old: &str, new: &str| {
            let place = Place::new(file.id(), Span::new(range.start, range.end));
            let replacement = Replacement { place, old: old.to_owned(), new: new.to_owned() };
            replacement.edit(&file).map(|edit| apply(file.text(), &[edit]))
        };
        assert_eq!(replace(0..7, "flavour", "flavor").as_deref(), Some("flavor 'flavour' \"x\\u0041\""));
        assert_eq!(replace(8..17, "flavour", "flavor").as_deref(), Some("flavour 'flavor' \"x\\u0041\""));
        assert_eq!(replace(18..27, "xA", "xB"), None);
        assert_eq!(replace(0..7, "flavour", "a: b"), None);
        assert_eq!(replace(0..99, "flavour", "flavor"), None);
    }
}
