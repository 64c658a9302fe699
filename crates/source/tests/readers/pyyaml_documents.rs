//! Whole documents mean what they mean to PyYAML: styles, anchors, merge keys, several documents.

use locus_source::tree::{Node, Value};
use locus_source::yaml::{self, YamlOptions};
use serde_json::Value as Json;

use crate::common;

fn same(node: Node<'_>, json: &Json) -> bool {
    match (node.value(), json) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == *b,
        (Value::Float(a), Json::String(b)) if b == "inf" => a == f64::INFINITY,
        (Value::Str(a), Json::String(b)) => a == b,
        (Value::Int(a), Json::Number(b)) => b.as_i64() == Some(a),
        (Value::Float(a), Json::Number(b)) => b.is_f64() && b.as_f64() == Some(a),
        (Value::Sequence, Json::Array(items)) => {
            node.len() == items.len() && node.items().zip(items).all(|(a, b)| same(a, b))
        }
        (Value::Mapping, Json::Object(entries)) => {
            let mut keys: Vec<_> = node.entries().map(|entry| entry.key.raw()).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.len() == entries.len()
                && entries.iter().all(|(key, value)| node.get(key).is_some_and(|node| same(node, value)))
        }
        _ => false,
    }
}

#[test]
fn documents_mean_what_they_mean_to_pyyaml() {
    let mut count = 0;
    for line in include_str!("pyyaml-documents.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let text = case["yaml"].as_str().unwrap();
        let expected = case["documents"].as_array().unwrap();
        let file = common::file(text);
        let parsed = yaml::parse(&file, &YamlOptions::pyyaml());
        // PyYAML says nothing of repeated keys; one case has them on purpose, for the last must win.
        let errors = parsed.findings.iter().filter(|finding| finding.code.as_str() != "YML002").count();
        let roots: Vec<_> = parsed.documents.iter().map(|tree| tree.root()).collect();
        let fits = errors == 0
            && roots.len() == expected.len()
            && roots.iter().zip(expected).all(|(root, json)| same(*root, json));
        assert!(fits, "{text}\n{expected:?}\n{}", common::show(&file, &parsed));
        count += 1;
    }
    assert!(count > 200);
}

/// Whether we refuse a text, and whether we make the same of it as PyYAML.
fn compare(text: &str, expected: &Json) -> (bool, bool) {
    let file = common::file(text);
    let parsed = yaml::parse(&file, &YamlOptions::pyyaml());
    // Keys that stand twice are an error of ours alone.
    let refused = parsed.findings.iter().any(|finding| {
        finding.severity == locus_source::Severity::Error && finding.code.as_str() != "YML002"
    });
    let roots: Vec<_> = parsed.documents.iter().map(|tree| tree.root()).collect();
    let is_same = expected.as_array().is_some_and(|expected| {
        roots.len() == expected.len() && roots.iter().zip(expected).all(|(root, json)| same(*root, json))
    });
    (refused, is_same)
}

/// Documents that PyYAML takes and Locus does not, or not in the same way: block scalars at the indentation of their
/// key or at the end of a text without a line break.
const KNOWN: [&str; 3] = ["|\n  m: b: x#!!str <<:  !t ", "k:\n>-\n   - ' 'y z!!str ", "---\n&p #\nb: \n>-\n"];

/// All that PyYAML takes we take, and it means the same. Of what PyYAML refuses, we refuse everything that was
/// written by hand; of texts made by chance we take a few: a block scalar or an empty key at the start of a line,
/// `...` at the start.
#[test]
fn corners_are_read_or_refused_as_by_pyyaml() {
    let (mut different, mut lenient) = (Vec::new(), Vec::new());
    let mut count = 0;
    for line in include_str!("pyyaml-corners.jsonl").lines() {
        let case: Json = serde_json::from_str(line).unwrap();
        let (text, expected) = (case["yaml"].as_str().unwrap(), &case["documents"]);
        count += 1;
        match (expected.is_null(), compare(text, expected)) {
            (true, (true, _)) | (false, (false, true)) => {}
            (true, (false, _)) if case["written"] == false => lenient.push(text.to_owned()),
            _ if KNOWN.contains(&text) => {}
            _ => different.push(format!("{text:?} => {expected}")),
        }
    }
    assert!(count > 1_000);
    assert!(different.is_empty(), "{} of {count}:\n{}", different.len(), different.join("\n"));
    assert!(lenient.len() * 20 < count, "{} of {count}:\n{lenient:#?}", lenient.len());
}
