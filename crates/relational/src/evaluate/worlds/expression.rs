//! The values of expressions over all worlds.

use super::set::{Builder, Extra, Set};
use super::{Answer, Run, Stop};
use crate::ast::{Decl, Expr, ExprNode, Range, Relation};
use crate::tuples::TupleSet;
use crate::universe::Atom;
use rustc_hash::FxHashSet;

/// How sure it is that variables have the values they have.
#[derive(Clone, Copy)]
pub(super) struct Binding {
    /// The tuples are in the domains in all worlds.
    pub(super) always: bool,
    /// They are, in all worlds that have their atoms.
    pub(super) sure: bool,
    /// Some of them may be equal to others.
    pub(super) vague: bool,
}

/// The action on each binding; says whether that is enough.
type Visit<'v, R> = dyn FnMut(&mut R, Binding, &[Atom]) -> Answer<bool> + 'v;

impl Run<'_, '_> {
    pub(super) fn expr(&mut self, expr: Expr) -> Answer<Set> {
        self.spend(1)?;
        let ast = self.ast;
        match *ast.expr(expr) {
            ExprNode::Relation(relation) => return self.relation(relation),
            ExprNode::Var(var) => {
                let bound = self.env.iter().rev().find(|(known, _)| *known == var);
                return bound.map(|(_, value)| value.clone()).ok_or(Stop);
            }
            _ => {}
        }
        if !ast.free_in_expr(expr).is_empty() {
            return self.compute(expr);
        }
        // A value that assumes something is right only here.
        if self.assumed.is_empty()
            && let Some(known) = self.state.closed.get(&expr)
        {
            return Ok(known.clone());
        }
        let value = self.compute(expr)?;
        if self.assumed.is_empty() {
            self.state.closed.insert(expr, value.clone());
        }
        Ok(value)
    }

    fn relation(&mut self, relation: Relation) -> Answer<Set> {
        if let Some(known) = &self.state.relations[relation.index()] {
            return Ok(known.clone());
        }
        let tuples = self.instance.get(relation).ok_or(Stop)?;
        let worlds = self.state.worlds;
        let value = if worlds.loose.contains(&relation) {
            Set::exact(TupleSet::empty(tuples.arity())).with_extra(Extra::Any)
        } else if worlds.computed.contains(&relation) {
            self.computed(tuples)
        } else {
            self.given(tuples)
        };
        self.state.relations[relation.index()] = Some(value.clone());
        Ok(value)
    }

    /// Tuples that are given. One with the same many things twice may have some of their pairs only.
    fn given(&self, tuples: &TupleSet) -> Set {
        let twice = |tuple: &[Atom]| self.is_twice(tuple);
        if tuples.arity() == 1 || !tuples.iter().any(twice) {
            return Set::exact(tuples.clone());
        }
        let mut builder = Builder::new(tuples.arity());
        for tuple in tuples {
            builder.add(!twice(tuple), [tuple, &[]]);
        }
        builder.finish()
    }

    /// Whether a tuple has an atom twice that stands for many things.
    fn is_twice(&self, tuple: &[Atom]) -> bool {
        let many = |i: usize| self.state.symbols.is_many(tuple[i]) && tuple[..i].contains(&tuple[i]);
        (1..tuple.len()).any(many)
    }

    /// Tuples computed from values: those of known atoms are certain.
    fn computed(&self, tuples: &TupleSet) -> Set {
        let symbols = &self.state.symbols;
        if !symbols.new_values {
            return Set::exact(tuples.clone());
        }
        let known = tuples.iter().filter(|tuple| !symbols.are_vague(tuple));
        Set::exact(TupleSet::from_tuples(tuples.arity(), known)).with_extra(Extra::New)
    }

    /// A constant is given, unless it is about integers: then the language has computed it from those present.
    fn constant(&self, tuples: &TupleSet) -> Set {
        let symbols = &self.state.symbols;
        // A text that is written in a formula is what it is, also where the data does not have it.
        if tuples.flat().iter().any(|&atom| symbols.is_optional_value(atom)) {
            return Set::exact(TupleSet::empty(tuples.arity())).with_extra(Extra::Any);
        }
        if symbols.new_values && tuples.flat().iter().any(|&atom| symbols.is_int(atom)) {
            return self.computed(tuples);
        }
        self.given(tuples)
    }

