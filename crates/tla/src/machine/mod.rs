//! A compiled specification as a state machine that can be explored, over states that are values.
//!
//! - [`clause`]: temporal formulas with their places;
//! - [`possible`]: what must be possible; [`watch`]: what a simulation sees of temporal properties;
//! - [`saved`]: what is kept of a search to go on with it another time.
//!
//! How a specification is compiled to it, and what is made of what a search finds, is in [`crate::check`].

pub(crate) mod clause;
pub(crate) mod possible;
pub(crate) mod saved;
pub(crate) mod watch;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use locus_explore::{
    AtomSet, Figures, InitialSink, Model, Properties, Reason, Reduction, Saving, StepSink, Tuning,
};
use locus_source::Place;

use locus_tla_eval::compile::var_bit;
use locus_tla_eval::eval::ir::{Act, Kind, Node};
use locus_tla_eval::eval::{Context, KeptSlots, NO_LABEL, Share, Shared, Values, assign, unset, with_stack};
use locus_tla_eval::value::{Fault, FaultKind, Outcome, Permutations, Value, check_nesting};

use clause::Clause;
use possible::Possible;
use watch::Watched;

/// A predicate with the name it has in the configuration or specification.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) name: String,
    /// Where it is defined.
    pub(crate) place: Place,
    pub(crate) node: Node,
}

/// A property of behaviours.
#[derive(Debug)]
pub(crate) struct Behaviour {
    pub(crate) name: String,
    /// Where it is defined.
    pub(crate) place: Place,
    pub(crate) clause: Clause,
}

/// A predicate on states, and its conjuncts with the variables that each reads.
#[derive(Debug)]
pub(crate) struct Predicate {
    pub(crate) name: String,
    /// Where it is defined.
    pub(crate) place: Place,
    pub(crate) node: Node,
    pub(crate) conjuncts: Vec<(Node, u64)>,
    /// The premises of those conjuncts that are implications.
    pub(crate) premises: Vec<Premise>,
}

/// The premise of an implication: if it is true nowhere, the implication says nothing.
#[derive(Debug)]
pub(crate) struct Premise {
    pub(crate) place: Place,
    pub(crate) node: Node,
    vars: u64,
    /// Whether it was true in some state.
    pub(crate) seen: AtomicBool,
}

impl Premise {
    pub(crate) fn new(place: Place, (node, vars): (Node, u64)) -> Self {
        Self { place, node, vars, seen: AtomicBool::new(false) }
    }
}

impl Predicate {
    /// Whether the predicate holds, if it is known to hold in the state `before`, which differs in the `changed`
    /// variables only. If all have changed, nothing is known.
    pub(crate) fn holds(&self, context: &mut Context, before: &[Value], changed: u64) -> Outcome<bool> {
        for (node, vars) in &self.conjuncts {
            // A constant conjunct reads nothing; it is checked where everything is.
            // Nor is one forgotten that depends on more than variables, such as the level: it has all bits.
            let is_due = vars & changed != 0 || changed == u64::MAX || *vars == u64::MAX;
            if !is_due {
                continue;
            }
            let holds = match &node.kind {
                Kind::In(pair) if changed != u64::MAX => still_in(context, before, pair)?,
                _ => None,
            };
            let holds = match holds {
                Some(holds) => holds,
                None => context.test(node)?,
            };
            if !holds {
                return Ok(false);
            }
        }
        for premise in &self.premises {
            let is_new = premise.vars & changed != 0 || changed == u64::MAX;
            if is_new && !premise.seen.load(Ordering::Relaxed) && context.test(&premise.node)? {
                premise.seen.store(true, Ordering::Relaxed);
            }
        }
        Ok(true)
    }
}

/// Whether a variable is in a constant set that it was in before, if that is what the operands of `\in` say.
fn still_in(context: &mut Context, before: &[Value], pair: &[Node; 2]) -> Outcome<Option<bool>> {
    let (Kind::Var(var), Kind::Cell(_)) = (&pair[0].kind, &pair[1].kind) else { return Ok(None) };
    let at = *var as usize;
    let still = context.look(&pair[1], |context, set| set.contains_given(&context.state[at], &before[at]));
    still.map(Some).map_err(|fault| fault.at(pair[1].place))
}

