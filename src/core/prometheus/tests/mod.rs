//! The text of a pool of which all numbers are known.

use super::*;
use crate::core::clock::mock;
use crate::core::histogram::Buckets;
use crate::core::job::HeapJob;
use crate::core::pool::Handlers;
use crate::core::root::Root;

fn times(nanoseconds: &[u64]) -> Histogram {
    let buckets = Buckets::default();
    mock::with(0, || nanoseconds.iter().for_each(|&ns| buckets.count(ns)));
    buckets.read()
}

/// Counters from `first` on.
fn stats(first: u64) -> Stats {
    let mut stats = Stats::default();
    let counters = [
        &mut stats.jobs,
        &mut stats.pieces,
        &mut stats.offered,
        &mut stats.taken,
        &mut stats.looks,
        &mut stats.visits,
        &mut stats.steals,
        &mut stats.failed_steals,
        &mut stats.promotions,
        &mut stats.parks,
        &mut stats.wakes,
        &mut stats.injected,
        &mut stats.guests,
    ];
    for (counter, value) in counters.into_iter().zip(first..) {
        *counter = value;
    }
    stats
}

fn seat(first: u64, blocks: &[u64]) -> SeatStats {
    SeatStats {
        stats: stats(first),
        searched: Duration::from_millis(first),
        slept: Duration::from_millis(first + 1),
        block: times(blocks),
        wake: times(&[first]),
    }
}

/// Two threads, one with a job in its queue.
fn snapshot() -> Snapshot {
    let pool = Pool::new(2, 0, Handlers::default(), true, false);
    let load = Load {
        injected: 301,
        searching: 302,
        asleep: 303,
        waiting: 304,
        ..Load::default()
    };
    Snapshot {
        name: "a".into(),
        all: stats(200),
        load,
        threads: vec![seat(100, &[3, 3]), seat(2000, &[3, 5, 9_000_000_000_000])],
        pool,
    }
}

