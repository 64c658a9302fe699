//! Values as texts that people read, and that are the same exactly if the values are: `[a, b]`, `{key: value}`. A text
//! stands as it is wherever it can be nothing else, and in quotes otherwise. The id of an element and an expression
//! whose value is not known stand in angle brackets.

use std::borrow::Cow;
use std::fmt::Write as _;

use locus_schema::{Content, Datum, Field};
use locus_source::Sources;
use sha2::{Digest, Sha256};

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// By itself.
    Nothing,
    /// Among the items of a list.
    List,
    /// Among the values of a map.
    Map,
}

/// How the scalars of a language are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notation {
    /// The text for nothing.
    pub null: &'static str,
    /// Whether a text that looks like another scalar stands in quotes. It need not where the place of a value decides
    /// its type, so that the same place never has both.
    pub marks_texts: bool,
}

impl Default for Notation {
    fn default() -> Self {
        Self { null: "null", marks_texts: true }
    }
}

/// A value: as far as it is known, else the expression that will give it. The fields of maps are in order of keys.
pub fn datum(datum: &Datum, sources: &Sources, notation: Notation, within: Within) -> String {
    // The contents of a file are not shown; a digest tells whether they are the same.
    if let (Some(file), Some(text)) = (&datum.contents_of, datum.value.to_text()) {
        return format!("<contents of {file}, {}>", digest(&text));
    }
    match &datum.value {
        Content::Null | Content::Absent => notation.null.to_owned(),
        Content::Bool(value) => value.to_string(),
        Content::Int(value) => value.to_string(),
        Content::Float(value) => value.to_string(),
        Content::BigInt(digits) => digits.to_string(),
        // No other value looks like this one.
        Content::Str(value) if **value == *notation.null => quoted(value),
        Content::Str(value) if notation.marks_texts => scalar_text(value, within).into_owned(),
        Content::Str(value) => text(value, within).into_owned(),
        Content::List(items) => {
            list(items.iter().map(|item| self::datum(item, sources, notation, Within::List)))
        }
        Content::Map(fields) => {
            let mut all: Vec<&Field> = fields.iter().collect();
            all.sort_by(|one, other| one.key.cmp(&other.key));
            let written = |value: &Datum| self::datum(value, sources, notation, Within::Map);
            entries(all.into_iter().map(|field| entry(&field.key, &written(&field.value))))
        }
        Content::Location(name) if name.contains('>') => format!("<id of {}>", quoted(name)),
        Content::Location(name) => format!("<id of {name}>"),
        Content::Unknown(unknown) => {
            let file = sources.get(unknown.place.file);
            let words: Vec<&str> = file.slice(unknown.place.span).split_whitespace().collect();
            format!("<{}>", words.join(" "))
        }
    }
}

/// The first half of the SHA-256 digest of a text, which is the same on every machine.
pub fn digest(text: &str) -> String {
    let mut out = String::new();
    for byte in &Sha256::digest(text.as_bytes())[..16] {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A text beside values that are none: in quotes where it could be one of those.
pub fn scalar_text(value: &str, within: Within) -> Cow<'_, str> {
    let is_other =
        value.starts_with('<') || matches!(value, "null" | "true" | "false") || value.parse::<f64>().is_ok();
    if is_other { Cow::Owned(quoted(value)) } else { text(value, within) }
}

/// A text.
pub fn text(text: &str, within: Within) -> Cow<'_, str> {
    let begins_another = text.starts_with(['[', '{', '"']);
    let is_plain = match within {
        Within::Nothing => !begins_another,
        // Without items a list is written as one with an empty item would be.
        Within::List | Within::Map => {
            let is_empty = text.is_empty() && within == Within::List;
            let closes = text.starts_with([']', '}']) || text.ends_with([']', '}']);
            !begins_another && !is_empty && !closes && !text.contains(", ")
        }
    };
    if is_plain { Cow::Borrowed(text) } else { Cow::Owned(quoted(text)) }
}

/// A list of texts that are written for one.
pub fn list<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    format!("[{}]", joined(items))
}

