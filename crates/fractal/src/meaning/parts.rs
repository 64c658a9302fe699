//! The parts that rules see: kells, gates, bindings and the rest, each with the place that it is written at.

use std::sync::Arc;

use locus_meaning::{Meaning, PartId, Parts, Related, ThingId};
use locus_source::Place;
use rustc_hash::FxHashMap;

use super::ends::{End, Ends, GateId, controls};
use crate::assembly::{Assembly, Kell};
use crate::syntax::{Interface, Text};

/// So many interfaces whose names begin with those of collections are told of one component.
const MOST_OVERLAPS: usize = 1_000;

/// Says what rules see of a definition.
pub(super) fn parts(assembly: &Assembly, ends: &Ends, ids: &[ThingId], all: &mut Meaning<'_>) {
    let mut saying = Saying { assembly, ids, gates: FxHashMap::default(), parts: all.parts() };
    for at in 0..assembly.kells.len() {
        saying.gates(at);
    }
    for (at, kell) in assembly.kells.iter().enumerate() {
        saying.kell(at, kell);
        saying.bindings(at, ends);
        saying.interceptors(at);
    }
}

struct Saying<'s> {
    assembly: &'s Assembly,
    ids: &'s [ThingId],
    gates: FxHashMap<GateId, PartId>,
    parts: &'s mut Parts,
}

/// A text as rules have it.
fn text(text: &Text) -> Related {
    if text.open { Related::UnknownText } else { Related::Text(Arc::clone(&text.text)) }
}

