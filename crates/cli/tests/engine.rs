//! The engine from the command line: what it builds, what is left when it is killed, and that it goes on.

#[path = "../../store/tests/common/mod.rs"]
mod postgres;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/cli is two levels down")
        .to_owned()
}

/// A folder of its own with the example.
struct Shop(tempfile::TempDir);

impl Shop {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        for file in ["shop.yaml", "service.sh"] {
            std::fs::copy(root().join("examples/engine").join(file), folder.path().join(file)).expect(file);
        }
        Self(folder)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locus"));
        command.args(args).current_dir(self.0.path()).env_remove("LOCUS_STORE").stdin(Stdio::null());
        command
    }

    fn locus(&self, args: &[&str]) -> (i32, String) {
        let Output { status, stdout, stderr } = self.command(args).output().expect("it can be run");
        let text = String::from_utf8_lossy(&stdout).into_owned();
        (
            status.code().unwrap_or(-1),
            if text.is_empty() { String::from_utf8_lossy(&stderr).into_owned() } else { text },
        )
    }

    fn json(&self, args: &[&str]) -> (i32, Value) {
        let (code, text) = self.locus(args);
        (code, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// What the programs have written down: operation, node and token.
    fn log(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.path().join("services/log")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.0.path().join(file);
        let text = std::fs::read_to_string(&path).expect(file);
        assert!(text.contains(from), "{from}");
        std::fs::write(path, text.replace(from, to)).expect(file);
    }
}

#[test]
fn a_service_is_built_changed_and_taken_down() {
    let shop = Shop::new();
    let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("2 added"), "{text}");
    assert!(text.contains("web.url = http://localhost:8080"), "{text}");
    let log = shop.log();
    let place = |what: &str| log.iter().position(|line| line.starts_with(what)).expect(what);
    assert_eq!(log.len(), 4);
    assert!(
        place("create database") < place("start database") && place("start database") < place("start web")
    );

    let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!((code, text.contains("nothing to do")), (0, true), "{text}");

    shop.edit("shop.yaml", "port: 8080", "port: 9090");
    let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("because the property port changes from 8080 to 9090"), "{text}");
    assert!(text.contains("web.url = http://localhost:9090"), "{text}");

    let (code, status) = shop.json(&["status", "shop", "--format", "json"]);
    assert_eq!((code, &status["deployments"][0]["status"]), (0, &Value::from("UPDATE_COMPLETE")));
    assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
    let (code, text) = shop.locus(&["down", "shop", "--yes"]);
    assert_eq!(code, 0, "{text}");
    assert!(!shop.0.path().join("services/web").exists());
    assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
}

#[test]
fn what_fails_is_undone_or_kept() {
    let shop = Shop::new();
    shop.edit(
        "service.sh",
        "set -e",
        "set -e\n[ \"$LOCUS_OPERATION $LOCUS_NODE\" != 'start web' ] || exit 3",
    );
    let (code, answer) = shop.json(&["up", "shop.yaml", "--yes", "--format", "json"]);
    assert_eq!((code, &answer["status"]), (1, &Value::from("ROLLBACK_COMPLETE")), "{answer}");
    assert!(
        !shop.0.path().join("services/web").exists() && !shop.0.path().join("services/database").exists()
    );
    // There is no dead end: the next attempt begins anew.
    let (code, answer) = shop.json(&["up", "shop.yaml", "--yes", "--format", "json", "--on-failure", "stop"]);
    assert_eq!((code, &answer["status"]), (1, &Value::from("CREATE_FAILED")), "{answer}");
    assert!(shop.0.path().join("services/database").exists());
    shop.edit("service.sh", "|| exit 3", "|| true");
    let (code, answer) = shop.json(&["up", "shop.yaml", "--yes", "--format", "json"]);
    assert_eq!(code, 0, "{answer}");
    assert!(shop.0.path().join("services/web/port").exists(), "what was not finished is finished");
    assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
}

#[test]
fn a_rollback_that_fails_rests_and_goes_on() {
    for command in ["up", "down"] {
        let shop = Shop::new();
        shop.edit(
            "service.sh",
            "set -e",
            "set -e\n[ \"$LOCUS_OPERATION\" != start ] || [ ! -e broken ] || exit 3",
        );
        let up = ["up", "shop.yaml", "--yes", "--format", "json"];
        assert_eq!(shop.json(&up).0, 0);
        std::fs::write(shop.0.path().join("broken"), "").expect("it can be written");
        shop.edit("shop.yaml", "port: 8080", "port: 9090");
        let (code, answer) = shop.json(&up);
        assert_eq!((code, &answer["status"]), (1, &Value::from("UPDATE_ROLLBACK_FAILED")), "{answer}");
        assert_eq!(answer["request"], "rollbackFailed", "{answer}");
        let (code, status) = shop.json(&["status", "shop", "--format", "json"]);
        assert_eq!((code, &status["deployments"][0]["goes_on"]), (0, &Value::from(false)), "it rests");
        // As long as the reason is there, it says so each time.
        let (code, answer) = shop.json(&up);
        assert_eq!((code, &answer["status"]), (1, &Value::from("UPDATE_ROLLBACK_FAILED")), "{answer}");
        if command == "up" {
            std::fs::remove_file(shop.0.path().join("broken")).expect("it is there");
            let (code, answer) = shop.json(&up);
            assert_eq!((code, &answer["status"]), (0, &Value::from("UPDATE_COMPLETE")), "{answer}");
            let port = std::fs::read_to_string(shop.0.path().join("services/web/port")).expect("it runs");
            assert_eq!(port, "9090\n");
        } else {
            // To take it down, nothing must start.
            let (code, answer) = shop.json(&["down", "shop", "--yes", "--format", "json"]);
            assert_eq!((code, &answer["status"]), (0, &Value::from("DELETE_COMPLETE")), "{answer}");
            assert!(!shop.0.path().join("services/web").exists());
        }
        assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
    }
}

