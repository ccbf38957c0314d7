use super::hostile::{disorder, exclusively, sweep};
use super::{Item, keys, numbered};
use crate::support::{Place, oracle};
use filch::ext::ParallelSelect;
use proptest::prelude::*;

/// What must be the same whichever element is selected among equals: the keys at and around an index.
fn summary(v: &mut [Item], select: impl FnOnce(&mut [Item])) -> (Vec<Item>, Vec<u32>) {
    select(v);
    let keys = v.iter().map(|x| x.0).collect();
    v.sort();
    (v.to_vec(), keys)
}

#[test]
fn the_element_at_an_index_is_that_of_a_sort() {
    oracle(
        (
            keys().prop_filter("an element", |v| !v.is_empty()),
            any::<prop::sample::Index>(),
        ),
        |(keys, index)| {
            let index = index.index(keys.len());
            let mut selected = Vec::new();
            for way in 0..3 {
                let mut v = numbered(keys);
                let (items, keys) = summary(&mut v, |v| {
                    let (low, _, high) = match way {
                        0 => v.par_select_nth_unstable(index),
                        1 => v.par_select_nth_unstable_by(index, |a, b| a.0.cmp(&b.0)),
                        _ => v.par_select_nth_unstable_by_key(index, |x| x.0),
                    };
                    assert_eq!((low.len(), high.len()), (index, keys.len() - index - 1));
                });
                assert!(keys[..index].iter().all(|&k| k <= keys[index]));
                assert!(keys[index..].iter().all(|&k| k >= keys[index]));
                selected.push((items, keys[index]));
            }
            selected
        },
        |(keys, index)| {
            let mut v = numbered(keys);
            v.sort();
            let key = v[index.index(v.len())].0;
            vec![(v, key); 3]
        },
    );
}

#[test]
fn both_ends_and_all_between_are_selected() {
    for place in Place::all() {
        for index in [0, 1, 17, 9_999, 20_000, 39_998, 39_999] {
            let mut v: Vec<u32> = (0..40_000).map(|i| super::scramble(i) % 40_000).collect();
            let mut sorted = v.clone();
            sorted.sort();
            let found = place.run(|| *v.par_select_nth_unstable(index).1);
            assert_eq!(found, sorted[index]);
        }
    }
}

/// Where a key ends, and another begins, too.
#[test]
fn keys_that_repeat_are_selected() {
    let n = 60_000;
    for place in Place::all() {
        for distinct in [1, 2, 10, 300] {
            let keys = |i| super::scramble(i) % distinct;
            let mut sorted: Vec<u32> = (0..n).map(keys).collect();
            sorted.sort();
            let border = sorted.partition_point(|key| *key < distinct / 2);
            for index in [5, border.max(1) - 1, border, border + 1, 20_000, 59_990] {
                let mut v: Vec<u32> = (0..n).map(keys).collect();
                let (low, found, high) = place.run(|| v.par_select_nth_unstable(index));
                assert_eq!(*found, sorted[index]);
                assert!(low.iter().all(|key| *key <= *found));
                assert!(high.iter().all(|key| *key >= *found));
                v.sort();
                assert!(v == sorted);
            }
        }
    }
}

#[test]
fn the_least_come_first_in_order() {
    oracle(
        (keys(), any::<prop::sample::Index>()),
        |(keys, k)| {
            let k = k.index(keys.len() + 1);
            let mut sorted = Vec::new();
            for way in 0..3 {
                let mut v = numbered(keys);
                let (items, keys) = summary(&mut v, |v| match way {
                    0 => v.par_partial_sort_unstable(k),
                    1 => v.par_partial_sort_unstable_by(k, |a, b| a.0.cmp(&b.0)),
                    _ => v.par_partial_sort_unstable_by_key(k, |x| x.0),
                });
                sorted.push((items, keys[..k].to_vec()));
            }
            sorted
        },
        |(keys, k)| {
            let mut v = numbered(keys);
            v.sort();
            let keys = v[..k.index(v.len() + 1)].iter().map(|x| x.0).collect();
            vec![(v, keys); 3]
        },
    );
}

#[test]
fn panics_lose_nothing() {
    for len in [50, 25_000] {
        sweep(len, |v, hook| {
            let found = v.par_select_nth_unstable_by(len / 3, |a, b| {
                hook();
                a.cmp(b)
            });
            assert_eq!(found.1.id(), len / 3);
        });
    }
}

#[test]
fn no_comparator_loses_an_element() {
    disorder(|v, compare| _ = v.par_select_nth_unstable_by(v.len() / 2, compare));
    disorder(|v, compare| v.par_partial_sort_unstable_by(v.len() / 5, compare));
}

#[test]
fn no_element_is_compared_by_two_threads_at_once() {
    exclusively(|v| {
        let found = v
            .par_select_nth_unstable_by(7000, |a, b| a.compare(b))
            .1
            .key;
        assert!(v[..7000].iter().all(|x| x.key <= found));
        assert!(v[7000..].iter().all(|x| x.key >= found));
    });
}

#[test]
fn elements_of_any_size_are_selected() {
    let mut v: Vec<[u32; 32]> = (0..20_000).map(|i| [super::scramble(i); 32]).collect();
    let (low, found, high) = v.par_select_nth_unstable_by_key(5000, |x| x[31]);
    assert!(low.iter().all(|x| *x < *found) && high.iter().all(|x| *x > *found));
    assert_eq!([(); 20_000].par_select_nth_unstable(7).0.len(), 7);
}

#[test]
#[should_panic(expected = "no element 3")]
fn the_index_must_be_in_the_slice() {
    [1, 2, 3].par_select_nth_unstable(3);
}

// 107
#[test]
fn the_first_none_are_found_without_a_comparison() {
    for len in [0, 1, 20, 50_000] {
        let before = numbered(&(0..len).rev().collect::<Vec<_>>());
        let mut v = before.clone();
        let never = |_: &Item, _: &Item| -> std::cmp::Ordering { panic!("a comparison") };
        v.par_partial_sort_unstable_by(0, never);
        v.par_partial_sort_unstable_by_key(0, |_| -> u32 { panic!("a key") });
        assert!(v == before);
        assert!(filch::algo::top_k_by(&v, 0, never).is_empty());
        assert!(filch::algo::bottom_k_by(&v, 0, never).is_empty());
    }
}
