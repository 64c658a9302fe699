//! All that drivers make of a deployment, from the command line: outputs, things that are taken over, several places,
//! programs that take too long, and what somebody who cancels does not wait for.

#[path = "common/shop.rs"]
mod shop;

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use shop::Shop;

const UP: [&str; 5] = ["up", "shop.yaml", "--yes", "--format", "json"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&UP[..], more].concat()
}

#[test]
fn outputs_are_told_and_events_say_when_and_who() {
    let shop = Shop::new();
    assert_eq!(shop.json(&UP).0, 0);
    assert_eq!(shop.locus(&["output", "shop", "web.url"]), (0, "http://localhost:8080\n".to_owned()));
    let (code, all) = shop.json(&["output", "shop", "--format", "json"]);
    assert_eq!((code, &all["database.url"]), (0, &Value::from("http://localhost:5432")), "{all}");
    let (code, text) = shop.locus(&["output", "shop", "web.nothing"]);
    assert!(code == 2 && text.contains("has no output web.nothing"), "{text}");
    let asked = shop.command(&["events", "shop"]).env("USER", "ada").output().expect("it can be run");
    let text = String::from_utf8(asked.stdout).expect("it is a text");
    let first = text.lines().next().expect("something happened");
    let when = first.split_whitespace().nth(1).expect("it says when");
    assert!(when.len() == 24 && when.starts_with("20") && when.ends_with('Z'), "{first}");
    let (_, text) = shop.locus(&["down", "shop", "--yes", "--quiet"]);
    assert!(text.contains("deleted"), "{text}");
    let again = shop.command(&UP).env("USER", "ada").output().expect("it can be run");
    assert!(again.status.success());
    let (_, text) = shop.locus(&["events", "shop"]);
    assert!(text.lines().next().is_some_and(|line| line.contains("submitted: by ada")), "{text}");
}

/// The programs of a node that exists are told what the world calls it.
#[test]
fn programs_are_told_the_id_of_their_node() {
    let shop = Shop::new();
    shop.edit("service.sh", "set -e", "set -e\necho \"$LOCUS_OPERATION $LOCUS_NODE $LOCUS_ID.\" >> ids");
    assert_eq!(shop.json(&UP).0, 0);
    let ids = std::fs::read_to_string(shop.0.path().join("ids")).expect("they were told");
    assert!(ids.contains("create web .\n") && ids.contains("start web web.\n"), "{ids}");
}

#[test]
fn what_exists_is_taken_over_by_its_id() {
    let shop = Shop::new();
    let up = with(&["--simulate", "0"]);
    let (code, built) = shop.json(&up);
    assert_eq!(code, 0, "{built}");
    let id = |name: &str| {
        let nodes = built["nodes"].as_array().expect("it is a list");
        let node = nodes.iter().find(|node| node["name"] == name).expect(name);
        node["id"].as_str().expect("it has an id").to_owned()
    };
    let (database, web) = (id("database"), id("web"));
    // The store forgets all of it, and the cloud does not.
    assert_eq!(shop.locus(&["forget", "shop", "--yes"]).0, 0);
    let wrong = format!("database={web}");
    let (code, text) = shop.locus(&with(&["--simulate", "0", "--import", &wrong]));
    assert!(code == 2, "{text}");
    let taken = format!("database={database}");
    let (code, answer) = shop.json(&with(&["--simulate", "0", "--import", &taken]));
    assert_eq!(code, 0, "{answer}");
    let found =
        answer["nodes"].as_array().expect("it is a list").iter().find(|node| node["name"] == "database");
    assert_eq!(found.expect("it is there")["id"], Value::from(database.as_str()));
    let (_, events) = shop.locus(&["events", "shop"]);
    assert!(events.contains("IMPORT_COMPLETE") && events.contains("import database done"), "{events}");
    assert!(!events.contains("create database done"), "{events}");
    // What is there already is not taken again, and what is not described cannot be.
    assert_eq!(shop.locus(&["import", "shop", "database", &database]).0, 0);
    assert_eq!(shop.locus(&["import", "shop", "database", "another"]).0, 2);
    assert_eq!(shop.locus(&["import", "shop", "cache", &database]).0, 2);
    assert_eq!(shop.locus(&["down", "shop", "--yes"]).0, 0);
}

/// Programs cannot take over what they did not make.
#[test]
fn a_driver_that_takes_nothing_over_says_so() {
    let shop = Shop::new();
    let (code, text) = shop.locus(&with(&["--import", "database=x"]));
    assert!(code == 2 && text.contains("cannot be taken over"), "{text}");
    assert!(!shop.0.path().join("services/database").exists());
}

