//! The attributes of a resource that others may ask for: what the service says of it, and what Heat makes of that.

use std::collections::BTreeMap;

use locus_openstack::kinds::Kind;
use locus_openstack::{Thing, written};
use serde_json::{Map, Value, json};

use crate::secret::{Secret, mask};

/// The output that has all attributes; people are not shown it.
pub(super) const ALL: &str = ".attributes";

/// The outputs of a resource: its id, and its attributes. Secrets that a service repeats are not in them.
pub(super) fn outputs(kind: &Kind, thing: &Thing, secrets: &[Secret]) -> BTreeMap<String, String> {
    let all = Value::Object(attributes(kind, &thing.body)).to_string();
    BTreeMap::from([("id".to_owned(), thing.id.clone()), (ALL.to_owned(), mask(&all, secrets))])
}

/// Fields that are no attribute: addresses of the service itself, and what it may keep secret.
const HIDDEN: [&str; 6] =
    ["links", "adminPass", "private_key", "user_data", "OS-EXT-SRV-ATTR:user_data", "password"];

fn attributes(kind: &Kind, body: &Value) -> Map<String, Value> {
    let mut all = body.as_object().cloned().unwrap_or_default();
    all.retain(|key, _| !HIDDEN.contains(&key.as_str()) && key != "locus");
    if let Some(tags) = all.get_mut("tags").and_then(Value::as_array_mut) {
        tags.retain(|tag| !tag.as_str().is_some_and(|tag| tag.starts_with("locus:")));
    }
    if let Some(metadata) = all.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("locus");
    }
    if let Some(description) = all.get_mut("description") {
        *description = Value::from(written(Some(description)).0);
    }
    let show = Value::Object(all.clone());
    match kind.sort {
        "OS::Nova::Server" => of_server(&mut all),
        "OS::Cinder::Volume" => {
            let copy = |all: &mut Map<String, Value>, from: &str, to: &str| {
                let value = all.get(from).cloned().unwrap_or_default();
                all.insert(to.to_owned(), value);
            };
            copy(&mut all, "name", "display_name");
            copy(&mut all, "description", "display_description");
            copy(&mut all, "attachments", "attachments_list");
            copy(&mut all, "metadata", "metadata_values");
        }
        _ => {}
    }
    all.insert("show".to_owned(), show);
    all
}

/// Addresses by network, as Heat has them.
fn of_server(all: &mut Map<String, Value>) {
    let addresses = all.get("addresses").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut networks = Map::new();
    for (name, list) in &addresses {
        let ips = list.as_array().into_iter().flatten().filter_map(|one| one.get("addr").cloned());
        networks.insert(name.clone(), ips.collect());
    }
    let first = networks.values().find_map(|ips| ips.get(0)).cloned().unwrap_or_else(|| json!(""));
    all.insert("first_address".to_owned(), first);
    all.insert("networks".to_owned(), Value::Object(networks));
    if let Some(name) = all.get("OS-EXT-SRV-ATTR:instance_name").cloned() {
        all.insert("instance_name".to_owned(), name);
    }
}

#[cfg(test)]
mod tests {
    use locus_openstack::kinds::kind;

    use super::*;

    #[test]
    fn a_server_has_its_addresses_by_network_and_no_secrets() {
        let body = json!({
            "id": "s", "adminPass": "hush", "metadata": { "locus": "t", "a": "b" },
            "addresses": { "blue": [{ "addr": "10.0.0.4", "version": 4 }, { "addr": "172.24.4.9" }] },
        });
        let thing = Thing { id: "s".to_owned(), body };
        let outputs = outputs(kind("OS::Nova::Server").expect("there is one"), &thing, &[]);
        assert!(!outputs[ALL].contains("hush") && !outputs[ALL].contains("locus"), "{outputs:?}");
        let all: Value = serde_json::from_str(&outputs[ALL]).expect("it is JSON");
        assert_eq!(all["networks"], json!({ "blue": ["10.0.0.4", "172.24.4.9"] }));
        assert_eq!(
            (&all["first_address"], &all["show"]["metadata"]),
            (&json!("10.0.0.4"), &json!({ "a": "b" }))
        );
    }
}
