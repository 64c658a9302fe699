//! The meaning of formulas, as directly as it can be written down.
//!
//! This is the definition that the engines are tested against: sets of tuples as sets of vectors, quantifiers as
//! loops over everything, subsets by enumeration. It shares nothing with the engines but the meaning of a single
//! integer operation, and it is far too slow for anything but tests.

use crate::ast::{
    Ast, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Mult, Node, OverflowVars, Quantifier,
    Range, Var,
};
use crate::bounds::Instance;
use crate::ints::IntMode;
use crate::universe::{Atom, Universe};
use std::collections::BTreeSet;

type Set = BTreeSet<Vec<Atom>>;

/// An evaluator that follows the definition.
pub struct Naive<'a> {
    ast: &'a Ast,
    universe: &'a Universe,
    instance: &'a Instance,
    mode: IntMode,
    env: Vec<Binding>,
    negated: bool,
}

struct Binding {
    var: Var,
    value: Set,
    over_ints: bool,
    universal: bool,
}

impl<'a> Naive<'a> {
    /// An evaluator on an instance that has a value for every relation used.
    pub fn new(ast: &'a Ast, universe: &'a Universe, instance: &'a Instance, mode: IntMode) -> Self {
        Self { ast, universe, instance, mode, env: Vec::new(), negated: false }
    }

    /// Whether a formula holds.
    pub fn holds(&mut self, formula: Formula) -> bool {
        match self.ast.formula(formula) {
            FormulaNode::Const(value) => *value,
            FormulaNode::In(a, b) => {
                let ((left, of_left), (right, of_right)) = (self.set(*a), self.set(*b));
                let sides = [(of_left, Node::Expr(*a)), (of_right, Node::Expr(*b))];
                self.defined(left.is_subset(&right), &sides)
            }
            FormulaNode::Equal(a, b) => {
                let ((left, of_left), (right, of_right)) = (self.set(*a), self.set(*b));
                let sides = [(of_left, Node::Expr(*a)), (of_right, Node::Expr(*b))];
                self.defined(left == right, &sides)
            }
            FormulaNode::Mult(Mult::Lone, e) if self.ast.is_lost(*e, self.mode) => true,
            FormulaNode::Mult(mult, e) => {
                let (set, overflow) = self.set(*e);
                let holds = match mult {
                    Mult::No => set.is_empty(),
                    Mult::Lone => set.len() <= 1,
                    Mult::One => set.len() == 1,
                    Mult::Some => !set.is_empty(),
                };
                self.defined(holds, &[(overflow, Node::Expr(*e))])
            }
            FormulaNode::And(parts) => parts.iter().all(|&part| self.holds(part)),
            FormulaNode::Or(parts) => parts.iter().any(|&part| self.holds(part)),
            FormulaNode::Not(inner) => {
                self.negated = !self.negated;
                let holds = self.holds(*inner);
                self.negated = !self.negated;
                !holds
            }
            FormulaNode::Iff(a, b) => self.holds(*a) == self.holds(*b),
            FormulaNode::Quantified(quantifier, decls, body) => {
                let all = *quantifier == Quantifier::All;
                let universal = all != self.negated;
                let decided = self.bindings(decls, universal, &mut |naive| naive.holds(*body) != all);
                decided != all
            }
            FormulaNode::Compare(compare, a, b) => {
                let ((left, of_left), (right, of_right)) = (self.int(*a), self.int(*b));
                let sides = [(of_left, Node::Int(*a)), (of_right, Node::Int(*b))];
                self.defined(compare.holds(left, right), &sides)
            }
            FormulaNode::TotalOrder { elements, first, next } => {
                let (elements, first, next) = (self.set(*elements).0, self.set(*first).0, self.set(*next).0);
                is_total_order(&elements, &first, &next)
            }
            FormulaNode::Tagged(_, inner) => self.holds(*inner),
        }
    }

    /// Goes through the bindings of some declarations until `visit` gives true, and says whether it did.
    fn bindings(
        &mut self,
        decls: &[Decl],
        universal: bool,
        visit: &mut dyn FnMut(&mut Self) -> bool,
    ) -> bool {
        let Some((decl, rest)) = decls.split_first() else { return visit(self) };
        let domain: Vec<Vec<Atom>> = self.set(decl.domain).0.into_iter().collect();
        let over_ints = matches!(self.ast.expr(decl.domain), ExprNode::Ints);
        for value in subsets(&domain, decl.range) {
            self.env.push(Binding { var: decl.var, value, over_ints, universal });
            let done = self.bindings(rest, universal, visit);
            self.env.pop();
            if done {
                return true;
            }
        }
        false
    }

