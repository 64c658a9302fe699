//! Templates as they were read: all sections, with every value as far as it is known before anything is deployed.

use std::sync::Arc;

use locus_schema::{Datum, Field};
use locus_source::{Place, SourceFile};

use crate::types::ResourceType;

/// A condition that holds, or does not, where something is read.
pub(crate) type Guard = (Arc<str>, bool);

/// A text and where it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The text.
    pub text: Arc<str>,
    /// Its place.
    pub place: Place,
}

/// A template, in one world.
#[derive(Clone, Debug)]
pub struct Template {
    /// Its file.
    pub file: Arc<SourceFile>,
    /// Its resources in order, those that are not created among them.
    pub resources: Vec<Resource>,
    /// Its outputs in order.
    pub outputs: Vec<Output>,
    /// Whether these are all resources: no macro and no loop over what is not known makes more.
    pub is_complete: bool,
}

impl Template {
    /// The resource with this name.
    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| &*resource.name.text == name)
    }
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Its name.
    pub name: Text,
    /// Its type as it is written.
    pub type_name: Text,
    /// Its type, if the registry has it.
    pub kind: Option<&'static ResourceType>,
    /// Its properties.
    pub properties: Vec<Field>,
    /// Whether these are all its properties.
    pub properties_known: bool,
    /// Where its properties are written.
    pub properties_place: Place,
    /// All that it names in `DependsOn`.
    pub depends_on: Vec<Text>,
    /// Its condition.
    pub condition: Option<Text>,
    /// Whether it is created; nothing if that is open.
    pub created: Option<bool>,
    /// Its references to other resources.
    pub references: Vec<Reference>,
    /// All that beside its properties a deployment goes by: policies and metadata, by key.
    pub aside: Vec<Field>,
}

impl Resource {
    /// The value of a property, if it is given.
    pub fn property(&self, name: &str) -> Option<&Datum> {
        let found = self.properties.iter().rev().find(|field| &*field.key == name)?;
        (!matches!(found.value.value, locus_schema::Content::Absent)).then_some(&found.value)
    }

    /// The value of an attribute beside the properties, such as `DeletionPolicy`.
    pub fn attribute(&self, name: &str) -> Option<&Datum> {
        self.aside.iter().rev().find(|field| &*field.key == name).map(|field| &field.value)
    }
}

/// A reference from one resource to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// The name of the other.
    pub target: Arc<str>,
    /// How it refers.
    pub how: How,
    /// The property that refers; none for what stands beside the properties.
    pub via: Option<Arc<str>>,
    /// Where it is written.
    pub place: Place,
    /// The conditions under which it counts.
    pub(crate) guards: Vec<Guard>,
}

/// How one resource refers to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// By `Ref`.
    Ref,
    /// By `Fn::GetAtt` with this attribute.
    Attribute(Arc<str>),
    /// By `DependsOn`.
    DependsOn,
}

/// An output.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: Text,
    /// Its value.
    pub value: Datum,
    /// The name under which others import it.
    pub export: Option<Datum>,
    /// Whether it is there.
    pub created: Option<bool>,
    /// Its references to resources.
    pub references: Vec<Reference>,
}
