//! What a worker does beside the hand-over of many jobs.

use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use filch_queue::{Cx, Fail, Job, Opts, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::Failure;

/// When jobs began and ended.
static RAN: Mutex<Option<mpsc::Sender<(Instant, Instant)>>> = Mutex::new(None);

/// Tells of all jobs from now on.
fn watch() -> Result<mpsc::Receiver<(Instant, Instant)>, Failure> {
    let (sender, ran) = mpsc::channel();
    *RAN.lock().map_err(|error| error.to_string())? = Some(sender);
    Ok(ran)
}

/// Tells that there are no more jobs, so that the listener ends.
fn unwatch() -> Result<(), Failure> {
    *RAN.lock().map_err(|error| error.to_string())? = None;
    Ok(())
}

/// Takes a while, and no processor.
#[derive(Serialize, Deserialize)]
struct Pause(Duration);

impl Job for Pause {
    const KIND: &'static str = "pause/1";
    type Out = ();
    fn run(&self, _: &Cx) -> Result<(), Fail> {
        let began = Instant::now();
        thread::sleep(self.0);
        if let Some(sender) = &*RAN.lock().map_err(Fail::retry)? {
            // It does not matter if the receiver is gone.
            let _ = sender.send((began, Instant::now()));
        }
        Ok(())
    }
}

/// From the call of `submit` to the first line of the job, at an idle worker.
pub fn pickup(queues: &[(&str, Queue)]) -> Result<(), Failure> {
    const TIMES: usize = 200;
    println!("\npickup by an idle worker                p50       p99");
    for (name, queue) in queues {
        let ran = watch()?;
        let worker = Worker::new(queue).accept::<Pause>().run();
        let mut times = Vec::new();
        for time in 0..TIMES {
            // Long enough to be idle, and never the same part of any rhythm.
            thread::sleep(Duration::from_millis(15 + (time as u64 * 7) % 23));
            let begun = Instant::now();
            queue.submit(&Pause(Duration::ZERO), Opts::default())?;
            let (began, _) = ran.recv_timeout(Duration::from_secs(30))?;
            times.push(began.duration_since(begun));
        }
        worker.drain(Duration::from_secs(30));
        unwatch()?;
        times.sort();
        println!(
            "{name:<32} {:>9.1?} {:>9.1?}",
            times[TIMES / 2],
            times[TIMES * 99 / 100]
        );
    }
    Ok(())
}

/// How much of its time each of three workers is at a job, if each job is 50 ms; and what lies between the end of a job and the start of the next.
///
/// From the start of a worker's first job to the end of its last. A sleep that the machine makes longer is time at a job.
pub fn use_of_time(queues: &[(&str, Queue)]) -> Result<(), Failure> {
    const JOBS: u32 = 300;
    const WORKERS: u32 = 3;
    let long = Duration::from_millis(50);
    println!("\njobs of 50 ms, three workers     time at jobs    between two: p50       p99");
    for (name, queue) in queues {
        let jobs: Vec<Pause> = (0..JOBS).map(|_| Pause(long)).collect();
        for answer in queue.submit_all(jobs.iter().map(|job| (job, Opts::default()))) {
            answer?;
        }
        let ran = watch()?;
        thread::scope(|scope| {
            for _ in 0..WORKERS {
                scope.spawn(|| Worker::new(queue).accept::<Pause>().run_until_empty());
            }
        });
        unwatch()?;
        let mut ran: Vec<(Instant, Instant)> = ran.iter().collect();
        ran.sort();
        let at_jobs: Duration = ran
            .iter()
            .map(|(start, end)| end.duration_since(*start))
            .sum();
        let mut ends: Vec<Instant> = ran.iter().map(|(_, end)| *end).collect();
        ends.sort();
        // Which worker ran a job is not told, and makes no difference to the sum: the first three starts wait for no end, and each later one for the next.
        let later = ran.iter().skip(WORKERS as usize).zip(&ends);
        let mut between: Vec<Duration> = later
            .map(|((start, _), end)| start.duration_since(*end))
            .collect();
        between.sort();
        let lost: Duration = between.iter().sum();
        let share = at_jobs.as_secs_f64() / (at_jobs + lost).as_secs_f64();
        println!(
            "{name:<32} {:>9.1} %       {:>9.1?} {:>9.1?}",
            share * 100.0,
            between[between.len() / 2],
            between[between.len() * 99 / 100]
        );
    }
    Ok(())
}

/// How many jobs each of three equal workers gets.
pub fn shares(queues: &[(&str, Queue)]) -> Result<(), Failure> {
    println!("\n600 jobs of 2 ms, three workers  shares");
    for (name, queue) in queues {
        let jobs: Vec<Pause> = (0..600).map(|_| Pause(Duration::from_millis(2))).collect();
        for answer in queue.submit_all(jobs.iter().map(|job| (job, Opts::default()))) {
            answer?;
        }
        let done: Vec<u64> = thread::scope(|scope| {
            let work = || Worker::new(queue).accept::<Pause>().run_until_empty().done;
            let workers: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
            workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or(0))
                .collect()
        });
        println!("{name:<32} {done:?}");
    }
    Ok(())
}
