//! Definitions written back: what a definition means, as one file of the Fractal ADL.
//!
//! Everything stands in the order of the document type. Definitions that were found are merged in; those that are not
//! known stay named, and so do arguments without a value. A component that is shared is written where it stands first,
//! and as a path everywhere else.

use std::fmt::Write as _;

use locus_source::xml::escaped;
use rustc_hash::FxHashSet;

use crate::assembly::Assembly;
use crate::syntax::{Binding, Component, Coordinates, Formal, Interface, Text};

const STANDARD: &str = "classpath://org/objectweb/fractal/adl/xml/standard.dtd";

/// Writes all of a definition.
pub(crate) fn write(assembly: &Assembly, arguments: &[Formal], document_type: Option<&str>) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let identifier = escaped(document_type.unwrap_or(STANDARD));
    let _ = writeln!(
        out,
        "<!DOCTYPE definition PUBLIC \"-//objectweb.org//DTD Fractal ADL 2.0//EN\"\n  \"{identifier}\">\n"
    );
    let mut writing = Writing { assembly, out, written: FxHashSet::default() };
    let root = &assembly.kells[0];
    let formal = |one: &Formal| match &one.default {
        Some(default) => format!("{}={default}", one.name.text),
        None => one.name.text.to_string(),
    };
    let arguments = arguments.iter().map(formal).collect::<Vec<_>>().join(",");
    let tag = [
        ("name", root.says.name.text.to_string()),
        ("arguments", arguments),
        ("extends", unknown(&root.says)),
    ];
    writing.component(0, "definition", &tag, 0);
    writing.out
}

/// The definitions of a component that are not known.
fn unknown(says: &Component) -> String {
    // Of two that are put together, the later one comes first.
    let names: Vec<&str> = says.unknown.iter().rev().map(|text| &*text.text).collect();
    names.join(",")
}

struct Writing<'a> {
    assembly: &'a Assembly,
    out: String,
    written: FxHashSet<usize>,
}

