//! Things that need each other, in different phases: directly or through others.
//!
//! They can be made, phase by phase, and none of them could ever go if each kept what it needs to the end. So what they
//! need of each other counts while they are made, and no longer.

use locus_meaning::Key;
use locus_meaning::things::Thing;
use locus_relational::strong_parts;
use rustc_hash::FxHashMap;

/// The group of each thing by key: two are in the same one exactly if each needs the other.
pub(super) fn groups(things: &[Thing]) -> FxHashMap<&Key, usize> {
    let index = super::by_key(things);
    let needs =
        |thing: &Thing| thing.needs.iter().filter_map(|need| index.get(&need.target).copied()).collect();
    let targets: Vec<Vec<usize>> = things.iter().map(needs).collect();
    let (groups, _) = strong_parts(&targets);
    things.iter().zip(groups).map(|(thing, group)| (&thing.key, group)).collect()
}
