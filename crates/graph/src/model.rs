//! A location graph as somebody declared it.
//!
//! [`LocationGraph`] is a list of declarations with the places they came from. It can hold graphs that break
//! the static rules, for otherwise nobody could be told how: two locations of one name are two entries. What
//! the entries mean, as a set of locations, is [`LocationGraph::to_set`].

use std::collections::BTreeMap;
use std::sync::Arc;

use locus_source::Place;

use crate::symbols::Interner;
use crate::{BoxId, Certainty, Location, LocationSet, Name, Process, Role, Sort, Symbols, Value};

/// How deep boxes can be nested: far more than anybody can look at, and few enough for a walk to be cheap.
pub(crate) const BOX_DEPTH: usize = 100;

/// Which entry of a graph; consecutive from 0, in order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LocationId(pub(crate) u32);

impl LocationId {
    /// The id as a table index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// On which side of a role a location stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Position {
    /// The location offers a service there.
    Provided,
    /// The location expects a service there.
    Required,
}

/// A role as one location declares it.
#[derive(Clone, PartialEq, Debug)]
pub struct Port {
    /// The role.
    pub role: Role,
    /// Whether the location provides or requires it.
    pub position: Position,
    /// Where that is said.
    pub place: Option<Place>,
    /// Its attributes.
    pub attributes: Attributes,
}

/// A location as declared.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: Name,
    /// Its sort; null where nobody said.
    pub sort: Sort,
    /// Its process; null where nobody said.
    pub process: Process,
    /// Its roles, in order of declaration. A role declared twice in one position counts once.
    pub ports: Vec<Port>,
    /// Its attributes.
    pub attributes: Attributes,
    /// Whether it is certain to be there, and how many it stands for. Not part of the theory.
    pub certainty: Certainty,
    /// The box in which it is drawn. Not part of the theory.
    pub within: Option<BoxId>,
    /// Where it is declared: best the place of its name.
    pub place: Option<Place>,
}

impl Entry {
    /// The ports in one position.
    pub fn ports_at(&self, position: Position) -> impl Iterator<Item = &Port> {
        self.ports.iter().filter(move |port| port.position == position)
    }
}

/// A typed fact about a location or a role, beside the theory: an address, an image, a size.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    /// The name of the attribute.
    pub key: Arc<str>,
    /// Its value.
    pub value: Value,
    /// Where that stands.
    pub place: Option<Place>,
}

/// The attributes of a location or a role, in order of declaration.
///
/// Most roles have none, and a graph may have millions of roles: an empty list is one word.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Attributes(
    #[expect(clippy::box_collection, reason = "one word instead of three, in each of millions of ports")]
    Option<Box<Vec<Attribute>>>,
);

impl Attributes {
    /// Adds one. Of several with the same key, the last counts.
    pub fn push(&mut self, key: impl Into<Arc<str>>, value: Value, place: Option<Place>) {
        self.0.get_or_insert_default().push(Attribute { key: key.into(), value, place });
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Attribute> {
        self.0.as_ref().map_or([].iter(), |list| list.iter())
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.iter().rfind(|attribute| &*attribute.key == key).map(|attribute| &attribute.value)
    }

    /// Those that count, in order of keys.
    pub(crate) fn by_key(&self) -> BTreeMap<&str, &Value> {
        self.iter().map(|attribute| (&*attribute.key, &attribute.value)).collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iter().len() == 0
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = &'a Attribute;
    type IntoIter = std::slice::Iter<'a, Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A bound role: provided by one location, required by another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Binding {
    /// The role.
    pub role: Role,
    /// The location that provides it.
    pub provider: LocationId,
    /// The location that requires it.
    pub requirer: LocationId,
}

/// An unbound role: only one location has it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Unbound {
    /// The role.
    pub role: Role,
    /// The location that has it.
    pub location: LocationId,
    /// On which side.
    pub position: Position,
}

/// A box around locations in a drawing.
#[derive(Clone, PartialEq, Debug, Default)]
struct DrawnBox {
    within: Option<BoxId>,
    place: Option<Place>,
}

/// A location graph as declared, with the places it came from. It may break the static rules:
/// [`check`](crate::check) says how, and [`LocationGraph::to_set`] what it means if it does not.
#[derive(Clone, Debug, Default)]
pub struct LocationGraph {
    symbols: Symbols,
    entries: Vec<Entry>,
    box_names: Interner,
    boxes: Vec<DrawnBox>,
}

impl LocationGraph {
    /// The graph without locations, `Null` in the report: the neutral element of composition.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for this many locations and roles more: for graphs that are large, and whose size is known.
    pub fn reserve(&mut self, locations: usize, roles: usize) {
        self.entries.reserve(locations);
        self.symbols.reserve(locations, roles);
    }

