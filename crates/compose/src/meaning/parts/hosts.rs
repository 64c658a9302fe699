//! The hosts that services name, and the names by which containers are found.

use std::collections::BTreeSet;

use locus_meaning::{Related, Subject};
use locus_source::words;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Filling, SERVICE, list};
use crate::meaning::mentions::{Mention, mentions};
use crate::read::counts;
use crate::read::project::Project;
use crate::values::datum::{Datum, Map};

/// So many containers of a service are known by name.
const MOST: i64 = 100;

impl Filling<'_, '_> {
    pub(super) fn mentioned(&mut self, of: Subject, service: &Datum) {
        for (host, _) in service.get("extra_hosts").and_then(Datum::as_map).into_iter().flat_map(Map::iter) {
            self.put(of, SERVICE, "own_names", Related::text(host), service.place);
        }
        for link in list(service, &["links"]).iter().chain(list(service, &["external_links"])) {
            for part in link.as_str().unwrap_or_default().split(':') {
                self.put(of, SERVICE, "own_names", Related::text(part), link.place);
            }
        }
        for mention in mentions(service) {
            let means = self.subject("services", mention.host.as_str());
            let near = self.near(service, &mention);
            if means.is_none() && near.is_none() && !mention.is_loopback() && !mention.in_url {
                continue;
            }
            let role = self.part("Mention", mention.host.as_str(), mention.place);
            self.put(of, SERVICE, "mentions", Related::To(role), mention.place);
            self.put(role, "Mention", "host", Related::text(&mention.host), mention.place);
            if let Some(port) = mention.port {
                self.put(role, "Mention", "port", Related::Int(port.into()), mention.place);
            }
            if let Some(service) = means {
                self.put(role, "Mention", "means", Related::To(service), mention.place);
            }
            let networks = self.known.get(mention.host.as_str()).cloned().unwrap_or_default();
            for network in networks {
                if let Some(network) = self.subject("networks", network) {
                    self.put(role, "Mention", "alias_in", Related::To(network), mention.place);
                }
            }
            if let Some(near) = near {
                self.put(role, "Mention", "near", Related::To(near), mention.place);
            }
            if mention.in_url {
                self.put(role, "Mention", "url", Related::Truth(true), mention.place);
            }
            if self.called.contains(&mention.host) {
                self.put(role, "Mention", "known", Related::Truth(true), mention.place);
            }
            if mention.is_loopback() {
                self.put(role, "Mention", "loopback", Related::Truth(true), mention.place);
            }
        }
    }

    /// The service whose name a host has but for a slip, if nothing is called like the host.
    fn near(&self, service: &Datum, mention: &Mention) -> Option<Subject> {
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
        self.subject("services", name)
    }
}

/// The names that Compose gives the containers of a service; none where the file gives one.
pub(super) fn containers(project: &str, name: &str, service: &Datum) -> Vec<String> {
    if service.get("container_name").and_then(Datum::as_str).is_some_and(|name| !name.is_empty()) {
        return Vec::new();
    }
    (1..=counts::number(service).count.min(MOST)).map(|number| format!("{project}-{name}-{number}")).collect()
}

/// The names of services and containers.
pub(super) fn called(project: &Project) -> FxHashSet<String> {
    let mut called = FxHashSet::default();
    for (name, service) in project.section("services").chain(project.disabled.iter()) {
        called.insert(name.to_owned());
        called.extend(containers(&project.name, name, service));
        let own = ["hostname", "container_name"].iter().filter_map(|key| service.get(key)?.as_str());
        called.extend(own.map(str::to_owned));
    }
    called
}

/// All names that containers have.
pub(super) fn names(project: &Project) -> FxHashMap<&str, BTreeSet<&str>> {
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
