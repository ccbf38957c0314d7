//! `current_thread_index`: below the number of threads, and no other thread's while a closure runs.

use crate::support::{Place, alone, cases, pool, within};
use filch::prelude::*;
use filch::{ThreadPoolBuilder, current_num_threads, current_thread_index};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

/// Which indices of a pool have a thread at work.
struct Desks {
    taken: Vec<AtomicBool>,
    visits: AtomicUsize,
}

impl Desks {
    fn of(threads: usize) -> Self {
        Desks {
            taken: (0..threads).map(|_| AtomicBool::new(false)).collect(),
            visits: AtomicUsize::new(0),
        }
    }

    /// Works a little at the desk of this thread, which must be free. The work calls nothing of
    /// the pool, so it cannot be interrupted by other work on the same thread.
    fn work(&self) {
        let index = current_thread_index().expect("an index inside parallel code");
        assert_eq!(current_num_threads(), self.taken.len());
        let desk = self
            .taken
            .get(index)
            .expect("an index below the number of threads");
        assert!(
            !desk.swap(true, SeqCst),
            "two threads work with index {index}"
        );
        match self.visits.fetch_add(1, SeqCst) % 64 {
            0 => thread::sleep(Duration::from_micros(50)),
            n if n % 8 == 0 => thread::yield_now(),
            _ => {}
        }
        assert_eq!(current_thread_index(), Some(index));
        assert!(desk.swap(false, SeqCst), "another thread left desk {index}");
    }

    /// All ways to work in parallel.
    fn work_in_all_ways(&self) {
        (0..200).into_par_iter().for_each(|_| self.work());
        let v = [1u8; 100];
        assert_eq!(v.par_iter().map(|_| self.work()).count(), 100);
        filch::join(
            || self.work(),
            || filch::join(|| self.work(), || self.work()),
        );
        filch::scope(|s| (0..20).for_each(|_| s.spawn(|_| self.work())));
        filch::scope_fifo(|s| (0..20).for_each(|_| s.spawn_fifo(|_| self.work())));
        filch::in_place_scope(|s| (0..20).for_each(|_| s.spawn(|_| self.work())));
        (0..50).par_bridge().for_each(|_| self.work());
    }
}

#[test]
fn outside_there_is_none() {
    assert_eq!(current_thread_index(), None);
    assert_eq!((0..1000).into_par_iter().sum::<u32>(), 499_500);
    assert_eq!(filch::join(|| 1, || 2), (1, 2));
    assert_eq!(current_thread_index(), None);
    let _ = crate::support::caught(|| filch::join(|| crate::support::planted(1), || ()));
    assert_eq!(current_thread_index(), None);
}

#[test]
fn unique_in_every_place() {
    for place in Place::all().filter(|p| *p != Place::Outside) {
        // The shared pools may have other work, which does not touch these desks.
        let desks = place.run(|| Desks::of(current_num_threads()));
        for _ in 0..5 {
            place.run(|| desks.work_in_all_ways());
        }
        place.run(|| filch::broadcast(|_| desks.work()));
    }
}

/// From very many threads at once, more than the pool has.
#[test]
fn unique_among_guests() {
    for threads in [1, 2, 3, 8] {
        alone(threads, 100, move || {
            let desks = Desks::of(current_num_threads());
            thread::scope(|threads| {
                for _ in 0..64 {
                    threads.spawn(|| {
                        for _ in 0..cases(2).min(8) {
                            desks.work_in_all_ways();
                            assert_eq!(current_thread_index(), None);
                        }
                    });
                }
            });
        });
    }
}

/// Callers of an explicit pool and its own threads.
#[test]
fn unique_among_callers_of_a_pool() {
    within(100, || {
        let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        let desks = Desks::of(3);
        thread::scope(|threads| {
            for _ in 0..32 {
                threads.spawn(|| {
                    for _ in 0..4 {
                        pool.install(|| desks.work_in_all_ways());
                    }
                });
            }
        });
    });
}

/// Never do more closures run at once than the pool has threads.
#[test]
fn no_more_at_once_than_threads() {
    for threads in [1, 2, 3] {
        alone(threads, 60, || {
            let threads = current_num_threads();
            let running = AtomicUsize::new(0);
            let work = || {
                let now = running.fetch_add(1, SeqCst) + 1;
                assert!(now <= threads, "{now} at work of {threads}");
                thread::sleep(Duration::from_micros(100));
                running.fetch_sub(1, SeqCst);
            };
            thread::scope(|s| {
                for _ in 0..32 {
                    s.spawn(|| {
                        for _ in 0..5 {
                            (0..8).into_par_iter().for_each(|_| work());
                            filch::join(work, work);
                            filch::scope(|s| (0..4).for_each(|_| s.spawn(|_| work())));
                        }
                    });
                }
            });
        });
    }
}

/// Two pools have indices of their own.
#[test]
fn one_index_a_pool() {
    pool(2).install(|| {
        let here = current_thread_index();
        pool(3).install(|| {
            assert!(current_thread_index().is_some_and(|i| i < 3));
            assert_eq!(pool(2).current_thread_index(), None);
        });
        assert_eq!(current_thread_index(), here);
    });
}
