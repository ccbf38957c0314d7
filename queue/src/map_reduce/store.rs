//! Where pairs lie between the stages.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::broker::Broker;
use crate::error::Error;

/// Where pairs lie between the stages, and the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shuffle {
    /// In files of a directory that all workers see under this name. One file a split, of which a reduce job reads its part.
    Dir(PathBuf),
    /// With the broker, as blobs. One a split and partition: for up to a gigabyte in all.
    Broker,
}

/// A stretch of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Section {
    pub name: String,
    pub start: u64,
    pub len: u64,
    /// XXH64 of its bytes, checked when the last is read.
    pub hash: u64,
}

/// The bytes of a section, as they come.
pub(crate) type Bytes = Box<dyn Read + Send>;

/// Larger than a disk's latency costs, small enough for hundreds at once.
const BUFFER: usize = 64 << 10;

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |error| Error::new(format!("{}: {error}", path.display()))
}

impl Shuffle {
    /// Writes an object of several sections. It is whole or not there.
    pub(crate) fn put(
        &self,
        broker: &dyn Broker,
        name: &str,
        parts: &[Vec<u8>],
    ) -> Result<Vec<Section>, Error> {
        crate::mem::check_name(name)?;
        let hash = |part: &[u8]| xxhash_rust::xxh64::xxh64(part, 0);
        match self {
            Shuffle::Dir(directory) => {
                let path = directory.join(name);
                let aside = directory.join(format!("{name}.part"));
                let write = || {
                    fs::create_dir_all(directory)?;
                    let mut file = File::create(&aside)?;
                    parts.iter().try_for_each(|part| file.write_all(part))?;
                    file.sync_data()?;
                    fs::rename(&aside, &path)
                };
                write().map_err(at(&path))?;
                let mut start = 0;
                let sections = parts.iter().map(|part| {
                    let section = Section {
                        name: name.to_owned(),
                        start,
                        len: part.len() as u64,
                        hash: hash(part),
                    };
                    start += section.len;
                    section
                });
                Ok(sections.collect())
            }
            Shuffle::Broker => {
                let sections = parts.iter().enumerate().map(|(number, part)| {
                    let section = Section {
                        name: format!("{name}.{number}"),
                        start: 0,
                        len: part.len() as u64,
                        hash: hash(part),
                    };
                    broker.blobs().put(&section.name, part)?;
                    Ok(section)
                });
                sections.collect()
            }
        }
    }

    /// Reads a section.
    pub(crate) fn open(&self, broker: &dyn Broker, section: &Section) -> Result<Bytes, Error> {
        // Records are as hostile as those who may write them: a name must not lead out of the directory.
        crate::mem::check_name(&section.name)?;
        match self {
            Shuffle::Dir(directory) => {
                let path = directory.join(&section.name);
                let open = || {
                    let mut file = File::open(&path)?;
                    file.seek(SeekFrom::Start(section.start))?;
                    Ok(file)
                };
                let file = open().map_err(at(&path))?;
                Ok(Box::new(io::BufReader::with_capacity(
                    BUFFER,
                    file.take(section.len),
                )))
            }
            Shuffle::Broker => {
                let bytes = broker
                    .blobs()
                    .get(&section.name)?
                    .ok_or_else(|| Error::new(format!("blob {} is gone", section.name)))?;
                Ok(Box::new(Cursor::new(bytes)))
            }
        }
    }

    /// Writes a small object unless there is one of this name; what the object holds then.
    pub(crate) fn claim_name(
        &self,
        broker: &dyn Broker,
        name: &str,
        bytes: &[u8],
    ) -> Result<Vec<u8>, Error> {
        match self {
            Shuffle::Dir(directory) => {
                let path = directory.join(name);
                let aside = directory.join(format!("{name}.{:016x}.part", crate::id::random()));
                let claim = || {
                    fs::create_dir_all(directory)?;
                    fs::write(&aside, bytes)?;
                    // Unlike a rename, a link fails where a file is.
                    let linked = fs::hard_link(&aside, &path);
                    fs::remove_file(&aside)?;
                    match linked {
                        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
                        _ => fs::read(&path),
                    }
                };
                claim().map_err(at(&path))
            }
            Shuffle::Broker => {
                // Two drivers that start at the same moment with different inputs may both pass. Their jobs have the same names, so one input is computed.
                if broker.blobs().get(name)?.is_none() {
                    broker.blobs().put(name, bytes)?;
                }
                broker
                    .blobs()
                    .get(name)?
                    .ok_or_else(|| Error::new(format!("blob {name} is gone")))
            }
        }
    }

    /// Removes all files whose names begin so.
    pub(crate) fn clean(&self, prefix: &str) -> Result<(), Error> {
        let Shuffle::Dir(directory) = self else {
            return Ok(());
        };
        let remove = || {
            for entry in fs::read_dir(directory)? {
                let entry = entry?;
                if entry.file_name().to_string_lossy().starts_with(prefix) {
                    fs::remove_file(entry.path())?;
                }
            }
            Ok(())
        };
        remove().map_err(at(directory))
    }
}
