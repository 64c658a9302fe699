//! Expressions.

use locus_source::{Finding, Span};
use num_bigint::BigInt;

use super::{Conflict, Left, Parse, Parser, TREE_DEPTH_LIMIT};
use crate::rules::{PRECEDENCE, SYNTAX};
use crate::syntax::ast::{Bound, Expr, ExprKind, Ident, NamePart, PartName, PathStep, Update};
use crate::syntax::lexer::{is_field_name, string_value};
use crate::syntax::operators::{Binding, Fix, OPERATORS, id};
use crate::syntax::token::{Kind, Token, Word};

const AND: u8 = id("/\\");
const OR: u8 = id("\\/");
const MINUS: u8 = id("-");
const NEGATION: u8 = id("-.");
const IN: u8 = id("\\in");
const EQUALS: u8 = id("=");
const BOX: u8 = id("[]");
const TIMES: u8 = id("\\X");

fn node(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, span }
}

impl Parser<'_> {
    /// A whole expression.
    pub(super) fn expr(&mut self) -> Parse<Expr> {
        self.expr_after(None)
    }

    /// As much of an expression as does not belong to the operator `left` of it.
    fn expr_after(&mut self, left: Option<Left>) -> Parse<Expr> {
        self.nested(|p| p.operators(left))
    }

    /// An operand and the operators after it.
    fn operators(&mut self, left: Option<Left>) -> Parse<Expr> {
        let siblings = std::mem::take(&mut self.child_depth);
        let mut expr = self.operand(left)?;
        let mut depth = self.child_depth + 1;
        loop {
            self.child_depth = 0;
            let Some(extended) = self.extend(left, &mut expr)? else { break };
            expr = extended;
            depth = depth.max(self.child_depth) + 1;
            if depth > TREE_DEPTH_LIMIT {
                return self.too_deep(TREE_DEPTH_LIMIT);
            }
        }
        self.child_depth = siblings.max(depth);
        Ok(expr)
    }

    /// Extends `expr` by the operator that follows it, if that one takes it. Leaves `expr` undefined if so.
    fn extend(&mut self, left: Option<Left>, expr: &mut Expr) -> Parse<Option<Expr>> {
        let take = |expr: &mut Expr| std::mem::replace(expr, node(ExprKind::Error, Span::default()));
        let start = expr.span;
        match self.kind() {
            Kind::Dot if is_field_name(self.kind_at(1)) => {
                self.bump();
                let field = self.field_name("a field")?;
                let record = Box::new(take(expr));
                Ok(Some(node(ExprKind::Field { record, field }, self.span_from(start))))
            }
            Kind::LeftBracket => {
                self.bump();
                let args = self.list(Self::expr)?;
                self.expect(Kind::RightBracket, "`,` or `]` after the argument")?;
                let function = Box::new(take(expr));
                Ok(Some(node(ExprKind::Apply { function, args }, self.span_from(start))))
            }
            Kind::ColonColon => {
                let Some((name, params)) = as_label(expr) else { return Ok(None) };
                self.bump();
                let body = Box::new(self.expr()?);
                self.check_label(left, &body);
                Ok(Some(node(ExprKind::Label { name, params, body }, self.span_from(start))))
            }
            Kind::Op(op) => {
                let operator = &OPERATORS[usize::from(op)];
                if operator.fix == Fix::Prefix || !self.takes(left, start, op) {
                    return Ok(None);
                }
                let token = self.at;
                let name = Self::op_ident(operator.name, self.bump().span);
                if operator.fix == Fix::Postfix {
                    let arg = Box::new(take(expr));
                    return Ok(Some(node(ExprKind::Postfix { op: name, arg }, self.span_from(start))));
                }
                let right =
                    self.expr_after(Some(Left { op: operator, span: name.span, operand: Some(start) }))?;
                self.settle_conflicts(token, right.span);
                let span = start.to(right.span);
                let kind = infix(op, name, take(expr), right);
                Ok(Some(node(kind, span)))
            }
            _ => Ok(None),
        }
    }

    /// A label must not change what binds to what: in `a * l :: b + c` it would.
    fn check_label(&mut self, left: Option<Left>, body: &Expr) {
        let (Some(left), ExprKind::Infix { op, .. } | ExprKind::Postfix { op, .. }) = (left, &body.kind)
        else {
            return;
        };
        let binds = OPERATORS.iter().find(|o| *o.name == *op.text).map(|right| left.op.against(right));
        if binds.is_some_and(|binding| binding != Binding::Right) {
            let message = format!("without its label, this would belong to `{}`", left.op.name);
            let finding = self
                .finding(&PRECEDENCE, body.span, message)
                .also(self.place(left.span), "this operator")
                .help("put the labelled expression in parentheses");
            self.findings.push(finding);
        }
    }

    /// Whether the operator here takes the operand at `middle` rather than the one to its left.
    fn takes(&mut self, left: Option<Left>, middle: Span, op: u8) -> bool {
        let Some(left) = left else { return true };
        let right = &OPERATORS[usize::from(op)];
        match left.op.against(right) {
            Binding::Left => false,
            Binding::Right => true,
            Binding::Conflict => {
                if right.fix == Fix::Postfix {
                    let conflict = Conflict { token: self.at, left, middle, right };
                    let finding = self.describe_conflict(&conflict, None);
                    self.findings.push(finding);
                } else if !self.conflicts.iter().any(|c| c.token == self.at) {
                    self.conflicts.push(Conflict { token: self.at, left, middle, right });
                }
                false
            }
        }
    }

    /// Reports the conflicts about the operator at `token`, now that its right operand is known.
    fn settle_conflicts(&mut self, token: usize, right: Span) {
        while let Some(i) = self.conflicts.iter().position(|c| c.token == token) {
            let conflict = self.conflicts.remove(i);
            let finding = self.describe_conflict(&conflict, Some(right));
            self.findings.push(finding);
        }
    }

    /// Reports the conflicts whose right operand could not be read.
    pub(super) fn flush_conflicts(&mut self) {
        for conflict in std::mem::take(&mut self.conflicts) {
            let finding = self.describe_conflict(&conflict, None);
            self.findings.push(finding);
        }
    }

    fn describe_conflict(&self, conflict: &Conflict, right: Option<Span>) -> Finding {
        let Conflict { token, left, middle, right: op } = conflict;
        let (l, r) = (left.op.name.trim_end_matches('.'), op.name);
        let at = self.tokens[*token].span;
        let message = if l == r {
            format!("`{l}` twice in a row needs parentheses")
        } else {
            format!("`{l}` and `{r}` together need parentheses: neither binds tighter")
        };
        let operand = |span: Span| shorten(self.slice(span));
        let m = operand(*middle);
        let before = left.operand.map_or(String::new(), |span| format!("{} ", operand(span)));
        let blank =
            if before.is_empty() && !l.ends_with(|c: char| c.is_ascii_alphabetic()) { "" } else { " " };
        let finding = self
            .finding(&PRECEDENCE, at, message)
            .label(format!("`{r}` here"))
            .also(self.place(left.span), format!("`{l}` here"));
        match right.map(operand) {
            Some(after) => finding.help(format!(
                "write `({before}{l}{blank}{m}) {r} {after}` or `{before}{l}{blank}({m} {r} {after})`, \
                 whichever is meant"
            )),
            None if op.fix == Fix::Postfix => {
                finding.help(format!("write `({before}{l}{blank}{m}){r}` or `{before}{l}{blank}({m}{r})`"))
            }
            None => finding.help("put one of the two in parentheses"),
        }
    }

    /// A prefix operator with its operand, or something without operators around it.
    fn operand(&mut self, left: Option<Left>) -> Parse<Expr> {
        let token = self.token();
        let Kind::Op(op) = self.kind() else { return self.primary() };
        let op = if op == MINUS { NEGATION } else { op };
        let operator = &OPERATORS[usize::from(op)];
        if operator.fix != Fix::Prefix {
            return self.primary();
        }
        let index = self.at;
        self.bump();
        if op == NEGATION
            && let Some(left) = left
            && left.op.against(operator) == Binding::Left
        {
            let finding = self.describe_minus(left, index);
            self.findings.push(finding);
        }
        let arg = self.expr_after(Some(Left { op: operator, span: token.span, operand: None }))?;
        let span = token.span.to(arg.span);
        let op = Self::op_ident(operator.name, token.span);
        Ok(node(ExprKind::Prefix { op, arg: Box::new(arg) }, span))
    }

    fn describe_minus(&self, left: Left, index: usize) -> Finding {
        let message = format!("`-` after `{}` needs parentheses", left.op.name);
        self.finding(&PRECEDENCE, self.tokens[index].span, message)
            .also(self.place(left.span), "binds tighter than a minus sign")
            .help(format!("write `{} (-…)`", left.op.name))
    }

    fn primary(&mut self) -> Parse<Expr> {
        let token = self.token();
        match self.kind() {
            Kind::Number => Ok(self.number()),
            Kind::String => {
                self.bump();
                let value = string_value(self.slice(token.span));
                Ok(node(ExprKind::String(value.into()), token.span))
            }
            Kind::At => {
                self.bump();
                Ok(node(ExprKind::At, token.span))
            }
            // What is missing here is the rest of the expression, not the definition that follows.
            Kind::Ident if self.begins_definition() => {
                let name = self.slice(token.span);
                let message = format!("expected an expression, found the definition of `{name}`");
                let last = self.last_end();
                let finding = self
                    .finding(&SYNTAX, token.span, message)
                    .also(self.place(last), "the expression ends here");
                self.fail(finding)
            }
            Kind::Ident => self.name(),
            Kind::Step(_) if self.in_proof => self.name(),
            Kind::LeftParen => {
                self.bump();
                let inner = self.expr()?;
                self.expect(Kind::RightParen, "`)`")?;
                Ok(node(ExprKind::Paren(Box::new(inner)), self.span_from(token.span)))
            }
            Kind::LeftBracket => self.bracket(),
            Kind::LeftBrace => self.brace(),
            Kind::LeftAngle => self.angle(),
            Kind::Op(AND | OR) => self.junction(),
            Kind::Op(_) if self.kind_at(1) == Kind::LeftParen => self.name(),
            Kind::Op(op) => {
                let finding = self.finding(
                    &SYNTAX,
                    token.span,
                    format!("`{}` needs something before it", OPERATORS[usize::from(op)].name),
                );
                self.fail(finding)
            }
            Kind::Forall | Kind::Exists => self.quantifier(),
            Kind::TemporalForall | Kind::TemporalExists => self.temporal_quantifier(),
            Kind::Weak | Kind::Strong => self.fairness(),
            Kind::Word(word) => self.worded(word),
            _ => self.expected("an expression"),
        }
    }

    fn worded(&mut self, word: Word) -> Parse<Expr> {
        let start = self.token().span;
        match word {
            Word::If => {
                self.bump();
                let condition = Box::new(self.expr()?);
                self.expect(Kind::Word(Word::Then), "`THEN`")?;
                let yes = Box::new(self.expr()?);
                self.expect(Kind::Word(Word::Else), "`ELSE` (an IF has both parts)")?;
                let no = Box::new(self.expr()?);
                Ok(node(ExprKind::If(condition, yes, no), self.span_from(start)))
            }
            Word::Case => self.case(),
            Word::Let => {
                self.bump();
                let units = self.let_units()?;
                self.expect(Kind::Word(Word::In), "a definition or `IN`")?;
                let body = Box::new(self.expr()?);
                Ok(node(ExprKind::Let { units, body }, self.span_from(start)))
            }
            Word::Choose => {
                self.bump();
                let bound = Box::new(self.bound()?);
                if bound.names.len() > 1 && !bound.tuple {
                    return self.fail(
                        self.finding(&SYNTAX, self.span_from(start), "CHOOSE binds one variable")
                            .help("choose a tuple: `CHOOSE <<x, y>> \\in S : …`"),
                    );
                }
                self.expect(Kind::Colon, "`:`")?;
                let body = Box::new(self.expr()?);
                Ok(node(ExprKind::Choose { bound, body }, self.span_from(start)))
            }
            Word::Lambda => {
                self.bump();
                let params = self.list(|p| p.ident("a parameter"))?;
                self.expect(Kind::Colon, "`:`")?;
                let body = Box::new(self.expr()?);
                Ok(node(ExprKind::Lambda { params, body }, self.span_from(start)))
            }
            _ => self.expected("an expression"),
        }
    }

    fn number(&mut self) -> Expr {
        let token = self.bump();
        let adjacent = |a: Token, b: Token| a.span.end == b.span.start;
        if self.kind() == Kind::Dot && self.kind_at(1) == Kind::Number {
            let (dot, fraction) = (self.token(), self.tokens[self.at + 1]);
            if adjacent(token, dot) && adjacent(dot, fraction) {
                self.bump();
                self.bump();
                let span = token.span.to(fraction.span);
                return node(ExprKind::Decimal(self.slice(span).into()), span);
            }
        }
        let text = self.slice(token.span);
        let base = match text.as_bytes().get(1) {
            Some(b'b' | b'B') => 2,
            Some(b'o' | b'O') => 8,
            Some(b'h' | b'H') => 16,
            _ => 10,
        };
        let digits = if base == 10 { text } else { &text[2..] };
        let value = BigInt::parse_bytes(digits.as_bytes(), base).unwrap_or_default();
        node(ExprKind::Number(value.to_string().into()), token.span)
    }

    /// A name, an operator with arguments in parentheses, or a compound name.
    pub(super) fn name(&mut self) -> Parse<Expr> {
        let start = self.token().span;
        let mut parts = vec![self.name_part()?];
        while self.kind() == Kind::Bang && self.kind_at(1) != Kind::End {
            self.bump();
            parts.push(self.name_part_after_bang()?);
        }
        Ok(node(ExprKind::Name(parts), self.span_from(start)))
    }

    fn name_part(&mut self) -> Parse<NamePart> {
        let token = self.bump();
        let ident = match token.kind {
            Kind::Op(op) => Self::op_ident(OPERATORS[usize::from(op)].name, token.span),
            _ => self.step_name(token).unwrap_or_else(|| self.ident_of(token)),
        };
        let args = if self.kind() == Kind::LeftParen { self.args()? } else { Vec::new() };
        Ok(NamePart { name: PartName::Name(ident), args, span: self.span_from(token.span) })
    }

    fn name_part_after_bang(&mut self) -> Parse<NamePart> {
        let token = self.token();
        match self.kind() {
            Kind::Ident | Kind::Op(_) => self.name_part(),
            Kind::Number | Kind::LeftAngle | Kind::RightAngle | Kind::At | Kind::Colon => {
                self.bump();
                let args = if self.kind() == Kind::LeftParen { self.args()? } else { Vec::new() };
                Ok(NamePart { name: PartName::Selector(token.span), args, span: self.span_from(token.span) })
            }
            Kind::LeftParen => {
                let args = self.args()?;
                Ok(NamePart { name: PartName::Selector(token.span), args, span: self.span_from(token.span) })
            }
            _ => self.expected("a name after `!`"),
        }
    }

    fn args(&mut self) -> Parse<Vec<Expr>> {
        self.bump();
        let args = self.list(Self::arg)?;
        self.expect(Kind::RightParen, "`,` or `)` after the argument")?;
        Ok(args)
    }

    /// An argument: an expression or a bare operator.
    pub(super) fn arg(&mut self) -> Parse<Expr> {
        if let Some(op) = self.operator_at(0) {
            // After the last substitution of an instance comes the next unit.
            let ends = |kind| match kind {
                Kind::Comma | Kind::RightParen | Kind::ModuleEnd | Kind::Separator | Kind::ModuleStart => {
                    true
                }
                Kind::Word(word) => {
                    !matches!(word, Word::If | Word::Case | Word::Let | Word::Choose | Word::Lambda)
                }
                _ => false,
            };
            let could_begin = op.fix == Fix::Prefix || matches!(op.name, "-" | "/\\" | "\\/");
            if ends(self.kind_at(1)) || (!could_begin && self.kind_at(1) != Kind::LeftParen) {
                let span = self.bump().span;
                return Ok(node(ExprKind::Operator(Self::op_ident(op.name, span)), span));
            }
        }
        self.expr()
    }

    fn junction(&mut self) -> Parse<Expr> {
        let first = self.token();
        let mut items = Vec::new();
        while self.kind() == first.kind && self.token().column == first.column {
            let bullet = self.bump();
            self.fences.push(bullet);
            let item = self.expr();
            self.fences.pop();
            items.push(item?);
        }
        let and = first.kind == Kind::Op(AND);
        Ok(node(ExprKind::Junction { and, items }, self.span_from(first.span)))
    }

    fn quantifier(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let bounds = self.bounds()?;
        self.expect(Kind::Colon, "`,`, `\\in` or `:`")?;
        let body = Box::new(self.expr()?);
        let forall = token.kind == Kind::Forall;
        Ok(node(ExprKind::Quantifier { forall, bounds, body }, self.span_from(token.span)))
    }

    fn temporal_quantifier(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let names = self.list(|p| p.ident("a variable"))?;
        self.expect(Kind::Colon, "`:`")?;
        let body = Box::new(self.expr()?);
        let forall = token.kind == Kind::TemporalForall;
        Ok(node(ExprKind::TemporalQuantifier { forall, names, body }, self.span_from(token.span)))
    }

    /// `x, y \in S, <<a, b>> \in T`, or `x, y` without a set.
    pub(super) fn bounds(&mut self) -> Parse<Vec<Bound>> {
        let bounds = self.list(Self::bound)?;
        let tuple_alone = bounds.iter().any(|bound| bound.tuple && bound.set.is_none());
        if tuple_alone || (bounds.len() > 1 && bounds.iter().any(|bound| bound.set.is_none())) {
            return self.expected("`\\in` and a set");
        }
        Ok(bounds)
    }

    /// `x, y \in S, <<a, b>> \in T`, each with its set.
    pub(super) fn bounds_with_sets(&mut self) -> Parse<Vec<Bound>> {
        let bounds = self.bounds()?;
        if bounds.iter().any(|bound| bound.set.is_none()) {
            return self.expected("`\\in` and a set");
        }
        Ok(bounds)
    }

    /// One group of bound variables with its set, if there is one.
    fn bound(&mut self) -> Parse<Bound> {
        let (names, tuple) = if self.eat(Kind::LeftAngle).is_some() {
            let names = self.list(|p| p.ident("a variable"))?;
            self.expect(Kind::RightAngle, "`>>`")?;
            (names, true)
        } else {
            (self.list(|p| p.ident("a variable"))?, false)
        };
        let set = if self.eat(Kind::Op(IN)).is_some() { Some(self.expr()?) } else { None };
        Ok(Bound { names, tuple, set })
    }

    fn case(&mut self) -> Parse<Expr> {
        let start = self.bump().span;
        let (mut arms, mut other) = (Vec::new(), None);
        loop {
            if self.is_word(Word::Other) {
                self.bump();
                self.expect(Kind::Arrow, "`->`")?;
                other = Some(Box::new(self.expr()?));
                break;
            }
            let condition = self.expr()?;
            self.expect(Kind::Arrow, "`->` after the condition")?;
            arms.push((condition, self.expr()?));
            if !self.is_op(BOX) {
                break;
            }
            self.bump();
        }
        if arms.is_empty() {
            return self.fail(self.finding(
                &SYNTAX,
                self.span_from(start),
                "a CASE needs a condition before OTHER",
            ));
        }
        Ok(node(ExprKind::Case { arms, other }, self.span_from(start)))
    }

    fn fairness(&mut self) -> Parse<Expr> {
        let token = self.bump();
        let mut subscript = self.subscript()?;
        let action = if self.eat(Kind::LeftParen).is_some() {
            let action = self.expr()?;
            self.expect(Kind::RightParen, "`)`")?;
            action
        } else {
            // `WF_vars(Next)` was read as the operator `vars` applied to `Next`.
            match &mut subscript.kind {
                ExprKind::Name(parts) => {
                    let last = parts.last_mut().filter(|part| part.args.len() == 1);
                    let Some(last) = last else { return self.expected("`(` and the action") };
                    let action = last.args.remove(0);
                    if let PartName::Name(ident) = &last.name {
                        last.span = ident.span;
                        subscript.span = subscript.span.to(ident.span);
                        subscript.span.end = ident.span.end;
                    }
                    action
                }
                _ => return self.expected("`(` and the action"),
            }
        };
        let kind = ExprKind::Fairness {
            strong: token.kind == Kind::Strong,
            subscript: Box::new(subscript),
            action: Box::new(action),
        };
        Ok(node(kind, self.span_from(token.span)))
    }

    /// The expression that can follow `]_`, `>>_`, `WF_` and `SF_`.
    fn subscript(&mut self) -> Parse<Expr> {
        match self.kind() {
            Kind::Ident => self.name(),
            Kind::LeftParen | Kind::LeftBracket | Kind::LeftBrace | Kind::LeftAngle => {
                self.nested(Self::primary)
            }
            _ => self.expected("a name or something in brackets as the subscript"),
        }
    }

    fn angle(&mut self) -> Parse<Expr> {
        let start = self.bump().span;
        if self.eat(Kind::RightAngle).is_some() {
            return Ok(node(ExprKind::Tuple(Vec::new()), self.span_from(start)));
        }
        let mut items = self.list(Self::expr)?;
        if items.len() == 1 && self.eat(Kind::RightAngleSub).is_some() {
            let action = Box::new(items.remove(0));
            let subscript = Box::new(self.subscript()?);
            let kind = ExprKind::ActionBox { angle: true, action, subscript };
            return Ok(node(kind, self.span_from(start)));
        }
        self.expect(Kind::RightAngle, "`,` or `>>`")?;
        Ok(node(ExprKind::Tuple(items), self.span_from(start)))
    }

    fn brace(&mut self) -> Parse<Expr> {
        let start = self.bump().span;
        if self.eat(Kind::RightBrace).is_some() {
            return Ok(node(ExprKind::SetOf(Vec::new()), self.span_from(start)));
        }
        let first = self.expr()?;
        let kind = if self.eat(Kind::Colon).is_some() {
            match as_bound(first) {
                Ok(bound) => {
                    let body = Box::new(self.expr()?);
                    ExprKind::Filter { bound: Box::new(bound), body }
                }
                Err(body) => ExprKind::Map { body: Box::new(body), bounds: self.bounds_with_sets()? },
            }
        } else {
            let mut items = vec![first];
            while self.eat(Kind::Comma).is_some() {
                items.push(self.expr()?);
            }
            ExprKind::SetOf(items)
        };
        self.expect(Kind::RightBrace, "`,`, `:` or `}`")?;
        Ok(node(kind, self.span_from(start)))
    }

    /// Everything that begins with `[`, function application apart.
    fn bracket(&mut self) -> Parse<Expr> {
        let start = self.bump().span;
        let kind = match (self.kind(), self.kind_at(1)) {
            (first, Kind::MapsTo) if is_field_name(first) => ExprKind::Record(self.fields(Kind::MapsTo)?),
            (first, Kind::Colon) if is_field_name(first) => ExprKind::RecordSet(self.fields(Kind::Colon)?),
            (Kind::Ident, Kind::Comma) => {
                let bounds = self.bounds_with_sets()?;
                self.function_value(bounds)?
            }
            _ => {
                let first = self.expr()?;
                return self.bracket_after(start, first);
            }
        };
        self.expect(Kind::RightBracket, "`,` or `]`")?;
        Ok(node(kind, self.span_from(start)))
    }

    fn bracket_after(&mut self, start: Span, first: Expr) -> Parse<Expr> {
        let kind = match self.kind() {
            Kind::MapsTo | Kind::Comma => match as_bound(first) {
                Ok(bound) => {
                    let mut bounds = vec![bound];
                    if self.eat(Kind::Comma).is_some() {
                        bounds.extend(self.bounds_with_sets()?);
                    }
                    self.function_value(bounds)?
                }
                Err(_) => return self.expected("`->`, `EXCEPT` or `]_`"),
            },
            Kind::Arrow => {
                self.bump();
                let range = self.expr()?;
                ExprKind::FunctionSet(Box::new(first), Box::new(range))
            }
            Kind::Word(Word::Except) => {
                self.bump();
                let updates = self.list(Self::update)?;
                ExprKind::Except { base: Box::new(first), updates }
            }
            Kind::RightBracketSub => {
                self.bump();
                let subscript = Box::new(self.subscript()?);
                let kind = ExprKind::ActionBox { angle: false, action: Box::new(first), subscript };
                return Ok(node(kind, self.span_from(start)));
            }
            _ => return self.expected("`|->`, `->`, `EXCEPT` or `]_`"),
        };
        self.expect(Kind::RightBracket, "`]`")?;
        Ok(node(kind, self.span_from(start)))
    }

    fn function_value(&mut self, bounds: Vec<Bound>) -> Parse<ExprKind> {
        self.expect(Kind::MapsTo, "`|->`")?;
        Ok(ExprKind::Function { bounds, body: Box::new(self.expr()?) })
    }

    fn fields(&mut self, separator: Kind) -> Parse<Vec<(Ident, Expr)>> {
        let what = if separator == Kind::MapsTo { "`|->`" } else { "`:`" };
        self.list(|p| {
            let name = p.field_name("a field")?;
            p.expect(separator, what)?;
            Ok((name, p.expr()?))
        })
    }

    fn update(&mut self) -> Parse<Update> {
        let start = self.expect(Kind::Bang, "`!`")?.span;
        let mut path = Vec::new();
        loop {
            let step = self.token().span;
            if self.eat(Kind::Dot).is_some() {
                path.push(PathStep::Field(self.field_name("a field")?));
            } else if self.eat(Kind::LeftBracket).is_some() {
                let args = self.list(Self::expr)?;
                self.expect(Kind::RightBracket, "`]`")?;
                path.push(PathStep::Index(args, self.span_from(step)));
            } else {
                break;
            }
        }
        if path.is_empty() {
            return self.expected("`[` or `.` after `!`");
        }
        self.expect(Kind::Op(EQUALS), "`=`")?;
        let value = self.expr()?;
        Ok(Update { path, value, span: self.span_from(start) })
    }
}

