//! What is lost between a client and the server: frames, and the client itself between two of its writes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use filch_queue::broker::{Ask, Lease, NewJob, Outcome, Update};
use filch_queue::record::{Output, State};
use filch_queue::{Aging, Auth, Cancelled, Happening, JobId, Limits, Opts, Queue, Worker};

use super::jobs::*;
use super::proxy::{Fault, Proxy};
use super::support::{Random, Scratch, Server};

const LONG: Duration = Duration::from_secs(120);

fn open(url: &str, name: &str) -> Queue {
    Queue::jetstream(url, Auth::default(), name, Limits::default()).unwrap()
}

#[test]
fn totals_are_exact_when_frames_are_lost_repeated_and_late() {
    let Some(server) = Server::start() else {
        return;
    };
    let directory = Scratch::new();
    let ledger = directory.path().join("ledger");
    std::fs::create_dir(&ledger).unwrap();
    let random = Mutex::new(Random::new());
    let faults: Arc<[AtomicU64; 3]> = Arc::default();
    let counts = faults.clone();
    let proxy = Proxy::new(server.port(), move |_, _| {
        let (which, fault) = match random.lock().unwrap().below(150) {
            0 => (0, Fault::Drop),
            1..5 => (1, Fault::Twice),
            5..9 => (2, Fault::Late(Duration::from_millis(30))),
            _ => return Fault::Pass,
        };
        counts[which].fetch_add(1, Ordering::Relaxed);
        fault
    });
    let clients: Vec<Queue> = (0..3).map(|_| open(&proxy.url(), "lost")).collect();
    let all: Vec<_> = (0..40u64)
        .map(|number| {
            let job = Marked {
                number,
                steps: (number % 3) as u32,
                ledger: ledger.clone(),
                hold: Hold::Nothing,
            };
            let once = Opts {
                key: Some(number.to_string()),
                attempts: 1_000_000,
                ..opts()
            };
            // What is not acknowledged may or may not be there. With a key it is handed in again.
            loop {
                if let Ok(ticket) = clients[0].submit(&job, once.clone()) {
                    break ticket;
                }
            }
        })
        .collect();
    let workers: Vec<_> = clients
        .iter()
        .map(|queue| {
            let worker = Worker::new(queue).accept::<Marked>().concurrency(2);
            worker.lease(Duration::from_secs(2)).run()
        })
        .collect();
    // Looked at without the proxy: it is the workers that are tested.
    let queue = open(&server.url(), "lost");
    for (number, ticket) in (0u64..).zip(&all) {
        let ticket = queue.ticket::<Marks>(ticket.id());
        let (square, fence, _) = ticket.wait(LONG).unwrap();
        assert_eq!(square, number * number);
        let fences = super::storm::fences(&ledger).remove(&number).unwrap();
        assert_eq!(fences.iter().max(), Some(&fence), "job {number}");
        let events = ticket.subscribe(0).until_settled(LONG).unwrap();
        let started =
            |event: &&Happening| matches!(event, Happening::Started | Happening::Restarted { .. });
        let mut claims: Vec<&Happening> = events.iter().filter(started).collect();
        let told = claims.len();
        claims.dedup();
        assert_eq!(claims.len(), told, "an event came twice: {events:?}");
    }
    for worker in workers {
        worker.drain(LONG);
    }
    assert_eq!(
        (queue.depth().unwrap().open(), queue.depth().unwrap().dead),
        (0, 0)
    );
    let faults = faults.each_ref().map(|count| count.load(Ordering::Relaxed));
    assert!(
        faults.iter().all(|&count| count > 0),
        "too calm: {faults:?}"
    );
}

fn ask(lease: Duration) -> Ask {
    Ask {
        kinds: vec!["k/1".into()],
        classes: vec!["cpu".into()],
        lease,
        aging: Arc::new(Aging::new(8)),
        turns: Arc::default(),
    }
}

