//! Whether a value is as a JSON schema of the registry says, where some of it may not be known.
//!
//! The keywords are those that the registry's schemas and the further schemas of the table have. CloudFormation turns
//! texts into numbers and truth values and these into texts, so each is taken for the other where it can be.

use locus_schema::constraint::{shown, to_number};
use locus_schema::{Content, Datum, Field};
use locus_source::words::{did_you_mean_word, short};
use locus_source::{Finding, Place, Rule};
use rustc_hash::FxHashSet;
use serde_json::Value as Json;

use super::{ResourceType, forms, properties};
use crate::rules::{
    CONFLICT, ENUM, FORM, FURTHER, LENGTH, NO_CHOICE, PATTERN, RANGE, READ_ONLY, REFERENCE, REPEATED,
    REQUIRED, TYPE, UNKNOWN_PROPERTY,
};

/// Schemas within schemas are looked into so deep.
const DEEPEST: usize = 64;

/// Tells what a value that is a reference will be.
pub(crate) trait Referents {
    /// Why what stands at a place cannot be of any of some forms; a sentence with advice.
    fn misfit(&self, place: Place, forms: &[&str]) -> Option<(String, String)>;

    /// Whether what stands at a place is a list, where that is known of a value that is not.
    fn is_list(&self, place: Place) -> Option<bool>;
}

/// Compares the properties of a resource with what its type says of them; the findings are about `name`.
pub(crate) fn check(
    kind: &ResourceType,
    name: &str,
    properties: &Datum,
    referents: &dyn Referents,
    out: &mut Vec<Finding>,
) {
    let mut checker = Checker { root: kind.schema(), kind: Some(kind), name, referents };
    checker.judge(kind.schema(), properties, &Steps::Top, 0, out);
    for (about, path, schema) in kind.further() {
        checker.root = schema;
        checker.kind = None;
        let Some(datum) = path.split('/').filter(|step| !step.is_empty()).try_fold(properties, Datum::get)
        else {
            continue;
        };
        let mut more = Vec::new();
        if checker.judge(schema, datum, &Steps::Top, 0, &mut more) == Some(false) {
            let place = more.first().map_or(datum.place, |one| one.primary.place);
            let reason = more.first().map(|one| one.message.clone()).unwrap_or_default();
            let message = format!("the properties of `{}` do not go together: {about}", short(name));
            let finding = Finding::new(&FURTHER, place, message);
            out.push(if reason.is_empty() { finding } else { finding.note(reason) });
        }
    }
}

/// Where a value is within the properties.
enum Steps<'s> {
    Top,
    Key(&'s Steps<'s>, &'s str),
    Item(&'s Steps<'s>, usize),
}

impl std::fmt::Display for Steps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Top => Ok(()),
            Self::Key(Self::Top, key) => write!(f, "{}", short(key)),
            Self::Key(outer, key) => write!(f, "{outer}.{}", short(key)),
            Self::Item(outer, index) => write!(f, "{outer}[{index}]"),
        }
    }
}

impl Steps<'_> {
    /// The path in the form of the registry: `A/*/B`.
    fn registry(&self) -> String {
        match self {
            Self::Top => String::new(),
            Self::Key(Self::Top, key) => (*key).to_owned(),
            Self::Key(outer, key) => format!("{}/{key}", outer.registry()),
            Self::Item(outer, _) => format!("{}/*", outer.registry()),
        }
    }
}

struct Checker<'c> {
    root: &'c Json,
    /// The type, if it is its own schema that is looked at.
    kind: Option<&'c ResourceType>,
    name: &'c str,
    referents: &'c dyn Referents,
}

/// Three-valued conjunction.
fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn is_absent(datum: &Datum) -> bool {
    matches!(datum.value, Content::Absent)
}

impl<'c> Checker<'c> {
    /// All that the value is called in messages.
    fn subject(&self, at: &Steps<'_>) -> String {
        match at {
            Steps::Top => format!("`{}`", short(self.name)),
            _ => format!("`{at}` of `{}`", short(self.name)),
        }
    }

