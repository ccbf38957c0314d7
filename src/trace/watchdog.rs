//! The watchdog: a thread that looks whether the pools still move, and tells which thread in which loop is to blame if not.

use super::recording::Trace;
use super::whereabouts::{At, Whereabouts};
use crate::core::is_child;
use crate::core::pool::Pool;
use crate::core::pools;
use crate::core::recorder::{Identity, Recording};
use crate::core::say;
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often it looks, at least and at most.
const LOOKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];
/// In how many looks a stall is seen, at least.
const TIMES: u32 = 5;

/// A watchdog, until it is dropped.
pub(super) struct Watchdog {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

/// Writes a recording with a report, and says where.
pub(super) type Dump = Box<dyn Fn(Trace, &str) -> Result<String, String> + Send>;

impl Watchdog {
    pub(super) fn start(
        recording: Arc<Recording>,
        stall: Duration,
        dump: Dump,
    ) -> Result<Watchdog, String> {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let stopped = Arc::clone(&stop);
        let stall = stall.max(LOOKS[0]);
        let watch = move || {
            let mut watch = Watch::default();
            let (stopped, bell) = &*stopped;
            let mut guard = stopped.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let period = (stall / TIMES).clamp(LOOKS[0], LOOKS[1]);
                guard = match bell.wait_timeout(guard, period) {
                    Ok((guard, _)) => guard,
                    Err(poisoned) => poisoned.into_inner().0,
                };
                if *guard || is_child() {
                    return;
                }
                if let Some(finding) = watch.look(&recording, stall) {
                    let (line, trace, report) = finding;
                    let written = dump(trace, &report);
                    say(&match written {
                        Ok(path) => format!("filch: watchdog: {line}; more is in {path}"),
                        Err(why) => format!("filch: watchdog: {line}; {why}"),
                    });
                }
            }
        };
        let thread = thread::Builder::new().name("filch-watchdog".into());
        match thread.spawn(watch) {
            Ok(thread) => Ok(Watchdog {
                stop,
                thread: Some(thread),
            }),
            Err(error) => Err(format!("its thread could not be started: {error}")),
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if is_child() {
            // Here is no such thread, and perhaps it had the lock.
            return;
        }
        let (stopped, bell) = &*self.stop;
        *stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        bell.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// How far each of some threads had come.
type Heads = Vec<(Identity, u64)>;

/// What was seen so far.
#[derive(Default)]
struct Watch {
    /// How far each thread had come, and since when.
    desks: BTreeMap<Identity, (u64, Instant)>,
    /// Since when each pool has had work for sleepers whom nobody wakes, and what it had counted then.
    left: BTreeMap<u64, ([u64; 4], Instant)>,
    /// What was told last, until something moves: the pool that left its work lying, if it was that, and the threads that are stuck.
    told: Option<(Option<u64>, Heads)>,
    /// Where the recording stood when it was last judged and all threads had been silent for long: nothing new can be found until something moves.
    judged: Heads,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finding {
    /// Work, sleepers, and nobody who looks: ours.
    Left { pool: u64 },
    /// These threads are silent, and others may wait for them; whether one of them runs on top of a wait.
    Silent { seats: Vec<Identity>, nested: bool },
    /// These threads wait, and none of their pools does anything.
    Circle { seats: Vec<Identity> },
}

type Told = (String, Trace, String);

impl Watch {
    fn look(&mut self, recording: &Recording, stall: Duration) -> Option<Told> {
        let now = Instant::now();
        let pools = pools::living();
        let mut seen = Vec::new();
        let mut left = None;
        for (_, pool) in &pools {
            for desk in pool.all_desks() {
                let deck = desk.probe.tape.deck();
                seen.push((deck.of, deck.head()));
            }
            if self.is_left(pool, now, stall) {
                left = Some(pool.number);
            }
        }
        self.left
            .retain(|number, _| pools.iter().any(|(_, pool)| pool.number == *number));
        let before = std::mem::take(&mut self.desks);
        for &(of, head) in &seen {
            let since = match before.get(&of) {
                Some(&(at, since)) if at == head => since,
                _ => now,
            };
            self.desks.insert(of, (head, since));
        }
        let for_long = |long: Duration| seen.iter().any(|(of, _)| now - self.desks[of].1 >= long);
        if left.is_none() && !for_long(stall) {
            self.told = None;
            return None;
        }
        if left.is_none() && seen == self.judged {
            return None;
        }
        if seen.iter().all(|(of, _)| now - self.desks[of].1 >= stall) {
            self.judged.clone_from(&seen);
        }
        // Those that stopped a little later belong to it.
        let silent: Vec<_> = seen
            .iter()
            .map(|&(of, _)| of)
            .filter(|of| now - self.desks[of].1 >= stall / 2)
            .collect();
        let trace = Trace::of(recording);
        let whereabouts = Whereabouts::of(&trace);
        let finding = match left {
            Some(pool) => Finding::Left { pool },
            None => match judge(&whereabouts, &silent) {
                Some(finding) => finding,
                None => {
                    self.told = None;
                    return None;
                }
            },
        };
        // Once, as long as the same threads are stuck at the same place.
        let stuck: Vec<_> = match &finding {
            Finding::Left { .. } => Vec::new(),
            Finding::Silent { seats, .. } | Finding::Circle { seats } => {
                seats.iter().map(|of| (*of, self.desks[of].0)).collect()
            }
        };
        if let Some((pool, told)) = &self.told
            && *pool == left
            && stuck.iter().all(|seat| told.contains(seat))
        {
            return None;
        }
        self.told = Some((left, stuck));
        let line = finding.in_words(&whereabouts, stall);
        let mut report = format!("{line}\n\n");
        for (name, pool) in &pools {
            report += &format!(
                "pool {name}: {:?}, queues {:?}, free rights {}\n",
                pool.load(),
                pool.queues().collect::<Vec<_>>(),
                pool.rights.free()
            );
        }
        report += &whereabouts.all();
        drop(whereabouts);
        Some((line, trace, report))
    }

    /// Whether a pool has had work for a sleeper for so long, and nobody looked, nobody was woken, nothing was taken.
    fn is_left(&mut self, pool: &Pool, now: Instant, stall: Duration) -> bool {
        let load = pool.load();
        let idle = load.asleep > 0 && load.searching == 0;
        let left = idle && pool.rights.any() && (pool.loot(1) > 0 || pool.is_counted_on());
        let stats = pool.stats();
        let counts = left.then_some([stats.wakes, stats.parks, stats.steals, stats.jobs]);
        self.is_left_since(pool.number, counts, now) >= stall
    }

    /// For how long a pool has left work to sleepers, without a change of its counts; none, if it does not now.
    fn is_left_since(&mut self, pool: u64, counts: Option<[u64; 4]>, now: Instant) -> Duration {
        let Some(counts) = counts else {
            self.left.remove(&pool);
            return Duration::ZERO;
        };
        let entry = self.left.entry(pool).or_insert((counts, now));
        if entry.0 != counts {
            *entry = (counts, now);
        }
        now - entry.1
    }
}

/// What is wrong with a process of whose threads these have been silent.
pub(super) fn judge(whereabouts: &Whereabouts<'_>, silent: &[Identity]) -> Option<Finding> {
    let tracks = &whereabouts.trace.tracks;
    let (mut working, mut waiting, mut moving) = (Vec::new(), Vec::new(), Vec::new());
    for (track, of) in tracks.iter().enumerate() {
        // Those that are at no desk are in no pool.
        if of.of.desk == 0 {
            continue;
        }
        let is_silent = silent.contains(&of.of);
        match whereabouts.at(track) {
            At::Work { in_call, in_wait } if is_silent => working.push((of.of, in_call, in_wait)),
            At::Wait => waiting.push((of.of, is_silent)),
            At::Work { .. } => moving.push(of.of),
            At::Nothing => {}
        }
    }
    let awaited = waiting.iter().any(|&(_, silent)| silent)
        || working
            .iter()
            .any(|&(_, in_call, in_wait)| in_call || in_wait);
    if !working.is_empty() {
        return awaited.then(|| Finding::Silent {
            nested: working.iter().any(|&(_, _, in_wait)| in_wait),
            seats: working.into_iter().map(|(of, ..)| of).collect(),
        });
    }
    let all_wait =
        !waiting.is_empty() && moving.is_empty() && waiting.iter().all(|&(_, silent)| silent);
    all_wait.then(|| Finding::Circle {
        seats: waiting.into_iter().map(|(of, _)| of).collect(),
    })
}

impl Finding {
    /// What is wrong, in a line.
    pub(super) fn in_words(&self, whereabouts: &Whereabouts<'_>, stall: Duration) -> String {
        /// How many threads are named.
        const MOST: usize = 8;
        let named = |seats: &[Identity]| {
            let named: Vec<_> = seats
                .iter()
                .take(MOST)
                .filter_map(|&of| {
                    let place = whereabouts.place(whereabouts.track(of)?);
                    Some(format!("{} is in {place}", whereabouts.name(of)))
                })
                .collect();
            let more = seats.len().saturating_sub(MOST);
            let more = if more > 0 {
                format!("; and {more} more")
            } else {
                String::new()
            };
            named.join("; ") + &more
        };
        match self {
            Finding::Left { pool } => format!(
                "for {stall:?} there has been work in pool {pool}, threads sleep, and none looks for it: this is a bug of filch's, please report it"
            ),
            Finding::Silent { seats, nested } => {
                let lock = match *nested || seats.len() > 1 {
                    true => {
                        "; perhaps they wait for a lock that is held across a parallel call, see filch::isolate"
                    }
                    false => "",
                };
                format!(
                    "silent for {stall:?}, an item takes long or is blocked: {}{lock}",
                    named(seats)
                )
            }
            Finding::Circle { seats } => format!(
                "for {stall:?} all threads have waited for each other, and there is no work: {}",
                named(seats)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::event::Kind;
    use crate::core::recorder::Track;
    use crate::core::tape::Event;

    fn desk(home: u64) -> Identity {
        Identity {
            pool: 3,
            desk: home + 1,
            home: Some(home),
        }
    }

    /// A recording of threads with these events, one after the other.
    fn trace(threads: &[&[Kind]]) -> Trace {
        let ((), mut trace) = super::super::record(|| ());
        trace.begin = 1000;
        trace.ticks = 100;
        let event = |at: usize, &kind: &Kind| Event {
            ticks: 1001 + at as u64,
            kind,
            small: 0,
            number: 7,
            more: [10, 7],
        };
        let track = |(home, kinds): (usize, &&[Kind])| Track {
            of: desk(home as u64),
            events: kinds
                .iter()
                .enumerate()
                .map(|(at, kind)| event(at, kind))
                .collect(),
            lost: 0,
        };
        trace.tracks = threads.iter().enumerate().map(track).collect();
        trace
    }

    fn judged(threads: &[&[Kind]], silent: &[u64]) -> (Option<Finding>, String) {
        let trace = trace(threads);
        let whereabouts = Whereabouts::of(&trace);
        let silent: Vec<_> = silent.iter().map(|&home| desk(home)).collect();
        let finding = judge(&whereabouts, &silent);
        let words = finding
            .as_ref()
            .map(|finding| finding.in_words(&whereabouts, LOOKS[1]));
        (finding, words.unwrap_or_default())
    }

    #[test]
    fn what_is_wrong_is_told_from_what_is_not() {
        use Kind::{Call, CallEnd, Done, Found, Piece, Rise, Run, Search, Sit, Sleep, Up, Wait};
        let seats = |homes: &[u64]| homes.iter().map(|&home| desk(home)).collect::<Vec<_>>();
        // A loop whose owner waits for the piece of another thread.
        let (owner, thief): (&[Kind], &[Kind]) = (
            &[Sit, Call, Wait, Search, Found, Sleep],
            &[Search, Found, Run, Piece],
        );
        let silent = Finding::Silent {
            seats: seats(&[1]),
            nested: false,
        };
        let (finding, words) = judged(&[owner, thief], &[0, 1]);
        assert_eq!(finding, Some(silent));
        assert!(words.contains("worker 1 of pool 3 is in a piece of the loop `call`, 10 items from number 7 on, in a job"), "{words}");
        // Its thief still moves.
        assert_eq!(judged(&[owner, thief], &[0]).0, None);
        // A job on top of a wait.
        let (finding, words) = judged(&[&[Call, Wait, Run], &[Sleep]], &[0, 1]);
        let nested = Finding::Silent {
            seats: seats(&[0]),
            nested: true,
        };
        assert_eq!(finding, Some(nested));
        assert!(words.contains("filch::isolate"), "{words}");
        // Both wait.
        let circle = Finding::Circle {
            seats: seats(&[0, 1]),
        };
        let (finding, words) = judged(&[owner, &[Run, Wait, Sleep]], &[0, 1]);
        assert_eq!(finding, Some(circle));
        assert!(words.contains("have waited for each other"), "{words}");
        // A long job for which nobody waits; a caller's own long work; nothing at all; what is over.
        for fine in [
            &[&[Run] as &[Kind], &[Sleep]],
            &[&[Sit], &[Search]],
            &[&[Sleep], &[Sleep]],
            &[
                &[Sit, Call, CallEnd, Rise],
                &[Run, Done, Search, Found, Sleep, Up, Search],
            ],
        ] {
            assert_eq!(judged(fine, &[0, 1]).0, None, "{fine:?}");
        }
    }

    /// Work that is left is reported when it has been so all the time, and nothing happened meanwhile.
    #[test]
    fn work_that_is_left_to_sleepers_is_ours() {
        let (mut watch, start, ms) = (Watch::default(), Instant::now(), Duration::from_millis);
        let mut look = |counts, at| watch.is_left_since(3, counts, start + ms(at));
        assert_eq!(look(Some([1; 4]), 0), ms(0));
        assert_eq!(look(Some([1; 4]), 50), ms(50));
        // A thread was woken.
        assert_eq!(look(Some([2; 4]), 60), ms(0));
        assert_eq!(look(Some([2; 4]), 100), ms(40));
        assert_eq!(look(None, 110), ms(0));
        assert_eq!(look(Some([2; 4]), 120), ms(0));
        assert_eq!(look(Some([2; 4]), 320), ms(200));
        let trace = trace(&[]);
        let words = Finding::Left { pool: 3 }.in_words(&Whereabouts::of(&trace), ms(200));
        assert!(
            words.contains("pool 3") && words.contains("a bug of filch's"),
            "{words}"
        );
    }

    /// What is offered quietly may lie there; but not if its owner counts on a thread, and all of them sleep. That is what the planted bug `rely` makes of it.
    #[test]
    fn what_nobody_comes_for_although_its_owner_counts_on_it_is_ours() {
        use crate::core::deque::Worth;
        use crate::core::fork::{Forked, fork};
        use crate::core::worker::Worker;
        let _alone = super::super::tests::alone();
        let pool = crate::ThreadPoolBuilder::new().num_threads(2).build();
        let seen = pool.unwrap().install(|| {
            let worker = Worker::current().expect("in a pool");
            let pool = worker.pool();
            while pool.load().asleep == 0 || pool.load().searching > 0 {
                thread::yield_now();
            }
            let is_left = || {
                let (mut watch, now, stall) = (Watch::default(), Instant::now(), LOOKS[0]);
                watch.is_left(pool, now, stall);
                watch.is_left(pool, now + stall, stall)
            };
            worker.start_eager();
            worker.own().relies.set(false);
            let offer = || {
                let public = pool.load().public;
                let quiet = is_left();
                worker.desk().probe.offered(true);
                (public, quiet, is_left())
            };
            let (seen, back) = fork(worker, Worth::Little, (), |()| (), offer);
            assert!(matches!(back, Forked::Kept(())));
            (seen, is_left())
        });
        assert_eq!(seen, ((1, false, true), false));
    }
}
