//! Plumbing implemented elsewhere: producers, iterators and consumers as other crates write them,
//! with the required items only; and some that do not keep their promises.

mod cuts;
mod splits;
mod stops;

use crate::support::{Ledger, Place, Token, caught, costly, planted, same_everywhere};
use filch::iter::plumbing::{
    Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer, UnindexedProducer,
    bridge, bridge_producer_consumer, bridge_unindexed,
};
use filch::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Tokens by value, with a length that may be wrong.
struct Tokens {
    tokens: Vec<Token>,
    claimed: usize,
}

impl ParallelIterator for Tokens {
    type Item = Token;

    fn drive_unindexed<C: UnindexedConsumer<Token>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.claimed)
    }
}

impl IndexedParallelIterator for Tokens {
    fn len(&self) -> usize {
        self.claimed
    }

    fn drive<C: Consumer<Token>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<Token>>(self, callback: CB) -> CB::Output {
        callback.callback(TokenProducer(self.tokens))
    }
}

struct TokenProducer(Vec<Token>);

impl Producer for TokenProducer {
    type Item = Token;
    type IntoIter = std::vec::IntoIter<Token>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }

    fn split_at(mut self, index: usize) -> (Self, Self) {
        let right = self.0.split_off(index.min(self.0.len()));
        (self, TokenProducer(right))
    }
}

#[test]
fn a_producer_that_keeps_its_promises() {
    for place in Place::all() {
        let ledger = Ledger::new(500);
        let make = || Tokens {
            tokens: ledger.tokens(),
            claimed: 500,
        };
        place.run(|| {
            let all: Vec<Token> = make().collect();
            assert!(all.iter().map(Token::id).eq(0..500));
            let back: Vec<usize> = make().rev().skip(3).map(|t| t.id()).collect();
            assert!(back.into_iter().eq((0..497).rev()));
            let even = make().filter(|t| t.id() % 2 == 0).count();
            let zipped = make().zip(0..500).all(|(t, i)| t.id() == i);
            let chunks = make().enumerate().chunks(7).count();
            assert_eq!((even, zipped, chunks), (250, true, 72));
            assert_eq!(make().find_last(|t| t.id() < 99).map(|t| t.id()), Some(98));
            let panics = make()
                .with_max_len(9)
                .map(|t| if t.id() == 50 { planted(1) } else { t });
            assert_eq!(caught(|| panics.collect::<Vec<_>>()).err(), Some(1));
            drop(make());
        });
        drop(make());
        ledger.assert_all_gone();
    }
}

/// Numbers with positions that do without what is optional: their length is not known beforehand, and they are not always driven by position.
#[derive(Clone)]
struct Terse(Range<usize>);

impl ParallelIterator for Terse {
    type Item = usize;

    fn drive_unindexed<C: UnindexedConsumer<usize>>(self, consumer: C) -> C::Result {
        self.0
            .into_par_iter()
            .flat_map(Some)
            .drive_unindexed(consumer)
    }
}

impl IndexedParallelIterator for Terse {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn drive<C: Consumer<usize>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<usize>>(self, callback: CB) -> CB::Output {
        self.0.into_par_iter().with_producer(callback)
    }
}

/// What is collected into a vector is driven by position, whatever `opt_len` says.
#[test]
fn positions_without_a_length_beforehand() {
    for place in Place::all() {
        let vec = |fill: &(dyn Fn(&mut Vec<usize>) + Sync)| {
            let mut vec = vec![7; 3];
            place.run(|| fill(&mut vec));
            vec
        };
        let terse = Terse(0..300);
        let range = |len| (0..len).collect::<Vec<usize>>();
        assert_eq!(vec(&|v| terse.clone().collect_into_vec(v)), range(300));
        let chain = || terse.clone().chain(Terse(300..500));
        assert_eq!(vec(&|v| chain().collect_into_vec(v)), range(500));
        let between = |v: &mut _| terse.clone().intersperse(9).collect_into_vec(v);
        let want = (0..599).map(|i| if i % 2 == 0 { i / 2 } else { 9 });
        assert_eq!(vec(&between), want.collect::<Vec<_>>());
        let both = |v: &mut _| {
            let pairs = chain().map(|i| (i, i));
            pairs.unzip_into_vecs(v, &mut Vec::new());
        };
        assert_eq!(vec(&both), range(500));
        assert_eq!(vec(&|v| v.par_extend(chain())).split_off(3), range(500));
    }
}

