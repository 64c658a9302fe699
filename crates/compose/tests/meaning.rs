//! The meaning of a project is one for pictures, rules and plans.

use std::collections::BTreeSet;
use std::sync::Arc;

use locus_compose::{ComposeFile, Files, Inputs, Project, Variables, meaning};
use locus_meaning::things::Thing;
use locus_meaning::{Key, Relationships};
use locus_source::{Limits, NoFiles, Sources};

fn with<T>(text: &str, see: impl FnOnce(&Project, &Files<'_>) -> T) -> T {
    let sources = Sources::new();
    let source = sources.add("compose.yaml", text);
    let main = Arc::clone(&source);
    let inputs = Inputs {
        folder: "/project".to_owned(),
        variables: Variables::new(),
        hidden: BTreeSet::new(),
        env_files: Vec::new(),
        profiles: Vec::new(),
        name: None,
        files: Files { loader: &NoFiles, sources: &sources, main: &main, folder: "/project" },
        limits: Limits::default(),
    };
    let file = ComposeFile { source, path: "/project/compose.yaml".to_owned() };
    let reading = locus_compose::read(&[file], &inputs);
    see(&reading.project.unwrap_or_else(|| panic!("{:?}", reading.findings)), &inputs.files)
}

fn things(text: &str) -> Vec<Thing> {
    with(text, |project, files| meaning(project).things(files.sources))
}

fn names(things: &[Thing]) -> Vec<&str> {
    things.iter().map(|thing| thing.name.as_str()).collect()
}

const SAME_NAMES: &str = "\
services:
  web: { image: 'i:1', networks: [web, ext], volumes: ['web:/d'], depends_on: [b] }
  b: { image: 'i:1', scale: 2, networks: [web] }
networks: { web: , ext: { external: true }, spare: }
volumes: { web: }
";

#[test]
fn things_of_different_sorts_may_have_the_same_name() {
    let things = things(SAME_NAMES);
    assert_eq!(names(&things), ["network web", "volume web", "web", "b", "b #2", "all b started"]);
    let keys: BTreeSet<&Key> = things.iter().map(|thing| &thing.key).collect();
    assert_eq!(keys.len(), things.len());
    let needs = |name: &str| -> Vec<&str> {
        let thing = things.iter().find(|thing| thing.name == name).expect("it is there");
        let name = |key: &Key| things.iter().find(|other| other.key == *key).map(|other| other.name.as_str());
        thing.needs.iter().map(|need| name(&need.target).expect("what is needed is there")).collect()
    };
    assert_eq!(needs("web"), ["network web", "volume web", "all b started"]);
    assert_eq!(needs("b #2"), ["network web"]);
    assert_eq!(needs("all b started"), ["b", "b #2"]);
}

/// All that is external, or used by nobody, is drawn and known to the rules, and nobody makes it.
#[test]
fn what_exists_already_is_drawn_and_not_made() {
    let (graph, model) = with(SAME_NAMES, |project, files| {
        let graph = meaning(project).graph(Relationships::Bindings);
        (graph, locus_compose::model(project, files).expect("the core can be used"))
    });
    let drawn: Vec<&str> = graph.iter().map(|(id, _)| graph.name_of(id)).collect();
    assert_eq!(drawn, ["web", "ext", "spare", "web (volume)", "web (service)", "b"]);
    for (network, external) in [("ext", "ext.external = true"), ("spare", "no spare.external")] {
        assert!(model.contains(&format!("one sig {network} extends Network")), "{model}");
        assert!(model.contains(&format!("\n  {external}\n")), "{model}");
    }
}

/// All that Compose does not hash makes no difference to a container, in a plan or in what its driver hashes.
#[test]
fn what_is_not_hashed_changes_no_container() {
    let of = |service: &str| {
        let text =
            format!("services: {{ a: {{ image: 'i:1', {service} }}, b: {{ image: 'i:1', profiles: [p] }} }}");
        let thing = things(&text).into_iter().find(|thing| thing.name == "a").expect("it is there");
        let properties: Vec<_> = thing.properties.into_iter().map(|one| (one.name, one.value)).collect();
        let specification = thing.specification.expect("there is one");
        (properties, specification["service"].clone())
    };
    let plain = of("pull_policy: missing");
    for service in [
        "pull_policy: always",
        "scale: 2",
        "deploy: { replicas: 3 }",
        "depends_on: { b: { condition: service_started, required: false } }",
        "build: .",
    ] {
        let (mut properties, specification) = of(service);
        // Compose hashes that there is a `deploy`, and nothing of it.
        let without = |text: &serde_json::Value| text.as_str().map(|text| text.replace("\"deploy\":{", "{"));
        properties.retain(|(name, _)| !name.starts_with("deploy."));
        assert_eq!(properties, plain.0, "{service}");
        if !service.starts_with("deploy") {
            assert_eq!(without(&specification), without(&plain.1), "{service}");
        }
    }
    assert_ne!(of("tty: true"), plain);
}

/// All that is stored of deployments is compared with these texts.
#[test]
fn values_are_written_in_plans_as_they_always_were() {
    let text = "\
services:
  a:
    image: i:1
    environment: { A: '80', B: , C: 'null', D: 'a, b' }
    labels: { a: x, a.b: y, a-b: z }
    command: [run, '1', '']
    volumes: ['./data:/d']
    privileged: true
";
    let things = things(text);
    let container = things.iter().find(|thing| thing.name == "a").expect("it is there");
    let value = |name: &str| {
        let property = container.properties.iter().find(|property| property.name == name);
        property.map_or_else(|| panic!("{name} is missing"), |property| property.value.as_str())
    };
    assert_eq!(value("environment"), "{A: 80, B: <nil>, C: null, D: \"a, b\"}");
    assert_eq!(value("labels"), "{a: x, a-b: z, a.b: y}");
    assert_eq!(value("command"), "[run, 1, \"\"]");
    assert_eq!(value("networks"), "{default: <nil>}");
    assert_eq!(value("privileged"), "true");
    assert!(value("volumes").contains("source: ./data"), "{}", value("volumes"));
}
