//! Keys of mappings: which are the same, and what merge keys bring.

use std::collections::HashSet;

use smallvec::SmallVec;

use super::arena::{Arena, Kind, hash};
use super::walk::Slots;
use super::{Node, Style, Value};

/// Mappings with more entries than this get an index of their keys.
const INDEX_FROM: usize = 16;

/// The identity of a key: the value for scalars, and its type, so that `1` and `"1"` differ and `1` and `0x1` do not.
/// Collections are the same if they are written the same; as keys they are rare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Identity<'t> {
    Null,
    Bool(bool),
    Int(i64),
    BigInt(&'t str),
    Float(u64),
    Str(&'t str),
    Timestamp(&'t str),
    Tagged(&'t str, &'t str),
    Written(&'t str),
}

/// The identity of a key. A collection with an alias in it has none, since the same alias may mean something
/// else in another place.
fn identity(arena: &Arena, slot: u32) -> Option<Identity<'_>> {
    let node = Node { arena, at: slot };
    let value = match node.value() {
        Value::Null => Identity::Null,
        Value::Bool(value) => Identity::Bool(value),
        Value::Int(value) => Identity::Int(value),
        Value::BigInt(text) => Identity::BigInt(text),
        Value::Float(value) => Identity::Float(value.to_bits()),
        Value::Str(text) => Identity::Str(text),
        Value::Timestamp(text) => Identity::Timestamp(text),
        Value::Sequence | Value::Mapping => {
            let written = arena.file.slice(node.span());
            return (!written.contains('*')).then_some(Identity::Written(written));
        }
    };
    Some(match node.tag() {
        Some((tag, _)) if !tag.starts_with("!!") => Identity::Tagged(tag, node.raw()),
        _ => value,
    })
}

/// Whether a key says that its value is to be merged into the mapping.
pub(super) fn is_merge(arena: &Arena, key: u32) -> bool {
    arena.kind(key) == Kind::Scalar
        && arena.raw(key) == "<<"
        && match arena.tag(key) {
            None => arena.style(key) == Style::Plain,
            Some((tag, _)) => tag == "!!merge",
        }
}

/// The keys of a mapping that repeat one before them, in order, each with the first of its kind.
pub(super) fn repeated(arena: &Arena, mapping: u32) -> Vec<(u32, u32)> {
    let keys = Slots::of(arena, mapping).step_by(2);
    let mut keys: SmallVec<[_; 8]> = keys.filter_map(|key| Some((identity(arena, key)?, key))).collect();
    keys.sort_unstable();
    let mut repeated = Vec::new();
    let mut first = 0;
    for i in 1..keys.len() {
        if keys[i].0 == keys[first].0 {
            repeated.push((keys[first].1, keys[i].1));
        } else {
            first = i;
        }
    }
    repeated.sort_unstable_by_key(|&(_, again)| again);
    repeated
}

/// The keys of a long mapping, sorted by their hash and then as the text has them, and nothing for a short one.
pub(super) fn index(arena: &Arena, mapping: u32, entries: usize) -> Option<Vec<(u32, u32)>> {
    if entries <= INDEX_FROM {
        return None;
    }
    let keys = Slots::of(arena, mapping).step_by(2);
    let scalar = |key: &u32| matches!(arena.kind(arena.target(*key)), Kind::Scalar | Kind::Absent);
    let mut index: Vec<_> =
        keys.filter(scalar).map(|key| (hash(arena.raw(arena.target(key))), key)).collect();
    index.sort_unstable();
    // Of repeated keys the last counts, so the others need no room.
    index.dedup_by(|later, kept| {
        let raw = |slot| arena.raw(arena.target(slot));
        let same = later.0 == kept.0
            && raw(later.1) == raw(kept.1)
            && is_merge(arena, later.1) == is_merge(arena, kept.1);
        if same {
            kept.1 = later.1;
        }
        same
    });
    Some(index)
}

/// Returns the pairs that the merge keys of a mapping bring into it, and the values of merge keys that are neither a
/// mapping nor a list of mappings.
///
/// The mapping's own keys win; then the mappings of a list in their order; then what those merge in turn. Of
/// several merge keys (which are reported as repeated) the last wins, as it does for PyYAML.
pub(super) fn merge(arena: &Arena, mapping: u32) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut sources = Vec::new();
    let mut bad = Vec::new();
    let mut seen: HashSet<Identity<'_>> = HashSet::new();
    let mut values = Vec::new();
    for key in Slots::of(arena, mapping).step_by(2) {
        if is_merge(arena, key) {
            values.push(arena.after(key));
        } else {
            seen.extend(identity(arena, key));
        }
    }
    for &value in values.iter().rev() {
        let target = arena.target(value);
        match arena.kind(target) {
            Kind::Mapping => sources.push(target),
            Kind::Sequence => {
                for item in Slots::of(arena, target) {
                    match arena.kind(arena.target(item)) {
                        Kind::Mapping => sources.push(arena.target(item)),
                        _ => bad.push(item),
                    }
                }
            }
            Kind::Absent | Kind::Scalar | Kind::Alias => bad.push(value),
        }
    }
    let mut entries = Vec::new();
    for source in sources {
        for entry in (Node { arena, at: source }).entries() {
            if identity(arena, entry.key.at).is_none_or(|identity| seen.insert(identity)) {
                entries.push((entry.key.at, entry.value.at));
            }
        }
    }
    (entries, bad)
}
