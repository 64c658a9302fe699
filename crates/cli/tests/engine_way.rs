//! `locus up` judges the way from what is deployed to what is wanted, by the file that it was deployed from.

#[path = "common/shop.rs"]
mod shop;

use serde_json::json;
use shop::Shop;

fn subnet(cidr: &str) -> String {
    format!(
        "heat_template_version: 2018-08-31
resources:
  net: {{ type: OS::Neutron::Net }}
  subnet: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: {cidr} }} }}
"
    )
}

/// A Compose file with a file of variables, one that it extends, and a secret that is looked up when it is needed.
const SHOP: &str = "services:
  a:
    extends: { file: common.yaml, service: base }
    ports: [\"${FIRST}:80\"]
  b:
    extends: { file: common.yaml, service: base }
    ports: [\"${SECOND}:80\"]
    secrets: [token]
secrets:
  token: { environment: TOKEN }
";

const COMMON: &str = "services:\n  base: { image: \"nginx:1\" }\n";

fn folder(files: &[(&str, &str)]) -> Shop {
    let shop = Shop::with(&[]);
    for (name, text) in files {
        std::fs::write(shop.0.path().join(name), text).expect("it can be written");
    }
    shop
}

fn up<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["up", file, "--yes", "--simulate", "0"], more].concat()
}

/// All that is in the store.
fn store(shop: &Shop) -> Vec<u8> {
    let folder = shop.0.path().join(".locus");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_default();
    [read("store.db"), read("store.db-wal")].concat()
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_rule_that_is_broken_on_the_way_is_found_before_the_first_step() {
    let shop = folder(&[("net.hot.yaml", &subnet("10.0.0.0/24"))]);
    let (code, said) = shop.locus(&up("net.hot.yaml", &[]));
    assert_eq!(code, 0, "{said}");

    std::fs::write(shop.0.path().join("net.hot.yaml"), subnet("10.0.0.0/25")).expect("it can be written");
    let (code, said) = shop.locus(&up("net.hot.yaml", &[]));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("refused on the way, after step"), "{said}");
    assert!(said.contains("HOT100"), "{said}");
    // Both places are shown.
    assert!(said.contains("net (deployed)/net.hot.yaml:4:") && said.contains(" net.hot.yaml:4:"), "{said}");
    assert!(said.contains("not begun, since a rule is broken on the way"), "{said}");

    let (code, answer) = shop.json(&up("net.hot.yaml", &["--format", "json"]));
    assert_eq!((code, &answer["on_the_way"][0]["code"]), (1, &json!("HOT100")), "{answer}");
    assert_eq!(answer["status"], "CREATE_COMPLETE", "{answer}");

    // One that comes close is done, and the next is judged from there.
    std::fs::write(shop.0.path().join("net.hot.yaml"), subnet("10.0.1.0/24")).expect("it can be written");
    let (code, said) = shop.locus(&up("net.hot.yaml", &[]));
    assert_eq!(code, 0, "{said}");
    std::fs::write(shop.0.path().join("net.hot.yaml"), subnet("10.0.0.0/25")).expect("it can be written");
    let (code, said) = shop.locus(&up("net.hot.yaml", &[]));
    assert_eq!(code, 0, "{said}");
}

