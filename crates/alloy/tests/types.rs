//! Messages of the type checker.

mod common;

use common::findings;
use locus_alloy::{Options, Verdict};

#[test]
fn names_are_looked_for_and_guessed() {
    insta::assert_snapshot!(findings("sig Person { parent: lone Person }\nfact { no parents & iden }"), @r"
    2:11 ALS010 the name `parents` is not declared
      help: did you mean `parent`?
    ");
    insta::assert_snapshot!(findings("sig A extends Nodes {} sig Node {}"), @r"
    1:15 ALS010 the signature `Nodes` is not declared
      help: did you mean `Node`?
    ");
    insta::assert_snapshot!(findings("open util/order[A]\nsig A {}"), @r"
    1:1 ALS013 the module `util/order` cannot be found
      note: looked for the file `util/order.als` and in the library
      help: did you mean `util/ordering`?
    ");
    insta::assert_snapshot!(findings("open util/boolena\nsig A {}"), @r"
    1:1 ALS013 the module `util/boolena` cannot be found
      note: looked for the file `util/boolena.als` and in the library
      help: did you mean `util/boolean`?
    ");
    insta::assert_snapshot!(findings("sig A {} run shwo pred show {}"), @r"
    1:14 ALS010 there is no predicate or function called `shwo`
      help: did you mean `show`?
    ");
    insta::assert_snapshot!(findings("sig A {} check x"), @"1:16 ALS010 there is no assertion called `x`");
}

/// The refusal of a command of a model that has no errors.
fn refusal(text: &str, command: usize) -> String {
    let (sources, model) = common::model(text);
    let refused = model.execute(command, &Options::default()).err().expect("it cannot be answered");
    common::show(&sources, &[*refused])
}

#[test]
fn meta_signatures_are_not_there_yet() {
    for name in ["sig$", "A$", "A$f"] {
        let refused = refusal(&format!("sig A {{ f: A }}\nfact {{ some {name} }}"), 0);
        assert!(refused.starts_with("2:13 ALS004 ") && refused.contains(&format!("`{name}`")), "{refused}");
    }
    for name in ["A$0", "$x"] {
        let found = findings(&format!("sig A {{ f: A }}\nfact {{ some {name} }}"));
        assert!(found.starts_with("2:13 ALS010 ") && found.contains(&format!("`{name}`")), "{found}");
    }
    insta::assert_snapshot!(refusal("sig A { f: A }\nfact { some A$ }", 0), @r"
    2:13 ALS004 the meta-signature `A$` cannot be analysed yet
      help: `sig$`, `field$`, `A$` and `A$f` stand for signatures and fields themselves; name those that you mean
    ");
    // What such signatures have is not declared anywhere, and is not said to be missing.
    let meta = "sig A { f: A }\nfact { some A$.fields and all s: sig$ | no s.parent.subfields.value }";
    assert_eq!(findings(meta), "");
    assert!(refusal(meta, 0).contains("ALS004"));
    assert!(findings("sig A { f: A }\nfact { some A.fields }").contains("the name `fields` is not declared"));
    // Whatever else is wrong is an error all the same, and so is a field that cannot be declared.
    assert!(findings("sig A {}\nfact { some A$ and some B }").contains("the name `B` is not declared"));
    assert!(findings("sig A { f: set sig$ }").contains("ALS004"));
}

#[test]
fn commands_without_meta_signatures_are_answered() {
    let text = "sig A {}
        pred meta { some A$ }
        fun all_of: set univ { sig$ }
        assert Meta { some A$ }
        run { some A } for 2 expect 1
        check { some A } for 2 expect 0
        run meta for 2
        run { no A and not meta } for 2
        run { some all_of } for 2
        run { some sig$ } for 2
        check Meta for 2";
    let (_, model) = common::model(text);
    let verdict = |command| model.execute(command, &Options::default()).map(|outcome| outcome.verdict);
    assert!(matches!(verdict(0), Ok(Verdict::Sat)) && matches!(verdict(1), Ok(Verdict::Sat)));
    for command in 2..7 {
        assert!(refusal(text, command).contains("ALS004"), "{command}");
    }
    // A fact is part of every command, be it that of a signature.
    assert!(refusal("sig A {} { some sig$ }\nrun { no A }", 0).contains("ALS004"));
}

#[test]
fn kinds_and_arities_are_checked() {
    insta::assert_snapshot!(findings("sig A { f: A }\nfact { A }"), @r"
    2:8 ALS020 this must be a formula, but it is an expression of type {A}
      help: `some e` says that it has tuples, `e = f` and `e in f` compare it
    ");
    insta::assert_snapshot!(findings("sig A { f: A }\nfact { A + f = A }"), @r"
    2:8 ALS021 these must have the same number of columns
      2:8 what stands before has type {A}
      2:12 this has type {A->A}
    ");
    insta::assert_snapshot!(findings("sig A { f: A }\nfact { f in A }"), @r"
    2:8 ALS021 both sides must have the same number of columns
      2:8 this has type {A->A}
      2:13 this has type {A}
    ");
    insta::assert_snapshot!(findings("sig A { f: A }\nfact { some A.A }"), @r"
    2:13 ALS022 two sets cannot be joined: no column would be left
      2:13 this has type {A}
      2:15 this has type {A}
    ");
    insta::assert_snapshot!(findings("sig A { f: A }\nfact { f > 2 }"), @r"
    2:8 ALS020 this must be an integer, but it is of type {A->A}
      help: `#e` counts tuples, `int[e]` adds up integers
    ");
    insta::assert_snapshot!(findings("sig A {}\nfact { some ^A }"), @"2:14 ALS021 `^` needs a relation with two columns, but this has type {A}");
    insta::assert_snapshot!(findings("sig A {}\nfact { (one A) + A = A }"), @r"
    2:8 ALS020 this must be a set or relation, but it is a formula
    ");
    insta::assert_snapshot!(findings("sig A {}\nfact { A -> A !in A one -> A }"), @"2:19 ALS024 a multiplicity is not allowed here");
    insta::assert_snapshot!(findings("sig A {}\nfact { all x: A -> one A | (A -> one A) = x }"), @"2:28 ALS024 a multiplicity is not allowed here");
}

#[test]
fn calls_are_checked() {
    insta::assert_snapshot!(findings("sig A {} sig B {}\npred p[a: A, b: B] {}\nfact { p[A] }"), @r"
    3:8 ALS023 the predicate `p` has 2 parameters, but only 1 arguments are given
      2:6 declared here
      note: parameter `a` has type {A}; given {A}
      note: parameter `b` has type {B}
    ");
    insta::assert_snapshot!(findings("sig A {} sig B {}\npred p[a: A, b: B] {}\nfact { p[B, A] }"), @r"
    3:8 ALS023 these arguments do not fit the predicate `p`
      2:6 declared here
      note: parameter `a` has type {A}; given {B}
      note: parameter `b` has type {B}; given {A}
    ");
}

#[test]
fn hierarchies_are_checked() {
    insta::assert_snapshot!(findings("sig A extends B {} sig B extends A {}"), @"1:5 ALS016 the signature `A` is part of itself");
    insta::assert_snapshot!(findings("enum E { X, Y } sig Z extends X {}"), @"1:31 ALS016 a member of an enumeration cannot be extended");
    insta::assert_snapshot!(findings("enum E { X, Y } sig Z extends E {}"), @"1:31 ALS016 a signature that extends an enumeration is one more of its members, so it must be `one`");
    insta::assert_snapshot!(findings("sig A {} sig B in A {} sig C extends B {}"), @"1:38 ALS016 `B` is a subset signature, which cannot be extended");
    insta::assert_snapshot!(findings("sig A extends Int {}"), @"1:15 ALS016 a signature cannot extend `Int`");
    insta::assert_snapshot!(findings("sig A { f: A } sig B in A { f: B }"), @r"
    1:29 ALS012 `A` and `B` can have atoms in common, so they cannot both have a field `f`
      1:9 the other one
    ");
    insta::assert_snapshot!(findings("sig A {} sig A {}"), @r"
    1:14 ALS012 the signature `A` is declared twice
      1:5 the other
    ");
}

#[test]
fn ambiguous_names_are_named() {
    insta::assert_snapshot!(findings("sig A { f: A } sig B { f: B }\nfact { some f }"), @r"
    2:13 ALS011 this name could mean 2 things here
      note: the field `f` of `A`, of type {A->A}
      note: the field `f` of `B`, of type {B->B}
      help: say which: `Sig <: field`, or `alias/name` with the name of its module
    ");
    assert_eq!(findings("sig A { f: A } sig B { f: B }\nfact { some A.f and some f.B and some B <: f }"), "");
}

#[test]
fn what_never_matters_is_pointed_out() {
    insta::assert_snapshot!(findings("sig A { f: B } sig B {}\nfact { some B.f }"), @r"
    2:13 ALS040 this join is always empty
      2:13 this has type {B}
      2:15 this has type {A->B}
    ");
    insta::assert_snapshot!(findings("sig A {} sig B {}\nfact { no A & B }"), @r"
    2:11 ALS040 this intersection is always empty
      2:11 this has type {A}
      2:15 this has type {B}
    ");
    insta::assert_snapshot!(findings("sig A {} sig B {}\nfact { A = B }"), @r"
    2:8 ALS041 both sides never share a tuple: this holds only if both are empty
      2:8 this has type {A}
      2:12 this has type {B}
    ");
    insta::assert_snapshot!(findings("sig A { f: A } sig B {}\nfact { some (A + B).f }"), @r"
    2:18 ALS042 this part of a union never matters
      note: its type is {B}
      note: the part that matters here has type {A}
    ");
    insta::assert_snapshot!(findings("sig A {} sig B {}\nfact { some A - B }"), @r"
    2:13 ALS042 the part that this `-` takes away never matters here
      2:13 this has type {A}
      2:17 this has type {B}
    ");
    insta::assert_snapshot!(findings("sig A {}\nfact { all x, y: A | some x }"), @"2:15 ALS043 the variable `y` is never used");
    insta::assert_snapshot!(findings("sig A { f: B } sig B {}\nfact { some ^f }"), @r"
    2:13 ALS042 this closure is the relation itself: no two steps can follow each other
      note: its type is {A->B}
    ");
    insta::assert_snapshot!(findings("sig A {} sig B {}\nfun f: A { B }"), @"2:12 ALS044 the body of `f` has type {B}, which has nothing in common with its return type {A}");
    insta::assert_snapshot!(findings("sig A {}\nfact { some A one A }"), @r"
    2:15 ALS045 this formula stands on the same line as the one before it, without a connective
      2:8 both are required
      help: write `and` between them
    ");
}

#[test]
fn what_changes_has_types_too() {
    let text = "var sig A { var f: set A, n: Int }\nfact { always some A' and (once f' in f) until #A' > plus[1, A.n'] }";
    assert_eq!(findings(text), "");
    insta::assert_snapshot!(findings("sig A {}\nfact { always A }"), @r"
    2:15 ALS020 this must be a formula, but it is an expression of type {A}
      help: `some e` says that it has tuples, `e = f` and `e in f` compare it
    ");
    insta::assert_snapshot!(findings("sig A { f: A }\nfact { f' in A and some A until A' }"), @r"
    2:8 ALS021 both sides must have the same number of columns
      2:8 this has type {A->A}
      2:14 this has type {A}
    2:33 ALS020 this must be a formula, but it is an expression of type {A}
      help: `some e` says that it has tuples, `e = f` and `e in f` compare it
    ");
}

#[test]
fn modules_are_checked() {
    insta::assert_snapshot!(findings("open util/ordering\nsig A {}"), @"1:1 ALS015 this module has 1 parameters, but is opened with 0 arguments");
    insta::assert_snapshot!(findings("open util/ordering[X]\nsig A {}"), @"1:20 ALS010 the signature `X` cannot be found");
    insta::assert_snapshot!(findings("open util/ordering[A] as o\nopen util/boolean as o\nsig A {}"), @r"
    2:1 ALS012 `o` already stands for another module here
      1:1 opened here
      help: give one of them another name by `as`
    ");
}
