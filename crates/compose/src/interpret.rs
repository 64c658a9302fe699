//! A project as an instance of the rules about Compose files: section 6.2 of the report.

mod built;
mod command;
mod settings;

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_rules::{AtomId, Field, Instance, Item as Fact, Rules, Sig};
use locus_source::{Found, Place, words};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::containers;
use crate::datum::{Content, Datum, Map};
use crate::load::Files;
use crate::mentions::{Mention, mentions};
use crate::paths::join;
use crate::ports::{self, Points, range_text};
use crate::project::Project;
use crate::short::quantity;

/// The instance that a project is, for rules that were loaded with the library.
pub(crate) fn instance<'r>(rules: &'r Rules, project: &Project, files: &Files<'_>) -> Instance<'r> {
    let mut instance = rules.instance();
    let everywhere = project.model.place;
    let Some(truths) = ["false", "true"]
        .map(|name| rules.sig("compose/core", name).map(|sig| instance.atom(sig, name, everywhere)))
        .into_iter()
        .collect::<Option<Vec<_>>>()
    else {
        return instance;
    };
    let mut filling = Filling {
        instance,
        rules,
        files,
        project,
        sigs: FxHashMap::default(),
        fields: FxHashMap::default(),
        truths: [truths[0], truths[1]],
        locations: FxHashMap::default(),
        known: names(project),
        called: called(project),
        dockerfiles: FxHashMap::default(),
        points: Points::of(project),
    };
    filling.everything();
    filling.instance
}

struct Filling<'r, 'p> {
    instance: Instance<'r>,
    rules: &'r Rules,
    files: &'p Files<'p>,
    project: &'p Project,
    sigs: FxHashMap<&'static str, Option<Sig>>,
    fields: FxHashMap<(&'static str, &'static str), Option<Field>>,
    /// False and true.
    truths: [AtomId; 2],
    /// By section and name.
    locations: FxHashMap<(&'static str, &'p str), AtomId>,
    /// What containers are called: names of services and of containers, host names and aliases. For aliases, in which networks.
    known: FxHashMap<&'p str, BTreeSet<&'p str>>,
    /// Names that are not only aliases.
    called: FxHashSet<String>,
    dockerfiles: built::Dockerfiles,
    points: Points,
}

const SERVICE: &str = "Service";
const ANY_SERVICE: &str = "AnyService";

