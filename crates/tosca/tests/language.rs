//! TOSCA as the command sees it: recognition, archives, unknown values, the graph, what the rules say.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use locus_language::options::{LIBRARY, Values};
use locus_language::{Document, Effort, Language, NoGraph, Options, Request};
use locus_source::{Limits, LoadError, Loader, NoFiles, SourceFile, Sources};
use locus_tosca::{RELATIONSHIPS, Tosca};

const SERVICE: &str = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
    cpus: { type: integer }
  node_templates:
    machine:
      type: tosca.nodes.Compute
      capabilities:
        host:
          properties: { num_cpus: { get_input: cpus }, mem_size: 4 GB }
    server:
      type: tosca.nodes.WebServer
      requirements: [ host: machine ]
    application:
      type: tosca.nodes.WebApplication
      requirements: [ host: server ]
  groups:
    all: { type: tosca.groups.Root, members: [ machine ] }
  outputs:
    where: { value: { get_attribute: [ machine, private_address ] } }
";

fn with_document<T>(sources: &Sources, bytes: Vec<u8>, see: impl Fn(&dyn Document, &Request<'_>) -> T) -> T {
    let file = sources.add_bytes("service.csar", Tosca.decode(bytes), &Limits::default()).unwrap();
    let loader: Arc<dyn Loader> = Arc::new(NoFiles);
    with_file(sources, &file, &loader, see)
}

fn with_file<T>(
    sources: &Sources,
    file: &Arc<SourceFile>,
    loader: &Arc<dyn Loader>,
    see: impl Fn(&dyn Document, &Request<'_>) -> T,
) -> T {
    let limits = Limits::default();
    let effort = Effort { timeout: None, workers: 1, stop: None };
    let request = Request {
        sources,
        limits: &limits,
        loader,
        options: &Options::default(),
        own_rules: &[],
        effort: &effort,
    };
    see(&*Tosca.read(file, &request), &request)
}

#[test]
fn a_service_is_read_drawn_and_judged() {
    assert!(Tosca.recognise(SERVICE).is_ok());
    assert!(Tosca.recognise("heat_template_version: rocky").is_err());
    let sources = Sources::new();
    with_document(&sources, SERVICE.into(), |document, request| {
        let codes: Vec<_> = document.findings().iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["TSC040"], "an input has no value, and nothing else is worth a word");
        assert_eq!(document.summary(), "3 node templates, 2 relationships");
        let unknowns: Vec<_> = document.unknowns().into_iter().map(|unknown| unknown.why).collect();
        assert_eq!(
            unknowns,
            ["the input `cpus` has no value", "`private_address` is known only when it is deployed"]
        );
        let graph = document.graph().unwrap();
        assert_eq!((graph.len(), graph.bindings().len()), (3, 2));
        let within = |name: &str| {
            let entry = graph.iter().find(|(id, _)| graph.name_of(*id) == name).unwrap().1;
            entry.within.map(|around| graph.box_name(around).to_owned())
        };
        assert_eq!(within("server").as_deref(), Some("on machine"));
        assert_eq!(within("application").as_deref(), Some("on server"));
        assert_eq!(within("machine").as_deref(), Some("group all"));
        let inner = graph.find_box("on server").unwrap();
        assert_eq!(graph.box_within(inner), graph.find_box("on machine"));
        assert_eq!(document.judge(request).findings, []);
    });
}

/// The texts for messages are short and have quotes escaped; those that things are looked up by are not.
#[test]
fn keys_are_looked_up_as_they_are() {
    let long = "a_name_that_is_longer_than_what_fits_on_one_line_of_a_message_by_far";
    let service = format!(
        "tosca_definitions_version: tosca_simple_yaml_1_3
data_types:
  Long: {{ properties: {{ {long}: {{ type: string }} }} }}
node_types:
  Own:
    derived_from: tosca.nodes.Root
    properties:
      long: {{ type: Long }}
      map: {{ type: map, entry_schema: {{ type: integer }} }}
      text: {{ type: string, constraints: [ {{ max_length: 3 }} ] }}
      number: {{ type: integer, constraints: [ {{ less_than: 5 }} ] }}
      joined: {{ type: string, constraints: [ {{ min_length: 100 }} ] }}
topology_template:
  node_templates:
    own:
      type: Own
      properties:
        long: {{ {long}: text }}
        map: {{ \"it's \\\"here\\\"\": 7 }}
        text: {{ get_property: [ SELF, long, {long} ] }}
        number: {{ get_property: [ SELF, map, \"it's \\\"here\\\"\" ] }}
        joined: {{ concat: [ 1.0e+300 ] }}
"
    );
    let sources = Sources::new();
    with_document(&sources, service.into_bytes(), |document, _| {
        let messages: Vec<_> = document.findings().iter().map(|finding| finding.message.as_str()).collect();
        assert_eq!(messages.len(), 2, "{messages:?}");
        assert!(messages[0].contains("text") && messages[1].contains('7'), "{messages:?}");
        assert!(document.unknowns().is_empty(), "all is known");
    });
}

#[test]
fn a_damaged_archive_is_refused_with_the_reason() {
    let sources = Sources::new();
    with_document(&sources, b"PK\x03\x04 and nothing more that an archive has".to_vec(), |document, _| {
        let finding = &document.findings()[0];
        assert_eq!(finding.code.as_str(), "TSC064");
        assert_eq!(finding.message, "the archive has no directory; it may be cut off");
    });
}

const CANDIDATES: &str = "tosca_definitions_version: tosca_2_0
capability_types: { Host: { properties: { cpus: { type: integer } } } }
relationship_types: { On: {} }
node_types:
  Machine: { capabilities: { host: { type: Host } } }
  Program: { requirements: [ host: { capability: Host, relationship: On } ] }
service_template:
  node_templates:
    small: { type: Machine, capabilities: { host: { properties: { cpus: 1 } } } }
    large: { type: Machine, capabilities: { host: { properties: { cpus: 8 } } } }
    program:
      type: Program
      requirements:
      - host:
          node_filter: { $greater_or_equal: [ { $get_property: [ SELF, CAPABILITY, cpus ] }, NEEDED ] }
";

#[test]
fn a_filter_chooses_among_candidates() {
    for (needed, codes) in [("1", vec!["TSC048"]), ("4", vec![]), ("16", vec!["TSC047"])] {
        let sources = Sources::new();
        with_document(&sources, CANDIDATES.replace("NEEDED", needed).into(), |document, _| {
            let found: Vec<_> = document.findings().iter().map(|finding| finding.code.as_str()).collect();
            assert_eq!(found, codes, "{needed}");
            let bound = document.graph().unwrap().bindings().len();
            assert_eq!(bound, usize::from(needed == "4"), "{needed}");
        });
    }
}

/// An archive with a node that is to be substituted, and a template that substitutes a type.
fn with_substitute(node_type: &str, filter: &str) -> Vec<u8> {
    let types = "tosca_definitions_version: tosca_2_0
node_types:
  Queue: { properties: { size: { type: scalar-unit.size, default: 20 GB }, name: { type: string, required: false } } }
  Fast: { derived_from: Queue }
  Other: {}
  Part: {}
";
    let main = "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template: { node_templates: { queue: { type: Queue, directives: [ substitute ] } } }
";
    let other = format!(
        "tosca_definitions_version: tosca_2_0
imports: [ types.yaml ]
service_template:
  substitution_mappings: {{ node_type: {node_type}{filter} }}
  node_templates: {{ one: {{ type: Part }}, two: {{ type: Part }} }}
"
    );
    let meta =
        "CSAR-Version: 2.0\nCreated-By: us\nEntry-Definitions: main.yaml\nOther-Definitions: other.yaml\n";
    let mut text = "# TOSCA archive, unpacked\n".to_owned();
    for (path, content) in
        [("TOSCA.meta", meta), ("main.yaml", main), ("other.yaml", &other), ("types.yaml", types)]
    {
        write!(text, "{} {path}\n{content}\n", content.len()).unwrap();
    }
    text.into_bytes()
}

#[test]
fn a_template_of_the_archive_takes_the_place_of_a_node() {
    for (node_type, codes, locations) in
        [("Queue", vec![], 3), ("Fast", vec![], 3), ("Other", vec!["TSC067"], 1)]
    {
        let sources = Sources::new();
        with_document(&sources, with_substitute(node_type, ""), |document, _| {
            let found: Vec<_> = document.findings().iter().map(|finding| finding.code.as_str()).collect();
            assert_eq!(found, codes, "{node_type}");
            let graph = document.graph().unwrap();
            assert_eq!(graph.len(), locations, "{node_type}");
            assert_eq!(graph.find_box("in place of queue").is_some(), locations == 3, "{node_type}");
        });
    }
}

#[test]
fn a_filter_decides_which_template_takes_the_place_of_a_node() {
    let holds = |property: &str, least: &str| {
        format!(
            ", substitution_filter: {{ $greater_than: [ {{ $get_property: [ SELF, {property} ] }}, {least} ] }}"
        )
    };
    // The second compares by unit and not by text; the third cannot be told, as the name has no value.
    for (filter, codes, locations) in [
        (holds("size", "2 GB"), vec![], 3),
        (holds("size", "3000 MB"), vec![], 3),
        (holds("name", "abc"), vec![], 1),
        (holds("size", "40 GB"), vec!["TSC067"], 1),
    ] {
        let sources = Sources::new();
        with_document(&sources, with_substitute("Queue", &filter), |document, _| {
            let found: Vec<_> = document.findings().iter().map(|finding| finding.code.as_str()).collect();
            assert_eq!(found, codes, "{filter}");
            assert_eq!(document.graph().unwrap().len(), locations, "{filter}");
        });
    }
}

/// A folder with a profile in a file whose name says nothing.
struct Shelf;

impl Loader for Shelf {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let text =
            "tosca_definitions_version: tosca_2_0\nprofile: com.example:1\nnode_types: { Machine: {} }\n";
        (path == "/shelf/any.yaml").then(|| (path.to_owned(), text.into())).ok_or(LoadError::Missing)
    }

    fn list(&self, _: &SourceFile, folder: &str) -> Vec<String> {
        if folder == "/shelf" { vec!["any.txt".to_owned(), "any.yaml".to_owned()] } else { Vec::new() }
    }
}

#[test]
fn a_profile_is_found_by_what_its_file_says_from_archives_too() {
    let main = "tosca_definitions_version: tosca_2_0
imports: [ { profile: com.example:1 } ]
service_template: { node_templates: { machine: { type: Machine } } }
";
    let archive = format!("# TOSCA archive, unpacked\n{} main.yaml\n{main}\n", main.len());
    // A profile that the archive has itself, in a file of any name.
    let with = |name: &str| {
        let profile =
            "tosca_definitions_version: tosca_2_0\nprofile: com.example:1\nnode_types: { Machine: {} }\n";
        let meta = "CSAR-Version: 2.0\nCreated-By: test\nEntry-Definitions: main.yaml\n";
        let files = [("TOSCA.meta", meta), (name, profile), ("main.yaml", main)];
        let file = |(name, text): (&str, &str)| format!("{} {name}\n{text}\n", text.len());
        format!("# TOSCA archive, unpacked\n{}", files.map(file).concat())
    };
    let limits = Limits::default();
    let loader: Arc<dyn Loader> = Arc::new(Shelf);
    let effort = Effort { timeout: None, workers: 1, stop: None };
    for (text, shelf, codes) in [
        (main, "/shelf", vec![]),
        (&archive, "/shelf", vec![]),
        (main, "/other", vec!["TSC016"]),
        (&archive, "/other", vec!["TSC016"]),
        (&with("com.example"), "/other", vec![]),
        (&with("types/any.yaml"), "/other", vec![]),
        (&with("any.txt"), "/other", vec!["TSC016"]),
    ] {
        let sources = Sources::new();
        let file = sources.add_bytes("service.csar", text.into(), &limits).unwrap();
        let options = Options::default()
            .with(LIBRARY, Values::Texts(vec![shelf.to_owned()]))
            .with(RELATIONSHIPS, Values::Flag);
        let request = Request {
            sources: &sources,
            limits: &limits,
            loader: &loader,
            options: &options,
            own_rules: &[],
            effort: &effort,
        };
        let document = Tosca.read(&file, &request);
        let mut found: Vec<_> = document.findings().iter().map(|finding| finding.code.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, codes, "{shelf}: {text}");
    }
}

#[test]
fn relationships_can_be_locations() {
    let sources = Sources::new();
    with_document(&sources, SERVICE.into(), |_, request| {
        let file = request.sources.find("service.csar").unwrap();
        let options = Options::default().with(RELATIONSHIPS, Values::Flag);
        let document = Tosca.read(&file, &Request { options: &options, ..*request });
        let graph = document.graph().unwrap();
        // Each of the two relationships is a location with a binding on either side.
        assert_eq!((graph.len(), graph.bindings().len()), (5, 4));
        let hosting = graph.iter().find(|(id, _)| graph.name_of(*id) == "server host machine").unwrap().1;
        assert_eq!(hosting.sort, locus_graph::Sort::named("tosca.relationships.HostedOn"));
    });
}

#[test]
fn what_is_certain_is_said_beside_unknown_values() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: { first: { type: string } }
  node_templates:
    machine: { type: tosca.nodes.Compute }
    network: { type: tosca.nodes.network.Network, properties: { start_ip: 10.0.0.9, end_ip: 10.0.0.2 } }
    port:
      type: tosca.nodes.network.Port
      properties: { ip_range_start: { get_input: first }, ip_range_end: 10.0.0.5 }
      requirements: [ link: network, binding: machine ]
";
    let sources = Sources::new();
    with_document(&sources, text.into(), |document, request| {
        let found = document.judge(request).findings;
        let codes: Vec<_> = found.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, ["TSC106"]);
    });
}

/// Two files that import each other, named by the way that led to them, as the command names them; `link` leads to `a`.
struct Beside {
    on_disk: bool,
}

impl Loader for Beside {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let folder = from.name().rsplit_once('/').map_or("", |(folder, _)| folder);
        let name = if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
        let (own, other) = if name.ends_with("b/types.yaml") { ("B", "link") } else { ("A", "b") };
        let other = if self.on_disk || own == "A" { other } else { "a" };
        let text = format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [ ../{other}/types.yaml ]\n\
             node_types: {{ From{own}: {{ derived_from: tosca.nodes.Root }} }}\n"
        );
        if name.len() > 200 { Err(LoadError::Missing) } else { Ok((name, text.into())) }
    }

    fn folder(&self, of: &SourceFile) -> Option<String> {
        let folder = of.name().rsplit_once('/').map_or("", |(folder, _)| folder);
        self.on_disk.then(|| format!("/project/{folder}").trim_end_matches('/').to_owned())
    }

    fn follow(&self, path: &str) -> String {
        path.replacen("/link", "/a", 1)
    }
}

#[test]
fn files_that_import_each_other_are_read_once() {
    for on_disk in [false, true] {
        let text = "tosca_definitions_version: tosca_simple_yaml_1_3\nimports: [ a/types.yaml ]\n\
                    topology_template: { node_templates: { x: { type: FromA }, y: { type: FromB } } }\n";
        let sources = Sources::new();
        let file = sources.add("service.yaml", text);
        let loader: Arc<dyn Loader> = Arc::new(Beside { on_disk });
        let found = with_file(&sources, &file, &loader, |document, _| {
            document.findings().iter().map(|one| one.message.clone()).collect::<Vec<_>>()
        });
        assert_eq!(found, Vec::<String>::new(), "on disk: {on_disk}");
    }
}

/// Section 6.3 of the Simple Profile 1.3.
#[test]
fn the_file_of_an_archive_without_meta_says_what_the_archive_is() {
    let service = |metadata: &str| {
        format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3\n{metadata}topology_template: {{ node_templates: {{}} }}\n"
        )
    };
    let archive = |files: &[(&str, &str)]| {
        let file = |(name, text): &(&str, &str)| format!("{} {name}\n{text}\n", text.len());
        format!("# TOSCA archive, unpacked\n{}", files.iter().map(file).collect::<String>())
    };
    let unnamed = service("");
    let half = service("metadata: { template_name: shop }\n");
    let named = service("metadata: { template_name: shop, template_version: 1.0 }\n");
    let newer = "tosca_definitions_version: tosca_2_0\nservice_template: { node_templates: {} }\n";
    let meta =
        "TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nCreated-By: us\nEntry-Definitions: main.yaml\n";
    for (files, codes) in [
        (vec![("main.yaml", unnamed.as_str())], vec!["TSC074"]),
        (vec![("main.yaml", &half)], vec!["TSC074"]),
        (vec![("main.yaml", &named)], vec![]),
        (vec![("main.yaml", newer)], vec![]),
        (vec![("TOSCA-Metadata/TOSCA.meta", meta), ("main.yaml", &unnamed)], vec![]),
    ] {
        let sources = Sources::new();
        with_document(&sources, archive(&files).into(), |document, _| {
            let found: Vec<_> = document.findings().iter().map(|finding| finding.code.as_str()).collect();
            assert_eq!(found, codes, "{files:?}");
        });
    }
}

