//! How many items the rounds of sources and adaptors have, and when they end.

use crate::everywhere;
use filch::ext::*;
use filch::iter::plumbing::{
    Consumer, Folder, Reducer, RoundSource, RoundsCallback, UnindexedConsumer,
};
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts.
#[derive(Clone, Copy)]
struct Count(usize);

impl<T> Consumer<T> for Count {
    type Folder = Count;
    type Reducer = Count;
    type Result = usize;
    fn split_at(self, _: usize) -> (Self, Self, Self) {
        (self, self, self)
    }
    fn into_folder(self) -> Self {
        self
    }
    fn full(&self) -> bool {
        false
    }
}

impl<T> UnindexedConsumer<T> for Count {
    fn split_off_left(&self) -> Self {
        *self
    }
    fn to_reducer(&self) -> Self {
        *self
    }
}

impl<T> Folder<T> for Count {
    type Result = usize;
    fn consume(self, _: T) -> Self {
        Count(self.0 + 1)
    }
    fn complete(self) -> usize {
        self.0
    }
    fn full(&self) -> bool {
        false
    }
}

impl Reducer<usize> for Count {
    fn reduce(self, left: usize, right: usize) -> usize {
        left + right
    }
}

/// How many items each round of so many has, up to the end, after which nothing comes.
struct Lens(usize);

impl<T> RoundsCallback<T> for Lens {
    type Output = Vec<usize>;
    fn callback<S: RoundSource<Item = T>>(self, mut source: S) -> Vec<usize> {
        let rounds = std::iter::from_fn(|| source.round(self.0, Count(0)));
        let lens: Vec<usize> = rounds.take(1000).collect();
        assert!(lens.len() < 1000, "rounds without an end");
        assert_eq!(source.round(1, Count(0)), None);
        assert_eq!(source.round(usize::MAX, Count(0)), None);
        lens
    }
}

/// A round has as many items as were asked for, if there are so many, and all that are left if all are asked for.
#[test]
fn rounds_have_the_items_that_were_asked_for() {
    everywhere(|| {
        for n in [0, 1, 7, 100, usize::MAX] {
            let all = || (0..100usize).into_par_iter();
            let size = n.clamp(1, 100);
            let check = |lens: Vec<usize>, all: usize| {
                assert_eq!(lens.iter().sum::<usize>(), all);
                assert!(n == usize::MAX || lens.iter().all(|&len| len <= size));
                assert!(n < usize::MAX || lens.len() == 1, "{lens:?}");
            };
            check(all().take_while(|&x| x < 30).with_rounds(Lens(n)), 30);
            check(all().map_while(Some).with_rounds(Lens(n)), 100);
            check(all().skip_while(|&x| x < 30).with_rounds(Lens(n)), 70);
            check(all().skip_while(|_| true).with_rounds(Lens(n)), 0);
            check(all().chain(0..20).with_rounds(Lens(n)), 120);
            check(
                all()
                    .chain(0..20)
                    .skip_while(|&x| x < 90)
                    .with_rounds(Lens(n)),
                30,
            );
            check(
                all()
                    .chain(0..20)
                    .take_while(|&x| x < 50)
                    .with_rounds(Lens(n)),
                50,
            );
            check((0..100).par_bridge().with_rounds(Lens(n)), 100);
            check((0..100).par_bridge_ordered().with_rounds(Lens(n)), 100);
            check(all().by_uniform_blocks(40).with_rounds(Lens(n)), 100);
            check(all().by_exponential_blocks().with_rounds(Lens(n)), 100);
        }
        let all = || (0..100usize).into_par_iter();
        let blocks = all().by_uniform_blocks(40);
        assert_eq!(blocks.with_rounds(Lens(15)), [15, 15, 15, 15, 15, 15, 10]);
        let chain = all().chain(0..20).with_rounds(Lens(60));
        assert_eq!(chain, [60, 40, 0, 20]);
        let skip = all().skip_while(|&x| x < 50).with_rounds(Lens(40));
        assert_eq!(skip, [0, 30, 20]);
    });
}

/// In a round, too, no block begins before the one before it is done.
#[test]
fn blocks_follow_each_other_in_rounds() {
    everywhere(|| {
        for size in [50, 5000] {
            let done = AtomicUsize::new(0);
            let all = || (0..15_000usize).into_par_iter().by_uniform_blocks(size);
            let check = |&x: &usize| {
                assert!(done.load(Relaxed) >= x / size * size, "{x} is too early");
                done.fetch_add(1, Relaxed);
            };
            let blocks = all().inspect(check);
            assert_eq!(blocks.take_while(|_| true).count(), 15_000);
            done.store(0, Relaxed);
            // Behind the border all that are left are asked for, in the middle of a block.
            let blocks = all().inspect(check);
            assert_eq!(blocks.skip_while(|&x| x < 70).count(), 14_930);
        }
        let threads = filch::current_num_threads();
        let done = AtomicUsize::new(0);
        let blocks = (0..5000usize)
            .into_par_iter()
            .by_exponential_blocks()
            .inspect(|&x| {
                let ends = std::iter::successors(Some((0, threads)), |&(end, size)| {
                    Some((end + size, 2 * size))
                });
                let begin = ends.map(|(end, _)| end).take_while(|&end| end <= x).last();
                assert!(Some(done.load(Relaxed)) >= begin, "{x} is too early");
                done.fetch_add(1, Relaxed);
            });
        assert_eq!(blocks.take_while(|_| true).count(), 5000);
    });
}
