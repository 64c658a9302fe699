//! The meaning of a definition, after section 3 of the report: each component is a location, which is held by the ones
//! that it is in; bindings are roles between them.
//!
//! Out of scope: the order in which components are started, which is in [`order`], and what rules see beside the
//! locations, which is in [`parts`].

mod ends;
mod order;
mod parts;

use std::borrow::Cow;
use std::sync::Arc;

use locus_meaning::{Attribute, Element, Enclosure, Key, Link, Meaning, Offer, OnChange, Process, ThingId};
use locus_schema::{Content, Datum, Field, Nature, Reason, Why};

use self::ends::Ends;
use crate::assembly::{Assembly, Kell};
use crate::syntax::{Interface, Text};

/// The phases of a component.
const PHASES: [&str; 2] = ["created", "started"];

/// The meaning of a definition. Nothing if it is broken.
pub(crate) fn meaning(assembly: &Assembly) -> Meaning<'static> {
    let ends = Ends::new(assembly);
    let mut all = Meaning::new();
    let ids: Vec<ThingId> = assembly.kells.iter().map(|kell| all.add(element(kell))).collect();
    boxes(assembly, &ids, &mut all);
    for (at, kell) in assembly.kells.iter().enumerate() {
        for inner in assembly.inside(at) {
            let mut link = Link::new(ids[inner], "contains", assembly.kells[inner].says.place);
            link.role = Some(format!("{} in {}", assembly.kells[inner].path, kell.path).into());
            all.element_mut(ids[at]).links.push(link);
        }
        for tie in &ends.ties[at] {
            let (Some(client), Some(server)) = (&tie.client, &tie.server) else { continue };
            let (Some(from), Some(to)) = (client.kell, server.kell) else { continue };
            let mut link = Link::new(ids[to], Arc::clone(&client.gate), tie.place);
            let (from_path, to_path) = (&assembly.kells[from].path, &assembly.kells[to].path);
            link.role = Some(format!("{}.{} of {from_path}.{}", to_path, server.gate, client.gate).into());
            all.element_mut(ids[from]).links.push(link);
        }
    }
    if let Some(root) = assembly.kells.first() {
        let servers = root.says.interfaces.iter().filter(|one| is_role(one, "server"));
        let offer = |one: &Interface| Offer {
            role: Arc::clone(&one.name.text),
            attributes: one.signature.iter().map(|text| field("signature", text)).collect(),
            place: one.place,
        };
        all.element_mut(ids[0]).offers.extend(servers.map(offer));
    }
    order::needs(assembly, &ends, &ids, &mut all);
    parts::parts(assembly, &ends, &ids, &mut all);
    all.finish()
}

/// Whether an interface has a role.
fn is_role(interface: &Interface, role: &str) -> bool {
    interface.role.as_ref().is_some_and(|text| text.is(role))
}

/// The sort of a component, in a word: the controller that it names, or what is in it.
pub(crate) fn sort(kell: &Kell) -> Arc<str> {
    let says = &kell.says;
    let named = says.controller.as_ref().and_then(|one| one.desc.as_ref()).and_then(Text::known);
    match named {
        Some("primitive") => "primitive".into(),
        Some("composite") => "composite".into(),
        _ if !kell.sc.is_empty() => "composite".into(),
        _ if says.content.is_some() => "primitive".into(),
        _ if !kell.is_known => "unknown".into(),
        _ => "component".into(),
    }
}

fn element(kell: &Kell) -> Element<'static> {
    let path = Arc::clone(&kell.path);
    let mut element = Element::new(Key::name(Arc::clone(&path)), path, sort(kell), kell.says.name.place);
    element.label = Arc::clone(&kell.says.name.text);
    element.place = kell.says.place;
    element.signature = Some("Kell");
    let says = &kell.says;
    let mut fields: Vec<Field> = says.content.iter().map(|text| field("class", text)).collect();
    fields.extend(says.node.iter().map(|node| field("virtual-node", &node.name)));
    if let Some(attributes) = &says.attributes {
        fields.extend(attributes.list.iter().map(|one| field(&one.name.text, &one.value)));
    }
    let attribute = |field: &Field| Attribute {
        name: Arc::clone(&field.key),
        value: field.value.clone(),
        on_change: if &*field.key == "class" { OnChange::Replace } else { OnChange::InPlace },
        place: field.place,
    };
    element.process = Some(Box::new(Process {
        phases: PHASES.map(Into::into).to_vec(),
        attributes: fields.iter().map(attribute).collect(),
        ..Process::default()
    }));
    element.properties = Cow::Owned(fields);
    element
}

/// A text has an argument without a value in it.
const ARGUMENT: Reason =
    Reason { id: "argument", clause: "the argument `{}` has no value", nature: Nature::Open };

/// The name of the first argument in a text.
pub(crate) fn argument(text: &Text) -> &str {
    let (_, rest) = text.text.split_once("${").unwrap_or(("", &text.text));
    rest.split('}').next().unwrap_or(rest)
}

fn field(key: &str, text: &Text) -> Field {
    let value = match text.known() {
        Some(known) => Datum::new(Content::str(known), text.place),
        None => Datum::unknown(Why::of(&ARGUMENT, argument(text)), text.place),
    };
    Field { key: key.into(), place: text.place, value }
}

/// Boxes in boxes: that of a composite has it and all that is in it. What is shared is in the box around all that
/// share it.
fn boxes(assembly: &Assembly, ids: &[ThingId], all: &mut Meaning<'_>) {
    let kells = &assembly.kells;
    let mut boxed = vec![None; kells.len()];
    for (at, kell) in kells.iter().enumerate() {
        if !kell.sc.is_empty() || !kell.membrane.is_empty() {
            let enclosure =
                Enclosure { name: Arc::clone(&kell.path), place: Some(kell.says.place), within: None };
            boxed[at] = Some(all.enclose(enclosure));
        }
    }
    let sharers = assembly.sharers();
    for (at, kell) in kells.iter().enumerate() {
        let around = match &sharers[at][..] {
            [_, _, ..] => assembly.around_all(&sharers[at]),
            _ => kell.parent,
        };
        let outer = around.and_then(|one| boxed[one]);
        match (boxed[at], outer) {
            (Some(inner), Some(outer)) if at != around.unwrap_or(at) => all.nest(inner, outer),
            _ => {}
        }
        all.element_mut(ids[at]).within = boxed[at].or(outer);
    }
}
