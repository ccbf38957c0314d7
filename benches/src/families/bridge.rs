use std::hint::black_box;

use orx_parallel::{IterIntoParIter as _, Par as _};

use crate::{
    case::{Case, Suite},
    inputs::spin,
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    for (name, nanoseconds, most) in [
        ("items of 100 ns", 100.0, 100_000),
        ("items of 1 ns", 0.0, 1_000_000),
    ] {
        let cost = setting.spin.units(nanoseconds);
        let item = move |i: usize| (spin(black_box(cost)) >> 32) + i as u64;
        for n in setting.lengths(most) {
            let source = move || 0..black_box(n);
            Case::new(name, n)
                .by("std", move || source().map(item).sum::<u64>())
                .par(twice!(move || source().par_bridge().map(item).sum::<u64>()))
                .by("orx", move || {
                    let items = source().iter_into_par();
                    items.num_threads(setting.threads).map(item).sum()
                })
                .put(suite);
        }
    }
}
