//! All transitions of a graph, from those of its locations.
//!
//! A transition of a graph is a set of locations that move, each by one of its own transitions,
//! synchronized, and uncoupled from the rest. Trying all sets of locations and all combinations of their
//! moves would take exponential time even where there is almost nothing to find. Instead:
//!
//! 1. A move with a signal on a role that is bound in the graph needs the location at the other side to move
//!    along with a matching signal. Following these needs from a move gives *components*: smallest sets of
//!    moves that need nobody else. The search only ever branches over moves that answer a pending signal,
//!    found by table, so it takes time in proportion to the partial matches there are: for locations that
//!    interact in pairs, linear in the number of matching pairs of moves. In the worst case (long chains of
//!    ambiguous answers) it is exponential in the size of a component; a limit stops it.
//! 2. With [`Granularity::Single`], the transitions are the components. With [`Granularity::All`], they are
//!    all sets of components over different locations, as the report has it: independent moves may happen
//!    at once. Of k independent moves there are 2^k - 1 such sets, which is inherent; the limit stops it.
//! 3. Each candidate goes through [`synchronize`], and its result must be mixable with the locations that
//!    stay, as [`uncouple`] has it. A table of the graph's names and roles tells, without looking at each
//!    location that stays; so a step of a few locations costs the same in a small graph and in a large one.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::semantics::behaviour::{Fresh, Move, Supply};
use crate::semantics::transition::join;
use crate::semantics::{
    Behaviour, Condition, Context, Interaction, SynchronizeError, Transition, synchronize, uncouple,
};
use crate::{Atom, IllFormed, Location, LocationSet, Name, Role, Symbols};

/// Which transitions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Granularity {
    /// Those that are not made of several independent ones. Any other is a sequence of these, unless
    /// its parts depend on happening at the same moment (one takes a name that another gives up).
    #[default]
    Single,
    /// All of them, independent ones at once included.
    All,
}

/// How to step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepOptions {
    /// Which transitions are wanted.
    pub granularity: Granularity,
    /// How much work to do: an individual transition, a look at a partial component and each location of a
    /// candidate set count one each.
    pub limit: usize,
}

impl Default for StepOptions {
    fn default() -> Self {
        Self { granularity: Granularity::default(), limit: 1_000_000 }
    }
}

/// A step of a graph: some of its locations move, and the others stay.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The transition of those that move.
    pub moving: Transition,
    /// The individual transitions that it is made of, in order of locations.
    pub parts: Vec<Arc<Transition>>,
}

impl Step {
    /// The transition of the whole graph from which the step was computed.
    ///
    /// # Panics
    /// If it was computed from another.
    pub fn transition(&self, graph: &LocationSet) -> Transition {
        let rest = graph.difference(self.moving.init());
        uncouple(&self.moving, &rest).expect("a step was found to be uncoupled from the rest of its graph")
    }
}

/// Why a graph cannot be stepped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// The graph breaks the static rules.
    IllFormed(IllFormed),
    /// The context does not know these atoms of the graph.
    ContextLacks(Vec<Atom>),
    /// The behaviour gave this location a move that is no transition.
    BadMove(Name, Vec<Condition>),
    /// The behaviour answered an offer to this location, at this role, with a move that does not match it.
    BadAnswer(Name, Role),
    /// More work than [`StepOptions::limit`].
    Limit(usize),
}

impl StepError {
    /// In words.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        match self {
            Self::IllFormed(ill) => format!("the graph is not well-formed: {}", ill.display(symbols)),
            Self::ContextLacks(atoms) => format!(
                "the context lacks {}, which the graph mentions",
                join(atoms.iter().map(|atom| atom.display(symbols).to_string()))
            ),
            Self::BadMove(name, conditions) => format!(
                "the behaviour of {} gave a move that is no transition: {}",
                symbols.name_text(*name),
                conditions.iter().map(|c| c.display(symbols).to_string()).collect::<Vec<_>>().join("; ")
            ),
            Self::BadAnswer(name, role) => format!(
                "the behaviour of {} answered an offer at {} with a move that does not match it",
                symbols.name_text(*name),
                symbols.role_text(*role)
            ),
            Self::Limit(limit) => {
                format!(
                    "stepping the graph takes more work than the limit of {limit}; raise it if this is meant"
                )
            }
        }
    }
}

