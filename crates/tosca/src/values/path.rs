//! Paths: which property, attribute or artifact `get_property` and its kin mean (section 10.3).

use std::rc::Rc;

use locus_schema::{Content, Datum, Why};
use locus_source::{Finding, Node, Place};

use crate::read::counts::{self, Number};
use crate::read::version::Version;
use crate::report::{did_you_mean, listed, short};
use crate::rules;
use crate::service::{Part, Scope, Service, Target, This};
use crate::types::data::Schema;
use crate::types::flat::Property;
use crate::types::interfaces;
use crate::types::names::TypeId;
use crate::types::value::Typed;
use crate::values::call::Call;
use crate::why::{ATTRIBUTE, FUNCTION, INDEX, TARGET};

/// Where a path has come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum At<'t> {
    Node(usize),
    Relationship(usize, usize),
    Template(usize),
    Capability(usize, &'t str),
    /// A node, relationship or capability of which only the type is known.
    Type(TypeId),
    /// Nothing is known of it.
    Open,
}

impl<'t> At<'t> {
    /// Whose values these are, if it is something of the template.
    pub(crate) fn owner(self) -> Option<(This, Part<'t>)> {
        Some(match self {
            Self::Node(at) => (This::Node(at), Part::Own),
            Self::Relationship(at, index) => (This::Relationship(at, index), Part::Own),
            Self::Template(at) => (This::Template(at), Part::Own),
            Self::Capability(at, name) => (This::Node(at), Part::Capability(name)),
            Self::Type(_) | Self::Open => return None,
        })
    }
}

/// The index at the front of a path, which is taken off; one that is not a number means several things, or is not
/// known.
fn index_in<'t>(rest: &mut &[Node<'t>], many: &mut bool) -> Option<Node<'t>> {
    let first = *rest.first()?;
    let is_call = |text: &str| text.starts_with('$');
    if first.as_i64().is_none() && !first.as_str().is_some_and(|text| text == "ALL" || is_call(text)) {
        return None;
    }
    *many |= first.as_i64().is_none();
    *rest = &rest[1..];
    Some(first)
}

