use std::{collections::HashMap, rc::Rc};

use filch::ext::ParallelByKey as _;
use foldhash::fast::RandomState;
use orx_parallel::{Par as _, Parallelizable as _};

use crate::{
    case::{Case, Suite, Unit},
    inputs::{numbers, random, unseen},
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let n = 1_000_000.min(suite.setting.longest);
    let threads = suite.setting.threads;
    let (data, unsorted) = (&numbers(n)[..], &random(n)[..]);
    let copies: &Rc<dyn Fn() -> Vec<u64> + '_> = &(Rc::new(|| unsorted.to_vec()) as _);
    let odd = |x: &&u64| **x & 1 == 1;
    for unit in [Unit::Allocations, Unit::Bytes] {
        Case::new("sum", n)
            .unit(unit)
            .by("std", || unseen(data).iter().sum::<u64>())
            .par(twice!(|| unseen(data).par_iter().sum::<u64>()))
            .by("orx", || {
                unseen(data).par().num_threads(threads).copied().sum()
            })
            .put(suite);
        Case::new("map into Vec", n)
            .unit(unit)
            .by("std", || {
                unseen(data).iter().map(|x| x * 3).collect::<Vec<_>>()
            })
            .par(twice!(|| unseen(data)
                .par_iter()
                .map(|x| x * 3)
                .collect::<Vec<_>>()))
            .by("orx", || {
                unseen(data)
                    .par()
                    .num_threads(threads)
                    .map(|x| x * 3)
                    .collect()
            })
            .put(suite);
        Case::new("filter into Vec", n)
            .unit(unit)
            .by("std", || {
                unseen(data).iter().filter(odd).copied().collect::<Vec<_>>()
            })
            .par(twice!(|| unseen(data)
                .par_iter()
                .filter(odd)
                .copied()
                .collect::<Vec<_>>()))
            .by("orx", || {
                unseen(data)
                    .par()
                    .num_threads(threads)
                    .filter(odd)
                    .map(|&x| x)
                    .collect()
            })
            .put(suite);
        let (ours, rayon) = twice!(|mut data: Vec<u64>| {
            data.par_sort();
            data
        });
        Case::new("stable sort", n)
            .unit(unit)
            .with("std", copies, |mut data| {
                data.sort();
                data
            })
            .with("filch", copies, ours)
            .with("rayon", copies, rayon)
            .put(suite);
        Case::new("count of n keys", n)
            .unit(unit)
            .by("std", || {
                let mut counts: HashMap<u64, usize, RandomState> = HashMap::default();
                unseen(unsorted)
                    .iter()
                    .for_each(|&x| *counts.entry(x).or_default() += 1);
                counts
            })
            .by("filch", || {
                use filch::prelude::*;
                unseen(unsorted).par_iter().count_by_key(|&x| x)
            })
            .put(suite);
    }
}
