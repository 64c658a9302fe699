//! The forms of the texts of a component once arguments have values and definitions are merged, which
//! a document type cannot see to.

use locus_source::{Finding, words};

use crate::assembly::{Assembly, Kell};
use crate::read::{one_of, words_of};
use crate::report::Report;
use crate::rules;
use crate::syntax::{Binding, Interface};
use crate::values::ends;

/// Checks all components.
pub(crate) fn check(assembly: &Assembly, report: &Report) {
    for kell in &assembly.kells {
        let controller = kell.says.controller.as_ref();
        let bindings = kell.says.bindings.iter().chain(controller.iter().flat_map(|one| &one.bindings));
        bindings.for_each(|binding| binding_ends(binding, report));
        let gates = kell.says.interfaces.iter().chain(controller.iter().flat_map(|one| &one.interfaces));
        gates.for_each(|gate| gate_words(gate, report));
        empty_controller(kell, report);
    }
}

fn binding_ends(binding: &Binding, report: &Report) {
    for (which, text) in [("client", &binding.client), ("server", &binding.server)] {
        let Some(known) = text.known() else { continue };
        if which == "server" && ends::is_remote(known) {
            continue;
        }
        if ends::end(text).is_none() || ends::is_remote(known) {
            let message = format!("`{}` is no {which} of a binding", words::short(known));
            let finding = Finding::new(&rules::BINDING_END, text.place, message);
            report.add(
                finding.help("write the name of a component, or `this`, then `.`, and that of an interface"),
            );
        }
    }
}

/// Checks words that arguments made: the others were checked where they are written.
fn gate_words(gate: &Interface, report: &Report) {
    let texts =
        [("role", &gate.role), ("contingency", &gate.contingency), ("cardinality", &gate.cardinality)];
    for (name, text) in texts {
        let Some(text) = text else { continue };
        let Some(known) = text.known() else { continue };
        let words = words_of("interface", name);
        if text.place.span.len() != known.len() && !words.contains(&known) {
            let message = format!("`{}` is no {name} of `interface`", words::short(known));
            let finding = Finding::new(&rules::WORD, text.place, message);
            report.add(finding.help(one_of("it is one of", words.iter().copied())));
        }
    }
}

fn empty_controller(kell: &Kell, report: &Report) {
    let Some(controller) = kell.says.controller.as_ref().filter(|_| kell.is_known) else { return };
    if controller.desc.is_none() && controller.interfaces.is_empty() && kell.membrane.is_empty() {
        let message = format!("the controller of `{}` says nothing", words::short(&kell.says.name.text));
        let finding = Finding::new(&rules::CONTROLLER_EMPTY, controller.place, message);
        report.add(finding.help("write `desc=\"primitive\"` or `desc=\"composite\"`, or remove it"));
    }
}
