//! The forms that the table of limits calls by a name.

use std::net::IpAddr;

/// Why a text does not have a form: what it must be. Nothing if it has it, or if the form is not known here.
pub(super) fn problem(form: &str, text: &str) -> Option<&'static str> {
    let (has_it, wanted) = match form {
        "name" => (is_name(text), "a name is of printable characters, without blanks at its ends"),
        "zone" => (is_name(text) && !text.contains(':'), "it has no colon, and no blanks at its ends"),
        "key-name" => (
            is_name(text) && text.chars().all(|c| c.is_ascii_alphanumeric() || "@._- ".contains(c)),
            "it is of the letters a to z, digits and `@._- `, without blanks at its ends",
        ),
        "letters" => (!text.trim().is_empty(), "it has more than blanks"),
        "uuid" => (is_uuid(text), "it must be a UUID"),
        "ip" => (text.parse::<IpAddr>().is_ok(), "it must be an IP address"),
        "cidr" => (network(text).is_some(), "it must be a network in CIDR form"),
        "route" => (
            network(text).is_some_and(|(address, length)| !has_host_bits(address, length)),
            "it must be a network in CIDR form: all bits after the prefix are 0",
        ),
        "mac" => (is_mac(text), "it must be a MAC address of one machine"),
        _ => return None,
    };
    (!has_it).then_some(wanted)
}

fn is_name(text: &str) -> bool {
    text.trim() == text && !text.is_empty() && !text.chars().any(char::is_control)
}

/// As `oslo_utils.uuidutils.is_uuid_like`: hyphens and letters of either case do not count.
fn is_uuid(text: &str) -> bool {
    let text = text.trim_start_matches("urn:").trim_start_matches("uuid:");
    let digits: String = text.trim_matches(['{', '}']).chars().filter(|c| *c != '-').collect();
    digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn network(text: &str) -> Option<(IpAddr, u32)> {
    let (address, length) = text.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let length: u32 = length.parse().ok()?;
    (length <= if address.is_ipv4() { 32 } else { 128 }).then_some((address, length))
}

fn has_host_bits(address: IpAddr, length: u32) -> bool {
    match address {
        IpAddr::V4(address) => u32::from(address).checked_shl(length).is_some_and(|rest| rest != 0),
        IpAddr::V6(address) => u128::from(address).checked_shl(length).is_some_and(|rest| rest != 0),
    }
}

/// Neutron takes neither the address of nobody nor that of everybody.
fn is_mac(text: &str) -> bool {
    let digits: String = text.to_lowercase().chars().filter(|c| !":-.".contains(*c)).collect();
    digits.len() == 12
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        && digits != "000000000000"
        && digits != "ffffffffffff"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        for (form, fine, wrong) in [
            ("name", "a b", " a"),
            ("zone", "nova", "nova:host"),
            ("key-name", "me@host.x_1-2 3", "a/b"),
            ("letters", " a ", "  "),
            ("uuid", "11111111-2222-3333-4444-5555555555AA", "friends"),
            ("ip", "2001:db8::1", "10.0.0.300"),
            ("cidr", "10.0.0.9/24", "10.0.0.0"),
            ("route", "10.0.0.0/24", "10.0.0.9/24"),
            ("route", "0.0.0.0/0", "1.0.0.0/0"),
            ("route", "10.0.0.9/32", "2001:db8::1/64"),
            ("mac", "fa:16:3e:00:00:01", "ff:ff:ff:ff:ff:ff"),
        ] {
            assert_eq!(problem(form, fine), None, "{form} {fine}");
            assert!(problem(form, wrong).is_some(), "{form} {wrong}");
        }
    }
}
