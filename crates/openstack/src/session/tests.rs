//! Tests of the client against answers that a cloud gives.

use std::collections::BTreeSet;
use std::sync::Mutex;

use serde_json::json;

use super::*;
use crate::kinds::{Names, kind};
use crate::work::{Found, Work};

/// Answers by method and the end of the address, in order; an answer that is alone is given again and again.
struct Recorded {
    answers: Mutex<Vec<(String, Vec<Answer>)>>,
    asked: Mutex<Vec<(String, Value)>>,
}

fn answer(status: u16, body: Value) -> Answer {
    Answer { status, body, retry_after: None, token: None }
}

fn token(name: &str) -> Answer {
    let endpoint = |kind: &str, url: &str| {
        json!({ "type": kind, "endpoints": [
            { "interface": "public", "region_id": "One", "url": url },
            { "interface": "internal", "region_id": "One", "url": format!("{url}/internal") },
            { "interface": "public", "region_id": "Two", "url": format!("{url}/two") },
        ] })
    };
    let body = json!({ "token": {
        "project": { "id": "p1" }, "user": { "id": "u1" },
        "catalog": [
            endpoint("network", "http://n"), endpoint("compute", "http://c/v2.1"),
            endpoint("volumev3", "http://v/v3/p1"), endpoint("image", "http://i"),
        ],
    } });
    Answer { token: Some(name.to_owned()), ..answer(201, body) }
}

impl Transport for Recorded {
    fn call(
        &self,
        method: &str,
        url: &str,
        headers: &[(&str, &str)],
        body: Option<&Value>,
    ) -> Result<Answer, Trouble> {
        let told = headers.iter().find(|(name, _)| *name == "X-Auth-Token").map_or("", |(_, token)| token);
        let call = format!("{method} {url}");
        let asked = (format!("{call} {told}"), body.cloned().unwrap_or_default());
        self.asked.lock().expect("nobody panics").push(asked);
        let mut answers = self.answers.lock().expect("nobody panics");
        let found = answers.iter_mut().find(|(wanted, _)| call == *wanted);
        let (_, left) = found.unwrap_or_else(|| panic!("nothing is recorded for {call}"));
        Ok(if left.len() > 1 { left.remove(0) } else { left[0].clone() })
    }
}

fn session(region: Option<&str>, answers: Vec<(&str, Vec<Answer>)>) -> (Session, Arc<Recorded>) {
    let cloud = Cloud {
        auth_url: "http://k/v3".to_owned(),
        auth: Auth::Password(BTreeMap::from([("name", "ada".to_owned()), ("password", "hush".to_owned())])),
        scope: BTreeMap::from([("project_id", "p1".to_owned())]),
        region: region.map(str::to_owned),
        interface: "public".to_owned(),
        roots: Vec::new(),
        verify: true,
        endpoints: BTreeMap::new(),
    };
    let mut all = vec![("POST http://k/v3/auth/tokens".to_owned(), vec![token("t1"), token("t2")])];
    all.extend(answers.into_iter().map(|(call, answers)| (call.to_owned(), answers)));
    let recorded = Arc::new(Recorded { answers: Mutex::new(all), asked: Mutex::default() });
    (Session::new(cloud, Arc::clone(&recorded) as Arc<dyn Transport>), recorded)
}

fn asked(recorded: &Recorded) -> Vec<(String, Value)> {
    recorded.asked.lock().expect("nobody panics").clone()
}

#[test]
fn a_token_that_is_not_accepted_any_more_is_renewed_once() {
    let answers = vec![answer(401, json!({})), answer(200, json!({ "networks": [] }))];
    let (session, recorded) = session(None, vec![("GET http://n/v2.0/networks", answers)]);
    let all = session.all(Service::Network, "/networks", "networks").expect("the second token is accepted");
    assert_eq!(all, [Value::Null; 0]);
    let calls: Vec<String> = asked(&recorded).into_iter().map(|(call, _)| call).collect();
    assert_eq!(
        calls,
        [
            "POST http://k/v3/auth/tokens ",
            "GET http://n/v2.0/networks t1",
            "POST http://k/v3/auth/tokens ",
            "GET http://n/v2.0/networks t2"
        ]
    );
}

#[test]
fn one_who_is_refused_for_good_is_not_asked_for_ever() {
    let (session, recorded) =
        session(None, vec![("GET http://n/v2.0/networks", vec![answer(401, json!({}))])]);
    let trouble = session.ask(&Ask::get(Service::Network, "/networks")).expect_err("it is refused");
    assert_eq!((trouble.kind, asked(&recorded).len()), (Kind::Refused, 4));
}

