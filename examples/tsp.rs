//! The travelling salesman by branch and bound: a thread that finds a shorter tour lets all threads cut more branches.
//!
//! `cargo run --release --example tsp -- [cities]`

use std::env;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use filch::prelude::*;

fn main() {
    let cities: usize = env::args()
        .nth(1)
        .map_or(15, |n| n.parse().expect("usage: tsp [cities]"));
    assert!((3..=20).contains(&cities), "from 3 to 20 cities");
    let map = Map::new(cities);

    let (expected, one) = timed(|| solve(&map, sequential));
    let (best, all) = timed(|| solve(&map, parallel));

    let length = best.length.into_inner();
    assert_eq!(
        length,
        expected.length.into_inner(),
        "the two ways disagree"
    );
    assert_eq!(length, by_subsets(&map), "both ways are wrong");
    let tour = best.tour.into_inner().unwrap();
    assert_eq!(
        length,
        map.length(&tour),
        "the tour is not as long as it says"
    );
    println!("{cities} cities, shortest tour {length}: {tour:?}");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// The shortest tour so far, shared by all threads.
struct Best {
    /// Read at every step, so it has to be cheap.
    length: AtomicU32,
    /// Written when a shorter one is found, which is rare.
    tour: Mutex<Vec<usize>>,
}

impl Best {
    fn offer(&self, path: &Path) {
        let mut tour = self.tour.lock().unwrap();
        // Asked again under the lock: another thread may have been faster.
        if path.length < self.length.load(Ordering::Relaxed) {
            self.length.store(path.length, Ordering::Relaxed);
            tour.clone_from(&path.cities);
        }
    }
}

/// The beginning of a tour.
#[derive(Clone)]
struct Path {
    cities: Vec<usize>,
    length: u32,
}

type Search = fn(&Map, &Best, Path);

fn solve(map: &Map, search: Search) -> Best {
    let best = Best {
        length: AtomicU32::new(u32::MAX),
        tour: Mutex::new(Vec::new()),
    };
    let start = Path {
        cities: vec![0],
        length: 0,
    };
    search(map, &best, start);
    best
}

fn sequential(map: &Map, best: &Best, path: Path) {
    for longer in branches(map, best, path) {
        sequential(map, best, longer);
    }
}

/// The same but for `into_par_iter`. Which branch is searched first is a matter of luck now, and so is how many can be cut: the speed-up may be
/// more than the number of threads, or less. The length of the shortest tour is always the same.
fn parallel(map: &Map, best: &Best, path: Path) {
    branches(map, best, path)
        .into_par_iter()
        .for_each(|longer| parallel(map, best, longer));
}

/// The ways to go on that may still lead to a shorter tour, the nearest city first.
fn branches(map: &Map, best: &Best, path: Path) -> Vec<Path> {
    let here = path.cities[path.cities.len() - 1];
    if path.cities.len() == map.cities() {
        let length = path.length + map.distance[here][0];
        best.offer(&Path { length, ..path });
        return Vec::new();
    }
    let ahead: Vec<usize> = (0..map.cities())
        .filter(|city| !path.cities.contains(city))
        .collect();
    // Every city ahead has to be left, if only by its shortest road.
    let at_least: u32 = ahead.iter().map(|&city| map.shortest_road[city]).sum();
    let mut branches: Vec<Path> = ahead
        .into_iter()
        .map(|city| (city, path.length + map.distance[here][city]))
        .filter(|(_, length)| length + at_least < best.length.load(Ordering::Relaxed))
        .map(|(city, length)| Path {
            cities: [&path.cities[..], &[city]].concat(),
            length,
        })
        .collect();
    branches.sort_by_key(|path| path.length);
    branches
}

struct Map {
    distance: Vec<Vec<u32>>,
    /// From each city to the nearest other one.
    shortest_road: Vec<u32>,
}

impl Map {
    /// Cities in places that look random.
    fn new(cities: usize) -> Map {
        let place = |city: usize| {
            let random = (city as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            ((random >> 40) % 1_000, (random >> 20) % 1_000)
        };
        let between = |a: usize, b: usize| {
            let ((ax, ay), (bx, by)) = (place(a), place(b));
            (ax.abs_diff(bx).pow(2) + ay.abs_diff(by).pow(2)).isqrt() as u32
        };
        let distance: Vec<Vec<u32>> = (0..cities)
            .map(|a| (0..cities).map(|b| between(a, b)).collect())
            .collect();
        let shortest_road = (0..cities)
            .map(|a| {
                (0..cities)
                    .filter(|&b| b != a)
                    .map(|b| distance[a][b])
                    .min()
            })
            .map(|road| road.expect("there are other cities"))
            .collect();
        Map {
            distance,
            shortest_road,
        }
    }

    fn cities(&self) -> usize {
        self.distance.len()
    }

    fn length(&self, tour: &[usize]) -> u32 {
        let next = tour.iter().cycle().skip(1);
        tour.iter()
            .zip(next)
            .map(|(&a, &b)| self.distance[a][b])
            .sum()
    }
}

/// The length of the shortest tour by another method, for the check: the shortest way through each set of cities to each of its members
/// (Bellman; Held and Karp, 1962).
fn by_subsets(map: &Map) -> u32 {
    let cities = map.cities();
    let unreachable = u32::MAX / 2;
    let mut shortest = vec![vec![unreachable; cities]; 1 << cities];
    shortest[1][0] = 0;
    for set in 1..1usize << cities {
        for (last, next) in (0..cities).flat_map(|a| (0..cities).map(move |b| (a, b))) {
            if set >> last & 1 == 1 && set >> next & 1 == 0 {
                let length = shortest[set][last] + map.distance[last][next];
                let there = &mut shortest[set | 1 << next][next];
                *there = length.min(*there);
            }
        }
    }
    let full = &shortest[(1 << cities) - 1];
    (1..cities)
        .map(|last| full[last] + map.distance[last][0])
        .min()
        .expect("several cities")
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