    fn say(&self, rule: &Rule, at: &Steps<'_>, datum: &Datum, what: &str) -> Finding {
        let finding = Finding::new(rule, datum.place, format!("{} {what}", self.subject(at)));
        match datum.origin {
            Some(origin) if origin != datum.place => finding.also(origin, "the value comes from here"),
            _ => finding,
        }
    }

    /// Whether a value is as a schema says; what is not so becomes findings. Nothing where that is not known.
    fn judge(
        &self,
        schema: &'c Json,
        datum: &Datum,
        at: &Steps<'_>,
        depth: usize,
        out: &mut Vec<Finding>,
    ) -> Option<bool> {
        if schema == &Json::Bool(false) {
            out.push(self.say(&CONFLICT, at, datum, "must not be given here"));
            return Some(false);
        }
        if depth > DEEPEST || !schema.is_object() {
            return Some(true);
        }
        let schema = properties::resolved(self.root, schema);
        let mut result = self.kind_of(schema, datum, at, out);
        if result == Some(false) {
            return result;
        }
        result = both(result, self.form(schema, datum, at, out));
        if let Content::Unknown(_) = datum.value {
            // What a schema says of every value holds of this one, too: nothing is known of the rest.
            return both(result, None);
        }
        result = both(result, self.scalar(schema, datum, at, out));
        match &datum.value {
            Content::Map(given) => result = both(result, self.map(schema, given, datum, at, depth, out)),
            Content::List(items) => result = both(result, self.list(schema, items, datum, at, depth, out)),
            _ => {}
        }
        both(result, self.combined(schema, datum, at, depth, out))
    }

    /// The type of the value.
    fn kind_of(&self, schema: &Json, datum: &Datum, at: &Steps<'_>, out: &mut Vec<Finding>) -> Option<bool> {
        let wanted: Vec<&str> = match &schema["type"] {
            Json::String(one) => vec![one],
            Json::Array(all) => all.iter().filter_map(Json::as_str).collect(),
            _ => return Some(true),
        };
        let fits = |wanted: &str| match (wanted, &datum.value) {
            ("object", Content::Map(_)) | ("array", Content::List(_)) | ("boolean", Content::Bool(_)) => true,
            ("string", value) => matches!(
                value,
                Content::Str(_)
                    | Content::Location(_)
                    | Content::Bool(_)
                    | Content::Int(_)
                    | Content::BigInt(_)
                    | Content::Float(_)
            ),
            ("integer", value) => {
                to_number(value).is_some_and(|number| number.fract() == 0.0) && !is_bool(value)
            }
            ("number", value) => to_number(value).is_some() && !is_bool(value),
            ("boolean", Content::Str(text)) => {
                text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
            }
            _ => false,
        };
        let verdict = match &datum.value {
            Content::Unknown(_) => match self.referents.is_list(datum.place) {
                Some(true) if !wanted.contains(&"array") => Some(false),
                Some(false) if wanted == ["array"] || wanted == ["object"] => Some(false),
                _ => None,
            },
            Content::Absent => Some(true),
            _ => Some(wanted.iter().any(|one| fits(one))),
        };
        if verdict == Some(false) {
            let article = |one: &str| match one {
                "object" => "a map".to_owned(),
                "array" => "a list".to_owned(),
                "integer" => "an integer".to_owned(),
                other => format!("a {other}"),
            };
            let wanted: Vec<String> = wanted.iter().map(|one| article(one)).collect();
            let given = match &datum.value {
                Content::Unknown(_) if self.referents.is_list(datum.place) == Some(true) => {
                    "a list".to_owned()
                }
                Content::Unknown(_) => "a string".to_owned(),
                Content::Location(_) | Content::Map(_) | Content::List(_) | Content::Null => {
                    datum.value.kind_name().to_owned()
                }
                value => shown(value),
            };
            out.push(self.say(&TYPE, at, datum, &format!("must be {}, not {given}", wanted.join(" or "))));
        }
        verdict
    }

