//! Steps as actions: control flow becomes assignments to `pc` and `stack`.

use super::Wrong;
use super::ast::{Algorithm, Assignment, Body, Branch, Kind, Labeled, Procedure, Statement, Then, Variable};
use super::expr::{Expr, Token};
use super::lexer::Sort;
use super::lines::Spot;
use super::macros::arguments;

/// The entry of a procedure: its parameters, and the label where it begins.
#[derive(Debug)]
struct Entry {
    name: String,
    params: Vec<Variable>,
    variables: Vec<Variable>,
    first: String,
}

/// Makes actions of steps.
#[derive(Debug)]
pub(super) struct Exploder {
    procedures: Vec<Entry>,
    /// Whether there is no `pc`.
    no_pc: bool,
    /// The procedure whose steps these are: a `return` in a macro does not know it.
    current: Option<String>,
}

/// Statements, the steps that were within them, and whether control still has to go on behind them.
struct Exploded {
    statements: Vec<Statement>,
    steps: Vec<Labeled>,
    goes_on: bool,
}

type Outcome<T> = Result<T, Wrong>;
/// Branches, and for each the steps behind its labels and those within its last statement.
type Branches = (Vec<Branch>, Vec<(Vec<Labeled>, Vec<Labeled>)>);

/// Makes actions of the steps of an algorithm.
pub(super) fn explode(algorithm: &mut Algorithm, no_pc: bool) -> Outcome<()> {
    let entry = |procedure: &Procedure| Entry {
        name: procedure.name.clone(),
        params: procedure.params.clone(),
        variables: procedure.variables.clone(),
        first: procedure.body.first().map_or(String::new(), |step| step.label.clone()),
    };
    let procedures = algorithm.procedures.iter().map(entry).collect();
    let mut exploder = Exploder { procedures, no_pc, current: None };
    for procedure in &mut algorithm.procedures {
        exploder.current = Some(procedure.name.clone());
        procedure.body = exploder.steps(std::mem::take(&mut procedure.body), "Error")?;
    }
    exploder.current = None;
    match &mut algorithm.body {
        Body::Single(steps) => *steps = exploder.steps(std::mem::take(steps), "Done")?,
        Body::Processes(processes) => {
            for process in processes {
                process.body = exploder.steps(std::mem::take(&mut process.body), "Done")?;
            }
        }
    }
    Ok(())
}

fn text(text: &str) -> Expr {
    Expr::line(&[(text, Sort::Text)], 0)
}

fn go(to: &str, spot: Spot) -> Statement {
    Statement::assign("pc", text(to), spot)
}

impl Exploder {
    /// Steps, of which the last goes on to `next`.
    fn steps(&self, steps: Vec<Labeled>, next: &str) -> Outcome<Vec<Labeled>> {
        let labels: Vec<String> = steps.iter().map(|step| step.label.clone()).collect();
        let mut result = Vec::new();
        for (at, step) in steps.into_iter().enumerate() {
            let next = labels.get(at + 1).map_or(next, String::as_str);
            result.extend(self.step(step, next)?);
        }
        Ok(result)
    }

    fn step(&self, step: Labeled, next: &str) -> Outcome<Vec<Labeled>> {
        if matches!(step.statements.first(), Some(Statement { kind: Kind::While(..), .. })) {
            return self.iteration(step, next);
        }
        let Labeled { label, statements, spot } = step;
        let exploded = self.going_on(statements, next)?;
        let mut result = Vec::new();
        if !self.no_pc {
            let mut statements = vec![Self::check(&label, spot)];
            statements.extend(exploded.statements);
            result.push(Labeled { label, statements, spot });
        }
        result.extend(exploded.steps);
        Ok(result)
    }

    /// `pc = "label"`.
    fn check(label: &str, spot: Spot) -> Statement {
        let test = Expr::line(&[("pc", Sort::Added), ("=", Sort::Builtin), (label, Sort::Text)], 1);
        Statement::new(Kind::When(test), spot)
    }

    fn iteration(&self, step: Labeled, next: &str) -> Outcome<Vec<Labeled>> {
        let Labeled { label, statements, spot } = step;
        let mut statements = statements.into_iter();
        let Some(Statement { kind: Kind::While(test, body, labeled), spot: at, .. }) = statements.next()
        else {
            return Ok(Vec::new());
        };
        let within = labeled.first().map_or(label.clone(), |step| step.label.clone());
        let body = self.going_on(body, &within)?;
        let rest = self.going_on(statements.collect(), next)?;
        let mut own = Vec::new();
        if !self.no_pc {
            own.push(Self::check(&label, spot));
        }
        let is_endless = test.is_true();
        let mut later = Vec::new();
        if is_endless {
            own.extend(body.statements);
        } else {
            let branch = |statements| Branch { statements, labeled: Vec::new() };
            own.push(Statement::new(Kind::If(test, branch(body.statements), branch(rest.statements)), at));
            later = rest.steps;
        }
        let mut result = vec![Labeled { label: label.clone(), statements: own, spot }];
        result.extend(self.steps(labeled, &label)?);
        result.extend(body.steps);
        result.extend(later);
        Ok(result)
    }