    fn compute(&mut self, expr: Expr) -> Answer<Set> {
        let ast = self.ast;
        let arity = ast.arity(expr);
        Ok(match ast.expr(expr) {
            ExprNode::Relation(_) | ExprNode::Var(_) => unreachable!("answered by the caller"),
            ExprNode::Univ => {
                let universe = self.state.symbols.universe();
                self.spend(universe.len())?;
                Set::exact(TupleSet::unary(universe.atoms()))
            }
            ExprNode::Ints => {
                let universe = self.state.symbols.universe();
                self.spend(universe.len())?;
                Set::exact(TupleSet::unary(universe.ints().map(|(atom, _)| atom)))
            }
            ExprNode::Iden => self.iden()?,
            ExprNode::Constant(constant) => {
                let tuples = ast.constant(*constant);
                self.spend(tuples.len())?;
                self.constant(tuples)
            }
            ExprNode::Union(parts) => {
                let mut builder = Builder::new(arity);
                for &part in parts.iter() {
                    let value = self.expr(part)?;
                    self.add_all(&mut builder, &value, true)?;
                }
                builder.finish()
            }
            ExprNode::Intersection(parts) => {
                let mut value = self.expr(parts[0])?;
                for &part in &parts[1..] {
                    let other = self.expr(part)?;
                    value = self.intersection(&value, &other)?;
                }
                value
            }
            ExprNode::Difference(a, b) => {
                let a = self.expr(*a)?;
                self.filtered(&a, |run, tuple| Ok(run.member(*b, tuple)?.map(|inside| !inside)))?
            }
            ExprNode::Join(a, b) => self.join_exprs(*a, *b)?,
            ExprNode::Product(a, b) => {
                let (a, b) = (self.expr(*a)?, self.expr(*b)?);
                self.product(&a, &b)?
            }
            ExprNode::Transpose(a) => {
                let value = self.expr(*a)?;
                self.spend(value.tuples().len())?;
                value.transposed()
            }
            ExprNode::Closure(a) => {
                let value = self.expr(*a)?;
                self.closure(&value)?
            }
            ExprNode::ReflexiveClosure(a) => {
                let value = self.expr(*a)?;
                let (closed, iden) = (self.closure(&value)?, self.iden()?);
                self.union(&closed, &iden)?
            }
            ExprNode::Override(a, b) => {
                let (a, b) = (self.expr(*a)?, self.expr(*b)?);
                let kept = self.filtered(&a, |run, tuple| run.starts_none(&b, tuple[0]))?;
                self.union(&kept, &b)?
            }
            ExprNode::DomainRestriction(set, a) => {
                let a = self.expr(*a)?;
                self.filtered(&a, |run, tuple| run.member(*set, &tuple[..1]))?
            }
            ExprNode::RangeRestriction(a, set) => {
                let a = self.expr(*a)?;
                self.filtered(&a, |run, tuple| run.member(*set, &tuple[tuple.len() - 1..]))?
            }
            ExprNode::Comprehension(decls, body) => {
                let mut builder = Builder::new(arity);
                let extra = self.bindings(decls, &mut |run, binding, tuple| {
                    let holds = run.formula(*body)?;
                    if holds != Some(false) {
                        run.emit(&mut builder, binding.sure && holds == Some(true), tuple);
                    }
                    Ok(false)
                })?;
                builder.extra = extra;
                builder.finish()
            }
            ExprNode::If(condition, a, b) => match self.formula(*condition)? {
                Some(true) => self.expr(*a)?,
                Some(false) => self.expr(*b)?,
                None => {
                    let (a, b) = (self.expr(*a)?, self.expr(*b)?);
                    self.either(&a, &b)?
                }
            },
            ExprNode::FromInt(int) => {
                let interval = self.int(*int)?;
                let symbols = &mut self.state.symbols;
                let atom = match interval.only().map(i64::try_from) {
                    Some(Ok(value)) => symbols.int(value),
                    // It fits into no integer; where it does, anything may be.
                    Some(Err(_)) => None,
                    None => symbols.unknown_int(),
                };
                Set::exact(TupleSet::unary([atom.ok_or(Stop)?]))
            }
        })
    }

    fn iden(&mut self) -> Answer<Set> {
        let universe = self.state.symbols.universe();
        self.spend(universe.len())?;
        Ok(self.given(&TupleSet::binary(universe.atoms().map(|a| (a, a)))))
    }

