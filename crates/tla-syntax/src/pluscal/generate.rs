//! The translation as text: declarations, the initial predicate, actions. What they make together is in
//! [`super::whole`].
//!
//! Actions, `Init`, `Next`, `Spec` and `Termination` are those of the PlusCal manual. The text is laid out so that
//! lists of conjuncts are lists; otherwise its lines are broken as it comes.

use super::Wrong;
use super::ast::{Algorithm, Assignment, Body, Branch, Kind, Labeled, Process, Statement, Variable};
use super::expr::{Expr, Token};
use super::lexer::Sort;
use super::lines::{Line, Mark, Origin};

/// Properties of the whole algorithm for its translation.
#[derive(Debug)]
pub(super) struct Whole {
    /// Whether there is no `pc`.
    pub(super) no_pc: bool,
    /// Whether termination is not to be a step, because somebody says so.
    pub(super) no_done: bool,
    /// Whether nothing ever terminates.
    pub(super) is_endless: bool,
    /// Whether a variable has no initial value.
    pub(super) has_default: bool,
    /// Whether it is a `--fair algorithm`.
    pub(super) is_fair: bool,
    /// `wf`, `sf`, `wfNext`, `nof`, or nothing.
    pub(super) fairness: String,
}

/// Where a variable has its value changed, by its number, and how often.
type Changed = Vec<usize>;

/// Writes an algorithm out.
pub(super) struct Generator<'a> {
    pub(super) algorithm: &'a Algorithm,
    pub(super) whole: &'a Whole,
    /// All variables.
    variables: Vec<String>,
    /// Those that are functions from processes.
    subscripted: Vec<String>,
    pub(super) has_processes: bool,
    /// The process that is being written out, as an expression.
    own: Expr,
    /// The lines so far, and the last one that is not finished.
    lines: Vec<Line>,
    pub(super) open: Line,
}

type Outcome<T> = Result<T, Wrong>;

pub(super) fn spaces(count: usize) -> String {
    " ".repeat(count)
}

pub(super) fn width(text: &str) -> usize {
    text.chars().count()
}

fn the_self() -> Expr {
    Expr::line(&[("self", Sort::Ident)], 0)
}

impl<'a> Generator<'a> {
    pub(super) fn new(algorithm: &'a Algorithm, whole: &'a Whole) -> Self {
        Self {
            algorithm,
            whole,
            variables: Vec::new(),
            subscripted: Vec::new(),
            has_processes: matches!(algorithm.body, Body::Processes(_)),
            own: the_self(),
            lines: Vec::new(),
            open: Line::default(),
        }
    }

    /// All lines of the translation.
    pub(super) fn generate(mut self) -> Outcome<Vec<Line>> {
        self.declare()?;
        if let Body::Processes(processes) = &self.algorithm.body {
            self.process_set(processes);
        }
        self.initial();
        for procedure in &self.algorithm.procedures {
            self.own = the_self();
            let argument = if self.has_processes { "(self)" } else { "" };
            for step in &procedure.body {
                self.action(step, &step.label, argument)?;
            }
            self.disjunction(&format!("{}{argument}", procedure.name), &procedure.body, argument);
        }
        match &self.algorithm.body {
            Body::Single(steps) => {
                for step in steps {
                    let name = if self.whole.no_pc { "Next" } else { &step.label };
                    self.action(step, name, "")?;
                }
            }
            Body::Processes(processes) => {
                for process in processes {
                    self.process(process)?;
                }
            }
        }
        self.next();
        self.specification();
        self.termination();
        Ok(self.lines)
    }

    // Lines.

    pub(super) fn add(&mut self, text: &str) {
        self.open.text.push_str(text);
    }

