//! The checker on small specifications: verdicts, counts, counterexamples and messages.

mod common;

use locus_source::Sources;
use locus_tla::check::{CheckOptions, CheckResult, Verdict};
use locus_tla::config::{Model, parse};
use locus_tla::semantic::{NoModules, Specification};

/// Checks a module with a configuration.
fn run(module: &str, config: &str) -> (CheckResult, Sources) {
    run_with(module, config, 1)
}

fn run_with(module: &str, config: &str, workers: usize) -> (CheckResult, Sources) {
    let (sources, specification, model) = common::loaded(module, config);
    let options = CheckOptions { workers, ..CheckOptions::default() };
    (common::checked_both_ways(&sources, &specification, &model, &options), sources)
}

const JUGS: &str = r"
EXTENDS Naturals
VARIABLES big, small
Init == big = 0 /\ small = 0
Min(m, n) == IF m < n THEN m ELSE n
Fill == (small' = 3 /\ UNCHANGED big) \/ (big' = 5 /\ UNCHANGED small)
Empty == (small' = 0 /\ UNCHANGED big) \/ (big' = 0 /\ UNCHANGED small)
Pour == \/ LET poured == Min(big + small, 5) - big
           IN  big' = big + poured /\ small' = small - poured
        \/ LET poured == Min(big + small, 3) - small
           IN  big' = big - poured /\ small' = small + poured
Next == Fill \/ Empty \/ Pour
Spec == Init /\ [][Next]_<<big, small>>
TypeOK == big \in 0..5 /\ small \in 0..3
NotSolved == big # 4
";

#[test]
fn counts_are_those_of_tlc() {
    let (result, _) = run(JUGS, "SPECIFICATION Spec INVARIANT TypeOK");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
    assert_eq!((result.generated, result.distinct, result.depth), (97, 16, 8));
}

#[test]
fn workers_agree() {
    let one = run_with(JUGS, "SPECIFICATION Spec INVARIANT TypeOK", 1).0;
    let two = run_with(JUGS, "SPECIFICATION Spec INVARIANT TypeOK", 2).0;
    assert_eq!((one.generated, one.distinct, one.depth), (two.generated, two.distinct, two.depth));
}

#[test]
fn a_violated_invariant_comes_with_a_shortest_trace_and_its_false_part() {
    let (result, sources) = run(JUGS, "SPECIFICATION Spec INVARIANTS TypeOK NotSolved");
    assert_eq!(result.verdict, Verdict::Invariant);
    assert_eq!(result.property.as_deref(), Some("NotSolved"));
    assert_eq!(result.trace.len(), 7);
    let last = result.trace.last().expect("a state");
    let big = &last.variables[0];
    assert_eq!((big.name.as_str(), big.value.as_str(), big.changed), ("big", "4", true));
    assert_eq!(last.action.as_ref().map(|action| action.name.as_str()), Some("Pour"));
    let place = result.place.expect("a place");
    assert_eq!(sources.get(place.file).slice(place.span), "big # 4");
}

#[test]
fn a_conjunct_is_named_with_the_values_bound_in_it() {
    let (result, _) = run(
        r"
EXTENDS Naturals
VARIABLE f
Init == f = [i \in 1..3 |-> 0]
Next == \E i \in 1..3 : f[i] < 2 /\ f' = [f EXCEPT ![i] = @ + 1]
Inv == /\ \A i \in 1..3 : f[i] < 3
       /\ \A i, j \in 1..3 : i < j => f[i] >= f[j]
",
        "INIT Init NEXT Next INVARIANT Inv CHECK_DEADLOCK FALSE",
    );
    assert_eq!(result.verdict, Verdict::Invariant);
    let last = result.reasons.last().expect("a reason");
    assert_eq!(last.text, "f[i] >= f[j]");
    let bound = &result.reasons[result.reasons.len() - 2].bound;
    assert_eq!(bound[..], [("i".to_owned(), "1".to_owned()), ("j".to_owned(), "2".to_owned())]);
    assert_eq!(result.trace[1].action.as_ref().expect("an action").name, "Next");
}

#[test]
fn deadlock_is_found_and_can_be_allowed() {
    let module = "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x < 3 /\\ x' = x + 1\n";
    let (result, _) = run(module, "INIT Init NEXT Next");
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Deadlock, 4));
    let (result, _) = run(module, "INIT Init NEXT Next CHECK_DEADLOCK FALSE");
    assert_eq!(result.verdict, Verdict::Ok);
}

