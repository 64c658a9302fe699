//! Things are told apart by their keys, and not by their names.

#[path = "common/shop.rs"]
mod shop;

use serde_json::json;
use shop::Shop;

/// A node with the name that a copy of another one has.
const TWO: &str = "tosca_definitions_version: tosca_2_0
node_types:
  Any: { properties: { size: { type: integer } } }
service_template:
  node_templates:
    \"a[0]\": { type: Any, properties: { size: 1 } }
    a: { type: Any, count: 2, properties: { size: 2 } }
";

fn service(text: &str) -> Shop {
    let shop = Shop::with(&[]);
    std::fs::write(shop.0.path().join("two.tosca.yaml"), text).expect("it can be written");
    shop
}

const UP: [&str; 7] = ["up", "two.tosca.yaml", "--yes", "--simulate", "0", "--format", "json"];

#[test]
fn two_things_of_one_name_are_built_changed_and_taken_down() {
    let shop = service(TWO);
    let (code, answer) = shop.json(&UP);
    assert_eq!(code, 0, "{answer}");
    let named = |answer: &serde_json::Value| -> Vec<(String, serde_json::Value)> {
        let nodes = answer["nodes"].as_array().expect("a list");
        nodes.iter().map(|node| (node["name"].to_string(), node["key"].clone())).collect()
    };
    let all = [
        ("\"a[0]\"".to_owned(), json!("a[0]")),
        ("\"a[0]~k2\"".to_owned(), json!(["a", 0])),
        ("\"a[1]\"".to_owned(), json!(["a", 1])),
    ];
    assert_eq!(named(&answer), all);

    let (code, answer) = shop.json(&UP);
    assert_eq!((code, &answer["outcome"]), (0, &json!("nothing to do")), "{answer}");

    // Only the copies change.
    shop.edit("two.tosca.yaml", "size: 2", "size: 3");
    let (code, said) = shop.locus(&["up", "two.tosca.yaml", "--yes", "--simulate", "0"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("0 added, 2 changed, 0 replaced, 0 removed, 1 kept"), "{said}");

    // The one that has the name to itself goes, and the copies stay as they are.
    shop.edit("two.tosca.yaml", "    \"a[0]\": { type: Any, properties: { size: 1 } }\n", "");
    let (code, said) = shop.locus(&["up", "two.tosca.yaml", "--yes", "--simulate", "0"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("0 added, 0 changed, 0 replaced, 1 removed, 2 kept"), "{said}");
    let (_, status) = shop.json(&["status", "two", "--format", "json"]);
    assert_eq!(named(&status["deployments"][0]), all[1..]);

    let (code, answer) = shop.json(&["down", "two", "--yes", "--format", "json"]);
    assert_eq!((code, &answer["status"]), (0, &json!("DELETE_COMPLETE")), "{answer}");
}

#[test]
fn a_key_names_one_of_two_things_of_one_name() {
    let shop = service(TWO);
    let up = ["up", "two.tosca.yaml", "--yes", "--simulate", "0", "--import"];
    let (code, said) = shop.locus(&[&up[..], &["a[0]=i-1"]].concat());
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("name one by its key, which is [\"a[0]\"] or [\"a\",0]"), "{said}");
    // The simulated cloud has no such thing: the node was found.
    let (code, said) = shop.locus(&[&up[..], &["[\"a\",0]=i-1"]].concat());
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("there is no i-1 in the simulated cloud"), "{said}");
}
