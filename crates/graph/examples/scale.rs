//! How building and checking a graph grows with its size: a line for each of 10^4, 10^5 and 10^6 locations,
//! each with three roles provided and three required, so with three roles per location in all.
//!
//! ```text
//! cargo run --release -p locus-graph --example scale [LOCATIONS…]
//! ```
//!
//! The peak is that of the whole process so far, so give a single size to measure its memory alone. Up to
//! 10^5 locations a second line tells how long the graph takes as YAML: writing it, and reading it again.
#![expect(clippy::print_stdout, reason = "a measurement is there to be printed")]

use std::fmt::Write;
use std::time::Instant;

use locus_graph::text::{read, write_yaml};
use locus_graph::{LocationGraph, Process, Sort, is_well_formed};
use locus_source::{Limits, Sources};

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).map(|n| n.parse().expect("a number")).collect();
    let sizes = if sizes.is_empty() { vec![10_000, 100_000, 1_000_000] } else { sizes };
    println!("locations      roles   build ms   check ms   us/location   peak MiB");
    for size in sizes {
        let start = Instant::now();
        let graph = build(size);
        let built = start.elapsed();
        assert!(is_well_formed(&graph));
        let checked = start.elapsed().saturating_sub(built);
        println!(
            "{:9} {:10} {:10.1} {:10.1} {:13.3} {:10}",
            graph.len(),
            graph.symbols().role_count(),
            built.as_secs_f64() * 1e3,
            checked.as_secs_f64() * 1e3,
            (built + checked).as_secs_f64() * 1e6 / size as f64,
            peak_mib().map_or("?".to_owned(), |mib| mib.to_string()),
        );
        if size <= 100_000 {
            as_text(&graph);
        }
    }
}

/// A ring with chords: location `i` requires what its next, its 7th and its 63rd neighbour provide. Texts
/// are formatted and interned as a reader would.
fn build(size: usize) -> LocationGraph {
    let mut graph = LocationGraph::new();
    graph.reserve(size, 3 * size);
    let (sort, process) = (Sort::named("Server"), Process::named("started"));
    let mut buffer = String::new();
    for i in 0..size {
        let id = graph.add(text(&mut buffer, "location", i));
        let entry = graph.entry_mut(id);
        (entry.sort, entry.process) = (sort.clone(), process.clone());
        for (prefix, step) in [("next", 1), ("seventh", 7), ("far", 63)] {
            graph.provide(id, text(&mut buffer, prefix, i));
            graph.require(id, text(&mut buffer, prefix, (i + step) % size));
        }
    }
    graph
}

fn as_text(graph: &LocationGraph) {
    let start = Instant::now();
    let text = write_yaml(graph);
    let written = start.elapsed();
    let bytes = text.len();
    let file = Sources::new().add("scale.lg.yaml", text);
    let start = Instant::now();
    let reading = read(&file, &Limits::default());
    let took = start.elapsed();
    assert!(reading.findings.is_empty() && reading.graph.len() == graph.len());
    println!(
        "          {:.1} MB of YAML: written in {:.1} ms, read in {:.1} ms",
        bytes as f64 / 1e6,
        written.as_secs_f64() * 1e3,
        took.as_secs_f64() * 1e3
    );
}

fn text<'a>(buffer: &'a mut String, prefix: &str, i: usize) -> &'a str {
    buffer.clear();
    write!(buffer, "{prefix}-{i}").expect("writing to a string cannot fail");
    buffer
}

/// The most memory that this process has had so far, where the system says so.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}
