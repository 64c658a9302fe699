//! Marks: how a thing is found again by the token of the step that made it.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::body::plain_pattern;
use super::{Thing, Work};
use crate::expression::escaped;
use crate::kinds::Mark;
use crate::session::{Ask, Service};
use crate::trouble::Trouble;

/// The key of the entry in metadata, and of the field of its own.
pub(super) const KEY: &str = "locus";

/// The longest token that is written as it is: descriptions and metadata have 255 characters.
const LONGEST: usize = 220;

/// A token in the form in which it is written on things: of so many characters, without those
/// that have a meaning there.
fn shortened(token: &str) -> String {
    let token = token.replace('%', "%25").replace(',', "%2C").replace(['[', ']'], "|");
    if token.len() <= LONGEST && token.is_ascii() {
        return token;
    }
    let digest = Sha256::digest(token.as_bytes());
    let digits = digest.iter().take(20).flat_map(|byte| [byte >> 4, byte & 15]);
    let hash: String = digits.filter_map(|digit| char::from_digit(u32::from(digit), 16)).collect();
    let beginning: String = token.chars().filter(char::is_ascii).take(150).collect();
    format!("{beginning}~{hash}")
}

/// The text before a mark at the end of a description, and the token.
pub fn written(description: Option<&Value>) -> (String, Option<String>) {
    let text = description.and_then(Value::as_str).unwrap_or_default();
    let found = text.strip_suffix(']').and_then(|text| text.rsplit_once("[locus:"));
    match found {
        Some((before, token)) => (before.trim_end().to_owned(), Some(token.to_owned())),
        None => (text.to_owned(), None),
    }
}

fn with_mark(description: Option<&Value>, token: &str) -> Value {
    let before = written(description).0;
    let space = if before.is_empty() { "" } else { " " };
    Value::from(format!("{before}{space}[locus:{token}]"))
}

