//! The face of trees, as languages use it.

use std::fmt::Write;

use locus_source::tree::{Node, Tree, Value};
use locus_source::yaml::{self, YamlOptions};

use crate::common;

fn tree(text: &str) -> Tree {
    yaml::parse(&common::file(text), &YamlOptions::default()).documents.swap_remove(0)
}

fn text(node: Option<Node<'_>>) -> Option<&str> {
    node.map(Node::raw)
}

#[test]
fn keys_are_found_in_short_and_long_mappings() {
    let mut long = String::new();
    for i in 0..1000 {
        writeln!(long, "key{i}: {i}").unwrap();
    }
    let tree = tree(&long);
    let root = tree.root();
    for i in [0, 1, 16, 500, 999] {
        assert_eq!(root.get(&format!("key{i}")).and_then(Node::as_i64), Some(i));
    }
    assert!(root.get("key1000").is_none());
    assert!(root.get("").is_none());
    assert_eq!(root.len(), 1000);
    assert!(root.get("key1").unwrap().get("key1").is_none());
}

#[test]
fn of_repeated_keys_the_last_counts() {
    let short = tree("{a: 1, b: 2, a: 3}");
    assert_eq!(text(short.root().get("a")), Some("3"));
    let mut long = String::from("a: first\n");
    for i in 0..50 {
        writeln!(long, "k{i}: x").unwrap();
    }
    long.push_str("a: last\n");
    assert_eq!(text(tree(&long).root().get("a")), Some("last"));
}

#[test]
fn keys_are_compared_as_text() {
    let tree = tree("{8080: a, \"80\": b, true: c, ~: d, '': e, [x]: f}");
    let root = tree.root();
    assert_eq!(text(root.get("8080")), Some("a"));
    assert_eq!(text(root.get("80")), Some("b"));
    assert_eq!(text(root.get("true")), Some("c"));
    assert_eq!(text(root.get("~")), Some("d"));
    assert_eq!(text(root.get("")), Some("e"));
    assert!(root.get("[x]").is_none());
}

#[test]
fn a_merge_key_is_no_key() {
    let with = tree("{base: &b {x: 1}, m: {<<: *b, y: 2}}");
    let m = with.root().get("m").unwrap();
    assert!(m.get("<<").is_none());
    assert_eq!(text(m.get("x")), Some("1"));
    assert_eq!(m.len(), 2);
    assert_eq!(m.written_entries().count(), 2);
    let entry = m.get_entry("x").unwrap();
    assert!(entry.value.is_same(with.root().get("base").unwrap().get("x").unwrap()));

    let options = YamlOptions { merge_keys: false, ..YamlOptions::default() };
    let parsed = yaml::parse(&common::file("{base: &b {x: 1}, m: {<<: *b, y: 2}}"), &options);
    let m = parsed.documents[0].root().get("m").unwrap();
    assert!(m.get("<<").is_some());
    assert!(m.get("x").is_none());
}

#[test]
fn an_alias_is_the_node_that_it_means() {
    let file = common::file("a: &n {x: 1}\nb: *n\n");
    let parsed = yaml::parse(&file, &YamlOptions::default());
    let root = parsed.documents[0].root();
    let (a, b) = (root.get("a").unwrap(), root.get("b").unwrap());
    assert!(a.is_same(b));
    assert_eq!(a.span(), b.span());
    assert_eq!(a.alias(), None);
    assert_eq!(b.alias().map(|span| file.slice(span)), Some("*n"));
    assert_eq!(file.slice(b.use_place().span), "*n");
    assert_eq!(b.anchor().map(|(name, _)| name), Some("n"));
    assert_eq!(text(b.get("x")), Some("1"));
}

#[test]
fn values_are_asked_for_by_type() {
    let tree = tree("[text, 12, 1.5, true, ~, [1], {a: b}, 123456789012345678901234567890, !Ref 12, '12']");
    let items: Vec<_> = tree.root().items().collect();
    let names: Vec<_> = items.iter().map(|item| item.kind_name()).collect();
    let expected = [
        "a string",
        "an integer",
        "a number",
        "a boolean",
        "null",
        "a sequence",
        "a mapping",
        "an integer",
        "a string",
        "a string",
    ];
    assert_eq!(names, expected);
    assert_eq!(items[0].as_str(), Some("text"));
    assert_eq!(items[1].as_str(), None);
    assert_eq!((items[1].as_i64(), items[1].as_f64()), (Some(12), Some(12.0)));
    assert_eq!((items[2].as_i64(), items[2].as_f64()), (None, Some(1.5)));
    assert_eq!(items[3].as_bool(), Some(true));
    assert!(items[4].is_null() && items[4].is_scalar());
    assert!(items[5].is_sequence() && !items[5].is_empty());
    assert!(items[6].is_mapping() && items[6].items().next().is_none());
    assert_eq!(items[7].value(), Value::BigInt("123456789012345678901234567890"));
    assert_eq!(
        (items[7].as_i64(), items[7].as_f64()),
        (None, Some(123_456_789_012_345_678_901_234_567_890.0))
    );
    assert_eq!((items[8].as_str(), items[8].tag().map(|(name, _)| name)), (Some("12"), Some("!Ref")));
    assert_eq!(items[9].as_i64(), None);
}

#[test]
fn a_key_that_only_looks_like_a_merge_key_is_found() {
    let tree = tree("<<: {a: 1}\n!Tag <<: tagged\n");
    assert_eq!(text(tree.root().get("<<")), Some("tagged"));
    assert_eq!(text(tree.root().get("a")), Some("1"));
}
