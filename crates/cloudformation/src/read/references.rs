//! References between resources: whether they name something of the right kind, which is there, and whether they lead
//! in a circle.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_schema::cycles::circles;
use locus_source::words::short;
use locus_source::{Finding, Place, Report};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::rules::{DEPENDENCY_CIRCLE, MAY_LACK};
use crate::template::{How, Reference, Template};
use crate::types::conform::Referents;
use crate::types::{base, fits};
use crate::values::scope::Scope;
use crate::values::worlds::Worlds;
use crate::values::{Evaluator, Guard};

/// The references that an evaluator has seen, by their places.
pub(super) struct Seen<'s, 'e> {
    by_place: FxHashMap<Place, &'s Reference>,
    lists: &'s FxHashMap<Place, bool>,
    composed: &'s FxHashSet<Place>,
    parameters: FxHashMap<Place, Arc<str>>,
    scope: &'s Scope<'e>,
}

impl<'s, 'e> Seen<'s, 'e> {
    pub(super) fn new(evaluator: &'s Evaluator<'s, 'e>, scope: &'s Scope<'e>) -> Self {
        let by_place = evaluator.references.iter().map(|one| (one.place, one)).collect();
        let parameters = evaluator.used_parameters.iter().cloned().collect();
        Self { by_place, lists: &evaluator.lists, composed: &evaluator.composed, parameters, scope }
    }
}

/// The types that are never mistaken for each other.
const DISTINCT: &[&str] = &["AWS::EC2::SecurityGroup", "AWS::EC2::Subnet", "AWS::EC2::VPC", "AWS::IAM::Role"];

impl Referents for Seen<'_, '_> {
    fn misfit(&self, place: Place, forms: &[&str]) -> Option<(String, String)> {
        if self.composed.contains(&place) {
            return None;
        }
        let wanted: Vec<&str> = forms.iter().filter_map(|form| base(form)).collect();
        let article = |name: &str| format!("`{name}`");
        let wanted_list = || {
            let names: BTreeSet<String> = wanted.iter().map(|name| article(name)).collect();
            names.into_iter().collect::<Vec<_>>().join(" or ")
        };
        if let Some(name) = self.parameters.get(&place) {
            let form = self.scope.parameter(name)?.form()?;
            let of = base(&form)?;
            let is_other = DISTINCT.contains(&of) && !wanted.contains(&of);
            return is_other.then(|| {
                let kind =
                    &self.scope.parameter(name).map_or_else(|| Arc::from(""), |one| Arc::clone(&one.kind));
                (
                    format!(
                        "is the parameter `{}` of the type `{kind}`, but must name {}",
                        short(name),
                        wanted_list()
                    ),
                    "use a parameter of another type".to_owned(),
                )
            });
        }
        let reference = self.by_place.get(&place)?;
        let head = self.scope.resource(&reference.target)?;
        let kind = head.kind?;
        let target = short(&reference.target);
        let form = match &reference.how {
            How::Ref => kind.ref_form(),
            How::Attribute(name) => kind.attribute(name).map(|(_, form)| form),
            How::DependsOn => None,
        };
        if let Some(form) = form.filter(|form| base(form).is_some()) {
            if forms.iter().any(|wanted| fits(form, wanted)) {
                return None;
            }
            // The name and the id of a group, or the id and the ARN of a key, are told apart by AWS.
            if base(form).is_some_and(|of| wanted.contains(&of)) {
                return None;
            }
            let why =
                format!("names `{target}`, from which comes `{form}`, but must be {}", forms.join(" or "));
            return Some((why, format!("name {}", wanted_list())));
        }
        let is_identity = match &reference.how {
            How::Ref => true,
            How::Attribute(name) => kind.identifier().any(|one| one == &**name) || &**name == "Arn",
            How::DependsOn => false,
        };
        if is_identity && wanted.iter().all(|of| DISTINCT.contains(of)) && !wanted.contains(&kind.name) {
            if kind.name.starts_with("AWS::CloudFormation::") || kind.name == "AWS::SSM::Parameter" {
                return None;
            }
            let why = format!(
                "names `{target}`, which is of the type `{}`, but must name {}",
                kind.name,
                wanted_list()
            );
            return Some((why, format!("name {}", wanted_list())));
        }
        if reference.how == How::Ref && kind.name == "AWS::IAM::Role" && forms == ["AWS::IAM::Role.Arn"] {
            let why = format!("is the name of the role `{target}`, but must be its ARN");
            return Some((why, format!("use `!GetAtt {target}.Arn`")));
        }
        None
    }

