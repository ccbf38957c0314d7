//! The work-stealing scheduler of the classroom, a locked deque for each worker; and the mistake that turns the stealing off.
//!
//! `cargo run --release --example mutex_deque -- [jobs in the table]`

use std::collections::{HashSet, VecDeque};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};
use std::{env, thread};

type Job<'j> = Box<dyn FnOnce() + Send + 'j>;

struct Scheduler<'j> {
    /// The owner of a queue takes from its front, thieves from its back.
    queues: Vec<Mutex<VecDeque<Job<'j>>>>,
    /// Jobs that have not ended.
    left: AtomicUsize,
}

/// Runs one job, if `me` finds any.
type Turn = fn(&Scheduler<'_>, me: usize) -> bool;

/// The mistake: one worker runs nearly everything. The guard is a temporary of the condition, and such temporaries live to the end of the
/// block, in every edition of Rust (that of 2024 only drops them before an `else`). So the queue is locked while the job runs, and thieves
/// wait instead of stealing.
fn locked_while_it_runs(scheduler: &Scheduler<'_>, me: usize) -> bool {
    if let Some(job) = scheduler.queues[me].lock().unwrap().pop_front() {
        job();
        return true;
    }
    for victim in scheduler.others(me) {
        if let Some(job) = scheduler.queues[victim].lock().unwrap().pop_back() {
            job();
            return true;
        }
    }
    false
}

/// The correct form. `let` ends the life of the guard at its semicolon, and what runs afterwards runs unlocked.
fn unlocked_first(scheduler: &Scheduler<'_>, me: usize) -> bool {
    let mut job = scheduler.queues[me].lock().unwrap().pop_front();
    for victim in scheduler.others(me) {
        if job.is_some() {
            break;
        }
        job = scheduler.queues[victim].lock().unwrap().pop_back();
    }
    job.map(|job| job()).is_some()
}

impl<'j> Scheduler<'j> {
    fn new(workers: usize) -> Scheduler<'j> {
        let mut queues = Vec::new();
        queues.resize_with(workers, Mutex::default);
        Scheduler {
            queues,
            left: AtomicUsize::new(0),
        }
    }

    /// All jobs begin in the queue of worker 0, so that the others have to steal.
    fn spawn(&self, job: impl FnOnce() + Send + 'j) {
        self.left.fetch_add(1, Ordering::Relaxed);
        self.queues[0].lock().unwrap().push_back(Box::new(job));
    }

    fn others(&self, me: usize) -> impl Iterator<Item = usize> + use<> {
        let workers = self.queues.len();
        (1..workers).map(move |step| (me + step) % workers)
    }

    /// How many jobs each worker ran, and how long they took from when all workers were there.
    fn run(self, turn: Turn) -> (Vec<usize>, Duration) {
        let together = Barrier::new(self.queues.len());
        let work = |me: usize| {
            together.wait();
            let start = Instant::now();
            let mut ran = 0;
            while self.left.load(Ordering::Acquire) > 0 {
                if turn(&self, me) {
                    ran += 1;
                    self.left.fetch_sub(1, Ordering::Release);
                } else {
                    thread::yield_now();
                }
            }
            (ran, start.elapsed())
        };
        let work = &work;
        let results: Vec<(usize, Duration)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..self.queues.len())
                .map(|me| scope.spawn(move || work(me)))
                .collect();
            workers.into_iter().map(|it| it.join().unwrap()).collect()
        });
        let (ran, times): (Vec<usize>, Vec<Duration>) = results.into_iter().unzip();
        (ran, times.into_iter().max().unwrap_or_default())
    }
}

const WORKERS: usize = 4;

fn main() {
    let jobs: usize = env::args()
        .nth(1)
        .map_or(20_000, |n| n.parse().expect("usage: mutex_deque [jobs]"));

    println!("20 jobs of 20 ms on {WORKERS} workers, all in the queue of the first");
    let [(_, one), (_, all)] = [
        ("locked while a job runs", locked_while_it_runs as Turn),
        ("unlocked first", unlocked_first),
    ]
    .map(|(name, turn)| {
        let scheduler = Scheduler::new(WORKERS);
        (0..20).for_each(|_| scheduler.spawn(|| thread::sleep(Duration::from_millis(20))));
        let (ran, time) = scheduler.run(turn);
        assert_eq!(ran.iter().sum::<usize>(), 20, "jobs were lost or run twice");
        println!("  {name:<24} ran {ran:?} in {time:.0?}");
        (ran, time)
    });
    println!("  speed-up {:.2}", one.as_secs_f64() / all.as_secs_f64());
    check_that_all_take_part();

    println!(
        "\n{jobs} jobs spawned by one thread, on {} threads: ns a job",
        filch::current_num_threads()
    );
    println!(
        "{:>16} {:>12} {:>14} {:>6}",
        "work in each", "Mutex deque", "filch::scope", "ratio"
    );
    for (name, steps) in [("none", 0), ("about 0.2 µs", 100), ("about 2 µs", 1_000)] {
        compare(name, jobs, steps);
    }
}

/// As many jobs as workers, each of which waits until as many threads have come: unless every worker takes one, they wait in vain.
fn check_that_all_take_part() {
    let here = Mutex::new(HashSet::new());
    let meet = || {
        here.lock().unwrap().insert(thread::current().id());
        let patience = Instant::now() + Duration::from_secs(10);
        while here.lock().unwrap().len() < WORKERS && Instant::now() < patience {
            thread::sleep(Duration::from_millis(1));
        }
    };
    let scheduler = Scheduler::new(WORKERS);
    (0..WORKERS).for_each(|_| scheduler.spawn(meet));
    let (ran, _) = scheduler.run(unlocked_first);
    assert_eq!(ran, [1; WORKERS], "a worker ran nothing");
}

/// Prints a row of the table: the shortest of five times, taken in turn. To spawn is included; to start threads is not, since those of filch
/// run already.
fn compare(name: &str, jobs: usize, steps: u64) {
    let done = AtomicUsize::new(0);
    let work = || {
        black_box((0..steps).fold(1, |hash: u64, i| {
            (hash ^ i).wrapping_mul(0x9e37_79b9).rotate_left(9)
        }));
        done.fetch_add(1, Ordering::Relaxed);
    };
    let (mut deque, mut scope) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        let start = Instant::now();
        let scheduler = Scheduler::new(filch::current_num_threads());
        (0..jobs).for_each(|_| scheduler.spawn(work));
        let spawned = start.elapsed();
        deque = deque.min(spawned + scheduler.run(unlocked_first).1);

        let start = Instant::now();
        filch::scope(|scope| (0..jobs).for_each(|_| scope.spawn(|_| work())));
        scope = scope.min(start.elapsed());
    }
    assert_eq!(done.into_inner(), 10 * jobs, "jobs were lost or run twice");
    let each = |time: Duration| time.as_nanos() as f64 / jobs as f64;
    let (deque, scope) = (each(deque), each(scope));
    println!(
        "{name:>16} {deque:>12.1} {scope:>14.1} {:>6.2}",
        scope / deque
    );
}
