//! The result of a check: plain data, from which every rendering is made.

use std::time::Duration;

use locus_source::{Place, Rule};

use super::graph::StateGraph;
use super::kept::Kept;

/// The outcome of a check.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The verdict.
    pub verdict: Verdict,
    /// The name of the property, invariant or assumption that is violated.
    pub property: Option<String>,
    /// One sentence that says what was found.
    pub message: String,
    /// If something was violated, and the search was to go on behind it, why that is not all.
    pub unfinished: Option<String>,
    /// Where the violated property or the failed expression stands.
    pub place: Option<Place>,
    /// Which part of the property is false, from the outside in.
    pub reasons: Vec<Reason>,
    /// Behind a fault: the operators that were being evaluated, innermost first.
    pub trail: Vec<(String, Place)>,
    /// The behaviour that shows it; empty if there is none to show.
    pub trace: Vec<TraceStep>,
    /// The index in `trace` to which the behaviour returns for ever, if it does. If it is that of the last state,
    /// the behaviour stutters there.
    pub loops_to: Option<usize>,
    /// The action by which it returns; none if it stutters.
    pub returns_by: Option<ActionName>,
    /// Further violations, if the search continued behind the first: one sentence each.
    pub further: Vec<String>,
    /// States generated, duplicates included.
    pub generated: u64,
    /// Distinct states.
    pub distinct: u64,
    /// States on the longest shortest path.
    pub depth: u32,
    /// States found but not explored when the search ended.
    pub queue: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// The probability that two states were taken for one, as estimated from the numbers of states.
    pub collision: f64,
    /// How often each action was taken.
    pub coverage: Vec<Coverage>,
    /// How often the parts of the specification were evaluated, in the order of their places; empty unless asked for.
    pub expressions: Vec<ExpressionCoverage>,
    /// Constructs that are allowed and yet suspicious.
    pub warnings: Vec<Warning>,
    /// The output that the specification printed.
    pub printed: Vec<String>,
    /// Of a simulation: what was done. `distinct` is not known then.
    pub simulation: Option<Simulated>,
    /// The names of the model values.
    pub model_values: Vec<String>,
    /// The state graph, if it was asked for, or why it is not there.
    pub graph: Option<Result<StateGraph, String>>,
    /// How the states were kept, if there was a search.
    pub kept: Option<Kept>,
}

/// The extent of a simulation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Simulated {
    /// The seed, to repeat it.
    pub seed: u64,
    /// Behaviours that were walked through.
    pub behaviours: u64,
    /// The most states that a behaviour was to have.
    pub depth: u32,
}

/// The verdict of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Everything was explored and nothing is wrong.
    Ok,
    /// An assumption is false.
    Assumption,
    /// A state without a successor.
    Deadlock,
    /// An invariant is violated.
    Invariant,
    /// An action property, a temporal property or a refinement is violated.
    Property,
    /// The specification could not be evaluated.
    Evaluation,
    /// A limit was reached before anything was found.
    Incomplete,
    /// The behaviours that a simulation was asked for met no violation, which says nothing of the others.
    Simulated,
}

impl Verdict {
    /// The word used in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Assumption => "assumption",
            Self::Deadlock => "deadlock",
            Self::Invariant => "invariant",
            Self::Property => "property",
            Self::Evaluation => "evaluation",
            Self::Incomplete => "incomplete",
            Self::Simulated => "simulated",
        }
    }
}

/// Why a property is false, one step further in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// The part in question.
    pub place: Place,
    /// Whether it is true: the premise of what is false is.
    pub truth: bool,
    /// When it is so.
    pub when: When,
    /// Its text, cut from the file.
    pub text: String,
    /// The variables that were bound on the way to it, with their values.
    pub bound: Vec<(String, String)>,
}

/// When a part of a property is true or false. States are given by their index in the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// In the last state or step, or wherever it is evaluated.
    Here,
    /// In a state, or in the step that leaves it.
    In(usize),
    /// In a state and in all after it.
    From(usize),
    /// It is a condition of fairness, and the action that it names is not taken for ever, though it could be.
    NotTaken,
}

/// One state of a behaviour and how it came about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceStep {
    /// The action that led here; none for the initial state and for stuttering.
    pub action: Option<ActionName>,
    /// The variables in the order of their declaration.
    pub variables: Vec<TraceVariable>,
    /// The variables that the ALIAS of the configuration shows in their place, if it has one.
    pub alias: Option<Vec<TraceVariable>>,
    /// The values of further expressions that were asked for, under their texts.
    pub expressions: Vec<TraceVariable>,
}

impl TraceStep {
    /// The values to show of the state: the variables or what the ALIAS has in their place, and further expressions
    /// that were requested.
    pub fn shown(&self) -> impl Iterator<Item = &TraceVariable> {
        let state = self.alias.as_ref().unwrap_or(&self.variables);
        let is_new = |expression: &&TraceVariable| !state.iter().any(|shown| shown.name == expression.name);
        state.iter().chain(self.expressions.iter().filter(is_new))
    }
}

/// An action with its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionName {
    /// The name of the definition; empty if it is part of one without a name of its own.
    pub name: String,
    /// The parameters and their values.
    pub parameters: Vec<(String, String)>,
    /// Where it is defined.
    pub place: Place,
    /// If it is a step of an algorithm, the process or procedure that it is in; otherwise empty.
    pub within: String,
}

/// A variable in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceVariable {
    /// Its name.
    pub name: String,
    /// Its value as a TLA+ expression.
    pub value: String,
    /// Its value as JSON.
    pub json: serde_json::Value,
    /// Whether it differs from the state before.
    pub changed: bool,
}

/// How often an action was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coverage {
    /// The action.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// The states it generated.
    pub generated: u64,
    /// Those of them that were new.
    pub distinct: u64,
}

/// How often a part of the specification was evaluated: a conjunct, a disjunct, a condition, the value of a variable, a
/// branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpressionCoverage {
    /// Where it stands.
    pub place: Place,
    /// How often it was evaluated.
    pub evaluated: u64,
    /// How often it was true, if it is a formula; of a branch of an action, in how many ways.
    pub held: Option<u64>,
}

/// Something suspicious.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The rule that it comes from.
    pub rule: Rule,
    /// What.
    pub message: String,
    /// Where.
    pub place: Option<Place>,
}
