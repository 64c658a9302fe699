//! A toy language: boxes on networks. What the graph shows and what rules see is the same.

use locus_alloy::ModuleLoader;
use locus_graph::{Alike, Certainty, LocationGraph};
use locus_rules::Rules;
use locus_schema::modules::TypeModule;
use locus_schema::{Content, Datum, Field, Nature, Property, Reason, Type, Why};
use locus_source::{Place, Sources, Span};

use crate::{
    Attribute, Element, Key, Kind, Link, Meaning, Notation, OnChange, Process, Relationships, Standing,
    Vocabulary,
};

const INPUT: Reason = Reason { id: "input", clause: "`{}` has no value", nature: Nature::Input };

const CORE: &str = "module toy/core
abstract sig Location {}
abstract sig Thing extends Location { id: one String, references: set Thing, members: set Thing }
sig Other extends Thing {}
sig External extends Location { kind: one String, name: lone String }
abstract sig Part { of: one Thing }
sig Data { entries: set Entry }
sig Entry { key: one String, value: set (Location + String + Int + Boolean + Data) }
abstract sig Boolean {}
one sig true, false extends Boolean {}
";

const VOCABULARY: Vocabulary = Vocabulary {
    core: "toy/core",
    element: "Thing",
    types: "toy/types/",
    signature: |name| (format!("toy/types/{name}"), name.to_owned()),
};

fn properties() -> Vec<Property> {
    let mut network = Property::new("network", Type::String);
    network.kind_named = Some("toy.network".into());
    let mut item = Property::new("*", Type::Map);
    item.nested = vec![Property::new("port", Type::Integer)];
    let mut doors = Property::new("doors", Type::List);
    doors.nested = vec![item];
    let mut size = Property::new("size", Type::Integer);
    size.default = Some("3".into());
    vec![doors, network, size]
}

struct Modules(String);

impl ModuleLoader for Modules {
    fn load(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        Ok(match name {
            "toy/core.als" => Some(CORE.into()),
            "toy/types/Box.als" => Some(self.0.clone().into_bytes()),
            _ => None,
        })
    }
}

/// The messages of a rule with this body, for boxes `b`, `c` and `d`.
fn broken(rule: &str, all: &Meaning<'_>) -> Vec<String> {
    let properties = properties();
    let module = TypeModule {
        module: "toy/types/Box",
        core: "toy/core",
        sig: "Box",
        extends: "Thing",
        doc: "A box.",
        properties: &properties,
    };
    let sources = Sources::new();
    let text = format!(
        "module toy/root\nopen toy/core\nopen toy/types/Box\n/** TOY001 toy: Toys.\n * @message {{b}} breaks it\n */\n\
         fact f {{ {rule} }}"
    );
    let root = sources.add("toy/root.als", text);
    let (rules, findings) = Rules::load(&sources, &Modules(module.to_string()), root.id());
    assert!(findings.is_empty(), "{findings:?}");
    let rules = rules.unwrap();
    let verdict = all.instance(&rules, &VOCABULARY, place()).check(10, place()).unwrap();
    verdict.findings.into_iter().map(|finding| finding.message).collect()
}

fn place() -> Place {
    Place::new(Sources::new().add("toy", "").id(), Span::point(0))
}

fn field(key: &str, value: Content) -> Field {
    Field { key: key.into(), place: place(), value: Datum::new(value, place()) }
}

fn doors(ports: &[i64]) -> Content {
    let door = |port: &i64| Datum::new(Content::Map([field("port", Content::Int(*port))].into()), place());
    Content::List(ports.iter().map(door).collect())
}

fn boxed<'d>(name: &str, properties: &'d [Property], given: &'d [Field]) -> Element<'d> {
    let mut element = Element::new(Key::name(name), name.into(), "Box".into(), place());
    element.kind = Some(Kind { name: "Box", properties });
    element.properties = given.into();
    element
}

fn names(graph: &LocationGraph) -> Vec<&str> {
    graph.iter().map(|(id, _)| graph.name_of(id)).collect()
}

#[test]
fn what_exists_already_is_one_location_and_one_atom() {
    let properties = properties();
    let blue = [field("network", Content::str("blue")), field("doors", doors(&[22, 80]))];
    let input = Datum::unknown(Why::of(&INPUT, "net"), place());
    let unknown = [field("network", input.value)];
    let mut all = Meaning::new();
    all.add(boxed("a", &properties, &blue));
    all.add(boxed("b", &properties, &blue));
    all.add(boxed("c", &properties, &unknown));
    let all = all.finish();
    let graph = all.graph(Relationships::Bindings);
    assert_eq!(names(&graph), ["a", "b", "c", "blue", "net"]);
    assert_eq!(graph.bindings().len(), 3);
    assert!(locus_graph::is_well_formed(&graph));
    assert_eq!(
        broken("all b: Box | no b.prop_network", &all),
        ["`a` breaks it", "`b` breaks it", "`c` breaks it"]
    );
    assert_eq!(
        broken("all b: Box | b.prop_network.name != \"blue\"", &all),
        ["`a` breaks it", "`b` breaks it"]
    );
    assert_eq!(broken("all b: Box | #External <= 2 or no b.prop_network", &all), [""; 0]);
    assert_eq!(broken("all b: Box | 80 not in b.prop_doors.port", &all), ["`a` breaks it", "`b` breaks it"]);
    assert_eq!(broken("all b: Box | b.prop_size != 3", &all).len(), 3);
}

