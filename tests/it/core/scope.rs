//! `scope` and its kin.

use crate::support::{Ledger, Place, alone, same_everywhere, within};
use filch::{
    Scope, ScopeFifo, ThreadPoolBuilder, in_place_scope, in_place_scope_fifo, scope, scope_fifo,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

#[test]
fn nothing_spawned() {
    same_everywhere(|| scope(|_| 22), || 22);
    same_everywhere(|| scope_fifo(|_| 22), || 22);
    same_everywhere(|| in_place_scope(|_| 22), || 22);
    same_everywhere(|| in_place_scope_fifo(|_| 22), || 22);
}

#[test]
fn all_is_done_at_the_end() {
    for place in Place::all() {
        let count = &AtomicUsize::new(0);
        let add = move || {
            count.fetch_add(1, Relaxed);
        };
        place.run(|| {
            scope(|s| (0..300).for_each(|_| s.spawn(move |_| add())));
            assert_eq!(count.load(Relaxed), 300, "{place:?}");
            scope_fifo(|s| (0..300).for_each(|_| s.spawn_fifo(move |_| add())));
            assert_eq!(count.load(Relaxed), 600, "{place:?}");
            in_place_scope(|s| (0..300).for_each(|_| s.spawn(move |_| add())));
            assert_eq!(count.load(Relaxed), 900, "{place:?}");
            in_place_scope_fifo(|s| (0..300).for_each(|_| s.spawn_fifo(move |_| add())));
            assert_eq!(count.load(Relaxed), 1200, "{place:?}");
        });
    }
}

#[test]
fn jobs_borrow_and_change_what_is_outside() {
    same_everywhere(
        || {
            let mut numbers: Vec<usize> = (0..200).collect();
            scope(|s| {
                for chunk in numbers.chunks_mut(7) {
                    s.spawn(|_| chunk.iter_mut().for_each(|x| *x *= 2));
                }
            });
            numbers
        },
        || (0..200).map(|x| x * 2).collect(),
    );
}

/// Jobs spawn more jobs.
#[test]
fn divide_and_conquer() {
    fn spread<'s>(s: &Scope<'s>, n: usize, count: &'s AtomicUsize) {
        if n <= 1 {
            count.fetch_add(n, Relaxed);
            return;
        }
        s.spawn(move |s| spread(s, n / 2, count));
        s.spawn(move |s| spread(s, n - n / 2, count));
    }
    fn spread_fifo<'s>(s: &ScopeFifo<'s>, n: usize, count: &'s AtomicUsize) {
        if n <= 1 {
            count.fetch_add(n, Relaxed);
            return;
        }
        s.spawn_fifo(move |s| spread_fifo(s, n / 2, count));
        s.spawn_fifo(move |s| spread_fifo(s, n - n / 2, count));
    }
    for place in Place::all() {
        let count = AtomicUsize::new(0);
        place.run(|| {
            scope(|s| spread(s, 3000, &count));
            scope_fifo(|s| spread_fifo(s, 3000, &count));
        });
        assert_eq!(count.into_inner(), 6000, "{place:?}");
    }
}

/// One job begets the next, very often.
#[test]
fn a_long_chain() {
    fn next<'s>(s: &Scope<'s>, left: u32, count: &'s AtomicUsize) {
        count.fetch_add(1, Relaxed);
        if left > 0 {
            s.spawn(move |s| next(s, left - 1, count));
        }
    }
    for place in Place::all() {
        let count = AtomicUsize::new(0);
        place.run(|| scope(|s| next(s, 50_000, &count)));
        assert_eq!(count.into_inner(), 50_001, "{place:?}");
    }
}

#[test]
fn scopes_within_scopes() {
    fn nest(depth: usize, count: &AtomicUsize) {
        if depth > 0 {
            scope(|s| {
                s.spawn(|_| {
                    count.fetch_add(1, Relaxed);
                });
                s.spawn(|_| nest(depth - 1, count));
            });
        }
    }
    for place in Place::all() {
        let count = AtomicUsize::new(0);
        place.run(|| nest(300, &count));
        assert_eq!(count.into_inner(), 300, "{place:?}");
    }
    for threads in [1, 2, 3] {
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        let pool = builder.stack_size(64 << 20).build().unwrap();
        let count = AtomicUsize::new(0);
        pool.install(|| nest(1000, &count));
        assert_eq!(count.into_inner(), 1000, "{threads} threads");
    }
}