#[test]
fn the_request_for_a_token_says_who_asks_for_what() {
    let (session, recorded) = session(None, Vec::new());
    assert_eq!(session.project().expect("it is granted"), "p1");
    let user = json!({ "name": "ada", "domain": null, "password": "hush" });
    let identity = json!({ "methods": ["password"], "password": { "user": user } });
    let body = json!({ "auth": { "identity": identity, "scope": { "project": { "id": "p1" } } } });
    assert_eq!(asked(&recorded)[0].1, body);
    assert_eq!(session.region().expect("it is granted"), "One");
}

#[test]
fn the_region_chooses_the_addresses_and_a_missing_service_is_said() {
    let answers = vec![("GET http://c/v2.1/two/servers", vec![answer(200, json!({ "servers": [] }))])];
    let (session, _) = session(Some("Two"), answers);
    assert!(session.all(Service::Compute, "/servers", "servers").is_ok());
    let trouble = session.ask(&Ask::get(Service::Orchestration, "/stacks")).expect_err("there is none");
    assert_eq!(trouble.reason, "the cloud has no Heat in Two");
}

#[test]
fn lists_are_read_page_by_page() {
    let first = json!({
        "ports": [{ "id": "a" }],
        "ports_links": [{ "rel": "next", "href": "http://n/v2.0/ports?marker=a" }],
    });
    let (session, _) = session(
        None,
        vec![
            ("GET http://n/v2.0/ports", vec![answer(200, first)]),
            ("GET http://n/v2.0/ports?marker=a", vec![answer(200, json!({ "ports": [{ "id": "b" }] }))]),
            (
                "GET http://i/v2/images",
                vec![answer(200, json!({ "images": [{ "id": "i" }], "next": "/v2/images?marker=i" }))],
            ),
            ("GET http://i/v2/images?marker=i", vec![answer(200, json!({ "images": [] }))]),
        ],
    );
    assert_eq!(session.all(Service::Network, "/ports", "ports").expect("it answers").len(), 2);
    assert_eq!(session.all(Service::Image, "/images", "images").expect("it answers").len(), 1);
}

#[test]
fn names_stand_for_one_thing_or_for_none() {
    let two = json!({ "networks": [{ "id": "1", "name": "red" }, { "id": "2", "name": "red" }] });
    let (session, recorded) = session(
        None,
        vec![
            (
                "GET http://n/v2.0/networks?name=blue",
                vec![answer(200, json!({ "networks": [{ "id": "n", "name": "blue" }] }))],
            ),
            ("GET http://n/v2.0/networks?name=red", vec![answer(200, two)]),
            ("GET http://n/v2.0/networks?name=none", vec![answer(200, json!({ "networks": [] }))]),
            ("GET http://n/v2.0/networks/none", vec![answer(404, json!({}))]),
        ],
    );
    let id = |name: &str| session.id_of(Names::Network, name).map_err(|trouble| trouble.reason);
    assert_eq!(id("blue").as_deref(), Ok("n"));
    let before = asked(&recorded).len();
    assert_eq!((id("blue").as_deref(), asked(&recorded).len()), (Ok("n"), before), "it is asked once");
    let uuid = "c0ffee00-0000-4000-8000-000000000000";
    assert_eq!(id(uuid).as_deref(), Ok(uuid));
    assert_eq!(id("none"), Err("there is no network `none`".to_owned()));
    assert_eq!(id("red"), Err("there are 2 of the name `red`, each a network".to_owned()));
}

fn work<'a>(session: &'a Session, sort: &str, properties: &'a Map<String, Value>) -> Work<'a> {
    let kind = kind(sort).expect("there is one");
    Work { session, kind, properties, token: "0123/shop/1/web#1", name: "shop-web-1" }
}

fn map(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().expect("it is a map")
}

const PORT: &str = "c0ffee00-0000-4000-8000-000000000001";

