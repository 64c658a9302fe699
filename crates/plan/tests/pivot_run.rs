//! A plan is a run of the location graph's own transitions: each of its steps is one that `graph::semantics` computes
//! from what the locations do (section 8.3 of the report), and the last graph is that of the plan's end.

use std::collections::BTreeMap;

use locus_aeolus::{ComponentId, Configuration, Deploying, Deployment, interpret, read, read_back};
use locus_graph::semantics::{Context, StepOptions, step};
use locus_plan::{Answer, Choice, Limits, Problem, choose, solve, wanted};
use locus_source::Sources;

#[test]
fn a_plan_is_a_run_of_the_location_graph() {
    let text = include_str!("../../../examples/aeolus/wordpress.aeolus.yaml");
    let file = Sources::new().add("wordpress.aeolus.yaml", text);
    let reading = read(&file, &locus_source::Limits::default());
    assert!(reading.findings.is_empty(), "{:?}", reading.findings);
    let universe = &reading.document.universe;
    let (want, _) = reading.document.want.expect("the example wants something");
    let start = Configuration::new();
    let Choice::Chosen(chosen) = choose(universe, &start, &want) else { panic!("there is a configuration") };
    assert_eq!((chosen.cost, chosen.at_least), (6, None));
    let (wanted, others) = wanted(universe, &start, &want, &chosen);
    let problem = Problem { universe, start: &start, names: &[], wanted, others };
    let Answer::Plan(plan) = solve(&problem, Limits::default()).0 else { panic!("there is a plan") };

    let deploying = Deploying { universe, at_once: 1 };
    let mut deployment = interpret(universe, &start, |id| format!("z{}", id.0));
    let mut names: BTreeMap<String, ComponentId> = BTreeMap::new();
    for planned in &plan.steps {
        let new = match planned.action {
            locus_aeolus::Action::New(id, _) => id,
            _ => ComponentId(u32::MAX),
        };
        let id = |name: &str| names.get(name).copied().unwrap_or(new);
        let mut symbols = deployment.symbols.clone();
        let context = Context::of(&deployment.locations);
        let steps = step(&deploying, &deployment.locations, &context, &mut symbols, StepOptions::default());
        let steps = steps.expect("the graph can be stepped");
        let found =
            steps.iter().find(|one| deploying.action(&symbols, one, id).as_ref() == Some(&planned.action));
        let found = found.unwrap_or_else(|| panic!("no transition is {:?}", planned.action));
        let locations = found.transition(&deployment.locations).term().clone();
        deployment = Deployment { symbols, locations };
        if new.0 != u32::MAX {
            let kind = &universe.kind(plan.components[new.index()].kind).name;
            let fresh =
                deployment.locations.iter().map(|l| deployment.symbols.name_text(l.name()).to_owned());
            let fresh =
                fresh.into_iter().find(|name| name.starts_with(kind.as_str()) && !names.contains_key(name));
            names.insert(fresh.expect("there is a new location"), new);
        }
    }
    let end = read_back(universe, &deployment, |name| names[name]).expect("it stays well-formed");
    assert_eq!(end, plan.end);
}
