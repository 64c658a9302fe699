//! Facts that hold of a document because it has nothing that they are about.
//!
//! Of many rules only a few are about what a document has. Those that begin with `all p: Port, e: p.fixed_ips` hold where
//! there are no ports, or where no port has addresses, and the syntax shows that before names and types are resolved.
//! Such facts are left out, and with them the functions and fields that nothing else names. What remains has all
//! declarations of every name that it uses, so that it means the same as before.
//!
//! Out of scope: what a document has. A caller says that of each signature and field ([`Absent`]).

mod decide;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use self::decide::Names;
use crate::ast::{Decl, Expr, ExprKind, Func, Paragraph, Parents, Sig};
use crate::modules::{Loaded, RawModule};

/// Whether a signature or a field is certain to have no atoms or tuples, by the name of its module and its own name.
pub type Absent<'a> = dyn Fn(&str, &str) -> bool + 'a;

/// Leaves out what says nothing about a document without what is absent.
pub(crate) fn leave_out(loaded: &mut Loaded, absent: &Absent<'_>) {
    let kept: Vec<Vec<Keep>> = {
        let names = Names::of(&loaded.modules, absent);
        let facts = names.facts_that_matter(&loaded.modules);
        let mentioned = mentioned(&loaded.modules, &facts, absent);
        let paragraphs = |(at, module): (usize, &RawModule)| {
            let keep = |(number, paragraph)| keep(paragraph, facts.contains(&(at, number)), &mentioned);
            module.ast.paragraphs.iter().enumerate().map(keep).collect()
        };
        loaded.modules.iter().enumerate().map(paragraphs).collect()
    };
    for (module, kept) in loaded.modules.iter_mut().zip(kept) {
        let name = name_of(module).to_owned();
        // A module with parameters has several instances, which share their syntax: it stays whole.
        let Some(ast) = Arc::get_mut(&mut module.ast) else { continue };
        let mut kept = kept.into_iter();
        ast.paragraphs.retain_mut(|paragraph| {
            let keep = kept.next().expect("there is one for each paragraph");
            if let (Paragraph::Sig(sig), Keep::Fields(fields)) = (paragraph, &keep) {
                let mut fields = fields.iter();
                let is_asked = |decl: &Decl| !decl.names.iter().all(|field| absent(&name, &field.text));
                sig.fields.retain(|decl| fields.next() == Some(&true) || is_asked(decl));
            }
            keep != Keep::Nothing
        });
    }
}

/// How much of a paragraph is kept.
#[derive(PartialEq, Eq)]
enum Keep {
    Nothing,
    Everything,
    /// The declarations of fields that something names, and those that a document has tuples for.
    Fields(Vec<bool>),
}

fn keep(paragraph: &Paragraph, matters: bool, mentioned: &FxHashSet<&str>) -> Keep {
    let whole = |is_kept| if is_kept { Keep::Everything } else { Keep::Nothing };
    match paragraph {
        Paragraph::Fact(_) => whole(matters),
        Paragraph::Func(func) => whole(mentioned.contains(&*func.name.text)),
        Paragraph::Sig(sig) => {
            Keep::Fields(sig.fields.iter().map(|decl| is_named(decl, mentioned)).collect())
        }
        Paragraph::Enum(_) | Paragraph::Assert(_) | Paragraph::Macro(_) | Paragraph::Command(_) => {
            Keep::Everything
        }
    }
}

fn is_named(decl: &Decl, mentioned: &FxHashSet<&str>) -> bool {
    decl.names.iter().any(|name| mentioned.contains(&*name.text))
}

/// The name that a module gives itself.
fn name_of(module: &RawModule) -> &str {
    module.ast.module.as_ref().map_or("", |declared| &declared.name.text)
}

/// A name without the path before it, and without `@`.
fn own_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name).trim_start_matches('@')
}

