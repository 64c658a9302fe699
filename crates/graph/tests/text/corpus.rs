//! Files that are wrong, each with what is said of it, and near misses, of which nothing is said.

use std::path::Path;

use crate::{files, findings, workspace};

pub(crate) fn corpus() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/text/corpus");
    let mut all = files(&directory, ".lg.yaml");
    all.extend(files(&directory, ".lg.json"));
    all
}

#[test]
fn what_is_wrong_is_said_with_all_places() {
    let wrong: Vec<_> = corpus().into_iter().filter(|(name, _)| !name.starts_with("ok-")).collect();
    assert!(wrong.len() > 15);
    for (name, text) in wrong {
        let (_, found) = findings(&name, &text);
        assert!(!found.is_empty(), "{name}");
        insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "corpus/found" }, {
            insta::assert_snapshot!(name.as_str(), found);
        });
    }
}

#[test]
fn of_near_misses_nothing_is_said() {
    let fine: Vec<_> = corpus().into_iter().filter(|(name, _)| name.starts_with("ok-")).collect();
    assert!(fine.len() > 5);
    for (name, text) in fine {
        assert_eq!(findings(&name, &text).1, "", "{name}");
    }
}

#[test]
fn examples_are_right() {
    let examples = files(&workspace().join("examples"), ".lg.yaml");
    assert!(examples.len() >= 4);
    for (name, text) in examples {
        let (graph, found) = findings(&name, &text);
        assert_eq!(found, "", "{name}");
        assert!(!graph.is_empty(), "{name}");
    }
}

#[test]
fn the_figures_of_the_report_bind_what_they_show() {
    let bound = |name: &str| {
        let text = std::fs::read_to_string(workspace().join("examples").join(name)).unwrap();
        let (graph, _) = findings(name, &text);
        let mut pairs: Vec<String> = graph
            .bindings()
            .iter()
            .map(|b| {
                let mut ends = [graph.name_of(b.provider), graph.name_of(b.requirer)];
                ends.sort_unstable();
                ends.concat()
            })
            .collect();
        pairs.sort();
        pairs.join(" ")
    };
    // Figure 1: D and F interact directly; F shares no role with C or E.
    let figure1 = bound("figure1.lg.yaml");
    assert!(figure1.contains("DF") && !figure1.contains("CF") && !figure1.contains("EF"), "{figure1}");
    assert_eq!(bound("figure2.lg.yaml"), "CR DR ER");
    assert_eq!(bound("figure3.lg.yaml"), "CR1 DR1 DR2 ER2 RR1 RR2");
}
