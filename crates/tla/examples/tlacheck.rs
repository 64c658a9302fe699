//! Checks a specification from the command line, until the command `locus` does.
#![expect(clippy::print_stdout, clippy::print_stderr, clippy::exit, reason = "it is a command")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use locus_source::{SourceFile, Sources};
use locus_tla::check::{Assigned, Assignment, CheckOptions, Literal, Settings, check};
use locus_tla::semantic::{Loader, Specification};

struct Beside(PathBuf);

impl Loader for Beside {
    fn load(&self, sources: &Sources, name: &str) -> Option<Result<Arc<SourceFile>, String>> {
        let path = self.0.join(format!("{name}.tla"));
        let text = std::fs::read_to_string(&path).ok()?;
        Some(Ok(sources.add(path.display().to_string(), text)))
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => {}
            '\\' if chars.peek() == Some(&'*') => while chars.next().is_some_and(|c| c != '\n') {},
            '(' if chars.peek() == Some(&'*') => {
                let mut depth = 1;
                chars.next();
                while depth > 0 {
                    match chars.next() {
                        Some('(') if chars.peek() == Some(&'*') => { chars.next(); depth += 1; }
                        Some('*') if chars.peek() == Some(&')') => { chars.next(); depth -= 1; }
                        None => break,
                        _ => {}
                    }
                }
            }
            '"' => {
                let mut s = String::from("\"");
                for c in chars.by_ref() { if c == '"' { break } s.push(c); }
                out.push(s);
            }
            '<' if chars.peek() == Some(&'-') => { chars.next(); out.push("<-".into()); }
            '{' | '}' | ',' | '=' | '[' | ']' => out.push(c.to_string()),
            c => {
                let mut s = String::from(c);
                while let Some(&c) = chars.peek() {
                    if c.is_alphanumeric() || c == '_' || c == '!' || c == '-' { s.push(c); chars.next(); } else { break }
                }
                out.push(s);
            }
        }
    }
    out
}

fn literal(t: &[String], i: &mut usize) -> Literal {
    let s = &t[*i]; *i += 1;
    if s == "{" {
        let mut items = Vec::new();
        while t[*i] != "}" { if t[*i] == "," { *i += 1; continue } items.push(literal(t, i)); }
        *i += 1;
        return Literal::Set(items);
    }
    if let Some(s) = s.strip_prefix('"') { return Literal::String(s.into()); }
    if s == "TRUE" || s == "FALSE" { return Literal::Boolean(s == "TRUE"); }
    if s.parse::<i128>().is_ok() { return Literal::Integer(s.clone()); }
    Literal::Model(s.clone())
}

fn config(text: &str) -> Settings {
    let mut settings = Settings::default();
    let t = tokens(text);
    let mut i = 0;
    let mut section = String::new();
    while i < t.len() {
        let s = t[i].clone();
        if matches!(s.as_str(), "SPECIFICATION"|"INIT"|"NEXT"|"CONSTANT"|"CONSTANTS"|"INVARIANT"|"INVARIANTS"|"PROPERTY"|"PROPERTIES"|"CONSTRAINT"|"CONSTRAINTS"|"ACTION_CONSTRAINT"|"ACTION_CONSTRAINTS"|"SYMMETRY"|"VIEW"|"ALIAS"|"POSTCONDITION"|"CHECK_DEADLOCK") { section = s; i += 1; continue }
        i += 1;
        match section.as_str() {
            "SPECIFICATION" => settings.specification = Some(s),
            "INIT" => settings.init = Some(s),
            "NEXT" => settings.next = Some(s),
            "INVARIANT"|"INVARIANTS" => settings.invariants.push(s),
            "PROPERTY"|"PROPERTIES" => settings.properties.push(s),
            "CONSTRAINT"|"CONSTRAINTS" => settings.constraints.push(s),
            "ACTION_CONSTRAINT"|"ACTION_CONSTRAINTS" => settings.action_constraints.push(s),
            "SYMMETRY" => settings.symmetry = Some(s),
            "VIEW" => settings.view = Some(s),
            "ALIAS" => settings.alias = Some(s),
            "POSTCONDITION" => settings.postcondition = Some(s),
            "CHECK_DEADLOCK" => settings.deadlock = Some(s == "TRUE"),
            _ => {
                let mut module = None;
                let op = t[i].clone(); i += 1;
                if op == "<-" {
                    if t[i] == "[" { module = Some(t[i+1].clone()); i += 3; }
                    let v = t[i].clone(); i += 1;
                    settings.constants.push(Assignment { name: s, module, value: Assigned::Definition(v) });
                } else {
                    let v = literal(&t, &mut i);
                    settings.constants.push(Assignment { name: s, module, value: Assigned::Value(v) });
                }
            }
        }
    }
    settings
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
    let Some(spec) = loaded.specification else {
        for f in &loaded.findings { eprintln!("{}: {}", sources.describe(f.primary.place), f.message); }
        println!("verdict: parse");
        std::process::exit(2);
    };
    let settings = config(&std::fs::read_to_string(cfg).unwrap_or_default());
    let result = check(&sources, &spec, &settings, &CheckOptions { workers, ..CheckOptions::default() });
    println!("verdict: {} {}", result.verdict.as_str(), result.property.as_deref().unwrap_or(""));
    println!("message: {}", result.message);
    if let Some(p) = result.place { println!("at {}", sources.describe(p)); }
    for (n, p) in &result.trail { println!("  in {n} {}", sources.describe(*p)); }
    for r in &result.reasons { println!("  because {} {:?}", r.text, r.bound); }
    println!("generated {} distinct {} depth {} seconds {:.2}", result.generated, result.distinct, result.depth, result.elapsed.as_secs_f64());
    for w in &result.warnings { println!("warning: {}", w.message); }
    if args.get(3).is_some() || result.trace.len() < 12 {
        for s in &result.trace {
            if let Some(a) = &s.action { println!("-- {} {:?} {}", a.name, a.parameters, sources.describe(a.place)); } else { println!("--"); }
            for v in &s.variables { println!("   {}{} = {}", if v.changed {"*"} else {" "}, v.name, v.value); }
        }
    }
}
