//! The contents of files that a template names by `get_file` are used, and not shown on any way out.

use std::fmt::Write as _;

use locus_hot::{Inputs, check, meaning, read};
use locus_meaning::Relationships;
use locus_source::{LoadError, Loader, SourceFile, Sources};

const SECRET: &str = "hunter2-Zx";

/// Every file contains the secret; the name says in which form.
struct Secrets;

impl Loader for Secrets {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let text = match path {
            "list" => format!("{SECRET},{SECRET}"),
            "cidr" => format!("10.0.0.0/{SECRET}"),
            "yaql" => format!("$.{SECRET} ) ("),
            _ => SECRET.to_owned(),
        };
        Ok((path.to_owned(), text.into_bytes()))
    }
}

/// Everything that is said of a template with one resource, and its location graph.
fn said(kind: &str, properties: &str) -> (String, usize) {
    let sources = Sources::new();
    let text = format!(
        "heat_template_version: 2018-08-31\nresources:\n  it:\n    type: {kind}\n    properties: {properties}\n"
    );
    let file = sources.add("stack.yaml", text);
    let reading = read(&sources, &file, &Inputs { loader: Some(&Secrets), ..Inputs::default() });
    let template = reading.template.as_ref().expect("it is a template");
    let checked = check(template);
    let graph = locus_graph::text::write_json(&meaning(template).graph(Relationships::default()));
    let mut said = format!("{checked:?} {graph} {template:?}");
    for finding in reading.findings.iter().chain(&checked.findings).chain(&checked.unsettled) {
        let _ = write!(said, "{finding:?}");
        // A place in the file would be shown with its line.
        for label in std::iter::once(&finding.primary).chain(&finding.secondary) {
            let file = sources.get(label.place.file);
            let line = file.line_span(sources.start(label.place).line);
            said += line.map_or("", |line| file.slice(line));
        }
    }
    (said, reading.findings.len())
}

/// Each way from the contents of a file to a message: the type of the resource, its properties, and how many findings
/// there are at least.
const ROUTES: &[(&str, &str, usize)] = &[
    // A value of another type, one that a constraint forbids, and one that is no address.
    ("OS::Cinder::Volume", "{ size: { get_file: f } }", 1),
    ("OS::Neutron::Subnet", "{ network: n, ip_version: { get_file: f } }", 1),
    ("OS::Neutron::Subnet", "{ network: n, cidr: { get_file: cidr } }", 1),
    ("OS::Neutron::Net", "{ admin_state_up: { get_file: f } }", 1),
    // Through functions, alone and in lists and maps.
    ("OS::Cinder::Volume", "{ size: { list_join: ['-', [{ get_file: f }, a]] } }", 1),
    ("OS::Cinder::Volume", "{ size: { str_split: [',', { get_file: list }, 0] } }", 1),
    ("OS::Cinder::Volume", "{ size: { str_replace: { template: { get_file: f }, params: { x: y } } } }", 1),
    (
        "OS::Neutron::Subnet",
        "{ network: n, cidr: c, dns_nameservers: { str_split: [',', { get_file: list }] } }",
        1,
    ),
    (
        "OS::Neutron::Port",
        "{ network: n, fixed_ips: [{ repeat: { for_each: { k: [{ get_file: f }] }, template: { k: 1 } } }] }",
        1,
    ),
    (
        "OS::Neutron::Port",
        "{ network: n, fixed_ips: { repeat: { for_each: { k: [{ get_file: f }] }, template: { k: 1 } } } }",
        1,
    ),
    // What functions say of their arguments.
    ("OS::Nova::KeyPair", "{ name: { yaql: { expression: { get_file: yaql }, data: {} } } }", 1),
    ("OS::Nova::KeyPair", "{ name: { digest: [{ get_file: f }, x] } }", 1),
    (
        "OS::Nova::KeyPair",
        "{ name: { str_replace_strict: { template: x, params: { { get_file: f } : y } } } }",
        0,
    ),
    ("OS::Nova::KeyPair", "{ name: { make_url: { scheme: http, port: { get_file: f } } } }", 0),
    // As the name of something.
    ("OS::Nova::KeyPair", "{ name: { get_param: { get_file: f } } }", 0),
    ("OS::Nova::KeyPair", "{ name: { get_resource: { get_file: f } } }", 0),
    ("OS::Nova::KeyPair", "{ name: { get_attr: [{ get_file: f }, name] } }", 0),
    ("OS::Nova::KeyPair", "{ name: { get_attr: [it, { get_file: f }] } }", 0),
    ("OS::Nova::KeyPair", "{ name: { get_file: { get_file: f } } }", 0),
    (
        "OS::Nova::Server",
        "{ image: { get_file: f }, flavor: { get_file: f }, networks: [{ network: { get_file: f } }] }",
        0,
    ),
    ("OS::Heat::ResourceGroup", "{ resource_def: { type: { get_file: f } } }", 0),
    (
        "OS::Heat::ResourceGroup",
        "{ count: 2, resource_def: { type: OS::Cinder::Volume, properties: { size: { get_file: f } } } }",
        0,
    ),
    // In the graph and in what rules say.
    (
        "OS::Neutron::SecurityGroup",
        "{ name: { get_file: f }, rules: [{ protocol: { get_file: f }, port_range_min: 1 }] }",
        0,
    ),
];

#[test]
fn contents_of_files_are_not_shown() {
    for (kind, properties, least) in ROUTES {
        let (said, findings) = said(kind, properties);
        assert!(!said.contains("hunter2"), "{kind} {properties}: {said}");
        assert!(findings >= *least, "{kind} {properties}: {said}");
    }
}

#[test]
fn what_is_wrong_names_the_file() {
    let (said, _) = said("OS::Cinder::Volume", "{ size: { get_file: secrets.txt } }");
    assert!(said.contains("made of the contents of `secrets.txt`"), "{said}");
}
