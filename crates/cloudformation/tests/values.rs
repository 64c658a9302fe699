//! Values of functions, what stays unknown, and the conditions that findings depend on.

use std::fmt::Write;

use locus_cloudformation::{Inputs, Reading, meaning, read};
use locus_meaning::{OnChange, Removal};
use locus_schema::Content;
use locus_source::Sources;

fn reading(text: &str, parameters: &[(&str, &str)]) -> (Sources, Reading) {
    let sources = Sources::new();
    let file = sources.add("t.yaml", text);
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let inputs = Inputs { parameters: parameters.collect(), ..Inputs::default() };
    let reading = read(&sources, &file, &inputs);
    (sources, reading)
}

/// The value of an expression, as the name of a topic, and the codes of the findings.
fn value_of(expression: &str) -> String {
    let text = format!(
        "Transform: AWS::LanguageExtensions\n\
         Parameters: {{ Name: {{ Type: String, Default: a }}, Open: {{ Type: String }} }}\n\
         Mappings: {{ M: {{ a: {{ b: [ x, y ], c: z }} }} }}\n\
         Conditions: {{ IsA: !Equals [ !Ref Name, a ] }}\n\
         Resources:\n  Queue: {{ Type: AWS::SQS::Queue }}\n  \
         Topic: {{ Type: AWS::SNS::Topic, Properties: {{ TopicName: {expression} }} }}\n"
    );
    let (_, reading) = reading(&text, &[]);
    let template = reading.template.as_ref().expect("it is a template");
    let topic = template.resource("Topic").expect("it has a topic");
    let mut shown = match topic.property("TopicName").map(|datum| &datum.value) {
        None => "nothing".to_owned(),
        Some(Content::Unknown(unknown)) => format!("? {}", unknown.why),
        Some(Content::Location(name)) => format!("<{name}>"),
        Some(Content::List(items)) => {
            let items: Vec<_> = items.iter().map(|item| item.value.to_text().unwrap_or_default()).collect();
            format!("[{}]", items.join(" "))
        }
        Some(value) => value.to_text().map_or_else(|| "?".to_owned(), |text| text.to_string()),
    };
    for finding in reading.findings.iter().filter(|finding| finding.code.as_str() < "CFN026") {
        let _ = write!(shown, " {}", finding.code);
    }
    shown
}

#[test]
fn functions_have_the_values_that_they_have_at_aws() {
    let table = [
        ("!Ref Name", "a"),
        ("!Ref Open", "? the parameter `Open` has no value"),
        ("!Ref Queue", "<Queue>"),
        ("!GetAtt Queue.Arn", "<Queue>"),
        ("!GetAtt [ Queue, QueueName ]", "? `QueueName` of `Queue` is known only when it is deployed"),
        ("!Sub '${Name}-${!Name}'", "a-${Name}"),
        ("!Sub [ '${X}-b', { X: !Ref Name } ]", "a-b"),
        ("!Sub 'x-${Open}'", "? what `Fn::Sub` makes of it is not known"),
        ("!Join [ '-', [ !Ref Name, b ] ]", "a-b"),
        ("!Select [ 1, [ a, b ] ]", "b"),
        ("!Select [ 2, [ a, b ] ]", "? there is something wrong with it CFN014"),
        ("!Split [ ',', 'a,b' ]", "[a b]"),
        ("!FindInMap [ M, !Ref Name, c ]", "z"),
        ("!FindInMap [ M, q, c, { DefaultValue: d } ]", "d"),
        ("!If [ IsA, yes, no ]", "True"),
        ("!If [ IsA, !Ref AWS::NoValue, no ]", "nothing"),
        ("{ 'Fn::Length': [ a, b ] }", "2"),
        ("{ 'Fn::ToJsonString': { k: [ 1, x ] } }", "{\"k\": [1, \"x\"]}"),
        ("!Cidr [ 10.0.0.0/16, 2, 8 ]", "[10.0.0.0/24 10.0.1.0/24]"),
        ("'{{resolve:ssm:x}}'", "? `{{resolve:ssm:x}}` is looked up when the stack is deployed"),
        ("!ImportValue x", "? what `Fn::ImportValue` makes of it is not known"),
        ("!ImportValue { 'Fn::Sub': '${Name}-x' }", "? what `Fn::ImportValue` makes of it is not known"),
        ("!Base64 { Ref: Name }", "? what `Fn::Base64` makes of it is not known"),
    ];
    for (expression, value) in table {
        assert_eq!(value_of(expression), value, "{expression}");
    }
}

#[test]
fn loops_are_unrolled() {
    let text = "Transform: AWS::LanguageExtensions\nResources:\n  'Fn::ForEach::Topics':\n  - Name\n  - [ A, B ]\n  \
                - 'Topic${Name}': { Type: AWS::SNS::Topic, Properties: { TopicName: !Sub 'x-${Name}' } }\n";
    let (_, reading) = reading(text, &[]);
    let template = reading.template.expect("it is a template");
    let names: Vec<_> = template
        .resources
        .iter()
        .map(|one| {
            (one.name.text.to_string(), one.property("TopicName").and_then(|name| name.value.to_text()))
        })
        .collect();
    assert_eq!(names, [("TopicA".to_owned(), Some("x-A".into())), ("TopicB".to_owned(), Some("x-B".into()))]);
    assert!(reading.findings.is_empty(), "{:?}", reading.findings);
}

