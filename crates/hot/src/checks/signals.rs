//! Wait conditions of which nobody gets to know.

use locus_schema::Content;
use locus_source::Finding;
use locus_source::words::short;

use crate::rules::WAITS_IN_VAIN;
use crate::template::{Kind, Reference, Resource, Template};
use locus_source::Report;

/// The types of wait conditions, with the property that names the handle.
const CONDITIONS: [(&str, &str); 2] =
    [("OS::Heat::WaitCondition", "handle"), ("AWS::CloudFormation::WaitCondition", "Handle")];

/// Checks that something is told the handle of each wait condition.
pub(crate) fn check(template: &Template, report: &mut Report) {
    for resource in &template.resources {
        if resource.created == Some(false) || resource.external_id.is_some() {
            continue;
        }
        let Some(handle) = handle(resource) else { continue };
        let Content::Location(id) = &handle.value else { continue };
        let Some(name) = template.resources.iter().find(|one| one.id == *id).map(|one| &one.name.text) else {
            continue;
        };
        let refers = |references: &[Reference]| references.iter().any(|reference| reference.target == *name);
        let told = template.resources.iter().any(|one| tells(one, &refers));
        if !told && !template.outputs.iter().any(|output| refers(&output.references)) {
            let (name, of) = (short(name), short(&resource.name.text));
            let message =
                format!("`{of}` waits for a signal to `{name}`, of which nothing in the template is told");
            let finding = Finding::new(&WAITS_IN_VAIN, handle.place, message);
            let help = format!("give `{{ get_attr: [{name}, curl_cli] }}` to the server that is to send it");
            report.add(finding.help(help));
        }
    }
}

/// The handle of a wait condition.
fn handle(resource: &Resource) -> Option<&locus_schema::Datum> {
    let Kind::Known(kind) = &resource.kind else { return None };
    let (_, property) = CONDITIONS.iter().find(|(name, _)| *name == &*kind.name)?;
    resource.property(property)
}

/// Whether a resource, or what it makes, refers to a handle other than to wait for it.
fn tells(resource: &Resource, refers: &impl Fn(&[Reference]) -> bool) -> bool {
    handle(resource).is_none()
        && (refers(&resource.references) || resource.members.iter().any(|one| tells(one, refers)))
}
