//! Constraints: what must hold of the value of a parameter or a property.

mod format;

use std::sync::{Arc, OnceLock};

use crate::datum::{Content, all};
use crate::types::Type;
use locus_source::words::short;

pub use self::format::canonical;

/// A constraint.
#[derive(Clone, PartialEq, Debug)]
pub enum Constraint {
    /// A number is not below the one and not above the other.
    Range {
        /// The least that is allowed.
        min: Option<f64>,
        /// The most that is allowed.
        max: Option<f64>,
    },
    /// The same of the number of characters, items or keys.
    Length {
        /// The least that is allowed.
        min: Option<f64>,
        /// The most that is allowed.
        max: Option<f64>,
    },
    /// A number leaves this rest.
    Modulo {
        /// The number to divide by.
        step: i64,
        /// The rest.
        offset: i64,
    },
    /// A value is one of these; of a list, each item is.
    AllowedValues(Vec<Literal>),
    /// A text matches from its beginning to its end.
    AllowedPattern(Pattern),
    /// A text is of a kind that has a name: a form such as `ip_addr`, or the name or id of something that
    /// exists, such as `neutron.network`.
    Custom(Box<str>),
}

/// A value in a list of allowed ones.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal(pub Content);

impl Literal {
    /// A value of a catalogue. Lists and maps are never among allowed values.
    pub fn from_json(value: &serde_json::Value) -> Self {
        use serde_json::Value as Json;
        Self(match value {
            Json::Null => Content::Null,
            Json::Bool(value) => Content::Bool(*value),
            Json::Number(number) => match number.as_i64() {
                Some(value) => Content::Int(value),
                None => Content::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            Json::String(text) => Content::str(text),
            // No property has these among its allowed values.
            Json::Array(_) | Json::Object(_) => Content::Absent,
        })
    }
}

/// A regular expression of Python's, compiled when it is first needed.
#[derive(Clone)]
pub struct Pattern {
    text: Arc<str>,
    compiled: OnceLock<Option<Arc<fancy_regex::Regex>>>,
}

impl Pattern {
    /// The pattern with this text.
    pub fn new(text: &str) -> Self {
        Self { text: text.into(), compiled: OnceLock::new() }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether a text matches as Heat has it: from its beginning, and then to its end. Nothing if we cannot
    /// read the pattern, or if it takes too long.
    pub fn matches(&self, text: &str) -> Option<bool> {
        let regex = self.compiled.get_or_init(|| {
            let anchored = format!(r"\A(?:{})", plain_classes(&self.text));
            let mut builder = fancy_regex::RegexBuilder::new(&anchored);
            builder.backtrack_limit(100_000).delegate_size_limit(1 << 20);
            builder.build().ok().map(Arc::new)
        });
        let found = regex.as_ref()?.find(text).ok()?;
        Some(found.is_some_and(|found| found.end() == text.len()))
    }

    /// Returns a fault that every reader of regular expressions refuses: a bracket or a parenthesis without its
    /// partner, or a repetition of nothing. Faults that only some readers refuse are not looked for.
    pub fn problem(&self) -> Option<&'static str> {
        let mut open = 0usize;
        let mut repeatable = false;
        let mut chars = self.text.chars().peekable();
        while let Some(c) = chars.next() {
            repeatable = match c {
                '\\' if chars.next().is_none() => return Some("it ends with a backslash"),
                '[' if !skip_class(&mut chars) => return Some("a `[` is never closed"),
                '(' => {
                    open += 1;
                    // A question mark here is no repetition: `(?:`, `(?P<name>`, `(?i)`.
                    chars.next_if_eq(&'?').is_some()
                }
                ')' if open == 0 => return Some("a `)` closes nothing"),
                ')' => {
                    open -= 1;
                    true
                }
                '*' | '+' | '?' if !repeatable => return Some("there is nothing to repeat"),
                '|' => false,
                _ => true,
            };
        }
        (open > 0).then_some("a `(` is never closed")
    }
}

/// A pattern in the dialect of the crate that matches it, which has nested classes and operators in classes. Python,
/// Java and ECMAScript read `[`, `&&` and `~~` there as plain characters.
pub fn plain_classes(pattern: &str) -> String {
    let mut plain = String::with_capacity(pattern.len());
    let mut chars = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                plain.push(c);
                plain.extend(chars.next());
            }
            '[' if !in_class => {
                in_class = true;
                plain.push(c);
                plain.extend(chars.next_if_eq(&'^'));
                // A bracket that comes first is one of the characters.
                plain.extend(chars.next_if_eq(&']'));
            }
            // `[:alpha:]` is a class with a name.
            '[' if chars.peek() == Some(&':') => {
                plain.push(c);
                while let Some(c) = chars.next_if(|&c| c != ']') {
                    plain.push(c);
                }
                plain.extend(chars.next());
            }
            '[' => plain.push_str(r"\["),
            '&' | '~' if in_class && chars.peek() == Some(&c) => plain.extend(['\\', c]),
            ']' => {
                in_class = false;
                plain.push(c);
            }
            _ => plain.push(c),
        }
    }
    plain
}

