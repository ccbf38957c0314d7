//! A fold in front of an end that may stop early passes its first accumulator on after 63 items, wherever its folder was begun.

use crate::everywhere;
use crate::support::{pool, within};
use either::Either;
use filch::ext::*;
use filch::iter::{once, repeat};
use filch::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts. An item too many for a first accumulator is a panic: without it, a fold that is never told would go on for ever.
fn count<T>(n: usize, _: T) -> usize {
    assert!(n < 63, "too many items");
    n + 1
}

/// How many items each accumulator has seen, if all are searched in vain by one thread.
fn counts<I: ParallelIterator>(items: impl FnOnce() -> I + Send) -> Vec<usize> {
    let counts = Mutex::new(Vec::new());
    pool(1).install(|| {
        let folds = items().fold(|| 0, |n, _| n + 1);
        assert!(folds.all(|n| {
            counts.lock().unwrap().push(n);
            true
        }));
    });
    counts.into_inner().unwrap()
}

#[test]
fn behind_an_ordered_bridge() {
    everywhere(|| {
        let endless = || std::iter::repeat(1u64).par_bridge_ordered();
        let folds = || endless().fold(|| 0, count);
        assert!(folds().find_any(|_| true).is_some());
        assert_eq!(folds().take_any(1).count(), 1);
        assert!(folds().try_for_each(|_| Err(())).is_err());
        let token = CancelToken::new();
        folds().cancellable(&token).for_each(|_| token.cancel());
        let tried = endless().try_fold(|| 0, |n, x| Some(count(n, x)));
        assert!(tried.find_any(Option::is_some).is_some());
    });
}

#[test]
fn inside_an_item_of_a_flat_map() {
    everywhere(|| {
        let endless = || once(()).flat_map(|()| repeat(1u64).fold(|| 0, count));
        assert!(endless().find_any(|_| true).is_some());
        assert!(endless().try_for_each(|_| Err(())).is_err());
        let mapped = once(()).flat_map(|()| {
            let items = (0..u64::MAX).into_par_iter().map(|x| x ^ 1);
            items.filter(|_| true).fold_with(0, count).map(|n| n + 1)
        });
        assert!(mapped.find_first(|_| true).is_some());
        let deep = once(()).flat_map(|()| once(()).flat_map(|()| repeat(1u64).fold(|| 0, count)));
        assert_eq!(deep.take_any(1).count(), 1);
        let chained = once(()).flat_map(|()| once(1).chain(repeat(1u64)).fold(|| 0, count));
        assert!(chained.find_any(|_| true).is_some());
    });
}

/// A folder may see 5 items of the first inner iterator. So the fold ends there, and a new one begins.
fn closed_first(k: &AtomicUsize) -> impl IndexedParallelIterator<Item = u32> {
    match k.fetch_add(1, Relaxed) {
        0 => Either::Left((0..10u32).into_par_iter().with_max_len(5)),
        _ => Either::Right((0..10u32).into_par_iter()),
    }
}

#[test]
fn behind_an_inner_iterator_in_parts() {
    everywhere(|| {
        let k = AtomicUsize::new(0);
        let items = repeat(()).flat_map(|()| closed_first(&k));
        assert!(items.fold(|| 0, count).find_any(|&n| n > 5).is_some());
    });
}

/// The same inside an item, where it is not known what the fold around it was told.
#[test]
fn behind_an_inner_iterator_in_parts_inside_an_item() {
    everywhere(|| {
        let k = AtomicUsize::new(0);
        let items = once(()).flat_map(|()| repeat(()).flat_map(|()| closed_first(&k)));
        assert!(items.fold(|| 0, count).find_any(|&n| n > 5).is_some());
    });
}

#[test]
fn behind_a_border() {
    everywhere(|| {
        let endless = once(()).flat_map(|()| repeat(1u64));
        let folds = endless.skip_while(|_| false).fold(|| 0, count);
        assert!(folds.find_any(|_| true).is_some());
        let late = (0..u64::MAX).into_par_iter().skip_while(|&x| x < 100_000);
        assert!(late.fold(|| 0, count).find_any(|_| true).is_some());
    });
}

#[test]
fn in_blocks() {
    everywhere(|| {
        let items = || (0..1_000_000usize).into_par_iter();
        let folds = items().by_uniform_blocks(1_000_000).fold(|| 0, count);
        assert!(folds.find_any(|_| true).is_some());
        let folds = items().by_exponential_blocks().fold(|| 0, count);
        assert_eq!(folds.take_any(1).count(), 1);
    });
}

/// Folders that begin in such places are told of a least length as well.
#[test]
fn a_least_length_holds_wherever_a_folder_is_begun() {
    within(60, || {
        let items = || (0..10_000usize).into_par_iter().with_min_len(1000);
        assert_eq!(counts(|| items().by_uniform_blocks(5000)), [10_000]);
        let k = AtomicUsize::new(0);
        let in_parts = || items().flat_map(|_| closed_first(&k));
        assert_eq!(counts(in_parts).last(), Some(&99_990));
        // The first round has 512 items.
        let behind = || items().skip_while(|&x| x < 300);
        assert_eq!(counts(behind), [212, 9488]);
        let inner = || once(()).flat_map(|()| items().fold(|| 0, |n, _| n + 1));
        pool(1).install(|| assert!(inner().all(|n| n == 10_000)));
    });
}
