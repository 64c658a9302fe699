//! Definitions: where they are found, how they are put together, and what a component is made of in the end.
//!
//! The order is that of the Fractal ADL: the components of a definition are merged with the definitions that they name,
//! then the definition with those that it extends. What stands in the component or definition itself wins. A definition
//! that is not found is not known, and neither is what it would have added.

mod find;
mod merge;

use std::sync::Arc;

use locus_source::{Finding, Limits, Loader, Place, SourceFile, Sources, words};
use rustc_hash::FxHashSet;

use self::find::{Files, Found};
pub(crate) use self::merge::merge;
use crate::report::Report;
use crate::rules;
use crate::syntax::{Component, Definition, Text};
use crate::values::arguments::{self, Values};
use crate::values::references::{Reference, is_path, references};

/// No assembly has more components, interfaces and bindings.
const MOST: usize = 50_000;

/// Definitions are not nested deeper, by whatever way.
const DEEPEST: usize = 100;

/// The surroundings in which definitions are found.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) loader: &'s dyn Loader,
    pub(crate) limits: &'s Limits,
    pub(crate) libraries: &'s [String],
    pub(crate) report: &'s Report,
}

/// A definition with all that it is made of.
pub(crate) struct Whole {
    /// The component, without references to definitions that are known.
    pub(crate) body: Component,
    /// Whether it is not made, because it is too large or goes in a circle.
    pub(crate) is_broken: bool,
    /// The files of other definitions.
    pub(crate) parts: Vec<Part>,
}

/// The file of another definition.
pub(crate) struct Part {
    pub(crate) source: Arc<SourceFile>,
    pub(crate) comments: Vec<locus_source::Span>,
}

/// Puts together what a definition is made of. `given` has values for its arguments.
pub(crate) fn whole(
    file: &SourceFile,
    definition: &Definition,
    given: &[(String, String)],
    surroundings: Surroundings<'_>,
) -> Whole {
    let mut assembling = Assembling {
        files: Files::new(file, &definition.body.name, surroundings),
        report: surroundings.report,
        stack: Vec::new(),
        size: 0,
        is_broken: false,
        said: FxHashSet::default(),
    };
    let values = Assembling::given(definition, given);
    let name = definition.body.name.text.clone();
    assembling.stack.push(name);
    let body = assembling.expand(definition, &values, definition.body.place);
    Whole { body, is_broken: assembling.is_broken, parts: assembling.files.into_parts() }
}

struct Assembling<'s> {
    files: Files<'s>,
    report: &'s Report,
    /// The names of the definitions that are being put together, each in the one before it.
    stack: Vec<Arc<str>>,
    /// How much there is so far.
    size: usize,
    is_broken: bool,
    /// The definitions that are not there and of which that was said.
    said: FxHashSet<(String, Place)>,
}

