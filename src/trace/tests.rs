//! Recordings against what is known of what they are of.

use super::recording::Trace;
use super::spans::{Span, What};
use super::{Reason, record};
use crate::core::event::Kind;
use crate::core::recorder::Track;
use crate::prelude::*;
use crate::{Stats, ThreadPool, ThreadPoolBuilder};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Held by each test: a recording has all pools of the process in it.
pub(super) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// Waits until all threads of the pool sleep, and have counted and recorded that they do: only then the time that they slept grows.
fn settle(pool: &ThreadPool) {
    let threads = pool.current_num_threads();
    let slept = || {
        pool.seats()[..threads]
            .iter()
            .map(|seat| seat.slept)
            .collect::<Vec<_>>()
    };
    loop {
        let before = slept();
        std::thread::sleep(Duration::from_micros(100));
        let all = before
            .iter()
            .zip(slept())
            .all(|(before, after)| after > *before);
        if all && pool.load().asleep as usize == threads {
            return;
        }
    }
}

fn spin(time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}

/// Work of all kinds, some of which is stolen.
fn work(pool: &ThreadPool) {
    fn fib(n: u32) -> u64 {
        if n < 2 {
            spin(Duration::from_micros(1));
            return n.into();
        }
        let (a, b) = crate::join(|| fib(n - 1), || fib(n - 2));
        a + b
    }
    pool.install(|| {
        assert_eq!(fib(10), 55);
        let sum: u64 = (0..5000u64)
            .into_par_iter()
            .map(|i| {
                spin(Duration::from_nanos(i % 64 * 20));
                i
            })
            .sum();
        assert_eq!(sum, 2500 * 4999);
        crate::scope(|s| {
            for _ in 0..20 {
                s.spawn(|s| {
                    spin(Duration::from_micros(10));
                    s.spawn(|_| spin(Duration::from_micros(5)));
                });
            }
        });
        let nested: usize = (0..40)
            .into_par_iter()
            .map(|i| (0..i * 10).into_par_iter().filter(|j| j % 3 == 0).count())
            .sum();
        assert!(nested > 0);
    });
}

/// Records `work` in a pool at rest, whose tracks and counters are then those of the work alone.
fn recorded(threads: usize, told: bool) -> (Trace, Stats) {
    let pool = pool(threads);
    if told {
        pool.force_cuts(crate::iter::plumbing::Cuts::Random(threads as u32));
    }
    work(&pool);
    settle(&pool);
    let (stats, mut trace) = record(|| {
        let before = pool.stats();
        (0..5).for_each(|_| work(&pool));
        settle(&pool);
        pool.stats() - before
    });
    // Other tests may have built pools meanwhile.
    let number = pool.detached().number();
    trace
        .tracks
        .retain(|track| track.of.pool == number || track.of.desk == 0);
    assert_eq!(trace.lost(), 0);
    (trace, stats)
}

fn count(trace: &Trace, kind: Kind) -> u64 {
    let tracks = trace.tracks.iter();
    tracks
        .flat_map(|track| &track.events)
        .filter(|event| event.kind == kind)
        .count() as u64
}

#[test]
fn events_and_counters_agree() {
    let _alone = alone();
    for (threads, told) in [
        (1, false),
        (2, false),
        (8, false),
        (1, true),
        (2, true),
        (8, true),
    ] {
        let (trace, stats) = recorded(threads, told);
        for (kind, counted) in [
            (Kind::Run, stats.jobs),
            (Kind::Done, stats.jobs),
            (Kind::Promote, stats.promotions),
            (Kind::Sleep, stats.parks),
            (Kind::Up, stats.parks),
            (Kind::Wake, stats.wakes),
            (Kind::Cut, stats.offered),
            (Kind::Back, stats.kept + stats.taken),
            (Kind::Piece, stats.pieces),
            (Kind::PieceEnd, stats.pieces),
            (Kind::Inject, stats.injected),
            (Kind::Handed, stats.handed_back),
        ] {
            // A thread may be counted as woken, and record it a moment later.
            let seen = count(&trace, kind);
            assert_eq!(
                seen, counted,
                "{kind:?}, {threads} threads, told: {told}\n{stats}"
            );
        }
        assert!(
            stats.jobs >= 5 && (threads == 1 || told || stats.taken > 0),
            "{stats}"
        );
    }
}

