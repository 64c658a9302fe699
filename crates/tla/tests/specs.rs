//! The specifications under `specs/`: each configuration says in its first line what a check must answer, with TLC's
//! counts of states where the search is complete.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::checked_both_ways;
use locus_source::{Severity, SourceFile, Sources};
use locus_tla::check::{CheckOptions, CheckResult, Verdict};
use locus_tla::config::{Model, parse};
use locus_tla::semantic::{ModuleLoader, Specification};

struct Beside(PathBuf);

impl ModuleLoader for Beside {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let text = std::fs::read_to_string(self.0.join(format!("{name}.tla"))).ok()?;
        Some(Ok(sources.add(name, text)))
    }
}

/// The module that a configuration is for: the longest name that its own starts with.
fn module(cfg: &Path) -> PathBuf {
    let stem = cfg.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    (1..=stem.len())
        .rev()
        .map(|end| cfg.with_file_name(format!("{}.tla", &stem[..end])))
        .find(|path| path.is_file())
        .unwrap_or_else(|| panic!("{} has no module", cfg.display()))
}

fn run(cfg: &Path, workers: usize) -> CheckResult {
    let sources = Sources::new();
    let path = module(cfg);
    let file = sources.add(path.display().to_string(), std::fs::read_to_string(&path).unwrap());
    let loader = Beside(path.parent().unwrap().to_owned());
    let loaded = Specification::load(&sources, &file, &loader, locus_tla::standard::text);
    let mut specification = loaded.specification.unwrap_or_else(|| panic!("{:?}", loaded.findings));
    let config = sources.add(cfg.display().to_string(), std::fs::read_to_string(cfg).unwrap());
    let parsed = parse(config.id(), config.text());
    let tree = parsed.tree.unwrap_or_else(|| panic!("{:?}", parsed.findings));
    let (model, findings) = Model::resolve(&tree, &mut specification, &sources, config.id());
    assert!(findings.iter().all(|finding| finding.severity < Severity::Error), "{findings:?}");
    let options = CheckOptions { workers, ..CheckOptions::default() };
    checked_both_ways(&sources, &specification, &model, &options)
}

/// The result, in the words of the first line of a configuration.
fn in_words(result: &CheckResult) -> String {
    match result.verdict {
        Verdict::Ok => format!("ok, {} generated, {} distinct", result.generated, result.distinct),
        verdict => {
            let property = result.property.as_deref().unwrap_or_default();
            format!("{} {property}", verdict.as_str()).trim().to_owned()
        }
    }
}

#[test]
fn every_specification_is_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("specs");
    let mut configurations = Vec::new();
    for folder in
        std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        configurations.extend(files.filter(|path| path.extension().is_some_and(|ending| ending == "cfg")));
    }
    configurations.sort();
    assert!(configurations.len() > 15);
    for cfg in configurations {
        let text = std::fs::read_to_string(&cfg).unwrap();
        let expected =
            text.lines().next().and_then(|line| line.strip_prefix("\\* expect: ")).expect("a first line");
        for workers in [1, 2] {
            assert_eq!(in_words(&run(&cfg, workers)), expected, "{} with {workers} workers", cfg.display());
        }
    }
}
