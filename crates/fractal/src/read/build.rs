//! From an element of a definition to what it says. What the document type demands is checked beside this; a part
//! without its name is left out.

use locus_source::Finding;
use locus_source::xml::Element;

use crate::report::Report;
use crate::rules;
use crate::syntax::{
    Attribute, Attributes, Binding, Component, Composing, Controller, Coordinates, Definition, Exported,
    Formal, Interface, Node, Text,
};
use crate::values::arguments;

/// A whole file.
pub(super) fn definition(root: Element<'_>, report: &Report) -> Option<Definition> {
    let mut body = component(root, 0)?;
    body.definition = None;
    let arguments = text(root, "arguments").map(|declared| formals(&declared, report)).unwrap_or_default();
    Some(Definition {
        arguments,
        extends: text(root, "extends"),
        body,
        document_type: root.document().document_type().map(Into::into),
    })
}

fn formals(declared: &Text, report: &Report) -> Vec<Formal> {
    let mut all: Vec<Formal> = Vec::new();
    for formal in arguments::declared(declared, report) {
        if let Some(first) = all.iter().find(|one| one.name.text == formal.name.text) {
            let message = format!("the argument `{}` is declared twice", formal.name.text);
            let finding = Finding::new(&rules::ARGUMENT_TWICE, formal.name.place, message);
            report.add(finding.also(first.name.place, "first here").help("remove one of the two"));
            continue;
        }
        all.push(formal);
    }
    all
}

/// An attribute of an element.
fn text(element: Element<'_>, name: &str) -> Option<Text> {
    let attribute = element.attribute(name)?;
    Some(Text::new(attribute.value(), attribute.place()))
}

/// An attribute that is a name.
fn filled(element: Element<'_>, name: &str) -> Option<Text> {
    text(element, name).filter(|text| !text.text.trim().is_empty())
}

fn component(element: Element<'_>, depth: usize) -> Option<Component> {
    let mut all = Component::new(filled(element, "name")?, element.place(), depth);
    all.definition = text(element, "definition");
    for child in element.children() {
        match child.name() {
            "interface" => all.interfaces.extend(interface(child)),
            "component" => all.components.extend(component(child, depth + 1)),
            "binding" => all.bindings.extend(binding(child)),
            "content" => all.content = all.content.or_else(|| filled(child, "class")),
            "attributes" if all.attributes.is_none() => all.attributes = Some(attributes(child)),
            "controller" if all.controller.is_none() => all.controller = Some(controller(child, depth)),
            "template-controller" => all.template = all.template.or_else(|| filled(child, "desc")),
            "logger" => all.logger = all.logger.or_else(|| filled(child, "name")),
            "virtual-node" => {
                let node =
                    || Some(Node { name: filled(child, "name")?, cardinality: text(child, "cardinality") });
                all.node = all.node.or_else(node);
            }
            "exportedVirtualNodes" => {
                all.exported.extend(child.named("exportedVirtualNode").filter_map(exported));
            }
            "coordinates" => all.coordinates.extend(coordinates(child)),
            _ => {}
        }
    }
    Some(all)
}

fn interface(element: Element<'_>) -> Option<Interface> {
    Some(Interface {
        name: filled(element, "name")?,
        place: element.place(),
        role: text(element, "role"),
        signature: text(element, "signature"),
        contingency: text(element, "contingency"),
        cardinality: text(element, "cardinality"),
        interceptors: text(element, "interceptors"),
    })
}

fn binding(element: Element<'_>) -> Option<Binding> {
    let (client, server) = (filled(element, "client")?, filled(element, "server")?);
    Some(Binding { client, server, place: element.place() })
}

fn attributes(element: Element<'_>) -> Attributes {
    let attribute = |one| Some(Attribute { name: filled(one, "name")?, value: text(one, "value")? });
    Attributes {
        signature: text(element, "signature"),
        place: element.place(),
        list: element.named("attribute").filter_map(attribute).collect(),
    }
}

fn controller(element: Element<'_>, depth: usize) -> Controller {
    Controller {
        desc: text(element, "desc"),
        place: element.place(),
        interfaces: element.named("interface").filter_map(interface).collect(),
        components: element.named("component").filter_map(|one| component(one, depth + 1)).collect(),
        bindings: element.named("binding").filter_map(binding).collect(),
    }
}

fn exported(element: Element<'_>) -> Option<Exported> {
    let composing = element.named("composedFrom").flat_map(|from| from.named("composingVirtualNode"));
    let one = |one| Some(Composing { component: filled(one, "component")?, name: filled(one, "name")? });
    Some(Exported { name: filled(element, "name")?, from: composing.filter_map(one).collect() })
}

fn coordinates(element: Element<'_>) -> Option<Coordinates> {
    let values = ["x0", "x1", "y0", "y1", "color"];
    Some(Coordinates {
        name: filled(element, "name")?,
        values: values.into_iter().filter_map(|name| Some((name, text(element, name)?))).collect(),
        inner: element.named("coordinates").filter_map(coordinates).collect(),
    })
}
