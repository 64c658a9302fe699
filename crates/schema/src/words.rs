//! Words for messages: texts cut to size, lists in a sentence, and what may have been meant.

use locus_source::{Finding, Fix, Replacement, words};

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
    let Some(guess) = words::guess(word, names.into_iter().map(|name| (name, name))) else { return finding };
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
