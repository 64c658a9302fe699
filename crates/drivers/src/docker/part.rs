//! Reading the canonical form of a service, and durations as Go writes them.

use serde_json::Value;

/// A part of the canonical form.
#[derive(Clone, Copy)]
pub(crate) struct Part<'v>(pub(crate) &'v Value);

impl<'v> Part<'v> {
    pub(crate) fn part(self, key: &str) -> Option<Self> {
        self.0.get(key).filter(|value| !value.is_null()).map(Part)
    }

    /// A string; empty if there is none.
    pub(crate) fn text(self, key: &str) -> &'v str {
        self.0.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    pub(crate) fn flag(self, key: &str) -> bool {
        self.0.get(key).and_then(Value::as_bool).unwrap_or_default()
    }

    /// A whole number, which may be written as a string; 0 if there is none.
    pub(crate) fn number(self, key: &str) -> i64 {
        let value = self.0.get(key);
        let number = |value: &Value| match value {
            Value::String(text) => text.parse().ok(),
            other => other.as_i64(),
        };
        value.and_then(number).unwrap_or_default()
    }

    pub(crate) fn float(self, key: &str) -> f64 {
        self.0.get(key).and_then(Value::as_f64).unwrap_or_default()
    }

    pub(crate) fn list(self, key: &str) -> impl Iterator<Item = Part<'v>> {
        self.0.get(key).and_then(Value::as_array).into_iter().flatten().map(Part)
    }

    pub(crate) fn texts(self, key: &str) -> Vec<&'v str> {
        self.list(key).filter_map(|item| item.0.as_str()).collect()
    }

    pub(crate) fn entries(self, key: &str) -> impl Iterator<Item = (&'v String, Part<'v>)> {
        let map = self.0.get(key).and_then(Value::as_object);
        map.into_iter().flatten().map(|(key, value)| (key, Part(value)))
    }

    /// A duration in nanoseconds, if there is one.
    pub(crate) fn duration(self, key: &str) -> Result<Option<i64>, String> {
        let Some(text) = self.0.get(key).and_then(Value::as_str) else { return Ok(None) };
        nanoseconds(text).map(Some).ok_or_else(|| format!("`{text}` is not a duration"))
    }
}

/// A duration such as `1m30.5s` in nanoseconds.
pub(crate) fn nanoseconds(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut total = 0f64;
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let unit = rest.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(rest.len());
        let factor = match &rest[..unit] {
            "ns" => 1.0,
            "us" | "µs" | "μs" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "m" => 60e9,
            "h" => 3600e9,
            _ => return None,
        };
        total += number * factor;
        rest = &rest[unit..];
    }
    (total < 9e18).then_some(if negative { -(total as i64) } else { total as i64 })
}

#[cfg(test)]
mod tests {
    use super::nanoseconds;

    #[test]
    fn durations_are_those_of_go() {
        assert_eq!(nanoseconds("1m30s"), Some(90_000_000_000));
        assert_eq!(nanoseconds("1h0m0.5s"), Some(3_600_500_000_000));
        assert_eq!(nanoseconds("100ms"), Some(100_000_000));
        assert_eq!(nanoseconds("0s"), Some(0));
        assert_eq!(nanoseconds("-5s"), Some(-5_000_000_000));
        assert_eq!(nanoseconds("5"), None);
        assert_eq!(nanoseconds(""), None);
        assert_eq!(nanoseconds("5x"), None);
    }
}
