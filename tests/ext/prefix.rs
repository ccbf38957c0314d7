//! `take_while`, `map_while`, `skip_while`.

use crate::everywhere;
use crate::support::{Ledger, Place, caught, costly, planted, pool, within};
use filch::ThreadPoolBuilder;
use filch::ext::*;
use filch::iter::plumbing::{
    Consumer, Cuts, Folder, Reducer, RoundSource, RoundsCallback, UnindexedConsumer,
};
use filch::iter::repeat;
use filch::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Lengths, and borders in them.
const BORDERS: [(usize, usize); 12] = [
    (0, 0),
    (1, 0),
    (1, 1),
    (2, 1),
    (10, 3),
    (300, 0),
    (300, 299),
    (300, 300),
    (1500, 700),
    (1500, 1499),
    (1500, 1500),
    (1500, 1),
];

pub fn models() {
    for (n, border) in BORDERS {
        let v: Vec<usize> = (0..n).collect();
        let below = |x: &usize| costly(*x as i32) < border as i32;
        let want_take: Vec<usize> = (0..border.min(n)).collect();
        let want_skip: Vec<usize> = (border.min(n)..n).collect();
        // Ends: those that collect, that fold, that stop, and those with side effects.
        assert_eq!(
            v.par_iter().copied().take_while(below).collect::<Vec<_>>(),
            want_take
        );
        assert_eq!(
            v.par_iter().copied().skip_while(below).collect::<Vec<_>>(),
            want_skip
        );
        let text = |x: usize| x.to_string();
        assert_eq!(
            (0..n)
                .into_par_iter()
                .take_while(below)
                .map(text)
                .reduce(String::new, |a, b| a + &b),
            want_take.iter().map(|&x| text(x)).collect::<String>()
        );
        assert_eq!(
            (0..n)
                .into_par_iter()
                .skip_while(below)
                .map(text)
                .reduce(String::new, |a, b| a + &b),
            want_skip.iter().map(|&x| text(x)).collect::<String>()
        );
        // Only one thread can fill a text, and that thread may have skipped all of its items.
        assert_eq!(
            (0..n)
                .into_par_iter()
                .skip_while(below)
                .map(text)
                .collect::<String>(),
            want_skip.iter().map(|&x| text(x)).collect::<String>()
        );
        for target in [0, border.saturating_sub(1), border, border + 1] {
            let find = |x: &usize| *x == target;
            assert_eq!(
                v.par_iter().copied().take_while(below).find_any(find),
                want_take.iter().copied().find(find)
            );
            assert_eq!(
                v.par_iter().copied().skip_while(below).find_any(find),
                want_skip.iter().copied().find(find)
            );
            assert_eq!(
                v.par_iter()
                    .copied()
                    .skip_while(below)
                    .find_first(|x| *x >= target),
                want_skip.iter().copied().find(|x| *x >= target)
            );
            assert_eq!(
                v.par_iter()
                    .copied()
                    .take_while(below)
                    .find_last(|x| *x <= target),
                want_take.iter().copied().rfind(|x| *x <= target)
            );
        }
        let seen = Mutex::new(Vec::new());
        v.par_iter()
            .take_while(|x| below(x))
            .for_each(|&x| seen.lock().unwrap().push(x));
        let mut seen = seen.into_inner().unwrap();
        seen.sort_unstable();
        assert_eq!(seen, want_take);
        // Bases of unknown length, and of several kinds.
        let even = |x: &usize| x.is_multiple_of(2);
        assert_eq!(
            v.par_iter()
                .copied()
                .filter(even)
                .take_while(below)
                .collect::<Vec<_>>(),
            want_take.iter().copied().filter(even).collect::<Vec<_>>()
        );
        assert_eq!(
            v.par_iter()
                .copied()
                .filter(even)
                .skip_while(below)
                .collect::<Vec<_>>(),
            want_skip.iter().copied().filter(even).collect::<Vec<_>>()
        );
        let nested = |x: usize| (0..3).into_par_iter().map(move |_| x);
        let threes = |v: &[usize]| v.iter().flat_map(|&x| [x; 3]).collect::<Vec<_>>();
        assert_eq!(
            v.par_iter()
                .copied()
                .flat_map(nested)
                .take_while(below)
                .collect::<Vec<_>>(),
            threes(&want_take)
        );
        assert_eq!(
            v.par_iter()
                .copied()
                .flat_map(nested)
                .skip_while(below)
                .collect::<Vec<_>>(),
            threes(&want_skip)
        );
        assert_eq!(
            (0..n as u64)
                .into_par_iter()
                .chain(0..0)
                .take_while(|&x| x < border as u64)
                .count(),
            border.min(n)
        );
        assert_eq!(
            (1..=n as i64)
                .into_par_iter()
                .take_while(|&x| x <= border as i64)
                .sum::<i64>(),
            (1..=border.min(n) as i64).sum()
        );
        // Inside a `flat_map`, and one after the other.
        let inner: Vec<usize> = (0..8usize)
            .into_par_iter()
            .flat_map(|i| {
                v.par_iter()
                    .copied()
                    .skip_while(move |&x| x < i)
                    .take_while(below)
            })
            .collect();
        let model: Vec<usize> = (0..8)
            .flat_map(|i| (0..n).skip_while(move |&x| x < i).take_while(below))
            .collect();
        assert_eq!(inner, model);
        assert_eq!(
            v.par_iter()
                .map_while(|&x| (x < border).then_some(x * 2))
                .collect::<Vec<_>>(),
            v.iter()
                .map_while(|&x| (x < border).then_some(x * 2))
                .collect::<Vec<_>>()
        );
    }
    // Items behind the border that would be taken again.
    let saw = |x: &usize| x % 100 < 57;
    assert_eq!(
        (0..1000)
            .into_par_iter()
            .take_while(saw)
            .collect::<Vec<_>>(),
        (0..1000).take_while(saw).collect::<Vec<_>>()
    );
    assert_eq!(
        (0..1000)
            .into_par_iter()
            .skip_while(saw)
            .collect::<Vec<_>>(),
        (0..1000).skip_while(saw).collect::<Vec<_>>()
    );
}