/// The automaton of a desk: what may come after what.
fn check_order(track: &Track) {
    let (mut running, mut calls, mut asleep, mut searching) =
        (Vec::new(), Vec::new(), false, false);
    for (event, after) in track.events.iter().zip(track.events.iter().skip(1)) {
        assert!(event.ticks <= after.ticks, "time goes on");
    }
    for event in &track.events {
        let job = event.number;
        match event.kind {
            Kind::Sleep => assert!(!std::mem::replace(&mut asleep, true)),
            Kind::Up => assert!(std::mem::replace(&mut asleep, false)),
            _ => assert!(!asleep, "{event:?} while asleep"),
        }
        match event.kind {
            Kind::Search => assert!(!std::mem::replace(&mut searching, true)),
            Kind::Found => assert!(std::mem::replace(&mut searching, false)),
            Kind::Run => {
                assert!(!searching);
                running.push(job);
            }
            Kind::Done => assert_eq!(running.pop(), Some(job)),
            Kind::Call => calls.push(event.more[1]),
            Kind::Piece => calls.push(job),
            Kind::CallEnd | Kind::PieceEnd => assert_eq!(calls.pop(), Some(job)),
            Kind::Cut | Kind::Back | Kind::Leaf => assert!(!calls.is_empty() && !searching),
            _ => {}
        }
    }
    assert!(running.is_empty() && calls.is_empty());
}

#[test]
fn each_thread_does_one_thing_after_the_other() {
    let _alone = alone();
    for threads in [1, 2, 8] {
        let (mut trace, _) = recorded(threads, threads == 8);
        for track in &mut trace.tracks {
            // All slept when the recording began, and sleep again.
            if track.of.home.is_some() {
                assert_eq!(track.events.first().map(|event| event.kind), Some(Kind::Up));
                assert_eq!(
                    track.events.pop().map(|event| event.kind),
                    Some(Kind::Sleep)
                );
                track.events.remove(0);
            }
            check_order(track);
        }
    }
}

/// Each job that is taken was made public before, or came from outside, and is run next on the thread that took it, once.
#[test]
fn each_steal_has_one_origin() {
    let _alone = alone();
    for threads in [2, 8] {
        let (trace, _) = recorded(threads, threads == 2);
        let takes = count(&trace, Kind::Take);
        let [steals, wakes] = trace.arrows();
        assert_eq!(steals.len() as u64, takes);
        assert!(takes > 0 && wakes.len() as u64 <= count(&trace, Kind::Wake));
        let from: BTreeSet<_> = steals.iter().map(|arrow| (arrow.from, arrow.job)).collect();
        assert_eq!(from.len(), steals.len());
        assert!(
            steals
                .iter()
                .chain(&wakes)
                .all(|arrow| arrow.from.1 <= arrow.to.1)
        );
        for track in &trace.tracks {
            for (at, event) in track.events.iter().enumerate() {
                if event.kind == Kind::Take {
                    let job = event.number & ((1 << 48) - 1);
                    let mut next = track.events[at + 1..].iter();
                    let next =
                        next.find(|event| event.kind == Kind::Run || event.kind == Kind::Handed);
                    assert_eq!(next.map(|event| event.number), Some(job));
                }
            }
        }
    }
}

fn check_nesting(spans: &[Span]) {
    let mut around: Vec<Span> = Vec::new();
    for span in spans {
        assert!(span.from <= span.to);
        while around
            .last()
            .is_some_and(|outer| outer.to <= span.from && span.to > outer.to)
        {
            around.pop();
        }
        if let Some(outer) = around.last() {
            assert!(span.to <= outer.to, "{span:?} in {outer:?}");
        }
        around.push(*span);
    }
}

