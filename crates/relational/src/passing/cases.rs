//! For one way to break a formula: after which steps that is so.
//!
//! A circuit over tuples becomes one over steps: a tuple is there while all versions of things in it are. Only the
//! steps at which these come and go matter, and their order. Of few steps every set is looked at, sixty-four at once;
//! of more, a solver is asked.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::order::Order;
use crate::circuit::{Circuit, Gate, Lit};
use crate::cnf::Cnf;
use crate::error::SolveError;
use crate::sat::{Backend, Hope, Interrupt, SatResult, SatSolver, new_solver};

/// Of at most so many steps every set is looked at.
const FEW: usize = 12;

/// The versions that an input of a circuit needs.
pub(super) type Needed = SmallVec<[usize; 3]>;

/// Sets of steps after which a literal is true.
pub(super) struct Found {
    /// Whether it is true before the first step, or after the last.
    pub(super) at_ends: bool,
    /// Some sets, each with all that comes before its members; those with the fewest own steps first.
    pub(super) done: Vec<Vec<bool>>,
}

/// The part of a circuit that a literal depends on.
struct Cone {
    /// Ascending.
    nodes: Vec<usize>,
    /// The versions of each input among them.
    inputs: FxHashMap<usize, Needed>,
    steps: Vec<usize>,
}

/// Finds sets of steps after which a literal is true, up to `most` of them. `needed` says which versions an input
/// needs.
pub(super) fn find(
    circuit: &Circuit,
    lit: Lit,
    order: &Order<'_>,
    needed: &dyn Fn(usize) -> Needed,
    most: usize,
    interrupt: &Interrupt,
) -> Result<Found, SolveError> {
    if lit.is_constant() {
        let done = if lit == Lit::TRUE { vec![vec![false; order.count()]] } else { Vec::new() };
        return Ok(Found { at_ends: lit == Lit::TRUE, done });
    }
    if interrupt.is_raised() {
        return Err(SolveError::Interrupted);
    }
    let cone = Cone::of(circuit, lit, order, needed);
    if cone.steps.len() <= FEW {
        Ok(cone.all(circuit, lit, order, most))
    } else {
        cone.asked(circuit, lit, order, most, interrupt)
    }
}

