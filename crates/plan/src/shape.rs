//! The shape of a plan: what can run side by side, and what takes longest.

use crate::problem::Plan;

/// Figures of the partial order of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The wave of each step, from 0: a step comes one wave after the last that it waits for.
    pub wave: Vec<u32>,
    /// The number of waves.
    pub waves: u32,
    /// The most steps in one wave.
    pub widest: usize,
    /// Steps each of which waits for the one before, and that take as long as the whole.
    pub critical: Vec<u32>,
    /// How long the critical path takes, if every step takes the time that it was given.
    pub length: u64,
}

/// The shape of a plan whose steps take these times; each takes 1 if none are given.
pub fn shape(plan: &Plan, durations: Option<&[u64]>) -> Shape {
    let time = |step: usize| durations.map_or(1, |durations| durations[step]);
    let count = plan.steps.len();
    let (mut wave, mut end, mut before) = (vec![0u32; count], vec![0u64; count], vec![None; count]);
    for (index, step) in plan.steps.iter().enumerate() {
        wave[index] = step.after.iter().map(|&b| wave[b as usize] + 1).max().unwrap_or(0);
        // Of equals the first, so that the answer does not depend on the order of the list.
        let last = step.after.iter().copied().max_by_key(|&b| (end[b as usize], std::cmp::Reverse(b)));
        before[index] = last;
        end[index] = last.map_or(0, |last| end[last as usize]) + time(index);
    }
    let waves = wave.iter().map(|wave| wave + 1).max().unwrap_or(0);
    let mut sizes = vec![0usize; waves as usize];
    for &wave in &wave {
        sizes[wave as usize] += 1;
    }
    let last = (0..count).max_by_key(|&step| (end[step], std::cmp::Reverse(step)));
    let mut critical: Vec<u32> = Vec::new();
    let mut next = last.map(|step| step as u32);
    while let Some(step) = next {
        critical.push(step);
        next = before[step as usize];
    }
    critical.reverse();
    let length = last.map_or(0, |last| end[last]);
    Shape { wave, waves, widest: sizes.into_iter().max().unwrap_or(0), critical, length }
}
