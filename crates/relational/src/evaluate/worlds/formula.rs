//! The values of formulas and integers over all worlds.

use super::expression::both;
use super::set::{Extra, Set};
use super::{Answer, Run};
use crate::ast::{Compare, Expr, Formula, FormulaNode, IntExpr, IntNode, IntOp, Mult, Quantifier};
use crate::ints::IntMode;
use crate::universe::Atom;

/// More tuples that may be equal than this are not told apart when they are counted.
const TOLD_APART: usize = 64;

/// Where an integer lies, if it fits into 64 bits; where it does not, a world has no answer to give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    low: i128,
    high: i128,
}

/// Beyond all integers of 64 bits: no bound on this side.
const FAR: i128 = 1 << 64;

impl Interval {
    const ALL: Self = Self { low: -FAR, high: FAR };

    fn new(low: i128, high: i128) -> Self {
        let (least, most) = (i128::from(i64::MIN), i128::from(i64::MAX));
        if low > most || high < least {
            return Self::ALL;
        }
        Self { low: if low < least { -FAR } else { low }, high: if high > most { FAR } else { high } }
    }

    fn exactly(value: i128) -> Self {
        Self::new(value, value)
    }

    /// The only integer it can be.
    pub(super) fn only(self) -> Option<i128> {
        (self.low == self.high && self.is_bounded()).then_some(self.low)
    }

    fn is_bounded(self) -> bool {
        self.low > -FAR && self.high < FAR
    }

    fn plus(self, other: Self) -> Self {
        let low = if self.low == -FAR || other.low == -FAR { -FAR } else { self.low + other.low };
        let high = if self.high == FAR || other.high == FAR { FAR } else { self.high + other.high };
        Self::new(low, high)
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Self { low: -other.high, high: -other.low })
    }

    fn times(self, other: Self) -> Self {
        if !self.is_bounded() || !other.is_bounded() {
            return Self::ALL;
        }
        let ends =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        Self::new(ends.into_iter().fold(FAR, i128::min), ends.into_iter().fold(-FAR, i128::max))
    }

    /// Either of two.
    fn or(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn apply(self, op: IntOp, other: Self) -> Self {
        match op {
            IntOp::Add => self.plus(other),
            IntOp::Sub => self.minus(other),
            IntOp::Mul => self.times(other),
            IntOp::Div | IntOp::Rem | IntOp::Shl | IntOp::Shr | IntOp::Sha => {
                let known = |interval: Self| interval.only().and_then(|value| i64::try_from(value).ok());
                match (known(self), known(other)) {
                    (Some(a), Some(b)) => match IntMode::Exact.apply(op, a, b) {
                        (value, false) => Self::exactly(i128::from(value)),
                        (_, true) => Self::ALL,
                    },
                    _ => Self::ALL,
                }
            }
        }
    }

    /// A comparison, in all worlds that have an answer.
    fn compare(self, compare: Compare, other: Self) -> Option<bool> {
        match compare {
            Compare::Eq if self.high < other.low || other.high < self.low => Some(false),
            Compare::Eq => (self.only().is_some() && self.only() == other.only()).then_some(true),
            Compare::Lt if self.high < other.low => Some(true),
            Compare::Lt if self.low >= other.high && self.low > -FAR && other.high < FAR => Some(false),
            Compare::Le if self.high <= other.low && self.high < FAR && other.low > -FAR => Some(true),
            Compare::Le if self.low > other.high => Some(false),
            Compare::Lt | Compare::Le => None,
        }
    }
}

impl Run<'_, '_> {
    pub(super) fn formula(&mut self, formula: Formula) -> Answer<Option<bool>> {
        let closed = self.ast.free_in_formula(formula).is_empty() && self.assumed.is_empty();
        if closed && let Some(&known) = self.state.truths.get(&formula) {
            return Ok(known);
        }
        self.spend(1)?;
        let value = self.compute_formula(formula)?;
        if closed {
            self.state.truths.insert(formula, value);
        }
        Ok(value)
    }

