//! A template as it was read: its sections, with every value as far as it is known.

use std::sync::Arc;

use locus_meaning::Alike;
use locus_schema::{Constraint, Datum, Field, Type};
use locus_source::{Place, SourceFile};

use crate::catalogue::ResourceType;
use crate::version::Version;

/// The properties in which the definitions are.
pub(crate) const DEFINITIONS: [&str; 4] = ["resource_def", "resource", "resources", "resource_properties"];

/// A template.
#[derive(Debug)]
pub struct Template {
    /// The file that it was read from.
    pub file: Arc<SourceFile>,
    /// The prefix of the names of its resources where they are among those of other templates: `web/` for what the
    /// resource `web` is made of, nothing for a template that was read by itself.
    pub scope: Arc<str>,
    /// The version by whose rules it was read.
    pub version: Version,
    /// Its description.
    pub description: Option<Text>,
    /// Its parameters, in the order of the text, as are all other lists.
    pub parameters: Vec<Parameter>,
    /// Its groups of parameters.
    pub groups: Vec<ParameterGroup>,
    /// Its conditions.
    pub conditions: Vec<Condition>,
    /// Its resources.
    pub resources: Vec<Resource>,
    /// Its outputs.
    pub outputs: Vec<Output>,
}

impl Template {
    /// The resource with this name.
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| &*resource.name.text == name)
    }

    /// The parameter with this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| &*parameter.name.text == name)
    }

    /// The resources of this template and of those that are resources of it or members of its groups, as they use them.
    pub(crate) fn each_resource<'t>(&'t self, see: &mut impl FnMut(&'t Template, &'t Resource)) {
        fn each<'t>(
            template: &'t Template,
            resource: &'t Resource,
            see: &mut impl FnMut(&'t Template, &'t Resource),
        ) {
            see(template, resource);
            if let Some(inner) = resource.instance() {
                inner.each_resource(see);
            }
            resource.members.iter().for_each(|member| each(template, member, see));
        }
        self.resources.iter().for_each(|resource| each(self, resource, see));
    }

    /// The output with this name.
    pub fn output(&self, name: &str) -> Option<&Output> {
        self.outputs.iter().find(|output| &*output.name.text == name)
    }
}

/// A text and where it is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    /// The text.
    pub text: Arc<str>,
    /// Where it is written.
    pub place: Place,
}

/// The type of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterType {
    /// `string`.
    String,
    /// `number`.
    Number,
    /// `comma_delimited_list`.
    List,
    /// `json`.
    Json,
    /// `boolean`.
    Boolean,
}

impl ParameterType {
    pub(crate) const NAMES: [(&str, Self); 5] = [
        ("string", Self::String),
        ("number", Self::Number),
        ("comma_delimited_list", Self::List),
        ("json", Self::Json),
        ("boolean", Self::Boolean),
    ];

    /// Its name in a template.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The type of a property that is made from such a parameter, as those of nested templates are.
    pub fn as_property(self) -> Type {
        match self {
            Self::String => Type::String,
            Self::Number => Type::Number,
            Self::List => Type::List,
            Self::Json => Type::Map,
            Self::Boolean => Type::Boolean,
        }
    }
}

/// A parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Text,
    /// Its type; nothing if the template gives none that is known.
    pub kind: Option<ParameterType>,
    /// Its label.
    pub label: Option<Text>,
    /// Its description.
    pub description: Option<Text>,
    /// Its default, as it is written.
    pub default: Option<Datum>,
    /// The constraints of its value, each with its place.
    pub constraints: Vec<(Constraint, Place)>,
    /// Whether its value is not to be shown.
    pub hidden: bool,
    /// Whether an update that changes it fails.
    pub immutable: bool,
    /// Its tags.
    pub tags: Vec<Text>,
    /// Its value: what was given, else the default, converted to its type; unknown if there is neither.
    pub value: Datum,
}

/// A group of parameters.
#[derive(Debug)]
pub struct ParameterGroup {
    /// Its label.
    pub label: Option<Text>,
    /// Its description.
    pub description: Option<Text>,
    /// The names of its parameters.
    pub parameters: Vec<Text>,
    /// Where it is.
    pub place: Place,
}

/// A condition.
#[derive(Debug)]
pub struct Condition {
    /// Its name.
    pub name: Text,
    /// Whether it holds, if that is known.
    pub holds: Option<bool>,
}

