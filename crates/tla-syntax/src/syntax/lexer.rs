//! From text to tokens. Comments, and all text outside of the module, disappear here.

use locus_source::{FileId, Finding, Place, Span};

use super::token::{Kind, StepLevel, Token, Word, symbol, word};
use crate::rules::LEXICAL;

/// More digits than this are refused: reading a number takes time that grows with their square.
const NUMBER_DIGITS: usize = 4096;

/// The tokens of a text, ended by [`Kind::End`], and what is wrong with it.
#[derive(Debug)]
pub(crate) struct Lexed {
    /// The tokens.
    pub(crate) tokens: Vec<Token>,
    /// The findings.
    pub(crate) findings: Vec<Finding>,
}

/// The tokens of the module that begins first from `start` on. Text before it and after it is skipped.
pub(crate) fn lex_module(file: FileId, text: &str, start: usize) -> Lexed {
    let mut lexer = Lexer::new(file, text);
    lexer.skip_to(find_module(text, start).unwrap_or(text.len()));
    lexer.run(true);
    Lexed { tokens: lexer.tokens, findings: lexer.findings }
}

/// The tokens of a text that is no module, such as an expression.
pub(crate) fn lex_fragment(file: FileId, text: &str, span: Span) -> Lexed {
    let mut lexer = Lexer::new(file, &text[..span.end as usize]);
    lexer.skip_to(span.start as usize);
    lexer.run(false);
    Lexed { tokens: lexer.tokens, findings: lexer.findings }
}

/// Where a module of this name begins, if the text has one.
pub(crate) fn find_module_named(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(start) = find_module(text, from) {
        from = start + dashes_and_module(&text.as_bytes()[start..])?;
        let rest = text[from..].trim_start_matches(' ').strip_prefix(name);
        if rest.is_some_and(|rest| rest.starts_with([' ', '-'])) {
            return Some(start);
        }
    }
    None
}

/// The offset of the first `---- MODULE` from `from` on.
fn find_module(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = from;
    while let Some(found) = text[from..].find("----") {
        let start = from + found;
        let after = dashes_and_module(&bytes[start..]);
        if after.is_some() {
            return Some(start);
        }
        from = start + bytes[start..].iter().take_while(|&&b| b == b'-').count();
    }
    None
}

/// The length of `---- MODULE` at the start of `bytes`.
fn dashes_and_module(bytes: &[u8]) -> Option<usize> {
    let dashes = bytes.iter().take_while(|&&b| b == b'-').count();
    let blanks = bytes[dashes..].iter().take_while(|&&b| b == b' ').count();
    let end = dashes + blanks;
    (dashes >= 4 && bytes[end..].starts_with(b"MODULE")).then_some(end + 6)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    /// Where we are.
    at: usize,
    /// The column of `at`.
    column: u32,
    tokens: Vec<Token>,
    findings: Vec<Finding>,
}

impl<'a> Lexer<'a> {
    fn new(file: FileId, text: &'a str) -> Self {
        Self { file, text, at: 0, column: 0, tokens: Vec::new(), findings: Vec::new() }
    }

    /// Moves on to `end`, counting columns.
    fn skip_to(&mut self, end: usize) {
        for c in self.text[self.at..end].chars() {
            match c {
                '\n' | '\r' => self.column = 0,
                '\t' => self.column = (self.column / 8 + 1) * 8,
                _ => self.column += 1,
            }
        }
        self.at = end;
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind, len: usize) {
        let span = Span::new(self.at, self.at + len);
        self.tokens.push(Token { kind, span, column: self.column });
        self.skip_to(self.at + len);
    }

    fn wrong(&mut self, span: Span, message: impl Into<String>, help: &str) {
        let mut finding = Finding::new(&LEXICAL, Place::new(self.file, span), message);
        if !help.is_empty() {
            finding = finding.help(help);
        }
        self.findings.push(finding);
    }

