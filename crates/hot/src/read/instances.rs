//! Templates as they are used by others: read once more for each use, with the values that the user gives its
//! parameters.
//!
//! A template that is a resource is first read by itself, which finds what is wrong with it for everybody. What only
//! shows with the values of a use is found here. Names of resources get what they are in before them (`web/port`), so
//! that values which name a resource may go down into such a template and come back out of it.

use std::sync::Arc;

use locus_schema::{Content, Datum, Field};
use locus_source::words::short;
use locus_source::{Finding, Node, Place, Report};
use rustc_hash::FxHashMap;

use crate::catalogue;
use crate::read::environment::Environment;
use crate::read::stacks;
use crate::read::types::{MOST_NESTED, too_deep};
use crate::read::{self, For};
use crate::rules::DEPTH;
use crate::template::{Kind, Parameter, ParameterType, Resource, Template, Text};
use crate::values::evaluate::{Evaluator, single};
use crate::values::told::Told;

/// How deep templates may be in templates, unless a cloud is configured otherwise.
pub(crate) const HEATS_DEPTH: usize = 5;

/// So many resources in all uses of templates are looked at with the values of the use.
const MOST_RESOURCES: usize = 20_000;

/// The type of resources that only keep a value.
const VALUE: &str = "OS::Heat::Value";

/// The types that make a stack of their own for their members.
const GROUPS: [&str; 5] = [
    "OS::Heat::ResourceGroup",
    "OS::Heat::AutoScalingGroup",
    "OS::Heat::InstanceGroup",
    "OS::Heat::ResourceChain",
    "AWS::AutoScaling::AutoScalingGroup",
];

/// A use of a template by a resource.
pub(crate) struct Use {
    /// The path that stands before the names of resources.
    pub(crate) scope: Arc<str>,
    /// The values that are given to parameters.
    pub(crate) values: FxHashMap<Arc<str>, Datum>,
    /// Whether these are all values that are given.
    pub(crate) complete: bool,
    /// How deep the template is in others.
    pub(crate) depth: usize,
    /// The files in which it is, itself included.
    pub(crate) files: Vec<String>,
}

/// The user of a template: a resource, or a member of a group.
pub(crate) struct User<'u> {
    /// Its name.
    pub(crate) name: &'u Text,
    /// Its name among the resources of all templates.
    pub(crate) id: &'u str,
    /// The type as it is written.
    pub(crate) type_name: &'u Text,
    /// Its properties, and whether these are all.
    pub(crate) properties: (&'u [Field], bool),
    /// Whether another use that differs by its number only is looked at, too.
    pub(crate) again: bool,
}

/// The kind of a resource: if it is a template, as this resource uses it.
pub(crate) fn used(
    kind: Kind,
    user: &User<'_>,
    environment: &Environment,
    evaluator: &mut Evaluator<'_>,
) -> Kind {
    if evaluator.alone {
        return kind;
    }
    let is_group = matches!(&kind, Kind::Known(kind) if GROUPS.contains(&&*kind.name));
    if (is_group || matches!(kind, Kind::Nested(_))) && evaluator.depth == HEATS_DEPTH {
        let message = format!(
            "`{}` is a stack {} levels below the outermost one, and Heat allows {HEATS_DEPTH}",
            short(&user.name.text),
            evaluator.depth + 1
        );
        evaluator.report.say(&DEPTH, user.type_name.place, message);
    }
    let Kind::Nested(alone) = &kind else { return kind };
    match instance(alone, user, environment, evaluator) {
        Some(instance) => Kind::Nested(instance),
        None => kind,
    }
}

/// A template as a resource uses it; nothing if that is too much to read.
fn instance(
    alone: &Arc<Template>,
    user: &User<'_>,
    environment: &Environment,
    evaluator: &mut Evaluator<'_>,
) -> Option<Arc<Template>> {
    let files = evaluator.files;
    let name = alone.file.name();
    // That it contains itself has been said.
    if evaluator.within.iter().any(|file| file == name) {
        return None;
    }
    if evaluator.depth >= MOST_NESTED {
        files.leave_open(too_deep(name));
        return None;
    }
    let read = files.instances.get();
    if read + alone.resources.len() > MOST_RESOURCES {
        files.leave_open(format!(
            "what templates within `{}` make of the values that they are given was not looked at: there are more than \
             {MOST_RESOURCES} resources in them",
            evaluator.file.name()
        ));
        return None;
    }
    files.instances.set(read + alone.resources.len() + 1);
    let tree = files.tree(name)?;
    let (properties, complete) = user.properties;
    let values = properties.iter().map(|field| (Arc::clone(&field.key), field.value.clone()));
    let mut within = evaluator.within.clone();
    within.push(name.to_owned());
    let this = Use {
        scope: format!("{}/", user.id).into(),
        values: values.collect(),
        complete,
        depth: evaluator.depth + 1,
        files: within,
    };
    let mut report = Report::default();
    let template = read::template(&tree, files, environment, For::Use(&this), &mut report, &mut Vec::new())?;
    if !user.again {
        let used_by = format!("as `{}` uses this template", short(user.id));
        for finding in report.into_vec() {
            if files.is_new(&finding, evaluator.scope.is_empty()) {
                evaluator.report.add(in_use(finding, user.type_name.place, &used_by));
            }
        }
    }
    Some(Arc::new(template))
}

