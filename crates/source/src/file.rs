//! Files: their name, their text, and where their lines start.

use std::sync::{Arc, OnceLock, RwLock};

use crate::{FileId, Limits, LineColumn, Place, Span};

/// One file, or whatever else has a name and a text (standard input, a generated module).
#[derive(Debug)]
pub struct SourceFile {
    id: FileId,
    name: String,
    text: Arc<str>,
    /// Offsets at which lines start; made on first use, since most files never have a finding.
    line_starts: OnceLock<Vec<u32>>,
    /// How many characters start before every [`CHUNK`]th byte; made when a place on a long line is asked for.
    chars_before: OnceLock<Vec<u32>>,
}

/// The characters of a line are counted one by one over so many bytes at most.
const CHUNK: usize = 4096;

impl SourceFile {
    /// The id under which the file was added.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// The name to show to people: usually the path as they gave it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole text, for those who keep it: it is not copied.
    pub fn shared_text(&self) -> Arc<str> {
        Arc::clone(&self.text)
    }

    /// The text of a range.
    ///
    /// # Panics
    /// If the range is not within the text or cuts a character.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The place of `span` in this file.
    pub fn place(&self, span: Span) -> Place {
        Place::new(self.id, span)
    }

    /// Line and column of a byte offset. An offset past the end counts as the end.
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let offset = self.text.floor_char_boundary(offset);
        let starts = self.line_starts();
        let line = starts.partition_point(|&start| start as usize <= offset);
        let start = starts[line - 1] as usize;
        let column = if offset - start <= CHUNK {
            self.text[start..offset].chars().count() + 1
        } else {
            self.chars_before(offset) - self.chars_before(start) + 1
        };
        LineColumn { line: line as u32, column: column as u32 }
    }

    /// How many characters start before an offset.
    fn chars_before(&self, offset: usize) -> usize {
        let count = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
        let chunks = self.chars_before.get_or_init(|| {
            let mut after = 0;
            let add = |chunk: &[u8]| {
                let before = after;
                after += count(chunk) as u32;
                before
            };
            self.text.as_bytes().chunks(CHUNK).map(add).collect()
        });
        let chunk = (offset / CHUNK).min(chunks.len().saturating_sub(1));
        chunks.get(chunk).map_or(0, |&before| before as usize)
            + count(&self.text.as_bytes()[chunk * CHUNK..offset])
    }

    /// Byte offset of a line and column, or nothing where the file has no such line. A column past the end
    /// of its line counts as the end of the line.
    pub fn offset(&self, position: LineColumn) -> Option<usize> {
        let span = self.line_span(position.line)?;
        let line = self.slice(span);
        let column = position.column.max(1) as usize - 1;
        Some(line.char_indices().nth(column).map_or(span.range().end, |(i, _)| span.range().start + i))
    }

    /// The range of a line (counted from 1), without its line break.
    pub fn line_span(&self, line: u32) -> Option<Span> {
        let starts = self.line_starts();
        let index = (line as usize).checked_sub(1)?;
        let start = *starts.get(index)? as usize;
        let end = starts.get(index + 1).map_or(self.text.len(), |&next| next as usize);
        let text = self.text[start..end].trim_end_matches(['\n', '\r']);
        Some(Span::new(start, start + text.len()))
    }

    /// Number of lines; a text that ends in a line break has an empty last line.
    pub fn line_count(&self) -> u32 {
        self.line_starts().len() as u32
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let breaks = self.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(i, _)| i as u32 + 1)).collect()
        })
    }
}

/// Why some bytes cannot become a source.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SourceError {
    /// More bytes than [`Limits::file_bytes`].
    #[error(
        "{name} has {bytes} bytes, more than the limit of {limit}; raise the limit if this file is meant"
    )]
    TooLarge {
        /// The file.
        name: String,
        /// Its size.
        bytes: usize,
        /// The limit that it exceeds.
        limit: usize,
    },
    /// Not UTF-8.
    #[error("{name}:{position}: byte {byte:#04x} is not valid UTF-8; save the file as UTF-8")]
    NotUtf8 {
        /// The file.
        name: String,
        /// Where the first bad byte stands.
        position: LineColumn,
        /// That byte.
        byte: u8,
    },
    /// A NUL byte: this is not a text.
    #[error("{name}:{position}: the file contains a NUL byte; it is not a text")]
    Nul {
        /// The file.
        name: String,
        /// Where the first NUL stands.
        position: LineColumn,
    },
}

/// All files of a run.
///
/// Files are only ever added, so a [`FileId`] stays valid, and several threads may add at once. The order of
/// ids is the order of arrival and means nothing: sort by name.
#[derive(Debug, Default)]
pub struct Sources {
    files: RwLock<Vec<Arc<SourceFile>>>,
}

impl Sources {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name to show to people.
    ///
    /// # Panics
    /// If the text has 4 GiB or more; [`Sources::add_bytes`] refuses those.
    pub fn add(&self, name: impl Into<String>, text: impl Into<Arc<str>>) -> Arc<SourceFile> {
        let text = text.into();
        assert!(u32::try_from(text.len()).is_ok(), "sources are limited to 4 GiB");
        let mut files = self.files.write().expect("no thread panics while it adds a file");
        let id = FileId(u32::try_from(files.len()).expect("fewer than 2^32 files"));
        let file = Arc::new(SourceFile {
            id,
            name: name.into(),
            text,
            line_starts: OnceLock::new(),
            chars_before: OnceLock::new(),
        });
        files.push(Arc::clone(&file));
        file
    }

