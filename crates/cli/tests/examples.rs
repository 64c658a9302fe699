//! The examples as a newcomer tries them: in a clone, which stays as it was.

mod common;

use std::path::Path;
use std::process::Command;

use common::{Project, code, text};

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("it can be made");
    for entry in std::fs::read_dir(from).expect("it can be listed") {
        let path = entry.expect("it can be listed").path();
        let target = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("it can be copied");
        }
    }
}

/// The output of git in a folder.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").args(arguments).current_dir(folder).output().expect("git can be run");
    assert!(output.status.success(), "{}", text(&output));
    String::from_utf8(output.stdout).expect("names are text")
}

#[test]
fn examples_leave_a_clone_as_it_was() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down");
    let clone = Project::new(&[]);
    // Those that were run before the copy are no part of it.
    copy(&root.join("examples"), &clone.path().join("examples"));
    let _ = std::fs::remove_dir_all(clone.path().join("examples/engine/services"));
    std::fs::copy(root.join(".gitignore"), clone.path().join(".gitignore")).expect("it can be copied");
    git(clone.path(), &["init", "--quiet"]);
    git(clone.path(), &["add", "--all"]);
    for (command, exit) in [
        (&["check", "examples"][..], 1),
        (&["check", "--suggest", "examples/broken/compose.yaml"], 1),
        (&["graph", "examples/web.lg.yaml"], 0),
        (&["plan", "--verify", "examples/hot/stack.yaml"], 0),
        (&["alloy", "run", "examples/placement.als"], 0),
        (&["tla", "check", "examples/Rollout.tla"], 0),
        (&["tla", "trace", "examples/Rollout.tla", "--log", "examples/rollout.ndjson"], 1),
        (&["rules", "test", "examples/rules/naming.als"], 0),
        (&["up", "examples/engine/shop.yaml", "--yes"], 0),
        (&["up", "examples/engine/site.aeolus.yaml", "--yes"], 0),
        (&["down", "site", "--yes"], 0),
    ] {
        let output = clone.locus(command);
        assert_eq!(code(&output), exit, "{command:?}: {}", text(&output));
        let left = git(clone.path(), &["ls-files", "--others", "--exclude-standard"]);
        let changed = git(clone.path(), &["diff", "--name-only"]);
        assert_eq!(left + &changed, "", "{command:?} changes the clone");
    }
}
