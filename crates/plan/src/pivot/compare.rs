//! The change of each thing between two versions, and its reasons.

use std::fmt;

use locus_meaning::Key;
use locus_meaning::things::{OnChange, Removal, Replacement, Thing};
use locus_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use super::masked;

/// The fate of a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// It is in both versions, and the same.
    Keep,
    /// It is only in the new version.
    Add,
    /// It is changed in place.
    Change,
    /// It is replaced by another.
    Replace,
    /// It is only in the old version, and deleted.
    Remove,
    /// It is only in the old version, and stays where it is.
    Leave,
}

/// A difference between two versions of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// It has another type.
    Type {
        /// The type of the old version.
        from: String,
        /// The type of the new version.
        to: String,
    },
    /// It is replaced at every update, for this reason.
    Renewed(String),
    /// A property has another value.
    Changed {
        /// The property.
        property: String,
        /// Its old value.
        from: String,
        /// Its new value.
        to: String,
    },
    /// A property is only in the new version.
    Added {
        /// The property.
        property: String,
    },
    /// A property is only in the old version.
    Gone {
        /// The property.
        property: String,
    },
    /// A property refers to a thing that is replaced.
    RefersToReplaced {
        /// The property.
        property: String,
        /// The thing.
        thing: String,
    },
    /// A property refers to another thing than it did when it was deployed.
    RefersElsewhere {
        /// The property.
        property: String,
    },
    /// Something was begun with it and not finished.
    Unfinished,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type { from, to } => write!(f, "its type changes from {from} to {to}"),
            Self::Renewed(reason) => f.write_str(reason),
            Self::Changed { property, from, to } => f.write_str(&masked::change(property, from, to)),
            Self::Added { property } => write!(f, "the property {property} is new"),
            Self::Gone { property } => write!(f, "the property {property} is gone"),
            Self::RefersToReplaced { property, thing } => {
                write!(f, "the property {property} refers to {thing}, which is replaced")
            }
            Self::RefersElsewhere { property } => {
                write!(f, "the property {property} refers to something else now")
            }
            Self::Unfinished => f.write_str("something was begun with it and not finished"),
        }
    }
}

/// A reason for the fate of a thing that is in both versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// The difference.
    pub cause: Cause,
    /// Whether data of the thing would be lost.
    pub loses_data: bool,
    /// Where the old version says it.
    pub old: Option<Place>,
    /// Where the new version says it.
    pub new: Option<Place>,
    /// Whether the platform refuses this.
    pub is_refused: bool,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lost = if self.loses_data { "; what is in it would be lost" } else { "" };
        write!(f, "{}{lost}", self.cause)
    }
}

/// The fate of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The key of the thing.
    pub key: Key,
    /// The name of the thing.
    pub name: String,
    /// The fate.
    pub fate: Fate,
    /// Why, for those that are changed or replaced.
    pub why: Vec<Why>,
    /// Its sort.
    pub sort: String,
    /// Whether something that is kept in it is lost.
    pub loses_data: bool,
}

/// The fates of all things: those of the new version in order, then those that are removed.
pub(super) fn compare(old: &[Thing], new: &[Thing]) -> Vec<Difference> {
    let mut before: FxHashMap<&Key, &Thing> = FxHashMap::default();
    for thing in old.iter().rev() {
        before.insert(&thing.key, thing);
    }
    let mut differences: Vec<Difference> = Vec::new();
    let mut index: FxHashMap<&Key, usize> = FxHashMap::default();
    let mut pairs: Vec<Option<(&Thing, &Thing)>> = Vec::new();
    for thing in new.iter().filter(|thing| !thing.is_milestone) {
        if index.contains_key(&thing.key) {
            continue;
        }
        index.insert(&thing.key, differences.len());
        let earlier = before.get(&thing.key).copied();
        let (fate, why) = earlier.map_or((Fate::Add, Vec::new()), |earlier| pair(earlier, thing));
        pairs.push(earlier.map(|earlier| (earlier, thing)));
        differences.push(difference(thing, fate, why));
    }
    cascade(&mut differences, &index, &pairs);
    let mut seen: FxHashSet<&Key> = FxHashSet::default();
    for thing in old.iter().filter(|thing| !thing.is_milestone) {
        if !index.contains_key(&thing.key) && seen.insert(&thing.key) {
            let fate = if thing.removal == Removal::Leave { Fate::Leave } else { Fate::Remove };
            differences.push(difference(thing, fate, Vec::new()));
        }
    }
    for difference in &mut differences {
        let goes = matches!(difference.fate, Fate::Remove | Fate::Replace);
        let held = before.get(&difference.key);
        difference.loses_data =
            goes && held.is_some_and(|old| old.holds_data && old.removal != Removal::Leave);
    }
    differences
}