const EXPECTED: &str = "\
# HELP filch_threads Threads of the pool.
# TYPE filch_threads gauge
filch_threads{pool=\"a\"} 2
# HELP filch_jobs_total Jobs run from a queue.
# TYPE filch_jobs_total counter
filch_jobs_total{pool=\"a\",seat=\"0\"} 100
filch_jobs_total{pool=\"a\",seat=\"1\"} 2000
# HELP filch_pieces_total Of these, pieces of parallel iterators.
# TYPE filch_pieces_total counter
filch_pieces_total{pool=\"a\",seat=\"0\"} 101
filch_pieces_total{pool=\"a\",seat=\"1\"} 2001
# HELP filch_offered_total Pieces offered to others.
# TYPE filch_offered_total counter
filch_offered_total{pool=\"a\",seat=\"0\"} 102
filch_offered_total{pool=\"a\",seat=\"1\"} 2002
# HELP filch_taken_total Of these, taken by another thread.
# TYPE filch_taken_total counter
filch_taken_total{pool=\"a\",seat=\"0\"} 103
filch_taken_total{pool=\"a\",seat=\"1\"} 2003
# HELP filch_looks_total Looks through the queues of other threads.
# TYPE filch_looks_total counter
filch_looks_total{pool=\"a\",seat=\"0\"} 104
filch_looks_total{pool=\"a\",seat=\"1\"} 2004
# HELP filch_visits_total Queues of other threads that were looked at.
# TYPE filch_visits_total counter
filch_visits_total{pool=\"a\",seat=\"0\"} 105
filch_visits_total{pool=\"a\",seat=\"1\"} 2005
# HELP filch_steals_total Attempts to steal.
# TYPE filch_steals_total counter
filch_steals_total{pool=\"a\",seat=\"0\"} 106
filch_steals_total{pool=\"a\",seat=\"1\"} 2006
# HELP filch_failed_steals_total Of these, in vain.
# TYPE filch_failed_steals_total counter
filch_failed_steals_total{pool=\"a\",seat=\"0\"} 107
filch_failed_steals_total{pool=\"a\",seat=\"1\"} 2007
# HELP filch_promotions_total Join jobs made public.
# TYPE filch_promotions_total counter
filch_promotions_total{pool=\"a\",seat=\"0\"} 108
filch_promotions_total{pool=\"a\",seat=\"1\"} 2008
# HELP filch_parks_total Times a thread went to sleep.
# TYPE filch_parks_total counter
filch_parks_total{pool=\"a\",seat=\"0\"} 109
filch_parks_total{pool=\"a\",seat=\"1\"} 2009
# HELP filch_searched_seconds_total Time spent looking for work.
# TYPE filch_searched_seconds_total counter
filch_searched_seconds_total{pool=\"a\",seat=\"0\"} 0.1
filch_searched_seconds_total{pool=\"a\",seat=\"1\"} 2
# HELP filch_slept_seconds_total Time asleep.
# TYPE filch_slept_seconds_total counter
filch_slept_seconds_total{pool=\"a\",seat=\"0\"} 0.101
filch_slept_seconds_total{pool=\"a\",seat=\"1\"} 2.001
# HELP filch_block_seconds Blocks of parallel iterators.
# TYPE filch_block_seconds histogram
filch_block_seconds_bucket{pool=\"a\",le=\"+Inf\"} 5
filch_block_seconds_sum{pool=\"a\"} 9000.000000014
filch_block_seconds_count{pool=\"a\"} 5
# HELP filch_wake_seconds From a call for a sleeper until it goes on.
# TYPE filch_wake_seconds histogram
filch_wake_seconds_bucket{pool=\"a\",le=\"+Inf\"} 2
filch_wake_seconds_sum{pool=\"a\"} 0.0000021
filch_wake_seconds_count{pool=\"a\"} 2
# HELP filch_wakes_total Wake-ups sent.
# TYPE filch_wakes_total counter
filch_wakes_total{pool=\"a\"} 210
# HELP filch_injected_total Jobs from outside.
# TYPE filch_injected_total counter
filch_injected_total{pool=\"a\"} 211
# HELP filch_guests_total Calls that ran on the thread of their caller.
# TYPE filch_guests_total counter
filch_guests_total{pool=\"a\"} 212
# HELP filch_queue_depth Jobs in the queue of a thread.
# TYPE filch_queue_depth gauge
filch_queue_depth{pool=\"a\",seat=\"0\"} 0
filch_queue_depth{pool=\"a\",seat=\"1\"} 1
# HELP filch_injected_jobs Jobs from outside that wait.
# TYPE filch_injected_jobs gauge
filch_injected_jobs{pool=\"a\"} 301
# HELP filch_searching_threads Threads that look for work.
# TYPE filch_searching_threads gauge
filch_searching_threads{pool=\"a\"} 302
# HELP filch_sleeping_threads Threads that sleep for want of work.
# TYPE filch_sleeping_threads gauge
filch_sleeping_threads{pool=\"a\"} 303
# HELP filch_waiting_threads Threads that sleep inside a wait.
# TYPE filch_waiting_threads gauge
filch_waiting_threads{pool=\"a\"} 304
";

#[test]
fn each_number_is_under_its_name() {
    let snapshot = snapshot();
    let pool = Arc::clone(&snapshot.pool);
    let desk = pool.seats[1].own_desk();
    // SAFETY: it borrows nothing.
    let job = unsafe { HeapJob::boxed(Root::NONE, || ()) };
    desk.own.deque.push_public(job, &desk.thief);
    let (mut text, pools) = (String::new(), [snapshot]);
    write(&mut text, &pools).unwrap();
    let job = desk.own.deque.pop_public(&desk.thief);
    // SAFETY: just taken out of the queue.
    assert!(unsafe { job.expect("it was pushed").run(0, &pool.handlers.follow) }.is_none());
    let is_bounded = |line: &&str| line.contains(",le=\"") && !line.contains("+Inf");
    let rest: Vec<_> = text.lines().filter(|line| !is_bounded(line)).collect();
    assert_eq!(rest, EXPECTED.lines().collect::<Vec<_>>());

    // All buckets but the last one, from the shortest on; a count is of all times below the bound.
    let blocks = text.lines().filter(is_bounded);
    let blocks: Vec<_> = blocks.filter(|line| line.contains("block")).collect();
    assert_eq!(blocks.len(), 39);
    for (nth, line) in blocks.into_iter().enumerate() {
        let count = [0, 3, 4][nth.min(2)];
        let bound = Duration::from_nanos(2 << nth).as_secs_f64();
        let expected = format!("filch_block_seconds_bucket{{pool=\"a\",le=\"{bound}\"}} {count}");
        assert_eq!(line, expected);
    }
}

/// No write that fails is passed over.
#[test]
fn a_writer_that_fails_ends_it() {
    /// Takes so many pieces of text.
    struct Takes(usize);
    impl Write for Takes {
        fn write_str(&mut self, _: &str) -> fmt::Result {
            self.0 = self.0.checked_sub(1).ok_or(fmt::Error)?;
            Ok(())
        }
    }
    let pools = [snapshot()];
    let mut all = Takes(usize::MAX);
    write(&mut all, &pools).unwrap();
    for less in [1, 2, 100, 300] {
        assert!(write(&mut Takes(usize::MAX - all.0 - less), &pools).is_err());
    }
}
