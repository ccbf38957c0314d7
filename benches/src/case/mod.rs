//! A case: one question about one input, and the libraries that answer it.

#[cfg(feature = "families")]
mod suite;

use std::{
    hint::black_box,
    rc::Rc,
    time::{Duration, Instant},
};

#[cfg(feature = "families")]
pub use suite::{Setting, Suite};

use crate::{
    allocations,
    measure::{Contender, Pools},
};

/// Powers of ten from 10 to `most`.
pub fn powers_of_ten(most: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(10), |n| Some(n * 10)).take_while(move |&n| n <= most)
}

/// What is read off a contender.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Unit {
    #[default]
    Nanoseconds,
    Allocations,
    /// The most that was held at once.
    Bytes,
}

/// A case whose contenders have been checked: all give the same result.
pub struct Contest<'a> {
    pub name: &'static str,
    pub n: usize,
    pub threads: usize,
    pub unit: Unit,
    pub pools: Pools,
    /// The first is sequential code, which the others are compared with.
    pub contenders: Vec<Contender<'a>>,
}

/// A contest in the making: its contenders follow, sequential code first. All are called from outside the pools unless they say otherwise.
pub struct Case<'a, R> {
    contest: Contest<'a>,
    expected: Option<R>,
}

impl<'a, R: PartialEq + 'a> Case<'a, R> {
    pub fn new(name: &'static str, n: usize) -> Self {
        Case {
            contest: Contest {
                name,
                n,
                threads: 0,
                unit: Unit::default(),
                pools: Pools::default(),
                contenders: Vec::new(),
            },
            expected: None,
        }
    }

    /// Reads this instead of the time.
    pub fn unit(mut self, unit: Unit) -> Self {
        self.contest.unit = unit;
        self
    }

    /// Lets all pools fall asleep before each call.
    pub fn asleep(mut self) -> Self {
        self.contest.pools = Pools::Asleep;
        self
    }

    /// Says that the contenders run on so many threads, not on those of the setting.
    pub fn threads(mut self, threads: usize) -> Self {
        self.contest.threads = threads;
        self
    }

    /// A contender.
    pub fn by(mut self, name: &'static str, mut f: impl FnMut() -> R + 'a) -> Self {
        self.check(name, f());
        let unit = self.contest.unit;
        self.push(name, move |calls| {
            read(unit, || {
                for _ in 0..calls {
                    black_box(f());
                }
            })
        })
    }

    /// This crate and rayon, as `twice!` makes them.
    pub fn par(self, (ours, rayon): (impl FnMut() -> R + 'a, impl FnMut() -> R + 'a)) -> Self {
        self.by("filch", ours).by("rayon", rayon)
    }

    /// A contender whose calls are made within `install`, such as on a thread of a pool.
    pub fn inside(
        mut self,
        name: &'static str,
        install: impl Fn(&mut (dyn FnMut() + Send)) + 'a,
        mut f: impl FnMut() -> R + Send + 'a,
    ) -> Self {
        self.check(name, f());
        let unit = self.contest.unit;
        self.push(name, move |calls| {
            let mut reading = 0.0;
            install(&mut || {
                reading = read(unit, || {
                    for _ in 0..calls {
                        black_box(f());
                    }
                });
            });
            reading
        })
    }

    /// A contender that gets an input of its own, made off the clock, for each call; results are dropped off the clock too.
    pub fn with<I: 'a>(
        mut self,
        name: &'static str,
        input: &Rc<dyn Fn() -> I + 'a>,
        mut f: impl FnMut(I) -> R + 'a,
    ) -> Self {
        self.check(name, f(input()));
        let (unit, input) = (self.contest.unit, input.clone());
        self.push(name, move |calls| {
            let inputs: Vec<I> = (0..calls).map(|_| input()).collect();
            let mut results = Vec::with_capacity(inputs.len());
            let reading = read(unit, || {
                for input in inputs {
                    results.push(black_box(f(black_box(input))));
                }
            });
            drop(results);
            reading
        })
    }

    fn push(mut self, name: &'static str, batch: impl FnMut(u64) -> f64 + 'a) -> Self {
        self.contest.contenders.push(Contender::new(name, batch));
        self
    }

    fn check(&mut self, who: &str, result: R) {
        let name = self.contest.name;
        match &self.expected {
            None => self.expected = Some(result),
            Some(expected) => assert!(
                *expected == result,
                "{name}, {}: {who} computes something else",
                self.contest.n
            ),
        }
    }

    /// The contest, on so many threads unless the case has its own number.
    pub fn contest(mut self, threads: usize) -> Contest<'a> {
        if self.contest.threads == 0 {
            self.contest.threads = threads;
        }
        self.contest
    }
}

fn read(unit: Unit, all: impl FnOnce()) -> f64 {
    match unit {
        Unit::Nanoseconds => {
            let start = Instant::now();
            all();
            let time: Duration = start.elapsed();
            time.as_nanos() as f64
        }
        Unit::Allocations => allocations::during(all).calls as f64,
        Unit::Bytes => allocations::during(all).peak as f64,
    }
}
