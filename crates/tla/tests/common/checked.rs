//! A small module with a configuration: loaded, and checked.

use locus_source::{Severity, Sources};
use locus_tla::check::{CheckOptions, CheckResult, check};
use locus_tla::config::{Model, parse};
use locus_tla::semantic::{NoModules, Specification};

/// The module `Spec` with this body, and a configuration of it, neither of which has an error.
pub(crate) fn loaded(body: &str, config: &str) -> (Sources, Specification, Model) {
    let sources = Sources::new();
    let file = sources.add("Spec.tla", format!("---- MODULE Spec ----\n{body}\n===="));
    let loaded = Specification::load(&sources, &file, &NoModules, locus_tla::standard::text);
    let mut specification = loaded.specification.unwrap_or_else(|| panic!("{:?}", loaded.findings));
    let file = sources.add("Spec.cfg", config);
    let tree = parse(file.id(), file.text()).tree.expect("a configuration");
    let (model, findings) = Model::resolve(&tree, &mut specification, &sources, file.id());
    assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{findings:?}");
    (sources, specification, model)
}

/// Checks definitions, which may use the modules on numbers and finite sets, with a configuration.
pub(crate) fn checked(definitions: &str, config: &str, options: &CheckOptions<'_>) -> CheckResult {
    let body = format!("EXTENDS Integers, FiniteSets\n{definitions}");
    let (sources, specification, model) = loaded(&body, config);
    check(&sources, &specification, &model, options)
}
