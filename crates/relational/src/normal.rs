//! Formulas brought into a form that grounds cheaply.
//!
//! Negation is pushed down to comparisons. Quantifiers are pushed down to where their variable is used (so that
//! independent parts are not grounded once per binding), and a condition that a variable be in a set is moved
//! from the body into the domain (so that tuples outside of it are not looked at). Tags are dropped; [`conjuncts`]
//! takes a formula apart along them first.

use crate::ast::{Ast, Decl, Expr, ExprNode, Formula, FormulaNode, Mult, Quantifier, Range, Tag, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// A part of the whole formula that must hold, with the tag nearest to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conjunct {
    pub(crate) tag: Option<Tag>,
    pub(crate) formula: Formula,
}

/// Takes a formula apart into conjuncts, also from under universal quantifiers where that separates tags.
pub(crate) fn conjuncts(ast: &mut Ast, formula: Formula) -> Vec<Conjunct> {
    let mut found = Vec::new();
    split(ast, formula, false, None, &mut found, &mut FxHashSet::default());
    found
}

fn split(
    ast: &mut Ast,
    formula: Formula,
    negative: bool,
    tag: Option<Tag>,
    found: &mut Vec<Conjunct>,
    seen: &mut FxHashSet<(Formula, bool, Option<Tag>)>,
) {
    // A part that occurs twice says the same twice.
    if !seen.insert((formula, negative, tag)) {
        return;
    }
    match ast.formula(formula).clone() {
        FormulaNode::Tagged(tag, inner) => split(ast, inner, negative, Some(tag), found, seen),
        FormulaNode::Not(inner) => split(ast, inner, !negative, tag, found, seen),
        FormulaNode::And(parts) if !negative => {
            parts.iter().for_each(|&part| split(ast, part, false, tag, found, seen));
        }
        FormulaNode::Or(parts) if negative => {
            parts.iter().for_each(|&part| split(ast, part, true, tag, found, seen));
        }
        FormulaNode::Quantified(quantifier, decls, body) if (quantifier == Quantifier::All) != negative => {
            let mut inner = Vec::new();
            split(ast, body, negative, tag, &mut inner, &mut FxHashSet::default());
            if inner.iter().any(|part| part.tag != tag) {
                for part in inner {
                    let formula = ast.all(&decls, part.formula);
                    found.push(Conjunct { tag: part.tag, formula });
                }
            } else {
                found.push(Conjunct { tag, formula: if negative { ast.not(formula) } else { formula } });
            }
        }
        _ => found.push(Conjunct { tag, formula: if negative { ast.not(formula) } else { formula } }),
    }
}

/// The transformation, with what it has done so far.
pub(crate) struct Normalizer<'a> {
    ast: &'a mut Ast,
    memo: FxHashMap<(Formula, bool), Formula>,
    /// Variables that always stand for exactly one tuple.
    single: FxHashSet<Var>,
    /// Whether an overflow must be noticed where it happens. Then what may overflow stays where it is.
    overflow: bool,
    /// Whether quantifiers are pushed inwards, for grounding; or pulled together into blocks, for evaluation.
    inwards: bool,
}

impl<'a> Normalizer<'a> {
    pub(crate) fn new(ast: &'a mut Ast, overflow: bool, inwards: bool) -> Self {
        Self { ast, memo: FxHashMap::default(), single: FxHashSet::default(), overflow, inwards }
    }

    pub(crate) fn normalize(&mut self, formula: Formula) -> Formula {
        self.walk(formula, false)
    }

    fn walk(&mut self, formula: Formula, negative: bool) -> Formula {
        if let Some(&done) = self.memo.get(&(formula, negative)) {
            return done;
        }
        let done = match self.ast.formula(formula).clone() {
            FormulaNode::Tagged(_, inner) => self.walk(inner, negative),
            FormulaNode::Not(inner) => self.walk(inner, !negative),
            FormulaNode::And(parts) => self.connect(&parts, !negative, negative),
            FormulaNode::Or(parts) => self.connect(&parts, negative, negative),
            FormulaNode::Iff(a, b) => {
                let (a, b) = (self.walk(a, false), self.walk(b, false));
                let iff = self.ast.iff(a, b);
                self.signed(iff, negative)
            }
            FormulaNode::Quantified(quantifier, decls, body) => {
                self.single.extend(decls.iter().filter(|d| d.range == Range::One).map(|d| d.var));
                let body = self.walk(body, negative);
                self.quantify((quantifier == Quantifier::All) != negative, &decls, body)
            }
            _ => self.signed(formula, negative),
        };
        self.memo.insert((formula, negative), done);
        done
    }

    fn signed(&mut self, formula: Formula, negative: bool) -> Formula {
        if negative { self.ast.not(formula) } else { formula }
    }

    /// The cheap parts come first: they may decide the whole.
    fn connect(&mut self, parts: &[Formula], and: bool, negative: bool) -> Formula {
        let mut parts: Vec<Formula> = parts.iter().map(|&part| self.walk(part, negative)).collect();
        parts.sort_by_key(|&part| self.ast.depth(part));
        if and { self.ast.and(&parts) } else { self.ast.or(&parts) }
    }

