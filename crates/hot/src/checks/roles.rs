//! The role map: a property that names a kind of resource requires a role, and resources of that kind provide it.
//!
//! Heat asks its services whether what a property names exists, but not where the value is a resource of the same
//! template: then the mistake is found when the stack is built.

use std::sync::OnceLock;

use locus_schema::walk::{Typed, Visitor, walk};
use locus_schema::{Content, Datum, Property};
use locus_source::Finding;
use locus_source::words::{listed, short};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::catalogue;
use crate::rules::ROLE;
use crate::template::{Kind, Resource, Template};
use locus_source::Report;

/// Reports every property whose value is a resource of another kind than the property names.
pub(crate) fn check(template: &Template, report: &mut Report) {
    let mut resources: FxHashMap<&str, &Resource> = FxHashMap::default();
    let mut all: Vec<(&Template, &Resource)> = Vec::new();
    template.each_resource(&mut |of, resource| {
        resources.insert(&resource.id, resource);
        if resource.created != Some(false) && resource.external_id.is_none() && !resource.again {
            all.push((of, resource));
        }
    });
    let mut checker = Checker { resources, report };
    for (template, resource) in all {
        let Kind::Known(kind) = &resource.kind else { continue };
        let visitor = &mut Looking { checker: &mut checker, template, resource };
        walk(&kind.properties, &resource.properties, resource.name.place, visitor);
    }
}

struct Checker<'c> {
    resources: FxHashMap<&'c str, &'c Resource>,
    report: &'c mut Report,
}

/// A resource whose properties are looked at.
struct Looking<'l, 'c> {
    checker: &'l mut Checker<'c>,
    template: &'l Template,
    resource: &'l Resource,
}

impl<'d> Visitor<'d> for Looking<'_, '_> {
    fn leaf(&mut self, typed: Typed<'_, 'd>) {
        let Content::Location(target) = &typed.datum.value else { return };
        if let (Some(wanted), Some(target)) =
            (typed.names_kind(), self.checker.resources.get(&**target).copied())
        {
            self.checker.reference(
                typed.property,
                wanted,
                target,
                typed.datum,
                (self.template, self.resource),
            );
        }
    }
}

impl Checker<'_> {
    fn reference(
        &mut self,
        property: &Property,
        wanted: &str,
        target: &Resource,
        datum: &Datum,
        (template, of): (&Template, &Resource),
    ) {
        let Kind::Known(kind) = &target.kind else { return };
        // All types are looked at only if something seems to be wrong.
        if kind.provides.as_deref() == Some(wanted) {
            return;
        }
        let Some(providers) = providers().get(wanted) else { return };
        if providers.contains(&&*kind.name) || !kind.is_thing {
            return;
        }
        let name = if &*property.name == "*" { "a list" } else { &property.name };
        let message = format!(
            "`{}` is {}, but `{}` of `{}` names {}",
            short(&target.name.text),
            with_article(&kind.name),
            short(name),
            short(&of.name.text),
            listed_types(providers),
        );
        let finding = Finding::new(&ROLE, datum.place, message).also(target.type_name.place, "its type");
        let finding = match datum.origin {
            Some(origin) if origin.file != datum.place.file => {
                finding.also(origin, "the value comes from here")
            }
            _ => finding,
        };
        let fitting: Vec<&str> = {
            let mut names: Vec<&str> = template
                .resources
                .iter()
                .filter(|other| matches!(&other.kind, Kind::Known(kind) if providers.contains(&&*kind.name)))
                .map(|other| &*other.name.text)
                .collect();
            names.sort_unstable();
            names
        };
        let finding = if fitting.is_empty() {
            finding.help(format!("add such a resource, or name one that exists already: `{name}: …`"))
        } else {
            finding.help(format!("resources that fit are {}", listed(fitting.iter().copied())))
        };
        self.report.add(finding);
    }
}

/// Which types provide each kind.
fn providers() -> &'static FxHashMap<&'static str, Vec<&'static str>> {
    static PROVIDERS: OnceLock<FxHashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    PROVIDERS.get_or_init(|| {
        let mut providers: FxHashMap<&'static str, Vec<&'static str>> = FxHashMap::default();
        for name in catalogue::type_names() {
            if let Some(kind) = catalogue::resource_type(name).and_then(|known| known.provides.as_deref()) {
                providers.entry(kind).or_default().push(name);
            }
        }
        providers
    })
}

fn with_article(name: &str) -> String {
    format!("an `{name}`")
}

fn listed_types(names: &[&str]) -> String {
    let unique: FxHashSet<&&str> = names.iter().collect();
    let mut names: Vec<String> = unique.into_iter().map(|name| with_article(name)).collect();
    names.sort_unstable();
    names.join(" or ")
}
