//! The result of Docker Compose 2.40.3 for `tests/docker/compose.yaml` on an engine of API 1.45 (`created.json`, as the
//! engine shows it), beside the result here for the same file (`told.json`, what `locus up` plans with).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::Variables;
use super::container::without_secrets;
use super::mounts::{self, Content};
use super::part::Part;
use super::resource::{network_body, volume_body};
use super::spec::{Container, Spec};
use super::translate::{Around, HASH, TOKEN, body};
use crate::Order;

const TOLD: &str = include_str!("../../tests/docker/told.json");
const CREATED: &str = include_str!("../../tests/docker/created.json");

fn created() -> Value {
    serde_json::from_str(CREATED).expect("it is JSON")
}

fn spec(node: &str) -> Spec {
    let told: BTreeMap<String, String> = serde_json::from_str(TOLD).expect("it is JSON");
    let order = Order {
        token: String::new(),
        deployment: String::new(),
        node: node.to_owned(),
        does: locus_engine::Does::Create,
        operation: String::new(),
        desired: json!({ "told": told[node] }).to_string(),
        id: String::new(),
        handle: String::new(),
        known: BTreeMap::new(),
    };
    Spec::of(&order).expect("it can be read")
}

fn container(node: &str) -> Container {
    match spec(node) {
        Spec::Container(container) => container,
        other => panic!("{other:?} is not a container"),
    }
}

fn translated(node: &str) -> (Container, Value) {
    let spec = container(node);
    let created = created();
    let ids =
        BTreeMap::from([("plain".to_owned(), created["rich-plain-1"]["Id"].as_str().unwrap().to_owned())]);
    let service = spec.service(&ids).expect("what it refers to is there");
    let image = created[&spec.name]["Config"]["Labels"]["com.docker.compose.image"].clone();
    let around = Around {
        api: (1, 45),
        image_id: image.as_str().unwrap_or_default(),
        links: Vec::new(),
        inherited: BTreeMap::new(),
        token: "a-token",
        read: &|_| Ok("{\"defaultAction\":\"SCMP_ACT_ALLOW\"}".to_owned()),
    };
    let body = body(&spec, &service, &around).expect("it can be translated");
    (spec, body)
}

/// Whether two values are the same where order, and the difference between nothing and what stands for it, do not
/// count.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    let is_nothing = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(true) => false,
    };
    match (ours, theirs) {
        (Value::Array(a), Value::Array(b)) => {
            let text = |items: &[Value]| items.iter().map(Value::to_string).collect::<BTreeSet<_>>();
            a.len() == b.len()
                && (text(a) == text(b) || a.iter().all(|one| b.iter().any(|other| is_same(one, other))))
        }
        (Value::Object(a), Value::Object(b)) => {
            let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            keys.into_iter().all(|key| {
                let of = |map: &serde_json::Map<String, Value>| map.get(key).cloned().unwrap_or_default();
                is_same(&of(a), &of(b))
            })
        }
        (a, b) => a == b || is_nothing(a) && is_nothing(b),
    }
}

/// Whether the engine fills in a value where none is given.
fn is_filled_in(section: &str, key: &str, ours: &Value, theirs: &Value) -> bool {
    let is_silent = ours.is_null() || ours == "" || *ours == json!(0);
    match (section, key) {
        ("Config", "Hostname" | "Entrypoint" | "Image")
        | (
            "HostConfig",
            "IpcMode" | "CgroupnsMode" | "Runtime" | "LogConfig" | "ShmSize" | "ConsoleSize" | "MaskedPaths"
            | "ReadonlyPaths",
        ) => is_silent,
        // A container without a policy is not restarted.
        ("HostConfig", "RestartPolicy") => ours["Name"] == "" && theirs["Name"] == "no",
        // Twice the limit, unless it is said.
        ("HostConfig", "MemorySwap") => is_silent && theirs.as_i64().is_some(),
        _ => false,
    }
}

#[test]
fn containers_are_those_that_compose_makes() {
    let created = created();
    for node in ["full", "plain", "plain #2", "nohealth", "shares"] {
        let (spec, mut body) = translated(node);
        let mut theirs = created[&spec.name].clone();
        // Compose writes them in no order.
        let depends = &mut theirs["Config"]["Labels"]["com.docker.compose.depends_on"];
        let mut sorted: Vec<&str> = depends.as_str().unwrap_or_default().split(',').collect();
        sorted.sort_unstable();
        *depends = json!(sorted.join(","));
        assert!(theirs.is_object(), "Compose made no {}", spec.name);
        let host = body["HostConfig"].take();
        let networks = body["NetworkingConfig"]["EndpointsConfig"].clone();
        assert_eq!(body["Labels"][TOKEN], "a-token");
        body["Labels"].as_object_mut().expect("labels").remove(TOKEN);
        for (section, ours) in [("Config", &body), ("HostConfig", &host)] {
            for (key, value) in theirs[section].as_object().expect("a section") {
                let own = &ours[key];
                assert!(
                    is_same(own, value) || is_filled_in(section, key, own, value),
                    "{node}: {section}.{key} is {own}, and Compose's is {value}"
                );
            }
        }
        let connected = theirs["Networks"].as_object().expect("networks");
        for (name, value) in connected.iter().filter(|(_, value)| !value["Aliases"].is_null()) {
            for key in ["Aliases", "IPAMConfig", "DriverOpts", "Links"] {
                assert!(is_same(&networks[name][key], &value[key]), "{node}: {name}.{key}");
            }
        }
    }
}

