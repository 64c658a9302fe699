//! Random behaviours: what is met, what is said of it, and that a seed repeats it.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use locus_tla::check::{CheckResult, Means, SimulateOptions, Verdict, simulate};

fn options() -> SimulateOptions<'static> {
    SimulateOptions {
        seed: 1,
        behaviours: Some(50),
        depth: 40,
        workers: 1,
        deadlock: None,
        time: None,
        means: Means::default(),
        progress: None,
    }
}

fn run(module: &str, config: &str, options: &SimulateOptions<'_>) -> CheckResult {
    let (sources, specification, model) = common::loaded(module, config);
    simulate(&sources, &specification, &model, options)
}

const PARTLY: &str = "a simulation checks temporal properties only of behaviours that return to a state of the same walk, \
                      or stay in one: ";

const COUNTERS: &str = r"
EXTENDS Naturals
VARIABLES x, y
Init == x \in 0..3 /\ y = 0
Left == x' = x + 1 /\ y' = y
Right == y' = y + 1 /\ x' = x
Next == Left \/ Right
Spec == Init /\ [][Next]_<<x, y>> /\ WF_x(Left)
TypeOK == x \in Nat /\ y \in Nat
Small == x + y < 30
NotZero == x > 0
Grows == [][x' >= x]_x
Shrinks == [][x' <= x]_x
Live == <>(x > 100)
Bounded == x + y <= 5
";

#[test]
fn a_simulation_never_says_ok() {
    let result = run(COUNTERS, "SPECIFICATION Spec INVARIANT TypeOK PROPERTIES Live Grows", &options());
    assert_eq!(result.verdict, Verdict::Simulated);
    let done = result.simulation.expect("figures");
    assert_eq!((done.seed, done.behaviours, done.depth, result.depth), (1, 50, 40, 40));
    // Four initial states, and two successors of each state of each behaviour.
    assert_eq!(result.generated, 4 + 50 * 40 * 2);
    let warnings: Vec<_> = result.warnings.iter().map(|warning| warning.message.clone()).collect();
    assert_eq!(warnings, [format!("{PARTLY}Live")]);
}

#[test]
fn invariants_and_properties_of_steps_are_checked() {
    let result = run(COUNTERS, "SPECIFICATION Spec INVARIANT Small", &options());
    assert_eq!((result.verdict, result.property.as_deref()), (Verdict::Invariant, Some("Small")));
    let last = result.trace.last().expect("a state");
    let sum: u32 = last.variables.iter().map(|variable| variable.value.parse::<u32>().unwrap()).sum();
    assert_eq!(sum, 30);
    let result = run(COUNTERS, "SPECIFICATION Spec PROPERTY Shrinks", &options());
    assert_eq!((result.verdict, result.property.as_deref()), (Verdict::Property, Some("Shrinks")));
    let result = run(COUNTERS, "SPECIFICATION Spec INVARIANT NotZero", &options());
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Invariant, 1));
}

/// A violation by a step is found wherever the property stands.
#[test]
fn parts_of_temporal_properties_are_checked() {
    let module = format!(
        "{COUNTERS}
Each == \\A n \\in 0..9 : [][x = n => x' > n]_x
Both == []((x < 7) /\\ [](y >= 0) /\\ <>(x > 100))
Start == \\A n \\in 1..2 : [](x # n)
Never == \\E n \\in 1..2 : [](x < n)"
    );
    let config = |name: &str| format!("SPECIFICATION Spec PROPERTY {name}");
    let result = run(&module, &config("Each"), &options());
    assert_eq!((result.verdict, result.warnings.len()), (Verdict::Simulated, 0), "{:?}", result.warnings);
    let result = run(&module, &config("Both"), &options());
    assert_eq!((result.verdict, result.property.as_deref()), (Verdict::Property, Some("Both")));
    let last = result.trace.last().expect("a state");
    assert_eq!(last.variables[0].value, "7");
    assert_eq!(result.warnings[0].message, format!("{PARTLY}Both"));
    let result = run(&module, &config("Start"), &options());
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Property, 1), "{}", result.message);
    assert!(result.message.ends_with("by an initial state"), "{}", result.message);
    let result = run(&module, &config("Never"), &options());
    assert_eq!(result.verdict, Verdict::Simulated);
    assert_eq!(result.warnings[0].message, format!("{PARTLY}Never"));
}