/// Skips a class of characters after its bracket; says whether it is closed.
fn skip_class(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    chars.next_if_eq(&'^');
    // A bracket that comes first is one of the characters.
    chars.next_if_eq(&']');
    while let Some(c) = chars.next() {
        match c {
            '\\' => drop(chars.next()),
            ']' => return true,
            _ => {}
        }
    }
    false
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl std::fmt::Debug for Pattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pattern({:?})", self.text)
    }
}

/// Whether a value complies with a constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compliance {
    /// It does.
    Holds,
    /// It does not, with the reason, which completes "the value …".
    Fails(String),
    /// That is not known.
    Unknown,
}

impl Compliance {
    fn of(known: Option<bool>, reason: impl FnOnce() -> String) -> Self {
        match known {
            Some(true) => Self::Holds,
            Some(false) => Self::Fails(reason()),
            None => Self::Unknown,
        }
    }
}

impl Constraint {
    /// Judges the value of something of this type. A value of another type is not its business.
    pub fn check(&self, value: &Content, kind: Type) -> Compliance {
        if matches!(value, Content::Unknown(_) | Content::Location(_) | Content::Null | Content::Absent) {
            return Compliance::Unknown;
        }
        match self {
            Self::Range { min, max } => match to_number(value) {
                Some(number) => Compliance::of(Some(within(number, *min, *max)), || {
                    format!("is {}; it must be {}", shown(value), interval(*min, *max))
                }),
                None => Compliance::Unknown,
            },
            Self::Length { min, max } => length(value, *min, *max),
            Self::Modulo { step, offset } => match to_number(value) {
                Some(number) => Compliance::of(Some(leaves(number, *step, *offset)), || {
                    format!(
                        "is {}; divided by {step} it must leave the rest {offset}, as Python counts",
                        shown(value)
                    )
                }),
                None => Compliance::Unknown,
            },
            Self::AllowedValues(allowed) => Compliance::of(is_allowed(value, allowed, kind), || {
                format!("is {}; it must be {}", shown(value), one_of(allowed))
            }),
            Self::AllowedPattern(pattern) => match value {
                Content::Str(text) => Compliance::of(pattern.matches(text), || {
                    format!("is {}; it must match `{}`", shown(value), short(pattern.as_str()))
                }),
                _ => Compliance::Unknown,
            },
            Self::Custom(name) => match value {
                Content::List(items) => {
                    let first = items.iter().map(|item| self.check(&item.value, Type::String));
                    first
                        .into_iter()
                        .find(|verdict| matches!(verdict, Compliance::Fails(_)))
                        .unwrap_or(Compliance::Unknown)
                }
                Content::Str(text) => format::check(name, text),
                // A number or a truth value becomes a text where a text is wanted.
                Content::Int(_) | Content::BigInt(_) | Content::Bool(_) if kind == Type::String => {
                    value.to_text().map_or(Compliance::Unknown, |text| format::check(name, &text))
                }
                _ => Compliance::Unknown,
            },
        }
    }

