//! Where operations run, in version 1.3 of the Simple Profile: `operation_host` of implementations and of steps of
//! workflows.

use locus_source::{Finding, Node, Severity};

use crate::read::grammar::Family;
use crate::read::version::Version;
use crate::report::{did_you_mean, listed, short};
use crate::rules;
use crate::service::Service;
use crate::types::names::Meaning;

/// Where operations of nodes run.
pub(crate) const OF_NODES: &[&str] = &["SELF", "HOST", "ORCHESTRATOR"];

/// Where operations of relationship types run.
pub(crate) const OF_RELATIONSHIPS: &[&str] = &["SOURCE", "TARGET", "ORCHESTRATOR"];

/// Where operations of relationship templates run: the text names these in both lists.
pub(crate) const ALL: &[&str] = &["SELF", "HOST", "SOURCE", "TARGET", "ORCHESTRATOR"];

impl<'t> Service<'_, 't> {
    /// The host of an implementation is one of some words.
    pub(crate) fn operation_host(&self, implementation: Node<'t>, hosts: &[&'static str], file: usize) {
        let host = implementation.get("operation_host").filter(|host| host.as_str().is_some());
        if let Some(host) = host.filter(|_| self.world.version(file) == Version::V1_3)
            && !hosts.contains(&host.raw())
        {
            let message = format!("`{}` is not a host of this operation", short(host.raw()));
            let finding = Finding::new(&rules::OPERATION_HOST, host.use_place(), message);
            self.world.add(file, one_of(finding, host, hosts));
        }
    }

    /// The host of a step fits its target.
    pub(crate) fn step_host(&self, key: Node<'t>, step: Node<'t>, target: Option<usize>) {
        if self.world.version(self.file) != Version::V1_3 {
            return;
        }
        let owner = format!("the step `{}`", short(key.raw()));
        let host = step.get("operation_host");
        let of_relationship = step.get("target_relationship").is_some();
        let Some(host) = host else {
            let activities = step.get("activities").into_iter().flat_map(Node::items);
            if of_relationship && activities.into_iter().any(|one| one.get("call_operation").is_some()) {
                let message = format!("{owner} is for a relationship and needs the keyname `operation_host`");
                let finding = Finding::new(&rules::OPERATION_HOST, key.use_place(), message);
                self.world.add(self.file, finding.help("it is `SOURCE` or `TARGET`"));
            }
            return;
        };
        let Some(name) = host.as_str() else { return };
        if of_relationship {
            let hosts = &["SOURCE", "TARGET"];
            if !hosts.contains(&name) {
                let message =
                    format!("{owner} is for a relationship, and `{}` is not an end of one", short(name));
                let finding = Finding::new(&rules::OPERATION_HOST, host.use_place(), message);
                self.world.add(self.file, one_of(finding, host, hosts));
            }
            return;
        }
        let exists = self.by_name.contains_key(name)
            || self.world.names.find(self.file, Family::Node, name) != Meaning::Unknown;
        let groups = self.section("groups");
        let is_group =
            || groups.is_some_and(|all| step.get("target").is_some_and(|one| all.get(one.raw()).is_some()));
        if exists || target.is_some() && ALL.contains(&name) || target.is_none() && !is_group() {
            return;
        }
        let message = format!(
            "`operation_host` of {owner} is `{}`, which is neither a node template nor a node type",
            short(name)
        );
        let mut finding = Finding::new(&rules::OPERATION_HOST, host.use_place(), message);
        if target.is_some() {
            finding.severity = Severity::Warning;
        }
        self.world.add(self.file, did_you_mean(finding, name, self.templates.iter().map(|one| one.name)));
    }
}

fn one_of(finding: Finding, host: Node<'_>, hosts: &[&'static str]) -> Finding {
    let near = did_you_mean(finding, host.raw(), hosts.iter().copied());
    if near.help.is_some() { near } else { near.help(format!("there are {}", listed(hosts.iter().copied()))) }
}
