//! The name, length and hash of bytes that lie beside the records, so that damage is noticed when they are read.

use serde::{Deserialize, Serialize};

use crate::broker::Blobs;
use crate::error::Error;
use crate::record::Output;

/// Bytes beside the records, with what it takes to know them again. It may go into a result; [`Queue::blob`](crate::Queue::blob) reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blob {
    name: String,
    len: u64,
    /// XXH3 of its bytes, by which damage is noticed.
    hash: u128,
}

impl Blob {
    pub(crate) fn put(blobs: &dyn Blobs, name: String, bytes: &[u8]) -> Result<Self, Error> {
        blobs.put(&name, bytes)?;
        Ok(Blob {
            name,
            len: bytes.len() as u64,
            hash: hash(bytes),
        })
    }

    pub(crate) fn get(&self, blobs: &dyn Blobs) -> Result<Vec<u8>, Error> {
        read(blobs, &self.name, self.hash)?.map_err(Error::new)
    }

    /// How many bytes it has.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Output {
    /// The bytes of the result; or what is wrong with the blob that has them, if it is gone or damaged.
    pub(crate) fn into_bytes(self, blobs: &dyn Blobs) -> Result<Result<Vec<u8>, String>, Error> {
        match self {
            Output::Inline(bytes) => Ok(Ok(bytes)),
            Output::Blob { name, hash } => read(blobs, &name, hash),
        }
    }
}

/// By this, damage to bytes is noticed: their XXH3.
pub(crate) fn hash(bytes: &[u8]) -> u128 {
    xxhash_rust::xxh3::xxh3_128(bytes)
}

/// Reads the blob of this name, whose bytes had this hash when they were written; or says what is wrong with it.
fn read(blobs: &dyn Blobs, name: &str, written: u128) -> Result<Result<Vec<u8>, String>, Error> {
    Ok(match blobs.get(name)? {
        None => Err(format!("blob {name} is gone")),
        Some(bytes) if hash(&bytes) != written => {
            Err(format!("blob {name} is not what was written"))
        }
        Some(bytes) => Ok(bytes),
    })
}
