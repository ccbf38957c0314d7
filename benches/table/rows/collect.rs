//! Results of many items: collections, writes in place, sorts.

use std::{collections::HashMap, sync::Mutex};

use orx_parallel::{Par as _, Parallelizable as _};

use suite::{
    inputs::{numbers, unseen},
    twice,
};

use crate::measure::{Bench, Place};

fn odd(x: &&u64) -> bool {
    **x & 1 == 1
}

pub fn rows(bench: &Bench) {
    for n in [10_000, 1_000_000] {
        let data = &numbers(n)[..];
        for place in Place::BOTH {
            let row = bench
                .row(format!("map, collect, {n}"))
                .place(place)
                .std(|| unseen(data).iter().map(|x| x * 3).collect::<Vec<_>>())
                .par(twice!(|| unseen(data)
                    .par_iter()
                    .map(|x| x * 3)
                    .collect::<Vec<_>>()));
            match place {
                Place::Outside => row
                    .orx(|| {
                        unseen(data)
                            .par()
                            .num_threads(bench.threads)
                            .map(|x| x * 3)
                            .collect()
                    })
                    .run(),
                Place::Inside => row.run(),
            }
        }
    }
    let data = &numbers(1_000_000)[..];
    // One buffer for all: where it lies in memory makes a difference.
    let buffer = Mutex::new(data.to_vec());
    let buffer = || buffer.lock().expect("no contender panics");
    for place in Place::BOTH {
        bench
            .row("for_each over par_iter_mut, 1M")
            .place(place)
            .std(|| buffer().iter_mut().for_each(|x| *x = x.rotate_left(7)))
            .par(twice!(|| buffer()
                .par_iter_mut()
                .for_each(|x| *x = x.rotate_left(7))))
            .run();
    }
    for n in [1_000, 1_000_000] {
        let data = &data[..n];
        for place in Place::BOTH {
            bench
                .row(format!("filter, collect, {n}"))
                .place(place)
                .std(|| unseen(data).iter().filter(odd).copied().collect::<Vec<_>>())
                .par(twice!(|| unseen(data)
                    .par_iter()
                    .filter(odd)
                    .copied()
                    .collect::<Vec<_>>()))
                .run();
        }
    }
    let result = data.iter().filter(odd).count() * size_of::<u64>();
    for bytes in [false, true] {
        let row = match bytes {
            false => bench
                .row("filter, collect, 1M: allocations")
                .allocations()
                .goal(16.0, 16.0),
            true => bench
                .row("filter, collect, 1M: bytes asked / result")
                .bytes_over(result as u64)
                .goal(1.5, 1.5),
        };
        row.std(|| unseen(data).iter().filter(odd).copied().collect::<Vec<_>>())
            .par(twice!(|| unseen(data)
                .par_iter()
                .filter(odd)
                .copied()
                .collect::<Vec<_>>()))
            .run();
    }
    let data = &data[..100_000];
    bench
        .row("collect into HashMap, 100k")
        .std(|| {
            unseen(data)
                .iter()
                .map(|&x| (x, x + 1))
                .collect::<HashMap<_, _>>()
        })
        .par(twice!(|| unseen(data)
            .par_iter()
            .map(|&x| (x, x + 1))
            .collect::<HashMap<_, _>>()))
        .run();
}

pub fn sorts(bench: &Bench) {
    let data = &numbers(1_000_000)[..];
    bench
        .row("par_sort, 1M u64")
        .each_with(
            || data.to_vec(),
            |mut data| {
                data.sort();
                data
            },
            twice!(|mut data: Vec<u64>| {
                data.par_sort();
                data
            }),
        )
        .run();
    bench
        .row("par_sort_unstable, 1M u64")
        .each_with(
            || data.to_vec(),
            |mut data| {
                data.sort_unstable();
                data
            },
            twice!(|mut data: Vec<u64>| {
                data.par_sort_unstable();
                data
            }),
        )
        .run();
}
