//! References between resources: whether what they name is there, and whether they go in a circle.

use std::sync::Arc;

use locus_schema::constraint::to_number;
use locus_schema::cycles::circles;
use locus_schema::{Content, Datum};
use locus_source::words::{did_you_mean, did_you_mean_word, listed, short};
use locus_source::{Finding, Place, Report, Severity};
use rustc_hash::FxHashMap;

use crate::meaning::hidden::hidden;
use crate::read::properties::unsupported;
use crate::rules::{CYCLE, NO_ATTRIBUTE, NO_RESOURCE, NOT_CREATED};
use crate::template::{How, Kind, Reference, Resource, Template, Text};

/// Checks all references. `names` has every resource that is defined, even those that could not be read.
pub(crate) fn check(template: &Template, names: &[Arc<str>], report: &mut Report) {
    let by_name: FxHashMap<&str, Option<&Resource>> = names
        .iter()
        .map(|name| (&**name, None))
        .chain(template.resources.iter().map(|resource| (&*resource.name.text, Some(resource))))
        .collect();
    let mut checker = Checker { names, by_name, guesses: GUESSES, report };
    for resource in &template.resources {
        if resource.created != Some(false) {
            let certain = resource.created == Some(true);
            resource
                .references
                .iter()
                .for_each(|reference| checker.reference(reference, certain, Severity::Error));
        }
    }
    for output in &template.outputs {
        let certain = output.enabled == Some(true);
        // Heat builds the stack, and the output has no value.
        output
            .references
            .iter()
            .for_each(|reference| checker.reference(reference, certain, Severity::Warning));
    }
    cycles(template, report);
}

/// A guess looks at all names, so in a template with very many mistakes not every one gets one.
const GUESSES: usize = 100;

struct Checker<'c> {
    names: &'c [Arc<str>],
    by_name: FxHashMap<&'c str, Option<&'c Resource>>,
    /// For how many more names it is guessed what was meant.
    guesses: usize,
    report: &'c mut Report,
}

