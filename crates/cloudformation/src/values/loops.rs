//! `Fn::ForEach`: what is written once for each item of a collection.

use std::sync::Arc;

use locus_schema::{Content, Field};
use locus_source::{Node, Place};

use super::{Evaluator, function_of};
use crate::rules::{EXTENSION, LOOP};

/// So many items of a collection are looked at; CloudFormation allows fewer resources than that.
const MOST_ITEMS: usize = 1_000;

/// A loop may be in a loop, this deep.
const DEEPEST: usize = 5;

/// Whether a key is one of a loop.
pub(crate) fn is_loop(key: &str) -> bool {
    key.starts_with("Fn::ForEach::")
}

/// A loop: its variable, the items, and what is repeated.
pub(crate) struct Loop<'t> {
    pub(crate) variable: Arc<str>,
    pub(crate) items: Vec<Arc<str>>,
    pub(crate) body: Node<'t>,
}

impl<'t> Evaluator<'_, 't> {
    /// A loop; nothing if it is wrong, or if its collection is not known.
    pub(crate) fn loop_of(&mut self, key: Node<'t>, value: Node<'t>) -> Option<Loop<'t>> {
        if !self.scope.has_extensions {
            let message = format!("`{}` needs the transform `AWS::LanguageExtensions`", key.raw());
            self.say(&EXTENSION, key.place(), message);
        }
        let mut parts = value.items();
        let (Some(variable), Some(collection), Some(body), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            self.say(
                &LOOP,
                key.place(),
                "a loop has three parts: a variable, a collection, and what is repeated",
            );
            return None;
        };
        let Some(name) = variable.as_str().filter(|_| body.is_mapping() && function_of(body).is_none())
        else {
            self.say(&LOOP, key.place(), "a loop has the name of a variable, and repeats a map");
            return None;
        };
        if self.loops.len() >= DEEPEST {
            self.say(&LOOP, key.place(), format!("loops are in each other more than {DEEPEST} deep"));
            return None;
        }
        let items = self.value(collection);
        let Content::List(all) = &items.value else {
            if !matches!(items.value, Content::Unknown(_)) {
                self.say(&LOOP, collection.use_place(), "the collection of a loop is a list of texts");
            }
            return None;
        };
        if all.len() > MOST_ITEMS {
            let message =
                format!("the collection of a loop has {} items; Locus looks at {MOST_ITEMS}", all.len());
            self.say(&LOOP, collection.use_place(), message);
            return None;
        }
        let items: Option<Vec<Arc<str>>> = all.iter().map(|item| item.value.to_text()).collect();
        Some(Loop { variable: name.into(), items: items?, body })
    }

    /// The fields that a loop within a map makes; nothing if they are not known.
    pub(super) fn repeated(&mut self, key: Node<'t>, value: Node<'t>) -> Option<Vec<Field>> {
        let found = self.loop_of(key, value)?;
        let mut fields = Vec::new();
        for item in found.items {
            self.loops.push((Arc::clone(&found.variable), item));
            let made = self.value(found.body);
            self.loops.pop();
            let Content::Map(more) = &made.value else { return None };
            fields.extend(more.iter().cloned());
        }
        Some(fields)
    }

    /// A text with the variables of the loops around it replaced: `${Name}`, and `&{Name}` without what is no letter
    /// and no digit.
    pub(crate) fn in_loops(&self, text: &str) -> Arc<str> {
        replaced(text, &self.loops)
    }
}

/// The same of variables that are given.
pub(crate) fn replaced(text: &str, loops: &[(Arc<str>, Arc<str>)]) -> Arc<str> {
    if loops.is_empty() || !text.contains('{') {
        return text.into();
    }
    let mut text = text.to_owned();
    for (name, value) in loops.iter().rev() {
        text = text.replace(&format!("${{{name}}}"), value);
        let plain: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
        text = text.replace(&format!("&{{{name}}}"), &plain);
    }
    text.into()
}

/// Something that is defined, perhaps in loops: its name, where that is written, what defines it, and the variables.
pub(crate) struct Defined<'t> {
    pub(crate) name: Arc<str>,
    pub(crate) place: Place,
    pub(crate) node: Node<'t>,
    pub(crate) loops: Vec<(Arc<str>, Arc<str>)>,
}

/// All that a section defines, loops unrolled, and whether that is all there is.
pub(crate) fn defined<'t>(evaluator: &mut Evaluator<'_, 't>, section: Node<'t>) -> (Vec<Defined<'t>>, bool) {
    let (mut all, mut complete) = (Vec::new(), true);
    add(evaluator, section, &mut all, &mut complete);
    (all, complete)
}

/// So many things are made of one section.
const MOST_DEFINED: usize = 20_000;

fn add<'t>(
    evaluator: &mut Evaluator<'_, 't>,
    section: Node<'t>,
    all: &mut Vec<Defined<'t>>,
    complete: &mut bool,
) {
    for entry in section.entries() {
        let key = entry.key.raw();
        if all.len() >= MOST_DEFINED {
            *complete = false;
            return;
        }
        if is_loop(key) {
            let Some(found) = evaluator.loop_of(entry.key, entry.value) else {
                *complete = false;
                continue;
            };
            for item in found.items {
                evaluator.loops.push((Arc::clone(&found.variable), item));
                add(evaluator, found.body, all, complete);
                evaluator.loops.pop();
            }
        } else if key == "Fn::Transform" {
            *complete = false;
        } else {
            all.push(Defined {
                name: evaluator.in_loops(key),
                place: entry.key.place(),
                node: entry.value,
                loops: evaluator.loops.clone(),
            });
        }
    }
}
