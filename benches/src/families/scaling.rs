use std::{hint::black_box, rc::Rc};

use orx_parallel::{Par as _, Parallelizable as _};

use crate::{
    Node,
    case::{Case, Suite},
    chili_pool, chili_tree_sum,
    inputs::{Shape, numbers, random, spin, unseen},
    ours, rayon, tree_sum, twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    const N: usize = 1_000_000;
    let costs = &suite.setting.spin.costs(Shape::Falling, 100_000, 10e6)[..];
    let work = |&cost: &u32| spin(cost) >> 32;
    let (data, unsorted) = (&numbers(N)[..], &random(N)[..]);
    let copies: &Rc<dyn Fn() -> Vec<u64> + '_> = &(Rc::new(|| unsorted.to_vec()) as _);
    let tree = &*Node::full(20).expect("20 layers have a root");
    for threads in [1, 2, 4, 8] {
        let (mine, theirs) = (&ours::pool(threads), &rayon::pool(threads));
        let chili = &chili_pool(threads);
        let (ours, rayon) = twice!(|| unseen(costs).par_iter().map(work).sum::<u64>());
        Case::new("sum over items that cost 1/i", costs.len())
            .threads(threads)
            .by("std", || unseen(costs).iter().map(work).sum::<u64>())
            .by("filch", || mine.install(ours))
            .by("rayon", || theirs.install(rayon))
            .by("orx", || {
                let items = unseen(costs).par().num_threads(threads);
                items.map(work).sum()
            })
            .put(suite);
        let (ours, rayon) = twice!(|| unseen(data).par_iter().map(|x| x * 3).collect::<Vec<_>>());
        Case::new("map into Vec", N)
            .threads(threads)
            .by("std", || {
                unseen(data).iter().map(|x| x * 3).collect::<Vec<_>>()
            })
            .by("filch", || mine.install(ours))
            .by("rayon", || theirs.install(rayon))
            .by("orx", || {
                let items = unseen(data).par().num_threads(threads);
                items.map(|x| x * 3).collect()
            })
            .put(suite);
        let (ours, rayon) = twice!(|mut data: Vec<u64>| {
            data.par_sort();
            data
        });
        Case::new("stable sort of u64", N)
            .threads(threads)
            .with("std", copies, |mut data| {
                data.sort();
                data
            })
            .with("filch", copies, |data| mine.install(|| ours(data)))
            .with("rayon", copies, |data| theirs.install(|| rayon(data)))
            .put(suite);
        Case::new("sum of a tree, a join at every node", (1 << 20) - 1)
            .threads(threads)
            .by("std", || tree_sum(black_box(tree)))
            .by("filch", || mine.install(|| ours::tree_sum(black_box(tree))))
            .by("rayon", || {
                theirs.install(|| rayon::tree_sum(black_box(tree)))
            })
            .by("chili", || {
                chili_tree_sum(&mut chili.scope(), black_box(tree))
            })
            .put(suite);
    }
}
