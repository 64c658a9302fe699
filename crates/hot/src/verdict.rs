//! A template judged by the rules about how resources fit together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use locus_rules::{CompiledRules, Occurring, Rules, UNUSABLE, Verdict};
use locus_schema::interpretation::Interpretation;
use locus_source::{Finding, Place, SourceFile, Span};
use rustc_hash::FxHashSet;

use crate::catalogue::ResourceType;
use crate::interpret;
use crate::library::{Library, has_rules, mentioned};
use crate::template::{Kind, Resource, Template};

/// So many ways in which one rule is broken are shown.
const SHOWN: usize = 100;

/// Modules whose rules matter only where resources of a type have a property.
const WITH_PROPERTY: &[(&str, &str, &str)] = &[("OS::Nova::Server", "scheduler_hints", "hints")];

/// What the rules say of a template.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What may be wrong, depending on values that are not known.
    pub unsettled: Vec<Finding>,
}

/// The rules that come with Locus, by the types that they are about. A run meets the same types again and again.
static RULES: CompiledRules = CompiledRules::new();

/// The rules of some modules, and perhaps of more, for a template; only those that what occurs can break, if that is said.
pub(crate) fn rules(
    modules: &BTreeSet<String>,
    occurring: Option<&dyn Fn() -> Occurring>,
    template: &Template,
) -> Result<Arc<Rules>, Box<Finding>> {
    RULES.get("hot/template.als", modules, occurring, &root, &Library).map_err(|error| {
        let message = format!("the rules about templates cannot be used: {error}");
        Box::new(Finding::new(&UNUSABLE, template.file.place(Span::point(0)), message))
    })
}

/// Prepares for templates to come: most of the rules that they need are compiled together.
pub(crate) fn expect(files: &[&SourceFile]) {
    let mut needed = BTreeMap::new();
    for file in files {
        for module in mentioned(file.text()) {
            *needed.entry(module).or_default() += 1;
        }
    }
    RULES.expect(needed);
}

/// A module that opens some modules with rules.
fn root(modules: &BTreeSet<String>) -> String {
    let mut text = "module hot/template\nopen hot/core\n".to_owned();
    for name in modules {
        let _ = writeln!(text, "open hot/{name} as rules_{name}");
    }
    text
}

/// Judges a template, and the templates in it, by the rules that come with Locus.
pub fn check(template: &Template) -> Checked {
    let mut checked = Checked::default();
    each(template, &mut |template| check_alone(template, &mut checked));
    checked
}

/// Judges a template, and what others are in their uses by it, by the rules that come with Locus.
pub(crate) fn check_alone(template: &Template, checked: &mut Checked) {
    let modules = modules(template, std::iter::empty());
    if modules.is_empty() {
        return;
    }
    let meaning = interpret::for_rules(template);
    match rules(&modules, Some(&|| interpret::occurring(&meaning)), template) {
        Ok(rules) => judge(&rules, &meaning, template, checked),
        Err(finding) => checked.findings.push(*finding),
    }
}

/// Judges a template, and the templates in it, by rules that were compiled already.
pub fn check_by(rules: &Rules, template: &Template) -> Checked {
    let mut checked = Checked::default();
    each(template, &mut |template| judge(rules, &interpret::for_rules(template), template, &mut checked));
    checked
}

fn judge(rules: &Rules, meaning: &Interpretation<'_>, template: &Template, into: &mut Checked) {
    let instance = interpret::instance(rules, meaning, template);
    match instance.check(SHOWN, template.file.place(Span::point(0))) {
        Ok(Verdict { findings, unsettled }) => {
            into.findings.extend(each_once(findings));
            into.unsettled.extend(each_once(unsettled));
        }
        Err(finding) => into.findings.push(*finding),
    }
}

/// What is wrong in the same places, as with both members of a group that stand for many, or in each use of a template, is
/// said once.
fn each_once(findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    let mut seen = FxHashSet::default();
    findings.into_iter().filter(move |one| {
        let places: Vec<Place> = one.secondary.iter().map(|label| label.place).collect();
        seen.insert((one.code.to_string(), one.primary.place, places))
    })
}

/// The modules with rules about the types that a template uses, and about some more.
pub(crate) fn modules(
    template: &Template,
    more: impl Iterator<Item = &'static ResourceType>,
) -> BTreeSet<String> {
    let mut open: Vec<&Resource> = Vec::new();
    template.each_resource(&mut |_, resource| {
        if resource.created != Some(false) {
            open.push(resource);
        }
    });
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut types: BTreeSet<String> = more.map(ResourceType::sig_name).collect();
    while let Some(resource) = open.pop() {
        let Kind::Known(kind) = &resource.kind else { continue };
        if used.insert(&kind.name) {
            types.insert(kind.sig_name());
        }
        for (of, property, module) in WITH_PROPERTY {
            if *of == &*kind.name && resource.property(property).is_some() {
                types.insert((*module).to_owned());
            }
        }
    }
    types.retain(|name| has_rules(name));
    types
}

/// A template, and those in it that were read by themselves, each once. What others are in their uses is part of the template.
fn each(template: &Template, see: &mut impl FnMut(&Template)) {
    let mut open: Vec<&Template> = vec![template];
    let mut seen: Vec<*const Template> = Vec::new();
    while let Some(template) = open.pop() {
        see(template);
        template.each_resource(&mut |_, resource| {
            if let Kind::Nested(inner) = &resource.kind
                && inner.scope.is_empty()
                && !seen.contains(&Arc::as_ptr(inner))
            {
                seen.push(Arc::as_ptr(inner));
                open.push(inner);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use locus_source::Sources;

    use super::*;
    use crate::library::FILES;

    fn shown(checked: &Checked) -> Vec<String> {
        let all = checked.findings.iter().map(|one| ("certain", one));
        let all = all.chain(checked.unsettled.iter().map(|one| ("open", one)));
        all.map(|(how, one)| format!("{how} {} {:?} {}", one.code, one.primary.place.span, one.message))
            .collect()
    }

    /// Without rules that hold because of what a template lacks, findings are the same.
    #[test]
    fn rules_that_are_left_out_hold() {
        let (mut judged, mut fewer) = (0, 0);
        for (name, text) in FILES.examples {
            let sources = Sources::new();
            let file = sources.add(*name, *text);
            let Some(template) = crate::read(&sources, &file, &crate::Inputs::default()).template else {
                continue;
            };
            each(&template, &mut |template| {
                let modules = modules(template, std::iter::empty());
                let meaning = interpret::for_rules(template);
                let occurring = || interpret::occurring(&meaning);
                let judged_by = |occurring: Option<&dyn Fn() -> Occurring>| {
                    let rules =
                        CompiledRules::new().get("hot/template.als", &modules, occurring, &root, &Library);
                    let rules = rules.expect("the rules compile");
                    let mut checked = Checked::default();
                    judge(&rules, &meaning, template, &mut checked);
                    (shown(&checked), rules.count())
                };
                let ((all, whole), (some, part)) = (judged_by(None), judged_by(Some(&occurring)));
                assert_eq!(all, some, "{name}");
                judged += 1;
                fewer += usize::from(part < whole);
            });
        }
        assert!(judged > 200 && fewer > 150, "{judged} templates, {fewer} by fewer rules");
    }
}
