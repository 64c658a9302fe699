//! Types with all that they inherit: properties, attributes, capabilities, requirements, interfaces, artifacts; and
//! whether what a type says anew refines what it inherits, as section 5.1.3 and the refinement rules of each definition
//! have it.

use std::rc::Rc;

use locus_source::{Finding, Node, Place, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::read::counts;
use crate::read::grammar::{Family, PARAMETER, PROPERTY};
use crate::read::version::{Version, truth};
use crate::report::short;
use crate::rules;
use crate::types::base::Base;
use crate::types::data::Schema;
use crate::types::interfaces::{Interface, Operation};
use crate::types::names::{Meaning, TypeId};
use crate::types::world::World;

/// A property, an attribute or a parameter.
#[derive(Clone, Debug)]
pub(crate) struct Property<'t> {
    pub(crate) name: &'t str,
    pub(crate) schema: Rc<Schema<'t>>,
    pub(crate) required: bool,
    pub(crate) default: Option<Node<'t>>,
    /// A value that cannot be changed any more.
    pub(crate) fixed: Option<Node<'t>>,
    pub(crate) place: Place,
    /// The file of the last definition.
    pub(crate) file: usize,
}

/// A capability of a node type.
#[derive(Clone, Debug)]
pub(crate) struct Capability<'t> {
    pub(crate) name: &'t str,
    pub(crate) type_id: Option<TypeId>,
    pub(crate) properties: Vec<Property<'t>>,
    pub(crate) attributes: Vec<Property<'t>>,
    pub(crate) sources: Option<Vec<TypeId>>,
    pub(crate) relationships: Option<Vec<TypeId>>,
    /// How many relationships there must and may be.
    pub(crate) range: (i64, Option<i64>),
    pub(crate) place: Place,
    /// Whether all of its type is known.
    pub(crate) whole: bool,
}

/// A requirement of a node type.
#[derive(Clone, Debug)]
pub(crate) struct Requirement<'t> {
    pub(crate) name: &'t str,
    /// The capability type, or the name of a capability of the node type.
    pub(crate) capability: Option<&'t str>,
    pub(crate) capability_type: Option<TypeId>,
    pub(crate) node: Option<TypeId>,
    pub(crate) relationship: Option<TypeId>,
    pub(crate) filters: Vec<(Node<'t>, usize)>,
    pub(crate) range: (i64, Option<i64>),
    pub(crate) place: Place,
}

/// A type with all that it inherits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flat<'t> {
    pub(crate) properties: Vec<Property<'t>>,
    pub(crate) attributes: Vec<Property<'t>>,
    pub(crate) capabilities: Vec<Capability<'t>>,
    pub(crate) requirements: Vec<Requirement<'t>>,
    pub(crate) interfaces: Vec<Interface<'t>>,
    pub(crate) artifacts: Vec<(&'t str, Node<'t>, usize)>,
    /// Operations and inputs of an interface type.
    pub(crate) operations: Vec<Operation<'t>>,
    pub(crate) inputs: Vec<Property<'t>>,
    /// Whether all that it derives from is known.
    pub(crate) whole: bool,
}

impl Flat<'_> {
    /// How many definitions it has.
    fn size(&self) -> usize {
        let capabilities = self.capabilities.iter().map(Capability::size);
        let operations = |all: &[Operation<'_>]| all.iter().map(|one| 1 + one.inputs.len()).sum::<usize>();
        let interfaces = self.interfaces.iter().map(|one| 1 + one.inputs.len() + operations(&one.operations));
        let plain = [
            self.properties.len(),
            self.attributes.len(),
            self.requirements.len(),
            self.artifacts.len(),
            self.inputs.len(),
            operations(&self.operations),
        ];
        plain.into_iter().chain(capabilities).chain(interfaces).sum()
    }
}

impl Capability<'_> {
    fn size(&self) -> usize {
        1 + self.properties.len() + self.attributes.len()
    }
}

/// The meaning of the name of a capability.
enum Named {
    Type(TypeId),
    /// It may be there, and its type is not known.
    Open,
    Nothing,
}

/// The role of a definition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Property,
    Attribute,
    Parameter,
    /// A parameter in an interface type, which has no value.
    Declared,
}

