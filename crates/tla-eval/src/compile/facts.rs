//! The dependencies of a compiled expression.

use crate::eval::ir::{Slot, Var};

/// The dependencies of an expression.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Reads a variable of the current state.
    pub state: bool,
    /// The variables of the current state that it reads, as bits; from the 64th on they share one.
    pub vars: u64,
    /// Reads a variable of the next state (or the initial one in the making), or a shadow of one.
    pub next: bool,
    /// The variables of the next state that it reads, as bits; all of them if that is not known.
    pub next_vars: u64,
    /// Has an effect, or a result that varies, such as `TLCSet` and `TLCGet`.
    pub impure: bool,
    /// Has a result that is left to chance, such as `RandomElement`.
    pub chance: bool,
    /// Calls a recursive operator whose body is still being compiled: the outermost such, by depth.
    pub pending: Option<usize>,
    /// Names a parameter that has no meaning where it is compiled.
    pub unbound: bool,
    /// The slots it reads that it does not bind, sorted.
    pub free: Vec<Slot>,
}

/// The bit of a variable in [`Facts::vars`].
pub fn var_bit(var: Var) -> u64 {
    1 << var.min(63)
}

impl Facts {
    pub fn is_constant(&self) -> bool {
        !self.state && !self.next && !self.varies() && self.pending.is_none() && self.free.is_empty()
    }

    /// Whether two evaluations in the same state may differ.
    pub fn varies(&self) -> bool {
        self.impure || self.chance
    }

    /// Reads a variable of the current state.
    pub fn read_var(&mut self, var: Var) {
        self.state = true;
        self.vars |= var_bit(var);
    }

    /// Reads a variable of the next state.
    pub fn read_next_var(&mut self, var: Var) {
        self.next = true;
        self.next_vars |= var_bit(var);
    }

    /// Reads, or gives values to, variables of the next state.
    pub fn read_next(&mut self) {
        self.next = true;
        self.next_vars = u64::MAX;
    }

    pub fn read(&mut self, slot: Slot) {
        if let Err(at) = self.free.binary_search(&slot) {
            self.free.insert(at, slot);
        }
    }

    /// The slot is bound here.
    pub fn bind(&mut self, slot: Slot) {
        if let Ok(at) = self.free.binary_search(&slot) {
            self.free.remove(at);
        }
    }

    pub fn merge(&mut self, other: &Self) {
        self.state |= other.state;
        self.vars |= other.vars;
        self.next |= other.next;
        self.next_vars |= other.next_vars;
        self.impure |= other.impure;
        self.chance |= other.chance;
        self.unbound |= other.unbound;
        self.pending = match (self.pending, other.pending) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        for slot in &other.free {
            self.read(*slot);
        }
    }
}
