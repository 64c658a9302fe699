//! The text of a configuration.

use locus_source::{FileId, Finding, Place, Span};

use super::{Assigned, Assignment, Config, Value};
use crate::rules::{CONFIG_SYNTAX, CONFIG_TWICE};
use crate::syntax::ast::{Expr, ExprKind, Ident, NamePart, PartName};
use crate::syntax::{Kind, Parsed, Token, lex_fragment, parse_prefix};
use locus_source::words::nearest;

const SECTIONS: &[&str] = &[
    "CONSTANT",
    "CONSTANTS",
    "CONSTRAINT",
    "CONSTRAINTS",
    "ACTION_CONSTRAINT",
    "ACTION_CONSTRAINTS",
    "INVARIANT",
    "INVARIANTS",
    "INIT",
    "NEXT",
    "VIEW",
    "SYMMETRY",
    "SPECIFICATION",
    "PROPERTY",
    "PROPERTIES",
    "ALIAS",
    "POSTCONDITION",
    "POSTCONDITIONS",
    "CHECK_DEADLOCK",
    "_PERIODIC",
    "_RL_REWARD",
    "_POSSIBLE",
];

/// Reads a configuration. What cannot be read becomes a finding; the rest is there.
pub fn parse(file: FileId, text: &str) -> Parsed<Config> {
    parse_with(file, text, text.len())
}

/// Reads a configuration to which something was added, which begins at `added`: it takes the place of what the
/// configuration itself says.
pub fn parse_with(file: FileId, text: &str, added: usize) -> Parsed<Config> {
    let lexed = lex_fragment(file, text, Span::new(0, text.len()));
    let mut parser = Parser {
        file,
        text,
        tokens: lexed.tokens,
        at: 0,
        findings: lexed.findings,
        config: Config::default(),
        added,
    };
    parser.sections();
    Parsed { tree: Some(parser.config), findings: parser.findings }
}

/// An error that has already become a finding.
struct Reported;

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    findings: Vec<Finding>,
    config: Config,
    /// Where it begins what replaces the rest.
    added: usize,
}

impl<'a> Parser<'a> {
    fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn image(&self) -> &'a str {
        &self.text[self.token().span.range()]
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    fn at_end(&self) -> bool {
        self.token().kind == Kind::End
    }

    fn at_section(&self) -> bool {
        self.at_end() || SECTIONS.contains(&self.image())
    }

    fn wrong(&mut self, span: Span, message: impl Into<String>, help: Option<String>) {
        let mut finding = Finding::new(&CONFIG_SYNTAX, Place::new(self.file, span), message);
        if let Some(help) = help {
            finding = finding.help(help);
        }
        self.findings.push(finding);
    }

    fn found(&self) -> String {
        if self.at_end() { "the end of the file".to_owned() } else { format!("`{}`", self.image()) }
    }

    fn skip_section(&mut self) {
        while !self.at_section() {
            self.bump();
        }
    }

    fn sections(&mut self) {
        while !self.at_end() {
            let token = self.token();
            let word = self.image();
            if !SECTIONS.contains(&word) {
                let near = nearest(word, SECTIONS.iter().map(|name| (*name, *name)));
                let help = match near {
                    Some(near) if near.eq_ignore_ascii_case(word) => {
                        format!("write it in capitals: `{near}`")
                    }
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "sections begin with words such as SPECIFICATION, INVARIANT, CONSTANT".to_owned(),
                };
                self.wrong(token.span, format!("`{word}` begins no section of a configuration"), Some(help));
                self.bump();
                self.skip_section();
                continue;
            }
            self.bump();
            self.section(word, token.span);
        }
    }

    fn section(&mut self, word: &str, span: Span) {
        match word {
            "CONSTANT" | "CONSTANTS" => self.constants(),
            "INIT" | "NEXT" | "VIEW" | "SYMMETRY" | "SPECIFICATION" | "ALIAS" => self.single(word, span),
            "CHECK_DEADLOCK" => self.check_deadlock(span),
            "_PERIODIC" | "_RL_REWARD" => {
                self.config.ignored.push(Ident { text: word.into(), span });
                self.skip_section();
            }
            _ => {
                let names = self.names(word);
                let list = match word {
                    "INVARIANT" | "INVARIANTS" => &mut self.config.invariants,
                    "PROPERTY" | "PROPERTIES" => &mut self.config.properties,
                    "CONSTRAINT" | "CONSTRAINTS" => &mut self.config.constraints,
                    "ACTION_CONSTRAINT" | "ACTION_CONSTRAINTS" => &mut self.config.action_constraints,
                    "_POSSIBLE" => &mut self.config.possible,
                    _ => &mut self.config.postconditions,
                };
                list.extend(names);
            }
        }
    }

