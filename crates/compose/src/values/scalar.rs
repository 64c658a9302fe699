//! The meaning of a YAML scalar to Go's `yaml.v3`, which Compose reads with: YAML 1.2 with the numbers of YAML 1.1, so
//! `0777` is 511 and `1_000` is 1000, but `yes` and `22:22` are strings.

use locus_source::Node;
use locus_source::tree::Style;

use crate::values::datum::Content;

/// The meaning of a scalar node, or what is wrong with its tag.
pub(crate) fn scalar(node: Node<'_>) -> Result<Content, String> {
    let text = node.raw();
    let plain = node.style() == Style::Plain;
    let tag = node.tag().map_or("", |(name, _)| name);
    match tag {
        "" | "!" if plain => Ok(resolve(text, true)),
        "" | "!" | "!!str" | "!!binary" => Ok(Content::Str(text.to_owned())),
        _ => {
            let content = resolve(text, tag == "!!timestamp");
            match (tag, &content) {
                ("!!null", Content::Null)
                | ("!!bool", Content::Bool(_))
                | ("!!int", Content::Int(_) | Content::Uint(_))
                | ("!!float", Content::Float(_))
                | ("!!timestamp", Content::Time(_)) => Ok(content),
                ("!!float", Content::Int(value)) => Ok(Content::Float(*value as f64)),
                ("!!float", Content::Uint(value)) => Ok(Content::Float(*value as f64)),
                _ => Err(format!("the tag `{tag}` does not fit the value")),
            }
        }
    }
}

/// The meaning of a plain scalar.
fn resolve(text: &str, times: bool) -> Content {
    let Some(&first) = text.as_bytes().first() else { return Content::Null };
    match text {
        "~" | "null" | "Null" | "NULL" => return Content::Null,
        "true" | "True" | "TRUE" => return Content::Bool(true),
        "false" | "False" | "FALSE" => return Content::Bool(false),
        ".nan" | ".NaN" | ".NAN" => return Content::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Content::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Content::Float(f64::NEG_INFINITY),
        _ => {}
    }
    let number = match first {
        b'.' => is_float(text).then(|| text.parse().ok().map(Content::Float)).flatten(),
        b'0'..=b'9' | b'+' | b'-' if times && is_time(text) => Some(Content::Time(text.to_owned())),
        b'0'..=b'9' | b'+' | b'-' => number(&text.replace('_', "")),
        _ => None,
    };
    number.unwrap_or_else(|| Content::Str(text.to_owned()))
}

/// A number without the underscores that may have been in it.
fn number(text: &str) -> Option<Content> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let prefixed = |prefixes: [&str; 2]| prefixes.iter().find_map(|prefix| digits.strip_prefix(prefix));
    let (digits, radix) = if let Some(rest) = prefixed(["0x", "0X"]) {
        (rest, 16)
    } else if let Some(rest) = prefixed(["0b", "0B"]) {
        (rest, 2)
    } else if let Some(rest) = prefixed(["0o", "0O"]) {
        (rest, 8)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (&digits[1..], 8)
    } else {
        (digits, 10)
    };
    let is_whole = !digits.is_empty() && digits.bytes().all(|b| (b as char).is_digit(radix));
    if is_whole && let Ok(magnitude) = i128::from_str_radix(digits, radix) {
        let value = if negative { -magnitude } else { magnitude };
        if let Ok(value) = i64::try_from(value) {
            return Some(Content::Int(value));
        }
        // Go reads what has no sign as an unsigned number if it does not fit a signed one.
        if !text.starts_with(['+', '-'])
            && let Ok(value) = u64::try_from(value)
        {
            return Some(Content::Uint(value));
        }
    }
    is_float(text).then(|| text.parse().ok().map(Content::Float)).flatten()
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_float(text: &str) -> bool {
    let text = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let exponent_fits = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => !fraction.is_empty() && digits(fraction),
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !mantissa.is_empty() && digits(mantissa),
    };
    exponent_fits && mantissa_fits
}

/// Whether Go takes the text for a date or a time: `2006-1-2`, or with `T`, `t` or a space and a time after it.
fn is_time(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let within = |part: &str, lengths: std::ops::RangeInclusive<usize>, most: u32| {
        lengths.contains(&part.len())
            && part.bytes().all(|b| b.is_ascii_digit())
            && part.parse::<u32>().is_ok_and(|value| value <= most)
    };
    let month_fits = within(month, 1..=2, 12) && !month.trim_start_matches('0').is_empty();
    if !within(year, 4..=4, 9999) || !month_fits {
        return false;
    }
    let day_length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (day, rest) = rest.split_at(day_length);
    let days = match month.trim_start_matches('0') {
        "2" => 29,
        "4" | "6" | "9" | "11" => 30,
        _ => 31,
    };
    if !within(day, 1..=2, days) || day.trim_start_matches('0').is_empty() {
        return false;
    }
    if rest.is_empty() {
        return true;
    }
    let Some(time) = rest.strip_prefix(['T', 't', ' ']) else { return false };
    let with_zone = !rest.starts_with(' ');
    let clock_length = time.bytes().take_while(|b| b.is_ascii_digit() || b":.".contains(b)).count();
    let (clock, zone) = time.split_at(clock_length);
    let clock: Vec<_> = clock.split(':').collect();
    let [hours, minutes, seconds] = clock[..] else { return false };
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let zone_fits = match zone {
        "" => !with_zone,
        "Z" => with_zone,
        _ => with_zone && zone.starts_with(['+', '-']) && zone.len() == 6 && zone.as_bytes()[3] == b':',
    };
    within(hours, 1..=2, 23)
        && within(minutes, 1..=2, 59)
        && within(seconds, 1..=2, 59)
        && fraction.bytes().all(|b| b.is_ascii_digit())
        && zone_fits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that Compose 2.40.3 made of these as values of `environment`.
    #[test]
    fn plain_scalars_mean_what_compose_takes_them_for() {
        let table = [
            ("yes", "yes"),
            ("0777", "511"),
            ("1_000", "1000"),
            ("1e3", "1000"),
            ("0o17", "15"),
            ("1.50", "1.5"),
            ("12345678901234567890", "12345678901234567890"),
            ("22:22", "22:22"),
            ("true", "true"),
            ("1e30", "1e+30"),
            (".5", "0.5"),
            ("0b11", "3"),
            ("+5", "5"),
            ("1e20", "1e+20"),
            ("123456789.5", "1.234567895e+08"),
            ("1.2.3", "1.2.3"),
            ("08", "8"),
            ("-", "-"),
        ];
        for (text, meaning) in table {
            let printed = match resolve(text, true) {
                Content::Str(text) => text,
                Content::Bool(value) => value.to_string(),
                Content::Int(value) => value.to_string(),
                Content::Uint(value) => value.to_string(),
                Content::Float(value) => crate::values::datum::print_float(value),
                other => panic!("{other:?}"),
            };
            assert_eq!(printed, meaning, "{text}");
        }
        for text in ["2020-01-01", "2020-1-2", "2001-12-14t21:59:43.10-05:00", "2001-12-15 2:59:43.10"] {
            assert!(matches!(resolve(text, true), Content::Time(_)), "{text}");
        }
        for text in ["2020-13-01", "2020-01", "10.0.0.1", "2020-01-01x"] {
            assert!(matches!(resolve(text, true), Content::Str(_)), "{text}");
        }
    }
}
