//! Resources: their definitions.

use std::sync::Arc;

use locus_schema::{Content, Datum, Field};
use locus_source::words::short;
use locus_source::{Finding, Node};

use crate::catalogue;
use crate::read::environment::Environment;
use crate::read::instances::{self, User};
use crate::read::members::{Of, members};
use crate::read::parameters::unknown_keys;
use crate::read::stacks;
use crate::read::types;
use crate::report::expected;
use crate::rules::{DELETION, EXTERNAL, MALFORMED, MISSING_KEY, RESOURCE_NAME, WRONG_KIND};
use crate::template::{How, Kind, Reference, Resource, Text};
use crate::values::evaluate::{Evaluator, key_text};

const KEYS: [&str; 9] = [
    "type",
    "properties",
    "metadata",
    "depends_on",
    "deletion_policy",
    "update_policy",
    "description",
    "external_id",
    "condition",
];

/// Reads the definition of a resource; nothing if it has no type.
pub(crate) fn resource<'e>(
    name: Text,
    node: Node<'e>,
    environment: &Environment,
    evaluator: &mut Evaluator<'e>,
) -> Option<Resource> {
    let of = format!("the resource `{}`", short(&name.text));
    if !node.is_mapping() {
        expected(evaluator.report, &MALFORMED, node, &of, "a map");
        return None;
    }
    if name.text.contains('/') {
        evaluator.report.say(&RESOURCE_NAME, name.place, format!("the name of {of} has a slash"));
    }
    let known = if evaluator.version.has_conditions() { &KEYS[..] } else { &KEYS[..7] };
    unknown_keys(node, known, &of, evaluator.report);
    let created = match node.get("condition").filter(|_| evaluator.version.has_conditions()) {
        Some(condition) if !condition.is_null() => evaluator.condition(condition),
        _ => Some(true),
    };
    let type_name = match node.get("type") {
        Some(kind) if kind.as_str().is_some_and(|kind| !kind.is_empty()) => {
            Text { text: kind.raw().into(), place: kind.use_place() }
        }
        Some(kind) => {
            expected(evaluator.report, &WRONG_KIND, kind, &format!("the type of {of}"), "a name");
            return None;
        }
        None => {
            evaluator.report.say(&MISSING_KEY, name.place, format!("{of} has no `type`"));
            return None;
        }
    };
    let kind = match created {
        // Heat does not look for the type of what is not created.
        Some(false) => catalogue::resource_type(&type_name.text).map_or(Kind::Unknown, Kind::Known),
        _ => types::kind(&type_name, &name.text, environment, evaluator),
    };
    evaluator.references.clear();
    evaluator.uncertain = 0;
    let (properties, properties_known) = properties(node, &of, evaluator);
    let id = evaluator.id(&name.text);
    let user = User {
        name: &name,
        id: &id,
        type_name: &type_name,
        properties: (&properties, properties_known),
        again: false,
    };
    let (kind, stack) = if let Some(false) = created {
        (kind, None)
    } else {
        let stack = stacks::template(&kind, &user, evaluator);
        (instances::used(kind, &user, environment, evaluator), stack)
    };
    let metadata = map_field(node, "metadata", &of, evaluator);
    let depends_on = depends_on(node, &of, evaluator);
    let deletion_policy = deletion_policy(node, &kind, &type_name, evaluator);
    let update_policy = map_field(node, "update_policy", &of, evaluator);
    let external = node.get("external_id").filter(|_| evaluator.version.has_conditions());
    let external_id = external.filter(|id| !id.is_null()).map(|id| evaluator.value(id));
    if let (Some(id), Some(first)) = (&external_id, depends_on.first()) {
        let message = format!("{of} exists already, so it cannot depend on `{}`", short(&first.text));
        let finding = Finding::new(&EXTERNAL, first.place, message).also(id.place, "it exists under this id");
        evaluator.report.add(finding);
    }
    let members = match created {
        Some(false) => Vec::new(),
        _ => members(&Of { name: &name, id: &id, again: false }, &kind, &properties, environment, evaluator),
    };
    let mut references = std::mem::take(&mut evaluator.references);
    references.extend(depends_on.iter().map(|text| Reference {
        target: Arc::clone(&text.text),
        place: text.place,
        how: How::DependsOn,
        via: None,
        uncertain: false,
    }));
    Some(Resource {
        name,
        id,
        type_name,
        kind,
        stack,
        properties,
        properties_known,
        properties_place: node.get("properties").map(Node::use_place),
        metadata,
        depends_on,
        created,
        condition: node.get("condition").and_then(Node::as_str).map(Arc::from),
        alike: None,
        external_id,
        deletion_policy,
        update_policy,
        references,
        members,
        again: false,
    })
}

