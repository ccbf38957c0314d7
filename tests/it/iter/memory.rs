//! How much memory collections ask for: a small multiple of what they hold, however long the input is; and how much they keep.
//!
//! In processes of their own: the allocator counts for all threads, and cuts are forced.

use crate::support::{
    SIZES, all_requests, alone, caught, costly, largest_request, most_in_use, planted, pool,
};
use either::Either;
use filch::algo::{
    NO_NEXT, difference, euler_tour, kmerge, list_rank, pack, pack_indices, par_components,
    scan_exclusive_by_key, scan_segments, scatter, union,
};
use filch::ext::*;
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// Far more items than there is memory for.
const ENDLESS: u64 = 1 << 40;

/// What a request may come to beside the items: queues, and a page for each piece.
const BESIDE: usize = 64 << 10;

/// Runs a program on two threads, with cuts by the toss of a coin, until another thread took a piece. The program says how many items it let
/// through; no request may be for more than eight times as many.
#[track_caller]
fn asks_for_little(program: impl Fn() -> usize + Sync) {
    let pool = pool(2);
    pool.force_cuts(Cuts::Random(7));
    for _ in 0..1000 {
        let before = pool.stats();
        let (items, largest) = largest_request(|| pool.install(&program));
        let most = 8 * items * size_of::<u64>() + BESIDE;
        assert!(
            largest <= most,
            "{largest} bytes at once, for {items} items"
        );
        if (pool.stats() - before).taken > 0 {
            return;
        }
    }
    panic!("no piece was taken");
}

/// All even numbers, each of which takes a while; counted.
fn evens(count: &AtomicUsize) -> impl ParallelIterator<Item = u64> {
    (0..ENDLESS)
        .into_par_iter()
        .filter(|x| x % 2 == 0)
        .map(|x| {
            count.fetch_add(1, Relaxed);
            costly(0);
            x
        })
}

/// What comes before the end, wherever that is.
const STOP: usize = 5_000;

#[test]
fn items_of_an_endless_range_that_are_taken_from_anywhere() {
    alone(2, 60, || {
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let v: Vec<u64> = evens(&count).take_any(1000).collect();
            assert_eq!(v.len(), 1000);
            count.into_inner()
        });
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let goes_on = |_: &u64| count.load(Relaxed) < STOP;
            let v: Vec<u64> = evens(&count).take_any_while(goes_on).collect();
            assert!(v.len() <= count.load(Relaxed));
            count.into_inner()
        });
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let (left, right): (Vec<u64>, Vec<u64>) = evens(&count)
                .take_any(1000)
                .partition(|x| x.count_ones() % 2 == 0);
            assert_eq!(left.len() + right.len(), 1000);
            count.into_inner()
        });
    });
}

#[test]
fn items_of_an_endless_range_up_to_a_failure() {
    alone(2, 60, || {
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let check = |x: u64| (count.load(Relaxed) < STOP).then_some(x);
            let v: Vec<u64> = evens(&count).map(check).while_some().collect();
            assert!(v.len() <= count.load(Relaxed));
            count.into_inner()
        });
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let check = |x: u64| (count.load(Relaxed) < STOP).then_some(x);
            let all: Option<Vec<u64>> = evens(&count).map(check).collect();
            assert_eq!(all, None);
            count.into_inner()
        });
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let check = |x: u64| (count.load(Relaxed) < STOP).then_some(x).ok_or(x);
            let all: Result<Vec<u64>, u64> = evens(&count).map(check).collect();
            assert!(all.is_err());
            count.into_inner()
        });
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let check = |x: u64| match count.load(Relaxed) < STOP {
                true => x,
                false => planted(1),
            };
            let all = caught(|| {
                let items = evens(&count).map(check).panic_fuse();
                items.collect::<Vec<u64>>().len()
            });
            assert_eq!(all, Err(1));
            count.into_inner()
        });
        asks_for_little(|| {
            let (count, token) = (AtomicUsize::new(0), CancelToken::new());
            let items = evens(&count).map(|x| {
                if count.load(Relaxed) >= STOP {
                    token.cancel();
                }
                x
            });
            let v: Vec<u64> = items.cancellable(&token).collect();
            assert!(v.len() <= count.load(Relaxed));
            count.into_inner()
        });
    });
}

