//! Checks a specification from the command line, until the command `locus` does.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use locus_source::{Finding, Severity, SourceFile, Sources};
use locus_tla::check::{CheckOptions, Verdict, check, render};
use locus_tla::config::{self, Model};
use locus_tla::semantic::{Loader, Specification};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let path = self.0.join(format!("{name}.tla"));
        let text = std::fs::read_to_string(&path).ok()?;
        Some(Ok(sources.add(path.display().to_string(), text)))
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = args.first().map(Path::new) else {
        eprintln!("usage: tlacheck SPEC.tla [CONFIG.cfg [WORKERS]]");
        return ExitCode::from(2);
    };
    let config = args.get(1).map_or_else(|| path.with_extension("cfg"), PathBuf::from);
    let workers = args.get(2).and_then(|workers| workers.parse().ok()).unwrap_or(1);
    match run(path, &config, workers) {
        Ok(code) => code,
        Err(messages) => {
            println!("verdict: parse");
            eprintln!("{messages}");
            ExitCode::from(2)
        }
    }
}

fn run(path: &Path, config: &Path, workers: usize) -> Result<ExitCode, String> {
    let sources = Sources::new();
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let file = sources.add(path.display().to_string(), text);
    let loader = Beside(path.parent().unwrap_or(Path::new(".")).to_owned());
    let loaded = Specification::load(&sources, &file, &loader, locus_tla::standard::text);
    let mut specification = loaded.specification.ok_or_else(|| messages(&sources, &loaded.findings))?;
    let text = std::fs::read_to_string(config).map_err(|error| format!("{}: {error}", config.display()))?;
    let file = sources.add(config.display().to_string(), text);
    let parsed = config::parse(file.id(), file.text());
    let tree = parsed.tree.ok_or_else(|| messages(&sources, &parsed.findings))?;
    let (model, findings) = Model::resolve(&tree, &mut specification, &sources, file.id());
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(messages(&sources, &findings));
    }
    let options = CheckOptions { workers, ..CheckOptions::default() };
    let result = check(&sources, &specification, &model, &options);
    println!("verdict: {}", result.verdict.as_str());
    println!("message: {}", result.message);
    println!("generated {} distinct {} depth {}", result.generated, result.distinct, result.depth);
    print!("{}", render::human(&result, &sources));
    Ok(match result.verdict {
        Verdict::Ok => ExitCode::SUCCESS,
        Verdict::Evaluation | Verdict::Incomplete => ExitCode::from(2),
        _ => ExitCode::FAILURE,
    })
}

fn messages(sources: &Sources, findings: &[Finding]) -> String {
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| format!("{}: {}", sources.describe(finding.primary.place), finding.message))
        .collect();
    lines.join("\n")
}
