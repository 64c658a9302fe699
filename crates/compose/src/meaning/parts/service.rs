//! All that rules see of a service: its image, its networks, mounts, files, health check, build and resources.

use locus_meaning::{Related, Subject};
use locus_source::Found;
use rustc_hash::FxHashSet;

use super::{Filling, SERVICE, list, settings};
use crate::read::paths::join;
use crate::values::datum::{Content, Datum, Map};
use crate::values::short::quantity;

impl<'p> Filling<'_, 'p> {
    pub(super) fn service(&mut self, of: Subject, service: &'p Datum) {
        for key in ["image", "hostname", "restart", "network_mode"] {
            self.put_text(of, SERVICE, key, service.get(key));
        }
        self.settings(of, service, settings::OF_SERVICE);
        if let Some(build) = service.get("build") {
            self.put(of, SERVICE, "built", Related::Truth(true), build.place);
        }
        if let Some(image) = service.get("image").filter(|image| image.as_str().is_some()) {
            let name = repository(image.as_str().unwrap_or_default());
            self.put_text(of, SERVICE, "runs", Some(&Datum::text(name, image.place)));
        }
        self.words(of, service);
        if let Subject::Element(id) = of {
            let place = self.elements.all.element(id).copies.place.unwrap_or(service.place);
            self.put(of, SERVICE, "replicas", Related::Copies(id), place);
        }
        self.networks(of, service);
        self.listens(of, service);
        self.mounts(of, service);
        for (key, sig, field) in [("secrets", "SecretRole", "secret"), ("configs", "ConfigRole", "config")] {
            for item in list(service, &[key]) {
                let Some(source) = item.get("source").and_then(Datum::as_str) else { continue };
                let Some(target) = self.subject(key, source) else { continue };
                let role = self.part(sig, source, item.place);
                self.put(of, SERVICE, key, Related::To(role), item.place);
                self.put(role, sig, field, Related::To(target), item.place);
                for key in ["target", "uid", "gid", "mode"] {
                    self.put_text(role, "FileRole", key, item.get(key));
                }
            }
        }
        self.health(of, service);
        self.build(of, service);
        self.resources(of, service);
        self.mentioned(of, service);
        self.flags(of, service);
    }

    fn networks(&mut self, of: Subject, service: &'p Datum) {
        if let Some(networks) = service.get("networks").and_then(Datum::as_map) {
            for (name, entry) in &networks.0 {
                let Some(network) = self.subject("networks", name.as_str()) else {
                    continue;
                };
                let role = self.part("NetworkRole", name.as_str(), entry.key);
                self.put(of, SERVICE, "networks", Related::To(role), entry.key);
                self.put(role, "NetworkRole", "of", Related::To(of), entry.key);
                self.put(role, "NetworkRole", "network", Related::To(network), entry.key);
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
            && let Some(target) = self.subject("services", name)
        {
            let place = service.get("network_mode").map_or(service.place, |mode| mode.place);
            self.put(of, SERVICE, "shares_network", Related::To(target), place);
        }
        for network in self.reached(service) {
            if let Some(network) = self.subject("networks", network) {
                self.put(of, SERVICE, "reaches", Related::To(network), service.place);
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

    fn mounts(&mut self, of: Subject, service: &Datum) {
        for value in list(service, &["volumes"]) {
            let kind = value.get("type").and_then(Datum::as_str).unwrap_or("volume");
            let target = value.get("target").and_then(Datum::as_str).unwrap_or_default();
            let mount = self.part("Mount", target, value.place);
            self.put(of, SERVICE, "volumes", Related::To(mount), value.place);
            self.put(mount, "Mount", "kind", Related::text(kind), value.place);
            self.put_text(mount, "Mount", "target", value.get("target"));
            self.put_text(mount, "Mount", "consistency", value.get("consistency"));
            self.put_text(mount, "Mount", "named", value.get("source"));
            self.put_text(mount, "Mount", "propagation", value.at(&["bind", "propagation"]));
            for option in short_options(&self.written(value.place)) {
                self.put(mount, "Mount", "options", Related::text(option), value.place);
            }
            let Some(source) = value.get("source") else { continue };
            let name = source.as_str().unwrap_or_default();
            if kind == "bind" {
                let file = self.file(source);
                self.put(mount, "Mount", "source", Related::To(file), source.place);
                self.put_true(mount, "Mount", "created", value.at(&["bind", "create_host_path"]));
                if holds_data(self.files.relative(name), target) {
                    self.put(mount, "Mount", "data", Related::Truth(true), source.place);
                }
            } else if let Some(volume) = self.subject("volumes", name) {
                self.put(mount, "Mount", "volume", Related::To(volume), source.place);
            }
        }
    }

    fn health(&mut self, of: Subject, service: &Datum) {
        let Some(value) = service.get("healthcheck") else { return };
        for key in ["interval", "timeout", "start_period", "start_interval", "retries"] {
            let Some(value) = value.get(key) else { continue };
            let is_too_small = match value.as_str().and_then(quantity::duration) {
                Some(nanoseconds) => nanoseconds != 0 && nanoseconds < 1_000_000,
                None => value.as_i64().is_some_and(|number| number < 0),
            };
            if is_too_small {
                self.flag(of, "time", &format!("{key}: {}", value.print()), value.place);
            }
        }
        let test = list(value, &["test"]).first();
        let none = test.filter(|first| first.as_str() == Some("NONE"));
        let disabled = value.get("disable").filter(|value| value.as_bool() == Some(true));
        // Times alone change the check that the image may have.
        if test.is_none() && disabled.is_none() {
            return;
        }
        let check = self.part("Healthcheck", "healthcheck", value.place);
        self.put(of, SERVICE, "healthcheck", Related::To(check), value.place);
        if let Some(place) = disabled.or(none).map(|value| value.place) {
            self.put(check, "Healthcheck", "disabled", Related::Truth(true), place);
        }
        for key in ["interval", "timeout"] {
            if let Some(value) = value.get(key)
                && let Some(nanoseconds) = value.as_str().and_then(quantity::duration)
            {
                self.put(check, "Healthcheck", key, Related::Int(nanoseconds / 1_000_000), value.place);
            }
        }
    }

    fn build(&mut self, of: Subject, service: &Datum) {
        let Some(value) = service.get("build") else { return };
        let Some(context) = value.get("context") else { return };
        let text = context.as_str().unwrap_or_default();
        if !text.starts_with('/') {
            return;
        }
        let build = self.part("Build", "build", value.place);
        self.put(of, SERVICE, "build", Related::To(build), value.place);
        let folder = self.file(context);
        self.put(build, "Build", "context", Related::To(folder), context.place);
        if self.files.look(text) != Found::Nothing
            && let Some(dockerfile) = value.get("dockerfile")
            && let Some(path) = dockerfile.as_str()
        {
            let path = Datum::text(join(text, path), dockerfile.place);
            let file = self.file(&path);
            self.put(build, "Build", "dockerfile", Related::To(file), dockerfile.place);
        }
        self.dockerfile(of, build, value, text);
    }

    fn resources(&mut self, of: Subject, service: &Datum) {
        for key in ["limits", "reservations"] {
            let value = service.at(&["deploy", "resources", key]);
            let own = if key == "limits" { ["cpus", "mem_limit"] } else { ["", "mem_reservation"] };
            let cpus = value.and_then(|value| value.get("cpus")).or_else(|| service.get(own[0]));
            let memory = value.and_then(|value| value.get("memory")).or_else(|| service.get(own[1]));
            if cpus.is_none() && memory.is_none() {
                continue;
            }
            let resources = self.part("Resources", key, value.map_or(service.place, |value| value.place));
            self.put(of, SERVICE, key, Related::To(resources), service.place);
            if let Some(value) = cpus
                && let Content::Float(number) = value.content
                && number != 0.0
            {
                let billionths = (number * 1e9) as i64;
                self.put(resources, "Resources", "cpus", Related::Int(billionths), value.place);
            }
            if let Some(value) = memory
                && let Some(bytes) = value.as_i64().filter(|bytes| *bytes > 0)
            {
                self.put(resources, "Resources", "memory", Related::Int(bytes), value.place);
            }
        }
    }
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
