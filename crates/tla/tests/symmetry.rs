//! Symmetry: as many distinct states as there are things that no permutation takes to one another.

mod common;

use locus_tla::check::{CheckOptions, Engine, Verdict, check};

/// The distinct states of a specification under its symmetry, however states are kept.
fn distinct(module: &str, config: &str) -> u64 {
    let mut counts: Vec<u64> = Vec::new();
    for (engine, workers) in [(Engine::Values, 1), (Engine::Packed, 1), (Engine::Packed, 2)] {
        let (sources, specification, model) = common::loaded(module, config);
        let options = CheckOptions { engine, workers, ..CheckOptions::default() };
        let result = check(&sources, &specification, &model, &options);
        assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
        counts.push(result.distinct);
    }
    assert!(counts.iter().all(|count| *count == counts[0]), "{config}: {counts:?}");
    counts[0]
}

const GRAPHS: &str = r"EXTENDS TLC
CONSTANT Node
VARIABLE edges
Symm == Permutations(Node)
Init == edges = {}
Undirected == \E a, b \in Node : a # b /\ edges' = edges \cup {{a, b}}
Directed == \E a, b \in Node : a # b /\ edges' = edges \cup {<<a, b>>}";

#[test]
fn graphs_are_counted_up_to_the_names_of_their_nodes() {
    let config = |nodes, next| {
        format!("CONSTANT Node = {{{nodes}}} INIT Init NEXT {next} SYMMETRY Symm CHECK_DEADLOCK FALSE")
    };
    // The numbers of unlabelled graphs: OEIS A000088 and A000273.
    for (nodes, next, count) in [
        ("a, b, c, d", "Undirected", 11),
        ("a, b, c, d, e", "Undirected", 34),
        ("a, b, c, d, e, f", "Undirected", 156),
        ("a, b, c, d, e, f, g", "Undirected", 1044),
        ("a, b, c, d", "Directed", 218),
        ("a, b, c, d, e", "Directed", 9608),
    ] {
        assert_eq!(distinct(GRAPHS, &config(nodes, next)), count, "{next} {nodes}");
    }
}

#[test]
fn several_sets_are_permuted_at_once() {
    let module = r"EXTENDS TLC
CONSTANTS Key, Val, None
VARIABLE store
Symm == Permutations(Key) \cup Permutations(Val)
Init == store = [key \in Key |-> None]
Next == \E key \in Key, value \in Val : store' = [store EXCEPT ![key] = value]";
    let config = |keys, values| {
        format!(
            "CONSTANTS Key = {{{keys}}} Val = {{{values}}} None = None
             INIT Init NEXT Next SYMMETRY Symm CHECK_DEADLOCK FALSE"
        )
    };
    // So many keys have each value: partitions of at most as many as there are keys into at most as many parts as
    // there are values.
    assert_eq!(distinct(module, &config("a, b, c, d", "v, w, x, y")), 1 + 1 + 2 + 3 + 5);
    assert_eq!(distinct(module, &config("a, b, c, d, e, f", "v, w, x")), 1 + 1 + 2 + 3 + 4 + 5 + 7);
}
