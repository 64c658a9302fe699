//! The start of a plan: each node of the engine as a thing with a key, and the engine's names of nodes.
//!
//! The engine knows a node by a name that no other node of the deployment has, and one that is replaced has another
//! name than what replaces it. Which thing a node is says the key that is stored with what it was made to be. Versions
//! before this one stored names in place of keys: such a node is the thing of that name.
//!
//! Out of scope: the steps from there to what is wanted.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use locus_drivers::numbered;
use locus_engine::{Condition, State};
use locus_meaning::Key;
use locus_meaning::things::Thing;

use crate::{Error, Goal, Node, StoredKey, Told, goal_of};

/// The nodes of the engine, each with its name, and what is wanted; all of them with keys.
struct Known<'n> {
    nodes: Vec<(&'n String, Node)>,
    wanted: Cow<'n, [Node]>,
}

/// Reads what is there, as it was asked for last: nothing was done to a node of which only the needs changed.
fn known<'n>(state: &'n State, wanted: &'n [Node]) -> Result<Known<'n>, Error> {
    let mut previous = Goal::parse(state.previous())?.map(|goal| goal.nodes).unwrap_or_default();
    let present = state.nodes.iter().filter(|(_, node)| node.present);
    let nodes = present.map(|(name, node)| Ok((name, Node::parse(&node.desired)?)));
    let mut nodes = nodes.collect::<Result<Vec<(&String, Node)>, Error>>()?;
    let mut wanted = Cow::Borrowed(wanted);
    let mut all = nodes.iter().map(|(_, node)| node).chain(&previous).chain(wanted.iter());
    if all.any(|node| node.key.is_none()) {
        let newest = goal_of(state)?.map(|goal| goal.nodes).unwrap_or_default();
        let known = nodes.iter().map(|(_, node)| node).chain(&previous).chain(wanted.iter()).chain(&newest);
        let keys = Keys::of(known)?;
        for (_, node) in &mut nodes {
            keys.give(node);
        }
        for node in &mut previous {
            keys.give(node);
        }
        wanted.to_mut().iter_mut().for_each(|node| keys.give(node));
    }
    let previous: BTreeMap<Key, &Node> = previous.iter().map(|node| (node.key(), node)).collect();
    for (_, node) in &mut nodes {
        if let Some(asked) = previous.get(&node.key())
            && node.is_like(asked)
        {
            node.needs.clone_from(&asked.needs);
        }
    }
    nodes.sort_by_key(|(name, _)| numbered(name).1);
    Ok(Known { nodes, wanted })
}

/// The keys of things that are known by name only.
struct Keys(BTreeMap<String, Key>);

impl Keys {
    /// Of all nodes that are known. A node without a key is the only thing with its name that has one; of several it is
    /// the one that is like it.
    fn of<'n>(nodes: impl Iterator<Item = &'n Node> + Clone) -> Result<Self, Error> {
        let mut named: BTreeMap<&str, BTreeMap<&StoredKey, Vec<&Node>>> = BTreeMap::new();
        for node in nodes.clone() {
            if let Some(key) = &node.key {
                named.entry(&node.name).or_default().entry(key).or_default().push(node);
            }
        }
        let mut keys = BTreeMap::new();
        for node in nodes.filter(|node| node.key.is_none()) {
            let Some(mut found) = named.get(node.name.as_str()).cloned() else { continue };
            if found.len() > 1 {
                let alone = |one: &Node| Node { key: None, ..one.clone() };
                found.retain(|_, nodes| nodes.iter().any(|one| alone(one).is_like(node)));
            }
            match found.keys().next() {
                Some(key) if found.len() == 1 => keys.insert(node.name.clone(), key.0.clone()),
                _ => return Err(Error::SameName(node.name.clone())),
            };
        }
        for (name, found) in named {
            if let Some(key) = found.keys().next().filter(|_| found.len() == 1) {
                keys.entry(name.to_owned()).or_insert_with(|| key.0.clone());
            }
        }
        Ok(Self(keys))
    }

    /// The key of a thing with a name.
    fn named(&self, name: &str) -> StoredKey {
        StoredKey(self.0.get(name).cloned().unwrap_or_else(|| Key::name(name)))
    }

    /// Gives a node its key, and those of what it needs.
    fn give(&self, node: &mut Node) {
        if node.key.is_some() {
            return;
        }
        node.key = Some(self.named(&node.name));
        let change = |target: &mut StoredKey| {
            let name = target.0.as_name().cloned();
            *target = name.map_or_else(|| target.clone(), |name| self.named(&name));
        };
        node.needs.iter_mut().for_each(|need| change(&mut need.target));
        node.outputs.values_mut().for_each(|(of, _)| change(of));
        let told: [&mut Option<Box<Told>>; 2] = [&mut node.building, &mut node.takedown];
        for told in told.into_iter().flatten() {
            told.after.iter_mut().for_each(|(_, target, _)| change(target));
        }
    }
}