impl<'p> Filling<'_, 'p> {
    fn atom(&mut self, sig: &'static str, label: impl Into<Arc<str>>, place: Place) -> AtomId {
        let rules = self.rules;
        let id = *self.sigs.entry(sig).or_insert_with(|| rules.sig("compose/core", sig));
        self.instance.atom(id.expect("the core has this signature"), label, place)
    }

    /// Relates an atom to a value by a field of a signature.
    fn put(&mut self, owner: AtomId, sig: &'static str, field: &'static str, value: Fact, place: Place) {
        let rules = self.rules;
        let id = *self
            .fields
            .entry((sig, field))
            .or_insert_with(|| rules.sig("compose/core", sig).and_then(|sig| rules.field(sig, field)));
        self.instance.tuple(owner, id.expect("the core has this field"), value, place, None);
    }

    fn put_text(&mut self, owner: AtomId, sig: &'static str, field: &'static str, value: Option<&Datum>) {
        if let Some(value) = value
            && let Some(text) = value.as_str().filter(|text| !text.is_empty())
        {
            self.put(owner, sig, field, text_fact(text), value.place);
        }
    }

    fn put_true(&mut self, owner: AtomId, sig: &'static str, field: &'static str, value: Option<&Datum>) {
        if let Some(value) = value
            && value.as_bool() == Some(true)
        {
            self.put(owner, sig, field, Fact::Atom(self.truths[1]), value.place);
        }
    }

    fn everything(&mut self) {
        let project = self.project;
        for (section, sig) in
            [("networks", "Network"), ("volumes", "Volume"), ("secrets", "Secret"), ("configs", "Config")]
        {
            let Some(items) = project.model.get(section).and_then(Datum::as_map) else { continue };
            for (name, entry) in &items.0 {
                let atom = self.location(section, sig, name, entry.key);
                self.resource(section, atom, &entry.value);
            }
        }
        let services = project.model.get("services").and_then(Datum::as_map).unwrap_or(Map::empty());
        for (name, entry) in &services.0 {
            self.location("services", SERVICE, name, entry.key);
        }
        for (name, entry) in &project.disabled.0 {
            self.location("services", "Inactive", name, entry.key);
        }
        for (name, service) in services.iter().chain(project.disabled.iter()) {
            self.dependencies(name, service);
            let atom = self.locations[&("services", name)];
            self.put_text(atom, ANY_SERVICE, "container_name", service.get("container_name"));
            for container in containers(&project.name, name, service) {
                self.put(atom, ANY_SERVICE, "containers", text_fact(&container), service.place);
            }
            self.ports(atom, service);
        }
        for (name, service) in services.iter() {
            self.service(name, service);
        }
    }

    fn location(&mut self, section: &'static str, sig: &'static str, name: &'p str, place: Place) -> AtomId {
        let atom = self.atom(sig, name, place);
        self.put(atom, "Location", "name", text_fact(name), place);
        self.locations.insert((section, name), atom);
        atom
    }

    fn resource(&mut self, section: &'static str, atom: AtomId, value: &Datum) {
        match section {
            "networks" => {
                self.external(atom, "Network", value);
                self.put_true(atom, "Network", "internal", value.get("internal"));
                self.settings(atom, value, settings::OF_NETWORK);
                if value.get("driver").is_some() {
                    self.put_text(atom, "Network", "driver", value.get("driver"));
                } else {
                    self.put(atom, "Network", "driver", text_fact("bridge"), value.place);
                }
                for pool in value.at(&["ipam", "config"]).and_then(Datum::as_list).unwrap_or_default() {
                    self.pool(atom, pool);
                }
            }
            "volumes" => {
                self.external(atom, "Volume", value);
                self.settings(atom, value, settings::OF_VOLUME);
                self.device(atom, value);
            }
            _ => {
                self.external(atom, "FileObject", value);
                let variable = value.get("environment").filter(|name| self.is_unset(name));
                self.put_text(atom, "FileObject", "unset", variable);
                if let Some(path) = value.get("file") {
                    let file = self.file(path);
                    self.put(atom, "FileObject", "file", Fact::Atom(file), path.place);
                }
            }
        }
    }

    /// The folder of the host that a volume of the local driver stands for.
    fn device(&mut self, volume: AtomId, value: &Datum) {
        let is_local = value.get("driver").is_none_or(|driver| driver.as_str() == Some("local"));
        let options = value.at(&["driver_opts", "o"]).and_then(Datum::as_str).unwrap_or_default();
        if let Some(device) = value.at(&["driver_opts", "device"])
            && is_local
            && options.split(',').any(|option| option == "bind")
        {
            let file = self.file(device);
            self.put(volume, "Volume", "device", Fact::Atom(file), device.place);
        }
    }

    fn is_unset(&self, name: &Datum) -> bool {
        name.as_str().is_some_and(|name| self.project.unset.contains(name))
    }

    fn external(&mut self, atom: AtomId, sig: &'static str, resource: &Datum) {
        if containers::is_external(resource) {
            self.put_true(atom, sig, "external", resource.get("external"));
        }
    }

    fn pool(&mut self, network: AtomId, value: &Datum) {
        let pool = self.atom("Pool", "pool", value.place);
        self.put(network, "Network", "pools", Fact::Atom(pool), value.place);
        self.put(pool, "Pool", "of", Fact::Atom(network), value.place);
        for key in ["subnet", "gateway", "ip_range"] {
            self.put_text(pool, "Pool", key, value.get(key));
        }
        for (_, address) in value.get("aux_addresses").and_then(Datum::as_map).into_iter().flat_map(Map::iter)
        {
            self.put_text(pool, "Pool", "reserved", Some(address));
        }
    }

    /// A file or folder of this machine.
    fn file(&mut self, path: &Datum) -> AtomId {
        let text = path.as_str().unwrap_or_default();
        let shown = self.files.relative(text);
        let file = self.atom("File", shown, path.place);
        self.put(file, "File", "path", text_fact(shown), path.place);
        let (found, is_folder) = match self.files.look(text) {
            Found::Nothing => (Some(0), None),
            Found::File => (Some(1), Some(0)),
            Found::Folder => (Some(1), Some(1)),
            Found::Unknown => (None, None),
        };
        for (field, truth) in [("found", found), ("is_folder", is_folder)] {
            if let Some(truth) = truth {
                self.put(file, "File", field, Fact::Atom(self.truths[truth]), path.place);
            }
        }
        file
    }

    fn dependencies(&mut self, name: &'p str, service: &Datum) {
        let atom = self.locations[&("services", name)];
        for profile in list(service, &["profiles"]) {
            self.put_text(atom, ANY_SERVICE, "profiles", Some(profile));
        }
        let Some(dependencies) = service.get("depends_on").and_then(Datum::as_map) else { return };
        for (target, entry) in &dependencies.0 {
            let Some(on) = self.locations.get(&("services", target.as_str())).copied() else { continue };
            let value = &entry.value;
            let dependency = self.atom("Dependency", target.as_str(), entry.key);
            self.put(atom, ANY_SERVICE, "depends_on", Fact::Atom(dependency), entry.key);
            self.put(dependency, "Dependency", "on", Fact::Atom(on), entry.key);
            self.put_text(dependency, "Dependency", "condition", value.get("condition"));
            let required = value.get("required").and_then(Datum::as_bool) != Some(false);
            let truth = self.truths[usize::from(required)];
            self.put(dependency, "Dependency", "required", Fact::Atom(truth), entry.key);
        }
    }

    fn service(&mut self, name: &'p str, service: &'p Datum) {
        let atom = self.locations[&("services", name)];
        for key in ["image", "hostname", "restart", "network_mode"] {
            self.put_text(atom, SERVICE, key, service.get(key));
        }
        self.settings(atom, service, settings::OF_SERVICE);
        if let Some(build) = service.get("build") {
            self.put(atom, SERVICE, "built", Fact::Atom(self.truths[1]), build.place);
        }
        if let Some(image) = service.get("image").filter(|image| image.as_str().is_some()) {
            let name = repository(image.as_str().unwrap_or_default());
            self.put_text(atom, SERVICE, "runs", Some(&Datum::text(name, image.place)));
        }
        self.words(atom, service);
        let replicas = containers::number(service);
        let place = replicas.place.unwrap_or(service.place);
        self.put(atom, SERVICE, "replicas", Fact::Int(replicas.count), place);
        self.networks(atom, service);
        self.listens(atom, service);
        self.mounts(atom, service);
        for (key, sig, field) in [("secrets", "SecretRole", "secret"), ("configs", "ConfigRole", "config")] {
            for item in list(service, &[key]) {
                let Some(source) = item.get("source").and_then(Datum::as_str) else { continue };
                let Some(target) = self.locations.get(&(key, source)).copied() else { continue };
                let role = self.atom(sig, source, item.place);
                self.put(atom, SERVICE, key, Fact::Atom(role), item.place);
                self.put(role, sig, field, Fact::Atom(target), item.place);
                for key in ["target", "uid", "gid", "mode"] {
                    self.put_text(role, "FileRole", key, item.get(key));
                }
            }
        }
        self.health(atom, service);
        self.build(atom, service);
        self.resources(atom, service);
        self.mentioned(atom, service);
        self.flags(atom, service);
    }

    fn networks(&mut self, atom: AtomId, service: &'p Datum) {
        if let Some(networks) = service.get("networks").and_then(Datum::as_map) {
            for (name, entry) in &networks.0 {
                let Some(network) = self.locations.get(&("networks", name.as_str())).copied() else {
                    continue;
                };
                let role = self.atom("NetworkRole", name.as_str(), entry.key);
                self.put(atom, SERVICE, "networks", Fact::Atom(role), entry.key);
                self.put(role, "NetworkRole", "of", Fact::Atom(atom), entry.key);
                self.put(role, "NetworkRole", "network", Fact::Atom(network), entry.key);
                for alias in list(&entry.value, &["aliases"]) {
                    self.put_text(role, "NetworkRole", "aliases", Some(alias));
                }
                for key in ["ipv4_address", "ipv6_address"] {
                    self.put_text(role, "NetworkRole", "address", entry.value.get(key));
                }
            }
        }
        let mode = service.get("network_mode").and_then(Datum::as_str);
        if let Some(name) = mode.and_then(|mode| mode.strip_prefix("service:"))
            && let Some(target) = self.locations.get(&("services", name)).copied()
        {
            let place = service.get("network_mode").map_or(service.place, |mode| mode.place);
            self.put(atom, SERVICE, "shares_network", Fact::Atom(target), place);
        }
        for network in self.reached(service) {
            if let Some(network) = self.locations.get(&("networks", network)).copied() {
                self.put(atom, SERVICE, "reaches", Fact::Atom(network), service.place);
            }
        }
    }

    /// The networks that a service is in, perhaps through others whose network it shares.
    fn reached(&self, service: &Datum) -> Vec<&'p str> {
        let mut seen = FxHashSet::default();
        let mut current = Some(service);
        let project = self.project;
        while let Some(service) = current {
            let host =
                service.get("network_mode").and_then(Datum::as_str).and_then(|m| m.strip_prefix("service:"));
            let Some(host) = host else {
                let names = service.get("networks").and_then(Datum::as_map).into_iter().flat_map(Map::keys);
                let sections = project.model.get("networks").and_then(Datum::as_map);
                return names
                    .filter_map(|name| sections?.0.get_key_value(name).map(|(name, _)| name.as_str()))
                    .collect();
            };
            if !seen.insert(host.to_owned()) {
                return Vec::new();
            }
            current = project.model.at(&["services", host]);
        }
        Vec::new()
    }

    fn ports(&mut self, atom: AtomId, service: &Datum) {
        let is_host = service.get("network_mode").and_then(Datum::as_str) == Some("host");
        for ports in ports::of(service) {
            let file = self.files.sources.get(ports.place.file).name().to_owned();
            let target = ports.target;
            let role = self.atom("Port", range_text(target), ports.place);
            self.put(atom, ANY_SERVICE, "ports", Fact::Atom(role), ports.place);
            self.put(role, "Port", "of", Fact::Atom(atom), ports.place);
            self.put(role, "Port", "target", Fact::Int(target.0), ports.place);
            self.put_points(role, ("Port", "opens"), target, ports.place);
            self.put_text(role, "Port", "host", ports.host.as_ref());
            self.put_text(role, "Port", "protocol", ports.protocol.as_ref());
            self.put(role, "Port", "written", text_fact(&file), ports.place);
            // With the network of the host nothing is published.
            if is_host {
                continue;
            }
            if let Some((first, last)) = ports.taken() {
                self.put(role, "Port", "published", Fact::Int(first), ports.published_at);
                self.put_points(role, ("Port", "takes"), (first, last), ports.published_at);
            }
            if let Some(choices) = ports.choices() {
                self.put(role, "Port", "choices", Fact::Int(choices), ports.published_at);
            }
        }
    }

    /// What of a range of ports the rest of the file can meet.
    fn put_points(
        &mut self,
        owner: AtomId,
        (sig, field): (&'static str, &'static str),
        range: (i64, i64),
        place: Place,
    ) {
        for point in self.points.within(range).to_vec() {
            self.put(owner, sig, field, Fact::Int(point), place);
        }
    }

    /// The ports at which a service listens.
    fn listens(&mut self, atom: AtomId, service: &Datum) {
        for ports in ports::of(service) {
            self.put_points(atom, (SERVICE, "listens"), ports.target, ports.place);
        }
        for (range, place) in ports::exposed(service) {
            self.put_points(atom, (SERVICE, "listens"), range, place);
        }
        for value in list(service, &["ports"]) {
            let written = self.written(value.place);
            if is_base_sixty(&written) {
                self.flag(atom, "sixty", &written, value.place);
            }
        }
    }

    fn mounts(&mut self, atom: AtomId, service: &Datum) {
        for value in list(service, &["volumes"]) {
            let kind = value.get("type").and_then(Datum::as_str).unwrap_or("volume");
            let target = value.get("target").and_then(Datum::as_str).unwrap_or_default();
            let mount = self.atom("Mount", target, value.place);
            self.put(atom, SERVICE, "volumes", Fact::Atom(mount), value.place);
            self.put(mount, "Mount", "kind", text_fact(kind), value.place);
            self.put_text(mount, "Mount", "target", value.get("target"));
            self.put_text(mount, "Mount", "consistency", value.get("consistency"));
            self.put_text(mount, "Mount", "named", value.get("source"));
            self.put_text(mount, "Mount", "propagation", value.at(&["bind", "propagation"]));
            for option in short_options(&self.written(value.place)) {
                self.put(mount, "Mount", "options", text_fact(option), value.place);
            }
            let Some(source) = value.get("source") else { continue };
            let name = source.as_str().unwrap_or_default();
            if kind == "bind" {
                let file = self.file(source);
                self.put(mount, "Mount", "source", Fact::Atom(file), source.place);
                self.put_true(mount, "Mount", "created", value.at(&["bind", "create_host_path"]));
                if holds_data(self.files.relative(name), target) {
                    self.put(mount, "Mount", "data", Fact::Atom(self.truths[1]), source.place);
                }
            } else if let Some(volume) = self.locations.get(&("volumes", name)).copied() {
                self.put(mount, "Mount", "volume", Fact::Atom(volume), source.place);
            }
        }
    }

    fn health(&mut self, atom: AtomId, service: &Datum) {
        let Some(value) = service.get("healthcheck") else { return };
        for key in ["interval", "timeout", "start_period", "start_interval", "retries"] {
            let Some(value) = value.get(key) else { continue };
            let is_too_small = match value.as_str().and_then(quantity::duration) {
                Some(nanoseconds) => nanoseconds != 0 && nanoseconds < 1_000_000,
                None => value.as_i64().is_some_and(|number| number < 0),
            };
            if is_too_small {
                self.flag(atom, "time", &format!("{key}: {}", value.print()), value.place);
            }
        }
        let test = list(value, &["test"]).first();
        let none = test.filter(|first| first.as_str() == Some("NONE"));
        let disabled = value.get("disable").filter(|value| value.as_bool() == Some(true));
        // Times alone change the check that the image may have.
        if test.is_none() && disabled.is_none() {
            return;
        }
        let check = self.atom("Healthcheck", "healthcheck", value.place);
        self.put(atom, SERVICE, "healthcheck", Fact::Atom(check), value.place);
        if let Some(place) = disabled.or(none).map(|value| value.place) {
            self.put(check, "Healthcheck", "disabled", Fact::Atom(self.truths[1]), place);
        }
        for key in ["interval", "timeout"] {
            if let Some(value) = value.get(key)
                && let Some(nanoseconds) = value.as_str().and_then(quantity::duration)
            {
                self.put(check, "Healthcheck", key, Fact::Int(nanoseconds / 1_000_000), value.place);
            }
        }
    }

    fn build(&mut self, atom: AtomId, service: &Datum) {
        let Some(value) = service.get("build") else { return };
        let Some(context) = value.get("context") else { return };
        let text = context.as_str().unwrap_or_default();
        if !text.starts_with('/') {
            return;
        }
        let build = self.atom("Build", "build", value.place);
        self.put(atom, SERVICE, "build", Fact::Atom(build), value.place);
        let folder = self.file(context);
        self.put(build, "Build", "context", Fact::Atom(folder), context.place);
        if self.files.look(text) != Found::Nothing
            && let Some(dockerfile) = value.get("dockerfile")
            && let Some(path) = dockerfile.as_str()
        {
            let path = Datum::text(join(text, path), dockerfile.place);
            let file = self.file(&path);
            self.put(build, "Build", "dockerfile", Fact::Atom(file), dockerfile.place);
        }
        self.dockerfile(atom, build, value, text);
    }

    fn resources(&mut self, atom: AtomId, service: &Datum) {
        for key in ["limits", "reservations"] {
            let value = service.at(&["deploy", "resources", key]);
            let own = if key == "limits" { ["cpus", "mem_limit"] } else { ["", "mem_reservation"] };
            let cpus = value.and_then(|value| value.get("cpus")).or_else(|| service.get(own[0]));
            let memory = value.and_then(|value| value.get("memory")).or_else(|| service.get(own[1]));
            if cpus.is_none() && memory.is_none() {
                continue;
            }
            let resources = self.atom("Resources", key, value.map_or(service.place, |value| value.place));
            self.put(atom, SERVICE, key, Fact::Atom(resources), service.place);
            if let Some(value) = cpus
                && let Content::Float(number) = value.content
                && number > 0.0
            {
                let billionths = (number * 1e9) as i64;
                self.put(resources, "Resources", "cpus", Fact::Int(billionths), value.place);
            }
            if let Some(value) = memory
                && let Some(bytes) = value.as_i64().filter(|bytes| *bytes > 0)
            {
                self.put(resources, "Resources", "memory", Fact::Int(bytes), value.place);
            }
        }
    }

    fn mentioned(&mut self, atom: AtomId, service: &Datum) {
        for (host, _) in service.get("extra_hosts").and_then(Datum::as_map).into_iter().flat_map(Map::iter) {
            self.put(atom, SERVICE, "own_names", text_fact(host), service.place);
        }
        for link in list(service, &["links"]).iter().chain(list(service, &["external_links"])) {
            for part in link.as_str().unwrap_or_default().split(':') {
                self.put(atom, SERVICE, "own_names", text_fact(part), link.place);
            }
        }
        for mention in mentions(service) {
            let means = self.locations.get(&("services", mention.host.as_str())).copied();
            let near = self.near(service, &mention);
            if means.is_none() && near.is_none() && !mention.is_loopback() && !mention.in_url {
                continue;
            }
            let role = self.atom("Mention", mention.host.as_str(), mention.place);
            self.put(atom, SERVICE, "mentions", Fact::Atom(role), mention.place);
            self.put(role, "Mention", "host", text_fact(&mention.host), mention.place);
            if let Some(port) = mention.port {
                self.put(role, "Mention", "port", Fact::Int(port.into()), mention.place);
            }
            if let Some(service) = means {
                self.put(role, "Mention", "means", Fact::Atom(service), mention.place);
            }
            let networks = self.known.get(mention.host.as_str()).cloned().unwrap_or_default();
            for network in networks {
                if let Some(network) = self.locations.get(&("networks", network)).copied() {
                    self.put(role, "Mention", "alias_in", Fact::Atom(network), mention.place);
                }
            }
            if let Some(near) = near {
                self.put(role, "Mention", "near", Fact::Atom(near), mention.place);
            }
            if mention.in_url {
                self.put(role, "Mention", "url", Fact::Atom(self.truths[1]), mention.place);
            }
            if self.called.contains(&mention.host) {
                self.put(role, "Mention", "known", Fact::Atom(self.truths[1]), mention.place);
            }
            if mention.is_loopback() {
                self.put(role, "Mention", "loopback", Fact::Atom(self.truths[1]), mention.place);
            }
        }
    }

    /// The service whose name a host has but for a slip, if nothing is called like the host.
    fn near(&self, service: &Datum, mention: &Mention) -> Option<AtomId> {
        let host = mention.host.as_str();
        if host.len() < 4 || host.contains('.') || self.known.contains_key(host) {
            return None;
        }
        let own = service.get("extra_hosts").and_then(Datum::as_map).is_some_and(|hosts| hosts.has(host));
        let links = list(service, &["links"]).iter().chain(list(service, &["external_links"]));
        if own || links.filter_map(Datum::as_str).any(|link| link.split(':').any(|part| part == host)) {
            return None;
        }
        let services = self.project.section("services").map(|(name, _)| (name, name));
        let name = words::nearest(host, services)?;
        self.locations.get(&("services", name)).copied()
    }

    /// What the file says at a place.
    fn written(&self, place: Place) -> String {
        self.files.sources.get(place.file).slice(place.span).to_owned()
    }

    fn flag(&mut self, atom: AtomId, problem: &str, about: &str, place: Place) {
        let flag = self.atom("Flag", about, place);
        self.put(atom, SERVICE, "flags", Fact::Atom(flag), place);
        self.put(flag, "Flag", "problem", text_fact(problem), place);
        self.put(flag, "Flag", "about", text_fact(about), place);
    }

    fn flags(&mut self, atom: AtomId, service: &Datum) {
        if let Some(restart) = service.get("restart")
            && !is_restart_policy(restart.as_str().unwrap_or_default())
        {
            self.flag(atom, "restart", restart.as_str().unwrap_or_default(), restart.place);
        }
        if let Some(value) = service.get("privileged").filter(|value| value.as_bool() == Some(true)) {
            self.flag(atom, "privileged", "privileged", value.place);
        }
        for key in ["mode", "endpoint_mode", "placement", "update_config", "rollback_config"] {
            if let Some(value) = service.at(&["deploy", key]) {
                self.flag(atom, "swarm", &format!("deploy.{key}"), value.place);
            }
        }
        if let Some(image) = service.get("image")
            && service.get("build").is_none()
            && has_no_tag(image.as_str().unwrap_or_default())
        {
            self.flag(atom, "tag", image.as_str().unwrap_or_default(), image.place);
        }
        for (name, value) in
            service.get("environment").and_then(Datum::as_map).into_iter().flat_map(Map::iter)
        {
            let text = value.as_str().unwrap_or_default();
            // A value that a variable gives is not in the file.
            let written = self.written(value.place);
            if is_changed(&written, text) {
                self.flag(atom, "changed", &format!("{name}={text} instead of {written}"), value.place);
            }
            if is_quoted(name, &written, text) {
                self.flag(atom, "quoted", &format!("{name}={text}"), value.place);
            }
            if is_secret(name) && !text.is_empty() && written.contains(text) && !written.contains('$') {
                self.flag(atom, "secret", name, value.place);
            }
        }
        for (name, value) in service.get("labels").and_then(Datum::as_map).into_iter().flat_map(Map::iter) {
            let text = value.as_str().unwrap_or_default();
            if is_quoted(name, &self.written(value.place), text) {
                self.flag(atom, "quoted", &format!("{name}={text}"), value.place);
            }
        }
    }
}

