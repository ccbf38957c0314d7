//! Runs programs in pools.

use crate::dice::{Dice, mix};
use crate::program::{
    Chain, KINDS, POOLS, Planned, Program, digest, expected, is_special, keys, text, work,
};
use crate::watch;
use filch::algo::{for_each_spawn, tree_reduce};
use filch::ext::*;
use filch::iter::walk_tree;
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Whether a panic belongs to a program.
pub fn is_planned(payload: &dyn Any) -> bool {
    payload.is::<Planned>()
}

/// What `f` gives; or its panic, if that belongs to a program. All others go on.
fn caught<R>(f: impl FnOnce() -> R) -> Result<R, Planned> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let planned = payload.downcast::<Planned>();
        *planned.unwrap_or_else(|other| resume_unwind(other))
    })
}

/// What came of it.
pub struct Report {
    programs: u64,
    panicked: u64,
    pub failed: bool,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "soak: {} programs, of which {} ended in a panic; {}",
            self.programs,
            self.panicked,
            if self.failed {
                "one was wrong"
            } else {
                "all as expected"
            }
        )
    }
}

/// Runs random programs on `clients` threads, for that long. When nothing moves, the process ends, or waits for a debugger if it is to `hold`.
pub fn soak(seed: u64, clients: u64, time: Duration, hold: bool) -> Report {
    // What runs in the background outlives any frame. (Leaked, it would be found by LeakSanitizer, unless its address is still somewhere.)
    static POOL: OnceLock<Vec<ThreadPool>> = OnceLock::new();
    let pools: Pools = POOL.get_or_init(|| (1..=POOLS).map(pool).collect());
    let now: Arc<Mutex<Vec<String>>> = Arc::new(Mutex::new(vec![String::new(); clients as usize]));
    watch::start(hold, {
        let now = Arc::clone(&now);
        move || now.lock().unwrap().join("\n\n") + "\n" + &all_pools(pools)
    });
    let (panicked, failed) = (AtomicU64::new(0), AtomicBool::new(false));
    let end = Instant::now() + time;
    thread::scope(|scope| {
        for client in 0..clients {
            let (now, panicked, failed) = (&now, &panicked, &failed);
            scope.spawn(move || {
                let mut dice = Dice::new(mix(seed ^ client << 32));
                while Instant::now() < end && !failed.load(Ordering::Relaxed) {
                    let depth = dice.below(7) as u32;
                    let program = Program::random(&mut dice, depth);
                    now.lock().unwrap()[client as usize] = format!("client {client}: {program:?}");
                    let wanted = expected(&program).ok();
                    let found = AssertUnwindSafe(|| caught(|| run(&program, pools)).ok());
                    let found = catch_unwind(found);
                    watch::ENDED.fetch_add(1, Ordering::Relaxed);
                    panicked.fetch_add(u64::from(wanted.is_none()), Ordering::Relaxed);
                    // What an unplanned panic says was printed when it began.
                    let found = found.map_err(|_| "an unplanned panic");
                    if found != Ok(wanted) {
                        failed.store(true, Ordering::Relaxed);
                        eprintln!("soak: {found:?} instead of {wanted:?} from {program:#?}");
                    }
                }
            });
        }
    });
    Report {
        programs: watch::ENDED.load(Ordering::Relaxed),
        panicked: panicked.into_inner(),
        failed: failed.into_inner(),
    }
}

/// The pools that the clients share.
type Pools = &'static [ThreadPool];

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("threads for a pool")
}

/// The pools that programs have for themselves.
static OWN: Mutex<Vec<Weak<ThreadPool>>> = Mutex::new(Vec::new());

fn own_pool(threads: usize) -> Arc<ThreadPool> {
    let pool = Arc::new(pool(threads));
    let mut own = OWN.lock().unwrap();
    own.retain(|pool| pool.strong_count() > 0);
    own.push(Arc::downgrade(&pool));
    pool
}

/// What each pool counted, and what goes on on its seats.
fn all_pools(shared: Pools) -> String {
    // A scope that spawns nothing waits for nobody.
    let global = filch::in_place_scope(|scope| format!("{scope:?}"));
    let mut text = format!("the global pool: {global}\n{}", filch::stats());
    let mut add = |kind, pool: &ThreadPool| {
        text += &format!("{kind} pool: {pool:?}\n{}", pool.stats());
    };
    shared.iter().for_each(|pool| add("a shared", pool));
    let own = OWN.lock().unwrap();
    let own = own.iter().filter_map(Weak::upgrade);
    own.for_each(|pool| add("a program's", &pool));
    text
}

