//! The registry: what CloudFormation knows of its resource types.
//!
//! The facts are in `registry.bin`, which `tools/cloudformation-types.py` makes and describes. A template uses few
//! types, so only their names are read at first, and each type when it is asked for. What a type says of the values
//! of its properties is a JSON schema ([`conform`]); for rules it is also a tree of properties ([`properties`]). Out
//! of scope: templates.

pub(crate) mod conform;
mod forms;
mod kinds;
mod properties;
mod table;

use std::sync::OnceLock;

use locus_schema::Property;
use locus_schema::modules::{TypeModule, identifier};
use rustc_hash::FxHashMap;
use serde_json::Value as Json;

pub(crate) use self::forms::finds as conform_pattern;
pub(crate) use self::kinds::{base, fits};

/// A resource type.
#[derive(Debug)]
pub struct ResourceType {
    /// Its name, such as `AWS::EC2::Subnet`.
    pub name: &'static str,
    /// All that the registry says of it.
    facts: Json,
    properties: OnceLock<Vec<Property>>,
}

/// All that follows from a change of a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    /// The resource is changed in place.
    InPlace,
    /// It is replaced under some conditions, which the registry does not name.
    Perhaps,
    /// It is replaced.
    Replace,
}

impl ResourceType {
    /// The JSON schema of its properties.
    pub fn schema(&self) -> &Json {
        &self.facts["schema"]
    }

    /// The further schemas: for each a code of the rule that it is from, a sentence, and the property that it is
    /// about.
    pub(crate) fn further(&self) -> impl Iterator<Item = (&str, &str, &Json)> {
        let all = self.facts["further"].as_array().map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(|one| Some((one.get(1)?.as_str()?, one.get(2)?.as_str()?, one.get(3)?)))
    }

    /// Whether only AWS gives a property its value. Dots stand between the keys of a path.
    pub fn is_read_only(&self, path: &str) -> bool {
        self.lists("read_only", path)
    }

    /// All that follows from a change of a property of the resource.
    pub fn on_update(&self, property: &str) -> Update {
        // What is said of a part of a property is said of it, too: nothing is known of which part changes.
        let begins = |key: &str| {
            self.texts(key).any(|one| one.strip_prefix(property).is_some_and(|rest| rest.starts_with('/')))
        };
        if self.lists("create_only", property) {
            Update::Replace
        } else if begins("create_only")
            || self.lists("maybe_create_only", property)
            || begins("maybe_create_only")
        {
            Update::Perhaps
        } else {
            Update::InPlace
        }
    }

    /// Whether AWS must have deleted the old resource before it makes the new one.
    pub fn deletes_first(&self) -> bool {
        self.facts["replacement"].as_str() == Some("delete_then_create")
    }

    /// The properties that identify a resource, in order.
    pub fn identifier(&self) -> impl Iterator<Item = &str> {
        self.texts("identifier")
    }

    /// The permissions that an action on such a resource asks for: `create`, `update` or `delete`.
    pub fn permissions(&self, action: &str) -> impl Iterator<Item = &str> {
        let all = self.facts["permissions"][action].as_array().map_or(&[][..], Vec::as_slice);
        all.iter().filter_map(Json::as_str)
    }

    /// The form of the value of an attribute; empty if there is none. Nothing if there is no such attribute.
    pub fn attribute(&self, name: &str) -> Option<(&str, &str)> {
        let all = self.facts["attributes"].as_object()?;
        let form = |value: &'static str| (value, "");
        let found = all.get(name).or_else(|| {
            // A name such as `Endpoints.*` stands for any.
            all.iter().find(|(known, _)| forms::matches_pattern(known, name)).map(|(_, value)| value)
        });
        match found {
            Some(value) => Some((value[0].as_str()?, value[1].as_str()?)),
            // The outputs of a nested stack are its own.
            None if name.starts_with("Outputs.") && self.name == "AWS::CloudFormation::Stack" => {
                Some(form("string"))
            }
            None => None,
        }
    }

