//! The text form of location graphs: what is read, what is found wrong, and that nothing is lost.

mod corpus;
#[path = "../../../source/tests/effort/mod.rs"]
mod effort;
mod explanations;
mod hostile;
mod invariants;
mod round_trip;
mod schema;

use std::path::{Path, PathBuf};

use locus_graph::text::{Reading, read};
use locus_graph::{LocationGraph, check};
use locus_source::{Finding, Label, Limits, Sources, Span};

/// Reads a text and lists everything that is wrong with it, as people would read it.
fn findings(name: &str, text: &str) -> (LocationGraph, String) {
    let sources = Sources::new();
    let file = sources.add(name, text);
    let Reading { graph, mut findings, .. } = read(&file, &Limits::default());
    findings.extend(check(&graph, file.place(Span::point(0))));
    locus_source::sort_and_dedup(&mut findings, &sources);
    let label = |label: &Label| {
        let word = if label.message.is_empty() { "" } else { ": " };
        format!("  at {}{word}{}\n", sources.start(label.place), label.message)
    };
    let show = |finding: &Finding| {
        // What the readers of YAML and JSON say is theirs to test.
        if !finding.code.as_str().starts_with("LG") {
            return format!("{} {}\n", finding.code, finding.severity);
        }
        let mut text = format!("{} {}: {}\n", finding.code, finding.severity, finding.message);
        text.extend(std::iter::once(&finding.primary).chain(&finding.secondary).map(label));
        text.extend(finding.help.iter().map(|help| format!("  help: {help}\n")));
        text
    };
    (graph, findings.iter().map(show).collect())
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a directory whose names end so, with their texts, in order of names.
fn files(directory: &Path, ending: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let mut files: Vec<(String, String)> = entries
        .filter(|path| name(path).ends_with(ending))
        .map(|path| (name(&path), std::fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}
