//! Placement against all ways to place, on small random cases.

use locus_aeolus::{Component, ComponentId, Configuration, Document, StateId, read};
use locus_plan::{Placing, divide, place};
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
