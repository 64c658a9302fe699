//! Updates whose old and new file are right, judged in between: each with one that comes close and is not refused.

use std::fmt::Write as _;
use std::process::Command;

/// Plans an update; returns the exit code and all that was said.
fn plan(options: &[&str], name: &str, old: &str, new: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (before, after) = (format!("old.{name}"), format!("new.{name}"));
    std::fs::write(folder.path().join(&before), old).expect("it can be written");
    std::fs::write(folder.path().join(&after), new).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .arg("plan")
        .args(options)
        .args([&before, &after])
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// An update that breaks a rule on the way if Heat executes it, and does not in another order.
fn in_turn(old: &str, refused: &str, code: &str, turn: &str) {
    let (exit, said) = plan(&["--as", "heat"], "yaml", old, refused);
    assert_eq!(exit, Some(1), "{said}");
    assert!(said.contains("refused on the way, after step") && said.contains(&format!("[{code}]")), "{said}");
    assert!(said.contains("old.yaml:") && said.contains("new.yaml:"), "{said}");
    let turn = format!("{turn}: otherwise {code} is broken on the way");
    assert!(said.contains(&format!("in an order that works, {turn}")), "{said}");
    let (exit, said) = plan(&[], "yaml", old, refused);
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains(&turn) && !said.contains("refused"), "{said}");
}

/// An update that comes close and breaks nothing, whoever executes it.
fn fine(old: &str, new: &str) {
    for options in [&["--as", "heat"][..], &[]] {
        let (exit, said) = plan(options, "yaml", old, new);
        assert_eq!(exit, Some(0), "{said}");
        assert!(!said.contains("refused") && !said.contains("otherwise"), "{said}");
    }
}

/// A change that the platform refuses, with its places in both files.
fn refused(old: &str, new: &str, why: &str) {
    for options in [&["--as", "heat"][..], &[]] {
        let (exit, said) = plan(options, "yaml", old, new);
        assert_eq!(exit, Some(1), "{said}");
        assert!(said.contains("cannot be changed") && said.contains(why), "{said}");
        assert!(said.contains("old.yaml:") && said.contains("new.yaml:"), "{said}");
    }
}

fn hot(resources: &str) -> String {
    format!("heat_template_version: 2018-08-31\nresources:\n{resources}")
}

fn subnet(cidr: &str) -> String {
    hot(&format!(
        "  net: {{ type: OS::Neutron::Net }}
  subnet: {{ type: OS::Neutron::Subnet, properties: {{ network: {{ get_resource: net }}, cidr: {cidr} }} }}
"
    ))
}

#[test]
fn the_range_of_a_subnet_that_is_replaced_meets_the_old_one() {
    let turn = "subnet is deleted before it is made anew";
    in_turn(&subnet("10.0.0.0/24"), &subnet("10.0.0.0/25"), "HOT100", turn);
    fine(&subnet("10.0.0.0/24"), &subnet("10.0.1.0/24"));
}

#[test]
fn a_flavor_that_is_replaced_keeps_its_name() {
    let flavor = |name: &str, ram: u32| {
        hot(&format!(
            "  small: {{ type: OS::Nova::Flavor, properties: {{ name: {name}, ram: {ram}, vcpus: 1 }} }}\n"
        ))
    };
    let turn = "small is deleted before it is made anew";
    in_turn(&flavor("small", 512), &flavor("small", 1024), "HOT321", turn);
    fine(&flavor("small", 512), &flavor("larger", 1024));
}

#[test]
fn a_volume_becomes_larger_and_not_smaller() {
    let volume =
        |size: u32| hot(&format!("  disk: {{ type: OS::Cinder::Volume, properties: {{ size: {size} }} }}\n"));
    refused(&volume(20), &volume(10), "disk cannot be changed: the property size changes from 20 to 10");
    fine(&volume(10), &volume(20));
}

/// A port with a floating IP behind a router, which has a gateway or not.
fn behind(gateway: bool, floating: bool) -> String {
    let gateway = if gateway { ", properties: { external_gateway_info: { network: public } }" } else { "" };
    let mut text = subnet("10.0.0.0/24");
    let _ = write!(
        text,
        "  router: {{ type: OS::Neutron::Router{gateway} }}
  plug:
    type: OS::Neutron::RouterInterface
    properties: {{ router: {{ get_resource: router }}, subnet: {{ get_resource: subnet }} }}
  port:
    type: OS::Neutron::Port
    properties: {{ network: {{ get_resource: net }}, fixed_ips: [{{ subnet: {{ get_resource: subnet }} }}] }}
"
    );
    if floating {
        text.push_str(
            "  address:
    type: OS::Neutron::FloatingIP
    depends_on: plug
    properties: { floating_network: public, port_id: { get_resource: port } }
",
        );
    }
    text
}

#[test]
fn a_gateway_is_removed_under_a_floating_ip() {
    let (exit, said) = plan(&["--as", "heat"], "yaml", &behind(true, true), &behind(false, false));
    assert_eq!(exit, Some(1), "{said}");
    let step = "refused on the way, after step 1 (change router from present to updated), \
                before step 2 (delete address)";
    assert!(said.contains(step) && said.contains("HOT201"), "{said}");
    let turn = "address is deleted before router is changed: otherwise HOT201 is broken on the way";
    assert!(said.contains(turn), "{said}");
    let (exit, said) = plan(&[], "yaml", &behind(true, true), &behind(false, false));
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains(turn), "{said}");
    fine(&behind(true, true), &behind(true, false));
}

