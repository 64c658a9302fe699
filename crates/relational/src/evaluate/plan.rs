//! How to look for the bindings of a block of variables that satisfy a list of conditions.
//!
//! Each condition is used as soon as all its variables are bound. Two kinds of conditions do more than filter: one
//! that puts a variable into a set gives the candidates for it, and one that equates an expression of the variable
//! alone with an expression of earlier variables is answered by a hash table over the variable's domain. So
//! "two ports with the same network and the same address" is one pass to fill a table and one to look up.

use crate::ast::{
    Ast, Compare, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, Mult, Range, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// A formula, or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Condition {
    pub(super) formula: Formula,
    pub(super) negated: bool,
}

/// Two expressions that must be equal: one of the variable alone, one of what is bound before it.
#[derive(Clone, Copy, Debug)]
pub(super) enum HashKey {
    Set { of_variable: Expr, of_others: Expr },
    Int { of_variable: IntExpr, of_others: IntExpr },
}

/// How to bind one variable.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) decl: Decl,
    /// Sets that the tuple must be in, beside the domain.
    pub(super) members: Vec<Expr>,
    pub(super) keys: Vec<HashKey>,
    /// The number of its hash table, unique among all steps.
    pub(super) table: usize,
    /// The conditions that must hold as soon as the variable is bound.
    pub(super) filters: Vec<Condition>,
}

/// How to bind all variables of a block.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The conditions that do not depend on the block at all.
    pub(super) before: Vec<Condition>,
    pub(super) steps: Vec<Step>,
}

/// The plans of everything that binds variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Plans {
    pub(super) formulas: FxHashMap<Formula, Plan>,
    pub(super) exprs: FxHashMap<Expr, Plan>,
    pub(super) ints: FxHashMap<IntExpr, Plan>,
    /// How many hash tables have a number.
    tables: usize,
}