/// The names that Compose gives the containers of a service; none where the file gives one.
fn containers(project: &str, name: &str, service: &Datum) -> Vec<String> {
    if service.get("container_name").and_then(Datum::as_str).is_some_and(|name| !name.is_empty()) {
        return Vec::new();
    }
    let replicas = service.get("scale").or_else(|| service.at(&["deploy", "replicas"]));
    let count = replicas.and_then(Datum::as_i64).unwrap_or(1).min(100);
    (1..=count).map(|number| format!("{project}-{name}-{number}")).collect()
}

/// The names of services and containers.
fn called(project: &Project) -> FxHashSet<String> {
    let mut called = FxHashSet::default();
    for (name, service) in project.section("services").chain(project.disabled.iter()) {
        called.insert(name.to_owned());
        called.extend(containers(&project.name, name, service));
        let own = ["hostname", "container_name"].iter().filter_map(|key| service.get(key)?.as_str());
        called.extend(own.map(str::to_owned));
    }
    called
}

/// The name of an image without registry, tag and digest.
fn repository(image: &str) -> &str {
    let name = image.split('@').next().unwrap_or(image);
    let name = name.rsplit('/').next().unwrap_or(name);
    name.split(':').next().unwrap_or(name)
}

/// The options of a mount in its short form; none for a longer form, and where variables stand in it.
fn short_options(written: &str) -> Vec<&str> {
    let text = written.trim_matches(['"', '\'']);
    if text.contains(['$', '\n', '{', '\\']) || text.contains(": ") {
        return Vec::new();
    }
    match text.split(':').collect::<Vec<_>>()[..] {
        [_, _, options] => options.split(',').collect(),
        _ => Vec::new(),
    }
}

