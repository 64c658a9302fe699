//! Files of a folder or a glob that cannot be read are reported, if they may be in a language that Locus knows; so are
//! files that another file names.

mod common;

use common::{Project, code, text};

const COMPOSE: &str = "# Käse\nservices: { a: { image: b } }\n";
const STACK: &str = "# Käse\nheat_template_version: rocky\nresources: {}\n";

/// A text in another encoding.
fn latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(u32::from(c)).expect("it is in Latin-1")).collect()
}

fn utf16(text: &str, of_unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(of_unit).collect()
}

/// How a check of a folder with one file ends, and of a glob.
fn checked(name: &str, bytes: &[u8], more: &[&str]) -> (i32, String) {
    let project = Project::new(&[]);
    std::fs::write(project.path().join(name), bytes).expect("it can be written");
    let folder = project.locus(&[&["check", "."], more].concat());
    let glob = project.locus(&[&["check", "*"], more].concat());
    assert_eq!(code(&folder), code(&glob), "{name}: {}{}", text(&folder), text(&glob));
    (code(&folder), text(&folder))
}

#[test]
fn a_file_that_may_be_ours_and_cannot_be_read_is_said() {
    let bom = |text: &str| utf16(&format!("\u{feff}{text}"), u16::to_le_bytes);
    let files: [(&str, Vec<u8>); 8] = [
        ("app.yaml", latin1(COMPOSE)),
        ("app.yaml", bom(COMPOSE)),
        ("app.yaml", utf16(COMPOSE, u16::to_be_bytes)),
        ("app.yaml", format!("{COMPOSE}# \0\n").into_bytes()),
        ("stack.yaml", latin1(STACK)),
        ("stack.yaml", bom(STACK)),
        // Known by its name.
        ("compose.yaml", latin1("# ä\n")),
        ("Spec.tla", latin1("\\* ä\n")),
    ];
    for (name, bytes) in files {
        let (code, said) = checked(name, &bytes, &[]);
        assert!(code == 2 && said.contains(name), "{name}: {code} {said}");
    }
}

#[test]
fn a_file_over_the_limit_is_said() {
    // An archive is not unpacked from a part of it.
    for (name, text) in [("app.yaml", COMPOSE), ("stack.yaml", STACK), ("service.csar", STACK)] {
        let (code, said) = checked(name, text.as_bytes(), &["--max-file-bytes", "20"]);
        assert!(code == 2 && said.contains("20"), "{name}: {code} {said}");
    }
}

/// Files that name another one, which is a file of its language.
const NAMING: [(&str, &str, &str, &str); 10] = [
    (
        "stack.yaml",
        "heat_template_version: rocky\nresources: { n: { type: other.yaml } }\n",
        "other.yaml",
        STACK,
    ),
    (
        "stack.yaml",
        "heat_template_version: rocky\nresources: { n: { type: OS::Heat::ResourceGroup, properties: { resource_def: { type: \
         other.yaml } } } }\n",
        "other.yaml",
        STACK,
    ),
    ("env.yaml", "resource_registry: { A::B: other.yaml }\n", "other.yaml", STACK),
    ("compose.yaml", "include: [ other.yaml ]\n", "other.yaml", COMPOSE),
    (
        "compose.yaml",
        "services: { c: { extends: { file: other.yaml, service: a } } }\n",
        "other.yaml",
        COMPOSE,
    ),
    ("compose.yaml", "services: { a: { image: b, env_file: x.env } }\n", "x.env", "# Käse\nA=b\n"),
    ("compose.yaml", "services: { a: { build: . } }\n", "Dockerfile", "# Käse\nFROM b\n"),
    (
        "service.yaml",
        "tosca_definitions_version: tosca_2_0\nimports: [ other.yaml ]\n",
        "other.yaml",
        "# Käse\ntosca_definitions_version: tosca_2_0\n",
    ),
    (
        "M.tla",
        "---- MODULE M ----\nEXTENDS Other\n====\n",
        "Other.tla",
        "---- MODULE Other ----\n\\* Käse\n====\n",
    ),
    ("m.als", "open other\nrun {}\n", "other.als", "-- Käse\nsig A {}\n"),
];

