//! Whether deployments are safe when operations fail.

use locus_aeolus::{Configuration, Universe, read};
use locus_graph::lifecycle::{Need, OnChange, Property, Thing};
use locus_plan::{
    Answer, Choice, Ending, Event, Limits, Pivot, Plan, Problem, Risks, Verified, check, choose, delete_last,
    pivot, solve, verify, wanted,
};
use locus_source::Sources;

fn thing(name: &str, needs: &[&str], value: &str) -> Thing {
    let property = Property {
        name: "size".to_owned(),
        value: value.to_owned(),
        on_change: OnChange::Replace,
        place: None,
    };
    Thing {
        properties: vec![property],
        needs: needs.iter().map(|&target| Need::new(target)).collect(),
        ..Thing::new(name, "thing")
    }
}

fn plan(pivot: &Pivot) -> Plan {
    let problem = Problem {
        universe: &pivot.universe,
        start: &pivot.start,
        names: &pivot.names,
        wanted: pivot.wanted.clone(),
        others: Pivot::OTHERS,
    };
    let (Answer::Plan(plan), _) = solve(&problem, Limits::default()) else { panic!("there is a plan") };
    plan
}

fn wordpress() -> (Universe, Plan) {
    let text = include_str!("../../../examples/aeolus/wordpress.aeolus.yaml");
    let file = Sources::new().add("wordpress.aeolus.yaml", text);
    let document = read(&file, &locus_source::Limits::default()).document;
    let (universe, start) = (document.universe, Configuration::new());
    let (want, _) = document.want.expect("the example wants something");
    let Choice::Chosen(chosen) = choose(&universe, &start, &want) else { panic!("there is a configuration") };
    let (wanted, others) = wanted(&universe, &start, &want, &chosen);
    let problem = Problem { universe: &universe, start: &start, names: &[], wanted, others };
    let (Answer::Plan(plan), _) = solve(&problem, Limits::default()) else { panic!("there is a plan") };
    (universe, plan)
}

#[test]
fn building_something_new_is_safe_and_symmetry_changes_only_the_number_of_states() {
    let (universe, plan) = wordpress();
    let start = Configuration::new();
    let risks = Risks { retries: 0, ..Risks::default() };
    let Verified::Safe { states, symmetric: true, clean: true } = verify(&universe, &start, &plan, risks)
    else {
        panic!("it is safe");
    };
    let all = verify(&universe, &start, &plan, Risks { symmetry: false, ..risks });
    let Verified::Safe { states: more, symmetric: false, .. } = all else { panic!("it is safe") };
    assert!(states < more, "{states} and {more}");
}

#[test]
fn thirty_components_that_are_alike_do_not_multiply_the_states() {
    let names: Vec<String> = (0..30).map(|number| format!("server{number}")).collect();
    let mut things = vec![thing("network", &[], "")];
    things.extend(names.iter().map(|name| thing(name, &["network"], "")));
    let pivot = pivot(&[], &things);
    let plan = plan(&pivot);
    let verified = verify(&pivot.universe, &pivot.start, &plan, Risks::default());
    let Verified::Safe { states, symmetric: true, clean: true } = verified else {
        panic!("{verified:?}");
    };
    assert!(states < 200_000, "{states}");
}

#[test]
fn a_deletion_in_the_middle_closes_the_way_back_and_one_at_the_end_does_not() {
    let old = [thing("a", &[], "1"), thing("b", &[], "1")];
    let new = [thing("b", &[], "2"), thing("c", &[], "1")];
    let pivot = pivot(&old, &new);
    let plan = plan(&pivot);
    let verified = verify(&pivot.universe, &pivot.start, &plan, Risks { retries: 0, ..Risks::default() });
    let Verified::Unsafe { events, ending } = verified else { panic!("{verified:?}") };
    assert_eq!(ending, Ending::PartWay, "{events:?}");
    assert!(matches!(events.last(), Some(Event::Fail(_) | Event::Finish(_))), "{events:?}");
    let later = delete_last(&plan);
    assert_ne!(plan, later);
    check(&pivot.universe, &pivot.start, &later, 100_000).expect("it is a plan, too");
    let verified = verify(&pivot.universe, &pivot.start, &later, Risks::default());
    assert!(matches!(verified, Verified::Safe { clean: false, .. }), "{verified:?}");
}

#[test]
fn what_is_too_large_is_not_called_safe() {
    let (universe, plan) = wordpress();
    let risks = Risks { states: 100, ..Risks::default() };
    let verified = verify(&universe, &Configuration::new(), &plan, risks);
    let Verified::Unknown(why) = verified else { panic!("{verified:?}") };
    assert_eq!(why, "the limit on states was reached: 100 were explored");
}
