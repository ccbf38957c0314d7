//! Context that follows jobs: each token is used once, on the right thread, and what a job sees is what its giver had.

use crate::support::within;
use filch::ext::*;
use filch::prelude::*;
use filch::{Follow, ThreadPool, ThreadPoolBuilder};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread::{self, ThreadId};

thread_local! {
    /// The context.
    static HERE: Cell<u64> = const { Cell::new(0) };
    /// What arrived on this thread and is not done: tokens, and the context before each.
    static ARRIVED: RefCell<Vec<(u64, u64)>> = const { RefCell::new(Vec::new()) };
}

#[derive(Default)]
struct Book {
    /// Tokens that are out: the context, and where it runs.
    out: Mutex<HashMap<u64, (u64, Option<ThreadId>)>>,
    next: Mutex<u64>,
    left: AtomicUsize,
    back: AtomicUsize,
    /// Jobs that ran on another thread than their giver's.
    done: AtomicUsize,
}

struct Books(Arc<Book>);

impl Follow for Books {
    fn leave(&self) -> u64 {
        self.0.left.fetch_add(1, SeqCst);
        let mut next = self.0.next.lock().unwrap();
        *next += 1;
        let before = self.0.out.lock().unwrap().insert(*next, (HERE.get(), None));
        assert!(before.is_none());
        *next
    }

    fn arrive(&self, token: u64) {
        let mut out = self.0.out.lock().unwrap();
        let (context, ran) = out.get_mut(&token).expect("a token that left");
        assert_eq!(ran.replace(thread::current().id()), None, "arrived twice");
        ARRIVED.with_borrow_mut(|arrived| arrived.push((token, HERE.replace(*context))));
    }

    fn done(&self, token: u64) {
        let (_, ran) = self.0.out.lock().unwrap().remove(&token).expect("out");
        assert_eq!(ran, Some(thread::current().id()));
        let (last, before) = ARRIVED.with_borrow_mut(|arrived| arrived.pop().unwrap());
        assert_eq!(last, token, "what arrived later is done earlier");
        HERE.set(before);
        self.0.done.fetch_add(1, SeqCst);
    }

    fn back(&self, token: u64) {
        let (context, ran) = self.0.out.lock().unwrap().remove(&token).expect("out");
        assert_eq!(
            (context, ran),
            (HERE.get(), None),
            "back where it was given"
        );
        self.0.back.fetch_add(1, SeqCst);
    }
}

impl Book {
    fn pool(threads: usize) -> (Arc<Book>, ThreadPool) {
        let book = Arc::new(Book::default());
        let builder = ThreadPoolBuilder::new()
            .num_threads(threads)
            .panic_handler(|_| ())
            .follow(Books(Arc::clone(&book)));
        (book, builder.build().unwrap())
    }

    /// Every token was done or came back.
    fn close(&self) -> (usize, usize) {
        assert_eq!(self.out.lock().unwrap().len(), 0);
        let (done, back) = (self.done.load(SeqCst), self.back.load(SeqCst));
        assert_eq!(self.left.load(SeqCst), done + back);
        (done, back)
    }
}

/// Runs `f` with a context of its own, from a thread outside.
fn as_request<R>(request: u64, f: impl FnOnce() -> R) -> R {
    let before = HERE.replace(request);
    let result = f();
    assert_eq!(HERE.replace(before), request, "left as it was found");
    result
}

#[test]
fn both_halves_of_a_stolen_join_see_the_callers_context() {
    within(60, || {
        let (book, pool) = Book::pool(2);
        for request in 1..50 {
            as_request(request, || {
                pool.install(|| {
                    let both = Barrier::new(2);
                    let half = || {
                        both.wait(); // so the right half is stolen
                        (HERE.get(), thread::current().id())
                    };
                    let (left, right) = pool.join(half, half);
                    assert_eq!((left.0, right.0), (request, request));
                    assert_ne!(left.1, right.1);
                });
                // The call and the right half.
                assert_eq!(book.close().0, 2 * request as usize);
            });
        }
    });
}

