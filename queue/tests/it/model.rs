//! Random operations on a file, and on a server, beside the same on memory: every answer is equal, also when the queue is closed and opened between two of them.

use std::sync::Arc;
use std::time::Duration;

use filch_queue::broker::{Ask, Lease, NewJob, Outcome, Update};
use filch_queue::record::{Output, State};
use filch_queue::{Aging, JobId, Lane, Limits, Opts, Queue};

use super::jobs::opts;
use super::support::{Random, Scratch, cases};

/// What of a record does not depend on the time of the write.
pub type Seen = (State, u32, u32, bool, Option<Vec<u8>>, Lane);

/// A queue, and what its user knows of it.
pub struct Side {
    pub queue: Queue,
    pub aging: Arc<Aging>,
    pub leases: Vec<Lease>,
}

/// How many operations there are.
pub const OPERATIONS: u64 = 20;

/// An operation, by numbers; and what it is done to.
pub struct Step {
    pub what: u64,
    pick: u64,
    job: NewJob,
}

impl Step {
    /// Any operation. Jobs that it submits are added to those that later ones may pick.
    pub fn random(random: &mut Random, number: u32, ids: &mut Vec<JobId>) -> Self {
        let (what, pick) = (random.below(OPERATIONS), random.below(1 << 20));
        let lane = Lane::ALL[random.below(3) as usize];
        let id: JobId = match random.below(4) {
            0 => ids[random.below(ids.len() as u64) as usize],
            _ => format!("{:016x}{:016x}", random.below(u64::MAX), number)
                .parse()
                .unwrap(),
        };
        let job = NewJob {
            id,
            kind: ["a/1", "b/1", "c/1"][random.below(3) as usize].to_owned(),
            class: "cpu".into(),
            body: vec![number as u8],
            opts: Opts {
                lane,
                attempts: 1 + random.below(3) as u32,
                ..opts()
            },
        };
        if what < 4 && !ids.contains(&id) {
            ids.push(id);
        }
        Step { what, pick, job }
    }
}

/// Jobs that were never submitted.
pub fn strangers() -> Vec<JobId> {
    (0..4u128)
        .map(|i| format!("{i:032x}").parse().unwrap())
        .collect()
}

impl Side {
    pub fn new(queue: Queue) -> Self {
        Side {
            queue,
            aging: Arc::new(Aging::new(3)),
            leases: Vec::new(),
        }
    }

    pub fn seen(&self, id: JobId) -> Option<Seen> {
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

    /// Does it, and says what the answer was.
    pub fn step(&mut self, step: &Step, ids: &[JobId]) -> String {
        let Step { what, pick, job } = step;
        let (what, pick) = (*what, *pick);
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
                    turns: Arc::default(),
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
        let mut ids = strangers();
        for number in 0..400u32 {
            if random.below(20) == 0 {
                file.queue = open();
            }
            let step = Step::random(&mut random, number, &mut ids);
            let (one, two) = (memory.step(&step, &ids), file.step(&step, &ids));
            // Times are in no answer, and the order of dead jobs, which is by time, is not either.
            assert_eq!(
                one, two,
                "round {round}, step {number}, operation {}",
                step.what
            );
        }
        for &id in &ids {
            assert_eq!(memory.seen(id), file.seen(id), "round {round}");
        }
    }
}

/// A server keeps no order between kinds, nor of what comes again. So each job has a memory of its own, which has to agree with whatever the server does with it.
#[cfg(feature = "jetstream")]
mod on_a_server {
    use std::collections::BTreeMap;

    use filch_queue::Auth;
    use filch_queue::broker::Event;

    use super::super::support::Server;
    use super::*;

    fn ask() -> Ask {
        Ask {
            kinds: vec!["a/1".into(), "b/1".into()],
            classes: vec!["cpu".into()],
            lease: Duration::from_secs(600),
            aging: Arc::new(Aging::new(3)),
            turns: Arc::default(),
        }
    }

    struct Pair {
        memory: Queue,
        leases: Vec<(Lease, Lease)>,
    }

    fn events(events: Vec<Event>) -> Vec<filch_queue::Happening> {
        events.into_iter().map(|event| event.what).collect()
    }