/// Whether quotes around a value became a part of it: in a list, `NAME="value"`.
fn is_quoted(name: &str, written: &str, value: &str) -> bool {
    let quoted = |quote: char| {
        value.len() >= 2
            && value
                .strip_prefix(quote)
                .and_then(|rest| rest.strip_suffix(quote))
                .is_some_and(|rest| !rest.contains(quote))
    };
    let item = written.trim_start_matches(['"', '\'']).strip_prefix(name);
    item.is_some_and(|rest| rest.starts_with('=')) && (quoted('"') || quoted('\''))
}

/// All names that containers have.
fn names(project: &Project) -> FxHashMap<&str, BTreeSet<&str>> {
    let mut names: FxHashMap<&str, BTreeSet<&str>> = FxHashMap::default();
    for (name, service) in project.section("services").chain(project.disabled.iter()) {
        let own = ["hostname", "container_name"].iter().filter_map(|key| service.get(key)?.as_str());
        for name in own.chain([name]) {
            names.entry(name).or_default();
        }
        for (network, role) in service.get("networks").and_then(Datum::as_map).into_iter().flat_map(Map::iter)
        {
            for alias in list(role, &["aliases"]).iter().filter_map(Datum::as_str) {
                names.entry(alias).or_default().insert(network);
            }
        }
    }
    names
}

