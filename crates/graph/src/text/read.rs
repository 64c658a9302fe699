//! From text to graph.

use std::sync::Arc;

use locus_source::json::{self, JsonOptions};
use locus_source::tree::{Node, Tree};
use locus_source::words::{nearest, short};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, Limits, Place, SourceFile, Span, Value as Scalar};
use rustc_hash::FxHashMap;

use crate::model::Attributes;
use crate::rules::{NO_LOCATION_GRAPH, ROLE_REPEATED, UNKNOWN_BOX};
use crate::text::boxes;
use crate::text::fields::Report;
use crate::text::value::Values;
use crate::text::{ANY_NUMBER, VERSION, VERSION_KEY};
use crate::{Alike, BoxId, Certainty, LocationGraph, LocationId, Position, Process, Role, Sort, Value};

/// The result of reading: as much of the graph as can be understood, and the faults of the text.
///
/// Whether the graph obeys the static rules is another question; [`check`](crate::check) answers it.
#[derive(Debug)]
pub struct Reading {
    /// The graph.
    pub graph: LocationGraph,
    /// The faults of the text.
    pub findings: Vec<Finding>,
    /// The comments of the file, which may suppress findings.
    pub comments: Vec<Span>,
}

/// Reads a graph from a file: as JSON if its name ends in `.json`, else as YAML. In linear time.
pub fn read(file: &Arc<SourceFile>, limits: &Limits) -> Reading {
    let parsed = if file.name().to_ascii_lowercase().ends_with(".json") {
        json::parse(file, &JsonOptions { limits: limits.clone(), ..JsonOptions::default() })
    } else {
        yaml::parse(file, &YamlOptions { limits: limits.clone(), ..YamlOptions::default() })
    };
    let mut findings = parsed.findings;
    let mut reading = match parsed.documents.as_slice() {
        [] => {
            // Where the text is broken, the reader has said so.
            if findings.is_empty() {
                let place = file.place(Span::point(0));
                findings.push(no_version(Finding::new(&NO_LOCATION_GRAPH, place, "the file is empty")));
            }
            Reading { graph: LocationGraph::new(), findings: Vec::new(), comments: Vec::new() }
        }
        [first, more @ ..] => {
            let mut reading = read_tree(first);
            if let Some(second) = more.first() {
                let message = "a file holds one location graph, but this has several documents";
                let place = second.root().place();
                let finding = Finding::new(&NO_LOCATION_GRAPH, place, message);
                reading.findings.push(finding.help("use a file for each; only the first is read"));
            }
            reading
        }
    };
    findings.append(&mut reading.findings);
    findings.sort_by_key(|finding| finding.primary.place.span);
    Reading { graph: reading.graph, findings, comments: parsed.comments }
}

/// Whether a document means to be a location graph: whether it has the key that says so.
pub fn is_location_graph(tree: &Tree) -> bool {
    tree.root().get(VERSION_KEY).is_some()
}

/// Reads a graph from a document, which has no comments any more.
pub fn read_tree(tree: &Tree) -> Reading {
    let mut reader = Reader {
        graph: LocationGraph::new(),
        report: Report::default(),
        values: Values::default(),
        boxes_declared: false,
    };
    reader.document(tree.root());
    Reading { graph: reader.graph, findings: reader.report.into_findings(), comments: Vec::new() }
}

fn no_version(finding: Finding) -> Finding {
    finding.help(format!("a location graph starts with `{VERSION_KEY}: {VERSION}`"))
}

struct Reader {
    graph: LocationGraph,
    report: Report,
    values: Values,
    boxes_declared: bool,
}

/// The keys of a document. `bindings` and `unbound` follow from the rest; they are written for other programs and not
/// read.
const DOCUMENT_KEYS: [&str; 5] = [VERSION_KEY, "locations", "boxes", "bindings", "unbound"];
const LOCATION_KEYS: [&str; 8] =
    ["sort", "process", "provides", "requires", "attributes", "only-if", "alike", "within"];
const NAMED_LOCATION_KEYS: [&str; 9] =
    ["name", "sort", "process", "provides", "requires", "attributes", "only-if", "alike", "within"];

