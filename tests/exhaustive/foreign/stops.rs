//! Searches through plumbing of other crates: a hit in one piece, or a panic behind a fuse, ends a piece that another thread folds meanwhile, and that
//! is never cut again.

use crate::support::{Flag, caught, planted, within};
use filch::ThreadPoolBuilder;
use filch::iter::plumbing::{
    Consumer, Cuts, Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed,
};
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// How many items each of the two pieces has.
const N: usize = 20_000;

/// More items than there can be between two looks before anything has taken time.
const FEW: usize = 16;

/// Says that a panic is known, after what unwinds inside.
struct KnownAfter<'m>(&'m Meet);

impl Drop for KnownAfter<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.known.set();
        }
    }
}

/// Where the two pieces meet: the hit, at the front of the first, waits for the second one's first item, whose second item waits until the hit is
/// known to all.
#[derive(Default)]
struct Meet {
    begun: Flag,
    known: Flag,
    folded: AtomicUsize,
    /// The hit is a panic.
    panics: bool,
}

impl Meet {
    fn look(&self, at: usize) -> usize {
        match at {
            0 => {
                self.begun.wait();
                if self.panics {
                    planted(at);
                }
            }
            N => self.begun.set(),
            at if at == N + 1 => self.known.wait(),
            _ => {}
        }
        if at >= N {
            self.folded.fetch_add(1, Relaxed);
        }
        at
    }
}

/// Two pieces, by a producer that can do no more than it has to.
struct Leaves<'m> {
    meet: &'m Meet,
    from: usize,
    to: usize,
}

impl UnindexedProducer for Leaves<'_> {
    type Item = usize;

    fn split(self) -> (Self, Option<Self>) {
        if self.to - self.from <= N {
            return (self, None);
        }
        let middle = self.from + N;
        let right = Leaves {
            from: middle,
            ..self
        };
        let left = Leaves { to: middle, ..self };
        (left, Some(right))
    }

    fn fold_with<F: Folder<usize>>(self, folder: F) -> F {
        let _known = KnownAfter(self.meet);
        let items = (self.from..self.to).map(|at| self.meet.look(at));
        let folder = folder.consume_iter(items);
        if folder.full() {
            self.meet.known.set();
        }
        folder
    }
}

impl ParallelIterator for Leaves<'_> {
    type Item = usize;

    fn drive_unindexed<C: UnindexedConsumer<usize>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

/// An adaptor of another crate's, with a consumer that has the required items only.
struct Via<'m, I> {
    items: I,
    meet: &'m Meet,
}

impl<I: ParallelIterator> ParallelIterator for Via<'_, I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        let meet = self.meet;
        let base = consumer;
        self.items.drive_unindexed(ViaConsumer { base, meet })
    }
}

struct ViaConsumer<'m, C> {
    base: C,
    meet: &'m Meet,
}

impl<'m, T, C: Consumer<T>> Consumer<T> for ViaConsumer<'m, C> {
    type Folder = ViaFolder<'m, C::Folder>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    fn split_at(self, index: usize) -> (Self, Self, C::Reducer) {
        let meet = self.meet;
        let (left, right, reducer) = self.base.split_at(index);
        let with = |base| ViaConsumer { base, meet };
        (with(left), with(right), reducer)
    }

    fn into_folder(self) -> Self::Folder {
        ViaFolder {
            base: self.base.into_folder(),
            meet: self.meet,
        }
    }

    fn full(&self) -> bool {
        self.base.full()
    }
}

impl<T, C: UnindexedConsumer<T>> UnindexedConsumer<T> for ViaConsumer<'_, C> {
    fn split_off_left(&self) -> Self {
        ViaConsumer {
            base: self.base.split_off_left(),
            meet: self.meet,
        }
    }

    fn to_reducer(&self) -> C::Reducer {
        self.base.to_reducer()
    }
}

struct ViaFolder<'m, F> {
    base: F,
    meet: &'m Meet,
}

impl<'m, F> ViaFolder<'m, F> {
    fn after<T>(base: F, meet: &'m Meet) -> Self
    where
        F: Folder<T>,
    {
        if base.full() {
            meet.known.set();
        }
        ViaFolder { base, meet }
    }
}

impl<T, F: Folder<T>> Folder<T> for ViaFolder<'_, F> {
    type Result = F::Result;

