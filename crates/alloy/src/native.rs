//! Relations that are computed from the values present: what logic cannot say of addresses and texts.
//!
//! They belong to the private signature `Native` of the library modules `util/net` and `util/text`. Their bounds are exact,
//! so they cost nothing to a solver, and an evaluator sees them as data.

use std::net::IpAddr;

use ipnet::IpNet;
use locus_relational::{Atom, TupleSet};

use crate::model::World;
use crate::types::SigId;

/// The library module that a signature is the `Native` of, if it is one.
pub(crate) fn module(world: &World, sig: SigId) -> Option<&'static str> {
    let declared = world.sig(sig);
    world.module(declared.module).library.filter(|_| declared.name == "Native")
}

/// The strings and integers that are present.
pub(crate) struct Values<'a> {
    pub(crate) texts: &'a [(String, Atom)],
    pub(crate) ints: &'a [(i64, Atom)],
}

/// The value of a native relation of a library module, if it is one.
pub(crate) fn relation(module: &str, name: &str, values: &Values) -> Option<TupleSet> {
    Some(match (module, name) {
        ("util/net", "contains") => pairs(values, network, |a, b| a.contains(b)),
        ("util/net", "overlaps") => pairs(values, network, |a, b| a.contains(b) || b.contains(a)),
        ("util/net", "first") => pairs(values, network, |a, b| is_address(b) && b.addr() == a.network()),
        ("util/net", "last") => pairs(values, network, |a, b| is_address(b) && b.addr() == a.broadcast()),
        ("util/net", "version") => {
            numbers(values, |text| network(text).map(|net| if net.addr().is_ipv4() { 4 } else { 6 }))
        }
        ("util/text", "prefix") => pairs(values, Some, |a, b| b.starts_with(a)),
        ("util/text", "matches") => matches(values),
        ("util/text", "length") => numbers(values, |text| i64::try_from(text.chars().count()).ok()),
        ("util/text", "number") => numbers(values, |text| text.parse().ok()),
        _ => return None,
    })
}

/// An address is a network of one address.
fn network(text: &str) -> Option<IpNet> {
    text.parse::<IpNet>().map(|net| net.trunc()).ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

fn is_address(net: &IpNet) -> bool {
    net.prefix_len() == net.max_prefix_len()
}

fn pairs<'a, T>(
    values: &Values<'a>,
    read: impl Fn(&'a str) -> Option<T>,
    related: impl Fn(&T, &T) -> bool,
) -> TupleSet {
    let read: Vec<(T, Atom)> =
        values.texts.iter().filter_map(|(text, atom)| read(text).map(|value| (value, *atom))).collect();
    let mut found = Vec::new();
    for (a, first) in &read {
        found.extend(read.iter().filter(|(b, _)| related(a, b)).map(|(_, second)| (*first, *second)));
    }
    TupleSet::binary(found)
}

fn matches(values: &Values) -> TupleSet {
    let mut found = Vec::new();
    for (pattern, first) in values.texts {
        // Patterns are data here: one that is none matches nothing, and one that is too large is none.
        let whole = format!("^(?:{pattern})$");
        if let Ok(pattern) = regex::RegexBuilder::new(&whole).size_limit(1 << 20).build() {
            let matching = values.texts.iter().filter(|(text, _)| pattern.is_match(text));
            found.extend(matching.map(|(_, second)| (*first, *second)));
        }
    }
    TupleSet::binary(found)
}

fn numbers(values: &Values, read: impl Fn(&str) -> Option<i64>) -> TupleSet {
    let mut found = Vec::new();
    for (text, atom) in values.texts {
        let number = read(text).and_then(|n| values.ints.iter().find(|(value, _)| *value == n));
        found.extend(number.map(|(_, int)| (*atom, *int)));
    }
    TupleSet::binary(found)
}
