//! All that is written is read as it was, and all that is wrong is said.

use std::sync::Arc;

use locus_graph::text::{read as read_text, write_yaml};
use locus_graph::{LocationGraph, Value};
use locus_schema::{Content, Datum, Field, Nature, Reason, Why};
use locus_source::{Limits, Place, SourceFile, Sources, Span};
use proptest::prelude::*;

use super::*;
use crate::shown::Masker;
use crate::things::{Thing, of_graph};
use crate::{
    Attribute, Copies, Element, Key, Link, Meaning, Milestone, Naming, Need, Needed, Offer, OnChange,
    Process, Relationships, Removal, Replacement,
};

const INPUT: Reason = Reason { id: "input", clause: "`{}` has no value", nature: Nature::Input };

fn file(text: &str) -> Arc<SourceFile> {
    Sources::new().add("a.lg.yaml", text)
}

fn place() -> Place {
    Place::new(file("").id(), Span::point(0))
}

fn graph(text: &str) -> LocationGraph {
    let reading = read_text(&file(text), &Limits::default());
    assert!(reading.findings.is_empty(), "{:?}", reading.findings);
    reading.graph
}

fn element(name: &str, process: Process) -> Element<'static> {
    let mut element = Element::new(Key::name(name), name.into(), "box".into(), place());
    element.process = Some(Box::new(process));
    element
}

fn attribute(name: &str, value: Datum, on_change: OnChange) -> Attribute {
    Attribute { name: name.into(), value, on_change, place: place() }
}

/// A meaning with all that a lifecycle can say.
fn rich() -> Meaning<'static> {
    let text = |text: &str| Datum::new(Content::str(text), place());
    let phases = || vec!["created".into(), "started".into()];
    let mut all = Meaning::new();
    let db = all.add(element(
        "db",
        Process { phases: phases(), endings: vec!["saved".into()], ..Process::default() },
    ));
    let mut several =
        element("web", Process { phases: phases(), sort: Some("container".into()), ..Process::default() });
    several.copies = Copies { count: 3, place: Some(place()), naming: Naming::Ordinals, drawn_each: false };
    let several = all.add(several);
    let mut each = element("node", Process::default());
    each.copies = Copies { count: 3, ..Copies::ONE };
    let each = all.add(each);
    let mut there = Element::new(Key::name("there"), "there".into(), "box".into(), place());
    there.adopted = true;
    all.add(there);
    let milestone = all.milestone(Milestone { name: "all boxes".to_owned(), members: vec![db, each] });
    let secret = Datum::new(
        Content::Map([Field { key: "TOKEN".into(), place: place(), value: text("x") }].into()),
        place(),
    );
    let unknown = Datum::unknown(Why::of(&INPUT, "size"), place());
    let mut user = element(
        "user",
        Process {
            name: Some("the user".into()),
            phases: phases(),
            in_effect: 1,
            holds_data: true,
            attributes: vec![
                attribute("env", secret, OnChange::Replace),
                attribute("image", text("nginx"), OnChange::Refuse),
                attribute("size", unknown.clone(), OnChange::InPlace),
                attribute("volume", text("10"), OnChange::Grow),
            ],
            needs: vec![
                Need { via: Some("link".into()), at: 1, phase: Some("created".into()), ..Need::new(db) },
                Need { only_to_start: true, ..Need::new(several) },
                Need { to: Needed::First(several), ..Need::new(several) },
                Need { to: Needed::InTurn(each, 2), ..Need::new(each) },
                Need { to: Needed::Milestone(milestone), ..Need::new(db) },
            ],
            removal: Removal::Leave,
            replacement: Replacement::OldFirst { before: 1 },
            renewed: Some("always".to_owned()),
            ..Process::default()
        },
    );
    user.properties = vec![Field { key: "size".into(), place: place(), value: unknown }].into();
    user.links = vec![Link::new(db, "link", place())];
    user.offers = vec![Offer { role: "http".into(), attributes: Vec::new(), place: place() }];
    all.add(user);
    all.finish()
}

