//! What a worker does beside the hand-over of many jobs.

use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use filch_queue::{Cx, Fail, Job, Opts, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::Failure;

/// When the last job began.
static BEGAN: Mutex<Option<mpsc::Sender<Instant>>> = Mutex::new(None);

/// Takes a while, and no processor.
#[derive(Serialize, Deserialize)]
struct Pause(Duration);

impl Job for Pause {
    const KIND: &'static str = "pause/1";
    type Out = ();
    fn run(&self, _: &Cx) -> Result<(), Fail> {
        if let Some(sender) = &*BEGAN.lock().map_err(Fail::retry)? {
            // Nobody has to listen.
            let _ = sender.send(Instant::now());
        }
        thread::sleep(self.0);
        Ok(())
    }
}

/// From the call of `submit` to the first line of the job, at an idle worker.
pub fn pickup(queues: &[(&str, Queue)]) -> Result<(), Failure> {
    const TIMES: usize = 200;
    println!("\npickup by an idle worker                p50       p99");
    for (name, queue) in queues {
        let (sender, began) = mpsc::channel();
        *BEGAN.lock().map_err(|error| error.to_string())? = Some(sender);
        let worker = Worker::new(queue).accept::<Pause>().run();
        let mut times = Vec::new();
        for time in 0..TIMES {
            // Long enough to be idle, and never the same part of any rhythm.
            thread::sleep(Duration::from_millis(15 + (time as u64 * 7) % 23));
            let begun = Instant::now();
            queue.submit(&Pause(Duration::ZERO), Opts::default())?;
            times.push(
                began
                    .recv_timeout(Duration::from_secs(30))?
                    .duration_since(begun),
            );
        }
        worker.drain(Duration::from_secs(30));
        *BEGAN.lock().map_err(|error| error.to_string())? = None;
        times.sort();
        println!(
            "{name:<32} {:>9.1?} {:>9.1?}",
            times[TIMES / 2],
            times[TIMES * 99 / 100]
        );
    }
    Ok(())
}

/// How much of their time two hands are at a job, if each is 50 ms.
pub fn use_of_time(queues: &[(&str, Queue)]) -> Result<(), Failure> {
    const JOBS: u32 = 80;
    const HANDS: u32 = 2;
    let long = Duration::from_millis(50);
    println!("\njobs of 50 ms                   time at jobs");
    for (name, queue) in queues {
        let jobs: Vec<Pause> = (0..JOBS).map(|_| Pause(long)).collect();
        for answer in queue.submit_all(jobs.iter().map(|job| (job, Opts::default()))) {
            answer?;
        }
        let (sender, began) = mpsc::channel();
        *BEGAN.lock().map_err(|error| error.to_string())? = Some(sender);
        let worker = Worker::new(queue).accept::<Pause>();
        let begun = Instant::now();
        worker.concurrency(HANDS as usize).run_until_empty();
        *BEGAN.lock().map_err(|error| error.to_string())? = None;
        // What is asked is the pace while there is work, up to the end of the last job; not the look at an empty queue after it.
        let last = began.iter().last().ok_or("no job began")?;
        let took = last.duration_since(begun) + long;
        let share = long.as_secs_f64() * f64::from(JOBS) / (took.as_secs_f64() * f64::from(HANDS));
        println!("{name:<32} {:>9.1} %", share * 100.0);
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
