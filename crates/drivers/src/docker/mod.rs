//! Compose projects on a Docker engine.
//!
//! Containers, networks and volumes have the names and labels that Docker Compose gives them, and the hash of their
//! configuration is the same, so that `docker compose ps`, `logs`, `up` and `down` take what was made here for their
//! own, and the other way round. Each also has the label `dev.locus.token`: after a crash the token of an interrupted
//! step is looked up.
//!
//! Out of scope: how a Compose file is read (`locus-compose`), and in which order steps are done.

mod archive;
mod container;
mod engine;
mod hooks;
mod ignore;
mod image;
mod inventory;
mod limits;
mod mounts;
mod part;
mod resource;

mod spec;
#[cfg(test)]
mod tests;
mod translate;

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use locus_engine::{Cause, Failure, Left, Observation};

use crate::ability::{Ability, EVERYTHING, Tokens};
use crate::{Driver, Found, Order, Page, Reply, Seen};

use container::{Containers, Outputs};
pub use engine::DEFAULT_HOST;
pub(crate) use engine::host;
use engine::{Answer, Engine, Trouble};
pub use inventory::{ImageFacts, Inventory, Listed};
use spec::Spec;

/// Looks up a variable of the environment of a project.
pub type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Names and labels carry the token, and everything is looked for before it is made.
pub(crate) static ABILITY: Ability =
    Ability { tokens: Tokens::Honoured, lists: true, imports: false, sorts: EVERYTHING };

/// How long an engine that does not answer is asked whether a step was done.
const PATIENCE: Duration = Duration::from_mins(1);

/// Makes containers, networks and volumes.
pub struct Docker {
    engine: Engine,
    variables: Variables,
}

impl Docker {
    /// Connects to the engine at an address: `unix://PATH` or `tcp://HOST:PORT`. `variables` has the values of secrets
    /// and configs that are variables.
    ///
    /// # Errors
    /// If there is no engine, or it does not answer; in words.
    pub fn connect(host: &str, variables: Variables) -> Result<Self, String> {
        Ok(Self { engine: Engine::connect(host)?, variables })
    }

    fn containers<'a>(&'a self, spec: &'a spec::Container, order: &'a Order) -> Containers<'a> {
        Containers { engine: &self.engine, spec, order, variables: &self.variables }
    }

    fn do_it(&self, spec: &Spec, order: &Order) -> Answer<(String, Outputs)> {
        let id = order.id.clone();
        let named = |id: String| {
            let outputs = Outputs::from([("id".to_owned(), id.clone())]);
            (id, outputs)
        };
        match (spec, order.operation.as_str()) {
            (Spec::Network(network), "create" | "update") => {
                resource::make_network(&self.engine, network, &order.token).map(named)
            }
            (Spec::Network(_), "delete") => {
                resource::remove_network(&self.engine, &id).map(|()| (id, Outputs::new()))
            }
            (Spec::Volume(volume), "create" | "update") => {
                resource::make_volume(&self.engine, volume, &order.token).map(named)
            }
            (Spec::Volume(_), "delete") => {
                resource::remove_volume(&self.engine, &id).map(|()| (id, Outputs::new()))
            }
            (Spec::Container(container), operation) => {
                let containers = self.containers(container, order);
                let id = match operation {
                    "create" | "update" => id,
                    _ => containers.held(&id)?.unwrap_or(id),
                };
                match operation {
                    "create" => containers.create(),
                    "start" => containers.start(&id).map(|outputs| (id, outputs)),
                    "healthy" | "completed" => containers.wait(&id, operation).map(|outputs| (id, outputs)),
                    "stop" => containers.stop(&id).map(|outputs| (id, outputs)),
                    "delete" => containers.remove(&id).map(|()| (id, Outputs::new())),
                    "update" => containers.restore(),
                    other => Err(Trouble::Refused(format!("a container cannot be asked to {other}"))),
                }
            }
            (_, other) => Err(Trouble::Refused(format!("{} cannot be asked to {other}", order.node))),
        }
    }

    /// The observation of a step.
    fn seen(&self, spec: &Spec, order: &Order) -> Answer<Observation> {
        let done = |id: Option<String>| match id {
            Some(id) => Observation::Done { outputs: Outputs::from([("id".to_owned(), id.clone())]), id },
            None => Observation::Absent,
        };
        let gone = |is_gone: bool| {
            if is_gone {
                Observation::Done { id: order.id.clone(), outputs: Outputs::new() }
            } else {
                Observation::Absent
            }
        };
        Ok(match (spec, order.operation.as_str()) {
            (Spec::Network(network), "create") => done(resource::find_network(&self.engine, network)?),
            (Spec::Volume(volume), "create") => done(resource::find_volume(&self.engine, volume)?),
            (Spec::Container(container), "create") => {
                let containers = self.containers(container, order);
                // Making it again finds it, and does what is missing.
                let _ = containers.made(&containers.service()?)?;
                Observation::Absent
            }
            (Spec::Container(container), "start") => {
                // Whether it runs can be seen, but not whether its hooks have.
                let containers = self.containers(container, order);
                let held = containers.held(&order.id)?.unwrap_or_default();
                let found = containers.inspect(&held)?;
                let was_started = found.is_some_and(|found| containers.was_started(&found));
                gone(was_started && container.hooks("post_start").is_empty())
            }
            (Spec::Container(container), "delete") => {
                gone(self.containers(container, order).held(&order.id)?.is_none())
            }
            // All of this can be done again.
            _ => Observation::Absent,
        })
    }

    fn there(&self, spec: &Spec, order: &Order) -> Answer<Seen> {
        let there = |found: bool| if found { Seen::There } else { Seen::Gone };
        Ok(match spec {
            Spec::Network(network) => there(resource::find_network(&self.engine, network)?.is_some()),
            Spec::Volume(volume) => there(resource::find_volume(&self.engine, volume)?.is_some()),
            Spec::Container(container) => {
                let containers = self.containers(container, order);
                let held = containers.held(&order.id)?.unwrap_or_default();
                let Some(found) = containers.inspect(&held)? else { return Ok(Seen::Gone) };
                let ends = serde_json::from_str::<serde_json::Value>(&order.desired).is_ok_and(|desired| {
                    desired["phases"]
                        .as_array()
                        .is_some_and(|all| all.iter().any(|phase| phase == "completed"))
                });
                match containers.drift(&found, ends || container.may_end())? {
                    Some(what) => Seen::Changed(what),
                    None => Seen::There,
                }
            }
        })
    }
}

