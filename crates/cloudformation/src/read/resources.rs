//! Resources and outputs: what is written of them, and whether their types have it so.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use locus_schema::{Content, Datum, Field};
use locus_source::words::{did_you_mean, did_you_mean_word, listed, short};
use locus_source::{Finding, Node, Place, Report, Severity};

use super::references::Seen;
use crate::Reading;
use crate::rules::{
    DELETION, EXPORT, MISSING_KEY, PARTLY_CHECKED, UNAVAILABLE, UNKNOWN_KEY, UNKNOWN_NAME, UNKNOWN_TYPE,
    WRONG_KIND,
};
use crate::template::{How, Output, Resource, Template, Text};
use crate::types::{conform, type_names};
use crate::values::loops::Defined;
use crate::values::scope::Scope;
use crate::values::worlds::{MOST_WORLDS, Worlds};
use crate::values::{Evaluator, Guard, World};

const KEYS: &[&str] = &[
    "Condition",
    "CreationPolicy",
    "DeletionPolicy",
    "DependsOn",
    "Metadata",
    "Properties",
    "Type",
    "UpdatePolicy",
    "UpdateReplacePolicy",
];

/// All that a deployment goes by beside the properties.
const ASIDE: &[&str] =
    &["CreationPolicy", "DeletionPolicy", "Metadata", "UpdatePolicy", "UpdateReplacePolicy"];

/// The types of which a snapshot is made before one is deleted.
const SNAPSHOT: &[&str] = &[
    "AWS::DocDB::DBCluster",
    "AWS::EC2::Volume",
    "AWS::ElastiCache::CacheCluster",
    "AWS::ElastiCache::ReplicationGroup",
    "AWS::Neptune::DBCluster",
    "AWS::RDS::DBCluster",
    "AWS::RDS::DBInstance",
    "AWS::Redshift::Cluster",
];

