//! Names that would clash in the translation are changed: those of variables, labels, procedures and processes are one
//! space of names there.

use super::Wrong;
use super::ast::{Algorithm, Body, Branch, Kind, Labeled, Marks, Statement, Then, Variable};
use super::expr::Expr;
use super::lexer::Sort;
use super::lines::Spot;

/// The sense of a name. The order is that in which names are settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Sense {
    Global,
    Label,
    Procedure,
    Process,
    ProcessVariable,
    ProcedureVariable,
    Parameter,
}

impl Sense {
    fn words(self) -> &'static str {
        match self {
            Self::Global => "Global variable",
            Self::Label => "Label",
            Self::Procedure => "Procedure",
            Self::Process => "Process",
            Self::ProcessVariable => "Process variable",
            Self::ProcedureVariable => "Procedure variable",
            Self::Parameter => "Parameter",
        }
    }

    fn is_variable(self) -> bool {
        matches!(self, Self::Global | Self::ProcessVariable | Self::ProcedureVariable | Self::Parameter)
    }
}

/// A name and what it is called in the translation.
#[derive(Debug)]
struct Entry {
    sense: Sense,
    name: String,
    /// The process or procedure that it belongs to, or nothing.
    context: String,
    /// The sense, in a word.
    of: &'static str,
    spot: Spot,
    used: String,
}

/// All names.
#[derive(Debug, Default)]
pub(super) struct Names {
    entries: Vec<Entry>,
    /// Lines of comment that say what was changed.
    pub(super) changes: Vec<String>,
}

type Outcome<T> = Result<T, Wrong>;

/// A label of an algorithm.
#[derive(Debug)]
pub(super) struct Label {
    /// The name in the algorithm, and in the translation.
    pub(super) name: String,
    pub(super) used: String,
    /// The process or procedure that it is in, such as `process P`; nothing if the algorithm has none.
    pub(super) within: String,
    pub(super) spot: Spot,
}

/// Changes names that clash.
pub(super) fn settle(algorithm: &mut Algorithm) -> Outcome<Names> {
    let mut names = Names::default();
    names.collect(algorithm)?;
    names.settle();
    names.apply(algorithm)?;
    Ok(names)
}

impl Names {
    /// The labels, which are the names of steps.
    pub(super) fn labels(&self) -> impl Iterator<Item = Label> {
        self.entries.iter().filter(|entry| entry.sense == Sense::Label).map(|entry| Label {
            name: entry.name.clone(),
            used: entry.used.clone(),
            within: if entry.context.is_empty() {
                String::new()
            } else {
                format!("{} {}", entry.of, entry.context)
            },
            spot: entry.spot,
        })
    }

    fn insert(
        &mut self,
        sense: Sense,
        name: &str,
        context: &str,
        of: &'static str,
        spot: Spot,
    ) -> Outcome<()> {
        let is_local = sense.is_variable() && sense != Sense::Global;
        let clashes = |entry: &&Entry| {
            let is_same = entry.name == name && entry.context == context;
            if is_local {
                is_same || (entry.sense == Sense::Global && entry.name == name)
            } else {
                is_same && entry.sense == sense
            }
        };
        if let Some(entry) = self.entries.iter().find(clashes) {
            let message = format!("{} `{name}` is defined twice", sense.words().to_lowercase());
            return Err(Wrong::new(message, spot).also("defined here too", entry.spot));
        }
        let (name, context) = (name.to_owned(), context.to_owned());
        self.entries.push(Entry { sense, used: name.clone(), name, context, of, spot });
        Ok(())
    }

    fn collect(&mut self, algorithm: &Algorithm) -> Outcome<()> {
        self.insert(Sense::Global, "pc", "", "", (0, 0))?;
        if !algorithm.procedures.is_empty() {
            self.insert(Sense::Global, "stack", "", "", (0, 0))?;
        }
        for variable in &algorithm.variables {
            self.insert(Sense::Global, &variable.name, "", "process", variable.spot)?;
        }
        for procedure in &algorithm.procedures {
            self.insert(Sense::Procedure, &procedure.name, "", "procedure", procedure.spot)?;
            for variable in &procedure.variables {
                self.insert(
                    Sense::ProcedureVariable,
                    &variable.name,
                    &procedure.name,
                    "procedure",
                    variable.spot,
                )?;
            }
            for param in &procedure.params {
                self.insert(Sense::Parameter, &param.name, &procedure.name, "procedure", param.spot)?;
            }
            self.collect_labels(&procedure.body, &procedure.name, "procedure")?;
        }
        match &algorithm.body {
            Body::Single(steps) => self.collect_labels(steps, "", ""),
            Body::Processes(processes) => {
                for process in processes {
                    self.insert(Sense::Process, &process.name, "", "process", process.spot)?;
                    for variable in &process.variables {
                        self.insert(
                            Sense::ProcessVariable,
                            &variable.name,
                            &process.name,
                            "process",
                            variable.spot,
                        )?;
                    }
                    self.collect_labels(&process.body, &process.name, "process")?;
                }
                Ok(())
            }
        }
    }