/// A job of an outer scope, spawned from inside an inner one.
#[test]
fn jobs_for_an_outer_scope() {
    for place in Place::all() {
        let (inner, outer) = (AtomicUsize::new(0), AtomicUsize::new(0));
        place.run(|| {
            scope(|out| {
                scope(|s| {
                    for _ in 0..100 {
                        s.spawn(|_| {
                            out.spawn(|_| {
                                outer.fetch_add(1, Relaxed);
                            });
                            inner.fetch_add(1, Relaxed);
                        });
                    }
                });
                assert_eq!(inner.load(Relaxed), 100, "{place:?}");
            });
            assert_eq!(outer.load(Relaxed), 100, "{place:?}");
        });
    }
}

#[test]
fn captures_are_dropped_once() {
    for place in Place::all() {
        let ledger = Ledger::new(200);
        place.run(|| {
            scope(|s| {
                for token in ledger.tokens() {
                    s.spawn(move |_| drop(token));
                }
            });
            in_place_scope_fifo(|s| {
                for token in ledger.tokens() {
                    s.spawn_fifo(move |_| assert!(token.id() < 200));
                }
            });
        });
        ledger.assert_all_gone();
    }
}

/// The body of an in-place scope stays on its thread, in or out of a pool.
#[test]
fn in_place_bodies_stay() {
    for place in Place::all() {
        place.run(|| {
            let caller = thread::current().id();
            // Not `Send`: no other thread may have it.
            let mut here = std::rc::Rc::new(0);
            in_place_scope(|s| {
                assert_eq!(thread::current().id(), caller);
                s.spawn(|_| ());
                *std::rc::Rc::get_mut(&mut here).unwrap() += 1;
            });
            in_place_scope_fifo(|s| {
                assert_eq!(thread::current().id(), caller);
                s.spawn_fifo(|_| ());
                *std::rc::Rc::get_mut(&mut here).unwrap() += 1;
            });
            assert_eq!(*here, 2);
        });
    }
}

/// Outside, the body goes on while jobs run: it may wait for them.
#[test]
fn an_in_place_body_outside_may_wait_for_its_jobs() {
    fn check() {
        for _ in 0..20 {
            let (sender, receiver) = std::sync::mpsc::channel();
            in_place_scope(|s| {
                for i in 0..10 {
                    let sender = sender.clone();
                    s.spawn(move |_| sender.send(i).unwrap());
                }
                let mut got: Vec<i32> = (0..10).map(|_| receiver.recv().unwrap()).collect();
                got.sort_unstable();
                assert_eq!(got, (0..10).collect::<Vec<_>>());
            });
        }
    }
    within(60, check);
    alone(1, 60, || {
        check();
    });
}

/// A thread that waits for its scope as a guest is afterwards what it was before: here the thread of a pool that was built inside.
#[test]
fn a_pool_of_the_current_thread_that_is_built_inside_a_scope_in_place() {
    // By its name LeakSanitizer knows that this pool is kept for good.
    fn use_current_thread() -> filch::ThreadPool {
        let builder = filch::ThreadPoolBuilder::new().num_threads(2);
        builder.use_current_thread().build().unwrap()
    }
    alone(2, 60, || {
        let was_guest = AtomicBool::new(false);
        let round = || {
            let (began, caller) = (crate::support::Flag::new(), thread::current().id());
            let note = || {
                if thread::current().id() == caller {
                    was_guest.store(true, Relaxed);
                }
            };
            let pool = filch::in_place_scope(|s| {
                s.spawn(|s| {
                    began.set();
                    // Until the caller, which waits inside the global pool, has run one. If it was not let in, it waits outside.
                    for _ in 0..10_000 {
                        s.spawn(|_| note());
                        thread::yield_now();
                        if was_guest.load(Relaxed) {
                            break;
                        }
                    }
                });
                began.wait();
                use_current_thread()
            });
            assert_eq!(pool.current_thread_index(), Some(0));
            assert_eq!(filch::join(filch::current_num_threads, || ()).0, 2);
        };
        while !was_guest.load(Relaxed) {
            thread::scope(|threads| _ = threads.spawn(round));
        }
    });
}
