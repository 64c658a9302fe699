//! Transitions, and what must hold of each.

use crate::location::common;
use crate::semantics::{Context, Label, Polarity};
use crate::{Atom, LocationSet, Role, Symbols};

/// The evolution of a set of locations: a context, an initial set, a label, a terminal set.
///
/// Every transition obeys the report's four facts about transitions; there is no way to make one that does
/// not. The terminal set may be empty: locations can vanish.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Transition {
    env: Context,
    init: LocationSet,
    label: Label,
    term: LocationSet,
}

/// A condition on transitions that is not met, with what is against it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Fact `TransitionsContextsGatherAllAtoms`: atoms of the initial locations that the context lacks.
    ///
    /// Slip: the report's text calls it `TransitionsEnvironmentsGatherAllAtoms`.
    ContextGathersAllAtoms(Vec<Atom>),
    /// Fact `ATransitionInitialGraphsNotEmpty`: there is no initial location.
    InitialNotEmpty,
    /// Fact `SignalsInTransitionsEmittedOnUnboundRoles`: roles with a signal that are bound in the initial
    /// locations, or not roles of theirs at all.
    SignalsOnUnboundRoles(Vec<Role>),
    /// Fact `SignalsInTransitionsEmittedOnAGivenRoleAreUnique`: roles with several signals.
    SignalsUnique(Vec<Role>),
    /// Polarity is Plus in provided and Minus in required position; roles where it is the other way round.
    ///
    /// Slip: the report says so in its text only. No fact states it, and in section 8 one predicate gets it
    /// wrong (the administrator's side of a deletion), so that its signals could never match.
    PolarityFollowsPosition(Vec<Role>),
    /// New atoms are not yet known; atoms of the terminal locations that come neither from the initial ones nor from
    /// an exchanged value, and yet are in the context.
    ///
    /// Slip: the report says "by definition" in its text only; no fact states it.
    NewAtomsAreFresh(Vec<Atom>),
}

impl Condition {
    /// The name of the condition: the report's where it has one.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ContextGathersAllAtoms(_) => "TransitionsContextsGatherAllAtoms",
            Self::InitialNotEmpty => "ATransitionInitialGraphsNotEmpty",
            Self::SignalsOnUnboundRoles(_) => "SignalsInTransitionsEmittedOnUnboundRoles",
            Self::SignalsUnique(_) => "SignalsInTransitionsEmittedOnAGivenRoleAreUnique",
            Self::PolarityFollowsPosition(_) => "PolarityFollowsPosition",
            Self::NewAtomsAreFresh(_) => "NewAtomsAreFresh",
        }
    }

    /// In words, what is against it.
    pub fn display<'a>(&'a self, symbols: &'a Symbols) -> impl std::fmt::Display + 'a {
        let roles = |roles: &[Role]| join(roles.iter().map(|&role| symbols.role_text(role).to_owned()));
        let atoms = |atoms: &[Atom]| join(atoms.iter().map(|atom| atom.display(symbols).to_string()));
        match self {
            Self::ContextGathersAllAtoms(missing) => {
                format!("the context lacks {}, which the initial locations mention", atoms(missing))
            }
            Self::InitialNotEmpty => "there is no initial location".to_owned(),
            Self::SignalsOnUnboundRoles(against) => {
                format!("there are signals on {}, not unbound in the initial locations", roles(against))
            }
            Self::SignalsUnique(against) => {
                format!("there is more than one signal on {}", roles(against))
            }
            Self::PolarityFollowsPosition(against) => {
                format!("the signal on {} has the polarity of the other side", roles(against))
            }
            Self::NewAtomsAreFresh(against) => {
                format!("{} is new to the locations but not fresh: the context knows it", atoms(against))
            }
        }
    }
}

pub(super) fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

impl Transition {
    /// The transition with these parts.
    ///
    /// # Errors
    /// With every one of the report's four facts that it would break.
    pub fn new(
        env: Context,
        init: LocationSet,
        label: Label,
        term: LocationSet,
    ) -> Result<Self, Vec<Condition>> {
        let mut broken = Vec::new();
        let missing = env.missing(init.atoms());
        if !missing.is_empty() {
            broken.push(Condition::ContextGathersAllAtoms(missing));
        }
        if init.is_empty() {
            broken.push(Condition::InitialNotEmpty);
        }
        let (roles, unbound) = (label.roles(), init.unbound_roles());
        let elsewhere: Vec<Role> = roles.into_iter().filter(|r| unbound.binary_search(r).is_err()).collect();
        if !elsewhere.is_empty() {
            broken.push(Condition::SignalsOnUnboundRoles(elsewhere));
        }
        let pairs = label.signals().windows(2).filter(|pair| pair[0].role == pair[1].role);
        let mut several: Vec<Role> = pairs.map(|pair| pair[0].role).collect();
        several.dedup();
        if !several.is_empty() {
            broken.push(Condition::SignalsUnique(several));
        }
        if broken.is_empty() { Ok(Self { env, init, label, term }) } else { Err(broken) }
    }

    /// Checks what the report demands of transitions in its text but not in its formulas. [`step`](super::step) checks
    /// this of every transition of a single location.
    pub fn check_text(&self) -> Result<(), Vec<Condition>> {
        let mut broken = Vec::new();
        let wrong = |polarity, roles: &[Role]| {
            let signals = self.label.signals().iter().filter(|signal| signal.polarity != polarity);
            common(&signals.map(|signal| signal.role).collect::<Vec<_>>(), roles)
        };
        let mut wrong_side = wrong(Polarity::Plus, &self.init.provided());
        wrong_side.extend(wrong(Polarity::Minus, &self.init.required()));
        if !wrong_side.is_empty() {
            broken.push(Condition::PolarityFollowsPosition(wrong_side));
        }
        let mut old = self.init.atoms();
        for signal in self.label.signals() {
            signal.payload.each_atom(&mut |atom| old.push(atom));
        }
        old.sort_unstable();
        let new = self.term.atoms().into_iter().filter(|atom| old.binary_search(atom).is_err());
        let known: Vec<Atom> = new.filter(|&atom| self.env.contains(atom)).collect();
        if !known.is_empty() {
            broken.push(Condition::NewAtomsAreFresh(known));
        }
        if broken.is_empty() { Ok(()) } else { Err(broken) }
    }

    /// The atoms that are known at the onset.
    pub fn env(&self) -> &Context {
        &self.env
    }

    /// The locations at the onset.
    pub fn init(&self) -> &LocationSet {
        &self.init
    }

    /// The interactions with other locations.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// The locations at the end.
    pub fn term(&self) -> &LocationSet {
        &self.term
    }
}
