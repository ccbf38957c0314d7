//! Collections out of parallel iterators.

use crate::support::{
    Ledger, Meeting, Place, Token, caught, costly, ints, oracle, planted, same_everywhere, within,
};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn vec_from_indexed() {
    oracle(
        ints(),
        |v| {
            let mut all: Vec<String> = vec!["old".into()];
            v.par_iter().map(i32::to_string).collect_into_vec(&mut all);
            all
        },
        |v| v.iter().map(i32::to_string).collect(),
    );
    for place in Place::all() {
        let v: Vec<usize> = place.run(|| (0..1000).into_par_iter().collect());
        assert_eq!(v.len(), 1000);
        assert!(v.capacity() < 2000, "{place:?}: room for {}", v.capacity());
    }
}

#[test]
fn vec_into_used_room() {
    same_everywhere(
        || {
            let mut v = Vec::with_capacity(5000);
            let room = v.as_ptr();
            (0..5000)
                .into_par_iter()
                .map(costly)
                .collect_into_vec(&mut v);
            (v.as_ptr() == room, v)
        },
        || (true, (0..5000).collect()),
    );
}

#[test]
fn unzip_into_vecs() {
    oracle(
        ints(),
        |v| {
            let (mut a, mut b) = (vec![0; 3], Vec::new());
            v.par_iter()
                .map(|&x| (x, x.to_string()))
                .unzip_into_vecs(&mut a, &mut b);
            (a, b)
        },
        |v| v.iter().map(|&x| (x, x.to_string())).unzip(),
    );
}

#[test]
fn vec_from_unindexed() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .filter(|x| costly(**x) > 0)
                .map(i32::to_string)
                .collect::<Vec<_>>()
        },
        |v| v.iter().filter(|x| **x > 0).map(i32::to_string).collect(),
    );
}

#[test]
fn vec_extended() {
    oracle(
        (ints(), ints()),
        |(v, w)| {
            let mut all = v.clone();
            all.par_extend(w.par_iter().map(|x| x + 1));
            all.par_extend(w);
            all.par_extend(w.par_iter().filter(|x| **x % 2 == 0));
            all
        },
        |(v, w)| {
            let mut all = v.clone();
            all.extend(w.iter().map(|x| x + 1));
            all.extend(w);
            all.extend(w.iter().filter(|x| **x % 2 == 0));
            all
        },
    );
}

#[test]
fn string() {
    oracle(
        ints(),
        |v| {
            let chars = v
                .par_iter()
                .map(|x| char::from_u32(costly(*x).unsigned_abs() * 9).unwrap());
            let words = v.par_iter().map(i32::to_string);
            let mut all: String = chars.collect();
            all.push_str(&words.collect::<String>());
            all.par_extend(v.par_iter().filter(|x| **x > 0).map(|x| x.to_string()));
            all
        },
        |v| {
            let mut all: String = v
                .iter()
                .map(|x| char::from_u32(x.unsigned_abs() * 9).unwrap())
                .collect();
            all.extend(v.iter().map(i32::to_string));
            all.extend(v.iter().filter(|x| **x > 0).map(|x| x.to_string()));
            all
        },
    );
}

/// The last of equal keys wins, as with std.
#[test]
fn maps_with_equal_keys() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .enumerate()
                .map(|(i, x)| (x % 40, i))
                .collect::<HashMap<_, _>>()
        },
        |v| v.iter().enumerate().map(|(i, x)| (x % 40, i)).collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .enumerate()
                .map(|(i, x)| (x % 40, i))
                .collect::<BTreeMap<_, _>>()
        },
        |v| v.iter().enumerate().map(|(i, x)| (x % 40, i)).collect(),
    );
    oracle(
        ints(),
        |v| {
            let mut map: HashMap<i32, usize> = (0..9).map(|i| (i, 0)).collect();
            let items = v.par_iter().enumerate().filter(|(_, x)| **x > 0);
            map.par_extend(items.map(|(i, x)| (x % 40, i)));
            map
        },
        |v| {
            let mut map: HashMap<i32, usize> = (0..9).map(|i| (i, 0)).collect();
            let items = v.iter().enumerate().filter(|(_, x)| **x > 0);
            map.extend(items.map(|(i, x)| (x % 40, i)));
            map
        },
    );
}

