//! The containers, networks and volumes of a project as things with lifecycles, by the rules of `docker compose up`.
//!
//! - A container is created, started, and then healthy or completed, if it has a health check or others wait for that.
//!   It is stopped before it is removed. A service with several replicas is as many containers.
//! - A container waits for its networks and volumes before it is created, and for the conditions of `depends_on` before it
//!   is started. These are about starting alone: what a container depends on may be recreated while it runs, unless
//!   `restart: true` says otherwise.
//! - A container is recreated when anything about its service changes but `build`, `pull_policy`, `scale`,
//!   `deploy.replicas`, `depends_on` and `profiles`, or when a network or volume of it is recreated: so Compose's hash of a
//!   service (`pkg/compose/hash.go`). The old one stops before the new one starts.
//! - Networks are recreated when anything about them changes. Volumes are never removed, and a change of one is refused: the
//!   volume that would take its place would be empty.
//!
//! External resources exist already and are left out. Whether an image with the same name is another one is not known here.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use locus_meaning::things::{Need, OnChange, Property, Removal, Replacement, Thing};
use locus_meaning::written::{self, Within};

use crate::containers::{NOT_HASHED, is_external, number, too_many};
use crate::datum::{Content, Datum, Map};
use crate::deploy;
use crate::project::Project;

const CREATED: &str = "created";
const STARTED: &str = "started";
const HEALTHY: &str = "healthy";
const COMPLETED: &str = "completed";

/// What the environment, the labels and the properties of `deploy` have already.
const SAID_ELSEWHERE: [&str; 3] = ["env_file", "label_file", "deploy"];

/// The things of a project.
///
/// # Errors
/// If there are more than are planned: why, in words.
pub(crate) fn things(project: &Project) -> Result<Vec<Thing>, String> {
    if let Some(why) = too_many(project) {
        return Err(why);
    }
    let mut things = Vec::new();
    for (section, sort) in [("networks", "network"), ("volumes", "volume")] {
        let used = used(project, section);
        let Some(items) = project.model.get(section).and_then(Datum::as_map) else { continue };
        for (name, entry) in &items.0 {
            if is_external(&entry.value) || !used.contains(name.as_str()) {
                continue;
            }
            let on_change = if sort == "volume" { OnChange::Refuse } else { OnChange::Replace };
            let is_own_name = |key: &str, value: &Datum| {
                key == "name" && value.as_str() == Some(&format!("{}_{name}", project.name))
            };
            things.push(Thing {
                properties: properties(project, &entry.value, on_change, is_own_name),
                place: Some(entry.key),
                removal: if sort == "volume" { Removal::Leave } else { Removal::Delete },
                replacement: Replacement::OldFirst { before: 0 },
                specification: Some(deploy::resource(project, sort, name, &entry.value)),
                ..Thing::new(format!("{sort} {name}"), sort)
            });
        }
    }
    let phases = phases(project);
    let Some(services) = project.model.get("services").and_then(Datum::as_map) else { return Ok(things) };
    let mut all_of: BTreeSet<(String, &'static str)> = BTreeSet::new();
    for (name, entry) in &services.0 {
        let service = &entry.value;
        let containers = containers(name, service);
        for (number, container) in (1..).zip(&containers) {
            things.push(Thing {
                properties: service_properties(project, service),
                needs: needs(service, services, &mut all_of),
                place: Some(entry.key),
                phases: phases[name.as_str()].iter().map(|&phase| phase.to_owned()).collect(),
                endings: vec!["stopped".to_owned()],
                replacement: Replacement::OldFirst { before: 1 },
                specification: Some(deploy::container(project, name, service, number)),
                ..Thing::new(container, "container")
            });
        }
    }
    for (target, phase) in all_of {
        let Some(service) = services.get(&target) else { continue };
        let needs = containers(&target, service).into_iter().map(|container| started(container, phase));
        things.push(Thing::milestone(all_containers(&target, phase), needs.collect()));
    }
    Ok(things)
}

/// The name of the milestone at which all containers of a service have reached a phase. No container, network or volume
/// has a name with two blanks.
fn all_containers(service: &str, phase: &str) -> String {
    format!("all {service} {phase}")
}

/// The need that a container has reached a phase, which is about the order of starting alone.
fn started(container: String, phase: &str) -> Need {
    Need { phase: Some(phase.to_owned()), only_to_start: true, ..Need::new(container) }
}

/// The networks or volumes that some service uses; the others are not created.
fn used<'p>(project: &'p Project, section: &str) -> BTreeSet<&'p str> {
    let mut used = BTreeSet::new();
    for (_, service) in project.section("services") {
        if section == "networks" {
            used.extend(service.get("networks").and_then(Datum::as_map).into_iter().flat_map(Map::keys));
        } else {
            used.extend(volumes(service));
        }
    }
    used
}

