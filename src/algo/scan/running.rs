//! The sweep of a scan: it writes running values if it knows the total of all elements before, and only adds up elements if it does not.
//!
//! The leftmost fold knows the total before it, and writes at once, as a sequential scan does. A fold on another thread does not know it,
//! and notes the totals of *tiles*, which are short stretches. When the folds have ended, one pass over the totals gives the total before
//! each tile. Then the tiles are written in parallel, while the next batch is begun. So `op` is called once for each element of the
//! leftmost fold, and twice for the others. With `p` threads that are never idle, a scan takes `2 / (p + 1)` of the sequential time. No
//! scan can do better if it knows of `op` only that it is associative (Snir, *Depth-size trade-offs for parallel prefix computation*,
//! 1986).
//!
//! A batch is short enough that its tiles are still in a cache when they are written. (The tiles are those of Blelloch's scan; that the
//! first processor writes at once is from Egecioglu and Koc, *Parallel prefix computation with few processors*, 1992.)
//!
//! A rule may say where the running values begin anew. From there on a fold knows the total, whatever comes before it, and writes at once, too.
//!
//! Work O(n), one or two calls for an element; span O(log n) calls in each batch; memory: a value for each tile of two batches.

use super::{Rule, step};
use crate::algo::sweep::{self, Sweep};
use crate::core::both;
use crate::core::guest::in_pool;
use crate::core::{leaf, threads};
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::marker::PhantomData;
use std::mem;
use std::ops::Range;

/// How much each thread reads before the tiles of a batch are written, in bytes: half of a small cache of its own, so that it still has them.
/// All wait for each other after a batch, so what each has to do in it must not get less where threads are more.
const BATCH: usize = 1 << 19;

/// Batches of one thread, if there were a use: with this many shares of threads and batches, the last batch costs 3 %.
const SHARES: usize = 16;

/// Tiles shorter than this are made longer, if they can be.
const SHORT_TILE: usize = 256;

/// A tile joins at most this many blocks of the driver. The first blocks are short because the driver does not know yet what an element costs. Later
/// ones are short because elements are expensive, and then each tile should go to another thread.
const BLOCKS: usize = 4;

/// A scan from one place to another, or in place. `EXCLUSIVE` says that an element counts for what follows it, not for itself.
pub(super) struct Scan<'a, T, F, const EXCLUSIVE: bool> {
    from: *const T,
    to: *mut T,
    op: &'a F,
    borrow: PhantomData<(&'a [T], &'a mut [T])>,
}

// SAFETY: by a shared reference it reads and writes elements, of which each position is used by one thread at a time, as the contract of
// `write` and `total` demands; values move from thread to thread, and `op` is called on all of them.
unsafe impl<T: Send + Sync, F: Sync, const EXCLUSIVE: bool> Sync for Scan<'_, T, F, EXCLUSIVE> {}

