//! Draws chains.
//!
//! What went wrong before is drawn more often: chains in chains, `flat_map` in chain in `flat_map`, blocks, and ends that stop early; see the weights in
//! the table. Half of the chains have something of `filch::ext`.

use crate::dice::Dice;
use crate::kinds::Kinds;
use crate::row::{Nested, Row};
use crate::table;
use crate::tree::{Letters, Node, Tree, Whole, Written, write, write_tree};

/// How deep chains are nested.
const DEPTH: usize = 3;

/// No more adaptors than these follow a source, outside and in nested chains.
const STEPS: usize = 5;
const NESTED_STEPS: usize = 2;

/// No chain makes more items than this of one of its source.
const GROWTH: usize = 60;

/// No chain has more rows than this, so that it compiles in about half a second.
const ROWS: usize = 12;

/// Draws one chain after the other.
pub struct Draw<'d> {
    dice: Dice,
    /// Whether rows of `filch::ext` are drawn for this chain.
    ext: bool,
    /// Names of rows that are not drawn.
    without: &'d [String],
    /// What the next variable is called.
    salt: usize,
    /// How many rows this chain has.
    rows: usize,
}

impl<'d> Draw<'d> {
    /// With `ext`, all chains have something of `filch::ext`, else half of them.
    pub fn chain(seed: u64, ext: bool, without: &'d [String]) -> (Whole, Written) {
        let mut dice = Dice::new(seed);
        let ext = ext || dice.chance(50);
        let mut draw = Draw {
            dice,
            ext,
            without,
            salt: 0,
            rows: 0,
        };
        loop {
            let whole = draw.whole();
            if draw.ext && !Kinds::of(&whole).ext {
                continue;
            }
            if let Ok(written) = write(&whole)
                && written.growth <= GROWTH
            {
                return (whole, written);
            }
        }
    }

    fn whole(&mut self) -> Whole {
        self.rows = 0;
        let tree = self.tree(0, STEPS);
        let end = self.weighted(table::ends());
        let end = self.node(end, 1);
        Whole { tree, end }
    }

    /// Draws a source with adaptors that fit.
    fn tree(&mut self, depth: usize, steps: usize) -> Tree {
        let inner = depth > 0;
        let mut tree = loop {
            let row = self.weighted(table::sources());
            if depth + 1 >= DEPTH && row.nested != Nested::None {
                continue;
            }
            let source = self.node(row, depth + 1);
            let steps = Vec::new();
            break Tree { source, steps };
        };
        for _ in 0..self.dice.below(steps + 1) {
            // Most rows fit nowhere near everywhere.
            for _ in 0..4 {
                let row = self.weighted(table::adaptors());
                if row.nested != Nested::None && (depth + 1 >= DEPTH || self.rows > ROWS) {
                    continue;
                }
                let step = self.node(row, depth + 1);
                tree.steps.push(step);
                if write_tree(&tree, inner).is_ok_and(|part| part.growth <= GROWTH) {
                    break;
                }
                tree.steps.pop();
            }
        }
        tree
    }

    /// A row with letters, and nested chains where it has some.
    fn node(&mut self, row: &'static Row, depth: usize) -> Node {
        self.rows += 1;
        let count = match row.nested {
            Nested::None => 0,
            Nested::Two | Nested::TwoIndexed => 2,
            _ => 1,
        };
        let nested = (0..count).map(|_| self.tree(depth, NESTED_STEPS)).collect();
        Node {
            row,
            letters: self.letters(depth),
            nested,
        }
    }

    /// Letters for a row; a source that is nested in nothing has all `n` items.
    fn letters(&mut self, depth: usize) -> Letters {
        self.salt += 1;
        let dice = &mut self.dice;
        Letters {
            s: self.salt,
            k: 1 + dice.below(10),
            b: dice.one_of(&[1, 2, 3, 7, 10, 50, 400, 3_000]),
            m: dice.one_of(&[2, 5, 40, 300, 3_000, 20_000]),
            n: match depth {
                0 | 1 => "n",
                _ => dice.one_of(&["n", "n", "n", "(n / 2)", "(n % 7)", "(n / 10)", "(n + 3)"]),
            },
        }
    }

    /// One of the rows, by weight.
    fn weighted(&mut self, rows: impl Iterator<Item = &'static Row>) -> &'static Row {
        let weight = |row: &Row| match row.ext {
            _ if self.without.iter().any(|name| name == row.name) => 0,
            false => row.weight,
            true if self.ext => 3 * row.weight,
            true => 0,
        };
        let rows: Vec<_> = rows.map(|row| (row, weight(row))).collect();
        let total: usize = rows.iter().map(|(_, weight)| weight).sum();
        let mut left = self.dice.below(total);
        for (row, weight) in rows {
            if left < weight {
                return row;
            }
            left -= weight;
        }
        unreachable!("the weights add up")
    }
}
