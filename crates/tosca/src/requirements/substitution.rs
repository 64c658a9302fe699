//! Substitution mappings: that both sides of each mapping exist.

use locus_source::{Finding, Node, Severity};

use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, short};
use crate::rules;
use crate::service::{Scope, Service, Template, This};
use crate::types::flat::{Flat, Property, Requirement};
use crate::types::names::TypeId;

impl<'t> Service<'_, 't> {
    /// Whether a requirement of a node template is mapped to one of the substituted node.
    pub(crate) fn is_mapped(&self, at: usize, requirement: &str) -> bool {
        let Some(mapping) = self.section("substitution_mappings") else { return false };
        let name = self.templates[at].name;
        let is_pair = |node: Node<'_>| {
            let mut items = node.items();
            items.next().is_some_and(|one| one.raw() == name)
                && items.next().is_some_and(|one| one.raw() == requirement)
        };
        let targets = |node: Node<'t>| is_pair(node) || node.items().any(is_pair);
        mappings(mapping.get("requirements")).any(|(_, node)| targets(node))
    }

    pub(crate) fn check_substitution(&self) {
        let Some(mapping) = self.section("substitution_mappings") else { return };
        let id = mapping
            .get("node_type")
            .and_then(|node| self.world.names.find_type(self.file, Family::Node, node.as_str()?));
        let Some(flat) = id.and_then(|id| self.world.flat(id)).filter(|flat| flat.whole) else { return };
        for entry in mapping.get("properties").into_iter().flat_map(Node::entries) {
            self.property_mapping(entry.key, entry.value, &flat);
        }
        for entry in mapping.get("capabilities").into_iter().flat_map(Node::entries) {
            let names = flat.capabilities.iter().map(|one| one.name);
            self.left_side(entry.key, "capability", names);
            self.pair(entry.value, "capability", |template| {
                template.flat.capabilities.iter().map(|one| one.name).collect()
            });
            self.capability_fits_mapping(entry.key, entry.value, &flat);
        }
        for (key, node) in mappings(mapping.get("requirements")) {
            let name = if key.is_sequence() { key.items().next().unwrap_or(key) } else { key };
            self.left_side(name, "requirement", flat.requirements.iter().map(|one| one.name));
            self.requirement_mapping(node);
            self.requirement_fits_mapping(name, node, &flat);
        }
        for entry in mapping.get("interfaces").into_iter().flat_map(Node::entries) {
            self.left_side(entry.key, "interface", flat.interfaces.iter().map(|one| one.name));
        }
        if let Some(filter) =
            mapping.get("substitution_filter").filter(|_| self.world.version(self.file) == Version::V2_0)
        {
            self.condition(filter, &Scope::new(self.file, This::Type));
        }
        self.unmapped_inputs(mapping);
        self.unmapped(mapping, &flat);
    }

    /// Reports parts of the node type to which nothing is mapped, which only version 1.3 forbids.
    fn unmapped(&self, mapping: Node<'t>, flat: &Flat<'t>) {
        let Some(node_type) =
            mapping.get("node_type").filter(|_| self.world.version(self.file) == Version::V1_3)
        else {
            return;
        };
        let has = |section: &str, name: &str| mapping.get(section).is_some_and(|one| one.get(name).is_some());
        let properties = flat.properties.iter().map(|one| ("property", one.name));
        let capabilities = flat.capabilities.iter().map(|one| ("capability", one.name));
        let requirements = flat.requirements.iter().map(|one| ("requirement", one.name));
        let required: Vec<&str> = mappings(mapping.get("requirements")).map(|(key, _)| key.raw()).collect();
        let missing: Vec<String> = properties
            .filter(|(_, name)| !has("properties", name))
            .chain(capabilities.filter(|(_, name)| *name != "feature" && !has("capabilities", name)))
            .chain(requirements.filter(|(_, name)| *name != "dependency" && !required.contains(name)))
            .map(|(word, name)| format!("the {word} `{}`", short(name)))
            .collect();
        if !missing.is_empty() {
            let message = format!("the substitution mapping has nothing for {}", missing.join(", "));
            self.world.say(self.file, &rules::UNMAPPED, node_type.use_place(), message);
        }
    }

    fn left_side<'n>(&self, key: Node<'t>, word: &str, names: impl Iterator<Item = &'n str> + Clone) {
        let Some(name) = key.as_str() else { return };
        if !names.clone().any(|one| one == name) {
            let message = format!("the substituted node type has no {word} `{}`", short(name));
            let finding = Finding::new(&rules::SUBSTITUTION, key.use_place(), message);
            self.world.add(self.file, did_you_mean(finding, name, names));
        }
    }

    fn property_mapping(&self, key: Node<'t>, node: Node<'t>, flat: &Flat<'t>) {
        self.left_side(key, "property", flat.properties.iter().map(|one| one.name));
        let property = key.as_str().and_then(|key| flat.properties.iter().find(|one| one.name == key));
        match self.world.version(self.file) {
            Version::V2_0 => self.mapped_input(node, property),
            Version::V1_2 | Version::V1_3 => self.simple_property_mapping(node, property),
            Version::V1_0 | Version::V1_1 => {}
        }
    }

    /// `[ input ]`, or a constant, each of which may stand in a map.
    fn simple_property_mapping(&self, node: Node<'t>, property: Option<&Property<'t>>) {
        if let Some(listed) = node.get("mapping").or(Some(node)).filter(|listed| listed.is_sequence()) {
            let mut items = listed.items();
            // Version 1.2 has pairs too, of a node template and a property of it.
            if let (Some(input), None) = (items.next(), items.next()) {
                self.mapped_input(input, property);
            }
            return;
        }
        let constant = if node.is_mapping() { node.get("value") } else { Some(node) };
        if let (Some(constant), Some(property)) = (constant.filter(|one| !one.is_null()), property) {
            let what = format!("the value of the property `{}`", short(property.name));
            self.checked(constant, &property.schema, &Scope::new(self.file, This::Type), &what);
        }
    }

    /// The name of the input that a property is mapped to.
    fn mapped_input(&self, node: Node<'t>, property: Option<&Property<'t>>) {
        let Some(name) = node.as_str() else { return };
        let Some(input) = self.inputs.iter().find(|one| one.name == name) else {
            let message = format!("there is no input `{}` to map to", short(name));
            let finding = Finding::new(&rules::SUBSTITUTION, node.use_place(), message);
            self.world.add(self.file, did_you_mean(finding, name, self.inputs.iter().map(|one| one.name)));
            return;
        };
        if let Some(property) = property.filter(|one| !self.world.fits(&one.schema, &input.schema)) {
            let message = format!(
                "the property `{}` is {}, and the input `{}` is {}",
                short(property.name),
                property.schema.base.word(),
                short(name),
                input.schema.base.word()
            );
            self.world.say(self.file, &rules::SUBSTITUTION, node.use_place(), message);
        }
    }

    /// Checks the target to which a requirement is mapped: a pair, a node that is selected, or a list of these.
    fn requirement_mapping(&self, node: Node<'t>) {
        let requirements = |template: &Template<'t>| {
            template.flat.requirements.iter().map(|one| one.name).collect::<Vec<_>>()
        };
        if node.as_str().is_some() {
            self.template_named(node);
        } else if node.items().next().is_some_and(Node::is_sequence) {
            for item in node.items() {
                self.requirement_mapping(item);
            }
        } else {
            self.pair(node, "requirement", requirements);
        }
    }

    fn template_named(&self, node: Node<'t>) -> Option<&Template<'t>> {
        let name = node.as_str()?;
        let found = self.by_name.get(name).map(|&at| &self.templates[at]);
        if found.is_none() {
            let message = format!("there is no node template `{}` to map to", short(name));
            let finding = Finding::new(&rules::SUBSTITUTION, node.use_place(), message);
            self.world.add(self.file, did_you_mean(finding, name, self.templates.iter().map(|one| one.name)));
        }
        found
    }

    /// `[node template, name]`.
    fn pair(&self, node: Node<'t>, word: &str, names: impl Fn(&Template<'t>) -> Vec<&'t str>) {
        if !node.is_sequence() {
            // The Simple Profile has a form with properties in place of a pair.
            return;
        }
        // Alien4Cloud has a type of relationship behind the two.
        let most = if self.world.file(self.file).dialect { 2 } else { usize::MAX };
        let items: Vec<_> = node.items().take(most).collect();
        let [template, name] = items.as_slice() else {
            let message =
                format!("a {word} is mapped to a list of two names, a node template and its {word}");
            self.world.say(self.file, &rules::SUBSTITUTION, node.use_place(), message);
            return;
        };
        let Some(template) = self.template_named(*template).filter(|one| one.is_whole()) else { return };
        let names = names(template);
        if !names.contains(&name.raw()) {
            let message =
                format!("the node `{}` has no {word} `{}`", short(template.name), short(name.raw()));
            let finding = Finding::new(&rules::SUBSTITUTION, name.use_place(), message);
            self.world.add(self.file, did_you_mean(finding, name.raw(), names));
        }
    }

    /// Checks that a capability of the substituted node is mapped to one of its type, since that is the one that
    /// requirements get.
    fn capability_fits_mapping(&self, key: Node<'t>, node: Node<'t>, flat: &Flat<'t>) {
        let pair: Vec<_> = node.items().filter_map(Node::as_str).collect();
        let &[template, name] = pair.as_slice() else { return };
        let Some(&at) = self.by_name.get(template) else { return };
        let type_of = |all: &[crate::types::flat::Capability<'t>], name: &str| {
            all.iter().find(|one| one.name == name)?.type_id
        };
        let wanted = type_of(&flat.capabilities, key.raw());
        let found = type_of(&self.templates[at].flat.capabilities, name);
        let (Some(wanted), Some(found)) = (wanted, found) else { return };
        let name = format!("`{}` of `{}`", short(name), short(template));
        self.fits_mapping("capability", key.raw(), node, (wanted, found), &name);
    }

    /// Checks the type of capability that a requirement of the substituted node asks for: it must be of the type
    /// that the requirement within asks for.
    fn requirement_fits_mapping(&self, key: Node<'t>, node: Node<'t>, flat: &Flat<'t>) {
        let pair: Vec<_> = node.items().filter_map(Node::as_str).collect();
        let &[template, name] = pair.as_slice() else { return };
        let Some(&at) = self.by_name.get(template) else { return };
        let type_of =
            |all: &[Requirement<'t>], name: &str| all.iter().find(|one| one.name == name)?.capability_type;
        let outer = type_of(&flat.requirements, key.raw());
        let inner = type_of(&self.templates[at].flat.requirements, name);
        let (Some(outer), Some(inner)) = (outer, inner) else { return };
        let name = format!("`{}` of `{}`", short(name), short(template));
        self.fits_mapping("requirement", key.raw(), node, (inner, outer), &name);
    }

    /// Says so if what is found is not of the type of capability that is wanted.
    fn fits_mapping(
        &self,
        word: &str,
        key: &str,
        node: Node<'t>,
        (wanted, found): (TypeId, TypeId),
        inner: &str,
    ) {
        let names = &self.world.names;
        if names.is_a(found, wanted) || !names.is_whole(found) {
            return;
        }
        let called = |id: TypeId| short(names.get(id).name);
        let key = short(key);
        let message = if word == "capability" {
            format!(
                "the capability `{key}` is a `{}`, and {inner}, which it is mapped to, is a `{}`",
                called(wanted),
                called(found)
            )
        } else {
            format!(
                "the requirement `{key}` asks for a `{}`, and {inner}, which it is mapped to, asks for a `{}`",
                called(found),
                called(wanted)
            )
        };
        let mut finding = Finding::new(&rules::SUBSTITUTION, node.use_place(), message);
        // One of the type that the wanted one derives from may have all that is asked for.
        if names.is_a(wanted, found) {
            finding.severity = Severity::Warning;
        }
        self.world.add(self.file, finding);
    }

    /// Inputs that must have a value get one from a property.
    fn unmapped_inputs(&self, mapping: Node<'t>) {
        if self.world.version(self.file) != Version::V2_0 {
            return;
        }
        let mapped: Vec<&str> = mapping
            .get("properties")
            .into_iter()
            .flat_map(Node::entries)
            .map(|entry| entry.value.raw())
            .collect();
        for input in &self.inputs {
            if input.required
                && input.default.is_none()
                && input.fixed.is_none()
                && !mapped.contains(&input.name)
            {
                let message = format!(
                    "no property of the substituted node is mapped to the input `{}`, which has no default",
                    short(input.name)
                );
                self.world.say(self.file, &rules::SUBSTITUTION, input.place, message);
            }
        }
    }
}

/// The mappings of requirements: a map, or a list of maps with one key each.
fn mappings(node: Option<Node<'_>>) -> impl Iterator<Item = (Node<'_>, Node<'_>)> {
    let listed = node.into_iter().flat_map(Node::items).flat_map(Node::entries);
    listed.chain(node.into_iter().flat_map(Node::entries)).map(|entry| (entry.key, entry.value))
}