    pub(super) fn end(&mut self) {
        if !self.open.text.is_empty() {
            let mut line = std::mem::take(&mut self.open);
            line.text.truncate(line.text.trim_end().len());
            self.lines.push(line);
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.end();
        self.lines.push(text.to_owned().into());
    }

    /// An expression, the lines below the first at its column.
    fn expr(&mut self, expr: &Expr) {
        let indent = self.open.width();
        for (at, line) in expr.written().into_iter().enumerate() {
            if at > 0 {
                self.end();
                self.add(&spaces(indent));
            }
            self.open.append(line);
        }
    }

    // Declarations.

    fn declare(&mut self) -> Outcome<()> {
        let algorithm = self.algorithm;
        let mut globals: Vec<String> = Vec::new();
        if !self.whole.no_pc {
            globals.push("pc".to_owned());
        }
        globals.extend(algorithm.variables.iter().map(|variable| variable.name.clone()));
        if !algorithm.procedures.is_empty() {
            globals.push("stack".to_owned());
        }
        let mut locals = Vec::new();
        for procedure in &algorithm.procedures {
            locals.extend(
                procedure.params.iter().chain(&procedure.variables).map(|variable| variable.name.clone()),
            );
        }
        if self.has_processes {
            self.subscripted.clone_from(&locals);
        }
        if let Body::Processes(processes) = &algorithm.body {
            for process in processes {
                let own = process.variables.iter().map(|variable| variable.name.clone());
                if !process.is_equal {
                    self.subscripted.extend(own.clone());
                }
                locals.extend(own);
            }
        }
        if self.whole.has_default {
            self.line("CONSTANT defaultInitValue");
        }
        if algorithm.definitions.is_empty() {
            globals.append(&mut locals);
            self.declaration(&globals);
        } else {
            self.declaration(&globals);
            self.line("");
            self.line("(* define statement *)");
            self.expr(&algorithm.definitions);
            self.end();
            self.line("");
            self.declaration(&locals);
            globals.append(&mut locals);
        }
        self.line("");
        if globals.is_empty() {
            return Err(Wrong::new("the algorithm has no variables", (0, 0)));
        }
        let all = globals.clone();
        self.list("vars == << ", &all, " >>");
        self.line("");
        self.variables = globals;
        Ok(())
    }

    fn declaration(&mut self, names: &[String]) {
        match names {
            [] => {}
            [one] => self.line(&format!("VARIABLE {one}")),
            several => self.list("VARIABLES ", several, ""),
        }
    }

    /// Names with commas, in lines of bearable length.
    fn list(&mut self, before: &str, names: &[String], after: &str) {
        self.add(before);
        for (at, name) in names.iter().enumerate() {
            if at > 0 {
                self.add(", ");
                if self.open.width() + width(name) > 78 {
                    self.end();
                    self.add(&spaces(width(before)));
                }
            }
            self.add(name);
        }
        self.add(after);
        self.end();
    }

    fn process_set(&mut self, processes: &[Process]) {
        self.add("ProcSet == ");
        for (at, process) in processes.iter().enumerate() {
            if at > 0 {
                self.add(" \\cup ");
            }
            self.add(if process.is_equal { "{" } else { "(" });
            self.expr(&process.id);
            self.add(if process.is_equal { "}" } else { ")" });
        }
        self.end();
        self.line("");
    }

    // The initial predicate.

    fn initial(&mut self) {
        let algorithm = self.algorithm;
        let mut before = "Init == ".to_owned();
        let indent = spaces(width(&before));
        if !algorithm.variables.is_empty() {
            self.line(&format!("{before}(* Global variables *)"));
            before.clone_from(&indent);
            for variable in &algorithm.variables {
                self.plain_initial(&indent, variable);
            }
        }
        for procedure in &algorithm.procedures {
            if procedure.params.is_empty() && procedure.variables.is_empty() {
                continue;
            }
            self.line(&format!("{before}(* Procedure {} *)", procedure.name));
            before.clone_from(&indent);
            for variable in procedure.params.iter().chain(&procedure.variables) {
                if !self.has_processes {
                    self.plain_initial(&indent, variable);
                    continue;
                }
                self.add(&format!("{indent}/\\ {} = [ self \\in ProcSet |-> ", variable.name));
                let value = self.subscript(&variable.value, Some(&the_self().in_brackets()), &[]);
                self.expr(&value);
                self.add("]");
                self.end();
            }
        }
        if let Body::Processes(processes) = &algorithm.body {
            for process in processes.iter().filter(|process| !process.variables.is_empty()) {
                self.line(&format!("{before}(* Process {} *)", process.name));
                before.clone_from(&indent);
                for variable in &process.variables {
                    self.process_initial(&indent, process, variable);
                }
            }
        }
        if !algorithm.procedures.is_empty() {
            let empty = if self.has_processes { "[self \\in ProcSet |-> << >>]" } else { "<< >>" };
            self.line(&format!("{before}/\\ stack = {empty}"));
            before = indent;
        }
        if !self.whole.no_pc {
            self.initial_pc(&before);
        }
        self.end();
        self.line("");
    }

    fn plain_initial(&mut self, indent: &str, variable: &Variable) {
        let sign = if variable.is_equal { "=" } else { "\\in" };
        self.add(&format!("{indent}/\\ {} {sign} ", variable.name));
        self.value(&variable.value);
        self.end();
    }

    /// A value on the right of an equation, in parentheses if it binds less.
    fn value(&mut self, value: &Expr) {
        let needs = value.written().first().is_some_and(|line| needs_parentheses(&line.text));
        if needs {
            self.add("(");
        }
        self.expr(value);
        if needs {
            self.add(")");
        }
    }

    fn process_initial(&mut self, indent: &str, process: &Process, variable: &Variable) {
        self.add(&format!("{indent}/\\ {}", variable.name));
        if process.is_equal {
            self.add(if variable.is_equal { " = " } else { " \\in " });
            self.expr(&variable.value);
        } else if variable.is_equal {
            self.add(" = [self \\in ");
            self.expr(&process.id);
            self.add(" |-> ");
            let value = self.subscript(&variable.value, Some(&the_self().in_brackets()), &[]);
            self.expr(&value);
            self.add("]");
        } else {
            self.add(" \\in [");
            self.expr(&process.id);
            self.add(" -> ");
            let value = self.subscript(&variable.value, Some(&some_process(&process.id)), &[]);
            self.expr(&value);
            self.add("]");
        }
        self.end();
    }

    fn initial_pc(&mut self, before: &str) {
        let first = |steps: &[Labeled]| steps.first().map_or(String::new(), |step| step.label.clone());
        let processes = match &self.algorithm.body {
            Body::Single(steps) => {
                self.line(&format!("{before}/\\ pc = \"{}\"", first(steps)));
                return;
            }
            Body::Processes(processes) => processes,
        };
        if let [only] = processes.as_slice() {
            self.line(&format!("{before}/\\ pc = [self \\in ProcSet |-> \"{}\"]", first(&only.body)));
            return;
        }
        self.add(&format!("{before}/\\ pc = [self \\in ProcSet |-> CASE "));
        let column = self.open.width() - 3;
        for (at, process) in processes.iter().enumerate() {
            if at > 0 {
                self.end();
                self.add(&format!("{}[] ", spaces(column)));
            }
            self.add(if process.is_equal { "self = " } else { "self \\in " });
            self.expr(&process.id);
            self.add(&format!(" -> \"{}\"", first(&process.body)));
        }
        self.add("]");
        self.end();
    }

    // Actions.

    fn process(&mut self, process: &Process) -> Outcome<()> {
        self.own = if process.is_equal { process.id.clone() } else { the_self() };
        let argument = if process.is_equal { "" } else { "(self)" };
        for step in &process.body {
            let name = if self.whole.no_pc { &process.name } else { &step.label };
            self.action(step, name, argument)?;
        }
        if !self.whole.no_pc {
            self.disjunction(&format!("{}{argument}", process.name), &process.body, argument);
        }
        Ok(())
    }

    /// `P == a \/ b`.
    fn disjunction(&mut self, name: &str, steps: &[Labeled], argument: &str) {
        self.add(&format!("{name} == "));
        let indent = spaces(width(name) + 6);
        for (at, step) in steps.iter().enumerate() {
            let disjunct = format!("{}{argument}", step.label);
            if at > 0 && self.open.width() + 7 + width(&disjunct) > 78 {
                self.end();
                self.add(&indent);
            }
            if at > 0 {
                self.add(" \\/ ");
            }
            self.add(&disjunct);
        }
        self.end();
        self.line("");
    }

    fn action(&mut self, step: &Labeled, name: &str, argument: &str) -> Outcome<()> {
        let head = format!("{name}{argument} == ");
        let column = width(&head);
        let mut changed: Changed = vec![0; self.variables.len()];
        let from = self.lines.len();
        let mut before = format!("{head}/\\ ");
        for statement in &step.statements {
            self.statement(statement, &mut changed, &before)?;
            before = format!("{}/\\ ", spaces(column));
        }
        let unchanged: Vec<String> = self.names(|at| changed[at] == 0);
        if !unchanged.is_empty() {
            self.unchanged(&before, &unchanged);
        } else if step.statements.len() == 1 {
            // A single conjunct is no list.
            for (at, line) in self.lines[from..].iter_mut().enumerate() {
                let bullet = if at == 0 { column..column + 3 } else { 0..3 };
                *line = std::mem::take(line).without(bullet);
            }
        }
        self.line("");
        Ok(())
    }

    fn names(&self, wanted: impl Fn(usize) -> bool) -> Vec<String> {
        self.variables
            .iter()
            .enumerate()
            .filter(|(at, _)| wanted(*at))
            .map(|(_, name)| name.clone())
            .collect()
    }

    /// `UNCHANGED << x, y >>`, or for one with a short name, `x' = x`.
    fn unchanged(&mut self, before: &str, names: &[String]) {
        match names {
            [] => {}
            [one] if width(one) > 5 => self.line(&format!("{before}UNCHANGED {one}")),
            [one] => self.line(&format!("{before}{one}' = {one}")),
            several => {
                self.end();
                self.list(&format!("{before}UNCHANGED << "), several, " >>");
            }
        }
    }

    /// A statement as a conjunct, whose bullet stands at the end of `before`.
    fn statement(&mut self, statement: &Statement, changed: &mut Changed, before: &str) -> Outcome<()> {
        match &statement.kind {
            Kind::Assign(all) => self.assign(statement, all, changed, before)?,
            Kind::If(test, then, other) => self.conditional(test, then, other, changed, before)?,
            Kind::Either(branches) => self.either(branches, changed, before)?,
            Kind::With { name, is_equal, value, body } => {
                let value = self.at_step(value, changed);
                let column = width(before);
                self.add(&if *is_equal {
                    format!("{before}LET {name} == ")
                } else {
                    format!("{before}\\E {name} \\in ")
                });
                self.expr(&value);
                self.add(if *is_equal { " IN" } else { ":" });
                self.end();
                let bullet = if body.len() > 1 { "/\\ " } else { "" };
                for statement in body {
                    self.statement(statement, changed, &format!("{}{bullet}", spaces(column + 2)))?;
                }
            }
            Kind::When(test) => {
                self.add(before);
                let test = self.at_step(test, changed);
                self.expr(&test);
                self.end();
            }
            Kind::Print(value) => {
                self.add(&format!("{before}PrintT("));
                let value = self.at_step(value, changed);
                self.expr(&value);
                self.add(")");
                self.end();
            }
            Kind::Assert(test) => {
                self.add(&format!("{before}Assert("));
                let column = self.open.width();
                let test = self.at_step(test, changed);
                self.expr(&test);
                self.add(", ");
                let message = format!("\"Failure of assertion at {}.\")", statement.location());
                if self.open.width() + width(&message) >= 78 {
                    self.end();
                    self.add(&spaces(column));
                }
                self.add(&message);
                self.end();
            }
            Kind::Skip => self.line(&format!("{before}TRUE")),
            Kind::While(..) | Kind::Call { .. } | Kind::Return(_) | Kind::Goto(_) | Kind::Macro(..) => {
                return Err(Wrong::new("this statement cannot stand here", statement.spot));
            }
        }
        Ok(())
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable == name)
    }