/// The properties, and whether all of them are known by name. References know the property they stand in.
fn properties<'e>(node: Node<'e>, of: &str, evaluator: &mut Evaluator<'e>) -> (Vec<Field>, bool) {
    let plain = node.get("properties").filter(|field| field.is_mapping() && !evaluator.is_call(*field));
    let Some(field) = plain else {
        return match map_field(node, "properties", of, evaluator).map(|datum| datum.value) {
            None => (Vec::new(), true),
            Some(Content::Map(fields)) => (fields.to_vec(), true),
            Some(_) => (Vec::new(), false),
        };
    };
    let mut fields = Vec::new();
    for entry in field.entries() {
        let key = key_text(entry.key);
        let before = evaluator.references.len();
        let value = evaluator.value(entry.value);
        for reference in &mut evaluator.references[before..] {
            reference.via = Some(Arc::clone(&key));
        }
        if value.value != Content::Absent {
            fields.push(Field { key, place: entry.key.use_place(), value });
        }
    }
    (fields, true)
}

fn map_field<'e>(node: Node<'e>, key: &str, of: &str, evaluator: &mut Evaluator<'e>) -> Option<Datum> {
    let field = node.get(key)?;
    if field.is_null() {
        // Heat refuses `properties:` with nothing behind it, since that is not a map.
        let finding = Finding::new(&WRONG_KIND, field.use_place(), format!("`{key}` of {of} is empty"));
        evaluator.report.add(finding.help("remove it, or write `{}` behind it"));
        return None;
    }
    let datum = evaluator.value(field);
    if !matches!(datum.value, Content::Map(_) | Content::Unknown(_)) {
        let kind = datum.value.kind_name();
        evaluator.report.say(&WRONG_KIND, datum.place, format!("`{key}` of {of} must be a map, not {kind}"));
    }
    Some(datum)
}

fn depends_on<'e>(node: Node<'e>, of: &str, evaluator: &mut Evaluator<'e>) -> Vec<Text> {
    let Some(field) = node.get("depends_on") else { return Vec::new() };
    let text = |node: Node<'e>| node.as_str().map(|text| Text { text: text.into(), place: node.use_place() });
    if let Some(one) = text(field) {
        return vec![one];
    }
    if !field.is_sequence() {
        expected(
            evaluator.report,
            &WRONG_KIND,
            field,
            &format!("`depends_on` of {of}"),
            "a name or a list of names",
        );
        return Vec::new();
    }
    let mut names = Vec::new();
    for item in field.items() {
        match text(item) {
            Some(name) => names.push(name),
            None => expected(
                evaluator.report,
                &WRONG_KIND,
                item,
                &format!("`depends_on` of {of}"),
                "a list of names",
            ),
        }
    }
    names
}

fn deletion_policy<'e>(
    node: Node<'e>,
    kind: &Kind,
    type_name: &Text,
    evaluator: &mut Evaluator<'e>,
) -> Option<Datum> {
    let field = node.get("deletion_policy").filter(|field| !field.is_null())?;
    let datum = evaluator.value(field);
    let text = match &datum.value {
        Content::Unknown(_) => return Some(datum),
        _ if datum.contents_of.is_some() => return Some(datum),
        other => other.to_text().unwrap_or_default(),
    };
    let small = evaluator.version.has_conditions();
    let fits = match &*text {
        "Delete" | "Retain" | "Snapshot" => true,
        "delete" | "retain" | "snapshot" => small,
        _ => false,
    };
    if !fits {
        let message = format!("there is no deletion policy `{}`", short(&text));
        let finding = Finding::new(&DELETION, datum.place, message);
        evaluator.report.add(finding.help("write `Delete`, `Retain` or `Snapshot`"));
    }
    let able = match kind {
        Kind::Known(kind) => kind.snapshot || kind.is_placeholder(),
        Kind::Nested(_) => false,
        Kind::Unknown => true,
    };
    if fits && !able && text.eq_ignore_ascii_case("snapshot") {
        let message = format!("no snapshot can be made of `{}` when it is deleted", short(&type_name.text));
        let finding = Finding::new(&DELETION, datum.place, message).also(type_name.place, "its type");
        evaluator.report.add(finding.help("write `Delete` or `Retain`"));
    }
    Some(datum)
}
