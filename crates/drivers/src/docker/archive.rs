//! Archives that are sent to the engine: files for a container, and what an image is built from.

use std::fs;
use std::path::Path;

use super::ignore::Ignored;

/// The name under which a Dockerfile that is written in the Compose file is sent.
pub(crate) const INLINE: &str = ".dockerfile.locus";

/// The most bytes that an image is built from: the archive is made in memory.
const LARGEST: u64 = 2 << 30;

/// An archive with one file. Folders above it are not made anew: the engine makes what is not there.
pub(crate) fn file(path: &str, content: &[u8], (uid, gid): (u64, u64), mode: u32) -> Result<Vec<u8>, String> {
    let mut builder = tar::Builder::new(Vec::new());
    append(&mut builder, path.trim_start_matches('/'), content, (uid, gid), mode)?;
    builder.into_inner().map_err(|error| error.to_string())
}

fn append(
    builder: &mut tar::Builder<Vec<u8>>,
    path: &str,
    content: &[u8],
    (uid, gid): (u64, u64),
    mode: u32,
) -> Result<(), String> {
    let mut header = tar::Header::new_gnu();
    header.set_size(content.len() as u64);
    header.set_mode(mode);
    header.set_uid(uid);
    header.set_gid(gid);
    builder.append_data(&mut header, path, content).map_err(|error| format!("{path}: {error}"))
}

/// The build context of an image: the folder, without what `.dockerignore` leaves out.
pub(crate) fn context(folder: &Path, dockerfile: &str, inline: &str) -> Result<Vec<u8>, String> {
    let wrong = |error: std::io::Error| format!("{}: {error}", folder.display());
    let own = folder.join(format!("{dockerfile}.dockerignore"));
    let listed = fs::read_to_string(own).or_else(|_| fs::read_to_string(folder.join(".dockerignore")));
    let ignored = Ignored::of(&listed.unwrap_or_default());
    let mut builder = tar::Builder::new(Vec::new());
    builder.follow_symlinks(false);
    let mut size = 0;
    let mut folders = vec![String::new()];
    while let Some(inside) = folders.pop() {
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder.join(&inside)).map_err(wrong)? {
            entries.push(entry.map_err(wrong)?);
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let name =
                name.to_str().ok_or_else(|| format!("{}: the name is not UTF-8", entry.path().display()))?;
            let path = if inside.is_empty() { name.to_owned() } else { format!("{inside}/{name}") };
            let kind = entry.file_type().map_err(wrong)?;
            let is_left_out = ignored.is_left_out(&path) && path != dockerfile && path != ".dockerignore";
            if kind.is_dir() {
                // Something in it may be taken in again.
                if !is_left_out || ignored.has_exceptions() {
                    folders.push(path.clone());
                }
                if !is_left_out {
                    builder.append_path_with_name(entry.path(), &path).map_err(wrong)?;
                }
            } else if !is_left_out && (kind.is_file() || kind.is_symlink()) {
                size += entry.metadata().map_err(wrong)?.len();
                if size > LARGEST {
                    return Err(format!(
                        "{}: more than {LARGEST} bytes to build an image from; leave files out with .dockerignore",
                        folder.display()
                    ));
                }
                builder.append_path_with_name(entry.path(), &path).map_err(wrong)?;
            }
        }
    }
    if !inline.is_empty() {
        append(&mut builder, INLINE, inline.as_bytes(), (0, 0), 0o644)?;
    } else if Path::new(dockerfile).is_absolute() || dockerfile.starts_with("../") {
        return Err(format!("the Dockerfile {dockerfile} is outside of {}", folder.display()));
    }
    builder.into_inner().map_err(wrong)
}