#[test]
fn spans_nest() {
    let _alone = alone();
    for threads in [1, 2, 8] {
        let (trace, stats) = recorded(threads, threads == 2);
        let mut jobs = 0;
        for track in &trace.tracks {
            let spans = trace.spans(track);
            check_nesting(&spans);
            jobs += spans
                .iter()
                .filter(|span| matches!(span.what, What::Job(_)))
                .count();
        }
        assert_eq!(jobs as u64, stats.jobs);
    }
}

/// The leaves of each call that were folded, by the calls' names.
fn leaves(trace: &Trace) -> BTreeMap<u64, Vec<(u64, u64)>> {
    let mut leaves: BTreeMap<u64, Vec<(u64, u64)>> = BTreeMap::new();
    for track in &trace.tracks {
        let mut calls = Vec::new();
        for event in &track.events {
            match event.kind {
                Kind::Call => calls.push(event.more[1]),
                Kind::Piece => calls.push(event.number),
                Kind::CallEnd | Kind::PieceEnd => drop(calls.pop()),
                Kind::Leaf => {
                    let items = event.number & ((1 << 40) - 1);
                    leaves
                        .entry(*calls.last().unwrap())
                        .or_default()
                        .push((event.more[1], items));
                }
                _ => {}
            }
        }
    }
    leaves
}

/// Whatever is cut, taken or handed back: each item of a call is in one leaf.
#[test]
fn leaves_tile_what_was_driven() {
    let _alone = alone();
    const LEN: usize = 3000;
    let slow = |i: usize| {
        spin(Duration::from_nanos(1000));
        i
    };
    let programs: [(&str, &(dyn Fn() + Sync)); 5] = [
        ("live", &|| {
            (0..LEN).into_par_iter().map(slow).for_each(drop)
        }),
        ("rising", &|| {
            let rising = |i| spin(Duration::from_nanos(i as u64));
            (0..LEN).into_par_iter().for_each(rising);
        }),
        ("collected", &|| {
            drop((0..LEN).into_par_iter().map(slow).collect::<Vec<_>>())
        }),
        ("longest", &|| {
            (0..LEN)
                .into_par_iter()
                .with_max_len(70)
                .map(slow)
                .for_each(drop)
        }),
        ("reversed", &|| {
            (0..LEN).into_par_iter().rev().map(slow).for_each(drop)
        }),
    ];
    let mut taken = 0;
    for threads in [1, 2, 8] {
        for told in [false, true] {
            let pool = pool(threads);
            if told {
                pool.force_cuts(crate::iter::plumbing::Cuts::Random(7));
            }
            for (name, program) in &programs {
                let ((), trace) = record(|| (0..3).for_each(|_| pool.install(program)));
                let calls = leaves(&trace);
                assert_eq!(calls.len(), 3, "{name}");
                for (_, mut leaves) in calls {
                    leaves.sort_unstable();
                    let end = leaves.iter().try_fold(0, |at, &(first, items)| {
                        (first == at).then_some(first + items)
                    });
                    assert_eq!(
                        end,
                        Some(LEN as u64),
                        "{name}, {threads} threads, told: {told}: {leaves:?}"
                    );
                }
                taken += trace
                    .sites
                    .iter()
                    .map(|site| site.row.0[crate::core::recorder::columns::TAKEN])
                    .sum::<u64>();
            }
        }
    }
    assert!(taken > 10, "{taken}");
}

/// Where a search ends early, no item is in two leaves.
#[test]
fn leaves_of_a_search_do_not_overlap() {
    let _alone = alone();
    let pool = pool(4);
    for hit in [10, 1000, 2999] {
        let ((), trace) = record(|| {
            pool.install(|| {
                let found = (0..3000u64).into_par_iter().find_any(|&i| {
                    spin(Duration::from_nanos(500));
                    i == hit
                });
                assert_eq!(found, Some(hit));
            })
        });
        for (_, mut leaves) in leaves(&trace) {
            leaves.sort_unstable();
            assert!(
                leaves
                    .windows(2)
                    .all(|pair| pair[0].0 + pair[0].1 <= pair[1].0),
                "{leaves:?}"
            );
        }
    }
}

