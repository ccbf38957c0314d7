//! Random chains of adaptors against the same chains on std.
//!
//! Each stage has three forms, which a random number picks when the chain runs; the compiler
//! builds every combination, so a stage more means three times the code.

use crate::support::{Dice, costly, ints, oracle, small_ints};
use filch::prelude::*;
use proptest::prelude::*;

/// The choices of one chain.
#[derive(Clone, Copy, Debug)]
struct Plan {
    stages: [u8; 3],
    n: usize,
    seed: u64,
}

impl Plan {
    /// Some more numbers, for the stages that take a second iterator.
    fn other(self) -> Vec<i32> {
        let mut dice = Dice::new(self.seed);
        (0..self.n * 5)
            .map(|_| dice.below(1000) as i32 - 500)
            .collect()
    }
}

fn plans() -> impl Strategy<Value = Plan> {
    let stages = prop::array::uniform3(0..3u8);
    (stages, 1..400usize, any::<u64>()).prop_map(|(stages, n, seed)| Plan { stages, n, seed })
}

/// Many chains a case are cheaper than many cases, and 27 kinds need many chains.
const CHAINS: u64 = 8;

fn all_of(plan: Plan) -> impl Iterator<Item = Plan> {
    (0..CHAINS).map(move |i| {
        let mut dice = Dice::new(plan.seed ^ i);
        let stages = plan
            .stages
            .map(|s| (s + dice.below(if i == 0 { 1 } else { 3 }) as u8) % 3);
        Plan { stages, ..plan }
    })
}

mod indexed {
    use super::*;

    /// The chain on parallel iterators, stage by stage.
    pub fn par(v: &[i32], p: Plan) -> Vec<i32> {
        let v = v.par_iter().copied();
        match p.stages[0] {
            0 => second(v.rev().chain(p.other()), p),
            1 => second(v.skip(p.n).zip(p.other()).map(|(a, b)| a ^ b), p),
            _ => second(v.map(costly).enumerate().map(|(i, x)| x - i as i32), p),
        }
    }

    fn second(v: impl IndexedParallelIterator<Item = i32>, p: Plan) -> Vec<i32> {
        match p.stages[1] {
            0 => third(v.take(p.n * 3), p),
            1 => third(v.chunks(p.n).map(|c| digest(&c)), p),
            _ => third(v.with_max_len(p.n).with_min_len(3), p),
        }
    }

    fn third(v: impl IndexedParallelIterator<Item = i32>, p: Plan) -> Vec<i32> {
        match p.stages[2] {
            0 => v.rev().enumerate().map(|(i, x)| x ^ i as i32).collect(),
            1 => v
                .map_init(|| 0, |count, x| (*count += 1, x).1)
                .inspect(|_| ())
                .collect(),
            _ => v.panic_fuse().skip(2).collect(),
        }
    }

    pub fn seq(v: &[i32], p: Plan) -> Vec<i32> {
        let items = v.iter().copied();
        let mut v: Vec<i32> = match p.stages[0] {
            0 => items.rev().chain(p.other()).collect(),
            1 => items.skip(p.n).zip(p.other()).map(|(a, b)| a ^ b).collect(),
            _ => items.enumerate().map(|(i, x)| x - i as i32).collect(),
        };
        match p.stages[1] {
            0 => v.truncate(p.n * 3),
            1 => v = v.chunks(p.n).map(digest).collect(),
            _ => {}
        }
        let items = v.into_iter();
        match p.stages[2] {
            0 => items.rev().enumerate().map(|(i, x)| x ^ i as i32).collect(),
            1 => items.collect(),
            _ => items.skip(2).collect(),
        }
    }

    fn digest(chunk: &[i32]) -> i32 {
        chunk.iter().fold(0, |a, x| a * 3 % 1009 + x % 1009)
    }
}

mod unindexed {
    use super::*;

    pub fn par(v: &[i32], p: Plan) -> Vec<i32> {
        let v = v.par_iter().copied();
        match p.stages[0] {
            0 => second(v.filter(|x| costly(*x) % 3 != 0), p),
            1 => second(v.flat_map(|x| (0..x.rem_euclid(4)).into_par_iter()), p),
            _ => second(v.filter_map(|x| x.checked_sub(1)).chain(p.other()), p),
        }
    }

    fn second(v: impl ParallelIterator<Item = i32>, p: Plan) -> Vec<i32> {
        match p.stages[1] {
            0 => third(
                v.flat_map_iter(|x| [x; 3].into_iter().take(x as usize % 4)),
                p,
            ),
            1 => third(v.map(|x| vec![x, -x]).flatten().panic_fuse(), p),
            _ => third(
                p.other().into_par_iter().chain(v.map_with(0, |_, x| x + 1)),
                p,
            ),
        }
    }

    fn third(v: impl ParallelIterator<Item = i32>, p: Plan) -> Vec<i32> {
        match p.stages[2] {
            0 => v.collect(),
            1 => {
                let parts = v.fold(Vec::new, |mut part, x| {
                    part.push(x);
                    part
                });
                parts.reduce(Vec::new, |mut a, b| {
                    a.extend(b);
                    a
                })
            }
            _ => {
                let (mut even, odd) = v.partition::<Vec<_>, Vec<_>, _>(|x| x % 2 == 0);
                even.extend(odd);
                even
            }
        }
    }

    pub fn seq(v: &[i32], p: Plan) -> Vec<i32> {
        let v = v.iter().copied();
        let v: Vec<i32> = match p.stages[0] {
            0 => v.filter(|x| x % 3 != 0).collect(),
            1 => v.flat_map(|x| 0..x.rem_euclid(4)).collect(),
            _ => v.map(|x| x - 1).chain(p.other()).collect(),
        };
        let v = v.into_iter();
        let v: Vec<i32> = match p.stages[1] {
            0 => v
                .flat_map(|x| [x; 3].into_iter().take(x as usize % 4))
                .collect(),
            1 => v.flat_map(|x| [x, -x]).collect(),
            _ => p.other().into_iter().chain(v.map(|x| x + 1)).collect(),
        };
        match p.stages[2] {
            0 | 1 => v,
            _ => {
                let (mut even, odd): (Vec<i32>, Vec<i32>) = v.into_iter().partition(|x| x % 2 == 0);
                even.extend(odd);
                even
            }
        }
    }
}

#[test]
fn random_indexed_chains() {
    oracle(
        (ints(), plans()),
        |(v, p)| all_of(*p).map(|p| indexed::par(v, p)).collect::<Vec<_>>(),
        |(v, p)| all_of(*p).map(|p| indexed::seq(v, p)).collect(),
    );
}

#[test]
fn random_unindexed_chains() {
    oracle(
        (small_ints(), plans()),
        |(v, p)| all_of(*p).map(|p| unindexed::par(v, p)).collect::<Vec<_>>(),
        |(v, p)| all_of(*p).map(|p| unindexed::seq(v, p)).collect(),
    );
}
