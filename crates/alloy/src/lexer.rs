//! From text to tokens.
//!
//! Spaces and comments separate tokens; comments `/** … */` are kept for the declaration that follows them. What
//! is no token is reported and skipped, so the parser always sees a whole file.

use locus_source::{Finding, SourceFile, Span};

use crate::rules;
use crate::token::{T, Token, keyword};

/// The tokens of a file, ending in [`T::End`].
pub(crate) struct Tokens {
    pub(crate) list: Vec<Token>,
    /// For each documentation comment: the index of the token after it, and where it stands.
    pub(crate) docs: Vec<(usize, Span)>,
    pub(crate) findings: Vec<Finding>,
}

/// Reads all tokens of a file.
pub(crate) fn lex(file: &SourceFile) -> Tokens {
    let code = markdown_code(file);
    let mut lexer =
        Lexer { file, at: 0, out: Tokens { list: Vec::new(), docs: Vec::new(), findings: Vec::new() } };
    match code {
        None => lexer.run(file.text().len()),
        Some(blocks) => {
            for block in blocks {
                lexer.at = block.start as usize;
                lexer.run(block.end as usize);
            }
        }
    }
    let end = file.text().len();
    lexer.out.list.push(Token { kind: T::End, span: Span::point(end) });
    lexer.out
}

/// The blocks marked as `alloy` in a Markdown file: one that starts with `---` on its own line, or is so named.
fn markdown_code(file: &SourceFile) -> Option<Vec<Span>> {
    let text = file.text();
    let named = file.name().rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case("md"));
    if !named && !text.starts_with("---\n") {
        return None;
    }
    let mut blocks = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        match open {
            Some(start) if trimmed == "```" => {
                blocks.push(Span::new(start, at));
                open = None;
            }
            None if trimmed == "```alloy" || trimmed == "```als" => open = Some(at + line.len()),
            _ => {}
        }
        at += line.len();
    }
    if let Some(start) = open {
        blocks.push(Span::new(start.min(text.len()), text.len()));
    }
    Some(blocks)
}

struct Lexer<'a> {
    file: &'a SourceFile,
    at: usize,
    out: Tokens,
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$' || c == '"'
}

/// The length of the name, number or word at the start of a text. Nearly all are ASCII, and then bytes will do.
fn word_length(rest: &str) -> usize {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'"');
    let ascii = rest.bytes().position(|b| !is_word(&b)).unwrap_or(rest.len());
    match rest.as_bytes().get(ascii) {
        Some(b) if !b.is_ascii() => rest.find(|c| !continues_name(c)).unwrap_or(rest.len()),
        _ => ascii,
    }
}

/// The length of what is left of a line.
fn line_length(rest: &str) -> usize {
    rest.bytes().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len())
}

