//! The output of `--verify`: whether a plan is safe, whatever fails on the way.

use locus_plan::{Ending, Event, Failures, Plan, Risks, Verified, render, verify};
use serde_json::json;

use super::answer::Question;
use crate::Outcome;

/// Whether a plan is safe.
pub(super) struct Safety {
    risks: Risks,
    verified: Verified,
}

impl Safety {
    pub(super) fn new(question: &Question<'_>, plan: &Plan, retries: u8) -> Self {
        let risks = Risks { retries, ..Risks::default() };
        Self { risks, verified: verify(question.universe, question.start, plan, risks) }
    }

    pub(super) fn outcome(&self) -> Outcome {
        match self.verified {
            Verified::Safe { .. } => Outcome::Clean,
            Verified::Unsafe { .. } => Outcome::Findings,
            Verified::Unknown(_) => Outcome::CouldNotRun,
        }
    }

    /// The same ways as a TLA+ specification.
    pub(super) fn tla(&self, question: &Question<'_>, plan: &Plan) -> String {
        render::failures(&Failures::new(question.universe, question.start, plan, self.risks), "Failures")
    }

    /// For people.
    pub(super) fn lines(&self, question: &Question<'_>, plan: &Plan) -> Vec<String> {
        match &self.verified {
            Verified::Safe { states, symmetric, clean } => {
                let alike = if *symmetric { ", where components that are alike count once" } else { "" };
                let remains =
                    if *clean { "" } else { ", or in what is wanted with remains that could not be deleted" };
                vec![format!(
                    "safe: whatever fails, is tried again ({} at most) or is cancelled, every configuration is correct \
                     and it ends in what is wanted or where it started{remains} ({states} states{alike})",
                    times(self.risks.retries)
                )]
            }
            Verified::Unsafe { events, ending } => {
                let mut lines = vec![format!("not safe: {}", in_words(ending))];
                let event = |(number, event): (usize, &Event)| {
                    let (what, step) = match event {
                        Event::Start(step) => ("start", Some(step)),
                        Event::Finish(step) => ("finish", Some(step)),
                        Event::Retry(step) => ("fails and is tried again:", Some(step)),
                        Event::Fail(step) => ("fails for good:", Some(step)),
                        Event::Undo(step) => ("take back", Some(step)),
                        Event::Cancel => ("the operator cancels", None),
                    };
                    let of = step.map_or_else(String::new, |&step| {
                        let (verb, rest) = render::step(question.universe, plan, &plan.steps[step as usize]);
                        format!(" {}. {verb} {rest}", step + 1)
                    });
                    format!("  {:>3}  {what}{of}", number + 1)
                };
                lines.extend(events.iter().enumerate().map(event));
                lines
            }
            Verified::Unknown(why) => vec![format!("could not tell whether it is safe: {why}")],
        }
    }

    /// For programs.
    pub(super) fn json(&self) -> serde_json::Value {
        let retries = self.risks.retries;
        match &self.verified {
            Verified::Safe { states, symmetric, clean } => json!({
                "verdict": "safe", "retries": retries, "states": states, "symmetric": symmetric, "clean": clean,
            }),
            Verified::Unsafe { events, ending } => {
                let event = |event: &Event| {
                    let (name, step) = match event {
                        Event::Start(step) => ("start", Some(step)),
                        Event::Finish(step) => ("finish", Some(step)),
                        Event::Retry(step) => ("retry", Some(step)),
                        Event::Fail(step) => ("fail", Some(step)),
                        Event::Undo(step) => ("undo", Some(step)),
                        Event::Cancel => ("cancel", None),
                    };
                    json!({"event": name, "step": step.map(|step| step + 1)})
                };
                json!({
                    "verdict": "unsafe", "retries": retries, "reason": in_words(ending),
                    "events": events.iter().map(event).collect::<Vec<_>>(),
                })
            }
            Verified::Unknown(why) => json!({"verdict": "unknown", "retries": retries, "reason": why}),
        }
    }
}

fn times(number: u8) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}

fn in_words(ending: &Ending) -> String {
    match ending {
        Ending::Incorrect(why) => why.clone(),
        Ending::PartWay => {
            "it can end part-way: what is wanted is not there, and something was done that cannot be taken back".to_owned()
        }
        Ending::Stuck => "it can stick on the way back".to_owned(),
    }
}
