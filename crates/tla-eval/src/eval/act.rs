//! Enumeration of the ways in which an action, or an initial predicate, can be true.
//!
//! As TLC does it: conjuncts from left to right, the first equation of a variable gives it its value and any other is
//! a test, disjunctions and `\E` split. Every way counts, also if two give the same state; but once all variables have
//! values, the conjuncts that are left are conditions, true in one way. What remains to be done after a part is a chain
//! of [`Rest`]s on the stack.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use locus_source::Place;

use crate::value::{Fault, Outcome, Step, Value, equal, tick};

use super::Context;
use super::again::Again;
use super::ir::{Act, ActCode, ActKind, Bind, Kind, Node, NodeId, Pattern, Slot, Var};
use super::member::is_vast;
use super::share::Choice;
use super::trace::Given;

/// Is called for each way, with the next state in the context.
pub(crate) type Emit<'a> = dyn FnMut(&mut Context) -> Step + 'a;

/// The acts that remain to be done.
#[derive(Clone, Copy)]
enum Rest<'a> {
    Done,
    /// These, in order, then the rest.
    Acts(&'a [Act], &'a Rest<'a>),
    /// The remaining instances of a `\A`.
    All {
        binds: &'a [Bind],
        body: &'a Act,
        range: (Slot, Slot),
        elements: &'a [Vec<Value>],
        rest: &'a Rest<'a>,
    },
    /// The second half of a composition.
    Compose(&'a Act, &'a Rest<'a>),
    /// The continuation after a call, in the slots of the caller: the range they share, and what the caller had there.
    Return((Slot, Slot), &'a RefCell<Vec<Value>>, &'a Rest<'a>),
}

impl Context {
    /// Enumerates every way.
    pub fn enumerate(&mut self, act: &Act, emit: &mut Emit<'_>) -> Step {
        self.act(act, &Rest::Done, emit)
    }

    /// Whether there is a way.
    pub fn is_possible(&mut self, act: &Act) -> Outcome<bool> {
        let mut is_possible = false;
        let _ = self.enumerate(act, &mut |_| {
            is_possible = true;
            Ok(ControlFlow::Break(()))
        })?;
        Ok(is_possible)
    }

    fn resume(&mut self, rest: &Rest<'_>, emit: &mut Emit<'_>) -> Step {
        match *rest {
            Rest::Done => emit(self),
            Rest::Acts(acts, rest) => self.sequence(acts, true, rest, emit),
            Rest::All { binds, body, range, elements, rest } => {
                if !elements.is_empty() && self.is_settled(rest) {
                    return self
                        .once(emit, |context, emit| context.all(binds, body, range, elements, rest, emit));
                }
                self.all(binds, body, range, elements, rest, emit)
            }
            Rest::Compose(second, rest) => self.compose_second(second, rest, emit),
            Rest::Return(range, saved, rest) => {
                let mut mine = saved.take();
                self.swap(range, &mut mine);
                let result = self.resume(rest, emit);
                self.swap(range, &mut mine);
                saved.replace(mine);
                result
            }
        }
    }

    fn swap(&mut self, (from, to): (Slot, Slot), values: &mut [Value]) {
        self.slots[from as usize..to as usize].swap_with_slice(values);
    }

    /// Runs the body of an application in slots of its own, and what comes after in those of the caller.
    fn call_act(
        &mut self,
        code: &ActCode,
        bind: impl FnOnce(&mut Self) -> Outcome<()>,
        rest: &Rest<'_>,
        emit: &mut Emit<'_>,
    ) -> Step {
        let (body, range) = code.body.get().expect("actions are complete before anything is evaluated");
        let saved = RefCell::new(self.slots[range.0 as usize..range.1 as usize].to_vec());
        self.with_fresh(*range, |context| {
            bind(context)?;
            context.act(body, &Rest::Return(*range, &saved, rest), emit)
        })
    }

    /// Whether all variables have values, so that what is left is but a condition.
    fn is_settled(&self, rest: &Rest<'_>) -> bool {
        let mut rest = rest;
        loop {
            rest = match rest {
                Rest::Done => return self.next.iter().all(Value::is_set),
                Rest::Acts(_, rest) | Rest::All { rest, .. } | Rest::Return(_, _, rest) => rest,
                // The variables get values again.
                Rest::Compose(..) => return false,
            }
        }
    }

    /// Whether there is a way; all of them lead to the same state.
    fn once(&mut self, emit: &mut Emit<'_>, work: impl FnOnce(&mut Self, &mut Emit<'_>) -> Step) -> Step {
        let mut found = false;
        let _ = work(self, &mut |_| {
            found = true;
            Ok(ControlFlow::Break(()))
        })?;
        if found { emit(self) } else { Ok(ControlFlow::Continue(())) }
    }

    /// Runs conjuncts: those with one outcome in a loop, the first that may split by recursion. `begun` says whether
    /// there were conjuncts before these.
    fn sequence(&mut self, acts: &[Act], begun: bool, rest: &Rest<'_>, emit: &mut Emit<'_>) -> Step {
        let mut given: smallvec::SmallVec<[Var; 8]> = smallvec::SmallVec::new();
        let result = self.sequence_from(acts, begun, rest, emit, &mut given);
        for var in given {
            self.next[var as usize] = Value::Unset;
        }
        result
    }

    fn sequence_from(
        &mut self,
        acts: &[Act],
        begun: bool,
        rest: &Rest<'_>,
        emit: &mut Emit<'_>,
        given: &mut smallvec::SmallVec<[Var; 8]>,
    ) -> Step {
        for (i, act) in acts.iter().enumerate() {
            let goes_on = match &act.kind {
                _ if self.is_postponed(act) => true,
                ActKind::Guard(node) => self.test(node)?,
                ActKind::Assign(var, node) => {
                    if matches!(self.next[*var as usize], Value::Unset) {
                        let value = self.traced_value(*var, node)?.settled().map_err(|f| f.at(node.place))?;
                        self.next[*var as usize].put(value);
                        given.push(*var);
                        true
                    } else {
                        let value = self.eval(node)?;
                        let agrees = equal(self.primed(*var), &value).map_err(|f| f.at(node.place))?;
                        // With a branch between the two, it may be another part of the specification that gave the
                        // value.
                        if given.contains(var) {
                            self.given_again(*var, Again::Assigned, node.place, agrees);
                        }
                        agrees
                    }
                }
                ActKind::Keep(vars, place) => self.keep((vars, *place), given)?,
                ActKind::Passed(point) => {
                    self.passed(*point);
                    true
                }
                _ => {
                    let more = Rest::Acts(&acts[i + 1..], rest);
                    let rest = if i + 1 == acts.len() { rest } else { &more };
                    if (begun || i > 0) && !matches!(act.kind, ActKind::Composed(_)) && self.is_settled(rest)
                    {
                        return self.once(emit, |context, emit| context.act(act, rest, emit));
                    }
                    return self.act(act, rest, emit);
                }
            };
            if !goes_on {
                return Ok(ControlFlow::Continue(()));
            }
        }
        self.resume(rest, emit)
    }

    #[inline]
    fn is_postponed(&self, act: &Act) -> bool {
        !self.postponed.is_empty() && self.postponed.contains(&act.id)
    }

    fn keep(
        &mut self,
        (vars, place): (&[Var], Place),
        given: &mut smallvec::SmallVec<[Var; 8]>,
    ) -> Outcome<bool> {
        for var in vars {
            let at = *var as usize;
            if matches!(self.state[at], Value::Unset) {
                return Err(self.unassigned(*var, false));
            }
            if matches!(self.next[at], Value::Unset) {
                let value = self.state[at].clone();
                self.next[at].put(value);
                given.push(*var);
                if let Some(trace) = &mut self.trace {
                    trace.give(*var, Given::Kept);
                }
            } else {
                let agrees = equal(self.primed(*var), self.var(*var)).map_err(|f| f.at(place))?;
                self.given_again(*var, Again::Unchanged, place, agrees);
                if !agrees {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn act(&mut self, act: &Act, rest: &Rest<'_>, emit: &mut Emit<'_>) -> Step {
        match &act.kind {
            _ if self.is_postponed(act) => self.resume(rest, emit),
            ActKind::Guard(_) | ActKind::Assign(..) | ActKind::Keep(..) | ActKind::Passed(_) => {
                self.sequence(std::slice::from_ref(act), false, rest, emit)
            }
            ActKind::Seq(acts) => self.sequence(acts, false, rest, emit),
            ActKind::Or(acts) => {
                if let Some(part) = self.trace.as_ref().and_then(|trace| trace.chosen(act)) {
                    return self.act(&acts[part], rest, emit);
                }
                for act in acts {
                    if self.act(act, rest, emit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            ActKind::Choice(choice) => {
                if let Some(part) = self.trace.as_ref().and_then(|trace| trace.chosen(act)) {
                    return self.act(&choice.acts[part], rest, emit);
                }
                let known = self.peek(&choice.on);
                let known = if known.is_simple() { known.clone() } else { Value::Unset };
                for (act, key) in choice.acts.iter().zip(&choice.keys) {
                    if let Some(key) = key
                        && known.is_set()
                        && !known.is_identical(key)
                    {
                        continue;
                    }
                    if self.act(act, rest, emit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            ActKind::Exists(binds, body) if self.pin(binds) => self.act(body, rest, emit),
            ActKind::Exists(binds, body) => match &**binds {
                [Bind { pattern: Pattern::One(slot), set }] => self.exists(*slot, set, body, rest, emit),
                binds => self.iterate(binds, &mut |context| context.act(body, rest, emit)),
            },
            ActKind::If(condition, branches) => {
                let taken = usize::from(!self.test(condition)?);
                self.act(&branches[taken], rest, emit)
            }
            ActKind::Case(arms, other, place) => {
                for (condition, act) in arms {
                    if self.test(condition)? {
                        return self.act(act, rest, emit);
                    }
                }
                if let Some(other) = other {
                    return self.act(other, rest, emit);
                }
                Err(Fault::other("no condition of this CASE is true, and it has no OTHER").at(*place))
            }
            ActKind::Scope(entry, body) => {
                self.enter(entry);
                self.act(body, rest, emit)
            }
            ActKind::Label(label, body) => {
                let outer = std::mem::replace(&mut self.label, *label);
                let result = self.act(body, rest, emit);
                self.label = outer;
                result
            }
            ActKind::Among(var, set) => self.among(*var, set, rest, emit),
            ActKind::AssignShadow(slot, node) => {
                let value = self.eval(node)?;
                let at = *slot as usize;
                if matches!(self.slots[at], Value::Unset) {
                    self.slots[at] = value;
                    let result = self.resume(rest, emit);
                    self.slots[at] = Value::Unset;
                    result
                } else if equal(&self.slots[at], &value)? {
                    self.resume(rest, emit)
                } else {
                    Ok(ControlFlow::Continue(()))
                }
            }
            ActKind::AmongShadow(slot, node) => {
                let set = self.eval(node)?;
                let at = *slot as usize;
                if !matches!(self.slots[at], Value::Unset) {
                    let found = set.contains(&self.slots[at]).map_err(|fault| fault.at(node.place))?;
                    return if found { self.resume(rest, emit) } else { Ok(ControlFlow::Continue(())) };
                }
                let result = set.each("\\in", &mut |element| {
                    self.slots[at] = element;
                    self.resume(rest, emit)
                });
                self.slots[at] = Value::Unset;
                result.map_err(|fault| fault.at(node.place))
            }
            ActKind::Forall(binds, body, range) => {
                let mut elements = Vec::new();
                let _ = self.iterate(binds, &mut |context| {
                    elements.push(context.bound_values(binds));
                    Ok(ControlFlow::Continue(()))
                })?;
                self.all(binds, body, *range, &elements, rest, emit)
            }
            ActKind::Call(code, args) => {
                code.params.check()?;
                let values = self.arguments(args)?;
                let bind = |context: &mut Self| {
                    for (slot, value) in code.params.slots.iter().zip(values) {
                        context.slots[*slot as usize] = value;
                    }
                    Ok(())
                };
                self.call_act(code, bind, rest, emit).map_err(|fault| fault.through(&code.name, code.place))
            }
            ActKind::Apply(code, argument) => {
                let argument = self.eval(argument)?;
                let domain = self.domain_of(&code.binds)?;
                if !domain.contains(&argument)? {
                    return Err(self.outside(&argument, &domain, code.place));
                }
                let bind = |context: &mut Self| context.bind_arguments(&code.binds, &argument);
                self.call_act(code, bind, rest, emit)
            }
            ActKind::Composed(parts) => self.act(&parts[0], &Rest::Compose(&parts[1], rest), emit),
        }
    }

    /// Gives the variables of bounds the values that take the place of all in their sets, if there are such.
    fn pin(&mut self, binds: &[Bind]) -> bool {
        let Some(trace) = &self.trace else { return false };
        for bind in binds {
            let Pattern::One(slot) = bind.pattern else { return false };
            let Some(value) = trace.pinned(slot) else { return false };
            self.slots[slot as usize].put(value.clone());
        }
        true
    }

    /// One variable over one set.
    fn exists(&mut self, slot: Slot, set: &Node, body: &Act, rest: &Rest<'_>, emit: &mut Emit<'_>) -> Step {
        if self.noted_set(set).is_some() {
            let mut wanted = self.wanted_by(slot, body);
            if let Some(elements) = self.wanted_elements(set, &mut wanted) {
                tick(elements.len())?;
                for element in elements {
                    self.slots[slot as usize].put(element);
                    if self.act(body, rest, emit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                return Ok(ControlFlow::Continue(()));
            }
        }
        let (place, id) = (set.place, set.id);
        let (set, but) = self.bounds(set)?;
        if self.is_dividing() {
            return self
                .each_choice(id, &set, &mut |context, element| {
                    if but.is_set() && element.same(&but) {
                        return Ok(ControlFlow::Continue(()));
                    }
                    context.slots[slot as usize].put(element);
                    context.act(body, rest, emit)
                })
                .map_err(|fault| fault.at(place));
        }
        match &set {
            Value::Set(set) => {
                tick(set.slice.len())?;
                let mut wanted = self.wanted_by(slot, body);
                for element in &set.slice {
                    if wanted.excludes(element) || (but.is_set() && element.same(&but)) {
                        continue;
                    }
                    self.slots[slot as usize].put(element.clone());
                    if self.act(body, rest, emit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Value::Interval(ends) => {
                for i in ends.all() {
                    tick(1)?;
                    if matches!(but, Value::Int(but) if but == i) {
                        continue;
                    }
                    self.slots[slot as usize].put(Value::Int(i));
                    if self.act(body, rest, emit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            _ => {
                let over = self.over(&Pattern::One(slot), &set, &mut |context| context.act(body, rest, emit));
                over.map_err(|fault| fault.at(place))
            }
        }
    }

    fn among(&mut self, var: Var, set: &Node, rest: &Rest<'_>, emit: &mut Emit<'_>) -> Step {
        let (place, id) = (set.place, set.id);
        let at = var as usize;
        if matches!(self.next[at], Value::Unset)
            && let Some(filter) = self.passing_filter(set)
        {
            let result = self.among_passing(var, filter, rest, emit);
            self.next[at] = Value::Unset;
            return result.map_err(|f| f.at(place));
        }
        let set = self.eval(set)?;
        if !matches!(self.next[at], Value::Unset) {
            let found = set.contains(self.primed(var)).map_err(|f| f.at(place))?;
            return if found { self.resume(rest, emit) } else { Ok(ControlFlow::Continue(())) };
        }
        if self.is_dividing() {
            let result = self.each_choice(id, &set, &mut |context, element| {
                context.next[at] = element.settled()?;
                context.resume(rest, emit)
            });
            self.next[at] = Value::Unset;
            return result.map_err(|f| f.at(place));
        }
        let result = set.each("\\in", &mut |element| {
            self.next[at] = element.settled()?;
            if let Some(trace) = &mut self.trace {
                trace.give(var, Given::Whole);
            }
            self.resume(rest, emit)
        });
        self.next[at] = Value::Unset;
        result.map_err(|f| f.at(place))
    }

    /// Whether choices are made that workers divide: those of an initial predicate. Where evaluations are counted, what
    /// is beside them is evaluated by one worker.
    fn is_dividing(&self) -> bool {
        self.share.is_some() && self.is_initial() && !self.shared.counts.are_wanted()
    }

    /// Whether an initial predicate is evaluated.
    fn is_initial(&self) -> bool {
        self.trace.is_none() && !self.state.iter().any(Value::is_set)
    }

    /// Goes through the elements of a set that something is chosen from, or if it is divided, those that are this
    /// worker's.
    fn each_choice(
        &mut self,
        id: NodeId,
        set: &Value,
        step: &mut dyn FnMut(&mut Self, Value) -> Step,
    ) -> Step {
        let size = set.size_at_most().unwrap_or(u64::MAX);
        let choice = self.share.as_mut().map(|share| share.enter(id, size));
        let result = self.each_own(set, choice, step);
        self.leave(choice);
        result
    }

    /// A filter of a large constant set in an initial predicate, which is not built, since its elements are asked for
    /// once: they are taken as they come, by each worker its share, and the set takes no memory. Asked for again, it is
    /// built. Also gives the choice, if workers divide choices.
    fn passing_filter<'n>(&mut self, set: &'n Node) -> Option<(&'n (Bind, Node), Option<Choice>)> {
        let Kind::Cell(cell) = &set.kind else { return None };
        let Kind::Filter(filter) = &cell.node.kind else { return None };
        // Where evaluations are counted, a constant is evaluated once.
        if !self.is_initial() || cell.by_chance || self.shared.counts.are_wanted() || !is_vast(&filter.0.set)
        {
            return None;
        }
        let is_built = match &self.share {
            Some(_) => self.shared.session.is_built(cell),
            None => cell.value.get().is_some(),
        };
        if is_built {
            return None;
        }
        let choice = self.share.as_mut().map(|share| share.enter(set.id, u64::MAX));
        let is_divided = choice.is_some_and(|choice| choice.is_divided);
        if !is_divided && self.passed.contains(&cell.number) {
            self.leave(choice);
            return None;
        }
        self.passed.push(cell.number);
        Some((filter, choice))
    }

    /// Chooses a variable among the elements of a filter as they come.
    fn among_passing(
        &mut self,
        var: Var,
        ((bind, body), choice): (&(Bind, Node), Option<Choice>),
        rest: &Rest<'_>,
        emit: &mut Emit<'_>,
    ) -> Step {
        let set = self.eval(&bind.set)?;
        let result = self.each_own(&set, choice, &mut |context, element| {
            context.next[var as usize] = Value::Unset;
            context.bind(&bind.pattern, element.clone())?;
            if !context.test(body)? {
                return Ok(ControlFlow::Continue(()));
            }
            context.next[var as usize] = element.settled()?;
            context.resume(rest, emit)
        });
        self.leave(choice);
        result
    }

    /// Goes through the elements of a set, or if the choice is divided, those that are this worker's.
    fn each_own(
        &mut self,
        set: &Value,
        choice: Option<Choice>,
        step: &mut dyn FnMut(&mut Self, Value) -> Step,
    ) -> Step {
        let share = self.share.as_ref().filter(|_| choice.is_some_and(|choice| choice.is_divided));
        let Some((begin, takes)) = share.map(|share| (share.elements(), share.takes())) else {
            return set.each("\\in", &mut |element| {
                tick(1)?;
                step(self, element)
            });
        };
        let so_far = Cell::new(begin);
        let mut takes = |place| {
            so_far.set(begin + place + 1);
            takes(place)
        };
        let result = set.each_taken("\\in", &mut takes, &mut |element| {
            tick(1)?;
            self.reach(so_far.get(), true);
            step(self, element)
        });
        self.reach(so_far.get(), false);
        result
    }

    fn reach(&mut self, elements: u64, is_chosen: bool) {
        if let Some(share) = &mut self.share {
            share.reach(elements, is_chosen);
        }
    }

    fn leave(&mut self, choice: Option<Choice>) {
        if let (Some(share), Some(choice)) = (&mut self.share, choice) {
            share.leave(choice);
        }
    }

    fn bound_values(&self, binds: &[Bind]) -> Vec<Value> {
        binds
            .iter()
            .flat_map(|bind| match &bind.pattern {
                Pattern::One(slot) => std::slice::from_ref(slot),
                Pattern::Tuple(slots) => slots,
            })
            .map(|slot| self.slots[*slot as usize].clone())
            .collect()
    }

    /// Runs the remaining instances of a `\A`, each in slots of its own.
    fn all(
        &mut self,
        binds: &[Bind],
        body: &Act,
        range: (Slot, Slot),
        elements: &[Vec<Value>],
        rest: &Rest<'_>,
        emit: &mut Emit<'_>,
    ) -> Step {
        let Some((first, elements)) = elements.split_first() else { return self.resume(rest, emit) };
        self.with_fresh(range, |context| {
            let slots = binds.iter().flat_map(|bind| match &bind.pattern {
                Pattern::One(slot) => std::slice::from_ref(slot),
                Pattern::Tuple(slots) => slots,
            });
            for (slot, value) in slots.zip(first) {
                context.slots[*slot as usize] = value.clone();
            }
            context.act(body, &Rest::All { binds, body, range, elements, rest }, emit)
        })
    }

    /// Runs the second half of a composition from the state that the first half has reached. Reads are not noted there:
    /// it is another state than that which is packed, and since states between are counted, nothing is kept.
    fn compose_second(&mut self, second: &Act, rest: &Rest<'_>, emit: &mut Emit<'_>) -> Step {
        if self.trace.as_mut().is_some_and(|trace| !trace.compose()) {
            self.only_untraced()?;
        }
        if let Some(var) = self.next.iter().position(|v| matches!(v, Value::Unset)) {
            return Err(self.unassigned(var as Var, true));
        }
        self.shared.session.between.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let unset = super::context::unset(self.shared.variables.len());
        let middle = std::mem::replace(&mut self.next, unset);
        let origin = std::mem::replace(&mut self.state, middle);
        let mut trace = self.trace.take();
        let result = self.act(second, &Rest::Done, &mut |context| {
            let middle = std::mem::replace(&mut context.state, origin.clone());
            context.trace = trace.take();
            if let Some(trace) = &mut context.trace {
                trace.give_all();
            }
            let result = context.resume(rest, emit);
            trace = context.trace.take();
            context.state = middle;
            result
        });
        self.trace = trace;
        let middle = std::mem::replace(&mut self.state, origin);
        self.next = middle;
        result
    }
}