    /// Statements behind which control goes on to `next`.
    fn going_on(&self, statements: Vec<Statement>, next: &str) -> Outcome<Exploded> {
        let mut exploded = self.last(statements, next)?;
        if exploded.goes_on {
            let spot = exploded.statements.last().map_or((0, 0), |last| last.spot);
            exploded.statements.push(go(next, spot));
            exploded.goes_on = false;
        }
        Ok(exploded)
    }

    /// Statements of which the last says where control goes on, if it does not simply go on.
    fn last(&self, mut statements: Vec<Statement>, next: &str) -> Outcome<Exploded> {
        let Some(last) = statements.pop() else {
            return Ok(Exploded { statements, steps: Vec::new(), goes_on: !self.no_pc });
        };
        let Statement { kind, spot, called, .. } = last;
        let mut steps = Vec::new();
        let mut goes_on = false;
        let keep = |kind: Kind| Statement { label: String::new(), kind, spot, called };
        match kind {
            Kind::If(test, then, other) => {
                let is_cut =
                    !then.labeled.is_empty() || !other.labeled.is_empty() || is_cut(&then) || is_cut(&other);
                let (mut branches, later) = self.branches(vec![then, other], next, is_cut, &mut goes_on)?;
                // The steps of the branches themselves come before those within their last statements.
                let (labeled, within): (Vec<_>, Vec<_>) = later.into_iter().unzip();
                steps = labeled.into_iter().chain(within).flatten().collect();
                let other = branches.pop().unwrap_or_default();
                let then = branches.pop().unwrap_or_default();
                statements.push(keep(Kind::If(test, then, other)));
            }
            Kind::Either(branches) => {
                let cut = branches.iter().any(|branch| !branch.labeled.is_empty() || is_cut(branch));
                let (branches, later) = self.branches(branches, next, cut, &mut goes_on)?;
                steps = later.into_iter().flat_map(|(labeled, within)| [within, labeled]).flatten().collect();
                statements.push(keep(Kind::Either(branches)));
            }
            Kind::With { name, is_equal, value, body } => {
                let inner = self.last(body, next)?;
                steps = inner.steps;
                goes_on = inner.goes_on;
                statements.push(keep(Kind::With { name, is_equal, value, body: inner.statements }));
            }
            Kind::Goto(to) => statements.push(go(&to, spot)),
            Kind::Call { to, args, then } => statements.extend(self.call(&to, args, &then, next, spot)?),
            Kind::Return(from) => statements.extend(self.ret(from.as_deref(), spot)?),
            other => {
                statements.push(keep(other));
                goes_on = true;
            }
        }
        Ok(Exploded { statements, steps, goes_on: goes_on && !self.no_pc })
    }

    /// The branches of an `if` or `either`, and for each the steps behind its labels and those within its last
    /// statement. If one of them has steps, each says where control continues; if not, they do so unless all of them
    /// simply continue.
    fn branches(
        &self,
        branches: Vec<Branch>,
        next: &str,
        is_cut: bool,
        goes_on: &mut bool,
    ) -> Outcome<Branches> {
        let mut exploded = Vec::new();
        let mut later = Vec::new();
        for branch in branches {
            let to = branch.labeled.first().map_or(next.to_owned(), |step| step.label.clone());
            let own = if is_cut {
                self.going_on(branch.statements, &to)?
            } else {
                self.last(branch.statements, next)?
            };
            later.push((self.steps(branch.labeled, next)?, own.steps));
            exploded.push((own.statements, own.goes_on));
        }
        *goes_on = !is_cut && exploded.iter().all(|(_, goes_on)| *goes_on);
        let finish = |(mut statements, own): (Vec<Statement>, bool)| {
            if own && !*goes_on {
                statements.push(go(next, (0, 0)));
            }
            Branch { statements, labeled: Vec::new() }
        };
        Ok((exploded.into_iter().map(finish).collect(), later))
    }