    /// Whether it can be said of values of this type.
    pub fn fits(&self, kind: Type) -> bool {
        match self {
            Self::Range { .. } | Self::Modulo { .. } => matches!(kind, Type::Integer | Type::Number),
            Self::Length { .. } => matches!(kind, Type::String | Type::List | Type::Map),
            Self::AllowedValues(_) | Self::Custom(_) => !matches!(kind, Type::Map | Type::Any),
            Self::AllowedPattern(_) => kind == Type::String,
        }
    }

    /// The ends of an interval.
    pub fn ends(&self) -> Option<(Option<f64>, Option<f64>)> {
        match self {
            Self::Range { min, max } | Self::Length { min, max } => Some((*min, *max)),
            _ => None,
        }
    }

    /// The key under which a template has it.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Range { .. } => "range",
            Self::Length { .. } => "length",
            Self::Modulo { .. } => "modulo",
            Self::AllowedValues(_) => "allowed_values",
            Self::AllowedPattern(_) => "allowed_pattern",
            Self::Custom(_) => "custom_constraint",
        }
    }
}

fn length(value: &Content, min: Option<f64>, max: Option<f64>) -> Compliance {
    let (length, what) = match value {
        Content::Str(text) => (text.chars().count(), "characters"),
        Content::List(items) => (items.len(), "items"),
        Content::Map(fields) => (fields.len(), "keys"),
        _ => return Compliance::Unknown,
    };
    Compliance::of(Some(within(length as f64, min, max)), || {
        format!("has {length} {what}; it must have {}", interval(min, max))
    })
}

fn within(number: f64, min: Option<f64>, max: Option<f64>) -> bool {
    !min.is_some_and(|min| number < min) && !max.is_some_and(|max| number > max)
}

fn interval(min: Option<f64>, max: Option<f64>) -> String {
    match (min, max) {
        (Some(min), Some(max)) if min.total_cmp(&max).is_eq() => format!("exactly {min}"),
        (Some(min), Some(max)) => format!("from {min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "anything".to_owned(),
    }
}

/// Whether a number leaves a rest, where the rest has the sign of the divisor.
fn leaves(number: f64, step: i64, offset: i64) -> bool {
    let step = step as f64;
    let rest = number - step * (number / step).floor();
    (rest - offset as f64).abs() < f64::EPSILON
}

/// Whether a value is allowed. Both sides are first turned into the type, as Heat does it.
fn is_allowed(value: &Content, allowed: &[Literal], kind: Type) -> Option<bool> {
    if let Content::List(items) = value {
        return all(items.iter().map(|item| any_equal(&item.value, allowed.iter().map(|one| &one.0))));
    }
    let value = to_type(value, kind)?;
    let allowed: Vec<Content> = allowed.iter().filter_map(|one| to_type(&one.0, kind)).collect();
    any_equal(&value, allowed.iter())
}

fn any_equal<'v>(value: &Content, others: impl Iterator<Item = &'v Content>) -> Option<bool> {
    let mut result = Some(false);
    for other in others {
        match value.equals(other) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => result = None,
        }
    }
    result
}

fn to_type(value: &Content, kind: Type) -> Option<Content> {
    Some(match kind {
        Type::String => Content::Str(value.to_text()?),
        Type::Integer | Type::Number => Content::Float(to_number(value)?),
        Type::Boolean => Content::Bool(to_bool(&value.to_text()?)?),
        Type::List | Type::Map | Type::Any => value.clone(),
    })
}

/// A number, or what a text that is one is worth.
pub fn to_number(value: &Content) -> Option<f64> {
    match value {
        Content::Bool(value) => Some(f64::from(u8::from(*value))),
        Content::Int(value) => Some(*value as f64),
        Content::Float(value) => Some(*value),
        Content::BigInt(text) => text.parse().ok(),
        Content::Str(text) => text_to_number(text),
        _ => None,
    }
}

/// Converts a text as Python's `int` or else `float` does: underscores between digits are allowed.
pub fn text_to_number(text: &str) -> Option<f64> {
    let text = text.trim();
    if text.contains('_') {
        let fine = !text.starts_with('_') && !text.ends_with('_') && !text.contains("__");
        return if fine { text.replace('_', "").parse().ok() } else { None };
    }
    text.parse().ok()
}

