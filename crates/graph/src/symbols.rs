//! Names and roles as small numbers.
//!
//! A graph of a million locations mentions each name and role several times; every comparison, every set and
//! every table index below works on 32-bit ids instead of text. Ids are given in order of first mention, so
//! equal constructions give equal ids.

use std::hash::Hasher;

use rustc_hash::FxHasher;

locus_source::ids! {
    /// The name of a location. Only meaningful with the [`Symbols`] that gave it.
    Name(pub(crate) u32);
    /// A role: a point of attachment and interaction. Only meaningful with the [`Symbols`] that gave it.
    Role(pub(crate) u32);
    /// A box around locations in a drawing. Only meaningful with the graph that gave it.
    BoxId(pub(crate) u32);
}

/// The texts of names and of roles. The two are different kinds of value: the name `db` and the role `db`
/// have nothing to do with each other.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Interner,
    roles: Interner,
}

impl Symbols {
    /// No names and no roles.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for this many names and roles more.
    pub fn reserve(&mut self, names: usize, roles: usize) {
        self.names.reserve(names);
        self.roles.reserve(roles);
    }

    /// The name with this text.
    pub fn name(&mut self, text: &str) -> Name {
        Name(self.names.intern(text))
    }

    /// The role with this text.
    pub fn role(&mut self, text: &str) -> Role {
        Role(self.roles.intern(text))
    }

    /// The name with this text, if it was ever mentioned.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.names.find(text).map(Name)
    }

    /// The role with this text, if it was ever mentioned.
    pub fn find_role(&self, text: &str) -> Option<Role> {
        self.roles.find(text).map(Role)
    }

    /// The text of a name.
    ///
    /// # Panics
    /// If the name comes from other symbols and is out of range here.
    pub fn name_text(&self, name: Name) -> &str {
        self.names.text(name.0)
    }

    /// The text of a role.
    ///
    /// # Panics
    /// If the role comes from other symbols and is out of range here.
    pub fn role_text(&self, role: Role) -> &str {
        self.roles.text(role.0)
    }

    /// How many names there are; their indices are below this.
    pub fn name_count(&self) -> usize {
        self.names.len()
    }

    /// How many roles there are; their indices are below this.
    pub fn role_count(&self) -> usize {
        self.roles.len()
    }
}

/// Texts, each stored once, one after the other in a single string.
///
/// The table is our own because looking up is all that building a large graph does: with linear probing over
/// slots that hold the hash beside the id, a lookup touches one line of memory, and another for the text.
#[derive(Clone, Default)]
pub(crate) struct Interner {
    texts: String,
    /// Where each text ends; it starts where the one before ends.
    ends: Vec<u32>,
    /// The hash of a text in the upper half, its id in the lower; or [`FREE`]. The length is a power of two,
    /// or 0, and at most three quarters are taken. A text is in the first free slot from its hash on.
    slots: Vec<u64>,
}

const FREE: u64 = u64::MAX;

impl Interner {
    /// Makes room for this many texts more.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ends.reserve(count);
        let wanted = (self.ends.len() + count + 1) * 4 / 3 + 1;
        if wanted > self.slots.len() {
            self.grow(wanted.next_power_of_two());
        }
    }

    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        if (self.ends.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow((self.slots.len() * 2).max(16));
        }
        let hash = hash(text);
        let slot = match self.lookup(hash, text) {
            Ok(id) => return id,
            Err(slot) => slot,
        };
        let id = u32::try_from(self.ends.len()).ok().filter(|&id| id != u32::MAX);
        let id = id.expect("fewer than 2^32 - 1 symbols");
        self.texts.push_str(text);
        self.ends.push(u32::try_from(self.texts.len()).expect("symbols have less than 4 GiB of text"));
        self.slots[slot] = u64::from(hash) << 32 | u64::from(id);
        id
    }

    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        if self.slots.is_empty() { None } else { self.lookup(hash(text), text).ok() }
    }

    pub(crate) fn text(&self, id: u32) -> &str {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        &self.texts[start as usize..self.ends[id as usize] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The id of a text, or the slot where it belongs. The table has at least one free slot.
    fn lookup(&self, hash: u32, text: &str) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == FREE {
                return Err(at);
            }
            let id = slot as u32;
            if (slot >> 32) as u32 == hash && self.text(id) == text {
                return Ok(id);
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self, size: usize) {
        let old = std::mem::replace(&mut self.slots, vec![FREE; size]);
        for slot in old.into_iter().filter(|&slot| slot != FREE) {
            let mut at = (slot >> 32) as usize & (size - 1);
            while self.slots[at] != FREE {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
        }
    }
}

impl std::fmt::Debug for Interner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries((0..self.len() as u32).map(|id| self.text(id))).finish()
    }
}

fn hash(text: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    (hasher.finish() >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_one_id_and_names_are_not_roles() {
        let mut symbols = Symbols::new();
        let web = symbols.name("web");
        let empty = symbols.name("");
        let role = symbols.role("web");
        assert_eq!(symbols.name("web"), web);
        assert_ne!(web, empty);
        assert_eq!(
            (symbols.name_text(web), symbols.name_text(empty), symbols.role_text(role)),
            ("web", "", "web")
        );
        assert_eq!((symbols.name_count(), symbols.role_count()), (2, 1));
        assert_eq!((symbols.find_name("web"), symbols.find_name("db")), (Some(web), None));
    }

    #[test]
    fn many_texts_survive_growth_of_the_table() {
        let mut symbols = Symbols::new();
        symbols.reserve(0, 3);
        let ids: Vec<Role> = (0..5_000).map(|i| symbols.role(&format!("r{i}"))).collect();
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(symbols.role_text(*id), format!("r{i}"));
            assert_eq!(symbols.find_role(&format!("r{i}")), Some(*id));
        }
    }
}
