//! Conway's game of life: each generation is computed from the one before, all rows at once.
//!
//! `cargo run --release --example life -- [side] [generations]`

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;
use indicatif::ProgressBar;

fn main() {
    let mut args = env::args()
        .skip(1)
        .map(|n| n.parse().expect("usage: life [side] [generations]"));
    let side = args.next().unwrap_or(1_000).max(3);
    let generations = args.next().unwrap_or(1_000);
    check_glider();

    let start = World::random(side);
    // Shows itself on a terminal only.
    let bar = ProgressBar::new(2 * generations as u64);
    let (expected, one) = timed(|| start.clone().after(generations, World::sequential, &bar));
    let (world, all) = timed(|| start.clone().after(generations, World::parallel, &bar));
    bar.finish_and_clear();

    assert!(world == expected, "the two ways disagree");
    println!(
        "{side} x {side} cells: {} of {} live after {generations} generations",
        world.population(),
        start.population()
    );
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// A square of cells, 1 for a live one, whose edges meet.
#[derive(Clone, PartialEq)]
struct World {
    side: usize,
    cells: Vec<u8>,
}

impl World {
    fn random(side: usize) -> World {
        let cells = (0..side * side)
            .map(|i| u8::from((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & 3 == 0))
            .collect();
        World { side, cells }
    }

    fn after(
        mut self,
        generations: usize,
        step: fn(&World, &mut [u8]),
        bar: &ProgressBar,
    ) -> World {
        let mut next = vec![0; self.cells.len()];
        for _ in 0..generations {
            step(&self, &mut next);
            std::mem::swap(&mut self.cells, &mut next);
            bar.inc(1);
        }
        self
    }

    fn sequential(&self, next: &mut [u8]) {
        let mut columns = Vec::new();
        for (y, row) in next.chunks_mut(self.side).enumerate() {
            self.next_row(y, row, &mut columns);
        }
    }

    /// A generation takes about 100 microseconds: sharing it has to be cheap. `for_each_init` makes a buffer a thread, not one a row.
    fn parallel(&self, next: &mut [u8]) {
        next.par_chunks_mut(self.side)
            .enumerate()
            .for_each_init(Vec::new, |columns, (y, row)| {
                self.next_row(y, row, columns);
            });
    }

    /// Computes a row; `columns` is scratch space.
    fn next_row(&self, y: usize, next: &mut [u8], columns: &mut Vec<u8>) {
        let side = self.side;
        let row = |y: usize| &self.cells[y % side * side..][..side];
        let (above, here, below) = (row(y + side - 1), row(y), row(y + 1));
        // Sums of three cells, with the last column again before the first and the first one behind the last.
        columns.clear();
        columns.push(0);
        columns.extend(
            above
                .iter()
                .zip(here)
                .zip(below)
                .map(|((a, b), c)| a + b + c),
        );
        columns[0] = columns[side];
        columns.push(columns[1]);
        for ((next, now), sums) in next.iter_mut().zip(here).zip(columns.windows(3)) {
            // A live cell counts itself here.
            let count = sums[0] + sums[1] + sums[2];
            *next = u8::from(count == 3) | (u8::from(count == 4) & now);
        }
    }

    fn population(&self) -> usize {
        self.cells.par_iter().filter(|&&cell| cell == 1).count()
    }
}

/// A glider is itself again after four generations, one row down and one column to the right; also across the edges.
fn check_glider() {
    const SIDE: usize = 8;
    let glider = |dx: usize, dy: usize| {
        let mut cells = vec![0; SIDE * SIDE];
        for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
            cells[(y + dy) % SIDE * SIDE + (x + dx) % SIDE] = 1;
        }
        World { side: SIDE, cells }
    };
    let moved = glider(0, 0).after(28, World::parallel, &ProgressBar::hidden());
    assert!(moved == glider(7, 7), "the rules are wrong: a glider broke");
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
