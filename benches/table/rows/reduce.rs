//! Cheap items that end in one value.

use orx_parallel::{Par as _, Parallelizable as _};

use suite::{
    inputs::{numbers, unseen},
    twice,
};

use crate::measure::{Bench, Place};

pub fn sums(bench: &Bench) {
    for n in [10, 100, 1_000] {
        let data = &numbers(n)[..];
        for place in Place::BOTH {
            let row = bench
                .row(format!("sum of {n} u64, ns above std"))
                .above_std(1)
                .place(place);
            let row = match place {
                Place::Outside => row.goal(100.0, 100.0),
                Place::Inside => row,
            };
            row.std(|| unseen(data).iter().sum::<u64>())
                .par(twice!(|| unseen(data).par_iter().sum::<u64>()))
                .run();
        }
    }
    for n in [10_000, 100_000, 1_000_000, 10_000_000] {
        let data = &numbers(n)[..];
        for place in Place::BOTH {
            let row = bench.row(format!("sum of {n} u64")).place(place);
            let row = if n <= 100_000 {
                row.goal(1.1, 1.1)
            } else {
                row
            };
            let row = row
                .std(|| unseen(data).iter().sum::<u64>())
                .par(twice!(|| unseen(data).par_iter().sum::<u64>()));
            match place {
                Place::Outside => row
                    .orx(|| {
                        unseen(data)
                            .par()
                            .num_threads(bench.threads)
                            .map(|&x| x)
                            .sum()
                    })
                    .run(),
                Place::Inside => row.run(),
            }
        }
    }
}

pub fn pipelines(bench: &Bench) {
    const N: usize = 1_000_000;
    let (a, b) = (&numbers(N)[..], &numbers(N)[..]);
    for n in [10_000, N] {
        let (a, b) = (&a[..n], &b[..n]);
        bench
            .row(format!("zip, enumerate, sum, {n}"))
            .std(|| {
                let items = unseen(a).iter().zip(unseen(b)).enumerate();
                items.map(|(i, (x, y))| (i as u64 & x) + y).sum::<u64>()
            })
            .par(twice!(|| {
                let items = unseen(a).par_iter().zip(unseen(b)).enumerate();
                items.map(|(i, (x, y))| (i as u64 & x) + y).sum::<u64>()
            }))
            .run();
    }
    bench
        .row("sums of chunks of 1000, of 1M")
        .std(|| {
            unseen(a)
                .chunks(1_000)
                .map(|chunk| chunk.iter().sum::<u64>())
                .sum::<u64>()
        })
        .par(twice!(|| {
            let chunks = unseen(a).par_chunks(1_000);
            chunks.map(|chunk| chunk.iter().sum::<u64>()).sum::<u64>()
        }))
        .run();
    bench
        .row("chain of two 500k, sum")
        .std(|| {
            unseen(&a[..N / 2])
                .iter()
                .chain(unseen(&b[N / 2..]))
                .sum::<u64>()
        })
        .par(twice!(|| {
            let items = unseen(&a[..N / 2]).par_iter().chain(unseen(&b[N / 2..]));
            items.sum::<u64>()
        }))
        .run();
    // The sum and the greatest, in one pass.
    let both = |(sum, most): (u64, u64), x: &u64| (sum + x, most.max(*x));
    bench
        .row("fold to a sum and a maximum, then reduce, 1M")
        .std(|| unseen(a).iter().fold((0, 0), both))
        .par(twice!(|| {
            let parts = unseen(a).par_iter().fold(|| (0, 0), both);
            parts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1.max(b.1)))
        }))
        .run();
    bench
        .row("min_by_key, 1M")
        .std(|| unseen(a).iter().min_by_key(|x| x.rotate_left(17)))
        .par(twice!(|| unseen(a)
            .par_iter()
            .min_by_key(|x| x.rotate_left(17))))
        .run();
}

pub fn searches(bench: &Bench) {
    const N: usize = 1_000_000;
    let data = &numbers(N)[..];
    // No number of the input is as high.
    let nowhere = u64::MAX;
    for (name, wanted) in [("hit in the middle", data[N / 2]), ("no hit", nowhere)] {
        bench
            .row(format!("find_first, {name}, 1M"))
            .std(|| unseen(data).iter().find(|&&x| x == wanted).copied())
            .par(twice!(|| unseen(data)
                .par_iter()
                .find_first(|&&x| x == wanted)
                .copied()))
            .run();
    }
    for (name, wanted) in [
        ("hit at three quarters", data[N / 4 * 3]),
        ("no hit", nowhere),
    ] {
        bench
            .row(format!("any, {name}, 1M"))
            .std(|| unseen(data).iter().any(|&x| x.rotate_left(9) == wanted))
            .par(twice!(|| unseen(data)
                .par_iter()
                .any(|&x| x.rotate_left(9) == wanted)))
            .run();
    }
}
