//! A topology as an instance of the rules.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use locus_rules::{AtomId, CompiledRules, Instance, Item, Rules, Sig, UNUSABLE, Verdict};
use locus_schema::Content;
use locus_source::{Finding, Place};
use rustc_hash::FxHashSet;

use crate::library::FILES;
use crate::topology::{Capability, Field, Relationship, Topology};

/// So many ways in which one rule is broken are shown.
const SHOWN: usize = 100;

const CORE: &str = "tosca/core";

/// The rules that come with Locus. A run has many files that need the same.
static RULES: CompiledRules = CompiledRules::new();

/// What the rules say of a topology.
pub fn judge(topology: &Topology, everything: Place) -> Verdict {
    let modules = modules(topology);
    if modules.is_empty() {
        return Verdict::default();
    }
    match RULES.get("tosca/service.als", &modules, None, &root, &FILES) {
        Ok(rules) => {
            let mut verdict = judge_by(&rules, topology, everything);
            if !verdict.unsettled.is_empty() {
                settle(&mut verdict, judged(&rules, topology, everything, false));
            }
            verdict
        }
        Err(error) => {
            let message = format!("the rules about topologies cannot be used: {error}");
            Verdict { findings: vec![Finding::new(&UNUSABLE, everything, message)], unsettled: Vec::new() }
        }
    }
}

/// Adds what is wrong whatever the unknown values are: our rules demand something of the values that are there, so what
/// breaks them without the others breaks them with any. The order of addresses is one relation for the whole topology, which
/// an unknown one would otherwise leave open for all.
fn settle(verdict: &mut Verdict, certain: Verdict) {
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
    endpoints.filter_map(|one| crate::graph::field(&one.properties, "port")).any(|port| {
        match port.value.value {
            Content::Int(number) => !seen.insert(number),
            _ => true,
        }
    })
}

fn is_attached(one: &Relationship) -> bool {
    Topology::is_a(&one.types, "AttachesTo")
}

/// A module that opens some modules with rules.
fn root(modules: &BTreeSet<String>) -> String {
    let mut text = "module tosca/service\nopen tosca/core\n".to_owned();
    for name in modules {
        let _ = writeln!(text, "open tosca/{name} as rules_{name}");
    }
    text
}

/// What rules that were compiled already say of a topology.
pub fn judge_by(rules: &Rules, topology: &Topology, everything: Place) -> Verdict {
    judged(rules, topology, everything, true)
}

fn judged(rules: &Rules, topology: &Topology, everything: Place, unknowns: bool) -> Verdict {
    let Some(builder) = Builder::new(rules, unknowns) else { return Verdict::default() };
    match builder.build(topology).check(SHOWN, everything) {
        Ok(verdict) => verdict,
        Err(finding) => Verdict { findings: vec![*finding], unsettled: Vec::new() },
    }
}

struct Builder<'r> {
    rules: &'r Rules,
    instance: Instance<'r>,
    nodes: Vec<AtomId>,
    capabilities: Vec<Vec<AtomId>>,
    node: Sig,
    capability: Sig,
    relationship: Sig,
    /// Whether values that are not known are there at all.
    unknowns: bool,
}

impl<'r> Builder<'r> {
    fn new(rules: &'r Rules, unknowns: bool) -> Option<Self> {
        let sig = |name: &str| rules.sig(CORE, name);
        let (node, capability, relationship) = (sig("Node")?, sig("Capability")?, sig("Relationship")?);
        let (nodes, capabilities) = (Vec::new(), Vec::new());
        Some(Self {
            rules,
            instance: rules.instance(),
            nodes,
            capabilities,
            node,
            capability,
            relationship,
            unknowns,
        })
    }

