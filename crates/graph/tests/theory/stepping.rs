//! Stepping: the search by components finds what trying every subset finds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use locus_graph::semantics::{
    Behaviour, Context, Fresh, Granularity, Interaction, Label, Move, Polarity, Step, StepError, StepOptions,
    Transition, step,
};
use locus_graph::{Location, LocationSet, Name, Process, Sort, Symbols, Value};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

use crate::generate::{self, everything, symbols};
use crate::naive::{self, Plain};

/// Each location has the moves of a table.
#[derive(Debug)]
struct Table(BTreeMap<Name, Vec<Move>>);

impl Behaviour for Table {
    fn moves(&self, location: &Location, _: &Context, _: &mut Fresh<'_>) -> Vec<Move> {
        self.0.get(&location.name()).cloned().unwrap_or_default()
    }
}

/// A graph and moves of its locations. A move has signals at some roles, and makes the location stay, take
/// another name or role that it knows, or vanish.
fn scene() -> impl Strategy<Value = (Vec<Location>, Table)> {
    generate::graph(1..=4)
        .prop_flat_map(|graph| {
            let moves = graph.iter().map(|location| {
                let one = (
                    generate::tame(Just(vec![location.clone()]).boxed()),
                    0..4usize,
                    any::<prop::sample::Index>(),
                );
                let location = location.clone();
                let one =
                    one.prop_map(move |(plain, what, which)| (location.clone(), plain.signals, what, which));
                prop::collection::vec(one, 0..4)
            });
            let moves: Vec<_> = moves.collect();
            (Just(graph), moves)
        })
        .prop_map(|(graph, moves)| {
            let table = moves.into_iter().enumerate().map(|(i, moves)| {
                let moves = moves.into_iter().map(|(location, signals, what, which)| Move {
                    label: naive::label(&signals),
                    term: becomes(&location, what, which).into_iter().collect(),
                });
                let fine = |one: &Move| {
                    let init = std::iter::once(graph[i].clone()).collect();
                    Transition::new(everything(), init, one.label.clone(), one.term.clone())
                        .is_ok_and(|t| t.check_text().is_ok())
                };
                (graph[i].name(), moves.filter(fine).collect())
            });
            let table = Table(table.collect());
            (graph, table)
        })
}

fn becomes(location: &Location, what: usize, which: prop::sample::Index) -> Vec<Location> {
    let atoms = std::iter::once(location.clone()).collect::<LocationSet>().atoms();
    let (provided, required) = (location.provided().to_vec(), location.required().to_vec());
    let (sort, process) = (location.sort().clone(), location.process().clone());
    match (what, atoms[which.index(atoms.len())]) {
        (0, _) => vec![],
        (1, _) => vec![location.with_process(Process(Value::Int(7)))],
        (_, locus_graph::Atom::Name(name)) => {
            vec![Location::new(name, sort, process, provided, required).unwrap()]
        }
        (_, locus_graph::Atom::Role(role)) => {
            let required = required.into_iter().filter(|&r| r != role);
            vec![
                Location::new(location.name(), sort, process, provided.into_iter().chain([role]), required)
                    .unwrap(),
            ]
        }
    }
}

