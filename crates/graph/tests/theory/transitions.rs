//! Transitions: their facts, synchronization, uncoupling.

use std::collections::BTreeSet;

use locus_graph::semantics::{
    Condition, SynchronizeError, Transition, UncoupleError, check_matched_signals, synchronize, uncouple,
};
use locus_graph::{Location, LocationSet};
use proptest::prelude::*;

use crate::generate::{interaction, locations, parts, plain, symbols};
use crate::naive::{self, Plain};

fn set(locations: &[Location]) -> LocationSet {
    locations.iter().cloned().collect()
}

/// Sets of locations do not repeat them.
fn tidy(mut plain: Plain) -> Plain {
    for list in [&mut plain.init, &mut plain.term] {
        list.sort();
        list.dedup();
    }
    plain.signals.sort();
    plain.signals.dedup();
    plain
}

fn transition(plain: &Plain) -> Result<Transition, Vec<Condition>> {
    Transition::new(plain.env.clone(), set(&plain.init), naive::label(&plain.signals), set(&plain.term))
}

fn plain_of(t: &Transition) -> Plain {
    let list = |set: &LocationSet| set.iter().map(|l| (**l).clone()).collect();
    Plain {
        env: t.env().clone(),
        init: list(t.init()),
        signals: t.label().signals().to_vec(),
        term: list(t.term()),
    }
}

