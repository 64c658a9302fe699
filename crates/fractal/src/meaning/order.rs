//! The order in which components are made and started: what a component cannot do without is started before it, and a
//! composite is started when all in it are.
//!
//! Bindings are followed through the interfaces of composites to the components that answer in the end, so that two
//! composites may need each other. Components that need each other in a circle are started in any order, once all of
//! them are made: the Fractal model has no rule about that.

use locus_meaning::{Meaning, Need, Needed, ThingId};
use locus_schema::cycles::knots;
use rustc_hash::{FxHashMap, FxHashSet};

use super::PHASES;
use super::ends::{Ends, GateId};
use crate::assembly::Assembly;
use crate::syntax::Interface;

/// Calls are not followed through more composites.
const MOST_STEPS: usize = 200;

/// The place of `started` among the phases.
const STARTED: usize = 1;

/// Adds what components need of each other.
pub(super) fn needs(assembly: &Assembly, ends: &Ends, ids: &[ThingId], all: &mut Meaning<'_>) {
    if assembly.is_circular() {
        return;
    }
    let calls = calls(assembly, ends);
    let called = |at: usize| calls.get(&at).into_iter().flatten().map(|(_, server)| *server).collect();
    let circles = knots(&(0..assembly.kells.len()).map(called).collect::<Vec<_>>());
    for (at, kell) in assembly.kells.iter().enumerate() {
        let mut needs: Vec<Need> = Vec::new();
        for inner in kell.sc.iter().chain(&kell.membrane) {
            let need = |at: usize| Need { at, phase: Some(PHASES[at].into()), ..Need::new(ids[*inner]) };
            needs.extend([need(0), need(STARTED)]);
        }
        for (gate, server) in calls.get(&at).into_iter().flatten() {
            let is_circle = circles[at] == circles[*server];
            let phase = if is_circle { 0 } else { STARTED };
            needs.push(Need {
                to: Needed::All(ids[*server]),
                via: Some(gate.as_str().into()),
                at: STARTED,
                phase: Some(PHASES[phase].into()),
                only_to_start: false,
            });
        }
        if let Some(process) = &mut all.element_mut(ids[at]).process {
            process.needs = needs;
        }
    }
}

/// For each component with nothing in it the components that answer its mandatory calls.
type Calls = FxHashMap<usize, Vec<(String, usize)>>;

fn calls(assembly: &Assembly, ends: &Ends) -> Calls {
    // Where a binding leads to from an interface, seen from outside of its component and from inside.
    let mut outside: FxHashMap<GateId, Vec<GateId>> = FxHashMap::default();
    let mut inside: FxHashMap<GateId, Vec<GateId>> = FxHashMap::default();
    for tie in ends.ties.iter().flatten().filter(|tie| !tie.of_controller) {
        let (Some(client), Some(server)) = (&tie.client, &tie.server) else { continue };
        let (Some(from), Some(to)) = (client.is, server.is) else { continue };
        let map = if client.is_this { &mut inside } else { &mut outside };
        map.entry(from).or_default().push(to);
    }
    let mut all = Calls::default();
    for (at, kell) in assembly.kells.iter().enumerate().filter(|(_, kell)| kell.sc.is_empty()) {
        for (number, interface) in kell.says.interfaces.iter().enumerate() {
            if !must_be_there(interface) {
                continue;
            }
            let start = GateId { kell: at, of_controller: false, number };
            for server in answered(assembly, &outside, &inside, start) {
                let called = all.entry(at).or_default();
                let call = (interface.name.text.to_string(), server);
                if server != at && !called.contains(&call) {
                    called.push(call);
                }
            }
        }
    }
    all
}

/// Whether a component cannot be started before an interface is bound.
fn must_be_there(interface: &Interface) -> bool {
    let is_client = super::is_role(interface, "client");
    is_client && !interface.contingency.as_ref().is_some_and(|text| text.is("optional"))
}

/// The components that answer the calls of an interface.
fn answered(
    assembly: &Assembly,
    outside: &FxHashMap<GateId, Vec<GateId>>,
    inside: &FxHashMap<GateId, Vec<GateId>>,
    start: GateId,
) -> Vec<usize> {
    let mut found = Vec::new();
    let mut seen: FxHashSet<GateId> = FxHashSet::default();
    let mut next: Vec<GateId> = outside.get(&start).cloned().unwrap_or_default();
    while let Some(gate) = next.pop() {
        if !seen.insert(gate) || seen.len() > MOST_STEPS {
            continue;
        }
        let kell = &assembly.kells[gate.kell];
        let interface = kell.says.interfaces.get(gate.number);
        let is_needed = interface.is_some_and(|one| super::is_role(one, "client"));
        match (is_needed, kell.sc.is_empty()) {
            // Its own needs are answered where it is bound itself.
            (true, _) => next.extend(outside.get(&gate).into_iter().flatten()),
            (false, true) => found.push(gate.kell),
            (false, false) => match inside.get(&gate) {
                Some(inner) => next.extend(inner),
                None => found.push(gate.kell),
            },
        }
    }
    found.sort_unstable();
    found
}