fn run(program: &Program, pools: Pools) -> u64 {
    match program {
        Program::Leaf(size) => work(*size),
        Program::Panic => panic_any(Planned),
        Program::Catch(inner) => caught(|| run(inner, pools)).unwrap_or(13),
        Program::Join(left, right) => {
            let (left, right) = filch::join(|| run(left, pools), || run(right, pools));
            mix(left ^ right.rotate_left(1))
        }
        Program::Scope(jobs, fifo) => {
            let mut results = vec![0; jobs.len()];
            let slots = results.iter_mut().zip(jobs);
            if *fifo {
                filch::scope_fifo(|s| {
                    slots.for_each(|(slot, job)| s.spawn_fifo(move |_| *slot = run(job, pools)));
                });
            } else {
                filch::scope(|s| {
                    slots.for_each(|(slot, job)| s.spawn(move |_| *slot = run(job, pools)))
                });
            }
            digest(results)
        }
        Program::Isolate(inner) => filch::isolate(|| run(inner, pools)),
        Program::Install(at, inner) => pools[*at].install(|| run(inner, pools)),
        Program::OwnPool(threads, inner) => {
            let pool = own_pool(*threads);
            let result = catch_unwind(AssertUnwindSafe(|| pool.install(|| run(inner, pools))));
            match Arc::into_inner(pool) {
                Some(pool) if threads % 2 == 0 => pool.shutdown(),
                pool => drop(pool),
            }
            result.unwrap_or_else(|payload| resume_unwind(payload))
        }
        Program::Broadcast => {
            // Not in the global pool, which would have no guests after that.
            let all = pools[POOLS - 1].broadcast(|context| context.index());
            u64::from(all.into_iter().eq(0..POOLS))
        }
        Program::Spawn(n) => {
            let (sender, receiver) = mpsc::channel();
            let n = *n;
            filch::spawn(move || sender.send(mix(n)).unwrap());
            loop {
                // On a thread of a pool the job may be ours to run.
                match receiver.try_recv() {
                    Ok(result) => return result,
                    Err(_) if filch::yield_now() == Some(filch::Yield::Executed) => {}
                    Err(_) => thread::yield_now(),
                }
            }
        }
        Program::Sort(len, seed) => {
            let mut keys = keys(*len, *seed);
            match seed % 6 {
                0 => keys.par_sort(),
                1 => keys.par_sort_unstable(),
                2 => keys.par_sort_by(|a, b| a.cmp(b)),
                3 => keys.par_radix_sort(),
                4 => keys = merged(keys),
                _ => keys.par_sort_by_cached_key(|key| *key),
            }
            digest(keys)
        }
        Program::Chain(chain, len, inner) => run_chain(*chain, *len, inner, pools),
    }
}

