//! Hostile files are refused quickly, with a finding that says why.

use std::fmt::Write;
use std::time::Duration;

use locus_source::json::{self, JsonOptions};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Limits, Parsed};

use crate::{common, effort};

/// Far more than any of these takes, and far less than it would take with time in the square of its size.
const QUICKLY: Duration = Duration::from_secs(4);

fn codes(parsed: &Parsed) -> Vec<&str> {
    parsed.findings.iter().map(|finding| finding.code.as_str()).collect()
}

fn refused_as_yaml(text: &str, expected: &[&str]) {
    let file = common::file(text);
    let parsed = effort::within(QUICKLY, || yaml::parse(&file, &YamlOptions::default()));
    assert_eq!(codes(&parsed), expected);
    assert!(parsed.documents.is_empty());
}

fn refused_as_json(text: &str, expected: &[&str]) {
    let file = common::file(text);
    let parsed = effort::within(QUICKLY, || json::parse(&file, &JsonOptions::default()));
    assert_eq!(codes(&parsed), expected);
    assert!(parsed.documents.is_empty());
}

#[test]
fn alias_bombs() {
    // Nine levels of nine aliases each: 400 bytes that stand for 400 million strings.
    let mut laughs = String::from("a0: &a0 lol\n");
    for level in 1..=9 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        writeln!(laughs, "a{level}: &a{level} [{aliases}]").unwrap();
    }
    refused_as_yaml(&laughs, &["YML006"]);

    // The same with merge keys.
    let mut merges = String::from("a0: &a0 {x: 1}\n");
    for level in 1..=40 {
        let below = level - 1;
        writeln!(merges, "a{level}: &a{level} {{<<: [*a{below}, *a{below}], k{level}: 1}}").unwrap();
    }
    refused_as_yaml(&merges, &["YML006"]);

    // Doubling for so long that a count in 64 bits would overflow.
    let mut doubling = String::from("- &a0 [x]\n");
    for level in 1..=100 {
        let below = level - 1;
        writeln!(doubling, "- &a{level} [*a{below}, *a{below}]").unwrap();
    }
    refused_as_yaml(&doubling, &["YML006"]);
}

#[test]
fn cycles() {
    refused_as_yaml("&a [*a]", &["YML004"]);
    refused_as_yaml("&a {k: {l: [1, *a]}}", &["YML004"]);
    refused_as_yaml("a: &a\n  <<: *a\n", &["YML004"]);
    refused_as_yaml("&a [&b [*a, *b]]", &["YML004", "YML004"]);
}

#[test]
fn ten_thousand_levels() {
    let n = 10_000;
    refused_as_yaml(&"[".repeat(n), &["YML005"]);
    refused_as_yaml(&"{a: ".repeat(n), &["YML005"]);
    refused_as_yaml(&"- ".repeat(n), &["YML005"]);
    refused_as_yaml(&"? ".repeat(n), &["YML005"]);
    refused_as_yaml(&format!("{}1{}", "[".repeat(n), "]".repeat(n)), &["YML005"]);
    let mut block = String::new();
    for level in 0..n / 10 {
        writeln!(block, "{:level$}a:", "").unwrap();
    }
    refused_as_yaml(&block, &["YML005"]);
    refused_as_json(&"[".repeat(n), &["JSN005"]);
    refused_as_json(&"{\"a\":".repeat(n), &["JSN005"]);
    refused_as_json(&format!("{}1{}", "[".repeat(n), "]".repeat(n)), &["JSN005"]);

    // Each line is flat, but each alias stands one level deeper than the one before.
    let mut stairs = String::from("- &a0 [x]\n");
    for level in 1..n {
        writeln!(stairs, "- &a{level} [*a{}]", level - 1).unwrap();
    }
    refused_as_yaml(&stairs, &["YML005"]);
}

#[test]
fn limits_are_exact_and_options() {
    let deep = |n: usize| format!("{}1{}", "[".repeat(n), "]".repeat(n));
    let limits = Limits { depth: 5, nodes: 7, ..Limits::default() };
    let yaml_options = YamlOptions { limits: limits.clone(), ..YamlOptions::default() };
    let json_options = JsonOptions { limits, ..JsonOptions::default() };
    for (text, expected) in [
        (deep(5), None),
        (deep(6), Some("005")),
        ("[1,2,3,4,5,6]".to_owned(), None),
        ("[1,2,3,4,5,6,7]".to_owned(), Some("006")),
    ] {
        let file = common::file(&text);
        for parsed in [yaml::parse(&file, &yaml_options), json::parse(&file, &json_options)] {
            assert_eq!(codes(&parsed).first().map(|code| &code[3..]), expected, "{text}");
        }
    }
    // An alias counts as what it stands for, in depth and in number.
    for (text, expected) in [
        ("[&a [1, 2], *a]", vec![]),
        ("[&a [1, 2], *a, 3]", vec!["YML006"]),
        ("[&a [[[1]]], [*a]]", vec!["YML006"]),
        ("[&a [[[1]]]]", vec![]),
    ] {
        assert_eq!(codes(&yaml::parse(&common::file(text), &yaml_options)), expected, "{text}");
    }
    let stairs = "[&a [[[1]]], [[*a]]]";
    let limits = Limits { depth: 5, nodes: 100, ..Limits::default() };
    let options = YamlOptions { limits, ..YamlOptions::default() };
    assert_eq!(codes(&yaml::parse(&common::file(stairs), &options)), ["YML005"]);
}

#[test]
fn a_nul_does_not_hide_the_rest() {
    refused_as_yaml("a: 1\n\0b: 2", &["YML001"]);
    refused_as_json("{}\0{}", &["JSN001"]);
}

#[test]
fn the_search_for_an_open_quote_ends() {
    // A form feed is white space to Rust and not to YAML; the search once stood still in front of it.
    refused_as_yaml("%Y a\u{c}b:\n- [a, 'b\n...\n', c\n", &["YML001", "YML001"]);
    refused_as_yaml("a: b\u{c} 'c\nd: 'e\n", &["YML001"]);
}

#[test]
fn many_problems_are_not_all_kept() {
    let repeated = format!("{{{}}}", "a,".repeat(100_000));
    let parsed = yaml::parse(&common::file(&repeated), &YamlOptions::default());
    assert!(parsed.findings.len() <= 201, "{}", parsed.findings.len());
    let broken = "--- [\n".repeat(10_000);
    let parsed = yaml::parse(&common::file(&broken), &YamlOptions::default());
    assert!(parsed.findings.len() <= 201, "{}", parsed.findings.len());
    let comments = format!("[{}]", "/**/".repeat(100_000));
    let parsed = json::parse(&common::file(&comments), &JsonOptions::default());
    assert!(parsed.findings.len() <= 201, "{}", parsed.findings.len());
}

#[test]
fn long_things_take_no_more_than_linear_time() {
    let n = 100_000;
    let (mut keys, mut nulls) = (String::new(), String::from("{"));
    for i in 0..n {
        writeln!(keys, "key{i}: {i}").unwrap();
        write!(nulls, "k{i},").unwrap();
    }
    nulls.push('}');
    let comments = "# comment\n".repeat(n);
    let quotes = format!("\"{}\"", "\\\"".repeat(n));
    for text in [keys, format!("a:\n{comments}b"), quotes, nulls, "a: |\n\n".repeat(n), "- \n".repeat(n)] {
        let file = common::file(&text);
        effort::within(QUICKLY, || drop(yaml::parse(&file, &YamlOptions::default())));
    }
}
