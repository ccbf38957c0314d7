use std::rc::Rc;

use filch::ext::*;

use crate::{
    case::{Case, Suite},
    inputs::{numbers, unseen},
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let add = |a: &u64, b: &u64| a.wrapping_add(*b);
    let half = |x: &u64| *x < 1 << 39;
    for n in suite.setting.lengths(1_000_000) {
        let data = &numbers(n)[..];
        let copy: &Rc<dyn Fn() -> Vec<u64> + '_> = &(Rc::new(|| data.to_vec()) as _);
        Case::new("inclusive scan", n)
            .by("std", || {
                let mut sum = 0;
                let step = |x| {
                    sum = add(&sum, x);
                    sum
                };
                unseen(data).iter().map(step).collect::<Vec<_>>()
            })
            .by("filch", || unseen(data).par_scan_inclusive(add))
            .put(suite);
        Case::new("retain a half", n)
            .with("std", copy, |mut v| {
                v.retain(half);
                v
            })
            .with("filch", copy, |mut v| {
                v.par_retain(half);
                v
            })
            .put(suite);
        let (collect, rayon) = twice!(|| unseen(data)
            .par_iter()
            .copied()
            .filter(half)
            .collect::<Vec<_>>());
        Case::new("pack a half", n)
            .by("std", || {
                unseen(data)
                    .iter()
                    .copied()
                    .filter(half)
                    .collect::<Vec<_>>()
            })
            .by("filch", || unseen(data).par_pack(half))
            .by("filch, collect", collect)
            .by("rayon", rayon)
            .put(suite);
        let some: Vec<u64> = data.iter().map(|x| x % (n as u64 / 5 + 1)).collect();
        let copy: &Rc<dyn Fn() -> Vec<u64> + '_> = &(Rc::new(|| some.clone()) as _);
        Case::new("unique, n/5 kinds", n)
            .with("std", copy, |mut v| {
                let mut seen =
                    hashbrown::HashSet::with_hasher(foldhash::fast::RandomState::default());
                v.retain(|x| seen.insert(*x));
                v
            })
            .with("filch", copy, |mut v| {
                v.par_unique();
                v
            })
            .put(suite);
    }
}
