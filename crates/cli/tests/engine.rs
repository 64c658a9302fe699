//! The engine from the command line: what it builds, what is left when it is killed, and that it goes on.

#[path = "../../store/tests/common/mod.rs"]
mod postgres;
#[path = "common/shop.rs"]
mod shop;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use shop::{Shop, root};

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
    let (code, picture) = shop.locus(&["events", "shop", "--svg"]);
    assert_eq!(code, 0, "{picture}");
    assert!(
        picture.starts_with("<svg") && picture.contains("<title>create database, done after "),
        "{picture}"
    );
    let (code, text) = shop.locus(&["down", "shop", "--yes"]);
    assert_eq!(code, 0, "{text}");
    assert!(!shop.0.path().join("services/web").exists());
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
    }
}

/// All that a folder of ours has, and all that the commands say of a deployment.
fn all_that_is_kept_or_shown(shop: &Shop) -> Vec<(String, Vec<u8>)> {
    let folder = shop.0.path().join(".locus");
    let files = ["store.db", "store.db-wal"].map(|file| (file.to_owned(), folder.join(file)));
    let mut all: Vec<(String, Vec<u8>)> =
        files.into_iter().map(|(name, path)| (name, std::fs::read(path).unwrap_or_default())).collect();
    for what in ["status", "events", "drift"] {
        for format in ["human", "json"] {
            let said = shop.command(&[what, "shop", "--format", format]).output().expect("it can be run");
            all.push((format!("{what} as {format}"), [said.stdout, said.stderr].concat()));
        }
    }
    let drawn = shop.command(&["events", "shop", "--svg"]).output().expect("it can be run");
    all.push(("the picture".to_owned(), drawn.stdout));
    all
}

#[test]
fn secrets_are_neither_stored_nor_shown() {
    for (place, fails) in [("file:hidden", false), ("command:cat hidden", true), ("env:HIDDEN", true)] {
        let shop = Shop::new();
        let operation = "          create: service.sh";
        let told = format!(
            "          create:\n            implementation: service.sh\n            inputs:\n              password: secret:{place}"
        );
        shop.edit("shop.yaml", operation, &told);
        // The program puts its secret out, writes it for people, and may fail with it.
        let end = if fails {
            "\n[ \"$LOCUS_OPERATION\" != start ] || { echo \"denied: $password\"; exit 3; }"
        } else {
            ""
        };
        let tells = "set -e\necho \"saw=$password\" >> \"$LOCUS_OUTPUT\"\necho \"$password\" >> seen";
        shop.edit("service.sh", "set -e", &format!("{tells}{end}"));
        std::fs::write(shop.0.path().join("hidden"), "hush-hush\n").expect("it can be written");
        let up = shop.command(&["up", "shop.yaml", "--yes"]).env("HIDDEN", "hush-hush").output();
        let up = up.expect("it can be run");
        let text = String::from_utf8_lossy(&[up.stdout, up.stderr].concat()).into_owned();
        assert_eq!(up.status.code(), Some(i32::from(fails)), "{text}");
        assert!(text.contains(if fails { "denied: ***" } else { "saw = ***" }), "{text}");
        assert!(std::fs::read_to_string(shop.0.path().join("seen")).expect("it ran").contains("hush-hush"));
        assert!(!text.contains("hush-hush"), "{text}");
        for (what, bytes) in all_that_is_kept_or_shown(&shop) {
            assert!(!bytes.is_empty() || what.starts_with("store.db-"), "{what} is empty");
            assert!(!bytes.windows(9).any(|window| window == b"hush-hush"), "{what}");
        }
    }
}

