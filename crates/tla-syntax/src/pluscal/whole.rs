//! The translation as text: the next-state action, the specification with its fairness, termination.

use super::ast::{Body, Fairness, Marks, Process};
use super::expr::Expr;
use super::generate::{Generator, spaces, width};

impl Generator<'_> {
    pub(super) fn next(&mut self) {
        if self.whole.no_pc && !self.has_processes {
            return;
        }
        let has_done = !self.whole.no_done && !self.whole.is_endless;
        if has_done {
            self.line("(* Allow infinite stuttering to prevent deadlock on termination. *)");
            if self.has_processes {
                self.line("Terminating == /\\ \\A self \\in ProcSet: pc[self] = \"Done\"");
                self.line("               /\\ UNCHANGED vars");
            } else {
                self.line("Terminating == pc = \"Done\" /\\ UNCHANGED vars");
            }
            self.line("");
        }
        let mut disjuncts: Vec<Vec<String>> = Vec::new();
        let procedures: Vec<&str> = self.algorithm.procedures.iter().map(|p| p.name.as_str()).collect();
        match &self.algorithm.body {
            Body::Single(steps) => {
                let names = procedures.iter().copied().chain(steps.iter().map(|step| step.label.as_str()));
                disjuncts.push(vec![names.collect::<Vec<_>>().join(" \\/ ")]);
            }
            Body::Processes(processes) => {
                let single: Vec<&str> =
                    processes.iter().filter(|p| p.is_equal).map(|p| p.name.as_str()).collect();
                if !single.is_empty() {
                    disjuncts.push(vec![single.join(" \\/ ")]);
                }
                if !procedures.is_empty() {
                    disjuncts.push(vec![of_procedures(&procedures)]);
                }
                for process in processes.iter().filter(|process| !process.is_equal) {
                    disjuncts.push(some(&process.id, &process.name));
                }
            }
        }
        if has_done {
            disjuncts.push(vec!["Terminating".to_owned()]);
        }
        for (at, disjunct) in disjuncts.iter().enumerate() {
            self.add(if at == 0 { "Next == " } else { "           \\/ " });
            let indent = spaces(self.open.width());
            for (at, line) in disjunct.iter().enumerate() {
                if at > 0 {
                    self.end();
                    self.add(&indent);
                }
                self.add(line);
            }
            self.end();
        }
        self.line("");
    }

    pub(super) fn specification(&mut self) {
        const SAFETY: &str = "Init /\\ [][Next]_vars";
        let fairness = self.whole.fairness.as_str();
        let mut conjuncts: Vec<Vec<String>> = Vec::new();
        let is_fair =
            fairness == "wfNext" || self.whole.is_fair || (!self.has_processes && !fairness.is_empty());
        if fairness != "nof" {
            if is_fair {
                conjuncts.push(vec!["WF_vars(Next)".to_owned()]);
            }
            if let Body::Processes(processes) = &self.algorithm.body {
                conjuncts.extend(processes.iter().filter_map(|process| self.fairness(process)));
            }
        }
        if conjuncts.is_empty() {
            self.line(&format!("Spec == {SAFETY}"));
        } else {
            self.line(&format!("Spec == /\\ {SAFETY}"));
            for conjunct in conjuncts {
                for (at, line) in conjunct.iter().enumerate() {
                    self.line(&format!("        {} {line}", if at == 0 { "/\\" } else { "  " }));
                }
            }
        }
        self.line("");
    }

    /// The fairness that is assumed of a process, if any.
    fn fairness(&self, process: &Process) -> Option<Vec<String>> {
        let sort = match process.fairness {
            Fairness::None => return None,
            Fairness::Weak => "WF",
            Fairness::Strong => "SF",
        };
        let id = texts(&process.id);
        let mut lines: Vec<String> = Vec::new();
        let own = if let (true, [one]) = (process.is_equal, id.as_slice()) {
            one.clone()
        } else {
            let before = if process.is_equal { "LET self == " } else { "\\A self \\in " };
            lines = under(before, &id);
            if process.is_equal {
                lines.push("IN ".to_owned());
            } else if let Some(last) = lines.last_mut() {
                last.push_str(" : ");
            }
            "self".to_owned()
        };
        let argument = if process.is_equal { String::new() } else { "(self)".to_owned() };
        let mut formulas = fair_parts(sort, &process.name, &argument, &argument, &own, &process.marks);
        for name in self.called(process) {
            let Some(procedure) = self.algorithm.procedures.iter().find(|p| p.name == *name) else {
                continue;
            };
            let argument = format!("({own})");
            formulas.extend(fair_parts(sort, name, &argument, &argument, &own, &procedure.marks));
        }
        // The measure is that of the translator whose text this is.
        let longest = lines.iter().rev().skip(1).map(|line| width(line)).max().unwrap_or(0);
        let last = lines.pop().unwrap_or_default();
        let length = formulas.iter().map(|formula| width(formula)).sum::<usize>()
            + if lines.is_empty() { 0 } else { width(&last) };
        if 11 + length.max(longest) <= 78 || formulas.len() == 1 {
            lines.push(format!("{last}{}", formulas.join(" /\\ ")));
        } else {
            for (at, formula) in formulas.iter().enumerate() {
                let before = if at == 0 { last.clone() } else { spaces(width(&last)) };
                lines.push(format!("{before}/\\ {formula}"));
            }
        }
        Some(lines)
    }

    /// The procedures that a process calls: those it names, then those that these call.
    fn called<'b>(&'b self, process: &'b Process) -> Vec<&'b str> {
        let procedures = &self.algorithm.procedures;
        let mut called: Vec<&str> = process.marks.calls.iter().map(String::as_str).collect();
        let mut at = 0;
        while at < called.len() {
            let reached = self.reached(called[at]);
            for procedure in procedures.iter().filter(|p| reached.contains(&p.name.as_str())) {
                if !called.contains(&procedure.name.as_str()) {
                    called.push(&procedure.name);
                }
            }
            at += 1;
        }
        called
    }

    /// The procedures that are called from a procedure, and from these.
    fn reached(&self, name: &str) -> Vec<&str> {
        let calls = |name: &str| {
            let found = self.algorithm.procedures.iter().find(|procedure| procedure.name == name);
            found
                .into_iter()
                .flat_map(|procedure| procedure.marks.calls.iter().map(String::as_str))
                .collect::<Vec<_>>()
        };
        let mut reached = calls(name);
        let mut at = 0;
        while at < reached.len() {
            for further in calls(reached[at]) {
                if !reached.contains(&further) {
                    reached.push(further);
                }
            }
            at += 1;
        }
        reached
    }

    pub(super) fn termination(&mut self) {
        if self.whole.no_pc || self.whole.is_endless {
            return;
        }
        let done = if self.has_processes { "\\A self \\in ProcSet: pc[self]" } else { "pc" };
        self.line(&format!("Termination == <>({done} = \"Done\")"));
        self.line("");
    }
}

