//! Everything at once, where no thread can be started and no clock can be read: each call runs on its caller, and has the right result.
//!
//! It runs with threads, too: only the last part asks whether there are none. What fails ends the program: on bare WebAssembly by a trap.

use filch::algo::{for_each_spawn, par_bfs, tree_reduce};
use filch::ext::*;
use filch::iter::walk_tree;
use filch::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;

const WASM: bool = cfg!(target_family = "wasm");

fn main() {
    forks();
    jobs();
    loops();
    collections();
    algorithms();
    control();
    threads();
}

fn forks() {
    fn fib(n: u32) -> u64 {
        if n < 2 {
            return n.into();
        }
        let (a, b) = filch::join(|| fib(n - 1), || fib(n - 2));
        a + b
    }
    assert_eq!(fib(20), 6765);
    assert_eq!(filch::isolate(|| fib(10)), 55);
    assert_eq!(filch::blocking(|| fib(10)), 55);
}

fn jobs() {
    let count = AtomicUsize::new(0);
    filch::scope(|s| {
        for _ in 0..100 {
            s.spawn(|s| again(s, &count));
        }
    });
    filch::scope_fifo(|s| {
        s.spawn_fifo(|_| {
            count.fetch_add(1, Relaxed);
        })
    });
    filch::in_place_scope(|s| {
        s.spawn(|_| {
            count.fetch_add(1, Relaxed);
        })
    });
    assert_eq!(count.into_inner(), 102);

    let (sender, receiver) = channel();
    let later = sender.clone();
    filch::spawn(move || sender.send(1).unwrap());
    filch::spawn_fifo(move || later.send(2).unwrap());
    // Without threads, a job that is spawned from outside has run when `spawn` returns.
    filch::join(|| (), || ());
    let mut got = [receiver.recv().unwrap(), receiver.recv().unwrap()];
    got.sort_unstable();
    assert_eq!(got, [1, 2]);
}

/// A job that spawns another one.
fn again<'scope>(scope: &filch::Scope<'scope>, count: &'scope AtomicUsize) {
    scope.spawn(|_| {
        count.fetch_add(1, Relaxed);
    });
}

fn loops() {
    let n = 100_000u64;
    assert_eq!((0..n).into_par_iter().sum::<u64>(), n * (n - 1) / 2);
    let squares: Vec<u64> = (0..n).into_par_iter().map(|i| i * i).collect();
    assert!(squares.iter().copied().eq((0..n).map(|i| i * i)));
    let even = squares.par_iter().filter(|&&i| i % 2 == 0).count();
    assert_eq!(even as u64, n / 2);
    assert_eq!(squares.par_iter().position_first(|&i| i > 50), Some(8));
    assert_eq!(squares.par_iter().find_last(|&&i| i < 50), Some(&49));
    let nested = (0..300u64)
        .into_par_iter()
        .map(|i| (0..i).into_par_iter().sum::<u64>());
    assert_eq!(
        nested.sum::<u64>(),
        (0..300).map(|i: u64| (0..i).sum::<u64>()).sum()
    );
    let flat = (0..1000).into_par_iter().flat_map(|i| vec![i; 3]).count();
    assert_eq!(flat, 3000);
    let bridged = (0..1000).map(|i| i * 2).par_bridge().max();
    assert_eq!(bridged, Some(1998));
    let ordered: Vec<i32> = (0..1000).par_bridge_ordered().collect();
    assert!(ordered.into_iter().eq(0..1000));
    let words = "to be or not to be".par_split_whitespace().count();
    assert_eq!(words, 6);
    let pieces = (0..1000)
        .into_par_iter()
        .with_max_len(10)
        .fold(|| 0, |n, _| n + 1);
    assert!(pieces.max().unwrap() <= 10);
}

