//! What a join costs, and what it gains.

use std::hint::black_box;

use suite::{
    Node, chili_fib, chili_tree_sum, fib,
    inputs::{Shape, spin},
    joins_in_fib, tree_sum, twice,
};

use crate::measure::{Bench, Place};

pub fn rows(bench: &Bench) {
    if bench.threads == 1 {
        const N: u32 = 27;
        bench
            .row("join above a call, fib(27), ns")
            .above_std(joins_in_fib(N))
            .overhead()
            .place(Place::Inside)
            .std(|| fib(black_box(N)))
            .par(twice!(|| par::fib(black_box(N))))
            .chili(|scope| chili_fib(scope, black_box(N)))
            .run();
    }
    for place in Place::BOTH {
        bench
            .row("fib(32) without cut-off")
            .goal(1.4, 1.6)
            .overhead()
            .place(place)
            .std(|| fib(black_box(32)))
            .par(twice!(|| par::fib(black_box(32))))
            .chili(|scope| chili_fib(scope, black_box(32)))
            .run();
    }
    let tree = Node::full(20).expect("20 layers have a root");
    let tree = &*tree;
    for place in Place::BOTH {
        bench
            .row("tree of 2^20 nodes, join at each")
            .goal(0.65, 0.65)
            .overhead()
            .place(place)
            .std(|| tree_sum(black_box(tree)))
            .par(twice!(|| par::tree_sum(black_box(tree))))
            .chili(|scope| chili_tree_sum(scope, black_box(tree)))
            .run();
    }
    let units = bench.spin.costs(Shape::Even, 1, 1e6)[0];
    let leaf = move || spin(black_box(units));
    bench
        .row("two 1 ms leaves, pool asleep, / ideal")
        .over_ideal(bench.threads.min(2))
        .goal(1.15, 1.15)
        .asleep()
        .std(|| (leaf(), leaf()))
        .par(twice!(|| par::join(leaf, leaf)))
        .chili_outside(|scope| scope.join(|_| leaf(), |_| leaf()))
        .run();
    round_trips(bench);
}

fn round_trips(bench: &Bench) {
    let nothing = || black_box(());
    bench
        .row("empty join from outside, pool awake, ns")
        .above_std(1)
        .overhead()
        .goal(300.0, 300.0)
        .std(|| (nothing(), nothing()))
        .par(twice!(|| par::join(nothing, nothing)))
        .chili_outside(|scope| scope.join(|_| nothing(), |_| nothing()))
        .run();
    bench
        .row("empty join from outside, pool asleep, ns")
        .above_std(1)
        .overhead()
        .asleep()
        .std(|| (nothing(), nothing()))
        .par(twice!(|| par::join(nothing, nothing)))
        .chili_outside(|scope| scope.join(|_| nothing(), |_| nothing()))
        .run();
}
