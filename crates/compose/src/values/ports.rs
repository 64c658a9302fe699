//! The ports of a service, of a container and of the host.
//!
//! A range of ports of the container is one item of a model, in its short form ([`port::Port`]), and so it is for
//! rules, pictures and plans. Each port of a range by itself has only what Compose prints ([`expand`]).

use std::borrow::Cow;

use locus_source::Place;
use rustc_hash::FxHashMap;

use crate::values::datum::{Content, Datum, Map};
use crate::values::short::port::{self, Port};

/// Ports of a service that belong together: one, or a range of the container.
#[derive(Clone, Debug)]
pub(crate) struct Ports {
    /// The first and the last port of the container.
    pub(crate) target: (i64, i64),
    /// The first and the last port of the host, if the file gives them.
    pub(crate) published: Option<(i64, i64)>,
    pub(crate) host: Option<Datum>,
    pub(crate) protocol: Option<Datum>,
    pub(crate) place: Place,
    /// Where the port of the host is written.
    pub(crate) published_at: Place,
}

impl Ports {
    /// The ports of the host that are taken: as many as those of the container.
    pub(crate) fn taken(&self) -> Option<(i64, i64)> {
        self.published.filter(|(first, last)| last - first == self.target.1 - self.target.0)
    }

    /// How many ports of the host Docker chooses one from.
    pub(crate) fn choices(&self) -> Option<i64> {
        self.published.filter(|_| self.taken().is_none()).map(|(first, last)| last - first + 1)
    }
}

/// The ports of a service, each port of the container with the same one of the host once.
pub(crate) fn of(service: &Datum) -> Vec<Ports> {
    let items = service.get("ports").and_then(Datum::as_list).unwrap_or_default();
    let all = items.iter().filter_map(one);
    if items.iter().any(|item| item.as_str().is_some()) { distinct(all) } else { all.collect() }
}

fn one(item: &Datum) -> Option<Ports> {
    let place = item.place;
    let published = |published: &str| port::range(published).filter(|range| range.0 != 0);
    let wide = |(first, last): (u16, u16)| (i64::from(first), i64::from(last));
    if let Some(port) = item.as_str() {
        let Port { address, protocol, target, published } = port::parse(port).ok()?;
        let text = |text: String| Some(Datum::text(text, place));
        return Some(Ports {
            target: wide(target),
            published: published.map(wide),
            host: text(address).filter(|address| address.as_str() != Some("")),
            protocol: text(protocol),
            place,
            published_at: place,
        });
    }
    let target = item.get("target").and_then(Datum::as_i64)?;
    Some(Ports {
        target: (target, target),
        published: item.get("published").and_then(Datum::as_str).and_then(published).map(wide),
        host: item.get("host_ip").cloned(),
        protocol: item.get("protocol").cloned(),
        place,
        published_at: item.get("published").map_or(place, |published| published.place),
    })
}

/// The ranges of ports that a service exposes, and where each is written.
pub(crate) fn exposed(service: &Datum) -> impl Iterator<Item = ((i64, i64), Place)> {
    let items = service.get("expose").and_then(Datum::as_list).unwrap_or_default().iter();
    items.filter_map(|item| {
        let (first, last) = port::range(item.as_str()?.split('/').next()?)?;
        Some(((first.into(), last.into()), item.place))
    })
}

/// A range as people write it.
pub(crate) fn range_text((first, last): (i64, i64)) -> String {
    if first == last { first.to_string() } else { format!("{first}-{last}") }
}

/// All that of each range no earlier one has: Compose takes ports that say the same for one.
fn distinct(all: impl Iterator<Item = Ports>) -> Vec<Ports> {
    let mut out = Vec::new();
    let mut seen: FxHashMap<_, Vec<(i64, i64)>> = FxHashMap::default();
    for ports in all {
        let text = |value: &Option<Datum>| value.as_ref().map(Datum::print);
        let host = text(&ports.host).unwrap_or_else(|| "0.0.0.0".to_owned());
        let offset = ports.taken().map(|(first, _)| first - ports.target.0);
        let earlier = seen.entry((host, text(&ports.protocol), offset, ports.choices())).or_default();
        for (first, last) in without(ports.target, earlier) {
            let published = match offset {
                Some(offset) => Some((first + offset, last + offset)),
                None => ports.published,
            };
            out.push(Ports { target: (first, last), published, ..ports.clone() });
        }
        earlier.push(ports.target);
    }
    out
}