/// The template in a world. Findings are reported in the first one only.
pub(super) fn template<'t>(
    scope: &Scope<'t>,
    world: &World,
    resources: &[Defined<'t>],
    outputs: &[Defined<'t>],
    is_complete: bool,
    report: Option<&mut Report>,
    reading: &mut Reading,
) -> Template {
    let mut evaluator = Evaluator::new(scope, world, report);
    let mut template = Template {
        file: Arc::clone(&scope.file),
        resources: Vec::with_capacity(resources.len()),
        outputs: Vec::with_capacity(outputs.len()),
        is_complete,
    };
    // What conditions refer to is looked at once, whether they are used or not.
    for one in &scope.conditions {
        evaluator.formula_of(&one.name, one.place);
    }
    for node in &scope.demands {
        evaluator.formula(*node);
    }
    evaluator.conditions.clear();
    for one in resources {
        template.resources.extend(resource(one, &mut evaluator));
    }
    for one in outputs {
        template.outputs.extend(output(one, &mut evaluator));
    }
    exports(&template, &mut evaluator);
    reading.used.0.append(&mut evaluator.parameters);
    reading.used.1.append(&mut evaluator.mappings);
    reading.used_conditions.append(&mut evaluator.conditions);
    for one in &scope.conditions {
        // A condition that another one names is used.
        evaluator.conditions.clear();
        evaluator.formula_of(&one.name, one.place);
        reading.used_conditions.append(&mut evaluator.conditions);
    }
    template
}

fn resource<'t>(defined: &Defined<'t>, evaluator: &mut Evaluator<'_, 't>) -> Option<Resource> {
    let (node, place) = (defined.node, defined.place);
    let shown = short(&defined.name);
    if !node.is_mapping() {
        evaluator.say(&WRONG_KIND, place, format!("the resource `{shown}` must be a map"));
        return None;
    }
    evaluator.loops.clone_from(&defined.loops);
    let is_whole = keys(node, &shown, evaluator);
    let Some(kind) = node.get("Type") else {
        if is_whole {
            evaluator.say(&MISSING_KEY, place, format!("the resource `{shown}` lacks a `Type`"));
        }
        evaluator.loops.clear();
        return None;
    };
    let Some(type_name) = kind.as_str() else {
        evaluator.say(&WRONG_KIND, kind.use_place(), format!("the type of `{shown}` must be a text"));
        evaluator.loops.clear();
        return None;
    };
    let known = crate::types::resource_type(type_name);
    if known.is_none() {
        unknown_type(type_name, kind.use_place(), evaluator);
    }
    region(&defined.name, known, kind.use_place(), evaluator);
    let condition = node.get("Condition").map(|node| text(node, evaluator));
    let created = match &condition {
        Some(condition) => evaluator.condition(&condition.text, condition.place),
        None => Some(true),
    };
    let before = evaluator.references.len();
    let depends_on = depends_on(node, &defined.name, evaluator);
    let mut properties = Vec::new();
    let mut properties_known = true;
    let given = node.get("Properties");
    if let Some(given) = given.filter(|given| !given.is_null()) {
        let value = properties_of(given, evaluator);
        match &value.value {
            Content::Map(fields) => properties = fields.to_vec(),
            Content::Unknown(_) | Content::Absent => properties_known = false,
            _ => evaluator.say(
                &WRONG_KIND,
                given.use_place(),
                format!("the properties of `{shown}` must be a map"),
            ),
        }
    }
    let mut aside = Vec::new();
    for entry in node.entries().filter(|entry| ASIDE.contains(&entry.key.raw())) {
        let value = evaluator.value(entry.value);
        if entry.key.raw().ends_with("Policy") && !entry.key.raw().starts_with(['C', 'U'])
            || entry.key.raw() == "UpdateReplacePolicy"
        {
            deletion(entry.key.raw(), type_name, &shown, &value, evaluator);
        }
        aside.push(Field { key: entry.key.raw().into(), place: entry.key.place(), value });
    }
    evaluator.loops.clear();
    Some(Resource {
        name: Text { text: Arc::clone(&defined.name), place },
        type_name: Text { text: type_name.into(), place: kind.use_place() },
        kind: known,
        properties,
        properties_known: properties_known && is_whole,
        properties_place: given.map_or(place, Node::use_place),
        depends_on,
        condition,
        created,
        references: evaluator.references.split_off(before),
        aside,
    })
}

/// The properties, with the name of each noted while it is read.
fn properties_of<'t>(node: Node<'t>, evaluator: &mut Evaluator<'_, 't>) -> Datum {
    let is_plain = node.is_mapping()
        && node.entries().all(|entry| !entry.key.raw().starts_with("Fn::") && entry.key.raw() != "Ref");
    if !is_plain {
        return evaluator.value(node);
    }
    let mut fields = Vec::new();
    for entry in node.entries() {
        let key = evaluator.in_loops(entry.key.raw());
        evaluator.via = Some(Arc::clone(&key));
        let value = evaluator.value(entry.value);
        fields.push(Field { key, place: entry.key.place(), value });
    }
    evaluator.via = None;
    Datum::new(Content::Map(fields.into()), node.use_place())
}

/// Whether a resource has keys that a transform does not change.
fn keys(node: Node<'_>, shown: &str, evaluator: &mut Evaluator<'_, '_>) -> bool {
    let mut is_whole = true;
    for entry in node.entries() {
        let key = entry.key.raw();
        if key == "Fn::Transform" {
            is_whole = false;
        } else if key == "Version" && node.get("Type").is_some_and(|kind| kind.raw().contains("Custom")) {
            // Custom resources have one, of their interface.
        } else if !KEYS.contains(&key) && !evaluator.scope.is_open() {
            let message =
                format!("the resource `{shown}` has the key `{}`, which is none of resources", short(key));
            evaluator.add(|| {
                let finding = Finding::new(&UNKNOWN_KEY, entry.key.place(), message);
                did_you_mean_word(finding, key, KEYS.iter().copied())
            });
        }
    }
    is_whole
}