/// The most permutations of a symmetry for which states are packed: fingerprints under each of them are kept.
const MOST_PERMUTATIONS: usize = 256;

/// The slots to be reset before an evaluation, by what is evaluated.
#[derive(Debug, Default)]
pub(crate) struct Resets {
    pub(crate) next: KeptSlots,
    pub(crate) invariants: KeptSlots,
    pub(crate) constraints: KeptSlots,
    pub(crate) steps: KeptSlots,
    pub(crate) atoms: KeptSlots,
}

/// Everything that is compiled of a specification under a configuration.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) shared: Arc<Shared>,
    pub(crate) slots: usize,
    pub(crate) init: Act,
    /// Where the initial predicate is.
    pub(crate) beginning: Option<Place>,
    pub(crate) next: Act,
    pub(crate) invariants: Vec<Predicate>,
    /// Properties of initial states.
    pub(crate) initial: Vec<Named>,
    /// Properties of steps.
    pub(crate) steps: Vec<Named>,
    /// The predicates that must be true in some state, and of some step.
    pub(crate) possible: Vec<Possible>,
    pub(crate) possible_steps: Vec<Possible>,
    pub(crate) constraints: Vec<Predicate>,
    /// Whether states that are explored are known to satisfy the invariants, so that a successor needs only those
    /// conjuncts checked whose variables changed.
    pub(crate) incremental: bool,
    pub(crate) step_constraints: Vec<Node>,
    pub(crate) view: Option<Node>,
    pub(crate) symmetry: Option<Arc<Permutations>>,
    /// The expression that traces show in place of the variables.
    pub(crate) alias: Option<Node>,
    /// The expressions that traces show beside them, or about which the events of a log say something.
    pub(crate) expressions: Vec<Named>,
    /// For each label the process or procedure of an algorithm that it is in; empty if there is none.
    pub(crate) within: Vec<String>,
    /// Atoms of temporal formulas.
    pub(crate) state_atoms: Vec<Node>,
    pub(crate) step_atoms: Vec<Node>,
    /// The slots to be reset before each of these is evaluated.
    pub(crate) resets: Resets,
    /// Whether something depends on the order in which states are looked at, so that there must be one worker.
    pub(crate) ordered: bool,
    /// Whether actions and predicates depend on the state alone.
    pub(crate) pure: bool,
    /// Properties of behaviours.
    pub(crate) temporal: Vec<Behaviour>,
    /// The parts of them that a simulation checks. Their violations are numbered behind those of the properties of
    /// initial states or steps.
    pub(crate) watched: Vec<Watched>,
}

/// Runs `work` on a state that was found from the current one, or as an initial one.
fn at_successor<T>(context: &mut Context, work: impl FnOnce(&mut Context) -> T) -> T {
    context.level += 1;
    let result = work(context);
    context.level -= 1;
    result
}

impl Machine {
    /// Why states are not packed. They are if everything that is evaluated depends on them alone.
    pub(crate) fn not_packed(&self) -> Vec<String> {
        let permutations = self.symmetry.as_ref().map_or(1, |symmetry| symmetry.count());
        let mut why = Vec::new();
        if !self.pure {
            why.push("the specification depends on more than the state (TLCGet, RandomElement)".to_owned());
        }
        if self.ordered {
            why.push("the specification asks for registers or figures of the search".to_owned());
        }
        if permutations > MOST_PERMUTATIONS {
            why.push(format!(
                "SYMMETRY has {permutations} permutations, and states are packed with at most {MOST_PERMUTATIONS}"
            ));
        }
        if !self.possible.is_empty() || !self.possible_steps.is_empty() {
            why.push("the configuration demands what must be possible (_POSSIBLE)".to_owned());
        }
        if !self.watched.is_empty() {
            why.push("a simulation checks temporal properties".to_owned());
        }
        if self.shared.variables.is_empty() {
            why.push("there are no variables".to_owned());
        }
        why
    }

