//! `[[ADDRESS:]HOST:]CONTAINER[/PROTOCOL]`, as Docker's `nat` package reads it.

use std::net::IpAddr;

/// A published port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    pub(crate) address: String,
    pub(crate) protocol: String,
    pub(crate) target: u16,
    /// A port or a range on the host; empty if Docker is to choose.
    pub(crate) published: String,
}

/// Reads the short form. A range stands for several ports, in the order in which Compose has them.
pub(crate) fn parse(spec: &str) -> Result<Vec<Port>, String> {
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
    let (start, end) = range(container).ok_or_else(|| format!("`{container}` is not a port or a range"))?;
    let published = if host.is_empty() {
        None
    } else {
        Some(range(host).ok_or_else(|| format!("`{host}` is not a port or a range"))?)
    };
    if let Some((first, last)) = published
        && last - first != end - start
        && start != end
    {
        return Err(format!("the ranges `{host}` and `{container}` have different lengths"));
    }
    let mut ports: Vec<Port> = (start..=end)
        .map(|target| {
            let published = match published {
                None => String::new(),
                Some((first, last)) if start == end && first != last => format!("{first}-{last}"),
                Some((first, _)) => (first + (target - start)).to_string(),
            };
            Port { address: address.clone(), protocol: protocol.clone(), target, published }
        })
        .collect();
    // Compose sorts ports as texts.
    ports.sort_by_cached_key(|port| format!("{}/{}", port.target, port.protocol));
    Ok(ports)
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
        let of = |spec: &str| {
            parse(spec).map(|ports| {
                let show = |p: &Port| format!("{}|{}|{}/{}", p.address, p.published, p.target, p.protocol);
                ports.iter().map(show).collect::<Vec<_>>().join(" ")
            })
        };
        assert_eq!(of("80").as_deref(), Ok("||80/tcp"));
        assert_eq!(of("8080:80/UDP").as_deref(), Ok("|8080|80/udp"));
        assert_eq!(of("127.0.0.1::80").as_deref(), Ok("127.0.0.1||80/tcp"));
        assert_eq!(of("[::1]:1:80").as_deref(), Ok("::1|1|80/tcp"));
        assert_eq!(of("::1:1:80").as_deref(), Ok("::1|1|80/tcp"));
        assert_eq!(of("9-10:9-10").as_deref(), Ok("|10|10/tcp |9|9/tcp"));
        assert_eq!(of("9000-9010:90").as_deref(), Ok("|9000-9010|90/tcp"));
        for bad in ["", "a", "1:", "70000", "1-2:1-3", "10-9", "1:2:3", "80/http", "x.y:1:2"] {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