/// A tarball as GNU tar or pax writes it: what is behind a path of more than 100 bytes stands in an entry of its own.
fn tarball(kind: u8, path: &str, content: &str) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    if kind == b'x' {
        builder.append_pax_extensions([("path", path.as_bytes())]).unwrap();
        header = tar::Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_path("short").unwrap();
        header.set_cksum();
        builder.append(&header, content.as_bytes()).unwrap();
    } else {
        builder.append_data(&mut header, path, content.as_bytes()).unwrap();
    }
    let types = "tosca_definitions_version: tosca_2_0\nnode_types: { A: {} }\n";
    let path = format!("{}/types.yaml", "folder/".repeat(20).trim_end_matches('/'));
    let mut header = tar::Header::new_gnu();
    header.set_size(types.len() as u64);
    builder.append_data(&mut header, path, types.as_bytes()).unwrap();
    builder.into_inner().unwrap()
}

#[test]
fn tarballs_with_long_paths_are_read() {
    let folder = "folder/".repeat(20);
    let service = format!(
        "tosca_definitions_version: tosca_2_0\nimports: [ {folder}types.yaml ]\nservice_template: {{ node_templates: {{ a: {{ type: A }} }} }}\n"
    );
    for (kind, path) in [(b'L', "service.yaml"), (b'x', "service.yaml")] {
        let sources = Sources::new();
        let bytes = tarball(kind, path, &service);
        assert!(
            bytes.windows(folder.len()).any(|part| part == folder.as_bytes()),
            "no header has room for it"
        );
        with_document(&sources, bytes.clone(), |document, _| {
            assert_eq!(document.findings(), [], "{}", char::from(kind));
            assert_eq!(document.graph().unwrap().len(), 1);
        });
        // Each beginning of it is refused, or has nothing behind it that is missing.
        for end in (512..bytes.len() - 1024).step_by(256) {
            with_document(&sources, bytes[..end].to_vec(), |document, _| {
                assert_eq!(document.findings()[0].code.as_str(), "TSC064", "{end} of {}", bytes.len());
            });
        }
    }
}