fn text<'t>(node: Node<'t>, evaluator: &mut Evaluator<'_, 't>) -> Text {
    let place = node.use_place();
    if node.as_str().is_none() {
        evaluator.say(&WRONG_KIND, place, "`Condition` must be the name of a condition");
    }
    Text { text: evaluator.in_loops(node.raw()), place }
}

fn unknown_type(name: &str, place: Place, evaluator: &mut Evaluator<'_, '_>) {
    // Custom resources, modules and types of others are not in the registry of AWS.
    if name.ends_with("::MODULE") || name.starts_with("AWS::Serverless::") && evaluator.scope.is_open() {
        return;
    }
    let of_others =
        name.split("::").count() >= 3 && !name.starts_with("AWS::") || name.starts_with("Custom::");
    if of_others {
        return;
    }
    evaluator.add(|| {
        let message = format!("there is no type of resources `{}`", short(name));
        did_you_mean(Finding::new(&UNKNOWN_TYPE, place, message), name, type_names().iter().copied())
    });
}

fn region(
    name: &str,
    kind: Option<&'static crate::types::ResourceType>,
    place: Place,
    evaluator: &mut Evaluator<'_, '_>,
) {
    let (Some(kind), Some(region)) = (kind, evaluator.scope.given("AWS::Region")) else { return };
    if let Some(regions) = kind.regions()
        && !regions.contains(&region)
    {
        let message = format!(
            "`{}` is of the type `{}`, which the region `{}` does not have",
            short(name),
            kind.name,
            short(region)
        );
        evaluator.say(&UNAVAILABLE, place, message);
    }
}

fn depends_on<'t>(node: Node<'t>, own: &Arc<str>, evaluator: &mut Evaluator<'_, 't>) -> Vec<Text> {
    let Some(given) = node.get("DependsOn") else { return Vec::new() };
    let names: Vec<Node<'t>> = if given.is_sequence() { given.items().collect() } else { vec![given] };
    let mut all = Vec::new();
    for name in names {
        let place = name.use_place();
        let Some(text) = name.as_str() else {
            if crate::values::function_of(name).is_none() || !evaluator.scope.has_extensions {
                evaluator.say(
                    &WRONG_KIND,
                    place,
                    "`DependsOn` is the name of a resource, or a list of names",
                );
            }
            continue;
        };
        let text = evaluator.in_loops(text);
        if evaluator.scope.resource(&text).is_none() {
            if !evaluator.scope.is_open() {
                let scope = evaluator.scope;
                evaluator.add(|| {
                    let message = format!(
                        "`{}` depends on `{}`, which is no resource of the template",
                        short(own),
                        short(&text)
                    );
                    let mut names: Vec<&str> = scope.resources.keys().map(|name| &**name).collect();
                    names.sort_unstable();
                    did_you_mean(Finding::new(&UNKNOWN_NAME, place, message), &text, names)
                });
            }
            continue;
        }
        evaluator.refer(&text, How::DependsOn, place);
        all.push(Text { text, place });
    }
    all
}

/// All that becomes of a resource that is no longer wanted.
fn deletion(key: &str, type_name: &str, shown: &str, value: &Datum, evaluator: &mut Evaluator<'_, '_>) {
    let Some(policy) = value.as_str() else {
        if !matches!(value.value, Content::Unknown(_) | Content::Absent) {
            evaluator.say(&DELETION, value.place, format!("the `{key}` of `{shown}` must be a text"));
        }
        return;
    };
    let known: &[&str] = if key == "DeletionPolicy" {
        &["Delete", "Retain", "RetainExceptOnCreate", "Snapshot"]
    } else {
        &["Delete", "Retain", "Snapshot"]
    };
    let place = value.place;
    if !known.contains(&policy) {
        let message = format!(
            "there is no `{key}` `{}`; it is one of {}",
            short(policy),
            listed(known.iter().copied())
        );
        evaluator.add(|| {
            did_you_mean_word(Finding::new(&DELETION, place, message), policy, known.iter().copied())
        });
    } else if policy == "Snapshot" && type_name.starts_with("AWS::") && !SNAPSHOT.contains(&type_name) {
        let message = format!(
            "the `{key}` of `{shown}` asks for a snapshot, which `{}` does not have",
            short(type_name)
        );
        evaluator.say(&DELETION, place, message);
    }
}

