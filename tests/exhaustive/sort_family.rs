//! The sorts of slices, against std's, at several numbers of threads and with hostile comparators.

use crate::support::{DISORDERS, cases};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use proptest::prelude::*;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

const THREADS: [usize; 4] = [1, 2, 3, 8];

/// A sort of keys with their indices.
type Sort<'a> = dyn Fn(&mut [(u32, u32)]) + Sync + 'a;

/// Runs `f` on a pool of so many threads, whose stacks are too small for deep recursions.
fn on<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    static POOLS: [OnceLock<ThreadPool>; 9] = [const { OnceLock::new() }; 9];
    let build = || {
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(256 << 10)
            .build()
            .unwrap()
    };
    POOLS[threads].get_or_init(build).install(f)
}

/// Numbers without a pattern.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

#[derive(Clone, Copy, Debug)]
enum Pattern {
    Random,
    Ascending,
    Descending,
    SawTooth,
    OrganPipe,
    SortedHead,
    SortedTail,
    DescendingHead,
    Scattered,
    Blocks,
}

const PATTERNS: [Pattern; 10] = [
    Pattern::Random,
    Pattern::Ascending,
    Pattern::Descending,
    Pattern::SawTooth,
    Pattern::OrganPipe,
    Pattern::SortedHead,
    Pattern::SortedTail,
    Pattern::DescendingHead,
    Pattern::Scattered,
    Pattern::Blocks,
];

fn keys(pattern: Pattern, len: usize, distinct: usize, seed: u64) -> Vec<u32> {
    let mut random = Random(seed);
    let mut v: Vec<u32> = (0..len).map(|_| random.below(distinct) as u32).collect();
    let part = random.below(len);
    match pattern {
        Pattern::Random => {}
        Pattern::Ascending => v.sort(),
        Pattern::Descending => v.sort_by(|a, b| b.cmp(a)),
        Pattern::SawTooth => (0..len).for_each(|i| v[i] = (i % distinct) as u32),
        Pattern::OrganPipe => (0..len).for_each(|i| v[i] = i.min(len - i) as u32),
        Pattern::SortedHead => v[..part].sort(),
        Pattern::SortedTail => v[part..].sort(),
        Pattern::DescendingHead => {
            (0..part).for_each(|i| v[i] = (len - i) as u32);
        }
        Pattern::Scattered => {
            v.sort();
            (0..len / 20).for_each(|_| v[random.below(len)] = random.below(distinct) as u32);
        }
        Pattern::Blocks => v.chunks_mut(part.max(1)).for_each(<[u32]>::sort),
    }
    v
}

fn lengths() -> impl Strategy<Value = usize> {
    prop_oneof![0..100usize, 4000..9000usize, 30_000..140_000usize]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(16)))]

    #[test]
    fn every_sort_agrees_with_std(
        pattern in prop::sample::select(&PATTERNS[..]),
        len in lengths(),
        distinct in prop::sample::select(&[1usize, 2, 16, 1000, usize::MAX >> 33][..]),
        seed: u64,
        threads in prop::sample::select(&THREADS[..]),
    ) {
        // An index for each key tells equal keys apart.
        let v: Vec<(u32, u32)> = keys(pattern, len, distinct, seed).into_iter().zip(0..).collect();
        let mut sorted = v.clone();
        sorted.sort_by_key(|x| x.0);

        let stable = |sort: &Sort| {
            let mut ours = v.clone();
            on(threads, || sort(&mut ours));
            assert!(ours == sorted);
        };
        stable(&|v| v.par_sort());
        stable(&|v| v.par_sort_by(|a, b| a.0.cmp(&b.0)));
        stable(&|v| v.par_sort_by_key(|x| x.0));
        stable(&|v| v.par_sort_by_cached_key(|x| x.0));
        stable(&|v| v.par_sort_by_cached_key(|x| u64::from(x.0)));
        stable(&|v| v.par_sort_unstable());

        let unstable = |sort: &Sort| {
            let mut ours = v.clone();
            on(threads, || sort(&mut ours));
            assert!(ours.is_sorted_by_key(|x| x.0));
            ours.sort();
            assert!(ours == sorted);
        };
        unstable(&|v| v.par_sort_unstable_by(|a, b| a.0.cmp(&b.0)));
        unstable(&|v| v.par_sort_unstable_by_key(|x| x.0));
    }

    #[test]
    fn elements_of_every_size_are_sorted(
        pattern in prop::sample::select(&PATTERNS[..]),
        len in 4000..12_000usize,
        distinct in prop::sample::select(&[2usize, 300, usize::MAX >> 33][..]),
        seed: u64,
        threads in prop::sample::select(&THREADS[..]),
    ) {
        #[derive(Clone, Copy)]
        #[repr(align(64))]
        struct Aligned(u32, u32);

        let keys = keys(pattern, len, distinct, seed);
        let mut sorted: Vec<(u32, u32)> = keys.iter().copied().zip(0..).collect();
        sorted.sort();
        on(threads, || {
            let mut v: Vec<Aligned> = keys.iter().zip(0..).map(|(&k, i)| Aligned(k, i)).collect();
            v.par_sort_by_key(|x| x.0);
            assert!(v.iter().map(|x| (x.0, x.1)).eq(sorted.iter().copied()));
            v.par_sort_unstable_by_key(|x| (x.1, x.0));
            v.par_sort_unstable_by_key(|x| (x.0, x.1));
            assert!(v.iter().map(|x| (x.0, x.1)).eq(sorted.iter().copied()));
            v.par_sort_by_cached_key(|x| x.1);
            assert!(v.iter().map(|x| x.0).eq(keys.iter().copied()));

            let mut v: Vec<[u32; 30]> = keys.iter().zip(0..).map(|(&k, i)| [[k, i]; 15].concat().try_into().unwrap()).collect();
            v.par_sort_by(|a, b| a[28].cmp(&b[28]));
            assert!(v.iter().map(|x| (x[0], x[29])).eq(sorted.iter().copied()));
            v.par_sort_unstable_by_key(|x| x[1]);
            assert!(v.iter().map(|x| x[0]).eq(keys.iter().copied()));

            let mut v: Vec<u8> = keys.iter().map(|&k| k as u8).collect();
            let mut sorted = v.clone();
            sorted.sort();
            v.par_sort();
            assert!(v == sorted);
        });
    }
}

