//! The answer for programs. What is here is a promise: keys are added, never changed.

use locus_aeolus::Action;
use locus_plan::{Fate, Method, Plan, Shape, render};
use locus_source::{Place, Sources};
use serde::Serialize;

use super::answer::{Placed, Question};
use super::on_the_way::OnTheWay;
use super::safety::Safety;

#[derive(Serialize, Default)]
struct Answer<'a> {
    version: u32,
    verdict: &'a str,
    reason: Option<String>,
    /// The links of the chain, if there is no plan.
    reasons: &'a [String],
    optimal: Option<bool>,
    /// The cost of the chosen configuration with its machines, and a lower bound of the cost of any that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<u64>,
    components: Vec<Component<'a>>,
    bindings: Vec<Binding<'a>>,
    steps: Vec<Step<'a>>,
    critical_path: Vec<u32>,
    waves: u32,
    /// How long the critical path takes, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    checked: Option<Checked>,
    /// Components that are made and deleted again.
    helpers: Vec<Helper<'a>>,
    /// The changes of the things of a language.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Vec<Difference<'a>>>,
    /// The assumptions, in words.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    assumptions: &'a [String],
    /// The rules that some configuration on the way breaks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    on_the_way: Vec<serde_json::Value>,
    /// Why it could not be told whether the rules hold on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    on_the_way_not_told: Option<String>,
    /// The things that go before what takes their place comes, so that no rule is broken on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    in_turn: Vec<String>,
    /// Whether it is safe, if that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    verified: Option<serde_json::Value>,
    /// Where components run, if there are machines.
    #[serde(skip_serializing_if = "Option::is_none")]
    placement: Option<Placement<'a>>,
}

/// A component that is there for a while, and why.
#[derive(Serialize)]
struct Helper<'a> {
    component: &'a str,
    in_place_of: Vec<&'a str>,
    serves: Vec<Served<'a>>,
}

#[derive(Serialize)]
struct Served<'a> {
    port: &'a str,
    requirer: &'a str,
}

#[derive(Serialize)]
struct Placement<'a> {
    cost: u64,
    at_least: u64,
    machines: Vec<Machine<'a>>,
}

#[derive(Serialize)]
struct Machine<'a> {
    name: &'a str,
    components: Vec<&'a str>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
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
    why: Vec<Why>,
    /// Whether something that is kept in it is lost.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    loses_data: bool,
}

/// Why something changes, with its places in both files as `file:line:column`.
#[derive(Serialize)]
struct Why {
    text: String,
    old: Option<String>,
    new: Option<String>,
}

impl<'a> Difference<'a> {
    fn new(difference: &'a locus_plan::Difference, sources: &Sources) -> Self {
        let change = match difference.fate {
            Fate::Keep => "keep",
            Fate::Add => "add",
            Fate::Change => "change",
            Fate::Replace => "replace",
            Fate::Remove => "remove",
            Fate::Leave => "leave",
        };
        let place = |place: Option<Place>| place.map(|place| sources.describe(place));
        let why = difference.why.iter().map(|why| Why {
            text: why.to_string(),
            old: place(why.old),
            new: place(why.new),
        });
        let loses_data = difference.loses_data;
        Self { name: &difference.name, change, why: why.collect(), loses_data }
    }
}

#[derive(Serialize)]
struct Checked {
    interleavings: &'static str,
    method: &'static str,
    configurations: Option<u64>,
}

/// The plan and the results of its checks, for the answer in JSON.
pub(super) struct Told<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) plan: &'a Plan,
    pub(super) shape: &'a Shape,
    /// How long each step takes, in milliseconds.
    pub(super) times: Option<&'a [u64]>,
    pub(super) checked: locus_plan::Checked,
    pub(super) way: &'a OnTheWay,
    pub(super) safety: Option<&'a Safety>,
    pub(super) placed: Option<&'a Placed>,
    /// The things that go before what takes their place comes, in words.
    pub(super) in_turn: Vec<String>,
    pub(super) sources: &'a Sources,
}

pub(super) fn plan(told: &Told<'_>) -> anyhow::Result<String> {
    let &Told { question, plan, shape, times, ref checked, way, safety, placed, ref in_turn, sources } = told;
    let universe = question.universe;
    let seconds = |milliseconds: u64| milliseconds as f64 / 1000.0;
    let name = |id| render::component(plan, id);
    let binding = |b: &locus_aeolus::Binding| Binding {
        port: universe.port_name(b.port),
        requirer: name(b.requirer),
        provider: name(b.provider),
    };
    let components = plan.end.components.iter().map(|(&id, component)| Component {
        name: name(id),
        r#type: universe.kind(component.kind).shown(),
        state: &universe.state(component.kind, component.state).name,
    });
    let steps = plan.steps.iter().enumerate().map(|(index, step)| Step {
        id: index as u32 + 1,
        after: step.after.iter().map(|before| before + 1).collect(),
        seconds: times.map(|times| seconds(times[index])),
        action: match &step.action {
            Action::New(id, kind) => {
                StepAction::New { component: name(*id), r#type: universe.kind(*kind).shown() }
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
    let helper = |helper: locus_plan::Helper| Helper {
        component: name(helper.component),
        in_place_of: helper.in_place_of.into_iter().map(name).collect(),
        serves: helper
            .serves
            .into_iter()
            .map(|(port, requirer)| Served { port: universe.port_name(port), requirer: name(requirer) })
            .collect(),
    };
    let method = match checked.method {
        Method::Argument => "argument",
        Method::Exploration => "exploration",
    };
    let answer = Answer {
        version: 1,
        verdict: "plan",
        // A helper that must stay is more than what was chosen.
        optimal: question
            .cost
            .map(|(cost, at_least)| cost == at_least && plan.end.components.len() <= question.components()),
        cost: question.cost.map(|(cost, _)| cost),
        at_least: question.cost.map(|(_, at_least)| at_least),
        changes: question
            .pivot
            .map(|pivot| pivot.differences.iter().map(|one| Difference::new(one, sources)).collect()),
        components: components.collect(),
        bindings: plan.end.bindings.iter().map(binding).collect(),
        steps: steps.collect(),
        critical_path: shape.critical.iter().map(|step| step + 1).collect(),
        waves: shape.waves,
        seconds: times.map(|_| seconds(shape.length)),
        checked: Some(Checked { interleavings: "all", method, configurations: checked.configurations }),
        assumptions: question.pivot.map_or(&[], |pivot| pivot.assumptions.as_slice()),
        helpers: locus_plan::helpers(plan).into_iter().map(helper).collect(),
        in_turn: in_turn.clone(),
        on_the_way: way.json(sources),
        on_the_way_not_told: way.open().map(str::to_owned),
        verified: safety.map(Safety::json),
        placement: placed.map(|placed| Placement {
            cost: placed.cost,
            at_least: placed.at_least,
            machines: placed
                .machines
                .iter()
                .map(|used| Machine {
                    name: &used.name,
                    components: used.components.iter().map(|&id| name(id)).collect(),
                })
                .collect(),
        }),
        ..Answer::default()
    };
    Ok(serde_json::to_string_pretty(&answer)?)
}

/// The answer without a plan: `none` or `unknown`.
pub(super) fn without_plan(verdict: &str, reasons: &[String]) -> anyhow::Result<String> {
    let reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    let answer = Answer { version: 1, verdict, reason, reasons, ..Answer::default() };
    Ok(serde_json::to_string_pretty(&answer)?)
}