impl Lexer<'_> {
    fn run(&mut self, end: usize) {
        let text = self.file.text();
        while self.at < end {
            let rest = &text[self.at..end];
            match rest.as_bytes() {
                [b' ' | b'\t' | b'\n' | b'\r', ..] => self.at += 1,
                [b'-', b'-', ..] | [b'/', b'/', ..] => self.at += line_length(rest),
                [b'/', b'*', ..] => self.comment(rest),
                [b'"', ..] => self.text(rest),
                [b'0'..=b'9', ..] => self.number(rest),
                [b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$', ..] => self.name(rest),
                _ => self.other(rest),
            }
        }
    }

    fn name(&mut self, rest: &str) {
        let length = word_length(rest);
        self.push(keyword(&rest[..length]).unwrap_or(T::Name), length);
    }

    /// A symbol, or what begins with something rare.
    fn other(&mut self, rest: &str) {
        if let Some((kind, length)) = symbol(rest) {
            self.push(kind, length);
            return;
        }
        let c = rest.chars().next().expect("there is a character before the end");
        if c.is_whitespace() {
            self.at += c.len_utf8();
        } else if starts_name(c) {
            self.name(rest);
        } else {
            let span = Span::new(self.at, self.at + c.len_utf8());
            self.complain(span, format!("the character {c:?} is not part of Alloy"));
            self.at = span.end as usize;
        }
    }

    fn push(&mut self, kind: T, length: usize) {
        self.out.list.push(Token { kind, span: Span::new(self.at, self.at + length) });
        self.at += length;
    }

    fn complain(&mut self, span: Span, message: impl Into<String>) {
        self.out.findings.push(Finding::new(&rules::LEXICAL, self.file.place(span), message));
    }

    fn comment(&mut self, rest: &str) {
        // Stars are rare, and one character is found faster than two.
        let mut stars = rest[2..].match_indices('*').map(|(at, _)| at + 2);
        let length = if let Some(star) = stars.find(|star| rest[star + 1..].starts_with('/')) {
            star + 2
        } else {
            self.complain(Span::new(self.at, self.at + 2), "this comment is never closed");
            rest.len()
        };
        if rest.starts_with("/**") && length > 4 {
            self.out.docs.push((self.out.list.len(), Span::new(self.at, self.at + length)));
        }
        self.at += length;
    }

    fn text(&mut self, rest: &str) {
        let mut length = 1;
        let mut chars = rest.char_indices().skip(1);
        let mut closed = false;
        while let Some((i, c)) = chars.next() {
            length = i + c.len_utf8();
            match c {
                '"' => {
                    closed = true;
                    break;
                }
                '\n' | '\r' => {
                    length = i;
                    break;
                }
                '\\' => {
                    if let Some((i, c @ ('n' | '"' | '\\'))) = chars.next() {
                        length = i + c.len_utf8();
                    } else {
                        let span = Span::new(self.at + i, self.at + i + 1);
                        self.complain(span, "strings know only three escapes: `\\\\`, `\\n` and `\\\"`");
                    }
                }
                _ => {}
            }
        }
        let span = Span::new(self.at, self.at + length);
        if !closed {
            self.complain(span, "this string is not closed on its line");
        } else if length == 2 {
            self.complain(span, "a string cannot be empty");
        } else if rest[length..].starts_with(continues_name) {
            self.complain(span, "a name cannot follow a string without a space");
        }
        self.push(T::Text, length);
    }

    fn number(&mut self, rest: &str) {
        let length = word_length(rest);
        if number(&rest[..length]).is_none() {
            let span = Span::new(self.at, self.at + length);
            let fits = rest[..length].bytes().all(|b| b.is_ascii_digit() || b == b'_');
            let why = if fits {
                "is too large: numbers have 31 bits"
            } else {
                "is not a number, and a name cannot start with a digit"
            };
            self.complain(span, format!("`{}` {why}", &rest[..length]));
        }
        self.push(T::Number, length);
    }
}

/// The value of a number as written: decimal, `0x…` or `0b…`, with `_` anywhere.
pub(crate) fn number(word: &str) -> Option<i64> {
    let digits = word.replace('_', "");
    let value = if let Some(hex) = digits.strip_prefix("0x") {
        i64::from_str_radix(hex, 16)
    } else if let Some(binary) = digits.strip_prefix("0b") {
        i64::from_str_radix(binary, 2)
    } else {
        digits.parse()
    };
    value.ok().filter(|&value| value <= i64::from(i32::MAX))
}

/// The value of a string literal with its quotes.
pub(crate) fn unquote(literal: &str) -> String {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => value.push('\n'),
                Some(other) => value.push(other),
                None => {}
            },
            c => value.push(c),
        }
    }
    value
}