const COUNTED: &str = "tosca_definitions_version: tosca_2_0
node_types: { A: {} }
service_template: { node_templates: { a: { type: A, count: COUNT }, OTHER: { type: A } } }
";

/// One number for the check, the picture and the plan.
#[test]
fn a_template_stands_for_as_many_nodes_everywhere() {
    for (count, expected) in
        [("0", Some(0)), ("1", Some(1)), ("65", Some(65)), ("1000", Some(1000)), ("1001", None)]
    {
        let sources = Sources::new();
        let text = COUNTED.replace("COUNT", count).replace("OTHER", "b");
        with_document(&sources, text.into(), |document, request| {
            let drawn = document.graph().map(|graph| graph.len() - 1).ok();
            let planned = document.things(request).map(|things| things.len() - 1).ok();
            let judged = document.judge(request).unanswered.is_empty();
            assert_eq!((drawn, planned, judged), (expected, expected, expected.is_some()), "{count}");
            if let Err(NoGraph::NotBuildable(why)) = document.graph() {
                assert_eq!(why, "`a` stands for 1001 nodes, and Locus looks at 1000 of a template");
            }
        });
    }
}

/// Their keys tell them apart; people cannot.
#[test]
fn nodes_whose_names_meet_are_planned_and_warned_of() {
    for (name, meets) in [("\"a[0]\"", true), ("\"a[1]\"", true), ("\"a[2]\"", false), ("\"a[01]\"", false)] {
        let sources = Sources::new();
        let text = COUNTED.replace("COUNT", "2").replace("OTHER", name);
        with_document(&sources, text.into(), |document, request| {
            assert_eq!(document.findings().iter().any(|one| one.code.as_str() == "TSC084"), meets, "{name}");
            let things = document.things(request).unwrap();
            let keys: BTreeSet<_> = things.iter().map(|thing| &thing.key).collect();
            assert_eq!((things.len(), keys.len()), (3, 3), "{name}");
            assert_eq!(document.graph().unwrap().len(), 3, "{name}");
        });
    }
}

