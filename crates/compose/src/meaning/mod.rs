//! The meaning of a project: sections 6.2 and 6.3 of the report. Its location graph, the instance of the rules, its
//! Alloy model and the things of a plan are made of it.
//!
//! Services, networks, volumes, secrets and configs are elements. A service requires a role of each network, volume,
//! secret and config that it uses, and of each service that it depends on. An attribute of the use, such as an address,
//! an alias, the target of a mount or the condition of a dependency, is one of the role. A published port is a role
//! that the service offers to anybody outside. A service with several containers is one element with their number.
//! Services of profiles that are not active are seen by rules only.
//!
//! For the drawing there is a box around each network with the services that are only in it.
//!
//! [`parts`] has what rules see beside that, [`process`] the lifecycles, [`specification`] what the driver gets.

pub(crate) mod mentions;
mod parts;
mod process;
mod specification;
mod value;

use std::sync::Arc;

use locus_meaning::{
    Copies, Element, Enclosure, EnclosureId, Key, Link, Meaning, Naming, Notation, Offer, ThingId,
};
use locus_schema::Field;
use locus_source::Place;
use rustc_hash::FxHashMap;

pub(crate) use self::parts::unread;
pub(crate) use self::specification::RANGE;
use crate::read::counts;
use crate::read::load::Files;
use crate::read::project::Project;
use crate::values::datum::{Datum, Map};
use crate::values::ports;

/// A section of a project, and what its entries are.
struct Section {
    /// The key at the top.
    key: &'static str,
    /// The sort of its elements.
    sort: &'static str,
    /// Their signature in the rules.
    signature: &'static str,
    /// The keys that are attributes of locations.
    attributes: &'static [&'static str],
}

const SERVICES: Section = Section {
    key: "services",
    sort: "service",
    signature: "Service",
    attributes: &["image", "container_name", "hostname", "restart", "network_mode", "privileged"],
};

/// The sections of what services use.
const RESOURCES: [Section; 4] = [
    resources("networks", "network", "Network"),
    resources("volumes", "volume", "Volume"),
    resources("secrets", "secret", "Secret"),
    resources("configs", "config", "Config"),
];

/// The signature of services that no active profile has.
const INACTIVE: &str = "Inactive";

const fn resources(key: &'static str, sort: &'static str, signature: &'static str) -> Section {
    Section { key, sort, signature, attributes: &["name", "driver", "external", "file"] }
}

/// The meaning of a project, without the parts that only rules see.
pub fn meaning(project: &Project) -> Meaning<'static> {
    let mut elements = Elements::of(project);
    process::add(&mut elements);
    elements.all.finish()
}

/// The meaning of a project as rules see it: with the files around it, and without lifecycles.
pub(crate) fn for_rules(project: &Project, files: &Files<'_>) -> Meaning<'static> {
    let mut elements = Elements::of(project);
    parts::add(&mut elements, files);
    elements.all.finish()
}

/// The elements of a project, by the sections that they are in.
struct Elements<'p> {
    project: &'p Project,
    all: Meaning<'static>,
    /// By section and name.
    ids: FxHashMap<(&'static str, &'p str), ThingId>,
    /// The boxes of networks, by name.
    boxes: FxHashMap<&'p str, EnclosureId>,
}

impl<'p> Elements<'p> {
    fn of(project: &'p Project) -> Self {
        let mut all = Meaning::new();
        // The canonical form decides the type of each value.
        all.set_notation(Notation { null: "<nil>", marks_texts: false });
        let mut made = Self { project, all, ids: FxHashMap::default(), boxes: FxHashMap::default() };
        for section in &RESOURCES {
            for (name, entry) in project.entries(section.key) {
                made.add(section, name, entry.key, &entry.value);
            }
        }
        for (name, entry) in project.entries(SERVICES.key) {
            let id = made.add(&SERVICES, name, entry.key, &entry.value);
            made.all.element_mut(id).copies = copies(&entry.value);
        }
        for (name, entry) in project.disabled.in_file_order() {
            let mut element = element(&SERVICES, name, entry.key);
            element.signature = Some(INACTIVE);
            element.drawn = false;
            let id = made.all.add(element);
            made.ids.insert((SERVICES.key, name), id);
        }
        for (name, service) in project.entries(SERVICES.key) {
            made.service(name, &service.value);
        }
        made
    }

    fn id(&self, section: &'static str, name: &str) -> Option<ThingId> {
        self.ids.get(&(section, name)).copied()
    }

