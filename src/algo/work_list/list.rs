//! A work list as a parallel iterator. While it is driven, the body is called on its items, and the iterator yields what the body emits.
//!
//! An item costs a push and a pop. A cut moves as many items as it gives away. Memory: the items that wait.

use crate::algo::pace::{LOOK, end_of_block};
use crate::core::clock;
use crate::iter::plumbing::{Folder, UnindexedProducer};
use crate::iter::sources::pending::Pending;
use crate::iter::sources::shares::Shares;
use crate::iter::sources::unindexed_source;
use std::{iter, mem};

/// A part of a work list, as a parallel iterator over what its bodies put out.
pub(super) struct WorkList<'b, T, O, F> {
    /// The youngest item, which is next, is on top. Some at the bottom, the oldest, are the right part of a split.
    stack: Pending<T>,
    shares: Shares,
    /// What the last body put out; empty but for while it is folded.
    out: Vec<O>,
    /// Gets an item, the stack for new ones, and where to put things out.
    body: &'b F,
}

impl<'b, T, O, F> WorkList<'b, T, O, F> {
    /// With items of which none was done.
    pub(super) fn new(items: Vec<T>, body: &'b F) -> Self {
        let shares = Shares::of_siblings(items.len());
        Self::resume(Pending::new(items), shares, body)
    }

    pub(super) fn resume(stack: Pending<T>, shares: Shares, body: &'b F) -> Self {
        WorkList {
            stack,
            shares,
            out: Vec::new(),
            body,
        }
    }
}

impl<T, O, F> UnindexedProducer for WorkList<'_, T, O, F>
where
    T: Send,
    O: Send,
    F: Fn(T, &mut Vec<T>, &mut Vec<O>) + Sync,
{
    type Item = O;

    fn split(mut self) -> (Self, Option<Self>) {
        let right = self
            .shares
            .split(self.stack.len())
            .map(|(some, theirs)| Self::resume(self.stack.cut(some), theirs, self.body));
        (self, right)
    }

    fn fold_with<G: Folder<O>>(self, folder: G) -> G {
        self.fold_some(folder, usize::MAX).0
    }

    const CAN_PAUSE: bool = true;

    fn fold_some<G: Folder<O>>(self, folder: G, budget: usize) -> (G, Option<Self>) {
        let mut stack = self.stack;
        stack.raise(budget);
        // In local variables, so that the loop keeps them in registers.
        let (mut top, mut out, body) = (mem::take(stack.top()), self.out, self.body);
        let mut shares = self.shares;
        let mut bodies = budget;
        let mut least = top.len();
        // Items may suddenly take long, and no other thread gets any before this is over.
        let until = end_of_block(budget);
        let results = iter::from_fn(|| {
            loop {
                if let Some(result) = out.pop() {
                    return Some(result);
                }
                if bodies == 0 {
                    return None;
                }
                bodies -= 1;
                let item = top.pop()?;
                least = least.min(top.len());
                body(item, &mut top, &mut out);
                if bodies.is_multiple_of(LOOK) && clock::ticks() > until {
                    bodies = 0;
                }
            }
        });
        let folder = folder.consume_iter(results);
        shares.shrink(stack.len() + least);
        *stack.top() = top;
        let rest = (!stack.is_empty()).then_some(WorkList {
            stack,
            shares,
            out,
            body,
        });
        (folder, rest)
    }
}

unindexed_source! {
    impl[T, O, F] WorkList<'_, T, O, F> => O, where [
        T: Send,
        O: Send,
        F: Fn(T, &mut Vec<T>, &mut Vec<O>) + Sync,
    ];
    producer(self) { self }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::pace::LONG;
    use crate::iter::sources::pending::tests::*;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn a_block_is_as_many_items_as_it_was_asked_for() {
        let body = |(): (), _: &mut Vec<()>, out: &mut Vec<()>| out.push(());
        let (folded, rest) = WorkList::new(vec![(); 20], &body).fold_some(ItemCount(0), 5);
        assert_eq!((folded.0, rest.unwrap().stack.len()), (5, 15));
    }

    #[test]
    fn a_block_of_long_items_ends_early_and_a_whole_fold_does_not() {
        let body = |long: bool, _: &mut Vec<bool>, out: &mut Vec<()>| {
            if long {
                thread::sleep(Duration::from_nanos(LONG));
            }
            out.push(());
        };
        let items = || (0..4 * LOOK).map(|i| i < 3 * LOOK).collect::<Vec<_>>();
        let (folded, rest) = WorkList::new(items(), &body).fold_some(ItemCount(0), 4 * LOOK);
        let folded = folded.0;
        assert!(folded <= 2 * LOOK);
        let whole = UnindexedProducer::fold_with(rest.unwrap(), ItemCount(folded));
        assert_eq!(whole.0, 4 * LOOK);
        let whole = UnindexedProducer::fold_with(WorkList::new(items(), &body), ItemCount(0));
        assert_eq!(whole.0, 4 * LOOK);
    }

    #[test]
    fn a_split_moves_what_it_gives_away() {
        let body = |node: usize, stack: &mut Vec<usize>, out: &mut Vec<()>| {
            stack.extend(spine(&node).rev());
            out.push(());
        };
        let (_, rest) = WorkList::new(vec![0], &body).fold_some(ItemCount(0), LEVELS);
        splits_move_what_they_give(rest.unwrap(), |part| [places(&part.stack)]);
    }
}
