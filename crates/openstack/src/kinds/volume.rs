//! Types of Cinder.

use super::{Beside, Change, Field, Kind, Link, Mark, Names, Ready, Role};
use crate::session::Service;

const fn of_cinder(
    sort: &'static str,
    path: &'static str,
    (one, many): (&'static str, &'static str),
    mark: Mark,
    fields: &'static [Field],
) -> Kind {
    Kind { service: Service::Volume, ..Kind::network(sort, path, (one, many), mark, fields) }
}

pub(super) static KINDS: &[Kind] = &[
    Kind {
        ready: Some(Ready {
            under_way: &[
                "creating",
                "downloading",
                "extending",
                "retyping",
                "attaching",
                "detaching",
                "uploading",
                "reserved",
                "backing-up",
                "restoring-backup",
            ],
        }),
        lingers: true,
        beside: Beside::Volume,
        ..of_cinder(
            "OS::Cinder::Volume",
            "/volumes",
            ("volume", "volumes"),
            Mark::Metadata,
            &[
                Field::of("name").changes(),
                Field::of("description").changes(),
                Field::of("size").changes(),
                Field::of("availability_zone"),
                Field::of("image").to("imageRef").names(Names::Image).role(Role::Unseen),
                Field::of("snapshot_id"),
                Field::of("source_volid").names(Names::Volume),
                Field::of("volume_type"),
                Field::of("multiattach").role(Role::Unseen),
                Field::of("metadata").role(Role::Apart).changes(),
                Field::of("scheduler_hints").role(Role::Apart),
                Field::of("read_only").role(Role::Refused),
                Field::of("backup_id").role(Role::Refused),
            ],
        )
    },
    Kind::link(
        "OS::Cinder::VolumeAttachment",
        Service::Compute,
        Link::Attachment,
        &[
            Field::of("instance_uuid").names(Names::Server),
            Field::of("volume_id").names(Names::Volume),
            Field::of("mountpoint"),
        ],
    ),
    of_cinder(
        "OS::Cinder::VolumeType",
        "/types",
        ("volume_type", "volume_types"),
        Mark::Description,
        &[
            Field::of("name").changes(),
            Field::of("description").changes(),
            Field::of("is_public").to("os-volume-type-access:is_public").role(Role::Unseen),
            Field::of("metadata").to("extra_specs"),
            Field::of("projects").role(Role::Refused),
        ],
    ),
    Kind {
        change: Change::Never,
        ..of_cinder(
            "OS::Cinder::QoSSpecs",
            "/qos-specs",
            ("qos_specs", "qos_specs"),
            Mark::Name,
            &[Field::of("name"), Field::of("specs").role(Role::Merged)],
        )
    },
];
