//! Sorts and selection by one thread: for the leaves of the parallel sorts, and for short slices.
//!
//! std's sorts would do, but they panic if they notice that a comparator is not a total order. These take any answers. Each
//! comparison is between two different elements, at their places in memory. So elements with interior mutability, and comparators that
//! lock what they compare, need no special care.
//!
//! | file | idea |
//! |---|---|
//! | `natural` | stable: long runs are kept, what lies between them is sorted, and all is merged |
//! | `stable` | quicksort with room beside the slice |
//! | `by_index` | large elements move once |
//! | `unstable` | quicksort in place |
//! | `nearly` | unstable: what is out of place is put aside, sorted, and merged back |
//! | `select` | quicksort of the side that matters |
//! | `small` | up to 32 elements, with hardly a branch |
//! | `pivot` | medians of medians of three, and the partition by one of them |
//! | `heap` | what ends too many bad pivots |
//! | `room` | memory beside a slice |

mod by_index;
mod heap;
mod natural;
mod nearly;
mod network;
mod pivot;
mod room;
mod select;
mod small;
mod stable;
mod unstable;

pub(super) use nearly::{nearly_ascends, sort_aside, sort_nearly_sorted};
pub(super) use room::{room_on_stack, with_room};
pub(crate) use select::select;

use super::buffered_slice::BufferedSlice;
use super::leading_run::LeadingRun;
use super::order::Less;
use small::SMALL;

/// From this size on, indices are sorted in place of elements, which then move once, not once a level.
const LARGE: usize = 64;

/// Up to so many elements that are too large for a merge in registers and on the stack are sorted by insertion.
const FEW: usize = 8;

/// Up to so many elements that are longer than a word, but not large, are sorted by insertion. They are strings, mostly: to compare two of them
/// takes some steps, and where each comparison has to wait for the one before, that takes longer than a wrong guess.
const INSERTED: usize = 20;
const fn is_long<T>() -> bool {
    8 < size_of::<T>() && size_of::<T>() < LARGE
}

/// Up to this many integers, runs that are worth keeping cannot be many.
const SHORT: usize = 1024;

/// Sorts `v` stably.
pub(crate) fn sort<T, O: Less<T>>(v: &mut [T], order: &O) {
    if v.len() < 2 || size_of::<T>() == 0 {
        return;
    }
    let run = LeadingRun::leading_alone(v, order);
    if run.len() == v.len() {
        return run.ascend_alone(v);
    }
    if const { is_long::<T>() } && v.len() <= INSERTED {
        run.ascend_alone(v);
        return small::insert_from(v, run.len(), order);
    }
    if v.len() <= SHORT && order.sort_by_std(v) {
        return;
    }
    with_room(v.len(), |room| {
        // SAFETY: `T` is not zero-sized. The buffered slice goes home here, or when a comparison unwinds: the sorts leak none.
        let slice = unsafe { BufferedSlice::new(v, room) };
        drop(sort_buffered(slice, order));
    });
}

/// Sorts `v`, not stably.
pub(crate) fn sort_unstable<T, O: Less<T>>(v: &mut [T], order: &O) {
    if v.len() < 2 || size_of::<T>() == 0 {
        return;
    }
    let run = LeadingRun::leading_alone(v, order);
    if run.len() == v.len() {
        return run.ascend_alone(v);
    }
    if !sort_nearly_sorted(v, order) {
        unstable::sort(v, order);
    }
}

/// Sorts the elements of a buffered slice stably, in the place beside them or where they are. None of those made from it is leaked.
pub(super) fn sort_buffered<'a, T, O: Less<T>>(
    mut slice: BufferedSlice<'a, T>,
    order: &O,
) -> BufferedSlice<'a, T> {
    if const { room::fits_on_stack::<T>(SMALL) } && slice.len() <= SMALL {
        let (v, room) = slice.with_room();
        small::sort_small_apart(v, room, order);
        return slice;
    }
    if slice.len() <= FEW {
        let (v, _) = slice.with_room();
        small::insert_from(v, 1, order);
        return slice;
    }
    // Known when this is compiled for a type: then only one of the two is compiled.
    match const { moves_once::<T>() } {
        true => by_index::sort_buffered(slice, order),
        false => natural::sort_buffered(slice, order),
    }
}

