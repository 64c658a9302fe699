//! Algorithms from their text, in both syntaxes.

mod statements;

use std::collections::VecDeque;

use super::Wrong;
use super::ast::{Fairness, Marks, Process, Statement, Variable};
use super::expr::Expr;
use super::lexer::{Lexeme, Lexer, Sort};
use super::lines::{Lines, Spot};
use super::options::Options;

/// An algorithm before its macros are expanded and its statements are cut into steps.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) variables: Vec<Variable>,
    pub(super) definitions: Expr,
    pub(super) macros: Vec<Macro>,
    pub(super) procedures: Vec<Routine>,
    pub(super) body: ParsedBody,
    /// Labels that the author wrote.
    pub(super) labels: Vec<String>,
    pub(super) goes: Goes,
    /// Whether a variable has no initial value.
    pub(super) has_default: bool,
    /// Whether a label has a modifier.
    pub(super) has_modifier: bool,
    /// Weak fairness of the whole, said within a uniprocess algorithm.
    pub(super) is_fair: bool,
}

/// Which labels `goto` is used for.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Goes {
    pub(super) anywhere: bool,
    pub(super) to_done: bool,
}

#[derive(Debug)]
pub(super) enum ParsedBody {
    Single(Vec<Statement>),
    /// Processes, and their statements.
    Processes(Vec<(Process, Vec<Statement>)>),
}

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    pub(super) name: String,
    pub(super) params: Vec<String>,
    pub(super) body: Vec<Statement>,
    pub(super) spot: Spot,
}

/// A procedure as it is written.
#[derive(Debug)]
pub(super) struct Routine {
    pub(super) name: String,
    pub(super) params: Vec<Variable>,
    pub(super) variables: Vec<Variable>,
    pub(super) marks: Marks,
    pub(super) body: Vec<Statement>,
    pub(super) spot: Spot,
}

/// Statements may be nested so deep.
const MAX_DEPTH: usize = 200;

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    ahead: VecDeque<Lexeme>,
    last: Spot,
    /// Whether it is written in the syntax with braces.
    braces: bool,
    options: &'a Options,
    procedure: Option<String>,
    in_macro: bool,
    marks: Marks,
    labels: Vec<String>,
    goes: Goes,
    has_default: bool,
    has_modifier: bool,
    depth: usize,
}

type Outcome<T> = Result<T, Wrong>;

impl<'a> Parser<'a> {
    pub(super) fn new(lines: &'a Lines, spot: Spot, options: &'a Options) -> Self {
        Self {
            lexer: Lexer::new(lines, spot),
            ahead: VecDeque::new(),
            last: spot,
            braces: false,
            options,
            procedure: None,
            in_macro: false,
            marks: Marks::default(),
            labels: Vec::new(),
            goes: Goes::default(),
            has_default: false,
            has_modifier: false,
            depth: 0,
        }
    }

    /// The algorithm, behind `--algorithm` or `--fair`.
    pub(super) fn algorithm(mut self, is_fair: bool) -> Outcome<Parsed> {
        if is_fair {
            self.expect("algorithm")?;
        }
        self.take()?;
        self.braces = self.accept("{")?;
        let variables = if self.is_next("variable")? || self.is_next("variables")? {
            self.variables(&["begin", "{", "procedure", "process", "fair", "define", "macro"])?
        } else {
            Vec::new()
        };
        let definitions = self.definitions()?;
        let mut macros = Vec::new();
        while self.is_next("macro")? {
            macros.push(self.macro_definition()?);
        }
        let mut procedures = Vec::new();
        while self.is_next("procedure")? {
            procedures.push(self.routine()?);
        }
        let mut is_whole_fair = false;
        let body = if self.is_process_next()? {
            let mut processes = Vec::new();
            while self.is_next("fair")? || self.is_next("process")? {
                processes.push(self.process()?);
            }
            ParsedBody::Processes(processes)
        } else {
            if self.options.is_version_1_5 && self.accept("fair")? {
                self.accept("+")?;
                is_whole_fair = true;
            }
            self.begin()?;
            let body = self.statements()?;
            if self.braces {
                self.expect("}")?;
            }
            ParsedBody::Single(body)
        };
        if self.braces {
            self.expect("}")?;
        } else {
            self.expect("end")?;
            self.expect("algorithm")?;
        }
        Ok(Parsed {
            variables,
            definitions,
            macros,
            procedures,
            body,
            labels: self.labels,
            goes: self.goes,
            has_default: self.has_default,
            has_modifier: self.has_modifier,
            is_fair: is_whole_fair,
        })
    }

    fn is_process_next(&mut self) -> Outcome<bool> {
        if self.is_next("process")? {
            return Ok(true);
        }
        if !self.is_next("fair")? {
            return Ok(false);
        }
        Ok(self.peek(1)?.is("process") || (self.peek(1)?.is("+") && self.peek(2)?.is("process")))
    }

    // Tokens.

