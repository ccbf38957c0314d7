//! Calls between pools: the caller's thread helps its own pool meanwhile, and wakes up when the other one is done.

use super::{Event, Slot, asleep, check, job, stop};
use crate::core::guest::install;
use crate::core::pool::Pool;
use crate::core::scope::in_place_scope_in;
use crate::core::worker::Worker;
use std::sync::Arc;

/// Two pools of one thread each. On that of the first one runs `call`, which gets both.
fn two_pools(call: fn(&Arc<Pool>, &Arc<Pool>)) {
    let (here, threads) = asleep(1);
    let (there, others) = asleep(1);
    let done = Event::new();
    here.inject(job({
        let (here, there, done) = (Arc::clone(&here), Arc::clone(&there), done.clone());
        move || {
            call(&here, &there);
            done.happen_at_last();
        }
    }));
    done.wait();
    stop(&here, threads);
    stop(&there, others);
}

#[test]
fn call_into_another_pool() {
    check("install in another pool", 3, || {
        two_pools(|_, there| {
            let slot = Slot::new();
            install(there, |worker, _| {
                assert!(std::ptr::eq(worker.pool(), &**there));
                slot.write();
            });
            slot.assert_written();
        });
    });
}

#[test]
fn call_into_another_pool_and_back() {
    check("there and back", 2, || {
        two_pools(|here, there| {
            let slot = Slot::new();
            install(there, |_, _| install(here, |_, _| slot.write()));
            slot.assert_written();
        });
    });
}

/// A scope whose jobs run in one pool while a thread of another pool waits for it.
#[test]
fn scope_in_another_pool() {
    check("scope in another pool", 3, || {
        two_pools(|_, there| {
            let slots = [Slot::new(), Slot::new()];
            in_place_scope_in(there, |s| {
                s.spawn(|_| slots[0].write());
                s.spawn(|_| slots[1].write());
            });
            slots.iter().for_each(Slot::assert_written);
        });
    });
}

/// A thread from outside hands its call over, and blocks.
#[test]
fn call_from_outside() {
    check("install from outside", 3, || {
        let (pool, threads) = asleep(1);
        let slot = Slot::new();
        install(&pool, |_, outside| {
            assert!(outside && Worker::current().is_some());
            slot.write();
        });
        slot.assert_written();
        stop(&pool, threads);
    });
}
