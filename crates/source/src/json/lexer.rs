//! The words of JSON: blanks, comments, strings, numbers.

use std::borrow::Cow;
use std::sync::Arc;

use super::{JsonOptions, rules};
use crate::tree::MOST_PROBLEMS;
use crate::{Finding, Report, SourceFile, Span};

/// A position in the text, and what was met on the way to it.
pub(super) struct Lexer<'s> {
    file: &'s Arc<SourceFile>,
    bytes: &'s [u8],
    at: usize,
    allow_comments: bool,
    pub(super) comments: Vec<Span>,
    pub(super) findings: Report,
}

impl<'s> Lexer<'s> {
    pub(super) fn new(file: &'s Arc<SourceFile>, options: &JsonOptions) -> Self {
        Self {
            file,
            bytes: file.text().as_bytes(),
            at: 0,
            allow_comments: options.comments,
            comments: Vec::new(),
            findings: Report::new(MOST_PROBLEMS),
        }
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn byte(&self, at: u32) -> Option<u8> {
        self.bytes.get(at as usize).copied()
    }

    /// Goes past one byte, which is ASCII.
    pub(super) fn bump(&mut self) {
        self.at += 1;
    }

    /// Goes past blanks and comments.
    pub(super) fn skip_blanks(&mut self) -> Result<(), Box<Finding>> {
        loop {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\n' | b'\r')).count();
            let rest = &self.bytes[self.at..];
            let length = match rest {
                [b'/', b'/', ..] | [b'#', ..] => {
                    rest.iter().take_while(|b| !matches!(b, b'\n' | b'\r')).count()
                }
                [b'/', b'*', ..] => match rest.windows(2).skip(2).position(|pair| pair == b"*/") {
                    Some(end) => end + 4,
                    None => {
                        return Err(self
                            .finding(self.at..self.at + 2, "this comment is never closed")
                            .into());
                    }
                },
                _ => return Ok(()),
            };
            let span = Span::new(self.at, self.at + length);
            self.comments.push(span);
            self.at += length;
            if !self.allow_comments || rest[0] == b'#' {
                let finding = Finding::new(&rules::COMMENT, self.file.place(span), "JSON has no comments");
                self.report(finding.help("remove the comment"));
            }
        }
    }

    /// A string in double quotes: its text, and its span with the quotes.
    pub(super) fn string(&mut self) -> Result<(Cow<'s, str>, Span), Box<Finding>> {
        let start = self.at;
        self.bump();
        let mut text = Cow::Borrowed("");
        loop {
            let rest = &self.bytes[self.at..];
            let run = rest.iter().take_while(|&&b| b != b'"' && b != b'\\' && b >= b' ').count();
            let piece = &self.file.text()[self.at..self.at + run];
            if text.is_empty() {
                text = Cow::Borrowed(piece);
            } else {
                text.to_mut().push_str(piece);
            }
            self.at += run;
            match self.peek() {
                Some(b'"') => {
                    self.bump();
                    return Ok((text, Span::new(start, self.at)));
                }
                Some(b'\\') => {
                    let c = self.escape(start)?;
                    text.to_mut().push(c);
                }
                None | Some(b'\n' | b'\r') => {
                    let finding = self.finding(start..start + 1, "this string is never closed");
                    return Err(finding
                        .help("put a double quote at its end; write a line break as `\\n`")
                        .into());
                }
                Some(control) => {
                    let message = format!("a string must not contain the control character {control:#04x}");
                    let finding = self.finding(self.at..self.at + 1, &message);
                    let escape =
                        if control == b'\t' { "\\t".to_owned() } else { format!("\\u{control:04x}") };
                    return Err(finding.help(format!("write it as `{escape}`")).into());
                }
            }
        }
    }

    /// An escape in the string that starts at `string`.
    fn escape(&mut self, string: usize) -> Result<char, Box<Finding>> {
        let start = self.at;
        let Some(&letter) = self.bytes.get(start + 1) else {
            return Err(self.finding(string..string + 1, "this string is never closed").into());
        };
        self.at += 2;
        Ok(match letter {
            b'"' | b'\\' | b'/' => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(start),
            _ => {
                let end = start + 1 + self.file.text()[start + 1..].chars().next().map_or(0, char::len_utf8);
                let finding = self.finding(start..end, "JSON has no such escape");
                return Err(finding.help("write a backslash as `\\\\`").into());
            }
        })
    }

    /// The rest of an escape after `\u`, two of them for characters beyond U+FFFF.
    fn unicode_escape(&mut self, start: usize) -> Result<char, Box<Finding>> {
        let Some(first) = self.hex() else {
            let message = "four hexadecimal digits must follow `\\u`";
            return Err(self.finding(start..start + 2, message).into());
        };
        let pair = if (0xd800..0xdc00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 2;
            self.hex().filter(|low| (0xdc00..0xe000).contains(low))
        } else {
            None
        };
        let code = pair.map_or(first, |low| 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00));
        char::from_u32(code).ok_or_else(|| {
            let finding = self.finding(start..start + 6, "this escape is half of a character");
            let help =
                "characters beyond U+FFFF are two escapes: \\ud800 to \\udbff, then \\udc00 to \\udfff";
            finding.help(help).into()
        })
    }

