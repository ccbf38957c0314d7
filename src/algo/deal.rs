//! The positions of a sequence, dealt out into parts: a counting sort in blocks.
//!
//! Each block of positions is sorted by part on one thread; then each part collects its stretches, block by block. So the positions of a
//! part are ascending, however many blocks there are. Work O(n + parts * blocks), span O(n / p + parts + blocks); memory: two words a position.

use crate::current_num_threads;
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::mem;
use std::ops::Range;

/// The shortest block, and for each part at least so many positions.
const MIN_BLOCK: usize = 1 << 12;
const TO_A_PART: usize = 16;

/// Positions by part.
pub(super) struct DealtPositions {
    positions: Vec<usize>,
    /// Where each part begins, and the end.
    starts: Vec<usize>,
}

/// A block's positions by part, and where each part begins, and the end.
type SortedBlock = (Vec<usize>, Vec<usize>);

/// Deals out `0..len`; `part` is below `parts`.
pub(super) fn deal(
    len: usize,
    parts: usize,
    part: impl Fn(usize) -> usize + Sync + Send,
) -> DealtPositions {
    let block = len.div_ceil(8 * current_num_threads());
    let block = block.max(MIN_BLOCK).max(TO_A_PART * parts);
    let blocks: Vec<SortedBlock> = (0..len.div_ceil(block))
        .into_par_iter()
        .map(|i| sort_block(i * block..len.min((i + 1) * block), parts, &part))
        .collect();
    let lens = (0..parts).into_par_iter().map(|part| {
        let len = |(_, starts): &SortedBlock| starts[part + 1] - starts[part];
        blocks.iter().map(len).sum()
    });
    let lens: Vec<usize> = lens.collect();
    let mut starts = vec![0];
    starts.extend(lens.iter().scan(0, |sum, len| {
        *sum += len;
        Some(*sum)
    }));
    let mut positions = vec![0; len];
    for_each_part(&mut positions, &starts, |part, mut stretch| {
        for (positions, starts) in &blocks {
            let from = &positions[starts[part]..starts[part + 1]];
            let (to, rest) = stretch.split_at_mut(from.len());
            to.copy_from_slice(from);
            stretch = rest;
        }
    });
    DealtPositions { positions, starts }
}

/// Calls `body` with the number and the positions of each part.
fn for_each_part<F>(positions: &mut [usize], starts: &[usize], body: F)
where
    F: Fn(usize, &mut [usize]) + Sync + Send,
{
    let mut rest = positions;
    let stretches = starts.windows(2).map(|ends| {
        let (stretch, others) = mem::take(&mut rest).split_at_mut(ends[1] - ends[0]);
        rest = others;
        stretch
    });
    let stretches: Vec<&mut [usize]> = stretches.collect();
    let stretches = stretches.into_par_iter().enumerate();
    stretches.for_each(|(part, stretch)| body(part, stretch));
}

fn sort_block(range: Range<usize>, parts: usize, part: impl Fn(usize) -> usize) -> SortedBlock {
    let of: Vec<u32> = range.clone().map(|i| part(i) as u32).collect();
    let mut starts = vec![0; parts + 1];
    of.iter().for_each(|&part| starts[part as usize + 1] += 1);
    (0..parts).for_each(|part| starts[part + 1] += starts[part]);
    let mut next = starts.clone();
    let mut positions = vec![0; range.len()];
    for (at, &part) in range.zip(&of) {
        let next = &mut next[part as usize];
        positions[*next] = at;
        *next += 1;
    }
    (positions, starts)
}

impl DealtPositions {
    /// The positions of each part.
    pub(super) fn parts(&self) -> Vec<&[usize]> {
        let part = |ends: &[usize]| &self.positions[ends[0]..ends[1]];
        self.starts.windows(2).map(part).collect()
    }
}
