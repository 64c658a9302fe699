//! The cost of trees: time beside the bare event parser, memory beside the text.
//!
//! Run by `bench/yaml.py`, which makes the files and measures PyYAML too. Prints one line of tab-separated
//! figures for each file: bytes, events, seconds of the event parser, seconds of our reader, bytes that the
//! trees keep, most bytes at any moment while reading.

#![expect(clippy::print_stdout, reason = "a program for people")]
#![expect(unsafe_code, reason = "an allocator that counts is unsafe by nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use locus_source::json::{self, JsonOptions};
use locus_source::yaml::{self, YamlOptions};
use locus_source::{Limits, Parsed, SourceFile, Sources};

/// The system's allocator, counting.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn grow(bytes: usize) {
    MOST.fetch_max(NOW.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

// SAFETY: every call goes to the system's allocator unchanged; only the sizes are noted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size >= layout.size() {
            grow(size - layout.size());
        } else {
            NOW.fetch_sub(layout.size() - size, Relaxed);
        }
        // SAFETY: the caller's promise is passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const ROUNDS: usize = 7;

fn main() {
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name).expect("the file can be read");
        let limits = Limits { nodes: usize::MAX, ..Limits::default() };
        let file = Sources::new().add_bytes(&name, bytes, &limits).expect("the file is a text");
        let read = |file| {
            if Path::new(&name).extension().is_some_and(|extension| extension == "json") {
                json::parse(file, &JsonOptions { limits: limits.clone(), ..JsonOptions::default() })
            } else {
                yaml::parse(file, &YamlOptions { limits: limits.clone(), ..YamlOptions::default() })
            }
        };
        let (mut events, mut event_time, mut tree_time) = (0, f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            let start = Instant::now();
            events = count_events(&file);
            event_time = event_time.min(start.elapsed().as_secs_f64());
            let start = Instant::now();
            black_box(read(&file));
            tree_time = tree_time.min(start.elapsed().as_secs_f64());
        }
        let before = NOW.load(Relaxed);
        MOST.store(before, Relaxed);
        let parsed: Parsed = read(&file);
        assert!(parsed.findings.is_empty(), "{:?}", parsed.findings[0]);
        let (kept, most) = (NOW.load(Relaxed) - before, MOST.load(Relaxed) - before);
        let size = file.text().len();
        println!("{name}\t{size}\t{events}\t{event_time}\t{tree_time}\t{kept}\t{most}");
    }
}

/// The bare event parser, with its default options but the nesting of our limits.
fn count_events(file: &SourceFile) -> usize {
    let parser = granit_parser::Parser::new_from_str(file.text());
    parser.inspect(|event| assert!(black_box(event).is_ok(), "the file is YAML")).count()
}
