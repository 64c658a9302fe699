//! A template as what is built of it: one thing for each resource that a service makes, those of templates within it
//! and of all members of groups among them, and one more for the outputs.
//!
//! Values that only the deployment tells are written as calls in JSON (`residue`), which whoever builds works out. All
//! that Heat itself does without a cloud (templates, groups, values, configurations) is resolved here, so that nothing
//! is made of it.
//!
//! Out of scope: which types can be built, and by what calls.

mod members;
mod residue;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use locus_meaning::OnChange;
use locus_meaning::things::{Need, Property, Removal, Thing};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};

use self::residue::{names_in, typed};
use crate::meaning::hidden::hidden;
use crate::meaning::process;
use crate::template::{Kind, Resource, Template};

/// The sort of the thing that has the outputs of the template.
const OUTPUTS: &str = "Locus::Outputs";

/// The things that a template is built of; in words, why it cannot be.
///
/// # Errors
/// If something that must be known before the first step is not, or no service makes it.
pub fn build(template: &Template) -> Result<Vec<Thing>, String> {
    let mut building = Building::default();
    building.know(template, &|_| true)?;
    building.template(template, &[])?;
    building.outputs(template);
    Ok(building.things)
}

/// Types of Heat itself of which nothing is made.
const DISSOLVED: [&str; 5] = [
    "OS::Heat::Value",
    "OS::Heat::SoftwareConfig",
    "OS::Heat::StructuredConfig",
    "OS::Heat::CloudConfig",
    "OS::Heat::MultipartMime",
];

