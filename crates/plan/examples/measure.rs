//! How long planning and checking take: `cargo run --release -p locus-plan --example measure -- SIZE…`.
//!
//! The families are those with which Metis was measured. Each line is the best of five runs.

use std::time::{Duration, Instant};

use locus_aeolus::families::{metis_a, metis_b};
use locus_aeolus::{Configuration, Universe};
use locus_plan::{Answer, Limits, Others, Problem, Wanted, check, solve};

#[expect(clippy::print_stdout, reason = "this is a program that tells what it measured")]
fn measure(family: &str, size: usize, universe: &Universe, kind: &str, state: &str) {
    let kind = universe.find_type(kind).expect("the family has it");
    let state = universe.kind(kind).find_state(state).expect("the family has it");
    let start = Configuration::new();
    let wanted = vec![Wanted { kind, state, existing: None, name: None, then_delete: false }];
    let problem = Problem { universe, start: &start, names: &[], wanted, others: Others::Keep };
    let (mut whole, mut checking) = (Duration::MAX, Duration::MAX);
    let (mut steps, mut components) = (0, 0);
    for _ in 0..5 {
        let began = Instant::now();
        let (answer, _) = solve(&problem, Limits::default());
        whole = whole.min(began.elapsed());
        let Answer::Plan(plan) = answer else { panic!("there is a plan") };
        let began = Instant::now();
        check(universe, &start, &plan, 0).expect("it is right");
        checking = checking.min(began.elapsed());
        (steps, components) = (plan.steps.len(), plan.components.len());
    }
    println!(
        "{family} {size}: {} states, {components} components, {steps} steps: {whole:.1?} to plan and check, of which {checking:.1?} to check",
        universe.state_count()
    );
}

fn main() {
    let sizes = std::env::args().skip(1).map(|size| size.parse::<usize>().expect("a size is a number"));
    for size in sizes {
        measure("A", size, &metis_a(size), "B", &format!("q{}", size - 1));
        measure("B", size, &metis_b(size), &format!("C{}", size - 1), "s2");
    }
}
