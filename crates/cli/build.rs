//! How the command is linked, so that it starts quickly.
//!
//! A command that answers in a few milliseconds should not spend one of them on the dynamic linker. Where the linker is
//! that of Linux, the C++ library (which the SAT solver needs) becomes part of the command instead of a file with some
//! thousand names to be looked up. Elsewhere nothing is changed. The command has no fixed address: it reads files that
//! nobody vouches for, and random addresses make it harder to abuse.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CXX");
    let var = |name| env::var(name).unwrap_or_default();
    if var("CARGO_CFG_TARGET_OS") != "linux"
        || var("CARGO_CFG_TARGET_ENV") != "gnu"
        || var("HOST") != var("TARGET")
    {
        return;
    }
    if let Some(library) = static_cpp()
        && let Some(folder) = alone(&library, Path::new(&var("OUT_DIR")))
    {
        println!("cargo::rustc-link-search=native={}", folder.display());
    }
}

/// Where the compiler has its C++ library for static linking, if it has one.
fn static_cpp() -> Option<PathBuf> {
    let compiler = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let answer = Command::new(compiler).arg("-print-file-name=libstdc++.a").output().ok()?;
    let path = PathBuf::from(String::from_utf8(answer.stdout).ok()?.trim());
    // A compiler that does not know the file answers with its bare name.
    path.is_absolute().then_some(path)
}

/// A folder with this library only: the linker takes the first folder that has one of that name, shared or not.
fn alone(library: &Path, out: &Path) -> Option<PathBuf> {
    let folder = out.join("static");
    fs::create_dir_all(&folder).ok()?;
    fs::copy(library, folder.join(library.file_name()?)).ok()?;
    Some(folder)
}
