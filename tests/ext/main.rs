//! The iterator methods of `filch::ext` against their models in std.
//!
//! Each family has a function `models`, which `forced` runs under every way to cut as well.

mod arrays;
mod cancel;
mod early;
mod ends;
mod follow;
mod forced;
mod handles;
mod job_queue;
mod ordered;
mod prefix;
mod reproducible;
mod round_lens;
mod rounds;
mod rounds_as_std;
mod stolen;
#[allow(dead_code, unused_imports)]
#[path = "../it/support/mod.rs"]
mod support;
mod unwanted;
mod using;

use filch::{ThreadPool, ThreadPoolBuilder};
use support::{Place, within};

/// Runs `check` in pools of 1, 2, 3 and 8 threads, and outside of all.
fn everywhere(check: impl Fn() + Send + Sync + 'static) {
    within(60, move || {
        for place in Place::all() {
            place.run(&check);
        }
    });
}

/// A pool of the test's own, to be dropped or shut down.
fn fresh_pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().unwrap()
}
