//! Files that the user asks for.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use locus_source::Sources;
use tempfile::NamedTempFile;

/// Writes a file whole or not at all: whoever interrupts us finds the old file or the new one.
pub(crate) fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut file = Whole::new(path)?;
    file.write_all(text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    file.finish()
}

/// Refuses to write over a file that was read, under whatever name or link.
pub(crate) fn refuse_input(path: &Path, sources: &Sources) -> anyhow::Result<()> {
    if let Some(input) = sources.names().into_iter().find(|name| is_same(path, Path::new(name))) {
        bail!("{} is the input {input}, and would be lost; name another file to write", path.display());
    }
    Ok(())
}

/// Whether two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => (one.dev(), one.ino()) == (other.dev(), other.ino()),
        _ => false,
    }
}

/// A file that is being written, and is there only when it is finished.
pub(crate) struct Whole {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl Whole {
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".locus-");
        // A temporary file is private unless told otherwise. A file that is there keeps its permissions, and a new one
        // is as readable as any other.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { file: BufWriter::new(file), path: path.to_owned() })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let Self { file, path } = self;
        crate::deadline::answered();
        let context = || format!("cannot write {}", path.display());
        let file = file.into_inner().map_err(std::io::IntoInnerError::into_error).with_context(context)?;
        if let Ok(there) = path.metadata() {
            file.as_file().set_permissions(there.permissions()).with_context(context)?;
        }
        file.persist(&path).with_context(context)?;
        Ok(())
    }
}

impl Write for Whole {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}
