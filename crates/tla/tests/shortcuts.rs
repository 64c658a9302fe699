//! Answers without a full evaluation, or by several workers, equal those of one worker in full.

mod common;

use locus_tla::check::{CheckOptions, CheckResult, Verdict};

fn check(definitions: &str, config: &str, workers: usize) -> CheckResult {
    common::checked(definitions, config, &CheckOptions { workers, ..CheckOptions::default() })
}

/// Messages with different fields in a set that grows.
const MESSAGES: &str = r#"
VARIABLES msgs, seen
Init == msgs = {} /\ seen = {}
Send(m) == msgs' = msgs \cup {m} /\ UNCHANGED seen
Receive == \E m \in msgs : /\ m.type = "pair"
                           /\ m.to = 2
                           /\ seen' = seen \cup {m.from}
                           /\ UNCHANGED msgs
Next == \/ \E n \in 1..3 : Send([type |-> "one", n |-> n])
        \/ \E n \in 1..2 : Send([type |-> "pair", from |-> n, to |-> 2])
        \/ Send([type |-> "pair", from |-> 3, to |-> 1])
        \/ Receive
Pairs == {m \in msgs : m.type = "pair" /\ m.to = 2}
Same == /\ \A m \in msgs : m.type = "pair" => m.from \in 1..3
        /\ \A m \in msgs : m.type = "one" \/ m.from \in 1..3
        /\ (\E m \in msgs : m.type = "pair" /\ m.to = 2) <=> (Pairs # {})
        /\ Pairs # {} => (CHOOSE m \in msgs : m.type = "pair" /\ m.to = 2) \in Pairs
        /\ seen \in SUBSET {1, 2}
"#;

#[test]
fn elements_are_passed_over_only_if_they_do_not_count() {
    for workers in [1, 2] {
        let result = check(MESSAGES, "INIT Init NEXT Next INVARIANT Same", workers);
        assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
        // A set of messages, of which two let one of two numbers be seen: 16 * (1 + 2 + 2 + 4).
        assert_eq!((result.generated, result.distinct), (1 + 144 * 6 + 16 * 12, 144));
    }
}

#[test]
fn a_field_that_is_missing_is_still_a_fault() {
    let module = format!("{MESSAGES}\nWrong == \\A m \\in msgs : m.to = 2 => m.type = \"pair\"");
    let result = check(&module, "INIT Init NEXT Next INVARIANT Wrong", 1);
    assert_eq!(result.verdict, Verdict::Evaluation, "{}", result.message);
    let module = MESSAGES.replace("/\\ m.type = \"pair\"\n", "\n");
    let result = check(&module, "INIT Init NEXT Next", 1);
    assert_eq!(result.verdict, Verdict::Evaluation, "{}", result.message);
}

/// One entry of a nested function leaves its type at last, in one of several ways.
const NESTED: &str = r"
VARIABLE table
Init == table = [p \in 1..3 |-> [q \in 1..2 |-> <<>>]]
Grow(p, q, n) == /\ table' = [table EXCEPT ![p][q] = Append(@, n)]
Next == \E p \in 1..3, q \in 1..2, n \in 0..3 : Grow(p, q, n)
Short == \A p \in 1..3, q \in 1..2 : Len(table[p][q]) <= 1
TypeOK == table \in [1..3 -> [1..2 -> Seq(0..2)]]
";

#[test]
fn a_type_is_left_at_one_entry() {
    for workers in [1, 2] {
        let (sources, specification, model) = common::loaded(
            &format!("EXTENDS Integers, Sequences\n{NESTED}"),
            "INIT Init NEXT Next INVARIANT TypeOK CONSTRAINT Short",
        );
        let options = CheckOptions { workers, ..CheckOptions::default() };
        let result = locus_tla::check::check(&sources, &specification, &model, &options);
        assert_eq!(result.verdict, Verdict::Invariant, "{}", result.message);
        assert_eq!(result.trace.len(), 2);
    }
}

/// More initial states than one worker looks at alone.
const MANY: &str = r"
VARIABLES x, y
Init == x \in 0..99 /\ y \in {<<i>> : i \in 0..99}
Next == x' = (x + 1) % 100 /\ y' = <<(y[1] * 7 + x) % 100>>
Fine == y[1] \in 0..99
";

#[test]
fn initial_states_are_shared_out() {
    let one = check(MANY, "INIT Init NEXT Next INVARIANT Fine", 1);
    assert_eq!((one.verdict, one.generated, one.distinct), (Verdict::Ok, 20_000, 10_000));
    for workers in [2, 3] {
        let more = check(MANY, "INIT Init NEXT Next INVARIANT Fine", workers);
        assert_eq!((more.verdict, more.generated, more.distinct), (Verdict::Ok, 20_000, 10_000));
    }
}

#[test]
fn what_is_wrong_among_many_initial_states_is_found_by_all() {
    // Which of the states that are wrong is shown is a matter of luck.
    let shown = |result: &CheckResult| (result.verdict, result.trace.len());
    for (invariant, verdict) in [
        ("x < 60 \\/ y[1] # 77", Verdict::Invariant),
        ("IF x = 70 THEN y[2] = 1 ELSE TRUE", Verdict::Evaluation),
    ] {
        let module = format!("{MANY}\nWrong == {invariant}");
        let two = check(&module, "INIT Init NEXT Next INVARIANT Wrong", 2);
        assert_eq!(two.verdict, verdict, "{}", two.message);
        for _ in 0..5 {
            let again = check(&module, "INIT Init NEXT Next INVARIANT Wrong", 2);
            assert_eq!(shown(&again), shown(&two));
        }
    }
}
