//! Labels where the language needs them, and the statements cut into steps at their labels.

use super::Wrong;
use super::ast::{Branch, Kind, Labeled, Statement, Then};
use super::lines::Spot;

/// Adds labels.
pub(super) struct Labels<'a> {
    /// The prefix of the names of added labels.
    pub(super) root: &'a str,
    /// The labels of the author.
    pub(super) known: &'a [String],
    /// The number of the next label.
    pub(super) next: usize,
    /// The labels added, with the places of their statements.
    pub(super) added: Vec<(String, Spot)>,
    /// The variables and parameters of all procedures.
    pub(super) locals: &'a [String],
}

type Outcome<T> = Result<T, Wrong>;

impl Labels<'_> {
    /// Adds labels to the body of a process, a procedure (by its name), or the algorithm, and cuts it into steps.
    pub(super) fn steps(
        &mut self,
        mut statements: Vec<Statement>,
        procedure: Option<&str>,
    ) -> Outcome<Vec<Labeled>> {
        let mut assigned = Vec::new();
        self.add(&mut statements, true, false, &mut assigned, procedure)?;
        let steps = cut(statements);
        check_returns(&steps, procedure)?;
        Ok(steps)
    }

    fn need(&mut self, statement: &mut Statement) {
        if !statement.label.is_empty() {
            return;
        }
        let label = loop {
            let label = format!("{}{}", self.root, self.next);
            self.next += 1;
            if !self.known.contains(&label) {
                break label;
            }
        };
        self.added.push((label.clone(), statement.spot));
        statement.label = label;
    }

    /// Adds labels to a sequence. `assigned` are the variables that have been assigned to in the step so far. Whether
    /// what follows needs a label.
    fn add(
        &mut self,
        statements: &mut [Statement],
        first: bool,
        in_with: bool,
        assigned: &mut Vec<String>,
        procedure: Option<&str>,
    ) -> Outcome<bool> {
        let before = assigned.clone();
        let (mut needs, mut has_label) = (first, false);
        for statement in statements {
            if !statement.label.is_empty() {
                has_label = true;
                assigned.clear();
                if in_with {
                    return Err(Wrong::new("a label cannot stand in a `with`", statement.spot));
                }
            }
            if needs {
                if in_with {
                    let message =
                        "this follows a `call`, `return` or `goto` in a `with`, where no label can stand";
                    return Err(Wrong::new(message, statement.spot));
                }
                self.need(statement);
                has_label = true;
                assigned.clear();
            }
            needs = false;
            match &mut statement.kind {
                Kind::If(_, then, other) => {
                    let mut of_other = assigned.clone();
                    needs = self.add(&mut then.statements, false, in_with, assigned, procedure)?;
                    needs |= self.add(&mut other.statements, false, in_with, &mut of_other, procedure)?;
                    unite(assigned, &of_other);
                }
                Kind::Either(branches) => {
                    let mut all = Vec::new();
                    for branch in branches {
                        let mut own = assigned.clone();
                        needs |= self.add(&mut branch.statements, false, in_with, &mut own, procedure)?;
                        unite(&mut all, &own);
                    }
                    *assigned = all;
                }
                Kind::While(..) => {
                    if in_with {
                        return Err(Wrong::new("a `while` cannot stand in a `with`", statement.spot));
                    }
                    self.need_before(statement, &mut has_label, assigned);
                    if let Kind::While(_, body, _) = &mut statement.kind {
                        self.add(body, false, false, &mut Vec::new(), procedure)?;
                    }
                }
                Kind::With { body, .. } => {
                    let mut own = if in_with { before.clone() } else { Vec::new() };
                    needs = self.add(body, false, true, &mut own, procedure)?;
                    let clash = !in_with && own.iter().any(|name| before.contains(name));
                    *assigned = own;
                    if clash {
                        self.need_before(statement, &mut has_label, assigned);
                    }
                }
                Kind::Assign(all) => {
                    let mut own: Vec<String> = Vec::new();
                    unite(&mut own, &all.iter().map(|a| a.name.clone()).collect::<Vec<_>>());
                    self.assign(
                        statement,
                        own,
                        "this assigns a second time to a variable",
                        in_with,
                        &mut has_label,
                        assigned,
                    )?;
                }
                Kind::Call { to, then, .. } => {
                    needs = true;
                    let mut own = vec!["stack".to_owned()];
                    if matches!(then, Then::Return(_)) || Some(to.as_str()) == procedure {
                        own.extend_from_slice(self.locals);
                    }
                    let message = "this call assigns a second time to a variable";
                    self.assign(statement, own, message, in_with, &mut has_label, assigned)?;
                }
                Kind::Return(_) => {
                    needs = true;
                    let mut own = vec!["stack".to_owned()];
                    own.extend_from_slice(self.locals);
                    let message = "this return assigns a second time to a variable";
                    self.assign(statement, own, message, in_with, &mut has_label, assigned)?;
                }
                Kind::Goto(_) => needs = true,
                Kind::When(_) | Kind::Print(_) | Kind::Assert(_) | Kind::Skip | Kind::Macro(..) => {}
            }
        }
        Ok(has_label || needs)
    }

    fn need_before(&mut self, statement: &mut Statement, has_label: &mut bool, assigned: &mut Vec<String>) {
        self.need(statement);
        *has_label = true;
        assigned.clear();
    }

    /// A statement that assigns to variables: with a label, if one of them has been assigned to in the step.
    fn assign(
        &mut self,
        statement: &mut Statement,
        own: Vec<String>,
        message: &str,
        in_with: bool,
        has_label: &mut bool,
        assigned: &mut Vec<String>,
    ) -> Outcome<()> {
        if own.iter().any(|name| assigned.contains(name)) {
            if in_with {
                return Err(Wrong::new(
                    format!("{message} in a `with`, where no label can stand"),
                    statement.spot,
                ));
            }
            self.need(statement);
            *has_label = true;
            *assigned = own;
        } else {
            unite(assigned, &own);
        }
        Ok(())
    }
}

