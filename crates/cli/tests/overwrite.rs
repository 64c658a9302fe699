//! Output beside an input never overwrites it.

mod common;

use common::{Project, code, text};

const GRAPH: &str = "location-graph: 1\nlocations:\n  a: { provides: [p] }\n";
const COMPOSE: &str = "services: { a: { image: b } }\n";

fn stays(project: &Project, arguments: &[&str], name: &str, content: &str) {
    let output = project.locus(arguments);
    assert_eq!(code(&output), 2, "{arguments:?}: {}", text(&output));
    let now = std::fs::read_to_string(project.path().join(name)).expect("it is there");
    assert_eq!(now, content, "{arguments:?}");
}

#[test]
fn a_picture_does_not_replace_what_it_shows() {
    let project =
        Project::new(&[("a.lg.yaml", GRAPH), ("env.yaml", "parameters: {}\n"), ("compose.yaml", COMPOSE)]);
    let path = |name: &str| project.path().join(name);
    std::os::unix::fs::symlink("a.lg.yaml", path("link.yaml")).expect("a link can be made");
    std::fs::hard_link(path("a.lg.yaml"), path("hard.yaml")).expect("a link can be made");
    for (input, output) in [
        ("a.lg.yaml", "a.lg.yaml"),
        ("a.lg.yaml", "./a.lg.yaml"),
        ("a.lg.yaml", "link.yaml"),
        ("link.yaml", "a.lg.yaml"),
        ("a.lg.yaml", "hard.yaml"),
    ] {
        stays(&project, &["graph", input, "-o", output], "a.lg.yaml", GRAPH);
    }
    stays(
        &project,
        &["graph", "compose.yaml", "-e", "env.yaml", "-o", "env.yaml"],
        "env.yaml",
        "parameters: {}\n",
    );
    // Another file is written, and written again.
    for _ in 0..2 {
        assert_eq!(code(&project.locus(&["graph", "a.lg.yaml", "-o", "b.yaml"])), 0);
    }
}

#[test]
fn a_baseline_replaces_nothing_but_a_baseline() {
    let project = Project::new(&[("compose.yaml", COMPOSE), ("values.json", "{\"a\": 1}\n"), ("empty", "")]);
    std::os::unix::fs::symlink("compose.yaml", project.path().join("link")).expect("a link can be made");
    for (path, kept, content) in [
        ("compose.yaml", "compose.yaml", COMPOSE),
        ("link", "compose.yaml", COMPOSE),
        ("values.json", "values.json", "{\"a\": 1}\n"),
    ] {
        stays(&project, &["check", ".", "--write-baseline", path], kept, content);
    }
    for path in ["known.json", "known.json", "empty"] {
        assert_eq!(code(&project.locus(&["check", ".", "--write-baseline", path])), 0, "{path}");
    }
}