impl<'a, T, F, const EXCLUSIVE: bool> Scan<'a, T, F, EXCLUSIVE>
where
    T: Clone + Send + Sync,
    F: Rule<T>,
{
    /// A scan of the elements at `from` to the slots at `to`.
    ///
    /// # Safety
    ///
    /// For all positions that are scanned, and while the scan is used:
    ///
    /// - the elements are valid, and nothing else writes them;
    /// - the slots belong to nothing else, and are valid for writes;
    /// - the slots are the elements, or apart from them;
    /// - the slots hold valid elements, or `T` needs no drop.
    pub(super) unsafe fn new(from: *const T, to: *mut T, op: &'a F) -> Self {
        Scan {
            from,
            to,
            op,
            borrow: PhantomData,
        }
    }

    /// Writes the running values of `range`, and returns the one that comes after it. `before` is what comes before, and `begins` says where values begin
    /// anew.
    ///
    /// # Safety
    ///
    /// The positions are ones of those the scan was made for, and no other thread uses them.
    unsafe fn write(&self, range: Range<usize>, before: T, begins: impl Fn(usize) -> bool) -> T {
        let mut running = before;
        for i in range {
            // SAFETY: a position of the scan, by contract; nothing writes it before the reference is gone.
            let element = unsafe { &*self.from.add(i) };
            let value = step::<_, EXCLUSIVE>(&mut running, element, begins(i), self.op);
            // SAFETY: a slot of the scan, ours alone; what it holds is dropped, or needs no drop.
            unsafe { *self.to.add(i) = value };
        }
        running
    }

    /// `before` combined with the elements of `range`, up to where values begin anew or to the end of `range`; and that position.
    ///
    /// # Safety
    ///
    /// As for [`write`](Scan::write).
    unsafe fn total(&self, range: Range<usize>, before: T) -> (T, usize) {
        let (mut total, end) = (before, range.end);
        for i in range {
            if self.op.begins(i) {
                return (total, i);
            }
            // SAFETY: a position of the scan, by contract.
            total = self.op.add(&total, unsafe { &*self.from.add(i) });
        }
        (total, end)
    }

    /// Writes all of `range`, with all threads, and returns what comes after it.
    ///
    /// # Safety
    ///
    /// As for [`write`](Scan::write).
    pub(super) unsafe fn run(&self, range: Range<usize>, before: T) -> T {
        in_pool(|_, _| {
            let batch = batch_len(range.len(), size_of::<T>(), threads());
            let batch = leaf(batch, 2).min(range.len().max(1));
            let mut running = before;
            let mut pending = Vec::new();
            for start in range.clone().step_by(batch) {
                let end = range.end.min(start + batch);
                let known = Tile {
                    range: start..start,
                    value: running,
                    is_known: true,
                    blocks: 0,
                };
                let part = Leg {
                    scan: self,
                    next: start,
                    end,
                    tiles: vec![known],
                };
                let sweep = || sweep::share(end - start, part);
                let reached = if pending.is_empty() {
                    sweep()
                } else {
                    // SAFETY: the tiles are of a batch whose sweep has ended, and of no other one.
                    let write = || unsafe { self.write_tiles(pending) };
                    both(sweep, write).0
                };
                (running, pending) = settle(reached, self.op);
            }
            // SAFETY: as above.
            unsafe { self.write_tiles(pending) };
            running
        })
    }

    /// Writes tiles of which it is known what comes before them.
    ///
    /// # Safety
    ///
    /// The tiles' positions are the scan's, no two tiles share one, and nothing else writes them.
    unsafe fn write_tiles(&self, tiles: Vec<Tile<T>>) {
        tiles.into_par_iter().for_each(|tile| {
            // SAFETY: this tile's positions are the scan's alone.
            unsafe { self.write(tile.range, tile.value, |_| false) };
        });
    }
}

/// An equal share of a scan whose elements may be costly, what the caches of all threads hold of a long one.
///
/// The tiles of the last batch are written while no other is begun. With `p` threads and `k` batches that costs 1 / (2 p k) of the whole: so the
/// more threads, the fewer batches, after each of which all wait for each other.
fn batch_len(len: usize, size: usize, threads: usize) -> usize {
    let cached = BATCH.saturating_mul(threads) / size.max(1);
    let share = len.div_ceil(SHARES.div_ceil(threads));
    share.clamp(4096.min(cached), cached).max(1)
}

/// Positions that are still to be written, and perhaps some behind them that have been.
struct Tile<T> {
    /// Those to be written. Values do not begin anew there.
    range: Range<usize>,
    /// First the total of these positions, or, if it is known, the total up to the end of what is written behind them. After [`settle`], the total before these.
    value: T,
    is_known: bool,
    blocks: usize,
}

/// The total up to the end of the last tile; and all tiles but the first one, each with the total before it.
fn settle<T>(tiles: Vec<Tile<T>>, op: &impl Rule<T>) -> (T, Vec<Tile<T>>) {
    let mut tiles = tiles.into_iter();
    let first = tiles.next().expect("the leftmost sweep has a tile");
    let mut running = first.value;
    let settled = tiles.map(|mut tile| {
        if !tile.is_known {
            tile.value = op.add(&running, &tile.value);
        }
        mem::swap(&mut running, &mut tile.value);
        tile
    });
    let settled = settled.collect();
    (running, settled)
}

/// A stretch of a scan under way. Its positions from `next` on are its alone.
struct Leg<'a, T, F, const EXCLUSIVE: bool> {
    scan: &'a Scan<'a, T, F, EXCLUSIVE>,
    next: usize,
    end: usize,
    tiles: Vec<Tile<T>>,
}