/// A map from keys to texts that are written for one, in the order that is given.
pub fn map<T: AsRef<str>>(entries: impl IntoIterator<Item = (T, T)>) -> String {
    format!("{{{}}}", joined(entries.into_iter().map(|(name, value)| entry(name.as_ref(), value.as_ref()))))
}

/// An entry of a map, whose value is written for one.
pub fn entry(key: &str, value: &str) -> String {
    let is_plain = !key.is_empty()
        && !key.starts_with(['[', '{', '"', ']', '}'])
        && !key.contains(", ")
        && !key.contains(": ");
    let key = if is_plain { Cow::Borrowed(key) } else { Cow::Owned(quoted(key)) };
    format!("{key}: {value}")
}

/// Entries that are written already, put together.
pub fn entries<T: AsRef<str>>(entries: impl IntoIterator<Item = T>) -> String {
    format!("{{{}}}", joined(entries))
}

fn joined<T: AsRef<str>>(parts: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for (at, part) in parts.into_iter().enumerate() {
        out.push_str(if at == 0 { "" } else { ", " });
        out.push_str(part.as_ref());
    }
    out
}

/// A text in quotes, as JSON has it.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c < ' ' => write!(out, "\\u{:04x}", u32::from(c)).expect("a text can be written to"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
    enum Value {
        Text(String),
        List(Vec<Value>),
        Map(BTreeMap<String, Value>),
    }

    fn written(value: &Value, within: Within) -> String {
        match value {
            Value::Text(value) => text(value, within).into_owned(),
            Value::List(items) => list(items.iter().map(|item| written(item, Within::List))),
            Value::Map(entries) => {
                map(entries.iter().map(|(key, value)| (key.clone(), written(value, Within::Map))))
            }
        }
    }

    /// Values of few characters, so that many texts nearly meet.
    fn values() -> impl Strategy<Value = Value> {
        let words = || "[a, :\\[\\]{}\"\\\\]{0,5}";
        let leaf = words().prop_map(Value::Text);
        leaf.prop_recursive(3, 12, 3, move |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::List),
                proptest::collection::btree_map(words(), inner, 0..3).prop_map(Value::Map),
            ]
        })
    }

    /// Reads a written value back: all of the text is one value, in one way.
    struct Reader<'t>(&'t str);

    impl Reader<'_> {
        fn quoted(&mut self) -> Option<String> {
            let mut stream = serde_json::Deserializer::from_str(self.0).into_iter::<String>();
            let read = stream.next()?.ok()?;
            self.0 = &self.0[stream.byte_offset()..];
            Some(read)
        }

        fn value(&mut self, within: Within) -> Option<Value> {
            match self.0.chars().next() {
                Some('"') => self.quoted().map(Value::Text),
                Some('[') => self.items(']', |this| this.value(Within::List)).map(Value::List),
                Some('{') => {
                    let entry = |this: &mut Self| {
                        let key = if this.0.starts_with('"') {
                            this.quoted()?
                        } else {
                            let (key, _) = this.0.split_once(": ")?;
                            this.0 = &this.0[key.len()..];
                            key.to_owned()
                        };
                        this.0 = this.0.strip_prefix(": ")?;
                        Some((key, this.value(Within::Map)?))
                    };
                    Some(Value::Map(self.items('}', entry)?.into_iter().collect()))
                }
                _ if within == Within::Nothing => Some(Value::Text(std::mem::take(&mut self.0).to_owned())),
                _ => {
                    // Up to the next item, or to what closes the collections around.
                    let token = self.0.split(", ").next().unwrap_or(self.0);
                    let end = token.trim_end_matches([']', '}']).len();
                    let (text, rest) = self.0.split_at(end);
                    self.0 = rest;
                    Some(Value::Text(text.to_owned()))
                }
            }
        }

        fn items<T>(&mut self, close: char, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
            self.0 = &self.0[1..];
            let mut items = Vec::new();
            if let Some(rest) = self.0.strip_prefix(close) {
                self.0 = rest;
                return Some(items);
            }
            loop {
                items.push(read(self)?);
                if let Some(rest) = self.0.strip_prefix(close) {
                    self.0 = rest;
                    return Some(items);
                }
                self.0 = self.0.strip_prefix(", ")?;
            }
        }
    }

    proptest! {
        #[test]
        fn texts_are_equal_exactly_if_the_values_are(value in values()) {
            let text = written(&value, Within::Nothing);
            let mut reader = Reader(&text);
            prop_assert_eq!(reader.value(Within::Nothing), Some(value), "{}", &text);
            prop_assert_eq!(reader.0, "");
        }
    }

    /// Scalars of few characters, and names of elements, in lists and maps.
    fn contents() -> impl Strategy<Value = Content> {
        let words = || "[a, :<>\\[\\]{}\"1]{0,4}";
        let number = prop_oneof![-2..3i64, Just(i64::MAX)];
        let leaf = prop_oneof![
            Just(Content::Null),
            any::<bool>().prop_map(Content::Bool),
            number.prop_map(Content::Int),
            prop_oneof![Just(0.5), Just(-1.5), Just(1e300)].prop_map(Content::Float),
            Just(Content::BigInt("99999999999999999999".into())),
            words().prop_map(|text| Content::str(&text)),
            prop::sample::select(vec!["1", "true", "null", "<id of a>", "-1.5", "<nil>"])
                .prop_map(Content::str),
            words().prop_map(|name| Content::Location(name.into())),
        ];
        let at = |value: Content| Datum::new(value, place());
        leaf.prop_recursive(3, 10, 3, move |inner| {
            let map = proptest::collection::btree_map(words(), inner.clone(), 0..3);
            prop_oneof![
                proptest::collection::vec(inner, 0..3)
                    .prop_map(move |items| Content::List(items.into_iter().map(at).collect())),
                map.prop_map(move |fields| {
                    let field = |(key, value): (String, Content)| Field {
                        key: key.as_str().into(),
                        place: place(),
                        value: at(value),
                    };
                    Content::Map(fields.into_iter().map(field).collect())
                }),
            ]
        })
    }

    fn place() -> locus_source::Place {
        locus_source::Place::new(Sources::new().add("a", "").id(), locus_source::Span::point(0))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

        #[test]
        fn values_of_all_kinds_have_the_same_text_exactly_if_they_are_the_same(
            one in contents(),
            other in contents(),
        ) {
            let text = |value: &Content| {
                datum(&Datum::new(value.clone(), place()), &Sources::new(), Notation::default(), Within::Nothing)
            };
            prop_assert_eq!(text(&one) == text(&other), one == other, "{:?} {:?}", one, other);
            // Also with something beside them.
            let beside = |value: &Content| {
                let item = Datum::new(value.clone(), place());
                text(&Content::List([item, Datum::new(Content::str("a"), place())].into()))
            };
            prop_assert_eq!(beside(&one) == beside(&other), one == other, "{:?} {:?}", one, other);
        }
    }

    #[test]
    fn a_text_is_never_taken_for_nothing() {
        let compose = Notation { null: "<nil>", marks_texts: false };
        let text =
            |value: Content| datum(&Datum::new(value, place()), &Sources::new(), compose, Within::Nothing);
        assert_eq!((text(Content::Null), text(Content::str("<nil>"))), ("<nil>".into(), "\"<nil>\"".into()));
    }

    #[test]
    fn quotes_stand_only_where_they_are_needed() {
        let of = |items: &[&str]| list(items.iter().map(|item| text(item, Within::List)));
        assert_eq!(of(&["echo", "x, y"]), r#"[echo, "x, y"]"#);
        assert_eq!(of(&["echo", "x", "y"]), "[echo, x, y]");
        assert_eq!(of(&["sh", "-c", "a: b; [ -f c ] && d", ""]), r#"[sh, -c, a: b; [ -f c ] && d, ""]"#);
        assert_eq!(map([("A", ""), ("B: C", "1")]), r#"{A: , "B: C": 1}"#);
        assert_eq!(
            (text("[a]", Within::Nothing), text("a, b", Within::Nothing)),
            ("\"[a]\"".into(), "a, b".into())
        );
    }
}
