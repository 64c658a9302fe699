//! Files that are removed when nobody needs them any more; where a search is saved, only when it was saved without
//! them.

use std::io::Result;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::storage::{Blob, Storage};
use crate::sync::lock;

/// The files of a search.
pub(crate) struct Files<'a> {
    storage: &'a dyn Storage,
    /// The number of the next file.
    next: AtomicU64,
    /// Whether what was saved may still speak of files that are not needed any more.
    is_saved: bool,
    /// The names of such files.
    doomed: Mutex<Vec<String>>,
}

/// A file with its name.
pub(crate) struct File<'a> {
    files: &'a Files<'a>,
    pub(crate) number: u64,
    blob: Box<dyn Blob>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(storage: &'a dyn Storage, is_saved: bool) -> Self {
        Files { storage, next: AtomicU64::new(0), is_saved, doomed: Mutex::default() }
    }

    pub(crate) fn storage(&self) -> &'a dyn Storage {
        self.storage
    }

    /// The number of the next file; those from there on are of no search that was saved.
    pub(crate) fn next(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Goes on with files from this number on.
    pub(crate) fn go_on(&self, next: u64) {
        self.next.store(next, Ordering::Relaxed);
    }

    /// A new file.
    pub(crate) fn create(&'a self) -> Result<File<'a>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let blob = self.storage.create(&name(number))?;
        Ok(File { files: self, number, blob })
    }

    /// A file that was there when the search was saved.
    pub(crate) fn open(&'a self, number: u64) -> Result<File<'a>> {
        Ok(File { files: self, number, blob: self.storage.open(&name(number))? })
    }

    /// The search begins anew: what was saved before is not to be gone on with.
    pub(crate) fn begin(&self) {
        if self.is_saved {
            let _ = super::saved::Saved::remove(self.storage);
        }
    }

    /// The search is complete: there is nothing to go on with.
    pub(crate) fn finish(&self) {
        if self.is_saved {
            self.begin();
            lock(&self.doomed).clear();
            for number in 0..self.next() {
                let _ = self.storage.remove(&name(number));
            }
        }
    }

    /// Removes what is not needed, now that what was saved does not speak of it.
    pub(crate) fn sweep(&self) {
        for name in std::mem::take(&mut *lock(&self.doomed)) {
            // A file that stays is a nuisance, and no reason to stop.
            let _ = self.storage.remove(&name);
        }
    }
}

fn name(number: u64) -> String {
    format!("states-{number}")
}

impl File<'_> {
    pub(crate) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.blob.read_at(offset, buffer)
    }

    pub(crate) fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.blob.write_at(offset, bytes)
    }

    pub(crate) fn sync(&self) -> Result<()> {
        self.blob.sync()
    }
}

impl Drop for File<'_> {
    fn drop(&mut self) {
        let name = name(self.number);
        if self.files.is_saved {
            lock(&self.files.doomed).push(name);
        } else {
            let _ = self.files.storage.remove(&name);
        }
    }
}
