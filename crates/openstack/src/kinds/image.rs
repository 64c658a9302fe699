//! Types of Glance.

use super::{Beside, Change, Field, Kind, Mark, Ready, Role};
use crate::session::Service;

pub(super) static KINDS: &[Kind] = &[Kind {
    sort: "OS::Glance::WebImage",
    service: Service::Image,
    path: "/images",
    one: "",
    many: "images",
    mark: Mark::Own,
    change: Change::Operations,
    version: None,
    ready: Some(Ready { under_way: &["queued", "saving", "uploading", "importing"] }),
    lingers: false,
    beside: Beside::Import,
    fields: &[
        Field::of("name"),
        Field::of("container_format"),
        Field::of("disk_format"),
        Field::of("id"),
        Field::of("min_disk"),
        Field::of("min_ram"),
        Field::of("visibility").changes(),
        Field::of("protected").changes(),
        Field::of("tags").role(Role::Tags),
        Field::of("architecture").changes(),
        Field::of("kernel_id").changes(),
        Field::of("ramdisk_id").changes(),
        Field::of("os_distro").changes(),
        Field::of("os_version").changes(),
        Field::of("owner").changes(),
        Field::of("extra_properties").role(Role::Merged).changes(),
        Field::of("location").role(Role::Apart),
        Field::of("members").role(Role::Refused),
        Field::of("active").role(Role::Ignored),
    ],
}];
