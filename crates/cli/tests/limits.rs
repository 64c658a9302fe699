//! No command runs past the time that it is given, and what it did not answer is exit code 2.

mod common;

use common::{Project, code, text};

const MODEL: &str = "sig N { e: set N }\nrun { #e.e > 100 } for 40 but 8 Int\n";
const RULES: &str =
    "module own\nopen compose/core\n/** OWN001 any: Something. */\nfact any { some Service }\n";

fn project() -> Project {
    let services = (0..2_000).fold(String::from("services:\n"), |text, at| {
        format!("{text}  s{at}: {{ image: 'i:1', ports: ['{}:80'] }}\n", 1_000 + at)
    });
    Project::new(&[
        ("compose.yaml", &services),
        ("stack.yaml", "heat_template_version: rocky\nresources: { n: { type: OS::Neutron::Net } }\n"),
        ("service.yaml", "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n"),
        ("web.lg.yaml", "location-graph: 1\nlocations: { a: { provides: [p] } }\n"),
        ("own.als", RULES),
        ("Alg.tla", "---- MODULE Alg ----\n(* --algorithm a\nbegin\n  skip;\nend algorithm *)\n====\n"),
    ])
}

#[test]
fn every_command_ends_in_time_and_names_the_limit() {
    let project = project();
    let commands: [&[&str]; 12] = [
        &["check", "compose.yaml"],
        &["check", "stack.yaml"],
        &["check", "service.yaml"],
        &["check", "web.lg.yaml"],
        &["check", "--suggest", "compose.yaml"],
        &["graph", "compose.yaml"],
        &["graph", "compose.yaml", "-o", "compose.svg"],
        &["plan", "compose.yaml"],
        &["plan", "--verify", "compose.yaml"],
        &["compose", "config", "compose.yaml"],
        &["rules", "test", "own.als"],
        &["rules"],
    ];
    for command in commands {
        let output = project.locus(&[command, &["--timeout", "0"]].concat());
        let said = text(&output);
        assert!(code(&output) == 2 && said.contains("within 0 ms"), "{command:?}: {}: {said}", code(&output));
    }
    assert!(!project.path().join("compose.svg").exists());
}

#[test]
fn what_is_answered_in_time_is_answered() {
    let project = project();
    for command in [
        &["check", "stack.yaml", "service.yaml", "web.lg.yaml"][..],
        &["graph", "web.lg.yaml"],
        &["plan", "web.lg.yaml"],
        &["rules", "HOT1"],
        &["tla", "translate", "--print", "Alg.tla"],
    ] {
        let output = project.locus(&[command, &["--timeout", "10m"]].concat());
        assert_eq!(code(&output), 0, "{command:?}: {}", text(&output));
    }
}

/// An expression whose type is a union of many products, and one with many values.
const WIDE: &str = "sig S {}\nrun { some {a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t: S+Int | a = b} } for 3\n";
const MANY: &str = "sum a,b,c,d,e,f,g,h,i,j: Int | int[a]";

#[test]
fn reading_a_model_and_looking_at_an_instance_end_in_time() {
    let project = Project::new(&[("wide.als", WIDE), ("small.als", "sig S {}\nrun { some S }\n")]);
    for command in [
        &["check", "wide.als"][..],
        &["check", "."],
        &["alloy", "run", "wide.als"],
        &["alloy", "eval", "wide.als", "S"],
        &["alloy", "eval", "small.als", MANY],
    ] {
        let output = project.locus(&[command, &["--timeout", "200ms"]].concat());
        let said = text(&output);
        assert!(code(&output) == 2 && said.contains("there was no answer within"), "{command:?}: {said}");
    }
    assert_eq!(code(&project.locus(&["alloy", "eval", "small.als", "#S", "--timeout", "10m"])), 0);
}

#[test]
fn nothing_is_begun_after_the_time_is_over() {
    let project = project();
    let up =
        |time: &str| project.locus(&["up", "web.lg.yaml", "--simulate", "0", "--yes", "--timeout", time]);
    let output = up("0");
    assert!(code(&output) == 2 && text(&output).contains("within 0 ms"), "{}", text(&output));
    assert!(!project.path().join(".locus").exists(), "nothing was begun");
    let output = up("10m");
    assert_eq!(code(&output), 0, "{}", text(&output));
    let down = |time: &str| project.locus(&["down", "web", "--yes", "--timeout", time]);
    let output = down("0");
    assert!(code(&output) == 2 && text(&output).contains("within 0 ms"), "{}", text(&output));
    assert!(text(&project.locus(&["status"])).contains("CREATE_COMPLETE"));
    assert_eq!(code(&down("10m")), 0);
}

#[test]
fn an_engine_that_is_not_finished_says_so() {
    let project = Project::new(&[("model.als", MODEL)]);
    let output = project.locus(&["check", "model.als", "--timeout", "300ms"]);
    assert_eq!(code(&output), 2, "{}", text(&output));
}
