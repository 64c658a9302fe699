//! `locus up` on a real Docker engine, where there is one. Where there is none, the test says so and checks nothing.
//!
//! Images cannot be fetched here, so that one is made: two programs of a few bytes, one that waits and one that ends.

mod common;
#[path = "../../store/tests/common/skipped.rs"]
mod skipped;

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{Project, code, codes, text};
use serde_json::Value;

/// The engine, asked by hand.
struct Engine {
    socket: String,
}

impl Engine {
    /// The engine of this machine; says so if there is none.
    fn find() -> Option<Self> {
        let host = std::env::var("DOCKER_HOST").unwrap_or_default();
        let socket = host.strip_prefix("unix://").unwrap_or("/var/run/docker.sock").to_owned();
        let engine = Self { socket };
        let is_there = cfg!(target_arch = "x86_64")
            && UnixStream::connect(&engine.socket).is_ok()
            && engine.ask("GET", "/_ping", &[]).is_some_and(|(status, _)| status == 200);
        if is_there {
            return Some(engine);
        }
        skipped::skipped("docker", &format!("no Docker engine answers at {}", engine.socket));
        None
    }

    fn ask(&self, method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let mut stream = UnixStream::connect(&self.socket).ok()?;
        let head = format!(
            "{method} {path} HTTP/1.0\r\nHost: docker\r\nContent-Type: application/x-tar\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).ok()?;
        stream.write_all(body).ok()?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).ok()?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
        let status = std::str::from_utf8(&answer[..end]).ok()?.split(' ').nth(1)?.parse().ok()?;
        Some((status, answer[end + 4..].to_vec()))
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, &[]).expect("the engine answers");
        assert!(status < 300, "{path}: {status} {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).expect("it answers in JSON")
    }

    /// The containers, networks or volumes of a project.
    fn of_project(&self, kind: &str, project: &str) -> Vec<Value> {
        let filter = format!("%7B%22label%22%3A%5B%22com.docker.compose.project%3D{project}%22%5D%7D");
        let all = match kind {
            "containers" => self.json(&format!("/containers/json?all=1&filters={filter}")),
            "networks" => self.json(&format!("/networks?filters={filter}")),
            _ => self.json(&format!("/volumes?filters={filter}"))["Volumes"].clone(),
        };
        all.as_array().cloned().unwrap_or_default()
    }

    fn names(&self, project: &str) -> Vec<String> {
        let mut names: Vec<String> = self
            .of_project("containers", project)
            .iter()
            .map(|one| {
                format!(
                    "{} {}",
                    one["Names"][0].as_str().unwrap_or_default(),
                    one["State"].as_str().unwrap_or_default()
                )
            })
            .collect();
        names.sort();
        names
    }

    /// Makes an image with the programs `/wait` and `/end`.
    fn import(&self, name: &str) {
        self.import_with(name, "1", "");
    }

    /// Makes such an image with a tag, and with something more said of it.
    fn import_with(&self, name: &str, tag: &str, more: &str) {
        let mut tar = Vec::new();
        // mov eax, 34 (pause); syscall; jmp back
        add(&mut tar, "wait", &program(&[0xb8, 0x22, 0, 0, 0, 0x0f, 0x05, 0xeb, 0xf7]));
        // xor edi, edi; mov eax, 60 (exit); syscall
        add(&mut tar, "end", &program(&[0x31, 0xff, 0xb8, 0x3c, 0, 0, 0, 0x0f, 0x05]));
        tar.extend([0; 1024]);
        let path = format!("/images/create?fromSrc=-&repo={name}&tag={tag}{more}");
        let (status, body) = self.ask("POST", &path, &tar).expect("the engine answers");
        assert!(status < 300, "{}", String::from_utf8_lossy(&body));
    }
}

/// Takes away what a test made, also when it fails.
struct Cleaner<'e>(&'e Engine, String);

impl Drop for Cleaner<'_> {
    fn drop(&mut self) {
        let Cleaner(engine, project) = self;
        for one in engine.of_project("containers", project) {
            let id = one["Id"].as_str().unwrap_or_default();
            engine.ask("DELETE", &format!("/containers/{id}?force=1&v=1"), &[]);
        }
        for one in engine.of_project("networks", project) {
            engine.ask("DELETE", &format!("/networks/{}", one["Id"].as_str().unwrap_or_default()), &[]);
        }
        for one in engine.of_project("volumes", project) {
            engine.ask("DELETE", &format!("/volumes/{}", one["Name"].as_str().unwrap_or_default()), &[]);
        }
        for tag in ["1", "healthy"] {
            engine.ask("DELETE", &format!("/images/{project}:{tag}?force=1"), &[]);
        }
    }
}

