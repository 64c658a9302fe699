//! Values in which calls are left that only the deployment can work out, and their results.
//!
//! `{"$id": NAME}` is the id of a thing, `{"$attr": [NAME, ATTRIBUTE, STEP…]}` an attribute of it, and
//! `{"$call": FUNCTION, "given": ARGUMENTS}` what a function of Heat makes of its arguments, which may be calls.
//!
//! Out of scope: what can be known before, which whoever reads a template has worked out.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// All that is known when something is built.
pub trait Known {
    /// The id of a thing.
    ///
    /// # Errors
    /// If it has none yet; in words.
    fn id(&self, name: &str) -> Result<Value, String>;

    /// The attributes of a thing.
    ///
    /// # Errors
    /// As [`Known::id`].
    fn attributes(&self, name: &str) -> Result<Value, String>;

    /// A parameter that every stack has, such as `OS::project_id`.
    ///
    /// # Errors
    /// If it is not known; in words.
    fn parameter(&self, name: &str) -> Result<Value, String>;

    /// The secret that is where a text says.
    ///
    /// # Errors
    /// If it is not there; in words.
    fn secret(&self, place: &str) -> Result<String, String>;
}

/// The largest text that functions may make.
const LONGEST: usize = 4 << 20;

/// The deepest nesting of values.
const DEEPEST: usize = 256;

/// The result of a value, with all calls in it worked out.
///
/// # Errors
/// If something is not known, or a function cannot be applied; in words.
pub fn evaluate(value: &Value, known: &dyn Known) -> Result<Value, String> {
    within(value, known, DEEPEST)
}

fn within(value: &Value, known: &dyn Known, depth: usize) -> Result<Value, String> {
    let depth = depth.checked_sub(1).ok_or("values are nested too deeply")?;
    match value {
        Value::Array(items) => items.iter().map(|item| within(item, known, depth)).collect(),
        Value::Object(map) => {
            if let Some(Value::String(name)) = map.get("$id") {
                return known.id(name);
            }
            if let Some(Value::Array(items)) = map.get("$attr") {
                let items: Vec<Value> =
                    items.iter().map(|item| within(item, known, depth)).collect::<Result<_, _>>()?;
                let Some((Value::String(name), path)) = items.split_first() else {
                    return Err("an attribute of nothing".to_owned());
                };
                return Ok(attribute(&known.attributes(name)?, path));
            }
            if let Some(Value::String(function)) = map.get("$call") {
                let given = map.get("given").unwrap_or(&Value::Null);
                if function == "$none" {
                    return Ok(Value::Null);
                }
                let given = within(given, known, depth)?;
                return call(function, &given, known).map_err(|why| format!("`{function}` {why}"));
            }
            let field = |(key, value): (&String, &Value)| Ok((key.clone(), within(value, known, depth)?));
            map.iter().map(field).collect::<Result<Map<_, _>, String>>().map(Value::Object)
        }
        other => Ok(other.clone()),
    }
}

/// An attribute, or a part of it.
fn attribute(attributes: &Value, path: &[Value]) -> Value {
    let Some((name, rest)) = path.split_first() else { return attributes.clone() };
    let found = name.as_str().and_then(|name| attributes.get(name)).cloned().unwrap_or(Value::Null);
    if rest.is_empty() { found } else { part(&found, rest) }
}

/// A part of a value, by the steps that lead there; an empty text where Heat finds nothing.
fn part(value: &Value, path: &[Value]) -> Value {
    let mut at = value;
    for step in path {
        let next = match (at, step) {
            (Value::Object(map), step) => text(step).and_then(|key| map.get(&key)),
            (Value::Array(items), step) => {
                let index = step.as_i64().or_else(|| step.as_str()?.parse().ok());
                let from_end = |index: i64| if index < 0 { items.len() as i64 + index } else { index };
                index.and_then(|index| items.get(usize::try_from(from_end(index)).ok()?))
            }
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => return Value::from(""),
        }
    }
    at.clone()
}

