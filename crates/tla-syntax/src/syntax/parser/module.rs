//! Modules and their units.

use locus_source::Span;

use super::{Parse, Parser, Reported};
use crate::rules::SYNTAX;
use crate::syntax::ast::{
    Declaration, Definition, DefinitionBody, Expr, ExprKind, Ident, Instance, Module, Substitution, Unit,
    UnitKind,
};
use crate::syntax::operators::{Fix, id};
use crate::syntax::token::{Kind, Token, Word};

const EQUALS: u8 = id("=");

impl Parser<'_> {
    /// The module of a file.
    pub(super) fn root_module(&mut self) -> Option<Module> {
        if self.kind() != Kind::ModuleStart {
            let finding = self
                .finding(&SYNTAX, Span::point(0), "this file has no module")
                .help("a module begins with `---- MODULE Name ----` and ends with `====`");
            self.findings.push(finding);
            return None;
        }
        self.nested(Self::module).ok()
    }

    fn module(&mut self) -> Parse<Module> {
        let start = self.bump().span;
        let name = self.field_name("the name of the module")?;
        self.expect(Kind::Separator, "a line of at least four dashes after the module's name")?;
        let extends = if self.eat(Kind::Word(Word::Extends)).is_some() {
            self.list(|p| p.field_name("the name of a module"))?
        } else {
            Vec::new()
        };
        let mut units = Vec::new();
        loop {
            match self.kind() {
                Kind::ModuleEnd => {
                    self.bump();
                    break;
                }
                Kind::Separator => {
                    self.bump();
                }
                Kind::End => {
                    let finding = self
                        .finding(&SYNTAX, name.span, format!("module {} has no end", name.text))
                        .help("end it with a line of at least four `=`");
                    self.findings.push(finding);
                    break;
                }
                _ => {
                    let at = self.at;
                    let column = self.token().column;
                    match self.unit() {
                        Ok(unit) => units.push(unit),
                        Err(Reported) => self.recover(at, column),
                    }
                    self.flush_conflicts();
                    self.child_depth = 0;
                }
            }
        }
        Ok(Module { name, extends, units, span: self.span_from(start) })
    }

    /// Skips to where the next unit begins, at least one token on from `at`.
    fn recover(&mut self, at: usize, column: u32) {
        self.fences.clear();
        self.in_proof = false;
        self.proof_level = 0;
        if self.at == at {
            self.bump();
        }
        loop {
            match self.kind() {
                Kind::End | Kind::ModuleEnd | Kind::Separator | Kind::ModuleStart => return,
                Kind::Word(
                    Word::Constant
                    | Word::Variable
                    | Word::Assumption
                    | Word::Axiom
                    | Word::Theorem
                    | Word::Recursive
                    | Word::Local,
                ) if self.token().column <= column => return,
                _ if self.token().column <= column && self.begins_definition() => return,
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Whether a definition begins here.
    pub(super) fn begins_definition(&self) -> bool {
        match (self.kind(), self.kind_at(1)) {
            (Kind::Ident, Kind::Define) => true,
            (Kind::Ident, Kind::LeftParen) => self.defines_after(Kind::LeftParen, Kind::RightParen),
            (Kind::Ident, Kind::LeftBracket) => self.defines_after(Kind::LeftBracket, Kind::RightBracket),
            (Kind::Ident, Kind::Op(_)) => match self.operator_at(1).map(|op| op.fix) {
                Some(Fix::Infix) => self.kind_at(2) == Kind::Ident && self.kind_at(3) == Kind::Define,
                Some(Fix::Postfix) => self.kind_at(2) == Kind::Define,
                _ => false,
            },
            (Kind::Op(_), Kind::Ident) => {
                self.operator_at(0).is_some_and(|op| op.fix == Fix::Prefix) && self.kind_at(2) == Kind::Define
            }
            _ => false,
        }
    }

    /// Whether `==` follows the brackets that open at the next token.
    fn defines_after(&self, open: Kind, close: Kind) -> bool {
        let mut depth = 0_usize;
        // Parameter lists are short; a bound keeps this from being quadratic on hostile text.
        for n in 1..2000 {
            match self.kind_at(n) {
                Kind::End | Kind::Define | Kind::ModuleEnd => return false,
                kind if kind == open => depth += 1,
                kind if kind == close => {
                    depth -= 1;
                    if depth == 0 {
                        return self.kind_at(n + 1) == Kind::Define;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn unit(&mut self) -> Parse<Unit> {
        let start = self.token().span;
        let local = self.eat(Kind::Word(Word::Local)).map(|token| token.span);
        let kind = match self.kind() {
            Kind::Word(Word::Instance) => UnitKind::Instance(self.instance()?),
            Kind::Ident | Kind::Op(_) => UnitKind::Definition(self.definition()?),
            Kind::ModuleStart if local.is_none() => UnitKind::Module(self.nested(Self::module)?),
            _ if local.is_some() => return self.expected("a definition or INSTANCE after LOCAL"),
            Kind::Word(Word::Constant) => {
                self.bump();
                UnitKind::Constants(self.list(Self::declaration)?)
            }
            Kind::Word(Word::Variable) => {
                self.bump();
                UnitKind::Variables(self.list(|p| p.ident("a variable"))?)
            }
            Kind::Word(Word::Recursive) => {
                self.bump();
                UnitKind::Recursive(self.list(Self::declaration)?)
            }
            Kind::Word(word @ (Word::Assume | Word::Assumption | Word::Axiom)) => {
                self.bump();
                let name = self.statement_name();
                UnitKind::Assumption { axiom: word == Word::Axiom, name, body: self.statement()? }
            }
            Kind::Word(Word::Theorem) => {
                self.bump();
                let name = self.statement_name();
                let body = self.statement()?;
                let proof = self.optional_proof()?;
                UnitKind::Theorem { name, body, proof }
            }
            Kind::Word(Word::Use | Word::Hide) => UnitKind::UseOrHide(self.use_or_hide()?),
            Kind::Word(Word::Extends) => {
                return self.fail(
                    self.finding(&SYNTAX, start, "EXTENDS stands first in a module, and once")
                        .help("join the lists: `EXTENDS A, B`"),
                );
            }
            _ => return self.expected("a declaration or definition"),
        };
        Ok(Unit { kind, local, span: self.span_from(start) })
    }

    /// The name in `THEOREM Name == …`.
    fn statement_name(&mut self) -> Option<Ident> {
        if self.kind() == Kind::Ident && self.kind_at(1) == Kind::Define {
            let token = self.bump();
            self.bump();
            return Some(self.ident_of(token));
        }
        None
    }

    /// A declared operator: `C`, `Op(_, _)`, `_+_`, `-._`, `_^+`.
    pub(super) fn declaration(&mut self) -> Parse<Declaration> {
        match self.kind() {
            Kind::Ident => {
                let name = self.ident("a name")?;
                let mut arity = 0;
                if self.eat(Kind::LeftParen).is_some() {
                    arity = self.list(|p| p.expect(Kind::Underscore, "`_`"))?.len() as u32;
                    self.expect(Kind::RightParen, "`,` or `)`")?;
                }
                Ok(Declaration { name, arity })
            }
            Kind::Underscore => {
                self.bump();
                let Some(op) = self.operator_at(0) else {
                    return self.expected("an operator symbol after `_`");
                };
                let name = Self::op_ident(op.name, self.bump().span);
                if op.fix == Fix::Postfix {
                    return Ok(Declaration { name, arity: 1 });
                }
                self.expect(Kind::Underscore, "`_` after the operator symbol")?;
                Ok(Declaration { name, arity: 2 })
            }
            Kind::Op(_) => {
                let Some(op) = self.operator_at(0).filter(|op| op.fix == Fix::Prefix) else {
                    return self.expected("a name");
                };
                let name = Self::op_ident(op.name, self.bump().span);
                self.expect(Kind::Underscore, "`_` after the operator symbol")?;
                Ok(Declaration { name, arity: 1 })
            }
            _ => self.expected("a name"),
        }
    }

    /// The definitions of a LET.
    pub(super) fn let_units(&mut self) -> Parse<Vec<Unit>> {
        let mut units = Vec::new();
        loop {
            let start = self.token().span;
            let kind = match self.kind() {
                Kind::Ident | Kind::Op(_) => UnitKind::Definition(self.definition()?),
                Kind::Word(Word::Recursive) => {
                    self.bump();
                    UnitKind::Recursive(self.list(Self::declaration)?)
                }
                _ if units.is_empty() => return self.expected("a definition after LET"),
                _ => return Ok(units),
            };
            units.push(Unit { kind, local: None, span: self.span_from(start) });
        }
    }

    pub(super) fn definition(&mut self) -> Parse<Definition> {
        let start = self.token();
        if let Some(op) = self.operator_at(0) {
            if op.fix != Fix::Prefix {
                return self.expected("a definition");
            }
            let name = Self::op_ident(op.name, self.bump().span);
            let param = self.ident("the parameter of the operator")?;
            return self.definition_body(start, name, vec![Declaration { name: param, arity: 0 }]);
        }
        let first = self.ident("a name")?;
        match self.kind() {
            Kind::LeftParen => {
                self.bump();
                let params = self.list(Self::declaration)?;
                self.expect(Kind::RightParen, "`,` or `)` after the parameter")?;
                self.definition_body(start, first, params)
            }
            Kind::LeftBracket => {
                self.bump();
                let bounds = self.bounds_with_sets()?;
                self.expect(Kind::RightBracket, "`,` or `]`")?;
                self.expect(Kind::Define, "`==`")?;
                let value = self.nested(Self::expr)?;
                let body = DefinitionBody::Function { bounds, value };
                Ok(Definition { name: first, params: Vec::new(), body, span: self.span_from(start.span) })
            }
            Kind::Op(EQUALS) if self.kind_at(2) != Kind::Define => self.single_equals(&first),
            Kind::Op(_) => {
                let Some(op) = self.operator_at(0).filter(|op| op.fix != Fix::Prefix) else {
                    return self.expected("`==`");
                };
                let name = Self::op_ident(op.name, self.bump().span);
                let mut params = vec![Declaration { name: first, arity: 0 }];
                if op.fix == Fix::Infix {
                    let right = self.ident("the right parameter of the operator")?;
                    params.push(Declaration { name: right, arity: 0 });
                }
                self.definition_body(start, name, params)
            }
            _ => self.definition_body(start, first, Vec::new()),
        }
    }

    fn definition_body(&mut self, start: Token, name: Ident, params: Vec<Declaration>) -> Parse<Definition> {
        if self.is_op(EQUALS) {
            return self.single_equals(&name);
        }
        self.expect(Kind::Define, "`==`")?;
        if self.kind() == Kind::Word(Word::Instance) {
            let body = DefinitionBody::Instance(self.instance()?);
            return Ok(Definition { name, params, body, span: self.span_from(start.span) });
        }
        let at = self.at;
        // A definition of a module keeps its name even if its body cannot be read, so that one mistake does not
        // become many. Within an expression the whole unit is given up.
        let body = match self.expr() {
            Ok(body) => body,
            Err(Reported) if self.depth == 1 => {
                self.recover(at, start.column);
                Expr { kind: ExprKind::Error, span: self.span_from(start.span) }
            }
            Err(Reported) => return Err(Reported),
        };
        let body = DefinitionBody::Operator(body);
        Ok(Definition { name, params, body, span: self.span_from(start.span) })
    }

    fn single_equals<T>(&mut self, name: &Ident) -> Parse<T> {
        let span = self.token().span;
        let message = format!("expected `==` to define `{}`, found `=`", name.text);
        let finding = self.finding(&SYNTAX, span, message).help("definitions are written with `==`");
        self.fail(finding)
    }

    pub(super) fn instance(&mut self) -> Parse<Instance> {
        let start = self.bump().span;
        let module = self.field_name("the name of a module")?;
        let substitutions = if self.eat(Kind::Word(Word::With)).is_some() {
            self.list(Self::substitution)?
        } else {
            Vec::new()
        };
        Ok(Instance { module, substitutions, span: self.span_from(start) })
    }

    fn substitution(&mut self) -> Parse<Substitution> {
        let name = match self.operator_at(0) {
            Some(op) => Self::op_ident(op.name, self.bump().span),
            None => self.ident("a constant or variable of the module")?,
        };
        self.expect(Kind::LeftArrow, "`<-`")?;
        Ok(Substitution { name, value: self.arg()? })
    }
}
