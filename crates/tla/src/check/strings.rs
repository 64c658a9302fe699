//! The order of strings, which decides what CHOOSE takes and in which order states are found.
//!
//! It is TLC's: names are numbered [as the modules are read](names_as_read), and strings that are not the name of
//! anything behind them, as the definitions are gone through.

use locus_source::Sources;
use rustc_hash::FxHashSet;

use locus_tla_eval::value::Names;
use locus_tla_syntax::semantic::{ExprKind, Program, names_as_read};

/// Numbers all strings of a program.
pub(super) fn number(sources: &Sources, program: &Program, names: &Names) {
    let strings = strings(program);
    let wanted: FxHashSet<&str> = strings.iter().copied().collect();
    if wanted.len() > 1 {
        for name in names_as_read(sources, program) {
            if wanted.contains(&*name) {
                names.intern(&name);
            }
        }
    }
    for string in strings {
        names.intern(string);
    }
}

/// All strings and names of fields, in the order in which they stand in the definitions.
fn strings(program: &Program) -> Vec<&str> {
    let mut found = Vec::new();
    for expr in &program.exprs {
        match &expr.kind {
            ExprKind::String(name) | ExprKind::Field(_, name) => found.push(program.text(*name)),
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
                found.extend(fields.iter().map(|field| program.text(field.name)));
            }
            _ => {}
        }
    }
    found
}
