//! Times and amounts of memory as people write them.

use anyhow::Context;

/// A number of bytes, such as `512M` or `2G`.
pub(crate) fn bytes(text: &str) -> anyhow::Result<usize> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        other => anyhow::bail!("`{other}` is not a valid unit; write K, M or G"),
    };
    let number: usize = digits.parse().with_context(|| format!("`{text}` is not a number of bytes"))?;
    number.checked_mul(1 << unit).with_context(|| format!("`{text}` is too much"))
}

/// A time, such as `30`, `30s`, `5m` or `2h`.
pub(crate) fn duration(text: &str) -> anyhow::Result<std::time::Duration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => anyhow::bail!("`{other}` is not a valid unit; write s, m or h"),
    };
    let number: f64 = digits.parse().with_context(|| format!("`{text}` is not a time"))?;
    std::time::Duration::try_from_secs_f64(number * factor).with_context(|| format!("`{text}` is not a time"))
}

/// A time as it is written in a sentence: `10 ms`, `30 s`.
pub(crate) fn in_words(time: std::time::Duration) -> String {
    if time.subsec_millis() == 0 && time.as_millis() > 0 {
        format!("{} s", time.as_secs())
    } else if time.as_secs() > 0 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} ms", time.as_millis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_understood() {
        assert_eq!(bytes("10").unwrap(), 10);
        assert_eq!(bytes("2G").unwrap(), 2 << 30);
        assert_eq!(bytes("3MiB").unwrap(), 3 << 20);
        assert!(bytes("2X").is_err() && bytes("").is_err() && bytes("99999999999G").is_err());
        assert_eq!(duration("90").unwrap().as_secs(), 90);
        assert_eq!(duration("1.5m").unwrap().as_secs(), 90);
        for (text, words) in [("90", "90 s"), ("1.5s", "1.5 s"), ("20ms", "20 ms"), ("0", "0 ms")] {
            assert_eq!(in_words(duration(text).unwrap()), words);
        }
        assert!(duration("5 weeks").is_err() && duration("-1").is_err());
    }
}
