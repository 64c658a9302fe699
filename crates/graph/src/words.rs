//! Words for messages: names that fit into a line, and what was probably meant.

/// A name for a message: not longer than a line.
pub(crate) fn shorten(text: &str) -> String {
    let mut chars = text.chars();
    let short: String = chars.by_ref().take(60).flat_map(char::escape_debug).collect();
    if chars.next().is_some() { format!("{short}…") } else { short }
}

/// The word that was probably meant: at most a third of its letters differ. The first of equals.
pub(crate) fn closest<'a>(written: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let distances = words.map(|word| (distance(written, word), word));
    let (least, word) = distances.min_by_key(|(distance, _)| *distance)?;
    (least * 3 <= word.chars().count().max(3)).then_some(word)
}

/// How many letters to insert, remove, replace, or swap with their neighbour. Only the first letters of long
/// words are looked at.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_pen_are_recognised() {
        let words = ["provides", "requires", "sort", "within", "name"];
        let closest = |written| closest(written, words.into_iter());
        assert_eq!(closest("provide"), Some("provides"));
        assert_eq!(closest("reqiures"), Some("requires"));
        assert_eq!(closest("srot"), Some("sort"));
        assert_eq!(closest("nmae"), Some("name"));
        assert_eq!(closest("image"), None);
        assert_eq!(closest(""), None);
    }
}
