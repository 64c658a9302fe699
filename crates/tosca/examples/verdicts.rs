//! Verdicts on many files in one run, for `bench/tosca.py`.
//!
//! Each line of the input is a file, and after it with tabs between them folders and files with profiles. Each line of
//! the output is `ok` or `error`, the file, the microseconds that it took, the number of findings and the first error;
//! with `--findings`, lines with all findings follow, with a tab in front. Archives are files that end in `.zip` or
//! `.csar`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use locus_language::options::{LIBRARY, Values};
use locus_language::{Effort, Language, Options, Request};
use locus_source::{Finding, Limits, LoadError, Loader, Severity, SourceFile, Sources};
use locus_tosca::Tosca;

/// Files beside the one that names them.
struct Disk;

impl Loader for Disk {
    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        let folder = Path::new(from.name()).parent().unwrap_or(Path::new(""));
        let full = std::fs::canonicalize(folder.join(path)).map_err(|_| LoadError::Missing)?;
        let bytes = std::fs::read(&full).map_err(|error| LoadError::Unreadable(error.to_string()))?;
        Ok((full.display().to_string(), bytes))
    }
}

fn findings(sources: &Sources, path: &Path, libraries: &[String]) -> Result<Vec<Finding>, String> {
    let limits = Limits::default();
    let bytes = Tosca.decode(std::fs::read(path).map_err(|error| error.to_string())?);
    let file =
        sources.add_bytes(path.display().to_string(), bytes, &limits).map_err(|error| error.to_string())?;
    let loader: Arc<dyn Loader> = Arc::new(Disk);
    let effort = Effort { timeout: None, workers: 1, stop: None };
    let options = Options::default().with(LIBRARY, Values::Texts(libraries.to_vec()));
    let request = Request {
        sources,
        limits: &limits,
        loader: &loader,
        options: &options,
        own_rules: &[],
        effort: &effort,
    };
    let document = Tosca.read(&file, &request);
    let mut findings = document.findings().to_vec();
    findings.extend(document.judge(&request).findings);
    Ok(findings)
}

fn main() -> std::io::Result<()> {
    let all = std::env::args().any(|argument| argument == "--findings");
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lines() {
        let line = line?;
        let mut parts = line.split('\t');
        let path = PathBuf::from(parts.next().unwrap_or_default());
        let libraries: Vec<String> = parts.map(str::to_owned).collect();
        let sources = Sources::new();
        let start = Instant::now();
        let found = findings(&sources, &path, &libraries);
        let time = start.elapsed().as_micros();
        let (found, problem) = match found {
            Ok(found) => (found, None),
            Err(problem) => (Vec::new(), Some(problem)),
        };
        let show = |finding: &Finding| {
            let place = finding.primary.place;
            let file = sources.get(place.file);
            let name = Path::new(file.name()).file_name().unwrap_or_default().to_string_lossy().into_owned();
            let position = file.line_column(place.span.start as usize);
            format!("{} {} {name}:{position} {}", finding.severity, finding.code, finding.message)
        };
        let first = problem.or_else(|| found.iter().find(|one| one.severity == Severity::Error).map(show));
        let verdict = if first.is_some() { "error" } else { "ok" };
        writeln!(
            out,
            "{verdict}\t{}\t{time}\t{}\t{}",
            path.display(),
            found.len(),
            first.unwrap_or_default()
        )?;
        if all {
            for finding in &found {
                writeln!(out, "\t{}", show(finding))?;
            }
        }
    }
    Ok(())
}