/// Files by their names.
struct Named(Vec<(&'static str, String)>);

impl Loader for Named {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let found = self.0.iter().find(|(name, _)| *name == path).ok_or(LoadError::Missing)?;
        Ok((path.to_owned(), found.1.clone().into_bytes()))
    }
}

#[test]
fn a_type_that_two_imports_define_differently_is_found() {
    let types = |kind: &str| {
        format!(
            "tosca_definitions_version: tosca_2_0\nnode_types: {{ T: {{ description: {kind}, properties: {{ p: {{ type: KIND }} }} }} }}\n"
        )
    };
    let string = types("one").replace("KIND", "string");
    let again = types("the same").replace("KIND", "string");
    let integer = types("another").replace("KIND", "integer");
    let imports = "imports: [ a.yaml, b.yaml ]";
    let apart = "imports: [ a.yaml, { url: b.yaml, namespace: n } ]";
    for (imports, other, expected) in
        [(imports, &integer, vec!["TSC018"]), (imports, &again, vec![]), (apart, &integer, vec![])]
    {
        let sources = Sources::new();
        let loader: Arc<dyn Loader> =
            Arc::new(Named(vec![("a.yaml", string.clone()), ("b.yaml", other.clone())]));
        let main = format!("tosca_definitions_version: tosca_2_0\n{imports}\n");
        let file = sources.add("main.yaml", main);
        with_file(&sources, &file, &loader, |document, _| {
            let found: Vec<_> = document.findings().iter().map(|one| one.code.as_str()).collect();
            assert_eq!(found, expected, "{imports} {other}");
        });
    }
}

/// Files that are read with the same sources share the types that come with Locus; findings about others lead to
/// theirs.
#[test]
fn the_types_of_the_house_are_read_once_for_all_files() {
    // No other test here reads this version, so that none comes between.
    let wrong = SERVICE.replace("{ get_input: cpus }", "0").replace("yaml_1_3", "yaml_1_0");
    let read = |sources: &Sources| {
        let file = sources.add("service.yaml", wrong.as_str());
        let loader: Arc<dyn Loader> = Arc::new(NoFiles);
        with_file(sources, &file, &loader, |document, _| {
            let places =
                document.findings().iter().flat_map(|one| one.secondary.iter().map(|also| also.place));
            let shown: Vec<String> = places.map(|place| sources.describe(place)).collect();
            (document.findings().len(), shown)
        })
    };
    let (sources, others) = (Sources::new(), Sources::new());
    others.add("first", "so that files have other numbers here");
    let house = |sources: &Sources| sources.names().iter().filter(|name| name.starts_with('<')).count();
    let first = read(&sources);
    assert!(!first.1.is_empty());
    // They are read anew where other sources came between.
    for (sources, times) in [(&sources, 1), (&others, 1), (&others, 1), (&sources, 2)] {
        assert_eq!(read(sources), first);
        assert_eq!(house(sources), times);
    }
}

/// All that is said of a file, by its reader and by the rules.
fn said(text: &str) -> Vec<String> {
    let sources = Sources::new();
    let file = sources.add("service.yaml", text);
    let loader: Arc<dyn Loader> = Arc::new(NoFiles);
    with_file(&sources, &file, &loader, |document, request| {
        let judged = document.judge(request).findings;
        let all = document.findings().iter().chain(&judged);
        all.map(|one| format!("{}: {}", one.code.as_str(), one.message)).collect()
    })
}

#[test]
fn clauses_that_exclude_each_other_are_said_once_and_as_they_are_written() {
    let text = "tosca_definitions_version: tosca_2_0
data_types:
  T:
    derived_from: integer
    validation: { $and: [ { $greater_than: [ $value, 5 ] }, { $less_than: [ $value, 3 ] } ] }
";
    assert_eq!(
        said(text),
        ["TSC078: no value satisfies both `$less_than: [$value, 3]` and `$greater_than: [$value, 5]`"]
    );
}

#[test]
fn database_servers_on_one_machine_have_ports_of_their_own() {
    let servers = |one: &str, other: &str| {
        said(&format!(
            "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    machine: {{ type: tosca.nodes.Compute }}
    one: {{ type: tosca.nodes.DBMS, properties: {{ port: {one} }}, requirements: [ host: machine ] }}
    other: {{ type: tosca.nodes.DBMS, properties: {{ port: {other} }}, requirements: [ host: machine ] }}
    database: {{ type: tosca.nodes.Database, properties: {{ name: shop, port: {one} }}, requirements: [ host: one ] }}
"
        ))
    };
    assert_eq!(
        servers("3306", "3306"),
        ["TSC115: `port of one` and `port of other` both have the port `3306` of `machine`"]
    );
    assert_eq!(servers("3306", "3307"), Vec::<String>::new());
    assert_eq!(
        servers("3306", "{ get_property: [ one, port ] }"),
        ["TSC115: `port of one` and `port of other` both have the port `3306` of `machine`"]
    );
}

#[test]
fn disks_at_one_place_are_named() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    machine:
      type: tosca.nodes.Compute
      requirements:
        - local_storage:
            node: one
            relationship: { type: tosca.relationships.AttachesTo, properties: { location: /data } }
        - local_storage:
            node: other
            relationship: { type: tosca.relationships.AttachesTo, properties: { location: /data/ } }
    one: { type: tosca.nodes.Storage.BlockStorage, properties: { name: one, size: 1 GB } }
    other: { type: tosca.nodes.Storage.BlockStorage, properties: { name: other, size: 1 GB } }
";
    assert_eq!(said(text), ["TSC116: `one` and `other` are both attached at `/data` of `machine`"]);
}

#[test]
fn a_value_in_brackets_may_follow_its_colon() {
    let text = "tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates: { n: { type: tosca.nodes.Compute } }
  outputs: { one: { value: {get_attribute:[n, gone]} }, other: { value: {get_attribute:[n, private_address]} } }
";
    let found = said(text);
    let warning =
        "YML001: a value in brackets follows this colon without a blank, which few readers of YAML allow";
    assert_eq!(found.iter().filter(|one| *one == warning).count(), 2, "{found:?}");
    assert_eq!(found.iter().filter(|one| one.starts_with("TSC038")).count(), 1, "{found:?}");
    assert_eq!(found.len(), 3, "{found:?}");
}
