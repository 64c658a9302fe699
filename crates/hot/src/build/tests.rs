//! Tests of the things that a template is built of.

use locus_source::Sources;

use super::*;
use crate::Inputs;

fn built(text: &str, parameters: &[(&str, &str)]) -> Result<Vec<Thing>, String> {
    let sources = Sources::new();
    let file = sources.add("a.yaml", text);
    let parameters =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let read = crate::read(&sources, &file, &Inputs { whole: true, parameters, ..Inputs::default() });
    assert!(
        read.findings.iter().all(|one| one.severity != locus_source::Severity::Error),
        "{:?}",
        read.findings
    );
    build(&read.template.expect("it is a template"))
}

fn properties(things: &[Thing], name: &str) -> Value {
    let thing = things.iter().find(|thing| thing.name == name).expect("it is there");
    thing.specification.clone().expect("it has one")["properties"].clone()
}

const NETWORK: &str = "\
heat_template_version: 2018-08-31
parameters:
  cidr: {type: string, default: 10.0.0.0/24}
  size: {type: number, default: 3}
resources:
  net: {type: OS::Neutron::Net}
  sub: {type: OS::Neutron::Subnet, properties: {network_id: {get_resource: net}, cidr: {get_param: cidr}}}
  all:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: size}
      resource_def:
        type: OS::Neutron::Port
        properties: {network: {get_resource: net}, name: {list_join: ['-', [p%index%, {get_attr: [net, name]}]]}}
  text: {type: OS::Heat::Value, properties: {value: {get_attr: [all, resource.2.mac_address]}}}
outputs:
  macs: {value: {get_attr: [all, mac_address]}}
  last: {value: {get_attr: [text, value]}}
  first: {value: {get_attr: [all, fixed_ips, 0, 0, ip_address]}}
";

#[test]
fn groups_and_values_come_to_single_things() {
    let things = built(NETWORK, &[]).expect("all of it is known");
    let names: Vec<&str> = things.iter().map(|thing| thing.name.as_str()).collect();
    assert_eq!(names, ["net", "sub", "all[0]", "all[1]", "all[2]", "outputs"]);
    assert_eq!(
        properties(&things, "sub")["network"],
        json!({ "$id": "net" }),
        "the old name stands for the new one"
    );
    assert_eq!(properties(&things, "sub")["ip_version"], json!(4), "a default of Heat");
    let name = json!({ "$call": "list_join", "given": ["-", ["p1", { "$attr": ["net", "name"] }]] });
    assert_eq!(properties(&things, "all[1]")["name"], name);
    let outputs = properties(&things, "outputs");
    assert_eq!(outputs["last"], json!({ "$attr": ["all[2]", "mac_address"] }));
    assert_eq!(outputs["macs"][1], json!({ "$attr": ["all[1]", "mac_address"] }));
    assert_eq!(outputs["first"], json!({ "$attr": ["all[0]", "fixed_ips", 0, "ip_address"] }));
    let things = built(NETWORK, &[("size", "40")]).expect("all of it is known");
    assert_eq!(things.len(), 43);
}

#[test]
fn what_is_not_known_is_said() {
    let text = "\
heat_template_version: 2018-08-31
parameters: {key: {type: string}, word: {type: string, hidden: true, default: x}}
resources:
  a: {type: OS::Nova::KeyPair, properties: {name: {get_param: key}, public_key: {get_param: word}}}
";
    assert_eq!(built(text, &[]).expect_err("it has none"), "`name` of `a`: the parameter `key` has no value");
    let hidden = built(text, &[("key", "k"), ("word", "hush")]).expect_err("it would be stored");
    assert!(hidden.contains("secret:env:VARIABLE") && !hidden.contains("hush"), "{hidden}");
    let things = built(text, &[("key", "k"), ("word", "secret:env:WORD")]).expect("it says where it is");
    let call = json!({ "$call": "$secret", "given": "secret:env:WORD" });
    assert_eq!(properties(&things, "a")["public_key"], call);
}

#[test]
fn every_referent_that_changes_is_seen_by_itself() {
    let text = "\
heat_template_version: 2018-08-31
resources:
  one: {type: OS::Neutron::SecurityGroup}
  two: {type: OS::Neutron::SecurityGroup}
  port:
    type: OS::Neutron::Port
    properties: {network: public, security_groups: [{get_resource: one}, {get_resource: two}]}
";
    let things = built(text, &[]).expect("all of it is known");
    let needs: Vec<_> = things[2].needs.iter().filter_map(|need| need.via.as_deref()).collect();
    assert_eq!(needs, ["security_groups (one)", "security_groups (two)"]);
}
