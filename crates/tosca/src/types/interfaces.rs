//! Interfaces of node and relationship types: their operations and notifications, with what they inherit.

use locus_source::tree::Entry;
use locus_source::{Finding, Node, Place};

use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::short;
use crate::rules;
use crate::types::flat::{Property, Role, properties};
use crate::types::names::TypeId;
use crate::types::world::World;

/// An interface of a node or relationship type.
#[derive(Clone, Debug)]
pub(crate) struct Interface<'t> {
    pub(crate) name: &'t str,
    pub(crate) type_id: Option<TypeId>,
    pub(crate) inputs: Vec<Property<'t>>,
    pub(crate) operations: Vec<Operation<'t>>,
    /// Whether all of its type is known.
    pub(crate) whole: bool,
}

/// An operation or a notification.
#[derive(Clone, Debug)]
pub(crate) struct Operation<'t> {
    pub(crate) name: &'t str,
    pub(crate) inputs: Vec<Property<'t>>,
    pub(crate) implementation: Option<(Node<'t>, usize)>,
    /// Whether it is a notification.
    pub(crate) notification: bool,
    /// The outputs that are mapped to attributes already.
    pub(crate) mapped: Vec<(&'t str, Place)>,
}

impl Operation<'_> {
    /// Whether this is the operation or notification of a name. The Simple Profile writes both side by side.
    pub(crate) fn is(&self, name: &str, notification: bool, version: Version) -> bool {
        self.name == name && (self.notification == notification || version.is_simple())
    }

    pub(crate) fn word(notification: bool) -> &'static str {
        if notification { "notification" } else { "operation" }
    }
}

impl<'t> World<'t> {
    /// Adds an interface or refines an inherited one. `whole` says whether all that is inherited is known.
    pub(crate) fn interface(
        &self,
        file: usize,
        key: Node<'t>,
        node: Node<'t>,
        all: &mut Vec<Interface<'t>>,
        whole: bool,
    ) {
        let name = key.raw();
        let at = all.iter().position(|one| one.name == name);
        let type_node = node.get("type");
        let named = type_node.and_then(|one| self.names.find_type(file, Family::Interface, one.as_str()?));
        let known_name = || {
            self.version(file)
                .is_simple()
                .then(|| self.names.find_type(file, Family::Interface, name))
                .flatten()
        };
        let inherited = at.map(|at| all[at].clone());
        let type_id = named.or_else(|| inherited.as_ref().and_then(|one| one.type_id)).or_else(known_name);
        if type_node.is_none() && inherited.is_none() && whole && self.version(file) == Version::V2_0 {
            let message = format!("the interface `{}` needs the keyname `type`", short(name));
            self.say(file, &rules::MISSING_KEY, key.use_place(), message);
        }
        if let (Some(node), Some(new), Some(old)) =
            (type_node, named, inherited.as_ref().and_then(|one| one.type_id))
        {
            self.derived(file, node, Some(new), Some(old), "interface type");
        }
        let same = inherited.as_ref().is_some_and(|one| one.type_id == type_id);
        let mut one = match inherited {
            Some(old) if same => old,
            _ => {
                let flat = type_id.and_then(|id| self.flat(id));
                Interface {
                    name,
                    type_id,
                    inputs: flat.as_ref().map(|flat| flat.inputs.clone()).unwrap_or_default(),
                    operations: flat.as_ref().map(|flat| flat.operations.clone()).unwrap_or_default(),
                    whole: flat.is_some_and(|flat| flat.whole),
                }
            }
        };
        properties(self, file, node.get("inputs"), &mut one.inputs, Role::Parameter, true);
        if one.whole && self.version(file) == Version::V2_0 {
            for (entry, notification) in operations_in(node, false) {
                let is_it = |known: &Operation<'t>| known.is(entry.key.raw(), notification, Version::V2_0);
                if !one.operations.iter().any(is_it) {
                    let word = Operation::word(notification);
                    let wanted = short(entry.key.raw());
                    let message =
                        format!("the type of the interface `{}` has no {word} `{wanted}`", short(name));
                    self.say(file, &rules::UNKNOWN_OPERATION, entry.key.use_place(), message);
                }
            }
        }
        self.operations(file, node, &mut one.operations, false);
        match at {
            Some(at) => all[at] = one,
            None => all.push(one),
        }
    }

