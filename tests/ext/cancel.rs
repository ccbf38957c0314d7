//! `CancelToken` and `progress`.

use crate::everywhere;
use crate::support::{Flag, Ledger, caught, costly, planted};
use filch::ext::*;
use filch::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

pub fn models() {
    for n in [0usize, 1, 2, 100, 1000] {
        let idle = CancelToken::new();
        let v: Vec<usize> = (0..n).collect();
        let chain = || v.par_iter().copied().inspect(|&x| _ = costly(x as i32));
        assert_eq!(chain().cancellable(&idle).collect::<Vec<_>>(), v);
        let filtered = chain()
            .filter(|x| x % 2 == 0)
            .with_cancel(&idle, |items| items.collect::<Vec<_>>());
        assert_eq!(filtered, Ok((0..n).step_by(2).collect()));

        // Cancelled from within: what was done is reported, in order, and nothing twice.
        for at in [0, n / 2, n.saturating_sub(1)] {
            let token = CancelToken::new();
            let outcome = chain().with_cancel(&token, |items| {
                items
                    .inspect(|&x| {
                        if x == at {
                            token.cancel()
                        }
                    })
                    .collect::<Vec<_>>()
            });
            match outcome {
                Ok(all) => assert_eq!(all, v),
                Err(Cancelled { value, done }) => {
                    assert_eq!(value.len(), done);
                    assert!(done < n && value.is_sorted_by(|a, b| a < b));
                    assert!(value.contains(&at));
                }
            }
        }
        let token = CancelToken::at(Instant::now());
        let none = chain().with_cancel(&token, |items| items.count());
        assert_eq!(
            none,
            if n == 0 {
                Ok(0)
            } else {
                Err(Cancelled { value: 0, done: 0 })
            }
        );

        let (before, after) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let kept: Vec<usize> = chain()
            .progress(|n| _ = before.fetch_add(n, SeqCst))
            .filter(|x| x % 3 == 0)
            .progress(|n| _ = after.fetch_add(n, SeqCst))
            .collect();
        assert!(kept.iter().copied().eq((0..n).step_by(3)));
        assert_eq!((before.into_inner(), after.into_inner()), (n, kept.len()));
        // Through producers, from both ends.
        let count = AtomicUsize::new(0);
        let pairs: Vec<(usize, usize)> = chain()
            .progress(|n| _ = count.fetch_add(n, SeqCst))
            .rev()
            .zip(0..n)
            .collect();
        assert!(pairs.into_iter().eq((0..n).rev().zip(0..n)));
        assert_eq!(count.into_inner(), n);
    }
}

#[test]
fn as_std() {
    everywhere(models);
}

#[test]
fn an_endless_iterator_stops() {
    everywhere(|| {
        let token = CancelToken::new();
        let outcome = (0..u64::MAX)
            .into_par_iter()
            .with_cancel(&token, |numbers| {
                numbers.for_each(|x| {
                    if x == 10_000 {
                        token.cancel();
                    }
                });
            });
        assert!(outcome.unwrap_err().done > 10_000);
        let token = CancelToken::after(Duration::from_millis(5));
        filch::iter::repeat(1).cancellable(&token).count();
        assert!(token.is_cancelled());
        let token = CancelToken::after(Duration::from_millis(5));
        assert!(
            (0..)
                .par_bridge()
                .with_cancel(&token, |items| items.count())
                .is_err()
        );
        let token = CancelToken::after(Duration::from_millis(5));
        assert!(
            (0..)
                .par_bridge_ordered()
                .with_cancel(&token, |items| items.count())
                .is_err()
        );
        let token = CancelToken::after(Duration::from_millis(5));
        let nested = (0..1000)
            .into_par_iter()
            .flat_map(|_| (0..u64::MAX).into_par_iter());
        nested.cancellable(&token).count();
        assert!(token.is_cancelled());
    });
}

/// What a clone yields does not stand for items that were left out.
#[test]
fn clones_count_too() {
    everywhere(|| {
        let token = CancelToken::new();
        let outcome = (0..10).into_par_iter().with_cancel(&token, |items| {
            let first = items.clone().count();
            token.cancel();
            (first, items.count())
        });
        assert_eq!(outcome.map_err(|cancelled| cancelled.done), Err(10));
        let token = CancelToken::new();
        let outcome = (0..10).into_par_iter().with_cancel(&token, |items| {
            let both = (items.clone().count(), items.count());
            token.cancel();
            both
        });
        assert_eq!(outcome, Ok((10, 10)));
    });
}

/// Also where a thousand calls were over before they could be looked at, and the pool has no other thread.
#[test]
fn stops_though_it_was_always_cheap() {
    fn visit(token: &CancelToken, visit: impl Fn(usize) + Sync) -> Result<(), usize> {
        (0..64usize)
            .into_par_iter()
            .with_cancel(token, |items| items.for_each(&visit))
            .map_err(|cancelled| cancelled.done)
    }
    everywhere(|| {
        let (slow, token) = (AtomicBool::new(false), CancelToken::new());
        let cancelled = Flag::new();
        let item = |x| {
            if slow.load(SeqCst) {
                std::thread::sleep(Duration::from_millis(1));
                if x == 0 {
                    token.cancel();
                    cancelled.set();
                }
                cancelled.wait();
            }
        };
        for _ in 0..1000 {
            assert_eq!(visit(&token, item), Ok(()));
        }
        slow.store(true, SeqCst);
        let done = visit(&token, item).unwrap_err();
        assert!(done < 32, "{done} items after the first one cancelled");
    });
}

