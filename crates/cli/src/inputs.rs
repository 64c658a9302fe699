//! Which files are meant: files, folders, globs and standard input become a list of inputs.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use globset::GlobBuilder;
use ignore::{DirEntry, WalkBuilder};
use locus_source::{Limits, SourceFile, Sources};

use crate::memory;

/// A file to read.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    /// Whether the user named this very file. What a folder or a glob merely contains may be of no kind that
    /// we know; what was named must be.
    pub(crate) named: bool,
}

impl Input {
    /// The name to show.
    pub(crate) fn name(&self, stdin_name: &str) -> String {
        if is_stdin(&self.path) { stdin_name.to_owned() } else { self.path.display().to_string() }
    }
}

/// The inputs meant by what was written on the command line, in order of their paths, each once. What cannot be
/// found is an error of its own; the rest is still there.
pub(crate) fn expand(paths: &[PathBuf]) -> (Vec<Input>, Vec<anyhow::Error>) {
    let mut inputs = Vec::new();
    let mut errors = Vec::new();
    for path in paths {
        if is_stdin(path) || path.is_file() {
            inputs.push(Input { path: path.clone(), named: true });
        } else if path.is_dir() {
            walk(path, &|_| true, &mut inputs, &mut errors);
        } else if let Some(pattern) = path.to_str().filter(|text| text.contains(['*', '?', '[', '{'])) {
            if let Err(error) = glob(pattern, &mut inputs, &mut errors) {
                errors.push(error);
            }
        } else {
            errors.push(match path.metadata() {
                Err(error) => anyhow!(error).context(format!("cannot read {}", path.display())),
                Ok(_) => anyhow!("cannot read {}: it is neither a file nor a folder", path.display()),
            });
        }
    }
    inputs.sort();
    // Of two inputs with the same path, that which was named sorts last; it is the one to keep.
    inputs.dedup_by(|later, kept| {
        let same = later.path == kept.path;
        kept.named |= same && later.named;
        same
    });
    (inputs, errors)
}

/// Whether a path stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn walk(
    folder: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    inputs: &mut Vec<Input>,
    errors: &mut Vec<anyhow::Error>,
) {
    for entry in WalkBuilder::new(folder).require_git(false).build() {
        match entry {
            Ok(entry)
                if entry.file_type().is_some_and(|kind| kind.is_file()) || leads_out(&entry, folder) =>
            {
                let path = entry.into_path();
                let path = path.strip_prefix("./").unwrap_or(&path).to_owned();
                if wanted(&path) {
                    inputs.push(Input { path, named: false });
                }
            }
            Ok(_) => {}
            Err(error) => errors.push(anyhow!(error).context("cannot look into a folder")),
        }
    }
}

/// Whether this is a link to a file that is not below the folder: one that is there is looked at itself.
fn leads_out(entry: &DirEntry, folder: &Path) -> bool {
    let is_below = |path: &Path| match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => true,
    };
    entry.path_is_symlink() && entry.path().is_file() && !is_below(entry.path())
}

fn glob(pattern: &str, inputs: &mut Vec<Input>, errors: &mut Vec<anyhow::Error>) -> anyhow::Result<()> {
    let matcher = GlobBuilder::new(pattern)
        .literal_separator(true)
        .build()
        .with_context(|| format!("{pattern} is neither a file nor a glob"))?
        .compile_matcher();
    // The walk starts at the part of the path without wildcards.
    let plain = pattern.find(['*', '?', '[', '{']).map_or(pattern, |end| &pattern[..end]);
    let base = plain.rfind('/').map_or(".", |end| &pattern[..=end]);
    let before = inputs.len();
    walk(Path::new(base), &|path| matcher.is_match(path), inputs, errors);
    if inputs.len() == before {
        return Err(anyhow!("no file matches {pattern}"));
    }
    Ok(())
}

/// Reads an input into the sources.
pub(crate) fn read(
    input: &Input,
    stdin_name: &str,
    sources: &Sources,
    limits: &Limits,
) -> anyhow::Result<Arc<SourceFile>> {
    Ok(sources.add_bytes(input.name(stdin_name), bytes(&input.path, limits)?, limits)?)
}

