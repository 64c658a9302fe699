//! Parameters: their definitions, and whether values fit them.

use std::sync::Arc;

use locus_schema::{Content, Datum, Unknown};
use locus_source::words::{did_you_mean_word, listed, short};
use locus_source::{Finding, Node, Place, Report};

use crate::rules::{DEFAULT, GIVEN, MISSING_KEY, PARAMETER_TYPE, UNKNOWN_KEY, WRONG_KIND};
use crate::template::Text;
use crate::types::conform_pattern as finds;
use crate::values::{Assumed, World, why};

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Text,
    pub(crate) kind: Arc<str>,
    default: Option<Text>,
    pub(crate) allowed: Vec<Arc<str>>,
    pattern: Option<Arc<str>>,
    /// The least and the most characters.
    length: (Option<f64>, Option<f64>),
    /// The least and the greatest number.
    range: (Option<f64>, Option<f64>),
    given: Option<Arc<str>>,
    /// Whether its value is not to be shown.
    is_secret: bool,
    /// All that it is without a value: the same wherever it is used.
    unknown: Arc<Unknown>,
}

const KEYS: &[&str] = &[
    "AllowedPattern",
    "AllowedValues",
    "ConstraintDescription",
    "Default",
    "Description",
    "MaxLength",
    "MaxValue",
    "MinLength",
    "MinValue",
    "NoEcho",
    "Type",
];

/// The types that name something of AWS.
const OF_AWS: &[&str] = &[
    "AWS::EC2::AvailabilityZone::Name",
    "AWS::EC2::Image::Id",
    "AWS::EC2::Instance::Id",
    "AWS::EC2::KeyPair::KeyName",
    "AWS::EC2::SecurityGroup::GroupName",
    "AWS::EC2::SecurityGroup::Id",
    "AWS::EC2::Subnet::Id",
    "AWS::EC2::VPC::Id",
    "AWS::EC2::Volume::Id",
    "AWS::Route53::HostedZone::Id",
];

/// Whether there is such a type of parameters.
fn is_type(name: &str) -> bool {
    let plain = |name: &str| OF_AWS.contains(&name) || matches!(name, "String" | "Number");
    let inner = |name: &str, start: &str| -> Option<String> {
        Some(name.strip_prefix(start)?.strip_suffix('>')?.to_owned())
    };
    if plain(name) || matches!(name, "CommaDelimitedList" | "AWS::SSM::Parameter::Name") {
        return true;
    }
    if let Some(of) = inner(name, "AWS::SSM::Parameter::Value<") {
        let of_list = inner(&of, "List<").is_some_and(|of| plain(&of));
        return plain(&of) || of_list || of == "CommaDelimitedList";
    }
    inner(name, "List<").is_some_and(|of| OF_AWS.contains(&&*of) || matches!(&*of, "Number" | "String"))
}

impl Parameter {
    /// Whether its value is a list.
    pub(crate) fn is_list(&self) -> bool {
        self.kind.contains("List")
    }

    fn is_looked_up(&self) -> bool {
        self.kind.starts_with("AWS::SSM::Parameter::Value<")
    }

    pub(crate) fn default_text(&self) -> Option<Arc<str>> {
        self.default.as_ref().map(|default| Arc::clone(&default.text))
    }

    pub(crate) fn is_without_value(&self) -> bool {
        self.default.is_none() && self.given.is_none()
    }

    /// The form of its value, as the registry calls it.
    pub(crate) fn form(&self) -> Option<String> {
        let of = self.kind.trim_start_matches("AWS::SSM::Parameter::Value<").trim_start_matches("List<");
        let (kind, what) = of.trim_end_matches('>').rsplit_once("::")?;
        Some(format!("{kind}.{}", if what == "GroupName" { "Name" } else { what }))
    }

    /// Its value, used in a place of a world. That of one without an echo is a secret.
    pub(crate) fn value_in(&self, world: &World, place: Place) -> Datum {
        let value = self.plain_value_in(world, place);
        if self.is_secret { value.secret() } else { value }
    }

    fn plain_value_in(&self, world: &World, place: Place) -> Datum {
        let unknown = Datum::new(Content::Unknown(Arc::clone(&self.unknown)), place);
        if self.is_looked_up() {
            return unknown;
        }
        let at = self.default.as_ref().map_or(self.name.place, |default| default.place);
        match (world.parameters.get(&self.name.text), &self.given, &self.default) {
            (Some(Assumed::Other | Assumed::Open), ..) | (None, None, None) => unknown,
            (Some(Assumed::Is(text)), given, _) => match given {
                Some(_) => Datum::new(self.content(text, place), place),
                None => Datum::new(self.content(text, at), at).used_at(place),
            },
            (None, Some(text), _) => Datum::new(self.content(text, place), place),
            (None, None, Some(default)) => Datum::new(self.content(&default.text, at), at).used_at(place),
        }
    }

    fn content(&self, text: &Arc<str>, place: Place) -> Content {
        if !self.is_list() {
            return Content::Str(Arc::clone(text));
        }
        // An empty text is a list of one empty text, which is how many say that there is none.
        let items = text.split(',').map(|item| Datum::new(Content::str(item.trim()), place));
        Content::List(items.collect())
    }

