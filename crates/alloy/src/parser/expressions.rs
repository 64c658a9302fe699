//! Expressions and formulas, by precedence climbing with Alloy's levels.

use locus_source::{Finding, Span};

use super::paragraphs::multiplicity;
use super::{MAX_DEPTH, Parsed, Parser};
use crate::ast::{BinOp, Decl, Expr, ExprKind, ListOp, Mult, Quant, UnOp};
use crate::lexer::{number, unquote};
use crate::rules;
use crate::token::T;

/// Levels of precedence, from the loosest to the tightest.
mod level {
    pub(super) const OR: u8 = 2;
    pub(super) const IFF: u8 = 3;
    pub(super) const IMPLIES: u8 = 4;
    pub(super) const AND: u8 = 5;
    pub(super) const TEMPORAL: u8 = 6;
    pub(super) const NOT: u8 = 7;
    pub(super) const COMPARE: u8 = 8;
    pub(super) const SHIFT: u8 = 9;
    pub(super) const SUM: u8 = 10;
    pub(super) const MUL: u8 = 11;
    pub(super) const NUMBER: u8 = 12;
    pub(super) const OVERRIDE: u8 = 13;
    pub(super) const INTERSECT: u8 = 14;
    pub(super) const ARROW: u8 = 15;
    pub(super) const DOMAIN: u8 = 16;
    pub(super) const RANGE: u8 = 17;
    pub(super) const JOIN: u8 = 18;
    pub(super) const UNARY: u8 = 19;
}

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinOp),
    List(ListOp),
    Implies,
    Dot,
    Bracket,
}

