//! Nothing is lost on the way to text and back.

use locus_graph::text::{write_json, write_json_with_bindings, write_yaml};
use locus_graph::{Alike, Certainty, Float, LocationGraph, Position, Process, Sort, Symbols, Value};
use proptest::prelude::*;

use crate::{files, findings, workspace};

/// Texts that writers of YAML and JSON are prone to get wrong, and some that they are not.
const NASTY: &[&str] = &[
    "web",
    "db",
    "a-b",
    "",
    " ",
    " lead",
    "trail ",
    "a b",
    "yes",
    "No",
    "null",
    "~",
    "true",
    "1",
    "1.5",
    "1e3",
    "0o17",
    "0x1F",
    "1_000",
    ".inf",
    ".nan",
    "2001-01-01",
    "22:22",
    "#x",
    "a #b",
    "- a",
    "-",
    "?",
    ":",
    "a: b",
    "a:",
    "{",
    "}",
    "[x]",
    "a,b",
    "&a",
    "*a",
    "!t",
    "%d",
    "@",
    "`",
    "|",
    ">",
    "'",
    "\"",
    "\\",
    "\\n",
    "a\nb",
    "\n",
    "\r",
    "\t",
    "\0",
    "\u{7}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{fffe}",
    "ä",
    "🦀",
    "$role",
    "$$role",
    "$",
    "<<",
    "=",
    "---",
    "...",
    "name",
    "role",
    "attributes",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        10 => prop::sample::select(NASTY).prop_map(str::to_owned),
        2 => prop::collection::vec(any::<char>(), 0..6).prop_map(|chars| chars.into_iter().collect()),
        1 => (150..1200usize).prop_map(|length| "long ".repeat(length / 5)),
    ]
}

/// A value before it has symbols.
#[derive(Clone, Debug)]
enum Plan {
    Value(Value),
    Name(String),
    Role(String),
    Sort(Box<Plan>),
    Process(Box<Plan>),
    List(Vec<Plan>),
    Record(Vec<(String, Plan)>),
}

fn plan() -> impl Strategy<Value = Plan> {
    let leaf = prop_oneof![
        Just(Plan::Value(Value::Null)),
        any::<bool>().prop_map(|b| Plan::Value(Value::Bool(b))),
        any::<i64>().prop_map(|i| Plan::Value(Value::Int(i))),
        prop::num::f64::ANY.prop_map(|x| {
            // The sign and payload of a NaN are lost in any text.
            let x = if x.is_nan() { f64::NAN } else { x };
            Plan::Value(Value::Float(Float(x)))
        }),
        text().prop_map(|text| Plan::Value(Value::text(&text))),
        text().prop_map(|why| Plan::Value(Value::Unknown(why.into()))),
        text().prop_map(|digest| Plan::Value(Value::Secret(digest.into()))),
        text().prop_map(Plan::Name),
        text().prop_map(Plan::Role),
    ];
    leaf.prop_recursive(4, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Plan::List),
            prop::collection::vec((text(), inner.clone()), 0..4).prop_map(Plan::Record),
            inner.clone().prop_map(|plan| Plan::Sort(Box::new(plan))),
            inner.prop_map(|plan| Plan::Process(Box::new(plan))),
        ]
    })
}

fn build(plan: &Plan, symbols: &mut Symbols) -> Value {
    match plan {
        Plan::Value(value) => value.clone(),
        Plan::Name(text) => Value::Name(symbols.name(text)),
        Plan::Role(text) => Value::Role(symbols.role(text)),
        Plan::Sort(plan) => Value::Sort(Sort(build(plan, symbols)).into()),
        Plan::Process(plan) => Value::Process(Process(build(plan, symbols)).into()),
        Plan::List(plans) => Value::list(plans.iter().map(|plan| build(plan, symbols)).collect::<Vec<_>>()),
        Plan::Record(plans) => {
            let fields: Vec<_> = plans.iter().map(|(k, plan)| (k.as_str(), build(plan, symbols))).collect();
            Value::record(fields)
        }
    }
}

type PortPlan = (String, bool, Vec<(String, Plan)>);
type CertaintyPlan = (Option<String>, Option<Alike>);
type LocationPlan = (String, Plan, Plan, Vec<PortPlan>, Vec<(String, Plan)>, CertaintyPlan, Option<usize>);