impl Driver for Docker {
    fn ability(&self) -> &Ability {
        &ABILITY
    }

    /// One page: an engine tells all that it has at once.
    fn list(&self, tokens: &str, _: Option<&str>) -> Result<Page, Failure> {
        let all = inventory::tokens(&self.engine).map_err(|trouble| {
            let reason = trouble.reason().to_owned();
            let cause = match trouble {
                Trouble::Busy(_) => Cause::Busy,
                Trouble::NotSent(_) | Trouble::Lost(_) => Cause::Network,
                Trouble::Missing(_) | Trouble::Conflict(_) | Trouble::Refused(_) => Cause::Refused,
            };
            Failure::new(cause, reason)
        })?;
        let own = all.into_iter().filter(|(_, token)| token.starts_with(tokens));
        Ok(Page { found: own.map(|(id, token)| Found { id, token }).collect(), next: None })
    }

    fn call(&self, order: &Order) -> Reply {
        let failed = |cause: Cause, reason: String| {
            let left = if order.operation == "create" { Left::Something } else { Left::Nothing };
            Reply::failed(Failure::new(cause, reason).leaving(left))
        };
        let spec = match Spec::of(order) {
            Ok(spec) => spec,
            Err(reason) => return failed(Cause::Refused, reason),
        };
        match self.do_it(&spec, order) {
            Ok((id, outputs)) => Reply::done(id, outputs),
            Err(Trouble::Lost(_)) => Reply::Lost,
            Err(Trouble::Busy(reason)) => failed(Cause::Busy, reason),
            Err(Trouble::NotSent(reason)) => failed(Cause::Network, reason),
            Err(Trouble::Missing(reason) | Trouble::Conflict(reason) | Trouble::Refused(reason)) => {
                failed(Cause::Refused, reason)
            }
        }
    }

    fn observe(&self, order: &Order) -> Observation {
        let unsure = |reason: String| Observation::Unsure { reason };
        let spec = match Spec::of(order) {
            Ok(spec) => spec,
            Err(reason) => return unsure(reason),
        };
        let began = Instant::now();
        loop {
            match self.seen(&spec, order) {
                Ok(observation) => return observation,
                Err(Trouble::Lost(_) | Trouble::NotSent(_) | Trouble::Busy(_))
                    if began.elapsed() < PATIENCE =>
                {
                    sleep(Duration::from_millis(500));
                }
                Err(Trouble::Lost(reason) | Trouble::NotSent(reason) | Trouble::Busy(reason)) => {
                    return unsure(reason);
                }
                // The call says why.
                Err(Trouble::Missing(_) | Trouble::Conflict(_) | Trouble::Refused(_)) => {
                    return Observation::Absent;
                }
            }
        }
    }

    fn settles_within(&self, _: &Order) -> Duration {
        Duration::from_secs(2)
    }

    fn look(&self, order: &Order) -> Seen {
        let spec = match Spec::of(order) {
            Ok(spec) => spec,
            Err(reason) => return Seen::Unsure(reason),
        };
        self.there(&spec, order).unwrap_or_else(|trouble| match trouble {
            Trouble::Refused(reason) => Seen::Changed(reason),
            other => Seen::Unsure(other.reason().to_owned()),
        })
    }
}
