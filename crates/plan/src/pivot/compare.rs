//! The change of each thing between two versions, and its reasons.

use locus_graph::lifecycle::{OnChange, Removal, Replacement, Thing};
use locus_source::Place;
use rustc_hash::{FxHashMap, FxHashSet};

/// What becomes of a thing.
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

/// A reason for the fate of a thing that is in both versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Why {
    /// In words: `the property flavor changes from "small" to "large"`.
    pub text: String,
    /// Where the old version says it.
    pub old: Option<Place>,
    /// Where the new version says it.
    pub new: Option<Place>,
    /// Whether the platform refuses this.
    pub is_refused: bool,
}

/// The fate of a thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The name of the thing.
    pub name: String,
    /// What becomes of it.
    pub fate: Fate,
    /// Why, for those that are changed or replaced.
    pub why: Vec<Why>,
}

/// The fates of all things: those of the new version in order, then those that are removed.
pub(super) fn compare(old: &[Thing], new: &[Thing]) -> Vec<Difference> {
    let mut before: FxHashMap<&str, &Thing> = FxHashMap::default();
    for thing in old.iter().rev() {
        before.insert(&thing.name, thing);
    }
    let mut differences: Vec<Difference> = Vec::new();
    let mut index: FxHashMap<&str, usize> = FxHashMap::default();
    let mut pairs: Vec<Option<(&Thing, &Thing)>> = Vec::new();
    for thing in new.iter().filter(|thing| !thing.is_milestone) {
        if index.contains_key(thing.name.as_str()) {
            continue;
        }
        index.insert(&thing.name, differences.len());
        let earlier = before.get(thing.name.as_str()).copied();
        let (fate, why) = earlier.map_or((Fate::Add, Vec::new()), |earlier| pair(earlier, thing));
        pairs.push(earlier.map(|earlier| (earlier, thing)));
        differences.push(Difference { name: thing.name.clone(), fate, why });
    }
    cascade(&mut differences, &index, &pairs);
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for thing in old.iter().filter(|thing| !thing.is_milestone) {
        if !index.contains_key(thing.name.as_str()) && seen.insert(&thing.name) {
            let fate = if thing.removal == Removal::Leave { Fate::Leave } else { Fate::Remove };
            differences.push(Difference { name: thing.name.clone(), fate, why: Vec::new() });
        }
    }
    differences
}

/// The fates of milestones: one stays if it needs the same as before and all of that stays.
pub(super) fn milestones<'t>(
    old: &'t [Thing],
    new: &'t [Thing],
    differences: &[Difference],
) -> Vec<(&'t str, Fate)> {
    let of = |things: &'t [Thing]| -> Vec<&'t Thing> { things.iter().filter(|t| t.is_milestone).collect() };
    let (old, new) = (of(old), of(new));
    let kept: FxHashSet<&str> = differences
        .iter()
        .filter(|difference| difference.fate == Fate::Keep && !old.is_empty())
        .map(|difference| difference.name.as_str())
        .collect();
    let by_name: FxHashMap<&str, &Thing> = old.iter().map(|thing| (thing.name.as_str(), *thing)).collect();
    let mut fates: Vec<(&str, Fate)> = Vec::new();
    for thing in &new {
        let fate = match by_name.get(thing.name.as_str()) {
            None => Fate::Add,
            Some(earlier)
                if earlier.needs == thing.needs
                    && thing.needs.iter().all(|need| kept.contains(need.target.as_str())) =>
            {
                Fate::Keep
            }
            Some(_) => Fate::Replace,
        };
        fates.push((&thing.name, fate));
    }
    let names: FxHashSet<&str> = fates.iter().map(|&(name, _)| name).collect();
    let gone = old.iter().filter(|thing| !names.contains(thing.name.as_str()));
    let gone: Vec<(&str, Fate)> = gone.map(|thing| (thing.name.as_str(), Fate::Remove)).collect();
    fates.extend(gone);
    fates
}

/// The fate of a thing of which a property changes.
fn of(on_change: OnChange) -> Fate {
    match on_change {
        OnChange::Replace => Fate::Replace,
        OnChange::InPlace | OnChange::Refuse => Fate::Change,
    }
}

/// Two versions of one thing.
fn pair(old: &Thing, new: &Thing) -> (Fate, Vec<Why>) {
    if old.sort != new.sort {
        let text = format!("its type changes from {} to {}", old.sort, new.sort);
        return (Fate::Replace, vec![Why { text, old: old.place, new: new.place, is_refused: false }]);
    }
    let (mut fate, mut why) = (Fate::Keep, Vec::new());
    // It would stay if nothing described it any more, and another one would take its place.
    let holds_data = old.removal == Removal::Leave && matches!(new.replacement, Replacement::OldFirst { .. });
    let mut note = |on_change: OnChange, mut text: String, places: [Option<Place>; 2]| {
        fate = fate.max(of(on_change));
        if holds_data && on_change != OnChange::InPlace {
            text.push_str("; what is in it would be lost");
        }
        why.push(Why { text, old: places[0], new: places[1], is_refused: on_change == OnChange::Refuse });
    };
    if let Some(reason) = &new.renewed {
        note(OnChange::Replace, reason.clone(), [old.place, new.place]);
    }
    for property in &new.properties {
        let name = &property.name;
        match old.properties.iter().find(|earlier| earlier.name == *name) {
            Some(earlier) if earlier.value == property.value => {}
            Some(earlier) => {
                let text =
                    format!("the property {name} changes from {} to {}", earlier.value, property.value);
                note(property.on_change, text, [earlier.place, property.place]);
            }
            None => {
                note(property.on_change, format!("the property {name} is new"), [old.place, property.place]);
            }
        }
    }
    for property in &old.properties {
        if !new.properties.iter().any(|later| later.name == property.name) {
            let text = format!("the property {} is gone", property.name);
            note(property.on_change, text, [property.place, new.place]);
        }
    }
    (fate, why)
}

/// Who refers to something that is replaced gets another value for the property that does.
fn cascade(
    differences: &mut [Difference],
    index: &FxHashMap<&str, usize>,
    pairs: &[Option<(&Thing, &Thing)>],
) {
    let mut users: Vec<Vec<(usize, &str)>> = vec![Vec::new(); differences.len()];
    for (at, pair) in pairs.iter().enumerate() {
        let Some((_, new)) = pair else { continue };
        for need in &new.needs {
            if let (Some(&target), Some(via)) = (index.get(need.target.as_str()), &need.via) {
                users[target].push((at, via));
            }
        }
    }
    let is_replaced = |difference: &Difference| difference.fate == Fate::Replace;
    let mut todo: Vec<usize> = (0..differences.len()).filter(|&at| is_replaced(&differences[at])).collect();
    while let Some(replaced) = todo.pop() {
        for &(user, via) in &users[replaced] {
            let Some((old, new)) = pairs[user] else { continue };
            let text =
                format!("the property {via} refers to {}, which is replaced", differences[replaced].name);
            if differences[user].why.iter().any(|why| why.text == text) {
                continue;
            }
            let property = |thing: &Thing| thing.properties.iter().find(|p| p.name == via).cloned();
            let on_change = property(new).map_or(OnChange::InPlace, |property| property.on_change);
            let places = (property(old).and_then(|p| p.place), property(new).and_then(|p| p.place));
            let was = differences[user].fate;
            differences[user].fate = was.max(of(on_change));
            differences[user].why.push(Why {
                text,
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
