//! Things of any language as components with lifecycles: built, updated and taken down in order.
//!
//! A thing is present or absent, and needs other things from before it is present until after it no longer is. From an
//! old and a new version of the same things follows what is added, changed in place, replaced and removed, and why; and
//! the components with lifecycles that the planner works on:
//!
//! - what is changed in place goes from `present` to `updated`, after what it needs was updated;
//! - what is replaced is two components: the new one is made, those who need it turn to it, and the old one is
//!   retired and deleted.

mod compare;
mod things;

use locus_aeolus::{
    Binding, Component, ComponentId, ComponentType, Configuration, Provision, Requirement, State, StateId,
    TypeId, Universe,
};
use rustc_hash::FxHashMap;

use crate::problem::{Others, Wanted};
pub use compare::{Difference, Fate, Why};
pub use things::{Need, OnChange, Property, Thing, things};

/// Things as components with lifecycles.
#[derive(Clone, Debug)]
pub struct Pivot {
    /// A type for each thing, two for one that is replaced.
    pub universe: Universe,
    /// What is present at the start.
    pub start: Configuration,
    /// The names of the components that are present at the start.
    pub names: Vec<String>,
    /// What is to be present at the end.
    pub wanted: Vec<Wanted>,
    /// What becomes of each thing, in order of declaration: those of the new version first.
    pub differences: Vec<Difference>,
}

impl Pivot {
    /// What becomes of the rest: nothing that is not wanted stays.
    pub const OTHERS: Others = Others::Delete;

    /// How many things have a fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.differences.iter().filter(|difference| difference.fate == fate).count()
    }
}

const PRESENT: StateId = StateId(1);
const UPDATED: StateId = StateId(2);
const RETIRED: StateId = StateId(2);

/// From the old things to the new ones. Either may be nothing: then all is built, or taken down. Of two things with the
/// same name the first counts.
pub fn pivot(old: &[Thing], new: &[Thing]) -> Pivot {
    let differences = compare::compare(old, new);
    let fates: FxHashMap<&str, Fate> = differences.iter().map(|d| (d.name.as_str(), d.fate)).collect();
    let by_name = |things: &'_ [Thing]| -> FxHashMap<String, usize> {
        things.iter().enumerate().rev().map(|(index, thing)| (thing.name.clone(), index)).collect()
    };
    let (old_index, new_index) = (by_name(old), by_name(new));
    let mut builder = Builder {
        fates: &fates,
        universe: Universe::new(),
        start: Configuration::new(),
        names: Vec::new(),
        wanted: Vec::new(),
        present: FxHashMap::default(),
    };
    for difference in &differences {
        let old = old_index.get(&difference.name).map(|&index| &old[index]);
        let new = new_index.get(&difference.name).map(|&index| &new[index]);
        builder.thing(difference, old, new);
    }
    builder.bind();
    let Builder { universe, start, names, wanted, .. } = builder;
    Pivot { universe, start, names, wanted, differences }
}

struct Builder<'a> {
    fates: &'a FxHashMap<&'a str, Fate>,
    universe: Universe,
    start: Configuration,
    names: Vec<String>,
    wanted: Vec<Wanted>,
    /// The component that provides each port at the start.
    present: FxHashMap<String, ComponentId>,
}

