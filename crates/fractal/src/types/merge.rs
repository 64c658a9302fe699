//! Merging: what a component has, over what its definitions have.
//!
//! Interfaces, components, attributes and coordinates with one name are one, and bindings with one client. Of each
//! single part and attribute, that of the component counts where it is given.

use rustc_hash::FxHashMap;

use crate::syntax::{
    Attribute, Attributes, Binding, Component, Controller, Coordinates, Exported, Interface, Text,
};

/// Merges a component over another, which stands for its definitions.
pub(crate) fn merge(over: &mut Component, below: Component) {
    over.unknown.extend(below.unknown);
    interfaces(&mut over.interfaces, below.interfaces);
    components(&mut over.components, below.components);
    bindings(&mut over.bindings, below.bindings);
    named(&mut over.exported, below.exported, |one: &Exported| one.name.text.to_string(), |_, _| {});
    named(&mut over.coordinates, below.coordinates, |one| one.name.text.to_string(), coordinates);
    if over.definition.is_none() && below.definition.is_some() {
        // A path starts at the definition that it is written in.
        over.definition = below.definition;
        over.depth = below.depth;
    }
    over.content = over.content.take().or(below.content);
    over.template = over.template.take().or(below.template);
    over.logger = over.logger.take().or(below.logger);
    over.node = over.node.take().or(below.node);
    over.attributes = match (over.attributes.take(), below.attributes) {
        (Some(mut over), Some(below)) => {
            attributes(&mut over, below);
            Some(over)
        }
        (over, below) => over.or(below),
    };
    over.controller = match (over.controller.take(), below.controller) {
        (Some(mut over), Some(below)) => {
            controller(&mut over, below);
            Some(over)
        }
        (over, below) => over.or(below),
    };
}

/// Merges lists by name: those of the definitions come first, in their order. Of several with one name in one list,
/// which is a mistake that is reported elsewhere, each stays.
fn named<T>(over: &mut Vec<T>, below: Vec<T>, key: impl Fn(&T) -> String, mut both: impl FnMut(&mut T, T)) {
    let mut own: Vec<Option<T>> = std::mem::take(over).into_iter().map(Some).collect();
    let mut first: FxHashMap<String, usize> = FxHashMap::default();
    for (at, one) in own.iter().flatten().enumerate() {
        first.entry(key(one)).or_insert(at);
    }
    for inherited in below {
        match first.get(&key(&inherited)).and_then(|&at| own[at].take()) {
            Some(mut one) => {
                both(&mut one, inherited);
                over.push(one);
            }
            None => over.push(inherited),
        }
    }
    over.extend(own.into_iter().flatten());
}

fn interfaces(over: &mut Vec<Interface>, below: Vec<Interface>) {
    named(
        over,
        below,
        |one| one.name.text.to_string(),
        |over: &mut Interface, below| {
            let pairs = [
                (&mut over.role, below.role),
                (&mut over.signature, below.signature),
                (&mut over.contingency, below.contingency),
                (&mut over.cardinality, below.cardinality),
                (&mut over.interceptors, below.interceptors),
            ];
            for (over, below) in pairs {
                either(over, below);
            }
        },
    );
}

fn either(over: &mut Option<Text>, below: Option<Text>) {
    *over = over.take().or(below);
}

fn components(over: &mut Vec<Component>, below: Vec<Component>) {
    named(over, below, |one| one.name.text.to_string(), merge);
}

fn bindings(over: &mut Vec<Binding>, below: Vec<Binding>) {
    named(over, below, |one| one.client.text.to_string(), |_, _| {});
}

fn attributes(over: &mut Attributes, below: Attributes) {
    either(&mut over.signature, below.signature);
    named(&mut over.list, below.list, |one: &Attribute| one.name.text.to_string(), |_, _| {});
}

fn controller(over: &mut Controller, below: Controller) {
    either(&mut over.desc, below.desc);
    interfaces(&mut over.interfaces, below.interfaces);
    components(&mut over.components, below.components);
    bindings(&mut over.bindings, below.bindings);
}

fn coordinates(over: &mut Coordinates, below: Coordinates) {
    for (name, value) in below.values {
        if !over.values.iter().any(|(known, _)| *known == name) {
            over.values.push((name, value));
        }
    }
    named(&mut over.inner, below.inner, |one| one.name.text.to_string(), coordinates);
}
