//! `broadcast` and `spawn_broadcast`: once on each thread.

use crate::support::{
    Flag, Meeting, PATIENCE, Place, Planted, alone, caught, number_of_requests, planted, pool,
    within,
};
use filch::{ThreadPoolBuilder, broadcast, scope, scope_fifo, spawn_broadcast};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;
use std::time::Duration;

#[test]
fn once_on_each_thread_in_order() {
    for place in Place::all() {
        let (results, n) = place.run(|| {
            let each = broadcast(|c| {
                assert_eq!(filch::current_thread_index(), Some(c.index()));
                assert_eq!(filch::current_num_threads(), c.num_threads());
                (c.index(), thread::current().id())
            });
            (each, filch::current_num_threads())
        });
        assert!(results.iter().map(|r| r.0).eq(0..n), "{place:?}");
        assert_eq!(
            results.iter().map(|r| r.1).collect::<HashSet<_>>().len(),
            n,
            "{place:?}"
        );
    }
}

/// The same threads each time.
#[test]
fn indices_stay() {
    for place in Place::all() {
        let ids = || place.run(|| broadcast(|_| thread::current().id()));
        assert_eq!(ids(), ids(), "{place:?}");
    }
}

#[test]
fn all_at_once() {
    for n in [1, 2, 3, 8] {
        within(30, move || {
            let pool = ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            for _ in 0..20 {
                let all = Meeting::of(n);
                pool.broadcast(|_| all.attend());
                let all = Meeting::of(n);
                pool.install(|| broadcast(|_| all.attend()));
            }
        });
    }
}

#[test]
fn spawned_for_nobody() {
    for place in Place::all() {
        let (sender, receiver) = mpsc::channel();
        let n = place.run(|| {
            let sender = Mutex::new(sender);
            spawn_broadcast(move |c| sender.lock().unwrap().send(c.index()).unwrap());
            filch::current_num_threads()
        });
        let mut all: Vec<usize> = (0..n)
            .map(|_| receiver.recv_timeout(PATIENCE).unwrap())
            .collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..n), "{place:?}");
        // The closure is gone after its last run, and the sender with it.
        assert!(receiver.recv_timeout(PATIENCE).is_err());
    }
}

#[test]
fn spawned_for_a_scope() {
    for place in Place::all() {
        let count = AtomicUsize::new(0);
        let n = place.run(|| {
            scope(|s| {
                s.spawn_broadcast(|s, c| {
                    count.fetch_add(c.index(), SeqCst);
                    s.spawn(|_| _ = count.fetch_add(1000, SeqCst));
                });
            });
            scope_fifo(|s| {
                s.spawn_broadcast(|s, c| {
                    count.fetch_add(c.index(), SeqCst);
                    s.spawn_fifo(|_| _ = count.fetch_add(1000, SeqCst));
                });
            });
            filch::current_num_threads()
        });
        assert_eq!(count.into_inner(), n * (n - 1) + 2000 * n, "{place:?}");
    }
}

/// Broadcasts between pools, and to the own pool from inside a broadcast.
#[test]
fn back_and_forth() {
    for (m, n) in [(1, 1), (1, 3), (3, 1), (3, 7)] {
        within(60, move || {
            let a = ThreadPoolBuilder::new().num_threads(m).build().unwrap();
            let b = ThreadPoolBuilder::new().num_threads(n).build().unwrap();
            let count = AtomicUsize::new(0);
            a.install(|| {
                b.broadcast(|_| {
                    a.broadcast(|_| _ = count.fetch_add(1, SeqCst));
                });
            });
            assert_eq!(count.swap(0, SeqCst), m * n);
            a.broadcast(|_| {
                broadcast(|_| _ = count.fetch_add(1, SeqCst));
            });
            assert_eq!(count.into_inner(), m * m);
        });
    }
}

/// Sleeping threads hear of a broadcast too.
#[test]
fn after_a_rest() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        for round in 0..60 {
            if round % 2 == 0 {
                thread::sleep(std::time::Duration::from_millis(3));
            }
            assert_eq!(pool.broadcast(|c| c.index()), [0, 1, 2, 3]);
        }
    });
}