const CONDITIONS: &str = "\
Parameters:
  Stage: { Type: String, AllowedValues: [ dev, test, prod ], Default: dev }
  Region: { Type: String, Default: eu }
Conditions:
  IsProd: !Equals [ !Ref Stage, prod ]
  IsDev: !Equals [ !Ref Stage, dev ]
  IsBoth: !And [ !Condition IsProd, !Condition IsDev ]
  IsEurope: !Equals [ !Ref Region, eu ]
Resources:
  Both: { Type: AWS::SNS::Topic, Condition: IsBoth, Properties: { Nothing: x } }
  Topic:
    Type: AWS::SNS::Topic
    Properties:
      TopicName: !If [ IsEurope, a, b ]
      FifoTopic: !If [ IsProd, { a: b }, !If [ IsDev, true, !Ref AWS::NoValue ] ]
";

#[test]
fn a_finding_names_the_conditions_that_it_depends_on() {
    let (_, reading) = reading(CONDITIONS, &[]);
    let errors: Vec<_> =
        reading.findings.iter().map(|one| (one.code.as_str(), one.notes.join(" "))).collect();
    // The conditions of `Both` cannot hold together, so nothing is said of it.
    assert_eq!(errors, [("CFN040", "this is so if `IsDev` does not hold and `IsProd` holds".to_owned())],);
}

#[test]
fn values_that_are_given_decide_conditions() {
    let (_, reading) = reading(CONDITIONS, &[("Stage", "test")]);
    assert!(reading.findings.is_empty(), "{:?}", reading.findings);
    let (_, reading) = self::reading(CONDITIONS, &[("Stage", "prod")]);
    assert_eq!(reading.findings.len(), 1);
}

#[test]
fn the_registry_says_what_is_replaced() {
    let text = "Resources:\n  Queue: { Type: AWS::SQS::Queue, Properties: { QueueName: a, DelaySeconds: 1 } }\n  \
                Topic: { Type: AWS::SNS::Topic, DeletionPolicy: Retain, DependsOn: Queue }\n";
    let (sources, reading) = reading(text, &[]);
    let template = reading.template.expect("it is a template");
    let things = meaning(&template).things(&sources);
    let changes: Vec<_> = things[0].properties.iter().map(|one| (one.name.as_str(), one.on_change)).collect();
    assert_eq!(changes, [("QueueName", OnChange::Replace), ("DelaySeconds", OnChange::InPlace)]);
    assert_eq!((things[1].removal, things[1].needs.len()), (Removal::Leave, 1));
    let graph = meaning(&template).graph(locus_meaning::Relationships::Bindings);
    assert!(locus_graph::is_well_formed(&graph) && graph.len() == 2);
}

#[test]
fn what_nobody_can_expand_is_said() {
    let unanswered = |text: &str| reading(text, &[]).1.unanswered;
    let sam = unanswered(
        "Transform: AWS::Serverless-2016-10-31\nResources: { F: { Type: AWS::Serverless::Function } }\n",
    );
    assert!(sam.len() == 1 && sam[0].contains("sam build"), "{sam:?}");
    let text = "Transform: Mine\nResources: { F: { Type: AWS::SNS::Topics, Count: 3 } }\n";
    assert_eq!((unanswered(text).len(), reading(text, &[]).1.findings.len()), (1, 0));
    let text = "Transform: AWS::LanguageExtensions\nParameters: { L: { Type: CommaDelimitedList } }\nResources:\n  \
                'Fn::ForEach::T': [ N, !Ref L, { 'T${N}': { Type: AWS::SNS::Topic } } ]\n  \
                U: { Type: AWS::SNS::Topic }\n";
    assert_eq!(unanswered(text).len(), 1);
}

#[test]
fn any_text_is_read_to_its_end() {
    for text in [
        "Resources: { A: { Type: !Sub x } }",
        "Resources: { A: { Type: AWS::SNS::Topic, Properties: !Ref A } }",
        "Resources: { A: { Type: AWS::SNS::Topic, Properties: { TopicName: !If [ A, !Ref B, ! ] } } }",
        "Conditions: { A: !Condition A, B: !Equals [ !Condition B ] }\nResources: { A: !Ref A }",
        "Mappings: { A: !Ref B }\nResources: { A: { Type: AWS::SNS::Topic, Properties: !FindInMap [ A, A, A ] } }",
        "{\"Resources\": {\"A\": {\"Type\": \"AWS::SNS::Topic\", \"Properties\": {\"Fn::If\": []}}}}",
        "Resources: { A: { Type: AWS::SNS::Topic, Properties: { TopicName: !ImportValue { !Sub a: b } } } }",
        "Resources: [ ]\nParameters: 3\nOutputs: { A: 3 }\nConditions: x",
        "Resources: { A: { Type: AWS::EC2::Subnet, Properties: { VpcId: !Cidr [ a ], CidrBlock: !GetAtt A } } }",
    ] {
        let (_, reading) = reading(text, &[]);
        assert!(reading.template.is_some() || !reading.findings.is_empty(), "{text}");
        locus_cloudformation::check(&reading);
    }
}