fn difference(thing: &Thing, fate: Fate, why: Vec<Why>) -> Difference {
    let (key, name, sort) = (thing.key.clone(), thing.name.clone(), thing.sort.clone());
    Difference { key, name, fate, why, sort, loses_data: false }
}

/// The fates of milestones: one stays if it needs the same as before and all of that stays.
pub(super) fn milestones<'t>(
    old: &'t [Thing],
    new: &'t [Thing],
    differences: &[Difference],
) -> Vec<(&'t Key, Fate)> {
    let of = |things: &'t [Thing]| -> Vec<&'t Thing> { things.iter().filter(|t| t.is_milestone).collect() };
    let (old, new) = (of(old), of(new));
    let kept: FxHashSet<&Key> = differences
        .iter()
        .filter(|difference| difference.fate == Fate::Keep && !old.is_empty())
        .map(|difference| &difference.key)
        .collect();
    let by_key: FxHashMap<&Key, &Thing> = old.iter().map(|thing| (&thing.key, *thing)).collect();
    let mut fates: Vec<(&Key, Fate)> = Vec::new();
    for thing in &new {
        let fate = match by_key.get(&thing.key) {
            None => Fate::Add,
            Some(earlier)
                if earlier.needs == thing.needs
                    && thing.needs.iter().all(|need| kept.contains(&need.target)) =>
            {
                Fate::Keep
            }
            Some(_) => Fate::Replace,
        };
        fates.push((&thing.key, fate));
    }
    let keys: FxHashSet<&Key> = fates.iter().map(|&(key, _)| key).collect();
    let gone = old.iter().filter(|thing| !keys.contains(&thing.key));
    let gone: Vec<(&Key, Fate)> = gone.map(|thing| (&thing.key, Fate::Remove)).collect();
    fates.extend(gone);
    fates
}

/// The fate of a thing of which a property changes.
fn of(on_change: OnChange) -> Fate {
    match on_change {
        OnChange::Replace => Fate::Replace,
        OnChange::InPlace | OnChange::Grow | OnChange::Refuse => Fate::Change,
    }
}

/// Two versions of one thing.
fn pair(old: &Thing, new: &Thing) -> (Fate, Vec<Why>) {
    if old.sort != new.sort {
        let cause = Cause::Type { from: old.sort.clone(), to: new.sort.clone() };
        let why = Why { cause, loses_data: false, old: old.place, new: new.place, is_refused: false };
        return (Fate::Replace, vec![why]);
    }
    let (mut fate, mut why) = (Fate::Keep, Vec::new());
    // It would stay if nothing described it any more, and another one would take its place.
    let holds_data = old.removal == Removal::Leave && matches!(new.replacement, Replacement::OldFirst { .. });
    let mut note = |on_change: OnChange, cause: Cause, old: Option<Place>, new: Option<Place>| {
        fate = fate.max(of(on_change));
        let loses_data = holds_data && on_change != OnChange::InPlace;
        why.push(Why { cause, loses_data, old, new, is_refused: on_change == OnChange::Refuse });
    };
    if let Some(reason) = &new.renewed {
        note(OnChange::Replace, Cause::Renewed(reason.clone()), old.place, new.place);
    }
    for property in &new.properties {
        let name = property.name.clone();
        match old.properties.iter().find(|earlier| earlier.name == name) {
            Some(earlier) if earlier.value == property.value => {}
            Some(earlier) => {
                let (from, to) = (earlier.value.clone(), property.value.clone());
                let on_change = match (earlier.on_change, property.on_change) {
                    (_, OnChange::Grow) if is_less(&from, &to) => OnChange::Refuse,
                    // What is refused for the sake of another thing is so while that is there, before and after.
                    (OnChange::InPlace, OnChange::Refuse) => OnChange::InPlace,
                    (_, on_change) => on_change,
                };
                let cause = Cause::Changed { property: name, from, to };
                note(on_change, cause, earlier.place, property.place);
            }
            None => note(property.on_change, Cause::Added { property: name }, old.place, property.place),
        }
    }
    for property in &old.properties {
        if !new.properties.iter().any(|later| later.name == property.name) {
            let cause = Cause::Gone { property: property.name.clone() };
            note(property.on_change, cause, property.place, new.place);
        }
    }
    for (via, on_change) in referred_elsewhere(old, new) {
        note(on_change, Cause::RefersElsewhere { property: via.to_owned() }, old.place, new.place);
    }
    if old.is_unfinished {
        note(OnChange::InPlace, Cause::Unfinished, old.place, new.place);
    }
    (fate, why)
}

