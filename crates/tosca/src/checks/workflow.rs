//! Workflows: that the targets, operations, steps and workflows that they name exist, that calls have the
//! inputs they need, and that each step can be reached.

use std::rc::Rc;

use locus_schema::Content;
use locus_source::{Finding, Node, Place};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::checks::trigger::Subject;
use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, listed, short};
use crate::rules;
use crate::service::{Scope, Section, Service, This};
use crate::types::flat::{self, Flat, Property, Role};
use crate::types::interfaces::Interface;
use crate::types::value::Typed;
use crate::values::filter::clauses;

/// The declarative workflows, which orchestrators make by themselves (chapter 7 of the Simple Profile).
const DECLARATIVE: [&str; 2] = ["deploy", "undeploy"];

/// The element that activities act on, with the interfaces that it has.
pub(crate) struct Actor<'t> {
    /// With what it is: "the node `web`".
    pub(crate) owner: String,
    this: This,
    pub(crate) flat: Rc<Flat<'t>>,
    assigned: Section<'t>,
    /// Whether all of its type is known.
    pub(crate) whole: bool,
}

/// The operation or workflow that is called.
struct Callee<'s, 't> {
    /// With what it is: "the operation `standard.create`".
    what: &'s str,
    definitions: &'s [Property<'t>],
    /// Whether all inputs are known.
    whole: bool,
    place: Place,
}

