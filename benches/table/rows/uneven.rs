//! Items of a known cost, evenly spread and not.

use orx_parallel::{Par as _, Parallelizable as _};

use suite::{
    inputs::{Shape, spin, unseen},
    twice,
};

use crate::measure::{Bench, Place};

struct Load {
    name: &'static str,
    shape: Shape,
    items: usize,
    nanoseconds: f64,
    goal: Option<f64>,
}

const LOADS: [Load; 6] = [
    Load {
        name: "300 items of 100 ns",
        shape: Shape::Even,
        items: 300,
        nanoseconds: 30e3,
        goal: Some(0.8),
    },
    Load {
        name: "1000 items of 100 ns",
        shape: Shape::Even,
        items: 1_000,
        nanoseconds: 100e3,
        goal: None,
    },
    Load {
        name: "64 items of 1 ms",
        shape: Shape::Even,
        items: 64,
        nanoseconds: 64e6,
        goal: None,
    },
    Load {
        name: "1M items, cost in first 1 %",
        shape: Shape::FirstPercent,
        items: 1_000_000,
        nanoseconds: 6e6,
        goal: Some(0.58),
    },
    Load {
        name: "1M items, cost in last 1 %",
        shape: Shape::LastPercent,
        items: 1_000_000,
        nanoseconds: 6e6,
        goal: Some(0.58),
    },
    Load {
        name: "1M items, cost as 1/i",
        shape: Shape::Falling,
        items: 1_000_000,
        nanoseconds: 6e6,
        goal: Some(0.58),
    },
];

pub fn rows(bench: &Bench) {
    for load in &LOADS {
        let costs = &bench.spin.costs(load.shape, load.items, load.nanoseconds)[..];
        for place in Place::BOTH {
            let row = bench.row(load.name).place(place);
            let row = match load.goal {
                Some(goal) => row.goal(goal, goal),
                None => row,
            };
            let row = row
                .std(|| {
                    unseen(costs)
                        .iter()
                        .map(|&cost| spin(cost) >> 32)
                        .sum::<u64>()
                })
                .par(twice!(|| unseen(costs)
                    .par_iter()
                    .map(|&cost| spin(cost) >> 32)
                    .sum::<u64>()));
            match place {
                Place::Outside => row
                    .orx(|| {
                        let items = unseen(costs).par().num_threads(bench.threads);
                        items.map(|&cost| spin(cost) >> 32).sum()
                    })
                    .run(),
                Place::Inside => row.run(),
            }
        }
    }
}