/// The named volumes that a service mounts.
fn volumes(service: &Datum) -> impl Iterator<Item = &str> {
    let mounts = service.get("volumes").and_then(Datum::as_list).unwrap_or_default().iter();
    let named = mounts.filter(|mount| mount.get("type").and_then(Datum::as_str) == Some("volume"));
    named.filter_map(|mount| mount.get("source").and_then(Datum::as_str))
}

/// The names of the containers of a service: the first is called as the service is, so that it stays when there are to be
/// more or fewer. No service can have a name with a blank.
fn containers(name: &str, service: &Datum) -> Vec<String> {
    (1..=number(service).count)
        .map(|n| if n == 1 { name.to_owned() } else { format!("{name} #{n}") })
        .collect()
}

/// The phases of each service.
fn phases(project: &Project) -> BTreeMap<&str, Vec<&'static str>> {
    let mut phases: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
    let mut waited: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (_, service) in project.section("services") {
        let depends = service.get("depends_on").and_then(Datum::as_map).into_iter().flat_map(Map::iter);
        let condition = |value: &'_ Datum| phase(value.get("condition").and_then(Datum::as_str));
        waited.extend(depends.map(|(target, value)| (target, condition(value))));
    }
    for (name, service) in project.section("services") {
        let test = service.at(&["healthcheck", "test"]).and_then(Datum::as_list).unwrap_or_default();
        let disabled = service.at(&["healthcheck", "disable"]).and_then(Datum::as_bool) == Some(true)
            || test.first().and_then(Datum::as_str) == Some("NONE");
        let mut all = vec![CREATED, STARTED];
        if waited.contains(&(name, HEALTHY)) || !test.is_empty() && !disabled {
            all.push(HEALTHY);
        }
        if waited.contains(&(name, COMPLETED)) {
            all.push(COMPLETED);
        }
        phases.insert(name, all);
    }
    phases
}

/// The phase that a condition of `depends_on` waits for.
fn phase(condition: Option<&str>) -> &'static str {
    match condition {
        Some("service_healthy") => HEALTHY,
        Some("service_completed_successfully") => COMPLETED,
        _ => STARTED,
    }
}

