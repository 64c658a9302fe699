//! Functions that make texts.

use std::sync::Arc;

use locus_schema::unknown::TOO_LARGE;
use locus_schema::{Content, Datum, Why};

use super::{Call, nth};
use crate::values::evaluate::{Evaluator, LONGEST};
use crate::version::{Function, Version};
use locus_source::words::short;

/// Why there is no text.
enum No {
    Unknown,
    TooLarge,
    Wrong(String),
}

impl Evaluator<'_> {
    fn no_text(&mut self, call: Call<'_>, no: &No, place: locus_source::Place, example: &str) -> Datum {
        match no {
            No::Unknown => call.unknown(),
            No::TooLarge => Datum::unknown(Why::plain(&TOO_LARGE), call.place),
            No::Wrong(what) => self.wrong(call, place, what, example),
        }
    }

    /// A text that a function made, within what may be made.
    fn made(&mut self, call: Call<'_>, text: String) -> Datum {
        if text.len() > LONGEST || text.len() > self.budget {
            return Datum::unknown(Why::plain(&TOO_LARGE), call.place);
        }
        self.budget -= text.len();
        call.gives(Content::Str(text.into()))
    }

    pub(super) fn list_join(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "[', ', [one, other]]";
        let items = match &given.value {
            Content::List(items) => items,
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a separator and a list of strings", EXAMPLE),
        };
        let many = self.version >= Version::V2015October;
        if items.len() < 2 || !many && items.len() > 2 {
            return self.wrong(call, given.place, "takes a separator and a list of strings", EXAMPLE);
        }
        match join(&items[0], &items[1..], many) {
            Ok(text) => self.made(call, text),
            Err(no) => self.no_text(call, &no, given.place, EXAMPLE),
        }
    }

    pub(super) fn str_replace(&mut self, call: Call<'_>, function: Function, given: &Datum) -> Datum {
        const EXAMPLE: &str = "{ template: hello name, params: { name: world } }";
        match &given.value {
            Content::Map(_) => {}
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a map with `template` and `params`", EXAMPLE),
        }
        let (Some(template), Some(params)) = (given.get("template"), given.get("params")) else {
            return self.wrong(call, given.place, "needs `template` and `params`", EXAMPLE);
        };
        let json = self.version >= Version::V2015October;
        match replace(template, params, function, json) {
            Ok(text) => self.made(call, text),
            Err(no) => self.no_text(call, &no, given.place, EXAMPLE),
        }
    }

    pub(super) fn str_split(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const EXAMPLE: &str = "[',', 'one,other', 0]";
        let items = match &given.value {
            Content::List(items) if (2..=3).contains(&items.len()) => items,
            Content::Unknown(_) => return call.unknown(),
            _ => {
                return self.wrong(
                    call,
                    given.place,
                    "takes a separator, a string and perhaps a number",
                    EXAMPLE,
                );
            }
        };
        let (separator, text) = match (&items[0].value, &items[1].value) {
            (Content::Str(separator), Content::Str(text)) if !separator.is_empty() => (separator, text),
            (Content::Unknown(_), _) | (_, Content::Unknown(_) | Content::Location(_)) => {
                return call.unknown();
            }
            (_, Content::Null) => return call.gives(Content::Null),
            _ => return self.wrong(call, given.place, "needs a separator and a string", EXAMPLE),
        };
        let parts = text.split(&**separator).map(|part| Datum::new(Content::str(part), call.place));
        let parts: Vec<Datum> = parts.collect();
        self.budget = self.budget.saturating_sub(parts.len());
        let Some(index) = items.get(2) else { return call.gives(Content::List(parts.into())) };
        let number = match &index.value {
            Content::Int(index) => Some(*index),
            Content::Str(text) => text.trim().parse().ok(),
            Content::Unknown(_) => return call.unknown(),
            _ => None,
        };
        if let Some(part) = number.and_then(|index| nth(&parts, index)) {
            return part.clone();
        }
        let (count, last) = (parts.len(), parts.len() - 1);
        let what = format!("has {count} parts here; the number must be from 0 to {last}");
        self.wrong(call, index.place, &what, "")
    }

    pub(super) fn digest(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        /// The algorithms that Python always has, and those that its cryptographic library may add.
        const ALGORITHMS: [&str; 21] = [
            "blake2b",
            "blake2s",
            "md4",
            "md5",
            "md5-sha1",
            "mdc2",
            "ripemd160",
            "sha1",
            "sha224",
            "sha256",
            "sha384",
            "sha3_224",
            "sha3_256",
            "sha3_384",
            "sha3_512",
            "sha512",
            "sha512_224",
            "sha512_256",
            "sm3",
            "whirlpool",
            "md2",
        ];
        let fits =
            |item: &Datum| matches!(item.value, Content::Str(_) | Content::Unknown(_) | Content::Location(_));
        match &given.value {
            Content::List(items) if items.len() == 2 && items.iter().all(fits) => {
                // Nothing that we check depends on what comes out, so it stays unknown.
                let name = items[0].as_str().unwrap_or("md5").to_ascii_lowercase();
                if ALGORITHMS.contains(&&*name) {
                    return call.unknown();
                }
                let what = format!("knows no algorithm `{}`", short(&name));
                self.wrong(call, items[0].place, &what, "[sha256, text]")
            }
            Content::Unknown(_) => call.unknown(),
            _ => self.wrong(call, given.place, "takes an algorithm and a string", "[sha256, text]"),
        }
    }

    pub(super) fn make_url(&mut self, call: Call<'_>, given: &Datum) -> Datum {
        const KEYS: [&str; 8] =
            ["scheme", "username", "password", "host", "port", "path", "query", "fragment"];
        const EXAMPLE: &str = "{ scheme: https, host: example.org, path: /a }";
        match &given.value {
            Content::Map(fields) => {
                if let Some(field) = fields.iter().find(|field| !KEYS.contains(&&*field.key)) {
                    let what = format!("does not take `{}`", short(&field.key));
                    return self.wrong(call, field.place, &what, EXAMPLE);
                }
            }
            Content::Unknown(_) => return call.unknown(),
            _ => return self.wrong(call, given.place, "takes a map", EXAMPLE),
        }
        match url(given) {
            Ok(text) => self.made(call, text),
            Err(no) => self.no_text(call, &no, given.place, EXAMPLE),
        }
    }
}

