//! The rules about Compose files: each has a file that breaks it and one that comes close and does not, and every fact
//! of section 6.2 of the report is a rule, a check of the reader, or has a reason not to be one.

mod common;

use std::fmt::Write as _;

use common::{findings, reading};
use locus_compose::library;
use locus_language::Example;
use locus_source::Sources;

#[test]
fn each_rule_has_a_file_that_breaks_it_and_one_that_comes_close() {
    let mut messages = String::new();
    for (module, rule) in library::FILES.rules() {
        let code = rule.description.rule.code.to_string();
        assert!(rule.description.is_complete(), "{code} in {module} needs a message, a place and help");
        assert!(rule.description.remark.is_some(), "{code} does not say what Docker does");
        let Some(Example { bad, good }) = library::FILES.example(&code) else {
            assert_eq!(code, "CMP103", "{code} has no example; that rule needs two files");
            continue;
        };
        let profiles = if code == "CMP123" { &["all"][..] } else { &[] };
        let found = findings(&[bad], profiles);
        let broken = found.iter().find(|(found, _)| *found == code);
        let (_, message) = broken.unwrap_or_else(|| panic!("{code} is not found: {found:?}"));
        let _ = writeln!(messages, "{code} {message}");
        let close = findings(&[good], profiles);
        assert!(
            !close.iter().any(|(found, _)| *found == code),
            "{code} is found in the good file: {close:?}"
        );
    }
    insta::assert_snapshot!("messages", messages);
}

#[test]
fn a_port_that_an_override_adds_is_found() {
    let base = "services: { web: { image: \"i:1\", ports: [\"80:80\"] } }";
    let added = "services: { web: { ports: [\"8080:80\"] } }";
    let replaced = "services: { web: { ports: !override [\"8080:80\"] } }";
    let has = |texts: &[&str]| findings(texts, &[]).iter().any(|(code, _)| code == "CMP103");
    assert!(has(&[base, added]));
    assert!(!has(&[base, replaced]));
}

