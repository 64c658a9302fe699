//! All that rules see of a project beside its elements: section 6.2 of the report.
//!
//! Each notion of the core of the rules is a part: a mount, a port, a setting. What is at the paths that a project
//! names is seen through the files around it. Out of scope: the rules themselves.

mod built;
mod command;
mod flags;
mod hosts;
mod listening;
mod service;
mod settings;

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_meaning::{Related, Subject};
use locus_source::{Found, Place};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use self::built::unread;
use self::listening::Points;
use super::{Elements, SERVICES};
use crate::read::counts;
use crate::read::load::Files;
use crate::read::project::Project;
use crate::values::datum::{Datum, Map};

/// Adds the parts of a project to its elements.
pub(super) fn add(elements: &mut Elements<'_>, files: &Files<'_>) {
    let project = elements.project;
    let mut filling = Filling {
        elements,
        files,
        project,
        known: hosts::names(project),
        called: hosts::called(project),
        dockerfiles: FxHashMap::default(),
        points: Points::of(project),
    };
    filling.everything();
}

struct Filling<'e, 'p> {
    elements: &'e mut Elements<'p>,
    files: &'e Files<'e>,
    project: &'p Project,
    /// All that containers are called: names of services and of containers, host names and aliases. For aliases, in
    /// which networks.
    known: FxHashMap<&'p str, BTreeSet<&'p str>>,
    /// Names that are not only aliases.
    called: FxHashSet<String>,
    dockerfiles: built::Dockerfiles,
    points: Points,
}

const SERVICE: &str = "Service";
const ANY_SERVICE: &str = "AnyService";

impl Filling<'_, '_> {
    /// The element of a section with this name.
    fn subject(&self, section: &'static str, name: &str) -> Option<Subject> {
        self.elements.id(section, name).map(Subject::Element)
    }

    fn part(&mut self, signature: &'static str, label: impl Into<Arc<str>>, place: Place) -> Subject {
        self.elements.all.parts().add(signature, label, place).into()
    }

    /// Relates an element or a part to a value by a field of a signature.
    fn put(
        &mut self,
        of: Subject,
        signature: &'static str,
        field: &'static str,
        value: Related,
        place: Place,
    ) {
        self.elements.all.parts().put(of, signature, field, value, place);
    }

    fn put_text(&mut self, of: Subject, signature: &'static str, field: &'static str, value: Option<&Datum>) {
        if let Some(value) = value
            && let Some(given) = value.as_str().filter(|text| !text.is_empty())
        {
            self.put(of, signature, field, Related::text(given), value.place);
        }
    }

    fn put_true(&mut self, of: Subject, signature: &'static str, field: &'static str, value: Option<&Datum>) {
        if let Some(value) = value
            && value.as_bool() == Some(true)
        {
            self.put(of, signature, field, Related::Truth(true), value.place);
        }
    }

    fn everything(&mut self) {
        let project = self.project;
        let names: Vec<(Subject, String, Place)> = (self.elements.all.elements())
            .map(|(id, element)| (id.into(), element.name.to_string(), element.place))
            .collect();
        for (of, name, place) in names {
            self.put(of, "Location", "name", Related::text(&name), place);
        }
        for section in ["networks", "volumes", "secrets", "configs"] {
            for (name, entry) in project.entries(section) {
                if let Some(of) = self.subject(section, name) {
                    self.resource(section, of, &entry.value);
                }
            }
        }
        // In the order of the file, so that names decide nothing.
        for (name, entry) in project.entries(SERVICES.key).chain(project.disabled.in_file_order()) {
            let service = &entry.value;
            let Some(of) = self.subject(SERVICES.key, name) else { continue };
            self.dependencies(of, service);
            self.put_text(of, ANY_SERVICE, "container_name", service.get("container_name"));
            for container in hosts::containers(&project.name, name, service) {
                self.put(of, ANY_SERVICE, "containers", Related::text(&container), service.place);
            }
            self.ports(of, service);
        }
        for (name, entry) in project.entries(SERVICES.key) {
            if let Some(of) = self.subject(SERVICES.key, name) {
                self.service(of, &entry.value);
            }
        }
    }