/// All transitions, by trying every way for some locations to move. Those marked are of locations that are
/// all connected by signals on bound roles.
fn all_transitions(graph: &[Location], table: &Table) -> BTreeSet<(Transition, bool)> {
    let mut found = BTreeSet::new();
    let options: Vec<&[Move]> = graph.iter().map(|l| table.0[&l.name()].as_slice()).collect();
    let mut choice = vec![0; graph.len()];
    // Counting: 0 means to stay, i to make the i-th move.
    while let Some(digit) = (0..graph.len()).find(|&i| choice[i] < options[i].len()) {
        choice[..digit].fill(0);
        choice[digit] += 1;
        let moving: Vec<usize> = (0..graph.len()).filter(|&i| choice[i] > 0).collect();
        let parts: Vec<Plain> = moving
            .iter()
            .map(|&i| {
                let one = &options[i][choice[i] - 1];
                Plain {
                    env: everything(),
                    init: vec![graph[i].clone()],
                    signals: one.label.signals().to_vec(),
                    term: one.term.iter().map(|l| (**l).clone()).collect(),
                }
            })
            .collect();
        let rest: Vec<&Location> = (0..graph.len()).filter(|&i| choice[i] == 0).map(|i| &graph[i]).collect();
        if !naive::synchronized_transitions(&parts) {
            continue;
        }
        let whole = Plain {
            env: everything(),
            init: parts.iter().flat_map(|p| p.init.clone()).collect(),
            signals: naive::split_signals(&parts).1.into_iter().collect(),
            term: parts.iter().flat_map(|p| p.term.clone()).collect(),
        };
        if naive::uncoupled_transition(&whole, &rest) {
            let with_rest =
                |locations: &[Location]| locations.iter().chain(rest.iter().copied()).cloned().collect();
            let transition = Transition::new(
                whole.env.clone(),
                with_rest(&whole.init),
                naive::label(&whole.signals),
                with_rest(&whole.term),
            );
            found.insert((transition.unwrap(), connected(&parts)));
        }
    }
    found
}

/// Whether the parts cannot be divided into two that have no signals at common roles.
fn connected(parts: &[Plain]) -> bool {
    let mut reached = BTreeSet::from([0]);
    loop {
        let touches = |i: usize, j: usize| {
            parts[i].signals.iter().any(|m| parts[j].signals.iter().any(|n| m.role == n.role))
        };
        let more = (0..parts.len()).find(|i| !reached.contains(i) && reached.iter().any(|&j| touches(*i, j)));
        let Some(more) = more else { return reached.len() == parts.len() };
        reached.insert(more);
    }
}

fn run(
    behaviour: &impl Behaviour,
    graph: &[Location],
    granularity: Granularity,
) -> Result<Vec<Step>, StepError> {
    let graph: LocationSet = graph.iter().cloned().collect();
    let options = StepOptions { granularity, ..StepOptions::default() };
    step(behaviour, &graph, &everything(), &mut symbols(), options)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn steps_are_all_transitions((graph, table) in scene()) {
        let set: LocationSet = graph.iter().cloned().collect();
        let naive = all_transitions(&graph, &table);
        let found = |granularity| {
            let steps = run(&table, &graph, granularity).unwrap();
            let different: BTreeSet<_> = steps.iter().map(|s| &s.parts).collect();
            assert_eq!(different.len(), steps.len(), "no step is found twice");
            steps.iter().map(|s| s.transition(&set)).collect::<BTreeSet<_>>()
        };
        let all: BTreeSet<_> = naive.iter().map(|(t, _)| t.clone()).collect();
        prop_assert_eq!(found(Granularity::All), all);
        let single: BTreeSet<_> = naive.iter().filter(|(_, single)| *single).map(|(t, _)| t.clone()).collect();
        prop_assert_eq!(found(Granularity::Single), single);
    }
}

/// The comparison above is only worth something if its scenes have what there is to get wrong.
#[test]
fn scenes_are_of_every_kind() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut interacting, mut at_once, mut clashing, mut visible) = (0, 0, 0, 0);
    for _ in 0..1000 {
        let (graph, table) = scene().new_tree(&mut runner).unwrap().current();
        let steps = run(&table, &graph, Granularity::All).unwrap();
        let single = run(&table, &graph, Granularity::Single).unwrap();
        interacting += usize::from(single.iter().any(|s| s.parts.len() > 1));
        at_once += usize::from(steps.len() > single.len());
        visible += usize::from(single.iter().any(|s| !s.moving.label().is_silent()));
        // A move without signals needs nobody, so only a clash can keep it from being a step.
        let silent = table.0.values().flatten().collect::<BTreeSet<_>>();
        let silent = silent.into_iter().filter(|one| one.label.is_silent()).count();
        let taken = single.iter().filter(|s| s.parts.len() == 1 && s.parts[0].label().is_silent());
        clashing += usize::from(taken.count() < silent);
    }
    let counts = [interacting, at_once, clashing, visible];
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

