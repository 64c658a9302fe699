//! Reading texts in tests.

#![allow(dead_code, reason = "not all tests use all of it")]

use std::collections::BTreeSet;

use locus_source::{LoadError, Loader, Severity, SourceFile, Sources, Span};
use locus_tosca::{Inputs, Reading, judge, read};

/// The only file beside the one that is read.
const TYPES: &str = "tosca_definitions_version: tosca_2_0
repositories: { shared: https://example.org }
node_types: { Imported: {} }
";

/// A folder with one file.
pub(crate) struct Folder;

impl Loader for Folder {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        match path.trim_start_matches("./") {
            "types.yaml" => Ok((path.to_owned(), TYPES.as_bytes().to_vec())),
            _ => Err(LoadError::Missing),
        }
    }
}

/// Reads a text.
pub(crate) fn reading(sources: &Sources, text: &str) -> Reading {
    let file = sources.add("service.yaml", text);
    let parameters = if text.contains("given: ") || text.contains("other: {") {
        vec![("given".to_owned(), "1".to_owned())]
    } else {
        Vec::new()
    };
    read(sources, &file, &Inputs { loader: Some(&Folder), parameters, ..Inputs::default() })
}

/// The codes of all findings about a text.
pub(crate) fn codes(text: &str) -> BTreeSet<String> {
    codes_with(text, "")
}

/// The codes of the findings of a severity, or of all if it has no name.
pub(crate) fn codes_with(text: &str, severity: &str) -> BTreeSet<String> {
    let sources = Sources::new();
    let findings = reading(&sources, text).findings;
    let wanted = findings.iter().filter(|one| severity.is_empty() || one.severity.to_string() == severity);
    wanted.map(|finding| finding.code.as_str().to_owned()).collect()
}

/// The codes of what the rules in Alloy find, and of all errors.
pub(crate) fn codes_of_example(text: &str) -> BTreeSet<String> {
    let sources = Sources::new();
    let reading = reading(&sources, text);
    let errors = reading.findings.iter().filter(|finding| finding.severity == Severity::Error).cloned();
    let topology = reading.topology.clone().unwrap_or_default();
    let everything = sources.add("everything", "x").place(Span::new(0, 0));
    let verdict = judge(&topology, everything);
    errors.chain(verdict.findings).map(|finding| finding.code.as_str().to_owned()).collect()
}
