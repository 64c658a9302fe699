//! Each rule about what an engine knows, on an engine that is made up: a file that breaks it, and one that comes close.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_source::{Finding, Found, Limits, LoadError, Loader, Severity, SourceFile, Sources};

use super::{Existing, Image, Machine, judge, overlap};
use crate::{ComposeFile, Files, Inputs, Variables, check, meaning, read};

/// An engine with the images `web:1` (exposes 80, has a health check, runs as `www`) and `db:1` (has nothing of that),
/// the network and the volume `shared`, and a container `taken` of another project at 127.0.0.1:8080.
struct Made {
    containers: Vec<Existing>,
}

impl Machine for Made {
    fn image(&self, name: &str) -> Option<Option<Image>> {
        Some(match name {
            "web:1" => Some(Image {
                has_health_check: true,
                exposed: vec!["80/tcp".to_owned()],
                user: "www".to_owned(),
            }),
            "db:1" => Some(Image::default()),
            "unasked:1" => return None,
            _ => None,
        })
    }

    fn has_network(&self, name: &str) -> Option<bool> {
        Some(name == "shared")
    }

    fn has_volume(&self, name: &str) -> Option<bool> {
        Some(name == "shared")
    }

    fn containers(&self) -> &[Existing] {
        &self.containers
    }
}

/// A folder in which nothing is.
struct Empty;

impl Loader for Empty {
    fn bytes(&self, _: &SourceFile, _: &str) -> Result<(String, Vec<u8>), LoadError> {
        Err(LoadError::Missing)
    }

    fn look(&self, _: &SourceFile, _: &str) -> Found {
        Found::Nothing
    }
}

fn findings(text: &str) -> Vec<Finding> {
    let sources = Sources::new();
    let source = sources.add("/project/compose.yaml", text);
    let main = Arc::clone(&source);
    let files = Files { loader: &Empty, sources: &sources, main: &main, folder: "/project" };
    let inputs = Inputs {
        folder: "/project".to_owned(),
        variables: Variables::new(),
        hidden: BTreeSet::new(),
        env_files: Vec::new(),
        profiles: Vec::new(),
        name: None,
        files,
        limits: Limits::default(),
    };
    let file = ComposeFile { source, path: "/project/compose.yaml".to_owned() };
    let reading = read(&[file], &inputs);
    let project = reading.project.unwrap_or_else(|| panic!("{:?}", reading.findings));
    let mut findings = check(&project, &files).findings;
    let taken = Existing {
        name: "taken".to_owned(),
        project: "other".to_owned(),
        ports: vec![("127.0.0.1".to_owned(), 8080, "tcp".to_owned())],
    };
    let own = Existing { name: "own".to_owned(), project: "project".to_owned(), ports: Vec::new() };
    let things = meaning(&project).things(&sources);
    judge(&things, &Made { containers: vec![taken, own] }, &mut findings);
    findings
}

/// Each rule with a file that breaks it, its message, and files that come close.
const EXAMPLES: &[(&str, &str, &str, &[&str])] = &[
    (
        "CMP170",
        "services: { a: { image: \"none:1\", pull_policy: never } }",
        "the image none:1 of a is not on the engine, and `pull_policy` forbids to pull it",
        &[
            "services: { a: { image: \"none:1\" } }",
            "services: { a: { image: \"db:1\", pull_policy: never } }",
            "services: { a: { image: \"unasked:1\", pull_policy: never } }",
        ],
    ),
    (
        "CMP171",
        "services: { a: { image: \"db:1\", networks: [n] } }\nnetworks: { n: { external: true, name: none } }",
        "a uses the external network none, which is not on the engine",
        &[
            "services: { a: { image: \"db:1\", networks: [n] } }\nnetworks: { n: { external: true, name: shared } }",
            "services: { a: { image: \"db:1\", networks: [n] } }\nnetworks: { n: { name: none } }",
        ],
    ),
    (
        "CMP172",
        "services: { a: { image: \"db:1\", volumes: [\"vol:/v\"] } }\nvolumes: { vol: { external: true, name: none } }",
        "a uses the external volume none, which is not on the engine",
        &[
            "services: { a: { image: \"db:1\", volumes: [\"vol:/v\"] } }\nvolumes: { vol: { external: true, name: shared } }",
            "services: { a: { image: \"db:1\", volumes: [\"vol:/v\"] } }\nvolumes: { vol: { name: none } }",
        ],
    ),
    (
        "CMP173",
        "services: { a: { image: \"web:1\", ports: [\"8080:80\"] } }",
        "a publishes port 8080/tcp of the host, which the container taken has",
        &[
            "services: { a: { image: \"web:1\", ports: [\"127.0.0.2:8080:80\"] } }",
            "services: { a: { image: \"web:1\", ports: [\"8081:80\"] } }",
            "services: { a: { image: \"db:1\", ports: [\"8080:80/udp\"] } }",
            "name: other\nservices: { a: { image: \"web:1\", ports: [\"8080:80\"] } }",
        ],
    ),
    (
        "CMP174",
        "services: { a: { image: \"db:1\", container_name: taken } }",
        "the name taken of a is that of a container which is there already",
        &[
            "services: { a: { image: \"db:1\", container_name: taken2 } }",
            "services: { a: { image: \"db:1\", container_name: own } }",
        ],
    ),
    (
        "CMP175",
        "services: { a: { image: \"web:1\", ports: [\"90:8080\"] } }",
        "a publishes 8080/tcp, and its image web:1 exposes 80/tcp",
        &[
            "services: { a: { image: \"web:1\", ports: [\"90:80\"] } }",
            // An image that exposes nothing says nothing of where its programs listen.
            "services: { a: { image: \"db:1\", ports: [\"90:8080\"] } }",
            "services: { a: { image: \"none:1\", ports: [\"90:8080\"] } }",
        ],
    ),
];

