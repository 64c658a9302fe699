//! Native models that several tests use.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(unreachable_pub, reason = "a test module has no outside")]

use std::convert::Infallible;

use locus_explore::{
    AtomSet, Formula, InitialSink, Model, Obligations, Properties, Saving, StepSink, Tuning,
};

/// Two jugs of 3 and 5 gallons and a tap; the puzzle is to have 4 gallons in the big one.
pub struct DieHard;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pour {
    FillSmall,
    FillBig,
    EmptySmall,
    EmptyBig,
    SmallToBig,
    BigToSmall,
}

impl Model for DieHard {
    type State = (u8, u8);
    type Action = Pour;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &(0, 0));
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        &(small, big): &(u8, u8),
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        let to_big = small.min(5 - big);
        let to_small = big.min(3 - small);
        let steps = [
            (Pour::FillSmall, (3, big)),
            (Pour::FillBig, (small, 5)),
            (Pour::EmptySmall, (0, big)),
            (Pour::EmptyBig, (small, 0)),
            (Pour::SmallToBig, (small - to_big, big + to_big)),
            (Pour::BigToSmall, (small + to_small, big - to_small)),
        ];
        for (action, next) in steps {
            if sink(worker, &action, &next).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), &(small, big): &(u8, u8)) -> Result<u64, Infallible> {
        Ok(u64::from(small) << 8 | u64::from(big))
    }

    fn check_state(
        &self,
        (): &mut (),
        state: &(u8, u8),
        violated: &mut Vec<usize>,
    ) -> Result<(), Infallible> {
        if state.1 == 4 {
            violated.push(0);
        }
        Ok(())
    }
}

impl Properties for DieHard {}
impl Saving for DieHard {}
impl Tuning for DieHard {
    fn action_kinds(&self) -> usize {
        6
    }

    fn action_kind(&self, action: &Pour) -> usize {
        *action as usize
    }
}

/// The coffee can: take two beans; put back a black one if they were alike, else a white one. The actions are
/// those of `CoffeeCan.tla` in the TLA+ examples.
pub struct CoffeeCan {
    pub beans: u32,
}

impl Model for CoffeeCan {
    /// Black and white beans.
    type State = (u32, u32);
    /// 0: two black, 1: two white, 2: one of each.
    type Action = usize;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        for black in 0..=self.beans {
            for white in 0..=self.beans {
                if (1..=self.beans).contains(&(black + white)) && sink(worker, &(black, white)).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        &(black, white): &(u32, u32),
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        if black > 1 && sink(worker, &0, &(black - 1, white)).is_break() {
            return Ok(());
        }
        if white > 1 && sink(worker, &1, &(black + 1, white - 2)).is_break() {
            return Ok(());
        }
        if black > 0 && white > 0 && sink(worker, &2, &(black - 1, white)).is_break() {
            return Ok(());
        }
        // The specification lets a can with one bean stutter, so that it is no deadlock.
        if black + white == 1 {
            let _ = sink(worker, &3, &(black, white));
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), &(black, white): &(u32, u32)) -> Result<u64, Infallible> {
        Ok(u64::from(black) << 32 | u64::from(white))
    }
}

impl Properties for CoffeeCan {
    fn state_atoms(
        &self,
        (): &mut (),
        &(black, white): &(u32, u32),
        atoms: &mut AtomSet,
    ) -> Result<(), Infallible> {
        atoms.set(0, black + white == 1);
        atoms.set(1, black + white > 1);
        Ok(())
    }

    fn step_atoms(
        &self,
        (): &mut (),
        from: &(u32, u32),
        _: Option<&usize>,
        to: &(u32, u32),
        atoms: &mut AtomSet,
    ) -> Result<(), Infallible> {
        atoms.set(0, from != to);
        Ok(())
    }
}

impl Saving for CoffeeCan {}
impl Tuning for CoffeeCan {}

/// Peterson's mutual exclusion of two processes.
pub struct Peterson {
    /// Leaves out the turn: then the processes can wait for each other for ever.
    pub forgets_turn: bool,
}

/// Where each process is, whether it wants to enter, whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PetersonState {
    pub at: [Label; 2],
    pub wants: [bool; 2],
    pub turn: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    Idle,
    Turn,
    Wait,
    Critical,
}

