//! The goal of a deployment: things with their properties and needs, and what makes them. It is stored as JSON.

use std::collections::BTreeMap;

use locus_drivers::{Ability, SITE, Site, changes_programs};
use locus_meaning::Key;
use locus_meaning::things::{
    After, Need, OnChange, Procedure, Programs, Property, Referent, Removal, Replacement, Thing,
};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{Error, StoredKey, wire};

/// The version of what is stored of goals and nodes. Before the second one things had names and no keys.
pub const VERSION: u32 = 2;

fn first_version() -> u32 {
    1
}

/// All of a deployment.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The version of what is stored.
    #[serde(default = "first_version")]
    pub version: u32,
    /// The driver that makes it, with what it is told.
    #[serde(deserialize_with = "wire::site")]
    pub driver: Site,
    /// Where the file is, whose programs are named relative to it.
    pub base: String,
    /// Other places where single things are made, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sites: BTreeMap<String, Site>,
    /// How many seconds a program may run, by operation; all others under the empty name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub timeouts: BTreeMap<String, u64>,
    /// The folder that its driver keeps its traces in, which other machines do not have; empty if it keeps none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The things.
    pub nodes: Vec<Node>,
}

/// A thing of a deployment.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its identity; none in what was stored before things had keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<StoredKey>,
    /// Its name, for people. Things with different keys may have the same name.
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
    /// The properties that can only become more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub growing: Vec<String>,
    /// Whether something is kept in it that is lost when it is deleted.
    #[serde(default, skip_serializing_if = "is_false")]
    pub holds_data: bool,
    /// The nodes that it needs.
    pub needs: Vec<Needed>,
    /// The engine's names of the nodes that properties refer to, by property: known when it is planned.
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
    /// Inputs of programs beside the properties.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
    /// Inputs of programs that come from nodes, once they are known: the node and the output of its programs.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outputs: BTreeMap<String, (StoredKey, String)>,
    /// The engine's names of the nodes whose outputs programs are told, by input: known when it is planned.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<String, String>,
    /// Whether a program that was killed may be run again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub idempotent: bool,
    /// The machine that its programs run on, as `ssh` takes it; none if it is this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ssh: Option<String>,
    /// The name of the other place where it is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The specification that its driver gets.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "specification",
        alias = "told"
    )]
    pub specification: Option<serde_json::Value>,
}

/// The procedure of a thing, step by step, where the file gives one.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Told {
    /// The phases that it goes through.
    pub phases: Vec<String>,
    /// Before which phase, by index, which phase of which other comes.
    pub after: Vec<(usize, StoredKey, String)>,
    /// The operation that each phase calls.
    pub calls: BTreeMap<String, String>,
    /// The assumptions under which it is done so, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
}

impl Told {
    fn of(procedure: &Procedure) -> Self {
        let after = procedure.after.iter();
        let after = after.map(|after| (after.at, StoredKey(after.target.clone()), after.phase.clone()));
        Self {
            phases: procedure.phases.clone(),
            after: after.collect(),
            calls: procedure.calls.clone(),
            assumptions: procedure.assumptions.clone(),
        }
    }

