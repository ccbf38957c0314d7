//! Crashes in the middle of an operation, at every byte that it writes.
//!
//! A process that is killed leaves a file whose log has a first part of what the operation wrote. So each such file can be made from the log before and
//! the log after, without killing anything, and at moments that no kill would hit. Opened again, the queue must be as before the operation or as after it,
//! and go on from there as memory does.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use filch_queue::broker::Lease;
use filch_queue::{Aging, Depth, Happening, JobId, Limits, Queue};

use super::model::{Seen, Side, Step, strangers};
use super::support::{Random, Scratch, cases};

/// The bytes of a queue's file and of its log.
struct Files {
    base: Vec<u8>,
    log: Vec<u8>,
}

fn log_of(path: &Path) -> PathBuf {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    log.into()
}

impl Files {
    fn read(path: &Path) -> Self {
        Files {
            base: std::fs::read(path).unwrap(),
            log: std::fs::read(log_of(path)).unwrap(),
        }
    }

    fn write(&self, path: &Path) {
        std::fs::write(path, &self.base).unwrap();
        std::fs::write(log_of(path), &self.log).unwrap();
    }

    /// The first byte in which the logs differ, and the end of the later: where the operation wrote.
    fn written(&self, after: &Files) -> (usize, usize) {
        let same = self.log.iter().zip(&after.log).take_while(|(a, b)| a == b);
        let first = same.count();
        let differs = |at: &usize| self.log.get(*at) != after.log.get(*at);
        let last = (first..after.log.len()).rev().find(differs);
        (first, last.map_or(first, |last| last + 1))
    }

    /// As it was when the operation had written its log up to here. The log is written from its start to its end, over an older one.
    fn torn(&self, after: &Files, at: usize) -> Files {
        let mut log = after.log[..at].to_vec();
        log.extend(self.log.iter().skip(at));
        Files {
            base: self.base.clone(),
            log,
        }
    }
}

/// All that can be seen of a queue and does not depend on the time.
type View = (
    Vec<(JobId, Option<Seen>, Vec<Happening>)>,
    Depth,
    Vec<JobId>,
);

fn view(side: &Side, ids: &[JobId]) -> View {
    let broker = side.queue.broker();
    let of = |&id: &JobId| {
        let events = broker.watch(id, 0, Duration::ZERO).unwrap();
        let events = events.into_iter().map(|event| event.what).collect();
        (id, side.seen(id), events)
    };
    let mut dead: Vec<JobId> = broker
        .dead(1000)
        .unwrap()
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    dead.sort();
    (
        ids.iter().map(of).collect(),
        side.queue.depth().unwrap(),
        dead,
    )
}

/// Fences rise over crashes, too; the newest of these.
fn newer(leases: &[Lease], mut newest: u64, at: &str) -> u64 {
    for lease in leases {
        assert!(
            lease.fence > newest,
            "{at}: fence {} after {newest}",
            lease.fence
        );
        newest = lease.fence;
    }
    newest
}

#[test]
fn an_operation_that_is_cut_short_is_done_or_not_done() {
    let directory = Scratch::new();
    let mut random = Random::new();
    let (mut done, mut undone) = (0, 0);
    for round in 0..3 * cases() {
        let place = |number: u32| directory.path().join(format!("{round}-{number}.db"));
        let open = |path: &Path| Queue::local(path, Limits::jobs(12)).unwrap();
        let mut path = place(0);
        let mut file = Side::new(open(&path));
        let mut memory = Side::new(Queue::mem("q", Limits::jobs(12)));
        let mut ids = strangers();
        let mut newest = 0;
        for number in 1..150 {
            let step = Step::random(&mut random, number, &mut ids);
            let at = format!("round {round}, step {number}, operation {}", step.what);
            let known = file.leases.len();
            if random.below(2) == 0 {
                assert_eq!(memory.step(&step, &ids), file.step(&step, &ids), "{at}");
                newest = newer(&file.leases[known..], newest, &at);
                continue;
            }
            let (old, before) = (view(&file, &ids), Files::read(&path));
            file.step(&step, &ids);
            let after = Files::read(&path);
            let new = view(&file, &ids);
            // Both ends of what it wrote, if it did, and some bytes between them.
            let (first, end) = before.written(&after);
            let some = (0..4).map(|_| first + random.below((end - first).max(1) as u64) as usize);
            let cuts = [first, end.saturating_sub(1).max(first), end];
            path = place(number);
            for cut in cuts.into_iter().chain(some) {
                before.torn(&after, cut).write(&path);
                let found = view(&Side::new(open(&path)), &ids);
                let (is_old, is_new) = (found == old, found == new);
                assert!(
                    is_old || is_new,
                    "{at}: cut at {cut} of {first}..{end}, the queue is neither as before nor as after\nbefore {old:?}\nafter  {new:?}\nfound  {found:?}"
                );
                assert!(
                    cut != first || is_old,
                    "{at}: nothing was written, and yet it is done"
                );
                assert!(
                    cut != end || is_new,
                    "{at}: all was written, and yet it is not done"
                );
                done += u32::from(is_new && cut != end);
                undone += u32::from(is_old && cut != first);
                std::fs::remove_file(&path).unwrap();
                let _ = std::fs::remove_file(log_of(&path));
            }
            // The queue goes on without the process that did it, and so without the leases that were just given, and with new counts of lanes passed over.
            if random.below(2) == 0 {
                newest = newer(&file.leases[known..], newest, &at);
                after.write(&path);
                memory.step(&step, &ids);
                memory.leases.truncate(known);
            } else {
                before.write(&path);
            }
            file.leases.truncate(known);
            (memory.aging, file.aging) = (Arc::new(Aging::new(3)), Arc::new(Aging::new(3)));
            file.queue = open(&path);
            assert_eq!(view(&memory, &ids), view(&file, &ids), "{at}");
        }
        assert_eq!(view(&memory, &ids), view(&file, &ids), "round {round}");
    }
    // Whether the last byte matters depends on the frame, so only one of them is sure.
    assert!(undone > 0, "no cut was in the middle: {done} done");
}