impl Builder<'_> {
    /// The port of a thing as the old version of others needs it.
    fn old_port(&self, target: &str) -> Option<String> {
        self.fates.get(target).filter(|fate| **fate != Fate::Add).map(|_| target.to_owned())
    }

    /// The port of a thing as the new version of others needs it.
    fn new_port(&self, target: &str) -> Option<String> {
        match self.fates.get(target)? {
            Fate::Remove => None,
            Fate::Keep | Fate::Add => Some(target.to_owned()),
            Fate::Change => Some(format!("{target} updated")),
            Fate::Replace => Some(format!("{target} replaced")),
        }
    }

    /// What a thing needs that stays as it is: nothing of what is replaced or removed, since it does not change itself.
    fn kept_port(&self, target: &str) -> Option<String> {
        let fate = self.fates.get(target)?;
        matches!(fate, Fate::Keep | Fate::Change).then(|| target.to_owned())
    }

    fn state(&mut self, name: &str, next: Vec<StateId>, provides: &[String], requires: &[String]) -> State {
        let provides =
            provides.iter().map(|port| Provision { port: self.universe.port(port), capacity: None });
        let provides = provides.collect();
        let requires = requires.iter().map(|port| Requirement { port: self.universe.port(port), number: 1 });
        State { name: name.to_owned(), next, provides, requires: requires.collect(), ..State::default() }
    }

    fn thing(&mut self, difference: &Difference, old: Option<&Thing>, new: Option<&Thing>) {
        let name = &difference.name;
        let needs = |thing: Option<&Thing>| {
            thing.map_or_else(Vec::new, |thing| {
                thing.needs.iter().map(|need| need.target.clone()).collect::<Vec<_>>()
            })
        };
        let (old_needs, new_needs) = (needs(old), needs(new));
        let old_ports: Vec<String> = old_needs.iter().filter_map(|target| self.old_port(target)).collect();
        let new_ports: Vec<String> = new_needs.iter().filter_map(|target| self.new_port(target)).collect();
        let own = std::slice::from_ref(name);
        match difference.fate {
            Fate::Keep => {
                let ports: Vec<String> =
                    new_needs.iter().filter_map(|target| self.kept_port(target)).collect();
                let present = self.state("present", Vec::new(), own, &ports);
                let (kind, component) = self.deployed(name, vec![present]);
                self.want(kind, PRESENT, Some(component), name);
            }
            Fate::Add => {
                let present = self.state("present", Vec::new(), own, &new_ports);
                let kind = self.kind(name.clone(), vec![present]);
                self.want(kind, PRESENT, None, name);
            }
            Fate::Remove => {
                let present = self.state("present", Vec::new(), own, &old_ports);
                self.deployed(name, vec![present]);
            }
            Fate::Change => {
                let present = self.state("present", vec![UPDATED], own, &old_ports);
                let both = [name.clone(), format!("{name} updated")];
                let updated = self.state("updated", Vec::new(), &both, &new_ports);
                let (kind, component) = self.deployed(name, vec![present, updated]);
                self.want(kind, UPDATED, Some(component), name);
            }
            Fate::Replace => {
                // The old one goes when the new one is there.
                let port = format!("{name} replaced");
                let present = self.state("present", vec![RETIRED], own, &old_ports);
                let retired = self.state("retired", Vec::new(), &[], std::slice::from_ref(&port));
                let (kind, component) = self.deployed(name, vec![present, retired]);
                self.want(kind, RETIRED, Some(component), name);
                self.wanted.last_mut().expect("just pushed").then_delete = true;
                let present = self.state("present", Vec::new(), std::slice::from_ref(&port), &new_ports);
                let named = format!("{name} (new)");
                let kind = self.kind(named.clone(), vec![present]);
                self.want(kind, PRESENT, None, &named);
            }
        }
    }

    fn kind(&mut self, name: String, mut states: Vec<State>) -> TypeId {
        states.insert(0, State { name: "absent".to_owned(), next: vec![PRESENT], ..State::default() });
        self.universe.add(ComponentType { name, states, cost: 1, ..ComponentType::default() })
    }

    fn deployed(&mut self, name: &str, states: Vec<State>) -> (TypeId, ComponentId) {
        let kind = self.kind(name.to_owned(), states);
        let id = ComponentId(self.names.len() as u32);
        self.names.push(name.to_owned());
        self.start.components.insert(id, Component { kind, state: PRESENT });
        self.present.insert(name.to_owned(), id);
        (kind, id)
    }

    fn want(&mut self, kind: TypeId, state: StateId, existing: Option<ComponentId>, name: &str) {
        let name = existing.is_none().then(|| name.to_owned());
        self.wanted.push(Wanted { kind, state, existing, name, then_delete: false });
    }

    /// What is present at the start has what it requires.
    fn bind(&mut self) {
        let mut bindings = Vec::new();
        for (&requirer, component) in &self.start.components {
            for requirement in &self.universe.state(component.kind, PRESENT).requires {
                let provider = self.present.get(self.universe.port_name(requirement.port));
                bindings.extend(provider.map(|&provider| Binding {
                    port: requirement.port,
                    requirer,
                    provider,
                }));
            }
        }
        self.start.bindings.extend(bindings);
    }
}