#[test]
fn as_std() {
    everywhere(models);
}

#[test]
fn an_endless_source_ends() {
    everywhere(|| {
        let n = AtomicUsize::new(0);
        let count = filch::iter::repeat(())
            .take_while(|()| n.fetch_add(1, Ordering::Relaxed) < 1000)
            .count();
        // Perhaps none: other threads may have asked a thousand times before the first item is.
        assert!(count <= 1000, "{count}");
        // The first item is let through whenever it is asked.
        let n = AtomicUsize::new(0);
        let count = (0..u64::MAX)
            .into_par_iter()
            .take_while(|&x| x == 0 || n.fetch_add(1, Ordering::Relaxed) < 1000)
            .count();
        assert!((1..=1001).contains(&count), "{count}");
        let first = (0..u64::MAX)
            .into_par_iter()
            .skip_while(|&x| x < 5000)
            .find_first(|_| true);
        assert_eq!(first, Some(5000));
        let long = (0..i128::MAX)
            .into_par_iter()
            .take_while(|&x| x < 12_345)
            .count();
        assert_eq!(long, 12_345);
    });
}

/// What lies far behind the border is not looked at, on any number of threads.
#[test]
fn little_is_wasted() {
    for threads in [1, 2, 3, 8] {
        for border in [0usize, 10, 1000, 20_000] {
            let calls = AtomicUsize::new(0);
            let n = pool(threads).install(|| {
                (0..10_000_000usize)
                    .into_par_iter()
                    .take_while(|&x| {
                        calls.fetch_add(1, Ordering::Relaxed);
                        x < border
                    })
                    .count()
            });
            assert_eq!(n, border);
            let calls = calls.into_inner();
            let most = 3 * border + 2 * 512 * threads;
            assert!(
                (border..=most).contains(&calls),
                "{threads} {border}: {calls}"
            );
        }
    }
}

/// Items that are all skipped, and have no end, for an end that wants none: the search ends although nothing is ever yielded.
#[test]
fn what_is_skipped_ends_with_the_search() {
    within(60, || {
        for place in Place::all() {
            place.run(|| {
                let none = (0u64..).par_bridge_ordered().skip_while(|_| true);
                assert_eq!(none.take_any(0).count(), 0);
            });
        }
    });
}

