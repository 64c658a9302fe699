//! The lifecycles of containers, networks and volumes, by the rules of `docker compose up`.
//!
//! - A container is created, started, and then healthy or completed, if it has a health check or others wait for that.
//!   It is stopped before it is removed. A service with several replicas is as many containers.
//! - A container waits for its networks and volumes before it is created, and for the conditions of `depends_on` before
//!   it is started. These are about starting alone: what a container depends on may be recreated while it runs, unless
//!   `restart: true` says otherwise.
//! - A container is recreated when anything about its service changes but `build`, `pull_policy`, `scale`,
//!   `deploy.replicas`, `depends_on` and `profiles`, or when a network or volume of it is recreated: so Compose's hash
//!   of a service (`pkg/compose/hash.go`). The old one stops before the new one starts.
//! - Networks are recreated when anything about them changes. Volumes are never removed, and a change of one is
//!   refused: the volume that would take its place would be empty.
//!
//! External resources exist already and have none; nor has what no service uses. Whether an image with the same name is
//! another one is not known here.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_meaning::{Attribute, Need, Needed, OnChange, Process, Removal, Replacement};
use rustc_hash::FxHashMap;

use super::{Elements, SERVICES, specification, value};
use crate::read::counts;
use crate::read::project::Project;
use crate::values::datum::{Content, Datum, Map};

const CREATED: &str = "created";
const STARTED: &str = "started";
const HEALTHY: &str = "healthy";
const COMPLETED: &str = "completed";

/// The keys of a service that make no difference to its containers: so Compose's hash of a service
/// (`pkg/compose/hash.go`). Those of [`NOT_HASHED_OF_DEPLOY`] are others.
pub(super) const NOT_HASHED: [&str; 5] = ["build", "pull_policy", "scale", "depends_on", "profiles"];

/// The keys of `deploy` that make no difference to the containers of a service.
pub(super) const NOT_HASHED_OF_DEPLOY: [&str; 1] = ["replicas"];

/// The keys whose content the environment, the labels and the attributes of `deploy` have already.
const ELSEWHERE: [&str; 3] = ["env_file", "label_file", "deploy"];

/// Adds the processes of what a deployment of a project makes. A project with too many containers has none.
pub(super) fn add(elements: &mut Elements<'_>) {
    let project = elements.project;
    if counts::too_many(project).is_some() {
        return;
    }
    for (section, sort) in [("networks", "network"), ("volumes", "volume")] {
        let used = used(project, section);
        for (name, resource) in project.section(section) {
            if let Some(id) = elements.id(section, name)
                && used.contains(name)
                && !counts::is_external(resource)
            {
                let process = self::resource(project, sort, name, resource);
                elements.all.element_mut(id).process = Some(Box::new(process));
            }
        }
    }
    let phases = phases(project);
    for (name, service) in project.section(SERVICES.key) {
        if let Some(id) = elements.id(SERVICES.key, name) {
            let copies = elements.all.element(id).copies.count;
            let process = Process {
                sort: Some("container".into()),
                phases: phases[name].iter().map(|&phase| phase.into()).collect(),
                endings: vec!["stopped".into()],
                // Ports and addresses are those of containers that run.
                in_effect: 1,
                attributes: attributes_of_service(project, service),
                needs: needs(elements, service),
                replacement: Replacement::OldFirst { before: 1 },
                specifications: specification::containers(project, name, service, copies),
                ..Process::default()
            };
            elements.all.element_mut(id).process = Some(Box::new(process));
        }
    }
}

/// The process of a network or volume.
fn resource(project: &Project, sort: &'static str, name: &str, resource: &Datum) -> Process {
    let is_volume = sort == "volume";
    let on_change = if is_volume { OnChange::Refuse } else { OnChange::Replace };
    let is_own_name = |key: &str, value: &Datum| {
        key == "name" && value.as_str() == Some(&format!("{}_{name}", project.name))
    };
    Process {
        // A service may have the same name.
        name: Some(format!("{sort} {name}").into()),
        attributes: attributes(project, resource, on_change, is_own_name),
        removal: if is_volume { Removal::Leave } else { Removal::Delete },
        holds_data: is_volume,
        replacement: Replacement::OldFirst { before: 0 },
        specifications: vec![specification::resource(project, sort, name, resource)],
        ..Process::default()
    }
}

