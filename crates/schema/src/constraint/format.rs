//! Custom constraints that are about the form of a text, so that no cloud has to be asked.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{Compliance, shown};
use crate::datum::Content;

/// Judges a text by a custom constraint. Of the names of things that exist, nothing is known here.
pub(super) fn check(name: &str, text: &str) -> Compliance {
    let verdict = |fits: bool, what: &str| {
        Compliance::of(Some(fits), || format!("is {}, which is not {what}", shown(&Content::str(text))))
    };
    match name {
        "ip_addr" => verdict(address(text).is_some(), "an IP address"),
        "net_cidr" => verdict(is_cidr(text), "a network in CIDR form such as 10.0.0.0/24"),
        "ip_or_cidr" => {
            let fits = if text.contains('/') { is_cidr(text) } else { address(text).is_some() };
            verdict(fits, "an IP address or a network in CIDR form")
        }
        "mac_addr" => verdict(is_mac(text), "a MAC address"),
        "dns_name" => verdict(is_dns(text), "a domain name"),
        "rel_dns_name" => {
            verdict(text.is_empty() || !text.ends_with('.') && is_dns(text), "a relative domain name")
        }
        "dns_domain" => verdict(
            text.is_empty() || text.ends_with('.') && is_dns(text),
            "a domain name that ends in a dot",
        ),
        "json_string" => {
            let fits = text.is_empty() || serde_json::from_str::<serde_json::Value>(text).is_ok();
            verdict(fits, "JSON")
        }
        _ => Compliance::Unknown,
    }
}

/// The address in a text. Zeros before the numbers of an IPv4 address are allowed.
fn address(text: &str) -> Option<IpAddr> {
    if text.contains(':') {
        let text = text.split_once('%').map_or(text, |(address, _)| address);
        return text.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    }
    let mut octets = [0; 4];
    let mut parts = text.split('.');
    for octet in &mut octets {
        let part = parts.next()?;
        if part.is_empty() || part.len() > 8 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        *octet = part.parse().ok()?;
    }
    parts.next().is_none().then(|| IpAddr::V4(Ipv4Addr::from(octets)))
}

/// Whether a text is an address, a slash, and the length of a prefix. Host bits may be set.
fn is_cidr(text: &str) -> bool {
    let Some((start, length)) = text.split_once('/') else { return false };
    let bits = if start.contains(':') { 128 } else { 32 };
    let parsed = match bits {
        128 => start.parse::<Ipv6Addr>().is_ok(),
        _ => start.parse::<Ipv4Addr>().is_ok(),
    };
    let plain = !length.is_empty() && length.len() <= 3 && length.bytes().all(|byte| byte.is_ascii_digit());
    let fits = length.parse::<u32>().is_ok_and(|length| length <= bits);
    // A mask instead of a length is fine for IPv6 only, where nobody writes it; Neutron refuses it for IPv4.
    parsed && plain && fits && (bits == 128 || length == "0" || !length.starts_with('0'))
}

