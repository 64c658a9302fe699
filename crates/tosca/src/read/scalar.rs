//! Values with a grammar of their own: versions, timestamps, base64, and numbers with a unit.

use std::cmp::Ordering;

/// Whether a text is a version: `major.minor[.fix[.qualifier[-build]]]`.
pub(crate) fn is_version(text: &str) -> bool {
    version(text).is_some()
}

/// The parts of a version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct VersionString<'v> {
    numbers: [u64; 3],
    qualifier: Option<&'v str>,
    build: Option<u64>,
}

/// Reads a version.
pub(crate) fn version(text: &str) -> Option<VersionString<'_>> {
    let mut parts = text.splitn(4, '.');
    let number = |part: Option<&str>| -> Option<u64> {
        let part = part?;
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) { None } else { part.parse().ok() }
    };
    let (major, minor) = (number(parts.next())?, number(parts.next())?);
    let fix = match parts.next() {
        Some(part) => number(Some(part))?,
        None => 0,
    };
    let (qualifier, build) = match parts.next() {
        None => (None, None),
        Some(rest) => {
            let (qualifier, build) = match rest.rsplit_once('-') {
                Some((qualifier, build)) => (qualifier, Some(number(Some(build))?)),
                None => (rest, None),
            };
            let fits =
                !qualifier.is_empty() && qualifier.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            (Some(fits.then_some(qualifier)?), build)
        }
    };
    Some(VersionString { numbers: [major, minor, fix], qualifier, build })
}

impl PartialOrd for VersionString<'_> {
    /// Versions with different qualifiers are not compared by the standard.
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let by_numbers = self.numbers.cmp(&other.numbers);
        if by_numbers != Ordering::Equal {
            return Some(by_numbers);
        }
        match (self.qualifier, other.qualifier) {
            (None, None) => Some(Ordering::Equal),
            (Some(_), None) => Some(Ordering::Less),
            (None, Some(_)) => Some(Ordering::Greater),
            (Some(one), Some(two)) if one == two => Some(self.build.cmp(&other.build)),
            _ => None,
        }
    }
}

/// The universal instant of an RFC 3339 timestamp, in seconds and nanoseconds since a fixed day; nothing if the text is
/// not one. A date alone is its start in UTC.
pub(crate) fn instant(text: &str) -> Option<(i64, u32)> {
    let bytes = text.as_bytes();
    let digits = |from: usize, to: usize| -> Option<i64> {
        let part = bytes.get(from..to)?;
        part.iter().all(u8::is_ascii_digit).then(|| text[from..to].parse().ok())?
    };
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    if bytes[4] != b'-'
        || bytes[7] != b'-'
        || !(1..=12).contains(&month)
        || !(1..=days_of(year, month)).contains(&day)
    {
        return None;
    }
    let days = days_before(year, month) + day;
    if bytes.len() == 10 {
        return Some((days * 86_400, 0));
    }
    let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
    let form = matches!(bytes[10], b'T' | b't') && bytes[13] == b':' && bytes[16] == b':';
    if !form || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let mut rest = text.get(19..)?;
    let mut nanoseconds = 0;
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
        let digits: String = fraction[..length].chars().chain("000000000".chars()).take(9).collect();
        nanoseconds = if length == 0 { return None } else { digits.parse().ok()? };
        rest = &fraction[length..];
    }
    let offset = match rest {
        "Z" | "z" => 0,
        _ => {
            let sign = match rest.as_bytes().first()? {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let (hours, minutes) = rest.get(1..)?.split_once(':')?;
            let two = |part: &str| -> Option<i64> {
                (part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?
            };
            let (hours, minutes) = (two(hours)?, two(minutes)?);
            if hours > 23 || minutes > 59 {
                return None;
            }
            sign * (hours * 60 + minutes) * 60
        }
    };
    Some((days * 86_400 + hour * 3_600 + minute * 60 + second - offset, nanoseconds))
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        2 => 28 + i64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_before(year: i64, month: i64) -> i64 {
    let before = year - 1;
    let years = before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400);
    years + (1..month).map(|month| days_of(year, month)).sum::<i64>()
}

/// Whether a text is Base64, as RFC 2045 has it. Line breaks and blanks do not count.
pub(crate) fn is_base64(text: &str) -> bool {
    let letters: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let padding = letters.iter().rev().take_while(|&&b| b == b'=').count();
    let body = &letters[..letters.len() - padding];
    letters.len().is_multiple_of(4)
        && padding <= 2
        && body.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/'))
}

/// A number and the unit after it, as they are written.
pub(crate) fn number_and_unit(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let bytes = text.as_bytes();
    let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(end);
    end += whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = bytes
            .get(end + 1 + sign..)
            .map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    let unit = text[end..].trim_start();
    (!unit.is_empty()).then_some((&text[..end], unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        for good in ["6.1", "2.0.1", "3.1.0.beta", "1.0.0.alpha-10", "0.0"] {
            assert!(is_version(good), "{good}");
        }
        for bad in ["", "1", "1..0.abc", "1.a", "1.0.0.", "1.0.0.alpha-", "-1.0", "1.0.0.a b"] {
            assert!(!is_version(bad), "{bad}");
        }
        let order = |one: &str, two: &str| version(one).unwrap().partial_cmp(&version(two).unwrap());
        assert_eq!(order("1.2", "1.10"), Some(Ordering::Less));
        assert_eq!(order("1.0.0.beta", "1.0.0"), Some(Ordering::Less));
        assert_eq!(order("1.0.0.a-2", "1.0.0.a-10"), Some(Ordering::Less));
        assert_eq!(order("1.0.0.a", "1.0.0.b"), None);
    }

    #[test]
    fn instants_take_the_zone_into_account() {
        let zoned = instant("1996-12-19T16:39:57-08:00").unwrap();
        assert_eq!(zoned, instant("1996-12-20T00:39:57Z").unwrap());
        assert_eq!(instant("1970-01-02").unwrap().0 - instant("1970-01-01").unwrap().0, 86_400);
        assert!(instant("1990-12-31T15:59:60-08:00").is_some());
        for bad in [
            "2001-12-14 21:59:43.10",
            "2001-02-29",
            "2001-13-01",
            "2001-12-14T21:59",
            "2001-12-14T21:59:43",
            "",
        ] {
            assert_eq!(instant(bad), None, "{bad}");
        }
    }

    #[test]
    fn numbers_have_units() {
        assert_eq!(number_and_unit("10 KiB"), Some(("10", "KiB")));
        assert_eq!(number_and_unit("-.5d"), Some(("-.5", "d")));
        assert_eq!(number_and_unit("1e3 m"), Some(("1e3", "m")));
        assert_eq!(number_and_unit("1 eV"), Some(("1", "eV")));
        for bad in ["10", "g", "", "1,000bp/s".trim_start_matches("1,000"), "."] {
            assert_eq!(number_and_unit(bad), None, "{bad}");
        }
        assert!(
            is_base64("QUJD") && is_base64("") && is_base64("QQ==") && !is_base64("Q") && !is_base64("Q=Q=")
        );
    }
}
