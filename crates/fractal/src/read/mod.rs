//! From XML to a definition: the structure that the document types of Fractal ADL demand.

mod build;
mod grammar;

use std::sync::Arc;

use locus_source::xml::{self, Element};
use locus_source::{Finding, Limits, SourceFile, Span, words};

use self::grammar::{Form, form};
use crate::report::Report;
use crate::rules;
use crate::syntax::Definition;

/// A file that was read.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The definition; none if the file is none.
    pub(crate) definition: Option<Arc<Definition>>,
    pub(crate) comments: Vec<Span>,
}

/// Reads a file.
pub(crate) fn read(file: &Arc<SourceFile>, limits: &Limits, report: &Report) -> Reading {
    let parsed = xml::parse(file, limits);
    parsed.findings.into_iter().for_each(|finding| report.add(finding));
    let definition = parsed.document.as_ref().and_then(|document| {
        let root = document.root();
        if root.name() != grammar::DEFINITION {
            let message = format!("the outermost element is `{}`", words::short(root.name()));
            let finding = Finding::new(&rules::NOT_A_DEFINITION, root.name_place(), message);
            report.add(finding.help("a file in the Fractal ADL is one element `definition`"));
            return None;
        }
        check(root, form(grammar::DEFINITION)?, report);
        build::definition(root, report).map(Arc::new)
    });
    Reading { definition, comments: parsed.comments }
}

/// Checks an element, and all that is in it, by its form.
fn check(element: Element<'_>, form: &'static Form, report: &Report) {
    let name = element.name();
    for attribute in element.attributes() {
        let given = attribute.name();
        if given == "xmlns" || given.starts_with("xmlns:") || given.starts_with("xml:") {
            continue;
        }
        let Some(slot) = form.attributes.iter().find(|slot| slot.name == given) else {
            let message = format!("`{name}` has no attribute `{}`", words::short(given));
            let finding = Finding::new(&rules::UNKNOWN_ATTRIBUTE, attribute.name_place(), message);
            let names = || form.attributes.iter().map(|slot| slot.name);
            let finding = finding.help(one_of("its attributes are", names()));
            report.add(words::did_you_mean_word(finding, given, names()));
            continue;
        };
        let value = attribute.value();
        if !slot.words.is_empty() && !slot.words.contains(&value) && !value.contains("${") {
            let message = format!("`{}` is no {given} of `{name}`", words::short(value));
            let finding = Finding::new(&rules::WORD, attribute.place(), message);
            report.add(finding.help(one_of("it is one of", slot.words.iter().copied())));
        }
        if slot.is_required && value.trim().is_empty() && given != "value" {
            let message = format!("the attribute `{given}` of `{name}` is empty");
            let finding = Finding::new(&rules::MISSING_ATTRIBUTE, attribute.place(), message);
            report.add(finding.help(format!("give it a `{given}`")));
        }
    }
    for slot in form.attributes.iter().filter(|slot| slot.is_required) {
        if element.attribute(slot.name).is_none() {
            let message = format!("`{name}` has no `{}`", slot.name);
            let finding = Finding::new(&rules::MISSING_ATTRIBUTE, element.place(), message);
            report.add(finding.help(format!("give it a `{}`", slot.name)));
        }
    }
    for text in element.texts() {
        let message = format!("a text stands in `{name}`, which contains only elements");
        report.add(Finding::new(&rules::TEXT, text.place(), message).help("remove it, or make it a comment"));
    }
    children(element, form, report);
}

fn children(element: Element<'_>, of: &'static Form, report: &Report) {
    let name = element.name();
    let mut furthest: Option<(usize, Element<'_>)> = None;
    let mut seen: Vec<Option<Element<'_>>> = vec![None; of.children.len()];
    for child in element.children() {
        let given = child.name();
        let Some(at) = of.children.iter().position(|one| one.name == given) else {
            let message = format!("`{}` does not stand in `{name}`", words::short(given));
            let finding = Finding::new(&rules::UNKNOWN_ELEMENT, child.name_place(), message);
            let names = || of.children.iter().map(|one| one.name);
            let finding = finding.help(if of.children.is_empty() {
                format!("`{name}` contains no elements")
            } else {
                one_of("it contains", names())
            });
            // Its end has the same name, so one word alone is not corrected.
            report.add(words::did_you_mean(finding, given, names()));
            continue;
        };
        if let Some(first) = seen[at].filter(|_| of.children[at].is_single) {
            let message = format!("`{given}` is in this `{name}` twice");
            let finding = Finding::new(&rules::ELEMENT_TWICE, child.place(), message);
            report.add(finding.also(first.place(), "first here").help("put the two together"));
        }
        seen[at].get_or_insert(child);
        match furthest {
            Some((before, other)) if at < before => {
                let message = format!("`{given}` stands after `{}`", other.name());
                let finding = Finding::new(&rules::ORDER, child.place(), message);
                let finding = finding.also(other.place(), format!("this `{}`", other.name()));
                report.add(finding.help(format!("move it before the first `{}`", other.name())));
            }
            Some((before, _)) if at == before => {}
            _ => furthest = Some((at, child)),
        }
        if let Some(form) = form(given) {
            check(child, form, report);
        }
    }
    if name == "exportedVirtualNode" && seen[0].is_none() || name == "composedFrom" && seen[0].is_none() {
        let message = format!("`{name}` does not say what it is composed from");
        let finding = Finding::new(&rules::MISSING_ELEMENT, element.place(), message);
        report.add(finding.help(format!("put a `{}` in it", of.children[0].name)));
    }
}

/// The words that an attribute may be, if it is one of those with a few.
pub(crate) fn words_of(element: &str, attribute: &str) -> &'static [&'static str] {
    let slots = form(element).map_or(&[][..], |form| form.attributes);
    slots.iter().find(|slot| slot.name == attribute).map_or(&[], |slot| slot.words)
}

/// A sentence that ends in a list of words.
pub(crate) fn one_of<'w>(start: &str, words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    format!("{start} {}", words.join(", "))
}
