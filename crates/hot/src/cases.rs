//! Cases: what a template is for each value of something that only its deployment tells, where these are few.
//!
//! A condition holds or does not, and some parameters have few allowed values. What is wrong in one case only may never
//! come to pass. But if something is wrong in each case, then something is wrong, whatever the value will be.

use std::sync::Arc;

use locus_language::Judged;
use locus_schema::{Constraint, Content, Datum};
use locus_source::{Finding, Place, Severity};
use rustc_hash::FxHashSet;

use crate::template::{Parameter, ParameterType, Template};
use crate::values::cases::{Assumption, Case};
use crate::values::load::Files;
use crate::verdict::check_alone;

/// So many values of one thing are tried.
const MOST_VALUES: usize = 8;

/// So many resources are read in all cases together.
const MOST_RESOURCES: usize = 10_000;

/// Whether something is wrong in a case.
pub(crate) fn is_wrong(case: &Case) -> bool {
    case.findings.iter().any(is_error) || by_rules(case).iter().any(is_error)
}

/// The findings of the rules in a case. Templates that were read by themselves are judged elsewhere.
fn by_rules(case: &Case) -> Vec<Finding> {
    case.template.as_ref().map(check_alone).unwrap_or_default().findings
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

/// The cases of a template: each list has all that are possible. `ifs` are those whose conditions have no name and are
/// not known. There are as many lists as may still be read.
pub(crate) fn of(template: &Template, ifs: &[Place], files: &Files<'_>) -> Vec<Vec<Assumption>> {
    let parameters = template.parameters.iter().filter_map(|parameter| {
        let each = |value| Assumption::Parameter(Arc::clone(&parameter.name.text), value);
        Some(values(parameter)?.into_iter().map(each).collect())
    });
    let open = template.conditions.iter().filter(|condition| condition.holds.is_none());
    let conditions = open.map(|condition| {
        [true, false].map(|it| Assumption::Condition(Arc::clone(&condition.name.text), it)).into()
    });
    let ifs = ifs.iter().map(|place| [true, false].map(|it| Assumption::If(*place, it)).into());
    let all = parameters.chain(conditions).chain(ifs);
    all.take_while(|cases: &Vec<Assumption>| {
        let read = files.in_cases.get() + cases.len() * (template.resources.len() + 1);
        files.in_cases.set(read);
        read <= MOST_RESOURCES
    })
    .collect()
}

/// All values that a parameter without one may have, if they are few.
fn values(parameter: &Parameter) -> Option<Vec<Datum>> {
    let Content::Unknown(unknown) = &parameter.value.value else { return None };
    unknown.why.input()?;
    let allowed = parameter.constraints.iter().find_map(|(constraint, place)| match constraint {
        Constraint::AllowedValues(values) => Some((values, *place)),
        _ => None,
    });
    let values: Vec<Datum> = match (allowed, parameter.kind?) {
        // Each item of a list is one of them.
        (_, ParameterType::List | ParameterType::Json) => return None,
        (Some((values, place)), _) => values.iter().map(|value| Datum::new(value.0.clone(), place)).collect(),
        (None, ParameterType::Boolean) => {
            [true, false].map(|value| Datum::new(Content::Bool(value), parameter.name.place)).into()
        }
        _ => return None,
    };
    (1..=MOST_VALUES).contains(&values.len()).then_some(values)
}

/// Findings for what is wrong in each of some cases, and not known to be wrong otherwise.
pub(crate) fn settle(cases: &[Vec<Case>], read: &[Finding], checked: &Judged) -> Vec<Finding> {
    let key = |finding: &Finding| (finding.code.to_string(), finding.primary.place);
    let mut known: FxHashSet<_> =
        read.iter().chain(&checked.findings).filter(|one| is_error(one)).map(key).collect();
    let mut found = Vec::new();
    for cases in cases {
        let first = |findings: &[Finding]| {
            findings.iter().find(|one| is_error(one) && !known.contains(&key(one))).cloned()
        };
        let wrong = |case: &Case| first(&case.findings).or_else(|| first(&by_rules(case)));
        let Some(wrong) = cases.iter().map(wrong).collect::<Option<Vec<Finding>>>() else { continue };
        let Some((mut finding, case)) = wrong.first().cloned().zip(cases.first()) else { continue };
        let message = finding.message.clone();
        for (other, case) in wrong.iter().zip(cases).skip(1) {
            if other.primary.place != finding.primary.place {
                finding = finding
                    .also(other.primary.place, format!("if {}: {}", case.assumption.shown(), other.message));
            }
        }
        finding.message = format!("{message}, if {}", case.assumption.shown());
        let finding = Finding { help: None, fix: None, ..finding.note(case.assumption.whatever()) };
        known.insert(key(&finding));
        found.push(finding);
    }
    found
}
