//! Damaged texts give findings, never a panic, and reading them takes no longer than they deserve.

mod common;

use std::fmt::Write as _;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use common::{codes, reading};
use locus_meaning::Relationships;
use locus_source::Sources;
use locus_tosca::meaning;

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

#[test]
fn damaged_texts_are_read() {
    let text = include_str!("rules.txt");
    let texts: Vec<String> = text
        .split("\n-- ")
        .filter_map(|block| block.split_once("\n2\n").map(|(_, rest)| rest))
        .map(|rest| {
            format!("tosca_definitions_version: tosca_2_0\n{}", rest.split("\n== ").next().unwrap_or(rest))
        })
        .collect();
    assert!(texts.len() > 100);
    let mut numbers = Numbers(7);
    for round in 0..2_000 {
        let mut letters: Vec<char> = texts[round % texts.len()].chars().collect();
        for _ in 0..=numbers.below(3) {
            let (at, other) = (numbers.below(letters.len()), numbers.below(letters.len()));
            match numbers.below(4) {
                0 => drop(letters.remove(at)),
                1 => {
                    letters
                        .insert(at, ['{', '}', '[', ']', ':', '$', ',', '0', '-', '\n'][numbers.below(10)]);
                }
                2 => letters.swap(at, other),
                _ => {
                    let (start, end) = (at.min(other), at.max(other).min(at.min(other) + 20));
                    let part: Vec<char> = letters[start..end].to_vec();
                    letters.splice(start..start, part);
                }
            }
        }
        let text: String = letters.into_iter().collect();
        let sources = Sources::new();
        let reading = reading(&sources, &text);
        if let Some(topology) = &reading.topology {
            let meaning = meaning(topology);
            for how in [Relationships::Bindings, Relationships::Locations] {
                assert!(locus_graph::is_well_formed(&meaning.graph(how)), "{text}");
            }
        }
    }
}

#[test]
fn values_that_grow_without_end_are_cut_off() {
    let mut text =
        "tosca_definitions_version: tosca_2_0\nnode_types: { A: { properties: { p: { type: string } } } }\n\
                    service_template:\n  node_templates:\n    n0: { type: A, properties: { p: xxxxxxxx } }\n"
            .to_owned();
    for at in 1..60 {
        let before = at - 1;
        let _ = writeln!(
            text,
            "    n{at}: {{ type: A, properties: {{ p: {{ $concat: [ {{ $get_property: [ n{before}, p ] }}, {{ $get_property: [ n{before}, p ] }} ] }} }} }}"
        );
    }
    let sources = Sources::new();
    assert!(reading(&sources, &text).topology.is_some());
}

#[test]
fn properties_that_refer_to_each_other_in_a_circle_end() {
    let text = "tosca_definitions_version: tosca_2_0\nnode_types: { A: { properties: { p: { type: string } } } }\n\
                service_template:\n  node_templates:\n    a: { type: A, properties: { p: { $get_property: [ b, p ] } } }\n    \
                b: { type: A, properties: { p: { $get_property: [ a, p ] } } }\n";
    let sources = Sources::new();
    assert!(reading(&sources, text).topology.is_some());
}

/// Does something that ends quickly unless something is wrong.
fn guarded(work: impl FnOnce() + Send + 'static) {
    let (done, ended) = mpsc::channel::<()>();
    let worker = thread::spawn(move || {
        work();
        drop(done);
    });
    let ended = ended.recv_timeout(Duration::from_mins(5));
    assert_ne!(ended, Err(mpsc::RecvTimeoutError::Timeout), "a text took more than five minutes");
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}

const TWO: &str = "tosca_definitions_version: tosca_2_0\n";

/// The types of a section, each with its number.
fn types(section: &str, count: usize, one: impl Fn(usize) -> String) -> String {
    let mut text = format!("{TWO}{section}:\n");
    for at in 0..count {
        let _ = writeln!(text, "  T{at}: {}", one(at));
    }
    text
}