/// The names by which the engine knows nodes. They begin with the name of the thing, in which `~` is written as `~t`;
/// behind that, `~k` and a number tell things of one name apart, and `~` and a number what replaces a node of a thing.
#[derive(Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
    /// The beginning that all names of a thing have.
    bases: BTreeMap<Key, String>,
    owners: BTreeMap<String, Key>,
}

impl Names {
    fn of(nodes: &[(&String, Node)]) -> Self {
        let mut names = Self::default();
        for (name, node) in nodes {
            names.taken.insert((*name).clone());
            let base = numbered(name).0.to_owned();
            names.owners.entry(base.clone()).or_insert_with(|| node.key());
            names.bases.entry(node.key()).or_insert(base);
        }
        names
    }

    /// A name for a new node of a thing.
    pub(crate) fn fresh(&mut self, node: &Node) -> String {
        let key = node.key();
        let plain = node.name.replace('~', "~t");
        let base = self.bases.get(&key).cloned().unwrap_or_else(|| {
            let others = (2u32..).map(|number| format!("{plain}~k{number}"));
            let mut all = std::iter::once(plain.clone()).chain(others);
            let base = all.find(|base| self.owners.get(base).is_none_or(|owner| *owner == key));
            base.expect("there are enough numbers")
        });
        self.owners.entry(base.clone()).or_insert_with(|| key.clone());
        let later = (2u32..).map(|number| format!("{base}~{number}"));
        let name = std::iter::once(base.clone()).chain(later).find(|name| !self.taken.contains(name));
        let name = name.expect("there are enough numbers");
        self.bases.insert(key, base);
        self.taken.insert(name.clone());
        name
    }
}

/// The engine's name for a node of a thing that is not there.
///
/// # Errors
/// If what is stored cannot be read.
pub fn fresh_name(state: &State, node: &Node) -> Result<String, Error> {
    Ok(Names::of(&known(state, std::slice::from_ref(node))?.nodes).fresh(node))
}

/// The nodes that are there, with keys as far as they are known.
///
/// # Errors
/// If what is stored cannot be read.
pub fn present(state: &State) -> Result<Vec<Node>, Error> {
    Ok(known(state, &[])?.nodes.into_iter().map(|(_, node)| node).collect())
}

/// Whether all that is there was finished, and is one of these nodes with these properties.
///
/// # Errors
/// If what is stored cannot be read.
pub fn is_described(state: &State, described: &[Node]) -> Result<bool, Error> {
    if state.conditions().values().any(|condition| *condition != Condition::Whole) {
        return Ok(false);
    }
    let described: BTreeMap<Key, &Node> = described.iter().map(|node| (node.key(), node)).collect();
    let mut seen = BTreeSet::new();
    let is_one = |node: &Node| {
        let same = |other: &&Node| other.sort == node.sort && other.properties == node.properties;
        described.get(&node.key()).is_some_and(same)
    };
    Ok(present(state)?.iter().all(|node| is_one(node) && seen.insert(node.key())))
}