fn signal(role: locus_graph::Role, polarity: Polarity, payload: Value) -> Label {
    std::iter::once(Interaction { role, polarity, payload }).collect()
}

fn state(location: &Location) -> i64 {
    if let Value::Int(state) = location.process().0 { state } else { 0 }
}

/// A server that makes a new role for whoever asks, and clients that take whatever they get.
struct Factory;

impl Behaviour for Factory {
    fn moves(&self, location: &Location, _: &Context, fresh: &mut Fresh<'_>) -> Vec<Move> {
        let &[ask] = location.provided() else { return Vec::new() };
        let session = fresh.role("session");
        let provided = [ask, session];
        let term = Location::new(location.name(), Sort::default(), Process::default(), provided, []).unwrap();
        vec![Move::to(term, signal(ask, Polarity::Plus, Value::Role(session)))]
    }

    fn answers(
        &self,
        location: &Location,
        offer: &Interaction,
        _: &Context,
        fresh: &mut Fresh<'_>,
    ) -> Vec<Move> {
        let Value::Role(session) = offer.payload else { return Vec::new() };
        if !location.required().contains(&offer.role) {
            return Vec::new();
        }
        let child = fresh.name("worker");
        let worker = Location::new(child, Sort::default(), Process::default(), [], [session]).unwrap();
        let term = [location.clone(), worker].into_iter().collect();
        vec![Move { label: signal(offer.role, Polarity::Minus, offer.payload.clone()), term }]
    }
}

#[test]
fn roles_can_be_made_sent_and_bound() {
    let mut symbols = Symbols::new();
    let (server, client) = (symbols.name("server"), symbols.name("client"));
    // A role of this name exists, so the fresh one is another.
    let (ask, taken) = (symbols.role("ask"), symbols.role("session.1"));
    let plain = |name, provided: &[_], required: &[_]| {
        Location::new(name, Sort::default(), Process::default(), provided.to_vec(), required.to_vec())
            .unwrap()
    };
    let graph: LocationSet =
        [plain(server, &[ask], &[]), plain(client, &[], &[ask, taken])].into_iter().collect();
    let context = Context::of(&graph);
    let factory: &dyn Behaviour = &Factory;
    let steps = step(factory, &graph, &context, &mut symbols, StepOptions::default()).unwrap();
    let [only] = steps.as_slice() else { panic!("{steps:?}") };
    let transition = only.transition(&graph);
    assert!(transition.label().is_silent());
    let after = transition.term();
    let names: Vec<&str> = after.names().into_iter().map(|n| symbols.name_text(n)).collect();
    assert_eq!(names, ["server", "client", "worker.1"]);
    let bound: Vec<&str> = after.bound_roles().into_iter().map(|r| symbols.role_text(r)).collect();
    assert_eq!(bound, ["ask", "session.2"]);
}

/// Locations with a process below 3 count up, each by itself.
struct Counters;

impl Behaviour for Counters {
    fn moves(&self, location: &Location, _: &Context, _: &mut Fresh<'_>) -> Vec<Move> {
        let next = Process(Value::Int(state(location) + 1));
        let silent = Move::to(location.with_process(next), Label::silent());
        if state(location) < 3 { vec![silent.clone(), silent] } else { vec![] }
    }

    fn authorises(&self, transition: &Transition) -> bool {
        transition.init().iter().all(|l| state(l) != 1)
    }
}

fn counters(symbols: &mut Symbols, states: impl IntoIterator<Item = i64>) -> LocationSet {
    let location = |(i, state): (usize, i64)| {
        let name = symbols.name(&format!("l{i}"));
        Location::new(name, Sort::default(), Process(Value::Int(state)), [], []).unwrap()
    };
    states.into_iter().enumerate().map(location).collect()
}

#[test]
fn independent_moves_alone_or_at_once_as_wanted_and_allowed() {
    let mut symbols = Symbols::new();
    // The second is not authorised, the fourth has nothing to do.
    let graph = counters(&mut symbols, [0, 1, 2, 3]);
    let context = Context::of(&graph);
    let mut count = |granularity| {
        let options = StepOptions { granularity, ..StepOptions::default() };
        step(&Counters, &graph, &context, &mut symbols, options).unwrap().len()
    };
    assert_eq!((count(Granularity::Single), count(Granularity::All)), (2, 3));
}