#[test]
fn a_half_that_nobody_takes_comes_back() {
    within(60, || {
        let (book, pool) = Book::pool(1);
        fn fib(n: u64) -> u64 {
            match n < 2 {
                true => n,
                false => {
                    let (a, b) = filch::join(|| fib(n - 1), || fib(n - 2));
                    a + b
                }
            }
        }
        as_request(3, || assert_eq!(pool.install(|| fib(20)), 6765));
        let (done, _) = book.close();
        assert_eq!(done, 1, "the call; the only thread took all halves back");
        let (book, pool) = Book::pool(2);
        as_request(3, || {
            pool.install(|| {
                filch::join(|| filch::blocking(|| ()), || assert_eq!(HERE.get(), 3));
            });
        });
        let (done, back) = book.close();
        assert_eq!(done + back, 2);
    });
}

/// Many requests at once, on too few threads, all nested: each item sees its own.
fn models() {
    for threads in [1, 2, 3, 8] {
        let (book, pool) = Book::pool(threads);
        thread::scope(|outside| {
            for request in 1..=4u64 {
                let pool = &pool;
                outside.spawn(move || as_request(request, || one_request(pool, request)));
            }
        });
        book.close();
    }
}

fn one_request(pool: &ThreadPool, request: u64) {
    let same = || assert_eq!(HERE.get(), request);
    pool.install(|| {
        let sum: u32 = (0..2_000u32)
            .into_par_iter()
            .with_max_len(50)
            .map(|n| {
                same();
                n
            })
            .sum();
        assert_eq!(sum, 1999 * 1000);
        (0..20).into_par_iter().with_max_len(1).for_each(|_| {
            same();
            (0..100)
                .into_par_iter()
                .with_max_len(10)
                .for_each(|_| same());
            same();
        });
        same();
    });
    pool.scope(|s| {
        for _ in 0..20 {
            s.spawn(move |s| {
                same();
                s.spawn(move |_| same());
                same();
            });
        }
        s.spawn_broadcast(move |_, _| same());
    });
    pool.scope_fifo(|s| (0..20).for_each(|_| s.spawn_fifo(move |_| same())));
    pool.in_place_scope(|s| (0..20).for_each(|_| s.spawn(move |_| same())));
    pool.broadcast(|_| same());
    pool.install(|| limited_scope(2, |s| (0..20).for_each(|_| s.spawn(move |_| same()))));
}

#[test]
fn each_request_sees_its_own_context() {
    within(120, models);
}

#[test]
fn forced_cuts_carry_the_context_too() {
    use filch::iter::plumbing::Cuts;
    within(120, || {
        for cuts in [Cuts::Always, Cuts::Random(7)] {
            let (book, pool) = Book::pool(3);
            pool.force_cuts(cuts);
            as_request(9, || one_request(&pool, 9));
            book.close();
        }
    });
}

#[test]
fn detached_jobs_know_where_they_were_spawned() {
    within(60, || {
        let (book, pool) = Book::pool(2);
        let (sender, receiver) = mpsc::channel();
        for request in 1..100 {
            let (sender, second) = (sender.clone(), sender.clone());
            as_request(request, || {
                pool.spawn(move || {
                    filch::spawn_fifo(move || second.send((request, HERE.get())).unwrap());
                    sender.send((request, HERE.get())).unwrap();
                });
                let job = pool.spawn_handle(|| HERE.get());
                assert_eq!(job.join().unwrap(), request);
            });
        }
        pool.spawn_broadcast(move |_| sender.send((0, HERE.get())).unwrap());
        let seen: Vec<_> = receiver.iter().collect();
        assert_eq!(seen.len(), 2 * 99 + 2);
        assert!(seen.iter().all(|(request, here)| request == here));
        pool.shutdown();
        book.close();
    });
}

#[test]
fn a_job_of_a_queue_brings_its_own_context() {
    within(60, || {
        let (book, pool) = Book::pool(1);
        let (sender, receiver) = mpsc::channel();
        let queue = JobQueue::new(&pool).limit(30);
        pool.install(|| {
            // The only thread is here, so all wait; and urgent ones take the tickets of those before.
            for request in 1..=30 {
                let lane = [Priority::Low, Priority::Normal, Priority::High][request as usize % 3];
                let sender = sender.clone();
                let job = move || sender.send((request, HERE.get())).unwrap();
                as_request(request, || queue.try_spawn(lane, job).unwrap());
            }
            assert!(
                queue.try_spawn(Priority::High, || ()).is_err(),
                "comes back"
            );
        });
        drop(sender);
        let seen: Vec<_> = receiver.iter().collect();
        assert_eq!(seen.len(), 30);
        assert!(seen.iter().all(|(request, here)| request == here));
        assert_ne!(seen[0].0, 1, "in another order than tickets");
        drop(queue);
        pool.shutdown();
        assert_eq!(book.close().1, 1);
    });
}

