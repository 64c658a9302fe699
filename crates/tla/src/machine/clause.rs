//! Temporal formulas with the places they come from, so that one that is false can be explained.
//!
//! The search needs a [`Formula`]; a person needs the part of the text that is false, and in which
//! states. A clause has both.

use locus_explore::Formula;
use locus_source::Place;

use locus_tla_eval::value::Value;

/// A temporal formula or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) place: Place,
    /// The variables that quantifiers bind just here, with their values.
    pub(crate) bound: Vec<(String, Value)>,
    pub(crate) kind: ClauseKind,
}

/// The form of a clause. State and step atoms are given by index.
#[derive(Clone, Debug)]
pub(crate) enum ClauseKind {
    Constant(bool),
    State(usize),
    Step(usize),
    Not(Box<Clause>),
    And(Vec<Clause>),
    Or(Vec<Clause>),
    Implies(Box<[Clause; 2]>),
    Equivalent(Box<[Clause; 2]>),
    Always(Box<Clause>),
    Eventually(Box<Clause>),
    LeadsTo(Box<[Clause; 2]>),
    /// `WF_v(A)`: the state atom `ENABLED <<A>>_v`, the step atom `<<A>>_v`.
    Weak(usize, usize),
    /// `SF_v(A)`, likewise.
    Strong(usize, usize),
}

impl Clause {
    pub(crate) fn new(place: Place, kind: ClauseKind) -> Self {
        Self { place, bound: Vec::new(), kind }
    }

    /// The formula that the search decides.
    pub(crate) fn formula(&self) -> Formula {
        let all = |parts: &[Clause]| parts.iter().map(Clause::formula).collect();
        match &self.kind {
            ClauseKind::Constant(truth) => Formula::Constant(*truth),
            ClauseKind::State(atom) => Formula::State(*atom),
            ClauseKind::Step(atom) => Formula::Step(*atom),
            ClauseKind::Not(part) => part.formula().not(),
            ClauseKind::And(parts) => Formula::And(all(parts)),
            ClauseKind::Or(parts) => Formula::Or(all(parts)),
            ClauseKind::Implies(parts) => parts[0].formula().implies(parts[1].formula()),
            ClauseKind::Equivalent(parts) => parts[0].formula().equivalent(parts[1].formula()),
            ClauseKind::Always(part) => part.formula().always(),
            ClauseKind::Eventually(part) => part.formula().eventually(),
            ClauseKind::LeadsTo(parts) => parts[0].formula().leads_to(parts[1].formula()),
            ClauseKind::Weak(enabled, step) => {
                Formula::weak_fairness(Formula::State(*enabled), Formula::Step(*step))
            }
            ClauseKind::Strong(enabled, step) => {
                Formula::strong_fairness(Formula::State(*enabled), Formula::Step(*step))
            }
        }
    }
}