/// Converts a text to a truth value as OpenStack does.
pub fn to_bool(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "t" | "true" | "on" | "y" | "yes" | "1" => Some(true),
        "f" | "false" | "off" | "n" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// A value for a message.
pub fn shown(value: &Content) -> String {
    match value {
        Content::Str(text) => format!("`{}`", short(text)),
        Content::List(_) | Content::Map(_) => {
            value.to_json().map_or_else(|| value.kind_name().to_owned(), |text| format!("`{}`", short(&text)))
        }
        _ => value.to_text().map_or_else(|| value.kind_name().to_owned(), |text| format!("`{text}`")),
    }
}

fn one_of(allowed: &[Literal]) -> String {
    let mut shown: Vec<String> = allowed.iter().take(12).map(|one| shown(&one.0)).collect();
    if allowed.len() > 12 {
        shown.push(format!("{} others", allowed.len() - 12));
    }
    match shown.pop() {
        None => "nothing at all".to_owned(),
        Some(last) if shown.is_empty() => last,
        Some(last) => format!("{} or {last}", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(constraint: &Constraint, value: &Content, kind: Type) -> Option<bool> {
        match constraint.check(value, kind) {
            Compliance::Holds => Some(true),
            Compliance::Fails(_) => Some(false),
            Compliance::Unknown => None,
        }
    }

    #[test]
    fn a_pattern_must_match_to_the_end_and_takes_the_first_way() {
        let pattern = Pattern::new("a|ab");
        assert_eq!(pattern.matches("a"), Some(true));
        // Python's match takes the first alternative, and then it is not at the end.
        assert_eq!(pattern.matches("ab"), Some(false));
        assert_eq!(Pattern::new("(?=a).{1,2}").matches("ab"), Some(true));
        assert_eq!(Pattern::new("(").matches("a"), None);
        assert_eq!(Pattern::new(r"(a*)*\1b").matches(&"a".repeat(60)), None);
    }

    #[test]
    fn brackets_and_doubled_signs_in_a_class_are_characters() {
        let matches = |pattern: &str, text: &str| Pattern::new(pattern).matches(text);
        // From the schemas of Redfish.
        let secret = r"(^[ !#-~]+$)|(^Passphrase:[ ^[ !#-~]+$)";
        assert_eq!(matches(secret, "Passphrase:[^"), Some(true));
        assert_eq!(matches(secret, "é"), Some(false));
        for (pattern, text, expected) in [
            ("[a[b]", "[", true),
            ("[a[b]", "c", false),
            ("[a&&b]", "a", true),
            ("[a&&b]+", "a&b", true),
            ("[a~~b]+", "~ab", true),
            ("[]a]+", "]a", true),
            ("[^]a]", "a", false),
            (r"[\]a[b]+", "]a[b", true),
            ("[[:alpha:]_[]+", "x_[", true),
            ("[[:alpha:]]", "1", false),
            ("a&&b[c]", "a&&bc", true),
        ] {
            assert_eq!(matches(pattern, text), Some(expected), "{pattern} {text}");
        }
    }

    #[test]
    fn allowed_values_are_compared_in_the_type() {
        let allowed = Constraint::AllowedValues(vec![Literal(Content::Int(4)), Literal(Content::Int(6))]);
        assert_eq!(holds(&allowed, &Content::str("4"), Type::Integer), Some(true));
        assert_eq!(holds(&allowed, &Content::str("5"), Type::Integer), Some(false));
        assert_eq!(holds(&allowed, &Content::str("4"), Type::String), Some(true));
    }

    #[test]
    fn the_rest_has_the_sign_of_the_divisor() {
        let odd = Constraint::Modulo { step: 2, offset: 1 };
        assert_eq!(holds(&odd, &Content::Int(-1), Type::Number), Some(true));
        assert_eq!(holds(&odd, &Content::Int(-2), Type::Number), Some(false));
    }
}
