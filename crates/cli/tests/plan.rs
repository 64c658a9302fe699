//! Plans as TLA+ modules have the states that `locus plan` counts; large files have plans of their size; the timeline
//! in the docs is that of the command.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down")
}

fn locus(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_locus"))
        .current_dir(root())
        .args(arguments)
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is UTF-8")
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// A plan is printed in public logs.
#[test]
fn changed_secrets_are_not_shown() {
    let folder = tempfile::tempdir().expect("there is room");
    let file = |name: &str, password: &str, port: u16| {
        let path = folder.path().join(name);
        let text = format!(
            "services:\n  a:\n    image: i:1\n    environment: {{ DB_PASSWORD: {password}, PORT: '{port}', \
             URL: 'postgres://me:{password}@db' }}\n"
        );
        std::fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    };
    let (old, new) = (file("old.yaml", "hunter2", 80), file("new.yaml", "hunter3", 81));
    for format in ["human", "json", "markdown", "dot", "svg"] {
        let said = locus(&["plan", &old, &new, "--format", format]);
        assert!(!said.contains("hunter"), "{format}: {said}");
    }
    let said = locus(&["plan", &old, &new]);
    assert!(said.contains("DB_PASSWORD: ***") && said.contains("PORT: 81"), "{said}");
}

/// A name with a line break in it could pass for another step.
#[test]
fn each_step_is_on_one_line() {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("a.lg.yaml");
    let graph = "location-graph: 1\nlocations: { \"a\\nwave 9\": { provides: [p] }, b: { requires: [p] } }\n";
    std::fs::write(&path, graph).expect("it can be written");
    let said = locus(&["plan", &path.display().to_string()]);
    assert!(said.contains("wave 9") && !said.lines().any(|line| line.starts_with("wave 9")), "{said}");
}

/// The distinct states of a module, all of which satisfy the invariants.
fn states(module: &str, name: &str, invariants: &[&str]) -> u64 {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join(format!("{name}.tla"));
    std::fs::write(&path, module).expect("it can be written");
    let path = path.display().to_string();
    let mut arguments = vec!["tla", "check", &path, "--format", "json"];
    for invariant in invariants {
        arguments.extend(["--invariant", invariant]);
    }
    let answer = json(&locus(&arguments));
    assert_eq!(answer["verdict"], "ok", "{answer:#}");
    answer["distinct"].as_u64().unwrap_or_else(|| panic!("no number of states: {answer:#}"))
}

const FIGURE: &str = "examples/aeolus/figure15.aeolus.yaml";
const UPDATE: [&str; 2] = ["examples/hot/update/old.yaml", "examples/hot/update/new.yaml"];

#[test]
fn interleavings_are_the_states_of_the_module() {
    for files in [&["--down", UPDATE[0]][..], &UPDATE, &[FIGURE]] {
        let with = |format| [&["plan", "--format", format], files].concat();
        let counted = json(&locus(&with("json")))["checked"]["configurations"].as_u64();
        assert_eq!(counted, Some(states(&locus(&with("tla")), "Plan", &["Correct"])), "{files:?}");
    }
}

#[test]
fn failures_are_the_states_of_the_module() {
    for files in [&UPDATE[..], &[FIGURE]] {
        for retries in ["0", "2"] {
            let with =
                |format| [&["plan", "--verify", "--retries", retries, "--format", format], files].concat();
            let verified = &json(&locus(&with("json")))["verified"];
            // Components that are alike are exchanged, which a module does not do.
            assert_eq!(verified["symmetric"], false, "{verified:#}");
            let module = locus(&with("tla"));
            let found = states(&module, "Failures", &["Correct", "EndsWell"]);
            assert_eq!(verified["states"].as_u64(), Some(found), "{files:?}");
        }
    }
}

/// Files in which every one of many things waits for every one of many others.
fn files_with_many_waits(number: usize) -> [(&'static str, String); 2] {
    let mut hot = "heat_template_version: 2018-08-31\nresources:\n".to_owned();
    for at in 0..number {
        let network = format!("network: {{get_resource: net{at}}}");
        let _ = write!(
            hot,
            "  net{at}: {{type: OS::Neutron::Net}}\n  \
             subnet{at}: {{type: OS::Neutron::Subnet, properties: {{{network}, cidr: 10.0.0.0/24}}}}\n  \
             port{at}: {{type: OS::Neutron::Port, properties: {{{network}}}}}\n"
        );
    }
    let half = number * 3 / 2;
    let compose = format!(
        "services:\n  db: {{image: db, scale: {half}}}\n  web: {{image: web, scale: {half}, depends_on: [db]}}\n"
    );
    [("stack.yaml", hot), ("compose.yaml", compose)]
}

#[test]
fn the_plan_of_many_that_wait_for_many_is_as_long_as_the_file() {
    let folder = tempfile::tempdir().expect("there is room");
    for (name, text) in files_with_many_waits(200) {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        let path = path.display().to_string();
        for options in [&[&*path][..], &["--down", &path]] {
            let answer = json(&locus(&[&["plan", "--format", "json"], options].concat()));
            assert_eq!(answer["verdict"], "plan");
            // The milestone is one of the components, and none of what is counted: that are 600, and a network of
            // Compose.
            let counted = 600 + usize::from(name == "compose.yaml");
            assert_eq!(answer["changes"].as_array().map(Vec::len), Some(counted));
            let entries = |step: &serde_json::Value| step["after"].as_array().map_or(0, Vec::len);
            let order: usize = answer["steps"].as_array().expect("there are steps").iter().map(entries).sum();
            assert!(order < 20_000, "{name} {options:?}: {order}");
        }
    }
}

#[test]
fn the_timeline_in_the_docs_is_current() {
    let drawn = locus(&["plan", "examples/aeolus/wordpress.aeolus.yaml", "--format", "svg"]);
    let current =
        std::fs::read_to_string(root().join("docs/images/wordpress-plan.svg")).expect("it is there");
    let again =
        "locus plan examples/aeolus/wordpress.aeolus.yaml --format svg > docs/images/wordpress-plan.svg";
    assert!(drawn == current, "draw it anew: {again}");
}

/// Two Compose files that differ in the value at `@`, by their paths.
fn versions(folder: &Path, text: &str, values: [&str; 2]) -> [String; 2] {
    values.map(|value| {
        let path = folder.join(format!("{value}.compose.yaml"));
        std::fs::write(&path, text.replace('@', value)).expect("it can be written");
        path.display().to_string()
    })
}

#[test]
fn a_changed_network_is_made_anew_between_the_old_and_the_new_containers() {
    let folder = tempfile::tempdir().expect("there is room");
    let text = "name: shop\nservices:\n  web: { image: 'nginx:1', networks: [front] }\nnetworks:\n  \
                front: { driver_opts: { mtu: '@' } }\n";
    let [old, new] = versions(folder.path(), text, ["1", "2"]);
    let answer = json(&locus(&["plan", "--format", "json", &old, &new]));
    assert_eq!(answer["verdict"], "plan", "{answer:#}");
    assert_eq!(answer["checked"]["interleavings"], "all", "{answer:#}");
}

#[test]
fn a_change_of_a_volume_is_refused_because_its_data_would_be_lost() {
    let folder = tempfile::tempdir().expect("there is room");
    let text = "name: shop\nservices:\n  db: { image: 'postgres:17', volumes: ['data:/d'] }\nvolumes:\n  \
                data: { driver_opts: { type: @, device: x } }\n";
    let [old, new] = versions(folder.path(), text, ["nfs", "tmpfs"]);
    let plan = |files: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_locus")).arg("plan").args(files).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = plan(&[&old, &new]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("volume data cannot be changed"), "{text}");
    assert!(text.contains("; what is in it would be lost"), "{text}");
    let (code, text) = plan(&[&old, &old]);
    assert_eq!(code, Some(0), "{text}");
    assert!(!text.contains("lost"), "{text}");
}
