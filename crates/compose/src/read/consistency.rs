//! Whether the parts of a model fit together: the checks with which Compose ends its reading.

use locus_source::words::{did_you_mean, short};
use locus_source::{Finding, Place};
use rustc_hash::FxHashMap;

use crate::read::counts::{self, Number, is_external};
use crate::report::Report;
use crate::values::datum::{Content, Datum, Map};
use crate::{Undeclared, rules};

/// Says what does not fit. `disabled` are services that no active profile has.
pub(crate) fn check(model: &mut Datum, disabled: &Map, report: &mut Report) {
    let Some(top) = model.as_map_mut() else { return };
    let services = match top.get_mut("services").and_then(Datum::as_map_mut) {
        Some(services) => std::mem::take(services),
        None => Map::default(),
    };
    let mut services = services;
    {
        let checker = Checker { top, disabled, services: &services };
        for (name, entry) in &services.0 {
            checker.service(name, entry.key, &entry.value, report);
        }
        checker.container_names(report);
        cycles(&services, report);
    }
    for (_, service) in services.iter_mut() {
        replicas(service);
    }
    if let Some(place) = top.get_mut("services") {
        place.content = Content::Map(services);
    }
    secrets(top, report);
}

/// `scale` stands for the replicas of `deploy`, if there is a `deploy`.
fn replicas(service: &mut Datum) {
    let Some(scale) = service.get("scale").cloned() else { return };
    if let Some(deploy) =
        service.as_map_mut().and_then(|map| map.get_mut("deploy")).and_then(Datum::as_map_mut)
    {
        deploy.put("replicas", scale);
    }
}

fn secrets(top: &Map, report: &mut Report) {
    for (name, secret) in top.get("secrets").and_then(Datum::as_map).into_iter().flat_map(Map::iter) {
        let given = |key: &str| secret.get(key).and_then(Datum::as_str).is_some_and(|text| !text.is_empty());
        if !is_external(secret) && !given("file") && !given("environment") {
            let message = format!("the secret `{name}` must have `file` or `environment`");
            report.say(&rules::MISSING_KEY, secret.place, message);
        }
    }
}

struct Checker<'c> {
    top: &'c Map,
    disabled: &'c Map,
    services: &'c Map,
}

fn text<'v>(service: &'v Datum, key: &str) -> Option<&'v str> {
    service.get(key).and_then(Datum::as_str).filter(|text| !text.is_empty())
}

fn list<'v>(service: &'v Datum, keys: &[&str]) -> &'v [Datum] {
    service.at(keys).and_then(Datum::as_list).unwrap_or_default()
}

fn keys<'v>(service: &'v Datum, key: &str) -> impl Iterator<Item = (&'v str, Place)> {
    let map = service.get(key).and_then(Datum::as_map);
    map.into_iter().flat_map(|map| map.0.iter().map(|(key, entry)| (key.as_str(), entry.key)))
}

