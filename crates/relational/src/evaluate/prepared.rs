//! Formulas made ready to be evaluated on many instances: all that does not depend on an instance, done once.
//!
//! A formula is taken apart into what must hold, each part is normalised and planned, and for each it is known which
//! relations it is about: where one of those is empty, the part holds without being looked at.

use super::plan::{Planner, Plans};
use super::{EvalError, MAX_DEPTH};
use crate::ast::{Ast, Expr, ExprNode, Formula, FormulaNode, Quantifier, Range, Relation, Tag};
use crate::bounds::Instance;
use crate::normal::{Normalizer, conjuncts};

/// A part of a formula that must hold.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The tag nearest to it.
    pub(super) tag: Option<Tag>,
    pub(super) formula: Formula,
    /// The relations of which none may be empty if the part is to be false.
    needs: Vec<Relation>,
}

/// Formulas that can be evaluated on any instance of their relations.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub(super) ast: Ast,
    pub(super) plans: Plans,
    pub(super) parts: Vec<Vec<Part>>,
}

impl Prepared {
    /// Makes formulas ready. They are referred to by their position.
    ///
    /// # Errors
    /// If one nests too deeply.
    pub fn new(mut ast: Ast, formulas: &[Formula]) -> Result<Self, EvalError> {
        let mut plans = Plans::default();
        let parts = formulas.iter().map(|&formula| parts_of(&mut ast, &mut plans, formula));
        let parts = parts.collect::<Result<_, _>>()?;
        Ok(Self { ast, plans, parts })
    }

    /// The arena that the formulas are in.
    pub fn ast(&self) -> &Ast {
        &self.ast
    }
}

impl Part {
    /// Whether the part holds because there is nothing of what it is about.
    pub(super) fn is_about_nothing(&self, instance: &Instance) -> bool {
        self.needs.iter().any(|&relation| instance.get(relation).is_some_and(crate::TupleSet::is_empty))
    }
}

/// Takes a formula apart, and plans how to evaluate each part.
pub(super) fn parts_of(ast: &mut Ast, plans: &mut Plans, formula: Formula) -> Result<Vec<Part>, EvalError> {
    let depth = ast.depth(formula);
    if depth > MAX_DEPTH {
        return Err(EvalError::TooDeep { depth, limit: MAX_DEPTH });
    }
    let mut found = Vec::new();
    for conjunct in conjuncts(ast, formula) {
        let normal = Normalizer::new(ast, false, false).normalize(conjunct.formula);
        let parts = match ast.formula(normal) {
            FormulaNode::And(parts) => parts.to_vec(),
            _ => vec![normal],
        };
        for formula in parts {
            let mut planner = Planner::new(ast, std::mem::take(plans));
            planner.formula(formula);
            *plans = planner.plans;
            found.push(Part { tag: conjunct.tag, formula, needs: needs(ast, formula) });
        }
    }
    Ok(found)
}

/// The universal formula whose bindings make a part false. In a disjunction with one universal part, the others only say
/// whether it matters.
pub(super) fn universal(ast: &Ast, part: Formula) -> Option<Formula> {
    let is_all = |f: Formula| matches!(ast.formula(f), FormulaNode::Quantified(Quantifier::All, _, _));
    match ast.formula(part) {
        FormulaNode::Or(parts) => {
            let mut all = parts.iter().copied().filter(|&f| is_all(f));
            all.next().filter(|_| all.next().is_none())
        }
        _ => is_all(part).then_some(part),
    }
}

/// The relations of which none may be empty if a part is to be false.
fn needs(ast: &Ast, part: Formula) -> Vec<Relation> {
    let mut found = Vec::new();
    let universal = universal(ast, part).map(|formula| ast.formula(formula));
    if let Some(FormulaNode::Quantified(Quantifier::All, decls, _)) = universal {
        for decl in decls.iter().filter(|decl| decl.range == Range::One) {
            factors(ast, decl.domain, &mut found);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The relations that make an expression empty if one of them is.
fn factors(ast: &Ast, expr: Expr, found: &mut Vec<Relation>) {
    match ast.expr(expr) {
        ExprNode::Relation(relation) => found.push(*relation),
        ExprNode::Intersection(parts) => parts.iter().for_each(|&part| factors(ast, part, found)),
        ExprNode::Join(a, b)
        | ExprNode::Product(a, b)
        | ExprNode::DomainRestriction(a, b)
        | ExprNode::RangeRestriction(a, b) => {
            factors(ast, *a, found);
            factors(ast, *b, found);
        }
        ExprNode::Difference(a, _) | ExprNode::Transpose(a) | ExprNode::Closure(a) => {
            factors(ast, *a, found);
        }
        _ => {}
    }
}