impl Assembling<'_> {
    /// The values of the arguments of the definition that was asked for.
    fn given(definition: &Definition, given: &[(String, String)]) -> Values {
        let one = |formal: &crate::syntax::Formal| {
            let value = given.iter().rev().find(|(name, _)| *name == *formal.name.text);
            let value = value.map(|(_, value)| value.as_str().into()).or_else(|| formal.default.clone());
            (Arc::clone(&formal.name.text), value)
        };
        definition.arguments.iter().map(one).collect()
    }

    /// The component of a definition, whose arguments have values.
    fn expand(&mut self, definition: &Definition, values: &Values, from: Place) -> Component {
        let mut definition = definition.clone();
        arguments::replace(&mut definition, values, self.report);
        let mut body = definition.body;
        self.size += body.size();
        if self.size > MOST {
            self.too_large(from);
            body.components.clear();
            return body;
        }
        self.inner(&mut body);
        if let Some(extends) = definition.extends {
            let above = self.named(&extends);
            merge(&mut body, above);
        }
        body
    }

    fn too_large(&mut self, place: Place) {
        if !self.is_broken {
            let message = "the definitions make more components, interfaces and bindings than are looked at";
            let finding = Finding::new(&rules::TOO_LARGE, place, message);
            self.report.add(finding.note(format!("the limit is {MOST}")).help("check its parts one by one"));
        }
        self.is_broken = true;
    }

    /// Replaces the definitions that the components in a component name.
    fn inner(&mut self, body: &mut Component) {
        body.components.iter_mut().for_each(|one| self.component(one));
        if let Some(controller) = &mut body.controller {
            controller.components.iter_mut().for_each(|one| self.component(one));
        }
    }

    fn component(&mut self, component: &mut Component) {
        self.inner(component);
        let is_shared = |text: &Text| text.known().is_some_and(is_path);
        if let Some(definition) = component.definition.take_if(|text| !is_shared(text)) {
            let above = self.named(&definition);
            merge(component, above);
        }
    }

    /// The component that a list of definitions makes: each overrides those before it.
    fn named(&mut self, list: &Text) -> Component {
        let mut all = Component::new(list.clone(), list.place, 0);
        let Some(text) = list.known() else {
            all.unknown.push(list.clone());
            return all;
        };
        let named = match references(text) {
            Ok(named) => named,
            Err((message, range)) => {
                let finding = Finding::new(&rules::REFERENCE, list.part(range), message);
                self.report.add(finding.help("write names with commas between them, such as `a.B,c.D(1)`"));
                all.unknown.push(list.clone());
                return all;
            }
        };
        for reference in named {
            let mut one = self.load(&reference, list);
            merge(&mut one, all);
            all = one;
        }
        all
    }

    fn load(&mut self, reference: &Reference<'_>, list: &Text) -> Component {
        let place = list.part(reference.range.clone());
        let name = Text::new(reference.name, place);
        let mut unknown = Component::new(name, place, 0);
        unknown.unknown.push(Text::new(reference.written, place));
        if let Some(at) = self.stack.iter().position(|one| **one == *reference.name) {
            let circle: Vec<String> =
                self.stack[at..].iter().map(|one| format!("`{}`", words::short(one))).collect();
            let message = format!("the definition `{}` is made of itself", words::short(reference.name));
            let finding = Finding::new(&rules::DEFINITION_CIRCLE, place, message);
            let finding = if circle.len() > 1 {
                finding.note(format!("by way of {}", circle[1..].join(", ")))
            } else {
                finding
            };
            self.report.add(finding.help("a component cannot contain one of the same definition"));
            self.is_broken = true;
            return unknown;
        }
        if self.stack.len() >= DEEPEST {
            self.too_large(place);
            return unknown;
        }
        let definition = match self.files.find(reference.name) {
            Found::Definition(definition) => definition,
            Found::Broken => return unknown,
            Found::Unreadable(why) => {
                let message =
                    format!("the definition `{}` cannot be read: {why}", words::short(reference.name));
                let finding = Finding::new(&rules::DEFINITION_MISSING, place, message);
                self.report.add(finding.help("let the file be a text that may be read"));
                return unknown;
            }
            Found::Nothing(guess) => {
                self.missing(reference.name, place, guess);
                return unknown;
            }
        };
        let values = self.values(&definition, reference, list);
        self.stack.push(reference.name.into());
        let mut body = self.expand(&definition, &values, place);
        self.stack.pop();
        body.name = Text::new(reference.name, place);
        body
    }

    /// Says that a definition is not there, once for each place.
    fn missing(&mut self, name: &str, place: Place, guess: Option<String>) {
        if !self.said.insert((name.to_owned(), place)) {
            return;
        }
        let message = match &guess {
            Some(_) => format!("there is no definition `{}`", words::short(name)),
            None => {
                format!("the definition `{}` is not here, so what it adds is not known", words::short(name))
            }
        };
        let rule = if guess.is_some() { &rules::DEFINITION_MISSING } else { &rules::DEFINITION_UNKNOWN };
        let finding = Finding::new(rule, place, message);
        self.report.add(match guess.filter(|guess| !guess.is_empty()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None if rule.code == rules::DEFINITION_MISSING.code => {
                finding.help("correct the name, or add the file")
            }
            None => finding.help("name the folder that has it by `--library`"),
        });
    }

    /// The values of the arguments of a definition, as a reference gives them.
    fn values(&self, definition: &Definition, reference: &Reference<'_>, list: &Text) -> Values {
        let formals = &definition.arguments;
        let mut values: Values =
            formals.iter().map(|formal| (Arc::clone(&formal.name.text), formal.default.clone())).collect();
        let mut given: Vec<&str> = Vec::new();
        for (at, value) in reference.values.iter().enumerate() {
            let place = list.part(value.range.clone());
            let formal = match value.name {
                Some(name) => formals.iter().find(|formal| *formal.name.text == *name),
                None => formals.get(at),
            };
            let Some(formal) = formal else {
                let shown = words::short(reference.name);
                let message = match value.name {
                    Some(name) => {
                        format!("the definition `{shown}` has no argument `{}`", words::short(name))
                    }
                    None => format!("the definition `{shown}` has {}", counted(formals.len(), "argument")),
                };
                let finding = Finding::new(&rules::ARGUMENT_UNKNOWN, place, message);
                let finding = finding.also(definition.body.name.place, "the definition");
                self.report.add(finding.help("remove the value, or declare the argument"));
                if value.name.is_none() {
                    break;
                }
                continue;
            };
            if given.contains(&&*formal.name.text) {
                let message = format!("the argument `{}` has two values", formal.name.text);
                let finding = Finding::new(&rules::ARGUMENT_TWICE, place, message);
                self.report.add(finding.help("remove one of them"));
                continue;
            }
            given.push(&formal.name.text);
            values.insert(Arc::clone(&formal.name.text), Some(value.text.into()));
        }
        for formal in formals.iter().filter(|one| one.default.is_none() && !given.contains(&&*one.name.text))
        {
            let shown = words::short(reference.name);
            let message = format!("the argument `{}` of `{shown}` has no value", formal.name.text);
            let finding = Finding::new(&rules::ARGUMENT_MISSING, list.part(reference.range.clone()), message);
            let finding = finding.also(formal.name.place, "it is declared here, without a default");
            self.report.add(finding.help(format!("write `{shown}({}=>…)`", formal.name.text)));
        }
        values
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        _ => format!("{count} {what}s"),
    }
}
