//! Shortest paths on a map of roads, by delta-stepping: places at about the same distance are looked at together.
//!
//! `cargo run --release --example shortest_paths -- [side]`
//!
//! U. Meyer and P. Sanders, "Δ-stepping: a parallelizable shortest path algorithm", Journal of Algorithms 49 (2003).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::env;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use filch::algo::for_each_spawn_by_level;

/// Places in one bucket differ by less than this. Long roads take up to 100: larger steps share more and repeat more.
const DELTA: u32 = 200;
/// The distance of a place that no road leads to.
const FAR: u32 = u32::MAX;

fn main() {
    let side: usize = env::args()
        .nth(1)
        .map_or(500, |n| n.parse().expect("usage: shortest_paths [side]"));
    assert!(side > 0, "nowhere to start from");
    let map = Map::new(side);

    let (expected, one) = timed(|| dijkstra(&map));
    let (found, all) = timed(|| delta_stepping(&map));

    assert!(found == expected, "the two ways disagree");
    // No road is shorter than what the distances of its ends allow.
    for place in 0..map.places() {
        for (next, length) in map.roads(place) {
            assert!(found[place] == FAR || found[next] <= found[place] + length);
        }
    }
    let reached = found.iter().filter(|&&distance| distance != FAR);
    println!(
        "reached {} of {} places, the last one after {}",
        reached.clone().count(),
        map.places(),
        reached.max().expect("the first place is reached")
    );
    println!(
        "Dijkstra {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// The textbook's search with a heap, one place after the other.
fn dijkstra(map: &Map) -> Vec<u32> {
    let mut distances = vec![FAR; map.places()];
    distances[0] = 0;
    let mut heap = BinaryHeap::from([(Reverse(0), 0)]);
    while let Some((Reverse(distance), place)) = heap.pop() {
        if distance > distances[place] {
            continue;
        }
        for (next, length) in map.roads(place) {
            if distance + length < distances[next] {
                distances[next] = distance + length;
                heap.push((Reverse(distance + length), next));
            }
        }
    }
    distances
}

/// A level for each stretch of `DELTA`. A place may be looked at several times on its level, each time with a shorter distance.
fn delta_stepping(map: &Map) -> Vec<u32> {
    let distances: Vec<AtomicU32> = (0..map.places()).map(|_| AtomicU32::new(FAR)).collect();
    distances[0].store(0, Relaxed);
    for_each_spawn_by_level([(0, (0, 0))], |(place, distance): (usize, u32), list| {
        // A shorter way was found since this was put on the list.
        if distance > distances[place].load(Relaxed) {
            return;
        }
        for (next, length) in map.roads(place) {
            let distance = distance + length;
            if distances[next].fetch_min(distance, Relaxed) > distance {
                list.spawn((distance / DELTA) as usize, (next, distance));
            }
        }
    });
    distances.into_iter().map(AtomicU32::into_inner).collect()
}

/// A square of places. Roads lead to the four neighbours; some are missing, and every 16th line is a motorway.
struct Map {
    side: usize,
    /// The lengths of the roads to the right and downwards; 0 if there is none.
    lengths: Vec<[u32; 2]>,
}

impl Map {
    fn new(side: usize) -> Map {
        let length = |place: usize, downwards: usize| {
            let (x, y) = (place % side, place / side);
            let random = (2 * place + downwards + 1) as u64;
            let random = random.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            let (along, line) = [(x, y), (y, x)][downwards];
            match random % 10 {
                _ if along + 1 == side => 0,
                _ if line % 16 == 0 => 5,
                0 => 0,
                _ => 20 + (random / 10 % 81) as u32,
            }
        };
        let lengths = (0..side * side).map(|place| [length(place, 0), length(place, 1)]);
        Map {
            side,
            lengths: lengths.collect(),
        }
    }

    fn places(&self) -> usize {
        self.lengths.len()
    }

    /// The places that roads lead to from here, and how far that is.
    fn roads(&self, place: usize) -> impl Iterator<Item = (usize, u32)> {
        let [right, down] = self.lengths[place];
        let before = |by: usize, direction: usize| {
            let from = place.checked_sub(by)?;
            Some((from, self.lengths[from][direction]))
        };
        let roads = [
            Some((place + 1, right)),
            Some((place + self.side, down)),
            before(1, 0),
            before(self.side, 1),
        ];
        roads
            .into_iter()
            .flatten()
            .filter(|&(_, length)| length > 0)
    }
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