const CLOCK: &str = r"
EXTENDS Naturals
VARIABLES hour, up
vars == <<hour, up>>
Init == hour = 0 /\ up = FALSE
Tick == hour' = (hour + 1) % 3 /\ UNCHANGED up
Wake == hour = 2 /\ up' = TRUE /\ UNCHANGED hour
Next == Tick \/ Wake
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(Tick)
StrongSpec == FairSpec /\ SF_vars(Wake)
Again == []<>(hour = 0)
Woken == <>up
Onward == [][hour' # hour => hour' = (hour + 1) % 3]_vars
Back == [][hour' >= hour]_vars
";

#[test]
fn liveness_needs_fairness() {
    let verdict = |spec: &str, property: &str| {
        let (result, _) = run(CLOCK, &format!("SPECIFICATION {spec} PROPERTY {property}"));
        (result.verdict, result.loops_to.is_some())
    };
    assert_eq!(verdict("Spec", "Again"), (Verdict::Property, true));
    assert_eq!(verdict("FairSpec", "Again"), (Verdict::Ok, false));
    assert_eq!(verdict("FairSpec", "Woken"), (Verdict::Property, true));
    assert_eq!(verdict("StrongSpec", "Woken"), (Verdict::Ok, false));
    assert_eq!(verdict("Spec", "Onward"), (Verdict::Ok, false));
    assert_eq!(verdict("Spec", "Back"), (Verdict::Property, false));
}

#[test]
fn refinement_is_checked_through_an_instance() {
    let module = r"
EXTENDS Naturals
---- MODULE Counter ----
VARIABLE n
CInit == n = 0
CNext == n' = n + 1 \/ n' = 0
CSpec == CInit /\ [][CNext]_n /\ WF_n(CNext)
====
VARIABLES tens, ones
vars == <<tens, ones>>
C == INSTANCE Counter WITH n <- 10 * tens + ones
Init == tens = 0 /\ ones = 0
Step == IF ones < 9 THEN ones' = ones + 1 /\ UNCHANGED tens ELSE ones' = 0 /\ tens' = (tens + 1) % 3
Wrong == ones' = (ones + 1) % 10 /\ UNCHANGED tens
Spec == Init /\ [][Step]_vars /\ WF_vars(Step)
Lazy == Init /\ [][Step]_vars
Bad == Init /\ [][Step \/ (tens = 1 /\ Wrong)]_vars /\ WF_vars(Step)
Refines == C!CSpec
";
    assert_eq!(run(module, "SPECIFICATION Spec PROPERTY Refines").0.verdict, Verdict::Ok);
    assert_eq!(run(module, "SPECIFICATION Lazy PROPERTY Refines").0.verdict, Verdict::Property);
    let (result, _) = run(module, "SPECIFICATION Bad PROPERTY Refines");
    assert_eq!((result.verdict, result.loops_to), (Verdict::Property, None));
}

#[test]
fn symmetry_and_constraints_reduce_the_search() {
    let module = r"
EXTENDS Naturals, FiniteSets, TLC
CONSTANT P
VARIABLE s
Init == s = [p \in P |-> 0]
Next == \E p \in P : s' = [s EXCEPT ![p] = @ + 1]
Small == \A p \in P : s[p] <= 2
Perms == Permutations(P)
";
    let config = "CONSTANT P = {a, b, c} INIT Init NEXT Next CONSTRAINT Small";
    let (result, _) = run(module, config);
    assert_eq!((result.verdict, result.distinct, result.generated), (Verdict::Ok, 27, 82));
    let (result, _) = run(module, &format!("{config} SYMMETRY Perms"));
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 10));
}

/// A function that maps two model values to one would let states stand for each other that are not alike.
#[test]
fn symmetry_takes_permutations_only() {
    let module = r"
EXTENDS TLC
CONSTANTS a, b, c
VARIABLE x
Init == x \in {a, b, c}
Next == x' = x
Group == Permutations({a, b, c})
Merge == {[s \in {a, b, c} |-> a]}
Leave == {[s \in {a, b} |-> c]}
Shift == {a :> b @@ b :> c}
Numbers == Permutations({1, 2})
One == a :> b @@ b :> a";
    let symmetric = |name: &str| {
        let config = format!("CONSTANTS a = a b = b c = c INIT Init NEXT Next SYMMETRY {name}");
        run(module, &config).0
    };
    let result = symmetric("Group");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 1));
    for name in ["Merge", "Leave", "Shift", "Numbers", "One"] {
        let result = symmetric(name);
        assert_eq!(result.verdict, Verdict::Evaluation, "{name}");
        assert!(result.message.contains("SYMMETRY") && result.place.is_some(), "{}", result.message);
    }
}