fn join(separator: &Datum, lists: &[Datum], json: bool) -> Result<String, No> {
    let mut parts: Vec<Arc<str>> = Vec::new();
    for list in lists {
        let items = match &list.value {
            Content::List(items) => items,
            Content::Null => continue,
            Content::Unknown(_) => return Err(No::Unknown),
            Content::Str(text) if json && text.is_empty() => continue,
            other => return Err(No::Wrong(format!("joins the items of a list, not {}", other.kind_name()))),
        };
        for item in items.iter() {
            parts.push(match &item.value {
                Content::Null => "".into(),
                Content::Str(text) => Arc::clone(text),
                Content::List(_) | Content::Map(_) if json => item.value.to_json().ok_or(No::Unknown)?.into(),
                Content::Unknown(_) | Content::Location(_) => return Err(No::Unknown),
                other => {
                    return Err(No::Wrong(format!(
                        "joins strings, not {}; put it in quotes",
                        other.kind_name()
                    )));
                }
            });
        }
    }
    let separator = match &separator.value {
        Content::Str(separator) => separator,
        Content::Unknown(_) => return Err(No::Unknown),
        other => {
            return Err(No::Wrong(format!("needs a string between the items, not {}", other.kind_name())));
        }
    };
    let length = parts.iter().map(|part| part.len() + separator.len()).sum::<usize>();
    if length > LONGEST {
        return Err(No::TooLarge);
    }
    Ok(parts.join(&**separator))
}

/// A piece of a text in which something is replaced.
enum Piece {
    Old(String),
    New(Arc<str>),
}

fn replace(template: &Datum, params: &Datum, function: Function, json: bool) -> Result<String, No> {
    let text = match &template.value {
        Content::Str(text) => text,
        Content::Unknown(_) | Content::Location(_) => return Err(No::Unknown),
        other => return Err(No::Wrong(format!("needs a string as `template`, not {}", other.kind_name()))),
    };
    let fields = match &params.value {
        Content::Map(fields) => fields,
        Content::Unknown(_) => return Err(No::Unknown),
        other => return Err(No::Wrong(format!("needs a map as `params`, not {}", other.kind_name()))),
    };
    if fields.len().saturating_mul(text.len()) > 64 * LONGEST {
        return Err(No::TooLarge);
    }
    // Longer keys go first, and among equals the smaller.
    let mut keys: Vec<(usize, &Arc<str>, &Datum)> =
        fields.iter().map(|field| (field.key.chars().count(), &field.key, &field.value)).collect();
    keys.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let mut pieces = vec![Piece::Old(text.to_string())];
    let mut unknown = false;
    let mut length = text.len();
    let mut unused = Vec::new();
    for (_, key, value) in keys {
        if key.is_empty() {
            return Err(No::Wrong("cannot replace an empty string".to_owned()));
        }
        let value = replacement(&value.value, key, function, json)?;
        let mut found = false;
        let mut next = Vec::with_capacity(pieces.len());
        for piece in pieces {
            let Piece::Old(old) = piece else {
                next.push(piece);
                continue;
            };
            for (i, part) in old.split(&**key).enumerate() {
                if i > 0 {
                    found = true;
                    length += value.as_ref().map_or(0, |value| value.len());
                    next.push(Piece::New(value.clone().unwrap_or_default()));
                }
                next.push(Piece::Old(part.to_owned()));
            }
            if length > LONGEST {
                return Err(No::TooLarge);
            }
        }
        pieces = next;
        unknown |= found && value.is_none();
        if !found {
            unused.push(format!("`{}`", short(key)));
        }
    }
    if function != Function::StrReplace && !unused.is_empty() {
        return Err(No::Wrong(format!("finds {} nowhere in the template", unused.join(", "))));
    }
    if unknown {
        return Err(No::Unknown);
    }
    Ok(pieces
        .iter()
        .map(|piece| match piece {
            Piece::Old(text) => text.as_str(),
            Piece::New(text) => text,
        })
        .collect())
}

