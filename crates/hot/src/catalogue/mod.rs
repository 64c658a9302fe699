//! The catalogue: what Heat knows of its resource types.
//!
//! The facts are in `heat.txt`, which `tools/heat-catalogue.py` makes from an installed Heat. It has one thing
//! a line, in fields separated by tabs:
//!
//! - `~alias`, type: another name for a type; a star stands for any ending
//! - `%constraint`, client: a custom constraint, and the service that is asked
//! - `=type`, client, entity, status, `snapshot` if a snapshot can be made of it when it is deleted: a resource
//!   type; what follows belongs to it
//! - `@attribute`, type, status
//! - `!.policy`: what `update_policy` may have, in the form of properties
//! - `.property`, type and flags, then constraints, default, status, and the old name that may stand for it;
//!   one more dot for each level of nesting, and `*` is any item of a list
//!
//! Types are letters (`s` string, `i` integer, `n` number, `b` boolean, `m` map, `l` list, `a` any), and so are
//! flags (`r` required, `u` update allowed, `f` immutable, `x` not implemented, `v` converted). The other fields
//! start with a letter: `c:` custom constraint, `r:` range, `l:` length, `v:` allowed values, `p:` allowed
//! pattern, `d:` default, `S:` status, `o:` old name, `k:` kind of thing that is named though no constraint says so.
//!
//! A template uses few types, so only their names are read at first, and each type when it is asked for.

mod decode;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::constraint::Constraint;

static TEXT: &str = include_str!("heat.txt");

/// What a value of a property or an attribute is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// A text.
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false.
    Boolean,
    /// Values by key.
    Map,
    /// Values in order.
    List,
    /// Anything.
    Any,
}

impl Type {
    /// With its article, for messages.
    pub fn with_article(self) -> &'static str {
        match self {
            Self::String => "a string",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Boolean => "a boolean",
            Self::Map => "a map",
            Self::List => "a list",
            Self::Any => "anything",
        }
    }
}

/// Whether something is still to be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// `DEPRECATED`, `HIDDEN` or `UNSUPPORTED`; what is supported has no status.
    pub status: Box<str>,
    /// Since which version of Heat; may be empty.
    pub version: Box<str>,
    /// What to do instead; may be empty.
    pub message: Box<str>,
}

/// A property of a resource type, or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name; `*` for the items of a list.
    pub name: Box<str>,
    /// What its value is.
    pub kind: Type,
    /// Whether a template must give it.
    pub required: bool,
    /// Whether an update changes it in place; otherwise the resource is replaced.
    pub update_allowed: bool,
    /// Whether an update that changes it fails.
    pub immutable: bool,
    /// Whether Heat does something with it.
    pub implemented: bool,
    /// Whether a string may stand for a list or a map.
    pub converted: bool,
    /// What else must hold of its value.
    pub constraints: Vec<Constraint>,
    /// What it is when a template does not give it, as JSON.
    pub default: Option<Box<str>>,
    /// Whether it is still to be used.
    pub status: Option<Status>,
    /// An old name, which a template may give instead.
    pub old_name: Option<Box<str>>,
    /// The kind of thing that it names, where no constraint says so.
    pub kind_named: Option<Box<str>>,
    /// What is in it: for a map by name, for a list one called `*`. Empty where anything goes.
    pub nested: Vec<Property>,
}

impl Property {
    /// The part with this name.
    pub fn get(&self, name: &str) -> Option<&Property> {
        find(&self.nested, name)
    }

    /// The kind of resource that the value names, as custom constraints say it: `neutron.network`.
    pub fn names_kind(&self) -> Option<&str> {
        let constraint = self.constraints.iter().find_map(|constraint| match constraint {
            Constraint::Custom(name) if name.contains('.') => Some(&**name),
            _ => None,
        });
        constraint.or(self.kind_named.as_deref())
    }
}

fn find<'p>(properties: &'p [Property], name: &str) -> Option<&'p Property> {
    properties.binary_search_by(|property| (*property.name).cmp(name)).ok().map(|at| &properties[at])
}

/// An attribute of a resource type.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Box<str>,
    /// What its value is.
    pub kind: Type,
    /// Whether it is still to be used.
    pub status: Option<Status>,
}

/// A resource type.
#[derive(Clone, PartialEq, Debug)]
pub struct ResourceType {
    /// Its name, such as `OS::Neutron::Net`.
    pub name: Box<str>,
    /// The service that it belongs to, such as `neutron`; may be empty.
    pub client: Box<str>,
    /// What it is called there, such as `network`; may be empty.
    pub entity: Box<str>,
    /// Whether it is still to be used.
    pub status: Option<Status>,
    /// Its attributes, in order of names.
    pub attributes: Vec<Attribute>,
    /// Its properties, in order of names.
    pub properties: Vec<Property>,
    /// What `update_policy` may have, in order of names.
    pub update_policies: Vec<Property>,
    /// Whether a snapshot can be made of it when it is deleted.
    pub snapshot: bool,
}