#[test]
fn every_way_counts_as_generated() {
    // Both disjuncts are true, and both values of the bound variable lead to the same state. The initial predicate is
    // but a condition once its variable has a value.
    let module = r"
EXTENDS Naturals
VARIABLE x
Init == x \in {0, 1} /\ (x = 0 \/ x < 5)
Next == (x = 0 \/ x < 1) /\ (\E i \in 1..2 : i > 0) /\ x' = 1
";
    let (result, _) = run(module, "INIT Init NEXT Next CHECK_DEADLOCK FALSE");
    assert_eq!((result.generated, result.distinct), (2 + 4, 2));
}

#[test]
fn definitions_are_evaluated_anew_in_each_state() {
    let module = r"
EXTENDS Naturals, Sequences
VARIABLES x, log
Double == x + x
Grown == Len(log) + Double
Init == x = 0 /\ log = <<>>
Next == Double < 10 /\ Grown < 100 /\ x' = x + 1 /\ log' = Append(log, Double)
Right == \A i \in 1..Len(log) : log[i] = 2 * (i - 1)
Sum == Grown = 3 * x
Steps == [][Double' = Double + 2 /\ Grown' = Grown + 3]_<<x, log>>
Limit == Double < 8
Spec == Init /\ [][Next]_<<x, log>> /\ WF_<<x, log>>(Next /\ Double < 100)
Reach == <>(Double >= 6) /\ [](Grown = 3 => <>(Grown = 9)) /\ [][Double' > Double]_Double
Miss == <>(Double = 7)
";
    let (result, _) = run(
        module,
        "SPECIFICATION Spec INVARIANTS Right Sum PROPERTIES Steps Reach CONSTRAINT Limit CHECK_DEADLOCK FALSE",
    );
    assert_eq!(
        (result.verdict, result.distinct, result.generated),
        (Verdict::Ok, 4, 5),
        "{}",
        result.message
    );
    let (result, _) = run(module, "SPECIFICATION Spec PROPERTY Miss CHECK_DEADLOCK FALSE");
    assert_eq!(result.property.as_deref(), Some("Miss"));
}

#[test]
fn faults_have_a_place_and_a_reason() {
    let fault = |next: &str| {
        let module = format!(
            "EXTENDS Integers, Sequences\nVARIABLES x, y\nInit == x = 0 /\\ y = <<>>\nNext == {next}"
        );
        let (result, sources) = run(&module, "INIT Init NEXT Next");
        assert_eq!(result.verdict, Verdict::Evaluation, "{next}");
        format!(
            "{} @ {}",
            result.message,
            result.place.map_or(String::new(), |place| sources.describe(place))
        )
    };
    let faults = [
        "x' = x + \"a\" /\\ y' = y",
        "x' = 1",
        "x' = y[3] /\\ y' = y",
        "x' = y' /\\ y' = y",
        "x' \\in Nat /\\ y' = y",
        "x' = (CHOOSE i \\in 1..3 : i > 5) /\\ y' = y",
        "x' = (IF x = 0 THEN 1 ELSE 2) /\\ y' = Tail(y)",
        "x' = x ^ x /\\ y' = y",
        "x' = Tail(\"\") /\\ y' = y",
    ];
    let messages: Vec<String> = faults.iter().map(|next| format!("{next}\n    {}", fault(next))).collect();
    insta::assert_snapshot!("faults", messages.join("\n"));
}

#[test]
fn endless_recursion_is_refused() {
    let (result, _) = run("EXTENDS Naturals\nRECURSIVE F(_)\nF(n) == F(n + 1)\nASSUME F(0) = 0", "");
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("recursion is too deep"), "{}", result.message);
}

#[test]
fn an_infinite_function_is_no_part_of_a_state() {
    let module = "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = <<[n \\in Nat |-> n]>>";
    let (result, _) = run(module, "INIT Init NEXT Next");
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("infinite domain"), "{}", result.message);
}