fn run_chain(chain: Chain, len: u64, inner: &Program, pools: Pools) -> u64 {
    let item = |i: u64| {
        mix(i)
            ^ if is_special(i, len) {
                run(inner, pools)
            } else {
                0
            }
    };
    let items = || (0..len as usize).into_par_iter().map(|i| item(i as u64));
    let nodes = |&i: &u64| (2 * i + 1..2 * i + 3).filter(|&child| child < len);
    match chain {
        Chain::Sum => items().reduce(|| 0, u64::wrapping_add),
        Chain::MaxLen => items().with_max_len(7).reduce(|| 0, u64::wrapping_add),
        Chain::CollectEven => digest(items().filter(|x| x % 2 == 0).collect::<Vec<_>>()),
        Chain::CollectInPlace => digest(items().collect::<Vec<_>>()),
        Chain::Drain => digest(
            items()
                .collect::<Vec<_>>()
                .par_drain(..)
                .collect::<Vec<_>>(),
        ),
        Chain::FlatMap => digest(
            items()
                .flat_map(|x| (0..x % 4).into_par_iter().map(move |y| x ^ y))
                .collect::<Vec<_>>(),
        ),
        Chain::FoldReduce => {
            let parts = items().fold(Vec::new, |mut part, x| {
                part.push(x);
                part
            });
            digest(parts.reduce(Vec::new, |mut left, mut right| {
                left.append(&mut right);
                left
            }))
        }
        Chain::ZipRev => digest(
            items()
                .zip(items().rev())
                .map(|(a, b)| a ^ b.rotate_left(9))
                .collect::<Vec<_>>(),
        ),
        Chain::FindFirst => {
            // Every item that runs a program has to, or a panic in it would be missed.
            let all: Vec<u64> = items().collect();
            all.into_par_iter()
                .find_first(|x| x % 1000 == 0)
                .unwrap_or(5)
        }
        Chain::TryUntil => {
            let all: Vec<u64> = items().collect();
            let done = all
                .into_par_iter()
                .try_for_each(|x| (x % 5000 != 0).then_some(()));
            u64::from(done.is_some())
        }
        Chain::Bridge => (0..len)
            .par_bridge()
            .map(item)
            .reduce(|| 0, u64::wrapping_add),
        Chain::Map => digest(items().map(|x| x % 1000).collect::<BTreeSet<_>>()),
        Chain::Text => {
            let special = match (0..len).any(|i| is_special(i, len)) {
                true => run(inner, pools),
                false => 0,
            };
            let lines = text(len);
            let lengths: Vec<u64> = lines.par_lines().map(|line| line.len() as u64).collect();
            digest(lengths) ^ special
        }
        Chain::Tree | Chain::TreeReduce | Chain::WorkList if len == 0 => 0,
        // Numbered like a heap, so node i has the children 2i + 1 and 2i + 2.
        Chain::Tree => walk_tree(0, nodes)
            .map(item)
            .reduce(|| 0, u64::wrapping_add),
        Chain::TreeReduce => tree_reduce(0, nodes, item, u64::wrapping_add),
        Chain::WorkList => {
            let sum = AtomicU64::new(0);
            for_each_spawn([0], |i, list| {
                sum.fetch_add(item(i), Ordering::Relaxed);
                nodes(&i).for_each(|child| list.spawn(child));
            });
            sum.into_inner()
        }
        Chain::Ordered => items().with_ordered_iter(len as usize / 4 + 1, |items| digest(items)),
        Chain::Background => {
            let inner = inner.clone();
            let item = move |i: usize| {
                let special = is_special(i as u64, len);
                mix(i as u64) ^ if special { run(&inner, pools) } else { 0 }
            };
            let items = (0..len as usize).into_par_iter().map(item);
            digest(items.into_ordered_iter(len as usize / 4 + 1))
        }
        Chain::BridgeOrdered => {
            let items = (0..len).par_bridge_ordered().map(item);
            digest(items.collect::<Vec<_>>())
        }
        Chain::Group => {
            let groups = items().map(|x| (x % KINDS, x)).group_by_key();
            let mut groups: Vec<_> = groups.iter().collect();
            groups.sort();
            digest(groups.into_iter().flat_map(|(_, group)| group).copied())
        }
        Chain::Count => {
            let mut counts: Vec<_> = items().count_by_key(|x| x % KINDS).into_iter().collect();
            counts.sort();
            digest(counts.into_iter().map(|(_, count)| count as u64))
        }
        Chain::Scan => {
            let all: Vec<u64> = items().collect();
            digest(all.par_scan_inclusive(|a, b| a.wrapping_add(*b)))
        }
        Chain::Retain => {
            let mut all: Vec<u64> = items().collect();
            all.par_retain(|x| x % 3 != 0);
            digest(all)
        }
        Chain::TakeWhile => {
            let all: Vec<u64> = items().collect();
            let front = all.into_par_iter();
            digest(ParallelWhile::take_while(front, |x| x % 3000 != 0).collect::<Vec<_>>())
        }
        Chain::Using => {
            let states = || 0u64;
            let used = (0..len as usize).into_par_iter().using(states);
            used.map(|uses, i| {
                *uses += 1;
                item(i as u64)
            })
            .reduce(|| 0, u64::wrapping_add)
        }
        Chain::Cancel => {
            // So many that it ends by the cancel only: what was begun then is a block a thread.
            let token = CancelToken::new();
            let stopped = (0..1u64 << 40).into_par_iter().with_cancel(&token, |all| {
                let cancels = |&i: &u64| {
                    if i == len / 2 {
                        token.cancel();
                    }
                };
                all.inspect(cancels).count()
            });
            let Cancelled { value, done } = stopped.expect_err("items were left out");
            assert!(value > 0 && value == done, "{value} of {done}");
            3
        }
    }
}

/// The keys in order, by sorting halves and merging them.
fn merged(mut keys: Vec<u64>) -> Vec<u64> {
    let half = keys.len() / 2;
    let (left, right) = keys.split_at_mut(half);
    filch::join(|| left.par_sort(), || right.par_sort());
    filch::algo::merge(left, right)
}
