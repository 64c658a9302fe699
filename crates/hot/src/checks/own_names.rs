//! Names that a template gives to things, used where a thing is named: Heat looks for something that exists already.
//!
//! When it looks for it depends on the stack: what a property names is looked for before anything in the stack of its
//! resource is made, unless only the service looks. So a template within a template, and the members of a group, may
//! name what the template around them makes, if they wait for it.

use std::cmp::Reverse;
use std::sync::Arc;

use locus_schema::walk::{Typed, Visitor, walk};
use locus_schema::{Constraint, Content, Datum, Property};
use locus_source::words::short;
use locus_source::{Finding, Place, Report, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rules::OWN_NAME;
use crate::template::{Kind, Resource, Template};

/// The properties by which things are found.
const NAMES: [&str; 2] = ["name", "flavorid"];

/// A resource with those that it is in before it, each with its template. A member has the template of its group.
type Way<'t> = Vec<(&'t Template, &'t Resource)>;

/// The ways to what is made, by the kind of thing and its name.
type Made<'t> = FxHashMap<(&'t str, Arc<str>), Vec<Way<'t>>>;

/// Reports values that are the name of a thing which the template makes itself, instead of a reference to it.
pub(crate) fn check(template: &Template, report: &mut Report) {
    let mut made = Made::default();
    each(template, &mut |way| {
        let Some((_, resource)) = way.last() else { return };
        let Kind::Known(kind) = &resource.kind else { return };
        let Some(provided) = kind.provides.as_deref() else { return };
        for name in NAMES.iter().filter_map(|name| text(resource.property(name)?)) {
            let ways = made.entry((provided, name)).or_default();
            // One in each stack.
            if ways.last().is_none_or(|last| around(last) != around(way)) {
                ways.push(way.to_vec());
            }
        }
    });
    if made.is_empty() {
        return;
    }
    let mut said = FxHashSet::default();
    each(template, &mut |way| {
        let Some((_, resource)) = way.last() else { return };
        let Kind::Known(kind) = &resource.kind else { return };
        let looking = &mut Looking { made: &made, way, said: &mut said, report };
        walk(&kind.properties, &resource.properties, resource.name.place, looking);
    });
}

/// Looks at all resources that may be made, also those in other templates and of groups: the first member of each.
fn each<'t>(template: &'t Template, see: &mut impl FnMut(&[(&'t Template, &'t Resource)])) {
    fn go<'t>(way: &mut Way<'t>, see: &mut impl FnMut(&[(&'t Template, &'t Resource)])) {
        let Some((template, resource)) = way.last().copied() else { return };
        if resource.created == Some(false) || resource.external_id.is_some() {
            return;
        }
        see(way);
        let members = resource.members.iter().filter(|member| !member.again).map(|member| (template, member));
        let inner = resource.instance();
        let inner =
            inner.into_iter().flat_map(|inner| inner.resources.iter().map(move |one| (&**inner, one)));
        for one in members.chain(inner) {
            way.push(one);
            go(way, see);
            way.pop();
        }
    }
    for resource in &template.resources {
        go(&mut vec![(template, resource)], see);
    }
}

/// The resource that something is in.
fn around(way: &[(&Template, &Resource)]) -> Option<*const Resource> {
    way.len().checked_sub(2).map(|at| std::ptr::from_ref::<Resource>(way[at].1))
}

/// How many of the outermost resources of two ways are the same.
fn shared(one: &[(&Template, &Resource)], other: &[(&Template, &Resource)]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| std::ptr::eq(one.1, other.1)).count()
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
    made: &'l Made<'t>,
    /// The way to it.
    way: &'l [(&'t Template, &'t Resource)],
    /// The places where something was found: a template may be used more than once.
    said: &'l mut FxHashSet<Place>,
    report: &'l mut Report,
}

impl<'d> Visitor<'d> for Looking<'_, '_> {
    fn leaf(&mut self, typed: Typed<'_, 'd>) {
        let (Some(kind), Some(name)) = (typed.names_kind(), text(typed.datum)) else { return };
        let Some(ways) = self.made.get(&(kind, Arc::clone(&name))) else { return };
        // The nearest counts.
        let distance = |target: &&Way<'_>| (Reverse(shared(self.way, target)), target.len());
        let Some(target) = ways.iter().min_by_key(distance) else { return };
        let level = shared(self.way, target);
        let (Some((template, one)), Some((_, other))) = (self.way.get(level), target.get(level)) else {
            return;
        };
        let is_member = |resource: &Resource| resource.id.rsplit('/').nth(1) == Some("");
        // Members of one group do not know each other.
        if is_member(one) && is_member(other) {
            return;
        }
        let is_inside = self.way.len() > level + 1;
        let is_checked =
            is_checked(typed.property, kind) || typed.list.is_some_and(|list| is_checked(list, kind));
        let too_early = is_checked && !is_inside;
        if !too_early && waits_for(template, one, &other.name.text) || !self.said.insert(typed.datum.place) {
            return;
        }
        let (Some((_, resource)), Some((_, made))) = (self.way.last(), target.last()) else { return };
        let (own, at, label) = (short(&resource.label()), typed.at, short(&made.label()));
        let message = format!("`{at}` of `{own}` is the name of `{label}`, and no reference to it");
        let mut finding = Finding::new(&OWN_NAME, typed.datum.place, message);
        finding = finding.also(made.name.place, "it is made here");
        let note = if too_early {
            "before anything is made, Heat looks for one with this name that exists already"
        } else {
            "Heat may make both at the same time, so that it is not there yet when it is looked for"
        };
        let is_made = |way: &[(&Template, &Resource)]| way.iter().all(|(_, one)| one.created == Some(true));
        if !(too_early && is_made(self.way) && is_made(target)) {
            finding.severity = Severity::Warning;
        }
        let finding = finding.note(note);
        let name = short(&other.name.text);
        self.report.add(if target.len() > level + 1 {
            finding.help("take its id from an output of the template that makes it")
        } else if is_inside && !is_member(self.way[level + 1].1) {
            finding.help(format!("give `{{ get_resource: {name} }}` to the template by a parameter"))
        } else {
            finding.help(format!("write `{{ get_resource: {name} }}`"))
        });
    }
}

/// Whether Heat looks for what a property names before it makes anything in the stack.
fn is_checked(property: &Property, kind: &str) -> bool {
    let of_items = property.get("*").into_iter().flat_map(|items| &items.constraints);
    let mut constraints = property.constraints.iter().chain(of_items);
    constraints.any(|constraint| matches!(constraint, Constraint::Custom(name) if &**name == kind))
}

/// Whether a resource of a template waits for another, directly or through others.
fn waits_for(template: &Template, one: &Resource, other: &str) -> bool {
    let by_name: FxHashMap<&str, &Resource> =
        template.resources.iter().map(|resource| (&*resource.name.text, resource)).collect();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let mut open = vec![one];
    while let Some(resource) = open.pop() {
        for reference in &resource.references {
            if &*reference.target == other {
                return true;
            }
            if seen.insert(&reference.target) {
                open.extend(by_name.get(&*reference.target));
            }
        }
    }
    false
}
