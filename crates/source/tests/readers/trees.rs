//! Trees of small files, with all their places, as snapshots.

use std::path::Path;

use crate::common;
use locus_source::json::{self, JsonOptions};
use locus_source::yaml::{self, YamlOptions};

/// Reads every file of a folder beside this one and compares what comes of it with the snapshot of its name.
fn corpus(folder: &str, read: impl Fn(&str) -> String) {
    let folder_path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/readers").join(folder);
    let mut paths: Vec<_> =
        std::fs::read_dir(folder_path).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        insta::assert_snapshot!(format!("{folder}-{name}"), format!("{text}\n----\n{}", read(&text)));
    }
}

#[test]
fn yaml_files_have_these_trees() {
    corpus("yaml", |text| {
        let file = common::file(text);
        common::show(&file, &yaml::parse(&file, &YamlOptions::default()))
    });
}

#[test]
fn mistakes_in_yaml_are_shown_where_they_were_made() {
    let read = |text: &str| {
        let file = common::file(text);
        let parsed = yaml::parse(&file, &YamlOptions::default());
        assert!(!parsed.findings.is_empty(), "{text}");
        common::show(&file, &parsed)
    };
    corpus("yaml-mistakes", read);
}

#[test]
fn json_files_have_these_trees() {
    corpus("json", |text| {
        let file = common::file(text);
        common::show(&file, &json::parse(&file, &JsonOptions::default()))
    });
}
