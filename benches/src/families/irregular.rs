use orx_parallel::{Par as _, Parallelizable as _};

use crate::{
    case::{Case, Suite},
    inputs::{Shape, spin, unseen},
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    let shapes = [
        ("even", Shape::Even),
        ("all cost in the first 1 %", Shape::FirstPercent),
        ("all cost in the last 1 %", Shape::LastPercent),
        ("item i costs 1/i", Shape::Falling),
    ];
    let work = |&cost: &u32| spin(cost) >> 32;
    for (name, shape) in shapes {
        for n in setting.lengths(100_000) {
            let costs = &setting.spin.costs(shape, n, 100.0 * n as f64)[..];
            Case::new(name, n)
                .by("std", || unseen(costs).iter().map(work).sum::<u64>())
                .par(twice!(|| unseen(costs).par_iter().map(work).sum::<u64>()))
                .by("orx", || {
                    let items = unseen(costs).par().num_threads(setting.threads);
                    items.map(work).sum()
                })
                .by("paralight", || {
                    use paralight::prelude::*;
                    let items = unseen(costs).par_iter().map(work);
                    items
                        .with_thread_pool(&mut *setting.paralight_stealing.borrow_mut())
                        .sum()
                })
                .put(suite);
        }
    }
}