#[test]
fn a_server_is_asked_for_in_the_words_of_nova() {
    let flavors = json!({ "flavors": [{ "id": "1", "name": "m1.tiny" }] });
    let images = json!({ "images": [{ "id": "img", "name": "cirros" }] });
    let made = json!({ "server": { "id": "s1", "adminPass": "hush" } });
    let (session, recorded) = session(
        None,
        vec![
            ("GET http://c/v2.1/flavors/detail?is_public=None", vec![answer(200, flavors)]),
            ("GET http://i/v2/images?name=cirros", vec![answer(200, images)]),
            ("POST http://c/v2.1/servers", vec![answer(202, made)]),
            (
                "GET http://c/v2.1/servers/s1",
                vec![answer(200, json!({ "server": { "id": "s1", "status": "BUILD" } }))],
            ),
        ],
    );
    let properties = map(&json!({
        "flavor": "m1.tiny", "image": "cirros", "key_name": "mine", "user_data": "#!/bin/sh\n",
        "user_data_format": "RAW",
        "networks": [{ "port": PORT }], "metadata": { "a": 1 }, "scheduler_hints": { "group": "g" },
        "block_device_mapping_v2": [{ "volume_size": 2, "ephemeral_format": "ext4", "swap_size": 5 }],
    }));
    let made = work(&session, "OS::Nova::Server", &properties).create().expect("it is made");
    assert_eq!(made.id, "s1");
    let asked = asked(&recorded);
    // Nova answers with the id alone, so that the server is read.
    let (_, body) = asked.iter().rfind(|(call, _)| call.starts_with("POST")).expect("it was asked");
    assert_eq!(body["os:scheduler_hints"], json!({ "group": "g" }));
    let server = &body["server"];
    assert_eq!((&server["flavorRef"], &server["imageRef"]), (&json!("1"), &json!("img")));
    assert_eq!(server["user_data"], json!("IyEvYmluL3NoCg=="));
    assert_eq!(server["metadata"], json!({ "a": "1", "locus": "0123/shop/1/web#1" }));
    assert_eq!((&server["networks"], &server["name"]), (&json!([{ "port": PORT }]), &json!("shop-web-1")));
    assert_eq!(server["block_device_mapping_v2"][0]["source_type"], "image");
    assert_eq!(server["block_device_mapping_v2"][1]["guest_format"], "swap");
}

#[test]
fn what_was_made_is_found_by_the_end_of_its_description() {
    let description = "for the web [locus:0123/shop/1/web#1]";
    let query = format!("GET http://n/v2.0/ports?description={}", crate::expression::escaped(description));
    let there = json!({ "id": "p", "description": description, "name": "x" });
    let (session, _) = session(None, vec![(&query, vec![answer(200, json!({ "ports": [there] }))])]);
    let properties = map(&json!({ "value_specs": {}, "network": PORT }));
    // A port of a template has no description of its own, so the query has only the mark.
    let own = "GET http://n/v2.0/ports?description=%5Blocus%3A0123%2Fshop%2F1%2Fweb%231%5D";
    let (bare, recorded) = self::session(None, vec![(own, vec![answer(200, json!({ "ports": [] }))])]);
    assert_eq!(work(&bare, "OS::Neutron::Port", &properties).find(), Ok(Found::Nothing));
    assert_eq!(asked(&recorded).len(), 2);
    let described = map(&json!({ "description": "for the web" }));
    let group = "GET http://n/v2.0/security-groups?description=";
    let (groups, _) = self::session(
        None,
        vec![(
            &format!("{group}{}", crate::expression::escaped(description)),
            vec![answer(200, json!({ "security_groups": [{ "id": "g", "description": description }] }))],
        )],
    );
    let Ok(Found::Ours(group)) = work(&groups, "OS::Neutron::SecurityGroup", &described).find() else {
        panic!("it is found")
    };
    assert_eq!(group.id, "g");
    drop(session);
}

#[test]
fn only_what_is_different_is_changed_and_the_mark_stays() {
    let there = json!({ "subnet": {
        "id": "s", "name": "shop-web-1", "enable_dhcp": true, "dns_nameservers": ["8.8.8.8"], "cidr": "10.0.0.0/24",
        "host_routes": [{ "destination": "0.0.0.0/0", "nexthop": "10.0.0.1" }],
        "description": "[locus:0123/shop/1/web#1]",
    } });
    let path = "http://n/v2.0/subnets/s";
    let (session, recorded) = session(
        None,
        vec![
            (&format!("GET {path}"), vec![answer(200, there)]),
            (&format!("PUT {path}"), vec![answer(200, json!({ "subnet": { "id": "s" } }))]),
        ],
    );
    let properties =
        map(&json!({ "cidr": "10.0.0.0/24", "enable_dhcp": true, "dns_nameservers": ["8.8.4.4"] }));
    work(&session, "OS::Neutron::Subnet", &properties).update("s").expect("it is changed");
    let put = asked(&recorded).into_iter().find(|(call, _)| call.starts_with("PUT")).expect("it was asked");
    // What the template does not give any more is as if it had never been.
    assert_eq!(put.1, json!({ "subnet": { "dns_nameservers": ["8.8.4.4"], "host_routes": [] } }));
}

