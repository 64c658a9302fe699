//! Locations and sets of locations as the theory has them: values, compared by content.

use std::sync::Arc;

use crate::{Atom, Name, Process, Role, Sort, Symbols};

/// A location: a locus of computation with roles to interact at. Never provides and requires the same role.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    // The order of fields is the order of locations in a set: by name first.
    name: Name,
    provided: Box<[Role]>,
    required: Box<[Role]>,
    sort: Sort,
    process: Process,
}

/// The roles that a would-be location both provides and requires.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a location cannot provide and require the same role")]
pub struct SharedRoles(pub Vec<Role>);

impl Location {
    /// The location with these constituents. Roles may come in any order and repeat.
    ///
    /// # Errors
    /// If it would provide and require the same role.
    pub fn new(
        name: Name,
        sort: Sort,
        process: Process,
        provided: impl IntoIterator<Item = Role>,
        required: impl IntoIterator<Item = Role>,
    ) -> Result<Self, SharedRoles> {
        let (provided, required) = (sorted(provided), sorted(required));
        let shared = common(&provided, &required);
        if !shared.is_empty() {
            return Err(SharedRoles(shared));
        }
        Ok(Self { name, provided: provided.into(), required: required.into(), sort, process })
    }

    /// Its name.
    pub fn name(&self) -> Name {
        self.name
    }

    /// Its sort.
    pub fn sort(&self) -> &Sort {
        &self.sort
    }

    /// Its process.
    pub fn process(&self) -> &Process {
        &self.process
    }

    /// The roles it provides, in order.
    pub fn provided(&self) -> &[Role] {
        &self.provided
    }

    /// The roles it requires, in order.
    pub fn required(&self) -> &[Role] {
        &self.required
    }

    /// The same location with another process: the commonest of transitions.
    #[must_use]
    pub fn with_process(&self, process: Process) -> Self {
        Self { process, ..self.clone() }
    }

    /// Whether it provides or requires this role.
    pub fn has_role(&self, role: Role) -> bool {
        self.provided.binary_search(&role).is_ok() || self.required.binary_search(&role).is_ok()
    }

    fn each_atom(&self, see: &mut impl FnMut(Atom)) {
        see(Atom::Name(self.name));
        self.provided.iter().chain(&self.required).for_each(|&role| see(Atom::Role(role)));
        self.sort.0.each_atom(see);
        self.process.0.each_atom(see);
    }
}

/// A finite set of locations. Iterates in order of names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LocationSet(Vec<Arc<Location>>);

impl LocationSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The locations, in order of names.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<Location>> {
        self.0.iter()
    }

    /// Whether this very location is in the set.
    pub fn contains(&self, location: &Location) -> bool {
        self.0.binary_search_by(|held| (**held).cmp(location)).is_ok()
    }

    /// The locations of both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.iter().chain(other).cloned().collect()
    }

    /// The locations of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Self(self.iter().filter(|location| !other.contains(location)).cloned().collect())
    }

    /// The names, in order; as often as they occur.
    pub fn names(&self) -> Vec<Name> {
        self.iter().map(|location| location.name).collect()
    }

    /// The provided roles, in order and without repetition: `provided` of a set in the report.
    pub fn provided(&self) -> Vec<Role> {
        sorted(self.iter().flat_map(|location| location.provided.iter().copied()))
    }

    /// The required roles, in order and without repetition: `required` of a set in the report.
    pub fn required(&self) -> Vec<Role> {
        sorted(self.iter().flat_map(|location| location.required.iter().copied()))
    }

    /// The roles that one location provides and another requires (`Bound_roles_in_LS`), in order.
    ///
    /// The report's formula does not ask for two *different* locations, and need not: no location provides
    /// and requires the same role.
    pub fn bound_roles(&self) -> Vec<Role> {
        common(&self.provided(), &self.required())
    }

    /// The roles that are not bound (`Unbound_roles_in_LS`), in order.
    pub fn unbound_roles(&self) -> Vec<Role> {
        let (provided, required) = (self.provided(), self.required());
        let bound = common(&provided, &required);
        let mut roles = sorted(provided.into_iter().chain(required));
        roles.retain(|role| bound.binary_search(role).is_err());
        roles
    }

    /// All names and roles that occur anywhere in the locations (`AtomsInGraph`), in order.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut atoms = Vec::new();
        self.iter().for_each(|location| location.each_atom(&mut |atom| atoms.push(atom)));
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// Whether names are unique and roles are provided and required at most once (`WellFormedLocationSet`);
    /// if not, what occurs more than once.
    pub fn check_well_formed(&self) -> Result<(), IllFormed> {
        let repeated = IllFormed {
            names: repeated(self.names()),
            provided: repeated(self.iter().flat_map(|l| l.provided.iter().copied()).collect()),
            required: repeated(self.iter().flat_map(|l| l.required.iter().copied()).collect()),
        };
        if repeated == IllFormed::default() { Ok(()) } else { Err(repeated) }
    }

    /// Whether the two sets can be put together (`MixableLS`): no name in both, no role provided by both,
    /// none required by both. If not, which.
    pub fn check_mixable(&self, other: &Self) -> Result<(), Clash> {
        let clash = Clash {
            names: common(&self.names(), &other.names()),
            provided: common(&self.provided(), &other.provided()),
            required: common(&self.required(), &other.required()),
        };
        if clash == Clash::default() { Ok(()) } else { Err(clash) }
    }
}

