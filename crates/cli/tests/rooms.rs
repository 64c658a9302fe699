//! The rooms of languages: the crates that they name, the folders that they have, and what is decided in which of them.
//! `docs/architecture.md` says why. Rules for all crates are in `tidy.rs`.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use common::root;

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The entries of a folder, in the order of their names.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> =
        entries.map(|entry| entry.expect("a folder of ours can be read").path()).collect();
    paths.sort();
    paths
}

/// All files of Rust below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

fn is_language(krate: &Path) -> bool {
    let source = krate.join("src");
    source.is_dir() && files(&source).iter().any(|path| text(path).contains("\nimpl Language for "))
}

/// The crates that are languages. The command has the implementation of some whose crates are below the seam.
fn languages() -> BTreeSet<String> {
    let crates = entries(&root().join("crates")).into_iter().filter(|krate| is_language(krate));
    let name = |krate: PathBuf| krate.file_name().expect("it has a name").to_string_lossy().into_owned();
    crates.map(name).filter(|name| name != "cli").collect()
}

/// The folder of the sources of a language.
fn source(language: &str) -> PathBuf {
    root().join("crates").join(language).join("src")
}

/// The words in backticks.
fn quoted(text: &str) -> BTreeSet<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A text of Rust without its comments and its tests.
fn code(text: &str) -> String {
    let before = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = before.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Documents go to pictures, plans and rules by their meaning alone, so that no language can do it in a way of its own.
#[test]
fn languages_do_not_name_what_is_made_of_their_meaning() {
    let architecture = text(&root().join("docs/architecture.md"));
    let mut never = BTreeMap::new();
    for line in architecture.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").collect();
        if let [name, _, _, others] = &cells[..] {
            never.extend(quoted(name).into_iter().map(|name| (name, quoted(others))));
        }
    }
    let listed: BTreeSet<String> = never.keys().cloned().collect();
    assert_eq!(
        listed,
        languages(),
        "the last column of the table in docs/architecture.md is that of languages"
    );
    for (language, never) in never {
        for one in ["graph", "plan", "engine", "drivers", "relational", "rules"] {
            assert!(never.contains(one), "{language} may name `{one}` by docs/architecture.md");
        }
        let manifest = text(&root().join("crates").join(&language).join("Cargo.toml"));
        // Tests look at what is made of a meaning.
        let used = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        let names = used.lines().filter_map(|line| line.strip_prefix("locus-")?.split(['.', ' ']).next());
        let wrong: Vec<_> = names.filter(|name| never.contains(*name)).collect();
        assert!(wrong.is_empty(), "crate `{language}` uses {wrong:?}, against docs/architecture.md");
    }
}

/// The keys by which documents say whether something is there, and how many there are of it.
const DECIDE: &[(&str, &[&str])] = &[
    ("cloudformation", &["Condition"]),
    ("compose", &["external", "profiles", "replicas", "scale"]),
    ("fractal", &[]),
    ("hot", &["condition", "count", "desired_capacity", "external_id", "min_size"]),
    ("occi", &[]),
    ("toy", &["count"]),
    (
        "tosca",
        &[
            "count",
            "count_range",
            "instance_count",
            "occurrences",
            "select",
            "selectable",
            "substitute",
            "substitutable",
        ],
    ),
];

/// Other places of such words, which decide nothing, and why they stand there.
const ELSEWHERE: &[(&str, &str, &str, &str)] = &[
    ("cloudformation", "Condition", "policy.rs", "a key of statements in policies"),
    ("cloudformation", "Condition", "values/conditions.rs", "the function that asks for another condition"),
    ("cloudformation", "Condition", "values/functions.rs", "the function that asks for another condition"),
    ("cloudformation", "Condition", "values/mod.rs", "the function that asks for another condition"),
    ("compose", "external", "types/fields.rs", "the table of keys and their types"),
    ("compose", "profiles", "types/fields.rs", "the table of keys and their types"),
    ("compose", "replicas", "types/fields.rs", "the table of keys and their types"),
    ("compose", "scale", "types/fields.rs", "the table of keys and their types"),
    ("hot", "condition", "values/functions.rs", "the help for a function that takes one"),
    ("hot", "count", "build/members.rs", "each member of a group, as it is built without Heat"),
    ("hot", "desired_capacity", "build/members.rs", "each member of a group, as it is built without Heat"),
    ("hot", "min_size", "build/members.rs", "each member of a group, as it is built without Heat"),
    ("toy", "count", "values.rs", "the names that are proposed for a misspelt one"),
];

#[test]
fn existence_and_number_are_decided_where_a_document_is_read() {
    let decide: BTreeMap<_, _> = DECIDE.iter().copied().collect();
    let known: BTreeSet<String> = decide.keys().map(|&language| language.to_owned()).collect();
    assert_eq!(known, languages(), "each language has a row in DECIDE");
    let mut found = BTreeSet::new();
    for (language, keys) in DECIDE {
        let source = source(language);
        for key in *keys {
            let word = format!("\"{key}\"");
            let mut is_read = false;
            for path in files(&source) {
                if !code(&text(&path)).contains(&word) {
                    continue;
                }
                let below = path.strip_prefix(&source).expect("it is below").to_string_lossy().into_owned();
                if ["read", "meaning"].contains(&below.split(['/', '.']).next().unwrap_or_default()) {
                    is_read = true;
                } else {
                    found.insert((*language, *key, below));
                }
            }
            assert!(is_read, "nothing of {language} reads `{key}`");
        }
    }
    let expected: BTreeSet<_> =
        ELSEWHERE.iter().map(|(language, key, file, _)| (*language, *key, (*file).to_owned())).collect();
    assert_eq!(found, expected, "decide it in read/ or meaning/, or say in ELSEWHERE why it is there");
}