/// All that is left of a range without others.
fn without(range: (i64, i64), others: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let mut left = vec![range];
    for &(from, to) in others {
        let cut = |(first, last): (i64, i64)| {
            let parts = [(first, last.min(from - 1)), (first.max(to + 1), last)];
            parts.into_iter().filter(|(first, last)| first <= last)
        };
        if left.iter().any(|&(first, last)| first <= to && from <= last) {
            left = left.into_iter().flat_map(cut).collect();
        }
    }
    left
}

/// An item of `ports` in long form, with ranges as texts.
pub(crate) fn long_form(item: &Datum) -> Cow<'_, Datum> {
    match item.as_str().map(port::parse) {
        Some(Ok(port)) => Cow::Owned(long(&port, item.place)),
        _ => Cow::Borrowed(item),
    }
}

/// The long form of a port.
pub(crate) fn long(port: &Port, place: Place) -> Datum {
    let text = |text: &str| Content::Str(text.to_owned());
    let (first, last) = port.target;
    let target =
        if first == last { Content::Int(first.into()) } else { Content::Str(port::range_text(port.target)) };
    let entries = [("mode", text("ingress")), ("protocol", text(&port.protocol)), ("target", target)];
    let mut value = Datum::map(place, entries);
    if let Some(map) = value.as_map_mut() {
        if let Some(published) = port.published {
            map.put("published", Datum::text(port::range_text(published), place));
        }
        if !port.address.is_empty() {
            map.put("host_ip", Datum::new(text(&port.address), place));
        }
    }
    value
}

/// Each port of a range in long form, in the order in which Compose has them: that of the texts.
pub(crate) fn each(range: &Port, place: Place) -> Vec<Datum> {
    let (first, last) = range.target;
    let mut targets: Vec<u16> = (first..=last).collect();
    targets.sort_by_cached_key(|target| format!("{target}/{}", range.protocol));
    let port = |target: u16| Port {
        target: (target, target),
        published: range.published.map(|(start, _)| start + (target - first)).map(|port| (port, port)),
        ..range.clone()
    };
    targets.into_iter().map(|target| long(&port(target), place)).collect()
}

/// Whether a service has ranges and one of their ports is there twice.
pub(crate) fn overlap(service: &Datum) -> bool {
    let items = service.get("ports").and_then(Datum::as_list).unwrap_or_default();
    let written: i64 = items.iter().filter_map(one).map(|ports| ports.target.1 - ports.target.0 + 1).sum();
    let distinct: i64 = of(service).iter().map(|ports| ports.target.1 - ports.target.0 + 1).sum();
    written != distinct
}

/// Gives a service each port of its ranges by itself, of those that say the same the last one at the place of the
/// first.
pub(crate) fn expand(service: &mut Map) {
    let Some(Content::List(items)) = service.get_mut("ports").map(|value| &mut value.content) else { return };
    if !items.iter().any(|item| item.as_str().is_some()) {
        return;
    }
    let mut places = FxHashMap::default();
    let mut all: Vec<Datum> = Vec::new();
    for item in std::mem::take(items) {
        let ports = match item.as_str().map(port::parse) {
            Some(Ok(range)) => each(&range, item.place),
            _ => vec![item],
        };
        for port in ports {
            let text = |key: &str| port.get(key).map(Datum::print);
            let host = text("host_ip").unwrap_or_else(|| "0.0.0.0".to_owned());
            match places.entry((host, text("published"), text("target"), text("protocol"))) {
                std::collections::hash_map::Entry::Occupied(at) => all[*at.get()] = port,
                std::collections::hash_map::Entry::Vacant(new) => {
                    new.insert(all.len());
                    all.push(port);
                }
            }
        }
    }
    *items = all;
}