impl Checker<'_> {
    /// `weight` is that of what Heat finds only when it works the reference out.
    fn reference(&mut self, reference: &Reference, certain: bool, weight: Severity) {
        let name = short(&reference.target);
        let Some(target) = self.by_name.get(&*reference.target) else {
            let message = format!("there is no resource `{name}`");
            let mut finding = Finding::new(&NO_RESOURCE, reference.place, message);
            // Heat looks for the resource of an attribute before it builds anything, but not for that of an id.
            if reference.how == How::Id {
                finding.severity = weight;
            }
            let names = || self.names.iter().map(|name| &**name);
            let guessed = if self.guesses > 0 { names().collect() } else { Vec::new() };
            self.guesses = self.guesses.saturating_sub(1);
            let finding = did_you_mean(finding, &reference.target, guessed);
            self.report.add(finding.note(format!("the resources are {}", listed(names()))));
            return;
        };
        let Some(target) = *target else { return };
        if reference.how == How::DependsOn {
            return;
        }
        if target.created == Some(false) && certain && !reference.uncertain {
            let message = format!("`{name}` is not created, since its condition is false");
            let mut finding = Finding::new(&NOT_CREATED, reference.place, message);
            finding.severity = weight;
            self.report.add(finding.also(target.name.place, "the resource"));
        }
        if let How::Attribute { name: Some(attribute), within } = &reference.how
            && !self.of_members(target, attribute, within.as_ref(), weight)
        {
            self.attribute(target, attribute);
        }
    }

    /// An attribute of a group that means its members: `resource.0`, or an attribute that all of them have. Says
    /// whether it is one, and reports it if the members do not have it. `within` is the part of it that is asked for.
    fn of_members(
        &mut self,
        group: &Resource,
        attribute: &Text,
        within: Option<&Datum>,
        weight: Severity,
    ) -> bool {
        let Kind::Known(kind) = &group.kind else { return false };
        let of_each: &[&str] = match &*kind.name {
            "OS::Heat::ResourceGroup" | "OS::Heat::ResourceChain" => &["attributes"],
            "OS::Heat::AutoScalingGroup" => &["outputs", "outputs_list"],
            _ => return false,
        };
        let is_chain = &*kind.name == "OS::Heat::ResourceChain";
        let (of, name) = (short(&group.name.text), short(&attribute.text));
        let inner = || within.and_then(Datum::as_str);
        let mut number = None;
        let wanted = if of_each.contains(&&*attribute.text) {
            if within.is_none() {
                let message = format!("`{name}` of `{of}` needs the name of an attribute of its members");
                self.dynamic(message, attribute, weight, group);
                return true;
            }
            inner()
        } else if let Some(path) = attribute.text.strip_prefix("resource.") {
            let (index, rest) =
                path.split_once('.').map_or((path, None), |(index, rest)| (index, Some(rest)));
            let count = match group.property(if is_chain { "resources" } else { "count" }) {
                Some(listed) if is_chain => {
                    matches!(listed.value, Content::List(_)).then(|| listed.items().len() as f64)
                }
                Some(count) => to_number(&count.value),
                // How many a group that scales has is not known.
                None => (&*kind.name == "OS::Heat::ResourceGroup").then_some(1.0),
            };
            // Members that are removed leave a gap, and those after it go on counting.
            let plain = group.property("removal_policies").is_none();
            let missing = |index: &f64| plain && count.is_some_and(|count| *index >= count);
            if let Some(index) = index.parse::<f64>().ok().filter(missing) {
                let count = count.unwrap_or_default();
                let message =
                    format!("the group `{of}` has {count} members, from 0 on, so there is no member {index}");
                self.dynamic(message, attribute, weight, group);
                return true;
            }
            number = index.parse::<usize>().ok().filter(|_| is_chain);
            rest.or_else(inner)
        } else if &*attribute.text == "show" || kind.attribute(&attribute.text).is_some() {
            return false;
        } else if &*kind.name == "OS::Heat::AutoScalingGroup" {
            let message = format!("`{of}` has no attribute `{name}`");
            let mut finding = Finding::new(&NO_ATTRIBUTE, attribute.place, message);
            finding.severity = weight;
            let finding = finding.also(group.type_name.place, "its type");
            let names = kind.attributes.iter().map(|attribute| &*attribute.name);
            self.report.add(did_you_mean_word(finding, &attribute.text, names));
            return true;
        } else {
            Some(&*attribute.text)
        };
        let Some(wanted) = wanted else { return true };
        let mut asked = group.members.iter().filter(|member| number.is_none() || member.number() == number);
        let Some(member) = asked.find(|member| !has_attribute(member, wanted)) else { return true };
        let wanted = short(wanted);
        let message =
            format!("the members of `{of}` have no attribute `{wanted}`, so `{of}` has no `{name}`");
        let finding = Finding::new(&NO_ATTRIBUTE, attribute.place, message);
        self.report.add(finding.also(member.type_name.place, "the type of the members"));
        true
    }

    /// A finding about an attribute that Heat looks for only when it is asked for it.
    fn dynamic(&mut self, message: String, attribute: &Text, weight: Severity, group: &Resource) {
        let mut finding = Finding::new(&NO_ATTRIBUTE, attribute.place, message);
        finding.severity = weight;
        self.report.add(finding.also(group.type_name.place, "the group"));
    }

    fn attribute(&mut self, target: &Resource, attribute: &Text) {
        let of = format!("`{}`", short(&target.name.text));
        let name = short(&attribute.text);
        // All resources have `show`.
        if &*attribute.text == "show" {
            return;
        }
        let (kind, names): (_, Vec<&str>) = match &target.kind {
            Kind::Unknown => return,
            Kind::Known(kind) => {
                if let Some(found) = kind.attribute(&attribute.text) {
                    if let Some(status) = &found.status {
                        self.report.add(unsupported(
                            &format!("the attribute `{name}` of {of}"),
                            status,
                            attribute.place,
                        ));
                    }
                    return;
                }
                if kind.has_open_attributes() {
                    return;
                }
                ("the type", kind.attributes.iter().map(|attribute| &*attribute.name).collect())
            }
            Kind::Nested(inner) => {
                if inner.output(&attribute.text).is_some() || attribute.text.starts_with("resource.") {
                    return;
                }
                ("the template", inner.outputs.iter().map(|output| &*output.name.text).collect())
            }
        };
        let type_name = short(&target.type_name.text);
        let message = format!("{of} has no attribute `{name}`");
        let finding =
            Finding::new(&NO_ATTRIBUTE, attribute.place, message).also(target.type_name.place, "its type");
        let finding = did_you_mean_word(finding, &attribute.text, names.iter().copied());
        self.report
            .add(finding.note(format!("the attributes of {kind} `{type_name}` are {}", listed(names))));
    }
}