    /// The names of its attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.facts["attributes"].as_object().into_iter().flat_map(|all| all.keys().map(String::as_str))
    }

    /// The form of what `Ref` gives, where the registry has one.
    pub fn ref_form(&self) -> Option<&str> {
        self.facts["ref"].as_str()
    }

    /// The regions that have it; nothing if all have.
    pub fn regions(&self) -> Option<Vec<&str>> {
        Some(self.facts.get("regions")?.as_array()?.iter().filter_map(Json::as_str).collect())
    }

    /// Its properties, in order of names, as far as rules may speak of them.
    pub fn properties(&self) -> &[Property] {
        self.properties.get_or_init(|| properties::of(self))
    }

    /// The name of its module and its signature in Alloy.
    pub fn sig_name(&self) -> String {
        sig_name(self.name)
    }

    /// The text of its module.
    pub fn module(&self) -> String {
        let sig = self.sig_name();
        TypeModule {
            module: &format!("cloudformation/types/{sig}"),
            core: "cloudformation/core",
            sig: &sig,
            extends: "Resource",
            doc: &format!("`{}`, as CloudFormation's registry has it.", self.name),
            properties: self.properties(),
        }
        .to_string()
    }

    fn texts(&self, key: &str) -> impl Iterator<Item = &str> {
        self.facts[key].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Json::as_str)
    }

    fn lists(&self, key: &str, path: &str) -> bool {
        self.texts(key).any(|one| one == path)
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

/// The type with this name.
pub fn resource_type(name: &str) -> Option<&'static ResourceType> {
    let slot = table::slot(name)?;
    Some(slot.decoded.get_or_init(|| ResourceType {
        name: slot.name,
        facts: slot.facts(),
        properties: OnceLock::new(),
    }))
}

/// The names of all types, in order.
pub fn type_names() -> &'static [&'static str] {
    table::names()
}

/// Where the table comes from: the package with its version, the date of its schemas, and their licence.
pub fn source() -> [&'static str; 3] {
    table::source()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_can_be_decoded() {
        assert_eq!(source(), ["cfn-lint 1.58.0", "2026-10-20", "MIT-0"]);
        assert_eq!(type_names().len(), 1882);
        let (mut create_only, mut permissions, mut forms) = (0, 0, 0);
        for name in type_names() {
            let found = resource_type(name).expect("it is there");
            assert!(found.schema()["properties"].is_object(), "{name}");
            assert!(found.properties().is_sorted_by(|a, b| a.name < b.name), "{name}");
            create_only += usize::from(found.texts("create_only").next().is_some());
            permissions += usize::from(found.permissions("create").next().is_some());
            forms += usize::from(
                found.attributes().any(|one| found.attribute(one).is_some_and(|one| !one.1.is_empty())),
            );
        }
        assert!(
            create_only > 1600 && permissions > 1700 && forms > 100,
            "{create_only} {permissions} {forms}"
        );
        assert!(resource_type("AWS::EC2::Subnets").is_none());
    }

    #[test]
    fn a_type_is_as_the_registry_has_it() {
        let subnet = resource_type("AWS::EC2::Subnet").expect("it is there");
        assert_eq!(subnet.on_update("CidrBlock"), Update::Replace);
        assert_eq!(subnet.on_update("Ipv6CidrBlock"), Update::Perhaps);
        assert_eq!(subnet.on_update("MapPublicIpOnLaunch"), Update::InPlace);
        assert!(subnet.is_read_only("SubnetId") && !subnet.is_read_only("VpcId"));
        assert_eq!(subnet.ref_form(), Some("AWS::EC2::Subnet.Id"));
        assert_eq!(subnet.attribute("VpcId"), Some(("string", "AWS::EC2::VPC.Id")));
        assert_eq!(subnet.attribute("Vpc"), None);
        assert!(subnet.permissions("create").any(|one| one == "ec2:CreateSubnet"));
        let vpc = locus_schema::types::find(subnet.properties(), "VpcId").expect("it has one");
        assert!(vpc.required && vpc.names_kind() == Some("AWS::EC2::VPC"));
    }
}
