//! Sets that cannot be enumerated: what is known of them is said, and what is not is an error.

mod common;

use locus_tla::check::{CheckOptions, Verdict};

fn verdict(assumption: &str) -> (Verdict, String) {
    let result = common::checked(&format!("ASSUME {assumption}"), "", &CheckOptions::default());
    (result.verdict, result.message)
}

#[test]
fn what_is_known_of_infinite_sets_is_said() {
    let known = [
        r"Nat # Int /\ Nat = Nat /\ Nat # {1} /\ {} # Nat",
        r"{1} # Nat \ {2} /\ SUBSET Nat # {} /\ [1..3 -> Nat] # {}",
        r"[{1} -> Nat] # {<<1>>} /\ Nat \X {1} # {} /\ [a : Nat] # {}",
        r"Nat \cup {-1} # {-1} /\ UNION {Nat, {-1}} # {0}",
        r"Nat \in {Nat, {1}} /\ Nat \notin {Int, {1}} /\ {Nat, Int, {1}} = {{1}, Int, Nat}",
        r"<<Nat, 1>> = <<Nat, 1>> /\ <<Nat>> # <<{1}>>",
        r"SUBSET (1..40) # {} /\ [1..30 -> 1..30] # {<<>>}",
        r"[x \in {0, 1} |-> x] \notin [Nat -> Nat]",
        r"~IsFiniteSet(Nat \ {1}) /\ ~IsFiniteSet([Nat -> {1, 2}]) /\ IsFiniteSet(SUBSET (1..40))",
        r"Nat \cap {-1, 1} = {1} /\ {n \in Nat : n < 3} \cap {1, 7} = {1} /\ 2 \in {n \in Nat : n < 3}",
    ];
    for assumption in known {
        assert_eq!(verdict(assumption), verdict("TRUE"), "{assumption}");
    }
}

/// Neither an equation nor its negation: each of these may be true.
#[test]
fn what_is_not_known_is_an_error() {
    let unknown = [
        r"{n \in Nat : n < 3} = {0, 1, 2}",
        r"{n \in Nat : n < 3} # {0, 1, 2}",
        r"{0, 1, 2} # {n \in Nat : n < 3}",
        r"{n \in Nat : n < 0} # {}",
        r"Nat \ Nat # {}",
        r"[Nat -> {}] # {}",
        r"[{} -> Nat] # {<<>>}",
        r"Nat \X {} # {}",
        r"[a : Nat, b : {}] # {}",
        r"{n \in Nat : n < 3} \cup {7} # {0, 1, 2, 7}",
        r"{n \in Nat : n > 1} # {n \in Nat : n > 2}",
        r"<<{n \in Nat : n < 3}>> # <<{0, 1, 2}>>",
        r"[a |-> Nat] # [a |-> {n \in Nat : TRUE}]",
        r"{1} \notin {{n \in Nat : n = 1}}",
        r"Cardinality({{n \in Nat : n < 3}, {0, 1, 2}}) = 2",
        r"\A s \in {{1}} : s # {n \in Nat : n = 1}",
        r"~IsFiniteSet({n \in Nat : n < 3})",
        r"[x \in {0, 1} |-> x] \notin [{n \in Nat : n < 2} -> Nat]",
    ];
    for assumption in unknown {
        assert_eq!(verdict(assumption).0, Verdict::Evaluation, "{assumption}");
    }
}
