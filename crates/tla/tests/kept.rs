//! How the states of a search were kept: `--explain-packing`.

mod common;

use locus_tla::check::{CheckOptions, Engine, Kept, Layout, Part, check};

const SPEC: &str = r"EXTENDS Integers, TLC, FiniteSets, SequencesExt
CONSTANT P
VARIABLES at, told, by, ticks
Init == at = [p \in P |-> [x |-> 0, y |-> 0]] /\ told = {} /\ by = 0 /\ ticks = 0
Move == \E p \in P : /\ \/ at' = [at EXCEPT ![p].x = (@ + 1) % 5]
                        \/ at' = [at EXCEPT ![p].y = (@ + 1) % 3]
                     /\ told' = told \cup {p}
                     /\ by' = (by + 1) % 2
                     /\ ticks' = (ticks + 1) % 7
Next == Move
Seen == <<at, [told |-> told, half |-> by * 2]>>
Guess == TLCSet(1, 1)
Luck == RandomElement({by}) = by
Perms == Permutations(P)
Turn == LET all == SetToSeq(P) n == Cardinality(P)
        IN  {[p \in P |-> all[1 + ((CHOOSE i \in 1..n : all[i] = p) % n)]]}";

fn kept(config: &str, engine: Engine) -> Kept {
    let (sources, specification, model) = common::loaded(SPEC, &format!("INIT Init NEXT Next {config}"));
    let options = CheckOptions { engine, states: Some(2000), ..CheckOptions::default() };
    check(&sources, &specification, &model, &options).kept.expect("there was a search")
}

fn layout(config: &str) -> Layout {
    match kept(config, Engine::Either) {
        Kept::Packed(layout) => layout,
        Kept::Values(why) => panic!("{why:?}"),
    }
}

fn reasons(config: &str, engine: Engine) -> String {
    match kept(config, engine) {
        Kept::Values(why) => why.join("; "),
        Kept::Packed(layout) => panic!("{layout:?}"),
    }
}

#[test]
fn a_layout_names_the_parts_of_the_state() {
    let layout = layout("CONSTANT P = {1, 2, 3}");
    let part = |name: &str, count, values| Part {
        name: name.to_owned(),
        count,
        bits: 8,
        is_set: name == "told",
        values,
        is_seen: true,
    };
    let expected = [
        part("at[_].x", 3, 5),
        part("at[_].y", 3, 3),
        part("told", 1, 3),
        part("by", 1, 2),
        part("ticks", 1, 7),
    ];
    assert_eq!((layout.parts.as_slice(), layout.terms), (expected.as_slice(), 0));
}

#[test]
fn a_layout_says_what_a_view_hides_and_what_is_evaluated_for_it() {
    let layout = layout("CONSTANT P = {1, 2, 3} VIEW Seen");
    let hidden: Vec<&str> =
        layout.parts.iter().filter(|part| !part.is_seen).map(|part| part.name.as_str()).collect();
    assert_eq!((hidden, layout.terms), (vec!["by", "ticks"], 1));
}

#[test]
fn states_are_packed_under_many_permutations() {
    let layout = layout("CONSTANT P = {a, b, c, d, e, f} SYMMETRY Perms");
    assert!(layout.parts.iter().any(|part| part.name == "told" && part.is_set), "{layout:?}");
}

#[test]
fn states_are_kept_as_values_for_a_reason() {
    let names: Vec<String> = (0..258).map(|number| format!("p{number}")).collect();
    let turned = format!("CONSTANT P = {{{}}} SYMMETRY Turn", names.join(", "));
    let few = "CONSTANT P = {1}";
    let cases = [
        (few, Engine::Values, "they were asked for"),
        (few, Engine::Either, "there are too few states to find out how to pack them"),
        ("CONSTANT P = {1, 2} INVARIANT Luck", Engine::Packed, "depends on more than the state"),
        ("CONSTANT P = {1, 2} INVARIANT Guess", Engine::Packed, "registers or figures of the search"),
        (&turned, Engine::Packed, "258 fingerprints"),
    ];
    for (config, engine, why) in cases {
        let reasons = reasons(config, engine);
        assert!(reasons.contains(why), "{config}: {reasons}");
    }
}
