//! The reads and writes of an evaluation on a packed state.
//!
//! Of every look at a part of the state it is noted which words of the state were looked at, and which of their bits.
//! The result of the evaluation depends on nothing else, so it can be kept under what was read ([`super::memo`]).

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

use locus_tla_eval::eval::ir::{Node, Slot, Var};
use locus_tla_eval::eval::{Changes, Context, Given, Part, Spot, Trace, Tracing, stopped};
use locus_tla_eval::value::{Domain, Fault, Outcome, Value};

use super::layout::{FieldId, Misfit, ShapeId, ShapeKind};
use super::own::OwnNumbers;
use super::tables::{Tables, Write, is_laid_out};
use super::{Packing, Refusal};

/// The notes of an evaluation.
#[derive(Debug)]
pub(crate) struct Notes {
    packing: Arc<Packing>,
    reads: RefCell<Reads>,
    numbers: RefCell<OwnNumbers>,
}

#[derive(Default, Debug)]
struct Reads {
    /// The words read, and which bits of them, in order.
    all: Vec<(u32, u32)>,
    /// All bits read so far, by word.
    known: Vec<u32>,
}

/// Knowledge of `x' = e` in a step.
#[derive(Debug)]
pub(crate) enum Becoming {
    /// It is true if `x` is as if this had been written.
    Written(Vec<Write>),
    /// It is false: the value fits no state.
    Never,
    /// It depends on the next state, or the value is not all in memory.
    Unknown,
}

/// Why a value cannot be written.
enum Unfit {
    /// It is not all in memory.
    Value,
    Misfit(Misfit),
}

/// Makes what a context needs so that the reads of packed states are noted.
pub(crate) fn tracing(packing: &Arc<Packing>) -> Tracing {
    let layout = &packing.tables.layout;
    let notes = Notes {
        packing: Arc::clone(packing),
        reads: RefCell::new(Reads { all: Vec::new(), known: vec![0; 2 * layout.words] }),
        numbers: RefCell::new(OwnNumbers::new(layout, packing.exchange.is_none())),
    };
    Tracing::new(Box::new(notes), layout.roots.clone().into())
}

/// The notes of a context, if they are taken.
pub(crate) fn notes(context: &Context) -> Option<&Notes> {
    let by: &dyn Any = &*context.trace.as_ref()?.by;
    by.downcast_ref()
}

/// The words that were read since the last part of an action or predicate was begun, and which bits of them.
pub(crate) fn reads(context: &mut Context) -> Option<&[(u32, u32)]> {
    let by: &mut dyn Any = &mut *context.trace.as_mut()?.by;
    by.downcast_mut::<Notes>().map(|notes| &*notes.reads.get_mut().all)
}

/// The writes that lead from the state of a context to its next one.
pub(crate) fn writes(context: &Context) -> Outcome<Vec<Write>> {
    let mut writes = Vec::new();
    if let (Some(tracing), Some(notes)) = (&context.trace, notes(context)) {
        for ((var, value), given) in (0..).zip(&context.next).zip(tracing.given()) {
            notes.write_given(var, value, given, &mut writes).map_err(|unfit| notes.end_with(unfit))?;
        }
    }
    Ok(writes)
}

/// The write that gives a field of numbers this value.
pub(crate) fn number(context: &Context, field: FieldId, value: &Value) -> Outcome<Write> {
    let Some(notes) = notes(context) else { return Err(stopped()) };
    let mut writes = Vec::new();
    let shape = notes.tables().layout.fields[field as usize].shape;
    notes.write(shape, value, &mut writes).map_err(|unfit| notes.end_with(unfit))?;
    writes.pop().ok_or_else(|| notes.end_with(Unfit::Value))
}

/// The writes of `x' = e`, or of the body of a function that gives `x` its value, for the part at a place of it.
pub(crate) fn written(
    context: &mut Context,
    var: Var,
    part: Option<(usize, Slot)>,
    node: &Node,
) -> Outcome<Vec<Write>> {
    let (Some(tracing), Some(notes)) = (&context.trace, notes(context)) else { return Ok(Vec::new()) };
    let mut spot = tracing.spot(var);
    let mut now = context.state[var as usize].clone();
    if let Some((at, slot)) = part {
        let Some((domain, parts)) = notes.function(spot.part) else {
            return Err(notes.end_with(Unfit::Value));
        };
        let key = domain.key(at);
        spot.part = parts[at];
        now = now.parts().map_or(Value::Unset, |(_, values)| values[at].clone());
        context.slots[slot as usize].put(key);
    }
    let (value, changes) = context.changed(spot, &now, node)?;
    let value = value.settled().map_err(|fault| fault.at(node.place))?;
    let mut writes = Vec::new();
    if let Some(notes) = self::notes(context) {
        notes.write_parts(spot.part, &value, &changes, &mut writes).map_err(|unfit| notes.end_with(unfit))?;
    }
    Ok(writes)
}

