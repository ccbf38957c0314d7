//! A lock held across a parallel call: how a thread can wait for itself, and how `isolate` prevents it.
//!
//! `cargo run --release --example isolate -- [accounts]`
//!
//! A thread that waits for the other half of a parallel call takes up other work meanwhile. If it holds a lock, and that other work wants the
//! same lock, the thread waits for itself, for ever. (rayon: <https://github.com/rayon-rs/rayon/issues/592>.)

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use std::{env, thread};

use filch::prelude::*;

fn main() {
    let accounts: u64 = env::args()
        .nth(1)
        .map_or(100, |n| n.parse().expect("usage: isolate [accounts]"));
    // Several threads even on a small machine, or a thread would hardly ever wait for another one.
    let pool = filch::ThreadPoolBuilder::new()
        .num_threads(filch::current_num_threads().max(4))
        .build()
        .expect("threads");

    let (expected, one) = timed(|| (0..accounts).map(interest).sum::<u64>());
    let bank = Bank::default();
    let ((), all) = timed(|| {
        pool.scope(|scope| {
            for account in 0..accounts {
                let bank = &bank;
                scope.spawn(move |_| {
                    let total = bank.lock(account);
                    let mut total = total.expect("this thread holds a lock already");
                    // What this thread does while it waits in here comes from in here.
                    *total.sum += filch::isolate(|| parallel_interest(account));
                });
            }
        });
    });
    let careless = Bank::default();
    pool.scope(|scope| {
        for account in 0..accounts {
            let careless = &careless;
            scope.spawn(move |_| {
                if let Some(mut total) = careless.lock(account) {
                    *total.sum += parallel_interest(account);
                }
            });
        }
    });

    assert_eq!(bank.sum(), expected, "a wrong sum");
    println!("{accounts} accounts of {BRANCHES} branches, {expected} in all");
    println!(
        "accounts taken up by a thread that held a lock: {} without isolate, 0 with it",
        careless.mishaps.into_inner()
    );
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        pool.current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

const BRANCHES: usize = 8;

/// A lock for each branch, none of which is given to a thread that holds one already.
#[derive(Default)]
struct Bank {
    totals: [Mutex<u64>; BRANCHES],
    mishaps: AtomicUsize,
}

thread_local! {
    static HOLDS_A_LOCK: Cell<bool> = const { Cell::new(false) };
}

impl Bank {
    /// The lock of the account's branch, or `None` if this thread holds one already. That may be the same one; or it may be that the thread that
    /// has the other one wants ours.
    fn lock(&self, account: u64) -> Option<Total<'_>> {
        if HOLDS_A_LOCK.get() {
            self.mishaps.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        let sum = self.totals[account as usize % BRANCHES].lock().unwrap();
        HOLDS_A_LOCK.set(true);
        Some(Total { sum })
    }

    fn sum(&self) -> u64 {
        self.totals.iter().map(|total| *total.lock().unwrap()).sum()
    }
}

struct Total<'b> {
    sum: MutexGuard<'b, u64>,
}

impl Drop for Total<'_> {
    fn drop(&mut self) {
        HOLDS_A_LOCK.set(false);
    }
}

/// How many pages the statement of an account has.
const PAGES: u64 = 8;

fn interest(account: u64) -> u64 {
    (0..PAGES).map(|page| of_a_page(account, page)).sum()
}

fn parallel_interest(account: u64) -> u64 {
    (0..PAGES)
        .into_par_iter()
        .map(|page| of_a_page(account, page))
        .sum()
}

/// Looks it up somewhere slow.
fn of_a_page(account: u64, page: u64) -> u64 {
    thread::sleep(Duration::from_micros(300));
    (account * PAGES + page) * 7_919 % 100
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
