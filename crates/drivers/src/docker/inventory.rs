//! The inventory of an engine before anything is built: for `locus check --engine`.

use std::collections::BTreeSet;

use bollard::query_parameters::{ListContainersOptions, ListNetworksOptions, ListVolumesOptions};

use super::engine::{Answer, Engine, if_there};
use super::translate::{COMPOSE, TOKEN};

/// The contents of an engine.
pub struct Inventory {
    engine: Engine,
    /// The names of its networks.
    pub networks: BTreeSet<String>,
    /// The names of its volumes.
    pub volumes: BTreeSet<String>,
    /// Its containers.
    pub containers: Vec<Listed>,
}

/// A container on an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// The Compose project that it belongs to; empty if it belongs to none.
    pub project: String,
    /// The ports of the host that it has: address, number and protocol.
    pub ports: Vec<(String, u16, String)>,
}

/// Facts about the containers of an image.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImageFacts {
    /// Whether it has a health check.
    pub has_health_check: bool,
    /// The ports that it exposes: `80/tcp`.
    pub exposed: Vec<String>,
    /// The user that its containers run as; empty for root.
    pub user: String,
}

/// All containers, networks and volumes that a step made: what the engine calls each, and the token.
pub(crate) fn tokens(engine: &Engine) -> Answer<Vec<(String, String)>> {
    let options = ListContainersOptions { all: true, ..ListContainersOptions::default() };
    let containers = engine.ask(engine.client.list_containers(Some(options)))?;
    let mut all: Vec<_> = containers.into_iter().map(|one| (one.id, one.labels)).collect();
    let networks = engine.ask(engine.client.list_networks(None::<ListNetworksOptions>))?;
    all.extend(networks.into_iter().map(|one| (one.id, one.labels)));
    let volumes = engine.ask(engine.client.list_volumes(None::<ListVolumesOptions>))?;
    all.extend(volumes.volumes.into_iter().flatten().map(|one| (Some(one.name), Some(one.labels))));
    let marked = all.into_iter().filter_map(|(id, labels)| Some((id?, labels?.remove(TOKEN)?)));
    Ok(marked.collect())
}

impl Inventory {
    /// Asks the engine at an address.
    ///
    /// # Errors
    /// If there is no engine, or it does not answer; in words.
    pub fn take(host: &str) -> Result<Self, String> {
        let engine = Engine::connect(host)?;
        let wrong = |trouble: super::engine::Trouble| trouble.reason().to_owned();
        let networks = engine.ask(engine.client.list_networks(None::<ListNetworksOptions>)).map_err(wrong)?;
        let networks = networks.into_iter().filter_map(|network| network.name).collect();
        let volumes = engine.ask(engine.client.list_volumes(None::<ListVolumesOptions>)).map_err(wrong)?;
        let volumes = volumes.volumes.into_iter().flatten().map(|volume| volume.name).collect();
        let options = ListContainersOptions { all: true, ..ListContainersOptions::default() };
        let containers = engine.ask(engine.client.list_containers(Some(options))).map_err(wrong)?;
        let listed = |one: bollard::models::ContainerSummary| Listed {
            name: one
                .names
                .iter()
                .flatten()
                .next()
                .map_or("", String::as_str)
                .trim_start_matches('/')
                .to_owned(),
            project: one
                .labels
                .as_ref()
                .and_then(|labels| labels.get(&format!("{COMPOSE}.project")).cloned())
                .unwrap_or_default(),
            ports: one
                .ports
                .into_iter()
                .flatten()
                .filter_map(|port| {
                    let protocol = port.typ.map_or_else(|| "tcp".to_owned(), |kind| kind.to_string());
                    Some((port.ip.unwrap_or_default(), port.public_port?, protocol))
                })
                .collect(),
        };
        let mut containers: Vec<Listed> = containers.into_iter().map(listed).collect();
        containers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Self { engine, networks, volumes, containers })
    }

    /// Facts about an image; none inside if it does not exist, none if the engine does not answer.
    pub fn image(&self, name: &str) -> Option<Option<ImageFacts>> {
        let found = if_there(self.engine.ask(self.engine.client.inspect_image(name))).ok()?;
        Some(found.map(|image| {
            let config = image.config.unwrap_or_default();
            let test = config.healthcheck.and_then(|check| check.test).unwrap_or_default();
            ImageFacts {
                has_health_check: test.first().is_some_and(|first| first != "NONE"),
                exposed: config.exposed_ports.unwrap_or_default(),
                user: config.user.unwrap_or_default(),
            }
        }))
    }
}