/// The changed values of such a function are known, and the rest is asked of the function as it was.
#[test]
fn an_infinite_function_can_be_changed() {
    let module = r#"
EXTENDS Integers
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Zero == [n \in Nat |-> 0]
One == [Zero EXCEPT ![3] = 1]
Square == [[n \in Int |-> n * n] EXCEPT ![x] = @ + 10, ![x + 1] = @ - 1]
Factorial[n \in Nat] == IF n = 0 THEN 1 ELSE n * Factorial[n - 1]
Odd == [Factorial EXCEPT ![2] = 100]
Table == [[n \in Nat |-> [m \in Nat |-> n + m]] EXCEPT ![1][2] = 50]
Many[n \in Nat] == IF n = 0 THEN Zero ELSE [Many[n - 1] EXCEPT ![n] = n]
Inv == /\ One[3] = 1 /\ One[4] = 0 /\ DOMAIN One = Nat
       /\ Square[x] = x * x + 10 /\ Square[x + 1] = x * x + 2 * x /\ Square[-5] = 25
       /\ Odd[2] = 100 /\ Odd[3] = 6
       /\ Table[1][2] = 50 /\ Table[1][3] = 4 /\ Table[2][2] = 4
       /\ Many[40][40] = 40 /\ Many[40][1] = 1 /\ Many[40][41] = 0
       /\ [One EXCEPT !["a"] = 5][3] = 1
       /\ [One EXCEPT ![3] = @ + 1][3] = 2
       /\ Zero # [n \in 1..3 |-> 0]
       /\ One \notin [1..3 -> Nat]
Outside == One[-1] = 0
Equal == Zero = [n \in Nat |-> 0]
Within == <<Zero>> = <<[n \in Nat |-> 0]>>
Unequal == Zero # [n \in Nat |-> 1]
Twice == {Zero, [n \in Nat |-> 0]} # {}
Member == Zero \in [Nat -> Nat]
"#;
    let checked = |invariant: &str| run(module, &format!("INIT Init NEXT Next INVARIANT {invariant}")).0;
    let result = checked("Inv");
    assert_eq!(result.verdict, Verdict::Ok, "{} {:?}", result.message, result.reasons);
    // Nobody knows, so nobody says.
    for unknown in ["Outside", "Equal", "Within", "Unequal", "Twice", "Member"] {
        assert_eq!(checked(unknown).verdict, Verdict::Evaluation, "{unknown}");
    }
}

#[test]
fn a_false_assumption_is_an_error_of_its_own() {
    let (result, _) = run("EXTENDS Naturals\nASSUME 1 + 1 = 2\nASSUME \\A i \\in 1..3 : i < 3", "");
    assert_eq!(result.verdict, Verdict::Assumption);
    assert_eq!(result.reasons[0].bound[0], ("i".to_owned(), "3".to_owned()));
}

#[test]
fn chance_takes_elements_of_sets_that_are_too_large_to_go_through() {
    let module = r"
EXTENDS Naturals, FiniteSets, Randomization, TLC
All == [1..30 -> [a : 1..10, b : SUBSET (1..40)]]
ASSUME Cardinality(RandomSubset(100, All)) = 100
ASSUME RandomSubset(100, All) \subseteq All
ASSUME RandomElement(All) \in All
ASSUME Cardinality(RandomSubset(100, 1..1000000000)) = 100
ASSUME RandomElement([1..3 -> {5}]) = <<5, 5, 5>>
ASSUME RandomSubset(8, SUBSET (1..3)) = SUBSET (1..3)
";
    assert_eq!(run(module, "").0.verdict, Verdict::Ok);
    let (result, _) = run("EXTENDS TLC\nASSUME RandomElement([{1} -> {}]) = 1", "");
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("RandomElement of an empty set"), "{}", result.message);
}

#[test]
fn all_but_one_element_are_tried() {
    let module = r"
EXTENDS Naturals
CONSTANT S
VARIABLE x
Init == x \in S
Next == \E y \in S \ {x} : x' = y
";
    for (set, size) in [("1..4", 4), ("{1, 5, 7}", 3), ("{\"a\", 1}", 2), ("SUBSET {1, 2}", 4)] {
        let config = format!("CONSTANT S = {set}\nINIT Init NEXT Next");
        let (result, _) = run(module, &config);
        assert_eq!((result.verdict, result.distinct), (Verdict::Ok, size), "{set}: {}", result.message);
        assert_eq!(result.generated, size * size, "{set}");
    }
}

#[test]
fn a_name_for_a_next_value_can_be_given_one() {
    let module = r"
EXTENDS Naturals
VARIABLES x, y
Init == LET first == x second == y IN first = 0 /\ second \in {0, 1}
Next == LET then == x' IN then = (x + 1) % 3 /\ (LET other == y' IN other) \in {y, 1}
Inv == ENABLED ((LET z == x' IN z) = 0 /\ y' = 1)
";
    let (result, _) = run(module, "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!(
        (result.verdict, result.distinct, result.generated),
        (Verdict::Ok, 6, 11),
        "{}",
        result.message
    );
}

