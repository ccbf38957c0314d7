//! k-means clustering: each point goes to its nearest centre, each centre moves to the mean of its points, until nothing moves.
//!
//! `cargo run --release --example kmeans -- [points] [clusters]`
//!
//! S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28 (1982).

use std::env;
use std::time::{Duration, Instant};

use filch::ext::*;
use filch::prelude::*;

type Point = [f64; 2];

/// What the points of one cluster add up to.
#[derive(Clone, Copy, Default)]
struct Sum {
    at: Point,
    count: u32,
}

fn main() {
    let mut args = env::args()
        .skip(1)
        .map(|n| n.parse().expect("usage: kmeans [points] [clusters]"));
    let count: usize = args.next().unwrap_or(500_000);
    let k: usize = args.next().unwrap_or(16).max(1);
    assert!(count >= k, "fewer points than clusters");

    let points: Vec<Point> = (0..count).into_par_iter().map(|i| point(i, k)).collect();
    let ((expected, _), one) = timed(|| cluster(&points, k, sequential));
    let ((centres, rounds), all) = timed(|| cluster(&points, k, parallel));

    // To the last bit the same on another number of threads.
    let pool = filch::ThreadPoolBuilder::new().num_threads(3).build();
    let on_three = pool
        .expect("three threads")
        .install(|| cluster(&points, k, parallel));
    let bits = |centres: &[Point]| centres.concat().into_iter().map(f64::to_bits);
    assert!(
        bits(&on_three.0).eq(bits(&centres)) && on_three.1 == rounds,
        "it depends on the number of threads"
    );
    // One sum from left to right rounds elsewhere.
    for (centre, expected) in centres.iter().zip(&expected) {
        let off = distance(centre, expected).sqrt();
        assert!(off < 1e-6, "the two ways disagree by {off}");
    }
    // The mean of many points is near their true centre: within five standard deviations.
    let allowed = 4.0 / (count as f64 / k as f64).sqrt();
    for (cluster, centre) in centres.iter().enumerate() {
        let true_centre = origin(cluster, k);
        let off = distance(centre, &true_centre).sqrt();
        assert!(off < allowed, "centre {cluster} is off by {off}");
    }
    println!("{count} points in {k} clusters, settled after {rounds} rounds");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn cluster(
    points: &[Point],
    k: usize,
    sums: fn(&[Point], &[Point]) -> Vec<Sum>,
) -> (Vec<Point>, usize) {
    // The first point of each cluster: a good guess makes it easy to say what must come out.
    let mut centres = points[..k].to_vec();
    for round in 1.. {
        let moved: Vec<Point> = sums(points, &centres)
            .iter()
            .map(|sum| sum.at.map(|x| x / f64::from(sum.count)))
            .collect();
        if moved == centres || round == 100 {
            return (centres, round);
        }
        centres = moved;
    }
    unreachable!("it returns in some round")
}

fn sequential(points: &[Point], centres: &[Point]) -> Vec<Sum> {
    let none = vec![Sum::default(); centres.len()];
    points
        .iter()
        .fold(none, |sums, point| add(sums, point, centres))
}

/// Additions of floats give other results in another order. `reproducible` fixes the order by the number of points alone, so what comes out
/// does not depend on which thread was free when.
fn parallel(points: &[Point], centres: &[Point]) -> Vec<Sum> {
    let none = || vec![Sum::default(); centres.len()];
    points
        .par_iter()
        .reproducible()
        .fold(none, |sums, point| add(sums, point, centres))
        .reduce(none, merged)
}

/// Adds a point to the sum of the centre that is nearest.
fn add(mut sums: Vec<Sum>, point: &Point, centres: &[Point]) -> Vec<Sum> {
    let mut nearest = (f64::INFINITY, 0);
    for (cluster, centre) in centres.iter().enumerate() {
        let distance = distance(point, centre);
        if distance < nearest.0 {
            nearest = (distance, cluster);
        }
    }
    let sum = &mut sums[nearest.1];
    sum.count += 1;
    sum.at[0] += point[0];
    sum.at[1] += point[1];
    sums
}

fn merged(mut sums: Vec<Sum>, later: Vec<Sum>) -> Vec<Sum> {
    for (sum, later) in sums.iter_mut().zip(later) {
        sum.count += later.count;
        sum.at[0] += later.at[0];
        sum.at[1] += later.at[1];
    }
    sums
}

fn distance(a: &Point, b: &Point) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
}

/// The true centre of a cluster: a place of its own on a grid.
fn origin(cluster: usize, k: usize) -> Point {
    let side = k.isqrt() + 1;
    [(cluster % side) as f64 * 3.0, (cluster / side) as f64 * 3.0]
}

/// The `i`th point, within 1 of the centre of cluster `i % k`.
fn point(i: usize, k: usize) -> Point {
    let random = |axis: u64| {
        let z = (2 * i as u64 + axis + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) as f64 / u64::MAX as f64 * 2.0 - 1.0
    };
    let [x, y] = origin(i % k, k);
    [x + random(0), y + random(1)]
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
