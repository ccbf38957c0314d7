use std::collections::HashMap;

use orx_parallel::{Par as _, Parallelizable as _};

use crate::{
    case::{Case, Suite},
    inputs::{numbers, unseen},
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    let odd = |x: &&u64| **x & 1 == 1;
    for n in setting.lengths(1_000_000) {
        let data = &numbers(n)[..];
        Case::new("map into Vec", n)
            .by("std", || {
                unseen(data).iter().map(|x| x * 3).collect::<Vec<_>>()
            })
            .par(twice!(|| unseen(data)
                .par_iter()
                .map(|x| x * 3)
                .collect::<Vec<_>>()))
            .by("orx", || {
                let items = unseen(data).par().num_threads(setting.threads);
                items.map(|x| x * 3).collect()
            })
            .put(suite);
        Case::new("filter into Vec", n)
            .by("std", || {
                unseen(data).iter().filter(odd).copied().collect::<Vec<_>>()
            })
            .par(twice!(|| unseen(data)
                .par_iter()
                .filter(odd)
                .copied()
                .collect::<Vec<_>>()))
            .by("orx", || {
                let items = unseen(data).par().num_threads(setting.threads);
                items.filter(odd).map(|&x| x).collect()
            })
            .put(suite);
        if n > 100_000 {
            continue;
        }
        Case::new("pairs into HashMap", n)
            .by("std", || {
                unseen(data)
                    .iter()
                    .map(|&x| (x, x + 1))
                    .collect::<HashMap<_, _>>()
            })
            .par(twice!(|| unseen(data)
                .par_iter()
                .map(|&x| (x, x + 1))
                .collect::<HashMap<_, _>>()))
            .put(suite);
    }
}