#[test]
fn what_must_be_possible_is_looked_for() {
    let module = r"
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 3
Two == x = 2
Five == x = 5
Wrap == x = 2 /\ x' = 0
Jump == x' = x + 2
Few == x < 2
";
    let with = |possible: &str| run(module, &format!("INIT Init NEXT Next _POSSIBLE {possible}")).0;
    assert_eq!(with("Two Wrap").verdict, Verdict::Ok);
    for (name, why) in [("Five", "true in no reachable state"), ("Jump", "no step from a reachable state")] {
        let result = with(&format!("Two {name} Wrap"));
        assert_eq!((result.verdict, result.property.as_deref()), (Verdict::Property, Some(name)));
        assert!(result.message.contains(why), "{}", result.message);
    }
    assert!(with("Jump Five").message.ends_with("; nor is Jump"), "{}", with("Jump Five").message);
    // A state at the border of what is explored is reachable, what is behind it is not known to be.
    let (result, _) = run(module, "INIT Init NEXT Next CONSTRAINT Few _POSSIBLE Two");
    assert_eq!(result.verdict, Verdict::Ok);
    let (result, _) = run(module, "INIT Init NEXT Next CONSTRAINT Few _POSSIBLE Wrap");
    assert_eq!(result.verdict, Verdict::Property);
}

#[test]
fn a_specification_without_initial_states_is_a_warning() {
    let module = "VARIABLE x\nInit == x \\in {}\nNext == x' = x\nInv == x = 1";
    let (result, _) = run(module, "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 0));
    let [warning] = &*result.warnings else { panic!("{:?}", result.warnings) };
    assert!(warning.message.starts_with("no state satisfies the initial predicate"), "{}", warning.message);
    assert!(warning.place.is_some());
    let (result, _) = run(&module.replace("{}", "{1}"), "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 1));
    assert!(result.warnings.is_empty(), "{:?}", result.warnings);
}

#[test]
fn an_action_that_is_never_taken_is_a_warning() {
    let module = r"
EXTENDS Naturals
VARIABLE x
Init == x = 0
Flip == x' = 1 - x
Never == x > 5 /\ x' = 0
Next == Flip \/ Never
";
    let (result, _) = run(module, "INIT Init NEXT Next");
    let messages: Vec<&str> = result.warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert_eq!(messages, ["Never is never taken"]);
}

#[test]
fn a_definition_that_comes_through_an_instance_is_replaced() {
    let module = r"
EXTENDS Naturals
---- MODULE Inner ----
EXTENDS Sequences
CONSTANT V
VARIABLE s
None == CHOOSE v : v \notin V
Init == s \in Seq(V)
Next == s' = s
Leave == s' = IF s = None THEN <<>> ELSE s
====
VARIABLE s
V == {1, 2}
Bounded(S) == UNION {[1..n -> S] : n \in 0..2}
INSTANCE Inner
";
    let (result, _) = run(module, "CONSTANT Seq <- Bounded INIT Init NEXT Next");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 7), "{}", result.message);
    let module =
        module.replace("INSTANCE Inner", "N == INSTANCE Inner\nStart == s = N!None\nStep == N!Leave");
    let (result, _) = run(&module, "CONSTANT None = [Inner]none INIT Start NEXT Step");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 2), "{}", result.message);
}

fn warnings(result: &CheckResult) -> Vec<&str> {
    result.warnings.iter().map(|warning| warning.message.as_str()).collect()
}

#[test]
fn a_postcondition_that_cannot_be_evaluated_is_no_success() {
    let module = r"
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Fine == 1 + 1 = 2
Wrong == 1 + 1 = 3
Broken == TLCGet(42) = 1
";
    let verdict = |name: &str| run(module, &format!("INIT Init NEXT Next POSTCONDITION {name}")).0;
    assert_eq!(verdict("Fine").verdict, Verdict::Ok);
    assert_eq!(verdict("Wrong").verdict, Verdict::Property);
    let broken = verdict("Broken");
    assert_eq!((broken.verdict, broken.property.as_deref()), (Verdict::Evaluation, Some("Broken")));
    assert!(broken.message.contains("could not be evaluated"), "{}", broken.message);
}