fn new_job(id: u32, opts: Opts) -> NewJob {
    NewJob {
        id: format!("{id:032x}").parse().unwrap(),
        kind: "k/1".into(),
        class: "cpu".into(),
        body: id.to_le_bytes().to_vec(),
        opts,
    }
}

fn claim(queue: &Queue, lease: Duration) -> Lease {
    let begun = std::time::Instant::now();
    loop {
        let claimed = queue.broker().claim(&ask(lease), 1, Duration::from_secs(1));
        if let Some(lease) = claimed.unwrap().pop() {
            return lease;
        }
        assert!(begun.elapsed() < LONG, "{:?}", queue.depth());
    }
}

fn finish(queue: &Queue, id: JobId) {
    let lease = claim(queue, LONG);
    assert_eq!(lease.id, id);
    let body = u32::from_str_radix(&id.to_string(), 16).unwrap();
    assert_eq!(lease.body, body.to_le_bytes());
    let done = Outcome::Done(Output::Inline(b"r".to_vec()));
    queue.broker().settle(&lease, done).unwrap();
}

fn state(queue: &Queue, id: JobId) -> State {
    queue.broker().get(id).unwrap().unwrap().state
}

/// What a client does that is lost on the way.
#[derive(Clone, Copy, Debug)]
enum Act {
    Submit,
    Claim,
    Part,
    Done,
    Retry,
    Dead,
    Cancel,
    Requeue,
}

const SHORT: Duration = Duration::from_millis(600);

/// Does it with the connection cut before the frame of this number; the number of frames it took, if that was fewer.
fn act_and_vanish(server: &Server, name: &str, job: &NewJob, act: Act, cut: u64) -> Option<u64> {
    let queue = open(&server.url(), name);
    let once = std::slice::from_ref(job);
    // What comes before the act happens in peace.
    let lease = match act {
        Act::Submit => None,
        _ => {
            queue.broker().submit(once)[0].clone().unwrap();
            match act {
                Act::Claim | Act::Cancel => None,
                Act::Requeue => {
                    let lease = claim(&queue, LONG);
                    let dead = Outcome::Dead("planned".into());
                    queue.broker().settle(&lease, dead).unwrap();
                    None
                }
                // Its end has to be seen afterwards, so it is short; but the act is a client's that still holds it.
                _ => Some(claim(&queue, SHORT)),
            }
        }
    };
    let armed = Arc::new(AtomicU64::new(u64::MAX));
    let left = armed.clone();
    let proxy = Proxy::new(server.port(), move |to_server, _| {
        if !to_server || left.load(Ordering::SeqCst) == u64::MAX {
            return Fault::Pass;
        }
        // At 0 it stays, so that what connects again gets no further.
        match left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
            left.checked_sub(1)
        }) {
            Ok(_) => Fault::Pass,
            Err(_) => Fault::Cut,
        }
    });
    let leaving = open(&proxy.url(), name);
    if let Act::Claim = act {
        // Makes its consumers, so that the frames that are counted are those of the claim.
        let none = Ask {
            kinds: vec!["none/1".into()],
            ..ask(LONG)
        };
        leaving.broker().claim(&none, 1, Duration::ZERO).unwrap();
    }
    armed.store(cut, Ordering::SeqCst);
    let (done, wait) = std::sync::mpsc::channel();
    let job = job.clone();
    // It tries for long to reach the server again, as it should. The test goes on without it.
    thread::spawn(move || {
        let broker = leaving.broker();
        let settle = |outcome| drop(broker.settle(lease.as_ref().unwrap(), outcome));
        match act {
            Act::Submit => drop(broker.submit(&[job])),
            Act::Claim => drop(broker.claim(&ask(SHORT), 1, Duration::ZERO)),
            Act::Part => drop(broker.update(lease.as_ref().unwrap(), Update::Part(vec![1]))),
            Act::Done => settle(Outcome::Done(Output::Inline(b"r".to_vec()))),
            Act::Retry => settle(Outcome::Retry {
                after: None,
                why: "planned".into(),
            }),
            Act::Dead => settle(Outcome::Dead("planned".into())),
            Act::Cancel => drop(broker.cancel(job.id)),
            Act::Requeue => drop(broker.requeue(job.id)),
        }
        let _ = done.send(());
    });
    loop {
        if wait.recv_timeout(Duration::from_millis(5)).is_ok() {
            let left = armed.load(Ordering::SeqCst);
            return (left > 0).then_some(cut - left);
        }
        if armed.load(Ordering::SeqCst) == 0
            && wait.recv_timeout(Duration::from_millis(100)).is_err()
        {
            return None;
        }
    }
}

