//! How many addresses a subnet has to give out.

use std::net::Ipv4Addr;

use locus_schema::Content;
use locus_source::Place;

use crate::template::{Kind, Resource};

/// The number of addresses that Neutron gives to ports in an IPv4 subnet, and the place that says so. Nothing if it
/// does not follow from the template.
pub(crate) fn of(resource: &Resource) -> Option<(i64, Place)> {
    let is_subnet = matches!(&resource.kind, Kind::Known(kind) if &*kind.name == "OS::Neutron::Subnet");
    if !is_subnet || !resource.properties_known || resource.external_id.is_some() {
        return None;
    }
    let pools = resource.property("allocation_pools").filter(|pools| !matches!(pools.value, Content::Null));
    if let Some(pools) = pools {
        let Content::List(items) = &pools.value else { return None };
        let sizes = items.iter().map(|pool| {
            let end = |key: &str| pool.get(key)?.as_str()?.parse::<Ipv4Addr>().ok();
            let (first, last) = (i64::from(u32::from(end("start")?)), i64::from(u32::from(end("end")?)));
            (first <= last).then_some(last - first + 1)
        });
        return Some((sizes.sum::<Option<i64>>().filter(|count| *count > 0)?, pools.place));
    }
    let cidr = resource.property("cidr")?;
    let (address, length) = cidr.as_str()?.split_once('/')?;
    let address = u32::from(address.parse::<Ipv4Addr>().ok()?);
    let length: u32 = length.parse().ok().filter(|length| (1..=30).contains(length))?;
    let within = |text: &str| {
        text.parse::<Ipv4Addr>().is_ok_and(|gateway| (u32::from(gateway) ^ address) >> (32 - length) == 0)
    };
    // The first address is that of the network, the last one is for broadcasts, and one is the gateway's.
    let gateway = match resource.property("gateway_ip").map(|gateway| &gateway.value) {
        None => 1,
        Some(Content::Str(text)) => i64::from(within(text)),
        Some(Content::Null) => 0,
        Some(_) => return None,
    };
    Some(((1i64 << (32 - length)) - 2 - gateway, cidr.place))
}
