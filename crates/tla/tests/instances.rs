//! Instances with parameters, one within another.

mod common;

use locus_tla::check::{CheckOptions, Verdict};

const MODULES: &str = r"
EXTENDS Naturals
---- MODULE Plain ----
EXTENDS Naturals
Twice(x) == 2 * x
Nine == 9
Deep(a) == INSTANCE Naturals
====
---- MODULE Has ----
EXTENDS Naturals
CONSTANT K
Add(x) == x + K
====
---- MODULE Outer ----
EXTENDS Naturals
CONSTANT K
Sub == INSTANCE Plain
Own == INSTANCE Has
With(k) == INSTANCE Has WITH K <- k
INSTANCE Plain
Add(x) == x + K
====
M(n) == INSTANCE Outer WITH K <- n
";

#[test]
fn arguments_go_to_those_definitions_that_depend_on_them() {
    let assumptions = [
        "M(3)!Add(4) = 7",
        "M(3)!Sub!Twice(4) = 8",
        "M(3)!Sub!Nine = 9",
        "M(3)!Twice(5) = 10",
        "M(3)!Nine = 9",
        "M(3)!Own!Add(4) = 7",
        "M(3)!With(10)!Add(4) = 14",
        "LET Apply(F(_), x) == F(x) IN Apply(M(3)!Sub!Twice, 4) = 8 /\\ Apply(M(3)!With(1)!Add, 4) = 5",
        "\\A n \\in 1..3 : M(n)!Sub!Twice(n) = 2 * n /\\ M(n)!With(n)!Add(n) = 2 * n",
    ];
    for assumption in assumptions {
        let (sources, specification, model) = common::loaded(&format!("{MODULES}ASSUME {assumption}"), "");
        let result = common::checked_both_ways(&sources, &specification, &model, &CheckOptions::default());
        assert_eq!(result.verdict, Verdict::Ok, "{assumption}: {}", result.message);
    }
}
