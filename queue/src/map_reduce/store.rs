//! Where pairs lie between the stages.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::broker::Broker;
use crate::error::Error;
use crate::files;
#[cfg(feature = "store")]
use crate::objects::{Objects, Upload};
use crate::opts::MAX_BLOB;
use crate::places::Places;

/// Where pairs lie between the stages, and the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shuffle {
    /// In files of a directory that all workers see under this name. One file a split, of which a reduce job reads its part.
    Dir(PathBuf),
    /// With the broker, as blobs. One a split and partition: for up to a gigabyte in all.
    Broker,
    /// In an object store that all workers know by the same name. One object a split, of which a reduce job reads its part by ranges of 256 KiB. How long it
    /// is kept is the store's affair. Needs the feature `store`.
    #[cfg(feature = "store")]
    Store(Objects),
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

/// What may lie with a broker in all: every byte of it goes through the server and its disk twice.
const BROKER_MOST: u64 = 1 << 30;

/// An object in the making.
pub(crate) struct Writer {
    name: String,
    target: Target,
    len: u64,
    hash: xxhash_rust::xxh64::Xxh64,
}

enum Target {
    File {
        file: File,
        aside: PathBuf,
        path: PathBuf,
    },
    Blob(Vec<u8>),
    #[cfg(feature = "store")]
    Object(Upload),
}

impl Writer {
    /// Adds bytes. Large pieces at a time, as each is a write.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.len += bytes.len() as u64;
        self.hash.update(bytes);
        match &mut self.target {
            Target::File { file, path, .. } => file.write_all(bytes).map_err(at(path)),
            Target::Blob(_) if self.len > MAX_BLOB => Err(Error::new(format!(
                "{} has more than {MAX_BLOB} bytes: use Shuffle::Dir, or more partitions",
                self.name
            ))),
            Target::Blob(all) => {
                all.extend_from_slice(bytes);
                Ok(())
            }
            #[cfg(feature = "store")]
            Target::Object(upload) => upload.write(bytes),
        }
    }

    /// From now on the object is there, whole.
    pub fn finish(self, broker: &dyn Broker) -> Result<Section, Error> {
        let name = match self.target {
            Target::File { file, aside, path } => {
                files::put_in_place(file, &aside, &path).map_err(at(&path))?;
                self.name
            }
            Target::Blob(bytes) => {
                let name = format!("{}.0", self.name);
                broker.blobs().put(&name, &bytes)?;
                name
            }
            #[cfg(feature = "store")]
            Target::Object(upload) => {
                upload.finish()?;
                self.name
            }
        };
        Ok(Section {
            name,
            start: 0,
            len: self.len,
            hash: self.hash.digest(),
        })
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> Error + '_ {
    move |error| Error::new(format!("{}: {error}", path.display()))
}

fn hash(part: &[u8]) -> u64 {
    xxhash_rust::xxh64::xxh64(part, 0)
}

