//! Uncoupling transitions: a part of a graph moves, and the rest stays.

use crate::location::common;
use crate::semantics::Transition;
use crate::semantics::transition::join;
use crate::{Atom, Clash, LocationSet, Role, Symbols};

/// The condition of `Uncoupling_Transition` that fails, in the report's order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UncoupleError {
    /// `MixableLS[t.init, c]`: the rest clashes with what moves, before it moves.
    InitialNotMixable(Clash),
    /// `MixableLS[t.term, c]`: the rest clashes with what moves, after it moved.
    TerminalNotMixable(Clash),
    /// `no t.label.signals.irole & (c.provided + c.required)`: the transition needs the rest to interact at
    /// these roles.
    SignalsOnRoles(Vec<Role>),
    /// Fact `TransitionsContextsGatherAllAtoms` of the result: the context must know the rest, too. The
    /// report's predicate has no need to say so, because in Alloy the fact holds of every transition.
    ContextLacks(Vec<Atom>),
}

impl UncoupleError {
    /// In words.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        match self {
            Self::InitialNotMixable(clash) => {
                format!("the rest clashes with what moves: {}", clash.display(symbols))
            }
            Self::TerminalNotMixable(clash) => {
                format!("the rest clashes with what comes of the move: {}", clash.display(symbols))
            }
            Self::SignalsOnRoles(roles) => format!(
                "the transition needs the rest to interact at {}",
                join(roles.iter().map(|&role| symbols.role_text(role).to_owned()))
            ),
            Self::ContextLacks(atoms) => format!(
                "the context lacks {}, which the rest mentions",
                join(atoms.iter().map(|atom| atom.display(symbols).to_string()))
            ),
        }
    }
}

/// The uncoupling transition of a transition and a set of locations that stay as they are
/// (`Uncoupling_Transition`).
///
/// # Errors
/// With the first of the report's conditions that fails (`Uncoupled_Transition`).
pub fn uncouple(transition: &Transition, rest: &LocationSet) -> Result<Transition, UncoupleError> {
    transition.init().check_mixable(rest).map_err(UncoupleError::InitialNotMixable)?;
    transition.term().check_mixable(rest).map_err(UncoupleError::TerminalNotMixable)?;
    let signalled = transition.label().roles();
    let mut roles = common(&signalled, &rest.provided());
    roles.extend(common(&signalled, &rest.required()));
    if !roles.is_empty() {
        roles.sort_unstable();
        roles.dedup();
        return Err(UncoupleError::SignalsOnRoles(roles));
    }
    let missing = transition.env().missing(rest.atoms());
    if !missing.is_empty() {
        return Err(UncoupleError::ContextLacks(missing));
    }
    let init = transition.init().union(rest);
    let term = transition.term().union(rest);
    // The facts hold: the context knows both; signals were unbound in the part, and no role of the rest
    // binds them.
    Ok(Transition::new(transition.env().clone(), init, transition.label().clone(), term)
        .expect("an uncoupling transition obeys the facts about transitions"))
}