impl<T, F, const EXCLUSIVE: bool> Sweep for Leg<'_, T, F, EXCLUSIVE>
where
    T: Clone + Send + Sync,
    F: Rule<T>,
{
    type Outcome = Vec<Tile<T>>;

    fn advance(&mut self, count: usize) {
        assert!(count <= self.end - self.next);
        let (scan, start, end) = (self.scan, self.next, self.next + count);
        self.next = end;
        // Where values begin anew among these, from where on they are written at once.
        let (tile, anew) = match self.tiles.last_mut() {
            Some(tile) if tile.is_known => {
                let before = tile.value.clone();
                // SAFETY: these positions were ours alone, and we have passed them.
                tile.value = unsafe { scan.write(start..end, before, |i| scan.op.begins(i)) };
                return;
            }
            Some(tile) if tile.range.len() < SHORT_TILE && tile.blocks < BLOCKS => {
                // SAFETY: as above.
                let (value, anew) = unsafe { scan.total(start..end, tile.value.clone()) };
                (tile.range.end, tile.value) = (anew, value);
                tile.blocks += 1;
                (tile, anew)
            }
            _ if count == 0 => return,
            _ => {
                // SAFETY: as above, for the first position.
                let first = unsafe { &*scan.from.add(start) }.clone();
                let (value, anew) = match scan.op.begins(start) {
                    true => (first, start),
                    // SAFETY: as above.
                    false => unsafe { scan.total(start + 1..end, first) },
                };
                self.tiles.push(Tile {
                    range: start..anew,
                    value,
                    is_known: false,
                    blocks: 1,
                });
                (self.tiles.last_mut().expect("just pushed"), anew)
            }
        };
        if anew < end {
            let begins = |i| i == anew || scan.op.begins(i);
            // SAFETY: as above.
            tile.value = unsafe { scan.write(anew..end, tile.value.clone(), begins) };
            tile.is_known = true;
        }
    }

    fn split_off(&mut self, at: usize) -> Self {
        assert!(at <= self.end - self.next);
        let cut = self.next + at;
        Leg {
            scan: self.scan,
            next: cut,
            end: mem::replace(&mut self.end, cut),
            tiles: Vec::new(),
        }
    }

    fn rejoin(&mut self, right: Self) {
        assert_eq!(self.end, right.next);
        self.end = right.end;
    }

    fn finish(self) -> Vec<Tile<T>> {
        self.tiles
    }

    fn follow(mut left: Vec<Tile<T>>, mut right: Vec<Tile<T>>) -> Vec<Tile<T>> {
        left.append(&mut right);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::{BATCH, Leg, Scan, Sweep, batch_len};
    use crate::core::unwind::catch;

    #[test]
    fn a_batch_has_an_element_and_no_more_than_the_caches_hold() {
        for size in [0, 1, 8, 1 << 10, 1 << 20, 1 << 30] {
            for threads in [2, 4, 16, 64] {
                for len in [0, 1, 10_000, 1 << 30] {
                    let batch = batch_len(len, size, threads);
                    assert!(batch > 0);
                    assert!(batch == 1 || batch * size <= BATCH * threads);
                }
            }
        }
        assert_eq!(batch_len(80_000, 8, 2), 10_000);
    }

    #[test]
    fn a_leg_keeps_to_its_positions() {
        let mut v = [1, 2, 3, 4];
        let op = |a: &i32, b: &i32| a + b;
        let to = v.as_mut_ptr();
        // SAFETY: a slice that nothing else uses, to itself.
        let scan = unsafe { Scan::<_, _, false>::new(to, to, &op) };
        let mut leg = Leg {
            scan: &scan,
            next: 1,
            end: 3,
            tiles: Vec::new(),
        };
        assert!(catch(|| leg.advance(3)).is_err());
        assert!(catch(|| drop(leg.split_off(3))).is_err());
        let mut last = leg.split_off(1);
        let nothing = last.split_off(1);
        assert!(catch(|| leg.rejoin(nothing)).is_err());
        // No position, so there is no element to begin with.
        leg.advance(0);
        assert!(leg.tiles.is_empty());
        leg.rejoin(last);
        leg.advance(2);
        assert_eq!((leg.tiles[0].range.clone(), leg.tiles[0].value), (1..3, 5));
    }
}
