//! Records, while a state is explored, what the state graph needs to know of it.

use crate::fingerprint_set::Node;
use crate::graph::{Edge, Letter, Log};
use crate::model::{AtomSet, Explorable};
use crate::temporal::Obligations;

/// One worker's recorder. Steps are gathered until the state is done, since only then all its atoms are known.
pub(crate) struct Recorder<'a> {
    obligations: &'a Obligations,
    log: Log,
    state: AtomSet,
    step: AtomSet,
    /// The step atoms that were true of some successor.
    possible: AtomSet,
    targets: Vec<Node>,
    /// The step atoms of each target.
    step_words: Vec<u64>,
    edges: Vec<Edge>,
    letter: Vec<u64>,
    /// Bytes of the log that were told of.
    told: usize,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(obligations: &'a Obligations) -> Self {
        Recorder {
            obligations,
            log: Log::default(),
            state: AtomSet::new(obligations.state_atoms),
            step: AtomSet::new(obligations.step_atoms),
            possible: AtomSet::new(obligations.step_atoms),
            targets: Vec::new(),
            step_words: Vec::new(),
            edges: Vec::new(),
            letter: Vec::new(),
            told: 0,
        }
    }

    /// Goes on with the letters of one that was saved; none if they are not those of such obligations.
    pub(crate) fn with_letters(obligations: &'a Obligations, letters: &[Letter]) -> Option<Self> {
        let recorder = Recorder::new(obligations);
        let words = recorder.state.words().len() + recorder.step.words().len();
        let fits = letters.iter().all(|letter| letter.len() == words);
        fits.then(|| Recorder { log: Log::with_letters(letters), ..recorder })
    }

    /// Forgets what was gathered for a state that was not finished.
    pub(crate) fn begin(&mut self) {
        self.targets.clear();
        self.step_words.clear();
        self.possible.clear();
    }

    /// Gathers a step; without a target it leads outside the constraints, and counts only as possible.
    pub(crate) fn step<M: Explorable>(
        &mut self,
        model: &M,
        worker: &mut M::Worker,
        from: &M::State,
        action: &M::Action,
        (to, target): (&M::State, Option<Node>),
    ) -> Result<(), M::Error> {
        if target.is_none() && self.obligations.enabled.is_empty() {
            return Ok(());
        }
        self.step.clear();
        model.step_atoms(worker, from, Some(action), to, &mut self.step)?;
        self.possible.extend(&self.step);
        if let Some(target) = target {
            self.targets.push(target);
            self.step_words.extend_from_slice(self.step.words());
        }
        Ok(())
    }

    /// Finishes a state: all its steps were gathered.
    pub(crate) fn end<M: Explorable>(
        &mut self,
        model: &M,
        worker: &mut M::Worker,
        (state, node): (&M::State, Node),
    ) -> Result<(), M::Error> {
        self.state.clear();
        model.state_atoms(worker, state, &mut self.state)?;
        for &(atom, step) in &self.obligations.enabled {
            self.state.set(atom, self.possible.contains(step));
        }
        self.step.clear();
        model.step_atoms(worker, state, None, state, &mut self.step)?;
        self.letter.clear();
        self.letter.extend_from_slice(self.state.words());
        let state_words = self.letter.len();
        self.letter.extend_from_slice(self.step.words());
        let stutter = self.log.letter(&self.letter);
        self.edges.clear();
        let width = self.step.words().len();
        for (index, &to) in self.targets.iter().enumerate() {
            self.letter.truncate(state_words);
            self.letter.extend_from_slice(&self.step_words[index * width..(index + 1) * width]);
            self.edges.push(Edge { to, letter: self.log.letter(&self.letter) });
        }
        self.log.add(node, stutter, &mut self.edges);
        Ok(())
    }

    /// By how many bytes the log has grown since this was asked last.
    pub(crate) fn more_bytes(&mut self) -> usize {
        let bytes = self.log.bytes();
        bytes - std::mem::replace(&mut self.told, bytes)
    }

    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// Forgets what was recorded, now that it is elsewhere.
    pub(crate) fn forget(&mut self) {
        self.log.forget();
        self.told = 0;
    }

    pub(crate) fn into_log(self) -> Log {
        self.log
    }
}