    #[test]
    fn a_server_does_what_memory_does() {
        let Some(server) = Server::start() else {
            return;
        };
        let mut random = Random::new();
        for round in 0..2 * cases() {
            let name = format!("model-{round}");
            let open = || {
                Queue::jetstream(&server.url(), Auth::default(), &name, Limits::default()).unwrap()
            };
            let mut queue = open();
            let mut pairs: BTreeMap<JobId, Pair> = BTreeMap::new();
            for step in 0..250u32 {
                let (what, pick) = (random.below(20), random.below(1 << 20) as usize);
                if random.below(20) == 0 {
                    queue = open();
                }
                let at = format!("round {round}, step {step}, operation {what}");
                let broker = queue.broker();
                if what < 4 || pairs.is_empty() {
                    let id: JobId = match pairs.keys().nth(pick % 8) {
                        Some(&id) if pick % 3 == 0 => id,
                        _ => format!("{:016x}{step:016x}", random.below(u64::MAX))
                            .parse()
                            .unwrap(),
                    };
                    let job = NewJob {
                        id,
                        kind: ["a/1", "b/1", "c/1"][pick % 3].into(),
                        class: "cpu".into(),
                        body: vec![step as u8],
                        opts: Opts {
                            lane: Lane::ALL[pick % 3],
                            attempts: 1 + (pick % 3) as u32,
                            ..opts()
                        },
                    };
                    let pair = pairs.entry(id).or_insert_with(|| Pair {
                        memory: Queue::mem("q", Limits::default()),
                        leases: Vec::new(),
                    });
                    let once = std::slice::from_ref(&job);
                    let expected = pair.memory.broker().submit(once);
                    assert_eq!(broker.submit(once), expected, "{at}");
                    continue;
                }
                if what < 9 {
                    let may = |pair: &Pair| {
                        let kinds = pair.memory.broker().kinds().unwrap();
                        kinds.iter().any(|of| of.queued > 0 && of.kind != "c/1")
                    };
                    let some = pairs.values().any(may);
                    // What is there comes, though perhaps not at the first look.
                    let wait = Duration::from_secs(if some { 30 } else { 0 });
                    let leases = broker.claim(&ask(), 1 + pick % 3, wait).unwrap();
                    assert_eq!(!leases.is_empty(), some, "{at}");
                    for lease in leases {
                        let pair = pairs.get_mut(&lease.id).unwrap();
                        let claimed = pair.memory.broker().claim(&ask(), 1, Duration::ZERO);
                        let twin = claimed.unwrap().pop().expect("claimed on the server only");
                        assert_eq!(lease.body, twin.body, "{at}");
                        assert_eq!(lease.record.attempt, twin.record.attempt, "{at}");
                        assert_eq!(lease.record.checkpoint, twin.record.checkpoint, "{at}");
                        pair.leases.push((lease, twin));
                    }
                    continue;
                }
                let (&id, pair) = pairs.iter().nth(pick % pairs.len()).unwrap();
                let memory = pair.memory.broker();
                let held = pair.leases.get(pick % pair.leases.len().max(1));
                let settle = |outcome: Outcome| {
                    let Some((lease, twin)) = held else { return };
                    let expected = memory.settle(twin, outcome.clone());
                    assert_eq!(broker.settle(lease, outcome), expected, "{at}");
                };
                let update = |update: Update| {
                    let Some((lease, twin)) = held else { return };
                    let expected = memory.update(twin, update.clone());
                    assert_eq!(broker.update(lease, update), expected, "{at}");
                };
                match what {
                    9 | 10 => settle(Outcome::Done(Output::Inline(vec![pick as u8]))),
                    11 => settle(Outcome::Retry {
                        after: None,
                        why: "r".into(),
                    }),
                    12 => settle(Outcome::Dead("d".into())),
                    13 => settle(Outcome::Return),
                    14 => update(Update::Part(vec![pick as u8])),
                    15 => update(Update::Checkpoint(vec![pick as u8])),
                    16 => {
                        if let Some((lease, twin)) = held {
                            let expected = memory.renew(&[twin]).unwrap();
                            assert_eq!(broker.renew(&[lease]).unwrap(), expected, "{at}");
                        }
                    }
                    17 => {
                        let expected = memory.cancel(id).unwrap();
                        assert_eq!(broker.cancel(id).unwrap(), expected, "{at}");
                    }
                    18 => {
                        let expected = memory.requeue(id).unwrap();
                        assert_eq!(broker.requeue(id).unwrap(), expected, "{at}");
                    }
                    _ => {
                        let mut depth = filch_queue::Depth::default();
                        for pair in pairs.values() {
                            let of = pair.memory.depth().unwrap();
                            depth.dead += of.dead;
                            for (all, one) in depth.lanes.iter_mut().zip(of.lanes) {
                                all.queued += one.queued;
                                all.delayed += one.delayed;
                                all.leased += one.leased;
                                all.bytes += one.bytes;
                            }
                        }
                        assert_eq!(queue.depth().unwrap(), depth, "{at}");
                    }
                }
                let seen = |queue: &Queue| {
                    let side = Side::new(queue.clone());
                    let watched = queue.broker().watch(id, 0, Duration::ZERO).unwrap();
                    (side.seen(id), events(watched))
                };
                // The start of a first attempt may be told a moment later than the record says so.
                let expected = seen(&pair.memory);
                let begun = std::time::Instant::now();
                while seen(&queue) != expected && begun.elapsed() < Duration::from_secs(2) {
                    std::thread::sleep(Duration::from_millis(2));
                }
                assert_eq!(seen(&queue), expected, "{at}");
            }
        }
    }
}
