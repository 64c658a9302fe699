//! The grammar of TOSCA files as a table: which keynames an element has in which version, and what their values are.
//!
//! [`walk`](crate::form::walk) goes along it. The section numbers are those of TOSCA 2.0 (committee specification draft
//! 06); the tables of the Simple Profile are in its chapters 3.5 to 3.9 (1.0 and 1.1) and 3.6 to 3.10 (1.2 and 1.3).

use crate::read::version::Version;

/// The kinds of types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Family {
    Artifact,
    Data,
    Capability,
    Interface,
    Relationship,
    Node,
    Group,
    Policy,
}

impl Family {
    pub(crate) const ALL: [Self; 8] = [
        Self::Artifact,
        Self::Data,
        Self::Capability,
        Self::Interface,
        Self::Relationship,
        Self::Node,
        Self::Group,
        Self::Policy,
    ];

    /// As in `node type`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Artifact => "artifact",
            Self::Data => "data",
            Self::Capability => "capability",
            Self::Interface => "interface",
            Self::Relationship => "relationship",
            Self::Node => "node",
            Self::Group => "group",
            Self::Policy => "policy",
        }
    }

    /// The section of a file that defines them.
    pub(crate) fn section(self) -> &'static str {
        match self {
            Self::Artifact => "artifact_types",
            Self::Data => "data_types",
            Self::Capability => "capability_types",
            Self::Interface => "interface_types",
            Self::Relationship => "relationship_types",
            Self::Node => "node_types",
            Self::Group => "group_types",
            Self::Policy => "policy_types",
        }
    }

    /// The prefixes of the names of the normative types of the Simple Profile, in all forms.
    pub(crate) fn normative(self) -> &'static [&'static str] {
        match self {
            Self::Artifact => &["tosca.artifacts."],
            Self::Data => &["tosca.datatypes.", "tosca.datatypes.network."],
            Self::Capability => &["tosca.capabilities.", "tosca.capabilities.network."],
            Self::Interface => {
                &["tosca.interfaces.", "tosca.interfaces.node.lifecycle.", "tosca.interfaces.relationship."]
            }
            Self::Relationship => &["tosca.relationships.", "tosca.relationships.network."],
            Self::Node => &["tosca.nodes.", "tosca.nodes.network.", "tosca.nodes.Storage."],
            Self::Group => &["tosca.groups."],
            Self::Policy => &["tosca.policies."],
        }
    }
}

/// An element of a file: a map with these keys.
pub(crate) struct Element {
    /// Its name in messages, with article.
    pub(crate) what: &'static str,
    /// Where TOSCA 2.0 defines it.
    pub(crate) section: &'static str,
    pub(crate) keys: &'static [Key],
    /// The short form that may be written in place of the map.
    pub(crate) short: Short,
    /// The definition of other keys, up to TOSCA 1.3.
    pub(crate) others: Option<&'static Element>,
}

/// The short form of a map.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Short {
    /// Nothing.
    No,
    /// A string.
    Text,
    /// Any value.
    Any,
    /// A string, or a list: the name of a node template and an index.
    Target,
}

/// A keyname.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) mandatory: bool,
    pub(crate) from: Version,
    pub(crate) to: Version,
    /// TOSCA 2.0 does not list it any more, but files still have it: ignored with a warning.
    pub(crate) dropped: bool,
}

