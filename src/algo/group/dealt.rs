//! Things dealt into parts by the hashes of their keys.

use std::mem;

/// How many parts there are. While things are dealt, the place for the next one in each part is a line of memory in use: these fit in the
/// smallest cache, and their pages in the table of pages.
pub(super) const PARTS: usize = 256;

/// The most room that a part asks for at a time, in bytes.
const BLOCK: usize = 8 << 10;

/// The part of a hash: not by its lowest bits, which pick the place in a table of few entries, but by the next ones, so that each
/// part has a stretch of a large table to itself, and filling that part by part stays in a cache.
#[inline]
pub(super) fn part_of(hash: u64) -> usize {
    (hash >> 12) as usize % PARTS
}

/// A hash for a table that holds one part only: the bits that are the same in the whole part must not pick the place.
#[inline]
pub(super) fn within_part(hash: u64) -> u64 {
    // By 2^64 over the golden ratio, whose product is best mixed in its upper bits.
    hash.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(20)
}

/// Things in parts, each part in blocks that never move.
pub(super) struct Dealt<T> {
    open: Vec<Vec<T>>,
    full: Vec<Vec<Vec<T>>>,
}

impl<T> Dealt<T> {
    /// Nothing, which takes no memory.
    pub(super) const fn new() -> Self {
        Dealt {
            open: Vec::new(),
            full: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    #[inline]
    pub(super) fn push(&mut self, part: usize, thing: T) {
        match self.open.get_mut(part) {
            Some(block) if block.len() < block.capacity() => block.push(thing),
            _ => self.push_in_new_block(part, thing),
        }
    }

    #[cold]
    #[inline(never)]
    fn push_in_new_block(&mut self, part: usize, thing: T) {
        if self.open.is_empty() {
            self.open.resize_with(PARTS, Vec::new);
            self.full.resize_with(PARTS, Vec::new);
        }
        let open = &mut self.open[part];
        let most = (BLOCK / size_of::<T>().max(1)).max(1);
        let room = (2 * open.len()).clamp(8, most.max(8));
        let block = mem::replace(open, Vec::with_capacity(room));
        if !block.is_empty() {
            self.full[part].push(block);
        }
        self.open[part].push(thing);
    }

    /// The blocks of each part, in the order in which they were filled, none of them empty; no part at all if there is nothing.
    pub(super) fn into_parts(self) -> impl Iterator<Item = Vec<Vec<T>>> {
        self.full
            .into_iter()
            .zip(self.open)
            .map(|(mut blocks, open)| {
                if !open.is_empty() {
                    blocks.push(open);
                }
                blocks
            })
    }
}