#[test]
fn a_circle_of_many_types_takes_no_stack() {
    guarded(|| {
        for section in ["node_types", "data_types", "capability_types", "interface_types"] {
            let count = 12_000;
            let text = types(section, count, |at| format!("{{ derived_from: T{} }}", (at + 1) % count));
            assert!(codes(&text).contains("TSC011"), "{section}");
        }
    });
}

#[test]
fn long_lines_of_types_take_no_stack() {
    guarded(|| {
        for section in ["node_types", "data_types", "capability_types", "interface_types"] {
            let line = |count| {
                let text = types(section, count, |at| match at {
                    0 if section == "interface_types" => "{}".to_owned(),
                    0 => "{ properties: { p: { type: string } } }".to_owned(),
                    _ => format!("{{ derived_from: T{} }}", at - 1),
                });
                codes(&text).into_iter().collect::<Vec<_>>()
            };
            assert_eq!(line(12_000), ["TSC083"], "{section}");
            assert_eq!(line(1_000), [""; 0], "{section}");
        }
    });
}

#[test]
fn data_types_within_data_types_take_no_stack() {
    guarded(|| {
        let field =
            types("data_types", 12_000, |at| format!("{{ properties: {{ p: {{ type: T{} }} }} }}", at + 1));
        let found = codes(&format!("{field}  T12000: {{ derived_from: string }}\n"));
        assert!(found.is_empty(), "{found:?}");
        let entry = |at: usize| format!("{{ derived_from: list, entry_schema: T{} }}", at + 1);
        let found =
            codes(&format!("{}  T12000: {{ derived_from: string }}\n", types("data_types", 12_000, entry)));
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["TSC083"]);
        let found = codes(&format!("{}  T90: {{ derived_from: string }}\n", types("data_types", 90, entry)));
        assert!(found.is_empty(), "{found:?}");
    });
}

#[test]
fn types_that_inherit_too_much_are_cut_off() {
    guarded(|| {
        let one = |at: usize| match at {
            0 => "{ properties: { p0: { type: string } } }".to_owned(),
            _ => format!("{{ derived_from: T{}, properties: {{ p{at}: {{ type: string }} }} }}", at - 1),
        };
        for section in ["node_types", "data_types", "capability_types"] {
            assert!(codes(&types(section, 4_000, one)).contains("TSC083"), "{section}");
            assert!(codes(&types(section, 400, one)).is_empty(), "{section}");
        }
    });
}

#[test]
fn requirements_that_name_capabilities_of_each_other_take_no_stack() {
    guarded(|| {
        let text = types("node_types", 12_000, |at| {
            let next = (at + 1) % 12_000;
            format!(
                "{{ capabilities: {{ c: C }}, requirements: [ r: {{ node: T{next}, capability: c, relationship: R }} ] }}"
            )
        });
        let found =
            codes(&format!("{text}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\n"));
        assert!(found.is_empty(), "{found:?}");
    });
}

#[test]
fn a_type_may_require_one_that_derives_from_it() {
    let text = format!(
        "{TWO}capability_types: {{ C: {{}} }}\nrelationship_types: {{ R: {{}} }}\nnode_types:\n  A: {{ capabilities: {{ c: C }}, \
         requirements: [ r: {{ node: B, capability: c, relationship: R }} ] }}\n  B: {{ derived_from: A }}\n"
    );
    assert_eq!(codes(&text), std::collections::BTreeSet::new());
}

#[test]
fn inputs_that_double_each_other_are_evaluated_once() {
    guarded(|| {
        let mut text = format!(
            "{TWO}service_template:\n  node_templates: {{}}\n  inputs:\n    i0: {{ type: string, default: xxxxxxxx }}\n"
        );
        for at in 1..60 {
            let call = format!("{{ $get_input: i{} }}", at - 1);
            let _ =
                writeln!(text, "    i{at}: {{ type: string, default: {{ $concat: [ {call}, {call} ] }} }}");
        }
        assert!(codes(&text).is_empty());
    });
}