/// Whether [`sort_buffered`] moves the elements of a long buffered slice to the place beside them, by one move each.
pub(super) const fn moves_once<T>() -> bool {
    size_of::<T>() >= LARGE
}

#[cfg(test)]
mod tests {
    use super::super::order::By;
    use super::{select, sort, sort_unstable};
    use std::cell::RefCell;
    use std::cmp::Ordering;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// An element that every comparison changes: a bitwise copy of it would be freed twice.
    struct Noted {
        key: u64,
        id: usize,
        note: RefCell<Box<u64>>,
    }

    impl Noted {
        fn all(len: usize, distinct: u64) -> Vec<Self> {
            let key = |i: usize| (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            let noted = |id| {
                let key = key(id) % distinct;
                Noted {
                    key,
                    id,
                    note: Box::new(key).into(),
                }
            };
            (0..len).map(noted).collect()
        }

        fn touch(&self) -> u64 {
            let fresh = Box::new(self.key);
            *self.note.replace(fresh)
        }
    }

    /// At call `call`, of two keys, with a number that looks random.
    type Answer = fn(call: u64, a: u64, b: u64, random: u64) -> Ordering;

    const ANSWERS: [Answer; 6] = [
        |_, a, b, _| a.cmp(&b),
        |_, a, b, _| (a % 5).cmp(&(b % 5)),
        |_, _, _, random| (random % 3).cmp(&1),
        |_, _, _, _| Ordering::Less,
        |_, a, b, _| (a % 3 + 1).cmp(&((b + 1) % 3 + 1)),
        |call, a, b, _| if call % 7 == 0 { b.cmp(&a) } else { a.cmp(&b) },
    ];

    type Sort<T> = fn(&mut [T], &dyn Fn(&T, &T) -> Ordering);

