//! Names decide nothing: a document whose elements have other names has the same findings, the same location graph, the
//! same things and the same plan, with those names. Where there is a choice, the order of the file decides.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use clap::Parser;
use locus_language::{Document, Language};
use locus_meaning::things::{MILESTONE, Thing, without_milestones};
use locus_meaning::{Key, Segment};
use locus_plan::{Answer, Limits};
use locus_source::{Loader, Place};
use proptest::prelude::*;

use crate::args::{Args, Command};
use crate::languages::ALL;
use crate::session::{Session, Setup};

/// A document in which `«0»` and so on stand for the names of elements; of a second version, `«v»` is another value.
struct Case {
    language: &'static str,
    file: &'static str,
    text: &'static str,
    /// The value of `«v»` in both versions.
    versions: [&'static str; 2],
    plain: [&'static str; NAMES],
    /// Other names that the language admits.
    odd: &'static [&'static str],
}

const NAMES: usize = 6;

const HOT: Case = Case {
    language: "hot",
    file: "a.hot.yaml",
    text: "heat_template_version: 2018-08-31
resources:
  \"«0»\": {type: OS::Neutron::Net}
  \"«1»\": {type: OS::Neutron::Subnet, properties: {network: {get_resource: \"«0»\"}, cidr: 10.0.0.0/24}}
  \"«2»\":
    type: OS::Neutron::Port
    properties:
      network: {get_resource: \"«0»\"}
      fixed_ips: [{subnet: {get_resource: \"«1»\"}, ip_address: 10.0.1.9}]
  \"«3»\":
    type: OS::Nova::Server
    depends_on: [\"«4»\"]
    properties:
      flavor: m1
      image: «v»
      networks: [{port: {get_resource: \"«2»\"}}]
      user_data: {str_replace: {template: 'A', params: {A: {get_attr: [\"«4»\", first_address]}}}}
  \"«4»\": {type: OS::Nova::Server, properties: {flavor: m1, image: a, networks: [{network: {get_resource: \"«0»\"}}]}}
  \"«5»\":
    type: OS::Heat::ResourceGroup
    properties: {count: 3, resource_def: {type: OS::Neutron::Port, properties: {network: {get_resource: \"«0»\"}}}}
",
    versions: ["a", "b"],
    plain: ["ant", "bee", "cat", "dog", "elk", "fox"],
    odd: &[
        "true",
        "1",
        "a b",
        "a.b",
        "a[0]",
        "get_resource",
        "ä",
        "a>, <b",
        "s (new)",
        "all a ready",
        "milestone",
        "external",
        "A",
        "$name",
        "s replaced",
        "network a",
    ],
};

const CLOUDFORMATION: Case = Case {
    language: "cloudformation",
    file: "a.template",
    text: "AWSTemplateFormatVersion: '2010-09-09'
Resources:
  '«0»': {Type: AWS::EC2::VPC, Properties: {CidrBlock: 10.0.0.0/16}}
  '«1»': {Type: AWS::EC2::Subnet, Properties: {VpcId: !Ref '«0»', CidrBlock: 10.1.0.0/24}}
  '«2»': {Type: AWS::EC2::SecurityGroup, Properties: {GroupDescription: a, VpcId: !Ref '«0»'}}
  '«3»':
    Type: AWS::EC2::Instance
    DependsOn: '«4»'
    Properties:
      ImageId: «v»
      SubnetId: !Ref '«1»'
      SecurityGroupIds: [!GetAtt '«2».GroupId']
      UserData: {Fn::Base64: !Sub 'from ${«4»} and ${«5».Arn}'}
  '«4»': {Type: AWS::S3::Bucket}
  '«5»': {Type: AWS::SQS::Queue, DeletionPolicy: Retain}
",
    versions: ["ami-0123456789abcdef0", "ami-0123456789abcdef1"],
    plain: ["Ant", "Bee", "Cat", "Dog", "Elk", "Fox"],
    odd: &["A", "a", "Ref", "Resources", "True", "Null", "A1", "1A", "milestone", "external", "VPC", "Zz9"],
};

/// A volume of one letter is not among the names: before a path it is a drive of Windows, as Compose has it.
const COMPOSE: Case = Case {
    language: "compose",
    file: "compose.yaml",
    text: "name: shop
services:
  \"«0»\":
    image: \"nginx:«v»\"
    ports: ['8080:80']
    networks: [\"«4»\"]
    depends_on: {\"«1»\": {condition: service_healthy}}
  \"«1»\":
    image: 'postgres:17'
    networks: [\"«4»\"]
    volumes: ['«5»:/var/lib/postgresql/data']
    healthcheck: {test: [CMD, pg_isready]}
  \"«2»\": {image: 'redis:7', ports: ['8080:6379'], networks: [\"«4»\"], scale: 1}
  \"«3»\": {image: 'redis:7', networks: [\"«4»\"], scale: 2, depends_on: [\"«2»\"]}
networks: {\"«4»\": {}}
volumes: {\"«5»\": {}}
",
    versions: ["1.26", "1.27"],
    plain: ["ant", "bee", "cat", "dog", "elk", "fox"],
    odd: &[
        "a.b",
        "a-b",
        "a-1",
        "a-b-1",
        "1",
        "1.5",
        "true",
        "null",
        "xy",
        "network",
        "service",
        "milestone",
        "n0",
        "0",
    ],
};

const TOSCA: Case = Case {
    language: "tosca",
    file: "a.tosca.yaml",
    text: "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    \"«0»\": {type: tosca.nodes.Compute, capabilities: {host: {properties: {num_cpus: 1}}}}
    \"«1»\": {type: tosca.nodes.WebServer, requirements: [{host: \"«0»\"}], properties: {component_version: '«v»'}}
    \"«2»\":
      type: tosca.nodes.WebApplication
      properties: {context_root: {get_attribute: [\"«0»\", private_address]}}
      requirements: [{host: \"«1»\"}, {dependency: \"«4»\"}]
    \"«3»\": {type: tosca.nodes.Compute}
    \"«4»\": {type: tosca.nodes.DBMS, requirements: [{host: \"«3»\"}]}
    \"«5»\": {type: tosca.nodes.Database, properties: {name: a}, requirements: [{host: \"«4»\"}]}
  groups:
    machines: {type: tosca.groups.Root, members: [\"«0»\", \"«3»\"]}
",
    versions: ["1.0", "2.0"],
    plain: ["ant", "bee", "cat", "dog", "elk", "fox"],
    odd: &[
        "true",
        "1",
        "a b",
        "a.b",
        "a[0]",
        "get_attribute",
        "ä",
        "s (new)",
        "milestone",
        "external",
        "A",
        "on a",
        "host",
        "group machines",
    ],
};

/// A version of the document with these names.
fn text(case: &Case, names: &[&str], version: usize) -> String {
    let named = names.iter().enumerate();
    let text = named.fold(case.text.to_owned(), |text, (at, name)| text.replace(&format!("«{at}»"), name));
    text.replace("«v»", case.versions[version])
}

/// All that is said of a document, with numbers in the place of names.
struct Said {
    words: String,
    things: Vec<Thing>,
}

/// The number of a name, and what else a key says.
fn numbered(key: &Key, names: &[&str]) -> String {
    let all = key.segments();
    if let [Segment::Name(section), _, ..] = all
        && **section == *MILESTONE
    {
        // A milestone is called by those that it stands for, or has a number.
        return format!("{MILESTONE} {:?}", all.last().filter(|last| matches!(last, Segment::Number(_))));
    }
    let last = all.iter().rposition(|segment| matches!(segment, Segment::Name(_)));
    let segment = |(at, segment): (usize, &Segment)| match segment {
        // The name of an element comes last; before it stands a word of the language.
        Segment::Name(name) if Some(at) == last => {
            let number = names.iter().position(|own| *own == &**name);
            number.map_or_else(|| name.to_string(), |number| format!("«{number}»"))
        }
        Segment::Name(name) => name.to_string(),
        Segment::Number(number) => format!("#{number}"),
    };
    all.iter().enumerate().map(segment).collect::<Vec<_>>().join("/")
}

fn said(case: &Case, session: &Session, names: &[&str], version: usize) -> Said {
    let language: &dyn Language = ALL.by_id(case.language).expect("it is one");
    let file = session.sources.add(case.file, text(case, names, version));
    let loader: Arc<dyn Loader> = session.files(std::path::Path::new(case.file));
    let effort = session.effort(None, 1);
    let request = session.request(&loader, &effort);
    let document: Box<dyn Document> = language.read(&file, &request);
    let mut words = String::new();
    let line = |place: Place| file.line_column(place.span.start as usize).line;
    let judgement = document.judge(&request);
    let mut found: Vec<String> = document
        .findings()
        .iter()
        .chain(&judgement.findings)
        .chain(&judgement.undecided)
        .map(|one| {
            let also: Vec<u32> = one.secondary.iter().map(|label| line(label.place)).collect();
            format!("{} {} {also:?} {:?}", one.code, line(one.primary.place), one.severity)
        })
        .collect();
    found.sort();
    let _ = writeln!(words, "findings {found:#?}");
    let graph = document.graph().expect("it has a graph");
    for (at, entry) in graph.iter() {
        let sides = entry.ports.iter().map(|port| port.position as usize).collect::<Vec<_>>();
        let (line, attributes) = (entry.place.map(line), entry.attributes.iter().len());
        let _ = writeln!(
            words,
            "location {} {:?} {line:?} {sides:?} {attributes} {:?} {:?}",
            at.index(),
            entry.sort,
            entry.within,
            entry.certainty.alike()
        );
    }
    for one in graph.bindings() {
        let _ = writeln!(words, "binding {} {}", one.requirer.index(), one.provider.index());
    }
    let things = document.things(&request).expect("it has things");
    for thing in &things {
        let needs = thing.needs.iter().map(|need| {
            let target = numbered(&need.target, names);
            format!("{target} {:?} {} {:?} {}", need.via, need.at, need.phase, need.only_to_start)
        });
        let properties = thing.properties.iter().map(|one| format!("{} {:?}", one.name, one.on_change));
        let _ = writeln!(
            words,
            "thing {} {} {:?} {:?} {:#?} {:#?} {:?} {:?}",
            numbered(&thing.key, names),
            thing.sort,
            thing.phases,
            thing.endings,
            needs.collect::<Vec<_>>(),
            properties.collect::<Vec<_>>(),
            thing.removal,
            thing.replacement
        );
    }
    Said { words, things }
}

/// The plan from one version to the next, by numbers.
fn plan(old: &[Thing], new: &[Thing], names: &[&str]) -> String {
    let [old, new] = [old, new].map(|things| without_milestones(things.to_vec(), usize::MAX));
    let pivot = locus_plan::pivot(&old, &new);
    let mut words = String::new();
    for one in &pivot.differences {
        let _ = writeln!(words, "{} {:?}", numbered(&one.key, names), one.fate);
    }
    let (answer, ..) = locus_plan::solve(&pivot.problem(), Limits { searched: 0, ..Limits::default() });
    match answer {
        Answer::Plan(plan) => {
            let kinds: Vec<_> = plan.components.iter().map(|one| (one.kind, one.is_new)).collect();
            let _ = writeln!(words, "{kinds:?} {:?}", plan.steps);
        }
        Answer::None(_) | Answer::Unknown(_) => words.push_str("none"),
    }
    words
}

/// All that is said of both versions.
fn all(case: &Case, names: &[&str]) -> BTreeMap<&'static str, String> {
    let args = Args::try_parse_from(["locus", "graph", case.file]).expect("it is a command");
    let Command::Graph(command) = args.command else { panic!("it is another command") };
    let session = Session::new(ALL, &Setup::reading(&command.reading)).expect("nothing is asked for");
    let [old, new] = [0, 1].map(|version| said(case, &session, names, version));
    BTreeMap::from([
        ("built", plan(&[], &old.things, names)),
        ("updated", plan(&old.things, &new.things, names)),
        ("taken down", plan(&new.things, &[], names)),
        ("old", old.words),
        ("new", new.words),
    ])
}

fn names_decide_nothing(case: &Case, odd: &[&str]) {
    let expected = all(case, &case.plain);
    for (what, said) in all(case, &odd[..NAMES]) {
        assert_eq!(said, expected[what], "{what} with the names {:?}", &odd[..NAMES]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_of_hot_decide_nothing(odd in Just(HOT.odd.to_vec()).prop_shuffle()) {
        names_decide_nothing(&HOT, &odd);
    }

    #[test]
    fn names_of_cloudformation_decide_nothing(odd in Just(CLOUDFORMATION.odd.to_vec()).prop_shuffle()) {
        names_decide_nothing(&CLOUDFORMATION, &odd);
    }

    #[test]
    fn names_of_compose_decide_nothing(odd in Just(COMPOSE.odd.to_vec()).prop_shuffle()) {
        names_decide_nothing(&COMPOSE, &odd);
    }

    #[test]
    fn names_of_tosca_decide_nothing(odd in Just(TOSCA.odd.to_vec()).prop_shuffle()) {
        names_decide_nothing(&TOSCA, &odd);
    }
}

/// The documents are such that something is said of each.
#[test]
fn something_is_said_of_each_document() {
    for (case, finding) in
        [(&HOT, "HOT130"), (&CLOUDFORMATION, "CFN300"), (&COMPOSE, "CMP100"), (&TOSCA, "findings []")]
    {
        let said = all(case, &case.plain);
        assert!(said["old"].contains(finding), "{}: {}", case.language, said["old"]);
        assert!(
            said["updated"].contains("Replace") || said["updated"].contains("Change"),
            "{}",
            said["updated"]
        );
        assert!(said["built"].contains("Add") && !said["built"].contains("none"), "{}", said["built"]);
    }
}
