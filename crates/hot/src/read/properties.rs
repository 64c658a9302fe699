//! The properties of resources against what their types say of them.

use std::sync::Arc;

use locus_schema::constraint::text_to_number;
use locus_schema::walk::{self, Keys, Path, Step, Typed, Visitor};
use locus_schema::{Compliance, Constraint, Content, Datum, Field, Property, Status, Type};
use locus_source::words::{did_you_mean_word, listed, short};
use locus_source::{Finding, Place, Report, Severity, words};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalogue::ResourceType;
use crate::read::environment::Environment;
use crate::read::parameters::property_type;
use crate::rules::{
    FUNCTION, NOT_IMPLEMENTED, PROPERTY, PROPERTY_TYPE, PROPERTY_VALUE, REQUIRED, SUPPORT, VALUE_SPECS,
};
use crate::template::{Kind, ParameterType, Resource, Template, Text};
use crate::values::evaluate::Suspect;

/// Checks all resources that may be created. Of the maps that look like calls, those are dropped that a finding
/// here is about.
pub(crate) fn check(
    template: &Template,
    environment: &Environment,
    suspects: &mut Vec<Suspect>,
    report: &mut Report,
) {
    let known = suspects.iter().map(|suspect| (suspect.place, suspect.clone())).collect();
    let of_heat = template.resources.iter().filter(|resource| matches!(resource.kind, Kind::Known(_)));
    let texts = of_heat.clone().map(|resource| &*resource.id).collect();
    let made = of_heat.filter(|resource| matches!(&resource.kind, Kind::Known(kind) if kind.made_id));
    let ids = made.map(|resource| &*resource.id).collect();
    let mut checker = Checker {
        template,
        report,
        suspects: known,
        has_environment: environment.given,
        texts,
        ids,
        explained: FxHashSet::default(),
    };
    let mut nested: FxHashMap<*const Template, Vec<Property>> = FxHashMap::default();
    for resource in &template.resources {
        // Heat looks neither at what is not created nor at the properties of what exists already.
        if resource.created == Some(false) || resource.external_id.is_some() {
            continue;
        }
        let mut open = vec![resource];
        while let Some(resource) = open.pop() {
            open.extend(resource.members.iter().filter(|member| !member.again));
            match &resource.kind {
                Kind::Known(kind) => checker.known(resource, kind),
                Kind::Nested(inner) => {
                    let schema =
                        nested.entry(Arc::as_ptr(inner)).or_insert_with(|| schema(inner, environment));
                    checker.resource(resource, schema);
                    checker.update_policy(resource, &[]);
                }
                Kind::Unknown => {}
            }
        }
    }
    let explained = checker.explained;
    suspects.retain(|suspect| !explained.contains(&suspect.place));
}

/// The properties that a template has for those who use it as a resource: its parameters.
fn schema(template: &Template, environment: &Environment) -> Vec<Property> {
    let property = |parameter: &crate::template::Parameter| {
        let kind = property_type(parameter);
        Property {
            name: (&*parameter.name.text).into(),
            kind,
            required: parameter.default.is_none() && !environment.defaults.contains_key(&parameter.name.text),
            update_allowed: true,
            immutable: false,
            implemented: true,
            converted: matches!(kind, Type::Map | Type::List),
            constraints: parameter.constraints.iter().map(|(constraint, _)| constraint.clone()).collect(),
            default: None,
            status: None,
            old_name: None,
            kind_named: None,
            nested: Vec::new(),
        }
    };
    let mut properties: Vec<Property> = template.parameters.iter().map(property).collect();
    properties.sort_by(|a, b| a.name.cmp(&b.name));
    properties
}

struct Checker<'c> {
    template: &'c Template,
    report: &'c mut Report,
    suspects: FxHashMap<Place, Suspect>,
    /// Whether the template is read with an environment.
    has_environment: bool,
    /// The resources whose id is certainly a text.
    texts: FxHashSet<&'c str>,
    /// Those whose id is one that a service makes: letters, digits and hyphens.
    ids: FxHashSet<&'c str>,
    explained: FxHashSet<Place>,
}

