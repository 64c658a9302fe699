//! Cloud service archives: zip files and tarballs with TOSCA files and what they use (chapter 17).
//!
//! [`unpack`] reads the bytes of an archive; nothing of it is ever written anywhere. An archive that is damaged, too
//! large, or has names that lead out of it is refused with the reason. [`Archive::to_text`] and [`Archive::from_text`]
//! carry an archive through places that take texts only: files that are texts as they are, of others the name.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use locus_source::{LoadError, Loader, SourceFile, clean_path};
use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::read::tarball;
use crate::report::short;

/// More files than this are not read.
const MOST_FILES: usize = 20_000;

/// More bytes than this, of all files together, are not unpacked.
const MOST_BYTES: usize = 256 << 20;

/// The first line of an archive in the form of a text.
const MARK: &str = "# TOSCA archive, unpacked\n";

/// Where the file that says what an archive is may be.
const META: [&str; 2] = ["TOSCA.meta", "TOSCA-Metadata/TOSCA.meta"];

/// The files of an archive.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Archive {
    /// The text of each file; nothing for those that are not texts.
    files: BTreeMap<String, Option<String>>,
}

/// Whether bytes are a zip file or a tarball.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") || tarball::is_tarball(bytes)
}

/// Reads an archive.
///
/// # Errors
/// Why it is refused, as a sentence without full stop.
pub fn unpack(bytes: &[u8]) -> Result<Archive, String> {
    if !tarball::is_tarball(bytes) {
        return unzip(bytes);
    }
    let mut archive = Archive::default();
    tarball::unpack(bytes, MOST_BYTES, |name, content| archive.add(name, content))?;
    Ok(archive)
}

fn unzip(bytes: &[u8]) -> Result<Archive, String> {
    let end = end_of_directory(bytes)?;
    let count = usize::from(u16_at(bytes, end + 10)?);
    let mut at = u32_at(bytes, end + 16)? as usize;
    if count > MOST_FILES {
        return Err(format!("the archive has {count} files, more than the limit of {MOST_FILES}"));
    }
    let mut archive = Archive::default();
    let mut total = 0;
    for _ in 0..count {
        if bytes.get(at..at + 4) != Some(b"PK\x01\x02") {
            return Err("the directory of the archive is damaged".to_owned());
        }
        let entry = Entry {
            flags: u16_at(bytes, at + 8)?,
            method: u16_at(bytes, at + 10)?,
            packed: u32_at(bytes, at + 20)? as usize,
            size: u32_at(bytes, at + 24)? as usize,
            offset: u32_at(bytes, at + 42)? as usize,
            mode: u32_at(bytes, at + 38)? >> 16,
        };
        let lengths =
            [u16_at(bytes, at + 28)?, u16_at(bytes, at + 30)?, u16_at(bytes, at + 32)?].map(usize::from);
        let name =
            bytes.get(at + 46..at + 46 + lengths[0]).ok_or("the directory of the archive is damaged")?;
        let name = std::str::from_utf8(name).map_err(|_| "a name in the archive is not UTF-8")?;
        at += 46 + lengths.iter().sum::<usize>();
        if name.ends_with('/') {
            continue;
        }
        safe(name)?;
        total += entry.size;
        if total > MOST_BYTES {
            return Err(format!("the archive unpacks to more than the limit of {MOST_BYTES} bytes"));
        }
        archive.add(name, entry.read(bytes, name)?)?;
    }
    Ok(archive)
}

/// The directory entry of a file.
struct Entry {
    flags: u16,
    method: u16,
    packed: usize,
    size: usize,
    offset: usize,
    mode: u32,
}

impl Entry {
    fn read(&self, bytes: &[u8], name: &str) -> Result<Vec<u8>, String> {
        if self.flags & 1 != 0 {
            return Err(format!("the file `{name}` of the archive is encrypted"));
        }
        if self.mode & 0o170_000 == 0o120_000 {
            return Err(format!("`{name}` of the archive is a symbolic link, which could lead out of it"));
        }
        let damaged = || format!("the file `{name}` of the archive is damaged");
        if bytes.get(self.offset..self.offset.saturating_add(4)) != Some(b"PK\x03\x04") {
            return Err(damaged());
        }
        let start = self.offset
            + 30
            + usize::from(u16_at(bytes, self.offset + 26)?)
            + usize::from(u16_at(bytes, self.offset + 28)?);
        let packed = bytes.get(start..start.saturating_add(self.packed)).ok_or_else(damaged)?;
        let content = match self.method {
            0 => packed.to_vec(),
            8 => decompress_to_vec_with_limit(packed, self.size).map_err(|_| damaged())?,
            other => {
                return Err(format!(
                    "the file `{name}` of the archive is packed by method {other}, which is not supported"
                ));
            }
        };
        if content.len() == self.size { Ok(content) } else { Err(damaged()) }
    }
}

