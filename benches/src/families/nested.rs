use orx_parallel::{Par as _, Parallelizable as _};

use crate::{
    case::{Case, Suite},
    inputs::{numbers, unseen},
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    let four = |&x: &u64| [x, x >> 1, x >> 2, x >> 3];
    for n in setting.lengths(1_000_000) {
        let data = &numbers(n)[..];
        Case::new("flat_map of arrays of 4, sum", n)
            .by("std", || unseen(data).iter().flat_map(four).sum::<u64>())
            .par(twice!(|| unseen(data)
                .par_iter()
                .flat_map(four)
                .sum::<u64>()))
            .by("orx", || {
                let items = unseen(data).par().num_threads(setting.threads);
                items.flat_map(four).sum()
            })
            .put(suite);
    }
    for n in [10, 30, 100, 300, 1_000] {
        let matrix = &numbers(n * n)[..];
        Case::new("loops over a triangle of n lines", n)
            .by("std", || {
                let matrix = unseen(matrix);
                let line = |i: usize| (i..n).map(|j| matrix[i * n + j]).sum::<u64>();
                (0..n).map(line).sum::<u64>()
            })
            .par(twice!(|| {
                let matrix = unseen(matrix);
                let line = |i: usize| {
                    (i..n)
                        .into_par_iter()
                        .map(|j| matrix[i * n + j])
                        .sum::<u64>()
                };
                (0..n).into_par_iter().map(line).sum::<u64>()
            }))
            .put(suite);
    }
}