impl<'t> Service<'_, 't> {
    /// `get_property`, `get_attribute` and `available_allocation`.
    pub(crate) fn by_path(&self, call: &Call<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        let place = call.node.use_place();
        let arguments = call.list();
        if arguments.len() < 2 {
            let message = format!("`{}` needs an entity and the name of what to get from it", call.name);
            self.world.say(scope.file, &rules::FUNCTION, place, message);
            return Typed::wrong(place);
        }
        if let Some(found) = self.of_substituted(&arguments, place).filter(|_| call.name == "get_property") {
            return found;
        }
        let attribute = call.name == "get_attribute";
        let Some(start) = self.start(arguments[0], scope) else { return Typed::wrong(place) };
        let Some((mut at, mut rest, many)) = self.walk_path(start, &arguments[1..], scope) else {
            return Typed::wrong(place);
        };
        let Some(mut last) = rest.first().copied() else {
            let message = format!("`{}` does not say what to get", call.name);
            self.world.say(scope.file, &rules::PATH, place, message);
            return Typed::wrong(place);
        };
        if let Some(inner) = self.old_form(at, rest, attribute, scope) {
            at = inner;
            rest = &rest[1..];
            last = rest[0];
        }
        if let Some(found) = self.within_open(at, rest, attribute, place) {
            return found;
        }
        let Some(found) = self.member(at, last, attribute, place, scope) else {
            return Typed::wrong(place);
        };
        let name = last.raw();
        if many {
            return Typed::unknown(Why::plain(&INDEX), place);
        }
        let found = self.nested(found, &rest[1..], scope, name);
        if call.name == "available_allocation" {
            return Typed {
                datum: Datum::unknown(Why::of(&FUNCTION, call.name), place),
                schema: found.schema,
            };
        }
        found
    }

    /// The attribute that an output is mapped to: a path as that of `get_attribute`.
    pub(crate) fn mapping(&self, node: Node<'t>, scope: &Scope<'_, 't>) {
        let steps: Vec<_> = interfaces::mapping_in(node).into_iter().flat_map(Node::items).collect();
        if steps.len() < 2 {
            return;
        }
        let Some(start) = self.start(steps[0], scope) else { return };
        let Some((mut at, mut rest, many)) = self.walk_path(start, &steps[1..], scope) else { return };
        if let Some(inner) = self.old_form(at, rest, true, scope) {
            at = inner;
            rest = &rest[1..];
        }
        let Some(&name) = rest.first() else { return };
        if let (Some(found), false) = (self.member(at, name, true, node.use_place(), scope), many) {
            self.nested(found, &rest[1..], scope, name.raw());
        }
    }

    /// The start of a path.
    pub(crate) fn start(&self, node: Node<'t>, scope: &Scope<'_, 't>) -> Option<At<'t>> {
        let Some(name) = node.as_str() else {
            let message = "a path starts with the name of a node or relationship, or with SELF".to_owned();
            self.world.say(scope.file, &rules::PATH, node.use_place(), message);
            return None;
        };
        let simple = self.world.version(scope.file).is_simple();
        match (name, scope.this) {
            ("SELF", This::Node(at)) => return Some(At::Node(at)),
            ("SELF", This::Relationship(at, index)) => return Some(At::Relationship(at, index)),
            ("SELF", This::Template(at)) => return Some(At::Template(at)),
            ("SELF", This::Type) => return Some(At::Open),
            ("SOURCE", This::Relationship(at, _)) if simple => return Some(At::Node(at)),
            ("TARGET", This::Relationship(at, index)) if simple => return Some(self.target_of(at, index)),
            ("HOST", This::Node(at)) if simple && self.has_no_host(at) => {
                let owner = short(self.templates[at].name);
                let message = format!("HOST means nothing here: `{owner}` is not hosted on anything");
                self.world.say(scope.file, &rules::PATH, node.use_place(), message);
                return None;
            }
            ("SOURCE" | "TARGET" | "HOST", _) if simple => return Some(At::Open),
            ("SELF", This::Nothing) => {
                let message = "SELF means nothing here: this is not in a node or relationship";
                self.world.say(scope.file, &rules::PATH, node.use_place(), message);
                return None;
            }
            _ => {}
        }
        if let Some(&at) = self.by_name.get(name) {
            return Some(At::Node(at));
        }
        if let Some(at) = self.relationships.iter().position(|one| one.name == name) {
            return Some(At::Template(at));
        }
        if self.root.is_none() || scope.this == This::Type {
            return Some(At::Open);
        }
        let message = format!("there is no node or relationship template `{}`", short(name));
        let finding = Finding::new(&rules::PATH, node.use_place(), message);
        self.world.add(scope.file, did_you_mean(finding, name, self.templates.iter().map(|one| one.name)));
        None
    }

    /// Whether it is certain that a node has no host.
    fn has_no_host(&self, at: usize) -> bool {
        let template = &self.templates[at];
        let may_host = |id: Option<TypeId>| {
            id.is_none_or(|id| {
                let line = self.world.names.line(id);
                !self.world.names.is_whole(id)
                    || line
                        .into_iter()
                        .any(|id| self.world.names.get(id).name == "tosca.relationships.HostedOn")
            })
        };
        template.is_whole()
            && !template.flat.requirements.iter().any(|one| may_host(one.relationship))
            && !template.requirements.iter().any(|one| may_host(one.relationship))
    }

    fn target_of(&self, at: usize, index: usize) -> At<'t> {
        if let Some((_, _, target)) =
            self.trial.get().filter(|&(node, number, _)| (node, number) == (at, index))
        {
            return At::Node(target);
        }
        match self.templates[at].requirements.get(index).map(|one| &one.target) {
            Some(Target::Node(target, _)) => At::Node(*target),
            Some(Target::Open(Some(id))) => At::Type(*id),
            _ => At::Open,
        }
    }

    /// Follows the keywords of a path. Gives where it ends, what is left, and whether it means several things.
    fn walk_path<'n>(
        &self,
        start: At<'t>,
        mut rest: &'n [Node<'t>],
        scope: &Scope<'_, 't>,
    ) -> Option<(At<'t>, &'n [Node<'t>], bool)> {
        let mut at = start;
        let mut many = false;
        if self.world.version(scope.file) != Version::V2_0 {
            return Some((at, rest, many));
        }
        if let At::Node(node) = at
            && let Some(index) = index_in(&mut rest, &mut many)
        {
            self.within_count(node, index, scope)?;
        }
        loop {
            let keyword = rest.first().and_then(|first| first.as_str());
            at = match (keyword, at) {
                (Some("RELATIONSHIP"), At::Node(node)) => {
                    let name = rest.get(1)?;
                    rest = &rest[2..];
                    let index = index_in(&mut rest, &mut many);
                    self.relationship_of(node, *name, index, scope)?
                }
                (Some("RELATIONSHIP"), At::Capability(node, name)) => {
                    rest = &rest[1..];
                    index_in(&mut rest, &mut many);
                    self.incoming(node, name)
                }
                (Some("RELATIONSHIP"), _) => {
                    rest = rest.get(1..)?;
                    if rest.len() > 1 {
                        rest = &rest[1..];
                    }
                    index_in(&mut rest, &mut many);
                    At::Open
                }
                (Some("CAPABILITY"), At::Node(node)) => {
                    let name = *rest.get(1)?;
                    rest = &rest[2..];
                    self.capability_of_node(node, name, scope)?
                }
                (Some("CAPABILITY"), At::Relationship(node, index)) => {
                    rest = &rest[1..];
                    self.capability_of_target(node, index)
                }
                (Some("CAPABILITY"), At::Type(_) | At::Open | At::Template(_)) => {
                    rest = &rest[1..];
                    // The name of the capability, if the path comes from a node.
                    if rest.len() > 1 && matches!(at, At::Type(_)) {
                        rest = &rest[1..];
                    }
                    At::Open
                }
                (Some("SOURCE"), At::Relationship(node, _)) => {
                    rest = &rest[1..];
                    At::Node(node)
                }
                (Some("TARGET"), At::Relationship(node, index)) => {
                    rest = &rest[1..];
                    self.target_of(node, index)
                }
                (Some("SOURCE" | "TARGET"), At::Open | At::Template(_)) => {
                    rest = &rest[1..];
                    At::Open
                }
                _ => return Some((at, rest, many)),
            };
        }
    }

    /// The number after the name of a node template is that of one of its nodes.
    fn within_count(&self, node: usize, index: Node<'t>, scope: &Scope<'_, 't>) -> Option<()> {
        let template = &self.templates[node];
        // A count that is not written as a number may depend on this path.
        let count = match counts::nodes(|key| template.get(key)) {
            Number::Fixed(number) => Some(number),
            Number::Given(_, node) => node.as_i64(),
        };
        let (Some(number), Some(count)) = (index.as_i64(), count) else { return Some(()) };
        if (0..count).contains(&number) {
            return Some(());
        }
        let nodes = if count == 1 { "1 node".to_owned() } else { format!("{count} nodes") };
        let message =
            format!("`{}` stands for {nodes}, so there is none under `{number}`", short(template.name));
        self.world.say(scope.file, &rules::PATH, index.use_place(), message);
        None
    }

    /// The relationship that leads to a capability, if there is one only.
    fn incoming(&self, node: usize, capability: &str) -> At<'t> {
        let mut found = At::Open;
        for (at, template) in self.templates.iter().enumerate() {
            for (index, assignment) in template.requirements.iter().enumerate() {
                match assignment.target {
                    Target::Node(target, Some(name)) if (target, name) == (node, capability) => {
                        let counted = !matches!(counts::nodes(|key| template.get(key)), Number::Fixed(1))
                            || counts::relationships(assignment.node).is_some();
                        if found != At::Open || counted {
                            return At::Open;
                        }
                        found = At::Relationship(at, index);
                    }
                    Target::Node(target, None) if target != node => {}
                    Target::Node(_, Some(_)) | Target::Wrong => {}
                    // It may lead here.
                    Target::Node(_, None) | Target::Open(_) => return At::Open,
                }
            }
        }
        found
    }

    fn relationship_of(
        &self,
        node: usize,
        name: Node<'t>,
        index: Option<Node<'t>>,
        scope: &Scope<'_, 't>,
    ) -> Option<At<'t>> {
        let template = &self.templates[node];
        let wanted = name.raw();
        let all: Vec<_> =
            (0..template.requirements.len()).filter(|&at| template.requirements[at].name == wanted).collect();
        let counted = all.iter().any(|&at| counts::relationships(template.requirements[at].node).is_some());
        if let (Some(&first), false) = (all.first(), counted) {
            let number = index.map_or(Some(0), Node::as_i64);
            let Some(number) = number else { return Some(At::Relationship(node, first)) };
            if let Some(&at) = usize::try_from(number).ok().and_then(|at| all.get(at)) {
                return Some(At::Relationship(node, at));
            }
            let (owner, wanted) = (short(template.name), short(wanted));
            let message =
                format!("the node `{owner}` has no relationship for `{wanted}` under the index `{number}`");
            self.world.say(scope.file, &rules::PATH, index.unwrap_or(name).use_place(), message);
            return None;
        }
        if let Some(&first) = all.first() {
            return Some(At::Relationship(node, first));
        }
        if !template.is_whole() || template.flat.requirements.iter().any(|one| one.name == wanted) {
            return Some(At::Open);
        }
        let message = format!("the node `{}` has no requirement `{}`", short(template.name), short(wanted));
        let finding = Finding::new(&rules::PATH, name.use_place(), message);
        self.world.add(
            scope.file,
            did_you_mean(finding, wanted, template.flat.requirements.iter().map(|one| one.name)),
        );
        None
    }

    fn capability_of_node(&self, node: usize, name: Node<'t>, scope: &Scope<'_, 't>) -> Option<At<'t>> {
        let template = &self.templates[node];
        let wanted = name.raw();
        if let Some(found) = template.flat.capabilities.iter().find(|one| one.name == wanted) {
            return Some(At::Capability(node, found.name));
        }
        if !template.is_whole() {
            return Some(At::Open);
        }
        let message = format!("the node `{}` has no capability `{}`", short(template.name), short(wanted));
        let finding = Finding::new(&rules::PATH, name.use_place(), message);
        self.world.add(
            scope.file,
            did_you_mean(finding, wanted, template.flat.capabilities.iter().map(|one| one.name)),
        );
        None
    }

    fn capability_of_target(&self, node: usize, index: usize) -> At<'t> {
        let Some(assignment) = self.templates[node].requirements.get(index) else { return At::Open };
        if let Some((_, _, target)) =
            self.trial.get().filter(|&(at, number, _)| (at, number) == (node, index))
        {
            let capability = self.suitable(node, index, target).ok().flatten();
            return capability.map_or(At::Open, |name| At::Capability(target, name));
        }
        match assignment.target {
            Target::Node(target, Some(capability)) => At::Capability(target, capability),
            _ => match assignment.definition.as_ref().and_then(|one| one.capability_type) {
                Some(id) => At::Type(id),
                None => At::Open,
            },
        }
    }

    /// The form of the Simple Profile: after the entity the name of one of its requirements or capabilities.
    fn old_form(
        &self,
        at: At<'t>,
        rest: &[Node<'t>],
        attribute: bool,
        scope: &Scope<'_, 't>,
    ) -> Option<At<'t>> {
        let &[name, member, ..] = rest else { return None };
        let text = name.as_str()?;
        if self.definitions(at, attribute).is_some_and(|(all, _)| all.iter().any(|one| one.name == text)) {
            return None;
        }
        let found = match at {
            At::Node(node) => {
                let template = &self.templates[node];
                let mut capabilities = template.flat.capabilities.iter();
                let capability =
                    capabilities.find(|one| one.name == text).map(|one| At::Capability(node, one.name));
                let requirement = template.requirements.iter().position(|one| one.name == text);
                let required = || template.flat.requirements.iter().any(|one| one.name == text);
                // Both may have the name, as `host` of a DBMS: it is the one that defines what follows.
                let defines = |at| {
                    let known = self.definitions(at, attribute);
                    known.is_none_or(|(all, whole)| !whole || all.iter().any(|one| one.name == member.raw()))
                };
                match (capability.filter(|at| defines(*at)), requirement) {
                    (Some(found), _) => found,
                    (None, Some(index)) => self.through(node, index, member.raw(), attribute),
                    (None, None) if required() => At::Open,
                    (None, None) => capability?,
                }
            }
            At::Relationship(node, index) if self.templates[node].requirements[index].name == text => at,
            _ => return None,
        };
        if self.world.version(scope.file) == Version::V2_0 {
            let message = format!("`{}` names a requirement or capability without its keyword", short(text));
            let finding = Finding::new(&rules::OLD_PATH, name.use_place(), message);
            self.world.add(scope.file, finding.help("write RELATIONSHIP or CAPABILITY before it"));
        }
        Some(found)
    }

    /// The meaning of the name of a requirement in the Simple Profile: whichever of the relationship, the capability
    /// that it leads to and the node that has it defines the name that follows.
    fn through(&self, node: usize, index: usize, member: &str, attribute: bool) -> At<'t> {
        let target = self.target_of(node, index);
        let all = [At::Relationship(node, index), self.capability_of_target(node, index), target];
        let mut found = None;
        for at in all {
            match self.definitions(at, attribute) {
                Some((names, _)) if names.iter().any(|one| one.name == member) => {
                    if found.replace(at).is_some() {
                        return At::Open;
                    }
                }
                Some((_, true)) => {}
                _ => return At::Open,
            }
        }
        found.unwrap_or(target)
    }

    /// The definitions of the properties or attributes of something, and whether they are all that there are.
    fn definitions(&self, at: At<'t>, attribute: bool) -> Option<(Vec<Property<'t>>, bool)> {
        let (properties, attributes, whole) = match at {
            At::Node(node) => {
                let template = &self.templates[node];
                (template.flat.properties.clone(), template.flat.attributes.clone(), template.is_whole())
            }
            At::Capability(node, name) => {
                let capability =
                    self.templates[node].flat.capabilities.iter().find(|one| one.name == name)?;
                (capability.properties.clone(), capability.attributes.clone(), capability.whole)
            }
            At::Relationship(node, index) => {
                let flat = self.world.flat(self.templates[node].requirements.get(index)?.relationship?)?;
                (flat.properties.clone(), flat.attributes.clone(), flat.whole)
            }
            At::Template(at) => {
                let template = &self.relationships[at];
                (
                    template.flat.properties.clone(),
                    template.flat.attributes.clone(),
                    template.type_id.is_some() && template.flat.whole,
                )
            }
            At::Type(id) => {
                let flat = self.world.flat(id)?;
                // A target may be of a type that derives from this one, and have more.
                (flat.properties.clone(), flat.attributes.clone(), false)
            }
            At::Open => return None,
        };
        // Every property has an attribute that reflects it.
        let all = if attribute { attributes.into_iter().chain(properties).collect() } else { properties };
        Some((all, whole))
    }

    /// A property or attribute by its name; nothing, and a finding, if there is none.
    fn member(
        &self,
        at: At<'t>,
        node: Node<'t>,
        attribute: bool,
        place: Place,
        scope: &Scope<'_, 't>,
    ) -> Option<Typed<'t>> {
        let name = node.raw();
        let open = |schema: Rc<Schema<'t>>| {
            let why = if attribute { Why::of(&ATTRIBUTE, name) } else { Why::plain(&TARGET) };
            Typed { datum: Datum::unknown(why, place), schema }
        };
        let Some((definitions, whole)) = self.definitions(at, attribute) else {
            return Some(open(Rc::new(Schema::any())));
        };
        let Some(found) = definitions.iter().find(|one| one.name == name) else {
            if !whole {
                return Some(open(Rc::new(Schema::any())));
            }
            self.no_member(at, node, attribute, &definitions, scope);
            return None;
        };
        if attribute {
            return Some(open(Rc::clone(&found.schema)));
        }
        let value = at.owner().and_then(|(this, part)| self.property(this, part, name, place));
        Some(value.unwrap_or_else(|| open(Rc::clone(&found.schema))))
    }

    fn no_member(
        &self,
        at: At<'t>,
        node: Node<'t>,
        attribute: bool,
        known: &[Property<'t>],
        scope: &Scope<'_, 't>,
    ) {
        let name = node.raw();
        let owner = match at {
            At::Node(at) => format!("the node `{}`", short(self.templates[at].name)),
            At::Capability(at, capability) => {
                format!("the capability `{}` of `{}`", short(capability), short(self.templates[at].name))
            }
            At::Relationship(at, index) => {
                let template = &self.templates[at];
                format!(
                    "the relationship `{}` of `{}`",
                    short(template.requirements[index].name),
                    short(template.name)
                )
            }
            At::Template(at) => format!("the relationship `{}`", short(self.relationships[at].name)),
            At::Type(_) | At::Open => "it".to_owned(),
        };
        let word = if attribute { "attribute" } else { "property" };
        let message = format!("{owner} has no {word} `{}`", short(name));
        let mut finding = Finding::new(&rules::PATH, node.use_place(), message);
        finding = did_you_mean(finding, name, known.iter().map(|one| one.name));
        if finding.help.is_none() {
            finding = match self.definitions(at, true) {
                Some((all, _)) if !attribute && all.iter().any(|one| one.name == name) => {
                    finding.help("it is an attribute; use `get_attribute`")
                }
                _ if known.is_empty() => finding,
                _ => finding.help(format!("it has {}", listed(known.iter().map(|one| one.name)))),
            };
        }
        self.world.add(scope.file, finding);
    }

    /// `get_artifact`.
    pub(crate) fn get_artifact(&self, call: &Call<'t>, scope: &Scope<'_, 't>) -> Typed<'t> {
        let place = call.node.use_place();
        let unknown = Typed::unknown(Why::of(&FUNCTION, call.name), place);
        let arguments = call.list();
        let Some(start) = arguments.first().and_then(|first| self.start(*first, scope)) else {
            return unknown;
        };
        let Some((at, rest, _)) = self.walk_path(start, &arguments[1..], scope) else { return unknown };
        let (At::Node(at), Some(name)) = (at, rest.first()) else { return unknown };
        let template = &self.templates[at];
        let own = template.section("artifacts").get(name.raw());
        if own.is_none()
            && template.is_whole()
            && !template.flat.artifacts.iter().any(|(one, ..)| *one == name.raw())
        {
            let message =
                format!("the node `{}` has no artifact `{}`", short(template.name), short(name.raw()));
            self.world.say(scope.file, &rules::PATH, name.use_place(), message);
        }
        let file = own.and_then(|one| one.as_str().or_else(|| one.get("file")?.as_str()));
        match file {
            Some(file) => Typed::untyped(Datum::new(Content::str(file), place)),
            None => unknown,
        }
    }
}