/// The text that Python's `str` makes of a scalar.
fn text(value: &Value) -> Option<String> {
    Some(match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => if *value { "True" } else { "False" }.to_owned(),
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    })
}

/// The text that takes the place of a word, as Heat makes it: maps and lists become JSON.
fn replacement(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Array(_) | Value::Object(_) => value.to_string(),
        scalar => text(scalar).unwrap_or_default(),
    }
}

fn items(value: &Value) -> Result<&[Value], String> {
    match value {
        Value::Array(items) => Ok(items),
        Value::Null => Ok(&[]),
        _ => Err("needs a list".to_owned()),
    }
}

fn bounded(text: String) -> Result<Value, String> {
    if text.len() > LONGEST {
        Err("would make a text that is too long".to_owned())
    } else {
        Ok(Value::String(text))
    }
}

fn call(function: &str, given: &Value, known: &dyn Known) -> Result<Value, String> {
    match function {
        "get_param" => {
            let (name, path) = match given {
                Value::Array(items) => items.split_first().ok_or("names nothing")?,
                name => (name, &[][..]),
            };
            let value = known.parameter(name.as_str().ok_or("names nothing")?)?;
            Ok(if path.is_empty() { value } else { part(&value, path) })
        }
        "$part" => {
            let (value, path) = items(given)?.split_first().ok_or("has nothing to take a part of")?;
            Ok(part(value, path))
        }
        "$secret" => known.secret(given.as_str().ok_or("names no secret")?).map(Value::from),
        "$cloud_config" => Ok(Value::from(format!("#cloud-config\n{given}\n"))),
        "$multipart" => multipart(items(given)?),
        "list_join" => list_join(items(given)?),
        "str_replace" | "str_replace_strict" | "str_replace_vstrict" => str_replace(function, given),
        "str_split" => str_split(items(given)?),
        "digest" => Err("of what only the deployment tells is not worked out".to_owned()),
        "make_url" => make_url(given),
        "map_merge" => {
            let mut merged = Map::new();
            for map in items(given)?.iter().filter(|map| !map.is_null()) {
                let map = map.as_object().ok_or("needs maps")?;
                merged.extend(map.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
            Ok(Value::Object(merged))
        }
        "map_replace" => map_replace(items(given)?),
        "list_concat" | "list_concat_unique" => {
            let mut all: Vec<Value> = Vec::new();
            for list in items(given)? {
                for item in items(list)? {
                    if function == "list_concat" || !all.contains(item) {
                        all.push(item.clone());
                    }
                }
            }
            Ok(Value::Array(all))
        }
        "contains" => match items(given)? {
            [item, Value::Array(list)] => Ok(Value::Bool(list.contains(item))),
            [item, Value::String(list)] => {
                Ok(Value::Bool(item.as_str().is_some_and(|item| list.contains(item))))
            }
            _ => Err("needs a value and a list".to_owned()),
        },
        "equals" => match items(given)? {
            [one, other] => Ok(Value::Bool(one == other)),
            _ => Err("needs two values".to_owned()),
        },
        "filter" => match items(given)? {
            [unwanted, list] => {
                let unwanted = items(unwanted)?;
                Ok(items(list)?.iter().filter(|item| !unwanted.contains(item)).cloned().collect())
            }
            _ => Err("needs two lists".to_owned()),
        },
        "repeat" => repeat(given),
        _ => Err("is not worked out by Locus".to_owned()),
    }
}

fn list_join(given: &[Value]) -> Result<Value, String> {
    let (delimiter, lists) = given.split_first().ok_or("needs a delimiter and lists")?;
    let delimiter = delimiter.as_str().ok_or("needs a text as its delimiter")?;
    let mut parts = Vec::new();
    for list in lists {
        for item in items(list)? {
            parts.push(replacement(item));
        }
    }
    bounded(parts.join(delimiter))
}

fn str_replace(function: &str, given: &Value) -> Result<Value, String> {
    let template = given.get("template").and_then(text).ok_or("needs a text as its `template`")?;
    let params = given.get("params").and_then(Value::as_object).ok_or("needs a map as its `params`")?;
    // Longer words go first, as words may begin with others; what was put in is not replaced again.
    let mut words: Vec<(&String, String)> = Vec::new();
    for (word, value) in params.iter().filter(|(word, _)| !word.is_empty()) {
        if function == "str_replace_vstrict" && matches!(replacement(value).as_str(), "") {
            return Err(format!("has nothing for `{word}`"));
        }
        if function != "str_replace" && !template.contains(word.as_str()) {
            return Err(format!("does not find `{word}` in its template"));
        }
        words.push((word, replacement(value)));
    }
    words.sort_by(|one, other| other.0.len().cmp(&one.0.len()).then(one.0.cmp(other.0)));
    let (mut result, mut at) = (String::with_capacity(template.len()), 0);
    while let Some(next) = template[at..].chars().next() {
        if let Some((word, value)) = words.iter().find(|(word, _)| template[at..].starts_with(word.as_str()))
        {
            result.push_str(value);
            at += word.len();
        } else {
            result.push(next);
            at += next.len_utf8();
        }
        if result.len() > LONGEST {
            break;
        }
    }
    bounded(result)
}

fn str_split(given: &[Value]) -> Result<Value, String> {
    let [delimiter, whole, index @ ..] = given else { return Err("needs a delimiter and a text".to_owned()) };
    let delimiter = delimiter.as_str().filter(|text| !text.is_empty()).ok_or("needs a delimiter")?;
    let Some(whole) = text(whole) else { return Ok(Value::Array(Vec::new())) };
    let parts: Value = whole.split(delimiter).map(Value::from).collect();
    match index {
        [] => Ok(parts),
        [index, ..] => {
            let index = index.as_u64().or_else(|| index.as_str()?.parse().ok()).ok_or("needs a number")?;
            parts.get(index as usize).cloned().ok_or_else(|| "has no such part".to_owned())
        }
    }
}

fn map_replace(given: &[Value]) -> Result<Value, String> {
    let [map, by] = given else { return Err("needs a map and what to replace in it".to_owned()) };
    let map = map.as_object().ok_or("needs a map")?;
    let replaced = |kind: &str, word: &Value| by.get(kind)?.get(text(word)?).cloned();
    let field = |(key, value): (&String, &Value)| {
        let key = replaced("keys", &Value::from(key.as_str()))
            .and_then(|new| text(&new))
            .unwrap_or_else(|| key.clone());
        (key, replaced("values", value).unwrap_or_else(|| value.clone()))
    };
    Ok(Value::Object(map.iter().map(field).collect()))
}

fn make_url(given: &Value) -> Result<Value, String> {
    let get = |key: &str| given.get(key).and_then(text).filter(|text| !text.is_empty());
    let mut url = get("scheme").map_or_else(String::new, |scheme| format!("{scheme}:"));
    if let Some(host) = get("host") {
        url.push_str("//");
        if let Some(user) = get("username") {
            url.push_str(&escaped(&user));
            if let Some(password) = get("password") {
                put(&mut url, format_args!(":{}", escaped(&password)));
            }
            url.push('@');
        }
        let is_bare = host.contains(':') && !host.starts_with('[');
        if is_bare {
            put(&mut url, format_args!("[{host}]"));
        } else {
            url.push_str(&host);
        }
        if let Some(port) = get("port") {
            put(&mut url, format_args!(":{port}"));
        }
    }
    if let Some(path) = get("path") {
        if !path.starts_with('/') && !url.is_empty() {
            url.push('/');
        }
        url.push_str(&path.split('/').map(escaped).collect::<Vec<_>>().join("/"));
    }
    if let Some(Value::Object(query)) = given.get("query") {
        let parts =
            query.iter().map(|(key, value)| format!("{}={}", escaped(key), escaped(&replacement(value))));
        let parts: Vec<String> = parts.collect();
        if !parts.is_empty() {
            put(&mut url, format_args!("?{}", parts.join("&")));
        }
    }
    if let Some(fragment) = get("fragment") {
        put(&mut url, format_args!("#{}", escaped(&fragment)));
    }
    bounded(url)
}

fn put(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing into a text cannot fail.
    let _ = text.write_fmt(more);
}

/// A text as a part of an address.
pub fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            result.push(char::from(byte));
        } else {
            put(&mut result, format_args!("%{byte:02X}"));
        }
    }
    result
}

