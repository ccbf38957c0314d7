//! Clients that run programs, in rounds.

use crate::bounds::Bounds;
use crate::options::Options;
use crate::programs::expect::Expected;
use crate::programs::plant::Plant;
use crate::programs::shrink::{follow, shrink};
use crate::programs::{Limits, Node, check};
use crate::watch;
use crate::world::{Pool, all_pools};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a round is, after which threads and memory are counted.
const ROUND: Duration = Duration::from_secs(1);
/// How long a failing program is made smaller.
const SHRINKING: Duration = Duration::from_secs(90);
/// How often a program is run that failed once, until it is given up.
const MOST_RUNS: u32 = 3000;

/// How many threads each of the shared pools has. Two pools of one thread may wait for each other.
const POOLS: &[usize] = &[1, 1, 2, 3];

const LIMITS: Limits = Limits {
    depth: 6,
    pools: POOLS,
    items: 20_000,
    keys: 100_000,
    work: 2_000,
    own_threads: 5,
    all: true,
};

pub struct Soak {
    pools: Arc<Vec<Pool>>,
    /// What each client does, for the watchdog.
    now: Arc<Vec<Mutex<String>>>,
    /// How many programs have to end in a panic.
    panicked: AtomicU64,
}

/// A program that failed, or a round.
pub struct Failure {
    /// The seed and the program; none if it was the round.
    pub program: Option<(u64, Node)>,
    pub faults: Vec<String>,
}

impl Soak {
    pub fn start(options: &Options) -> Soak {
        // The global pool as well.
        filch::join(|| (), || ());
        let soak = Soak {
            pools: Arc::new(POOLS.iter().copied().map(Pool::new).collect()),
            now: Arc::new((0..options.clients).map(|_| Mutex::default()).collect()),
            panicked: AtomicU64::new(0),
        };
        let now = Arc::clone(&soak.now);
        watch::start(options.hold, move || {
            let now: Vec<String> = now.iter().map(|now| now.lock().unwrap().clone()).collect();
            now.join("\n\n") + "\n" + &all_pools()
        });
        soak
    }

    /// Soaks until the time is over, or something fails. Whether all was right.
    pub fn run(&self, options: &Options) -> bool {
        let failure = self.search(options, None);
        let (ended, panicked) = (watch::ENDED.load(Ordering::Relaxed), &self.panicked);
        let panicked = panicked.load(Ordering::Relaxed);
        let stolen = self.stolen();
        println!(
            "soak: {ended} programs, of which {panicked} ended in a panic; {stolen} jobs were stolen"
        );
        println!("soak: {}", Bounds::now());
        let Some(failure) = failure else {
            if stolen == 0 && options.needs_thieves() {
                println!("soak: FAILED, no thread ever took a job from another one");
                return false;
            }
            println!("soak: all as expected");
            return true;
        };
        self.report(options, failure, None);
        println!("soak: FAILED, --seed {}", options.seed);
        false
    }

    /// The first failure, if there is one in time. The bug `plant` is imitated in each program.
    pub fn search(&self, options: &Options, plant: Option<Plant>) -> Option<Failure> {
        let end = Instant::now() + options.time;
        let mut bounds = Bounds::new();
        let failure = Mutex::new(None);
        let next = AtomicU64::new(0);
        let round = ROUND / if plant.is_some() { 4 } else { 1 };
        while Instant::now() < end {
            let failed = AtomicBool::new(false);
            let until = end.min(Instant::now() + round);
            thread::scope(|scope| {
                for client in 0..options.clients {
                    let (failed, failure, next) = (&failed, &failure, &next);
                    let named = thread::Builder::new().name(format!("client-{client}"));
                    let spawned = named.spawn_scoped(scope, move || {
                        while Instant::now() < until && !failed.load(Ordering::Relaxed) {
                            let n = next.fetch_add(1, Ordering::Relaxed) % options.programs;
                            let seed = options.seed.wrapping_add(n);
                            let faults = self.one(options, client, seed, plant);
                            if let Some((program, faults)) = faults {
                                failed.store(true, Ordering::Relaxed);
                                let program = Some((seed, program));
                                *failure.lock().unwrap() = Some(Failure { program, faults });
                            }
                        }
                    });
                    spawned.expect("a thread for a client");
                }
            });
            if let Some(failure) = failure.lock().unwrap().take() {
                return Some(failure);
            }
            let faults = bounds.judge(plant.is_some());
            if !faults.is_empty() {
                if options.hold {
                    eprintln!("soak: {}", faults.join("\nsoak: "));
                    watch::wait_for_a_debugger();
                }
                let program = None;
                return Some(Failure { program, faults });
            }
        }
        None
    }