/// A fact of section 6.2.
enum Fact {
    /// A file that breaks it, and the code of what is then found.
    Checked(&'static str, &'static str),
    /// Why no file can break it, or why it does not hold today.
    Not(&'static str),
}

use Fact::{Checked, Not};

const GRAPH: Fact = Not("by construction of the location graph, whose static rules hold for every file here");

/// The facts of section 6.2 in their order, those inside of signatures and those beside them.
const REPORT: &[(&str, Fact)] = &[
    ("Composition: locations = services + networks + volumes + secrets", GRAPH),
    (
        "Composition: distinct_names[services]",
        Checked("YML002", "services:\n  a: { image: \"i:1\" }\n  a: { image: \"i:2\" }\n"),
    ),
    (
        "Service: #containers > 1 implies no container_name",
        Checked(
            "CMP025",
            "services: { a: { image: \"i:1\", container_name: one, deploy: { replicas: 2 } } }",
        ),
    ),
    ("Service: on_which_depend in provided", GRAPH),
    ("Service: required = networks + volumes + depends_on + secrets", GRAPH),
    (
        "Service: restart in \"no\" + \"always\" + \"on-failure\" + \"unless-stopped\"",
        Checked("CMP124", "services: { a: { image: \"i:1\", restart: sometimes } }"),
    ),
    ("Volume_spec: provided in VolumeRole", GRAPH),
    (
        "Volume_spec: some provided",
        Checked("CMP144", "services: { a: { image: \"i:1\" } }\nvolumes: { nobodys: }"),
    ),
    ("Volume_spec: no required", GRAPH),
    (
        "VolumeSpec: mode in \"rw\" + \"ro\"",
        Not(
            "there are more modes today, such as `z` and `cached`, and Compose ignores those that it does not know",
        ),
    ),
    (
        "MountSpec: tmpfs_size >= 0",
        Checked(
            "CMP005",
            "services: { a: { image: \"i:1\", volumes: [{ type: tmpfs, target: /t, tmpfs: { size: -1 } }] } }",
        ),
    ),
    (
        "MountSpec: consistency in \"consistent\" + \"cached\" + \"delegated\"",
        Not("Compose takes any word today, and Docker ignores it outside of macOS"),
    ),
    (
        "MountSpec: type in \"volume\" + \"bind\" + \"tmpfs\"",
        Checked("CMP005", "services: { a: { image: \"i:1\", volumes: [{ type: disk, target: /t }] } }"),
    ),
    (
        "Secret: some external_name implies is_external = true",
        Not(
            "by construction: `external: { name: … }` makes it external, and `name` is for all secrets today",
        ),
    ),
    (
        "Config: some external_name implies is_external = true",
        Not(
            "by construction: `external: { name: … }` makes it external, and `name` is for all configs today",
        ),
    ),
    (
        "Scalar: value >= 0",
        Checked("CMP126", "services: { a: { image: \"i:1\", healthcheck: { test: x, interval: \"-1s\" } } }"),
    ),
    (
        "Reservation_resources_spec: Discrete_resource_spec = generic_resources",
        Not(
            "by construction: a discrete resource is written inside of `generic_resources`, and nowhere else",
        ),
    ),
    (
        "Deploy_config: order in \"start-first\" + \"stop-first\"",
        Checked(
            "CMP005",
            "services: { a: { image: \"i:1\", deploy: { update_config: { order: both-first } } } }",
        ),
    ),
    (
        "all_service_net_roles_are_attached_to_some_network",
        Checked("CMP020", "services: { a: { image: \"i:1\", networks: [nowhere] } }"),
    ),
    (
        "network_roles_are_attached_to_disjoint_networks",
        Checked(
            "YML002",
            "services:\n  a:\n    image: i:1\n    networks:\n      n: {}\n      n: {}\nnetworks: { n: }\n",
        ),
    ),
    (
        "all_service_volume_roles_are_attached_to_some_volume",
        Checked("CMP020", "services: { a: { image: \"i:1\", volumes: [\"nowhere:/n\"] } }"),
    ),
    (
        "volume_roles_are_attached_to_disjoint_volumes",
        Not("Docker mounts one volume at several targets of a container"),
    ),
];

#[test]
fn every_fact_of_the_report_is_a_rule_or_a_check() {
    for (fact, stands) in REPORT {
        match stands {
            Checked(code, file) => {
                let found = findings(&[file], &[]);
                assert!(found.iter().any(|(found, _)| found == code), "{fact}: {found:?}");
            }
            Not(why) => assert!(!why.is_empty(), "{fact}"),
        }
    }
    assert_eq!(REPORT.len(), 22);
}

/// Each rule of the reader: its code, a file that breaks it, and one that comes close.
const READER: &[(&str, &str, &str)] = &[
    ("CMP001", "[]", "services: { a: { image: x:1 } }"),
    (
        "CMP002",
        "services: { a: { image: x:1, prots: [] } }",
        "services: { a: { image: x:1, ports: [], x-prots: [] } }",
    ),
    (
        "CMP003",
        "services: { a: { image: x:1, volumes: [ { target: /a } ] } }",
        "services: { a: { image: x:1, volumes: [ { type: volume, target: /a } ] } }",
    ),
    ("CMP004", "services: { a: { image: x:1, ports: 80 } }", "services: { a: { image: x:1, ports: [80] } }"),
    (
        "CMP005",
        "services: { a: { image: x:1, cgroup: other } }",
        "services: { a: { image: x:1, cgroup: host } }",
    ),
    (
        "CMP006",
        "services: { a: { image: x:1, security_opt: [a, a] } }",
        "services: { a: { image: x:1, security_opt: [a, b], command: [a, a] } }",
    ),
    (
        "CMP007",
        "services: { a: { image: x:1, labels: { 1: x } } }",
        "services: { a: { image: x:1, labels: { \"1\": x } } }",
    ),
    ("CMP008", "services: { a: { image: \"x:${\" } }", "services: { a: { image: \"x:$${\" } }"),
    (
        "CMP009",
        "services: { a: { image: \"x:${A:?no}\" } }",
        "services: { a: { image: \"x:${A:-${B-1}}\" } }",
    ),
    ("CMP010", "services: { a: { image: \"x:$A\" } }", "services: { a: { image: \"x:${A:-1}${B+2}\" } }"),
    (
        "CMP011",
        "services: { a: { image: x:1, privileged: \"maybe\" } }",
        "services: { a: { image: x:1, privileged: \"true\" } }",
    ),
    (
        "CMP012",
        "services: { a: { image: x:1, ports: [\"1-2:1-3\"] } }",
        "services: { a: { image: x:1, ports: [\"1-3:1-3\", \"8000-8009:80\"] } }",
    ),
    (
        "CMP013",
        "services: { a: { image: x:1, volumes: [\"aa::/b\"] } }",
        "services: { a: { image: x:1, volumes: [\"aa:/b:ro\"] } }\nvolumes: { aa: }",
    ),
    (
        "CMP014",
        "services: { a: { image: x:1, extra_hosts: [db] } }",
        "services: { a: { image: x:1, extra_hosts: [\"db=10.0.0.5\"] } }",
    ),
    ("CMP015", "services: { a: { extends: b } }", "services: { a: { extends: b }, b: { image: x:1 } }"),
    ("CMP016", "include: [missing.yaml]", "include: [base.yaml]"),
    (
        "CMP017",
        "services: { a: { image: x:1, env_file: missing.env } }",
        "services: { a: { image: x:1, env_file: [a.env, { path: missing.env, required: false }] } }",
    ),
    (
        "CMP018",
        "services: { a: { image: x:1 } }\n---\nservices: []",
        "services: { a: { image: x:1 } }\n---\nservices: { a: { image: x:2 } }",
    ),
    (
        "CMP019",
        "services: { a: { image: x:1, mem_limit: 1x } }",
        "services: { a: { image: x:1, mem_limit: 1g } }",
    ),
    (
        "CMP020",
        "services: { a: { image: x:1, networks: [b] } }",
        "services: { a: { image: x:1, networks: [b] } }\nnetworks: { b: }",
    ),
    (
        "CMP021",
        "services: { a: { image: x:1, depends_on: [b] }, b: { image: x:1, links: [a] } }",
        "services: { a: { image: x:1, depends_on: [b], links: [b] }, b: { image: x:1 } }",
    ),
    (
        "CMP022",
        "services: { a: { image: x:1, network_mode: host, networks: [n] } }\nnetworks: { n: }",
        "services: { a: { image: x:1, network_mode: host }, b: { image: x:1, networks: [n] } }\nnetworks: { n: }",
    ),
    ("CMP023", "services: { a: { ports: [\"80:80\"] } }", "services: { a: { build: there } }"),
    (
        "CMP024",
        "services: { a: { image: x:1, scale: 2, deploy: { replicas: 3 } } }",
        "services: { a: { image: x:1, scale: 2, deploy: { replicas: 2 } } }",
    ),
    (
        "CMP025",
        "services: { a: { image: x:1, scale: 2, container_name: ab } }",
        "services: { a: { image: x:1, scale: 1, container_name: ab } }",
    ),
    (
        "CMP026",
        "services: { a: { image: x:1, tmpfs: [/a], volumes: [\"/a\"] } }",
        "services: { a: { image: x:1, tmpfs: [/a], volumes: [\"/a/b\"] } }",
    ),
    (
        "CMP027",
        "services: { a: { image: x:1, healthcheck: { test: [a] } } }",
        "services: { a: { image: x:1, healthcheck: { test: [CMD, a] } }, b: { image: x:1, healthcheck: { test: a } } }",
    ),
    ("CMP028", "name: \"+\"\nservices: { a: { image: x:1 } }", "name: a-1\nservices: { a: { image: x:1 } }"),
    (
        "CMP029",
        "services: { a: { image: x:1, command: \"a 'b\" } }",
        "services: { a: { image: x:1, command: \"a 'b'\" } }",
    ),
    (
        "CMP030",
        "version: \"3\"\nservices: { a: { image: x:1 } }",
        "x-version: \"3\"\nservices: { a: { image: x:1 } }",
    ),
    (
        "CMP031",
        "services: { a: { image: x:1, tty: yes } }",
        "services: { a: { image: x:1, tty: true, command: \"yes\" } }",
    ),
    (
        "CMP032",
        "services: { a: { image: x:1, command: a && b } }",
        "services: { a: { image: x:1, command: \"sh -c 'a && b'\" } }",
    ),
    (
        "CMP033",
        "services: { a: { image: x:1, networks: [n] } }\nnetworks: { n: { external: { name: m } } }",
        "services: { a: { image: x:1, networks: [n] } }\nnetworks: { n: { external: true, name: m } }",
    ),
    ("CMP034", "include: [\"oci://docker.io/a/b\"]", "include: [base.yaml]"),
    (
        "CMP234",
        "services: { a: { image: x:1, volumes: [\"dd:/v\", \"ee:/v\"] } }\nvolumes: { dd: , ee: }",
        "services: { a: { image: x:1, volumes: [\"dd:/v\"] }, b: { extends: a, volumes: [\"ee:/v\"] } }\nvolumes: { dd: , ee: }",
    ),
];

#[test]
fn each_rule_of_the_reader_is_found_and_not_in_a_file_that_comes_close() {
    let mut messages = String::new();
    for (code, bad, close) in READER {
        let found = findings(&[close], &[]);
        assert!(!found.iter().any(|(found, _)| found == code), "{code} is found in {close}");
        let found = findings(&[bad], &[]);
        let (_, message) =
            found.iter().find(|(found, _)| found == code).unwrap_or_else(|| panic!("{code}: {found:?}"));
        let _ = writeln!(messages, "{code} {message}");
    }
    // CMP035 is about several files, and `tests/together.rs` has them.
    assert_eq!(READER.len() + 1, locus_compose::RULES.len(), "every rule of the reader has a file here");
    insta::assert_snapshot!("reader", messages);
}

#[test]
fn a_right_file_has_no_findings() {
    let text = "services:\n  web:\n    image: nginx:1.27\n    ports: [\"8080:80\"]\n    depends_on: [db]\n    \
                environment: { DB: \"postgres://db:5432/x\" }\n  db:\n    image: postgres:17\n    \
                volumes: [\"data:/var/lib/postgresql/data\"]\nvolumes: { data: }\n";
    assert_eq!(findings(&[text], &[]), []);
}

#[test]
fn files_extend_and_use_variables_of_files() {
    let sources = Sources::new();
    let text = "services:\n  web:\n    extends: { file: base.yaml, service: base }\n    env_file: a.env\n    \
                ports: [\"91:91\"]\n";
    let reading = reading(&sources, &[text], &[]);
    let project = reading.project.expect("it can be read");
    insta::assert_snapshot!("extended", locus_compose::yaml(&project));
}