#[test]
fn exponentially_many_steps_meet_the_limit() {
    let mut symbols = Symbols::new();
    let graph = counters(&mut symbols, std::iter::repeat_n(0, 3_000));
    let context = Context::of(&graph);
    let options = StepOptions { granularity: Granularity::All, limit: 100_000 };
    let error = step(&Counters, &graph, &context, &mut symbols, options).unwrap_err();
    assert_eq!(error, StepError::Limit(100_000));
    let single = StepOptions { granularity: Granularity::Single, limit: 100_000 };
    assert_eq!(step(&Counters, &graph, &context, &mut symbols, single).unwrap().len(), 3_000);
}

/// A token goes all around: every location passes what it gets, at one moment.
struct Ring;

impl Behaviour for Ring {
    fn moves(&self, location: &Location, _: &Context, _: &mut Fresh<'_>) -> Vec<Move> {
        let of = |token: i64| {
            let plus = location.provided().iter().map(move |&role| (role, Polarity::Plus));
            let minus = location.required().iter().map(move |&role| (role, Polarity::Minus));
            let all = plus.chain(minus);
            let label =
                all.map(|(role, polarity)| Interaction { role, polarity, payload: Value::Int(token) });
            Move::to(location.clone(), label.collect())
        };
        vec![of(1), of(2)]
    }
}

#[test]
fn a_component_may_be_as_long_as_the_graph() {
    let mut symbols = Symbols::new();
    let size = 2_000;
    let location = |i: usize| {
        let name = symbols.name(&format!("l{i}"));
        let roles = [i, (i + 1) % size].map(|r| symbols.role(&format!("r{r}")));
        Location::new(name, Sort::default(), Process::default(), [roles[0]], [roles[1]]).unwrap()
    };
    let graph: LocationSet = (0..size).map(location).collect();
    let context = Context::of(&graph);
    let steps = step(&Ring, &graph, &context, &mut symbols, StepOptions::default()).unwrap();
    assert_eq!(steps.iter().map(|s| s.parts.len()).collect::<Vec<_>>(), [size, size]);
    assert!(steps.iter().all(|s| s.moving.label().is_silent()));
}

#[test]
fn moves_that_are_no_transitions_are_errors() {
    struct Wrong(Arc<dyn Fn(&Location) -> Move>);
    impl Behaviour for Wrong {
        fn moves(&self, location: &Location, _: &Context, _: &mut Fresh<'_>) -> Vec<Move> {
            vec![self.0(location)]
        }
    }
    let mut symbols = Symbols::new();
    let (web, db, http) = (symbols.name("web"), symbols.name("db"), symbols.role("http"));
    let plain = |name, provided: &[_]| {
        Location::new(name, Sort::default(), Process::default(), provided.to_vec(), []).unwrap()
    };
    let graph: LocationSet = [plain(web, &[http]), plain(db, &[])].into_iter().collect();
    let context = Context::of(&graph);
    let mut error = |wrong: Arc<dyn Fn(&Location) -> Move>| {
        let error = step(&Wrong(wrong), &graph, &context, &mut symbols, StepOptions::default()).unwrap_err();
        error.display(&symbols).to_string()
    };
    let minus = move |l: &Location| Move::to(l.clone(), signal(http, Polarity::Minus, Value::Null));
    insta::assert_snapshot!(error(Arc::new(minus)), @"the behaviour of web gave a move that is no transition: the signal on http has the polarity of the other side");
    let renamed = move |l: &Location| {
        Move::to(
            Location::new(db, l.sort().clone(), l.process().clone(), [http], []).unwrap(),
            Label::silent(),
        )
    };
    insta::assert_snapshot!(error(Arc::new(renamed)), @"the behaviour of web gave a move that is no transition: name db is new to the locations but not fresh: the context knows it");
}
