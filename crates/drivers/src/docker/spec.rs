//! The specification of a container, network or volume in a deployment: how it was planned.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::Order;

/// The specification of a thing in the file.
#[derive(Clone, Deserialize, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Spec {
    Container(Container),
    Network(Resource),
    Volume(Resource),
}

/// A container of a service.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Container {
    pub(crate) project: String,
    /// The name of the service.
    pub(crate) key: String,
    pub(crate) number: i64,
    pub(crate) name: String,
    pub(crate) image: String,
    /// The text that is hashed. `\u0000NAME\u0000` stands for the id of the first container of another service.
    service: String,
    /// Ranges of ports in that text, each by the text that stands in the place of a port.
    #[serde(default)]
    ranges: BTreeMap<String, Range>,
    /// The part that is not hashed: `build`, `pull_policy` and `depends_on`.
    #[serde(default)]
    pub(crate) rest: Value,
    pub(crate) labels: BTreeMap<String, String>,
    /// The names of networks and volumes, by the name that the file has for them.
    #[serde(default)]
    pub(crate) networks: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) volumes: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) secrets: BTreeMap<String, Value>,
    #[serde(default)]
    pub(crate) configs: BTreeMap<String, Value>,
}

/// A range of ports.
#[derive(Clone, Deserialize, Debug)]
struct Range {
    first: u16,
    last: u16,
    /// The port of the host for the first one.
    published: Option<u16>,
    /// The form of each port, with `TARGET` and `PUBLISHED` for the numbers.
    each: String,
}

impl Range {
    /// Each port as Compose writes it, in its order: that of the texts.
    fn written(&self) -> String {
        let mut targets: Vec<u16> = (self.first..=self.last).collect();
        targets.sort_by_cached_key(|target| format!("{target}/"));
        let port = |target: u16| {
            let each = self.each.replace("TARGET", &target.to_string());
            match self.published {
                Some(first) => each.replace("PUBLISHED", &(first + (target - self.first)).to_string()),
                None => each,
            }
        };
        targets.into_iter().map(port).collect::<Vec<_>>().join(",")
    }
}

/// A network or volume.
#[derive(Clone, Deserialize, Debug)]
pub(crate) struct Resource {
    pub(crate) project: String,
    /// The name that the file has for it.
    pub(crate) key: String,
    pub(crate) name: String,
    /// The text that is hashed.
    config: String,
    pub(crate) labels: BTreeMap<String, String>,
}

/// A service with the ids of the containers that it refers to, and the hash by which Compose knows it.
pub(crate) struct Service {
    pub(crate) config: Value,
    pub(crate) hash: String,
}

/// The delimiter of the name of a service whose container is meant, as JSON writes it.
const MARK: &str = "\\u0000";

impl Spec {
    /// The specification of the node of an order.
    pub(crate) fn of(order: &Order) -> Result<Self, String> {
        let desired: Value = serde_json::from_str(&order.desired).map_err(|error| error.to_string())?;
        let read = match &desired["specification"] {
            // Versions of Locus before this one stored a text with JSON in it.
            Value::Null => serde_json::from_str(desired["told"].as_str().unwrap_or_default()),
            specification => Self::deserialize(specification),
        };
        read.map_err(|error| format!("what is stored of {} is not about Docker: {error}", order.node))
    }
}

impl Container {
    /// The services whose containers this one refers to.
    pub(crate) fn references(&self) -> Vec<&str> {
        self.service.split(MARK).skip(1).step_by(2).collect()
    }

    /// The service, with the ids of the containers that it refers to.
    pub(crate) fn service(&self, ids: &BTreeMap<String, String>) -> Result<Service, String> {
        let mut text = self.service.clone();
        for name in self.references() {
            let id = ids.get(name).ok_or_else(|| format!("there is no container of the service {name}"))?;
            text = text.replace(&format!("{MARK}{name}{MARK}"), id);
        }
        for (mark, range) in &self.ranges {
            text = text.replace(&Value::from(mark.as_str()).to_string(), &range.written());
        }
        let config = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        Ok(Service { config, hash: hash(&text) })
    }
}

impl Container {
    /// The text of the service, apart from containers that it refers to.
    fn plain(&self) -> Value {
        serde_json::from_str(&self.service).unwrap_or_default()
    }

    /// The commands that are run in the container at some moment.
    pub(crate) fn hooks(&self, when: &str) -> Vec<Value> {
        self.plain()[when].as_array().cloned().unwrap_or_default()
    }

    /// Whether the container may end without being started again.
    pub(crate) fn may_end(&self) -> bool {
        let service = self.plain();
        let policy =
            service["deploy"]["restart_policy"]["condition"].as_str().or(service["restart"].as_str());
        matches!(policy.unwrap_or_default(), "" | "no" | "none")
            || policy.is_some_and(|policy| policy.starts_with("on-failure"))
    }
}

impl Resource {
    pub(crate) fn config(&self) -> Result<Value, String> {
        serde_json::from_str(&self.config).map_err(|error| error.to_string())
    }

    pub(crate) fn hash(&self) -> String {
        hash(&self.config)
    }
}

/// The SHA-256 of a text, in hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    let mut out = String::new();
    for byte in Sha256::digest(text.as_bytes()) {
        let _ = write!(out, "{byte:02x}");
    }
    out
}
