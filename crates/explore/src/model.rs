//! The interface of a state machine that can be explored: the [`Model`] trait, and the further traits of one that has
//! more to it.
//!
//! The trait asks for little. A model streams its initial states and the successors of a state into a callback,
//! and gives a fingerprint to each state; everything else has a default. States and steps are handed over by
//! reference, so a model may keep one scratch state per worker: the search clones a state only when it is new.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::limits::Reason;

/// Receives initial states. On [`ControlFlow::Break`] the model returns `Ok(())` as soon as it can.
pub type InitialSink<'a, M> =
    dyn FnMut(&mut <M as Model>::Worker, &<M as Model>::State) -> ControlFlow<()> + 'a;

/// Receives the steps out of a state. On [`ControlFlow::Break`] the model returns `Ok(())` as soon as it can.
pub type StepSink<'a, M> =
    dyn FnMut(&mut <M as Model>::Worker, &<M as Model>::Action, &<M as Model>::State) -> ControlFlow<()> + 'a;

/// A reason why two different states have the same fingerprint on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Nothing: states are equal exactly if their fingerprints are (up to collisions).
    None,
    /// The fingerprint is that of a canonical representative under a symmetry of the model. Invariants stay
    /// sound; temporal properties do not.
    Symmetry,
    /// The fingerprint is that of a projection of the state (a view). What is explored is the first state found
    /// for each view, so with several workers even the counts may vary if the view forgets something that
    /// matters.
    View,
}

/// A state machine.
///
/// Beside it, a model that is explored says what else there is to it: [`Properties`], [`Saving`] and [`Tuning`], all
/// of whose methods have a default, so that each may be empty.
///
/// Every method gets the worker's own context `Worker`, made once per thread by [`Model::worker`], for caches,
/// scratch space and the like. The callbacks hand the context on, so the search can ask the model about a
/// successor while the model is still in the middle of producing them: a model must expect its other methods to
/// be called from inside a sink, with the same context.
pub trait Model: Sync {
    /// A state. Choose a compact one: the frontier of the search holds many of them.
    type State: Clone + Send;
    /// The label of a step. It should be cheap to make; details can be worked out when a trace is shown.
    type Action: Clone + Send;
    /// Why a state could not be evaluated.
    type Error: Send;
    /// The data that one worker keeps for itself.
    type Worker: Send;

    /// Makes the context of one worker.
    fn worker(&self) -> Self::Worker;

    /// Streams every initial state; one that is streamed twice counts as generated twice.
    fn initial_states(
        &self,
        worker: &mut Self::Worker,
        sink: &mut InitialSink<'_, Self>,
    ) -> Result<(), Self::Error>;

    /// Streams every successor of `state`; one that is streamed twice counts as generated twice. The order must
    /// depend on nothing but the state.
    fn successors(
        &self,
        worker: &mut Self::Worker,
        state: &Self::State,
        sink: &mut StepSink<'_, Self>,
    ) -> Result<(), Self::Error>;

    /// Names a state by 64 bits. It must not depend on the worker or on the run. Symmetry and views are expressed
    /// here, and declared by [`Model::reduction`].
    fn fingerprint(&self, worker: &mut Self::Worker, state: &Self::State) -> Result<u64, Self::Error>;

    /// Says whether fingerprints identify states that differ.
    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    /// Pushes the indices of the invariants that `state` violates. Called once per distinct state, and on each
    /// occurrence of a state outside the constraint.
    fn check_state(
        &self,
        _worker: &mut Self::Worker,
        _state: &Self::State,
        _violated: &mut Vec<usize>,
    ) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Further properties of the states and steps of a model to check, and which of them are explored.
pub trait Properties: Model {
    /// Whether [`Properties::is_within`] may be false. If so, it is not asked of states that are known already.
    fn is_constrained(&self) -> bool {
        false
    }

    /// The state constraint: a state outside is generated, and its invariants are checked, but it is not
    /// explored and not counted as distinct.
    fn is_within(&self, _worker: &mut Self::Worker, _state: &Self::State) -> Result<bool, Self::Error> {
        Ok(true)
    }

    /// The action constraint: like [`Properties::is_within`], for a step.
    fn is_step_within(
        &self,
        _worker: &mut Self::Worker,
        _from: &Self::State,
        _action: &Self::Action,
        _to: &Self::State,
    ) -> Result<bool, Self::Error> {
        Ok(true)
    }

