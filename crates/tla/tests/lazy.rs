//! Laziness: functions and sets that fail for some element, asked about another one. TLC takes this
//! of functions, and of sets that are filtered out of others it does not build; where it refuses an answer, it is
//! certain all the same.

mod common;

use std::time::Duration;

use locus_tla::check::{CheckOptions, Verdict};

fn verdict(assumption: &str) -> (Verdict, String) {
    let options = CheckOptions { time: Some(Duration::from_mins(1)), ..CheckOptions::default() };
    let result = common::checked(&format!("ASSUME {assumption}"), "", &options);
    (result.verdict, result.message)
}

#[test]
fn a_function_is_applied_where_it_has_a_value() {
    let known = [
        r"LET f == [x \in {0, 1} |-> 1 \div x] IN f[1] = 1",
        r"[x \in {0, 1} |-> 1 \div x][1] = 1",
        r"LET f == [x, y \in {0, 1} |-> x \div y] IN f[1, 1] = 1",
        r"LET F(g) == g[1] IN F([x \in {0, 1} |-> 1 \div x]) = 1",
        r"LET f[n \in 0..5] == [j \in 0..5 |-> IF j = 0 THEN n ELSE f[n][j - 1] + 1] IN f[3][5] = 8",
        r"LET f[n \in 0..5] == [j \in 0..5 |-> IF j = 0 THEN n ELSE f[n][j - 1] + 1] IN f[2] = [j \in 0..5 |-> j + 2]",
        r"LET f[n \in 0..20] == IF n = 0 THEN <<1, 1>>
                                ELSE [j \in 1..2 |-> IF j = 1 THEN f[n - 1][2] ELSE f[n][1] + f[n - 1][2]]
          IN f[20][2] > 0",
    ];
    for assumption in known {
        assert_eq!(verdict(assumption), verdict("TRUE"), "{assumption}");
    }
    let failing = [
        r"LET f == [x \in {0, 1} |-> 1 \div x] IN f[0] = 1",
        r"LET f == [x \in {0, 1} |-> 1 \div x] IN f = f",
        r"LET f == [x \in {0, 1} |-> 1 \div x] IN f[1] = 1 /\ f # <<>>",
        r"LET f == [x \in {0, 1} |-> 1 \div x] IN {f} # {}",
        r"LET f[n \in 0..1] == [j \in 0..1 |-> f[n][1 - j]] IN f[0][0] = 1",
    ];
    for assumption in failing {
        assert_eq!(verdict(assumption).0, Verdict::Evaluation, "{assumption}");
    }
}

#[test]
fn membership_in_a_filtered_set_asks_about_one_element() {
    let known = [
        r"<<1, 2>> \in {f \in UNION {[S -> {1, 2}] : S \in SUBSET {1, 2}} : f[2] = 2}",
        r"1 \in {x \in {0, 1} : 1 \div x = 1}",
        r"2 \notin {x \in {0, 1} : 1 \div x = 1}",
        r"LET S == {x \in {0, 1} : 1 \div x = 1} IN 1 \in S /\ 2 \notin S",
        r"{1} \in {s \in SUBSET (1..30) : Cardinality(s) < 3}",
        r"{1, 2, 3} \notin {s \in SUBSET (1..30) : Cardinality(s) < 3}",
        r"LET S == {s \in SUBSET (1..30) : Cardinality(s) < 3} IN \A i \in 1..30 : {i} \in S",
        r"{1, 5} \ {x \in {0, 1} : 1 \div x = 1} = {5}",
        r"{1, 5} \cap {x \in {0, 1} : 1 \div x = 1} = {1}",
        r"{1} \subseteq {x \in {0, 1} : 1 \div x = 1} /\ ~({5} \subseteq {x \in {0, 1} : 1 \div x = 1})",
        r"{5} \ ({x \in {0, 1} : 1 \div x = 1} \cap {2}) = {5}",
        r"[i \in 1..20 |-> 1] \in {f \in [1..20 -> 1..20] : f[1] = 1}",
        r"<<1, 2>> \in {p \in (1..10000) \X (1..10000) : p[1] < p[2]}",
    ];
    for assumption in known {
        assert_eq!(verdict(assumption), verdict("TRUE"), "{assumption}");
    }
    let failing = [
        r"0 \in {x \in {0, 1} : 1 \div x = 1}",
        r"{x \in {0, 1} : 1 \div x = 1} = {1}",
        r"{0, 5} \ {x \in {0, 1} : 1 \div x = 1} = {5}",
        r"{x \in {0, 1} : 1 \div x = 1} \ {5} = {1}",
        r"\A x \in {y \in {0, 1} : 1 \div y = 1} : x = 1",
    ];
    for assumption in failing {
        assert_eq!(verdict(assumption).0, Verdict::Evaluation, "{assumption}");
    }
}
