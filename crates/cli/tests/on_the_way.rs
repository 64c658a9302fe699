//! Updates whose old and new file are right, judged in between: each with one that comes close and is not refused.

use std::process::Command;

/// Plans an update; returns the exit code and all that was said.
fn plan(name: &str, old: &str, new: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (before, after) = (format!("old.{name}"), format!("new.{name}"));
    std::fs::write(folder.path().join(&before), old).expect("it can be written");
    std::fs::write(folder.path().join(&after), new).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .args(["plan", &before, &after])
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&said).into_owned())
}

/// Each update that is refused, with the code of its rule, beside one that is not.
fn compare(name: &str, old: &str, refused: &str, code: &str, fine: &str) {
    let (exit, said) = plan(name, old, refused);
    assert_eq!(exit, Some(1), "{said}");
    assert!(said.contains("refused on the way, after step"), "{said}");
    assert!(said.contains(code), "{said}");
    let (exit, said) = plan(name, old, fine);
    assert_eq!(exit, Some(0), "{said}");
    assert!(!said.contains("refused"), "{said}");
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
    compare("yaml", &subnet("10.0.0.0/24"), &subnet("10.0.0.0/25"), "HOT100", &subnet("10.0.1.0/24"));
}

#[test]
fn a_flavor_that_is_replaced_keeps_its_name() {
    let flavor = |name: &str, ram: u32| {
        hot(&format!(
            "  small: {{ type: OS::Nova::Flavor, properties: {{ name: {name}, ram: {ram}, vcpus: 1 }} }}\n"
        ))
    };
    compare("yaml", &flavor("small", 512), &flavor("small", 1024), "HOT321", &flavor("larger", 1024));
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
    compare("yaml", &networks(100, 200), &networks(200, 100), "HOT431", &networks(100, 300));
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
    compare("compose.yaml", &services(8080, 8081), &services(8081, 8080), "CMP100", &services(8080, 8082));
}

#[test]
fn programs_are_told_between_which_steps() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, cidr) in [("old.yaml", "10.0.0.0/24"), ("new.yaml", "10.0.0.0/25")] {
        std::fs::write(folder.path().join(name), subnet(cidr)).expect("it can be written");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .args(["plan", "--format", "json", "old.yaml", "new.yaml"])
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
    let (exit, said) = plan("yaml", &subnet("10.0.0.0/24"), &broken);
    assert_eq!(exit, Some(2), "{said}");
    assert!(said.contains("HOT100") && said.contains("was not planned"), "{said}");
}
