//! Boolean circuits with shared gates.
//!
//! A literal is a gate with a sign, in 32 bits. Gates are conjunctions of any width, exclusive ors and choices; a
//! disjunction is a negated conjunction. Equal gates are found again through an open-addressed table, and a gate's
//! inputs always have smaller numbers than the gate, so whatever walks a circuit walks an array.
//!
//! A circuit has a budget. When it is spent, nothing more is built and every operation gives [`Lit::TRUE`]; whoever
//! builds must look at [`Circuit::is_full`] before trusting the result.

use std::ops::Not;

/// A gate with a sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Lit(u32);

impl Lit {
    pub(crate) const TRUE: Lit = Lit(0);
    pub(crate) const FALSE: Lit = Lit(1);

    fn new(node: usize, negative: bool) -> Self {
        Self((node as u32) << 1 | u32::from(negative))
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    pub(crate) fn is_constant(self) -> bool {
        self.0 < 2
    }

    fn with_sign(self, negative: bool) -> Self {
        Self(self.0 ^ u32::from(negative))
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gate<'a> {
    /// Node 0.
    Constant,
    /// A variable.
    Input,
    /// All of these.
    And(&'a [Lit]),
    /// Exactly one of these two.
    Xor(Lit, Lit),
    /// The second if the first, else the third.
    Ite(Lit, Lit, Lit),
}

const INPUT: u32 = 0;
const XOR: u32 = u32::MAX;
const ITE: u32 = u32::MAX - 1;

#[derive(Clone, Copy)]
struct Node {
    /// The width of a conjunction, or one of the markers above.
    kind: u32,
    /// Where its inputs begin in the pool.
    start: u32,
}

/// A growing circuit.
pub(crate) struct Circuit {
    nodes: Vec<Node>,
    pool: Vec<Lit>,
    /// Open addressing: node numbers, 0 for an empty slot.
    table: Vec<u32>,
    gates: usize,
    budget: usize,
    scratch: Vec<Lit>,
}

impl Circuit {
    /// A circuit that may have this many inputs of gates in all.
    pub(crate) fn new(budget: usize) -> Self {
        Self {
            nodes: vec![Node { kind: INPUT, start: 0 }],
            pool: Vec::new(),
            table: vec![0; 1 << 10],
            gates: 0,
            budget: budget.min(1 << 30),
            scratch: Vec::new(),
        }
    }

    /// Whether the budget is spent, so that no result can be trusted.
    pub(crate) fn is_full(&self) -> bool {
        self.pool.len() + self.nodes.len() > self.budget
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn input(&mut self) -> Lit {
        self.nodes.push(Node { kind: INPUT, start: 0 });
        Lit::new(self.nodes.len() - 1, false)
    }

    pub(crate) fn gate(&self, node: usize) -> Gate<'_> {
        let Node { kind, start } = self.nodes[node];
        let start = start as usize;
        match kind {
            INPUT if node == 0 => Gate::Constant,
            INPUT => Gate::Input,
            XOR => Gate::Xor(self.pool[start], self.pool[start + 1]),
            ITE => Gate::Ite(self.pool[start], self.pool[start + 1], self.pool[start + 2]),
            width => Gate::And(&self.pool[start..start + width as usize]),
        }
    }

    fn intern(&mut self, kind: u32, inputs: &[Lit]) -> Lit {
        let mut slot = hash(kind, inputs) & (self.table.len() - 1);
        loop {
            let node = self.table[slot] as usize;
            if node == 0 {
                break;
            }
            if self.nodes[node].kind == kind && self.inputs(node) == inputs {
                return Lit::new(node, false);
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        if self.is_full() {
            return Lit::TRUE;
        }
        let node = self.nodes.len();
        self.nodes.push(Node { kind, start: self.pool.len() as u32 });
        self.pool.extend_from_slice(inputs);
        self.table[slot] = node as u32;
        self.gates += 1;
        if self.gates * 2 > self.table.len() {
            self.grow();
        }
        Lit::new(node, false)
    }

    fn inputs(&self, node: usize) -> &[Lit] {
        let Node { kind, start } = self.nodes[node];
        let width = match kind {
            XOR => 2,
            ITE => 3,
            width => width as usize,
        };
        &self.pool[start as usize..start as usize + width]
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let mut table = vec![0; size];
        for node in 1..self.nodes.len() {
            if self.nodes[node].kind == INPUT {
                continue;
            }
            let mut slot = hash(self.nodes[node].kind, self.inputs(node)) & (size - 1);
            while table[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            table[slot] = node as u32;
        }
        self.table = table;
    }

    pub(crate) fn and2(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b || b == Lit::TRUE {
            return a;
        }
        if a == Lit::TRUE {
            return b;
        }
        if a == !b || a == Lit::FALSE || b == Lit::FALSE {
            return Lit::FALSE;
        }
        self.and([a, b])
    }

    pub(crate) fn or2(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and2(!a, !b)
    }

    pub(crate) fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and(lits.into_iter().map(Not::not))
    }

    pub(crate) fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut list = std::mem::take(&mut self.scratch);
        list.clear();
        for lit in lits {
            if lit == Lit::FALSE {
                self.scratch = list;
                return Lit::FALSE;
            }
            if lit != Lit::TRUE {
                list.push(lit);
            }
        }
        let result = self.and_list(&mut list);
        self.scratch = list;
        result
    }

    fn and_list(&mut self, list: &mut Vec<Lit>) -> Lit {
        self.flatten(list);
        list.sort_unstable();
        list.dedup();
        if list.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        if list.len() <= 8 && !self.absorb(list) {
            return Lit::FALSE;
        }
        match list.len() {
            0 => Lit::TRUE,
            1 => list[0],
            width => self.intern(width as u32, list),
        }
    }

    /// Takes narrow conjunctions apart, so that the order of building does not hide equal gates.
    fn flatten(&self, list: &mut Vec<Lit>) {
        for i in 0..list.len() {
            let lit = list[i];
            if lit.is_negative() {
                continue;
            }
            if let Gate::And(inner) = self.gate(lit.node())
                && inner.len() <= 4
            {
                list[i] = inner[0];
                list.extend_from_slice(&inner[1..]);
            }
        }
    }

    /// Drops disjunctions that another conjunct already makes true, and out of disjunctions that stay nothing. Gives
    /// false when a disjunction cannot be true.
    fn absorb(&self, list: &mut Vec<Lit>) -> bool {
        let mut i = 0;
        while i < list.len() {
            let lit = list[i];
            if lit.is_negative()
                && let Gate::And(inner) = self.gate(lit.node())
                && inner.len() <= 8
            {
                // The conjunct is the disjunction of the negations of `inner`.
                if inner.iter().any(|&part| list.contains(&!part)) {
                    list.remove(i);
                    continue;
                }
                let mut open = inner.iter().filter(|&&part| !list.contains(&part));
                match (open.next(), open.next()) {
                    (None, _) => return false,
                    (Some(&last), None) if inner.len() > 1 => {
                        list[i] = !last;
                        list.sort_unstable();
                        list.dedup();
                        i = 0;
                        continue;
                    }
                    _ => {}
                }
            }
            i += 1;
        }
        !list.windows(2).any(|pair| pair[0] == !pair[1])
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let sign = a.is_negative() ^ b.is_negative();
        let (a, b) = (a.with_sign(a.is_negative()), b.with_sign(b.is_negative()));
        let (a, b) = (a.min(b), a.max(b));
        if a == b {
            return Lit::FALSE.with_sign(sign);
        }
        // Node 0 is true, so this is `not b`.
        if a == Lit::TRUE {
            return b.with_sign(!sign);
        }
        self.intern(XOR, &[a, b]).with_sign(sign)
    }

    pub(crate) fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    pub(crate) fn ite(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        let (c, t, e) = if c.is_negative() { (!c, e, t) } else { (c, t, e) };
        if c == Lit::TRUE || t == e {
            t
        } else if t == !e {
            self.iff(c, t)
        } else if t == Lit::TRUE || t == c {
            self.or2(c, e)
        } else if t == Lit::FALSE || t == !c {
            self.and2(!c, e)
        } else if e == Lit::TRUE || e == !c {
            self.or2(!c, t)
        } else if e == Lit::FALSE || e == c {
            self.and2(c, t)
        } else {
            let sign = t.is_negative();
            self.intern(ITE, &[c, t.with_sign(sign), e.with_sign(sign)]).with_sign(sign)
        }
    }

    /// The sum bit and the carry of three bits.
    pub(crate) fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        let ab = self.xor(a, b);
        let sum = self.xor(ab, c);
        let carry = self.ite(ab, c, a);
        (sum, carry)
    }

    /// At most one of these: by pairs when few, else along a chain.
    pub(crate) fn at_most_one(&mut self, lits: &[Lit]) -> Lit {
        let mut clauses = Vec::new();
        if lits.len() <= 5 {
            for (i, &a) in lits.iter().enumerate() {
                for &b in &lits[..i] {
                    let pair = self.and2(a, b);
                    clauses.push(!pair);
                }
            }
        } else {
            let mut before = lits[0];
            for &lit in &lits[1..] {
                let both = self.and2(before, lit);
                clauses.push(!both);
                before = self.or2(before, lit);
            }
        }
        self.and(clauses)
    }
}

fn hash(kind: u32, inputs: &[Lit]) -> usize {
    let mut h = u64::from(kind).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for lit in inputs {
        h = (h.rotate_left(23) ^ u64::from(lit.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (h >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(circuit: &Circuit, lit: Lit, inputs: &[bool]) -> bool {
        let positive = match circuit.gate(lit.node()) {
            Gate::Constant => true,
            Gate::Input => inputs[lit.node() - 1],
            Gate::And(parts) => parts.iter().all(|&part| value(circuit, part, inputs)),
            Gate::Xor(a, b) => value(circuit, a, inputs) ^ value(circuit, b, inputs),
            Gate::Ite(c, t, e) => {
                if value(circuit, c, inputs) {
                    value(circuit, t, inputs)
                } else {
                    value(circuit, e, inputs)
                }
            }
        };
        positive ^ lit.is_negative()
    }

    proptest! {
        /// Random circuits over four inputs have the truth table that the operations say.
        #[test]
        fn gates_mean_what_they_say(steps in prop::collection::vec((0..5u8, any::<[u8; 4]>(), any::<u8>()), 1..40)) {
            let mut circuit = Circuit::new(1 << 20);
            let mut lits: Vec<Lit> = vec![Lit::TRUE];
            lits.extend((0..4).map(|_| circuit.input()));
            let rows: Vec<[bool; 4]> = (0..16u8).map(|r| [0, 1, 2, 3].map(|i| r >> i & 1 == 1)).collect();
            let mut tables: Vec<Vec<bool>> = vec![vec![true; 16]];
            tables.extend((0..4).map(|i| rows.iter().map(|row| row[i]).collect()));
            for (op, picks, signs) in steps {
                let pick = |i: usize| {
                    let at = picks[i] as usize % lits.len();
                    let sign = signs >> i & 1 == 1;
                    let table: Vec<bool> = tables[at].iter().map(|v| v ^ sign).collect();
                    (if sign { !lits[at] } else { lits[at] }, table)
                };
                let p = [pick(0), pick(1), pick(2), pick(3)];
                let row = |f: &dyn Fn(usize) -> bool| (0..16).map(f).collect::<Vec<bool>>();
                let (lit, table) = match op {
                    0 => (circuit.and(p.iter().map(|x| x.0)), row(&|r| p.iter().all(|x| x.1[r]))),
                    1 => (circuit.or(p.iter().map(|x| x.0)), row(&|r| p.iter().any(|x| x.1[r]))),
                    2 => (circuit.xor(p[0].0, p[1].0), row(&|r| p[0].1[r] ^ p[1].1[r])),
                    3 => (
                        circuit.ite(p[0].0, p[1].0, p[2].0),
                        row(&|r| if p[0].1[r] { p[1].1[r] } else { p[2].1[r] }),
                    ),
                    _ => (
                        circuit.at_most_one(&p.each_ref().map(|x| x.0)),
                        row(&|r| p.iter().filter(|x| x.1[r]).count() <= 1),
                    ),
                };
                for (r, inputs) in rows.iter().enumerate() {
                    prop_assert_eq!(value(&circuit, lit, inputs), table[r]);
                }
                lits.push(lit);
                tables.push(table);
            }
        }
    }

    #[test]
    fn a_spent_budget_is_noticed() {
        let mut circuit = Circuit::new(20);
        let inputs: Vec<Lit> = (0..10).map(|_| circuit.input()).collect();
        assert!(!circuit.is_full());
        for pair in inputs.windows(2) {
            circuit.and2(pair[0], pair[1]);
        }
        assert!(circuit.is_full());
    }
}
