//! The static semantics: well-formedness, bound and unbound roles, atoms, findings.

use std::collections::BTreeSet;

use locus_graph::{
    Atom, Location, LocationGraph, LocationSet, Position, Role, Symbols, check, is_well_formed,
};
use locus_source::{Place, SourceFile, Sources, Span};
use proptest::prelude::*;

use crate::generate::{self, ROLES, locations, role};
use crate::naive;

/// A location in plain data: name, place, and roles with position and place.
type PlainLocation = (usize, Place, Vec<(usize, Position, Place)>);

/// A graph as declared, and where its parts stand: each name and each role has a place of its own.
#[derive(Debug)]
struct Declared {
    graph: LocationGraph,
    plain: Vec<PlainLocation>,
}

fn declared(file: &SourceFile, shape: &[(usize, Vec<(usize, bool)>)]) -> Declared {
    let mut at = 0;
    let mut place = || {
        at += 1;
        file.place(Span::point(at))
    };
    let (mut graph, mut plain) = (LocationGraph::new(), Vec::new());
    for (name, ports) in shape {
        let id = graph.add(&format!("n{name}"));
        let here = place();
        graph.entry_mut(id).place = Some(here);
        let mut roles = Vec::new();
        for &(role, provided) in ports {
            let position = if provided { Position::Provided } else { Position::Required };
            let here = place();
            graph.add_port(id, &format!("r{role}"), position).place = Some(here);
            roles.push((role, position, here));
        }
        plain.push((*name, here, roles));
    }
    Declared { graph, plain }
}

/// Returns the expected findings, by loops over all pairs: a code and all places.
fn expected(plain: &[PlainLocation]) -> BTreeSet<(String, BTreeSet<Place>)> {
    let mut found = BTreeSet::new();
    for (name, _, _) in plain {
        let same: BTreeSet<Place> = plain.iter().filter(|(n, _, _)| n == name).map(|(_, p, _)| *p).collect();
        if same.len() > 1 {
            found.insert(("LG001".to_owned(), same));
        }
    }
    // The first mention of a role in a position counts; further ones in the same location say nothing new.
    let first = |ports: &[(usize, Position, Place)], role, position| {
        ports.iter().find(|(r, p, _)| (*r, *p) == (role, position)).map(|(_, _, place)| *place)
    };
    for role in 0..ROLES {
        for (code, position) in [("LG002", Position::Provided), ("LG003", Position::Required)] {
            let holders: BTreeSet<Place> =
                plain.iter().filter_map(|(_, _, ports)| first(ports, role, position)).collect();
            if holders.len() > 1 {
                found.insert((code.to_owned(), holders));
            }
        }
        for (_, _, ports) in plain {
            let sides = (first(ports, role, Position::Provided), first(ports, role, Position::Required));
            if let (Some(provided), Some(required)) = sides {
                found.insert(("LG004".to_owned(), BTreeSet::from([provided, required])));
            }
        }
    }
    found
}

fn refs(locations: &[Location]) -> Vec<&Location> {
    locations.iter().collect()
}

fn set(locations: &[Location]) -> LocationSet {
    locations.iter().cloned().collect()
}

