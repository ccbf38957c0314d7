//! Files as input.

use std::fs::{File, Metadata};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use filch::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::opts::MAX_BODY;

/// Bytes of names in a split: half of what a job may have, as the work itself is in it, too.
const NAMES: usize = MAX_BODY / 2;
/// What the numbers of a part take at most, encoded.
const NUMBERS: usize = 48;

/// Files, cut into splits.
pub struct Files;

/// A stretch of a file: the lines that begin in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePart {
    /// Which file. Every worker must see it under this name.
    pub path: PathBuf,
    /// The first byte.
    pub start: u64,
    /// The byte behind the last.
    pub end: u64,
    /// When the file was last changed, in nanoseconds since 1970. A changed file makes another input.
    pub changed: u128,
}

impl Files {
    /// Splits of about `size` bytes: small files together, large ones in parts. In the order of the paths. Of less, where the names of so many files would not
    /// fit into a job.
    ///
    /// # Errors
    ///
    /// If a file is not there, or is no file.
    pub fn splits<P: AsRef<Path>>(
        paths: impl IntoIterator<Item = P>,
        size: u64,
    ) -> Result<Vec<Vec<FilePart>>, Error> {
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().into()).collect();
        // A system call a file: tens of thousands take as long as a job does.
        let looked_at: Vec<(u64, u128)> = paths
            .par_iter()
            .map(|path| look(path))
            .collect::<Result<_, _>>()?;
        let size = size.max(1);
        let (mut splits, mut split, mut room) = (Vec::new(), Vec::new(), size);
        let mut names = 0;
        for (path, (len, changed)) in paths.into_iter().zip(looked_at) {
            let mut start = 0;
            while start < len {
                // Thousands of small files: their names have to fit into a job.
                let name = path.as_os_str().len() + NUMBERS;
                if names + name > NAMES && !split.is_empty() {
                    splits.push(std::mem::take(&mut split));
                    (names, room) = (0, size);
                }
                names += name;
                let end = len.min(start + room);
                split.push(FilePart {
                    path: path.clone(),
                    start,
                    end,
                    changed,
                });
                room -= end - start;
                start = end;
                if room == 0 {
                    splits.push(std::mem::take(&mut split));
                    (names, room) = (0, size);
                }
            }
        }
        if !split.is_empty() {
            splits.push(split);
        }
        Ok(splits)
    }
}

/// The length of a file, and when it was changed.
fn look(path: &Path) -> Result<(u64, u128), Error> {
    let metadata = std::fs::metadata(path)
        .map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
    if !metadata.is_file() {
        return Err(Error::new(format!("{} is no file", path.display())));
    }
    Ok((metadata.len(), changed(&metadata)))
}

impl FilePart {
    /// Its lines, with their ends. A line that begins in a part belongs to it whole, so the parts of a file have each line once.
    ///
    /// The submitter chose the path. Check it first, unless all submitters are trusted as the worker's owner is.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or was changed since it was cut.
    pub fn read_lines(&self) -> io::Result<Vec<u8>> {
        let mut file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        if changed(&metadata) != self.changed {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!(
                    "{} was changed since the run began: give the run a new name",
                    self.path.display()
                ),
            ));
        }
        let mut bytes = Vec::new();
        // From the byte before: only if that ends a line does the first byte begin one.
        let from = self.start.saturating_sub(1);
        file.seek(SeekFrom::Start(from))?;
        let mut file = BufReader::with_capacity(1 << 16, file);
        let mut at = from;
        if self.start > 0 {
            at += skip_line(&mut file)?;
        }
        if at >= self.end {
            return Ok(bytes);
        }
        // No more than the file has, whatever the job says of it.
        bytes
            .reserve(usize::try_from(self.end.min(metadata.len()).saturating_sub(at)).unwrap_or(0));
        file.by_ref().take(self.end - at).read_to_end(&mut bytes)?;
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            file.read_until(b'\n', &mut bytes)?;
        }
        Ok(bytes)
    }
}

/// When a file was last changed, in nanoseconds since 1970.
fn changed(metadata: &Metadata) -> u128 {
    let since = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos())
}

/// Reads to the end of a line, and keeps nothing; how many bytes it was.
fn skip_line(file: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let buffer = file.fill_buf()?;
        let (len, found) = match buffer.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        file.consume(len);
        skipped += len as u64;
        if found {
            return Ok(skipped);
        }
    }
}
