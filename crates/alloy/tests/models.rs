//! Small models whose instances can be counted by hand.

mod common;

use common::{as_expected, counts};
use locus_alloy::{Options, Overflow, Verdict};

#[test]
fn instances_are_counted_exactly() {
    // Subsets of 2 atoms as A, with any relation on them: 1 + 2·2 + 2^4.
    assert_eq!(counts("sig A { f: set A } run {} for 2"), [21]);
    assert_eq!(counts("sig A { f: one A } run {} for exactly 3 A"), [27]);
    assert_eq!(counts("sig A { f: lone A } run {} for exactly 2 A"), [9]);
    assert_eq!(counts("sig A { f: some A } run {} for exactly 2 A"), [9]);
    assert_eq!(counts("sig A { f: A one -> one A } run {} for exactly 2 A"), [4]);
    assert_eq!(counts("sig A {} sig B in A {} run {} for exactly 3 A"), [8]);
}

#[test]
fn a_remainder_is_counted_once() {
    // Each of 3 atoms is absent, plain, or in one of the two: 4^3.
    assert_eq!(counts("sig A {} sig B, C extends A {} run {} for 3"), [64]);
    // As Alloy would not: each atom is absent, in A only, in B, with or without the subset S.
    assert_eq!(counts("sig A {} sig S in A {} sig B extends A {} run {} for 3"), [125]);
    assert_eq!(counts("sig A {} sig B extends A {} run {} for exactly 3 A, 2 B"), [7]);
    assert_eq!(counts("abstract sig A {} sig B, C extends A {} run {} for exactly 3 A"), [8]);
}

#[test]
fn fields_depend_on_others() {
    assert_eq!(counts("sig A { f: set A, g: one f } run {} for exactly 2 A"), [16]);
    assert_eq!(counts("sig A { disj f, g: lone A } run {} for exactly 2 A"), [49]);
    assert_eq!(counts("sig A { f: disj lone A } run {} for exactly 2 A"), [7]);
    assert_eq!(counts("sig A { f: set A, g = f } run {} for exactly 2 A"), [16]);
    assert_eq!(counts("one sig A { f = B } sig B {} run {} for 2"), [4]);
}

#[test]
fn scopes_are_those_of_alloy() {
    let counted = |sigs: &str, scope: &str| counts(&format!("{sigs} run {{}} {scope}"))[0];
    assert_eq!(counted("sig A {}", ""), 8);
    assert_eq!(counted("sig A {} one sig B {} lone sig C {}", "for 1"), 4);
    assert_eq!(counted("abstract sig A {} one sig B, C extends A {}", "for 5"), 1);
    assert_eq!(counted("some sig A {}", "for 2"), 3);
    assert_eq!(counted("abstract sig A {} sig B extends A {} one sig C extends A {}", "for 3 A"), 4);
    assert_eq!(counted("sig A {} sig B extends A {}", "for 3 but 1 B"), 1 + 3 * 2 + 3 * 3 + 4);
    assert_eq!(counted("sig A { f: Int }", "for exactly 1 A, 3 Int"), 8);
    assert_eq!(counted("sig A { f: seq A }", "for exactly 1 A, 2 seq"), 3);
    assert_eq!(counted("sig A { f: String }", "for exactly 1 A, exactly 3 String"), 3);
    assert_eq!(counted("enum E { X, Y, Z } sig A { e: E }", "for exactly 1 A"), 3);
}

