//! A closure that panics at each of its calls in turn: no element is dropped twice, and none is lost that can be helped.

use crate::support::{Dice, Ledger, Place, Token, cases, caught, planted};
use filch::ext::*;
use filch::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Counts down to a panic, with some work for others at each call.
pub struct Fuse(AtomicUsize);

impl Fuse {
    pub fn of(calls: usize) -> Self {
        Fuse(AtomicUsize::new(calls))
    }

    pub fn burn(&self) {
        crate::support::costly(0);
        if self.0.fetch_sub(1, Relaxed) == 0 {
            planted(1);
        }
    }
}

fn compared(fuse: &Fuse) -> impl Fn(&Token, &Token) -> Ordering + Sync + Send {
    |a, b| {
        fuse.burn();
        a.cmp(b)
    }
}

/// What is left after a panic.
#[derive(PartialEq)]
enum Left {
    /// All elements that were not given up by the closure before, in their order.
    Rest,
    /// All elements, in some order.
    All,
    /// So many elements, whichever they are.
    Valid,
}

type Run = fn(&mut Vec<Token>, &Fuse);

/// Burns when it is compared or cloned.
struct Fragile<'f>(Token, &'f Fuse);

impl PartialEq for Fragile<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.1.burn();
        self.0 == other.0
    }
}

impl Eq for Fragile<'_> {}

impl Clone for Fragile<'_> {
    fn clone(&self) -> Self {
        self.1.burn();
        Fragile(self.0.clone(), self.1)
    }
}

/// Fragile clones.
fn fragile<'f>(v: &[Token], fuse: &'f Fuse) -> Vec<Fragile<'f>> {
    v.iter().map(|t| Fragile(t.clone(), fuse)).collect()
}

const RUNS: [(&str, Left, Run); 26] = [
    ("retain", Left::Rest, |v, fuse| {
        v.par_retain(|t| {
            fuse.burn();
            t.id() % 3 == 0
        })
    }),
    ("dedup", Left::Rest, |v, fuse| {
        v.par_dedup_by(|a, b| {
            fuse.burn();
            a.id() / 3 == b.id() / 3
        })
    }),
    ("pack", Left::All, |v, fuse| {
        v.par_pack(|t| {
            fuse.burn();
            t.id() % 3 == 0
        });
    }),
    ("partition", Left::All, |v, fuse| {
        v.par_partition_in_place(|t| {
            fuse.burn();
            t.id() % 3 == 0
        });
    }),
    ("partition unstable", Left::All, |v, fuse| {
        v.par_partition_in_place_unstable(|t| {
            fuse.burn();
            t.id() % 3 == 0
        });
    }),
    ("scan", Left::All, |v, fuse| {
        v.par_scan_inclusive(|a, b| {
            fuse.burn();
            a.max(b).clone()
        });
    }),
    ("scan in place", Left::Valid, |v, fuse| {
        v.par_scan_inclusive_in_place(|a, b| {
            fuse.burn();
            a.max(b).clone()
        })
    }),
    ("exclusive scan in place", Left::Valid, |v, fuse| {
        let init = v[0].clone();
        v.par_scan_exclusive_in_place(init, |a, b| {
            fuse.burn();
            a.max(b).clone()
        });
    }),
    ("unique", Left::All, |v, fuse| {
        v.par_unique_by_key(|t| {
            fuse.burn();
            t.id()
        });
    }),
    ("set operations", Left::All, |v, fuse| {
        v.par_union_by(v, compared(fuse));
        v.par_symmetric_difference_by(v, compared(fuse));
    }),
    ("kmerge", Left::All, |v, fuse| {
        let runs: Vec<&[Token]> = v.chunks(3).rev().collect();
        runs.par_kmerge_by(compared(fuse));
    }),
    ("top_k", Left::All, |v, fuse| {
        v.par_top_k_by(3, compared(fuse));
        v.par_bottom_k_by_key(2, |t| {
            fuse.burn();
            t.id()
        });
    }),
    ("select", Left::All, |v, fuse| {
        v.par_reverse();
        let middle = v.len() / 2;
        v.par_select_nth_unstable_by(middle, compared(fuse));
        v.par_partial_sort_unstable_by(middle, compared(fuse));
    }),
    ("radix sort", Left::All, |v, fuse| {
        v.par_radix_sort_by_key(|t| {
            fuse.burn();
            t.id() as u64
        });
    }),
    ("fill_with", Left::Valid, |v, fuse| {
        let one = v[0].clone();
        let make = std::sync::Mutex::new(one);
        v.par_fill_with(|| {
            fuse.burn();
            make.lock().unwrap_or_else(|e| e.into_inner()).clone()
        })
    }),
    ("fill", Left::All, |v, fuse| {
        let one = Fragile(v[0].clone(), fuse);
        fragile(v, fuse).par_fill(one);
    }),
    ("clone_from_slice", Left::All, |v, fuse| {
        fragile(v, fuse).par_clone_from_slice(&fragile(v, fuse));
    }),
    ("select", Left::All, |v, fuse| {
        let middle = v.len() / 2;
        v.par_select_nth_unstable_by(middle, |a, b| {
            fuse.burn();
            a.cmp(b)
        });
    }),
    ("partial sort", Left::All, |v, fuse| {
        let most = v.len() / 2 + 1;
        v.par_partial_sort_unstable_by(most, |a, b| {
            fuse.burn();
            a.cmp(b)
        });
    }),
    ("partial sort by key", Left::All, |v, fuse| {
        let most = v.len() / 2 + 1;
        v.par_partial_sort_unstable_by_key(most, |t| {
            fuse.burn();
            t.id()
        });
    }),
    ("min_max", Left::All, |v, fuse| {
        v.par_min_max_by(|a, b| {
            fuse.burn();
            a.cmp(b)
        });
    }),
    ("min_max by key", Left::All, |v, fuse| {
        v.par_min_max_by_key(|t| {
            fuse.burn();
            t.id()
        });
    }),
    ("min_max of items", Left::All, |v, fuse| {
        let items = v.par_iter().cloned();
        items.min_max_by(|a, b| {
            fuse.burn();
            a.cmp(b)
        });
    }),
    ("min_max of items by key", Left::All, |v, fuse| {
        let items = v.par_iter().cloned();
        items.min_max_by_key(|t| {
            fuse.burn();
            t.id()
        });
    }),
    ("mismatch", Left::All, |v, fuse| {
        let found = fragile(v, fuse).par_mismatch(&fragile(v, fuse));
        assert_eq!(found, None);
    }),
    ("search", Left::All, |v, fuse| {
        let found = fragile(v, fuse).par_search(&fragile(v, fuse));
        assert_eq!(found, Some(0));
    }),
];

