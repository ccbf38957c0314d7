//! Sources that can only be walked: maps, sets and lists.
//!
//! The iterator of a hash table or of a tree cannot find its middle, so it cannot be cut. It is walked in place, by one thread at a time,
//! straight into the fold. When another thread asks for work, the walking thread copies the next items into a batch, which it keeps, and
//! gives the rest of the walk away. So the order is kept, and nothing is copied unless another thread asks.

use crate::iter::plumbing::{Folder, UnindexedProducer, consume_head};
use std::collections::VecDeque;

/// How many items the first batch has. Later ones double, so that a walk changes hands a logarithmic number of times.
const FIRST_BATCH: usize = 512;

/// A producer over a sequential iterator that knows its length.
pub(crate) enum WalkInPlace<I: Iterator> {
    /// The rest of the walk, and the size of the next batch.
    Rest { items: I, batch: usize },
    /// Items that were copied because another thread asked for the rest.
    Batch(VecDeque<I::Item>),
}

impl<I: Iterator> WalkInPlace<I> {
    #[inline]
    pub(crate) fn new(items: I) -> Self {
        WalkInPlace::Rest {
            items,
            batch: FIRST_BATCH,
        }
    }

    #[inline]
    fn len(&self) -> usize {
        match self {
            WalkInPlace::Rest { items, .. } => items.size_hint().0,
            WalkInPlace::Batch(items) => items.len(),
        }
    }
}

impl<I: Iterator<Item: Send> + Send> UnindexedProducer for WalkInPlace<I> {
    type Item = I::Item;

    fn split(self) -> (Self, Option<Self>) {
        let half = self.len() / 2;
        if half == 0 {
            return (self, None);
        }
        match self {
            WalkInPlace::Rest { mut items, batch } => {
                let taken = items.by_ref().take(half.min(batch)).collect();
                let rest = WalkInPlace::Rest {
                    items,
                    batch: batch.saturating_mul(2),
                };
                (WalkInPlace::Batch(taken), Some(rest))
            }
            WalkInPlace::Batch(mut items) => {
                let right = items.split_off(half);
                (WalkInPlace::Batch(items), Some(WalkInPlace::Batch(right)))
            }
        }
    }

    #[inline]
    fn fold_with<F: Folder<I::Item>>(self, folder: F) -> F {
        match self {
            WalkInPlace::Rest { items, .. } => folder.consume_iter(items),
            WalkInPlace::Batch(items) => folder.consume_iter(items),
        }
    }

    #[inline]
    fn weight(&self) -> Option<usize> {
        Some(self.len())
    }

    const CAN_PAUSE: bool = true;

    #[inline]
    fn split_cost(&self) -> u32 {
        match self {
            WalkInPlace::Rest { .. } => 6 + (size_of::<I::Item>() / 8) as u32,
            WalkInPlace::Batch(_) => 1 + (size_of::<I::Item>() / 16) as u32,
        }
    }

    #[inline]
    fn fold_some<F: Folder<I::Item>>(self, folder: F, budget: usize) -> (F, Option<Self>) {
        if budget >= self.len() {
            return (self.fold_with(folder), None);
        }
        match self {
            WalkInPlace::Rest { items, batch } => {
                let (folder, rest) = consume_head(folder, items, budget);
                let rest = rest.map(|items| WalkInPlace::Rest { items, batch });
                (folder, rest)
            }
            WalkInPlace::Batch(mut items) => {
                let folder = folder.consume_iter(items.drain(..budget));
                (folder, Some(WalkInPlace::Batch(items)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes items one by one; full after `most`.
    struct Upto {
        most: usize,
        items: Vec<u32>,
    }

    impl Folder<u32> for Upto {
        type Result = Vec<u32>;
        fn consume(mut self, item: u32) -> Self {
            self.items.push(item);
            self
        }
        fn complete(self) -> Vec<u32> {
            self.items
        }
        fn full(&self) -> bool {
            self.items.len() >= self.most
        }
    }

    fn all(producer: WalkInPlace<std::ops::Range<u32>>) -> Vec<u32> {
        let folder = Upto {
            most: usize::MAX,
            items: Vec::new(),
        };
        producer.fold_with(folder).complete()
    }

    #[test]
    fn the_batch_comes_before_the_rest() {
        for len in [2, 3, 10, 1023, 5000] {
            let (left, right) = WalkInPlace::new(0..len).split();
            let (left, middle) = left.split();
            let mut seen = all(left);
            seen.extend(middle.map(all).unwrap_or_default());
            assert!(seen.len() <= FIRST_BATCH);
            seen.extend(all(right.expect("two items can be split")));
            assert_eq!(seen, (0..len).collect::<Vec<_>>());
        }
        assert!(WalkInPlace::new(0..1).split().1.is_none());
        assert!(WalkInPlace::new(0..0).split().1.is_none());
    }

    #[test]
    fn a_full_folder_leaves_the_rest() {
        let folder = Upto {
            most: 3,
            items: Vec::new(),
        };
        let (folder, rest) = WalkInPlace::new(0..10).fold_some(folder, 5);
        assert_eq!(folder.items, [0, 1, 2]);
        assert_eq!(rest.expect("seven are left").len(), 7);
    }

    #[test]
    fn a_walk_changes_hands_a_logarithmic_number_of_times() {
        let mut rest = WalkInPlace::new(0..100_000_000);
        let mut hands = 0;
        loop {
            let (left, right) = match rest {
                WalkInPlace::Rest { items, batch } if batch > 1 << 16 => {
                    // Skip instead of copying: only the count matters.
                    let taken = (items.len() / 2).min(batch);
                    let items = items.start + taken as u32..items.end;
                    let right = (taken > 0).then_some(WalkInPlace::Rest {
                        items,
                        batch: 2 * batch,
                    });
                    (WalkInPlace::Batch(VecDeque::new()), right)
                }
                other => other.split(),
            };
            drop(left);
            match right {
                Some(right) => rest = right,
                None => break,
            }
            hands += 1;
        }
        assert!(hands < 60, "{hands}");
    }
}
