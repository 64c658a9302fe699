//! Whole templates: the report's examples, templates in templates, what is known and what is not.

mod common;

use std::fmt::Write as _;

use common::{lines, read_file};
use locus_hot::{Inputs, Reading, meaning, read};
use locus_meaning::Relationships;
use locus_schema::Content;
use locus_source::{Severity, Sources};

fn of_text(text: &str, inputs: &Inputs<'_>) -> (Reading, Sources) {
    let sources = Sources::new();
    let file = sources.add("t.yaml", text);
    let reading = read(&sources, &file, inputs);
    (reading, sources)
}

#[test]
fn the_reports_examples_have_the_structure_of_templates() {
    for name in ["two-vms.yaml", "four-vms.yaml", "figure6.yaml", "figures8to11.yaml"] {
        let sources = Sources::new();
        let reading = read_file(&sources, "templates", name);
        assert_eq!(lines(&reading, &sources, Severity::Error), "", "{name}");
    }
}

#[test]
fn the_two_machines_have_the_reports_locations_and_roles() {
    let sources = Sources::new();
    let template = read_file(&sources, "templates", "two-vms.yaml").template.unwrap();
    let graph = meaning(&template).graph(Relationships::default());
    // Section 7.3.2: exactly 13 resources, those of the environment included, and 22 roles.
    assert_eq!(graph.len(), 13);
    insta::assert_snapshot!(describe(&graph));
    assert_eq!(graph.symbols().role_count(), 22);
    assert_eq!(graph.bindings().len(), 18);
    assert!(locus_graph::is_well_formed(&graph));
}

fn describe(graph: &locus_graph::LocationGraph) -> String {
    let mut text = String::new();
    for (id, entry) in graph.iter() {
        let within = entry.within.map_or("", |around| graph.box_name(around));
        let _ =
            writeln!(text, "{} : {} [{within}]", graph.name_of(id), entry.sort.0.as_text().unwrap_or("?"));
        for port in &entry.ports {
            let _ = writeln!(text, "    {:?} {}", port.position, graph.symbols().role_text(port.role));
        }
        for attribute in &entry.attributes {
            let _ = writeln!(text, "    {} = {}", attribute.key, attribute.value.display(graph.symbols()));
        }
    }
    text
}

#[test]
fn a_template_in_a_template_has_its_parameters_for_properties() {
    let sources = Sources::new();
    let reading = read_file(&sources, "templates", "nested.yaml");
    insta::assert_snapshot!(lines(&reading, &sources, Severity::Warning));
}

#[test]
fn the_members_of_groups_and_update_policies_are_checked() {
    let sources = Sources::new();
    let reading = read_file(&sources, "templates", "groups.yaml");
    insta::assert_snapshot!(lines(&reading, &sources, Severity::Warning));
}

#[test]
fn a_key_twice_is_a_warning_that_says_whether_something_is_lost() {
    let text = "heat_template_version: rocky\nresources:\n  a: { type: OS::Neutron::Net }\n  a: { type: OS::Neutron::Net }\n  \
                b: { type: OS::Neutron::Net }\n  b: { type: OS::Neutron::Router }\n";
    let (reading, _) = of_text(text, &Inputs::default());
    let found: Vec<_> = reading.findings.iter().map(|one| (one.code.as_str(), one.severity)).collect();
    assert_eq!(found, [("YML002", Severity::Warning), ("YML002", Severity::Warning)]);
    assert!(reading.findings[0].notes[0].contains("nothing is lost"));
    assert!(reading.findings[1].notes[0].contains("the other is lost"));
}