#[test]
fn the_file_of_then_counts_with_all_that_it_read() {
    let shop = folder(&[
        ("compose.yaml", SHOP),
        ("common.yaml", COMMON),
        (".env", "FIRST=8080\nSECOND=8081\nTOKEN=f1le-s3cret\n"),
    ]);
    let run = |more: &[&str]| {
        let mut command = shop.command(&[&up("compose.yaml", &["--allow-env"]), more].concat());
        let output = command.env("OF_NOBODY", "n0body-asks").output().expect("it can be run");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    let (code, said) = run(&[]);
    assert_eq!(code, Some(0), "{said}");
    let kept = store(&shop);
    assert!(holds(&kept, "extends: { file: common.yaml"), "the file is kept");
    assert!(!holds(&kept, "f1le-s3cret") && !holds(&kept, "n0body-asks"), "and what is secret is not");

    // Whatever has become of the files: the two exchange their ports.
    std::fs::write(shop.0.path().join(".env"), "FIRST=8081\nSECOND=8080\nTOKEN=x\n")
        .expect("it can be written");
    std::fs::write(shop.0.path().join("base.yaml"), COMMON).expect("it can be written");
    std::fs::remove_file(shop.0.path().join("common.yaml")).expect("it is there");
    shop.edit("compose.yaml", "common.yaml", "base.yaml");
    let (code, said) = run(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("CMP100") && said.contains("(deployed)/compose.yaml:"), "{said}");

    std::fs::write(shop.0.path().join(".env"), "FIRST=8082\nSECOND=8083\nTOKEN=x\n")
        .expect("it can be written");
    let (code, said) = run(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("was not judged"), "{said}");
}

#[test]
fn what_was_not_kept_is_not_judged_and_that_is_said() {
    let shop = folder(&[("net.hot.yaml", &subnet("10.0.0.0/24"))]);
    assert_eq!(shop.locus(&up("net.hot.yaml", &[])).0, 0);
    let database = rusqlite::Connection::open(shop.0.path().join(".locus/store.db")).expect("it is there");
    assert_eq!(database.execute("DELETE FROM document", []).expect("there is one"), 1);
    drop(database);
    std::fs::write(shop.0.path().join("net.hot.yaml"), subnet("10.0.1.0/24")).expect("it can be written");
    let output = shop.command(&up("net.hot.yaml", &[])).output().expect("it can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("was not judged: the file that it was deployed from was not kept"), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("done, and its way was not judged"));
    // From then on it is kept.
    std::fs::write(shop.0.path().join("net.hot.yaml"), subnet("10.0.1.0/25")).expect("it can be written");
    let (code, said) = shop.locus(&up("net.hot.yaml", &[]));
    assert_eq!(code, 1, "{said}");
}

#[test]
fn what_is_not_as_the_file_says_is_not_judged_by_it() {
    let shop = folder(&[("net.hot.yaml", &subnet("10.0.0.0/24"))]);
    assert_eq!(shop.locus(&up("net.hot.yaml", &[])).0, 0);
    let database = rusqlite::Connection::open(shop.0.path().join(".locus/store.db")).expect("it is there");
    let change = "UPDATE document SET content = replace(content, '10.0.0.0/24', '10.9.0.0/24')";
    assert_eq!(database.execute(change, []).expect("there is one"), 1);
    drop(database);
    std::fs::write(shop.0.path().join("net.hot.yaml"), subnet("10.0.0.0/25")).expect("it can be written");
    let output = shop.command(&up("net.hot.yaml", &[])).output().expect("it can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("was not judged: what is there is not what the file"), "{said}");
}

#[test]
fn the_limit_on_time_is_also_one_on_judging() {
    let shop = folder(&[("net.hot.yaml", &subnet("10.0.0.0/24"))]);
    let output = shop.command(&up("net.hot.yaml", &["--timeout", "0s"])).output().expect("it can be run");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("there was no answer within"), "{said}");
    assert_eq!(shop.locus(&["status", "net"]).0, 2, "nothing was begun");
}

#[test]
fn a_service_with_imports_is_read_again() {
    let types = "tosca_definitions_version: tosca_2_0
node_types:
  Host: { properties: { size: { type: integer } }, capabilities: { host: { type: Room } } }
capability_types: { Room: {} }
";
    let service = "tosca_definitions_version: tosca_2_0
imports: [{ url: types/types.yaml }]
service_template:
  node_templates:
    a: { type: Host, properties: { size: 1 } }
";
    let shop = folder(&[("service.tosca.yaml", service)]);
    std::fs::create_dir(shop.0.path().join("types")).expect("it can be made");
    std::fs::write(shop.0.path().join("types/types.yaml"), types).expect("it can be written");
    assert_eq!(shop.locus(&up("service.tosca.yaml", &[])).0, 0);
    std::fs::remove_file(shop.0.path().join("types/types.yaml")).expect("it is there");
    std::fs::write(shop.0.path().join("types.yaml"), types).expect("it can be written");
    shop.edit("service.tosca.yaml", "types/types.yaml", "types.yaml");
    shop.edit("service.tosca.yaml", "size: 1", "size: 2");
    let (code, said) = shop.locus(&up("service.tosca.yaml", &[]));
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("UPDATE_COMPLETE (done)"), "{said}");
}