impl Cone {
    fn of(circuit: &Circuit, lit: Lit, order: &Order<'_>, needed: &dyn Fn(usize) -> Needed) -> Self {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = vec![lit.node()];
        let mut inputs = FxHashMap::default();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            match circuit.gate(node) {
                Gate::Constant => {}
                Gate::Input => drop(inputs.insert(node, needed(node))),
                Gate::And(parts) => open.extend(parts.iter().map(|part| part.node())),
                Gate::Xor(a, b) => open.extend([a.node(), b.node()]),
                Gate::Ite(c, t, e) => open.extend([c.node(), t.node(), e.node()]),
            }
        }
        let mut nodes: Vec<usize> = seen.into_iter().collect();
        nodes.sort_unstable();
        let mut versions: Vec<usize> = inputs.values().flatten().copied().collect();
        versions.sort_unstable();
        versions.dedup();
        let steps = order.steps_of(&versions);
        Self { nodes, inputs, steps }
    }

    fn all(&self, circuit: &Circuit, lit: Lit, order: &Order<'_>, most: usize) -> Found {
        let count = self.steps.len();
        let number = |step: usize| self.steps.binary_search(&step).expect("it is one of these");
        let words = 1usize << count.saturating_sub(6);
        let valid = if count < 6 { (1u64 << (1 << count)) - 1 } else { u64::MAX };
        let pairs: Vec<(usize, usize)> = (0..count)
            .flat_map(|late| (0..late).map(move |early| (early, late)))
            .filter(|&(early, late)| order.is_before(self.steps[early], self.steps[late]))
            .collect();
        let place: FxHashMap<usize, usize> =
            self.nodes.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let mut values = vec![0u64; self.nodes.len()];
        let mut sets: Vec<usize> = Vec::new();
        for word in 0..words {
            // For each of the sixty-four sets of this word whether it has a step.
            let has = |step: usize| match step {
                0 => 0xAAAA_AAAA_AAAA_AAAA,
                1 => 0xCCCC_CCCC_CCCC_CCCC,
                2 => 0xF0F0_F0F0_F0F0_F0F0,
                3 => 0xFF00_FF00_FF00_FF00,
                4 => 0xFFFF_0000_FFFF_0000,
                5 => 0xFFFF_FFFF_0000_0000,
                high if word >> (high - 6) & 1 == 1 => u64::MAX,
                _ => 0,
            };
            let there = |version: usize| {
                let within = order.spans(version).iter().map(|span| {
                    let came = span.comes.map_or(u64::MAX, |step| has(number(step)));
                    came & !span.goes.map_or(0, |step| has(number(step)))
                });
                within.fold(0, |all, one| all | one)
            };
            for (at, &node) in self.nodes.iter().enumerate() {
                let value = |lit: Lit| {
                    let value = values[place[&lit.node()]];
                    if lit.is_negative() { !value } else { value }
                };
                values[at] = match circuit.gate(node) {
                    Gate::Constant => u64::MAX,
                    Gate::Input => {
                        self.inputs[&node].iter().fold(u64::MAX, |all, &version| all & there(version))
                    }
                    Gate::And(parts) => parts.iter().fold(u64::MAX, |all, &part| all & value(part)),
                    Gate::Xor(a, b) => value(a) ^ value(b),
                    Gate::Ite(c, t, e) => value(c) & value(t) | !value(c) & value(e),
                };
            }
            let value = values[place[&lit.node()]];
            let mut open = if lit.is_negative() { !value } else { value } & valid;
            for &(early, late) in &pairs {
                open &= !has(late) | has(early);
            }
            while open != 0 {
                sets.push(word << 6 | open.trailing_zeros() as usize);
                open &= open - 1;
            }
        }
        let whole = (1usize << count) - 1;
        let at_ends = sets.iter().any(|&set| set == 0 || set == whole);
        sets.sort_by_key(|set| (set.count_ones(), *set));
        sets.truncate(most);
        let steps = |set: usize| -> Vec<usize> {
            (0..count).filter(|step| set >> step & 1 == 1).map(|step| self.steps[step]).collect()
        };
        Found { at_ends, done: sets.into_iter().map(|set| order.with_all_before(&steps(set))).collect() }
    }

    fn asked(
        &self,
        circuit: &Circuit,
        lit: Lit,
        order: &Order<'_>,
        most: usize,
        interrupt: &Interrupt,
    ) -> Result<Found, SolveError> {
        let mut asking = Asking::new(self, circuit, lit, order, interrupt);
        let at_ends = self.holds_at(circuit, lit, order, false) || self.holds_at(circuit, lit, order, true);
        let mut done = Vec::new();
        while done.len() < most {
            let Some(set) = asking.fewest()? else { break };
            asking.forbid(&set);
            done.push(order.with_all_before(&asking.own(&set)));
        }
        Ok(Found { at_ends, done })
    }

    /// Whether the literal is true when no step is done, or all are.
    fn holds_at(&self, circuit: &Circuit, lit: Lit, order: &Order<'_>, is_done: bool) -> bool {
        let mut values: FxHashMap<usize, bool> = FxHashMap::default();
        for &node in &self.nodes {
            let value = |lit: Lit| values[&lit.node()] != lit.is_negative();
            let here = match circuit.gate(node) {
                Gate::Constant => true,
                Gate::Input => self.inputs[&node].iter().all(|&version| order.is_there(version, |_| is_done)),
                Gate::And(parts) => parts.iter().all(|&part| value(part)),
                Gate::Xor(a, b) => value(a) != value(b),
                Gate::Ite(c, t, e) => {
                    if value(c) {
                        value(t)
                    } else {
                        value(e)
                    }
                }
            };
            values.insert(node, here);
        }
        values[&lit.node()] != lit.is_negative()
    }
}

