//! The parser: recursive descent, with operators by precedence range and lists by column.
//!
//! It never fails: what cannot be read becomes a finding, and reading goes on with the next unit of the module.
//! It never overflows the stack: nesting is limited.
//!
//! Inside an item of a list of conjuncts or disjuncts, a token in or left of the column of the bullets counts as
//! the end of the text (see [`Parser::kind`]): that is the whole of the alignment rule.

mod expr;
mod module;
mod proof;

use locus_source::{FileId, Finding, Place, Rule, Span};

use super::ast::{Expr, Ident, Module};
use super::lexer::{Lexed, find_module_named, is_field_name, lex_fragment, lex_module};
use super::operators::{OPERATORS, Operator};
use super::token::{Kind, Token, Word};
use crate::rules::{ALIGNMENT, NESTING, SYNTAX};

/// How deeply brackets, lists, quantifiers and the like may be nested. Public specifications stay below 40; each
/// level takes about 3 KiB of stack when unoptimised, so this fits into the 2 MiB of a thread.
pub const NESTING_LIMIT: u32 = 200;

/// How deep a tree may be: chains such as `a + b + c` nest to the left without nesting in the text.
pub const TREE_DEPTH_LIMIT: u32 = 1000;

/// A tree and what is wrong with its text.
#[derive(Debug)]
pub struct Parsed<T> {
    /// The tree, as far as it could be read.
    pub tree: Option<T>,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// Reads the first module of a file.
pub fn parse_module(file: FileId, text: &str) -> Parsed<Module> {
    module_at(file, text, 0)
}

/// Reads the module of this name out of a file that holds several.
pub(crate) fn parse_module_named(file: FileId, text: &str, name: &str) -> Option<Parsed<Module>> {
    Some(module_at(file, text, find_module_named(text, name)?))
}

fn module_at(file: FileId, text: &str, start: usize) -> Parsed<Module> {
    let mut parser = Parser::new(file, text, lex_module(file, text, start));
    let tree = parser.root_module();
    Parsed { tree, findings: parser.findings }
}

/// Reads an expression that stands at `span` of a file and fills it.
pub fn parse_expression(file: FileId, text: &str, span: Span) -> Parsed<Expr> {
    let mut parser = Parser::new(file, text, lex_fragment(file, text, span));
    let tree = parser.expr().ok();
    parser.flush_conflicts();
    if tree.is_some() && parser.kind() != Kind::End {
        let _ = parser.expected::<()>("the end of the expression");
    }
    Parsed { tree, findings: parser.findings }
}

/// An expression at the start of a list of tokens.
pub(crate) struct Prefix {
    /// The expression.
    pub(crate) tree: Option<Expr>,
    /// The findings about it.
    pub(crate) findings: Vec<Finding>,
    /// The tokens, given back.
    pub(crate) tokens: Vec<Token>,
    /// The first token after it.
    pub(crate) at: usize,
}

/// Reads the expression that begins at a token, as far as it goes.
pub(crate) fn parse_prefix(file: FileId, text: &str, tokens: Vec<Token>, at: usize) -> Prefix {
    let mut parser = Parser::new(file, text, Lexed { tokens, findings: Vec::new() });
    parser.at = at;
    let tree = parser.expr().ok();
    parser.flush_conflicts();
    Prefix { tree, findings: parser.findings, tokens: parser.tokens, at: parser.at }
}

/// An error that has already become a finding.
struct Reported;

type Parse<T> = Result<T, Reported>;

/// Two operators that contend for an operand, until the text of all three operands is known.
struct Conflict {
    /// Index of the right operator's token.
    token: usize,
    left: Left,
    middle: Span,
    right: &'static Operator,
}

/// An operator to the left of an operand, which may or may not take it.
#[derive(Clone, Copy)]
struct Left {
    op: &'static Operator,
    span: Span,
    /// The operand before it, unless it is a prefix operator.
    operand: Option<Span>,
}

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    findings: Vec<Finding>,
    /// The bullets of the lists we are in, innermost last.
    fences: Vec<Token>,
    conflicts: Vec<Conflict>,
    /// How many levels we are in.
    depth: u32,
    /// The depth of the deepest tree read within the operand at hand.
    child_depth: u32,
    /// Whether we are in a proof, where step numbers are names.
    in_proof: bool,
    /// The level of the steps at hand.
    proof_level: u32,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, lexed: Lexed) -> Self {
        Self {
            file,
            text,
            tokens: lexed.tokens,
            at: 0,
            findings: lexed.findings,
            fences: Vec::new(),
            conflicts: Vec::new(),
            depth: 0,
            child_depth: 0,
            in_proof: false,
            proof_level: 0,
        }
    }

    fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    /// The kind of the `n`th token from here; [`Kind::End`] if it is left of the list we are in.
    fn kind_at(&self, n: usize) -> Kind {
        let token = self.tokens[(self.at + n).min(self.tokens.len() - 1)];
        match self.fences.last() {
            Some(bullet) if token.column <= bullet.column => Kind::End,
            _ => token.kind,
        }
    }

    fn kind(&self) -> Kind {
        self.kind_at(0)
    }

    fn is_word(&self, word: Word) -> bool {
        self.kind() == Kind::Word(word)
    }

    fn is_op(&self, op: u8) -> bool {
        self.kind() == Kind::Op(op)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, kind: Kind) -> Option<Token> {
        (self.kind() == kind).then(|| self.bump())
    }

    fn expect(&mut self, kind: Kind, what: &str) -> Parse<Token> {
        match self.eat(kind) {
            Some(token) => Ok(token),
            None => self.expected(what),
        }
    }

    /// The end of the last token read.
    fn last_end(&self) -> Span {
        let last = self.at.checked_sub(1).map_or(Span::point(0), |i| self.tokens[i].span);
        Span::point(last.end as usize)
    }

    fn span_from(&self, start: Span) -> Span {
        start.to(self.last_end())
    }

    fn slice(&self, span: Span) -> &'a str {
        &self.text[span.range()]
    }

    fn place(&self, span: Span) -> Place {
        Place::new(self.file, span)
    }

    fn finding(&self, rule: &Rule, span: Span, message: impl Into<String>) -> Finding {
        Finding::new(rule, self.place(span), message)
    }

    fn fail<T>(&mut self, finding: Finding) -> Parse<T> {
        self.findings.push(finding);
        Err(Reported)
    }

    /// Says that something else was expected here.
    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let token = self.token();
        if self.kind() != token.kind
            && let Some(bullet) = self.fences.last()
        {
            let found = self.describe(token);
            let finding = self
                .finding(
                    &ALIGNMENT,
                    token.span,
                    format!("{found} ends the list it should belong to; expected {what}"),
                )
                .label("in or left of the column of the list's bullets")
                .also(self.place(bullet.span), "the list")
                .help("indent it to the right of the bullets");
            return self.fail(finding);
        }
        let found = self.describe(token);
        let finding = self.finding(&SYNTAX, token.span, format!("expected {what}, found {found}"));
        self.fail(finding)
    }

    fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::End if token.span.start as usize >= self.text.len() => "the end of the file".to_owned(),
            Kind::End => "the end".to_owned(),
            Kind::ModuleEnd => "the end of the module".to_owned(),
            Kind::Separator => "a line of dashes".to_owned(),
            Kind::ModuleStart => "the start of a module".to_owned(),
            Kind::String => "a string".to_owned(),
            _ => format!("`{}`", self.slice(token.span)),
        }
    }

    fn ident_of(&self, token: Token) -> Ident {
        let text = match self.slice(token.span) {
            "ℕ" => "Nat",
            "ℤ" => "Int",
            "ℝ" => "Real",
            text => text,
        };
        Ident { text: text.into(), span: token.span }
    }

    fn op_ident(name: &str, span: Span) -> Ident {
        Ident { text: name.into(), span }
    }

    fn ident(&mut self, what: &str) -> Parse<Ident> {
        let token = self.expect(Kind::Ident, what)?;
        Ok(self.ident_of(token))
    }

    /// A name where reserved words are names too.
    fn field_name(&mut self, what: &str) -> Parse<Ident> {
        if !is_field_name(self.kind()) {
            return self.expected(what);
        }
        let token = self.bump();
        Ok(self.ident_of(token))
    }

    /// The operator that the token at `n` from here is.
    fn operator_at(&self, n: usize) -> Option<&'static Operator> {
        match self.kind_at(n) {
            Kind::Op(op) => Some(&OPERATORS[usize::from(op)]),
            _ => None,
        }
    }

    /// Things between commas.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(Kind::Comma).is_some() {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Runs `inner` one level deeper, unless that is too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= NESTING_LIMIT {
            return self.too_deep(NESTING_LIMIT);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn too_deep<T>(&mut self, limit: u32) -> Parse<T> {
        let finding = self
            .finding(&NESTING, self.token().span, format!("nested more than {limit} levels deep"))
            .help("name parts of the expression in definitions of their own");
        self.fail(finding)
    }
}
