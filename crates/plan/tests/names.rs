//! Names decide nothing: things with other names have the same plan, with those names.

use locus_meaning::things::{Need, OnChange, Property, Removal, Replacement, Thing};
use locus_plan::{Answer, Limits, Pivot, Plan, pivot, solve};
use proptest::prelude::*;

/// Names without anything in common.
const PLAIN: [&str; 6] = ["ant", "bee", "cat", "dog", "elk", "fox"];

/// Names that look like words that plans are made of.
const ODD: [&str; 12] = [
    "s",
    "s replaced",
    "s updated",
    "s retired",
    "s taken down",
    "s created",
    "s created replaced",
    "s (new)",
    "s (new)'",
    "s'",
    "",
    "s~2",
];

/// A thing that does not have its name yet: the numbers of others that it needs, and all that decides its fate.
#[derive(Clone, Debug)]
struct Shape {
    number: usize,
    needs: Vec<(usize, bool, bool)>,
    size: u8,
    on_change: u8,
    has_phases: bool,
    old_first: bool,
    stays: bool,
    saves: bool,
}

fn shape(number: usize) -> impl Strategy<Value = Shape> {
    let needs = prop::collection::vec((0..number.max(1), any::<bool>(), any::<bool>()), 0..3);
    let flags =
        (any::<bool>(), prop::bool::weighted(0.3), prop::bool::weighted(0.2), prop::bool::weighted(0.3));
    (needs, 0u8..2, 0u8..2, flags).prop_map(move |(needs, size, on_change, flags)| Shape {
        number,
        needs: needs.into_iter().filter(|&(target, ..)| target < number).collect(),
        size,
        on_change,
        has_phases: flags.0,
        old_first: flags.1,
        stays: flags.2,
        saves: flags.3,
    })
}

/// One version of a deployment: each of six things may be missing.
fn version() -> impl Strategy<Value = Vec<Shape>> {
    let maybe = |number: usize| prop::option::weighted(0.8, shape(number));
    [maybe(0), maybe(1), maybe(2), maybe(3), maybe(4), maybe(5)]
        .prop_map(|shapes| shapes.into_iter().flatten().collect())
}

fn things(shapes: &[Shape], names: &[&str]) -> Vec<Thing> {
    let is_there = |number: usize| shapes.iter().any(|shape| shape.number == number);
    let has_phases = |number: usize| shapes.iter().any(|shape| shape.number == number && shape.has_phases);
    let need = |&(target, has_via, is_early): &(usize, bool, bool)| Need {
        via: has_via.then(|| "size".to_owned()),
        phase: (is_early && has_phases(target)).then(|| "created".to_owned()),
        ..Need::new(names[target])
    };
    let thing = |shape: &Shape| {
        let on_change = [OnChange::InPlace, OnChange::Replace][usize::from(shape.on_change)];
        let size =
            Property { name: "size".to_owned(), value: shape.size.to_string(), on_change, place: None };
        let phases: &[&str] = if shape.has_phases { &["created", "started"] } else { &["present"] };
        Thing {
            properties: vec![size],
            needs: shape.needs.iter().filter(|(target, ..)| is_there(*target)).map(need).collect(),
            phases: phases.iter().map(|&phase| phase.to_owned()).collect(),
            endings: if shape.saves { vec!["saved".to_owned()] } else { Vec::new() },
            removal: if shape.stays { Removal::Leave } else { Removal::Delete },
            replacement: if shape.old_first {
                Replacement::OldFirst { before: usize::from(shape.has_phases) }
            } else {
                Replacement::NewFirst
            },
            ..Thing::new(names[shape.number], "thing")
        }
    };
    shapes.iter().map(thing).collect()
}

fn plan(pivot: &Pivot) -> Option<Plan> {
    match solve(&pivot.problem(), Limits { searched: 0, ..Limits::default() }).0 {
        Answer::Plan(plan) => Some(plan),
        Answer::None(_) | Answer::Unknown(_) => None,
    }
}

/// The plan by numbers, without any name.
fn by_numbers(pivot: &Pivot) -> String {
    let Some(plan) = plan(pivot) else { return "none".to_owned() };
    let kinds: Vec<_> = plan.components.iter().map(|component| (component.kind, component.is_new)).collect();
    let states: Vec<_> = pivot
        .universe
        .types()
        .flat_map(|(kind, one)| one.states.iter().map(move |state| (kind, &state.provides, &state.requires)))
        .collect();
    let fates: Vec<_> = pivot.differences.iter().map(|difference| difference.fate).collect();
    format!("{fates:?} {kinds:?} {states:?} {:?} {:?}", plan.steps, plan.end)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn other_names_give_the_same_plan(
        (old, new) in (version(), version()),
        odd in Just(ODD.to_vec()).prop_shuffle(),
    ) {
        let plain = pivot(&things(&old, &PLAIN), &things(&new, &PLAIN));
        let odd_ones = pivot(&things(&old, &odd), &things(&new, &odd));
        prop_assert_eq!(by_numbers(&plain), by_numbers(&odd_ones));
        let Some(plan) = plan(&odd_ones) else { return Ok(()) };
        let mut names: Vec<&str> = plan.components.iter().map(|one| one.name.as_str()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        prop_assert_eq!(names.len(), count, "two components have one name");
        for component in &plan.components {
            let part = &odd_ones.parts[component.kind.index()];
            prop_assert!(component.name.starts_with(&part.thing));
        }
    }
}
