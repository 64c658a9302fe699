//! Updates: what is added, changed, replaced and removed, in which order, and why.

use locus_graph::lifecycle::{Need, OnChange, Property, Removal, Replacement, Thing};
use locus_plan::{Answer, Fate, Limits, Pivot, check, pivot, render, solve};

fn property(name: &str, value: &str, on_change: OnChange) -> Property {
    Property { name: name.to_owned(), value: value.to_owned(), on_change, place: None }
}

fn thing(name: &str, needs: &[&str], properties: Vec<Property>) -> Thing {
    let need = |target: &&str| Need { via: Some((*target).to_owned()), ..Need::new(*target) };
    Thing { properties, needs: needs.iter().map(need).collect(), ..Thing::new(name, "thing") }
}

/// The steps of the plan in words, in the order of the list; it was checked.
fn steps(pivot: &Pivot) -> Vec<String> {
    let problem = pivot.problem();
    assert!(pivot.start.is_correct(&pivot.universe));
    // Without the search that helps where the usual way finds no plan.
    let answer = solve(&problem, Limits { searched: 0, ..Limits::default() });
    let (Answer::Plan(plan), Some(_)) = answer else { panic!("there is a plan: {answer:?}") };
    check(&pivot.universe, &pivot.start, &plan, 100_000).expect("it is right");
    let words = |step| {
        let (verb, rest) = render::step(&pivot.universe, &plan, step);
        format!("{verb} {rest}")
    };
    plan.steps.iter().map(words).filter(|text| !text.contains("bind ")).collect()
}

fn at(steps: &[String], text: &str) -> usize {
    steps.iter().position(|step| step == text).unwrap_or_else(|| panic!("no step {text}: {steps:#?}"))
}

fn fates(pivot: &Pivot) -> Vec<(&str, Fate)> {
    pivot.differences.iter().map(|difference| (difference.name.as_str(), difference.fate)).collect()
}

#[test]
fn a_replacement_is_there_before_the_old_one_goes_and_those_who_refer_to_it_follow() {
    let version = |flavor: &str| {
        let server = vec![property("flavor", flavor, OnChange::Replace)];
        let address = vec![property("server", "ref", OnChange::InPlace)];
        [
            thing("server", &[], server),
            thing("address", &["server"], address),
            thing("aside", &[], Vec::new()),
        ]
    };
    let pivot = pivot(&version("small"), &version("large"));
    assert_eq!(fates(&pivot), [("server", Fate::Replace), ("address", Fate::Change), ("aside", Fate::Keep)]);
    let why = |index: usize| pivot.differences[index].why[0].text.as_str();
    assert_eq!(why(0), "the property flavor changes from small to large");
    assert_eq!(why(1), "the property server refers to server, which is replaced");
    let steps = steps(&pivot);
    let made = at(&steps, "change server (new) from absent to present");
    let turned = at(&steps, "change address from present to updated");
    let gone = at(&steps, "delete server");
    assert!(made < turned && turned < gone, "{steps:#?}");
    assert!(!steps.iter().any(|step| step.contains("aside")));
}

#[test]
fn phases_are_gone_through_in_order_and_needed_by_name() {
    let service = |name: &str, phases: &[&str], needs: Vec<Need>| Thing {
        phases: phases.iter().map(|&phase| phase.to_owned()).collect(),
        endings: vec!["stopped".to_owned()],
        needs,
        ..Thing::new(name, "service")
    };
    let healthy = Need { at: 1, phase: Some("healthy".to_owned()), ..Need::new("db") };
    let things = [
        service("db", &["created", "started", "healthy"], Vec::new()),
        service("web", &["created", "started"], vec![healthy]),
    ];
    let up = steps(&pivot(&[], &things));
    let healthy = at(&up, "change db from started to healthy");
    assert!(healthy < at(&up, "change web from created to started"), "{up:#?}");
    // What is removed at once serves those that stop first.
    let net = Thing::new("net", "network");
    let on_net = things.map(|mut thing| {
        thing.needs.push(Need::new("net"));
        thing
    });
    let all: Vec<Thing> = [net].into_iter().chain(on_net).collect();
    let down = steps(&pivot(&all, &[]));
    assert!(at(&down, "delete db") < at(&down, "delete net"), "{down:#?}");
    let stopped = at(&down, "change web from started to stopped");
    assert!(stopped < at(&down, "delete db"), "{down:#?}");
    assert!(at(&down, "change db from healthy to stopped") < at(&down, "delete db"), "{down:#?}");
}

#[test]
fn where_the_old_one_must_stop_first_the_new_one_waits_for_it() {
    let version = |image: &str| {
        [Thing {
            properties: vec![property("image", image, OnChange::Replace)],
            phases: vec!["created".to_owned(), "started".to_owned()],
            endings: vec!["stopped".to_owned()],
            replacement: Replacement::OldFirst { before: 1 },
            ..Thing::new("web", "service")
        }]
    };
    let steps = steps(&pivot(&version("a"), &version("b")));
    let stopped = at(&steps, "change web from started to stopped");
    assert!(at(&steps, "change web (new) from absent to created") < steps.len());
    assert!(stopped < at(&steps, "change web (new) from created to before started"), "{steps:#?}");
    assert!(stopped < at(&steps, "delete web"), "{steps:#?}");
}

#[test]
fn what_is_to_be_kept_is_left_behind_and_what_is_immutable_refused() {
    let kept = Thing { removal: Removal::Leave, ..thing("disk", &["net"], Vec::new()) };
    let net = thing("net", &[], Vec::new());
    let down = pivot(&[kept, net], &[]);
    assert_eq!(fates(&down), [("disk", Fate::Leave), ("net", Fate::Remove)]);
    assert_eq!(steps(&down), ["delete net"]);
    let version = |key: &str| [thing("key", &[], vec![property("key", key, OnChange::Refuse)])];
    let refused = &pivot(&version("a"), &version("b")).differences[0].why[0];
    assert!(refused.is_refused && refused.text.ends_with("to b"), "{refused:?}");
    // What stays when nobody describes it any more has something in it.
    let volume = |key: &str| {
        version(key).map(|thing| Thing {
            removal: Removal::Leave,
            replacement: Replacement::OldFirst { before: 0 },
            ..thing
        })
    };
    let refused = &pivot(&volume("a"), &volume("b")).differences[0].why[0];
    assert!(refused.is_refused && refused.text.ends_with("; what is in it would be lost"), "{refused:?}");
    let renewed = Thing { renewed: Some("it always is".to_owned()), ..thing("handle", &[], Vec::new()) };
    let again = std::slice::from_ref(&renewed);
    assert_eq!(pivot(again, again).differences[0].fate, Fate::Replace);
}