    fn assign(
        &mut self,
        statement: &Statement,
        all: &[Assignment],
        changed: &mut Changed,
        before: &str,
    ) -> Outcome<()> {
        let mut sorted: Vec<&Assignment> = all.iter().collect();
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        let mut after = changed.clone();
        let groups: Vec<&[&Assignment]> = sorted.chunk_by(|a, b| a.name == b.name).collect();
        let several = groups.len() > 1;
        for (at, group) in groups.iter().enumerate() {
            let name = &group[0].name;
            let Some(number) = self.position(name) else {
                return Err(Wrong::new(
                    format!("`{name}` is not a variable of the algorithm"),
                    group[0].spot,
                ));
            };
            after[number] += 1;
            if after[number] > 1 || (group.len() > 1 && group.iter().any(|a| a.subscript.is_empty())) {
                let message = format!("`{name}` is assigned to more than once in a step");
                return Err(Wrong::new(message, statement.spot));
            }
            self.add(&if at == 0 { before.to_owned() } else { spaces(width(before)) });
            // The last one comes without bullet if nothing went before it.
            if several {
                self.add("/\\ ");
            }
            self.assign_one(name, group, changed);
            self.end();
        }
        for (count, new) in changed.iter_mut().zip(after) {
            *count = (*count).max(new);
        }
        Ok(())
    }

