//! How many there are of each thing is decided once, in the meaning: all commands say the same, and when a meaning is
//! changed, all of them change.

mod common;

use std::process::{Command, Output};

use common::{Project, code, root, text};
use serde_json::Value;

const COMPOSE: &str = "name: shop
services:
  web: {image: 'nginx:1.27', scale: 2, networks: [front], depends_on: [db]}
  db: {image: 'postgres:17', networks: [front]}
networks: {front: {}}
";

const TOSCA: &str = "tosca_definitions_version: tosca_2_0
node_types: {Box: {}}
service_template:
  node_templates:
    web: {type: Box, count: 2}
    db: {type: Box}
";

const HOT: &str = "heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: OS::Neutron::FloatingIP, properties: {floating_network: public}}}
";

/// Files, with how many locations their graphs have, and how many things a plan and a deployment make of them.
const FILES: [(&str, Option<&str>, usize, usize); 9] = [
    // Several containers of a service are one location with their number.
    ("compose.yaml", Some(COMPOSE), 3, 4),
    ("tosca.yaml", Some(TOSCA), 3, 3),
    // What a group makes is one location more, and one thing: Heat makes its members. The network exists already.
    ("hot.yaml", Some(HOT), 4, 2),
    // One service has two containers; nobody makes a secret.
    ("examples/compose/shop.yaml", None, 8, 9),
    // The network outside, an image and a flavor exist already.
    ("examples/hot/stack.yaml", None, 11, 8),
    ("examples/shop.tosca.yaml", None, 11, 11),
    // An image exists already.
    ("examples/cloudformation/web.yaml", None, 10, 9),
    ("examples/fractal/shop/Shop.fractal", None, 5, 5),
    ("examples/occi/shop.occi.json", None, 5, 5),
];

#[test]
fn all_commands_count_the_same() {
    let project = Project::new(&[]);
    for (name, content, locations, things) in FILES {
        let file = match content {
            Some(content) => {
                project.write(name, content);
                name.to_owned()
            }
            None => root().join(name).display().to_string(),
        };
        let shown = project.json(&["show", &file, "--format", "json"]).1["summary"].clone();
        assert_eq!((&shown["locations"], &shown["things"]), (&locations.into(), &things.into()), "{name}");
        let graph = project.json(&["graph", &file, "--to", "json"]).1;
        assert_eq!(graph["locations"].as_object().map(serde_json::Map::len), Some(locations), "{name}");
        let plan = project.json(&["plan", &file, "--format", "json"]).1;
        assert_eq!(plan["changes"].as_array().map(Vec::len), Some(things), "{name}");
        // That all can be undone is another question.
        let arguments = ["up", &file, "--name", "n", "--simulate", "0", "--yes", "--format", "json"];
        let arguments = [&arguments[..], &["--on-failure", "stop"]].concat();
        let store = project.path().join(name.replace('/', "-")).with_extension("db");
        let (exit, up) =
            project.json(&[&arguments[..], &["--store", store.to_str().expect("a name")]].concat());
        assert_eq!((exit, up["nodes"].as_array().map(Vec::len)), (0, Some(things)), "{name}: {up}");
    }
}

/// Runs a command on a mutant, or without one if it has no name.
fn run(project: &Project, mutant: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_locus"))
        .current_dir(project.path())
        .env("LOCUS_MUTANT", mutant)
        .args(arguments)
        .output()
        .expect("the command runs")
}

/// The part of an answer that does not change from run to run.
fn said(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    match serde_json::from_str::<Value>(&stdout) {
        Ok(json) if json.get("nodes").is_some() => {
            let nodes = json["nodes"].as_array().into_iter().flatten();
            let names: Vec<&Value> = nodes.map(|node| &node["name"]).collect();
            format!("{} {names:?}", code(output))
        }
        _ => format!("{} {stdout}", code(output)),
    }
}

