use std::{
    collections::{BTreeMap, HashSet},
    hint::black_box,
};

use orx_parallel::{IterIntoParIter as _, Par as _};

use crate::{
    case::{Case, Suite},
    inputs::pairs,
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    for n in setting.lengths(1_000_000) {
        let map = &pairs(n);
        let ordered = &map
            .iter()
            .map(|(&k, &v)| (k, v))
            .collect::<BTreeMap<_, _>>();
        let set = &map.keys().copied().collect::<HashSet<_>>();
        Case::new("HashMap, sum", n)
            .by("std", || {
                black_box(map).iter().map(|(k, v)| k & v).sum::<u64>()
            })
            .par(twice!(|| black_box(map)
                .par_iter()
                .map(|(k, v)| k & v)
                .sum::<u64>()))
            .by("orx", || {
                let pairs = black_box(map).iter().iter_into_par();
                pairs.num_threads(setting.threads).map(|(k, v)| k & v).sum()
            })
            .put(suite);
        Case::new("BTreeMap, sum", n)
            .by("std", || {
                black_box(ordered).iter().map(|(k, v)| k & v).sum::<u64>()
            })
            .par(twice!(|| black_box(ordered)
                .par_iter()
                .map(|(k, v)| k & v)
                .sum::<u64>()))
            .by("orx", || {
                let pairs = black_box(ordered).iter().iter_into_par();
                pairs.num_threads(setting.threads).map(|(k, v)| k & v).sum()
            })
            .put(suite);
        Case::new("HashSet, max", n)
            .by("std", || black_box(set).iter().copied().max())
            .par(twice!(|| black_box(set).par_iter().copied().max()))
            .put(suite);
    }
}
