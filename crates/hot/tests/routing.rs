//! Floating IPs and routers: what Heat orders of its own accord, what exists already and what others may change.

use locus_hot::Inputs;
use locus_source::{Severity, Sources};

const NETWORK: &str = "
  net: { type: OS::Neutron::Net }
  subnet: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, cidr: 10.0.0.0/24 } }
";
const PORT: &str = "
  port: { type: OS::Neutron::Port, properties: { network: { get_resource: net } } }
";
const ROUTER: &str = "
  router: { type: OS::Neutron::Router, properties: { external_gateway_info: { network: { get_param: public } } } }
";
const INTERFACE: &str = "
  interface:
    type: OS::Neutron::RouterInterface
    properties: { router: { get_resource: router }, subnet: { get_resource: subnet } }
";
const ADDRESS: &str = "
  address:
    type: OS::Neutron::FloatingIP
    properties: { floating_network: { get_param: public }, port_id: { get_resource: port } }
";
const ASSOCIATION: &str = "
  address: { type: OS::Neutron::FloatingIP, properties: { floating_network: { get_param: public } } }
  association:
    type: OS::Neutron::FloatingIPAssociation
    properties: { floatingip_id: { get_resource: address }, port_id: { get_resource: port } }
";

/// The codes of what is wrong with these resources.
fn codes(resources: &[&str]) -> Vec<String> {
    let parameters =
        ["public", "other", "flag"].map(|name| format!("  {name}: {{ type: string }}\n")).concat();
    let text = format!(
        "heat_template_version: 2021-04-16\nparameters:\n{parameters}resources:\n{}",
        resources.concat()
    );
    let sources = Sources::new();
    let file = sources.add("template.yaml", text);
    let template = locus_hot::read(&sources, &file, &Inputs::default()).template.expect("it is a template");
    let found = locus_hot::check(&template).findings;
    let wrong = found.into_iter().filter(|finding| finding.severity > Severity::Note);
    wrong.map(|finding| finding.code.to_string()).collect()
}

#[test]
fn a_floating_ip_needs_a_router_and_heat_sees_to_the_order() {
    assert_eq!(codes(&[NETWORK, PORT, ADDRESS]), ["HOT201"]);
    // Heat creates it after the interface, but deletes it before only if the port names its subnet.
    assert_eq!(codes(&[NETWORK, PORT, ROUTER, INTERFACE, ADDRESS]), ["HOT437"]);
    let port = PORT.replace("net }", "net }, fixed_ips: [ { ip_address: 10.0.0.9 } ]");
    assert!(codes(&[NETWORK, &port, ROUTER, INTERFACE, ADDRESS]).is_empty());
    let ordered = format!("{ADDRESS}    depends_on: interface\n");
    assert!(codes(&[NETWORK, PORT, ROUTER, INTERFACE, &ordered]).is_empty());
}

#[test]
fn heat_does_not_see_to_the_order_of_an_association() {
    assert_eq!(codes(&[NETWORK, PORT, ASSOCIATION]), ["HOT210"]);
    assert_eq!(codes(&[NETWORK, PORT, ROUTER, INTERFACE, ASSOCIATION]), ["HOT211"]);
    let ordered = format!("{ASSOCIATION}    depends_on: interface\n");
    assert!(codes(&[NETWORK, PORT, ROUTER, INTERFACE, &ordered]).is_empty());
    let port = PORT.replace("port: {", "port: { depends_on: interface,");
    assert!(codes(&[NETWORK, &port, ROUTER, INTERFACE, ASSOCIATION]).is_empty());
}

#[test]
fn heat_orders_by_the_addresses_of_a_port() {
    let port = PORT.replace("net }", "net }, fixed_ips: [ { ip_address: 10.0.0.9 } ]");
    assert!(codes(&[NETWORK, &port, ROUTER, INTERFACE, ASSOCIATION]).is_empty());
}

#[test]
fn heat_orders_by_a_gateway_that_is_a_resource() {
    let router = "
  router: { type: OS::Neutron::Router }
  gateway:
    type: OS::Neutron::RouterGateway
    properties: { router_id: { get_resource: router }, network: { get_param: public } }
";
    assert!(codes(&[NETWORK, PORT, router, INTERFACE, ASSOCIATION]).is_empty());
}

#[test]
fn old_names_of_properties_mean_the_same() {
    let port = PORT.replace("network:", "network_id:");
    let interface = INTERFACE.replace("router:", "router_id:").replace("subnet:", "subnet_id:");
    let association = ASSOCIATION.replace("floating_network:", "floating_network_id:");
    assert_eq!(codes(&[NETWORK, &port, ROUTER, &interface, &association]), ["HOT211"]);
    let address = ADDRESS.replace("floating_network:", "floating_network_id:");
    assert_eq!(codes(&[NETWORK, &port, &address]), ["HOT201"]);
}

#[test]
fn two_names_of_what_exists_may_mean_the_same() {
    let other = ROUTER.replace("get_param: public", "get_param: other");
    assert_eq!(codes(&[NETWORK, PORT, &other, INTERFACE, ADDRESS]), ["HOT437"]);
    let named = ROUTER.replace("{ get_param: public }", "public");
    assert_eq!(codes(&[NETWORK, PORT, &named, INTERFACE, ADDRESS]), ["HOT437"]);
}

