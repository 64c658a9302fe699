//! Texts that are no YAML: what is wrong, at the place where the mistake was made rather than where the parser
//! gave up, and what to do.

use granit_parser::{ErrorKind, ScanError};

use super::events::next_sign;
use super::{messages, rules};
use crate::tree::Style;
use crate::{Finding, Limits, SourceFile, Span};

/// Where the parser stands when it gives up.
struct Stop<'s> {
    file: &'s SourceFile,
    text: &'s str,
    /// Where it gave up.
    at: usize,
    /// Where the last token ended before.
    cursor: usize,
    /// The innermost bracket that is open, if the innermost collection is one in brackets.
    bracket: Option<Span>,
}

/// A finding for an error of the event parser.
pub(super) fn finding(
    file: &SourceFile,
    limits: &Limits,
    error: &ScanError,
    (at, cursor): (usize, usize),
    open: Option<(Span, Style)>,
) -> Finding {
    let text = file.text();
    let at = text.floor_char_boundary(at);
    let bracket = open
        .filter(|&(span, style)| style == Style::Flow && text[span.range().start..].starts_with(['[', '{']));
    let bracket = bracket.map(|(span, _)| Span { start: span.start, end: span.start + 1 });
    let stop = Stop { file, text, at, cursor, bracket };
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return messages::too_deep(file, limits, stop.character(at));
    }
    stop.quotes(error.kind())
        .or_else(|| stop.brackets(error.kind()))
        .or_else(|| stop.lines(error.kind()))
        .or_else(|| stop.words(error.kind()))
        .unwrap_or_else(|| stop.finding(stop.character(at), error.kind().to_string()))
}

/// A finding for a tab that should be spaces.
pub(super) fn tab(file: &SourceFile, at: usize) -> Finding {
    let place = file.place(Span::new(at, at + 1));
    Finding::new(&rules::SYNTAX, place, "a tab cannot indent a line").help("use spaces")
}

impl<'s> Stop<'s> {
    fn finding(&self, span: Span, message: impl Into<String>) -> Finding {
        Finding::new(&rules::SYNTAX, self.file.place(span), message)
    }

    /// The character at an offset, or nothing at the end of a line.
    fn character(&self, at: usize) -> Span {
        let next = self.text[at..].chars().next().filter(|c| *c != '\n' && *c != '\r');
        Span::new(at, at + next.map_or(0, char::len_utf8))
    }

    /// The line of an offset and where it starts.
    fn line(&self, at: usize) -> (&'s str, usize) {
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let end = self.text[at..].find('\n').map_or(self.text.len(), |newline| at + newline);
        (self.text[start..end].trim_end_matches('\r'), start)
    }

    /// The last line before that of an offset which is not blank.
    fn line_before(&self, at: usize) -> Option<(&'s str, usize)> {
        let (_, mut start) = self.line(at);
        while start > 0 {
            let (line, before) = self.line(start - 1);
            if !line.trim().is_empty() {
                return Some((line, before));
            }
            start = before;
        }
        None
    }

