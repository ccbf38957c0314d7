//! Groups the rows of a CSV file, as `GROUP BY` does: parses lines, aggregates them by two columns, reports lines that are broken.
//!
//! `cargo run --release --example csv_group_by -- [rows]`

use std::collections::BTreeMap;
use std::env;
use std::fmt::Write;
use std::time::{Duration, Instant};

use filch::algo::group::ByKey;
use filch::prelude::*;

/// A group: the shop's name and the year.
type Key<'t> = (&'t str, u16);

/// What is known of one group. All of it is in cents, so that sums do not depend on their order.
#[derive(Clone, Debug, PartialEq)]
struct Totals {
    orders: usize,
    sum: u64,
    least: u64,
    most: u64,
}

/// Before the first row.
const NONE: Totals = Totals {
    orders: 0,
    sum: 0,
    least: u64::MAX,
    most: 0,
};

impl Totals {
    fn add(&mut self, cents: u64) {
        self.merge(Totals {
            orders: 1,
            sum: cents,
            least: cents,
            most: cents,
        });
    }

    fn merge(&mut self, later: Totals) {
        self.orders += later.orders;
        self.sum += later.sum;
        self.least = self.least.min(later.least);
        self.most = self.most.max(later.most);
    }
}

fn main() {
    let rows: usize = env::args().nth(1).map_or(1_000_000, |n| {
        n.parse().expect("usage: csv_group_by [rows]")
    });
    let table: String = (0..rows).into_par_iter().map(row).collect();

    let (expected, one) = timed(|| sequential(&table));
    let (groups, all) = timed(|| parallel(&table));

    assert!(groups == expected, "the two ways disagree");
    let orders: usize = groups.iter().map(|(_, totals)| totals.orders).sum();
    assert_eq!(orders, rows - rows / 1_000, "rows were lost");
    // The first by position, whichever thread comes upon one first.
    let broken = table.par_lines().find_first(|line| parse(line).is_none());
    let known = (rows >= 1_000).then(|| row(999));
    assert_eq!(broken, known.as_deref().map(str::trim_end));

    println!("{orders} orders in {} groups", groups.len());
    for ((shop, year), totals) in groups.iter().take(4) {
        println!(
            "{year} {shop:<20} {:>8} orders, {:>10.2} in all, {:.2} to {:.2} each",
            totals.orders,
            totals.sum as f64 / 100.0,
            totals.least as f64 / 100.0,
            totals.most as f64 / 100.0
        );
    }
    if let Some(line) = broken {
        println!(
            "left out {} broken lines, the first of them {line}",
            rows - orders
        );
    }
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn sequential(table: &str) -> Vec<(Key<'_>, Totals)> {
    let mut groups = BTreeMap::new();
    for (key, cents) in table.lines().filter_map(parse) {
        groups.entry(key).or_insert(NONE).add(cents);
    }
    groups.into_iter().collect()
}

/// The same in one expression. Each thread adds up groups of its own, and these are merged in the end.
fn parallel(table: &str) -> Vec<(Key<'_>, Totals)> {
    ByKey::new(table.par_lines().filter_map(parse))
        .aggregate(|| NONE, Totals::add, Totals::merge)
        .into_sorted_vec()
}

/// The group and the price of a row; `None` if it is broken.
fn parse(line: &str) -> Option<(Key<'_>, u64)> {
    // "Fish & Sons, Hull",2021-05-17,12.50
    let (shop, rest) = line.strip_prefix('"')?.split_once("\",")?;
    let (date, price) = rest.split_once(',')?;
    let (euros, cents) = price.split_once('.')?;
    let year = date.split('-').next()?.parse().ok()?;
    let cents: u64 = cents.parse().ok().filter(|&cents| cents < 100)?;
    Some(((shop, year), euros.parse::<u64>().ok()? * 100 + cents))
}

/// The `i`th row. Every 1,000th has no price.
fn row(i: usize) -> String {
    let random = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let name = ["Fish & Sons", "Bread", "Books", "Old Things"][random as usize % 4];
    let town = ["Hull", "Ghent", "Lille", "Porto", "Turku"][random as usize / 4 % 5];
    let (year, month, day) = (2015 + random / 20 % 10, 1 + random % 12, 1 + random % 28);
    let mut line = format!("\"{name}, {town}\",{year}-{month:02}-{day:02},");
    if i % 1_000 != 999 {
        let cents = 100 + random / 200 % 20_000;
        write!(line, "{}.{:02}", cents / 100, cents % 100).expect("a string takes all");
    }
    line + "\n"
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
