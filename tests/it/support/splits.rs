//! Producers, cut at every index and walked from both ends.

use filch::iter::plumbing::{Folder, Producer, ProducerCallback};
use filch::prelude::*;
use std::fmt::Debug;

/// Checks the pieces of the iterator of `make()` against `want`, cut and walked in every way.
#[track_caller]
pub fn split_everywhere<I>(make: impl Fn() -> I, want: &[I::Item])
where
    I: IntoParallelIterator<Iter: IndexedParallelIterator, Item: PartialEq + Debug>,
{
    assert_eq!(make().into_par_iter().len(), want.len());
    for way in Way::all(want.len()) {
        assert_eq!(way.walk(make()), want, "{way:?}");
    }
}

/// A way to cut a producer in three and to walk the pieces.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    i: usize,
    j: usize,
    first: First,
    walk: Walk,
}

impl Way {
    /// All ways for so many items: cut at every pair of positions, the earlier one first and the
    /// later one first, and walked from either end and from both.
    pub fn all(len: usize) -> impl Iterator<Item = Way> {
        let walks = [Walk::Forth, Walk::Back, Walk::Inward, Walk::Folded];
        let hows = [First::Earlier, First::Later]
            .into_iter()
            .flat_map(move |first| walks.into_iter().map(move |walk| (first, walk)));
        let cuts = (0..=len).flat_map(move |i| (i..=len).map(move |j| (i, j)));
        cuts.flat_map(move |(i, j)| {
            hows.clone()
                .map(move |(first, walk)| Way { i, j, first, walk })
        })
    }

    /// All items in their order, walked this way.
    pub fn walk<I>(self, items: I) -> Vec<I::Item>
    where
        I: IntoParallelIterator<Iter: IndexedParallelIterator>,
    {
        items.into_par_iter().with_producer(self)
    }
}

/// Which of two cuts comes first.
#[derive(Clone, Copy, Debug)]
enum First {
    Earlier,
    Later,
}

#[derive(Clone, Copy, Debug)]
enum Walk {
    /// From the front.
    Forth,
    /// From the back, then turned round.
    Back,
    /// One from each end in turn, with the length watched.
    Inward,
    /// By the producer's own `fold_with`.
    Folded,
}

impl<T> ProducerCallback<T> for Way {
    type Output = Vec<T>;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> Vec<T> {
        let Way { i, j, first, walk } = self;
        let (a, b, c) = match first {
            First::Earlier => {
                let (a, rest) = producer.split_at(i);
                let (b, c) = rest.split_at(j - i);
                (a, b, c)
            }
            First::Later => {
                let (rest, c) = producer.split_at(j);
                let (a, b) = rest.split_at(i);
                (a, b, c)
            }
        };
        let mut all = walk.collect(a);
        all.extend(walk.collect(b));
        all.extend(walk.collect(c));
        all
    }
}

impl Walk {
    fn collect<P: Producer>(self, producer: P) -> Vec<P::Item> {
        match self {
            Walk::Forth => producer.into_iter().collect(),
            Walk::Back => {
                let mut items: Vec<_> = producer.into_iter().rev().collect();
                items.reverse();
                items
            }
            Walk::Inward => inward(producer.into_iter()),
            Walk::Folded => producer.fold_with(Gather(Vec::new())).complete(),
        }
    }
}

fn inward<T>(mut items: impl DoubleEndedIterator<Item = T> + ExactSizeIterator) -> Vec<T> {
    let (mut front, mut back) = (Vec::new(), Vec::new());
    let mut left = items.len();
    loop {
        assert_eq!(items.len(), left);
        assert_eq!(items.size_hint(), (left, Some(left)));
        let next = if left.is_multiple_of(2) {
            items.next()
        } else {
            items.next_back()
        };
        match next {
            Some(item) if left.is_multiple_of(2) => front.push(item),
            Some(item) => back.push(item),
            None => break,
        }
        left -= 1;
    }
    assert_eq!(left, 0, "the iterator ended early");
    front.extend(back.into_iter().rev());
    front
}

/// A folder that keeps what it is given.
struct Gather<T>(Vec<T>);

impl<T> Folder<T> for Gather<T> {
    type Result = Vec<T>;

    fn consume(mut self, item: T) -> Self {
        self.0.push(item);
        self
    }

    fn complete(self) -> Vec<T> {
        self.0
    }

    fn full(&self) -> bool {
        false
    }
}
