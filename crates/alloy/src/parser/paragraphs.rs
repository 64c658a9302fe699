//! Modules, opens, signatures, facts, predicates, functions, assertions and macros.

use locus_source::Span;

use super::{Parsed, Parser};
use crate::ast::{
    Decl, Enum, Expr, ExprKind, Formula, Func, Macro, Module, Mult, Name, Open, Paragraph, Parents, Sig, UnOp,
};
use crate::lexer::unquote;
use crate::token::T;

impl Parser<'_> {
    pub(super) fn file(&mut self) {
        while self.peek() != T::End {
            let before = self.at;
            if self.paragraph().is_err() {
                if self.at == before {
                    self.advance();
                }
                self.skip_to_paragraph();
            }
        }
    }

    fn skip_to_paragraph(&mut self) {
        while self.peek() != T::End && !self.starts_paragraph() {
            self.advance();
        }
    }

    fn starts_paragraph(&self) -> bool {
        match self.peek() {
            T::Module
            | T::Open
            | T::Enum
            | T::Fact
            | T::Assert
            | T::Sig
            | T::Abstract
            | T::Run
            | T::Check => true,
            T::Fun | T::Pred => self.peek_at(1) != T::Slash,
            T::One | T::Lone | T::Some | T::Private | T::Var => {
                matches!(self.peek_at(1), T::Sig | T::Abstract | T::Fun | T::Pred | T::Open | T::Enum)
            }
            T::Name => self.labels_command(),
            _ => false,
        }
    }

    fn paragraph(&mut self) -> Parsed<()> {
        let doc = self.doc_before(self.at);
        let start = self.span();
        let private = (self.peek() == T::Private
            && matches!(self.peek_at(1), T::Open | T::Enum | T::Fun | T::Pred | T::Let))
        .then(|| self.advance());
        let paragraph = match self.peek() {
            T::Module => return self.module(),
            T::Open => return self.open(private, start),
            T::Enum => Paragraph::Enum(self.enumeration(private, doc, start)?),
            T::Fun | T::Pred => Paragraph::Func(self.func(private, doc, start)?.into()),
            T::Let => Paragraph::Macro(self.macro_(private, start)?),
            T::Fact => Paragraph::Fact(self.formula(doc)?.into()),
            T::Assert => Paragraph::Assert(self.formula(doc)?.into()),
            T::Sig | T::Abstract | T::Lone | T::One | T::Some | T::Private | T::Var => {
                Paragraph::Sig(self.sig(doc)?.into())
            }
            T::Run | T::Check => return self.commands(),
            T::Name if self.labels_command() => return self.commands(),
            _ => {
                return self.unexpected(
                    "a paragraph such as `sig`, `fact`, `pred`, `fun`, `assert`, `run` or `check`",
                );
            }
        };
        self.out.paragraphs.push(paragraph);
        Ok(())
    }

    fn module(&mut self) -> Parsed<()> {
        let start = self.advance();
        let name = self.name()?;
        let mut parameters = Vec::new();
        if self.eat(T::LeftBracket).is_some() {
            loop {
                let exact = self.eat(T::Exactly).is_some();
                parameters.push((self.new_name()?, exact));
                if self.eat(T::Comma).is_none() {
                    break;
                }
            }
            self.expect(T::RightBracket)?;
        }
        let out = &self.out;
        if out.module.is_some() || !out.paragraphs.is_empty() {
            return self.wrong(start, "`module` stands once, at the top of a file");
        }
        self.out.module = Some(Module { name, parameters });
        Ok(())
    }

    fn open(&mut self, private: Option<Span>, start: Span) -> Parsed<()> {
        self.advance();
        let name = self.name()?;
        let mut arguments = Vec::new();
        if self.eat(T::LeftBracket).is_some() {
            while self.peek() != T::RightBracket {
                arguments.push(self.sig_ref()?);
                if self.eat(T::Comma).is_none() {
                    break;
                }
            }
            self.expect(T::RightBracket)?;
        }
        let alias = if self.eat(T::As).is_some() { Some(self.new_name()?) } else { None };
        let span = start.to(self.last());
        if !self.out.paragraphs.is_empty() {
            return self.wrong(span, "`open` stands before all signatures, facts, predicates and commands");
        }
        self.out.opens.push(Open { name, arguments, alias, private: private.is_some(), span });
        Ok(())
    }

    fn enumeration(&mut self, private: Option<Span>, doc: Option<Span>, start: Span) -> Parsed<Enum> {
        self.advance();
        let name = self.new_name()?;
        self.expect(T::LeftBrace)?;
        if self.peek() == T::RightBrace {
            return self.wrong(self.span(), "an enumeration has at least one member");
        }
        let members = self.new_names()?;
        let end = self.expect(T::RightBrace)?;
        Ok(Enum { name, members, private, doc, span: start.to(end) })
    }

    fn formula(&mut self, doc: Option<Span>) -> Parsed<Formula> {
        let start = self.advance();
        let name = match self.peek() {
            T::Text => {
                let span = self.advance();
                Some(Name { text: unquote(self.slice(span)), span })
            }
            T::LeftBrace => None,
            _ => Some(self.new_name()?),
        };
        let body = self.block()?;
        Ok(Formula { name, doc, span: start.to(body.span), body })
    }

    fn sig(&mut self, doc: Option<Span>) -> Parsed<Sig> {
        let start = self.span();
        let mut sig = Sig {
            is_abstract: None,
            mult: None,
            private: None,
            var: None,
            names: Vec::new(),
            parents: Parents::Top,
            fields: Vec::new(),
            fact: None,
            doc,
            span: start,
        };
        loop {
            let span = self.span();
            let again = match self.peek() {
                T::Abstract => sig.is_abstract.replace(span).is_some(),
                T::Private => sig.private.replace(span).is_some(),
                T::Var => sig.var.replace(span).is_some(),
                T::Lone => sig.mult.replace((Mult::Lone, span)).is_some(),
                T::One => sig.mult.replace((Mult::One, span)).is_some(),
                T::Some => sig.mult.replace((Mult::Some, span)).is_some(),
                T::Sig => break,
                _ => return self.unexpected("`sig`"),
            };
            if again {
                return self.wrong(span, "a signature has one multiplicity, and every other qualifier once");
            }
            self.advance();
        }
        self.advance();
        sig.names = self.new_names()?;
        sig.parents = match self.peek() {
            T::Extends => {
                self.advance();
                Parents::Extends(self.sig_ref()?)
            }
            T::In => Parents::Subset(self.parents()?),
            T::Equals => Parents::Exactly(self.parents()?),
            _ => Parents::Top,
        };
        self.expect(T::LeftBrace)?;
        sig.fields = self.decls(T::RightBrace)?;
        self.expect(T::RightBrace)?;
        if self.peek() == T::LeftBrace {
            sig.fact = Some(self.block()?);
        }
        sig.span = start.to(self.last());
        Ok(sig)
    }

    fn parents(&mut self) -> Parsed<Vec<Name>> {
        self.advance();
        let mut parents = vec![self.sig_ref()?];
        while self.eat(T::Plus).is_some() {
            parents.push(self.sig_ref()?);
        }
        Ok(parents)
    }

    fn func(&mut self, private: Option<Span>, doc: Option<Span>, start: Span) -> Parsed<Func> {
        let is_pred = self.peek() == T::Pred;
        self.advance();
        let mut name = self.sig_ref()?;
        let mut receiver = None;
        if self.eat(T::Dot).is_some() {
            receiver = Some(std::mem::replace(&mut name, self.new_name()?));
        }
        if name.text.contains(['/', '$'])
            || matches!(name.text.as_str(), "univ" | "Int" | "none" | "String" | "steps")
        {
            return self
                .wrong(name.span, format!("`{}` cannot be the name of a predicate or function", name.text));
        }
        let parameters = match self.peek() {
            T::LeftBracket => {
                self.advance();
                let decls = self.decls(T::RightBracket)?;
                self.expect(T::RightBracket)?;
                decls
            }
            T::LeftParen => {
                self.advance();
                let decls = self.decls(T::RightParen)?;
                self.expect(T::RightParen)?;
                decls
            }
            _ => Vec::new(),
        };
        let returns = if is_pred {
            None
        } else {
            self.expect(T::Colon)?;
            Some(multiplicity(self.expr()?))
        };
        let body = self.block()?;
        Ok(Func { name, receiver, parameters, returns, private, doc, span: start.to(body.span), body })
    }

    fn macro_(&mut self, private: Option<Span>, start: Span) -> Parsed<Macro> {
        self.advance();
        let name = self.new_name()?;
        let mut parameters = Vec::new();
        let close = match self.peek() {
            T::LeftBracket => Some(T::RightBracket),
            T::LeftParen => Some(T::RightParen),
            _ => None,
        };
        if let Some(close) = close {
            self.advance();
            if self.peek() != close {
                parameters = self.new_names()?;
            }
            self.expect(close)?;
        }
        let body = if self.eat(T::Equals).is_some() { self.expr()? } else { self.block()? };
        Ok(Macro { name, parameters, private, span: start.to(body.span), body })
    }

    /// Declarations up to a closing token; superfluous commas are allowed.
    fn decls(&mut self, close: T) -> Parsed<Vec<Decl>> {
        let mut decls = Vec::new();
        loop {
            while self.eat(T::Comma).is_some() {}
            if self.peek() == close {
                return Ok(decls);
            }
            decls.push(self.decl()?);
            if self.peek() != T::Comma && self.peek() != close {
                return self.unexpected(&format!("`,` or {}", close.describe()));
            }
        }
    }

    /// One declaration: `private disj x, y: disj bound` or `x = bound`.
    pub(super) fn decl(&mut self) -> Parsed<Decl> {
        let doc = self.doc_before(self.at);
        let var = self.eat(T::Var);
        let private = self.eat(T::Private);
        let disjoint = self.eat(T::Disj);
        let names = self.new_names()?;
        if let Some(equals) = self.eat(T::Equals) {
            if let Some(disj) = disjoint.or(self.eat(T::Disj)) {
                return self.wrong(disj, "a field that is defined by `=` cannot be `disj`");
            }
            if let Some(var) = var {
                return self.wrong(var, "a field that is defined by `=` cannot be `var`");
            }
            let value = self.expr()?;
            let span = equals.to(value.span);
            let bound = self.node(ExprKind::Unary(UnOp::ExactlyOf, Box::new(value)), span)?;
            return Ok(Decl { private, var, disjoint: None, disjoint_range: None, names, bound, doc });
        }
        self.expect(T::Colon)?;
        let disjoint_range = self.eat(T::Disj);
        let bound = multiplicity(self.expr()?);
        Ok(Decl { private, var, disjoint, disjoint_range, names, bound, doc })
    }
}

/// `some e` and its like say how many where a bound is given, and make a formula elsewhere. The grammar cannot
/// tell them apart before it knows where it is.
pub(super) fn multiplicity(mut expr: Expr) -> Expr {
    if let ExprKind::Unary(op, _) = &mut expr.kind {
        *op = match *op {
            UnOp::Some => UnOp::SomeOf,
            UnOp::Lone => UnOp::LoneOf,
            UnOp::One => UnOp::OneOf,
            other => other,
        };
    }
    expr
}
