//! Checks of a file before rules look at it: states, patterns, actions that are done.

use locus_source::{Finding, SharedReport, words};

use crate::catalogue::Catalogue;
use crate::rules;
use crate::syntax::{Action, Category, Form, Invocation, Kind, Model, States, TypeUse};
use crate::values;

/// Checks the categories that a file defines, and the actions that it has done.
pub(crate) fn check(model: &Model, catalogue: &mut Catalogue<'_>, report: &SharedReport) {
    model.invocations.iter().for_each(|one| invocation(one, catalogue, report));
    let extension = &model.extension;
    for kind in &extension.kinds {
        if let Some(states) = &kind.states {
            lifecycle(kind, states, report);
        }
    }
    for one in &extension.types {
        pattern(&one.form, one.name.place, report);
    }
    let kinds = extension.kinds.iter().map(|one| &one.category);
    let all = kinds.chain(extension.mixins.iter().map(|one| &one.category));
    for definition in all.flat_map(|category| &category.attributes) {
        match &definition.ty {
            TypeUse::Given(form) => pattern(form, definition.name.place, report),
            // A type that is not found is said where it is named.
            TypeUse::Named(reference) => {
                catalogue.type_of(reference, 0);
            }
            TypeUse::Any => {}
        }
    }
}

/// An action is one that some extension defines, with its attributes. What is done to is in the address of the request.
fn invocation(done: &Invocation, catalogue: &Catalogue<'_>, report: &SharedReport) {
    let identity = &*done.action.text;
    let (scheme, term) = identity.split_once('#').unwrap_or((identity, ""));
    let all: Vec<&Category> = catalogue.defined_actions().collect();
    let same_scheme = || all.iter().filter(|one| one.scheme.text.strip_suffix('#') == Some(scheme));
    let Some(action) = same_scheme().find(|one| *one.term.text == *term) else {
        if same_scheme().next().is_some() {
            let message = format!("there is no action `{}`", words::short(identity));
            let finding = Finding::new(&rules::ACTION, done.action.place, message);
            let near = words::nearest(term, same_scheme().map(|one| (&*one.term.text, &*one.term.text)));
            report.add(match near {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding.help("name one of the actions of its kind"),
            });
        } else {
            let message =
                format!("the action `{}` is not here, so nothing is known of it", words::short(identity));
            let finding = Finding::new(&rules::EXTENSION_UNKNOWN, done.action.place, message);
            report.add(finding.help("name the folder with its extension by `--library`"));
        }
        return;
    };
    for given in &done.attributes {
        let name = &given.name.text;
        let Some(definition) = action.attributes.iter().find(|one| one.name.text == *name) else {
            let message =
                format!("the action `{}` has no attribute `{}`", action.term.text, words::short(name));
            let finding = Finding::new(&rules::ACTION, given.name.place, message);
            let names = action.attributes.iter().map(|one| &*one.name.text);
            report.add(words::did_you_mean(finding.help("remove it"), name, names));
            continue;
        };
        let TypeUse::Given(form) = &definition.ty else { continue };
        if let Some(problem) = values::problem(&given.value.content, form) {
            let shown = values::shown(&given.value.content).unwrap_or_else(|| "its value".to_owned());
            let message =
                format!("`{name}` is `{}`, which does not fit its type: {problem}", words::short(&shown));
            let finding = Finding::new(&rules::ACTION, given.value.place, message);
            report.add(finding.help("correct the value"));
        }
    }
}

fn pattern(form: &Form, place: locus_source::Place, report: &SharedReport) {
    let Form::Text(text) = form else { return };
    let Some(written) = &text.pattern else { return };
    if let Err(error) = values::pattern(written) {
        let why: String = error.to_string().chars().flat_map(char::escape_debug).take(120).collect();
        let message = format!("the pattern `{}` cannot be read: {why}", words::short(written));
        let finding = Finding::new(&rules::BAD_PATTERN, place, message);
        report.add(finding.help("correct the regular expression"));
    }
}

fn lifecycle(kind: &Kind, states: &States, report: &SharedReport) {
    let shown = words::short(&kind.category.term.text);
    let first: Vec<_> = states.all.iter().filter(|state| state.is_initial).collect();
    if first.len() != 1 {
        let message = match first.len() {
            0 => format!("no state of `{shown}` is the first"),
            count => format!("{count} states of `{shown}` are the first"),
        };
        let finding = Finding::new(&rules::STATES, states.place, message);
        report.add(finding.help("mark one state as `initial`"));
    }
    let term = |action: &Action| match action {
        Action::Defined(category) => category.term.text.to_string(),
        Action::Named(text) => text.text.rsplit('#').next().unwrap_or_default().to_owned(),
    };
    let known: Vec<String> = kind.actions.iter().map(term).collect();
    for (action, target) in states.all.iter().flat_map(|state| &state.leaving) {
        // The last step of the path: `@actions[term='start']`, or `@actions.2`.
        let step = action.text.rsplit("/@").next().unwrap_or_default();
        let named = step.split_once("='").and_then(|(_, rest)| rest.split('\'').next());
        let number = || step.strip_prefix("actions.").and_then(|rest| rest.parse::<usize>().ok());
        let is_there = match named {
            Some(name) => known.iter().any(|one| one.eq_ignore_ascii_case(name)),
            None => number().is_none_or(|number| number < known.len()),
        };
        // The action of another kind, from which this one derives.
        let is_elsewhere = !action.text.starts_with("//")
            || !action.text.contains(&format!("'{}'", kind.category.term.text));
        if !is_there && !is_elsewhere {
            let message = format!("`{shown}` has no such action");
            let finding = Finding::new(&rules::STATES, action.place, message);
            report.add(finding.help("name one of its actions"));
        }
        if target.is_some_and(|target| target >= states.all.len()) {
            let message = format!("a transition of `{shown}` leads to no state");
            let finding = Finding::new(&rules::STATES, action.place, message);
            report.add(finding.help("name one of the states"));
        }
    }
}
