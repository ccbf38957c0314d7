use orx_parallel::{Par as _, Parallelizable as _};

use crate::{
    case::{Case, Suite},
    inputs::{numbers, unseen},
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    let odd = |x: &&u64| **x & 1 == 1;
    let turn = |x: &u64| x.rotate_left(17);
    for n in setting.lengths(1_000_000) {
        let (a, b) = (&numbers(n)[..], &numbers(n)[..]);
        Case::new("zip, enumerate, map, sum", n)
            .by("std", || {
                let items = unseen(a).iter().zip(unseen(b)).enumerate();
                items.map(|(i, (x, y))| (i as u64 & x) + y).sum::<u64>()
            })
            .par(twice!(|| {
                let items = unseen(a).par_iter().zip(unseen(b)).enumerate();
                items.map(|(i, (x, y))| (i as u64 & x) + y).sum::<u64>()
            }))
            .by("paralight", || {
                use paralight::prelude::*;
                let items = (unseen(a).par_iter(), unseen(b).par_iter())
                    .zip_eq()
                    .enumerate();
                items
                    .with_thread_pool(&mut *setting.paralight_fixed.borrow_mut())
                    .map(|(i, (x, y))| (i as u64 & x) + y)
                    .sum()
            })
            .put(suite);
        Case::new("filter, map, min", n)
            .by("std", || unseen(a).iter().filter(odd).map(turn).min())
            .par(twice!(|| unseen(a).par_iter().filter(odd).map(turn).min()))
            .by("orx", || {
                let items = unseen(a).par().num_threads(setting.threads);
                items.filter(odd).map(turn).min()
            })
            .by("paralight", || {
                use paralight::prelude::*;
                let items = unseen(a).par_iter().filter(odd).map(turn);
                items
                    .with_thread_pool(&mut *setting.paralight_fixed.borrow_mut())
                    .min()
            })
            .put(suite);
        Case::new("chunks of 100, their sums, max", n)
            .by("std", || {
                let sums = unseen(a).chunks(100).map(|chunk| chunk.iter().sum::<u64>());
                sums.max()
            })
            .par(twice!(|| {
                let sums = unseen(a)
                    .par_chunks(100)
                    .map(|chunk| chunk.iter().sum::<u64>());
                sums.max()
            }))
            .put(suite);
    }
}
