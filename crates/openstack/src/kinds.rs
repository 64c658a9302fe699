//! The types of resources, as data: which service makes them, under which path, what the properties of a template are
//! called there, which of them can be changed, how one is found again, and when it is ready.
//!
//! The tables are in `kinds/`, a file for each service. Out of scope: the calls themselves ([`crate::Work`]).

mod compute;
mod identity;
mod image;
mod network;
mod volume;

use serde_json::{Map, Value};

use crate::session::Service;

/// A type of resources.
#[derive(Debug)]
pub struct Kind {
    /// The name in templates.
    pub sort: &'static str,
    /// The service that makes it.
    pub service: Service,
    /// Where the list of them is. A part in braces is a property, as it is called in templates.
    pub path: &'static str,
    /// The key around one of them; empty if there is none.
    pub one: &'static str,
    /// The key around a list of them.
    pub many: &'static str,
    /// How one is found again.
    pub mark: Mark,
    /// How one is changed.
    pub change: Change,
    /// The microversion.
    pub version: Option<&'static str>,
    /// The properties.
    pub fields: &'static [Field],
    /// When one is ready.
    pub ready: Option<Ready>,
    /// Whether it is there for a while after its deletion was accepted.
    pub lingers: bool,
    /// The calls beside the one call that makes it.
    pub beside: Beside,
}

/// How a thing is found again by the token of the step that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The end of the description. Tags would be nicer, but Neutron takes them only when a thing is there already, and
    /// a crash may come between.
    Description,
    /// An entry of the metadata.
    Metadata,
    /// A field of its own, since the service keeps all that it is given.
    Own,
    /// Its name, which is made of the token unless the template gives one. One that was given is certain only if the
    /// service refuses a second one.
    Name,
    /// One that is the same cannot be there twice.
    Same,
}

/// How a thing is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// With `PUT`.
    Put,
    /// With `PATCH`.
    Patch,
    /// With `PATCH`, as a list of operations.
    Operations,
    /// Not at all.
    Never,
}

/// The calls beside the one call that makes a thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// The rules of a security group are made one by one.
    Rules,
    /// The body of a server is made of many properties.
    Server,
    /// The size of a volume grows by an action, and its metadata have a path of their own.
    Volume,
    /// Further specifications of a flavor.
    Flavor,
    /// The contents of an image come from an address.
    Import,
    /// It must be disabled before it can be deleted.
    Disable,
    /// It is no thing but a relation between two.
    Link(Link),
}

/// A relation between two things, which is made and ended by calls of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// A router has an interface on a subnet, or by a port.
    Interface,
    /// A router has a gateway.
    Gateway,
    /// A floating address leads to a port.
    Address,
    /// A volume is attached to a server.
    Attachment,
    /// A user or group has roles.
    Roles,
    /// A router has further routes.
    Routes,
}

/// When a thing is ready.
#[derive(Clone, Copy, Debug)]
pub struct Ready {
    /// The statuses of a thing that is being made or changed; any other, but for those that begin with `error`, is
    /// good.
    pub under_way: &'static [&'static str],
}

/// A property of a template in a service.
#[derive(Debug)]
pub struct Field {
    /// The name in templates.
    pub property: &'static str,
    /// The name in the service.
    pub to: &'static str,
    /// Whether it can be changed.
    pub changes: bool,
    /// The thing whose id is meant, where a name may be given.
    pub names: Option<Names>,
    /// The keys within that are called otherwise, or name something.
    pub inner: &'static [Inner],
    /// The use of it.
    pub role: Role,
}

/// The use of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is part of the body, and can be read back.
    Plain,
    /// It is part of the body, and is not compared with what is there.
    Unseen,
    /// Its entries are part of the body.
    Merged,
    /// Its items are tags, which Neutron is told in a call of their own.
    Tags,
    /// Other code takes care of it.
    Apart,
    /// It means nothing without Heat.
    Ignored,
    /// An empty value means nothing, and another one is refused.
    Refused,
}

/// A key within a property.
#[derive(Debug)]
pub struct Inner {
    /// The key in templates.
    pub key: &'static str,
    /// The key in the service.
    pub to: &'static str,
    /// The thing whose id is meant.
    pub names: Option<Names>,
}