/// Where the parts of an object lie.
fn one_after_another(name: &str, parts: &[Vec<u8>]) -> Vec<Section> {
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
    sections.collect()
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
        match self {
            Shuffle::Dir(directory) => {
                let path = directory.join(name);
                let aside = directory.join(format!("{name}.part"));
                let write = || {
                    files::make_directory(directory)?;
                    let mut file = files::create(&aside)?;
                    parts.iter().try_for_each(|part| file.write_all(part))?;
                    files::put_in_place(file, &aside, &path)
                };
                write().map_err(at(&path))?;
                Ok(one_after_another(name, parts))
            }
            #[cfg(feature = "store")]
            Shuffle::Store(objects) => {
                let mut upload = objects.create(name)?;
                parts.iter().try_for_each(|part| upload.write(part))?;
                upload.finish()?;
                Ok(one_after_another(name, parts))
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

    /// An object of one section, to be written as it comes.
    pub(crate) fn create(&self, name: &str) -> Result<Writer, Error> {
        crate::mem::check_name(name)?;
        let target = match self {
            Shuffle::Dir(directory) => {
                let path = directory.join(name);
                let aside = directory.join(format!("{name}.part"));
                let create = || {
                    files::make_directory(directory)?;
                    files::create(&aside)
                };
                let file = create().map_err(at(&path))?;
                Target::File { file, aside, path }
            }
            Shuffle::Broker => Target::Blob(Vec::new()),
            #[cfg(feature = "store")]
            Shuffle::Store(objects) => Target::Object(objects.create(name)?),
        };
        Ok(Writer {
            name: name.to_owned(),
            target,
            len: 0,
            hash: xxhash_rust::xxh64::Xxh64::new(0),
        })
    }

    /// Finds the place that a job names among those of its worker, and refuses others.
    pub(crate) fn settle(&mut self, places: &Places) -> Result<(), Error> {
        match self {
            Shuffle::Dir(directory) => places.check(directory),
            Shuffle::Broker => Ok(()),
            #[cfg(feature = "store")]
            Shuffle::Store(objects) => objects.connect(&places.stores),
        }
    }

    /// Refuses what a broker is not made for.
    pub(crate) fn check_total(&self, bytes: u64) -> Result<(), Error> {
        match self {
            Shuffle::Broker if bytes > BROKER_MOST => Err(Error::new(format!(
                "the map jobs wrote {bytes} bytes, and {BROKER_MOST} are allowed with the broker: use Shuffle::Dir"
            ))),
            _ => Ok(()),
        }
    }

    /// Reads a section.
    pub(crate) fn open(&self, broker: &dyn Broker, section: &Section) -> Result<Bytes, Error> {
        // A hostile submitter may have written the record: the name must not lead out of the directory.
        crate::mem::check_name(&section.name)?;
        match self {
            Shuffle::Dir(directory) => {
                let path = directory.join(&section.name);
                let open = || {
                    let mut file = File::open(&path)?;
                    // Its length comes from a record, and memory is taken by it.
                    let end = section.start.checked_add(section.len);
                    if end.is_none_or(|end| end > file.metadata().map_or(0, |data| data.len())) {
                        return Err(io::Error::other("it is shorter than its record says"));
                    }
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
                if bytes.len() as u64 != section.len {
                    return Err(Error::new(format!(
                        "blob {} has {} bytes, and its record says {}",
                        section.name,
                        bytes.len(),
                        section.len
                    )));
                }
                Ok(Box::new(Cursor::new(bytes)))
            }
            #[cfg(feature = "store")]
            Shuffle::Store(objects) => Ok(Box::new(objects.open(
                &section.name,
                section.start,
                section.len,
            )?)),
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
                    files::make_directory(directory)?;
                    files::create(&aside)?.write_all(bytes)?;
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
                // Two drivers that start at the same moment with different inputs may both pass. Their jobs have the same ids, so one input is computed.
                if broker.blobs().get(name)?.is_none() {
                    broker.blobs().put(name, bytes)?;
                }
                broker
                    .blobs()
                    .get(name)?
                    .ok_or_else(|| Error::new(format!("blob {name} is gone")))
            }
            #[cfg(feature = "store")]
            Shuffle::Store(objects) => objects.claim_name(name, bytes),
        }
    }

    /// Removes all objects whose names begin so.
    pub(crate) fn clean(&self, broker: &dyn Broker, prefix: &str) -> Result<(), Error> {
        let directory = match self {
            Shuffle::Dir(directory) => directory,
            Shuffle::Broker => return broker.blobs().remove_all(prefix),
            #[cfg(feature = "store")]
            Shuffle::Store(objects) => return objects.clean(prefix),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broker_takes_a_gigabyte() {
        assert!(Shuffle::Broker.check_total(1 << 30).is_ok());
        assert!(Shuffle::Broker.check_total((1 << 30) + 1).is_err());
        assert!(Shuffle::Dir(PathBuf::new()).check_total(1 << 40).is_ok());
    }
}
