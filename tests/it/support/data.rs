//! Inputs: made from a length and a seed, so that long ones cost nothing to draw and shrink fast.

use proptest::prelude::*;
use std::hint::black_box;

/// A small generator of numbers, for loops that need many of them.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    /// The next number: splitmix64.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.roll() % end as u64) as usize
    }
}

/// Lengths: the small ones where borders lie, and some that are worth sharing out.
fn lengths(long: usize) -> impl Strategy<Value = usize> {
    prop_oneof![2 => 0..9usize, 2 => 9..130usize, 1 => 130..long]
}

fn numbers(long: usize, span: usize) -> impl Strategy<Value = Vec<i32>> {
    (lengths(long), any::<u64>()).prop_map(move |(len, seed)| {
        let mut dice = Dice::new(seed);
        let number = |_| dice.below(span) as i32 - span as i32 / 2;
        (0..len).map(number).collect()
    })
}

/// Up to a few thousand numbers between -500 and 500, so that sums never overflow and equal ones
/// are common.
pub fn ints() -> impl Strategy<Value = Vec<i32>> {
    numbers(4000, 1000)
}

/// Up to some hundred numbers between -500 and 500.
pub fn small_ints() -> impl Strategy<Value = Vec<i32>> {
    numbers(400, 1000)
}

/// Numbers, and a position somewhere from before the first to beyond the last one.
#[derive(Clone, Debug)]
pub struct Cut {
    pub v: Vec<i32>,
    pub at: usize,
}

pub fn cuts() -> impl Strategy<Value = Cut> {
    (ints(), any::<prop::sample::Index>()).prop_map(|(v, at)| {
        let at = at.index(v.len() + 3);
        Cut { v, at }
    })
}

/// Text with lines, blanks and characters of one to four bytes.
pub fn text() -> impl Strategy<Value = String> {
    const PARTS: [&str; 12] = [
        "\n", "\r\n", " ", "\t", "a", "word", "é", "ß", "漢", "🦀", "\u{a0}", "0",
    ];
    (lengths(1500), any::<u64>()).prop_map(|(len, seed)| {
        let mut dice = Dice::new(seed);
        (0..len).map(|_| PARTS[dice.below(PARTS.len())]).collect()
    })
}

/// Gives `x` back, now and then after some microseconds of work: an uneven load, so that pieces
/// of it are worth handing over.
pub fn costly(x: i32) -> i32 {
    if x.rem_euclid(32) == 0 {
        for i in 0..400 {
            black_box(i);
        }
    }
    x
}
