//! The conditions of a template: evaluated when they are first asked for, since one may name another.

use std::sync::Arc;

use locus_schema::{Content, Datum};
use locus_source::words::short;
use locus_source::{Finding, Node};
use rustc_hash::FxHashMap;

use crate::rules::{CIRCULAR_CONDITION, NOT_BOOLEAN};
use crate::template::{Condition, Text};
use crate::values::evaluate::Evaluator;
use crate::version::Context;

/// The conditions, each with what is known of it so far.
#[derive(Default)]
pub(crate) struct Conditions<'e> {
    list: Vec<Entry<'e>>,
    by_name: FxHashMap<Arc<str>, usize>,
}

struct Entry<'e> {
    name: Text,
    definition: Node<'e>,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done(Option<bool>),
}

impl<'e> Conditions<'e> {
    pub(crate) fn add(&mut self, name: Text, definition: Node<'e>) {
        self.by_name.insert(Arc::clone(&name.text), self.list.len());
        self.list.push(Entry { name, definition, state: State::New });
    }

    /// Takes it for granted that a condition holds, or does not.
    pub(crate) fn assume(&mut self, name: &str, holds: bool) {
        if let Some(at) = self.by_name.get(name) {
            self.list[*at].state = State::Done(Some(holds));
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = Arc<str>> {
        self.list.iter().map(|entry| Arc::clone(&entry.name.text))
    }
}

impl Evaluator<'_> {
    /// Whether a condition of the template holds, if that is known; an error if there is no such condition.
    pub(crate) fn named_condition(&mut self, name: &str) -> Result<Option<bool>, ()> {
        let at = *self.conditions.by_name.get(name).ok_or(())?;
        Ok(self.nth_condition(at))
    }

    /// All conditions with what is known of them.
    pub(crate) fn all_conditions(&mut self) -> Vec<Condition> {
        let count = self.conditions.list.len();
        let each = (0..count).map(|at| {
            let holds = self.nth_condition(at);
            Condition { name: self.conditions.list[at].name.clone(), holds }
        });
        each.collect()
    }

    fn nth_condition(&mut self, at: usize) -> Option<bool> {
        let entry = &mut self.conditions.list[at];
        match entry.state {
            State::Done(holds) => return holds,
            State::Open => {
                entry.state = State::Done(None);
                let name = entry.name.clone();
                let open = self.conditions.list.iter().filter(|other| matches!(other.state, State::Open));
                let message = format!("the condition `{}` is defined by itself", short(&name.text));
                let finding = Finding::new(&CIRCULAR_CONDITION, name.place, message);
                let finding = open.fold(finding, |finding, other| {
                    finding.also(other.name.place, format!("through `{}`", short(&other.name.text)))
                });
                self.report.add(finding);
                return None;
            }
            State::New => entry.state = State::Open,
        }
        let definition = entry.definition;
        let datum = self.expression(definition, Context::Condition);
        let holds = self.truth(&datum);
        let entry = &mut self.conditions.list[at];
        // What is reported as circular stays as it was left.
        if matches!(entry.state, State::Open) {
            entry.state = State::Done(holds);
        }
        holds
    }

    /// The truth value of a definition. Heat takes only truth values here, not names of other conditions.
    fn truth(&mut self, datum: &Datum) -> Option<bool> {
        match &datum.value {
            Content::Bool(value) => Some(*value),
            Content::Unknown(_) => None,
            other => {
                let message = format!("a condition must be true or false, not {}", other.kind_name());
                self.report.say(&NOT_BOOLEAN, datum.place, message);
                None
            }
        }
    }
}