/// Evaluates `x' = e` in a step, whose states are both given.
pub(crate) fn becoming(context: &mut Context, var: Var, node: &Node) -> Outcome<Becoming> {
    let Some(tracing) = &context.trace else { return Ok(Becoming::Unknown) };
    let spot = tracing.spot(var);
    let now = context.state[var as usize].clone();
    let (value, changes) = context.changed(spot, &now, node)?;
    let Some(words) = notes(context).map(|notes| notes.tables().layout.words as u32) else {
        return Ok(Becoming::Unknown);
    };
    let has_read_next = reads(context).is_some_and(|all| all.iter().any(|(word, _)| *word >= words));
    let Some(notes) = notes(context).filter(|_| !has_read_next) else { return Ok(Becoming::Unknown) };
    let mut writes = Vec::new();
    Ok(match notes.write_given(var, &value, &changes.given(), &mut writes) {
        Ok(()) => Becoming::Written(writes),
        Err(Unfit::Misfit(_)) => Becoming::Never,
        Err(Unfit::Value) => Becoming::Unknown,
    })
}

impl Notes {
    fn tables(&self) -> &Tables {
        &self.packing.tables
    }

    /// The first word of the state that a part is of: the next one is behind the state.
    fn offset(&self, spot: Spot) -> u32 {
        if spot.is_next { self.tables().layout.words as u32 } else { 0 }
    }

    fn note_bits(&self, word: u32, mask: u32) {
        let mut reads = self.reads.borrow_mut();
        let known = &mut reads.known[word as usize];
        let new = mask & !*known;
        if new != 0 {
            *known |= new;
            reads.all.push((word, new));
        }
    }

    /// The bits of a set.
    fn field(&self, part: Part) -> Option<FieldId> {
        match self.tables().layout.shapes[part as usize].kind {
            ShapeKind::Set(field) => Some(field),
            _ => None,
        }
    }

    /// Ends the search because a value of a state does not fit.
    #[expect(clippy::unnecessary_box_returns, reason = "faults travel boxed")]
    fn end_with(&self, unfit: Unfit) -> Box<Fault> {
        match unfit {
            Unfit::Value => self.packing.refuse(Refusal::Value),
            Unfit::Misfit(misfit) => self.packing.misfit(misfit),
        }
    }

    /// Adds the writes that give a variable its value.
    fn write_given(
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
            Given::Parts(changes) => self.write_parts(root, value, changes, writes),
        }
    }

    fn write(&self, shape: ShapeId, value: &Value, writes: &mut Vec<Write>) -> Result<(), Unfit> {
        if !is_laid_out(value) {
            return Err(Unfit::Value);
        }
        self.numbers.borrow_mut().write(self.tables(), shape, value, writes).map_err(Unfit::Misfit)
    }

    fn write_parts(
        &self,
        root: ShapeId,
        value: &Value,
        Changes { parts, elements }: &Changes,
        writes: &mut Vec<Write>,
    ) -> Result<(), Unfit> {
        for part in parts {
            self.write(*part, self.within(root, value, *part).ok_or(Unfit::Value)?, writes)?;
        }
        for (part, element, is_in) in elements {
            let field = self.field(*part).filter(|_| is_laid_out(element)).ok_or(Unfit::Value)?;
            let write = self.numbers.borrow_mut().write_element(self.tables(), field, element, *is_in);
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

impl Trace for Notes {
    fn begin(&mut self) {
        let reads = self.reads.get_mut();
        for (word, _) in reads.all.drain(..) {
            reads.known[word as usize] = 0;
        }
    }

    fn inner(&self, part: Part, at: usize, count: usize) -> Option<Part> {
        self.tables().layout.part(part, at, count)
    }

    fn function(&self, part: Part) -> Option<(Domain, Arc<[Part]>)> {
        match &self.tables().layout.shapes[part as usize].kind {
            ShapeKind::Function(domain, parts) => Some((domain.clone(), Arc::clone(parts))),
            _ => None,
        }
    }

    fn is_set(&self, part: Part) -> bool {
        self.field(part).is_some()
    }

    fn note(&self, spot: Spot) {
        let offset = self.offset(spot);
        for &(word, mask) in &self.tables().layout.shapes[spot.part as usize].bits {
            self.note_bits(word + offset, mask);
        }
    }

    fn note_element(&self, spot: Spot, element: &Value) {
        let Some(field) = self.field(spot.part).filter(|_| is_laid_out(element)) else {
            return self.note(spot);
        };
        // Where there is no room for it, it is an element in no state.
        let Ok((number, _)) = self.numbers.borrow_mut().number(self.tables(), field, element) else { return };
        let (word, bit) = self.tables().layout.fields[field as usize].place(number);
        self.note_bits(self.offset(spot) + word, bit);
    }

    fn note_elements(&self, spot: Spot, matters: &mut dyn FnMut(&Value) -> bool) {
        let Some(field) = self.field(spot.part) else { return self.note(spot) };
        let place = &self.tables().layout.fields[field as usize];
        // Elements that are not known yet may matter.
        let mut masks = vec![place.mask; place.words as usize];
        OwnNumbers::elements(&self.numbers, self.tables(), field, |number, element| {
            if !matters(element) {
                let (word, bit) = place.place(number);
                masks[(word - place.word) as usize] &= !bit;
            }
        });
        let offset = self.offset(spot);
        for (word, mask) in (place.word..).zip(masks) {
            self.note_bits(offset + word, mask);
        }
    }

    fn refuse(&self) -> Box<Fault> {
        self.packing.refuse(Refusal::Evaluation)
    }
}