/// The text to put in; nothing if it is not known.
fn replacement(value: &Content, key: &str, function: Function, json: bool) -> Result<Option<Arc<str>>, No> {
    let empty = || No::Wrong(format!("needs a value for `{}` that is not empty", short(key)));
    let text = match value {
        Content::Null => "".into(),
        Content::Unknown(_) | Content::Location(_) => return Ok(None),
        Content::List(items) if function == Function::StrReplaceVeryStrict && items.is_empty() => {
            return Err(empty());
        }
        Content::Map(fields) if function == Function::StrReplaceVeryStrict && fields.is_empty() => {
            return Err(empty());
        }
        Content::List(_) | Content::Map(_) if json => return Ok(value.to_json().map(Into::into)),
        Content::List(_) | Content::Map(_) => {
            let kind = value.kind_name();
            return Err(No::Wrong(format!(
                "cannot put {kind} in the place of `{}`; from 2015-10-15 on it can",
                short(key)
            )));
        }
        other => other.to_text().unwrap_or_default(),
    };
    if function == Function::StrReplaceVeryStrict && text.is_empty() {
        return Err(empty());
    }
    Ok(Some(text))
}

fn url(given: &Datum) -> Result<String, No> {
    let part = |key: &str| match given.get(key).map(|datum| &datum.value) {
        None => Ok("".into()),
        Some(Content::Str(text)) => Ok(Arc::clone(text)),
        Some(Content::Unknown(_) | Content::Location(_)) => Err(No::Unknown),
        Some(other) => Err(No::Wrong(format!("needs a string as `{key}`, not {}", other.kind_name()))),
    };
    let (scheme, host) = (part("scheme")?, part("host")?);
    if scheme.contains(':') {
        return Err(No::Wrong("needs a scheme without a colon".to_owned()));
    }
    let mut text = String::new();
    let (user, password) = (part("username")?, part("password")?);
    if !user.is_empty() || !password.is_empty() {
        quote(&user, "", &mut text);
        if !password.is_empty() {
            text.push(':');
            quote(&password, "", &mut text);
        }
        text.push('@');
    }
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
    let brackets = bare.contains(':');
    if brackets {
        text.push('[');
    }
    quote(bare, ":", &mut text);
    if brackets {
        text.push(']');
    }
    match given.get("port").map(|datum| &datum.value) {
        None | Some(Content::Null) => {}
        Some(Content::Unknown(_)) => return Err(No::Unknown),
        Some(port) => {
            let number =
                port.to_text().and_then(|text| text.trim().parse::<u16>().ok()).filter(|port| *port > 0);
            let number = number.ok_or_else(|| No::Wrong("needs a port from 1 to 65535".to_owned()))?;
            text.push(':');
            text.push_str(&number.to_string());
        }
    }
    let mut result = if scheme.is_empty() { String::new() } else { format!("{scheme}:") };
    let path = part("path")?;
    if !text.is_empty() {
        result.push_str("//");
        result.push_str(&text);
        if !path.is_empty() && !path.starts_with('/') {
            result.push('/');
        }
    }
    quote(&path, "/", &mut result);
    let query = match given.get("query") {
        None => &[][..],
        Some(query) => match &query.value {
            Content::Map(fields) => fields,
            Content::Unknown(_) => return Err(No::Unknown),
            _ => return Err(No::Wrong("needs a map as `query`".to_owned())),
        },
    };
    for (i, field) in query.iter().enumerate() {
        result.push(if i == 0 { '?' } else { '&' });
        quote(&field.key, "/", &mut result);
        result.push('=');
        quote(&field.value.value.to_text().ok_or(No::Unknown)?, "/", &mut result);
    }
    let fragment = part("fragment")?;
    if !fragment.is_empty() {
        result.push('#');
        quote(&fragment, "/", &mut result);
    }
    Ok(result)
}

/// Writes a text with everything escaped that is neither plain nor in `safe`.
fn quote(text: &str, safe: &str, into: &mut String) {
    for byte in text.bytes() {
        let plain =
            byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte) || safe.as_bytes().contains(&byte);
        if plain {
            into.push(byte.into());
        } else {
            let digit = |half: u8| char::from(b"0123456789ABCDEF"[usize::from(half)]);
            into.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
}
