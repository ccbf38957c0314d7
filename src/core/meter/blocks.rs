//! The meter inside a loop: how long the items took, block by block, and how long the loop would take if its parts ran at the same time.

use super::{BURDENED, Paths, RULES, Rules, SPAN, WORST};
use std::array;

/// How many blocks of a loop are kept, at most. A block is about 10 us, so a loop of 40 ms is known block by block, and of a longer one the small neighbors
/// are combined.
const MOST: usize = 1 << 12;
/// Blocks that are combined are less than this part of all the work so far.
const PART: u64 = 1 << 10;

/// A loop that is under way.
pub(super) struct Loop {
    pub(super) begin: Paths,
    /// The end of its last block, on the path that the thread is on.
    pub(super) mark: Mark,
    pub(super) blocks: Blocks,
}

/// A moment in a loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    pub(super) work: u64,
    pub(super) paths: Paths,
    /// How many blocks there were before.
    pub(super) blocks: u64,
}

impl Mark {
    /// How much longer the paths are by now. A job that has nothing to do with the loop may run in the middle of it and tell of blocks; then this is wrong, but
    /// it does not wrap.
    pub(super) fn since(&self, paths: Paths) -> Paths {
        array::from_fn(|n| paths[n].saturating_sub(self.paths[n]))
    }
}

/// Some items of a loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct MeteredBlock {
    pub(super) items: usize,
    pub(super) work: u64,
    pub(super) paths: Paths,
}

/// The blocks of a loop so far.
#[derive(Default)]
pub(super) struct Blocks {
    blocks: Vec<MeteredBlock>,
    work: u64,
    /// The most expensive item, where the items of a block are taken for equal; and the longest block.
    longest: [u64; 2],
}

impl Blocks {
    pub(super) fn push(&mut self, block: MeteredBlock) {
        let item = block.paths[SPAN].div_ceil(block.items as u64);
        let longest = [item, block.paths[WORST]];
        for (most, path) in self.longest.iter_mut().zip(longest) {
            *most = path.max(*most);
        }
        self.work += block.work;
        self.blocks.push(block);
        if self.blocks.len() >= MOST {
            self.combine();
        }
    }

    /// Combines neighbors that are little work together. Of any two that are left beside each other, both are more than that: so there are about two for
    /// each part, half of what there is room for.
    fn combine(&mut self) {
        let most = self.work / PART;
        self.blocks.dedup_by(|next, block| {
            let little = block.work + next.work <= most;
            if little {
                block.items = block.items.saturating_add(next.items);
                block.work += next.work;
                block
                    .paths
                    .iter_mut()
                    .zip(next.paths)
                    .for_each(|(a, b)| *a += b);
            }
            little
        });
    }

    /// How long the loop is, by what counts. The last two are the cuts of the iterators, replayed; what was combined is taken for even there, but no
    /// loop is shorter than its most expensive item.
    pub(super) fn lengths(&self, rules: &Rules) -> Paths {
        let [item, block] = self.longest;
        let cut: u64 = rules.overhead.iter().sum();
        let replay = |path, late| {
            let replay = Replay::of(&self.blocks, path, rules.share, (cut, late));
            replay.all().max(item)
        };
        let mut lengths = [0; 4];
        lengths[SPAN] = item;
        lengths[WORST] = block;
        lengths[RULES] = replay(RULES, 0);
        lengths[BURDENED] = replay(BURDENED, rules.burden);
        lengths
    }
}

/// The cuts of a loop that always finds a thread, by the rules of the iterators: a rest is halved while it costs enough.
struct Replay {
    /// Items, work and path up to the begin of each block, and up to the end.
    sums: Vec<(usize, u64, u64)>,
    share: u64,
    cut: u64,
    late: u64,
}

impl Replay {
    fn of(blocks: &[MeteredBlock], path: usize, share: u64, (cut, late): (u64, u64)) -> Replay {
        let mut sums = vec![(0, 0, 0)];
        let mut at = (0, 0, 0);
        for block in blocks {
            at = (
                at.0 + block.items,
                at.1 + block.work,
                at.2 + block.paths[path],
            );
            sums.push(at);
        }
        Replay {
            sums,
            share: share.max(1),
            cut,
            late,
        }
    }

    fn all(&self) -> u64 {
        let end = self.sums.last().map_or(0, |&(items, ..)| items);
        self.span(0, end)
    }

    /// Work and path of the items before `at`.
    fn before(&self, at: usize) -> (u64, u64) {
        let next = self.sums.partition_point(|&(items, ..)| items <= at);
        let low = self.sums[next - 1];
        let Some(&high) = self.sums.get(next) else {
            return (low.1, low.2);
        };
        let part = |from: u64, to: u64| {
            let all = (to - from) as u128 * (at - low.0) as u128;
            from + (all / (high.0 - low.0) as u128) as u64
        };
        (part(low.1, high.1), part(low.2, high.2))
    }

    fn span(&self, from: usize, to: usize) -> u64 {
        let (begin, end) = (self.before(from), self.before(to));
        if to - from < 2 || end.0 - begin.0 < self.share {
            return end.1 - begin.1;
        }
        let middle = from + (to - from) / 2;
        let (left, right) = (self.span(from, middle), self.span(middle, to));
        self.cut + left.max(self.late + right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::meter::KINDS;

    const RULED: Rules = Rules {
        clock: || 0,
        overhead: [0; KINDS],
        burden: 7,
        share: 100,
        threads: 4,
    };

    fn block(items: usize, work: u64) -> MeteredBlock {
        MeteredBlock {
            items,
            work,
            paths: [work; 4],
        }
    }

    /// However long a loop runs, it needs no more room, and its figures stay.
    #[test]
    fn a_long_loop_needs_no_more_room() {
        let mut blocks = Blocks::default();
        for at in 0..1_000_000 {
            // One of a thousand is expensive; one of them all is a tenth of the work.
            let work = match at {
                600_000 => 2_000_000,
                at if at % 1000 == 0 => 10_000,
                _ => 10,
            };
            blocks.push(block(2, work));
            assert!(blocks.blocks.len() < MOST && blocks.blocks.capacity() <= MOST);
        }
        let all: u64 = 2_000_000 + 999 * 10_000 + 999_000 * 10;
        assert_eq!(blocks.work, all);
        let sum = |of: fn(&MeteredBlock) -> u64| blocks.blocks.iter().map(of).sum::<u64>();
        assert_eq!(sum(|block| block.work), all);
        assert_eq!(sum(|block| block.items as u64), 2_000_000);
        let lengths = blocks.lengths(&RULED);
        assert_eq!((lengths[SPAN], lengths[WORST]), (1_000_000, 2_000_000));
        // The expensive block is two items, of which each is one part.
        assert_eq!(lengths[RULES], 1_000_000);
        assert!(lengths[BURDENED] >= 1_000_000 && lengths[BURDENED] < 1_000_200);
    }

    #[test]
    fn a_short_loop_is_known_block_by_block() {
        let mut blocks = Blocks::default();
        (0..64).for_each(|_| blocks.push(block(1, 50)));
        assert_eq!(blocks.blocks.len(), 64);
        assert_eq!(blocks.lengths(&RULED), [50, 50, 50, 50 + 6 * 7]);
        let none = Blocks::default();
        assert_eq!(none.lengths(&RULED), [0; 4]);
        // Work that takes no time at all.
        let mut nothing = Blocks::default();
        (0..3 * MOST).for_each(|_| nothing.push(block(3, 0)));
        assert!(nothing.blocks.len() < MOST);
        assert_eq!(nothing.lengths(&RULED), [0; 4]);
    }
}
