//! The things that a change destroys: those that a project keeps whatever happens, and those with data that is lost.

use locus_plan::{Difference, Fate};
use locus_source::policy::Policy;

/// Returns the reasons for which a change is refused that destroys what the project keeps: a line for each thing.
pub(crate) fn kept(policy: &Policy, differences: &[Difference]) -> Vec<String> {
    let line = |one: &Difference| {
        let verb = match one.fate {
            Fate::Remove => "deleted",
            Fate::Replace => "replaced",
            Fate::Keep | Fate::Add | Fate::Change | Fate::Leave => return None,
        };
        let is_kept = policy.prevents_destroying(&one.name);
        is_kept.then(|| {
            format!("{} would be {verb}, which prevent_destroy in locus.toml does not allow", one.name)
        })
    };
    differences.iter().filter_map(line).collect()
}

/// Returns the names of the things whose data a change loses.
pub(crate) fn lost(differences: &[Difference]) -> Vec<&str> {
    differences.iter().filter(|one| one.loses_data).map(|one| one.name.as_str()).collect()
}
