//! The folders of the crate: none of them needs one that needs it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of ours can be read") {
        let path = entry.expect("a folder of ours can be read").path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

/// The modules of the crate that a text names, comments excepted.
fn named(text: &str) -> BTreeSet<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(|line| line.split("crate::").skip(1));
    paths.map(|path| path.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect()).collect()
}

/// Which modules at the top of the crate need which.
fn needs() -> BTreeMap<String, BTreeSet<String>> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut needs: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files(&source) {
        let below = path.strip_prefix(&source).expect("it is below");
        let top = below.components().next().expect("it has a name").as_os_str().to_string_lossy();
        let room = top.trim_end_matches(".rs").to_owned();
        // All comes together there, and in the seam to the command.
        if ["lib", "language"].contains(&&*room) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a file of ours can be read");
        let others = named(&text).into_iter().filter(|other| *other != room);
        needs.entry(room.clone()).or_default().extend(others);
    }
    let rooms: BTreeSet<String> = needs.keys().cloned().collect();
    for others in needs.values_mut() {
        others.retain(|other| rooms.contains(other));
    }
    needs
}

#[test]
fn no_two_folders_need_each_other() {
    let mut needs = needs();
    assert!(needs["values"].contains("service") && needs["service"].contains("types"), "{needs:?}");
    // Those that need no other are taken away, until none are left.
    while !needs.is_empty() {
        let free: Vec<String> =
            needs.iter().filter(|(_, others)| others.is_empty()).map(|(room, _)| room.clone()).collect();
        assert!(!free.is_empty(), "these need each other in a circle: {needs:#?}");
        needs.retain(|room, _| !free.contains(room));
        for others in needs.values_mut() {
            others.retain(|other| !free.contains(other));
        }
    }
}