    /// Adds a location without sort, process or roles, even if there is one of this name already.
    pub fn add(&mut self, name: &str) -> LocationId {
        let id = LocationId(u32::try_from(self.entries.len()).expect("fewer than 2^32 locations"));
        self.entries.push(Entry {
            name: self.symbols.name(name),
            sort: Sort::default(),
            process: Process::default(),
            ports: Vec::new(),
            attributes: Attributes::default(),
            certainty: Certainty::default(),
            within: None,
            place: None,
        });
        id
    }

    /// Adds a role in provided position and gives its port, to say more of it.
    pub fn provide(&mut self, location: LocationId, role: &str) -> &mut Port {
        self.add_port(location, role, Position::Provided)
    }

    /// Adds a role in required position and gives its port, to say more of it.
    pub fn require(&mut self, location: LocationId, role: &str) -> &mut Port {
        self.add_port(location, role, Position::Required)
    }

    /// Adds a role and gives its port, to say more of it.
    ///
    /// # Panics
    /// If the graph has no such location.
    pub fn add_port(&mut self, location: LocationId, role: &str, position: Position) -> &mut Port {
        let role = self.symbols.role(role);
        let ports = &mut self.entries[location.index()].ports;
        ports.push(Port { role, position, place: None, attributes: Attributes::default() });
        ports.last_mut().expect("just pushed")
    }

    /// The box with this name; made if there is none yet.
    pub fn add_box(&mut self, name: &str) -> BoxId {
        let id = BoxId(self.box_names.intern(name));
        if id.index() == self.boxes.len() {
            self.boxes.push(DrawnBox::default());
        }
        id
    }

    /// Puts one box into another, or takes it out of any. Refuses, with `false`, to put a box into itself,
    /// directly or through others, or into one that is already as deep as can be.
    pub fn nest_box(&mut self, inner: BoxId, outer: Option<BoxId>) -> bool {
        let mut around = outer;
        for _ in 0..BOX_DEPTH {
            let Some(id) = around else { break };
            if id == inner {
                return false;
            }
            around = self.boxes[id.index()].within;
        }
        if around.is_some() {
            return false;
        }
        self.boxes[inner.index()].within = outer;
        true
    }

    /// Says where a box is declared.
    pub fn set_box_place(&mut self, id: BoxId, place: Place) {
        self.boxes[id.index()].place = Some(place);
    }

    /// Where a box is declared, if it is.
    pub fn box_place(&self, id: BoxId) -> Option<Place> {
        self.boxes[id.index()].place
    }

    /// All boxes, in order of first mention.
    pub fn boxes(&self) -> impl Iterator<Item = BoxId> + use<> {
        (0..self.boxes.len() as u32).map(BoxId)
    }

    /// The box with this name.
    pub fn find_box(&self, name: &str) -> Option<BoxId> {
        self.box_names.find(name).map(BoxId)
    }

    /// The name of a box.
    pub fn box_name(&self, id: BoxId) -> &str {
        self.box_names.text(id.0)
    }

    /// The box around a box.
    pub fn box_within(&self, id: BoxId) -> Option<BoxId> {
        self.boxes[id.index()].within
    }

    /// The texts of names and roles.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The texts of names and roles, to add more: for the values of sorts, processes and attributes.
    pub fn symbols_mut(&mut self) -> &mut Symbols {
        &mut self.symbols
    }

    /// One location.
    ///
    /// # Panics
    /// If the graph has no such location.
    pub fn entry(&self, id: LocationId) -> &Entry {
        &self.entries[id.index()]
    }

    /// One location, to change it.
    ///
    /// # Panics
    /// If the graph has no such location.
    pub fn entry_mut(&mut self, id: LocationId) -> &mut Entry {
        &mut self.entries[id.index()]
    }

    /// All locations, in order of declaration.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All locations with their ids, in order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (LocationId, &Entry)> {
        self.entries.iter().enumerate().map(|(i, entry)| (LocationId(i as u32), entry))
    }

    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether this is the graph without locations.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The text of a location's name.
    pub fn name_of(&self, id: LocationId) -> &str {
        self.symbols.name_text(self.entry(id).name)
    }

