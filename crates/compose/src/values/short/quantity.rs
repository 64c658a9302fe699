//! Sizes such as `512m` and durations such as `1m30s`, with the units that Compose knows.

/// A number of bytes.
pub(crate) fn bytes(text: &str) -> Option<i64> {
    let at = text.rfind(|c: char| c.is_ascii_digit() || c == '.' || c == ' ')?;
    let (number, unit) = (&text[..=at], &text[at + 1..]);
    let number = number.strip_suffix(' ').unwrap_or(number);
    let number = float(number).filter(|number| *number >= 0.0)?;
    let unit = unit.to_lowercase();
    let power = match unit.as_bytes() {
        [] | [b'b'] => 0,
        [first] | [first, b'b'] | [first, b'i', b'b'] => 1 + b"kmgtp".iter().position(|u| u == first)? as i32,
        _ => return None,
    };
    Some((number * 1024_f64.powi(power)) as i64)
}

/// A number as Go reads it: no blanks, digits on at least one side of the point.
fn float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let fits = digits.bytes().any(|b| b.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b));
    if fits { text.parse().ok() } else { None }
}

/// A duration in nanoseconds.
pub(crate) fn duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: i64 = 0;
    while !rest.is_empty() {
        let number_length = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let (number, after) = rest.split_at(number_length);
        let unit_length = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (unit, next) = after.split_at(unit_length);
        let scale: i64 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            "d" => 86_400_000_000_000,
            "w" => 604_800_000_000_000,
            _ => return None,
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
            return None;
        }
        let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let fraction = if fraction.is_empty() { 0.0 } else { format!("0.{fraction}").parse::<f64>().ok()? };
        total =
            total.checked_add(whole.checked_mul(scale)?)?.checked_add((fraction * scale as f64) as i64)?;
        rest = next;
    }
    Some(if negative { -total } else { total })
}

/// A duration as Go writes it: `1m30s`, `1h0m0s`, `1.5s`, `10ms`.
pub(crate) fn print_duration(nanoseconds: i64) -> String {
    let magnitude = nanoseconds.unsigned_abs();
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let decimal = |value: u64, unit: u64| {
        let (whole, fraction) = (value / unit, value % unit);
        if fraction == 0 {
            return whole.to_string();
        }
        let digits = unit.ilog10() as usize;
        format!("{whole}.{}", format!("{fraction:0digits$}").trim_end_matches('0'))
    };
    if magnitude == 0 {
        return "0s".to_owned();
    }
    if magnitude < 1_000 {
        return format!("{sign}{magnitude}ns");
    }
    if magnitude < 1_000_000 {
        return format!("{sign}{}µs", decimal(magnitude, 1_000));
    }
    if magnitude < 1_000_000_000 {
        return format!("{sign}{}ms", decimal(magnitude, 1_000_000));
    }
    let minutes = magnitude / 60_000_000_000;
    let seconds = decimal(magnitude % 60_000_000_000, 1_000_000_000);
    if minutes == 0 {
        return format!("{sign}{seconds}s");
    }
    if minutes < 60 {
        return format!("{sign}{minutes}m{seconds}s");
    }
    format!("{sign}{}h{}m{seconds}s", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_1024() {
        let table = [
            ("1.5g", Some(1_610_612_736)),
            ("512M", Some(536_870_912)),
            ("1kib", Some(1024)),
            ("1 kB", Some(1024)),
            ("10", Some(10)),
            ("10b", Some(10)),
            ("-1", None),
            ("1x", None),
            ("m", None),
            ("1mbb", None),
            ("", None),
        ];
        for (text, value) in table {
            assert_eq!(bytes(text), value, "{text}");
        }
    }

    #[test]
    fn durations_are_read_and_written() {
        let table = [
            ("90s", "1m30s"),
            ("1h", "1h0m0s"),
            ("1.5s", "1.5s"),
            ("10ms", "10ms"),
            ("1d2h", "26h0m0s"),
            ("1w", "168h0m0s"),
            ("0", "0s"),
            ("1500us", "1.5ms"),
            ("-5s", "-5s"),
        ];
        for (text, written) in table {
            assert_eq!(duration(text).map(print_duration).as_deref(), Some(written), "{text}");
        }
        for bad in ["", "30", "s", "1x", "1..2s", "99999999999999w"] {
            assert_eq!(duration(bad), None, "{bad}");
        }
    }
}
