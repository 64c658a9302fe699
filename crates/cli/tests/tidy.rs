//! House rules that a program can check. See `CONTRIBUTING.md` for the others.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use common::root;

/// Longest source file. A longer one holds more than one idea.
const MOST_LINES: usize = 800;

/// All files below the crates' folders and the documents, with the given endings.
fn files(endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders: Vec<_> =
        ["crates", "docs", "examples", "bench", "fuzz"].iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("a folder of ours can be read").path();
            if path.is_dir() && !path.ends_with("target") && !path.ends_with("corpus") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

#[test]
fn every_module_says_what_lives_there() {
    let silent: Vec<_> = files(&["rs"])
        .iter()
        .filter(|path| {
            !std::fs::read_to_string(path)
                .unwrap()
                .trim_start_matches("#![no_main]")
                .trim_start()
                .starts_with("//!")
        })
        .map(|path| name(path))
        .collect();
    assert!(silent.is_empty(), "these files do not start with a `//!` comment: {silent:#?}");
}

#[test]
fn no_source_file_is_too_long() {
    let long: Vec<_> = files(&["rs"])
        .iter()
        .map(|path| (std::fs::read_to_string(path).unwrap().lines().count(), name(path)))
        .filter(|&(lines, _)| lines > MOST_LINES)
        .collect();
    assert!(long.is_empty(), "these files have more than {MOST_LINES} lines: {long:#?}");
}

#[test]
fn no_line_ends_in_blanks() {
    let mut bad = Vec::new();
    for path in files(&["rs", "md", "toml", "py"]) {
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text.lines().enumerate().filter(|(_, line)| line.ends_with([' ', '\t']));
        bad.extend(lines.map(|(i, _)| format!("{}:{}", name(&path), i + 1)));
    }
    assert!(bad.is_empty(), "{bad:#?}");
}

/// Which of our crates each of our crates uses, by their manifests.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(manifest) = std::fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let ours = manifest
            .lines()
            .skip_while(|line| *line != "[dependencies]")
            .skip(1)
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.strip_prefix("locus-"))
            .map(|line| line.split(['.', ' ']).next().unwrap_or(line).to_owned());
        found.insert(folder.file_name().unwrap().to_str().unwrap().to_owned(), ours.collect());
    }
    found
}

/// Which of our crates each may use, by the table in `docs/architecture.md`.
fn allowed() -> BTreeMap<String, Option<BTreeSet<String>>> {
    let text = std::fs::read_to_string(root().join("docs/architecture.md")).unwrap();
    let quoted =
        |cell: &str| -> BTreeSet<String> { cell.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    text.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").collect();
            let crate_name = quoted(cells[0]).into_iter().next().expect("a name");
            let uses = cells[2].trim();
            (crate_name, (uses != "all").then(|| quoted(uses)))
        })
        .collect()
}

#[test]
fn dependencies_point_one_way() {
    let allowed = allowed();
    for (crate_name, uses) in dependencies() {
        let may = allowed.get(&crate_name);
        let may = may.unwrap_or_else(|| panic!("docs/architecture.md has no row for crate `{crate_name}`"));
        if let Some(may) = may {
            let wrong: Vec<_> = uses.difference(may).collect();
            assert!(wrong.is_empty(), "crate `{crate_name}` uses {wrong:?}, against docs/architecture.md");
        }
    }
    for crate_name in allowed.keys() {
        assert!(dependencies().contains_key(crate_name), "there is no crate `{crate_name}`");
    }
}

/// A manifest's dependencies: the lines below each header that ends in `dependencies`, with the name that each begins
/// with.
fn dependency_lines(manifest: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut is_inside = false;
    for line in manifest.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('[') {
            let header = line.trim_matches(['[', ']']);
            is_inside = header.ends_with("dependencies");
            // A table of its own for one dependency.
            let own = header.split_once("dependencies.").filter(|_| !is_inside);
            found.extend(own.map(|(_, name)| (name, line)));
        } else if is_inside {
            found.push((line.split([' ', '.', '=']).next().unwrap_or(line), line));
        }
    }
    found
}

