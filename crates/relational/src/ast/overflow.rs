//! The dependencies of overflows where they are prevented, as in Kodkod.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Ast, Expr, ExprNode, IntNode, Node, Var};
use crate::ints::IntMode;

/// The variables of nodes that have been looked at.
pub(crate) type OverflowVars = FxHashMap<Node, Rc<[Var]>>;

impl Ast {
    /// The variables that an overflow in a node depends on: those below counts and sums of the integers that are made
    /// sets in it. A choice between sets and a comprehension do not remember theirs.
    pub(crate) fn overflow_vars(&self, node: Node, known: &mut OverflowVars) -> Rc<[Var]> {
        if let Some(vars) = known.get(&node) {
            return Rc::clone(vars);
        }
        let mut parts: Vec<Node> = Vec::new();
        let mut vars: Vec<Var> = Vec::new();
        match node {
            Node::Formula(_) => {}
            Node::Expr(expr) => match self.expr(expr) {
                ExprNode::If(..) | ExprNode::Comprehension(..) => {}
                _ => self.each_part(node, &mut |part| parts.push(part)),
            },
            Node::Int(int) => match self.int(int) {
                IntNode::Const(_) => {}
                IntNode::Count(e) | IntNode::Sum(e) => vars.extend_from_slice(self.free_in_expr(*e)),
                IntNode::SumOver(_, body) => parts.push(Node::Int(*body)),
                IntNode::Binary(_, a, b) | IntNode::If(_, a, b) => {
                    parts.extend([Node::Int(*a), Node::Int(*b)]);
                }
            },
        }
        for part in parts {
            vars.extend_from_slice(&self.overflow_vars(part, known));
        }
        vars.sort_unstable();
        vars.dedup();
        let vars: Rc<[Var]> = vars.into();
        known.insert(node, Rc::clone(&vars));
        vars
    }

    /// Whether an expression is a number that does not fit: it is known to be empty, and what is known to be empty does
    /// not make a union or a multiplicity overflow.
    pub(crate) fn is_lost(&self, expr: Expr, mode: IntMode) -> bool {
        let ExprNode::FromInt(int) = *self.expr(expr) else { return false };
        matches!(self.int(int), IntNode::Const(value) if mode.prevents_overflow() && mode.fit(i128::from(*value)).1)
    }
}
