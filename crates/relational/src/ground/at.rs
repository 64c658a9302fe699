//! Universal formulas for given values of their variables, one after the other.

use std::rc::Rc;

use super::{ABSENT, Grounder};
use crate::ast::{Formula, FormulaNode, Quantifier, Var};
use crate::circuit::Lit;
use crate::error::SolveError;
use crate::evaluate::{Bindings, universal};
use crate::matrix::Matrix;
use crate::tuples::TupleSet;

impl Grounder<'_> {
    /// A part of a formula as a literal, for some values of its universal variables: a universal formula, perhaps
    /// beside others in a disjunction. Without values the part is any formula.
    pub(crate) fn ground_at(&mut self, part: Formula, values: &Bindings) -> Result<Lit, SolveError> {
        if values.is_empty() {
            return self.ground(part);
        }
        let ast = self.ast;
        let lit = match ast.formula(part) {
            FormulaNode::Or(parts) => {
                let universal = universal(ast, part);
                let mut lits = Vec::with_capacity(parts.len());
                for &part in parts.iter() {
                    let values = if Some(part) == universal { &values[..] } else { &[] };
                    lits.push(self.at(part, values));
                }
                self.circuit.or(lits)
            }
            _ => self.at(part, values),
        };
        self.finish(lit)
    }

    /// The body of a universal formula for some values of its variables, unless these are not in their domains.
    fn at(&mut self, part: Formula, values: &[(Var, TupleSet)]) -> Lit {
        let ast = self.ast;
        let FormulaNode::Quantified(Quantifier::All, decls, body) = ast.formula(part) else {
            return self.formula(part);
        };
        if values.is_empty() {
            return self.formula(part);
        }
        let mut lits = Vec::with_capacity(decls.len() + 1);
        for (decl, (_, value)) in decls.iter().zip(values) {
            let key = self.packing.pack(value.get(0));
            lits.push(!self.expr(decl.domain).get(key));
            let matrix = Matrix::single(ast.var_arity(decl.var), key);
            self.values[decl.var.index()] = (key, Some(Rc::new(matrix)));
        }
        lits.push(self.formula(*body));
        for decl in decls.iter() {
            self.values[decl.var.index()] = (ABSENT, None);
        }
        self.circuit.or(lits)
    }

    /// Forgets the values of what depends on variables. What depends on none is kept.
    pub(crate) fn forget(&mut self) {
        self.exprs.clear();
        self.kept = 0;
        self.formulas.clear();
        self.ints.clear();
    }
}
