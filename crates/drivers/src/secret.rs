//! Secrets: only where they are is stored, and their values are known only while a step is done.
//!
//! A text from outside that contains secrets (an output of a program that was told some) is stored as its parts: what
//! may be read, and for each secret where it is. So it can be handed on whole, and is shown with `***` in the place of
//! secrets.

use std::process::Command;

use serde_json::{Value, json};

/// The beginning of a value that says where a secret is.
const PREFIX: &str = "secret:";

/// The beginning of a value that consists of parts.
const PARTS: &str = "secret:parts:";

/// The deepest nesting of parts within parts.
const DEEPEST: usize = 8;

/// A secret that a program is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Secret {
    pub(crate) value: String,
    /// The text that says where it is.
    pub(crate) place: String,
}

/// The value that a text stands for, and the secrets in it.
///
/// # Errors
/// If a secret is not where the text says.
pub(crate) fn resolve(text: &str) -> Result<(String, Vec<Secret>), String> {
    resolve_within(text, DEEPEST)
}

fn resolve_within(text: &str, depth: usize) -> Result<(String, Vec<Secret>), String> {
    let Some(rest) = text.strip_prefix(PREFIX) else { return Ok((text.to_owned(), Vec::new())) };
    let value = match rest.split_once(':') {
        Some(("env", name)) => {
            std::env::var(name).map_err(|_| format!("the environment variable {name} has no value"))?
        }
        Some(("file", path)) => {
            let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            text.trim_end_matches(['\n', '\r']).to_owned()
        }
        Some(("command", command)) => {
            let output = Command::new("sh").arg("-c").arg(command).output();
            let output = output.map_err(|error| format!("the command for a secret: {error}"))?;
            if !output.status.success() {
                return Err(format!("the command for a secret ended with {}", output.status));
            }
            String::from_utf8_lossy(&output.stdout).trim_end_matches(['\n', '\r']).to_owned()
        }
        Some(("parts", _)) if depth > 0 => {
            let parts = parts(text).ok_or("a stored text with secrets cannot be read")?;
            let (mut whole, mut secrets) = (String::new(), Vec::new());
            for part in parts {
                match part {
                    Part::Text(text) => whole.push_str(&text),
                    Part::Secret(place) => {
                        let (value, inner) = resolve_within(&place, depth - 1)?;
                        whole.push_str(&value);
                        secrets.extend(inner);
                    }
                }
            }
            return Ok((whole, secrets));
        }
        _ => {
            return Err(format!(
                "`{text}` does not say where the secret is: write secret:env:NAME, secret:file:PATH \
                                or secret:command:COMMAND"
            ));
        }
    };
    Ok((value.clone(), vec![Secret { value, place: text.to_owned() }]))
}

/// A part of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Text that may be read.
    Text(String),
    /// Where a secret is.
    Secret(String),
}

/// The parts of a stored text that has some.
fn parts(stored: &str) -> Option<Vec<Part>> {
    let parts: Vec<Value> = serde_json::from_str(stored.strip_prefix(PARTS)?).ok()?;
    let part = |part: Value| match part {
        Value::String(text) => Some(Part::Text(text)),
        other => other.get("at")?.as_str().map(|place| Part::Secret(place.to_owned())),
    };
    parts.into_iter().map(part).collect()
}

/// Takes a text apart at its secrets. Where several begin, the longest counts.
fn taken_apart(text: &str, secrets: &[Secret]) -> Vec<Part> {
    let mut longest_first: Vec<&Secret> = secrets.iter().filter(|secret| !secret.value.is_empty()).collect();
    longest_first.sort_by_key(|secret| std::cmp::Reverse(secret.value.len()));
    let (mut parts, mut begin, mut at) = (Vec::new(), 0, 0);
    while let Some(next) = text[at..].chars().next() {
        let Some(secret) = longest_first.iter().find(|secret| text[at..].starts_with(&secret.value)) else {
            at += next.len_utf8();
            continue;
        };
        if begin < at {
            parts.push(Part::Text(text[begin..at].to_owned()));
        }
        parts.push(Part::Secret(secret.place.clone()));
        at += secret.value.len();
        begin = at;
    }
    if begin < at {
        parts.push(Part::Text(text[begin..at].to_owned()));
    }
    parts
}

