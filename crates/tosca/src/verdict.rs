//! A service judged by the rules about how nodes fit together.

use std::collections::BTreeSet;

use locus_language::{Judged, Ruled, Rules, judge_each};
use locus_meaning::Meaning;
use locus_schema::Content;
use locus_source::{Finding, Place};
use rustc_hash::FxHashSet;

use crate::library::CARRIED;
use crate::meaning::{CORE, meaning};
use crate::service::topology::{self, Capability, Relationship, Topology};

/// Judges a service by the rules that come with Locus.
pub fn judge(topology: &Topology, everything: Place) -> Judged {
    CARRIED.judge_with(&modules(topology), None, everything, &|rules| {
        let meaning = meaning(topology);
        let mut verdict = by(rules, &meaning, everything, true);
        if !verdict.unsettled.is_empty() {
            settle(&mut verdict, by(rules, &meaning, everything, false));
        }
        verdict
    })
}

/// The rules about a service.
pub(crate) fn ruled(topology: &Topology, everywhere: Place) -> Option<Ruled<'_>> {
    let modules = modules(topology);
    (!modules.is_empty()).then(|| Ruled {
        rules: &CARRIED,
        modules,
        everywhere,
        instance: Box::new(move |rules| meaning(topology).parts_instance(rules, CORE, everywhere, true)),
    })
}

/// Judges a service by rules that were compiled already.
pub fn judge_by(rules: &Rules, topology: &Topology, everything: Place) -> Judged {
    by(rules, &meaning(topology), everything, true)
}

/// Judges a service by rules. Without `unknowns`, as if values that are not known were not given.
fn by(rules: &Rules, meaning: &Meaning<'_>, everything: Place, unknowns: bool) -> Judged {
    judge_each(&meaning.parts_instance(rules, CORE, everything, unknowns), everything)
}

/// Adds the faults that are there whatever the unknown values are: our rules demand something of the values that are
/// there, so what breaks them without the others breaks them with any. The order of addresses is one relation for the
/// whole topology, which an unknown one would otherwise leave open for all.
fn settle(verdict: &mut Judged, certain: Judged) {
    let same =
        |one: &Finding, other: &Finding| one.code == other.code && one.primary.place == other.primary.place;
    for finding in certain.findings {
        verdict.unsettled.retain(|other| !same(&finding, other));
        if !verdict.findings.iter().any(|other| same(&finding, other)) {
            verdict.findings.push(finding);
        }
    }
}

/// The modules whose rules can be broken by what is in a topology.
fn modules(topology: &Topology) -> BTreeSet<String> {
    let nodes = || topology.nodes.iter();
    let order = topology.relationships.iter().any(|one| one.target.is_some());
    let networks =
        nodes().any(|node| ["Network", "Port"].iter().any(|name| Topology::is_a(&node.types, name)));
    let limited = |one: &Capability| one.most.is_some() || Topology::is_a(&one.types, "Scalable");
    let capacity = nodes().any(|node| node.capabilities.iter().any(limited))
        || topology.relationships.iter().any(|one| !one.allocations.is_empty());
    let machines =
        ports_meet(topology) || topology.relationships.iter().filter(|one| is_attached(one)).count() > 1;
    let needed = [("order", order), ("networks", networks), ("capacity", capacity), ("machines", machines)];
    needed.into_iter().filter(|(_, needed)| *needed).map(|(name, _)| name.to_owned()).collect()
}

/// Whether two endpoints have one port, or may have.
fn ports_meet(topology: &Topology) -> bool {
    let mut seen = FxHashSet::default();
    let capabilities = topology.nodes.iter().flat_map(|node| &node.capabilities);
    let endpoints = capabilities.filter(|one| Topology::is_a(&one.types, "Endpoint"));
    let ports = endpoints.filter_map(|one| topology::field(&one.properties, "port")).map(|one| &one.value);
    ports.chain(topology.nodes.iter().filter_map(topology::port_of_server)).any(|port| match port.value {
        Content::Int(number) => !seen.insert(number),
        _ => true,
    })
}

fn is_attached(one: &Relationship) -> bool {
    Topology::is_a(&one.types, "AttachesTo")
}