impl Checker<'_> {
    fn service(&self, name: &str, place: Place, service: &Datum, report: &mut Report) {
        let build = service.get("build");
        if build.is_none() && text(service, "image").is_none() && service.get("provider").is_none() {
            let message = format!("the service `{name}` has neither an image nor anything to build one from");
            let help = "give it `image` or `build`";
            report.add(Finding::new(&rules::NO_IMAGE, place, message).help(help));
        }
        if let Some(build) = build {
            self.build(name, service, build, report);
        }
        self.networks(name, service, report);
        health(service, report);
        self.dependencies(name, service, report);
        self.references(name, service, report);
        quantities(name, service, report);
        mounts(name, service, report);
        for watch in list(service, &["develop", "watch"]) {
            let action = watch.get("action").and_then(Datum::as_str);
            if text(watch, "target").is_none() && !matches!(action, Some("rebuild" | "restart")) {
                let message = format!("a watch of `{name}` that copies files must have a `target`");
                report.say(&rules::MISSING_KEY, watch.place, message);
            }
        }
    }

    fn build(&self, name: &str, service: &Datum, build: &Datum, report: &mut Report) {
        if let (Some(inline), Some(file)) = (build.get("dockerfile_inline"), build.get("dockerfile"))
            && inline.as_str() != Some("")
            && file.as_str() != Some("")
        {
            let message = format!("`{name}` has both `dockerfile` and `dockerfile_inline`");
            report.add(Finding::new(&rules::EXCLUSIVE, inline.place, message).also(file.place, "the other"));
        }
        for (key, context) in
            build.get("additional_contexts").and_then(Datum::as_map).into_iter().flat_map(Map::iter)
        {
            let Some(target) = context.as_str().and_then(|text| text.strip_prefix("service:")) else {
                continue;
            };
            match self.services.get(target) {
                None => self.undefined("service", target, context.place, name, self.services, report),
                Some(service) if service.get("build").is_none() => {
                    let message = format!(
                        "the context `{key}` of `{name}` is the service `{target}`, which is not built"
                    );
                    report.say(&rules::UNDEFINED, context.place, message);
                }
                Some(_) => {}
            }
        }
        let platforms = list(build, &["platforms"]);
        if let Some(platform) = text(service, "platform")
            && !platforms.is_empty()
            && !platforms.iter().any(|item| item.as_str() == Some(platform))
        {
            let message = format!(
                "`{name}` runs on `{platform}`, which is not among the platforms that it is built for"
            );
            report.say(&rules::CONFLICT, platforms[0].place, message);
        }
        for secret in list(build, &["secrets"]) {
            self.reference("secrets", "secret", secret, name, report);
        }
    }

    fn networks(&self, name: &str, service: &Datum, report: &mut Report) {
        let has_networks = keys(service, "networks").next();
        if let (Some(mode), Some((_, place))) = (text(service, "network_mode"), has_networks) {
            let message = format!("`{name}` has both `networks` and `network_mode: {}`", short(mode));
            let at = service.get("network_mode").map_or(service.place, |mode| mode.place);
            report.add(Finding::new(&rules::EXCLUSIVE, at, message).also(place, "the other"));
        }
        self.names("networks", "network", service, name, report);
        if let Some(target) = text(service, "network_mode").and_then(|mode| mode.strip_prefix("service:"))
            && !self.services.has(target)
        {
            let place = service.get("network_mode").map_or(service.place, |mode| mode.place);
            self.undefined("service", target, place, name, self.services, report);
        }
    }

    fn dependencies(&self, name: &str, service: &Datum, report: &mut Report) {
        let Some(dependencies) = service.get("depends_on").and_then(Datum::as_map) else { return };
        for (target, entry) in &dependencies.0 {
            if self.services.has(target) {
                continue;
            }
            let required = entry.value.get("required").and_then(Datum::as_bool) != Some(false);
            if self.disabled.has(target) && !required {
                continue;
            }
            self.undefined("service", target, entry.key, name, self.services, report);
        }
    }

    fn references(&self, name: &str, service: &Datum, report: &mut Report) {
        for mount in list(service, &["volumes"]) {
            if mount.get("type").and_then(Datum::as_str) == Some("volume") && text(mount, "source").is_some()
            {
                self.reference("volumes", "volume", mount, name, report);
            }
        }
        for (section, what) in [("configs", "config"), ("secrets", "secret")] {
            for item in list(service, &[section]) {
                self.reference(section, what, item, name, report);
            }
        }
        self.names("models", "model", service, name, report);
    }

    /// A resource that the `source` of an item names.
    fn reference(&self, section: &str, what: &str, item: &Datum, service: &str, report: &mut Report) {
        let source = item.get("source").and_then(Datum::as_str).unwrap_or_default();
        let defined = self.top.get(section).and_then(Datum::as_map).unwrap_or(Map::empty());
        if !defined.has(source) {
            let place = item.get("source").map_or(item.place, |source| source.place);
            self.undefined(what, source, place, service, defined, report);
        }
    }

    /// Resources that the keys under `section` name.
    fn names(&self, section: &str, what: &str, service: &Datum, name: &str, report: &mut Report) {
        let defined = self.top.get(section).and_then(Datum::as_map).unwrap_or(Map::empty());
        for (key, place) in keys(service, section) {
            if !defined.has(key) {
                self.undefined(what, key, place, name, defined, report);
            }
        }
    }

    fn undefined(
        &self,
        what: &str,
        target: &str,
        place: Place,
        service: &str,
        defined: &Map,
        report: &mut Report,
    ) {
        let message = format!("`{service}` names the {what} `{}`, which is not defined", short(target));
        let finding = Finding::new(&rules::UNDEFINED, place, message);
        if what == "service"
            && let Some(disabled) = self.disabled.0.get(target)
        {
            let profiles: Vec<_> =
                list(&disabled.value, &["profiles"]).iter().map(|p| format!("`{}`", p.print())).collect();
            let message = format!("`{service}` needs the service `{target}`, which no active profile has");
            let finding = Finding::new(&rules::UNDEFINED, place, message).also(disabled.key, "it is here");
            report.add(finding.help(format!("activate one of its profiles: {}", profiles.join(", "))));
            return;
        }
        let section = match what {
            "network" => Some("networks"),
            "volume" => Some("volumes"),
            _ => None,
        };
        report.undeclared.extend(section.map(|section| Undeclared {
            place,
            section,
            name: target.to_owned(),
        }));
        report.add(did_you_mean(finding, target, defined.keys()));
    }

    fn container_names(&self, report: &mut Report) {
        let mut seen: FxHashMap<&str, (&str, Place)> = FxHashMap::default();
        for (name, service) in self.services.iter() {
            let Some(container) = text(service, "container_name") else { continue };
            let place = service.get("container_name").map_or(service.place, |value| value.place);
            if let Some((other, first)) = seen.get(container) {
                let message =
                    format!("`{name}` and `{other}` have the same container name `{}`", short(container));
                report.add(Finding::new(&rules::CONTAINER_NAME, place, message).also(*first, "the other"));
            } else {
                seen.insert(container, (name, place));
            }
            if let Number { count: count @ 2.., place: Some(replicas) } = counts::number(service) {
                let message = format!("`{name}` has {count} replicas and one container name");
                let finding = Finding::new(&rules::CONTAINER_NAME, place, message);
                report.add(finding.also(replicas, "replicas").help("remove `container_name`"));
            }
        }
    }
}

