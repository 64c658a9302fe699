//! Notes of an evaluation: what it reads of the state, and what it changes.
//!
//! The evaluator works on values as always. A search that keeps states in another form, of parts that have numbers, may
//! give a context a [`Trace`] that is told of every look at a part of the state. The result of an evaluation depends on
//! nothing else. To note more than was needed is never wrong; so whoever looks at a variable notes all of it, and
//! only those who know better note less: applications, bounds over sets, membership, and `EXCEPT`.

use std::any::Any;
use std::cell::Cell;
use std::fmt::Debug;
use std::sync::Arc;

use crate::value::{Domain, Fault, FaultKind, Outcome, Value};

use super::Context;
use super::change::Changes;
use super::ir::{Act, ActId, Kind, Node, Slot, Var};
use super::wanted::Wanted;

/// The number of a part of the state, given by who traces: a variable, or a part of one at a place of a function.
pub type Part = u32;

/// A part of the state, or of the next one that is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    /// The part.
    pub part: Part,
    /// Whether it is one of the next state.
    pub is_next: bool,
}

/// The parts that states have, and the notes of what is read of them.
pub trait Trace: Any + Debug + Send {
    /// Begins to note anew.
    fn begin(&mut self);

    /// The part at a place of a function that is a part, if it has so many places.
    fn inner(&self, part: Part, at: usize, count: usize) -> Option<Part>;

    /// The domain and the parts of a part, if it is a function that has the same domain in every state.
    fn function(&self, part: Part) -> Option<(Domain, Arc<[Part]>)>;

    /// Whether a part is a set of which single elements can be noted.
    fn is_set(&self, part: Part) -> bool;

    /// Notes that a part was read.
    fn note(&self, spot: Spot);

    /// Notes that it was asked whether such a set has an element.
    fn note_element(&self, spot: Spot, element: &Value);

    /// Notes that all elements of such a set were looked at, but for those that do not matter wherever they are.
    fn note_elements(&self, spot: Spot, matters: &mut dyn FnMut(&Value) -> bool);

    /// The fault that an evaluation ends with whose reads cannot be noted.
    fn refuse(&self) -> Box<Fault>;
}

/// The ways that are taken through an action, where only some are.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Choices {
    /// Values for the variables of a bound, which take the place of all in its set.
    pub pins: Vec<(Slot, Value)>,
    /// Disjunctions, and which part of each is taken.
    pub chosen: Vec<(ActId, usize)>,
}

impl Choices {
    /// The part of a disjunction that is taken, if only one is.
    pub fn chosen(&self, act: ActId) -> Option<usize> {
        self.chosen.iter().find(|(other, _)| *other == act).map(|(_, part)| *part)
    }

    /// The value that a bound is given in place of all in its sets.
    pub fn pinned(&self, slot: Slot) -> Option<&Value> {
        self.pins.iter().find(|(pinned, _)| *pinned == slot).map(|(_, value)| value)
    }
}

/// An evaluation that is traced.
#[derive(Debug)]
pub struct Tracing {
    /// Where notes are taken.
    pub by: Box<dyn Trace>,
    /// The parts that the variables are.
    roots: Box<[Part]>,
    /// Whether the next state is given, or is being found.
    next_is_given: Cell<bool>,
    /// How the variables of the next state got their values.
    given: Vec<Given>,
    choices: Choices,
    /// How many `ENABLED` are around.
    depth: u32,
    /// Whether states were reached by two actions one after the other: then nothing is kept.
    pub is_composed: bool,
}

/// How a variable of the next state got its value.
#[derive(Clone, Debug, Default)]
pub enum Given {
    /// All of it is known.
    #[default]
    Whole,
    /// It is that of the state.
    Kept,
    /// It is that of the state but for these parts, and these elements of sets.
    Parts(Changes),
}

impl Tracing {
    /// Traces by `by`, for which these parts are the variables.
    pub fn new(by: Box<dyn Trace>, roots: Box<[Part]>) -> Self {
        Self {
            by,
            next_is_given: Cell::new(false),
            given: vec![Given::Whole; roots.len()],
            roots,
            choices: Choices::default(),
            depth: 0,
            is_composed: false,
        }
    }

    /// How the variables of the next state got their values.
    pub fn given(&self) -> &[Given] {
        &self.given
    }

    /// Goes on with the second of two actions, if that can be done.
    pub(super) fn compose(&mut self) -> bool {
        self.is_composed = true;
        self.depth == 0
    }

    /// All variables of the next state have got values, whatever they are in the state.
    pub(super) fn give_all(&mut self) {
        self.given.fill(Given::Whole);
    }

    fn begin(&mut self, next_is_given: bool) {
        self.by.begin();
        self.next_is_given.set(next_is_given);
        self.give_all();
        self.depth = 0;
        self.is_composed = false;
    }

