//! Every end against std, but for the searches and the collections.

use crate::support::{Ledger, Meeting, Place, Token, costly, ints, oracle, same_everywhere};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};
use std::thread;

#[test]
fn for_each_visits_every_item_once() {
    for place in Place::all() {
        let visits: Vec<AtomicUsize> = (0..3000).map(|_| AtomicUsize::new(0)).collect();
        place.run(|| {
            visits.par_iter().for_each(|v| {
                v.fetch_add(1, Relaxed);
            });
        });
        assert!(visits.iter().all(|v| v.load(Relaxed) == 1), "{place:?}");
    }
}

#[test]
fn sums_and_products() {
    oracle(
        ints(),
        |v| {
            let wide = v.par_iter().map(|&x| i64::from(costly(x)));
            let by_ref: i32 = v.par_iter().sum();
            (
                wide.sum::<i64>(),
                by_ref,
                v.par_iter().filter(|x| **x > 9).count(),
            )
        },
        |v| {
            let wide = v.iter().map(|&x| i64::from(x)).sum();
            (wide, v.iter().sum(), v.iter().filter(|x| **x > 9).count())
        },
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| (i64::from(x) | 1) % 7)
                .map(Wrap)
                .product::<Wrap>()
        },
        |v| {
            v.iter()
                .map(|&x| (i64::from(x) | 1) % 7)
                .map(Wrap)
                .product()
        },
    );
    oracle(
        ints(),
        |v| {
            (
                v.par_iter().count(),
                v.clone().into_par_iter().flat_map(|x| [x; 3]).count(),
            )
        },
        |v| (v.len(), v.len() * 3),
    );
}

/// A factor that may overflow.
#[derive(Debug, PartialEq)]
struct Wrap(i64);

impl std::iter::Product for Wrap {
    fn product<I: Iterator<Item = Wrap>>(items: I) -> Wrap {
        items.fold(Wrap(1), |a, b| Wrap(a.0.wrapping_mul(b.0)))
    }
}

#[test]
fn sum_of_results_and_options_by_hand() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| (x != 77).then_some(i64::from(x)))
                .sum::<Option<i64>>()
        },
        |v| v.iter().map(|&x| (x != 77).then_some(i64::from(x))).sum(),
    );
}

#[test]
fn extremes() {
    oracle(
        ints(),
        |v| {
            let v = v.par_iter().copied();
            (v.clone().min(), v.max())
        },
        |v| (v.iter().copied().min(), v.iter().copied().max()),
    );
}

/// Which of several equal ones wins is std's choice: the first minimum, the last maximum.
#[test]
fn extremes_among_equals() {
    let key = |x: &(usize, &i32)| costly(*x.1) / 100;
    oracle(
        ints(),
        move |v| {
            let v = || v.par_iter().enumerate();
            let by_key = [v().min_by_key(key), v().max_by_key(key)];
            let by = [
                v().min_by(|a, b| key(a).cmp(&key(b))),
                v().max_by(|a, b| key(a).cmp(&key(b))),
            ];
            [by_key, by].map(|found| found.map(|x| x.map(|(i, x)| (i, *x))))
        },
        move |v| {
            let v = || v.iter().enumerate();
            let found = [v().min_by_key(key), v().max_by_key(key)];
            [found.map(|x| x.map(|(i, x)| (i, *x))); 2]
        },
    );
}

#[test]
fn reductions() {
    oracle(
        ints(),
        |v| {
            let wide = || v.par_iter().map(|&x| i64::from(x));
            (
                wide().reduce(|| 0, |a, b| a + b),
                wide().reduce_with(|a, b| a + b),
            )
        },
        |v| {
            let sum = v.iter().map(|&x| i64::from(x)).sum();
            (sum, (!v.is_empty()).then_some(sum))
        },
    );
}

#[test]
fn try_for_each_finds_the_error() {
    oracle(
        ints(),
        |v| {
            let none = v
                .par_iter()
                .try_for_each(|&x| if x == 499 { Err(x) } else { Ok(()) });
            let some = v.par_iter().try_for_each(|&x| (x != 499).then_some(()));
            (none, some)
        },
        |v| match v.contains(&499) {
            true => (Err(499), None),
            false => (Ok(()), Some(())),
        },
    );
}

/// What an item says: its number or, for every seventh, an error.
type Item<'a> = dyn Fn(usize) -> Result<usize, Token> + Sync + 'a;

/// Tries all items of a range.
type Attempt = fn(&Item) -> Result<(), Token>;

/// Every end that gives an error of an item's.
const TRIES: [(&str, Attempt); 8] = {
    macro_rules! n {
        () => {
            (0..1000usize).into_par_iter().with_max_len(10)
        };
    }
    [
        ("try_for_each", |item| {
            n!().try_for_each(|x| item(x).map(drop))
        }),
        ("try_for_each_init", |item| {
            n!().try_for_each_init(|| (), |(), x| item(x).map(drop))
        }),
        ("try_for_each_with", |item| {
            n!().try_for_each_with((), |(), x| item(x).map(drop))
        }),
        ("try_fold", |item| {
            let sums = n!().try_fold(|| 0, |sum, x| Ok(sum + item(x)?));
            sums.try_reduce(|| 0, |a, b| Ok(a + b)).map(drop)
        }),
        ("try_fold_with", |item| {
            let sums = n!().try_fold_with(0, |sum, x| Ok(sum + item(x)?));
            sums.try_reduce_with(|a, b| Ok(a + b)).unwrap().map(drop)
        }),
        ("try_reduce", |item| {
            n!().map(item).try_reduce(|| 0, |a, b| Ok(a + b)).map(drop)
        }),
        ("collect", |item| {
            n!().map(item).collect::<Result<Vec<_>, _>>().map(drop)
        }),
        ("sum", |item| {
            n!().map(item).sum::<Result<usize, _>>().map(drop)
        }),
    ]
};

