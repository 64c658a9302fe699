//! A topology as an instance of the rules.

use locus_rules::{AtomId, Instance, Item, Rules, Sig, Verdict};
use locus_source::{FileId, Finding, Place, Severity, Sources};

use crate::library::Library;
use crate::topology::{Field, Topology};
use crate::value::Value;

/// So many ways in which one rule is broken are shown.
const SHOWN: usize = 100;

const CORE: &str = "tosca/core";

/// What the rules say of a topology.
pub fn judge(sources: &Sources, topology: &Topology, everything: Place) -> Verdict {
    let file = sources.add(
        "tosca/service.als",
        "module tosca/service\nopen tosca/core\nopen tosca/order\nopen tosca/networks\nopen tosca/capacity\n",
    );
    by_file(sources, file.id(), topology, everything)
}

fn by_file(sources: &Sources, file: FileId, topology: &Topology, everything: Place) -> Verdict {
    let (rules, findings) = Rules::load(sources, &Library, file);
    let errors: Vec<Finding> =
        findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    let mut verdict = rules.map_or_else(Verdict::default, |rules| judge_by(&rules, topology, everything));
    verdict.findings.extend(errors);
    verdict
}

/// What rules that were compiled already say of a topology.
pub fn judge_by(rules: &Rules, topology: &Topology, everything: Place) -> Verdict {
    let Some(builder) = Builder::new(rules) else { return Verdict::default() };
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
}

impl<'r> Builder<'r> {
    fn new(rules: &'r Rules) -> Option<Self> {
        let sig = |name: &str| rules.sig(CORE, name);
        let (node, capability, relationship) = (sig("Node")?, sig("Capability")?, sig("Relationship")?);
        let (nodes, capabilities) = (Vec::new(), Vec::new());
        Some(Self { rules, instance: rules.instance(), nodes, capabilities, node, capability, relationship })
    }

    fn build(mut self, topology: &Topology) -> Instance<'r> {
        for node in &topology.nodes {
            let kind = ["Network", "Port"].into_iter().find(|name| Topology::is_a(&node.types, name));
            let sig = kind.and_then(|name| self.rules.sig(CORE, name)).unwrap_or(self.node);
            let atom = self.instance.atom(sig, node.name.text.clone(), node.name.place);
            self.nodes.push(atom);
            self.fields(sig, atom, &node.properties);
            let mut atoms = Vec::new();
            for capability in &node.capabilities {
                let scalable = Topology::is_a(&capability.types, "Scalable");
                let sig =
                    if scalable { self.rules.sig(CORE, "Scalable") } else { None }.unwrap_or(self.capability);
                let label = format!("{} of {}", capability.name, node.name.text);
                let inner = self.instance.atom(sig, label, capability.place);
                self.tuple(self.capability, inner, "of", Item::Atom(atom), capability.place);
                if let Some(most) = capability.most {
                    self.tuple(self.capability, inner, "most", Item::Int(most), capability.place);
                }
                self.fields(sig, inner, &capability.properties);
                atoms.push(inner);
            }
            self.capabilities.push(atoms);
        }
        for one in &topology.relationships {
            self.relationship_atom(topology, one);
        }
        self.instance
    }

    fn relationship_atom(&mut self, topology: &Topology, one: &crate::topology::Relationship) {
        let Some(target) = one.target else { return };
        let place = one.name.place;
        // Those that derive from others are tried first.
        let order = ["LinksTo", "BindsTo", "HostedOn", "ConnectsTo", "DependsOn"];
        let name = order.into_iter().find(|name| Topology::is_a(&one.types, name));
        let sig = name.and_then(|name| self.rules.sig(CORE, name)).unwrap_or(self.relationship);
        let label = format!("{} of {}", one.name.text, topology.nodes[one.source].name.text);
        let atom = self.instance.atom(sig, label, place);
        let (source, target_atom) = (self.nodes[one.source], self.nodes[target]);
        self.tuple(self.relationship, atom, "source", Item::Atom(source), place);
        self.tuple(self.relationship, atom, "target", Item::Atom(target_atom), place);
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
                Value::Int(value) => Item::Int(*value),
                Value::Text(text) => Item::Text(text.clone()),
                Value::Unknown(_) if is_number(&field.key) => self.instance.unknown_int(),
                Value::Unknown(_) => self.instance.unknown_text(),
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
    key.ends_with("_instances") || key == "ip_version"
}

/// A quantity in whole base units, if it is known and one.
fn units(field: &Field) -> Option<i64> {
    match (&field.value.value, field.amount) {
        (Value::Int(value), _) => Some(*value),
        (_, Some(amount)) if amount.fract() == 0.0 && amount.abs() < 1e15 => Some(amount as i64),
        _ => None,
    }
}
