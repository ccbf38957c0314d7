//! Iterators within iterators.

use suite::{
    inputs::{numbers, unseen},
    twice,
};

use crate::measure::{Bench, Place};

/// Four numbers out of one.
fn four(&x: &u64) -> [u64; 4] {
    [x, x >> 1, x >> 2, x >> 3]
}

pub fn rows(bench: &Bench) {
    for n in [1_000, 100_000] {
        let data = &numbers(n)[..];
        for place in Place::BOTH {
            let row = bench
                .row(format!("flat_map of 4-element arrays, {n}"))
                .place(place);
            let row = if n == 1_000 { row.goal(1.5, 1.5) } else { row };
            row.std(|| unseen(data).iter().flat_map(four).sum::<u64>())
                .par(twice!(|| unseen(data)
                    .par_iter()
                    .flat_map(four)
                    .sum::<u64>()))
                .run();
        }
        bench
            .row(format!("flat_map_iter of 4-element arrays, {n}"))
            .std(|| unseen(data).iter().flat_map(four).sum::<u64>())
            .par(twice!(|| unseen(data)
                .par_iter()
                .flat_map_iter(four)
                .sum::<u64>()))
            .run();
    }
    const N: usize = 100;
    let matrix = &numbers(N * N)[..];
    for place in Place::BOTH {
        bench
            .row("loops over a triangle, n = 100")
            .goal(1.3, 1.3)
            .place(place)
            .std(|| {
                let matrix = unseen(matrix);
                let line = |i: usize| (i..N).map(|j| matrix[i * N + j]).sum::<u64>();
                (0..N).map(line).sum::<u64>()
            })
            .par(twice!(|| {
                let matrix = unseen(matrix);
                let line = |i: usize| {
                    (i..N)
                        .into_par_iter()
                        .map(|j| matrix[i * N + j])
                        .sum::<u64>()
                };
                (0..N).into_par_iter().map(line).sum::<u64>()
            }))
            .run();
    }
}
