//! N queens: counts all placements by backtracking, with nested parallel loops.
//!
//! `cargo run --release --example nqueens -- [queens]`

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;

/// How many ways there are for 0, 1, 2, ... queens (<https://oeis.org/A000170>).
const KNOWN: [u64; 17] = [
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2_680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512,
];

fn main() {
    let queens: usize = env::args()
        .nth(1)
        .map_or(12, |n| n.parse().expect("usage: nqueens [queens]"));
    assert!(queens < KNOWN.len(), "up to {} queens", KNOWN.len() - 1);

    let (expected, one) = timed(|| sequential(Board::new(queens)));
    let (found, all) = timed(|| parallel(Board::new(queens)));

    assert_eq!(found, expected, "the two ways disagree");
    assert_eq!(found, KNOWN[queens], "both ways are wrong");
    println!("{queens} queens: {found} ways");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn sequential(board: Board) -> u64 {
    if board.rows == 0 {
        return 1;
    }
    board
        .columns()
        .map(|column| sequential(board.with(column)))
        .sum()
}

/// The same but for `into_par_iter`. Nested parallel loops share the work as it turns out, however unequal the branches are.
fn parallel(board: Board) -> u64 {
    // The rest takes a few microseconds, and then the vector below is not worth its allocation.
    if board.rows <= 7 {
        return sequential(board);
    }
    let columns: Vec<u32> = board.columns().collect();
    columns
        .into_par_iter()
        .map(|column| parallel(board.with(column)))
        .sum()
}

/// The rows still to fill, and where a queen may not stand in the next one: a bit a column.
#[derive(Clone, Copy)]
struct Board {
    rows: usize,
    width: u32,
    taken: u32,
    rising: u32,
    falling: u32,
}

impl Board {
    fn new(queens: usize) -> Board {
        Board {
            rows: queens,
            width: (1 << queens) - 1,
            taken: 0,
            rising: 0,
            falling: 0,
        }
    }

    /// The columns of the next row that no queen attacks, each as its bit.
    fn columns(&self) -> impl Iterator<Item = u32> + use<> {
        let mut free = self.width & !(self.taken | self.rising | self.falling);
        std::iter::from_fn(move || {
            let column = free & free.wrapping_neg(); // the lowest bit
            free ^= column;
            (column != 0).then_some(column)
        })
    }

    fn with(&self, column: u32) -> Board {
        Board {
            rows: self.rows - 1,
            width: self.width,
            taken: self.taken | column,
            rising: (self.rising | column) << 1,
            falling: (self.falling | column) >> 1,
        }
    }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
