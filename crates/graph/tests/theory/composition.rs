//! Mixable sets and composition of graphs.

use std::collections::BTreeSet;

use locus_graph::{Location, LocationGraph, LocationSet, compose, is_well_formed};
use proptest::prelude::*;

use crate::generate::{self, locations};
use crate::naive;

fn set(locations: &[Location]) -> LocationSet {
    locations.iter().cloned().collect()
}

fn graph(locations: &[Location]) -> LocationGraph {
    LocationGraph::from_set(generate::symbols(), &set(locations))
}

/// The locations of a graph as texts, so that graphs with different symbols can be compared.
fn texts(graph: &LocationGraph) -> BTreeSet<String> {
    let symbols = graph.symbols();
    let text = |entry: &locus_graph::Entry| {
        let mut ports: Vec<String> = entry
            .ports
            .iter()
            .map(|port| format!("{:?} {}", port.position, symbols.role_text(port.role)))
            .collect();
        ports.sort();
        let (sort, process) = (entry.sort.0.display(symbols), entry.process.0.display(symbols));
        format!("{} {sort} {process} {ports:?}", symbols.name_text(entry.name))
    };
    graph.entries().iter().map(text).collect()
}

/// Graphs that are often mixable: parts of one well-formed graph, or any two.
fn two() -> impl Strategy<Value = (Vec<Location>, Vec<Location>)> {
    let cut = (generate::graph(0..=5), 0..=5usize).prop_map(|(mut all, at)| {
        let rest = all.split_off(at.min(all.len()));
        (all, rest)
    });
    prop_oneof![(generate::graph(0..=3), generate::graph(0..=3)), cut, (locations(), locations())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn mixable_agrees_with_the_formula((c1, c2) in two()) {
        let refs = |c: &[Location]| c.to_vec();
        let (r1, r2) = (refs(&c1), refs(&c2));
        let (r1, r2): (Vec<&Location>, Vec<&Location>) = (r1.iter().collect(), r2.iter().collect());
        let clash = set(&c1).check_mixable(&set(&c2));
        prop_assert_eq!(clash.is_ok(), naive::mixable_ls(&r1, &r2));
        // And exactly what clashes.
        let clash = clash.err().unwrap_or_default();
        let names: Vec<_> = naive::names(&r1).intersection(&naive::names(&r2)).copied().collect();
        prop_assert_eq!(clash.names, names);
        let provided = |c: &[&Location]| c.iter().flat_map(|l| l.provided().to_vec()).collect::<BTreeSet<_>>();
        let required = |c: &[&Location]| c.iter().flat_map(|l| l.required().to_vec()).collect::<BTreeSet<_>>();
        let both: Vec<_> = provided(&r1).intersection(&provided(&r2)).copied().collect();
        prop_assert_eq!(clash.provided, both);
        let both: Vec<_> = required(&r1).intersection(&required(&r2)).copied().collect();
        prop_assert_eq!(clash.required, both);
    }

    /// Assertion `MixableLS_Symmetric`.
    #[test]
    fn mixable_ls_symmetric((c, d) in two()) {
        let (c, d) = (set(&c), set(&d));
        prop_assert_eq!(c.check_mixable(&d), d.check_mixable(&c));
    }

    /// Assertion `MixableLGsAreComposable`. Slip: the report writes `MixableLG[c1.c2]`, a join, where the two
    /// graphs are meant, `MixableLG[c1, c2]`. That both are well-formed is a fact about location graphs.
    #[test]
    fn mixable_lgs_are_composable((c1, c2) in two()) {
        let (c1, c2) = (set(&c1), set(&c2));
        let well_formed = c1.check_well_formed().is_ok() && c2.check_well_formed().is_ok();
        if well_formed && c1.check_mixable(&c2).is_ok() {
            prop_assert!(c1.union(&c2).check_well_formed().is_ok());
        }
    }

    #[test]
    fn graphs_compose_exactly_if_they_are_mixable((c1, c2) in two()) {
        let (g1, g2) = (graph(&c1), graph(&c2));
        match (compose(&g1, &g2), set(&c1).check_mixable(&set(&c2))) {
            (Ok(both), Ok(())) => {
                let union: BTreeSet<_> = texts(&g1).union(&texts(&g2)).cloned().collect();
                prop_assert_eq!(texts(&both), union);
                prop_assert_eq!(is_well_formed(&both), is_well_formed(&g1) && is_well_formed(&g2));
            }
            (Err(error), Err(clash)) => {
                let symbols = generate::symbols();
                let sorted = |mut texts: Vec<String>| { texts.sort(); texts };
                let names = error.names.iter().map(|s| s.text.to_string()).collect();
                let expected = clash.names.iter().map(|&n| symbols.name_text(n).to_owned()).collect();
                prop_assert_eq!(sorted(names), sorted(expected));
                for (shared, roles) in [(error.provided, clash.provided), (error.required, clash.required)] {
                    let texts = shared.iter().map(|s| s.text.to_string()).collect();
                    let expected = roles.iter().map(|&r| symbols.role_text(r).to_owned()).collect();
                    prop_assert_eq!(sorted(texts), sorted(expected));
                }
            }
            (composed, mixable) => prop_assert!(false, "{composed:?} but {mixable:?}"),
        }
    }

    #[test]
    fn composition_is_commutative_and_associative_with_null(
        all in generate::graph(0..=5),
        cut in prop::collection::vec(0..3usize, 5),
    ) {
        let part = |p| all.iter().zip(&cut).filter(|(_, c)| **c == p).map(|(l, _)| l.clone()).collect::<Vec<_>>();
        let [a, b, c] = [0, 1, 2].map(|p| graph(&part(p)));
        let ab = compose(&a, &b).unwrap();
        prop_assert_eq!(texts(&ab), texts(&compose(&b, &a).unwrap()));
        let left = compose(&ab, &c).unwrap();
        let right = compose(&a, &compose(&b, &c).unwrap()).unwrap();
        prop_assert_eq!(texts(&left), texts(&right));
        prop_assert_eq!(texts(&left), texts(&graph(&all)));
        let null = LocationGraph::new();
        prop_assert_eq!(texts(&compose(&a, &null).unwrap()), texts(&a));
        prop_assert_eq!(texts(&compose(&null, &a).unwrap()), texts(&a));
    }
}