    /// The format of a text, and of a reference to another resource.
    fn form(&self, schema: &Json, datum: &Datum, at: &Steps<'_>, out: &mut Vec<Finding>) -> Option<bool> {
        let own = schema["format"].as_str();
        let choices =
            schema["anyOf"].as_array().into_iter().flatten().filter_map(|one| one["format"].as_str());
        let wanted: Vec<&str> = own.into_iter().chain(choices).collect();
        if wanted.is_empty() {
            return Some(true);
        }
        match &datum.value {
            Content::Str(text) => {
                if text.is_empty() {
                    return None;
                }
                let fault = own.and_then(|form| forms::fault(form, text))?;
                out.push(self.say(
                    &FORM,
                    at,
                    datum,
                    &format!("is {}, which is not {fault}", shown(&datum.value)),
                ));
                Some(false)
            }
            Content::Location(_) | Content::Unknown(_) => {
                let typed: Vec<&str> =
                    wanted.into_iter().filter(|form| super::base(form).is_some()).collect();
                if typed.is_empty() {
                    return None;
                }
                let (why, advice) = self.referents.misfit(datum.place, &typed)?;
                out.push(self.say(&REFERENCE, at, datum, &why).help(advice));
                Some(false)
            }
            _ => Some(true),
        }
    }

    /// Enumerations, patterns, lengths and ranges.
    fn scalar(&self, schema: &Json, datum: &Datum, at: &Steps<'_>, out: &mut Vec<Finding>) -> Option<bool> {
        let value = &datum.value;
        if matches!(value, Content::Location(_) | Content::Absent | Content::Null) {
            return None;
        }
        let mut result = Some(true);
        let allowed = match (&schema["enum"], &schema["enumCaseInsensitive"], schema.get("const")) {
            (Json::Array(all), ..) => Some((all.as_slice(), false)),
            (_, Json::Array(all), _) => Some((all.as_slice(), true)),
            (.., Some(one)) => Some((std::slice::from_ref(one), false)),
            _ => None,
        };
        if let Some((allowed, in_any_case)) = allowed
            && !allowed.iter().any(|one| is_same(value, one, in_any_case))
        {
            let names: Vec<&str> = allowed.iter().filter_map(Json::as_str).collect();
            let listed = if names.len() == allowed.len() {
                locus_source::words::listed(names.iter().copied())
            } else {
                allowed.iter().take(12).map(Json::to_string).collect::<Vec<_>>().join(", ")
            };
            let finding =
                self.say(&ENUM, at, datum, &format!("is {}; it must be one of {listed}", shown(value)));
            out.push(match value.to_text() {
                Some(word) => did_you_mean_word(finding, &word, names),
                None => finding,
            });
            return Some(false);
        }
        let mut fail = |rule: &Rule, what: String| {
            out.push(self.say(rule, at, datum, &what));
            result = Some(false);
        };
        if let (Some(pattern), Content::Str(text)) = (schema["pattern"].as_str(), value)
            && forms::finds(pattern, text) == Some(false)
        {
            fail(&PATTERN, format!("is {}; it must match `{}`", shown(value), short(pattern)));
        }
        if let Content::Str(text) = value {
            let length = text.chars().count();
            let (least, most) = (limit(schema, "minLength"), limit(schema, "maxLength"));
            if least.is_some_and(|least| length < least) || most.is_some_and(|most| length > most) {
                fail(&LENGTH, format!("has {length} characters; it must have {}", between(least, most)));
            }
        }
        if let Some(number) = to_number(value).filter(|_| !is_bool(value) && is_numeric(schema)) {
            let bound = |key: &str| schema[key].as_f64();
            let breaks = bound("minimum").is_some_and(|least| number < least)
                || bound("maximum").is_some_and(|most| number > most)
                || bound("exclusiveMinimum").is_some_and(|least| number <= least)
                || bound("exclusiveMaximum").is_some_and(|most| number >= most);
            if breaks {
                let ends = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
                let ends = ends.iter().filter_map(|key| {
                    let word = match *key {
                        "minimum" => "at least",
                        "maximum" => "at most",
                        "exclusiveMinimum" => "more than",
                        _ => "less than",
                    };
                    Some(format!("{word} {}", bound(key)?))
                });
                let ends = ends.collect::<Vec<_>>().join(" and ");
                fail(&RANGE, format!("is {}; it must be {ends}", shown(value)));
            } else if bound("multipleOf").is_some_and(|step| step > 0.0 && (number / step).fract() != 0.0) {
                let step = bound("multipleOf").unwrap_or_default();
                fail(&RANGE, format!("is {}; it must be a multiple of {step}", shown(value)));
            }
        }
        result
    }

