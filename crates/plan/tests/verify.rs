//! Whether deployments are safe when operations fail.

use locus_aeolus::{Configuration, Universe, read};
use locus_meaning::things::{Need, OnChange, Property, Replacement, Thing};
use locus_plan::{
    Answer, Choice, Ending, Event, Limits, Pivot, Plan, Problem, Risks, Verified, WayBack, check, choose,
    delete_last, pivot, solve, verify, wanted, way_back,
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
    let problem = pivot.problem();
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

/// Numbers from a seed.
struct Luck(u64);

impl Luck {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// Some of four things, in one or two phases, which need others from some phase on.
    fn things(&mut self) -> Vec<Thing> {
        let names = ["a", "b", "c", "d"];
        let mut things = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if self.below(4) == 0 {
                continue;
            }
            let mut made = thing(name, &[], &self.below(2).to_string());
            if self.below(2) == 0 {
                made.properties[0].on_change = OnChange::InPlace;
            }
            if self.below(3) == 0 {
                made.replacement = Replacement::OldFirst { before: 0 };
            }
            let has_two = index % 2 == 0;
            if has_two {
                made.phases = vec!["created".to_owned(), "started".to_owned()];
            }
            for (other, target) in names.iter().enumerate().filter(|(other, _)| *other != index) {
                if self.below(3) == 0 {
                    let phase = (other % 2 == 0 && self.below(2) == 0).then(|| "created".to_owned());
                    let at = if has_two { self.below(2) as usize } else { 0 };
                    made.needs.push(Need { at, phase, ..Need::new(*target) });
                }
            }
            things.push(made);
        }
        things
    }
}

#[test]
fn what_is_argued_to_lead_back_does_so_when_it_is_explored() {
    let (mut shown, mut not_shown, mut cleaned) = (0, 0, 0);
    for seed in 0..400 {
        let mut luck = Luck(seed);
        let old = if luck.below(3) == 0 { Vec::new() } else { luck.things() };
        let pivot = pivot(&old, &luck.things());
        let problem = pivot.problem();
        let (Answer::Plan(plan), _) = solve(&problem, Limits::default()) else { continue };
        let WayBack::Open { cleans_up } = way_back(&pivot.universe, &pivot.start, &plan) else {
            not_shown += 1;
            continue;
        };
        let last = delete_last(&plan);
        let risks = Risks { retries: 0, ..Risks::default() };
        let Verified::Safe { clean, .. } = verify(&pivot.universe, &pivot.start, &last, risks) else {
            panic!("seed {seed}: it was argued to be safe");
        };
        assert_eq!(clean, !cleans_up, "seed {seed}");
        shown += 1;
        cleaned += usize::from(cleans_up);
    }
    assert!(shown > 100 && cleaned > 50 && not_shown > 0, "{shown} {cleaned} {not_shown}");
}

#[test]
fn things_that_wait_for_each_other_have_no_way_back() {
    let two = |name: &str| Thing {
        phases: vec!["created".to_owned(), "started".to_owned()],
        ..thing(name, &[], "")
    };
    let other = |target: &str, at: usize| Need { at, phase: Some("created".to_owned()), ..Need::new(target) };
    let (mut first, mut second) = (two("first"), two("second"));
    second.needs.push(other("first", 0));
    let chain = pivot(&[], &[first.clone(), second.clone()]);
    let way = way_back(&chain.universe, &chain.start, &plan(&chain));
    assert_eq!(way, WayBack::Open { cleans_up: false });
    first.needs.push(other("second", 1));
    let circle = pivot(&[], &[first, second]);
    let plan = plan(&circle);
    assert_eq!(way_back(&circle.universe, &circle.start, &plan), WayBack::NotShown);
    let verified = verify(&circle.universe, &circle.start, &plan, Risks::default());
    assert!(matches!(verified, Verified::Unsafe { ending: Ending::Stuck, .. }), "{verified:?}");
}