fn collections() {
    let map: HashMap<u32, u32> = (0..1000).into_par_iter().map(|i| (i, i + 1)).collect();
    assert_eq!(map.par_iter().map(|(k, v)| v - k).sum::<u32>(), 1000);
    let set: HashSet<u32> = (0..1000).into_par_iter().map(|i| i % 7).collect();
    assert_eq!(set.len(), 7);
    let tree: BTreeMap<u32, u32> = map.into_par_iter().collect();
    assert_eq!(tree.len(), 1000);
    let mut v: Vec<u32> = (0..1000).collect();
    assert_eq!(v.par_drain(10..990).count(), 980);
    assert_eq!(v.len(), 20);
    let text: String = ["a", "b"].par_iter().copied().collect();
    assert_eq!(text, "ab");
}

fn algorithms() {
    let random = |i: u64| (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let mut v: Vec<u64> = (0..50_000).map(random).collect();
    let mut sorted = v.clone();
    sorted.sort_unstable();
    for sort in [
        |v: &mut [u64]| v.par_sort(),
        |v: &mut [u64]| v.par_sort_unstable(),
        |v: &mut [u64]| v.par_sort_by_cached_key(|x| *x),
        |v: &mut [u64]| v.par_radix_sort(),
    ] {
        let mut v = v.clone();
        sort(&mut v);
        assert!(v == sorted);
    }
    assert_eq!(v.par_select_nth_unstable(25_000).1, &sorted[25_000]);
    assert_eq!(v.par_top_k(1), [&sorted[49_999]]);
    assert_eq!(sorted.par_merge(&sorted).len(), 100_000);
    assert_eq!([1, 2, 3].par_scan_inclusive(|a, b| a + b), [1, 3, 6]);
    let mut kept = sorted.clone();
    kept.par_retain(|x| x % 2 == 0);
    assert_eq!(kept.len(), sorted.iter().filter(|&&x| x % 2 == 0).count());
    let counts = v.par_iter().count_by_key(|&x| x % 10);
    assert_eq!(counts.values().sum::<usize>(), 50_000);
    let below = |&n: &u32| (n > 1).then(|| [n / 2, n - n / 2]).into_iter().flatten();
    assert_eq!(walk_tree(1000, below).count(), 1999);
    assert_eq!(
        tree_reduce(1000, below, |_| 1, |n, child: u32| n + child),
        1999
    );
    let ring = par_bfs(10_000, [0], |i| [(i + 1) % 10_000]);
    assert_eq!(ring[9_999], 9_999);
    let spawned = AtomicUsize::new(0);
    for_each_spawn([1000u32], |n, list| {
        spawned.fetch_add(1, Relaxed);
        below(&n).for_each(|half| list.spawn(half));
    });
    assert_eq!(spawned.into_inner(), 1999);
}

fn control() {
    let token = CancelToken::new();
    let numbers = (0..u64::MAX).into_par_iter();
    let found = numbers
        .inspect(|&i| {
            if i == 5000 {
                token.cancel()
            }
        })
        .cancellable(&token);
    assert!(found.count() > 5000);
    let states = (0..1000).into_par_iter().using(|| 0).map(|n, i| {
        *n += 1;
        i
    });
    assert_eq!(states.sum::<i32>(), 499_500);
    let in_order = (0..10_000)
        .into_par_iter()
        .with_ordered_iter(100, |items| items.eq(0..10_000));
    assert!(in_order);
    let third: f64 = [1.0, 2.0, 3.0].par_iter().reproducible().sum();
    assert_eq!(third, 6.0);
    let taken: Vec<u32> = (0..1000).into_par_iter().take_while(|&i| i < 5).collect();
    assert_eq!(taken, [0, 1, 2, 3, 4]);
    filch::yield_now();
    assert_eq!(
        filch::broadcast(|context| context.index()).len(),
        filch::current_num_threads()
    );
    println!("{}", filch::stats());
}

fn threads() {
    assert!(filch::current_num_threads() >= 1);
    let pool = filch::ThreadPoolBuilder::new().num_threads(2).build();
    assert_eq!(pool.is_err(), WASM, "a pool of one's own needs threads");
    if WASM {
        assert_eq!(
            (filch::current_num_threads(), filch::missing_threads()),
            (1, 1)
        );
        let caller = thread::current().id();
        let elsewhere = (0..10_000)
            .into_par_iter()
            .any(|_| thread::current().id() != caller);
        assert!(!elsewhere);
    }
}