/// The commands with which an element is asked about: the rules, the picture, the plan and a deployment.
fn commands(file: &str, rules: Option<&str>, store: &str) -> [(&'static str, Vec<String>); 4] {
    let of = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let mut check = of(&["check", file, "--format", "json"]);
    check.extend(rules.iter().flat_map(|rules| ["--rules".to_owned(), (*rules).to_owned()]));
    [
        ("check", check),
        ("graph", of(&["graph", file, "--to", "json"])),
        ("plan", of(&["plan", file, "--format", "json"])),
        (
            "up",
            of(&[
                "up",
                file,
                "--name",
                "n",
                "--simulate",
                "0",
                "--yes",
                "--format",
                "json",
                "--store",
                store,
                "--on-failure",
                "stop",
            ]),
        ),
    ]
}

const BROKEN_COMPOSE: &str = "services:
  web: { image: 'nginx:1.27', ports: ['8080-8081:80'], scale: 2 }
";

const NEARLY_BROKEN_TOSCA: &str = "tosca_definitions_version: tosca_2_0
node_types: {Box: {}}
service_template:
  node_templates:
    web: {type: Box, count: 2}
    'web[2]': {type: Box}
";

const FEW: &str = "module few
open hot/core
open hot/counts
open hot/types/OS_Neutron_FloatingIP

/** OWN900 few: There are at most 2.
 *  @message there are more than 2
 */
fact few { count[OS_Neutron_FloatingIP] <= 2 }
";

/// A mutant changes what each of these commands says of a file, or of another one: what it says of right files is
/// often nothing.
#[cfg_attr(not(debug_assertions), ignore = "builds for users have no mutants")]
#[test]
fn a_mutant_of_a_count_changes_all_that_is_made_of_it() {
    let project = Project::new(&[
        ("compose.yaml", COMPOSE),
        ("ports.compose.yaml", BROKEN_COMPOSE),
        ("tosca.yaml", TOSCA),
        ("names.tosca.yaml", NEARLY_BROKEN_TOSCA),
        ("hot.yaml", HOT),
        ("few.als", FEW),
    ]);
    for (file, checked, rules, unchanged) in [
        ("compose.yaml", "ports.compose.yaml", None, &[][..]),
        ("tosca.yaml", "names.tosca.yaml", None, &[]),
        // A group is one thing of a plan and of a deployment: Heat makes its members, and their number is a property.
        ("hot.yaml", "hot.yaml", Some("few.als"), &["plan", "up"]),
    ] {
        differs(&project, "more", [file, checked], rules, unchanged);
    }
}

#[cfg_attr(not(debug_assertions), ignore = "builds for users have no mutants")]
#[test]
fn an_element_that_is_lost_is_lost_for_all() {
    let project = Project::new(&[]);
    let rules = root().join("rules");
    for (file, checked) in [
        ("examples/compose/shop.yaml", "compose/examples/CMP100.bad.yaml"),
        ("examples/hot/stack.yaml", "hot/examples/HOT100.bad.yaml"),
        ("examples/shop.tosca.yaml", "tosca/examples/TSC101.bad.yaml"),
        ("examples/cloudformation/web.yaml", "cloudformation/examples/CFN300.bad.yaml"),
        ("examples/fractal/shop/Shop.fractal", "fractal/examples/FRA101.bad.fractal"),
        ("examples/occi/shop.occi.json", "occi/examples/OCC127.bad.occic"),
    ] {
        let file = root().join(file).display().to_string();
        let checked = rules.join(checked).display().to_string();
        differs(&project, "lost", [&file, &checked], None, &[]);
    }
}

fn differs(
    project: &Project,
    mutant: &str,
    [file, checked]: [&str; 2],
    rules: Option<&str>,
    unchanged: &[&str],
) {
    let stores =
        ["a.db", "b.db"].map(|name| project.path().join(format!("{name}-{mutant}")).display().to_string());
    for store in &stores {
        drop(std::fs::remove_dir_all(store));
    }
    let [before, after] = stores.each_ref().map(|store| commands(file, rules, store));
    let asked = commands(checked, rules, "")[0].1.clone();
    for ((name, before), (_, after)) in before.into_iter().zip(after) {
        let (before, after) = if name == "check" { (asked.clone(), asked.clone()) } else { (before, after) };
        let words = |all: &[String]| all.iter().map(String::as_str).map(str::to_owned).collect::<Vec<_>>();
        let answer = |mutant: &str, words: Vec<String>| {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = run(project, mutant, &words);
            // A mutant may be refused; what it is made of is not.
            assert!(code(&output) < 2 || !mutant.is_empty(), "{name} {file}: {}", text(&output));
            said(&output)
        };
        let (one, other) = (answer("", words(&before)), answer(mutant, words(&after)));
        assert_eq!(one == other, unchanged.contains(&name), "{name} {file}: {one}");
    }
}