    /// A name, perhaps with `!`.
    fn name(&mut self, what: &str) -> Option<Ident> {
        let is_name = |token: Token| matches!(token.kind, Kind::Ident | Kind::Op(_) | Kind::Word(_));
        if self.at_section() || !is_name(self.token()) {
            let message = format!("expected {what}, found {}", self.found());
            self.wrong(self.token().span, message, None);
            return None;
        }
        let mut span = self.token().span;
        let mut text = self.canonical();
        self.bump();
        while self.token().kind == Kind::Bang {
            self.bump();
            text = format!("{text}!{}", self.canonical());
            span = span.to(self.bump().span);
        }
        Some(Ident { text: text.into(), span })
    }

    /// The token here as a name: operators in their canonical spelling.
    fn canonical(&self) -> String {
        match self.token().kind {
            Kind::Op(op) => crate::syntax::operators::OPERATORS[usize::from(op)].name.to_owned(),
            _ => self.image().to_owned(),
        }
    }

    fn names(&mut self, word: &str) -> Vec<Ident> {
        let mut names = Vec::new();
        while !self.at_section() {
            let Some(name) = self.name(&format!("the name of a definition after {word}")) else {
                self.skip_section();
                break;
            };
            names.push(name);
            if self.token().kind == Kind::Comma {
                self.bump();
            }
        }
        names
    }

    fn single(&mut self, word: &str, span: Span) {
        let Some(name) = self.name(&format!("the name of a definition after {word}")) else {
            self.skip_section();
            return;
        };
        let added = self.added;
        let is_added = |span: Span| span.start as usize >= added;
        if is_added(span) {
            // One way to give the behaviour replaces the other.
            let others: &mut [&mut Option<Ident>] = match word {
                "SPECIFICATION" => &mut [&mut self.config.init, &mut self.config.next],
                "INIT" | "NEXT" => &mut [&mut self.config.specification],
                _ => &mut [],
            };
            for other in others {
                **other = other.take().filter(|name| is_added(name.span));
            }
        }
        let slot = match word {
            "INIT" => &mut self.config.init,
            "NEXT" => &mut self.config.next,
            "VIEW" => &mut self.config.view,
            "SYMMETRY" => &mut self.config.symmetry,
            "SPECIFICATION" => &mut self.config.specification,
            _ => &mut self.config.alias,
        };
        if let Some(first) = slot.as_ref().filter(|first| is_added(first.span) == is_added(span)) {
            let finding =
                Finding::new(&CONFIG_TWICE, Place::new(self.file, span), format!("{word} is given twice"))
                    .also(Place::new(self.file, first.span), "first here");
            self.findings.push(finding);
        } else {
            *slot = Some(name);
        }
        if !self.at_section() {
            let message = format!("{word} takes one name; found {} after it", self.found());
            self.wrong(self.token().span, message, None);
            self.skip_section();
        }
    }

    fn check_deadlock(&mut self, span: Span) {
        let value = match self.image() {
            "TRUE" => true,
            "FALSE" => false,
            _ => {
                let message = format!("expected TRUE or FALSE after CHECK_DEADLOCK, found {}", self.found());
                self.wrong(self.token().span, message, None);
                self.skip_section();
                return;
            }
        };
        self.bump();
        if self.config.check_deadlock.replace(value).is_some() {
            let place = Place::new(self.file, span);
            self.findings.push(Finding::new(&CONFIG_TWICE, place, "CHECK_DEADLOCK is given twice"));
        }
    }

    fn constants(&mut self) {
        while !self.at_section() {
            if let Some(assignment) = self.assignment() {
                let added = self.added;
                if assignment.span.start as usize >= added {
                    self.config.constants.retain(|other| {
                        other.span.start as usize >= added
                            || (&other.name.text, other.module.as_ref().map(|module| &module.text))
                                != (
                                    &assignment.name.text,
                                    assignment.module.as_ref().map(|module| &module.text),
                                )
                    });
                }
                self.config.constants.push(assignment);
            } else {
                self.skip_section();
            }
        }
    }

