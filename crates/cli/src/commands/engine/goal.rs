//! What a deployment is to be: things with their properties and needs, and what makes them. It is stored as JSON.

use anyhow::{anyhow, bail};
use locus_plan::{Need, OnChange, Property, Thing};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// All of a deployment.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub(crate) struct Goal {
    pub(crate) driver: DriverChoice,
    /// Where the file is, whose programs are named relative to it.
    pub(crate) base: String,
    pub(crate) nodes: Vec<Node>,
}

/// What does the steps.
#[derive(Clone, Copy, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DriverChoice {
    /// A simulated cloud with a seed.
    Simulated(u64),
    /// Programs on this machine.
    Script,
}

/// A thing of a deployment.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub(crate) struct Node {
    pub(crate) name: String,
    pub(crate) sort: String,
    /// In the words that change exactly if the value does.
    pub(crate) properties: BTreeMap<String, String>,
    /// The properties that cannot be changed in place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) fixed: Vec<String>,
    pub(crate) needs: Vec<(String, Option<String>)>,
    /// The program of each operation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) operations: BTreeMap<String, String>,
    /// What programs are told beside the properties.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) inputs: BTreeMap<String, String>,
    /// Whether a program that was killed may be run again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) idempotent: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The text of a value, without the quotes of one that is a string.
fn plain(value: &str) -> String {
    serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned())
}

impl Node {
    pub(crate) fn of(thing: &Thing) -> Self {
        let properties = thing.properties.iter();
        Self {
            name: thing.name.clone(),
            sort: thing.sort.clone(),
            fixed: properties
                .clone()
                .filter(|property| property.on_change == OnChange::Replace)
                .map(|property| property.name.clone())
                .collect(),
            properties: properties.map(|property| (property.name.clone(), plain(&property.value))).collect(),
            needs: thing.needs.iter().map(|need| (need.target.clone(), need.via.clone())).collect(),
            operations: BTreeMap::new(),
            inputs: BTreeMap::new(),
            idempotent: false,
        }
    }

    /// The thing that planning is about. What programs are told, and which they are, counts as what the thing is.
    pub(crate) fn thing(&self) -> Thing {
        let property = |(name, value): (String, &String)| Property {
            on_change: if self.fixed.contains(&name) { OnChange::Replace } else { OnChange::InPlace },
            name,
            value: value.clone(),
            place: None,
        };
        let own = self.properties.iter().map(|(name, value)| (name.clone(), value));
        let inputs = self.inputs.iter().map(|(name, value)| (format!("input {name}"), value));
        let needs = self.needs.iter().map(|(target, via)| Need { target: target.clone(), via: via.clone() });
        Thing {
            name: self.name.clone(),
            sort: self.sort.clone(),
            properties: own.chain(inputs).map(property).collect(),
            needs: needs.collect(),
            place: None,
        }
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("names and texts can be written")
    }

    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        serde_json::from_str(text)
            .map_err(|error| anyhow!("what is stored of a node cannot be read: {error}"))
    }
}

impl Goal {
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("names and texts can be written")
    }

    /// The goal that was stored; none if there was none.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Option<Self>> {
        if text.is_empty() {
            return Ok(None);
        }
        let goal = serde_json::from_str(text);
        goal.map(Some).map_err(|error| anyhow!("what is stored of a deployment cannot be read: {error}"))
    }

    /// Names must tell nodes apart.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let mut names: Vec<&str> = self.nodes.iter().map(|node| node.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!("two things are called {}", pair[0]);
        }
        if let Some(name) = names.iter().find(|name| name.contains('~')) {
            bail!("a name with ~ cannot be deployed: {name}");
        }
        Ok(())
    }
}
