//! Updates: what is added, changed, replaced and removed, in which order, and why.

use std::collections::BTreeSet;

use locus_meaning::things::{Need, OnChange, Property, Removal, Replacement, Thing, without_milestones};
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
    let why = |index: usize| pivot.differences[index].why[0].to_string();
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

/// A service whose old version keeps a network in use cannot wait, stopped, for the new one, which needs the new
/// network.
#[test]
fn what_needs_another_that_must_go_first_goes_before_it() {
    let version = |driver: &str| {
        let net = Thing {
            replacement: Replacement::OldFirst { before: 0 },
            ..thing("net", &[], vec![property("driver", driver, OnChange::Replace)])
        };
        let web = Thing {
            properties: vec![property("network", driver, OnChange::Replace)],
            needs: vec![Need::new("net")],
            phases: vec!["created".to_owned(), "started".to_owned()],
            endings: vec!["stopped".to_owned()],
            replacement: Replacement::OldFirst { before: 1 },
            ..Thing::new("web", "service")
        };
        [net, web]
    };
    let steps = steps(&pivot(&version("a"), &version("b")));
    let order = [
        "change web from started to stopped",
        "delete web",
        "delete net",
        "change web (new) from created to started",
    ];
    let places: Vec<usize> = order.iter().map(|step| at(&steps, step)).collect();
    assert!(places[0] < places[1] && places[1] < places[3] && places[2] < steps.len(), "{steps:#?}");
    assert!(places[1] < at(&steps, "change net (new) from absent to before present"), "{steps:#?}");
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
    assert!(refused.is_refused && refused.to_string().ends_with("to b"), "{refused:?}");
    // What stays when nobody describes it any more has something in it.
    let volume = |key: &str| {
        version(key).map(|thing| Thing {
            removal: Removal::Leave,
            replacement: Replacement::OldFirst { before: 0 },
            ..thing
        })
    };
    let refused = &pivot(&volume("a"), &volume("b")).differences[0].why[0];
    assert!(
        refused.is_refused && refused.to_string().ends_with("; what is in it would be lost"),
        "{refused:?}"
    );
    let renewed = Thing { renewed: Some("it always is".to_owned()), ..thing("handle", &[], Vec::new()) };
    let again = std::slice::from_ref(&renewed);
    assert_eq!(pivot(again, again).differences[0].fate, Fate::Replace);
}

/// Things of which some need a milestone that needs others; what changes between versions depends on `version`.
fn with_milestone(version: usize) -> Vec<Thing> {
    let mut things = Vec::new();
    let text = |at: usize, is_changed: bool| {
        let on_change = if at.is_multiple_of(2) { OnChange::InPlace } else { OnChange::Replace };
        vec![property("size", if is_changed { "large" } else { "small" }, on_change)]
    };
    // Of seven neighbours two change, one is only in the old version, one only in the new one, and the others stay.
    let is_there = |at: usize| at % 7 != version + 4;
    let is_changed = |at: usize| version == 1 && at % 7 < 2;
    for at in (0..28).filter(|&at| is_there(at)) {
        things.push(thing(&format!("member {at}"), &[], text(at, is_changed(at))));
        let mut user = thing(&format!("user {at}"), &[], text(at / 2, is_changed(at + 3)));
        user.needs.push(Need::new("all members"));
        things.push(user);
    }
    let members = things.iter().filter(|thing| thing.name.starts_with("member"));
    let needs = members.map(|member| Need::new(member.key.clone())).collect();
    things.push(Thing::milestone("all members", needs));
    things
}

/// The pairs of changes and deletions of things of which the first comes before the second in every order.
fn ordered(pivot: &Pivot) -> BTreeSet<(String, String)> {
    let (answer, checked) = solve(&pivot.problem(), Limits { searched: 0, ..Limits::default() });
    let Answer::Plan(plan) = answer else { panic!("there is a plan: {answer:?}") };
    assert!(checked.is_some());
    let words = |step| {
        let (verb, rest) = render::step(&pivot.universe, &plan, step);
        (["change", "delete"].contains(&verb) && !rest.contains("all members"))
            .then(|| format!("{verb} {rest}"))
    };
    let texts: Vec<Option<String>> = plan.steps.iter().map(words).collect();
    let mut before: Vec<BTreeSet<u32>> = Vec::new();
    let mut pairs = BTreeSet::new();
    for (index, step) in plan.steps.iter().enumerate() {
        let all: BTreeSet<u32> =
            step.after.iter().flat_map(|&one| before[one as usize].iter().copied().chain([one])).collect();
        if let Some(late) = &texts[index] {
            let early = all.iter().filter_map(|&one| texts[one as usize].clone());
            pairs.extend(early.map(|early| (early, late.clone())));
        }
        before.push(all);
    }
    pairs
}