    fn procedure(&self, name: &str, spot: Spot) -> Outcome<&Entry> {
        let found = self.procedures.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| Wrong::new(format!("there is no procedure `{name}`"), spot))
    }

    fn call(
        &self,
        to: &str,
        args: Vec<Expr>,
        then: &Then,
        next: &str,
        spot: Spot,
    ) -> Outcome<Vec<Statement>> {
        let entry = self.procedure(to, spot)?;
        if entry.params.len() != args.len() {
            let message =
                format!("the procedure `{to}` takes {}, not {}", arguments(entry.params.len()), args.len());
            return Err(Wrong::new(message, spot));
        }
        let assign = |name: &str, value: Expr| Assignment {
            name: name.to_owned(),
            subscript: Expr::default(),
            value,
            spot,
        };
        let mut all = Vec::new();
        match then {
            Then::Next => all.push(assign("stack", entry.frame(&[(next, Sort::Text)], false))),
            Then::Goto(label) => all.push(assign("stack", entry.frame(&[(label, Sort::Text)], false))),
            Then::Return(from) => {
                let from = from.as_deref().or(self.current.as_deref());
                let from = self.procedure(from.unwrap_or_default(), spot)?;
                if from.name != entry.name {
                    for variable in &from.variables {
                        all.push(assign(&variable.name, of_head(&variable.name)));
                    }
                    let back = [
                        ("Head", Sort::Ident),
                        ("(", Sort::Builtin),
                        ("stack", Sort::Added),
                        (")", Sort::Builtin),
                        (".", Sort::Builtin),
                        ("pc", Sort::Ident),
                    ];
                    all.push(assign("stack", entry.frame(&back, true)));
                }
            }
        }
        for (param, arg) in entry.params.iter().zip(args) {
            all.push(assign(&param.name, arg));
        }
        let mut statements = vec![Statement::new(Kind::Assign(all), spot)];
        for variable in &entry.variables {
            statements.push(Statement::assign(&variable.name, variable.value.clone(), spot));
        }
        statements.push(go(&entry.first, spot));
        Ok(statements)
    }

    fn ret(&self, from: Option<&str>, spot: Spot) -> Outcome<Vec<Statement>> {
        let entry = self.procedure(from.or(self.current.as_deref()).unwrap_or_default(), spot)?;
        let mut statements = vec![Statement::assign("pc", of_head("pc"), spot)];
        for variable in entry.variables.iter().chain(&entry.params) {
            statements.push(Statement::assign(&variable.name, of_head(&variable.name), spot));
        }
        let tail =
            [("Tail", Sort::Ident), ("(", Sort::Builtin), ("stack", Sort::Added), (")", Sort::Builtin)];
        statements.push(Statement::assign("stack", Expr::line(&tail, 0), spot));
        Ok(statements)
    }
}

/// Whether the last statement of a branch has steps within it.
fn is_cut(branch: &Branch) -> bool {
    match branch.statements.last().map(|last| &last.kind) {
        Some(Kind::If(_, then, other)) => {
            [then, other].into_iter().any(|branch| !branch.labeled.is_empty() || is_cut(branch))
        }
        Some(Kind::Either(branches)) => {
            branches.iter().any(|branch| !branch.labeled.is_empty() || is_cut(branch))
        }
        _ => false,
    }
}

/// `Head(stack).name`.
fn of_head(name: &str) -> Expr {
    let tokens = [
        ("Head", Sort::Ident),
        ("(", Sort::Builtin),
        ("stack", Sort::Added),
        (")", Sort::Builtin),
        (".", Sort::Builtin),
        (name, Sort::Ident),
    ];
    Expr::line(&tokens, 0)
}

impl Entry {
    /// `<< [procedure |-> "P", pc |-> …, x |-> x] >> \o stack`, or `\o Tail(stack)`.
    fn frame(&self, pc: &[(&str, Sort)], is_tail: bool) -> Expr {
        let token = |text: &str, sort: Sort, column: usize| Token::new(text, sort, column);
        let mut lines = vec![vec![
            token("<<", Sort::Builtin, 0),
            token("[", Sort::Builtin, 3),
            token("procedure", Sort::Ident, 5),
            token("|->", Sort::Builtin, 16),
            token(&self.name, Sort::Text, 21),
        ]];
        let mut line = vec![token("pc", Sort::Ident, 5), token("|->", Sort::Builtin, 16)];
        let mut column = 21;
        for (text, sort) in pc {
            line.push(token(text, *sort, column));
            column += text.len();
        }
        lines.push(line);
        for variable in self.variables.iter().chain(&self.params) {
            let width = variable.name.chars().count();
            let arrow = (width + 6).max(16);
            lines.push(vec![
                token(&variable.name, Sort::Ident, 5),
                token("|->", Sort::Builtin, arrow),
                token(&variable.name, Sort::Ident, arrow + 5),
            ]);
        }
        let count = lines.len();
        for line in &mut lines[..count - 1] {
            let end = line.last().map_or(0, Token::end);
            line.push(token(",", Sort::Builtin, end));
        }
        if let Some(line) = lines.last_mut() {
            let end = line.last().map_or(0, Token::end);
            line.push(token("]", Sort::Builtin, end + 1));
            line.push(token(">>", Sort::Builtin, end + 3));
        }
        let mut last = vec![token("\\o", Sort::Builtin, 1)];
        if is_tail {
            last.push(token("Tail", Sort::Ident, 4));
            last.push(token("(", Sort::Builtin, 8));
            last.push(token("stack", Sort::Added, 9));
            last.push(token(")", Sort::Builtin, 14));
        } else {
            last.push(token("stack", Sort::Added, 4));
        }
        lines.push(last);
        Expr::from_lines(lines, (0, 0))
    }
}