#[test]
fn the_rules_of_a_group_come_to_what_is_wanted() {
    let rule = |id: &str, direction: &str, port: Value| {
        json!({
            "id": id, "direction": direction, "ethertype": "IPv4", "port_range_min": port,
                "port_range_max": port,
            "protocol": if port.is_null() { Value::Null } else { json!("tcp") }, "remote_group_id": null,
            "remote_ip_prefix": null,
        })
    };
    let rules = json!([
        rule("out", "egress", Value::Null),
        rule("old", "ingress", json!(22)),
        rule("web", "ingress", json!(80))
    ]);
    let group =
        json!({ "security_group": { "id": "g", "name": "shop-web-1", "security_group_rules": rules } });
    let (session, recorded) = session(
        None,
        vec![
            ("GET http://n/v2.0/security-groups/g", vec![answer(200, group)]),
            ("DELETE http://n/v2.0/security-group-rules/old", vec![answer(204, Value::Null)]),
            ("POST http://n/v2.0/security-group-rules", vec![answer(201, json!({}))]),
        ],
    );
    let wanted = |port: u16| {
        json!({ "direction": "ingress", "ethertype": "IPv4", "protocol": "tcp", "port_range_min": port,
                "port_range_max": port,
                "remote_mode": "remote_ip_prefix" })
    };
    let properties = map(&json!({ "rules": [wanted(80), wanted(443)] }));
    work(&session, "OS::Neutron::SecurityGroup", &properties).update("g").expect("it is changed");
    let asked = asked(&recorded);
    let changes: Vec<&str> = asked
        .iter()
        .skip(1)
        .map(|(call, _)| call.split(' ').next().unwrap_or_default())
        .filter(|one| *one != "GET")
        .collect();
    assert_eq!(changes, ["DELETE", "POST"], "the rule that lets everything out stays");
    let (_, made) = asked.iter().rfind(|(call, _)| call.starts_with("POST")).expect("one is made");
    assert_eq!(made["security_group_rule"]["port_range_min"], 443);
    assert_eq!(made["security_group_rule"].get("remote_mode"), None);
}

#[test]
fn names_that_stand_for_nothing_are_said_before_anything_is_built() {
    let none = |key: &str| vec![answer(200, json!({ key: [] }))];
    let missing = || vec![answer(404, json!({}))];
    let flavors = vec![answer(200, json!({ "flavors": [{ "id": "1", "name": "m1.tiny" }] }))];
    let (session, _) = session(
        None,
        vec![
            ("GET http://c/v2.1/flavors/detail?is_public=None", flavors),
            ("GET http://i/v2/images?name=nothing", none("images")),
            ("GET http://i/v2/images/nothing", missing()),
            ("GET http://c/v2.1/os-keypairs/mine", missing()),
        ],
    );
    let properties = map(&json!({
        "flavor": "m1.tiny", "image": "nothing", "key_name": "mine",
        "networks": [{ "network": "own" }, { "port": { "$id": "p" } }],
    }));
    let own = BTreeSet::from(["own".to_owned()]);
    let kind = kind("OS::Nova::Server").expect("there is one");
    let said = session.unresolved(kind, &properties, &own).expect("all can be asked");
    assert_eq!(said, ["there is no image `nothing`", "there is no key pair `mine`"]);
}

#[test]
fn a_volume_grows_by_an_action_and_not_by_its_fields() {
    let there = json!({ "volume": { "id": "v", "name": "old", "size": 1, "metadata": { "locus": "t" }, "status": "available" } });
    let path = "http://v/v3/p1/volumes/v";
    let (session, recorded) = session(
        None,
        vec![
            (&format!("GET {path}"), vec![answer(200, there)]),
            (&format!("PUT {path}"), vec![answer(200, json!({}))]),
            (&format!("POST {path}/action"), vec![answer(202, Value::Null)]),
        ],
    );
    let properties = map(&json!({ "name": "new", "size": 2 }));
    work(&session, "OS::Cinder::Volume", &properties).update("v").expect("it is changed");
    let sent: Vec<Value> =
        asked(&recorded).into_iter().skip(1).map(|(_, body)| body).filter(|body| !body.is_null()).collect();
    let grown = json!({ "os-extend": { "new_size": 2 } });
    assert_eq!(sent, [json!({ "volume": { "name": "new" } }), grown]);
}
