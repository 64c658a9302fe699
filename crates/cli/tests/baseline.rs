//! With a baseline, only what is new fails.

mod common;

use common::{Project, code, codes, text};

const GRAPH: &str = "location-graph: 1\nlocations:\n  a: { provides: [p] }\n  b: { provides: [p] }\n";

#[test]
fn only_what_is_new_fails() {
    let project = Project::new(&[("sub/web.lg.yaml", GRAPH)]);
    assert_eq!(code(&project.locus(&["check", "."])), 1);
    let output = project.locus(&["check", "--write-baseline", "known.json", "."]);
    assert_eq!(code(&output), 0, "{}", text(&output));
    let output = project.locus(&["check", "--baseline", "known.json", "."]);
    assert!(code(&output) == 0 && text(&output).contains("left out by the baseline: 1"), "{}", text(&output));
    // From another folder, and after lines came above, it is the same finding.
    project.write("sub/web.lg.yaml", &GRAPH.replace("locations:\n", "\n\nlocations:\n"));
    assert_eq!(code(&project.locus_in("sub", &["check", "--baseline", "../known.json", "."], "")), 0);
    // What is new fails, and only that is shown.
    project.write("sub/web.lg.yaml", &format!("{GRAPH}  c: {{ requires: [q] }}\n  d: {{ requires: [q] }}\n"));
    let (exit, report) = project.json(&["check", "--baseline", "known.json", "--format", "json", "."]);
    assert_eq!((exit, codes(&report), &report["summary"]["known"]), (1, vec!["LG003"], &1.into()));
    // The same mistake a second time is new.
    project.write("sub/other.lg.yaml", GRAPH);
    let (_, report) = project.json(&["check", "--baseline", "known.json", "--format", "json", "."]);
    assert_eq!(codes(&report), ["LG002", "LG003"]);
}

#[test]
fn a_file_that_is_not_a_baseline_is_an_error() {
    let project = Project::new(&[("web.lg.yaml", GRAPH), ("known.json", "[]")]);
    for path in ["known.json", "nowhere.json"] {
        assert_eq!(code(&project.locus(&["check", "--baseline", path, "."])), 2);
    }
}
