//! The reads and writes of an evaluation on a packed state.
//!
//! The evaluator works on values as always. While a [`Trace`] is there, every look at a variable is noted: which words of the
//! state, and which of their bits. What an evaluation finds out depends on nothing else, so it can be kept under what was
//! read ([`crate::packed`]). To note more than was needed is never wrong; so whoever looks at a variable notes all of it, and
//! only those who know better note less: applications, bounds over sets, membership, and `EXCEPT`.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use crate::packed::layout::{FieldId, Misfit, ShapeId, ShapeKind};
use crate::packed::own::OwnNumbers;
use crate::packed::plan::Choices;
use crate::packed::tables::{Tables, Write, is_laid_out};
use crate::packed::{Packing, Refusal};
use crate::value::{Fault, FaultKind, Outcome, Value};

use super::Context;
use super::ir::{Act, Kind, Node, Slot, Var};
use super::wanted::Wanted;

/// What is noted of an evaluation.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) packing: Arc<Packing>,
    notes: RefCell<Notes>,
    numbers: RefCell<OwnNumbers>,
    /// Whether the next state is given, and behind the state in the words, or is being found.
    next_is_given: Cell<bool>,
    /// How the variables of the next state got their values.
    given: Vec<Given>,
    /// Values for the variables of a bound, which take the place of all in its set.
    pub(crate) pins: Vec<(Slot, Value)>,
    /// Disjunctions of which one part is to be taken, by their addresses.
    pub(crate) chosen: Vec<(usize, usize)>,
    /// How many `ENABLED` are around.
    depth: u32,
    /// Whether states were reached by two actions one after the other: then nothing is kept.
    pub(crate) is_composed: bool,
}

#[derive(Default, Debug)]
struct Notes {
    /// The words read, and which bits of them, in order.
    reads: Vec<(u32, u32)>,
    /// All bits read so far, by word.
    known: Vec<u32>,
}

/// How a variable of the next state got its value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Given {
    /// All of it is known.
    #[default]
    Whole,
    /// It is that of the state.
    Kept,
    /// It is that of the state but for these parts, and these elements of sets.
    Parts(Vec<ShapeId>, Vec<(FieldId, Value, bool)>),
}

/// Why a value cannot be written.
pub(super) enum Unfit {
    /// It is not all in memory.
    Value,
    Misfit(Misfit),
}

/// A part of the state, or of the next one that is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    pub(super) shape: ShapeId,
    pub(super) is_next: bool,
}

impl Trace {
    pub(crate) fn new(packing: &Arc<Packing>, variables: usize) -> Self {
        let words = packing.tables.layout.words;
        Self {
            packing: Arc::clone(packing),
            numbers: RefCell::new(OwnNumbers::new(&packing.tables.layout, packing.exchange.is_none())),
            notes: RefCell::new(Notes { reads: Vec::new(), known: vec![0; 2 * words] }),
            next_is_given: Cell::new(false),
            given: vec![Given::Whole; variables],
            pins: Vec::new(),
            chosen: Vec::new(),
            depth: 0,
            is_composed: false,
        }
    }

    /// Goes on with the second of two actions, if that can be done.
    pub(crate) fn compose(&mut self) -> bool {
        self.is_composed = true;
        self.depth == 0
    }

    /// All variables of the next state have got values, whatever they are in the state.
    pub(crate) fn give_all(&mut self) {
        self.given.fill(Given::Whole);
    }

    /// Begins to note.
    pub(crate) fn begin(&mut self, next_is_given: bool) {
        let notes = self.notes.get_mut();
        for (word, _) in notes.reads.drain(..) {
            notes.known[word as usize] = 0;
        }
        self.next_is_given.set(next_is_given);
        self.give_all();
        self.depth = 0;
        self.is_composed = false;
    }

    /// What was read since.
    pub(crate) fn reads(&mut self) -> &[(u32, u32)] {
        &self.notes.get_mut().reads
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.packing.tables
    }

