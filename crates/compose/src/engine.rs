//! Facts that a Docker engine knows and a Compose file does not state: what images have, which networks and volumes
//! exist, which ports and names are taken. Only `locus check --engine` asks it.

use locus_meaning::things::Thing;
use locus_source::{Finding, Place, Severity};
use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use crate::meaning::RANGE;
use crate::rules::{
    CONTAINER_NAME_TAKEN, IMAGE_MISSING, NETWORK_MISSING, NOT_EXPOSED, PORT_TAKEN, VOLUME_MISSING,
};
use crate::values::short::port::{self, Port};

/// Facts about the containers of an image.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    /// Whether it has a health check.
    pub has_health_check: bool,
    /// The ports that it exposes: `80/tcp`.
    pub exposed: Vec<String>,
    /// The user that its containers run as; empty for root.
    pub user: String,
}

/// A container that is there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Existing {
    /// Its name.
    pub name: String,
    /// The Compose project that it belongs to; empty if it belongs to none.
    pub project: String,
    /// The ports of the host that it has: address, number and protocol.
    pub ports: Vec<(String, u16, String)>,
}

/// A Docker engine that can be asked. An answer of none means that it could not be asked.
pub trait Machine: Send + Sync {
    /// An image; none inside if it is not there.
    fn image(&self, name: &str) -> Option<Option<Image>>;
    /// Whether there is a network with a name.
    fn has_network(&self, name: &str) -> Option<bool>;
    /// Whether there is a volume with a name.
    fn has_volume(&self, name: &str) -> Option<bool>;
    /// All containers.
    fn containers(&self) -> &[Existing];
}

/// A container as it is planned.
struct Planned<'t> {
    thing: &'t Thing,
    told: Json,
    service: Json,
}

impl Planned<'_> {
    fn place(&self, key: &str) -> Option<Place> {
        let property = self.thing.properties.iter().find(|property| property.name == key);
        property.and_then(|property| property.place).or(self.thing.place)
    }

    fn text(&self, key: &str) -> &str {
        self.told[key].as_str().unwrap_or_default()
    }

    /// Its ports, ranges as ranges.
    fn ports(&self) -> impl Iterator<Item = Port> {
        let text = |port: &Json, key: &str| port[key].as_str().unwrap_or_default().to_owned();
        let one = move |port: &Json| {
            let target = u16::try_from(port["target"].as_u64()?).ok()?;
            let protocol = port["protocol"].as_str().unwrap_or("tcp").to_owned();
            let published = port::range(&text(port, "published")).filter(|range| range.0 != 0);
            Some(Port { address: text(port, "host_ip"), protocol, target: (target, target), published })
        };
        self.service["ports"].as_array().into_iter().flatten().filter_map(move |port| match port.as_str() {
            Some(range) => port::parse(range.trim_start_matches(RANGE)).ok(),
            None => one(port),
        })
    }
}

/// Completes what was found in a project by what an engine knows.
pub fn judge(things: &[Thing], machine: &dyn Machine, findings: &mut Vec<Finding>) {
    let planned = things.iter().filter(|thing| thing.sort == "container").filter_map(|thing| {
        let told = thing.specification.clone()?;
        // One container stands for all of its service.
        (told["number"] == 1).then_some(())?;
        let service = serde_json::from_str(told["service"].as_str()?).ok()?;
        Some(Planned { thing, told, service })
    });
    for one in planned {
        image(&one, machine, findings);
        resources(&one, things, machine, findings);
        taken(&one, machine, findings);
    }
}