#[test]
fn every_item_is_dropped_once() {
    everywhere(|| {
        for border in [0, 1, 250, 499, 500] {
            let ledger = Ledger::new(500);
            let kept: Vec<_> = ledger
                .tokens()
                .into_par_iter()
                .take_while(|t| t.id() < border)
                .collect();
            assert!(kept.iter().map(|t| t.id()).eq(0..border));
            drop(kept);
            ledger.assert_all_gone();
            let ledger = Ledger::new(500);
            let kept: Vec<_> = ledger
                .tokens()
                .into_par_iter()
                .skip_while(|t| t.id() < border)
                .collect();
            assert!(kept.iter().map(|t| t.id()).eq(border..500));
            drop(kept);
            ledger.assert_all_gone();
        }
    });
}

#[test]
fn panics_come_through() {
    everywhere(|| {
        for at in (0..40).chain([399]) {
            let ledger = Ledger::new(400);
            let tokens = ledger.tokens();
            let outcome = caught(|| {
                tokens
                    .into_par_iter()
                    .take_while(|t| if t.id() == at { planted(at) } else { true })
                    .count()
            });
            assert_eq!(outcome, Err(at));
            ledger.assert_all_gone();
            let ledger = Ledger::new(400);
            let tokens = ledger.tokens();
            let outcome = caught(|| {
                tokens
                    .into_par_iter()
                    .skip_while(|t| t.id() < 200)
                    .for_each(|t| {
                        if t.id() == 200 + at / 2 {
                            planted(at)
                        }
                    })
            });
            assert_eq!(outcome, Err(at));
            ledger.assert_all_gone();
        }
    });
}

/// Says how it is cut, and is full then: by position, if the items are counted.
#[derive(Clone, Copy)]
struct Asked<'a> {
    counted: &'a AtomicBool,
    over: &'a AtomicBool,
}

impl<'a, T> Consumer<T> for Asked<'a> {
    type Folder = Asked<'a>;
    type Reducer = Nothing;
    type Result = ();
    fn split_at(self, _: usize) -> (Self, Self, Nothing) {
        self.counted.store(true, Ordering::Relaxed);
        self.over.store(true, Ordering::Relaxed);
        (self, self, Nothing)
    }
    fn into_folder(self) -> Self {
        self
    }
    fn full(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

impl<T> UnindexedConsumer<T> for Asked<'_> {
    fn split_off_left(&self) -> Self {
        self.over.store(true, Ordering::Relaxed);
        *self
    }
    fn to_reducer(&self) -> Nothing {
        Nothing
    }
}

impl<T> Folder<T> for Asked<'_> {
    type Result = ();
    fn consume(self, _: T) -> Self {
        self.over.store(true, Ordering::Relaxed);
        self
    }
    fn complete(self) {}
    fn full(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}

struct Nothing;
impl Reducer<()> for Nothing {
    fn reduce(self, (): (), (): ()) {}
}

/// A round of so many items: whether they are counted, and whether anything is left behind it.
struct Round(usize);

impl<T> RoundsCallback<T> for Round {
    type Output = (bool, bool);
    fn callback<S: RoundSource<Item = T>>(self, mut source: S) -> (bool, bool) {
        let (counted, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let asked = Asked {
            counted: &counted,
            over: &over,
        };
        assert!(source.round(self.0, asked).is_some());
        let is_left = source.round(1, asked).is_some();
        (counted.into_inner(), is_left)
    }
}

/// What is behind the border of a `skip_while` is one round. On a machine of 32 bits it may have more than `usize::MAX` items.
#[test]
fn a_round_of_all_items_is_not_counted() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.force_cuts(Cuts::Always);
    pool.install(|| {
        let repeated = |n| repeat(7).with_rounds(Round(n));
        assert_eq!(repeated(5), (true, true));
        assert_eq!(repeated(usize::MAX), (false, true));
        let long = |n| (0..u128::MAX).into_par_iter().with_rounds(Round(n));
        assert_eq!(long(5), (true, true));
        assert_eq!(long(usize::MAX), (false, false));
        let short = |n| (0..9).into_par_iter().with_rounds(Round(n));
        assert_eq!(short(usize::MAX), (true, false));
    });
}