/// The keys of an output.
const OUTPUT_KEYS: &[&str] = &["Condition", "Description", "Export", "Value"];

fn output<'t>(defined: &Defined<'t>, evaluator: &mut Evaluator<'_, 't>) -> Option<Output> {
    let (node, place) = (defined.node, defined.place);
    let shown = short(&defined.name);
    if !node.is_mapping() {
        evaluator.say(&WRONG_KIND, place, format!("the output `{shown}` must be a map"));
        return None;
    }
    for entry in node.entries().filter(|entry| !OUTPUT_KEYS.contains(&entry.key.raw())) {
        let key = entry.key.raw();
        if key != "Fn::Transform" {
            let message =
                format!("the output `{shown}` has the key `{}`, which is none of outputs", short(key));
            evaluator.add(|| {
                did_you_mean_word(
                    Finding::new(&UNKNOWN_KEY, entry.key.place(), message),
                    key,
                    KEYS.iter().copied(),
                )
            });
        }
    }
    evaluator.loops.clone_from(&defined.loops);
    let condition = node.get("Condition").map(|node| text(node, evaluator));
    let before = evaluator.references.len();
    let read = |evaluator: &mut Evaluator<'_, 't>| {
        let value = node.get("Value").map(|value| evaluator.value(value));
        let export =
            node.get("Export").and_then(|export| export.get("Name")).map(|name| evaluator.value(name));
        (value, export)
    };
    let (created, (value, export)) = match &condition {
        Some(condition) => {
            let created = evaluator.condition(&condition.text, condition.place);
            (created, evaluator.guarded((Arc::clone(&condition.text), true), read))
        }
        None => (Some(true), read(evaluator)),
    };
    evaluator.loops.clear();
    let Some(value) = value else {
        evaluator.say(&MISSING_KEY, place, format!("the output `{shown}` lacks a `Value`"));
        return None;
    };
    if matches!(value.value, Content::List(_) | Content::Map(_))
        || evaluator.lists.get(&value.place) == Some(&true)
    {
        evaluator.say(&WRONG_KIND, value.place, format!("the value of the output `{shown}` must be a text"));
    }
    let name = Text { text: Arc::clone(&defined.name), place };
    Some(Output { name, value, export, created, references: evaluator.references.split_off(before) })
}

/// Two outputs under one name for others.
fn exports(template: &Template, evaluator: &mut Evaluator<'_, '_>) {
    let mut seen: BTreeMap<&str, &Output> = BTreeMap::new();
    for output in template.outputs.iter().filter(|output| output.created == Some(true)) {
        let Some(export) = &output.export else { continue };
        let Some(name) = export.as_str() else { continue };
        if let Some(first) = seen.get(name) {
            let message = format!(
                "the outputs `{}` and `{}` have the same export `{}`",
                first.name.text,
                output.name.text,
                short(name)
            );
            let (place, other) = (export.place, first.name.place);
            evaluator.add(|| Finding::new(&EXPORT, place, message).also(other, "the first one"));
        } else {
            seen.insert(name, output);
        }
    }
}

