//! From graph to text, by way of a document: plain data that both YAML and JSON can write.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::text::value::document;
use crate::text::{ANY_NUMBER, VERSION, VERSION_KEY, json, yaml};
use crate::{Alike, Attributes, Entry, LocationGraph, Port, Position, Value};

/// Plain data.
#[derive(Debug)]
pub(super) enum Document<'a> {
    Null,
    Bool(bool),
    Int(i64),
    /// A finite number.
    Float(f64),
    Text(Cow<'a, str>),
    List(Vec<Document<'a>>),
    Mapping(Vec<(Cow<'a, str>, Document<'a>)>),
}

impl Document<'_> {
    /// The text of a scalar that is not a text; the same in YAML and JSON.
    pub(super) fn plain(&self) -> Option<String> {
        match self {
            Self::Null => Some("null".to_owned()),
            Self::Bool(b) => Some(b.to_string()),
            Self::Int(i) => Some(i.to_string()),
            // The shortest text that reads back as the same number; always with a point or an exponent.
            Self::Float(x) => Some(format!("{x:?}")),
            Self::Text(_) | Self::List(_) | Self::Mapping(_) => None,
        }
    }
}

/// The graph as YAML.
pub fn write_yaml(graph: &LocationGraph) -> String {
    yaml::write(&whole(graph, yaml::LONGEST_KEY, false))
}

/// The graph as JSON.
pub fn write_json(graph: &LocationGraph) -> String {
    json::write(&whole(graph, usize::MAX, false))
}

/// The graph as JSON, with its bindings and unbound roles, which follow from the rest, for programs that want
/// to use them without working them out. On reading, these two are passed over.
pub fn write_json_with_bindings(graph: &LocationGraph) -> String {
    json::write(&whole(graph, usize::MAX, true))
}

fn whole<'a>(graph: &'a LocationGraph, longest_key: usize, with_bindings: bool) -> Document<'a> {
    let mut top: Vec<(Cow<'a, str>, Document<'a>)> = vec![(VERSION_KEY.into(), Document::Int(VERSION))];
    if let Some(boxes) = boxes(graph) {
        top.push(("boxes".into(), boxes));
    }
    // Locations of one name cannot be keys of one mapping.
    let mut seen = FxHashSet::default();
    let symbols = graph.symbols();
    let as_keys = graph
        .entries()
        .iter()
        .all(|entry| seen.insert(entry.name) && symbols.name_text(entry.name).len() <= longest_key);
    let locations = if as_keys {
        let named = |entry: &'a Entry| {
            (symbols.name_text(entry.name).into(), Document::Mapping(location(graph, entry)))
        };
        Document::Mapping(graph.entries().iter().map(named).collect())
    } else {
        let item = |entry: &'a Entry| {
            let name = Document::Text(symbols.name_text(entry.name).into());
            let mut fields = vec![("name".into(), name)];
            fields.extend(location(graph, entry));
            Document::Mapping(fields)
        };
        Document::List(graph.entries().iter().map(item).collect())
    };
    top.push(("locations".into(), locations));
    if with_bindings {
        top.push(("bindings".into(), bindings(graph)));
        top.push(("unbound".into(), unbound(graph)));
    }
    Document::Mapping(top)
}

/// The declaration of boxes, if there is one that the locations do not tell already.
fn boxes(graph: &LocationGraph) -> Option<Document<'_>> {
    let used: FxHashSet<_> = graph.entries().iter().filter_map(|entry| entry.within).collect();
    if graph.boxes().all(|id| used.contains(&id) && graph.box_within(id).is_none()) {
        return None;
    }
    let declaration = |id| {
        let outer = graph.box_within(id).map(|outer| Document::Text(graph.box_name(outer).into()));
        Document::Mapping(outer.into_iter().map(|outer| ("within".into(), outer)).collect())
    };
    Some(Document::Mapping(graph.boxes().map(|id| (graph.box_name(id).into(), declaration(id))).collect()))
}

fn location<'a>(graph: &'a LocationGraph, entry: &'a Entry) -> Vec<(Cow<'a, str>, Document<'a>)> {
    let mut fields = Vec::new();
    for (key, value) in [("sort", &entry.sort.0), ("process", &entry.process.0)] {
        if *value != Value::Null {
            fields.push((key.into(), document(value, graph.symbols())));
        }
    }
    for (key, position) in [("provides", Position::Provided), ("requires", Position::Required)] {
        let ports: Vec<&Port> = entry.ports_at(position).collect();
        if !ports.is_empty() {
            fields.push((key.into(), roles(graph, &ports)));
        }
    }
    if !entry.attributes.is_empty() {
        fields.push(("attributes".into(), attributes(graph, &entry.attributes)));
    }
    if let Some(condition) = entry.certainty.condition() {
        fields.push(("only-if".into(), Document::Text((&**condition).into())));
    }
    match entry.certainty.alike() {
        Alike::Exactly(1) => {}
        Alike::Exactly(count) => {
            fields.push(("alike".into(), Document::Int(i64::from(count))));
        }
        Alike::AnyNumber => fields.push(("alike".into(), Document::Text(ANY_NUMBER.into()))),
    }
    if let Some(id) = entry.within {
        fields.push(("within".into(), Document::Text(graph.box_name(id).into())));
    }
    fields
}

/// Roles as a list of names, each with its attributes where it has some.
fn roles<'a>(graph: &'a LocationGraph, ports: &[&'a Port]) -> Document<'a> {
    let item = |port: &&'a Port| {
        let name = Document::Text(graph.symbols().role_text(port.role).into());
        if port.attributes.is_empty() {
            return name;
        }
        let attributes = attributes(graph, &port.attributes);
        Document::Mapping(vec![("role".into(), name), ("attributes".into(), attributes)])
    };
    Document::List(ports.iter().map(item).collect())
}

fn attributes<'a>(graph: &'a LocationGraph, attributes: &'a Attributes) -> Document<'a> {
    // In their own order; of several with one key, the last.
    let mut seen = FxHashSet::default();
    let counting: Vec<_> = attributes.iter().rev().filter(|attribute| seen.insert(&*attribute.key)).collect();
    let field = |attribute: &&'a crate::Attribute| {
        ((&*attribute.key).into(), document(&attribute.value, graph.symbols()))
    };
    Document::Mapping(counting.iter().rev().map(field).collect())
}

fn bindings(graph: &LocationGraph) -> Document<'_> {
    let item = |binding: crate::Binding| {
        Document::Mapping(vec![
            ("role".into(), Document::Text(graph.symbols().role_text(binding.role).into())),
            ("provider".into(), Document::Text(graph.name_of(binding.provider).into())),
            ("requirer".into(), Document::Text(graph.name_of(binding.requirer).into())),
        ])
    };
    Document::List(graph.bindings().into_iter().map(item).collect())
}

fn unbound(graph: &LocationGraph) -> Document<'_> {
    let item = |unbound: crate::Unbound| {
        let position = match unbound.position {
            Position::Provided => "provided",
            Position::Required => "required",
        };
        Document::Mapping(vec![
            ("role".into(), Document::Text(graph.symbols().role_text(unbound.role).into())),
            ("location".into(), Document::Text(graph.name_of(unbound.location).into())),
            ("position".into(), Document::Text(position.into())),
        ])
    };
    Document::List(graph.unbound().into_iter().map(item).collect())
}
