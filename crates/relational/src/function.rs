//! Relations that are functions, because the formula says so.
//!
//! A field declared `f: one B` comes as two conjuncts: `f in A->B`, and `all x: A | one x.f`. Together they say that
//! no atom has two images. Whoever grounds other conjuncts may rely on that: two images are then equal when they
//! overlap, a sum is a choice, and so on. The conjuncts that say it must be grounded without relying on it.

use crate::ast::{Ast, Expr, ExprNode, Formula, FormulaNode, Mult, Quantifier, Range, Relation};
use crate::bounds::Bounds;
use rustc_hash::FxHashSet;

/// The relations that are known to be functions, and the conjuncts that say so.
#[derive(Default)]
pub(crate) struct Functions {
    /// Binary relations with at most one tuple for each first atom.
    pub(crate) functional: FxHashSet<Relation>,
    /// Relations with at most one tuple.
    pub(crate) lone: FxHashSet<Relation>,
    /// The conjuncts that say so.
    pub(crate) because: FxHashSet<Formula>,
}

impl Functions {
    /// Looks through the conjuncts of a whole formula.
    pub(crate) fn find(ast: &Ast, bounds: &Bounds, conjuncts: &[Formula]) -> Self {
        let mut functions = Self::default();
        let mut domains: FxHashSet<(Relation, Expr)> = FxHashSet::default();
        for &conjunct in conjuncts {
            if let FormulaNode::In(left, right) = ast.formula(conjunct)
                && let Some(found) = domain(ast, *left, *right)
            {
                domains.insert(found);
            }
        }
        for &conjunct in conjuncts {
            match ast.formula(conjunct) {
                FormulaNode::Mult(Mult::One | Mult::Lone, e) => {
                    if let ExprNode::Relation(relation) = ast.expr(*e) {
                        functions.lone.insert(*relation);
                        functions.because.insert(conjunct);
                    }
                }
                FormulaNode::Quantified(Quantifier::All, decls, body) => {
                    let [decl] = decls[..] else { continue };
                    if decl.range != Range::One {
                        continue;
                    }
                    let single = [*body];
                    let parts = match ast.formula(*body) {
                        FormulaNode::And(parts) => &parts[..],
                        _ => &single,
                    };
                    for &part in parts {
                        let FormulaNode::Mult(Mult::One | Mult::Lone, e) = ast.formula(part) else {
                            continue;
                        };
                        let ExprNode::Join(x, f) = *ast.expr(*e) else { continue };
                        let (ExprNode::Var(var), ExprNode::Relation(relation)) = (ast.expr(x), ast.expr(f))
                        else {
                            continue;
                        };
                        let covered = domains.contains(&(*relation, decl.domain))
                            || covers(ast, bounds, decl.domain, *relation);
                        if *var == decl.var && ast.relation_arity(*relation) == 2 && covered {
                            functions.functional.insert(*relation);
                            functions.because.insert(conjunct);
                        }
                    }
                }
                _ => {}
            }
        }
        functions
    }
}

/// For `f in d->…`, or `f.univ in d`: the relation and the set that all first atoms are in.
fn domain(ast: &Ast, left: Expr, right: Expr) -> Option<(Relation, Expr)> {
    match (ast.expr(left), ast.expr(right)) {
        (ExprNode::Relation(relation), ExprNode::Product(d, _)) if ast.arity(*d) == 1 => {
            Some((*relation, *d))
        }
        (ExprNode::Join(f, univ), _) if matches!(ast.expr(*univ), ExprNode::Univ) => match ast.expr(*f) {
            ExprNode::Relation(relation) if ast.relation_arity(*relation) == 2 => Some((*relation, right)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a set certainly has every atom that a relation can begin with.
fn covers(ast: &Ast, bounds: &Bounds, set: Expr, relation: Relation) -> bool {
    let ExprNode::Relation(set) = ast.expr(set) else { return matches!(ast.expr(set), ExprNode::Univ) };
    let (Some(set), Some(relation)) = (bounds.get(*set), bounds.get(relation)) else { return false };
    relation.upper.iter().all(|tuple| set.lower.contains(&tuple[..1]))
}