    /// Reads everything; with `module`, up to the end of the outermost module.
    fn run(&mut self, module: bool) {
        let mut depth = 0_usize;
        loop {
            self.skip_blanks_and_comments();
            if self.at >= self.text.len() {
                break;
            }
            self.token();
            match self.tokens.last().map(|t| t.kind) {
                Some(Kind::ModuleStart) => depth += 1,
                Some(Kind::ModuleEnd) if module => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        let end = Span::point(self.at);
        self.tokens.push(Token { kind: Kind::End, span: end, column: self.column });
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = self.rest();
            let blank =
                rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}', '\u{feff}']).len();
            self.skip_to(self.at + blank);
            let rest = self.rest();
            if rest.starts_with("\\*") {
                let len = rest.find(['\n', '\r']).unwrap_or(rest.len());
                self.skip_to(self.at + len);
            } else if rest.starts_with("(*") {
                self.block_comment();
            } else {
                return;
            }
        }
    }

    fn block_comment(&mut self) {
        let bytes = self.text.as_bytes();
        let (mut i, mut depth) = (self.at + 2, 1_usize);
        while depth > 0 {
            match (bytes.get(i), bytes.get(i + 1)) {
                (Some(b'('), Some(b'*')) => (depth, i) = (depth + 1, i + 2),
                (Some(b'*'), Some(b')')) => (depth, i) = (depth - 1, i + 2),
                (Some(_), _) => i += 1,
                (None, _) => {
                    let span = Span::new(self.at, self.at + 2);
                    self.wrong(span, "this comment has no end", "close it with `*)`; comments nest");
                    break;
                }
            }
        }
        self.skip_to(i.min(bytes.len()));
    }

    fn token(&mut self) {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        match bytes[0] {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => self.word_or_number(),
            b'"' => self.string(),
            b'-' if bytes.starts_with(b"----") => match dashes_and_module(bytes) {
                Some(len) => self.push(Kind::ModuleStart, len),
                None => self.push(Kind::Separator, bytes.iter().take_while(|&&b| b == b'-').count()),
            },
            b'=' if bytes.starts_with(b"====") => {
                self.push(Kind::ModuleEnd, bytes.iter().take_while(|&&b| b == b'=').count());
            }
            b'<' if self.step() => {}
            b'\\' if self.based_number() => {}
            _ => self.symbol(),
        }
    }

