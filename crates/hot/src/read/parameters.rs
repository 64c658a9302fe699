//! Parameters: their definitions, and their values as Heat converts them.

use std::sync::Arc;

use locus_schema::constraint::{shown, text_to_number, to_bool, to_number};
use locus_schema::unknown::WRONG;
use locus_schema::{Compliance, Constraint, Content, Datum, Field, Later, Literal, Pattern, Type, Why};
use locus_source::words::{did_you_mean_word, listed, short};
use locus_source::{Finding, Node, Place, Report, Rule};

use crate::catalogue;
use crate::read::environment::{Given, plain};
use crate::report::expected;
use crate::rules::{
    CONSTRAINT, DEFAULT, GIVEN, MALFORMED, MISSING_KEY, PARAMETER_TYPE, UNKNOWN_KEY, WRONG_KIND,
};
use crate::template::{Parameter, ParameterType, Text};
use crate::values::evaluate::key_text;
use crate::values::why;
use crate::version::Version;

const KEYS: [&str; 9] =
    ["type", "label", "description", "default", "hidden", "constraints", "immutable", "schema", "tags"];

/// Reads the definition of a parameter.
pub(crate) fn definition(name: Text, node: Node<'_>, version: Version, report: &mut Report) -> Parameter {
    let shown_name = short(&name.text);
    let value = Datum::unknown(why::parameter(Arc::clone(&name.text)), name.place);
    let mut parameter = Parameter {
        name,
        kind: None,
        label: None,
        description: None,
        default: None,
        constraints: Vec::new(),
        hidden: false,
        immutable: false,
        tags: Vec::new(),
        value,
    };
    if !node.is_mapping() {
        expected(report, &MALFORMED, node, &format!("the parameter `{shown_name}`"), "a map");
        return parameter;
    }
    let mut keys: Vec<&str> = KEYS.to_vec();
    if !version.has_tags() {
        keys.pop();
    }
    unknown_keys(node, &keys, &format!("the parameter `{shown_name}`"), report);
    match node.get("type") {
        None => {
            let message = format!("the parameter `{shown_name}` has no `type`");
            report.say(&MISSING_KEY, parameter.name.place, message);
        }
        Some(kind) => parameter.kind = parameter_type(kind, report),
    }
    parameter.label = text_field(node, "label");
    parameter.description = text_field(node, "description");
    parameter.default = node.get("default").filter(|default| !default.is_null()).map(plain);
    let flag = |key: &str| node.get(key).is_some_and(|flag| flag.as_bool() == Some(true));
    parameter.hidden = flag("hidden");
    parameter.immutable = flag("immutable");
    if let Some(tags) = node.get("tags").filter(|_| version.has_tags()) {
        if tags.is_sequence() {
            let tags = tags.items().filter(|tag| tag.is_scalar());
            parameter.tags = tags.map(|tag| Text { text: tag.raw().into(), place: tag.place() }).collect();
        } else {
            expected(report, &WRONG_KIND, tags, "`tags`", "a list");
        }
    }
    if let Some(constraints) = node.get("constraints").filter(|constraints| !constraints.is_null()) {
        parameter.constraints = read_constraints(constraints, parameter.kind, version, report);
    }
    parameter
}

/// A field that is a text.
pub(crate) fn text_field(node: Node<'_>, key: &str) -> Option<Text> {
    let field = node.get(key).filter(|field| field.is_scalar() && !field.is_null())?;
    Some(Text { text: field.raw().into(), place: field.place() })
}

/// Reports keys that are none of these.
pub(crate) fn unknown_keys(node: Node<'_>, known: &[&str], of: &str, report: &mut Report) {
    for entry in node.entries() {
        let key = key_text(entry.key);
        if !known.contains(&&*key) {
            let message = format!("{of} cannot have the key `{}`", short(&key));
            let finding = Finding::new(&UNKNOWN_KEY, entry.key.use_place(), message);
            let note = format!("the keys are {}", listed(known.iter().copied()));
            report.add(did_you_mean_word(finding, &key, known.iter().copied()).note(note));
        }
    }
}