#[test]
fn what_a_verdict_does_not_cover_is_a_warning() {
    let module = r"
EXTENDS Naturals, TLC
CONSTANT P
VARIABLE s
Init == s \in P
Next == s' \in P
Spec == Init /\ [][Next]_s /\ WF_s(Next)
Perms == Permutations(P)
Again == []<>(s \in P)
Only == s # s
Unfair == Init /\ [][Next]_s /\ []<>(s \notin P)
Two == [](s \in P ~> s \in P)
";
    let with = |config: &str| run(module, &format!("CONSTANT P = {{a, b}} {config}")).0;
    let plain = with("SPECIFICATION Spec PROPERTY Again");
    assert_eq!((plain.verdict, warnings(&plain).len()), (Verdict::Ok, 0), "{:?}", plain.warnings);
    for reduction in ["SYMMETRY Perms", "VIEW s"] {
        let reduced = with(&format!("SPECIFICATION Spec PROPERTY Again {reduction}"));
        let word = reduction.split(' ').next().expect("a word");
        assert!(warnings(&reduced)[0].contains(&format!("checked under {word}")), "{:?}", reduced.warnings);
        let safety = with(&format!("SPECIFICATION Spec {reduction}"));
        assert!(safety.warnings.is_empty(), "{:?}", safety.warnings);
    }
    let constrained = with("SPECIFICATION Spec CONSTRAINT Only");
    assert!(warnings(&constrained)[0].contains("within them only"), "{:?}", constrained.warnings);
    let vacuous = with("SPECIFICATION Unfair PROPERTIES Again Two");
    assert_eq!(vacuous.verdict, Verdict::Ok);
    assert!(warnings(&vacuous)[0].contains("vacuously"), "{:?}", vacuous.warnings);
}

