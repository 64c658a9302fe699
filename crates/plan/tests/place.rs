//! Placement against all ways to place, on small random cases.

use locus_aeolus::{Component, ComponentId, Configuration, Document, StateId, Want, read};
use locus_plan::{Choice, Placing, choose_placed, divide, place};
use locus_source::Sources;

fn document(text: &str) -> Document {
    let file = Sources::new().add("a.aeolus.yaml", text);
    let reading = read(&file, &locus_source::Limits::default());
    assert!(reading.findings.is_empty(), "{:?}", reading.findings);
    reading.document
}

/// A configuration with so many components of each type, in the first state.
fn configuration(document: &Document, numbers: &[u32]) -> Configuration {
    let mut configuration = Configuration::new();
    for ((kind, _), &number) in document.universe.types().zip(numbers) {
        for _ in 0..number {
            let id = ComponentId(configuration.components.len() as u32);
            configuration.components.insert(id, Component { kind, state: StateId(0) });
        }
    }
    configuration
}

/// The least cost of all ways to put components on machines, one by one.
fn brute(document: &Document, end: &Configuration) -> Option<u64> {
    let machines: Vec<(u64, u64)> = document
        .machines
        .iter()
        .flat_map(|machine| {
            let memory = machine.resources.first().map_or(0, |&(_, amount)| amount);
            std::iter::repeat_n((memory, machine.cost), machine.count as usize)
        })
        .collect();
    let takes: Vec<u64> = end
        .components
        .values()
        .map(|component| document.universe.kind(component.kind).consumes.first().map_or(0, |&(_, n)| n))
        .collect();
    let mut best = None;
    for code in 0..machines.len().pow(takes.len() as u32) {
        let (mut code, mut used, mut on) = (code, vec![0; machines.len()], vec![false; machines.len()]);
        for takes in &takes {
            used[code % machines.len()] += takes;
            on[code % machines.len()] = true;
            code /= machines.len();
        }
        if used.iter().zip(&machines).all(|(used, (memory, _))| used <= memory) {
            let cost = on.iter().zip(&machines).filter(|(on, _)| **on).map(|(_, (_, cost))| cost).sum();
            best = Some(best.map_or(cost, |least: u64| least.min(cost)));
        }
    }
    best
}

#[test]
fn no_way_to_place_costs_less() {
    let mut seed = 7u64;
    let mut dice = |sides: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % sides
    };
    let (mut placed, mut not) = (0, 0);
    for _ in 0..200 {
        let text = format!(
            "aeolus: 1\ntypes:\n  a: {{consumes: {{memory: {}}}, states: {{on: {{}}}}}}\n  b: {{consumes: {{memory: {}}}, \
             states: {{on: {{}}}}}}\nmachines:\n  s: {{resources: {{memory: {}}}, cost: {}, count: 2}}\n  l: {{resources: \
             {{memory: {}}}, cost: {}, count: 2}}\n",
            1 + dice(5),
            1 + dice(5),
            1 + dice(8),
            1 + dice(9),
            1 + dice(12),
            1 + dice(9),
        );
        let document = document(&text);
        let end = configuration(&document, &[dice(4) as u32, dice(4) as u32]);
        match (place(&document, &end, &[]), brute(&document, &end)) {
            (Placing::Placed { cost, at_least, machines }, Some(least)) => {
                assert_eq!((cost, at_least), (least, least), "{text}");
                let count: usize = machines.iter().map(|used| used.components.len()).sum();
                assert_eq!(count, end.components.len(), "{text}");
                placed += 1;
            }
            (Placing::None(_), None) => not += 1,
            (answer, least) => panic!("{answer:?} and {least:?}: {text}"),
        }
    }
    assert!(placed > 100 && not > 20, "{placed} and {not}");
}

#[test]
fn separation_is_obeyed() {
    let document = document(include_str!("../../../examples/aeolus/placed.aeolus.yaml"));
    let (want, _) = document.want.as_ref().expect("it wants something");
    let (_, never) = divide(want).expect("it is a condition on no machine");
    assert_eq!(never.len(), 1);
    let end = {
        let mut end = configuration(&document, &[3, 2]);
        for component in end.components.values_mut() {
            component.state = StateId(1);
        }
        end
    };
    let Placing::Placed { machines, cost: 20, at_least: 20 } = place(&document, &end, &never) else {
        panic!("{:?}", place(&document, &end, &never));
    };
    assert_eq!(machines.len(), 2);
    // Without the condition one large machine is enough.
    let alone = place(&document, &end, &[]);
    assert!(matches!(alone, Placing::Placed { cost: 15, .. }), "{alone:?}");
}

/// Whether components can be bound that require a port from so many others each: the condition of Gale and Ryser.
fn can_be_bound(requirers: u64, number: u64, providers: &[(u64, u64)]) -> bool {
    let bears =
        |asked: u64| providers.iter().map(|&(count, capacity)| count * capacity.min(asked)).sum::<u64>();
    (1..=requirers).all(|asked| bears(asked) >= asked * number)
}

