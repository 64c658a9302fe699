//! Answers to commands: cores, vacuity, renderings, expressions on instances.

mod common;
#[path = "../../source/tests/effort/mod.rs"]
mod effort;

use common::{model, show};
use std::time::Duration;

use locus_alloy::render::{self, Executed};
use locus_alloy::{Cores, Options, Verdict};

#[test]
fn cores_lead_to_places() {
    let (sources, model) = model(
        "sig A { f: set A }
fact acyclic { no f & iden
  all a: A | a not in a.^f }
fact { some A }
run { all a: A | one a.f } for 3
",
    );
    let outcome = model
        .execute(0, &Options { cores: Cores::Always, ..Options::default() })
        .expect("it can be analysed");
    assert_eq!(outcome.verdict, Verdict::Unsat);
    insta::assert_snapshot!(show(&sources, &outcome.findings(&model.commands()[0])), @r"
    5:1 ALS065 `run$1` has no instance: these 4 parts of the model contradict each other
      1:9 the declaration of `f`
      3:3 a fact
      4:8 a fact
      5:7 what is asked for
    ");
}

#[test]
fn a_core_is_told_in_words_that_fit() {
    let (sources, model) = model("sig A {} run { #A = 2 } for 1\n");
    let options = Options { cores: Cores::Always, ..Options::default() };
    let mut outcome = model.execute(0, &options).expect("it can be analysed");
    let command = &model.commands()[0];
    insta::assert_snapshot!(show(&sources, &outcome.findings(command)), @r"
    1:10 ALS065 `run$1` has no instance: this part of the model cannot be true within the scope
      1:16 what is asked for
    ");
    let core = outcome.core.as_mut().expect("there is a reason");
    core.parts.push(core.parts[0].clone());
    core.minimal = false;
    insta::assert_snapshot!(show(&sources, &outcome.findings(command)), @r"
    1:10 ALS065 `run$1` has no instance: there is a contradiction among these 2 parts of the model; there was no time to find the fewest
      1:16 what is asked for
      1:16 what is asked for
    ");
    (outcome.core, outcome.core_missing) = (None, true);
    let executed = [Executed { index: 0, result: Ok(outcome), time: Duration::from_millis(1) }];
    insta::assert_snapshot!(render::table(&model, &executed), @"0 run run$1  no instance  1.0 ms  there was no time to find the reason");
}

#[test]
fn a_check_that_says_nothing_is_reported() {
    let (sources, model) = model(
        "sig A {}
fact { some A and no A }
assert nonsense { 1 = 2 }
check nonsense for 3
assert sense { all a: A | a in A }
",
    );
    let outcome = model.execute(0, &Options::default()).expect("it can be analysed");
    assert_eq!((outcome.verdict, outcome.vacuous), (Verdict::Unsat, Some(true)));
    insta::assert_snapshot!(show(&sources, &outcome.findings(&model.commands()[0])), @"4:1 ALS064 `nonsense` holds only because the facts have no instance in this scope");
}

const SMALL: &str =
    "abstract sig P {} one sig X, Y extends P { to: set P, n: Int } sig S in P {} { this = X }
pred show[p: P] { X.to = Y and Y.to = X + Y and X.n = 1 and Y.n = -2 and p = Y and S = X }
run show for 3 expect 1
check { some S } for 3 expect 1
run { no P } expect 0
";

#[test]
fn instances_are_rendered() {
    let (sources, model) = model(SMALL);
    let executed: Vec<Executed> = (0..model.commands().len())
        .map(|index| Executed {
            index,
            result: model.execute(index, &Options::default()),
            time: Duration::from_millis(1),
        })
        .collect();
    insta::assert_snapshot!(render::table(&model, &executed), @r"
    0 run show       instance found        1.0 ms
    1 check check$2  counterexample found  1.0 ms
    2 run run$3      no instance           1.0 ms
    ");
    let outcome = executed[0].result.as_ref().expect("it can be analysed");
    let instance = outcome.instance.as_ref().expect("there is an instance");
    insta::assert_snapshot!(render::text(&model, instance), @r"
    P = {X$0, Y$0}
    X = {X$0}
    X.to = {X$0->Y$0}
    X.n = {X$0->1}
    Y = {Y$0}
    Y.to = {Y$0->X$0, Y$0->Y$0}
    Y.n = {Y$0->-2}
    S = {X$0}
    $show_p = {Y$0}
    ");
    insta::assert_snapshot!("xml", render::xml(&model, &sources, instance));
    let json: Vec<_> = executed.iter().map(|one| render::json(&model, &sources, one)).collect();
    assert_eq!((&json[0]["verdict"], &json[2]["verdict"]), (&"sat".into(), &"unsat".into()));
    insta::assert_snapshot!("json", serde_json::to_string_pretty(&json[0]["instance"]).unwrap_or_default());
}

#[test]
fn expressions_are_evaluated_on_instances() {
    let (sources, model) = model(SMALL);
    let outcome = model.execute(0, &Options::default()).expect("it can be analysed");
    let instance = outcome.instance.expect("there is an instance");
    for (text, expected) in [
        ("P", "{X$0, Y$0}"),
        ("X.to", "{Y$0}"),
        ("to", "error"),
        ("X <: to + Y <: to", "{X$0->Y$0, Y$0->X$0, Y$0->Y$0}"),
        ("^(X <: to + Y <: to)", "{X$0->X$0, X$0->Y$0, Y$0->X$0, Y$0->Y$0}"),
        ("#P", "2"),
        ("X$0.to = Y$0", "true"),
        ("$show_p", "{Y$0}"),
        ("plus[X.n, 3]", "4"),
        ("{ x: P | x in S }", "{X$0}"),
        ("all x: P | x in S", "false"),
        ("show[Y]", "true"),
        ("P +", "error"),
        ("nobody", "error"),
    ] {
        let shown = match model.eval(&sources, &instance, text) {
            Ok(answer) => answer.to_string(),
            Err(findings) => {
                assert!(!findings.is_empty());
                "error".to_owned()
            }
        };
        assert_eq!(shown, expected, "{text}");
    }
}

#[test]
fn numbers_without_room_are_pointed_out() {
    let (sources, model) = model(
        "sig A { n: Int }\nrun { some a: A | a.n = 8 } for 3\nrun { some a: A | a.n = 8 } for 3 but 5 Int\n",
    );
    let outcome = model.execute(0, &Options::default()).expect("it can be analysed");
    assert_eq!(outcome.verdict, Verdict::Sat);
    insta::assert_snapshot!(show(&sources, &outcome.findings(&model.commands()[0])), @r"
    2:25 ALS046 the integers of `run$1` have no room for 8: it wraps around to -8
      help: give the command more bits: `for … but 8 Int`
    ");
    let outcome = model.execute(1, &Options::default()).expect("it can be analysed");
    assert!(outcome.verdict == Verdict::Sat && outcome.findings(&model.commands()[1]).is_empty());
}

#[test]
fn time_can_run_out_at_any_stage() {
    // Most of this one is translation, which takes seconds.
    let (_, large) = model("sig A { f: A -> A, g: A -> A } run { some ^(f.A.(A.g)) and f.g = g.f } for 40");
    // The pigeonhole principle: hardly any translation, and without symmetry breaking a search without end.
    let (_, hard) = model(
        "abstract sig P { hole: H } sig H {}
fact { all disj p, q: P | p.hole != q.hole }
run {} for exactly 16 P, exactly 15 H",
    );
    for (model, milliseconds) in [(&large, 0), (&large, 30), (&large, 150), (&hard, 0), (&hard, 300)] {
        let timeout = Duration::from_millis(milliseconds);
        let options =
            Options { timeout: Some(timeout), cores: Cores::Always, symmetry: 0, ..Options::default() };
        // One deadline for all stages: a search without end is ended, too.
        let most = timeout + Duration::from_secs(5);
        let outcome = effort::within(most, || model.execute(0, &options));
        let outcome = outcome.expect("running out of time is no error");
        assert_eq!(outcome.verdict, Verdict::Unknown, "after {milliseconds} ms");
        assert!(outcome.core.is_none() && outcome.instance.is_none());
    }
}

#[test]
fn atoms_are_named_after_the_lowest_signature() {
    let (_, model) = model("abstract sig P {} sig A, B extends P {} run { one A and #B = 2 } for 3 expect 1");
    let outcome = model.execute(0, &Options::default()).expect("it can be analysed");
    let instance = outcome.instance.expect("there is an instance");
    let text = render::text(&model, &instance);
    assert!(text.contains("A = {A$0}") && text.contains("B = {B$0, B$1}"), "{text}");
}
