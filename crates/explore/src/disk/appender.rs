//! A file that is written from front to back.

use std::io::Result;

use super::files::{File, Files};

/// See the module. The file is made when there is something to write.
pub(crate) struct Appender<'a> {
    files: &'a Files<'a>,
    file: Option<File<'a>>,
    /// Bytes that were written.
    written: u64,
    buffer: Vec<u8>,
    /// Bytes that are written together.
    room: usize,
}

impl<'a> Appender<'a> {
    pub(crate) fn new(files: &'a Files<'a>, room: usize) -> Self {
        Appender { files, file: None, written: 0, buffer: Vec::new(), room }
    }

    /// Has `write` append some bytes.
    #[inline]
    pub(crate) fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        write(&mut self.buffer);
        if self.buffer.len() >= self.room { self.flush().map(|_| ()) } else { Ok(()) }
    }

    /// Bytes that were appended.
    pub(crate) fn bytes(&self) -> u64 {
        self.written + self.buffer.len() as u64
    }

    fn flush(&mut self) -> Result<&File<'a>> {
        let file = match self.file.take() {
            Some(file) => file,
            None => self.files.create()?,
        };
        let file = self.file.insert(file);
        file.write_at(self.written, &self.buffer)?;
        self.written += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(file)
    }

    /// All that was appended.
    pub(crate) fn read(mut self) -> Result<Vec<u8>> {
        if self.file.is_none() {
            return Ok(self.buffer);
        }
        let bytes = self.written as usize;
        let held = std::mem::take(&mut self.buffer);
        let mut all = vec![0; bytes + held.len()];
        if let Some(file) = &self.file {
            file.read_at(0, &mut all[..bytes])?;
        }
        all[bytes..].copy_from_slice(&held);
        Ok(all)
    }

    /// The file with all of it.
    pub(crate) fn finish(mut self) -> Result<File<'a>> {
        self.flush()?;
        match self.file {
            Some(file) => Ok(file),
            None => self.files.create(),
        }
    }
}