#[test]
fn the_first_items_of_an_endless_range() {
    alone(2, 60, || {
        let end = 3 * STOP as u64;
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let v: Vec<u64> = evens(&count).take_while(|x| *x < end).collect();
            assert_eq!(v.len(), end as usize / 2);
            count.into_inner()
        });
        asks_for_little(|| {
            let count = AtomicUsize::new(0);
            let v: Vec<u64> = evens(&count)
                .map_while(|x| (x < end).then_some(x))
                .collect();
            assert_eq!(v.len(), end as usize / 2);
            count.into_inner()
        });
    });
}

/// All of the first items are kept, and none of the others.
#[test]
fn a_beginning_that_is_not_typical() {
    alone(2, 60, || {
        asks_for_little(|| {
            let n = 1u64 << 22;
            let v: Vec<u64> = (0..n).into_par_iter().filter(|&x| x < 2000).collect();
            v.len()
        });
        asks_for_little(|| {
            let n = 1u64 << 20;
            let boxed = |x: u64| (x < 2000).then(|| Box::new(x));
            let v: Vec<Box<u64>> = (0..n).into_par_iter().filter_map(boxed).collect();
            v.len()
        });
    });
}

/// A vector with little room beyond what it holds: half as much again, and 64 items that take a kilobyte at most.
#[track_caller]
fn is_snug<T>(v: &Vec<T>) {
    let (len, capacity) = (v.len(), v.capacity());
    assert!(
        capacity <= len + len / 2 + 64.min(1024 / size_of::<T>()),
        "room for {capacity}, of which {len} are used"
    );
}

/// Runs programs that collect `n` items, of which `keep` tells which are kept.
fn collections(n: usize, keep: &(dyn Fn(usize) -> bool + Sync)) {
    let all = || (0..n).into_par_iter().map(|x| costly(x as i32) as usize);
    let kept = || all().filter(|x| keep(*x));
    let expected = (0..n).filter(|x| keep(*x)).count();
    let as_expected = |v: &Vec<usize>| {
        assert_eq!(v.len(), expected);
        is_snug(v);
    };
    as_expected(&kept().collect());
    as_expected(&all().filter_map(|x| keep(x).then_some(x)).collect());
    as_expected(&all().flat_map_iter(|x| keep(x).then_some(x)).collect());
    as_expected(&all().flat_map(|x| keep(x).then_some(x)).collect());
    let ok: Result<Vec<usize>, ()> = kept().map(Ok).collect();
    as_expected(&ok.expect("no error"));
    let mut extended = Vec::new();
    extended.par_extend(kept());
    as_expected(&extended);
    let boxes: Vec<Box<usize>> = kept().map(Box::new).collect();
    is_snug(&boxes);
    let large: Vec<[usize; 150]> = kept().take_any(20).map(|x| [x; 150]).collect();
    is_snug(&large);
    let (left, right): (Vec<usize>, Vec<usize>) = all().partition(|x| keep(*x));
    as_expected(&left);
    is_snug(&right);
    let side = |x| match keep(x) {
        true => Either::Left(x),
        false => Either::Right(x),
    };
    let (left, right): (Vec<usize>, Vec<usize>) = all().partition_map(side);
    as_expected(&left);
    is_snug(&right);
    let (left, right): (Vec<usize>, Vec<usize>) = kept().map(|x| (x, x)).unzip();
    as_expected(&left);
    as_expected(&right);
    kept().collect_vec_list().iter().for_each(is_snug);
    let text: String = kept().map(|_| 'x').collect();
    is_snug(&text.into_bytes());
    let v: Vec<usize> = (0..n).collect();
    as_expected(&pack(&v, |x| keep(*x)));
    as_expected(&pack_indices(&v, |x| keep(*x)));
    let (wanted, others): (Vec<usize>, Vec<usize>) = v.iter().partition(|x| keep(**x));
    as_expected(&difference(&v, &others));
    is_snug(&union(&wanted, &wanted));
    is_snug(&kmerge(&[&wanted[..], &others]));
}

#[test]
fn what_is_collected_has_little_room_to_spare() {
    alone(2, 300, || {
        let n = 30_000;
        for cuts in [Cuts::Adaptive, Cuts::Random(7)] {
            for threads in [1, 2, 3] {
                let pool = pool(threads);
                pool.force_cuts(cuts);
                let before = pool.stats();
                let shared = threads > 1 && cuts == Cuts::Random(7);
                loop {
                    pool.install(|| {
                        collections(n, &|_| true);
                        collections(n, &|_| false);
                        collections(n, &|x| x % 2 == 0);
                        collections(n, &|x| x % 8 < 5);
                        collections(n, &|x| x % 1000 == 0);
                        collections(n, &|x| x < 2000);
                        collections(n, &|x| x >= n / 2);
                    });
                    // On a busy machine another thread may come late; `alone` ends what never gets one.
                    if !shared || (pool.stats() - before).taken >= 100 {
                        break;
                    }
                }
            }
        }
    });
}

