//! Why a temporal property is false of a behaviour: the part of it, and the states in which it is so.

use locus_explore::{AtomSet, Properties, Trace, TraceEnd};
use locus_source::Sources;

use locus_tla_eval::eval::Context;
use locus_tla_eval::value::Outcome;

use super::explain::{explain, reason};
use super::result::{Reason, When};
use crate::machine::Machine;
use crate::machine::clause::{Clause, ClauseKind};

/// The parts of a property that make it false of a behaviour that goes on for ever. Empty if it cannot be said.
pub(crate) fn explain_behaviour(
    machine: &Machine,
    context: &mut Context,
    sources: &Sources,
    trace: &Trace<Machine>,
    property: &Clause,
) -> Vec<Reason> {
    let Ok(Some(lasso)) = Lasso::new(machine, context, trace) else { return Vec::new() };
    // Only what is certain is said: where evaluating it once more gives another answer, nothing is.
    if trace.missing > 0 || lasso.truths(property)[0] {
        return Vec::new();
    }
    let mut found = Vec::new();
    lasso.descend(property, 0, false, &mut found);
    let mut reasons = Vec::new();
    for part in found {
        let inner = match part.inner {
            Some(Atom::State(atom, at)) => context.in_state(&trace.steps[at].state, |context| {
                context.reset(&machine.resets.atoms.state);
                Ok(explain(context, sources, &machine.state_atoms[atom]))
            }),
            Some(Atom::Step(atom, at)) => {
                let (from, to) = (&trace.steps[at].state, &trace.steps[lasso.next(at)].state);
                context.in_step(from, to, &machine.resets.atoms, |context| {
                    Ok(explain(context, sources, &machine.step_atoms[atom]))
                })
            }
            None => Ok(Vec::new()),
        };
        let names = &machine.shared.names;
        let bound =
            part.clause.bound.iter().map(|(name, value)| (name.clone(), value.shown(names).to_string()));
        reasons.push(Reason {
            truth: part.truth,
            when: part.when,
            ..reason(sources, part.clause.place, bound.collect())
        });
        let inner = inner.unwrap_or_default().into_iter();
        reasons.extend(inner.map(|reason| Reason { when: part.when, ..reason }));
    }
    reasons
}

/// A behaviour that goes on for ever, by the atoms that are true in each of its states and steps.
struct Lasso {
    states: Vec<AtomSet>,
    steps: Vec<AtomSet>,
    /// The place that follows the last one.
    back: usize,
}

/// A part of a property, and what is the case with it.
struct Found<'c> {
    clause: &'c Clause,
    truth: bool,
    when: When,
    /// An atom that is false at a place, to be explained further.
    inner: Option<Atom>,
}

enum Atom {
    State(usize, usize),
    Step(usize, usize),
}

impl Lasso {
    /// Evaluates all atoms. None if the behaviour ends.
    fn new(machine: &Machine, context: &mut Context, trace: &Trace<Machine>) -> Outcome<Option<Lasso>> {
        let count = trace.steps.len();
        let back = match &trace.end {
            TraceEnd::BackTo { index, .. } => *index,
            TraceEnd::Stuttering => count.saturating_sub(1),
            TraceEnd::Finite => return Ok(None),
        };
        let mut lasso = Lasso { states: Vec::new(), steps: Vec::new(), back };
        for (at, step) in trace.steps.iter().enumerate() {
            let to = &trace.steps[if at + 1 < count { at + 1 } else { back }].state;
            let mut atoms = AtomSet::new(machine.state_atoms.len());
            machine.state_atoms(context, &step.state, &mut atoms)?;
            lasso.states.push(atoms);
            let mut atoms = AtomSet::new(machine.step_atoms.len());
            machine.step_atoms(context, &step.state, None, to, &mut atoms)?;
            lasso.steps.push(atoms);
        }
        Ok((count > 0).then_some(lasso))
    }

    /// The place after another.
    fn next(&self, at: usize) -> usize {
        if at + 1 < self.states.len() { at + 1 } else { self.back }
    }

    /// The places from one on, each once, in the order of the behaviour.
    fn from(&self, at: usize) -> impl Iterator<Item = usize> {
        (at..self.states.len()).chain(self.back.min(at)..at)
    }

