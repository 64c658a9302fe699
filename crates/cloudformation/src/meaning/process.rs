//! The lives of resources: what each waits for, and what becomes of it when the template changes.
//!
//! A change of a property that the registry has as create-only replaces the resource: the new one is made before the
//! old one goes, unless the registry says that the old one goes first. `Retain` leaves a resource behind, `Snapshot`
//! saves it before it is deleted.

use locus_meaning::{Attribute, Meaning, Need, OnChange, Process, Removal, Replacement, ThingId};
use locus_schema::Content;

use crate::template::{How, Resource, Template};
use crate::types::Update;

/// Adds the processes of the resources, whose elements are given in their order.
pub(super) fn add(all: &mut Meaning<'_>, template: &Template, ids: &[Option<ThingId>]) {
    for (resource, id) in template.resources.iter().zip(ids) {
        let Some(id) = *id else { continue };
        let process = process(resource, all);
        all.element_mut(id).process = Some(Box::new(process));
    }
}

fn process(resource: &Resource, all: &Meaning<'_>) -> Process {
    let needs = resource.references.iter().filter_map(|reference| {
        let target = all.named(&reference.target).filter(|_| reference.target != resource.name.text)?;
        let via = match &reference.how {
            How::DependsOn => None,
            How::Ref | How::Attribute(_) => reference.via.clone(),
        };
        // What is only waited for may be replaced meanwhile.
        Some(Need { via, only_to_start: reference.how == How::DependsOn, ..Need::new(target) })
    });
    let given = resource.properties.iter().filter(|field| !matches!(field.value.value, Content::Absent));
    let properties = given.map(|field| Attribute {
        name: field.key.clone(),
        value: field.value.clone(),
        on_change: on_change(resource, &field.key),
        place: field.place,
    });
    let aside = resource.aside.iter().map(|field| Attribute {
        name: field.key.clone(),
        value: field.value.clone(),
        on_change: OnChange::InPlace,
        place: field.place,
    });
    let policy = |name: &str| resource.attribute(name).and_then(|datum| datum.as_str());
    let deletion = policy("DeletionPolicy").unwrap_or_else(|| by_default(&resource.type_name.text));
    Process {
        attributes: properties.chain(aside).collect(),
        needs: needs.collect(),
        endings: if deletion == "Snapshot" { vec!["saved".into()] } else { Vec::new() },
        removal: if deletion.starts_with("Retain") { Removal::Leave } else { Removal::Delete },
        holds_data: deletion == "Delete" && HOLD_DATA.contains(&&*resource.type_name.text),
        replacement: match resource.kind {
            Some(kind) if kind.deletes_first() => Replacement::OldFirst { before: 0 },
            _ => Replacement::NewFirst,
        },
        ..Process::default()
    }
}

/// The types of resources in which data is kept.
const HOLD_DATA: &[&str] = &[
    "AWS::DocDB::DBCluster",
    "AWS::DynamoDB::GlobalTable",
    "AWS::DynamoDB::Table",
    "AWS::EC2::Volume",
    "AWS::EFS::FileSystem",
    "AWS::ElastiCache::ReplicationGroup",
    "AWS::Elasticsearch::Domain",
    "AWS::FSx::FileSystem",
    "AWS::Kinesis::Stream",
    "AWS::Neptune::DBCluster",
    "AWS::OpenSearchService::Domain",
    "AWS::RDS::DBCluster",
    "AWS::RDS::DBInstance",
    "AWS::Redshift::Cluster",
    "AWS::S3::Bucket",
    "AWS::SQS::Queue",
];

/// The policy of a resource that has none: databases are saved.
fn by_default(type_name: &str) -> &'static str {
    match type_name {
        "AWS::RDS::DBCluster" => "Snapshot",
        _ => "Delete",
    }
}

fn on_change(resource: &Resource, property: &str) -> OnChange {
    match resource.kind.map(|kind| kind.on_update(property)) {
        Some(Update::Replace) => OnChange::Replace,
        // The provider of a custom resource decides.
        Some(Update::InPlace | Update::Perhaps) | None => OnChange::InPlace,
    }
}