impl Writing<'_> {
    /// A tag with those attributes that are not empty.
    fn open(&mut self, depth: usize, name: &str, attributes: &[(&str, String)], is_empty: bool) {
        let _ = write!(self.out, "{}<{name}", "  ".repeat(depth));
        for (key, value) in attributes {
            if !value.is_empty() || *key == "value" {
                let _ = write!(self.out, " {key}=\"{}\"", escaped(value));
            }
        }
        self.out.push_str(if is_empty { "/>\n" } else { ">\n" });
    }

    fn close(&mut self, depth: usize, name: &str) {
        let _ = writeln!(self.out, "{}</{name}>", "  ".repeat(depth));
    }

    fn component(&mut self, at: usize, name: &str, tag: &[(&str, String)], depth: usize) {
        self.written.insert(at);
        let kell = &self.assembly.kells[at];
        let start = self.out.len();
        self.open(depth, name, tag, false);
        let body = self.out.len();
        let says = &kell.says;
        says.interfaces.iter().for_each(|one| self.interface(one, depth + 1));
        self.exported(says, depth + 1);
        kell.sc.iter().for_each(|&inner| self.inner(inner, depth + 1));
        says.bindings.iter().for_each(|one| self.binding(one, depth + 1));
        if let Some(content) = &says.content {
            self.open(depth + 1, "content", &[("class", content.text.to_string())], true);
        }
        self.attributes(says, depth + 1);
        self.controller(at, depth + 1);
        if let Some(template) = &says.template {
            self.open(depth + 1, "template-controller", &[("desc", template.text.to_string())], true);
        }
        if let Some(logger) = &says.logger {
            self.open(depth + 1, "logger", &[("name", logger.text.to_string())], true);
        }
        if let Some(node) = &says.node {
            let attributes =
                [("name", node.name.text.to_string()), ("cardinality", given(node.cardinality.as_ref()))];
            self.open(depth + 1, "virtual-node", &attributes, true);
        }
        says.coordinates.iter().for_each(|one| self.coordinates(one, depth + 1));
        if self.out.len() == body {
            self.out.truncate(start);
            self.open(depth, name, tag, true);
        } else {
            self.close(depth, name);
        }
    }

    /// A component in another: all of it, or the path to it.
    fn inner(&mut self, at: usize, depth: usize) {
        let kell = &self.assembly.kells[at];
        let name = ("name", kell.says.name.text.to_string());
        if kell.is_shared && self.written.contains(&at) {
            let path =
                if kell.path.contains('/') { kell.path.to_string() } else { format!("./{}", kell.path) };
            self.open(depth, "component", &[name, ("definition", path)], true);
            return;
        }
        let lost = kell.says.definition.as_ref().map(|path| path.text.to_string());
        let definition = lost.unwrap_or_else(|| unknown(&kell.says));
        self.component(at, "component", &[name, ("definition", definition)], depth);
    }

    fn interface(&mut self, one: &Interface, depth: usize) {
        let attributes = [
            ("name", one.name.text.to_string()),
            ("role", given(one.role.as_ref())),
            ("signature", given(one.signature.as_ref())),
            ("contingency", given(one.contingency.as_ref())),
            ("cardinality", given(one.cardinality.as_ref())),
            ("interceptors", given(one.interceptors.as_ref())),
        ];
        self.open(depth, "interface", &attributes, true);
    }

    fn binding(&mut self, one: &Binding, depth: usize) {
        let attributes = [("client", one.client.text.to_string()), ("server", one.server.text.to_string())];
        self.open(depth, "binding", &attributes, true);
    }

    fn exported(&mut self, says: &Component, depth: usize) {
        if says.exported.is_empty() {
            return;
        }
        self.open(depth, "exportedVirtualNodes", &[], false);
        for one in &says.exported {
            self.open(depth + 1, "exportedVirtualNode", &[("name", one.name.text.to_string())], false);
            for composing in &one.from {
                self.open(depth + 2, "composedFrom", &[], false);
                let attributes = [
                    ("component", composing.component.text.to_string()),
                    ("name", composing.name.text.to_string()),
                ];
                self.open(depth + 3, "composingVirtualNode", &attributes, true);
                self.close(depth + 2, "composedFrom");
            }
            self.close(depth + 1, "exportedVirtualNode");
        }
        self.close(depth, "exportedVirtualNodes");
    }

    fn attributes(&mut self, says: &Component, depth: usize) {
        let Some(attributes) = &says.attributes else { return };
        let signature = [("signature", given(attributes.signature.as_ref()))];
        self.open(depth, "attributes", &signature, attributes.list.is_empty());
        for one in &attributes.list {
            let pair = [("name", one.name.text.to_string()), ("value", one.value.text.to_string())];
            self.open(depth + 1, "attribute", &pair, true);
        }
        if !attributes.list.is_empty() {
            self.close(depth, "attributes");
        }
    }

    fn controller(&mut self, at: usize, depth: usize) {
        let kell = &self.assembly.kells[at];
        let Some(controller) = &kell.says.controller else { return };
        let desc = [("desc", given(controller.desc.as_ref()))];
        let is_empty =
            controller.interfaces.is_empty() && kell.membrane.is_empty() && controller.bindings.is_empty();
        self.open(depth, "controller", &desc, is_empty);
        if is_empty {
            return;
        }
        controller.interfaces.iter().for_each(|one| self.interface(one, depth + 1));
        kell.membrane.iter().for_each(|&inner| self.inner(inner, depth + 1));
        controller.bindings.iter().for_each(|one| self.binding(one, depth + 1));
        self.close(depth, "controller");
    }

    fn coordinates(&mut self, one: &Coordinates, depth: usize) {
        let mut attributes = vec![("name", one.name.text.to_string())];
        attributes.extend(one.values.iter().map(|(key, text)| (*key, text.text.to_string())));
        self.open(depth, "coordinates", &attributes, one.inner.is_empty());
        one.inner.iter().for_each(|inner| self.coordinates(inner, depth + 1));
        if !one.inner.is_empty() {
            self.close(depth, "coordinates");
        }
    }
}

fn given(text: Option<&Text>) -> String {
    text.map(|text| text.text.to_string()).unwrap_or_default()
}
