//! Variables that get a value though they have one: what comes second is but a condition, mostly by mistake.

use locus_source::Place;
use rustc_hash::FxHashMap;

use super::Context;
use super::ir::Var;

/// The construct that gives a value to a variable that has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Again {
    /// `UNCHANGED x`.
    Unchanged,
    /// `x' = e`, right behind another one.
    Assigned,
}

/// Where that was met, and whether the two values were ever the same.
pub(crate) type GivenAgain = FxHashMap<(Place, Var, Again), bool>;

impl Context {
    /// Notes that a variable got a value for the second time. What a worker has noted already costs little.
    #[cold]
    pub(super) fn given_again(&mut self, var: Var, by: Again, place: Place, agrees: bool) {
        let key = (place, var, by);
        if self.given_again.get(&key).is_some_and(|agreed| *agreed || !agrees) {
            return;
        }
        self.given_again.insert(key, agrees);
        let mut all = self.shared.session.given_again.lock().expect("no panic while locked");
        *all.entry(key).or_insert(agrees) |= agrees;
    }
}