impl ResourceType {
    /// The property with this name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        find(&self.properties, name)
    }

    /// The attribute with this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let at = self.attributes.binary_search_by(|attribute| (*attribute.name).cmp(name)).ok()?;
        Some(&self.attributes[at])
    }

    /// Whether this does nothing: it takes any property and has any attribute. Heat keeps such types in the
    /// place of those whose service is no more.
    pub fn is_placeholder(&self) -> bool {
        let hidden = self.status.as_ref().is_some_and(|status| &*status.status == "HIDDEN");
        &*self.name == "OS::Heat::None" || hidden && self.properties.is_empty()
    }

    /// Whether attributes may be had that the catalogue does not list: those of the members of a group, the
    /// outputs of a stack or of a deployment.
    pub fn has_open_attributes(&self) -> bool {
        const OPEN: &[&str] = &[
            "AWS::AutoScaling::AutoScalingGroup",
            "AWS::CloudFormation::Stack",
            "OS::Heat::AutoScalingGroup",
            "OS::Heat::InstanceGroup",
            "OS::Heat::ResourceChain",
            "OS::Heat::ResourceGroup",
            "OS::Heat::SoftwareDeployment",
            "OS::Heat::SoftwareDeploymentGroup",
            "OS::Heat::SoftwareDeployments",
            "OS::Heat::Stack",
            "OS::Heat::StructuredDeployment",
            "OS::Heat::StructuredDeploymentGroup",
            "OS::Heat::StructuredDeployments",
        ];
        self.is_placeholder() || OPEN.contains(&&*self.name)
    }

    /// The kinds of resource that it provides, as custom constraints name them: `neutron.network`.
    pub fn provides(&self) -> Vec<String> {
        let kind = match &*self.name {
            "OS::Nova::KeyPair" => "nova.keypair",
            "OS::Nova::Flavor" => "nova.flavor",
            "OS::Nova::Server" => "nova.server",
            "OS::Glance::WebImage" | "OS::Glance::Image" => "glance.image",
            "OS::Cinder::Volume" => "cinder.volume",
            "OS::Cinder::VolumeType" | "OS::Cinder::EncryptedVolumeType" => "cinder.vtype",
            "OS::Cinder::QoSSpecs" => "cinder.qos_specs",
            // That of Nova is only another way to make one of Neutron.
            "OS::Neutron::FloatingIP" | "OS::Nova::FloatingIP" => "neutron.floatingip",
            "OS::Heat::WaitConditionHandle" | "OS::Heat::UpdateWaitConditionHandle" => "heat.handle",
            "OS::Heat::AutoScalingGroup" => "heat.group",
            "OS::Neutron::Segment" => "neutron.segment",
            "OS::Neutron::FlowClassifier" => "neutron.flow_classifier",
            "OS::Neutron::PortPair" => "neutron.port_pair",
            "OS::Neutron::PortPairGroup" => "neutron.port_pair_group",
            "OS::Neutron::TaaS::TapFlow" => "neutron.taas.tap_flow",
            "OS::Neutron::TaaS::TapService" => "neutron.taas.tap_service",
            "OS::Octavia::AvailabilityZone" => "octavia.availabilityzone",
            "OS::Octavia::AvailabilityZoneProfile" => "octavia.availabilityzoneprofile",
            "OS::Octavia::Flavor" => "octavia.flavor",
            "OS::Octavia::FlavorProfile" => "octavia.flavorprofile",
            "OS::Octavia::L7Policy" => "octavia.l7policy",
            "OS::Octavia::Listener" => "octavia.listener",
            "OS::Octavia::LoadBalancer" => "octavia.loadbalancer",
            "OS::Octavia::Pool" => "octavia.pool",
            "OS::Magnum::ClusterTemplate" | "OS::Magnum::BayModel" => "magnum.cluster_template",
            "OS::Zaqar::Queue" => "zaqar.queue",
            "OS::Barbican::CertificateContainer"
            | "OS::Barbican::GenericContainer"
            | "OS::Barbican::RSAContainer" => "barbican.container",
            "OS::Barbican::Secret" => "barbican.secret",
            "OS::Blazar::Lease" => "blazar.reservation",
            _ => "",
        };
        if !kind.is_empty() {
            return vec![kind.to_owned()];
        }
        if self.client.is_empty() || self.entity.is_empty() {
            return Vec::new();
        }
        let kind = |entity: &str| format!("{}.{entity}", self.client);
        let singular = self.entity.strip_suffix('s').unwrap_or(&self.entity);
        [kind(&self.entity), kind(singular)].into_iter().filter(|kind| is_constraint(kind)).take(1).collect()
    }
}

