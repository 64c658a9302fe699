//! TOSCA by the command: files that import each other in a circle, by whichever way.

mod common;

use common::{Project, code, codes, text};

const A: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
imports: [ ../b/types.yaml ]
node_types: { FromA: { derived_from: FromB } }
";

const B: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
imports: [ ../a/types.yaml, ./../service/../a/./types.yaml, ../service/main.yaml ]
node_types: { FromB: { derived_from: tosca.nodes.Root } }
";

const MAIN: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
imports: [ ../a/types.yaml, main.yaml ]
topology_template:
  node_templates:
    one: { type: FromA }
    two: { type: FromB }
";

fn project(b: &str) -> Project {
    Project::new(&[("a/types.yaml", A), ("b/types.yaml", b), ("service/main.yaml", MAIN)])
}

#[test]
fn files_that_import_each_other_are_read_once() {
    let (exit_code, report) =
        project(B).json(&["check", "--format", "json", "--allow-read", ".", "service/main.yaml"]);
    assert_eq!((exit_code, codes(&report)), (0, vec![]), "{report}");
}

/// A finding in one of them is reported once, although two ways lead to it.
#[test]
fn a_finding_in_a_circle_is_said_once() {
    let b = B.replace("FromB: {", "FromB: { propertys: {},");
    let (exit_code, report) =
        project(&b).json(&["check", "--format", "json", "--allow-read", ".", "service/main.yaml"]);
    assert_eq!((exit_code, codes(&report)), (1, vec!["TSC005"]), "{report}");
}

/// A folder that is a link to another one is the same folder.
#[cfg(unix)]
#[test]
fn a_link_in_the_circle_makes_no_second_file() {
    let project = project(&B.replace("../a/types.yaml,", "../link/types.yaml,"));
    std::os::unix::fs::symlink("a", project.path().join("link")).expect("a link can be made");
    let (exit_code, report) =
        project.json(&["check", "--format", "json", "--allow-read", ".", "service/main.yaml"]);
    assert_eq!((exit_code, codes(&report)), (0, vec![]), "{report}");
}

/// More nodes than Locus looks at are a question that is not answered, by whichever command it is asked.
#[test]
fn a_count_beyond_the_limit_is_not_answered() {
    let service = |count| {
        format!(
            "tosca_definitions_version: tosca_2_0\nnode_types: {{ A: {{}} }}\n\
             service_template: {{ node_templates: {{ a: {{ type: A, count: {count} }} }} }}\n"
        )
    };
    let project = Project::new(&[("few.tosca.yaml", &service(1000)), ("many.tosca.yaml", &service(1001))]);
    for command in ["check", "graph", "plan"] {
        let few = project.locus(&[command, "few.tosca.yaml"]);
        assert_eq!(code(&few), 0, "{command}: {}", text(&few));
        let many = project.locus(&[command, "many.tosca.yaml"]);
        assert_eq!(code(&many), 2, "{command}: {}", text(&many));
        assert!(text(&many).contains("1001 nodes, and Locus looks at 1000"), "{command}: {}", text(&many));
    }
}
