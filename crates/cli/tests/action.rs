//! The action for GitHub hands on what it is given.

mod common;

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use common::{Project, text};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Node, Sources};

const ACTION: &str = include_str!("../../../action.yml");

fn at<'t>(node: Node<'t>, key: &str) -> Node<'t> {
    node.get(key).unwrap_or_else(|| panic!("the action has {key}"))
}

#[test]
fn globs_are_left_to_locus_and_lists_are_split() {
    let file = Sources::new().add("action.yml", ACTION);
    let parsed = yaml::parse(&file, &YamlOptions::default());
    let steps = at(at(parsed.documents[0].root(), "runs"), "steps");
    let script = at(steps.items().last().expect("it has steps"), "run").as_str().expect("it is a text");
    let project = Project::new(&[
        ("target/release/locus", "#!/bin/sh\nprintf '<%s>' \"$@\"\n"),
        ("a/app.yaml", "x: 1\n"),
        ("b.yaml", "x: 1\n"),
    ]);
    let locus = project.path().join("target/release/locus");
    std::fs::set_permissions(locus, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let output = Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
        .current_dir(project.path())
        .env("GITHUB_ACTION_PATH", project.path())
        .env("LOCUS_PATHS", "**/*.yaml b.yaml")
        .env("LOCUS_ARGS", "--fail-on warning")
        .output()
        .expect("bash can be run");
    assert_eq!(text(&output), "<check><--format><github><--fail-on><warning><--><**/*.yaml><b.yaml>");
}