    /// All assignments to one variable.
    fn assign_one(&mut self, name: &str, group: &[&Assignment], changed: &Changed) {
        let is_subscripted = self.has_processes
            && (matches!(name, "pc" | "stack") || self.subscripted.iter().any(|own| own == name));
        if let [one] = group
            && !is_subscripted
            && one.subscript.is_empty()
        {
            self.assigned(one);
            self.add("' = ");
            let value = self.at_step(&one.value, changed);
            self.value(&value);
            return;
        }
        self.assigned(group[0]);
        self.add(&format!("' = [{name} EXCEPT "));
        let column = self.open.width();
        for (at, one) in group.iter().enumerate() {
            if at > 0 {
                self.add(",");
                self.end();
                self.add(&spaces(column));
            }
            self.add("!");
            if is_subscripted {
                self.add("[");
                let own = self.own.clone();
                self.expr(&own);
                self.add("]");
            }
            let subscript = self.at_step(&one.subscript, changed);
            self.expr(&subscript);
            self.add(" = ");
            let value = self.at_step(&one.value, changed);
            self.expr(&value);
        }
        self.add("]");
    }

    /// The name of a variable that is assigned to. It need not stand where the statement begins, which may be a `goto`.
    fn assigned(&mut self, assignment: &Assignment) {
        let origin = Origin { spot: assignment.spot, width: 0 };
        self.open.marks.push(Mark { column: self.open.width(), origin });
        self.add(&assignment.name);
    }

