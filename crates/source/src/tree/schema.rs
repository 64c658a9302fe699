//! The meaning of a scalar: the readings of YAML 1.2, of PyYAML and of JSON.
//!
//! The table that PyYAML itself gave for several hundred scalars is in `tests/readers/pyyaml-scalars.tsv`.

use super::Value;

/// Which plain scalars are numbers, truth values and so on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Schema {
    /// The core schema of YAML 1.2: `true`, `0x1F`, `0o17`, `1e3`, `.inf`, `~`.
    #[default]
    Core,
    /// PyYAML's reading of scalars, which is YAML 1.1 with PyYAML's own exceptions: `yes` is true, `0440` is 288,
    /// `22:22` is 1342, `1_000` is 1000, but `1e3` is a string.
    ///
    /// Dates and times are [`Value::Timestamp`]. The few scalars on which PyYAML's loader raises an error
    /// (`=`, `0x_`) are strings here.
    PyYaml,
    /// Numbers, `true`, `false` and `null` as JSON writes them.
    Json,
}

impl Schema {
    /// The meaning of a scalar that is neither quoted nor tagged.
    pub(crate) fn resolve(self, text: &str) -> Value<'_> {
        let Some(&first) = text.as_bytes().first() else {
            return Value::Null;
        };
        // Nearly all scalars are words, and their first letter says that they can be nothing else.
        let special = match self {
            Self::Core => first.is_ascii_digit() || b"-+.tTfFnN~".contains(&first),
            Self::PyYaml => first.is_ascii_digit() || b"-+.yYnNtTfFoO~".contains(&first),
            Self::Json => true,
        };
        if !special {
            return Value::Str(text);
        }
        match self {
            Self::Core | Self::Json => core(text),
            Self::PyYaml => pyyaml(text),
        }
        .unwrap_or(Value::Str(text))
    }

    /// The meaning of a scalar with one of YAML's own tags, by the name after `!!`; nothing if the text is
    /// no such thing, and a string if the tag is not one of the scalar types.
    pub(crate) fn tagged<'t>(self, name: &str, text: &'t str) -> Option<Value<'t>> {
        let value = self.resolve(text);
        match (name, value) {
            ("null", Value::Null)
            | ("bool", Value::Bool(_))
            | ("int", Value::Int(_) | Value::BigInt(_))
            | ("float", Value::Float(_))
            | ("timestamp", Value::Timestamp(_)) => Some(value),
            ("float", Value::Int(i)) => Some(Value::Float(i as f64)),
            ("float", Value::BigInt(digits)) => digits.parse().ok().map(Value::Float),
            ("null" | "bool" | "int" | "float", _) => None,
            ("timestamp", _) if self == Self::PyYaml => None,
            _ => Some(Value::Str(text)),
        }
    }
}

fn core(text: &str) -> Option<Value<'_>> {
    match text {
        "null" | "Null" | "NULL" | "~" => return Some(Value::Null),
        "true" | "True" | "TRUE" => return Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => return Some(Value::Bool(false)),
        ".nan" | ".NaN" | ".NAN" => return Some(Value::Float(f64::NAN)),
        _ => {}
    }
    let (negative, digits) = sign(text);
    if let Some(value) = infinity(negative, digits) {
        return Some(value);
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return integer(text, false, digits, radix);
        }
    }
    if digits.bytes().all(|b| b.is_ascii_digit()) {
        return integer(text, negative, digits, 10);
    }
    // What is left is a float, and Rust reads those as YAML writes them once words such as `1inf` are out.
    let float = digits.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b)) && digits != ".";
    if float { text.parse().ok().map(Value::Float) } else { None }
}

fn pyyaml(text: &str) -> Option<Value<'_>> {
    match text {
        "~" | "null" | "Null" | "NULL" => return Some(Value::Null),
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => {
            return Some(Value::Bool(true));
        }
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Some(Value::Bool(false));
        }
        ".nan" | ".NaN" | ".NAN" => return Some(Value::Float(f64::NAN)),
        _ => {}
    }
    let (negative, digits) = sign(text);
    if let Some(value) = infinity(negative, digits) {
        return Some(value);
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    pyyaml_float(text, negative, digits)
        .or_else(|| pyyaml_int(text, negative, digits))
        .or_else(|| is_timestamp(text).then_some(Value::Timestamp(text)))
}

fn pyyaml_int<'t>(text: &'t str, negative: bool, digits: &str) -> Option<Value<'t>> {
    let plain = digits.replace('_', "");
    if let Some(binary) = digits.strip_prefix("0b") {
        let fits = binary.bytes().all(|b| b"01_".contains(&b));
        return if fits { integer(text, negative, &plain[2..], 2) } else { None };
    }
    if let Some(hex) = digits.strip_prefix("0x") {
        let fits = hex.bytes().all(|b| b.is_ascii_hexdigit() || b == b'_');
        return if fits { integer(text, negative, &plain[2..], 16) } else { None };
    }
    if digits.starts_with('0') {
        let fits = digits.bytes().all(|b| b"01234567_".contains(&b));
        return if fits { integer(text, negative, &plain, 8) } else { None };
    }
    let mut parts = digits.split(':');
    let head = parts.next().filter(|head| {
        head.starts_with(|c: char| c.is_ascii_digit())
            && head.bytes().all(|b| b.is_ascii_digit() || b == b'_')
    })?;
    if head.len() == digits.len() {
        return integer(text, negative, &plain, 10);
    }
    let mut value = head.replace('_', "").parse::<i64>().ok();
    for part in parts {
        let sixtieth = base_60_digit(part)?;
        value = value.and_then(|v| v.checked_mul(60)?.checked_add(sixtieth));
    }
    Some(value.map_or(Value::BigInt(text), |v| Value::Int(if negative { -v } else { v })))
}

