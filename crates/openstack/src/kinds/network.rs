//! Types of Neutron.

use super::{Beside, Change, Field, Inner, Kind, Link, Mark, Names, Ready, Role};
use crate::session::Service;

const NAME: Field = Field::of("name").changes();
const DESCRIPTION: Field = Field::of("description").changes();
const UP: Field = Field::of("admin_state_up").changes();
const TENANT: Field = Field::of("tenant_id");
const SHARED: Field = Field::of("shared").changes();
/// The policy that a rule is part of, which is in the path, and the project, which only a policy has.
const OF_POLICY: Field = Field::of("policy").names(Names::Policy).role(Role::Apart);
const NO_TENANT: Field = Field::of("tenant_id").role(Role::Refused);
const TAGS: Field = Field::of("tags").role(Role::Tags);
const SPECS: Field = Field::of("value_specs").role(Role::Merged).changes();
const POLICY: Field = Field::of("qos_policy").to("qos_policy_id").names(Names::Policy).changes();
const SECURED: Field = Field::of("port_security_enabled").changes();
const NETWORK: Field = Field::of("network").to("network_id").names(Names::Network);
const ZONES: Field = Field::of("availability_zone_hints");

const BUILT: Option<Ready> = Some(Ready { under_way: &["BUILD"] });

const ADDRESS: &[Inner] = &[Inner::of("subnet", "subnet_id", Names::Subnet)];
const GATEWAY: &[Inner] =
    &[Inner::of("network", "network_id", Names::Network), Inner::of("subnet", "subnet_id", Names::Subnet)];

