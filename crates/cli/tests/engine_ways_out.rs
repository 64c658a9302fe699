//! The engine where it used to have no way out, or to lose something without any crash.

#[path = "../../store/tests/common/mod.rs"]
mod postgres;
#[path = "common/shop.rs"]
mod shop;

use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;
use shop::Shop;

const UP: [&str; 5] = ["up", "shop.yaml", "--yes", "--format", "json"];

/// A shop whose database does something more when it is made.
fn making(more: &str) -> Shop {
    let shop = Shop::new();
    let case =
        format!("set -e\nif [ \"$LOCUS_OPERATION $LOCUS_NODE\" = 'create database' ]; then {more}; fi");
    shop.edit("service.sh", "set -e", &case);
    shop
}

#[test]
fn an_output_that_no_program_could_be_told_is_a_failure() {
    for (more, why) in [
        ("printf 'big=%070000d\\n' 0 >> \"$LOCUS_OUTPUT\"", "65536 are kept at most"),
        ("printf 'odd=a\\000b\\n' >> \"$LOCUS_OUTPUT\"", "the output `odd` has a NUL in it"),
        ("head -c 2000000 /dev/zero | tr '\\000' x >> \"$LOCUS_OUTPUT\"", "puts out 1048576 bytes or more"),
    ] {
        let shop = making(more);
        let (code, answer) = shop.json(&UP);
        assert_eq!((code, &answer["status"]), (1, &Value::from("ROLLBACK_COMPLETE")), "{answer}");
        assert!(!shop.0.path().join("services/database").exists(), "what was made is undone");
        let (_, events) = shop.locus(&["events", "shop"]);
        assert!(events.contains(why), "{events}");
        shop.edit("service.sh", more, "true");
        let (code, answer) = shop.json(&UP);
        assert_eq!(code, 0, "{answer}");
    }
}

#[test]
fn a_pipe_in_the_place_of_the_output_keeps_nobody_waiting() {
    let shop = making("trap 'rm -f \"$LOCUS_OUTPUT\"; mkfifo \"$LOCUS_OUTPUT\"' EXIT");
    let (code, answer) = shop.json(&UP);
    assert_eq!(code, 0, "{answer}");
}

#[test]
fn a_log_with_any_bytes_is_shown() {
    let shop = making("mkdir -p services/database; printf 'a\\000b' >&2; exit 3");
    let (code, answer) = shop.json(&UP);
    assert_eq!((code, &answer["status"]), (1, &Value::from("ROLLBACK_COMPLETE")), "{answer}");
    let (_, events) = shop.locus(&["events", "shop"]);
    assert!(events.contains("a\u{fffd}b"), "{events}");
}

#[test]
fn what_cannot_be_taken_down_can_be_forgotten() {
    let shop = Shop::new();
    assert_eq!(shop.json(&UP).0, 0);
    shop.edit("service.sh", "set -e", "set -e\n[ \"$LOCUS_OPERATION\" != delete ] || exit 3");
    let (code, answer) = shop.json(&["down", "shop", "--yes", "--format", "json"]);
    assert_eq!((code, &answer["status"]), (1, &Value::from("DELETE_FAILED")), "{answer}");
    let (code, text) = shop.locus(&["forget", "shop"]);
    assert!(code == 2 && text.contains("--yes"), "{text}");
    let (code, answer) = shop.json(&["forget", "shop", "--yes", "--format", "json"]);
    let left: Vec<&str> = answer["left"]
        .as_array()
        .expect("it is a list")
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!((code, &left[..]), (0, &["database", "web"][..]), "{answer}");
    assert!(shop.0.path().join("services/web").exists(), "nothing in the world is touched");
    let (_, status) = shop.json(&["status", "--format", "json"]);
    assert_eq!(status["deployments"], Value::Array(Vec::new()));
    assert_eq!(shop.locus(&["forget", "shop", "--yes"]).0, 2, "there is none");
    // The name is free, and nothing that was done before counts.
    std::fs::remove_dir_all(shop.0.path().join("services")).expect("it is there");
    let (code, answer) = shop.json(&UP);
    assert_eq!((code, &answer["incarnation"]), (0, &Value::from(1)), "{answer}");
    assert!(shop.0.path().join("services/web/port").exists());
}

#[test]
fn all_that_is_in_doubt_can_be_settled_at_once() {
    let shop = making("kill -9 $PPID; kill -9 $$");
    let (code, told) = shop.json(&UP);
    assert_eq!((code, told["unknown"].as_array().map(Vec::len)), (2, Some(1)), "{told}");
    for wrong in [
        &["resolve", "shop", "--all"][..],
        &["resolve", "shop", "web", "--all", "--absent"],
        &["resolve", "shop"],
    ] {
        assert_eq!(shop.locus(wrong).0, 2, "{wrong:?}");
    }
    let (code, text) = shop.locus(&["resolve", "shop", "--all", "--absent"]);
    assert_eq!(code, 0, "{text}");
    shop.edit("service.sh", "kill -9 $PPID; kill -9 $$", "true");
    let (code, told) = shop.json(&UP);
    assert_eq!(code, 0, "{told}");
}

#[test]
fn nothing_is_done_by_nobody() {
    let shop = Shop::new();
    let (code, text) = shop.locus(&["up", "shop.yaml", "--yes", "--parallel", "0"]);
    assert!(code == 2 && text.contains("at least 1"), "{text}");
}

