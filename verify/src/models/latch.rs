//! A latch is set while its waiter goes to sleep: the waiter does not sleep for ever, and sees what was done before. Nor is a latch touched after
//! that: the waiter that sees it set tells loom that it is gone (in `Latch::probe` and `LockLatch::wait`), as its frame may be.

use super::check;
use crate::core::latch::{Latch, LockLatch};
use crate::core::park::Parker;
use loom::cell::UnsafeCell;
use loom::thread;
use std::sync::Arc;

struct Shared {
    latch: Latch,
    bell: Parker,
    data: UnsafeCell<u32>,
}

// SAFETY: the cell is loom's, which reports what is not synchronised.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// The steps of `Worker::wait` and `sleep_in_wait` that concern the latch; `token` is another thread's wake-up, which may come at any time.
fn wait(shared: &Shared) {
    while !shared.latch.probe() {
        if shared.latch.doze() {
            shared.bell.park();
            shared.latch.rise();
        }
    }
    // SAFETY: checked by loom.
    shared.data.with(|data| assert_eq!(unsafe { *data }, 7));
}

fn model(stray_wake: bool) {
    let shared = Arc::new(Shared {
        latch: Latch::new(),
        bell: Parker::new(),
        data: UnsafeCell::new(0),
    });
    let setter = thread::spawn({
        let shared = Arc::clone(&shared);
        move || {
            // SAFETY: checked by loom.
            shared.data.with_mut(|data| unsafe { *data = 7 });
            // SAFETY: the Arc keeps the latch; its last use.
            if unsafe { Latch::set(&shared.latch) } {
                shared.bell.unpark();
            }
        }
    });
    let stray = stray_wake.then(|| {
        let shared = Arc::clone(&shared);
        thread::spawn(move || shared.bell.unpark())
    });
    wait(&shared);
    setter.join().unwrap();
    stray.into_iter().for_each(|stray| stray.join().unwrap());
}

#[test]
fn latch_is_set_while_its_waiter_falls_asleep() {
    check("latch", 3, || model(false));
}

#[test]
fn latch_is_set_and_somebody_else_wakes_the_waiter() {
    check("latch, stray wake", 3, || model(true));
}

#[test]
fn lock_latch() {
    check("lock latch", 3, || {
        let latch = Arc::new(LockLatch::new());
        let setter = thread::spawn({
            let latch = Arc::clone(&latch);
            // SAFETY: the Arc keeps the latch; its last use.
            move || unsafe { LockLatch::set(&*latch) }
        });
        latch.wait();
        setter.join().unwrap();
    });
}
