//! A template judged by the rules about how resources fit together, in each combination of its conditions.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_language::{Instance, Judged, Ruled, Rules, judge_by};
use locus_meaning::{Meaning, Vocabulary};
use locus_source::{Finding, Place, Span};

use crate::library::CARRIED;
use crate::meaning::meaning;
use crate::template::Template;
use crate::types::{ResourceType, sig_name};
use crate::{Case, Reading};

/// Where the signatures of templates are.
const VOCABULARY: Vocabulary = Vocabulary {
    core: "cloudformation/core",
    element: "Resource",
    types: "cloudformation/types/",
    signature: |type_name| {
        let sig = sig_name(type_name);
        (format!("cloudformation/types/{sig}"), sig)
    },
};

fn everywhere(template: &Template) -> Place {
    template.file.place(Span::point(0))
}

fn instance<'r>(rules: &'r Rules, meaning: &Meaning<'_>, template: &Template) -> Instance<'r> {
    meaning.instance(rules, &VOCABULARY, everywhere(template))
}

/// Judges what was read by the rules that come with Locus.
pub fn check(reading: &Reading) -> Judged {
    in_cases(reading, &|template| {
        let modules = modules(template);
        if modules.is_empty() {
            return Judged::default();
        }
        let meaning = meaning(template);
        CARRIED.judge(
            &modules,
            Some(&|| meaning.occurring(&VOCABULARY)),
            &|rules| instance(rules, &meaning, template),
            everywhere(template),
        )
    })
}

/// The rules about a template, with the defaults of its parameters.
pub(crate) fn ruled(template: &Template) -> Option<Ruled<'_>> {
    let modules = modules(template);
    (!modules.is_empty()).then(|| Ruled {
        rules: &CARRIED,
        modules,
        everywhere: everywhere(template),
        instance: Box::new(move |rules| instance(rules, &meaning(template), template)),
    })
}

/// Judges what was read by rules that were compiled already.
pub fn check_by(rules: &Rules, reading: &Reading) -> Judged {
    in_cases(reading, &|template| {
        judge_by(instance(rules, &meaning(template), template), everywhere(template))
    })
}

/// The modules with rules about the types that a template uses.
fn modules(template: &Template) -> BTreeSet<String> {
    // What a macro or a loop adds may be what a rule misses.
    if !template.is_complete {
        return BTreeSet::new();
    }
    let created = template.resources.iter().filter(|resource| resource.created != Some(false));
    let names = created.filter_map(|resource| resource.kind).map(ResourceType::sig_name);
    names.filter(|name| CARRIED.has_rules(name)).collect()
}

/// A finding, what all combinations have in common that it is found in, and their number.
type Found = (Finding, Vec<(Arc<str>, bool)>, usize);

/// Judges a template with the defaults, and then in other combinations of its conditions.
fn in_cases(reading: &Reading, judge: &dyn Fn(&Template) -> Judged) -> Judged {
    let Some(template) = &reading.template else { return Judged::default() };
    let mut judged = judge(template);
    if reading.cases.is_empty() {
        return judged;
    }
    let mut found: Vec<Found> = Vec::new();
    for Case { template, chosen } in &reading.cases {
        let here = judge(template);
        for finding in here.findings {
            let is_same = |known: &Finding| {
                known.code == finding.code
                    && known.primary.place == finding.primary.place
                    && known.secondary == finding.secondary
            };
            match found.iter_mut().find(|(known, ..)| is_same(known)) {
                Some((_, common, count)) => {
                    common.retain(|guard| chosen.contains(guard));
                    *count += 1;
                }
                None => found.push((finding, chosen.clone(), 1)),
            }
        }
        judged.unsettled.extend(here.unsettled);
    }
    // What is found with the defaults is found in the combination that they are, too, unless that was not looked at.
    let is_known = |finding: &Finding| {
        found
            .iter()
            .any(|(known, ..)| known.code == finding.code && known.primary.place == finding.primary.place)
    };
    judged.findings.retain(|finding| !is_known(finding));
    let varied: Vec<(Arc<str>, bool)> =
        reading.cases.iter().flat_map(|case| case.chosen.iter().cloned()).collect();
    let all = reading.cases.len();
    let more = found.into_iter();
    judged.findings.extend(
        more.map(|(finding, common, count)| {
            crate::read::with_guards(finding, &common, &varied, count == all)
        }),
    );
    let mut seen: Vec<(String, Place)> = Vec::new();
    judged.unsettled.retain(|finding| {
        let key = (finding.code.to_string(), finding.primary.place);
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    });
    judged
}