    fn collect_labels(&mut self, steps: &[Labeled], context: &str, of: &'static str) -> Outcome<()> {
        for step in steps {
            self.insert(Sense::Label, &step.label, context, of, step.spot)?;
            self.collect_statements(&step.statements, context, of)?;
        }
        Ok(())
    }

    fn collect_statements(
        &mut self,
        statements: &[Statement],
        context: &str,
        of: &'static str,
    ) -> Outcome<()> {
        for statement in statements {
            match &statement.kind {
                Kind::While(_, body, labeled) => {
                    self.collect_statements(body, context, of)?;
                    self.collect_labels(labeled, context, of)?;
                }
                Kind::If(_, then, other) => {
                    self.collect_branch(then, context, of)?;
                    self.collect_branch(other, context, of)?;
                }
                Kind::Either(branches) => {
                    for branch in branches {
                        self.collect_branch(branch, context, of)?;
                    }
                }
                Kind::With { body, .. } => self.collect_statements(body, context, of)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn collect_branch(&mut self, branch: &Branch, context: &str, of: &'static str) -> Outcome<()> {
        self.collect_statements(&branch.statements, context, of)?;
        self.collect_labels(&branch.labeled, context, of)
    }

    /// Gives each name one that no other has.
    fn settle(&mut self) {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|at| self.entries[*at].sense);
        for at in order {
            if self.entries[at].sense == Sense::Global {
                continue;
            }
            let mut suffix = 0;
            while self.entries.iter().filter(|entry| entry.used == self.entries[at].used).count() > 1 {
                suffix += 1;
                let entry = &mut self.entries[at];
                match (suffix, entry.context.chars().nth(suffix.max(2) - 2)) {
                    (1, _) => entry.used.push('_'),
                    (_, Some(letter)) => entry.used.push(letter),
                    (_, None) => entry.used.push_str(&(entry.sense as usize).to_string()),
                }
            }
            let entry = &self.entries[at];
            if entry.used != entry.name {
                let of = if entry.context.is_empty() {
                    String::new()
                } else {
                    format!(" of {} {}", entry.of, entry.context)
                };
                let (line, column) = entry.spot;
                self.changes.push(format!(
                    "\\* {} {}{of} at line {} col {} changed to {}",
                    entry.sense.words(),
                    entry.name,
                    line + 1,
                    column + 1,
                    entry.used
                ));
            }
        }
    }

    fn find(&self, sense: Sense, name: &str, context: &str) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| entry.sense == sense && entry.name == name && entry.context == context)
    }

    fn used(&self, sense: Sense, name: &str, context: &str) -> String {
        self.find(sense, name, context).map_or(name, |entry| &entry.used).to_owned()
    }

    fn label(&self, name: &str, context: &str) -> String {
        self.used(Sense::Label, name, context)
    }

    fn variable(&self, name: &str, context: &str) -> String {
        let found = self.entries.iter().find(|entry| entry.name == name && entry.context == context);
        found.filter(|entry| entry.sense.is_variable()).map_or(name, |entry| &entry.used).to_owned()
    }

    /// Whether a name is that of anything.
    pub(super) fn is_used(&self, name: &str) -> Option<Spot> {
        self.entries.iter().find(|entry| entry.name == name).map(|entry| entry.spot)
    }