impl Reader {
    fn document(&mut self, root: Node<'_>) {
        if !root.is_mapping() {
            let message = format!("a location graph is a mapping, not {}", root.kind_name());
            self.report.add(|| no_version(Finding::new(&NO_LOCATION_GRAPH, root.place(), message)));
            return;
        }
        let Some(version) = root.get_entry(VERSION_KEY) else {
            let place = Place::new(root.place().file, first_line(root));
            let message = "this is not a location graph: it does not say which version of the format it uses";
            self.report.add(|| no_version(Finding::new(&NO_LOCATION_GRAPH, place, message)));
            return;
        };
        if version.value.as_i64() != Some(VERSION) {
            let written = short(version.value.raw());
            let message = if written.is_empty() {
                "the version of the format is missing".to_owned()
            } else {
                format!("`{written}` is not a known version of the format")
            };
            let place = if written.is_empty() { version.key.place() } else { version.value.place() };
            self.report.add(|| no_version(Finding::new(&NO_LOCATION_GRAPH, place, message)));
            return;
        }
        let [_, locations, boxes, _, _] = self.report.fields(root, "a location graph", &DOCUMENT_KEYS);
        if let Some(boxes) = boxes {
            self.boxes(boxes);
        }
        match locations {
            None => self.report.missing(
                version.key,
                "the location graph has no `locations`",
                "for a graph without locations, write `locations: {}`",
            ),
            Some(node) if node.is_null() => {}
            Some(node) if node.is_mapping() => {
                for (name, entry) in self.report.entries(node, "the name of a location") {
                    let id = self.graph.add(name);
                    self.graph.entry_mut(id).place = Some(entry.key.use_place());
                    if let Some(node) = self.mapping(entry.value, "a location") {
                        let fields = self.report.fields(node, "a location", &LOCATION_KEYS);
                        self.location(id, fields);
                    }
                }
            }
            Some(node) if node.is_sequence() => node.items().for_each(|item| self.named_location(item)),
            Some(node) => self.report.wrong_type(node, "`locations`", "a mapping or a list"),
        }
    }