#[test]
fn several_who_build_the_same_at_once_build_it_once() {
    for _ in 0..5 {
        let shop = Shop::new();
        let mut all: Vec<_> = (0..3)
            .map(|_| {
                let mut command = shop.command(&["up", "shop.yaml", "--yes"]);
                command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be run")
            })
            .collect();
        for child in all.drain(..) {
            let output = child.wait_with_output().expect("it ends");
            let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            assert_eq!(output.status.code(), Some(0), "{text}");
        }
        let (_, status) = shop.json(&["status", "shop", "--format", "json"]);
        assert_eq!(status["deployments"][0]["incarnation"], 1, "{status}");
        assert_eq!(shop.log().len(), 4, "{:?}", shop.log());
        let (code, text) = shop.locus(&["down", "shop", "--yes"]);
        assert_eq!(code, 0, "{text}");
        assert!(!shop.0.path().join("services/web").exists());
    }
}

#[test]
fn the_traces_of_another_store_are_not_ours() {
    let shop = Shop::new();
    assert_eq!(shop.json(&UP).0, 0);
    // The store is lost, and what it built is removed by hand. What is left are the folders of its steps.
    for file in ["store.db", "store.db-wal", "store.db-shm"] {
        let _ = std::fs::remove_file(shop.0.path().join(".locus").join(file));
    }
    std::fs::remove_dir_all(shop.0.path().join("services")).expect("it is there");
    let (code, answer) = shop.json(&UP);
    assert_eq!((code, &answer["status"]), (0, &Value::from("CREATE_COMPLETE")), "{answer}");
    assert!(shop.0.path().join("services/web/port").exists(), "it was built, and not just said to be");
}

fn for_all_below(folder: &Path, act: &mut dyn FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).expect("it can be read").filter_map(Result::ok) {
        if entry.path().is_dir() {
            for_all_below(&entry.path(), act);
        }
        act(&entry.path());
    }
    act(folder);
}

#[test]
fn reading_needs_nothing_writable_and_makes_nothing() {
    let shop = Shop::new();
    let (code, text) = shop.locus(&["status"]);
    assert_eq!((code, text.trim()), (0, "nothing was deployed from here"));
    assert!(!shop.0.path().join(".locus").exists(), "who only asks makes no store");
    assert_eq!(shop.json(&UP).0, 0);
    let rights = |folder: u32, file: u32| {
        for_all_below(shop.0.path(), &mut |path| {
            let mode = if path.is_dir() { folder } else { file };
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
        });
    };
    rights(0o555, 0o444);
    // Nothing is forbidden to root.
    let is_root =
        std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    for command in [&["status", "shop"][..], &["events", "shop"], &["events", "shop", "--verify"]] {
        let mut command = shop.command(command);
        if is_root {
            command.uid(65534);
        }
        let output = command.output().expect("it can be run");
        let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
    }
    rights(0o755, 0o755);
}

#[test]
fn logs_go_with_what_they_are_about() {
    for keep in [false, true] {
        let shop = Shop::new();
        let runs = || std::fs::read_dir(shop.0.path().join(".locus/runs")).expect("it is there").count();
        assert_eq!(shop.json(&UP).0, 0);
        let (code, _) = shop.json(&[
            "up",
            "shop.yaml",
            "--yes",
            "--name",
            "shop2",
            "--simulate",
            "0",
            "--format",
            "json",
        ]);
        assert_eq!((code, runs()), (0, 4));
        let down: &[&str] =
            if keep { &["down", "shop", "--yes", "--keep-logs"] } else { &["down", "shop", "--yes"] };
        assert_eq!(shop.locus(down).0, 0);
        assert_eq!(runs(), if keep { 8 } else { 0 });
    }
}

#[test]
fn what_runs_is_shown_and_what_is_awaited_is_said() {
    let shop = making("touch begun; sleep 3");
    let mut command = shop.command(&["up", "shop.yaml", "--yes"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be run");
    while !shop.0.path().join("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let (_, status) = shop.json(&["status", "shop", "--format", "json"]);
    let running = &status["deployments"][0]["running"];
    assert_eq!(
        (&running[0]["operation"], &running[0]["node"]),
        (&"create".into(), &"database".into()),
        "{status}"
    );
    assert!(running[0]["since"].as_u64().is_some_and(|since| since > 0), "{status}");
    let (_, text) = shop.locus(&["status", "shop"]);
    assert!(text.contains("create database runs for "), "{text}");
    let told = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(told.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(text.contains("waiting for create database; Ctrl-C leaves it as it is"), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
}

/// A process that ends with its test.
struct Ends(std::process::Child);

impl Drop for Ends {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_worker_outlives_the_server_of_its_store() {
    let Some(server) = postgres::Server::start() else { return };
    let shop = Shop::new();
    let address = server.address();
    let store = ["--store", address.as_str(), "--lease", "1"];
    // The first to come makes the tables.
    assert_eq!(shop.locus(&[&["status"][..], &store[..2]].concat()).0, 0);
    let mut command = shop.command(&[&["engine"][..], &store[..]].concat());
    let mut worker =
        Ends(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be run"));
    std::thread::sleep(std::time::Duration::from_millis(500));
    server.kill();
    // For longer than whoever works would wait for its answer.
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert!(worker.0.try_wait().expect("it is ours").is_none(), "it waits for the server");
    server.begin();
    // What somebody began and left is done by it.
    shop.edit("service.sh", "set -e", "set -e\nsleep 1");
    let mut begun = shop.command(&[&["up", "shop.yaml", "--yes"][..], &store[..]].concat());
    let mut begun = Ends(begun.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it can be run"));
    let until = |name: &str| {
        let (path, started) = (shop.0.path().join(name), std::time::Instant::now());
        while !path.exists() {
            assert!(started.elapsed().as_secs() < 90, "nobody makes {name}");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    until("services/log");
    begun.0.kill().expect("it can be killed");
    until("services/web/port");
    assert!(worker.0.try_wait().expect("it is ours").is_none());
}
