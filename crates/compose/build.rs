//! Makes a table of the files under `rules/compose`, so that the command carries its rules with it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../rules/compose");
    let root = root.canonicalize()?;
    let mut text = String::new();
    table(&mut text, "MODULES", &root, "als")?;
    table(&mut text, "EXAMPLES", &root.join("examples"), "yaml")?;
    fs::write(Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("files.rs"), text)
}

/// The files of a folder with this extension, by their names without it, in the order of their names.
fn table(text: &mut String, name: &str, folder: &Path, extension: &str) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    let _ = writeln!(text, "static {name}: &[(&str, &str)] = &[");
    for file in files {
        let stem = file.file_stem().and_then(|stem| stem.to_str()).expect("rules have plain names");
        let _ = writeln!(text, "    ({stem:?}, include_str!({:?})),", file.display().to_string());
    }
    text.push_str("];\n");
    Ok(())
}
