//! From circuits to clauses.
//!
//! Each gate that is needed gets a variable, and clauses in the directions in which it is needed only (Plaisted and
//! Greenbaum). What is asserted at the top gets no variable: a conjunction is asserted part by part, a disjunction
//! is a clause. A conjunction that is used once, inside of another, is merged into it; and one that is used once,
//! negated, where only "not all of these" matters, is written into the clause that uses it.

use crate::circuit::{Circuit, Gate, Lit};
use crate::sat::SatSolver;

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

/// Clauses, and which variable stands for which node.
pub(crate) struct Cnf {
    /// For each node its variable, 0 when it has none.
    variables: Vec<i32>,
    next: i32,
    /// All clauses, each ended by 0.
    pub(crate) clauses: Vec<i32>,
    pub(crate) count: usize,
    /// No model at all.
    pub(crate) contradiction: bool,
    buffer: Vec<i32>,
}

impl Cnf {
    /// Clauses that are satisfiable exactly when all of these literals can be true. The second list has literals that
    /// may be assumed later: each gets a selector that implies it.
    pub(crate) fn new(circuit: &Circuit, asserted: &[Lit], selected: &[Lit]) -> (Self, Vec<i32>) {
        let mut cnf = Self {
            variables: vec![0; circuit.len()],
            next: 0,
            clauses: Vec::new(),
            count: 0,
            contradiction: false,
            buffer: Vec::new(),
        };
        // What is asserted comes apart into clauses; its inner literals are the roots.
        let mut clauses: Vec<Vec<Lit>> = Vec::new();
        let mut work: Vec<(Lit, Option<usize>)> = asserted.iter().map(|&lit| (lit, None)).collect();
        work.extend(selected.iter().enumerate().map(|(i, &lit)| (lit, Some(i))));
        let selectors: Vec<i32> = selected.iter().map(|_| cnf.fresh()).collect();
        let mut heads: Vec<Option<usize>> = Vec::new();
        while let Some((lit, selector)) = work.pop() {
            match circuit.gate(lit.node()) {
                Gate::And(parts) if !lit.is_negative() => {
                    work.extend(parts.iter().map(|&part| (part, selector)));
                }
                Gate::And(parts) => {
                    clauses.push(parts.iter().map(|&part| !part).collect());
                    heads.push(selector);
                }
                Gate::Constant if lit == Lit::TRUE => {}
                Gate::Constant => {
                    clauses.push(Vec::new());
                    heads.push(selector);
                }
                Gate::Xor(a, b) => {
                    let a = if lit.is_negative() { !a } else { a };
                    clauses.extend([vec![a, b], vec![!a, !b]]);
                    heads.extend([selector; 2]);
                }
                Gate::Ite(c, t, e) => {
                    let (t, e) = if lit.is_negative() { (!t, !e) } else { (t, e) };
                    clauses.extend([vec![!c, t], vec![c, e]]);
                    heads.extend([selector; 2]);
                }
                Gate::Input => {
                    clauses.push(vec![lit]);
                    heads.push(selector);
                }
            }
        }
        let inline = cnf.define(circuit, &clauses);
        for (clause, head) in clauses.iter().zip(heads) {
            let mut out = std::mem::take(&mut cnf.buffer);
            out.clear();
            out.extend(head.map(|i| -selectors[i]));
            for &lit in clause {
                cnf.write(circuit, lit, &inline, &mut out);
            }
            if out.is_empty() {
                cnf.contradiction = true;
            }
            cnf.push(&out);
            cnf.buffer = out;
        }
        (cnf, selectors)
    }

    fn fresh(&mut self) -> i32 {
        self.next += 1;
        self.next
    }

    /// How many variables are in use.
    pub(crate) fn variable_count(&self) -> usize {
        self.next as usize
    }

    /// The variable of an input that occurs in the clauses.
    pub(crate) fn variable(&self, lit: Lit) -> Option<i32> {
        Some(self.variables[lit.node()]).filter(|&v| v != 0)
    }

