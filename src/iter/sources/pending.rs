//! A stack of work that waits, which is cut at the bottom.
//!
//! A thread puts entries on top and takes them from there. Another thread gets some of the oldest, which lie at the bottom. To cut them off a `Vec` means to move
//! all the others, which may be millions, for each thread that asks. Here a cut moves at most as many entries as it gives away: what lay on the stack stays where it is
//! and becomes an iterator, which is taken from at both ends. Above it is a vector, and a loop works with that alone: before a block of `n` steps, the loop
//! [raises](Pending::raise) `n` entries into the vector.

use std::{mem, vec};

pub(crate) struct Pending<T> {
    /// What is left of the entries at the time of a cut, from the bottom up.
    old: vec::IntoIter<T>,
    /// How high the bottom of `new` lies. Entries that were cut off count, so a cut changes no height.
    floor: usize,
    /// The entries on top of those.
    new: Vec<T>,
}

impl<T> Pending<T> {
    /// The last entry is on top.
    pub(crate) fn new(entries: Vec<T>) -> Self {
        Pending {
            old: Vec::new().into_iter(),
            floor: 0,
            new: entries,
        }
    }

    /// One entry, and room for small trees: in a walk of ten nodes, to grow would take as long as the nodes.
    pub(crate) fn with_room(entry: T) -> Self {
        let mut entries = Vec::with_capacity((1024 / size_of::<T>().max(1)).clamp(1, 16));
        entries.push(entry);
        Self::new(entries)
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.old.len() + self.new.len()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How high the bottom lies.
    #[inline]
    pub(crate) fn ground(&self) -> usize {
        self.floor - self.old.len()
    }

    /// How high the top lies.
    #[inline]
    pub(crate) fn height(&self) -> usize {
        self.floor + self.new.len()
    }

    /// Brings so many entries, or all, to where [`top`](Self::top) has them.
    #[inline]
    pub(crate) fn raise(&mut self, entries: usize) {
        if self.new.len() < entries && self.old.len() > 0 {
            self.raise_old(entries - self.new.len());
        }
    }

    #[cold]
    fn raise_old(&mut self, entries: usize) {
        let above = self.new.len();
        self.new.extend(self.old.by_ref().rev().take(entries));
        self.floor -= self.new.len() - above;
        self.new[above..].reverse();
        self.new.rotate_left(above);
    }

    /// The entries on top: at least those that were raised, and those that came since.
    #[inline]
    pub(crate) fn top(&mut self) -> &mut Vec<T> {
        &mut self.new
    }

    /// From the bottom up.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.old.as_slice().iter().chain(&self.new)
    }

    /// How many entries at the bottom meet a condition that no entry above them meets.
    pub(crate) fn partition_point(&self, mut condition: impl FnMut(&T) -> bool) -> usize {
        let old = self.old.as_slice().partition_point(&mut condition);
        if old < self.old.len() {
            return old;
        }
        old + self.new.partition_point(condition)
    }