    fn resource(&mut self, section: &'static str, of: Subject, value: &Datum) {
        match section {
            "networks" => {
                self.external(of, "Network", value);
                self.put_true(of, "Network", "internal", value.get("internal"));
                self.settings(of, value, settings::OF_NETWORK);
                if value.get("driver").is_some() {
                    self.put_text(of, "Network", "driver", value.get("driver"));
                } else {
                    self.put(of, "Network", "driver", Related::text("bridge"), value.place);
                }
                for pool in value.at(&["ipam", "config"]).and_then(Datum::as_list).unwrap_or_default() {
                    self.pool(of, pool);
                }
            }
            "volumes" => {
                self.external(of, "Volume", value);
                self.settings(of, value, settings::OF_VOLUME);
                self.device(of, value);
            }
            _ => {
                self.external(of, "FileObject", value);
                let variable = value.get("environment").filter(|name| self.is_unset(name));
                self.put_text(of, "FileObject", "unset", variable);
                if let Some(path) = value.get("file") {
                    let file = self.file(path);
                    self.put(of, "FileObject", "file", Related::To(file), path.place);
                }
            }
        }
    }

    /// The folder of the host that a volume of the local driver stands for.
    fn device(&mut self, volume: Subject, value: &Datum) {
        let is_local = value.get("driver").is_none_or(|driver| driver.as_str() == Some("local"));
        let options = value.at(&["driver_opts", "o"]).and_then(Datum::as_str).unwrap_or_default();
        if let Some(device) = value.at(&["driver_opts", "device"])
            && is_local
            && options.split(',').any(|option| option == "bind")
        {
            let file = self.file(device);
            self.put(volume, "Volume", "device", Related::To(file), device.place);
        }
    }

    fn is_unset(&self, name: &Datum) -> bool {
        name.as_str().is_some_and(|name| self.project.unset.contains(name))
    }

    fn external(&mut self, of: Subject, sig: &'static str, resource: &Datum) {
        if counts::is_external(resource) {
            self.put_true(of, sig, "external", resource.get("external"));
        }
    }

    fn pool(&mut self, network: Subject, value: &Datum) {
        let pool = self.part("Pool", "pool", value.place);
        self.put(network, "Network", "pools", Related::To(pool), value.place);
        self.put(pool, "Pool", "of", Related::To(network), value.place);
        for key in ["subnet", "gateway", "ip_range"] {
            self.put_text(pool, "Pool", key, value.get(key));
        }
        for (_, address) in value.get("aux_addresses").and_then(Datum::as_map).into_iter().flat_map(Map::iter)
        {
            self.put_text(pool, "Pool", "reserved", Some(address));
        }
    }

    /// A file or folder of this machine.
    fn file(&mut self, path: &Datum) -> Subject {
        let text = path.as_str().unwrap_or_default();
        let shown = self.files.relative(text);
        let file = self.part("File", shown, path.place);
        self.put(file, "File", "path", Related::text(shown), path.place);
        let (found, is_folder) = match self.files.look(text) {
            Found::Nothing => (Some(false), None),
            Found::File => (Some(true), Some(false)),
            Found::Folder => (Some(true), Some(true)),
            Found::Unknown => (None, None),
        };
        for (field, truth) in [("found", found), ("is_folder", is_folder)] {
            if let Some(truth) = truth {
                self.put(file, "File", field, Related::Truth(truth), path.place);
            }
        }
        file
    }

    fn dependencies(&mut self, of: Subject, service: &Datum) {
        for profile in list(service, &["profiles"]) {
            self.put_text(of, ANY_SERVICE, "profiles", Some(profile));
        }
        let Some(dependencies) = service.get("depends_on").and_then(Datum::as_map) else { return };
        for (target, entry) in &dependencies.0 {
            let Some(on) = self.subject("services", target.as_str()) else { continue };
            let value = &entry.value;
            let dependency = self.part("Dependency", target.as_str(), entry.key);
            self.put(of, ANY_SERVICE, "depends_on", Related::To(dependency), entry.key);
            self.put(dependency, "Dependency", "on", Related::To(on), entry.key);
            self.put_text(dependency, "Dependency", "condition", value.get("condition"));
            let required = value.get("required").and_then(Datum::as_bool) != Some(false);
            self.put(dependency, "Dependency", "required", Related::Truth(required), entry.key);
        }
    }

    /// All that the file says at a place.
    fn written(&self, place: Place) -> String {
        self.files.sources.get(place.file).slice(place.span).to_owned()
    }
}

fn list<'v>(value: &'v Datum, keys: &[&str]) -> &'v [Datum] {
    value.at(keys).and_then(Datum::as_list).unwrap_or_default()
}