#[test]
fn chrome_s_format_is_read_by_a_strict_reader() {
    let _alone = alone();
    let (trace, stats) = recorded(4, false);
    let mut json = Vec::new();
    trace.write_chrome(&mut json).unwrap();
    let all: Value = serde_json::from_slice(&json).unwrap();
    let events = all["traceEvents"].as_array().unwrap();
    let mut flows: BTreeMap<u64, Vec<(f64, String)>> = BTreeMap::new();
    let mut names = BTreeMap::<&str, u64>::new();
    for event in events {
        let phase = event["ph"].as_str().unwrap();
        assert!(
            event["pid"].is_u64() && event["name"].is_string(),
            "{event}"
        );
        *names.entry(event["name"].as_str().unwrap()).or_default() += 1;
        let time = || event["ts"].as_f64().filter(|&ts| ts >= 0.0).unwrap();
        match phase {
            "X" => assert!(time() + event["dur"].as_f64().unwrap() >= time()),
            "s" | "f" => {
                assert_eq!(event["bp"].is_string(), phase == "f");
                let id = event["id"].as_u64().unwrap();
                flows.entry(id).or_default().push((time(), phase.into()));
            }
            "C" => {
                let counts = event["args"].as_object().unwrap();
                assert!(
                    counts
                        .values()
                        .all(|count| (0..=4).contains(&count.as_i64().unwrap())),
                    "{event}"
                );
            }
            "i" => drop(time()),
            "M" => assert!(event["args"]["name"].is_string()),
            other => panic!("{other}"),
        }
    }
    for (_, flow) in flows {
        assert_eq!(flow.len(), 2);
        assert!(flow[0].1 == "s" && flow[1].1 == "f" && flow[0].0 <= flow[1].0);
    }
    assert_eq!(
        (names["job_execute"], names["worker_thread"]),
        (stats.jobs, 4)
    );
    assert!(names["idle"] > 0 && names["active"] > 0 && names["injected"] > 0);
}

#[test]
fn a_recording_is_read_as_it_was_written() {
    let _alone = alone();
    let (trace, _) = recorded(2, false);
    let mut file = Vec::new();
    trace.write_raw(&mut file).unwrap();
    assert!(Trace::read_raw(&*file).unwrap() == trace);
    // Neither a part nor nonsense does any harm.
    for end in (0..file.len()).step_by(97) {
        assert!(Trace::read_raw(&file[..end]).is_err(), "{end}");
    }
    for at in (14..file.len()).step_by(131) {
        let mut file = file.clone();
        file[at] ^= 0xFF;
        if let Ok(trace) = Trace::read_raw(&*file) {
            trace.write_chrome(std::io::sink()).unwrap();
            drop(trace.explain().to_string());
        }
    }
}

/// What the one site of a program says, whose calls are made in `pool`.
fn explained(pool: &ThreadPool, program: impl Fn() + Sync) -> super::SiteReport {
    let ((), trace) = record(|| pool.install(&program));
    let explain = trace.explain();
    let mut sites = explain
        .sites
        .into_iter()
        .filter(|site| site.name.contains("refusals_are"));
    sites.next().expect("a site of this file")
}