    fn compute_formula(&mut self, formula: Formula) -> Answer<Option<bool>> {
        let ast = self.ast;
        Ok(match ast.formula(formula) {
            FormulaNode::Const(value) => Some(*value),
            FormulaNode::In(a, b) => self.subset(*a, *b)?,
            FormulaNode::Equal(a, b) => self.equal(*a, *b)?,
            FormulaNode::Mult(mult, e) => {
                let value = self.expr(*e)?;
                let count = self.count(&value)?;
                let one = Interval::exactly(1);
                match mult {
                    Mult::No => count.compare(Compare::Lt, one),
                    Mult::Lone => count.compare(Compare::Le, one),
                    Mult::One => count.compare(Compare::Eq, one),
                    Mult::Some => one.compare(Compare::Le, count),
                }
            }
            FormulaNode::And(parts) => self.all_of(parts, true)?,
            FormulaNode::Or(parts) => self.all_of(parts, false)?.map(|none| !none),
            FormulaNode::Not(inner) => self.formula(*inner)?.map(|holds| !holds),
            FormulaNode::Iff(a, b) => match (self.formula(*a)?, self.formula(*b)?) {
                (Some(a), Some(b)) => Some(a == b),
                _ => None,
            },
            FormulaNode::Quantified(quantifier, decls, body) => {
                // A universal fails for one binding, an existential holds for one.
                let decisive = *quantifier == Quantifier::Some;
                let mut value = Some(!decisive);
                let extra = self.bindings(decls, &mut |run, binding, _| {
                    match run.formula(*body)? {
                        Some(holds) if holds != decisive => {}
                        Some(_) if binding.always => {
                            value = Some(decisive);
                            return Ok(true);
                        }
                        _ => value = None,
                    }
                    Ok(false)
                })?;
                if extra != Extra::Nothing && value == Some(!decisive) { None } else { value }
            }
            FormulaNode::Compare(compare, a, b) if a == b => Some(*compare != Compare::Lt),
            FormulaNode::Compare(compare, a, b) => {
                let (a, b) = (self.int(*a)?, self.int(*b)?);
                a.compare(*compare, b)
            }
            // Whether it is an order of what is known is for the two-valued evaluator to say.
            FormulaNode::TotalOrder { .. } => None,
            FormulaNode::Tagged(_, inner) => self.formula(*inner)?,
        })
    }

    /// Whether all parts are true, or whether all are false.
    fn all_of(&mut self, parts: &[Formula], wanted: bool) -> Answer<Option<bool>> {
        let mut value = Some(true);
        for &part in parts {
            match self.formula(part)? {
                Some(holds) if holds == wanted => {}
                Some(_) => return Ok(Some(false)),
                None => value = None,
            }
        }
        Ok(value)
    }

    fn subset(&mut self, a: Expr, b: Expr) -> Answer<Option<bool>> {
        if a == b {
            return Ok(Some(true));
        }
        let left = self.expr(a)?;
        self.subset_by(&left, |run, tuple| run.member(b, tuple))
    }

    fn subset_by(
        &mut self,
        left: &Set,
        mut member: impl FnMut(&mut Self, &[Atom]) -> Answer<Option<bool>>,
    ) -> Answer<Option<bool>> {
        let mut value = if left.extra == Extra::Nothing { Some(true) } else { None };
        for tuple in left.tuples() {
            match member(self, tuple)? {
                Some(true) => {}
                Some(false) if left.is_sure(tuple) && self.are_present(tuple) => return Ok(Some(false)),
                _ => value = None,
            }
        }
        Ok(value)
    }

    fn equal(&mut self, a: Expr, b: Expr) -> Answer<Option<bool>> {
        if a == b {
            return Ok(Some(true));
        }
        let (left, right) = (self.expr(a)?, self.expr(b)?);
        let (few, many) = (self.count(&left)?, self.count(&right)?);
        if few.compare(Compare::Eq, many) == Some(false) {
            return Ok(Some(false));
        }
        let member_of = |set: Set| {
            move |run: &mut Self, tuple: &[Atom]| {
                run.spend(set.effort(&run.state.symbols, tuple))?;
                Ok(set.member(&run.state.symbols, tuple))
            }
        };
        let forth = self.subset_by(&left, member_of(right.clone()))?;
        if forth == Some(false) {
            return Ok(forth);
        }
        let back = self.subset_by(&right, member_of(left))?;
        Ok(both(forth, back))
    }

