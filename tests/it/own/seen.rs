//! What a pool says of itself: histograms, threads, load, and the texts for monitors.

use crate::support::within;
use filch::prelude::*;
use filch::{Histogram, SeatStats, ThreadPoolBuilder};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;

fn sum(seats: &[SeatStats], of: impl Fn(&SeatStats) -> Histogram) -> Histogram {
    let mut all = Histogram::default();
    seats.iter().for_each(|seat| all += of(seat));
    all
}

/// Each thread's counters are those of the whole, and each sleep ends with one wake-up of a known length.
#[test]
fn threads_add_up_to_their_pool() {
    within(120, || {
        for threads in [1, 2, 8] {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            for _ in 0..20 {
                let work = |i: u64| {
                    if i.is_multiple_of(64) {
                        std::thread::sleep(Duration::from_micros(50));
                    }
                    i
                };
                let sum: u64 = pool.install(|| (0..2000).into_par_iter().map(work).sum());
                assert_eq!(sum, 1999 * 1000);
            }
            let asleep = |load: filch::Load| load.asleep as usize == threads;
            // A thread is on the list of sleepers a little before it counts its sleep.
            let settled = || {
                let seats = pool.seats();
                let parks: u64 = seats.iter().map(|seat| seat.stats.parks).sum();
                let woken = sum(&seats, |seat| seat.wake).count();
                asleep(pool.load()) && parks - woken == threads as u64
            };
            while !settled() {
                std::thread::yield_now();
            }
            let (seats, stats) = (pool.seats(), pool.stats());
            assert_eq!(seats.len(), threads);
            let total = |of: fn(&SeatStats) -> u64| seats.iter().map(of).sum::<u64>();
            assert_eq!(total(|seat| seat.stats.jobs), stats.jobs);
            assert_eq!(total(|seat| seat.stats.offered), stats.offered);
            let parks = total(|seat| seat.stats.parks);
            let woken = sum(&seats, |seat| seat.wake).count();
            // A thread that sleeps now has not been woken.
            assert_eq!((parks, parks - woken), (stats.parks, threads as u64));
            assert!(sum(&seats, |seat| seat.block).count() > 0);
            assert!(seats.iter().all(|seat| seat.slept > Duration::ZERO));
        }
    });
}

#[test]
fn a_busy_pool_shows_its_queue() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (go, stop) = (mpsc::channel(), mpsc::channel::<()>());
        pool.spawn(move || {
            for _ in 0..5 {
                filch::spawn(|| ());
            }
            go.0.send(()).unwrap();
            let _ = stop.1.recv();
        });
        go.1.recv().unwrap();
        pool.spawn(|| ());
        let load = pool.load();
        assert_eq!((load.public, load.injected), (5, 1));
        assert_eq!((load.asleep, load.searching, load.waiting), (0, 0, 0));
        drop(stop.0);
    });
}

/// Every sample of a family follows its head, families do not mix, histograms rise, and their last bucket is their count.
#[test]
fn the_text_for_prometheus_is_well_formed() {
    let pools: Vec<_> = [1, 2, 3]
        .into_iter()
        .map(|n| ThreadPoolBuilder::new().num_threads(n).build().unwrap())
        .collect();
    for pool in &pools {
        pool.install(|| (0..100_000u64).into_par_iter().map(|i| i ^ 1).max());
    }
    let mut text = String::new();
    filch::prometheus(&mut text).unwrap();
    let (mut kinds, mut family) = (BTreeMap::new(), String::new());
    let mut rising: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    let mut finals: BTreeMap<String, u64> = BTreeMap::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("# TYPE ") {
            let (name, kind) = head.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind));
            assert_eq!(
                kinds.insert(name.to_owned(), kind.to_owned()),
                None,
                "{name} twice"
            );
            family = name.to_owned();
        } else if !line.starts_with("# HELP ") {
            let (series, value) = line.rsplit_once(' ').unwrap();
            let (name, labels) = series.split_once('{').unwrap();
            let labels = labels.strip_suffix('}').unwrap();
            let value: f64 = value.parse().unwrap();
            let rest = name
                .strip_prefix(&family)
                .unwrap_or_else(|| panic!("{line}"));
            assert!(value >= 0.0, "{line}");
            assert_eq!(
                kinds[&family] == "counter",
                name.ends_with("_total"),
                "{line}"
            );
            let pool = labels.split(',').next().unwrap();
            let key = format!("{family}{pool}");
            match rest {
                "" => {}
                "_bucket" => {
                    let bound = labels.split("le=\"").nth(1).unwrap().trim_end_matches('"');
                    let bound = bound.replace("+Inf", "inf").parse::<f64>().unwrap();
                    let last = rising.entry(key).or_insert((0.0, 0));
                    assert!(bound > last.0 && value as u64 >= last.1, "{line}");
                    *last = (bound, value as u64);
                }
                "_count" => drop(finals.insert(key, value as u64)),
                "_sum" => {}
                _ => panic!("{line}"),
            }
        }
    }
    assert_eq!(kinds["filch_wake_seconds"], "histogram");
    assert!(finals.len() >= 6, "two histograms for each pool");
    for (key, count) in finals {
        assert_eq!(rising[&key], (f64::INFINITY, count), "{key}");
    }
    let jobs = text
        .lines()
        .filter(|line| line.starts_with("filch_jobs_total{"));
    assert!(jobs.count() >= 6, "one line for each thread");
}
