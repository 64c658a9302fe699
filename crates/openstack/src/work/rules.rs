//! The rules of a security group, which are made and deleted one by one.

use serde_json::{Map, Value, json};

use super::{Thing, Work};
use crate::kinds::Names;
use crate::trouble::{Kind as Cause, Trouble};

/// The fields that tell rules apart.
const KEYS: [&str; 7] = [
    "direction",
    "ethertype",
    "protocol",
    "port_range_min",
    "port_range_max",
    "remote_group_id",
    "remote_ip_prefix",
];

/// A rule in the form in which it is compared.
fn key(rule: &Value) -> Vec<String> {
    let text = |name: &str| match (name, &rule[name]) {
        (_, Value::Null) => String::new(),
        // Neutron keeps the names of some, and the networks of all as they are always written.
        ("remote_ip_prefix", Value::String(text)) => {
            text.trim_end_matches("/32").trim_end_matches("/128").to_lowercase()
        }
        (_, Value::String(text)) => text.to_lowercase(),
        (_, other) => other.to_string(),
    };
    KEYS.iter().map(|name| text(name)).collect()
}

fn is_egress(rule: &Value) -> bool {
    rule["direction"] == "egress"
}

/// Whether it is a rule that every new group has.
fn is_default(rule: &Value) -> bool {
    is_egress(rule) && KEYS[2..].iter().all(|name| rule[*name].is_null())
}

impl Work<'_> {
    /// The rules that are wanted, as Neutron has them.
    fn wanted_rules(&self, group: &str) -> Result<Vec<Value>, Trouble> {
        let mut all = Vec::new();
        for rule in self.property("rules").and_then(Value::as_array).into_iter().flatten() {
            let mut wanted = Map::new();
            for (name, value) in rule.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null())
            {
                if name != "remote_mode" {
                    wanted.insert(name.clone(), value.clone());
                }
            }
            if let Some(Value::String(other)) = wanted.get("remote_group_id").cloned() {
                let id = self.session.id_of(Names::SecurityGroup, &other)?;
                wanted.insert("remote_group_id".to_owned(), Value::from(id));
            } else if rule["remote_mode"] == "remote_group_id" {
                // Without another one it is the group itself.
                wanted.insert("remote_group_id".to_owned(), Value::from(group));
            }
            wanted.insert("security_group_id".to_owned(), Value::from(group));
            all.push(Value::Object(wanted));
        }
        Ok(all)
    }

    /// The rules that are missing, and the ids of those that are too many.
    fn rules_apart(&self, thing: &Thing) -> Result<(Vec<Value>, Vec<String>), Trouble> {
        let wanted = self.wanted_rules(&thing.id)?;
        let there = thing.body["security_group_rules"].as_array().cloned().unwrap_or_default();
        let keys: Vec<_> = wanted.iter().map(key).collect();
        let has: Vec<_> = there.iter().map(key).collect();
        // The rules that let everything out stay, unless there are others for that.
        let keeps_defaults = !wanted.iter().any(is_egress);
        let extra = there
            .iter()
            .zip(&has)
            .filter(|(rule, key)| !(keys.contains(key) || keeps_defaults && is_default(rule)));
        let extra = extra.filter_map(|(rule, _)| rule["id"].as_str().map(str::to_owned)).collect();
        let missing = wanted.iter().zip(&keys).filter(|(_, key)| !has.contains(key));
        Ok((missing.map(|(rule, _)| rule.clone()).collect(), extra))
    }

    /// Makes the rules of a group what they are to be.
    pub(super) fn rules(&self, thing: &Thing) -> Result<(), Trouble> {
        let (missing, extra) = self.rules_apart(thing)?;
        for id in extra {
            self.delete_at(self.kind.service, &format!("/security-group-rules/{id}"))?;
        }
        for rule in missing {
            match self.send("POST", "/security-group-rules", &json!({ "security_group_rule": rule })) {
                // One that was made by a call without an answer, or written in another way.
                Err(trouble) if trouble.kind == Cause::Exists => {}
                other => _ = other?,
            }
        }
        Ok(())
    }

    /// How the rules of a group are not what they are to be.
    pub(super) fn rules_differ(&self, thing: &Thing) -> Option<String> {
        let (missing, extra) = self.rules_apart(thing).ok()?;
        match (missing.len(), extra.len()) {
            (0, 0) => None,
            (missing, extra) => Some(format!("{missing} of its rules are missing, and {extra} are too many")),
        }
    }
}
