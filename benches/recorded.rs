//! What does it cost to be recorded?
//!
//! ```text
//! cargo bench -p suite --features trace --bench recorded [-- SECONDS]
//! ```
//!
//! The rows of `fork_join` and `irregular`, on one thread and on two, each without a recording and with one, in turns: the time with over the time without, least
//! and median, for so many seconds a row. To begin and end a recording is not counted.

fn main() {
    #[cfg(feature = "trace")]
    recorded::run();
    #[cfg(not(feature = "trace"))]
    println!("this needs the feature: cargo bench -p suite --features trace --bench recorded");
}

#[cfg(feature = "trace")]
mod recorded {
    use std::{
        env,
        hint::black_box,
        time::{Duration, Instant},
    };
    use suite::{
        inputs::{Shape, Spin, spin, unseen},
        measure::{Contender, Patience, Pools, choose_calls, take_turns},
        ours::{
            self, ThreadPool,
            prelude::*,
            trace::{Flight, Options},
        },
    };

    const FIB: u32 = 25;
    const ITEMS: usize = 100_000;
    const SHAPES: [(&str, Shape); 4] = [
        ("even", Shape::Even),
        ("all cost in the first 1 %", Shape::FirstPercent),
        ("all cost in the last 1 %", Shape::LastPercent),
        ("item i costs 1/i", Shape::Falling),
    ];

    pub fn run() {
        let mut args = env::args().skip(1).filter(|arg| arg != "--bench");
        let seconds = args
            .next()
            .map_or(10, |n| n.parse().expect("seconds a row"));
        println!("{:40} threads    least  median", "recorded / not recorded");
        for threads in [1, 2] {
            let pool = &ours::pool(threads);
            let row = |name: &str, work: &(dyn Fn() -> u64 + Sync)| {
                let [least, median] = ratio(pool, seconds, work);
                println!("{name:40} {threads:7} {least:8.4} {median:7.4}");
            };
            row("fork_join", &|| ours::fib(black_box(FIB)));
            for (name, shape) in SHAPES {
                let costs = Spin::calibrate().costs(shape, ITEMS, 100.0 * ITEMS as f64);
                let work = |&cost: &u32| spin(cost) >> 32;
                let sum = || unseen(&costs[..]).par_iter().map(work).sum::<u64>();
                row(&format!("irregular, {name}"), &sum);
            }
        }
    }

    fn ratio(pool: &ThreadPool, seconds: u64, work: &(dyn Fn() -> u64 + Sync)) -> [f64; 2] {
        let batch = |calls: u64, recorded: bool| {
            let flight = recorded.then(|| Flight::start(Options::default()).expect("no other one"));
            let start = Instant::now();
            for _ in 0..calls {
                black_box(pool.install(work));
            }
            let time = start.elapsed().as_nanos() as f64;
            drop(flight);
            time
        };
        let patience = Patience {
            batch: Duration::from_millis(20),
            repeat_disturbed: true,
            ..Patience::of(Duration::from_secs(seconds))
        };
        let mut contenders = [
            Contender::new("without", |calls| batch(calls, false)),
            Contender::new("recorded", |calls| batch(calls, true)),
        ];
        choose_calls(&mut contenders, &patience);
        take_turns(&mut contenders, Pools::Awake, &patience);
        let [without, recorded] = contenders;
        let pair = recorded.over(&without);
        [pair.min, pair.median]
    }
}
