//! Formulas as text, in Alloy's notation with every operation in parentheses: for tests and for debugging.

use super::{
    Ast, Compare, Decl, Expr, ExprNode, Formula, FormulaNode, IntExpr, IntNode, IntOp, Mult, Quantifier,
    Range,
};

impl Ast {
    /// A formula as text.
    pub fn show_formula(&self, formula: Formula) -> String {
        match self.formula(formula) {
            FormulaNode::Const(value) => value.to_string(),
            FormulaNode::In(a, b) => format!("({} in {})", self.show_expr(*a), self.show_expr(*b)),
            FormulaNode::Equal(a, b) => format!("({} = {})", self.show_expr(*a), self.show_expr(*b)),
            FormulaNode::Mult(mult, a) => {
                let word = match mult {
                    Mult::No => "no",
                    Mult::Lone => "lone",
                    Mult::One => "one",
                    Mult::Some => "some",
                };
                format!("({word} {})", self.show_expr(*a))
            }
            FormulaNode::And(parts) => self.show_list(parts, " and ", Self::show_formula),
            FormulaNode::Or(parts) => self.show_list(parts, " or ", Self::show_formula),
            FormulaNode::Not(a) => format!("not {}", self.show_formula(*a)),
            FormulaNode::Iff(a, b) => format!("({} iff {})", self.show_formula(*a), self.show_formula(*b)),
            FormulaNode::Quantified(quantifier, decls, body) => {
                let word = if *quantifier == Quantifier::All { "all" } else { "some" };
                format!("({word} {} | {})", self.show_decls(decls), self.show_formula(*body))
            }
            FormulaNode::Compare(compare, a, b) => {
                let word = match compare {
                    Compare::Eq => "=",
                    Compare::Lt => "<",
                    Compare::Le => "<=",
                };
                format!("({} {word} {})", self.show_int(*a), self.show_int(*b))
            }
            FormulaNode::TotalOrder { elements, first, next } => format!(
                "totalOrder[{}, {}, {}]",
                self.show_expr(*elements),
                self.show_expr(*first),
                self.show_expr(*next)
            ),
            FormulaNode::Tagged(tag, a) => format!("@{}:{}", tag.0, self.show_formula(*a)),
        }
    }

    /// An expression as text.
    pub fn show_expr(&self, expr: Expr) -> String {
        let two = |a: Expr, op: &str, b: Expr| format!("({}{op}{})", self.show_expr(a), self.show_expr(b));
        match self.expr(expr) {
            ExprNode::Relation(relation) => self.relation_name(*relation).to_owned(),
            ExprNode::Var(var) => self.var_name(*var).to_owned(),
            ExprNode::Univ => "univ".to_owned(),
            ExprNode::Ints => "Int".to_owned(),
            ExprNode::Iden => "iden".to_owned(),
            ExprNode::Constant(constant) => format!("{:?}", self.constant(*constant)),
            ExprNode::Union(parts) => self.show_list(parts, " + ", Self::show_expr),
            ExprNode::Intersection(parts) => self.show_list(parts, " & ", Self::show_expr),
            ExprNode::Difference(a, b) => two(*a, " - ", *b),
            ExprNode::Join(a, b) => two(*a, ".", *b),
            ExprNode::Product(a, b) => two(*a, "->", *b),
            ExprNode::Transpose(a) => format!("~{}", self.show_expr(*a)),
            ExprNode::Closure(a) => format!("^{}", self.show_expr(*a)),
            ExprNode::ReflexiveClosure(a) => format!("*{}", self.show_expr(*a)),
            ExprNode::Override(a, b) => two(*a, " ++ ", *b),
            ExprNode::DomainRestriction(a, b) => two(*a, " <: ", *b),
            ExprNode::RangeRestriction(a, b) => two(*a, " :> ", *b),
            ExprNode::Comprehension(decls, body) => {
                format!("{{{} | {}}}", self.show_decls(decls), self.show_formula(*body))
            }
            ExprNode::If(condition, a, b) => {
                format!(
                    "({} => {} else {})",
                    self.show_formula(*condition),
                    self.show_expr(*a),
                    self.show_expr(*b)
                )
            }
            ExprNode::FromInt(int) => format!("Int[{}]", self.show_int(*int)),
        }
    }

    /// An integer expression as text.
    pub fn show_int(&self, int: IntExpr) -> String {
        match self.int(int) {
            IntNode::Const(value) => value.to_string(),
            IntNode::Count(e) => format!("#{}", self.show_expr(*e)),
            IntNode::Sum(e) => format!("int[{}]", self.show_expr(*e)),
            IntNode::SumOver(decls, body) => {
                format!("(sum {} | {})", self.show_decls(decls), self.show_int(*body))
            }
            IntNode::Binary(op, a, b) => {
                let word = match op {
                    IntOp::Add => "plus",
                    IntOp::Sub => "minus",
                    IntOp::Mul => "mul",
                    IntOp::Div => "div",
                    IntOp::Rem => "rem",
                    IntOp::Shl => "<<",
                    IntOp::Shr => ">>>",
                    IntOp::Sha => ">>",
                };
                format!("({} {word} {})", self.show_int(*a), self.show_int(*b))
            }
            IntNode::If(condition, a, b) => {
                format!(
                    "({} => {} else {})",
                    self.show_formula(*condition),
                    self.show_int(*a),
                    self.show_int(*b)
                )
            }
        }
    }

    fn show_list<T: Copy>(&self, parts: &[T], between: &str, show: fn(&Self, T) -> String) -> String {
        format!("({})", parts.iter().map(|&part| show(self, part)).collect::<Vec<_>>().join(between))
    }

    fn show_decls(&self, decls: &[Decl]) -> String {
        let shown: Vec<String> = decls
            .iter()
            .map(|decl| {
                let range = match decl.range {
                    Range::One => "",
                    Range::Lone => "lone ",
                    Range::Some => "some ",
                    Range::Set => "set ",
                };
                format!("{}: {range}{}", self.var_name(decl.var), self.show_expr(decl.domain))
            })
            .collect();
        shown.join(", ")
    }
}
