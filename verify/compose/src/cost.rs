//! What a call of a closure costs: nothing, the same for each item, or much for a few items.
//!
//! A run has a tank of fuel. Closures spin only as long as there is some left, so a run takes a few milliseconds at most.

use std::hint::black_box;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

/// How costly the calls are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Nothing but the call.
    None,
    /// About a microsecond each.
    Even,
    /// Some dozens of microseconds, in few items.
    Few,
}

/// Turns of a loop that a call takes.
const EVEN: i64 = 100;
const FEW: i64 = 4_000;

/// One item in this many is expensive.
const RARE: u64 = 29;

/// Turns in a tank. Without optimisation a turn takes about ten nanoseconds.
const TANK: i64 = 150_000;

static COST: AtomicU32 = AtomicU32::new(0);
static FUEL: AtomicI64 = AtomicI64::new(0);

/// Sets what calls cost from now on.
pub fn set(cost: Cost) {
    FUEL.store(TANK, Ordering::SeqCst);
    COST.store(cost as u32, Ordering::SeqCst);
}

/// Takes the time that this item takes.
pub fn spend(value: u64) {
    let turns = match COST.load(Ordering::Relaxed) {
        0 => return,
        1 => EVEN,
        _ if value % RARE == 5 => FEW,
        _ => return,
    };
    if FUEL.fetch_sub(turns, Ordering::Relaxed) > 0 {
        for turn in 0..turns {
            black_box(turn);
        }
    }
}
