//! Types of Nova.

use super::{Beside, Change, Field, Kind, Mark, Ready, Role};
use crate::session::Service;

const fn apart(property: &'static str) -> Field {
    Field::of(property).role(Role::Apart)
}

const fn ignored(property: &'static str) -> Field {
    Field::of(property).role(Role::Ignored)
}

const fn refused(property: &'static str) -> Field {
    Field::of(property).role(Role::Refused)
}

pub(super) static KINDS: &[Kind] = &[
    Kind {
        sort: "OS::Nova::Server",
        service: Service::Compute,
        path: "/servers",
        one: "server",
        many: "servers",
        mark: Mark::Metadata,
        change: Change::Put,
        version: None,
        ready: Some(Ready {
            under_way: &[
                "BUILD",
                "REBUILD",
                "RESIZE",
                "REBOOT",
                "HARD_REBOOT",
                "MIGRATING",
                "PASSWORD",
                "UNKNOWN",
            ],
        }),
        lingers: true,
        beside: Beside::Server,
        fields: &[
            Field::of("name").changes(),
            Field::of("key_name"),
            Field::of("availability_zone").role(Role::Unseen),
            Field::of("config_drive").role(Role::Unseen),
            Field::of("diskConfig").to("OS-DCF:diskConfig"),
            Field::of("admin_pass").to("adminPass").role(Role::Unseen),
            apart("image"),
            apart("flavor"),
            apart("networks"),
            apart("security_groups"),
            apart("user_data"),
            apart("user_data_format"),
            Field::of("metadata").role(Role::Apart).changes(),
            apart("block_device_mapping"),
            apart("block_device_mapping_v2"),
            apart("scheduler_hints"),
            ignored("flavor_update_policy"),
            ignored("image_update_policy"),
            ignored("user_data_update_policy"),
            ignored("software_config_transport"),
            refused("deployment_swift_data"),
            refused("admin_user"),
            refused("personality"),
            refused("reservation_id"),
            refused("tags"),
        ],
    },
    Kind {
        sort: "OS::Nova::KeyPair",
        service: Service::Compute,
        path: "/os-keypairs",
        one: "keypair",
        many: "keypairs",
        mark: Mark::Name,
        change: Change::Never,
        version: Some("2.2"),
        ready: None,
        lingers: false,
        beside: Beside::Nothing,
        fields: &[
            Field::of("name"),
            Field::of("public_key").role(Role::Unseen),
            Field::of("type"),
            refused("user"),
            refused("save_private_key"),
        ],
    },
    Kind {
        sort: "OS::Nova::Flavor",
        service: Service::Compute,
        path: "/flavors",
        one: "flavor",
        many: "flavors",
        mark: Mark::Name,
        change: Change::Never,
        version: None,
        ready: None,
        lingers: false,
        beside: Beside::Flavor,
        fields: &[
            Field::of("name"),
            Field::of("ram"),
            Field::of("vcpus"),
            Field::of("disk"),
            Field::of("ephemeral").to("OS-FLV-EXT-DATA:ephemeral"),
            Field::of("swap").role(Role::Unseen),
            Field::of("rxtx_factor"),
            Field::of("flavorid").to("id"),
            Field::of("is_public").to("os-flavor-access:is_public"),
            Field::of("extra_specs").role(Role::Apart).changes(),
            refused("tenants"),
        ],
    },
    Kind {
        sort: "OS::Nova::ServerGroup",
        service: Service::Compute,
        path: "/os-server-groups",
        one: "server_group",
        many: "server_groups",
        mark: Mark::Name,
        change: Change::Never,
        version: Some("2.15"),
        ready: None,
        lingers: false,
        beside: Beside::Nothing,
        fields: &[Field::of("name"), Field::of("policies"), refused("rules")],
    },
];