impl Saying<'_> {
    fn put(&mut self, at: usize, field: &'static str, value: Related, place: Place) {
        self.parts.put(self.ids[at], "Kell", field, value, place);
    }

    fn gates(&mut self, at: usize) {
        let kell = &self.assembly.kells[at];
        for (of_controller, interfaces) in [(false, &*kell.says.interfaces), (true, controls(kell))] {
            for (number, interface) in interfaces.iter().enumerate() {
                let gate = self.gate(interface);
                self.gates.insert(GateId { kell: at, of_controller, number }, gate);
                let field = if of_controller { "controls" } else { "gates" };
                self.put(at, field, gate.into(), interface.place);
            }
        }
        self.overlaps(at, kell);
    }

    /// Says which interfaces have names that begin with that of a collection.
    fn overlaps(&mut self, at: usize, kell: &Kell) {
        let interfaces = &kell.says.interfaces;
        let mut named: Vec<(&str, usize)> = interfaces
            .iter()
            .enumerate()
            .filter_map(|(number, one)| Some((one.name.known()?, number)))
            .collect();
        // Names that begin with another follow it.
        named.sort_unstable();
        let mut said = 0;
        for (place, (start, number)) in named.iter().enumerate() {
            let cardinality = interfaces[*number].cardinality.as_ref();
            if !cardinality.is_some_and(|text| text.is("collection")) {
                continue;
            }
            let own = self.gates[&GateId { kell: at, of_controller: false, number: *number }];
            for (name, other) in named[place + 1..].iter().take_while(|(name, _)| name.starts_with(start)) {
                if name == start || said >= MOST_OVERLAPS {
                    continue;
                }
                said += 1;
                let begun = self.gates[&GateId { kell: at, of_controller: false, number: *other }];
                self.parts.put(own, "Gate", "begun_by", begun.into(), interfaces[*other].name.place);
            }
        }
    }

    fn gate(&mut self, interface: &Interface) -> PartId {
        let gate = self.parts.add("Gate", Arc::clone(&interface.name.text), interface.place);
        self.parts.put(gate, "Gate", "gid", text(&interface.name), interface.name.place);
        let fields = [
            ("role", &interface.role),
            ("signature", &interface.signature),
            ("contingency", &interface.contingency),
            ("cardinality", &interface.cardinality),
        ];
        for (field, given) in fields {
            if let Some(given) = given {
                self.parts.put(gate, "Gate", field, text(given), given.place);
            }
        }
        gate
    }

    fn kell(&mut self, at: usize, kell: &Kell) {
        let says = &kell.says;
        self.put(at, "kid", text(&says.name), says.name.place);
        self.put(at, "root", Related::Truth(at == 0), says.place);
        self.put(at, "known", Related::Truth(kell.is_known), says.place);
        for &inner in &kell.sc {
            self.put(at, "sc", self.ids[inner].into(), self.assembly.kells[inner].says.place);
        }
        for &inner in &kell.membrane {
            self.put(at, "membrane", self.ids[inner].into(), self.assembly.kells[inner].says.place);
        }
        if let Some(content) = &says.content {
            self.put(at, "content", text(content), content.place);
        }
        if let Some(desc) = says.controller.as_ref().and_then(|controller| controller.desc.as_ref()) {
            self.put(at, "controller", text(desc), desc.place);
        }
        if let Some(template) = &says.template {
            self.put(at, "template", text(template), template.place);
        }
        let place = says.attributes.as_ref().map_or(says.place, |attributes| attributes.place);
        self.put(at, "has_attributes", Related::Truth(says.attributes.is_some()), place);
        if let Some(attributes) = &says.attributes {
            if let Some(signature) = &attributes.signature {
                self.put(at, "attribute_signature", text(signature), signature.place);
            }
            for attribute in &attributes.list {
                let place = attribute.name.place;
                let part = self.parts.add("Attribute", Arc::clone(&attribute.name.text), place);
                self.parts.put(part, "Attribute", "key", text(&attribute.name), place);
                self.put(at, "attributes", part.into(), place);
            }
        }
        self.nodes(at, kell);
        for coordinates in &says.coordinates {
            let place = coordinates.name.place;
            let part = self.parts.add("Placed", Arc::clone(&coordinates.name.text), place);
            self.parts.put(part, "Placed", "placed_name", text(&coordinates.name), place);
            if let Some(stands) = self.named(at, &coordinates.name) {
                self.parts.put(part, "Placed", "stands", self.ids[stands].into(), place);
            }
            self.put(at, "placed", part.into(), place);
        }
    }

    fn nodes(&mut self, at: usize, kell: &Kell) {
        if let Some(node) = &kell.says.node {
            let place = node.name.place;
            let part = self.parts.add("VirtualNode", Arc::clone(&node.name.text), place);
            self.parts.put(part, "VirtualNode", "node_name", text(&node.name), place);
            if let Some(cardinality) = &node.cardinality {
                self.parts.put(part, "VirtualNode", "node_cardinality", text(cardinality), cardinality.place);
            }
            self.put(at, "node", part.into(), place);
        }
        for exported in &kell.says.exported {
            let place = exported.name.place;
            let part = self.parts.add("Exported", Arc::clone(&exported.name.text), place);
            self.parts.put(part, "Exported", "exported_name", text(&exported.name), place);
            for composing in &exported.from {
                let place = composing.component.place;
                let inner = self.parts.add("Composing", Arc::clone(&composing.name.text), place);
                self.parts.put(inner, "Composing", "component_name", text(&composing.component), place);
                self.parts.put(inner, "Composing", "part", text(&composing.name), composing.name.place);
                let of = if composing.component.is("this") {
                    Some(at)
                } else {
                    self.anywhere(at, &composing.component)
                };
                if let Some(of) = of {
                    self.parts.put(inner, "Composing", "of", self.ids[of].into(), place);
                }
                self.parts.put(part, "Exported", "composed", inner.into(), place);
            }
            self.put(at, "exported", part.into(), place);
        }
    }

    /// The component in another with this name.
    fn named(&self, at: usize, name: &Text) -> Option<usize> {
        let known = name.known()?;
        self.assembly.inside(at).find(|&inner| self.assembly.kells[inner].says.name.is(known))
    }

    /// The component in another with this name, at any depth; the nearest one.
    fn anywhere(&self, at: usize, name: &Text) -> Option<usize> {
        let known = name.known()?;
        let mut inside: Vec<usize> = self.assembly.inside(at).collect();
        let mut next = 0;
        while let Some(&one) = inside.get(next) {
            if self.assembly.kells[one].says.name.is(known) {
                return Some(one);
            }
            // What contains itself is met again.
            if inside.len() <= self.assembly.kells.len() {
                inside.extend(self.assembly.inside(one));
            }
            next += 1;
        }
        None
    }

    fn bindings(&mut self, at: usize, ends: &Ends) {
        for tie in &ends.ties[at] {
            let label = |end: &Option<End>| end.as_ref().map_or("?", |end| &end.written).to_owned();
            let label = format!("{} to {}", label(&tie.client), label(&tie.server));
            let binding = self.parts.add("Binding", label, tie.place);
            for (field, end) in [("client", &tie.client), ("server", &tie.server)] {
                if let Some(end) = end {
                    let part = self.end(end);
                    self.parts.put(binding, "Binding", field, part.into(), end.place);
                }
            }
            let field = if tie.of_controller { "control_bindings" } else { "bindings" };
            self.put(at, field, binding.into(), tie.place);
        }
    }

    fn end(&mut self, end: &End) -> PartId {
        let part = self.parts.add("End", Arc::clone(&end.written), end.place);
        let mut put =
            |field: &'static str, value: Related| self.parts.put(part, "End", field, value, end.place);
        put("written", Related::Text(Arc::clone(&end.written)));
        put("component", Related::Text(Arc::clone(&end.component)));
        put("gate", Related::Text(Arc::clone(&end.gate)));
        put("own", Related::Truth(end.is_this));
        put("control", Related::Truth(end.is_control));
        if let Some(kell) = end.kell {
            put("at", self.ids[kell].into());
        }
        if let Some(gate) = end.is {
            put("is", self.gates[&gate].into());
        }
        part
    }

    /// The interceptors of interfaces: `component.interface` with commas between, in the order of calls.
    fn interceptors(&mut self, at: usize) {
        for (number, interface) in self.assembly.kells[at].says.interfaces.iter().enumerate() {
            let Some(list) = &interface.interceptors else { continue };
            let Some(known) = list.known() else { continue };
            let gate = self.gates[&GateId { kell: at, of_controller: false, number }];
            let mut start = 0;
            for piece in known.split(',') {
                let place = list.part(start..start + piece.len());
                start += piece.len() + 1;
                let name = piece.trim();
                let component = name.split('.').next().unwrap_or(name);
                let part = self.parts.add("Interceptor", name, place);
                self.parts.put(part, "Interceptor", "interceptor", Related::Text(name.into()), place);
                let kells = &self.assembly.kells;
                let mut inner = kells[at].membrane.iter().copied();
                let stands = match component {
                    "this" => Some(at),
                    _ => inner.find(|&inner| kells[inner].says.name.is(component)),
                };
                if let Some(stands) = stands {
                    self.parts.put(part, "Interceptor", "stands_for", self.ids[stands].into(), place);
                }
                self.parts.put(gate, "Gate", "intercepted_by", part.into(), place);
            }
        }
    }
}
