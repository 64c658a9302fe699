//! Pairs of values that are related, found in order rather than by trying all.
//!
//! Networks lie within each other or apart, and so do texts that begin with the same: in sorted order, what a value is
//! within is a stack. A pattern is tried on texts only that begin as it does.

use std::borrow::Cow;
use std::sync::OnceLock;

use ipnet::IpNet;
use locus_relational::Atom;

use super::Asked;

/// Takes a pair; says whether there is room for more.
type Add<'a> = dyn FnMut(Atom, Atom) -> bool + 'a;

/// Gives every network with every one that lies within it, itself included. Stops and gives false when `add` does.
pub(super) fn contains(networks: &[(IpNet, Atom)], add: &mut Add) -> bool {
    let mut sorted = networks.to_vec();
    // A network comes before all that lie within it.
    sorted.sort_unstable_by_key(|(net, atom)| (net.network(), net.prefix_len(), *atom));
    let mut around: Vec<&[(IpNet, Atom)]> = Vec::new();
    for same in sorted.chunk_by(|(a, _), (b, _)| a == b) {
        while around.last().is_some_and(|outer| !outer[0].0.contains(&same[0].0)) {
            around.pop();
        }
        around.push(same);
        for (_, outer) in around.iter().copied().flatten() {
            for (_, inner) in same {
                if !add(*outer, *inner) {
                    return false;
                }
            }
        }
    }
    true
}

/// Gives every text asked for with every one that begins with it, itself included.
pub(super) fn prefixes(texts: &[(&str, Atom)], asked: &Asked, add: &mut Add) -> bool {
    let mut sorted = texts.to_vec();
    sorted.sort_unstable();
    let mut begun: Vec<(&str, Atom)> = Vec::new();
    for &(text, atom) in &sorted {
        while begun.last().is_some_and(|(start, _)| !text.starts_with(start)) {
            begun.pop();
        }
        if asked.has(atom) {
            begun.push((text, atom));
        }
        if !begun.iter().all(|(_, start)| add(*start, atom)) {
            return false;
        }
    }
    true
}

/// Gives every pattern asked for with every text that it matches as a whole.
///
/// The first `own` texts are those that the model itself mentions. Where only patterns of these are asked for, what
/// they are and which of the own texts they match is found out once.
pub(super) fn matches(
    texts: &[(&str, Atom)],
    own: usize,
    asked: &Asked,
    patterns: &Patterns,
    add: &mut Add,
) -> bool {
    if *asked == Asked::Everything || own == 0 {
        let sorted = sorted(texts);
        let mut written = texts.iter().filter(|(_, atom)| asked.has(*atom));
        return written.all(|&(text, atom)| Pattern::new(text.into(), atom).match_each(&sorted, add));
    }
    let (own, others) = texts.split_at(own);
    let Own { written, matched } = patterns.0.get_or_init(|| Own::of(own, asked));
    let others = sorted(others);
    matched.iter().all(|&(pattern, text)| add(pattern, text))
        && written.iter().all(|pattern| pattern.match_each(&others, add))
}

fn sorted<'t>(texts: &[(&'t str, Atom)]) -> Vec<(&'t str, Atom)> {
    let mut sorted = texts.to_vec();
    sorted.sort_unstable();
    sorted
}

/// Why a text is not a valid pattern, if it is not.
pub(crate) fn pattern_error(pattern: &str) -> Option<String> {
    // To compile takes far longer than to read. What is short and repeats nothing a given number of times is not too
    // large.
    if pattern.len() <= 64 && !pattern.contains('{') && regex_syntax::parse(pattern).is_ok() {
        return None;
    }
    match regex::RegexBuilder::new(pattern).size_limit(MAX_PATTERN).build() {
        Ok(_) => None,
        Err(regex::Error::CompiledTooBig(limit)) => {
            Some(format!("compiled it would take more than {limit} bytes"))
        }
        // The message draws the pattern; its last line says what is wrong.
        Err(error) => {
            let message = error.to_string();
            let last = message.lines().last().unwrap_or_default();
            Some(last.trim_start_matches("error: ").to_owned())
        }
    }
}

/// The patterns that are written in a model: each is compiled once, and what matching has learnt is kept.
#[derive(Debug, Default)]
pub(crate) struct Patterns(OnceLock<Own>);

#[derive(Debug)]
struct Own {
    written: Vec<Pattern<'static>>,
    /// Which of the model's own texts they match.
    matched: Vec<(Atom, Atom)>,
}

impl Own {
    fn of(texts: &[(&str, Atom)], asked: &Asked) -> Self {
        let asked = texts.iter().filter(|(_, atom)| asked.has(*atom));
        let written: Vec<_> = asked.map(|&(text, atom)| Pattern::new(text.to_owned().into(), atom)).collect();
        let (sorted, mut matched) = (sorted(texts), Vec::new());
        for pattern in &written {
            pattern.match_each(&sorted, &mut |pattern, text| {
                matched.push((pattern, text));
                true
            });
        }
        Self { written, matched }
    }
}