/// A number of items near 2^64 is no number of bytes.
#[test]
fn lengths_near_the_largest_number() {
    for (first, last) in [
        (0, u64::MAX),
        (1, u64::MAX),
        (2, u64::MAX),
        (0, u64::MAX - 500),
    ] {
        let stop = |x: &u64| match x.wrapping_sub(first) {
            5_000 => planted(1),
            _ => true,
        };
        let all = || pool(1).install(|| (first..=last).into_par_iter().filter(stop).count());
        assert_eq!(caught(all), Err(1));
        let kept = (first..=last).into_par_iter().filter(stop);
        let collected = pool(1).install(|| caught(|| kept.collect::<Vec<_>>()));
        assert_eq!(collected, Err(1), "{first}..={last}");
    }
    let endless = |x: usize| (0..usize::MAX).map(move |y| x + y).take_while(|y| *y < 100);
    let few: Vec<usize> = (0..50).into_par_iter().flat_map_iter(endless).collect();
    assert_eq!(few.len(), (51..=100).sum::<usize>());
}

/// What pools of these sizes ask for at once to put `v` in order, and how often they compare: no more than so much, and so often.
#[track_caller]
fn orders_with(
    sizes: &[usize],
    v: &[u64],
    bytes: usize,
    comparisons: usize,
    by: impl Fn(&mut [u64], &(dyn Fn(&u64, &u64) -> Ordering + Sync)) + Sync,
) {
    for &threads in sizes {
        let count = AtomicUsize::new(0);
        let mut v = v.to_vec();
        let order = || {
            by(&mut v, &|a, b| {
                count.fetch_add(1, Relaxed);
                a.cmp(b)
            });
        };
        let ((), largest) = largest_request(|| pool(threads).install(order));
        assert!(v.is_sorted());
        assert!(largest <= bytes, "{threads} threads: {largest} bytes");
        let count = count.into_inner();
        assert!(count <= comparisons, "{threads} threads: {count}");
    }
}

/// What lies before all of the other run, or behind it, does not move. There is room for the rest, and for the second run alone if that is short: then each of its
/// elements takes a few comparisons.
#[test]
fn merges_of_what_is_mostly_in_place() {
    alone(2, 60, || {
        let (n, few) = (1 << 20, 10_000);
        let bytes = |elements: u64| elements as usize * size_of::<u64>() + BESIDE;
        let overlap: Vec<u64> = (0..n / 2 + few).chain(n / 2 - few..n).collect();
        orders_with(
            &SIZES,
            &overlap,
            bytes(4 * few),
            8 * few as usize,
            |v, order| v.par_merge_in_place_by((n / 2 + few) as usize, order),
        );
        let scattered = (0..few).map(|i| i * n / few);
        let short: Vec<u64> = (0..n).chain(scattered).collect();
        orders_with(&SIZES, &short, bytes(few), 30 * few as usize, |v, order| {
            v.par_merge_in_place_by(n as usize, order)
        });
        // A sort by one thread has room for all.
        orders_with(
            &SIZES[1..],
            &short,
            bytes(few),
            short.len() + 60 * few as usize,
            |v, order| v.par_sort_by(order),
        );
    });
}

/// What is sorted in place asks for no room: not for what is put aside, nor for elements that are large.
#[test]
fn sorts_in_place() {
    alone(2, 60, || {
        let n = 1 << 20;
        let mut nearly: Vec<u64> = (0..n).collect();
        (0..n as usize / 40)
            .for_each(|i| nearly.swap(i * 7919 % n as usize, i * 104_729 % n as usize));
        orders_with(&SIZES, &nearly, BESIDE, 8 * n as usize, |v, order| {
            v.par_sort_unstable_by(order)
        });
        for threads in SIZES {
            let mut large: Vec<[u64; 600]> = (0..999).map(|i| [i * 7919 % 999; 600]).collect();
            let ((), asked) =
                largest_request(|| pool(threads).install(|| large.par_sort_unstable()));
            assert!(large.is_sorted());
            assert!(asked <= BESIDE, "{threads} threads: {asked} bytes");
        }
    });
}

/// What is shared between threads even if there are few, because it is dropped.
#[derive(Clone)]
struct Dropped;

impl Drop for Dropped {
    fn drop(&mut self) {}
}

