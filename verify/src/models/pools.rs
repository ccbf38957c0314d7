//! Calls between pools: the caller's thread helps its own pool meanwhile, and wakes up when the other one is done.

use super::{Event, Slot, asleep, check, job, pool, stop, until};
use crate::core::guest::install;
use crate::core::job::HeapJob;
use crate::core::last_use::LastUse;
use crate::core::pool::Pool;
use crate::core::root::Root;
use crate::core::scope::in_place_scope_in;
use crate::core::worker::Worker;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// A thread that opens a scope in another pool lets its own pool go when the scope has ended. The thread there that ended it may still be about to wake it.
#[test]
fn scope_in_another_pool_outlives_its_own() {
    check("scope in another pool, and its own pool ends", 3, || {
        let here = pool(1);
        // The memory stays, so that what is planted is found before it is read.
        let _memory = Arc::downgrade(&here);
        assert!(here.last_use.set(LastUse::new()).is_ok());
        let (there, threads) = asleep(1);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(here.seats[0].own_desk(), 0) };
        in_place_scope_in(&there, |s| s.spawn(|_| ()));
        drop(sitting);
        // All that this thread did comes before the end.
        drop(here.last_use.get().map(LastUse::begin));
        drop(here);
        stop(&there, threads);
    });
}

/// The only threads of two pools are inside isolated calls, and call the other pool: each does its call itself, and no thread is left to wake another one
/// for it but the one that falls asleep last.
#[test]
fn isolated_calls_in_both_directions() {
    check("isolated calls in both directions", 2, || {
        let (here, threads) = asleep(1);
        let (there, others) = asleep(1);
        loom::stop_exploring();
        let (slots, go) = ([Slot::new(), Slot::new()], AtomicBool::new(false));
        let shared = Arc::new((slots, go));
        let events = [(&here, &there), (&there, &here)].map(|(from, to)| {
            let (began, done) = (Event::new(), Event::new());
            let number = usize::from(std::ptr::eq(from, &there));
            let (to, shared) = (Arc::clone(to), Arc::clone(&shared));
            let (begins, ends) = (began.clone(), done.clone());
            let body = move || {
                begins.happen();
                until(|| shared.1.load(Ordering::SeqCst));
                install(&to, |_, _| shared.0[number].write());
                ends.happen_at_last();
            };
            // SAFETY: it borrows nothing.
            from.inject(unsafe { HeapJob::boxed(Root::isolated(number as u64 + 1), body) });
            (began, done)
        });
        events.iter().for_each(|(began, _)| began.wait());
        loom::explore();
        shared.1.store(true, Ordering::SeqCst);
        events.iter().for_each(|(_, done)| done.wait());
        shared.0.iter().for_each(Slot::assert_written);
        stop(&here, threads);
        stop(&there, others);
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