    pub(crate) fn complete(context: &Context, place: Option<Place>, primed: bool) -> Outcome<()> {
        if context.next.iter().all(Value::is_set) {
            return Ok(());
        }
        let missing: Vec<String> = context
            .next
            .iter()
            .zip(&context.shared.variables)
            .filter(|(value, _)| !value.is_set())
            .map(|(_, name)| if primed { format!("{name}'") } else { name.to_string() })
            .collect();
        let action = match context.shared.labels.get(context.label as usize) {
            Some(label) if !label.name.is_empty() => format!("the action {}", label.name),
            _ if primed => "the next-state action".to_owned(),
            _ => "the initial predicate".to_owned(),
        };
        let verb = if missing.len() == 1 { "no value" } else { "no values" };
        let fault = Fault::other(format!("{action} gives {verb} to {}", missing.join(", ")));
        let place = context.shared.labels.get(context.label as usize).map(|label| label.place).or(place);
        Err(match place {
            Some(place) => fault.at(place),
            None => fault,
        })
    }

    fn enumerate(
        context: &mut Context,
        (act, place): (&Act, Option<Place>),
        primed: bool,
        sink: &mut dyn FnMut(&mut Context, u32, &Values) -> ControlFlow<()>,
    ) -> Outcome<()> {
        with_stack(|| {
            let result = context.enumerate(act, &mut |context| {
                Self::complete(context, place, primed)?;
                check_nesting()?;
                let next = std::mem::take(&mut context.next);
                let label = context.label;
                let flow = sink(context, label, &next);
                context.next = next;
                context.label = label;
                Ok(flow)
            });
            let _ = result?;
            // A guard that could not be evaluated may have been taken for false.
            check_nesting()
        })
    }

    /// Checks what is watched at one place of a behaviour; violations are numbered from `first`.
    fn watch(
        &self,
        worker: &mut Context,
        from: &Values,
        to: &Values,
        first: usize,
        violated: &mut Vec<usize>,
    ) -> Outcome<()> {
        let mut states = AtomSet::new(self.state_atoms.len());
        let mut steps = AtomSet::new(self.step_atoms.len());
        self.state_atoms(worker, from, &mut states)?;
        self.step_atoms(worker, from, None, to, &mut steps)?;
        for (i, part) in self.watched.iter().enumerate() {
            if !part.holds(&states, &steps) && !violated.contains(&(first + i)) {
                violated.push(first + i);
            }
        }
        Ok(())
    }
}

impl Model for Machine {
    type State = Values;
    type Action = u32;
    type Error = Box<Fault>;
    type Worker = Context;

    fn worker(&self) -> Context {
        let mut context = Context::new(&self.shared, self.slots);
        if self.shared.session.settings.get().is_some_and(|settings| settings.workers > 1) {
            context.copies = Some(Box::default());
        }
        context
    }

    fn initial_states(&self, worker: &mut Context, sink: &mut InitialSink<'_, Self>) -> Outcome<()> {
        worker.heed();
        worker.next = unset(self.shared.variables.len());
        worker.label = NO_LABEL;
        Self::enumerate(worker, (&self.init, self.beginning), false, &mut |worker, _, state| {
            let is_own = worker.share.as_mut().is_none_or(Share::takes_state);
            if is_own { sink(worker, state) } else { ControlFlow::Continue(()) }
        })
    }

    fn successors(&self, worker: &mut Context, state: &Values, sink: &mut StepSink<'_, Self>) -> Outcome<()> {
        worker.heed();
        let mut origin = std::mem::take(&mut worker.spare_origin);
        assign(&mut origin, state);
        let outer_state = std::mem::replace(&mut worker.state, origin);
        // Mostly no variable has a value in the next state, as it should be.
        let variables = self.shared.variables.len();
        let is_ready = worker.next.len() == variables && !worker.next.iter().any(Value::is_set);
        let outer_next = (!is_ready).then(|| std::mem::replace(&mut worker.next, unset(variables)));
        worker.label = NO_LABEL;
        // What is kept of this state lasts while its successors are found, for properties of steps too.
        worker.reset(&self.resets.next.state);
        worker.reset(&self.resets.steps.state);
        worker.reset(&self.resets.atoms.state);
        let result = Self::enumerate(worker, (&self.next, None), true, &mut |worker, label, next| {
            sink(worker, &label, next)
        });
        worker.spare_origin = std::mem::replace(&mut worker.state, outer_state);
        if let Some(next) = outer_next {
            worker.next = next;
        }
        result
    }

