//! A lock held across a parallel call: how a thread can wait for itself, and how `isolate` prevents it.
//!
//! `cargo run --release --example isolate -- [accounts]`
//!
//! A thread that waits for the other half of a parallel call takes up other work meanwhile. If it holds a lock, and that other work wants the
//! same lock, the thread waits for itself, for ever. (rayon: <https://github.com/rayon-rs/rayon/issues/592>.) Or two threads wait for each other.
//! The first holds the lock, and waits for a part of its call. The second runs that part. While it waits for a piece of the part, it takes up
//! work that wants the lock.

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
                    assert!(!holds_a_lock(), "this thread holds a lock already");
                    let mut total = bank.lock(account);
                    // What this thread does while it waits in here comes from in here.
                    *total.sum += filch::isolate(|| parallel_interest(account));
                });
            }
        });
    });
    // Without `isolate`, waiting for a lock could last for ever. So here no thread waits for one: it leaves the account out.
    let (careless, mishaps) = (Bank::default(), AtomicUsize::new(0));
    pool.scope(|scope| {
        for account in 0..accounts {
            let (careless, mishaps) = (&careless, &mishaps);
            scope.spawn(move |_| {
                if holds_a_lock() {
                    mishaps.fetch_add(1, Ordering::Relaxed);
                } else if let Some(mut total) = careless.try_lock(account) {
                    *total.sum += parallel_interest(account);
                }
            });
        }
    });

    assert_eq!(bank.sum(), expected, "a wrong sum");
    println!("{accounts} accounts of {BRANCHES} branches, {expected} in all");
    println!(
        "accounts taken up by a thread that held a lock: {} without isolate, 0 with it",
        mishaps.into_inner()
    );
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        pool.current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

const BRANCHES: usize = 8;

/// A lock for each branch.
#[derive(Default)]
struct Bank {
    totals: [Mutex<u64>; BRANCHES],
}

thread_local! {
    static HOLDS_A_LOCK: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread has taken up an account while it works at another one, further down on its stack.
fn holds_a_lock() -> bool {
    HOLDS_A_LOCK.get()
}

impl Bank {
    /// Waits for the lock of the account's branch.
    fn lock(&self, account: u64) -> Total<'_> {
        Total::new(self.branch(account).lock().unwrap())
    }

    /// The lock of the account's branch, if no thread holds it.
    fn try_lock(&self, account: u64) -> Option<Total<'_>> {
        self.branch(account).try_lock().ok().map(Total::new)
    }

    fn branch(&self, account: u64) -> &Mutex<u64> {
        &self.totals[account as usize % BRANCHES]
    }

    fn sum(&self) -> u64 {
        self.totals.iter().map(|total| *total.lock().unwrap()).sum()
    }
}

struct Total<'b> {
    sum: MutexGuard<'b, u64>,
}

impl<'b> Total<'b> {
    fn new(sum: MutexGuard<'b, u64>) -> Self {
        HOLDS_A_LOCK.set(true);
        Total { sum }
    }
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