/// What algorithms ask for in all, their results included: so many bytes for each element. Each array of words beside these would be eight more.
#[test]
fn algorithms_that_need_little_beside_their_results() {
    alone(2, 60, || {
        let n = 100_000;
        let asks_for = |bytes: usize, run: &dyn Fn()| {
            let ((), asked) = all_requests(run);
            let most = bytes * n + BESIDE;
            assert!(asked <= most, "{asked} bytes, and not {most}");
        };
        let (v, keys): (Vec<usize>, Vec<usize>) = (0..n).map(|i| (i, i / 9)).unzip();
        asks_for(8, &|| drop(scan_segments(&v, |i| i % 9 == 0, |a, b| a + b)));
        asks_for(8, &|| {
            drop(scan_exclusive_by_key(&keys, &v, 0, |a, b| a + b))
        });
        let next: Vec<usize> = (1..n).chain([NO_NEXT]).collect();
        asks_for(9, &|| drop(list_rank(&next)));
        let edges: Vec<_> = (1..n).map(|node| (node, (node - 1) / 2)).collect();
        asks_for(8, &|| drop(par_components(n, &edges)));
        asks_for(90, &|| drop(euler_tour(n, &edges)));
        // Of no size, so that no clone asks for memory.
        let boxes = vec![Box::new(()); n];
        let to: Vec<usize> = (0..n).map(|i| i * 7919 % n).collect();
        // With the vector that is scattered to.
        asks_for(9, &|| scatter(&boxes, &to, &mut boxes.clone()));
        // To twenty times as many places, two of which are the same: a bit for each place, and a few words for each index, beside the vector.
        let (few, far) = (n / 10, vec![Box::new(()); 2 * n]);
        let mut twice: Vec<usize> = (0..few).map(|i| i * 20).collect();
        twice[few - 1] = twice[0];
        asks_for(16 + 3, &|| scatter(&boxes[..few], &twice, &mut far.clone()));
        // To 2,048 times as many: not even a bit for each place.
        let (few, far) = (vec![Dropped; 1 << 13], vec![Dropped; 1 << 24]);
        let to: Vec<usize> = (0..1 << 13).map(|i| (i << 11) + i % 9).collect();
        asks_for(16, &|| scatter(&few, &to, &mut far.clone()));
    });
}

/// A thread that never looks for work, in a pool without others, keeps nothing of the jobs that it has spawned and done itself.
#[test]
fn jobs_that_their_spawner_did_leave_nothing_in_its_queue() {
    alone(1, 60, || {
        let keeps_little = |work: &(dyn Fn() + Sync)| {
            let ((), most) = pool(1).install(|| most_in_use(work));
            assert!(most < BESIDE as isize, "{most} bytes at once");
        };
        keeps_little(&|| {
            (0..3_000).for_each(|n| assert_eq!(spawn_handle(move || n).join().unwrap(), n))
        });
        keeps_little(&|| (0..3_000).for_each(|_| spawn_handle(|| ()).cancel().unwrap()));
        let batches = |take: fn(&mut Vec<JobHandle<usize>>) -> JobHandle<usize>| {
            for _ in 0..100 {
                let mut handles: Vec<_> = (0..30).map(|n| spawn_handle(move || n)).collect();
                let sum: usize = (0..30).map(|_| take(&mut handles).join().unwrap()).sum();
                assert_eq!(sum, 29 * 30 / 2);
            }
        };
        keeps_little(&|| batches(|handles| handles.remove(0)));
        keeps_little(&|| batches(|handles| handles.pop().unwrap()));
        keeps_little(&|| batches(|handles| handles.swap_remove(handles.len() / 2)));
        // What others spawned above them is still there.
        let ran = AtomicUsize::new(0);
        pool(1).scope(|s| {
            let first = spawn_handle(|| ());
            s.spawn(|_| assert_eq!(ran.fetch_add(1, Relaxed), 1));
            let second = spawn_handle(|| ());
            s.spawn(|_| assert_eq!(ran.fetch_add(1, Relaxed), 0));
            first.join().unwrap();
            second.join().unwrap();
            assert_eq!(ran.load(Relaxed), 0);
        });
        assert_eq!(ran.into_inner(), 2);
        // The consumer is slow, so each round is begun ahead by a job that no thread takes.
        let slow = |_| thread::sleep(Duration::from_micros(50));
        keeps_little(&|| {
            (0..4_000)
                .into_par_iter()
                .with_ordered_iter(2, |items| items.for_each(slow))
        });
    });
}