/// The kind of the value of a keyname.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Checked elsewhere.
    Any,
    Text,
    Bool,
    Version,
    /// A map of anything.
    YamlMap,
    TextList,
    /// Two integers, the second of which may be `UNBOUNDED`.
    Range,
    /// The name of a type.
    Name(Family),
    /// A list of names of types.
    Names(&'static [Family]),
    /// A map from names to elements.
    Map(&'static Element),
    /// A list of maps with one key each, from a name to an element.
    Named(&'static Element),
    /// A list of elements.
    List(&'static Element),
    One(&'static Element),
    /// An element in the Simple Profile; in TOSCA 2.0 a condition, which is checked elsewhere.
    Old(&'static Element),
    /// Constraints of the Simple Profile.
    Constraints,
    /// A list of maps from a property to constraints, as node filters of the Simple Profile have it.
    PropertyFilters,
    /// A list of names of capabilities, or of maps from one to what is asked of it.
    CapabilityFilters,
    /// The condition of a trigger of the Simple Profile, which may have a period and the like.
    Condition,
    /// A condition clause of the Simple Profile, or a list of them.
    Clause,
    /// A `scalar-unit.time`.
    Time,
    /// An integer above 0.
    Count,
    /// A URI, which names a namespace.
    Uri,
    /// Whether a property is supported, in one word.
    Status,
    /// A list of values, or of two.
    Several,
    Two,
    /// A map to what requirements are mapped to.
    RequirementMappings,
    /// A map from interfaces to maps from operations to workflows.
    InterfaceMappings,
    /// A map from names to values, checked elsewhere.
    Values,
    /// A string, or an element.
    TextOr(&'static Element),
    Imports,
    Dsl,
    /// A list of activities.
    Activities,
}

impl Kind {
    /// Whether a keyname of this kind is a section, which is never empty in TOSCA 2.0.
    pub(crate) fn is_section(self) -> bool {
        matches!(
            self,
            Self::Map(_)
                | Self::Named(_)
                | Self::One(_)
                | Self::Imports
                | Self::List(_)
                | Self::Dsl
                | Self::YamlMap
        )
    }
}

const fn key(name: &'static str, kind: Kind) -> Key {
    Key { name, kind, mandatory: false, from: Version::V1_0, to: Version::V2_0, dropped: false }
}

impl Key {
    const fn needed(self) -> Self {
        Self { mandatory: true, ..self }
    }

    const fn from(self, from: Version) -> Self {
        Self { from, ..self }
    }

    /// Only in TOSCA 2.0.
    const fn since_2(self) -> Self {
        self.from(Version::V2_0)
    }

    const fn until(self, to: Version) -> Self {
        Self { to, ..self }
    }

    /// Only up to TOSCA 1.3.
    const fn old(self) -> Self {
        self.until(Version::V1_3)
    }

    const fn dropped(self) -> Self {
        Self { dropped: true, ..self }
    }

    /// Whether a version has it.
    pub(crate) fn is_in(&self, version: Version) -> bool {
        self.from <= version && version <= self.to
    }
}

macro_rules! elements {
    ($($name:ident = $what:literal $section:literal $short:ident $(others $others:ident)? [$($key:expr),* $(,)?];)*) => {
        $(pub(crate) static $name: Element = Element {
            what: $what,
            section: $section,
            keys: &[$($key),*],
            short: Short::$short,
            others: elements!(@others $($others)?),
        };)*
    };
    (@others) => { None };
    (@others $others:ident) => { Some(&$others) };
}

use Family::{Artifact, Capability, Data, Group, Interface, Node, Policy, Relationship};
use Kind::{
    Activities, Any, Bool, CapabilityFilters, Clause, Condition, Constraints, Count, Dsl, Imports,
    InterfaceMappings, List, Map, Name, Named, Names, Old, One, PropertyFilters, Range, RequirementMappings,
    Several, Status, Text, TextList, TextOr, Time, Two, Uri, Values, YamlMap,
};

elements! {
    FILE = "a TOSCA file" "6.1" No [
        key("tosca_definitions_version", Text).needed(),
        key("description", Text),
        key("metadata", YamlMap),
        key("dsl_definitions", Dsl),
        key("repositories", Map(&REPOSITORY)),
        key("imports", Imports),
        key("artifact_types", Map(&ARTIFACT_TYPE)),
        key("data_types", Map(&DATA_TYPE)),
        key("capability_types", Map(&CAPABILITY_TYPE)),
        key("interface_types", Map(&INTERFACE_TYPE)),
        key("relationship_types", Map(&RELATIONSHIP_TYPE)),
        key("node_types", Map(&NODE_TYPE)),
        key("group_types", Map(&GROUP_TYPE)),
        key("policy_types", Map(&POLICY_TYPE)),
        key("functions", Map(&FUNCTION)).since_2(),
        key("profile", Text).since_2(),
        key("service_template", One(&SERVICE)).since_2(),
        key("topology_template", One(&SERVICE)).old(),
        key("namespace", Uri).old(),
        key("tosca_default_namespace", Uri).old(),
        key("template_name", Any).old(),
        key("template_author", Any).old(),
        key("template_version", Any).old(),
    ];
    REPOSITORY = "a repository definition" "6.5" Text [
        key("description", Text),
        key("metadata", YamlMap).from(Version::V1_3),
        key("url", Text).needed(),
        key("credential", Values).dropped(),
    ];
    IMPORT = "an import definition" "6.8.1" Text [
        key("url", Text).since_2(),
        key("profile", Text).since_2(),
        key("namespace", Text).since_2(),
        key("description", Text).since_2(),
        key("metadata", YamlMap).since_2(),
        key("repository", Text),
        key("file", Text).old(),
        key("namespace_uri", Uri).old(),
        key("namespace_prefix", Text).old(),
    ];
    ARTIFACT_TYPE = "an artifact type" "12.1" No [
        key("derived_from", Name(Artifact)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("mime_type", Text),
        key("file_ext", TextList),
        key("properties", Map(&PROPERTY)),
    ];
    DATA_TYPE = "a data type" "9.2" No [
        key("derived_from", Name(Data)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("properties", Map(&PROPERTY)),
        key("constraints", Constraints).old(),
        key("validation", Any).since_2(),
        key("key_schema", TextOr(&SCHEMA)),
        key("entry_schema", TextOr(&SCHEMA)),
        key("data_type", Name(Data)).since_2(),
        key("units", Any).since_2(),
        key("canonical_unit", Text).since_2(),
        key("prefixes", Any).since_2(),
    ];
    CAPABILITY_TYPE = "a capability type" "8.1" No [
        key("derived_from", Name(Capability)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("properties", Map(&PROPERTY)),
        key("attributes", Map(&ATTRIBUTE)),
        key("valid_source_types", Names(&[Node])).old(),
        key("valid_source_node_types", Names(&[Node])).since_2(),
        key("valid_relationship_types", Names(&[Relationship])).since_2(),
    ];
    INTERFACE_TYPE = "an interface type" "11.1" No others OPERATION [
        key("derived_from", Name(Interface)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("inputs", Map(&PARAMETER)),
        key("operations", Map(&OPERATION)).from(Version::V1_3),
        key("notifications", Map(&OPERATION)).from(Version::V1_3),
    ];
    RELATIONSHIP_TYPE = "a relationship type" "7.3" No [
        key("derived_from", Name(Relationship)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("properties", Map(&PROPERTY)),
        key("attributes", Map(&ATTRIBUTE)),
        key("interfaces", Map(&INTERFACE)),
        key("valid_target_types", Names(&[Capability])).old(),
        key("valid_capability_types", Names(&[Capability])).since_2(),
        key("valid_target_node_types", Names(&[Node])).since_2(),
        key("valid_source_node_types", Names(&[Node])).since_2(),
    ];
    NODE_TYPE = "a node type" "7.1" No [
        key("derived_from", Name(Node)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("properties", Map(&PROPERTY)),
        key("attributes", Map(&ATTRIBUTE)),
        key("capabilities", Map(&CAPABILITY)),
        key("requirements", Named(&REQUIREMENT)),
        key("interfaces", Map(&INTERFACE)),
        key("artifacts", Map(&ARTIFACT)),
    ];
    GROUP_TYPE = "a group type" "16.1" No [
        key("derived_from", Name(Group)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("properties", Map(&PROPERTY)),
        key("attributes", Map(&ATTRIBUTE)),
        key("members", Names(&[Node])),
        key("capabilities", Map(&CAPABILITY)).old(),
        key("requirements", Named(&REQUIREMENT)).old(),
        key("interfaces", Map(&INTERFACE)).old(),
    ];
    POLICY_TYPE = "a policy type" "16.3" No [
        key("derived_from", Name(Policy)), key("version", Kind::Version), key("metadata", YamlMap), key("description", Text),
        key("properties", Map(&PROPERTY)),
        key("targets", Names(&[Node, Group])),
        key("triggers", Map(&TRIGGER)),
    ];
    NODE_FILTER = "a node filter" "Simple Profile: 3.6.5" No [
        key("properties", PropertyFilters), key("capabilities", CapabilityFilters),
    ];
    FILTERED_CAPABILITY = "a capability of a filter" "Simple Profile: 3.6.5.2" No [
        key("properties", PropertyFilters),
    ];
    CONSTRAINT = "a constraint" "Simple Profile: 3.6.3" No [
        key("equal", Any), key("greater_than", Any), key("greater_or_equal", Any), key("less_than", Any),
        key("less_or_equal", Any), key("in_range", Two), key("valid_values", Several), key("length", Any),
        key("min_length", Any), key("max_length", Any), key("pattern", Any), key("schema", Any),
    ];
    SUBSTITUTION_FILTER = "a substitution filter" "Simple Profile: 3.8.13" No [
        key("properties", PropertyFilters), key("capabilities", CapabilityFilters),
        key("node_filter", One(&NODE_FILTER)),
    ];
    PROPERTY = "a property definition" "9.3" Any [
        key("type", Name(Data)), key("description", Text), key("metadata", YamlMap),
        key("required", Bool), key("default", Any), key("value", Any), key("status", Status),
        key("constraints", Constraints).old(), key("validation", Any).since_2(),
        key("key_schema", TextOr(&SCHEMA)), key("entry_schema", TextOr(&SCHEMA)),
        key("external_schema", Text).old(), key("external-schema", Text).old(),
    ];
    ATTRIBUTE = "an attribute definition" "9.5" No [
        key("type", Name(Data)), key("description", Text), key("metadata", YamlMap),
        key("default", Any), key("status", Status),
        key("constraints", Constraints).old(), key("validation", Any).since_2(),
        key("key_schema", TextOr(&SCHEMA)), key("entry_schema", TextOr(&SCHEMA)),
    ];
    PARAMETER = "a parameter definition" "9.7" Any [
        key("type", Name(Data)), key("description", Text), key("metadata", YamlMap),
        key("required", Bool), key("default", Any), key("value", Any), key("mapping", Any), key("status", Status),
        key("constraints", Constraints).old(), key("validation", Any).since_2(),
        key("key_schema", TextOr(&SCHEMA)), key("entry_schema", TextOr(&SCHEMA)),
        key("external_schema", Text).old(), key("external-schema", Text).old(),
    ];
    SCHEMA = "a schema definition" "9.3" Text [
        key("type", Name(Data)), key("description", Text), key("metadata", YamlMap),
        key("constraints", Constraints).old(), key("validation", Any).since_2(),
        key("key_schema", TextOr(&SCHEMA)), key("entry_schema", TextOr(&SCHEMA)),
        key("required", Bool).old(), key("default", Any).old(), key("status", Status).old(),
    ];
    CAPABILITY = "a capability definition" "8.2" Text [
        key("type", Name(Capability)), key("description", Text), key("metadata", YamlMap),
        key("properties", Map(&PROPERTY)),
        key("attributes", Map(&ATTRIBUTE)),
        key("valid_source_types", Names(&[Node])).old(),
        key("valid_source_node_types", Names(&[Node])).since_2(),
        key("valid_relationship_types", Names(&[Relationship])).since_2(),
        key("occurrences", Range).old(),
    ];
    REQUIREMENT = "a requirement definition" "8.5" Text [
        key("description", Text), key("metadata", YamlMap),
        key("capability", Text),
        key("node", Name(Node)),
        key("relationship", TextOr(&RELATIONSHIP_DEFINITION)),
        key("node_filter", Old(&NODE_FILTER)),
        key("count_range", Range).since_2(),
        key("occurrences", Range).old(),
    ];
    RELATIONSHIP_DEFINITION = "a relationship definition" "8.5" No [
        key("type", Name(Relationship)), key("description", Text), key("metadata", YamlMap),
        key("properties", Map(&PROPERTY)),
        key("attributes", Map(&ATTRIBUTE)),
        key("interfaces", Map(&INTERFACE)),
    ];
    INTERFACE = "an interface definition" "11.2" No others OPERATION [
        key("type", Name(Interface)), key("description", Text), key("metadata", YamlMap),
        key("inputs", Map(&PARAMETER)),
        key("operations", Map(&OPERATION)).from(Version::V1_3),
        key("notifications", Map(&OPERATION)).from(Version::V1_3),
    ];
    OPERATION = "an operation definition" "11.4" Text [
        key("description", Text), key("metadata", YamlMap),
        key("implementation", TextOr(&IMPLEMENTATION)),
        key("inputs", Map(&PARAMETER)),
        key("outputs", Values).old(), key("outputs", Any).since_2(),
    ];
    IMPLEMENTATION = "an implementation definition" "11.8" No [
        key("primary", TextOr(&ARTIFACT)),
        key("dependencies", List(&ARTIFACT)),
        key("timeout", Any).old(),
        key("operation_host", Text).old(),
        key("type", Any).old(), key("file", Text).old(), key("repository", Text).old(), key("properties", Values).old(),
    ];
    ARTIFACT = "an artifact definition" "12.2" Text [
        key("type", Name(Artifact)).needed(), key("file", Text).needed(), key("repository", Text),
        key("description", Text), key("metadata", YamlMap),
        key("artifact_version", Any), key("version", Any), key("checksum", Text), key("checksum_algorithm", Text),
        key("deploy_path", Text).old(),
        key("properties", Values),
    ];
    FUNCTION = "a function definition" "10.4" No [
        key("signatures", List(&SIGNATURE)).needed(), key("description", Text), key("metadata", YamlMap),
    ];
    SIGNATURE = "a function signature" "10.4" No [
        key("arguments", List(&SCHEMA)), key("optional_arguments", List(&SCHEMA)), key("variadic", Bool),
        key("result", TextOr(&SCHEMA)), key("implementation", TextOr(&IMPLEMENTATION)),
    ];
    SERVICE = "a service template" "6.9.1" No [
        key("description", Text), key("metadata", YamlMap),
        key("inputs", Map(&PARAMETER)),
        key("node_templates", Map(&NODE_TEMPLATE)),
        key("relationship_templates", Map(&RELATIONSHIP_TEMPLATE)),
        key("groups", Map(&GROUP)),
        key("policies", Named(&POLICY)),
        key("workflows", Map(&WORKFLOW)).from(Version::V1_1),
        key("outputs", Map(&PARAMETER)),
        key("substitution_mappings", One(&SUBSTITUTION)),
        key("functions", Map(&FUNCTION)).since_2(),
    ];
    NODE_TEMPLATE = "a node template" "7.2" No [
        key("type", Name(Node)), key("description", Text), key("metadata", YamlMap),
        key("directives", TextList), key("properties", Values), key("attributes", Values),
        key("requirements", Named(&REQUIREMENT_ASSIGNMENT)),
        key("capabilities", Map(&CAPABILITY_ASSIGNMENT)),
        key("interfaces", Map(&INTERFACE_ASSIGNMENT)),
        key("artifacts", Map(&ARTIFACT)),
        key("count", Any).since_2(),
        key("occurrences", Range).from(Version::V1_3).until(Version::V1_3),
        key("instance_count", Any).from(Version::V1_3).until(Version::V1_3),
        key("node_filter", Old(&NODE_FILTER)),
        key("copy", Text),
    ];
    RELATIONSHIP_TEMPLATE = "a relationship template" "7.4" No [
        key("type", Name(Relationship)), key("description", Text), key("metadata", YamlMap),
        key("properties", Values), key("attributes", Values),
        key("interfaces", Map(&INTERFACE_ASSIGNMENT)),
        key("copy", Text),
    ];
    CAPABILITY_ASSIGNMENT = "a capability assignment" "8.4" No [
        key("properties", Values), key("attributes", Values),
        key("directives", TextList).since_2(),
        key("occurrences", Range).old(),
        key("type", Name(Capability)).dropped(),
    ];
    REQUIREMENT_ASSIGNMENT = "a requirement assignment" "8.7.1" Target [
        key("node", Any), key("capability", Text),
        key("relationship", TextOr(&RELATIONSHIP_ASSIGNMENT)),
        key("node_filter", Old(&NODE_FILTER)),
        key("count", Any).since_2(), key("allocation", Values).since_2(), key("directives", TextList).since_2(), key("optional", Bool).since_2(),
        key("occurrences", Range).old(),
        key("description", Text), key("metadata", YamlMap),
    ];
    RELATIONSHIP_ASSIGNMENT = "a relationship assignment" "8.7.1" No [
        key("type", Text), key("properties", Values), key("attributes", Values),
        key("interfaces", Map(&INTERFACE_ASSIGNMENT)),
        key("description", Text), key("metadata", YamlMap),
    ];
    INTERFACE_ASSIGNMENT = "an interface assignment" "11.3" No others OPERATION_ASSIGNMENT [
        key("inputs", Values),
        key("operations", Map(&OPERATION_ASSIGNMENT)).from(Version::V1_3),
        key("notifications", Map(&OPERATION_ASSIGNMENT)).from(Version::V1_3),
        key("type", Name(Interface)).old(), key("description", Text), key("metadata", YamlMap),
    ];
    OPERATION_ASSIGNMENT = "an operation assignment" "11.5" Text [
        key("description", Text), key("metadata", YamlMap),
        key("implementation", TextOr(&IMPLEMENTATION)),
        key("inputs", Values),
        key("outputs", Values).old(), key("outputs", Any).since_2(),
    ];
    GROUP = "a group definition" "16.2" No [
        key("type", Name(Group)).needed(), key("description", Text), key("metadata", YamlMap),
        key("properties", Values), key("attributes", Values), key("members", TextList),
        key("interfaces", Map(&INTERFACE_ASSIGNMENT)).old(), key("targets", TextList).old(),
    ];
    POLICY = "a policy definition" "16.4" No [
        key("type", Name(Policy)).needed(), key("description", Text), key("metadata", YamlMap),
        key("properties", Values), key("targets", TextList),
        key("triggers", Map(&TRIGGER)),
    ];
    TRIGGER = "a trigger definition" "16.5" No [
        key("description", Text), key("metadata", YamlMap),
        key("event", Any).until(Version::V1_2), key("event", Text).from(Version::V1_3), key("action", Activities),
        key("condition", Condition).old(), key("condition", Any).since_2(),
        key("event_type", Any).old(), key("schedule", Any).old(), key("target_filter", One(&EVENT_FILTER)).old(),
    ];
    EVENT_FILTER = "an event filter" "Simple Profile: 3.6.21" No [
        key("node", Text).needed(), key("requirement", Text), key("capability", Text),
    ];
    CONDITION = "the condition of a trigger" "Simple Profile: 3.6.22.2" No [
        key("constraint", Clause), key("period", Time), key("evaluations", Count), key("method", Text),
    ];
    WORKFLOW = "a workflow definition" "13.2" No [
        key("description", Text), key("metadata", YamlMap),
        key("inputs", Map(&PARAMETER)),
        key("precondition", Any).since_2(), key("preconditions", List(&PRECONDITION)).old(),
        key("steps", Map(&STEP)),
        key("implementation", TextOr(&IMPLEMENTATION)),
        key("outputs", Values).old(), key("outputs", Any).since_2(),
    ];
    PRECONDITION = "a precondition" "Simple Profile: 3.6.26" No [
        key("target", Text).needed(), key("target_relationship", Text), key("condition", Clause),
    ];
    STEP = "a workflow step" "13.2.2" No [
        key("target", Text).needed(), key("target_relationship", Text),
        key("filter", Clause).old(), key("filter", Any).since_2(),
        key("activities", Activities).needed(),
        key("on_success", TextList).old(), key("on_success", Any).since_2(),
        key("on_failure", TextList).old(), key("on_failure", Any).since_2(),
        key("operation_host", Text).old(), key("description", Text), key("metadata", YamlMap),
    ];
    ACTIVITY = "an activity" "13.2.3" No [
        key("delegate", TextOr(&WORKFLOW_CALL)), key("set_state", Text),
        key("call_operation", TextOr(&OPERATION_CALL)), key("inline", TextOr(&WORKFLOW_CALL)),
    ];
    WORKFLOW_CALL = "a call of a workflow" "13.2.3" No [
        key("workflow", Text).needed(), key("inputs", Any).old(), key("inputs", Values).since_2(),
    ];
    OPERATION_CALL = "a call of an operation" "13.2.3.3" No [
        key("operation", Text).needed(), key("inputs", Any).old(), key("inputs", Values).since_2(),
    ];
    SUBSTITUTION = "a substitution mapping" "15.1" No [
        key("node_type", Name(Node)).needed(), key("substitution_filter", Old(&SUBSTITUTION_FILTER)),
        key("properties", Values).old(), key("attributes", Values).old(), key("capabilities", Values).old(),
        key("properties", Any).since_2(), key("attributes", Any).since_2(), key("capabilities", Any).since_2(),
        key("requirements", RequirementMappings).old(), key("requirements", Any).since_2(),
        key("interfaces", InterfaceMappings).old(), key("interfaces", Any).since_2(),
        key("description", Text), key("metadata", YamlMap),
    ];
}