    fn peek(&mut self, n: usize) -> Outcome<&Lexeme> {
        while self.ahead.len() <= n {
            let lexeme = self.lexer.next()?;
            self.ahead.push_back(lexeme);
        }
        Ok(&self.ahead[n])
    }

    fn is_next(&mut self, text: &str) -> Outcome<bool> {
        Ok(self.peek(0)?.is(text))
    }

    fn take(&mut self) -> Outcome<Lexeme> {
        self.peek(0)?;
        let lexeme = self.ahead.pop_front().expect("there is a token ahead");
        self.last = lexeme.spot;
        Ok(lexeme)
    }

    fn accept(&mut self, text: &str) -> Outcome<bool> {
        let is_next = self.is_next(text)?;
        if is_next {
            self.take()?;
        }
        Ok(is_next)
    }

    fn expect(&mut self, text: &str) -> Outcome<()> {
        let found = self.take()?;
        if found.is(text) {
            return Ok(());
        }
        Err(Wrong::new(format!("`{text}` is expected here, not `{}`", found.text), found.spot))
    }

    /// A semicolon, where it may not be left out.
    fn semicolon(&mut self) -> Outcome<()> {
        const CLOSING: &[&str] = &[
            "end",
            "begin",
            "else",
            "elsif",
            "or",
            "do",
            "macro",
            "procedure",
            "process",
            "fair",
            "define",
            "}",
            "{",
        ];
        const OPENING: &[&str] =
            &["if", "either", "while", "with", "call", "return", "goto", "print", "assert", "skip"];
        let next = self.peek(0)?.clone();
        if CLOSING.iter().any(|text| next.is(text)) {
            return Ok(());
        }
        if OPENING.iter().any(|text| next.is(text)) {
            return Err(Wrong::new(format!("`;` is missing before this `{}`", next.text), next.spot));
        }
        self.expect(";")
    }

    fn comma_or_semicolon(&mut self) -> Outcome<()> {
        if self.accept(",")? { Ok(()) } else { self.semicolon() }
    }

    fn begin(&mut self) -> Outcome<()> {
        self.expect(if self.braces { "{" } else { "begin" })
    }

    fn end(&mut self, what: &str) -> Outcome<()> {
        if self.braces {
            return self.expect("}");
        }
        self.expect("end")?;
        self.expect(what)
    }

    /// A name.
    fn name(&mut self) -> Outcome<String> {
        let lexeme = self.take()?;
        if lexeme.sort == Sort::Ident {
            return Ok(lexeme.text);
        }
        Err(Wrong::new(format!("a name is expected here, not `{}`", lexeme.text), lexeme.spot))
    }

    /// `=` (true) or `\in`.
    fn equals_or_in(&mut self) -> Outcome<bool> {
        let lexeme = self.take()?;
        match lexeme.text.as_str() {
            "=" => Ok(true),
            "\\in" | "∈" => Ok(false),
            other => Err(Wrong::new(format!("`=` or `\\in` is expected here, not `{other}`"), lexeme.spot)),
        }
    }

    /// An expression: everything up to what cannot be part of one. It may be empty.
    fn expression(&mut self) -> Outcome<Expr> {
        let mut lexemes: Vec<Lexeme> = Vec::new();
        let (mut depth, mut is_bounded) = (0_usize, true);
        loop {
            let next = self.peek(0)?.clone();
            let after =
                lexemes.last().map_or(" ", |last| if last.sort == Sort::Text { " " } else { &last.text });
            if ends_expression(&next, after, depth, is_bounded) {
                if depth != 0 {
                    return Err(Wrong::new("a bracket opened before is not closed here", next.spot));
                }
                if !is_bounded {
                    return Err(Wrong::new("a quantifier before has no `:`", next.spot));
                }
                return Ok(Expr::from_lexemes(&lexemes));
            }
            if next.sort == Sort::Builtin {
                match next.text.as_str() {
                    "(" | "[" | "{" | "<<" | "⟨" => depth += 1,
                    ")" | "]" | "}" | ">>" | "⟩" | ">>_" | "⟩_" | "]_" => {
                        depth = depth.checked_sub(1).ok_or_else(|| {
                            Wrong::new(format!("nothing opens this `{}`", next.text), next.spot)
                        })?;
                    }
                    "\\A" | "\\E" | "∀" | "∃" if depth == 0 => is_bounded = false,
                    ":" if depth == 0 => is_bounded = true,
                    _ => {}
                }
            }
            lexemes.push(self.take()?);
        }
    }

    /// An expression that is not empty.
    fn value(&mut self, what: &str) -> Outcome<Expr> {
        let expr = self.expression()?;
        if expr.is_empty() {
            let spot = self.peek(0)?.spot;
            return Err(Wrong::new(format!("{what} is missing here"), spot));
        }
        Ok(expr)
    }

    // Declarations.

