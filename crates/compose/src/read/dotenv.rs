//! Files of variables: `.env`, `--env-file`, `env_file` and `label_file`, as Compose's fork of godotenv reads them.

use std::collections::BTreeMap;

use crate::values::template::{Lookup, Made, TemplateError, substitute};

/// Variables by name.
pub type Variables = BTreeMap<String, String>;

/// Why a file of variables cannot be read: in which line, counted from 1, and what is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DotenvError {
    pub(crate) line: u32,
    pub(crate) message: String,
}

/// Reads a file and adds its variables to `out`. A value may use variables that `known` has, and those before it.
/// Returns the names of variables that are used and have no value.
pub(crate) fn read(
    text: &str,
    out: &mut Variables,
    known: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<String>, DotenvError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = Reader { text, rest: text, out, known, made: Made::default(), unset: Vec::new() };
    while reader.statement()? {}
    Ok(reader.unset)
}

/// Reads a file in which a value is what stands after `=`, without quotes or variables.
pub(crate) fn read_raw(
    text: &str,
    out: &mut Variables,
    known: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<String>, DotenvError> {
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, value) = match line.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (line.trim_end(), None),
        };
        if name.is_empty() || name.contains([' ', '\t']) {
            let message = "the name of a variable cannot be empty or contain a blank".to_owned();
            return Err(DotenvError { line: at as u32 + 1, message });
        }
        if let Some(value) = value.or_else(|| known(name)) {
            out.insert(name.to_owned(), value);
        }
    }
    Ok(Vec::new())
}

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
    out: &'a mut Variables,
    known: &'a dyn Fn(&str) -> Option<String>,
    /// The values that were made of variables.
    made: Made,
    unset: Vec<String>,
}

/// The most bytes of all values of a file that are made of variables.
const MOST_MADE: usize = 16 << 20;

/// A blank that does not end a line.
fn is_blank(c: char) -> bool {
    matches!(c, '\t' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{85}' | '\u{a0}')
}

impl Reader<'_> {
    fn error(&self, at: &str, message: impl Into<String>) -> DotenvError {
        let offset = self.text.len() - at.len();
        let line = self.text[..offset].matches('\n').count() as u32 + 1;
        DotenvError { line, message: message.into() }
    }

    /// Reads one statement; whether there was one.
    fn statement(&mut self) -> Result<bool, DotenvError> {
        self.rest = self.rest.trim_start();
        while self.rest.starts_with('#') {
            match self.rest.find('\n') {
                Some(end) => self.rest = self.rest[end..].trim_start(),
                None => return Ok(false),
            }
        }
        if self.rest.is_empty() {
            return Ok(false);
        }
        let start = self.rest;
        let (key, inherited) = self.key()?;
        if key.contains(' ') {
            return Err(self.error(start, "the name of a variable cannot contain a space"));
        }
        if inherited {
            if let Some(value) = (self.known)(&key) {
                self.out.insert(key, value);
            }
        } else {
            let value = self.value()?;
            self.out.insert(key, value);
        }
        Ok(true)
    }

    /// The name, and whether it stands alone, so that its value comes from elsewhere.
    fn key(&mut self) -> Result<(String, bool), DotenvError> {
        let mut source = self.rest;
        if let Some(after) = source.strip_prefix("export")
            && after.starts_with([' ', '\t', '\n', '\r', '\u{c}'])
        {
            source = after.trim_start_matches(is_blank);
        }
        for (at, c) in source.char_indices() {
            match c {
                c if is_blank(c) => {}
                '=' | ':' | '\n' => {
                    let key = source[..at].trim_end().to_owned();
                    self.rest = source[at + 1..].trim_start_matches(is_blank);
                    return Ok((key, c == '\n'));
                }
                '_' | '.' | '-' | '[' | ']' => {}
                c if c.is_alphanumeric() => {}
                c => {
                    let message = format!("`{}` cannot be in the name of a variable", c.escape_debug());
                    return Err(self.error(&source[at..], message));
                }
            }
        }
        // The text ends in the middle of a name. Compose takes an empty name and reads the rest as its value.
        self.rest = source.trim_start_matches(is_blank);
        Ok((String::new(), false))
    }

    fn value(&mut self) -> Result<String, DotenvError> {
        let source = self.rest;
        let Some(&quote @ (b'"' | b'\'')) = source.as_bytes().first() else {
            let (line, rest) = source.split_once('\n').unwrap_or((source, ""));
            let value = line.split_once(" #").map_or(line, |(value, _)| value).trim_end();
            self.rest = rest;
            return self.expand(value, source);
        };
        let mut value = Vec::new();
        let mut escape = false;
        for (at, &byte) in source.as_bytes().iter().enumerate().skip(1) {
            if byte == quote && !escape {
                let value = String::from_utf8_lossy(&value).into_owned();
                self.rest = &source[at + 1..];
                return if quote == b'"' { self.expand(&unescape(&value), source) } else { Ok(value) };
            }
            if byte == quote {
                escape = false;
                value.push(byte);
            } else if byte == b'\\' && !escape {
                escape = true;
            } else {
                if escape {
                    escape = false;
                    value.push(b'\\');
                }
                value.push(byte);
            }
        }
        Err(self.error(source, "this quote is never closed"))
    }

    fn expand(&mut self, value: &str, source: &str) -> Result<String, DotenvError> {
        struct Both<'b>(&'b dyn Fn(&str) -> Option<String>, &'b Variables, Vec<String>);
        impl Lookup for Both<'_> {
            fn value(&self, name: &str) -> Option<String> {
                (self.0)(name).or_else(|| self.1.get(name).cloned())
            }
            fn unset(&mut self, name: &str) {
                self.2.push(name.to_owned());
            }
        }
        let mut both = Both(self.known, self.out, Vec::new());
        let result = substitute(value, &mut both);
        let unset = both.2;
        self.unset.extend(unset);
        let result = result.map_err(|error| self.error(source, error.message()))?;
        if !self.made.has_room(value, &result, MOST_MADE) {
            return Err(
                self.error(source, "the values of this file are longer than 16 MB with their variables")
            );
        }
        Ok(result)
    }
}