/// A resource, as others may refer to it.
enum Known<'t> {
    /// A thing is made of it.
    Made,
    /// It is a template: its resources are things of their own.
    Stack(&'t Template),
    /// It is a group: its members are.
    Group(&'t Resource),
    /// It only keeps a value.
    Plain(&'t Resource),
}

#[derive(Default)]
struct Building<'t> {
    known: FxHashMap<Arc<str>, Known<'t>>,
    /// The label of each resource, by its name among those of all templates.
    labels: FxHashMap<Arc<str>, Arc<str>>,
    things: Vec<Thing>,
}

fn is_group(resource: &Resource) -> bool {
    let groups = ["OS::Heat::ResourceGroup", "OS::Heat::AutoScalingGroup", "OS::Heat::ResourceChain"];
    matches!(&resource.kind, Kind::Known(kind) if groups.contains(&&*kind.name))
}

/// The name of the type that it is.
fn sort(resource: &Resource) -> &str {
    match &resource.kind {
        Kind::Known(kind) => &kind.name,
        Kind::Nested(_) | Kind::Unknown => &resource.type_name.text,
    }
}

impl<'t> Building<'t> {
    /// Takes note of all resources that are there, before the first is looked at.
    fn know(&mut self, template: &'t Template, is_there: &dyn Fn(&Resource) -> bool) -> Result<(), String> {
        for resource in &template.resources {
            match resource.created {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    let name = resource.label();
                    return Err(format!(
                        "whether `{name}` is created depends on a parameter without a value"
                    ));
                }
            }
            if is_there(resource) {
                self.know_one(resource)?;
            }
        }
        Ok(())
    }

    fn know_one(&mut self, resource: &'t Resource) -> Result<(), String> {
        let known = if let Some(inner) = resource.instance() {
            self.know(inner, &|_| true)?;
            Known::Stack(inner)
        } else if is_group(resource) {
            members::complete(resource)?;
            resource.members.iter().try_for_each(|member| self.know_one(member))?;
            Known::Group(resource)
        } else if DISSOLVED.contains(&sort(resource)) || is_placeholder(resource) {
            Known::Plain(resource)
        } else if let Kind::Known(_) = resource.kind {
            Known::Made
        } else {
            let (name, kind) = (resource.label(), &resource.type_name.text);
            return Err(format!("the template of `{name}`, of the type `{kind}`, could not be read"));
        };
        self.labels.insert(Arc::clone(&resource.id), resource.label());
        self.known.insert(Arc::clone(&resource.id), known);
        Ok(())
    }

    /// The names of the things that a resource comes to.
    fn made_of(&self, id: &str, into: &mut BTreeSet<String>) {
        match self.known.get(id) {
            Some(Known::Made) => _ = into.insert(self.labels[id].to_string()),
            Some(Known::Stack(template)) => {
                for resource in template.resources.iter().filter(|one| one.created == Some(true)) {
                    self.made_of(&resource.id, into);
                }
            }
            Some(Known::Group(group)) => group.members.iter().for_each(|one| self.made_of(&one.id, into)),
            Some(Known::Plain(resource)) => {
                // Whoever waits for a value waits for what it is made of.
                for field in &resource.properties {
                    if let Ok(value) = self.residue(&field.value) {
                        names_in(&value, into);
                    }
                }
            }
            None => {}
        }
    }

    /// Adds the things of a template. `after` are the names of things that all of them wait for.
    fn template(&mut self, template: &'t Template, after: &[String]) -> Result<(), String> {
        let (groups, waits) = hidden(template, false);
        let refers = |one: &Resource, other: &Resource| {
            one.references.iter().any(|reference| reference.target == other.name.text)
        };
        for (resource, waits) in template.resources.iter().zip(waits) {
            if resource.created != Some(true) {
                continue;
            }
            let mut first = after.iter().cloned().collect::<BTreeSet<String>>();
            for name in &resource.depends_on {
                self.made_of(&format!("{}{}", template.scope, name.text), &mut first);
            }
            for other in waits.iter().flat_map(|&group| &groups[group].members) {
                let other = &template.resources[*other];
                // Two that would wait for each other do not: what is written goes before what Heat adds.
                if other.created == Some(true) && !refers(other, resource) {
                    self.made_of(&other.id, &mut first);
                }
            }
            let first: Vec<String> = first.into_iter().collect();
            self.resource(resource, &first)?;
        }
        Ok(())
    }

    fn resource(&mut self, resource: &'t Resource, after: &[String]) -> Result<(), String> {
        match self.known.get(&resource.id) {
            Some(Known::Stack(inner)) => {
                let inner: &'t Template = inner;
                self.template(inner, after)
            }
            Some(Known::Group(_)) => {
                resource.members.iter().try_for_each(|member| self.resource(member, after))
            }
            Some(Known::Plain(_)) | None => Ok(()),
            Some(Known::Made) => {
                let thing = self.thing(resource, after)?;
                self.things.push(thing);
                Ok(())
            }
        }
    }

    fn thing(&self, resource: &Resource, after: &[String]) -> Result<Thing, String> {
        let Kind::Known(kind) = &resource.kind else { return Err("it has no type".to_owned()) };
        let name = resource.label();
        if !resource.properties_known {
            return Err(format!("the properties of `{name}` are not known"));
        }
        let policy = resource.deletion_policy.as_ref().and_then(|policy| policy.value.to_text());
        let policy = policy.map(|policy| policy.to_ascii_lowercase());
        if policy.as_deref() == Some("snapshot") {
            return Err(format!(
                "`{name}` is to be kept as a snapshot when it is deleted, which is not supported yet"
            ));
        }
        let mut thing = Thing::new(&*name, &*kind.name);
        thing.place = Some(resource.name.place);
        if policy.as_deref() == Some("retain") {
            thing.removal = Removal::Leave;
        }
        thing.renewed = process::renewed(resource);
        let mut given = Map::new();
        let mut needs = Needs { own: &name, all: Vec::new(), extra: Vec::new() };
        for field in &resource.properties {
            let in_words = |why: String| format!("`{}` of `{name}`: {why}", field.key);
            let mut value = self.residue(&field.value).map_err(in_words)?;
            if value.is_null() {
                if &*field.key != "gateway_ip" {
                    continue;
                }
                // Here nothing is something: a subnet without a gateway, which can be written in this way, too.
                value = Value::from("");
            }
            // An old name stands for the new one.
            let by_old = || kind.properties.iter().find(|one| one.old_name.as_deref() == Some(&*field.key));
            let property = by_old().or_else(|| kind.property(&field.key));
            let key = property.map_or_else(|| field.key.to_string(), |property| property.name.to_string());
            if let Some(property) = property {
                value = typed(value, property);
            }
            let on_change = process::property(resource, field).map_or(OnChange::InPlace, |one| one.on_change);
            let mut names = BTreeSet::new();
            names_in(&value, &mut names);
            needs.of_property(&key, names, on_change);
            thing.properties.push(Property {
                name: key.clone(),
                value: value.to_string(),
                on_change,
                place: Some(field.place),
            });
            given.insert(key, value);
        }
        if let Some(metadata) = resource.metadata.as_ref() {
            let value = self.residue(metadata).map_err(|why| format!("`metadata` of `{name}`: {why}"))?;
            let mut names = BTreeSet::new();
            names_in(&value, &mut names);
            needs.of_property("metadata", names, OnChange::InPlace);
            let (value, place) = (value.to_string(), Some(metadata.place));
            let on_change = OnChange::InPlace;
            thing.properties.push(Property { name: "(metadata)".to_owned(), value, on_change, place });
        }
        for property in &kind.properties {
            if let Some(default) =
                property.default.as_deref().filter(|_| !given.contains_key(&*property.name))
            {
                let default = serde_json::from_str(default).unwrap_or_else(|_| Value::from(default));
                given.insert(property.name.to_string(), typed(default, property));
            }
        }
        needs.after(after);
        thing.properties.extend(needs.extra);
        thing.needs = needs.all;
        let mut specification = Map::from_iter([("properties".to_owned(), Value::Object(given))]);
        if let Some(external) = &resource.external_id {
            let id = self.residue(external).map_err(|why| format!("`external_id` of `{name}`: {why}"))?;
            specification.insert("external".to_owned(), id);
            thing.removal = Removal::Leave;
        }
        thing.specification = Some(Value::Object(specification));
        Ok(thing)
    }

    /// Adds a thing for the outputs, if there are any.
    fn outputs(&mut self, template: &Template) {
        let mut values: BTreeMap<String, Value> = BTreeMap::new();
        for output in template.outputs.iter().filter(|output| output.enabled != Some(false)) {
            // What cannot be worked out is an output without a value, as for Heat.
            let value = self.residue(&output.value);
            let value = value.unwrap_or_else(|why| json!({ "$call": "$none", "given": why }));
            values.insert(output.name.text.to_string(), value);
        }
        if values.is_empty() {
            return;
        }
        let is_taken = |name: &str| self.labels.values().any(|label| &**label == name);
        let name = if is_taken("outputs") { "outputs of the stack" } else { "outputs" };
        let mut thing = Thing::new(name, OUTPUTS);
        let mut needs = Needs { own: name, all: Vec::new(), extra: Vec::new() };
        for (key, value) in &values {
            let mut names = BTreeSet::new();
            names_in(value, &mut names);
            needs.of_property(key, names, OnChange::InPlace);
            let (name, on_change, place) = (key.clone(), OnChange::InPlace, None);
            thing.properties.push(Property { name, value: value.to_string(), on_change, place });
        }
        thing.properties.extend(needs.extra);
        thing.needs = needs.all;
        thing.specification = Some(json!({ "properties": values }));
        self.things.push(thing);
    }

    /// A value of a resource that only keeps one, by the name of its attribute; its id, if there is none.
    fn plain(&self, resource: &Resource, attribute: Option<&str>) -> Result<Value, String> {
        let property = |name: &str| match resource.property(name) {
            Some(datum) => self.residue(datum),
            None => Ok(Value::Null),
        };
        let call = |function: &str, given: Value| json!({ "$call": function, "given": given });
        match (sort(resource), attribute) {
            ("OS::Heat::Value", Some("value")) => property("value"),
            ("OS::Heat::SoftwareConfig" | "OS::Heat::StructuredConfig", None | Some("config")) => {
                property("config")
            }
            ("OS::Heat::CloudConfig", None | Some("config")) => {
                Ok(call("$cloud_config", property("cloud_config")?))
            }
            ("OS::Heat::MultipartMime", None | Some("config")) => Ok(call("$multipart", property("parts")?)),
            _ if is_placeholder(resource) => Ok(Value::Null),
            (sort, Some(attribute)) => Err(format!("`{attribute}` of a {sort} is made by Heat only")),
            (sort, None) => Err(format!("the id of a {sort} is made by Heat only")),
        }
    }
}

