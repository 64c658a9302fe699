//! Triggers of policies: that the event, the node, the requirement and the capability that they name exist, that their
//! condition is about attributes that there are, and that their interval is one.

use std::rc::Rc;

use locus_source::{Finding, Node};

use crate::checks::workflow::Actor;
use crate::form::forms;
use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, short};
use crate::rules;
use crate::service::{Scope, Service, Target, This};
use crate::types::flat::{Flat, Property};
use crate::types::names::Meaning;
use crate::values::filter::clauses;

/// The data type of `schedule`.
const TIME_INTERVAL: &str = "tosca.datatypes.TimeInterval";

/// The owner of the attributes of a condition.
pub(crate) struct Subject<'t> {
    /// With what it is: "the node `web`".
    owner: String,
    attributes: Vec<Property<'t>>,
    /// Whether all of them are known.
    whole: bool,
}

impl<'t> From<&Actor<'t>> for Subject<'t> {
    fn from(actor: &Actor<'t>) -> Self {
        let attributes = actor.flat.attributes.iter().chain(&actor.flat.properties).cloned().collect();
        Self { owner: actor.owner.clone(), attributes, whole: actor.whole }
    }
}

/// A node template or a node type that a filter leads to.
struct Filtered<'t> {
    owner: String,
    flat: Rc<Flat<'t>>,
    whole: bool,
    template: Option<usize>,
}

