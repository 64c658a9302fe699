//! From a node to its children.

use super::Node;
use super::arena::{Arena, Kind, hash};
use super::keys;

/// A key and its value.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'t> {
    /// The key.
    pub key: Node<'t>,
    /// The value.
    pub value: Node<'t>,
}

impl<'t> Node<'t> {
    /// The value of the key with this text, if the node is a mapping that has it.
    ///
    /// Keys are compared as text, whatever they mean: `8080` and `"8080"` are both found under `8080`. A
    /// mapping's own keys go before those from merge keys, and of repeated keys (which the reader reports)
    /// the last one counts, as it does for PyYAML and most readers of JSON.
    pub fn get(self, key: &str) -> Option<Node<'t>> {
        self.get_entry(key).map(|entry| entry.value)
    }

    /// The same, with the key, which is where a finding about the entry as a whole belongs.
    pub fn get_entry(self, key: &str) -> Option<Entry<'t>> {
        let (arena, at) = (self.arena, self.target());
        if arena.kind(at) != Kind::Mapping {
            return None;
        }
        let matches = |slot: &u32| {
            let target = arena.target(*slot);
            matches!(arena.kind(target), Kind::Scalar | Kind::Absent) && arena.raw(target) == key
        };
        let merged = arena.merged(at);
        // A merge key is not a key of the mapping, though one that is tagged or quoted may look the same.
        let is_own = |slot: &u32| matches(slot) && (merged.is_none() || !keys::is_merge(arena, *slot));
        let own = if let Some(index) = arena.index(at) {
            let hash = hash(key);
            let start = index.partition_point(|&(other, _)| other < hash);
            let same = index[start..].partition_point(|&(other, _)| other == hash);
            // Those with the same hash are in the order of the text.
            let mut same = index[start..start + same].iter().map(|&(_, slot)| slot);
            if arena.repeats(at) { same.rfind(is_own) } else { same.find(is_own) }
        } else {
            let mut keys = Slots::of(arena, at).step_by(2).filter(is_own);
            if arena.repeats(at) { keys.last() } else { keys.next() }
        };
        let (key, value) = own
            .map(|slot| (slot, arena.after(slot)))
            .or_else(|| merged?.iter().copied().find(|(slot, _)| matches(slot)))?;
        Some(Entry { key: Node { arena, at: key }, value: Node { arena, at: value } })
    }

    /// The entries of a mapping: its own in the order of the text, then those from merge keys that it does
    /// not have itself. None for other nodes.
    pub fn entries(self) -> Entries<'t> {
        let mut entries = self.written_entries();
        entries.merged = self.arena.merged(self.target()).unwrap_or_default().iter();
        entries.skip_merge_keys = self.arena.merged(self.target()).is_some();
        entries
    }

    /// The entries of a mapping as they are written: merge keys are entries like others.
    pub fn written_entries(self) -> Entries<'t> {
        let at = self.target();
        let slots = match self.arena.kind(at) {
            Kind::Mapping => Slots::of(self.arena, at),
            _ => Slots { arena: self.arena, next: 0, end: 0 },
        };
        Entries { slots, merged: [].iter(), skip_merge_keys: false }
    }

    /// The items of a sequence. None for other nodes.
    pub fn items(self) -> Items<'t> {
        let at = self.target();
        Items(match self.arena.kind(at) {
            Kind::Sequence => Slots::of(self.arena, at),
            _ => Slots { arena: self.arena, next: 0, end: 0 },
        })
    }

    /// The number of items or entries. Counts them.
    pub fn len(self) -> usize {
        if self.is_mapping() { self.entries().count() } else { self.items().count() }
    }

    /// Whether there are no items or entries, as in any scalar.
    pub fn is_empty(self) -> bool {
        self.items().next().is_none() && self.entries().next().is_none()
    }
}

/// The slots of a collection's children.
#[derive(Clone)]
pub(super) struct Slots<'t> {
    arena: &'t Arena,
    next: u32,
    end: u32,
}

impl<'t> Slots<'t> {
    pub(super) fn of(arena: &'t Arena, at: u32) -> Self {
        Self { arena, next: arena.first_child(at), end: arena.after(at) }
    }
}

impl Iterator for Slots<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let slot = self.next;
        (slot < self.end).then(|| {
            self.next = self.arena.after(slot);
            slot
        })
    }
}

/// The items of a sequence; see [`Node::items`].
#[derive(Clone)]
pub struct Items<'t>(Slots<'t>);

impl<'t> Iterator for Items<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        let arena = self.0.arena;
        self.0.next().map(|at| Node { arena, at })
    }
}

/// The entries of a mapping; see [`Node::entries`].
#[derive(Clone)]
pub struct Entries<'t> {
    slots: Slots<'t>,
    merged: std::slice::Iter<'t, (u32, u32)>,
    skip_merge_keys: bool,
}

impl<'t> Iterator for Entries<'t> {
    type Item = Entry<'t>;

    fn next(&mut self) -> Option<Entry<'t>> {
        let arena = self.slots.arena;
        let entry = |key, value| Entry { key: Node { arena, at: key }, value: Node { arena, at: value } };
        while let Some(key) = self.slots.next() {
            let value = self.slots.next()?;
            if !(self.skip_merge_keys && keys::is_merge(arena, key)) {
                return Some(entry(key, value));
            }
        }
        self.merged.next().map(|&(key, value)| entry(key, value))
    }
}

impl std::fmt::Debug for Items<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

impl std::fmt::Debug for Entries<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