    fn variables(&mut self, ends: &[&str]) -> Outcome<Vec<Variable>> {
        if !self.accept("variables")? {
            self.expect("variable")?;
        }
        let mut variables = Vec::new();
        loop {
            let next = self.peek(0)?;
            if ends.iter().any(|end| next.is(end)) {
                return Ok(variables);
            }
            variables.push(self.variable(true)?);
            self.comma_or_semicolon()?;
        }
    }

    fn variable(&mut self, may_be_in: bool) -> Outcome<Variable> {
        let name = self.name()?;
        let spot = self.last;
        let next = self.peek(0)?;
        if next.is("=") || (may_be_in && (next.is("\\in") || next.is("∈"))) {
            let is_equal = self.equals_or_in()?;
            let value = self.value("the initial value")?;
            return Ok(Variable { name, is_equal, value, spot });
        }
        self.has_default = true;
        let value = Expr::line(&[("defaultInitValue", Sort::Default)], 0);
        Ok(Variable { name, is_equal: true, value, spot })
    }

    fn definitions(&mut self) -> Outcome<Expr> {
        if !self.accept("define")? {
            return Ok(Expr::default());
        }
        if self.braces {
            self.expect("{")?;
        }
        let definitions = self.expression()?;
        self.end("define")?;
        self.semicolon()?;
        Ok(definitions)
    }

    fn macro_definition(&mut self) -> Outcome<Macro> {
        self.expect("macro")?;
        let name = self.name()?;
        let spot = self.last;
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.is_next(")")? {
            if !params.is_empty() {
                self.expect(",")?;
            }
            params.push(self.name()?);
        }
        self.expect(")")?;
        self.begin()?;
        self.in_macro = true;
        let body = self.statements()?;
        self.in_macro = false;
        self.end("macro")?;
        self.accept(";")?;
        Ok(Macro { name, params, body, spot })
    }

    fn routine(&mut self) -> Outcome<Routine> {
        self.expect("procedure")?;
        let spot = self.last;
        let name = self.name()?;
        self.procedure = Some(name.clone());
        self.marks = Marks::default();
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.is_next(")")? {
            if !params.is_empty() {
                self.expect(",")?;
            }
            params.push(self.variable(false)?);
        }
        self.expect(")")?;
        let mut variables = Vec::new();
        if !self.is_next("begin")? && !self.is_next("{")? {
            if !self.accept("variables")? {
                self.expect("variable")?;
            }
            while !self.is_next("begin")? && !self.is_next("{")? {
                variables.push(self.variable(false)?);
                self.comma_or_semicolon()?;
            }
        }
        self.begin()?;
        let body = self.statements()?;
        self.end("procedure")?;
        self.accept(";")?;
        self.procedure = None;
        Ok(Routine { name, params, variables, marks: std::mem::take(&mut self.marks), body, spot })
    }

    fn process(&mut self) -> Outcome<(Process, Vec<Statement>)> {
        let fairness = match (self.accept("fair")?, self.options.fairness.as_str()) {
            (true, _) if self.accept("+")? => Fairness::Strong,
            (true, _) | (false, "wf") => Fairness::Weak,
            (false, "sf") => Fairness::Strong,
            (false, _) => Fairness::None,
        };
        self.expect("process")?;
        let spot = self.last;
        if self.braces {
            self.expect("(")?;
        }
        let name = self.name()?;
        let is_equal = self.equals_or_in()?;
        let id = self.value("the identifier of the process")?;
        if self.braces {
            self.expect(")")?;
        }
        self.marks = Marks::default();
        let variables = if self.is_next("begin")? || self.is_next("{")? {
            Vec::new()
        } else {
            self.variables(&["begin", "{", "procedure", "process", "fair", "define", "macro"])?
        };
        self.begin()?;
        let body = self.statements()?;
        self.end("process")?;
        self.accept(";")?;
        let marks = std::mem::take(&mut self.marks);
        Ok((Process { name, is_equal, id, fairness, variables, marks, body: Vec::new(), spot }, body))
    }

    // Statements.
}

/// Whether a token cannot be part of an expression; `before` is the token before it in the expression.
fn ends_expression(next: &Lexeme, before: &str, depth: usize, is_bounded: bool) -> bool {
    const ENDS: &[&str] = &[
        ";",
        "do",
        "then",
        ":=",
        "≔",
        "begin",
        "variable",
        "variables",
        "||",
        "‖",
        "end",
        "else",
        "elsif",
        "if",
        "either",
        "or",
        "while",
        "with",
        "call",
        "return",
        "goto",
        "print",
        "assert",
        "skip",
        "procedure",
        "define",
        "process",
        "fair",
    ];
    if next.sort == Sort::Text {
        return false;
    }
    let is_field = next.sort == Sort::Ident && matches!(before, "." | "[" | ",");
    if ENDS.contains(&next.text.as_str()) && !is_field {
        return true;
    }
    depth == 0 && ((next.text == "," && is_bounded) || next.text == ")" || next.text == "}")
}