/// A kind of thing that is named.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Names {
    /// A network.
    Network,
    /// A subnet.
    Subnet,
    /// A subnet pool.
    SubnetPool,
    /// An address scope.
    AddressScope,
    /// A router.
    Router,
    /// A port.
    Port,
    /// A security group of the project.
    SecurityGroup,
    /// A policy of quality of service.
    Policy,
    /// A segment.
    Segment,
    /// A flavor.
    Flavor,
    /// An image.
    Image,
    /// A server.
    Server,
    /// A volume.
    Volume,
    /// A type of volumes.
    VolumeType,
    /// A project.
    Project,
    /// A domain.
    Domain,
    /// A user.
    User,
    /// A group.
    Group,
    /// A role.
    Role,
    /// A service, by its name or type.
    Service,
}

impl Names {
    /// The service, the path of the list, the key around it and the words for one.
    pub fn list(self) -> (Service, &'static str, &'static str, &'static str) {
        use Service::{Compute, Identity, Image, Network, Volume};
        match self {
            Names::Network => (Network, "/networks", "networks", "network"),
            Names::Subnet => (Network, "/subnets", "subnets", "subnet"),
            Names::SubnetPool => (Network, "/subnetpools", "subnetpools", "subnet pool"),
            Names::AddressScope => (Network, "/address-scopes", "address_scopes", "address scope"),
            Names::Router => (Network, "/routers", "routers", "router"),
            Names::Port => (Network, "/ports", "ports", "port"),
            Names::SecurityGroup => (Network, "/security-groups", "security_groups", "security group"),
            Names::Policy => (Network, "/qos/policies", "policies", "policy of quality of service"),
            Names::Segment => (Network, "/segments", "segments", "segment"),
            Names::Flavor => (Compute, "/flavors/detail", "flavors", "flavor"),
            Names::Image => (Image, "/images", "images", "image"),
            Names::Server => (Compute, "/servers", "servers", "server"),
            Names::Volume => (Volume, "/volumes", "volumes", "volume"),
            Names::VolumeType => (Volume, "/types", "volume_types", "volume type"),
            Names::Project => (Identity, "/projects", "projects", "project"),
            Names::Domain => (Identity, "/domains", "domains", "domain"),
            Names::User => (Identity, "/users", "users", "user"),
            Names::Group => (Identity, "/groups", "groups", "group"),
            Names::Role => (Identity, "/roles", "roles", "role"),
            Names::Service => (Identity, "/services", "services", "service"),
        }
    }
}

impl Field {
    /// A property with the same name, which is given once.
    const fn of(property: &'static str) -> Self {
        Self { property, to: property, changes: false, names: None, inner: &[], role: Role::Plain }
    }

    /// The same, with another name in the service.
    const fn to(mut self, to: &'static str) -> Self {
        self.to = to;
        self
    }

    /// The same, if it can be changed.
    const fn changes(mut self) -> Self {
        self.changes = true;
        self
    }

    /// The same, if it names something.
    const fn names(mut self, names: Names) -> Self {
        self.names = Some(names);
        self
    }

    /// The same, with keys within that are called otherwise.
    const fn inner(mut self, inner: &'static [Inner]) -> Self {
        self.inner = inner;
        self
    }

    /// The same, with another use.
    const fn role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }
}

impl Inner {
    const fn of(key: &'static str, to: &'static str, names: Names) -> Self {
        Self { key, to, names: Some(names) }
    }
}

impl Kind {
    /// A type of Neutron, which is changed with `PUT`.
    const fn network(
        sort: &'static str,
        path: &'static str,
        (one, many): (&'static str, &'static str),
        mark: Mark,
        fields: &'static [Field],
    ) -> Self {
        Self {
            sort,
            service: Service::Network,
            path,
            one,
            many,
            mark,
            change: Change::Put,
            version: None,
            fields,
            ready: None,
            lingers: false,
            beside: Beside::Nothing,
        }
    }

