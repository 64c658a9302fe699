//! `locus plan --name` and `--out`, and `locus up FILE.plan`: a file against what is deployed, and exactly what was
//! shown.

#[path = "common/shop.rs"]
mod shop;

use serde_json::{Value, json};
use shop::Shop;

const SHOP: &str = "services:
  web: { image: \"nginx:1\", environment: { KEY: \"${KEY}\", DEBUG: \"0\" } }
  db: { image: \"postgres:16\" }
";

fn folder() -> Shop {
    let shop = Shop::with(&[]);
    for (name, text) in [("shop.compose.yaml", SHOP), (".env", "KEY=s3cret-key\n")] {
        std::fs::write(shop.0.path().join(name), text).expect("it can be written");
    }
    shop
}

const UP: [&str; 7] = ["up", "shop.compose.yaml", "--name", "shop", "--yes", "--simulate", "0"];
const OUT: [&str; 6] = ["plan", "shop.compose.yaml", "--name", "shop", "--out", "next.plan"];

fn plan_file(shop: &Shop) -> Value {
    let text = std::fs::read_to_string(shop.0.path().join("next.plan")).expect("it was written");
    assert!(!text.contains("s3cret-key"), "{text}");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn a_file_is_planned_against_what_is_deployed() {
    let shop = folder();
    assert_eq!(shop.locus(&UP).0, 0);
    shop.edit("shop.compose.yaml", "DEBUG: \"0\"", "DEBUG: \"1\"");
    shop.edit("shop.compose.yaml", "  db: { image: \"postgres:16\" }\n", "  cache: { image: \"redis:7\" }\n");
    let (code, plan) = shop.json(&["plan", "shop.compose.yaml", "--name", "shop", "--format", "json"]);
    assert_eq!(code, 0, "{plan}");
    let mut changes: Vec<(&str, &str)> = Vec::new();
    for one in plan["changes"].as_array().expect("a list") {
        changes.push((one["name"].as_str().expect("a name"), one["change"].as_str().expect("a word")));
    }
    changes.retain(|(_, change)| *change != "keep");
    changes.sort_unstable();
    assert_eq!(changes, [("cache", "add"), ("db", "remove"), ("web", "replace")], "{plan}");
    // Nothing was done, and what was planned is what is done.
    let (code, said) = shop.locus(&UP);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("1 added, 0 changed, 1 replaced, 1 removed"), "{said}");
    // Against what is not there, all is new.
    let (code, plan) =
        shop.json(&["plan", "shop.compose.yaml", "--name", "other", "--simulate", "0", "--format", "json"]);
    assert_eq!((code, plan["changes"].as_array().expect("a list").len()), (0, 3), "{plan}");
}

#[test]
fn a_plan_is_done_exactly_so() {
    let shop = folder();
    // Also before there is anything.
    let (code, said) = shop.locus(&[&OUT[..], &["--simulate", "0"]].concat());
    assert_eq!(code, 0, "{said}");
    assert!(plan_file(&shop)["steps"].as_array().is_some_and(|steps| !steps.is_empty()));
    let (code, said) = shop.locus(&["up", "next.plan"]);
    assert_eq!(code, 0, "{said}");
    // Once: what is there is not what it was made for.
    let output = shop.command(&["up", "next.plan"]).output().expect("it can be run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("the plan does not fit any more: shop has changed since"), "{errors}");

    shop.edit("shop.compose.yaml", "DEBUG: \"0\"", "DEBUG: \"1\"");
    assert_eq!(shop.locus(&OUT).0, 0);
    let (code, answer) = shop.json(&["up", "next.plan", "--format", "json"]);
    assert_eq!((code, &answer["status"]), (0, &json!("UPDATE_COMPLETE")), "{answer}");
}

#[test]
fn a_plan_whose_file_or_world_has_moved_is_refused() {
    let shop = folder();
    assert_eq!(shop.locus(&UP).0, 0);
    shop.edit("shop.compose.yaml", "DEBUG: \"0\"", "DEBUG: \"1\"");
    let refused = |why: &str| {
        let output = shop.command(&["up", "next.plan"]).output().expect("it can be run");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(why), "{errors}");
        let (_, status) = shop.json(&["status", "shop", "--format", "json"]);
        status["deployments"][0]["status"].clone()
    };
    assert_eq!(shop.locus(&OUT).0, 0);
    // The file, and what it reads.
    shop.edit("shop.compose.yaml", "DEBUG: \"1\"", "DEBUG: \"2\"");
    assert_eq!(refused("what shop.compose.yaml describes has changed since"), "CREATE_COMPLETE");
    shop.edit("shop.compose.yaml", "DEBUG: \"2\"", "DEBUG: \"1\"");
    shop.edit(".env", "s3cret-key", "another");
    assert_eq!(refused("what shop.compose.yaml describes has changed since"), "CREATE_COMPLETE");
    shop.edit(".env", "another", "s3cret-key");
    // The world.
    let (code, said) = shop.locus(&UP);
    assert_eq!(code, 0, "{said}");
    assert_eq!(refused("shop has changed since"), "UPDATE_COMPLETE");
    // Not a plan, and one of another deployment.
    std::fs::write(shop.0.path().join("next.plan"), "{}").expect("it can be written");
    assert_eq!(refused("next.plan"), "UPDATE_COMPLETE");
    // What is asked for beside a plan is not in it.
    let (code, said) = shop.locus(&["up", "next.plan", "shop.compose.yaml"]);
    assert_eq!(code, 2, "{said}");
}

#[test]
fn values_of_parameters_are_given_again() {
    let shop = Shop::with(&[]);
    let template = "heat_template_version: 2018-08-31
parameters:
  password: { type: string, hidden: true }
resources:
  key: { type: OS::Barbican::Secret, properties: { name: a, payload: { get_param: password } } }
";
    std::fs::write(shop.0.path().join("keys.hot.yaml"), template).expect("it can be written");
    let out = ["plan", "keys.hot.yaml", "--out", "next.plan", "--simulate", "0", "-P", "password=s3cret-key"];
    let (code, said) = shop.locus(&out);
    assert_eq!(code, 0, "{said}");
    assert_eq!(plan_file(&shop)["reading"]["parameters"], json!(["password"]));
    let output = shop.command(&["up", "next.plan", "-P", "password=other"]).output().expect("it can be run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("or other values are given for password"), "{errors}");
    let (code, said) = shop.locus(&["up", "next.plan", "-P", "password=s3cret-key"]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_way_that_breaks_a_rule_is_not_written() {
    let shop = Shop::with(&[]);
    let subnet = |cidr: &str| {
        let text = format!(
            "heat_template_version: 2018-08-31
resources:
  net: {{ type: OS::Neutron::Net }}
  subnet: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: {cidr} }} }}
"
        );
        std::fs::write(shop.0.path().join("net.hot.yaml"), text).expect("it can be written");
    };
    subnet("10.0.0.0/24");
    assert_eq!(shop.locus(&["up", "net.hot.yaml", "--yes", "--simulate", "0"]).0, 0);
    subnet("10.0.0.0/25");
    let (code, said) = shop.locus(&["plan", "net.hot.yaml", "--name", "net", "--out", "next.plan"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("HOT100") && said.contains("net (deployed)/net.hot.yaml:4:"), "{said}");
    assert!(!shop.0.path().join("next.plan").exists());
}

#[test]
fn two_versions_of_a_project_of_several_files_are_compared() {
    let shop = folder();
    let write = |name: &str, text: &str| {
        std::fs::write(shop.0.path().join(name), text).expect("it can be written");
    };
    write("old.yaml", "services: { web: { environment: { DEBUG: \"1\" } } }\n");
    write(
        "new.yaml",
        "services: { web: { environment: { DEBUG: \"2\" } }, cache: { image: \"redis:7\" } }\n",
    );
    let both = ["plan", "-f", "shop.compose.yaml", "-f", "new.yaml", "--allow-env", "--format", "json"];
    let (code, plan) =
        shop.json(&[&both[..], &["--old-file", "shop.compose.yaml", "--old-file", "old.yaml"]].concat());
    assert_eq!(code, 0, "{plan}");
    let changes = plan["changes"].as_array().expect("a list").iter();
    let mut changes: Vec<(&str, &str)> =
        changes.map(|one| (one["name"].as_str().expect(""), one["change"].as_str().expect(""))).collect();
    changes.retain(|(_, change)| *change != "keep");
    changes.sort_unstable();
    assert_eq!(changes, [("cache", "add"), ("web", "replace")], "{plan}");
}