    fn hex(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        let mut value = 0;
        for &digit in digits {
            value = value << 4 | char::from(digit).to_digit(16)?;
        }
        self.at += 4;
        Some(value)
    }

    /// A number, `true`, `false` or `null`.
    pub(super) fn word(&mut self) -> Result<Span, Box<Finding>> {
        let start = self.at;
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"+-._$".contains(b) || !b.is_ascii();
        let length = self.bytes[start..].iter().take_while(|b| is_part(b)).count();
        let word = &self.file.text()[start..start + length];
        if is_number(word.as_bytes()) {
            if word.len() > 300 || word.contains(['e', 'E']) {
                self.check_range(word, start)?;
            }
        } else if !matches!(word, "true" | "false" | "null") {
            return Err(self.bad_word(word, start).into());
        }
        self.at += length;
        Ok(Span::new(start, self.at))
    }

    fn check_range(&self, word: &str, start: usize) -> Result<(), Box<Finding>> {
        let is_integer = !word.contains(['.', 'e', 'E']);
        if is_integer || word.parse::<f64>().is_ok_and(f64::is_finite) {
            return Ok(());
        }
        let place = self.file.place(Span::new(start, start + word.len()));
        Err(Finding::new(&rules::NUMBER_RANGE, place, "this number is beyond 1.8e308").into())
    }

    fn bad_word(&self, word: &str, start: usize) -> Finding {
        if word.is_empty() {
            let finding = self.unexpected("a value must stand here");
            return if self.peek() == Some(b'\'') { finding.help("use double quotes") } else { finding };
        }
        let finding = |message: &str| self.finding(start..start + word.len(), message);
        let bare = word.trim_start_matches(['-', '+']);
        let digits = bare.starts_with(|c: char| c.is_ascii_digit());
        match word {
            "True" | "TRUE" | "False" | "FALSE" | "None" | "NULL" | "Null" | "undefined" => {
                finding("this is not a JSON value").help("write `true`, `false` or `null`")
            }
            _ if matches!(bare, "NaN" | "Infinity" | "inf" | "nan") => {
                finding("JSON has only finite numbers")
            }
            _ if word.starts_with('+') && digits => finding("a number must not start with a plus sign"),
            _ if bare.starts_with("0x") || bare.starts_with("0X") => finding("JSON has only decimal numbers"),
            _ if bare.starts_with('0') && bare[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                finding("a number must not start with a zero")
            }
            _ if digits || bare.starts_with('.') => finding("this is not a number as JSON writes it")
                .help("there must be digits before and after the point and after the `e`"),
            _ => finding("a value must stand here").help("write a text in double quotes"),
        }
    }

    /// A finding for what stands where a key must stand.
    pub(super) fn bad_key(&self) -> Finding {
        let finding = self.unexpected("a key in double quotes must stand here");
        match self.peek() {
            Some(b) if b.is_ascii_alphanumeric() || b"'_$".contains(&b) => finding.help("use double quotes"),
            _ => finding,
        }
    }

    /// A finding for a bracket that is never closed.
    pub(super) fn unclosed(&self, open: Span) -> Finding {
        let start = open.start as usize;
        self.finding(start..start + 1, "this bracket is never closed")
            .also(self.file.place(Span::point(self.bytes.len())), "the file ends here")
    }

    /// A finding at the next character.
    pub(super) fn unexpected(&self, message: &str) -> Finding {
        let next = self.file.text()[self.at..].chars().next();
        let message = match next {
            Some(_) => message.to_owned(),
            None if self.file.text().trim_ascii().is_empty() => {
                "the file is empty; JSON needs a value".to_owned()
            }
            None => format!("the file ends, but {message}"),
        };
        self.finding(self.at..self.at + next.map_or(0, char::len_utf8), &message)
    }

    fn finding(&self, range: std::ops::Range<usize>, message: &str) -> Finding {
        Finding::new(&rules::SYNTAX, self.file.place(Span::new(range.start, range.end)), message)
    }
}

/// Whether a word is a number as JSON writes it.
fn is_number(word: &[u8]) -> bool {
    fn digits(word: &[u8]) -> Option<&[u8]> {
        let count = word.iter().take_while(|b| b.is_ascii_digit()).count();
        (count > 0).then(|| &word[count..])
    }
    let rest = word.strip_prefix(b"-").unwrap_or(word);
    let mut rest = match rest {
        [b'0', rest @ ..] => rest,
        _ => match digits(rest) {
            Some(rest) => rest,
            None => return false,
        },
    };
    if let [b'.', fraction @ ..] = rest {
        match digits(fraction) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    if let [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] = rest {
        match digits(exponent) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}
