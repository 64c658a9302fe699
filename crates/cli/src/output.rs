//! Files that the user asks for.

use std::io::Write;
use std::path::Path;

use anyhow::Context;

/// Writes a file whole or not at all: whoever interrupts us finds the old file or the new one.
pub(crate) fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let context = || format!("cannot write {}", path.display());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".locus-");
    // A temporary file is private unless told otherwise. A file that is there keeps its permissions, and a new one is as
    // readable as any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let permissions = path.metadata().ok().map(|there| there.permissions());
    let mut file = builder.tempfile_in(folder).with_context(context)?;
    file.write_all(text.as_bytes()).with_context(context)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions).with_context(context)?;
    }
    file.persist(path).with_context(context)?;
    Ok(())
}