fn unite(set: &mut Vec<String>, more: &[String]) {
    for name in more {
        if !set.contains(name) {
            set.push(name.clone());
        }
    }
}

/// Cuts statements, of which the first has a label, at labels.
fn cut(statements: Vec<Statement>) -> Vec<Labeled> {
    let mut steps: Vec<Labeled> = Vec::new();
    for mut statement in statements {
        inner(&mut statement);
        let label = std::mem::take(&mut statement.label);
        match steps.last_mut() {
            Some(step) if label.is_empty() => step.statements.push(statement),
            _ => steps.push(Labeled {
                label,
                spot: statement.called.unwrap_or(statement.spot),
                statements: vec![statement],
            }),
        }
    }
    steps
}

/// Cuts the statements within a statement.
fn inner(statement: &mut Statement) {
    match &mut statement.kind {
        Kind::If(_, then, other) => [then, other].into_iter().for_each(cut_branch),
        Kind::Either(branches) => branches.iter_mut().for_each(cut_branch),
        Kind::While(_, body, labeled) => {
            let mut branch = Branch { statements: std::mem::take(body), labeled: Vec::new() };
            cut_branch(&mut branch);
            (*body, *labeled) = (branch.statements, branch.labeled);
        }
        Kind::With { body, .. } => body.iter_mut().for_each(inner),
        _ => {}
    }
}

/// Cuts a branch: the part before the first label stays, and the rest becomes steps.
fn cut_branch(branch: &mut Branch) {
    let labeled = branch.statements.iter().position(|statement| !statement.label.is_empty());
    let rest = branch.statements.split_off(labeled.unwrap_or(branch.statements.len()));
    branch.statements.iter_mut().for_each(inner);
    branch.labeled = cut(rest);
}

/// A `return` stands in a procedure.
fn check_returns(steps: &[Labeled], procedure: Option<&str>) -> Outcome<()> {
    steps.iter().try_for_each(|step| check_statements(&step.statements, procedure))
}

fn check_statements(statements: &[Statement], procedure: Option<&str>) -> Outcome<()> {
    for statement in statements {
        match &statement.kind {
            Kind::Return(_) | Kind::Call { then: Then::Return(_), .. } if procedure.is_none() => {
                return Err(Wrong::new("a `return` must stand in a procedure", statement.spot));
            }
            Kind::If(_, then, other) => {
                for branch in [then, other] {
                    check_statements(&branch.statements, procedure)?;
                    check_returns(&branch.labeled, procedure)?;
                }
            }
            Kind::Either(branches) => {
                for branch in branches {
                    check_statements(&branch.statements, procedure)?;
                    check_returns(&branch.labeled, procedure)?;
                }
            }
            Kind::While(_, body, labeled) => {
                check_statements(body, procedure)?;
                check_returns(labeled, procedure)?;
            }
            Kind::With { body, .. } => check_statements(body, procedure)?,
            _ => {}
        }
    }
    Ok(())
}
