//! For people.

use std::fmt::Write;

use super::Executed;
use crate::Model;
use crate::ast::CommandKind;
use crate::evaluate::{name, names};
use crate::execute::Verdict;
use crate::instance::Instance;

/// An instance, one signature or field a line. What comes from private signatures of modules is left out.
pub fn text(model: &Model, instance: &Instance) -> String {
    let world = model.world();
    let mut out = String::new();
    for sig in world.user_sigs() {
        let declared = world.sig(sig);
        if declared.private && declared.module.0 != 0 {
            continue;
        }
        let atoms: Vec<String> = instance.sig(sig).iter().map(|tuple| name(instance, tuple[0])).collect();
        let _ = writeln!(out, "{} = {{{}}}", world.short(sig), atoms.join(", "));
        for &field in declared.decls.iter().flat_map(|decl| &decl.fields) {
            let tuples: Vec<String> =
                names(instance, instance.field(field)).iter().map(|tuple| tuple.join("->")).collect();
            let _ =
                writeln!(out, "{}.{} = {{{}}}", world.short(sig), world.field(field).name, tuples.join(", "));
        }
    }
    for (name, _, tuples) in instance.witnesses() {
        let tuples: Vec<String> = names(instance, tuples).iter().map(|tuple| tuple.join("->")).collect();
        let _ = writeln!(out, "${name} = {{{}}}", tuples.join(", "));
    }
    out
}

/// The verdicts of some commands, one a line.
pub fn table(model: &Model, executed: &[Executed]) -> String {
    let mut rows: Vec<[String; 4]> = Vec::new();
    for one in executed {
        let command = &model.commands()[one.index];
        let word = if command.kind == CommandKind::Run { "run" } else { "check" };
        let (verdict, note) = match &one.result {
            Err(finding) => ("error".to_owned(), finding.message.clone()),
            Ok(outcome) => {
                let verdict = match (outcome.verdict, command.kind) {
                    (Verdict::Sat, CommandKind::Run) => "instance found",
                    (Verdict::Sat, CommandKind::Check) => "counterexample found",
                    (Verdict::Unsat, CommandKind::Run) => "no instance",
                    (Verdict::Unsat, CommandKind::Check) => "holds",
                    (Verdict::Unknown, _) => "not known",
                };
                let note = match outcome.expected(command) {
                    Some(false) => "not as expected",
                    _ if outcome.vacuous == Some(true) => "but the facts have no instance",
                    _ if outcome.core_missing => "there was no time to find the reason",
                    _ if outcome.verdict == Verdict::Unsat
                        && command.kind == CommandKind::Check
                        && outcome.vacuous.is_none() =>
                    {
                        "there was no time to see whether the facts have an instance"
                    }
                    _ => "",
                };
                (verdict.to_owned(), note.to_owned())
            }
        };
        let time = format!("{:.1} ms", one.time.as_secs_f64() * 1e3);
        rows.push([format!("{} {word} {}", one.index, command.name), verdict, time, note]);
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut out = String::new();
    for [what, verdict, time, note] in &rows {
        let line = format!("{what:<0$}  {verdict:<1$}  {time:>2$}  {note}", widths[0], widths[1], widths[2]);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
