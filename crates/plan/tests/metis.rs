//! The universes with which Metis was measured, and the one of its use cases that shows why providers must be chosen.

use locus_aeolus::{ComponentType, Configuration, Provision, Requirement, State, StateId, TypeId, Universe};
use locus_plan::{Answer, Limits, Method, Others, Plan, Problem, Reason, Wanted, solve};

fn state(
    universe: &mut Universe,
    name: String,
    next: Option<usize>,
    provides: &[String],
    requires: &[String],
) -> State {
    let next = next.map(|next| StateId(next as u32)).into_iter().collect();
    let provides =
        provides.iter().map(|port| Provision { port: universe.port(port), capacity: None }).collect();
    let requires = requires.iter().map(|port| Requirement { port: universe.port(port), number: 1 }).collect();
    State { name, next, provides, requires, ..State::default() }
}

/// Test A: two components that need each other at every step.
fn test_a(states: usize) -> Universe {
    let mut universe = Universe::new();
    let port = |side: usize, at: usize| format!("p{side}_{at}");
    let next = |at: usize| (at + 1 < states).then_some(at + 1);
    let mut a = ComponentType { name: "A".to_owned(), cost: 1, ..ComponentType::default() };
    let mut b = ComponentType { name: "B".to_owned(), cost: 1, ..ComponentType::default() };
    for at in 0..states {
        let provides = if at > 1 { vec![port(0, at), port(0, at - 1)] } else { vec![port(0, at)] };
        let requires = if at > 1 { vec![port(1, at)] } else { Vec::new() };
        let provides = if at == 0 { Vec::new() } else { provides };
        a.states.push(state(&mut universe, format!("s{at}"), next(at), &provides, &requires));
        let provides = match at {
            0 => Vec::new(),
            1 => vec![port(1, 2)],
            _ if at + 1 == states => vec![port(1, at)],
            _ => vec![port(1, at), port(1, at + 1)],
        };
        let requires = if at == 0 { Vec::new() } else { vec![port(0, at)] };
        b.states.push(state(&mut universe, format!("q{at}"), next(at), &provides, &requires));
    }
    universe.add(a);
    universe.add(b);
    universe
}

/// Test B: a chain of components, each of which needs the next to start, and the one before to finish.
fn test_b(components: usize) -> Universe {
    let mut universe = Universe::new();
    let last = components - 1;
    for at in 0..components {
        let mut kind = ComponentType { name: format!("C{at}"), cost: 1, ..ComponentType::default() };
        let (first, second) = (format!("p{at}_1"), format!("p{at}_2"));
        kind.states.push(state(&mut universe, "s0".to_owned(), Some(1), &[], &[]));
        let needs = if at == last { Vec::new() } else { vec![format!("p{}_1", at + 1)] };
        if at == 0 {
            kind.states.push(state(&mut universe, "s1".to_owned(), None, &[second], &needs));
        } else {
            kind.states.push(state(
                &mut universe,
                "s1".to_owned(),
                Some(2),
                std::slice::from_ref(&first),
                &needs,
            ));
            let before = vec![format!("p{}_2", at - 1)];
            let provides = if at == last { vec![first] } else { vec![second, first] };
            kind.states.push(state(&mut universe, "s2".to_owned(), None, &provides, &before));
        }
        universe.add(kind);
    }
    universe
}

fn plan(universe: &Universe, kind: &str, state: &str) -> Plan {
    let kind = universe.find_type(kind).unwrap();
    let state = universe.kind(kind).find_state(state).unwrap();
    let start = Configuration::new();
    let wanted = vec![Wanted { kind, state, existing: None, name: None }];
    let problem = Problem { universe, start: &start, names: &[], wanted, others: Others::Keep };
    let (answer, checked) = solve(&problem, Limits::default());
    let Answer::Plan(plan) = answer else { panic!("{answer:?}") };
    assert_eq!(checked.unwrap().method, Method::Argument);
    plan
}

#[test]
fn two_components_that_need_each_other() {
    for states in [3, 5, 10, 100, 1000] {
        let plan = plan(&test_a(states), "B", &format!("q{}", states - 1));
        assert_eq!(plan.components.len(), 2, "{states} states");
    }
}

#[test]
fn a_chain_of_components() {
    for components in [3, 5, 10, 100, 1000] {
        let plan = plan(&test_b(components), &format!("C{}", components - 1), "s2");
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
    let wanted = vec![Wanted { kind: TypeId(0), state: StateId(1), existing: None, name: None }];
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