    /// A quantifier with its variables no further out than needed. For `all`, the body is seen as a disjunction, for
    /// `some` as a conjunction.
    fn quantify(&mut self, all: bool, decls: &[Decl], body: Formula) -> Formula {
        let fixed = |d: &Decl| d.range != Range::One || (self.overflow && self.ast.casts_ints(d.domain));
        if decls.iter().any(fixed) {
            let quantifier = if all { Quantifier::All } else { Quantifier::Some };
            return self.ast.quantified(quantifier, decls, body);
        }
        // A universal goes over a conjunction part by part, an existential over a disjunction.
        let spread = match self.ast.formula(body) {
            FormulaNode::And(parts) if all => Some(parts.clone()),
            FormulaNode::Or(parts) if !all => Some(parts.clone()),
            _ => None,
        };
        if let Some(parts) = spread {
            let parts: Vec<Formula> = parts.iter().map(|&part| self.quantify(all, decls, part)).collect();
            return if all { self.ast.and(&parts) } else { self.ast.or(&parts) };
        }
        let mut parts: Vec<Formula> = match self.ast.formula(body) {
            FormulaNode::Or(parts) if all => parts.to_vec(),
            FormulaNode::And(parts) if !all => parts.to_vec(),
            _ => vec![body],
        };
        if !self.inwards {
            return self.block(all, decls, parts);
        }
        for decl in decls.iter().rev() {
            let (mut dependent, independent): (Vec<Formula>, Vec<Formula>) =
                parts.into_iter().partition(|&part| self.ast.free_in_formula(part).contains(&decl.var));
            let mut decl = *decl;
            if !self.overflow {
                self.take_guards(all, &mut decl, &mut dependent);
            }
            let inner = if dependent.is_empty() {
                self.ast.mult(if all { Mult::No } else { Mult::Some }, decl.domain)
            } else if all {
                let body = self.ast.or(&dependent);
                self.ast.all(&[decl], body)
            } else {
                let body = self.ast.and(&dependent);
                self.ast.exists(&[decl], body)
            };
            parts = independent;
            parts.push(inner);
        }
        if all { self.ast.or(&parts) } else { self.ast.and(&parts) }
    }

    /// One block of a quantifier and the only quantifier of its kind right below it.
    fn block(&mut self, all: bool, decls: &[Decl], mut parts: Vec<Formula>) -> Formula {
        let quantifier = if all { Quantifier::All } else { Quantifier::Some };
        let below = |ast: &Ast, part: Formula| matches!(ast.formula(part), FormulaNode::Quantified(q, _, _) if *q == quantifier);
        let mut decls = decls.to_vec();
        let nested: Vec<usize> = (0..parts.len()).filter(|&i| below(self.ast, parts[i])).collect();
        if let [only] = nested[..]
            && let FormulaNode::Quantified(_, inner, body) = self.ast.formula(parts[only]).clone()
        {
            decls.extend_from_slice(&inner);
            parts[only] = body;
        }
        let body = if all { self.ast.or(&parts) } else { self.ast.and(&parts) };
        self.ast.quantified(quantifier, &decls, body)
    }

    /// Moves conditions on the variable into its domain.
    fn take_guards(&mut self, all: bool, decl: &mut Decl, parts: &mut Vec<Formula>) {
        let mut sets = Vec::new();
        parts.retain(|&part| {
            // In a disjunction under `all` the conditions are the negated parts.
            let condition = match (all, self.ast.formula(part)) {
                (true, FormulaNode::Not(inner)) => *inner,
                (true, _) => return true,
                (false, _) => part,
            };
            let (set, whole) = match *self.ast.formula(condition) {
                FormulaNode::In(left, right) => (self.membership(decl.var, left, right), true),
                FormulaNode::Equal(left, right) => (
                    self.membership(decl.var, left, right).or_else(|| self.membership(decl.var, right, left)),
                    false,
                ),
                _ => (None, true),
            };
            let Some(set) = set else { return true };
            if self.ast.free_in_expr(set).contains(&decl.var) {
                return true;
            }
            sets.push(set);
            !whole
        });
        for set in sets {
            decl.domain = self.ast.intersection(&[decl.domain, set]);
        }
    }

    /// The set that a variable must be in for `left in right` to hold: `right` itself when the left side is the
    /// variable, a join when the left side is a product of single atoms with the variable at one end.
    fn membership(&mut self, var: Var, left: Expr, right: Expr) -> Option<Expr> {
        let mut columns = Vec::new();
        self.columns(left, &mut columns)?;
        if columns.len() == 1 {
            return (columns[0] == var).then_some(right);
        }
        if columns.iter().any(|&column| self.ast.var_arity(column) != 1)
            || columns.iter().filter(|&&column| column == var).count() != 1
        {
            return None;
        }
        if columns[columns.len() - 1] == var {
            let mut set = right;
            for &column in &columns[..columns.len() - 1] {
                let column = self.ast.var_expr(column);
                set = self.ast.join(column, set);
            }
            return Some(set);
        }
        if columns[0] == var {
            let mut set = right;
            for &column in columns[1..].iter().rev() {
                let column = self.ast.var_expr(column);
                set = self.ast.join(set, column);
            }
            return Some(set);
        }
        None
    }

    /// The variables of a product of variables that each stand for one tuple.
    fn columns(&self, expr: Expr, into: &mut Vec<Var>) -> Option<()> {
        match *self.ast.expr(expr) {
            ExprNode::Var(var) if self.single.contains(&var) => {
                into.push(var);
                Some(())
            }
            ExprNode::Product(a, b) => {
                self.columns(a, into)?;
                self.columns(b, into)
            }
            _ => None,
        }
    }
}
