//! The components that an Aeolus document wants, as things that can be built, changed and taken down like those of
//! other languages.
//!
//! A component goes through the states of its plan, and needs its providers from the state on in which it requires
//! them. The program of a state is run to enter it. What does not last until the end is not a need: where the plan
//! takes a binding away again, or a component is only there for a while, nothing is built, and the reason is said.

use std::collections::BTreeMap;

use locus_aeolus::{Action, Binding, ComponentId, ComponentType, Configuration, Document, StateId, Want};
use locus_meaning::things::{Need, OnChange, Programs, Property, Thing};

use crate::configure::{Choice, choose};
use crate::goal::wanted;
use crate::helpers::helpers;
use crate::problem::{Answer, Others, Plan, Problem};
use crate::render;
use crate::solve::{Limits, solve};

/// The names of operations that are not states.
const RESERVED: [&str; 3] = ["delete", "update", "check"];

/// The things that a document wants.
///
/// # Errors
/// If it says nothing of that, there is no plan, or it cannot be built so; in words.
pub fn things(document: &Document) -> Result<Vec<Thing>, String> {
    if !document.configuration.components.is_empty() {
        return Err(
            "a document that is built says only what is wanted; what is deployed is known from before, so \
                    leave `configuration` out"
                .to_owned(),
        );
    }
    if !document.machines.is_empty() {
        return Err("placement on `machines` cannot be built yet".to_owned());
    }
    let (want, _) = document.want.as_ref().ok_or("the document does not say what is wanted; add `want`")?;
    let plan = plan(document, want)?;
    if let Some(helper) = helpers(&plan).first() {
        return Err(render::helper(&document.universe, &plan, helper));
    }
    let built = Built { document, plan: &plan, paths: paths(document, &plan)? };
    plan.end.components.keys().map(|&id| built.thing(id)).collect()
}

/// The plan from nothing to what is wanted.
fn plan(document: &Document, want: &Want) -> Result<Plan, String> {
    let (universe, start) = (&document.universe, Configuration::new());
    let chosen = match choose(universe, &start, want) {
        Choice::Chosen(chosen) => chosen,
        Choice::None(reasons) => return Err(reasons.join("; ")),
        Choice::Unknown(bound) => return Err(format!("no configuration was found {bound}")),
    };
    let (wanted, _) = wanted(universe, &start, want, &chosen);
    let problem = Problem { universe, start: &start, names: &[], wanted, others: Others::Delete };
    match solve(&problem, Limits::default()).0 {
        Answer::Plan(plan) => Ok(plan),
        Answer::None(reasons) => Err(render::explain(universe, &reasons).join("; ")),
        Answer::Unknown(why) => Err(format!("no plan was found {why}")),
    }
}

/// The states that each component goes through.
fn paths(document: &Document, plan: &Plan) -> Result<Vec<Vec<StateId>>, String> {
    let initial = |kind| vec![document.universe.kind(kind).initial];
    let mut paths: Vec<Vec<StateId>> = plan.components.iter().map(|one| initial(one.kind)).collect();
    for step in &plan.steps {
        match &step.action {
            Action::Change(changes) if changes.len() > 1 => {
                let names: Vec<&str> =
                    changes.iter().map(|change| render::component(plan, change.component)).collect();
                return Err(format!(
                    "{} change at the same moment, which no program can do",
                    names.join(" and ")
                ));
            }
            Action::Change(changes) => paths[changes[0].component.index()].push(changes[0].to),
            Action::Unbind(binding) => {
                return Err(format!(
                    "{} needs {} of {} only on the way",
                    render::component(plan, binding.requirer),
                    document.universe.port_name(binding.port),
                    render::component(plan, binding.provider),
                ));
            }
            Action::New(..) | Action::Bind(_) | Action::Delete(_) => {}
        }
    }
    Ok(paths)
}

struct Built<'a> {
    document: &'a Document,
    plan: &'a Plan,
    paths: Vec<Vec<StateId>>,
}

impl Built<'_> {
    fn kind(&self, id: ComponentId) -> &ComponentType {
        self.document.universe.kind(self.plan.components[id.index()].kind)
    }

    fn thing(&self, id: ComponentId) -> Result<Thing, String> {
        let (kind, path) = (self.kind(id), &self.paths[id.index()]);
        let phases: Vec<String> = path.iter().map(|&state| kind.state(state).name.clone()).collect();
        if let Some(name) = phases.iter().find(|name| RESERVED.contains(&name.as_str())) {
            return Err(format!("a state of `{}` has the name `{name}`, which an operation has", kind.name));
        }
        let of = self.plan.end.bindings.iter().filter(|binding| binding.requirer == id);
        let state = Property {
            name: "state".to_owned(),
            value: phases.last().cloned().unwrap_or_default(),
            on_change: OnChange::Replace,
            place: kind.place,
        };
        Ok(Thing {
            properties: vec![state],
            needs: of.map(|binding| self.need(binding)).collect::<Result<_, _>>()?,
            place: kind.place,
            programs: Some(Box::new(programs(kind, path))),
            phases,
            ..Thing::new(render::component(self.plan, id), kind.shown())
        })
    }

    fn need(&self, binding: &Binding) -> Result<Need, String> {
        let requires =
            |state: StateId| self.kind(binding.requirer).state(state).requirement(binding.port).is_some();
        let at = self.paths[binding.requirer.index()].iter().position(|&state| requires(state)).unwrap_or(0);
        let (provider, path) = (self.kind(binding.provider), &self.paths[binding.provider.index()]);
        let provides = |state: &&StateId| provider.state(**state).provision(binding.port).is_some();
        let lasting = path.iter().rev().take_while(provides).count();
        let first = path.iter().position(|state| provides(&state)).unwrap_or(0);
        if first + lasting != path.len() {
            let name = |id| render::component(self.plan, id);
            return Err(format!(
                "{} does not provide {} to {} from beginning to end",
                name(binding.provider),
                self.document.universe.port_name(binding.port),
                name(binding.requirer),
            ));
        }
        let phase = Some(provider.state(path[first]).name.clone());
        Ok(Need { at, phase, ..Need::new(render::component(self.plan, binding.provider)) })
    }
}

fn programs(kind: &ComponentType, path: &[StateId]) -> Programs {
    let states = path.iter().map(|&state| kind.state(state));
    let entered = states.filter_map(|state| Some((state.name.clone(), state.run.as_ref()?.to_string())));
    let mut operations: BTreeMap<String, String> = entered.collect();
    operations.extend(kind.delete.as_ref().map(|program| ("delete".to_owned(), program.to_string())));
    Programs {
        operations,
        is_idempotent: kind.is_idempotent,
        machine: kind.ssh.as_ref().map(ToString::to_string),
        ..Programs::default()
    }
}
