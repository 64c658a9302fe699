//! The goal of a deployment: things with their properties and needs, and what makes them. It is stored as JSON.

use std::collections::BTreeMap;

use locus_drivers::changes_programs;
use locus_meaning::Key;
use locus_meaning::things::{
    After, Need, OnChange, Procedure, Programs, Property, Referent, Removal, Replacement, Thing,
};
use serde::{Deserialize, Deserializer, Serialize};

use crate::Error;

/// All of a deployment.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The driver that makes it.
    pub driver: DriverChoice,
    /// Where the file is, whose programs are named relative to it.
    pub base: String,
    /// The folder that its driver keeps its traces in, which other machines do not have; empty if it keeps none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The things.
    pub nodes: Vec<Node>,
}

/// What does the steps.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum DriverChoice {
    /// A simulated cloud with a seed.
    Simulated(u64),
    /// Programs on this machine.
    Script,
    /// The Docker engine at an address.
    Docker(String),
}

impl DriverChoice {
    /// Whether what it needs to know after a crash is on this machine only: in the folder of the store, or behind a socket.
    pub fn keeps_traces(&self) -> bool {
        match self {
            DriverChoice::Simulated(_) | DriverChoice::Script => true,
            DriverChoice::Docker(address) => address.starts_with("unix:") || address.starts_with('/'),
        }
    }
}

/// A thing of a deployment.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Its type.
    pub sort: String,
    /// Its properties, in the words that change exactly if the value does.
    pub properties: BTreeMap<String, String>,
    /// The properties that cannot be changed in place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fixed: Vec<String>,
    /// The properties that cannot be changed at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// What it needs.
    pub needs: Vec<Needed>,
    /// The keys of the nodes that properties refer to, by property: known when it is planned.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refers: BTreeMap<String, String>,
    /// The phases that it goes through until it is ready.
    pub phases: Vec<String>,
    /// The phases that it goes through before it is deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub endings: Vec<String>,
    /// How it is made, where the file says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub building: Option<Box<Told>>,
    /// How it is taken down with all others, where the file says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub takedown: Option<Box<Told>>,
    /// Whether it stays when it is no longer described.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stays: bool,
    /// The phase, by index, before which an old one must have stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_first: Option<usize>,
    /// Why it is replaced at every update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub renewed: Option<String>,
    /// The program of each operation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub operations: BTreeMap<String, String>,
    /// What programs are told beside the properties.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// What programs are told of nodes once that is known: the node and the output of its programs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, (String, String)>,
    /// Whether a program that was killed may be run again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub idempotent: bool,
    /// The machine that its programs run on, as `ssh` takes it; none if it is this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ssh: Option<String>,
    /// The specification that its driver gets.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "specification",
        alias = "told"
    )]
    pub specification: Option<serde_json::Value>,
}

/// What is done to a thing, step by step, where the file says so.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Told {
    /// The phases that it goes through.
    pub phases: Vec<String>,
    /// Before which phase, by index, which phase of which other comes.
    pub after: Vec<(usize, String, String)>,
    /// The operation that each phase calls.
    pub calls: BTreeMap<String, String>,
    /// What is taken to hold when it is done so, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

impl Told {
    fn of(procedure: &Procedure, names: &Names<'_>) -> Self {
        let after = procedure.after.iter();
        let after = after.map(|after| (after.at, name_of(names, &after.target), after.phase.clone()));
        Self {
            phases: procedure.phases.clone(),
            after: after.collect(),
            calls: procedure.calls.clone(),
            assumptions: procedure.assumptions.clone(),
        }
    }

    fn procedure(&self) -> Procedure {
        let after = |(at, target, phase): &(usize, String, String)| After {
            at: *at,
            target: Key::name(target.as_str()),
            phase: phase.clone(),
        };
        Procedure {
            phases: self.phases.clone(),
            after: self.after.iter().map(after).collect(),
            calls: self.calls.clone(),
            assumptions: self.assumptions.clone(),
        }
    }
}

