//! The rules about Compose files: each has a file that breaks it and one that comes close and does not, and every fact of
//! section 6.2 of the report is a rule, a check of the reader, or has a reason not to be one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use locus_compose::{ComposeFile, Files, Inputs, Reading, Variables, library, read};
use locus_rules::Example;
use locus_source::{Found, Limits, LoadError, Loader, SourceFile, Sources};

/// A project in which `there` is a folder with a Dockerfile, `there.txt` a file, and what is called `missing` is not.
struct Folder;

impl Loader for Folder {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let text = match path {
            "base.yaml" => "services: { base: { image: \"i:1\", ports: [\"90:90\"] } }",
            "a.env" => "A=1\nB=${A}2\n",
            _ => return Err(LoadError::Missing),
        };
        Ok((path.to_owned(), text.as_bytes().to_vec()))
    }

    fn look(&self, _: &SourceFile, path: &str) -> Found {
        match path {
            "there" => Found::Folder,
            "there.txt" | "there/Dockerfile" => Found::File,
            _ if path.contains("missing") || path.rsplit('.').next() == Some("env") => Found::Nothing,
            _ => Found::Unknown,
        }
    }
}

fn files<'s>(sources: &'s Sources, main: &'s SourceFile) -> Files<'s> {
    Files { loader: &Folder, sources, main, folder: "/project" }
}

fn reading(sources: &Sources, texts: &[&str], profiles: &[&str]) -> Reading {
    let files: Vec<ComposeFile> = texts
        .iter()
        .enumerate()
        .map(|(at, text)| {
            let path = format!("/project/compose{at}.yaml");
            ComposeFile { source: sources.add(path.clone(), *text), path }
        })
        .collect();
    let main = Arc::clone(&files[0].source);
    let inputs = Inputs {
        folder: "/project".to_owned(),
        variables: Variables::new(),
        hidden: BTreeSet::new(),
        env_files: Vec::new(),
        profiles: profiles.iter().map(|profile| (*profile).to_owned()).collect(),
        name: None,
        files: self::files(sources, &main),
        limits: Limits::default(),
    };
    read(&files, &inputs)
}

/// The codes and messages of all findings.
fn findings(texts: &[&str], profiles: &[&str]) -> Vec<(String, String)> {
    let sources = Sources::new();
    let reading = reading(&sources, texts, profiles);
    let mut all = reading.findings;
    if let Some(project) = &reading.project {
        let main = sources.find("/project/compose0.yaml").expect("it was added");
        all.extend(locus_compose::check(project, &files(&sources, &main)).findings);
        assert!(locus_graph::is_well_formed(&locus_compose::graph(project)));
    }
    all.iter().map(|finding| (finding.code.to_string(), finding.message.clone())).collect()
}

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

/// The facts of section 6.2, each with the code that stands for it, or why none does.
const REPORT: &[(&str, &str)] = &[
    ("locations = services + networks + volumes + secrets", "by construction of the location graph"),
    ("distinct_names[services]", "YML002"),
    ("#containers > 1 implies no container_name", "CMP025"),
    ("on_which_depend in provided", "by construction of the location graph"),
    ("required = networks + volumes + depends_on + secrets", "by construction of the location graph"),
    ("restart in the four policies", "CMP124"),
    ("volumes: provided in VolumeRole", "by construction of the location graph"),
    ("volumes: some provided", "CMP144"),
    ("volumes: no required", "by construction of the location graph"),
    ("tmpfs_size >= 0", "CMP005"),
    ("consistency in three words", "Compose takes any word today"),
    ("type in volume, bind, tmpfs", "CMP005"),
    ("some external_name implies is_external", "by construction: `external.name` makes it external"),
    ("order in start-first, stop-first", "CMP005"),
    ("scalars: value >= 0", "CMP019"),
    ("all_service_net_roles_are_attached_to_some_network", "CMP020"),
    ("network_roles_are_attached_to_disjoint_networks", "YML002"),
    ("all_service_volume_roles_are_attached_to_some_volume", "CMP020"),
    ("volume_roles_are_attached_to_disjoint_volumes", "Docker mounts a volume at several targets"),
];