    fn is_list(&self, place: Place) -> Option<bool> {
        self.lists.get(&place).copied()
    }
}

/// References to resources that may not be there, and circles.
pub(super) fn check(
    scope: &Scope<'_>,
    template: &Template,
    worlds: &mut Worlds<'_, '_>,
    report: &mut Report,
) {
    for resource in &template.resources {
        let own: Vec<Guard> = (resource.condition.iter())
            .filter(|name| scope.condition(&name.text).is_some())
            .map(|name| (Arc::clone(&name.text), true))
            .collect();
        for reference in &resource.references {
            may_lack(scope, &own, reference, &resource.name.text, worlds, report);
        }
    }
    for output in &template.outputs {
        for reference in &output.references {
            may_lack(scope, &[], reference, &output.name.text, worlds, report);
        }
    }
    find_circles(template, report);
}

/// Reports a reference to a resource that is not there although the one that refers to it is.
fn may_lack(
    scope: &Scope<'_>,
    own: &[Guard],
    reference: &Reference,
    of: &str,
    worlds: &mut Worlds<'_, '_>,
    report: &mut Report,
) {
    // What only waits for a resource that is not there need not wait.
    if reference.how == How::DependsOn {
        return;
    }
    let Some(condition) = scope.resource(&reference.target).and_then(|head| head.condition.clone()) else {
        return;
    };
    if scope.condition(&condition).is_none() {
        return;
    }
    let mut wanted: Vec<Guard> = own.to_vec();
    wanted.extend(reference.guards.iter().filter(|(name, _)| scope.condition(name).is_some()).cloned());
    let needed: Vec<String> = wanted
        .iter()
        .map(|(name, holds)| format!("`{}` {}", short(name), if *holds { "holds" } else { "does not hold" }))
        .collect();
    wanted.push((Arc::clone(&condition), false));
    if worlds.find(&wanted).is_none() {
        return;
    }
    let message = format!(
        "`{}` refers to `{}`, which is not created if `{}` does not hold",
        short(of),
        short(&reference.target),
        short(&condition)
    );
    let finding = Finding::new(&MAY_LACK, reference.place, message);
    let finding = if needed.is_empty() {
        finding
    } else {
        finding.note(format!("`{}` refers to it if {}", short(of), needed.join(" and ")))
    };
    report
        .add(finding.help(format!("refer to it within `Fn::If` with the condition `{}`", short(&condition))));
}

fn find_circles(template: &Template, report: &mut Report) {
    let index: FxHashMap<&str, usize> =
        template.resources.iter().enumerate().map(|(at, one)| (&*one.name.text, at)).collect();
    let edges: Vec<Vec<(usize, Place)>> = template
        .resources
        .iter()
        .map(|resource| {
            let targets = resource.references.iter();
            targets.filter_map(|one| Some((*index.get(&*one.target)?, one.place))).collect()
        })
        .collect();
    for circle in circles(&edges) {
        let name = |at: usize| short(&template.resources[at].name.text);
        let names: Vec<String> = circle.iter().map(|(at, _)| format!("`{}`", name(*at))).collect();
        let Some(((first, place), rest)) = circle.split_first() else { continue };
        let message = match rest {
            [] => format!("`{}` depends on itself", name(*first)),
            _ => format!("{} depend on each other in a circle", names.join(", ")),
        };
        let mut finding = Finding::new(&DEPENDENCY_CIRCLE, *place, message);
        for (at, place) in rest {
            finding = finding.also(*place, format!("`{}` refers to the next", name(*at)));
        }
        report.add(finding.help(
            "take one of the references out of its resource, into one of its own that attaches the two",
        ));
    }
}