fn image(one: &Planned<'_>, machine: &dyn Machine, findings: &mut Vec<Finding>) {
    let Some(answer) = machine.image(one.text("image")) else { return };
    let (service, name) = (one.text("key"), one.text("image"));
    let Some(image) = answer else {
        if one.told["rest"]["pull_policy"] == "never"
            && let Some(place) = one.place("image")
        {
            let message = format!(
                "the image {name} of {service} is not on the engine, and `pull_policy` forbids to pull it"
            );
            let finding = Finding::new(&IMAGE_MISSING, place, message);
            findings.push(finding.help("pull or build it, or let Compose do so with `pull_policy: missing`"));
        }
        return;
    };
    // The rules know the file alone.
    let is_about_this = |finding: &Finding, code: &str| {
        finding.code.as_str() == code
            && finding.secondary.iter().any(|label| Some(label.place) == one.thing.place)
    };
    if image.has_health_check {
        findings.retain(|finding| !is_about_this(finding, "CMP120"));
    }
    for finding in findings.iter_mut().filter(|finding| is_about_this(finding, "CMP120")) {
        finding.severity = Severity::Error;
        finding.notes.push(format!("the image {name} has no health check either, as the engine says"));
        finding.help = Some(format!("give {service} a `healthcheck`"));
    }
    let user = one.service["user"].as_str().filter(|user| !user.is_empty()).unwrap_or(&image.user);
    if !is_root(user) {
        for finding in findings.iter_mut().filter(|finding| is_about_this(finding, "CMP140")) {
            finding.notes.push(format!(
                "{service} runs as the user {user}, who cannot write to a folder that belongs to root"
            ));
        }
    }
    let exposed: FxHashSet<&str> = image.exposed.iter().map(String::as_str).collect();
    for port in one.ports() {
        let (first, last) = port.target;
        let is_exposed = |target: u16| exposed.contains(format!("{target}/{}", port.protocol).as_str());
        if !exposed.is_empty()
            && !(first..=last).all(is_exposed)
            && let Some(place) = one.place("ports")
        {
            let mut all: Vec<&str> = exposed.iter().copied().collect();
            all.sort_unstable();
            let target = format!("{}/{}", port::range_text(port.target), port.protocol);
            let message =
                format!("{service} publishes {target}, and its image {name} exposes {}", all.join(", "));
            findings.push(Finding::new(&NOT_EXPOSED, place, message));
        }
    }
}

/// External networks and volumes.
fn resources(one: &Planned<'_>, things: &[Thing], machine: &dyn Machine, findings: &mut Vec<Finding>) {
    let service = one.text("key");
    for (section, kind, rule) in
        [("networks", "network", &NETWORK_MISSING), ("volumes", "volume", &VOLUME_MISSING)]
    {
        for (key, name) in one.told[section].as_object().into_iter().flatten() {
            // What is not external is made.
            let (thing, name) = (format!("{kind} {key}"), name.as_str().unwrap_or_default());
            if things.iter().any(|other| other.name == thing) {
                continue;
            }
            let there = if kind == "network" { machine.has_network(name) } else { machine.has_volume(name) };
            if there == Some(false)
                && let Some(place) = one.place(section)
            {
                let message =
                    format!("{service} uses the external {kind} {name}, which is not on the engine");
                findings.push(
                    Finding::new(rule, place, message)
                        .help(format!("make it with `docker {kind} create {name}`")),
                );
            }
        }
    }
}

/// Ports and names that other projects have.
fn taken(one: &Planned<'_>, machine: &dyn Machine, findings: &mut Vec<Finding>) {
    let service = one.text("key");
    let others = machine.containers().iter().filter(|other| other.project != one.text("project"));
    for other in others {
        if one.service["container_name"] == other.name.as_str()
            && let Some(place) = one.place("container_name")
        {
            let message =
                format!("the name {} of {service} is that of a container which is there already", other.name);
            findings.push(Finding::new(&CONTAINER_NAME_TAKEN, place, message));
        }
        for port in one.ports() {
            let Some((first, last)) = port.taken() else { continue };
            let taken = other.ports.iter().find(|(host, taken, spoken)| {
                (first..=last).contains(taken) && *spoken == port.protocol && overlap(host, &port.address)
            });
            if let Some((_, number, protocol)) = taken
                && let Some(place) = one.place("ports")
            {
                let message = format!(
                    "{service} publishes port {number}/{protocol} of the host, which the container {} has",
                    other.name
                );
                findings
                    .push(Finding::new(&PORT_TAKEN, place, message).help("stop it, or publish another port"));
            }
        }
    }
}

/// Whether a user, perhaps with a group, is root.
fn is_root(user: &str) -> bool {
    matches!(user.split(':').next(), None | Some("" | "0" | "root"))
}

/// Whether a socket at one address keeps another from listening at the other.
fn overlap(a: &str, b: &str) -> bool {
    let covers = |all: &str, one: &str| match all {
        "" => true,
        "0.0.0.0" => !one.contains(':'),
        "::" => one.contains(':'),
        _ => false,
    };
    a == b || covers(a, b) || covers(b, a)
}

#[cfg(test)]
mod tests;
