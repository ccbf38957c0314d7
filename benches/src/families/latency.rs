use std::hint::black_box;

use crate::{
    case::{Case, Suite},
    inputs::spin,
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    for nanoseconds in [10, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let units = setting.spin.units(nanoseconds as f64);
        let task = move || spin(black_box(units));
        for asleep in [false, true] {
            let case = match asleep {
                false => Case::new("pool awake", nanoseconds),
                true => Case::new("pool asleep", nanoseconds).asleep(),
            };
            case.by("std", move || (task(), task()))
                .par(twice!(move || par::join(task, task)))
                .by("chili", || {
                    setting.chili.scope().join(|_| task(), |_| task())
                })
                .put(suite);
        }
    }
}
