//! Values that depend on a few variables of a state, remembered between states.
//!
//! A refinement maps each state to an abstract one. Every step into a state needs the abstract state it leads to, and
//! many states differ in variables that it does not depend on; so it is worth a table. The table is of a fixed size,
//! and what it holds is compared with the variables themselves, so it is never wrong.

use smallvec::SmallVec;

use crate::value::{Value, mix};

use super::ir::{Slot, Var};

/// The slots of what is kept: what depends on the state, and what on the next one.
#[derive(Debug, Default)]
pub struct KeptSlots {
    /// Those of what depends on the state.
    pub state: Box<[Slot]>,
    /// Those of what depends on the next state.
    pub next: Box<[KeptNext]>,
}

/// A slot of what depends on the next state.
#[derive(Debug)]
pub struct KeptNext {
    /// The slot.
    pub slot: Slot,
    /// The variables it depends on, if they are known and few: then it is worth remembering between states.
    pub vars: Box<[Var]>,
}

const ENTRIES: usize = 1 << 12;

/// The table of one definition.
#[derive(Debug)]
pub(super) struct Remembered {
    entries: Box<[Option<Entry>]>,
}

#[derive(Clone, Debug)]
struct Entry {
    /// The values of the variables.
    of: SmallVec<[Value; 2]>,
    value: Value,
}

impl Default for Remembered {
    fn default() -> Self {
        Self { entries: vec![None; ENTRIES].into_boxed_slice() }
    }
}

impl Remembered {
    fn place(vars: &[Var], state: &[Value]) -> usize {
        let hash = vars.iter().fold(0, |hash, var| mix(hash, state[*var as usize].hash64()));
        hash as usize % ENTRIES
    }

    /// The value for a state, if it is remembered.
    pub(super) fn get(&self, vars: &[Var], state: &[Value]) -> Option<&Value> {
        let entry = self.entries[Self::place(vars, state)].as_ref()?;
        let same = vars.iter().zip(&entry.of).all(|(var, value)| state[*var as usize].same(value));
        same.then_some(&entry.value)
    }

    /// Remembers the value for a state, in place of another one.
    pub(super) fn set(&mut self, vars: &[Var], state: &[Value], value: Value) {
        let of = vars.iter().map(|var| state[*var as usize].clone()).collect();
        self.entries[Self::place(vars, state)] = Some(Entry { of, value });
    }
}
