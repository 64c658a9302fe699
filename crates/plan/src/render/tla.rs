//! A plan as a TLA+ specification: its behaviours are the interleavings, and correctness is an invariant.
//!
//! A state is the set of steps that were done. What is deployed follows from it, so there are as many states as
//! configurations on the way.

use std::fmt::Write;

use locus_aeolus::{Action, Configuration, Universe};

use super::words;
use crate::problem::Plan;

fn text(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r', '\t'], " "))
}

pub(super) fn set(items: impl IntoIterator<Item = String>) -> String {
    format!("{{{}}}", items.into_iter().collect::<Vec<_>>().join(", "))
}

pub(super) fn tuple(items: impl IntoIterator<Item = String>) -> String {
    let items = items.into_iter().collect::<Vec<_>>().join(", ");
    if items.is_empty() { "<<>>".to_owned() } else { format!("<<{items}>>") }
}

/// The specification, as a module with this name, which must be an identifier. Check it with the invariant `Correct`.
pub fn tla(universe: &Universe, start: &Configuration, plan: &Plan, module: &str) -> String {
    let mut out = format!("---- MODULE {module} ----\n");
    out.push_str("\\* Written by locus plan. A behaviour is an interleaving of the steps of the plan.\n");
    out.push_str("EXTENDS Naturals, FiniteSets, Sequences\n\nVARIABLE done\n\n");
    let steps = plan.steps.len();
    let _ = writeln!(out, "Steps == 1..{steps}\n");
    let after = plan.steps.iter().map(|step| set(step.after.iter().map(|before| (before + 1).to_string())));
    let _ = writeln!(out, "After == {}\n", tuple(after));
    for (index, step) in plan.steps.iter().enumerate() {
        let (verb, rest) = words::step(universe, plan, step);
        let _ = writeln!(out, "\\* {}. {verb} {}", index + 1, rest.replace(['\n', '\r'], " "));
    }
    let _ = writeln!(out, "\nComponents == 1..{}\n", plan.components.len());
    lives(&mut out, universe, start, plan);
    bindings(&mut out, start, plan);
    ports(&mut out, universe, plan);
    out.push_str(RULES);
    out.push_str(CORRECT);
    out.push_str("====\n");
    out
}

/// For each component the steps that change it, with the state that it is in afterwards. Step 0 is the start.
pub(super) fn lives(out: &mut String, universe: &Universe, start: &Configuration, plan: &Plan) {
    let mut lives: Vec<Vec<String>> = vec![Vec::new(); plan.components.len()];
    let name = |id: locus_aeolus::ComponentId, state| {
        let kind = universe.kind(plan.components[id.index()].kind);
        text(&format!("{}@{}", kind.name, kind.state(state).name))
    };
    for (&id, component) in &start.components {
        lives[id.index()].push(format!("<<0, {}>>", name(id, component.state)));
    }
    for (index, step) in plan.steps.iter().enumerate() {
        let number = index + 1;
        match &step.action {
            Action::New(id, kind) => {
                lives[id.index()].push(format!("<<{number}, {}>>", name(*id, universe.kind(*kind).initial)));
            }
            Action::Change(changes) => {
                for change in changes {
                    let to = name(change.component, change.to);
                    lives[change.component.index()].push(format!("<<{number}, {to}>>"));
                }
            }
            Action::Delete(id) => lives[id.index()].push(format!("<<{number}, \"\">>")),
            Action::Bind(_) | Action::Unbind(_) => {}
        }
    }
    let _ = writeln!(out, "Lives == {}\n", tuple(lives.into_iter().map(tuple)));
}

/// For each binding the steps that make it and take it away.
pub(super) fn bindings(out: &mut String, start: &Configuration, plan: &Plan) {
    let mut known: std::collections::BTreeMap<locus_aeolus::Binding, Vec<String>> =
        std::collections::BTreeMap::new();
    for binding in &start.bindings {
        known.entry(*binding).or_default().push("<<0, TRUE>>".to_owned());
    }
    for (index, step) in plan.steps.iter().enumerate() {
        let (binding, made) = match &step.action {
            Action::Bind(binding) => (binding, "TRUE"),
            Action::Unbind(binding) => (binding, "FALSE"),
            _ => continue,
        };
        known.entry(*binding).or_default().push(format!("<<{}, {made}>>", index + 1));
    }
    let all = known.into_iter().map(|(binding, made)| {
        let (requirer, provider) = (binding.requirer.0 + 1, binding.provider.0 + 1);
        format!("<<{}, {requirer}, {provider}, {}>>", binding.port.0 + 1, tuple(made))
    });
    let _ =
        writeln!(out, "\\* Port, requirer, provider, and the steps that make the binding and take it away.");
    let _ = writeln!(out, "Bindings == {}\n", set(all));
}

/// The ports that each state provides and requires, with the numbers; 0 for any capacity, and for a conflict.
pub(super) fn ports(out: &mut String, universe: &Universe, plan: &Plan) {
    let (mut provides, mut requires) = (Vec::new(), Vec::new());
    let used: std::collections::BTreeSet<_> =
        plan.components.iter().map(|component| component.kind).collect();
    for kind in used {
        let kind = universe.kind(kind);
        for state in &kind.states {
            let name = text(&format!("{}@{}", kind.name, state.name));
            provides.extend(state.provides.iter().map(|provision| {
                format!("<<{name}, {}, {}>>", provision.port.0 + 1, provision.capacity.unwrap_or(0))
            }));
            requires.extend(state.requires.iter().map(|requirement| {
                format!("<<{name}, {}, {}>>", requirement.port.0 + 1, requirement.number)
            }));
        }
    }
    let _ = writeln!(
        out,
        "\\* State, port and number: 0 is any number for a provided port, a conflict for a required one."
    );
    let _ = writeln!(out, "Provides == {}\n", set(provides));
    let _ = writeln!(out, "Requires == {}\n", set(requires));
}

const RULES: &str = "\
Init == done = {}

Next ==
  \\/ \\E s \\in Steps \\ done : After[s] \\subseteq done /\\ done' = done \\cup {s}
  \\/ done = Steps /\\ UNCHANGED done

Spec == Init /\\ [][Next]_done

Happened(s) == s = 0 \\/ s \\in done

";

/// Correctness, in terms of `Happened`.
pub(super) const CORRECT: &str = "\
\\* The last of what happened, of a sequence of steps with values.
Last(seq, otherwise) ==
  LET happened == {i \\in 1..Len(seq) : Happened(seq[i][1])}
  IN IF happened = {} THEN otherwise ELSE seq[CHOOSE i \\in happened : \\A j \\in happened : j <= i][2]

StateOf(c) == Last(Lives[c], \"\")

Active(c, p) == \\E x \\in Provides : x[1] = StateOf(c) /\\ x[2] = p

IsBound(b) == Last(b[4], FALSE) /\\ StateOf(b[2]) # \"\" /\\ StateOf(b[3]) # \"\"

\\* Definition 3: every active port is content.
Correct ==
  \\A c \\in Components :
    /\\ \\A r \\in Requires : r[1] = StateOf(c) =>
         IF r[3] = 0
         THEN \\A d \\in Components \\ {c} : ~Active(d, r[2])
         ELSE Cardinality({b \\in Bindings : b[1] = r[2] /\\ b[2] = c /\\ b[3] # c /\\ IsBound(b) /\\ Active(b[3], r[2])}) >= r[3]
    /\\ \\A p \\in Provides : p[1] = StateOf(c) /\\ p[3] # 0 =>
         Cardinality({b \\in Bindings : b[1] = p[2] /\\ b[3] = c /\\ IsBound(b)}) <= p[3]
";