/// A value for each combination of the values of variables; the last variable runs fastest.
fn repeat(given: &Value) -> Result<Value, String> {
    let template = given.get("template").ok_or("needs a `template`")?;
    let each = given.get("for_each").and_then(Value::as_object).ok_or("needs a map as `for_each`")?;
    let nested = given.get("permutations").is_none_or(|value| *value != Value::Bool(false));
    let mut lists: Vec<(&String, Vec<String>)> = Vec::new();
    for (word, values) in each {
        let values: Vec<String> = match values {
            Value::Object(map) => map.keys().cloned().collect(),
            values => items(values)?.iter().map(replacement).collect(),
        };
        lists.push((word, values));
    }
    let lengths = || lists.iter().map(|(_, values)| values.len());
    let count = if nested { lengths().product::<usize>() } else { lengths().min().unwrap_or(0) };
    if count.saturating_mul(template.to_string().len()) > LONGEST {
        return Err("would make a list that is too long".to_owned());
    }
    let made = (0..count).map(|number| {
        let mut rest = number;
        let mut chosen: Vec<(&str, &str)> = Vec::new();
        for (word, values) in lists.iter().rev() {
            let index = if nested { rest % values.len() } else { number };
            rest /= if nested { values.len() } else { 1 };
            chosen.push((word, &values[index]));
        }
        substituted(template, &chosen)
    });
    Ok(made.collect())
}

