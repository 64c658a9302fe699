//! Labels: `l(x, y) :: e` names a part of a definition, so that `Op!l(1, 2)` can refer to it.
//!
//! A label has as parameters exactly the variables bound between it and the definition, or the label around it, and
//! among the labels of one definition or label each name stands once. Where nothing can refer to a part (within an
//! EXCEPT, or in a statement without a name) there is nothing to label.

use locus_source::{Finding, Place};
use rustc_hash::FxHashMap;

use super::program::{ExprId, ExprKind, LocalId, LocalKind, Name};
use super::resolver::Resolver;
use super::visit::Part;
use crate::rules::{MISPLACED, NAME_CLASH};

/// A label and what is around it.
struct Found {
    label: ExprId,
    name: Name,
    body: ExprId,
    bound: Vec<LocalId>,
    in_except: bool,
}

impl Resolver<'_> {
    /// Checks the labels of a definition.
    pub(crate) fn check_labels(&mut self, body: ExprId) {
        if self.state.label_params.is_empty() {
            return;
        }
        let mut todo = vec![body];
        while let Some(from) = todo.pop() {
            let mut places: FxHashMap<Name, Place> = FxHashMap::default();
            for found in self.labels_below(from) {
                let place = self.state.program.expr(found.label).place;
                let text = self.state.program.text(found.name).to_owned();
                if found.in_except {
                    let message =
                        format!("the label `{text}` stands within an EXCEPT, where nothing can refer to it");
                    self.report(Finding::new(&MISPLACED, place, message));
                } else if let Some(first) = places.insert(found.name, place) {
                    let message = format!("there are two labels `{text}`");
                    self.report(Finding::new(&NAME_CLASH, place, message).also(first, "the other"));
                } else {
                    self.check_label_params(&found, &text, place);
                }
                todo.push(found.body);
            }
        }
    }

    /// Refuses the labels of a statement without a name.
    pub(crate) fn refuse_labels(&mut self, body: ExprId) {
        if self.state.label_params.is_empty() {
            return;
        }
        for found in self.labels_below(body) {
            let place = self.state.program.expr(found.label).place;
            let text = self.state.program.text(found.name).to_owned();
            let message = format!("the label `{text}` stands in a statement without a name");
            let help = "give the statement a name, or leave the label out";
            self.report(Finding::new(&MISPLACED, place, message).help(help));
        }
    }

    fn check_label_params(&mut self, found: &Found, text: &str, place: Place) {
        let params = self.state.label_params.get(&found.label).cloned().unwrap_or_default();
        let name =
            |local: &LocalId| self.state.program.text(self.state.program.local(*local).name).to_owned();
        let missing: Vec<String> =
            found.bound.iter().filter(|local| !params.contains(local)).map(name).collect();
        let beyond: Vec<String> =
            params.iter().filter(|local| !found.bound.contains(local)).map(name).collect();
        let takes: Vec<String> = found.bound.iter().map(name).collect();
        if missing.is_empty() && beyond.is_empty() {
            return;
        }
        let message = if missing.is_empty() {
            format!("the label `{text}` cannot have the parameter {}", beyond.join(", "))
        } else {
            format!("the label `{text}` lacks the parameter {}", missing.join(", "))
        };
        let right = if takes.is_empty() { text.to_owned() } else { format!("{text}({})", takes.join(", ")) };
        let help =
            format!("a label takes the variables bound between it and its definition: write `{right} :: …`");
        self.report(Finding::new(&MISPLACED, place, message).help(help));
    }

    /// The labels below an expression that are not below another label, and the variables bound on the way to them.
    fn labels_below(&self, from: ExprId) -> Vec<Found> {
        let program = &self.state.program;
        let mut found = Vec::new();
        let mut todo = vec![(from, Vec::new(), false)];
        while let Some((expr, bound, in_except)) = todo.pop() {
            let kind = &program.expr(expr).kind;
            if let ExprKind::Label(name, body) = kind {
                found.push(Found { label: expr, name: *name, body: *body, bound, in_except });
                continue;
            }
            let base = match kind {
                ExprKind::Except(base, _) => Some(*base),
                _ => None,
            };
            let mut binds = bound;
            let mut parts = Vec::new();
            kind.parts(&mut |part| match part {
                Part::Expr(part) => {
                    let in_except = in_except || base.is_some_and(|base| base != part);
                    parts.push((part, binds.clone(), in_except));
                }
                Part::Binds(local) if matches!(program.local(local).kind, LocalKind::Bound) => {
                    binds.push(local);
                }
                _ => {}
            });
            todo.extend(parts.into_iter().rev());
        }
        found
    }
}
