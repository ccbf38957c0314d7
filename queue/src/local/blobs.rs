//! Blobs as files of a directory beside the queue's.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::broker::Blobs;
use crate::error::Error;
use crate::files;
use crate::mem::{check_blob, check_name};

pub(crate) struct FileBlobs {
    directory: PathBuf,
}

impl FileBlobs {
    /// The directory is made with the first blob.
    pub fn new(directory: PathBuf) -> Self {
        FileBlobs { directory }
    }

    fn at(&self, name: &str) -> Result<PathBuf, Error> {
        check_name(name)?;
        Ok(self.directory.join(name))
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |error| Error::new(format!("{}: {error}", path.display()))
}

/// Writes a file so that it is whole or not there: aside, to the disk, and then renamed. Replaces an older one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // Another name for every write of every process.
    static WRITES: AtomicU64 = AtomicU64::new(0);
    let number = WRITES.fetch_add(1, Ordering::Relaxed);
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".{}-{number}.part", std::process::id()));
    let aside = PathBuf::from(aside);
    let written = files::create(&aside).and_then(|mut file| {
        file.write_all(bytes)?;
        files::put_in_place(file, &aside, path)
    });
    if written.is_err() {
        let _ = fs::remove_file(&aside);
    }
    written
}

impl Blobs for FileBlobs {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        check_blob(name, bytes)?;
        let path = self.at(name)?;
        files::make_directory(&self.directory)
            .and_then(|()| write_whole(&path, bytes))
            .map_err(failed(&path))
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let path = self.at(name)?;
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&path)(error)),
        }
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        let path = self.at(name)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&path)(error)),
            _ => Ok(()),
        }
    }

    fn remove_all(&self, prefix: &str) -> Result<(), Error> {
        check_name(prefix)?;
        let remove = || -> io::Result<()> {
            for entry in fs::read_dir(&self.directory)? {
                let entry = entry?;
                if entry.file_name().to_string_lossy().starts_with(prefix) {
                    fs::remove_file(entry.path())?;
                }
            }
            Ok(())
        };
        match remove() {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(failed(&self.directory)(error))
            }
            _ => Ok(()),
        }
    }
}
