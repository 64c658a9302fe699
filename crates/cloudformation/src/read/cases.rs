//! The worlds in which the rules about how resources fit together are asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Cases, resources};
use crate::template::Template;
use crate::values::loops::Defined;
use crate::values::scope::Scope;
use crate::values::worlds::Worlds;
use crate::{Case, Reading};

/// So many worlds are looked at beside that of the defaults.
const MOST: usize = 8;

/// The template in other worlds than that of the defaults.
pub(super) fn of<'t>(
    scope: &Scope<'t>,
    base: &Template,
    resources: &[Defined<'t>],
    outputs: &[Defined<'t>],
    worlds: &mut Worlds<'_, 't>,
) -> Cases {
    let names: BTreeSet<Arc<str>> = scope.conditions.iter().map(|one| Arc::clone(&one.name)).collect();
    if names.is_empty() || base.resources.is_empty() {
        return Vec::new();
    }
    let (all, _) = worlds.combinations(&names, &[], MOST);
    let all = all.into_iter().take(4 * MOST);
    all.map(|combination| {
        let mut aside = Reading::default();
        let template = resources::template(
            scope,
            &combination.world,
            resources,
            outputs,
            base.is_complete,
            None,
            &mut aside,
        );
        Case { template, chosen: combination.chosen }
    })
    .collect()
}
