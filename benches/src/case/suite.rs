//! What the cases of all families share: the pools, and the code that measures.

use std::{cell::RefCell, num::NonZero};

use paralight::prelude::{CpuPinningPolicy, RangeStrategy, ThreadCount, ThreadPoolBuilder};

use super::{Case, Contest, powers_of_ten};
use crate::{chili_pool, inputs::Spin, ours, rayon};

/// What all cases share.
pub struct Setting {
    pub threads: usize,
    /// The greatest length of an input.
    pub longest: usize,
    pub spin: Spin,
    pub chili: chili::ThreadPool,
    /// paralight runs one loop at a time in a pool. Its documentation recommends fixed shares for items that cost the same, and stealing
    /// for others.
    pub paralight_fixed: RefCell<paralight::threads::ThreadPool>,
    pub paralight_stealing: RefCell<paralight::threads::ThreadPool>,
}

impl Setting {
    /// Starts the rivals' pools, and gives the global ones of this crate and of rayon so many threads.
    pub fn new(threads: usize, longest: usize) -> Setting {
        ours::set_global(threads);
        rayon::set_global(threads);
        Setting {
            threads,
            longest,
            spin: Spin::calibrate(),
            chili: chili_pool(threads),
            paralight_fixed: RefCell::new(paralight_pool(threads, RangeStrategy::Fixed)),
            paralight_stealing: RefCell::new(paralight_pool(threads, RangeStrategy::WorkStealing)),
        }
    }

    /// Powers of ten from 10 to `most`, as far as inputs go here.
    pub fn lengths(&self, most: usize) -> impl Iterator<Item = usize> + use<> {
        powers_of_ten(most.min(self.longest))
    }
}

fn paralight_pool(threads: usize, range_strategy: RangeStrategy) -> paralight::threads::ThreadPool {
    ThreadPoolBuilder {
        num_threads: ThreadCount::Count(NonZero::new(threads).expect("a pool has threads")),
        range_strategy,
        cpu_pinning: CpuPinningPolicy::No,
    }
    .build()
}

/// The settings of a measurement, and the code that measures each contest.
pub struct Suite<'s> {
    pub setting: &'s Setting,
    pub visit: &'s mut dyn FnMut(Contest<'_>),
}

impl<'a, R: PartialEq + 'a> Case<'a, R> {
    /// Has the case measured.
    pub fn put(self, suite: &mut Suite<'_>) {
        (suite.visit)(self.contest(suite.setting.threads));
    }
}