#[test]
fn a_step_has_the_name_of_the_outermost_action() {
    let module = r"
EXTENDS Naturals
VARIABLE x
Init == x = 0
Go(from, to) == x = from /\ x' = to
Up == Go(0, 1)
Down == Go(1, 0)
Jump(n) == \/ x = 1 /\ x' = n
           \/ x = n /\ x' = 9
Idle == Go(7, 7)
Moves == Up \/ Down \/ Idle
Jumps == \E n \in 5..5 : Jump(n)
Next == Moves \/ Jumps \/ (x = 9 /\ x' = 9)
Spec == Init /\ [][Moves \/ Jumps]_x
Low == x < 9
";
    let (result, _) = run(module, "INIT Init NEXT Next INVARIANT Low");
    let steps: Vec<String> = result
        .trace
        .iter()
        .filter_map(|step| step.action.as_ref())
        .map(|action| format!("{}{:?}", action.name, action.parameters))
        .collect();
    assert_eq!(steps, ["Up[]", r#"Jump[("n", "5")]"#, r#"Jump[("n", "5")]"#]);
    assert!(result.warnings.is_empty(), "nothing is said of a search that ended early");
    for config in ["INIT Init NEXT Next", "SPECIFICATION Spec CHECK_DEADLOCK FALSE"] {
        let (result, _) = run(module, config);
        assert_eq!((result.verdict, warnings(&result)), (Verdict::Ok, vec!["Idle is never taken"]));
        let named = |name: &str| result.coverage.iter().filter(|row| row.name == name).count();
        assert_eq!(["Up", "Down", "Jump", "Idle", "Go", "Moves"].map(named), [1, 1, 1, 1, 0, 0]);
    }
}

#[test]
fn postconditions_know_the_figures_of_the_search() {
    let module = format!(
        "{JUGS}\nT == INSTANCE TLC\nAll == <<T!TLCGet(\"generated\"), T!TLCGet(\"distinct\"), \
         T!TLCGet(\"diameter\"), T!TLCGet(\"queue\")>> = <<97, 16, 8, 0>> /\\ T!TLCGet(\"duration\") < 60\n\
         Action == T!TLCGet(\"action\") = 1"
    );
    let (result, _) = run(&module, "SPECIFICATION Spec POSTCONDITION All");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
    let (result, _) = run(&module, "SPECIFICATION Spec POSTCONDITION Action");
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("TLCGet"), "{}", result.message);
}

#[test]
fn traces_show_the_alias() {
    let module = format!("{JUGS}\nShow == [sum |-> big + small, then |-> big']\nBroken == [sum |-> big[1]]");
    let config = "SPECIFICATION Spec INVARIANT NotSolved ALIAS";
    let (result, _) = run(&module, &format!("{config} Show"));
    let shown = |step: usize| -> Vec<(&str, &str)> {
        result.trace[step].shown().map(|v| (v.name.as_str(), v.value.as_str())).collect()
    };
    assert_eq!(shown(0), [("sum", "0"), ("then", "5")]);
    assert_eq!(shown(6), [("sum", "7"), ("then", "4")]);
    let changed = |step: usize| result.trace[step].shown().next().unwrap().changed;
    assert!(!changed(0) && changed(1));
    let (result, _) = run(&module, &format!("{config} Broken"));
    assert_eq!(result.trace[0].variables[0].name, "big");
    assert!(warnings(&result)[0].contains("ALIAS cannot be evaluated"), "{:?}", result.warnings);
}

#[test]
fn an_implication_without_a_premise_is_a_warning() {
    let module = format!("{JUGS}\nSays == (big = 5 => small <= 3) /\\ (small > 3 => big = 0)");
    for workers in [1, 2] {
        let (result, sources) = run_with(&module, "SPECIFICATION Spec INVARIANTS TypeOK Says", workers);
        assert_eq!((result.verdict, result.warnings.len()), (Verdict::Ok, 1), "{:?}", result.warnings);
        let place = result.warnings[0].place.expect("a place");
        assert_eq!(sources.get(place.file).slice(place.span), "small > 3");
    }
}

/// Substitutions of an instance may depend on the instance's own parameters, and differ for each argument.
#[test]
fn instances_with_parameters_are_refined() {
    let module = r"
EXTENDS Naturals
---- MODULE Counter ----
CONSTANT top
VARIABLE c
Init == c = 0
Next == c < top /\ c' = c + 1
Spec == Init /\ [][Next]_c /\ WF_c(Next)
====
VARIABLE x
One(n) == INSTANCE Counter WITH c <- x[n] + 0, top <- n
Other(n) == INSTANCE Counter WITH c <- x[n] + 0, top <- 1
Init == x = <<0, 0>>
Next == \E n \in 1..2 : x[n] < n /\ x' = [x EXCEPT ![n] = @ + 1]
Spec == Init /\ [][Next]_x /\ WF_x(Next)
All == \A n \in 1..2 : One(n)!Spec
Two == One(2)!Spec
Wrong == \A n \in 1..2 : Other(n)!Spec
Step == [Next]_x";
    let config = |name: &str| format!("SPECIFICATION Spec CHECK_DEADLOCK FALSE PROPERTY {name}");
    for (name, verdict) in [("All", Verdict::Ok), ("Two", Verdict::Ok), ("Wrong", Verdict::Property)] {
        let (result, _) = run(module, &config(name));
        assert_eq!(result.verdict, verdict, "{name}: {}", result.message);
    }
    let (result, _) = run(module, &config("Step"));
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("an action as a property"), "{}", result.message);
}

/// Strings that are also names come first, in the order in which TLC reads the modules.
#[test]
fn strings_are_in_the_order_in_which_tlc_has_them() {
    let sources = Sources::new();
    let file = sources.add(
        "Spec.tla",
        r#"---- MODULE Spec ----
EXTENDS TLC, Other
nack(q) == q
ack(q) == q
ASSUME PrintT({"conn_req", "nack", "ack", "b", "a", "zzz", "Len", "out", "late", "q", "w", "inB", "t", "inB2"})
late == 1
====
---- MODULE Other ----
LOCAL INSTANCE Sequences
inB(t) == "inB2"
===="#,
    );
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let mut specification = loaded.specification.expect("a specification");
    let config = sources.add("Spec.cfg", "");
    let tree = parse(config.id(), config.text()).tree.expect("a configuration");
    let (model, _) = Model::resolve(&tree, &mut specification, &sources, config.id());
    let result = common::checked_both_ways(&sources, &specification, &model, &CheckOptions::default());
    let strings =
        r#"{"nack", "q", "ack", "late", "out", "w", "Len", "a", "b", "inB", "t", "inB2", "conn_req", "zzz"}"#;
    assert_eq!(result.printed, [strings]);
}

#[test]
fn specifications_written_for_apalache_are_checked() {
    let module = r#"
EXTENDS Integers, Apalache, Variants, Combinatorics
VARIABLES x, y
ASSUME ApaFoldSet(LAMBDA a, b : a + b, 0, 1..4) = 10
ASSUME ApaFoldSeqLeft(LAMBDA a, b : 10 * a + b, 0, <<1, 2, 3>>) = 123
ASSUME Repeat(LAMBDA a, i : a * i, 4, 1) = 24 /\ choose(5, 2) = 10
ASSUME SetAsFun({<<1, 2>>, <<2, 3>>}) = <<2, 3>> /\ MkSeq(2, LAMBDA i : i + 1) = <<2, 3>>
ASSUME FunAsSeq([i \in 1..3 |-> i], 2, 3) = <<1, 2>>
ASSUME VariantFilter("a", {Variant("a", 1), Variant("b", 2)}) = {1}
ASSUME VariantGetOrElse("c", Variant("a", 1), 3) = 3
Init == x := 0 /\ y := 0
Next == x' := (x + 1) % 3 /\ y' := x"#;
    let (result, _) = run(module, "INIT Init NEXT Next");
    assert_eq!(
        (result.verdict, result.generated, result.distinct),
        (Verdict::Ok, 5, 4),
        "{}",
        result.message
    );
}

#[test]
fn what_fails_before_anything_is_explored_names_its_values() {
    let module = format!("{JUGS}\nBad == \\A n \\in \"not a set\" : <>(big = n)");
    let (result, _) = run(&module, "SPECIFICATION Spec PROPERTY Bad");
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("\"not a set\""), "{}", result.message);
}