/// Without what a location graph has of its own: places, texts of values, and names as keys.
fn bare(things: Vec<Thing>) -> Vec<Thing> {
    let names: Vec<(Key, String)> = things.iter().map(|one| (one.key.clone(), one.name.clone())).collect();
    let named =
        |key: &Key| Key::name(names.iter().find(|(own, _)| own == key).expect("it is one").1.as_str());
    let thing = |mut thing: Thing| {
        thing.key = named(&thing.key);
        thing.needs.iter_mut().for_each(|need| need.target = named(&need.target));
        thing.place = None;
        thing.properties.iter_mut().for_each(|one| (one.value.clear(), one.place = None).0);
        thing
    };
    things.into_iter().map(thing).collect()
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let sources = Sources::new();
    sources.add("a", "");
    let all = rich();
    let pivot = all.pivot(Relationships::Bindings, &mut Masker::numbering()).expect("it is small");
    let text = write_yaml(&pivot.graph);
    assert!(!text.contains("TOKEN: x"), "{text}");
    insta::assert_snapshot!(text);
    let again = graph(&text);
    assert!(pivot.graph.says_the_same(&again));
    let reading = read(&again, place());
    assert!(reading.findings.is_empty(), "{:?}", reading.findings);
    assert_eq!(bare(of_graph(&again, place())), bare(all.things(&sources)));
    // Written again it is the same.
    let second =
        reading.meaning.pivot(Relationships::Bindings, &mut Masker::numbering()).expect("it is small");
    assert_eq!(read(&second.graph, place()).meaning.elements().count(), reading.meaning.elements().count());
    assert_eq!(bare(of_graph(&second.graph, place())), bare(all.things(&sources)));
}

#[test]
fn a_location_without_a_lifecycle_is_made_at_once() {
    let things = of_graph(
        &graph(
            "location-graph: 1\nlocations:\n  web: { requires: [sql], attributes: { a: 1 } }\n  db: { sort: Database, provides: [sql], process: { runs: postgres } }\n",
        ),
        place(),
    );
    let [web, db] = &things[..] else { panic!("there are two") };
    assert_eq!((web.needs[0].target.clone(), web.properties[0].value.as_str()), (Key::name("db"), "1"));
    assert_eq!((db.sort.as_str(), db.phases.as_slice()), ("\"Database\"", &["present".to_owned()][..]));
}

#[test]
fn what_is_wrong_is_said() {
    for (lifecycle, said) in [
        ("[]", "the lifecycle of `web` has a `lifecycle` that is no mapping"),
        ("{ phases: [] }", "the lifecycle of `web` has no phase"),
        ("{ phases: [1] }", "the lifecycle of `web` has a `phases` that is no list of texts"),
        ("{ phasen: [a] }", "the lifecycle of `web` has an entry `phasen`, which means nothing there"),
        ("{ in-effect: 1 }", "the lifecycle of `web` has fewer phases than it speaks of"),
        ("{ old-first: -1 }", "the lifecycle of `web` has a `old-first` that is no number"),
        ("{ removal: delete }", "the lifecycle of `web` has a `removal` that is not `leave`"),
        ("{ numbering: roman }", "the lifecycle of `web` has a `numbering` that is not `ordinals`"),
        ("{ attributes: [] }", "the lifecycle of `web` has `attributes` that are no mapping"),
        ("{ needs: [ { of: { $name: sea } } ] }", "the lifecycle of `web` needs `sea`, which is no location"),
        (
            "{ needs: [ { of: db } ] }",
            "the lifecycle of `web` has a `of` that is no name of a location, such as {$name: web}",
        ),
        (
            "{ needs: [ { of: { $name: there } } ] }",
            "the lifecycle of `web` needs `there`, which is not made",
        ),
        (
            "{ needs: [ { of: { $name: db }, phase: old } ] }",
            "the lifecycle of `web` needs the phase `old` of `db`, which has none such",
        ),
        (
            "{ needs: [ { of: { $name: db }, at: 1 } ] }",
            "the lifecycle of `web` needs something in a phase that it does not have",
        ),
        (
            "{ needs: [ { of: { $name: db }, copies: most } ] }",
            "the lifecycle of `web` has a need whose `copies` are neither `all`, `first` nor a number",
        ),
        (
            "{ needs: [ {} ] }",
            "the lifecycle of `web` has a need without `of`, or with a `milestone` beside it",
        ),
        (
            "{ needs: [ { milestone: { name: m } } ] }",
            "the lifecycle of `web` has a `milestone` without `name` or `of`",
        ),
        ("{ copies: 20000 }", "there are 20001 copies of locations, and 10000 in all are planned"),
        ("{ copies: 4294967295 }", "there are 4294967296 copies of locations, and 10000 in all are planned"),
    ] {
        let text = format!(
            "location-graph: 1\nlocations:\n  web: {{ process: {{ lifecycle: {lifecycle} }} }}\n  db: {{}}\n  there: {{ \
             process: {{ lifecycle: none }} }}\n"
        );
        let graph = graph(&text);
        let messages: Vec<String> = check(&graph, place()).into_iter().map(|one| one.message).collect();
        assert_eq!(messages, [said], "{lifecycle}");
        assert!(of_graph(&graph, place()).len() <= 2, "{lifecycle}");
    }
}

