//! Formulas that may be broken in some ways that are known.
//!
//! Out of scope: why these ways are excepted.

use locus_relational::{Ast, Bindings, Decl, Formula, FormulaNode, Quantifier};

/// A formula that may be broken for some values of its universal variables, each unless a condition holds.
pub(crate) fn excepted(
    ast: &mut Ast,
    formula: Formula,
    exceptions: &[(Bindings, Option<Formula>)],
) -> Formula {
    if exceptions.is_empty() {
        return formula;
    }
    match ast.formula(formula).clone() {
        FormulaNode::Tagged(_, inner) => excepted(ast, inner, exceptions),
        FormulaNode::Quantified(Quantifier::All, decls, body) => {
            let body = excepted_for(ast, &decls, body, exceptions);
            ast.all(&decls, body)
        }
        FormulaNode::Not(inner) => match ast.formula(inner).clone() {
            FormulaNode::Quantified(Quantifier::Some, decls, body) => {
                let body = ast.not(body);
                let body = excepted_for(ast, &decls, body, exceptions);
                ast.all(&decls, body)
            }
            _ => excepted_for(ast, &[], formula, exceptions),
        },
        _ => excepted_for(ast, &[], formula, exceptions),
    }
}

/// The body of a universal formula, for the values of its variables: what is excepted is so for these only.
fn excepted_for(
    ast: &mut Ast,
    decls: &[Decl],
    body: Formula,
    exceptions: &[(Bindings, Option<Formula>)],
) -> Formula {
    let mut parts = Vec::new();
    for (bindings, unless) in exceptions {
        let mut conditions = Vec::new();
        for decl in decls {
            if let Some((_, value)) = bindings.iter().find(|(var, _)| *var == decl.var) {
                let (var, value) = (ast.var_expr(decl.var), ast.constant_expr(value.clone()));
                conditions.push(ast.equal(var, value));
            }
        }
        if let Some(unless) = unless {
            conditions.push(ast.not(*unless));
        }
        parts.push(ast.and(&conditions));
    }
    parts.push(body);
    ast.or(&parts)
}
