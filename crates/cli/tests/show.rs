//! `locus show`: what it writes, that it can be read back, and what it never shows.

mod common;

use std::collections::BTreeSet;

use common::{Project, code, root, text};
use serde_json::{Value, json};

/// Examples of every language, which can be planned.
const EXAMPLES: [&str; 11] = [
    "examples/compose/shop.yaml",
    "examples/hot/stack.yaml",
    "examples/hot/update/old.yaml",
    "examples/shop.tosca.yaml",
    "examples/engine/shop.yaml",
    "examples/cloudformation/web.yaml",
    "examples/cloudformation/web-2.yaml",
    "examples/fractal/shop/Shop.fractal",
    "examples/occi/shop.occi.json",
    "examples/web.lg.yaml",
    "examples/figure3.lg.yaml",
];

/// Other files that have a meaning, whole or in part.
const OTHERS: [&str; 9] = [
    "examples/aeolus/wordpress.aeolus.yaml",
    "examples/broken/compose.yaml",
    "examples/broken/stack.yaml",
    "examples/broken/cloudformation.yaml",
    "examples/broken/Shop.fractal",
    "examples/broken/shop.occi.json",
    "examples/broken/web.lg.yaml",
    "crates/cli/tests/cmd/tosca/workflow.yaml",
    "rules/hot/examples/HOT365.good.yaml",
];

fn example(name: &str) -> String {
    root().join(name).display().to_string()
}

/// The schema, in which no object may have more than is described.
fn schema() -> jsonschema::Validator {
    fn close(schema: &mut Value) {
        match schema {
            Value::Object(fields) => {
                if fields.contains_key("properties") && !fields.contains_key("additionalProperties") {
                    fields.insert("additionalProperties".to_owned(), Value::Bool(false));
                }
                fields.values_mut().for_each(close);
            }
            Value::Array(items) => items.iter_mut().for_each(close),
            _ => {}
        }
    }
    let text = std::fs::read_to_string(root().join("docs/schema/meaning.schema.json")).expect("it is there");
    let mut schema: Value = serde_json::from_str(&text).expect("it is JSON");
    assert!(jsonschema::meta::is_valid(&schema));
    close(&mut schema);
    jsonschema::validator_for(&schema).expect("it is a schema")
}

#[test]
fn what_is_written_has_the_form_of_the_schema() {
    let (schema, project) = (schema(), Project::new(&[]));
    for name in EXAMPLES.iter().chain(&OTHERS) {
        let (_, shown) = project.json(&["show", &example(name), "--format", "json"]);
        let errors: Vec<String> =
            schema.iter_errors(&shown).map(|one| format!("{}: {one}", one.instance_path())).collect();
        assert_eq!(errors, Vec::<String>::new(), "{name}");
        assert!(shown["elements"].as_array().is_some_and(|all| !all.is_empty()), "{name}");
        // Twice the same.
        assert_eq!(project.json(&["show", &example(name), "--format", "json"]).1, shown, "{name}");
    }
    let mut wrong = project.json(&["show", &example(EXAMPLES[0]), "--format", "json"]).1;
    wrong["elements"][0]["standing"] = "odd".into();
    assert!(!schema.is_valid(&wrong));
}

/// The locations of a graph without their processes and attributes, and the roles that are bound and not.
fn drawn(graph: &Value) -> [BTreeSet<String>; 3] {
    let set = |key: &str| graph[key].as_array().expect(key).iter().map(Value::to_string).collect();
    let locations = graph["locations"].as_object().expect("names are different").iter();
    let location = |(name, one): (&String, &Value)| {
        let keys = ["sort", "within", "only-if", "alike"].map(|key| one[key].to_string());
        format!("{name}: {}", keys.join(", "))
    };
    [locations.map(location).collect(), set("bindings"), set("unbound")]
}

/// The ovals, boxes, lines and open roles of a picture, without what a pointer over them shows.
fn picture(dot: &str) -> BTreeSet<String> {
    let without = |line: &str| {
        let cut = line.find(" tooltip=").map_or(line, |at| &line[..at]).trim();
        // The dots of open roles have numbers.
        let cut = cut.find("[shape=point").map_or(cut, |at| &cut[at..]);
        cut.trim_end_matches([',', ';', ']']).to_owned()
    };
    dot.lines().skip(1).map(without).filter(|line| line.contains("label=")).collect()
}

