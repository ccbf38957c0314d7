use std::{
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use crate::{
    case::{Case, Suite},
    inputs::spin,
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    for (name, nanoseconds) in [("tasks of 1 µs", 1_000.0), ("empty tasks", 0.0)] {
        let cost = suite.setting.spin.units(nanoseconds);
        let task = move || {
            black_box(spin(black_box(cost)));
        };
        for n in suite.setting.lengths(100_000) {
            // Counted, so that no task is forgotten.
            let done = &AtomicUsize::new(0);
            let count = move || {
                task();
                done.fetch_add(1, Relaxed);
            };
            Case::new(name, n)
                .by("std", move || {
                    (0..black_box(n)).for_each(|_| count());
                    done.swap(0, Relaxed)
                })
                .par(twice!(move || {
                    par::scope(|scope| {
                        (0..black_box(n)).for_each(|_| scope.spawn(move |_| count()))
                    });
                    done.swap(0, Relaxed)
                }))
                .put(suite);
        }
    }
}
