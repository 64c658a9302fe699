//! All that a driver can make, change and find again, as data: for plans and checks, before anything is done.
//!
//! Out of scope: what the languages know of changes themselves; what a driver says is added to that.

/// All that a driver can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ability {
    /// How nothing is made twice for one token.
    pub tokens: Tokens,
    /// Whether it lists all that a deployment has made.
    pub lists: bool,
    /// Whether it can take over what exists.
    pub imports: bool,
    /// The types that it makes. A type without a name stands for all others.
    pub sorts: &'static [Sort],
}

/// How nothing is made twice for one token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tokens {
    /// The world itself makes nothing twice: it takes the token as a client token, or as a name that only one can have.
    Honoured,
    /// The driver writes the token on what it makes, and looks for it before it calls. A call that was lost is
    /// repeated only when nothing was found for as long as it may take effect.
    Looked,
}

/// A type of things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sort {
    /// The name, as languages have it; empty for all that have no entry of their own.
    pub name: &'static str,
    /// The properties that cannot be changed in place: what has them is replaced. `*` stands for all.
    pub fixed: &'static [&'static str],
    /// The properties that cannot be changed at all.
    pub refused: &'static [&'static str],
    /// Whether an old one must be gone before the new one can be made, as for names that only one can have.
    pub old_first: bool,
}

impl Sort {
    /// A type whose things can be changed in every way.
    pub const fn new(name: &'static str) -> Self {
        Self { name, fixed: &[], refused: &[], old_first: false }
    }

    /// Whether a property is among words.
    fn has(words: &[&str], property: &str) -> bool {
        words.iter().any(|&word| word == "*" || word == property)
    }

    /// Whether what has this property is replaced when it changes.
    pub fn is_fixed(&self, property: &str) -> bool {
        Self::has(self.fixed, property)
    }

    /// Whether this property can never change.
    pub fn is_refused(&self, property: &str) -> bool {
        Self::has(self.refused, property)
    }
}

/// The sorts of a driver that makes everything, and changes it in every way.
pub(crate) const EVERYTHING: &[Sort] = &[Sort::new("")];

impl Ability {
    /// All that is known of a type; none if nothing of it can be made.
    pub fn sort(&self, name: &str) -> Option<&Sort> {
        let named = |wanted: &str| self.sorts.iter().find(|sort| sort.name == wanted);
        named(name).or_else(|| named(""))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_of_its_own_counts_more_than_all_others() {
        const SORTS: &[Sort] = &[
            Sort { fixed: &["image"], ..Sort::new("server") },
            Sort { fixed: &["*"], refused: &["zone"], ..Sort::new("disk") },
        ];
        let mut ability = Ability { tokens: Tokens::Honoured, lists: false, imports: false, sorts: SORTS };
        let server = ability.sort("server").expect("it is made");
        assert!(server.is_fixed("image") && !server.is_fixed("name"));
        let disk = ability.sort("disk").expect("it is made");
        assert!(disk.is_fixed("size") && disk.is_refused("zone") && !disk.is_refused("size"));
        assert_eq!(ability.sort("queue"), None);
        ability.sorts = EVERYTHING;
        assert_eq!(ability.sort("queue"), Some(&Sort::new("")));
    }
}