fn without_repetition(mut locations: Vec<Location>) -> Vec<Location> {
    locations.sort();
    locations.dedup();
    locations
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn findings_are_the_violations_each_once_with_all_places(
        shape in prop::collection::vec((0..4usize, prop::collection::vec((0..ROLES, any::<bool>()), 0..4)), 0..5)
    ) {
        let sources = Sources::new();
        let file = sources.add("g", " ".repeat(100));
        let Declared { graph, plain } = declared(&file, &shape);
        let findings = check(&graph, file.place(Span::point(0)));
        let places = |f: &locus_source::Finding| {
            std::iter::once(&f.primary).chain(&f.secondary).map(|label| label.place).collect::<BTreeSet<_>>()
        };
        let found: Vec<_> = findings.iter().map(|f| (f.code.to_string(), places(f))).collect();
        prop_assert_eq!(found.len(), found.iter().collect::<BTreeSet<_>>().len());
        let expected = expected(&plain);
        prop_assert_eq!(is_well_formed(&graph), expected.is_empty());
        prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn sets_agree_with_the_formulas(locations in locations()) {
        let locations = without_repetition(locations);
        let (set, refs) = (set(&locations), refs(&locations));
        prop_assert_eq!(set.check_well_formed().is_ok(), naive::well_formed_location_set(&refs));
        if let Err(ill) = set.check_well_formed() {
            prop_assert_eq!(ill.names.is_empty(), naive::uniquely_named_locations(&refs));
            prop_assert_eq!(ill.provided.is_empty(), naive::uniquely_provided_roles(&refs));
            prop_assert_eq!(ill.required.is_empty(), naive::uniquely_required_roles(&refs));
        }
        let collect = |roles: Vec<Role>| roles.into_iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(collect(set.bound_roles()), naive::bound_roles_in_ls(&refs));
        prop_assert_eq!(collect(set.unbound_roles()), naive::unbound_roles_in_ls(&refs));
        prop_assert_eq!(set.atoms().into_iter().collect::<BTreeSet<Atom>>(), naive::atoms_in_graph(&refs));
        prop_assert_eq!(set.names().into_iter().collect::<BTreeSet<_>>(), naive::names(&refs));
        for i in 0..ROLES {
            prop_assert_eq!(set.bound_roles().contains(&role(i)), naive::bound_in_ls(role(i), &refs));
        }
    }

    #[test]
    fn declared_graphs_mean_their_sets(locations in generate::graph(0..=5)) {
        let set = set(&locations);
        let graph = LocationGraph::from_set(generate::symbols(), &set);
        prop_assert!(is_well_formed(&graph));
        prop_assert_eq!(graph.to_set().unwrap(), set.clone());
        let bound: Vec<Role> = graph.bindings().iter().map(|b| b.role).collect();
        prop_assert_eq!(bound, set.bound_roles());
        let unbound: Vec<Role> = graph.unbound().iter().map(|u| u.role).collect();
        prop_assert_eq!(unbound, set.unbound_roles());
        for binding in graph.bindings() {
            let has = |id, position| graph.entry(id).ports_at(position).any(|p| p.role == binding.role);
            prop_assert!(has(binding.provider, Position::Provided) && has(binding.requirer, Position::Required));
        }
    }

    /// Assertion `RoleIsProvidedAndRequiredByTwoDistinctLocations`.
    #[test]
    fn role_is_provided_and_required_by_two_distinct_locations(locations in generate::graph(0..=5)) {
        prop_assert!(set(&locations).check_well_formed().is_ok());
        for (i, l) in locations.iter().enumerate() {
            for (j, h) in locations.iter().enumerate() {
                prop_assert!(i != j || !l.provided().iter().any(|r| h.required().contains(r)));
            }
        }
    }

    /// Assertion `ARoleBindsAtMostTwoLocations`: for every subset of a well-formed set, whether it comes from
    /// the generator of well-formed ones or happens to be so.
    #[test]
    fn a_role_binds_at_most_two_locations(
        locations in prop_oneof![generate::graph(0..=5), locations()]
    ) {
        let locations = without_repetition(locations);
        if set(&locations).check_well_formed().is_ok() {
            for subset in 0..1usize << locations.len() {
                let subset: Vec<_> = (0..locations.len()).filter(|i| subset >> i & 1 == 1).collect();
                for r in (0..ROLES).map(role) {
                    let all = subset.iter().all(|&i| locations[i].has_role(r));
                    prop_assert!(!all || subset.len() < 3);
                }
            }
        }
    }

    /// Assertion `UnboundRolesNotBound`.
    #[test]
    fn unbound_roles_not_bound(locations in locations()) {
        let set = set(&locations);
        prop_assert!(set.unbound_roles().iter().all(|r| !set.bound_roles().contains(r)));
    }
}

#[test]
fn the_model_is_consistent() {
    // `run Model`: more than two locations, more than two required roles, more than three provided ones.
    let (mut graph, mut symbols) = (LocationGraph::new(), Symbols::new());
    for (name, provided, required) in [("a", "pqrs", ""), ("b", "", "pq"), ("c", "", "r")] {
        let id = graph.add(name);
        provided.chars().for_each(|role| _ = graph.provide(id, &role.to_string()));
        required.chars().for_each(|role| _ = graph.require(id, &role.to_string()));
        symbols.name(name);
    }
    assert!(is_well_formed(&graph));
    let set = graph.to_set().unwrap();
    assert!(set.len() > 2 && set.required().len() > 2 && set.provided().len() > 3);
}
