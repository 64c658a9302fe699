//! The canonical form, as `docker compose config` prints it: as YAML and as JSON.

pub(crate) mod marshal;

use std::fmt::Write;

use serde_json::Value as Json;

use crate::read::project::Project;
use crate::types::fields::{PROJECT, Parts, Type};
use crate::values::datum::{Content, Datum, Map, print_float};
use crate::values::ports;

/// Which of the two forms; they differ in what they leave out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Yaml,
    Json,
}

/// The project as JSON. As in Compose's own, only the top has its `x-` keys, and there are no models.
pub fn json(project: &Project) -> String {
    let tree = tree(project, Form::Json);
    let mut text = serde_json::to_string_pretty(&tree).unwrap_or_default().replace('$', "$$");
    text.push('\n');
    text
}

/// The project as YAML.
pub fn yaml(project: &Project) -> String {
    let mut out = String::new();
    block(&mut out, &tree(project, Form::Yaml), 0);
    out.replace('$', "$$")
}

fn tree(project: &Project, form: Form) -> Json {
    let mut project = project.without_unused();
    let services = project.model.as_map_mut().and_then(|top| top.get_mut("services")?.as_map_mut());
    for (_, service) in services.into_iter().flat_map(Map::iter_mut) {
        if let Some(service) = service.as_map_mut() {
            ports::expand(service);
        }
    }
    let printer = Printer { form };
    let mut tree = printer.parts(&project.model, &PROJECT);
    if let Json::Object(top) = &mut tree {
        top.entry("services").or_insert_with(|| Json::Object(serde_json::Map::new()));
        if form == Form::Json {
            top.remove("models");
            for (key, value) in project.model.as_map().into_iter().flat_map(Map::iter) {
                if key.starts_with("x-") {
                    top.insert(key.to_owned(), plain(value));
                }
            }
        }
    }
    tree
}

/// A part as JSON has it.
pub(crate) fn printed(value: &Datum, parts: &Parts) -> Json {
    Printer { form: Form::Json }.parts(value, parts)
}

struct Printer {
    form: Form,
}

impl Printer {
    fn parts(&self, value: &Datum, parts: &Parts) -> Json {
        let mut out = serde_json::Map::new();
        for (key, kind) in parts.fields {
            let given = value.get(key);
            let printed = given.and_then(|given| self.value(given, *kind));
            let printed = printed.or_else(|| self.absent(*kind, parts.always.contains(key)));
            if let Some(printed) = printed {
                let name =
                    if parts.capitals && self.form == Form::Json { capital(key) } else { (*key).to_owned() };
                out.insert(name, printed);
            }
        }
        if self.form == Form::Yaml && parts.extensions {
            for (key, value) in value.as_map().into_iter().flat_map(Map::iter) {
                if key.starts_with("x-") {
                    out.insert(key.to_owned(), plain(value));
                }
            }
        }
        Json::Object(out)
    }

    /// All that stands for a part that is not given, if anything does.
    fn absent(&self, kind: Type, always: bool) -> Option<Json> {
        match kind {
            Type::Command if self.form == Form::Json => Some(Json::Null),
            Type::Part(parts) if self.form == Form::Json => {
                Some(self.parts(&Datum::new(Content::Map(Map::default()), no_place()), parts))
            }
            _ if !always => None,
            Type::Flag => Some(Json::Bool(false)),
            Type::Whole | Type::Count => Some(Json::from(0)),
            Type::Bytes => Some(Json::from("0")),
            _ => Some(Json::from("")),
        }
    }

    fn value(&self, value: &Datum, kind: Type) -> Option<Json> {
        let nonempty = |json: Json| match &json {
            Json::Array(items) if items.is_empty() => None,
            Json::Object(map) if map.is_empty() => None,
            Json::String(text) if text.is_empty() => None,
            _ => Some(json),
        };
        match kind {
            Type::Flag => (value.as_bool() == Some(true)).then_some(Json::Bool(true)),
            Type::Whole | Type::Count | Type::Devices => {
                value.as_i64().filter(|number| *number != 0).map(Json::from)
            }
            Type::Bytes => {
                value.as_i64().filter(|number| *number != 0).map(|number| Json::from(number.to_string()))
            }
            Type::Float => match value.content {
                Content::Float(number) if number != 0.0 => Some(number_of(number)),
                _ => None,
            },
            Type::Duration => (value.as_str() != Some("0s")).then(|| plain(value)),
            Type::FlagIfGiven
            | Type::WholeIfGiven
            | Type::CountIfGiven
            | Type::DurationIfGiven
            | Type::Mode
            | Type::Command => Some(plain(value)),
            Type::Text
            | Type::Texts
            | Type::TextOrTexts
            | Type::TextsOrNumbers
            | Type::Mapping
            | Type::Variables
            | Type::Options
            | Type::MultiOptions
            | Type::Test => nonempty(plain(value)),
            Type::Hosts => nonempty(hosts(value)),
            Type::Ulimit => Some(self.ulimit(value)),
            Type::Ssh => nonempty(ssh(value)),
            Type::Files | Type::Silent => None,
            Type::Part(parts) => {
                let printed = self.parts(value, parts);
                if self.form == Form::Json { Some(printed) } else { nonempty(printed) }
            }
            Type::PartIfGiven(parts) => Some(self.parts(value, parts)),
            Type::List(parts) => {
                let items = value.as_list().unwrap_or_default();
                nonempty(Json::Array(items.iter().map(|item| self.item(item, parts)).collect()))
            }
            Type::Map(parts) => {
                self.map(
                    value,
                    |printer, item| {
                        if item.is_null() { Json::Null } else { printer.parts(item, parts) }
                    },
                )
            }
            Type::Each(kind) => {
                self.map(value, |printer, item| printer.value(item, *kind).unwrap_or_default())
            }
        }
    }