/// The kind of a resource.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Of a type that Heat has.
    Known(&'static ResourceType),
    /// A template of its own.
    Nested(Arc<Template>),
    /// Not known: a type that does not exist, or whose template was not read.
    Unknown,
}

/// A resource.
#[derive(Debug)]
pub struct Resource {
    /// Its name.
    pub name: Text,
    /// Its name among the resources of all templates: by this one values name it.
    pub id: Arc<str>,
    /// Its type, as it is written.
    pub type_name: Text,
    /// The kind that the type means.
    pub kind: Kind,
    /// The template of the stack that it is, if it is an `OS::Heat::Stack` in the same region.
    pub stack: Option<Arc<Template>>,
    /// Its properties.
    pub properties: Vec<Field>,
    /// Whether all properties are known by name; not so if `properties` is a function.
    pub properties_known: bool,
    /// Where `properties` is written, if it is: to Heat, none is something else than an empty map.
    pub properties_place: Option<Place>,
    /// Its metadata.
    pub metadata: Option<Datum>,
    /// The names that `depends_on` has.
    pub depends_on: Vec<Text>,
    /// Whether it is created, if that is known.
    pub created: Option<bool>,
    /// The name of the condition on which that depends, if it has a name.
    pub condition: Option<Arc<str>>,
    /// How many the group makes that are like this one, if it is made by a group.
    pub alike: Option<Alike>,
    /// The id of the thing that exists already.
    pub external_id: Option<Datum>,
    /// The policy for when it is no longer wanted.
    pub deletion_policy: Option<Datum>,
    /// How it is updated.
    pub update_policy: Option<Datum>,
    /// Its references to others, `depends_on` included.
    pub references: Vec<Reference>,
    /// The resources that it makes of a definition in its properties: a group its first member, and its second if there
    /// are several; a chain each of its types. What they refer to is among its own references.
    pub members: Vec<Resource>,
    /// Whether it is the second member of a group. What is wrong with it alone is said of the first.
    pub again: bool,
}

impl Resource {
    /// The template that it is, if that was read with the values that it gives.
    pub(crate) fn instance(&self) -> Option<&Arc<Template>> {
        match &self.kind {
            Kind::Nested(template) if !template.scope.is_empty() => Some(template),
            _ => self.stack.as_ref(),
        }
    }

    /// The name in findings: with what it is in before its name, and its number if it is a member of a group.
    pub(crate) fn label(&self) -> Arc<str> {
        let mut parts = self.id.split("//");
        let mut label = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) =
                part.split_once('/').map_or((part, ""), |(number, _)| (number, &part[number.len()..]));
            label = format!("{label}[{number}]{rest}");
        }
        label.into()
    }

    /// Its number, if it is a member of a group.
    pub(crate) fn number(&self) -> Option<usize> {
        self.id.rsplit_once("//")?.1.parse().ok()
    }

    /// The value of a property, if the template gives it.
    pub fn property(&self, name: &str) -> Option<&Datum> {
        self.properties.iter().find(|field| &*field.key == name).map(|field| &field.value)
    }
}

/// An output.
#[derive(Debug)]
pub struct Output {
    /// Its name.
    pub name: Text,
    /// Its description.
    pub description: Option<Text>,
    /// Its value.
    pub value: Datum,
    /// Whether there is one, if that is known.
    pub enabled: Option<bool>,
    /// Its references to resources.
    pub references: Vec<Reference>,
}

/// How one thing refers to a resource.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// The name of the resource.
    pub target: Arc<str>,
    /// Where the name is written.
    pub place: Place,
    /// By which means.
    pub how: How,
    /// The property in which it stands; nothing if it stands in none.
    pub via: Option<Arc<str>>,
    /// Whether it may be that it is not there: it stands in a branch of an `if` whose condition is not known.
    pub uncertain: bool,
}

/// Means of reference.
#[derive(Clone, PartialEq, Debug)]
pub enum How {
    /// `get_resource`.
    Id,
    /// `get_attr`.
    Attribute {
        /// The name of the attribute, unless that is not known or all are meant.
        name: Option<Text>,
        /// The part of it that is asked for first.
        within: Option<Datum>,
    },
    /// `depends_on`.
    DependsOn,
}
