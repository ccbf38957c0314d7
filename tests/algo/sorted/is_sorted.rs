use super::{keys, numbered};
use crate::support::{Meeting, Place, caught, oracle, planted, same_everywhere};
use filch::ThreadPoolBuilder;
use filch::ext::ParallelSliceIsSorted;
use filch::iter::plumbing::Cuts;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

#[test]
fn agrees_with_std() {
    oracle(
        keys(),
        |v| {
            let pairs = numbered(v);
            (
                v.par_is_sorted(),
                v.par_is_sorted_by(|a, b| a >= b),
                pairs.par_is_sorted_by_key(|x| x.0 / 2),
            )
        },
        |v| {
            let pairs = numbered(v);
            (
                v.is_sorted(),
                v.is_sorted_by(|a, b| a >= b),
                pairs.is_sorted_by_key(|x| x.0 / 2),
            )
        },
    );
}

#[test]
fn one_pair_out_of_order_is_found_wherever_it_is() {
    let len = 2500;
    same_everywhere(
        || {
            let mut v: Vec<usize> = (0..len).collect();
            (1..len)
                .filter(|&i| {
                    v.swap(i - 1, i);
                    let sorted = v.par_is_sorted();
                    v.swap(i - 1, i);
                    sorted
                })
                .count()
        },
        || 0,
    );
}

#[test]
fn neighbours_without_an_order_are_not_sorted() {
    let mut v = vec![0.0; 3000];
    assert!(v.par_is_sorted());
    v[2999] = f64::NAN;
    assert!(!v.par_is_sorted());
    assert!([f64::NAN].par_is_sorted());
}

#[test]
fn a_panic_comes_out() {
    for place in Place::all() {
        let v: Vec<usize> = (0..3000).collect();
        let outcome = place.run(|| {
            caught(|| v.par_is_sorted_by(|a, _| if *a == 2000 { planted(7) } else { true }))
        });
        assert_eq!(outcome, Err(7));
    }
}

#[test]
fn elements_of_no_size_are_sorted() {
    assert!([(); 5000].par_is_sorted());
    assert!(![(); 5000].par_is_sorted_by(|_, _| false));
}

/// The first comparisons take long. Behind them each waits until the other thread compares, too.
#[test]
fn expensive_comparisons_of_a_short_slice_are_shared() {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.force_cuts(Cuts::Always);
    let (compared, meeting) = (AtomicUsize::new(0), Meeting::of(2));
    let v: Vec<u32> = (0..300).collect();
    let sorted = pool.install(|| {
        v.par_is_sorted_by(|a, b| {
            match compared.fetch_add(1, Relaxed) {
                0..17 => thread::sleep(Duration::from_millis(1)),
                _ => meeting.attend(),
            }
            a < b
        })
    });
    assert!(sorted);
    assert_eq!(compared.into_inner(), v.len() - 1);
}
