//! Values as they are shown outside: what is not known has its reason, and what is a secret has a digest.
//!
//! A value is a secret if the document marks it ([`Datum::is_secret`]), if it stands under the name of one
//! ([`secret::is_secret`]), or if it was read from a file that the document names. Two secrets of one [`Masker`] have
//! the same digest exactly if they are the same value. Without a key the digests are numbers in the order in which
//! the secrets are met: they say which are the same, and nothing else. With a key they are HMAC-SHA-256 of the value,
//! so that those of two outputs can be compared, and nobody without the key can try values.
//!
//! Out of scope: the texts and the JSON that are made of this.

use std::fmt::Write as _;
use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use locus_schema::{Content, Datum, Field, Nature, Reason, Unknown};
use rustc_hash::FxHashMap;
use sha2::Sha256;

use crate::secret;

/// A value as it is shown.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    /// Nothing.
    Null,
    /// As if it were not written.
    Absent,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number of more than 64 bits, as it is written.
    BigInt(Arc<str>),
    /// Any other number.
    Float(f64),
    /// A text.
    Text(Arc<str>),
    /// A text with secrets in it, each of which is a digest in angle brackets.
    Masked(Arc<str>),
    /// Values in order.
    List(Vec<Shown>),
    /// Values by key, in the order of the document.
    Map(Vec<(Arc<str>, Shown)>),
    /// The id that an element will have, by the name of the element.
    Element(Arc<str>),
    /// Not known before deployment.
    Unknown(Arc<Unknown>),
    /// A secret, by its digest.
    Secret(Arc<str>),
    /// The contents of a file, with a digest of them.
    Contents {
        /// The file.
        file: Arc<str>,
        /// The digest.
        digest: Arc<str>,
    },
}

/// It is a secret of which only a digest is known.
pub const SECRET: Reason =
    Reason { id: "secret", clause: "it is a secret with the digest {}", nature: Nature::Open };

/// The bytes of a digest that are shown: enough that two never meet by accident.
const SHOWN_BYTES: usize = 16;

/// Makes digests of secrets.
#[derive(Clone, Default, Debug)]
pub struct Masker {
    key: Option<Hmac<Sha256>>,
    /// Without a key, the numbers of the secrets that were met.
    seen: FxHashMap<String, usize>,
}

impl Masker {
    /// Numbers secrets in the order in which they are met.
    pub fn numbering() -> Self {
        Self::default()
    }

    /// Makes digests with a key.
    ///
    /// # Panics
    /// Never: a key may have any length.
    pub fn with_key(key: &[u8]) -> Self {
        let key = Hmac::new_from_slice(key).expect("a key may have any length");
        Self { key: Some(key), seen: FxHashMap::default() }
    }

    /// The digest of a secret.
    pub fn digest(&mut self, text: &str) -> Arc<str> {
        if let Some(key) = &self.key {
            let made = key.clone().chain_update(text.as_bytes()).finalize().into_bytes();
            let mut out = String::with_capacity(2 * SHOWN_BYTES);
            for byte in &made[..SHOWN_BYTES] {
                let _ = write!(out, "{byte:02x}");
            }
            return out.into();
        }
        let next = self.seen.len() + 1;
        let number = *self.seen.entry(text.to_owned()).or_insert(next);
        number.to_string().into()
    }

    /// A text, without the secrets that names in it tell.
    pub fn text(&mut self, text: &str) -> Shown {
        self.masked(text).map_or_else(|| Shown::Text(text.into()), |masked| Shown::Masked(masked.into()))
    }

    /// A text without the secrets in it, if there are any.
    pub(crate) fn masked(&mut self, text: &str) -> Option<String> {
        let mut is_masked = false;
        let masked = secret::masked(text, &mut |secret| {
            is_masked = true;
            format!("<secret {}>", self.digest(secret))
        });
        is_masked.then_some(masked)
    }

    /// The text under a name.
    pub fn named_text(&mut self, name: &str, text: &str) -> Shown {
        if names_secret(name) && !text.is_empty() {
            Shown::Secret(self.digest(text))
        } else {
            self.text(text)
        }
    }

    /// The value under a name.
    pub fn value(&mut self, name: &str, datum: &Datum) -> Shown {
        self.shown(datum, names_secret(name))
    }

    /// The value of a field.
    pub fn field(&mut self, field: &Field) -> (Arc<str>, Shown) {
        (Arc::clone(&field.key), self.value(&field.key, &field.value))
    }

    /// A value; `is_named` if the names around say that it is a secret.
    fn shown(&mut self, datum: &Datum, is_named: bool) -> Shown {
        match &datum.value {
            Content::Null => Shown::Null,
            Content::Absent => Shown::Absent,
            Content::Location(name) => Shown::Element(Arc::clone(name)),
            Content::Unknown(unknown) => match unknown.why.names.first() {
                Some(digest) if unknown.why.reason == &SECRET => Shown::Secret(Arc::clone(digest)),
                _ => Shown::Unknown(Arc::clone(unknown)),
            },
            Content::List(items) => {
                let mut after_name = false;
                let mut shown = Vec::with_capacity(items.len());
                for item in items.iter() {
                    shown.push(self.shown(item, is_named || after_name));
                    // The value of an option of a command: `[--password, x]`.
                    after_name = item.as_str().is_some_and(after_option);
                }
                Shown::List(shown)
            }
            Content::Map(fields) => {
                let text =
                    |field: &Field| field.value.as_str().is_some_and(|text| tells_secret(&field.key, text));
                let tells = fields.iter().any(text);
                let entry = |field: &Field| {
                    let is_told = tells && is_value_of(&field.key);
                    let is_named = is_named || is_told || names_secret(&field.key);
                    (Arc::clone(&field.key), self.shown(&field.value, is_named))
                };
                Shown::Map(fields.iter().map(entry).collect())
            }
            scalar => self.scalar(datum, scalar, is_named),
        }
    }