    /// Runs the program of this seed. If it fails: the program, and what is wrong.
    fn one(
        &self,
        options: &Options,
        client: usize,
        seed: u64,
        plant: Option<Plant>,
    ) -> Option<(Node, Vec<String>)> {
        let program = follow(seed, &options.path, LIMITS).expect("a path that leads somewhere");
        let replay = options.replay(seed, &options.path);
        *self.now[client].lock().unwrap() = format!("client {client}: {replay}\n{program:?}");
        let expected = Arc::new(Expected::of(&program));
        if expected.outcome.value.is_none() {
            self.panicked.fetch_add(1, Ordering::Relaxed);
        }
        // Meanwhile another client may say something else.
        let pool = &self.pools[seed as usize % POOLS.len()];
        let active = 1 + seed as usize / POOLS.len() % pool.current_num_threads();
        pool.set_active(active).expect("at least one, at most all");
        let faults = self.check(&program, &expected, plant);
        (!faults.is_empty()).then_some((program, faults))
    }

    fn check(&self, program: &Node, expected: &Arc<Expected>, plant: Option<Plant>) -> Vec<String> {
        match plant {
            Some(Plant::LeakedThread) => drop(thread::spawn(|| thread::sleep(Duration::MAX))),
            Some(Plant::LeakedMemory) => std::mem::forget(black_box(vec![0u8; 1 << 18])),
            _ => {}
        }
        let faults = check(program, expected, &self.pools, plant);
        watch::ENDED.fetch_add(1, Ordering::Relaxed);
        faults
    }

    /// How many jobs threads took from each other in the pools that stay.
    fn stolen(&self) -> u64 {
        let pools = self.pools.iter().map(|pool| pool.stats());
        let all = pools.chain([filch::stats()]);
        all.map(|stats| stats.steals - stats.failed_steals).sum()
    }

    /// Prints what failed, and a smaller program that fails. The size of the smaller one, and what is wrong with it.
    pub fn report(
        &self,
        options: &Options,
        failure: Failure,
        plant: Option<Plant>,
    ) -> (u32, Vec<String>) {
        let list = |faults: &[String]| {
            for fault in faults {
                eprintln!("soak: {fault}");
            }
        };
        let Some((seed, program)) = failure.program else {
            list(&failure.faults);
            return (0, failure.faults);
        };
        let size = program.size();
        if plant.is_none() {
            eprintln!("soak: {program:#?}");
        }
        list(&failure.faults);
        eprintln!(
            "soak: it has {size} nodes; to run it: {}",
            options.replay(seed, &options.path)
        );
        let Some(runs) = self.runs_until_failure(&program, plant, MOST_RUNS) else {
            eprintln!("soak: it did not fail again in {MOST_RUNS} runs, so it is not made smaller");
            return (size, failure.faults);
        };
        // What fails as often as that is hardly ever missed.
        let most = (5 * runs).max(20);
        let fails =
            |smaller: &Node, _: &[usize]| self.runs_until_failure(smaller, plant, most).is_some();
        let start = Instant::now();
        let (small, path) = shrink(program, fails, || start.elapsed() > SHRINKING);
        let path = [&options.path[..], &path].concat();
        let size = small.size();
        eprintln!("soak: smaller, {size} nodes: {small:?}");
        let expected = Arc::new(Expected::of(&small));
        let mut runs = (0..most).map(|_| self.check(&small, &expected, plant));
        let faults = runs.find(|faults| !faults.is_empty()).unwrap_or_default();
        list(&faults);
        eprintln!("soak: to run it: {}", options.replay(seed, &path));
        (size, faults)
    }

    /// After how many runs, by all clients at once, the program fails.
    fn runs_until_failure(&self, program: &Node, plant: Option<Plant>, most: u32) -> Option<u32> {
        let expected = Arc::new(Expected::of(program));
        let (runs, failed) = (AtomicU32::new(0), AtomicBool::new(false));
        thread::scope(|scope| {
            for now in self.now.iter() {
                let (runs, failed, expected) = (&runs, &failed, &expected);
                scope.spawn(move || {
                    *now.lock().unwrap() = format!("one of the smaller programs: {program:?}");
                    while !failed.load(Ordering::Relaxed)
                        && runs.fetch_add(1, Ordering::Relaxed) < most
                    {
                        if !self.check(program, expected, plant).is_empty() {
                            failed.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        failed.into_inner().then(|| runs.into_inner())
    }
}