    /// Returns the provider and the requirer of each role, by role index. Where the rules are broken and a role has
    /// several, the first declared counts.
    fn holders(&self) -> Vec<[Option<LocationId>; 2]> {
        let mut holders = vec![[None; 2]; self.symbols.role_count()];
        for (id, entry) in self.iter() {
            for port in &entry.ports {
                let holder = &mut holders[port.role.index()][port.position as usize];
                holder.get_or_insert(id);
            }
        }
        holders
    }

    /// The bound roles (`Bound_roles_in_LG`) with the locations they bind, in order of roles. Linear time.
    /// Where the rules are broken and a role has several providers or requirers, the first declared counts.
    pub fn bindings(&self) -> Vec<Binding> {
        let pairs = self.holders().into_iter().enumerate();
        pairs
            .filter_map(|(role, [provider, requirer])| {
                Some(Binding { role: Role(role as u32), provider: provider?, requirer: requirer? })
            })
            .collect()
    }

    /// The unbound roles (`Unbound_roles_in_LG`) with the locations that have them, in order of roles.
    /// Linear time.
    pub fn unbound(&self) -> Vec<Unbound> {
        let pairs = self.holders().into_iter().enumerate();
        pairs
            .filter_map(|(role, holders)| {
                let (location, position) = match holders {
                    [Some(provider), None] => (provider, Position::Provided),
                    [None, Some(requirer)] => (requirer, Position::Required),
                    _ => return None,
                };
                Some(Unbound { role: Role(role as u32), location, position })
            })
            .collect()
    }

    /// Returns the meaning of the graph: its set of locations. Attributes, places and boxes are left behind.
    ///
    /// # Errors
    /// If the graph is not well-formed: then it means nothing, and [`check`](crate::check) says why.
    pub fn to_set(&self) -> Result<LocationSet, NotWellFormed> {
        if !crate::is_well_formed(self) {
            return Err(NotWellFormed);
        }
        let locations = self.entries.iter().map(|entry| {
            let roles = |position| entry.ports_at(position).map(|port| port.role);
            let (provided, required) = (roles(Position::Provided), roles(Position::Required));
            Location::new(entry.name, entry.sort.clone(), entry.process.clone(), provided, required)
                .expect("in a well-formed graph no location provides and requires one role")
        });
        Ok(locations.collect())
    }

    /// The graph of a set of locations over some symbols. Nothing is known of places, attributes and boxes.
    pub fn from_set(symbols: Symbols, locations: &LocationSet) -> Self {
        let mut graph = Self { symbols, ..Self::default() };
        for location in locations {
            let port = |position| {
                move |&role: &Role| Port { role, position, place: None, attributes: Attributes::default() }
            };
            let provided = location.provided().iter().map(port(Position::Provided));
            let required = location.required().iter().map(port(Position::Required));
            graph.entries.push(Entry {
                name: location.name(),
                sort: location.sort().clone(),
                process: location.process().clone(),
                ports: provided.chain(required).collect(),
                attributes: Attributes::default(),
                certainty: Certainty::default(),
                within: None,
                place: None,
            });
        }
        graph
    }

    /// Whether the two declare the same locations in the same order, with the same attributes and boxes.
    /// Where that stands and how symbols are numbered does not matter.
    pub fn says_the_same(&self, other: &Self) -> bool {
        fn ports(entry: &Entry, position: Position) -> Vec<(Role, BTreeMap<&str, &Value>)> {
            entry.ports_at(position).map(|port| (port.role, port.attributes.by_key())).collect()
        }
        let mine = self;
        let mut theirs = Self { symbols: self.symbols.clone(), ..Self::default() };
        theirs.append(other);
        let boxes = |graph: &Self| -> BTreeMap<String, Option<String>> {
            let around = |id| graph.box_within(id).map(|outer| graph.box_name(outer).to_owned());
            graph.boxes().map(|id| (graph.box_name(id).to_owned(), around(id))).collect()
        };
        let within = |graph: &Self, entry: &Entry| entry.within.map(|id| graph.box_name(id).to_owned());
        let same = |(a, b): (&Entry, &Entry)| {
            a.name == b.name
                && a.sort == b.sort
                && a.process == b.process
                && a.attributes.by_key() == b.attributes.by_key()
                && [Position::Provided, Position::Required].into_iter().all(|p| ports(a, p) == ports(b, p))
                && a.certainty == b.certainty
                && within(mine, a) == within(&theirs, b)
        };
        boxes(mine) == boxes(&theirs)
            && mine.entries.len() == theirs.entries.len()
            && mine.entries.iter().zip(&theirs.entries).all(same)
    }

