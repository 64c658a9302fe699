//! TOSCA: service templates, profiles and archives.
//!
//! [`read`] makes a [`Reading`] of a file: everything that is wrong with it and with the files that it imports,
//! measured by the text of TOSCA 2.0 and of the Simple Profile in YAML 1.0 to 1.3, and every value as far as it is
//! known before anything is deployed.
//!
//! - `read`: archives, imports, versions, the grammar, and what decides how many of something there are
//! - `form`: whether a file is of the form that the grammar has
//! - `types`: types with what they inherit, and the names of a file
//! - `service`: templates joined with their types: nodes, operations, lifecycles, the topology
//! - `values`: expressions, functions, paths, and whether values are of their types
//! - `requirements`: what fulfils requirements, and what a service takes the place of
//! - `checks`: what is wrong with templates, workflows, policies and artifacts
//! - `meaning`: elements, copies, processes, and what rules see
//! - `rules`, `library`, `verdict`: rules as text, those in Alloy, and judging by them
//! - `why`: why values are not known
//! - `report`: findings, which are not kept while something is only tried
//!
//! Out of scope: any reading of files, which come by a [`Loader`]; and rules about how nodes fit together,
//! which are Alloy.

mod checks;
mod form;
mod language;
pub mod library;
mod meaning;
mod read;
mod report;
mod requirements;
mod rules;
mod service;
mod types;
mod values;
mod verdict;
mod why;

use std::sync::Arc;

use locus_schema::Unknown;
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Finding, Loader, NoFiles, Node, SourceFile, Sources, Span, Tree};
use rustc_hash::FxHashMap;

pub use locus_language::Inputs;

pub use self::language::{RELATIONSHIPS, Tosca};
pub use self::meaning::meaning;
pub use self::read::csar;
pub use self::read::version::Version;
pub use self::rules::RULES;
pub use self::service::imperative::Step;
pub use self::service::lifecycle::{Lifecycle, StateNeed};
pub use self::service::topology::{
    Capability, Field, Group, Named, Node as NodeTemplate, Relationship, Topology,
};
pub use self::verdict::{judge, judge_by};

use self::report::Report;
use self::service::Service;
use self::types::world::World;

/// The archive that a file lies in.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// Whether there is one.
    pub(crate) is_archive: bool,
    /// Whether that has no TOSCA.meta, so that the file says what the archive is.
    pub(crate) without_meta: bool,
    /// Nodes of other services that the service may take the place of.
    pub(crate) substituted: Vec<NodeTemplate>,
}

/// The result of reading a file.
#[derive(Debug, Default)]
pub struct Reading {
    /// The version of the file; nothing if it is not TOSCA.
    pub version: Option<Version>,
    /// The contents of the service template; without nodes if there is none.
    pub topology: Option<Topology>,
    /// The findings about this file and those that it imports.
    pub findings: Vec<Finding>,
    /// The comments of the file.
    pub comments: Vec<Span>,
    /// The values that are not known before deployment, in the order of the text, each once.
    pub unknowns: Vec<Unknown>,
}

/// Whether a document is TOSCA: a map with a `tosca_definitions_version`.
pub fn is_tosca(tree: &Tree) -> bool {
    tree.root().get("tosca_definitions_version").is_some()
}

/// Reads a file. Never fails: what is wrong is among the findings.
pub fn read(sources: &Sources, file: &Arc<SourceFile>, inputs: &Inputs<'_>) -> Reading {
    read_in(&Surroundings::default(), sources, file, inputs)
}

pub(crate) fn read_in(
    surroundings: &Surroundings,
    sources: &Sources,
    file: &Arc<SourceFile>,
    inputs: &Inputs<'_>,
) -> Reading {
    let Surroundings { is_archive, without_meta, substituted } = surroundings;
    let report = Report::default();
    let loader = inputs.loader.unwrap_or(&NoFiles);
    let reader =
        read::files::Reader::new(sources, loader, &inputs.limits, &inputs.libraries, *is_archive, &report);
    let mut reading = Reading::default();
    if let Some(files) = reader.read(file) {
        reading.version = Some(files.all[0].version);
        reading.comments.clone_from(&files.comments);
        let given = given(sources, inputs, &report);
        let world = World::new(&files, &report);
        if *without_meta {
            form::forms::entry_of_archive(&world);
        }
        let (topology, unknowns) = check(&world, &given, substituted, sources, loader);
        reading.topology = Some(topology);
        reading.unknowns = unknowns;
    }
    reading.findings = report.into_findings();
    locus_source::sort_and_dedup(&mut reading.findings, sources);
    reading
}

fn check<'t>(
    world: &World<'t>,
    given: &'t [Tree],
    substituted: &[NodeTemplate],
    sources: &Sources,
    loader: &dyn Loader,
) -> (Topology, Vec<Unknown>) {
    for (at, file) in world.files.all.iter().enumerate() {
        if !file.house {
            form::walk::file(world, at);
        }
    }
    let values =
        given.iter().flat_map(|tree| tree.root().entries()).map(|entry| (entry.key.raw(), entry.value));
    let values: FxHashMap<&str, Node<'_>> = values.collect();
    let mut service = Service::new(world, 0, values);
    service.substituted = substituted;
    service.resolve();
    service.check_definitions();
    service.check_inputs();
    service.check_templates();
    service.check_requirements();
    service.check_outputs();
    service.check_groups();
    service.check_policies();
    service.check_workflows();
    service.check_substitution();
    service.check_files(sources, loader);
    let lifecycles = service.lifecycles();
    let topology = service.topology(lifecycles, sources);
    for finding in meaning::names_that_meet(&topology) {
        world.add(0, finding);
    }
    let mut unknowns = service.unknowns.into_inner();
    let rank = |one: &Unknown| (one.place, why::rank(&one.why));
    unknowns.sort_by(|a, b| (rank(a), &a.why).cmp(&(rank(b), &b.why)));
    unknowns.dedup();
    (topology, unknowns)
}

/// The values that are given for inputs, each file and each parameter as a tree.
fn given(sources: &Sources, inputs: &Inputs<'_>, report: &Report) -> Vec<Tree> {
    let options =
        YamlOptions { limits: inputs.limits.clone(), adjacent_values: true, ..YamlOptions::default() };
    let mut trees = Vec::new();
    let mut add = |file: &Arc<SourceFile>| {
        let parsed = yaml::parse(file, &options);
        parsed.findings.into_iter().for_each(|finding| report.add(finding));
        trees.extend(parsed.documents.into_iter().next());
    };
    inputs.environments.iter().for_each(&mut add);
    for (name, value) in &inputs.parameters {
        let key = quoted(name);
        add(&sources.add(format!("<input {name}>"), format!("{key}: {value}\n")));
    }
    trees
}

/// A name as a YAML string.
fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}
