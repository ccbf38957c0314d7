//! What a queue holds, in numbers, and which workers it has.

use std::fmt;
use std::time::Duration;

use crate::id::Lane;

/// What a lane holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneDepth {
    /// Jobs that a worker could start now.
    pub queued: u64,
    /// Jobs that wait for the end of a pause.
    pub delayed: u64,
    /// Jobs under a lease.
    pub leased: u64,
    /// Bytes of the bodies of all these.
    pub bytes: u64,
}

/// What a queue holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    /// By lane, in the order of [`Lane::ALL`].
    pub lanes: [LaneDepth; 3],
    /// Jobs that were given up and are still kept.
    pub dead: u64,
}

impl Depth {
    /// What one lane holds.
    pub fn lane(&self, lane: Lane) -> LaneDepth {
        self.lanes[lane.index()]
    }

    /// Jobs that are not settled.
    pub fn open(&self) -> u64 {
        self.lanes
            .iter()
            .map(|lane| lane.queued + lane.delayed + lane.leased)
            .sum()
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "lane     queued  delayed   leased        bytes")?;
        for (lane, depth) in Lane::ALL.iter().zip(&self.lanes) {
            let LaneDepth {
                queued,
                delayed,
                leased,
                bytes,
            } = depth;
            writeln!(
                f,
                "{:<7} {queued:>7}  {delayed:>7}  {leased:>7}  {bytes:>11}",
                lane.to_string()
            )?;
        }
        write!(f, "dead    {:>7}", self.dead)
    }
}

/// What a lane holds of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindDepth {
    /// Which lane.
    pub lane: Lane,
    /// Which kind.
    pub kind: String,
    /// Jobs that a worker could start now.
    pub queued: u64,
    /// Jobs that wait for the end of a pause.
    pub delayed: u64,
    /// Jobs under a lease.
    pub leased: u64,
    /// How long ago the oldest of all these was submitted.
    pub oldest: Duration,
}

/// A worker that was heard of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its name.
    pub name: String,
    /// How long ago it was heard of.
    pub ago: Duration,
    /// Whether it was asked to leave.
    pub drain: bool,
}
