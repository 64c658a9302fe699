//! Changes of properties in words, without the secrets in them.
//!
//! What is a secret is told by names, as people name them: a value under `DB_PASSWORD` is not shown, nor is the
//! password in an address. Plans are printed in public logs.

/// Parts of names whose values are secrets.
const SECRET: [&str; 10] = [
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "SECRET",
    "TOKEN",
    "API_KEY",
    "APIKEY",
    "PRIVATE_KEY",
    "ACCESS_KEY",
    "CREDENTIAL",
];

/// The same at the end of a name.
const SECRET_AT_END: [&str; 5] = ["PASS", "PWD", "PASSCODE", "_KEY", "_AUTH"];

const MASK: &str = "***";

/// That a property changes from one text to another.
pub(super) fn change(name: &str, old: &str, new: &str) -> String {
    // The names of secrets are none.
    let is_secret = is_secret(name) && name != "secrets";
    let (old, new) = if is_secret { (MASK.to_owned(), MASK.to_owned()) } else { (masked(old), masked(new)) };
    if old == new {
        format!("the property {name} changes; its values may be secret and are not shown")
    } else {
        format!("the property {name} changes from {old} to {new}")
    }
}

/// Whether the value under a name is a secret.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase().replace('-', "_");
    // A file with a secret in it may be named, and what is public is none.
    !["_FILE", "_PATH", "PUBLIC_KEY"].iter().any(|end| name.ends_with(end))
        && (SECRET.iter().any(|part| name.contains(part))
            || SECRET_AT_END.iter().any(|end| name.ends_with(end)))
}

/// A text with its secrets masked. It may be a list or a map; where a secret ends cannot be told with certainty, so all
/// up to the next name is masked.
fn masked(text: &str) -> String {
    let text = without_passwords(text);
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(name) = next_name(rest) {
        out.push_str(&rest[..name.value]);
        rest = &rest[name.value..];
        if is_secret(name.text) && !rest.starts_with(['{', '[']) {
            let end = next_entry(rest).unwrap_or(rest.trim_end_matches(['}', ']']).len());
            out.push_str(MASK);
            rest = &rest[end..];
        }
    }
    out.push_str(rest);
    out
}

/// A name and where its value starts.
struct Name<'t> {
    text: &'t str,
    value: usize,
}

fn is_part_of_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// The first name in a text that something follows: `name: value`, `NAME=value`, or `--name, value` in a list.
fn next_name(text: &str) -> Option<Name<'_>> {
    let mut start = None;
    for (at, c) in text.char_indices() {
        if is_part_of_name(c) {
            start = start.or(Some(at));
            continue;
        }
        let Some(from) = start.take() else { continue };
        let name = &text[from..at];
        let mark = text[at..].trim_start_matches(['"', '\'']);
        let is_quoted = mark.len() < text.len() - at;
        let length = match mark {
            _ if mark.starts_with(": ") => Some(2),
            _ if mark.starts_with('=') || is_quoted && mark.starts_with(':') => Some(1),
            _ if name.starts_with('-') && mark.starts_with(", ") => Some(2),
            _ => None,
        };
        if let Some(length) = length {
            return Some(Name { text: name, value: text.len() - mark.len() + length });
        }
    }
    None
}

/// Where the next entry of a list or map starts that has a name, behind a value.
fn next_entry(text: &str) -> Option<usize> {
    text.match_indices(", ").map(|(at, _)| at).find(|&at| {
        let rest = text[at + 2..].trim_start_matches(['"', '\'']);
        let name = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
        let after = rest[name..].trim_start_matches(['"', '\'']);
        name > 0 && (after.starts_with(": ") || after.starts_with('=') || rest.starts_with("--"))
    })
}

/// A text without the passwords in its addresses: `https://name:***@host`.
fn without_passwords(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after
            .find(|c: char| c.is_whitespace() || matches!(c, '/' | ',' | '}' | ']'))
            .unwrap_or(after.len());
        rest = after;
        if let Some(host) = after[..end].rfind('@')
            && let Some(colon) = after[..host].find(':')
        {
            out.push_str(&after[..=colon]);
            out.push_str(MASK);
            rest = &after[host..];
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_shown_and_the_rest_is() {
        for (text, shown) in [
            ("{DB_PASSWORD: hunter2}", "{DB_PASSWORD: ***}"),
            ("{A: 1, DB_PASSWORD: hun, ter}2, B: 2}", "{A: 1, DB_PASSWORD: ***, B: 2}"),
            ("{a: {api-key: x}, b: y}", "{a: {api-key: ***, b: y}"),
            ("[TOKEN=x, PORT=80]", "[TOKEN=***, PORT=80]"),
            ("{\"TOKEN\": \"x\", \"PORT\": \"80\"}", "{\"TOKEN\": ***, \"PORT\": \"80\"}"),
            ("[serve, --admin-password, x, --port, 80]", "[serve, --admin-password, ***, --port, 80]"),
            ("[serve, --password=x]", "[serve, --password=***]"),
            ("{URL: postgres://me:x@db:5432/a}", "{URL: postgres://me:***@db:5432/a}"),
            ("https://me:a:b@db", "https://me:***@db"),
            ("{PASSWORD_FILE: /run/secrets/p}", "{PASSWORD_FILE: /run/secrets/p}"),
            (
                "{APP_KEY: base64, STRIPE-KEY: sk, BASIC_AUTH: a:b}",
                "{APP_KEY: ***, STRIPE-KEY: ***, BASIC_AUTH: ***}",
            ),
            ("{SSH_PUBLIC_KEY: ssh-rsa, key: a}", "{SSH_PUBLIC_KEY: ssh-rsa, key: a}"),
            ("{PORT: 80, IMAGE: a:1}", "{PORT: 80, IMAGE: a:1}"),
            ("[\"8080:80\"]", "[\"8080:80\"]"),
            ("passenger", "passenger"),
            ("token-service:1.0", "token-service:1.0"),
            ("postgres://me:a=b@db?sslmode=off", "postgres://me:***@db?sslmode=off"),
            ("https://db?token=a&b", "https://db?token=***"),
            ("ä: ö, SECRET: ü", "ä: ö, SECRET: ***"),
            ("", ""),
        ] {
            assert_eq!(masked(text), shown, "{text}");
        }
    }

    #[test]
    fn a_change_of_a_secret_is_said_without_it() {
        assert_eq!(change("port", "80", "81"), "the property port changes from 80 to 81");
        for (name, old, new) in [("admin_pass", "a", "b"), ("environment", "{TOKEN: a}", "{TOKEN: b}")] {
            let said = change(name, old, new);
            assert_eq!(
                said,
                format!("the property {name} changes; its values may be secret and are not shown")
            );
        }
        assert!(change("environment", "{A: 1, TOKEN: a}", "{A: 2, TOKEN: b}").contains("{A: 2, TOKEN: ***}"));
        assert!(change("secrets", "[a]", "[b]").contains("from [a] to [b]"));
    }
}