/// After `cancel`, no thread begins another costly item.
#[test]
fn stops_within_an_item() {
    everywhere(|| {
        let token = CancelToken::new();
        let after = AtomicUsize::new(0);
        (0..10_000)
            .into_par_iter()
            .cancellable(&token)
            .for_each(|x| {
                if token.is_cancelled() {
                    after.fetch_add(1, SeqCst);
                }
                std::thread::sleep(Duration::from_micros(50));
                if x == 100 {
                    token.cancel();
                }
            });
        // A block that was measured as one item an item: each thread may be inside one more at most.
        assert!(after.into_inner() <= 2 * filch::current_num_threads());
    });
}

#[test]
fn items_that_are_left_out_are_dropped() {
    everywhere(|| {
        let ledger = Ledger::new(1000);
        let token = CancelToken::new();
        let outcome = ledger
            .tokens()
            .into_par_iter()
            .with_cancel(&token, |tokens| {
                tokens
                    .inspect(|t| {
                        if t.id() == 300 {
                            token.cancel()
                        }
                    })
                    .collect::<Vec<_>>()
            });
        drop(outcome);
        ledger.assert_all_gone();
    });
}

#[test]
fn scopes() {
    everywhere(|| {
        let token = CancelToken::new();
        let count = AtomicUsize::new(0);
        let whole = token.scope(|s| {
            for _ in 0..50 {
                s.spawn(|s| {
                    count.fetch_add(1, SeqCst);
                    s.spawn(|_| _ = count.fetch_add(1, SeqCst));
                });
            }
            "value"
        });
        assert_eq!((whole, count.load(SeqCst)), (Ok("value"), 100));
        let part = token.scope(|s| {
            s.spawn(|s| {
                count.fetch_add(1, SeqCst);
                s.token().cancel();
                for _ in 0..50 {
                    s.spawn(|_| unreachable!());
                }
            });
        });
        assert_eq!(part, Err(Cancelled { value: (), done: 1 }));
        assert_eq!(count.load(SeqCst), 101);
        assert_eq!(
            caught(|| CancelToken::new().scope(|s| s.spawn(|_| planted(1)))),
            Err(1)
        );
    });
}

#[test]
fn clones_are_one_token() {
    let token = CancelToken::default();
    let clone = token.clone();
    assert!(!clone.is_cancelled());
    token.cancel();
    assert!(clone.is_cancelled());
    assert!(!CancelToken::after(Duration::from_secs(3600)).is_cancelled());
}

/// A hook that is called once a block, not once an item.
#[test]
fn progress_goes_by_blocks() {
    let (calls, items) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let sum: u64 = (0..10_000_000u64)
        .into_par_iter()
        .progress(|n| {
            calls.fetch_add(1, SeqCst);
            items.fetch_add(n, SeqCst);
        })
        .sum();
    assert_eq!((sum, items.into_inner()), (49_999_995_000_000, 10_000_000));
    assert!(calls.into_inner() < 1_000_000);
}

#[test]
fn a_hook_that_panics() {
    everywhere(|| {
        let hook = |_| planted(4);
        assert_eq!(
            caught(|| (0..100).into_par_iter().progress(hook).count()),
            Err(4)
        );
        let zipped = || (0..100).into_par_iter().progress(hook).zip(0..100).count();
        assert_eq!(caught(zipped), Err(4));
        let both = || {
            (0..100)
                .into_par_iter()
                .progress(hook)
                .map(|_| planted(5))
                .zip(0..100)
                .count()
        };
        assert!(caught(both).is_err());
    });
}

/// A destructor that runs during a panic may use a parallel iterator, whose items are counted as ever.
#[test]
fn progress_in_a_destructor_during_a_panic() {
    struct Counts<'c>(&'c AtomicUsize);
    impl Drop for Counts<'_> {
        fn drop(&mut self) {
            let chain = || {
                let hook = |n| _ = self.0.fetch_add(n, SeqCst);
                (0..100).into_par_iter().progress(hook)
            };
            // As a block, and in step with another iterator, from both ends.
            assert_eq!(chain().count(), 100);
            assert_eq!(chain().zip(0..100).count(), 100);
            assert_eq!(chain().rev().zip(0..100).count(), 100);
        }
    }
    everywhere(|| {
        let items = AtomicUsize::new(0);
        let end = caught(|| {
            let _counts = Counts(&items);
            planted(6);
        });
        assert_eq!((end, items.into_inner()), (Err(6), 300));
    });
}

/// A destructor during a panic catches another one, of a loop of its own. Where the hook is called behind a block, it is not called then: if it
/// panicked, the process would end.
#[test]
fn progress_of_a_loop_that_panics_in_a_destructor_during_a_panic() {
    struct Panics<'c>(&'c AtomicUsize);
    impl Drop for Panics<'_> {
        fn drop(&mut self) {
            let chain = || (0..100).into_par_iter().progress(|_| planted(8));
            assert_eq!(caught(|| chain().for_each(|_| planted(7))), Err(7));
            let folded = || chain().enumerate().for_each(|_| planted(7));
            assert_eq!(caught(folded), Err(7));
            // In step with another iterator, what went by may be counted. The panic goes on all the same.
            let hook = |n| _ = self.0.fetch_add(n, SeqCst);
            let chain = (0..100).into_par_iter().progress(hook).zip(0..100);
            assert_eq!(caught(|| chain.for_each(|_| planted(7))), Err(7));
        }
    }
    everywhere(|| {
        let items = AtomicUsize::new(0);
        let end = caught(|| {
            let _panics = Panics(&items);
            planted(6);
        });
        assert_eq!(end, Err(6));
        assert!(items.into_inner() <= 100);
    });
}
