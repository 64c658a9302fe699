//! The grammar of policy documents: what a statement has, and what it must not have.

use locus_schema::{Content, Datum};
use locus_source::words::{did_you_mean_word, short};
use locus_source::{Finding, Place};

use crate::rules::POLICY;

/// All that a policy is attached to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// To a user, a group or a role: what that may do.
    Identity,
    /// To a resource: who may do what with it.
    Resource,
    /// To a role: who may take it on.
    Trust,
}

const KEYS: &[&str] = &[
    "Action",
    "Condition",
    "Effect",
    "NotAction",
    "NotPrincipal",
    "NotResource",
    "Principal",
    "Resource",
    "Sid",
];

/// The kinds of principals.
const PRINCIPALS: &[&str] = &["AWS", "CanonicalUser", "Federated", "Service"];

/// Reports what is wrong with a policy document of a resource.
pub(crate) fn check(name: &str, document: &Datum, kind: Kind, out: &mut Vec<Finding>) {
    let Content::Map(fields) = &document.value else { return };
    let mut say = |place: Place, what: String| {
        out.push(Finding::new(&POLICY, place, format!("a policy of `{}` {what}", short(name))));
    };
    for field in fields.iter().filter(|field| !["Version", "Id", "Statement"].contains(&&*field.key)) {
        say(
            field.place,
            format!("has the key `{}`; it has `Version`, `Id` and `Statement`", short(&field.key)),
        );
    }
    if let Some(version) = document.get("Version")
        && let Some(text) = version.value.to_text()
        && !matches!(version.value, Content::Location(_))
        && !["2012-10-17", "2008-10-17"].contains(&&*text)
    {
        say(
            version.place,
            format!("has the version `{}`; there are `2012-10-17` and `2008-10-17`", short(&text)),
        );
    }
    let Some(statement) = document.get("Statement") else {
        return say(document.place, "lacks a `Statement`".to_owned());
    };
    match &statement.value {
        Content::List(items) => items.iter().for_each(|item| self::statement(name, item, kind, out)),
        _ => self::statement(name, statement, kind, out),
    }
}

fn statement(name: &str, statement: &Datum, kind: Kind, out: &mut Vec<Finding>) {
    let fields = match &statement.value {
        Content::Map(fields) => fields,
        Content::Unknown(_) | Content::Absent => return,
        _ => {
            out.push(Finding::new(
                &POLICY,
                statement.place,
                format!("a statement of a policy of `{}` must be a map", short(name)),
            ));
            return;
        }
    };
    let mut say = |place: Place, what: String| {
        let message = format!("a statement of a policy of `{}` {what}", short(name));
        out.push(Finding::new(&POLICY, place, message));
    };
    if let Some(field) = fields.iter().find(|field| !KEYS.contains(&&*field.key)) {
        let message =
            format!("a statement of a policy of `{}` has the key `{}`", short(name), short(&field.key));
        let finding = Finding::new(&POLICY, field.place, message);
        return out.push(did_you_mean_word(finding, &field.key, KEYS.iter().copied()));
    }
    let given = |key: &str| statement.get(key).filter(|datum| !matches!(datum.value, Content::Absent));
    match given("Effect") {
        None => say(statement.place, "lacks an `Effect`".to_owned()),
        Some(effect) => {
            if let Some(text) = effect.as_str().filter(|text| !["Allow", "Deny"].contains(text)) {
                say(effect.place, format!("has the effect `{}`; it is `Allow` or `Deny`", short(text)));
            }
        }
    }
    let mut one_of = |a: &str, b: &str, is_needed: bool| match (given(a), given(b)) {
        (None, None) if is_needed => say(statement.place, format!("lacks `{a}`")),
        (Some(_), Some(second)) => {
            say(second.place, format!("has `{a}` and `{b}`, of which it must have one"));
        }
        _ => {}
    };
    one_of("Action", "NotAction", true);
    one_of("Resource", "NotResource", kind == Kind::Identity);
    one_of("Principal", "NotPrincipal", kind != Kind::Identity);
    match kind {
        Kind::Identity => {
            for key in ["Principal", "NotPrincipal"] {
                if let Some(datum) = given(key) {
                    say(datum.place, format!("has a `{key}`, which is that to which the policy is attached"));
                }
            }
        }
        Kind::Trust => {
            for key in ["Resource", "NotResource"] {
                if let Some(datum) = given(key) {
                    say(datum.place, format!("has a `{key}`, which is the role itself"));
                }
            }
        }
        Kind::Resource => {}
    }
    for key in ["Action", "NotAction"] {
        for action in given(key).into_iter().flat_map(one_or_more) {
            if let Some(text) = action.as_str().filter(|text| *text != "*" && !is_action(text)) {
                say(
                    action.place,
                    format!("names the action `{}`; an action is `service:Name`, or `*`", short(text)),
                );
            }
        }
    }
    if let Some(principal) = given("Principal") {
        match &principal.value {
            Content::Map(kinds) => {
                for field in kinds.iter().filter(|field| !PRINCIPALS.contains(&&*field.key)) {
                    let message = format!(
                        "a statement of a policy of `{}` has a principal `{}`",
                        short(name),
                        short(&field.key)
                    );
                    let finding = Finding::new(&POLICY, field.place, message);
                    out.push(did_you_mean_word(finding, &field.key, PRINCIPALS.iter().copied()));
                }
            }
            Content::Str(text) if &**text != "*" => {
                say(principal.place, format!("has the principal `{}`; it is `*` or a map", short(text)));
            }
            _ => {}
        }
    }
}

fn one_or_more(datum: &Datum) -> &[Datum] {
    if let Content::List(items) = &datum.value { items } else { std::slice::from_ref(datum) }
}

fn is_action(text: &str) -> bool {
    let Some((service, name)) = text.split_once(':') else { return false };
    let fits = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-*?".contains(&byte))
    };
    fits(service) && fits(name)
}

#[cfg(test)]
mod tests {
    use super::is_action;

    #[test]
    fn actions_have_a_service() {
        assert!(is_action("s3:Get*") && is_action("execute-api:Invoke"));
        assert!(!is_action("s3") && !is_action("s3:") && !is_action("s3:Get Object"));
    }
}