#[test]
fn a_configuration_is_chosen_together_with_its_placement() {
    let mut dice = locus_aeolus::random::Dice::new(11);
    let mut roll = |sides: usize| dice.below(sides) as u64;
    let (mut chosen, mut none, mut dearer) = (0, 0, 0);
    for _ in 0..150 {
        let (number, wanted) = (1 + roll(2), 1 + roll(2));
        let (capacity_b, capacity_d) = (1 + roll(3), 1 + roll(3));
        let (cost_b, cost_d) = (roll(4), roll(4));
        let text = format!(
            "aeolus: 1\ntypes:\n  a: {{cost: 1, consumes: {{memory: {}}}, states: {{on: {{to: up}}, up: {{requires: {{p: \
             {number}}}}}}}}}\n  b: {{cost: {cost_b}, consumes: {{memory: {}}}, states: {{on: {{to: up}}, up: {{provides: \
             {{p: {capacity_b}}}}}}}}}\n  d: {{cost: {cost_d}, consumes: {{memory: {}}}, states: {{on: {{to: up}}, up: \
             {{provides: {{p: {capacity_d}}}}}}}}}\nmachines:\n  s: {{resources: {{memory: {}}}, cost: {}, count: 2}}\n  l: \
             {{resources: {{memory: {}}}, cost: {}}}\nwant: a@up = {wanted}\n",
            1 + roll(3),
            1 + roll(5),
            1 + roll(5),
            1 + roll(6),
            1 + roll(9),
            1 + roll(9),
            1 + roll(9),
        );
        let document = document(&text);
        let mut best: Option<u64> = None;
        let mut alone: Option<(u64, Option<u64>)> = None;
        // Nobody needs more than one provider for each requirement of each component.
        for (b, d) in (0..=4u64).flat_map(|b| (0..=4 - b).map(move |d| (b, d))) {
            if !can_be_bound(wanted, number, &[(b, capacity_b), (d, capacity_d)]) {
                continue;
            }
            let own = wanted + b * cost_b + d * cost_d;
            let end = configuration(&document, &[wanted as u32, b as u32, d as u32]);
            let total = brute(&document, &end).map(|cost| cost + own);
            best = best.into_iter().chain(total).min();
            if alone.is_none_or(|(cost, _)| own < cost) {
                alone = Some((own, total));
            }
        }
        let (want, _) = document.want.as_ref().expect("it wants something");
        match (choose_placed(&document, want, &[]), best) {
            (Choice::Chosen(found), Some(best)) => {
                assert_eq!((found.cost, found.at_least), (best, None), "{text}");
                chosen += 1;
                // What is cheapest without machines is not always, or does not fit.
                dearer += usize::from(alone.is_some_and(|(_, total)| total != Some(best)));
            }
            (Choice::None(_), None) => none += 1,
            (answer, best) => panic!("{answer:?} and {best:?}: {text}"),
        }
    }
    assert!(chosen > 60 && none > 15 && dearer > 10, "{chosen}, {none}, {dearer}");
}

#[test]
fn another_configuration_is_chosen_where_the_cheapest_does_not_fit() {
    let text = "aeolus: 1\ntypes:\n  app: {consumes: {memory: 1}, states: {off: {to: up}, up: {requires: {db: 1}}}}\n  \
                big: {cost: 1, consumes: {memory: 9}, states: {off: {to: up}, up: {provides: {db: unlimited}}}}\n  \
                small: {cost: 5, consumes: {memory: 2}, states: {off: {to: up}, up: {provides: {db: unlimited}}}}\n\
                machines:\n  m: {resources: {memory: 4}, cost: 10}\nwant: app@up = 1 and small = 0\n";
    let document = document(text);
    let (want, _) = document.want.as_ref().expect("it wants something");
    let Choice::None(reasons) = choose_placed(&document, want, &[]) else { panic!("nothing fits") };
    assert_eq!(
        reasons,
        [
            "these exclude each other: `app@up = 1`, `small = 0`",
            "the components take at least 10 of memory, and all machines together have 4",
            "there are too many of small@off, small@up in what is wanted",
        ]
    );
    let Want::And(parts) = want else { panic!("two conditions") };
    let Choice::Chosen(chosen) = choose_placed(&document, &parts[0], &[]) else {
        panic!("the small one fits")
    };
    assert_eq!((chosen.cost, chosen.at_least), (16, None));
}

#[test]
fn more_of_something_may_be_what_makes_placement_cheaper() {
    // Each machine with an application has a cache, and one large machine costs more than two small ones with a cache
    // each.
    let text = "aeolus: 1\ntypes:\n  app: {cost: 0, consumes: {memory: 3}, states: {up: {}}}\n  cache: {cost: 0, consumes: \
                {memory: 1}, states: {up: {}}}\nmachines:\n  small: {resources: {memory: 4}, cost: 10, count: 2}\n  large: \
                {resources: {memory: 8}, cost: 100}\nwant: 'app = 2 and cache >= 1 and #(_){_: #app > 0 and #cache = 0} = 0'\n";
    let document = document(text);
    let (want, _) = document.want.as_ref().expect("it wants something");
    let (want, never) = divide(want).expect("it is a condition on no machine");
    let Choice::Chosen(chosen) = choose_placed(&document, &want, &never) else { panic!("it can be placed") };
    assert_eq!((chosen.cost, chosen.at_least), (20, None), "{chosen:?}");
    let numbers: Vec<u64> = chosen.components.iter().map(|&(.., number)| number).collect();
    assert_eq!(numbers, [2, 2]);
}