/// The value of the output `o`, as JSON; `unknown` with the reason if it is not known.
fn output(version: &str, head: &str, expression: &str) -> String {
    let text = format!(
        "heat_template_version: {version}\n{head}\nresources:\n  net: {{ type: OS::Neutron::Net }}\n\
         outputs:\n  o:\n    value: {expression}\n"
    );
    let (reading, sources) = of_text(&text, &Inputs::default());
    assert_eq!(lines(&reading, &sources, Severity::Error), "", "{expression}");
    let template = reading.template.unwrap();
    let value = &template.output("o").unwrap().value;
    match &value.value {
        Content::Unknown(unknown) => format!("unknown: {}", unknown.why),
        Content::Location(name) => format!("id of {name}"),
        Content::List(items) if value.value.is_partly_unknown() => format!("{} items", items.len()),
        other => shown(other),
    }
}

fn shown(value: &Content) -> String {
    match value {
        Content::Str(text) => format!("{text:?}"),
        Content::List(items) => {
            let items: Vec<String> = items.iter().map(|item| shown(&item.value)).collect();
            format!("[{}]", items.join(", "))
        }
        Content::Map(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|field| format!("{}: {}", field.key, shown(&field.value.value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        Content::Int(value) => value.to_string(),
        Content::Bool(value) => value.to_string(),
        Content::Null => "null".to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn functions_give_what_heat_gives() {
    let head = "parameters:\n  list: { type: comma_delimited_list, default: 'a,b' }\n  \
                map: { type: json, default: '{\"k\": [1, {\"x\": \"y\"}]}' }\n  free: { type: string }";
    let cases = [
        ("{ get_param: list }", r#"["a", "b"]"#),
        ("{ get_param: [map, k, 1, x] }", r#""y""#),
        ("{ get_param: [map, k, 7] }", r#""""#),
        ("{ get_param: free }", "unknown: the parameter `free` has no value"),
        (
            "{ get_param: 'OS::stack_name' }",
            "unknown: `OS::stack_name` is known only when the stack is deployed",
        ),
        ("{ get_resource: net }", "id of net"),
        ("{ get_attr: [net, name] }", "unknown: `name` of `net` is known only when it is deployed"),
        (
            "{ list_join: ['-', [a, null], { get_param: list }, [{ b: 1, a: é }]] }",
            r#""a--a-b-{\"a\": \"\\u00e9\", \"b\": 1}""#,
        ),
        ("{ list_join: ['-', [a, { get_param: free }]] }", "unknown: the result of `list_join` is not known"),
        // Longer keys go first, and what was put in is not replaced again.
        ("{ str_replace: { template: ab a b, params: { a: b, b: a, ab: [1] } } }", r#""[1] b a""#),
        ("{ str_replace: { template: x, params: { y: { get_param: free } } } }", r#""x""#),
        ("{ str_replace: { template: true is b, params: { b: true } } }", r#""true is True""#),
        ("{ str_split: [',', 'a,b,c'] }", r#"["a", "b", "c"]"#),
        ("{ str_split: [',', 'a,b,c', -1] }", r#""c""#),
        (
            "{ repeat: { template: { p: '%i%%j%' }, for_each: { '%i%': [a, b], '%j%': ['1', '2'] } } }",
            r#"[{p: "a1"}, {p: "a2"}, {p: "b1"}, {p: "b2"}]"#,
        ),
        (
            "{ repeat: { template: '%i%%j%', for_each: { '%i%': [a, b], '%j%': ['1', '2'] }, permutations: false } }",
            r#"["a1", "b2"]"#,
        ),
        ("{ repeat: { template: '%i%', for_each: { '%i%': { x: 1, y: 2 } } } }", r#"["x", "y"]"#),
        ("{ map_merge: [ { a: 1, b: 2 }, null, { a: 3 } ] }", "{a: 3, b: 2}"),
        ("{ map_replace: [ { a: b, c: d }, { keys: { a: z }, values: { d: e } } ] }", r#"{z: "b", c: "e"}"#),
        ("{ filter: [[a], { get_param: list }] }", r#"["b"]"#),
        ("{ list_concat: [[a], null, { get_param: list }] }", r#"["a", "a", "b"]"#),
        ("{ list_concat_unique: [[a], { get_param: list }] }", r#"["a", "b"]"#),
        ("{ contains: [a, { get_param: list }] }", "true"),
        ("{ contains: [{ get_param: free }, []] }", "false"),
        (
            "{ make_url: { scheme: http, username: u, password: 'p:w', host: '::1', port: 80, path: /a b, query: { k: v }, fragment: f } }",
            r#""http://u:p%3Aw@[::1]:80/a%20b?k=v#f""#,
        ),
        ("{ digest: [md5, a] }", "unknown: the result of `digest` is not known"),
        ("{ yaql: { expression: $.data, data: 1 } }", "unknown: the result of `yaql` is not known"),
    ];
    for (expression, expected) in cases {
        assert_eq!(output("rocky", head, expression), expected, "{expression}");
    }
}

#[test]
fn conditions_have_three_values() {
    let head = "parameters:\n  free: { type: string }\n  env: { type: string, default: prod }\nconditions:\n  \
                prod: { equals: [ { get_param: env }, prod ] }\n  maybe: { equals: [ { get_param: free }, x ] }\n  \
                never: { and: [maybe, { not: prod }] }\n  always: { or: [maybe, prod] }\n  also: { and: [maybe, prod] }";
    let cases = [
        ("{ if: [prod, 1, 2] }", "1"),
        ("{ if: [never, 1, 2] }", "2"),
        ("{ if: [always, 1, 2] }", "1"),
        ("{ if: [also, 1, 2] }", "unknown: the result of `if` is not known"),
        ("{ if: [also, 1, 1] }", "1"),
        ("{ if: [{ not: maybe }, 1, 2] }", "unknown: the result of `if` is not known"),
    ];
    for (expression, expected) in cases {
        assert_eq!(output("rocky", head, expression), expected, "{expression}");
    }
    assert_eq!(output("wallaby", head, "[a, { if: [never, b] }, { k: { if: [never, b] } }]"), r#"["a", {}]"#);
}

#[test]
fn the_command_line_wins_over_environments_and_the_last_of_these_over_others() {
    let text = "heat_template_version: rocky\nparameters:\n  n: { type: number, default: 1 }\nresources:\n  \
                net: { type: OS::Neutron::Net }\noutputs:\n  o: { value: { get_param: n } }\n";
    let value = |environments: &[&str], given: &[(&str, &str)]| {
        let sources = Sources::new();
        let file = sources.add("t.yaml", text);
        let environments =
            environments.iter().enumerate().map(|(i, text)| sources.add(format!("{i}"), *text)).collect();
        let parameters =
            given.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let reading = read(&sources, &file, &Inputs { environments, parameters, ..Inputs::default() });
        assert_eq!(lines(&reading, &sources, Severity::Warning), "");
        shown(&reading.template.unwrap().output("o").unwrap().value.value)
    };
    assert_eq!(value(&[], &[]), "1");
    assert_eq!(value(&["parameter_defaults: { n: 2 }"], &[]), "2");
    assert_eq!(
        value(&["parameters: { n: 3 }", "parameters: { n: 4 }", "parameter_defaults: { n: 2 }"], &[]),
        "4"
    );
    assert_eq!(value(&["parameters: { n: 3 }"], &[("n", "5")]), "5");
}

#[test]
fn a_value_knows_where_it_is_used_and_where_it_came_from() {
    let sources = Sources::new();
    let template = read_file(&sources, "templates", "two-vms.yaml").template.unwrap();
    let image = template.resource("VM1").unwrap().property("image").unwrap();
    assert_eq!(image.as_str(), Some("ubuntu"));
    assert_eq!(sources.describe(image.place), "two-vms.yaml:46:14");
    assert_eq!(sources.describe(image.origin.unwrap()), "two-vms.yaml:10:14");
}

#[test]
fn what_stayed_unknown_is_listed_once() {
    let text = "heat_template_version: rocky\nparameters:\n  image: { type: string }\nresources:\n  s:\n    \
                type: OS::Nova::Server\n    properties: { flavor: small, image: { get_param: image } }\n";
    let (reading, sources) = of_text(text, &Inputs::default());
    let unknowns: Vec<String> =
        reading.unknowns.iter().map(|one| format!("{}: {}", sources.describe(one.place), one.why)).collect();
    assert_eq!(unknowns, ["t.yaml:3:3: the parameter `image` has no value"]);
}

#[test]
fn what_is_large_stays_small() {
    // Each level doubles the text or the list; without limits this would not end.
    let mut text = "{ list_concat: [[a], [a]] }".to_owned();
    let mut words = "a".to_owned();
    for _ in 0..38 {
        text = format!("{{ repeat: {{ template: x, for_each: {{ '%a%': {text}, '%b%': ['1', '2'] }} }} }}");
        words = format!("{{ str_replace: {{ template: aa, params: {{ a: {words} }} }} }}");
    }
    for expression in [text, words] {
        assert_eq!(output("rocky", "", &expression).split(':').next(), Some("unknown"));
    }
}

#[test]
fn a_pattern_in_the_registry_that_stands_for_a_pattern_keeps_the_rest_of_the_name() {
    let of = |registry: &str, kind: &str| {
        let sources = Sources::new();
        let text = format!("heat_template_version: rocky\nresources: {{ a: {{ type: '{kind}' }} }}\n");
        let file = sources.add("t.yaml", text);
        let environment = sources.add("e.yaml", format!("resource_registry: {{ {registry} }}\n"));
        let reading = read(&sources, &file, &Inputs { environments: vec![environment], ..Inputs::default() });
        lines(&reading, &sources, Severity::Error)
    };
    assert_eq!(of("'OS::Networking::*': 'OS::Neutron::*'", "OS::Networking::Net"), "");
    assert!(
        of("'OS::Networking::*': 'OS::Neutron::*'", "OS::Networking::Nett").contains("OS::Neutron::Nett")
    );
    assert_eq!(of("'OS::*': OS::Heat::None", "OS::Heat::None"), "");
}

#[test]
fn functions_that_fail_on_what_is_known_are_reported() {
    let of = |expression: &str| {
        let text = format!(
            "heat_template_version: 2018-08-31\nresources: {{ v: {{ type: OS::Heat::Value, properties: {{ value: {expression} }} }} }}\n"
        );
        let (reading, sources) = of_text(&text, &Inputs::default());
        lines(&reading, &sources, Severity::Error)
    };
    // Heat 27.0.1 was asked about each of these.
    let data = "data: { a: { c: d } }";
    for (wrong, why) in [
        (format!("{{ yaql: {{ expression: $.data.nope, {data} }} }}"), "the data have no key `nope`"),
        (format!("{{ yaql: {{ expression: $.data.a.nope(), {data} }} }}"), "there is no function `nope`"),
        (format!("{{ yaql: {{ expression: nope($.data), {data} }} }}"), "there is no function `nope`"),
        ("{ map_replace: [ { a: 1, b: 2 }, { keys: { a: b } } ] }".to_owned(), "replaces two keys by `b`"),
        (
            "{ map_replace: [ { a: 1, b: 2 }, { keys: { a: c, b: c } } ] }".to_owned(),
            "replaces two keys by `c`",
        ),
        (
            "{ map_replace: [ { a: 1, b: 2 }, { keys: { a: b, b: a } } ] }".to_owned(),
            "replaces two keys by `b`",
        ),
    ] {
        let found = of(&wrong);
        assert!(found.contains("HOT041") && found.contains(why), "{wrong}: {found}");
    }
    for right in [
        format!(
            "{{ yaql: {{ expression: '$.data.a.get(b) or $.data.a.keys().where($ in [x, y])', {data} }} }}"
        ),
        "{ yaql: { expression: '$.data.name', data: { get_attr: [v, show] } } }".to_owned(),
        "{ map_replace: [ { a: 1 }, { keys: { a: a, b: a } } ] }".to_owned(),
        "{ map_replace: [ { a: 1, b: 2 }, { keys: { a: c } } ] }".to_owned(),
    ] {
        assert!(!of(&right).contains("HOT041"), "{right}: {}", of(&right));
    }
}
