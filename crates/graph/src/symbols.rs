//! Names and roles as small numbers.
//!
//! A graph of a million locations mentions each name and role several times; every comparison, every set and
//! every table index below works on 32-bit ids instead of text. Ids are given in order of first mention, so
//! equal constructions give equal ids.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

macro_rules! id {
    ($(#[$doc:meta])* $id:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $id(pub(crate) u32);

        impl $id {
            /// The id as a table index: ids are consecutive from 0.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// The name of a location. Only meaningful with the [`Symbols`] that gave it.
    Name
);
id!(
    /// A role: a point of attachment and interaction. Only meaningful with the [`Symbols`] that gave it.
    Role
);
id!(
    /// A box around locations in a drawing. Only meaningful with the graph that gave it.
    BoxId
);

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
#[derive(Clone, Default)]
pub(crate) struct Interner {
    texts: String,
    /// Where each text ends; it starts where the one before ends.
    ends: Vec<u32>,
    /// Each id beside the hash of its text, so that the table can grow without reading the texts again.
    ids: HashTable<(u32, u32)>,
}

impl Interner {
    pub(crate) fn intern(&mut self, text: &str) -> u32 {
        let hash = hash(text);
        let same = |&(id, its): &(u32, u32)| its == hash && slice(&self.texts, &self.ends, id) == text;
        if let Some(&(id, _)) = self.ids.find(spread(hash), same) {
            return id;
        }
        let id = u32::try_from(self.ends.len()).expect("fewer than 2^32 symbols");
        self.texts.push_str(text);
        self.ends.push(u32::try_from(self.texts.len()).expect("symbols have less than 4 GiB of text"));
        self.ids.insert_unique(spread(hash), (id, hash), |&(_, hash)| spread(hash));
        id
    }

    pub(crate) fn find(&self, text: &str) -> Option<u32> {
        let hash = hash(text);
        let found = self.ids.find(spread(hash), |&(id, its)| its == hash && self.text(id) == text);
        found.map(|&(id, _)| id)
    }

    pub(crate) fn text(&self, id: u32) -> &str {
        slice(&self.texts, &self.ends, id)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

impl std::fmt::Debug for Interner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries((0..self.len() as u32).map(|id| self.text(id))).finish()
    }
}

fn slice<'a>(texts: &'a str, ends: &[u32], id: u32) -> &'a str {
    let start = if id == 0 { 0 } else { ends[id as usize - 1] };
    &texts[start as usize..ends[id as usize] as usize]
}

fn hash(text: &str) -> u32 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    (hasher.finish() >> 32) as u32
}

/// The table wants 64 bits of which the highest and the lowest are good.
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
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
        let ids: Vec<Role> = (0..5_000).map(|i| symbols.role(&format!("r{i}"))).collect();
        for (i, id) in ids.iter().enumerate() {
            assert_eq!(symbols.role_text(*id), format!("r{i}"));
            assert_eq!(symbols.find_role(&format!("r{i}")), Some(*id));
        }
    }
}
