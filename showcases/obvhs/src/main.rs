//! Builds hierarchies of bounding volumes over a terrain.

use std::hint::black_box;
use std::time::Duration;

use obvhs::BvhBuildParams;
use obvhs::bvh2::builder::build_bvh2_from_tris;
use obvhs::test_util::geometry::demoscene;

fn main() {
    // Two triangles for each place of a square.
    for (name, side, repeats) in [
        ("1,000 triangles", 22, 400),
        ("10,000 triangles", 71, 60),
        ("100,000 triangles", 224, 10),
        ("1,000,000 triangles", 707, 2),
    ] {
        let triangles = demoscene(side, 1);
        stopwatch::measure(name, repeats, || {
            let mut core = Duration::ZERO;
            let bvh = build_bvh2_from_tris(&triangles, BvhBuildParams::medium_build(), &mut core);
            let bvh = black_box(bvh);
            (bvh.nodes.len() * bvh.primitive_indices.len()) as u64
        });
    }
}