/// Returns the bytes of a file, or of standard input.
///
/// # Errors
/// If it cannot be read, or is over the limit: a part of a file is never taken for all of it.
pub(crate) fn bytes(path: &Path, limits: &Limits) -> anyhow::Result<Vec<u8>> {
    if is_stdin(path) {
        return read_at_most(&mut std::io::stdin().lock(), limits).context("cannot read standard input");
    }
    let cannot = || format!("cannot read {}", path.display());
    let mut file = std::fs::File::open(path).with_context(cannot)?;
    read_at_most(&mut file, limits).with_context(cannot)
}

/// How far to look into a file that cannot be read as a whole.
const LOOK: u64 = 64 << 10;

/// The first bytes of a file.
pub(crate) fn start(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LOOK).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Bytes as a text, whatever encoding they are in: enough to tell which keys it has, and for nothing else.
pub(crate) fn leniently(bytes: &[u8]) -> String {
    let pairs = || bytes.chunks_exact(2).map(|pair| [pair[0], pair[1]]);
    // In UTF-16 each letter of ASCII has a zero beside it.
    let zeros =
        |at: usize| pairs().take(64).filter(|pair| pair[at] == 0).count() * 2 > pairs().take(64).count();
    let units: Option<Vec<u16>> = if bytes.starts_with(&[0xff, 0xfe]) || zeros(1) {
        Some(pairs().map(u16::from_le_bytes).collect())
    } else if bytes.starts_with(&[0xfe, 0xff]) || zeros(0) {
        Some(pairs().map(u16::from_be_bytes).collect())
    } else {
        None
    };
    let text = units.map_or_else(
        || String::from_utf8_lossy(bytes).into_owned(),
        |units| String::from_utf16_lossy(&units),
    );
    text.replace(['\u{feff}', '\0'], "")
}

/// Reads to the end, or just past the limit, which is enough to know that there is too much.
fn read_at_most(reader: &mut dyn Read, limits: &Limits) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = limits.file_bytes;
    reader.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        bail!("it has more than {most} bytes, the limit (--max-file-bytes, or file-bytes in locus.toml)");
    }
    memory::note_input(bytes.len());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(paths: &[&str], base: &Path) -> (Vec<String>, Vec<String>) {
        let paths: Vec<_> = paths.iter().map(|path| base.join(path)).collect();
        let (inputs, errors) = expand(&paths);
        let short = |path: &Path| path.strip_prefix(base).unwrap_or(path).display().to_string();
        let inputs = inputs.iter().map(|i| format!("{}{}", short(&i.path), if i.named { "!" } else { "" }));
        (inputs.collect(), errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn folders_globs_and_files_are_expanded_once_each() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path();
        std::fs::create_dir_all(base.join("sub/deep")).unwrap();
        for file in ["b.yaml", "a.yaml", "sub/c.json", "sub/deep/d.yaml", "skipped.yaml", ".hidden.yaml"] {
            std::fs::write(base.join(file), "").unwrap();
        }
        std::fs::write(base.join(".gitignore"), "skipped.yaml\n").unwrap();
        let all = ["a.yaml", "b.yaml", "sub/c.json", "sub/deep/d.yaml"];
        assert_eq!(names(&["."], base).0, all.map(str::to_owned));
        assert_eq!(names(&["*.yaml"], base).0, ["a.yaml", "b.yaml"]);
        assert_eq!(names(&["**/*.yaml", "a.yaml"], base).0, ["a.yaml!", "b.yaml", "sub/deep/d.yaml"]);
        assert_eq!(names(&["skipped.yaml"], base).0, ["skipped.yaml!"]);
        let (inputs, errors) = names(&["nowhere.yaml", "*.toml", "b.yaml"], base);
        assert_eq!((inputs.as_slice(), errors.len()), (["b.yaml!".to_owned()].as_slice(), 2));
    }
}
