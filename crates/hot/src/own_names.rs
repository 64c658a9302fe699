//! Names that a template gives to things, used where a thing is named: Heat looks for something that exists already.

use std::sync::Arc;

use locus_schema::walk::{Typed, Visitor, walk};
use locus_schema::words::short;
use locus_schema::{Constraint, Content, Datum, Property};
use locus_source::{Finding, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::report::Report;
use crate::rules::OWN_NAME;
use crate::template::{Kind, Resource, Template};

/// The properties by which things are found.
const NAMES: [&str; 2] = ["name", "flavorid"];

/// Reports values that are the name of a thing which the template makes itself, instead of a reference to it.
pub(crate) fn check(template: &Template, report: &mut Report) {
    let mut made: FxHashMap<(&str, Arc<str>), &Resource> = FxHashMap::default();
    template.each_resource(&mut |_, resource| {
        let Kind::Known(kind) = &resource.kind else { return };
        let Some(provided) = kind.provides.as_deref() else { return };
        if resource.created == Some(false) || resource.external_id.is_some() {
            return;
        }
        for name in NAMES.iter().filter_map(|name| text(resource.property(name)?)) {
            made.entry((provided, name)).or_insert(resource);
        }
    });
    if made.is_empty() {
        return;
    }
    let is_made = |resource: &&Resource| resource.created != Some(false) && resource.external_id.is_none();
    for resource in template.resources.iter().filter(is_made) {
        let mut open = vec![resource];
        while let Some(member) = open.pop() {
            open.extend(member.members.iter().filter(|member| !member.again));
            let Kind::Known(kind) = &member.kind else { continue };
            let visitor = &mut Looking { template, made: &made, resource, report };
            walk(&kind.properties, &member.properties, member.name.place, visitor);
        }
    }
}

/// A text that is known and does not come from a file.
fn text(datum: &Datum) -> Option<Arc<str>> {
    match &datum.value {
        Content::Str(text) if datum.contents_of.is_none() && !text.is_empty() => Some(Arc::clone(text)),
        _ => None,
    }
}

/// A resource whose properties are looked at.
struct Looking<'l, 't> {
    template: &'t Template,
    made: &'l FxHashMap<(&'t str, Arc<str>), &'t Resource>,
    resource: &'t Resource,
    report: &'l mut Report,
}

impl<'d> Visitor<'d> for Looking<'_, '_> {
    fn leaf(&mut self, typed: Typed<'_, 'd>) {
        let (Some(kind), Some(name)) = (typed.names_kind(), text(typed.datum)) else { return };
        let Some(target) = self.made.get(&(kind, Arc::clone(&name))).copied() else { return };
        if target.id == self.resource.id {
            return;
        }
        let is_checked =
            is_checked(typed.property, kind) || typed.list.is_some_and(|list| is_checked(list, kind));
        if !is_checked && waits_for(self.template, self.resource, target) {
            return;
        }
        let (own, at, other) = (short(&self.resource.name.text), typed.at, target.label());
        let message = format!("`{at}` of `{own}` is the name of `{}`, and no reference to it", short(&other));
        let mut finding = Finding::new(&OWN_NAME, typed.datum.place, message);
        finding = finding.also(target.name.place, "it is made here");
        let note = if is_checked {
            "before anything is made, Heat looks for one with this name that exists already"
        } else {
            "Heat may make both at the same time, so that it is not there yet when it is looked for"
        };
        let certain = is_checked && self.resource.created == Some(true) && target.created == Some(true);
        if !certain {
            finding.severity = Severity::Warning;
        }
        let finding = finding.note(note);
        self.report.add(if target.id == target.name.text {
            finding.help(format!("write `{{ get_resource: {} }}`", short(&target.name.text)))
        } else {
            finding.help("take its id from an output of the template that makes it")
        });
    }
}

/// Whether Heat looks for what a property names before it makes anything.
fn is_checked(property: &Property, kind: &str) -> bool {
    let of_items = property.get("*").into_iter().flat_map(|items| &items.constraints);
    let mut constraints = property.constraints.iter().chain(of_items);
    constraints.any(|constraint| matches!(constraint, Constraint::Custom(name) if &**name == kind))
}

/// Whether one resource waits for another, directly or through others.
fn waits_for(template: &Template, one: &Resource, other: &Resource) -> bool {
    let by_name: FxHashMap<&str, &Resource> =
        template.resources.iter().map(|resource| (&*resource.name.text, resource)).collect();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut open = vec![one];
    // What is in another template is waited for with the resource that the template is.
    let wanted = other.id.split('/').next().unwrap_or_default();
    while let Some(resource) = open.pop() {
        for reference in &resource.references {
            if &*reference.target == wanted {
                return true;
            }
            if seen.insert(&reference.target) {
                open.extend(by_name.get(&*reference.target));
            }
        }
    }
    false
}