#[test]
fn elements_larger_than_a_page_are_sorted() {
    let keys = keys(Pattern::Random, 5000, 5000, 1);
    for threads in THREADS {
        let mut v: Vec<[u32; 1200]> = keys.iter().map(|&k| [k; 1200]).collect();
        on(threads, || v.par_sort());
        assert!(v.is_sorted() && v.iter().all(|x| x.iter().all(|y| *y == x[0])));
        on(threads, || v.par_sort_unstable_by(|a, b| b.cmp(a)));
        assert!(v.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn elements_of_no_size_stay() {
    let mut v = [(); 100_000];
    on(2, || {
        v.par_sort();
        v.par_sort_by(|_, _| Ordering::Greater);
        v.par_sort_unstable();
        v.par_sort_unstable_by(|_, _| Ordering::Less);
        v.par_sort_by_cached_key(|()| 1);
    });
    assert_eq!(v.len(), 100_000);
}

/// A number that counts how many of its kind live.
struct Counted<'a> {
    key: u32,
    id: Box<u32>,
    live: &'a AtomicUsize,
}

impl<'a> Counted<'a> {
    fn all(keys: &[u32], live: &'a AtomicUsize) -> Vec<Self> {
        live.fetch_add(keys.len(), Relaxed);
        keys.iter()
            .zip(0..)
            .map(|(&key, id)| Counted {
                key,
                id: Box::new(id),
                live,
            })
            .collect()
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.live.fetch_sub(1, Relaxed);
    }
}

/// Sorts with a function that panics at its `panics_at`th call, and says whether it did. Every element must be there
/// once after, and be dropped once.
fn panics(
    keys: &[u32],
    panics_at: usize,
    sort: impl Fn(&mut [Counted], &(dyn Fn() + Sync)) + Sync,
) -> bool {
    let (live, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let mut v = Counted::all(keys, &live);
    let call = || {
        if calls.fetch_add(1, Relaxed) == panics_at {
            resume_unwind(Box::new(panics_at));
        }
    };
    let unwound = catch_unwind(AssertUnwindSafe(|| on(2, || sort(&mut v, &call))));
    let unwound = match unwound {
        Ok(()) => {
            assert!(v.is_sorted_by_key(|x| x.key));
            false
        }
        Err(payload) => {
            assert_eq!(payload.downcast_ref(), Some(&panics_at));
            true
        }
    };
    assert_eq!(live.load(Relaxed), keys.len());
    v.sort_by_key(|x| *x.id);
    assert!(v.iter().map(|x| *x.id).eq(0..keys.len() as u32));
    drop(v);
    assert_eq!(live.load(Relaxed), 0);
    unwound
}

/// Panics at the first calls, and at ever rarer ones after, until the sort ends without.
fn sweep(keys: &[u32], sort: impl Fn(&mut [Counted], &(dyn Fn() + Sync)) + Sync) {
    let mut panics_at = 0;
    while panics(keys, panics_at, &sort) {
        panics_at += 1 + panics_at / cases(2) as usize;
    }
    assert!(panics_at > keys.len() / 4);
}

#[test]
fn a_panic_at_any_comparison_loses_nothing() {
    let len = 6000;
    for (pattern, distinct) in PATTERNS.iter().flat_map(|&p| [(p, 5), (p, len)]) {
        let keys = keys(pattern, len, distinct, 3);
        sweep(&keys, |v, call| {
            v.par_sort_by(|a, b| {
                call();
                a.key.cmp(&b.key)
            })
        });
        sweep(&keys, |v, call| {
            v.par_sort_unstable_by(|a, b| {
                call();
                a.key.cmp(&b.key)
            })
        });
    }
    let keys = keys(Pattern::Random, 70_000, 70_000, 3);
    sweep(&keys, |v, call| {
        v.par_sort_unstable_by(|a, b| {
            call();
            a.key.cmp(&b.key)
        })
    });
}

#[test]
fn a_panic_of_a_key_function_or_of_its_keys_loses_nothing() {
    struct Key<'a>(u32, Box<u32>, &'a (dyn Fn() + Sync));
    impl PartialEq for Key<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.cmp(other).is_eq()
        }
    }
    impl Eq for Key<'_> {}
    impl PartialOrd for Key<'_> {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Key<'_> {
        fn cmp(&self, other: &Self) -> Ordering {
            self.2();
            self.0.cmp(&other.0).then(self.1.cmp(&other.1))
        }
    }
    let keys = keys(Pattern::Random, 6000, 500, 5);
    sweep(&keys, |v, call| {
        v.par_sort_by_cached_key(|x| {
            call();
            x.key
        })
    });
    sweep(&keys, |v, call| {
        v.par_sort_by_cached_key(|x| Key(x.key, x.id.clone(), call))
    });
    sweep(&keys[..20], |v, call| {
        v.par_sort_by_cached_key(|x| {
            call();
            x.key
        })
    });
}

