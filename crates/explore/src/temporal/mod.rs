//! Temporal properties under fairness.
//!
//! A property `P` is violated if some behaviour of the state graph satisfies the assumptions (fairness) and not
//! `P`. That conjunction is brought into normal form and split into its disjuncts; each becomes a [`Check`]:
//!
//! - what has the form `[]<>p \/ <>[]q`, as fairness has, is a *condition*, decided on the strongly connected
//!   components of a graph directly;
//! - the rest goes through a tableau into an automaton, whose product with the state graph is that graph. For
//!   most properties it has a handful of states; if there is no rest, the graph is the state graph itself.
//!
//! The assumptions are common to all checks. So their conditions are decided first, on the state graph alone:
//! a fair component of a product lies above a component that is fair by the assumptions, and the states in none
//! of those need no further look.
//!
//! A fair component of the product is a violation, shown as a lasso. Every state may stutter for ever, as TLA+
//! has it.

mod formula;
mod lasso;
mod normal;
mod product;
mod scc;
mod source;
mod tableau;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub use formula::Formula;
pub(crate) use lasso::Lasso;
pub(crate) use scc::Interrupt;
pub(crate) use source::{Out, Reader, Source};

use crate::limits::Reason;
use crate::sync::{lock, share};
use normal::{Arena, Condition, Id};
use product::{Check, Product};

/// The formulas to check of behaviours.
#[derive(Clone, Debug, Default)]
pub struct Obligations {
    /// How many state atoms [`Properties::state_atoms`](crate::Properties::state_atoms) decides.
    pub state_atoms: usize,
    /// How many step atoms [`Properties::step_atoms`](crate::Properties::step_atoms) decides.
    pub step_atoms: usize,
    /// State atoms that say that a step is possible: pairs of a state atom and a step atom. The search finds the
    /// state atom to be true if the step atom is true of some successor (whether within the constraints or not),
    /// and the model need not decide it. Only for steps that the model itself takes: `ENABLED <<A>>_v` where `A`
    /// implies the next-state relation.
    pub enabled: Vec<(usize, usize)>,
    /// The formulas that behaviours satisfy anyway, such as fairness.
    pub assumptions: Vec<Formula>,
    /// The formulas that they should satisfy; violations name a property by its place here.
    pub properties: Vec<Formula>,
}

/// Obligations ready to be checked.
pub struct Temporal {
    obligations: Obligations,
    /// The checks of each property. It holds if none of them finds anything.
    checks: Vec<Vec<Check>>,
    /// The conditions among the assumptions; none if they are contradictory.
    assumed: Option<Check>,
}

/// Why obligations cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemporalError {
    /// The property (by index) together with the assumptions is too large for a tableau.
    TooLarge {
        /// The place of the property.
        property: usize,
    },
    /// A formula is nested too deeply.
    TooDeep,
    /// A formula names an atom that is not there.
    UnknownAtom {
        /// Its index.
        atom: usize,
    },
}

impl fmt::Display for TemporalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemporalError::TooLarge { property } => write!(
                f,
                "temporal property {property} is too large: its automaton would have thousands of states; \
                 write it as several properties"
            ),
            TemporalError::TooDeep => {
                write!(f, "a temporal formula is nested more than {MAX_DEPTH} levels deep")
            }
            TemporalError::UnknownAtom { atom } => {
                write!(f, "a temporal formula names an unknown atom {atom}")
            }
        }
    }
}

impl std::error::Error for TemporalError {}

/// Formulas nested deeper are refused, so that recursion is bounded.
const MAX_DEPTH: usize = 256;
/// A negated property is split into at most this many checks; beyond, the tableau takes it as it is.
const MAX_CHECKS: usize = 1024;

/// The bytes that the search for components needs for each pair: whether it was reached and is settled, the list of
/// those, a number, and a place in the list of a component. The search for a lasso needs as much.
const BYTES_PER_PAIR: usize = 2 + 4 + 4 + 4;

impl Temporal {
    /// Prepares obligations: builds the automata.
    pub fn new(obligations: Obligations) -> Result<Temporal, TemporalError> {
        for formula in obligations.assumptions.iter().chain(&obligations.properties) {
            validate(formula, &obligations, MAX_DEPTH)?;
        }
        for &(state, step) in &obligations.enabled {
            validate(&Formula::State(state), &obligations, 1)?;
            validate(&Formula::Step(step), &obligations, 1)?;
        }
        let mut arena = Arena::default();
        let assumption = arena.normalise(&Formula::And(obligations.assumptions.clone()), true);
        let assumptions = arena.conjuncts(assumption);
        let mut checks = Vec::new();
        for (property, formula) in obligations.properties.iter().enumerate() {
            let negated = arena.normalise(formula, false);
            let mut of_property = Vec::new();
            for mut conjunction in arena.split(negated, MAX_CHECKS) {
                conjunction.extend(&assumptions);
                let check = Check::new(&arena, conjunction);
                of_property.extend(check.map_err(|_| TemporalError::TooLarge { property })?);
            }
            checks.push(of_property);
        }
        let conditions = assumptions.into_iter().filter(|&id| arena.condition(id).is_some()).collect();
        let assumed = Check::new(&arena, conditions).map_err(|_| TemporalError::TooLarge { property: 0 })?;
        Ok(Temporal { obligations, checks, assumed })
    }