    fn note_bits(&self, word: u32, mask: u32) {
        let mut notes = self.notes.borrow_mut();
        let known = &mut notes.known[word as usize];
        let new = mask & !*known;
        if new != 0 {
            *known |= new;
            notes.reads.push((word, new));
        }
    }

    fn note(&self, Spot { shape, is_next }: Spot) {
        let layout = &self.tables().layout;
        let offset = if is_next { layout.words as u32 } else { 0 };
        for &(word, mask) in &layout.shapes[shape as usize].bits {
            self.note_bits(word + offset, mask);
        }
    }

    /// The bits of a set that is a part of the state.
    pub(super) fn field(&self, spot: Spot) -> Option<FieldId> {
        match self.tables().layout.shapes[spot.shape as usize].kind {
            ShapeKind::Set(field) => Some(field),
            _ => None,
        }
    }

    /// Notes whether an element is in a set.
    fn note_element(&self, spot: Spot, field: FieldId, element: &Value) {
        if !is_laid_out(element) {
            return self.note(spot);
        }
        // Where there is no room for it, it is an element in no state.
        let Ok((number, _)) = self.numbers.borrow_mut().number(self.tables(), field, element) else { return };
        let layout = &self.tables().layout;
        let offset = if spot.is_next { layout.words as u32 } else { 0 };
        let (word, bit) = layout.fields[field as usize].place(number);
        self.note_bits(offset + word, bit);
    }

    /// Notes which elements of a set are there, but for those that do not matter wherever they are.
    fn note_elements(&self, spot: Spot, field: FieldId, mut matters: impl FnMut(&Value) -> bool) {
        let layout = &self.tables().layout;
        let offset = if spot.is_next { layout.words as u32 } else { 0 };
        let place = &layout.fields[field as usize];
        // Elements that are not known yet may matter.
        let mut masks = vec![place.mask; place.words as usize];
        OwnNumbers::elements(&self.numbers, self.tables(), field, |number, element| {
            if !matters(element) {
                let (word, bit) = place.place(number);
                masks[(word - place.word) as usize] &= !bit;
            }
        });
        for (word, mask) in (place.word..).zip(masks) {
            self.note_bits(offset + word, mask);
        }
    }

    pub(crate) fn give(&mut self, var: Var, given: Given) {
        self.given[var as usize] = given;
    }

    /// Begins with a next state of its own, and gives what was known of the one around.
    pub(crate) fn enter(&mut self) -> (Vec<Given>, bool) {
        let inner = vec![Given::Whole; self.given.len()];
        self.depth += 1;
        (std::mem::replace(&mut self.given, inner), self.next_is_given.replace(false))
    }

    pub(crate) fn leave(&mut self, (given, next_is_given): (Vec<Given>, bool)) {
        self.given = given;
        self.next_is_given.set(next_is_given);
        self.depth -= 1;
    }

    /// The values that a bound is given in place of all in its sets.
    pub(crate) fn pinned(&self, slot: Slot) -> Option<&Value> {
        self.pins.iter().find(|(pinned, _)| *pinned == slot).map(|(_, value)| value)
    }

    /// The part of a disjunction that is to be taken.
    pub(crate) fn chosen(&self, act: &Act) -> Option<usize> {
        let address = std::ptr::from_ref(act) as usize;
        self.chosen.iter().find(|(other, _)| *other == address).map(|(_, part)| *part)
    }

    /// What is written to get from the state to the next one.
    pub(crate) fn writes(&self, next: &[Value]) -> Outcome<Vec<Write>> {
        let mut writes = Vec::new();
        for ((var, value), given) in (0..).zip(next).zip(&self.given) {
            self.write_given(var, value, given, &mut writes).map_err(|unfit| self.end_with(unfit))?;
        }
        Ok(writes)
    }