impl Work<'_> {
    /// Puts the mark into the body of a request that makes a thing.
    pub(super) fn mark(&self, body: &mut Map<String, Value>) {
        let token = shortened(self.token);
        match self.kind.mark {
            Mark::Description => {
                body.remove("tags");
                let marked = with_mark(body.get("description"), &token);
                body.insert("description".to_owned(), marked);
            }
            Mark::Metadata => {
                let mut metadata =
                    self.property("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
                for value in metadata.values_mut() {
                    if !value.is_string() {
                        *value = Value::from(value.to_string());
                    }
                }
                metadata.insert(KEY.to_owned(), Value::from(token));
                body.insert("metadata".to_owned(), Value::Object(metadata));
            }
            Mark::Own => _ = body.insert(KEY.to_owned(), Value::from(token)),
            Mark::Name | Mark::Same => {}
        }
    }

    /// Leaves the mark where it is when a thing is changed.
    pub(super) fn keep_mark(wanted: &mut Map<String, Value>, thing: &Thing) {
        if let (Some(text), (_, Some(token))) =
            (wanted.get("description").cloned(), written(thing.body.get("description")))
        {
            wanted.insert("description".to_owned(), with_mark(Some(&text), &token));
        }
    }

    /// The token on a thing.
    fn token_of(&self, body: &Value) -> Option<String> {
        let token = match self.kind.mark {
            Mark::Description => written(body.get("description")).1,
            Mark::Metadata => body["metadata"][KEY].as_str().map(str::to_owned),
            Mark::Own => body[KEY].as_str().map(str::to_owned),
            Mark::Name | Mark::Same => None,
        }?;
        Some(token.replace("%2C", ",").replace("%25", "%"))
    }

    /// All things of a list that have a mark, or that of a token, with their tokens.
    pub(super) fn marked(&self, list: &str, token: Option<&str>) -> Result<Vec<(Value, String)>, Trouble> {
        let wanted = token.map(shortened);
        let query = match (self.kind.mark, &wanted) {
            (Mark::Description, Some(token)) if self.kind.service == Service::Network => {
                let description = with_mark(self.property("description"), token);
                format!("{list}?description={}", escaped(description.as_str().unwrap_or_default()))
            }
            (Mark::Metadata, Some(token)) if self.kind.service == Service::Volume => {
                format!("{list}/detail?metadata={}", escaped(&format!("{{'{KEY}': '{token}'}}")))
            }
            (Mark::Metadata, Some(_)) => {
                let name = self.property("name").and_then(Value::as_str).unwrap_or(self.name);
                format!("{list}/detail?name={}", escaped(&format!("^{}$", plain_pattern(name))))
            }
            (Mark::Metadata, None) => format!("{list}/detail"),
            (Mark::Own, Some(token)) if self.kind.service == Service::Image => {
                format!("{list}?{KEY}={}", escaped(token))
            }
            (Mark::Own, Some(_)) if self.kind.field("name").is_some() => {
                let name = self.property("name").and_then(Value::as_str).unwrap_or(self.name);
                format!("{list}?name={}", escaped(name))
            }
            _ => list.to_owned(),
        };
        let all = self.session.all(self.kind.service, &query, self.kind.many)?;
        let with_token = all.into_iter().filter_map(|body| Some((self.token_of(&body)?, body)));
        let is_wanted = |token: &String| {
            let raw = wanted.as_ref().map(|wanted| wanted.replace("%2C", ",").replace("%25", "%"));
            raw.is_none_or(|wanted| wanted == *token)
        };
        Ok(with_token.filter(|(token, _)| is_wanted(token)).map(|(token, body)| (body, token)).collect())
    }

    /// Puts the mark on a thing that is there.
    pub(super) fn mark_later(&self, thing: &Thing) -> Result<(), Trouble> {
        let token = shortened(self.token);
        match self.token_of(&thing.body) {
            Some(other) if other == self.token => return Ok(()),
            Some(_) => return Err(Trouble::refused("it belongs to another deployment")),
            None => {}
        }
        let path = self.path_of(&thing.id);
        match self.kind.mark {
            Mark::Description => {
                let marked = with_mark(thing.body.get("description"), &token);
                self.send("PUT", &path, &json!({ self.kind.one: { "description": marked } }))?;
            }
            Mark::Metadata => {
                self.send("POST", &format!("{path}/metadata"), &json!({ "metadata": { KEY: token } }))?;
            }
            Mark::Own if self.kind.service == Service::Image => {
                self.send(
                    "PATCH",
                    &path,
                    &json!([{ "op": "add", "path": format!("/{KEY}"), "value": token }]),
                )?;
            }
            Mark::Own => _ = self.send("PATCH", &path, &json!({ self.kind.one: { KEY: token } }))?,
            Mark::Name | Mark::Same => {}
        }
        Ok(())
    }

    /// Asks for the first of a list.
    pub(super) fn first(&self, service: Service, path: &str, key: &str) -> Result<Option<Value>, Trouble> {
        let page = self.session.ask(&Ask::get(service, path))?;
        Ok(page[key].get(0).cloned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_fit_where_they_are_written() {
        assert_eq!(shortened("0123/shop/1/net#1"), "0123/shop/1/net#1");
        assert_eq!(shortened("a,b%"), "a%2Cb%25");
        let long = shortened(&format!("0123/shop/1/{}#1", "x".repeat(400)));
        assert!(long.len() < 200 && long.starts_with("0123/shop/1/xxx"), "{long}");
        assert_ne!(long, shortened(&format!("0123/shop/1/{}#2", "x".repeat(400))));
    }

    #[test]
    fn a_description_is_read_without_its_mark() {
        let marked = with_mark(Some(&json!("for the web")), "t/1");
        assert_eq!(marked, json!("for the web [locus:t/1]"));
        assert_eq!(written(Some(&marked)), ("for the web".to_owned(), Some("t/1".to_owned())));
        assert_eq!(with_mark(Some(&marked), "t/2"), json!("for the web [locus:t/2]"));
        assert_eq!(written(Some(&json!("[x]"))), ("[x]".to_owned(), None));
    }
}
