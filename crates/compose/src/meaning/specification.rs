//! The specifications that the driver of Docker gets of the containers, networks and volumes of a project, as JSON.
//!
//! The service itself is the text that Docker Compose hashes ([`marshal`]), without what is not hashed; that is beside
//! it. In that text `\u0000NAME\u0000` stands for the id of the first container of the service `NAME`, which Compose
//! puts there before it hashes, and `\u0001RANGE` in the place of a port for each port of a range.
//!
//! [`marshal`]: crate::output::marshal

use serde_json::{Value as Json, json};

use super::process::{NOT_HASHED, NOT_HASHED_OF_DEPLOY};
use crate::output::marshal::marshal;
use crate::output::printed;
use crate::read::project::Project;
use crate::types::fields::{CONFIG, NETWORK, PORT, SECRET, SERVICE, VOLUME};
use crate::values::datum::{Content, Datum, Map};
use crate::values::ports;
use crate::values::short::port::{self, Port};

/// The version of Docker Compose whose rules are followed.
const VERSION: &str = "2.40.3";

/// The specifications of the containers of a service, which differ in their names and numbers.
pub(super) fn containers(project: &Project, key: &str, service: &Datum, count: u32) -> Vec<Json> {
    let name = service.get("container_name").and_then(Datum::as_str).filter(|name| !name.is_empty());
    let of_all = container(project, key, service);
    let numbered = |number: u32| {
        let mut one = of_all.clone();
        one["number"] = number.into();
        one["name"] = name.map_or_else(|| format!("{}-{key}-{number}", project.name), str::to_owned).into();
        one
    };
    (1..=count).map(numbered).collect()
}

/// The specification of the containers of a service, without what differs.
fn container(project: &Project, key: &str, service: &Datum) -> Json {
    let rest = printed(service, &SERVICE);
    let rest: serde_json::Map<String, Json> = ["build", "pull_policy", "depends_on"]
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), rest.get(key).filter(|value| !value.is_null())?.clone())))
        .collect();
    let image = service.get("image").and_then(Datum::as_str).filter(|image| !image.is_empty());
    let sources = |list: &str| -> Vec<String> {
        let items = service.get(list).and_then(Datum::as_list).unwrap_or_default();
        items.iter().filter_map(|item| item.get("source")?.as_str().map(str::to_owned)).collect()
    };
    let networks = service.get("networks").and_then(Datum::as_map).into_iter().flat_map(Map::keys);
    json!({
        "kind": "container",
        "project": project.name,
        "key": key,
        "image": image.map_or_else(|| format!("{}-{key}", project.name), str::to_owned),
        "service": marshal(&hashed(service), &SERVICE),
        "ranges": ranges(service),
        "rest": rest,
        "labels": labels(project, &[
            ("service", key),
            ("oneoff", "False"),
            ("project.working_dir", &project.folder),
            ("project.config_files", &project.files.join(",")),
        ]),
        "networks": names(project, "networks", networks.map(str::to_owned).collect()),
        "volumes": names(project, "volumes", sources("volumes")),
        "secrets": files(project, "secrets", &sources("secrets")),
        "configs": files(project, "configs", &sources("configs")),
    })
}

/// The specification of a network or volume.
pub(super) fn resource(project: &Project, kind: &str, key: &str, value: &Datum) -> Json {
    let mut value = value.clone();
    if value.is_null() {
        value.content = Content::Map(Map::default());
    }
    let parts = if kind == "network" { &NETWORK } else { &VOLUME };
    let place = value.place;
    if let Some(map) = value.as_map_mut().filter(|_| kind == "volume")
        && map.get("driver").and_then(Datum::as_str).is_none_or(str::is_empty)
    {
        map.put("driver", Datum::text("local", place));
    }
    json!({
        "kind": kind,
        "project": project.name,
        "key": key,
        "name": value.get("name").and_then(Datum::as_str).unwrap_or_default(),
        "config": marshal(&value, parts),
        "labels": labels(project, &[(kind, key)]),
    })
}