fn parameter_type(node: Node<'_>, report: &mut Report) -> Option<ParameterType> {
    let name = if node.is_scalar() { node.raw() } else { "" };
    let found = ParameterType::NAMES.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        let message = format!("there is no type `{}` for parameters", short(name));
        let finding = Finding::new(&PARAMETER_TYPE, node.use_place(), message);
        let meant = match name.to_ascii_lowercase().as_str() {
            "integer" | "int" | "float" => Some("number"),
            "list" | "array" | "commadelimitedlist" => Some("comma_delimited_list"),
            "map" | "object" | "dict" => Some("json"),
            "bool" => Some("boolean"),
            "str" | "text" => Some("string"),
            _ => None,
        };
        let names = || ParameterType::NAMES.iter().map(|(name, _)| *name);
        let finding = match meant {
            Some(meant) => finding.help(format!("did you mean `{meant}`?")),
            None => did_you_mean_word(finding, name, names()),
        };
        report.add(finding.note(format!("the types are {}", listed(names()))));
    }
    found.map(|(_, kind)| *kind)
}

fn read_constraints(
    node: Node<'_>,
    kind: Option<ParameterType>,
    version: Version,
    report: &mut Report,
) -> Vec<(Constraint, Place)> {
    if !node.is_sequence() {
        expected(report, &WRONG_KIND, node, "`constraints`", "a list");
        return Vec::new();
    }
    let mut constraints = Vec::new();
    for item in node.items() {
        if !item.is_mapping() {
            expected(report, &CONSTRAINT, item, "a constraint", "a map");
            continue;
        }
        let known = [
            "length",
            "range",
            "modulo",
            "allowed_values",
            "allowed_pattern",
            "custom_constraint",
            "description",
        ];
        unknown_keys(item, &known, "a constraint", report);
        match constraint(item, version) {
            Ok(constraint) => {
                let place = item.place();
                if kind.is_some_and(|kind| !constraint.fits(kind.as_property())) {
                    let kind = kind.map_or("", ParameterType::name);
                    let message =
                        format!("`{}` says nothing of a parameter of type `{kind}`", constraint.key());
                    report.say(&CONSTRAINT, place, message);
                    continue;
                }
                if let Constraint::Custom(name) = &constraint
                    && !catalogue::is_constraint(name)
                {
                    let message = format!("Heat has no custom constraint `{}`", short(name));
                    let mut finding = Finding::new(&CONSTRAINT, place, message);
                    finding.severity = locus_source::Severity::Warning;
                    let finding =
                        did_you_mean_word(finding, name, catalogue::constraint_names().iter().copied());
                    report.add(finding.note("it may come from a plug-in of your cloud"));
                }
                negative_length(&constraint, place, report);
                constraints.push((constraint, place));
            }
            Err(Some((place, message))) => report.say(&CONSTRAINT, place, message),
            Err(None) => {}
        }
    }
    contradictions(&constraints, report);
    constraints
}

/// A length that is at least something below 0 is any length.
fn negative_length(constraint: &Constraint, place: Place, report: &mut Report) {
    if let Constraint::Length { min: Some(least), .. } = constraint
        && *least < 0.0
    {
        let mut finding = Finding::new(&CONSTRAINT, place, format!("every length is at least {least}"));
        finding.severity = locus_source::Severity::Warning;
        report.add(finding);
    }
}

/// Intervals that begin after an earlier one has ended, or end before it begins.
fn contradictions(constraints: &[(Constraint, Place)], report: &mut Report) {
    for key in ["length", "range"] {
        let mut least: Option<(f64, Place)> = None;
        let mut most: Option<(f64, Place)> = None;
        for (constraint, place) in constraints.iter().filter(|(constraint, _)| constraint.key() == key) {
            let Some((min, max)) = constraint.ends() else { continue };
            let above = most.filter(|(most, _)| min.is_some_and(|min| min > *most));
            let below = least.filter(|(least, _)| max.is_some_and(|max| max < *least));
            if let Some((_, first)) = above.or(below) {
                let message = format!("no value keeps both this `{key}` and the earlier one");
                report.add(Finding::new(&CONSTRAINT, *place, message).also(first, "the earlier one"));
                break;
            }
            least = min
                .filter(|min| least.is_none_or(|(least, _)| *min > least))
                .map(|min| (min, *place))
                .or(least);
            most =
                max.filter(|max| most.is_none_or(|(most, _)| *max < most)).map(|max| (max, *place)).or(most);
        }
    }
}

