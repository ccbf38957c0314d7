//! Gravity among many bodies: every body is pulled by all others, and each pull can be computed on its own.
//!
//! `cargo run --release --example nbody -- [bodies] [steps]`

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;
use indicatif::ProgressBar;

type Vector = [f64; 3];

#[derive(Clone, Copy, PartialEq)]
struct Body {
    mass: f64,
    at: Vector,
    velocity: Vector,
}

/// Length of a step in time.
const STEP: f64 = 1e-3;
/// Keeps two bodies that meet from hurling each other away.
const SOFTENING: f64 = 1e-2;

fn main() {
    let mut args = env::args()
        .skip(1)
        .map(|n| n.parse().expect("usage: nbody [bodies] [steps]"));
    let count = args.next().unwrap_or(2_000).max(2);
    let steps = args.next().unwrap_or(20);

    let start: Vec<Body> = (0..count).map(body).collect();
    // Shows itself on a terminal only.
    let bar = ProgressBar::new(2 * steps as u64);
    let (expected, one) = timed(|| simulate(&start, steps, sequential, &bar));
    let (found, all) = timed(|| simulate(&start, steps, parallel, &bar));
    bar.finish_and_clear();

    // To the last bit: each sum is made by one thread, in one order.
    assert!(found == expected, "the two ways disagree");
    let drift = (energy(&found) / energy(&start) - 1.0).abs();
    assert!(drift < 1e-2, "energy is not conserved: off by {drift:e}");
    println!("{count} bodies, {steps} steps, energy off by {drift:.1e}");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn simulate(
    start: &[Body],
    steps: usize,
    accelerations: fn(&[Body]) -> Vec<Vector>,
    bar: &ProgressBar,
) -> Vec<Body> {
    let mut bodies = start.to_vec();
    for _ in 0..steps {
        let pulls = accelerations(&bodies);
        // First all velocities and then all positions (symplectic Euler), which keeps energy from growing.
        for (body, pull) in bodies.iter_mut().zip(pulls) {
            for (axis, pull) in pull.into_iter().enumerate() {
                body.velocity[axis] += STEP * pull;
                body.at[axis] += STEP * body.velocity[axis];
            }
        }
        bar.inc(1);
    }
    bodies
}

fn sequential(bodies: &[Body]) -> Vec<Vector> {
    bodies.iter().map(|body| pull(bodies, body)).collect()
}

fn parallel(bodies: &[Body]) -> Vec<Vector> {
    bodies.par_iter().map(|body| pull(bodies, body)).collect()
}

/// What all bodies together do to one.
fn pull(bodies: &[Body], on: &Body) -> Vector {
    let mut sum = [0.0; 3];
    for other in bodies {
        let (way, square) = way(on, other);
        let strength = other.mass / (square * square.sqrt());
        for axis in 0..3 {
            sum[axis] += strength * way[axis];
        }
    }
    sum
}

/// The way from one body to another, and the square of its softened length.
fn way(from: &Body, to: &Body) -> (Vector, f64) {
    let way: Vector = std::array::from_fn(|axis| to.at[axis] - from.at[axis]);
    let square = way.iter().map(|d| d * d).sum::<f64>() + SOFTENING * SOFTENING;
    (way, square)
}

/// Kinetic and potential energy, up to a constant.
fn energy(bodies: &[Body]) -> f64 {
    let square = |v: &Vector| v.iter().map(|x| x * x).sum::<f64>();
    bodies
        .par_iter()
        .map(|a| {
            let potential: f64 = bodies.iter().map(|b| b.mass / way(a, b).1.sqrt()).sum();
            a.mass / 2.0 * (square(&a.velocity) - potential)
        })
        .sum()
}

/// The `i`th body: somewhere in a cube, at rest, of some mass.
fn body(i: usize) -> Body {
    let random = |k: usize| {
        let z = (4 * i as u64 + k as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) as f64 / u64::MAX as f64
    };
    Body {
        mass: random(0) / 1_000.0,
        at: [random(1), random(2), random(3)],
        velocity: [0.0; 3],
    }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