    /// Returns the truth of a comparison whose sides may have overflown; see [`IntMode::Prevent`].
    fn defined(&self, holds: bool, sides: &[(bool, Node)]) -> bool {
        if !matches!(self.mode, IntMode::Prevent(_)) {
            return holds;
        }
        let excused = |side: &Node| {
            let vars = self.ast.overflow_vars(*side, &mut OverflowVars::default());
            let innermost = self.env.iter().rev().find(|b| b.over_ints && vars.contains(&b.var));
            innermost.is_some_and(|b| b.universal) != self.negated
        };
        let excuse = sides.iter().any(|(overflow, side)| *overflow && excused(side));
        let forbid = sides.iter().any(|(overflow, side)| *overflow && !excused(side));
        (holds || excuse) && !forbid
    }

    /// The value of an expression, and whether an integer in it overflowed.
    pub fn set(&mut self, expr: Expr) -> (Set, bool) {
        match self.ast.expr(expr) {
            ExprNode::Relation(relation) => {
                let tuples = self.instance.get(*relation).expect("every relation used has a value");
                (tuples.iter().map(<[Atom]>::to_vec).collect(), false)
            }
            ExprNode::Var(var) => {
                let binding = self.env.iter().rev().find(|b| b.var == *var).expect("a closed formula");
                (binding.value.clone(), false)
            }
            ExprNode::Univ => (self.universe.atoms().map(|a| vec![a]).collect(), false),
            ExprNode::Ints => (self.universe.ints().map(|(a, _)| vec![a]).collect(), false),
            ExprNode::Iden => (self.universe.atoms().map(|a| vec![a, a]).collect(), false),
            ExprNode::Constant(c) => (self.ast.constant(*c).iter().map(<[Atom]>::to_vec).collect(), false),
            ExprNode::Union(parts) => {
                let values: Vec<(Set, bool)> = parts.iter().map(|&part| self.set(part)).collect();
                let lost = |part: Expr| self.ast.is_lost(part, self.mode);
                let all_lost = parts.iter().all(|&part| lost(part));
                let counted = values.iter().zip(parts.iter()).filter(|(_, part)| all_lost || !lost(**part));
                let overflow = counted.into_iter().any(|(value, _)| value.1);
                (values.into_iter().flat_map(|v| v.0).collect(), overflow)
            }
            ExprNode::Intersection(parts) => {
                let values: Vec<(Set, bool)> = parts.iter().map(|&part| self.set(part)).collect();
                let kept = values[0].0.iter().filter(|t| values.iter().all(|v| v.0.contains(*t)));
                (kept.cloned().collect(), values.iter().any(|v| v.1))
            }
            ExprNode::Difference(a, b) => self.two(*a, *b, |a, b| a.difference(b).cloned().collect()),
            ExprNode::Join(a, b) => self.two(*a, *b, join),
            ExprNode::Product(a, b) => self
                .two(*a, *b, |a, b| a.iter().flat_map(|s| b.iter().map(|t| [&s[..], t].concat())).collect()),
            ExprNode::Transpose(a) => {
                let (a, overflow) = self.set(*a);
                (a.into_iter().map(|t| vec![t[1], t[0]]).collect(), overflow)
            }
            ExprNode::Closure(a) => {
                let (a, overflow) = self.set(*a);
                (closure(a), overflow)
            }
            ExprNode::ReflexiveClosure(a) => {
                let (a, overflow) = self.set(*a);
                let mut closed = closure(a);
                closed.extend(self.universe.atoms().map(|a| vec![a, a]));
                (closed, overflow)
            }
            ExprNode::Override(a, b) => self.two(*a, *b, |a, b| {
                let kept = a.iter().filter(|s| !b.iter().any(|t| t[0] == s[0]));
                kept.chain(b).cloned().collect()
            }),
            ExprNode::DomainRestriction(s, r) => {
                self.two(*s, *r, |s, r| r.iter().filter(|t| s.contains(&t[..1])).cloned().collect())
            }
            ExprNode::RangeRestriction(r, s) => {
                self.two(*r, *s, |r, s| r.iter().filter(|t| s.contains(&t[t.len() - 1..])).cloned().collect())
            }
            ExprNode::Comprehension(decls, body) => {
                let negated = std::mem::replace(&mut self.negated, false);
                let mut found = Set::new();
                self.bindings(decls, false, &mut |naive| {
                    if naive.holds(*body) {
                        let bound = &naive.env[naive.env.len() - decls.len()..];
                        let tuple = bound.iter().flat_map(|b| b.value.iter().flatten().copied());
                        found.insert(tuple.collect());
                    }
                    false
                });
                self.negated = negated;
                (found, false)
            }
            ExprNode::If(condition, a, b) => {
                if self.holds(*condition) {
                    self.set(*a)
                } else {
                    self.set(*b)
                }
            }
            ExprNode::FromInt(int) => {
                let (value, overflow) = self.int(*int);
                let there = !(overflow && self.mode.prevents_overflow());
                let atom = self.universe.int(value).filter(|_| there);
                (atom.map(|a| vec![a]).into_iter().collect(), overflow)
            }
        }
    }

