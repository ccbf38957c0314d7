use orx_parallel::{Par as _, Parallelizable as _};

use crate::{
    case::{Case, Suite},
    inputs::{numbers, unseen},
    ours, rayon, twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    for n in setting.lengths(1_000_000) {
        let data = &numbers(n)[..];
        Case::new("sum, from outside", n)
            .by("std", || unseen(data).iter().sum::<u64>())
            .par(twice!(|| unseen(data).par_iter().sum::<u64>()))
            .by("orx", || {
                let items = unseen(data).par().num_threads(setting.threads);
                items.copied().sum()
            })
            .by("paralight", || {
                use paralight::prelude::*;
                let items = unseen(data).par_iter().copied();
                items
                    .with_thread_pool(&mut *setting.paralight_fixed.borrow_mut())
                    .sum()
            })
            .put(suite);
    }
    let (mine, theirs) = (&ours::pool(setting.threads), &rayon::pool(setting.threads));
    for n in setting.lengths(1_000_000) {
        let data = &numbers(n)[..];
        let (ours, rayon) = twice!(|| unseen(data).par_iter().sum::<u64>());
        Case::new("sum, on a thread of the pool", n)
            .by("std", || unseen(data).iter().sum::<u64>())
            .inside("filch", |run| mine.install(run), ours)
            .inside("rayon", |run| theirs.install(run), rayon)
            .put(suite);
    }
}
