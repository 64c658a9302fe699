//! Part of the build scripts of languages: a table of the files under `rules/LANGUAGE`, so that the command carries
//! its rules with it. The tables are for [`RuleFiles`](../src/files.rs).

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Writes `files.rs` with the tables `MODULES` and `EXAMPLES` of a language.
pub(crate) fn write(language: &str) -> io::Result<()> {
    let variable = |name: &str| PathBuf::from(env::var_os(name).expect("cargo sets it"));
    let root = variable("CARGO_MANIFEST_DIR").join("../../rules").join(language).canonicalize()?;
    let mut text = String::new();
    table(&mut text, "MODULES", &root, Some("als"))?;
    table(&mut text, "EXAMPLES", &root.join("examples"), None)?;
    fs::write(variable("OUT_DIR").join("files.rs"), text)
}

/// The files of a folder, with this extension if one is given, by their names without it, in the order of their names.
fn table(text: &mut String, name: &str, folder: &Path, extension: Option<&str>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|found| extension.is_none_or(|one| found == one)));
    files.sort();
    let _ = writeln!(text, "const {name}: &[(&str, &str)] = &[");
    for file in files {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("rules have plain names");
        let _ = writeln!(text, "    ({stem:?}, include_str!({:?})),", file.display().to_string());
    }
    text.push_str("];\n");
    Ok(())
}