/// From many threads at the same time.
#[test]
fn many_at_once() {
    for place in Place::all().filter(|p| *p != Place::Outside) {
        within(60, move || {
            let count = AtomicUsize::new(0);
            thread::scope(|threads| {
                for _ in 0..16 {
                    threads.spawn(|| {
                        for _ in 0..20 {
                            place.run(|| broadcast(|_| _ = count.fetch_add(1, SeqCst)));
                        }
                    });
                }
            });
            let n = place.run(filch::current_num_threads);
            assert_eq!(count.into_inner(), 320 * n);
        });
    }
}

/// Two callers from outside each hold one of the two rights, and both broadcast: each waits for a share that only the other one can run, on top of
/// a wait that lets it begin nothing foreign.
#[test]
fn two_guests_wait_for_each_others_threads() {
    alone(2, 60, || {
        let shares = AtomicUsize::new(0);
        // Whether a caller is let in is a matter of luck, but only until the first broadcast: that ends the time of guests.
        let both_are_guests = || {
            let (meeting, guests) = (Meeting::of(2), AtomicUsize::new(0));
            let call = || {
                let caller = thread::current().id();
                let children = || {
                    let guest = thread::current().id() == caller;
                    guests.fetch_add(usize::from(guest), SeqCst);
                    meeting.attend();
                    if guests.load(SeqCst) == 2 {
                        broadcast(|_| _ = shares.fetch_add(1, SeqCst));
                    }
                };
                filch::join(children, || ());
            };
            thread::scope(|threads| {
                threads.spawn(call);
                threads.spawn(call);
            });
            guests.into_inner() == 2
        };
        assert!((0..1000).any(|_| both_are_guests()), "never two guests");
        assert_eq!(shares.into_inner(), 4);
    });
}

/// While worker 1 sleeps inside a wait, a caller from outside has its number. So it goes on under number 0, for worker 0 sleeps inside a wait as well, until
/// the broadcast is over. It runs jobs as long, and puts its right down for none of them.
#[test]
fn a_worker_that_works_under_another_number_does_its_share() {
    alone(2, 60, || {
        let elsewhere = pool(2);
        let (meeting, is_up, over) = (Meeting::of(2), Flag::new(), Flag::new());
        let gates = [Flag::new(), Flag::new()];
        let wait = || {
            let home = filch::current_thread_index().unwrap();
            meeting.attend();
            elsewhere.install(|| gates[home].wait());
            if home == 1 {
                is_up.set();
                while !over.is_set() {
                    filch::yield_now();
                }
            }
        };
        // Where it is not let in yet, or has another number, it comes again.
        let caller = thread::current().id();
        let has_number_1 =
            || filch::current_thread_index() == Some(1) && thread::current().id() == caller;
        let call = || {
            let lends = has_number_1();
            if lends {
                gates[1].set();
                is_up.wait();
            }
            lends
        };
        filch::in_place_scope(|scope| {
            scope.spawn(|_| wait());
            scope.spawn(|_| wait());
            while filch::load().waiting < 2 || !filch::join(call, || ()).0 {
                thread::yield_now();
            }
            assert_eq!(broadcast(|context| context.index()), [0, 1]);
            over.set();
            gates[0].set();
        });
    });
}

/// As above, with shares that wait for each other: each is run by a thread of its own. The caller from outside has left when the broadcast begins, or leaves
/// meanwhile.
#[test]
fn shares_are_on_threads_of_their_own_where_a_caller_has_left() {
    alone(2, 60, || shares_wait_for_each_other(true));
}

#[test]
fn shares_are_on_threads_of_their_own_where_a_caller_is_inside() {
    alone(2, 60, || shares_wait_for_each_other(false));
}

fn shares_wait_for_each_other(caller_leaves_first: bool) {
    let elsewhere = pool(1);
    let (meeting, gate, is_up, lent, over) = (
        Meeting::of(2),
        Flag::new(),
        Flag::new(),
        Flag::new(),
        Flag::new(),
    );
    let work = || {
        let home = filch::current_thread_index();
        meeting.attend();
        if home == Some(1) {
            elsewhere.install(|| gate.wait());
            is_up.set();
            while !over.is_set() {
                filch::yield_now();
            }
        }
    };
    let guest = || {
        let caller = thread::current().id();
        let call = || {
            let has = filch::current_thread_index() == Some(1) && thread::current().id() == caller;
            if has {
                gate.set();
                is_up.wait();
                if !caller_leaves_first {
                    lent.set();
                    thread::sleep(Duration::from_millis(100));
                }
            }
            has
        };
        while !filch::join(call, || ()).0 {
            thread::sleep(Duration::from_millis(1));
        }
        lent.set();
    };
    filch::in_place_scope(|scope| {
        scope.spawn(|_| work());
        scope.spawn(|_| work());
        while filch::load().waiting < 1 {
            thread::yield_now();
        }
        thread::scope(|threads| {
            threads.spawn(guest);
            lent.wait();
            let both = Barrier::new(2);
            let ids = broadcast(|_| {
                both.wait();
                thread::current().id()
            });
            assert_ne!(ids[0], ids[1]);
        });
        over.set();
    });
}