#[test]
fn single_nodes_are_made_elsewhere() {
    let shop = Shop::new();
    let sites = "[lab]\ndriver = \"simulated\"\nseed = \"0\"\nnodes = [\"data*\"]\n";
    std::fs::write(shop.0.path().join("sites.toml"), sites).expect("it can be written");
    let up = with(&["--sites", "sites.toml"]);
    let (code, answer) = shop.json(&up);
    assert_eq!(code, 0, "{answer}");
    assert!(shop.log().iter().all(|line| !line.contains("database")), "no program made it: {:?}", shop.log());
    assert!(shop.0.path().join("services/web/port").exists());
    let cloud = std::fs::read_to_string(shop.0.path().join(".locus/cloud-shop.jsonl")).expect("it was made");
    assert!(cloud.contains("\"database\"") && !cloud.contains("\"web\""), "{cloud}");
    assert_eq!(shop.locus(&["drift", "shop"]).0, 2, "programs without `check` cannot tell");
    let (code, answer) = shop.json(&up);
    assert_eq!((code, &answer["outcome"]), (0, &Value::from("nothing to do")), "{answer}");
    // A node that is to be elsewhere is replaced.
    let (code, answer) = shop.json(&UP);
    assert_eq!(code, 0, "{answer}");
    assert!(shop.0.path().join("services/database~2/port").exists(), "it is a new one");
    assert_eq!(shop.locus(&["down", "shop", "--yes"]).0, 0);
    let cloud = std::fs::read_to_string(shop.0.path().join(".locus/cloud-shop.jsonl")).expect("it was made");
    assert!(cloud.lines().any(|line| line.contains("\"delete\"")), "{cloud}");
    std::fs::write(shop.0.path().join("sites.toml"), sites.replace("simulated", "cloud9"))
        .expect("it is ours");
    let (code, text) = shop.locus(&up);
    assert!(code == 2 && text.contains("there is no driver `cloud9`"), "{text}");
}

/// All that has a token of the deployment and is no node of it is found.
#[test]
fn what_nobody_knows_of_is_found() {
    let shop = Shop::new();
    let (code, answer) = shop.json(&with(&["--simulate", "0"]));
    assert_eq!(code, 0, "{answer}");
    assert_eq!(shop.locus(&["drift", "shop"]).0, 0);
    let cloud = shop.0.path().join(".locus/cloud-shop.jsonl");
    let text = std::fs::read_to_string(&cloud).expect("it is there");
    let line =
        text.lines().find(|line| line.contains("create") && line.contains("web#")).expect("web is made");
    let more = line.replace("web#1", "ghost#1").replace("\"web\"", "\"ghost\"");
    std::fs::write(&cloud, format!("{text}{more}\n")).expect("it can be written");
    let (code, text) = shop.locus(&["drift", "shop"]);
    assert!(code == 1 && text.contains("ghost#1 is there, and no node of the deployment is it"), "{text}");
}

fn hanging(is_idempotent: bool) -> Shop {
    let shop = Shop::new();
    shop.edit(
        "service.sh",
        "set -e",
        "set -e\nif [ \"$LOCUS_OPERATION\" = create ] && [ -e hang ]; then sleep 600; fi",
    );
    // What was ended may have made nothing yet.
    shop.edit("service.sh", "rmdir", "rm -rf");
    if is_idempotent {
        shop.edit(
            "shop.yaml",
            "      type: example.Service",
            "      type: example.Service\n      metadata: { idempotent: \"true\" }",
        );
    }
    std::fs::write(shop.0.path().join("hang"), "").expect("it can be written");
    shop
}

#[test]
fn a_program_that_takes_too_long_is_ended_if_it_may_be_run_again() {
    let shop = hanging(true);
    let (code, answer) = shop.json(&with(&["--step-timeout", "start=600", "--step-timeout", "create=1"]));
    assert_eq!((code, &answer["status"]), (1, &Value::from("ROLLBACK_COMPLETE")), "{answer}");
    let (_, events) = shop.locus(&["events", "shop"]);
    assert!(events.contains("was ended, since it took longer than 1 s"), "{events}");
    let shop = hanging(false);
    let (code, answer) = shop.json(&with(&["--step-timeout", "1"]));
    let reason = answer["unknown"][0]["reason"].as_str().unwrap_or_default();
    assert!(code == 2 && reason.contains("takes longer than it may"), "{answer}");
    assert_eq!(shop.locus(&with(&["--step-timeout", "0"])).0, 2);
}

#[test]
fn nobody_who_cancels_waits_for_what_may_be_run_again() {
    let shop = hanging(true);
    let mut up =
        shop.command(&UP).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be run");
    let begun = Instant::now();
    let is_running = |shop: &Shop| {
        let (_, status) = shop.json(&["status", "shop", "--format", "json"]);
        status["deployments"][0]["running"].as_array().is_some_and(|all| !all.is_empty())
    };
    while !Path::new(&shop.0.path().join(".locus/store.db")).exists() || !is_running(&shop) {
        assert!(begun.elapsed() < Duration::from_mins(1), "it never begins");
        std::thread::sleep(Duration::from_millis(50));
    }
    std::fs::remove_file(shop.0.path().join("hang")).expect("it is there");
    let (code, answer) = shop.json(&["cancel", "shop", "--format", "json"]);
    assert_eq!((code, &answer["status"]), (0, &Value::from("ROLLBACK_COMPLETE")), "{answer}");
    assert!(!up.wait().expect("it ends").success());
    assert!(begun.elapsed() < Duration::from_mins(5), "nobody waits for ten minutes");
}