    /// Adds a tuple of a comprehension. What was looked at one by one is again all that it may be.
    fn emit(&self, builder: &mut Builder, sure: bool, tuple: &[Atom]) {
        let symbols = &self.state.symbols;
        match symbols.origins(tuple) {
            None => builder.add(sure, [tuple, &[]]),
            // One that was looked at twice was not looked at with each other.
            Some(all) => builder.add(sure && !self.is_twice(&all), [&all, &[]]),
        }
    }

    fn add_all(&mut self, builder: &mut Builder, value: &Set, sure: bool) -> Answer<()> {
        self.spend(value.tuples().len())?;
        for tuple in value.tuples() {
            builder.add(sure && value.is_sure(tuple), [tuple, &[]]);
        }
        builder.extra = builder.extra.max(value.extra);
        Ok(())
    }

    fn union(&mut self, a: &Set, b: &Set) -> Answer<Set> {
        let mut builder = Builder::new(a.tuples().arity());
        self.add_all(&mut builder, a, true)?;
        self.add_all(&mut builder, b, true)?;
        Ok(builder.finish())
    }

    /// One of two sets, it is not known which.
    fn either(&mut self, a: &Set, b: &Set) -> Answer<Set> {
        let mut builder = Builder::new(a.tuples().arity());
        self.add_all(&mut builder, a, false)?;
        self.add_all(&mut builder, b, false)?;
        for tuple in a.tuples() {
            if a.is_sure(tuple) && b.tuples().contains(tuple) && b.is_sure(tuple) {
                builder.add(true, [tuple, &[]]);
            }
        }
        Ok(builder.finish())
    }

    /// The tuples of a set for which a condition holds. What it has in addition may stay.
    fn filtered(
        &mut self,
        set: &Set,
        mut keep: impl FnMut(&mut Self, &[Atom]) -> Answer<Option<bool>>,
    ) -> Answer<Set> {
        let mut builder = Builder::new(set.tuples().arity());
        builder.extra = set.extra;
        for tuple in set.tuples() {
            self.spend(1)?;
            match keep(self, tuple)? {
                Some(false) => {}
                kept => builder.add(kept.is_some() && set.is_sure(tuple), [tuple, &[]]),
            }
        }
        Ok(builder.finish())
    }

    /// Whether no tuple of a set begins with an atom, if that is there.
    fn starts_none(&mut self, set: &Set, atom: Atom) -> Answer<Option<bool>> {
        self.spend(set.upper.effort(&self.state.symbols, atom))?;
        let symbols = &self.state.symbols;
        let mut possible = !set.upper.nearly(symbols, atom).is_empty()
            || match set.extra {
                Extra::Nothing => false,
                // The new thing may be in another column than the first.
                Extra::New => set.tuples().arity() > 1 || symbols.is_vague(atom),
                Extra::Any => true,
            };
        for at in set.upper.exactly(symbols, atom) {
            let tuple = set.tuples().get(at);
            if set.is_sure(tuple) && self.are_present(&tuple[1..]) {
                return Ok(Some(false));
            }
            possible = true;
        }
        Ok(if possible { None } else { Some(true) })
    }

    fn intersection(&mut self, a: &Set, b: &Set) -> Answer<Set> {
        // From the smaller side.
        let (a, b) = if a.tuples().len() <= b.tuples().len() { (a, b) } else { (b, a) };
        let mut builder = Builder::new(a.tuples().arity());
        builder.extra = a.extra.min(b.extra);
        for tuple in a.tuples() {
            self.spend(b.effort(&self.state.symbols, tuple))?;
            let symbols = &self.state.symbols;
            let vague = symbols.are_vague(tuple);
            if b.tuples().contains(tuple) {
                builder.add(a.is_sure(tuple) && b.is_sure(tuple), [tuple, &[]]);
            } else if b.extra == Extra::Any || (b.extra == Extra::New && vague) {
                builder.add(false, [tuple, &[]]);
            }
            let mut meet = |other: &[Atom]| {
                if other != tuple && symbols.tuples_can_equal(tuple, other) {
                    // Where they are equal, the atoms that are known say what both are.
                    let pick = |(&s, &t): (&Atom, &Atom)| if symbols.is_unknown(s) { t } else { s };
                    let both: Vec<Atom> = tuple.iter().zip(other).map(pick).collect();
                    builder.add(false, [&both, &[]]);
                }
            };
            if vague {
                b.tuples().iter().for_each(&mut meet);
            } else {
                b.upper.vague(symbols).iter().for_each(|&at| meet(b.tuples().get(at as usize)));
            }
        }
        if a.extra != Extra::Nothing {
            self.spend(b.tuples().len())?;
            for tuple in b.tuples() {
                if a.extra == Extra::Any || self.state.symbols.are_vague(tuple) {
                    builder.add(false, [tuple, &[]]);
                }
            }
        }
        Ok(builder.finish())
    }

