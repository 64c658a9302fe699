//! Inputs that an operation needs: that each operation that is implemented gets them.
//!
//! Out of scope: the values ([`crate::checks::templates`]), and calls in workflows ([`crate::checks::workflow`]).

use locus_source::tree::Entry;
use locus_source::{Finding, Node, Place, Severity, words};

use crate::report::short;
use crate::rules;
use crate::service::{Scope, Section, Service, This};
use crate::types::flat::Property;
use crate::types::interfaces::{self, Interface, Operation};

/// Where inputs may be given: for the operation, and for all operations of its interface.
#[derive(Clone, Copy)]
struct Given<'t> {
    operation: Option<Node<'t>>,
    interface: Option<Node<'t>>,
}

impl Given<'_> {
    fn has(self, name: &str) -> bool {
        [self.operation, self.interface].into_iter().flatten().any(|inputs| inputs.get(name).is_some())
    }
}

impl<'t> Service<'_, 't> {
    /// The operations of a node or relationship, those of its type included.
    pub(crate) fn operation_inputs(
        &self,
        section: Section<'t>,
        known: &[Interface<'t>],
        owner: &str,
        place: Place,
        scope: &Scope<'_, 't>,
    ) {
        if let This::Node(at) = scope.this
            && (self.templates[at].is_selected() || self.templates[at].is_substituted())
        {
            return;
        }
        let simple = self.world.version(scope.file).is_simple();
        for interface in known {
            let assigned = section.get(interface.name);
            for operation in interface.operations.iter().filter(|one| !one.notification) {
                let mut all = assigned.into_iter().flat_map(|node| interfaces::operations_in(node, simple));
                let entry = all.find(|(entry, _)| entry.key.raw() == operation.name).map(|(entry, _)| entry);
                let given = Given {
                    operation: entry.and_then(|entry| entry.value.get("inputs")),
                    interface: assigned.and_then(|node| node.get("inputs")),
                };
                self.stray_inputs(operation, interface, given, scope);
                if operation.implementation.is_some() || entry.is_some_and(|entry| is_implemented(&entry)) {
                    let place = entry.map_or(place, |entry| entry.key.use_place());
                    let name = format!("`{}.{}` of {owner}", short(interface.name), short(operation.name));
                    // An example of the Simple Profile gives those of the interface to one of its operations only.
                    let all = needed(&operation.inputs).chain(needed(&interface.inputs).filter(|_| !simple));
                    for input in all.filter(|input| !given.has(input.name)) {
                        let message = format!(
                            "the operation {name} gets no value for its input `{}`",
                            short(input.name)
                        );
                        let mut finding = Finding::new(&rules::OPERATION_INPUT, place, message);
                        if !self.is_called_by_orchestrator(interface) {
                            finding.severity = Severity::Warning;
                        }
                        self.world.add(scope.file, finding.also(input.place, "it is required here"));
                    }
                }
            }
        }
    }

    /// Whether the orchestrator calls the operations of an interface by itself. Those of others are called by workflows
    /// and by hand, and may get inputs there.
    fn is_called_by_orchestrator(&self, interface: &Interface<'t>) -> bool {
        const CALLED: [&str; 4] = [
            "tosca.interfaces.node.lifecycle.Standard",
            "tosca.interfaces.relationship.Configure",
            "Lifecycle.Standard",
            "Relationship.Configure",
        ];
        let line = interface.type_id.map(|id| self.world.names.line(id)).unwrap_or_default();
        line.into_iter().any(|id| CALLED.contains(&self.world.names.get(id).name))
    }

    /// Inputs that are not defined, and near to one that has no value.
    fn stray_inputs(
        &self,
        operation: &Operation<'t>,
        interface: &Interface<'t>,
        given: Given<'t>,
        scope: &Scope<'_, 't>,
    ) {
        let defined = || operation.inputs.iter().chain(&interface.inputs);
        for entry in given.operation.into_iter().flat_map(Node::entries) {
            let name = entry.key.raw();
            if defined().any(|input| input.name == name) {
                continue;
            }
            let unset =
                defined().filter(|input| !given.has(input.name)).map(|input| (input.name, input.name));
            if let Some(near) = words::nearest(name, unset) {
                let operation = short(operation.name);
                let message = format!("the operation `{operation}` has no input `{}`", short(name));
                let finding = Finding::new(&rules::STRAY_INPUT, entry.key.use_place(), message);
                self.world.add(scope.file, finding.help(format!("did you mean `{}`?", short(near))));
            }
        }
    }
}

/// The inputs that must have a value and have none by their definition.
fn needed<'a, 't>(inputs: &'a [Property<'t>]) -> impl Iterator<Item = &'a Property<'t>> {
    inputs.iter().filter(|one| one.required && one.default.is_none() && one.fixed.is_none())
}

fn is_implemented(entry: &Entry<'_>) -> bool {
    entry.value.as_str().is_some() || entry.value.get("implementation").is_some_and(|node| !node.is_null())
}
