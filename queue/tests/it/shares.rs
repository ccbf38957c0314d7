//! Equal workers get equal shares, as each asks only when it has a hand free.

use std::sync::{Condvar, Mutex};
use std::time::Duration;

use filch_queue::{Cx, Fail, Job, Limits, Opts, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::jobs::opts;
use super::support::Scratch;

const LONG: Duration = Duration::from_secs(60);
const WORKERS: usize = 3;

/// Jobs of each queue that have begun.
static BEGUN: Mutex<[u64; 3]> = Mutex::new([0; 3]);
static CHANGED: Condvar = Condvar::new();

/// Ends when as many of its queue run as there are workers. A job that lies with a worker that runs another one would never begin.
#[derive(Serialize, Deserialize)]
struct Together(usize);

impl Job for Together {
    const KIND: &'static str = "together/1";
    type Out = ();
    fn run(&self, _: &Cx) -> Result<(), Fail> {
        let mut begun = BEGUN.lock().unwrap();
        begun[self.0] += 1;
        let all = begun[self.0].next_multiple_of(WORKERS as u64);
        CHANGED.notify_all();
        let waited = CHANGED.wait_timeout_while(begun, LONG, |begun| begun[self.0] < all);
        match waited.unwrap().1.timed_out() {
            true => Err(Fail::Dead("the others have not begun".into())),
            false => Ok(()),
        }
    }
}

fn share(number: usize, open: impl Fn() -> Queue) {
    let queue = open();
    let jobs: Vec<Together> = (0..90).map(|_| Together(number)).collect();
    let once = Opts {
        attempts: 1,
        ..opts()
    };
    let tickets = queue.submit_all(jobs.iter().map(|job| (job, once.clone())));
    let queues = [open(), open(), open()];
    let workers = queues
        .each_ref()
        .map(|queue| Worker::new(queue).accept::<Together>().run());
    for ticket in tickets {
        ticket.unwrap().wait(LONG * 2).unwrap();
    }
    let done = workers.map(|worker| worker.drain(LONG).done);
    assert_eq!(done, [30; WORKERS]);
}

#[test]
fn three_workers_get_a_third_each() {
    let memory = Queue::mem("shares", Limits::default());
    share(0, || memory.clone());
    let directory = Scratch::new();
    let file = directory.path().join("shares.db");
    share(1, || Queue::local(&file, Limits::default()).unwrap());
}

#[cfg(feature = "jetstream")]
#[test]
fn three_workers_of_a_server_get_a_third_each() {
    let Some(server) = super::support::Server::start() else {
        return;
    };
    let auth = filch_queue::Auth::default;
    share(2, || {
        Queue::jetstream(&server.url(), auth(), "shares", Limits::default()).unwrap()
    });
}
