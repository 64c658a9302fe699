//! Renderings of findings: for people at a terminal, for programs, for code scanners and for GitHub.
//!
//! Each rendering is a pure function from findings to text; nothing here prints. The forms that programs read
//! have types of their own, so that what we promise in `docs/output.md` does not change when [`Finding`] does.
//!
//! [`Finding`]: crate::Finding

mod github;
mod human;
mod json;
mod sarif;

pub use github::github;
pub use human::{Style, human};
pub use json::{JSON_VERSION, JsonFinding, JsonPlace, json_findings, json_place};
pub use sarif::sarif;

use std::borrow::Cow;
use std::fmt::Write;

use crate::{LineColumn, Place, Sources};

/// That there are findings that are not listed, if so.
fn more(finding: &crate::Finding) -> Option<String> {
    match finding.more {
        0 => None,
        1 => Some("there is 1 finding more in this file, which is not listed".to_owned()),
        more => Some(format!("there are {more} findings more in this file, which are not listed")),
    }
}

/// Text from outside with its control characters made visible, so that it cannot steer a terminal. Line breaks and tabs
/// stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| c == '\n' || c == '\t' || !c.is_control() && !turns_text_around(c);
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    let stand_in = |c: char| match c {
        c if harmless(c) => c,
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '␡',
        _ => '\u{fffd}',
    };
    Cow::Owned(text.chars().map(stand_in).collect())
}

/// A JSON text in which the control characters that JSON allows in strings are escaped too.
pub fn visible_json(json: String) -> String {
    let raw = |c: char| ('\u{7f}'..='\u{9f}').contains(&c) || turns_text_around(c);
    if !json.contains(raw) {
        return json;
    }
    let mut text = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if raw(c) {
            let _ = write!(text, "\\u{:04x}", c as u32);
        } else {
            text.push(c);
        }
    }
    text
}

/// Whether a character makes a terminal show what follows from right to left, so that a text reads as another one.
fn turns_text_around(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Where a place starts and ends, as people count.
fn bounds(place: Place, sources: &Sources) -> (LineColumn, LineColumn) {
    let file = sources.get(place.file);
    let span = place.span.range();
    (file.line_column(span.start), file.line_column(span.end))
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_json};

    #[test]
    fn what_could_steer_a_terminal_is_made_visible() {
        assert_eq!(visible("ä\n\t€"), "ä\n\t€");
        assert_eq!(
            visible("\u{1b}[0m\u{0}\u{7f}\u{9b}\u{202e}\u{2066}\r"),
            "␛[0m␀␡\u{fffd}\u{fffd}\u{fffd}␍"
        );
    }

    #[test]
    fn json_means_the_same_when_it_is_made_visible() {
        let value = serde_json::Value::from("a\u{1b}\u{7f}\u{9b}\u{202e}ä");
        let text = visible_json(value.to_string());
        assert_eq!(text, "\"a\\u001b\\u007f\\u009b\\u202eä\"");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }
}

#[cfg(test)]
pub(crate) mod sample {
    //! One set of findings for the tests of all renderings.

    use crate::{Finding, Fix, Place, Replacement, Rule, Severity, Sources, Span};

    pub(crate) const TWICE: Rule = Rule::new(
        "TST001",
        "address-taken",
        Severity::Error,
        "No two servers have the same address.",
        "Two servers with one address cannot talk to anybody.",
    );
    pub(crate) const UNUSED: Rule =
        Rule::new("TST002", "unused", Severity::Warning, "Every parameter is used.", "Remove it.");

    const STACK: &str =
        "parameters:\n  size: small\nVM1:\n  address: 10.0.0.5\n\n\n\n\n\nVM2:\n  address: 10.0.0.5 # ü\n";
    const NET: &str = "net: { cidr: 10.0.0.0/24 }\n";

    pub(crate) fn findings(sources: &Sources) -> Vec<Finding> {
        let stack = sources.add("stack.yaml", STACK);
        let net = sources.add("dir, a/net.yaml", NET);
        let place = |needle: &str, nth: usize| {
            let (start, _) = STACK.match_indices(needle).nth(nth).expect("the sample has it");
            stack.place(Span::new(start, start + needle.len()))
        };
        vec![
            Finding::new(&UNUSED, place("size", 0), "parameter \"size\" is never used").help("remove it"),
            Finding::new(&TWICE, place("10.0.0.5", 1), "VM2 and VM1 have the same address 10.0.0.5")
                .label("taken")
                .also(place("10.0.0.5", 0), "VM1 already has it")
                .also(Place::new(net.id(), Span::new(13, 24)), "free: 10.0.0.6 and up")
                .note("the first server to boot gets it\n100% of the time")
                .help("give VM2 another address")
                .fix(Fix {
                    replacements: vec![Replacement {
                        place: place("10.0.0.5", 1),
                        old: "10.0.0.5".to_owned(),
                        new: "10.0.0.6".to_owned(),
                    }],
                    is_certain: false,
                }),
        ]
    }
}