const ROUND: &str = r"
EXTENDS Naturals
VARIABLE x
Init == x = 0
Up == x < 3 /\ x' = x + 1
Back == x = 2 /\ x' = 0
Next == Up \/ Back
Lazy == Init /\ [][Next]_x
Fair == Lazy /\ WF_x(Next)
Strong == Fair /\ SF_x(x = 2 /\ Up)
Arrives == <>(x = 3)
Same == x
";

#[test]
fn circles_and_rest_violate_temporal_properties_if_they_are_fair() {
    let config = |spec: &str| format!("SPECIFICATION {spec} PROPERTY Arrives CHECK_DEADLOCK FALSE");
    let result = run(ROUND, &config("Lazy"), &options());
    assert_eq!((result.verdict, result.property.as_deref()), (Verdict::Property, Some("Arrives")));
    assert_eq!(result.loops_to, Some(result.trace.len() - 1), "it may stay where it is");
    let result = run(ROUND, &config("Fair"), &options());
    assert_eq!((result.verdict, result.property.as_deref()), (Verdict::Property, Some("Arrives")));
    let values: Vec<&str> = result.trace.iter().map(|step| step.variables[0].value.as_str()).collect();
    assert_eq!((values.as_slice(), result.loops_to), (&["0", "1", "2"][..], Some(0)));
    let two = run(ROUND, &config("Fair"), &SimulateOptions { workers: 2, ..options() });
    assert_eq!(result.trace, two.trace);
    // The same circles are there, but none of them is fair.
    let result = run(ROUND, &config("Strong"), &options());
    assert_eq!(result.verdict, Verdict::Simulated);
    assert_eq!(result.warnings[0].message, format!("{PARTLY}Arrives"));
    // States that are identified may not be a circle.
    let result = run(ROUND, &format!("{} VIEW Same", config("Fair")), &options());
    assert_eq!(result.verdict, Verdict::Simulated);
    assert!(result.warnings[0].message.starts_with("with SYMMETRY or VIEW"), "{:?}", result.warnings);
}

#[test]
fn a_seed_repeats_what_was_met_whatever_the_number_of_workers() {
    let config = "SPECIFICATION Spec INVARIANT Small";
    let one = run(COUNTERS, config, &options());
    let two = run(COUNTERS, config, &SimulateOptions { workers: 2, ..options() });
    assert_eq!(one.trace, two.trace);
    let other = run(COUNTERS, config, &SimulateOptions { seed: 2, ..options() });
    assert_ne!(one.trace, other.trace);
}

#[test]
fn a_state_whose_successors_are_all_outside_the_constraint_is_no_deadlock() {
    let result = run(COUNTERS, "SPECIFICATION Spec CONSTRAINT Bounded", &options());
    assert_eq!(result.verdict, Verdict::Simulated, "{}", result.message);
    assert!(result.depth <= 6);
}

#[test]
fn deadlock_is_met_and_can_be_allowed() {
    let module = "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x < 3 /\\ x' = x + 1\n";
    let result = run(module, "INIT Init NEXT Next", &options());
    assert_eq!((result.verdict, result.trace.len()), (Verdict::Deadlock, 4));
    let result = run(module, "INIT Init NEXT Next CHECK_DEADLOCK FALSE", &options());
    assert_eq!(result.verdict, Verdict::Simulated);
}

#[test]
fn what_could_not_be_done_is_said() {
    let stop = Arc::new(AtomicBool::new(true));
    let means = Means { stop: Some(stop), ..Means::default() };
    let stopped = SimulateOptions { means, ..options() };
    let result = run(COUNTERS, "SPECIFICATION Spec", &stopped);
    assert_eq!(result.verdict, Verdict::Incomplete);
    let nothing = "VARIABLE x\nInit == x \\in {}\nNext == x' = x\n";
    let result = run(nothing, "INIT Init NEXT Next", &options());
    assert_eq!(result.verdict, Verdict::Simulated);
    assert!(result.warnings[0].message.contains("no initial state"), "{:?}", result.warnings);
    let broken = "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + \"a\"\n";
    assert_eq!(run(broken, "INIT Init NEXT Next", &options()).verdict, Verdict::Evaluation);
}