fn check(server: &Server, name: &str, job: &NewJob, act: Act) {
    let queue = open(&server.url(), name);
    let id = job.id;
    match act {
        Act::Submit => {
            // Again, as a submitter without an answer does.
            queue.broker().submit(std::slice::from_ref(job))[0]
                .clone()
                .unwrap();
            finish(&queue, id);
        }
        Act::Claim | Act::Part | Act::Retry => finish(&queue, id),
        Act::Done => {
            if !state(&queue, id).is_settled() {
                finish(&queue, id);
            }
        }
        Act::Dead => {
            if !state(&queue, id).is_settled() {
                let lease = claim(&queue, LONG);
                let dead = Outcome::Dead("planned".into());
                queue.broker().settle(&lease, dead).unwrap();
            }
            assert!(queue.broker().requeue(id).unwrap(), "its body is kept");
            finish(&queue, id);
        }
        Act::Cancel => {
            let cancelled = queue.broker().cancel(id).unwrap();
            assert!(matches!(
                cancelled,
                Cancelled::BeforeStart | Cancelled::TooLate
            ));
            assert_eq!(state(&queue, id), State::Cancelled);
        }
        Act::Requeue => {
            // Again, as a caller does that got no answer; whether the job is still dead or not.
            queue.broker().requeue(id).unwrap();
            finish(&queue, id);
        }
    }
    // A message that is left is met, and runs nothing.
    let claimed = queue
        .broker()
        .claim(&ask(LONG), 1, Duration::from_millis(50));
    assert!(claimed.unwrap().is_empty());
    let depth = queue.depth().unwrap();
    assert_eq!((depth.open(), depth.dead), (0, 0));
    let events = queue
        .ticket::<()>(id)
        .subscribe(0)
        .until_settled(Duration::ZERO)
        .unwrap();
    let last = if let Act::Cancel = act {
        Happening::Cancelled
    } else {
        Happening::Done
    };
    let ends = |event: &&Happening| **event == last;
    let told = match act {
        Act::Dead | Act::Requeue => queue.broker().watch(id, 0, Duration::ZERO).unwrap(),
        _ => Vec::new(),
    };
    let told: Vec<Happening> = match told.is_empty() {
        true => events,
        false => told.into_iter().map(|event| event.what).collect(),
    };
    assert_eq!(told.iter().filter(ends).count(), 1, "{told:?}");
    assert_eq!(told.last(), Some(&last), "{told:?}");
}

#[test]
fn a_client_may_vanish_between_any_two_writes() {
    let Some(server) = Server::start() else {
        return;
    };
    let acts = [
        Act::Submit,
        Act::Claim,
        Act::Part,
        Act::Done,
        Act::Retry,
        Act::Dead,
        Act::Cancel,
        Act::Requeue,
    ];
    let server = &server;
    thread::scope(|scope| {
        for act in acts {
            scope.spawn(move || {
                for cut in 1.. {
                    assert!(cut < 60, "{act:?} takes too many frames");
                    let name = format!("{act:?}-{cut}");
                    let job = new_job(cut as u32, opts());
                    let taken = act_and_vanish(server, &name, &job, act, cut);
                    println!("{act:?} cut before frame {}: {taken:?}", cut + 1);
                    check(server, &name, &job, act);
                    if taken.is_some() {
                        // So many frames it takes, and all of them went through.
                        assert!(cut > 1, "{act:?} was not cut at all");
                        return;
                    }
                }
            });
        }
    });
}