/// Too few and too many items for an ordered collection: a panic, and nothing is lost.
#[test]
fn producers_that_miscount() {
    for place in Place::all() {
        for (real, claimed) in [(10, 11), (11, 10), (0, 1), (1, 0), (100, 1000), (1000, 100)] {
            let ledger = Ledger::new(real);
            let outcome = place.run(|| {
                let tokens = Tokens {
                    tokens: ledger.tokens(),
                    claimed,
                };
                let collect = std::panic::AssertUnwindSafe(|| tokens.collect::<Vec<_>>().len());
                std::panic::catch_unwind(collect)
            });
            // If there are no items at all, no token need be asked for.
            let nothing = claimed == 0 && matches!(outcome, Ok(0));
            assert!(
                outcome.is_err() || nothing,
                "{place:?}: {real} for {claimed}"
            );
            ledger.assert_all_gone();
        }
    }
}

/// A range that is cut in halves by a producer without positions.
#[derive(Clone)]
struct Halves(std::ops::Range<i32>);

impl UnindexedProducer for Halves {
    type Item = i32;

    fn split(self) -> (Self, Option<Self>) {
        let (start, end) = (self.0.start, self.0.end);
        if end - start < 2 {
            return (self, None);
        }
        let middle = start + (end - start) / 2;
        (Halves(start..middle), Some(Halves(middle..end)))
    }

    fn fold_with<F: Folder<i32>>(self, folder: F) -> F {
        folder.consume_iter(self.0.map(costly))
    }
}

impl ParallelIterator for Halves {
    type Item = i32;

    fn drive_unindexed<C: UnindexedConsumer<i32>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

#[test]
fn a_producer_without_positions() {
    same_everywhere(
        || {
            let v = || Halves(0..5000);
            (
                v().collect::<Vec<_>>(),
                v().map(|x| x.to_string())
                    .reduce(String::new, |a, b| a + &b),
                v().filter(|x| x % 3 == 0)
                    .chain(Halves(7..9))
                    .collect::<Vec<_>>(),
                (
                    v().find_first(|x| x % 99 == 98),
                    v().find_last(|x| x % 99 == 98),
                ),
                v().flat_map(|x| Halves(0..x % 4)).count(),
                v().fold(Vec::new, |mut part, x| (part.push(x), part).1)
                    .flatten()
                    .collect::<Vec<_>>(),
            )
        },
        || {
            let v = || 0..5000;
            (
                v().collect(),
                v().map(|x| x.to_string()).collect(),
                v().filter(|x| x % 3 == 0).chain(7..9).collect(),
                (v().find(|x| x % 99 == 98), v().rfind(|x| x % 99 == 98)),
                v().map(|x| x as usize % 4).sum(),
                v().collect(),
            )
        },
    );
}

/// Can always be split, and gives one of the parts little or nothing.
struct Uneven {
    items: Range<i32>,
    /// Where the right part begins, given the items and how often was split before.
    cut: fn(&Range<i32>, usize) -> i32,
    splits: Arc<AtomicUsize>,
}

impl UnindexedProducer for Uneven {
    type Item = i32;

    fn split(self) -> (Self, Option<Self>) {
        let times = self.splits.fetch_add(1, Relaxed);
        assert!(times < 10_000, "split for ever");
        let middle = (self.cut)(&self.items, times).clamp(self.items.start, self.items.end);
        let part = |items| Uneven {
            items,
            cut: self.cut,
            splits: Arc::clone(&self.splits),
        };
        (
            part(self.items.start..middle),
            Some(part(middle..self.items.end)),
        )
    }

    fn fold_with<F: Folder<i32>>(self, folder: F) -> F {
        folder.consume_iter(self.items.map(costly))
    }
}

impl ParallelIterator for Uneven {
    type Item = i32;

