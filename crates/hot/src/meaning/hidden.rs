//! Dependencies that a template does not write and Heat adds: those of `add_dependencies` in its resource types.
//!
//! A port or a server waits for the subnets of its network, a floating address for the gateway and the interfaces of
//! its router, and so on. Networks, routers and subnets are the same where the same value is given for them, or where
//! none is known.

use std::collections::HashMap;

use locus_schema::{Content, Datum};

use crate::template::{Resource, Template};
use crate::values::why::ATTRIBUTE;

/// Resources for which others wait, because they are about the same thing.
pub(crate) struct Group {
    /// Their description, for people.
    pub(crate) name: String,
    /// Their indices.
    pub(crate) members: Vec<usize>,
}

/// The groups, and for each resource, in order, those that it waits for besides what it refers to: all members of them.
/// That may be every subnet for every port, so it is not said resource by resource.
///
/// If it is to be `certain` that they wait, values that are known only to those who deploy the template are not taken
/// for values that are not known at all: to Heat they are known.
pub(crate) fn hidden(template: &Template, certain: bool) -> (Vec<Group>, Vec<Vec<usize>>) {
    let index = Index::new(template, certain);
    let of = template.resources.iter().map(|resource| index.of(resource)).collect();
    (index.groups, of)
}

/// A value that is not known before anything is created, such as the id of a resource. For Heat all such values are the
/// same when it looks for these dependencies, so that it rather waits too often.
const OPEN: &str = "?";

/// The value by which two resources are told to be about the same thing.
fn key(resource: &Resource, names: &[&str], certain: bool) -> String {
    let value = names.iter().find_map(|name| resource.property(name));
    value.map_or_else(|| OPEN.to_owned(), |value| text(value, certain))
}

fn text(datum: &Datum, certain: bool) -> String {
    match &datum.value {
        Content::Null | Content::Absent => OPEN.to_owned(),
        Content::Unknown(unknown) if certain && unknown.why.reason.id != ATTRIBUTE.id => {
            match unknown.why.input() {
                Some(name) => format!("?{name}"),
                // Unlike all others.
                None => format!("?{:?}", datum.place),
            }
        }
        other => other.to_text().map_or_else(|| OPEN.to_owned(), |text| text.to_string()),
    }
}

/// A value within a map.
fn within(datum: &Datum, names: &[&str], certain: bool) -> String {
    let Content::Map(fields) = &datum.value else { return text(datum, certain) };
    let field = names.iter().find_map(|name| fields.iter().find(|field| &*field.key == *name));
    field.map_or_else(|| OPEN.to_owned(), |field| text(&field.value, certain))
}

fn items(datum: Option<&Datum>) -> &[Datum] {
    match datum.map(|datum| &datum.value) {
        Some(Content::List(items)) => items,
        _ => &[],
    }
}

const NETWORK: &[&str] = &["network", "network_id"];
const ROUTER: &[&str] = &["router", "router_id"];
const SUBNET: &[&str] = &["subnet", "subnet_id"];

/// The group of each key.
type By = HashMap<String, usize>;

/// The resources that others wait for, by what they are about.
struct Index<'t> {
    template: &'t Template,
    certain: bool,
    groups: Vec<Group>,
    /// The group of all subnets.
    subnets: Option<usize>,
    subnets_of: By,
    gateways_to: By,
    gateways_of: By,
    routers_to: By,
    interfaces_of: By,
    interfaces_on: By,
    ports: HashMap<&'t str, usize>,
}

/// Adds a resource to the group of a key; `open` is what the group is called if nothing is known of the key.
fn add(groups: &mut Vec<Group>, by: &mut By, (what, open): (&str, &str), key: String, at: usize) {
    let name = if key == OPEN { format!("{what} {open}") } else { format!("{what} {key}") };
    let group = *by.entry(key).or_insert_with(|| {
        groups.push(Group { name, members: Vec::new() });
        groups.len() - 1
    });
    groups[group].members.push(at);
}

impl<'t> Index<'t> {
    fn new(template: &'t Template, certain: bool) -> Self {
        let mut index = Self {
            template,
            certain,
            groups: Vec::new(),
            subnets: None,
            subnets_of: By::new(),
            gateways_to: By::new(),
            gateways_of: By::new(),
            routers_to: By::new(),
            interfaces_of: By::new(),
            interfaces_on: By::new(),
            ports: HashMap::new(),
        };
        for (at, resource) in template.resources.iter().enumerate() {
            index.add(at, resource);
        }
        index
    }