    fn map(
        &self,
        schema: &'c Json,
        given: &[Field],
        datum: &Datum,
        at: &Steps<'_>,
        depth: usize,
        out: &mut Vec<Finding>,
    ) -> Option<bool> {
        let mut result = Some(true);
        let known = schema["properties"].as_object();
        let patterns = schema["patternProperties"].as_object();
        let rest = &schema["additionalProperties"];
        for (index, field) in given.iter().enumerate() {
            let is_last = given[index + 1..].iter().all(|later| later.key != field.key);
            if is_absent(&field.value) || !is_last {
                continue;
            }
            let inner = Steps::Key(at, &field.key);
            let mut is_known = false;
            if let Some(inner_schema) = known.and_then(|known| known.get(&*field.key)) {
                is_known = true;
                if let Some(kind) = self.kind.filter(|kind| kind.is_read_only(&inner.registry())) {
                    let message =
                        format!("is given, but only AWS gives it a value: `{}` has it read-only", kind.name);
                    out.push(Finding::new(
                        &READ_ONLY,
                        field.place,
                        format!("{} {message}", self.subject(&inner)),
                    ));
                    result = Some(false);
                }
                result = both(result, self.judge(inner_schema, &field.value, &inner, depth + 1, out));
            }
            for (pattern, inner_schema) in patterns.into_iter().flatten() {
                match forms::finds(pattern, &field.key) {
                    Some(true) => {
                        is_known = true;
                        result = both(result, self.judge(inner_schema, &field.value, &inner, depth + 1, out));
                    }
                    Some(false) => {}
                    None => is_known = true,
                }
            }
            if is_known {
                continue;
            }
            if rest == &Json::Bool(false) {
                let names = known.into_iter().flatten().map(|(name, _)| name.as_str());
                let owner = match at {
                    Steps::Top => {
                        self.kind.map_or_else(|| self.subject(at), |kind| format!("`{}`", kind.name))
                    }
                    _ => self.subject(at),
                };
                let message = format!("{owner} has no property `{}`", short(&field.key));
                let finding = Finding::new(&UNKNOWN_PROPERTY, field.place, message);
                out.push(did_you_mean_word(finding, &field.key, names));
                result = Some(false);
            } else if rest.is_object() {
                result = both(result, self.judge(rest, &field.value, &inner, depth + 1, out));
            }
        }
        let has = |name: &str| datum.get(name).is_some_and(|value| !is_absent(value));
        let mut fail = |rule: &Rule, what: String| {
            out.push(Finding::new(rule, datum.place, format!("{} {what}", self.subject(at))));
            result = Some(false);
        };
        for name in texts(&schema["required"]).filter(|name| !has(name)) {
            fail(&REQUIRED, format!("lacks the property `{name}`"));
        }
        let quoted =
            |names: &[&str]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let one_of: Vec<&str> = texts(&schema["requiredXor"]).collect();
        if !one_of.is_empty() {
            let there: Vec<&str> = one_of.iter().copied().filter(|name| has(name)).collect();
            match there.len() {
                0 => fail(&REQUIRED, format!("must have one of {}", quoted(&one_of))),
                1 => {}
                _ => fail(&CONFLICT, format!("must have one of {} and not several", quoted(&one_of))),
            }
        }
        let some_of: Vec<&str> = texts(&schema["requiredOr"]).collect();
        if !some_of.is_empty() && !some_of.iter().any(|name| has(name)) {
            fail(&REQUIRED, format!("must have some of {}", quoted(&some_of)));
        }
        for key in ["dependentRequired", "dependencies"] {
            for (name, needed) in schema[key].as_object().into_iter().flatten().filter(|(name, _)| has(name))
            {
                for needed in texts(needed).filter(|needed| !has(needed)) {
                    fail(&REQUIRED, format!("has `{name}` and lacks `{needed}`, which that needs"));
                }
            }
        }
        let excluded = schema["dependentExcluded"].as_object();
        for (name, barred) in excluded.into_iter().flatten().filter(|(name, _)| has(name)) {
            for barred in texts(barred).filter(|barred| has(barred)) {
                // Of two that exclude each other it is said once.
                let is_mutual = texts(&schema["dependentExcluded"][barred]).any(|other| other == name);
                if !is_mutual || name.as_str() < barred {
                    fail(&CONFLICT, format!("has `{name}` and `{barred}`, of which only one may be given"));
                }
            }
        }
        let count = given.iter().filter(|field| !is_absent(&field.value)).count();
        let (least, most) = (limit(schema, "minProperties"), limit(schema, "maxProperties"));
        if least.is_some_and(|least| count < least) || most.is_some_and(|most| count > most) {
            fail(&LENGTH, format!("has {count} keys; it must have {}", between(least, most)));
        }
        let names = schema["propertyNames"]["pattern"].as_str();
        for field in given
            .iter()
            .filter(|field| names.is_some_and(|pattern| forms::finds(pattern, &field.key) == Some(false)))
        {
            fail(
                &PATTERN,
                format!(
                    "has the key `{}`, which must match `{}`",
                    short(&field.key),
                    names.unwrap_or_default()
                ),
            );
        }
        result
    }

