//! Where a search keeps what does not fit into memory: the [`Storage`] that a caller offers, and one in memory for
//! tests.
//!
//! Nothing here touches a disk. Who has one implements the two traits with files.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex};

use crate::sync::lock;

/// A place for files that are named by the search. Names are plain: letters, digits, hyphens.
pub trait Storage: Sync {
    /// Makes an empty file, in place of one that is there.
    ///
    /// # Errors
    /// If the file cannot be made.
    fn create(&self, name: &str) -> Result<Box<dyn Blob>>;

    /// Opens a file that is there.
    ///
    /// # Errors
    /// If it is not there or cannot be opened.
    fn open(&self, name: &str) -> Result<Box<dyn Blob>>;

    /// Removes a file. One that is not there is no error.
    ///
    /// # Errors
    /// If it cannot be removed.
    fn remove(&self, name: &str) -> Result<()>;

    /// Writes a whole file, so that whatever happens either the old or the new one is there.
    ///
    /// # Errors
    /// If it cannot be written.
    fn replace(&self, name: &str, bytes: &[u8]) -> Result<()>;

    /// Reads a whole file, if it is there.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>>;
}

/// A file.
pub trait Blob: Send + Sync {
    /// Fills a buffer from a place on.
    ///
    /// # Errors
    /// If there are not so many bytes, or they cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// Writes at a place; the file grows if need be.
    ///
    /// # Errors
    /// If that cannot be done, such as for want of room.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Waits until what was written outlasts the process and the machine.
    ///
    /// # Errors
    /// If that cannot be done.
    fn sync(&self) -> Result<()>;
}

/// Files in memory, for tests.
#[derive(Default)]
pub struct Heap {
    files: Mutex<BTreeMap<String, Arc<Mutex<Vec<u8>>>>>,
}

struct HeapBlob(Arc<Mutex<Vec<u8>>>);

impl Heap {
    /// The names of the files there are.
    pub fn names(&self) -> Vec<String> {
        lock(&self.files).keys().cloned().collect()
    }
}

impl Storage for Heap {
    fn create(&self, name: &str) -> Result<Box<dyn Blob>> {
        let file = Arc::<Mutex<Vec<u8>>>::default();
        lock(&self.files).insert(name.to_owned(), Arc::clone(&file));
        Ok(Box::new(HeapBlob(file)))
    }

    fn open(&self, name: &str) -> Result<Box<dyn Blob>> {
        match lock(&self.files).get(name) {
            Some(file) => Ok(Box::new(HeapBlob(Arc::clone(file)))),
            None => Err(Error::new(ErrorKind::NotFound, name.to_owned())),
        }
    }

    fn remove(&self, name: &str) -> Result<()> {
        lock(&self.files).remove(name);
        Ok(())
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> Result<()> {
        lock(&self.files).insert(name.to_owned(), Arc::new(Mutex::new(bytes.to_vec())));
        Ok(())
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(lock(&self.files).get(name).map(|file| lock(file).clone()))
    }
}

impl Blob for HeapBlob {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        let file = lock(&self.0);
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = from.checked_add(buffer.len()).and_then(|to| file.get(from..to));
        buffer.copy_from_slice(bytes.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut file = lock(&self.0);
        let from = usize::try_from(offset).map_err(|_| ErrorKind::StorageFull)?;
        if file.len() < from + bytes.len() {
            file.resize(from + bytes.len(), 0);
        }
        file[from..from + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&self) -> Result<()> {
        Ok(())
    }
}
