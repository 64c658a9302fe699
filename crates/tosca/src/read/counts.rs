//! The keynames that decide how many nodes and relationships there are, and whether there are any: read here and
//! nowhere else, for checks, values, meaning and plans alike.
//!
//! Out of scope: evaluating a number that an expression gives.

use locus_source::Node;

use super::range::{End, end_of_range};
use super::version::Version;

/// The least and the most of something; no most if there is none.
pub(crate) type Range = (i64, Option<i64>);

/// How many nodes a template stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number<'t> {
    /// So many.
    Fixed(i64),
    /// As many as an expression says, under this keyname.
    Given(&'static str, Node<'t>),
}

/// How many nodes a template stands for, whose keynames are given: by `count`, or in the Simple Profile 1.3 by
/// `instance_count` or else the lower end of `occurrences` (examples 25 and 26).
pub(crate) fn nodes<'t>(get: impl Fn(&str) -> Option<Node<'t>>) -> Number<'t> {
    let given = ["count", "instance_count"].into_iter().find_map(|key| Some((key, get(key)?)));
    match given {
        Some((key, node)) => Number::Given(key, node),
        None => Number::Fixed(get("occurrences").and_then(range).map_or(1, |(least, _)| least)),
    }
}

/// The expression that says how many relationships an assignment of a requirement stands for; one if there is none.
pub(crate) fn relationships(assignment: Option<Node<'_>>) -> Option<Node<'_>> {
    assignment?.get("count")
}

/// The range that an assignment gives itself (Simple Profile, 3.8.1.1 and 3.8.2.1).
pub(crate) fn assigned(assignment: Option<Node<'_>>) -> Option<Node<'_>> {
    assignment?.get("occurrences")
}

/// The range in the definition of a requirement or a capability.
pub(crate) fn defined(definition: Node<'_>) -> Option<Node<'_>> {
    definition.get("count_range").or_else(|| definition.get("occurrences"))
}

/// Whether an assignment of a requirement says that it may lead nowhere.
pub(crate) fn is_optional(assignment: Option<Node<'_>>) -> bool {
    assignment.and_then(|node| node.get("optional")?.as_bool()).unwrap_or(false)
}

/// Whether a requirement leads only to what exists outside of the service.
pub(crate) fn is_external(assignment: Option<Node<'_>>) -> bool {
    has_directive(assignment, &["external"]) && !has_directive(assignment, &["internal"])
}

/// Whether a node template, whose directives these are, stands for a node that exists already.
pub(crate) fn is_selected(directives: Option<Node<'_>>) -> bool {
    is_among(directives, &["select", "selectable"])
}

/// Whether another service takes the place of a node template, whose directives these are.
pub(crate) fn is_substituted(directives: Option<Node<'_>>) -> bool {
    is_among(directives, &["substitute", "substitutable"])
}

/// The directives of node templates.
pub(crate) const fn node_directives(version: Version) -> &'static [&'static str] {
    match version {
        Version::V2_0 => &["create", "select", "substitute"],
        _ => &["select", "selectable", "substitute", "substitutable"],
    }
}

/// The directives of requirements.
pub(crate) const REQUIREMENT_DIRECTIVES: [&str; 2] = ["internal", "external"];

fn has_directive(assignment: Option<Node<'_>>, names: &[&str]) -> bool {
    is_among(assignment.and_then(|node| node.get("directives")), names)
}

/// Whether one of the names is in a list, which some write as a text.
fn is_among(list: Option<Node<'_>>, names: &[&str]) -> bool {
    let is_one = |node: Node<'_>| node.as_str().is_some_and(|name| names.contains(&name));
    list.is_some_and(|list| list.items().chain(list.as_str().map(|_| list)).any(is_one))
}

/// A range, if it is one.
pub(crate) fn range(node: Node<'_>) -> Option<Range> {
    let ends: Vec<_> = node.items().map(end_of_range).collect();
    match ends.as_slice() {
        [Some(End::Number(low)), Some(End::Number(high))] => Some((*low, Some(*high))),
        [Some(End::Number(low)), Some(End::Unbounded)] => Some((*low, None)),
        _ => None,
    }
}
