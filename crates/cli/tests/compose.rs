//! Compose files that are one project together, for every command. Beside `docker-compose` where that is installed:
//! which services there are, of which images, is what Compose makes of the same arguments.

mod common;
#[path = "../../store/tests/common/skipped.rs"]
mod skipped;

use std::collections::BTreeSet;
use std::process::Command;

use common::{Project, code, codes, text};
use serde_json::Value;

const BASE: &str = "name: c-merge\nservices:\n  a: { image: \"i:1\", ports: [\"8080:80\"] }\n";
const PROD: &str = "services:\n  a: { image: \"i:${TAG:-2}\" }\n  b: { image: \"i:1\", ports: [\"8080:81\"] }\n  \
                    c: { image: \"i:3\", profiles: [extra] }\n";
const OVER: &str = "services:\n  a: { image: \"i:over\" }\n";

fn project() -> Project {
    Project::new(&[
        ("top/compose.yaml", BASE),
        ("top/prod.yaml", PROD),
        ("top/v.env", "TAG=5\n"),
        ("with/compose.yaml", BASE),
        ("with/compose.override.yaml", OVER),
        ("with/deep/readme.txt", ""),
        ("listed/one.yaml", BASE),
        ("listed/two.yaml", PROD),
        ("listed/.env", "COMPOSE_FILE=one.yaml:two.yaml\nCOMPOSE_PROFILES=extra\n"),
        ("odd/a.yaml", BASE),
        ("odd/b.yaml", PROD),
        ("odd/.env", "COMPOSE_FILE=a.yaml,b.yaml\nCOMPOSE_PATH_SEPARATOR=,\n"),
    ])
}

/// A folder, arguments that choose a project in it, and its services with their images.
const CHOICES: &[(&str, &[&str], &[&str])] = &[
    ("top", &[], &["a i:1"]),
    ("top", &["-f", "compose.yaml"], &["a i:1"]),
    ("top", &["-f", "compose.yaml", "-f", "prod.yaml"], &["a i:2", "b i:1"]),
    ("top", &["-f", "compose.yaml", "-f", "prod.yaml", "--profile", "extra"], &["a i:2", "b i:1", "c i:3"]),
    ("top", &["-f", "compose.yaml", "-f", "prod.yaml", "--env-file", "v.env"], &["a i:5", "b i:1"]),
    ("with", &[], &["a i:over"]),
    ("with", &["-f", "compose.yaml"], &["a i:1"]),
    ("with/deep", &[], &["a i:over"]),
    ("with/deep", &["-f", "../compose.yaml", "-f", "../../top/prod.yaml"], &["a i:2", "b i:1"]),
    ("listed", &[], &["a i:2", "b i:1", "c i:3"]),
    ("listed", &["-f", "one.yaml"], &["a i:1"]),
    ("odd", &[], &["a i:2", "b i:1"]),
];

/// Services with their images, from the model that Compose prints.
fn of_model(model: &Value) -> BTreeSet<String> {
    let services = model["services"].as_object().expect("there are services");
    services
        .iter()
        .map(|(name, service)| format!("{name} {}", service["image"].as_str().unwrap_or("")))
        .collect()
}

/// Services with their images, from a location graph.
fn of_graph(graph: &Value) -> BTreeSet<String> {
    let locations = graph["locations"].as_object().expect("there are locations");
    let services = locations.iter().filter(|(_, location)| location["sort"] == "service");
    services
        .map(|(name, location)| format!("{name} {}", location["attributes"]["image"].as_str().unwrap_or("")))
        .collect()
}