    fn literal(&self, lit: Lit) -> i32 {
        let variable = self.variables[lit.node()];
        debug_assert!(variable != 0, "a literal in use has a variable");
        if lit.is_negative() { -variable } else { variable }
    }

    /// A literal of a clause; of a conjunction without a variable, what its negation says.
    fn write(&self, circuit: &Circuit, lit: Lit, inline: &Inline, out: &mut Vec<i32>) {
        if inline.negated[lit.node()] {
            let start = out.len();
            self.collect(circuit, lit.node(), &inline.merged, out);
            for part in &mut out[start..] {
                *part = -*part;
            }
        } else {
            out.push(self.literal(lit));
        }
    }

    fn push(&mut self, clause: &[i32]) {
        self.clauses.extend_from_slice(clause);
        self.clauses.push(0);
        self.count += 1;
    }

    /// Makes variables and clauses for all gates below the given clauses.
    fn define(&mut self, circuit: &Circuit, clauses: &[Vec<Lit>]) -> Inline {
        let (uses, polarity) = polarities(circuit, clauses);
        let inline = Inline::new(circuit, clauses, &uses, &polarity);
        let needed = |node: usize| polarity[node] != 0 && !inline.merged[node] && !inline.negated[node];
        for node in 1..circuit.len() {
            if needed(node) {
                self.variables[node] = self.fresh();
            }
        }
        for (node, &polarity) in polarity.iter().enumerate().skip(1) {
            if needed(node) {
                self.define_gate(circuit, node, polarity, &inline);
            }
        }
        inline
    }

    fn define_gate(&mut self, circuit: &Circuit, node: usize, polarity: u8, inline: &Inline) {
        let gate = self.variables[node];
        let (positive, negative) = (polarity & POSITIVE != 0, polarity & NEGATIVE != 0);
        match circuit.gate(node) {
            Gate::Constant | Gate::Input => {}
            Gate::And(_) if polarity == POSITIVE => {
                // Only "the gate implies each part": parts that are negated conjunctions go into these clauses.
                let mut stack = vec![node];
                let mut clause = std::mem::take(&mut self.buffer);
                while let Some(node) = stack.pop() {
                    let Gate::And(parts) = circuit.gate(node) else { continue };
                    for &part in parts {
                        if inline.merged[part.node()] {
                            stack.push(part.node());
                            continue;
                        }
                        clause.clear();
                        clause.push(-gate);
                        self.write(circuit, part, inline, &mut clause);
                        self.push(&clause);
                    }
                }
                self.buffer = clause;
            }
            Gate::And(_) => {
                let mut parts = std::mem::take(&mut self.buffer);
                parts.clear();
                self.collect(circuit, node, &inline.merged, &mut parts);
                if positive {
                    for &part in &parts {
                        self.push(&[-gate, part]);
                    }
                }
                for part in &mut parts {
                    *part = -*part;
                }
                parts.push(gate);
                self.push(&parts);
                self.buffer = parts;
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.literal(a), self.literal(b));
                if positive {
                    self.push(&[-gate, a, b]);
                    self.push(&[-gate, -a, -b]);
                }
                if negative {
                    self.push(&[gate, -a, b]);
                    self.push(&[gate, a, -b]);
                }
            }
            Gate::Ite(c, t, e) => {
                let (c, t, e) = (self.literal(c), self.literal(t), self.literal(e));
                if positive {
                    self.push(&[-gate, -c, t]);
                    self.push(&[-gate, c, e]);
                    // Redundant, but it lets a solver see the gate when both branches agree.
                    self.push(&[-gate, t, e]);
                }
                if negative {
                    self.push(&[gate, -c, -t]);
                    self.push(&[gate, c, -e]);
                    self.push(&[gate, -t, -e]);
                }
            }
        }
    }

    /// The parts of a conjunction, those of merged conjunctions included.
    fn collect(&self, circuit: &Circuit, node: usize, merged: &[bool], into: &mut Vec<i32>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let Gate::And(parts) = circuit.gate(node) else { continue };
            for &part in parts {
                if merged[part.node()] {
                    stack.push(part.node());
                } else {
                    into.push(self.literal(part));
                }
            }
        }
    }

    /// Gives all clauses to a solver.
    pub(crate) fn load(&self, solver: &mut dyn SatSolver) {
        let mut start = 0;
        while start < self.clauses.len() {
            let mut end = start;
            while self.clauses[end] != 0 {
                end += 1;
            }
            solver.add_clause(&self.clauses[start..end]);
            start = end + 1;
        }
    }
}