/// Programs that are not cut, for different reasons.
#[test]
fn refusals_are_explained() {
    let _alone = alone();
    let (one, two) = (pool(1), pool(2));
    let cheap = || {
        for _ in 0..100 {
            let sum: u32 = (0..20u32)
                .into_par_iter()
                .map(|i| std::hint::black_box(i ^ 1))
                .sum();
            assert_eq!(sum, 190);
        }
    };
    // Where the system takes the processor away amid a block, the items seem expensive, and are cut for some calls.
    let cheap = (0..200).map(|_| explained(&two, cheap)).find(|cheap| {
        assert_eq!(cheap.calls, 100);
        let why = &cheap.why;
        why.contains("20 items take") && why.contains("below")
    });
    assert_eq!(cheap.unwrap().refusal(), Some(Reason::TooLittle));

    let alone = explained(&one, || {
        (0..1000u32)
            .into_par_iter()
            .for_each(|_| spin(Duration::from_micros(1)));
    });
    assert_eq!(alone.refusal(), Some(Reason::OneThread));
    assert_eq!(alone.why, "the pool has one thread");

    let least = explained(&two, || {
        (0..8u32)
            .into_par_iter()
            .with_min_len(8)
            .for_each(|_| spin(Duration::from_micros(100)));
    });
    assert_eq!(least.refusal(), Some(Reason::MinLen), "{least:?}");
    assert!(
        least.why.contains("shorter than a piece may be"),
        "{}",
        least.why
    );

    let told = pool(2);
    told.force_cuts(crate::iter::plumbing::Cuts::Never);
    let told = explained(&told, || {
        (0..1000u32)
            .into_par_iter()
            .for_each(|_| spin(Duration::from_micros(1)));
    });
    assert_eq!(told.refusal(), Some(Reason::Told));

    // Both threads work, each on a call of its own.
    let busy = pool(2);
    let busy = explained(&busy, || {
        let work = || {
            for _ in 0..100 {
                (0..30u32)
                    .into_par_iter()
                    .for_each(|_| spin(Duration::from_micros(1)));
            }
        };
        crate::join(work, work);
    });
    let refusals = [
        Reason::NobodyFree,
        Reason::SharingLost,
        Reason::TooLittle,
        Reason::AlreadyOffering,
        Reason::NotWorthWaking,
    ];
    assert!(
        busy.refusal()
            .is_some_and(|refusal| refusals.contains(&refusal)),
        "{busy:?}"
    );

    let shared = explained(&two, || {
        for _ in 0..100 {
            (0..3000u32)
                .into_par_iter()
                .for_each(|_| spin(Duration::from_micros(1)));
        }
    });
    assert!(
        shared.taken > 0 && shared.why.starts_with("cut "),
        "{shared:?}"
    );
    assert!(shared.p50 >= Duration::from_micros(100) && shared.p99 >= shared.p50);
}

/// Two recordings at a time: each has its own part.
#[test]
fn recordings_may_overlap() {
    let _alone = alone();
    let pool = pool(2);
    let run = || {
        pool.install(|| {
            (0..100u32)
                .into_par_iter()
                .with_max_len(7)
                .for_each(|_| spin(Duration::from_micros(10)))
        })
    };
    let ((_, inner), outer) = record(|| {
        run();
        record(run)
    });
    let calls = |trace: &Trace| count(trace, Kind::Call);
    assert_eq!((calls(&inner), calls(&outer)), (1, 2));
    let sums = |trace: &Trace| {
        trace
            .explain()
            .sites
            .iter()
            .map(|site| site.items)
            .sum::<u64>()
    };
    assert_eq!((sums(&inner), sums(&outer)), (100, 200));
}

/// A panic leaves the recording whole.
#[test]
fn a_panic_ends_what_is_inside_of_it() {
    let _alone = alone();
    let pool = pool(2);
    let (caught, trace) = record(|| {
        std::panic::catch_unwind(|| {
            pool.install(|| {
                crate::region("outer", || {
                    (0..1000u32).into_par_iter().for_each(|i| {
                        if i == 500 {
                            std::panic::resume_unwind(Box::new("planned"));
                        }
                        spin(Duration::from_micros(1));
                    })
                })
            })
        })
    });
    assert!(caught.is_err());
    for track in &trace.tracks {
        check_nesting(&trace.spans(track));
    }
    assert_eq!(
        (count(&trace, Kind::Region), count(&trace, Kind::RegionEnd)),
        (1, 1)
    );
    trace.write_chrome(std::io::sink()).unwrap();
}
