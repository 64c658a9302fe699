//! Containers: made, started, waited for, stopped and removed. Each step can be done again after it was interrupted
//! anywhere: it looks at what is there first.

use std::collections::{BTreeMap, HashMap};
use std::thread::sleep;
use std::time::{Duration, Instant};

use bollard::models::{
    ContainerCreateBody, ContainerInspectResponse, ContainerStateStatusEnum, ContainerSummary,
    HealthStatusEnum, ImageInspect, NetworkConnectRequest,
};
use bollard::query_parameters::{
    CreateContainerOptions, ListContainersOptions, RemoveContainerOptions, RenameContainerOptions,
    UploadToContainerOptions,
};
use serde_json::{Value, json};

use super::engine::{Answer, Engine, Trouble, if_there};
use super::mounts::{self, Content};
use super::part::Part;
use super::spec::{Container, Service, hash};
use super::translate::{self, Around, COMPOSE, HASH, IMAGE, SEVERAL_NETWORKS, TOKEN};
use super::{Variables, archive, hooks, image};
use crate::secret::{self, Secret};
use crate::{Order, numbered};

/// The output with the time of the last start before this one, which tells whether a start has taken place. It begins
/// with a point: it is nothing that people want to see.
const STARTED_AT: &str = ".started_at";

/// When a container was started that never was.
const NEVER: &str = "0001-01-01T00:00:00Z";

/// How long a container may take to end with success.
const LONGEST: Duration = Duration::from_hours(1);

pub(crate) type Outputs = BTreeMap<String, String>;

/// A step about a container.
pub(crate) struct Containers<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) spec: &'a Container,
    pub(crate) order: &'a Order,
    pub(crate) variables: &'a Variables,
}

/// Why a wait ended without what was waited for.
enum Waiting {
    Over(Outputs),
    Failed(String),
    NotYet,
}

