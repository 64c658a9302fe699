//! However many warnings a file has, an error in it is an error: more warnings never change the exit code.

mod common;

use std::fmt::Write;

use common::{Project, code, text};

/// A file with so many warnings, and an error or none.
type File = fn(usize, bool) -> String;

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        let _ = write!(text, "{}", line(at));
        text
    })
}

fn graph(warnings: usize, wrong: bool) -> String {
    let roles = repeated(warnings, |_| ", q".to_owned());
    let other = if wrong { "p" } else { "o" };
    format!(
        "location-graph: 1\nlocations:\n  a: {{ provides: [p, q{roles}] }}\n  b: {{ provides: [{other}] }}\n"
    )
}

fn hot(warnings: usize, wrong: bool) -> String {
    let unused = repeated(warnings, |at| format!("  p{at}: {{ type: string, default: a }}\n"));
    let net = if wrong { "OS::Neutron::Nett" } else { "OS::Neutron::Net" };
    format!(
        "heat_template_version: 2018-08-31\nparameters:\n  p: {{ type: string, default: a }}\n{unused}\
         resources:\n  n: {{ type: {net} }}\n"
    )
}

/// Keys that stand twice are errors to the reader of YAML and warnings to Heat.
fn repeated_keys(warnings: usize, wrong: bool) -> String {
    let again = repeated(warnings, |_| "      a: b\n".to_owned());
    let merge = if wrong { "    <<: 1\n" } else { "" };
    format!(
        "heat_template_version: 2018-08-31\nresources:\n  n:\n    type: OS::Neutron::Net\n    metadata:\n      a: b\n{again}\
         outputs:\n  o:\n    value: 1\n{merge}"
    )
}

fn compose(warnings: usize, wrong: bool) -> String {
    let variables = repeated(warnings, |at| format!("      V{at}: \"${{U{at}}}\"\n"));
    let key = if wrong { "portz" } else { "ports" };
    format!("services:\n  a:\n    image: i:1\n    {key}: [\"1\"]\n    environment:\n      V: a\n{variables}")
}

fn tosca(warnings: usize, wrong: bool) -> String {
    let types = repeated(warnings, |at| {
        format!(
            "  X{at}: {{ derived_from: T, requirements: [ {{ r: {{ capability: C, count_range: [0, 1] }} }} ] }}\n"
        )
    });
    let size = if wrong { "" } else { ", properties: { size: 1 }" };
    format!(
        "tosca_definitions_version: tosca_2_0\ncapability_types:\n  C: {{}}\nnode_types:\n  T:\n    properties:\n      \
         size: {{ type: integer }}\n    requirements: [ {{ r: {{ capability: C, count_range: [0, 1] }} }} ]\n{types}\
         service_template:\n  node_templates:\n    a: {{ type: T{size} }}\n"
    )
}

/// States that no transition leads to are warnings.
fn aeolus(warnings: usize, wrong: bool) -> String {
    let types = repeated(warnings, |at| format!("  x{at}: {{ states: {{ a: {{}}, b: {{}} }} }}\n"));
    let to = if wrong { "nowhere" } else { "b" };
    format!("aeolus: 1\ntypes:\n  t: {{ states: {{ a: {{ to: {to} }}, b: {{}} }} }}\n{types}")
}

/// An intersection that is always empty is a warning.
fn alloy(warnings: usize, wrong: bool) -> String {
    let empty = repeated(warnings, |_| "fact { no none & A }\n".to_owned());
    let of = if wrong { "B" } else { "A" };
    format!("sig A {{}}\n{empty}run {{ some {of} }} for 2\n")
}

/// Steps of a proof that have one name are warnings.
fn tla(warnings: usize, wrong: bool) -> String {
    let steps = repeated(warnings, |_| "<1>1. TRUE\n".to_owned());
    let last = if wrong { "TRUEE" } else { "TRUE" };
    format!("---- MODULE Flood ----\nTHEOREM TRUE\n<1>1. TRUE\n{steps}<1>2. {last}\n<1> QED\n====\n")
}

const FILES: [(&str, File); 8] = [
    ("a.lg.yaml", graph),
    ("stack.yaml", hot),
    ("repeated.hot.yaml", repeated_keys),
    ("compose.yaml", compose),
    ("service.yaml", tosca),
    ("a.aeolus.yaml", aeolus),
    ("a.als", alloy),
    ("Flood.tla", tla),
];

/// Those that can be planned and drawn.
const PLANNED: [&str; 4] = ["stack.yaml", "repeated.hot.yaml", "compose.yaml", "service.yaml"];

#[test]
fn more_warnings_never_change_the_exit_code() {
    for (name, file) in FILES {
        for wrong in [false, true] {
            for warnings in [0, 5, 200, 1_999, 2_001, 4_500] {
                let project = Project::new(&[(name, &file(warnings, wrong))]);
                let output = project.locus(&["check", "--allow-env", "--format", "json", name]);
                let said = text(&output);
                let shown = &said[..said.floor_char_boundary(2_000)];
                assert_eq!(code(&output), i32::from(wrong), "{name}, {warnings} warnings: {shown}");
                // An Aeolus document with an error is not looked at for what is only odd.
                let is_silent = warnings == 0 || wrong && name == "a.aeolus.yaml";
                assert!(is_silent || said.contains("\"warning\""), "{name} has no warnings: {shown}");
            }
        }
    }
}

/// Nor are they a way past the gate of other commands.
#[test]
fn a_file_with_many_warnings_and_an_error_is_not_planned_nor_drawn_in_silence() {
    for (name, file) in FILES.into_iter().filter(|(name, _)| PLANNED.contains(name)) {
        for warnings in [5, 2_100] {
            let project = Project::new(&[(name, &file(warnings, true))]);
            let output = project.locus(&["plan", name]);
            assert_eq!(code(&output), 2, "{name}, {warnings} warnings: {}", text(&output));
            // Some languages draw what could be understood, and say what could not.
            let output = project.locus(&["graph", name, "-o", "a.svg"]);
            let said = text(&output);
            assert!(code(&output) > 0 && said.contains("error["), "{name}, {warnings} warnings: {said}");
        }
    }
}

/// A code that a project makes an error is one, too, wherever it comes among others.
#[test]
fn a_warning_that_counts_as_an_error_is_not_crowded_out() {
    for warnings in [5, 2_100] {
        let text_of = format!("version: '3'\n{}", compose(warnings, false));
        let project =
            Project::new(&[("compose.yaml", &text_of), ("locus.toml", "[rules]\nCMP030 = \"error\"\n")]);
        let output = project.locus(&["check", "--allow-env", "compose.yaml"]);
        assert_eq!(code(&output), 1, "{warnings} warnings");
    }
}