/// A solver that knows the order of the steps that matter, and when the literal is true.
struct Asking {
    solver: Box<dyn SatSolver>,
    /// The steps that matter to the literal, with their variables.
    steps: Vec<(usize, i32)>,
}

impl Asking {
    fn new(cone: &Cone, circuit: &Circuit, lit: Lit, order: &Order<'_>, interrupt: &Interrupt) -> Self {
        // A circuit of its own: clauses are made of a whole circuit.
        let mut own = Circuit::new(usize::MAX);
        let mut lits: FxHashMap<usize, Lit> = FxHashMap::default();
        let mut open = cone.steps.clone();
        let mut asserted = Vec::new();
        let mut edges = Vec::new();
        while let Some(step) = open.pop() {
            if lits.contains_key(&step) {
                continue;
            }
            lits.insert(step, own.input());
            for &before in order.before(step) {
                edges.push((before, step));
                open.push(before);
            }
        }
        for (early, late) in edges {
            asserted.push(own.or2(!lits[&late], lits[&early]));
        }
        let mut copies: FxHashMap<usize, Lit> = FxHashMap::default();
        for &node in &cone.nodes {
            let of = |lit: Lit| if lit.is_negative() { !copies[&lit.node()] } else { copies[&lit.node()] };
            let copy = match circuit.gate(node) {
                Gate::Constant => Lit::TRUE,
                Gate::Input => {
                    let mut all = Vec::new();
                    for &version in &cone.inputs[&node] {
                        let mut within = Vec::new();
                        for span in order.spans(version) {
                            let came = span.comes.map_or(Lit::TRUE, |step| lits[&step]);
                            let stays = span.goes.map_or(Lit::TRUE, |step| !lits[&step]);
                            within.push(own.and2(came, stays));
                        }
                        all.push(own.or(within));
                    }
                    own.and(all)
                }
                Gate::And(parts) => {
                    let parts: Vec<Lit> = parts.iter().map(|&part| of(part)).collect();
                    own.and(parts)
                }
                Gate::Xor(a, b) => {
                    let (a, b) = (of(a), of(b));
                    own.xor(a, b)
                }
                Gate::Ite(c, t, e) => {
                    let (c, t, e) = (of(c), of(t), of(e));
                    own.ite(c, t, e)
                }
            };
            copies.insert(node, copy);
        }
        let copy = copies[&lit.node()];
        asserted.push(if lit.is_negative() { !copy } else { copy });
        // A step is a variable also where no clause mentions it.
        let selected: Vec<Lit> = cone.steps.iter().map(|step| lits[step]).collect();
        let (cnf, selectors) = Cnf::new(&own, &asserted, &selected);
        let mut solver = new_solver(Backend::Best, Hope::Model, interrupt);
        cnf.load(&mut *solver);
        if cnf.contradiction {
            solver.add_clause(&[]);
        }
        let steps: Vec<(usize, i32)> = cone.steps.iter().copied().zip(selectors).collect();
        for (&(_, selector), &lit) in steps.iter().zip(&selected) {
            // The selector implies the step; and the other way round, so that it can be left out.
            if let Some(variable) = cnf.variable(lit) {
                solver.add_clause(&[selector, -variable]);
            }
        }
        Self { solver, steps }
    }

    fn ask(&mut self, left_out: &[usize]) -> Result<Option<Vec<bool>>, SolveError> {
        let assumed: Vec<i32> = left_out.iter().map(|&at| -self.steps[at].1).collect();
        match self.solver.solve(&assumed) {
            SatResult::Unknown => Err(SolveError::Interrupted),
            SatResult::Unsat => Ok(None),
            SatResult::Sat => Ok(Some(self.steps.iter().map(|step| self.solver.value(step.1)).collect())),
        }
    }

