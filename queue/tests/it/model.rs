//! Random operations on a file beside the same on memory: every answer is equal, also when the file is closed and opened between two of them.

use std::sync::Arc;
use std::time::Duration;

use filch_queue::broker::{Ask, Lease, NewJob, Outcome, Update};
use filch_queue::record::{Output, State};
use filch_queue::{Aging, JobId, Lane, Limits, Opts, Queue};

use super::jobs::opts;
use super::support::{Random, Scratch, cases};

/// What of a record does not depend on the time of the write.
type Seen = (State, u32, u32, bool, Option<Vec<u8>>, Lane);

struct Side {
    queue: Queue,
    aging: Arc<Aging>,
    leases: Vec<Lease>,
}

impl Side {
    fn new(queue: Queue) -> Self {
        Side {
            queue,
            aging: Arc::new(Aging::new(3)),
            leases: Vec::new(),
        }
    }

    fn seen(&self, id: JobId) -> Option<Seen> {
        let record = self.queue.broker().get(id).unwrap()?;
        Some((
            record.state,
            record.attempt,
            record.allowed,
            record.cancel,
            record.checkpoint,
            record.lane,
        ))
    }

    fn step(&mut self, what: u64, pick: u64, job: &NewJob, ids: &[JobId]) -> String {
        let broker = self.queue.broker();
        let id = ids[(pick % ids.len() as u64) as usize];
        let lease = (!self.leases.is_empty())
            .then(|| &self.leases[(pick % self.leases.len() as u64) as usize]);
        let settle = |outcome| lease.map(|lease| broker.settle(lease, outcome));
        match what {
            0..4 => format!("{:?}", broker.submit(std::slice::from_ref(job))),
            4..8 => {
                let ask = Ask {
                    kinds: vec!["a/1".into(), "b/1".into()],
                    classes: vec!["cpu".into()],
                    lease: Duration::from_secs(600),
                    aging: self.aging.clone(),
                };
                let leases = broker
                    .claim(&ask, 1 + pick as usize % 3, Duration::ZERO)
                    .unwrap();
                let text = leases
                    .iter()
                    .map(|lease| format!("{} {} {:?};", lease.id, lease.record.attempt, lease.body))
                    .collect();
                self.leases.extend(leases);
                text
            }
            8 => format!(
                "{:?}",
                settle(Outcome::Done(Output::Inline(vec![pick as u8])))
            ),
            9 => format!(
                "{:?}",
                settle(Outcome::Retry {
                    after: None,
                    why: "r".into()
                })
            ),
            10 => format!("{:?}", settle(Outcome::Dead("d".into()))),
            11 => format!("{:?}", settle(Outcome::Return)),
            12 => format!(
                "{:?}",
                lease.map(|lease| broker.update(lease, Update::Part(vec![pick as u8])))
            ),
            13 => format!(
                "{:?}",
                lease.map(|lease| broker.update(lease, Update::Checkpoint(vec![pick as u8])))
            ),
            14 => format!("{:?}", lease.map(|lease| broker.renew(&[lease]))),
            15 => format!("{:?}", broker.cancel(id)),
            16 => format!("{:?}", broker.requeue(id)),
            17 => format!("{:?}", broker.watch(id, pick % 5, Duration::ZERO)),
            _ => format!(
                "{:?} {:?}",
                broker.depth(),
                broker
                    .dead(1000)
                    .unwrap()
                    .into_iter()
                    .map(|(id, _)| id)
                    .collect::<std::collections::BTreeSet<_>>()
            ),
        }
    }
}

#[test]
fn a_file_does_what_memory_does() {
    let directory = Scratch::new();
    let mut random = Random::new();
    for round in 0..6 * cases() {
        let path = directory.path().join(format!("{round}.db"));
        let open = || Queue::local(&path, Limits::jobs(12)).unwrap();
        let (mut memory, mut file) = (
            Side::new(Queue::mem("q", Limits::jobs(12))),
            Side::new(open()),
        );
        let mut ids: Vec<JobId> = (0..4u128)
            .map(|i| format!("{i:032x}").parse().unwrap())
            .collect();
        for step in 0..400u32 {
            let (what, pick) = (random.below(20), random.below(1 << 20));
            if random.below(20) == 0 {
                file.queue = open();
            }
            let lane = Lane::ALL[random.below(3) as usize];
            let id: JobId = match random.below(4) {
                0 => ids[random.below(ids.len() as u64) as usize],
                _ => format!("{:016x}{:016x}", random.below(u64::MAX), step)
                    .parse()
                    .unwrap(),
            };
            let kind = ["a/1", "b/1", "c/1"][random.below(3) as usize].to_owned();
            let attempts = 1 + random.below(3) as u32;
            let job = NewJob {
                id,
                kind,
                class: "cpu".into(),
                body: vec![step as u8],
                opts: Opts {
                    lane,
                    attempts,
                    ..opts()
                },
            };
            if what < 4 && !ids.contains(&id) {
                ids.push(id);
            }
            let (one, two) = (
                memory.step(what, pick, &job, &ids),
                file.step(what, pick, &job, &ids),
            );
            // Times are in no answer, and the order of dead jobs, which is by time, is not either.
            assert_eq!(one, two, "round {round}, step {step}, operation {what}");
        }
        for &id in &ids {
            assert_eq!(memory.seen(id), file.seen(id), "round {round}");
        }
    }
}
