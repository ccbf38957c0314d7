//! The name, length and hash of bytes that lie beside the records, so that damage is noticed when they are read.

use serde::{Deserialize, Serialize};

use crate::broker::Blobs;
use crate::error::Error;

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
            hash: xxhash_rust::xxh3::xxh3_128(bytes),
        })
    }

    pub(crate) fn get(&self, blobs: &dyn Blobs) -> Result<Vec<u8>, Error> {
        let bytes = blobs
            .get(&self.name)?
            .ok_or_else(|| Error::new(format!("blob {} is gone", self.name)))?;
        if xxhash_rust::xxh3::xxh3_128(&bytes) != self.hash {
            return Err(Error::new(format!(
                "blob {} is not what was written",
                self.name
            )));
        }
        Ok(bytes)
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
