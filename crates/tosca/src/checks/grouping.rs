//! Groups and policies: that their members and targets exist and are of the types that they are for.

use locus_source::{Finding, Node};

use crate::read::grammar::Family;
use crate::report::{did_you_mean, short};
use crate::rules;
use crate::service::{Scope, Service, This};
use crate::types::names::TypeId;
use crate::values::conform::Assigned;

impl<'t> Service<'_, 't> {
    pub(crate) fn check_groups(&self) {
        for entry in self.section("groups").into_iter().flat_map(Node::entries) {
            let id = self.typed(entry.value, Family::Group);
            let owner = format!("the group `{}`", short(entry.key.raw()));
            self.values(entry.key, entry.value, id, &owner);
            let allowed = id.and_then(|id| self.world.list_of_types(id, "members", &[Family::Node]));
            for member in entry.value.get("members").into_iter().flat_map(Node::items) {
                self.belongs(member, allowed.as_deref(), &owner, &rules::GROUP_MEMBER, "member");
            }
        }
    }

    pub(crate) fn check_policies(&self) {
        for entry in self.section("policies").into_iter().flat_map(Node::items).flat_map(Node::entries) {
            let id = self.typed(entry.value, Family::Policy);
            let owner = format!("the policy `{}`", short(entry.key.raw()));
            self.values(entry.key, entry.value, id, &owner);
            let allowed =
                id.and_then(|id| self.world.list_of_types(id, "targets", &[Family::Node, Family::Group]));
            for target in entry.value.get("targets").into_iter().flat_map(Node::items) {
                self.belongs(target, allowed.as_deref(), &owner, &rules::POLICY_TARGET, "target");
            }
            for trigger in entry.value.get("triggers").into_iter().flat_map(Node::entries) {
                self.trigger(trigger.key, trigger.value, entry.value.get("targets"));
            }
        }
    }

    fn typed(&self, node: Node<'t>, family: Family) -> Option<TypeId> {
        self.world.names.find_type(self.file, family, node.get("type")?.as_str()?)
    }

    fn values(&self, key: Node<'t>, node: Node<'t>, id: Option<TypeId>, owner: &str) {
        let flat = id.and_then(|id| self.world.flat(id));
        let whole = flat.as_ref().is_some_and(|flat| flat.whole);
        let (section, place) = (node.get("properties").into(), key.use_place());
        let assigned = Assigned {
            section,
            owner,
            word: "property",
            whole,
            complete: whole,
            place,
            unknown: &rules::UNKNOWN_PROPERTY,
        };
        let definitions = flat.map(|flat| flat.properties.clone()).unwrap_or_default();
        self.assignments(&assigned, &definitions, &Scope::new(self.file, This::Nothing));
    }

    /// A member of a group or a target of a policy: a node template or a group.
    fn belongs(
        &self,
        node: Node<'t>,
        allowed: Option<&[TypeId]>,
        owner: &str,
        rule: &locus_source::Rule,
        word: &str,
    ) {
        let Some(name) = node.as_str() else { return };
        let group = self.section("groups").and_then(|all| all.get(name));
        let template = self.by_name.get(name).map(|&at| &self.templates[at]);
        let id = match (template, group) {
            (Some(template), _) => template.type_id.filter(|_| template.is_whole()),
            (None, Some(group)) => self.typed(group, Family::Group),
            (None, None) => {
                let message = format!(
                    "{owner} has the {word} `{}`, which is neither a node template nor a group",
                    short(name)
                );
                let finding = Finding::new(rule, node.use_place(), message);
                self.world
                    .add(self.file, did_you_mean(finding, name, self.templates.iter().map(|one| one.name)));
                return;
            }
        };
        // A group stands for its members where only types of nodes are allowed.
        let only_nodes =
            |list: &[TypeId]| list.iter().all(|&one| self.world.names.get(one).family == Family::Node);
        if let (Some(id), Some(allowed)) = (id, allowed)
            && !allowed.iter().any(|&one| self.world.names.is_a(id, one))
            && (template.is_some() || !only_nodes(allowed))
        {
            let type_name = self.world.names.get(id).name;
            let message = format!(
                "{owner} is not for `{}`: its type does not allow {word}s of type `{}`",
                short(name),
                short(type_name)
            );
            self.world.say(self.file, rule, node.use_place(), message);
        }
    }
}
