//! The context of an evaluation: the state, the next state, the frame of slots.

use std::sync::Arc;
use std::time::Instant;

use locus_explore::Figures;
use rustc_hash::FxHashMap;

use crate::value::{
    Copier, Fault, FaultKind, Means, Names, Outcome, PermutedHashes, Value, check_nesting, heed, tick,
};

use super::again::GivenAgain;
use super::coverage::Counts;
use super::ir::{Act, ActId, Cell, Code, Kind, Label, Node, Slot, Var};
use super::remembered::{KeptNext, KeptSlots, Remembered};
use super::session::Session;
use super::share::Share;
use super::trace::Tracing;

/// The most nested calls of recursive operators.
const MAX_DEPTH: u32 = 100_000;

/// The values of the variables, in their order.
pub type Values = Box<[Value]>;

/// The part of the context that is the same for all workers.
#[derive(Debug)]
pub struct Shared {
    /// The names in values.
    pub names: Arc<Names>,
    /// The names of the variables.
    pub variables: Vec<Box<str>>,
    /// The named actions.
    pub labels: Vec<Label>,
    /// How often what was evaluated, if that is counted.
    pub counts: Counts,
    /// The memory of the run.
    pub session: Session,
}

/// One worker's own copies of the shared part.
#[derive(Debug, Default)]
pub struct Copies {
    /// The values of cells, by number, as far as they were needed.
    cells: Vec<Value>,
    pub copier: Copier,
}

/// The context of one worker.
#[derive(Debug)]
pub struct Context {
    /// Shared with all workers.
    pub shared: Arc<Shared>,
    /// The current state.
    pub state: Values,
    /// The next state, or the initial one while it is being found; variables without a value are `Unset`.
    pub next: Values,
    /// The frame.
    pub slots: Vec<Value>,
    /// Values that have been evaluated to become part of another one.
    stack: Vec<Value>,
    /// The hashes of parts of states under the permutations of a symmetry.
    pub permuted: PermutedHashes,
    /// Room for a state that is looked at for a moment.
    spare: Values,
    /// The same for a next state.
    spare_next: Values,
    /// Room for the state whose successors are found.
    pub spare_origin: Values,
    /// The values that are remembered of next states, by slot.
    remembered: FxHashMap<Slot, Remembered>,
    /// The label of the action that is being enumerated.
    pub label: u32,
    /// Whether what is evaluated was evaluated before, and is not counted again.
    pub repeats: bool,
    /// The limits of evaluations, and the files that they may read.
    pub means: Option<Arc<Means>>,
    /// The same for a search, while what it found is shown.
    outer_means: Option<Arc<Means>>,
    /// Variables that get a value twice, as far as this worker has noted them.
    pub(super) given_again: GivenAgain,
    /// How many states a shortest way to the current state has, that state included: 0 while there is none.
    pub level: u32,
    /// How far the search is, if something asks for it.
    pub figures: Option<Figures>,
    /// Copies of what is shared, if there are other workers.
    pub copies: Option<Box<Copies>>,
    /// The record of reads and writes, while they are traced.
    pub trace: Option<Box<Tracing>>,
    /// Parts of an action that are taken for true: they are conditions that are asked elsewhere.
    pub postponed: Vec<ActId>,
    /// Numbers of the constants whose elements were taken as they came, once.
    pub(super) passed: Vec<u32>,
    /// The part of the initial states that is to be found, if workers divide them.
    pub share: Option<Share>,
    depth: u32,
}

/// The label of a step that has none.
pub const NO_LABEL: u32 = u32::MAX;

/// A state in which no variable has a value.
pub fn unset(variables: usize) -> Values {
    vec![Value::Unset; variables].into_boxed_slice()
}

/// Makes one state equal to another. What they share already is left as it is.
pub fn assign(to: &mut Values, from: &Values) {
    if to.len() != from.len() {
        to.clone_from(from);
        return;
    }
    for (to, from) in to.iter_mut().zip(from) {
        if !to.is_identical(from) {
            to.put(from.clone());
        }
    }
}

static UNSET: Value = Value::Unset;