impl<'t> Service<'_, 't> {
    pub(crate) fn check_workflows(&self) {
        for entry in self.section("workflows").into_iter().flat_map(Node::entries) {
            self.workflow(entry.key, entry.value);
        }
        self.circles_of_inlining();
    }

    fn workflow(&self, key: Node<'t>, workflow: Node<'t>) {
        let inputs = self.workflow_inputs(workflow);
        let scope = Scope { workflow: &inputs, ..Scope::new(self.file, This::Nothing) };
        if let Some(condition) = workflow.get("precondition") {
            self.condition(condition, &scope);
        }
        for condition in workflow.get("preconditions").into_iter().flat_map(Node::items) {
            let at = self.target_node(condition, "the precondition", &scope);
            let subject = self.acted_on(at, condition).as_ref().map(Subject::from);
            for clause in condition.get("condition").into_iter().flat_map(clauses) {
                self.assertion(clause, subject.as_slice(), &rules::WORKFLOW, &scope);
            }
        }
        let steps = workflow.get("steps");
        for step in steps.into_iter().flat_map(Node::entries) {
            self.step_of(step.key, step.value, steps, &scope);
        }
        self.unreachable(key, steps);
        if let (Some(steps), Some(_)) = (steps, workflow.get("implementation")) {
            let message = format!(
                "the workflow `{}` has steps and an implementation, and it can have one of them",
                short(key.raw())
            );
            self.world.say(self.file, &rules::WORKFLOW, steps.use_place(), message);
        }
        if let Some(implementation) = workflow.get("implementation") {
            self.implementation(key, implementation, &scope);
        }
        for output in workflow.get("outputs").into_iter().flat_map(Node::entries) {
            self.mapping(output.value, &scope);
        }
    }

    fn workflow_inputs(&self, workflow: Node<'t>) -> Vec<Property<'t>> {
        let mut inputs = Vec::new();
        flat::properties(self.world, self.file, workflow.get("inputs"), &mut inputs, Role::Parameter, true);
        inputs
    }

    fn step_of(&self, key: Node<'t>, step: Node<'t>, steps: Option<Node<'t>>, scope: &Scope<'_, 't>) {
        let target = self.target_node(step, &format!("the step `{}`", short(key.raw())), scope);
        for item in followers(step) {
            if steps.is_some_and(|steps| steps.get(item.raw()).is_none()) {
                let message = format!("the workflow has no step `{}`", short(item.raw()));
                self.world.say(self.file, &rules::WORKFLOW, item.use_place(), message);
            }
        }
        self.step_host(key, step, target);
        let actor = self.acted_on(target, step);
        let subject = actor.as_ref().map(Subject::from);
        for clause in step.get("filter").into_iter().flat_map(clauses) {
            if self.world.version(self.file) == Version::V2_0 {
                let this = target.map_or(This::Type, This::Node);
                // The standard calls them validation clauses, and does not say of which value.
                let value = Typed::wrong(clause.use_place());
                self.condition(clause, &Scope { this, ..*scope }.about(&value));
            } else {
                self.assertion(clause, subject.as_slice(), &rules::WORKFLOW, scope);
            }
        }
        for activity in step.get("activities").into_iter().flat_map(Node::items) {
            self.activity(activity, actor.as_slice(), scope);
        }
    }

    /// The node template that a step or a precondition is about; nothing if it is about a group, or about nothing that
    /// exists.
    fn target_node(&self, node: Node<'t>, owner: &str, scope: &Scope<'_, 't>) -> Option<usize> {
        let target = node.get("target")?;
        let name = target.as_str()?;
        let found = self.by_name.get(name).copied();
        let is_group = self.section("groups").is_some_and(|all| all.get(name).is_some());
        if found.is_none() && !is_group {
            let message = format!(
                "{owner} has the target `{}`, which is neither a node template nor a group",
                short(name)
            );
            let finding = Finding::new(&rules::WORKFLOW, target.use_place(), message);
            let names = self.templates.iter().map(|one| one.name);
            self.world.add(scope.file, did_you_mean(finding, name, names));
        }
        let Some(relationship) = node.get("target_relationship") else { return found };
        let Some(at) = found else {
            if is_group {
                let message =
                    format!("{owner} is for a relationship, and its target `{}` is a group", short(name));
                self.world.say(scope.file, &rules::WORKFLOW, relationship.use_place(), message);
            }
            return None;
        };
        let template = &self.templates[at];
        let wanted = relationship.raw();
        let mut names = template.flat.requirements.iter().map(|one| one.name);
        let assigned = template.requirements.iter().any(|one| one.name == wanted);
        if template.is_whole() && !assigned && !names.any(|name| name == wanted) {
            let message = format!("the node `{}` has no requirement `{}`", short(name), short(wanted));
            let finding = Finding::new(&rules::WORKFLOW, relationship.use_place(), message);
            let names = template.flat.requirements.iter().map(|one| one.name);
            self.world.add(scope.file, did_you_mean(finding, wanted, names));
        }
        found
    }

    /// Steps that no chain from a step without predecessor leads to.
    fn unreachable(&self, workflow: Node<'t>, steps: Option<Node<'t>>) {
        let all: Vec<_> = steps.into_iter().flat_map(Node::entries).collect();
        let followed: FxHashSet<_> =
            all.iter().flat_map(|step| followers(step.value)).map(Node::raw).collect();
        let next: FxHashMap<_, _> = all.iter().map(|step| (step.key.raw(), step.value)).collect();
        let mut open: Vec<_> =
            all.iter().map(|step| step.key.raw()).filter(|name| !followed.contains(name)).collect();
        let mut reached: FxHashSet<_> = open.iter().copied().collect();
        while let Some(name) = open.pop() {
            let after = next.get(name).into_iter().flat_map(|step| followers(*step));
            open.extend(after.map(Node::raw).filter(|name| reached.insert(name)));
        }
        for step in all.iter().filter(|step| !reached.contains(step.key.raw())) {
            let (name, workflow) = (short(step.key.raw()), short(workflow.raw()));
            let message = format!("the step `{name}` of the workflow `{workflow}` is never run");
            let finding = Finding::new(&rules::UNREACHABLE_STEP, step.key.use_place(), message);
            let help = "a workflow starts with the steps that are in no `on_success` and no `on_failure`";
            self.world.add(self.file, finding.help(help));
        }
    }

    /// Workflows that inline each other in a circle.
    fn circles_of_inlining(&self) {
        let all: Vec<_> = self.section("workflows").into_iter().flat_map(Node::entries).collect();
        let numbers: FxHashMap<_, _> = all.iter().enumerate().map(|(at, one)| (one.key.raw(), at)).collect();
        let inlining = |workflow: Node<'t>| {
            let steps = workflow.get("steps").into_iter().flat_map(Node::entries);
            let activities = steps.filter_map(|step| step.value.get("activities")).flat_map(Node::items);
            activities
                .filter_map(inlined)
                .filter_map(|name| Some((*numbers.get(name.raw())?, name)))
                .collect()
        };
        let next: Vec<Vec<(usize, Node<'t>)>> = all.iter().map(|one| inlining(one.value)).collect();
        for circle in locus_schema::cycles::circles(&next) {
            let (last, names) = (circle.len() - 1, circle.iter().map(|&(at, _)| all[at].key.raw()));
            let message = if last == 0 {
                format!("the workflow `{}` inlines itself", short(all[circle[0].0].key.raw()))
            } else {
                format!("the workflows {} inline each other in a circle", listed(names))
            };
            let finding = Finding::new(&rules::INLINED_IN_CIRCLE, circle[last].1.use_place(), message);
            let finding = circle[..last]
                .iter()
                .fold(finding, |finding, (_, name)| finding.also(name.use_place(), "and here"));
            self.world.add(self.file, finding);
        }
    }

    /// The subject of a step or a precondition: its target, or the relationship of one of its requirements.
    fn acted_on(&self, target: Option<usize>, node: Node<'t>) -> Option<Actor<'t>> {
        match node.get("target_relationship") {
            Some(name) => self.relationship_actor(target?, name.raw()),
            None => Some(self.node_actor(target?)),
        }
    }

    pub(crate) fn node_actor(&self, at: usize) -> Actor<'t> {
        let template = &self.templates[at];
        Actor {
            owner: format!("the node `{}`", short(template.name)),
            this: This::Node(at),
            flat: Rc::clone(&template.flat),
            assigned: template.section("interfaces"),
            whole: template.is_whole(),
        }
    }

    /// The relationship of a requirement; nothing if it is not known.
    fn relationship_actor(&self, at: usize, requirement: &str) -> Option<Actor<'t>> {
        let template = &self.templates[at];
        let index = template.requirements.iter().position(|one| one.name == requirement)?;
        let assignment = &template.requirements[index];
        let inline = assignment.node.and_then(|node| node.get("relationship")?.get("interfaces"));
        let named = assignment.relationship_template.map(|at| self.relationships[at].section("interfaces"));
        let flat = self.world.flat(assignment.relationship?)?;
        Some(Actor {
            owner: format!("the relationship `{}` of `{}`", short(requirement), short(template.name)),
            this: This::Relationship(at, index),
            whole: flat.whole,
            flat,
            assigned: inline.map_or_else(|| named.unwrap_or_default(), |one| Some(one).into()),
        })
    }

    pub(crate) fn activity(&self, node: Node<'t>, actors: &[Actor<'t>], scope: &Scope<'_, 't>) {
        if let Some(call) = node.get("call_operation") {
            self.call_operation(call, actors, scope);
        }
        if let Some(name) = inlined(node) {
            let found = self.section("workflows").and_then(|all| all.get_entry(name.raw()));
            let Some(workflow) = found else {
                if DECLARATIVE.contains(&name.raw()) {
                    return;
                }
                let message = format!("there is no workflow `{}` to inline", short(name.raw()));
                self.world.say(self.file, &rules::WORKFLOW, name.use_place(), message);
                return;
            };
            let what = format!("the workflow `{}`", short(name.raw()));
            let definitions = self.workflow_inputs(workflow.value);
            let callee =
                Callee { what: &what, definitions: &definitions, whole: true, place: name.use_place() };
            let given = node.get("inline").and_then(|one| one.get("inputs"));
            self.call_inputs(&callee, given, &|_| false, scope);
        }
    }

    fn call_operation(&self, node: Node<'t>, actors: &[Actor<'t>], scope: &Scope<'_, 't>) {
        let Some(name) = node.as_str().map(|_| node).or_else(|| node.get("operation")) else { return };
        let given = node.get("inputs");
        let Some((interface_name, operation_name)) = name.raw().rsplit_once('.') else {
            let message = format!(
                "`{}` does not say which operation of which interface: `interface.operation`",
                short(name.raw())
            );
            self.world.say(self.file, &rules::WORKFLOW, name.use_place(), message);
            return;
        };
        let by_type = self.world.names.find_type(self.file, Family::Interface, interface_name);
        let matches =
            |one: &&Interface<'t>| one.name == interface_name || by_type.is_some() && one.type_id == by_type;
        let mut open = actors.is_empty();
        for actor in actors {
            let interface = actor.flat.interfaces.iter().find(matches);
            let operation =
                interface.and_then(|one| one.operations.iter().find(|one| one.name == operation_name));
            let (Some(interface), Some(operation)) = (interface, operation) else {
                // In the Simple Profile templates may have interfaces of their own.
                let of_template = actor.assigned.get(interface_name).is_some();
                open |= !actor.whole || interface.map_or(of_template, |one| !one.whole);
                continue;
            };
            let mut definitions = operation.inputs.clone();
            definitions.extend(interface.inputs.iter().cloned());
            let assigned = actor.assigned.get(interface.name);
            let of_operation =
                assigned.and_then(|one| one.get("operations").unwrap_or(one).get(operation_name));
            let sections =
                [assigned.and_then(|one| one.get("inputs")), of_operation.and_then(|one| one.get("inputs"))];
            let has = |name: &str| sections.iter().flatten().any(|all| all.get(name).is_some());
            let what = format!("the operation `{}`", short(name.raw()));
            let (whole, place) = (interface.whole, name.use_place());
            let callee = Callee { what: &what, definitions: &definitions, whole, place };
            self.call_inputs(&callee, given, &has, &Scope { this: actor.this, ..*scope });
            return;
        }
        if !open {
            let owners: Vec<_> = actors.iter().map(|one| one.owner.as_str()).collect();
            let message = format!("{} has no operation `{}`", owners.join(" or "), short(name.raw()));
            self.world.say(self.file, &rules::WORKFLOW, name.use_place(), message);
        }
        for entry in given.into_iter().flat_map(Node::entries) {
            self.evaluate(entry.value, &Scope { this: This::Type, ..*scope });
        }
    }

    /// The inputs of a call: that they exist and fit, and that none is missing. `has` tells which have a value already.
    fn call_inputs(
        &self,
        callee: &Callee<'_, 't>,
        given: Option<Node<'t>>,
        has: &dyn Fn(&str) -> bool,
        scope: &Scope<'_, 't>,
    ) {
        for entry in given.into_iter().flat_map(Node::entries) {
            let input = entry.key.raw();
            let Some(definition) = callee.definitions.iter().find(|one| one.name == input) else {
                self.evaluate(entry.value, scope);
                if callee.whole {
                    let message = format!("{} has no input `{}`", callee.what, short(input));
                    let finding = Finding::new(&rules::CALL, entry.key.use_place(), message);
                    let names = callee.definitions.iter().map(|one| one.name);
                    self.world.add(self.file, did_you_mean(finding, input, names));
                }
                continue;
            };
            let what = format!("the input `{}` of {}", short(input), callee.what);
            let value = self.checked(entry.value, &definition.schema, scope, &what);
            if definition.required && matches!(value.datum.value, Content::Unknown(_)) {
                self.optional_source(entry.value, definition, scope);
            }
        }
        let needed = |one: &&Property<'t>| one.required && one.default.is_none() && one.fixed.is_none();
        for definition in callee.definitions.iter().filter(needed) {
            if given.is_none_or(|all| all.get(definition.name).is_none()) && !has(definition.name) {
                let message = format!(
                    "the call of {} gives no value for the input `{}`",
                    callee.what,
                    short(definition.name)
                );
                let finding = Finding::new(&rules::CALL, callee.place, message);
                self.world.add(self.file, finding.also(definition.place, "it is required here"));
            }
        }
    }

    /// An input that is required must not come from one that is not.
    fn optional_source(&self, node: Node<'t>, definition: &Property<'t>, scope: &Scope<'_, 't>) {
        let source = node.get("$get_input").or_else(|| node.get("get_input"));
        let Some(name) = source.and_then(|one| one.as_str().or_else(|| one.items().next()?.as_str())) else {
            return;
        };
        let Some(input) = scope.workflow.iter().find(|one| one.name == name) else { return };
        if !input.required && input.default.is_none() {
            let message = format!(
                "`{}` is required, and the input `{}` that it comes from is not",
                short(definition.name),
                short(name)
            );
            let finding = Finding::new(&rules::CALL, node.use_place(), message);
            self.world.add(self.file, finding.also(input.place, "it is not required here"));
        }
    }
}

/// The names of the steps that come after a step.
fn followers(step: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let lists = ["on_success", "on_failure"].into_iter().filter_map(move |name| step.get(name));
    lists.flat_map(|list| list.items().chain(list.as_str().map(|_| list)))
}

/// The name of the workflow that an activity inlines.
fn inlined(activity: Node<'_>) -> Option<Node<'_>> {
    let node = activity.get("inline")?;
    node.as_str().map(|_| node).or_else(|| node.get("workflow"))
}
