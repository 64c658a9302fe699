//! The answer for programs. What is here is a promise: keys are added, never changed.

use locus_aeolus::{Action, Universe};
use locus_plan::{Fate, Method, Plan, Shape, render};
use serde::Serialize;

use super::Question;

#[derive(Serialize, Default)]
struct Answer<'a> {
    version: u32,
    verdict: &'a str,
    reason: Option<String>,
    /// The links of the chain, if there is no plan.
    reasons: &'a [String],
    optimal: Option<bool>,
    components: Vec<Component<'a>>,
    bindings: Vec<Binding<'a>>,
    steps: Vec<Step<'a>>,
    critical_path: Vec<u32>,
    waves: u32,
    checked: Option<Checked>,
    /// What becomes of the things of a language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changes: Vec<Difference<'a>>,
}

#[derive(Serialize)]
struct Component<'a> {
    name: &'a str,
    r#type: &'a str,
    state: &'a str,
}

#[derive(Serialize)]
struct Binding<'a> {
    port: &'a str,
    requirer: &'a str,
    provider: &'a str,
}

#[derive(Serialize)]
struct Step<'a> {
    id: u32,
    after: Vec<u32>,
    #[serde(flatten)]
    action: StepAction<'a>,
}

#[derive(Serialize)]
#[serde(tag = "action", rename_all = "lowercase")]
enum StepAction<'a> {
    New { component: &'a str, r#type: &'a str },
    Change { changes: Vec<Change<'a>> },
    Bind(Binding<'a>),
    Unbind(Binding<'a>),
    Delete { component: &'a str },
}

#[derive(Serialize)]
struct Change<'a> {
    component: &'a str,
    from: &'a str,
    to: &'a str,
}

#[derive(Serialize)]
struct Difference<'a> {
    name: &'a str,
    change: &'static str,
    why: Vec<&'a str>,
}

impl<'a> Difference<'a> {
    fn new(difference: &'a locus_plan::Difference) -> Self {
        let change = match difference.fate {
            Fate::Keep => "keep",
            Fate::Add => "add",
            Fate::Change => "change",
            Fate::Replace => "replace",
            Fate::Remove => "remove",
        };
        let why = difference.why.iter().map(|why| why.text.as_str()).collect();
        Self { name: &difference.name, change, why }
    }
}

#[derive(Serialize)]
struct Checked {
    interleavings: &'static str,
    method: &'static str,
    configurations: Option<u64>,
}

pub(super) fn plan(
    universe: &Universe,
    plan: &Plan,
    shape: &Shape,
    question: &Question<'_>,
    method: Method,
    configurations: Option<u64>,
) -> anyhow::Result<String> {
    let name = |id| render::component(plan, id);
    let binding = |b: &locus_aeolus::Binding| Binding {
        port: universe.port_name(b.port),
        requirer: name(b.requirer),
        provider: name(b.provider),
    };
    let components = plan.end.components.iter().map(|(&id, component)| Component {
        name: name(id),
        r#type: &universe.kind(component.kind).name,
        state: &universe.state(component.kind, component.state).name,
    });
    let steps = plan.steps.iter().enumerate().map(|(index, step)| Step {
        id: index as u32 + 1,
        after: step.after.iter().map(|before| before + 1).collect(),
        action: match &step.action {
            Action::New(id, kind) => {
                StepAction::New { component: name(*id), r#type: &universe.kind(*kind).name }
            }
            Action::Change(changes) => StepAction::Change {
                changes: changes
                    .iter()
                    .map(|change| {
                        let kind = universe.kind(plan.components[change.component.index()].kind);
                        Change {
                            component: name(change.component),
                            from: &kind.state(change.from).name,
                            to: &kind.state(change.to).name,
                        }
                    })
                    .collect(),
            },
            Action::Bind(b) => StepAction::Bind(binding(b)),
            Action::Unbind(b) => StepAction::Unbind(binding(b)),
            Action::Delete(id) => StepAction::Delete { component: name(*id) },
        },
    });
    let method = match method {
        Method::Argument => "argument",
        Method::Exploration => "exploration",
    };
    let answer = Answer {
        version: 1,
        verdict: "plan",
        // A helper that must stay is more than what was chosen.
        optimal: question
            .optimal
            .map(|optimal| optimal && plan.end.components.len() <= question.components()),
        changes: question.differences.iter().map(Difference::new).collect(),
        components: components.collect(),
        bindings: plan.end.bindings.iter().map(binding).collect(),
        steps: steps.collect(),
        critical_path: shape.critical.iter().map(|step| step + 1).collect(),
        waves: shape.waves,
        checked: Some(Checked { interleavings: "all", method, configurations }),
        ..Answer::default()
    };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}

/// The answer without a plan: `none` or `unknown`.
pub(super) fn none(verdict: &str, reasons: &[String]) -> anyhow::Result<String> {
    let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    let answer = Answer { version: 1, verdict, reason, reasons, ..Answer::default() };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}
