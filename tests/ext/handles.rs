//! `spawn_handle`: results arrive wherever they are asked for, a job is run or cancelled once, and no wait holds up what it waits for.

use crate::everywhere;
use crate::fresh_pool;
use crate::support::{Flag, Ledger, Planted, planted, pool, within};
use filch::ThreadPoolBuilder;
use filch::ext::*;
use filch::prelude::*;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

fn sum(n: u64) -> u64 {
    (0..n).into_par_iter().map(|x| x ^ 1).sum()
}

#[test]
fn results_arrive_everywhere() {
    everywhere(|| {
        let handles: Vec<_> = (0..50).map(|n| spawn_handle(move || sum(n))).collect();
        for (n, handle) in handles.into_iter().enumerate() {
            assert_eq!(handle.join().unwrap(), (0..n as u64).map(|x| x ^ 1).sum());
        }
    });
}

#[test]
fn a_job_that_joins_a_job_that_joins_a_job() {
    fn count(n: usize) -> usize {
        match n {
            0 => 0,
            _ => 1 + spawn_handle(move || count(n - 1)).join().unwrap(),
        }
    }
    everywhere(|| assert_eq!(count(100), 100));
}

#[test]
fn jobs_of_another_pool_are_joined_in_it() {
    within(30, || {
        for (threads, others) in [(1, 1), (1, 3), (2, 2)] {
            let there = pool(others);
            let n = pool(threads).install(|| {
                let handles: Vec<_> = (0..20)
                    .map(|_| there.spawn_handle(filch::current_num_threads))
                    .collect();
                let threads = handles.into_iter().map(|handle| handle.join().unwrap());
                threads.inspect(|&n| assert_eq!(n, others)).count()
            });
            assert_eq!(n, 20);
        }
    });
}

/// The thread of `a` would run `b` on top of its wait, which waits for `a`.
#[test]
fn jobs_that_join_each_other_in_no_circle_get_on() {
    within(60, || {
        for _ in 0..20 {
            let here = fresh_pool(2);
            let (go, waits) = (Arc::new(Flag::new()), Arc::new(Flag::new()));
            let c = here.spawn_handle({
                let go = Arc::clone(&go);
                move || go.wait()
            });
            let a = here.spawn_handle({
                let waits = Arc::clone(&waits);
                move || {
                    waits.set();
                    c.join().unwrap();
                }
            });
            waits.wait();
            let b = here.spawn_handle(move || a.join().unwrap());
            thread::sleep(Duration::from_millis(1)); // time for a thread that waits to take it
            go.set();
            while !b.is_finished() {
                thread::yield_now();
            }
            b.join().unwrap();
        }
    });
}

/// The thread of the first job waits for the half that another thread took. There it must not begin the second job, which waits for the first.
#[test]
fn a_job_that_waits_for_its_own_parts_begins_no_job_that_joins_it() {
    within(60, || {
        for _ in 0..5 {
            let here = fresh_pool(2);
            let (taken, is_taken) = mpsc::channel();
            let (queued, is_queued) = mpsc::channel();
            let first = here.spawn_handle(move || {
                filch::join(
                    move || is_taken.recv().unwrap(),
                    move || {
                        taken.send(()).unwrap();
                        is_queued.recv().unwrap();
                        // Time for the thread that waits to begin something.
                        thread::sleep(Duration::from_millis(5));
                    },
                );
                1
            });
            while !here.seats().iter().all(|seat| seat.stats.jobs > 0) {
                thread::yield_now();
            }
            let second = here.spawn_handle(move || first.join().unwrap() + 1);
            queued.send(()).unwrap();
            while !second.is_finished() {
                thread::yield_now();
            }
            assert_eq!(second.join().unwrap(), 2);
        }
    });
}

/// The same without a plan: chains of jobs that compute in parallel, and whichever thread does what.
#[test]
fn jobs_that_compute_in_parallel_join_each_other() {
    everywhere(|| {
        let last = (0..60).fold(None, |before: Option<JobHandle<u64>>, n| {
            Some(spawn_handle(move || {
                let numbers = (0..100u32).into_par_iter().with_max_len(1);
                let sum = numbers.map(u64::from).sum::<u64>();
                before.map_or(n, |before| before.join().unwrap() + sum)
            }))
        });
        assert_eq!(last.unwrap().join().unwrap(), 59 * 4950);
    });
}

