//! What a compiled expression depends on.

use super::ir::Slot;

/// The dependencies of an expression.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Reads a variable of the current state.
    pub(crate) state: bool,
    /// Reads a variable of the next state (or the initial one in the making), or a shadow of one.
    pub(crate) next: bool,
    /// Has an effect or a result that varies, such as `RandomElement` or `TLCSet`.
    pub(crate) impure: bool,
    /// Calls a recursive operator whose body is still being compiled: the outermost such, by depth.
    pub(crate) pending: Option<usize>,
    /// The slots it reads that it does not bind, sorted.
    pub(crate) free: Vec<Slot>,
}

impl Facts {
    pub(crate) fn is_constant(&self) -> bool {
        !self.state && !self.next && !self.impure && self.pending.is_none() && self.free.is_empty()
    }

    pub(crate) fn read(&mut self, slot: Slot) {
        if let Err(at) = self.free.binary_search(&slot) {
            self.free.insert(at, slot);
        }
    }

    /// The slot is bound here.
    pub(crate) fn bind(&mut self, slot: Slot) {
        if let Ok(at) = self.free.binary_search(&slot) {
            self.free.remove(at);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.state |= other.state;
        self.next |= other.next;
        self.impure |= other.impure;
        self.pending = match (self.pending, other.pending) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        for slot in &other.free {
            self.read(*slot);
        }
    }
}