#[test]
fn the_examples_of_the_rule_do_what_is_said_of_them() {
    let explanation = LIFECYCLE.explanation;
    let blocks = explanation.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(""));
    let found: Vec<usize> = blocks.map(|block| check(&graph(block), place()).len()).collect();
    assert_eq!(found, [1, 0]);
}

#[test]
fn secrets_of_a_location_graph_are_not_shown() {
    let given = graph(
        "location-graph: 1\nlocations: { web: { attributes: { password: hunter2, port: 80, args: [--token, hunter2] } } }\n",
    );
    let text = write_yaml(&masked(&given, &mut Masker::numbering()));
    assert!(!text.contains("hunter2") && text.contains("port: 80"), "{text}");
    assert_eq!(text.matches("{ $secret: \"1\" }").count(), 2, "{text}");
    // What is a digest stays one.
    assert_eq!(write_yaml(&masked(&graph(&text), &mut Masker::numbering())), text);
}

/// Values of the words that lifecycles are made of.
fn values() -> impl Strategy<Value = Value> {
    const WORDS: [&str; 20] = [
        "lifecycle",
        "none",
        "phases",
        "endings",
        "needs",
        "of",
        "at",
        "phase",
        "copies",
        "all",
        "first",
        "milestone",
        "name",
        "attributes",
        "in-effect",
        "holds-data",
        "grows",
        "old-first",
        "numbering",
        "removal",
    ];
    let word = || prop::sample::select(&WORDS[..]).prop_map(Value::text);
    let mut graph = LocationGraph::new();
    let name = Value::Name(graph.symbols_mut().name("web"));
    let leaf = prop_oneof![
        word(),
        Just(name),
        prop_oneof![Just(i64::MAX), -2..4i64].prop_map(Value::Int),
        any::<bool>().prop_map(Value::Bool),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let field = (prop::sample::select(&WORDS[..]), inner.clone());
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(Value::list),
            prop::collection::vec(field, 0..6).prop_map(Value::record),
        ]
    })
}

proptest! {
    #[test]
    fn any_lifecycle_is_read(value in values()) {
        let mut graph = LocationGraph::new();
        let web = graph.add("web");
        graph.entry_mut(web).process = locus_graph::Process(Value::record([(KEY, value)]));
        let findings = check(&graph, place());
        let things = of_graph(&graph, place());
        prop_assert!(things.iter().all(|thing| !thing.phases.is_empty()));
        prop_assert!(things.len() <= 10_001 || !findings.is_empty());
    }
}