    fn build(mut self, topology: &Topology) -> Instance<'r> {
        for node in &topology.nodes {
            let kinds = [
                ("Network", "Network"),
                ("Port", "Port"),
                ("Compute", "Compute"),
                ("Container.Runtime", "Runtime"),
            ];
            let kind = kinds.into_iter().find(|(name, _)| Topology::is_a(&node.types, name));
            let sig = kind.and_then(|(_, sig)| self.rules.sig(CORE, sig)).unwrap_or(self.node);
            let atom = self.instance.atom(sig, node.name.text.clone(), node.name.place);
            self.nodes.push(atom);
            self.fields(sig, atom, &node.properties);
            let mut atoms = Vec::new();
            for capability in &node.capabilities {
                let kind =
                    ["Scalable", "Endpoint"].into_iter().find(|name| Topology::is_a(&capability.types, name));
                let sig = kind.and_then(|name| self.rules.sig(CORE, name)).unwrap_or(self.capability);
                let label = format!("{} of {}", capability.name, node.name.text);
                let inner = self.instance.atom(sig, label, capability.place);
                self.tuple(self.capability, inner, "of", Item::Atom(atom), capability.place);
                if let Some(most) = capability.most {
                    self.tuple(self.capability, inner, "most", Item::Int(most), capability.place);
                }
                self.fields(sig, inner, &capability.properties);
                if kind == Some("Endpoint") {
                    self.transport(sig, inner, capability);
                }
                atoms.push(inner);
            }
            self.capabilities.push(atoms);
        }
        for one in &topology.relationships {
            self.relationship_atom(topology, one);
        }
        self.phases(topology);
        self.instance
    }

    /// How the port of an endpoint is reached: most protocols go over TCP, which is the default.
    fn transport(&mut self, sig: Sig, atom: AtomId, capability: &Capability) {
        let protocol = crate::graph::field(&capability.properties, "protocol");
        let place = protocol.map_or(capability.place, |field| field.value.place);
        let value = match protocol.map(|field| &field.value.value) {
            Some(Content::Unknown(_)) if !self.unknowns => return,
            Some(Content::Unknown(_)) => self.instance.unknown_text(),
            Some(Content::Str(name)) if is_beside_tcp(name) => Item::Text(name.to_lowercase().into()),
            _ => Item::Text("tcp".into()),
        };
        self.tuple(sig, atom, "transport", value, place);
    }

    /// The order of phases, where lifecycles leave a choice.
    fn phases(&mut self, topology: &Topology) {
        let Some(sig) = self.rules.sig(CORE, "Phase") else { return };
        let phases = crate::things::phases(topology);
        let name = |node: usize| &topology.nodes[node].name;
        let atoms: Vec<AtomId> = phases
            .iter()
            .map(|one| {
                self.instance.atom(sig, format!("{} {}", name(one.node).text, one.name), name(one.node).place)
            })
            .collect();
        for (one, &atom) in phases.iter().zip(&atoms) {
            let place = name(one.node).place;
            self.tuple(sig, atom, "phase_of", Item::Atom(self.nodes[one.node]), place);
            for &before in &one.after {
                self.tuple(sig, atom, "waits_for", Item::Atom(atoms[before]), place);
            }
        }
    }

    fn relationship_atom(&mut self, topology: &Topology, one: &Relationship) {
        let Some(target) = one.target else { return };
        let place = one.name.place;
        // Those that derive from others are tried first.
        let order = ["LinksTo", "BindsTo", "HostedOn", "AttachesTo", "ConnectsTo", "DependsOn"];
        let name = order.into_iter().find(|name| Topology::is_a(&one.types, name));
        let sig = name.and_then(|name| self.rules.sig(CORE, name)).unwrap_or(self.relationship);
        let label = format!("{} of {}", one.name.text, topology.nodes[one.source].name.text);
        let atom = self.instance.atom(sig, label, place);
        let (source, target_atom) = (self.nodes[one.source], self.nodes[target]);
        self.tuple(self.relationship, atom, "source", Item::Atom(source), place);
        self.tuple(self.relationship, atom, "target", Item::Atom(target_atom), place);
        if name == Some("AttachesTo") {
            self.fields(sig, atom, &attached(&one.properties));
        }
        let Some(capability) = one.capability else { return };
        let capability_atom = self.capabilities[target][capability];
        self.tuple(self.relationship, atom, "capability", Item::Atom(capability_atom), place);
        let properties = &topology.nodes[target].capabilities[capability].properties;
        for allocation in &one.allocations {
            let Some(limit) = crate::graph::field(properties, &allocation.key) else { continue };
            let (Some(amount), Some(limit)) = (units(allocation), units(limit)) else { continue };
            let Some(sig) = self.rules.sig(CORE, "Allocation") else { return };
            let label = format!("{} of {}", allocation.key, one.name.text);
            let inner = self.instance.atom(sig, label, allocation.value.place);
            let place = allocation.value.place;
            self.tuple(sig, inner, "from", Item::Atom(capability_atom), place);
            self.tuple(sig, inner, "key", Item::Text(allocation.key.clone()), place);
            self.tuple(sig, inner, "amount", Item::Int(amount), place);
            self.tuple(sig, inner, "limit", Item::Int(limit), place);
        }
    }

    /// The properties that the rules speak of.
    fn fields(&mut self, sig: Sig, atom: AtomId, fields: &[Field]) {
        for field in fields {
            let Some(id) = self.rules.field(sig, &field.key) else { continue };
            let value = match &field.value.value {
                Content::Int(value) => Item::Int(*value),
                Content::Str(text) => Item::Text(text.clone()),
                Content::Unknown(_) if !self.unknowns => continue,
                Content::Unknown(_) if is_number(&field.key) => self.instance.unknown_int(),
                Content::Unknown(_) => self.instance.unknown_text(),
                _ => continue,
            };
            self.instance.tuple(atom, id, value, field.value.place, None);
        }
    }

    fn tuple(&mut self, sig: Sig, atom: AtomId, field: &str, value: Item, place: Place) {
        if let Some(id) = self.rules.field(sig, field) {
            self.instance.tuple(atom, id, value, place, None);
        }
    }
}

/// Whether a property that the rules speak of is a number.
fn is_number(key: &str) -> bool {
    key.ends_with("_instances") || ["ip_version", "port"].contains(&key)
}

/// Whether a protocol has ports of its own beside those of TCP.
fn is_beside_tcp(protocol: &str) -> bool {
    ["udp", "sctp", "dccp", "icmp"].iter().any(|one| protocol.eq_ignore_ascii_case(one))
}

/// Where a disk is attached, each place in one way of writing.
fn attached(properties: &[Field]) -> Vec<Field> {
    let mut properties = properties.to_vec();
    for field in properties.iter_mut().filter(|field| &*field.key == "location") {
        if let Content::Str(text) = &field.value.value {
            let trimmed = text.trim_end_matches('/');
            field.value.value = Content::str(if trimmed.is_empty() { text } else { trimmed });
        }
    }
    properties
}

/// A quantity in whole base units, if it is known and one.
fn units(field: &Field) -> Option<i64> {
    match (&field.value.value, field.amount) {
        (Content::Int(value), _) => Some(*value),
        (_, Some(amount)) if amount.fract() == 0.0 && amount.abs() < 1e15 => Some(amount as i64),
        _ => None,
    }
}