    fn list(
        &self,
        schema: &'c Json,
        items: &[Datum],
        datum: &Datum,
        at: &Steps<'_>,
        depth: usize,
        out: &mut Vec<Finding>,
    ) -> Option<bool> {
        let mut result = Some(true);
        let first = schema["prefixItems"].as_array().map_or(&[][..], Vec::as_slice);
        let mut count = 0;
        let mut certain = true;
        let mut seen = FxHashSet::default();
        for (index, item) in items.iter().enumerate() {
            if is_absent(item) {
                continue;
            }
            // An item that is a list itself, or may be one, stands for any number.
            certain &= !matches!(item.value, Content::Unknown(_))
                || self.referents.is_list(item.place) == Some(false);
            let inner = Steps::Item(at, index);
            let of_item = first.get(count).unwrap_or(&schema["items"]);
            result = both(result, self.judge(of_item, item, &inner, depth + 1, out));
            count += 1;
            if schema["uniqueItems"] == Json::Bool(true)
                && let Some(text) = item.value.to_json()
                && !seen.insert(text)
            {
                out.push(self.say(&REPEATED, &inner, item, "stands in the list before"));
                result = Some(false);
            }
        }
        if let wanted @ Json::Object(_) = &schema["contains"] {
            let mut found = Some(false);
            for item in items {
                match self.judge(wanted, item, at, depth + 1, &mut Vec::new()) {
                    Some(true) => found = Some(true),
                    None if found == Some(false) => found = None,
                    _ => {}
                }
            }
            if found == Some(false) {
                out.push(self.say(&NO_CHOICE, at, datum, "lacks an item that it must have"));
            }
            result = both(result, found);
        }
        let (least, most) = (limit(schema, "minItems"), limit(schema, "maxItems"));
        let too_few = least.is_some_and(|least| count < least) && certain;
        // An item that is not known is at least one, unless it is a list.
        if too_few || certain && most.is_some_and(|most| count > most) {
            let what = format!("has {count} items; it must have {}", between(least, most));
            out.push(self.say(&LENGTH, at, datum, &what));
            return Some(false);
        }
        if certain { result } else { both(result, None) }
    }