/// All transitions of a graph in a context, in a fixed order.
///
/// Locations that interact in pairs cost time in proportion to the matching pairs of their moves; long chains
/// of ambiguous answers, and [`Granularity::All`] of many independent moves, take exponential time, until
/// [`StepOptions::limit`] stops them.
///
/// New names and roles are added to `symbols`. Different combinations of moves are different steps, even if
/// their transitions are equal.
///
/// # Errors
/// If the graph is not well-formed or not known to the context, if the behaviour gives moves that break the
/// conditions on transitions, or beyond the limit.
pub fn step(
    behaviour: &(impl Behaviour + ?Sized),
    graph: &LocationSet,
    context: &Context,
    symbols: &mut Symbols,
    options: StepOptions,
) -> Result<Vec<Step>, StepError> {
    graph.check_well_formed().map_err(StepError::IllFormed)?;
    let missing = context.missing(graph.atoms());
    if !missing.is_empty() {
        return Err(StepError::ContextLacks(missing));
    }
    let mut work = Work { done: 0, limit: options.limit };
    let moves = Moves::of(behaviour, graph, context, symbols, &mut work)?;
    let components = components(&moves, &mut work)?;
    let mut steps = Vec::new();
    match options.granularity {
        Granularity::Single => {
            for component in &components {
                work.add(component.len())?;
                steps.extend(moves.compose(component));
            }
        }
        Granularity::All => unions(&moves, &components, &mut steps, &mut work)?,
    }
    Ok(steps)
}

struct Work {
    done: usize,
    limit: usize,
}

impl Work {
    fn add(&mut self, amount: usize) -> Result<(), StepError> {
        self.done += amount;
        if self.done > self.limit { Err(StepError::Limit(self.limit)) } else { Ok(()) }
    }
}

/// Which move of which location.
type Choice = (usize, usize);

/// The moves of all locations, and who is at the other side of each bound role.
struct Moves {
    of: Vec<Vec<Arc<Transition>>>,
    /// The moves that the behaviour gave, of each location, to leave out repetitions.
    seen: FxHashSet<(usize, Move)>,
    /// The moves of a location that have a given signal.
    with_signal: FxHashMap<(usize, Interaction), Vec<usize>>,
    /// Which location has a name.
    names: FxHashMap<Name, usize>,
    /// Which locations provide and require a role.
    ends: FxHashMap<Role, [Option<usize>; 2]>,
}

impl Moves {
    fn of(
        behaviour: &(impl Behaviour + ?Sized),
        graph: &LocationSet,
        context: &Context,
        symbols: &mut Symbols,
        work: &mut Work,
    ) -> Result<Self, StepError> {
        let mut moves = Self {
            of: vec![Vec::new(); graph.len()],
            seen: FxHashSet::default(),
            with_signal: FxHashMap::default(),
            names: graph.iter().enumerate().map(|(i, location)| (location.name(), i)).collect(),
            ends: ends(graph),
        };
        let mut supply = Supply::default();
        for (index, location) in graph.iter().enumerate() {
            let mut fresh = Fresh::new(symbols, context, &mut supply);
            for one in behaviour.moves(location, context, &mut fresh) {
                moves.add(behaviour, index, location, context, one, work)?;
            }
        }
        // What is offered at a bound role may be answered, and the answers may be offers in turn.
        let locations: Vec<&Arc<Location>> = graph.iter().collect();
        let mut asked: FxHashSet<Interaction> = FxHashSet::default();
        let mut todo: Vec<Choice> = moves.choices();
        todo.reverse();
        while let Some((index, which)) = todo.pop() {
            for offer in moves.of[index][which].label().signals().to_vec() {
                let Some(other) = moves.other_end(index, offer.role) else { continue };
                if !asked.insert(offer.clone()) {
                    continue;
                }
                let mut fresh = Fresh::new(symbols, context, &mut supply);
                for one in behaviour.answers(locations[other], &offer, context, &mut fresh) {
                    if !one.label.contains(&offer.counterpart()) {
                        return Err(StepError::BadAnswer(locations[other].name(), offer.role));
                    }
                    if moves.add(behaviour, other, locations[other], context, one, work)? {
                        todo.push((other, moves.of[other].len() - 1));
                    }
                }
            }
        }
        Ok(moves)
    }

