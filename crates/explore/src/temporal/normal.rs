//! Formulas in normal form, each stored once.
//!
//! Negations are pushed to the atoms, and every maximal part without a temporal operator becomes one
//! *predicate*: whatever follows asks of a place in a behaviour only which predicates are true there.
//!
//! Formulas such as `[]<>f` and `<>[]f`, whose truth does not depend on the beginning of a behaviour, are moved
//! out of other temporal operators: `<>(p /\ []<>q)` is `<>p /\ []<>q`. Together with the usual distributions
//! this leaves most properties of practice with a small part for the tableau, or none.

use rustc_hash::FxHashMap;

use super::formula::Formula;

/// A formula in normal form, by its place in an [`Arena`].
pub(crate) type Id = u32;

/// A formula in normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Normal {
    /// No temporal operator: a place in [`Arena::predicates`].
    Predicate(usize),
    And(Vec<Id>),
    Or(Vec<Id>),
    Always(Id),
    Eventually(Id),
}

/// A formula without temporal operators.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Predicate {
    Constant(bool),
    State(usize),
    Step(usize),
    Not(Box<Predicate>),
    And(Vec<Predicate>),
    Or(Vec<Predicate>),
}

/// The parts of a condition that the search for components checks directly: `[]<>recurrent`, or one of the
/// `<>[]persistent`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Condition {
    pub(crate) recurrent: Option<usize>,
    pub(crate) persistent: Vec<usize>,
}

/// Where formulas are stored.
#[derive(Default)]
pub(crate) struct Arena {
    nodes: Vec<Normal>,
    known: FxHashMap<Normal, Id>,
    predicates: Vec<Predicate>,
    known_predicates: FxHashMap<Predicate, usize>,
}

impl Predicate {
    /// Whether the predicate is true where exactly these atoms are.
    pub(crate) fn holds(&self, state: &impl Fn(usize) -> bool, step: &impl Fn(usize) -> bool) -> bool {
        match self {
            Predicate::Constant(value) => *value,
            Predicate::State(atom) => state(*atom),
            Predicate::Step(atom) => step(*atom),
            Predicate::Not(part) => !part.holds(state, step),
            Predicate::And(parts) => parts.iter().all(|part| part.holds(state, step)),
            Predicate::Or(parts) => parts.iter().any(|part| part.holds(state, step)),
        }
    }

    fn not(self) -> Predicate {
        match self {
            Predicate::Constant(value) => Predicate::Constant(!value),
            Predicate::Not(part) => *part,
            other => Predicate::Not(Box::new(other)),
        }
    }

    /// Conjunction (`and`) or disjunction of parts, flattened, sorted, without constants.
    fn join(and: bool, parts: Vec<Predicate>) -> Predicate {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Predicate::Constant(value) if value == and => {}
                Predicate::Constant(value) => return Predicate::Constant(value),
                Predicate::And(parts) if and => flat.extend(parts),
                Predicate::Or(parts) if !and => flat.extend(parts),
                other => flat.push(other),
            }
        }
        flat.sort();
        flat.dedup();
        // A part together with its negation decides the whole.
        if flat.iter().any(|part| matches!(part, Predicate::Not(inner) if flat.binary_search(inner).is_ok()))
        {
            return Predicate::Constant(!and);
        }
        match flat.len() {
            0 => Predicate::Constant(and),
            1 => flat.remove(0),
            _ if and => Predicate::And(flat),
            _ => Predicate::Or(flat),
        }
    }
}

impl Arena {
    /// The node of a formula.
    pub(crate) fn node(&self, id: Id) -> &Normal {
        &self.nodes[id as usize]
    }

    /// A predicate.
    pub(crate) fn predicate(&self, index: usize) -> &Predicate {
        &self.predicates[index]
    }