    /// A set of steps of which none can be left out by itself, as far as is tried.
    fn fewest(&mut self) -> Result<Option<Vec<bool>>, SolveError> {
        let Some(mut done) = self.ask(&[])? else { return Ok(None) };
        let mut left_out: Vec<usize> = (0..done.len()).filter(|&step| !done[step]).collect();
        // Many at once first: mostly few steps are needed.
        let mut size = done.len().next_power_of_two();
        while size > 0 {
            let open: Vec<usize> = (0..done.len()).rev().filter(|&step| done[step]).collect();
            for some in open.chunks(size) {
                let tried = left_out.len();
                left_out.extend(some.iter().filter(|step| done[**step]));
                if left_out.len() == tried {
                    continue;
                }
                match self.ask(&left_out)? {
                    Some(fewer) => {
                        left_out = (0..fewer.len()).filter(|&step| !fewer[step]).collect();
                        done = fewer;
                    }
                    None => left_out.truncate(tried),
                }
            }
            size /= 2;
        }
        Ok(Some(done))
    }

    fn forbid(&mut self, set: &[bool]) {
        let clause: Vec<i32> =
            self.steps.iter().zip(set).map(|(step, &is_in)| if is_in { -step.1 } else { step.1 }).collect();
        self.solver.add_clause(&clause);
    }

    fn own(&self, set: &[bool]) -> Vec<usize> {
        self.steps.iter().zip(set).filter(|(_, is_in)| **is_in).map(|(step, _)| step.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passing::order::{Span, Way};
    use proptest::prelude::*;

    proptest! {
        /// Looking at all sets of steps, and asking a solver for them, give the same.
        #[test]
        fn a_solver_finds_the_sets_that_are_found_by_looking_at_all(
            order in prop::collection::vec((0..6usize, 0..6usize), 0..7),
            spans in prop::collection::vec((prop::option::of(0..6usize), prop::option::of(0..6usize)), 6),
            inputs in prop::collection::vec((0..6usize, 0..6usize), 4),
            gates in prop::collection::vec((0..3u8, any::<[u8; 3]>(), any::<u8>()), 1..12),
        ) {
            let mut after = vec![Vec::new(); 6];
            for (early, late) in order.into_iter().filter(|&(early, late)| early < late) {
                after[late].push(early);
            }
            let versions: Vec<Vec<Span>> =
                spans.into_iter().map(|(comes, goes)| vec![Span { comes, goes }]).collect();
            let order =
                Order::new(Way { after: &after, versions: &versions, version_of: FxHashMap::default() });
            let mut circuit = Circuit::new(1 << 20);
            let mut lits: Vec<Lit> = inputs.iter().map(|_| circuit.input()).collect();
            let nodes: Vec<usize> = lits.iter().map(|lit| lit.node()).collect();
            for (kind, picks, signs) in gates {
                let pick = |at: usize| {
                    let lit = lits[picks[at] as usize % lits.len()];
                    if signs >> at & 1 == 1 { !lit } else { lit }
                };
                let (a, b, c) = (pick(0), pick(1), pick(2));
                lits.push(match kind {
                    0 => circuit.and([a, b, c]),
                    1 => circuit.xor(a, b),
                    _ => circuit.ite(a, b, c),
                });
            }
            let lit = *lits.last().expect("there is a gate");
            prop_assume!(!lit.is_constant());
            let needed = |node: usize| -> Needed {
                let (a, b) = inputs[nodes.iter().position(|&other| other == node).expect("it is an input")];
                [a, b].into_iter().collect()
            };
            let cone = Cone::of(&circuit, lit, &order, &needed);
            let looked = cone.all(&circuit, lit, &order, usize::MAX);
            let asked = cone.asked(&circuit, lit, &order, usize::MAX, &Interrupt::never()).unwrap();
            prop_assert_eq!(looked.at_ends, asked.at_ends);
            let sorted = |mut sets: Vec<Vec<bool>>| {
                sets.sort();
                sets
            };
            prop_assert_eq!(sorted(looked.done), sorted(asked.done));
        }
    }
}
