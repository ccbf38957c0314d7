//! An object store as the place of a shuffle.
//!
//! Objects are written whole or not at all: by one put, or by an upload in parts whose completion makes them appear. They are read by ranges.

use std::fmt;
use std::future::Future;
use std::io::{self, Read};
use std::sync::{Arc, OnceLock};

use bytes::{Buf, Bytes};
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{GetOptions, MultipartUpload, ObjectStore, ObjectStoreExt, PutMode};
use serde::{Deserialize, Serialize};
use tokio::runtime::{Builder, Handle};

use crate::error::Error;

/// How much is read at once. A store takes tens of milliseconds to answer, and hundreds of sections are read side by side.
const RANGE: u64 = 256 << 10;

/// How much is uploaded at once: all parts but the last have the same length, as some stores demand. S3 takes 10,000 parts, so 80 GB an object.
const PART: usize = 8 << 20;

/// An object store for [`Shuffle::Store`](crate::map_reduce::Shuffle::Store), by the name under which all workers know it.
///
/// What travels with a job is the name alone. Each process brings its own connection, so neither addresses nor credentials are in the queue, and a
/// submitter cannot choose where a job writes: a worker has to be given the store by [`Worker::shuffle_store`](crate::Worker::shuffle_store). Objects lie below
/// the name, and below that the run's.
///
/// Needs the feature `store`. The store is anything that the crate `object_store` reaches: add the crate, of the version re-exported as
/// [`map_reduce::object_store`](crate::map_reduce::object_store), with its feature for yours (`aws`, `azure`, `gcp`, `http`, `fs`).
///
/// ```
/// use filch_queue::map_reduce::object_store::memory::InMemory;
/// use filch_queue::map_reduce::{Objects, Shuffle};
/// use std::sync::Arc;
///
/// let objects = Objects::new("scratch", Arc::new(InMemory::new()));
/// // Worker::new(&queue).shuffle_store(&objects), and for the run:
/// let shuffle = Shuffle::Store(objects);
/// ```
#[derive(Clone, Serialize, Deserialize)]
pub struct Objects {
    name: String,
    /// Where they are. An `Objects` that came with a job does not know until its worker says so.
    #[serde(skip)]
    store: Option<Arc<dyn ObjectStore>>,
}

impl Objects {
    /// A store and its name, which is also where in the store objects lie: up to 200 letters, digits, '-', '_' and '.'.
    ///
    /// A name that is none of these is refused when the run starts.
    pub fn new(name: &str, store: Arc<dyn ObjectStore>) -> Self {
        Objects {
            name: name.to_owned(),
            store: Some(store),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// From now on it is the store of this name that the worker has.
    pub(crate) fn connect(&mut self, known: &[Objects]) -> Result<(), Error> {
        let found = known.iter().find(|objects| objects.name == self.name);
        let found = found.ok_or_else(|| {
            Error::new(format!(
                "this worker has no object store named {:?}: give it by Worker::shuffle_store",
                self.name
            ))
        })?;
        self.store.clone_from(&found.store);
        Ok(())
    }

    fn store(&self) -> Result<&Arc<dyn ObjectStore>, Error> {
        self.store.as_ref().ok_or_else(|| {
            let text = format!("the object store {:?} is not known here", self.name);
            Error::new(text)
        })
    }

    /// Where an object lies. What is before the first point, the run, becomes a directory of its own.
    fn path(&self, object: &str) -> Result<Path, Error> {
        crate::mem::check_name(&self.name)?;
        crate::mem::check_name(object)?;
        let (run, rest) = object.split_once('.').unwrap_or((object, "_"));
        Ok(Path::from_iter([&self.name, run, rest]))
    }

    /// An object to be written as it comes.
    pub(crate) fn create(&self, object: &str) -> Result<Upload, Error> {
        Ok(Upload {
            store: self.store()?.clone(),
            path: self.path(object)?,
            part: Vec::new(),
            parts: None,
        })
    }

    /// Writes an object unless there is one of this name; what it holds then.
    pub(crate) fn claim_name(&self, object: &str, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let (store, path) = (self.store()?, self.path(object)?);
        wait(&path, async {
            let payload = bytes.to_vec().into();
            match store.put_opts(&path, payload, PutMode::Create.into()).await {
                Ok(_) => Ok(bytes.to_vec()),
                // Perhaps by this very call, if its first answer was lost.
                Err(object_store::Error::AlreadyExists { .. }) => {
                    Ok(store.get(&path).await?.bytes().await?.to_vec())
                }
                Err(error) => Err(error),
            }
        })
    }

    /// The bytes of a stretch of an object.
    pub(crate) fn open(&self, object: &str, start: u64, len: u64) -> Result<Ranges, Error> {
        let path = self.path(object)?;
        let end = start.checked_add(len).ok_or_else(|| {
            let text = format!("object {path}: a section ends beyond 2^64");
            Error::new(text)
        })?;
        let mut ranges = Ranges {
            store: self.store()?.clone(),
            path,
            start,
            end,
            bytes: Bytes::new(),
        };
        // Its length comes from a record, and memory is taken by it. The first range tells how long the object is.
        ranges.fetch()?;
        Ok(ranges)
    }

    /// Removes all objects whose names begin so; the prefix ends with a point.
    pub(crate) fn clean(&self, prefix: &str) -> Result<(), Error> {
        crate::mem::check_name(&self.name)?;
        let store = self.store()?;
        let below = Path::from_iter([&self.name, prefix.trim_end_matches('.')]);
        wait(&below, async {
            let found = store.list(Some(&below)).map_ok(|object| object.location);
            let found: Vec<Path> = found.try_collect().await?;
            for path in found {
                match store.delete(&path).await {
                    Err(object_store::Error::NotFound { .. }) => {}
                    other => other?,
                }
            }
            Ok(())
        })
    }
}

impl fmt::Debug for Objects {
    /// The name alone: a store may print more than a log should have.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Objects").field(&self.name).finish()
    }
}

/// Two are equal if their names are.
impl PartialEq for Objects {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Objects {}

/// An object that is being written. Dropped before its end, it never appears.
pub(crate) struct Upload {
    store: Arc<dyn ObjectStore>,
    path: Path,
    part: Vec<u8>,
    /// Once there is more than one part.
    parts: Option<Box<dyn MultipartUpload>>,
}

impl Upload {
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            if self.part.len() == PART {
                self.send()?;
            }
            let (now, later) = bytes.split_at(bytes.len().min(PART - self.part.len()));
            self.part.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    fn send(&mut self) -> Result<(), Error> {
        let Upload {
            store,
            path,
            part,
            parts,
        } = self;
        let part = std::mem::take(part);
        wait(path, async {
            if parts.is_none() {
                *parts = Some(store.put_multipart(path).await?);
            }
            match parts {
                Some(parts) => parts.put_part(part.into()).await,
                None => Ok(()),
            }
        })
    }

