//! `[[ADDRESS:]HOST:]CONTAINER[/PROTOCOL]`, as Docker's `nat` package reads it.

use std::fmt::{Display, Formatter};
use std::net::IpAddr;

/// A port of a container, or a range of them, as the short form says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    /// The address on the host; empty for all.
    pub(crate) address: String,
    pub(crate) protocol: String,
    /// The first and the last port of the container.
    pub(crate) target: (u16, u16),
    /// The first and the last port of the host: one for each of the container's, or those of which Docker is to choose
    /// one. None if Docker is to choose any.
    pub(crate) published: Option<(u16, u16)>,
}

/// Reads the short form.
pub(crate) fn parse(spec: &str) -> Result<Port, String> {
    let parts: Vec<&str> = spec.split(':').collect();
    let (address, host, container) = match parts[..] {
        [container] => (String::new(), "", container),
        [host, container] => (String::new(), host, container),
        [ref address @ .., host, container] => (address.join(":"), host, container),
        [] => unreachable!("splitting gives at least one part"),
    };
    let (container, protocol) = match container.split_once('/') {
        Some((container, protocol)) if !protocol.is_empty() => (container, protocol.to_lowercase()),
        Some((container, _)) => (container, "tcp".to_owned()),
        None => (container, "tcp".to_owned()),
    };
    if !container.is_empty() && !["tcp", "udp", "sctp"].contains(&protocol.as_str()) {
        return Err(format!("`{protocol}` is not a protocol; it is `tcp`, `udp` or `sctp`"));
    }
    let address = address
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .map_or(address.clone(), str::to_owned);
    if !address.is_empty() && address.parse::<IpAddr>().is_err() {
        return Err(format!("`{address}` is not an IP address"));
    }
    if container.is_empty() {
        return Err("the port of the container is missing".to_owned());
    }
    let target = range(container).ok_or_else(|| format!("`{container}` is not a port or a range"))?;
    let published = if host.is_empty() {
        None
    } else {
        Some(range(host).ok_or_else(|| format!("`{host}` is not a port or a range"))?)
    };
    if let Some((first, last)) = published
        && last - first != target.1 - target.0
        && target.0 != target.1
    {
        return Err(format!("the ranges `{host}` and `{container}` have different lengths"));
    }
    Ok(Port { address, protocol, target, published })
}

impl Port {
    /// The ports of the host that are taken: as many as those of the container.
    pub(crate) fn taken(&self) -> Option<(u16, u16)> {
        self.published.filter(|(first, last)| last - first == self.target.1 - self.target.0)
    }
}

/// The short form again, one for all ways to write the same.
impl Display for Port {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self.address.as_str() {
            "" => {}
            address if address.contains(':') => write!(out, "[{address}]:")?,
            address => write!(out, "{address}:")?,
        }
        if let Some(published) = self.published {
            write!(out, "{}:", range_text(published))?;
        } else if !self.address.is_empty() {
            out.write_str(":")?;
        }
        write!(out, "{}/{}", range_text(self.target), self.protocol)
    }
}

/// A range as people write it: one port alone, or two with a hyphen.
pub(crate) fn range_text((first, last): (u16, u16)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// `A` or `A-B` with A not above B.
pub(crate) fn range(text: &str) -> Option<(u16, u16)> {
    match text.split_once('-') {
        None => number(text).map(|port| (port, port)),
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then_some((first, last))
        }
    }
}

fn number(text: &str) -> Option<u16> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_read() {
        let of = |spec: &str| parse(spec).map(|port| port.to_string());
        for (spec, same) in [
            ("80", "80/tcp"),
            ("8080:80/UDP", "8080:80/udp"),
            ("127.0.0.1::80", "127.0.0.1::80/tcp"),
            ("[::1]:1:80", "[::1]:1:80/tcp"),
            ("::1:1:80", "[::1]:1:80/tcp"),
            ("9-10:9-10", "9-10:9-10/tcp"),
            ("9000-9010:90", "9000-9010:90/tcp"),
            ("9-10/", "9-10/tcp"),
        ] {
            assert_eq!(of(spec).as_deref(), Ok(same), "{spec}");
            assert_eq!(parse(spec), parse(same), "{spec}");
        }
        for bad in ["", "a", "1:", "70000", "1-2:1-3", "10-9", "1:2:3", "80/http", "x.y:1:2"] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
