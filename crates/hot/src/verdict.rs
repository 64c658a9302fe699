//! A template judged by the rules about how resources fit together.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use locus_language::{Judged, Occurring, Ruled, Rules, judge_by};
use locus_source::{Finding, SourceFile, Span};

use crate::catalogue::ResourceType;
use crate::library::{CARRIED, mentioned};
use crate::meaning::{self, meaning};
use crate::template::{Kind, Resource, Template};

/// Modules whose rules matter only where resources of a type have a property.
const WITH_PROPERTY: &[(&str, &str, &str)] = &[("OS::Nova::Server", "scheduler_hints", "hints")];

/// The rules of some modules, and perhaps of more, for a template; only those that what occurs can break, if that is
/// said.
pub(crate) fn rules(
    modules: &BTreeSet<String>,
    occurring: Option<&dyn Fn() -> Occurring>,
    template: &Template,
) -> Result<Arc<Rules>, Box<Finding>> {
    CARRIED.rules(modules, occurring, template.file.place(Span::point(0)))
}

/// Prepares for templates to come: most of the rules that they need are compiled together.
pub(crate) fn expect(files: &[&SourceFile]) {
    let mut needed = BTreeMap::new();
    for file in files {
        for module in mentioned(file.text()) {
            *needed.entry(module).or_default() += 1;
        }
    }
    CARRIED.expect(needed);
}

/// Judges a template, and the templates in it, by the rules that come with Locus.
pub fn check(template: &Template) -> Judged {
    let mut judged = Judged::default();
    each(template, &mut |template| judged.add(check_alone(template)));
    judged
}

/// The rules about a template, and about what others are in their uses by it.
pub(crate) fn ruled(template: &Template) -> Option<Ruled<'_>> {
    let modules = modules(template, std::iter::empty());
    (!modules.is_empty()).then(|| Ruled {
        rules: &CARRIED,
        modules,
        everywhere: template.file.place(Span::point(0)),
        instance: Box::new(move |rules| meaning::instance(rules, &meaning(template), template)),
    })
}

/// Judges a template, and what others are in their uses by it, by the rules that come with Locus.
pub(crate) fn check_alone(template: &Template) -> Judged {
    let modules = modules(template, std::iter::empty());
    if modules.is_empty() {
        return Judged::default();
    }
    let meaning = meaning(template);
    CARRIED.judge(
        &modules,
        Some(&|| meaning::occurring(&meaning)),
        &|rules| meaning::instance(rules, &meaning, template),
        template.file.place(Span::point(0)),
    )
}

/// Judges a template, and the templates in it, by rules that were compiled already.
pub fn check_by(rules: &Rules, template: &Template) -> Judged {
    let mut judged = Judged::default();
    each(template, &mut |template| {
        let instance = meaning::instance(rules, &meaning(template), template);
        judged.add(judge_by(instance, template.file.place(Span::point(0))));
    });
    judged
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
    types.retain(|name| CARRIED.has_rules(name));
    types
}

/// A template, and those in it that were read by themselves, each once. What others are in their uses is part of the
/// template.
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
    use locus_language::RuleSet;

    use crate::library::FILES;

    fn shown(checked: &Judged) -> Vec<String> {
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
                let meaning = meaning(template);
                let occurring = || meaning::occurring(&meaning);
                let judged_by = |occurring: Option<&dyn Fn() -> Occurring>| {
                    let everywhere = template.file.place(Span::point(0));
                    let rules = RuleSet::with_types(FILES, |name| CARRIED.module(&format!("types/{name}")))
                        .rules(&modules, occurring, everywhere);
                    let rules = rules.expect("the rules compile");
                    let instance = meaning::instance(&rules, &meaning, template);
                    (shown(&judge_by(instance, everywhere)), rules.count())
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