/// A wait for a job runs nothing else, also not what its own thread has forked before and no other thread has taken.
#[test]
fn a_lock_is_held_while_a_job_is_joined() {
    fn nest(depth: usize, f: &(dyn Fn() + Sync)) {
        match depth {
            0 => f(),
            _ => _ = filch::join(|| nest(depth - 1, f), || ()),
        }
    }
    within(60, || {
        let here = fresh_pool(2);
        let lock = std::sync::Mutex::new(0);
        here.install(|| {
            let (begun, begins) = mpsc::channel();
            let job = spawn_handle(move || {
                begun.send(()).unwrap();
                thread::sleep(Duration::from_millis(5));
            });
            begins.recv().unwrap();
            let job = std::sync::Mutex::new(Some(job));
            // So deep that the half below is private, and only this thread can run it.
            nest(8, &|| {
                filch::join(
                    || {
                        let mut held = lock.lock().unwrap();
                        let job = job.lock().unwrap().take();
                        job.unwrap().join().unwrap();
                        *held += 1;
                    },
                    || *lock.lock().unwrap() += 1,
                );
            });
        });
        assert_eq!(lock.into_inner().unwrap(), 2);
    });
}

/// A job that is given away inside another one, and joins that: not even the only thread begins it before the other one is done.
#[test]
fn what_a_job_spawns_may_join_it() {
    within(60, || {
        for threads in [1, 2, 3] {
            let here = Arc::new(fresh_pool(threads));
            let (own, owns) = mpsc::channel::<JobHandle<u64>>();
            let (back, backs) = mpsc::channel();
            let first = here.spawn_handle(move || {
                filch::scope(|s| {
                    s.spawn(|_| ());
                    let joins = move || back.send(owns.recv().unwrap().join().unwrap() + 1);
                    filch::spawn(move || joins().unwrap());
                });
                sum(1000)
            });
            own.send(first).unwrap();
            assert_eq!(backs.recv().unwrap(), sum(1000) + 1);
        }
    });
}

/// A job that yields asks for other work, also for what does not belong to it.
#[test]
fn a_job_yields_to_others() {
    within(60, || {
        let here = fresh_pool(1);
        let flag = Arc::new(Flag::new());
        let waits = here.spawn_handle({
            let flag = Arc::clone(&flag);
            move || {
                while !flag.is_set() {
                    filch::yield_now();
                }
            }
        });
        here.spawn(move || flag.set());
        while !waits.is_finished() {
            thread::yield_now();
        }
        waits.join().unwrap();
    });
}

/// A job of another pool that calls back into the pool whose only thread waits for it.
#[test]
fn a_job_that_is_joined_calls_back() {
    within(60, || {
        for others in [1, 2] {
            let (here, there) = (Arc::new(fresh_pool(1)), fresh_pool(others));
            let (begun, begins) = mpsc::channel();
            let back = Arc::clone(&here);
            let job = there.spawn_handle(move || {
                begun.send(()).unwrap();
                thread::sleep(Duration::from_millis(5));
                back.install(|| sum(42))
            });
            begins.recv().unwrap();
            assert_eq!(here.install(|| job.join().unwrap()), sum(42));
        }
    });
}

#[test]
fn a_result_that_was_taken_is_not_waited_for() {
    within(30, || {
        let mut handle = pool(1).spawn_handle(|| 1);
        let mut context = Context::from_waker(Waker::noop());
        while Pin::new(&mut handle).poll(&mut context).is_pending() {
            thread::yield_now();
        }
        assert!(handle.is_finished());
        let handle = handle.cancel().unwrap_err();
        let joined = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| handle.join()));
        let said = joined.unwrap_err();
        assert!(
            said.downcast_ref::<&str>()
                .unwrap()
                .contains("was taken before")
        );
    });
}

#[test]
fn a_panic_is_part_of_the_result() {
    everywhere(|| {
        let handle = spawn_handle(|| planted(7));
        let payload = handle.join().unwrap_err();
        assert_eq!(payload.downcast_ref::<Planted>().unwrap().0, 7);
    });
}