    /// A relation.
    const fn link(sort: &'static str, service: Service, link: Link, fields: &'static [Field]) -> Self {
        Self {
            service,
            beside: Beside::Link(link),
            change: Change::Never,
            mark: Mark::Same,
            ..Self::network(sort, "", ("", ""), Mark::Same, fields)
        }
    }

    /// A property by its name.
    pub fn field(&self, property: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.property == property)
    }

    /// Whether a change of a property needs another thing.
    pub fn is_fixed(&self, property: &str) -> bool {
        self.field(property).is_some_and(|field| !field.changes && field.role != Role::Ignored)
    }

    /// The relation, if it is one.
    pub fn as_link(&self) -> Option<Link> {
        if let Beside::Link(link) = self.beside { Some(link) } else { None }
    }

    /// Why a thing with these properties cannot be made; none if it can, as far as its properties tell.
    pub fn refuses(&self, properties: &Map<String, Value>) -> Option<String> {
        let is_empty = |value: &Value| match value {
            Value::Null | Value::Bool(false) => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Object(map) => map.is_empty(),
            Value::Bool(true) | Value::Number(_) => false,
        };
        let refused = properties.iter().find(|(name, value)| {
            let role = self.field(name).map_or(Role::Refused, |field| field.role);
            role == Role::Refused && !is_empty(value)
        });
        let refused =
            refused.map(|(name, _)| format!("the property `{name}` of a {} is not supported", self.sort));
        let networks = properties.get("networks").and_then(Value::as_array).into_iter().flatten();
        refused.or_else(|| networks.filter(|_| self.beside == Beside::Server).find_map(refuses_network))
    }
}

/// Why a server cannot be made with a network; none if it can.
fn refuses_network(network: &Value) -> Option<String> {
    let has = |key: &str| network.get(key).is_some_and(|value| !value.is_null());
    if has("floating_ip") {
        return Some(
            "a server is given no `floating_ip`: write an OS::Neutron::FloatingIPAssociation".to_owned(),
        );
    }
    let needs_port = ["subnet", "port_extra_properties"].into_iter().find(|key| has(key));
    let more = needs_port.or_else(|| ["allocate_network", "tag"].into_iter().find(|key| has(key)))?;
    if has("port") && more != "tag" {
        return None;
    }
    Some(format!(
        "`{more}` of a network of a server is not supported: write an OS::Neutron::Port and give it as `port`"
    ))
}

/// All types.
pub fn all() -> impl Iterator<Item = &'static Kind> {
    [network::KINDS, compute::KINDS, volume::KINDS, image::KINDS, identity::KINDS].into_iter().flatten()
}

/// The type with a name.
pub fn kind(sort: &str) -> Option<&'static Kind> {
    all().find(|kind| kind.sort == sort)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::json;

    use super::*;

    #[test]
    fn every_type_and_every_property_is_there_once() {
        let mut sorts = BTreeSet::new();
        for kind in all() {
            assert!(sorts.insert(kind.sort), "{}", kind.sort);
            let mut names = BTreeSet::new();
            for field in kind.fields {
                assert!(names.insert(field.property), "{} of {}", field.property, kind.sort);
            }
            for part in kind.path.split('{').skip(1).filter_map(|part| part.split('}').next()) {
                assert!(names.contains(part), "{part} of {}", kind.sort);
            }
            assert_eq!(kind.path.is_empty(), kind.as_link().is_some(), "{}", kind.sort);
        }
        assert!(sorts.len() > 40, "{}", sorts.len());
    }

    #[test]
    fn what_is_not_supported_is_said_by_its_name() {
        let net = kind("OS::Neutron::Net").expect("there is one");
        let properties = |value: Value| value.as_object().cloned().expect("it is a map");
        assert_eq!(net.refuses(&properties(json!({ "name": "x", "dhcp_agent_ids": [] }))), None);
        let why = net.refuses(&properties(json!({ "dhcp_agent_ids": ["a"] })));
        assert_eq!(
            why.as_deref(),
            Some("the property `dhcp_agent_ids` of a OS::Neutron::Net is not supported")
        );
        assert!(net.is_fixed("tenant_id") && !net.is_fixed("name"));
    }
}