#[test]
fn each_rule_about_the_engine_has_a_file_that_breaks_it_and_some_that_come_close() {
    assert!(EXAMPLES.iter().map(|example| example.0).eq(crate::ENGINE_RULES.iter().map(|r| r.code.as_str())));
    for (code, bad, message, close) in EXAMPLES {
        let found = findings(bad);
        let broken: Vec<&str> = found
            .iter()
            .filter(|finding| finding.code.as_str() == *code)
            .map(|finding| finding.message.as_str())
            .collect();
        assert_eq!(broken, [*message], "{code}: {found:?}");
        for good in *close {
            let found = findings(good);
            assert!(!found.iter().any(|finding| finding.code.as_str() == *code), "{good}: {found:?}");
        }
    }
}

#[test]
fn the_health_check_of_an_image_settles_whether_one_can_wait_for_it() {
    let waits = |image: &str| {
        let text = format!(
            "services:\n  a: {{ image: \"db:1\", depends_on: {{ b: {{ condition: service_healthy }} }} }}\n  \
             b: {{ image: \"{image}\" }}\n"
        );
        let found = findings(&text);
        found.iter().find(|finding| finding.code.as_str() == "CMP120").map(|finding| finding.severity)
    };
    assert_eq!(waits("web:1"), None);
    assert_eq!(waits("db:1"), Some(Severity::Error));
    assert_eq!(waits("none:1"), Some(Severity::Warning), "what an image that is not there has is not known");
    assert_eq!(waits("unasked:1"), Some(Severity::Warning));
}

#[test]
fn the_user_of_an_image_tells_whether_a_folder_of_root_can_be_written() {
    let notes = |image: &str, user: &str| {
        let text =
            format!("services: {{ a: {{ image: \"{image}\", user: \"{user}\", volumes: [\"./d:/d\"] }} }}");
        let found = findings(&text);
        found.into_iter().find(|finding| finding.code.as_str() == "CMP140").expect("nothing is there").notes
    };
    let of = |user: &str| {
        vec![format!("a runs as the user {user}, who cannot write to a folder that belongs to root")]
    };
    assert_eq!(notes("web:1", ""), of("www"));
    assert_eq!(notes("db:1", "1000:1000"), of("1000:1000"));
    let none: [String; 0] = [];
    assert_eq!(notes("db:1", ""), none);
    assert_eq!(notes("web:1", "0:0"), none);
    assert_eq!(notes("none:1", ""), none);
}

#[test]
fn addresses_overlap_as_sockets_do() {
    assert!(overlap("0.0.0.0", "127.0.0.1") && overlap("127.0.0.1", "") && overlap("::", "::1"));
    assert!(overlap("10.0.0.1", "10.0.0.1") && overlap("", "::"));
    assert!(!overlap("127.0.0.1", "10.0.0.1") && !overlap("0.0.0.0", "::1") && !overlap("::", "127.0.0.1"));
}