impl Checker<'_> {
    fn known(&mut self, resource: &Resource, kind: &ResourceType) {
        let Text { text, place } = &resource.type_name;
        if let Some(status) = &kind.status {
            let what = format!("the type `{}`", short(text));
            let finding = unsupported(&what, status, *place);
            let finding = if kind.is_placeholder() {
                finding.note("Heat accepts it and does nothing for it")
            } else {
                finding
            };
            self.report.add(finding);
        }
        if !kind.is_placeholder() {
            match value_schema(resource, kind) {
                Some(schema) => self.resource(resource, &schema),
                None => self.resource(resource, &kind.properties),
            }
            self.value_specs(resource, kind);
            self.update_policy(resource, &kind.update_policies);
        }
    }

    /// Reports `value_specs` that Heat has a property for.
    fn value_specs(&mut self, resource: &Resource, kind: &ResourceType) {
        let Some(specs) = resource.property("value_specs").filter(|_| kind.name.starts_with("OS::Neutron::"))
        else {
            return;
        };
        for field in specs.fields() {
            let name = short(&field.key);
            let of = short(&resource.name.text);
            let mut finding = if kind.property(&field.key).is_some() {
                let message = format!("`value_specs` of `{of}` has `{name}`, which is a property of its own");
                Finding::new(&VALUE_SPECS, field.place, message).help("write it as a property")
            } else if ["shared", "tenant_id"].contains(&&*field.key) {
                let message =
                    format!("`value_specs` of `{of}` has `{name}`, which Heat does not let through");
                Finding::new(&VALUE_SPECS, field.place, message).help("leave it out")
            } else {
                continue;
            };
            // Types that have more to check forget what this check says: the value wins over the property there.
            if OVERRIDES.contains(&&*kind.name) {
                finding.severity = Severity::Warning;
            }
            self.report.add(finding);
        }
    }

    fn update_policy(&mut self, resource: &Resource, schema: &[Property]) {
        let Some(policy) = &resource.update_policy else { return };
        if let Content::Map(fields) = &policy.value {
            let at = Path { outer: None, step: Step::Key("update_policy") };
            let keys = Keys { known: schema, given: fields, at: Some(&at), place: policy.place };
            walk::map(keys, &mut Looking { checker: self, resource });
        }
    }

    fn resource(&mut self, resource: &Resource, schema: &[Property]) {
        if resource.properties_known {
            let place = resource.name.place;
            walk::walk(schema, &resource.properties, place, &mut Looking { checker: self, resource });
        }
    }
}

/// A resource whose properties are looked at.
struct Looking<'l, 'c> {
    checker: &'l mut Checker<'c>,
    resource: &'l Resource,
}

impl<'d> Visitor<'d> for Looking<'_, '_> {
    fn surplus(&mut self, keys: Keys<'_, 'd>, field: &'d Field) {
        if field.value.file_within().is_some() {
            let message = format!(
                "a value of {} is {}, and has a key that is not a property",
                kind_of(self.resource),
                field.value.shown()
            );
            self.checker.report.say(&PROPERTY, field.place, message);
            return;
        }
        let message = format!("{} has no property `{}`", kind_of(self.resource), keys.path(&field.key));
        let finding = Finding::new(&PROPERTY, field.place, message);
        let usual =
            || keys.known.iter().filter(|property| property.status.is_none()).map(|property| &*property.name);
        let finding = did_you_mean_word(finding, &field.key, usual());
        let finding = match usual().next() {
            Some(_) => finding.note(format!("the properties are {}", listed(usual()))),
            None => finding,
        };
        self.checker.report.add(finding);
    }

    fn absent(&mut self, keys: Keys<'_, 'd>, property: &'d Property) {
        let by_old_name = property.old_name.as_deref().is_some_and(|name| keys.get(name).is_some());
        // A default makes up for what is missing, even if Heat calls the property required.
        if !property.required || by_old_name || property.default.is_some() {
            return;
        }
        let (at, name) = (keys.path(&property.name), short(&self.resource.name.text));
        let message =
            format!("`{name}` needs the property `{at}`, which {} requires", kind_of(self.resource));
        let mut finding = Finding::new(&REQUIRED, keys.place, message);
        if matches!(self.resource.kind, Kind::Nested(_)) {
            finding = finding.help("give it here, or under `parameter_defaults` of an environment");
            // Without an environment, this may be what is missing.
            if !self.checker.has_environment {
                finding.severity = Severity::Warning;
            }
        }
        self.checker.report.add(finding);
    }

