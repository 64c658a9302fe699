//! The universes with which Metis was measured, and the one of its use cases that shows why providers must be chosen.

#[path = "../../source/tests/effort/mod.rs"]
mod effort;

use std::time::Duration;

use locus_aeolus::families::{metis_a, metis_b, state};
use locus_aeolus::{
    ComponentType, Configuration, Counted, Relation, State, StateId, Sum, TypeId, Universe, Want,
};
use locus_plan::{Answer, Choice, Limits, Method, Others, Plan, Problem, Reason, Wanted, choose, solve};

fn plan(universe: &Universe, kind: &str, state: &str) -> Plan {
    let kind = universe.find_type(kind).unwrap();
    let state = universe.kind(kind).find_state(state).unwrap();
    let start = Configuration::new();
    let wanted = vec![Wanted { kind, state, existing: None, name: None, then_delete: false }];
    let problem = Problem { universe, start: &start, names: &[], wanted, others: Others::Keep };
    let (answer, checked) = solve(&problem, Limits::default());
    let Answer::Plan(plan) = answer else { panic!("{answer:?}") };
    assert_eq!(checked.unwrap().method, Method::Argument);
    plan
}

#[test]
fn two_components_that_need_each_other() {
    for states in [3, 5, 10, 100, 1000] {
        let plan = plan(&metis_a(states), "B", &format!("q{}", states - 1));
        assert_eq!(plan.components.len(), 2, "{states} states");
    }
}

#[test]
fn a_chain_of_components() {
    for components in [3, 5, 10, 100, 1000] {
        let plan = plan(&metis_b(components), &format!("C{}", components - 1), "s2");
        assert_eq!(plan.components.len(), components);
    }
}

#[test]
fn a_provider_is_chosen_that_need_not_move_on() {
    // MySQL with a master and a slave: an application that binds to the master while it serves alone would keep it from
    // dumping its data, and a second master would be needed.
    let mut universe = Universe::new();
    let p = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut add = |name: &str, states: &[(&str, &[&str], &[&str])]| {
        let mut kind = ComponentType { name: name.to_owned(), cost: 1, ..ComponentType::default() };
        for (at, (state_name, provides, requires)) in states.iter().enumerate() {
            let next = (at + 1 < states.len()).then_some(at + 1);
            let made = state(&mut universe, (*state_name).to_owned(), next, &p(provides), &p(requires));
            kind.states.push(made);
        }
        universe.add(kind);
    };
    add("Application", &[("Uninst", &[], &[]), ("Inst", &[], &["mysql", "s_mysql"])]);
    add(
        "Master",
        &[
            ("Uninst", &[], &[]),
            ("Inst", &[], &[]),
            ("Serving", &["mysql"], &[]),
            ("Auth", &[], &["slave_ip"]),
            ("Dump", &["dump"], &[]),
            ("MasterServing", &["mysql"], &[]),
        ],
    );
    add(
        "Slave",
        &[
            ("Uninst", &[], &[]),
            ("Inst", &["slave_ip"], &[]),
            ("ReceiveDump", &[], &["dump"]),
            ("Serving", &["s_mysql"], &[]),
        ],
    );
    assert_eq!(plan(&universe, "Application", "Inst").components.len(), 3);
}

#[test]
fn an_unreachable_target_is_answered_with_the_chain_of_reasons() {
    let mut universe = Universe::new();
    let web = state(&mut universe, "up".to_owned(), None, &[], &["sql".to_owned()]);
    let db = state(&mut universe, "up".to_owned(), None, &["sql".to_owned()], &["disk".to_owned()]);
    for (name, up) in [("web", web), ("db", db)] {
        let off = State { name: "off".to_owned(), next: vec![StateId(1)], ..State::default() };
        universe.add(ComponentType {
            name: name.to_owned(),
            states: vec![off, up],
            ..ComponentType::default()
        });
    }
    let start = Configuration::new();
    let wanted =
        vec![Wanted { kind: TypeId(0), state: StateId(1), existing: None, name: None, then_delete: false }];
    let problem = Problem { universe: &universe, start: &start, names: &[], wanted, others: Others::Keep };
    let (answer, _) = solve(&problem, Limits::default());
    let (sql, disk) = (universe.find_port("sql").unwrap(), universe.find_port("disk").unwrap());
    let up = |kind| (TypeId(kind), StateId(1));
    assert_eq!(
        answer,
        Answer::None(vec![
            Reason::Port { of: up(0), port: sql, providers: vec![up(1)] },
            Reason::Port { of: up(1), port: disk, providers: Vec::new() },
        ])
    );
}

#[test]
fn a_chain_is_chosen_in_time_that_grows_with_its_length() {
    // With time and memory in the square of its length this took minutes and gigabytes.
    let components = 30_000;
    let universe = metis_b(components);
    let last = universe.find_type(&format!("C{}", components - 1)).unwrap();
    let counted = Counted::Components(last, Some(StateId(2)));
    let want = Want::Compare(Sum { terms: vec![(1, counted)], constant: -1 }, Relation::Equal);
    let choice = effort::within(Duration::from_secs(20), || choose(&universe, &Configuration::new(), &want));
    let Choice::Chosen(chosen) = choice else { panic!("{choice:?}") };
    assert_eq!(chosen.components.len(), components);
}

#[test]
fn a_chain_with_two_ways_here_and_there_is_chosen_without_keeping_all_of_them() {
    // There are 2 to the power of 80 ways of the same cost, each with thousands of components.
    let (components, every): (usize, usize) = (8_000, 100);
    let mut universe = Universe::new();
    let mut last = None;
    for number in 0..components {
        let ports = |at: usize| vec![format!("p{at}")];
        let requires = number.checked_sub(1).map(ports).unwrap_or_default();
        for other in 0..=usize::from(number % every == 0) {
            let off = state(&mut universe, "off".to_owned(), Some(1), &[], &[]);
            let on = state(&mut universe, "on".to_owned(), None, &ports(number), &requires);
            let name = format!("c{number}-{other}");
            last = Some(universe.add(ComponentType {
                name,
                cost: 1,
                states: vec![off, on],
                ..ComponentType::default()
            }));
        }
    }
    let counted = Counted::Components(last.unwrap(), Some(StateId(1)));
    let want = Want::Compare(Sum { terms: vec![(1, counted)], constant: -1 }, Relation::Equal);
    let choice = effort::within(Duration::from_secs(20), || choose(&universe, &Configuration::new(), &want));
    let Choice::Chosen(chosen) = choice else { panic!("{choice:?}") };
    assert_eq!((chosen.components.len(), chosen.cost), (components, components as u64));
}