/// The constraint in a map. An error without a message is one that is reported otherwise.
fn constraint(node: Node<'_>, version: Version) -> Result<Constraint, Option<(Place, String)>> {
    if let Some(modulo) = node.get("modulo").filter(|_| version.has_modulo()) {
        return modulo_constraint(modulo).map_err(Some);
    }
    if let Some(range) = node.get("range") {
        let (min, max) = ends(range, "range").map_err(Some)?;
        return Ok(Constraint::Range { min, max });
    }
    if let Some(length) = node.get("length") {
        let (min, max) = ends(length, "length").map_err(Some)?;
        return Ok(Constraint::Length { min, max });
    }
    if let Some(values) = node.get("allowed_values") {
        if !values.is_sequence() {
            return Err(Some((values.use_place(), "`allowed_values` must be a list".to_owned())));
        }
        return Ok(Constraint::AllowedValues(
            values.items().map(|item| Literal(plain(item).value)).collect(),
        ));
    }
    if let Some(pattern_node) = node.get("allowed_pattern") {
        return match pattern_node.as_str() {
            Some(text) => {
                let pattern = Pattern::new(text);
                match pattern.problem() {
                    Some(problem) => {
                        let message = format!("`{}` is not a regular expression: {problem}", short(text));
                        Err(Some((pattern_node.use_place(), message)))
                    }
                    None => Ok(Constraint::AllowedPattern(pattern)),
                }
            }
            None => Err(Some((pattern_node.use_place(), "`allowed_pattern` must be a string".to_owned()))),
        };
    }
    if let Some(custom) = node.get("custom_constraint") {
        return match custom.as_str() {
            Some(name) => Ok(Constraint::Custom(name.into())),
            None => Err(Some((custom.use_place(), "`custom_constraint` must be a name".to_owned()))),
        };
    }
    if node.get("modulo").is_some() {
        return Err(Some((node.place(), "`modulo` is known from version 2017-02-24 on".to_owned())));
    }
    if node.entries().any(|entry| entry.key.raw() != "description") {
        return Err(None);
    }
    Err(Some((node.place(), "this constraint says nothing".to_owned())))
}

type Ends = (Option<f64>, Option<f64>);

fn ends(node: Node<'_>, what: &str) -> Result<Ends, (Place, String)> {
    if !node.is_mapping() {
        return Err((node.use_place(), format!("`{what}` must be a map with `min` and `max`")));
    }
    if let Some(other) = node.entries().find(|entry| !["min", "max"].contains(&entry.key.raw())) {
        let key = short(other.key.raw());
        return Err((other.key.use_place(), format!("`{what}` has `min` and `max`, not `{key}`")));
    }
    let end = |key: &str| match node.get(key).filter(|end| !end.is_null()) {
        None => Ok(None),
        Some(end) => match number(end) {
            Some(number) if what == "range" || number.fract() == 0.0 => Ok(Some(number)),
            _ => Err((end.use_place(), format!("`{key}` of `{what}` must be a number"))),
        },
    };
    let (min, max) = (end("min")?, end("max")?);
    match (min, max) {
        (None, None) => Err((node.use_place(), format!("`{what}` needs `min` or `max`"))),
        (Some(least), Some(most)) if least > most => {
            Err((node.use_place(), format!("no value is at least {least} and at most {most}")))
        }
        (_, Some(most)) if what == "length" && most < 0.0 => {
            Err((node.use_place(), format!("no length is at most {most}")))
        }
        _ => Ok((min, max)),
    }
}

fn number(node: Node<'_>) -> Option<f64> {
    node.as_f64().or_else(|| node.as_str().and_then(text_to_number))
}

