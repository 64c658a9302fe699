//! All that is said of a service that rules have no structure for, as flags: secrets in the open, values that became
//! others.

use locus_meaning::{Related, Subject};
use locus_source::Place;

use super::{Filling, SERVICE};
use crate::values::datum::{Datum, Map};

impl Filling<'_, '_> {
    pub(super) fn flag(&mut self, of: Subject, problem: &str, about: &str, place: Place) {
        let flag = self.part("Flag", about, place);
        self.put(of, SERVICE, "flags", Related::To(flag), place);
        self.put(flag, "Flag", "problem", Related::text(problem), place);
        self.put(flag, "Flag", "about", Related::text(about), place);
    }

    pub(super) fn flags(&mut self, of: Subject, service: &Datum) {
        if let Some(restart) = service.get("restart")
            && !is_restart_policy(restart.as_str().unwrap_or_default())
        {
            self.flag(of, "restart", restart.as_str().unwrap_or_default(), restart.place);
        }
        if let Some(value) = service.get("privileged").filter(|value| value.as_bool() == Some(true)) {
            self.flag(of, "privileged", "privileged", value.place);
        }
        for key in ["mode", "endpoint_mode", "placement", "update_config", "rollback_config"] {
            if let Some(value) = service.at(&["deploy", key]) {
                self.flag(of, "swarm", &format!("deploy.{key}"), value.place);
            }
        }
        if let Some(image) = service.get("image")
            && service.get("build").is_none()
            && has_no_tag(image.as_str().unwrap_or_default())
        {
            self.flag(of, "tag", image.as_str().unwrap_or_default(), image.place);
        }
        for (name, value) in
            service.get("environment").and_then(Datum::as_map).into_iter().flat_map(Map::iter)
        {
            let text = value.as_str().unwrap_or_default();
            // A value that a variable gives is not in the file.
            let written = self.written(value.place);
            if is_changed(&written, text) {
                self.flag(of, "changed", &format!("{name}={text} instead of {written}"), value.place);
            }
            if is_quoted(name, &written, text) {
                self.flag(of, "quoted", &format!("{name}={text}"), value.place);
            }
            if is_secret(name) && !text.is_empty() && written.contains(text) && !written.contains('$') {
                self.flag(of, "secret", name, value.place);
            }
        }
        for (name, value) in service.get("labels").and_then(Datum::as_map).into_iter().flat_map(Map::iter) {
            let text = value.as_str().unwrap_or_default();
            if is_quoted(name, &self.written(value.place), text) {
                self.flag(of, "quoted", &format!("{name}={text}"), value.place);
            }
        }
    }
}

/// Whether quotes around a value became a part of it: in a list, `NAME="value"`.
fn is_quoted(name: &str, written: &str, value: &str) -> bool {
    let quoted = |quote: char| {
        value.len() >= 2
            && value
                .strip_prefix(quote)
                .and_then(|rest| rest.strip_suffix(quote))
                .is_some_and(|rest| !rest.contains(quote))
    };
    let item = written.trim_start_matches(['"', '\'']).strip_prefix(name);
    item.is_some_and(|rest| rest.starts_with('=')) && (quoted('"') || quoted('\''))
}

fn is_restart_policy(text: &str) -> bool {
    match text.strip_prefix("on-failure:") {
        Some(attempts) => !attempts.is_empty() && attempts.bytes().all(|b| b.is_ascii_digit()),
        None => ["", "no", "always", "unless-stopped", "on-failure"].contains(&text),
    }
}

/// Whether a plain scalar became something else than it looks like.
fn is_changed(written: &str, value: &str) -> bool {
    let looks_like_number = written.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c))
        && written.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-._:".contains(&b));
    looks_like_number && !value.is_empty() && written != value
}

/// Whether an image has neither a tag other than `latest` nor a digest.
fn has_no_tag(image: &str) -> bool {
    if image.is_empty() || image.contains('@') {
        return false;
    }
    let name = image.rsplit('/').next().unwrap_or(image);
    name.split_once(':').is_none_or(|(_, tag)| tag == "latest")
}

/// Whether a variable with this name holds a password or a key.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let words = ["PASSWORD", "PASSWD", "SECRET", "TOKEN", "API_KEY", "APIKEY", "PRIVATE_KEY"];
    words.iter().any(|word| name == *word || name.ends_with(&format!("_{word}")))
}