/// Whether a text is a MAC address in one of the forms that OpenStack's library takes: groups of digits, each
/// with at most as many as its place has.
fn is_mac(text: &str) -> bool {
    let groups = |separator: char, count: usize, least: usize, most: usize| {
        let hex = |part: &str| {
            (least..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        text.split(separator).count() == count && text.split(separator).all(hex)
    };
    [':', '-'].into_iter().any(|separator| groups(separator, 6, 1, 2))
        || [':', '-', '.'].into_iter().any(|separator| groups(separator, 3, 1, 4))
        || [':', '-'].into_iter().any(|separator| groups(separator, 2, 5, 6))
        || groups(':', 1, 11, 12)
}

/// How the same address or network is always written, of a text that a constraint of this name is about. Nothing if
/// it is written so already, or if it is none.
pub fn canonical(name: &str, text: &str) -> Option<String> {
    let written = match name {
        "mac_addr" if is_mac(text) => {
            let parts: Vec<&str> = text.split([':', '-', '.']).collect();
            let width = 12 / parts.len();
            let digits = parts.iter().map(|part| format!("{part:0>width$}")).collect::<Vec<_>>().concat();
            let pairs: Vec<&str> = (0..6).map(|at| &digits[2 * at..2 * at + 2]).collect();
            pairs.join(":").to_ascii_lowercase()
        }
        // Addresses of version 4 are written in one way by everybody.
        "ip_addr" | "net_cidr" | "ip_or_cidr" if text.contains(':') => match text.split_once('/') {
            Some((start, length)) => format!("{}/{length}", start.parse::<Ipv6Addr>().ok()?),
            None => text.parse::<Ipv6Addr>().ok()?.to_string(),
        },
        _ => return None,
    };
    (written != text).then_some(written)
}

fn is_dns(text: &str) -> bool {
    if text.is_empty() {
        return true;
    }
    let trimmed = text.strip_suffix('.').unwrap_or(text);
    let label = |label: &str| {
        let fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        (1..=63).contains(&label.len())
            && label.bytes().all(fine)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let numeric_end = text.ends_with('.')
        && trimmed.contains('.')
        && trimmed.rsplit('.').next().is_some_and(|last| last.bytes().all(|byte| byte.is_ascii_digit()));
    trimmed.chars().count() <= 255 && trimmed.split('.').all(label) && !numeric_end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(name: &str, text: &str) -> bool {
        check(name, text) == Compliance::Holds
    }

    #[test]
    fn addresses() {
        for good in ["10.0.0.1", "010.000.0.01", "::1", "fe80::1", "::ffff:1.2.3.4"] {
            assert!(holds("ip_addr", good), "{good}");
        }
        for bad in ["10.0.0", "10.0.0.256", "10.0.0.1/24", " 10.0.0.1", "host", ""] {
            assert!(!holds("ip_addr", bad), "{bad}");
        }
    }

    #[test]
    fn networks() {
        for good in ["10.0.0.0/24", "10.0.0.7/24", "0.0.0.0/0", "2001:db8::/32"] {
            assert!(holds("net_cidr", good), "{good}");
        }
        for bad in
            ["10.0.0.0", "10.0.0.0/33", "10.0.0/24", "10.0.0.0/255.255.255.0", "10.0.0.0/", "2001:db8::/129"]
        {
            assert!(!holds("net_cidr", bad), "{bad}");
        }
    }

    #[test]
    fn names_and_other_addresses() {
        assert!(holds("dns_name", "a.example.org") && !holds("dns_name", "A_b") && !holds("dns_name", "-a"));
        assert!(holds("dns_domain", "example.org.") && !holds("dns_domain", "example.org"));
        assert!(holds("rel_dns_name", "web") && !holds("rel_dns_name", "web."));
        assert!(holds("mac_addr", "fa:16:3e:00:00:01") && !holds("mac_addr", "fa:16:3e:00:00"));
        assert!(holds("mac_addr", "fa163e000001") && !holds("mac_addr", "fa-16"));
        assert_eq!(check("neutron.network", "blue"), Compliance::Unknown);
    }

    #[test]
    fn the_same_address_is_written_in_one_way() {
        let same = |name: &str, text: &str| canonical(name, text).unwrap_or_else(|| text.to_owned());
        for text in ["FA:16:3E:00:00:01", "fa-16-3e-0-0-1", "fa16.3e00.0001", "fa163e:000001", "fa163e000001"]
        {
            assert_eq!(same("mac_addr", text), "fa:16:3e:00:00:01", "{text}");
        }
        assert_eq!(canonical("mac_addr", "fa:16:3e:00:00:01"), None);
        assert_eq!(canonical("mac_addr", "no such thing"), None);
        assert_eq!(same("ip_addr", "2001:DB8:0::1"), "2001:db8::1");
        assert_eq!(same("net_cidr", "2001:db8:0:0::/64"), "2001:db8::/64");
        assert_eq!(canonical("ip_addr", "10.0.0.1"), None);
        assert_eq!(canonical("ip_addr", "fe80::x"), None);
    }
}
