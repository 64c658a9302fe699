//! Which of many actions or predicates need not be asked in a state.
//!
//! Most actions are impossible in most states, and mostly the first thing that they ask tells: a program counter,
//! whether there is a message. Several ask for the same thing. So what is false by one look is noted here under that
//! look, and one look rules out all of them at once.

use super::memo::Look;

/// The most that one switch is for.
pub(crate) const MOST: usize = 64;
/// The most looks of a switch.
const MOST_LOOKS: usize = 64;

/// A switch.
#[derive(Default, Debug)]
pub(crate) struct Switch {
    looks: Vec<Looks>,
}

/// The actions and predicates that are ruled out by looking at the same bits.
#[derive(Debug)]
struct Looks {
    word: u32,
    mask: u32,
    shift: u32,
    /// For each value of them, what is false, as bits.
    out: Vec<u64>,
}

impl Switch {
    /// Which of so many may be true, as bits.
    #[inline]
    pub(crate) fn open(&self, count: usize, state: &[u32]) -> u64 {
        let mut open = all(count);
        for Looks { word, mask, shift, out } in &self.looks {
            let value = (state[*word as usize] & mask) >> shift;
            open &= !out.get(value as usize).copied().unwrap_or(0);
        }
        open
    }

    /// Notes that one is false wherever this is seen.
    #[cold]
    pub(crate) fn rule_out(&mut self, index: usize, look: Look) {
        let Look { word, mask, shift, value } = look;
        let place = self.looks.iter().position(|other| other.word == word && other.mask == mask);
        let place = place.unwrap_or_else(|| {
            self.looks.push(Looks { word, mask, shift, out: Vec::new() });
            self.looks.len() - 1
        });
        let out = &mut self.looks[place].out;
        if out.len() <= value as usize {
            out.resize(value as usize + 1, 0);
        }
        out[value as usize] |= 1 << index;
        if self.looks.len() > MOST_LOOKS {
            self.looks.pop();
        }
    }
}

/// So many bits.
fn all(count: usize) -> u64 {
    debug_assert!(count <= MOST, "a switch is for no more than it has bits");
    if count == 0 { 0 } else { u64::MAX >> (MOST - count) }
}

#[cfg(test)]
mod tests {
    use super::{Look, Switch};

    #[test]
    fn one_look_rules_out_all_that_it_was_enough_for() {
        let mut switch = Switch::default();
        let look = |value| Look { word: 1, mask: 0xF0, shift: 4, value };
        switch.rule_out(0, look(3));
        switch.rule_out(2, look(3));
        switch.rule_out(1, look(5));
        assert_eq!(switch.open(3, &[0, 0x30]), 0b010);
        assert_eq!(switch.open(3, &[0, 0x50]), 0b101);
        assert_eq!(switch.open(3, &[0, 0x70]), 0b111);
        assert_eq!(switch.open(64, &[0, 0x70]), u64::MAX);
        // One that is never possible is ruled out by a look at nothing.
        switch.rule_out(1, Look { word: 0, mask: 0, shift: 0, value: 0 });
        assert_eq!(switch.open(3, &[0, 0x70]), 0b101);
    }
}