    fn product(&mut self, a: &Set, b: &Set) -> Answer<Set> {
        let mut builder = Builder::new(a.tuples().arity() + b.tuples().arity());
        let is_nothing = |set: &Set| set.tuples().is_empty() && set.extra == Extra::Nothing;
        if !is_nothing(a) && !is_nothing(b) {
            builder.extra = a.extra.max(b.extra);
        }
        for left in a.tuples() {
            self.spend(b.tuples().len())?;
            for right in b.tuples() {
                builder.add(a.is_sure(left) && b.is_sure(right), [left, right]);
            }
        }
        Ok(builder.finish())
    }

    fn join_exprs(&mut self, a: Expr, b: Expr) -> Answer<Set> {
        let ast = self.ast;
        let closure = |e: Expr| match *ast.expr(e) {
            ExprNode::Closure(r) => Some((r, false)),
            ExprNode::ReflexiveClosure(r) => Some((r, true)),
            _ => None,
        };
        if ast.arity(a) == 1
            && let Some((r, reflexive)) = closure(b)
        {
            let (from, step) = (self.expr(a)?, self.expr(r)?);
            return self.reach_from(&from, &step, reflexive);
        }
        if ast.arity(b) == 1
            && let Some((r, reflexive)) = closure(a)
        {
            let (from, step) = (self.expr(b)?, self.expr(r)?);
            self.spend(step.tuples().len())?;
            return self.reach_from(&from, &step.transposed(), reflexive);
        }
        let (a, b) = (self.expr(a)?, self.expr(b)?);
        self.join(&a, &b)
    }

    /// `a.b`. Two atoms that may be equal make a tuple that may be there.
    fn join(&mut self, a: &Set, b: &Set) -> Answer<Set> {
        let (left, right) = (a.tuples(), b.tuples());
        let (columns, others) = (left.arity(), right.arity());
        let mut builder = Builder::new(columns + others - 2);
        builder.extra = self.joined_extra(a, b);
        // From the smaller side: over the right one when it is a small set of atoms and the left one is large.
        if others == 1 && right.len() * 4 < left.len() {
            let turned = a.upper.turned().clone();
            for tuple in right {
                let symbols = &self.state.symbols;
                let effort = turned.effort(symbols, tuple[0]);
                let exact = turned.exactly(symbols, tuple[0]);
                let near = turned.nearly(symbols, tuple[0]);
                self.spend(effort)?;
                let sure = b.is_sure(tuple) && self.is_present(tuple[0]);
                for at in exact {
                    let row = turned.tuples().get(at);
                    let original = [&row[1..], &row[..1]].concat();
                    builder.add(sure && a.is_sure(&original), [&row[1..], &[]]);
                }
                for at in near {
                    builder.add(false, [&turned.tuples().get(at as usize)[1..], &[]]);
                }
            }
            return Ok(builder.finish());
        }
        for tuple in left {
            let last = tuple[columns - 1];
            let symbols = &self.state.symbols;
            let effort = b.upper.effort(symbols, last);
            let (exact, near) = (b.upper.exactly(symbols, last), b.upper.nearly(symbols, last));
            self.spend(effort)?;
            let sure = a.is_sure(tuple) && self.is_present(last);
            for at in exact {
                let row = right.get(at);
                builder.add(sure && b.is_sure(row), [&tuple[..columns - 1], &row[1..]]);
            }
            for at in near {
                builder.add(false, [&tuple[..columns - 1], &right.get(at as usize)[1..]]);
            }
        }
        Ok(builder.finish())
    }

