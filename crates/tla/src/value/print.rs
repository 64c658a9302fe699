//! Values as TLA+ text.

use std::fmt::{self, Display, Formatter};

use super::function::key_at;
use super::{Domain, Names, Symbolic, Value};

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

impl Shown<'_> {
    /// The text, cut where it gets too long for a message.
    pub fn short(&self) -> String {
        let text = self.to_string();
        if text.chars().count() <= 200 {
            return text;
        }
        let cut: String = text.chars().take(200).collect();
        format!("{cut}…")
    }

    fn list(&self, f: &mut Formatter<'_>, values: &[Value]) -> fmt::Result {
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            value.shown(self.names).fmt(f)?;
        }
        Ok(())
    }

    fn symbolic(&self, f: &mut Formatter<'_>, kind: &Symbolic) -> fmt::Result {
        let show = |v: &Value| v.shown(self.names).to_string();
        match kind {
            Symbolic::Nat => f.write_str("Nat"),
            Symbolic::Int => f.write_str("Int"),
            Symbolic::Real => f.write_str("Real"),
            Symbolic::Strings => f.write_str("STRING"),
            Symbolic::Any => f.write_str("Any"),
            Symbolic::Range(lo, hi) => write!(f, "{lo}..{hi}"),
            Symbolic::Subset(s) => write!(f, "SUBSET ({})", show(s)),
            Symbolic::Functions(s, t) => write!(f, "[{} -> {}]", show(s), show(t)),
            Symbolic::Seq(s) => write!(f, "Seq({})", show(s)),
            Symbolic::Bags(s) => write!(f, "BagsOver({})", show(s)),
            Symbolic::Cup(a, b) => write!(f, "({} \\cup {})", show(a), show(b)),
            Symbolic::Cap(a, b) => write!(f, "({} \\cap {})", show(a), show(b)),
            Symbolic::Minus(a, b) => write!(f, "({} \\ {})", show(a), show(b)),
            Symbolic::Filter(s, _) => write!(f, "{{x \\in {} : …}}", show(s)),
            Symbolic::Union(parts) => {
                f.write_str("UNION {")?;
                self.list(f, parts)?;
                f.write_str("}")
            }
            Symbolic::Product(sets) => {
                let sets: Vec<String> = sets.iter().map(|s| format!("({})", show(s))).collect();
                f.write_str(&sets.join(" \\X "))
            }
            Symbolic::Records(keys, sets) => {
                f.write_str("[")?;
                for (i, (key, set)) in keys.slice.iter().zip(sets).enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    let Value::Str(name) = key else { continue };
                    write!(f, "{}: {}", self.names.text(*name), show(set))?;
                }
                f.write_str("]")
            }
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
        match self.value {
            Value::Unset => f.write_str("?"),
            Value::Bool(true) => f.write_str("TRUE"),
            Value::Bool(false) => f.write_str("FALSE"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Big(b) => write!(f, "{b}"),
            Value::Str(s) => {
                f.write_str("\"")?;
                for c in self.names.text(*s).chars() {
                    match c {
                        '"' => f.write_str("\\\"")?,
                        '\\' => f.write_str("\\\\")?,
                        '\n' => f.write_str("\\n")?,
                        '\t' => f.write_str("\\t")?,
                        '\r' => f.write_str("\\r")?,
                        '\u{c}' => f.write_str("\\f")?,
                        c => write!(f, "{c}")?,
                    }
                }
                f.write_str("\"")
            }
            Value::Model(s) => f.write_str(&self.names.text(*s)),
            Value::Set(set) => {
                f.write_str("{")?;
                self.list(f, &set.slice)?;
                f.write_str("}")
            }
            Value::Interval(lo, hi) if lo > hi => f.write_str("{}"),
            Value::Interval(lo, hi) => write!(f, "{lo}..{hi}"),
            Value::Lazy(lazy) => self.symbolic(f, &lazy.kind),
            Value::Fn(function) => match &function.header.header.domain {
                Domain::Seq => {
                    f.write_str("<<")?;
                    self.list(f, &function.slice)?;
                    f.write_str(">>")
                }
                Domain::Keys(keys)
                    if keys
                        .slice
                        .iter()
                        .all(|k| matches!(k, Value::Str(s) if is_identifier(&self.names.text(*s)))) =>
                {
                    f.write_str("[")?;
                    for (i, (key, value)) in keys.slice.iter().zip(&function.slice).enumerate() {
                        if i > 0 {
                            f.write_str(", ")?;
                        }
                        let Value::Str(name) = key else { continue };
                        write!(f, "{} |-> {}", self.names.text(*name), value.shown(self.names))?;
                    }
                    f.write_str("]")
                }
                _ => {
                    f.write_str("(")?;
                    for (i, value) in function.slice.iter().enumerate() {
                        if i > 0 {
                            f.write_str(" @@ ")?;
                        }
                        write!(
                            f,
                            "{} :> {}",
                            key_at(function, i).shown(self.names),
                            value.shown(self.names)
                        )?;
                    }
                    f.write_str(")")
                }
            },
            Value::Failed(fault) => write!(f, "(no value: {})", fault.message(self.names)),
            Value::Operator(_) => f.write_str("(an operator)"),
        }
    }
}