impl FromIterator<Location> for LocationSet {
    fn from_iter<I: IntoIterator<Item = Location>>(locations: I) -> Self {
        locations.into_iter().map(Arc::new).collect()
    }
}

impl FromIterator<Arc<Location>> for LocationSet {
    fn from_iter<I: IntoIterator<Item = Arc<Location>>>(locations: I) -> Self {
        Self(sorted(locations))
    }
}

impl<'a> IntoIterator for &'a LocationSet {
    type Item = &'a Arc<Location>;
    type IntoIter = std::slice::Iter<'a, Arc<Location>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The reason why a set of locations is ill-formed; see [`LocationSet::check_well_formed`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct IllFormed {
    /// Names that several locations have.
    pub names: Vec<Name>,
    /// Roles that several locations provide.
    pub provided: Vec<Role>,
    /// Roles that several locations require.
    pub required: Vec<Role>,
}

impl IllFormed {
    /// In words.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        let words =
            ["several locations have the name", "several locations provide", "several locations require"];
        in_words(words, symbols, &self.names, &self.provided, &self.required)
    }
}

/// The reason why two sets of locations cannot be put together; see [`LocationSet::check_mixable`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clash {
    /// Names that occur in both.
    pub names: Vec<Name>,
    /// Roles that both provide.
    pub provided: Vec<Role>,
    /// Roles that both require.
    pub required: Vec<Role>,
}

impl Clash {
    /// In words.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        let words = ["both sides have a location", "both sides provide", "both sides require"];
        in_words(words, symbols, &self.names, &self.provided, &self.required)
    }
}

fn in_words<'a>(
    words: [&'a str; 3],
    symbols: &'a Symbols,
    names: &'a [Name],
    provided: &'a [Role],
    required: &'a [Role],
) -> impl std::fmt::Display + 'a {
    let names = names.iter().map(|&name| symbols.name_text(name)).collect::<Vec<_>>();
    let roles = |roles: &[Role]| roles.iter().map(|&role| symbols.role_text(role)).collect::<Vec<_>>();
    let parts = [names, roles(provided), roles(required)];
    let parts = words.into_iter().zip(parts).filter(|(_, items)| !items.is_empty());
    let parts = parts.map(|(word, items)| format!("{word} {}", items.join(", ")));
    parts.collect::<Vec<_>>().join("; ")
}

/// The items in order, each once.
pub(crate) fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// The items of two ordered lists that are in both; each once.
pub(crate) fn common<T: Ord + Copy>(a: &[T], b: &[T]) -> Vec<T> {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let mut both: Vec<T> = small.iter().copied().filter(|item| large.binary_search(item).is_ok()).collect();
    both.dedup();
    both
}

/// The items that occur more than once, in order, each once.
fn repeated<T: Ord + Copy>(mut items: Vec<T>) -> Vec<T> {
    items.sort_unstable();
    let pairs = items.windows(2).filter(|pair| pair[0] == pair[1]);
    let mut repeated: Vec<T> = pairs.map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}