/// One panics: the others run, the payload comes out.
#[test]
fn one_panic() {
    for n in [1, 2, 3, 8] {
        for at in 0..n {
            let runs = AtomicUsize::new(0);
            let outcome = caught(|| {
                pool(n).broadcast(|c| {
                    runs.fetch_add(1, SeqCst);
                    if c.index() == at {
                        planted(at);
                    }
                })
            });
            assert_eq!((outcome.err(), runs.into_inner()), (Some(at), n));
        }
    }
}

#[test]
fn all_panic() {
    for place in Place::all() {
        let runs = AtomicUsize::new(0);
        let (outcome, n) = place.run(|| {
            let outcome = caught(|| {
                broadcast(|c| -> () {
                    runs.fetch_add(1, SeqCst);
                    planted(c.index())
                })
            });
            (outcome, filch::current_num_threads())
        });
        assert!(outcome.is_err_and(|at| at < n), "{place:?}");
        assert_eq!(runs.into_inner(), n, "{place:?}");
    }
}

#[test]
fn spawned_panics_go_to_the_handler() {
    within(60, || {
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        let pool = ThreadPoolBuilder::new()
            .num_threads(4)
            .panic_handler(move |payload| {
                sender
                    .lock()
                    .unwrap()
                    .send(payload.downcast::<Planted>().unwrap().0)
                    .unwrap();
            })
            .build()
            .unwrap();
        pool.spawn_broadcast(|c| {
            if c.index() % 2 == 1 {
                planted(c.index())
            }
        });
        let mut all = [0, 0].map(|_| receiver.recv_timeout(PATIENCE).unwrap());
        all.sort_unstable();
        assert_eq!(all, [1, 3]);
        assert_eq!(pool.broadcast(|c| c.index()), [0, 1, 2, 3]);
    });
}

/// A broadcast waits behind what its threads are at, and then comes.
#[test]
fn while_threads_are_busy() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let go = Arc::new(Flag::new());
        let wait = go.clone();
        pool.spawn(move || wait.wait());
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        pool.spawn_broadcast(move |c| sender.lock().unwrap().send(c.index()).unwrap());
        receiver.recv_timeout(PATIENCE).unwrap();
        go.set();
        receiver.recv_timeout(PATIENCE).unwrap();
    });
}

/// How often 20 broadcasts ask for memory, in a pool of so many threads: those that are waited for, detached ones, and those of a scope.
fn requests_of_broadcasts(threads: usize) -> [usize; 3] {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.unwrap();
    // All mail has had a letter once.
    pool.broadcast(|_| ());
    let waits = || drop(pool.broadcast(|context| context.index()));
    let detached = || {
        let runs = Arc::new(AtomicUsize::new(0));
        let shared = Arc::clone(&runs);
        pool.spawn_broadcast(move |_| {
            shared.fetch_add(1, SeqCst);
        });
        while runs.load(SeqCst) < threads {
            thread::yield_now();
        }
    };
    let scoped = || pool.scope(|scope| scope.spawn_broadcast(|_, _| ()));
    let requests = |call: &dyn Fn()| number_of_requests(|| (0..20).for_each(|_| call())).1;
    [requests(&waits), requests(&detached), requests(&scoped)]
}

/// The threads themselves may ask for something, but not once for each share.
#[test]
fn shares_lie_in_one_piece_of_memory() {
    alone(1, 60, || {
        let [few, many] = [2, 64].map(requests_of_broadcasts);
        eprintln!("{few:?} requests, {many:?} with 64 threads");
        // On some systems a lock asks for memory when it is first taken, and each result of those that are waited for has one.
        let skipped = usize::from(cfg!(target_vendor = "apple"));
        for (few, many) in few.into_iter().zip(many).skip(skipped) {
            assert!(
                many < few + 20 * 16,
                "{many} requests, and {few} with two threads"
            );
        }
    });
}
