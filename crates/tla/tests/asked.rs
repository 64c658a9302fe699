//! `TLCGet` and `TLCSet`: what a specification can ask about the check that it is part of, and its registers. The
//! figures are those that TLC gives with one worker.

mod common;

use locus_tla::check::{CheckOptions, CheckResult, Verdict};

fn run(definitions: &str, config: &str) -> CheckResult {
    let body = format!("EXTENDS Naturals, TLC, TLCExt\nVARIABLE x\nInit == x = 0\n{definitions}");
    let (sources, specification, model) = common::loaded(&body, config);
    let options = CheckOptions { workers: 2, graph: Some(1000), ..CheckOptions::default() };
    common::checked_both_ways(&sources, &specification, &model, &options)
}

/// A counter that starts again after 9.
const ROUND: &str = "Next == x' = (x + 1) % 10\n";

#[test]
fn the_level_of_a_state_is_the_number_of_states_on_the_way_to_it() {
    let invariant = format!("{ROUND}Inv == TLCGet(\"level\") = x + 1");
    let result = run(&invariant, "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 10), "{}", result.message);
    // In an action it is the level of the state that the step begins in, in the initial predicate there is none.
    let action = "Next == x < 9 /\\ x' = TLCGet(\"level\")\nInv == x < 5";
    let result = run(action, "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Invariant, 6));
    let initial = "Start == x = TLCGet(\"level\")\nNext == x' = x\nInv == x = 0";
    assert_eq!(run(initial, "INIT Start NEXT Next INVARIANT Inv").verdict, Verdict::Ok);
}

#[test]
fn the_level_of_the_next_state_is_one_more() {
    let spec = r#"
        Next == x < 4 /\ x' = x + 1 /\ TLCGet("level")' = x + 2 /\ TLCGet("level") = x + 1
        Level == TLCGet("level")
        Step == [][Level' = x' + 1 /\ Level' = Level + 1]_x
        Constraint == TLCGet("level")' = TLCGet("level") + 1"#;
    let config = "INIT Init NEXT Next PROPERTY Step ACTION_CONSTRAINT Constraint CHECK_DEADLOCK FALSE";
    let result = run(spec, config);
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 5), "{}", result.message);
}

#[test]
fn what_was_printed_is_shown_where_a_later_assumption_fails() {
    for failing in ["FALSE", "1 \\div 0 = 1"] {
        let result = run(&format!("ASSUME PrintT(\"seen\")\nASSUME {failing}"), "INIT Init NEXT Init");
        assert_eq!(result.printed, ["\"seen\""], "{failing}: {}", result.message);
    }
}

#[test]
fn a_constraint_on_the_level_bounds_the_search() {
    let spec = "Next == x' = x + 1\nShort == TLCGet(\"level\") <= 7\nStep == TLCGet(\"level\") < 7";
    for config in ["CONSTRAINT Short", "ACTION_CONSTRAINT Step"] {
        let result = run(spec, &format!("INIT Init NEXT Next {config}"));
        assert_eq!((result.verdict, result.distinct, result.depth), (Verdict::Ok, 7, 7), "{config}");
    }
}

#[test]
fn a_level_in_a_view_tells_states_apart_even_if_nothing_changes() {
    let spec = "Next == x' = x\nView == <<x, TLCGet(\"level\")>>\nShort == TLCGet(\"level\") <= 4";
    let result = run(spec, "INIT Init NEXT Next VIEW View CONSTRAINT Short");
    assert_eq!((result.verdict, result.distinct), (Verdict::Ok, 4), "{}", result.message);
}

#[test]
fn a_part_of_an_invariant_that_reads_no_variable_is_checked_in_every_state() {
    let spec = format!("{ROUND}Inv == /\\ x \\in Nat\n       /\\ TLCGet(\"level\") < 4");
    let result = run(&spec, "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Invariant, 4));
    assert!(result.reasons.last().expect("a reason").text.contains("level"), "{:?}", result.reasons);
}

#[test]
fn registers_keep_what_they_are_given() {
    let spec = format!(
        "{ROUND}ASSUME TLCSet(1, 0) /\\ TLCSet(\"s:seen\", {{}})\n\
         Inv == TLCSet(1, TLCGet(1) + 1) /\\ TLCSet(\"s:seen\", TLCGet(\"s:seen\") \\cup {{x}})\n\
         Post == TLCGet(1) = 10 /\\ TLCGet(\"s:seen\") = 0..9 /\\ TLCGetOrDefault(7, \"none\") = \"none\"\n\
         Wrong == TLCGet(2) = 0"
    );
    let result = run(&spec, "INIT Init NEXT Next INVARIANT Inv POSTCONDITION Post");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
    let result = run(&spec, "INIT Init NEXT Next INVARIANT Wrong");
    assert_eq!(result.verdict, Verdict::Evaluation);
    assert!(result.message.contains("has not been set"), "{}", result.message);
}

/// With TLC and one worker, `PrintT` of the same tuple in the same places prints the same numbers.
#[test]
fn figures_are_those_of_one_worker() {
    let spec = "Next == x < 3 /\\ x' \\in {x, x + 1}\n\
         Show == <<x, TLCGet(\"generated\"), TLCGet(\"distinct\"), TLCGet(\"queue\"), TLCGet(\"diameter\")>>\n\
         Inv == PrintT(Show)\n\
         Post == LET s == TLCGet(\"stats\") IN PrintT(<<s.generated, s.distinct, s.queue, s.diameter, s.initial>>)";
    let result = run(spec, "INIT Init NEXT Next INVARIANT Inv POSTCONDITION Post CHECK_DEADLOCK FALSE");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
    assert_eq!(
        result.printed,
        [
            "<<0, 1, 1, 0, 1>>",
            "<<1, 3, 2, 0, 2>>",
            "<<2, 5, 3, 0, 3>>",
            "<<3, 7, 4, 0, 4>>",
            "<<7, 4, 0, 4, 1>>"
        ]
    );
}

#[test]
fn the_settings_can_be_asked_for() {
    let spec = format!(
        "{ROUND}ASSUME LET c == TLCGet(\"config\") IN c.mode = \"bfs\" /\\ c.deadlock = TRUE /\\ c.worker = 2\n\
         ASSUME TLCGet(\"duration\") = 0"
    );
    let result = run(&spec, "INIT Init NEXT Next");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
}

#[test]
fn a_specification_can_end_its_search_which_is_no_proof() {
    let spec = "Next == x' = x + 1\nInv == TLCSet(\"exit\", x > 5)";
    let result = run(spec, "INIT Init NEXT Next INVARIANT Inv");
    assert_eq!(result.verdict, Verdict::Incomplete);
    assert!(result.message.contains("exit"), "{}", result.message);
    assert!(result.distinct < 10);
}

#[test]
fn what_is_not_known_is_an_error() {
    for name in ["action", "spec", "nonsense"] {
        let result =
            run(&format!("{ROUND}Inv == TLCGet(\"{name}\") = 1"), "INIT Init NEXT Next INVARIANT Inv");
        assert_eq!(result.verdict, Verdict::Evaluation);
        assert!(result.message.contains(name), "{}", result.message);
    }
}

#[test]
fn the_state_graph_names_steps_and_marks_what_is_wrong() {
    let spec = "Up(n) == x < 3 /\\ x' = x + n\nDown == x = 3 /\\ x' = 0\nNext == (\\E n \\in {1, 2} : Up(n)) \\/ Down\nInv == x < 4";
    let result = run(spec, "INIT Init NEXT Next INVARIANT Inv");
    let graph = result.graph.expect("asked for").expect("small");
    let values: Vec<&str> = graph.states.iter().map(|state| state.values[0].1.as_str()).collect();
    assert_eq!(values, ["0", "1", "2", "3", "4"]);
    let is = |marked: fn(&locus_tla::check::GraphState) -> bool| -> Vec<usize> {
        (0..5).filter(|&i| marked(&graph.states[i])).collect()
    };
    assert_eq!(
        (is(|s| s.initial), is(|s| s.violating), is(|s| s.on_trace)),
        (vec![0], vec![4], vec![0, 2, 4])
    );
    let steps: Vec<(usize, usize, &str, bool)> =
        graph.steps.iter().map(|step| (step.from, step.to, step.action.as_str(), step.on_trace)).collect();
    assert_eq!(
        steps,
        [
            (0, 1, "Up(1)", false),
            (0, 2, "Up(2)", true),
            (1, 2, "Up(1)", false),
            (1, 3, "Up(2)", false),
            (2, 3, "Up(1)", false),
            (2, 4, "Up(2)", true),
            (3, 0, "Down", false),
        ]
    );
    let large = run("Next == x' \\in 0..40", "INIT Init NEXT Next");
    let why = large.graph.expect("asked for").expect_err("1722 states and steps");
    assert!(why.contains("41 distinct states of 1682 generated") && why.contains("1000"), "{why}");
}

#[test]
fn all_registers_can_be_asked_for() {
    let spec = format!(
        "{ROUND}ASSUME TLCSet(7, 0) /\\ TLCSet(\"s:n\", 5)\n\
         Inv == TLCSet(7, TLCGet(7) + 1)\n\
         Post == /\\ TLCGet(\"all\") = [i \\in {{7}} |-> <<10>>]\n        \
         /\\ TLCGet(\"all:named\") = [i \\in {{\"s:n\"}} |-> <<5>>]\n        \
         /\\ DOMAIN TLCGet(\"all\")[7] = 1..TLCGet(\"config\").worker"
    );
    let result = run(&spec, "INIT Init NEXT Next INVARIANT Inv POSTCONDITION Post");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
}

/// As specifications ask whether the checker is new enough.
#[test]
fn the_revision_is_recent() {
    let assume =
        "ASSUME TLCGet(\"revision\").timestamp >= 1663720820 /\\ TLCGet(\"revision\").tag \\in STRING";
    let result = run(&format!("{ROUND}{assume}"), "INIT Init NEXT Next");
    assert_eq!(result.verdict, Verdict::Ok, "{}", result.message);
    let result = run(&format!("{ROUND}ASSUME TLCGet(\"revision\").count > 0"), "INIT Init NEXT Next");
    assert_eq!(result.verdict, Verdict::Evaluation);
}
