//! Types of Keystone.

use super::{Beside, Change, Field, Inner, Kind, Link, Mark, Names, Role};
use crate::session::Service;

const NAME: Field = Field::of("name").changes();
const DESCRIPTION: Field = Field::of("description").changes();
const ENABLED: Field = Field::of("enabled").changes();
const DOMAIN: Field = Field::of("domain").to("domain_id").names(Names::Domain);

const ROLES: Field = Field::of("roles").role(Role::Apart).inner(&[
    Inner::of("role", "role", Names::Role),
    Inner::of("project", "project", Names::Project),
    Inner::of("domain", "domain", Names::Domain),
]);

const fn of_keystone(
    sort: &'static str,
    path: &'static str,
    (one, many): (&'static str, &'static str),
    fields: &'static [Field],
) -> Kind {
    Kind {
        service: Service::Identity,
        change: Change::Patch,
        ..Kind::network(sort, path, (one, many), Mark::Own, fields)
    }
}

pub(super) static KINDS: &[Kind] = &[
    of_keystone(
        "OS::Keystone::Project",
        "/projects",
        ("project", "projects"),
        &[
            NAME,
            DESCRIPTION,
            ENABLED,
            DOMAIN,
            Field::of("parent").to("parent_id").names(Names::Project),
            Field::of("tags").changes(),
        ],
    ),
    of_keystone(
        "OS::Keystone::User",
        "/users",
        ("user", "users"),
        &[
            NAME,
            DESCRIPTION,
            ENABLED,
            DOMAIN,
            Field::of("email").changes(),
            Field::of("password").role(Role::Unseen).changes(),
            Field::of("default_project").to("default_project_id").names(Names::Project).changes(),
            Field::of("groups").role(Role::Refused),
            Field::of("roles").role(Role::Refused),
        ],
    ),
    of_keystone(
        "OS::Keystone::Group",
        "/groups",
        ("group", "groups"),
        &[NAME, DESCRIPTION, DOMAIN, Field::of("roles").role(Role::Refused)],
    ),
    of_keystone(
        "OS::Keystone::Role",
        "/roles",
        ("role", "roles"),
        &[NAME, Field::of("domain").to("domain_id").names(Names::Domain)],
    ),
    Kind {
        beside: Beside::Disable,
        ..of_keystone(
            "OS::Keystone::Domain",
            "/domains",
            ("domain", "domains"),
            &[NAME, DESCRIPTION, ENABLED],
        )
    },
    of_keystone(
        "OS::Keystone::Service",
        "/services",
        ("service", "services"),
        &[NAME, DESCRIPTION, ENABLED, Field::of("type").changes()],
    ),
    of_keystone(
        "OS::Keystone::Endpoint",
        "/endpoints",
        ("endpoint", "endpoints"),
        &[
            NAME,
            ENABLED,
            Field::of("interface").changes(),
            Field::of("region").to("region_id").changes(),
            Field::of("service").to("service_id").names(Names::Service).changes(),
            Field::of("url").changes(),
        ],
    ),
    of_keystone(
        "OS::Keystone::Region",
        "/regions",
        ("region", "regions"),
        &[
            DESCRIPTION,
            Field::of("enabled").role(Role::Unseen).changes(),
            Field::of("id"),
            Field::of("parent_region").to("parent_region_id").changes(),
        ],
    ),
    Kind::link(
        "OS::Keystone::UserRoleAssignment",
        Service::Identity,
        Link::Roles,
        &[Field::of("user").names(Names::User), ROLES],
    ),
    Kind::link(
        "OS::Keystone::GroupRoleAssignment",
        Service::Identity,
        Link::Roles,
        &[Field::of("group").names(Names::Group), ROLES],
    ),
];
