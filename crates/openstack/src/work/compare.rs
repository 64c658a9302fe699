//! Whether a value is what is there, as far as it says anything: a service adds keys, and lists have no order.

use serde_json::Value;

/// The value that is there instead, in words; none if it is the same.
pub fn difference(wanted: &Value, there: &Value) -> Option<String> {
    (!is_within(wanted, there)).then(|| {
        let text = match there {
            Value::Null => "not set".to_owned(),
            other => other.to_string(),
        };
        text.chars().take(200).collect()
    })
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_within(wanted: &Value, there: &Value) -> bool {
    if is_empty(wanted) && is_empty(there) {
        return true;
    }
    match (wanted, there) {
        (Value::Array(wanted), Value::Array(there)) => {
            wanted.len() == there.len()
                && wanted.iter().all(|one| there.iter().any(|other| is_within(one, other)))
        }
        (Value::Object(wanted), Value::Object(there)) => {
            !wanted.is_empty()
                && wanted.iter().all(|(key, value)| is_within(value, there.get(key).unwrap_or(&Value::Null)))
        }
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::String(one), Value::String(other)) => one == other || as_address(one) == as_address(other),
        (Value::Number(one), Value::String(other)) | (Value::String(other), Value::Number(one)) => {
            one.to_string() == *other
        }
        (one, other) => one == other,
    }
}

/// A text in the form in which it is compared: addresses can be written in several.
fn as_address(text: &str) -> String {
    let (address, rest) = text.split_once('/').unwrap_or((text, ""));
    match address.parse::<std::net::IpAddr>() {
        Ok(address) => format!("{address}/{rest}"),
        Err(_) if text.len() == 17 && text.matches(':').count() == 5 => text.to_ascii_lowercase(),
        Err(_) => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn order_additions_and_forms_do_not_matter() {
        for (wanted, there) in [
            (json!(["a", "b"]), json!(["b", "a"])),
            (json!([{ "subnet_id": "s" }]), json!([{ "subnet_id": "s", "ip_address": "10.0.0.2" }])),
            (json!(""), json!(null)),
            (json!("2001:DB8:0::1"), json!("2001:db8::1")),
            (json!("FA:16:3E:00:00:01"), json!("fa:16:3e:00:00:01")),
            (json!(1), json!(1.0)),
            (json!(7), json!("7")),
        ] {
            assert_eq!(difference(&wanted, &there), None, "{wanted} {there}");
        }
        for (wanted, there) in [
            (json!(["a"]), json!(["a", "b"])),
            (json!({}), json!({ "network_id": "n" })),
            (json!(true), json!(false)),
            (json!("x"), json!(null)),
        ] {
            assert!(difference(&wanted, &there).is_some(), "{wanted} {there}");
        }
    }
}