    pub(super) fn give(&mut self, var: Var, given: Given) {
        self.given[var as usize] = given;
    }

    /// Begins with a next state of its own, and gives what was known of the one around.
    pub(super) fn enter(&mut self) -> (Vec<Given>, bool) {
        let inner = vec![Given::Whole; self.given.len()];
        self.depth += 1;
        (std::mem::replace(&mut self.given, inner), self.next_is_given.replace(false))
    }

    pub(super) fn leave(&mut self, (given, next_is_given): (Vec<Given>, bool)) {
        self.given = given;
        self.next_is_given.set(next_is_given);
        self.depth -= 1;
    }

    /// The value that a bound is given in place of all in its sets.
    pub(super) fn pinned(&self, slot: Slot) -> Option<&Value> {
        self.choices.pinned(slot)
    }

    /// The part of a disjunction that is to be taken.
    pub(super) fn chosen(&self, act: &Act) -> Option<usize> {
        self.choices.chosen(act.id)
    }

    /// The part of the state that a variable is.
    #[inline]
    pub fn spot(&self, var: Var) -> Spot {
        Spot { part: self.roots[var as usize], is_next: false }
    }

    /// The part of the state that a variable of the next state is: of that one if it is given, and of the state if the
    /// variable has kept something of it.
    fn next_spot(&self, var: Var) -> Option<Spot> {
        let part = self.roots[var as usize];
        if self.next_is_given.get() {
            return Some(Spot { part, is_next: true });
        }
        match self.given[var as usize] {
            Given::Whole => None,
            Given::Kept | Given::Parts(..) => Some(Spot { part, is_next: false }),
        }
    }
}

static UNSET: Value = Value::Unset;

impl Context {
    /// The value of a variable in the state.
    #[inline]
    pub fn var(&self, var: Var) -> &Value {
        if let Some(trace) = &self.trace {
            trace.by.note(trace.spot(var));
        }
        &self.state[var as usize]
    }

    /// The value of a variable in the next state.
    #[inline]
    pub fn primed(&self, var: Var) -> &Value {
        if let Some(trace) = &self.trace
            && let Some(spot) = trace.next_spot(var)
        {
            trace.by.note(spot);
        }
        &self.next[var as usize]
    }

    /// The error of an evaluation that cannot be followed while one is being traced.
    pub fn only_untraced(&self) -> Outcome<()> {
        match &self.trace {
            Some(trace) => Err(trace.by.refuse()),
            None => Ok(()),
        }
    }

    /// Begins with a part of an action or predicate: nothing is kept of what was evaluated before.
    pub fn begin_part(&mut self, choices: &Choices, next_is_given: bool) {
        for slot in &mut self.slots {
            slot.put(Value::Unset);
        }
        for (slot, value) in &choices.pins {
            self.slots[*slot as usize].put(value.clone());
        }
        if let Some(trace) = &mut self.trace {
            trace.begin(next_is_given);
            trace.choices.clone_from(choices);
        }
    }

    /// The part of the state that an expression is, if it is one.
    pub fn part_of(&self, node: &Node) -> Option<Part> {
        match self.locate(node) {
            (Some(Spot { part, is_next: false }), _) => Some(part),
            _ => None,
        }
    }

    pub(super) fn note(&self, spot: Option<Spot>) {
        if let (Some(trace), Some(spot)) = (&self.trace, spot) {
            trace.by.note(spot);
        }
    }

    /// The value of a node that needs no evaluation, while what is read is noted: [`Context::peek`].
    pub(super) fn traced<'a>(&'a self, node: &'a Node) -> &'a Value {
        let (spot, value) = self.locate(node);
        if value.is_set() {
            self.note(spot);
        }
        value
    }

