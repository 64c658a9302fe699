//! The types that come with Locus: those of the TOSCA Simple Profile, by version.
//!
//! They are facts (names, parents, properties, types, limits) in the files of `data/`, without the prose of the
//! standard. Two mistakes of the normative YAML are put right, as in section 5.2 of INRIA report RR-9317: the
//! relationship type is `AttachesTo` everywhere, and `Container.Application` is hosted on `Container.Runtime`.

use std::sync::{Arc, Mutex, PoisonError};

use locus_source::yaml::{self, YamlOptions};
use locus_source::{Sources, Tree};

use crate::read::version::Version;

/// The trees of the files as they were parsed last, one for each version.
static PARSED: Mutex<Vec<(Version, Tree)>> = Mutex::new(Vec::new());

/// Returns the types of a version as one of these sources. Files that are read with the same sources share the tree, so
/// that it is parsed once.
pub(crate) fn tree(version: Version, sources: &Sources) -> Tree {
    let (name, text) = simple_profile(version);
    let mut parsed = PARSED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = parsed.iter().position(|(one, _)| *one == version);
    if let (Some(at), Some(source)) = (known, sources.find(name)) {
        let tree = &parsed[at].1;
        if Arc::ptr_eq(tree.source(), &source) {
            return tree.clone();
        }
    }
    let source = sources.add(name, text);
    let documents = yaml::parse(&source, &YamlOptions::default()).documents;
    let tree = documents.into_iter().next().expect("the data of the house is a document");
    if let Some(at) = known {
        parsed.swap_remove(at);
    }
    parsed.push((version, tree.clone()));
    tree
}

/// The name under which findings would show it, and its text.
fn simple_profile(version: Version) -> (&'static str, &'static str) {
    match version {
        Version::V1_0 => ("<TOSCA Simple Profile 1.0>", include_str!("../../data/simple-1.0.yaml")),
        Version::V1_1 => ("<TOSCA Simple Profile 1.1>", include_str!("../../data/simple-1.1.yaml")),
        Version::V1_2 => ("<TOSCA Simple Profile 1.2>", include_str!("../../data/simple-1.2.yaml")),
        Version::V1_3 => ("<TOSCA Simple Profile 1.3>", include_str!("../../data/simple-1.3.yaml")),
        Version::V2_0 => ("<TOSCA Simple Profile 2.0>", include_str!("../../data/simple-2.0.yaml")),
    }
}

/// The version of the Simple Profile that a profile name of TOSCA 2.0 means: the standard writes the first name, the
/// community's own file the second.
pub(crate) fn profile(name: &str) -> Option<Version> {
    matches!(name, "org.oasis-open.tosca.simple:2.0" | "org.oasis-open.simple:2.0").then_some(Version::V2_0)
}