    fn assignment(&mut self) -> Option<Assignment> {
        let name = self.name("the name of a constant")?;
        if self.token().kind == Kind::LeftArrow {
            self.bump();
            let module = self.module().ok()?;
            let definition = self.name("the name of a definition after `<-`")?;
            let span = name.span.to(definition.span);
            return Some(Assignment {
                name,
                args: Vec::new(),
                module,
                value: Assigned::Definition(definition),
                span,
            });
        }
        let args = self.args()?;
        if self.image() != "=" {
            let message = format!("expected `=` or `<-` after `{}`, found {}", name.text, self.found());
            let help = format!("write `{0} = value` or `{0} <- Definition`", name.text);
            self.wrong(self.token().span, message, Some(help));
            return None;
        }
        self.bump();
        let module = self.module_before_value().ok()?;
        let value = self.value()?;
        let span = Span::new(name.span.start as usize, self.tokens[self.at.max(1) - 1].span.end as usize);
        Some(Assignment { name, args, module, value: Assigned::Value(value), span })
    }

    /// `[M]`, if it is there.
    fn module(&mut self) -> Result<Option<Ident>, Reported> {
        if self.token().kind != Kind::LeftBracket {
            return Ok(None);
        }
        self.bump();
        let module = self.name("the name of a module after `[`").ok_or(Reported)?;
        if self.token().kind != Kind::RightBracket {
            let message = format!("expected `]` after the module's name, found {}", self.found());
            self.wrong(self.token().span, message, None);
            return Err(Reported);
        }
        self.bump();
        Ok(Some(module))
    }

    /// `[M]` before a value, which may itself begin with a bracket: `[a |-> 1]`.
    fn module_before_value(&mut self) -> Result<Option<Ident>, Reported> {
        let kind = |n: usize| self.tokens[(self.at + n).min(self.tokens.len() - 1)].kind;
        if (kind(0), kind(1), kind(2)) == (Kind::LeftBracket, Kind::Ident, Kind::RightBracket) {
            return self.module();
        }
        Ok(None)
    }

    /// `(1, 2)` in `Op(1, 2) = 3`.
    fn args(&mut self) -> Option<Vec<Value>> {
        let mut args = Vec::new();
        if self.token().kind != Kind::LeftParen {
            return Some(args);
        }
        self.bump();
        loop {
            args.push(self.value()?);
            match self.bump().kind {
                Kind::Comma => {}
                Kind::RightParen => return Some(args),
                _ => {
                    let message = "expected `,` or `)` after an argument";
                    self.wrong(self.tokens[self.at.max(1) - 1].span, message, None);
                    return None;
                }
            }
        }
    }

    fn value(&mut self) -> Option<Value> {
        if self.at_section() {
            let message = format!("expected a value, found {}", self.found());
            self.wrong(self.token().span, message, None);
            return None;
        }
        let tokens = std::mem::take(&mut self.tokens);
        let read = parse_prefix(self.file, self.text, tokens, self.at);
        self.tokens = read.tokens;
        self.at = read.at;
        let failed = !read.findings.is_empty();
        self.findings.extend(read.findings);
        read.tree.filter(|_| !failed).map(simplify)
    }
}

/// A value of TLC's grammar as such; any other as an expression.
fn simplify(expr: Expr) -> Value {
    match &expr.kind {
        ExprKind::Number(digits) => Value::Number(digits.clone()),
        ExprKind::String(text) => Value::String(text.clone()),
        ExprKind::Name(parts) => match parts.as_slice() {
            [NamePart { name: PartName::Name(ident), args, .. }] if args.is_empty() => match &*ident.text {
                "TRUE" => Value::Bool(true),
                "FALSE" => Value::Bool(false),
                "BOOLEAN" | "STRING" => Value::Expr(Box::new(expr)),
                _ => Value::Model(ident.clone()),
            },
            _ => Value::Expr(Box::new(expr)),
        },
        ExprKind::Prefix { op, arg } if &*op.text == "-." => match &arg.kind {
            ExprKind::Number(digits) => Value::Number(format!("-{digits}").into()),
            _ => Value::Expr(Box::new(expr)),
        },
        ExprKind::SetOf(items) => {
            let values: Vec<Value> = items.iter().cloned().map(simplify).collect();
            // A set that holds one real expression is one as a whole, so that names in it mean the same.
            if values.iter().any(|value| matches!(value, Value::Expr(_))) {
                Value::Expr(Box::new(expr))
            } else {
                Value::Set(values)
            }
        }
        _ => Value::Expr(Box::new(expr)),
    }
}
