//! Files for what a search cannot keep in memory: in a folder that the user names, or a temporary one that is removed
//! at the end.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use locus_explore::{Blob, Storage};

/// A folder with the files of a search.
pub(crate) struct Folder {
    place: Place,
    /// Bytes that may still be written.
    left: Arc<AtomicU64>,
}

enum Place {
    Named(PathBuf),
    /// Made when the first file is.
    Temporary(OnceLock<tempfile::TempDir>),
}

impl Folder {
    /// A folder that the user named, with room for so many bytes. It is made if it is not there.
    pub(crate) fn named(path: &Path, most: Option<u64>) -> Self {
        Self { place: Place::Named(path.to_owned()), left: room(most) }
    }

    /// A temporary folder.
    pub(crate) fn temporary(most: Option<u64>) -> Self {
        Self { place: Place::Temporary(OnceLock::new()), left: room(most) }
    }

    fn path(&self, name: &str) -> Result<PathBuf> {
        match &self.place {
            Place::Named(folder) => {
                fs::create_dir_all(folder)?;
                Ok(folder.join(name))
            }
            Place::Temporary(folder) => {
                if let Some(folder) = folder.get() {
                    return Ok(folder.path().join(name));
                }
                let made = tempfile::Builder::new().prefix("locus-states-").tempdir()?;
                Ok(folder.get_or_init(|| made).path().join(name))
            }
        }
    }
}

fn room(most: Option<u64>) -> Arc<AtomicU64> {
    Arc::new(AtomicU64::new(most.unwrap_or(u64::MAX)))
}

/// Says which file it is about.
fn about(path: &Path) -> impl Fn(Error) -> Error {
    move |error| Error::new(error.kind(), format!("{}: {error}", path.display()))
}

impl Storage for Folder {
    fn create(&self, name: &str) -> Result<Box<dyn Blob>> {
        let path = self.path(name)?;
        let mut options = File::options();
        let file =
            options.read(true).write(true).create(true).truncate(true).open(&path).map_err(about(&path))?;
        Ok(Box::new(Contents {
            file: Mutex::new(file),
            length: AtomicU64::new(0),
            path,
            left: Arc::clone(&self.left),
        }))
    }

    fn open(&self, name: &str) -> Result<Box<dyn Blob>> {
        let path = self.path(name)?;
        let file = File::options().read(true).write(true).open(&path).map_err(about(&path))?;
        let length = AtomicU64::new(file.metadata()?.len());
        Ok(Box::new(Contents { file: Mutex::new(file), length, path, left: Arc::clone(&self.left) }))
    }

    fn remove(&self, name: &str) -> Result<()> {
        let path = self.path(name)?;
        let length = fs::metadata(&path).map_or(0, |data| data.len());
        match fs::remove_file(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            Ok(()) => {
                let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                    (left < u64::MAX).then(|| left.saturating_add(length))
                });
                Ok(())
            }
            other => other.map_err(about(&path)),
        }
    }

    fn replace(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.path(name)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(bytes).map_err(about(&path))?;
        file.as_file().sync_all()?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }

    fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.path(name)?;
        match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            other => other.map(Some).map_err(about(&path)),
        }
    }
}

/// A file.
struct Contents {
    file: Mutex<File>,
    length: AtomicU64,
    path: PathBuf,
    left: Arc<AtomicU64>,
}

impl Contents {
    fn at<T>(&self, offset: u64, work: impl FnOnce(&mut File) -> Result<T>) -> Result<T> {
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset)).and_then(|_| work(&mut file)).map_err(about(&self.path))
    }
}

impl Blob for Contents {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.at(offset, |file| file.read_exact(buffer))
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let end = offset + bytes.len() as u64;
        let more = end.saturating_sub(self.length.fetch_max(end, Ordering::Relaxed));
        let take = |left: u64| if left == u64::MAX { Some(left) } else { left.checked_sub(more) };
        if self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            return Err(Error::new(
                ErrorKind::StorageFull,
                "the limit on disk space was reached (--max-disk)",
            ));
        }
        self.at(offset, |file| file.write_all(bytes))
    }

    fn sync(&self) -> Result<()> {
        self.at(0, |file| file.sync_data())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_on_disk_space_is_kept_and_given_back() {
        let folder = Folder::temporary(Some(100));
        let blob = folder.create("one").unwrap();
        blob.write_at(0, &[7; 60]).unwrap();
        blob.write_at(20, &[8; 40]).unwrap();
        let mut read = [0; 3];
        blob.read_at(19, &mut read).unwrap();
        assert_eq!(read, [7, 8, 8]);
        assert!(
            folder
                .create("two")
                .unwrap()
                .write_at(0, &[0; 41])
                .unwrap_err()
                .to_string()
                .contains("--max-disk")
        );
        folder.remove("one").unwrap();
        folder.create("three").unwrap().write_at(0, &[0; 90]).unwrap();
        assert!(blob.read_at(59, &mut read).is_err(), "there is no more");
    }

    #[test]
    fn a_file_that_is_not_there_is_no_file() {
        let folder = Folder::temporary(None);
        assert!(folder.read("search").unwrap().is_none());
        assert!(folder.open("search").is_err());
        folder.remove("search").unwrap();
        folder.replace("search", b"abc").unwrap();
        assert_eq!(folder.read("search").unwrap().unwrap(), b"abc");
    }
}