    /// Returns the formulas that were prepared.
    pub fn obligations(&self) -> &Obligations {
        &self.obligations
    }

    /// The bytes that a check takes at the most of a graph with so many states, beside the graph.
    pub(crate) fn most_bytes(&self, states: usize) -> usize {
        let bits = self.checks.iter().flatten().map(Check::bits).max().unwrap_or_default();
        states.saturating_mul(1 << bits).saturating_mul(BYTES_PER_PAIR + scc::BYTES_ON_PATH)
    }

    /// Looks for a lasso for each violated property, of at most `limit` properties. Checks are shared out among
    /// `workers` threads that may take `max_bytes` together; if there are more of them, they share large checks too.
    pub(crate) fn check<S: Source>(
        &self,
        graph: &S,
        limit: usize,
        (workers, max_bytes): (usize, usize),
        interrupt: Interrupt<'_>,
    ) -> Result<Found, Reason> {
        let tasks: Vec<(usize, &Check)> = self
            .checks
            .iter()
            .enumerate()
            .flat_map(|(property, checks)| checks.iter().map(move |check| (property, check)))
            .collect();
        // A single check without an automaton would only do the same again.
        let pays = tasks.len() > 1 || tasks.iter().any(|(_, check)| !check.automaton.accepts_everything());
        let assumed = self.assumed.as_ref().filter(|assumed| pays && !assumed.conditions.is_empty());
        // Where threads do not share a check, more of them than checks would only divide the memory.
        let workers = if S::IS_SHARED { workers } else { workers.min(tasks.len()) };
        let workers = workers.min(max_bytes / self.most_bytes(graph.states()).max(1)).max(1);
        let mut run = Run {
            graph,
            fair: None,
            max_bytes: max_bytes / workers,
            state_words: self.obligations.state_atoms.div_ceil(64),
            limit,
            interrupt,
            tasks: &tasks,
            next: AtomicUsize::new(0),
            visited: AtomicU64::new(0),
            found: Mutex::new(BTreeMap::new()),
            reason: Mutex::new(None),
        };
        run.fair = assumed.map(|assumed| run.fair_states(assumed, workers)).transpose()?;
        let at_once = workers.min(tasks.len()).max(1);
        share(vec![(); at_once], at_once, |()| run.work(workers / at_once));
        // The first lasso of each property, of the first properties.
        let mut lassos: Vec<(usize, Lasso)> = Vec::new();
        for (task, lasso) in run.found.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let property = tasks[task].0;
            if lassos.len() < limit && lassos.last().is_none_or(|(last, _)| *last != property) {
                lassos.push((property, lasso));
            }
        }
        let count = |fair: Vec<bool>| fair.into_iter().filter(|&fair| fair).count() as u64;
        let fair = run.fair.map(count);
        // What was found is violated even if not everything was looked at.
        match run.reason.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(reason) if lassos.is_empty() => Err(reason),
            ended => Ok(Found { lassos, visited: run.visited.into_inner(), fair, ended }),
        }
    }
}

/// The result of a check of temporal properties.
pub(crate) struct Found {
    /// Violated properties with lassos.
    pub(crate) lassos: Vec<(usize, Lasso)>,
    /// The number of pairs visited.
    pub(crate) visited: u64,
    /// If that was asked, the number of states that are in fair components by the assumptions alone.
    pub(crate) fair: Option<u64>,
    /// The limit that ended it before all properties were looked at.
    pub(crate) ended: Option<Reason>,
}

/// Checks under way on several threads.
struct Run<'a, S> {
    graph: &'a S,
    /// The states in components that are fair by the assumptions, if that was asked for.
    fair: Option<Vec<bool>>,
    /// The memory that one thread may take.
    max_bytes: usize,
    state_words: usize,
    limit: usize,
    interrupt: Interrupt<'a>,
    tasks: &'a [(usize, &'a Check)],
    next: AtomicUsize,
    visited: AtomicU64,
    /// The lassos, by task.
    found: Mutex<BTreeMap<usize, Lasso>>,
    reason: Mutex<Option<Reason>>,
}