impl<'t> World<'t> {
    /// A type with what it inherits; nothing while it is being worked out.
    pub(crate) fn flat(&self, id: TypeId) -> Option<Rc<Flat<'t>>> {
        self.along_line(&self.flats, id, |one| self.make_flat(one));
        self.flats.borrow().get(&id).cloned().flatten()
    }

    fn make_flat(&self, id: TypeId) -> Flat<'t> {
        let one = self.names.get(id);
        let (file, node) = (one.file, one.node);
        let mut flat = self.inherited(id);
        let whole = flat.whole;
        properties(self, file, node.get("properties"), &mut flat.properties, Role::Property, whole);
        properties(self, file, node.get("attributes"), &mut flat.attributes, Role::Attribute, whole);
        match one.family {
            Family::Interface => {
                properties(self, file, node.get("inputs"), &mut flat.inputs, Role::Declared, whole);
                self.operations(file, node, &mut flat.operations, true);
            }
            Family::Node => {
                for entry in node.get("capabilities").into_iter().flat_map(Node::entries) {
                    self.capability(file, entry.key, entry.value, &mut flat.capabilities, whole);
                }
                let mut seen = FxHashSet::default();
                for item in node.get("requirements").into_iter().flat_map(Node::items) {
                    // One that is there twice refines nothing.
                    for entry in item.entries().filter(|entry| seen.insert(entry.key.raw())) {
                        self.requirement(file, entry.key, entry.value, &mut flat.requirements, whole);
                    }
                }
                self.requirement_names(file, node);
                for entry in node.get("artifacts").into_iter().flat_map(Node::entries) {
                    flat.artifacts.retain(|(name, ..)| *name != entry.key.raw());
                    flat.artifacts.push((entry.key.raw(), entry.value, file));
                }
            }
            _ => {}
        }
        for entry in node.get("interfaces").into_iter().flat_map(Node::entries) {
            self.interface(file, entry.key, entry.value, &mut flat.interfaces, whole);
        }
        self.narrowed(id);
        flat
    }

    fn inherited(&self, id: TypeId) -> Flat<'t> {
        let one = self.names.get(id);
        let Some(parent) = one.node.get("derived_from") else {
            return Flat { whole: true, ..Flat::default() };
        };
        let Some(name) = parent.as_str() else { return Flat::default() };
        match self.names.find(one.file, one.family, name) {
            Meaning::Type(_) if self.names.closes_circle(id) => {
                let message = format!("the type `{}` derives from itself", short(one.name));
                self.say(one.file, &rules::CIRCULAR_TYPE, parent.use_place(), message);
                Flat::default()
            }
            Meaning::Type(_) if self.too_deep(id) => Flat::default(),
            Meaning::Type(parent) => match self.flat(parent) {
                Some(flat) if self.may_inherit(flat.size(), &one) => (*flat).clone(),
                _ => Flat::default(),
            },
            _ => Flat::default(),
        }
    }

    /// Lists of valid types may only become narrower.
    fn narrowed(&self, id: TypeId) {
        let one = self.names.get(id);
        let Some(parent) = self.names.parent(id) else { return };
        for (keyname, families) in lists(one.family) {
            let Some(own) = one.node.get(keyname) else { continue };
            let Some(inherited) = self.list_of_types(parent, keyname, families) else { continue };
            let whose = format!("the `{keyname}` of the parent type");
            self.only_among(one.file, own, &inherited, families, &whose);
        }
    }

    /// The types of a list of a type, its own or inherited; nothing if there is none or some are not known.
    pub(crate) fn list_of_types(
        &self,
        id: TypeId,
        keyname: &str,
        families: &[Family],
    ) -> Option<Vec<TypeId>> {
        for one in self.names.line(id) {
            let one = self.names.get(one);
            if let Some(list) = one.node.get(keyname) {
                return self.types_in(one.file, list, families);
            }
        }
        None
    }

    fn types_in(&self, file: usize, list: Node<'t>, families: &[Family]) -> Option<Vec<TypeId>> {
        let find = |item: Node<'t>| {
            let name = item.as_str()?;
            families.iter().find_map(|&family| self.names.find_type(file, family, name))
        };
        list.is_sequence().then(|| list.items().map(find).collect())?
    }

    /// Adds a capability or refines an inherited one. `whole` says whether all that is inherited is known.
    fn capability(
        &self,
        file: usize,
        key: Node<'t>,
        node: Node<'t>,
        all: &mut Vec<Capability<'t>>,
        whole: bool,
    ) {
        let name = key.raw();
        let at = all.iter().position(|one| one.name == name);
        let type_node = node.as_str().map(|_| node).or_else(|| node.get("type"));
        let type_id = type_node.and_then(|one| self.names.find_type(file, Family::Capability, one.as_str()?));
        if type_node.is_none() && at.is_none() && whole {
            let message = format!("the capability `{}` needs the keyname `type`", short(name));
            self.say(file, &rules::MISSING_KEY, key.use_place(), message);
        }
        if node.as_str().is_some() && type_id.is_none() {
            self.type_named(file, Family::Capability, node);
        }
        let inherited = at.map(|at| all[at].clone());
        if let (Some(new), Some(old)) = (type_id, inherited.as_ref().and_then(|one| one.type_id))
            && !self.names.is_a(new, old)
        {
            let message = format!(
                "the type of the capability `{}` does not derive from that of the parent type",
                short(name)
            );
            let finding = Finding::new(&rules::REFINEMENT, key.use_place(), message)
                .also(inherited.as_ref().map_or(key.place(), |one| one.place), "the parent type's");
            self.not_a_refinement(file, finding);
        }
        let mut one = match (inherited, type_id) {
            (Some(old), new) if new.is_none() || new == old.type_id => old,
            _ => self.capability_of(name, type_id, key.place()),
        };
        one.place = key.place();
        let whole = one.whole;
        self.refinements(file, node.get("properties"), &mut one.properties, Role::Property, whole);
        self.refinements(file, node.get("attributes"), &mut one.attributes, Role::Attribute, whole);
        for keyname in ["valid_source_node_types", "valid_source_types"] {
            if let Some(list) = node.get(keyname) {
                self.within_type(file, list, one.type_id, keyname, Family::Node);
                one.sources = self.types_in(file, list, &[Family::Node]);
            }
        }
        if let Some(list) = node.get("valid_relationship_types") {
            self.within_type(file, list, one.type_id, "valid_relationship_types", Family::Relationship);
            one.relationships = self.types_in(file, list, &[Family::Relationship]);
        }
        if let Some(range) = counts::defined(node).and_then(counts::range) {
            one.range = range;
        }
        match at {
            Some(at) => all[at] = one,
            None => all.push(one),
        }
    }

    /// A list of valid types of a definition only has what that of its type allows.
    fn within_type(
        &self,
        file: usize,
        list: Node<'t>,
        type_id: Option<TypeId>,
        keyname: &str,
        family: Family,
    ) {
        let Some(allowed) = type_id.and_then(|id| self.list_of_types(id, keyname, &[family])) else { return };
        self.only_among(file, list, &allowed, &[family], &format!("the `{keyname}` of the capability type"));
    }

    /// Each type of a list is among others, or derives from one of them.
    fn only_among(&self, file: usize, list: Node<'t>, allowed: &[TypeId], families: &[Family], whose: &str) {
        for item in list.items() {
            let Some(name) = item.as_str() else { continue };
            let found = families.iter().find_map(|&family| self.names.find_type(file, family, name));
            if found.is_some_and(|found| !allowed.iter().any(|&one| self.names.is_a(found, one))) {
                let message = format!("`{}` is not among {whose}, nor derived from one of them", short(name));
                self.not_a_refinement(file, Finding::new(&rules::REFINEMENT, item.use_place(), message));
            }
        }
    }

    /// A capability as its type alone has it.
    fn capability_of(&self, name: &'t str, type_id: Option<TypeId>, place: Place) -> Capability<'t> {
        let flat = type_id.and_then(|id| self.flat(id));
        let list = |keyname: &str, family| type_id.and_then(|id| self.list_of_types(id, keyname, &[family]));
        Capability {
            name,
            type_id,
            properties: flat.as_ref().map(|flat| flat.properties.clone()).unwrap_or_default(),
            attributes: flat.as_ref().map(|flat| flat.attributes.clone()).unwrap_or_default(),
            sources: list("valid_source_node_types", Family::Node)
                .or_else(|| list("valid_source_types", Family::Node)),
            relationships: list("valid_relationship_types", Family::Relationship),
            range: (0, None),
            place,
            whole: flat.is_some_and(|flat| flat.whole),
        }
    }

    /// Definitions that may refine what a type has, and not add to it.
    fn refinements(
        &self,
        file: usize,
        section: Option<Node<'t>>,
        known: &mut Vec<Property<'t>>,
        role: Role,
        whole: bool,
    ) {
        for entry in section.into_iter().flat_map(Node::entries) {
            let name = entry.key.raw();
            if whole && !known.iter().any(|one| one.name == name) && !self.version(file).is_simple() {
                let what = if role == Role::Attribute { "attribute" } else { "property" };
                let message =
                    format!("the type has no {what} `{}`, and a definition cannot add one", short(name));
                self.say(file, &rules::REFINEMENT, entry.key.use_place(), message);
            }
        }
        properties(self, file, section, known, role, whole);
    }

    /// Adds a requirement or refines an inherited one. `whole` says whether all that is inherited is known.
    fn requirement(
        &self,
        file: usize,
        key: Node<'t>,
        node: Node<'t>,
        all: &mut Vec<Requirement<'t>>,
        whole: bool,
    ) {
        let name = key.raw();
        let at = all.iter().position(|one| one.name == name);
        let mut one = at.map_or_else(
            || Requirement {
                name,
                capability: None,
                capability_type: None,
                node: None,
                relationship: None,
                filters: Vec::new(),
                range: if self.version(file) == Version::V2_0 { (0, None) } else { (1, Some(1)) },
                place: key.place(),
            },
            |at| all[at].clone(),
        );
        one.place = key.place();
        let inherited = at.is_some();
        let is_new = !inherited && whole;
        self.requirement_target(file, node, &mut one);
        if node.is_mapping() && node.get("capability").is_none() {
            if is_new {
                self.add(file, needs_capability(key));
            } else if inherited && self.version(file).is_simple() {
                // The Simple Profile says nothing of refinements (3.7.3.1), and published files leave it out there.
                let mut finding = needs_capability(key);
                finding.severity = Severity::Warning;
                self.add(
                    file,
                    finding.note("it refines the one of the parent type, whose capability is taken"),
                );
            }
        }
        let relationship = node.get("relationship");
        let type_node =
            relationship.and_then(|one| if one.is_mapping() { one.get("type") } else { Some(one) });
        if let Some(type_node) = type_node {
            let found = self.type_named(file, Family::Relationship, type_node);
            self.derived(file, type_node, found, one.relationship, "relationship type");
            one.relationship = found;
        } else if is_new && relationship.is_some_and(Node::is_mapping) {
            let message = format!("the relationship of `{}` needs the keyname `type`", short(name));
            self.say(file, &rules::MISSING_KEY, key.use_place(), message);
        } else if is_new && node.is_mapping() && self.version(file) == Version::V2_0 {
            let message = format!("the requirement `{}` needs the keyname `relationship`", short(name));
            self.say(file, &rules::NO_RELATIONSHIP, key.use_place(), message);
        }
        if let Some(filter) = node.get("node_filter") {
            one.filters.push((filter, file));
        }
        let range_node = counts::defined(node);
        if let Some((given, new)) = range_node.and_then(|given| Some((given, counts::range(given)?))) {
            if inherited && !is_within(new, one.range) && self.version(file) == Version::V2_0 {
                let message =
                    format!("the range of `{}` is not within the one of the parent type", short(name));
                self.say(file, &rules::REFINEMENT, given.use_place(), message);
            }
            one.range = new;
        }
        match at {
            Some(at) => all[at] = one,
            None => all.push(one),
        }
    }

    fn requirement_target(&self, file: usize, node: Node<'t>, one: &mut Requirement<'t>) {
        if let Some(target) = node.get("node") {
            let found = target.as_str().and_then(|name| self.names.find_type(file, Family::Node, name));
            self.derived(file, target, found, one.node, "node type");
            one.node = found;
        }
        let capability = node.as_str().map(|_| node).or_else(|| node.get("capability"));
        let Some(capability) = capability else { return };
        let Some(name) = capability.as_str() else { return };
        one.capability = Some(name);
        match self.names.find(file, Family::Capability, name) {
            Meaning::Type(found) => {
                self.derived(file, capability, Some(found), one.capability_type, "capability type");
                one.capability_type = Some(found);
            }
            Meaning::Unread => one.capability_type = None,
            _ => {
                one.capability_type = None;
                // It may be the name of a capability of the node type.
                let of_node = one.node.map(|id| self.capability_named(id, name));
                match of_node {
                    Some(Named::Type(found)) => one.capability_type = Some(found),
                    Some(Named::Open) => {}
                    Some(Named::Nothing) | None => {
                        self.unknown_type(file, Family::Capability, capability, name);
                    }
                }
            }
        }
    }

    /// The meaning of the name of a capability in a node type, which may be one that is being computed.
    fn capability_named(&self, id: TypeId, name: &str) -> Named {
        let line = std::iter::successors(Some(id), |&one| self.names.parent(one));
        let mut is_there = false;
        for one in line.map(|one| self.names.get(one)) {
            let Some(node) = one.node.get("capabilities").and_then(|all| all.get(name)) else { continue };
            is_there = true;
            if let Some(named) = node.as_str().or_else(|| node.get("type")?.as_str()) {
                let found = self.names.find_type(one.file, Family::Capability, named);
                return found.map_or(Named::Open, Named::Type);
            }
        }
        if is_there || !self.names.is_whole(id) { Named::Open } else { Named::Nothing }
    }

    /// A type in a refinement derives from the one that it refines.
    pub(crate) fn derived(
        &self,
        file: usize,
        node: Node<'t>,
        new: Option<TypeId>,
        old: Option<TypeId>,
        what: &str,
    ) {
        if let (Some(new), Some(old)) = (new, old)
            && !self.names.is_a(new, old)
            && self.names.is_whole(new)
        {
            let message = format!(
                "the {what} `{}` does not derive from `{}`, which the parent type names",
                short(self.names.get(new).name),
                short(self.names.get(old).name)
            );
            self.not_a_refinement(file, Finding::new(&rules::REFINEMENT, node.use_place(), message));
        }
    }

    /// TOSCA 2.0 has rules for the refinement of capabilities and requirements; in the Simple Profile a definition of
    /// the same name overrides the other one.
    pub(crate) fn not_a_refinement(&self, file: usize, mut finding: Finding) {
        if self.version(file).is_simple() {
            finding.severity = Severity::Warning;
        }
        self.add(file, finding);
    }

    /// A range of a template is within the one of the definition (Simple Profile, 3.8.1.1 and 3.8.2.1).
    pub(crate) fn narrower(&self, file: usize, node: Node<'t>, defined: (i64, Option<i64>), owner: &str) {
        if counts::range(node).is_some_and(|new| !is_within(new, defined)) {
            let upper = defined.1.map_or_else(|| "UNBOUNDED".to_owned(), |high| high.to_string());
            let message = format!("the range of {owner} is not within [{}, {upper}] of its type", defined.0);
            self.not_a_refinement(file, Finding::new(&rules::REFINEMENT, node.use_place(), message));
        }
    }

    /// Each requirement is defined once in a type.
    fn requirement_names(&self, file: usize, node: Node<'t>) {
        let mut seen: Vec<(&str, Place)> = Vec::new();
        for item in node.get("requirements").into_iter().flat_map(Node::items) {
            for entry in item.entries() {
                let (name, place) = (entry.key.raw(), entry.key.use_place());
                if let Some((_, first)) = seen.iter().find(|(known, _)| *known == name) {
                    let message = format!("the requirement `{}` is defined twice in one type", short(name));
                    self.add(
                        file,
                        Finding::new(&rules::DUPLICATE_NAME, place, message).also(*first, "first here"),
                    );
                }
                seen.push((name, place));
            }
        }
    }
}