    /// How many tuples a set has.
    fn count(&mut self, set: &Set) -> Answer<Interval> {
        let tuples = set.tuples();
        self.spend(tuples.len())?;
        let symbols = &self.state.symbols;
        let (mut known, mut vague, mut many) = (0_i128, Vec::new(), false);
        for tuple in tuples {
            many |= tuple.iter().any(|&atom| symbols.is_many(atom));
            if set.is_sure(tuple) && self.are_present(tuple) {
                if symbols.are_vague(tuple) {
                    vague.push(tuple);
                } else {
                    known += 1;
                }
            }
        }
        let mut low = known;
        if vague.len() + tuples.len() <= TOLD_APART {
            let mut apart: Vec<&[Atom]> = Vec::new();
            for tuple in vague {
                let same = |other: &&[Atom]| symbols.tuples_can_equal(other, tuple);
                let sure = |other: &&[Atom]| set.is_sure(other) && self.are_present(other);
                let meets_known = tuples.iter().any(|t| !symbols.are_vague(t) && sure(&t) && same(&t));
                if !meets_known && !apart.iter().any(same) {
                    apart.push(tuple);
                }
            }
            low += apart.len() as i128;
        } else if !vague.is_empty() {
            low = low.max(1);
        }
        let high = if many || set.extra != Extra::Nothing { FAR } else { tuples.len() as i128 };
        Ok(Interval::new(low, high))
    }

    pub(super) fn int(&mut self, int: IntExpr) -> Answer<Interval> {
        self.spend(1)?;
        let ast = self.ast;
        Ok(match ast.int(int) {
            IntNode::Const(value) => Interval::exactly(i128::from(*value)),
            IntNode::Count(e) => {
                let value = self.expr(*e)?;
                self.count(&value)?
            }
            IntNode::Sum(e) => {
                let value = self.expr(*e)?;
                self.sum(&value)?
            }
            IntNode::SumOver(decls, body) => {
                let mut values = Vec::new();
                let extra = self.bindings(decls, &mut |run, binding, tuple| {
                    let symbols = &run.state.symbols;
                    let many = tuple.iter().any(|&atom| symbols.origin(atom).is_some());
                    values.push((if many { Interval::ALL } else { run.int(*body)? }, binding));
                    Ok(false)
                })?;
                if extra != Extra::Nothing {
                    return Ok(Interval::ALL);
                }
                // What may be equal to another counts once with it.
                let alone = values.len() == 1;
                let counted = values.into_iter().map(|(value, binding)| {
                    let counts = binding.always && (alone || !binding.vague);
                    if counts { value } else { value.or(Interval::exactly(0)) }
                });
                counted.fold(Interval::exactly(0), Interval::plus)
            }
            IntNode::Binary(op, a, b) => {
                let (a, b) = (self.int(*a)?, self.int(*b)?);
                a.apply(*op, b)
            }
            IntNode::If(condition, a, b) => match self.formula(*condition)? {
                Some(true) => self.int(*a)?,
                Some(false) => self.int(*b)?,
                None => {
                    let (a, b) = (self.int(*a)?, self.int(*b)?);
                    a.or(b)
                }
            },
        })
    }

    /// The sum of the integers in a set.
    fn sum(&mut self, set: &Set) -> Answer<Interval> {
        self.spend(set.tuples().len())?;
        if set.extra != Extra::Nothing {
            return Ok(Interval::ALL);
        }
        let mut sum = Interval::exactly(0);
        for tuple in set.tuples() {
            let symbols = &self.state.symbols;
            let value = match symbols.int_value(tuple[0]) {
                Some(value) => Interval::exactly(i128::from(value)),
                None if symbols.is_int(tuple[0]) => return Ok(Interval::ALL),
                None => continue,
            };
            let there = set.is_sure(tuple) && self.are_present(tuple);
            sum = sum.plus(if there { value } else { value.or(Interval::exactly(0)) });
        }
        Ok(sum)
    }
}
