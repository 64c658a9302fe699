//! Any text can be read: no panic, and what comes of it holds together.

use locus_source::json::{self, JsonOptions};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Limits, Sources};
use proptest::prelude::*;

use crate::invariants::check;

fn limits() -> Limits {
    Limits { depth: 12, nodes: 500, ..Limits::default() }
}

fn read_both(text: &str) {
    let file = Sources::new().add("random", text);
    let limits = limits();
    for adjacent_values in [false, true] {
        let options = YamlOptions { limits: limits.clone(), adjacent_values, ..YamlOptions::pyyaml() };
        check(&file, &yaml::parse(&file, &options), &limits);
    }
    check(
        &file,
        &json::parse(&file, &JsonOptions { limits: limits.clone(), ..JsonOptions::default() }),
        &limits,
    );
}

/// Pieces of which YAML is made, so that random texts get deep into the reader.
fn yamlish() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b: ",
        "c:",
        "- ",
        "-",
        "\n",
        "\n  ",
        "\n    ",
        " ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        ",",
        ": ",
        "? ",
        "|",
        ">-",
        "|+\n",
        "\"",
        "'",
        "\\n",
        "&a ",
        "&b ",
        "*a",
        "*b",
        "<<: *a",
        "<<: ",
        "!Ref ",
        "!!int ",
        "!",
        "# x",
        " # y\n",
        "---\n",
        "...\n",
        "%YAML 1.2\n",
        "\t",
        "é",
        "1",
        "~",
        "yes",
        "\r\n",
        "0x1",
        "!<x>",
        "%TAG ! t:\n",
        "\u{feff}",
        "\u{85}",
        "\u{c}",
        "text ",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn jsonish() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{", "}", "[", "]", ",", ":", "\"a\"", "\"b\":", "\"", "\\u00e9", "\\", "1", "-", ".5", "e9", "true",
        "null", " ", "\n", "// x\n", "/*", "*/", "#", "é", "0", "\\ud800",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn texts_like_yaml_are_read(text in yamlish()) {
        read_both(&text);
    }

    #[test]
    fn texts_like_json_are_read(text in jsonish()) {
        read_both(&text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        read_both(&text);
        let _ = Sources::new().add_bytes("bytes", bytes, &limits());
    }
}

/// Texts that the fuzzer has found.
#[test]
fn texts_that_once_broke_an_invariant() {
    for text in ["<<:\n!Sef  <<:\n!Sef :", "::: 1 1 ?\n? >-\n::: 1 1 ?\n? >-\n=:  "] {
        read_both(text);
    }
}