#[test]
fn a_file_that_another_names_and_that_cannot_be_read_is_said() {
    for (name, text_of, other, content) in NAMING {
        let is_alloy = name == "m.als";
        let unread: [(Vec<u8>, &[&str]); 3] = [
            (latin1(content), &[]),
            (utf16(&format!("\u{feff}{content}"), u16::to_le_bytes), &[]),
            ([content.as_bytes(), &[b'\n'; 2_000][..]].concat(), &["--max-file-bytes", "1000"]),
        ];
        for (bytes, more) in unread {
            // The Analyzer reads a comment in any encoding, and so do we.
            if is_alloy && bytes == latin1(content) {
                continue;
            }
            let stack = "heat_template_version: rocky\nresources: { n: { type: OS::Neutron::Net } }\n";
            let project = Project::new(&[("main.yaml", stack), (name, text_of)]);
            std::fs::write(project.path().join(other), &bytes).expect("it can be written");
            let arguments =
                if name == "env.yaml" { vec!["check", "main.yaml", "-e", name] } else { vec!["check", name] };
            let output = project.locus(&[&arguments[..], more].concat());
            let said = text(&output);
            assert!(code(&output) > 0 && said.contains(other), "{name} {more:?} {}: {said}", code(&output));
        }
    }
}

#[test]
fn a_file_of_somebody_else_is_not() {
    let files: [(&str, Vec<u8>); 4] = [
        ("values.yaml", latin1("# Käse\nreplicas: 3\n")),
        ("values.yaml", utf16("\u{feff}replicas: 3\n", u16::to_le_bytes)),
        ("data.json", b"{\"a\": \"\0\"}".to_vec()),
        ("picture.png", latin1(COMPOSE)),
    ];
    for (name, bytes) in files {
        let (code, said) = checked(name, &bytes, &[]);
        assert_eq!(code, 0, "{name}: {said}");
    }
}

/// As root, the test may read everything.
#[cfg(unix)]
#[test]
fn a_file_that_nobody_may_read_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[("app.yaml", COMPOSE)]);
    let path = project.path().join("app.yaml");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).expect("it is ours");
    let is_root = std::fs::File::open(&path).is_ok();
    assert_eq!(code(&project.locus(&["check", "."])), if is_root { 0 } else { 2 });
}

#[cfg(unix)]
#[test]
fn links_to_files_of_the_project_are_followed_and_others_are_said() {
    let project = Project::new(&[
        ("locus.toml", ""),
        ("shared/app.yml", "services: { a: { image: b, prots: [1] } }\n"),
        ("web/x", ""),
    ]);
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, project.path().join("web").join(name)).expect("a link can be made");
    };
    link("../shared/app.yml", "linked.yaml");
    let output = project.locus(&["check", "web"]);
    assert!(code(&output) == 1 && text(&output).contains("web/linked.yaml"), "{}", text(&output));
    // Where the file itself is looked at, its link is not.
    let output = project.locus(&["check", "."]);
    assert!(code(&output) == 1 && !text(&output).contains("web/linked.yaml"), "{}", text(&output));
    std::fs::remove_file(project.path().join("web/linked.yaml")).expect("it is there");
    link("/etc/hostname", "values.yaml");
    assert_eq!(code(&project.locus(&["check", "web"])), 0);
    link("/etc/hostname", "compose.yaml");
    let output = project.locus(&["check", "web"]);
    assert!(code(&output) == 2 && text(&output).contains("web/compose.yaml"), "{}", text(&output));
}

/// A file with rules is about others: it is looked at, and not executed.
#[test]
fn rules_in_a_project_are_checked_as_rules() {
    let rule = "module own\nopen compose/core\n/** OWN001 few: Few services.\n *  @message there are too many\n */\n\
                fact few { #Service < 100 }\n";
    let project = Project::new(&[("own.als", rule)]);
    let output = project.locus(&["check", "-v", "."]);
    let said = text(&output);
    assert!(
        code(&output) == 0 && said.contains("no findings in 1 file") && said.contains("1 rule"),
        "{said}"
    );
    assert!(said.lines().count() < 8, "{said}");
    // What is odd in it is said, as with --rules.
    project.write("own.als", &rule.replace("@message", "@massage"));
    let (_, report) = project.json(&["check", "--format", "json", "."]);
    assert_eq!(common::codes(&report), ["USR002"], "{report}");
    // One with a command of its own is a model.
    project.write("own.als", &format!("{rule}run {{ some Service }} for 2\n"));
    let output = project.locus(&["check", "-v", "."]);
    assert!(text(&output).contains("1 command"), "{}", text(&output));
}