impl Context {
    /// A context with a frame of so many slots.
    pub fn new(shared: &Arc<Shared>, slots: usize) -> Self {
        let unset = unset(shared.variables.len());
        Self {
            shared: Arc::clone(shared),
            state: unset.clone(),
            next: unset,
            slots: vec![Value::Unset; slots],
            stack: Vec::new(),
            permuted: PermutedHashes::default(),
            spare: Box::default(),
            spare_next: Box::default(),
            spare_origin: Box::default(),
            remembered: FxHashMap::default(),
            label: NO_LABEL,
            repeats: false,
            means: shared.session.means.get().cloned(),
            outer_means: None,
            given_again: GivenAgain::default(),
            level: 0,
            figures: None,
            copies: None,
            trace: None,
            postponed: Vec::new(),
            passed: Vec::new(),
            share: None,
            depth: 0,
        }
    }

    /// Says whether what comes next only repeats what a search did. Then there are means for it even if those of the
    /// search are spent.
    pub fn repeat(&mut self, repeats: bool) {
        if repeats != self.repeats {
            self.repeats = repeats;
            if repeats {
                let began =
                    self.shared.session.settings.get().map_or_else(Instant::now, |settings| settings.started);
                let grace = self.means.as_ref().map(|means| Arc::new(means.grace(began)));
                self.outer_means = std::mem::replace(&mut self.means, grace);
            } else {
                self.means = self.outer_means.take();
            }
        }
        self.heed();
    }

    /// Has evaluations on this thread take no more than they may.
    pub fn heed(&self) {
        heed(self.means.as_ref());
    }

    /// The names in values.
    pub fn names(&self) -> &Names {
        &self.shared.names
    }

    #[cold]
    pub(crate) fn unassigned(&self, var: Var, primed: bool) -> Box<Fault> {
        let variable = self.shared.variables[var as usize].to_string();
        Fault::kind(FaultKind::Unassigned { variable, primed })
    }

    /// The value of a node that needs no evaluation, and `Unset` for any other (or `Operator` for a function that
    /// is not yet evaluated, which only an application may use as it is).
    pub fn peek<'a>(&'a self, node: &'a Node) -> &'a Value {
        match &node.kind {
            Kind::Const(value) => value,
            Kind::Var(var) => self.var(*var),
            Kind::Primed(var) => self.primed(*var),
            Kind::Slot(slot) | Kind::Param(slot) | Kind::Lazy(slot, _) => &self.slots[*slot as usize],
            Kind::ByName(inner) => self.peek(inner),
            Kind::Cell(cell) => match (&self.copies, cell.value.get()) {
                (None, Some(Ok(value))) => value,
                (Some(copies), _) => copies.cells.get(cell.number as usize).unwrap_or(&UNSET),
                _ => &UNSET,
            },
            Kind::Index(_) | Kind::Field(..) if self.trace.is_some() => self.traced(node),
            Kind::Index(pair) => match self.glance(&pair[0]) {
                function @ Value::Fn(_) => function.get(self.glance(&pair[1])).unwrap_or(&UNSET),
                _ => &UNSET,
            },
            Kind::Field(record, field) => field.of(self.glance(record)).unwrap_or(&UNSET),
            _ => &UNSET,
        }
    }

    /// The same, without a call for what is most often looked at.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "measured: a call for each variable is what this avoids")]
    pub fn glance<'a>(&'a self, node: &'a Node) -> &'a Value {
        match &node.kind {
            Kind::Slot(slot) => &self.slots[*slot as usize],
            Kind::Var(var) => self.var(*var),
            Kind::Const(value) => value,
            _ => self.peek(node),
        }
    }

    /// Evaluates an operand unless it can be peeked at: `None` means that [`Context::peek`] gives the value.
    #[inline]
    pub fn operand(&mut self, node: &Node) -> Outcome<Option<Value>> {
        if self.glance(node).is_plain() {
            return Ok(None);
        }
        self.evaluated(node)
    }

    /// Evaluates an operand that cannot be peeked at; afterwards it may be one that can, and then this is `None`.
    #[inline]
    pub fn evaluated(&mut self, node: &Node) -> Outcome<Option<Value>> {
        if let Kind::Lazy(slot, thunk) = &node.kind
            && matches!(self.slots[*slot as usize], Value::Unset)
        {
            let value = self.eval_lazily(thunk)?;
            let plain = value.is_plain();
            self.slots[*slot as usize].put(value);
            if plain {
                return Ok(None);
            }
        }
        self.eval(node).map(Some)
    }

