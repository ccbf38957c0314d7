//! Threads sleep on a list until something changed: no change is missed. Loom's condition variables never time out, so a thread that misses one hangs.

use super::check;
use crate::core::wait_list::WaitList;
use crate::sync::{AtomicUsize, Ordering};
use loom::thread;
use std::sync::Arc;
use std::time::Duration;

/// What the threads sleep for.
#[derive(Default)]
struct Tokens {
    left: AtomicUsize,
    list: WaitList,
}

impl Tokens {
    fn take(&self) {
        let less = |left: usize| left.checked_sub(1);
        let order = (Ordering::AcqRel, Ordering::Acquire);
        while self.left.fetch_update(order.0, order.1, less).is_err() {
            let any = || self.left.load(Ordering::Acquire) > 0;
            self.list.sleep(Duration::MAX, any);
        }
    }

    fn add(&self, more: usize) {
        self.left.fetch_add(more, Ordering::Release);
    }
}

fn taker(tokens: &Arc<Tokens>) -> thread::JoinHandle<()> {
    let tokens = Arc::clone(tokens);
    thread::spawn(move || tokens.take())
}

#[test]
fn change_meets_a_thread_that_falls_asleep() {
    check("one sleeper", 4, || {
        let tokens = Arc::new(Tokens::default());
        let one = taker(&tokens);
        tokens.left.store(1, Ordering::Relaxed);
        tokens.list.notify_one();
        one.join().unwrap();
    });
}

/// The second change comes while the sleeper that was told of the first is not up yet.
#[test]
fn two_changes_and_two_sleepers() {
    check("two changes, two sleepers", 3, || {
        let tokens = Arc::new(Tokens::default());
        let (one, two) = (taker(&tokens), taker(&tokens));
        for _ in 0..2 {
            tokens.add(1);
            tokens.list.notify_one();
        }
        one.join().unwrap();
        two.join().unwrap();
    });
}

#[test]
fn one_change_for_all_sleepers() {
    check("one change for all", 3, || {
        let tokens = Arc::new(Tokens::default());
        let (one, two) = (taker(&tokens), taker(&tokens));
        tokens.add(2);
        tokens.list.notify_all();
        one.join().unwrap();
        two.join().unwrap();
    });
}