/// The networks or volumes that some service uses; the others are not created.
fn used<'p>(project: &'p Project, section: &str) -> BTreeSet<&'p str> {
    let mut used = BTreeSet::new();
    for (_, service) in project.section(SERVICES.key) {
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

/// The phases of each service.
fn phases(project: &Project) -> FxHashMap<&str, Vec<&'static str>> {
    let mut waited: BTreeSet<(&str, &str)> = BTreeSet::new();
    for (_, service) in project.section(SERVICES.key) {
        let depends = service.get("depends_on").and_then(Datum::as_map).into_iter().flat_map(Map::iter);
        waited.extend(depends.map(|(target, value)| (target, phase(value))));
    }
    let of = |name: &str, service: &Datum| {
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
        all
    };
    project.section(SERVICES.key).map(|(name, service)| (name, of(name, service))).collect()
}

/// The phase that an entry of `depends_on` waits for.
fn phase(dependency: &Datum) -> &'static str {
    match dependency.get("condition").and_then(Datum::as_str) {
        Some("service_healthy") => HEALTHY,
        Some("service_completed_successfully") => COMPLETED,
        _ => STARTED,
    }
}

/// All that each container of a service needs.
fn needs(elements: &Elements<'_>, service: &Datum) -> Vec<Need> {
    let of = |section: &'static str, name: &str| {
        let need = Need::new(elements.id(section, name)?);
        Some(Need { via: Some(section.into()), ..need })
    };
    let networks = service.get("networks").and_then(Datum::as_map).into_iter().flat_map(Map::in_file_order);
    let mut needs: Vec<Need> = networks.filter_map(|(name, _)| of("networks", name)).collect();
    needs.extend(volumes(service).filter_map(|name| of("volumes", name)));
    needs.extend(shared(elements, service));
    let depends = service.get("depends_on").and_then(Datum::as_map).into_iter().flat_map(Map::in_file_order);
    for (target, entry) in depends {
        let value = &entry.value;
        let Some(other) = elements.active(target) else { continue };
        let restart = value.get("restart").and_then(Datum::as_bool) == Some(true);
        let via = if links(service).any(|linked| linked == target) { "links" } else { "depends_on" };
        needs.push(Need {
            via: restart.then(|| via.into()),
            at: 1,
            phase: Some(phase(value).into()),
            only_to_start: !restart,
            ..Need::new(other)
        });
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
fn shared(elements: &Elements<'_>, service: &Datum) -> Vec<Need> {
    let mut others = Vec::new();
    for key in ["network_mode", "ipc", "pid"] {
        let mode = service.get(key).and_then(Datum::as_str).and_then(|mode| mode.strip_prefix("service:"));
        others.extend(mode.map(|target| (key, target)));
    }
    for key in ["volumes_from", "links"] {
        let items = service.get(key).and_then(Datum::as_list).unwrap_or_default();
        let names = items.iter().filter_map(|item| item.as_str()?.split(':').next());
        others.extend(names.map(|target| (key, target)));
    }
    let need = |(key, target): (&str, &str)| {
        let other = elements.active(target)?;
        // Names stay when what they are about is made anew; ids do not.
        let is_name = key == "links";
        Some(Need {
            to: Needed::First(other),
            via: (!is_name).then(|| key.into()),
            phase: Some(CREATED.into()),
            only_to_start: is_name,
            ..Need::new(other)
        })
    };
    others.into_iter().filter_map(need).collect()
}

fn attributes_of_service(project: &Project, service: &Datum) -> Vec<Attribute> {
    let replace = OnChange::Replace;
    let mut all =
        attributes(project, service, replace, |key, _| NOT_HASHED.contains(&key) || ELSEWHERE.contains(&key));
    if let Some(deploy) = service.get("deploy") {
        let of_deploy = attributes(project, deploy, replace, |key, _| NOT_HASHED_OF_DEPLOY.contains(&key));
        let named = |one: Attribute| Attribute { name: format!("deploy.{}", one.name).into(), ..one };
        all.extend(of_deploy.into_iter().map(named));
    }
    all
}

/// The entries of a map as attributes, but for those that make no difference.
fn attributes(
    project: &Project,
    map: &Datum,
    on_change: OnChange,
    skip: impl Fn(&str, &Datum) -> bool,
) -> Vec<Attribute> {
    let entries = map.as_map().into_iter().flat_map(|map| &map.0);
    let entries = entries
        .filter(|(key, entry)| !matches!(entry.value.content, Content::Null) && !skip(key, &entry.value));
    let attribute = |(key, entry): (&String, &crate::values::datum::Entry)| Attribute {
        name: Arc::from(key.as_str()),
        value: value::within(project, &entry.value),
        on_change,
        place: entry.key,
    };
    entries.map(attribute).collect()
}