fn health(service: &Datum, report: &mut Report) {
    let test = list(service, &["healthcheck", "test"]);
    if let Some(first) = test.first()
        && !matches!(first.as_str(), Some("CMD" | "CMD-SHELL" | "NONE"))
    {
        let message = format!(
            "a health check starts with `CMD`, `CMD-SHELL` or `NONE`, not `{}`",
            short(&first.print())
        );
        let finding = Finding::new(&rules::HEALTHCHECK, first.place, message);
        report.add(finding.help("put `CMD` before it, or write one string for a shell"));
    }
}

/// All that is said twice, in a service and in its `deploy`.
fn quantities(name: &str, service: &Datum, report: &mut Report) {
    let deploy = service.get("deploy");
    let scale = service.get("scale");
    let replicas = deploy.and_then(|deploy| deploy.get("replicas"));
    let pairs: [(&str, &[&str]); 5] = [
        ("scale", &["replicas"]),
        ("cpus", &["resources", "limits", "cpus"]),
        ("mem_limit", &["resources", "limits", "memory"]),
        ("mem_reservation", &["resources", "reservations", "memory"]),
        ("pids_limit", &["resources", "limits", "pids"]),
    ];
    for (key, path) in pairs {
        let (Some(one), Some(deploy)) = (service.get(key), deploy) else { continue };
        let is_zero = matches!(one.content, Content::Int(0)) || one.content == Content::Float(0.0);
        // Where the section is there and the key is not, Compose compares with 0.
        let (other, place) = match deploy.at(path) {
            Some(other) => (other.content.clone(), other.place),
            None if key == "scale" => continue,
            None => match deploy.at(&path[..2]) {
                Some(section) => {
                    (if key == "cpus" { Content::Float(0.0) } else { Content::Int(0) }, section.place)
                }
                None => continue,
            },
        };
        if other != one.content && (key == "scale" || !is_zero) {
            let message =
                format!("`{name}` has two values for one thing: `{key}` and `deploy.{}`", path.join("."));
            report.add(Finding::new(&rules::CONFLICT, one.place, message).also(place, "the other"));
        }
    }
    for (key, count) in [("scale", scale), ("deploy.replicas", replicas)] {
        if let Some(count) = count
            && count.as_i64().is_some_and(|count| count < 0)
        {
            let message = format!("`services.{name}.{key}` must not be negative");
            report.say(&rules::NOT_ALLOWED, count.place, message);
        }
    }
}