    fn conditional(
        &mut self,
        test: &Expr,
        then: &Branch,
        other: &Branch,
        changed: &mut Changed,
        before: &str,
    ) -> Outcome<()> {
        self.add(&format!("{before}IF "));
        let column = self.open.width();
        let test = self.at_step(test, changed);
        self.expr(&test);
        self.end();
        let (mut in_then, mut in_other) = (changed.clone(), changed.clone());
        let indent = spaces(column + 5);
        let mut bullet = format!("{}THEN /\\ ", spaces(column));
        for statement in &then.statements {
            self.statement(statement, &mut in_then, &bullet)?;
            bullet = format!("{indent}/\\ ");
        }
        let at = self.lines.len();
        let then_bullet = bullet;
        let mut bullet = format!("{}ELSE /\\ ", spaces(column));
        if other.statements.is_empty() {
            self.line(&format!("{bullet}TRUE"));
            bullet = format!("{indent}/\\ ");
        }
        for statement in &other.statements {
            self.statement(statement, &mut in_other, &bullet)?;
            bullet = format!("{indent}/\\ ");
        }
        let lacking = self.names(|at| in_other[at] == 0 && in_then[at] > 0);
        self.unchanged(&bullet, &lacking);
        let lacking = self.names(|at| in_then[at] == 0 && in_other[at] > 0);
        self.insert_unchanged(at, &then_bullet, &lacking);
        for (count, (a, b)) in changed.iter_mut().zip(in_then.into_iter().zip(in_other)) {
            *count = (*count).max(a).max(b);
        }
        Ok(())
    }

    /// `UNCHANGED` in lines that were written before.
    fn insert_unchanged(&mut self, at: usize, before: &str, names: &[String]) {
        let rest = self.lines.split_off(at);
        self.unchanged(before, names);
        self.lines.extend(rest);
    }