#[test]
fn every_command_reads_the_project_that_compose_reads() {
    let project = project();
    let compose = Command::new("docker-compose").arg("version").output().is_ok();
    if !compose {
        skipped::skipped("docker-compose", "docker-compose is not installed");
    }
    for (folder, arguments, services) in CHOICES {
        let what = format!("in {folder}: {arguments:?}");
        let services: BTreeSet<String> = services.iter().map(|&service| service.to_owned()).collect();
        let run =
            |first: &[&str], last: &[&str]| project.locus_in(folder, &[first, arguments, last].concat(), "");
        let json = |first: &[&str], last: &[&str]| -> Value {
            let output = run(first, last);
            serde_json::from_slice(&output.stdout)
                .unwrap_or_else(|error| panic!("{what}: {error}: {}", text(&output)))
        };
        assert_eq!(of_model(&json(&["compose", "config"], &["--format", "json"])), services, "{what}");
        assert_eq!(of_graph(&json(&["graph"], &["--to", "json"])), services, "{what}");
        let plan = run(&["plan"], &[]);
        let names: BTreeSet<&str> = services.iter().filter_map(|service| service.split(' ').next()).collect();
        if names.contains("b") {
            // Both publish one port, which the plan knows of as the check does.
            assert_eq!(plan.status.code(), Some(2), "{what}: {}", text(&plan));
            assert!(text(&plan).contains("CMP100"), "{what}: {}", text(&plan));
        } else {
            for name in ["a", "b", "c"] {
                let is_there = text(&plan).contains(&format!(" {name} : container"));
                assert_eq!(is_there, names.contains(name), "{what}: {}", text(&plan));
            }
        }
        if !arguments.is_empty() {
            let report = json(&["check"], &["--format", "json"]);
            let twice = codes(&report).contains(&"CMP100");
            assert_eq!(twice, names.contains("b"), "{what}: {report}");
        }
        if compose {
            let theirs = Command::new("docker-compose")
                .current_dir(project.path().join(folder))
                .args([arguments, &["config", "--format", "json"][..]].concat())
                .output()
                .expect("it starts");
            let theirs: Value = serde_json::from_slice(&theirs.stdout).expect("Compose reads it");
            assert_eq!(of_model(&theirs), services, "{what}: what Compose makes of it");
        }
    }
}

#[test]
fn a_folder_whose_env_file_lists_files_is_checked_as_their_project() {
    let project = project();
    let (code, report) = project.json(&["check", "--format", "json", "listed"]);
    assert_eq!(codes(&report).iter().filter(|code| **code == "CMP100").count(), 1, "{report}");
    assert_eq!(code, 1);
    let (code, report) = project.json(&["check", "--format", "json", "listed/two.yaml"]);
    assert_eq!((code, codes(&report).contains(&"CMP100")), (1, true), "{report}");
}

/// See [`SURROUNDINGS`].
type Surroundings = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

/// A folder, variables of the environment or none, and the services of the project that they choose, with their images.
const SURROUNDINGS: &[Surroundings] = &[
    ("top", &[("COMPOSE_FILE", "compose.yaml:prod.yaml")], &["a i:2", "b i:1"]),
    (
        "top",
        &[("COMPOSE_FILE", "compose.yaml:prod.yaml"), ("COMPOSE_PROFILES", "other, extra")],
        &["a i:2", "b i:1", "c i:3"],
    ),
    (
        "top",
        &[("COMPOSE_FILE", "compose.yaml:prod.yaml"), ("COMPOSE_ENV_FILES", "v.env")],
        &["a i:5", "b i:1"],
    ),
    ("top", &[("COMPOSE_ENV_FILES", "../listed.env")], &["a i:2", "b i:1"]),
    ("listed", &[("COMPOSE_PROFILES", "other")], &["a i:2", "b i:1"]),
    ("above", &[], &["a i:2", "b i:1"]),
];

#[test]
fn the_environment_chooses_a_project_for_every_command() {
    let project = project();
    project.write("listed.env", "COMPOSE_FILE=compose.yaml:prod.yaml\n");
    // Here the list is not beside the files.
    project.write("above/.env", "COMPOSE_FILE=deep/one.yaml:deep/two.yaml\n");
    project.write("above/deep/one.yaml", BASE);
    project.write("above/deep/two.yaml", PROD);
    let compose = Command::new("docker-compose").arg("version").output().is_ok();
    for (folder, variables, services) in SURROUNDINGS {
        let services: BTreeSet<String> = services.iter().map(|&service| service.to_owned()).collect();
        let json = |program: &str, arguments: &[&str]| -> Value {
            let mut command = Command::new(program);
            command.current_dir(project.path().join(folder)).args(arguments).envs(variables.iter().copied());
            let output = command.output().expect("it starts");
            let json = serde_json::from_slice(&output.stdout);
            json.unwrap_or_else(|error| panic!("{folder}, {variables:?}: {error}: {}", text(&output)))
        };
        let locus = |arguments: &[&str]| json(env!("CARGO_BIN_EXE_locus"), arguments);
        let what = format!("{folder}, {variables:?}");
        assert_eq!(of_model(&locus(&["compose", "config", "--format", "json"])), services, "{what}");
        assert_eq!(of_graph(&locus(&["graph", "--to", "json"])), services, "{what}");
        // Ports meet in two of the files, and neither is a project of its own.
        assert_eq!(codes(&locus(&["check", "--format", "json"])), ["CMP100"], "{what}");
        if compose {
            let theirs = json("docker-compose", &["config", "--format", "json"]);
            assert_eq!(of_model(&theirs), services, "{what}: what Compose makes of it");
        }
    }
}

