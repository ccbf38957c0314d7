//! A site inside another parallel loop that was always next to nothing turns expensive, while another thread has nothing to do: soon it is shared.
//!
//! As in `spread`, the tests wait for the other thread to come, with limits that only a thread that never comes can exceed.

use crate::support::{Meeting, Muster, within};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Lengths of inner calls. Some of them, which ones depends on the machine, are short enough to be folded without a look.
const LENGTHS: [usize; 4] = [3, 16, 64, 256];

/// How many expensive items an expensive call has at most.
const EXPENSIVE: usize = 8;

/// The site: one piece of code for cheap and for expensive items.
fn site(len: usize, pay: Option<&(dyn Fn(usize) + Sync)>) {
    let items = (0..len).into_par_iter().map(|x| {
        if let Some(pay) = pay {
            pay(x);
        }
        black_box(x)
    });
    assert_eq!(items.sum::<usize>(), len * (len - 1) / 2);
}

/// Runs `body` in one item of a parallel loop, in a pool of two threads, the other one of which soon sleeps.
fn inside_a_loop(body: impl Fn() + Send + Sync + 'static) {
    within(120, move || {
        let pool: ThreadPool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| (0..1).into_par_iter().for_each(|_| body()));
    });
}

/// The site has been seen, and takes next to nothing.
fn teach_that_it_is_cheap(len: usize, between: impl Fn()) {
    for _ in 0..2000 {
        site(len, None);
        between();
    }
}

/// Cheap calls that follow one upon the other are looked at for what they should have cost together, so a few expensive ones may come before one that
/// is looked at.
#[test]
fn one_of_the_first_expensive_calls_is_shared() {
    for len in [LENGTHS; 3].concat() {
        inside_a_loop(move || {
            teach_that_it_is_cheap(len, || ());
            let call = |_| {
                let muster = Muster::of(2);
                let pay = |x: usize| {
                    if x < EXPENSIVE {
                        thread::sleep(Duration::from_millis(1));
                        muster.stay(Duration::from_millis(10));
                    }
                };
                site(len, Some(&pay));
                muster.seen() == 2
            };
            let calls = if len < 64 { 48 } else { 16 };
            assert!(
                (0..calls).any(call),
                "none of {calls} of {len} items was shared"
            );
        });
    }
}

/// Where there is other work between the calls, each of them can pay for a look: the first expensive call is shared, from its second item on.
#[test]
fn the_first_expensive_call_is_shared_if_there_is_work_between_calls() {
    let work = || {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(30) {}
    };
    for len in [LENGTHS; 3].concat() {
        inside_a_loop(move || {
            teach_that_it_is_cheap(len, work);
            let both = Meeting::of(2);
            let begun = AtomicUsize::new(0);
            let pay = |_| match begun.fetch_add(1, Relaxed) {
                0 => thread::sleep(Duration::from_millis(10)),
                1 | 2 => both.attend(),
                _ => {}
            };
            site(len, Some(&pay));
        });
    }
}