/// An executable file for x86-64 with this code.
fn program(code: &[u8]) -> Vec<u8> {
    let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let base: u64 = 0x40_0000;
    elf.extend([2, 0, 62, 0, 1, 0, 0, 0]);
    elf.extend((base + 120).to_le_bytes());
    elf.extend(64u64.to_le_bytes());
    elf.extend(0u64.to_le_bytes());
    elf.extend([0, 0, 0, 0, 64, 0, 56, 0, 1, 0, 64, 0, 0, 0, 0, 0]);
    let size = 120 + code.len() as u64;
    elf.extend([1, 0, 0, 0, 5, 0, 0, 0]);
    for number in [0, base, base, size, size, 4096] {
        elf.extend(number.to_le_bytes());
    }
    elf.extend(code);
    elf
}

/// Adds an executable file to an archive.
fn add(tar: &mut Vec<u8>, name: &str, content: &[u8]) {
    let mut header = [0u8; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    for (at, field) in [
        (100, "0000755\0".to_owned()),
        (108, "0000000\0".to_owned()),
        (116, "0000000\0".to_owned()),
        (124, format!("{:011o}\0", content.len())),
        (136, "00000000000\0".to_owned()),
        (148, "        ".to_owned()),
        (156, "0".to_owned()),
        (257, "ustar\x0000".to_owned()),
    ] {
        header[at..at + field.len()].copy_from_slice(field.as_bytes());
    }
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    tar.extend(header);
    tar.extend(content);
    tar.extend(vec![0; (512 - content.len() % 512) % 512]);
}

fn compose(name: &str, environment: &str, command: &str, scale: u32) -> String {
    format!(
        "name: {name}
services:
  db:
    image: {name}:1
    command: [/wait]
    stop_grace_period: 0s
    volumes: ['data:/data']
    secrets: [password]
    healthcheck: {{test: [CMD, /end], interval: 200ms, retries: 50}}
  migrate:
    image: {name}:1
    command: [/end]
    depends_on: {{db: {{condition: service_healthy}}}}
  web:
    image: {name}:1
    command: [{command}]
    stop_grace_period: 0s
    restart: always
    environment: {{A: {environment}}}
    configs: [page]
    networks: {{default: {{}}, back: {{aliases: [store]}}}}
    scale: {scale}
    depends_on: {{migrate: {{condition: service_completed_successfully}}}}
networks: {{back: {{internal: true}}}}
volumes: {{data: {{}}}}
secrets: {{password: {{environment: LOCUS_TEST_PASSWORD}}}}
configs: {{page: {{content: hello}}}}
"
    )
}

/// A project in a folder, with the name of its image in it.
fn project(name: &str) -> Project {
    let project = Project::new(&[("compose.yaml", &compose(name, "one", "/wait", 1))]);
    project.write(".env", "LOCUS_TEST_PASSWORD=not-to-be-stored\n");
    project
}

#[test]
fn a_project_is_built_changed_undone_and_taken_down() {
    let Some(engine) = Engine::find() else { return };
    let name = format!("locus-test-{}", std::process::id());
    let _cleaner = Cleaner(&engine, name.clone());
    engine.import(&name);
    let project = project(&name);
    let up = |expected: i32| {
        let output = project.locus(&["up", "compose.yaml", "--yes"]);
        assert_eq!(code(&output), expected, "{}", text(&output));
        text(&output)
    };
    up(0);
    let running = |services: &[&str]| -> Vec<String> {
        services.iter().map(|service| format!("/{name}-{service}")).collect()
    };
    assert_eq!(engine.names(&name), running(&["db-1 running", "migrate-1 exited", "web-1 running"]));
    assert_eq!(engine.of_project("networks", &name).len(), 2);
    let web = engine.json(&format!("/containers/{name}-web-1/json"));
    let labels = &web["Config"]["Labels"];
    for (label, value) in [
        ("com.docker.compose.project", name.as_str()),
        ("com.docker.compose.service", "web"),
        ("com.docker.compose.container-number", "1"),
        ("com.docker.compose.oneoff", "False"),
        ("com.docker.compose.depends_on", "migrate:service_completed_successfully:false"),
    ] {
        assert_eq!(labels[label], value, "{label}");
    }
    assert_eq!(labels["com.docker.compose.image"], web["Image"]);
    assert!(labels["dev.locus.token"].as_str().is_some_and(|token| token.contains(&format!("{name}/"))));
    let networks = web["NetworkSettings"]["Networks"].as_object().expect("it has networks");
    assert_eq!(networks.len(), 2);
    for path in [
        format!("/containers/{name}-web-1/archive?path=/page"),
        format!("/containers/{name}-db-1/archive?path=/run/secrets/password"),
    ] {
        let (status, _) = engine.ask("GET", &path, &[]).expect("the engine answers");
        assert_eq!(status, 200, "{path}");
    }
    let stored = std::fs::read(project.path().join(".locus/store.db")).expect("there is a store");
    assert!(!stored.windows(16).any(|bytes| bytes == b"not-to-be-stored"), "a secret is in the store");

    assert!(up(0).contains("nothing to do"));

    // What did not change stays; the container that did change gets the name of the old one.
    let db = engine.json(&format!("/containers/{name}-db-1/json"))["Id"].clone();
    project.write("compose.yaml", &compose(&name, "two", "/wait", 2));
    up(0);
    assert_eq!(
        engine.names(&name),
        running(&["db-1 running", "migrate-1 exited", "web-1 running", "web-2 running"])
    );
    assert_eq!(engine.json(&format!("/containers/{name}-db-1/json"))["Id"], db);
    let environment =
        |n: u32| engine.json(&format!("/containers/{name}-web-{n}/json"))["Config"]["Env"].to_string();
    assert!(environment(1).contains("A=two"), "{}", environment(1));

    // A container that cannot start is taken back.
    project.write("compose.yaml", &compose(&name, "three", "/nothing", 2));
    let said = up(1);
    assert!(said.contains("failed and rolled back"), "{said}");
    assert!(environment(1).contains("A=two"), "{}", environment(1));
    assert_eq!(
        engine.names(&name),
        running(&["db-1 running", "migrate-1 exited", "web-1 running", "web-2 running"])
    );

    let (status, _) = project.json(&["drift", &name, "--format", "json"]);
    assert_eq!(status, 0);
    engine.ask("DELETE", &format!("/containers/{name}-web-2?force=1"), &[]);
    let (status, drift) = project.json(&["drift", &name, "--format", "json"]);
    assert_eq!(status, 1, "{drift}");

    let output = project.locus(&["down", &name, "--yes"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    assert_eq!(engine.names(&name), Vec::<String>::new());
    assert!(engine.of_project("networks", &name).is_empty());
    assert_eq!(engine.of_project("volumes", &name).len(), 1, "what is in a volume is kept");
}

#[test]
fn what_was_killed_goes_on_and_makes_nothing_twice() {
    let Some(engine) = Engine::find() else { return };
    let name = format!("locus-kill-{}", std::process::id());
    let _cleaner = Cleaner(&engine, name.clone());
    engine.import(&name);
    let project = project(&name);
    for after in [30, 150, 400, 900] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_locus"))
            .current_dir(project.path())
            .args(["up", "compose.yaml", "--yes"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        std::thread::sleep(Duration::from_millis(after));
        let _ = child.kill();
        let _ = child.wait();
    }
    let output = project.locus(&["up", "compose.yaml", "--yes"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    let names: Vec<String> =
        ["db-1 running", "migrate-1 exited", "web-1 running"].map(|one| format!("/{name}-{one}")).into();
    assert_eq!(engine.names(&name), names);
    assert_eq!(engine.of_project("networks", &name).len(), 2);
    let output = project.locus(&["events", &name, "--verify"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
}

#[test]
fn what_compose_made_anew_is_adopted() {
    let Some(engine) = Engine::find() else { return };
    if Command::new("docker-compose").arg("version").output().is_err() {
        return skipped::skipped("docker-compose", "docker-compose is not installed");
    }
    let name = format!("c-adopt-{}", std::process::id());
    let _cleaner = Cleaner(&engine, name.clone());
    engine.import(&name);
    let service = |environment: &str| {
        let one = format!(
            "image: '{name}:1', command: [/wait], stop_grace_period: 0s, environment: {{A: {environment}}}"
        );
        format!(
            "name: {name}\nservices:\n  one: {{{one}}}\n  two: {{{one}, ports: ['20000-20010:20000-20010']}}\n"
        )
    };
    let project = Project::new(&[("compose.yaml", &service("one"))]);
    let locus = |arguments: &[&str], expected: i32| {
        let output = project.locus(arguments);
        assert_eq!(code(&output), expected, "{arguments:?}: {}", text(&output));
        text(&output)
    };
    let compose = |arguments: &[&str]| {
        let output = Command::new("docker-compose").current_dir(project.path()).args(arguments).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{arguments:?}: {}", text(&output));
    };
    let id = || engine.json(&format!("/containers/{name}-one-1/json"))["Id"].clone();
    locus(&["up", "--yes"], 0);
    let first = id();
    // Compose takes what is there for its own: a range of ports is hashed as it hashes it.
    compose(&["up", "-d"]);
    assert_eq!(id(), first);
    compose(&["up", "-d", "--force-recreate"]);
    assert_ne!(id(), first);
    locus(&["drift", &name], 0);
    assert!(locus(&["up", "--yes"], 0).contains("nothing to do"));
    // It can be changed.
    project.write("compose.yaml", &service("two"));
    locus(&["up", "--yes"], 0);
    let running = |service: &str| format!("/{name}-{service}-1 running");
    assert_eq!(engine.names(&name), [running("one"), running("two")]);
    // What is there with another configuration has changed, and is not gone.
    project.write("compose.yaml", &service("three"));
    compose(&["up", "-d"]);
    assert!(locus(&["drift", &name], 1).contains("another configuration"));
    project.write("compose.yaml", &service("two"));
    compose(&["up", "-d"]);
    locus(&["drift", &name], 0);
    locus(&["down", &name, "--yes"], 0);
    assert_eq!(engine.names(&name), Vec::<String>::new());
}

#[test]
fn what_a_file_leaves_open_is_asked_of_the_engine() {
    let Some(engine) = Engine::find() else { return };
    let name = format!("locus-ask-{}", std::process::id());
    let _cleaner = Cleaner(&engine, name.clone());
    engine.import(&name);
    engine.import_with(&name, "healthy", "&changes=HEALTHCHECK%20CMD%20/end&changes=EXPOSE%2080");
    let file = |tag: &str, more: &str| {
        format!(
            "services:
  web: {{ image: '{name}:1', command: [/wait], depends_on: {{ db: {{ condition: service_healthy }} }} }}
  db: {{ image: '{name}:{tag}', command: [/wait]{more} }}
"
        )
    };
    let project = Project::new(&[("compose.yaml", &file("healthy", ""))]);
    let checked = |text: &str, arguments: &[&str]| {
        project.write("compose.yaml", text);
        let arguments: Vec<&str> =
            ["check", "compose.yaml", "--format", "json"].iter().chain(arguments).copied().collect();
        let (code, report) = project.json(&arguments);
        let codes: Vec<String> = codes(&report).into_iter().map(str::to_owned).collect();
        (code, codes)
    };
    let has =
        |(code, codes): &(i32, Vec<String>), wanted: &str| (*code, codes.iter().any(|one| one == wanted));
    // Without the engine it is a warning whatever the image has.
    assert_eq!(has(&checked(&file("healthy", ""), &[]), "CMP120"), (0, true));
    assert_eq!(has(&checked(&file("healthy", ""), &["--engine"]), "CMP120"), (0, false));
    assert_eq!(has(&checked(&file("1", ""), &["--engine"]), "CMP120"), (1, true));

    let published = |port: &str| file("healthy", &format!(", ports: ['{port}']"));
    assert_eq!(has(&checked(&published("39217:80"), &["--engine"]), "CMP175"), (0, false));
    assert_eq!(has(&checked(&published("39217:81"), &["--engine"]), "CMP175"), (0, true));

    let external = |network: &str| {
        format!("{}networks: {{ default: {{ external: true, name: {network} }} }}\n", file("healthy", ""))
    };
    assert_eq!(has(&checked(&external("bridge"), &["--engine"]), "CMP171"), (0, false));
    assert_eq!(has(&checked(&external("no-such-network"), &["--engine"]), "CMP171"), (1, true));
    let volume = format!(
        "{}volumes: {{ data: {{ external: true, name: no-such-volume }} }}\n",
        file("healthy", ", volumes: ['data:/d']")
    );
    assert_eq!(has(&checked(&volume, &["--engine"]), "CMP172"), (1, true));
    let never = file("healthy", "").replace(":healthy'", ":nowhere', pull_policy: never");
    assert_eq!(has(&checked(&never, &["--engine"]), "CMP170"), (1, true));

    // Another project has the port and the name.
    let other = Project::new(&[(
        "compose.yaml",
        &format!(
            "name: {name}
services:
  one: {{ image: '{name}:1', command: [/wait], stop_grace_period: 0s, container_name: {name}-fixed, ports: ['127.0.0.1:39218:80'] }}
"
        ),
    )]);
    let output = other.locus(&["up", "compose.yaml", "--yes"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    assert_eq!(has(&checked(&published("39218:80"), &["--engine"]), "CMP173"), (1, true));
    assert_eq!(has(&checked(&published("127.0.0.2:39218:80"), &["--engine"]), "CMP173"), (0, false));
    let named = |name: &str| file("healthy", &format!(", container_name: {name}"));
    assert_eq!(has(&checked(&named(&format!("{name}-fixed")), &["--engine"]), "CMP174"), (1, true));
    assert_eq!(has(&checked(&named(&format!("{name}-other")), &["--engine"]), "CMP174"), (0, false));
    let output = other.locus(&["down", &name, "--yes"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
}