fn graph() -> impl Strategy<Value = LocationGraph> {
    let attributes = || prop::collection::vec((text(), plan()), 0..3);
    let no_attributes = Just(Vec::new());
    let port = (text(), any::<bool>(), prop_oneof![no_attributes, attributes()]);
    let alike = prop_oneof![any::<u32>().prop_map(Alike::Exactly), Just(Alike::AnyNumber)];
    let location: BoxedStrategy<LocationPlan> = (
        text(),
        plan(),
        plan(),
        prop::collection::vec(port, 0..4),
        attributes(),
        (prop::option::of(text()), prop::option::of(alike)),
        prop::option::of(0..3usize),
    )
        .boxed();
    let boxes = prop::collection::vec((text(), prop::option::of(0..3usize)), 0..4);
    (boxes, prop::collection::vec(location, 0..4)).prop_map(|(boxes, locations)| {
        let mut graph = LocationGraph::new();
        let ids: Vec<_> = boxes.iter().map(|(name, _)| graph.add_box(name)).collect();
        for (id, (_, outer)) in ids.iter().zip(&boxes) {
            // Refused where it would make a circle, which is as good.
            let _ = graph.nest_box(*id, outer.and_then(|outer| ids.get(outer)).copied());
        }
        for (name, sort, process, ports, attributes, (only_if, alike), within) in locations {
            let id = graph.add(&name);
            let sort = Sort(build(&sort, graph.symbols_mut()));
            let process = Process(build(&process, graph.symbols_mut()));
            for (role, provided, attributes) in ports {
                let values: Vec<_> =
                    attributes.into_iter().map(|(k, plan)| (k, build(&plan, graph.symbols_mut()))).collect();
                let position = if provided { Position::Provided } else { Position::Required };
                let port = graph.add_port(id, &role, position);
                for (key, value) in values {
                    port.attributes.push(key, value, None);
                }
            }
            let values: Vec<_> =
                attributes.into_iter().map(|(k, plan)| (k, build(&plan, graph.symbols_mut()))).collect();
            let entry = graph.entry_mut(id);
            (entry.sort, entry.process) = (sort, process);
            for (key, value) in values {
                entry.attributes.push(key, value, None);
            }
            entry.certainty = only_if.map_or_else(Certainty::default, Certainty::only_if);
            if let Some(alike) = alike {
                entry.certainty = entry.certainty.clone().standing_for(alike);
            }
            entry.within = within.and_then(|within| ids.get(within)).copied();
        }
        graph
    })
}

/// Returns the findings of the reader without those that random graphs deserve.
fn complaints(found: &str) -> Vec<&str> {
    let heads = found.lines().filter(|line| !line.starts_with(' '));
    heads.filter(|line| !["LG00", "LG105"].iter().any(|code| line.starts_with(code))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn graphs_survive_text(graph in graph()) {
        for (name, text) in [
            ("g.lg.yaml", write_yaml(&graph)),
            ("g.lg.json", write_json(&graph)),
            ("g.lg.json", write_json_with_bindings(&graph)),
        ] {
            let (back, found) = findings(name, &text);
            prop_assert_eq!(complaints(&found), Vec::<&str>::new(), "{}", text);
            prop_assert!(graph.says_the_same(&back), "{}\nread as\n{}", text, write_yaml(&back));
        }
        // And the texts are stable.
        let yaml = write_yaml(&graph);
        prop_assert_eq!(&write_yaml(&findings("g.lg.yaml", &yaml).0), &yaml);
        let json = write_json(&graph);
        prop_assert_eq!(&write_json(&findings("g.lg.json", &json).0), &json);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
    }

    #[test]
    fn a_change_is_noticed(a in graph(), b in graph()) {
        prop_assert_eq!(a.says_the_same(&b), write_json(&a) == write_json(&b));
    }
}

#[test]
fn texts_by_people_survive_too() {
    for (name, text) in files(&workspace().join("examples"), ".lg.yaml") {
        let (graph, _) = findings(&name, &text);
        let written = write_yaml(&graph);
        let (back, found) = findings(&name, &written);
        assert_eq!(found, "", "{name}");
        assert!(back.says_the_same(&graph), "{name}");
        assert_eq!(write_yaml(&back), written, "{name}");
    }
}

#[test]
fn yaml_is_pleasant() {
    let text = std::fs::read_to_string(workspace().join("examples/web.lg.yaml")).unwrap();
    insta::assert_snapshot!(write_yaml(&findings("web.lg.yaml", &text).0));
}

#[test]
fn json_is_plain() {
    let text = std::fs::read_to_string(workspace().join("examples/figure2.lg.yaml")).unwrap();
    insta::assert_snapshot!(write_json_with_bindings(&findings("figure2.lg.yaml", &text).0));
}