    fn fingerprint(&self, worker: &mut Context, state: &Values) -> Outcome<u64> {
        if self.shared.session.opaque.load(Ordering::Relaxed)
            && let Some(at) = state.iter().position(Value::holds_operator)
        {
            return Err(Fault::other(format!(
                "the value of {} holds a function with an infinite domain, which cannot be part of a state",
                self.shared.variables[at]
            )));
        }
        if let Some(view) = &self.view {
            let value = at_successor(worker, |worker| worker.in_state(state, |context| context.eval(view)))?;
            return Ok(match &self.symmetry {
                Some(symmetry) => worker.permuted.least(symmetry, std::slice::from_ref(&value)),
                None => value.hash64(),
            });
        }
        Ok(match &self.symmetry {
            Some(symmetry) => worker.permuted.least(symmetry, state),
            None => fingerprint(state),
        })
    }

    fn reduction(&self) -> Reduction {
        match (&self.view, &self.symmetry) {
            (Some(_), _) => Reduction::View,
            (None, Some(_)) => Reduction::Symmetry,
            (None, None) => Reduction::None,
        }
    }

    fn check_state(&self, worker: &mut Context, state: &Values, violated: &mut Vec<usize>) -> Outcome<()> {
        if self.invariants.is_empty() && !possible::is_open(&self.possible) {
            return Ok(());
        }
        let before = std::mem::take(&mut worker.state);
        let changed = if self.incremental { changed(&before, state) } else { u64::MAX };
        let checked = at_successor(worker, |worker| {
            worker.in_state(state, |context| {
                context.reset(&self.resets.invariants.state);
                for (i, invariant) in self.invariants.iter().enumerate() {
                    if !invariant.holds(context, &before, changed)? {
                        violated.push(i);
                    }
                }
                possible::look(&self.possible, context)
            })
        });
        worker.state = before;
        checked
    }
}

impl Properties for Machine {
    fn is_constrained(&self) -> bool {
        !self.constraints.is_empty()
    }

    fn is_within(&self, worker: &mut Context, state: &Values) -> Outcome<bool> {
        if self.constraints.is_empty() {
            return Ok(true);
        }
        // A state that is being explored is within.
        let before = std::mem::take(&mut worker.state);
        let changed = changed(&before, state);
        let within = at_successor(worker, |worker| {
            worker.in_state(state, |context| {
                context.reset(&self.resets.constraints.state);
                for constraint in &self.constraints {
                    if !constraint.holds(context, &before, changed)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            })
        });
        worker.state = before;
        within
    }

    fn is_step_within(&self, worker: &mut Context, from: &Values, _: &u32, to: &Values) -> Outcome<bool> {
        if self.step_constraints.is_empty() {
            return Ok(true);
        }
        worker.in_step(from, to, &self.resets.steps, |context| all_hold(context, &self.step_constraints))
    }

    fn check_initial(&self, worker: &mut Context, state: &Values, violated: &mut Vec<usize>) -> Outcome<()> {
        if !self.watched.is_empty() {
            self.watch(worker, state, state, self.initial.len(), violated)?;
        }
        if self.initial.is_empty() {
            return Ok(());
        }
        at_successor(worker, |worker| {
            worker.in_state(state, |context| {
                context.reset(&self.resets.invariants.state);
                violations(context, &self.initial, violated)
            })
        })
    }

    fn check_step(
        &self,
        worker: &mut Context,
        from: &Values,
        _: &u32,
        to: &Values,
        violated: &mut Vec<usize>,
    ) -> Outcome<()> {
        if !self.watched.is_empty() {
            self.watch(worker, from, to, self.steps.len(), violated)?;
            // Whatever comes next, the behaviour may stay where it is for a while.
            self.watch(worker, to, to, self.steps.len(), violated)?;
        }
        if self.steps.is_empty() && !possible::is_open(&self.possible_steps) {
            return Ok(());
        }
        worker.in_step(from, to, &self.resets.steps, |context| {
            violations(context, &self.steps, violated)?;
            possible::look(&self.possible_steps, context)
        })
    }

    fn state_atoms(&self, worker: &mut Context, state: &Values, atoms: &mut AtomSet) -> Outcome<()> {
        worker.reset(&self.resets.atoms.state);
        let result = worker.in_state(state, |context| {
            for (i, node) in self.state_atoms.iter().enumerate() {
                atoms.set(i, context.test(node)?);
            }
            Ok(())
        });
        worker.reset(&self.resets.atoms.state);
        result
    }

    fn step_atoms(
        &self,
        worker: &mut Context,
        from: &Values,
        _: Option<&u32>,
        to: &Values,
        atoms: &mut AtomSet,
    ) -> Outcome<()> {
        worker.in_step(from, to, &self.resets.atoms, |context| {
            for (i, node) in self.step_atoms.iter().enumerate() {
                atoms.set(i, context.test(node)?);
            }
            Ok(())
        })
    }
}

impl Saving for Machine {
    fn store(&self, state: &Values, bytes: &mut Vec<u8>) -> bool {
        state.iter().all(|value| value.store(bytes))
    }