fn list<'v>(value: &'v Datum, keys: &[&str]) -> &'v [Datum] {
    value.at(keys).and_then(Datum::as_list).unwrap_or_default()
}

fn text_fact(text: &str) -> Fact {
    Fact::Text(Arc::from(text))
}

/// Whether a path on the host looks like a folder for data: by what it is called, or by where it is mounted.
fn holds_data(source: &str, target: &str) -> bool {
    const DATA: [&str; 19] = [
        "database",
        "databases",
        "db",
        "log",
        "logs",
        "cache",
        "caches",
        "storage",
        "store",
        "upload",
        "uploads",
        "backup",
        "backups",
        "volume",
        "volumes",
        "tmp",
        "temp",
        "state",
        "output",
    ];
    let last = source.rsplit('/').next().unwrap_or(source);
    // What has an ending is a file.
    if last.trim_start_matches('.').contains('.') {
        return false;
    }
    // `pgdata`, `esdata`, `dbData`
    let is_word = |word: String| word.ends_with("data") || DATA.contains(&word.as_str());
    let is_data = |part: &str| part.split(['-', '_']).any(|word| is_word(word.to_ascii_lowercase()));
    let places = ["/var/lib/", "/var/log", "/data", "/var/cache", "/bitnami/"];
    source.split('/').any(is_data) || places.iter().any(|place| target.starts_with(place))
}

