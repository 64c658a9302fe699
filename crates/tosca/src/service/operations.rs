//! The operations of a relationship that a file implements: those of the interface `Configure` of the Simple Profile,
//! with which the nodes at both ends are told of each other.
//!
//! Out of scope: what else is done to the nodes ([`crate::meaning`]).

use std::sync::Arc;

use locus_source::Node;

use crate::service::Service;

/// The operations of the interface `Configure` that are called when a service is deployed or taken down.
const OPERATIONS: [&str; 8] = [
    "pre_configure_source",
    "pre_configure_target",
    "post_configure_source",
    "post_configure_target",
    "add_target",
    "add_source",
    "remove_target",
    "remove_source",
];

impl Service<'_, '_> {
    /// The operations that are implemented for the relationship of a requirement: by its type, by a template, or where
    /// the requirement is assigned.
    pub(crate) fn relationship_operations(&self, at: usize, index: usize) -> Vec<Arc<str>> {
        let assignment = &self.templates[at].requirements[index];
        let mut found: Vec<&str> = Vec::new();
        if let Some(flat) = assignment.relationship.and_then(|id| self.world.flat(id)) {
            let all = flat.interfaces.iter().flat_map(|interface| &interface.operations);
            found.extend(all.filter(|one| one.implementation.is_some()).map(|one| one.name));
        }
        let template = assignment.relationship_template.map(|template| self.relationships[template].node);
        let inline = assignment.node.and_then(|node| node.get("relationship"));
        for node in template.into_iter().chain(inline) {
            found.extend(implemented(node));
        }
        OPERATIONS.iter().filter(|name| found.contains(name)).map(|&name| name.into()).collect()
    }
}

/// When an operation of a relationship is called. Those that are about the configuration of the target are called when
/// the target is configured, whether or not the source is there yet; all others belong to the source.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// Between the creation of the node and its configuration.
    BeforeConfigure,
    /// Between its configuration and its start.
    AfterConfigure,
    /// When it has been started.
    AfterStart,
    /// When it has been stopped, before it is deleted.
    AfterStop,
}

/// When an operation is called, and whether at the target of the relationship.
pub(crate) fn moment(operation: &str) -> (Moment, bool) {
    match operation {
        "pre_configure_source" => (Moment::BeforeConfigure, false),
        "pre_configure_target" => (Moment::BeforeConfigure, true),
        "post_configure_source" => (Moment::AfterConfigure, false),
        "post_configure_target" => (Moment::AfterConfigure, true),
        "remove_target" | "remove_source" => (Moment::AfterStop, false),
        _ => (Moment::AfterStart, false),
    }
}

/// The name of the phase in which an operation of a relationship is called, and whether it is one of the target;
/// nothing for an operation that is not called when a service is deployed or taken down.
pub(crate) fn phase_of(
    operation: &str,
    requirement: &str,
    (source, target): (&str, &str),
) -> Option<(String, bool)> {
    OPERATIONS.contains(&operation).then(|| match moment(operation) {
        (_, true) => (format!("{operation} {requirement} of {source}"), true),
        (_, false) => (format!("{operation} {requirement} to {target}"), false),
    })
}

/// The operations that the interfaces of a template implement.
fn implemented(node: Node<'_>) -> impl Iterator<Item = &str> {
    let interfaces = node.get("interfaces").into_iter().flat_map(Node::entries);
    // Up to TOSCA 1.2 operations stand beside the other keynames.
    let operations =
        interfaces.flat_map(|entry| entry.value.get("operations").unwrap_or(entry.value).entries());
    operations
        .filter(|entry| entry.value.as_str().is_some() || entry.value.get("implementation").is_some())
        .map(|entry| entry.key.raw())
}
