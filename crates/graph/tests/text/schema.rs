//! The published JSON Schema agrees with the reader.

use std::path::Path;

use locus_source::yaml::{self, YamlOptions};
use locus_source::{Node, Sources};
use serde_json::{Value, json};

use crate::{files, workspace};

fn schema() -> jsonschema::Validator {
    let path = workspace().join("docs/schema/location-graph.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::validator_for(&schema).unwrap()
}

/// YAML as JSON, as editors hand it to a schema.
fn to_json(node: Node<'_>) -> Value {
    match node.value() {
        locus_source::Value::Null => Value::Null,
        locus_source::Value::Bool(b) => json!(b),
        locus_source::Value::Int(i) => json!(i),
        locus_source::Value::Float(x) => json!(x),
        locus_source::Value::Sequence => node.items().map(to_json).collect(),
        locus_source::Value::Mapping => {
            node.entries().map(|entry| (entry.key.raw().to_owned(), to_json(entry.value))).collect()
        }
        _ => json!(node.raw()),
    }
}

fn parse(name: &str, text: &str) -> Value {
    let parsed = yaml::parse(&Sources::new().add(name, text), &YamlOptions::default());
    to_json(parsed.documents[0].root())
}

#[test]
fn examples_are_valid() {
    let schema = schema();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text/corpus");
    let fine = files(&corpus, ".lg.yaml").into_iter().filter(|(name, _)| name.starts_with("ok-"));
    for (name, text) in files(&workspace().join("examples"), ".lg.yaml").into_iter().chain(fine) {
        let value = parse(&name, &text);
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{name}");
    }
}

#[test]
fn what_has_the_wrong_form_is_not_valid() {
    let schema = schema();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text/corpus");
    // Repetition, boxes and the static rules are beyond a schema; `form-` marks what is not.
    let wrong: Vec<_> =
        files(&corpus, ".lg.yaml").into_iter().filter(|(name, _)| name.starts_with("form-")).collect();
    assert!(wrong.len() > 5);
    for (name, text) in wrong {
        assert!(!schema.is_valid(&parse(&name, &text)), "{name}");
    }
}

#[test]
fn what_is_written_is_valid() {
    let schema = schema();
    for (name, text) in files(&workspace().join("examples"), ".lg.yaml") {
        let (graph, _) = crate::findings(&name, &text);
        let json = locus_graph::text::write_json_with_bindings(&graph);
        assert!(schema.is_valid(&serde_json::from_str(&json).unwrap()), "{name}");
    }
}