/// Where a premise is true for no value of the variables bound around it, or only where another premise is false.
#[test]
fn an_implication_under_quantifiers_is_looked_at_too() {
    let module = format!(
        "{JUGS}
Jug(n) == n <= 9 => LET m == n + 1 IN \\A k \\in 1..2 : k = m => big # n
Says == /\\ \\A n \\in 6..8, m \\in 0..1 : big = n => small = m
        /\\ \\A n \\in {{0, 7}} : Jug(n + 3) /\\ (n > 0 => (small = 0 /\\ big = 1 => n = 7))
        /\\ big = 4 => (small = 2 => small # 2)"
    );
    for workers in [1, 2] {
        let (result, sources) = run_with(&module, "SPECIFICATION Spec INVARIANTS TypeOK Says", workers);
        assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
        let places = result.warnings.iter().map(|warning| warning.place.expect("a place"));
        let texts: Vec<_> =
            places.map(|place| sources.get(place.file).slice(place.span).to_owned()).collect();
        assert_eq!(texts, ["big = n", "k = m", "small = 2"]);
    }
}

/// Everything that must be true of values and operators, one assumption each.
#[test]
fn assumptions_about_operators_hold() {
    let assumptions = include_str!("assumptions.tla");
    let (result, sources) = run(assumptions, "CONSTANT m1 = m1 m2 = m2");
    assert_eq!(
        result.verdict,
        Verdict::Ok,
        "{} at {} {:?}",
        result.message,
        result.place.map_or(String::new(), |place| sources.describe(place)),
        result.reasons
    );
}

#[test]
fn every_standard_module_can_be_extended() {
    for name in locus_tla::standard::NAMES {
        let (result, _) = run(&format!("EXTENDS {name}\nASSUME TRUE"), "");
        assert_eq!(result.verdict, Verdict::Ok, "{name}: {}", result.message);
    }
}

#[test]
fn a_file_may_hold_the_modules_that_the_first_one_needs() {
    let sources = Sources::new();
    let file = sources.add(
        "Spec.tla",
        r"
---- MODULE Spec ----
EXTENDS Counting
VARIABLE x
Init == x = 0
Next == x < Limit /\ x' = Successor(x)
====
Text between them.
---- MODULE CountingMore ----
====
---- MODULE Counting ----
EXTENDS Naturals
Limit == 3
Successor(n) == n + 1
====
",
    );
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let mut specification = loaded.specification.unwrap_or_else(|| panic!("{:?}", loaded.findings));
    let config = sources.add("Spec.cfg", "INIT Init NEXT Next CHECK_DEADLOCK FALSE");
    let tree = parse(config.id(), config.text()).tree.expect("a configuration");
    let (model, _) = Model::resolve(&tree, &mut specification, &sources, config.id());
    let result = common::checked_both_ways(&sources, &specification, &model, &CheckOptions::default());
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 4), "{}", result.message);
}

/// `ENABLED` within an instance speaks of the next values of that module's variables, which are free; around an
/// instance, of the next values of what stands for them.
#[test]
fn enabled_knows_on_which_side_of_an_instance_it_is() {
    let module = r"
EXTENDS Naturals
VARIABLE z
---- MODULE Inner ----
EXTENDS Naturals
VARIABLES x, y
Apart == x' = 0 /\ y' = 1
Within == ENABLED Apart
Never == ENABLED (x # x /\ x' = 0 /\ y' = 1)
====
Same == INSTANCE Inner WITH x <- z, y <- z
Other == INSTANCE Inner WITH x <- z, y <- z + 5
Init == z = 0
Next == z' = 1 - z
Inside == Same!Within /\ Other!Within /\ ~Same!Never /\ ~Other!Never
Around == ~ENABLED Same!Apart /\ ~ENABLED Other!Apart
";
    let (result, _) = run(module, "INIT Init NEXT Next INVARIANT Inside Around");
    assert_eq!(result.verdict, Verdict::Ok, "{}: {:?}", result.message, result.property);
}
