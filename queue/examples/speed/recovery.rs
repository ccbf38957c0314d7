//! How long a job of a worker that is killed waits for another.

use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use filch_queue::{Cx, Fail, Job, Opts, Queue, Status, Worker};
use serde::{Deserialize, Serialize};

use super::Failure;

const LEASE: Duration = Duration::from_secs(1);
const KILLS: u64 = 10;

/// When second attempts began.
static BEGAN: Mutex<Option<mpsc::Sender<Instant>>> = Mutex::new(None);

/// Never ends, at the first attempt.
#[derive(Serialize, Deserialize)]
struct Endless;

impl Job for Endless {
    const KIND: &'static str = "endless/1";
    type Out = ();
    fn run(&self, cx: &Cx) -> Result<(), Fail> {
        let began = Instant::now();
        while cx.attempt() == 1 {
            thread::sleep(Duration::from_secs(1));
        }
        if let Some(sender) = &*BEGAN.lock().map_err(Fail::retry)? {
            // It does not matter if the receiver is gone.
            let _ = sender.send(began);
        }
        Ok(())
    }
}

fn worker(queue: &Queue) -> Worker {
    Worker::new(queue).accept::<Endless>().lease(LEASE)
}

/// Until it is killed.
pub fn work(queue: &Queue) {
    worker(queue).run().wait();
}

/// From the kill of a process to the first line of its job in this one, in leases. `places` are those that another process can open.
pub fn recovery(queues: &[(&str, Queue)], places: &[(&str, String)]) -> Result<(), Failure> {
    println!("\na worker is killed, {KILLS} times     median     worst, in leases of {LEASE:?}");
    for (name, queue) in queues {
        let Some((_, place)) = places.iter().find(|(of, _)| of == name) else {
            continue;
        };
        let (sender, began) = mpsc::channel();
        *BEGAN.lock().map_err(|error| error.to_string())? = Some(sender);
        let mut times = Vec::new();
        for kill in 0..KILLS {
            let ticket = queue.submit(&Endless, Opts::default())?;
            let mut child = Command::new(std::env::current_exe()?)
                .args(["--work", place])
                .stdout(Stdio::null())
                .spawn()?;
            while !matches!(ticket.status()?, Status::Running { .. }) {
                thread::sleep(Duration::from_millis(1));
            }
            let other = worker(queue).run();
            // Another part of the time between two renewals each time.
            thread::sleep(LEASE / 2 + Duration::from_millis(kill * 37));
            child.kill()?;
            let killed = Instant::now();
            child.wait()?;
            let began = began.recv_timeout(Duration::from_secs(60))?;
            times.push(began.duration_since(killed).as_secs_f64() / LEASE.as_secs_f64());
            other.drain(Duration::from_secs(30));
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{name:<32} {:>9.2} {:>9.2}",
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
    Ok(())
}
