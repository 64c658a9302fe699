//! Labels and statements of an algorithm.

use crate::pluscal::Wrong;
use crate::pluscal::ast::{Assignment, Branch, Kind, Statement, Then};
use crate::pluscal::expr::Expr;
use crate::pluscal::lexer::Sort;

use super::{MAX_DEPTH, Outcome, Parser};

impl Parser<'_> {
    pub(super) fn label(&mut self) -> Outcome<String> {
        const STATEMENTS: &[&str] = &[
            "while", "if", "assert", "print", "else", "elsif", "either", "or", "end", "with", "when",
            "await", "skip", "call", "return", "goto",
        ];
        let first = self.peek(0)?;
        if STATEMENTS.iter().any(|text| first.is(text)) {
            return Ok(String::new());
        }
        let second = self.peek(1)?;
        if !second.text.starts_with(':') || second.sort == Sort::Text || second.text.starts_with(":=") {
            return Ok(String::new());
        }
        let label = self.take()?;
        if label.sort != Sort::Ident {
            return Err(Wrong::new("a label is a name", label.spot));
        }
        if self.in_macro {
            return Err(Wrong::new("a label cannot stand in a macro", label.spot));
        }
        if label.text == "Done" || label.text == "Error" {
            return Err(Wrong::new(format!("`{}` cannot be a label", label.text), label.spot));
        }
        self.expect(":")?;
        self.labels.push(label.text.clone());
        if self.accept("+")? {
            self.marks.plus.push(label.text.clone());
            self.has_modifier = true;
        } else if self.accept("-")? {
            self.marks.minus.push(label.text.clone());
            self.has_modifier = true;
        }
        Ok(label.text)
    }

    pub(super) fn statements(&mut self) -> Outcome<Vec<Statement>> {
        self.deeper(|this| {
            let mut statements = Vec::new();
            loop {
                let ends: &[&str] = if this.braces { &["}"] } else { &["end", "else", "elsif", "or"] };
                let next = this.peek(0)?.clone();
                if ends.iter().any(|end| next.is(end)) {
                    if this.braces && statements.is_empty() {
                        return Err(Wrong::new("there are no statements before this `}`", next.spot));
                    }
                    return Ok(statements);
                }
                this.labeled(&mut statements)?;
            }
        })
    }

    /// Runs `work` one level deeper.
    pub(super) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Wrong::new(format!("statements are nested more than {MAX_DEPTH} deep"), self.last));
        }
        let result = work(self);
        self.depth -= 1;
        result
    }

    /// One statement, or a list of them in braces, perhaps with a label.
    pub(super) fn labeled(&mut self, statements: &mut Vec<Statement>) -> Outcome<()> {
        let label = self.label()?;
        let spot = self.last;
        if self.braces && self.accept("{")? {
            let mut list = self.statements()?;
            self.expect("}")?;
            self.semicolon()?;
            if !label.is_empty() {
                if !list[0].label.is_empty() {
                    return Err(Wrong::new("this statement has two labels", spot));
                }
                list[0].label = label;
            }
            statements.append(&mut list);
            return Ok(());
        }
        let mut statement = self.statement()?;
        statement.label = label;
        statements.push(statement);
        Ok(())
    }

    /// The statements behind `if (…)` and the like in the syntax with braces, and up to a word in the other.
    pub(super) fn block(&mut self) -> Outcome<Vec<Statement>> {
        if !self.braces {
            return self.statements();
        }
        self.deeper(|this| {
            let mut statements = Vec::new();
            this.labeled(&mut statements)?;
            Ok(statements)
        })
    }

    pub(super) fn statement(&mut self) -> Outcome<Statement> {
        let next = self.peek(0)?.clone();
        let kind = match next.text.as_str() {
            "if" => self.conditional("if")?,
            "either" => self.either()?,
            "with" => {
                self.take()?;
                if self.braces {
                    self.expect("(")?;
                }
                self.with()?
            }
            "while" => self.iteration()?,
            "when" | "await" => Kind::When(self.simple("a condition")?),
            "print" => Kind::Print(self.simple("an expression")?),
            "assert" => Kind::Assert(self.simple("a condition")?),
            "skip" => {
                self.take()?;
                self.semicolon()?;
                Kind::Skip
            }
            "call" => self.call()?,
            "return" => {
                self.take()?;
                self.semicolon()?;
                Kind::Return(self.procedure.clone())
            }
            "goto" => {
                self.take()?;
                let to = self.goto()?;
                self.semicolon()?;
                Kind::Goto(to)
            }
            _ if self.peek(1)?.text.starts_with('(') => {
                let name = self.name()?;
                let args = self.arguments()?;
                self.semicolon()?;
                Kind::Macro(name, args)
            }
            _ => self.assignments()?,
        };
        // A `with` of several variables stands where the variable does.
        Ok(Statement::new(kind, next.spot))
    }

    pub(super) fn simple(&mut self, what: &str) -> Outcome<Expr> {
        self.take()?;
        let expr = self.value(what)?;
        self.semicolon()?;
        Ok(expr)
    }

    /// An expression in parentheses, if those belong to the syntax.
    pub(super) fn test(&mut self) -> Outcome<Expr> {
        if self.braces {
            self.expect("(")?;
        }
        let test = self.value("a condition")?;
        if self.braces {
            self.expect(")")?;
        }
        Ok(test)
    }

    pub(super) fn conditional(&mut self, word: &str) -> Outcome<Kind> {
        self.expect(word)?;
        let test = self.test()?;
        if !self.braces {
            self.expect("then")?;
        }
        let then = self.block()?;
        let mut other = Vec::new();
        if self.accept("else")? {
            other = self.block()?;
        } else if !self.braces && self.is_next("elsif")? {
            let spot = self.peek(0)?.spot;
            let inner = self.deeper(|this| this.conditional("elsif"))?;
            other.push(Statement::new(inner, spot));
        }
        if !self.braces && word == "if" {
            self.expect("end")?;
            self.expect("if")?;
            self.semicolon()?;
        }
        let branch = |statements| Branch { statements, labeled: Vec::new() };
        Ok(Kind::If(test, branch(then), branch(other)))
    }

    pub(super) fn either(&mut self) -> Outcome<Kind> {
        self.expect("either")?;
        let spot = self.last;
        let mut branches = Vec::new();
        loop {
            let statements = self.block()?;
            if statements.is_empty() {
                return Err(Wrong::new("a part of this `either` has no statements", spot));
            }
            branches.push(Branch { statements, labeled: Vec::new() });
            if !self.accept("or")? {
                break;
            }
        }
        if !self.braces {
            self.expect("end")?;
            self.expect("either")?;
            self.semicolon()?;
        }
        if branches.len() < 2 {
            return Err(Wrong::new("this `either` has no `or`", spot));
        }
        Ok(Kind::Either(branches))
    }

    /// The rest of a `with`, from a variable on.
    pub(super) fn with(&mut self) -> Outcome<Kind> {
        let name = self.name()?;
        let is_equal = self.equals_or_in()?;
        let value = self.value("the value")?;
        if !self.braces || !self.is_next(")")? {
            self.comma_or_semicolon()?;
        }
        let body = if !self.braces && self.accept("do")? {
            let body = self.statements()?;
            self.expect("end")?;
            self.expect("with")?;
            self.semicolon()?;
            body
        } else if self.braces && self.accept(")")? {
            self.block()?
        } else {
            let spot = self.peek(0)?.spot;
            let inner = self.deeper(Self::with)?;
            vec![Statement::new(inner, spot)]
        };
        if body.is_empty() {
            return Err(Wrong::new("this `with` has no statements", self.last));
        }
        Ok(Kind::With { name, is_equal, value, body })
    }

    pub(super) fn iteration(&mut self) -> Outcome<Kind> {
        self.expect("while")?;
        let spot = self.last;
        let test = self.test()?;
        if !self.braces {
            self.expect("do")?;
        }
        let body = self.block()?;
        if !self.braces {
            self.expect("end")?;
            self.expect("while")?;
            self.semicolon()?;
        }
        if body.is_empty() {
            return Err(Wrong::new("this `while` has no statements", spot));
        }
        Ok(Kind::While(test, body, Vec::new()))
    }

    pub(super) fn arguments(&mut self) -> Outcome<Vec<Expr>> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.is_next(")")? {
            if !args.is_empty() {
                self.expect(",")?;
            }
            args.push(self.value("an argument")?);
        }
        self.expect(")")?;
        Ok(args)
    }

    pub(super) fn goto(&mut self) -> Outcome<String> {
        let to = self.take()?.text;
        self.goes.anywhere = true;
        self.goes.to_done |= to == "Done";
        Ok(to)
    }

    pub(super) fn call(&mut self) -> Outcome<Kind> {
        self.expect("call")?;
        let to = self.name()?;
        let args = self.arguments()?;
        self.semicolon()?;
        if !self.marks.calls.contains(&to) {
            self.marks.calls.push(to.clone());
        }
        let then = if self.accept("return")? {
            self.semicolon()?;
            Then::Return(self.procedure.clone())
        } else if self.accept("goto")? {
            let label = self.goto()?;
            self.semicolon()?;
            Then::Goto(label)
        } else {
            Then::Next
        };
        Ok(Kind::Call { to, args, then })
    }

    pub(super) fn assignments(&mut self) -> Outcome<Kind> {
        let mut all = Vec::new();
        loop {
            let name = self.name()?;
            let spot = self.last;
            let subscript = self.expression()?;
            let sign = self.take()?;
            if !sign.is(":=") && !sign.is("≔") {
                let message = format!("`:=` is expected here, not `{}`", sign.text);
                return Err(Wrong::new(message, sign.spot));
            }
            let value = self.value("the value that is assigned")?;
            all.push(Assignment { name, subscript, value, spot });
            if !self.accept("||")? && !self.accept("‖")? {
                break;
            }
        }
        self.semicolon()?;
        Ok(Kind::Assign(all))
    }
}
