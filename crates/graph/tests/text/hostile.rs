//! Input that means harm: a clear answer, soon.

use std::fmt::Write;
use std::time::Duration;

use locus_source::{Limits, Sources};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{corpus, effort, findings, invariants};

/// Reads a text and makes sure that it takes time in proportion: what is quadratic would take minutes.
fn soon(name: &str, text: &str) -> String {
    effort::within(Duration::from_secs(20), || findings(name, text)).1
}

fn head() -> String {
    "location-graph: 1\nlocations:\n".to_owned()
}

#[test]
fn a_location_with_very_many_roles_on_both_sides_twice() {
    let roles: Vec<String> = (0..50_000).map(|i| format!("r{i}")).collect();
    let roles = roles.join(", ");
    let text = head() + &format!("  web: {{ provides: [{roles}, {roles}], requires: [{roles}] }}\n");
    let found = soon("many.lg.yaml", &text);
    assert_eq!(found.matches("LG004").count(), 50_000);
    // Warnings about the text stop where nobody reads on.
    assert_eq!(found.matches("LG105").count(), 200);
}

#[test]
fn boxes_in_a_long_chain_or_circle() {
    let chain = |size: usize, last: &str| {
        let mut text = "location-graph: 1\nlocations: {}\nboxes:\n".to_owned();
        for i in 0..size {
            let outer = if i == 0 { last.to_owned() } else { format!("b{}", i - 1) };
            writeln!(text, "  b{i}: {{ within: {outer} }}").unwrap();
        }
        text
    };
    assert_eq!(soon("deep.lg.yaml", &chain(50_000, "~")).matches("LG107").count(), 1);
    assert_eq!(soon("circle.lg.yaml", &chain(50_000, "b49999")).matches("LG107").count(), 1);
    assert_eq!(soon("fine.lg.yaml", &chain(101, "~")), "");
}

#[test]
fn very_many_unknown_keys_and_boxes() {
    let mut text = "location-graph: 1\nboxes: { zone: {} }\nlocations:\n".to_owned();
    for i in 0..20_000 {
        writeln!(text, "  l{i}: {{ within: zoen, provide: [a] }}").unwrap();
    }
    let found = soon("unknown.lg.yaml", &text);
    assert_eq!(found.lines().filter(|line| !line.starts_with(' ')).count(), 200);
}

#[test]
fn deep_nesting_and_alias_bombs_are_refused() {
    let deep = head() + "  web: { process: " + &"[".repeat(10_000) + &"]".repeat(10_000) + " }\n";
    assert!(soon("deep.lg.yaml", &deep).contains("YML"));
    let json = r#"{"location-graph": 1, "locations": {"web": {"process": "#.to_owned() + &"[".repeat(10_000);
    assert!(soon("deep.lg.json", &json).contains("JSN"));
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for i in 1..12 {
        writeln!(bomb, "a{i}: &a{i} [{}]", vec![format!("*a{}", i - 1); 10].join(", ")).unwrap();
    }
    let bomb = bomb + &head() + "  web: { process: *a11 }\n";
    assert!(soon("bomb.lg.yaml", &bomb).contains("YML"));
}

#[test]
fn any_value_anywhere_is_no_panic() {
    let values =
        ["", "~", "1", "x", "[]", "[1]", "{}", "{a: 1}", "[[x]]", "[{}]", "{$role: 1}", "!t x", "{1: 2}"];
    let templates = [
        "@",
        "location-graph: @",
        "location-graph: 1\nlocations: @",
        "location-graph: 1\nboxes: @\nlocations: {a: {within: b}}",
        "location-graph: 1\nboxes: {b: @}\nlocations: {}",
        "location-graph: 1\nboxes: {b: {within: @}}\nlocations: {}",
        "location-graph: 1\nlocations: {a: @}",
        "location-graph: 1\nlocations: [@]",
        "location-graph: 1\nlocations: [{name: @}]",
        "location-graph: 1\nlocations: {a: {sort: @}}",
        "location-graph: 1\nlocations: {a: {process: @}}",
        "location-graph: 1\nlocations: {a: {provides: @}}",
        "location-graph: 1\nlocations: {a: {requires: [@]}}",
        "location-graph: 1\nlocations: {a: {requires: [{role: @}]}}",
        "location-graph: 1\nlocations: {a: {requires: {r: @}}}",
        "location-graph: 1\nlocations: {a: {attributes: @}}",
        "location-graph: 1\nlocations: {a: {within: @}}",
    ];
    for template in templates {
        for value in values {
            findings("any.lg.yaml", &template.replace('@', value));
        }
    }
}

/// Pieces that mean something in YAML, in JSON or to us.
const PIECES: &[&str] = &[
    "", " ", "\n", "  ", ": ", "- ", ", ", "{", "}", "[", "]", "\"", "'", "#", "&a ", "*a", "<<: *a", "!t ",
    "? ", "---\n", "~", "1", "$role", "$name", "$$", "name", "role", "within", "boxes:\n", "\t", "\r",
    "\u{85}", "\u{feff}",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn texts_that_went_wrong_somewhere_keep_the_invariants(
        which in any::<Index>(),
        edits in prop::collection::vec((any::<Index>(), 0..12usize, prop::sample::select(PIECES)), 0..4),
    ) {
        let corpus = corpus::corpus();
        let (name, mut text) = corpus[which.index(corpus.len())].clone();
        for (at, length, piece) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.floor_char_boundary((start + length).min(text.len())).max(start);
            text.replace_range(start..end, piece);
        }
        invariants::hold(&Sources::new().add(name, text), &Limits::default());
    }
}
