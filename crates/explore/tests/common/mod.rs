//! Native models that several tests use.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(unreachable_pub, reason = "a test module has no outside")]

use std::convert::Infallible;

use locus_explore::{AtomSet, InitialSink, Model, StepSink};

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