/// What a thing needs.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Needed {
    /// The name of the other.
    pub target: String,
    /// The property that refers to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The phase of its own, by index, before which the other must be ready.
    pub at: usize,
    /// The phase that the other must have reached; none for its last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// Whether the need is about the order of starting alone.
    #[serde(default, skip_serializing_if = "is_false")]
    pub only_to_start: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(value: &bool) -> bool {
    !value
}

/// The text of a value, without the quotes of one that is a string.
fn plain(value: &str) -> String {
    serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned())
}

/// Reads a specification, also as versions of Locus before this one stored it: as a text with JSON in it.
fn specification<'de, D: Deserializer<'de>>(from: D) -> Result<Option<serde_json::Value>, D::Error> {
    Ok(match Option::<serde_json::Value>::deserialize(from)? {
        Some(serde_json::Value::String(text)) => {
            Some(serde_json::from_str(&text).map_err(serde::de::Error::custom)?)
        }
        other => other,
    })
}

/// The names of things in what is stored, by their keys.
type Names<'t> = BTreeMap<&'t Key, &'t str>;

/// The name of a thing; of one that is not among those that are stored, its own word for itself.
fn name_of(names: &Names<'_>, key: &Key) -> String {
    names.get(key).map_or_else(|| format!("{key:?}"), |name| (*name).to_owned())
}

impl Node {
    /// The nodes of things, which no program makes.
    pub fn of_all(things: &[Thing]) -> Vec<Self> {
        let names: Names<'_> = things.iter().map(|thing| (&thing.key, &*thing.name)).collect();
        things.iter().map(|thing| Self::of(thing, &names)).collect()
    }

    fn of(thing: &Thing, names_of: &Names<'_>) -> Self {
        let properties = thing.properties.iter();
        let names = |on_change: OnChange| {
            let meant = thing.properties.iter().filter(|property| property.on_change == on_change);
            meant.map(|property| property.name.clone()).collect()
        };
        let need = |need: &Need| Needed {
            target: name_of(names_of, &need.target),
            via: need.via.clone(),
            at: need.at,
            phase: need.phase.clone(),
            only_to_start: need.only_to_start,
        };
        Self {
            name: thing.name.clone(),
            sort: thing.sort.clone(),
            fixed: names(OnChange::Replace),
            refused: names(OnChange::Refuse),
            properties: properties.map(|property| (property.name.clone(), plain(&property.value))).collect(),
            needs: thing.needs.iter().map(need).collect(),
            refers: BTreeMap::new(),
            phases: thing.phases.clone(),
            endings: thing.endings.clone(),
            building: thing.building.as_deref().map(|one| Box::new(Told::of(one, names_of))),
            takedown: thing.takedown.as_deref().map(|one| Box::new(Told::of(one, names_of))),
            stays: thing.removal == Removal::Leave,
            old_first: match thing.replacement {
                Replacement::NewFirst => None,
                Replacement::OldFirst { before } => Some(before),
            },
            renewed: thing.renewed.clone(),
            operations: BTreeMap::new(),
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            idempotent: false,
            ssh: None,
            specification: thing.specification.clone(),
        }
    }

    /// Has it made by programs.
    #[must_use]
    pub fn with(mut self, programs: &Programs) -> Self {
        self.operations.clone_from(&programs.operations);
        self.inputs.clone_from(&programs.inputs);
        let output = |(input, (node, output)): (&String, &(Key, String))| {
            // Programs are of documents whose elements have names.
            let node = node.as_name().map_or_else(|| format!("{node:?}"), ToString::to_string);
            (input.clone(), (node, output.clone()))
        };
        self.outputs = programs.outputs.iter().map(output).collect();
        self.idempotent = programs.is_idempotent;
        self.ssh.clone_from(&programs.machine);
        self
    }