impl Containers<'_> {
    fn list(&self, labels: Vec<String>) -> Answer<Vec<ContainerSummary>> {
        let filters = Some(HashMap::from([("label".to_owned(), labels)]));
        let options = ListContainersOptions { all: true, filters, ..ListContainersOptions::default() };
        let mut all = self.engine.ask(self.engine.client.list_containers(Some(options)))?;
        all.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
        Ok(all)
    }

    fn of_service(&self, service: &str) -> Answer<Vec<ContainerSummary>> {
        let is = |key: &str, value: &str| format!("{COMPOSE}.{key}={value}");
        self.list(vec![is("project", &self.spec.project), is("service", service), is("oneoff", "False")])
    }

    /// The containers that have the number of this one.
    fn alike(&self) -> Answer<Vec<ContainerSummary>> {
        let number = self.spec.number.to_string();
        let mut all = self.of_service(&self.spec.key)?;
        all.retain(|one| label(one, &format!("{COMPOSE}.container-number")) == Some(&number));
        Ok(all)
    }

    pub(crate) fn inspect(&self, id: &str) -> Answer<Option<ContainerInspectResponse>> {
        if id.is_empty() {
            return Ok(None);
        }
        if_there(self.engine.ask(self.engine.client.inspect_container(id, None)))
    }

    /// The service with the ids of the containers that it shares something with.
    pub(crate) fn service(&self) -> Answer<Service> {
        let mut ids = BTreeMap::new();
        for name in self.spec.references() {
            let number = |one: &ContainerSummary| -> i64 {
                let number = label(one, &format!("{COMPOSE}.container-number"));
                number.and_then(|number| number.parse().ok()).unwrap_or(i64::MAX)
            };
            let all = self.of_service(name)?;
            // The newest of those with the least number: another may be about to go.
            let first = all.iter().map(number).min();
            let id = all.iter().rev().find(|one| Some(number(one)) == first).and_then(|one| one.id.clone());
            ids.insert(
                name.to_owned(),
                id.ok_or_else(|| format!("there is no container of the service {name}"))?,
            );
        }
        Ok(self.spec.service(&ids)?)
    }

    /// The container that this step made, or that somebody else made as this step would.
    pub(crate) fn made(&self, service: &Service) -> Answer<Option<String>> {
        let alike = self.alike()?;
        let is_as_described = |one: &&ContainerSummary| label(one, HASH) == Some(&service.hash);
        let by_token = alike.iter().find(|one| label(one, TOKEN) == Some(&self.order.token));
        if let Some(found) = by_token.filter(is_as_described) {
            return Ok(found.id.clone());
        }
        let mut foreign = None;
        for one in &alike {
            if !self.is_ours(one) && !self.is_in_our_place(one)? {
                foreign = foreign.or(Some(one));
            }
        }
        self.adopted(foreign, service)
    }

    /// Whether Compose made a container in the place of one of this deployment, which is gone.
    fn is_in_our_place(&self, one: &ContainerSummary) -> Answer<bool> {
        let node = numbered(&self.order.node).0;
        let Some(ours) = self.order.output(node, "id") else { return Ok(false) };
        Ok(label(one, TOKEN).is_none() && self.inspect(ours)?.is_none())
    }

    /// The id of the container: the known one or, where that is gone, that of one which was made in its place as this
    /// deployment would, with `docker compose up`.
    pub(crate) fn held(&self, id: &str) -> Answer<Option<String>> {
        if id.is_empty() {
            return Ok(None);
        }
        if let Some(found) = self.inspect(id)? {
            return Ok(found.id);
        }
        let alike = self.alike()?;
        let foreign = alike.iter().find(|one| !self.is_ours(one) && label(one, TOKEN).is_none());
        if foreign.is_none() {
            return Ok(None);
        }
        self.adopted(foreign, &self.service()?)
    }

    /// A container that somebody else made, if it is as this deployment would make it.
    fn adopted(&self, foreign: Option<&ContainerSummary>, service: &Service) -> Answer<Option<String>> {
        let Some(found) = foreign else { return Ok(None) };
        let is_as_described = |one: &&ContainerSummary| label(one, HASH) == Some(&service.hash);
        let name = found.names.iter().flatten().next().map_or("", String::as_str).trim_start_matches('/');
        if !is_as_described(&found) {
            return Err(Trouble::Refused(format!(
                "the container {name} is there with another configuration and was not made by this deployment; \
                 remove it, or bring it up to date with `docker compose up`"
            )));
        }
        let image = if_there(self.engine.ask(self.engine.client.inspect_image(&self.spec.image)))?;
        let image = image.and_then(|image| image.id);
        if image.is_some() && label(found, IMAGE) != image.as_ref() {
            return Err(Trouble::Refused(format!(
                "the container {name} is there with another image and was not made by this deployment; remove it, \
                 or bring it up to date with `docker compose up`"
            )));
        }
        Ok(found.id.clone())
    }

    /// Whether a container is one of this deployment.
    fn is_ours(&self, one: &ContainerSummary) -> bool {
        let mut known = self.known_ids().peekable();
        if known.peek().is_some() {
            return known.any(|id| Some(id) == one.id.as_ref());
        }
        self.has_our_token(one)
    }

    /// The ids of the nodes of this deployment.
    fn known_ids(&self) -> impl Iterator<Item = &String> {
        self.order.known.values().filter_map(|outputs| outputs.get("id"))
    }

    /// Whether a container was made by a step of this deployment.
    fn has_our_token(&self, one: &ContainerSummary) -> bool {
        let deployment = self.order.token.rsplit_once('/').map_or("", |(deployment, _)| deployment);
        label(one, TOKEN)
            .is_some_and(|token| token.rsplit_once('/').is_some_and(|(other, _)| other == deployment))
    }

    /// Makes the container.
    pub(crate) fn create(&self) -> Answer<(String, Outputs)> {
        let service = self.service()?;
        let id = match self.made(&service)? {
            Some(id) => id,
            None => self.create_anew(&service)?,
        };
        self.connect(&id, &service)?;
        let found =
            self.inspect(&id)?.ok_or_else(|| Trouble::Lost(format!("{} is gone again", self.spec.name)))?;
        let outputs =
            Outputs::from([("id".to_owned(), id.clone()), (STARTED_AT.to_owned(), started_at(&found))]);
        Ok((id, outputs))
    }

    fn create_anew(&self, service: &Service) -> Answer<String> {
        let config = Part(&service.config);
        let image = image::ensure(self.engine, self.spec, config)?;
        let mut replaced = None;
        for one in self.alike()?.into_iter().rev() {
            if replaced.is_none() && (self.is_ours(&one) || self.is_in_our_place(&one)?) {
                replaced = Some(one);
            }
        }
        let read = |path: &str| {
            let folder = self.spec.labels.get(&format!("{COMPOSE}.project.working_dir"));
            let path = std::path::Path::new(folder.map_or("", String::as_str)).join(path);
            std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let around = Around {
            api: self.engine.api,
            image_id: image.id.as_deref().unwrap_or_default(),
            links: self.links(config)?,
            inherited: replaced.as_ref().map(|one| inherited(one, &image, config)).unwrap_or_default(),
            token: &self.order.token,
            read: &read,
        };
        let body = translate::body(self.spec, service, &around)?;
        let body: ContainerCreateBody = serde_json::from_value(body).map_err(|error| error.to_string())?;
        // The one that it replaces keeps its name until it has stopped.
        let name = match replaced {
            Some(_) => aside(&hash(&self.order.token), &self.spec.name),
            None => self.spec.name.clone(),
        };
        let options =
            CreateContainerOptions { name: Some(name), platform: config.text("platform").to_owned() };
        Ok(self.engine.ask(self.engine.client.create_container(Some(options), body))?.id)
    }

    /// Connects a container to the networks that older engines do not take when it is made.
    fn connect(&self, id: &str, service: &Service) -> Answer<()> {
        let config = Part(&service.config);
        if self.engine.api >= SEVERAL_NETWORKS || !config.text("network_mode").is_empty() {
            return Ok(());
        }
        let found = self.inspect(id)?;
        let networks = found.and_then(|one| one.network_settings?.networks).unwrap_or_default();
        let around = Around {
            api: self.engine.api,
            image_id: "",
            links: self.links(config)?,
            inherited: BTreeMap::new(),
            token: &self.order.token,
            read: &|path| Err(path.to_owned()),
        };
        for (key, network) in translate::networks(config) {
            let Some(name) = self.spec.networks.get(key).filter(|name| !networks.contains_key(*name)) else {
                continue;
            };
            let endpoint = translate::endpoint(self.spec, network, Part(&Value::Null), &around);
            let request = json!({ "Container": id, "EndpointConfig": endpoint });
            let request: NetworkConnectRequest =
                serde_json::from_value(request).map_err(|error| error.to_string())?;
            self.engine.ask(self.engine.client.connect_network(name, request))?;
        }
        Ok(())
    }

    /// The names that `links` give to other containers.
    fn links(&self, config: Part<'_>) -> Answer<Vec<String>> {
        let mut links = Vec::new();
        for link in config.texts("links") {
            let (service, alias) = link.split_once(':').unwrap_or((link, link));
            for one in self.of_service(service)? {
                let name =
                    one.names.iter().flatten().next().map_or("", String::as_str).trim_start_matches('/');
                links.push(format!("{name}:{alias}"));
                links.push(format!("{name}:{service}-{}", self.spec.number));
                links.push(format!("{name}:{}-{service}-{}", self.spec.project, self.spec.number));
            }
        }
        for link in config.texts("external_links") {
            let (name, alias) = link.split_once(':').unwrap_or((link, link));
            links.push(format!("{name}:{alias}"));
        }
        Ok(links)
    }

    /// Starts the container, under its own name.
    pub(crate) fn start(&self, id: &str) -> Answer<Outputs> {
        let found = self.inspect(id)?;
        let found =
            found.ok_or_else(|| Trouble::Missing(format!("the container {} is gone", self.spec.name)))?;
        if self.was_started(&found) {
            return Ok(ports(&found));
        }
        self.take_name(id, &found)?;
        let service = self.service()?;
        let config = Part(&service.config);
        for copy in mounts::copies(self.spec, config)? {
            let content = match copy.content {
                Content::Inline(text) => text.to_owned(),
                Content::Variable(name) => (self.variables)(name).ok_or_else(|| {
                    format!("the variable {name} that {} is copied from is not set", copy.target)
                })?,
            };
            let tar = archive::file(&copy.target, content.as_bytes(), copy.owner, copy.mode)?;
            let options = UploadToContainerOptions {
                path: "/".to_owned(),
                copy_uidgid: copy.is_owned.then(|| "true".to_owned()),
                ..UploadToContainerOptions::default()
            };
            let body = bollard::body_full(tar.into());
            self.engine.ask(self.engine.client.upload_to_container(id, Some(options), body))?;
        }
        self.engine.ask(self.engine.client.start_container(id, None))?;
        for hook in config.list("post_start") {
            hooks::run(self.engine, id, &self.spec.key, hook)?;
        }
        let found = self.inspect(id)?;
        Ok(found.map(|found| ports(&found)).unwrap_or_default())
    }

    /// Whether the container was started since it was made or stopped.
    pub(crate) fn was_started(&self, found: &ContainerInspectResponse) -> bool {
        let before = self.order.output(&self.order.node, STARTED_AT);
        let is_running = found.state.as_ref().and_then(|state| state.running).unwrap_or(false);
        is_running || started_at(found) != *before.map_or(NEVER, String::as_str)
    }

    /// Gives the container its name. The one that it replaces has stopped, and gives it up.
    fn take_name(&self, id: &str, found: &ContainerInspectResponse) -> Answer<()> {
        let name = found.name.as_deref().unwrap_or_default().trim_start_matches('/');
        if name == self.spec.name {
            return Ok(());
        }
        if let Some(holder) = self.inspect(&self.spec.name)?
            && let Some(other) = holder.id.filter(|other| other != id)
        {
            self.rename(&other, &aside(&other, &self.spec.name))?;
        }
        self.rename(id, &self.spec.name)
    }

    fn rename(&self, id: &str, name: &str) -> Answer<()> {
        let options = RenameContainerOptions { name: name.to_owned() };
        self.engine.ask(self.engine.client.rename_container(id, options))
    }

    /// Waits until the container is healthy, or has ended with success.
    pub(crate) fn wait(&self, id: &str, state: &str) -> Answer<Outputs> {
        let began = Instant::now();
        let mut pause = Duration::from_millis(20);
        loop {
            let found = self.inspect(id)?;
            let found =
                found.ok_or_else(|| Trouble::Missing(format!("the container {} is gone", self.spec.name)))?;
            let seen = if state == "healthy" { self.health(&found) } else { self.completion(&found) };
            match seen {
                Waiting::Over(outputs) => return Ok(outputs),
                Waiting::Failed(reason) => return Err(Trouble::Refused(reason)),
                Waiting::NotYet if began.elapsed() > LONGEST => {
                    return Err(Trouble::Refused(format!("{} is not {state} after an hour", self.spec.name)));
                }
                Waiting::NotYet => sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    fn health(&self, found: &ContainerInspectResponse) -> Waiting {
        let Some(state) = &found.state else { return Waiting::NotYet };
        if matches!(state.status, Some(ContainerStateStatusEnum::EXITED | ContainerStateStatusEnum::DEAD)) {
            let code = state.exit_code.unwrap_or_default();
            return Waiting::Failed(format!("the container {} ended with {code}", self.spec.name));
        }
        let health = state.health.as_ref();
        match health.and_then(|health| health.status) {
            Some(HealthStatusEnum::HEALTHY) => Waiting::Over(Outputs::new()),
            Some(HealthStatusEnum::STARTING) => Waiting::NotYet,
            Some(HealthStatusEnum::UNHEALTHY) => {
                let last = health.and_then(|health| health.log.as_ref()?.last()?.output.clone());
                let last = last.map(|text| without_secrets(self.spec, self.variables, text.trim()));
                let last = last.map(|text| format!(": {text}")).unwrap_or_default();
                Waiting::Failed(format!("the container {} is unhealthy{last}", self.spec.name))
            }
            _ => Waiting::Failed(format!("the container {} has no health check", self.spec.name)),
        }
    }

    fn completion(&self, found: &ContainerInspectResponse) -> Waiting {
        let Some(state) = &found.state else { return Waiting::NotYet };
        match (state.status, state.exit_code.unwrap_or_default()) {
            (Some(ContainerStateStatusEnum::EXITED), 0) => Waiting::Over(Outputs::new()),
            (Some(ContainerStateStatusEnum::EXITED | ContainerStateStatusEnum::DEAD), code) => {
                Waiting::Failed(format!("the container {} ended with {code}", self.spec.name))
            }
            _ => Waiting::NotYet,
        }
    }

    pub(crate) fn stop(&self, id: &str) -> Answer<Outputs> {
        let Some(found) = self.inspect(id)? else { return Ok(Outputs::new()) };
        if found.state.as_ref().and_then(|state| state.running).unwrap_or(false) {
            // What the service refers to may be gone already; hooks refer to nothing.
            for hook in self.spec.hooks("pre_stop") {
                hooks::run(self.engine, id, &self.spec.key, Part(&hook))?;
            }
            if_there(self.engine.ask(self.engine.client.stop_container(id, None)))?;
        }
        Ok(Outputs::from([(STARTED_AT.to_owned(), started_at(&found))]))
    }

    pub(crate) fn remove(&self, id: &str) -> Answer<()> {
        if id.is_empty() {
            return self.remove_left_over();
        }
        let options = RemoveContainerOptions { force: true, ..RemoveContainerOptions::default() };
        match if_there(self.engine.ask(self.engine.client.remove_container(id, Some(options)))) {
            Err(Trouble::Conflict(reason)) => match self.inspect(id)? {
                None => Ok(()),
                Some(_) => Err(Trouble::Busy(reason)),
            },
            other => other.map(|_| ()),
        }
    }

    /// Removes what a creation left that failed after the container was made: nobody knows its id.
    fn remove_left_over(&self) -> Answer<()> {
        let is_known = |id: &str| self.known_ids().any(|known| known == id);
        for one in self.alike()? {
            if let Some(id) = one.id.as_deref().filter(|id| !is_known(id) && self.has_our_token(&one)) {
                self.remove(id)?;
            }
        }
        Ok(())
    }

    /// Brings a container that something was begun with to what it is to be: it is there, has its name, and runs.
    pub(crate) fn restore(&self) -> Answer<(String, Outputs)> {
        let (id, mut outputs) = match self.inspect(&self.order.id)? {
            Some(_) => (self.order.id.clone(), Outputs::new()),
            None => self.create()?,
        };
        let found = self.inspect(&id)?.ok_or_else(|| Trouble::Lost(format!("{} is gone", self.spec.name)))?;
        let is_running = found.state.as_ref().and_then(|state| state.running).unwrap_or(false);
        if !is_running {
            outputs.insert(STARTED_AT.to_owned(), started_at(&found));
            let outputs_now = BTreeMap::from([(STARTED_AT.to_owned(), started_at(&found))]);
            let known = BTreeMap::from([(self.order.node.clone(), outputs_now)]);
            let order = Order { known, ..self.order.clone() };
            outputs.extend(Containers { order: &order, ..*self }.start(&id)?);
        }
        Ok((id, outputs))
    }

    /// The difference of a container from its specification, if there is one.
    pub(crate) fn drift(&self, found: &ContainerInspectResponse, may_end: bool) -> Answer<Option<String>> {
        let service = self.service()?;
        let labels = found.config.as_ref().and_then(|config| config.labels.as_ref());
        if labels.and_then(|labels| labels.get(HASH)) != Some(&service.hash) {
            return Ok(Some("its configuration is another".to_owned()));
        }
        let state = found.state.as_ref();
        let is_running = state.and_then(|state| state.running).unwrap_or(false);
        let code = state.and_then(|state| state.exit_code).unwrap_or_default();
        if started_at(found) == NEVER {
            return Ok(Some("it was never started".to_owned()));
        }
        if !is_running && (code != 0 || !may_end) {
            return Ok(Some(format!("it does not run; it ended with {code}")));
        }
        let networks = found.network_settings.as_ref().and_then(|settings| settings.networks.as_ref());
        let lost = self
            .spec
            .networks
            .values()
            .find(|name| is_running && networks.is_none_or(|networks| !networks.contains_key(*name)));
        Ok(lost.map(|name| format!("it is not connected to the network {name}")))
    }
}

fn label<'c>(one: &'c ContainerSummary, name: &str) -> Option<&'c String> {
    one.labels.as_ref()?.get(name)
}

fn started_at(found: &ContainerInspectResponse) -> String {
    let at = found.state.as_ref().and_then(|state| state.started_at.clone());
    at.unwrap_or_else(|| NEVER.to_owned())
}

/// The name of a container that another one replaces, or will: so Compose does, too.
fn aside(id: &str, name: &str) -> String {
    format!("{}_{name}", id.get(..12).unwrap_or(id))
}

/// The anonymous volumes of a container that the one after it goes on with.
fn inherited(one: &ContainerSummary, image: &ImageInspect, config: Part<'_>) -> BTreeMap<String, Value> {
    let of_image = image.config.as_ref().and_then(|config| config.volumes.as_ref());
    let mut mounts = BTreeMap::new();
    for mount in one.mounts.iter().flatten().filter(|mount| mount.typ.as_deref() == Some("volume")) {
        let (Some(target), Some(name)) = (&mount.destination, &mount.name) else { continue };
        let is_of_image = of_image.is_some_and(|volumes| volumes.contains(target));
        let said = config.list("volumes").find(|volume| volume.text("target") == target);
        let is_anonymous = said.map_or(is_of_image, |volume| volume.text("source").is_empty());
        if is_anonymous {
            let read_only = mount.rw == Some(false);
            let mount = json!({ "Type": "volume", "Source": name, "Target": target, "ReadOnly": read_only });
            mounts.insert(target.clone(), mount);
        }
    }
    mounts
}

/// Where the published ports of a container are.
/// What is said in a container as people may see it: without the secrets of its project, which are handed to it whole.
pub(crate) fn without_secrets(spec: &Container, variables: &Variables, said: &str) -> String {
    let values = spec.secrets.values().filter_map(|definition| {
        let definition = Part(definition);
        match (definition.text("environment"), definition.text("file")) {
            ("", "") => None,
            ("", file) => std::fs::read_to_string(file).ok(),
            (name, _) => variables(name),
        }
    });
    // Whoever shows one may leave out the end of its line.
    let both = values.flat_map(|value| [value.trim().to_owned(), value]);
    let secrets: Vec<Secret> = both.map(|value| Secret { value, place: String::new() }).collect();
    secret::mask(said, &secrets)
}

fn ports(found: &ContainerInspectResponse) -> Outputs {
    let ports = found.network_settings.as_ref().and_then(|settings| settings.ports.as_ref());
    let mut outputs = Outputs::new();
    for (port, bindings) in ports.into_iter().flatten().collect::<BTreeMap<_, _>>() {
        let address = |host: &str, number: &str| {
            if host.contains(':') { format!("[{host}]:{number}") } else { format!("{host}:{number}") }
        };
        let bindings = bindings.iter().flatten();
        let all: Vec<String> = bindings
            .map(|one| {
                address(
                    one.host_ip.as_deref().unwrap_or_default(),
                    one.host_port.as_deref().unwrap_or_default(),
                )
            })
            .collect();
        if !all.is_empty() {
            outputs.insert(port.clone(), all.join(", "));
        }
    }
    outputs
}
