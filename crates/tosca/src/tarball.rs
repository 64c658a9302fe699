//! Tarballs as archives (section 17.1.1.1): UStar, plain or compressed by gzip (RFC 1952).
//!
//! Out of scope: what the files mean, and which names are safe, which is the same for all archives.

use miniz_oxide::inflate::decompress_to_vec_with_limit;

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
    let mut at = 0;
    while let Some(header) = bytes.get(at..at + 512) {
        if header.iter().all(|&byte| byte == 0) {
            return Ok(());
        }
        let sum: u64 =
            (0..512).map(|at| if (148..156).contains(&at) { 32 } else { u64::from(header[at]) }).sum();
        if octal(&header[148..156]) != Some(sum) {
            return Err("the archive is damaged: a checksum is wrong".to_owned());
        }
        let size = octal(&header[124..136]).and_then(|size| usize::try_from(size).ok());
        let size = size.filter(|&size| size <= bytes.len()).ok_or("the archive is cut off")?;
        let content = bytes.get(at + 512..at + 512 + size).ok_or("the archive is cut off")?;
        let name = name(header)?;
        match header[156] {
            b'0' | 0 if !name.ends_with('/') => take(&name, content.to_vec())?,
            // Folders, and the headers of newer formats, which do not matter for names that fit.
            b'0' | 0 | b'5' | b'g' | b'x' => {}
            b'1' | b'2' => {
                return Err(format!(
                    "`{}` of the archive is a link, which could lead out of it",
                    name.escape_debug()
                ));
            }
            other => {
                return Err(format!(
                    "`{}` of the archive is of the kind `{}`, which is not supported",
                    name.escape_debug(),
                    char::from(other).escape_debug()
                ));
            }
        }
        at += 512 + size.div_ceil(512) * 512;
    }
    Err("the archive is cut off".to_owned())
}

/// A number in octal digits.
fn octal(digits: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(digits).ok()?;
    u64::from_str_radix(text.trim_matches(['\0', ' ']), 8).ok()
}

/// The name of a file: the prefix and the rest.
fn name(header: &[u8]) -> Result<String, String> {
    let text = |part: &[u8]| {
        let end = part.iter().position(|&byte| byte == 0).unwrap_or(part.len());
        std::str::from_utf8(&part[..end])
            .map(str::to_owned)
            .map_err(|_| "a name in the archive is not UTF-8".to_owned())
    };
    let (name, prefix) = (text(&header[..100])?, text(&header[345..500])?);
    // The older format of GNU has other things where the prefix is.
    let is_posix = header[263..265] == *b"00";
    Ok(if prefix.is_empty() || !is_posix { name } else { format!("{prefix}/{name}") })
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