    fn two(&mut self, a: Expr, b: Expr, combine: impl Fn(&Set, &Set) -> Set) -> (Set, bool) {
        let ((a, of_a), (b, of_b)) = (self.set(a), self.set(b));
        (combine(&a, &b), of_a || of_b)
    }

    /// Whether the sum of the values in a range overflows, or that in either half of the range does.
    fn partial_overflow(&self, values: &[i64], low: i64, high: i64) -> bool {
        let here = values.iter().copied().filter(|value| (low..=high).contains(value));
        let middle = crate::ints::middle(low, high);
        self.mode.fit(here.map(i128::from).sum()).1
            || low < high
                && (self.partial_overflow(values, low, middle)
                    || self.partial_overflow(values, middle + 1, high))
    }

    /// The value of an integer expression, and whether something in it overflowed.
    pub fn int(&mut self, int: IntExpr) -> (i64, bool) {
        match self.ast.int(int) {
            IntNode::Const(value) => self.mode.fit(i128::from(*value)),
            IntNode::Count(e) => {
                let (set, overflow) = self.set(*e);
                let (count, too_many) = self.mode.fit(set.len() as i128);
                (count, overflow || too_many)
            }
            IntNode::Sum(e) => {
                let (set, _) = self.set(*e);
                let values = set.iter().filter_map(|t| self.universe.int_value(t[0]));
                let values: Vec<i64> = values.collect();
                let (sum, mut too_large) = self.mode.fit(values.iter().map(|&v| i128::from(v)).sum());
                if self.mode.prevents_overflow() {
                    too_large |= self.partial_overflow(&values, self.mode.min(), self.mode.max());
                }
                (sum, too_large)
            }
            IntNode::SumOver(decls, body) => {
                let negated = std::mem::replace(&mut self.negated, false);
                let (mut sum, mut overflow) = (0i128, false);
                self.bindings(decls, false, &mut |naive| {
                    let (value, lost) = naive.int(*body);
                    sum += i128::from(value);
                    overflow |= lost;
                    false
                });
                self.negated = negated;
                let (sum, too_large) = self.mode.fit(sum);
                (sum, overflow || too_large)
            }
            IntNode::Binary(op, a, b) => {
                let ((a, of_a), (b, of_b)) = (self.int(*a), self.int(*b));
                let (value, lost) = self.mode.apply(*op, a, b);
                (value, of_a || of_b || lost)
            }
            IntNode::If(condition, a, b) => {
                if self.holds(*condition) {
                    self.int(*a)
                } else {
                    self.int(*b)
                }
            }
        }
    }
}

/// Returns the values that a variable over a domain may have.
fn subsets(domain: &[Vec<Atom>], range: Range) -> Vec<Set> {
    let single = domain.iter().map(|tuple| Set::from([tuple.clone()]));
    match range {
        Range::One => single.collect(),
        Range::Lone => std::iter::once(Set::new()).chain(single).collect(),
        Range::Some | Range::Set => (u64::from(range == Range::Some)..1 << domain.len())
            .map(|choice| {
                let chosen = domain.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
                chosen.map(|(_, tuple)| tuple.clone()).collect()
            })
            .collect(),
    }
}

fn join(a: &Set, b: &Set) -> Set {
    let mut result = Set::new();
    for s in a {
        for t in b {
            if s[s.len() - 1] == t[0] {
                result.insert([&s[..s.len() - 1], &t[1..]].concat());
            }
        }
    }
    result
}

fn closure(mut set: Set) -> Set {
    loop {
        let longer = join(&set, &set);
        if longer.is_subset(&set) {
            return set;
        }
        set.extend(longer);
    }
}

/// Follows the chain from the first element and looks whether it is all there is.
fn is_total_order(elements: &Set, first: &Set, next: &Set) -> bool {
    if first.len() != 1 || next.len() + 1 != elements.len() {
        return false;
    }
    let mut seen = Set::new();
    let mut at: Option<Vec<Atom>> = first.iter().next().cloned();
    while let Some(element) = at {
        if !elements.contains(&element) || !seen.insert(element.clone()) {
            return false;
        }
        at = next.iter().find(|t| t[0] == element[0]).map(|t| vec![t[1]]);
    }
    seen == *elements
}
