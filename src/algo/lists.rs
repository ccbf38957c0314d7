//! Items that several threads found, in no order. Long vectors of single threads are kept as they are, and become one vector in the end.
//!
//! To join two lists moves as many vectors as the shorter list has, and O(1) items. To make one vector of n items is O(n) work. With eight
//! threads or more its span is O(log n), and all items are copied.

use super::concat::concat;
use crate::core::{leaf, threads};
use std::mem;

/// So few items are moved when two threads' lists come together; of more, only the vectors are kept.
const FEW: usize = 256;

/// From this many threads on, all of them put lists behind each other; fewer would wait for new memory more than for the move.
const MOVERS: usize = 8;

/// Items in one vector, and in more from other threads.
pub(in crate::algo) struct FoundLists<T> {
    pub(in crate::algo) items: Vec<T>,
    pub(in crate::algo) more: Vec<Vec<T>>,
}

impl<T> FoundLists<T> {
    /// The items of one thread.
    pub(in crate::algo) fn of(items: Vec<T>) -> Self {
        FoundLists {
            items,
            more: Vec::new(),
        }
    }

    /// The items of both. Moves a bounded number of them.
    pub(in crate::algo) fn join(&mut self, mut other: Self) {
        if self.items.len() < other.items.len() {
            mem::swap(&mut self.items, &mut other.items);
        }
        if other.items.len() <= leaf(FEW, 0) {
            self.items.append(&mut other.items);
        } else {
            self.more.push(other.items);
        }
        if self.more.len() < other.more.len() {
            mem::swap(&mut self.more, &mut other.more);
        }
        self.more.append(&mut other.more);
    }
}

impl<T: Send> FoundLists<T> {
    /// All items in one vector. Nothing moves if they are in one already.
    pub(in crate::algo) fn into_vec(self) -> Vec<T> {
        let FoundLists {
            mut items,
            mut more,
        } = self;
        if more.is_empty() {
            return items;
        }
        if threads() < leaf(MOVERS, 0) {
            items.reserve(more.iter().map(Vec::len).sum());
            more.iter_mut().for_each(|list| items.append(list));
            return items;
        }
        more.push(items);
        concat(more)
    }
}

#[cfg(test)]
mod tests {
    use super::FoundLists;

    #[test]
    fn the_longer_list_of_vectors_stays_where_it_is() {
        let few = || FoundLists::of(vec![0]);
        let many = || {
            let mut more = Vec::with_capacity(2_000);
            more.extend((0..1_000).map(|i| vec![i]));
            FoundLists {
                items: vec![1_000],
                more,
            }
        };
        for flip in [false, true] {
            let (mut a, mut b) = (few(), many());
            let place = b.more.as_ptr();
            if flip {
                (a, b) = (b, a);
            }
            a.join(b);
            assert_eq!(a.more.as_ptr(), place);
            let mut all = a.into_vec();
            all.sort();
            assert!(all.into_iter().eq([0].into_iter().chain(0..=1_000)));
        }
    }
}