    fn value(&mut self, typed: Typed<'_, 'd>) -> bool {
        let Typed { property, datum, at, .. } = typed;
        if let Some(key) = typed.key {
            self.key(property, &at, key);
        }
        if matches!(datum.value, Content::Unknown(_) | Content::Null | Content::Absent)
            || !self.has_type(property, datum, &at)
        {
            return false;
        }
        if let Content::Location(target) = &datum.value {
            self.id(property, target, datum, &at);
        }
        for constraint in &property.constraints {
            if let Compliance::Fails(reason) = constraint.check(&datum.value, property.kind) {
                let reason = match datum.file_within() {
                    Some(_) => format!("is {}, which it does not allow", datum.shown()),
                    None => reason,
                };
                let message = format!("`{at}` of `{}` {reason}", short(&self.resource.name.text));
                let finding = Finding::new(&PROPERTY_VALUE, datum.place, message);
                self.checker.report.add(came_from(finding, datum));
            }
        }
        // Of the items of some lists nothing is said.
        property.kind != Type::List || property.get("*").is_some()
    }
}

impl Looking<'_, '_> {
    /// A property that is given, whatever its value.
    fn key(&mut self, property: &Property, at: &Path<'_>, place: Place) {
        let kind = short(&self.resource.type_name.text);
        if let Some(status) = &property.status {
            let what = format!("the property `{at}` of `{kind}`");
            self.checker.report.add(unsupported(&what, status, place));
        }
        if !property.implemented {
            let message = format!("the property `{at}` of `{kind}` is not implemented");
            self.checker.report.say(&NOT_IMPLEMENTED, place, message);
        }
    }

    /// The id of a resource where a text of a certain form is wanted.
    fn id(&mut self, property: &Property, target: &str, datum: &Datum, at: &Path<'_>) {
        let form = property.constraints.iter().find_map(|constraint| match constraint {
            Constraint::Custom(name) => form(name),
            _ => None,
        });
        if let Some(form) = form.filter(|_| self.checker.ids.contains(target)) {
            let (name, target) = (short(&self.resource.name.text), short(target));
            let message = format!("`{at}` of `{name}` is the id of `{target}`, which is not {form}");
            let finding = Finding::new(&PROPERTY_VALUE, datum.place, message);
            self.checker.report.add(finding.help("an attribute of the resource may be meant: `get_attr`"));
        }
    }

    /// Whether a value is of the type that a property has, or becomes so. Reports it if not.
    fn has_type(&mut self, property: &Property, datum: &Datum, at: &Path<'_>) -> bool {
        let fits = match (property.kind, &datum.value) {
            (Type::Any, _)
            | (Type::Boolean, Content::Bool(_))
            | (Type::Map, Content::Map(_))
            | (Type::List, Content::List(_))
            | (
                Type::String,
                Content::Str(_)
                | Content::Bool(_)
                | Content::Int(_)
                | Content::BigInt(_)
                | Content::Location(_),
            ) => true,
            (Type::Integer | Type::Number, value) if value.is_number() => true,
            (Type::Integer, Content::Str(text)) => is_integer(text),
            (Type::Number, Content::Str(text)) => text_to_number(text).is_some(),
            (Type::Boolean, Content::Str(text)) => {
                text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
            }
            (Type::Map, Content::Str(_) | Content::List(_)) | (Type::List, Content::Str(_)) => {
                property.converted
            }
            (Type::Integer | Type::Number | Type::Boolean, Content::Location(name)) => {
                !self.checker.ids.contains(&**name)
            }
            // The id of a resource is a text. What a template of its own has for an id, only its outputs tell.
            (Type::Map | Type::List, Content::Location(name)) => {
                property.converted || !self.checker.texts.contains(&**name)
            }
            _ => false,
        };
        if !fits {
            self.wrong_type(property, datum, at);
        }
        fits
    }

