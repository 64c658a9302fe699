//! Why a call gave no result, by the status and the words of the answer.

use serde_json::Value;

/// Why a call gave no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// The kind, by which it is decided what comes next.
    pub kind: Kind,
    /// In words, without any secret.
    pub reason: String,
    /// For how many milliseconds to wait, if the service says so.
    pub after: Option<u64>,
}

/// The kinds of trouble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The service was not reached.
    NotSent,
    /// There was no answer: it may have been done.
    Lost,
    /// There is no such thing.
    Missing,
    /// Something else is done with the same thing, or it is in use.
    Conflict,
    /// There is one already.
    Exists,
    /// A limit of the project.
    Quota,
    /// Too many requests.
    Throttled,
    /// Not now, and nothing was done.
    Busy,
    /// An error within the service, which may have done something before.
    Broken,
    /// Anything else.
    Refused,
}

impl Trouble {
    /// Trouble of a kind.
    pub fn new(kind: Kind, reason: impl Into<String>) -> Self {
        Self { kind, reason: reason.into(), after: None }
    }

    /// Something that will not do, whoever asks.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self::new(Kind::Refused, reason)
    }

    /// The trouble that an answer tells.
    pub(crate) fn of(status: u16, body: &Value, retry_after: Option<u64>) -> Self {
        let reason = reason(status, body);
        let says = |words: &[&str]| words.iter().any(|word| reason.contains(word));
        let is_quota = says(&["Quota exceeded", "quota", "OverQuota", "OverLimit", "exceeds allowed"]);
        let kind = match status {
            404 => Kind::Missing,
            413 if retry_after.is_some() && !is_quota => Kind::Throttled,
            403 | 409 | 413 if is_quota => Kind::Quota,
            409 if says(&[
                "already exists",
                "Conflict occurred attempting to store",
                "already has",
                "Duplicate",
            ]) =>
            {
                Kind::Exists
            }
            409 | 412 | 423 => Kind::Conflict,
            // Cinder refuses in this way what it is about to do with a volume, such as letting it go.
            400 if says(&["status must be available", "status must be in-use"]) => Kind::Conflict,
            429 => Kind::Throttled,
            503 => Kind::Busy,
            500..=599 => Kind::Broken,
            _ => Kind::Refused,
        };
        Self { kind, reason, after: retry_after.map(|seconds| seconds.saturating_mul(1000).min(3_600_000)) }
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)
    }
}

/// The longest reason that is handed on.
const LONGEST: usize = 600;

/// The reason that a service gives: each has a form of its own.
fn reason(status: u16, body: &Value) -> String {
    let said = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Object(map) => {
            let text =
                ["message", "faultstring", "title", "detail"].iter().find_map(|key| map.get(*key)?.as_str());
            text.map(str::to_owned)
        }
        _ => None,
    };
    let keys = [
        "NeutronError",
        "error",
        "badRequest",
        "conflictingRequest",
        "forbidden",
        "itemNotFound",
        "overLimit",
    ];
    let named = keys.iter().find_map(|key| said(body.get(key)?));
    let any = || body.as_object().filter(|map| map.len() == 1)?.values().next().and_then(said);
    let in_list = || said(body.get("errors")?.get(0)?);
    let text = named.or_else(any).or_else(in_list).or_else(|| body.get("message").and_then(said));
    let text = text.or_else(|| body.as_str().map(str::to_owned)).filter(|text| !text.trim().is_empty());
    let text = text.unwrap_or_else(|| format!("the service answers with {status}"));
    let mut text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kinds_are_told_by_status_and_words() {
        let neutron =
            |message: &str| json!({ "NeutronError": { "type": "X", "message": message, "detail": "" } });
        let quota = neutron("Quota exceeded for resources: ['port'].");
        let of = |status, body: &Value, after| Trouble::of(status, body, after).kind;
        assert_eq!(of(409, &quota, None), Kind::Quota);
        assert_eq!(
            of(409, &neutron("Unable to complete operation on network n. One or more ports"), None),
            Kind::Conflict
        );
        let nova =
            json!({ "forbidden": { "code": 403, "message": "Quota exceeded for instances: Requested 1" } });
        assert_eq!(of(403, &nova, None), Kind::Quota);
        assert_eq!(Trouble::of(403, &nova, None).reason, "Quota exceeded for instances: Requested 1");
        let exists = json!({ "conflictingRequest": { "message": "Key pair 'k' already exists." } });
        assert_eq!(of(409, &exists, None), Kind::Exists);
        assert_eq!(of(413, &json!({ "overLimit": { "message": "too fast" } }), Some(2)), Kind::Throttled);
        assert_eq!(Trouble::of(429, &Value::Null, Some(7)).after, Some(7000));
        let busy = json!({ "badRequest": { "message": "Invalid volume: Volume status must be available or error" } });
        assert_eq!(of(400, &busy, None), Kind::Conflict);
        assert_eq!(of(500, &Value::Null, None), Kind::Broken);
        assert_eq!(of(400, &json!({ "badRequest": { "message": "no" } }), None), Kind::Refused);
        assert_eq!(Trouble::of(418, &json!([]), None).reason, "the service answers with 418");
    }
}
