//! Templates of the tests, read from disk.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use locus_hot::{Inputs, Reading, read};
use locus_source::{LoadError, Loader, Severity, SourceFile, Sources};

/// The folder of the tests.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Reads files of one folder.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Loader for Folder {
    fn bytes(&self, _: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let bytes = std::fs::read(self.0.join(path)).map_err(|_| LoadError::Missing)?;
        Ok((path.to_owned(), bytes))
    }
}

/// Reads a template of a folder, with the environment that has its name.
#[allow(dead_code, reason = "not every test reads templates of its own")]
pub(crate) fn read_file(sources: &Sources, folder_name: &str, name: &str) -> Reading {
    let folder = folder(folder_name);
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let file = sources.add(name, text(name).unwrap());
    let environment = name.replace(".yaml", ".env.yaml");
    let environments = text(&environment).map(|text| sources.add(environment, text)).into_iter().collect();
    let loader = Folder(folder.clone());
    read(sources, &file, &Inputs { environments, loader: Some(&loader), ..Inputs::default() })
}

/// The findings as lines of text.
#[allow(dead_code, reason = "not every test shows findings")]
pub(crate) fn lines(reading: &Reading, sources: &Sources, least: Severity) -> String {
    let mut text = String::new();
    for finding in reading.findings.iter().filter(|finding| finding.severity >= least) {
        let place = sources.describe(finding.primary.place);
        let _ = writeln!(text, "{place}: {} {}: {}", finding.severity, finding.code, finding.message);
        for label in &finding.secondary {
            let _ = writeln!(text, "    {}: {}", sources.describe(label.place), label.message);
        }
        for note in &finding.notes {
            let _ = writeln!(text, "    note: {note}");
        }
        if let Some(help) = &finding.help {
            let _ = writeln!(text, "    help: {help}");
        }
    }
    text
}