/// `(\E self \in ProcSet: P(self) \/ Q(self))`. If it takes several lines there, the first has a bullet too.
fn of_procedures(names: &[&str]) -> String {
    const WIDTH: usize = 78 - "Next == \\/ (\\E self \\in ProcSet: \\/ ".len();
    let (mut lines, mut length) = (1, 0);
    for name in names {
        if width(name) + "(self) \\/ ".len() + length > WIDTH {
            lines += 1;
            length = 0;
        }
        length += width(name) + "(self)".len() + if length > 0 { " \\/ ".len() } else { 0 };
    }
    let calls: Vec<String> = names.iter().map(|name| format!("{name}(self)")).collect();
    format!("(\\E self \\in ProcSet: {}{})", if lines > 1 { "\\/ " } else { "" }, calls.join(" \\/ "))
}

/// `(\E self \in S: P(self))`.
fn some(id: &Expr, name: &str) -> Vec<String> {
    let mut lines = under("(\\E self \\in ", &texts(id));
    if let Some(last) = lines.last_mut() {
        *last = format!("{last}: {name}(self))");
    }
    lines
}

/// The lines of an expression.
fn texts(expr: &Expr) -> Vec<String> {
    expr.written().into_iter().map(|line| line.text).collect()
}

/// Lines behind a text, one below the other.
fn under(before: &str, lines: &[String]) -> Vec<String> {
    let indent = spaces(width(before));
    lines
        .iter()
        .enumerate()
        .map(|(at, line)| format!("{}{line}", if at == 0 { before } else { &indent }))
        .collect()
}

/// The fairness of an action, without steps at labels with `-`; and the strong fairness of those with `+`.
fn fair_parts(
    sort: &str,
    name: &str,
    argument: &str,
    label_argument: &str,
    own: &str,
    marks: &Marks,
) -> Vec<String> {
    let quoted = |label: &String| format!("\"{label}\"");
    let condition = match marks.minus.as_slice() {
        [] => String::new(),
        [one] => format!("(pc[{own}] # {}) /\\ ", quoted(one)),
        several => {
            let labels: Vec<String> = several.iter().map(quoted).collect();
            format!("(pc[{own}] \\notin {{{}}}) /\\ ", labels.join(", "))
        }
    };
    let mut parts = vec![format!("{sort}_vars({condition}{name}{argument})")];
    if sort == "WF" {
        parts.extend(marks.plus.iter().map(|label| format!("SF_vars({label}{label_argument})")));
    }
    parts
}