/// Of equal keys the last one stays, whether the tree was empty before or not.
#[test]
fn trees() {
    let pairs = |v: &Vec<i32>| -> Vec<(i32, usize)> {
        let places = v.iter().enumerate();
        places.map(|(i, x)| (x % 40, i)).collect()
    };
    for old in [0, 9] {
        oracle(
            ints(),
            move |v| {
                let mut map: BTreeMap<i32, usize> = (0..old).map(|i| (i, 0)).collect();
                map.par_extend(pairs(v).par_iter().map(|pair| *pair));
                let mut set: BTreeSet<i32> = (0..old).collect();
                set.par_extend(v.par_iter().filter(|x| **x % 3 == 0));
                (map, set)
            },
            move |v| {
                let mut map: BTreeMap<i32, usize> = (0..old).map(|i| (i, 0)).collect();
                map.extend(pairs(v));
                let mut set: BTreeSet<i32> = (0..old).collect();
                set.extend(v.iter().filter(|x| **x % 3 == 0));
                (map, set)
            },
        );
    }
    let text = |i: usize| ((i * 7919) % 5000).to_string();
    same_everywhere(
        || (0..10_000).into_par_iter().map(text).collect(),
        || (0..10_000).map(text).collect::<BTreeSet<String>>(),
    );
}

/// A comparison that panics loses no entry and drops none twice.
#[test]
fn a_tree_whose_keys_panic() {
    for place in Place::all() {
        for at in [0, 1, 500, 999] {
            let ledger = Ledger::new(1000);
            let count = AtomicUsize::new(0);
            let outcome = place.run(|| {
                caught(|| {
                    let keys = ledger.tokens().into_par_iter();
                    let keys = keys.map(|token| Touchy {
                        token,
                        count: &count,
                        at,
                    });
                    keys.collect::<BTreeSet<_>>().len()
                })
            });
            assert_eq!(outcome, Err(at), "{place:?}");
            ledger.assert_all_gone();
        }
    }
}

/// A key whose comparison number `at` panics.
struct Touchy<'c> {
    token: Token,
    count: &'c AtomicUsize,
    at: usize,
}

impl Ord for Touchy<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.count.fetch_add(1, Relaxed) == self.at {
            planted(self.at);
        }
        other.token.id().cmp(&self.token.id())
    }
}

impl PartialOrd for Touchy<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Touchy<'_> {}

impl PartialEq for Touchy<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

#[test]
fn results_and_options_that_hold() {
    oracle(
        ints(),
        |v| {
            let ok = v
                .par_iter()
                .map(|&x| Ok::<_, ()>(costly(x)))
                .collect::<Result<Vec<_>, _>>();
            let some = v.par_iter().map(|&x| Some(x)).collect::<Option<Vec<_>>>();
            (ok, some)
        },
        |v| (Ok(v.clone()), Some(v.clone())),
    );
}

#[test]
fn results_and_options_that_fail() {
    oracle(
        ints(),
        |v| {
            let check = |&x: &i32| if costly(x) == 321 { Err(x) } else { Ok(x) };
            let result = v.par_iter().map(check).collect::<Result<Vec<_>, _>>();
            let filtered = v.par_iter().filter(|x| **x > 0).map(check);
            let filtered = filtered.collect::<Result<Vec<_>, _>>();
            let option = v
                .par_iter()
                .map(|x| check(x).ok())
                .collect::<Option<Vec<_>>>();
            (result, filtered.is_ok(), option)
        },
        |v| match v.contains(&321) {
            true => (Err(321), false, None),
            false => (Ok(v.clone()), true, Some(v.clone())),
        },
    );
    for place in Place::all() {
        let each: Result<Vec<i32>, i32> =
            place.run(|| (0..1000).into_par_iter().map(Err).collect());
        assert!((0..1000).contains(&each.unwrap_err()), "{place:?}");
    }
}

/// An error that is dropped waits for another one that is.
struct Meets<'m>(&'m Meeting);

impl Drop for Meets<'_> {
    fn drop(&mut self) {
        self.0.attend();
    }
}

/// The first error is kept. The others' destructors may take as long as they like, and need each other: so nothing is locked meanwhile.
#[test]
fn errors_are_dropped_without_a_lock() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let (all, dropped) = (Meeting::of(3), Meeting::of(2));
        let fails = |_| {
            all.attend();
            Err(Meets(&dropped))
        };
        let items = (0..3).into_par_iter().with_max_len(1);
        let result: Result<Vec<()>, _> = pool.install(|| items.map(fails).collect());
        assert!(result.is_err());
    });
}