#[test]
fn a_creation_that_cannot_be_undone_rests_and_goes_on() {
    for command in ["up", "down"] {
        let shop = Shop::new();
        let fails = "set -e\n[ ! -e broken ] || case \"$LOCUS_OPERATION $LOCUS_NODE\" in 'start web' | delete*) exit 3 ;; esac";
        shop.edit("service.sh", "set -e", fails);
        std::fs::write(shop.0.path().join("broken"), "").expect("it can be written");
        let up = ["up", "shop.yaml", "--yes", "--format", "json"];
        let (code, answer) = shop.json(&up);
        assert_eq!((code, &answer["status"]), (1, &Value::from("ROLLBACK_FAILED")), "{answer}");
        std::fs::remove_file(shop.0.path().join("broken")).expect("it is there");
        let down = ["down", "shop", "--yes", "--format", "json"];
        let (code, answer) = shop.json(if command == "up" { &up } else { &down });
        assert_eq!(code, 0, "{answer}");
        assert_eq!(shop.0.path().join("services/web/port").exists(), command == "up");
        assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
    }
}

#[test]
fn secrets_are_neither_stored_nor_shown() {
    let shop = Shop::new();
    shop.edit("shop.yaml", "          create: service.sh", "          create:\n            implementation: service.sh\n            inputs:\n              password: secret:file:hidden");
    shop.edit(
        "service.sh",
        "set -e",
        "set -e\necho \"saw=$password\" >> \"$LOCUS_OUTPUT\"\necho \"$password\" >> seen",
    );
    std::fs::write(shop.0.path().join("hidden"), "hush-hush\n").expect("it can be written");
    let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("saw = ***"), "{text}");
    assert!(std::fs::read_to_string(shop.0.path().join("seen")).expect("it ran").contains("hush-hush"));
    assert!(!text.contains("hush-hush"), "{text}");
    for file in ["store.db", "store.db-wal"] {
        let bytes = std::fs::read(shop.0.path().join(".locus").join(file)).unwrap_or_default();
        assert!(!bytes.windows(9).any(|window| window == b"hush-hush"), "{file}");
    }
}

#[test]
fn killed_at_any_moment_it_goes_on() {
    let shop = Shop::new();
    shop.edit("service.sh", "set -e", "set -e\nsleep 0.05");
    for round in 0..6u64 {
        let mut child = shop
            .command(&["up", "shop.yaml", "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be run");
        std::thread::sleep(Duration::from_millis(20 + 61 * round));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
        assert_eq!(code, 0, "round {round}: {text}");
        assert!(shop.0.path().join("services/web/port").exists(), "round {round}");
        let (code, text) = shop.locus(&["down", "shop", "--yes"]);
        assert_eq!(code, 0, "round {round}: {text}");
    }
    let log = shop.log();
    let mut once = log.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), log.len(), "no step was done twice: {log:#?}");
    assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
}

#[test]
fn files_of_any_language_can_be_rehearsed() {
    let shop = Shop::new();
    for (name, file) in [("web", "examples/web.lg.yaml"), ("stack", "examples/hot/stack.yaml")] {
        let path = root().join(file);
        let path = path.to_str().expect("a path of ours");
        for seed in ["0", "1", "2", "3"] {
            let (code, answer) =
                shop.json(&["up", path, "--name", name, "--simulate", seed, "--yes", "--format", "json"]);
            assert!(code == 0 || (code == 1 && seed != "0"), "{file} with {seed}: {answer}");
            let (code, answer) = shop.json(&["drift", name, "--format", "json"]);
            assert_eq!(code, 0, "{answer}");
            assert_eq!(shop.locus(&["events", name, "--verify"]).0, 0, "{file} with {seed}");
            let (code, answer) = shop.json(&["down", name, "--yes", "--format", "json"]);
            assert_eq!(code, 0, "{answer}");
        }
    }
}

/// The processes of a run of `locus engine`, ended by their numbers.
struct Workers(Vec<std::process::Child>);

