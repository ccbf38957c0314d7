//! Threads and memory of the process, which must not grow from round to round.

use crate::world::was_enough;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::sync::atomic::{AtomicIsize, Ordering};

/// After so many rounds all queues and buffers have about the size that they need.
const WARM: u32 = 3;
/// How much more may be in use after that, in bytes: queues keep the room that they once needed.
const MORE_IN_USE: isize = 16 << 20;
/// How much more the process may have from the system, in bytes: what is free may lie in many places.
const MORE_RESIDENT: isize = 256 << 20;

/// Counts the bytes in use.
pub struct Counting;

#[repr(align(64))]
struct Shard(AtomicIsize);

/// Counts of their own for a few groups of threads, so that they are not in each other's way.
static IN_USE: [Shard; 16] = [const { Shard(AtomicIsize::new(0)) }; 16];

fn count(bytes: isize) {
    let here = 0u8;
    // Each thread has a stack of its own.
    let shard = (&raw const here as usize >> 20) % IN_USE.len();
    IN_USE[shard].0.fetch_add(bytes, Ordering::Relaxed);
}

fn in_use() -> isize {
    let shards = IN_USE.iter();
    shards.map(|shard| shard.0.load(Ordering::Relaxed)).sum()
}

// SAFETY: all is passed on to the system's allocator; counting changes nothing of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are the ones that are asked for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above; the block came from the system's allocator.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// What the process may have.
pub struct Bounds {
    threads: usize,
    rounds: u32,
    in_use: isize,
    resident: isize,
}

impl Bounds {
    /// No more threads than now, when only those are there that stay.
    pub fn new() -> Bounds {
        Bounds {
            threads: threads(),
            rounds: 0,
            in_use: 0,
            resident: 0,
        }
    }

    /// What is too much after a round, when nothing runs. Threads of pools that were dropped without a wait get time to end; little time if `brief`,
    /// because then some of them never will.
    pub fn judge(&mut self, brief: bool) -> Vec<String> {
        let mut faults = Vec::new();
        let most = self.threads;
        let mut looks = 0;
        // Judged by one and the same count: a list of threads that is read while one of them ends may leave out another one, so a second count may be larger.
        let found = loop {
            let found = threads();
            if found <= most || was_enough(looks, brief) {
                break found;
            }
            looks += 1;
        };
        if found > most {
            let which = match brief {
                true => String::new(),
                false => format!("; {}", crate::watch::threads()),
            };
            faults.push(format!(
                "{found} threads after the round, and {most} before{which}"
            ));
        }
        let (in_use, resident) = (in_use(), resident());
        self.rounds += 1;
        if self.rounds <= WARM {
            self.in_use = self.in_use.max(in_use);
            self.resident = self.resident.max(resident);
            return faults;
        }
        let most = self.in_use + MORE_IN_USE;
        if in_use > most {
            faults.push(format!(
                "{in_use} bytes are in use after the round, instead of at most {most}"
            ));
        }
        let most = self.resident + MORE_RESIDENT;
        if resident > most {
            faults.push(format!(
                "{resident} bytes are resident, instead of at most {most}"
            ));
        }
        faults
    }

    /// How it is now.
    pub fn now() -> String {
        let mib = |bytes: isize| bytes >> 20;
        let (threads, in_use, resident) = (threads(), mib(in_use()), mib(resident()));
        format!("{threads} threads, {in_use} MiB in use, {resident} MiB resident")
    }
}

/// How many threads the process has; 0 where the system does not tell.
fn threads() -> usize {
    fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}

/// How many bytes the process has from the system; 0 where that does not tell.
fn resident() -> isize {
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1);
    pages.map_or(0, |pages| pages.parse().unwrap_or(0) * 4096)
}