    /// A node that is a mapping, or nothing if it is left out; else says what is wrong.
    fn mapping<'t>(&mut self, node: Node<'t>, what: &str) -> Option<Node<'t>> {
        if !node.is_mapping() && !node.is_null() {
            self.report.wrong_type(node, what, "a mapping");
        }
        node.is_mapping().then_some(node)
    }

    fn named_location(&mut self, item: Node<'_>) {
        if !item.is_mapping() {
            self.report.wrong_type(item, "a location in a list", "a mapping with a `name`");
            return;
        }
        let fields = self.report.fields(item, "a location", &NAMED_LOCATION_KEYS);
        let [name, fields @ ..] = fields;
        let Some(node) = name else {
            self.report.missing(item, "the location has no `name`", "add `name: …`");
            return;
        };
        let Some(name) = self.report.string(node, "the name of a location") else { return };
        let id = self.graph.add(name);
        self.graph.entry_mut(id).place = Some(node.use_place());
        self.location(id, fields);
    }

    /// The values of [`LOCATION_KEYS`].
    fn location(&mut self, id: LocationId, fields: [Option<Node<'_>>; 8]) {
        let [sort, process, provides, requires, attributes, only_if, alike, within] = fields;
        if let Some(node) = sort {
            self.graph.entry_mut(id).sort = Sort(self.value(node));
        }
        if let Some(node) = process {
            self.graph.entry_mut(id).process = Process(self.value(node));
        }
        if let Some(node) = provides {
            self.roles(id, node, Position::Provided);
        }
        if let Some(node) = requires {
            self.roles(id, node, Position::Required);
        }
        if let Some(node) = attributes {
            self.graph.entry_mut(id).attributes = self.attributes(node);
        }
        self.graph.entry_mut(id).certainty = self.certainty(only_if, alike);
        if let Some(node) = within.filter(|node| !node.is_null()) {
            self.within(id, node);
        }
    }

    fn certainty(&mut self, only_if: Option<Node<'_>>, alike: Option<Node<'_>>) -> Certainty {
        let only_if = only_if.filter(|node| !node.is_null());
        let certainty = only_if
            .and_then(|node| self.report.string(node, "`only-if`"))
            .map_or_else(Certainty::default, Certainty::only_if);
        let Some(node) = alike.filter(|node| !node.is_null()) else { return certainty };
        let alike = match node.value() {
            Scalar::Int(count) => u32::try_from(count).ok().map(Alike::Exactly),
            Scalar::Str(ANY_NUMBER) => Some(Alike::AnyNumber),
            _ => None,
        };
        let Some(alike) = alike else {
            self.report.wrong_type(node, "`alike`", "a number from 0 to 4294967295, or `any`");
            return certainty;
        };
        certainty.standing_for(alike)
    }

    fn value(&mut self, node: Node<'_>) -> Value {
        self.values.read(node, self.graph.symbols_mut(), &mut self.report)
    }

    fn attributes(&mut self, node: Node<'_>) -> Attributes {
        let mut attributes = Attributes::default();
        let Some(node) = self.mapping(node, "the `attributes`") else { return attributes };
        for (key, entry) in self.report.entries(node, "the key of an attribute") {
            let value = self.value(entry.value);
            attributes.push(self.values.shared(key), value, Some(entry.key.use_place()));
        }
        attributes
    }

    /// The roles of a location: a list of names, or of mappings with `role` and `attributes`; or a mapping
    /// from names to attributes.
    fn roles(&mut self, id: LocationId, node: Node<'_>, position: Position) {
        let mut seen = FxHashMap::default();
        match node.value() {
            Scalar::Null => {}
            Scalar::Mapping => {
                for (role, entry) in self.report.entries(node, "a role") {
                    let attributes = self.attributes(entry.value);
                    self.role(id, role, entry.key, position, attributes, &mut seen);
                }
            }
            Scalar::Sequence => {
                for item in node.items() {
                    if !item.is_mapping() {
                        let Some(role) = self.report.string(item, "a role") else { continue };
                        self.role(id, role, item, position, Attributes::default(), &mut seen);
                        continue;
                    }
                    let [role, attributes] = self.report.fields(item, "a role", &["role", "attributes"]);
                    let attributes = attributes.map(|node| self.attributes(node)).unwrap_or_default();
                    let Some(named) = role else {
                        self.report.missing(item, "the role has no name", "add `role: …`");
                        continue;
                    };
                    let Some(role) = self.report.string(named, "a role") else { continue };
                    self.role(id, role, named, position, attributes, &mut seen);
                }
            }
            _ => {
                let what = if position == Position::Provided { "`provides`" } else { "`requires`" };
                self.report.wrong_type(node, what, "a list of roles");
            }
        }
    }

    fn role(
        &mut self,
        id: LocationId,
        role: &str,
        node: Node<'_>,
        position: Position,
        attributes: Attributes,
        seen: &mut FxHashMap<Role, Place>,
    ) {
        let port = self.graph.add_port(id, role, position);
        port.place = Some(node.use_place());
        port.attributes = attributes;
        let first = *seen.entry(port.role).or_insert(node.use_place());
        if first != node.use_place() {
            self.report.add(|| {
                let message = format!("role `{}` stands twice in the same list", short(role));
                let finding = Finding::new(&ROLE_REPEATED, node.use_place(), message).label("again here");
                finding.also(first, "first here").help("remove one, or correct it")
            });
        }
    }

    fn boxes(&mut self, node: Node<'_>) {
        let Some(node) = self.mapping(node, "`boxes`") else { return };
        self.boxes_declared = true;
        let entries = self.report.entries(node, "the name of a box");
        for (name, entry) in &entries {
            let id = self.graph.add_box(name);
            self.graph.set_box_place(id, entry.key.use_place());
        }
        let mut nesting = Vec::new();
        for (name, entry) in entries {
            let Some(node) = self.mapping(entry.value, "a box") else { continue };
            let [within] = self.report.fields(node, "a box", &["within"]);
            let Some(node) = within.filter(|node| !node.is_null()) else { continue };
            if let Some(outer) = self.used_box(node) {
                nesting.push((self.graph.add_box(name), outer, node.use_place()));
            }
        }
        boxes::nest(&mut self.graph, nesting, &mut self.report);
    }

    fn within(&mut self, id: LocationId, node: Node<'_>) {
        if let Some(within) = self.used_box(node) {
            self.graph.entry_mut(id).within = Some(within);
        }
    }

    /// The box that is meant; if boxes are declared, it must be one of them.
    fn used_box(&mut self, node: Node<'_>) -> Option<BoxId> {
        let name = self.report.string(node, "the name of a box")?;
        let found = self.graph.find_box(name);
        if found.is_some() || !self.boxes_declared {
            return found.or_else(|| Some(self.graph.add_box(name)));
        }
        let graph = &self.graph;
        self.report.add(|| {
            let message = format!("there is no box `{}` among those declared", short(name));
            let finding = Finding::new(&UNKNOWN_BOX, node.use_place(), message);
            match nearest(name, graph.boxes().take(1000).map(|id| (graph.box_name(id), graph.box_name(id)))) {
                Some(near) => finding.help(format!("did you mean `{}`?", short(near))),
                None => finding.help("declare it under `boxes`"),
            }
        });
        None
    }
}

/// The range of a mapping's first key: enough to show where a document starts.
fn first_line(root: Node<'_>) -> Span {
    root.entries().next().map_or(root.span(), |entry| entry.key.span())
}
