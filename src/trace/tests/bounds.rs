//! Tests: what a recording says of more threads.

use super::{alone, pool, spin};
use crate::core::event::Kind;
use crate::core::slots::Event;
use crate::prelude::*;
use crate::trace::{Trace, record};
use std::time::Duration;

/// What takes its time one after the other, then at the same time.
fn half_serial() {
    spin(Duration::from_millis(20));
    (0..400u32)
        .into_par_iter()
        .for_each(|_| spin(Duration::from_micros(100)));
}

#[test]
fn a_recording_bounds_work_and_span() {
    let _alone = alone();
    let two = pool(2);
    let ((), mut trace) = record(|| two.install(half_serial));
    let number = two.weak().number();
    trace.tracks.retain(|track| track.of.pool == number);
    let bounds = trace.scalability();
    assert!(bounds.is_bound() && !bounds.is_rough());
    assert!(bounds.span() <= bounds.elapsed() && bounds.elapsed() <= bounds.work());
    assert_eq!(bounds.span_at_most(), bounds.elapsed());
    // All of it is 60 ms, and one third is a chain.
    assert!(bounds.work() >= Duration::from_millis(60), "{bounds}");
    assert!(bounds.span() >= Duration::from_millis(20), "{bounds}");
    let (seen, most) = bounds.predicted(2);
    assert!(seen >= 1.0 && most <= 2.0);
    let mut before = (0.0, 0.0);
    for threads in 1..=64 {
        let (least, most) = bounds.predicted(threads);
        assert!(before.0 <= least && before.1 <= most && least <= most && most <= threads as f64);
        // With more threads than were seen, nothing more is promised.
        assert!(threads < 2 || least == seen);
        before = (least, most);
    }
}

/// One thread shows nothing of more.
#[test]
fn one_thread_tells_nothing() {
    let _alone = alone();
    let one = pool(1);
    let ((), mut trace) = record(|| one.install(|| spin(Duration::from_millis(1))));
    // Other tests may have run beside it.
    let number = one.weak().number();
    trace.tracks.retain(|track| track.of.pool == number);
    let bounds = trace.scalability();
    assert!(
        bounds.to_string().contains("says nothing of more"),
        "{bounds}"
    );
    assert_eq!(bounds.predicted(1), (1.0, 1.0));
    assert!(bounds.predicted(64).0 <= 1.0);
    // And nothing at all is no fault.
    let ((), trace) = record(|| ());
    let bounds = trace.scalability();
    assert!(bounds.predicted(64).0 <= bounds.predicted(64).1);
}

/// Gives each thread of the pool one job, from the one time to the other.
fn work_from_to(trace: &mut Trace, number: u64, times: impl Fn(u64) -> [u64; 2]) {
    let begin = trace.begin;
    for track in &mut trace.tracks {
        let Some(worker) = track.of.worker.filter(|_| track.of.pool == number) else {
            continue;
        };
        let [from, to] = times(worker);
        track.events = [(from, Kind::Run), (to, Kind::Done)]
            .map(|(at, kind)| Event {
                ticks: begin + at,
                kind,
                small: 0,
                number: 7,
                more: [0; 2],
            })
            .into();
    }
}

/// What a pool has all its threads at work for can be shorter with more of them, whatever the threads of other pools do.
#[test]
fn the_threads_of_another_pool_are_no_help() {
    let _alone = alone();
    let pools = [pool(2), pool(3)];
    let (_, mut trace) = record(|| {
        for pool in &pools {
            pool.broadcast(|_| spin(Duration::from_millis(1)));
        }
    });
    let numbers = pools.each_ref().map(|pool| pool.weak().number());
    trace
        .tracks
        .retain(|track| numbers.contains(&track.of.pool) && track.of.worker.is_some());
    assert_eq!(trace.tracks.len(), 5);
    trace.ticks = 1000;
    // In turn, and all the time.
    work_from_to(&mut trace, numbers[0], |_| [0, 400]);
    work_from_to(&mut trace, numbers[1], |_| [400, 1000]);
    let bounds = trace.scalability();
    assert_eq!(bounds.span(), Duration::ZERO, "{bounds}");
    assert_eq!(bounds.predicted(64).1, 64.0);
    // In turn, and one thread of each has less to do: 100 ticks and 200 are chains.
    work_from_to(&mut trace, numbers[0], |worker| [0, 400 - worker * 100]);
    work_from_to(&mut trace, numbers[1], |worker| [400, 1000 - worker * 100]);
    assert_eq!(trace.scalability().span(), trace.duration(300));
    let mut page = Vec::new();
    trace.write_html(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("All threads of a pool worked for 70 % of the time"));
    for number in numbers {
        assert!(page.contains(&format!(">worker 1, pool {number}</text>")));
    }
    // At the same time: for 100 ticks, the first pool has a thread to spare, and so has the second.
    work_from_to(&mut trace, numbers[0], |worker| [0, 1000 - worker * 100]);
    work_from_to(&mut trace, numbers[1], |worker| [0, 1000 - worker * 450]);
    assert_eq!(trace.scalability().span(), trace.duration(100));
}

/// Threads that worked all the time set no bound for more of them.
#[test]
fn without_a_span_there_is_no_bound() {
    let _alone = alone();
    let two = pool(2);
    let (_, mut trace) = record(|| two.broadcast(|_| spin(Duration::from_millis(1))));
    let number = two.weak().number();
    trace
        .tracks
        .retain(|track| track.of.pool == number && track.of.worker.is_some());
    let ticks = trace.ticks;
    work_from_to(&mut trace, number, |_| [0, ticks]);
    assert_eq!(trace.tracks.len(), 2);
    let bounds = trace.scalability();
    assert_eq!(bounds.span(), Duration::ZERO);
    assert_eq!(bounds.parallelism(), f64::INFINITY);
    assert_eq!(bounds.predicted(2), (2.0, 2.0));
    assert_eq!(bounds.predicted(64), (2.0, 64.0));
    assert!(
        bounds
            .to_string()
            .ends_with("sets no bound for more of them.")
    );
    let mut page = Vec::new();
    trace.write_html(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("no bound") && !page.contains("inf ") && !page.contains("NaN"));
    // A file may say that all that is left of a thread is later than the end.
    let mut late = trace.clone();
    late.tracks[0].lost = 1;
    late.tracks[0].events[0].ticks = late.begin + 2 * late.ticks;
    assert!(late.scalability().elapsed() <= late.elapsed());
    // What takes no time at all has nothing to share.
    trace.ticks = 0;
    trace.tracks.clear();
    assert_eq!(trace.scalability().parallelism(), 1.0);
}