/// Compares the resources with their types, in each combination of the conditions that they ask for.
pub(super) fn conform<'t>(
    scope: &Scope<'t>,
    resources: &[Defined<'t>],
    worlds: &mut Worlds<'_, 't>,
    report: &mut Report,
) {
    for one in resources {
        let Some(kind) = scope.resource(&one.name).and_then(|head| head.kind) else { continue };
        if one.node.get("Fn::Transform").is_some() {
            continue;
        }
        let base = World::default();
        let mut evaluator = Evaluator::new(scope, &base, None);
        evaluator.loops.clone_from(&one.loops);
        let given = one.node.get("Properties").filter(|given| !given.is_null());
        if let Some(given) = given {
            evaluator.value(given);
        }
        let fixed: Vec<Guard> = (scope.resource(&one.name).and_then(|head| head.condition.clone()))
            .filter(|name| scope.condition(name).is_some())
            .map(|name| (name, true))
            .into_iter()
            .collect();
        let names: BTreeSet<Arc<str>> = std::mem::take(&mut evaluator.branches);
        if names.is_empty() && fixed.is_empty() {
            let mut found = Vec::new();
            in_world(one, given, kind, &base, scope, &mut found);
            for finding in found {
                report.add(finding);
            }
            continue;
        }
        let (all, complete) = worlds.combinations(&names, &fixed, MOST_WORLDS);
        if !complete {
            let message = format!(
                "`{}` asks for {} conditions, of whose combinations only some were looked at",
                short(&one.name),
                names.len()
            );
            report.say(&PARTLY_CHECKED, one.place, message);
        }
        let mut found: Vec<(Finding, Vec<Guard>, usize)> = Vec::new();
        for combination in &all {
            let mut here = Vec::new();
            in_world(one, given, kind, &combination.world, scope, &mut here);
            for finding in here {
                merge(&mut found, finding, &combination.chosen);
            }
        }
        let varied: Vec<Guard> = all.iter().flat_map(|one| one.chosen.iter().cloned()).collect();
        for (finding, guards, count) in found {
            report.add(with_guards(finding, &guards, &varied, count == all.len()));
        }
    }
}

/// Adds a finding to those of other combinations: what they have in common is what it depends on.
pub(super) fn merge(found: &mut Vec<(Finding, Vec<Guard>, usize)>, finding: Finding, chosen: &[Guard]) {
    let same = |known: &Finding| {
        known.code == finding.code
            && known.primary.place == finding.primary.place
            && known.message == finding.message
    };
    match found.iter_mut().find(|(known, ..)| same(known)) {
        Some((_, guards, count)) => {
            guards.retain(|guard| chosen.contains(guard));
            *count += 1;
        }
        None => found.push((finding, chosen.to_vec(), 1)),
    }
}

/// A finding with the conditions that it depends on; of those that are always so nothing is said.
pub(crate) fn with_guards(finding: Finding, guards: &[Guard], varied: &[Guard], always: bool) -> Finding {
    if always {
        return finding;
    }
    let matter: Vec<String> = guards
        .iter()
        .filter(|(name, holds)| varied.contains(&(Arc::clone(name), !holds)))
        .map(|(name, holds)| {
            if *holds {
                format!("`{}` holds", short(name))
            } else {
                format!("`{}` does not hold", short(name))
            }
        })
        .collect();
    if matter.is_empty() {
        return finding.note("this is so under some combinations of the conditions");
    }
    finding.note(format!("this is so if {}", matter.join(" and ")))
}

fn in_world<'t>(
    one: &Defined<'t>,
    given: Option<Node<'t>>,
    kind: &'static crate::types::ResourceType,
    world: &World,
    scope: &Scope<'t>,
    found: &mut Vec<Finding>,
) {
    let mut evaluator = Evaluator::new(scope, world, None);
    evaluator.loops.clone_from(&one.loops);
    let properties = match given {
        Some(given) => evaluator.value(given),
        None => Datum::new(Content::Map([].into()), one.place),
    };
    if !matches!(properties.value, Content::Map(_)) {
        return;
    }
    let before = found.len();
    let seen = Seen::new(&evaluator, scope);
    conform::check(kind, &one.name, &properties, &seen, found);
    for finding in &mut found[before..] {
        // What a parameter has by default may be given otherwise.
        if !finding.secondary.is_empty() && finding.severity == Severity::Error {
            finding.severity = Severity::Warning;
        }
        // What is missing is missing of the resource.
        if finding.primary.place == properties.place {
            finding.primary.place = one.place;
        }
    }
}