    /// Takes so many entries off the bottom, and moves no more than that.
    pub(crate) fn cut(&mut self, some: usize) -> Self {
        let mut bottom = Pending {
            old: Vec::new().into_iter(),
            floor: self.ground(),
            new: Vec::new(),
        };
        let mut more = some;
        if some >= self.old.len() {
            bottom.old = mem::take(&mut self.old);
            bottom.floor = self.floor;
            more -= bottom.old.len();
            if more > self.new.len() / 2 {
                let top = self.new.split_off(more);
                bottom.new = mem::replace(&mut self.new, top);
                self.floor += more;
                return bottom;
            }
            self.floor += self.new.len();
            self.old = mem::take(&mut self.new).into_iter();
        }
        bottom.new = self.old.by_ref().take(more).collect();
        bottom
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::iter::plumbing::{Folder, UnindexedProducer};
    use std::collections::VecDeque;

    /// Counts what it gets.
    pub(crate) struct ItemCount(pub usize);

    impl<T> Folder<T> for ItemCount {
        type Result = usize;

        fn consume(self, _: T) -> Self {
            ItemCount(self.0 + 1)
        }

        fn complete(self) -> usize {
            self.0
        }

        fn full(&self) -> bool {
            false
        }
    }

    /// Where each entry lies.
    pub(crate) fn places<T>(entries: &Pending<T>) -> Vec<usize> {
        entries
            .iter()
            .map(|entry| &raw const *entry as usize)
            .collect()
    }

    /// Splits a part again and again, and walks a little in between: no split may move more of the entries, whose places are in so many lists, than it gives away.
    pub(crate) fn splits_move_what_they_give<P, const LISTS: usize>(
        mut part: P,
        places: impl Fn(&P) -> [Vec<usize>; LISTS],
    ) where
        P: UnindexedProducer,
    {
        let mut splits = 0;
        loop {
            let before = places(&part);
            let (left, right) = part.split();
            let Some(right) = right else { break };
            splits += 1;
            let (kept, given) = (places(&left), places(&right));
            let (mut moved, mut gone) = (0, 0);
            for list in 0..LISTS {
                let after = given[list].iter().chain(&kept[list]);
                moved += before[list]
                    .iter()
                    .zip(after)
                    .filter(|(a, b)| a != b)
                    .count();
                gone += given[list].len();
                assert_eq!(before[list].len(), given[list].len() + kept[list].len());
            }
            assert!(
                moved <= gone,
                "split {splits} moved {moved} and gave {gone}"
            );
            match left.fold_some(ItemCount(0), 10).1 {
                Some(rest) => part = rest,
                None => break,
            }
        }
        assert!(splits > 10, "{splits}");
    }

    const LEAVES: usize = 1_000;
    /// How many nodes a walk visits to find all nodes of the spine.
    pub(crate) const LEVELS: usize = 20;

    /// A spine: the first of a node's children goes on, the others are leaves.
    pub(crate) fn spine(&node: &usize) -> std::ops::Range<usize> {
        match node % LEAVES == 0 && node < LEVELS * LEAVES {
            true => node + LEAVES..node + 2 * LEAVES,
            false => 0..0,
        }
    }

    /// Whatever is put, taken and cut off, all entries are there, in their order and at their height.
    #[test]
    fn a_stack_that_is_cut_is_a_stack() {
        let mut state = 1u32;
        let mut any = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        for round in 0..300 {
            let mut model = VecDeque::new();
            let (mut stack, mut ground) = (Pending::new(Vec::new()), 0);
            for step in 0..200 {
                match any(6) {
                    0..3 => {
                        let more = step..step + any(1 + round % 20);
                        stack.top().extend(more.clone());
                        model.extend(more);
                    }
                    3 => {
                        stack.raise(1);
                        assert_eq!(stack.top().pop(), model.pop_back());
                    }
                    4 => {
                        let some = any(10);
                        stack.raise(some);
                        assert!(stack.top().len() >= some.min(model.len()));
                    }
                    _ => {
                        let some = any(stack.len() + 1);
                        let bottom = stack.cut(some);
                        assert_eq!((bottom.ground(), bottom.len()), (ground, some));
                        ground += some;
                        assert!(bottom.iter().copied().eq(model.drain(..some)));
                        if step % 2 == 0 {
                            // Go on with the part that was cut off.
                            ground -= some;
                            model = bottom.iter().copied().collect();
                            stack = bottom;
                        }
                    }
                }
                assert!(stack.iter().eq(&model));
                assert_eq!(
                    (stack.len(), stack.is_empty()),
                    (model.len(), model.is_empty())
                );
                assert_eq!(
                    (stack.ground(), stack.height()),
                    (ground, ground + model.len())
                );
            }
        }
    }

    #[test]
    fn entries_are_found_on_both_sides_of_a_cut() {
        for cut in 0..=10 {
            let mut stack = Pending::new((0..10).collect());
            stack.cut(cut);
            stack.top().extend(10..13);
            for bound in 0..15 {
                let below = stack.iter().filter(|&&entry| entry < bound).count();
                assert_eq!(stack.partition_point(|&entry| entry < bound), below);
            }
        }
    }
}