impl<S: Source> Run<'_, S> {
    /// Does tasks, each with so many threads.
    fn work(&self, threads: usize) {
        loop {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= self.tasks.len() || lock(&self.reason).is_some() {
                return;
            }
            if self.is_superfluous(task) {
                continue;
            }
            match self.check(self.tasks[task].1, threads) {
                Ok(None) => {}
                Ok(Some(lasso)) => _ = lock(&self.found).insert(task, lasso),
                Err(reason) => _ = lock(&self.reason).get_or_insert(reason),
            }
        }
    }

    /// Whether what was found before a task is enough already.
    fn is_superfluous(&self, task: usize) -> bool {
        let found = lock(&self.found);
        let property = self.tasks[task].0;
        let before: BTreeSet<usize> = found.range(..task).map(|(&other, _)| self.tasks[other].0).collect();
        before.contains(&property) || before.len() >= self.limit
    }

    fn fair_states(&self, assumed: &Check, threads: usize) -> Result<Vec<bool>, Reason> {
        let (product, mut readers, path_bytes) = self.product(assumed, threads)?;
        let pairs = scc::reachable(&product, &mut readers, self.interrupt)?;
        let mut fair = vec![false; self.graph.states()];
        for component in scc::fair_components(&product, (&mut readers, path_bytes), pairs, self.interrupt)? {
            for pair in component.pairs {
                fair[product.state(pair) as usize] = true;
            }
        }
        Ok(fair)
    }

    fn check(&self, check: &Check, threads: usize) -> Result<Option<Lasso>, Reason> {
        let (product, mut readers, path_bytes) = self.product(check, threads)?;
        let mut pairs = scc::reachable(&product, &mut readers, self.interrupt)?;
        self.visited.fetch_add(pairs.len() as u64, Ordering::Relaxed);
        if let Some(fair) = &self.fair {
            pairs.retain(|&pair| fair[product.state(pair) as usize]);
        }
        let mut components =
            scc::fair_components(&product, (&mut readers, path_bytes), pairs, self.interrupt)?;
        // Which of them counts for a pair that is in several must not depend on the order in which they were found.
        components.sort_by_cached_key(|component| {
            (component.filter.clone(), component.pairs.iter().min().copied())
        });
        match readers.first_mut() {
            Some(reader) if !components.is_empty() => {
                // That there is a violation is certain by now, and to show it takes no longer than what was done.
                lasso::find(&product, reader, &components, &|| None).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The product of a check, access to the graph for at most so many threads, and the bytes that the path of one
    /// may take.
    fn product<'c>(
        &self,
        check: &'c Check,
        threads: usize,
    ) -> Result<(Product<'c>, Vec<S::Reader<'_>>, usize), Reason> {
        let product = Product::new(self.graph, check, self.state_words)?;
        let spare = self.max_bytes.checked_sub(product.size().saturating_mul(BYTES_PER_PAIR));
        let spare = spare.ok_or(Reason::Memory)?;
        let threads = if S::IS_SHARED { threads } else { 1 };
        let readers: Vec<_> = (0..threads).map(|_| self.graph.reader(spare / 2)).collect();
        let path_bytes = spare.saturating_sub(readers.iter().map(Reader::bytes).max().unwrap_or(0));
        Ok((product, readers, path_bytes))
    }
}

impl Check {
    /// None if the conjunction is false.
    fn new(arena: &Arena, mut conjunction: Vec<Id>) -> Result<Option<Check>, tableau::TooLarge> {
        conjunction.sort_unstable();
        conjunction.dedup();
        let mut rest = Vec::new();
        let mut conditions = Vec::new();
        for id in conjunction {
            match (arena.constant(id), arena.condition(id)) {
                (Some(true), _) => {}
                (Some(false), _) => return Ok(None),
                (None, Some(condition)) => conditions.push(condition),
                (None, None) => rest.push(id),
            }
        }
        let mut automaton = tableau::build(arena, &rest)?;
        let mut predicates: Vec<usize> = Vec::new();
        let mut local = |index: usize| {
            predicates.iter().position(|&other| other == index).unwrap_or_else(|| {
                predicates.push(index);
                predicates.len() - 1
            })
        };
        for transition in automaton.transitions.iter_mut().flatten() {
            for index in &mut transition.needs {
                *index = local(*index);
            }
        }
        let mut localise = |condition: Condition| Condition {
            recurrent: condition.recurrent.map(&mut local),
            persistent: condition.persistent.into_iter().map(&mut local).collect(),
        };
        let conditions = conditions.into_iter().map(&mut localise).collect();
        let predicates = predicates.into_iter().map(|index| arena.predicate(index).clone()).collect();
        Ok(Some(Check { automaton, predicates, conditions }))
    }
}

fn validate(formula: &Formula, obligations: &Obligations, depth: usize) -> Result<(), TemporalError> {
    let Some(depth) = depth.checked_sub(1) else { return Err(TemporalError::TooDeep) };
    match formula {
        &Formula::State(atom) if atom >= obligations.state_atoms => Err(TemporalError::UnknownAtom { atom }),
        &Formula::Step(atom) if atom >= obligations.step_atoms => Err(TemporalError::UnknownAtom { atom }),
        Formula::Constant(_) | Formula::State(_) | Formula::Step(_) => Ok(()),
        Formula::Not(part) | Formula::Always(part) | Formula::Eventually(part) => {
            validate(part, obligations, depth)
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().try_for_each(|part| validate(part, obligations, depth))
        }
    }
}