    fn sweep<T>(all: impl Fn(usize, u64) -> Vec<T>, noted: impl Fn(&T) -> &Noted) {
        let sorts: [Sort<T>; 3] = [
            |v, compare| sort(v, &By(compare)),
            |v, compare| sort_unstable(v, &By(compare)),
            |v, compare| select(v, v.len() / 3, &By(compare)),
        ];
        for len in (1..70).chain([100, 333, 1000]) {
            for (answer, sort) in ANSWERS
                .iter()
                .flat_map(|a| sorts.iter().map(move |s| (a, s)))
            {
                for panics_at in [u64::MAX, 0, 1, len as u64, 2 * len as u64, 5 * len as u64] {
                    let calls = AtomicU64::new(0);
                    let compare = |a: &T, b: &T| {
                        assert!(!std::ptr::eq(a, b));
                        let (a, b) = (noted(a).touch(), noted(b).touch());
                        let call = calls.fetch_add(1, Relaxed);
                        if call == panics_at {
                            resume_unwind(Box::new(call));
                        }
                        let random = (call + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32;
                        answer(call, a, b, random)
                    };
                    let mut v = all(len, 1 << 40);
                    let outcome = catch_unwind(AssertUnwindSafe(|| sort(&mut v, &compare)));
                    let calls = calls.load(Relaxed);
                    match outcome {
                        Ok(()) => assert!(calls <= panics_at),
                        Err(payload) => assert_eq!(payload.downcast_ref(), Some(&panics_at)),
                    }
                    let n = len as f64;
                    assert!(calls as f64 <= 10.0 + 5.0 * n * n.log2(), "{len}: {calls}");
                    v.sort_by_key(|x| noted(x).id);
                    assert!(v.iter().map(|x| noted(x).id).eq(0..len));
                    assert!(v.iter().map(&noted).all(|x| **x.note.borrow() == x.key));
                }
            }
        }
    }

    #[test]
    fn every_element_is_kept_whatever_the_answers_are() {
        sweep(Noted::all, |x| x);
    }

    #[test]
    fn every_tiny_element_is_kept_whatever_the_answers_are() {
        let boxes = |len, distinct| {
            Noted::all(len, distinct)
                .into_iter()
                .map(Box::new)
                .collect()
        };
        sweep(boxes, |x| x);
    }

    #[test]
    fn every_large_element_is_kept_whatever_the_answers_are() {
        let large = |len, distinct| {
            let all = Noted::all(len, distinct).into_iter();
            all.map(|x| (x, [0u64; 20])).collect()
        };
        sweep(large, |x: &(Noted, [u64; 20])| &x.0);
    }

    #[test]
    fn orders_are_obeyed() {
        for (len, distinct) in (0..70)
            .chain([500, 5000])
            .flat_map(|n| [(n, 3), (n, 50), (n, u64::MAX)])
        {
            let mut v: Vec<(u64, usize)> = Noted::all(len, distinct)
                .iter()
                .map(|x| (x.key, x.id))
                .collect();
            // Half of it is sorted already.
            v[..len / 2].sort();
            for (i, x) in v.iter_mut().enumerate() {
                x.1 = i;
            }
            let by_key = By(|a: &(u64, usize), b: &(u64, usize)| a.0.cmp(&b.0));
            let mut sorted = v.clone();
            sorted.sort();
            let mut stable = v.clone();
            sort(&mut stable, &by_key);
            assert_eq!(stable, sorted);
            let mut unstable = v.clone();
            sort_unstable(&mut unstable, &by_key);
            assert!(unstable.is_sorted_by_key(|x| x.0));
            let mut keys: Vec<u64> = v.iter().map(|x| x.0).collect();
            sort_unstable(&mut keys, &By(u64::cmp));
            assert!(keys.iter().eq(sorted.iter().map(|x| &x.0)));
            for index in [0, len / 2, len.saturating_sub(1)]
                .into_iter()
                .filter(|&i| i < len)
            {
                let mut selected = v.clone();
                select(&mut selected, index, &by_key);
                assert_eq!(selected[index].0, sorted[index].0);
                assert!(selected[..index].iter().all(|x| x.0 <= sorted[index].0));
                assert!(selected[index..].iter().all(|x| x.0 >= sorted[index].0));
            }
        }
    }

    /// All orders of up to six keys, and longer ones in which a run goes either way.
    #[test]
    fn every_order_of_a_few_keys_is_obeyed() {
        fn check<T: Clone + Send>(
            keys: &[u8],
            element: impl Fn((u8, usize)) -> T,
            pair: impl Fn(&T) -> (u8, usize),
        ) {
            let order = By(|a: &T, b: &T| {
                assert!(!std::ptr::eq(a, b));
                pair(a).0.cmp(&pair(b).0)
            });
            let v: Vec<T> = keys.iter().copied().zip(0..).map(element).collect();
            let mut sorted: Vec<_> = v.iter().map(&pair).collect();
            sorted.sort();
            let mut stable = v.clone();
            sort(&mut stable, &order);
            assert!(
                stable.iter().map(&pair).eq(sorted.iter().copied()),
                "{keys:?}"
            );
            let mut unstable = v.clone();
            sort_unstable(&mut unstable, &order);
            assert!(unstable.is_sorted_by_key(|x| pair(x).0), "{keys:?}");
            for index in 0..v.len() {
                let mut selected = v.clone();
                select(&mut selected, index, &order);
                let key = sorted[index].0;
                assert_eq!(pair(&selected[index]).0, key, "{keys:?} {index}");
                assert!(selected[..index].iter().all(|x| pair(x).0 <= key));
                assert!(selected[index..].iter().all(|x| pair(x).0 >= key));
            }
        }
        let all = (0..=6).flat_map(|len| {
            (0..4usize.pow(len)).map(move |n| (0..len).map(|i| (n >> (2 * i) & 3) as u8).collect())
        });
        let longer = (7..48).flat_map(|len: u8| {
            let runs = (0..=len).map(move |mid| {
                (0..mid)
                    .rev()
                    .chain((mid..len).map(|x| (usize::from(x) * 37 % 41) as u8))
                    .collect()
            });
            runs.chain([2, 3, 9].map(|distinct| {
                (0..len)
                    .map(|x| (usize::from(x) * 7 % 47) as u8 % distinct)
                    .collect()
            }))
        });
        for keys in all.chain(longer) {
            let keys: Vec<u8> = keys;
            if keys.len() <= 16 {
                check(
                    &keys,
                    |(key, id)| key << 4 | id as u8,
                    |x| (x >> 4, (x & 15).into()),
                );
            }
            check(&keys, |(key, id)| (key, id as u8), |x| (x.0, x.1.into()));
            check(&keys, |x| x, |x| *x);
            check(&keys, |x| [x; 5], |x| x[4]);
        }
    }
}
