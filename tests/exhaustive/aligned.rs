//! Elements that are aligned to more than an allocator gives by itself, and longer than what they hold. (For sorts and merges that is beside
//! their other tests.)

use crate::support::{Dice, Place};
use filch::ext::*;
use std::ptr;

/// Looks where it lies whenever it is looked at.
#[repr(align(128))]
#[derive(Debug)]
struct Wide(u32);

/// With a destructor, which takes other ways: none is moved without care, or written in vain.
#[repr(align(128))]
#[derive(Debug)]
struct Owner(Box<u32>);

trait Element: Clone + Send + Sync + Ord + std::hash::Hash + std::fmt::Debug {
    fn new(number: u32) -> Self;
    fn number(&self) -> u32;
}

#[track_caller]
fn check<T>(x: &T) {
    assert!(ptr::from_ref(x).addr().is_multiple_of(128));
}

macro_rules! element {
    ($Element:ty, $new:expr, $number:expr) => {
        impl Element for $Element {
            fn new(number: u32) -> Self {
                $new(number)
            }
            fn number(&self) -> u32 {
                check(self);
                $number(self)
            }
        }
        impl Clone for $Element {
            fn clone(&self) -> Self {
                Self::new(self.number())
            }
        }
        impl PartialEq for $Element {
            fn eq(&self, other: &Self) -> bool {
                self.number() == other.number()
            }
        }
        impl Eq for $Element {}
        impl PartialOrd for $Element {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
        impl Ord for $Element {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                self.number().cmp(&other.number())
            }
        }
        impl std::hash::Hash for $Element {
            fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
                self.number().hash(state);
            }
        }
    };
}

element!(Wide, Wide, |x: &Wide| x.0);
element!(Owner, |n| Owner(Box::new(n)), |x: &Owner| *x.0);

fn elements<T: Element>(numbers: &[u32]) -> Vec<T> {
    numbers.iter().map(|&n| T::new(n)).collect()
}

#[track_caller]
fn same<T: Element>(v: &[T], want: impl IntoIterator<Item = u32>) {
    assert!(v.iter().map(T::number).eq(want));
}

/// One way to use elements, on the numbers that they are made of.
type Case = fn(&[u32]);

fn in_all_places(case: Case) {
    let mut dice = Dice::new(12);
    for len in [1, 70, 9000] {
        let numbers: Vec<u32> = (0..len).map(|_| dice.below(len / 2 + 1) as u32).collect();
        for place in [Place::Pool(1), Place::Pool(3), Place::Outside] {
            place.run(|| case(&numbers));
        }
    }
}

fn sorted(numbers: &[u32]) -> Vec<u32> {
    let mut v = numbers.to_vec();
    v.sort();
    v
}

macro_rules! cases {
    ($($name:ident: $case:ident;)*) => { $(
        #[test]
        fn $name() {
            in_all_places($case::<Wide>);
            in_all_places($case::<Owner>);
        }
    )* };
}

cases! {
    are_sorted_by_radix: radix;
    are_selected: select;
    are_packed: pack;
    are_scanned: scan;
    are_partitioned: partition;
    are_reordered: reorder;
    are_transposed: transpose;
    are_unique: unique;
    are_in_sets: set;
    are_among_the_best: best;
}

fn radix<T: Element>(numbers: &[u32]) {
    let mut v = elements::<T>(numbers);
    v.par_radix_sort_by_key(T::number);
    same(&v, sorted(numbers));
}

fn select<T: Element>(numbers: &[u32]) {
    let (at, want) = (numbers.len() / 3, sorted(numbers));
    let mut v = elements::<T>(numbers);
    assert_eq!(v.par_select_nth_unstable(at).1.number(), want[at]);
    let mut v = elements::<T>(numbers);
    v.par_partial_sort_unstable(at);
    same(&v[..at], want[..at].iter().copied());
    v.sort();
    same(&v, want);
}

fn pack<T: Element>(numbers: &[u32]) {
    let want = || numbers.iter().copied().filter(|n| n % 3 != 1);
    let mut v = elements::<T>(numbers);
    same(&v.par_pack(|x| x.number() % 3 != 1), want());
    v.par_retain(|x| x.number() % 3 != 1);
    same(&v, want());
    let mut v = elements::<T>(&sorted(numbers));
    v.par_dedup();
    let mut want = sorted(numbers);
    want.dedup();
    same(&v, want);
}