impl Drop for Workers {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn signal(child: &std::process::Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().expect("it can be run");
    assert!(status.success(), "{name}");
}

#[test]
fn workers_that_share_a_server_do_nothing_twice() {
    let Some(server) = postgres::Server::start() else { return };
    let shop = Shop::new();
    shop.edit("service.sh", "set -e", "set -e\nsleep 0.3");
    let address = server.address();
    let store = ["--store", address.as_str(), "--lease", "2"];
    let command = |args: &[&str]| {
        let mut command = shop.command(&[args, &store[..]].concat());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let engine = || command(&["engine", "--parallel", "1"]).spawn().expect("it can be run");
    let mut workers = Workers(vec![engine(), engine(), engine()]);
    for round in 0..3 {
        // Whoever asked goes away; one of the workers is paused past its lease, another killed, then the server.
        let mut asked = command(&["up", "shop.yaml", "--yes"]).spawn().expect("it can be run");
        std::thread::sleep(Duration::from_millis(700));
        asked.kill().expect("it can be killed");
        asked.wait().expect("it ends");
        signal(&workers.0[round], "-STOP");
        if round == 1 {
            let other = &mut workers.0[0];
            other.kill().expect("it can be killed");
            other.wait().expect("it ends");
            workers.0[0] = engine();
        }
        if round == 2 {
            server.kill();
            server.begin();
        }
        let (code, text) = shop.locus(&[&["up", "shop.yaml", "--yes"][..], &store[..]].concat());
        assert_eq!(code, 0, "round {round}: {text}");
        assert!(shop.0.path().join("services/web/port").exists(), "round {round}");
        signal(&workers.0[round], "-CONT");
        let (code, text) = shop.locus(&[&["down", "shop", "--yes"][..], &store[..]].concat());
        assert_eq!(code, 0, "round {round}: {text}");
        let (code, text) = shop.locus(&[&["events", "shop", "--verify"][..], &store[..]].concat());
        assert_eq!(code, 0, "round {round}: {text}");
    }
    let log = shop.log();
    let once: std::collections::BTreeSet<&String> = log.iter().collect();
    assert_eq!(once.len(), log.len(), "no step was done twice: {log:#?}");
    let left = std::fs::read_dir(shop.0.path().join("services")).expect("it was made").count();
    assert_eq!(left, 1, "only the log is left");
}

#[test]
fn what_was_interrupted_is_undone_or_left() {
    for presses in [1, 2] {
        let shop = Shop::new();
        shop.edit("service.sh", "set -e", "set -e\nsleep 0.5");
        let mut child = shop
            .command(&["up", "shop.yaml", "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be run");
        std::thread::sleep(Duration::from_millis(400));
        for _ in 0..presses {
            signal(&child, "-INT");
            std::thread::sleep(Duration::from_millis(50));
        }
        let code = child.wait().expect("it ends").code();
        let (_, status) = shop.json(&["status", "shop", "--format", "json"]);
        let status = &status["deployments"][0];
        if presses == 1 {
            assert_eq!((code, &status["status"]), (Some(1), &Value::from("ROLLBACK_COMPLETE")), "{status}");
            assert!(!shop.0.path().join("services/database").exists());
        } else {
            assert_eq!((code, &status["goes_on"]), (Some(130), &Value::from(true)), "{status}");
            // Another process can still cancel it.
            let (code, answer) = shop.json(&["cancel", "shop", "--format", "json"]);
            assert_eq!((code, &answer["status"]), (0, &Value::from("ROLLBACK_COMPLETE")), "{answer}");
        }
        assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
        let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
        assert_eq!(code, 0, "{text}");
    }
}

#[test]
fn what_cannot_be_told_is_settled_by_a_person() {
    for answer in [&["--adopt", "database"][..], &["--absent"]] {
        let shop = Shop::new();
        // The program is killed before it ends, so that nobody can know.
        let dies = "set -e\n[ \"$LOCUS_OPERATION $LOCUS_NODE\" != 'create database' ] || [ -e answered ] || { mkdir -p services/database; kill -9 $PPID; kill -9 $$; }";
        shop.edit("service.sh", "set -e", dies);
        let up = ["up", "shop.yaml", "--yes", "--format", "json"];
        let (code, told) = shop.json(&up);
        assert_eq!((code, &told["unknown"][0]["node"]), (2, &Value::from("database")), "{told}");
        std::fs::write(shop.0.path().join("answered"), "").expect("it can be written");
        if answer == ["--absent"] {
            std::fs::remove_dir(shop.0.path().join("services/database")).expect("it was made");
        }
        let (code, text) = shop.locus(&[&["resolve", "shop", "database"], answer].concat());
        assert_eq!(code, 0, "{text}");
        let (code, told) = shop.json(&up);
        assert_eq!(code, 0, "{told}");
        assert_eq!(shop.locus(&["resolve", "shop", "database", "--absent"]).0, 2, "nothing is in doubt");
        assert!(shop.0.path().join("services/database/port").exists());
        assert_eq!(shop.locus(&["events", "shop", "--verify"]).0, 0);
    }
}