    /// Adds bytes as they were read, if they are a text within the limits. A byte order mark is dropped.
    pub fn add_bytes(
        &self,
        name: impl Into<String>,
        bytes: Vec<u8>,
        limits: &Limits,
    ) -> Result<Arc<SourceFile>, SourceError> {
        let name = name.into();
        let limit = limits.file_bytes.min(u32::MAX as usize - 1);
        if bytes.len() > limit {
            return Err(SourceError::TooLarge { name, bytes: bytes.len(), limit });
        }
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let byte = error.as_bytes()[at];
            SourceError::NotUtf8 { name: name.clone(), position: position_in(&error.as_bytes()[..at]), byte }
        })?;
        if let Some(at) = text.find('\0') {
            return Err(SourceError::Nul { name, position: position_in(&text.as_bytes()[..at]) });
        }
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        Ok(self.add(name, text))
    }

    /// The file with this id.
    ///
    /// # Panics
    /// If the id comes from other sources.
    pub fn get(&self, id: FileId) -> Arc<SourceFile> {
        let files = self.files.read().expect("no thread panics while it adds a file");
        Arc::clone(&files[id.0 as usize])
    }

    /// A file with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<Arc<SourceFile>> {
        let files = self.files.read().expect("no thread panics while it adds a file");
        files.iter().find(|file| file.name() == name).cloned()
    }

    /// The names of all files.
    pub fn names(&self) -> Vec<String> {
        let files = self.files.read().expect("no thread panics while it adds a file");
        files.iter().map(|file| file.name().to_owned()).collect()
    }

    /// Line and column at which a place starts.
    pub fn start(&self, place: Place) -> LineColumn {
        self.get(place.file).line_column(place.span.start as usize)
    }

    /// `name:line:column` of a place, as compilers write it.
    pub fn describe(&self, place: Place) -> String {
        let file = self.get(place.file);
        format!("{}:{}", file.name(), file.line_column(place.span.start as usize))
    }
}

/// The position just after `before`, which is valid UTF-8.
fn position_in(before: &[u8]) -> LineColumn {
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |i| i + 1);
    let lines = before.split(|&byte| byte == b'\n').count() - 1;
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count();
    LineColumn { line: lines as u32 + 1, column: column as u32 + 1 }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(line: u32, column: u32) -> LineColumn {
        LineColumn { line, column }
    }

    #[test]
    fn columns_count_characters_and_lines_end_at_newlines() {
        let file = Sources::new().add("t", "äb\nc\r\n\nd");
        let positions: Vec<_> = [0, 2, 3, 4, 5, 6, 7, 8, 99].map(|o| file.line_column(o)).into();
        let expected =
            [at(1, 1), at(1, 2), at(1, 3), at(2, 1), at(2, 2), at(2, 3), at(3, 1), at(4, 1), at(4, 2)];
        assert_eq!(positions, expected);
        assert_eq!(file.line_count(), 4);
        assert_eq!(file.line_span(2).map(|s| file.slice(s)), Some("c"));
        assert_eq!(file.line_span(5), None);
    }

    #[test]
    fn columns_of_a_long_line_are_found_without_counting_it_each_time() {
        let line = "aä€".repeat(200_000);
        let file = Sources::new().add("t", format!("x\n{line}\ny"));
        crate::effort::within(Duration::from_secs(20), || {
            for index in 0..200_000 {
                assert_eq!(file.line_column(2 + index * 6), at(2, index as u32 * 3 + 1));
                assert_eq!(file.line_column(2 + index * 6 + 3), at(2, index as u32 * 3 + 3));
            }
        });
        assert_eq!(file.line_column(file.text().len()), at(3, 2));
    }

    #[test]
    fn offsets_and_positions_are_inverse() {
        let file = Sources::new().add("t", "äb\nc\n\nd");
        for (offset, _) in file.text().char_indices() {
            assert_eq!(file.offset(file.line_column(offset)), Some(offset));
        }
        assert_eq!(file.offset(at(1, 50)), Some(3));
        assert_eq!(file.offset(at(9, 1)), None);
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_place() {
        let sources = Sources::new();
        let limits = Limits { file_bytes: 10, ..Limits::default() };
        let error = |bytes: &[u8]| sources.add_bytes("f", bytes.to_vec(), &limits).unwrap_err().to_string();
        assert_eq!(error(b"a\n\xc3\xa4\xff"), "f:2:2: byte 0xff is not valid UTF-8; save the file as UTF-8");
        assert_eq!(error(b"ab\0"), "f:1:3: the file contains a NUL byte; it is not a text");
        assert!(error(b"12345678901").starts_with("f has 11 bytes, more than the limit of 10"));
        let bom = sources.add_bytes("f", b"\xef\xbb\xbfx".to_vec(), &limits).unwrap();
        assert_eq!(bom.text(), "x");
    }
}