fn scan<T: Element>(numbers: &[u32]) {
    let add = |a: &T, b: &T| T::new(a.number().wrapping_add(b.number()));
    let mut sum = 0u32;
    let sums: Vec<u32> = numbers
        .iter()
        .map(|n| {
            sum = sum.wrapping_add(*n);
            sum
        })
        .collect();
    let before = || std::iter::once(0).chain(sums[..sums.len() - 1].iter().copied());
    let mut v = elements::<T>(numbers);
    same(&v.par_scan_inclusive(add), sums.iter().copied());
    same(&v.par_scan_exclusive(T::new(0), add).0, before());
    let total = v.par_scan_exclusive_in_place(T::new(0), add);
    assert_eq!(total.number(), sum);
    same(&v, before());
    let mut v = elements::<T>(numbers);
    v.par_scan_inclusive_in_place(add);
    same(&v, sums);
}

fn partition<T: Element>(numbers: &[u32]) {
    let (mut want, others): (Vec<u32>, Vec<u32>) = numbers.iter().partition(|n| *n % 3 == 1);
    let count = want.len();
    want.extend(others);
    let goes_first = |x: &T| x.number() % 3 == 1;
    let mut v = elements::<T>(numbers);
    assert_eq!(v.par_partition_in_place(goes_first), count);
    same(&v, want.iter().copied());
    let mut v = elements::<T>(numbers);
    assert_eq!(v.par_partition_in_place_unstable(goes_first), count);
    v[..count].sort();
    v[count..].sort();
    want[..count].sort();
    want[count..].sort();
    same(&v, want);
}

fn reorder<T: Element>(numbers: &[u32]) {
    let mut v = elements::<T>(numbers);
    v.par_reverse();
    same(&v, numbers.iter().rev().copied());
    v.par_reverse();
    let mut want = numbers.to_vec();
    v.par_rotate_left(numbers.len() * 2 / 3);
    want.rotate_left(numbers.len() * 2 / 3);
    same(&v, want.iter().copied());
    let mut copy = elements::<T>(&vec![0; v.len()]);
    copy.par_clone_from_slice(&v);
    same(&copy, want);
}

fn transpose<T: Element>(numbers: &[u32]) {
    let side = numbers.len().isqrt();
    let mut v = elements::<T>(&numbers[..side * side]);
    v.par_transpose_in_place(side);
    let column = |c: usize| (0..side).map(move |r| numbers[r * side + c]);
    same(&v, (0..side).flat_map(column));
}

/// What is `Copy` only.
#[test]
fn are_transposed_into_a_vector() {
    #[derive(Clone, Copy, PartialEq, Debug)]
    #[repr(align(128))]
    struct Plain(usize);
    let v: Vec<Plain> = (0..9000).map(Plain).collect();
    for place in [Place::Pool(1), Place::Pool(3), Place::Outside] {
        let turned = place.run(|| v.par_transpose(90, 100));
        turned.iter().for_each(check);
        let column = |c: usize| (0..90).map(move |r| Plain(r * 100 + c));
        assert!(turned.iter().copied().eq((0..100).flat_map(column)));
    }
}

fn unique<T: Element>(numbers: &[u32]) {
    let mut seen = std::collections::HashSet::new();
    let mut want = numbers.to_vec();
    want.retain(|n| seen.insert(*n));
    let mut v = elements::<T>(numbers);
    v.par_unique();
    same(&v, want);
}

fn set<T: Element>(numbers: &[u32]) {
    let v = elements::<T>(&sorted(numbers));
    let odd: Vec<T> = v.iter().filter(|x| x.number() % 2 == 1).cloned().collect();
    let even = || v.iter().map(T::number).filter(|n| n % 2 == 0);
    same(&v.par_union(&odd), v.iter().map(T::number));
    same(&v.par_intersection(&odd), odd.iter().map(T::number));
    same(&v.par_difference(&odd), even());
    same(&odd.par_symmetric_difference(&v), even());
}

fn best<T: Element>(numbers: &[u32]) {
    let v = elements::<T>(numbers);
    let best: Vec<T> = v.par_bottom_k(7).into_iter().cloned().collect();
    let want = sorted(numbers);
    same(&best, want[..want.len().min(7)].iter().copied());
}
