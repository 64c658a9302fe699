//! Patterns that are written in a model: one that is not a regular expression would match nothing, without a word.

use locus_source::Finding;

use crate::ast::BinOp;
use crate::model::{E, Kind, World};
use crate::{native, rules};

/// Reports the patterns of `util/text` that are none.
pub(super) fn check(world: &World, errors: &mut Vec<Finding>) {
    if world.modules.iter().all(|module| module.library != Some(native::TEXT)) {
        return;
    }
    let sigs = world.user_sigs().flat_map(|sig| {
        let declared = world.sig(sig);
        declared.decls.iter().map(|decl| &decl.bound).chain(&declared.facts)
    });
    let bodies = world.funcs.iter().map(|func| &func.body);
    let statements = world.facts.iter().chain(&world.asserts).map(|statement| &statement.body);
    let goals = world.commands.iter().map(|command| &command.goal);
    for e in sigs.chain(bodies).chain(statements).chain(goals) {
        visit(world, e, errors);
    }
}

fn visit(world: &World, e: &E, errors: &mut Vec<Finding>) {
    if let Kind::Binary(BinOp::Join, patterns, relation) = &e.kind
        && is_matches(world, relation)
    {
        texts(patterns, errors);
    }
    e.kind.each_part(&mut |part| visit(world, part, errors));
}

fn is_matches(world: &World, relation: &E) -> bool {
    match &relation.kind {
        Kind::Call(func, _) => {
            let func = world.func(*func);
            func.name == "matches" && world.module(func.module).library == Some(native::TEXT)
        }
        _ => false,
    }
}

/// Looks at the texts that an expression is made of.
fn texts(e: &E, errors: &mut Vec<Finding>) {
    if let Kind::Text(pattern) = &e.kind
        && let Some(why) = native::pattern_error(pattern)
    {
        let message = format!("`{pattern}` is not a valid pattern: {why}");
        let finding = Finding::new(&rules::PATTERN, e.place, message);
        errors.push(finding.help("a backslash is written twice in a string: `\\\\d` for a digit"));
    }
    e.kind.each_part(&mut |part| texts(part, errors));
}
