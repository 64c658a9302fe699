//! The catalogue: what Heat knows of its resource types.
//!
//! The facts are in `heat.txt`, which `tools/heat-catalogue.py` makes from a dump of an installed Heat. It has one
//! thing a line, in fields separated by tabs:
//!
//! - `~alias`, type: another name for a type; a star stands for any ending
//! - `%constraint`, client: a custom constraint, and the service that is asked
//! - `=type`, client, entity, status, then `p:` and the kind of thing that it is, and words: `snapshot` if one can be
//!   made of it when it is deleted, `open` if it has attributes that are not listed, `made` if a service makes its ids,
//!   `thing` if it is one thing in a service: a resource type; what follows belongs to it
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

use locus_schema::modules::{TypeModule, identifier};
use locus_schema::types::find;
use locus_schema::{Property, Status, Type};
use rustc_hash::FxHashMap;

static TEXT: &str = include_str!("heat.txt");

/// An attribute of a resource type.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// Its name.
    pub name: Box<str>,
    /// The type of its value.
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
    /// The name of the entity there, such as `network`; may be empty.
    pub entity: Box<str>,
    /// Whether it is still to be used.
    pub status: Option<Status>,
    /// Its attributes, in order of names.
    pub attributes: Vec<Attribute>,
    /// Its properties, in order of names.
    pub properties: Vec<Property>,
    /// The properties that `update_policy` may have, in order of names.
    pub update_policies: Vec<Property>,
    /// The kind of thing that its resources are, as custom constraints name it: `neutron.network`.
    pub provides: Option<Box<str>>,
    /// Whether a snapshot can be made of it when it is deleted.
    pub snapshot: bool,
    /// Whether there are attributes that are not listed.
    pub open: bool,
    /// Whether the id of a resource is one that its service makes, or Heat of the name of the stack: neither a number
    /// nor a truth value.
    pub made_id: bool,
    /// Whether a resource is one thing in a service, whose id is of no use as that of another thing. What a group, a
    /// value or a stack refers to may be anything.
    pub is_thing: bool,
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
        self.is_placeholder() || self.open
    }
}

impl ResourceType {
    /// The name of its module and its signature in Alloy.
    pub fn sig_name(&self) -> String {
        sig_name(&self.name)
    }

    /// The text of its module.
    pub fn module(&self) -> String {
        let sig = self.sig_name();
        let module = TypeModule {
            module: &format!("hot/types/{sig}"),
            core: "hot/core",
            sig: &sig,
            extends: "Resource",
            doc: &format!("`{}`, as Heat's catalogue has it.", self.name),
            properties: &self.properties,
        };
        module.to_string()
    }
}

/// The name of the module and the signature of a type, by its name.
pub(crate) fn sig_name(type_name: &str) -> String {
    identifier(&type_name.replace("::", "_"))
}

/// The type whose module has this name.
pub fn by_sig_name(name: &str) -> Option<&'static ResourceType> {
    static NAMES: OnceLock<FxHashMap<String, &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| type_names().iter().map(|full| (sig_name(full), *full)).collect());
    names.get(name).and_then(|full| resource_type(full))
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

/// The type to which Heat's own environment maps another name of it.
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
    use locus_schema::Constraint;

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
        let provides = |name: &str| resource_type(name).unwrap().provides.as_deref();
        assert_eq!(provides("OS::Neutron::Net"), Some("neutron.network"));
        assert_eq!(provides("OS::Neutron::ProviderNet"), Some("neutron.network"));
        assert_eq!(provides("OS::Nova::KeyPair"), Some("nova.keypair"));
        assert_eq!(provides("OS::Neutron::RouterInterface"), None);
        assert_eq!(provides("OS::Keystone::User"), Some("keystone.user"));
        let of = |is: fn(&ResourceType) -> bool| {
            type_names().iter().filter(|name| is(resource_type(name).unwrap())).count()
        };
        assert_eq!((of(|kind| kind.open), of(|kind| kind.snapshot)), (13, 4));
        assert!(
            of(|kind| kind.made_id) > 40 && of(|kind| kind.is_thing) > of(|kind| kind.provides.is_some()) / 2
        );
    }
}
