//! The order that Heat adds to what a template writes: circles with it, as Heat refuses them.

use locus_hot::{Inputs, read};
use locus_source::{Severity, Sources};

/// The messages of errors about circles.
fn circles(resources: &str) -> String {
    let sources = Sources::new();
    let text = format!(
        "heat_template_version: 2018-08-31\nparameters: {{ which: {{ type: string }} }}\nresources:\n{resources}"
    );
    let file = sources.add("t.yaml", text);
    let reading = read(&sources, &file, &Inputs::default());
    let circle = |finding: &&locus_source::Finding| {
        finding.code.as_str() == "HOT033" && finding.severity == Severity::Error
    };
    reading
        .findings
        .iter()
        .filter(circle)
        .map(|finding| finding.message.clone())
        .collect::<Vec<_>>()
        .join("\n")
}

/// A network with a subnet, a router, and what is added.
fn with(more: &str) -> String {
    circles(&format!(
        "  net: {{ type: OS::Neutron::Net }}
  sub: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: 10.0.0.0/24 }} }}
  router: {{ type: OS::Neutron::Router, properties: {{ external_gateway_info: {{ network: public }} }} }}
  port: {{ type: OS::Neutron::Port, properties: {{ network: {{ get_resource: net }} }} }}
{more}"
    ))
}

/// An interface of the router that waits for something.
fn interface(after: &str) -> String {
    format!(
        "  i:
    type: OS::Neutron::RouterInterface
    depends_on: {after}
    properties: {{ router: {{ get_resource: router }}, subnet: {{ get_resource: sub }} }}
"
    )
}

// Heat 27.0.1 was asked about each of these.

#[test]
fn what_waits_for_interfaces_cannot_come_before_them() {
    let set = "  x: { type: OS::Neutron::ExtraRouteSet, properties: { router: { get_resource: router }, routes: [] } }\n";
    assert_eq!(
        with(&format!("{set}{}", interface("x"))),
        "resources depend on each other in a circle: i → x → i"
    );
    assert_eq!(with(&format!("{set}{}", interface("router"))), "");
    let ip = "  x: { type: OS::Neutron::FloatingIP, properties: { floating_network: public, port_id: { get_resource: port } } }\n";
    assert_eq!(
        with(&format!("{ip}{}", interface("x"))),
        "resources depend on each other in a circle: i → x → i"
    );
    // An association looks at the addresses of its port, and there are none.
    let two = "  f: { type: OS::Neutron::FloatingIP, properties: { floating_network: public } }
  x: { type: OS::Neutron::FloatingIPAssociation, properties: { floatingip_id: { get_resource: f }, port_id: { get_resource: port } } }\n";
    assert_eq!(with(&format!("{two}{}", interface("x"))), "");
    let gateway = "  x: { type: OS::Neutron::RouterGateway, properties: { router_id: { get_resource: router }, network: public } }\n";
    assert_eq!(
        with(&format!("{gateway}{}", interface("x"))),
        "resources depend on each other in a circle: i → x → i"
    );
}

#[test]
fn what_waits_for_subnets_cannot_come_before_them() {
    let late = |network: &str, after: &str| {
        format!(
            "  other: {{ type: OS::Neutron::Net }}
  late: {{ type: OS::Neutron::Subnet, depends_on: {after}, properties: {{ network: {network}, cidr: 10.0.1.0/24 }} }}\n"
        )
    };
    let circle = "resources depend on each other in a circle: late → port → late";
    assert_eq!(with(&late("{ get_resource: net }", "port")), circle);
    // Before anything is made, Heat knows no id, so all networks of the template are the same to it.
    assert_eq!(with(&late("{ get_resource: other }", "port")), circle);
    assert_eq!(with(&late("blue", "port")), "");
    // What somebody will give is known to Heat.
    assert_eq!(with(&late("{ get_param: which }", "port")), "");
    assert_eq!(with(&late("{ get_resource: net }", "sub")), "");
}

#[test]
fn a_floating_ip_waits_for_routers_to_its_network() {
    let found = circles(
        "  f: { type: OS::Neutron::FloatingIP, properties: { floating_network: public } }
  r: { type: OS::Neutron::Router, depends_on: f, properties: { external_gateway_info: { network: public } } }\n",
    );
    assert_eq!(found, "resources depend on each other in a circle: r → f → r");
}