/// What a container of a service needs. The services of which it needs all of several containers, and the phases of these, are
/// added to `all_of`.
fn needs(service: &Datum, services: &Map, all_of: &mut BTreeSet<(String, &'static str)>) -> Vec<Need> {
    let mut needs = Vec::new();
    let networks = service.get("networks").and_then(Datum::as_map).into_iter().flat_map(Map::keys);
    needs.extend(networks.map(|name| of_kind("network", name, "networks")));
    needs.extend(volumes(service).map(|name| of_kind("volume", name, "volumes")));
    needs.extend(shared(service, services));
    for (target, value) in service.get("depends_on").and_then(Datum::as_map).into_iter().flat_map(Map::iter) {
        let Some(other) = services.get(target) else { continue };
        let restart = value.get("restart").and_then(Datum::as_bool) == Some(true);
        let condition = phase(value.get("condition").and_then(Datum::as_str));
        if number(other).count > 1 && !restart {
            all_of.insert((target.to_owned(), condition));
            let all = Need::new(all_containers(target, condition));
            needs.push(Need { at: 1, only_to_start: true, ..all });
            continue;
        }
        let via = if links(service).any(|linked| linked == target) { "links" } else { "depends_on" };
        needs.extend(containers(target, other).into_iter().map(|container| Need {
            via: restart.then(|| via.to_owned()),
            at: 1,
            only_to_start: !restart,
            ..started(container, condition)
        }));
    }
    needs
}

/// The services that `links` names.
fn links(service: &Datum) -> impl Iterator<Item = &str> {
    let items = service.get("links").and_then(Datum::as_list).unwrap_or_default();
    items.iter().filter_map(|item| item.as_str()?.split(':').next())
}

/// The first containers of the services that a service shares something with, or that have names in it: they are made
/// before, since it is made with their ids and names.
fn shared(service: &Datum, services: &Map) -> Vec<Need> {
    let mut needs = Vec::new();
    for key in ["network_mode", "ipc", "pid"] {
        let mode = service.get(key).and_then(Datum::as_str).and_then(|mode| mode.strip_prefix("service:"));
        needs.extend(mode.map(|target| (key, target)));
    }
    for key in ["volumes_from", "links"] {
        let items = service.get(key).and_then(Datum::as_list).unwrap_or_default();
        let names = items.iter().filter_map(|item| item.as_str()?.split(':').next());
        needs.extend(names.map(|target| (key, target)));
    }
    let need = |(key, target): (&str, &str)| {
        let first = containers(target, services.get(target)?).into_iter().next()?;
        // Names stay when what they are about is made anew; ids do not.
        let is_name = key == "links";
        Some(Need {
            via: (!is_name).then(|| key.to_owned()),
            phase: Some(CREATED.to_owned()),
            only_to_start: is_name,
            ..Need::new(first)
        })
    };
    needs.into_iter().filter_map(need).collect()
}

fn of_kind(sort: &str, name: &str, via: &str) -> Need {
    Need { via: Some(via.to_owned()), ..Need::new(format!("{sort} {name}")) }
}

fn service_properties(project: &Project, service: &Datum) -> Vec<Property> {
    let replace = OnChange::Replace;
    let mut all = properties(project, service, replace, |key, _| {
        NOT_HASHED.contains(&key) || SAID_ELSEWHERE.contains(&key)
    });
    if let Some(deploy) = service.get("deploy") {
        for mut property in properties(project, deploy, replace, |key, _| key == "replicas") {
            property.name = format!("deploy.{}", property.name);
            all.push(property);
        }
    }
    all
}

/// The entries of a map as properties, but for those that make no difference.
fn properties(
    project: &Project,
    map: &Datum,
    on_change: OnChange,
    skip: impl Fn(&str, &Datum) -> bool,
) -> Vec<Property> {
    let entries = map.as_map().into_iter().flat_map(|map| &map.0);
    let entries = entries.filter(|(key, entry)| !entry.value.is_null() && !skip(key, &entry.value));
    let property = |(key, entry): (&String, &crate::datum::Entry)| Property {
        name: key.clone(),
        value: text(project, &entry.value, Within::Nothing),
        on_change,
        place: Some(entry.key),
    };
    entries.map(property).collect()
}

/// A value as a text. Two versions of a project may be in two folders, so paths are those within the folder.
fn text(project: &Project, value: &Datum, within: Within) -> String {
    match &value.content {
        Content::List(items) => written::list(items.iter().map(|item| text(project, item, Within::List))),
        Content::Map(map) => {
            let entry = |(key, value): (&str, &Datum)| (key.to_owned(), text(project, value, Within::Map));
            written::map(map.iter().map(entry))
        }
        Content::Str(text) => {
            let path = match text.strip_prefix(project.folder.as_str()) {
                Some("") => Cow::Borrowed("."),
                Some(rest) if rest.starts_with('/') && project.folder.len() > 1 => {
                    Cow::Owned(format!(".{rest}"))
                }
                _ => Cow::Borrowed(text.as_str()),
            };
            written::text(&path, within).into_owned()
        }
        _ => value.print(),
    }
}