    fn either(&mut self, branches: &[Branch], changed: &mut Changed, before: &str) -> Outcome<()> {
        let column = width(before);
        let indent = spaces(column + 3);
        let mut ends = Vec::new();
        let mut all = changed.clone();
        for (at, branch) in branches.iter().enumerate() {
            let lead = if at == 0 { before.to_owned() } else { spaces(column) };
            let mut bullet = format!("{lead}\\/ /\\ ");
            let mut own = changed.clone();
            for statement in &branch.statements {
                self.statement(statement, &mut own, &bullet)?;
                bullet = format!("{indent}/\\ ");
            }
            for (count, new) in all.iter_mut().zip(&own) {
                *count = (*count).max(*new);
            }
            ends.push((self.lines.len(), own));
        }
        for (at, own) in ends.into_iter().rev() {
            let lacking = self.names(|at| own[at] == 0 && all[at] > 0);
            self.insert_unchanged(at, &format!("{indent}/\\ "), &lacking);
        }
        *changed = all;
        Ok(())
    }

    /// An expression in the step that is being written out: variables of processes get subscripts, those that have
    /// changed get primes.
    fn at_step(&self, expr: &Expr, changed: &Changed) -> Expr {
        let subscript = self.has_processes.then(|| self.own.in_brackets());
        self.subscript(expr, subscript.as_ref(), changed)
    }

    fn subscript(&self, expr: &Expr, subscript: Option<&Expr>, changed: &[usize]) -> Expr {
        let (mut names, mut values): (Vec<String>, Vec<Expr>) = Default::default();
        for token in expr.tokens() {
            let is_name = token.sort == Sort::Ident;
            let primed = is_name
                && self
                    .position(&token.text)
                    .is_some_and(|at| changed.get(at).is_some_and(|count| *count > 0));
            let own = is_name && self.has_processes && self.subscripted.contains(&token.text);
            let subscript = subscript.filter(|_| token.sort == Sort::Added || own);
            if (!primed && subscript.is_none()) || names.contains(&token.text) {
                continue;
            }
            let mut tokens = vec![Token::new(&token.text, token.sort, 0)];
            if primed {
                tokens.push(Token::new("'", Sort::Builtin, tokens[0].end()));
            }
            let mut value = Expr::from_lines(vec![tokens], (0, 0));
            if let Some(subscript) = subscript {
                let mut whole = subscript.clone();
                whole.prepend(&value, 0);
                value = whole;
            }
            names.push(token.text.clone());
            values.push(value);
        }
        let mut result = expr.clone();
        if !names.is_empty() {
            result.substitute(&names, &values, false);
        }
        result
    }
}

/// `[CHOOSE self \in S : TRUE]`: some process stands for all, where a set must not depend on which it is.
fn some_process(id: &Expr) -> Expr {
    let mut whole = Expr::line(&[(":", Sort::Builtin), ("TRUE", Sort::Builtin), ("]", Sort::Builtin)], 1);
    let mut inner = id.clone();
    let before =
        [("[", Sort::Builtin), ("CHOOSE", Sort::Builtin), ("self", Sort::Ident), ("\\in", Sort::Builtin)];
    inner.prepend(&Expr::line(&before, 1), 1);
    whole.prepend(&inner, 1);
    whole
}

/// Whether an expression must stand in parentheses on the right of an equation: where its first line has, outside of
/// brackets, an operator that may bind less.
fn needs_parentheses(line: &str) -> bool {
    let chars: Vec<char> = line.chars().collect();
    let (mut depth, mut in_string) = (0_usize, false);
    let mut at = 0;
    while at < chars.len() {
        let (c, next) = (chars[at], chars.get(at + 1).copied().unwrap_or(' '));
        let mut may = false;
        match c {
            '"' => in_string = !in_string,
            '\\' if in_string => at += 1,
            _ if in_string => {}
            '<' if next == '<' => {
                at += 1;
                depth += 1;
            }
            '>' if next == '>' => {
                at += 1;
                if depth == 0 {
                    return true;
                }
                depth -= 1;
            }
            '=' | '#' | '<' | '>' => may = true,
            '|' => may = next == '-' || (at > 0 && chars[at - 1] == '-'),
            '\\' => may = !matches!(next, ' ' | 'o' | 'X'),
            '/' => may = next == '\\',
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                if depth == 0 {
                    return true;
                }
                depth -= 1;
            }
            _ => {}
        }
        if may && depth == 0 {
            return true;
        }
        at += 1;
    }
    in_string
}
