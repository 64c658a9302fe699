//! Macros, put in place of their calls.

use super::Wrong;
use super::ast::{Branch, Kind, Statement};
use super::expr::Expr;
use super::lexer::Sort;
use super::lines::Spot;
use super::parser::Macro;

/// The most statements that macros may expand to: each may call another twice.
const MAX_STATEMENTS: usize = 100_000;

/// Expands the calls in statements.
pub(super) fn expand(statements: &mut Vec<Statement>, macros: &[Macro]) -> Result<(), Wrong> {
    let mut count = 0;
    expand_in(statements, macros, &mut count)
}

fn expand_in(statements: &mut Vec<Statement>, macros: &[Macro], count: &mut usize) -> Result<(), Wrong> {
    for mut statement in std::mem::take(statements) {
        *count += 1;
        if *count > MAX_STATEMENTS {
            let message = format!("the macros expand to more than {MAX_STATEMENTS} statements");
            return Err(Wrong::new(message, statement.spot));
        }
        match &mut statement.kind {
            Kind::If(_, then, other) => {
                expand_in(&mut then.statements, macros, count)?;
                expand_in(&mut other.statements, macros, count)?;
            }
            Kind::Either(branches) => {
                for branch in branches {
                    expand_in(&mut branch.statements, macros, count)?;
                }
            }
            Kind::With { body, .. } | Kind::While(_, body, _) => expand_in(body, macros, count)?,
            Kind::Macro(name, args) => {
                let mut body = called(name, args, statement.spot, macros)?;
                *count += body.len();
                if let Some(first) = body.first_mut() {
                    first.label = std::mem::take(&mut statement.label);
                }
                statements.append(&mut body);
                continue;
            }
            _ => {}
        }
        statements.push(statement);
    }
    Ok(())
}

/// The statements of a call. Those of the macro have been expanded with the macros before it.
fn called(name: &str, args: &[Expr], spot: Spot, macros: &[Macro]) -> Result<Vec<Statement>, Wrong> {
    let Some(found) = macros.iter().rev().find(|found| found.name == name) else {
        return Err(Wrong::new(format!("there is no macro `{name}`, or it is defined later"), spot));
    };
    if found.params.len() != args.len() {
        let message =
            format!("the macro `{name}` takes {}, not {}", arguments(found.params.len()), args.len());
        return Err(Wrong::new(message, spot).also("the macro", found.spot));
    }
    let call = Call { params: &found.params, args, spot };
    found.body.iter().map(|statement| call.statement(statement)).collect()
}

/// A number of arguments in words.
pub(super) fn arguments(count: usize) -> String {
    format!("{count} argument{}", if count == 1 { "" } else { "s" })
}

/// A call of a macro.
struct Call<'a> {
    params: &'a [String],
    args: &'a [Expr],
    spot: Spot,
}

impl Call<'_> {
    fn statements(&self, statements: &[Statement]) -> Result<Vec<Statement>, Wrong> {
        statements.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&self, statement: &Statement) -> Result<Statement, Wrong> {
        let mut statement = statement.clone();
        statement.called = Some(self.spot);
        match &mut statement.kind {
            Kind::While(test, body, _) => {
                self.expr(test);
                *body = self.statements(body)?;
            }
            Kind::Assign(all) => {
                for assignment in all {
                    self.expr(&mut assignment.value);
                    self.expr(&mut assignment.subscript);
                    let Some(at) = self.params.iter().position(|param| *param == assignment.name) else {
                        continue;
                    };
                    let target = &self.args[at];
                    let first = target.tokens().next().expect("an argument is not empty");
                    if first.sort != Sort::Ident {
                        let message = format!(
                            "the macro assigns to this argument, which is no variable: `{}`",
                            first.text
                        );
                        return Err(Wrong::new(message, target.spot).also("the assignment", assignment.spot));
                    }
                    assignment.name.clone_from(&first.text);
                    let rest = target.without_first();
                    if assignment.subscript.is_empty() {
                        assignment.subscript = rest;
                    } else if !rest.is_empty() {
                        assignment.subscript.prepend(&rest, 0);
                    }
                }
            }
            Kind::If(test, then, other) => {
                self.expr(test);
                self.branch(then)?;
                self.branch(other)?;
            }
            Kind::Either(branches) => {
                for branch in branches {
                    self.branch(branch)?;
                }
            }
            Kind::With { value, body, .. } => {
                self.expr(value);
                *body = self.statements(body)?;
            }
            Kind::When(expr) | Kind::Print(expr) | Kind::Assert(expr) => self.expr(expr),
            Kind::Call { args, .. } | Kind::Macro(_, args) => args.iter_mut().for_each(|arg| self.expr(arg)),
            Kind::Skip | Kind::Return(_) | Kind::Goto(_) => {}
        }
        Ok(statement)
    }

    fn branch(&self, branch: &mut Branch) -> Result<(), Wrong> {
        branch.statements = self.statements(&branch.statements)?;
        Ok(())
    }

    fn expr(&self, expr: &mut Expr) {
        if !expr.is_empty() {
            expr.substitute(self.params, self.args, true);
        }
    }
}