/// The lists of types that a type of a family may have.
fn lists(family: Family) -> &'static [(&'static str, &'static [Family])] {
    match family {
        Family::Capability => &[
            ("valid_source_node_types", &[Family::Node]),
            ("valid_relationship_types", &[Family::Relationship]),
        ],
        Family::Relationship => &[
            ("valid_capability_types", &[Family::Capability]),
            ("valid_target_node_types", &[Family::Node]),
            ("valid_source_node_types", &[Family::Node]),
        ],
        Family::Group => &[("members", &[Family::Node])],
        Family::Policy => &[("targets", &[Family::Node, Family::Group])],
        _ => &[],
    }
}

/// Whether a range of counts is within another one.
fn is_within(new: (i64, Option<i64>), old: (i64, Option<i64>)) -> bool {
    let upper = match (new.1, old.1) {
        (_, None) => true,
        (Some(new), Some(old)) => new <= old,
        (None, Some(_)) => false,
    };
    new.0 >= old.0 && upper
}

/// Adds definitions to those that are known, or refines them.
pub(crate) fn properties<'t>(
    world: &World<'t>,
    file: usize,
    section: Option<Node<'t>>,
    known: &mut Vec<Property<'t>>,
    role: Role,
    whole: bool,
) {
    let Some(section) = section.filter(|section| !section.is_empty()) else { return };
    let mut places: FxHashMap<&str, usize> =
        known.iter().enumerate().map(|(at, one)| (one.name, at)).collect();
    for entry in section.entries() {
        let name = entry.key.raw();
        let at = places.get(name).copied();
        let old = at.map(|at| &known[at]);
        let may_refine = old.is_none() && !whole && entry.value.get("type").is_none();
        let one = property(world, file, entry.key, entry.value, old, role, may_refine);
        if let Some(at) = at {
            known[at] = one;
        } else {
            places.insert(name, known.len());
            known.push(one);
        }
    }
}