    /// An item of a list. Only ranges of ports, which are parts of a plan, are texts.
    fn item(&self, item: &Datum, parts: &Parts) -> Json {
        item.as_str().map_or_else(|| self.parts(item, parts), Json::from)
    }

    fn map(&self, value: &Datum, print: impl Fn(&Self, &Datum) -> Json) -> Option<Json> {
        let map = value.as_map().filter(|map| !map.is_empty())?;
        Some(Json::Object(map.iter().map(|(key, item)| (key.to_owned(), print(self, item))).collect()))
    }

    fn ulimit(&self, value: &Datum) -> Json {
        let number = |key: &str| value.get(key).and_then(Datum::as_i64).unwrap_or(0);
        let single = value.as_i64().unwrap_or(0);
        if single != 0 {
            return Json::from(single);
        }
        let mut out = serde_json::Map::new();
        for key in ["soft", "hard"] {
            if self.form == Form::Yaml || number(key) != 0 {
                out.insert(key.to_owned(), Json::from(number(key)));
            }
        }
        Json::Object(out)
    }
}

/// A place for a value that is nowhere and never shown.
fn no_place() -> locus_source::Place {
    let sources = locus_source::Sources::new();
    sources.add("", "").place(locus_source::Span::point(0))
}

pub(crate) fn capital(key: &str) -> String {
    let mut chars = key.chars();
    chars.next().map(|first| first.to_ascii_uppercase().to_string() + chars.as_str()).unwrap_or_default()
}

fn hosts(value: &Datum) -> Json {
    let mut lines = Vec::new();
    for (host, addresses) in value.as_map().into_iter().flat_map(Map::iter) {
        let addresses = addresses.as_list().unwrap_or_default();
        lines.extend(addresses.iter().map(|address| format!("{host}={}", address.print())));
    }
    lines.sort();
    Json::from(lines)
}

fn ssh(value: &Datum) -> Json {
    let entries = value.as_map().into_iter().flat_map(Map::iter).map(|(id, path)| match path.as_str() {
        Some(path) if !path.is_empty() => format!("{id}: {path}"),
        _ => id.to_owned(),
    });
    Json::from(entries.collect::<Vec<_>>())
}

fn number_of(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 1e15 { Json::from(number as i64) } else { Json::from(number) }
}

/// A value as it is.
fn plain(value: &Datum) -> Json {
    match &value.content {
        Content::Null => Json::Null,
        Content::Bool(value) => Json::Bool(*value),
        Content::Int(value) => Json::from(*value),
        Content::Uint(value) => Json::from(*value),
        Content::Float(value) => number_of(*value),
        Content::Time(text) | Content::Str(text) => Json::from(text.as_str()),
        Content::List(items) => Json::Array(items.iter().map(plain).collect()),
        Content::Map(map) => {
            Json::Object(map.iter().map(|(key, value)| (key.to_owned(), plain(value))).collect())
        }
    }
}

fn spaces(out: &mut String, count: usize) {
    out.extend(std::iter::repeat_n(' ', count));
}

/// A collection with something in it, starting at the cursor, which stands at the indent.
fn block(out: &mut String, value: &Json, indent: usize) {
    match value {
        Json::Object(map) => {
            for (i, (key, value)) in map.iter().enumerate() {
                if i > 0 {
                    spaces(out, indent);
                }
                scalar(out, key);
                out.push(':');
                if is_long(value) {
                    out.push('\n');
                    spaces(out, indent + 2);
                    block(out, value, indent + 2);
                } else {
                    out.push(' ');
                    short(out, value);
                }
            }
        }
        Json::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    spaces(out, indent);
                }
                out.push_str("- ");
                if is_long(item) {
                    block(out, item, indent + 2);
                } else {
                    short(out, item);
                }
            }
        }
        other => short(out, other),
    }
}

fn is_long(value: &Json) -> bool {
    match value {
        Json::Object(map) => !map.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    }
}

/// All that fits on a line, with the end of the line.
fn short(out: &mut String, value: &Json) {
    match value {
        Json::String(text) => scalar(out, text),
        Json::Number(number) if number.is_f64() => {
            out.push_str(&print_float(number.as_f64().unwrap_or_default()));
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
    out.push('\n');
}

/// A string, in quotes unless every reader of YAML takes it for the same string without them.
fn scalar(out: &mut String, text: &str) {
    let plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-./ ".contains(&b))
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_')
        && !text.ends_with(' ')
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "y" | "n" | "null"
        );
    if plain {
        out.push_str(text);
    } else {
        out.push_str(&Json::from(text).to_string());
    }
}
