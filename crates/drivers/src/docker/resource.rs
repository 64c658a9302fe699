//! Networks and volumes.
//!
//! Volumes have unique names, so that making one twice makes one. Networks do not: two callers can both make one with
//! the same name. They are found by their labels, and the oldest is kept.

use std::collections::{BTreeMap, HashMap};

use bollard::models::{Network, NetworkCreateRequest, VolumeCreateRequest};
use bollard::query_parameters::{ListNetworksOptions, RemoveVolumeOptions};
use serde_json::{Value, json};

use super::engine::{Answer, Engine, Trouble, if_there};
use super::part::Part;
use super::spec::Resource;
use super::translate::{COMPOSE, HASH, TOKEN};

/// The body of the call that makes a volume.
pub(crate) fn volume_body(spec: &Resource, token: &str) -> Result<Value, String> {
    let config = spec.config()?;
    let config = Part(&config);
    let options = driver_options(config);
    let mut body = json!({
        "Name": spec.name,
        "Driver": config.text("driver"),
        "Labels": labels(spec, config, token),
    });
    if !options.is_empty() {
        body["DriverOpts"] = json!(options);
    }
    Ok(body)
}

/// The body of the call that makes a network.
pub(crate) fn network_body(spec: &Resource, token: &str) -> Result<Value, String> {
    let config = spec.config()?;
    let config = Part(&config);
    let options = driver_options(config);
    let mut body = json!({
        "Name": spec.name,
        "Driver": config.text("driver"),
        "Internal": config.flag("internal"),
        "Attachable": config.flag("attachable"),
        "Options": options,
        "Labels": labels(spec, config, token),
    });
    for (name, key) in [("EnableIPv4", "enable_ipv4"), ("EnableIPv6", "enable_ipv6")] {
        if let Some(value) = config.part(key) {
            body[name] = value.0.clone();
        }
    }
    if let Some(ipam) = config.part("ipam") {
        let pool = |pool: Part<'_>| {
            let mut out = serde_json::Map::new();
            for (name, key) in [("Subnet", "subnet"), ("IPRange", "ip_range"), ("Gateway", "gateway")] {
                if !pool.text(key).is_empty() {
                    out.insert(name.to_owned(), json!(pool.text(key)));
                }
            }
            if let Some(addresses) = pool.part("aux_addresses") {
                out.insert("AuxiliaryAddresses".to_owned(), addresses.0.clone());
            }
            Value::Object(out)
        };
        let pools: Vec<Value> = ipam.list("config").map(pool).collect();
        if !ipam.text("driver").is_empty() || !pools.is_empty() {
            body["IPAM"] = json!({ "Config": pools });
            if !ipam.text("driver").is_empty() {
                body["IPAM"]["Driver"] = json!(ipam.text("driver"));
            }
        }
    }
    Ok(body)
}

fn driver_options(config: Part<'_>) -> BTreeMap<&String, &Value> {
    config.entries("driver_opts").map(|(key, value)| (key, value.0)).collect()
}

fn labels(spec: &Resource, config: Part<'_>, token: &str) -> BTreeMap<String, String> {
    let own = config.entries("labels");
    let mut labels: BTreeMap<String, String> =
        own.map(|(key, value)| (key.clone(), value.0.as_str().unwrap_or_default().to_owned())).collect();
    labels.extend(spec.labels.clone());
    labels.insert(HASH.to_owned(), spec.hash());
    labels.insert(TOKEN.to_owned(), token.to_owned());
    labels
}

fn body<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// The volume of a specification, if it is there as described.
pub(crate) fn find_volume(engine: &Engine, spec: &Resource) -> Answer<Option<String>> {
    let found = if_there(engine.ask(engine.client.inspect_volume(&spec.name)))?;
    let Some(volume) = found else { return Ok(None) };
    let hash = volume.labels.get(HASH);
    if hash.is_some_and(|hash| *hash != spec.hash()) {
        return Err(Trouble::Refused(format!(
            "the volume {} is there with another configuration, and replacing it would lose what is in it; \
             remove it, or use `external: true`",
            spec.name
        )));
    }
    Ok(Some(volume.name))
}

pub(crate) fn make_volume(engine: &Engine, spec: &Resource, token: &str) -> Answer<String> {
    if let Some(name) = find_volume(engine, spec)? {
        return Ok(name);
    }
    let request: VolumeCreateRequest = body(volume_body(spec, token)?)?;
    Ok(engine.ask(engine.client.create_volume(request))?.name)
}

pub(crate) fn remove_volume(engine: &Engine, name: &str) -> Answer<()> {
    let options = Some(RemoveVolumeOptions { force: false });
    match if_there(engine.ask(engine.client.remove_volume(name, options))) {
        Err(Trouble::Conflict(reason)) => Err(Trouble::Busy(reason)),
        other => other.map(|_| ()),
    }
}

/// The networks with the name of a specification, the oldest first.
fn networks(engine: &Engine, spec: &Resource) -> Answer<Vec<Network>> {
    let filters = HashMap::from([("name".to_owned(), vec![spec.name.clone()])]);
    let options = Some(ListNetworksOptions { filters: Some(filters) });
    let mut all = engine.ask(engine.client.list_networks(options))?;
    // The filter also finds names that this one is part of.
    all.retain(|network| network.name.as_ref() == Some(&spec.name));
    all.sort_by(|a, b| (&a.created, &a.id).cmp(&(&b.created, &b.id)));
    Ok(all)
}

fn label<'n>(network: &'n Network, name: &str) -> Option<&'n String> {
    network.labels.as_ref()?.get(name)
}

/// The network of a specification, if it is there as described: the oldest of those that are.
pub(crate) fn find_network(engine: &Engine, spec: &Resource) -> Answer<Option<String>> {
    let all = networks(engine, spec)?;
    let ours = |network: &&Network| {
        label(network, &format!("{COMPOSE}.project")) == Some(&spec.project)
            && label(network, &format!("{COMPOSE}.network")) == Some(&spec.key)
    };
    let Some(oldest) = all.iter().find(ours) else {
        return match all.first() {
            None => Ok(None),
            Some(_) => Err(Trouble::Refused(format!(
                "there is a network {} that does not belong to the project {}; use `external: true` to use it",
                spec.name, spec.project
            ))),
        };
    };
    if label(oldest, HASH).is_some_and(|hash| *hash != spec.hash()) {
        return Err(Trouble::Refused(format!(
            "the network {} is there with another configuration and was not made by this deployment; remove it first",
            spec.name
        )));
    }
    Ok(oldest.id.clone())
}

pub(crate) fn make_network(engine: &Engine, spec: &Resource, token: &str) -> Answer<String> {
    if let Some(id) = find_network(engine, spec)? {
        return Ok(id);
    }
    let request: NetworkCreateRequest = body(network_body(spec, token)?)?;
    let made = match engine.ask(engine.client.create_network(request)) {
        Ok(made) => Some(made.id),
        // Somebody else made one at the same time.
        Err(Trouble::Conflict(_)) => None,
        Err(trouble) => return Err(trouble),
    };
    let kept = find_network(engine, spec)?;
    let kept = kept.ok_or_else(|| Trouble::Lost(format!("the network {} is gone again", spec.name)))?;
    if let Some(made) = made.filter(|made| *made != kept) {
        if_there(engine.ask(engine.client.remove_network(&made)))?;
    }
    Ok(kept)
}

pub(crate) fn remove_network(engine: &Engine, id: &str) -> Answer<()> {
    if_there(engine.ask(engine.client.remove_network(id))).map(|_| ())
}