    pub fn finish(mut self) -> Result<(), Error> {
        if self.parts.is_some() {
            self.send()?;
        }
        let part = std::mem::take(&mut self.part);
        let completed = wait(&self.path, async {
            match &mut self.parts {
                Some(parts) => parts.complete().await,
                None => self.store.put(&self.path, part.into()).await,
            }
        });
        completed?;
        self.parts = None;
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        if let Some(parts) = &mut self.parts {
            // What stays is no object, and stores have rules for how long they keep such parts.
            let _ = wait(&self.path, parts.abort());
        }
    }
}

/// The bytes of a stretch of an object, fetched range by range: no connection is held while others are read.
pub(crate) struct Ranges {
    store: Arc<dyn ObjectStore>,
    path: Path,
    start: u64,
    end: u64,
    bytes: Bytes,
}

impl Ranges {
    fn fetch(&mut self) -> Result<(), Error> {
        let range = self.start..self.end.min(self.start.saturating_add(RANGE));
        if range.is_empty() {
            return Ok(());
        }
        let options = GetOptions {
            range: Some(range.clone().into()),
            ..GetOptions::default()
        };
        let (size, bytes) = wait(&self.path, async {
            let found = self.store.get_opts(&self.path, options).await?;
            Ok((found.meta.size, found.bytes().await?))
        })?;
        if self.end > size || bytes.len() as u64 != range.end - range.start {
            return Err(Error::new(format!(
                "object {} has {size} bytes and gave {} of {range:?}, and its record says {}: it is shorter than that",
                self.path,
                bytes.len(),
                self.end
            )));
        }
        self.start = range.end;
        self.bytes = bytes;
        Ok(())
    }
}

impl Read for Ranges {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() {
            self.fetch().map_err(io::Error::other)?;
        }
        let len = into.len().min(self.bytes.len());
        self.bytes.copy_to_slice(&mut into[..len]);
        Ok(len)
    }
}

/// Waits for what a store does. Its connections are driven by one thread of this process, which starts with the first call.
fn wait<T>(path: &Path, call: impl Future<Output = object_store::Result<T>>) -> Result<T, Error> {
    static IO: OnceLock<Result<Handle, Error>> = OnceLock::new();
    let handle = IO.get_or_init(|| {
        let failed = |error| Error::new(format!("the thread for object stores: {error}"));
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(failed)?;
        let handle = runtime.handle().clone();
        std::thread::Builder::new()
            .name("filch-q-store".into())
            .spawn(move || runtime.block_on(std::future::pending::<()>()))
            .map_err(failed)?;
        Ok(handle)
    });
    let handle = handle.as_ref().map_err(Error::clone)?;
    handle
        .block_on(call)
        .map_err(|error| Error::new(format!("object {path}: {error}")))
}