fn needs_capability(requirement: Node<'_>) -> Finding {
    let message = format!("the requirement `{}` needs the keyname `capability`", short(requirement.raw()));
    Finding::new(&rules::MISSING_KEY, requirement.use_place(), message)
}

/// Whether a node is a definition with keynames, and not a value.
fn is_definition(node: Node<'_>, role: Role) -> bool {
    let keys = if matches!(role, Role::Parameter | Role::Declared) { PARAMETER.keys } else { PROPERTY.keys };
    node.is_mapping()
        && (node.is_empty() || node.entries().any(|entry| keys.iter().any(|key| key.name == entry.key.raw())))
}

/// A definition beside the inherited one. `may_refine` says whether it may refine one of a type that is not known.
fn property<'t>(
    world: &World<'t>,
    file: usize,
    key: Node<'t>,
    node: Node<'t>,
    old: Option<&Property<'t>>,
    role: Role,
    may_refine: bool,
) -> Property<'t> {
    let say = |rule, node: Node<'t>, message: String| world.say(file, rule, node.use_place(), message);
    let name = key.raw();
    if let Some(old) = old
        && old.fixed.is_some()
        && !node.is_null()
    {
        let message = format!("`{}` has a fixed value, which cannot be refined", short(name));
        world.add(
            file,
            Finding::new(&rules::FIXED, key.use_place(), message).also(old.place, "it is fixed here"),
        );
    }
    let plain = Property {
        name,
        schema: old.map_or_else(|| Rc::new(Schema::any()), |old| Rc::clone(&old.schema)),
        required: old.map_or(!may_refine, |old| old.required),
        default: old.and_then(|old| old.default),
        fixed: None,
        place: key.place(),
        file,
    };
    if !is_definition(node, role) {
        let declares = role == Role::Declared || role == Role::Property && old.is_none();
        if declares && !may_refine && !node.is_null() {
            let message = format!(
                "`{}` must be defined by a map with a `type` before it can have a value",
                short(name)
            );
            say(&rules::MISSING_KEY, key, message);
        }
        if let Some(entry) = old.and_then(|old| world.foreign_key(&old.schema, node, file)) {
            let message = format!("a property definition has no keyname `{}`", short(entry.raw()));
            say(&rules::UNKNOWN_KEY, entry, message);
            return plain;
        }
        let value = (!node.is_null()).then_some(node);
        // The Simple Profile writes defaults of derived types so, as in its section 2.14.
        return if world.version(file).is_simple() {
            Property { default: value.or(plain.default), ..plain }
        } else {
            Property { fixed: value, ..plain }
        };
    }
    let mut schema = match (node.get("type"), old) {
        (Some(type_node), _) => world.schema_named(file, type_node),
        (None, Some(old)) => (*old.schema).clone(),
        (None, None) => {
            if matches!(role, Role::Property | Role::Attribute) && !may_refine {
                say(&rules::MISSING_KEY, key, format!("`{}` needs the keyname `type`", short(name)));
            }
            Schema::any()
        }
    };
    if let Some(old) = old
        && node.get("type").is_some()
    {
        if !world.refines(&schema, &old.schema) {
            let message = format!(
                "the type of `{}` does not derive from the one that it has in the parent type",
                short(name)
            );
            world.add(
                file,
                Finding::new(&rules::REFINEMENT, key.use_place(), message)
                    .also(old.place, "the parent type's"),
            );
        }
        schema.clauses.extend(old.schema.clauses.iter().copied());
        schema.entry = schema.entry.or_else(|| old.schema.entry.clone());
        schema.key = schema.key.or_else(|| old.schema.key.clone());
    }
    world.refine(file, node, &mut schema);
    if matches!(schema.base, Base::List | Base::Map) && schema.entry.is_none() {
        world.no_entry_schema(file, key);
    }
    let required = node.get("required").and_then(|node| truth(node, world.version(file)));
    let stays_required =
        role == Role::Property || role != Role::Attribute && !world.version(file).is_simple();
    if stays_required && required == Some(false) && old.is_some_and(|old| old.required) {
        say(
            &rules::REFINEMENT,
            key,
            format!("`{}` is required in the parent type, and cannot become optional", short(name)),
        );
    }
    // Files of the Simple Profile write `default: null` where there is none.
    let no_default = |node: &Node<'t>| node.is_null() && world.version(file).is_simple();
    let default = node.get("default").filter(|node| !no_default(node));
    let is_required = required.unwrap_or(plain.required);
    let never_used = !is_required && !may_refine && world.version(file) == Version::V2_0;
    if let Some(default) = default.filter(|_| never_used) {
        let message = format!("`{}` is not required, so its default is never used", short(name));
        world.say(file, &rules::DEFAULT_UNUSED, default.use_place(), message);
    }
    Property {
        schema: Rc::new(schema),
        required: is_required,
        default: default.or(plain.default),
        fixed: if role == Role::Attribute { None } else { node.get("value") },
        ..plain
    }
}