    fn symbol(&mut self) {
        let rest = self.rest();
        if let Some((kind, len)) = symbol(rest) {
            self.push(kind, len);
            return;
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let letters = rest[first..].chars().take_while(char::is_ascii_alphabetic).count();
        let len = if rest.starts_with('\\') { first + letters } else { first };
        let span = Span::new(self.at, self.at + len);
        let shown = &rest[..len];
        let message = if shown.chars().all(char::is_control) {
            format!(
                "the character U+{:04X} is no part of TLA+",
                u32::from(shown.chars().next().unwrap_or('\0'))
            )
        } else {
            format!("`{shown}` is no token of TLA+")
        };
        self.wrong(span, message, "");
        self.skip_to(self.at + len);
    }

    fn word_or_number(&mut self) {
        let rest = self.rest();
        let run = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let text = &rest[..run];
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if text.starts_with("WF_") || text.starts_with("SF_") {
            self.push(if text.starts_with('W') { Kind::Weak } else { Kind::Strong }, 3);
        } else if text.bytes().any(|b| b.is_ascii_alphabetic()) {
            self.push(word(text).unwrap_or(Kind::Ident), run);
        } else if digits > 0 {
            self.number(digits, digits);
        } else {
            self.push(Kind::Underscore, 1);
        }
    }

    fn number(&mut self, len: usize, digits: usize) {
        if digits > NUMBER_DIGITS {
            let span = Span::new(self.at, self.at + len);
            let message = format!("a number of {digits} digits; at most {NUMBER_DIGITS} are read");
            self.wrong(span, message, "");
            self.skip_to(self.at + len);
        } else {
            self.push(Kind::Number, len);
        }
    }

    /// `\b101`, `\o17`, `\hFF`.
    fn based_number(&mut self) -> bool {
        let bytes = self.rest().as_bytes();
        let digit: fn(&&u8) -> bool = match bytes.get(1) {
            Some(b'b' | b'B') => |b| matches!(b, b'0' | b'1'),
            Some(b'o' | b'O') => |b| matches!(b, b'0'..=b'7'),
            Some(b'h' | b'H') => |b| b.is_ascii_hexdigit(),
            _ => return false,
        };
        let digits = bytes[2..].iter().take_while(digit).count();
        // `\hat`, should it ever be meant as a word, is none of TLA+'s; `\bullet` has no digit after its `b`.
        if digits == 0 {
            return false;
        }
        self.number(2 + digits, digits);
        true
    }

    /// `<1>2.`, `<2>`, `<*>3`, `<+>`.
    fn step(&mut self) -> bool {
        let bytes = self.rest().as_bytes();
        let (level, mut len) = match bytes.get(1) {
            Some(b'*') => (StepLevel::Same, 2),
            Some(b'+') => (StepLevel::Next, 2),
            Some(b'0'..=b'9') => {
                let digits = bytes[1..].iter().take_while(|b| b.is_ascii_digit()).count();
                let Ok(number) = self.rest()[1..=digits].parse() else { return false };
                (StepLevel::Number(number), 1 + digits)
            }
            _ => return false,
        };
        if bytes.get(len) != Some(&b'>') {
            return false;
        }
        len += 1;
        let count = |from: usize, fits: fn(&&u8) -> bool| bytes[from..].iter().take_while(fits).count();
        let name = count(len, |b| b.is_ascii_alphanumeric() || **b == b'_');
        len += name;
        if name == 0 && matches!(bytes.get(len), Some(b'*' | b'-')) {
            len += 1;
        }
        len += count(len, |b| **b == b'.');
        self.push(Kind::Step(level), len);
        true
    }

    fn string(&mut self) {
        let bytes = self.rest().as_bytes();
        let mut i = 1;
        loop {
            match bytes.get(i) {
                Some(b'"') => return self.push(Kind::String, i + 1),
                Some(b'\\') => {
                    if matches!(bytes.get(i + 1), Some(b'n' | b't' | b'r' | b'f' | b'\\' | b'"')) {
                        i += 2;
                    } else {
                        let span = Span::new(self.at + i, self.at + i + 1);
                        let help = r#"in strings, `\` stands before `n`, `t`, `r`, `f`, `"` or another `\`"#;
                        self.wrong(span, "no such escape in a string", help);
                        i += 1;
                    }
                }
                None | Some(b'\n' | b'\r') => {
                    let span = Span::new(self.at, self.at + i.min(bytes.len()));
                    self.wrong(span, "this string has no end on its line", "close it with `\"`");
                    return self.push(Kind::String, i.min(bytes.len()));
                }
                Some(_) => i += 1,
            }
        }
    }
}

/// The value of a string token, escapes replaced.
pub(crate) fn string_value(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => match chars.next() {
                Some('n') => value.push('\n'),
                Some('t') => value.push('\t'),
                Some('r') => value.push('\r'),
                Some('f') => value.push('\u{c}'),
                Some(c) => value.push(c),
                None => {}
            },
            c => value.push(c),
        }
    }
    value
}

/// Whether a token is a name, or a word that can be one where only a name can stand (as a field).
pub(crate) fn is_field_name(kind: Kind) -> bool {
    match kind {
        Kind::Ident | Kind::Weak | Kind::Strong => true,
        Kind::Word(word) => !matches!(word, Word::BoxAssume | Word::BoxProve),
        Kind::Op(op) => super::operators::OPERATORS[usize::from(op)].name.as_bytes()[0].is_ascii_alphabetic(),
        _ => false,
    }
}
