//! Parallel iterators, cut by the toss of a coin.

use crate::{Pool, bump, check};
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use shuttle::sync::Mutex;
use shuttle::sync::mpsc::channel;
use std::sync::atomic::AtomicUsize;

fn chains(cuts: Cuts) {
    let pool = Pool::new(2);
    pool.pool.force_cuts(cuts);
    pool.pool.install(|| {
        let even: Vec<_> = (0..12usize)
            .into_par_iter()
            .filter(|i| i % 2 == 0)
            .collect();
        assert_eq!(even, [0, 2, 4, 6, 8, 10]);
        let pairs: Vec<_> = even
            .par_iter()
            .zip(even.par_iter().rev())
            .map(|(a, b)| a * b)
            .collect();
        assert_eq!(pairs, [0, 16, 24, 24, 16, 0]);
    });
    pool.stop();
}

#[test]
fn chains_cut_at_random() {
    check(|| chains(Cuts::Random(1)));
}

#[test]
fn chains_cut_everywhere() {
    check(|| chains(Cuts::Always));
}

/// As in earnest, with a clock by which all is slow.
#[test]
fn chains_cut_where_it_is_worth_it() {
    check(|| chains(Cuts::Adaptive));
}

#[test]
fn nested_iterators_and_a_search() {
    check(|| {
        let pool = Pool::new(2);
        pool.pool.force_cuts(Cuts::Random(1));
        pool.pool.install(|| {
            let all: Vec<_> = (0..4usize)
                .into_par_iter()
                .flat_map(|i| (0..i).into_par_iter().map(move |j| 10 * i + j))
                .collect();
            assert_eq!(all, [10, 20, 21, 30, 31, 32]);
            assert_eq!(all.par_iter().find_first(|&&i| i % 10 == 1), Some(&21));
            assert!(all.par_iter().any(|&i| i == 32));
        });
        pool.stop();
    });
}

/// The first item blocks until the second has run. A thread that looked for work when the second was offered may have fallen asleep before it saw it.
#[test]
fn item_that_blocks_on_the_next_one() {
    check(|| {
        let pool = Pool::new(2);
        let (sender, receiver) = channel();
        let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
        pool.pool.install(|| {
            [true, false].par_iter().for_each(|&first| {
                if first {
                    receiver.lock().unwrap().recv().unwrap();
                } else {
                    sender.lock().unwrap().send(()).unwrap();
                }
            });
        });
        pool.stop();
    });
}

/// Threads take turns at the source, and sleep while another one is at it.
#[test]
fn bridge() {
    check(|| {
        let pool = Pool::new(3);
        let pulled = AtomicUsize::new(0);
        let source = (0..6usize).inspect(|_| bump(&pulled));
        let sum: usize = pool.pool.install(|| source.par_bridge().sum());
        assert_eq!((sum, pulled.into_inner()), (15, 6));
        pool.stop();
    });
}

/// Items that fork: a thread that waits inside one may find a part of the run it is in, and must not wait for another part, which waits for it.
#[test]
fn bridge_whose_items_fork() {
    check(|| {
        let pool = Pool::new(2);
        let done = AtomicUsize::new(0);
        pool.pool.install(|| {
            (0..8usize).par_bridge().for_each(|_| {
                filch::join(|| bump(&done), || bump(&done));
            });
        });
        assert_eq!(done.into_inner(), 16);
        pool.stop();
    });
}

/// Two runs whose items let their thread do other work: among it may be a part of the other run, and neither may wait for the other's source.
#[test]
fn bridges_whose_items_yield() {
    check(|| {
        let pool = Pool::new(2);
        let done = AtomicUsize::new(0);
        let run = || {
            (0..5usize).par_bridge().for_each(|_| {
                filch::yield_now();
                bump(&done);
            });
        };
        pool.pool.install(|| filch::join(run, run));
        assert_eq!(done.into_inner(), 10);
        pool.stop();
    });
}