/// Whether Heat makes nothing of it.
fn is_placeholder(resource: &Resource) -> bool {
    matches!(&resource.kind, Kind::Known(kind) if kind.is_placeholder())
}

/// The needs of a thing, and the properties by which it is seen that something that it refers to is another.
struct Needs<'n> {
    own: &'n str,
    all: Vec<Need>,
    extra: Vec<Property>,
}

impl Needs<'_> {
    /// The needs of a property that refers to some things. Each has a word of its own, since they may change one by
    /// one.
    fn of_property(&mut self, property: &str, names: BTreeSet<String>, on_change: OnChange) {
        let is_single = names.len() == 1;
        for name in names.into_iter().filter(|name| name != self.own) {
            let via = if is_single { property.to_owned() } else { format!("{property} ({name})") };
            if !is_single {
                let value = name.clone();
                self.extra.push(Property { name: via.clone(), value, on_change, place: None });
            }
            self.all.push(Need { via: Some(via), ..Need::new(name.as_str()) });
        }
    }

    /// The needs for the order alone.
    fn after(&mut self, names: &[String]) {
        for name in names {
            let has = |need: &Need| need.target.as_name().is_some_and(|target| **target == **name);
            if name != self.own && !self.all.iter().any(has) {
                self.all.push(Need::new(name.as_str()));
            }
        }
    }
}

#[cfg(test)]
mod tests;
