//! Values as TLA+ text.
//!
//! A value may hold another one many times over and still take little memory, since it is shared. Its text is not: it
//! can be longer than any memory. So text is written up to a limit, and what was cut shows by its last character.

use std::fmt::{self, Display, Formatter, Write};

use super::function::key_at;
use super::{Domain, Fault, FaultKind, Names, Outcome, Symbolic, Truth, Value};

/// The longest text of a value, in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// A value with the table that its names are in. Displays as a TLA+ expression.
pub struct Shown<'a> {
    value: &'a Value,
    names: &'a Names,
}

impl Value {
    /// This value, ready to be displayed.
    pub fn shown<'a>(&'a self, names: &'a Names) -> Shown<'a> {
        Shown { value: self, names }
    }
}

/// Text that ends with an error where it gets too long.
struct Limited<'a> {
    out: &'a mut dyn Write,
    left: usize,
}

impl Write for Limited<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if text.len() <= self.left {
            self.left -= text.len();
            return self.out.write_str(text);
        }
        self.out.write_str(&text[..text.floor_char_boundary(self.left)])?;
        self.left = 0;
        Err(fmt::Error)
    }
}

impl Shown<'_> {
    /// The text, cut where it gets too long for a message.
    pub fn short(&self) -> String {
        let mut text = String::new();
        // No character takes more than four bytes.
        let cut = self.write(&mut Limited { out: &mut text, left: 4 * 200 }).is_err();
        match text.char_indices().nth(200) {
            Some((at, _)) => format!("{}…", &text[..at]),
            None if cut => format!("{text}…"),
            None => text,
        }
    }

    /// All of the text.
    ///
    /// # Errors
    /// If it is too long.
    pub fn whole(&self) -> Outcome<String> {
        let mut text = String::new();
        match self.write(&mut Limited { out: &mut text, left: MAX_TEXT }) {
            Ok(()) => Ok(text),
            Err(fmt::Error) => Err(Fault::kind(FaultKind::Limit(
                "the text of a value is too long",
                format!("more than {MAX_TEXT} bytes"),
            ))),
        }
    }

    fn inner(&self, value: &Value, out: &mut Limited<'_>) -> fmt::Result {
        value.shown(self.names).write(out)
    }

    fn list(&self, out: &mut Limited<'_>, values: &[Value]) -> fmt::Result {
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                out.write_str(", ")?;
            }
            self.inner(value, out)?;
        }
        Ok(())
    }

    /// Values with text before, between and behind them.
    fn around(&self, out: &mut Limited<'_>, texts: &[&str], values: &[&Value]) -> fmt::Result {
        let (last, before) = texts.split_last().expect("there is text behind the last value");
        for (text, value) in before.iter().zip(values) {
            out.write_str(text)?;
            self.inner(value, out)?;
        }
        out.write_str(last)
    }

    fn symbolic(&self, out: &mut Limited<'_>, kind: &Symbolic) -> fmt::Result {
        match kind {
            Symbolic::Nat => out.write_str("Nat"),
            Symbolic::Int => out.write_str("Int"),
            Symbolic::Real => out.write_str("Real"),
            Symbolic::Strings => out.write_str("STRING"),
            Symbolic::Any => out.write_str("Any"),
            Symbolic::Range(lo, hi) => write!(out, "{lo}..{hi}"),
            Symbolic::Subset(s) => self.around(out, &["SUBSET ", ""], &[s]),
            Symbolic::Functions(s, t) => self.around(out, &["[", " -> ", "]"], &[s, t]),
            Symbolic::Seq(s) => self.around(out, &["Seq(", ")"], &[s]),
            Symbolic::Bags(s) => self.around(out, &["BagsOver(", ")"], &[s]),
            Symbolic::Cup(a, b) => self.around(out, &["(", " \\cup ", ")"], &[a, b]),
            Symbolic::Cap(a, b) => self.around(out, &["(", " \\cap ", ")"], &[a, b]),
            Symbolic::Minus(a, b) => self.around(out, &["(", " \\ ", ")"], &[a, b]),
            Symbolic::Filter(s, _) => self.around(out, &["{x \\in ", " : …}"], &[s]),
            Symbolic::Union(parts) => {
                out.write_str("UNION {")?;
                self.list(out, parts)?;
                out.write_str("}")
            }
            Symbolic::Product(sets) => {
                for (i, set) in sets.iter().enumerate() {
                    let open = if i > 0 { " \\X (" } else { "(" };
                    self.around(out, &[open, ")"], &[set])?;
                }
                Ok(())
            }
            Symbolic::Records(keys, sets) => {
                out.write_str("[")?;
                self.fields(out, &keys.slice, sets, ": ")?;
                out.write_str("]")
            }
        }
    }

    fn fields(&self, out: &mut Limited<'_>, keys: &[Value], values: &[Value], between: &str) -> fmt::Result {
        for (i, (key, value)) in keys.iter().zip(values).enumerate() {
            let Value::Str(name) = key else { continue };
            let comma = if i > 0 { ", " } else { "" };
            write!(out, "{comma}{}{between}", self.names.text(*name))?;
            self.inner(value, out)?;
        }
        Ok(())
    }

    fn string(out: &mut Limited<'_>, text: &str) -> fmt::Result {
        out.write_str("\"")?;
        for c in text.chars() {
            match c {
                '"' => out.write_str("\\\"")?,
                '\\' => out.write_str("\\\\")?,
                '\n' => out.write_str("\\n")?,
                '\t' => out.write_str("\\t")?,
                '\r' => out.write_str("\\r")?,
                '\u{c}' => out.write_str("\\f")?,
                c => out.write_char(c)?,
            }
        }
        out.write_str("\"")
    }

    fn write(&self, out: &mut Limited<'_>) -> fmt::Result {
        match self.value {
            Value::Unset => out.write_str("?"),
            Value::Bool(Truth::True) => out.write_str("TRUE"),
            Value::Bool(Truth::False) => out.write_str("FALSE"),
            Value::Int(i) => write!(out, "{i}"),
            Value::Big(b) => write!(out, "{b}"),
            Value::Str(s) => Self::string(out, &self.names.text(*s)),
            Value::Model(s) => out.write_str(&self.names.text(*s)),
            Value::Set(set) => {
                out.write_str("{")?;
                self.list(out, &set.slice)?;
                out.write_str("}")
            }
            Value::Interval(ends) => write!(out, "{}..{}", ends.first(), ends.last()),
            Value::Lazy(lazy) => match lazy.listed() {
                Some(set) => self.inner(set, out),
                None => self.symbolic(out, &lazy.kind),
            },
            Value::Fn(function) => match &function.header.header.domain {
                Domain::Seq => {
                    out.write_str("<<")?;
                    self.list(out, &function.slice)?;
                    out.write_str(">>")
                }
                Domain::Keys(keys)
                    if keys
                        .slice
                        .iter()
                        .all(|k| matches!(k, Value::Str(s) if is_identifier(&self.names.text(*s)))) =>
                {
                    out.write_str("[")?;
                    self.fields(out, &keys.slice, &function.slice, " |-> ")?;
                    out.write_str("]")
                }
                _ => {
                    out.write_str("(")?;
                    for (i, value) in function.slice.iter().enumerate() {
                        if i > 0 {
                            out.write_str(" @@ ")?;
                        }
                        self.inner(&key_at(function, i), out)?;
                        out.write_str(" :> ")?;
                        self.inner(value, out)?;
                    }
                    out.write_str(")")
                }
            },
            Value::Failed(fault) => write!(out, "(no value: {})", fault.message(self.names)),
            Value::Operator(_) => out.write_str("(an operator)"),
        }
    }
}

/// Whether a text can be the name of a field.
fn is_identifier(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.chars().any(|c| c.is_ascii_alphabetic())
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut out = Limited { out: f, left: MAX_TEXT };
        match self.write(&mut out) {
            Err(fmt::Error) if out.left == 0 => f.write_str("…"),
            result => result,
        }
    }
}
