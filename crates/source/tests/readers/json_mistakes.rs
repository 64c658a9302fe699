//! Messages of the JSON reader about common mistakes.

use std::fmt::Write;

use locus_source::json::{self, JsonOptions};

use crate::common;

#[test]
fn mistakes_in_json_are_explained() {
    let texts = [
        "",
        "  \n",
        "{\"a\": 1",
        "[1, 2",
        "[1 2]",
        "{\"a\" 1}",
        "{\"a\": }",
        "{a: 1}",
        "{'a': 1}",
        "['a']",
        "[,]",
        "[1,,2]",
        "{\"a\": 1 \"b\": 2}",
        "[1}",
        "{} {}",
        "\"unclosed",
        "[\"two\nlines\"]",
        "[\"tab\there\"]",
        "\"\\q\"",
        "\"\\u12\"",
        "\"\\ud800\"",
        "[01]",
        "[+1]",
        "[.5]",
        "[1.]",
        "[0x1F]",
        "[NaN, 1]",
        "[-Infinity]",
        "[1e999]",
        "[True]",
        "[undefined]",
        "[yes]",
        "# comment\n1",
        "/* open",
        "é",
        "]",
        "{\"a\": 1, \"\\u0061\": 2}",
    ];
    let mut shown = String::new();
    for text in texts {
        let file = common::file(text);
        let parsed = json::parse(&file, &JsonOptions::default());
        assert!(parsed.has_errors(), "{text}");
        writeln!(shown, "{text:?}").unwrap();
        for finding in &parsed.findings {
            common::show_finding(&file, finding, &mut shown);
        }
    }
    insta::assert_snapshot!(shown);
}
