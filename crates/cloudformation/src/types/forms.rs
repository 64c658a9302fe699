//! Forms of texts: patterns, and the formats that schemas name.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use locus_schema::Pattern;
use rustc_hash::FxHashMap;

/// Patterns that were compiled. A template meets the same ones again and again.
static PATTERNS: LazyLock<Mutex<FxHashMap<String, Arc<Pattern>>>> = LazyLock::new(Mutex::default);

/// So many patterns are kept; those of types are fewer, and templates have some of their own.
const KEPT: usize = 20_000;

/// Whether a pattern matches some part of a text. Nothing if it cannot be read, or takes too long.
pub(crate) fn finds(pattern: &str, text: &str) -> Option<bool> {
    // The type of patterns matches whole texts.
    let whole = || Arc::new(Pattern::new(&format!("(?s:.*?)(?:{pattern})(?s:.*)")));
    let pattern = {
        let mut kept = PATTERNS.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.get(pattern) {
            Some(known) => Arc::clone(known),
            None if kept.len() < KEPT => Arc::clone(kept.entry(pattern.to_owned()).or_insert_with(whole)),
            None => whole(),
        }
    };
    pattern.matches(text)
}

/// Whether the name of an attribute is one that a name with a star stands for.
pub(super) fn matches_pattern(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            name.len() > start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
        None => false,
    }
}

/// Why a text is not of a form: what it should be. Nothing if it is, or if nothing is known of the form.
pub(super) fn fault(form: &str, text: &str) -> Option<&'static str> {
    let (fits, what) = match form {
        "ipv4-network" => (is_network::<Ipv4Addr>(text, 32), "an IPv4 network such as `10.0.0.0/24`"),
        "ipv6-network" => (is_network::<Ipv6Addr>(text, 128), "an IPv6 network such as `2001:db8::/64`"),
        "json" => (serde_json::from_str::<serde_json::Value>(text).is_ok(), "JSON"),
        "AWS::EC2::VPC.Id" => (is_id(text, "vpc-"), "the id of a VPC, `vpc-` and 8 or 17 letters and digits"),
        "AWS::EC2::Subnet.Id" => {
            (is_id(text, "subnet-"), "the id of a subnet, `subnet-` and 8 or 17 letters and digits")
        }
        "AWS::EC2::SecurityGroup.Id" => {
            (is_id(text, "sg-"), "the id of a security group, `sg-` and 8 or 17 letters and digits")
        }
        "AWS::EC2::Image.Id" => (
            is_id(text, "ami-") || text.starts_with("resolve:ssm:"),
            "the id of an image, `ami-` and 8 or 17 letters and digits",
        ),
        "AWS::IAM::Role.Arn" => (
            text.starts_with("arn:") && text.contains(":iam::") && text.contains(":role/"),
            "the ARN of a role, such as `arn:aws:iam::123456789012:role/name`",
        ),
        _ => return None,
    };
    (!fits).then_some(what)
}

fn is_network<A: std::str::FromStr>(text: &str, bits: u32) -> bool {
    let Some((address, length)) = text.split_once('/') else { return false };
    let plain = !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit());
    address.parse::<A>().is_ok() && plain && length.parse::<u32>().is_ok_and(|length| length <= bits)
}

fn is_id(text: &str, start: &str) -> bool {
    text.strip_prefix(start).is_some_and(|rest| {
        matches!(rest.len(), 8 | 17) && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_looked_for_in_texts() {
        assert_eq!(finds("^[a-z]+$", "abc"), Some(true));
        assert_eq!(finds("^[a-z]+$", "abc1"), Some(false));
        assert_eq!(finds("b|x", "abc"), Some(true));
        assert_eq!(finds("(?!a)b", "ab"), Some(true));
        assert_eq!(finds("(", "ab"), None);
        assert!(
            matches_pattern("Endpoints.*", "Endpoints.0") && !matches_pattern("Endpoints.*", "Endpoints.")
        );
    }

    #[test]
    fn forms_are_told_apart() {
        assert_eq!(fault("ipv4-network", "10.0.0.0/16"), None);
        assert!(
            fault("ipv4-network", "10.0.0.0/33").is_some() && fault("ipv4-network", "10.0.0.0").is_some()
        );
        assert_eq!(fault("AWS::EC2::VPC.Id", "vpc-0a1b2c3d"), None);
        assert!(fault("AWS::EC2::VPC.Id", "vpc-xyz").is_some());
        assert!(fault("AWS::IAM::Role.Arn", "my-role").is_some());
        assert_eq!(fault("date-time", "whenever"), None);
    }
}