#[test]
fn a_panic_of_a_job_without_a_handle_goes_to_the_handler() {
    within(30, || {
        let (sender, receiver) = mpsc::channel();
        let pool = ThreadPoolBuilder::new()
            .num_threads(1)
            .panic_handler(move |payload| {
                sender
                    .send(payload.downcast_ref::<Planted>().unwrap().0)
                    .unwrap();
            })
            .build()
            .unwrap();
        pool.install(|| drop(pool.spawn_handle(|| planted(3)))); // before it begins, for the only thread is here
        assert_eq!(receiver.recv(), Ok(3));
        let handle = pool.spawn_handle(|| planted(4));
        while !handle.is_finished() {
            thread::yield_now();
        }
        drop(handle);
        pool.shutdown();
        assert!(
            receiver.recv().is_err(),
            "the second job had a handle when it panicked"
        );
    });
}

#[test]
fn a_job_is_run_or_cancelled() {
    within(60, || {
        for threads in [1, 2, 8] {
            let there = fresh_pool(threads);
            let ledger = Ledger::new(2000);
            let ran = Arc::new(AtomicUsize::new(0));
            let mut cancelled = 0;
            for token in ledger.tokens() {
                let ran = Arc::clone(&ran);
                let handle = there.spawn_handle(move || {
                    ran.fetch_add(1, SeqCst);
                    token
                });
                match handle.cancel() {
                    Ok(()) => cancelled += 1,
                    Err(handle) => drop(handle.join().unwrap()),
                }
            }
            there.shutdown();
            assert_eq!(ran.load(SeqCst) + cancelled, 2000);
            ledger.assert_all_gone();
        }
    });
}

#[test]
fn what_was_begun_cannot_be_cancelled() {
    within(30, || {
        let there = pool(2);
        let (begun, go) = (Arc::new(Flag::new()), Arc::new(Flag::new()));
        let handle = there.spawn_handle({
            let (begun, go) = (Arc::clone(&begun), Arc::clone(&go));
            move || {
                begun.set();
                go.wait();
                5
            }
        });
        begun.wait();
        let handle = handle.cancel().unwrap_err();
        assert!(!handle.is_finished());
        go.set();
        assert_eq!(handle.join().unwrap(), 5);
    });
}

#[test]
fn results_that_nobody_wants_are_dropped_once() {
    within(60, || {
        for threads in [1, 2, 8] {
            let there = fresh_pool(threads);
            let ledger = Ledger::new(1000);
            for token in ledger.tokens() {
                drop(there.spawn_handle(move || token));
            }
            there.shutdown();
            ledger.assert_all_gone();
        }
    });
}

#[test]
fn a_handle_outlives_its_pool() {
    within(30, || {
        for threads in [1, 2] {
            let there = fresh_pool(threads);
            let handles: Vec<_> = (0..100).map(|n| there.spawn_handle(move || n)).collect();
            drop(there);
            let sum: i32 = handles
                .into_iter()
                .map(|handle| handle.join().unwrap())
                .sum();
            assert_eq!(sum, 4950);
        }
    });
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The smallest executor.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

#[test]
fn a_handle_is_a_future() {
    within(60, || {
        for threads in [1, 2, 8] {
            let there = pool(threads);
            for n in 0..200 {
                let result = block_on(async { there.spawn_handle(move || sum(n)).await.unwrap() });
                assert_eq!(result, (0..n).map(|x| x ^ 1).sum());
            }
            let panicked = block_on(there.spawn_handle(|| planted(9)));
            assert_eq!(
                panicked.unwrap_err().downcast_ref::<Planted>().unwrap().0,
                9
            );
        }
    });
}

#[test]
fn the_last_waker_is_woken_and_polling_again_is_told() {
    struct Count(AtomicUsize);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }
    within(30, || {
        let there = pool(1);
        let wakers = [(); 2].map(|()| Arc::new(Count(AtomicUsize::new(0))));
        let go = Arc::new(Flag::new());
        let mut handle = there.spawn_handle({
            let go = Arc::clone(&go);
            move || go.wait()
        });
        let mut poll = |count: &Arc<Count>| {
            let waker = Waker::from(Arc::clone(count));
            Pin::new(&mut handle).poll(&mut Context::from_waker(&waker))
        };
        assert!(wakers.iter().all(|count| poll(count).is_pending()));
        go.set();
        while wakers[1].0.load(SeqCst) == 0 {
            thread::yield_now();
        }
        assert_eq!(wakers[0].0.load(SeqCst), 0);
        assert!(poll(&wakers[0]).is_ready());
        let again = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| poll(&wakers[0])));
        assert!(again.is_err());
    });
}

