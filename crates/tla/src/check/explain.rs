//! Why a predicate is false: the conjunct, and the values that make it so.

use std::ops::ControlFlow;

use locus_source::{Place, Sources};

use locus_tla_eval::eval::Context;
use locus_tla_eval::eval::ir::{Kind, Node};
use locus_tla_eval::value::{Outcome, Value};

use super::result::{Reason, When};

/// A part that has the truth value in question.
struct Step {
    place: Place,
    truth: bool,
    bound: Vec<(String, Value)>,
}

/// Follows a predicate that is false in the context to the parts that make it so.
pub(crate) fn explain(context: &mut Context, sources: &Sources, node: &Node) -> Vec<Reason> {
    let mut steps = Vec::new();
    // An error while explaining ends the explanation; what is known so far is still right.
    let _ = descend(context, node, false, &mut steps, 0);
    let names = context.shared.names.clone();
    let shown = |step: Step| {
        let bound = step.bound.iter().map(|(name, value)| (name.clone(), value.shown(&names).to_string()));
        Reason { truth: step.truth, ..reason(sources, step.place, bound.collect()) }
    };
    steps.into_iter().map(shown).collect()
}

/// A part of a property that is false where it is evaluated.
pub(super) fn reason(sources: &Sources, place: Place, bound: Vec<(String, String)>) -> Reason {
    let text = sources.get(place.file).slice(place.span).split_whitespace().collect::<Vec<_>>().join(" ");
    Reason { place, truth: false, when: When::Here, text, bound }
}

/// Goes to the part of a node because of which its truth is `truth`.
fn descend(
    context: &mut Context,
    node: &Node,
    truth: bool,
    steps: &mut Vec<Step>,
    depth: u32,
) -> Outcome<()> {
    if depth > 200 {
        return Ok(());
    }
    match &node.kind {
        Kind::And(parts) | Kind::Or(parts) => {
            let conjunction = matches!(node.kind, Kind::And(_));
            // A false conjunction has a first false part; a true one is true because of all.
            if conjunction == truth {
                return Ok(());
            }
            for part in parts {
                if context.test(part)? == truth {
                    steps.push(Step { place: part.place, truth, bound: Vec::new() });
                    return descend(context, part, truth, steps, depth + 1);
                }
            }
            Ok(())
        }
        Kind::Not(inner) => descend(context, inner, !truth, steps, depth + 1),
        Kind::Implies(pair) if !truth => {
            steps.push(Step { place: pair[1].place, truth: false, bound: Vec::new() });
            descend(context, &pair[1], false, steps, depth + 1)
        }
        Kind::Quantifier(all, body) if *all != truth => {
            let _ = context.iterate(&body.binds, &mut |context| {
                if context.test(&body.body)? != truth {
                    return Ok(ControlFlow::Continue(()));
                }
                let bound = body
                    .names
                    .iter()
                    .map(|(slot, name)| (name.to_string(), context.slots[*slot as usize].clone()))
                    .collect();
                steps.push(Step { place: body.body.place, truth, bound });
                descend(context, &body.body, truth, steps, depth + 1)?;
                Ok(ControlFlow::Break(()))
            })?;
            Ok(())
        }
        Kind::If(parts) => {
            let branch = if context.test(&parts[0])? { &parts[1] } else { &parts[2] };
            steps.push(Step { place: branch.place, truth, bound: Vec::new() });
            descend(context, branch, truth, steps, depth + 1)
        }
        Kind::Scope(entry, inner) => {
            context.reset(&entry.reset);
            descend(context, inner, truth, steps, depth + 1)
        }
        Kind::ByName(inner) | Kind::Lazy(_, inner) => descend(context, inner, truth, steps, depth + 1),
        Kind::Cell(cell) => descend(context, &cell.node, truth, steps, depth + 1),
        _ => Ok(()),
    }
}