/// The place of the record at the end, which says where the directory is.
fn end_of_directory(bytes: &[u8]) -> Result<usize, String> {
    let last = bytes.len().checked_sub(22).ok_or("the archive is too short to be one")?;
    let first = last.saturating_sub(0xFFFF);
    let found = (first..=last).rev().find(|&at| bytes[at..].starts_with(b"PK\x05\x06"));
    found.ok_or_else(|| "the archive has no directory; it may be cut off".to_owned())
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, String> {
    let two = bytes.get(at..at.saturating_add(2)).ok_or("the archive is cut off")?;
    Ok(u16::from_le_bytes([two[0], two[1]]))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, String> {
    let four = bytes.get(at..at.saturating_add(4)).ok_or("the archive is cut off")?;
    Ok(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

/// A path of the archive, if it stays within it.
fn safe(name: &str) -> Result<String, String> {
    let leads_out = name.starts_with('/')
        || name.contains('\\')
        || name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic()
        || name.split('/').any(|part| part == "..");
    if leads_out || name.chars().any(char::is_control) {
        return Err(format!("the archive has a file `{}`, whose name leads out of it", name.escape_debug()));
    }
    Ok(name.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/"))
}

impl Archive {
    /// Adds a file.
    fn add(&mut self, name: &str, content: Vec<u8>) -> Result<(), String> {
        if self.files.len() == MOST_FILES {
            return Err(format!("the archive has more files than the limit of {MOST_FILES}"));
        }
        let text = String::from_utf8(content).ok().filter(|text| !text.contains('\0'));
        match self.files.insert(safe(name)?, text) {
            None => Ok(()),
            Some(_) => Err(format!("the archive has two files `{}`", name.escape_debug())),
        }
    }

    /// Whether there is a file.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether there is a TOSCA.meta.
    pub fn has_meta(&self) -> bool {
        META.iter().any(|path| self.has(path))
    }

    /// How many files there are.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The file to start from: the one that the metadata names, or the only YAML file at the root.
    ///
    /// # Errors
    /// Why there is none.
    pub fn entry(&self) -> Result<&str, String> {
        let metadata: Vec<_> = META.into_iter().filter(|path| self.has(path)).collect();
        if let [_, _] = metadata.as_slice() {
            return Err("the archive has two files TOSCA.meta, and may have one (section 17.1)".to_owned());
        }
        if let Some(path) = metadata.first() {
            let text = self.files.get(*path).and_then(Option::as_deref).unwrap_or_default();
            let pairs = pairs(path, text)?;
            if let Some((_, named)) = pairs.iter().find(|(name, _)| name == "Entry-Definitions") {
                let found = self.files.keys().find(|path| *path == named);
                return found.map(String::as_str).ok_or_else(|| {
                    format!("`{path}` names `{named}` as Entry-Definitions, and the archive has no such file (section 17.2.1)")
                });
            }
        }
        let is_yaml = |path: &&String| !path.contains('/') && is_yaml_name(path);
        let roots: Vec<_> = self.files.keys().filter(is_yaml).collect();
        match roots.as_slice() {
            [one] => Ok(one),
            [] => Err("the archive has no TOSCA.meta and no YAML file at its root (section 17.3)".to_owned()),
            many => Err(format!(
                "the archive has no TOSCA.meta and {} YAML files at its root, and may have one (section 17.3)",
                many.len()
            )),
        }
    }

    /// The files with templates that may substitute nodes of the main one: Other-Definitions.
    ///
    /// # Errors
    /// If one of them is not there.
    pub fn others(&self) -> Result<Vec<String>, String> {
        for path in META {
            let Some(Some(text)) = self.files.get(path) else { continue };
            let named = pairs(path, text)?.into_iter().find(|(name, _)| name == "Other-Definitions");
            let names = file_names(&named.map(|(_, value)| value).unwrap_or_default());
            return match names.iter().find(|name| !self.has(name)) {
                None => Ok(names),
                Some(name) => Err(format!(
                    "`{path}` names `{}` among Other-Definitions, and the archive has no such file (section 17.2.1)",
                    short(name)
                )),
            };
        }
        Ok(Vec::new())
    }

    /// The archive as a text.
    pub fn to_text(&self) -> String {
        let mut text = MARK.to_owned();
        for (path, content) in &self.files {
            match content {
                Some(content) => {
                    let _ = write!(text, "{} {path}\n{content}\n", content.len());
                }
                None => {
                    let _ = writeln!(text, "- {path}");
                }
            }
        }
        text
    }

    /// The archive that a text carries.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut rest = text.strip_prefix(MARK)?;
        let mut files = BTreeMap::new();
        while !rest.is_empty() {
            let (head, after) = rest.split_once('\n')?;
            let (length, path) = head.split_once(' ')?;
            if length == "-" {
                files.insert(path.to_owned(), None);
                rest = after;
            } else {
                let length: usize = length.parse().ok()?;
                let content = after.get(..length)?;
                files.insert(path.to_owned(), Some(content.to_owned()));
                rest = after.get(length..)?.strip_prefix('\n')?;
            }
        }
        Some(Self { files })
    }

    /// The files, as they are named in findings: the name of the archive, and the path in it. Those of the libraries
    /// are given by another loader.
    pub fn loader<'a>(
        &'a self,
        name: &str,
        outside: &'a dyn Loader,
        libraries: &'a [String],
    ) -> ArchiveLoader<'a> {
        ArchiveLoader { archive: self, prefix: format!("{name}/"), outside, libraries }
    }

    /// The profile files of the archive, as libraries for imports by name.
    pub fn profiles(&self) -> Vec<String> {
        let is_profile = |text: &str| text.lines().any(|line| line.starts_with("profile:"));
        let named = self.files.iter().filter(|(_, text)| text.as_deref().is_some_and(is_profile));
        named.map(|(path, _)| format!("/{path}")).filter(|path| is_yaml_name(path)).collect()
    }
}

/// The pairs of block 0 of a TOSCA.meta file (section 17.2). A line that starts with a space continues the one before.
fn pairs(path: &str, text: &str) -> Result<Vec<(String, String)>, String> {
    const NAMES: [&str; 4] = ["CSAR-Version", "Created-By", "Entry-Definitions", "Other-Definitions"];
    let mut found: Vec<(String, String)> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for line in text.lines().take_while(|line| !line.trim().is_empty()) {
        match (line.split_once(':'), found.last_mut()) {
            (_, Some((_, value))) if line.starts_with(' ') => {
                value.push(' ');
                value.push_str(line.trim());
            }
            (Some((name, value)), _) => found.push((name.trim().to_owned(), value.trim().to_owned())),
            (None, _) => {
                return Err(format!("`{path}` has a line `{}` without a colon (section 17.2)", short(line)));
            }
        }
    }
    for wanted in ["Entry-Definitions", "Other-Definitions"] {
        let has = found.iter().any(|(name, _)| name == wanted);
        let near = |name: &str| locus_source::words::nearest(name, [(wanted, wanted)]).is_some();
        if let Some((name, _)) =
            found.iter().find(|(name, _)| !has && !NAMES.contains(&&**name) && near(name))
        {
            return Err(format!(
                "`{path}` has the name `{}`, which should be `{wanted}` (section 17.2.1)",
                short(name)
            ));
        }
    }
    if let Some((_, version)) = found.iter().find(|(name, _)| name == "CSAR-Version")
        && !["1.0", "1.1", "2.0"].contains(&version.as_str())
    {
        return Err(format!(
            "`{path}` has the CSAR-Version `{}`, which is not 2.0, 1.1 or 1.0 (section 17.2.1)",
            short(version)
        ));
    }
    Ok(found)
}

/// File names with blanks between them; those that have blanks are in double quotes.
fn file_names(text: &str) -> Vec<String> {
    let mut quoted = false;
    let parts = text.split(move |character| {
        quoted ^= character == '"';
        character == ' ' && !quoted
    });
    parts.map(|part| part.trim_matches('"').to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Gives the files of an archive, and beside them those of the library folders of the user.
pub struct ArchiveLoader<'a> {
    archive: &'a Archive,
    prefix: String,
    /// Gives the files of the libraries.
    outside: &'a dyn Loader,
    libraries: &'a [String],
}

impl ArchiveLoader<'_> {
    /// A path in the archive that a file of it names. As in a URL, `..` does not lead above the root.
    fn resolve(&self, from: &str, path: &str) -> String {
        let folder = from
            .strip_prefix(self.prefix.as_str())
            .unwrap_or_default()
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        let whole = if path.starts_with('/') { path.to_owned() } else { format!("/{folder}/{path}") };
        clean_path(&whole).trim_start_matches('/').to_owned()
    }

    /// The loader for a path that is in a library, or that a file of one names.
    fn outside(&self, from: &SourceFile, path: &str) -> Option<&dyn Loader> {
        let in_library = self.libraries.iter().any(|library| {
            path.strip_prefix(library.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let in_archive =
            from.name().starts_with(&self.prefix) || self.prefix.strip_suffix('/') == Some(from.name());
        (in_library || !in_archive).then_some(self.outside)
    }
}

impl Loader for ArchiveLoader<'_> {
    fn list(&self, from: &SourceFile, folder: &str) -> Vec<String> {
        match self.outside(from, folder) {
            Some(outside) => outside.list(from, folder),
            None if folder == "/" => self.archive.files.keys().cloned().collect(),
            None => Vec::new(),
        }
    }

    fn bytes(&self, from: &SourceFile, path: &str) -> Result<(String, Vec<u8>), LoadError> {
        if let Some(outside) = self.outside(from, path) {
            return outside.bytes(from, path);
        }
        let path = self.resolve(from.name(), path);
        match self.archive.files.get(&path) {
            None => Err(LoadError::Missing),
            Some(None) => Err(LoadError::Unreadable("it is not a text".to_owned())),
            Some(Some(text)) => Ok((format!("{}{path}", self.prefix), text.clone().into_bytes())),
        }
    }
}

/// Whether a file is YAML by its name. The case of a name matters in an archive.
pub(crate) fn is_yaml_name(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| matches!(ending, "yaml" | "yml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zip file with these files, not compressed.
    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let (mut body, mut directory) = (Vec::new(), Vec::new());
        for (name, content) in files {
            let offset = body.len() as u32;
            let sizes = [(content.len() as u32).to_le_bytes(), (content.len() as u32).to_le_bytes()].concat();
            body.extend(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0");
            body.extend(&sizes);
            body.extend([(name.len() as u16).to_le_bytes(), [0, 0]].concat());
            body.extend(name.as_bytes());
            body.extend(*content);
            directory.extend(b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0\0\0\0\0");
            directory.extend(&sizes);
            directory.extend((name.len() as u16).to_le_bytes());
            directory.extend([0; 12]);
            directory.extend(offset.to_le_bytes());
            directory.extend(name.as_bytes());
        }
        let (at, size) = (body.len() as u32, directory.len() as u32);
        body.extend(directory);
        body.extend(b"PK\x05\x06\0\0\0\0");
        body.extend([(files.len() as u16).to_le_bytes(), (files.len() as u16).to_le_bytes()].concat());
        body.extend([size.to_le_bytes(), at.to_le_bytes()].concat());
        body.extend([0, 0]);
        body
    }

    #[test]
    fn an_archive_says_where_to_start() {
        let meta = b"CSAR-Version: 2.0\nCreated-By: us\nEntry-Definitions: defs/main.yaml\n".as_slice();
        let archive =
            unpack(&zip(&[("TOSCA.meta", meta), ("defs/main.yaml", b"a: 1"), ("b.bin", b"\0")])).unwrap();
        assert_eq!(archive.entry(), Ok("defs/main.yaml"));
        assert_eq!(Archive::from_text(&archive.to_text()), Some(archive));
        let archive = unpack(&zip(&[("only.yaml", b"a: 1"), ("types/t.yaml", b"b: 1")])).unwrap();
        assert_eq!(archive.entry(), Ok("only.yaml"));
        let two = unpack(&zip(&[("one.yaml", b""), ("two.yaml", b"")])).unwrap();
        assert!(two.entry().unwrap_err().contains("2 YAML files"));
        let missing = unpack(&zip(&[("TOSCA.meta", meta)])).unwrap();
        assert!(missing.entry().unwrap_err().contains("no such file"));
    }

    /// A tarball with these files.
    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut all = Vec::new();
        for (name, content) in files {
            let mut header = [0; 512];
            header[..name.len()].copy_from_slice(name.as_bytes());
            header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
            header[156] = b'0';
            header[257..265].copy_from_slice(b"ustar\x0000");
            header[148..156].fill(b' ');
            let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
            header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
            all.extend(header);
            all.extend(*content);
            all.resize(all.len().next_multiple_of(512), 0);
        }
        all.resize(all.len() + 1024, 0);
        all
    }

    /// The same compressed by gzip.
    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut all = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
        all.extend(miniz_oxide::deflate::compress_to_vec(content, 6));
        all.extend([0; 4]);
        all.extend((content.len() as u32).to_le_bytes());
        all
    }

    #[test]
    fn tarballs_are_archives_too() {
        let files: &[(&str, &[u8])] = &[("main.yaml", b"a: 1"), ("types/t.yaml", &[b'x'; 700])];
        let zipped = unpack(&zip(files)).unwrap();
        let plain = tar(files);
        assert!(is_archive(&plain) && is_archive(&gzip(&plain)));
        assert_eq!(unpack(&plain).as_ref(), Ok(&zipped));
        assert_eq!(unpack(&gzip(&plain)), Ok(zipped));
        for length in (0..plain.len() - 1024).step_by(100).filter(|&length| length > 300) {
            assert!(unpack(&plain[..length]).is_err(), "{length}");
        }
        let mut damaged = plain.clone();
        damaged[3] ^= 1;
        assert!(unpack(&damaged).unwrap_err().contains("checksum"));
        let mut link = tar(&[("a", b"")]);
        link[156] = b'2';
        link[154] = link[154].wrapping_add(2);
        assert!(unpack(&link).is_err());
        assert!(unpack(&tar(&[("../a", b"x")])).unwrap_err().contains("leads out"));
    }

    #[test]
    fn the_metadata_of_an_archive_are_checked() {
        let with = |meta: &str| {
            unpack(&zip(&[("TOSCA.meta", meta.as_bytes()), ("a.yaml", b""), ("b c.yaml", b"")])).unwrap()
        };
        let good = with(
            "CSAR-Version: 2.0\nCreated-By: us\nEntry-Definitions: a.yaml\nOther-Definitions: \"b c.yaml\" a.yaml\n",
        );
        assert_eq!(good.entry(), Ok("a.yaml"));
        assert_eq!(good.others(), Ok(vec!["b c.yaml".to_owned(), "a.yaml".to_owned()]));
        assert!(
            with("Entry-Definition: a.yaml\n").entry().unwrap_err().contains("should be `Entry-Definitions`")
        );
        assert!(with("Entry-Definitions, a.yaml\n").entry().unwrap_err().contains("without a colon"));
        assert!(
            with("CSAR-Version: 3.0\nEntry-Definitions: a.yaml\n")
                .entry()
                .unwrap_err()
                .contains("CSAR-Version")
        );
        assert!(with("Entry-Definitions: a.yaml\nOther-Definitions: x.yaml\n").others().is_err());
    }

    #[test]
    fn hostile_archives_are_refused_with_a_reason() {
        for name in ["../out.yaml", "/etc/passwd", "a/../../b", "c:\\x", "a\nb"] {
            let error = unpack(&zip(&[(name, b"x")])).unwrap_err();
            assert!(error.contains("leads out"), "{name}: {error}");
        }
        let twice = unpack(&zip(&[("a", b"x"), ("./a", b"y")])).unwrap_err();
        assert!(twice.contains("two files"), "{twice}");
        let good = zip(&[("a.yaml", b"tosca_definitions_version: tosca_2_0\n")]);
        for length in 0..good.len() {
            assert!(unpack(&good[..length]).is_err(), "{length}");
        }
        // A size that the content has not, as a bomb has.
        let mut bomb = good.clone();
        let at = bomb.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
        bomb[at + 24..at + 28].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(unpack(&bomb).unwrap_err().contains("limit"));
    }
}
