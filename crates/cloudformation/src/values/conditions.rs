//! Conditions: formulas over the values of parameters, which may hold, not hold, or be open.

use std::sync::Arc;

use locus_schema::{Content, Datum};
use locus_source::words::{did_you_mean, short};
use locus_source::{Finding, Node, Place};

use super::{Assumed, Evaluator, function_of};
use crate::rules::{CIRCLE, FUNCTION, UNKNOWN_CONDITION};

impl<'t> Evaluator<'_, 't> {
    /// Whether a condition holds, if that is known.
    pub(crate) fn condition(&mut self, name: &Arc<str>, place: Place) -> Option<bool> {
        self.conditions.insert(Arc::clone(name));
        if let Some(assumed) = self.world.conditions.get(name) {
            return Some(*assumed);
        }
        if let Some(known) = self.known_conditions.get(name) {
            return *known;
        }
        if self.scope.condition(name).is_none() {
            if !self.scope.is_open() {
                let scope = self.scope;
                let name = Arc::clone(name);
                self.add(|| {
                    let message = format!("there is no condition `{}`", short(&name));
                    let finding = Finding::new(&UNKNOWN_CONDITION, place, message);
                    did_you_mean(finding, &name, scope.condition_names())
                });
            }
            return None;
        }
        let holds = self.formula_of(name, place);
        self.known_conditions.insert(Arc::clone(name), holds);
        holds
    }

    /// Whether a condition holds by what it says, whatever is taken for granted of it.
    pub(crate) fn formula_of(&mut self, name: &Arc<str>, place: Place) -> Option<bool> {
        if self.open_conditions.contains(name) {
            self.say(&CIRCLE, place, format!("the condition `{}` depends on itself", short(name)));
            return None;
        }
        let scope = self.scope;
        let defined = scope.condition(name)?;
        self.open_conditions.push(Arc::clone(name));
        let before = (self.via.take(), std::mem::replace(&mut self.loops, defined.loops.clone()));
        let holds = self.formula(defined.node);
        (self.via, self.loops) = before;
        self.open_conditions.pop();
        holds
    }

    /// Whether a formula of a condition, or of a rule about parameters, holds.
    pub(crate) fn formula(&mut self, node: Node<'t>) -> Option<bool> {
        let place = node.use_place();
        let found = function_of(node).or_else(|| {
            // Here, and nowhere else, this is a function.
            let mut entries = node.entries();
            let (first, None) = (entries.next()?, entries.next()) else { return None };
            (first.key.raw() == "Condition").then(|| ("Condition".to_owned(), first.value))
        });
        let Some((name, argument)) = found else {
            self.say(
                &FUNCTION,
                place,
                "a condition is a call of `Fn::Equals`, `Fn::And`, `Fn::Or`, `Fn::Not` or `Condition`",
            );
            return None;
        };
        let parts: Vec<Node<'t>> = argument.items().collect();
        let wrong = |this: &mut Self, what: &str| {
            this.say(&FUNCTION, place, format!("`{name}` takes {what}"));
            None
        };
        match name.as_str() {
            "Condition" => match argument.as_str() {
                Some(name) => {
                    let name = self.in_loops(name);
                    self.condition(&name, argument.use_place())
                }
                None => wrong(self, "the name of a condition"),
            },
            "Fn::Not" => match parts.as_slice() {
                [one] => self.formula(*one).map(|holds| !holds),
                _ => wrong(self, "a list with one condition"),
            },
            "Fn::And" | "Fn::Or" => {
                if !(2..=10).contains(&parts.len()) {
                    return wrong(self, "a list of 2 to 10 conditions");
                }
                // All are read, so that what is wrong with one of them is found whatever the others are.
                let all: Vec<Option<bool>> = parts.into_iter().map(|part| self.formula(part)).collect();
                let decisive = name == "Fn::Or";
                if all.contains(&Some(decisive)) {
                    Some(decisive)
                } else if all.contains(&None) {
                    None
                } else {
                    Some(!decisive)
                }
            }
            "Fn::Equals" => match parts.as_slice() {
                [a, b] => self.equals(*a, *b),
                _ => wrong(self, "a list of two values"),
            },
            "Fn::Contains" => match parts.as_slice() {
                [list, value] => {
                    let all: Vec<Option<bool>> = list.items().map(|item| self.equals(item, *value)).collect();
                    if !list.is_sequence() || function_of(*list).is_some() {
                        self.value(*list);
                        self.value(*value);
                        return None;
                    }
                    if all.contains(&Some(true)) {
                        Some(true)
                    } else if all.contains(&None) {
                        None
                    } else {
                        Some(false)
                    }
                }
                _ => wrong(self, "a list of texts and a value"),
            },
            // They are about all parameters of a type, of which nothing is known.
            "Fn::EachMemberEquals" | "Fn::EachMemberIn" | "Fn::RefAll" | "Fn::ValueOf" | "Fn::ValueOfAll" => {
                self.mark(node);
                None
            }
            _ => wrong(
                self,
                "no place in a condition, which is `Fn::Equals`, `Fn::And`, `Fn::Or`, `Fn::Not` or `Condition`",
            ),
        }
    }

    /// Notes the parameters that a formula names of which nothing else is known.
    fn mark(&mut self, node: Node<'t>) {
        if let Some((name, argument)) = function_of(node) {
            let named = match name.as_str() {
                "Ref" => argument.as_str(),
                "Fn::ValueOf" => argument.items().next().and_then(Node::as_str),
                _ => None,
            };
            if let Some(parameter) = named {
                self.parameters.insert(parameter.into());
            }
        }
        node.items().for_each(|item| self.mark(item));
        node.entries().for_each(|entry| self.mark(entry.value));
    }

    fn equals(&mut self, a: Node<'t>, b: Node<'t>) -> Option<bool> {
        if self.is_other(a, b) || self.is_other(b, a) {
            // Both are noted all the same.
            self.value(a);
            self.value(b);
            return Some(false);
        }
        let (a, b) = (self.value(a), self.value(b));
        let text = |datum: &Datum| match &datum.value {
            Content::Bool(value) => Some(value.to_string().into()),
            Content::Location(_) | Content::Null | Content::Absent => None,
            value => value.to_text(),
        };
        match (text(&a), text(&b)) {
            (Some(a), Some(b)) => Some(a == b),
            _ => match (&a.value, &b.value) {
                (Content::List(_), Content::List(_)) => a.value.equals(&b.value),
                _ => None,
            },
        }
    }

    /// Whether one side is a parameter with a value unlike all that it is compared with, and the other is one of
    /// those.
    fn is_other(&self, one: Node<'t>, other: Node<'t>) -> bool {
        let Some(name) = parameter(one) else { return false };
        self.world.parameters.get(name) == Some(&Assumed::Other)
            && other.is_scalar()
            && function_of(other).is_none()
    }
}

/// The parameter that a node is, if it is one.
pub(super) fn parameter(node: Node<'_>) -> Option<&str> {
    let (name, argument) = function_of(node)?;
    if name == "Ref" { argument.as_str() } else { None }
}