    /// The part of the state that a node is, if it is one, and its value. That value is not noted as read, but what it
    /// took to find it is.
    pub(super) fn locate<'a>(&'a self, node: &'a Node) -> (Option<Spot>, &'a Value) {
        let Some(trace) = &self.trace else { return (None, self.glance(node)) };
        match &node.kind {
            Kind::Var(var) => (Some(trace.spot(*var)), &self.state[*var as usize]),
            Kind::Primed(var) => (trace.next_spot(*var), &self.next[*var as usize]),
            Kind::ByName(inner) => self.locate(inner),
            Kind::Lazy(_, thunk) if is_path(thunk) => self.locate(thunk),
            Kind::Index(pair) => {
                let (spot, head) = self.locate(&pair[0]);
                let Value::Fn(_) = head else { return (None, &UNSET) };
                let argument = self.glance(&pair[1]);
                if !argument.is_plain() {
                    return (None, &UNSET);
                }
                self.part(spot, head, head.find(argument))
            }
            Kind::Field(record, field) => {
                let (spot, head) = self.locate(record);
                self.part(spot, head, head.field(field.name, usize::MAX))
            }
            _ => (None, self.glance(node)),
        }
    }

    /// A part of a part of the state: the value at a place, if there is one.
    fn part<'a>(
        &self,
        spot: Option<Spot>,
        whole: &'a Value,
        found: Option<(usize, &'a Value)>,
    ) -> (Option<Spot>, &'a Value) {
        let (Some(trace), Some(spot)) = (&self.trace, spot) else {
            return (None, found.map_or(&UNSET, |(_, value)| value));
        };
        let Some((at, value)) = found else {
            trace.by.note(spot);
            return (None, &UNSET);
        };
        let count = whole.parts().map_or(0, |(_, values)| values.len());
        if let Some(part) = trace.by.inner(spot.part, at, count) {
            return (Some(Spot { part, ..spot }), value);
        }
        trace.by.note(spot);
        (None, value)
    }

    /// `f[e]`, as [`Context::index`] has it.
    pub(super) fn traced_index(&mut self, pair: &[Node; 2]) -> Outcome<Value> {
        let argument = match self.operand(&pair[1])? {
            Some(argument) => argument,
            None => self.peek(&pair[1]).clone(),
        };
        let (spot, head) = self.locate(&pair[0]);
        if let Value::Fn(_) = head {
            let (spot, value) = self.part(spot, head, head.find(&argument));
            self.note(spot);
            return if value.is_set() { Ok(value.clone()) } else { head.apply(&argument).cloned() };
        }
        let head = if head.is_set() {
            self.note(spot);
            head.clone()
        } else {
            self.eval_lazily(&pair[0])?
        };
        match head {
            Value::Operator(function) => self.apply_lazy(&function, argument),
            head => head.apply(&argument).cloned(),
        }
    }

    /// `r.f`, if the record is at hand.
    pub(super) fn traced_field(&self, node: &Node) -> Option<Value> {
        self.trace.as_ref()?;
        let value = self.traced(node);
        value.is_plain().then(|| value.clone())
    }

    /// `DOMAIN f`, if that is part of the layout, so that nothing of the function needs to be read.
    pub(super) fn traced_domain(&self, node: &Node) -> Option<Value> {
        let trace = self.trace.as_ref()?;
        let (Some(spot), _) = self.locate(node) else { return None };
        trace.by.function(spot.part).map(|(domain, parts)| domain.set(parts.len()))
    }

    /// A part of the state that is a set of which single elements can be noted, if a node is one.
    pub fn noted_set<'a>(&'a self, node: &'a Node) -> Option<(Spot, &'a Value)> {
        let trace = self.trace.as_ref()?;
        let (Some(spot), value) = self.locate(node) else { return None };
        trace.by.is_set(spot.part).then_some((spot, value))
    }

    /// The elements of such a set that are wanted.
    pub(super) fn wanted_elements(&self, set: &Node, wanted: &mut Wanted) -> Option<Vec<Value>> {
        let (spot, value) = self.noted_set(set)?;
        let Value::Set(elements) = value else { return None };
        self.trace.as_ref()?.by.note_elements(spot, &mut |element| !wanted.excludes(element));
        Some(elements.slice.iter().filter(|element| !wanted.excludes(element)).cloned().collect())
    }

    /// `e \in S` for such a set.
    pub(super) fn traced_member(&mut self, pair: &[Node; 2]) -> Outcome<Option<bool>> {
        if self.noted_set(&pair[1]).is_none() {
            return Ok(None);
        }
        let element = self.eval(&pair[0])?;
        let Some((spot, set)) = self.noted_set(&pair[1]) else { return Ok(None) };
        if let Some(trace) = &self.trace {
            trace.by.note_element(spot, &element);
        }
        set.contains(&element).map(Some)
    }

    /// `S \subseteq T` for such a set: only elements that are not in `T` matter.
    pub(super) fn traced_subset(&mut self, pair: &[Node; 2]) -> Outcome<Option<bool>> {
        if self.noted_set(&pair[0]).is_none() {
            return Ok(None);
        }
        let other = self.eval(&pair[1])?;
        let (Some((spot, set)), Some(trace)) = (self.noted_set(&pair[0]), &self.trace) else {
            return Ok(None);
        };
        trace.by.note_elements(spot, &mut |element| !matches!(other.contains(element), Ok(true)));
        set.is_subset(&other).map(Some)
    }
}

/// Whether an expression is a variable, or a part of one that is found by applications.
fn is_path(node: &Node) -> bool {
    match &node.kind {
        Kind::Var(_) | Kind::Primed(_) => true,
        Kind::Index(pair) => is_path(&pair[0]),
        Kind::Field(record, _) => is_path(record),
        Kind::ByName(inner) => is_path(inner),
        _ => false,
    }
}

/// The fault of an evaluation that is to end without saying anything of the specification.
pub fn stopped() -> Box<Fault> {
    Fault::kind(FaultKind::Stop(locus_explore::Reason::Stopped))
}