/// All names that what is kept may look up. Those of variables are among them: that only keeps too much.
fn mentioned<'a>(
    modules: &'a [RawModule],
    facts: &FxHashSet<(usize, usize)>,
    absent: &Absent<'_>,
) -> FxHashSet<&'a str> {
    let mut found = FxHashSet::default();
    let (mut funcs, mut fields): (Vec<&Func>, Vec<(&str, &Decl)>) = (Vec::new(), Vec::new());
    for (at, module) in modules.iter().enumerate() {
        let name = name_of(module);
        found.extend(module.ast.opens.iter().flat_map(|open| &open.arguments).map(|one| own_name(&one.text)));
        for (number, paragraph) in module.ast.paragraphs.iter().enumerate() {
            match paragraph {
                Paragraph::Fact(fact) if facts.contains(&(at, number)) => names_in(&fact.body, &mut found),
                Paragraph::Fact(_) | Paragraph::Enum(_) => {}
                Paragraph::Assert(formula) => names_in(&formula.body, &mut found),
                Paragraph::Macro(one) => names_in(&one.body, &mut found),
                Paragraph::Func(func) => funcs.push(func),
                Paragraph::Sig(sig) => {
                    names_of_sig(sig, &mut found);
                    fields.extend(sig.fields.iter().map(|decl| (name, decl)));
                }
                Paragraph::Command(command) => match &command.target {
                    crate::ast::Target::Name(name) => drop(found.insert(own_name(&name.text))),
                    crate::ast::Target::Block(body) => names_in(body, &mut found),
                },
            }
        }
    }
    // What is named names more.
    loop {
        let (open_funcs, open_fields) = (funcs.len(), fields.len());
        funcs.retain(|func| !(found.contains(&*func.name.text) && names_of_func(func, &mut found)));
        fields.retain(|(module, decl)| {
            let is_kept =
                is_named(decl, &found) || !decl.names.iter().all(|field| absent(module, &field.text));
            if is_kept {
                names_in(&decl.bound, &mut found);
            }
            !is_kept
        });
        if (open_funcs, open_fields) == (funcs.len(), fields.len()) {
            return found;
        }
    }
}

fn names_of_sig<'a>(sig: &'a Sig, found: &mut FxHashSet<&'a str>) {
    match &sig.parents {
        Parents::Top => {}
        Parents::Extends(parent) => drop(found.insert(own_name(&parent.text))),
        Parents::Subset(parents) | Parents::Exactly(parents) => {
            found.extend(parents.iter().map(|parent| own_name(&parent.text)));
        }
    }
    if let Some(fact) = &sig.fact {
        names_in(fact, found);
    }
}

/// Always true.
fn names_of_func<'a>(func: &'a Func, found: &mut FxHashSet<&'a str>) -> bool {
    let parameters = func.parameters.iter().map(|decl| &decl.bound);
    for part in parameters.chain(&func.returns).chain([&func.body]) {
        names_in(part, found);
    }
    found.extend(func.receiver.iter().map(|receiver| own_name(&receiver.text)));
    true
}

fn names_in<'a>(expr: &'a Expr, found: &mut FxHashSet<&'a str>) {
    let mut parts: Vec<&Expr> = Vec::new();
    match &expr.kind {
        ExprKind::Name(name) => drop(found.insert(own_name(name))),
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::IntMin | ExprKind::IntMax | ExprKind::IntNext => {
        }
        ExprKind::Unary(_, inner) => parts.push(inner),
        ExprKind::Binary(_, a, b) | ExprKind::Let(_, a, b) => parts.extend([&**a, &**b]),
        ExprKind::List(_, all) | ExprKind::Block(all) => parts.extend(all),
        ExprKind::Box(target, arguments) => {
            parts.push(target);
            parts.extend(arguments);
        }
        ExprKind::IfElse(a, b, c) => parts.extend([&**a, &**b, &**c]),
        ExprKind::Quant(_, decls, body) => {
            parts.extend(decls.iter().map(|decl| &decl.bound));
            parts.push(body);
        }
    }
    for part in parts {
        names_in(part, found);
    }
}