#[test]
fn a_router_or_a_network_that_exists_may_have_what_is_missing() {
    let interface = INTERFACE.replace("{ get_resource: router }", "my-router");
    assert_eq!(codes(&[NETWORK, PORT, &interface, ADDRESS]), ["HOT437"]);
    assert_eq!(codes(&[NETWORK, PORT, &interface, ASSOCIATION]), ["HOT211"]);
    let port = PORT.replace("{ get_resource: net }", "{ get_param: other }");
    assert!(codes(&[&port, ADDRESS]).is_empty());
}

#[test]
fn a_resource_of_another_type_may_add_what_is_missing() {
    let group = "
  group:
    type: OS::Heat::ResourceGroup
    properties: { resource_def: { type: attach.yaml, properties: { subnet: { get_resource: subnet } } } }
";
    assert!(codes(&[NETWORK, PORT, ADDRESS, group]).is_empty());
}

#[test]
fn a_network_is_external_if_anything_says_so() {
    let address = "
  address: { type: OS::Neutron::FloatingIP, properties: { floating_network: { get_resource: net } } }
";
    let policy = "
  policy:
    type: OS::Neutron::RBACPolicy
    properties:
      object_type: network
      object_id: { get_resource: net }
      action: access_as_external
      target_tenant: '*'
";
    let net = "
  net: { type: OS::Neutron::Net }
";
    let specs = "
  net: { type: OS::Neutron::Net, properties: { value_specs: { 'router:external': true } } }
";
    let existing = "
  net: { type: OS::Neutron::Net, external_id: 1bd5a7d3 }
";
    assert_eq!(codes(&[net, address]), ["HOT200"]);
    assert!(codes(&[net, policy, address]).is_empty());
    let subnet = "
  subnet: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, cidr: 10.0.0.0/24 } }
";
    assert!(codes(&[specs, subnet, address]).is_empty());
    assert!(codes(&[existing, address]).is_empty());
}

#[test]
fn a_server_has_metadata_if_one_of_its_networks_may_have_it() {
    let server = |rest: &str, networks: &str| {
        format!(
            "
  server:
    type: OS::Nova::Server
    properties: {{ flavor: small, image: cirros, {rest}networks: [ {networks} ] }}
"
        )
    };
    let port = "{ port: { get_resource: port } }";
    assert_eq!(codes(&[NETWORK, PORT, &server("", port)]), ["HOT260"]);
    assert_eq!(codes(&[NETWORK, &server("", "{ subnet: { get_resource: subnet } }")]), ["HOT260"]);
    assert!(codes(&[NETWORK, PORT, &server("", &format!("{port}, {{ network: management }}"))]).is_empty());
    assert!(codes(&[NETWORK, PORT, &server("config_drive: { get_param: flag }, ", port)]).is_empty());
}

#[test]
fn the_next_hop_of_a_route_is_in_a_subnet_of_the_router() {
    const ROUTE: &str = "
  route:
    type: OS::Neutron::ExtraRoute
    properties: { router_id: { get_resource: router }, destination: 10.1.0.0/16, nexthop: 10.0.0.7 }
";
    let closed = "\n  router: { type: OS::Neutron::Router }\n";
    assert!(codes(&[NETWORK, closed, INTERFACE, ROUTE]).is_empty());
    assert_eq!(codes(&[NETWORK, closed, INTERFACE, &ROUTE.replace("10.0.0.7", "10.0.1.7")]), ["HOT361"]);
    // A router that is made here and has no interface has no subnet at all, unless it is that of its gateway.
    assert_eq!(codes(&[closed, ROUTE]), ["HOT361"]);
    assert!(codes(&[ROUTER, ROUTE]).is_empty());
    // The subnet of an interface may not be known.
    let elsewhere = INTERFACE.replace("subnet: { get_resource: subnet }", "port: { get_param: other }");
    assert!(codes(&[closed, &elsewhere, ROUTE]).is_empty());
    let unknown = INTERFACE.replace("{ get_resource: subnet }", "{ get_param: other }");
    assert!(codes(&[closed, &unknown, ROUTE]).is_empty());
}

#[test]
fn machines_that_choose_their_addresses_are_asked_for_none_by_network_either() {
    let port = |mode: &str, more: &str| {
        codes(&[&format!(
            "
  net: {{ type: OS::Neutron::Net }}
  subnet:
    type: OS::Neutron::Subnet
    properties:
      network: {{ get_resource: net }}
      ip_version: 6
      cidr: 2001:db8::/64
      ipv6_ra_mode: {mode}
      ipv6_address_mode: {mode}
  port:
    type: OS::Neutron::Port
    depends_on: subnet
    properties: {{ network: {{ get_resource: net }}, fixed_ips: [ {{ ip_address: 2001:db8::9 }} ]{more} }}
"
        )])
    };
    assert_eq!(port("slaac", ""), ["HOT145"]);
    assert_eq!(port("dhcpv6-stateless", ""), ["HOT145"]);
    assert!(port("dhcpv6-stateful", "").is_empty());
    assert!(port("slaac", ", mac_address: 'fa:16:3e:00:00:01'").is_empty());
}