#[test]
fn an_order_of_some_may_be_part_of_a_relation() {
    as_expected(
        "sig T {} sig E { of: one T, succ: lone E }
         pred ordered { all t: T | let es = of.t | some es and some e: es | pred/totalOrder[es, e, succ] }
         run { ordered and #T = 2 and #E = 4 and (all t: T | #of.t = 2) } for 4 expect 1
         // The first has nothing before it, not even of another.
         run { ordered and #T = 2 and some e: E | some e.succ and e.succ.of != e.of } for 4 expect 0
         check { ordered => no e: E | e in e.^succ } for 4 expect 0
         check { all e: E | pred/totalOrder[E, e, succ] => E = e.*succ } for 4 expect 0
         run { pred/totalOrder[none, none, E <: succ] and some succ } for 4 expect 1",
        &Options::default(),
    );
}

#[test]
fn scopes_do_not_depend_on_the_order_of_declarations() {
    as_expected(
        "sig B extends A1 {}
         abstract sig A {}
         abstract sig A1, A2 extends A {}
         sig C extends A1 {}
         run { some B } expect 1
         run { #B = 3 } expect 1
         run { #A = 4 } expect 0",
        &Options::default(),
    );
}

#[test]
fn a_model_without_commands_is_asked_for_any_instance() {
    let (_, model) = common::model("sig A {} fact { #A = 3 }");
    let [command] = model.commands() else { panic!("there is one command") };
    assert_eq!(command.name, "Default");
    assert_eq!(counts("sig A {} fact { #A = 3 }"), [1]);
    assert_eq!(counts("sig A {} fact { #A = 4 }"), [0]);
}

#[test]
fn an_enumeration_can_be_extended_by_one() {
    as_expected(
        "enum E { X, Y }
         one sig Z extends E {}
         run { E = X + Y + Z and ordering/next[Y] = Z and last = Z } expect 1
         run { first = Z } expect 0
         run { some E - X - Y - Z } expect 0",
        &Options::default(),
    );
}

#[test]
fn an_abstract_signature_has_what_extends_it() {
    as_expected(
        "abstract sig A {} sig B, C extends A {}
         run {} for exactly 2 A, 0 B, 0 C expect 0
         run {} for exactly 2 A, 0 B expect 1
         run { no C } for exactly 2 A, 2 B expect 1
         run { no C } for exactly 3 A, 2 B expect 0
         run { #A = 1 } for 3 but exactly 2 B expect 0",
        &Options::default(),
    );
}

#[test]
fn wrong_scopes_are_refused() {
    for (sigs, scope, expected) in [
        ("sig A {} sig B {}", "for 3 A", "this command says nothing about the scope of `B`"),
        ("one sig A {}", "for 2 A", "`A` is declared `one`, so its scope cannot be 2"),
        ("sig A {} sig B in A {}", "for 3 but 2 B", "`B` is a subset, so it has no scope of its own"),
        (
            "sig A {}",
            "for 3 but 3 Int, 5 seq",
            "with integers of 3 bits, sequences have at most 3 elements, not 5",
        ),
        ("sig A {}", "for 3 but 2 String", "the scope of `String` must be exact"),
        ("sig A {}", "for 3 but 40 Int", "integers of 40 bits need 2^40 atoms; the limit is 20 bits"),
        ("sig A {}", "for 3000000", "a scope of 3000000 for `A` is too large: the limit is 1048576"),
    ] {
        let (_, model) = common::model(&format!("{sigs} run {{}} {scope}"));
        let finding = model.execute(0, &Options::default()).err().expect("the scope is wrong");
        assert_eq!(finding.message, expected);
    }
}

#[test]
fn commands_about_one_moment_are_answered() {
    // As in Alloy 6.2: the verdicts of each were compared.
    as_expected(
        "var one sig A {}
         var lone sig C {}
         var abstract sig D {}
         var sig D1, D2 extends D {}
         sig S { var g: lone S, h: one S } { g in h }
         var sig T in S {}
         pred moves { some g' }
         assert Moves { eventually moves }
         run { some C and some D1 and no T and some g } for 3 expect 1
         run { no A } for 3 expect 0
         check { D = D1 + D2 } for 3 expect 0
         check { all s: S | lone s.g } for 3 but 5 steps expect 0
         run { #univ = 1 } for 3 expect 1
         run { #S = 2 and #g = 2 and g not in h } for 3 expect 0",
        &Options::default(),
    );
    let refused = |text: &str, index: usize| {
        let (_, model) = common::model(text);
        let finding = model.execute(index, &Options::default()).err().expect("it cannot be answered");
        format!("{} {}", finding.code, finding.message)
    };
    let text = "sig A {} pred p { always some A } run p run { some A implies p } for 3 but 1.. steps
        run { some A } for 3 but 5 steps";
    for index in 0..2 {
        assert_eq!(refused(text, index), "ALS004 primes and temporal operators cannot be analysed yet");
    }
    assert!(refused(text, 2).starts_with("ALS060 `steps`"));
    // A fact is part of every command, and so is what it calls.
    assert!(refused("sig A {} pred p { once no A } fact { p } run { some A }", 0).starts_with("ALS004"));
    for text in [
        "var sig A {} run {} for exactly 3 A",
        "var sig A {} var sig B extends A {} run {} for 3 but 1 B",
        "open util/ordering[A] var sig A {} run {}",
    ] {
        assert!(refused(text, 0).starts_with("ALS060"), "{text}: {}", refused(text, 0));
    }
}

#[test]
fn orders_are_fixed_as_in_alloy() {
    // Alloy 6.2 has so many with its symmetry breaking turned off: one order, and not all 24.
    for (text, count) in [
        ("open util/ordering[A] sig A {} one sig B { f: A } run {} for exactly 4 A, 1 B", 4),
        ("open util/ordering[A] sig A {} sig C in A {} run {} for exactly 3 A", 8),
        ("enum A { X, Y, Z } sig B { f: A } run {} for exactly 2 B", 9),
        ("open util/ordering[A] sig A {} sig B { r: A } run {} for 3 but exactly 3 A, exactly 2 B", 9),
        // What tells the atoms apart leaves the order open.
        ("open util/ordering[A] sig A {} one sig C, D extends A {} run {} for exactly 2 A", 2),
        ("open util/ordering[A] sig A {} sig C extends A {} run {} for exactly 3 A, exactly 1 C", 6),
    ] {
        assert_eq!(counts(text), [count], "{text}");
    }
}

#[test]
fn orders_and_enumerations() {
    as_expected(
        "open util/ordering[A] as o
         enum E { X, Y, Z }
         sig A {}
         run { some A } for 3 expect 1
         run { #A < 3 } for 3 expect 0
         check { all a: A - o/last | one o/next[a] } for 4 expect 0
         check { o/first.^(o/next) = A - o/first } for 4 expect 0
         check { X.next = Y and Y.next = Z and no Z.next and first = X } for 3 expect 0
         run { o/first = o/last } for exactly 1 A expect 1",
        &Options::default(),
    );
}

#[test]
fn integers_wrap_or_do_not_overflow() {
    let text = "sig A { n: Int }
         run { some a: A | a.n = plus[7, 1] } for 3 expect 1
         run { some a: A | a.n = 7 and plus[a.n, 1] < a.n } for 3 expect 1
         check { all x: Int | plus[x, 1] > x } expect 1
         check { all a, b: Int | minus[plus[a, b], b] = a } expect 0
         run { #A = 3 and (sum a: A | a.n) = 6 and all disj a, b: A | a.n != b.n } for 3 expect 1
         run { mul[3, 2] = 6 and div[7, 2] = 3 and rem[-7, 2] = -1 and negate[3] = -3 } expect 1
         run { 1 << 2 = 4 and -8 >> 1 = -4 and -8 >>> 1 = 4 } expect 1
         run { max = 7 and min = -8 and max[1 + 3] = 3 and 0 - 8 = min } expect 1
         run { 3 !< 3 and 3 =< 3 and not 3 > 3 and signum[-5] = -1 } expect 1";
    as_expected(text, &Options::default());
    let prevent = Options { overflow: Overflow::Prevent, ..Options::default() };
    let verdicts = common::verdicts(text, &prevent);
    assert_eq!(verdicts[1].1, Verdict::Unsat, "an instance may not come from an overflow");
    assert_eq!(verdicts[2].1, Verdict::Unsat, "nor a counterexample");
    assert_eq!(verdicts[3].1, Verdict::Unsat);
}

#[test]
fn without_integers_counts_are_as_wide_as_the_atoms_need() {
    // The verdicts of Alloy 6.2, with both ways to overflow where nothing else is said.
    let text = "sig A {}
         check { some A => #A > 0 } for 3 but 0 Int expect 0
         check { #A < 3 } for 3 but 0 Int expect 1
         check { #A = 3 => 2 < 3 } for 3 but 0 Int expect 0
         check { #A = 8 => #A > 0 } for 8 but 0 Int expect 0
         run { #A > 7 } for 8 but 0 Int expect 1
         run { 15 > 0 } for 8 but 0 Int expect 1
         run { 16 > 0 } for 8 but 0 Int expect 0
         run { some 1 } for 8 but 0 Int expect 0
         run { some x: Int | x = 1 } for 8 but 0 Int expect 0";
    as_expected(text, &Options::default());
    as_expected(text, &Options { overflow: Overflow::Prevent, ..Options::default() });
    let wraps = "sig A {} run { plus[#A, #A] = 16 and #A = 8 } for 8 but 0 Int expect";
    as_expected(&format!("{wraps} 1"), &Options::default());
    as_expected(&format!("{wraps} 0"), &Options { overflow: Overflow::Prevent, ..Options::default() });
}

#[test]
fn a_shift_beyond_the_width_overflows() {
    let text = "run { 1 << 4 = 1 } for 4 Int expect 1
         run { 1 << 4 = 0 } for 4 Int expect 0";
    as_expected(text, &Options::default());
    as_expected(
        "run { 1 << 4 = 1 } for 4 Int expect 0
         run { 1 << 4 = 0 } for 4 Int expect 0
         run { 0 << 4 = 0 } for 4 Int expect 1
         run { 1 << 2 = 4 } for 4 Int expect 1",
        &Options { overflow: Overflow::Prevent, ..Options::default() },
    );
}

#[test]
fn the_count_of_a_number_is_not_the_number() {
    // Alloy 6.2 answers otherwise: it takes `#((0))` for 0 where it is compared (`bench/log/2026-11.md`).
    let text = "sig A {}
         run { #((0)) > #A } for 2 but 4 Int expect 1
         run { #((#A)) =< #A and no A } for 2 but 4 Int expect 0
         check { #((2)) = 1 and #((#A)) = 1 } for 2 but 4 Int expect 0";
    as_expected(text, &Options::default());
    as_expected(text, &Options { overflow: Overflow::Prevent, ..Options::default() });
}

#[test]
fn what_stands_before_implies_is_not_negated() {
    // The verdicts of Alloy 6.2: 7 does not fit, so a comparison with it is false where it stands, and true only
    // where it is negated.
    as_expected(
        "one sig C { k: Int } sig A {}
         run { (-1 = 7) => (1 = 0) } for 2 Int expect 1
         run { (-1 = 7) => (1 = 0) else (1 = 1) } for 2 Int expect 1
         run { (-1 = 7) => (1 = 1) else (1 = 0) } for 2 Int expect 0
         run { not ((-1 = 7) => (1 = 0)) } for 2 Int expect 1
         run { not ((-1 = 7) and (1 = 1)) } for 2 Int expect 0
         run { (-1 = 7) <=> (1 = 0) } for 2 Int expect 1
         run { (-1 = 7) <=> (1 = 1) } for 2 Int expect 0
         check { ((7 =< C.k) => 1 else 0) < 1 } for 2 Int expect 1
         check { ((7 =< C.k) => 0 else 1) < 1 } for 2 Int expect 0",
        &Options { overflow: Overflow::Prevent, ..Options::default() },
    );
}

#[test]
fn one_bit_has_no_one() {
    // The verdicts of Alloy 6.2.
    as_expected(
        "sig A {}
         run { #A > 0 } for 3 but 1 Int expect 0
         run { #A = 0 } for 3 but 1 Int expect 0
         run { some x: Int | minus[x, 0] = x } for 3 but 1 Int expect 0
         run { some x: Int | minus[0, x] = x } for 3 but 1 Int expect 1
         check { all x: Int | minus[x, 0] = x } for 3 but 1 Int expect 0",
        &Options { overflow: Overflow::Prevent, ..Options::default() },
    );
}

#[test]
fn a_number_that_does_not_fit_is_none() {
    // The verdicts of Alloy 6.2, which has no overflow in partial sums either.
    as_expected(
        "one sig A { n: Int, s: set Int }
         run { A.n = 2 and (no x: plus[A.n, 3] | some x) } for 3 Int expect 1
         run { A.n = 2 and (some x: plus[A.n, 3] | some x) } for 3 Int expect 0
         run { A.n = 2 and (all x: plus[A.n, 3] | no x) } for 3 Int expect 1
         run { A.n = 2 and no plus[A.n, 3] } for 3 Int expect 0
         run { A.n = 2 and A.n in A.n + plus[A.n, 3] } for 3 Int expect 0
         run { A.s = Int and (sum A.s) = -4 } for 3 Int expect 0
         run { -3 + -2 in A.s and (sum A.s) = 0 } for 3 Int expect 0
         run { 1 + 2 in A.s and (sum A.s) = 0 } for 3 Int expect 1",
        &Options { overflow: Overflow::Prevent, ..Options::default() },
    );
}

#[test]
fn what_is_known_before_solving_forgets_an_overflow() {
    // The verdicts of Alloy 6.2: where the bounds alone decide, nobody looks whether a number fitted.
    as_expected(
        "sig A { n: Int, m: set Int, r: set A } sig B extends A {} one sig C { k: Int }
         check { one (-17) } for 1 but 3 Int expect 1
         run { not one (3) } for 1 but 2 Int expect 1
         run { lone rem[C.k, 5] } for 1 but 3 Int expect 1
         check { one #A } for 2 but 1 Int expect 1
         run { Int !in (#A) & (#A) } for 1 but 1 Int expect 1
         run { lone #B } for 1 but 1 Int expect 1
         run { not not lone #B } for 2 but 1 Int expect 1
         check { { x: Int | x =< -2 } in (100) } for 3 but 2 Int expect 1
         run { some ((#B) + A.n) } for 3 but 1 Int expect 1
         run { Int !in (7) } for 2 but 3 Int expect 1
         run { lone (Int & (3)) } for 3 but 1 Int expect 1
         check { one ((7) & A.n) } for 2 but 2 Int expect 1
         run { not (Int in (15)) } for 1 but 3 Int expect 1
         run { ((#B) + A.n) !in ((C.k) & C.k) } for 1 but 1 Int expect 1
         check { one #(A.r) } for 3 but 1 Int expect 1",
        &Options { overflow: Overflow::Prevent, ..Options::default() },
    );
}

#[test]
fn higher_order_quantifiers_are_skolemised() {
    as_expected(
        "sig A {}
         run { some r: A -> A | #r = 2 and no r & iden } for exactly 2 A expect 1
         run { some s: set A | #s = 4 } for 3 expect 0
         check { no disj x, y: A | some f: A one -> one A | f[x] = f[y] } for 3 expect 0
         run { some f: A one -> lone A, s: some A | s.f = A } for exactly 2 A expect 1",
        &Options::default(),
    );
    let (_, model) = common::model("sig A {} run { all s: set A | some s } for 2");
    let refused = model.execute(0, &Options::default()).err().map(|finding| finding.code.to_string());
    assert!(refused.is_none_or(|code| code == "ALS027"));
}

#[test]
fn calls_that_call_themselves_are_unrolled() {
    let text = "sig N { next: lone N }
         fun last [n: N]: N { some n.next => last[n.next] else n }
         run { some n: N | no last[n] & n and some last[n] } for 3 expect 1";
    let (_, model) = common::model(text);
    let refused = model.execute(0, &Options::default()).err().expect("it calls itself");
    assert_eq!(refused.code.to_string(), "ALS026");
    as_expected(text, &Options { unrolls: Some(3), ..Options::default() });
}

#[test]
fn strings_sequences_and_macros() {
    as_expected(
        "open util/time
         sig A { name: lone String, s: seq A }
         let twice[x] = x + x.name
         let named[a, n] { a.name = n }
         run { some a: A | named[a, \"x\"] } for 3 expect 1
         run { #A.name = 2 and #String = 1 } for 3 but exactly 1 String expect 0
         run { some a: A | a.name in { s: String | s = \"p\" } and twice[a] != a } expect 1
         run { some a: A | #a.s = 3 and not a.s.hasDups and a.s.first != a.s.last } for 3 expect 1
         check { all a: A | a.s.isSeq and a.s.inds = a.s.univ } for 3 expect 0
         check { all a: A, x: A | a.s.add[x].last = x or #a.s = 4 } for 2 but 4 seq expect 0
         check { all a: A | not a.s.isEmpty implies a.s.rest.insert[0, a.s.first] = a.s } for 3 expect 0
         run { some t: Time | t.next = last and first.next = t } for exactly 3 Time, 1 A expect 1",
        &Options::default(),
    );
}

#[test]
fn receivers_overloads_and_this() {
    as_expected(
        "sig A { f: set B } { #f < 3 and this !in @f.B - A }
         sig B { f: set A }
         pred A.good { some this.f }
         pred good [b: B] { no b.f }
         fun A.both [x: A]: set B { this.f + x.f }
         run { some a: A, b: B | a.good and b.good and b in a.both[a] } for 3 expect 1
         run { some a: A | a.good and no a.f } for 3 expect 0
         run { some b: B | good[b] and some b.f } for 3 expect 0
         run { some A <: f and no B <: f } for 3 expect 1",
        &Options::default(),
    );
}

#[test]
fn declarations_may_be_disjoint_or_many() {
    as_expected(
        "sig A {}
         run { some disj a, b, c: A | a + b + c = A } for exactly 3 A expect 1
         run { some disj a, b: A | a = b } for 3 expect 0
         run { all disj a, b: A | a != b } for exactly 3 A expect 1
         run { (sum disj a, b: A | 1) = 6 } for exactly 3 A expect 1
         run { one a, b: A | a != b } for exactly 2 A expect 0
         run { #{ disj a, b: A } = 2 } for exactly 2 A expect 1
         run { lone a: A | some a } for exactly 2 A expect 0
         run { no a: A | some a } for exactly 1 A expect 0",
        &Options::default(),
    );
}

#[test]
fn univ_and_iden_have_only_what_there_is() {
    as_expected(
        "sig A { f: set A }
         check { univ - Int = A } for 3 expect 0
         check { A <: iden = iden & A -> A and iden - A -> A in Int -> Int } for 3 expect 0
         check { no A implies no *f - Int -> Int } for 3 expect 0
         check { all a: A | a in a.*f and a in (*f).a } for 3 expect 0
         run { no univ - Int } for 3 expect 1",
        &Options::default(),
    );
}