    /// Returns the tuples that a join may have because of those that either side may have in addition.
    fn joined_extra(&self, a: &Set, b: &Set) -> Extra {
        let symbols = &self.state.symbols;
        if a.extra == Extra::Any || b.extra == Extra::Any {
            return Extra::Any;
        }
        if a.extra == Extra::Nothing && b.extra == Extra::Nothing {
            return Extra::Nothing;
        }
        if a.extra == Extra::New && b.extra == Extra::New {
            return Extra::Any;
        }
        // What is new on one side meets what may be new on the other, and then anything may be left; or it stays.
        let meets = if a.extra == Extra::New {
            b.upper.begins_vague(symbols)
        } else {
            a.tuples().iter().any(|tuple| symbols.is_vague(tuple[tuple.len() - 1]))
        };
        if meets { Extra::Any } else { Extra::New }
    }

    /// Returns the atoms reached from a set in one step or more; or in none, if it is in the universe.
    fn reach_from(&mut self, from: &Set, step: &Set, reflexive: bool) -> Answer<Set> {
        let mut builder = Builder::new(1);
        builder.extra = from.extra;
        if step.extra != Extra::Nothing {
            builder.extra = Extra::Any;
        }
        // Something new among the starting points may be where a step with an unknown atom begins.
        if from.extra == Extra::New && step.upper.begins_vague(&self.state.symbols) {
            builder.extra = Extra::Any;
        }
        if !reflexive && from.extra == Extra::New && builder.extra == Extra::New {
            builder.extra = Extra::Nothing;
        }
        for sure in [true, false] {
            let starts: Vec<Atom> = from
                .tuples()
                .iter()
                .filter(|tuple| !sure || (from.is_sure(tuple) && self.is_present(tuple[0])))
                .map(|tuple| tuple[0])
                .collect();
            for atom in self.reached(&starts, step, sure)? {
                builder.add(sure, [&[atom], &[]]);
            }
        }
        if reflexive {
            for tuple in from.tuples() {
                let inside =
                    !self.state.symbols.is_made(tuple[0]) || self.state.symbols.origin(tuple[0]).is_some();
                builder.add(inside && from.is_sure(tuple), [tuple, &[]]);
            }
        }
        Ok(builder.finish())
    }

    /// Returns the atoms reached by at least one step: surely, or possibly.
    fn reached(&mut self, from: &[Atom], step: &Set, sure: bool) -> Answer<Vec<Atom>> {
        let mut seen = FxHashSet::default();
        let mut stack = from.to_vec();
        let mut reached = Vec::new();
        while let Some(atom) = stack.pop() {
            let symbols = &self.state.symbols;
            let effort = step.upper.effort(symbols, atom);
            let exact = step.upper.exactly(symbols, atom);
            let near = if sure { Vec::new() } else { step.upper.nearly(symbols, atom) };
            self.spend(effort)?;
            for at in exact.chain(near.into_iter().map(|at| at as usize)) {
                let tuple = step.tuples().get(at);
                if sure && !(step.is_sure(tuple) && self.is_present(atom)) {
                    continue;
                }
                if seen.insert(tuple[1]) {
                    reached.push(tuple[1]);
                    stack.push(tuple[1]);
                }
            }
        }
        Ok(reached)
    }

    fn closure(&mut self, step: &Set) -> Answer<Set> {
        let mut builder = Builder::new(2);
        if step.extra != Extra::Nothing {
            builder.extra = Extra::Any;
        }
        let tuples = step.tuples().clone();
        let mut last = None;
        for tuple in &tuples {
            builder.add(step.is_sure(tuple), [tuple, &[]]);
            if last == Some(tuple[0]) {
                continue;
            }
            last = Some(tuple[0]);
            let row: Vec<&[Atom]> = step.upper.rows.row(tuple[0]).map(|at| tuples.get(at)).collect();
            for sure in [true, false] {
                let starts: Vec<Atom> =
                    row.iter().filter(|t| !sure || step.is_sure(t)).map(|t| t[1]).collect();
                for atom in self.reached(&starts, step, sure)? {
                    builder.add(sure, [&tuple[..1], &[atom]]);
                }
            }
        }
        Ok(builder.finish())
    }