    /// Adds a move, if it is allowed and not there yet. Says whether it was added.
    fn add(
        &mut self,
        behaviour: &(impl Behaviour + ?Sized),
        index: usize,
        location: &Arc<Location>,
        context: &Context,
        one: Move,
        work: &mut Work,
    ) -> Result<bool, StepError> {
        work.add(1)?;
        if !self.seen.insert((index, one.clone())) {
            return Ok(false);
        }
        let init = std::iter::once(Arc::clone(location)).collect();
        let bad = |conditions| StepError::BadMove(location.name(), conditions);
        let transition = Transition::new(context.clone(), init, one.label, one.term).map_err(bad)?;
        transition.check_text().map_err(bad)?;
        if !behaviour.authorises(&transition) {
            return Ok(false);
        }
        let which = self.of[index].len();
        for signal in transition.label().signals() {
            self.with_signal.entry((index, signal.clone())).or_default().push(which);
        }
        self.of[index].push(Arc::new(transition));
        Ok(true)
    }

    fn choices(&self) -> Vec<Choice> {
        let of = self.of.iter().enumerate();
        of.flat_map(|(index, moves)| (0..moves.len()).map(move |which| (index, which))).collect()
    }

    /// The location at the other side of a role of this one, if the role is bound.
    fn other_end(&self, index: usize, role: Role) -> Option<usize> {
        let [provider, requirer] = *self.ends.get(&role)?;
        if provider? == index { requirer } else { provider }
    }

    /// The step in which these moves happen and all else stays; if there is one.
    fn compose(&self, choices: &[Choice]) -> Option<Step> {
        let mut choices = choices.to_vec();
        choices.sort_unstable();
        let parts: Vec<Arc<Transition>> =
            choices.iter().map(|&(index, which)| Arc::clone(&self.of[index][which])).collect();
        let moving = match synchronize(&parts.iter().map(Arc::as_ref).collect::<Vec<_>>()) {
            Ok(moving) => moving,
            Err(error) => {
                debug_assert!(
                    matches!(
                        error,
                        SynchronizeError::TerminalNotMixable(..) | SynchronizeError::TerminalIllFormed(_)
                    ),
                    "components match by construction: {error:?}"
                );
                return None;
            }
        };
        let stays = |index: Option<usize>| {
            index.is_some_and(|index| choices.binary_search_by_key(&index, |&(i, _)| i).is_err())
        };
        let end = |role: &Role, side: usize| self.ends.get(role).and_then(|ends| ends[side]);
        let clashes = moving.term().iter().any(|location| {
            stays(self.names.get(&location.name()).copied())
                || location.provided().iter().any(|role| stays(end(role, 0)))
                || location.required().iter().any(|role| stays(end(role, 1)))
        });
        (!clashes).then_some(Step { moving, parts })
    }
}

/// Returns the provider and the requirer of each role of a well-formed graph.
fn ends(graph: &LocationSet) -> FxHashMap<Role, [Option<usize>; 2]> {
    let mut ends: FxHashMap<Role, [Option<usize>; 2]> = FxHashMap::default();
    for (index, location) in graph.iter().enumerate() {
        for (side, roles) in [location.provided(), location.required()].into_iter().enumerate() {
            for &role in roles {
                ends.entry(role).or_default()[side] = Some(index);
            }
        }
    }
    ends
}

/// All components, each once: it is found from the first of its locations.
fn components(moves: &Moves, work: &mut Work) -> Result<Vec<Vec<Choice>>, StepError> {
    let mut found = Vec::new();
    for (index, which) in moves.choices() {
        let mut search = Search { moves, start: index, chosen: FxHashMap::default(), order: Vec::new() };
        search.choose(index, which);
        search.extend(0, 0, &mut found, work)?;
    }
    Ok(found)
}

/// A partial component: moves of which some may still need others.
struct Search<'a> {
    moves: &'a Moves,
    start: usize,
    chosen: FxHashMap<usize, usize>,
    order: Vec<Choice>,
}