/// The lines of one type, and what they say once somebody has asked.
struct Slot {
    lines: &'static str,
    decoded: OnceLock<ResourceType>,
}

struct Index {
    names: Vec<&'static str>,
    slots: FxHashMap<&'static str, Slot>,
    aliases: Vec<(&'static str, &'static str)>,
    constraints: Vec<&'static str>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let (head, types) = TEXT.split_once("\n=").expect("the catalogue has types");
        let field = |line: &'static str| line[1..].split_once('\t').expect("two fields");
        let lines = |sign: char| head.lines().filter(move |line| line.starts_with(sign));
        let mut names = Vec::with_capacity(256);
        let mut slots = FxHashMap::default();
        for lines in types.split("\n=") {
            let name = lines.split(['\t', '\n']).next().unwrap_or_default();
            names.push(name);
            slots.insert(name, Slot { lines, decoded: OnceLock::new() });
        }
        Index {
            names,
            slots,
            aliases: lines('~').map(field).collect(),
            constraints: lines('%').map(|line| field(line).0).collect(),
        }
    })
}

/// The type with this name. Other names for it are not looked at: see [`alias`].
pub fn resource_type(name: &str) -> Option<&'static ResourceType> {
    let slot = index().slots.get(name)?;
    Some(slot.decoded.get_or_init(|| decode::resource_type(slot.lines)))
}

/// The names of all types, in order.
pub fn type_names() -> &'static [&'static str] {
    &index().names
}

/// What Heat's own environment takes for a type that it has under another name.
pub fn alias(name: &str) -> Option<String> {
    index().aliases.iter().find_map(|(alias, target)| {
        match (alias.strip_suffix('*'), target.strip_suffix('*')) {
            (Some(start), Some(target)) => name.strip_prefix(start).map(|rest| format!("{target}{rest}")),
            _ => (*alias == name).then(|| (*target).to_owned()),
        }
    })
}

/// Whether there is a custom constraint with this name.
pub fn is_constraint(name: &str) -> bool {
    index().constraints.binary_search(&name).is_ok()
}

/// The names of all custom constraints, in order.
pub fn constraint_names() -> &'static [&'static str] {
    &index().constraints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_can_be_decoded() {
        assert_eq!(type_names().len(), 201);
        let mut kinds = 0;
        for name in type_names() {
            let found = resource_type(name).unwrap();
            assert_eq!(&*found.name, *name);
            assert!(found.properties.is_sorted_by(|a, b| a.name < b.name), "{name}");
            assert!(found.attributes.is_sorted_by(|a, b| a.name < b.name), "{name}");
            let mut open: Vec<&Property> = found.properties.iter().collect();
            while let Some(property) = open.pop() {
                for constraint in &property.constraints {
                    if let Constraint::Custom(custom) = constraint {
                        assert!(is_constraint(custom), "{custom}");
                        kinds += usize::from(custom.contains('.'));
                    }
                }
                open.extend(&property.nested);
            }
        }
        assert_eq!(kinds, 223);
    }

    #[test]
    fn a_type_is_as_heat_has_it() {
        let server = resource_type("OS::Nova::Server").unwrap();
        assert_eq!((&*server.client, &*server.entity), ("nova", "servers"));
        let flavor = server.property("flavor").unwrap();
        assert!(flavor.required && flavor.update_allowed);
        assert_eq!(flavor.names_kind(), Some("nova.flavor"));
        let port = server.property("networks").unwrap().get("*").unwrap().get("port").unwrap();
        assert_eq!(port.names_kind(), Some("neutron.port"));
        assert_eq!(resource_type("OS::Nova::Sever"), None);
    }

    #[test]
    fn old_names_lead_to_new_ones() {
        assert_eq!(alias("OS::Quantum::Port").as_deref(), Some("OS::Neutron::Port"));
        assert_eq!(alias("OS::Metering::Alarm").as_deref(), Some("OS::Aodh::Alarm"));
        assert_eq!(alias("OS::Neutron::Port"), None);
    }

    #[test]
    fn types_provide_what_constraints_name() {
        let provides = |name: &str| resource_type(name).unwrap().provides();
        assert_eq!(provides("OS::Neutron::Net"), ["neutron.network"]);
        assert_eq!(provides("OS::Neutron::ProviderNet"), ["neutron.network"]);
        assert_eq!(provides("OS::Nova::KeyPair"), ["nova.keypair"]);
        assert_eq!(provides("OS::Neutron::RouterInterface"), Vec::<String>::new());
        assert_eq!(provides("OS::Keystone::User"), ["keystone.user"]);
    }
}