    pub(crate) fn operations(
        &self,
        file: usize,
        node: Node<'t>,
        all: &mut Vec<Operation<'t>>,
        in_type: bool,
    ) {
        let simple = self.version(file).is_simple();
        for (entry, notification) in operations_in(node, simple) {
            let name = entry.key.raw();
            let at = all.iter().position(|one| one.name == name);
            let mut one = at.map_or_else(
                || Operation {
                    name,
                    inputs: Vec::new(),
                    implementation: None,
                    notification,
                    mapped: Vec::new(),
                },
                |at| all[at].clone(),
            );
            let implementation =
                entry.value.as_str().map(|_| entry.value).or_else(|| entry.value.get("implementation"));
            if let Some(node) = implementation {
                if in_type {
                    let message = format!("the interface type has an implementation of `{}`", short(name));
                    let finding = Finding::new(&rules::TYPE_IMPLEMENTATION, node.use_place(), message);
                    self.add(file, finding.help("interface types only declare operations; implement it in a node type or template"));
                }
                one.implementation = Some((node, file));
            }
            let outputs = entry.value.get("outputs").into_iter().flat_map(Node::entries);
            for output in outputs.filter(|_| !simple) {
                let Some(mapping) = mapping_in(output.value) else { continue };
                if in_type {
                    let message =
                        format!("the interface type maps an output of `{}` to an attribute", short(name));
                    let finding = Finding::new(&rules::TYPE_IMPLEMENTATION, mapping.use_place(), message);
                    self.add(file, finding.help("map it in a node or relationship type, or in a template"));
                    continue;
                }
                self.mapped_once(file, output.key, &one.mapped);
                one.mapped.push((output.key.raw(), output.key.place()));
            }
            let role = if in_type { Role::Declared } else { Role::Parameter };
            properties(self, file, entry.value.get("inputs"), &mut one.inputs, role, true);
            match at {
                Some(at) => all[at] = one,
                None => all.push(one),
            }
        }
    }

    /// An output that a type maps to an attribute is not mapped again.
    pub(crate) fn mapped_once(&self, file: usize, output: Node<'t>, mapped: &[(&'t str, Place)]) {
        if let Some((name, first)) = mapped.iter().find(|(name, _)| *name == output.raw()) {
            let message = format!("the output `{}` is mapped to an attribute already", short(name));
            let finding = Finding::new(&rules::FIXED, output.use_place(), message);
            self.add(file, finding.also(*first, "it is mapped here"));
        }
    }
}

/// The operations of an interface, and its notifications, which are told by `true`: under keynames of their own, or up
/// to TOSCA 1.3 beside the others.
pub(crate) fn operations_in(node: Node<'_>, simple: bool) -> impl Iterator<Item = (Entry<'_>, bool)> {
    const OTHER: [&str; 8] = [
        "derived_from",
        "version",
        "metadata",
        "description",
        "inputs",
        "type",
        "operations",
        "notifications",
    ];
    let under = move |section: &str| node.get(section).into_iter().flat_map(Node::entries);
    let beside = node.entries().filter(move |entry| simple && !OTHER.contains(&entry.key.raw()));
    let operations = under("operations").chain(beside).map(|entry| (entry, false));
    operations.chain(under("notifications").map(|entry| (entry, true)))
}

/// The path of the attribute that an output is mapped to.
pub(crate) fn mapping_in(output: Node<'_>) -> Option<Node<'_>> {
    output.get("mapping").or_else(|| output.is_sequence().then_some(output))
}
