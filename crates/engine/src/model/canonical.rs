//! Specifications of this repository as graphs, with values in a canonical form.

use std::collections::BTreeSet;
use std::path::Path;

use locus_source::{Severity, Sources};
use locus_tla::check::{CheckOptions, check};
use locus_tla::config::{Model, parse};
use locus_tla::semantic::{NoModules, Specification};

/// A state graph in a canonical form: the states, the initial ones, and the steps that change something.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) states: BTreeSet<String>,
    pub(super) initial: BTreeSet<String>,
    pub(super) steps: BTreeSet<(String, String)>,
}

/// Says where two graphs differ, instead of printing both.
pub(super) fn assert_same(code: &Graph, specification: &Graph) {
    let only = |left: &Graph, right: &Graph| -> Vec<String> {
        let states = left.states.difference(&right.states).map(|state| format!("state {state}"));
        let steps = left.steps.difference(&right.steps).map(|(from, to)| format!("step {from}\n  to {to}"));
        states.chain(steps).take(3).collect()
    };
    assert_eq!(only(code, specification), Vec::<String>::new(), "only in the code");
    assert_eq!(only(specification, code), Vec::<String>::new(), "only in the specification");
    assert_eq!(code.initial, specification.initial);
}

/// The graph of a specification. Variables are written as a record.
pub(super) fn of_specification(path: &str, config: &str) -> Graph {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let sources = Sources::new();
    let file = sources.add(path, std::fs::read_to_string(root.join(path)).unwrap());
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let mut specification = loaded.specification.unwrap_or_else(|| panic!("{:?}", loaded.findings));
    let file = sources.add("Spec.cfg", config);
    let tree = parse(file.id(), file.text()).tree.expect("a configuration");
    let (model, findings) = Model::resolve(&tree, &mut specification, &sources, file.id());
    assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{findings:?}");
    let options = CheckOptions { graph: Some(3_000_000), ..CheckOptions::default() };
    let graph = check(&sources, &specification, &model, &options).graph.expect("asked for").expect("small");
    let text = |values: &[(String, String)]| {
        let fields: Vec<String> = values.iter().map(|(name, value)| format!("{name} |-> {value}")).collect();
        canonical(&format!("[{}]", fields.join(", ")))
    };
    let texts: Vec<String> = graph.states.iter().map(|state| text(&state.values)).collect();
    let initial = texts.iter().zip(&graph.states).filter(|(_, state)| state.initial);
    Graph {
        initial: initial.map(|(text, _)| text.clone()).collect(),
        steps: graph
            .steps
            .iter()
            .map(|step| (texts[step.from].clone(), texts[step.to].clone()))
            .filter(|(from, to)| from != to)
            .collect(),
        states: texts.into_iter().collect(),
    }
}

/// A value of TLA+ with the fields of its records and the members of its sets in alphabetical order.
pub(super) fn canonical(text: &str) -> String {
    let mut rest = text;
    let value = read(&mut rest);
    assert!(rest.trim().is_empty(), "{rest}");
    value
}

fn read(rest: &mut &str) -> String {
    *rest = rest.trim_start();
    for (open, close, sorted) in [("<<", ">>", false), ("[", "]", true), ("{", "}", true)] {
        let Some(inside) = rest.strip_prefix(open) else { continue };
        *rest = inside;
        let mut items = Vec::new();
        loop {
            *rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix(close) {
                *rest = behind;
                break;
            }
            let mut item = read(rest);
            *rest = rest.trim_start();
            if let Some(behind) = rest.strip_prefix("|->") {
                *rest = behind;
                item = format!("{item} |-> {}", read(rest));
            }
            items.push(item);
            *rest = rest.trim_start();
            *rest = rest.strip_prefix(',').unwrap_or(rest);
        }
        if sorted {
            items.sort();
        }
        return format!("{open}{}{close}", items.join(", "));
    }
    let end = rest.find([',', ']', '}', '>', ' ']).unwrap_or(rest.len());
    let (word, behind) = rest.split_at(end);
    *rest = behind;
    assert!(!word.is_empty(), "{behind}");
    word.to_owned()
}
