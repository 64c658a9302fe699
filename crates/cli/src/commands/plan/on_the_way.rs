//! The rules of the language asked of every configuration on the way of a plan, and what is said of those that break.

use std::time::Duration;

use locus_aeolus::Universe;
use locus_judge::{InTurn, Judged, Way, in_turn, judge};
use locus_plan::{Plan, render};
use locus_source::Sources;
use serde_json::json;

use super::answer::Question;
use crate::Outcome;
use crate::page::Page;

/// When the search for a configuration that breaks a rule is given up.
const PATIENCE: Duration = Duration::from_secs(30);

/// The judgement of the way.
#[derive(Default)]
pub(crate) struct OnTheWay {
    judged: Judged,
    /// The reason for which it could not be told, if it could not.
    open: Option<String>,
}

impl OnTheWay {
    /// Judges a plan by the rules that hold always.
    pub(super) fn new(question: &Question<'_>, plan: &Plan) -> Self {
        let [old, new] = question.documents;
        let Some(pivot) = question.pivot else { return Self::default() };
        if let Some(why) = question.not_judged {
            return Self { open: Some(why.to_owned()), ..Self::default() };
        }
        Self::of(&Way { old, new, pivot, plan }, PATIENCE)
    }

    /// Judges a way by the rules that hold always.
    pub(crate) fn of(way: &Way<'_>, patience: Duration) -> Self {
        match judge(way, patience) {
            Ok(judged) => {
                let open = judged.not_told.first().map(|(code, why)| format!("{code}: {why}"));
                Self { judged, open }
            }
            Err(finding) => Self { judged: Judged::default(), open: Some(finding.message) },
        }
    }

    /// Another order, in which no rule is broken, if one is found.
    pub(super) fn in_turn(&self, question: &Question<'_>) -> Option<InTurn> {
        // Of what is deployed the things are not those of a document.
        let is_known = question.things.iter().any(|things| !things.is_empty());
        is_known.then(|| in_turn(question.documents, question.things, &self.judged, PATIENCE))?
    }

    pub(crate) fn is_right(&self) -> bool {
        self.judged.broken.is_empty()
    }

    pub(super) fn outcome(&self) -> Outcome {
        match (self.is_right(), &self.open) {
            (false, _) => Outcome::Findings,
            (true, Some(_)) => Outcome::CouldNotRun,
            (true, None) => Outcome::Clean,
        }
    }

    /// For people: each finding with the steps between which it is so.
    pub(crate) fn show(&self, universe: &Universe, plan: &Plan, page: &mut Page, sources: &Sources) {
        for (line, broken) in self.when(universe, plan).iter().zip(&self.judged.broken) {
            page.line(line);
            page.finding(&broken.finding, sources);
        }
        if let Some(open) = &self.open {
            page.line(&not_told(open));
        }
    }

    /// For Markdown: a line for each.
    pub(super) fn lines(&self, universe: &Universe, plan: &Plan, sources: &Sources) -> Vec<String> {
        let one = |(when, broken): (String, &locus_judge::OnTheWay)| {
            let places: Vec<String> = broken.finding.places().map(|place| sources.describe(place)).collect();
            let (code, message) = (&broken.finding.code, &broken.finding.message);
            format!("{when} {code}: {message} ({})", places.join(" and "))
        };
        let lines = self.when(universe, plan).into_iter().zip(&self.judged.broken).map(one);
        lines.chain(self.open.as_deref().map(not_told)).collect()
    }

    /// When each rule is broken, in words.
    fn when(&self, universe: &Universe, plan: &Plan) -> Vec<String> {
        let words = |steps: &[u32]| -> Vec<String> {
            let step = |&step: &u32| {
                let (verb, rest) = render::step(universe, plan, &plan.steps[step as usize]);
                format!("step {} ({verb} {})", step + 1, rest.replace('\n', "␤"))
            };
            steps.iter().map(step).collect()
        };
        let one = |broken: &locus_judge::OnTheWay| {
            let (after, before) = (words(&broken.after), words(&broken.before));
            let after = if after.is_empty() {
                "before the first step".to_owned()
            } else {
                format!("after {}", after.join(" and "))
            };
            let before =
                if before.is_empty() { String::new() } else { format!(", before {}", before.join(" and ")) };
            format!("refused on the way, {after}{before}:")
        };
        self.judged.broken.iter().map(one).collect()
    }

    /// For programs: the reason for which it could not be told.
    pub(crate) fn open(&self) -> Option<&str> {
        self.open.as_deref()
    }

    /// For programs.
    pub(crate) fn json(&self, sources: &Sources) -> Vec<serde_json::Value> {
        let numbers = |steps: &[u32]| -> Vec<u32> { steps.iter().map(|step| step + 1).collect() };
        let one = |broken: &locus_judge::OnTheWay| {
            let finding = &broken.finding;
            json!({
                "code": finding.code.to_string(),
                "message": finding.message,
                "places": finding.places().map(|place| sources.describe(place)).collect::<Vec<_>>(),
                "after": numbers(&broken.after),
                "before": numbers(&broken.before),
            })
        };
        self.judged.broken.iter().map(one).collect()
    }
}

fn not_told(why: &str) -> String {
    format!("could not tell whether the rules hold on the way: {why}")
}