fn mounts(name: &str, service: &Datum, report: &mut Report) {
    let mut seen: FxHashMap<&str, Place> = FxHashMap::default();
    let tmpfs = list(service, &["tmpfs"]).iter().filter_map(|item| {
        let path = item.as_str()?;
        Some((path.split(':').next().unwrap_or(path), item.place))
    });
    let volumes = list(service, &["volumes"]).iter().map(|mount| {
        let target = mount.get("target").and_then(Datum::as_str).unwrap_or_default();
        (target, mount.place)
    });
    for (target, place) in tmpfs.chain(volumes) {
        if let Some(first) = seen.insert(target, place) {
            let message = format!("`{name}` has two mounts at `{}`", short(target));
            report.add(Finding::new(&rules::MOUNT_TWICE, place, message).also(first, "the other"));
        }
    }
}

/// Circles of dependencies, each once.
fn cycles(services: &Map, report: &mut Report) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Open,
        Done,
    }
    let dependencies = |name: &str| -> Vec<(String, Place)> {
        let map = services.get(name).and_then(|service| service.get("depends_on")).and_then(Datum::as_map);
        map.into_iter()
            .flat_map(|map| &map.0)
            .filter(|(key, _)| services.has(key))
            .map(|(key, entry)| (key.clone(), entry.key))
            .collect()
    };
    let mut states: FxHashMap<String, State> = FxHashMap::default();
    for start in services.keys() {
        if states.contains_key(start) {
            continue;
        }
        states.insert(start.to_owned(), State::Open);
        let mut stack =
            vec![(start.to_owned(), start_place(services, start), dependencies(start).into_iter())];
        while let Some((name, _, next)) = stack.last_mut() {
            let Some((target, place)) = next.next() else {
                states.insert(name.clone(), State::Done);
                stack.pop();
                continue;
            };
            match states.get(&target) {
                Some(State::Done) => {}
                Some(State::Open) => {
                    let from = stack.iter().position(|(name, ..)| *name == target).unwrap_or(0);
                    let names: Vec<_> = stack[from..].iter().map(|(name, ..)| format!("`{name}`")).collect();
                    let message = match &names[..] {
                        [name] => format!("{name} depends on itself"),
                        _ => format!("{} depend on each other in a circle", names.join(" → ")),
                    };
                    let mut finding = Finding::new(&rules::CYCLE, place, message);
                    for (_, place, _) in stack[from..].iter().skip(1) {
                        finding = finding.also(*place, "");
                    }
                    report.add(finding.help("remove one of the dependencies"));
                }
                None => {
                    states.insert(target.clone(), State::Open);
                    let next = dependencies(&target).into_iter();
                    stack.push((target, place, next));
                }
            }
        }
    }
}

fn start_place(services: &Map, name: &str) -> Place {
    services.key_place(name).expect("a service has a key")
}
