//! Verdicts as findings: a violated property is something that Locus has to say about a file.

use locus_source::{Finding, Rule, Severity, SourceFile, Span};
use locus_tla::check::{CheckResult, Reason, Verdict, When};

/// The rules that a checked specification can break.
pub(crate) const RULES: &[Rule] = &[ASSUMPTION, DEADLOCK, INVARIANT, PROPERTY, EVALUATION];

const ASSUMPTION: Rule = Rule::new(
    "TLA100",
    "tla-assumption-violated",
    Severity::Error,
    "Every assumption is true for the constants given.",
    "An ASSUME states what the specification takes for granted of its constants. Give it constants for which it is true.",
);
const DEADLOCK: Rule = Rule::new(
    "TLA101",
    "tla-deadlock",
    Severity::Error,
    "From every reachable state some step leads on.",
    "A state was reached in which no action is enabled. If behaviours may end there, say `CHECK_DEADLOCK FALSE` in \
     the configuration or `--no-deadlock`.",
);
const INVARIANT: Rule = Rule::new(
    "TLA102",
    "tla-invariant-violated",
    Severity::Error,
    "Every invariant is true in every reachable state.",
    "The behaviour shown is a shortest one that leads to a state in which the invariant is false.",
);
const PROPERTY: Rule = Rule::new(
    "TLA103",
    "tla-property-violated",
    Severity::Error,
    "Every property is true of every behaviour; every postcondition is true; what must be possible happens in some behaviour.",
    "The behaviour shown violates the property. If it is a temporal one, the behaviour goes on for ever: it ends in a \
     loop, or stays in its last state. A postcondition, and what must be possible, is about all behaviours together, so none \
     is shown.",
);
const EVALUATION: Rule = Rule::new(
    "TLA104",
    "tla-evaluation-failed",
    Severity::Error,
    "Every expression has a value where it is evaluated.",
    "An expression was evaluated for which TLA+ does not say what it means, such as `1 + \"a\"` or a function outside \
     of its domain. Nothing is known about the specification until that is corrected. An expression that goes beyond a limit \
     of the evaluation, such as recursion without end, is reported so too, and is a question without an answer (exit code 2).",
);
/// The most parts of a property that are shown as the reason.
const LABELS: usize = 6;

/// Everything that a result says of the specification.
pub(crate) fn findings(result: &CheckResult, file: &SourceFile) -> Vec<Finding> {
    let start = file.place(Span::point(0));
    let warnings = result
        .warnings
        .iter()
        .map(|warning| Finding::new(&warning.rule, warning.place.unwrap_or(start), warning.message.clone()));
    finding(result, file).into_iter().chain(warnings).collect()
}

/// The finding of a verdict that is not clean.
fn finding(result: &CheckResult, file: &SourceFile) -> Option<Finding> {
    let rule = match result.verdict {
        Verdict::Ok | Verdict::Simulated | Verdict::Incomplete => return None,
        Verdict::Assumption => &ASSUMPTION,
        Verdict::Deadlock => &DEADLOCK,
        Verdict::Invariant => &INVARIANT,
        Verdict::Property => &PROPERTY,
        Verdict::Evaluation => &EVALUATION,
    };
    let place = result.place.unwrap_or_else(|| file.place(Span::point(0)));
    let mut finding = Finding::new(rule, place, result.message.clone());
    let bound = result.reasons.iter().flat_map(|reason| &reason.bound);
    let bound: Vec<_> = bound.map(|(name, value)| format!("{name} = {value}")).collect();
    let shown = innermost(&result.reasons);
    for (index, reason) in shown.iter().enumerate() {
        let mut label = said(reason);
        if index + 1 == shown.len() && !bound.is_empty() {
            label = format!("{label}, with {}", bound.join(", "));
        }
        finding =
            if reason.place == place { finding.label(label) } else { finding.also(reason.place, label) };
    }
    for (name, place) in result.trail.iter().take(8) {
        finding = finding.also(*place, format!("in {name}"));
    }
    Some(finding)
}

/// The parts that have no other within them: the others are false because of these. A few, if there are many.
fn innermost(reasons: &[Reason]) -> Vec<&Reason> {
    let inside = |outer: &Reason, inner: &Reason| {
        let (outer, inner) = (outer.place, inner.place);
        let within = outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;
        outer.file == inner.file && within
    };
    let mut shown: Vec<&Reason> = Vec::new();
    for (index, reason) in reasons.iter().enumerate() {
        if !reasons[index + 1..].iter().any(|later| inside(reason, later)) {
            shown.push(reason);
        }
    }
    shown.split_off(shown.len().saturating_sub(LABELS))
}

/// The truth of a part of a property, as a label at its place.
pub(crate) fn said(reason: &Reason) -> String {
    let truth = reason.truth;
    match reason.when {
        When::Here => format!("this part is {truth}"),
        When::In(state) => format!("this is {truth} in state {}", state + 1),
        When::From(0) if truth => "this is always true".to_owned(),
        When::From(0) => "this is never true".to_owned(),
        When::From(state) if truth => format!("this is true in every state from state {} on", state + 1),
        When::From(state) => format!("this is true in no state from state {} on", state + 1),
        When::NotTaken => "the step could be taken again and again, and never is".to_owned(),
    }
}