pub(super) static KINDS: &[Kind] = &[
    Kind {
        ready: BUILT,
        ..Kind::network(
            "OS::Neutron::Net",
            "/networks",
            ("network", "networks"),
            Mark::Description,
            &[
                NAME,
                UP,
                TENANT,
                SHARED,
                SECURED,
                POLICY,
                ZONES,
                SPECS,
                TAGS,
                Field::of("dns_domain").changes(),
                Field::of("dhcp_agent_ids").role(Role::Refused),
            ],
        )
    },
    Kind {
        ready: BUILT,
        ..Kind::network(
            "OS::Neutron::ProviderNet",
            "/networks",
            ("network", "networks"),
            Mark::Description,
            &[
                NAME,
                UP,
                TENANT,
                SHARED,
                SECURED,
                ZONES,
                TAGS,
                Field::of("dns_domain").changes(),
                Field::of("network_type").to("provider:network_type"),
                Field::of("physical_network").to("provider:physical_network"),
                Field::of("segmentation_id").to("provider:segmentation_id"),
                Field::of("router_external").to("router:external").changes(),
            ],
        )
    },
    Kind::network(
        "OS::Neutron::Subnet",
        "/subnets",
        ("subnet", "subnets"),
        Mark::Description,
        &[
            NAME,
            NETWORK,
            TENANT,
            SPECS,
            TAGS,
            Field::of("subnetpool").to("subnetpool_id").names(Names::SubnetPool),
            Field::of("segment").to("segment_id").names(Names::Segment),
            Field::of("cidr"),
            Field::of("prefixlen").role(Role::Unseen),
            Field::of("ip_version"),
            Field::of("dns_nameservers").changes(),
            Field::of("gateway_ip").changes(),
            Field::of("enable_dhcp").changes(),
            Field::of("allocation_pools").changes(),
            Field::of("host_routes").changes(),
            Field::of("ipv6_ra_mode"),
            Field::of("ipv6_address_mode"),
        ],
    ),
    Kind::network(
        "OS::Neutron::SubnetPool",
        "/subnetpools",
        ("subnetpool", "subnetpools"),
        Mark::Description,
        &[
            NAME,
            TENANT,
            TAGS,
            Field::of("shared"),
            Field::of("prefixes").changes(),
            Field::of("default_quota").changes(),
            Field::of("default_prefixlen").changes(),
            Field::of("min_prefixlen").changes(),
            Field::of("max_prefixlen").changes(),
            Field::of("is_default").changes(),
            Field::of("address_scope").to("address_scope_id").names(Names::AddressScope).changes(),
        ],
    ),
    Kind::network(
        "OS::Neutron::AddressScope",
        "/address-scopes",
        ("address_scope", "address_scopes"),
        Mark::Name,
        &[NAME, TENANT, SHARED, Field::of("ip_version")],
    ),
    Kind {
        ready: BUILT,
        ..Kind::network(
            "OS::Neutron::Router",
            "/routers",
            ("router", "routers"),
            Mark::Description,
            &[
                NAME,
                UP,
                TENANT,
                SPECS,
                TAGS,
                ZONES,
                Field::of("external_gateway_info").inner(GATEWAY).changes(),
                Field::of("distributed"),
                Field::of("ha"),
                Field::of("l3_agent_id").role(Role::Refused),
                Field::of("l3_agent_ids").role(Role::Refused),
            ],
        )
    },
    Kind::link(
        "OS::Neutron::RouterInterface",
        Service::Network,
        Link::Interface,
        &[
            Field::of("router").names(Names::Router),
            Field::of("subnet").names(Names::Subnet),
            Field::of("port").names(Names::Port),
        ],
    ),
    Kind::link(
        "OS::Neutron::RouterGateway",
        Service::Network,
        Link::Gateway,
        &[Field::of("router_id").names(Names::Router), Field::of("network").names(Names::Network)],
    ),
    Kind::link(
        "OS::Neutron::ExtraRouteSet",
        Service::Network,
        Link::Routes,
        &[Field::of("router").names(Names::Router), Field::of("routes")],
    ),
    Kind {
        ready: BUILT,
        ..Kind::network(
            "OS::Neutron::Port",
            "/ports",
            ("port", "ports"),
            Mark::Description,
            &[
                NAME,
                NETWORK,
                UP,
                SPECS,
                TAGS,
                SECURED,
                POLICY,
                Field::of("fixed_ips").inner(ADDRESS).changes(),
                Field::of("no_fixed_ips").role(Role::Apart).changes(),
                Field::of("security_groups").names(Names::SecurityGroup).changes(),
                Field::of("allowed_address_pairs").changes(),
                Field::of("device_id").role(Role::Unseen),
                Field::of("device_owner").role(Role::Unseen),
                Field::of("mac_address"),
                Field::of("binding:vnic_type").role(Role::Unseen),
                Field::of("dns_name").changes(),
                Field::of("propagate_uplink_status").changes(),
                Field::of("replacement_policy").role(Role::Ignored),
            ],
        )
    },
    Kind::network(
        "OS::Neutron::FloatingIP",
        "/floatingips",
        ("floatingip", "floatingips"),
        Mark::Description,
        &[
            SPECS,
            Field::of("floating_network").to("floating_network_id").names(Names::Network),
            Field::of("floating_subnet").to("subnet_id").names(Names::Subnet).role(Role::Unseen),
            Field::of("floating_ip_address"),
            Field::of("fixed_ip_address").changes(),
            Field::of("port_id").names(Names::Port).changes(),
            Field::of("dns_name"),
            Field::of("dns_domain"),
        ],
    ),
    Kind::link(
        "OS::Neutron::FloatingIPAssociation",
        Service::Network,
        Link::Address,
        &[Field::of("floatingip_id"), Field::of("port_id").names(Names::Port), Field::of("fixed_ip_address")],
    ),
    Kind::network(
        "OS::Neutron::FloatingIPPortForward",
        "/floatingips/{floating_ip}/port_forwardings",
        ("port_forwarding", "port_forwardings"),
        Mark::Same,
        &[
            Field::of("floating_ip").role(Role::Apart),
            Field::of("external_port").changes(),
            Field::of("internal_ip_address").changes(),
            Field::of("internal_port").to("internal_port_id").names(Names::Port).changes(),
            Field::of("internal_port_number").to("internal_port").changes(),
            Field::of("protocol").changes(),
        ],
    ),
    Kind {
        beside: Beside::Rules,
        ..Kind::network(
            "OS::Neutron::SecurityGroup",
            "/security-groups",
            ("security_group", "security_groups"),
            Mark::Description,
            &[
                NAME,
                DESCRIPTION,
                Field::of("stateful").changes(),
                Field::of("rules").role(Role::Apart).changes(),
            ],
        )
    },
    Kind {
        change: Change::Never,
        ..Kind::network(
            "OS::Neutron::SecurityGroupRule",
            "/security-group-rules",
            ("security_group_rule", "security_group_rules"),
            Mark::Description,
            &[
                Field::of("description"),
                Field::of("direction"),
                Field::of("ethertype"),
                Field::of("port_range_max"),
                Field::of("port_range_min"),
                Field::of("protocol"),
                Field::of("remote_group").to("remote_group_id").names(Names::SecurityGroup),
                Field::of("remote_ip_prefix"),
                Field::of("security_group").to("security_group_id").names(Names::SecurityGroup),
            ],
        )
    },
    Kind::network(
        "OS::Neutron::QoSPolicy",
        "/qos/policies",
        ("policy", "policies"),
        Mark::Description,
        &[NAME, DESCRIPTION, SHARED, TENANT],
    ),
    Kind::network(
        "OS::Neutron::QoSBandwidthLimitRule",
        "/qos/policies/{policy}/bandwidth_limit_rules",
        ("bandwidth_limit_rule", "bandwidth_limit_rules"),
        Mark::Same,
        &[
            OF_POLICY,
            NO_TENANT,
            Field::of("direction").changes(),
            Field::of("max_kbps").changes(),
            Field::of("max_burst_kbps").changes(),
        ],
    ),
    Kind::network(
        "OS::Neutron::QoSDscpMarkingRule",
        "/qos/policies/{policy}/dscp_marking_rules",
        ("dscp_marking_rule", "dscp_marking_rules"),
        Mark::Same,
        &[OF_POLICY, NO_TENANT, Field::of("dscp_mark").changes()],
    ),
    Kind::network(
        "OS::Neutron::QoSMinimumBandwidthRule",
        "/qos/policies/{policy}/minimum_bandwidth_rules",
        ("minimum_bandwidth_rule", "minimum_bandwidth_rules"),
        Mark::Same,
        &[OF_POLICY, NO_TENANT, Field::of("direction").changes(), Field::of("min_kbps").changes()],
    ),
    Kind::network(
        "OS::Neutron::RBACPolicy",
        "/rbac-policies",
        ("rbac_policy", "rbac_policies"),
        Mark::Same,
        &[
            TENANT,
            Field::of("action"),
            Field::of("object_id"),
            Field::of("object_type"),
            Field::of("target_tenant").changes(),
        ],
    ),
    Kind {
        ready: BUILT,
        ..Kind::network(
            "OS::Neutron::Trunk",
            "/trunks",
            ("trunk", "trunks"),
            Mark::Description,
            &[
                NAME,
                DESCRIPTION,
                UP,
                Field::of("port").to("port_id").names(Names::Port),
                Field::of("sub_ports").inner(&[Inner::of("port", "port_id", Names::Port)]),
            ],
        )
    },
    Kind::network(
        "OS::Neutron::Segment",
        "/segments",
        ("segment", "segments"),
        Mark::Description,
        &[
            NAME,
            DESCRIPTION,
            NETWORK,
            Field::of("network_type"),
            Field::of("physical_network"),
            Field::of("segmentation_id"),
        ],
    ),
    Kind {
        change: Change::Never,
        ..Kind::network(
            "OS::Neutron::MeteringLabel",
            "/metering/metering-labels",
            ("metering_label", "metering_labels"),
            Mark::Description,
            &[Field::of("name"), Field::of("description"), Field::of("shared")],
        )
    },
];