    /// Ends the search because a value of a state does not fit.
    #[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
    pub(super) fn end_with(&self, unfit: Unfit) -> Box<Fault> {
        match unfit {
            Unfit::Value => self.packing.refuse(Refusal::Value),
            Unfit::Misfit(misfit) => self.packing.misfit(misfit),
        }
    }

    /// What is written to give a variable its value.
    pub(super) fn write_given(
        &self,
        var: Var,
        value: &Value,
        given: &Given,
        writes: &mut Vec<Write>,
    ) -> Result<(), Unfit> {
        let root = self.tables().layout.roots[var as usize];
        match given {
            Given::Kept => Ok(()),
            Given::Whole => self.write(root, value, writes),
            Given::Parts(parts, elements) => self.write_parts(root, value, parts, elements, writes),
        }
    }

    /// Whether something of the next state, which is given, was read.
    pub(super) fn has_read_next(&mut self) -> bool {
        let words = self.tables().layout.words as u32;
        self.reads().iter().any(|(word, _)| *word >= words)
    }

    fn write(&self, shape: ShapeId, value: &Value, writes: &mut Vec<Write>) -> Result<(), Unfit> {
        if !is_laid_out(value) {
            return Err(Unfit::Value);
        }
        self.numbers.borrow_mut().write(self.tables(), shape, value, writes).map_err(Unfit::Misfit)
    }

    pub(super) fn write_parts(
        &self,
        root: ShapeId,
        value: &Value,
        parts: &[ShapeId],
        elements: &[(FieldId, Value, bool)],
        writes: &mut Vec<Write>,
    ) -> Result<(), Unfit> {
        for part in parts {
            self.write(*part, self.within(root, value, *part).ok_or(Unfit::Value)?, writes)?;
        }
        for (field, element, is_in) in elements {
            if !is_laid_out(element) {
                return Err(Unfit::Value);
            }
            let write = self.numbers.borrow_mut().write_element(self.tables(), *field, element, *is_in);
            writes.push(write.map_err(Unfit::Misfit)?);
        }
        Ok(())
    }

    /// A part of a value of a certain shape.
    fn within<'a>(&self, shape: ShapeId, value: &'a Value, part: ShapeId) -> Option<&'a Value> {
        if shape == part {
            return Some(value);
        }
        let ShapeKind::Function(_, parts) = &self.tables().layout.shapes[shape as usize].kind else {
            return None;
        };
        let (_, values) = value.parts()?;
        // Parts are numbered behind what they are parts of, in order.
        let at = parts.partition_point(|first| *first <= part).checked_sub(1)?;
        if values.len() != parts.len() {
            return None;
        }
        self.within(parts[at], &values[at], part)
    }
}

static UNSET: Value = Value::Unset;

impl Context {
    /// The value of a variable in the state.
    #[inline]
    pub(crate) fn var(&self, var: Var) -> &Value {
        if let Some(trace) = &self.trace {
            trace.note(trace.spot(var));
        }
        &self.state[var as usize]
    }

    /// The value of a variable in the next state.
    #[inline]
    pub(crate) fn primed(&self, var: Var) -> &Value {
        if let Some(trace) = &self.trace
            && let Some(spot) = trace.next_spot(var)
        {
            trace.note(spot);
        }
        &self.next[var as usize]
    }

    /// What an evaluation that cannot be followed ends with while one is being traced.
    pub(crate) fn only_untraced(&self) -> Outcome<()> {
        match &self.trace {
            Some(trace) => Err(trace.packing.refuse(Refusal::Evaluation)),
            None => Ok(()),
        }
    }

    /// Begins with a part of an action or predicate: nothing is kept of what was evaluated before.
    pub(crate) fn begin_part(&mut self, choices: &Choices, next_is_given: bool) {
        for slot in &mut self.slots {
            slot.put(Value::Unset);
        }
        for (slot, value) in &choices.pins {
            self.slots[*slot as usize].put(value.clone());
        }
        if let Some(trace) = &mut self.trace {
            trace.begin(next_is_given);
            trace.pins.clone_from(&choices.pins);
            trace.chosen.clone_from(&choices.chosen);
        }
    }

