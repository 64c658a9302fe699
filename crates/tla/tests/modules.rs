//! TLC's answers to thousands of calls of the standard and community modules, as `bench/tla_modules.py` recorded them
//! under `modules/`.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use locus_tla::check::{CheckOptions, CheckResult, Verdict, check};

/// The calls to one module.
struct Table {
    name: String,
    /// The head of the module that makes them.
    head: String,
    /// A call and its value; none, if TLC refuses it.
    calls: Vec<(String, Option<String>)>,
}

fn tables() -> Vec<Table> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| table(path)).collect()
}

fn table(path: &Path) -> Table {
    let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut table = Table { name, head: String::new(), calls: Vec::new() };
    for line in std::fs::read_to_string(path).unwrap().lines() {
        if let Some(head) = line.strip_prefix("| ") {
            writeln!(table.head, "{head}").unwrap();
        } else if !line.starts_with('#') {
            let (call, value) = line.split_once('\t').unwrap();
            table.calls.push((call.to_owned(), (value != "!").then(|| value.to_owned())));
        }
    }
    table
}

fn assumed(head: &str, assumptions: &str) -> (String, CheckResult) {
    let (sources, specification, model) = common::loaded(&format!("{head}{assumptions}"), "");
    let result = check(&sources, &specification, &model, &CheckOptions::default());
    let place = result.place.map_or(String::new(), |place| {
        let text = sources.get(place.file).text().to_owned();
        text[..place.span.start as usize].rsplit('\n').next().unwrap_or_default().to_owned()
            + text[place.span.start as usize..].lines().next().unwrap_or_default()
    });
    (place, result)
}

#[test]
fn every_call_has_the_value_that_tlc_gives_it() {
    let mut calls = 0;
    for table in tables() {
        let mut assumptions = String::new();
        for (call, value) in &table.calls {
            if let Some(value) = value {
                writeln!(assumptions, "ASSUME ({call}) = ({value})").unwrap();
                calls += 1;
            }
        }
        let (place, result) = assumed(&table.head, &assumptions);
        assert_eq!(result.verdict, Verdict::Ok, "{}: {}: {place}", table.name, result.message);
    }
    assert!(calls > 2000, "{calls}");
}

#[test]
fn what_tlc_refuses_has_no_value() {
    for table in tables() {
        for (call, value) in &table.calls {
            if value.is_none() {
                let (_, result) = assumed(&table.head, &format!("ASSUME LET v == {call} IN v = v"));
                assert_ne!(result.verdict, Verdict::Ok, "{}: {call}", table.name);
            }
        }
    }
}
