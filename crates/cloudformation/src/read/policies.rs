//! Documents within properties that have a grammar of their own: policies and state machines.

use locus_schema::{Content, Datum};
use locus_source::{Finding, Report};

use crate::policy::{self, Kind};
use crate::states;
use crate::template::Template;

/// The policies that resources have: the type, the path to the document, and its kind.
const POLICIES: &[(&str, &[&str], Kind)] = &[
    ("AWS::IAM::Group", &["Policies", "*", "PolicyDocument"], Kind::Identity),
    ("AWS::IAM::GroupPolicy", &["PolicyDocument"], Kind::Identity),
    ("AWS::IAM::ManagedPolicy", &["PolicyDocument"], Kind::Identity),
    ("AWS::IAM::Policy", &["PolicyDocument"], Kind::Identity),
    ("AWS::IAM::Role", &["AssumeRolePolicyDocument"], Kind::Trust),
    ("AWS::IAM::Role", &["Policies", "*", "PolicyDocument"], Kind::Identity),
    ("AWS::IAM::RolePolicy", &["PolicyDocument"], Kind::Identity),
    ("AWS::IAM::User", &["Policies", "*", "PolicyDocument"], Kind::Identity),
    ("AWS::IAM::UserPolicy", &["PolicyDocument"], Kind::Identity),
    ("AWS::KMS::Key", &["KeyPolicy"], Kind::Resource),
    ("AWS::S3::BucketPolicy", &["PolicyDocument"], Kind::Resource),
    ("AWS::SNS::TopicPolicy", &["PolicyDocument"], Kind::Resource),
    ("AWS::SQS::QueuePolicy", &["PolicyDocument"], Kind::Resource),
];

pub(super) fn check(template: &Template, report: &mut Report) {
    for resource in template.resources.iter().filter(|one| one.created != Some(false)) {
        let mut found: Vec<Finding> = Vec::new();
        let name = &*resource.name.text;
        for (_, path, kind) in POLICIES.iter().filter(|(of, ..)| *of == &*resource.type_name.text) {
            let Some((first, rest)) = path.split_first() else { continue };
            if let Some(datum) = resource.property(first) {
                each(datum, rest, &mut |document| policy::check(name, document, *kind, &mut found));
            }
        }
        if &*resource.type_name.text == "AWS::StepFunctions::StateMachine" {
            let substitutions = resource.property("DefinitionSubstitutions").is_some();
            if let Some(definition) = resource.property("Definition") {
                states::check(name, definition, &mut found);
            } else if let Some(definition) = resource.property("DefinitionString") {
                states::check_text(name, definition, substitutions, &mut found);
            }
        }
        for finding in found {
            report.add(finding);
        }
    }
}

/// Calls `see` for what is at a path; a star stands for every item of a list.
fn each(datum: &Datum, path: &[&str], see: &mut impl FnMut(&Datum)) {
    let Some((first, rest)) = path.split_first() else { return see(datum) };
    match &datum.value {
        Content::List(items) if *first == "*" => items.iter().for_each(|item| each(item, rest, see)),
        _ => {
            if let Some(inner) = datum.get(first) {
                each(inner, rest, see);
            }
        }
    }
}
