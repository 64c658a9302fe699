//! Words for messages: texts cut to size, lists in a sentence, and what may have been meant by a mistyped word.

use crate::{Finding, Fix, Replacement};

/// A text for a message: not longer than a line.
pub fn short(text: &str) -> String {
    // Most texts are names, of which nothing is changed.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'\\';
    if text.len() <= 60 && text.bytes().all(is_plain) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(60).flat_map(char::escape_debug).collect();
    if chars.next().is_some() {
        format!("{start}…")
    } else {
        start.replace("\\\"", "\"").replace("\\'", "'")
    }
}

/// "did you mean …?", if one of the names is near. They are names that somebody chose, so another may be missing.
pub fn did_you_mean<'n>(finding: Finding, word: &str, names: impl IntoIterator<Item = &'n str>) -> Finding {
    near(finding, word, names, false)
}

/// The same for words of the language, all of which are known: a slip of the pen is certainly one of them.
pub fn did_you_mean_word<'n>(
    finding: Finding,
    word: &str,
    words: impl IntoIterator<Item = &'n str>,
) -> Finding {
    near(finding, word, words, true)
}

fn near<'n>(
    finding: Finding,
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
    are_all: bool,
) -> Finding {
    let Some(guess) = guess(word, names.into_iter().map(|name| (name, name))) else { return finding };
    let place = finding.primary.place;
    let replacement = Replacement { place, old: word.to_owned(), new: guess.meant.to_owned() };
    let fix = Fix { replacements: vec![replacement], is_certain: are_all && guess.is_clear };
    finding.help(format!("did you mean `{}`?", guess.meant)).fix(fix)
}

/// The names in a sentence: all of them if they are few.
pub fn listed<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let mut all = names.into_iter();
    let names: Vec<String> = all.by_ref().take(13).map(|name| format!("`{}`", short(name))).collect();
    if names.len() > 12 {
        return format!("{} and {} others", names[..10].join(", "), 3 + all.count());
    }
    match names.split_last() {
        None => "none".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// The candidate nearest to `word`, if it is near enough to be what was meant: at most one edit in three
/// letters, so that a word of one or two letters is only ever taken for itself in other capitals. Among equals the
/// first wins.
pub fn nearest<'a, T>(word: &str, candidates: impl IntoIterator<Item = (&'a str, T)>) -> Option<T> {
    guess(word, candidates).map(|guess| guess.meant)
}

/// A guess at the word that was meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guess<T> {
    /// The nearest candidate.
    pub meant: T,
    /// Whether it is a single edit away, and nothing else is as near.
    pub is_clear: bool,
}

/// The candidate nearest to `word`, as [`nearest`] has it, and whether it is far nearer than all others.
pub fn guess<'a, T>(word: &str, candidates: impl IntoIterator<Item = (&'a str, T)>) -> Option<Guess<T>> {
    let allowed = (word.chars().count() / 3).min(4);
    let mut best: Option<Guess<T>> = None;
    let mut least = allowed + 1;
    for (candidate, value) in candidates {
        // Whoever wrote a word did not mean the same word.
        if candidate == word {
            continue;
        }
        // One more than the least so far, to see whether there is another as near.
        let distance = distance(word, candidate, least + 1);
        if distance < least {
            least = distance;
            best = Some(Guess { meant: value, is_clear: distance <= 1 });
        } else if distance == least
            && let Some(best) = &mut best
        {
            best.is_clear = false;
        }
    }
    best
}

/// Edits (insert, remove, change, swap of neighbours) between two words without regard to case, or `limit`
/// where there are at least as many. Only the first letters of very long words are looked at.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let fold = |text: &str| text.chars().take(64).flat_map(char::to_lowercase).collect::<Vec<_>>();
    let (a, b) = (fold(a), fold(b));
    if a.len().abs_diff(b.len()) >= limit {
        return limit;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = change.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()].min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_near() {
        let guess = |word| nearest(word, ["provides", "requires", "sort"].map(|w| (w, w)));
        assert_eq!(guess("provide"), Some("provides"));
        assert_eq!(guess("reuqires"), Some("requires"));
        assert_eq!(guess("SORT"), Some("sort"));
        assert_eq!(guess("name"), None);
        assert_eq!(guess(""), None);
        assert_eq!(nearest("q", [("A", 1)]), None);
        // A word is not suggested for itself, but another one is.
        assert_eq!(nearest("My::A", [("My::A", 1)]), None);
        assert_eq!(nearest("My::Ab", [("My::Ab", 1), ("My::Ac", 2)]), Some(2));
    }

    #[test]
    fn a_guess_is_clear_if_one_edit_leads_to_one_word() {
        let clear = |word| guess(word, ["flavor", "volume1", "volume2"].map(|w| (w, w))).map(|g| g.is_clear);
        assert_eq!(clear("flavour"), Some(true));
        assert_eq!(clear("flvaor"), Some(true));
        assert_eq!(clear("volume3"), Some(false));
        assert_eq!(clear("flavouur"), Some(false));
        assert_eq!(clear("image"), None);
    }
}
