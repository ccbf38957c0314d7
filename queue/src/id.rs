//! The ids of jobs, and the lanes they wait in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The id of a job, the same in every process. Written as 32 hexadecimal digits.
///
/// ```
/// use filch_queue::JobId;
/// let id: JobId = "00112233445566778899aabbccddeeff".parse().unwrap();
/// assert_eq!(id.to_string(), "00112233445566778899aabbccddeeff");
/// assert!("no id".parse::<JobId>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub(crate) [u8; 16]);

impl JobId {
    /// The id of the job of this kind and key. Every process computes the same, so a key is submitted once.
    pub fn of_key(queue: &str, kind: &str, key: &str) -> Self {
        // Lengths first, or ("ab", "c") and ("a", "bc") would be one.
        let mut text = Vec::with_capacity(queue.len() + kind.len() + key.len() + 16);
        for part in [queue, kind] {
            text.extend_from_slice(&(part.len() as u64).to_le_bytes());
            text.extend_from_slice(part.as_bytes());
        }
        text.extend_from_slice(key.as_bytes());
        JobId(xxhash_rust::xxh3::xxh3_128(&text).to_be_bytes())
    }

    /// An id that no other job has.
    pub(crate) fn random() -> Self {
        let mut bytes = [0; 16];
        fill_random(&mut bytes);
        JobId(bytes)
    }
}

/// A number that no other call gets, in any process.
pub(crate) fn random() -> u64 {
    let mut bytes = [0; 8];
    fill_random(&mut bytes);
    u64::from_le_bytes(bytes)
}

fn fill_random(bytes: &mut [u8]) {
    // Ids that repeat would join two jobs into one. Without a source of random bytes nothing here is right.
    getrandom::fill(bytes).expect("the system has no random bytes");
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for JobId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || {
            Error::new(format!(
                "{text:?} is no job: give its 32 hexadecimal digits"
            ))
        };
        // `from_str_radix` takes a sign.
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        let number = u128::from_str_radix(text, 16).map_err(|_| wrong())?;
        Ok(JobId(number.to_be_bytes()))
    }
}

/// Which jobs go first. Lower lanes age: they are passed over only so often.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Lane {
    /// Before all others.
    High,
    /// The default.
    #[default]
    Normal,
    /// After all others.
    Low,
}

impl Lane {
    /// All lanes, the most urgent first.
    pub const ALL: [Lane; 3] = [Lane::High, Lane::Normal, Lane::Low];

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lane::High => "high",
            Lane::Normal => "normal",
            Lane::Low => "low",
        })
    }
}