    fn add(&mut self, section: &Section, name: &'p str, place: Place, value: &Datum) -> ThingId {
        let mut element = element(section, name, place);
        let given = section.attributes.iter().filter_map(|key| Some((*key, value.get(key)?)));
        element.properties =
            given.filter_map(|(key, value)| attribute(key, value)).collect::<Vec<_>>().into();
        if section.sort == "network" {
            let name = format!("network {name}").into();
            let around = self.all.enclose(Enclosure { name, place: None, within: None });
            element.within = Some(around);
        }
        let id = self.all.add(element);
        if let Some(around) = self.all.element(id).within {
            self.boxes.insert(name, around);
        }
        self.ids.insert((section.key, name), id);
        id
    }

    /// The roles that a service requires and offers, and its box.
    fn service(&mut self, name: &'p str, service: &'p Datum) {
        let Some(id) = self.id(SERVICES.key, name) else { return };
        let mut links = Vec::new();
        let mut link = |to: Option<ThingId>, by: &'static str, role: String, place: Place, value: &Datum| {
            links.extend(to.map(|to| Link {
                role: Some(role.into()),
                attributes: attributes(value),
                ..Link::new(to, by, place)
            }));
        };
        let networks = service.get("networks").and_then(Datum::as_map).unwrap_or(Map::empty());
        for (network, entry) in networks.in_file_order() {
            let role = format!("{network} of {name}");
            link(self.id("networks", network), "networks", role, entry.key, &entry.value);
        }
        for section in ["volumes", "secrets", "configs"] {
            for item in service.get(section).and_then(Datum::as_list).unwrap_or_default() {
                let Some(source) = item.get("source").and_then(Datum::as_str) else { continue };
                let target = item.get("target").and_then(Datum::as_str).unwrap_or(source);
                let role = format!("{target} of {name}");
                link(self.id(section, source), section, role, item.place, item);
            }
        }
        for (target, entry) in
            service.get("depends_on").and_then(Datum::as_map).into_iter().flat_map(Map::in_file_order)
        {
            let condition = entry.value.get("condition").and_then(Datum::as_str).unwrap_or_default();
            let role = match condition {
                "service_healthy" => format!("{target} healthy for {name}"),
                "service_completed_successfully" => format!("{target} done for {name}"),
                _ => format!("{target} for {name}"),
            };
            link(self.active(target), "depends_on", role, entry.key, &entry.value);
        }
        let ports = service.get("ports").and_then(Datum::as_list).unwrap_or_default();
        let offers = ports.iter().map(|item| offer(name, item)).collect();
        let mut within = networks.keys();
        let only = within.next().filter(|_| within.next().is_none());
        let within = only.and_then(|network| self.boxes.get(network)).copied();
        let element = self.all.element_mut(id);
        (element.links, element.offers, element.within) = (links, offers, within);
    }

    /// A service of the active profiles.
    fn active(&self, name: &str) -> Option<ThingId> {
        self.id(SERVICES.key, name).filter(|&id| self.all.element(id).drawn)
    }
}

fn element(section: &Section, name: &str, place: Place) -> Element<'static> {
    let mut element = Element::new(Key::within(section.sort, name), name.into(), section.sort.into(), place);
    element.signature = Some(section.signature);
    element.offers_itself = false;
    element
}

/// The containers of a service, which are told apart by numbers; the first is called as the service is, so that it
/// stays when there are to be more or fewer. No service can have a name with a blank.
fn copies(service: &Datum) -> Copies {
    let number = counts::number(service);
    // No plan has as many.
    let count = u32::try_from(number.count).unwrap_or(u32::MAX);
    Copies { count, place: number.place, naming: Naming::Ordinals, drawn_each: false }
}

/// The role that a published port is, or a range of them.
fn offer(service: &str, item: &Datum) -> Offer {
    let port = &*ports::long_form(item);
    let text = |key: &str| port.get(key).map(Datum::print).unwrap_or_default();
    let parts = [text("host_ip"), text("published")];
    let shown: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let shown = if shown.is_empty() { "any port".to_owned() } else { shown.join(":") };
    let role = format!("host {shown} → {service}:{}/{}", text("target"), text("protocol"));
    Offer { role: role.into(), attributes: attributes(port), place: port.place }
}

/// The entries of a map as attributes, those that are simple.
fn attributes(value: &Datum) -> Vec<Field> {
    let entries = value.as_map().into_iter().flat_map(Map::iter);
    entries.filter_map(|(key, value)| attribute(key, value)).collect()
}

fn attribute(key: &str, value: &Datum) -> Option<Field> {
    Some(Field { key: Arc::from(key), place: value.place, value: value::simple(value)? })
}