/// The rooms that a language has at the top of its sources: folders, and files that are no folders yet.
fn rooms(language: &str) -> BTreeSet<String> {
    let name = |path: PathBuf| path.file_stem().expect("it has a name").to_string_lossy().into_owned();
    entries(&source(language)).into_iter().map(name).collect()
}

#[test]
fn languages_have_the_same_rooms() {
    for language in languages() {
        let rooms = rooms(&language);
        for room in ["language", "lib", "library", "meaning", "read", "rules", "values"] {
            assert!(rooms.contains(room), "{language} has no room `{room}`");
        }
        assert_eq!(
            ["catalogue", "types"].iter().filter(|room| rooms.contains(**room)).count(),
            1,
            "{language} has either `types` or a `catalogue`"
        );
        let text = text(&source(&language).join("lib.rs"));
        let said: BTreeSet<String> = text
            .lines()
            .filter_map(|line| line.strip_prefix("//! - "))
            .flat_map(|line| quoted(line.split(':').next().unwrap_or_default()))
            .collect();
        let silent: Vec<_> = rooms
            .iter()
            .filter(|room| !["lib", "language"].contains(&&***room) && !said.contains(*room))
            .collect();
        assert!(silent.is_empty(), "the `//!` of {language}/src/lib.rs does not say what is in {silent:?}");
    }
}

/// The modules of the crate that a text names.
fn named(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in code(text).split("crate::").skip(1) {
        let word = |text: &str| -> String {
            text.trim_start().chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()
        };
        match path.strip_prefix('{') {
            Some(list) => names.extend(list.split('}').next().unwrap_or_default().split(',').map(word)),
            None => drop(names.insert(word(path))),
        }
    }
    names
}

/// Which rooms of a language need which.
fn needs(language: &str) -> BTreeMap<String, BTreeSet<String>> {
    let source = source(language);
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files(&source) {
        let below = path.strip_prefix(&source).expect("it is below");
        let top = below.components().next().expect("it has a name").as_os_str().to_string_lossy();
        let room = top.trim_end_matches(".rs").to_owned();
        // All comes together there, and in the seam to the command.
        if ["lib", "language"].contains(&&*room) {
            continue;
        }
        let others = named(&text(&path)).into_iter().filter(|other| *other != room);
        needs.entry(room.clone()).or_default().extend(others);
    }
    let rooms: BTreeSet<String> = needs.keys().cloned().collect();
    for others in needs.values_mut() {
        others.retain(|other| rooms.contains(other));
    }
    needs
}

#[test]
fn no_two_rooms_of_a_language_need_each_other() {
    for language in languages() {
        let mut needs = needs(&language);
        let count: usize = needs.values().map(BTreeSet::len).sum();
        assert!(count > 0, "{language}: {needs:?}");
        // Those that need no other are taken away, until none are left.
        while !needs.is_empty() {
            let free: Vec<String> =
                needs.iter().filter(|(_, others)| others.is_empty()).map(|(room, _)| room.clone()).collect();
            assert!(!free.is_empty(), "in {language} these need each other in a circle: {needs:#?}");
            needs.retain(|room, _| !free.contains(room));
            for others in needs.values_mut() {
                others.retain(|other| !free.contains(other));
            }
        }
    }
}

/// Most lines of a language that has everything: its sources, its rules, its examples and its manifest.
const MOST_LINES_OF_THE_TOY: usize = 600;

/// The toy language has types, references, counts, a rule in Alloy, fixes, suggestions, lifecycles, plans, deployments
/// and pictures (`crates/cli/src/acceptance.rs`), and is a crate and one line in the table of the command.
#[test]
fn a_language_with_everything_is_small() {
    let folder = root().join("crates/toy");
    let rules = entries(&folder.join("rules"));
    let all = files(&folder.join("src")).into_iter().chain(rules).chain([folder.join("Cargo.toml")]);
    let lines: usize = all.map(|path| text(&path).lines().count()).sum();
    assert!(lines <= MOST_LINES_OF_THE_TOY, "it has {lines} lines");
    let mut mentions = Vec::new();
    for path in
        files(&root().join("crates/cli/src")).into_iter().filter(|path| !path.ends_with("acceptance.rs"))
    {
        let text = text(&path);
        mentions.extend(
            text.lines().filter(|line| line.contains("locus_toy")).map(|line| line.trim().to_owned()),
        );
    }
    assert_eq!(mentions, ["&locus_toy::Toy,"], "its row in the table, and nothing else");
}

/// The codes with this start that a text has, each as often as it does.
fn codes(text: &str, start: &str) -> Vec<String> {
    let after = text.match_indices(start).map(|(at, _)| &text[at..]);
    let digits = |rest: &str| rest[start.len()..].bytes().take_while(u8::is_ascii_digit).count();
    let found = after.filter(|rest| digits(rest) == 3).map(|rest| rest[..start.len() + 3].to_owned());
    let mut all: Vec<String> = found.collect();
    all.sort();
    all
}

#[test]
fn rules_that_stay_native_are_listed_with_the_reason() {
    let page = text(&root().join("docs/native-rules.md"));
    for (language, start) in [("compose", "CMP"), ("tosca", "TSC")] {
        let listed = codes(&page, start);
        // Explanations name other rules.
        let rules = text(&source(language).join("rules.rs"));
        let quote = format!("\"{start}");
        let mut there: Vec<String> =
            codes(&rules, &quote).into_iter().map(|code| code.trim_matches('"').to_owned()).collect();
        there.sort();
        assert_eq!(listed, there, "docs/native-rules.md lists each rule of {language} once");
    }
}