#[test]
fn every_fact_of_the_report_is_a_rule_or_a_check() {
    let known: Vec<String> = locus_compose::RULES
        .iter()
        .cloned()
        .chain(library::FILES.codes())
        .chain(locus_source::yaml::RULES.iter().cloned())
        .map(|rule| rule.code.to_string())
        .collect();
    for (fact, stands) in REPORT {
        let is_code = stands.len() == 6 && stands.bytes().take(3).all(|b| b.is_ascii_uppercase());
        assert!(!is_code || known.iter().any(|code| code == stands), "{fact}: there is no {stands}");
    }
    assert_eq!(REPORT.len(), 19);
}

/// Files that the reader says something of, with its code.
const READER: &[(&str, &str)] = &[
    ("[]", "CMP001"),
    ("services: { a: { image: x:1, prots: [] } }", "CMP002"),
    ("services: { a: { image: x:1, volumes: [ { target: /a } ] } }", "CMP003"),
    ("services: { a: { image: x:1, ports: 80 } }", "CMP004"),
    ("services: { a: { image: x:1, cgroup: other } }", "CMP005"),
    ("services: { a: { image: x:1, security_opt: [a, a] } }", "CMP006"),
    ("services: { a: { image: x:1, labels: { 1: x } } }", "CMP007"),
    ("services: { a: { image: \"x:${\" } }", "CMP008"),
    ("services: { a: { image: \"x:${A:?no}\" } }", "CMP009"),
    ("services: { a: { image: \"x:$A\" } }", "CMP010"),
    ("services: { a: { image: x:1, privileged: \"maybe\" } }", "CMP011"),
    ("services: { a: { image: x:1, ports: [\"1-2:1-3\"] } }", "CMP012"),
    ("services: { a: { image: x:1, volumes: [\"aa::/b\"] } }", "CMP013"),
    ("services: { a: { image: x:1, extra_hosts: [db] } }", "CMP014"),
    ("services: { a: { extends: b } }", "CMP015"),
    ("include: [missing.yaml]", "CMP016"),
    ("services: { a: { image: x:1, env_file: missing.env } }", "CMP017"),
    ("services: { a: { image: x:1 } }\n---\nservices: []", "CMP018"),
    ("services: { a: { image: x:1, mem_limit: 1x } }", "CMP019"),
    ("services: { a: { image: x:1, networks: [b] } }", "CMP020"),
    ("services: { a: { image: x:1, depends_on: [b] }, b: { image: x:1, links: [a] } }", "CMP021"),
    ("services: { a: { image: x:1, network_mode: host, networks: [n] } }\nnetworks: { n: }", "CMP022"),
    ("services: { a: { ports: [\"80:80\"] } }", "CMP023"),
    ("services: { a: { image: x:1, scale: 2, deploy: { replicas: 3 } } }", "CMP024"),
    ("services: { a: { image: x:1, scale: 2, container_name: ab } }", "CMP025"),
    ("services: { a: { image: x:1, tmpfs: [/a], volumes: [\"/a\"] } }", "CMP026"),
    ("services: { a: { image: x:1, healthcheck: { test: [a] } } }", "CMP027"),
    ("name: \"+\"\nservices: { a: { image: x:1 } }", "CMP028"),
    ("services: { a: { image: x:1, command: \"a 'b\" } }", "CMP029"),
    ("version: \"3\"\nservices: { a: { image: x:1 } }", "CMP030"),
    ("services: { a: { image: x:1, tty: yes } }", "CMP031"),
    ("services: { a: { image: x:1, command: a && b } }", "CMP032"),
    ("services: { a: { image: x:1, networks: [n] } }\nnetworks: { n: { external: { name: m } } }", "CMP033"),
    ("include: [\"oci://docker.io/a/b\"]", "CMP034"),
];

#[test]
fn each_rule_of_the_reader_is_found() {
    let mut messages = String::new();
    for (text, code) in READER {
        let found = findings(&[text], &[]);
        let (_, message) =
            found.iter().find(|(found, _)| found == code).unwrap_or_else(|| panic!("{code}: {found:?}"));
        let _ = writeln!(messages, "{code} {message}");
    }
    assert_eq!(READER.len(), locus_compose::RULES.len(), "every rule of the reader has a file here");
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