#[test]
fn hashes_are_those_of_compose() {
    let created = created();
    for node in ["full", "plain", "plain #2", "nohealth", "shares"] {
        let (spec, body) = translated(node);
        let theirs = &created[&spec.name]["Config"]["Labels"][HASH];
        assert_eq!(body["Labels"][HASH], *theirs, "{node}");
    }
}

#[test]
fn a_range_of_ports_is_hashed_port_by_port() {
    // Of `image: "i:1"` with `ports: ["127.0.0.1:9-12:9-12", "80-81"]`.
    let service = "{\"command\":null,\"entrypoint\":null,\"image\":\"i:1\",\"networks\":{\"default\":null},\
                   \"ports\":[\"\\u0001127.0.0.1:9-12:9-12/tcp\",\"\\u000180-81/tcp\"]}";
    let each = |text: &str| format!("{{\"mode\":\"ingress\",{text},\"protocol\":\"tcp\"}}");
    let told = json!({
        "kind": "container", "project": "c-r", "key": "a", "number": 1, "name": "c-r-a-1", "image": "i:1",
        "service": service,
        "ranges": {
            "\u{1}127.0.0.1:9-12:9-12/tcp": { "first": 9, "last": 12, "published": 9,
                "each": each("\"host_ip\":\"127.0.0.1\",\"target\":TARGET,\"published\":\"PUBLISHED\"") },
            "\u{1}80-81/tcp": { "first": 80, "last": 81, "published": null, "each": each("\"target\":TARGET") },
        },
        "labels": {},
    });
    let container: Container = serde_json::from_value(told).expect("it is a container");
    let service = container.service(&BTreeMap::new()).expect("it can be read");
    // `docker compose config --hash a`.
    assert_eq!(service.hash, "57447c0ffcbd5e6887ff839ae8a4bc228c4bb3a2dc9f1d2bad7d5941fae83647");
    assert_eq!(service.config["ports"].as_array().map(Vec::len), Some(6));
}

#[test]
fn networks_and_volumes_are_those_that_compose_makes() {
    let created = created();
    for node in ["network front", "network back", "network default", "volume data"] {
        let (section, mut body, name) = match spec(node) {
            Spec::Network(network) => ("networks", network_body(&network, "a-token").unwrap(), network.name),
            Spec::Volume(volume) => ("volumes", volume_body(&volume, "a-token").unwrap(), volume.name),
            Spec::Container(_) => panic!("{node} is not a container"),
        };
        let theirs = created[section].as_array().unwrap().iter().find(|one| one["Name"] == name.as_str());
        let theirs = theirs.unwrap_or_else(|| panic!("Compose made no {name}"));
        assert_eq!(body["Labels"][TOKEN], "a-token");
        body["Labels"].as_object_mut().expect("labels").remove(TOKEN);
        for key in ["Labels", "Internal", "Attachable", "Options"] {
            let own = if section == "volumes" && key == "Options" { &body["DriverOpts"] } else { &body[key] };
            assert!(is_same(own, &theirs[key]), "{node}: {key} is {own}, and Compose's is {}", theirs[key]);
        }
        if node == "network front" {
            assert_eq!(body["IPAM"]["Config"], theirs["IPAM"]["Config"]);
        }
    }
}

#[test]
fn a_network_of_an_older_engine_is_connected_later() {
    let spec = container("full");
    let service = spec.service(&BTreeMap::new()).expect("it refers to nothing");
    let around = Around {
        api: (1, 41),
        image_id: "",
        links: Vec::new(),
        inherited: BTreeMap::new(),
        token: "",
        read: &|_| Ok("{}".to_owned()),
    };
    let refused = body(&spec, &service, &around).expect_err("start_interval is newer");
    assert!(refused.contains("start_interval"), "{refused}");
    let plain = container("plain");
    let service = plain.service(&BTreeMap::new()).expect("it refers to nothing");
    let body = body(&plain, &service, &around).expect("it can be translated");
    assert_eq!(body["NetworkingConfig"]["EndpointsConfig"].as_object().map(serde_json::Map::len), Some(1));
}

#[test]
fn a_config_without_a_file_is_copied() {
    let spec = container("full");
    let service = spec.service(&BTreeMap::new()).expect("it refers to nothing");
    let copies = mounts::copies(&spec, Part(&service.config)).expect("it may be written");
    let [copy] = &copies[..] else { panic!("there is one") };
    assert_eq!((copy.target.as_str(), copy.mode), ("/etc/inline.conf", 0o440));
    assert!(matches!(copy.content, Content::Inline("hello $world\n")));
}

#[test]
fn what_is_said_in_a_container_shows_none_of_its_secrets() {
    let file = tempfile::NamedTempFile::new().expect("it can be made");
    std::fs::write(&file, "of a file\n").expect("it can be written");
    let mut spec = container("full");
    spec.secrets = BTreeMap::from([
        ("one".to_owned(), json!({ "environment": "ONE" })),
        ("two".to_owned(), json!({ "file": file.path() })),
        ("gone".to_owned(), json!({ "environment": "GONE" })),
    ]);
    let variables: Variables = Arc::new(|name| (name == "ONE").then(|| "hush".to_owned()));
    let said = without_secrets(&spec, &variables, "no hush here, nor what is of a file");
    assert_eq!(said, "no *** here, nor what is ***");
}