/// The start of a plan.
pub(crate) struct There {
    /// The engine's name and the node of each thing. Of several nodes of one thing, that which is most like what is
    /// wanted is the thing; the others are earlier ones.
    pub(crate) things: BTreeMap<Key, (String, Node)>,
    /// The thing that each node of the engine is.
    keys: BTreeMap<String, Key>,
    /// Those that are good for nothing and go before they are made again.
    pub(crate) damaged: BTreeMap<Key, (String, Node)>,
    /// Those that something was begun with and not finished.
    unfinished: BTreeSet<Key>,
    pub(crate) names: Names,
}

impl There {
    /// All that is there; and what is wanted, with keys.
    pub(crate) fn new<'n>(state: &'n State, wanted: &'n [Node]) -> Result<(Self, Cow<'n, [Node]>), Error> {
        let Known { nodes, wanted } = known(state, wanted)?;
        let by_key: BTreeMap<Key, &Node> = wanted.iter().map(|node| (node.key(), node)).collect();
        let conditions = state.conditions();
        let is_damaged = |name: &str| conditions.get(name) == Some(&Condition::Damaged);
        let mut chosen: BTreeMap<Key, usize> = BTreeMap::new();
        for (at, (name, node)) in nodes.iter().enumerate() {
            let key = node.key();
            let is_as_wanted = |node: &Node| by_key.get(&key).is_some_and(|wanted| node.is_like(wanted));
            // The newest, unless an older one is what is wanted.
            let before = chosen.get(&key).map(|&before| &nodes[before].1);
            let is_better = before.is_none_or(|before| !is_as_wanted(before) || is_as_wanted(node));
            if !is_damaged(name) && is_better {
                chosen.insert(key, at);
            }
        }
        let mut there = Self {
            things: BTreeMap::new(),
            keys: BTreeMap::new(),
            damaged: BTreeMap::new(),
            unfinished: BTreeSet::new(),
            names: Names::of(&nodes),
        };
        for (at, (name, node)) in nodes.into_iter().enumerate() {
            let key = node.key();
            let thing = if chosen.get(&key) == Some(&at) {
                key
            } else if is_damaged(name) && by_key.contains_key(&key) && !chosen.contains_key(&key) {
                let other = there.damaged.insert(key.clone(), (name.clone(), node));
                if let Some((name, node)) = other {
                    there.things.insert(key.earlier(numbered(&name).1), (name, node));
                }
                continue;
            } else {
                key.earlier(numbered(name).1)
            };
            if conditions.get(name.as_str()) == Some(&Condition::Unfinished) {
                there.unfinished.insert(thing.clone());
            }
            there.things.insert(thing, (name.clone(), node));
        }
        there.keys = there.things.iter().map(|(thing, (name, _))| (name.clone(), thing.clone())).collect();
        Ok((there, wanted))
    }

    /// The things that are there, for planning.
    pub(crate) fn present(&self) -> Vec<Thing> {
        self.things.iter().map(|(key, (_, node))| self.thing(key, node)).collect()
    }

    /// The thing that planning is about. It needs those that it refers to, whatever has their key now.
    fn thing(&self, key: &Key, node: &Node) -> Thing {
        let mut thing = node.thing();
        if thing.key != *key {
            thing.in_place_of = Some(std::mem::replace(&mut thing.key, key.clone()));
            thing.name = format!("{} (earlier)", thing.name);
        }
        for need in &mut thing.needs {
            let name = need.via.as_ref().and_then(|via| node.refers.get(via));
            if let Some(meant) = name.and_then(|name| self.keys.get(name)) {
                need.target = meant.clone();
            }
        }
        // It is to be changed, even if it is to be what it was to be before.
        thing.is_unfinished = self.unfinished.contains(&thing.key);
        thing
    }

    /// A wanted node that refers to what is there now. Where that is replaced, it follows that the node is changed.
    pub(crate) fn wanted(&self, node: &Node) -> Thing {
        let mut node = node.clone();
        for need in &node.needs {
            if let (Some(via), Some((name, _))) = (&need.via, self.things.get(&need.target.0)) {
                node.refers.insert(via.clone(), name.clone());
            }
        }
        node.thing()
    }
}