impl Model for Peterson {
    type State = PetersonState;
    /// The process that moves.
    type Action = usize;
    type Error = Infallible;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), Infallible> {
        let _ = sink(worker, &PetersonState { at: [Label::Idle; 2], wants: [false; 2], turn: 0 });
        Ok(())
    }

    fn successors(
        &self,
        worker: &mut (),
        state: &PetersonState,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Infallible> {
        for me in 0..2 {
            let mut next = *state;
            let other = 1 - me;
            match state.at[me] {
                Label::Idle => {
                    next.wants[me] = true;
                    next.at[me] = Label::Turn;
                }
                Label::Turn => {
                    if !self.forgets_turn {
                        next.turn = other;
                    }
                    next.at[me] = Label::Wait;
                }
                Label::Wait => {
                    let my_turn = !self.forgets_turn && state.turn == me;
                    if state.wants[other] && !my_turn {
                        continue;
                    }
                    next.at[me] = Label::Critical;
                }
                Label::Critical => {
                    next.wants[me] = false;
                    next.at[me] = Label::Idle;
                }
            }
            if sink(worker, &me, &next).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn fingerprint(&self, (): &mut (), state: &PetersonState) -> Result<u64, Infallible> {
        let bits = state.wants.map(u64::from);
        let at = state.at.map(|label| label as u64);
        Ok(at[0] | at[1] << 2 | bits[0] << 4 | bits[1] << 5 | (state.turn as u64) << 6)
    }

    fn check_state(
        &self,
        (): &mut (),
        state: &PetersonState,
        violated: &mut Vec<usize>,
    ) -> Result<(), Infallible> {
        if state.at == [Label::Critical; 2] {
            violated.push(0);
        }
        Ok(())
    }
}

impl Properties for Peterson {
    /// 0 and 1: process waits or is about to; 2 and 3: it is in the critical section; 4 and 5 say whether it can
    /// move, 6 and 7 whether it is idle. 4 and 5 are left to the search.
    fn state_atoms(&self, (): &mut (), state: &PetersonState, atoms: &mut AtomSet) -> Result<(), Infallible> {
        for me in 0..2 {
            atoms.set(me, matches!(state.at[me], Label::Turn | Label::Wait));
            atoms.set(2 + me, state.at[me] == Label::Critical);
            atoms.set(6 + me, state.at[me] == Label::Idle);
        }
        Ok(())
    }

    /// Which process moves.
    fn step_atoms(
        &self,
        (): &mut (),
        _: &PetersonState,
        action: Option<&usize>,
        _: &PetersonState,
        atoms: &mut AtomSet,
    ) -> Result<(), Infallible> {
        if let Some(&me) = action {
            atoms.insert(me);
        }
        Ok(())
    }
}

impl Saving for Peterson {}
impl Tuning for Peterson {}

/// Returns the properties that [`Peterson`] should satisfy, with these assumptions.
pub fn peterson_obligations(assumptions: Vec<Formula>) -> Obligations {
    let enters = |me| Formula::State(me).leads_to(Formula::State(2 + me));
    Obligations {
        state_atoms: 8,
        step_atoms: 2,
        enabled: vec![(4, 0), (5, 1)],
        assumptions,
        properties: vec![enters(0), enters(1), Formula::State(2).eventually().always()],
    }
}

/// A graph given by its edges. A state is a number, an action the place of the edge among those of its state.
#[derive(Clone, Debug)]
pub struct Explicit {
    pub initial: Vec<u16>,
    pub edges: Vec<Vec<u16>>,
    /// States outside the constraint.
    pub outside: Vec<bool>,
    /// States that violate invariant 0.
    pub bad: Vec<bool>,
    /// The model cannot give successors of these.
    pub broken: Vec<bool>,
}

impl Model for Explicit {
    type State = u16;
    type Action = usize;
    type Error = u16;
    type Worker = ();

    fn worker(&self) {}

    fn initial_states(&self, worker: &mut (), sink: &mut InitialSink<'_, Self>) -> Result<(), u16> {
        let _ = self.initial.iter().try_for_each(|state| sink(worker, state));
        Ok(())
    }

    fn successors(&self, worker: &mut (), state: &u16, sink: &mut StepSink<'_, Self>) -> Result<(), u16> {
        for (action, next) in self.edges[usize::from(*state)].iter().enumerate() {
            if sink(worker, &action, next).is_break() {
                return Ok(());
            }
        }
        if self.broken[usize::from(*state)] { Err(*state) } else { Ok(()) }
    }

    fn fingerprint(&self, (): &mut (), state: &u16) -> Result<u64, u16> {
        // Not monotonic, so that order by fingerprint is not order by number.
        Ok(u64::from(*state ^ 0x55).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn check_state(&self, (): &mut (), state: &u16, violated: &mut Vec<usize>) -> Result<(), u16> {
        if self.bad[usize::from(*state)] {
            violated.push(0);
        }
        Ok(())
    }
}

impl Properties for Explicit {
    fn is_within(&self, (): &mut (), state: &u16) -> Result<bool, u16> {
        Ok(!self.outside[usize::from(*state)])
    }

    /// 0: the state is divisible by 3; 1: by 7; 2 is left to the search.
    fn state_atoms(&self, (): &mut (), state: &u16, atoms: &mut AtomSet) -> Result<(), u16> {
        atoms.set(0, state.is_multiple_of(3));
        atoms.set(1, state.is_multiple_of(7));
        Ok(())
    }

    /// 0: it is the first edge of its state.
    fn step_atoms(
        &self,
        (): &mut (),
        _: &u16,
        action: Option<&usize>,
        _: &u16,
        atoms: &mut AtomSet,
    ) -> Result<(), u16> {
        atoms.set(0, action == Some(&0));
        Ok(())
    }
}

impl Saving for Explicit {
    fn store(&self, state: &u16, bytes: &mut Vec<u8>) -> bool {
        bytes.extend_from_slice(&state.to_le_bytes());
        true
    }

    fn restore(&self, (): &mut (), bytes: &[u8]) -> Option<u16> {
        bytes.try_into().ok().map(u16::from_le_bytes)
    }
}

impl Tuning for Explicit {
    /// Makes no difference, so some graphs do it and others do not.
    fn is_held_back(&self) -> bool {
        self.edges.len().is_multiple_of(2)
    }

    fn action_kinds(&self) -> usize {
        5
    }

    fn action_kind(&self, action: &usize) -> usize {
        *action
    }
}

/// Large enough that levels are shared out among threads.
pub fn large(seed: u64) -> Explicit {
    let states = 20_000_u16;
    let mut x = seed;
    let mut below = move |bound: u16| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((x >> 33) % u64::from(bound)) as u16
    };
    Explicit {
        initial: (0..20).map(|_| below(states)).collect(),
        edges: (0..states).map(|_| (0..=below(4)).map(|_| below(states)).collect()).collect(),
        outside: (0..states).map(|_| below(20) == 0).collect(),
        bad: (0..states).map(|_| below(500) == 0).collect(),
        broken: (0..states).map(|_| below(5000) == 0).collect(),
    }
}