/// The database puts out an address with a secret in it, and the web service is told that address.
#[test]
fn an_output_with_a_secret_is_handed_on_whole_and_shown_masked() {
    let shop = Shop::new();
    let typed = "    properties:\n      port:\n        type";
    shop.edit("shop.yaml", typed, &format!("    attributes: {{url: {{type: string}}}}\n{typed}"));
    shop.edit(
        "shop.yaml",
        "    database:\n      type: example.Service",
        "    database:\n      type: example.Service\n      interfaces: {Standard: {operations: {create: \
         {implementation: service.sh, inputs: {key: 'secret:file:hidden'}}}}}",
    );
    shop.edit(
        "shop.yaml",
        "    web:\n      type: example.Service",
        "    web:\n      type: example.Service\n      interfaces: {Standard: {operations: {start: \
         {implementation: service.sh, inputs: {address: {get_attribute: [database, url]}}}}}}",
    );
    let tells = "set -e\n[ -z \"$key\" ] || echo \"key=$key\" >> \"$LOCUS_OUTPUT\"\n\
                 echo \"$LOCUS_NODE $address $DATABASE_url $database_url\" >> seen\n\
                 [ -z \"$address\" ] || echo \"from=$address\" >> \"$LOCUS_OUTPUT\"";
    shop.edit("service.sh", "set -e", tells);
    shop.edit("service.sh", "url=http://localhost:$port", "url=http://localhost:$port/$key");
    // A secret of one character is in the port, too.
    std::fs::write(shop.0.path().join("hidden"), "5\n").expect("it can be written");
    let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!(code, 0, "{text}");
    let seen = std::fs::read_to_string(shop.0.path().join("seen")).expect("it ran");
    let told = "web http://localhost:5432/5";
    assert!(seen.lines().any(|line| line.starts_with(told)), "{seen}");
    assert!(text.contains("database.url = http://localhost:***432/***"), "{text}");
    assert!(text.contains("web.from = http://localhost:***432/***"), "{text}");
    let (_, status) = shop.json(&["status", "shop", "--format", "json"]);
    let shown = &status["deployments"][0]["nodes"][0]["outputs"]["url"];
    assert_eq!(shown, "http://localhost:***432/***", "{status}");
    for (what, bytes) in all_that_is_kept_or_shown(&shop) {
        assert!(!bytes.windows(14).any(|window| window == b"localhost:5432"), "{what}");
    }
    // Where the secret is no longer at hand, what does not need it still goes on.
    std::fs::remove_file(shop.0.path().join("hidden")).expect("it is there");
    let (code, text) = shop.locus(&["down", "shop", "--yes"]);
    assert_ne!(code, 0, "the operations of the database are told the key: {text}");
    std::fs::write(shop.0.path().join("hidden"), "5\n").expect("it can be written");
    let (code, text) = shop.locus(&["down", "shop", "--yes"]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn a_program_cannot_name_a_secret_of_others_in_its_output() {
    let shop = Shop::new();
    shop.edit(
        "service.sh",
        "set -e",
        "set -e\necho \"taken=secret:file:hidden\" >> \"$LOCUS_OUTPUT\"\necho \"$database_taken\" >> seen",
    );
    std::fs::write(shop.0.path().join("hidden"), "hush\n").expect("it can be written");
    let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!(code, 0, "{text}");
    let seen = std::fs::read_to_string(shop.0.path().join("seen")).expect("it ran");
    assert!(seen.contains("secret:file:hidden") && !seen.contains("hush"), "{seen}");
    assert!(text.contains("database.taken = secret:file:hidden"), "{text}");
}

#[test]
fn an_input_that_changes_how_programs_run_is_refused() {
    for name in ["LD_PRELOAD", "PATH", "BASH_ENV", "PYTHONPATH", "JAVA_TOOL_OPTIONS", "LOCUS_TOKEN"] {
        let shop = Shop::new();
        let told = format!(
            "          create:\n            implementation: service.sh\n            inputs:\n              {name}: x"
        );
        shop.edit("shop.yaml", "          create: service.sh", &told);
        let (code, text) = shop.locus(&["up", "shop.yaml", "--yes"]);
        assert!(code == 2 && text.contains(&format!("cannot be told {name}")), "{text}");
        assert!(shop.log().is_empty());
    }
}

#[test]
fn what_is_kept_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let shop = Shop::new();
    let kept = shop.0.path().join(".locus");
    // A store that an earlier version has made.
    std::fs::create_dir_all(kept.join("runs")).expect("it can be made");
    std::fs::write(kept.join("store.db"), "").expect("it can be written");
    for (path, mode) in [(kept.join("runs"), 0o755), (kept.join("store.db"), 0o644)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    }
    assert_eq!(shop.locus(&["up", "shop.yaml", "--yes", "--quiet"]).0, 0);
    let other = Shop::new();
    assert_eq!(other.locus(&["up", "shop.yaml", "--yes", "--quiet"]).0, 0);
    let mode = |path: PathBuf| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode(kept.join("store.db")) & 0o007, mode(kept.join("runs"))), (0, 0o700));
    let kept = other.0.path().join(".locus");
    assert_eq!((mode(kept.join("store.db")), mode(kept.join("runs")), mode(kept)), (0o600, 0o700, 0o700));
}