#[test]
fn a_pool_gets_prefixes_and_loses_none() {
    let pool = |prefixes: &str| {
        hot(&format!(
            "  pool: {{ type: OS::Neutron::SubnetPool, properties: {{ prefixes: [{prefixes}] }} }}\n"
        ))
    };
    let (one, two) = (pool("10.0.0.0/16"), pool("10.0.0.0/16, 10.1.0.0/16"));
    refused(&two, &one, "pool cannot be changed: the property prefixes changes");
    fine(&one, &two);
}

#[test]
fn the_gateway_address_of_a_subnet_changes_under_an_interface() {
    let with = |gateway: &str, interface: bool| {
        let text = subnet(&format!("10.0.0.0/24, gateway_ip: {gateway}"));
        let plug = "  router: { type: OS::Neutron::Router }
  plug:
    type: OS::Neutron::RouterInterface
    properties: { router: { get_resource: router }, subnet: { get_resource: subnet } }
";
        if interface { format!("{text}{plug}") } else { text }
    };
    refused(&with("10.0.0.1", true), &with("10.0.0.2", true), "the property gateway_ip changes");
    fine(&with("10.0.0.1", false), &with("10.0.0.2", false));
    fine(&with("10.0.0.1", false), &with("10.0.0.2", true));
}

#[test]
fn two_networks_exchange_their_segments() {
    let networks = |a: u32, b: u32| {
        let one = |name: &str, number: u32| {
            format!(
                "  {name}:
    type: OS::Neutron::ProviderNet
    properties: {{ network_type: vlan, physical_network: physnet1, segmentation_id: {number} }}
"
            )
        };
        hot(&format!("{}{}", one("a", a), one("b", b)))
    };
    // Whichever is changed first, it is the same as the other; a third number is not asked for.
    for options in [&["--as", "heat"][..], &[]] {
        let (exit, said) = plan(options, "yaml", &networks(100, 200), &networks(200, 100));
        assert_eq!(exit, Some(1), "{said}");
        assert!(said.contains("refused on the way, after step") && said.contains("HOT431"), "{said}");
        assert!(said.contains("no order was found in which no rule is broken on the way"), "{said}");
    }
    fine(&networks(100, 200), &networks(100, 300));
    // One after the other is an order that works.
    in_turn(&networks(100, 200), &networks(200, 300), "HOT431", "b is changed before a is changed");
}

#[test]
fn a_port_of_the_machine_goes_from_one_service_to_another() {
    let services = |a: u32, b: u32| {
        format!(
            "services:
  a: {{ image: \"nginx:1\", ports: [\"{a}:80\"] }}
  b: {{ image: \"nginx:1\", ports: [\"{b}:80\"] }}
"
        )
    };
    let (exit, said) = plan(&[], "compose.yaml", &services(8080, 8081), &services(8081, 8080));
    assert_eq!(exit, Some(0), "{said}");
    assert!(said.contains("otherwise CMP100 is broken on the way"), "{said}");
    let (exit, said) = plan(&[], "compose.yaml", &services(8080, 8081), &services(8080, 8082));
    assert_eq!(exit, Some(0), "{said}");
    assert!(!said.contains("otherwise"), "{said}");
}

#[test]
fn a_rule_that_is_broken_in_several_places_is_told_of_each() {
    let subnets = |cidrs: [&str; 3]| {
        let one = |(at, cidr): (usize, &&str)| {
            format!(
                "  net{at}: {{ type: OS::Neutron::Net }}
  subnet{at}:
    type: OS::Neutron::Subnet
    properties: {{ network: {{ get_resource: net{at} }}, cidr: {cidr} }}
"
            )
        };
        hot(&cidrs.iter().enumerate().map(one).collect::<String>())
    };
    let (old, new) = (
        subnets(["10.0.0.0/24", "10.1.0.0/24", "10.2.0.0/24"]),
        subnets(["10.0.0.0/25", "10.1.0.0/25", "10.3.0.0/24"]),
    );
    let (exit, said) = plan(&["--as", "heat"], "yaml", &old, &new);
    assert_eq!(exit, Some(1), "{said}");
    assert_eq!(said.matches("error[HOT100]").count(), 2, "{said}");
    assert!(said.contains("`subnet0 (old)`") && said.contains("`subnet1 (old)`"), "{said}");
}

#[test]
fn programs_are_told_between_which_steps() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, cidr) in [("old.yaml", "10.0.0.0/24"), ("new.yaml", "10.0.0.0/25")] {
        std::fs::write(folder.path().join(name), subnet(cidr)).expect("it can be written");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .args(["plan", "--as", "heat", "--format", "json", "old.yaml", "new.yaml"])
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(1));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let [one] = &answer["on_the_way"].as_array().expect("a list")[..] else { panic!("{answer}") };
    assert_eq!(one["code"], "HOT100");
    let action = |step: &serde_json::Value| {
        let id = step.as_u64().expect("a number");
        answer["steps"].as_array().expect("steps").iter().find(|one| one["id"] == id).expect("a step").clone()
    };
    assert_eq!(action(&one["after"][0])["changes"][0]["component"], "subnet (new)");
    assert_eq!(action(&one["before"][0])["action"], "delete");
}

#[test]
fn a_file_that_check_refuses_is_not_planned() {
    let broken = hot("  net: { type: OS::Neutron::Net }
  a: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, cidr: 10.0.0.0/24 } }
  b: { type: OS::Neutron::Subnet, properties: { network: { get_resource: net }, cidr: 10.0.0.0/25 } }
");
    let (exit, said) = plan(&[], "yaml", &subnet("10.0.0.0/24"), &broken);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("HOT100") && said.contains("was not planned"), "{said}");
}

#[test]
fn only_heat_templates_are_planned_as_heat_does_it() {
    let services = "services: { a: { image: \"nginx:1\" } }\n";
    let (exit, said) = plan(&["--as", "heat"], "compose.yaml", services, services);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("--as heat is about Heat templates"), "{said}");
}