fn is_restart_policy(text: &str) -> bool {
    match text.strip_prefix("on-failure:") {
        Some(attempts) => !attempts.is_empty() && attempts.bytes().all(|b| b.is_ascii_digit()),
        None => ["", "no", "always", "unless-stopped", "on-failure"].contains(&text),
    }
}

/// Whether YAML 1.1 reads a plain text as a number of base 60.
fn is_base_sixty(written: &str) -> bool {
    let mut parts = written.split(':');
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let first = parts.next().is_some_and(digits);
    let mut rest = parts.peekable();
    first && rest.peek().is_some() && rest.all(|part| digits(part) && part.len() <= 2 && part < "60")
}

/// Whether a plain scalar became something else than it looks like.
fn is_changed(written: &str, value: &str) -> bool {
    let looks_like_number = written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && written.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-._:".contains(&b));
    looks_like_number && !value.is_empty() && written != value
}

/// Whether an image has neither a tag other than `latest` nor a digest.
fn has_no_tag(image: &str) -> bool {
    if image.is_empty() || image.contains('@') {
        return false;
    }
    let name = image.rsplit('/').next().unwrap_or(image);
    name.split_once(':').is_none_or(|(_, tag)| tag == "latest")
}

/// Whether a variable with this name holds a password or a key.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let words = ["PASSWORD", "PASSWD", "SECRET", "TOKEN", "API_KEY", "APIKEY", "PRIVATE_KEY"];
    words.iter().any(|word| name == *word || name.ends_with(&format!("_{word}")))
}