fn obeys_the_facts(t: &Plain) -> bool {
    naive::transitions_contexts_gather_all_atoms(t)
        && naive::a_transition_initial_graphs_not_empty(t)
        && naive::signals_in_transitions_emitted_on_unbound_roles(t)
        && naive::signals_in_transitions_emitted_on_a_given_role_are_unique(t)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn each_fact_is_checked_by_name(plain in plain()) {
        let plain = tidy(plain);
        let broken: BTreeSet<&str> =
            transition(&plain).err().unwrap_or_default().iter().map(Condition::name).collect();
        let facts = [
            ("TransitionsContextsGatherAllAtoms", naive::transitions_contexts_gather_all_atoms(&plain)),
            ("ATransitionInitialGraphsNotEmpty", naive::a_transition_initial_graphs_not_empty(&plain)),
            (
                "SignalsInTransitionsEmittedOnUnboundRoles",
                naive::signals_in_transitions_emitted_on_unbound_roles(&plain),
            ),
            (
                "SignalsInTransitionsEmittedOnAGivenRoleAreUnique",
                naive::signals_in_transitions_emitted_on_a_given_role_are_unique(&plain),
            ),
        ];
        let expected: BTreeSet<&str> = facts.into_iter().filter(|(_, holds)| !holds).map(|(n, _)| n).collect();
        prop_assert_eq!(broken, expected);
        if let Ok(transition) = transition(&plain) {
            let broken: BTreeSet<&str> =
                transition.check_text().err().unwrap_or_default().iter().map(Condition::name).collect();
            prop_assert_eq!(broken.contains("PolarityFollowsPosition"), !naive::polarity_follows_position(&plain));
            prop_assert_eq!(broken.contains("NewAtomsAreFresh"), !naive::new_atoms_are_fresh(&plain));
        }
    }

    #[test]
    fn matched_signals_agree_with_the_formula(
        mut signals in prop::collection::vec(interaction(), 0..5),
        answer in prop::collection::vec(any::<bool>(), 5),
    ) {
        let answers: Vec<_> = signals.iter().zip(answer).filter(|(_, a)| *a).map(|(s, _)| s.counterpart()).collect();
        signals.extend(answers);
        let set: BTreeSet<_> = signals.iter().cloned().collect();
        prop_assert_eq!(check_matched_signals(&naive::label(&signals)).is_ok(), naive::matched_signals(&set));
    }

    #[test]
    fn synchronizing_agrees_with_the_formulas(parts in prop_oneof![
        4 => parts(),
        1 => prop::collection::vec(plain(), 0..3),
    ]) {
        let parts: Vec<Plain> = parts.into_iter().map(tidy).filter(|p| transition(p).is_ok()).collect();
        let transitions: Vec<Transition> = parts.iter().map(|p| transition(p).unwrap()).collect();
        let result = synchronize(&transitions.iter().collect::<Vec<_>>());
        prop_assert_eq!(result.is_ok(), naive::synchronized_transitions(&parts), "{:?}", result);
        match result {
            Ok(t) => {
                // `Synchronizing_Transition`
                let (_, outer) = naive::split_signals(&parts);
                prop_assert_eq!(t.env(), &parts[0].env);
                prop_assert_eq!(t.init(), &parts.iter().flat_map(|p| p.init.clone()).collect());
                prop_assert_eq!(t.label().signals().iter().cloned().collect::<BTreeSet<_>>(), outer);
                prop_assert_eq!(t.term(), &parts.iter().flat_map(|p| p.term.clone()).collect());
                prop_assert!(obeys_the_facts(&plain_of(&t)));
                // Assertion `Roles_In_Synchronizing_Transition_Labels_Are_Unbound`.
                prop_assert!(t.label().roles().iter().all(|r| !t.init().bound_roles().contains(r)));
            }
            Err(error) => {
                prop_assert!(!error.display(&symbols()).to_string().is_empty());
                check_blame(&error, &parts)?;
            }
        }
    }

    #[test]
    fn uncoupling_agrees_with_the_formulas(
        (plain, rest) in prop_oneof![
            (plain(), locations()),
            parts().prop_map(|mut parts| {
                let rest = parts.split_off(1);
                (parts.remove(0), rest.into_iter().flat_map(|p| p.init).collect())
            }),
        ]
    ) {
        let plain = tidy(plain);
        let Ok(t) = transition(&plain) else { return Ok(()) };
        let refs: Vec<&Location> = rest.iter().collect();
        let known = naive::atoms_in_graph(&refs).iter().all(|&atom| plain.env.contains(atom));
        match uncouple(&t, &set(&rest)) {
            Ok(tt) => {
                prop_assert!(known && naive::uncoupled_transition(&plain, &refs));
                // `Uncoupling_Transition`
                prop_assert_eq!((tt.env(), tt.label()), (t.env(), t.label()));
                prop_assert_eq!(tt.init(), &t.init().union(&set(&rest)));
                prop_assert_eq!(tt.term(), &t.term().union(&set(&rest)));
                prop_assert!(obeys_the_facts(&plain_of(&tt)));
            }
            Err(error) => {
                prop_assert!(!(known && naive::uncoupled_transition(&plain, &refs)), "{error:?}");
                prop_assert!(!error.display(&symbols()).to_string().is_empty());
                let right = match &error {
                    UncoupleError::InitialNotMixable(_) => !naive::mixable_ls(&plain.init(), &refs),
                    UncoupleError::TerminalNotMixable(_) => !naive::mixable_ls(&plain.term(), &refs),
                    UncoupleError::SignalsOnRoles(roles) => {
                        roles.iter().all(|r| naive::roles(&refs).contains(r) && t.label().roles().contains(r))
                    }
                    UncoupleError::ContextLacks(_) => !known,
                };
                prop_assert!(right, "{error:?}");
            }
        }
    }
}

/// Whether an error blames what the naive definition also finds wrong.
fn check_blame(error: &SynchronizeError, parts: &[Plain]) -> Result<(), TestCaseError> {
    let all = |of: fn(&Plain) -> Vec<&Location>| parts.iter().flat_map(of).collect::<Vec<_>>();
    let right = match error {
        SynchronizeError::NoTransition => parts.is_empty(),
        SynchronizeError::Contexts(a, b, atoms) => parts[*a].env != parts[*b].env && !atoms.is_empty(),
        SynchronizeError::InitialNotMixable(a, b, _) => {
            a != b && !naive::mixable_ls(&parts[*a].init(), &parts[*b].init())
        }
        SynchronizeError::InitialIllFormed(_) => !naive::well_formed_location_set(&all(Plain::init)),
        SynchronizeError::Signals(faults) => {
            !faults.is_empty() && !naive::matched_signals(&naive::split_signals(parts).0)
        }
        SynchronizeError::TerminalNotMixable(a, b, _) => {
            a != b && !naive::mixable_ls(&parts[*a].term(), &parts[*b].term())
        }
        SynchronizeError::TerminalIllFormed(_) => !naive::well_formed_location_set(&all(Plain::term)),
    };
    prop_assert!(right, "{error:?}");
    Ok(())
}