    /// Appends all locations and boxes of another graph. Boxes of the same name become one.
    pub(crate) fn append(&mut self, other: &Self) {
        let boxes: Vec<BoxId> = other.boxes().map(|id| self.add_box(other.box_name(id))).collect();
        for id in other.boxes() {
            let (mine, theirs) = (boxes[id.index()], &other.boxes[id.index()]);
            // Where both say something, or where the two nestings together would be a cycle, ours stays.
            if self.boxes[mine.index()].within.is_none() {
                self.nest_box(mine, theirs.within.map(|outer| boxes[outer.index()]));
            }
            let place = &mut self.boxes[mine.index()].place;
            *place = place.or(theirs.place);
        }
        self.entries.reserve(other.entries.len());
        for entry in &other.entries {
            let translated = self.translate(entry, other, &boxes);
            self.entries.push(translated);
        }
    }

    fn translate(&mut self, entry: &Entry, other: &Self, boxes: &[BoxId]) -> Entry {
        let (from, to) = (&other.symbols, &mut self.symbols);
        let attributes = |attributes: &Attributes, to: &mut Symbols| {
            let mut translated = Attributes::default();
            for attribute in attributes {
                let value = attribute.value.translate(from, to);
                translated.push(Arc::clone(&attribute.key), value, attribute.place);
            }
            translated
        };
        let ports = entry.ports.iter().map(|port| Port {
            role: to.role(from.role_text(port.role)),
            attributes: attributes(&port.attributes, to),
            ..*port
        });
        Entry {
            ports: ports.collect(),
            name: to.name(from.name_text(entry.name)),
            sort: entry.sort.translate(from, to),
            process: entry.process.translate(from, to),
            attributes: attributes(&entry.attributes, to),
            certainty: entry.certainty.clone(),
            within: entry.within.map(|id| boxes[id.index()]),
            place: entry.place,
        }
    }
}

/// A graph that breaks the static rules has no meaning as a set of locations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the location graph is not well-formed; checking it shows why")]
pub struct NotWellFormed;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings_and_unbound_roles() {
        let mut graph = LocationGraph::new();
        let (web, db) = (graph.add("web"), graph.add("db"));
        graph.provide(web, "http");
        graph.require(web, "sql");
        graph.provide(db, "sql");
        let role = |text| graph.symbols().find_role(text).unwrap();
        assert_eq!(graph.bindings(), [Binding { role: role("sql"), provider: db, requirer: web }]);
        let http = Unbound { role: role("http"), location: web, position: Position::Provided };
        assert_eq!(graph.unbound(), [http]);
    }

    #[test]
    fn a_graph_and_its_set_go_both_ways() {
        let mut graph = LocationGraph::new();
        let web = graph.add("web");
        graph.entry_mut(web).sort = Sort::named("Server");
        graph.provide(web, "http");
        graph.provide(web, "http");
        let set = graph.to_set().unwrap();
        let back = LocationGraph::from_set(graph.symbols().clone(), &set);
        assert_eq!(back.to_set().unwrap(), set);
        assert_eq!(back.entry(web).ports.len(), 1);
        graph.require(web, "http");
        assert_eq!(graph.to_set(), Err(NotWellFormed));
    }

    #[test]
    fn boxes_nest_but_not_in_themselves() {
        let mut graph = LocationGraph::new();
        let (region, zone) = (graph.add_box("region"), graph.add_box("zone"));
        assert!(graph.nest_box(zone, Some(region)));
        assert!(!graph.nest_box(region, Some(zone)));
        assert!(!graph.nest_box(region, Some(region)));
        assert_eq!((graph.box_within(zone), graph.box_within(region)), (Some(region), None));
        assert_eq!(graph.add_box("zone"), zone);
    }

    #[test]
    fn ports_and_entries_stay_small() {
        // A million locations with three million roles, each provided and required, must fit into 1 GiB.
        assert!(size_of::<Port>() <= 32, "{}", size_of::<Port>());
        assert!(size_of::<Entry>() <= 120, "{}", size_of::<Entry>());
    }
}
