//! A plan as a numbered table with waves, for a terminal and for Markdown.

use std::fmt::Write;

use locus_aeolus::{Action, Universe};

use super::words;
use crate::problem::Plan;
use crate::shape::Shape;

/// The steps in the order of waves, with the number that each has for readers: from 1.
fn by_wave(shape: &Shape) -> Vec<usize> {
    let mut order: Vec<usize> = (0..shape.wave.len()).collect();
    order.sort_by_key(|&step| (shape.wave[step], step));
    order
}

/// Like `3 steps in 2 waves, at most 2 at once; the critical path has 2 steps`.
fn summary(plan: &Plan, shape: &Shape) -> String {
    let steps = |count: usize| format!("{count} step{}", if count == 1 { "" } else { "s" });
    format!(
        "{} in {} wave{}, at most {} at once; the critical path has {}",
        steps(plan.steps.len()),
        shape.waves,
        if shape.waves == 1 { "" } else { "s" },
        shape.widest,
        steps(shape.critical.len()),
    )
}

/// Whether a step only prepares others: it declares what is made, or says who is bound to whom.
fn prepares(action: &Action) -> bool {
    matches!(action, Action::New(..) | Action::Bind(_) | Action::Unbind(_))
}

/// A table for a terminal. Steps of the critical path have an asterisk. Those that only prepare others are counted,
/// unless all are to be shown.
pub fn human(universe: &Universe, plan: &Plan, shape: &Shape, is_whole: bool) -> String {
    let mut text = String::new();
    let mut folded = 0;
    let width = plan.steps.len().max(1).to_string().len();
    let mut wave = None;
    for step in by_wave(shape) {
        if !is_whole && prepares(&plan.steps[step].action) {
            folded += 1;
            continue;
        }
        if wave != Some(shape.wave[step]) {
            wave = Some(shape.wave[step]);
            let _ = writeln!(text, "wave {}", shape.wave[step] + 1);
        }
        let (verb, rest) = words::step(universe, plan, &plan.steps[step]);
        // A name with a line break cannot pass for another step.
        let rest = rest.replace('\n', "␤");
        let mark = if shape.critical.binary_search(&(step as u32)).is_ok() { '*' } else { ' ' };
        let _ = writeln!(text, "  {:>width$} {mark} {verb:<7} {rest}", step + 1);
    }
    let _ = writeln!(text, "{}", summary(plan, shape));
    if folded > 0 {
        let steps = if folded == 1 { "1 step prepares" } else { &*format!("{folded} steps prepare") };
        let _ = writeln!(text, "{steps} these and bind them; --steps shows all");
    }
    text
}

/// A table for Markdown.
pub fn markdown(universe: &Universe, plan: &Plan, shape: &Shape) -> String {
    let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('\n', " ");
    let mut text =
        String::from("| wave | step | action | what | after |\n| ---: | ---: | --- | --- | --- |\n");
    for step in by_wave(shape) {
        let (verb, rest) = words::step(universe, plan, &plan.steps[step]);
        let after: Vec<String> =
            plan.steps[step].after.iter().map(|before| (before + 1).to_string()).collect();
        let is_critical = shape.critical.binary_search(&(step as u32)).is_ok();
        let number = if is_critical { format!("**{}**", step + 1) } else { (step + 1).to_string() };
        let (wave, rest) = (shape.wave[step] + 1, cell(&rest));
        let _ = writeln!(text, "| {wave} | {number} | {verb} | {rest} | {} |", after.join(", "));
    }
    let _ = writeln!(text, "\n{}; its numbers are bold.", summary(plan, shape));
    text
}