    fn drive_unindexed<C: UnindexedConsumer<i32>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

#[test]
fn a_producer_that_splits_nothing_off_for_ever() {
    let cuts: [fn(&Range<i32>, usize) -> i32; 5] = [
        |items, _| items.start,
        |items, _| items.end,
        |items, times| [items.start, items.end][times % 2],
        |items, _| items.start + 1,
        |items, _| items.end - 1,
    ];
    for cut in cuts {
        same_everywhere(
            || {
                let uneven = Uneven {
                    items: 0..2000,
                    cut,
                    splits: Arc::default(),
                };
                uneven.map(|x| x + 1).collect::<Vec<_>>()
            },
            || (1..=2000).collect(),
        );
    }
}

/// A consumer of another crate's: it joins numbers in order and can be full.
#[derive(Clone, Copy)]
struct Join {
    most: usize,
}

impl Consumer<i32> for Join {
    type Folder = JoinFolder;
    type Reducer = Join;
    type Result = Vec<i32>;

    fn split_at(self, _: usize) -> (Self, Self, Self) {
        (self, self, self)
    }

    fn into_folder(self) -> JoinFolder {
        JoinFolder {
            most: self.most,
            joined: Vec::new(),
        }
    }

    fn full(&self) -> bool {
        self.most == 0
    }
}

impl UnindexedConsumer<i32> for Join {
    fn split_off_left(&self) -> Self {
        *self
    }

    fn to_reducer(&self) -> Self {
        *self
    }
}

impl Reducer<Vec<i32>> for Join {
    fn reduce(self, mut left: Vec<i32>, right: Vec<i32>) -> Vec<i32> {
        left.extend(right);
        left.truncate(self.most);
        left
    }
}

struct JoinFolder {
    most: usize,
    joined: Vec<i32>,
}

impl Folder<i32> for JoinFolder {
    type Result = Vec<i32>;

    fn consume(mut self, item: i32) -> Self {
        assert!(!self.full(), "a full folder got another item");
        self.joined.push(item);
        self
    }

    fn complete(self) -> Vec<i32> {
        self.joined
    }

    fn full(&self) -> bool {
        self.joined.len() >= self.most
    }
}

#[test]
fn a_consumer_of_all() {
    let all = Join { most: usize::MAX };
    same_everywhere(
        || {
            let n = || (0..4000).into_par_iter().map(costly);
            (
                n().drive(all),
                n().rev().drive_unindexed(all),
                n().filter(|x| x % 2 == 0).drive_unindexed(all),
                n().flat_map_iter(|x| [x; 2]).drive_unindexed(all),
                Halves(0..4000).drive_unindexed(all),
            )
        },
        || {
            (
                (0..4000).collect(),
                (0..4000).rev().collect(),
                (0..4000).step_by(2).collect(),
                (0..4000).flat_map(|x| [x; 2]).collect(),
                (0..4000).collect(),
            )
        },
    );
}

/// The first few, from an iterator that is too long to be walked to its end.
#[test]
fn a_consumer_that_is_full_soon() {
    for most in [0, 1, 50] {
        let few = Join { most };
        same_everywhere(
            || {
                let n = || (0..2000).into_par_iter().map(costly);
                let cycle = n().flat_map_iter(|x| [x].into_iter().cycle());
                (
                    n().drive(few),
                    n().filter(|x| x % 2 == 0).drive_unindexed(few),
                    cycle.drive_unindexed(few),
                )
            },
            || {
                let most = most as i32;
                (
                    (0..most).collect(),
                    (0..most).map(|x| x * 2).collect(),
                    vec![0; most as usize],
                )
            },
        );
    }
}

/// The bridge for a producer and its length.
#[test]
fn bridges() {
    struct Numbers(std::ops::Range<i32>);

    impl Producer for Numbers {
        type Item = i32;
        type IntoIter = std::ops::Range<i32>;

        fn into_iter(self) -> Self::IntoIter {
            self.0
        }

        fn split_at(self, index: usize) -> (Self, Self) {
            let middle = self.0.start + index as i32;
            (Numbers(self.0.start..middle), Numbers(middle..self.0.end))
        }

        fn max_len(&self) -> usize {
            3
        }
    }

    let all = Join { most: usize::MAX };
    same_everywhere(
        || bridge_producer_consumer(1000, Numbers(5..1005), all),
        || (5..1005).collect(),
    );
    same_everywhere(|| bridge_producer_consumer(0, Numbers(5..5), all), Vec::new);
}