    /// Why a value does not fit.
    fn fault(&self, text: &str) -> Option<String> {
        if self.is_looked_up() {
            return None;
        }
        let is_number = self.kind.contains("Number");
        let items: Vec<&str> =
            if self.is_list() { text.split(',').map(str::trim).collect() } else { vec![text] };
        for item in items {
            let shown = short(item);
            if is_number && item.trim().parse::<f64>().is_err() {
                return Some(format!("`{shown}` is not a number"));
            }
            if !self.allowed.is_empty() && !self.allowed.iter().any(|one| is_equal(one, item, is_number)) {
                let allowed = listed(self.allowed.iter().map(|one| &**one));
                return Some(format!("`{shown}` is none of its allowed values, which are {allowed}"));
            }
            if let Some(pattern) = &self.pattern
                && finds(&format!("^(?:{pattern})$"), item) == Some(false)
            {
                return Some(format!("`{shown}` does not match `{}`", short(pattern)));
            }
            let within = |(least, most): (Option<f64>, Option<f64>), number: f64| {
                least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most)
            };
            if !within(self.length, item.chars().count() as f64) {
                return Some(format!(
                    "`{shown}` has {} characters, which is not allowed",
                    item.chars().count()
                ));
            }
            if is_number && item.trim().parse().is_ok_and(|number| !within(self.range, number)) {
                return Some(format!("`{shown}` is outside of its range"));
            }
        }
        None
    }
}

fn is_equal(a: &str, b: &str, is_number: bool) -> bool {
    a == b
        || is_number
            && matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a.total_cmp(&b).is_eq())
}

/// The definition of a parameter, and the value that was given to it.
pub(crate) fn definition(
    name: Text,
    node: Node<'_>,
    given: Option<Arc<str>>,
    report: &mut Report,
) -> Option<Parameter> {
    let shown = short(&name.text);
    if !node.is_mapping() {
        report.say(&WRONG_KIND, node.use_place(), format!("the parameter `{shown}` must be a map"));
        return None;
    }
    for entry in node.entries().filter(|entry| !KEYS.contains(&entry.key.raw())) {
        let key = entry.key.raw();
        let message =
            format!("the parameter `{shown}` has the key `{}`, which is none of parameters", short(key));
        let finding = Finding::new(&UNKNOWN_KEY, entry.key.place(), message);
        report.add(did_you_mean_word(finding, key, KEYS.iter().copied()));
    }
    let kind = node.get("Type");
    if kind.is_none() {
        report.say(&MISSING_KEY, name.place, format!("the parameter `{shown}` lacks a `Type`"));
    }
    let text = |key: &str| node.get(key).filter(|node| node.is_scalar() && !node.is_null()).map(scalar_text);
    let kind_text: Arc<str> = text("Type").unwrap_or_else(|| "String".into());
    if let Some(kind) = kind
        && !is_type(&kind_text)
    {
        let message =
            format!("the parameter `{shown}` has the type `{}`, which there is not", short(&kind_text));
        let finding = Finding::new(&PARAMETER_TYPE, kind.use_place(), message);
        let known = OF_AWS.iter().copied().chain(["String", "Number", "CommaDelimitedList"]);
        report.add(did_you_mean_word(finding, &kind_text, known));
    }
    let number = |key: &str| text(key).and_then(|text| text.parse().ok());
    let allowed = node.get("AllowedValues").into_iter().flat_map(Node::items);
    let default = node.get("Default");
    if let Some(default) = default.filter(|default| !default.is_scalar()) {
        report.say(&WRONG_KIND, default.use_place(), format!("the default of `{shown}` must be a text"));
    }
    let place = name.place;
    let parameter = Parameter {
        unknown: Arc::new(Unknown { why: why::parameter(Arc::clone(&name.text)), place, call: None }),
        kind: kind_text,
        default: default
            .filter(|node| node.is_scalar() && !node.is_null())
            .map(|node| Text { text: scalar_text(node), place: node.use_place() }),
        allowed: allowed.filter(|item| item.is_scalar()).map(scalar_text).collect(),
        pattern: text("AllowedPattern"),
        length: (number("MinLength"), number("MaxLength")),
        range: (number("MinValue"), number("MaxValue")),
        is_secret: text("NoEcho").is_some_and(|text| text.eq_ignore_ascii_case("true")),
        given,
        name,
    };
    if let Some(default) = &parameter.default
        && let Some(fault) = parameter.fault(&default.text)
    {
        let message = format!("the default of the parameter `{shown}` does not fit: {fault}");
        report.say(&DEFAULT, default.place, message);
    }
    if let Some(given) = &parameter.given
        && let Some(fault) = parameter.fault(given)
    {
        let message = format!("the value given to the parameter `{shown}` does not fit: {fault}");
        report.say(&GIVEN, parameter.name.place, message);
    }
    Some(parameter)
}

/// A scalar as the text that CloudFormation takes it for.
pub(crate) fn scalar_text(node: Node<'_>) -> Arc<str> {
    match node.value() {
        locus_source::Value::Bool(value) => if value { "true" } else { "false" }.into(),
        _ => node.raw().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::is_type;

    #[test]
    fn types_of_parameters_are_known() {
        for name in [
            "String",
            "List<Number>",
            "AWS::EC2::VPC::Id",
            "List<AWS::EC2::Subnet::Id>",
            "AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>",
            "AWS::SSM::Parameter::Value<List<String>>",
        ] {
            assert!(is_type(name), "{name}");
        }
        for name in
            ["string", "List<>", "List<AWS::EC2::Subnet>", "AWS::SSM::Parameter::Value<List>", "Boolean"]
        {
            assert!(!is_type(name), "{name}");
        }
    }
}