    fn wrong_type(&mut self, property: &Property, datum: &Datum, at: &Path<'_>) {
        let name = short(&self.resource.name.text);
        if let Some(suspect) = self.checker.suspects.get(&datum.place) {
            self.checker.explained.insert(datum.place);
            let function = short(&suspect.name);
            let version = self.checker.template.version.date();
            let (why, help) = suspect.since.map_or_else(
                || ("a function for conditions only".to_owned(), "name a condition in `if`".to_owned()),
                |since| {
                    let help = format!("raise the version to {} or later", since.date());
                    (format!("not a function in version {version}"), help)
                },
            );
            let message = format!("`{function}` is {why}, so `{at}` of `{name}` is a map");
            let finding = Finding::new(&FUNCTION, datum.place, message).help(help);
            self.checker.report.add(finding);
            return;
        }
        let wanted = property.kind.with_article();
        let got = match &datum.value {
            Content::Str(_) | Content::Bool(_) | Content::Int(_) | Content::Float(_) | Content::BigInt(_) => {
                format!("{} {}", datum.value.kind_name(), datum.shown())
            }
            other => other.kind_name().to_owned(),
        };
        let message = format!("`{at}` of `{name}` must be {wanted}, not {got}");
        let finding = Finding::new(&PROPERTY_TYPE, datum.place, message);
        let help = match (&datum.value, property.kind) {
            (Content::Map(fields), _) if fields.len() == 1 => {
                const FUNCTIONS: [&str; 6] =
                    ["get_param", "get_resource", "get_attr", "get_file", "list_join", "str_replace"];
                let near = words::nearest(&fields[0].key, FUNCTIONS.map(|name| (name, name)));
                near.map(|name| format!("did you mean the function `{name}`?"))
            }
            (Content::Float(_), Type::String) => Some("put it in quotes".to_owned()),
            (Content::Int(_), Type::Boolean) => Some("write `true` or `false`".to_owned()),
            (Content::Str(_) | Content::Int(_) | Content::Location(_), Type::List) => {
                Some("a list of one item is written in brackets: `[item]`".to_owned())
            }
            _ => None,
        };
        let finding = match help {
            Some(help) => finding.help(help),
            None => finding,
        };
        self.checker.report.add(came_from(finding, datum));
    }
}

/// Types with `value_specs` for which Heat does not look at what is in them.
const OVERRIDES: [&str; 7] = [
    "OS::Neutron::FloatingIP",
    "OS::Neutron::Port",
    "OS::Neutron::ProviderNet",
    "OS::Neutron::Router",
    "OS::Neutron::SecurityGroup",
    "OS::Neutron::Subnet",
    "OS::Neutron::SubnetPool",
];

/// The properties of an `OS::Heat::Value`: `value` has the type that `type` says.
fn value_schema(resource: &Resource, kind: &ResourceType) -> Option<Vec<Property>> {
    if &*kind.name != "OS::Heat::Value" {
        return None;
    }
    let name = resource.property("type")?.as_str()?;
    let (_, value_type) = ParameterType::NAMES.iter().find(|(known, _)| *known == name)?;
    let mut schema = kind.properties.clone();
    schema.iter_mut().find(|property| &*property.name == "value")?.kind = value_type.as_property();
    Some(schema)
}

/// The form of a text that no id can have, by the constraint that demands it.
fn form(constraint: &str) -> Option<&'static str> {
    Some(match constraint {
        "ip_addr" => "an IP address",
        "net_cidr" => "a network in CIDR form",
        "ip_or_cidr" => "an IP address or a network",
        "mac_addr" => "a MAC address",
        "cron_expression" => "a cron expression",
        "timezone" => "a time zone",
        "iso_8601" | "expiration" => "a time",
        _ => return None,
    })
}

/// Whether Python's `int` takes a text.
fn is_integer(text: &str) -> bool {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let fine = !digits.starts_with('_') && !digits.ends_with('_') && !digits.contains("__");
    fine && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
}

fn kind_of(resource: &Resource) -> String {
    match &resource.kind {
        Kind::Nested(_) => format!("the template `{}`", short(&resource.type_name.text)),
        _ => format!("the type `{}`", short(&resource.type_name.text)),
    }
}

fn came_from(finding: Finding, datum: &Datum) -> Finding {
    match datum.origin {
        Some(origin) => finding.also(origin, "the value comes from here"),
        None => finding,
    }
}

/// A finding about something that is not to be used.
pub(crate) fn unsupported(what: &str, status: &Status, place: Place) -> Finding {
    let state = match &*status.status {
        "HIDDEN" => "hidden: it is only kept for old templates",
        "DEPRECATED" => "deprecated",
        _ => "not supported",
    };
    let since =
        if status.version.is_empty() { String::new() } else { format!(" (since Heat {})", status.version) };
    let finding = Finding::new(&SUPPORT, place, format!("{what} is {state}{since}"));
    if status.message.is_empty() { finding } else { finding.help(lower_first(&status.message)) }
}

/// Heat's advice as the other help is written.
fn lower_first(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
