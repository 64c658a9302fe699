//! Temporal properties that are violated: which part of them is false, and in which states of the behaviour.

mod common;

use std::fmt::Write as _;

use locus_tla::check::{CheckOptions, CheckResult, Verdict, When};

fn run(module: &str, config: &str) -> CheckResult {
    let (sources, specification, model) = common::loaded(module, config);
    common::checked_both_ways(
        &sources,
        &specification,
        &model,
        &CheckOptions { workers: 1, ..CheckOptions::default() },
    )
}

/// Two workers that take turns with a job; the second may be passed over for ever.
const JOBS: &str = r#"
EXTENDS Naturals
VARIABLES at, done
vars == <<at, done>>
Workers == {1, 2}
Init == at = [w \in Workers |-> "idle"] /\ done = 0
Start(w) == at[w] = "idle" /\ (\A v \in Workers : at[v] # "busy") /\ at' = [at EXCEPT ![w] = "busy"] /\ UNCHANGED done
Stop(w) == at[w] = "busy" /\ at' = [at EXCEPT ![w] = "idle"] /\ done' = (done + 1) % 3
Next == \E w \in Workers : Start(w) \/ Stop(w)
Spec == Init /\ [][Next]_vars /\ WF_vars(Next)
Served == \A w \in Workers : (at[w] = "idle") ~> (at[w] = "busy")
Again == []<>(at[2] = "busy") /\ []<>(done = 1)
Rests == <>[](at[1] = "idle")
Fair == SF_vars(Start(2))
If == []<>(done = 0) => <>(at[2] = "busy" /\ done = 2)
Nor == ~ []<>(at[1] = "busy")
Steps == <>[][at'[1] = at[1]]_vars
"#;

#[test]
fn the_false_part_is_named_with_its_states() {
    let mut text = String::new();
    for property in ["Served", "Again", "Rests", "Fair", "If", "Nor", "Steps"] {
        let result = run(JOBS, &format!("SPECIFICATION Spec PROPERTY {property}"));
        assert_eq!(result.verdict, Verdict::Property, "{property}: {}", result.message);
        let to = result.loops_to.map(|to| to + 1);
        let by = result.returns_by.as_ref().map(|action| format!("{}{:?}", action.name, action.parameters));
        let _ = writeln!(text, "{property}: {} states, back to {to:?} by {by:?}", result.trace.len());
        for reason in &result.reasons {
            let when = match reason.when {
                When::Here => "here".to_owned(),
                When::In(state) => format!("in state {}", state + 1),
                When::From(state) => format!("from state {} on", state + 1),
                When::NotTaken => "though it could be taken".to_owned(),
            };
            let _ = writeln!(text, "  {} {when}: {} {:?}", reason.truth, reason.text, reason.bound);
        }
    }
    insta::assert_snapshot!(text);
}

/// Every behaviour that is shown is evaluated once more, by another definition, to find the part that is false. Where
/// that comes to another answer, no part is named.
#[test]
fn behaviours_that_are_shown_violate_the_property() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |below: u64| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) % below
    };
    let mut violated = 0;
    for _ in 0..300 {
        let mut next = String::new();
        for from in 0..5 {
            for to in 0..5 {
                if random(3) == 0 {
                    let _ = write!(next, "\\/ (x = {from} /\\ x' = {to}) ");
                }
            }
        }
        let property = formula(&mut random, 3);
        let module = format!(
            "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == FALSE {next}\nSpec == Init /\\ [][Next]_x /\\ WF_x(Next)\n\
             P == {property}\n"
        );
        let result = run(&module, "SPECIFICATION Spec PROPERTY P CHECK_DEADLOCK FALSE");
        if result.verdict == Verdict::Property && result.loops_to.is_some() {
            violated += 1;
            assert!(!result.reasons.is_empty(), "nothing is said of\n{module}");
        }
    }
    assert!(violated > 60, "{violated}");
}

fn formula(random: &mut impl FnMut(u64) -> u64, depth: u32) -> String {
    if depth == 0 {
        return match random(3) {
            0 => format!("[](x # {})", random(5)),
            1 => format!("<>(x = {})", random(5)),
            _ => format!("[]<>(x \\in {{{}, {}}})", random(5), random(5)),
        };
    }
    let mut part = || formula(random, depth - 1);
    let (one, other) = (part(), part());
    match random(8) {
        0 => format!("(({one}) /\\ ({other}))"),
        1 => format!("(({one}) \\/ ({other}))"),
        2 => format!("(({one}) => ({other}))"),
        3 => format!("~({one})"),
        4 => format!("[]({one})"),
        5 => format!("<>({one})"),
        6 => format!("(({one}) ~> ({other}))"),
        _ => format!("(({one}) <=> ({other}))"),
    }
}
