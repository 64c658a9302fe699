//! Deployments that were stored before things had keys: they are read, changed, gone on with, rolled back and taken
//! down.
//!
//! The stores under `before_keys/` are dumps of what such a version wrote; a folder and the mark of that folder stand
//! in them as `@FOLDER@` and `@MARK@`.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

struct Deployed(tempfile::TempDir);

impl Deployed {
    /// A folder with the service, and the store that is in a dump.
    fn new(dump: &str) -> Self {
        let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/before_keys");
        let folder = tempfile::tempdir().expect("a folder can be made");
        for file in ["shop.tosca.yaml", "service.sh"] {
            std::fs::copy(kept.join(file), folder.path().join(file)).expect(file);
        }
        let store = folder.path().join(".locus");
        std::fs::create_dir(&store).expect("a folder can be made");
        std::fs::write(store.join("id"), "mark").expect("it can be written");
        let at = folder.path().canonicalize().expect("it is there");
        let dump = std::fs::read_to_string(kept.join(dump)).expect(dump);
        let dump = dump.replace("@FOLDER@", &at.display().to_string()).replace("@MARK@", "mark");
        let database = rusqlite::Connection::open(store.join("store.db")).expect("it can be made");
        database.execute_batch(&dump).expect("it is a dump");
        Self(folder)
    }

    fn locus(&self, arguments: &[&str]) -> (i32, Value) {
        let output = Command::new(env!("CARGO_BIN_EXE_locus"))
            .args(arguments)
            .args(["--format", "json"])
            .current_dir(self.0.path())
            .env_remove("LOCUS_STORE")
            .output()
            .expect("it can be run");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let answer = serde_json::from_str(&said);
        let errors = String::from_utf8_lossy(&output.stderr);
        (
            output.status.code().expect("it was not killed"),
            answer.unwrap_or_else(|error| panic!("{error}: {said}{errors}")),
        )
    }

    /// The lines that programs have written since this was asked last.
    fn log(&self) -> Vec<String> {
        let path = self.0.path().join("log");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let _ = std::fs::remove_file(path);
        text.lines().map(str::to_owned).collect()
    }

    fn edit(&self, from: &str, to: &str) {
        let path = self.0.path().join("shop.tosca.yaml");
        let text = std::fs::read_to_string(&path).expect("it is there");
        assert!(text.contains(from), "{from}");
        std::fs::write(path, text.replace(from, to)).expect("it can be written");
    }

    /// The name and the key of each node that is there.
    fn nodes(&self) -> Vec<(String, Value)> {
        let (code, status) = self.locus(&["status", "shop"]);
        assert_eq!(code, 0, "{status}");
        let nodes = status["deployments"][0]["nodes"].as_array().expect("a list").clone();
        let node = |node: &Value| (node["name"].as_str().expect("a text").to_owned(), node["key"].clone());
        nodes.iter().map(node).collect()
    }

    fn verified(&self) {
        let (code, verified) = self.locus(&["events", "shop", "--verify"]);
        assert_eq!(code, 0, "{verified}");
    }
}

const UP: [&str; 3] = ["up", "shop.tosca.yaml", "--yes"];

#[test]
fn a_deployment_of_names_is_read_changed_and_taken_down() {
    let shop = Deployed::new("finished.sql");
    let names: Vec<String> = shop.nodes().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["db", "web[0]", "web[1]"]);

    let (code, answer) = shop.locus(&UP);
    assert_eq!((code, &answer["outcome"]), (0, &json!("nothing to do")), "{answer}");
    assert!(shop.log().is_empty());

    shop.edit("port: 8080", "port: 9090");
    shop.edit("count: 2", "count: 3");
    let (code, answer) = shop.locus(&UP);
    assert_eq!((code, &answer["outcome"]), (0, &json!("done, and its way was not judged")), "{answer}");
    let mut log = shop.log();
    log.sort();
    let expected = [
        "create web[2] 9090 http://db",
        "start web[0] 9090 http://db",
        "start web[1] 9090 http://db",
        "start web[2] 9090 http://db",
    ];
    assert_eq!(log, expected);
    let keys: Vec<Value> = shop.nodes().into_iter().map(|(_, key)| key).collect();
    assert_eq!(keys, [json!("db"), json!(["web", 0]), json!(["web", 1]), json!(["web", 2])]);

    let (code, answer) = shop.locus(&["down", "shop", "--yes"]);
    assert_eq!((code, &answer["status"]), (0, &json!("DELETE_COMPLETE")), "{answer}");
    assert_eq!(shop.log().iter().filter(|line| line.starts_with("delete")).count(), 4);
    shop.verified();
}

#[test]
fn an_update_that_fails_goes_back_to_a_deployment_of_names() {
    let shop = Deployed::new("finished.sql");
    shop.edit("port: 8080", "port: 9090");
    shop.edit("count: 2", "count: 3");
    // What is changed cannot start again, and what was never changed is as it was.
    shop.edit("start: { implementation: service.sh", "start: { implementation: broken.sh");
    std::fs::write(shop.0.path().join("broken.sh"), "#!/bin/sh\nexit 3\n").expect("it can be written");
    let (code, answer) = shop.locus(&UP);
    assert_eq!((code, &answer["status"]), (1, &json!("UPDATE_ROLLBACK_COMPLETE")), "{answer}");
    let names: Vec<String> = shop.nodes().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["db", "web[0]", "web[1]"]);
    let log = shop.log();
    assert!(log.contains(&"delete web[2] 9090 http://db".to_owned()), "{log:?}");
    shop.verified();
    let (code, answer) = shop.locus(&["down", "shop", "--yes"]);
    assert_eq!((code, &answer["status"]), (0, &json!("DELETE_COMPLETE")), "{answer}");
}

#[test]
fn a_creation_that_was_interrupted_goes_on() {
    let shop = Deployed::new("interrupted.sql");
    let (code, status) = shop.locus(&["status", "shop"]);
    assert_eq!((code, &status["deployments"][0]["goes_on"]), (0, &json!(true)), "{status}");
    shop.edit("count: 2", "count: 1");
    let (code, answer) = shop.locus(&UP);
    assert_eq!((code, &answer["status"]), (0, &json!("UPDATE_COMPLETE")), "{answer}");
    let log = shop.log();
    assert_eq!(log[0], "start web[1] 8080 http://db", "what was going on is ended first");
    // One of one is another thing than the first of two.
    let keys: Vec<Value> = shop.nodes().into_iter().map(|(_, key)| key).collect();
    assert_eq!(keys, [json!("db"), json!("web")], "{log:?}");
    shop.verified();
}

#[test]
fn a_creation_that_was_interrupted_is_taken_down() {
    let shop = Deployed::new("interrupted.sql");
    let (code, answer) = shop.locus(&["down", "shop", "--yes"]);
    assert_eq!((code, &answer["status"]), (0, &json!("DELETE_COMPLETE")), "{answer}");
    assert_eq!(shop.log().iter().filter(|line| line.starts_with("delete")).count(), 3);
    shop.verified();
}

#[test]
fn a_name_that_two_things_have_now_is_not_guessed() {
    let shop = Deployed::new("finished.sql");
    // Two things are called `web[0]` now, and neither is as it was deployed.
    shop.edit("port: 8080", "port: 9090");
    shop.edit(
        "node_templates:\n",
        "node_templates:\n    \"web[0]\": { type: Service, properties: { port: 1 } }\n",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .args(UP)
        .current_dir(shop.0.path())
        .env_remove("LOCUS_STORE")
        .output()
        .expect("it can be run");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("several things are called web[0] now"), "{errors}");
    assert!(shop.log().is_empty());
}