    fn restore(&self, _: &mut Context, mut bytes: &[u8]) -> Option<Values> {
        let values = self.shared.variables.iter().map(|_| Value::restore(&mut bytes));
        let state: Option<Values> = values.collect();
        state.filter(|_| bytes.is_empty())
    }

    fn remember(&self) -> Vec<u8> {
        saved::remember(self, saved::Form::Values)
    }

    fn heap_bytes(&self, state: &Values) -> usize {
        size_of_val::<[Value]>(state) + state.iter().map(Value::heap_bytes).sum::<usize>()
    }
}

impl Tuning for Machine {
    fn divide_initial(&self, worker: &mut Context, number: usize, of: usize) {
        if number == 0 {
            self.shared.session.begin_initial();
        }
        worker.share = self.pure.then(|| Share::new(number, of));
    }

    fn place_of_initial(&self, worker: &Context) -> Option<u64> {
        worker.share.as_ref().and_then(Share::place)
    }

    fn at_depth(&self, worker: &mut Context, depth: u32) {
        worker.level = depth;
        // Who only looks at initial states that another worker finds is told nothing else before.
        if depth == 0 {
            worker.heed();
        }
    }

    fn watch(&self, worker: &mut Context, ended: &Arc<AtomicBool>) {
        worker.means = worker.means.as_ref().map(|means| Arc::new(means.until(ended)));
    }

    fn repeating(&self, worker: &mut Context, repeats: bool) {
        worker.repeat(repeats);
    }

    fn wants_figures(&self) -> bool {
        self.ordered
    }

    fn figures(&self, worker: &mut Context, figures: &Figures) -> ControlFlow<()> {
        // A simulation does not know distinct states, so there is nothing to ask for.
        let simulated =
            self.shared.session.settings.get().is_some_and(|settings| settings.simulation.is_some());
        worker.figures = (!simulated).then_some(*figures);
        if self.shared.session.exit.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn gave_up(&self, fault: &Box<Fault>) -> Option<Reason> {
        match fault.kind {
            FaultKind::Stop(reason) => Some(reason),
            _ => None,
        }
    }

    fn action_kinds(&self) -> usize {
        self.shared.labels.len()
    }

    fn action_kind(&self, action: &u32) -> usize {
        *action as usize
    }

    fn adopt(&self, worker: &mut Context, state: Values) -> Values {
        match &mut worker.copies {
            Some(copies) => state.iter().map(|value| copies.copier.copy(value)).collect(),
            None => state,
        }
    }
}

/// The variables that are not certainly the same in two states; all of them if there is no state before.
fn changed(before: &[Value], after: &[Value]) -> u64 {
    if before.len() != after.len() || !before.iter().all(Value::is_set) {
        return u64::MAX;
    }
    let differ = before.iter().zip(after).enumerate().filter(|(_, (a, b))| !a.is_identical(b));
    differ.fold(0, |bits, (i, _)| bits | var_bit(i as u32))
}

/// The fingerprint of a state.
pub(crate) fn fingerprint(state: &[Value]) -> u64 {
    state.iter().fold(state.len() as u64, |hash, value| locus_tla_eval::value::mix(hash, value.hash64()))
}

fn all_hold(context: &mut Context, nodes: &[Node]) -> Outcome<bool> {
    for node in nodes {
        if !context.test(node)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn violations(context: &mut Context, predicates: &[Named], violated: &mut Vec<usize>) -> Outcome<()> {
    for (i, predicate) in predicates.iter().enumerate() {
        if !context.test(&predicate.node)? {
            violated.push(i);
        }
    }
    Ok(())
}