/// The error that comes out is one that an item gave, every other one is dropped once; and one thread gives the first, and looks no further.
#[test]
fn errors_that_come_out() {
    for (name, attempt) in TRIES {
        for place in Place::all() {
            let (ledger, looks) = (Ledger::new(1000), AtomicUsize::new(0));
            let item = |x: usize| {
                looks.fetch_add(1, Relaxed);
                if x % 7 == 5 {
                    return Err(ledger.token(x));
                }
                Ok(x)
            };
            let error = place.run(|| attempt(&item)).unwrap_err();
            let live = |id: usize| isize::from(id == error.id());
            assert_eq!((error.id() % 7, ledger.made(error.id())), (5, 1), "{name}");
            assert!((0..1000).all(|id| ledger.live(id) == live(id)), "{name}");
            if place == Place::Pool(1) {
                assert_eq!((error.id(), looks.into_inner()), (5, 6), "{name}");
            }
            drop(error);
            ledger.assert_all_gone();
        }
    }
}

/// Two threads fail at the same time, so there are two errors: one comes out, the other is dropped.
#[test]
fn one_of_two_errors_comes_out() {
    for (name, attempt) in TRIES {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (ledger, both) = (Ledger::new(1000), Meeting::of(2));
        let failed = Mutex::new(HashSet::new());
        let item = |x: usize| {
            if failed.lock().unwrap().insert(thread::current().id()) {
                both.attend();
                return Err(ledger.token(x));
            }
            Ok(x)
        };
        let error = pool.install(|| attempt(&item)).unwrap_err();
        assert_eq!(
            (0..1000).map(|id| ledger.made(id)).sum::<isize>(),
            2,
            "{name}"
        );
        let live = |id: usize| isize::from(id == error.id());
        assert!((0..1000).all(|id| ledger.live(id) == live(id)), "{name}");
        drop(error);
        ledger.assert_all_gone();
    }
}

/// Only the last item fails, and it is not lost among those that do not.
#[test]
fn the_only_error_comes_out() {
    for (name, attempt) in TRIES {
        for place in Place::all() {
            let ledger = Ledger::new(1000);
            let item = |x: usize| match x {
                999 => Err(ledger.token(x)),
                _ => Ok(x),
            };
            let error = place.run(|| attempt(&item)).unwrap_err();
            assert_eq!(error.id(), 999, "{name} in {place:?}");
        }
    }
}

#[test]
fn try_for_each_without_an_error_sees_everything() {
    for place in Place::all() {
        let seen = AtomicI64::new(0);
        let all = place.run(|| {
            (1..=1000i64).into_par_iter().try_for_each(|x| {
                seen.fetch_add(x, Relaxed);
                Ok::<_, ()>(())
            })
        });
        assert_eq!((all, seen.into_inner()), (Ok(()), 500_500), "{place:?}");
    }
}

#[test]
fn any_and_all() {
    oracle(
        ints(),
        |v| {
            let v = v.par_iter().map(|&x| costly(x));
            (v.clone().any(|x| x == 250), v.all(|x| x != 250))
        },
        |v| (v.contains(&250), !v.contains(&250)),
    );
}

#[test]
fn partition_and_unzip() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .copied()
                .partition::<Vec<_>, Vec<_>, _>(|x| x % 2 == 0)
        },
        |v| v.iter().copied().partition(|x| x % 2 == 0),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| (x, x.to_string()))
                .unzip::<_, _, Vec<_>, Vec<_>>()
        },
        |v| v.iter().map(|&x| (x, x.to_string())).unzip(),
    );
    oracle(
        ints(),
        |v| {
            let odd = v.par_iter().filter(|x| **x % 2 != 0);
            odd.map(|&x| (x, x / 2)).unzip::<_, _, Vec<_>, Vec<_>>()
        },
        |v| {
            v.iter()
                .filter(|x| **x % 2 != 0)
                .map(|&x| (x, x / 2))
                .unzip()
        },
    );
}

#[test]
fn everything_of_nothing() {
    same_everywhere(
        || {
            let none = || Vec::<i32>::new().into_par_iter();
            let sums = (none().sum::<i32>(), none().product::<i32>(), none().count());
            let bests = (none().min(), none().max(), none().reduce_with(|a, _| a));
            let finds = (
                none().any(|_| true),
                none().all(|_| false),
                none().find_any(|_| true),
            );
            (sums, bests, finds, none().collect::<Vec<_>>())
        },
        || ((0, 1, 0), (None, None, None), (false, true, None), vec![]),
    );
}
