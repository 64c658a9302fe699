//! The Docker engine that `locus check --engine` asks.

use anyhow::anyhow;
use locus_compose::engine::{Existing, Image};
use locus_drivers::Inventory;

use crate::commands::usual;

/// The contents of the engine.
pub(crate) struct Machine {
    inventory: Inventory,
    containers: Vec<Existing>,
}

impl Machine {
    pub(crate) fn ask() -> anyhow::Result<Self> {
        let site = usual("docker", &[])?;
        let inventory = site.setting("host").and_then(Inventory::take);
        let inventory = inventory.map_err(|reason| anyhow!("--engine: {reason}"))?;
        let existing = |one: &locus_drivers::Listed| Existing {
            name: one.name.clone(),
            project: one.project.clone(),
            ports: one.ports.clone(),
        };
        let containers = inventory.containers.iter().map(existing).collect();
        Ok(Self { inventory, containers })
    }
}

impl locus_compose::engine::Machine for Machine {
    fn image(&self, name: &str) -> Option<Option<Image>> {
        let found = self.inventory.image(name)?;
        Some(found.map(|facts| Image {
            has_health_check: facts.has_health_check,
            exposed: facts.exposed,
            user: facts.user,
        }))
    }

    fn has_network(&self, name: &str) -> Option<bool> {
        Some(self.inventory.networks.contains(name))
    }

    fn has_volume(&self, name: &str) -> Option<bool> {
        Some(self.inventory.volumes.contains(name))
    }

    fn containers(&self) -> &[Existing] {
        &self.containers
    }
}
