//! A small module with a configuration: loaded, and checked.

use locus_source::{Severity, Sources};
use locus_tla::check::{CheckOptions, CheckResult, Engine, Verdict, check};
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
    checked_both_ways(&sources, &specification, &model, options)
}

/// Checks a specification as the options say, and once each with packed states and with values only: whether it holds,
/// how many states there are, and how long a shortest behaviour is that shows the contrary, must be the same.
pub(crate) fn checked_both_ways(
    sources: &Sources,
    specification: &Specification,
    model: &Model,
    options: &CheckOptions<'_>,
) -> CheckResult {
    let result = check(sources, specification, model, options);
    let is_limited = options.states.is_some() || options.bytes.is_some() || options.time.is_some();
    let is_plain = options.engine == Engine::Either && !options.coverage && options.disk.is_none();
    // One worker stops at the first violation that it meets, so that counts tell nothing; and a behaviour that violates
    // a temporal property is not always a shortest one.
    let answer = |result: &CheckResult| match result.verdict {
        Verdict::Ok => (Verdict::Ok, result.generated, result.distinct, result.depth, 0),
        Verdict::Property => (Verdict::Property, 0, 0, 0, 0),
        verdict => (verdict, 0, 0, 0, result.trace.len()),
    };
    if is_plain && !is_limited {
        for engine in [Engine::Packed, Engine::Values] {
            let other = check(sources, specification, model, &CheckOptions { engine, ..options.clone() });
            assert_eq!(
                answer(&other),
                answer(&result),
                "{engine:?}: {} and {}",
                other.message,
                result.message
            );
        }
    }
    result
}