/// A finding about a use of a template. The innermost use is named.
fn in_use(finding: Finding, place: Place, used_by: &str) -> Finding {
    let is_said = finding.secondary.iter().any(|label| label.message.starts_with("as `"));
    if is_said { finding } else { finding.also(place, used_by) }
}

/// The value that a parameter has by a use, as Heat hands it down; nothing if it is given none.
pub(crate) fn handed_down(parameter: &Parameter, given: &Datum) -> Option<Datum> {
    let list = parameter.kind == Some(ParameterType::List);
    let value = match &given.value {
        Content::Null | Content::Absent => return None,
        // Heat joins the items with commas, and the template takes the text apart again.
        Content::List(items) if list => {
            let part = |item: &Datum| match &item.value {
                Content::Null => vec![Datum { value: Content::str(""), ..item.clone() }],
                Content::Str(text) if text.contains(',') => {
                    let part = |part: &str| Datum { value: Content::str(part), ..item.clone() };
                    text.split(',').map(part).collect()
                }
                _ => vec![item.clone()],
            };
            Content::List(items.iter().flat_map(part).collect())
        }
        other => other.clone(),
    };
    Some(Datum { value, ..given.clone() })
}

/// All that a resource tells, if it tells anything.
pub(crate) fn told(resource: &Resource) -> Option<Told> {
    if let Some(template) = &resource.stack {
        return Some(Told::One("outputs", stacks::outputs(template, resource.name.place)));
    }
    match &resource.kind {
        Kind::Nested(template) if !template.scope.is_empty() => Some(Told::Outputs(Arc::clone(template))),
        Kind::Known(kind) if &*kind.name == VALUE => {
            let value = resource.property("value")?;
            let kind = resource.property("type");
            kind.is_none_or(|kind| is_of(&value.value, kind.as_str()))
                .then(|| Told::One("value", value.clone()))
        }
        // Members that are removed leave a gap, and those after it go on counting.
        Kind::Known(kind) if GROUPS.contains(&&*kind.name) => resource
            .property("removal_policies")
            .is_none()
            .then(|| Told::Members(resource.members.iter().filter_map(numbered).collect())),
        _ => None,
    }
}

/// A member that is a template, with its number.
fn numbered(member: &Resource) -> Option<(usize, Arc<Template>)> {
    match &member.kind {
        Kind::Nested(template) if !template.scope.is_empty() => {
            Some((member.number()?, Arc::clone(template)))
        }
        _ => None,
    }
}

/// Whether a value is of the type that an `OS::Heat::Value` says, so that it stays as it is.
fn is_of(value: &Content, kind: Option<&str>) -> bool {
    kind == match value {
        Content::Str(_) | Content::Location(_) => Some("string"),
        Content::Bool(_) => Some("boolean"),
        Content::Int(_) | Content::Float(_) => Some("number"),
        Content::List(_) => Some("comma_delimited_list"),
        Content::Map(_) => Some("json"),
        _ => return false,
    }
}

/// The definitions of resources in the order in which they are read: those whose attributes others use come before
/// them, as far as that goes.
pub(crate) fn in_order(definitions: &[(Text, Node<'_>)]) -> Vec<usize> {
    let tells = |node: Node<'_>| {
        let kind = node.get("type").and_then(Node::as_str).unwrap_or_default();
        // What is not a type of Heat's own may be a template.
        kind == VALUE
            || kind == "OS::Heat::Stack"
            || GROUPS.contains(&kind)
            || catalogue::resource_type(kind).is_none()
    };
    let telling: FxHashMap<&str, usize> = definitions
        .iter()
        .enumerate()
        .filter(|(_, (_, node))| tells(*node))
        .map(|(at, (name, _))| (&*name.text, at))
        .collect();
    if telling.is_empty() {
        return (0..definitions.len()).collect();
    }
    let mut order = Vec::with_capacity(definitions.len());
    let mut seen = vec![false; definitions.len()];
    for start in 0..definitions.len() {
        let mut open = vec![(start, false)];
        while let Some((at, done)) = open.pop() {
            if done {
                order.push(at);
            } else if !std::mem::replace(&mut seen[at], true) {
                open.push((at, true));
                let mut asked = Vec::new();
                asked_of(definitions[at].1, &telling, &mut asked);
                open.extend(asked.into_iter().filter(|other| !seen[*other]).map(|other| (other, false)));
            }
        }
    }
    order
}

/// The resources whose attributes an expression asks for, of those that tell any.
fn asked_of(node: Node<'_>, telling: &FxHashMap<&str, usize>, asked: &mut Vec<usize>) {
    if let Some(("get_attr", arguments)) = node.is_mapping().then(|| single(node)).flatten() {
        let name = arguments.items().next().and_then(Node::as_str);
        asked.extend(name.and_then(|name| telling.get(name)));
    }
    node.entries().for_each(|entry| asked_of(entry.value, telling, asked));
    node.items().for_each(|item| asked_of(item, telling, asked));
}