    /// What becomes of it when a property changes.
    fn on_change(&self, property: &String) -> OnChange {
        if self.refused.contains(property) {
            OnChange::Refuse
        } else if self.fixed.contains(property) {
            OnChange::Replace
        } else {
            OnChange::InPlace
        }
    }

    /// The thing that planning is about. What programs are told, and which they are, counts as what the thing is.
    pub fn thing(&self) -> Thing {
        let property = |(name, value): (String, &String)| Property {
            on_change: self.on_change(&name),
            name,
            value: value.clone(),
            place: None,
        };
        let own = self.properties.iter().map(|(name, value)| (name.clone(), value));
        let inputs = self.inputs.iter().map(|(name, value)| (format!("input {name}"), value));
        let outputs = self.outputs.iter().map(|(name, (node, output))| Property {
            name: format!("input {name}"),
            value: format!("{output} of {node}"),
            on_change: OnChange::InPlace,
            place: None,
        });
        // What is to be on another machine is made there, and then goes here.
        let machine = self.ssh.iter().map(|target| Property {
            name: "ssh".to_owned(),
            value: target.clone(),
            on_change: OnChange::Replace,
            place: None,
        });
        let refers = self.refers.iter().map(|(via, key)| Referent {
            via: via.clone(),
            key: key.clone(),
            on_change: self.on_change(via),
        });
        let need = |need: &Needed| Need {
            target: Key::name(need.target.as_str()),
            via: need.via.clone(),
            at: need.at,
            phase: need.phase.clone(),
            only_to_start: need.only_to_start,
        };
        Thing {
            properties: own.chain(inputs).map(property).chain(outputs).chain(machine).collect(),
            referents: refers.collect(),
            needs: self.needs.iter().map(need).collect(),
            phases: self.phases.clone(),
            endings: self.endings.clone(),
            building: self.building.as_deref().map(Told::procedure).map(Box::new),
            takedown: self.takedown.as_deref().map(Told::procedure).map(Box::new),
            removal: if self.stays { Removal::Leave } else { Removal::Delete },
            renewed: self.renewed.clone(),
            replacement: self
                .old_first
                .map_or(Replacement::NewFirst, |before| Replacement::OldFirst { before }),
            ..Thing::new(&self.name, &self.sort)
        }
    }

    /// Whether it is the same but for what it needs and which nodes it refers to.
    pub fn is_like(&self, other: &Node) -> bool {
        let alone = |node: &Node| Node { needs: Vec::new(), refers: BTreeMap::new(), ..node.clone() };
        self.name == other.name && alone(self) == alone(other)
    }

    /// The text that is stored.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("names and texts can be written")
    }

    /// The node that was stored.
    pub fn parse(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|error| Error::Damaged { what: "node", error })
    }
}

impl Goal {
    /// The text that is stored.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("names and texts can be written")
    }

    /// The goal that was stored; none if there was none.
    pub fn parse(text: &str) -> Result<Option<Self>, Error> {
        if text.is_empty() {
            return Ok(None);
        }
        let goal = serde_json::from_str(text);
        goal.map(Some).map_err(|error| Error::Damaged { what: "deployment", error })
    }

    /// Names must tell nodes apart.
    pub fn check(&self) -> Result<(), Error> {
        let mut names: Vec<&str> = self.nodes.iter().map(|node| node.name.as_str()).collect();
        names.sort_unstable();
        if let Some([name, _]) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::SameName((*name).to_owned()));
        }
        if let Some(name) = names.iter().find(|name| name.contains(char::is_control)) {
            return Err(Error::Control((*name).to_owned()));
        }
        if self.driver == DriverChoice::Script {
            for node in &self.nodes {
                let told = node.properties.keys().chain(node.inputs.keys()).chain(node.outputs.keys());
                if let Some(name) = told.into_iter().find(|name| changes_programs(name)) {
                    return Err(Error::ChangesPrograms { node: node.name.clone(), input: name.clone() });
                }
            }
        }
        Ok(())
    }
}
