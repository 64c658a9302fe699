//! Components that a plan makes and deletes again, and why it needs them: told from its steps alone.

use std::collections::BTreeSet;

use locus_aeolus::{Action, ComponentId, PortId};
use rustc_hash::FxHashMap;

use crate::problem::Plan;

/// A component that is there for a while.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Helper {
    /// The component.
    pub component: ComponentId,
    /// The components that need it, and at which port.
    pub serves: BTreeSet<(PortId, ComponentId)>,
    /// The components whose work it does meanwhile: those that it serves turned from these to it.
    pub in_place_of: BTreeSet<ComponentId>,
}

/// The components that a plan makes and deletes again, in the order in which they are made.
pub fn helpers(plan: &Plan) -> Vec<Helper> {
    let is_helper =
        |id: ComponentId| plan.components[id.index()].is_new && !plan.end.components.contains_key(&id);
    let mut helpers: Vec<Helper> = Vec::new();
    let mut of: FxHashMap<ComponentId, usize> = FxHashMap::default();
    for step in &plan.steps {
        match &step.action {
            Action::New(id, _) if is_helper(*id) => {
                of.insert(*id, helpers.len());
                helpers.push(Helper {
                    component: *id,
                    serves: BTreeSet::new(),
                    in_place_of: BTreeSet::new(),
                });
            }
            Action::Bind(binding) => {
                if let Some(&index) = of.get(&binding.provider) {
                    helpers[index].serves.insert((binding.port, binding.requirer));
                }
            }
            Action::Unbind(old) => {
                let turned =
                    step.after.iter().find_map(|&before| match &plan.steps[before as usize].action {
                        Action::Bind(new) if (new.port, new.requirer) == (old.port, old.requirer) => {
                            of.get(&new.provider).filter(|_| new.provider != old.provider)
                        }
                        _ => None,
                    });
                if let Some(&index) = turned {
                    helpers[index].in_place_of.insert(old.provider);
                }
            }
            Action::New(..) | Action::Delete(_) | Action::Change(_) => {}
        }
    }
    helpers
}