/// A point in the search to come back to.
struct Branch {
    /// How many choices there are at this point.
    depth: usize,
    /// The signal that is to be answered: of which choice, and which of its signals.
    at: (usize, usize),
    /// The location that answers.
    other: usize,
    /// The next of their moves to try.
    next: usize,
}

impl Search<'_> {
    fn choose(&mut self, index: usize, which: usize) {
        self.chosen.insert(index, which);
        self.order.push((index, which));
    }

    fn undo_to(&mut self, depth: usize) {
        for (index, _) in self.order.drain(depth..) {
            self.chosen.remove(&index);
        }
    }

    /// Finds every way to complete the component. Signals are answered in the order in which their moves
    /// were chosen: those before signal `signal` of choice `choice` already are. An explicit stack, because
    /// a component may be as long as the graph.
    fn extend(
        &mut self,
        choice: usize,
        signal: usize,
        found: &mut Vec<Vec<Choice>>,
        work: &mut Work,
    ) -> Result<(), StepError> {
        let mut branches: Vec<Branch> = Vec::new();
        let mut at = (choice, signal);
        loop {
            work.add(1)?;
            match self.advance(at) {
                Pending::None => {
                    found.push(self.order.clone());
                }
                Pending::Failed => {}
                Pending::Answer { at, other } => {
                    branches.push(Branch { depth: self.order.len(), at, other, next: 0 });
                }
            }
            // Try the next answer of the innermost branch that has one left.
            loop {
                let Some(branch) = branches.last_mut() else { return Ok(()) };
                self.undo_to(branch.depth);
                let (index, which) = self.order[branch.at.0];
                let signal = &self.moves.of[index][which].label().signals()[branch.at.1];
                let answers = self.moves.with_signal.get(&(branch.other, signal.counterpart()));
                let Some(&answer) = answers.and_then(|answers| answers.get(branch.next)) else {
                    branches.pop();
                    continue;
                };
                branch.next += 1;
                at = (branch.at.0, branch.at.1 + 1);
                let other = branch.other;
                self.choose(other, answer);
                break;
            }
        }
    }

    /// Goes on, from a signal, to the first that somebody who does not move yet must answer.
    fn advance(&self, from: (usize, usize)) -> Pending {
        let (mut choice, mut signal) = from;
        while let Some(&(index, which)) = self.order.get(choice) {
            let signals = self.moves.of[index][which].label().signals();
            while let Some(pending) = signals.get(signal) {
                if let Some(other) = self.moves.other_end(index, pending.role) {
                    match self.chosen.get(&other) {
                        Some(&its) => {
                            if !self.moves.of[other][its].label().contains(&pending.counterpart()) {
                                return Pending::Failed;
                            }
                        }
                        // A component with an earlier location is found from there.
                        None if other < self.start => return Pending::Failed,
                        None => return Pending::Answer { at: (choice, signal), other },
                    }
                }
                signal += 1;
            }
            (choice, signal) = (choice + 1, 0);
        }
        Pending::None
    }
}

enum Pending {
    /// Every signal on a bound role is answered.
    None,
    /// A signal cannot be answered.
    Failed,
    /// This signal, of that choice, must be answered by that location.
    Answer { at: (usize, usize), other: usize },
}

/// The steps of all sets of components over different locations. In the order of a search that goes deep
/// first, with an explicit stack, since a set may have as many components as there are.
fn unions(
    moves: &Moves,
    components: &[Vec<Choice>],
    steps: &mut Vec<Step>,
    work: &mut Work,
) -> Result<(), StepError> {
    let mut moving = vec![false; moves.of.len()];
    let mut chosen: Vec<Choice> = Vec::new();
    let mut stack: Vec<usize> = Vec::new();
    let mut next = 0;
    loop {
        if let Some(component) = components.get(next) {
            work.add(1)?;
            if !component.iter().any(|&(location, _)| moving[location]) {
                for &(location, which) in component {
                    moving[location] = true;
                    chosen.push((location, which));
                }
                stack.push(next);
                work.add(chosen.len())?;
                steps.extend(moves.compose(&chosen));
            }
            next += 1;
        } else {
            let Some(last) = stack.pop() else { return Ok(()) };
            for _ in &components[last] {
                let (location, _) = chosen.pop().expect("the last component is at the end");
                moving[location] = false;
            }
            next = last + 1;
        }
    }
}