/// The form in which a text from outside is stored: no secret can be read in it, and what it says is no place of a
/// secret.
pub(crate) fn stored(text: &str, secrets: &[Secret]) -> String {
    let parts = taken_apart(text, secrets);
    let is_plain = !parts.iter().any(|part| matches!(part, Part::Secret(_))) && !text.starts_with(PREFIX);
    if is_plain {
        return text.to_owned();
    }
    let part = |part: &Part| match part {
        Part::Text(text) => json!(text),
        Part::Secret(place) => json!({ "at": place }),
    };
    format!("{PARTS}{}", Value::Array(parts.iter().map(part).collect()))
}

fn hidden(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Secret(_) => "***".to_owned(),
    };
    parts.iter().map(part).collect()
}

/// A text in which no secret can be read.
pub(crate) fn mask(text: &str, secrets: &[Secret]) -> String {
    hidden(&taken_apart(text, secrets))
}

/// A stored text as people may see it: with `***` in the place of each secret.
pub fn shown(stored: &str) -> String {
    parts(stored).map_or_else(|| stored.to_owned(), |parts| hidden(&parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(value: &str, place: &str) -> Secret {
        Secret { value: value.to_owned(), place: place.to_owned() }
    }

    #[test]
    fn secrets_are_looked_up() {
        assert_eq!(resolve("plain"), Ok(("plain".to_owned(), Vec::new())));
        let place = "secret:command:echo hush";
        assert_eq!(resolve(place), Ok(("hush".to_owned(), vec![secret("hush", place)])));
        assert!(resolve("secret:env:LOCUS_NOT_SET_ANYWHERE").is_err());
        assert!(resolve("secret:hush").is_err());
        assert!(resolve("secret:parts:{").is_err());
    }

    #[test]
    fn masked_texts_show_no_secret() {
        let secrets = [secret("hush", "secret:env:A"), secret("", "secret:env:B")];
        assert_eq!(mask("it is hush, hush", &secrets), "it is ***, ***");
        // Of two that begin at one place the longer counts, so that nothing of it is left.
        let secrets = [secret("hu", "secret:env:A"), secret("hush", "secret:env:B")];
        assert_eq!(mask("hush hu", &secrets), "*** ***");
    }

    #[test]
    fn a_stored_text_is_handed_on_whole_and_shown_without_its_secrets() {
        let place = "secret:command:echo 8";
        let secrets = [secret("8", place)];
        let text = "localhost:8080 „ü“";
        let kept = stored(text, &secrets);
        assert!(!kept.contains("8080"), "{kept}");
        assert_eq!(shown(&kept), "localhost:***0***0 „ü“");
        let (whole, inner) = resolve(&kept).expect("the command says it");
        assert_eq!(whole, text);
        assert_eq!(inner, vec![secrets[0].clone(); 2]);
        // The same again by whoever was told that.
        assert_eq!(stored(&whole, &inner), kept);
    }

    #[test]
    fn texts_from_outside_name_no_secrets() {
        for text in ["secret:command:echo taken", "secret:env:HOME", "secret:parts:[\"a\"]"] {
            let kept = stored(text, &[]);
            assert_eq!(resolve(&kept), Ok((text.to_owned(), Vec::new())));
            assert_eq!(shown(&kept), text);
        }
        assert_eq!(stored("plain", &[]), "plain");
    }

    #[test]
    fn parts_within_parts_are_bounded() {
        let mut text = "secret:command:echo deep".to_owned();
        for _ in 0..=DEEPEST {
            text = format!("{PARTS}{}", json!([{ "at": text }]));
        }
        assert!(resolve(&text).is_err());
    }
}
