//! A thread that has a place in a stuck pool waits for the part of another one, which falls asleep outside. So it has the other thread called: when it goes on after a
//! sleep, when it comes in, when it was woken to look for work, and when it leaves a wait for the code around the pool.

use super::callers::{Caller, busy, clear, finish, get_stuck, isolated};
use super::{Event, Foreign, check, in_waits, until};
use crate::core::guest::install;
use crate::core::pool::Pool;
use crate::core::root::Root;
use crate::core::visit::Visit;
use crate::core::worker::Worker;
use loom::thread;
use std::sync::Arc;

/// A second thread that waits for `stuck`, where both rights are free and the seats show workers. It begins its call when `go` is sent, and `done` happens in its part.
fn second_after(stuck: &Arc<Pool>, done: &Event) -> (Caller, Event) {
    // Workers come and go.
    for number in 0..2 {
        assert!(stuck.rights.take_this(number));
        stuck.seats[number].sit_down(stuck.seats[number].own_desk());
        stuck.put_down(number);
    }
    second_caller(stuck, done)
}

/// The same, whatever the seats show.
fn second_caller(stuck: &Arc<Pool>, done: &Event) -> (Caller, Event) {
    let (began, go) = (Event::new(), Event::new());
    let second = Caller::new(Root::isolated(2), {
        let (stuck, done, began, go) = (Arc::clone(stuck), done.clone(), began.clone(), go.clone());
        move || {
            began.happen();
            go.wait();
            install(&stuck, |_, _| done.happen_at_last());
        }
    });
    began.wait();
    (second, go)
}

/// The first thread sleeps in the middle of its part. It goes on under a right that a worker had meanwhile, and waits for the second thread's part. That thread falls
/// asleep, and may take the right for the worker's.
#[test]
fn caller_that_goes_on_has_another_one_called() {
    check("a caller that goes on", 2, || {
        loom::stop_exploring();
        let (stuck, done, middle) = (busy(2), Event::new(), Foreign::new());
        let first = Caller::new(Root::isolated(1), {
            let (stuck, done, middle) = (Arc::clone(&stuck), done.clone(), Arc::clone(&middle));
            move || {
                install(&stuck, |worker, _| {
                    middle.wait(worker);
                    done.wait();
                });
            }
        });
        first.until_asleep();
        get_stuck(&stuck);
        goes_on_beside_a_second(&stuck, &done, &middle);
        first.end();
        finish(&stuck);
    });
}

/// The thread that waits for `middle` goes on, and another one falls asleep meanwhile.
fn goes_on_beside_a_second(stuck: &Arc<Pool>, done: &Event, middle: &Foreign) {
    until(|| in_waits(stuck) == 1 && stuck.rights.free() == 2);
    let (second, go) = second_after(stuck, done);
    loom::explore();
    go.happen();
    middle.set();
    done.wait();
    loom::stop_exploring();
    second.end();
}

/// The same, where the first thread is a caller from outside.
#[test]
fn guest_that_goes_on_has_another_one_called() {
    check("a guest that goes on", 2, || {
        loom::stop_exploring();
        let (stuck, done, middle) = (busy(2), Event::new(), Foreign::new());
        get_stuck(&stuck);
        let first = thread::spawn({
            let (stuck, done, middle) = (Arc::clone(&stuck), done.clone(), Arc::clone(&middle));
            move || {
                let visit = Visit::begin(&stuck).expect("a right is free");
                middle.wait(visit.worker);
                done.wait();
            }
        });
        goes_on_beside_a_second(&stuck, &done, &middle);
        first.join().unwrap();
        finish(&stuck);
    });
}

/// A caller from outside comes in under a right that a worker had, and waits for the part of a thread that falls asleep meanwhile.
#[test]
fn guest_that_comes_in_has_another_one_called() {
    check("a guest that comes in", 2, || {
        loom::stop_exploring();
        let (stuck, done) = (busy(2), Event::new());
        get_stuck(&stuck);
        let (second, go) = second_after(&stuck, &done);
        loom::explore();
        let guest = thread::spawn({
            let (stuck, done) = (Arc::clone(&stuck), done.clone());
            move || {
                // It is not let in behind work from outside.
                let visit = Visit::begin(&stuck);
                if visit.is_some() {
                    done.wait();
                }
            }
        });
        go.happen();
        guest.join().unwrap();
        loom::stop_exploring();
        second.end();
        finish(&stuck);
    });
}