/// Wakers are the executor's code. One of them asks for the result at once, and two wait for the job when they are dropped: none of them is called with a lock held
/// that this needs.
#[test]
fn wakers_may_ask_for_the_result_and_wait_for_the_job() {
    type Slot = Mutex<Option<JobHandle<u32>>>;
    struct Ask(Arc<Slot>, mpsc::Sender<u32>);
    impl Wake for Ask {
        fn wake(self: Arc<Self>) {
            let mut slot = self.0.lock().unwrap();
            let handle = slot.as_mut().unwrap();
            match Pin::new(handle).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(result) => self.1.send(result.unwrap()).unwrap(),
                Poll::Pending => panic!("it was woken before"),
            }
        }
    }
    /// Lets the job go on when it is dropped, and waits for its end.
    struct Last(Arc<Flag>, Arc<Flag>);
    impl Wake for Last {
        fn wake(self: Arc<Self>) {}
    }
    impl Drop for Last {
        fn drop(&mut self) {
            self.0.set();
            self.1.wait();
        }
    }
    struct Set(Arc<Flag>);
    impl Wake for Set {
        fn wake(self: Arc<Self>) {
            self.0.set();
        }
    }
    impl Drop for Set {
        fn drop(&mut self) {
            self.0.set();
        }
    }
    fn poll<T>(handle: &mut JobHandle<T>, waker: impl Wake + Send + Sync + 'static) {
        let waker = Waker::from(Arc::new(waker));
        let polled = Pin::new(handle).poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
    }
    /// A job that has begun, and ends when the first flag is set.
    fn begun<T: Send + 'static>(result: T) -> (JobHandle<T>, Arc<Flag>) {
        let (begun, go) = (Arc::new(Flag::new()), Arc::new(Flag::new()));
        let handle = pool(1).spawn_handle({
            let (begun, go) = (Arc::clone(&begun), Arc::clone(&go));
            move || {
                begun.set();
                go.wait();
                result
            }
        });
        begun.wait();
        (handle, go)
    }
    within(30, || {
        let (mut handle, go) = begun(5);
        let (give, given) = mpsc::channel();
        let slot = Arc::new(Slot::default());
        poll(&mut handle, Ask(Arc::clone(&slot), give));
        *slot.lock().unwrap() = Some(handle);
        go.set();
        assert_eq!(given.recv().unwrap(), 5);

        let (mut handle, go) = begun(6);
        let done = Arc::new(Flag::new());
        poll(&mut handle, Last(go, Arc::clone(&done)));
        poll(&mut handle, Set(done));
        assert_eq!(handle.join().unwrap(), 6);

        let done = Arc::new(Flag::new());
        let (mut handle, go) = begun(Set(Arc::clone(&done)));
        poll(&mut handle, Last(go, done));
        drop(handle);
    });
}

/// A job calls `yield_now`, and what that runs joins the job: it is told so, for the job cannot go on below it.
#[test]
fn what_runs_on_top_of_a_job_cannot_join_it() {
    within(60, || {
        let here = fresh_pool(1);
        let (give, given) = mpsc::channel::<JobHandle<()>>();
        let (tell, told) = mpsc::channel();
        let job = here.spawn_handle(move || {
            let this = given.recv().unwrap();
            filch::spawn(move || {
                let join = std::panic::AssertUnwindSafe(|| this.join());
                tell.send(std::panic::catch_unwind(join).is_err()).unwrap();
            });
            filch::yield_now();
        });
        give.send(job).unwrap();
        assert!(told.recv().unwrap());
    });
}
