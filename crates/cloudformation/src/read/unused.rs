//! All that a template defines and does not use.

use locus_source::words::short;

use crate::Reading;
use crate::rules::{UNUSED_CONDITION, UNUSED_MAPPING, UNUSED_PARAMETER};
use crate::values::scope::Scope;
use locus_source::Report;

/// Names what nothing refers to. Where a macro may refer to it, nothing is said.
pub(super) fn check(scope: &Scope<'_>, reading: &Reading, report: &mut Report) {
    if scope.is_open() {
        return;
    }
    let (parameters, mappings) = &reading.used;
    for one in scope.parameters.iter().filter(|one| !parameters.contains(&one.name.text)) {
        let message = format!("the parameter `{}` is not used", short(&one.name.text));
        report.say(&UNUSED_PARAMETER, one.name.place, message);
    }
    for one in scope.conditions.iter().filter(|one| !reading.used_conditions.contains(&one.name)) {
        report.say(&UNUSED_CONDITION, one.place, format!("the condition `{}` is not used", short(&one.name)));
    }
    let mut names: Vec<_> = scope.mappings.iter().filter(|(name, _)| !mappings.contains(*name)).collect();
    names.sort_by_key(|(name, _)| *name);
    for (name, node) in names.into_iter().filter(|(name, _)| !name.starts_with("Fn::")) {
        report.say(&UNUSED_MAPPING, node.use_place(), format!("the mapping `{}` is not used", short(name)));
    }
}