/// Whether a value has become less: a smaller number, or a list without something that it had.
fn is_less(from: &str, to: &str) -> bool {
    if let (Ok(from), Ok(to)) = (from.parse::<f64>(), to.parse::<f64>()) {
        return to < from;
    }
    let items = |text: &str| -> Option<Vec<String>> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        Some(inner.split(", ").filter(|item| !item.is_empty()).map(str::to_owned).collect())
    };
    match (items(from), items(to)) {
        (Some(from), Some(to)) => from.iter().any(|item| !to.contains(item)),
        // A value that is not known may be any.
        _ => false,
    }
}

/// The properties that refer to another thing in the new version than in the old one, and what becomes of theirs.
fn referred_elsewhere<'t>(old: &'t Thing, new: &'t Thing) -> Vec<(&'t str, OnChange)> {
    let key = |thing: &'t Thing, via: &str| {
        thing.referents.iter().find(|referent| referent.via == via).map(|referent| referent.key.as_str())
    };
    let changed = new.referents.iter().filter(|later| key(old, &later.via) != Some(&later.key));
    let gone = old.referents.iter().filter(|earlier| key(new, &earlier.via).is_none());
    changed.chain(gone).map(|referent| (referent.via.as_str(), referent.on_change)).collect()
}

/// Propagates replacements: a thing that refers to something that is replaced gets another value for the property that
/// does.
fn cascade(
    differences: &mut [Difference],
    index: &FxHashMap<&Key, usize>,
    pairs: &[Option<(&Thing, &Thing)>],
) {
    let mut users: Vec<Vec<(usize, &str)>> = vec![Vec::new(); differences.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let Some((_, new)) = pair else { continue };
        for need in &new.needs {
            if let (Some(&target), Some(via)) = (index.get(&need.target), &need.via) {
                users[target].push((at, via));
            }
        }
    }
    let is_replaced = |difference: &Difference| difference.fate == Fate::Replace;
    let mut todo: Vec<usize> = (0..differences.len()).filter(|&at| is_replaced(&differences[at])).collect();
    while let Some(replaced) = todo.pop() {
        for &(user, via) in &users[replaced] {
            let Some((old, new)) = pairs[user] else { continue };
            let thing = differences[replaced].name.clone();
            let cause = Cause::RefersToReplaced { property: via.to_owned(), thing };
            if differences[user].why.iter().any(|why| why.cause == cause) {
                continue;
            }
            let property = |thing: &Thing| thing.properties.iter().find(|p| p.name == via).cloned();
            let on_change = property(new).map_or(OnChange::InPlace, |property| property.on_change);
            let places = (property(old).and_then(|p| p.place), property(new).and_then(|p| p.place));
            let was = differences[user].fate;
            differences[user].fate = was.max(of(on_change));
            differences[user].why.push(Why {
                cause,
                loses_data: false,
                old: places.0.or(old.place),
                new: places.1.or(new.place),
                is_refused: on_change == OnChange::Refuse,
            });
            if was != Fate::Replace && differences[user].fate == Fate::Replace {
                todo.push(user);
            }
        }
    }
}
