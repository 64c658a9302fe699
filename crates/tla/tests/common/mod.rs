//! Helpers that the tests share: findings and trees as text.

#![allow(dead_code, unused_imports, clippy::format_collect, reason = "each test binary uses a part of it")]

mod checked;
mod program;

use std::fmt::Write as _;

pub(crate) use checked::{checked, checked_both_ways, loaded};
pub(crate) use program::program;

use locus_source::{Finding, Sources};
use locus_tla::syntax::ast::{
    Bound, Declaration, Definition, DefinitionBody, Expr, ExprKind, Instance, Module, NamePart, PartName,
    PathStep, Statement, Unit, UnitKind,
};

/// Findings, one block each: code, place, message, other places, notes, help.
pub(crate) fn findings(sources: &Sources, findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let place = sources.describe(finding.primary.place);
        let shown = sources.get(finding.primary.place.file);
        let slice = shown.slice(finding.primary.place.span).lines().next().unwrap_or_default().to_owned();
        writeln!(text, "{} {} {place}: {}", finding.severity, finding.code, finding.message).unwrap();
        writeln!(text, "  at: {slice}").unwrap();
        if !finding.primary.message.is_empty() {
            writeln!(text, "  label: {}", finding.primary.message).unwrap();
        }
        for label in &finding.secondary {
            writeln!(text, "  also {}: {}", sources.describe(label.place), label.message).unwrap();
        }
        for note in &finding.notes {
            writeln!(text, "  note: {note}").unwrap();
        }
        if let Some(help) = &finding.help {
            writeln!(text, "  help: {help}").unwrap();
        }
    }
    text
}

/// A module as S-expressions, one unit a line.
pub(crate) fn module(tree: &Module) -> String {
    let mut text = format!("(module {}", tree.name.text);
    if !tree.extends.is_empty() {
        let names: Vec<&str> = tree.extends.iter().map(|ident| &*ident.text).collect();
        write!(text, " (extends {})", names.join(" ")).unwrap();
    }
    for unit in &tree.units {
        for line in unit_text(unit).lines() {
            write!(text, "\n  {line}").unwrap();
        }
    }
    text + ")"
}

fn unit_text(unit: &Unit) -> String {
    let text = match &unit.kind {
        UnitKind::Constants(items) => format!("(constants {})", declarations(items)),
        UnitKind::Variables(names) => {
            format!("(variables {})", names.iter().map(|n| &*n.text).collect::<Vec<_>>().join(" "))
        }
        UnitKind::Recursive(items) => format!("(recursive {})", declarations(items)),
        UnitKind::Definition(tree) => definition(tree),
        UnitKind::Instance(tree) => instance(tree),
        UnitKind::Assumption { axiom, name, body } => {
            format!(
                "({} {}{})",
                if *axiom { "axiom" } else { "assume" },
                name.as_ref().map_or(String::new(), |n| format!("{} ", n.text)),
                statement(body)
            )
        }
        UnitKind::Theorem { name, body, proof } => format!(
            "(theorem {}{}{})",
            name.as_ref().map_or(String::new(), |n| format!("{} ", n.text)),
            statement(body),
            if proof.is_some() { " proof" } else { "" }
        ),
        UnitKind::Module(tree) => module(tree),
        UnitKind::UseOrHide(_) => "(use-or-hide)".to_owned(),
    };
    if unit.local.is_some() { format!("(local {text})") } else { text }
}

fn statement(tree: &Statement) -> String {
    match tree {
        Statement::Formula(tree) => expr(tree),
        Statement::AssumeProve(_) => "assume-prove".to_owned(),
    }
}

