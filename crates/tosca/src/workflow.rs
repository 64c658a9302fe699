//! Workflows: that the targets, operations and steps that they name exist, and that calls have the inputs they need.

use locus_source::{Finding, Node};

use crate::flat::{self, Property, Role};
use crate::report::{did_you_mean, kind, short};
use crate::rules;
use crate::service::{Scope, Service, Template, This};
use crate::value::Value;

impl<'t> Service<'_, 't> {
    pub(crate) fn check_workflows(&self) {
        let all = self.section("workflows");
        for entry in all.into_iter().flat_map(Node::entries) {
            let mut inputs = Vec::new();
            flat::properties(self.world, self.file, entry.value.get("inputs"), &mut inputs, Role::Parameter);
            let steps = entry.value.get("steps");
            for step in steps.into_iter().flat_map(Node::entries) {
                self.step_of(step.key, step.value, steps, &inputs);
            }
            if let (Some(steps), Some(_)) = (steps, entry.value.get("implementation")) {
                let message = format!(
                    "the workflow `{}` has steps and an implementation, and it can have one of them",
                    short(entry.key.raw())
                );
                self.world.say(self.file, &rules::WORKFLOW, steps.use_place(), message);
            }
        }
    }

    fn step_of(&self, key: Node<'t>, step: Node<'t>, steps: Option<Node<'t>>, inputs: &[Property<'t>]) {
        let target = step.get("target").and_then(|node| Some((node, node.as_str()?)));
        let template = target.and_then(|(_, name)| self.by_name.get(name)).map(|&at| &self.templates[at]);
        let groups = self.section("groups");
        if let Some((node, name)) = target
            && template.is_none()
            && groups.and_then(|all| all.get(name)).is_none()
        {
            let message = format!(
                "the step `{}` has the target `{}`, which is neither a node template nor a group",
                short(key.raw()),
                short(name)
            );
            let finding = Finding::new(&rules::WORKFLOW, node.use_place(), message);
            self.world.add(self.file, did_you_mean(finding, name, self.templates.iter().map(|one| one.name)));
        }
        for list in ["on_success", "on_failure"].into_iter().filter_map(|name| step.get(name)) {
            for item in list.items().chain(list.as_str().map(|_| list)) {
                if steps.is_some_and(|steps| steps.get(item.raw()).is_none()) {
                    let message = format!("the workflow has no step `{}`", short(item.raw()));
                    self.world.say(self.file, &rules::WORKFLOW, item.use_place(), message);
                }
            }
        }
        let activities = step.get("activities");
        if let Some(list) = activities
            && !list.is_sequence()
        {
            let message = format!("`activities` must be a list, not {}", kind(list));
            self.world.say(self.file, &rules::WRONG_KIND, list.use_place(), message);
        }
        let is_relationship = step.get("target_relationship").is_some();
        for activity in activities.into_iter().flat_map(Node::items) {
            self.activity(activity, template.filter(|_| !is_relationship), inputs);
        }
    }

    fn activity(&self, node: Node<'t>, target: Option<&Template<'t>>, inputs: &[Property<'t>]) {
        const KINDS: [&str; 4] = ["delegate", "set_state", "call_operation", "inline"];
        let known = node.entries().find(|entry| KINDS.contains(&entry.key.raw()));
        let Some(entry) = known else {
            let message = "an activity is one of `delegate`, `set_state`, `call_operation` and `inline`";
            self.world.say(self.file, &rules::WORKFLOW, node.use_place(), message);
            return;
        };
        match entry.key.raw() {
            "call_operation" => self.call_operation(entry.value, target, inputs),
            "inline" => {
                let name = entry.value.as_str().map(|_| entry.value).or_else(|| entry.value.get("workflow"));
                let all = self.section("workflows");
                if let Some(name) = name
                    && all.is_none_or(|all| all.get(name.raw()).is_none())
                {
                    let message = format!("there is no workflow `{}` to inline", short(name.raw()));
                    self.world.say(self.file, &rules::WORKFLOW, name.use_place(), message);
                }
            }
            _ => {}
        }
    }

    fn call_operation(&self, node: Node<'t>, target: Option<&Template<'t>>, inputs: &[Property<'t>]) {
        let Some(name) = node.as_str().map(|_| node).or_else(|| node.get("operation")) else {
            self.world.say(
                self.file,
                &rules::WORKFLOW,
                node.use_place(),
                "`call_operation` needs the keyname `operation`",
            );
            return;
        };
        let scope = Scope { workflow: inputs, ..Scope::new(self.file, This::Nothing) };
        let given = node.get("inputs");
        let Some(template) = target.filter(|one| one.is_whole()) else {
            for entry in given.into_iter().flat_map(Node::entries) {
                self.evaluate(entry.value, &scope);
            }
            return;
        };
        let Some((interface_name, operation_name)) = name.raw().rsplit_once('.') else {
            let message = format!(
                "`{}` does not say which operation of which interface: `interface.operation`",
                short(name.raw())
            );
            self.world.say(self.file, &rules::WORKFLOW, name.use_place(), message);
            return;
        };
        let by_type =
            self.world.names.find_type(self.file, crate::grammar::Family::Interface, interface_name);
        let matches = |one: &&flat::Interface<'t>| {
            one.name == interface_name || by_type.is_some() && one.type_id == by_type
        };
        let interface = template.flat.interfaces.iter().find(matches);
        let operation =
            interface.and_then(|one| one.operations.iter().find(|one| one.name == operation_name));
        let (Some(interface), Some(operation)) = (interface, operation) else {
            if interface.is_none_or(|one| one.whole) {
                let message =
                    format!("the node `{}` has no operation `{}`", short(template.name), short(name.raw()));
                self.world.say(self.file, &rules::WORKFLOW, name.use_place(), message);
            }
            return;
        };
        let mut definitions = operation.inputs.clone();
        definitions.extend(interface.inputs.iter().cloned());
        self.call_inputs(name, given, &definitions, template, interface, operation_name, &scope);
    }

    #[allow(clippy::too_many_arguments, reason = "what a call is made of")]
    fn call_inputs(
        &self,
        name: Node<'t>,
        given: Option<Node<'t>>,
        definitions: &[Property<'t>],
        template: &Template<'t>,
        interface: &flat::Interface<'t>,
        operation: &str,
        scope: &Scope<'_, 't>,
    ) {
        for entry in given.into_iter().flat_map(Node::entries) {
            let input = entry.key.raw();
            let Some(definition) = definitions.iter().find(|one| one.name == input) else {
                self.evaluate(entry.value, scope);
                if interface.whole {
                    let message =
                        format!("the operation `{}` has no input `{}`", short(name.raw()), short(input));
                    let finding = Finding::new(&rules::CALL, entry.key.use_place(), message);
                    self.world
                        .add(self.file, did_you_mean(finding, input, definitions.iter().map(|one| one.name)));
                }
                continue;
            };
            let what = format!("the input `{}` of `{}`", short(input), short(name.raw()));
            let value = self.checked(entry.value, &definition.schema, scope, &what);
            if definition.required && matches!(value.datum.value, Value::Unknown(_)) {
                self.optional_source(entry.value, definition, scope);
            }
        }
        let assigned = template.get("interfaces").and_then(|all| all.get(interface.name));
        let by_interface = assigned.and_then(|one| one.get("inputs"));
        let by_operation =
            assigned.and_then(|one| one.get("operations").unwrap_or(one).get(operation)?.get("inputs"));
        for definition in
            definitions.iter().filter(|one| one.required && one.default.is_none() && one.fixed.is_none())
        {
            let has =
                |section: Option<Node<'t>>| section.is_some_and(|all| all.get(definition.name).is_some());
            if !has(given) && !has(by_interface) && !has(by_operation) {
                let message = format!(
                    "the call of `{}` gives no value for the input `{}`",
                    short(name.raw()),
                    short(definition.name)
                );
                let finding = Finding::new(&rules::CALL, name.use_place(), message);
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
