//! Checks a specification from the command line, until the command `locus` does.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use locus_source::{SourceFile, Sources};
use locus_tla::check::{CheckOptions, check};
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

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let path = Path::new(&args[0]);
    let cfg = args.get(1).map_or_else(|| path.with_extension("cfg"), PathBuf::from);
    let workers = args.get(2).and_then(|w| w.parse().ok()).unwrap_or(1);
    let sources = Sources::new();
    let text = std::fs::read_to_string(path).expect("readable");
    let file = sources.add(path.display().to_string(), text);
    let loader = Beside(path.parent().unwrap_or(Path::new(".")).to_owned());
    let loaded = Specification::load(&sources, &file, &loader, locus_tla::standard::text);
    let Some(mut spec) = loaded.specification else {
        for f in &loaded.findings {
            eprintln!("{}: {}", sources.describe(f.primary.place), f.message);
        }
        println!("verdict: parse");
        std::process::exit(2);
    };
    let cfg = sources.add(cfg.display().to_string(), std::fs::read_to_string(&cfg).unwrap_or_default());
    let parsed = config::parse(cfg.id(), cfg.text());
    for f in &parsed.findings {
        eprintln!("{}: {}", sources.describe(f.primary.place), f.message);
    }
    let Some(tree) = parsed.tree else {
        println!("verdict: parse");
        std::process::exit(2);
    };
    let (model, findings) = Model::resolve(&tree, &mut spec, &sources, cfg.id());
    for f in &findings {
        eprintln!("{}: {}", sources.describe(f.primary.place), f.message);
    }
    if findings.iter().any(|f| f.severity == locus_source::Severity::Error) {
        println!("verdict: parse");
        std::process::exit(2);
    }
    let result = check(&sources, &spec, &model, &CheckOptions { workers, ..CheckOptions::default() });
    println!("verdict: {} {}", result.verdict.as_str(), result.property.as_deref().unwrap_or(""));
    println!("message: {}", result.message);
    if let Some(p) = result.place {
        println!("at {}", sources.describe(p));
    }
    for (n, p) in &result.trail {
        println!("  in {n} {}", sources.describe(*p));
    }
    for r in &result.reasons {
        println!("  because {} {:?}", r.text, r.bound);
    }
    println!(
        "generated {} distinct {} depth {} seconds {:.2}",
        result.generated,
        result.distinct,
        result.depth,
        result.elapsed.as_secs_f64()
    );
    for w in &result.warnings {
        println!("warning: {}", w.message);
    }
    if args.get(3).is_some() || result.trace.len() < 12 {
        for s in &result.trace {
            if let Some(a) = &s.action {
                println!("-- {} {:?} {}", a.name, a.parameters, sources.describe(a.place));
            } else {
                println!("--");
            }
            for v in &s.variables {
                println!("   {}{} = {}", if v.changed { "*" } else { " " }, v.name, v.value);
            }
        }
    }
}