    fn consume(self, item: T) -> Self {
        Self::after(self.base.consume(item), self.meet)
    }

    fn consume_iter<I: IntoIterator<Item = T>>(self, items: I) -> Self {
        Self::after(self.base.consume_iter(items), self.meet)
    }

    fn complete(self) -> F::Result {
        self.base.complete()
    }

    fn full(&self) -> bool {
        self.base.full()
    }
}

/// Runs a search that ends with the first item; the second piece has to end soon after that.
fn ends_in_time(search: impl Fn(&Meet) + Send + Sync) {
    ends_soon(Meet::default(), search);
}

fn ends_soon(meet: Meet, search: impl Fn(&Meet) + Send + Sync) {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.force_cuts(Cuts::Always);
    pool.install(|| search(&meet));
    let folded = meet.folded.into_inner();
    assert!(
        (1..=FEW).contains(&folded),
        "{folded} items were folded of a piece that was no longer wanted"
    );
}

/// Searches of all kinds in `$items`.
macro_rules! end_in_time {
    (|$meet:ident| $items:expr) => {{
        let miss = |at: usize| (at != 0).then_some(at);
        ends_in_time(|$meet| assert_eq!($items.find_any(|&at| at == 0), Some(0)));
        ends_in_time(|$meet| assert_eq!($items.find_first(|&at| at == 0), Some(0)));
        ends_in_time(|$meet| assert!(!$items.all(|at| at != 0)));
        ends_in_time(|$meet| assert!($items.try_for_each(|at| miss(at).map(drop)).is_none()));
        ends_in_time(|$meet| {
            assert!($items.map(miss).try_reduce_with(|a, _| Some(a)) == Some(None))
        });
        ends_in_time(|$meet| assert!($items.map(miss).collect::<Option<Vec<_>>>().is_none()));
        ends_in_time(|$meet| $items.map(miss).while_some().for_each(drop));
        ends_in_time(|$meet| $items.take_any_while(|&at| at != 0).for_each(drop));
        ends_in_time(|$meet| _ = $items.panic_fuse().any(|at| at == 0));
        ends_in_time(|$meet| assert_eq!($items.filter(|_| true).find_any(|&at| at == 0), Some(0)));
    }};
}

/// An item of a vector; the last one of the first piece is dropped when that is over.
struct Item<'m> {
    meet: &'m Meet,
    at: usize,
}

impl Drop for Item<'_> {
    fn drop(&mut self) {
        if self.at == N - 1 {
            self.meet.known.set();
        }
    }
}

/// For comparison: what needs no folder around it.
#[test]
fn a_producer_of_ours() {
    within(300, || {
        end_in_time!(|meet| {
            let items: Vec<_> = (0..2 * N).map(|at| Item { meet, at }).collect();
            let items = items.into_par_iter().with_min_len(N);
            items.map(|item| meet.look(item.at))
        });
    });
}

#[test]
fn a_foreign_producer() {
    within(300, || {
        end_in_time!(|meet| Leaves {
            meet,
            from: 0,
            to: 2 * N
        });
    });
}

#[test]
fn a_foreign_consumer() {
    within(300, || {
        end_in_time!(|meet| {
            let items = (0..2 * N).into_par_iter().with_min_len(N);
            let items = items.map(|at| meet.look(at));
            Via { items, meet }
        });
    });
}

#[test]
fn a_foreign_consumer_of_a_foreign_producer() {
    within(300, || {
        end_in_time!(|meet| {
            let (from, to) = (0, 2 * N);
            let items = Leaves { meet, from, to };
            Via { items, meet }
        });
    });
}

#[test]
fn a_panic_behind_a_fuse() {
    let runs: [fn(Leaves<'_>); 4] = [
        |items| items.panic_fuse().for_each(drop),
        |items| items.filter(|_| true).panic_fuse().for_each(drop),
        |items| items.panic_fuse().map(|at| at).for_each(drop),
        |items| _ = items.panic_fuse().count(),
    ];
    within(300, move || {
        for run in runs {
            let panics = Meet {
                panics: true,
                ..Meet::default()
            };
            ends_soon(panics, |meet| {
                let (from, to) = (0, 2 * N);
                assert_eq!(caught(|| run(Leaves { meet, from, to })), Err(0));
            });
        }
    });
}
