//! Addresses and networks that are free.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// So many are offered of each network.
const OFFERED: usize = 2;

/// Some addresses of a network that none of the texts is, neither its first two, which are taken for itself and the
/// gateway, nor its last one.
pub(super) fn free_addresses(network: &IpNet, taken: &[&str]) -> Vec<String> {
    let is_free = |address: &IpAddr| !taken.contains(&address.to_string().as_str());
    network
        .hosts()
        .skip(1)
        .take(1024)
        .filter(is_free)
        .take(OFFERED)
        .map(|address| address.to_string())
        .collect()
}

/// The next network of the same size that shares no address with any of these.
pub(super) fn free_network(network: &IpNet, taken: &[IpNet]) -> Option<IpNet> {
    let mut next = network.trunc();
    for _ in 0..1024 {
        next = after(&next)?;
        if !taken.iter().any(|other| other.contains(&next) || next.contains(other)) {
            return Some(next);
        }
    }
    None
}

/// The network of the same size behind this one.
fn after(network: &IpNet) -> Option<IpNet> {
    let length = network.prefix_len();
    Some(match network {
        IpNet::V4(net) => {
            let start = u32::from(net.broadcast()).checked_add(1)?;
            IpNet::V4(Ipv4Net::new(start.into(), length).ok()?)
        }
        IpNet::V6(net) => {
            let start = u128::from(net.broadcast()).checked_add(1)?;
            IpNet::V6(Ipv6Net::new(start.into(), length).ok()?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_not_offered() {
        let net: IpNet = "10.0.0.0/29".parse().expect("a network");
        assert_eq!(free_addresses(&net, &["10.0.0.2"]), ["10.0.0.3", "10.0.0.4"]);
        let taken = ["10.0.0.0/29", "10.0.0.8/30"].map(|text| text.parse().expect("a network"));
        assert_eq!(free_network(&net, &taken).map(|net| net.to_string()).as_deref(), Some("10.0.0.16/29"));
        let last: IpNet = "255.255.255.0/24".parse().expect("a network");
        assert_eq!(free_network(&last, &[]), None);
    }
}