fn labels(project: &Project, more: &[(&str, &str)]) -> Json {
    let own = [("project", project.name.as_str()), ("version", VERSION)];
    let all = own.iter().chain(more);
    all.map(|(key, value)| (format!("com.docker.compose.{key}"), Json::from(*value))).collect()
}

/// All that of a service is hashed.
fn hashed(service: &Datum) -> Datum {
    let mut service = service.clone();
    let twice = ports::overlap(&service);
    let Some(map) = service.as_map_mut() else { return service };
    for key in NOT_HASHED {
        map.remove(key);
    }
    if twice {
        ports::expand(map);
    }
    if let Some(Content::List(items)) = map.get_mut("ports").map(|value| &mut value.content) {
        for range in items {
            if let Content::Str(text) = &mut range.content {
                text.insert(0, RANGE);
            }
        }
    }
    if let Some(deploy) = map.get_mut("deploy").and_then(Datum::as_map_mut) {
        for key in NOT_HASHED_OF_DEPLOY {
            deploy.remove(key);
        }
    }
    for key in ["network_mode", "ipc", "pid"] {
        if let Some(value) = map.get_mut(key)
            && let Some(name) = value.as_str().and_then(|mode| mode.strip_prefix("service:"))
        {
            value.content = Content::Str(format!("container:\0{name}\0"));
        }
    }
    if let Some(Content::List(items)) = map.get_mut("volumes_from").map(|value| &mut value.content) {
        for item in items {
            let mut parts = item.as_str().unwrap_or_default().split(':');
            item.content = Content::Str(match (parts.next(), parts.next()) {
                (Some("container"), Some(name)) => name.to_owned(),
                (name, _) => format!("\0{}\0", name.unwrap_or_default()),
            });
        }
    }
    service
}

/// All that stands before a range of ports in the text of a service. No port begins so.
pub(crate) const RANGE: char = '\u{1}';

/// A number that no port has.
const NO_PORT: i64 = 65_536;

/// The ranges of ports in the text of a service, by how they stand there: the ports, the first of the host, and what
/// each port becomes, with `TARGET` and `PUBLISHED` for the numbers.
fn ranges(service: &Datum) -> Json {
    let mut ranges = serde_json::Map::new();
    if ports::overlap(service) {
        return Json::Object(ranges);
    }
    for item in service.get("ports").and_then(Datum::as_list).unwrap_or_default() {
        let Some(Ok(range)) = item.as_str().map(port::parse) else { continue };
        let template = Port { target: (0, 0), published: None, ..range.clone() };
        let mut each = ports::long(&template, item.place);
        if let Some(map) = each.as_map_mut() {
            map.put("target", Datum::new(Content::Int(NO_PORT), item.place));
            if range.published.is_some() {
                map.put("published", Datum::text("PUBLISHED", item.place));
            }
        }
        let each = marshal(&each, &PORT).replace(&NO_PORT.to_string(), "TARGET");
        let (first, last) = range.target;
        ranges.insert(
            format!("{RANGE}{range}"),
            json!({ "first": first, "last": last, "published": range.published.map(|(first, _)| first), "each": each }),
        );
    }
    Json::Object(ranges)
}

/// All that networks or volumes are called.
fn names(project: &Project, section: &str, keys: Vec<String>) -> Json {
    let section = project.model.get(section).and_then(Datum::as_map);
    let name = |key: &String| section?.get(key)?.get("name")?.as_str().map(str::to_owned);
    keys.into_iter()
        .filter_map(|key| Some((name(&key)?, key)))
        .map(|(name, key)| (key, Json::from(name)))
        .collect()
}

/// Secrets or configs that a service uses.
fn files(project: &Project, section: &str, keys: &[String]) -> Json {
    let parts = if section == "secrets" { &SECRET } else { &CONFIG };
    let section = project.model.get(section).and_then(Datum::as_map);
    keys.iter().filter_map(|key| Some((key.clone(), printed(section?.get(key)?, parts)))).collect()
}