    /// Looks at the value of an operand, in place if that is possible.
    #[inline]
    pub fn look<T>(&mut self, node: &Node, f: impl FnOnce(&Self, &Value) -> Outcome<T>) -> Outcome<T> {
        let value = self.glance(node);
        if value.is_plain() {
            return f(self, value);
        }
        let owned = self.evaluated(node)?;
        f(self, owned.as_ref().unwrap_or_else(|| self.peek(node)))
    }

    /// Evaluates a list of nodes. The values are drawn from a stack that is kept, so that they need no memory of their
    /// own.
    pub fn eval_all(&mut self, nodes: &[Node]) -> Outcome<std::vec::Drain<'_, Value>> {
        let start = self.stack.len();
        for node in nodes {
            match self.eval(node) {
                Ok(value) => self.stack.push(value),
                Err(fault) => {
                    self.stack.truncate(start);
                    return Err(fault);
                }
            }
        }
        Ok(self.stack.drain(start..))
    }

    /// The value of a constant expression.
    pub fn cell(&mut self, cell: &Cell) -> Outcome<Value> {
        self.cell_by(cell, |context| context.eval(&cell.node))
    }

    /// The same, evaluated in a certain way if it is not known.
    pub(super) fn cell_by(
        &mut self,
        cell: &Cell,
        eval: impl FnOnce(&mut Self) -> Outcome<Value>,
    ) -> Outcome<Value> {
        let number = cell.number as usize;
        if let Some(copies) = &self.copies
            && let Some(own) = copies.cells.get(number)
            && own.is_set()
        {
            return Ok(own.clone());
        }
        let known = match cell.value.get() {
            Some(known) => known.clone(),
            None => self.evaluate_cell(cell, eval),
        };
        let Some(copies) = &mut self.copies else { return known };
        let own = match known? {
            Value::Operator(function) => super::lazy_function::copy(&function, &mut copies.copier),
            value if Copier::is_worth_it(&value) => copies.copier.copy(&value),
            value => value,
        };
        if copies.cells.len() <= number {
            copies.cells.resize(number + 1, Value::Unset);
        }
        copies.cells[number] = own.clone();
        Ok(own)
    }

    fn evaluate_cell(
        &mut self,
        cell: &Cell,
        eval: impl FnOnce(&mut Self) -> Outcome<Value>,
    ) -> Outcome<Value> {
        let value = eval(self).and_then(|value| check_nesting().map(|()| value));
        if matches!(&value, Err(fault) if !fault.is_of_the_specification()) {
            // Whether a limit is reached depends on how deep we are already.
            return value;
        }
        cell.value.get_or_init(|| value).clone()
    }

    /// Runs `work` with a range of slots set aside, and restores them.
    pub fn with_fresh<T>(
        &mut self,
        (from, to): (Slot, Slot),
        work: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            self.depth -= 1;
            return Err(Fault::kind(FaultKind::Limit(
                "recursion is too deep",
                format!("more than {MAX_DEPTH} nested calls"),
            )));
        }
        let range = from as usize..to as usize;
        let saved: smallvec::SmallVec<[Value; 16]> =
            self.slots[range.clone()].iter_mut().map(|slot| std::mem::replace(slot, Value::Unset)).collect();
        let result = stacker::maybe_grow(256 << 10, 8 << 20, || work(self));
        for (slot, value) in self.slots[range].iter_mut().zip(saved) {
            *slot = value;
        }
        self.depth -= 1;
        result
    }

    /// Calls a recursive operator.
    pub fn call(&mut self, code: &Code, args: &[Node]) -> Outcome<Value> {
        code.params.check()?;
        tick(1)?;
        let values = self.arguments(args)?;
        let body = code.body.get().expect("recursive operators are complete before anything is evaluated");
        self.with_fresh(body.range, |context| {
            for (slot, value) in code.params.slots.iter().zip(values) {
                context.slots[*slot as usize] = value;
            }
            context.eval(&body.node)
        })
        .map_err(|fault| fault.through(&code.name, code.place))
    }

    /// The arguments of a call. One that fails is reported only if it is used.
    pub fn arguments(&mut self, args: &[Node]) -> Outcome<smallvec::SmallVec<[Value; 4]>> {
        let mut values = smallvec::SmallVec::with_capacity(args.len());
        for arg in args {
            let value = if self.trace.is_some() { self.eval_argument(arg) } else { self.eval(arg) };
            values.push(match value {
                Ok(value) => value,
                Err(fault) if !fault.is_of_the_specification() => return Err(fault),
                Err(fault) => Value::Failed(Arc::from(fault)),
            });
        }
        Ok(values)
    }

    /// Whether an action is possible in the current state.
    pub fn enabled(&mut self, act: &Act) -> Outcome<bool> {
        let unset = unset(self.shared.variables.len());
        let outer = std::mem::replace(&mut self.next, unset);
        let label = self.label;
        let traced = self.trace.as_mut().map(|trace| trace.enter());
        let mut possible = false;
        let result = self.enumerate(act, &mut |_| {
            possible = true;
            Ok(std::ops::ControlFlow::Break(()))
        });
        self.next = outer;
        self.label = label;
        if let (Some(trace), Some(outer)) = (&mut self.trace, traced) {
            trace.leave(outer);
        }
        let _ = result?;
        Ok(possible)
    }

    /// Evaluates in the next state.
    pub fn in_next<T>(&mut self, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.only_untraced()?;
        let unset = unset(self.shared.variables.len());
        let next = std::mem::replace(&mut self.next, unset);
        let state = std::mem::replace(&mut self.state, next);
        self.level += 1;
        let result = work(self);
        self.level -= 1;
        let next = std::mem::replace(&mut self.state, state);
        self.next = next;
        result
    }

    /// Forgets what was kept in these slots.
    #[inline]
    pub fn reset(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.slots[*slot as usize].put(Value::Unset);
        }
    }

    /// Runs `work` in a state.
    pub fn in_state<T>(&mut self, state: &Values, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let mut spare = std::mem::take(&mut self.spare);
        assign(&mut spare, state);
        let outer = std::mem::replace(&mut self.state, spare);
        let result = with_stack(|| work(self)).and_then(|value| check_nesting().map(|()| value));
        self.spare = std::mem::replace(&mut self.state, outer);
        result
    }

    /// Runs `work` on a step. What is kept of the state outlives the call if that state is the current one already,
    /// as it is while its successors are found.
    pub fn in_step<T>(
        &mut self,
        from: &Values,
        to: &Values,
        kept: &KeptSlots,
        work: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let mut spare = std::mem::take(&mut self.spare_next);
        assign(&mut spare, to);
        let outer = std::mem::replace(&mut self.next, spare);
        let missing = self.recall(&kept.next);
        let here =
            self.state.len() == from.len() && self.state.iter().zip(from).all(|(a, b)| a.is_identical(b));
        let result = if here {
            with_stack(|| work(self)).and_then(|value| check_nesting().map(|()| value))
        } else {
            self.reset(&kept.state);
            let result = self.in_state(from, work);
            self.reset(&kept.state);
            result
        };
        self.remember(&kept.next, missing);
        self.spare_next = std::mem::replace(&mut self.next, outer);
        result
    }

    /// Fills slots with what is remembered of the next state, and empties the others: those are in the result, as bits.
    fn recall(&mut self, kept: &[KeptNext]) -> u64 {
        let mut missing = 0;
        for (i, KeptNext { slot, vars }) in kept.iter().enumerate() {
            let known = self.remembered.get(slot).and_then(|known| known.get(vars, &self.next));
            if known.is_none() && !vars.is_empty() && i < 64 {
                missing |= 1 << i;
            }
            self.slots[*slot as usize] = known.cloned().unwrap_or(Value::Unset);
        }
        missing
    }

    /// Remembers what was missing and has been found out.
    fn remember(&mut self, kept: &[KeptNext], mut missing: u64) {
        while missing != 0 {
            let KeptNext { slot, vars } = &kept[missing.trailing_zeros() as usize];
            missing &= missing - 1;
            let value = &self.slots[*slot as usize];
            if value.is_plain() {
                self.remembered.entry(*slot).or_default().set(vars, &self.next, value.clone());
            }
        }
    }
}

/// Runs `work` with stack enough for a usual evaluation; recursive operators ask for more as they go.
pub fn with_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(512 << 10, 16 << 20, work)
}
