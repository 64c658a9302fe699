//! Arguments of definitions: their declaration, and the texts in which `${name}` stands for one.

use std::borrow::Cow;
use std::sync::Arc;

use locus_source::{Finding, words};
use rustc_hash::FxHashMap;

use crate::report::Report;
use crate::rules;
use crate::syntax::{Component, Coordinates, Definition, Formal, Interface, Text};

/// The values of the arguments of a definition; none where nobody gave one.
pub(crate) type Values = FxHashMap<Arc<str>, Option<Arc<str>>>;

/// No text that arguments make is longer.
const LONGEST: usize = 1 << 16;

/// The arguments that a definition declares: `a`, or `a=1` with a default.
pub(crate) fn declared(list: &Text, report: &Report) -> Vec<Formal> {
    let mut all = Vec::new();
    let mut start = 0;
    for piece in list.text.split(',') {
        let (name, default) = match piece.split_once('=') {
            Some((name, default)) => (name, Some(default.trim())),
            None => (piece, None),
        };
        let at = start + (name.len() - name.trim_start().len());
        let name = name.trim();
        let place = list.part(at..at + name.len());
        start += piece.len() + 1;
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c));
        if is_name {
            all.push(Formal { name: Text::new(name, place), default: default.map(Into::into) });
        } else {
            let message = match name {
                "" => "the name of an argument is missing".to_owned(),
                _ => format!("`{}` is not a name of an argument", words::short(name)),
            };
            let finding = Finding::new(
                &rules::ARGUMENT_NAME,
                if name.is_empty() { list.place } else { place },
                message,
            );
            report.add(finding.help("write names with commas between them, such as `size,color=red`"));
        }
    }
    all
}

/// Replaces the arguments in all texts of a definition.
pub(crate) fn replace(definition: &mut Definition, values: &Values, report: &Report) {
    let mut replacing = Replacing { values, report };
    if let Some(extends) = &mut definition.extends {
        replacing.text(extends);
    }
    replacing.component(&mut definition.body);
}

struct Replacing<'r> {
    values: &'r Values,
    report: &'r Report,
}

impl Replacing<'_> {
    fn component(&mut self, component: &mut Component) {
        self.text(&mut component.name);
        let parts = [
            &mut component.definition,
            &mut component.content,
            &mut component.template,
            &mut component.logger,
        ];
        parts.into_iter().flatten().for_each(|text| self.text(text));
        component.interfaces.iter_mut().for_each(|one| self.interface(one));
        for exported in &mut component.exported {
            self.text(&mut exported.name);
            for composing in &mut exported.from {
                self.text(&mut composing.component);
                self.text(&mut composing.name);
            }
        }
        component.components.iter_mut().for_each(|one| self.component(one));
        for binding in &mut component.bindings {
            self.text(&mut binding.client);
            self.text(&mut binding.server);
        }
        if let Some(attributes) = &mut component.attributes {
            attributes.signature.iter_mut().for_each(|text| self.text(text));
            for attribute in &mut attributes.list {
                self.text(&mut attribute.name);
                self.text(&mut attribute.value);
            }
        }
        if let Some(controller) = &mut component.controller {
            controller.desc.iter_mut().for_each(|text| self.text(text));
            controller.interfaces.iter_mut().for_each(|one| self.interface(one));
            controller.components.iter_mut().for_each(|one| self.component(one));
            for binding in &mut controller.bindings {
                self.text(&mut binding.client);
                self.text(&mut binding.server);
            }
        }
        if let Some(node) = &mut component.node {
            self.text(&mut node.name);
            node.cardinality.iter_mut().for_each(|text| self.text(text));
        }
        component.coordinates.iter_mut().for_each(|one| self.coordinates(one));
    }

    fn interface(&mut self, interface: &mut Interface) {
        self.text(&mut interface.name);
        let parts = [
            &mut interface.role,
            &mut interface.signature,
            &mut interface.contingency,
            &mut interface.cardinality,
            &mut interface.interceptors,
        ];
        parts.into_iter().flatten().for_each(|text| self.text(text));
    }

    fn coordinates(&mut self, coordinates: &mut Coordinates) {
        self.text(&mut coordinates.name);
        coordinates.values.iter_mut().for_each(|(_, text)| self.text(text));
        coordinates.inner.iter_mut().for_each(|one| self.coordinates(one));
    }

    fn text(&mut self, text: &mut Text) {
        if !text.text.contains("${") {
            return;
        }
        let mut out = Cow::Borrowed("");
        let mut at = 0;
        while let Some(found) = text.text[at..].find("${") {
            let start = at + found;
            out += &text.text[at..start];
            let Some(length) = text.text[start..].find('}') else {
                let finding = Finding::new(
                    &rules::ARGUMENT_USE,
                    text.part(start..text.text.len()),
                    "`${` is not followed by a name and `}`",
                );
                self.report.add(finding.help("write `${name}`"));
                text.open = true;
                return;
            };
            let name = &text.text[start + 2..start + length];
            match self.values.get(name.trim()) {
                Some(Some(value)) => out += &**value,
                Some(None) => {
                    text.open = true;
                    self.report.open(text.part(start..start + length + 1), name.trim());
                    out += &text.text[start..=start + length];
                }
                None => {
                    text.open = true;
                    out += &text.text[start..=start + length];
                    let place = text.part(start..start + length + 1);
                    self.undeclared(name.trim(), place);
                }
            }
            if out.len() > LONGEST {
                let message = "the arguments make a text of more than 65,536 bytes";
                self.report.add(Finding::new(&rules::TOO_LARGE, text.place, message));
                text.open = true;
                return;
            }
            at = start + length + 1;
        }
        out += &text.text[at..];
        text.text = out.into();
    }

    fn undeclared(&self, name: &str, place: locus_source::Place) {
        let message = format!("the definition declares no argument `{}`", words::short(name));
        let finding = Finding::new(&rules::ARGUMENT_UNDECLARED, place, message);
        let mut known: Vec<&str> = self.values.keys().map(|name| &**name).collect();
        known.sort_unstable();
        self.report.add(match words::nearest(name, known.into_iter().map(|known| (known, known))) {
            Some(near) => finding.help(format!("did you mean `${{{near}}}`?")),
            None => finding.help(format!("declare it: `arguments=\"{}\"`", words::short(name))),
        });
    }
}