impl TemplateError {
    /// All that is wrong, for a message.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::Format => "`$` starts a variable, and this is not one".to_owned(),
            Self::Missing { name, message } if message.is_empty() => {
                format!("the variable `{name}` must have a value")
            }
            Self::Missing { name, message } => {
                format!("the variable `{name}` must have a value: {message}")
            }
            Self::Deep => "variables are nested too deep in defaults of variables".to_owned(),
            Self::Long => "this is longer than 1 MB with the values of its variables".to_owned(),
        }
    }
}

/// The escapes that shells know, in double quotes.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let Some(&sign) = after.as_bytes().first() else {
            out.push('\\');
            return out;
        };
        let replacement = match sign {
            b'a' => "\u{7}",
            b'b' => "\u{8}",
            b'f' => "\u{c}",
            b'n' => "\n",
            b'r' => "\r",
            b't' => "\t",
            b'v' => "\u{b}",
            b'"' => "\"",
            b'\\' => "\\",
            // The dollar sign of a template, not the start of a variable.
            b'$' => "$$",
            b'0' => {
                let digits = after[1..].bytes().take(3).take_while(u8::is_ascii_digit).count();
                let octal = &after[1..=digits];
                match u8::from_str_radix(octal, 8) {
                    Ok(code) if digits == 3 => out.push(char::from(code)),
                    _ => {
                        out.push('\\');
                        out.push_str(octal);
                    }
                }
                rest = &after[1 + digits..];
                continue;
            }
            _ => {
                out.push('\\');
                rest = after;
                continue;
            }
        };
        out.push_str(replacement);
        rest = &after[1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Variables, DotenvError> {
        let mut out = Variables::new();
        let known = |name: &str| (name == "HOME").then(|| "/root".to_owned());
        read(text, &mut out, &known).map(|_| out)
    }

    #[test]
    fn variables_are_read_as_compose_reads_them() {
        let text = "# c\nA=1\nexport B = two # no\nC='$A \\n'\nD=\"$A\\n\\$A\"\nE: yaml\nHOME\nF=\nG=a#b\n";
        let expected = [
            ("A", "1"),
            ("B", "two"),
            ("C", "$A \\n"),
            ("D", "1\n$A"),
            ("E", "yaml"),
            ("F", ""),
            ("G", "a#b"),
            ("HOME", "/root"),
        ];
        let expected: Variables =
            expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        assert_eq!(of(text), Ok(expected));
    }

    #[test]
    fn variables_that_double_come_to_an_end() {
        let doubling = "A=aaaaaaaa\n".to_owned() + &"A=$A$A\n".repeat(60);
        let error = of(&doubling).unwrap_err();
        assert_eq!((error.line, error.message.contains("1 MB")), (19, true), "{error:?}");
        // A variable that is set again counts again.
        let large = format!("A={}\n{}", "a".repeat(1 << 19), "B=$A\n".repeat(100));
        let error = of(&large).unwrap_err();
        assert_eq!((error.line, error.message.contains("16 MB")), (34, true), "{error:?}");
    }

    #[test]
    fn mistakes_have_their_line() {
        let error = |line, message: &str| Err(DotenvError { line, message: message.to_owned() });
        assert_eq!(of("A=1\nB='x\n"), error(2, "this quote is never closed"));
        assert_eq!(of("\n\nA%=1"), error(3, "`%` cannot be in the name of a variable"));
        assert_eq!(of("A B=1"), error(1, "the name of a variable cannot contain a space"));
        assert!(of("A=${").is_err());
    }
}