    /// Schemas of which all, some, one or none hold, and those that hold under a condition.
    fn combined(
        &self,
        schema: &'c Json,
        datum: &Datum,
        at: &Steps<'_>,
        depth: usize,
        out: &mut Vec<Finding>,
    ) -> Option<bool> {
        let mut result = Some(true);
        for one in schema["allOf"].as_array().into_iter().flatten() {
            result = both(result, self.judge(one, datum, at, depth + 1, out));
        }
        for (key, only_one) in [("anyOf", false), ("oneOf", true)] {
            let Some(all) = schema[key].as_array() else { continue };
            let mut nearest: Option<Vec<Finding>> = None;
            let (mut holding, mut open) = (0, 0);
            for one in all {
                let mut why = Vec::new();
                match self.judge(one, datum, at, depth + 1, &mut why) {
                    Some(true) => holding += 1,
                    None => open += 1,
                    Some(false) if nearest.as_ref().is_none_or(|known| why.len() < known.len()) => {
                        nearest = Some(why);
                    }
                    Some(false) => {}
                }
            }
            if holding + open == 0 && !all.is_empty() {
                let nearest = nearest.unwrap_or_default();
                match <[Finding; 1]>::try_from(nearest) {
                    // Of one fault it is said what it is; of more it is not known which was meant.
                    Ok([only]) if all.len() == 1 => out.push(only),
                    Ok([only]) => {
                        let finding =
                            self.say(&NO_CHOICE, at, datum, "fits none of the forms that it may have");
                        out.push(finding.note(only.message));
                    }
                    Err(_) => {
                        out.push(self.say(&NO_CHOICE, at, datum, "fits none of the forms that it may have"));
                    }
                }
                result = Some(false);
            } else if only_one && holding > 1 {
                out.push(self.say(
                    &NO_CHOICE,
                    at,
                    datum,
                    "fits several of the forms of which it may have one",
                ));
                result = Some(false);
            } else if holding == 0 || (only_one && open > 0) {
                result = both(result, None);
            }
        }
        if let wrong @ Json::Object(_) = &schema["not"] {
            match self.judge(wrong, datum, at, depth + 1, &mut Vec::new()) {
                Some(true) => {
                    out.push(self.say(&CONFLICT, at, datum, "has what it must not have"));
                    result = Some(false);
                }
                Some(false) => {}
                None => result = both(result, None),
            }
        }
        if let condition @ Json::Object(_) = &schema["if"] {
            let then = match self.judge(condition, datum, at, depth + 1, &mut Vec::new()) {
                Some(true) => Some("then"),
                Some(false) => Some("else"),
                None => {
                    result = both(result, None);
                    None
                }
            };
            if let Some(branch) = then.and_then(|key| schema.get(key)) {
                result = both(result, self.judge(branch, datum, at, depth + 1, out));
            }
        }
        result
    }
}

fn is_bool(value: &Content) -> bool {
    matches!(value, Content::Bool(_))
}

fn is_numeric(schema: &Json) -> bool {
    schema["type"] != "string"
}

/// Whether a value is one that a schema lists.
fn is_same(value: &Content, listed: &Json, in_any_case: bool) -> bool {
    let text = match listed {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let given = match value {
        Content::Bool(value) => value.to_string().into(),
        Content::Map(_) | Content::List(_) => return value.to_json().is_none_or(|given| given == text),
        value => match value.to_text() {
            Some(given) => given,
            None => return true,
        },
    };
    let is_truth = listed.is_boolean() || is_bool(value);
    *given == *text || ((in_any_case || is_truth) && given.eq_ignore_ascii_case(&text))
}

fn limit(schema: &Json, key: &str) -> Option<usize> {
    schema[key].as_u64().and_then(|limit| usize::try_from(limit).ok())
}

fn between(least: Option<usize>, most: Option<usize>) -> String {
    match (least, most) {
        (Some(least), Some(most)) if least == most => format!("exactly {least}"),
        (Some(least), Some(most)) => format!("from {least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "any number".to_owned(),
    }
}

fn texts(list: &Json) -> impl Iterator<Item = &str> {
    list.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Json::as_str)
}
