//! The soak's random programs, small ones: the same generator, interpreter and books.
//!
//! ```text
//! FILCH_PROGRAMS=1000 FILCH_SEED=1 cargo test --release --manifest-path verify/shuttle/Cargo.toml programs
//! FILCH_PROGRAM=17/3.0 ...      only the program of seed 17, made smaller by these steps
//! ```
//!
//! A failing program is made smaller, each candidate in a process of its own, and is printed with its seed and its schedule.

#[allow(dead_code)] // the soak has it all
#[path = "../../programs/mod.rs"]
mod books;

use crate::world::Pool;
use crate::{CUTS, explore_times, global, stop_global, var};
use books::expect::Expected;
use books::program::Kind;
use books::shrink::{follow, shrink};
use books::{Limits, Node, check};
use filch::ext::ParallelOrdered;
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use shuttle::thread;
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How many programs each test has, and how many schedules of each kind each program.
const PROGRAMS: u64 = 150;
const SCHEDULES: usize = 30;
/// How long a failing program is made smaller.
const SHRINKING: Duration = Duration::from_secs(120);

/// How many threads each of the shared pools has.
const POOLS: &[usize] = &[1, 2];

const LIMITS: Limits = Limits {
    depth: 3,
    pools: POOLS,
    items: 6,
    keys: 6,
    work: 2,
    own_threads: 2,
    all: false,
};

/// Programs on a thread of a pool.
#[test]
fn in_a_pool() {
    many("programs::in_a_pool", |program, expected| {
        let root = Pool::new(2);
        let found = root.install(|| judge(program, expected));
        root.stop();
        found
    });
}

/// Programs on a thread that is a guest of the global pool.
#[test]
fn as_a_guest() {
    many("programs::as_a_guest", |program, expected| {
        let threads = global(2);
        let found = judge(program, expected);
        stop_global(threads);
        found
    });
}

/// A thread of the pool, or a guest, that waits for the next items of `into_ordered_iter` is woken by those, and by jobs
/// that compute them. If all other threads of the pool wait, a caller that sleeps leaves its right to a worker.
#[test]
fn ordered_iter_in_a_full_pool() {
    let model = || {
        let threads = global(2);
        let right = || {
            let items = (0..0usize).into_par_iter();
            assert_eq!(items.into_ordered_iter(1).count(), 0);
        };
        filch::join(thread::yield_now, right);
        stop_global(threads);
    };
    explore_times(model, 20 * SCHEDULES);
}

/// Runs the program, and says what was wrong.
fn judge(program: &Node, expected: &Arc<Expected>) -> Vec<String> {
    // Threads that do nothing only have a share in the switches.
    let pools = if uses_pools(program) { POOLS } else { &[] };
    let pools: Arc<Vec<Pool>> = Arc::new(pools.iter().copied().map(Pool::new).collect());
    let faults = check(program, expected, &pools, None);
    let pools = Arc::into_inner(pools).expect("no thread of the program has them any more");
    pools.into_iter().for_each(Pool::stop);
    faults
}

fn uses_pools(program: &Node) -> bool {
    let calls = matches!(
        program.kind,
        Kind::Install(..) | Kind::Broadcast | Kind::Shares { .. } | Kind::Handle { .. }
    );
    calls || program.children().into_iter().any(uses_pools)
}

type Judge = fn(&Node, &Arc<Expected>) -> Vec<String>;

/// Runs programs, each under some schedules.
fn many(test: &str, judge: Judge) {
    if let Some(name) = var("FILCH_PROGRAM") {
        let (seed, path) = name.split_once('/').unwrap_or((&name, ""));
        let steps = path.split('.').filter(|step| !step.is_empty());
        let path: Vec<usize> = steps.map(|step| step.parse().expect("a step")).collect();
        let seed = seed.parse().expect("a seed");
        let program = follow(seed, &path, LIMITS).expect("a path that leads somewhere");
        return one(seed, program, judge);
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let first = now.map_or(1, |now| now.as_secs() << 16);
    let first = var("FILCH_SEED").map_or(first, |seed| seed.parse().expect("a seed"));
    let programs = var("FILCH_PROGRAMS").map_or(PROGRAMS, |n| n.parse().expect("a number"));
    let naps = filch::naps();
    for seed in first..first + programs {
        let program = Node::of_seed(seed, LIMITS);
        let whole = AssertUnwindSafe(|| one(seed, program.clone(), judge));
        if let Err(payload) = catch_unwind(whole) {
            eprintln!(
                "the program failed: {program:#?}\nto run it: FILCH_PROGRAM={seed} and the test {test}"
            );
            report(seed, program, test);
            resume_unwind(payload);
        }
    }
    assert!(
        programs < PROGRAMS || filch::naps() > naps,
        "no thread ever waited patiently"
    );
}

/// Runs one program under some schedules.
fn one(seed: u64, program: Node, judge: Judge) {
    let schedules = var("FILCH_ITERATIONS").map_or(SCHEDULES, |n| n.parse().expect("a number"));
    let expected = Arc::new(Expected::of(&program));
    let cuts = [Cuts::Random(1), Cuts::Always, Cuts::Adaptive][seed as usize % 3];
    let model = move || {
        CUTS.set(cuts);
        let faults = judge(&program, &expected);
        CUTS.set(Cuts::Adaptive);
        assert!(faults.is_empty(), "{faults:#?}");
    };
    explore_times(model, schedules);
}

/// Makes a failing program smaller, and shows how the small one fails.
fn report(seed: u64, program: Node, test: &str) {
    let start = Instant::now();
    let size = program.size();
    let path = |path: &[usize]| {
        path.iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(".")
    };
    let run = |steps: &str| {
        let mut command = Command::new(env::current_exe().expect("the path of this test"));
        command.args(["--exact", test, "--nocapture"]);
        command.env("FILCH_PROGRAM", format!("{seed}/{steps}"));
        // Of what fails seldom, more schedules are needed.
        command.env("FILCH_ITERATIONS", (10 * SCHEDULES).to_string());
        command
    };
    let fails = |_: &Node, steps: &[usize]| {
        let mut command = run(&path(steps));
        command.stdout(Stdio::null()).stderr(Stdio::null());
        !command
            .status()
            .expect("a test in a process of its own")
            .success()
    };
    let (small, steps) = shrink(program, fails, || start.elapsed() > SHRINKING);
    eprintln!(
        "smaller, {} nodes instead of {size}: {small:?}",
        small.size()
    );
    let steps = path(&steps);
    let shown = run(&steps)
        .output()
        .expect("a test in a process of its own");
    eprintln!("{}", String::from_utf8_lossy(&shown.stderr));
    eprintln!(
        "to run it: FILCH_PROGRAM={seed}/{steps} and the test {test}; with FILCH_SCHEDULE, if it is printed above, as it ran there"
    );
}