fn declarations(items: &[Declaration]) -> String {
    let one = |item: &Declaration| match item.arity {
        0 => item.name.text.to_string(),
        n => format!("{}/{n}", item.name.text),
    };
    items.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn definition(tree: &Definition) -> String {
    let head = format!("{} ({})", tree.name.text, declarations(&tree.params));
    match &tree.body {
        DefinitionBody::Operator(body) => format!("(define {head} {})", expr(body)),
        DefinitionBody::Function { bounds: b, value } => {
            format!("(function {} {} {})", tree.name.text, bounds(b), expr(value))
        }
        DefinitionBody::Instance(tree) => format!("(define {head} {})", instance(tree)),
    }
}

fn instance(tree: &Instance) -> String {
    let mut text = format!("(instance {}", tree.module.text);
    for substitution in &tree.substitutions {
        write!(text, " ({} {})", substitution.name.text, expr(&substitution.value)).unwrap();
    }
    text + ")"
}

fn bound(tree: &Bound) -> String {
    let names = tree.names.iter().map(|n| &*n.text).collect::<Vec<_>>().join(" ");
    let names = if tree.tuple { format!("<<{names}>>") } else { names };
    match &tree.set {
        Some(set) => format!("({names} in {})", expr(set)),
        None => format!("({names})"),
    }
}

fn bounds(trees: &[Bound]) -> String {
    trees.iter().map(bound).collect::<Vec<_>>().join(" ")
}

fn exprs(trees: &[Expr]) -> String {
    trees.iter().map(expr).collect::<Vec<_>>().join(" ")
}

fn part(tree: &NamePart) -> String {
    let name = match &tree.name {
        PartName::Name(ident) => ident.text.to_string(),
        PartName::Selector(span) => format!("selector@{}", span.len()),
    };
    if tree.args.is_empty() { name } else { format!("({name} {})", exprs(&tree.args)) }
}

/// An expression as an S-expression.
pub(crate) fn expr(tree: &Expr) -> String {
    match &tree.kind {
        ExprKind::Number(text) | ExprKind::Decimal(text) => text.to_string(),
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::Name(parts) => parts.iter().map(part).collect::<Vec<_>>().join("!"),
        ExprKind::Operator(ident) => format!("(op {})", ident.text),
        ExprKind::Lambda { params, body } => {
            let params = params.iter().map(|p| &*p.text).collect::<Vec<_>>().join(" ");
            format!("(lambda ({params}) {})", expr(body))
        }
        ExprKind::Prefix { op, arg } => format!("({} {})", op.text, expr(arg)),
        ExprKind::Infix { op, left, right } => format!("({} {} {})", op.text, expr(left), expr(right)),
        ExprKind::Postfix { op, arg } => format!("(post{} {})", op.text, expr(arg)),
        ExprKind::Times(items) => format!("(\\X {})", exprs(items)),
        ExprKind::Paren(inner) => format!("(paren {})", expr(inner)),
        ExprKind::Junction { and, items } => {
            format!("({} {})", if *and { "and" } else { "or" }, exprs(items))
        }
        ExprKind::Quantifier { forall, bounds: b, body } => {
            format!("({} {} {})", if *forall { "forall" } else { "exists" }, bounds(b), expr(body))
        }
        ExprKind::TemporalQuantifier { forall, names, body } => {
            let names = names.iter().map(|n| &*n.text).collect::<Vec<_>>().join(" ");
            format!("({} ({names}) {})", if *forall { "AA" } else { "EE" }, expr(body))
        }
        ExprKind::Choose { bound: b, body } => format!("(choose {} {})", bound(b), expr(body)),
        ExprKind::SetOf(items) => format!("(set {})", exprs(items)),
        ExprKind::Filter { bound: b, body } => format!("(filter {} {})", bound(b), expr(body)),
        ExprKind::Map { body, bounds: b } => format!("(map {} {})", expr(body), bounds(b)),
        ExprKind::Function { bounds: b, body } => format!("(fn {} {})", bounds(b), expr(body)),
        ExprKind::FunctionSet(domain, range) => format!("(-> {} {})", expr(domain), expr(range)),
        ExprKind::Record(fields) => format!("(record{})", field_list(fields)),
        ExprKind::RecordSet(fields) => format!("(records{})", field_list(fields)),
        ExprKind::Except { base, updates } => {
            let mut text = format!("(except {}", expr(base));
            for update in updates {
                let steps = update.path.iter().map(|step| match step {
                    PathStep::Index(args, _) => format!("[{}]", exprs(args)),
                    PathStep::Field(field) => format!(".{}", field.text),
                });
                write!(text, " ({} {})", steps.collect::<String>(), expr(&update.value)).unwrap();
            }
            text + ")"
        }
        ExprKind::Apply { function, args } => format!("(apply {} {})", expr(function), exprs(args)),
        ExprKind::Field { record, field } => format!("(. {} {})", expr(record), field.text),
        ExprKind::Tuple(items) => format!("(tuple {})", exprs(items)),
        ExprKind::ActionBox { angle, action, subscript } => {
            format!("({} {} {})", if *angle { "angle" } else { "square" }, expr(action), expr(subscript))
        }
        ExprKind::Fairness { strong, subscript, action } => {
            format!("({} {} {})", if *strong { "SF" } else { "WF" }, expr(subscript), expr(action))
        }
        ExprKind::If(a, b, c) => format!("(if {} {} {})", expr(a), expr(b), expr(c)),
        ExprKind::Case { arms, other } => {
            let mut text = "(case".to_owned();
            for (condition, value) in arms {
                write!(text, " ({} {})", expr(condition), expr(value)).unwrap();
            }
            if let Some(other) = other {
                write!(text, " (other {})", expr(other)).unwrap();
            }
            text + ")"
        }
        ExprKind::Let { units, body } => {
            let units = units.iter().map(unit_text).collect::<Vec<_>>().join(" ");
            format!("(let ({units}) {})", expr(body))
        }
        ExprKind::Label { name, params, body } => {
            let params = params.iter().map(|p| &*p.text).collect::<Vec<_>>().join(" ");
            format!("(label {} ({params}) {})", name.text, expr(body))
        }
        ExprKind::At => "@".to_owned(),
        ExprKind::Error => "<error>".to_owned(),
    }
}

fn field_list(fields: &[(locus_tla::syntax::ast::Ident, Expr)]) -> String {
    fields.iter().map(|(name, value)| format!(" ({} {})", name.text, expr(value))).collect()
}