#[test]
fn what_is_read_back_as_a_location_graph_says_the_same() {
    let project = Project::new(&[]);
    for name in EXAMPLES {
        let file = example(name);
        let output = project.locus(&["show", &file, "--format", "lg", "-o", "back.lg.yaml"]);
        assert_eq!(code(&output), 0, "{name}: {}", text(&output));
        let checked = project.locus(&["check", "back.lg.yaml"]);
        assert_eq!(code(&checked), 0, "{name}: {}", text(&checked));
        let graphs = [&*file, "back.lg.yaml"].map(|file| project.json(&["graph", file, "--to", "json"]).1);
        assert_eq!(drawn(&graphs[0]), drawn(&graphs[1]), "{name}");
        let pictures = [&*file, "back.lg.yaml"].map(|file| {
            let output = project.locus(&["graph", file, "--to", "dot"]);
            picture(&String::from_utf8_lossy(&output.stdout))
        });
        assert_eq!(pictures[0], pictures[1], "{name}");
        assert!(!pictures[0].is_empty(), "{name}");
        let plans = [&*file, "back.lg.yaml"].map(|file| {
            let (_, plan) = project.json(&["plan", file, "--format", "json"]);
            let steps = plan["steps"].as_array().expect("there are steps").len();
            let waves = plan["waves"].clone();
            (plan["verdict"].clone(), steps, plan["components"].as_array().map(Vec::len), waves)
        });
        assert_eq!(plans[0], plans[1], "{name}");
        assert!(plans[0].0 == "plan" && plans[0].1 > 0, "{name}");
        // Once more, it stays as it is.
        let again = project.locus(&["show", "back.lg.yaml", "--format", "lg", "-o", "again.lg.yaml"]);
        assert_eq!(code(&again), 0, "{name}: {}", text(&again));
        let body = |file: &str| {
            let text = std::fs::read_to_string(project.path().join(file)).expect("it was written");
            text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(body("back.lg.yaml"), body("again.lg.yaml"), "{name}");
        let shown = [&*file, "back.lg.yaml"]
            .map(|file| project.json(&["show", file, "--format", "json"]).1["summary"].clone());
        assert_eq!(shown[0]["things"], shown[1]["things"], "{name}");
    }
}

#[test]
fn what_a_location_graph_does_not_say_is_named_in_it() {
    let project = Project::new(&[]);
    for (name, said) in [
        (
            "examples/compose/shop.yaml",
            "# not said: what the driver is told of front, back, data, proxy, shop, 2 more",
        ),
        ("examples/engine/shop.yaml", "# not said: the programs of database, web"),
        ("examples/shop.tosca.yaml", "# not said: the types of the relationships of front_port, "),
        (
            "crates/cli/tests/cmd/tosca/workflow.yaml",
            "# not said: the workflow `deploy`; plans go by the lifecycles",
        ),
        ("examples/hot/stack.yaml", "# not said: what the rules of this language are about"),
        ("examples/aeolus/wordpress.aeolus.yaml", "# not said: what plans of this language go by"),
        (
            "rules/hot/examples/HOT365.good.yaml",
            "# not said: the section, or the maker, that is part of the identity of servers[*], ",
        ),
    ] {
        let output = project.locus(&["show", &example(name), "--format", "lg"]);
        assert!(text(&output).contains(said), "{name}: {}", text(&output));
    }
}

#[test]
fn a_file_with_errors_is_shown_as_far_as_it_was_understood() {
    let template = "heat_template_version: 2018-08-31\nresources:\n  a: {type: OS::Neutron::Net}\n  b: {type: OS::Neutron::Net, propertes: {}}\n";
    let project = Project::new(&[
        ("stack.yaml", template),
        ("compose.yaml", "services:\n  web: {image: a, depends_on: [db]}\n"),
        ("broken.yaml", "heat_template_version: [\n"),
    ]);
    let (exit, shown) = project.json(&["show", "stack.yaml", "--format", "json"]);
    assert_eq!((exit, &shown["complete"], &shown["summary"]["elements"]), (1, &json!(false), &json!(2)));
    assert_eq!(shown["errors"].as_array().map(Vec::len), Some(1));
    let output = project.locus(&["show", "stack.yaml"]);
    assert!(text(&output).contains("not complete: 1 error"), "{}", text(&output));
    assert!(String::from_utf8_lossy(&output.stderr).contains("propertes"), "{}", text(&output));
    let (exit, shown) = project.json(&["show", "compose.yaml", "--format", "json"]);
    assert_eq!((exit, &shown["elements"][1]["name"]), (1, &json!("web")), "{shown}");
    // Others would take a part for the whole.
    let output = project.locus(&["show", "stack.yaml", "--format", "lg", "-o", "x.lg.yaml"]);
    assert_eq!((code(&output), project.path().join("x.lg.yaml").exists()), (2, false), "{}", text(&output));
    for file in ["broken.yaml", "nothing.yaml"] {
        assert_eq!(code(&project.locus(&["show", file])), 2, "{file}");
    }
    let model = example("examples/placement.als");
    let output = project.locus(&["show", &model]);
    assert!(
        code(&output) == 2 && text(&output).contains("an Alloy model has no location graph"),
        "{}",
        text(&output)
    );
}

#[test]
fn it_ends_in_time_and_writes_over_nothing_that_it_read() {
    let project = Project::new(&[("a.lg.yaml", "location-graph: 1\nlocations: { web: {} }\n")]);
    let output = project.locus(&["show", "a.lg.yaml", "-o", "a.lg.yaml"]);
    assert!(code(&output) == 2 && text(&output).contains("is the input a.lg.yaml"), "{}", text(&output));
    let output = project.locus(&["show", "a.lg.yaml", "--timeout", "0"]);
    assert!(code(&output) == 2 && text(&output).contains("allow more with --timeout"), "{}", text(&output));
    let output = project.locus_in(
        ".",
        &["show", "-", "--stdin-name", "b.lg.yaml"],
        "location-graph: 1\nlocations: { web: {} }\n",
    );
    assert!(
        code(&output) == 0 && text(&output).starts_with("b.lg.yaml: location graph: 1 element"),
        "{}",
        text(&output)
    );
    let output = project.locus(&["show", "a.lg.yaml", "-o", "out.txt"]);
    assert_eq!((code(&output), text(&output)), (0, String::new()));
    assert!(std::fs::read_to_string(project.path().join("out.txt")).is_ok_and(|text| text.contains("web")));
}

const HOT: &str = "heat_template_version: 2018-08-31
parameters:
  code: {type: string, hidden: true, default: hunter2}
resources:
  a:
    type: OS::Heat::Value
    properties: {value: {get_param: code}}
  b:
    type: OS::Heat::Value
    properties: {value: {str_replace: {template: 'the X', params: {X: {get_param: code}}}}}
  c:
    type: OS::Heat::Value
    properties: {value: {get_param: code}}
";

const CLOUDFORMATION: &str = "AWSTemplateFormatVersion: '2010-09-09'
Parameters:
  Code: {Type: String, NoEcho: true, Default: hunter2}
Resources:
  A: {Type: AWS::SSM::Parameter, Properties: {Type: String, Value: !Ref Code}}
  B: {Type: AWS::SSM::Parameter, Properties: {Type: String, Value: !Sub 'the ${Code}'}}
  C: {Type: AWS::SSM::Parameter, Properties: {Type: String, Value: !Join ['', [!Ref Code, '']]}}
";

const COMPOSE: &str = "name: shop
services:
  a: {image: a, environment: {DB_PASSWORD: hunter2, PORT: '80'}, command: [run, --token, hunter2]}
  b: {image: b, environment: ['TOKEN=hunter2'], command: 'run postgres://me:hunter2@db'}
";

const GRAPH: &str = "location-graph: 1
locations:
  a: {attributes: {password: hunter2}, process: {runs: {token: hunter2}}}
  b: {provides: [{role: r, attributes: {api_key: hunter2}}]}
";

#[test]
fn secrets_are_never_shown() {
    let key = |byte: &str| byte.repeat(32);
    let project = Project::new(&[
        ("stack.yaml", HOT),
        ("cfn.yaml", CLOUDFORMATION),
        ("compose.yaml", COMPOSE),
        ("a.lg.yaml", GRAPH),
        ("one.key", &key("1")),
        ("two.key", &key("2")),
        ("short.key", "1"),
    ]);
    for file in ["stack.yaml", "cfn.yaml", "compose.yaml", "a.lg.yaml"] {
        for format in ["human", "json", "lg"] {
            for more in [&[][..], &["--key", "one.key"]] {
                let output = project.locus(&[&["show", file, "--format", format], more].concat());
                assert_eq!(code(&output), 0, "{file} {format}: {}", text(&output));
                assert!(!text(&output).contains("hunter2"), "{file} {format}: {}", text(&output));
                assert!(text(&output).contains("secret"), "{file} {format}: {}", text(&output));
            }
        }
    }
    // What is the same has the same digest, what is another has another.
    for (file, property) in [("stack.yaml", 0), ("cfn.yaml", 1)] {
        let values = |more: &[&str]| {
            let (_, shown) = project.json(&[&["show", file, "--format", "json"], more].concat());
            [0, 1, 2].map(|at| {
                let value = &shown["elements"][at]["attributes"][property]["value"]["$secret"];
                value.as_str().unwrap_or_else(|| panic!("it is a secret: {shown}")).to_owned()
            })
        };
        let plain = values(&[]);
        assert_eq!(plain, ["1", "2", "1"], "{file}");
        let [one, again, two] =
            [["--key", "one.key"], ["--key", "one.key"], ["--key", "two.key"]].map(|more| values(&more));
        assert!(one == again && one[0] == one[2] && one[0] != one[1] && one[0] != two[0], "{one:?} {two:?}");
        assert_eq!(one[0].len(), 32);
    }
    let output = project.locus(&["show", "a.lg.yaml", "--key", "short.key"]);
    assert!(code(&output) == 2 && text(&output).contains("fewer than 16"), "{}", text(&output));
    assert_eq!(code(&project.locus(&["show", "a.lg.yaml", "--key", "nowhere.key"])), 2);
}