    fn scalar(&mut self, datum: &Datum, scalar: &Content, is_named: bool) -> Shown {
        if let Some(file) = &datum.contents_of {
            return Shown::Contents { file: Arc::clone(file), digest: self.digest(&canonical(scalar)) };
        }
        // Whether something is so is no secret because of its name.
        let is_named = is_named && !matches!(scalar, Content::Bool(_));
        if (datum.is_secret || is_named) && datum.as_str() != Some("") {
            return Shown::Secret(self.digest(&canonical(scalar)));
        }
        match scalar {
            Content::Bool(value) => Shown::Bool(*value),
            Content::Int(value) => Shown::Int(*value),
            Content::BigInt(digits) => Shown::BigInt(Arc::clone(digits)),
            Content::Float(value) => Shown::Float(*value),
            Content::Str(text) => self.text(text),
            _ => Shown::Null,
        }
    }
}

/// A text that two scalars share exactly if they are the same: of a text it is the text itself.
fn canonical(scalar: &Content) -> String {
    match scalar {
        Content::Str(text) => text.to_string(),
        Content::Bool(value) => format!("\0{value}"),
        Content::Int(value) => format!("\0{value}"),
        Content::BigInt(digits) => format!("\0{digits}"),
        Content::Float(value) => format!("\0{value:?}"),
        _ => String::new(),
    }
}

/// Whether values under a name are secrets. The lists of the secrets that something uses have names alone.
pub(crate) fn names_secret(name: &str) -> bool {
    secret::is_secret(name) && !name.eq_ignore_ascii_case("secrets")
}

/// Whether an item of a list is an option of a command whose value comes next: `[--password, x]`.
pub(crate) fn after_option(text: &str) -> bool {
    text.starts_with('-') && !text.contains('=') && names_secret(text)
}

/// Whether an entry of a map says that the value in another entry is a secret: `{Name: TOKEN, Value: x}`.
pub(crate) fn tells_secret(key: &str, text: &str) -> bool {
    ["name", "key"].iter().any(|word| key.eq_ignore_ascii_case(word)) && names_secret(text)
}

/// Whether an entry is the value that another one names.
pub(crate) fn is_value_of(key: &str) -> bool {
    key.eq_ignore_ascii_case("value")
}

#[cfg(test)]
mod tests {
    use locus_source::{Place, Sources, Span};

    use super::*;

    fn place() -> Place {
        Place::new(Sources::new().add("a", "").id(), Span::point(0))
    }

    fn text(text: &str) -> Datum {
        Datum::new(Content::str(text), place())
    }

    fn map(fields: &[(&str, Datum)]) -> Datum {
        let field =
            |(key, value): &(&str, Datum)| Field { key: (*key).into(), place: place(), value: value.clone() };
        Datum::new(Content::Map(fields.iter().map(field).collect()), place())
    }

    fn secret(number: &str) -> Shown {
        Shown::Secret(number.into())
    }

    #[test]
    fn secrets_are_told_by_marks_and_by_names_and_compared() {
        let mut masker = Masker::numbering();
        assert_eq!(masker.value("user_data", &text("x").secret()), secret("1"));
        assert_eq!(masker.value("DB_PASSWORD", &text("y")), secret("2"));
        assert_eq!(masker.value("token", &text("x")), secret("1"));
        let inside = map(&[("TOKEN", text("y")), ("PORT", text("80")), ("EMPTY_TOKEN", text(""))]);
        let Shown::Map(fields) = masker.value("environment", &inside) else { panic!("it is a map") };
        assert_eq!(fields[0].1, secret("2"));
        assert_eq!(
            fields[1..],
            [("PORT".into(), Shown::Text("80".into())), ("EMPTY_TOKEN".into(), Shown::Text("".into()))]
        );
        let pair = map(&[("Name", text("API_KEY")), ("Value", text("z"))]);
        let Shown::Map(fields) = masker.value("Environment", &pair) else { panic!("it is a map") };
        assert_eq!(fields[1].1, secret("3"));
        let command = Datum::new(Content::List([text("run"), text("--password"), text("z")].into()), place());
        let Shown::List(items) = masker.value("command", &command) else { panic!("it is a list") };
        assert_eq!(items[2], secret("3"));
        let address = masker.value("url", &text("postgres://me:x@db"));
        assert_eq!(address, Shown::Masked("postgres://me:<secret 1>@db".into()));
        assert_eq!(
            masker.value("secrets", &Datum::new(Content::List([text("a")].into()), place())),
            Shown::List(vec![Shown::Text("a".into())])
        );
    }

    #[test]
    fn a_key_makes_digests_that_can_be_compared_and_types_are_told_apart() {
        let of = |key: &[u8], value: Content| {
            let datum = Datum::new(value, place()).secret();
            Masker::with_key(key).value("a", &datum)
        };
        assert_eq!(of(b"k", Content::str("x")), of(b"k", Content::str("x")));
        assert_ne!(of(b"k", Content::str("x")), of(b"l", Content::str("x")));
        assert_ne!(of(b"k", Content::str("80")), of(b"k", Content::Int(80)));
        // Test case 2 of RFC 4231.
        let known = Masker::with_key(b"Jefe").digest("what do ya want for nothing?");
        assert_eq!(&*known, "5bdcc146bf60754e6a042426089575c7");
    }

    #[test]
    fn the_contents_of_files_are_not_shown() {
        let made = text("x").made_of(&"key.pem".into());
        let shown = Masker::numbering().value("user_data", &made);
        assert_eq!(shown, Shown::Contents { file: "key.pem".into(), digest: "1".into() });
    }
}
