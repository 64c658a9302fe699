//! By what packed states are told apart, where the configuration has a VIEW.
//!
//! A view is mostly a tuple of variables. Of such states the other variables add nothing to the fingerprint. Whatever
//! else is in the tuple is a term: its value is kept with the state, in a field of its own that belongs to no variable,
//! so that fingerprints are made of fields all the same.

use locus_tla_eval::eval::ir::{Kind, Node, Var};

/// The parts of a view.
#[derive(Clone, Default, Debug)]
pub(crate) struct View<'m> {
    /// The variables, by number, that are parts of it as they are.
    shown: Vec<bool>,
    /// The parts that have to be evaluated.
    pub(crate) terms: Vec<&'m Node>,
}

impl<'m> View<'m> {
    /// Takes a view apart. Without one, all variables are shown.
    pub(crate) fn of(view: Option<&'m Node>, variables: usize) -> Self {
        let Some(view) = view else { return Self { shown: vec![true; variables], terms: Vec::new() } };
        let mut parts = Self { shown: vec![false; variables], terms: Vec::new() };
        parts.collect(view);
        parts
    }

    fn collect(&mut self, node: &'m Node) {
        match &node.kind {
            Kind::Const(_) => {}
            Kind::Var(var) => self.shown[*var as usize] = true,
            Kind::Tuple(parts) | Kind::Record(_, parts) => parts.iter().for_each(|part| self.collect(part)),
            Kind::Scope(_, inner) => self.collect(inner),
            Kind::ByName(inner) | Kind::Lazy(_, inner) => self.collect(inner),
            _ => self.terms.push(node),
        }
    }

    /// Whether a variable is a part of it.
    pub(crate) fn shows(&self, var: Var) -> bool {
        self.shown[var as usize]
    }

    /// Whether states are told apart by something else than all of their variables. Then it may matter which of several
    /// states with the same view is met first, so that they are to be met in the order in which the evaluator meets
    /// them.
    pub(crate) fn is_partial(&self) -> bool {
        self.shown.contains(&false)
    }
}
