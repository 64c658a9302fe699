//! Formulas made ready to be evaluated on many instances: all that does not depend on an instance, done once.
//!
//! A formula is taken apart into what must hold, each part is normalised and planned, and for each it is known which
//! relations it needs to be false (`needs`): where one of those is empty, the part holds without being looked at.

use std::sync::Arc;

use super::needs::Needs;
use super::plan::{Planner, Plans};
use super::{EvalError, MAX_DEPTH};
use crate::ast::{Ast, Formula, FormulaNode, Quantifier, Relation, Tag};
use crate::bounds::Instance;
use crate::normal::{Normalizer, conjuncts};

/// A part of a formula that must hold.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// The tag nearest to it.
    pub(super) tag: Option<Tag>,
    pub(super) formula: Formula,
    /// The relations of which none may be empty if the part is to be false.
    needs: Arc<[Relation]>,
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
        let (mut plans, mut needs) = (Plans::default(), Needs::default());
        let parts = formulas.iter().map(|&formula| parts_of(&mut ast, &mut plans, &mut needs, formula));
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
pub(super) fn parts_of(
    ast: &mut Ast,
    plans: &mut Plans,
    needs: &mut Needs,
    formula: Formula,
) -> Result<Vec<Part>, EvalError> {
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
            found.push(Part { tag: conjunct.tag, formula, needs: needs.of(ast, formula, false) });
        }
    }
    Ok(found)
}

/// The parts of a formula as they are evaluated, each with the tag nearest to it.
pub(crate) fn parts_of_formula(
    ast: &mut Ast,
    formula: Formula,
) -> Result<Vec<(Option<Tag>, Formula)>, EvalError> {
    let parts = parts_of(ast, &mut Plans::default(), &mut Needs::default(), formula)?;
    Ok(parts.into_iter().map(|part| (part.tag, part.formula)).collect())
}

/// The universal formula whose bindings make a part false. In a disjunction with one universal part, the others only
/// say whether it matters.
pub(crate) fn universal(ast: &Ast, part: Formula) -> Option<Formula> {
    let is_all = |f: Formula| matches!(ast.formula(f), FormulaNode::Quantified(Quantifier::All, _, _));
    match ast.formula(part) {
        FormulaNode::Or(parts) => {
            let mut all = parts.iter().copied().filter(|&f| is_all(f));
            all.next().filter(|_| all.next().is_none())
        }
        _ => is_all(part).then_some(part),
    }
}