    /// Pushes the indices of the properties of initial states that `state` violates. Called on initial states.
    fn check_initial(
        &self,
        _worker: &mut Self::Worker,
        _state: &Self::State,
        _violated: &mut Vec<usize>,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Pushes the indices of the step properties (`[][A]_v`) that a step violates. Called on every step.
    fn check_step(
        &self,
        _worker: &mut Self::Worker,
        _from: &Self::State,
        _action: &Self::Action,
        _to: &Self::State,
        _violated: &mut Vec<usize>,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Sets the state atoms of the temporal formulas that are true in `state`. Called once per explored state.
    fn state_atoms(
        &self,
        _worker: &mut Self::Worker,
        _state: &Self::State,
        _atoms: &mut AtomSet,
    ) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Sets the step atoms of the temporal formulas that are true of a step; without an action it is a
    /// stuttering step, and `to` is `from`. Called on every step, and once per explored state to stutter.
    fn step_atoms(
        &self,
        _worker: &mut Self::Worker,
        _from: &Self::State,
        _action: Option<&Self::Action>,
        _to: &Self::State,
        _atoms: &mut AtomSet,
    ) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// How the states of a model are kept: how much memory they take, and how they are written down.
pub trait Saving: Model {
    /// Bytes that a state owns on the heap, for the memory limit. Asked once, when the state is found, before it is
    /// cloned into the frontier; what it shares with others may be left to them.
    fn heap_bytes(&self, _state: &Self::State) -> usize {
        0
    }

    /// Writes a state that is to be kept outside memory. False if it cannot be written; then it stays.
    fn store(&self, _state: &Self::State, _bytes: &mut Vec<u8>) -> bool {
        false
    }

    /// The state that was written so; none if it is not one.
    fn restore(&self, _worker: &mut Self::Worker, _bytes: &[u8]) -> Option<Self::State> {
        None
    }

    /// Returns what the model itself must know to continue, in another process, with a search that was saved.
    fn remember(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// The messages between the search and the model, by which a model can divide its work, count it, and give up.
pub trait Tuning: Model {
    /// Is told where the search is: on `depth` states before the successors of the last of them are asked for, and on
    /// none before the initial states are. Who repeats steps, such as for a trace, tells it too.
    fn at_depth(&self, _worker: &mut Self::Worker, _depth: u32) {}

    /// Is given, before a worker is used, the flag that is set when its search ends, by a limit or by a violation
    /// that another worker found. A model whose steps take long may look at it and [give up](Tuning::gave_up).
    fn watch(&self, _worker: &mut Self::Worker, _ended: &Arc<AtomicBool>) {}

    /// Is told whether what comes next only repeats what was done before, such as for a trace. That search has ended,
    /// mostly by a violation, and perhaps at a limit: a model that watches limits itself must go beyond them here, as
    /// far as the trace needs it.
    fn repeating(&self, _worker: &mut Self::Worker, _repeats: bool) {}

    /// Whether an error only says that the model gave up because it was to end: no violation, but a search that is not
    /// finished. A model whose steps take long may watch the clock itself.
    fn gave_up(&self, _error: &Self::Error) -> Option<Reason> {
        None
    }

    /// Whether the model wants to know the [`Figures`] of the search as it goes. They are exact with one worker.
    fn wants_figures(&self) -> bool {
        false
    }

    /// Is told the figures, if it wants them: before each state is looked at, and again when it turned out to be new.
    /// On [`ControlFlow::Break`] the search ends, as if it had been stopped from outside.
    fn figures(&self, _worker: &mut Self::Worker, _figures: &Figures) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// How many kinds of action there are, for coverage.
    fn action_kinds(&self) -> usize {
        0
    }

    /// The kind of an action, below [`Tuning::action_kinds`].
    fn action_kind(&self, _action: &Self::Action) -> usize {
        0
    }

    /// Has a worker, of which there are so many, find no more than its share of the initial states, if the model can
    /// divide them: together they find each once. A model that cannot has each worker find all of them.
    fn divide_initial(&self, _worker: &mut Self::Worker, _number: usize, _of: usize) {}

    /// Where what a worker finds now, or has found last, stands among what all of them find, if initial states are
    /// divided. That may turn out only when the first state is found.
    fn place_of_initial(&self, _worker: &Self::Worker) -> Option<u64> {
        None
    }

    /// Whether steps are looked at some time after they are found, so that the memory for them can be fetched
    /// meanwhile. Worth it where states are copied, share no memory and are not to be [adopted](Tuning::adopt), and
    /// fingerprints are found quickly; not for a model that wants [`Figures`].
    fn is_held_back(&self) -> bool {
        false
    }

    /// Makes a state that another worker has found this worker's own. If states share memory, this is the place to
    /// stop it: two workers that count references to the same value all the time keep each other waiting.
    fn adopt(&self, _worker: &mut Self::Worker, state: Self::State) -> Self::State {
        state
    }
}

/// A model with all that a search may ask of it.
pub trait Explorable: Properties + Saving + Tuning {}

impl<M: Properties + Saving + Tuning> Explorable for M {}

/// How far a search is, for models that want to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// States generated, the one that is being looked at included.
    pub generated: u64,
    /// Distinct states found.
    pub distinct: u64,
    /// Distinct states that wait to be explored.
    pub queue: u64,
    /// States on the longest of the shortest paths so far.
    pub depth: u32,
}

/// A set of atoms, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomSet {
    words: Vec<u64>,
}

impl AtomSet {
    /// The empty set over `count` atoms.
    pub fn new(count: usize) -> AtomSet {
        AtomSet { words: vec![0; count.div_ceil(64)] }
    }

    /// Adds `atom`, which must be below the count the set was made for.
    pub fn insert(&mut self, atom: usize) {
        self.words[atom / 64] |= 1 << (atom % 64);
    }

    /// Adds `atom` or takes it away.
    pub fn set(&mut self, atom: usize, value: bool) {
        let bit = 1 << (atom % 64);
        let word = &mut self.words[atom / 64];
        *word = if value { *word | bit } else { *word & !bit };
    }

    /// Whether `atom` is in the set.
    pub fn contains(&self, atom: usize) -> bool {
        self.words.get(atom / 64).is_some_and(|word| word & (1 << (atom % 64)) != 0)
    }

    /// Takes everything away.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Adds everything that is in `other`, a set over as many atoms.
    pub(crate) fn extend(&mut self, other: &AtomSet) {
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// A set from its words.
    pub(crate) fn from_words(words: &[u64]) -> AtomSet {
        AtomSet { words: words.to_vec() }
    }

    /// The words of the set, least atoms first.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}