fn modulo_constraint(node: Node<'_>) -> Result<Constraint, (Place, String)> {
    let whole = |key: &str| {
        let number = node.get(key).and_then(number).filter(|number| number.fract() == 0.0);
        number.ok_or_else(|| (node.use_place(), format!("`modulo` needs a whole number as `{key}`")))
    };
    let (step, offset) = (whole("step")? as i64, whole("offset")? as i64);
    let wrong = if step == 0 {
        "the step of `modulo` cannot be 0"
    } else if offset.unsigned_abs() >= step.unsigned_abs() {
        "the offset of `modulo` must be smaller than its step"
    } else if (step < 0 && offset > 0) || (step > 0 && offset < 0) {
        "step and offset of `modulo` must have the same sign"
    } else {
        return Ok(Constraint::Modulo { step, offset });
    };
    Err((node.use_place(), wrong.to_owned()))
}

/// Checks the default, and gives the parameter its value.
pub(crate) fn set_value(
    parameter: &mut Parameter,
    given: Option<&Given>,
    default: Option<&Given>,
    report: &mut Report,
) {
    // A default from an environment takes the place of the template's own, which is then not looked at.
    let own = parameter.default.as_ref().filter(|_| default.is_none());
    let converted = own.map(|own| convert(parameter, own, &DEFAULT, report));
    let from_default = default.map(|given| convert(parameter, &given.value, &GIVEN, report));
    let from_given = given.map(|given| convert(parameter, &given.value, &GIVEN, report));
    if let Some(value) = from_given.or(from_default).or(converted) {
        parameter.value = value;
    }
}

/// Gives a parameter of a template within another the value that its user hands down.
pub(crate) fn hand_down(parameter: &mut Parameter, given: &Datum, report: &mut Report) {
    let open = |datum: &Datum| matches!(datum.value, Content::Unknown(_) | Content::Location(_));
    parameter.value = match &given.value {
        _ if open(given) => given.clone(),
        // Items that are not known stay in their places.
        Content::List(items) if parameter.kind == Some(ParameterType::List) && items.iter().any(open) => {
            let item = |item: &Datum| {
                let text = item.value.to_text().filter(|_| !open(item));
                text.map_or_else(|| item.clone(), |text| Datum { value: Content::Str(text), ..item.clone() })
            };
            Datum { value: Content::List(items.iter().map(item).collect()), ..given.clone() }
        }
        _ => convert(parameter, given, &GIVEN, report),
    };
}

/// A value in the type of its parameter. Says what is wrong with it.
fn convert(parameter: &Parameter, datum: &Datum, rule: &Rule, report: &mut Report) -> Datum {
    let Some(kind) = parameter.kind else { return datum.clone() };
    let name = short(&parameter.name.text);
    let what = if *rule == DEFAULT { "the default of" } else { "the value of" };
    if matches!(datum.value, Content::Unknown(_)) {
        return datum.clone();
    }
    let value = match to_type(&datum.value, kind, datum.place) {
        Ok(value) => value,
        Err(wanted) => {
            let message = format!("{what} `{name}` must be {wanted}, not {}", datum.shown());
            let finding = Finding::new(rule, datum.place, message);
            report.add(finding.also(parameter.name.place, "the parameter"));
            return Datum::unknown(Why::plain(&WRONG), datum.place);
        }
    };
    let converted = Datum { value, ..datum.clone() };
    for (constraint, place) in &parameter.constraints {
        let reason = match constraint.check(&converted.value, kind.as_property()) {
            Compliance::Fails(reason) => reason,
            // Heat measures and matches what is written, and only a text can be measured and matched.
            _ if needs_text(constraint, &datum.value, kind) => {
                format!("is {}, which is not a text; put it in quotes", shown(&datum.value))
            }
            Compliance::Holds | Compliance::Unknown => continue,
        };
        let finding = Finding::new(rule, datum.place, format!("{what} `{name}` {reason}"));
        report.add(finding.also(*place, "the constraint"));
    }
    converted
}

fn needs_text(constraint: &Constraint, written: &Content, kind: ParameterType) -> bool {
    let textual = matches!(constraint, Constraint::Length { .. } | Constraint::AllowedPattern(_));
    let scalar =
        matches!(written, Content::Bool(_) | Content::Int(_) | Content::Float(_) | Content::BigInt(_));
    textual && kind == ParameterType::String && scalar
}