#[track_caller]
fn check(n: usize, calls: usize, (name, left, run): &(&str, Left, Run), place: Place) -> bool {
    let ledger = Ledger::new(n);
    let mut v = ledger.tokens();
    let outcome = place.run(|| caught(|| run(&mut v, &Fuse::of(calls))));
    let mut ids: Vec<usize> = v.iter().map(Token::id).collect();
    let context = format!("{name} of {n} at {calls}, {place:?}");
    match left {
        Left::Rest => {
            assert!(ids.is_sorted(), "{context}");
            assert!(ids.iter().all(|&id| ledger.live(id) == 1), "{context}");
            for id in (0..n).step_by(3) {
                assert!(ids.contains(&id), "{context}: {id}");
            }
        }
        Left::All => {
            ledger.assert_each_live(1);
            ids.sort();
            assert!(ids.into_iter().eq(0..n), "{context}");
        }
        Left::Valid => assert_eq!(ids.len(), n, "{context}"),
    }
    drop(v);
    ledger.assert_all_gone();
    outcome.is_err()
}

/// Without a panic, as a check of the check.
#[test]
fn none() {
    for run in RUNS.iter().filter(|run| run.1 != Left::Valid) {
        assert!(!check(2000, usize::MAX, run, Place::Pool(3)));
    }
}

pub fn at_every_call_of_few(place: Place) {
    for run in &RUNS {
        for n in [2, 9, 30] {
            let panics = (0..n + 5).filter(|&at| check(n, at, run, place)).count();
            assert!(panics >= n - 1, "{}: {panics}", run.0);
        }
    }
}

#[test]
fn at_every_call() {
    Place::all().for_each(at_every_call_of_few);
}

#[test]
fn anywhere_in_a_long_one() {
    const N: usize = 3000;
    for run in &RUNS {
        for place in [Place::Pool(2), Place::Pool(8), Place::Outside] {
            let mut dice = Dice::new(5);
            for _ in 0..cases(1) {
                assert!(check(N, dice.below(N - 1), run, place), "{}", run.0);
            }
        }
    }
}

/// An element whose drop panics, amid others that go too.
#[test]
fn in_a_drop() {
    Place::all().for_each(in_a_drop_of_few);
}

pub fn in_a_drop_of_few(place: Place) {
    struct Bomb(Token, bool);
    impl Drop for Bomb {
        fn drop(&mut self) {
            if self.1 {
                planted(7);
            }
        }
    }
    fn goes(b: &Bomb) -> bool {
        crate::support::costly(0);
        b.0.id() % 2 == 1
    }
    const N: usize = 400;
    let runs: [fn(&mut Vec<Bomb>); 2] = [
        |v| v.par_retain(|b| !goes(b)),
        |v| v.par_dedup_by(|b, a| goes(b) && a.0.id() + 1 == b.0.id()),
    ];
    for bomb in (0..N).step_by(7) {
        for run in runs {
            let ledger = Ledger::new(N);
            let bombs = |t: Token| Bomb(t, false);
            let mut v: Vec<Bomb> = ledger.tokens().into_iter().map(bombs).collect();
            v[bomb].1 = true;
            let outcome = place.run(|| caught(|| run(&mut v)));
            assert_eq!(outcome, if bomb % 2 == 1 { Err(7) } else { Ok(()) });
            v.iter_mut().for_each(|b| b.1 = false);
            assert!(v.iter().all(|b| ledger.live(b.0.id()) == 1));
            assert!(v.iter().filter(|b| !goes(b)).count() == N / 2);
            drop(v);
            ledger.assert_all_gone();
        }
    }
}