impl<'t> Service<'_, 't> {
    /// A trigger of a policy: what it needs, its event, its condition and its activities.
    pub(crate) fn trigger(&self, key: Node<'t>, node: Node<'t>, targets: Option<Node<'t>>) {
        let simple = self.world.version(self.file).is_simple();
        let has_event = node.get("event").is_some() || simple && node.get("event_type").is_some();
        for (there, name) in [(has_event, "event"), (node.get("action").is_some(), "action")] {
            if !there && node.is_mapping() {
                let message = format!("the trigger `{}` needs the keyname `{name}`", short(key.raw()));
                self.world.say(self.file, &rules::MISSING_KEY, key.use_place(), message);
            }
        }
        let scope = Scope::new(self.file, This::Nothing);
        if !simple && let Some(condition) = node.get("condition") {
            self.condition(condition, &scope);
        }
        // A filter of the Simple Profile chooses among the targets; without targets, the policy is for any node.
        let filter = node.get("target_filter").and_then(|one| one.get("node"));
        let names =
            filter.into_iter().chain(targets.filter(|_| filter.is_none()).into_iter().flat_map(Node::items));
        let found: Option<Vec<_>> =
            names.map(|name| self.by_name.get(name.raw()).map(|&at| self.node_actor(at))).collect();
        let actors = found.unwrap_or_default();
        self.watched(key, node, &actors, self.file);
        self.event(node.get("event"), &actors);
        for activity in node.get("action").into_iter().flat_map(Node::items) {
            self.activity(activity, &actors, &scope);
        }
    }

    /// Checks the subjects and the condition of a trigger of the Simple Profile; also that of a policy type, which has
    /// no targets.
    pub(crate) fn watched(&self, key: Node<'t>, node: Node<'t>, targets: &[Actor<'t>], file: usize) {
        let filter = node.get("target_filter");
        let subjects = match filter {
            Some(filter) => self.filtered(filter, file).into_iter().collect(),
            None => targets.iter().map(Subject::from).collect::<Vec<_>>(),
        };
        if self.world.version(file) != Version::V1_3 {
            return;
        }
        let scope = Scope::new(file, This::Type);
        let interval = self.world.names.find_type(file, Family::Data, TIME_INTERVAL);
        if let (Some(schedule), Some(interval)) =
            (node.get("schedule"), interval.map(|id| self.world.data_type(id)))
        {
            let what = format!("`schedule` of the trigger `{}`", short(key.raw()));
            self.checked(schedule, &Rc::new(interval.schema.clone()), &scope, &what);
        }
        let Some(condition) = node.get("condition") else { return };
        let clause = match condition.get("constraint") {
            Some(clause) => clause,
            None if forms::is_extended(condition) => return,
            None => condition,
        };
        for one in clauses(clause) {
            self.assertion(one, &subjects, &rules::TRIGGER, &scope);
        }
    }

    /// The subject that a filter leads to; nothing if it does not exist or is not known.
    fn filtered(&self, filter: Node<'t>, file: usize) -> Option<Subject<'t>> {
        let node = filter.get("node")?;
        let mut found = self.node_or_type(node, file)?;
        let is_checked = self.world.version(file) == Version::V1_3;
        let part = |name: &str| filter.get(name).filter(|one| is_checked && one.as_str().is_some());
        if let Some(requirement) = part("requirement") {
            found = self.required_by(requirement, &found, file)?;
        }
        let Some(capability) = part("capability") else {
            let attributes = found.flat.attributes.iter().chain(&found.flat.properties).cloned().collect();
            return Some(Subject { owner: found.owner, attributes, whole: found.whole });
        };
        let Some(one) = found.flat.capabilities.iter().find(|one| one.name == capability.raw()) else {
            let names = found.flat.capabilities.iter().map(|one| one.name);
            self.has_no(capability, "capability", &found, names, file);
            return None;
        };
        Some(Subject {
            owner: format!("the capability `{}` of {}", short(one.name), found.owner),
            attributes: one.attributes.iter().chain(&one.properties).cloned().collect(),
            whole: one.whole && found.whole,
        })
    }

    /// The node template or the node type that a filter names.
    fn node_or_type(&self, node: Node<'t>, file: usize) -> Option<Filtered<'t>> {
        let name = node.raw();
        if let Some(&at) = self.by_name.get(name) {
            return Some(self.filtered_template(at));
        }
        match self.world.names.find(file, Family::Node, name) {
            Meaning::Type(id) => {
                let flat = self.world.flat(id)?;
                let owner = format!("the node type `{}`", short(name));
                Some(Filtered { owner, whole: flat.whole, flat, template: None })
            }
            Meaning::Unknown => {
                let message = format!("`{}` is neither a node template nor a node type", short(name));
                let finding = Finding::new(&rules::TRIGGER, node.use_place(), message);
                let names = self.templates.iter().map(|one| one.name);
                self.world.add(file, did_you_mean(finding, name, names));
                None
            }
            Meaning::Builtin(_) | Meaning::Unread => None,
        }
    }

    fn filtered_template(&self, at: usize) -> Filtered<'t> {
        let Actor { owner, flat, whole, .. } = self.node_actor(at);
        Filtered { owner, flat, whole, template: Some(at) }
    }

    /// The node that a requirement leads to; nothing if it is not one node template.
    fn required_by(&self, node: Node<'t>, of: &Filtered<'t>, file: usize) -> Option<Filtered<'t>> {
        let wanted = node.raw();
        let assigned = of.template.map(|at| &self.templates[at].requirements);
        let assigned = assigned.and_then(|all| all.iter().find(|one| one.name == wanted));
        let mut names = of.flat.requirements.iter().map(|one| one.name);
        if assigned.is_none() && !names.any(|name| name == wanted) {
            let names = of.flat.requirements.iter().map(|one| one.name);
            self.has_no(node, "requirement", of, names, file);
            return None;
        }
        match assigned?.target {
            Target::Node(at, _) => Some(self.filtered_template(at)),
            Target::Open(_) | Target::Wrong => None,
        }
    }

    fn has_no<'n>(
        &self,
        node: Node<'t>,
        word: &str,
        of: &Filtered<'t>,
        names: impl Iterator<Item = &'n str>,
        file: usize,
    ) {
        if of.whole {
            let message = format!("{} has no {word} `{}`", of.owner, short(node.raw()));
            let finding = Finding::new(&rules::TRIGGER, node.use_place(), message);
            self.world.add(file, did_you_mean(finding, node.raw(), names));
        }
    }

    /// Checks the demands of the Simple Profile on attributes: clauses, joined by `and`, `or`, `not` and `assert`.
    pub(crate) fn assertion(
        &self,
        clause: Node<'t>,
        subjects: &[Subject<'t>],
        rule: &locus_source::Rule,
        scope: &Scope<'_, 't>,
    ) {
        for entry in clause.entries() {
            let name = entry.key.raw();
            if forms::JOINED_BY.contains(&name) {
                entry.value.items().for_each(|inner| self.assertion(inner, subjects, rule, scope));
                continue;
            }
            let known = || subjects.iter().flat_map(|one| &one.attributes);
            if let Some(attribute) = known().find(|one| one.name == name) {
                for constraint in clauses(entry.value) {
                    self.constraint_fits(entry.key, constraint, &attribute.schema, scope.file);
                }
            } else if !subjects.is_empty() && subjects.iter().all(|one| one.whole) {
                let owners: Vec<_> = subjects.iter().map(|one| one.owner.as_str()).collect();
                let message = format!("{} has no attribute `{}`", owners.join(" or "), short(name));
                let finding = Finding::new(rule, entry.key.use_place(), message);
                self.world.add(scope.file, did_you_mean(finding, name, known().map(|one| one.name)));
            }
        }
    }

    /// An event that is named after an interface of a target is one of its notifications.
    fn event(&self, event: Option<Node<'t>>, actors: &[Actor<'t>]) {
        let Some(node) = event else { return };
        let Some((interface_name, name)) = node.as_str().and_then(|text| text.rsplit_once('.')) else {
            return;
        };
        let interfaces =
            actors.iter().flat_map(|one| &one.flat.interfaces).filter(|one| one.name == interface_name);
        let interfaces: Vec<_> = interfaces.collect();
        let whole = actors.iter().all(|one| one.whole) && interfaces.iter().all(|one| one.whole);
        let notifications =
            || interfaces.iter().flat_map(|one| &one.operations).filter(|one| one.notification);
        if interfaces.is_empty() || !whole || notifications().any(|one| one.name == name) {
            return;
        }
        let message =
            format!("the interface `{}` has no notification `{}`", short(interface_name), short(name));
        let finding = Finding::new(&rules::TRIGGER, node.use_place(), message);
        self.world.add(self.file, did_you_mean(finding, name, notifications().map(|one| one.name)));
    }
}
