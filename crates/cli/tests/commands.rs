//! Documents that run: the README and the pages under `tests/cmd` show commands and what they write.

use std::path::Path;

#[test]
fn documents_show_what_happens() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down");
    std::env::set_current_dir(root).expect("the root folder is there");
    trycmd::TestCases::new()
        .case("README.md")
        .case("crates/cli/tests/cmd/*.md")
        .case("crates/cli/tests/cmd/*.toml");
}

/// The picture in the README is what the command draws.
#[test]
fn the_picture_of_the_readme_is_current() {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("crates/cli is two levels down");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_locus"))
        .current_dir(root)
        .args(["graph", "examples/web.lg.yaml", "--to", "svg"])
        .output()
        .expect("the command runs");
    let current = std::fs::read_to_string(root.join("docs/images/web.svg")).expect("the picture is there");
    assert!(output.status.success());
    assert!(
        String::from_utf8_lossy(&output.stdout) == current,
        "draw it anew: locus graph examples/web.lg.yaml -o docs/images/web.svg"
    );
}