#[test]
fn a_cached_key_is_computed_once_for_each_element() {
    for len in [0, 1, 2, 15, 16, 17, 1000, 50_000] {
        for threads in THREADS {
            let calls = AtomicUsize::new(0);
            let mut v = keys(Pattern::Random, len, len / 2, 9);
            on(threads, || {
                v.par_sort_by_cached_key(|x| {
                    calls.fetch_add(1, Relaxed);
                    u32::MAX - x
                })
            });
            assert!(v.is_sorted_by(|a, b| a >= b));
            assert!(calls.into_inner() == len || len < 2);
        }
    }
}

#[test]
fn no_comparator_loses_an_element_or_overflows_the_stack() {
    let lengths: &[usize] = if cfg!(debug_assertions) {
        &[21, 2000, 20_000]
    } else {
        &[21, 2000, 20_000, 100_000, 1_000_000]
    };
    for &len in lengths {
        for (kind, pattern) in (0..DISORDERS.len()).flat_map(|k| {
            [
                (k, Pattern::Random),
                (k, Pattern::Ascending),
                (k, Pattern::SortedHead),
            ]
        }) {
            for threads in [2, 8] {
                let keys: Vec<(u32, u32)> = keys(pattern, len, len, kind as u64)
                    .into_iter()
                    .zip(0..)
                    .collect();
                let state = AtomicUsize::new(0);
                let compare = |a: &(u32, u32), b: &(u32, u32)| {
                    DISORDERS[kind](state.fetch_add(1, Relaxed), a.0, b.0)
                };
                let check = |sort: &Sort| {
                    let mut v = keys.clone();
                    on(threads, || sort(&mut v));
                    v.sort_by_key(|x| x.1);
                    assert!(v == keys);
                };
                check(&|v| v.par_sort_by(compare));
                check(&|v| v.par_sort_unstable_by(compare));
                // So large that their indices are sorted instead.
                check(&|v| {
                    let mut large: Vec<_> = v.iter().map(|&x| (x, [0u64; 8])).collect();
                    large.par_sort_by(|a, b| compare(&a.0, &b.0));
                    v.iter_mut().zip(large).for_each(|(x, (y, _))| *x = y);
                });
            }
        }
    }
}

