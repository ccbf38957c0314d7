//! `seats` and `load`: what the current pool has done and is doing, as [snapshots](super::snapshot).

use super::current_pool::current_pool;
use super::global::living;
use super::snapshot::{Load, SeatStats};

/// What each thread of the current pool (or of the global one, if the caller is in none) has done since the pool was built. Not in rayon.
///
/// The first [`current_num_threads`](crate::current_num_threads) entries are the pool's own threads, in the order of their indices. The
/// entries behind them are for callers from outside. Several callers, one after the other, may have used the same entry.
///
/// Reads the counters of each entry: O(p). The threads do not wait for that.
///
/// ```
/// use filch::prelude::*;
/// (0..1000).into_par_iter().for_each(|i| drop(std::hint::black_box(i)));
/// assert!(filch::seats().len() >= filch::current_num_threads());
/// ```
pub fn seats() -> Vec<SeatStats> {
    living(current_pool()).seat_stats()
}

/// What the current pool (or the global one, if the caller is in none) is doing now. Not in rayon.
///
/// Locks the list of sleepers for a moment.
///
/// ```
/// let load = filch::load();
/// println!("{} jobs to take, {} threads asleep", load.public, load.asleep);
/// ```
pub fn load() -> Load {
    living(current_pool()).load()
}
