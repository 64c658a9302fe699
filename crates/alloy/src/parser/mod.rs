//! From tokens to the syntax tree.
//!
//! Parsing never fails: it gives a tree of what could be read, and findings. An error ends its paragraph; reading
//! goes on at the next one. The grammar is that of Alloy 6.2, in three parts: paragraphs, commands, expressions.

mod commands;
mod expressions;
mod paragraphs;

use locus_source::{Finding, SourceFile, Span};

use crate::ast::{File, Name};
use crate::lexer::{self, Tokens};
use crate::rules;
use crate::token::{T, Token};

/// How deep expressions may nest. The type checker and the translation recurse with the tree: 250 levels need less
/// than the 2 MiB of stack that a thread has, without optimisation, and no model that people wrote comes near.
pub(crate) const MAX_DEPTH: u16 = 250;

/// Marks that an error has been reported and that its paragraph is given up.
pub(crate) struct GivenUp;

type Parsed<X> = Result<X, GivenUp>;

/// Reads a file.
pub fn parse(file: &SourceFile) -> (File, Vec<Finding>) {
    let mut parser = Parser::new(file);
    parser.file();
    let Parser { out, findings, .. } = parser;
    (out, findings)
}

/// Reads a text that is a single expression.
pub fn parse_expression(file: &SourceFile) -> Result<crate::ast::Expr, Vec<Finding>> {
    let mut parser = Parser::new(file);
    let parsed = parser.expr();
    if parsed.is_ok() && parser.peek() != T::End {
        let _ = parser.unexpected::<()>("the end of the expression");
    }
    match parsed {
        Ok(expr) if parser.findings.is_empty() => Ok(expr),
        _ => Err(parser.findings),
    }
}

struct Parser<'a> {
    file: &'a SourceFile,
    tokens: Vec<Token>,
    docs: Vec<(usize, Span)>,
    at: usize,
    depth: u16,
    findings: Vec<Finding>,
    out: File,
}

impl<'a> Parser<'a> {
    fn new(file: &'a SourceFile) -> Self {
        let Tokens { list: tokens, docs, findings } = lexer::lex(file);
        Self { file, tokens, docs, at: 0, depth: 0, findings, out: File::default() }
    }

    fn peek(&self) -> T {
        self.tokens[self.at].kind
    }

    fn peek_at(&self, ahead: usize) -> T {
        self.tokens.get(self.at + ahead).map_or(T::End, |token| token.kind)
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The span of the token before this one.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn slice(&self, span: Span) -> &'a str {
        self.file.slice(span)
    }

    fn advance(&mut self) -> Span {
        let span = self.span();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    fn eat(&mut self, kind: T) -> Option<Span> {
        (self.peek() == kind).then(|| self.advance())
    }

    fn expect(&mut self, kind: T) -> Parsed<Span> {
        if self.peek() == kind { Ok(self.advance()) } else { self.unexpected(kind.describe()) }
    }

    fn unexpected<X>(&mut self, expected: &str) -> Parsed<X> {
        let found = match self.peek() {
            T::Name | T::Number | T::Text => format!("`{}`", self.slice(self.span())),
            other => other.describe().to_owned(),
        };
        let help = match self.peek() {
            T::LeftParen => Some("arguments stand in brackets: `f[x]`".to_owned()),
            T::Equals if self.at > 0 && self.slice(self.last()) == "=" => {
                Some("equality is written with one `=`".to_owned())
            }
            T::Prime => self.quoted().map(|text| format!("texts stand in double quotes: `\"{text}\"`")),
            _ if expected == T::Name.describe()
                && self.slice(self.span()).starts_with(char::is_alphabetic) =>
            {
                Some(format!("`{}` is a word of the language; choose another name", self.slice(self.span())))
            }
            _ => None,
        };
        let mut finding = Finding::new(
            &rules::SYNTAX,
            self.file.place(self.span()),
            format!("expected {expected}, found {found}"),
        );
        if let Some(help) = help {
            finding = finding.help(help);
        }
        self.report(finding)
    }

    /// The text in single quotes that begins here, if it looks like one.
    fn quoted(&self) -> Option<&'a str> {
        let rest = &self.file.text()[self.span().end as usize..];
        let line = rest.lines().next().unwrap_or_default();
        line.split_once('\'').map(|(text, _)| text)
    }

    fn wrong<X>(&mut self, span: Span, message: impl Into<String>) -> Parsed<X> {
        let finding = Finding::new(&rules::SYNTAX, self.file.place(span), message);
        self.report(finding)
    }

    fn report<X>(&mut self, finding: Finding) -> Parsed<X> {
        self.findings.push(finding);
        Err(GivenUp)
    }

    /// The documentation comment that ends just before the token with this index.
    fn doc_before(&self, token: usize) -> Option<Span> {
        let found = self.docs.partition_point(|&(at, _)| at <= token);
        found.checked_sub(1).map(|i| self.docs[i]).filter(|&(at, _)| at == token).map(|(_, span)| span)
    }

    /// A name with its path: `a`, `a/b`, `this/a`, `seq/a`.
    fn name(&mut self) -> Parsed<Name> {
        let start = self.span();
        let mut text = match self.peek() {
            T::This | T::Seq if self.peek_at(1) == T::Slash && self.peek_at(2) == T::Name => {
                let first = self.advance();
                self.advance();
                format!("{}/", self.slice(first))
            }
            _ => String::new(),
        };
        let part = self.expect(T::Name)?;
        text.push_str(self.slice(part));
        // After a slash `seq` is a name: `util/seq` is a module.
        while self.peek() == T::Slash && matches!(self.peek_at(1), T::Name | T::Seq) {
            self.advance();
            let part = self.advance();
            text.push('/');
            text.push_str(self.slice(part));
        }
        Ok(Name { text, span: start.to(self.last()) })
    }

    /// A name that is being declared: no path, no `$`.
    fn new_name(&mut self) -> Parsed<Name> {
        let name = self.name()?;
        if name.text.contains('$') {
            return self.wrong(name.span, "a declared name cannot contain `$`");
        }
        if name.text.contains('/') {
            return self.wrong(name.span, "a declared name cannot contain `/`");
        }
        if self.peek() == T::Prime {
            let whole = name.span.to(self.span());
            let message = format!("a declared name cannot end in `'`, as `{}` does", self.slice(whole));
            let finding = Finding::new(&rules::SYNTAX, self.file.place(whole), message);
            let help = "since Alloy 6, `x'` is the value of `x` in the next state; give it a name of its own, such as `x1`";
            return self.report(finding.help(help));
        }
        Ok(name)
    }

    /// Names of new things, separated by commas.
    fn new_names(&mut self) -> Parsed<Vec<Name>> {
        let mut names = vec![self.new_name()?];
        while self.eat(T::Comma).is_some() {
            names.push(self.new_name()?);
        }
        Ok(names)
    }

    /// A reference to a signature, built-in or not.
    fn sig_ref(&mut self) -> Parsed<Name> {
        let text = match self.peek() {
            T::Univ => "univ",
            T::String => "String",
            T::SigInt => "Int",
            T::None => "none",
            T::Steps => "steps",
            T::Seq if self.peek_at(1) == T::Slash && self.peek_at(2) == T::SigInt => {
                let start = self.advance();
                self.advance();
                let end = self.advance();
                return Ok(Name { text: "seq/Int".to_owned(), span: start.to(end) });
            }
            T::Name | T::This | T::Seq => return self.name(),
            _ => return self.unexpected("the name of a signature"),
        };
        let span = self.advance();
        Ok(Name { text: text.to_owned(), span })
    }
}
