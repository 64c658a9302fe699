//! Damaged texts give findings, never a panic, and reading them takes no longer than they deserve.

mod common;

use std::fmt::Write as _;

use common::reading;
use locus_source::Sources;
use locus_tosca::{Relationships, graph};

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
            assert!(locus_graph::is_well_formed(&graph(topology, Relationships::Bindings)), "{text}");
            assert!(locus_graph::is_well_formed(&graph(topology, Relationships::Locations)), "{text}");
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