/// The manifests of the crates, with that of the command in the root folder.
fn manifests() -> Vec<(PathBuf, String)> {
    let crates = std::fs::read_dir(root().join("crates")).unwrap();
    let mut paths: Vec<_> = crates.map(|entry| entry.unwrap().path().join("Cargo.toml")).collect();
    paths.push(root().join("Cargo.toml"));
    paths.sort();
    paths.into_iter().filter_map(|path| Some((path.clone(), std::fs::read_to_string(path).ok()?))).collect()
}

#[test]
fn dependencies_are_found_in_every_form() {
    let manifest = "[dependencies]\na = \"1\"\n# no\nb.workspace = true\n[target.'cfg(x)'.dev-dependencies]\nc = { workspace = \
                    true }\n[build-dependencies.d]\nversion = \"1\"\n[features]\ne = []\n";
    let names: Vec<_> = dependency_lines(manifest).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
}

#[test]
fn every_dependency_is_declared_once_used_and_argued_for() {
    let text = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (before, declared) = text.split_once("[workspace.dependencies]\n").expect("there is a list");
    let (list, _) = declared.split_once("\n[").expect("others follow");
    let listed: BTreeSet<_> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(" = ").map(|(dependency, _)| dependency))
        .collect();
    let mut used = BTreeSet::new();
    let mut wrong = Vec::new();
    for (path, manifest) in manifests() {
        let manifest = if path == root().join("Cargo.toml") { before.to_owned() } else { manifest };
        for (dependency, line) in dependency_lines(&manifest) {
            if !line.contains("workspace = true") {
                wrong.push(format!("{}: `{line}` is not that of the workspace", name(&path)));
            }
            used.insert(dependency.to_owned());
        }
    }
    let is_unused = |dependency: &&&str| !used.contains(**dependency);
    wrong.extend(listed.iter().filter(is_unused).map(|one| format!("Cargo.toml: nothing uses `{one}`")));
    let argued = std::fs::read_to_string(root().join("docs/dependencies.md")).unwrap();
    let rows = argued.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let named: BTreeSet<_> =
        rows.flat_map(|cell| cell.split(['`', ',', ' '])).filter(|one| !one.is_empty()).collect();
    let others: BTreeSet<_> = listed.into_iter().filter(|one| !one.starts_with("locus-")).collect();
    wrong.extend(
        others.difference(&named).map(|one| format!("docs/dependencies.md does not say why we need `{one}`")),
    );
    wrong.extend(
        named
            .difference(&others)
            .map(|one| format!("docs/dependencies.md argues for `{one}`, which is not used")),
    );
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Files of tests that wait for somebody else, a server say, and give up at some time.
const WAITING: [&str; 6] = [
    "crates/cli/tests/engine_drivers.rs",
    "crates/cli/tests/engine_ways_out.rs",
    "crates/drivers/src/conformance.rs",
    "crates/drivers/tests/runners.rs",
    "crates/store/tests/common/mod.rs",
    "crates/store/tests/stores.rs",
];

#[test]
fn no_test_asserts_how_long_something_takes() {
    let mut timed = Vec::new();
    for path in files(&["rs"]) {
        let name = name(&path);
        if WAITING.contains(&&*name) || name.ends_with("tidy.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| line.contains("assert") && line.contains("elapsed()"));
        timed.extend(lines.map(|(at, _)| format!("{name}:{}", at + 1)));
    }
    assert!(timed.is_empty(), "a busy machine fails these; see crates/source/tests/effort: {timed:#?}");
}

/// The rows of a table whose columns are separated by tabs, each as a map from column to cell.
fn table(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).expect("the table is there");
    let mut lines = text.lines();
    let columns: Vec<_> = lines.next().unwrap_or_default().split('\t').collect();
    lines
        .enumerate()
        .map(|(at, line)| {
            let cells: Vec<_> = line.split('\t').collect();
            assert_eq!(cells.len(), columns.len(), "{}:{}: another number of columns", name(path), at + 2);
            columns.iter().zip(cells).map(|(column, cell)| ((*column).to_owned(), cell.to_owned())).collect()
        })
        .collect()
}