impl<'t> World<'t> {
    /// The first key of a map none of whose keys is a field of a complex type, so that it is not a value of it.
    fn foreign_key(&self, schema: &Schema<'t>, node: Node<'t>, file: usize) -> Option<Node<'t>> {
        let (Base::Complex(id), Version::V2_0) = (&schema.base, self.version(file)) else { return None };
        // The data type may be one that is being worked out.
        let sections = || {
            let line = std::iter::successors(Some(*id), |&one| self.names.parent(one));
            line.filter_map(|one| self.names.get(one).node.get("properties"))
        };
        if !self.names.is_whole(*id) || sections().all(Node::is_empty) {
            return None;
        }
        let is_field = |key: Node<'t>| sections().any(|section| section.get(key.raw()).is_some());
        let is_call = |key: Node<'t>| key.raw().starts_with('$');
        let mut keys = node.entries().map(|entry| entry.key);
        let first = keys.next()?;
        (!is_call(first) && !is_field(first) && !keys.any(is_field)).then_some(first)
    }

    /// Whether a type may replace another one in a refinement.
    pub(crate) fn refines(&self, new: &Schema<'t>, old: &Schema<'t>) -> bool {
        match (new.type_id, old.type_id) {
            (Some(new), Some(old)) => self.names.is_a(new, old) || !self.names.is_whole(new),
            (None, Some(_)) => new.base == Base::Any,
            _ => self.fits(new, old) && !(new.base == Base::Integer && old.base == Base::Float),
        }
    }
}