    /// Whether a clause is true, at each place.
    fn truths(&self, clause: &Clause) -> Vec<bool> {
        let each = |of: &dyn Fn(usize) -> bool| (0..self.states.len()).map(of).collect::<Vec<bool>>();
        let any = |truths: &[bool]| each(&|at| self.from(at).any(|at| truths[at]));
        let all = |truths: &[bool]| each(&|at| self.from(at).all(|at| truths[at]));
        let pair = |parts: &[Clause; 2]| (self.truths(&parts[0]), self.truths(&parts[1]));
        match &clause.kind {
            ClauseKind::Constant(truth) => each(&|_| *truth),
            ClauseKind::State(atom) => each(&|at| self.states[at].contains(*atom)),
            ClauseKind::Step(atom) => each(&|at| self.steps[at].contains(*atom)),
            ClauseKind::Not(part) => self.truths(part).into_iter().map(|truth| !truth).collect(),
            ClauseKind::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.truths(part)).collect();
                each(&|at| parts.iter().all(|truths| truths[at]))
            }
            ClauseKind::Or(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.truths(part)).collect();
                each(&|at| parts.iter().any(|truths| truths[at]))
            }
            ClauseKind::Implies(parts) => {
                let (premise, conclusion) = pair(parts);
                each(&|at| !premise[at] || conclusion[at])
            }
            ClauseKind::Equivalent(parts) => {
                let (one, other) = pair(parts);
                each(&|at| one[at] == other[at])
            }
            ClauseKind::Always(part) => all(&self.truths(part)),
            ClauseKind::Eventually(part) => any(&self.truths(part)),
            ClauseKind::LeadsTo(parts) => {
                let (premise, conclusion) = pair(parts);
                let conclusion = any(&conclusion);
                all(&each(&|at| !premise[at] || conclusion[at]))
            }
            // What is true again and again is what is true somewhere on the circle.
            ClauseKind::Weak(enabled, step) => {
                let fair = self
                    .circle()
                    .any(|at| !self.states[at].contains(*enabled) || self.steps[at].contains(*step));
                each(&|_| fair)
            }
            ClauseKind::Strong(enabled, step) => {
                let taken = self.circle().any(|at| self.steps[at].contains(*step));
                let fair = taken || !self.circle().any(|at| self.states[at].contains(*enabled));
                each(&|_| fair)
            }
        }
    }

    fn circle(&self) -> std::ops::Range<usize> {
        self.back..self.states.len()
    }

    /// Goes to the parts because of which a clause has this truth at a place.
    fn descend<'c>(&self, clause: &'c Clause, at: usize, truth: bool, found: &mut Vec<Found<'c>>) {
        let mut add = |clause: &'c Clause, truth, when| {
            let inner = match (&clause.kind, when, truth) {
                (ClauseKind::State(atom), When::In(at), false) => Some(Atom::State(*atom, at)),
                (ClauseKind::Step(atom), When::In(at), false) => Some(Atom::Step(*atom, at)),
                _ => None,
            };
            found.push(Found { clause, truth, when, inner });
        };
        match (&clause.kind, truth) {
            (ClauseKind::Not(part), _) => {
                add(part, !truth, When::In(at));
                self.descend(part, at, !truth, found);
            }
            (ClauseKind::And(parts), false) | (ClauseKind::Or(parts), true) => {
                if let Some(part) = parts.iter().find(|part| self.truths(part)[at] == truth) {
                    add(part, truth, When::In(at));
                    self.descend(part, at, truth, found);
                }
            }
            (ClauseKind::And(parts), true) | (ClauseKind::Or(parts), false) => {
                for part in parts {
                    add(part, truth, When::In(at));
                }
                if let [only] = &parts[..] {
                    self.descend(only, at, truth, found);
                }
            }
            (ClauseKind::Equivalent(parts), false) => {
                for part in parts.iter() {
                    add(part, self.truths(part)[at], When::In(at));
                }
            }
            (ClauseKind::Implies(parts), false) => {
                add(&parts[0], true, When::In(at));
                add(&parts[1], false, When::In(at));
                self.descend(&parts[1], at, false, found);
            }
            (ClauseKind::Always(part), false) | (ClauseKind::Eventually(part), true) => {
                let truths = self.truths(part);
                if let Some(at) = self.from(at).find(|at| truths[*at] == truth) {
                    add(part, truth, When::In(at));
                    self.descend(part, at, truth, found);
                }
            }
            (ClauseKind::Always(part), true) | (ClauseKind::Eventually(part), false) => {
                add(part, truth, When::From(at));
            }
            (ClauseKind::LeadsTo(parts), false) => {
                let (premise, conclusion) = (self.truths(&parts[0]), self.truths(&parts[1]));
                let open = |at: &usize| premise[*at] && !self.from(*at).any(|at| conclusion[at]);
                if let Some(at) = self.from(at).find(open) {
                    add(&parts[0], true, When::In(at));
                    add(&parts[1], false, When::From(at));
                }
            }
            (ClauseKind::Weak(..) | ClauseKind::Strong(..), false) => add(clause, false, When::NotTaken),
            _ => {}
        }
    }
}