/// A ticket, which runs such a job, is a job of the pool, but none of the user's.
#[test]
fn a_job_of_a_queue_or_a_limited_scope_is_followed_once() {
    within(60, || {
        for threads in [1, 2] {
            let (book, pool) = Book::pool(threads);
            let same = || assert_eq!(HERE.get(), 7);
            as_request(7, || {
                pool.install(|| {
                    limited_scope(2, |s| {
                        for _ in 0..10 {
                            s.spawn(move |s| {
                                same();
                                s.spawn(move |_| same());
                            });
                        }
                    });
                });
            });
            assert_eq!(book.close(), (1 + 20, 0), "the call, and each job");
        }
        for threads in [1, 2] {
            let (book, pool) = Book::pool(threads);
            let queue = JobQueue::new(&pool).at_once(2);
            let (sender, receiver) = mpsc::channel();
            as_request(7, || {
                for _ in 0..10 {
                    let (queue, sender) = (queue.clone(), sender.clone());
                    queue.clone().spawn(Priority::Normal, move || {
                        let second = sender.clone();
                        queue.spawn(Priority::High, move || second.send(HERE.get()).unwrap());
                        sender.send(HERE.get()).unwrap();
                    });
                }
            });
            drop(sender);
            assert_eq!(receiver.iter().collect::<Vec<_>>(), [7; 20]);
            drop(queue);
            pool.shutdown();
            assert_eq!(book.close(), (20, 0));
        }
    });
}

#[test]
fn jobs_that_panic_are_done() {
    within(60, || {
        let (book, pool) = Book::pool(2);
        let quietly = |f: &dyn Fn()| {
            let f = AssertUnwindSafe(f);
            as_request(5, || assert!(catch_unwind(f).is_err()));
            book.close();
        };
        let no = || std::panic::resume_unwind(Box::new("no"));
        quietly(&|| pool.install(no));
        quietly(&|| {
            pool.join(no, no);
        });
        quietly(&|| pool.scope(|s| (0..10).for_each(|_| s.spawn(move |_| no()))));
        quietly(&|| drop(pool.broadcast(|_| no())));
        quietly(&|| {
            pool.install(|| {
                let both = Barrier::new(2);
                filch::join(
                    || both.wait(),
                    || {
                        both.wait();
                        no()
                    },
                )
            });
        });
        pool.spawn(no);
        pool.shutdown();
        book.close();
    });
}

#[test]
fn calls_between_pools_carry_the_context() {
    within(60, || {
        let ((here, first), (there, second)) = (Book::pool(2), Book::pool(2));
        as_request(8, || {
            let seen = first.install(|| second.install(|| first.install(|| HERE.get())));
            assert_eq!(seen, 8);
        });
        assert_eq!((here.close().0, there.close().0), (2, 1));
    });
}

/// A method that itself forks, where the deque has just given a job away.
#[test]
fn methods_may_fork() {
    struct Forks(AtomicUsize);
    thread_local!(static INSIDE: Cell<bool> = const { Cell::new(false) });
    impl Forks {
        fn fork(&self) {
            if !INSIDE.replace(true) {
                let (a, b) = filch::join(|| filch::join(|| 1, || 2), || 3);
                self.0.fetch_add(a.0 + a.1 + b, SeqCst);
                INSIDE.set(false);
            }
        }
    }
    impl Follow for Forks {
        fn leave(&self) -> u64 {
            self.fork();
            0
        }
        fn arrive(&self, _: u64) {
            self.fork();
        }
        fn done(&self, _: u64) {
            self.fork();
        }
    }
    within(120, || {
        for threads in [1, 2, 3] {
            let builder = ThreadPoolBuilder::new().num_threads(threads);
            let pool = builder.follow(Forks(AtomicUsize::new(0))).build().unwrap();
            for _ in 0..20 {
                let sum: u32 = pool.install(|| {
                    let items = (0..500u32).into_par_iter().with_max_len(7);
                    items.map(|n| filch::join(|| n, || 1).0).sum()
                });
                assert_eq!(sum, 499 * 250);
            }
        }
    });
}