#[test]
fn what_a_comparator_changes_in_an_element_is_kept() {
    struct Noted {
        key: u32,
        compared: Cell<usize>,
        // A comparison frees the old value: a bitwise copy of it would be freed twice.
        last: RefCell<Box<u32>>,
    }
    let keys = keys(Pattern::Random, 30_000, 10_000, 2);
    for sort in 0..2 {
        for threads in THREADS {
            let calls = AtomicUsize::new(0);
            let mut v: Vec<Noted> = keys
                .iter()
                .map(|&key| Noted {
                    key,
                    compared: Cell::new(0),
                    last: RefCell::new(Box::new(key)),
                })
                .collect();
            let compare = |a: &Noted, b: &Noted| {
                calls.fetch_add(1, Relaxed);
                for x in [a, b] {
                    x.compared.set(x.compared.get() + 1);
                    let value = **x.last.borrow();
                    x.last.replace(Box::new(value));
                }
                a.key.cmp(&b.key)
            };
            on(threads, || {
                if sort == 0 {
                    v.par_sort_by(compare)
                } else {
                    v.par_sort_unstable_by(compare)
                }
            });
            assert!(v.is_sorted_by_key(|x| x.key));
            assert!(v.iter().all(|x| **x.last.borrow() == x.key));
            assert_eq!(
                v.iter().map(|x| x.compared.get()).sum::<usize>(),
                2 * calls.into_inner()
            );
        }
    }
}

#[test]
fn no_element_is_compared_by_two_threads_at_once() {
    struct Exclusive(u32, AtomicBool);
    for (pattern, distinct) in PATTERNS.iter().flat_map(|&p| [(p, 3), (p, 1 << 30)]) {
        let keys = keys(pattern, 100_000, distinct, 4);
        for sort in 0..2 {
            let mut v: Vec<Exclusive> = keys
                .iter()
                .map(|&k| Exclusive(k, AtomicBool::new(false)))
                .collect();
            let compare = |a: &Exclusive, b: &Exclusive| {
                assert!(
                    !a.1.swap(true, Relaxed) && !b.1.swap(true, Relaxed),
                    "compared by two threads"
                );
                let ordering = a.0.cmp(&b.0);
                a.1.store(false, Relaxed);
                b.1.store(false, Relaxed);
                ordering
            };
            on(8, || {
                if sort == 0 {
                    v.par_sort_by(compare)
                } else {
                    v.par_sort_unstable_by(compare)
                }
            });
            assert!(v.is_sorted_by_key(|x| x.0));
        }
    }
}

#[test]
fn comparisons_are_few_on_every_pattern() {
    let len = if cfg!(debug_assertions) {
        40_000
    } else {
        200_000
    };
    for (pattern, distinct) in PATTERNS
        .iter()
        .flat_map(|&p| [(p, 2), (p, 1000), (p, 1 << 30)])
    {
        for sort in 0..2 {
            let calls = AtomicUsize::new(0);
            let mut v = keys(pattern, len, distinct, 6);
            let compare = |a: &u32, b: &u32| {
                calls.fetch_add(1, Relaxed);
                a.cmp(b)
            };
            on(3, || {
                if sort == 0 {
                    v.par_sort_by(compare)
                } else {
                    v.par_sort_unstable_by(compare)
                }
            });
            assert!(v.is_sorted());
            let most = if matches!(pattern, Pattern::Ascending) {
                2 * len
            } else {
                2 * len * (len.ilog2() as usize + 1)
            };
            assert!(calls.into_inner() <= most, "{pattern:?}");
        }
    }
}

#[test]
fn a_comparator_may_use_the_pool() {
    for sort in 0..2 {
        let mut v = keys(Pattern::Random, 20_000, 1 << 20, 8);
        let compare = |a: &u32, b: &u32| filch::join(|| *a, || *b).0.cmp(b);
        on(3, || {
            if sort == 0 {
                v.par_sort_by(compare)
            } else {
                v.par_sort_unstable_by(compare)
            }
        });
        assert!(v.is_sorted());
    }
}

#[test]
fn sorts_work_outside_a_pool() {
    let mut v = keys(Pattern::Random, 50_000, 1 << 20, 8);
    v.par_sort();
    assert!(v.is_sorted());
    v.par_sort_unstable_by(|a, b| b.cmp(a));
    assert!(v.is_sorted_by(|a, b| a >= b));
    v.par_sort_by_cached_key(|x| *x);
    assert!(v.is_sorted());
}