/// The table of claims of an area, of all of them, or of those for the README.
fn claims(rows: &[BTreeMap<String, String>], area: &str) -> String {
    if area == "readme" {
        return claims_in_short(rows);
    }
    let mut text = String::from(
        "| claim | on | set | Locus | peer | | goal | measured |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let of_area = rows.iter().filter(|row| area == "all" || row["area"] == area);
    for row in of_area {
        let version = if row["version"] == "–" { String::new() } else { format!(" {}", row["version"]) };
        let theirs = if row["theirs"] == "–" { String::new() } else { format!(": {}", row["theirs"]) };
        let cells = [
            format!("{}: {}", row["area"], row["what"]),
            row["cases"].clone(),
            row["set"].clone(),
            row["ours"].clone(),
            format!("{}{version}{theirs}", row["peer"]),
            row["ratio"].clone(),
            row["goal"].clone(),
            format!("{}, `{}`", row["date"], row["program"]),
        ];
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// The claims that the README shows.
fn claims_in_short(rows: &[BTreeMap<String, String>]) -> String {
    let mut text = String::from("| | on | Locus | peer | |\n| --- | --- | --- | --- | --- |\n");
    for row in rows.iter().filter(|row| row["readme"] == "yes") {
        let known = |cell: &str| if row[cell] == "–" { String::new() } else { row[cell].clone() };
        let theirs = known("theirs");
        let peer = [known("peer"), known("version")].join(" ");
        let peer = if theirs.is_empty() { peer } else { format!("{peer}: {theirs}") };
        let set = if row["set"] == "all" { String::new() } else { format!(" ({})", row["set"]) };
        let (area, what, on) = (&row["area"], &row["what"], &row["cases"]);
        let (ours, ratio) = (known("ours"), known("ratio"));
        let _ = writeln!(text, "| {area}: {what} | {on}{set} | {ours} | {} | {ratio} |", peer.trim());
    }
    text
}

/// With `LOCUS_WRITE` set, writes the tables anew instead.
#[test]
fn claims_are_made_from_the_results() {
    let rows = table(&root().join("bench/results/claims.tsv"));
    let mut stale = Vec::new();
    let pages = files(&["md"]).into_iter().chain([root().join("README.md")]);
    for path in pages {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let Some((before, rest)) = text.split_once("<!-- claims: ") else { continue };
        let (area, rest) = rest.split_once(" -->\n").expect("the mark is a line of its own");
        let (block, after) = rest.split_once("<!-- end of claims -->").expect("the block has an end");
        let fresh = claims(&rows, area);
        assert!(fresh.lines().count() > 2, "{}: there are no claims about {area}", name(&path));
        if block != fresh && std::env::var_os("LOCUS_WRITE").is_some() {
            let text = format!("{before}<!-- claims: {area} -->\n{fresh}<!-- end of claims -->{after}");
            std::fs::write(&path, text).expect("it can be written");
        } else if block != fresh {
            stale.push(name(&path));
        }
    }
    assert!(stale.is_empty(), "set LOCUS_WRITE=1 and run this test again, to write anew: {stale:#?}");
}

/// Of every rule that the command carries with it, the comment says of which configurations it speaks.
#[test]
fn every_rule_says_when_it_holds() {
    let mut silent = Vec::new();
    let mut count = 0;
    for language in std::fs::read_dir(root().join("rules")).expect("there are rules") {
        let folder = language.expect("it can be listed").path();
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_none_or(|extension| extension != "als") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it can be read");
            for listed in locus_rules::scan(&text) {
                count += 1;
                if listed.description.when.is_none() {
                    silent.push(format!("{} in {}", listed.description.rule.code, name(&path)));
                }
            }
        }
    }
    assert!(count > 400, "only {count} rules were found");
    assert!(silent.is_empty(), "say `@when always`, `end`, `delete` or `text`: {silent:#?}");
}
