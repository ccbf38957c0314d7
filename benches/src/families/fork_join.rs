use std::hint::black_box;

use crate::{
    Node,
    case::{Case, Suite},
    chili_fib, chili_tree_sum, fib, joins_in_fib, tree_sum, twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    let setting = suite.setting;
    for n in [4, 9, 14, 19, 24, 29] {
        let joins = joins_in_fib(n) as usize;
        if joins > setting.longest {
            continue;
        }
        Case::new("fib, a join at every call", joins)
            .by("std", || fib(black_box(n)))
            .par(twice!(|| par::fib(black_box(n))))
            .by("chili", || {
                chili_fib(&mut setting.chili.scope(), black_box(n))
            })
            .put(suite);
    }
    for layers in [3, 7, 10, 13, 17, 20] {
        let nodes = (1 << layers) - 1;
        if nodes > setting.longest.max(1 << 10) {
            continue;
        }
        let tree = Node::full(layers).expect("some layers have a root");
        let tree = &*tree;
        Case::new("sum of a tree, a join at every node", nodes)
            .by("std", || tree_sum(black_box(tree)))
            .par(twice!(|| par::tree_sum(black_box(tree))))
            .by("chili", || {
                chili_tree_sum(&mut setting.chili.scope(), black_box(tree))
            })
            .put(suite);
    }
}