#[test]
fn what_is_not_certain_is_so_in_the_graph_and_for_the_rules() {
    let properties = properties();
    let mut all = Meaning::new();
    let mut maybe = boxed("maybe", &properties, &[]);
    maybe.certainty = Certainty::only_if("the moon is full");
    let maybe = all.add(maybe);
    let group = all.add(Element::new(Key::name("group"), "group".into(), "Group".into(), place()));
    let mut member = boxed("group[*]", &properties, &[]);
    member.certainty = Certainty::default().standing_for(Alike::Exactly(4));
    member.standing = Standing::Member(group);
    member.links.push(Link::new(maybe, "depends", place()));
    all.add(member);
    let all = all.finish();
    let graph = all.graph(Relationships::Bindings);
    assert_eq!(names(&graph), ["maybe", "group", "group[*]"]);
    let certainty = |at: usize| &graph.entries()[at].certainty;
    assert!(certainty(0).is_conditional() && certainty(1).is_certain());
    assert_eq!(certainty(2).alike(), Alike::Exactly(4));
    assert_eq!(graph.bindings().len(), 2);
    // Of what may not be there, and of a member, rules speak as of others.
    assert_eq!(broken("all b: Box | no b", &all).len(), 2);
    // Whether there are two depends on what is not certain.
    assert_eq!(broken("all b: Other | #Box = 1 or no b.id", &all), [""; 0]);
    assert_eq!(broken("all b: Other | no b.members", &all), ["`group` breaks it"]);
}

#[test]
fn what_is_adopted_is_not_looked_at() {
    let properties = properties();
    let blue = [field("network", Content::str("blue"))];
    let mut adopted = boxed("a", &properties, &blue);
    adopted.adopted = true;
    let mut all = Meaning::new();
    all.add(adopted);
    let all = all.finish();
    assert_eq!(names(&all.graph(Relationships::Bindings)), ["a"]);
    assert_eq!(broken("all b: Box | some b.prop_network", &all), ["`a` breaks it"]);
}

#[test]
fn what_nobody_refers_to_offers_itself_unless_the_language_has_it_otherwise() {
    let mut all = Meaning::new();
    let mut named = |name: &str, offers_itself: bool| {
        let mut element = Element::new(Key::name(name), name.into(), "Box".into(), place());
        element.offers_itself = offers_itself;
        all.add(element);
    };
    named("a", true);
    named("b", false);
    let graph = all.finish().graph(Relationships::Bindings);
    let provided: Vec<usize> = graph.entries().iter().map(|entry| entry.ports.len()).collect();
    assert_eq!(provided, [1, 0]);
}

/// Elements of different sorts may have the same label; a plan needs names that differ.
#[test]
fn things_have_the_name_and_the_sort_that_a_process_gives_them() {
    let mut all = Meaning::new();
    for (sort, name) in [("net", Some("net a")), ("box", None)] {
        let mut element = Element::new(Key::within(sort, "a"), "a".into(), sort.into(), place());
        let value = Datum::new(
            Content::Map([field("b.c", Content::str("80")), field("b", Content::Null)].into()),
            place(),
        );
        element.process = Some(Box::new(Process {
            name: name.map(Into::into),
            sort: name.map(|_| "network".into()),
            attributes: vec![Attribute {
                name: "x".into(),
                value,
                on_change: OnChange::InPlace,
                place: place(),
            }],
            ..Process::default()
        }));
        all.add(element);
    }
    let written = |all: &Meaning<'_>| {
        let things = all.things(&Sources::new());
        let of = |thing: &crate::Thing| {
            (thing.name.clone(), thing.sort.clone(), thing.properties[0].value.clone())
        };
        things.iter().map(of).collect::<Vec<_>>()
    };
    let named = |name: &str, sort: &str, value: &str| (name.to_owned(), sort.to_owned(), value.to_owned());
    let usual = "{b: null, b.c: \"80\"}";
    assert_eq!(written(&all), [named("net a", "network", usual), named("a", "box", usual)]);
    all.set_notation(Notation { null: "<nil>", marks_texts: false });
    let other = "{b: <nil>, b.c: 80}";
    assert_eq!(written(&all), [named("net a", "network", other), named("a", "box", other)]);
}
