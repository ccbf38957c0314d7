//! `using`: states by worker.

use crate::everywhere;
use crate::support::{Ledger, caught, costly, planted, pool};
use filch::ext::*;
use filch::prelude::*;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::{self, ThreadId};

pub fn models() {
    for n in [0usize, 1, 2, 100, 1000] {
        let scratch = |buffer: &mut Vec<usize>, x: usize| {
            buffer.clear();
            buffer.extend([x, costly(x as i32) as usize]);
            buffer.iter().sum::<usize>()
        };
        let want: Vec<usize> = (0..n).map(|x| 2 * x).collect();
        let mapped = (0..n).into_par_iter().using(Vec::new).map(scratch);
        assert_eq!(mapped.opt_len(), Some(n));
        assert_eq!(mapped.collect::<Vec<_>>(), want);
        // Through producers, from both ends.
        let pairs: Vec<(usize, usize)> = (0..n)
            .into_par_iter()
            .using(Vec::new)
            .map(scratch)
            .rev()
            .zip(0..n)
            .collect();
        assert!(pairs.into_iter().eq(want.iter().copied().rev().zip(0..n)));
        let some = (0..n)
            .into_par_iter()
            .filter(|x| x % 3 != 0)
            .using(Vec::new)
            .filter_map(|buffer, x| (x % 2 == 0).then(|| scratch(buffer, x)))
            .collect::<Vec<_>>();
        assert!(
            some.into_iter()
                .eq((0..n).filter(|x| x % 3 != 0 && x % 2 == 0).map(|x| 2 * x))
        );
        // Every item is seen by one state, and there are no more states than threads.
        let states = (0..n)
            .into_par_iter()
            .using(Vec::new)
            .into_states(|seen, x| seen.push(x));
        assert!(states.len() <= filch::current_num_threads());
        assert!(states.iter().all(|seen| !seen.is_empty()));
        let mut seen = states.concat();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..n));
    }
}

#[test]
fn as_std() {
    everywhere(models);
}

/// A state that notices if two closures have it at once.
struct Exclusive {
    busy: AtomicBool,
}

/// How many closures are on each thread's stack, and how many there were at most.
#[derive(Default)]
struct Depths(Mutex<HashMap<ThreadId, (usize, usize)>>);

impl Depths {
    fn enter(&self) {
        let mut depths = self.0.lock().unwrap();
        let (depth, most) = depths.entry(thread::current().id()).or_default();
        *depth += 1;
        *most = (*most).max(*depth);
    }

    fn leave(&self) {
        let mut depths = self.0.lock().unwrap();
        depths.get_mut(&thread::current().id()).unwrap().0 -= 1;
    }

    /// The greatest depths of all threads, which they need not have had at the same time.
    fn most(self) -> usize {
        let depths = self.0.into_inner().unwrap();
        depths.values().map(|(_, most)| most).sum()
    }
}

#[test]
fn a_state_in_use_is_nobody_elses() {
    everywhere(|| {
        let made = AtomicUsize::new(0);
        let depths = Depths::default();
        let states = (0..300)
            .into_par_iter()
            .with_max_len(1)
            .using(|| {
                made.fetch_add(1, SeqCst);
                Exclusive {
                    busy: AtomicBool::new(false),
                }
            })
            .into_states(|state, i| {
                assert!(!state.busy.swap(true, SeqCst));
                depths.enter();
                // Waits, and may run other items of the same call meanwhile.
                let n = (0..costly(i) + 50)
                    .into_par_iter()
                    .with_max_len(1)
                    .filter(|_| true)
                    .count();
                assert_eq!(n as i32, i + 50);
                depths.leave();
                assert!(state.busy.swap(false, SeqCst));
            });
        assert_eq!(states.len(), made.into_inner());
        // One for each thread that took part, and one for each closure that was begun while another waited on the same thread.
        assert!(states.len() <= depths.most());
    });
}

#[test]
fn states_go_from_call_to_call() {
    everywhere(|| {
        let states = States::new(|| 0);
        for _ in 0..5 {
            let sum: usize = (0..1000usize)
                .into_par_iter()
                .using_states(&states)
                .map(|count, x| {
                    *count += 1;
                    x
                })
                .sum();
            assert_eq!(sum, 499_500);
        }
        let counts = states.into_vec();
        assert!(counts.len() <= filch::current_num_threads());
        assert_eq!(counts.iter().sum::<i32>(), 5000);
    });
}

#[test]
fn a_state_is_dropped_by_the_panic_it_saw() {
    everywhere(|| {
        let ledger = Ledger::new(1);
        let states = States::new(|| (ledger.token(0), Mutex::new(0)));
        let outcome = caught(|| {
            (0..500)
                .into_par_iter()
                .using_states(&states)
                .for_each(|state, x| {
                    if x == 250 {
                        *state.1.get_mut().unwrap() = -1;
                        planted(250)
                    }
                });
        });
        assert_eq!(outcome, Err(250));
        for (_, number) in states.into_vec() {
            assert_eq!(number.into_inner().unwrap(), 0);
        }
        ledger.assert_all_gone();
    });
}

#[test]
fn states_of_one_thread() {
    pool(1).install(|| {
        let states = (0..10_000)
            .into_par_iter()
            .using(|| 0u32)
            .into_states(|n, _| *n += 1);
        assert_eq!(states, [10_000]);
    });
}
