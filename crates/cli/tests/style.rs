//! The style of comments and pages: lines within [`WIDTH`] columns, and doc comments that say what a thing is or does.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::root;

/// The widest line of a comment or of a page.
const WIDTH: usize = 120;

/// Words that begin no doc comment: a summary begins with a verb in the third person, or with the noun that it is
/// about.
const OPENINGS: [&str; 6] = ["What ", "Who ", "Whoever ", "Nobody ", "Somebody ", "What's "];

/// How much of a file is not clean.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Left {
    wide: usize,
    openings: usize,
}

/// All files that are looked at, by their paths from the root.
fn files() -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of ours can be read") {
            let path = entry.expect("a folder of ours can be read").path();
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            // A log has measurements as they were written down.
            let is_ours = !name.starts_with('.') && !["target", "corpus", "log"].contains(&name.as_str());
            if path.is_dir() && is_ours {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs" || ending == "md") {
                found.push(path.strip_prefix(root()).expect("it is below").display().to_string());
            }
        }
    }
    found.sort();
    found
}

fn is_wide(line: &str) -> bool {
    line.chars().count() > WIDTH
}

/// The text of a doc comment's line.
fn documentation(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
}

/// Code is formatted by `cargo fmt`, which leaves comments as they are.
fn in_code(text: &str) -> Left {
    let mut left = Left::default();
    let mut is_first = true;
    for line in text.lines() {
        left.wide += usize::from(is_wide(line) && line.trim_start().starts_with("//"));
        let documentation = documentation(line);
        if let Some(summary) = documentation.filter(|_| is_first) {
            let begins = |opening: &&str| summary.trim_start().starts_with(*opening);
            left.openings += usize::from(OPENINGS.iter().any(begins));
        }
        is_first = documentation.is_none();
    }
    left
}

/// Tables, addresses and what programs print may be as wide as they are.
fn in_page(text: &str) -> Left {
    let mut left = Left::default();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        let is_free = is_code || line.starts_with('|') || line.contains("://") || line.contains("](");
        left.wide += usize::from(is_wide(line) && !is_free);
    }
    left
}

#[test]
fn comments_and_pages_are_clean() {
    let mut wrong = BTreeMap::new();
    for file in files() {
        let text = std::fs::read_to_string(root().join(&file)).expect("it is text");
        let is_page = Path::new(&file).extension().is_some_and(|ending| ending == "md");
        let left = if is_page { in_page(&text) } else { in_code(&text) };
        if left != Left::default() {
            wrong.insert(file, left);
        }
    }
    assert!(
        wrong.is_empty(),
        "keep lines within {WIDTH} columns, and begin doc comments with what a thing is or does: {wrong:#?}"
    );
}

#[test]
fn openings_and_wide_lines_are_counted() {
    let wide = "x".repeat(WIDTH);
    let code = format!(
        "//! What it is.\n/// Returns it.\n/// What follows.\n// {wide}\n\"{wide}x\"\n    /// Who it is.\n/// Whatever.\n"
    );
    assert_eq!(in_code(&code), Left { wide: 1, openings: 2 });
    assert_eq!(
        in_code("/// Who it is.\nfn a() {}\n/// Nobody.\n/// Nobody is there.\n"),
        Left { wide: 0, openings: 1 }
    );
    let page = format!("{wide}\nx{wide}\n| {wide} |\n```\nx{wide}\n```\nhttps://x/{wide}\n{wide}ä\n");
    assert_eq!(in_page(&page), Left { wide: 2, openings: 0 });
}
