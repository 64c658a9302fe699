//! Logs against specifications: what explains them, what does not, and what would have been allowed.

use locus_source::{Place, Sources, Span};
use locus_tla::check::{Event, LogOptions, LogOutcome, LogResult, explain_log};
use locus_tla::config::{Expression, Model, parse};
use locus_tla::semantic::{Level, NoModules, Specification};
use serde_json::{Value as Json, json};

/// A queue whose length is logged, and a counter that is not.
const QUEUE: &str = r"
EXTENDS Integers, Sequences, FiniteSets
CONSTANT Items
VARIABLES queue, hidden, seen
Init == queue = <<>> /\ hidden \in 0..2 /\ seen = {}
Put(i) == queue' = Append(queue, i) /\ UNCHANGED <<hidden, seen>>
Take == queue # <<>> /\ queue' = Tail(queue) /\ seen' = seen \cup {Head(queue)} /\ UNCHANGED hidden
Tick == hidden < 3 /\ hidden' = hidden + 1 /\ UNCHANGED <<queue, seen>>
Jump == hidden = 3 /\ hidden' = 0 /\ queue' = <<>> /\ UNCHANGED seen
Next == (\E i \in Items: Put(i)) \/ Take \/ Tick \/ Jump
";

/// Looks for an explanation. Fields of events other than `action` and `parameters` are expressions.
fn explain(events: &[Json], gaps: u32) -> LogResult {
    let sources = Sources::new();
    let module = sources.add("Queue.tla", format!("---- MODULE Queue ----{QUEUE}===="));
    let loaded = Specification::load(&sources, &module, &NoModules, locus_tla::standard::text);
    let mut specification = loaded.specification.expect("nothing is wrong with it");
    let config = sources.add("Queue.cfg", "CONSTANT Items = {a, b}\nINIT Init\nNEXT Next");
    let mut tree = parse(config.id(), config.text()).tree.unwrap();
    let mut fields: Vec<String> = Vec::new();
    let mut log = Vec::new();
    for event in events {
        let mut read = Event {
            place: Place::new(module.id(), Span::point(0)),
            action: None,
            parameters: Vec::new(),
            values: Vec::new(),
        };
        for (field, value) in event.as_object().unwrap() {
            match field.as_str() {
                "action" => read.action = value.as_str().map(str::to_owned),
                "parameters" => read.parameters = value.as_object().unwrap().clone().into_iter().collect(),
                _ => {
                    let index = fields.iter().position(|known| known == field).unwrap_or_else(|| {
                        fields.push(field.clone());
                        let file = sources.add("field", field.as_str()).id();
                        tree.expressions.push(Expression { file, user: "a log", highest: Level::State });
                        fields.len() - 1
                    });
                    read.values.push((index, value.clone()));
                }
            }
        }
        log.push(read);
    }
    let (model, findings) = Model::resolve(&tree, &mut specification, &sources, config.id());
    assert!(findings.is_empty(), "{findings:?}");
    explain_log(&sources, &specification, &model, &log, &LogOptions { gaps, ..LogOptions::default() })
}

fn is_explained(events: &[Json], gaps: u32) -> bool {
    let result = explain(events, gaps);
    match result.outcome {
        LogOutcome::Explained => true,
        LogOutcome::Unexplained { .. } => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn actions_parameters_and_values_must_all_fit() {
    let put = |value: &str| json!({ "action": "Put", "parameters": { "i": value } });
    assert!(is_explained(&[put("a"), json!({ "queue": ["a"] })], 0));
    assert!(!is_explained(&[put("a"), json!({ "queue": ["b"] })], 0));
    assert!(!is_explained(&[put("c")], 0), "there is no item c");
    assert!(!is_explained(&[json!({ "action": "Take" })], 0), "the queue is empty");
    assert!(is_explained(
        &[put("a"), put("b"), json!({ "action": "Take", "Len(queue)": 1, "seen": ["a"] })],
        0
    ));
    assert!(!is_explained(&[put("a"), put("b"), json!({ "action": "Take", "seen": ["b"] })], 0));
    // The elements of a set are in any order, the items of a sequence are not.
    let both = [put("a"), put("b"), json!({ "action": "Take" })];
    let last = |field: &str, value: Json| [&both[..], &[json!({ "action": "Take", field: value })]].concat();
    assert!(is_explained(&last("seen", json!(["b", "a"])), 0));
    assert!(!is_explained(&last("seen", json!(["b"])), 0));
    assert!(!is_explained(&[put("a"), json!({ "action": "Put", "queue": ["b", "a"] })], 0));
}

#[test]
fn what_is_hidden_is_found() {
    // Jump needs hidden = 3, which is reached from 2 by one Tick, from 0 by three.
    let jump = json!({ "action": "Jump" });
    let tick = json!({ "action": "Tick" });
    assert!(!is_explained(std::slice::from_ref(&jump), 0));
    assert!(is_explained(&[tick.clone(), jump.clone()], 0));
    assert!(is_explained(&[tick.clone(), tick.clone(), tick.clone(), jump.clone()], 0));
    assert!(!is_explained(&[tick.clone(), tick.clone(), tick.clone(), tick.clone()], 0));
    // The hidden variable keeps its value: what explained the beginning must explain the end.
    let start = json!({ "hidden": 0 });
    assert!(!is_explained(&[start.clone(), tick.clone(), jump.clone()], 0));
    assert!(is_explained(&[start.clone(), tick, jump.clone()], 1));
    assert!(!is_explained(&[start.clone(), jump.clone()], 2), "three ticks in a row are missing");
    assert!(is_explained(&[start, jump], 3));
}

#[test]
fn the_first_event_without_explanation_is_named() {
    let result = explain(
        &[
            json!({ "action": "Put", "parameters": { "i": "a" } }),
            json!({ "action": "Take", "Len(queue)": 3 }),
            json!({ "action": "Nonsense" }),
        ],
        0,
    );
    let LogOutcome::UnknownAction(2, actions) = &result.outcome else { panic!("{result:?}") };
    assert_eq!(actions, &["Jump", "Put", "Take", "Tick"]);
    let result = explain(
        &[
            json!({ "action": "Put", "parameters": { "i": "a" } }),
            json!({ "action": "Take", "Len(queue)": 3 }),
        ],
        0,
    );
    let LogOutcome::Unexplained { allowed, more: 0 } = &result.outcome else { panic!("{result:?}") };
    assert_eq!((result.explained, result.candidates, result.behaviour.len()), (1, 3, 2));
    let nearest = &allowed[0];
    assert_eq!(nearest.action.as_ref().unwrap().name, "Take");
    assert_eq!(nearest.differences, [("Len(queue)".to_owned(), "0".to_owned(), json!(3))]);
    assert!(allowed.iter().skip(1).all(|step| step.is_other_action));
}

#[test]
fn staying_explains_an_event_without_an_action_only() {
    assert!(is_explained(&[json!({ "Len(queue)": 0 }), json!({ "Len(queue)": 0 })], 0));
    assert!(is_explained(&[json!({ "Len(queue)": 0, "hidden": 2 }), json!({ "hidden": 2 })], 0));
    assert!(!is_explained(&[json!({ "hidden": 2 }), json!({ "action": "Tick", "hidden": 2 })], 0));
}
