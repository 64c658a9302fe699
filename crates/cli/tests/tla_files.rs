//! Files that `locus tla` writes for other programs: state graphs, pages, modules, logs.

mod common;

use common::{Project, code, text};
use serde_json::Value as Json;

const ROLLOUT: &str = include_str!("../../../examples/Rollout.tla");
const CONFIG: &str = include_str!("../../../examples/Rollout.cfg");
const BROKEN: &str = include_str!("../../../examples/broken/Rollout.cfg");

fn project() -> Project {
    Project::new(&[("Rollout.tla", ROLLOUT), ("Rollout.cfg", CONFIG), ("Broken.cfg", BROKEN)])
}

#[test]
fn a_state_graph_is_written_whole_in_each_form() {
    let project = project();
    let (_, checked) = project.json(&["tla", "check", "Rollout.tla", "--format", "json"]);
    let states = checked["distinct"].as_u64().unwrap() as usize;
    // The initial state is generated too, and steps that the constraints allow are all there are.
    let steps = checked["generated"].as_u64().unwrap() as usize - 1;
    let read = |name: &str| std::fs::read_to_string(project.path().join(name)).unwrap();
    for name in ["graph.json", "graph.ndjson", "graph.dot"] {
        let output = project.locus(&["tla", "check", "Rollout.tla", "--dump", name]);
        assert_eq!(code(&output), 0, "{}", text(&output));
    }
    let whole: Json = serde_json::from_str(&read("graph.json")).unwrap();
    let count = |field: &str| whole[field].as_array().unwrap().len();
    assert_eq!((count("states"), count("steps")), (states, steps));
    assert_eq!(whole["states"][0]["variables"]["state"]["a"], "old");
    let lines: Vec<Json> =
        read("graph.ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |field: &str| lines.iter().filter(|line| line.get(field).is_some()).count();
    assert_eq!((of("state"), of("from"), lines.len()), (states, steps, states + steps));
    let dot = read("graph.dot");
    assert_eq!((dot.matches(" -> ").count(), dot.matches("style=filled").count()), (steps, 1));
}

#[test]
fn a_state_graph_that_is_not_complete_is_not_there() {
    let project = project();
    let output = project.locus(&["tla", "check", "Rollout.tla", "--max-states", "5", "--dump", "graph.json"]);
    assert_eq!(code(&output), 2, "{}", text(&output));
    assert!(!project.path().join("graph.json").exists());
    let output = project.locus(&["tla", "check", "Rollout.tla", "--dump", "graph.txt"]);
    assert!(code(&output) == 2 && text(&output).contains(".ndjson"), "{}", text(&output));
}

#[test]
fn a_page_needs_nothing_else() {
    let project = project();
    let output =
        project.locus(&["tla", "check", "Rollout.tla", "--config", "Broken.cfg", "--format", "html"]);
    let page = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(code(&output), 1);
    for part in
        ["the invariant Available is violated", "class=\"value changed\"", "TakeOut", "<svg", "</html>"]
    {
        assert!(page.contains(part), "{part} is missing");
    }
    let links = page.matches("http").count() - page.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(links + page.matches("<script").count(), 0);
}

#[test]
fn a_behaviour_as_a_module_shows_the_violation_again() {
    let project = project();
    let check = ["tla", "check", "Rollout.tla", "--config", "Broken.cfg", "--workers", "1", "--format"];
    let output = project.locus(&[&check[..], &["tla"]].concat());
    project.write("Rollout_Trace.tla", &String::from_utf8(output.stdout).unwrap());
    let (_, first) = project.json(&[&check[..], &["json"]].concat());
    let (exit, again) = project.json(&["tla", "check", "Rollout_Trace.tla", "--format", "json"]);
    assert_eq!((exit, &again["verdict"], &again["property"]), (1, &"invariant".into(), &first["property"]));
    let states = |checked: &Json| -> Vec<Json> {
        checked["trace"].as_array().unwrap().iter().map(|step| step["variables"]["state"].clone()).collect()
    };
    assert_eq!(states(&again), states(&first));
}

#[test]
fn a_log_that_cannot_be_compared_is_not_explained() {
    let project = project();
    let faults = [
        ("", "there are no events"),
        ("[1]", "is a JSON object"),
        ("{\"state[b]\": }", "not JSON"),
        ("{\"state[b]\": null}", "`null`"),
        ("{\"Cardinality(Out)\": 0.5}", "0.5"),
        ("{\"action\": 3}", "not a string"),
        ("{}", "says nothing"),
        ("{\"action\": \"TakeOff\"}", "did you mean `TakeOut`"),
        ("{\"state[d]\": \"old\"}", "`d` has no meaning"),
        ("{\"state' = state\": true}", "needs"),
    ];
    for (log, part) in faults {
        project.write("log.ndjson", log);
        let output = project.locus(&["tla", "trace", "Rollout.tla", "--log", "log.ndjson"]);
        assert!(code(&output) == 1 && text(&output).contains(part), "{log}: {}", text(&output));
    }
}

/// Lines that end as they do on Windows stay so, printed and in place.
#[test]
fn the_ends_of_lines_stay_as_they_are() {
    let project = project();
    let module = "---- MODULE Crlf ----\n(* --algorithm a\nvariable x = 0;\nbegin\n  l: x := 1;\nend algorithm; *)\n====\n";
    project.write("Crlf.tla", &module.replace('\n', "\r\n"));
    let printed = project.locus(&["tla", "translate", "--print", "Crlf.tla"]);
    let printed = String::from_utf8(printed.stdout).expect("text");
    assert!(printed.contains("VARIABLES"), "{printed}");
    assert_eq!(printed.matches('\n').count(), printed.matches("\r\n").count(), "{printed:?}");
    project.locus(&["tla", "translate", "Crlf.tla"]);
    let written = std::fs::read_to_string(project.path().join("Crlf.tla")).unwrap();
    assert_eq!(written, printed);
}