    /// If the formula is a constant, its value.
    pub(crate) fn constant(&self, id: Id) -> Option<bool> {
        match self.node(id) {
            Normal::Predicate(index) => match self.predicate(*index) {
                Predicate::Constant(value) => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The normal form of `formula`, or of its negation if not `positive`. The depth of the recursion is that of
    /// the formula, which [`super::Temporal::new`] limits.
    pub(crate) fn normalise(&mut self, formula: &Formula, positive: bool) -> Id {
        match formula {
            Formula::Constant(value) => self.atom(Predicate::Constant(*value), positive),
            Formula::State(atom) => self.atom(Predicate::State(*atom), positive),
            Formula::Step(atom) => self.atom(Predicate::Step(*atom), positive),
            Formula::Not(part) => self.normalise(part, !positive),
            Formula::And(parts) | Formula::Or(parts) => {
                let and = matches!(formula, Formula::And(_)) == positive;
                let parts = parts.iter().map(|part| self.normalise(part, positive)).collect();
                self.join(and, parts)
            }
            Formula::Always(part) | Formula::Eventually(part) => {
                let always = matches!(formula, Formula::Always(_)) == positive;
                let part = self.normalise(part, positive);
                if always { self.always(part) } else { self.eventually(part) }
            }
        }
    }

    /// The formula as a disjunction of conjunctions, as far as that can be had with at most `limit` of them; the
    /// formula alone if not.
    pub(crate) fn split(&mut self, id: Id, limit: usize) -> Vec<Vec<Id>> {
        self.try_split(id, limit).unwrap_or_else(|| vec![vec![id]])
    }

    fn try_split(&self, id: Id, limit: usize) -> Option<Vec<Vec<Id>>> {
        match self.node(id) {
            Normal::Or(parts) => {
                let mut all = Vec::new();
                for &part in parts {
                    all.extend(self.try_split(part, limit)?);
                    if all.len() > limit {
                        return None;
                    }
                }
                Some(all)
            }
            Normal::And(parts) => {
                let mut all = vec![Vec::new()];
                for &part in parts {
                    let choices = self.try_split(part, limit)?;
                    if all.len() * choices.len() > limit {
                        return None;
                    }
                    all = all
                        .iter()
                        .flat_map(|left| {
                            choices.iter().map(move |right| [left.as_slice(), right.as_slice()].concat())
                        })
                        .collect();
                }
                Some(all)
            }
            _ => Some(vec![vec![id]]),
        }
    }

    /// The conjuncts of a formula.
    pub(crate) fn conjuncts(&self, id: Id) -> Vec<Id> {
        match self.node(id) {
            Normal::And(parts) => parts.clone(),
            _ => vec![id],
        }
    }

    /// The formula as a condition on components, if it is one.
    pub(crate) fn condition(&self, id: Id) -> Option<Condition> {
        let parts = match self.node(id) {
            Normal::Or(parts) => parts.as_slice(),
            _ => &[id],
        };
        let mut condition = Condition { recurrent: None, persistent: Vec::new() };
        for &part in parts {
            match self.node(part) {
                Normal::Always(inner) => match self.node(*inner) {
                    Normal::Eventually(last) => match (self.node(*last), condition.recurrent) {
                        (Normal::Predicate(index), None) => condition.recurrent = Some(*index),
                        _ => return None,
                    },
                    _ => return None,
                },
                Normal::Eventually(inner) => match self.node(*inner) {
                    Normal::Always(last) => match self.node(*last) {
                        Normal::Predicate(index) => condition.persistent.push(*index),
                        _ => return None,
                    },
                    _ => return None,
                },
                _ => return None,
            }
        }
        Some(condition)
    }

    fn atom(&mut self, predicate: Predicate, positive: bool) -> Id {
        self.intern_predicate(if positive { predicate } else { predicate.not() })
    }

    fn intern_predicate(&mut self, predicate: Predicate) -> Id {
        let index = if let Some(&index) = self.known_predicates.get(&predicate) {
            index
        } else {
            self.predicates.push(predicate.clone());
            self.known_predicates.insert(predicate, self.predicates.len() - 1);
            self.predicates.len() - 1
        };
        self.intern(Normal::Predicate(index))
    }

    fn intern(&mut self, node: Normal) -> Id {
        if let Some(&id) = self.known.get(&node) {
            return id;
        }
        let id = self.nodes.len() as Id;
        self.nodes.push(node.clone());
        self.known.insert(node, id);
        id
    }

    /// Conjunction (`and`) or disjunction.
    fn join(&mut self, and: bool, parts: Vec<Id>) -> Id {
        let mut flat = Vec::new();
        let mut predicates = Vec::new();
        // `<>[]p /\ <>[]q` is `<>[](p /\ q)`, and `[]<>p \/ []<>q` is `[]<>(p \/ q)`.
        let mut limits = Vec::new();
        let mut todo = parts;
        todo.reverse();
        while let Some(part) = todo.pop() {
            match self.node(part) {
                Normal::Predicate(index) => predicates.push(self.predicate(*index).clone()),
                Normal::And(parts) if and => todo.extend(parts.iter().rev()),
                Normal::Or(parts) if !and => todo.extend(parts.iter().rev()),
                _ => match self.limit_predicate(part, and) {
                    Some(index) => limits.push(self.predicate(index).clone()),
                    None => flat.push(part),
                },
            }
        }
        let predicate = Predicate::join(and, predicates);
        match &predicate {
            Predicate::Constant(value) if *value == and => {}
            Predicate::Constant(value) => return self.atom(Predicate::Constant(*value), true),
            _ => flat.push(self.intern_predicate(predicate)),
        }
        if !limits.is_empty() {
            let inner = self.intern_predicate(Predicate::join(and, limits));
            let limit = if and { self.always(inner) } else { self.eventually(inner) };
            let limit = if and { self.eventually(limit) } else { self.always(limit) };
            match self.constant(limit) {
                Some(value) if value == and => {}
                Some(_) => return limit,
                None => flat.push(limit),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.len() {
            0 => self.atom(Predicate::Constant(and), true),
            1 => flat[0],
            _ if and => self.intern(Normal::And(flat)),
            _ => self.intern(Normal::Or(flat)),
        }
    }

    /// The predicate `p` of `<>[]p` (if `persistent`) or of `[]<>p`.
    fn limit_predicate(&self, id: Id, persistent: bool) -> Option<usize> {
        let condition = self.condition(id)?;
        match (condition.recurrent, &condition.persistent[..]) {
            (None, [index]) if persistent => Some(*index),
            (Some(index), []) if !persistent => Some(index),
            _ => None,
        }
    }

    fn always(&mut self, id: Id) -> Id {
        if self.constant(id).is_some() || self.is_limit(id) || matches!(self.node(id), Normal::Always(_)) {
            return id;
        }
        match self.node(id).clone() {
            Normal::And(parts) => {
                let parts = parts.into_iter().map(|part| self.always(part)).collect();
                self.join(true, parts)
            }
            Normal::Or(parts) => {
                let (mut limits, rest): (Vec<Id>, Vec<Id>) =
                    parts.into_iter().partition(|&part| self.is_limit(part));
                if limits.is_empty() {
                    return self.intern(Normal::Always(id));
                }
                let rest = self.join(false, rest);
                limits.push(self.always(rest));
                self.join(false, limits)
            }
            _ => self.intern(Normal::Always(id)),
        }
    }

    fn eventually(&mut self, id: Id) -> Id {
        if self.constant(id).is_some() || self.is_limit(id) || matches!(self.node(id), Normal::Eventually(_))
        {
            return id;
        }
        match self.node(id).clone() {
            Normal::Or(parts) => {
                let parts = parts.into_iter().map(|part| self.eventually(part)).collect();
                self.join(false, parts)
            }
            Normal::And(parts) => {
                let (mut limits, rest): (Vec<Id>, Vec<Id>) =
                    parts.into_iter().partition(|&part| self.is_limit(part));
                if limits.is_empty() {
                    return self.intern(Normal::Eventually(id));
                }
                let rest = self.join(true, rest);
                limits.push(self.eventually(rest));
                self.join(true, limits)
            }
            _ => self.intern(Normal::Eventually(id)),
        }
    }

    /// Whether the truth of a formula does not depend on where in a behaviour it is asked.
    fn is_limit(&self, id: Id) -> bool {
        match self.node(id) {
            Normal::Predicate(_) => false,
            Normal::And(parts) | Normal::Or(parts) => parts.iter().all(|&part| self.is_limit(part)),
            Normal::Always(inner) => matches!(self.node(*inner), Normal::Eventually(_)),
            Normal::Eventually(inner) => matches!(self.node(*inner), Normal::Always(_)),
        }
    }
}
