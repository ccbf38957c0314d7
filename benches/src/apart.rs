//! The program of a rival that has a process of its own: `THREADS quick|full FAMILY...`.
//!
//! It measures sequential code and the rival in turns, and prints a line of the report's table for each.

use std::env;

use crate::{
    case::{Case, powers_of_ten},
    inputs::Spin,
    record::Recorder,
};

/// What the cases of the rival share.
pub struct Apart {
    pub threads: usize,
    pub spin: Spin,
    /// The greatest length of an input.
    pub longest: usize,
    families: Vec<String>,
    recorder: Recorder,
}

impl Apart {
    /// Reads the arguments. The lock file is the rival's own.
    ///
    /// # Panics
    ///
    /// Panics if the first argument is not a number.
    pub fn new(lock: &'static str) -> Apart {
        let mut args = env::args().skip(1);
        let threads = args.next().and_then(|threads| threads.parse().ok());
        let threads = threads.expect("usage: THREADS quick|full FAMILY...");
        let quick = args.next().is_some_and(|pace| pace == "quick");
        Apart {
            threads,
            spin: Spin::calibrate(),
            longest: Recorder::longest(quick),
            families: args.collect(),
            recorder: Recorder::new(lock, threads, quick),
        }
    }

    /// Powers of ten from 10 to `most`, as far as inputs go here.
    pub fn lengths(&self, most: usize) -> impl Iterator<Item = usize> + use<> {
        powers_of_ten(most.min(self.longest))
    }

    /// Whether a family is to be measured.
    pub fn wants(&self, family: &str) -> bool {
        self.families.iter().any(|wanted| wanted == family)
    }

    /// Measures a case and prints its lines.
    pub fn put<'a, R: PartialEq + 'a>(&self, family: &str, case: Case<'a, R>) {
        for point in self.recorder.record(family, case.contest(self.threads)) {
            println!("{}", point.line());
        }
    }
}
