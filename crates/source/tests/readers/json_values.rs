//! Values of JSON: what serde_json writes, both readers read as the same values; what serde_json refuses, the
//! JSON reader refuses.

use locus_source::json::{self, JsonOptions};
use locus_source::tree::{Node, Value};
use locus_source::yaml::{self, YamlOptions};
use proptest::prelude::*;
use serde_json::Value as Json;

use crate::common;

fn same(node: Node<'_>, json: &Json) -> bool {
    match (node.value(), json) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == *b,
        (Value::Str(a), Json::String(b)) => a == b,
        (Value::Int(a), Json::Number(b)) => b.as_i64() == Some(a),
        (Value::BigInt(a), Json::Number(b)) => b.as_i64().is_none() && a == b.to_string(),
        (Value::Float(a), Json::Number(b)) => b.is_f64() && b.as_f64() == Some(a),
        (Value::Sequence, Json::Array(items)) => {
            node.items().count() == items.len() && node.items().zip(items).all(|(a, b)| same(a, b))
        }
        (Value::Mapping, Json::Object(entries)) => {
            node.len() == entries.len()
                && entries.iter().all(|(key, value)| node.get(key).is_some_and(|node| same(node, value)))
        }
        _ => false,
    }
}

fn any_json() -> impl Strategy<Value = Json> {
    let text = prop_oneof![any::<String>(), "[a-z~:#<|>&*!%@`'\"\\\\ -]{0,12}", "(yes|null|1|0x1|1e3|<<|~|)"];
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        prop::num::f64::NORMAL.prop_map(Json::from),
        text.clone().prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..20).prop_map(Json::from),
            prop::collection::btree_map(text.clone(), inner, 0..24)
                .prop_map(|entries| entries.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn both_readers_read_what_serde_json_writes(value in any_json(), pretty: bool) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let file = common::file(&text.unwrap());
        let json = json::parse(&file, &JsonOptions::default());
        prop_assert_eq!(&json.findings, &[]);
        prop_assert!(same(json.documents[0].root(), &value));
        let yaml = yaml::parse(&file, &YamlOptions { merge_keys: false, ..YamlOptions::default() });
        prop_assert_eq!(&yaml.findings, &[]);
        prop_assert!(same(yaml.documents[0].root(), &value));
    }

    #[test]
    fn the_json_reader_accepts_what_serde_json_accepts(
        text in prop_oneof![
            "[\\[\\]{}:,\"0-9a-e.+-]{0,12}",
            "-?[0-9]{1,3}([.][0-9]{0,2})?([eE][+-]?[0-9]{0,3})?",
            "\"(\\\\[bfnrtux\"/]|\\\\u[0-9a-fd]{4}|[a-z\u{1}é]){0,6}\"",
            "(\\{|\\[|\"a\":|1|,|\\]|\\}| |true|null){0,12}",
        ]
    ) {
        let file = common::file(&text);
        let parsed = json::parse(&file, &JsonOptions::default());
        let refused = parsed.findings.iter().any(|finding| finding.code.as_str() != "JSN002");
        let reference = serde_json::from_str::<Json>(&text);
        prop_assert_eq!(refused, reference.is_err(), "{:?} {:?}", text, parsed.findings);
        if !refused {
            prop_assert_eq!(parsed.documents.len(), 1);
        }
    }
}