#[test]
fn a_milestone_gives_the_order_that_its_needs_would_give_one_by_one() {
    let (old, new) = (with_milestone(0), with_milestone(1));
    for (old, new) in [(&[][..], &new[..]), (&old, &new), (&new, &new), (&old, &[])] {
        let apart = |things: &[Thing]| without_milestones(things.to_vec(), usize::MAX);
        let (whole, parts) = (pivot(old, new), pivot(&apart(old), &apart(new)));
        assert_eq!(whole.differences, parts.differences);
        assert!(whole.start.bindings.len() + 100 < parts.start.bindings.len() || old.is_empty());
        let (whole, parts) = (ordered(&whole), ordered(&parts));
        let differ: Vec<_> = whole.symmetric_difference(&parts).take(3).collect();
        assert!(differ.is_empty(), "{differ:?}");
    }
}

#[test]
fn things_that_need_each_other_in_different_phases_can_be_made_and_taken_down() {
    let phases = |name: &str, needs: Vec<Need>| Thing {
        phases: ["created", "started"].map(str::to_owned).to_vec(),
        needs,
        ..Thing::new(name, "thing")
    };
    let need = |target: &str, at: usize, phase: &str| Need {
        at,
        phase: Some(phase.to_owned()),
        ..Need::new(target)
    };
    let both = [
        phases("hen", vec![need("egg", 1, "created")]),
        phases("egg", vec![need("hen", 0, "created")]),
        phases("chick", vec![need("egg", 0, "started")]),
    ];
    let steps_up = steps(&pivot(&[], &both));
    let created = |name: &str| at(&steps_up, &format!("change {name} from absent to created"));
    let started = |name: &str| at(&steps_up, &format!("change {name} from created to started"));
    assert!(
        created("hen") < created("egg")
            && created("egg") < started("hen")
            && started("egg") < created("chick")
    );
    let down = steps(&pivot(&both, &[]));
    assert!(at(&down, "delete chick") < at(&down, "delete egg"), "{down:?}");
    at(&down, "delete hen");
}

#[test]
fn what_lives_in_another_is_replaced_with_it() {
    // `b` runs in something of `a`, which keeps that until it is deleted, also when it has stopped.
    let container = |name: &str, properties: Vec<Property>, needs: Vec<Need>| Thing {
        properties,
        needs,
        phases: vec!["created".to_owned(), "started".to_owned()],
        endings: vec!["stopped".to_owned()],
        replacement: Replacement::OldFirst { before: 1 },
        ..Thing::new(name, "container")
    };
    let shares =
        || Need { via: Some("network_mode".to_owned()), phase: Some("created".to_owned()), ..Need::new("a") };
    let version = |image: &str| {
        let mode = property("network_mode", "service:a", OnChange::Replace);
        [
            container("a", vec![property("image", image, OnChange::Replace)], Vec::new()),
            container("b", vec![mode], vec![shares()]),
        ]
    };
    let update = pivot(&version("one"), &version("two"));
    assert_eq!(fates(&update), [("a", Fate::Replace), ("b", Fate::Replace)]);
    let words = steps(&update);
    let stopped = |name: &str| at(&words, &format!("change {name} from started to stopped"));
    let started = |name: &str| at(&words, &format!("change {name} (new) from before started to started"));
    assert!(stopped("b") < stopped("a") && stopped("a") < started("a"), "{words:#?}");
    assert!(
        started("a") < at(&words, "delete b") && at(&words, "delete b") < at(&words, "delete a"),
        "{words:#?}"
    );
    // The same when it goes, or when the other does.
    let [a, _] = version("two");
    let alone = pivot(&version("one"), std::slice::from_ref(&a));
    assert_eq!(fates(&alone), [("a", Fate::Replace), ("b", Fate::Remove)]);
    steps(&alone);
    let host = container("b", vec![property("network_mode", "host", OnChange::Replace)], Vec::new());
    let apart = pivot(&version("one"), &[host]);
    steps(&apart);
    steps(&pivot(&version("one"), &[]));
}
