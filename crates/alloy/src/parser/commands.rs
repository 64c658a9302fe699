//! Commands and their scopes.

use super::{Parsed, Parser};
use crate::ast::{Command, CommandKind, Name, Paragraph, Scope, Target};
use crate::lexer::number;
use crate::token::T;

impl Parser<'_> {
    /// Whether a command with a label starts here: `name: run …`.
    pub(super) fn labels_command(&self) -> bool {
        self.peek() == T::Name && self.peek_at(1) == T::Colon && matches!(self.peek_at(2), T::Run | T::Check)
    }

    /// A command and those that follow it by `=>`.
    pub(super) fn commands(&mut self) -> Parsed<()> {
        let command = self.command()?;
        self.out.paragraphs.push(Paragraph::Command(command));
        if self.peek() == T::Implies {
            return self.wrong(
                self.span(),
                "commands that follow each other by `=>` are not supported; write them apart",
            );
        }
        Ok(())
    }

    fn command(&mut self) -> Parsed<Command> {
        let start = self.span();
        let mut label = None;
        if self.labels_command() {
            label = Some(self.new_name()?);
            self.advance();
        }
        let kind = if self.advance_is_check() { CommandKind::Check } else { CommandKind::Run };
        let target = if self.peek() == T::LeftBrace {
            Target::Block(self.block()?)
        } else {
            let first = self.name()?;
            if self.peek() == T::LeftBrace {
                label = label.or(Some(first));
                Target::Block(self.block()?)
            } else if matches!(self.peek(), T::Name | T::This) && !self.labels_command() {
                label = label.or(Some(first));
                Target::Name(self.name()?)
            } else {
                Target::Name(first)
            }
        };
        let mut command =
            Command { kind, label, target, overall: None, scopes: Vec::new(), expect: None, span: start };
        if self.eat(T::For).is_some() {
            self.scopes(&mut command)?;
        }
        if self.eat(T::Expect).is_some() {
            command.expect = Some(self.number()?);
        }
        command.span = start.to(self.last());
        Ok(command)
    }

    fn advance_is_check(&mut self) -> bool {
        let check = self.peek() == T::Check;
        self.advance();
        check
    }

    fn scopes(&mut self, command: &mut Command) -> Parsed<()> {
        if self.peek() == T::Number && self.overall_only() {
            let span = self.span();
            command.overall = Some((self.number()?, span));
            if self.eat(T::But).is_none() {
                return Ok(());
            }
        }
        loop {
            let scope = self.scope()?;
            command.scopes.push(scope);
            if self.eat(T::Comma).is_none() {
                return Ok(());
            }
        }
    }

    /// Whether the number here is the scope of everything: nothing that could have a scope follows.
    fn overall_only(&self) -> bool {
        match self.peek_at(1) {
            T::SigInt
            | T::Int
            | T::Seq
            | T::String
            | T::Steps
            | T::Univ
            | T::None
            | T::Dot
            | T::Colon
            | T::This => false,
            T::Name => self.peek_at(2) == T::Colon && matches!(self.peek_at(3), T::Run | T::Check),
            _ => true,
        }
    }

    fn scope(&mut self) -> Parsed<Scope> {
        let start = self.span();
        let exactly = self.eat(T::Exactly).is_some();
        let from = self.number()?;
        let mut end = Some(from);
        let mut increment = 1;
        let mut exact = exactly;
        if self.peek() == T::Dot && self.peek_at(1) == T::Dot {
            self.advance();
            self.advance();
            if self.peek() == T::Number {
                let to = self.number()?;
                exact = exactly || from == to;
                end = Some(to);
            } else {
                end = None;
            }
        }
        if self.eat(T::Colon).is_some() {
            if end == Some(from) && !exact {
                end = None;
            }
            increment = self.number()?;
        }
        let name = match self.peek() {
            T::SigInt | T::Int => Name { text: "Int".to_owned(), span: self.advance() },
            T::Seq if self.peek_at(1) != T::Slash => Name { text: "seq".to_owned(), span: self.advance() },
            T::Univ | T::None => {
                return self.wrong(self.span(), "`univ` and `none` have no scope of their own");
            }
            _ => self.sig_ref()?,
        };
        let span = start.to(name.span);
        if matches!(name.text.as_str(), "Int" | "seq") {
            if end != Some(from) {
                return self.wrong(span, format!("the scope of `{}` cannot grow", name.text));
            }
            if exactly {
                return self.wrong(
                    span,
                    format!("the scope of `{}` is always exact; leave out `exactly`", name.text),
                );
            }
        }
        Ok(Scope { name, start: from, end, increment, exact, span })
    }

    fn number(&mut self) -> Parsed<i64> {
        let negative = self.peek() == T::Minus && self.peek_at(1) == T::Number;
        if negative {
            return self.wrong(self.span(), "a scope cannot be negative");
        }
        let span = self.expect(T::Number)?;
        Ok(number(self.slice(span)).unwrap_or(0))
    }
}