fn symbol(rest: &str) -> Option<(T, usize)> {
    let (kind, length) = match rest.as_bytes() {
        [b'<', b'=', b'>', ..] => (T::Iff, 3),
        [b'>', b'>', b'>', ..] => (T::ShiftRight, 3),
        [b'&', b'&', ..] => (T::And, 2),
        [b'+', b'+', ..] => (T::PlusPlus, 2),
        [b'-', b'>', ..] => (T::Arrow, 2),
        [b':', b':', ..] => (T::Dot, 2),
        [b':', b'>', ..] => (T::Range, 2),
        [b'<', b'=', ..] | [b'=', b'<', ..] => (T::LessEqual, 2),
        [b'<', b':', ..] => (T::Domain, 2),
        [b'<', b'<', ..] => (T::ShiftLeft, 2),
        [b'=', b'>', ..] => (T::Implies, 2),
        [b'>', b'>', ..] => (T::ShiftArithmetic, 2),
        [b'>', b'=', ..] => (T::GreaterEqual, 2),
        [b'|', b'|', ..] => (T::Or, 2),
        [b'!', ..] => (T::Not, 1),
        [b'#', ..] => (T::Hash, 1),
        [b'&', ..] => (T::Ampersand, 1),
        [b'(', ..] => (T::LeftParen, 1),
        [b')', ..] => (T::RightParen, 1),
        [b'*', ..] => (T::Star, 1),
        [b'+', ..] => (T::Plus, 1),
        [b',', ..] => (T::Comma, 1),
        [b'-', ..] => (T::Minus, 1),
        [b'.', ..] => (T::Dot, 1),
        [b'/', ..] => (T::Slash, 1),
        [b':', ..] => (T::Colon, 1),
        [b'<', ..] => (T::Less, 1),
        [b'=', ..] => (T::Equals, 1),
        [b'>', ..] => (T::Greater, 1),
        [b'@', ..] => (T::At, 1),
        [b'[', ..] => (T::LeftBracket, 1),
        [b']', ..] => (T::RightBracket, 1),
        [b'^', ..] => (T::Caret, 1),
        [b'{', ..] => (T::LeftBrace, 1),
        [b'|', ..] => (T::Bar, 1),
        [b'}', ..] => (T::RightBrace, 1),
        [b'~', ..] => (T::Tilde, 1),
        [b';', ..] => (T::Semicolon, 1),
        [b'\'', ..] => (T::Prime, 1),
        _ if rest.starts_with(['\u{2018}', '\u{2019}']) => (T::Prime, '\u{2018}'.len_utf8()),
        _ => return None,
    };
    Some((kind, length))
}

#[cfg(test)]
mod tests {
    use locus_source::Sources;

    use super::*;

    fn kinds(text: &str) -> (Vec<T>, Vec<String>) {
        let sources = Sources::new();
        let tokens = lex(&sources.add("test.als", text));
        (
            tokens.list.iter().map(|token| token.kind).collect(),
            tokens.findings.into_iter().map(|finding| finding.message).collect(),
        )
    }

    #[test]
    fn the_longest_symbol_wins() {
        use T::*;
        assert_eq!(
            kinds("<=> <= =< => >>> >> := :> a::b").0,
            [
                Iff,
                LessEqual,
                LessEqual,
                Implies,
                ShiftRight,
                ShiftArithmetic,
                Colon,
                Equals,
                Range,
                Name,
                Dot,
                Name,
                End
            ]
        );
    }

    #[test]
    fn comments_and_names() {
        use T::*;
        let (tokens, findings) = kinds("a -- b\n// c\n/* d \n */ i\" $x \u{e9}t\u{e9} 1_000 0xFF");
        assert_eq!(tokens, [Name, Name, Name, Name, Number, Number, End]);
        assert!(findings.is_empty(), "{findings:?}");
    }

    #[test]
    fn what_is_no_token_is_reported_and_skipped() {
        let (tokens, findings) = kinds("a ? \"x\n 3b 99999999999 /* ");
        assert_eq!(tokens, [T::Name, T::Text, T::Number, T::Number, T::End]);
        assert_eq!(findings.len(), 5, "{findings:?}");
    }

    #[test]
    fn strings_are_unescaped() {
        assert_eq!(unquote(r#""a\"\\\n""#), "a\"\\\n");
    }

    #[test]
    fn only_code_blocks_of_markdown_are_read() {
        let (tokens, _) = kinds("---\ntitle: x\n---\nsig?\n```alloy\nsig A {}\n```\n?\n");
        assert_eq!(tokens, [T::Sig, T::Name, T::LeftBrace, T::RightBrace, T::End]);
    }
}
