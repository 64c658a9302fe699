//! The parts of formulas, expressions and integers, one level down: for whoever goes through all of them.

use super::{Ast, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode};

/// A formula, an expression or an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A formula.
    Formula(Formula),
    /// An expression.
    Expr(Expr),
    /// An integer.
    Int(IntExpr),
}

impl Ast {
    /// Shows what a node directly consists of, in the order of the text; of a quantified one the domains first.
    pub fn each_part(&self, node: Node, see: &mut dyn FnMut(Node)) {
        match node {
            Node::Formula(formula) => self.each_part_of_formula(formula, see),
            Node::Expr(expr) => self.each_part_of_expr(expr, see),
            Node::Int(int) => self.each_part_of_int(int, see),
        }
    }

    fn each_part_of_formula(&self, formula: Formula, see: &mut dyn FnMut(Node)) {
        match self.formula(formula) {
            FormulaNode::Const(_) => {}
            FormulaNode::In(a, b) | FormulaNode::Equal(a, b) => {
                see(Node::Expr(*a));
                see(Node::Expr(*b));
            }
            FormulaNode::Mult(_, a) => see(Node::Expr(*a)),
            FormulaNode::And(parts) | FormulaNode::Or(parts) => {
                parts.iter().for_each(|part| see(Node::Formula(*part)));
            }
            FormulaNode::Not(a) | FormulaNode::Tagged(_, a) => see(Node::Formula(*a)),
            FormulaNode::Iff(a, b) => {
                see(Node::Formula(*a));
                see(Node::Formula(*b));
            }
            FormulaNode::Quantified(_, decls, body) => {
                decls.iter().for_each(|decl| see(Node::Expr(decl.domain)));
                see(Node::Formula(*body));
            }
            FormulaNode::Compare(_, a, b) => {
                see(Node::Int(*a));
                see(Node::Int(*b));
            }
            FormulaNode::TotalOrder { elements, first, next } => {
                for e in [elements, first, next] {
                    see(Node::Expr(*e));
                }
            }
        }
    }

    fn each_part_of_expr(&self, expr: Expr, see: &mut dyn FnMut(Node)) {
        match self.expr(expr) {
            ExprNode::Relation(_)
            | ExprNode::Var(_)
            | ExprNode::Univ
            | ExprNode::Ints
            | ExprNode::Iden
            | ExprNode::Constant(_) => {}
            ExprNode::Union(parts) | ExprNode::Intersection(parts) => {
                parts.iter().for_each(|part| see(Node::Expr(*part)));
            }
            ExprNode::Difference(a, b)
            | ExprNode::Join(a, b)
            | ExprNode::Product(a, b)
            | ExprNode::Override(a, b)
            | ExprNode::DomainRestriction(a, b)
            | ExprNode::RangeRestriction(a, b) => {
                see(Node::Expr(*a));
                see(Node::Expr(*b));
            }
            ExprNode::Transpose(a) | ExprNode::Closure(a) | ExprNode::ReflexiveClosure(a) => {
                see(Node::Expr(*a));
            }
            ExprNode::Comprehension(decls, body) => {
                decls.iter().for_each(|decl| see(Node::Expr(decl.domain)));
                see(Node::Formula(*body));
            }
            ExprNode::If(condition, a, b) => {
                see(Node::Formula(*condition));
                see(Node::Expr(*a));
                see(Node::Expr(*b));
            }
            ExprNode::FromInt(int) => see(Node::Int(*int)),
        }
    }

    fn each_part_of_int(&self, int: IntExpr, see: &mut dyn FnMut(Node)) {
        match self.int(int) {
            IntNode::Const(_) => {}
            IntNode::Count(e) | IntNode::Sum(e) => see(Node::Expr(*e)),
            IntNode::SumOver(decls, body) => {
                decls.iter().for_each(|decl| see(Node::Expr(decl.domain)));
                see(Node::Int(*body));
            }
            IntNode::Binary(_, a, b) => {
                see(Node::Int(*a));
                see(Node::Int(*b));
            }
            IntNode::If(condition, a, b) => {
                see(Node::Formula(*condition));
                see(Node::Int(*a));
                see(Node::Int(*b));
            }
        }
    }
}
