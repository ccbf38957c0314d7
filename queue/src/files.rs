//! Files that only their owner may read, written so that they are whole or not there.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A new file for writing, in place of an older one.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a directory and those above it. What is there stays as it is.
pub(crate) fn make_directory(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Gives a file that was written aside its name. After a loss of power it has it still, or never had it.
pub(crate) fn put_in_place(file: File, aside: &Path, path: &Path) -> io::Result<()> {
    file.sync_data()?;
    drop(file);
    fs::rename(aside, path)?;
    // The name is in the directory, which is written by itself. Only Unix lets a directory be opened for that.
    #[cfg(unix)]
    if let Some(directory) = path.parent() {
        let directory = if directory.as_os_str().is_empty() {
            Path::new(".")
        } else {
            directory
        };
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}
