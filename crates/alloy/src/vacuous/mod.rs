//! Facts that hold of a document because it has nothing that they are about.
//!
//! Of many rules only a few are about what a document has. Those that begin with `all p: Port, e: p.fixed_ips` hold
//! where there are no ports, or where no port has addresses, and the syntax shows that before names and types are
//! resolved. Such facts are left out, and with them the functions and fields that nothing else names. What remains
//! has all declarations of every name that it uses, so that it means the same as before.
//!
//! Out of scope: what a document has. A caller says that of each signature and field ([`Absent`]).

mod decide;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use self::decide::Names;
use crate::ast::{Decl, Expr, ExprKind, Func, Paragraph, Parents, Sig, Target};
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
            let keep = |(number, paragraph): (usize, &Paragraph)| match paragraph {
                Paragraph::Fact(_) => Keep::whole(facts.contains(&(at, number))),
                Paragraph::Func(func) => Keep::whole(mentioned.contains(&*func.name.text)),
                Paragraph::Sig(sig) => {
                    let decls = sig.fields.iter();
                    Keep::Fields(decls.map(|decl| is_kept(decl, module, &mentioned, absent)).collect())
                }
                _ => Keep::Everything,
            };
            module.ast.paragraphs.iter().enumerate().map(keep).collect()
        };
        loaded.modules.iter().enumerate().map(paragraphs).collect()
    };
    for (module, kept) in loaded.modules.iter_mut().zip(kept) {
        if module.is_repeated {
            continue;
        }
        let ast = Arc::make_mut(&mut module.ast);
        let all = std::mem::take(&mut ast.paragraphs).into_iter().zip(kept);
        ast.paragraphs = all.filter_map(|(paragraph, keep)| keep.part_of(paragraph)).collect();
    }
}

/// How much of a paragraph is kept.
enum Keep {
    Nothing,
    Everything,
    /// Of a signature: which declarations of fields.
    Fields(Vec<bool>),
}

impl Keep {
    fn whole(is_kept: bool) -> Self {
        if is_kept { Self::Everything } else { Self::Nothing }
    }

    /// Returns the part of a paragraph that remains.
    fn part_of(self, paragraph: Paragraph) -> Option<Paragraph> {
        match (self, paragraph) {
            (Self::Nothing, _) => None,
            (Self::Fields(kept), Paragraph::Sig(sig)) if kept.contains(&false) => {
                let fields = sig.fields.iter().zip(kept).filter(|(_, is_kept)| *is_kept);
                let part = Sig {
                    fields: fields.map(|(decl, _)| decl.clone()).collect(),
                    names: sig.names.clone(),
                    parents: sig.parents.clone(),
                    fact: sig.fact.clone(),
                    ..*sig
                };
                Some(Paragraph::Sig(Arc::new(part)))
            }
            (_, paragraph) => Some(paragraph),
        }
    }
}

/// Whether a declaration of fields is kept: something names one, or a document may have tuples for one.
fn is_kept(decl: &Decl, module: &RawModule, mentioned: &FxHashSet<&str>, absent: &Absent<'_>) -> bool {
    let name = name_of(module);
    decl.names.iter().any(|field| mentioned.contains(&*field.text) || !absent(name, &field.text))
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
    let (mut funcs, mut fields): (Vec<&Func>, Vec<(&RawModule, &Decl)>) = (Vec::new(), Vec::new());
    for (at, module) in modules.iter().enumerate() {
        found.extend(module.ast.opens.iter().flat_map(|open| &open.arguments).map(|one| own_name(&one.text)));
        for (number, paragraph) in module.ast.paragraphs.iter().enumerate() {
            match paragraph {
                Paragraph::Fact(fact) if facts.contains(&(at, number)) => names_in(&fact.body, &mut found),
                Paragraph::Fact(_) | Paragraph::Enum(_) => {}
                Paragraph::Assert(formula) => names_in(&formula.body, &mut found),
                Paragraph::Macro(one) => names_in(&one.body, &mut found),
                Paragraph::Func(func) if module.is_repeated => names_of_func(func, &mut found),
                Paragraph::Func(func) => funcs.push(func),
                Paragraph::Sig(sig) => {
                    names_of_sig(sig, &mut found);
                    if module.is_repeated {
                        sig.fields.iter().for_each(|decl| names_in(&decl.bound, &mut found));
                    } else {
                        fields.extend(sig.fields.iter().map(|decl| (module, decl)));
                    }
                }
                Paragraph::Command(command) => match &command.target {
                    Target::Name(name) => drop(found.insert(own_name(&name.text))),
                    Target::Block(body) => names_in(body, &mut found),
                },
            }
        }
    }
    // What is named names more.
    loop {
        let (named, others): (Vec<&Func>, _) =
            funcs.into_iter().partition(|func| found.contains(&*func.name.text));
        let (kept, left): (Vec<(&RawModule, &Decl)>, _) =
            fields.into_iter().partition(|(module, decl)| is_kept(decl, module, &found, absent));
        if named.is_empty() && kept.is_empty() {
            return found;
        }
        for func in named {
            names_of_func(func, &mut found);
        }
        for (_, decl) in kept {
            names_in(&decl.bound, &mut found);
        }
        (funcs, fields) = (others, left);
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

fn names_of_func<'a>(func: &'a Func, found: &mut FxHashSet<&'a str>) {
    let parameters = func.parameters.iter().map(|decl| &decl.bound);
    for part in parameters.chain(&func.returns).chain([&func.body]) {
        names_in(part, found);
    }
    found.extend(func.receiver.iter().map(|receiver| own_name(&receiver.text)));
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