    /// The part of the state that an expression is, if it is one.
    pub(crate) fn shape_of(&self, node: &Node) -> Option<ShapeId> {
        match self.locate(node) {
            (Some(Spot { shape, is_next: false }), _) => Some(shape),
            _ => None,
        }
    }

    pub(super) fn note(&self, spot: Option<Spot>) {
        if let (Some(trace), Some(spot)) = (&self.trace, spot) {
            trace.note(spot);
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

    /// The part of the state that a node is, if it is one, and its value. That value is not noted as read, but what it took
    /// to find it is.
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
            trace.note(spot);
            return (None, &UNSET);
        };
        let count = whole.parts().map_or(0, |(_, values)| values.len());
        if let Some(shape) = trace.tables().layout.part(spot.shape, at, count) {
            return (Some(Spot { shape, ..spot }), value);
        }
        trace.note(spot);
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
        match &trace.tables().layout.shapes[spot.shape as usize].kind {
            ShapeKind::Function(domain, parts) => Some(domain.set(parts.len())),
            _ => None,
        }
    }

    /// A set that has a bit for each element, if a node is one.
    pub(crate) fn bit_set<'a>(&'a self, node: &'a Node) -> Option<(Spot, FieldId, &'a Value)> {
        let trace = self.trace.as_ref()?;
        let (Some(spot), value) = self.locate(node) else { return None };
        trace.field(spot).map(|field| (spot, field, value))
    }

    /// The elements of such a set that are wanted.
    pub(super) fn wanted_elements(&self, set: &Node, wanted: &mut Wanted) -> Option<Vec<Value>> {
        let (spot, field, value) = self.bit_set(set)?;
        let Value::Set(elements) = value else { return None };
        self.trace.as_ref()?.note_elements(spot, field, |element| !wanted.excludes(element));
        Some(elements.slice.iter().filter(|element| !wanted.excludes(element)).cloned().collect())
    }

    /// `e \in S` for such a set.
    pub(super) fn traced_member(&mut self, pair: &[Node; 2]) -> Outcome<Option<bool>> {
        if self.bit_set(&pair[1]).is_none() {
            return Ok(None);
        }
        let element = self.eval(&pair[0])?;
        let Some((spot, field, set)) = self.bit_set(&pair[1]) else { return Ok(None) };
        if let Some(trace) = &self.trace {
            trace.note_element(spot, field, &element);
        }
        set.contains(&element).map(Some)
    }

    /// `S \subseteq T` for such a set: only elements that are not in `T` matter.
    pub(super) fn traced_subset(&mut self, pair: &[Node; 2]) -> Outcome<Option<bool>> {
        if self.bit_set(&pair[0]).is_none() {
            return Ok(None);
        }
        let other = self.eval(&pair[1])?;
        let (Some((spot, field, set)), Some(trace)) = (self.bit_set(&pair[0]), &self.trace) else {
            return Ok(None);
        };
        trace.note_elements(spot, field, |element| !matches!(other.contains(element), Ok(true)));
        set.is_subset(&other).map(Some)
    }
}

impl Trace {
    #[inline]
    pub(super) fn spot(&self, var: Var) -> Spot {
        Spot { shape: self.tables().layout.roots[var as usize], is_next: false }
    }

    /// The part of the state that a variable of the next state is: of that one if it is given, and of the state if the
    /// variable has kept something of it.
    fn next_spot(&self, var: Var) -> Option<Spot> {
        let shape = self.tables().layout.roots[var as usize];
        if self.next_is_given.get() {
            return Some(Spot { shape, is_next: true });
        }
        match self.given[var as usize] {
            Given::Whole => None,
            Given::Kept | Given::Parts(..) => Some(Spot { shape, is_next: false }),
        }
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
pub(crate) fn stopped() -> Box<Fault> {
    Fault::kind(FaultKind::Stop(locus_explore::Reason::Stopped))
}