pub(super) struct Planner<'a> {
    pub(super) ast: &'a mut Ast,
    pub(super) plans: Plans,
    /// Variables that may stand for any number of tuples.
    plural: FxHashSet<Var>,
    seen_formulas: FxHashSet<Formula>,
    seen_exprs: FxHashSet<Expr>,
    seen_ints: FxHashSet<IntExpr>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(ast: &'a mut Ast, plans: Plans) -> Self {
        Self {
            ast,
            plans,
            plural: FxHashSet::default(),
            seen_formulas: FxHashSet::default(),
            seen_exprs: FxHashSet::default(),
            seen_ints: FxHashSet::default(),
        }
    }

    /// Plans everything in a formula.
    pub(super) fn formula(&mut self, formula: Formula) {
        if !self.seen_formulas.insert(formula) {
            return;
        }
        match self.ast.formula(formula).clone() {
            FormulaNode::Const(_) => {}
            FormulaNode::In(a, b) | FormulaNode::Equal(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            FormulaNode::Mult(_, a) => self.expr(a),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => {
                parts.iter().for_each(|&part| self.formula(part));
            }
            FormulaNode::Not(a) | FormulaNode::Tagged(_, a) => self.formula(a),
            FormulaNode::Iff(a, b) => {
                self.formula(a);
                self.formula(b);
            }
            FormulaNode::Quantified(quantifier, decls, body) => {
                let all = quantifier == crate::ast::Quantifier::All;
                let conditions = self.conditions(body, all);
                let plan = self.plan(&decls, &conditions);
                self.plans.formulas.insert(formula, plan);
                self.formula(body);
            }
            FormulaNode::Compare(_, a, b) => {
                self.int(a);
                self.int(b);
            }
            FormulaNode::TotalOrder { elements, first, next } => {
                for e in [elements, first, next] {
                    self.expr(e);
                }
            }
        }
    }

    pub(super) fn expr(&mut self, expr: Expr) {
        if !self.seen_exprs.insert(expr) {
            return;
        }
        match self.ast.expr(expr).clone() {
            ExprNode::Relation(_)
            | ExprNode::Var(_)
            | ExprNode::Univ
            | ExprNode::Ints
            | ExprNode::Iden
            | ExprNode::Constant(_) => {}
            ExprNode::Union(parts) | ExprNode::Intersection(parts) => {
                parts.iter().for_each(|&part| self.expr(part));
            }
            ExprNode::Difference(a, b)
            | ExprNode::Join(a, b)
            | ExprNode::Product(a, b)
            | ExprNode::Override(a, b)
            | ExprNode::DomainRestriction(a, b)
            | ExprNode::RangeRestriction(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprNode::Transpose(a) | ExprNode::Closure(a) | ExprNode::ReflexiveClosure(a) => self.expr(a),
            ExprNode::Comprehension(decls, body) => {
                let conditions = self.conditions(body, false);
                let plan = self.plan(&decls, &conditions);
                self.plans.exprs.insert(expr, plan);
                self.formula(body);
            }
            ExprNode::If(condition, a, b) => {
                self.formula(condition);
                self.expr(a);
                self.expr(b);
            }
            ExprNode::FromInt(int) => self.int(int),
        }
    }

    pub(super) fn int(&mut self, int: IntExpr) {
        if !self.seen_ints.insert(int) {
            return;
        }
        match self.ast.int(int).clone() {
            IntNode::Const(_) => {}
            IntNode::Count(e) | IntNode::Sum(e) => self.expr(e),
            IntNode::SumOver(decls, body) => {
                let plan = self.plan(&decls, &[]);
                self.plans.ints.insert(int, plan);
                self.int(body);
            }
            IntNode::Binary(_, a, b) => {
                self.int(a);
                self.int(b);
            }
            IntNode::If(condition, a, b) => {
                self.formula(condition);
                self.int(a);
                self.int(b);
            }
        }
    }

    /// Returns the conditions that must all hold for the body to be true (or false).
    pub(super) fn conditions(&self, body: Formula, negated: bool) -> Vec<Condition> {
        let mut found = Vec::new();
        self.collect(body, negated, &mut found, &mut FxHashSet::default());
        found
    }

    fn collect(
        &self,
        formula: Formula,
        negated: bool,
        found: &mut Vec<Condition>,
        seen: &mut FxHashSet<Condition>,
    ) {
        if !seen.insert(Condition { formula, negated }) {
            return;
        }
        match self.ast.formula(formula) {
            FormulaNode::Not(inner) => self.collect(*inner, !negated, found, seen),
            FormulaNode::Tagged(_, inner) => self.collect(*inner, negated, found, seen),
            FormulaNode::And(parts) if !negated => {
                parts.iter().for_each(|&part| self.collect(part, false, found, seen));
            }
            FormulaNode::Or(parts) if negated => {
                parts.iter().for_each(|&part| self.collect(part, true, found, seen));
            }
            _ => found.push(Condition { formula, negated }),
        }
    }

    pub(super) fn plan(&mut self, decls: &[Decl], conditions: &[Condition]) -> Plan {
        self.plural.extend(decls.iter().filter(|decl| decl.range != Range::One).map(|decl| decl.var));
        let mut before = Vec::new();
        let mut steps: Vec<Step> = decls
            .iter()
            .enumerate()
            .map(|(i, &decl)| Step {
                decl,
                table: self.plans.tables + i,
                members: Vec::new(),
                keys: Vec::new(),
                filters: Vec::new(),
            })
            .collect();
        self.plans.tables += decls.len();
        for decl in decls {
            self.expr(decl.domain);
        }
        let mut conditions = conditions.to_vec();
        // Cheap conditions first.
        conditions.sort_by_key(|condition| self.ast.depth(condition.formula));
        for condition in conditions {
            self.formula(condition.formula);
            let free = self.ast.free_in_formula(condition.formula);
            let Some(last) = decls.iter().rposition(|decl| free.contains(&decl.var)) else {
                before.push(condition);
                continue;
            };
            let decl = decls[last];
            if decl.range == Range::One {
                if let Some((set, whole)) = self.membership(&decl, condition) {
                    self.expr(set);
                    steps[last].members.push(set);
                    if !whole {
                        steps[last].filters.push(condition);
                    }
                    continue;
                }
                let closed = self.ast.free_in_expr(decl.domain).is_empty();
                if closed && let Some(key) = self.hash_key(decl.var, condition) {
                    // The table answers the condition in full.
                    steps[last].keys.push(key);
                    continue;
                }
            }
            steps[last].filters.push(condition);
        }
        Plan { before, steps }
    }

    fn hash_key(&self, var: Var, condition: Condition) -> Option<HashKey> {
        if condition.negated {
            return None;
        }
        match *self.ast.formula(condition.formula) {
            FormulaNode::Equal(a, b) => {
                let only = |e: Expr| self.ast.free_in_expr(e) == [var];
                let without = |e: Expr| !self.ast.free_in_expr(e).contains(&var);
                if only(a) && without(b) {
                    Some(HashKey::Set { of_variable: a, of_others: b })
                } else if only(b) && without(a) {
                    Some(HashKey::Set { of_variable: b, of_others: a })
                } else {
                    None
                }
            }
            FormulaNode::Compare(Compare::Eq, a, b) => {
                let only = |e: IntExpr| self.ast.free_in_int(e) == [var];
                let without = |e: IntExpr| !self.ast.free_in_int(e).contains(&var);
                if only(a) && without(b) {
                    Some(HashKey::Int { of_variable: a, of_others: b })
                } else if only(b) && without(a) {
                    Some(HashKey::Int { of_variable: b, of_others: a })
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// A set that the variable must be in for a condition to hold, and whether being in it is all the condition says.
    fn membership(&mut self, decl: &Decl, condition: Condition) -> Option<(Expr, bool)> {
        let var = decl.var;
        match (self.ast.formula(condition.formula).clone(), condition.negated) {
            (FormulaNode::In(left, right), false) => {
                if self.is_var(left, var) && self.is_free_of(right, var) {
                    return Some((right, true));
                }
                // One atom in a path from the variable.
                if self.is_single(left) && self.is_free_of(left, var) {
                    return self.backwards(var, right, left).map(|set| (set, true));
                }
                // A pair of single atoms in a relation.
                if let ExprNode::Product(a, b) = *self.ast.expr(left)
                    && self.is_free_of(right, var)
                {
                    if self.is_var(b, var) && self.is_single(a) && self.is_free_of(a, var) {
                        return Some((self.ast.join(a, right), true));
                    }
                    if self.is_var(a, var) && self.is_single(b) && self.is_free_of(b, var) {
                        return Some((self.ast.join(right, b), true));
                    }
                }
                self.inclusion(decl, left, right).map(|set| (set, false))
            }
            (FormulaNode::Equal(a, b), false) => {
                for (side, other) in [(a, b), (b, a)] {
                    if self.is_var(side, var) && self.is_free_of(other, var) {
                        return Some((other, false));
                    }
                }
                None
            }
            (FormulaNode::Mult(Mult::Some, e), false) | (FormulaNode::Mult(Mult::No, e), true) => {
                self.overlap(var, e).map(|set| (set, true))
            }
            _ => None,
        }
    }

    /// Candidates for the variable under `left in right`, where either side may be any number of tuples. A side that is
    /// empty makes the inclusion say less, so what has an empty path is a candidate too.
    fn inclusion(&mut self, decl: &Decl, left: Expr, right: Expr) -> Option<Expr> {
        let var = decl.var;
        if self.is_free_of(left, var) {
            // A set in a path from the variable: it leads to every element of the set.
            let into = self.backwards(var, right, left)?;
            return Some(self.when_some(left, into, decl.domain));
        }
        if !self.is_free_of(right, var) {
            return None;
        }
        if let ExprNode::Product(a, b) = *self.ast.expr(left) {
            if self.ast.arity(a) != 1 || self.ast.arity(b) != 1 {
                return None;
            }
            let (fixed, path, image) = if self.is_free_of(a, var) {
                (a, b, self.ast.join(a, right))
            } else if self.is_free_of(b, var) {
                (b, a, self.ast.join(right, b))
            } else {
                return None;
            };
            let into = self.or_empty(decl, path, image)?;
            return Some(self.when_some(fixed, into, decl.domain));
        }
        if self.ast.arity(left) != 1 {
            return None;
        }
        self.or_empty(decl, left, right)
    }

    /// Returns the atoms from which a path leads into a set, and those from where it leads nowhere.
    fn or_empty(&mut self, decl: &Decl, path: Expr, set: Expr) -> Option<Expr> {
        let into = self.backwards(decl.var, path, set)?;
        let univ = self.ast.univ();
        let anywhere = self.backwards(decl.var, path, univ)?;
        let nowhere = self.ast.difference(decl.domain, anywhere);
        Some(self.ast.union(&[into, nowhere]))
    }

    /// One set if another has an element, else the whole domain.
    fn when_some(&mut self, condition: Expr, set: Expr, domain: Expr) -> Expr {
        let some = self.ast.some(condition);
        self.ast.if_expr(some, set, domain)
    }

    /// For `some e`, where `e` is an intersection of a path from the variable with something else, or such a path.
    fn overlap(&mut self, var: Var, e: Expr) -> Option<Expr> {
        if let ExprNode::Intersection(parts) = self.ast.expr(e).clone() {
            if parts.len() != 2 {
                return None;
            }
            for (path, other) in [(parts[0], parts[1]), (parts[1], parts[0])] {
                if !self.is_free_of(other, var) {
                    continue;
                }
                // some (a->path & other) is some (path & a.other).
                if let ExprNode::Product(a, b) = *self.ast.expr(path) {
                    if self.ast.arity(a) == 1 && self.ast.arity(b) == 1 {
                        if self.is_free_of(a, var) {
                            let image = self.ast.join(a, other);
                            return self.backwards(var, b, image);
                        }
                        if self.is_free_of(b, var) {
                            let image = self.ast.join(other, b);
                            return self.backwards(var, a, image);
                        }
                    }
                    continue;
                }
                if let Some(set) = self.backwards(var, path, other) {
                    return Some(set);
                }
            }
            return None;
        }
        None
    }

    /// From where a path of joins from the variable leads into a set: `v.r.s` meets `set` when `v` is in `r.(s.set)`.
    fn backwards(&mut self, var: Var, path: Expr, set: Expr) -> Option<Expr> {
        if self.is_var(path, var) && self.ast.arity(path) == 1 {
            return Some(set);
        }
        match *self.ast.expr(path) {
            ExprNode::Join(a, r)
                if self.ast.arity(r) == 2 && self.ast.arity(a) == 1 && self.is_free_of(r, var) =>
            {
                let image = self.ast.join(r, set);
                self.backwards(var, a, image)
            }
            ExprNode::Join(r, a)
                if self.ast.arity(r) == 2 && self.ast.arity(a) == 1 && self.is_free_of(r, var) =>
            {
                let image = self.ast.join(set, r);
                self.backwards(var, a, image)
            }
            _ => None,
        }
    }

    fn is_var(&self, expr: Expr, var: Var) -> bool {
        matches!(self.ast.expr(expr), ExprNode::Var(v) if *v == var)
    }

    fn is_free_of(&self, expr: Expr, var: Var) -> bool {
        !self.ast.free_in_expr(expr).contains(&var)
    }

    /// Whether an expression is certainly one atom. A binder is planned before what is inside of it, so it is known by
    /// now which variables stand for sets.
    fn is_single(&self, expr: Expr) -> bool {
        matches!(self.ast.expr(expr), ExprNode::Var(v) if self.ast.var_arity(*v) == 1 && !self.plural.contains(v))
    }
}
