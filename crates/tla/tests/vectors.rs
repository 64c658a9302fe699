//! Texts as data: each file under `parser/` and `semantic/` has a snapshot of what becomes of it.

#![allow(clippy::format_collect, reason = "texts of tests are short")]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use locus_source::{Severity, SourceFile, Sources};
use locus_tla::semantic::{ModuleLoader, Specification};
use locus_tla::syntax::parse_module;

fn files(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(directory);
    let entries = std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension().is_some_and(|e| e == "tla")).collect();
    files.sort();
    assert!(!files.is_empty(), "no vectors in {}", directory.display());
    files
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

fn snapshot(directory: &str, path: &Path, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(format!("snapshots/{directory}"));
    settings.bind(|| insta::assert_snapshot!(stem(path), text));
}

#[test]
fn parser_accepts() {
    for path in files("parser/ok") {
        let sources = Sources::new();
        let file = sources.add(stem(&path), std::fs::read_to_string(&path).unwrap());
        let parsed = parse_module(file.id(), file.text());
        assert!(parsed.findings.is_empty(), "{}", common::findings(&sources, &parsed.findings));
        snapshot("parser/ok", &path, &common::module(&parsed.tree.unwrap()));
    }
}

#[test]
fn parser_refuses() {
    for path in files("parser/err") {
        let sources = Sources::new();
        let file = sources.add(stem(&path), std::fs::read_to_string(&path).unwrap());
        let parsed = parse_module(file.id(), file.text());
        assert!(!parsed.findings.is_empty(), "{} is accepted", path.display());
        let tree = parsed.tree.as_ref().map_or("nothing".to_owned(), common::module);
        let text = format!("{}\n{tree}", common::findings(&sources, &parsed.findings));
        snapshot("parser/err", &path, &text);
    }
}

/// Modules in a directory of their own beside the vectors.
struct Beside;

impl ModuleLoader for Beside {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/semantic/modules");
        let text = std::fs::read_to_string(directory.join(format!("{name}.tla"))).ok()?;
        Some(Ok(sources.add(format!("{name}.tla"), text)))
    }
}

#[test]
fn semantics_accepts() {
    for path in files("semantic/ok") {
        let sources = Sources::new();
        let file = sources.add(format!("{}.tla", stem(&path)), std::fs::read_to_string(&path).unwrap());
        let loaded = Specification::load(&sources, &file, &Beside, |_| None);
        let found = common::findings(&sources, &loaded.findings);
        let Some(specification) = loaded.specification else { panic!("{found}") };
        let text = format!("{found}{}", common::program(specification.program()));
        snapshot("semantic/ok", &path, &text);
    }
}

#[test]
fn semantics_refuses() {
    for path in files("semantic/err") {
        let sources = Sources::new();
        let file = sources.add(format!("{}.tla", stem(&path)), std::fs::read_to_string(&path).unwrap());
        let loaded = Specification::load(&sources, &file, &Beside, |_| None);
        let errors = loaded.findings.iter().filter(|f| f.severity == Severity::Error).count();
        assert!(loaded.specification.is_none() && errors > 0, "{} is accepted", path.display());
        snapshot("semantic/err", &path, &common::findings(&sources, &loaded.findings));
    }
}
