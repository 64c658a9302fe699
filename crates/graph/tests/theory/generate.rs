//! Random locations, graphs and transitions over a few names and roles, so that they often clash and bind.

use locus_graph::semantics::{Context, Interaction, Polarity};
use locus_graph::{Atom, Location, Name, Process, Role, Sort, Symbols, Value};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::naive::Plain;

pub(crate) const NAMES: usize = 5;
pub(crate) const ROLES: usize = 6;

/// The same symbols in every test: names `n0`… and roles `r0`….
pub(crate) fn symbols() -> Symbols {
    let mut symbols = Symbols::new();
    (0..NAMES).for_each(|i| _ = symbols.name(&format!("n{i}")));
    (0..ROLES).for_each(|i| _ = symbols.role(&format!("r{i}")));
    symbols
}

pub(crate) fn name(i: usize) -> Name {
    symbols().find_name(&format!("n{i}")).unwrap()
}

pub(crate) fn role(i: usize) -> Role {
    symbols().find_role(&format!("r{i}")).unwrap()
}

pub(crate) fn everything() -> Context {
    let names = (0..NAMES).map(|i| Atom::Name(name(i)));
    names.chain((0..ROLES).map(|i| Atom::Role(role(i)))).collect()
}

/// A value, with atoms in it more often than not.
pub(crate) fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (0..2i64).prop_map(Value::Int),
        (0..NAMES).prop_map(|i| Value::Name(name(i))),
        (0..ROLES).prop_map(|i| Value::Role(role(i))),
    ];
    leaf.prop_recursive(2, 4, 2, |inner| prop::collection::vec(inner, 0..3).prop_map(Value::list))
}

/// A location with this name; each role is provided or required with the given weight, else absent.
pub(crate) fn location_named(i: usize, weight: u32) -> impl Strategy<Value = Location> {
    let side = prop_oneof![8 => Just(0u8), weight => Just(1), weight => Just(2)];
    let sides = prop::collection::vec(side, ROLES);
    (sides, value(), value()).prop_map(move |(sides, sort, process)| {
        let at = |side: u8| {
            let sides = sides.clone();
            (0..ROLES).filter(move |&r| sides[r] == side).map(role)
        };
        Location::new(name(i), Sort(sort), Process(process), at(1), at(2)).unwrap()
    })
}

/// Some locations, which may break any rule but the one within a location.
pub(crate) fn locations() -> impl Strategy<Value = Vec<Location>> {
    let one = (0..NAMES).prop_flat_map(|i| location_named(i, 1));
    prop::collection::vec(one, 0..5)
}

/// A well-formed set: each role has at most one provider and at most one other requirer.
pub(crate) fn graph(size: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Vec<Location>> {
    let ends = prop::collection::vec(
        (prop::option::weighted(0.8, any::<Index>()), prop::option::weighted(0.8, any::<Index>())),
        ROLES,
    );
    (size, ends, prop::collection::vec((value(), value()), NAMES)).prop_map(|(size, ends, terms)| {
        let at = |i: usize, side: usize| {
            let holds = move |(provider, requirer): &(Option<Index>, Option<Index>)| {
                let provider = provider.map(|index| index.index(size));
                let requirer = requirer.map(|index| index.index(size)).filter(|&r| provider != Some(r));
                [provider, requirer][side] == Some(i)
            };
            ends.iter().enumerate().filter(move |(_, ends)| holds(ends)).map(|(r, _)| role(r))
        };
        let locations = terms.iter().take(size).enumerate().map(|(i, (sort, process))| {
            Location::new(name(i), Sort(sort.clone()), Process(process.clone()), at(i, 0), at(i, 1)).unwrap()
        });
        locations.collect()
    })
}

pub(crate) fn interaction() -> impl Strategy<Value = Interaction> {
    (0..ROLES, any::<bool>(), 0..2i64).prop_map(|(r, plus, payload)| Interaction {
        role: role(r),
        polarity: if plus { Polarity::Plus } else { Polarity::Minus },
        payload: Value::Int(payload),
    })
}

/// A transition as plain data, which may break any fact but does not do so most of the time.
pub(crate) fn plain() -> impl Strategy<Value = Plain> {
    let wild = (locations(), prop::collection::vec(interaction(), 0..3), locations());
    let wild = (wild, prop::bool::weighted(0.8)).prop_map(|((init, signals, term), all)| {
        let env = if all { everything() } else { everything().atoms()[..NAMES].iter().copied().collect() };
        Plain { env, init, signals, term }
    });
    prop_oneof![1 => wild, 3 => tame(locations().boxed())]
}

/// A transition of these locations with signals on their unbound roles, mostly with the right polarity.
pub(crate) fn tame(init: BoxedStrategy<Vec<Location>>) -> impl Strategy<Value = Plain> {
    let signal =
        (prop::bool::weighted(0.4), prop::bool::weighted(0.97), prop_oneof![4 => Just(0), 1 => Just(1i64)]);
    let signals = prop::collection::vec(signal, ROLES);
    (init, signals, prop::bool::weighted(0.7), locations()).prop_map(|(init, signals, still, other)| {
        let refs: Vec<&Location> = init.iter().collect();
        let unbound = crate::naive::unbound_roles_in_ls(&refs);
        let signals = unbound.iter().zip(signals).filter(|(_, (chosen, _, _))| *chosen);
        let signals = signals.map(|(&role, (_, right, payload))| {
            let provided = init.iter().any(|l| l.provided().contains(&role));
            let polarity = if provided == right { Polarity::Plus } else { Polarity::Minus };
            Interaction { role, polarity, payload: Value::Int(payload) }
        });
        let signals = signals.collect();
        let term = if still { init.clone() } else { other };
        Plain { env: everything(), init, signals, term }
    })
}

/// Several transitions that start from disjoint parts of one well-formed graph, as those that synchronize. Now
/// and then all of them end in one and the same location, which they must not.
pub(crate) fn parts() -> impl Strategy<Value = Vec<Plain>> {
    let cut = (graph(1..=5), prop::collection::vec(0..3usize, NAMES));
    let parts = cut.prop_flat_map(|(graph, cut)| {
        let part = |p: usize| {
            let part = graph.iter().zip(&cut).filter(|(_, c)| **c == p).map(|(l, _)| l.clone());
            part.collect::<Vec<_>>()
        };
        let parts: Vec<_> = (0..3).map(part).filter(|part| !part.is_empty()).collect();
        parts.into_iter().map(|part| tame(Just(part).boxed())).collect::<Vec<_>>()
    });
    (parts, prop::option::weighted(0.1, location_named(0, 1))).prop_map(|(mut parts, same)| {
        if let Some(same) = same {
            for part in &mut parts {
                part.term = vec![same.clone()];
            }
        }
        parts
    })
}