    fn add(&mut self, at: usize, resource: &'t Resource) {
        let (groups, certain) = (&mut self.groups, self.certain);
        match &*resource.type_name.text {
            "OS::Neutron::Subnet" => {
                let all = *self.subnets.get_or_insert_with(|| {
                    groups.push(Group { name: "all subnets".to_owned(), members: Vec::new() });
                    groups.len() - 1
                });
                groups[all].members.push(at);
                let words = ("subnets of", "new networks");
                add(groups, &mut self.subnets_of, words, key(resource, NETWORK, certain), at);
            }
            "OS::Neutron::RouterGateway" => {
                let words = ("gateways to", "new networks");
                add(groups, &mut self.gateways_to, words, key(resource, NETWORK, certain), at);
                let words = ("gateways of", "new routers");
                add(groups, &mut self.gateways_of, words, key(resource, ROUTER, certain), at);
            }
            "OS::Neutron::Router" => {
                if let Some(gateway) = resource.property("external_gateway_info") {
                    let words = ("routers to", "new networks");
                    add(groups, &mut self.routers_to, words, within(gateway, NETWORK, certain), at);
                }
            }
            "OS::Neutron::RouterInterface" => {
                let words = ("interfaces of", "new routers");
                add(groups, &mut self.interfaces_of, words, key(resource, ROUTER, certain), at);
                let words = ("interfaces on", "new subnets");
                add(groups, &mut self.interfaces_on, words, key(resource, SUBNET, certain), at);
            }
            "OS::Neutron::Port" => {
                self.ports.insert(&resource.name.text, at);
            }
            _ => {}
        }
    }

    /// The groups that a resource waits for. No resource is in a group that it waits for.
    fn of(&self, resource: &Resource) -> Vec<usize> {
        let certain = self.certain;
        let mut found: Vec<usize> = Vec::new();
        let mut take = |by: &By, key: String| found.extend(by.get(&key));
        match &*resource.type_name.text {
            "OS::Neutron::Port" => take(&self.subnets_of, key(resource, NETWORK, certain)),
            "OS::Neutron::Router" => {
                if let Some(gateway) = resource.property("external_gateway_info") {
                    take(&self.subnets_of, within(gateway, NETWORK, certain));
                }
            }
            "OS::Neutron::RouterGateway" => {
                take(&self.interfaces_of, key(resource, ROUTER, certain));
                take(&self.subnets_of, key(resource, NETWORK, certain));
            }
            "OS::Neutron::ExtraRoute" | "OS::Neutron::ExtraRouteSet" => {
                take(&self.interfaces_of, key(resource, ROUTER, certain));
                take(&self.gateways_of, key(resource, ROUTER, certain));
            }
            "OS::Neutron::FloatingIP" => {
                let network = key(resource, &["floating_network", "floating_network_id"], certain);
                take(&self.gateways_to, network.clone());
                take(&self.routers_to, network);
                for key in self.subnets_of_port(resource) {
                    take(&self.interfaces_on, key);
                }
            }
            "OS::Neutron::FloatingIPAssociation" | "OS::Neutron::FloatingIPPortForward" => {
                for key in self.subnets_of_port(resource) {
                    take(&self.interfaces_on, key);
                }
            }
            "OS::Nova::Server" => found.extend(self.for_server(resource)),
            _ => {}
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The subnets on which the port of a floating address is.
    fn subnets_of_port(&self, resource: &Resource) -> Vec<String> {
        let certain = self.certain;
        let port = resource.property("port_id").or_else(|| resource.property("internal_port"));
        let Some(Content::Location(name)) = port.map(|port| &port.value) else { return Vec::new() };
        let Some(&at) = self.ports.get(&**name) else { return Vec::new() };
        let addresses = items(self.template.resources[at].property("fixed_ips"));
        let subnets: Vec<String> = addresses.iter().map(|address| within(address, SUBNET, certain)).collect();
        if &*resource.type_name.text != "OS::Neutron::FloatingIP" {
            // The others look at the first address only.
            return subnets.into_iter().take(1).collect();
        }
        // A port without addresses may be on any subnet.
        if subnets.is_empty() { vec![OPEN.to_owned()] } else { subnets }
    }

    /// A server waits for the subnets of its networks, and for all subnets where that is not known.
    fn for_server(&self, resource: &Resource) -> Vec<usize> {
        let certain = self.certain;
        let networks: Vec<String> = items(resource.property("networks"))
            .iter()
            .map(|network| within(network, &["network", "uuid"], certain))
            .collect();
        if networks.iter().any(|network| network == OPEN) {
            return self.subnets.into_iter().collect();
        }
        let keys = networks.iter().map(String::as_str).chain((!networks.is_empty()).then_some(OPEN));
        keys.filter_map(|key| self.subnets_of.get(key).copied()).collect()
    }
}
