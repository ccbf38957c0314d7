//! Sudoku: finds a solution, and counts them all, in the tree of what can be tried.
//!
//! `cargo run --release --example sudoku -- [clues]`
//!
//! `walk_tree` goes through a tree that is never built: of each board it asks for the boards that follow from it. Branches differ in size by
//! factors of thousands, and are shared out as they are met.

use std::env;
use std::fmt::{self, Display};
use std::time::{Duration, Instant};

use filch::iter::walk_tree;
use filch::prelude::*;

/// Has one solution with all of its clues (it is said to be hard for people), and the more the fewer of them are kept.
const PUZZLE: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// How many clues that are.
const CLUES: usize = 21;

fn main() {
    let clues: usize = env::args()
        .nth(1)
        .map_or(19, |n| n.parse().expect("usage: sudoku [clues]"));
    assert!((18..=CLUES).contains(&clues), "from 18 to {CLUES} clues");
    let puzzle = Board::new(PUZZLE, clues);

    let (expected, one) = timed(|| sequential(puzzle));
    let (count, all) = timed(|| parallel(puzzle));
    let solution = walk_tree(puzzle, Board::next)
        .find_any(|board| board.empty().is_none())
        .expect("there is a solution");

    assert_eq!(count, expected, "the two ways disagree");
    assert!(count > 0 && (clues < CLUES || count == 1));
    assert!(solution.is_right() && solution.has_clues_of(&puzzle));
    println!("{clues} clues, {count} solutions, such as\n{solution}");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn sequential(board: Board) -> usize {
    match board.empty() {
        None => 1,
        Some(_) => board.next().into_iter().map(sequential).sum(),
    }
}

fn parallel(puzzle: Board) -> usize {
    walk_tree(puzzle, Board::next)
        .filter(|board| board.empty().is_none())
        .count()
}

/// Digits from 1 to 9, row by row, and 0 where none is yet.
#[derive(Clone, Copy)]
struct Board([u8; 81]);

impl Board {
    /// With the first so many clues of a text.
    fn new(text: &str, clues: usize) -> Board {
        let mut cells = [0; 81];
        let digits = text
            .bytes()
            .enumerate()
            .filter(|(_, it)| it.is_ascii_digit());
        for (cell, digit) in digits.take(clues) {
            cells[cell] = digit - b'0';
        }
        Board(cells)
    }

    /// The empty cell with the fewest digits to choose from, and these: a bit a digit. Few choices make a small tree.
    fn empty(&self) -> Option<(usize, u16)> {
        let [mut rows, mut columns, mut boxes] = [[0u16; 9]; 3];
        for (cell, &digit) in self.0.iter().enumerate().filter(|(_, digit)| **digit > 0) {
            let bit = 1 << digit;
            rows[cell / 9] |= bit;
            columns[cell % 9] |= bit;
            boxes[in_box(cell)] |= bit;
        }
        let free = |cell: usize| {
            let taken = rows[cell / 9] | columns[cell % 9] | boxes[in_box(cell)];
            (cell, !taken & 0b11_1111_1110)
        };
        let empty = (0..81).filter(|&cell| self.0[cell] == 0).map(free);
        empty.min_by_key(|(_, choices)| choices.count_ones())
    }

    /// The boards with one digit more; none if it is full, or if there is no way on.
    fn next(&self) -> Vec<Board> {
        let Some((cell, choices)) = self.empty() else {
            return Vec::new();
        };
        let digits = (1..=9).filter(|digit| choices >> digit & 1 == 1);
        let with = |digit| {
            let mut board = *self;
            board.0[cell] = digit;
            board
        };
        digits.map(with).collect()
    }

    /// Whether each row, column and box has each digit once.
    fn is_right(&self) -> bool {
        let [mut rows, mut columns, mut boxes] = [[0u16; 9]; 3];
        for (cell, digit) in self.0.into_iter().enumerate() {
            rows[cell / 9] |= 1 << digit;
            columns[cell % 9] |= 1 << digit;
            boxes[in_box(cell)] |= 1 << digit;
        }
        [rows, columns, boxes]
            .as_flattened()
            .iter()
            .all(|&it| it == 0b11_1111_1110)
    }

    fn has_clues_of(&self, puzzle: &Board) -> bool {
        let mut pairs = self.0.iter().zip(&puzzle.0);
        pairs.all(|(digit, clue)| *clue == 0 || clue == digit)
    }
}

fn in_box(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

impl Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in self.0.chunks(9) {
            let digits: Vec<String> = row.iter().map(u8::to_string).collect();
            writeln!(f, "  {}", digits.join(" "))?;
        }
        Ok(())
    }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
