//! Defaults of a file: the default network, dependencies that follow from other keys, names of resources.

use locus_source::{Place, clean_path};

use crate::read::counts::is_external;
use crate::read::dotenv::Variables;
use crate::values::datum::{Content, Datum, Map};

/// Completes a model.
pub(crate) fn normalize(model: &mut Datum, name: &str, variables: &Variables) {
    let place = model.place;
    let Some(top) = model.as_map_mut() else { return };
    top.put("name", Datum::text(name, place));
    networks(top, place);
    if let Some(services) = top.get_mut("services").and_then(Datum::as_map_mut) {
        for (_, value) in services.iter_mut() {
            let place = value.place;
            if let Some(map) = value.as_map_mut() {
                service(map, place, variables);
            }
        }
    }
    for section in ["networks", "volumes", "configs", "secrets"] {
        let Some(items) = top.get_mut(section).and_then(Datum::as_map_mut) else { continue };
        for (key, entry) in &mut items.0 {
            if entry.value.is_null() {
                entry.value = Datum::new(Content::Map(Map::default()), entry.key);
            }
            let place = entry.key;
            let external = is_external(&entry.value);
            let Some(map) = entry.value.as_map_mut() else { continue };
            if map.get("name").is_none_or(Datum::is_null) {
                let full = if external { key.clone() } else { format!("{name}_{key}") };
                map.put("name", Datum::text(full, place));
            }
        }
    }
}

fn networks(top: &mut Map, place: Place) {
    let mut uses_default = None;
    if let Some(services) = top.get_mut("services").and_then(Datum::as_map_mut) {
        for (_, service) in services.iter_mut() {
            let place = service.place;
            let Some(map) = service.as_map_mut() else { continue };
            if map.has("provider") || map.has("network_mode") {
                continue;
            }
            let has_networks = map.get("networks").and_then(Datum::as_map).is_some_and(|map| !map.is_empty());
            if !has_networks {
                map.put("networks", Datum::map(place, [("default", Content::Null)]));
                uses_default = uses_default.or(Some(place));
            } else if map.get("networks").and_then(|networks| networks.get("default")).is_some() {
                uses_default = uses_default.or(Some(place));
            }
        }
    }
    if let Some(at) = uses_default {
        if top.get("networks").and_then(Datum::as_map).is_none() {
            top.put("networks", Datum::new(Content::Map(Map::default()), place));
        }
        if let Some(networks) = top.get_mut("networks").and_then(Datum::as_map_mut) {
            networks.put_default("default", Content::Null, at);
        }
    }
}

fn service(map: &mut Map, place: Place, variables: &Variables) {
    if let Some(Content::Str(policy)) = map.get_mut("pull_policy").map(|value| &mut value.content)
        && policy == "if_not_present"
    {
        "missing".clone_into(policy);
    }
    if let Some(build) = map.get_mut("build") {
        let place = build.place;
        if let Some(build) = build.as_map_mut() {
            build.put_default("context", Content::Str(".".to_owned()), place);
            if build.get("dockerfile_inline").is_none_or(Datum::is_null)
                && build.get("dockerfile").is_none_or(Datum::is_null)
            {
                build.put("dockerfile", Datum::text("Dockerfile", place));
            }
            if let Some(args) = build.get_mut("args") {
                variables_of(args, variables, false);
            }
        }
    }
    if let Some(environment) = map.get_mut("environment") {
        variables_of(environment, variables, true);
    }
    if let Some(Content::List(mounts)) = map.get_mut("volumes").map(|value| &mut value.content) {
        for mount in mounts.iter_mut().filter_map(Datum::as_map_mut) {
            if let Some(Content::Str(target)) = mount.get_mut("target").map(|value| &mut value.content) {
                *target = clean_path(target);
            }
        }
    }
    let implied = implied(map);
    if !implied.is_empty() {
        let mut dependencies = match map.remove("depends_on").map(|value| value.content) {
            Some(Content::Map(dependencies)) => dependencies,
            _ => Map::default(),
        };
        for (name, restart, place) in implied {
            if !dependencies.has(&name) {
                let entries = [
                    ("condition", Content::Str("service_started".to_owned())),
                    ("restart", Content::Bool(restart)),
                    ("required", Content::Bool(true)),
                ];
                dependencies.put(&name, Datum::map(place, entries));
            }
        }
        map.put("depends_on", Datum::new(Content::Map(dependencies), place));
    } else if map.get("depends_on").and_then(Datum::as_map).is_some_and(Map::is_empty) {
        map.remove("depends_on");
    }
}

/// Services that a service needs though `depends_on` does not say so: their names, whether a restart of them restarts
/// the service, and where they are named.
fn implied(map: &Map) -> Vec<(String, bool, Place)> {
    let mut found = Vec::new();
    let list = |key: &str| map.get(key).and_then(Datum::as_list).unwrap_or_default();
    for link in list("links") {
        let Some(text) = link.as_str() else { continue };
        let name = match text.split_once(':') {
            Some((name, alias)) if !alias.contains(':') => name,
            _ => text,
        };
        found.push((name.to_owned(), true, link.place));
    }
    for key in ["network_mode", "ipc", "pid", "uts", "cgroup"] {
        if let Some(value) = map.get(key)
            && let Some(name) = value.as_str().and_then(|text| text.strip_prefix("service:"))
        {
            found.push((name.to_owned(), true, value.place));
        }
    }
    for volume in list("volumes_from") {
        let Some(text) = volume.as_str().filter(|text| !text.starts_with("container:")) else { continue };
        let name = text.split(':').next().unwrap_or(text);
        found.push((name.to_owned(), false, volume.place));
    }
    found
}

/// Gives variables without a value the value that the environment has.
fn variables_of(value: &mut Datum, variables: &Variables, keep: bool) {
    match &mut value.content {
        Content::List(items) => items.retain_mut(|item| {
            let Content::Str(text) = &mut item.content else { return false };
            if text.contains('=') {
                return true;
            }
            match variables.get(text.as_str()) {
                Some(value) => {
                    *text = format!("{text}={value}");
                    true
                }
                None => keep,
            }
        }),
        Content::Map(map) => map.0.retain(|key, entry| {
            if !entry.value.is_null() {
                return true;
            }
            match variables.get(key) {
                Some(value) => {
                    entry.value.content = Content::Str(value.clone());
                    true
                }
                None => keep,
            }
        }),
        _ => {}
    }
}