/// How much memory a compiled pattern may take.
const MAX_PATTERN: usize = 1 << 20;

/// A pattern for the whole text. Patterns are data here: one that is not valid, or too large, matches nothing. One
/// with a closing parenthesis has to be valid alone too, so that it cannot end the group around it.
fn compiled(pattern: &str) -> Option<regex::Regex> {
    let build = |pattern: &str, unicode: bool| {
        regex::RegexBuilder::new(pattern).unicode(unicode).size_limit(MAX_PATTERN).build().ok()
    };
    // Classes of bytes take a tenth of the time of classes of characters. Where both mean the same it makes no
    // difference; where bytes would also match half a character, they are refused.
    let is_plain = pattern.is_ascii() && !pattern.contains('\\') && !pattern.contains("(?");
    let compile =
        |pattern: &str| is_plain.then(|| build(pattern, false)).flatten().or_else(|| build(pattern, true));
    if pattern.contains(')') {
        compile(pattern)?;
    }
    compile(&format!("^(?:{pattern})$"))
}

/// A text as a pattern.
#[derive(Debug)]
struct Pattern<'t> {
    text: Cow<'t, str>,
    atom: Atom,
    kind: Kind,
    /// Compiled when there is a text that begins as it does, if it is valid.
    regex: OnceLock<Option<regex::Regex>>,
}

#[derive(Debug)]
enum Kind {
    /// It matches itself only.
    Literal,
    /// It matches what is the same except at its dots.
    Dots,
    /// It has to be compiled, and matches only what begins with so many bytes of it.
    Other(usize),
}

impl<'t> Pattern<'t> {
    fn new(text: Cow<'t, str>, atom: Atom) -> Self {
        let special = |c: char| {
            matches!(c, '\\' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$')
        };
        let kind = if text.contains(special) {
            Kind::Other(literal_start(&text).len())
        } else if text.contains('.') {
            Kind::Dots
        } else {
            Kind::Literal
        };
        Self { text, atom, kind, regex: OnceLock::new() }
    }

    /// Gives it with each of sorted texts that it matches.
    ///
    /// A literal is looked up as a whole, one with dots character by character. Others are tried on what begins with
    /// the same signs.
    fn match_each(&self, sorted: &[(&str, Atom)], add: &mut Add) -> bool {
        let mut found = |(_, text): &(&str, Atom)| add(self.atom, *text);
        match self.kind {
            Kind::Literal => {
                let same = sorted.binary_search_by(|(text, _)| (*text).cmp(&self.text));
                same.map_or(true, |at| found(&sorted[at]))
            }
            Kind::Dots => dotted(sorted, &self.text, &mut found),
            Kind::Other(start) => {
                let range = beginning(sorted, 0, &self.text[..start]);
                let regex = || self.regex.get_or_init(|| compiled(&self.text)).as_ref();
                range.is_empty()
                    || regex().is_none_or(|regex| {
                        range.iter().filter(|(text, _)| regex.is_match(text)).all(&mut found)
                    })
            }
        }
    }
}

/// Returns the text that everything begins with that a pattern matches: its signs up to the first that is special; the
/// one before that may be repeated or left out.
fn literal_start(pattern: &str) -> &str {
    if pattern.contains('|') {
        return "";
    }
    let special = |c: char| "\\+*?()[]{}^$.".contains(c);
    let start = &pattern[..pattern.find(special).unwrap_or(pattern.len())];
    match start.char_indices().next_back() {
        Some((last, _)) => &start[..last],
        None => start,
    }
}

/// Of sorted texts that are the same before a position: those that go on with some signs.
fn beginning<'s, 't>(sorted: &'s [(&'t str, Atom)], at: usize, start: &str) -> &'s [(&'t str, Atom)] {
    let start = start.as_bytes();
    let low = sorted.partition_point(|(text, _)| &text.as_bytes()[at..] < start);
    let rest = &sorted[low..];
    &rest[..rest.partition_point(|(text, _)| text.as_bytes()[at..].starts_with(start))]
}