    /// Whether a tuple is in the value of an expression, in all worlds that have its atoms, or in none of them;
    /// without building large values.
    pub(super) fn member(&mut self, expr: Expr, tuple: &[Atom]) -> Answer<Option<bool>> {
        self.spend(1)?;
        let ast = self.ast;
        match ast.expr(expr) {
            ExprNode::Univ if !self.state.symbols.is_made(tuple[0]) => Ok(Some(true)),
            ExprNode::Union(parts) => {
                let mut found = Some(false);
                for &part in parts.iter() {
                    match self.member(part, tuple)? {
                        Some(true) => return Ok(Some(true)),
                        Some(false) => {}
                        None => found = None,
                    }
                }
                Ok(found)
            }
            ExprNode::Intersection(parts) => {
                let mut found = Some(true);
                for &part in parts.iter() {
                    match self.member(part, tuple)? {
                        Some(false) => return Ok(Some(false)),
                        Some(true) => {}
                        None => found = None,
                    }
                }
                Ok(found)
            }
            ExprNode::Difference(a, b) => {
                let (a, b) = (self.member(*a, tuple)?, self.member(*b, tuple)?);
                Ok(both(a, b.map(|inside| !inside)))
            }
            ExprNode::Product(a, b) => {
                let (left, right) = tuple.split_at(ast.arity(*a));
                let first = self.member(*a, left)?;
                if first == Some(false) {
                    return Ok(first);
                }
                Ok(both(first, self.member(*b, right)?))
            }
            ExprNode::Transpose(a) => self.member(*a, &[tuple[1], tuple[0]]),
            ExprNode::DomainRestriction(set, a) => {
                let inside = self.member(*a, tuple)?;
                Ok(both(inside, self.member(*set, &tuple[..1])?))
            }
            ExprNode::RangeRestriction(a, set) => {
                let inside = self.member(*a, tuple)?;
                Ok(both(inside, self.member(*set, &tuple[tuple.len() - 1..])?))
            }
            _ => {
                let value = self.expr(expr)?;
                self.spend(value.effort(&self.state.symbols, tuple))?;
                Ok(value.member(&self.state.symbols, tuple))
            }
        }
    }

    /// Goes through the values that variables may have, until `visit` gives true. Gives what the domains may have in
    /// addition: anything, where there is a variable for any set, which is not gone through.
    pub(super) fn bindings(&mut self, decls: &[Decl], visit: &mut Visit<'_, Self>) -> Answer<Extra> {
        let mut extra = Extra::Nothing;
        let start = Binding { always: true, sure: true, vague: false };
        self.bind(decls, start, &mut Vec::new(), &mut extra, visit)?;
        Ok(extra)
    }

    fn bind(
        &mut self,
        decls: &[Decl],
        before: Binding,
        tuple: &mut Vec<Atom>,
        extra: &mut Extra,
        visit: &mut Visit<'_, Self>,
    ) -> Answer<bool> {
        let Some((decl, rest)) = decls.split_first() else { return visit(self, before, tuple) };
        if !matches!(decl.range, Range::One | Range::Lone) {
            *extra = Extra::Any;
            return Ok(false);
        }
        let domain = self.expr(decl.domain)?;
        *extra = domain.extra.max(*extra);
        let (var, length, assumed) = (decl.var, tuple.len(), self.assumed.len());
        if decl.range == Range::Lone {
            self.env.push((var, Set::exact(TupleSet::empty(domain.tuples().arity()))));
            let done = self.bind(rest, before, tuple, extra, visit)?;
            self.env.pop();
            if done {
                return Ok(true);
            }
        }
        for element in domain.tuples() {
            self.spend(1)?;
            let sure = before.sure && domain.is_sure(element);
            let binding = Binding {
                always: before.always && sure && self.are_present(element),
                sure,
                vague: before.vague || self.state.symbols.are_vague(element),
            };
            for (column, &atom) in element.iter().enumerate() {
                let symbols = &mut self.state.symbols;
                let value =
                    if symbols.is_many(atom) { symbols.one_of(atom, var, column) } else { Some(atom) };
                tuple.push(value.ok_or(Stop)?);
                if !self.is_present(atom) {
                    self.assumed.push(atom);
                }
            }
            let value = TupleSet::from_flat(element.len(), tuple[length..].to_vec());
            self.env.push((var, Set::exact(value)));
            let done = self.bind(rest, binding, tuple, extra, visit)?;
            self.env.pop();
            tuple.truncate(length);
            self.assumed.truncate(assumed);
            if done {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Both of two conditions.
pub(super) fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