/// Whether a resource may have an attribute. The first of a path with dots counts.
fn has_attribute(resource: &Resource, path: &str) -> bool {
    let name = path.split('.').next().unwrap_or(path);
    name == "show"
        || match &resource.kind {
            Kind::Unknown => true,
            Kind::Known(kind) => kind.attribute(name).is_some() || kind.has_open_attributes(),
            Kind::Nested(inner) => inner.output(name).is_some() || name == "resource",
        }
}

/// The waits that are certain: for each resource those that it waits for, with the place that says so. Behind the
/// resources come groups of them, for which some wait because Heat adds it: those lead to their members.
fn dependencies(template: &Template) -> Vec<Vec<(usize, Place)>> {
    let all = &template.resources;
    let by_name: FxHashMap<&str, usize> =
        all.iter().enumerate().map(|(at, resource)| (&*resource.name.text, at)).collect();
    let sure = |resource: &Resource| resource.created == Some(true) && resource.external_id.is_none();
    let (groups, hidden) = hidden(template, true);
    let mut edges: Vec<Vec<(usize, Place)>> = Vec::with_capacity(all.len() + groups.len());
    for (resource, hidden) in all.iter().zip(hidden) {
        if !sure(resource) {
            edges.push(Vec::new());
            continue;
        }
        let certain = resource.references.iter().filter(|reference| !reference.uncertain);
        let targets = certain.filter_map(|one| Some((*by_name.get(&*one.target)?, one.place)));
        let written = targets.filter(|(target, _)| sure(&all[*target]));
        let added = hidden.iter().map(|group| (all.len() + group, resource.name.place));
        edges.push(written.chain(added).collect());
    }
    edges.extend(groups.iter().map(|group| {
        let members = group.members.iter().filter(|at| sure(&all[**at]));
        members.map(|at| (*at, all[*at].name.place)).collect()
    }));
    edges
}

/// Reports the resources that depend on themselves: for each knot of them one circle, a shortest one.
fn cycles(template: &Template, report: &mut Report) {
    let edges = dependencies(template);
    let count = template.resources.len();
    for mut circle in circles(&edges) {
        // It begins with something that is written.
        let is_written = |at: usize, circle: &[(usize, Place)]| {
            circle[at].0 < count && circle[(at + 1) % circle.len()].0 < count
        };
        if let Some(start) = (0..circle.len()).find(|at| is_written(*at, &circle)) {
            circle.rotate_left(start);
        }
        let added = |at: usize| circle[(at + 1) % circle.len()].0 >= count;
        let steps: Vec<(String, Place, bool)> = (0..circle.len())
            .filter(|at| circle[*at].0 < count)
            .map(|at| (short(&template.resources[circle[at].0].name.text), circle[at].1, added(at)))
            .collect();
        let names: Vec<&str> = steps.iter().map(|(name, ..)| name.as_str()).collect();
        let message = if let [one] = names.as_slice() {
            format!("the resource `{one}` depends on itself")
        } else {
            format!("resources depend on each other in a circle: {} → {}", names.join(" → "), names[0])
        };
        let mut finding = Finding::new(&CYCLE, steps[0].1, message);
        for (i, (name, place, added)) in steps.iter().enumerate().skip(1) {
            let next = names[(i + 1) % names.len()];
            finding = finding.also(
                *place,
                if *added {
                    format!("Heat has `{name}` wait for `{next}`")
                } else {
                    format!("`{name}` depends on `{next}`")
                },
            );
        }
        if steps.iter().any(|(.., added)| *added) {
            finding =
                finding.note("Heat adds dependencies of its own between resources of one router or network");
        }
        report.add(finding.help("take one of the references or `depends_on` out of the circle"));
    }
}