    fn quotes(&self, kind: &ErrorKind) -> Option<Finding> {
        match kind {
            ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
                let quote = opening_quote(self.text, self.cursor, self.at).unwrap_or(self.at);
                Some(self.finding(self.character(quote), "this quote is never closed"))
            }
            ErrorKind::InvalidQuotedScalarIndent => {
                let quote = opening_quote(self.text, self.cursor, self.at)?;
                let finding = self.finding(self.character(quote), "this quote is not closed in its line");
                let finding = match self.character(self.at) {
                    span if span.is_empty() => finding,
                    span => {
                        finding.also(self.file.place(span), "this line is not indented as part of the text")
                    }
                };
                Some(finding.help("close the quote, or indent the lines that go on with the text"))
            }
            ErrorKind::InvalidTrailingSingleQuotedScalar => {
                let help = "write an apostrophe in single quotes as two: `'it''s'`";
                Some(self.finding(self.character(self.at), "text goes on after the closing quote").help(help))
            }
            ErrorKind::InvalidTrailingDoubleQuotedScalar => {
                let help = "put all of the value in quotes; write a quote in it as `\\\"`";
                Some(self.finding(self.character(self.at), "text goes on after the closing quote").help(help))
            }
            ErrorKind::UnknownQuotedScalarEscape => {
                let escape = self.bad_escape()?;
                let written = self.file.slice(escape).escape_debug().to_string().replace("\\\\", "\\");
                let help = "write a backslash as `\\\\`, or use single quotes, where it is only a backslash";
                Some(
                    self.finding(escape, format!("`{written}` is not an escape sequence of YAML")).help(help),
                )
            }
            _ => None,
        }
    }

    /// The first escape that YAML does not know, after the quote where the parser stopped.
    fn bad_escape(&self) -> Option<Span> {
        let mut chars = self.text[self.at..].char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            if c == '\\' {
                let (_, escaped) = chars.next()?;
                if !"0abtnvfre \"/\\N_LPxuU\t\n\r".contains(escaped) {
                    let start = self.at + i;
                    return Some(Span::new(start, start + 1 + escaped.len_utf8()));
                }
            }
        }
        None
    }

    fn brackets(&self, kind: &ErrorKind) -> Option<Finding> {
        let here = self.character(self.at);
        match kind {
            ErrorKind::UnclosedFlowCollection { open } => {
                Some(self.finding(here, format!("this `{open}` is never closed")))
            }
            ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
                let message = format!("this `{open}` is closed by `{close}`");
                Some(self.finding(here, message))
            }
            ErrorKind::MisplacedFlowCollectionEnd => Some(self.finding(here, "this bracket closes nothing")),
            // YAML 1.2 and libyaml refuse it; the loader of PyYAML in Python, and SnakeYAML, read it.
            ErrorKind::FlowMappingValueAdjacentCollection => {
                let finding = self.finding(here, "a value in brackets follows this colon without a blank");
                Some(finding.help("put a blank after the colon"))
            }
            ErrorKind::InvalidColonPlacement => {
                let bracket = self.bracket?;
                let message =
                    format!("this `{}` is not closed before the next key", self.file.slice(bracket));
                Some(self.finding(bracket, message).also(self.file.place(here), "the colon of the next key"))
            }
            ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
                let bracket = self.bracket?;
                let end = if self.file.slice(bracket) == "{" { '}' } else { ']' };
                let finding = self.finding(here, format!("a comma or `{end}` must stand here"));
                Some(finding.also(self.file.place(bracket), "opened here"))
            }
            _ => None,
        }
    }

    /// Explains a fault in how lines are indented or begin.
    fn lines(&self, kind: &ErrorKind) -> Option<Finding> {
        match kind {
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart => Some(tab(self.file, self.indenting_tab()?)),
            ErrorKind::MappingValueNotAllowed => Some(self.second_colon()),
            ErrorKind::ExpectedBlockMappingKey => Some(self.no_key()),
            ErrorKind::ExpectedBlockSequenceEntry => {
                let finding =
                    self.finding(self.character(self.at), "an item of the list must start here, with `- `");
                Some(finding.help("indent the line further if it belongs to the item before"))
            }
            ErrorKind::BlockSequenceEntryNotAllowed => {
                let message = "a list cannot start in the line of its key";
                let help = "start the list in the next line, or quote the text if no list is meant";
                Some(self.finding(self.character(self.at), message).help(help))
            }
            ErrorKind::SimpleKeyExpected => {
                let finding = self.finding(self.character(self.at), "a colon must follow a key");
                Some(finding.help("indent the line further if it goes on with the text before"))
            }
            _ => None,
        }
    }

    /// The tab in the indentation of the line where the parser stopped, or soon after.
    fn indenting_tab(&self) -> Option<usize> {
        let (_, mut start) = self.line(self.at);
        for _ in 0..100 {
            let line = &self.text[start..];
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            match line[..indent].find('\t') {
                Some(tab) => return Some(start + tab),
                None => start += line.find('\n')? + 1,
            }
        }
        None
    }

    /// A colon that would make a key where none can be.
    fn second_colon(&self) -> Finding {
        let (line, start) = self.line(self.at);
        let here = self.character(self.at);
        if let Some(first) = line[..self.at - start].find(": ") {
            let first = Span::new(start + first, start + first + 1);
            return self
                .finding(here, "a second colon in one line")
                .also(self.file.place(first), "the key ends here")
                .help("put the value in quotes if the colon belongs to it");
        }
        let joined = self.line_before(self.at).and_then(|(before, start)| {
            let text = before.trim_start();
            let indent = before.len() - text.len();
            let (sign, after) = if text.starts_with('-') { (0, "dash") } else { (text.find(':')?, "colon") };
            let next = text[sign + 1..].chars().next()?;
            (!next.is_whitespace() && !before.contains(": "))
                .then(|| (Span::new(start + indent + sign, start + indent + sign + 1), after))
        });
        if let Some((sign, name)) = joined {
            return self
                .finding(sign, format!("a space must follow this {name}"))
                .also(self.file.place(here), "so that this line is not read as more of the same text");
        }
        if self.line_before(self.at).is_none() {
            return self.finding(here, "a key cannot end here");
        }
        self.finding(here, "a key cannot stand here, because the line before has a value already")
            .help("indent the key like those above it")
    }

    /// Something that is not a key where a key must come.
    fn no_key(&self) -> Finding {
        let (line, start) = self.line(self.at);
        let text = line.trim_start();
        let first = start + line.len() - text.len();
        if text.starts_with("- ") || text == "-" {
            return self
                .finding(Span::new(first, first + 1), "an item of a list cannot stand among keys")
                .help(
                    "indent the list further than the key that it belongs to, and give that no other value",
                );
        }
        if let Some(braces) = line.find("{{") {
            let span = Span::new(start + braces, start + braces + 2);
            let finding = self.finding(span, "`{{` starts a mapping, not a placeholder");
            return finding.help("put a value that starts with `{{` in quotes");
        }
        self.finding(self.character(self.at), "a key must stand here, indented like those above it")
            .help("give all keys of a mapping the same indentation")
    }

    /// Explains a fault in a single word.
    fn words(&self, kind: &ErrorKind) -> Option<Finding> {
        let here = self.character(self.at);
        match kind {
            ErrorKind::UnexpectedCharacter { character } => {
                let message = match character {
                    '`' => "a text cannot start with a backtick".to_owned(),
                    _ => format!("a text cannot start with `{}`", character.escape_debug()),
                };
                Some(self.finding(here, message).help("put the text in quotes"))
            }
            ErrorKind::MissingAnchorOrAliasName => {
                let sign = self.file.slice(here);
                let what = if sign == "*" { "an alias" } else { "an anchor" };
                let finding = self.finding(here, format!("a name must follow `{sign}`, which starts {what}"));
                Some(finding.help("put the text in quotes if none is meant"))
            }
            ErrorKind::UndeclaredTagHandle => {
                let rest = &self.text[self.at..];
                let length =
                    rest.find(|c: char| c.is_whitespace() || ",[]{}".contains(c)).unwrap_or(rest.len());
                let span = Span::new(self.at, self.at + length);
                let finding = self.finding(span, "the start of this tag is not declared");
                Some(finding.help("declare it with `%TAG` before the document, or use one exclamation mark"))
            }
            ErrorKind::InvalidBlockScalarHeader => {
                let message = format!("the line must end after `{}`", self.file.slice(here));
                Some(self.finding(here, message).help("start the text in the next line, indented"))
            }
            ErrorKind::UnsupportedYamlMajorVersion => {
                Some(self.finding(here, "this version of YAML is not known").help("leave the line out"))
            }
            _ => None,
        }
    }
}

/// The quote that is open where the parser stopped: the first after the last token that has no partner.
pub(super) fn opening_quote(text: &str, cursor: usize, stop: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = cursor;
    loop {
        at = next_sign(text, at, b":-?,[]{}");
        let quote = *bytes.get(at).filter(|_| at <= stop)?;
        if quote == b'"' || quote == b'\'' {
            match closing_quote(&bytes[..stop], at) {
                Some(end) => at = end + 1,
                None => return Some(at),
            }
        } else {
            // A word of at least one character, or the search would not go on.
            let rest = &bytes[at + 1..];
            at += 1 + rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        }
    }
}

/// Where the quote that opens at `at` is closed.
pub(super) fn closing_quote(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = *bytes.get(at)?;
    let mut end = at + 1;
    loop {
        match *bytes.get(end)? {
            b'\\' if quote == b'"' => end += 2,
            byte if byte == quote && quote == b'\'' && bytes.get(end + 1) == Some(&quote) => end += 2,
            byte if byte == quote => return Some(end),
            _ => end += 1,
        }
    }
}