/// A value as a type has it, or what was expected.
fn to_type(value: &Content, kind: ParameterType, place: Place) -> Result<Content, &'static str> {
    match kind {
        ParameterType::String => Ok(match value.to_text() {
            Some(text) => Content::Str(text),
            // What Python makes of a list or a map is of no use to anybody.
            None => Datum::unknown(why::function("str".into()), place).value,
        }),
        ParameterType::Number => match value {
            Content::Int(_) | Content::Float(_) | Content::BigInt(_) | Content::Bool(_) => Ok(value.clone()),
            Content::Str(text) => match (text.trim().parse::<i64>(), to_number(value)) {
                (Ok(whole), _) => Ok(Content::Int(whole)),
                (_, Some(number)) => Ok(Content::Float(number)),
                _ => Err("a number"),
            },
            _ => Err("a number"),
        },
        ParameterType::Boolean => {
            let text = value.to_text().ok_or("true or false")?;
            to_bool(&text).map(Content::Bool).ok_or("true or false")
        }
        ParameterType::List => match value {
            Content::Str(text) if text.is_empty() => Ok(Content::List(Arc::from([]))),
            Content::Str(text) => {
                Ok(Content::List(text.split(',').map(|part| Datum::new(Content::str(part), place)).collect()))
            }
            Content::List(items) => {
                let texts = items.iter().map(|item| match item.value.to_text() {
                    Some(text) => Datum { value: Content::Str(text), ..item.clone() },
                    None => Datum::unknown(why::function("str".into()), item.place),
                });
                Ok(Content::List(texts.collect()))
            }
            _ => Err("a list, or a string with commas between the items"),
        },
        ParameterType::Json => match value {
            Content::Str(text) if text.is_empty() => Ok(value.clone()),
            Content::Str(text) => match serde_json::from_str::<serde_json::Value>(text) {
                Ok(json) => Ok(from_json(&json, place)),
                Err(_) => Err("a map, a list, or a string that is JSON"),
            },
            _ => Ok(value.clone()),
        },
    }
}

/// A value of JSON, which is all at one place. The reader of JSON limits its depth.
fn from_json(json: &serde_json::Value, place: Place) -> Content {
    match json {
        serde_json::Value::Array(items) => {
            Content::List(items.iter().map(|item| Datum::new(from_json(item, place), place)).collect())
        }
        serde_json::Value::Object(fields) => {
            let field = |(key, value): (&String, &serde_json::Value)| Field {
                key: key.as_str().into(),
                place,
                value: Datum::new(from_json(value, place), place),
            };
            Content::Map(fields.iter().map(field).collect())
        }
        scalar => Literal::from_json(scalar).0,
    }
}

/// The type of property that a parameter of a nested template is for those who use it.
pub(crate) fn property_type(parameter: &Parameter) -> Type {
    parameter.kind.map_or(Type::Any, ParameterType::as_property)
}

/// Makes the value of a hidden parameter one that nobody can read: it may say where the secret is, which is looked up
/// when something is built.
pub(crate) fn hide(parameter: &mut Parameter) {
    let (name, value) = (&parameter.name, &parameter.value);
    if let Content::Unknown(_) = value.value {
        return;
    }
    let is_place = value.as_str().is_some_and(|text| text.starts_with("secret:"));
    let given =
        if is_place { value.clone() } else { Datum::new(Content::Str(Arc::clone(&name.text)), name.place) };
    let call = Later { function: if is_place { SECRET } else { SHOWN_SECRET }.into(), given };
    let why = Why::of(&why::STACK, Arc::clone(&name.text));
    parameter.value = Datum { value: Datum::deferred(why, name.place, call).value, ..value.clone() };
}

/// The function that looks up a secret, by the text that says where it is.
pub(crate) const SECRET: &str = "$secret";

/// A secret that was given as it is, which cannot be stored: the name of the parameter.
pub(crate) const SHOWN_SECRET: &str = "$shown";