/// A file that a file of the project lists may not lie outside of it, as long as the user does not name it.
#[test]
fn a_list_in_an_env_file_gives_no_right_to_read() {
    let project = Project::new(&[
        ("in/.env", "COMPOSE_FILE=compose.yaml:../out/more.yaml\n"),
        ("in/compose.yaml", BASE),
        ("out/more.yaml", PROD),
        ("in/locus.toml", ""),
    ]);
    let output = project.locus_in("in", &["check"], "");
    assert!(text(&output).contains("CMP034") && !text(&output).contains("CMP100"), "{}", text(&output));
    let output = project.locus_in("in", &["check", "--allow-read", "../out"], "");
    assert!(code(&output) == 1 && text(&output).contains("CMP100"), "{}", text(&output));
}

#[test]
fn comments_count_in_every_file_of_a_project() {
    let prod = PROD.replace("\"8080:81\"] }", "\"8080:81\"] } # locus: ignore CMP100");
    let project = Project::new(&[("a.yaml", BASE), ("b.yaml", &prod)]);
    let output = project.locus(&["check", "-f", "a.yaml", "-f", "b.yaml"]);
    assert_eq!(code(&output), 0, "{}", text(&output));
}

#[test]
fn what_cannot_be_put_together_is_said() {
    let project = project();
    for (arguments, wanted) in [
        (&["check", "-f", "top/compose.yaml", "top/prod.yaml"][..], "cannot be used with"),
        (&["check", "-f", "top/compose.yaml", "-f", "none.yaml"], "none.yaml"),
        (&["plan", "-f", "none.yaml", "-f", "top/compose.yaml"], "none.yaml"),
        (&["graph", "-f", "top/compose.yaml", "-f", "-"], "standard input"),
        (&["check", "--profile", "x", "v.lg.yaml"], "v.lg.yaml"),
    ] {
        let output = project.locus(arguments);
        assert!(code(&output) != 0 && text(&output).contains(wanted), "{arguments:?}: {}", text(&output));
    }
}

#[test]
fn more_than_we_can_plan_is_not_answered() {
    let many = BASE.replace("image", "scale: 10050, image").replace("8080:80", "80");
    let project = Project::new(&[("compose.yaml", &many)]);
    assert_eq!(code(&project.locus(&["check"])), 0);
    let output = project.locus(&["plan"]);
    assert!(code(&output) == 2 && text(&output).contains("10050 containers"), "{}", text(&output));
    let output = project.locus(&["up", "--yes", "--simulate", "0"]);
    assert!(code(&output) == 2 && text(&output).contains("10050 containers"), "{}", text(&output));
}

#[test]
fn a_project_one_folder_up_has_a_name() {
    let project = project();
    let above = "services: { a: { image: \"i:1\" } }\n";
    project.write("above/compose.yaml", above);
    project.write("above/deep/x.txt", "");
    let output = project.locus_in("above/deep", &["check", "../compose.yaml"], "");
    assert_eq!(code(&output), 0, "{}", text(&output));
}

#[test]
fn services_that_share_something_are_made_anew_together() {
    for shared in [
        "network_mode: \"service:a\"",
        "pid: \"service:a\"",
        "ipc: \"service:a\"",
        "volumes_from: [a]",
        "links: [a]",
    ] {
        let version = |image: &str| {
            format!(
                "services:\n  a: {{ image: \"{image}\", ipc: shareable }}\n  b: {{ image: \"i:1\", {shared} }}\n"
            )
        };
        let project =
            Project::new(&[("old/compose.yaml", &version("i:1")), ("new/compose.yaml", &version("i:2"))]);
        for arguments in [&["plan"][..], &["plan", "--verify"]] {
            let output = project.locus(&[arguments, &["old/compose.yaml", "new/compose.yaml"]].concat());
            assert_eq!(code(&output), 0, "{shared}: {}", text(&output));
        }
        let plan = text(&project.locus(&["plan", "old/compose.yaml", "new/compose.yaml"]));
        assert!(plan.contains("b (new)"), "{shared}: {plan}");
    }
}