/// Conjunctions that need no variable.
struct Inline {
    /// Used once, as a positive part of another conjunction: its parts are parts of that one.
    merged: Vec<bool>,
    /// Used once, negated, in a clause or where a gate only implies it: its negation is written out there.
    negated: Vec<bool>,
}

impl Inline {
    fn new(circuit: &Circuit, clauses: &[Vec<Lit>], uses: &[u32], polarity: &[u8]) -> Self {
        let mut inline = Self { merged: vec![false; circuit.len()], negated: vec![false; circuit.len()] };
        let once = |lit: Lit| uses[lit.node()] == 1 && matches!(circuit.gate(lit.node()), Gate::And(_));
        for &lit in clauses.iter().flatten() {
            if lit.is_negative() && once(lit) {
                inline.negated[lit.node()] = true;
            }
        }
        // From the top down, since a conjunction inside of a merged one is used as that one is.
        let mut only_positive = vec![false; circuit.len()];
        for node in (1..circuit.len()).rev() {
            let Gate::And(parts) = circuit.gate(node) else { continue };
            if polarity[node] == 0 {
                continue;
            }
            // Written-out negations and merged parts of gates in both directions need the literals of their parts.
            only_positive[node] |= polarity[node] == POSITIVE && !inline.merged[node];
            for &part in parts {
                if !once(part) {
                    continue;
                }
                if !part.is_negative() {
                    inline.merged[part.node()] = true;
                    only_positive[part.node()] = only_positive[node];
                } else if only_positive[node] {
                    inline.negated[part.node()] = true;
                }
            }
        }
        inline
    }
}

/// How often each node is used, and in which polarities. Inputs of a gate have smaller numbers, so one walk down does.
fn polarities(circuit: &Circuit, clauses: &[Vec<Lit>]) -> (Vec<u32>, Vec<u8>) {
    let mut uses = vec![0u32; circuit.len()];
    let mut polarity = vec![0u8; circuit.len()];
    let mark = |lit: Lit, both: u8, uses: &mut [u32], polarity: &mut [u8]| {
        uses[lit.node()] += 1;
        polarity[lit.node()] |= if lit.is_negative() { (both & 1) << 1 | both >> 1 } else { both };
    };
    for lit in clauses.iter().flatten() {
        mark(*lit, POSITIVE, &mut uses, &mut polarity);
    }
    for node in (1..circuit.len()).rev() {
        let here = polarity[node];
        if here == 0 {
            continue;
        }
        match circuit.gate(node) {
            Gate::Constant | Gate::Input => {}
            Gate::And(parts) => parts.iter().for_each(|&part| mark(part, here, &mut uses, &mut polarity)),
            Gate::Xor(a, b) => {
                mark(a, POSITIVE | NEGATIVE, &mut uses, &mut polarity);
                mark(b, POSITIVE | NEGATIVE, &mut uses, &mut polarity);
            }
            Gate::Ite(c, t, e) => {
                mark(c, POSITIVE | NEGATIVE, &mut uses, &mut polarity);
                mark(t, here, &mut uses, &mut polarity);
                mark(e, here, &mut uses, &mut polarity);
            }
        }
    }
    (uses, polarity)
}