impl Parser<'_> {
    /// Makes a node, unless the tree becomes too deep.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span) -> Parsed<Expr> {
        let below = match &kind {
            ExprKind::Unary(_, a) => a.depth,
            ExprKind::Binary(_, a, b) | ExprKind::Let(_, a, b) => a.depth.max(b.depth),
            ExprKind::IfElse(a, b, c) => a.depth.max(b.depth).max(c.depth),
            ExprKind::List(_, all) | ExprKind::Block(all) => all.iter().map(|e| e.depth).max().unwrap_or(0),
            ExprKind::Box(a, all) => {
                let count = u16::try_from(all.len()).unwrap_or(u16::MAX);
                all.iter().map(|e| e.depth).max().unwrap_or(0).max(a.depth).saturating_add(count)
            }
            ExprKind::Quant(_, decls, body) => {
                decls.iter().map(|d| d.bound.depth).max().unwrap_or(0).max(body.depth)
            }
            _ => 0,
        };
        if below >= MAX_DEPTH {
            return self.too_deep(span);
        }
        Ok(Expr { kind, span, depth: below + 1 })
    }

    fn too_deep<X>(&mut self, span: Span) -> Parsed<X> {
        let message = format!("this expression nests more than {MAX_DEPTH} levels deep");
        let finding = Finding::new(&rules::TOO_DEEP, self.file.place(span), message);
        self.report(finding)
    }

    /// A whole expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let first = self.level(level::OR)?;
        if self.eat(T::Semicolon).is_none() {
            return Ok(first);
        }
        let then = self.expr()?;
        let (span, after) = (first.span.to(then.span), then.span);
        let then = self.node(ExprKind::Unary(UnOp::After, Box::new(then)), after)?;
        self.node(ExprKind::List(ListOp::And, vec![first, then]), span)
    }

    /// An expression whose operators bind at least as tightly as `min`.
    fn level(&mut self, min: u8) -> Parsed<Expr> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep(self.span());
        }
        self.depth += 1;
        let result = self.level_inner(min);
        self.depth -= 1;
        result
    }

    fn level_inner(&mut self, min: u8) -> Parsed<Expr> {
        if let Some(quant) = self.quantifier() {
            return self.quantified(quant);
        }
        if self.peek() == T::Let {
            self.advance();
            return self.let_();
        }
        let mut left = self.prefix(min)?;
        while let Some((infix, level, tokens)) = self.infix() {
            if level < min {
                break;
            }
            for _ in 0..tokens {
                self.advance();
            }
            left = self.after_infix(left, infix, level)?;
        }
        Ok(left)
    }

    fn after_infix(&mut self, left: Expr, infix: Infix, level: u8) -> Parsed<Expr> {
        match infix {
            Infix::Implies => self.implies(left),
            Infix::Dot => self.dot(left),
            Infix::Bracket => self.bracket(left),
            Infix::List(op) => {
                let right = self.level(level + 1)?;
                let span = left.span.to(right.span);
                // A chain may be long: what is known of the depth of its start is not looked for again.
                match left.kind {
                    ExprKind::List(same, mut all) if same == op => {
                        let depth = left.depth.max(right.depth + 1);
                        if depth > MAX_DEPTH {
                            return self.too_deep(span);
                        }
                        all.push(right);
                        Ok(Expr { kind: ExprKind::List(op, all), span, depth })
                    }
                    kind => {
                        let all = vec![Expr { kind, ..left }, right];
                        self.node(ExprKind::List(op, all), span)
                    }
                }
            }
            Infix::Binary(op) => {
                let right = self.level(if matches!(op, BinOp::Arrow(..)) { level } else { level + 1 })?;
                let right = if matches!(op, BinOp::In | BinOp::NotIn) { multiplicity(right) } else { right };
                let span = left.span.to(right.span);
                self.node(ExprKind::Binary(op, Box::new(left), Box::new(right)), span)
            }
        }
    }

    fn implies(&mut self, condition: Expr) -> Parsed<Expr> {
        let then = self.level(level::IMPLIES)?;
        if self.eat(T::Else).is_none() {
            let span = condition.span.to(then.span);
            return self.node(ExprKind::Binary(BinOp::Implies, Box::new(condition), Box::new(then)), span);
        }
        let otherwise = self.level(level::IMPLIES)?;
        let span = condition.span.to(otherwise.span);
        self.node(ExprKind::IfElse(Box::new(condition), Box::new(then), Box::new(otherwise)), span)
    }

    fn dot(&mut self, left: Expr) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.peek() {
            T::Disj => ExprKind::List(ListOp::Disjoint, vec![left.clone()]),
            T::Int | T::Sum => ExprKind::Unary(UnOp::Sum, Box::new(left.clone())),
            T::Pred if self.is_total_order() => {
                self.advance();
                self.advance();
                ExprKind::List(ListOp::TotalOrder, vec![left.clone()])
            }
            _ => {
                let right = self.level(level::UNARY)?;
                let span = left.span.to(right.span);
                return self.node(ExprKind::Binary(BinOp::Join, Box::new(left), Box::new(right)), span);
            }
        };
        self.advance();
        self.node(kind, left.span.to(start))
    }

    fn bracket(&mut self, target: Expr) -> Parsed<Expr> {
        let args = self.arguments()?;
        let span = target.span.to(self.last());
        if let ExprKind::List(op @ (ListOp::Disjoint | ListOp::TotalOrder), mut all) = target.kind {
            all.extend(args);
            return self.node(ExprKind::List(op, all), span);
        }
        self.node(ExprKind::Box(Box::new(target), args), span)
    }

    /// Arguments after their opening bracket.
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        if self.peek() != T::RightBracket {
            args.push(self.expr()?);
            while self.eat(T::Comma).is_some() {
                args.push(self.expr()?);
            }
        }
        self.expect(T::RightBracket)?;
        Ok(args)
    }

    /// The operator here, its level, and how many tokens it is written with.
    fn infix(&self) -> Option<(Infix, u8, usize)> {
        let binary = |op, level, tokens| Some((Infix::Binary(op), level, tokens));
        match self.peek() {
            T::Or => Some((Infix::List(ListOp::Or), level::OR, 1)),
            T::Iff => binary(BinOp::Iff, level::IFF, 1),
            T::Implies => Some((Infix::Implies, level::IMPLIES, 1)),
            T::And => Some((Infix::List(ListOp::And), level::AND, 1)),
            T::Until => binary(BinOp::Until, level::TEMPORAL, 1),
            T::Since => binary(BinOp::Since, level::TEMPORAL, 1),
            T::Triggered => binary(BinOp::Triggered, level::TEMPORAL, 1),
            T::Releases => binary(BinOp::Releases, level::TEMPORAL, 1),
            T::Not => comparison(self.peek_at(1), true).and_then(|op| binary(op, level::COMPARE, 2)),
            T::ShiftLeft => binary(BinOp::ShiftLeft, level::SHIFT, 1),
            T::ShiftRight => binary(BinOp::ShiftRight, level::SHIFT, 1),
            T::ShiftArithmetic => binary(BinOp::ShiftArithmetic, level::SHIFT, 1),
            T::Plus => Some((Infix::List(ListOp::Union), level::SUM, 1)),
            T::Minus => binary(BinOp::Minus, level::SUM, 1),
            T::Fun if self.peek_at(1) == T::Slash => match self.slice(self.tokens[self.at + 2].span) {
                "add" => binary(BinOp::IntPlus, level::SUM, 3),
                "sub" => binary(BinOp::IntMinus, level::SUM, 3),
                "mul" => binary(BinOp::Mul, level::MUL, 3),
                "div" => binary(BinOp::Div, level::MUL, 3),
                "rem" => binary(BinOp::Rem, level::MUL, 3),
                _ => None,
            },
            T::PlusPlus => binary(BinOp::Override, level::OVERRIDE, 1),
            T::Ampersand => binary(BinOp::Intersect, level::INTERSECT, 1),
            T::Domain => binary(BinOp::Domain, level::DOMAIN, 1),
            T::Range => binary(BinOp::Range, level::RANGE, 1),
            T::Dot => Some((Infix::Dot, level::JOIN, 1)),
            T::LeftBracket => Some((Infix::Bracket, level::JOIN, 1)),
            other => {
                if let Some(op) = comparison(other, false) {
                    return binary(op, level::COMPARE, 1);
                }
                let (left, at) = match mult(other) {
                    Some(left) if self.peek_at(1) == T::Arrow => (left, 1),
                    None if other == T::Arrow => (Mult::Set, 0),
                    _ => return None,
                };
                let right = mult(self.peek_at(at + 1));
                let tokens = at + 1 + usize::from(right.is_some());
                binary(BinOp::Arrow(left, right.unwrap_or(Mult::Set)), level::ARROW, tokens)
            }
        }
    }

    fn prefix(&mut self, min: u8) -> Parsed<Expr> {
        let start = self.span();
        let kind = self.peek();
        let unary = |op, level, operand| Some((op, level, operand));
        let found = match kind {
            T::Not => unary(UnOp::Not, level::NOT, level::NOT),
            T::Always => unary(UnOp::Always, level::NOT, level::NOT),
            T::Eventually => unary(UnOp::Eventually, level::NOT, level::NOT),
            T::After => unary(UnOp::After, level::NOT, level::NOT),
            T::Before => unary(UnOp::Before, level::NOT, level::NOT),
            T::Historically => unary(UnOp::Historically, level::NOT, level::NOT),
            T::Once => unary(UnOp::Once, level::NOT, level::NOT),
            T::No => unary(UnOp::No, level::COMPARE, level::SHIFT),
            T::Some => unary(UnOp::Some, level::COMPARE, level::SHIFT),
            T::Lone => unary(UnOp::Lone, level::COMPARE, level::SHIFT),
            T::One => unary(UnOp::One, level::COMPARE, level::SHIFT),
            T::Set => unary(UnOp::SetOf, level::COMPARE, level::SHIFT),
            T::Seq if self.peek_at(1) != T::Slash => unary(UnOp::SetOf, level::COMPARE, level::SHIFT),
            T::Hash => unary(UnOp::Cardinality, level::NUMBER, level::NUMBER),
            T::Sum | T::Int if self.peek_at(1) != T::LeftBracket => {
                unary(UnOp::Sum, level::NUMBER, level::NUMBER)
            }
            T::Tilde => unary(UnOp::Transpose, level::UNARY, level::UNARY),
            T::Star => unary(UnOp::ReflexiveClosure, level::UNARY, level::UNARY),
            T::Caret => unary(UnOp::Closure, level::UNARY, level::UNARY),
            _ => None,
        };
        let Some((op, level, operand)) = found else {
            let base = self.base()?;
            return self.primes(base);
        };
        if level < min {
            let word = kind.describe();
            return self.wrong(
                start,
                format!("{word} binds less tightly than what stands before it: put it in parentheses"),
            );
        }
        self.advance();
        let sub = self.level(operand)?;
        let span = start.to(sub.span);
        if kind == T::Seq {
            self.out.uses_seq.get_or_insert(start);
            let indices = self.node(ExprKind::Name("seq/Int".to_owned()), start)?;
            return self.node(ExprKind::Binary(BinOp::SeqArrow, Box::new(indices), Box::new(sub)), span);
        }
        self.node(ExprKind::Unary(op, Box::new(sub)), span)
    }

    fn primes(&mut self, mut expr: Expr) -> Parsed<Expr> {
        while self.peek() == T::Prime {
            let span = expr.span.to(self.advance());
            expr = self.node(ExprKind::Unary(UnOp::Prime, Box::new(expr)), span)?;
        }
        Ok(expr)
    }

    fn base(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = match self.peek() {
            T::Number => {
                self.advance();
                ExprKind::Number(number(self.slice(start)).unwrap_or(0))
            }
            T::Minus if self.peek_at(1) == T::Number => {
                self.advance();
                let digits = self.advance();
                ExprKind::Number(-number(self.slice(digits)).unwrap_or(0))
            }
            T::Text => {
                self.advance();
                ExprKind::Text(unquote(self.slice(start)))
            }
            T::Iden => {
                self.advance();
                ExprKind::Name("iden".to_owned())
            }
            T::This if self.peek_at(1) != T::Slash => {
                self.advance();
                ExprKind::Name("this".to_owned())
            }
            T::At => {
                self.advance();
                let name = self.name()?;
                ExprKind::Name(format!("@{}", name.text))
            }
            T::Fun if self.peek_at(1) == T::Slash => return self.int_constant(start),
            T::LeftParen => {
                self.advance();
                let mut inner = self.expr()?;
                let end = self.expect(T::RightParen)?;
                inner.span = start.to(end);
                return Ok(inner);
            }
            T::LeftBrace if self.starts_comprehension() => return self.comprehension(),
            T::LeftBrace => return self.block(),
            T::Disj | T::Sum | T::Int => {
                let word = self.peek();
                self.advance();
                self.expect(T::LeftBracket)?;
                let args = self.arguments()?;
                let span = start.to(self.last());
                return self.built_in(word, args, span);
            }
            T::Pred if self.is_total_order() => {
                self.advance();
                self.advance();
                self.advance();
                self.expect(T::LeftBracket)?;
                ExprKind::List(ListOp::TotalOrder, self.arguments()?)
            }
            T::Name | T::This | T::Seq | T::Univ | T::String | T::SigInt | T::None | T::Steps => {
                ExprKind::Name(self.sig_ref()?.text)
            }
            _ => return self.unexpected("an expression"),
        };
        self.node(kind, start.to(self.last()))
    }

    fn built_in(&mut self, word: T, mut args: Vec<Expr>, span: Span) -> Parsed<Expr> {
        if word == T::Disj {
            return self.node(ExprKind::List(ListOp::Disjoint, args), span);
        }
        if args.len() != 1 {
            return self.wrong(span, format!("{} takes one argument", word.describe()));
        }
        let sub = args.pop().expect("there is one argument");
        self.node(ExprKind::Unary(UnOp::Sum, Box::new(sub)), span)
    }

    fn is_total_order(&self) -> bool {
        self.peek() == T::Pred
            && self.peek_at(1) == T::Slash
            && self.tokens.get(self.at + 2).is_some_and(|token| self.slice(token.span) == "totalOrder")
    }

    fn int_constant(&mut self, start: Span) -> Parsed<Expr> {
        self.advance();
        self.advance();
        let name = self.expect(T::Name)?;
        let kind = match self.slice(name) {
            "min" => ExprKind::IntMin,
            "max" => ExprKind::IntMax,
            "next" => ExprKind::IntNext,
            _ => return self.wrong(name, "expected `fun/min`, `fun/max` or `fun/next`"),
        };
        self.node(kind, start.to(name))
    }

    /// `{ e1 e2 … }`
    pub(super) fn block(&mut self) -> Parsed<Expr> {
        let start = self.expect(T::LeftBrace)?;
        let mut all = Vec::new();
        while self.peek() != T::RightBrace {
            if self.peek() == T::End {
                return self.unexpected("`}`");
            }
            all.push(self.expr()?);
        }
        let end = self.advance();
        self.node(ExprKind::Block(all), start.to(end))
    }

    /// Whether the brace here opens `{ x, y: … }`.
    fn starts_comprehension(&self) -> bool {
        let mut at = 1;
        if self.peek_at(at) == T::Var {
            at += 1;
        }
        if self.peek_at(at) == T::Private {
            at += 1;
        }
        if self.peek_at(at) == T::Disj {
            at += 1;
        }
        self.names_then_colon(at)
    }

    /// Names with primes are none, but who writes `all x, x': A` means a quantifier, and is told so.
    fn names_then_colon(&self, mut at: usize) -> bool {
        while self.peek_at(at) == T::Name {
            while self.peek_at(at + 1) == T::Prime {
                at += 1;
            }
            match self.peek_at(at + 1) {
                T::Comma => at += 2,
                T::Colon => return true,
                _ => return false,
            }
        }
        false
    }

    fn comprehension(&mut self) -> Parsed<Expr> {
        let start = self.advance();
        let decls = self.bound_variables()?;
        let body = if self.peek() == T::RightBrace {
            let here = self.span();
            self.node(ExprKind::Block(Vec::new()), here)?
        } else {
            self.body()?
        };
        let end = self.expect(T::RightBrace)?;
        self.node(ExprKind::Quant(Quant::Comprehension, decls, Box::new(body)), start.to(end))
    }

    /// The quantifier that starts here: a word, names and a colon. Otherwise the word
    /// is a multiplicity, as it always is after a colon: `f: one A, g: B`.
    fn quantifier(&self) -> Option<Quant> {
        let before = self.at.checked_sub(1).map(|at| self.tokens[at].kind);
        if matches!(before, Some(T::Colon | T::Disj)) {
            return None;
        }
        let quant = match self.peek() {
            T::All => Quant::All,
            T::No => Quant::No,
            T::Lone => Quant::Lone,
            T::One => Quant::One,
            T::Some => Quant::Some,
            T::Sum => Quant::Sum,
            _ => return None,
        };
        let mut at = 1;
        if self.peek_at(at) == T::Private {
            at += 1;
        }
        if self.peek_at(at) == T::Disj {
            at += 1;
        }
        self.names_then_colon(at).then_some(quant)
    }

    fn quantified(&mut self, quant: Quant) -> Parsed<Expr> {
        let start = self.advance();
        let decls = self.bound_variables()?;
        let body = self.body()?;
        let span = start.to(body.span);
        self.node(ExprKind::Quant(quant, decls, Box::new(body)), span)
    }

    fn bound_variables(&mut self) -> Parsed<Vec<Decl>> {
        let mut decls = vec![self.decl()?];
        while self.eat(T::Comma).is_some() {
            decls.push(self.decl()?);
        }
        if let Some(decl) =
            decls.iter().find(|decl| decl.private.or(decl.disjoint_range).or(decl.var).is_some())
        {
            let span = decl.names[0].span;
            return self.wrong(span, "a variable has no `private` or `var`, and no `disj` before its bound");
        }
        Ok(decls)
    }

    /// `| e` or a block.
    fn body(&mut self) -> Parsed<Expr> {
        if self.eat(T::Bar).is_some() {
            self.expr()
        } else if self.peek() == T::LeftBrace {
            self.block()
        } else {
            self.unexpected("`|` or `{`")
        }
    }

    /// Parses the rest of a `let`.
    fn let_(&mut self) -> Parsed<Expr> {
        if self.depth >= MAX_DEPTH {
            return self.too_deep(self.span());
        }
        let start = self.last();
        let name = self.new_name()?;
        self.expect(T::Equals)?;
        let value = self.expr()?;
        let body = if self.eat(T::Comma).is_some() {
            self.depth += 1;
            let rest = self.let_();
            self.depth -= 1;
            rest?
        } else {
            self.body()?
        };
        let span = start.to(body.span);
        self.node(ExprKind::Let(name, Box::new(value), Box::new(body)), span)
    }
}

fn comparison(kind: T, negated: bool) -> Option<BinOp> {
    Some(match (kind, negated) {
        (T::In, false) => BinOp::In,
        (T::In, true) => BinOp::NotIn,
        (T::Equals, false) => BinOp::Equals,
        (T::Equals, true) => BinOp::NotEquals,
        (T::Less, false) => BinOp::Less,
        (T::Less, true) => BinOp::NotLess,
        (T::LessEqual, false) => BinOp::LessEqual,
        (T::LessEqual, true) => BinOp::NotLessEqual,
        (T::Greater, false) => BinOp::Greater,
        (T::Greater, true) => BinOp::NotGreater,
        (T::GreaterEqual, false) => BinOp::GreaterEqual,
        (T::GreaterEqual, true) => BinOp::NotGreaterEqual,
        _ => return None,
    })
}

fn mult(kind: T) -> Option<Mult> {
    match kind {
        T::Set => Some(Mult::Set),
        T::Lone => Some(Mult::Lone),
        T::One => Some(Mult::One),
        T::Some => Some(Mult::Some),
        _ => None,
    }
}