/// Goes through sorted texts that are the same as a pattern except at its dots.
fn dotted(sorted: &[(&str, Atom)], pattern: &str, found: &mut dyn FnMut(&(&str, Atom)) -> bool) -> bool {
    // Texts that are the same before a position, the position, and what is left of the pattern there.
    let mut open = vec![(sorted, 0, pattern)];
    while let Some((texts, at, rest)) = open.pop() {
        let (run, after) = rest.split_once('.').map_or((rest, None), |(run, after)| (run, Some(after)));
        let mut texts = beginning(texts, at, run);
        let at = at + run.len();
        let Some(after) = after else {
            if let Some(text) = texts.first().filter(|(text, _)| text.len() == at)
                && !found(text)
            {
                return false;
            }
            continue;
        };
        while let Some((text, _)) = texts.first() {
            let Some(sign) = text[at..].chars().next() else {
                texts = &texts[1..];
                continue;
            };
            let end = at + sign.len_utf8();
            let same = texts
                .partition_point(|(other, _)| other.as_bytes()[at..].starts_with(&text.as_bytes()[at..end]));
            if sign != '\n' {
                open.push((&texts[..same], end, after));
            }
            texts = &texts[same..];
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn numbered<'a>(texts: &[&'a str]) -> Vec<(&'a str, Atom)> {
        texts.iter().enumerate().map(|(i, text)| (*text, Atom(i as u32))).collect()
    }

    fn all_pairs<T>(values: &[(T, Atom)], related: impl Fn(&T, &T) -> bool) -> BTreeSet<(Atom, Atom)> {
        let mut pairs = BTreeSet::new();
        for (a, first) in values {
            pairs.extend(values.iter().filter(|(b, _)| related(a, b)).map(|(_, second)| (*first, *second)));
        }
        pairs
    }

    const TEXTS: &[&str] = &[
        "",
        "a",
        "ab",
        "abc",
        "b",
        "a.c",
        "a.",
        ".",
        "..",
        "axc",
        "a+",
        "aaa",
        "a|b",
        "(a",
        "[ab]c",
        "ac",
        "bc",
        "é",
        "a.b.c",
        "a\nc",
        "axbxc",
        "\\d",
        "7",
        "a*",
        "ab?c",
        "^a$",
        "x{2}",
        "xx",
        "colou?r",
        "color",
        "colour",
        "10.0.0.1",
        "10x0.0.1",
        "(?i)ABC",
        "ABC",
        "abc[x])?(?:d",
        "a)?(?:b",
        "d",
        "a#b",
        "a b",
        "é.",
        "éa",
    ];

    #[test]
    fn prefixes_as_defined() {
        let texts = numbered(TEXTS);
        let mut found = BTreeSet::new();
        assert!(prefixes(&texts, &Asked::Everything, &mut |a, b| found.insert((a, b))));
        assert_eq!(found, all_pairs(&texts, |a, b| b.starts_with(a)));
    }

    #[test]
    fn matches_as_defined() {
        let texts = numbered(TEXTS);
        let whole = |a: &&str, b: &&str| {
            regex::Regex::new(a).is_ok()
                && regex::Regex::new(&format!("^(?:{a})$")).is_ok_and(|pattern| pattern.is_match(b))
        };
        let all = all_pairs(&texts, whole);
        let mut found = BTreeSet::new();
        assert!(
            matches(&texts, 0, &Asked::Everything, &Patterns::default(), &mut |a, b| found.insert((a, b)))
        );
        assert_eq!(found, all);
        let some = BTreeSet::from([Atom(5), Atom(10), Atom(1)]);
        let all: BTreeSet<_> = all.into_iter().filter(|(a, _)| some.contains(a)).collect();
        // The same patterns are asked for again and again, of the model's own texts and of others.
        let patterns = Patterns::default();
        for count in [texts.len(), 20, texts.len()] {
            for own in [0, 11] {
                let mut found = BTreeSet::new();
                assert!(matches(&texts[..count], own, &Asked::From(some.clone()), &patterns, &mut |a, b| {
                    found.insert((a, b))
                }));
                let expected = all.iter().copied().filter(|(_, b)| (b.0 as usize) < count).collect();
                assert_eq!(found, expected, "{count} texts, {own} of them of the model");
            }
        }
    }

    #[test]
    fn networks_as_defined() {
        let texts = [
            "10.0.0.0/8",
            "10.0.0.0/24",
            "10.0.0.1/32",
            "10.0.0.9/24",
            "10.0.1.0/24",
            "0.0.0.0/0",
            "::/0",
            "2001:db8::/32",
            "2001:db8::1/128",
            "192.168.0.0/16",
            "10.0.0.0/16",
            "255.255.255.255/32",
        ];
        let networks: Vec<(IpNet, Atom)> = numbered(&texts)
            .into_iter()
            .map(|(text, atom)| (text.parse::<IpNet>().expect("a network").trunc(), atom))
            .collect();
        let mut found = BTreeSet::new();
        assert!(contains(&networks, &mut |a, b| found.insert((a, b))));
        assert_eq!(found, all_pairs(&networks, |a, b| a.contains(b)));
        let mut room = 3;
        let mut few = |_, _| {
            room -= 1;
            room > 0
        };
        assert!(!contains(&networks, &mut few));
    }
}
