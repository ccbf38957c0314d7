//! Sorted runs of pairs, and merging them.
//!
//! A run is a sequence of pairs, each behind the four bytes of its length.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::io::Read;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::store::{Bytes, Section, Shuffle};
use crate::broker::Broker;
use crate::error::Error;

/// Puts a pair at the end of a run.
pub(super) fn push<K: Serialize, V: Serialize>(
    run: &mut Vec<u8>,
    key: &K,
    value: &V,
) -> Result<(), Error> {
    let start = run.len();
    run.extend_from_slice(&[0; 4]);
    *run = postcard::to_extend(&(key, value), std::mem::take(run))
        .map_err(|error| Error::new(format!("a pair cannot be encoded: {error}")))?;
    let len = u32::try_from(run.len() - start - 4)
        .map_err(|_| Error::new("a pair has more than 4 GiB: make it smaller"))?;
    run[start..start + 4].copy_from_slice(&len.to_le_bytes());
    Ok(())
}

/// The pairs of a run, as they come.
pub(super) struct Pairs<K, V> {
    bytes: Bytes,
    left: u64,
    hash: xxhash_rust::xxh64::Xxh64,
    want: u64,
    name: String,
    buffer: Vec<u8>,
    kinds: PhantomData<fn() -> (K, V)>,
}

impl<K: DeserializeOwned, V: DeserializeOwned> Pairs<K, V> {
    pub fn open(shuffle: &Shuffle, broker: &dyn Broker, section: &Section) -> Result<Self, Error> {
        Ok(Pairs {
            bytes: shuffle.open(broker, section)?,
            left: section.len,
            hash: xxhash_rust::xxh64::Xxh64::new(0),
            want: section.hash,
            name: section.name.clone(),
            buffer: Vec::new(),
            kinds: PhantomData,
        })
    }

    fn damaged(&self, why: impl std::fmt::Display) -> Error {
        Error::new(format!("{} is damaged: {why}", self.name))
    }

    /// Reads so many bytes, no more than the section has.
    fn read(&mut self, len: u64) -> Result<(), Error> {
        if len > self.left {
            return Err(self.damaged("a pair reaches beyond its end"));
        }
        self.left -= len;
        // A length that lies cannot make this larger than the section.
        self.buffer.resize(len as usize, 0);
        let read = self.bytes.read_exact(&mut self.buffer);
        read.map_err(|error| self.damaged(error))?;
        self.hash.update(&self.buffer);
        Ok(())
    }

    pub fn next(&mut self) -> Result<Option<(K, V)>, Error> {
        if self.left == 0 {
            return if self.hash.digest() == self.want {
                Ok(None)
            } else {
                Err(self.damaged("its hash is another"))
            };
        }
        self.read(4)?;
        let mut len = [0; 4];
        len.copy_from_slice(&self.buffer);
        self.read(u64::from(u32::from_le_bytes(len)))?;
        postcard::from_bytes(&self.buffer)
            .map(Some)
            .map_err(|error| self.damaged(error))
    }
}

/// The next pair of a run, ordered so that the heap gives the smallest key of the earliest run.
struct Head<K, V> {
    key: K,
    value: V,
    run: usize,
}

impl<K: Ord, V> Ord for Head<K, V> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key).then(other.run.cmp(&self.run))
    }
}

impl<K: Ord, V> PartialOrd for Head<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, V> PartialEq for Head<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<K: Ord, V> Eq for Head<K, V> {}

/// Gives the pairs of all runs in the order of their keys; those of equal keys in the order of the runs.
pub(super) fn merge<K: Ord + DeserializeOwned, V: DeserializeOwned>(
    mut runs: Vec<Pairs<K, V>>,
    mut give: impl FnMut((K, V)) -> Result<(), Error>,
) -> Result<(), Error> {
    let count = runs.len();
    let mut heads = BinaryHeap::with_capacity(count);
    let mut advance = |heads: &mut BinaryHeap<Head<K, V>>, run: usize| {
        if let Some((key, value)) = runs[run].next()? {
            heads.push(Head { key, value, run });
        }
        Ok::<_, Error>(())
    };
    for run in 0..count {
        advance(&mut heads, run)?;
    }
    while let Some(Head { key, value, run }) = heads.pop() {
        give((key, value))?;
        advance(&mut heads, run)?;
    }
    Ok(())
}