fn substituted(value: &Value, chosen: &[(&str, &str)]) -> Value {
    let put =
        |text: &str| chosen.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value));
    match value {
        Value::String(text) => Value::from(put(text)),
        Value::Array(items) => items.iter().map(|item| substituted(item, chosen)).collect(),
        Value::Object(map) => {
            Value::Object(map.iter().map(|(key, value)| (put(key), substituted(value, chosen))).collect())
        }
        other => other.clone(),
    }
}

/// The parts of a message, as cloud-init reads it.
fn multipart(parts: &[Value]) -> Result<Value, String> {
    const BOUNDARY: &str = "===============locus==";
    let mut message =
        format!("Content-Type: multipart/mixed; boundary=\"{BOUNDARY}\"\nMIME-Version: 1.0\n\n");
    for part in parts {
        let config = part.get("config").and_then(text).unwrap_or_default();
        if part.get("type").and_then(Value::as_str) == Some("multipart") {
            return Err("of parts that have parts is not worked out".to_owned());
        }
        let kind =
            match (part.get("subtype").and_then(Value::as_str), config.lines().next().unwrap_or_default()) {
                (Some(subtype), _) if !subtype.is_empty() => format!("text/{subtype}"),
                (_, first) if first.starts_with("#cloud-config") => "text/cloud-config".to_owned(),
                (_, first) if first.starts_with("#!") => "text/x-shellscript".to_owned(),
                _ => "text/plain".to_owned(),
            };
        put(
            &mut message,
            format_args!("--{BOUNDARY}\nContent-Type: {kind}; charset=\"utf-8\"\nMIME-Version: 1.0\n"),
        );
        if let Some(name) =
            part.get("filename").and_then(Value::as_str).filter(|name| !name.contains(['"', '\n']))
        {
            put(&mut message, format_args!("Content-Disposition: attachment; filename=\"{name}\"\n"));
        }
        put(&mut message, format_args!("\n{config}\n"));
    }
    put(&mut message, format_args!("--{BOUNDARY}--\n"));
    bounded(message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    struct Deployed;

    impl Known for Deployed {
        fn id(&self, name: &str) -> Result<Value, String> {
            if name == "net" { Ok(json!("n-1")) } else { Err(format!("{name} is not there yet")) }
        }

        fn attributes(&self, _: &str) -> Result<Value, String> {
            Ok(json!({ "name": "blue", "fixed_ips": [{ "ip_address": "10.0.0.4" }] }))
        }

        fn parameter(&self, name: &str) -> Result<Value, String> {
            Ok(json!(format!("<{name}>")))
        }

        fn secret(&self, _: &str) -> Result<String, String> {
            Ok("hush".to_owned())
        }
    }

    fn of(value: &Value) -> Value {
        evaluate(value, &Deployed).expect("it can be worked out")
    }

    fn call_of(function: &str, given: &Value) -> Value {
        of(&json!({ "$call": function, "given": given }))
    }

    #[test]
    fn references_become_what_they_refer_to() {
        let value =
            json!({ "network": { "$id": "net" }, "ip": { "$attr": ["port", "fixed_ips", 0, "ip_address"] } });
        assert_eq!(of(&value), json!({ "network": "n-1", "ip": "10.0.0.4" }));
        assert_eq!(of(&json!({ "$attr": ["port", "fixed_ips", 7, "ip_address"] })), json!(""));
        assert_eq!(of(&json!({ "$attr": ["port", "nothing"] })), Value::Null);
        let error = evaluate(&json!([{ "$id": "x" }]), &Deployed).expect_err("it is not there");
        assert_eq!(error, "x is not there yet");
    }

    #[test]
    fn functions_do_what_heat_does() {
        let name = json!({ "$attr": ["net", "name"] });
        assert_eq!(call_of("list_join", &json!(["-", ["a", name, 3], [true]])), json!("a-blue-3-True"));
        let given = json!({ "template": "$a is $ab, $a", "params": { "$a": name, "$ab": { "$id": "net" } } });
        assert_eq!(call_of("str_replace", &given), json!("blue is n-1, blue"));
        assert_eq!(call_of("str_split", &json!([",", "a,b", 1])), json!("b"));
        let url =
            json!({ "scheme": "http", "host": "::1", "port": 80, "path": "a b", "query": { "q": "x&y" } });
        assert_eq!(call_of("make_url", &url), json!("http://[::1]:80/a%20b?q=x%26y"));
        let given =
            json!({ "template": { "p%i%": "%j%" }, "for_each": { "%i%": ["1", "2"], "%j%": ["x", "y"] } });
        let all = json!([{ "p1": "x" }, { "p1": "y" }, { "p2": "x" }, { "p2": "y" }]);
        assert_eq!(call_of("repeat", &given), all);
        assert_eq!(
            call_of("map_merge", &json!([{ "a": 1 }, null, { "a": 2, "b": 3 }])),
            json!({ "a": 2, "b": 3 })
        );
        let given = json!([{ "a": "x", "b": "y" }, { "keys": { "a": "c" }, "values": { "y": "z" } }]);
        assert_eq!(call_of("map_replace", &given), json!({ "b": "z", "c": "x" }));
        assert_eq!(call_of("list_concat_unique", &json!([[1, 2], [2, 3]])), json!([1, 2, 3]));
        assert_eq!(call_of("$secret", &json!("secret:env:X")), json!("hush"));
        assert_eq!(call_of("get_param", &json!("OS::project_id")), json!("<OS::project_id>"));
        let error = evaluate(&json!({ "$call": "yaql", "given": {} }), &Deployed).expect_err("it is not");
        assert_eq!(error, "`yaql` is not worked out by Locus");
    }

    #[test]
    fn what_is_too_deep_or_too_long_is_refused() {
        let mut deep = json!(1);
        for _ in 0..1000 {
            deep = json!([deep]);
        }
        assert!(evaluate(&deep, &Deployed).is_err());
        let long = "x".repeat(5000);
        let given = json!({ "template": "a".repeat(5000), "params": { "a": long } });
        assert!(evaluate(&json!({ "$call": "str_replace", "given": given }), &Deployed).is_err());
    }
}