/// The node of an infix operator.
fn infix(op: u8, name: Ident, left: Expr, right: Expr) -> ExprKind {
    if op != TIMES {
        return ExprKind::Infix { op: name, left: Box::new(left), right: Box::new(right) };
    }
    match left.kind {
        ExprKind::Times(mut items) => {
            items.push(right);
            ExprKind::Times(items)
        }
        _ => ExprKind::Times(vec![left, right]),
    }
}

/// A plain name, as it can be bound.
fn as_plain(expr: &Expr) -> Option<&Ident> {
    match &expr.kind {
        ExprKind::Name(parts) => match parts.as_slice() {
            [NamePart { name: PartName::Name(ident), args, .. }] if args.is_empty() => Some(ident),
            _ => None,
        },
        _ => None,
    }
}

/// `x \in S` or `<<x, y>> \in S`, read as an expression, as bound variables.
fn as_bound(expr: Expr) -> Result<Bound, Expr> {
    let names = match &expr.kind {
        ExprKind::Infix { op, left, .. } if &*op.text == "\\in" => match &left.kind {
            ExprKind::Tuple(items) => items
                .iter()
                .map(|item| as_plain(item).cloned())
                .collect::<Option<Vec<_>>>()
                .map(|n| (n, true)),
            _ => as_plain(left).map(|ident| (vec![ident.clone()], false)),
        },
        _ => None,
    };
    match (names, expr.kind) {
        (Some((names, tuple)), ExprKind::Infix { right, .. }) if !names.is_empty() => {
            Ok(Bound { names, tuple, set: Some(*right) })
        }
        (_, kind) => Err(Expr { kind, span: expr.span }),
    }
}

/// `name` or `name(x, y)`, as it can stand before `::`.
fn as_label(expr: &Expr) -> Option<(Ident, Vec<Ident>)> {
    let ExprKind::Name(parts) = &expr.kind else { return None };
    let [NamePart { name: PartName::Name(name), args, .. }] = parts.as_slice() else { return None };
    let params = args.iter().map(|arg| as_plain(arg).cloned()).collect::<Option<Vec<_>>>()?;
    Some((name.clone(), params))
}

/// Text for a message: one line, not long.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > LONGEST {
            break;
        }
    }
    if line.chars().count() > LONGEST {
        line = line.chars().take(LONGEST - 1).collect();
        line.push('…');
    }
    line
}