/// The first thread sleeps in the middle of its part, and is woken to look for work. It finds a job of its own call, which waits for the second thread's part. That thread
/// falls asleep while the first one is still counted among those that look.
#[test]
fn caller_that_is_woken_for_work_has_another_one_called() {
    check("a caller that is woken for work", 2, || {
        loom::stop_exploring();
        let (stuck, done, middle) = (busy(2), Event::new(), Foreign::new());
        let root = Root::isolated(1);
        let first = Caller::new(root, {
            let (stuck, middle) = (Arc::clone(&stuck), Arc::clone(&middle));
            move || install(&stuck, |worker, _| middle.wait(worker))
        });
        first.until_asleep();
        get_stuck(&stuck);
        until(|| in_waits(&stuck) == 1 && stuck.rights.free() == 2);
        let (second, go) = second_after(&stuck, &done);
        loom::explore();
        go.happen();
        let inner = done.clone();
        stuck.inject(isolated(root, move || inner.wait()));
        done.wait();
        loom::stop_exploring();
        middle.set();
        second.end();
        first.end();
        // The second thread may have been faster.
        clear(&stuck, root);
        finish(&stuck);
    });
}

/// A pool of two, both of whose threads are busy, was built around the first one. The other thread falls asleep inside an isolated call. `first` waits at the desk of
/// the first one, and goes on outside when the second thread's part is done. Before that, `meanwhile` happens beside the call of the second thread.
fn built_around_a_thread(
    name: &str,
    wait: fn(Worker<'_>, &Foreign, &Event),
    asleep: bool,
    meanwhile: fn(&Foreign, &Event),
) {
    check(name, 2, move || {
        loom::stop_exploring();
        let (stuck, done, middle) = (busy(2), Event::new(), Foreign::new());
        stuck.note_built_around_a_thread();
        stuck.put_down(1);
        let (began, goes) = (Event::new(), Event::new());
        let first = thread::spawn({
            let (stuck, done, middle) = (Arc::clone(&stuck), done.clone(), Arc::clone(&middle));
            let (began, goes) = (began.clone(), goes.clone());
            move || {
                // SAFETY: the first right is born in its hand, and its desk is for it alone.
                let sitting = unsafe { Worker::sit(stuck.seats[0].own_desk(), 0) };
                middle.announce(sitting.worker());
                began.happen();
                wait(sitting.worker(), &middle, &goes);
                // Outside, where nothing says that it does no work of the pool.
                done.wait();
                sitting.rise()
            }
        });
        began.wait();
        until(|| in_waits(&stuck) == usize::from(asleep));
        let (second, go) = second_caller(&stuck, &done);
        loom::explore();
        go.happen();
        meanwhile(&middle, &goes);
        done.wait();
        loom::stop_exploring();
        second.end();
        let right = first.join().unwrap();
        right.inspect(|&number| stuck.put_down(number));
        finish(&stuck);
    });
}

/// The first thread sleeps and is woken for work, but its wait is over. The second one falls asleep while the first is counted among those that look.
#[test]
fn thread_around_which_the_pool_was_built_is_woken_for_work() {
    let wait = |worker: Worker<'_>, middle: &Foreign, _: &Event| middle.wait(worker);
    built_around_a_thread("a thread that was there first", wait, true, |middle, _| {
        middle.set();
    });
}

/// The first thread is about to sleep, but its wait is over. The second one falls asleep while the first is counted as a sleeper.
#[test]
fn thread_around_which_the_pool_was_built_gets_up_by_itself() {
    let wait = |worker: Worker<'_>, middle: &Foreign, goes: &Event| {
        goes.wait();
        middle.wait(worker);
    };
    built_around_a_thread("a thread that gets up", wait, false, |middle, goes| {
        goes.happen();
        middle.set();
    });
}
