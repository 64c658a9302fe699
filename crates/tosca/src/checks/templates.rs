//! Node and relationship templates: that what they assign exists in their type and fits.

use locus_schema::Content;
use locus_source::{Finding, Node, Place, Severity};

use crate::checks::operation_host::{ALL, OF_NODES};
use crate::read::counts::{self, Number};
use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, listed, short};
use crate::requirements::wanted::Filter;
use crate::rules;
use crate::service::{Scope, Section, Service, Target, This, any};
use crate::types::flat::{Flat, Property};
use crate::types::interfaces::{self, Interface, Operation};
use crate::types::value::show;
use crate::values::conform::Assigned;

impl<'t> Service<'_, 't> {
    pub(crate) fn check_templates(&self) {
        for at in 0..self.templates.len() {
            self.node_template(at);
        }
        for (at, template) in self.relationships.iter().enumerate() {
            let scope = Scope::new(self.file, This::Template(at));
            let owner = format!("the relationship `{}`", short(template.name));
            self.needs_type(template.key, template.get("type"), template.original, "relationship_templates");
            let whole = template.type_id.is_some() && template.flat.whole;
            self.relationship_values(
                &template.flat,
                whole,
                [template.section("properties"), template.section("attributes")],
                &owner,
                template.key.use_place(),
                &scope,
            );
            self.interfaces(
                template.section("interfaces"),
                &template.flat.interfaces,
                whole,
                &owner,
                template.key.use_place(),
                &scope,
            );
        }
    }

    fn needs_type(&self, key: Node<'t>, found: Option<Node<'t>>, original: Option<Node<'t>>, section: &str) {
        if found.is_none() && original.is_none() {
            let message = format!("the template `{}` needs the keyname `type`", short(key.raw()));
            self.world.say(self.file, &rules::MISSING_KEY, key.use_place(), message);
        }
        let template = self.section(section).and_then(|all| all.get(key.raw()));
        let Some(copy) = template.and_then(|template| template.get("copy")) else { return };
        let message = match original {
            None => format!("there is no template `{}` to copy", short(copy.raw())),
            Some(original) if original.get("copy").is_some() => {
                format!("`{}` is a copy itself, and a copy cannot be copied", short(copy.raw()))
            }
            Some(_) => return,
        };
        self.world.say(self.file, &rules::COPY, copy.use_place(), message);
    }

    fn node_template(&self, at: usize) {
        let template = &self.templates[at];
        let scope = Scope::new(self.file, This::Node(at));
        let place = template.key.use_place();
        let owner = format!("the node `{}`", short(template.name));
        self.needs_type(template.key, template.get("type"), template.original, "node_templates");
        self.directives(template.get("directives"));
        let whole = template.is_whole();
        let complete = whole && !template.is_selected();
        let assigned = |section, word, complete, unknown| Assigned {
            section,
            owner: &owner,
            word,
            whole,
            complete,
            place,
            unknown,
        };
        let properties =
            assigned(template.section("properties"), "property", complete, &rules::UNKNOWN_PROPERTY);
        self.assignments(&properties, &template.flat.properties, &scope);
        let attributes =
            assigned(template.section("attributes"), "attribute", false, &rules::UNKNOWN_PROPERTY);
        self.assignments(
            &attributes,
            &reflected(&template.flat.attributes, &template.flat.properties),
            &scope,
        );
        // What another service takes the place of has the capabilities of that one.
        self.node_capabilities(at, complete && !template.is_substituted(), &scope);
        self.interfaces(
            template.section("interfaces"),
            &template.flat.interfaces,
            whole,
            &owner,
            place,
            &scope,
        );
        for entry in template.section("artifacts").entries() {
            self.artifact(entry.key, entry.value, &scope);
        }
        if let Number::Given(key, count) = counts::nodes(|key| template.get(key)) {
            let value = self.evaluate(count, &scope).datum.value;
            if !matches!(value, Content::Int(0..) | Content::Unknown(_)) {
                let message =
                    format!("`{key}` must be an integer that is not negative, not `{}`", show(&value));
                self.world.say(self.file, &rules::WRONG_KIND, count.use_place(), message);
            }
        }
        if let Some(filter) = template.get("node_filter") {
            self.filter_of_node(at, filter);
        }
        for index in 0..template.requirements.len() {
            self.requirement_values(at, index);
        }
    }

    /// The filter of a node that the orchestrator selects. One tool takes it for the filter of all requirements of the
    /// node, which the text of the Simple Profile does not exclude (3.8.3.1), so that names that do not exist are a
    /// warning.
    fn filter_of_node(&self, at: usize, filter: Node<'t>) {
        if self.world.version(self.file) == Version::V2_0 {
            self.condition(filter, &Scope::new(self.file, This::Node(at)));
        } else if let Some(wanted) = self.wanted_node(at) {
            let filter = Filter { node: filter, file: self.file, severity: Severity::Warning };
            self.filter_fits(filter, &wanted);
        }
    }

    fn directives(&self, list: Option<Node<'t>>) {
        let known = counts::node_directives(self.world.version(self.file));
        for item in list.into_iter().flat_map(Node::items) {
            let Some(name) = item.as_str() else { continue };
            if !known.contains(&name) {
                let message = format!(
                    "`{}` is not a directive of the standard; it has {}",
                    short(name),
                    listed(known.iter().copied())
                );
                let finding = Finding::new(&rules::DIRECTIVE, item.use_place(), message);
                self.world.add(self.file, did_you_mean(finding, name, known.iter().copied()));
            }
        }
    }

    fn node_capabilities(&self, at: usize, complete: bool, scope: &Scope<'_, 't>) {
        let template = &self.templates[at];
        let section = template.section("capabilities");
        for entry in section.entries() {
            let name = entry.key.raw();
            let is_known = template.flat.capabilities.iter().any(|one| one.name == name);
            if !is_known {
                self.assigned_to_unknown(entry.value, scope);
            }
            if template.is_whole() && !is_known {
                let message =
                    format!("the node `{}` has no capability `{}`", short(template.name), short(name));
                let finding = Finding::new(&rules::UNKNOWN_CAPABILITY, entry.key.use_place(), message);
                let names = template.flat.capabilities.iter().map(|one| one.name);
                self.world.add(self.file, did_you_mean(finding, name, names));
            }
        }
        for capability in &template.flat.capabilities {
            let node = section.entry(capability.name);
            let owner = format!("the capability `{}` of `{}`", short(capability.name), short(template.name));
            let place = node.map_or(template.key, |entry| entry.key).use_place();
            let given = |name: &str| section.within(capability.name, name);
            let whole = capability.whole;
            if let Some(range) = counts::assigned(node.map(|entry| entry.value)) {
                self.world.narrower(self.file, range, capability.range, &owner);
            }
            let assigned = |section, word, complete| Assigned {
                section,
                owner: &owner,
                word,
                whole,
                complete,
                place,
                unknown: &rules::UNKNOWN_PROPERTY,
            };
            self.assignments(
                &assigned(given("properties"), "property", complete && whole),
                &capability.properties,
                scope,
            );
            let attributes = reflected(&capability.attributes, &capability.properties);
            self.assignments(&assigned(given("attributes"), "attribute", false), &attributes, scope);
        }
    }

    /// Evaluates what is assigned to something whose type is not known: what is called there must exist all the same.
    fn assigned_to_unknown(&self, node: Node<'t>, scope: &Scope<'_, 't>) {
        let sections = ["properties", "attributes"].into_iter().filter_map(|section| node.get(section));
        for entry in sections.flat_map(Node::entries) {
            self.evaluate(entry.value, scope);
        }
    }

    fn relationship_values(
        &self,
        flat: &Flat<'t>,
        whole: bool,
        [properties, attributes]: [Section<'t>; 2],
        owner: &str,
        place: Place,
        scope: &Scope<'_, 't>,
    ) {
        let assigned = |section, word, complete| Assigned {
            section,
            owner,
            word,
            whole,
            complete,
            place,
            unknown: &rules::UNKNOWN_PROPERTY,
        };
        self.assignments(&assigned(properties, "property", whole), &flat.properties, scope);
        self.assignments(
            &assigned(attributes, "attribute", false),
            &reflected(&flat.attributes, &flat.properties),
            scope,
        );
    }

    /// Checks the values that a requirement assigns to its relationship, and those that it allocates of its target.
    fn requirement_values(&self, at: usize, index: usize) {
        let template = &self.templates[at];
        let assignment = &template.requirements[index];
        // The short form names the target only, and makes the relationship that the type says.
        let Some(node) = assignment.node.filter(|node| node.is_mapping() || node.as_str().is_some()) else {
            return;
        };
        let scope = Scope::new(self.file, This::Relationship(at, index));
        let place = assignment.key.use_place();
        if let (Some(range), Some(definition)) = (counts::assigned(Some(node)), &assignment.definition) {
            let owner = format!("the requirement `{}` of `{}`", short(assignment.name), short(template.name));
            self.world.narrower(self.file, range, definition.range, &owner);
        }
        let owner = format!("the relationship `{}` of `{}`", short(assignment.name), short(template.name));
        let flat = assignment.relationship.and_then(|id| self.world.flat(id));
        let inline = node.get("relationship").filter(|one| one.is_mapping());
        if let (None, Some(inline)) = (&flat, inline) {
            self.assigned_to_unknown(inline, &scope);
            self.interfaces(inline.get("interfaces").into(), &[], false, &owner, place, &scope);
        }
        let optional = counts::is_optional(Some(node));
        if let Some(flat) = flat.filter(|_| assignment.relationship_template.is_none() && !optional) {
            let given = |name: &str| inline.and_then(|one| one.get(name));
            self.relationship_values(
                &flat,
                flat.whole,
                [given("properties").into(), given("attributes").into()],
                &owner,
                place,
                &scope,
            );
            self.interfaces(given("interfaces").into(), &flat.interfaces, flat.whole, &owner, place, &scope);
        }
        for item in node.get("directives").into_iter().flat_map(Node::items) {
            let name = item.raw();
            if !counts::REQUIREMENT_DIRECTIVES.contains(&name) {
                let message = format!(
                    "`{}` is not a directive of a requirement; there are `internal` and `external`",
                    short(name)
                );
                self.world.say(self.file, &rules::DIRECTIVE, item.use_place(), message);
            }
        }
        self.allocation(at, index, node, &scope);
    }

    fn allocation(&self, at: usize, index: usize, node: Node<'t>, scope: &Scope<'_, 't>) {
        let assignment = &self.templates[at].requirements[index];
        let capability = match assignment.target {
            Target::Node(target, Some(name)) => {
                self.templates[target].flat.capabilities.iter().find(|one| one.name == name)
            }
            _ => None,
        };
        let by_type = assignment.definition.as_ref().and_then(|one| self.world.flat(one.capability_type?));
        for entry in node.get("allocation").into_iter().flat_map(Node::entries) {
            let name = entry.key.raw();
            let definition = match (capability, &by_type) {
                (Some(capability), _) => capability.properties.iter().find(|one| one.name == name),
                (None, Some(flat)) => flat.properties.iter().find(|one| one.name == name),
                (None, None) => None,
            };
            if let Some(definition) = definition {
                self.checked(
                    entry.value,
                    &definition.schema,
                    scope,
                    &format!("the allocation of `{}`", short(name)),
                );
            } else {
                self.evaluate(entry.value, scope);
                let whole = capability
                    .map_or_else(|| by_type.as_ref().is_some_and(|flat| flat.whole), |one| one.whole);
                if whole {
                    let message = format!(
                        "the target capability of `{}` has no property `{}` to allocate from",
                        short(assignment.name),
                        short(name)
                    );
                    self.world.say(self.file, &rules::ALLOCATION, entry.key.use_place(), message);
                }
            }
        }
    }

    /// Interfaces of a node or relationship.
    pub(crate) fn interfaces(
        &self,
        section: Section<'t>,
        known: &[Interface<'t>],
        whole: bool,
        owner: &str,
        place: Place,
        scope: &Scope<'_, 't>,
    ) {
        let of_node = matches!(scope.this, This::Node(_));
        for entry in section.entries() {
            let name = entry.key.raw();
            let by_type = self.world.names.find_type(scope.file, Family::Interface, name);
            let found = known.iter().find(|one| one.name == name);
            let found =
                found.or_else(|| known.iter().find(|one| by_type.is_some() && one.type_id == by_type));
            let typed = entry.value.get("type").is_some()
                || by_type.is_some() && self.world.version(scope.file).is_simple();
            if found.is_none() && whole && !typed {
                let message = format!("{owner} has no interface `{}`", short(name));
                let rule = if of_node { &rules::UNKNOWN_INTERFACE } else { &rules::RELATIONSHIP_INTERFACE };
                let finding = Finding::new(rule, entry.key.use_place(), message);
                self.world.add(scope.file, did_you_mean(finding, name, known.iter().map(|one| one.name)));
            }
            let inputs = found.map(|one| one.inputs.as_slice()).unwrap_or_default();
            self.parameters(
                entry.value.get("inputs"),
                inputs,
                &format!("the interface `{}`", short(name)),
                scope,
            );
            self.operations_of(entry.value, found, name, scope);
        }
        self.operation_inputs(section, known, owner, place, scope);
        for interface in known {
            let given = section.entries().find(|entry| entry.key.raw() == interface.name);
            self.inherited_inputs(interface, given.map(|entry| entry.value), owner, scope);
        }
    }

    /// Inputs whose values the type has: what they call is there, seen from the node or relationship.
    fn inherited_inputs(
        &self,
        interface: &Interface<'t>,
        given: Option<Node<'t>>,
        owner: &str,
        scope: &Scope<'_, 't>,
    ) {
        let simple = self.world.version(scope.file).is_simple();
        let check = |inputs: &[Property<'t>], given: Option<Node<'t>>| {
            for input in inputs {
                let Some(value) = input.fixed.or(input.default).filter(|value| !is_constant(*value)) else {
                    continue;
                };
                if given.is_none_or(|given| given.get(input.name).is_none()) {
                    let what = format!("the input `{}` of {owner}", short(input.name));
                    self.checked(value, &input.schema, &Scope { file: input.file, ..*scope }, &what);
                }
            }
        };
        check(&interface.inputs, given.and_then(|given| given.get("inputs")));
        for operation in &interface.operations {
            let mut all = given.into_iter().flat_map(|given| interfaces::operations_in(given, simple));
            let given = all.find(|(entry, _)| entry.key.raw() == operation.name);
            check(&operation.inputs, given.and_then(|(entry, _)| entry.value.get("inputs")));
        }
    }

    fn operations_of(
        &self,
        node: Node<'t>,
        interface: Option<&Interface<'t>>,
        name: &str,
        scope: &Scope<'_, 't>,
    ) {
        let version = self.world.version(scope.file);
        for (entry, notification) in interfaces::operations_in(node, version.is_simple()) {
            let operation = entry.key.raw();
            let found = interface
                .and_then(|one| one.operations.iter().find(|one| one.is(operation, notification, version)));
            if let Some(interface) = interface.filter(|one| one.whole && found.is_none()) {
                let word = Operation::word(notification);
                let message = format!("the interface `{}` has no {word} `{}`", short(name), short(operation));
                let finding = Finding::new(&rules::UNKNOWN_OPERATION, entry.key.use_place(), message);
                let same = interface.operations.iter().filter(|one| one.notification == notification);
                self.world.add(scope.file, did_you_mean(finding, operation, same.map(|one| one.name)));
            }
            let mut inputs = found.map(|one| one.inputs.clone()).unwrap_or_default();
            inputs.extend(interface.iter().flat_map(|one| one.inputs.iter().cloned()));
            let owner = format!("the operation `{}`", short(operation));
            self.parameters(entry.value.get("inputs"), &inputs, &owner, scope);
            if let Some(implementation) = entry.value.get("implementation") {
                self.implementation(entry.key, implementation, scope);
                let of_node = matches!(scope.this, This::Node(_));
                self.operation_host(implementation, if of_node { OF_NODES } else { ALL }, scope.file);
            }
            for output in entry.value.get("outputs").into_iter().flat_map(Node::entries) {
                self.mapping(output.value, scope);
                self.world.mapped_once(scope.file, output.key, found.map_or(&[], |one| &one.mapped));
            }
        }
    }

    /// Values for parameters, which may be more than those that are defined.
    fn parameters(
        &self,
        section: Option<Node<'t>>,
        definitions: &[Property<'t>],
        owner: &str,
        scope: &Scope<'_, 't>,
    ) {
        for entry in section.into_iter().flat_map(Node::entries) {
            let name = entry.key.raw();
            let what = format!("`{}` of {owner}", short(name));
            match definitions.iter().find(|one| one.name == name) {
                Some(definition) => {
                    if definition.fixed.is_some() {
                        let message = format!("{what} has a fixed value, which cannot be assigned");
                        let finding = Finding::new(&rules::FIXED, entry.key.use_place(), message);
                        self.world.add(scope.file, finding.also(definition.place, "it is fixed here"));
                    }
                    // The Simple Profile writes definitions of inputs in place of values.
                    let is_definition = self.world.version(scope.file).is_simple()
                        && entry.value.is_mapping()
                        && ["type", "default", "value"].iter().any(|key| entry.value.get(key).is_some());
                    if !is_definition {
                        self.checked(entry.value, &definition.schema, scope, &what);
                    }
                }
                None => {
                    self.evaluate(entry.value, scope);
                }
            }
        }
    }

    /// The values that are given for inputs, and the defaults.
    pub(crate) fn check_inputs(&self) {
        let scope = Scope::new(self.file, This::Nothing);
        for entry in self.section("inputs").into_iter().flat_map(Node::entries) {
            if let Some(input) = self.inputs.iter().find(|one| one.name == entry.key.raw()) {
                self.constraints_fit(entry.key, entry.value, &input.schema, self.file);
            }
        }
        for input in &self.inputs {
            let what = format!("the input `{}`", short(input.name));
            for node in
                [input.default, input.fixed, self.given.get(input.name).copied()].into_iter().flatten()
            {
                self.checked(node, &input.schema, &scope, &what);
            }
            let has_value =
                input.default.is_some() || input.fixed.is_some() || self.given.contains_key(input.name);
            if !has_value && input.required {
                let message = format!("the input `{}` has no value", short(input.name));
                let finding = Finding::new(&rules::INPUT_WITHOUT_VALUE, input.place, message);
                self.world.add(self.file, finding.help(format!("give it one: `-P {}=…`", input.name)));
            }
        }
        let mut given: Vec<_> = self.given.iter().collect();
        given.sort_by_key(|(name, _)| **name);
        for (name, node) in given {
            if !self.inputs.iter().any(|input| input.name == *name) {
                let message =
                    format!("a value is given for the input `{}`, which does not exist", short(name));
                let finding = Finding::new(&rules::INPUT_NOT_THERE, node.use_place(), message);
                self.world
                    .add(self.file, did_you_mean(finding, name, self.inputs.iter().map(|input| input.name)));
            }
        }
    }

    pub(crate) fn check_outputs(&self) {
        let scope = Scope::new(self.file, This::Nothing);
        for entry in self.section("outputs").into_iter().flat_map(Node::entries) {
            let is_definition = entry.value.is_mapping();
            let node = if is_definition { entry.value.get("value") } else { Some(entry.value) };
            let schema = match entry.value.get("type") {
                Some(_) => std::rc::Rc::new(self.world.schema(self.file, entry.value)),
                None => any(),
            };
            if let Some(node) = node {
                self.checked(node, &schema, &scope, &format!("the output `{}`", short(entry.key.raw())));
            }
        }
    }
}

/// Attributes, and properties, each of which has an attribute that reflects it.
fn reflected<'t>(attributes: &[Property<'t>], properties: &[Property<'t>]) -> Vec<Property<'t>> {
    attributes.iter().chain(properties).cloned().collect()
}

/// Whether a value calls no function.
fn is_constant(node: Node<'_>) -> bool {
    node.is_scalar() && !node.raw().starts_with('$')
}
