//! The convex hull of points in the plane by quickhull: the farthest point of each side cuts off two smaller sides.
//!
//! `cargo run --release --example convex_hull -- [points]`
//!
//! C. B. Barber, D. P. Dobkin and H. Huhdanpaa, "The quickhull algorithm for convex hulls", ACM Transactions on Mathematical Software 22 (1996).

use std::env;
use std::time::{Duration, Instant};

use filch::ext::*;
use filch::prelude::*;

/// Whole numbers, so that nothing is rounded.
type Point = (i64, i64);

fn main() {
    let count: usize = env::args().nth(1).map_or(2_000_000, |n| {
        n.parse().expect("usage: convex_hull [points]")
    });
    assert!(count > 0, "no points");
    let points: Vec<Point> = (0..count as u64).into_par_iter().map(point).collect();

    let (expected, one) = timed(|| monotone_chain(&points));
    let (hull, all) = timed(|| quickhull(&points));

    assert_eq!(hull, expected, "the two ways disagree");
    println!("{count} points, {} of them on the hull", hull.len());
    println!(
        "monotone chain {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// The corners against the clock, from the leftmost on.
fn quickhull(points: &[Point]) -> Vec<Point> {
    let (left, right) = points
        .par_iter()
        .copied()
        .min_max()
        .into_pair()
        .expect("at least one point");
    if left == right {
        return vec![left];
    }
    let (mut below, above) =
        filch::join(|| side(points, left, right), || side(points, right, left));
    below.insert(0, left);
    below.push(right);
    below.extend(above);
    below
}

/// The corners to the right of the way from `a` to `b`, in the order in which one meets them.
fn side(points: &[Point], a: Point, b: Point) -> Vec<Point> {
    let outside: Vec<Point> = points
        .par_iter()
        .copied()
        .filter(|&point| area(a, point, b) > 0)
        .collect();
    // Of several that are as far, the first along the way; the others are corners that the next step finds, or no corners at all.
    let farthest = outside.par_iter().copied().max_by(|&p, &q| {
        let along = |point: Point| (point.0 - a.0) * (b.0 - a.0) + (point.1 - a.1) * (b.1 - a.1);
        area(a, p, b)
            .cmp(&area(a, q, b))
            .then(along(q).cmp(&along(p)))
    });
    let Some(corner) = farthest else {
        return Vec::new();
    };
    let (mut first, second) =
        filch::join(|| side(&outside, a, corner), || side(&outside, corner, b));
    first.push(corner);
    first.extend(second);
    first
}

/// Twice the area of a triangle: positive if `b` is to the right of the way from `a` to `c`.
fn area(a: Point, b: Point, c: Point) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", Information Processing Letters 9 (1979).
fn monotone_chain(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in points {
            while let [.., before, last] = chain[..]
                && area(before, last, point) <= 0
            {
                chain.pop();
            }
            chain.push(point);
        }
        // The other half begins with it.
        chain.pop();
        chain
    };
    let mut hull = half(&mut sorted.iter().copied());
    hull.extend(half(&mut sorted.iter().rev().copied()));
    hull
}

/// The `i`th point, somewhere in a disk.
fn point(i: u64) -> Point {
    let random = |axis: u64| {
        let z = (2 * i + axis + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (z ^ (z >> 32)) as f64 / u64::MAX as f64
    };
    let (radius, angle) = (random(0).sqrt() * 1e9, random(1) * std::f64::consts::TAU);
    ((radius * angle.cos()) as i64, (radius * angle.sin()) as i64)
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
