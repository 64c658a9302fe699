//! Specifications and properties that are found behind operators with arguments, instances and LET.

mod common;

use locus_tla::check::{CheckOptions, CheckResult, Verdict};

fn run(definitions: &str, config: &str) -> CheckResult {
    let (sources, specification, model) = common::loaded(definitions, config);
    let options = CheckOptions { workers: 1, deadlock: Some(false), ..CheckOptions::default() };
    common::checked_both_ways(&sources, &specification, &model, &options)
}

/// A counter, said in many ways.
const COUNTER: &str = r"
EXTENDS Naturals
VARIABLE x
---- MODULE Counter ----
CONSTANT N
VARIABLE v
Init == v = 0
Next == v' = (v + 1) % N
Spec == Init /\ [][Next]_v /\ WF_v(Next)
Low == v < N
====
Init(n) == x = 0 /\ n > 0
Next(n) == x' = (x + 1) % n
Whole(n) == Init(n) /\ [][Next(n)]_x /\ WF_x(Next(n))
Both(A, B) == A /\ B
Always(F) == []F
Steps(A) == [][A]_x
Fair(A(_), n) == WF_x(A(n))
Z(n) == INSTANCE Counter WITH v <- x, N <- n
Y(n, w) == INSTANCE Counter WITH v <- w, N <- n
I == INSTANCE Counter WITH v <- x, N <- 3
Doubled == 2 * x

Spec1 == Whole(3)
Spec2 == Both(Init(3), Both(Steps(Next(3)), Fair(Next, 3)))
Spec3 == LET n == 3 IN Whole(n)
Spec4 == LET Step(n) == Next(n) Start == Init(3) IN Start /\ [][Step(3)]_x /\ WF_x(Step(3))
Spec5 == Z(3)!Spec
Spec6 == Y(3, x)!Spec
Spec7 == I!Spec
Spec8 == LET J(n) == INSTANCE Counter WITH v <- x, N <- n IN J(3)!Spec
Spec9 == LET J == INSTANCE Counter WITH v <- x, N <- 3 IN J!Spec
Spec10 == Init(3) /\ Always([Next(3)]_x) /\ Both(TRUE, \A i \in {3} : WF_x(Next(i)))
Live == []<>(x = 2)
";

#[test]
fn a_specification_is_found_behind_arguments_and_instances() {
    for number in 1..=10 {
        let config = format!("SPECIFICATION Spec{number} PROPERTY Live");
        let result = run(COUNTER, &config);
        assert_eq!(result.verdict, Verdict::Ok, "Spec{number}: {}", result.message);
        assert_eq!((result.generated, result.distinct), (4, 3), "Spec{number}");
    }
}

/// The fairness is not lost on the way.
#[test]
fn fairness_is_found_there_too() {
    let unfair =
        "Unfair == Both(Init(3), Steps(Next(3)))\nOther == Unfair /\\ Fair(LAMBDA n : Next(n) /\\ x = 0, 3)";
    let definitions = format!("{COUNTER}{unfair}");
    for spec in ["Unfair", "Other"] {
        let result = run(&definitions, &format!("SPECIFICATION {spec} PROPERTY Live"));
        assert_eq!(result.verdict, Verdict::Property, "{spec}: {}", result.message);
    }
}

/// A predicate on every state or step is checked as such, wherever it stands.
#[test]
fn properties_are_taken_apart_behind_arguments() {
    let properties = r"
Below(n) == Always(x < n)
P1 == Below(3)
P2 == Below(2)
P3 == Z(3)!Spec
P4 == Z(2)!Spec
P5 == Y(5, Doubled)!Spec
P6 == Both(x = 0, Steps(x' # 1))
P7 == Always(Z(3)!Low)
P8 == LET bound == 2 IN [](x <= bound) /\ [][x' <= bound]_x
";
    let definitions = format!("{COUNTER}{properties}");
    let verdicts = [
        ("P1", Verdict::Ok),
        ("P2", Verdict::Invariant),
        ("P3", Verdict::Ok),
        ("P4", Verdict::Property),
        ("P5", Verdict::Property),
        ("P6", Verdict::Property),
        ("P7", Verdict::Ok),
        ("P8", Verdict::Ok),
    ];
    for (property, verdict) in verdicts {
        let result = run(&definitions, &format!("SPECIFICATION Spec1 PROPERTY {property}"));
        assert_eq!(result.verdict, verdict, "{property}: {}", result.message);
    }
}

/// The value of an argument is evaluated anew in each state, in the next-state action and in the fairness alike.
#[test]
fn arguments_are_evaluated_anew_in_each_state() {
    let definitions = r"
EXTENDS Naturals
VARIABLES x, y
Sum == x + y
Both == <<Sum, Sum + 1>>
Step(s) == /\ s[1] < 5
           /\ \/ x' = x + 1 /\ y' = y
              \/ y' = y + 1 /\ x' = x
Whole(s) == x = 0 /\ y = 0 /\ [][Step(s)]_<<x, y>> /\ WF_<<x, y>>(Step(s)) /\ <>(s[2] > 5)
Spec == Whole(Both)
Rising(s) == [][s'[1] = s[1] + 1]_s /\ <>(s[1] = 5) /\ [](s[2] = s[1] + 1)
Property == Rising(Both)
Stays(s) == <>[](s[1] = 4)
Wrong == Stays(Both)
";
    let result = run(definitions, "SPECIFICATION Spec PROPERTY Property");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
    assert_eq!(result.distinct, 21);
    let result = run(definitions, "SPECIFICATION Spec PROPERTY Wrong");
    assert_eq!(result.verdict, Verdict::Property, "{}", result.message);
}

#[test]
fn a_specification_without_an_action_says_where_it_could_be() {
    let choice = "Choice == \\E n \\in 2..3 : Whole(n)\nNone == Init(3) /\\ WF_x(Next(3))";
    let definitions = format!("{COUNTER}{choice}");
    let result = run(&definitions, "SPECIFICATION Choice");
    assert_eq!(result.verdict, Verdict::Evaluation);
    insta::assert_snapshot!(result.message, @r"the specification Choice has no conjunct [][Next]_vars; a next-state action is found through definitions (with arguments too), instances and LET, but not in what stands here: write Init /\ [][Next]_vars /\ Fairness, with the choice inside of Next");
    let result = run(&definitions, "SPECIFICATION None");
    assert_eq!(result.verdict, Verdict::Evaluation);
    insta::assert_snapshot!(result.message, @"there is no next-state action: the specification None has no conjunct [][Next]_vars");
}
