//! Tarballs as archives (section 17.1.1.1): UStar and what GNU tar and pax make of it, plain or compressed by gzip (RFC
//! 1952).
//!
//! Out of scope: what the files mean, and which names are safe, which is the same for all archives.

use std::io::{self, Read as _};

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use tar::EntryType;

/// Whether bytes are a tarball, or something that is compressed by gzip.
pub(crate) fn is_tarball(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b]) || bytes.get(257..262) == Some(b"ustar")
}

/// The files of a tarball, each by `take`, which gets the name and the content.
///
/// # Errors
/// Why it is refused, as a sentence without full stop.
pub(crate) fn unpack(
    bytes: &[u8],
    most: usize,
    mut take: impl FnMut(&str, Vec<u8>) -> Result<(), String>,
) -> Result<(), String> {
    let inflated;
    let bytes = if bytes.starts_with(&[0x1f, 0x8b]) {
        inflated = gunzip(bytes, most)?;
        &inflated
    } else {
        bytes
    };
    if bytes.get(257..262) != Some(b"ustar") {
        return Err("the archive is not a tarball in the format UStar".to_owned());
    }
    let mut archive = tar::Archive::new(bytes);
    let mut end = 0;
    for entry in archive.entries().map_err(|error| damaged(&error))? {
        let mut entry = entry.map_err(|error| damaged(&error))?;
        let name = std::str::from_utf8(&entry.path_bytes())
            .map(str::to_owned)
            .map_err(|_| "a name in the archive is not UTF-8".to_owned())?;
        let size = entry.size();
        end = entry.raw_file_position().saturating_add(size.div_ceil(512).saturating_mul(512));
        if end > bytes.len() as u64 {
            return Err("the archive is cut off".to_owned());
        }
        match entry.header().entry_type() {
            EntryType::Regular | EntryType::Continuous if !name.ends_with('/') => {
                let mut content = Vec::new();
                entry.read_to_end(&mut content).map_err(|error| damaged(&error))?;
                take(&name, content)?;
            }
            // Folders, and what is said of all files.
            EntryType::Regular | EntryType::Continuous | EntryType::Directory | EntryType::XGlobalHeader => {}
            EntryType::Link | EntryType::Symlink => {
                return Err(format!(
                    "`{}` of the archive is a link, which could lead out of it",
                    name.escape_debug()
                ));
            }
            other => {
                return Err(format!(
                    "`{}` of the archive is of the kind `{}`, which is not supported",
                    name.escape_debug(),
                    char::from(other.as_byte()).escape_debug()
                ));
            }
        }
    }
    // After the last file stands an empty block.
    let after = usize::try_from(end).ok().and_then(|end| bytes.get(end..end + 512));
    if after.is_some_and(|block| block.iter().all(|&byte| byte == 0)) {
        Ok(())
    } else {
        Err("the archive is cut off".to_owned())
    }
}

fn damaged(error: &io::Error) -> String {
    let reason = error.to_string().replace(char::is_control, " ");
    format!("the archive is damaged: {reason}")
}

/// The content of a gzip file of one member.
fn gunzip(bytes: &[u8], most: usize) -> Result<Vec<u8>, String> {
    let damaged = || "the compressed archive is damaged".to_owned();
    let (&[_, _, method, flags, ..], Some(end)) = (bytes, bytes.len().checked_sub(8)) else {
        return Err(damaged());
    };
    if method != 8 {
        return Err(format!("the archive is compressed by method {method}, which is not supported"));
    }
    let mut at = 10;
    if flags & 4 != 0 {
        let length = bytes.get(at..at + 2).ok_or_else(damaged)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            let rest = bytes.get(at..).ok_or_else(damaged)?;
            at += 1 + rest.iter().position(|&byte| byte == 0).ok_or_else(damaged)?;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    let packed = bytes.get(at..end).ok_or_else(damaged)?;
    let content = decompress_to_vec_with_limit(packed, most).map_err(|error| match error.status {
        miniz_oxide::inflate::TINFLStatus::HasMoreOutput => {
            format!("the archive unpacks to more than the limit of {most} bytes")
        }
        _ => damaged(),
    })?;
    let size = u32::from_le_bytes([bytes[end + 4], bytes[end + 5], bytes[end + 6], bytes[end + 7]]);
    if content.len() as u32 == size { Ok(content) } else { Err(damaged()) }
}