/// An `ssh` that never reaches any machine.
fn without_a_network(shop: &Shop) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = shop.0.path().join("ssh");
    std::fs::write(&path, "#!/bin/sh\necho 'Could not resolve hostname nowhere' >&2\nexit 255\n")
        .expect("it can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    path.display().to_string()
}

#[test]
fn a_machine_that_was_never_reached_is_a_failure_and_not_a_doubt() {
    let shop = Shop::new();
    let ssh = without_a_network(&shop);
    let locus = |args: &[&str]| {
        let output = shop.command(args).env("LOCUS_SSH", &ssh).output().expect("it can be run");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let target = ["    web:\n      type: example.Service", "\n      metadata: { ssh: nowhere }"];
    shop.edit("shop.yaml", target[0], &target.concat());
    let (code, text) = locus(&["up", "shop.yaml", "--yes"]);
    assert!(code == Some(1) && text.contains("failed and rolled back"), "{text}");
    assert!(text.contains("Could not resolve hostname nowhere"), "{text}");
    assert!(!shop.0.path().join("services/database").exists(), "what was built before is undone");
    // The corrected file is built.
    shop.edit("shop.yaml", target[1], "");
    let (code, text) = locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!(code, Some(0), "{text}");
    // So is an update that fails in the same way undone.
    shop.edit("shop.yaml", target[0], &target.concat());
    let (code, text) = locus(&["up", "shop.yaml", "--yes"]);
    assert!(code == Some(1) && text.contains("failed and rolled back"), "{text}");
    shop.edit("shop.yaml", target[1], "");
    let (code, text) = locus(&["up", "shop.yaml", "--yes"]);
    assert!(code == Some(0) && text.contains("nothing to do"), "{text}");
    assert_eq!(locus(&["down", "shop", "--yes"]).0, Some(0));
}

/// The engine is killed while it asks for a machine, which is gone when it comes back: only a person can know.
#[test]
fn a_step_found_absent_on_a_machine_that_is_gone_ends() {
    // Each waits for the machine for a while.
    std::thread::scope(|scope| {
        for command in [&["up", "shop.yaml", "--yes"][..], &["cancel", "shop"], &["down", "shop", "--yes"]] {
            scope.spawn(move || found_absent_ends(command));
        }
    });
}

fn found_absent_ends(command: &[&str]) {
    let shop = Shop::new();
    let gone = without_a_network(&shop);
    let slow = shop.0.path().join("slow");
    std::fs::write(&slow, "#!/bin/sh\ntouch asked\nsleep 60\n").expect("it can be written");
    let mode = std::fs::metadata(&gone).expect("it is there").permissions();
    std::fs::set_permissions(&slow, mode).expect("it is ours");
    let web = "    web:\n      type: example.Service";
    shop.edit("shop.yaml", web, &format!("{web}\n      metadata: {{ ssh: nowhere }}"));
    let mut child = shop
        .command(&["up", "shop.yaml", "--yes", "--quiet"])
        .env("LOCUS_SSH", slow.display().to_string())
        .spawn()
        .expect("it can be run");
    let asked = shop.0.path().join("asked");
    while !asked.exists() && child.try_wait().expect("it is ours").is_none() {
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let locus = |args: &[&str]| {
        let output = shop.command(args).env("LOCUS_SSH", &gone).output().expect("it can be run");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    let (code, text) = locus(command);
    assert!(code == Some(2) && text.contains("cannot be told: web"), "{command:?}: {text}");
    let (code, text) = locus(&["resolve", "shop", "web", "--absent"]);
    assert_eq!(code, Some(0), "{text}");
    // Whatever comes next, it ends.
    let (code, text) = locus(command);
    assert_ne!(code, Some(2), "{command:?}: {text}");
    shop.edit("shop.yaml", "\n      metadata: { ssh: nowhere }", "");
    let (code, text) = locus(&["up", "shop.yaml", "--yes"]);
    assert_eq!(code, Some(0), "{command:?}: {text}");
    assert_eq!(locus(&["down", "shop", "--yes"]).0, Some(0));
}

#[test]
fn what_has_drifted_is_found_and_put_right() {
    let shop = Shop::new();
    shop.edit(
        "shop.yaml",
        "          stop: service.sh",
        "          stop: service.sh\n          check: service.sh",
    );
    shop.edit(
        "service.sh",
        "    stop)",
        "    check) [ -e \"services/$LOCUS_NODE/port\" ] || exit 1 ;;\n    stop)",
    );
    let up = ["up", "shop.yaml", "--yes", "--format", "json"];
    let (code, answer) = shop.json(&up);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(shop.json(&["drift", "shop", "--format", "json"]).0, 0);
    std::fs::remove_dir_all(shop.0.path().join("services/web")).expect("it is there");
    let (code, found) = shop.json(&["drift", "shop", "--format", "json"]);
    assert_eq!((code, &found["nodes"][1]["seen"]), (1, &Value::from("gone")), "{found}");
    // Unless it is asked to, it does not look.
    let (code, answer) = shop.json(&up);
    assert_eq!((code, &answer["outcome"]), (0, &Value::from("nothing to do")), "{answer}");
    let (code, answer) = shop.json(&[&up[..], &["--revert-drift"]].concat());
    assert_eq!((code, &answer["status"]), (0, &Value::from("UPDATE_COMPLETE")), "{answer}");
    assert!(shop.0.path().join("services/web/port").exists());
    let made =
        |node: &str| shop.log().iter().filter(|line| line.starts_with(&format!("create {node} "))).count();
    assert_eq!((made("database"), made("web")), (1, 2), "only what was gone is made again");
    assert_eq!(shop.json(&["drift", "shop", "--format", "json"]).0, 0);
    let (code, answer) = shop.json(&[&up[..], &["--revert-drift"]].concat());
    assert_eq!((code, &answer["outcome"]), (0, &Value::from("nothing to do")), "{answer}");
    let (_, events) = shop.locus(&["events", "shop"]);
    assert!(events.contains(" web gone"), "{events}");
    assert_eq!(shop.locus(&["down", "shop", "--yes"]).0, 0);
}

/// An ssh server of our own on the loopback, whose users have a folder of ours as their home.
struct Sshd {
    folder: tempfile::TempDir,
    process: std::process::Child,
}

impl Drop for Sshd {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Sshd {
    /// Starts it; none where it is not installed, which is said.
    fn start() -> Option<Self> {
        let program = ["/usr/sbin/sshd", "/usr/bin/sshd"].into_iter().find(|path| Path::new(path).exists());
        let Some(program) = program else {
            postgres::skipped("sshd", "there is no ssh server here");
            return None;
        };
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().to_str().expect("a path of ours").to_owned();
        std::fs::create_dir(folder.path().join("home")).expect("it can be made");
        // Where it runs as root it wants this folder, which only its start script makes.
        let _ = std::fs::create_dir_all("/run/sshd");
        for key in ["host", "user"] {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-f", &format!("{path}/{key}")])
                .status();
            assert!(made.is_ok_and(|status| status.success()), "a key can be made");
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
        let port = port.expect("there is a port").port();
        let user = Command::new("id").arg("-un").output().expect("it can be run").stdout;
        let user = String::from_utf8_lossy(&user).trim().to_owned();
        let server = format!(
            "ListenAddress 127.0.0.1\nPort {port}\nHostKey {path}/host\nAuthorizedKeysFile {path}/user.pub\n\
             StrictModes no\nUsePAM no\nPidFile none\nSetEnv HOME={path}/home\n"
        );
        let client = format!(
            "Host target\n HostName 127.0.0.1\n Port {port}\n User {user}\n IdentityFile {path}/user\n \
             IdentitiesOnly yes\n StrictHostKeyChecking no\n UserKnownHostsFile /dev/null\n LogLevel ERROR\n"
        );
        std::fs::write(folder.path().join("server"), server).expect("it can be written");
        std::fs::write(folder.path().join("client"), client).expect("it can be written");
        let mut command = Command::new(program);
        command.args(["-D", "-f", &format!("{path}/server")]).stdin(Stdio::null()).stderr(Stdio::null());
        let sshd = Self { process: command.spawn().expect("it can be run"), folder };
        for _ in 0..50 {
            let answer = Command::new("ssh").args(["-F", &sshd.client(), "target", "true"]).output();
            if answer.is_ok_and(|answer| answer.status.success()) {
                return Some(sshd);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        postgres::skipped("sshd", "the ssh server lets nobody in");
        None
    }

    fn client(&self) -> String {
        self.folder.path().join("client").display().to_string()
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }
}

#[test]
fn programs_run_on_other_machines() {
    let Some(sshd) = Sshd::start() else { return };
    let shop = Shop::new();
    // The database says where it is; the web service is on the database.
    shop.edit(
        "shop.yaml",
        "    database:\n      type: example.Service",
        "    database:\n      type: example.Service\n      metadata: { ssh: target }",
    );
    shop.edit(
        "shop.yaml",
        "        - dependency: database",
        "        - dependency: database\n      metadata: { ssh: target }",
    );
    shop.edit("service.sh", "set -e", "set -e\ncd \"$HOME\"\nsleep 0.3");
    let ssh = format!("ssh -F {}", sshd.client());
    let command = |args: &[&str]| {
        let mut command = shop.command(args);
        command.env("LOCUS_SSH", &ssh);
        command
    };
    let locus = |args: &[&str]| {
        let output = command(args).output().expect("it can be run");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    };
    for round in 0..3u64 {
        let mut child = command(&["up", "shop.yaml", "--yes"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it can be run");
        std::thread::sleep(Duration::from_millis(300 + 400 * round));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let (code, text) = locus(&["up", "shop.yaml", "--yes"]);
        assert_eq!(code, Some(0), "round {round}: {text}");
        assert!(sshd.home().join("services/web/port").exists(), "it was made there");
        assert!(!shop.0.path().join("services").exists(), "and not here");
        let (code, text) = locus(&["down", "shop", "--yes"]);
        assert_eq!(code, Some(0), "round {round}: {text}");
        let (code, text) = locus(&["events", "shop", "--verify"]);
        assert_eq!(code, Some(0), "round {round}: {text}");
    }
    let log = std::fs::read_to_string(sshd.home().join("services/log")).expect("it was written");
    let all: Vec<&str> = log.lines().collect();
    let once: std::collections::BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(once.len(), all.len(), "no step was done twice: {log}");
    let left = std::fs::read_dir(sshd.home().join("services")).expect("it was made").count();
    assert_eq!(left, 1, "only the log is left");
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
}

#[test]
fn several_files_are_built_one_after_the_other() {
    let shop = Shop::new();
    let text = std::fs::read_to_string(shop.0.path().join("shop.yaml")).expect("it is there");
    let other = text.replace("database", "archive").replace("    web:", "    page:");
    std::fs::write(shop.0.path().join("library.yaml"), other).expect("it can be written");
    std::fs::write(shop.0.path().join("broken.yaml"), text.replace("port: 8080", "port: many"))
        .expect("it can be written");
    // All are checked before the first is begun.
    let (code, text) = shop.locus(&["up", "shop.yaml", "broken.yaml", "--yes"]);
    assert_eq!(code, 1, "{text}");
    assert!(shop.log().is_empty(), "{text}");
    let (code, text) = shop.locus(&["up", "shop.yaml", "library.yaml", "--yes", "--name", "both"]);
    assert_eq!(code, 2, "{text}");
    let (code, text) = shop.locus(&["up", "shop.yaml", "library.yaml", "--yes"]);
    assert_eq!(code, 0, "{text}");
    let (_, status) = shop.json(&["status", "--format", "json"]);
    let names: Vec<&Value> =
        status["deployments"].as_array().into_iter().flatten().map(|one| &one["name"]).collect();
    assert_eq!(names, ["library", "shop"]);
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
            let (code, answer) = shop.json(&["down", name, "--yes", "--format", "json"]);
            assert_eq!(code, 0, "{answer}");
        }
    }
}

/// `~2` is how the engine calls the second node of a name; a resource may have it in its own.
#[test]
fn a_name_like_that_of_a_later_node_is_one_of_its_own() {
    let shop = Shop::new();
    let path = shop.0.path().join("stack.yaml");
    let template = |length: u32| {
        let resource = format!("{{type: OS::Heat::RandomString, properties: {{length: {length}}}}}");
        format!("heat_template_version: 2018-08-31\nresources:\n  s: {resource}\n  s~2: {resource}\n")
    };
    let text = path.to_str().expect("a path of ours");
    for length in [8, 9, 9] {
        std::fs::write(&path, template(length)).expect("it can be written");
        let arguments = ["up", text, "--name", "n", "--simulate", "0", "--yes", "--format", "json"];
        let (code, answer) = shop.json(&arguments);
        assert_eq!(code, 0, "{answer}");
        let (code, shown) = shop.json(&["status", "n", "--format", "json"]);
        assert_eq!(
            (code, shown["deployments"][0]["nodes"].as_array().map(Vec::len)),
            (0, Some(2)),
            "{length}: {shown}"
        );
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
            // Another process can still cancel it, unless the first time was heeded before the second came.
            if status["status"] == "CREATE_IN_PROGRESS" {
                let (code, answer) = shop.json(&["cancel", "shop", "--format", "json"]);
                assert_eq!((code, &answer["status"]), (0, &Value::from("ROLLBACK_COMPLETE")), "{answer}");
            }
        }
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
    }
}

/// A name with a line break in it could pass for another line of what is written.
#[test]
fn names_are_on_one_line() {
    let shop = Shop::new();
    for name in ["a\nshop: CREATE_COMPLETE, 9 nodes", "a\u{1b}[2J", "a\tb"] {
        let (code, text) = shop.locus(&["up", "shop.yaml", "--yes", "--name", name]);
        assert!(code == 2 && text.contains("cannot be the name of a deployment"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    let graph = "location-graph: 1\nlocations: { \"a\\nb\": { provides: [p] } }\n";
    std::fs::write(shop.0.path().join("a.lg.yaml"), graph).expect("it can be written");
    let (code, text) = shop.locus(&["up", "a.lg.yaml", "--yes", "--simulate", "0"]);
    assert!(code == 2 && text.contains("cannot be deployed: a\\nb"), "{text}");
}