    fn apply(&self, algorithm: &mut Algorithm) -> Outcome<()> {
        self.variables(&mut algorithm.variables, "");
        for procedure in &mut algorithm.procedures {
            let context = procedure.name.clone();
            self.variables(&mut procedure.variables, &context);
            self.variables(&mut procedure.params, &context);
            self.steps(&mut procedure.body, &context)?;
            self.marks(&mut procedure.marks, &context);
            procedure.name = self.used(Sense::Procedure, &context, "");
        }
        match &mut algorithm.body {
            Body::Single(steps) => self.steps(steps, ""),
            Body::Processes(processes) => {
                for process in processes {
                    let context = process.name.clone();
                    self.variables(&mut process.variables, &context);
                    self.steps(&mut process.body, &context)?;
                    self.marks(&mut process.marks, &context);
                    process.name = self.used(Sense::Process, &context, "");
                }
                Ok(())
            }
        }
    }

    fn marks(&self, marks: &mut Marks, context: &str) {
        for label in marks.plus.iter_mut().chain(&mut marks.minus) {
            *label = self.label(label, context);
        }
        for name in &mut marks.calls {
            *name = self.used(Sense::Procedure, name, "");
        }
    }

    fn variables(&self, variables: &mut [Variable], context: &str) {
        for variable in variables {
            variable.name = self.variable(&variable.name, context);
            self.expr(&mut variable.value, context);
        }
    }

    fn steps(&self, steps: &mut [Labeled], context: &str) -> Outcome<()> {
        for step in steps {
            step.label = self.label(&step.label, context);
            self.statements(&mut step.statements, context)?;
        }
        Ok(())
    }

    fn statements(&self, statements: &mut [Statement], context: &str) -> Outcome<()> {
        statements.iter_mut().try_for_each(|statement| self.statement(statement, context))
    }

    fn branch(&self, branch: &mut Branch, context: &str) -> Outcome<()> {
        self.statements(&mut branch.statements, context)?;
        self.steps(&mut branch.labeled, context)
    }

    fn statement(&self, statement: &mut Statement, context: &str) -> Outcome<()> {
        let spot = statement.spot;
        match &mut statement.kind {
            Kind::While(test, body, labeled) => {
                self.expr(test, context);
                self.statements(body, context)?;
                self.steps(labeled, context)?;
            }
            Kind::Assign(all) => {
                for assignment in all {
                    assignment.name = self.variable(&assignment.name, context);
                    self.expr(&mut assignment.subscript, context);
                    self.expr(&mut assignment.value, context);
                }
            }
            Kind::If(test, then, other) => {
                self.expr(test, context);
                self.branch(then, context)?;
                self.branch(other, context)?;
            }
            Kind::Either(branches) => {
                branches.iter_mut().try_for_each(|branch| self.branch(branch, context))?;
            }
            Kind::With { value, body, .. } => {
                self.expr(value, context);
                self.statements(body, context)?;
            }
            Kind::When(expr) | Kind::Print(expr) | Kind::Assert(expr) => self.expr(expr, context),
            Kind::Call { to, args, then } => {
                *to = self.used(Sense::Procedure, to, "");
                for arg in args {
                    self.expr(arg, context);
                }
                match then {
                    Then::Return(Some(from)) => *from = self.used(Sense::Procedure, from, ""),
                    Then::Goto(label) => *label = self.target(label, context, spot)?,
                    Then::Next | Then::Return(None) => {}
                }
            }
            Kind::Return(Some(from)) => *from = self.used(Sense::Procedure, from, ""),
            Kind::Goto(label) => *label = self.target(label, context, spot)?,
            Kind::Return(None) | Kind::Skip | Kind::Macro(..) => {}
        }
        Ok(())
    }

    /// The label that a `goto` goes to.
    fn target(&self, label: &str, context: &str, spot: Spot) -> Outcome<String> {
        if label != "Done" && self.find(Sense::Label, label, context).is_none() {
            return Err(Wrong::new(format!("there is no label `{label}` here"), spot));
        }
        Ok(self.label(label, context))
    }

    fn expr(&self, expr: &mut Expr, context: &str) {
        let mut changed: (Vec<String>, Vec<Expr>) = Default::default();
        for token in expr.tokens() {
            let used = self.variable(&token.text, context);
            if token.sort == Sort::Ident && used != token.text && !changed.0.contains(&token.text) {
                changed.0.push(token.text.clone());
                changed.1.push(Expr::line(&[(&used, Sort::Ident)], 0));
            }
        }
        if !changed.0.is_empty() {
            expr.substitute(&changed.0, &changed.1, false);
        }
    }
}