    fn procedure(&self) -> Procedure {
        let after = |(at, target, phase): &(usize, StoredKey, String)| After {
            at: *at,
            target: target.0.clone(),
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

/// A need of a thing.
#[derive(Clone, Serialize, Deserialize, PartialEq, Eq, Debug)]
pub struct Needed {
    /// The key of the other; its name in what was stored before things had keys.
    pub target: StoredKey,
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

impl Node {
    /// The nodes of things, which no program makes.
    pub fn of_all(things: &[Thing]) -> Vec<Self> {
        things.iter().map(Self::of).collect()
    }

    fn of(thing: &Thing) -> Self {
        let properties = thing.properties.iter();
        let names = |on_change: OnChange| {
            let meant = thing.properties.iter().filter(|property| property.on_change == on_change);
            meant.map(|property| property.name.clone()).collect()
        };
        let need = |need: &Need| Needed {
            target: StoredKey(need.target.clone()),
            via: need.via.clone(),
            at: need.at,
            phase: need.phase.clone(),
            only_to_start: need.only_to_start,
        };
        Self {
            key: Some(StoredKey(thing.key.clone())),
            name: thing.name.clone(),
            sort: thing.sort.clone(),
            fixed: names(OnChange::Replace),
            refused: names(OnChange::Refuse),
            growing: names(OnChange::Grow),
            holds_data: thing.holds_data,
            properties: properties.map(|property| (property.name.clone(), plain(&property.value))).collect(),
            needs: thing.needs.iter().map(need).collect(),
            refers: BTreeMap::new(),
            phases: thing.phases.clone(),
            endings: thing.endings.clone(),
            building: thing.building.as_deref().map(|one| Box::new(Told::of(one))),
            takedown: thing.takedown.as_deref().map(|one| Box::new(Told::of(one))),
            stays: thing.removal == Removal::Leave,
            old_first: match thing.replacement {
                Replacement::NewFirst => None,
                Replacement::OldFirst { before } => Some(before),
            },
            renewed: thing.renewed.clone(),
            operations: BTreeMap::new(),
            inputs: BTreeMap::new(),
            outputs: BTreeMap::new(),
            sources: BTreeMap::new(),
            idempotent: false,
            ssh: None,
            site: None,
            specification: thing.specification.clone(),
        }
    }

    /// Has it made by programs.
    #[must_use]
    pub fn with(mut self, programs: &Programs) -> Self {
        self.operations.clone_from(&programs.operations);
        self.inputs.clone_from(&programs.inputs);
        let own = self.key();
        let output = |(input, (node, output)): (&String, &(Key, String))| {
            // What a copy says of itself, it says by the name that all copies have.
            let is_own = own.segments().split_last().is_some_and(|(_, rest)| rest == node.segments());
            let node = if is_own { own.clone() } else { node.clone() };
            (input.clone(), (StoredKey(node), output.clone()))
        };
        self.outputs = programs.outputs.iter().map(output).collect();
        self.idempotent = programs.is_idempotent;
        self.ssh.clone_from(&programs.machine);
        self
    }

    /// Its identity: its name, in what was stored before things had keys.
    pub fn key(&self) -> Key {
        self.key.as_ref().map_or_else(|| Key::name(self.name.as_str()), |key| key.0.clone())
    }

    /// The consequence of a change of a property.
    fn on_change(&self, property: &String) -> OnChange {
        if self.refused.contains(property) {
            OnChange::Refuse
        } else if self.fixed.contains(property) {
            OnChange::Replace
        } else if self.growing.contains(property) {
            OnChange::Grow
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
            value: format!(
                "{output} of {}",
                node.0.as_name().map_or_else(|| node.to_string(), ToString::to_string)
            ),
            on_change: OnChange::InPlace,
            place: None,
        });
        // What is to be on another machine or at another place is made there, and then goes here.
        let machine = self.ssh.iter().map(|target| ("ssh", target));
        let machine =
            machine.chain(self.site.iter().map(|site| (SITE, site))).map(|(name, value)| Property {
                name: name.to_owned(),
                value: value.clone(),
                on_change: OnChange::Replace,
                place: None,
            });
        let refers = self.refers.iter().map(|(via, key)| Referent {
            via: via.clone(),
            key: key.clone(),
            on_change: self.on_change(via),
        });
        let need = |need: &Needed| Need {
            target: need.target.0.clone(),
            via: need.via.clone(),
            at: need.at,
            phase: need.phase.clone(),
            only_to_start: need.only_to_start,
        };
        Thing {
            key: self.key(),
            properties: own.chain(inputs).map(property).chain(outputs).chain(machine).collect(),
            referents: refers.collect(),
            needs: self.needs.iter().map(need).collect(),
            phases: self.phases.clone(),
            endings: self.endings.clone(),
            building: self.building.as_deref().map(Told::procedure).map(Box::new),
            takedown: self.takedown.as_deref().map(Told::procedure).map(Box::new),
            removal: if self.stays { Removal::Leave } else { Removal::Delete },
            holds_data: self.holds_data,
            renewed: self.renewed.clone(),
            replacement: self
                .old_first
                .map_or(Replacement::NewFirst, |before| Replacement::OldFirst { before }),
            ..Thing::new(&self.name, &self.sort)
        }
    }

    /// Whether it is the same but for what it needs and which nodes it refers to.
    pub fn is_like(&self, other: &Node) -> bool {
        let alone = |node: &Node| Node {
            needs: Vec::new(),
            refers: BTreeMap::new(),
            sources: BTreeMap::new(),
            ..node.clone()
        };
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
        let goal: Goal = goal.map_err(|error| Error::Damaged { what: "deployment", error })?;
        if goal.version > VERSION { Err(Error::Newer) } else { Ok(Some(goal)) }
    }

    /// All places where something is made.
    pub fn all_sites(&self) -> impl Iterator<Item = Site> {
        std::iter::once(self.driver.clone()).chain(self.sites.values().cloned())
    }

    /// Takes in what the drivers say that they can do: which changes need a replacement, which are not possible, and
    /// what must be gone before something else can take its place.
    ///
    /// # Errors
    /// If there is no such driver or place, or it makes nothing of a type.
    pub fn suit(&mut self) -> Result<(), Error> {
        let ability = |site: &Site| site.maker().map(|maker| (maker.ability)()).map_err(Error::Site);
        let own = ability(&self.driver)?;
        let others = self.sites.iter().map(|(name, site)| Ok((name.as_str(), ability(site)?)));
        let others: BTreeMap<&str, &Ability> = others.collect::<Result<_, Error>>()?;
        for node in &mut self.nodes {
            let (ability, id) = match &node.site {
                None => (own, self.driver.driver.clone()),
                Some(name) => {
                    let found = others.get(name.as_str());
                    let no_site =
                        || Error::Site(format!("{} is made at `{name}`, which is not described", node.name));
                    (*found.ok_or_else(no_site)?, self.sites[name].driver.clone())
                }
            };
            let sort = ability.sort(&node.sort).ok_or_else(|| {
                Error::Site(format!("{}: the driver {id} makes nothing of the type {}", node.name, node.sort))
            })?;
            for property in node.properties.keys() {
                if sort.is_refused(property) && !node.refused.contains(property) {
                    node.refused.push(property.clone());
                } else if sort.is_fixed(property) && !node.fixed.contains(property) {
                    node.fixed.push(property.clone());
                }
            }
            if sort.old_first && node.old_first.is_none() {
                node.old_first = Some(0);
            }
        }
        Ok(())
    }

    /// The same goal with the places of the one before it: what is made there must be reached to be deleted.
    ///
    /// # Errors
    /// If a place with the same name is another one now.
    pub(crate) fn with_sites_of(&self, before: Goal) -> Result<Self, Error> {
        let mut goal = self.clone();
        for (name, site) in before.sites {
            let kept = goal.sites.entry(name.clone()).or_insert_with(|| site.clone());
            if *kept != site {
                return Err(Error::Site(format!(
                    "the place `{name}` was another one before; give the new one another name"
                )));
            }
        }
        Ok(goal)
    }

    /// Keys must tell nodes apart, and what programs are told must come from one of them.
    ///
    /// # Errors
    /// If they do not.
    pub fn check(&self) -> Result<(), Error> {
        let mut keys: Vec<Key> = self.nodes.iter().map(Node::key).collect();
        keys.sort_unstable();
        if let Some([key, _]) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::SameKey(StoredKey(key.clone())));
        }
        if let Some(node) = self.nodes.iter().find(|node| node.name.contains(char::is_control)) {
            return Err(Error::Control(node.name.clone()));
        }
        for node in &self.nodes {
            for (input, (of, _)) in &node.outputs {
                if keys.binary_search(&of.0).is_err() {
                    let (node, input, of) = (node.name.clone(), input.clone(), of.clone());
                    return Err(Error::NoSource { node, input, of });
                }
            }
        }
        if self.driver.maker().map_err(Error::Site)?.runs_programs {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn goal(site: Option<&str>) -> Goal {
        let mut node = Node::of_all(&[Thing::new("a", "thing")]).remove(0);
        node.site = site.map(str::to_owned);
        let sites = BTreeMap::from([("lab".to_owned(), Site::new("simulated", [("seed", "0".to_owned())]))]);
        let (base, place, timeouts) = (String::new(), String::new(), BTreeMap::new());
        Goal {
            version: VERSION,
            driver: Site::new("script", []),
            base,
            sites,
            timeouts,
            place,
            nodes: vec![node],
        }
    }

    #[test]
    fn what_is_made_elsewhere_is_stored_so_and_replaced_when_it_moves() {
        let there = goal(Some("lab"));
        assert_eq!(Goal::parse(&there.text()).expect("it was written"), Some(there.clone()));
        let thing = there.nodes[0].thing();
        let site = thing.properties.iter().find(|property| property.name == SITE).expect("it has one");
        assert_eq!((site.value.as_str(), site.on_change), ("lab", OnChange::Replace));
        assert_eq!(there.all_sites().count(), 2);
        // Versions before this one had one driver for all.
        let old = "{\"driver\":{\"docker\":\"unix:///d\"},\"base\":\"\",\"nodes\":[]}";
        let old = Goal::parse(old).expect("it can be read").expect("it is one");
        assert_eq!(old.driver, Site::new("docker", [("host", "unix:///d".to_owned())]));
    }

    #[test]
    fn a_place_is_known_as_long_as_something_may_be_there() {
        let (before, mut after) = (goal(Some("lab")), goal(None));
        after.sites.clear();
        let kept = after.with_sites_of(before.clone()).expect("nothing is in its way");
        assert_eq!(kept.sites, before.sites);
        after.sites.insert("lab".to_owned(), Site::new("script", []));
        let error = after.with_sites_of(before).expect_err("it is another one").to_string();
        assert!(error.contains("`lab` was another one before"), "{error}");
    }

    #[test]
    fn a_place_that_is_not_described_is_an_error_before_the_first_step() {
        assert!(goal(None).suit().is_ok() && goal(Some("lab")).suit().is_ok());
        let error = goal(Some("moon")).suit().expect_err("there is no such place");
        assert_eq!(error.to_string(), "a is made at `moon`, which is not described");
        let mut unknown = goal(None);
        unknown.driver = Site::new("cloud9", []);
        let error = unknown.suit().expect_err("there is no such driver").to_string();
        assert!(error.starts_with("there is no driver `cloud9`"), "{error}");
    }
}