/// Digits after a colon: one or two, less than 60.
fn base_60_digit(part: &str) -> Option<i64> {
    let fits = matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    if fits { part.parse().ok() } else { None }
}

fn pyyaml_float<'t>(text: &'t str, negative: bool, digits: &str) -> Option<Value<'t>> {
    let (whole, fraction) = digits.split_once('.')?;
    let digits_or_lines = |part: &str| part.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let with_sign = |value: f64| Some(Value::Float(if negative { -value } else { value }));
    if let Some((hours, rest)) = whole.split_once(':') {
        if !hours.starts_with(|c: char| c.is_ascii_digit()) || !digits_or_lines(hours) {
            return None;
        }
        if !digits_or_lines(fraction) {
            return None;
        }
        if !rest.split(':').all(|part| base_60_digit(part).is_some()) {
            return None;
        }
        // From the last part to the first, as PyYAML adds them up, so that roundings are the same.
        let text = digits.replace('_', "");
        let (mut value, mut base) = (0.0, 1.0);
        for part in text.rsplit(':') {
            value += part.parse::<f64>().ok()? * base;
            base *= 60.0;
        }
        return with_sign(value);
    }
    let (fraction, exponent) = match fraction.find(['e', 'E']) {
        Some(at) => (&fraction[..at], Some(&fraction[at + 1..])),
        None => (fraction, None),
    };
    let exponent_fits = exponent.is_none_or(|exponent| {
        exponent
            .strip_prefix(['-', '+'])
            .is_some_and(|e| !e.is_empty() && e.bytes().all(|b| b.is_ascii_digit()))
    });
    let whole_fits = if whole.is_empty() {
        // A sign is allowed only before a digit: `-.5` is a string to PyYAML.
        text.len() == digits.len() && fraction.starts_with(|c: char| c.is_ascii_digit())
    } else {
        whole.starts_with(|c: char| c.is_ascii_digit()) && digits_or_lines(whole)
    };
    if !exponent_fits || !whole_fits || !digits_or_lines(fraction) {
        return None;
    }
    with_sign(digits.replace('_', "").parse().ok()?)
}

/// Whether a text is a date or a time of YAML 1.1, as PyYAML has it: `2001-12-14 21:59:43.10 -5`. It may still be one
/// that no calendar has.
pub fn is_timestamp(text: &str) -> bool {
    let mut rest = text.as_bytes();
    let digits = |least: usize, most: usize, rest: &mut &[u8]| {
        let count = rest.iter().take(most).take_while(|b| b.is_ascii_digit()).count();
        *rest = &rest[count..];
        (least..=most).contains(&count).then_some(count)
    };
    let byte = |allowed: &[u8], rest: &mut &[u8]| match rest.split_first() {
        Some((first, tail)) if allowed.contains(first) => {
            *rest = tail;
            true
        }
        _ => false,
    };
    let blanks = |rest: &mut &[u8]| {
        let before = rest.len();
        *rest = rest.trim_ascii_start();
        before > rest.len()
    };
    let mut date = || {
        digits(4, 4, &mut rest)?;
        byte(b"-", &mut rest).then_some(())?;
        let month = digits(1, 2, &mut rest)?;
        byte(b"-", &mut rest).then_some(())?;
        let day = digits(1, 2, &mut rest)?;
        if rest.is_empty() {
            return (month == 2 && day == 2).then_some(());
        }
        (byte(b"Tt", &mut rest) || blanks(&mut rest)).then_some(())?;
        digits(1, 2, &mut rest)?;
        byte(b":", &mut rest).then_some(())?;
        digits(2, 2, &mut rest)?;
        byte(b":", &mut rest).then_some(())?;
        digits(2, 2, &mut rest)?;
        if byte(b".", &mut rest) {
            digits(0, usize::MAX, &mut rest)?;
        }
        if rest.is_empty() {
            return Some(());
        }
        blanks(&mut rest);
        if byte(b"Z", &mut rest) {
            return rest.is_empty().then_some(());
        }
        byte(b"-+", &mut rest).then_some(())?;
        digits(1, 2, &mut rest)?;
        if byte(b":", &mut rest) {
            digits(2, 2, &mut rest)?;
        }
        rest.is_empty().then_some(())
    };
    date().is_some()
}

fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

fn infinity(negative: bool, text: &str) -> Option<Value<'static>> {
    matches!(text, ".inf" | ".Inf" | ".INF").then_some(Value::Float(if negative {
        f64::NEG_INFINITY
    } else {
        f64::INFINITY
    }))
}

/// An integer from digits of a base; the whole text if it needs more than 64 bits.
fn integer<'t>(text: &'t str, negative: bool, digits: &str, radix: u32) -> Option<Value<'t>> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let value = i128::from_str_radix(digits, radix).ok().map(|v| if negative { -v } else { v });
    match value.map(i64::try_from) {
        Some(Ok(value)) => Some(Value::Int(value)),
        _ => Some(Value::BigInt(text)),
    }
}
